# How the kernel charged run time (sched_stat_runtime) beside its switches, out of perf's own text:
#	perf script --ns -F tid,cpu,time,event,trace | awk -f charges.awk
# A run, from a switch-in to the switch-out, is cut into pieces by the charges in it. In each piece the clock that the
# kernel charges by should have gone as far as the clock of the events. Prints for each thread:
#	thread TID SWITCHES WALL CHARGED EXCUSED UNSEEN
# WALL is the sum of its runs; EXCUSED what pieces differ from their charge where that is by more than 15 us, and what
# it was charged for while another one ran on that CPU; UNSEEN how many switches of it must be missing. All in ns. And
# for each piece in which the clock stood still for more than 5 ms, which no charge of a neighbour explains:
#	still CPU START LENGTH
function off(tid, piece, charge) {
	if (piece - charge > 15000 || charge - piece > 15000)
		excused[tid] += piece > charge ? piece - charge : charge - piece
	if (piece - charge > 5e6)
		printf "still %d %.0f %.0f\n", cpu, last[cpu], piece - charge
}
function field(name,    at, rest) {
	at = index(" " $0, " " name "=")
	rest = substr($0, at + length(name) + 1)
	return rest + 0
}
{
	split($3, part, "[.:]")
	if (NR == 1)
		base = part[1]
	now = (part[1] - base) * 1e9 + part[2]
	cpu = substr($2, 2) + 0
}
$4 ~ /sched_switch/ {
	prev = field("prev_pid")
	if (cpu in current && current[cpu] == prev) {
		wall[prev] += now - begin[cpu]
		if (cpu in told)
			off(prev, now - last[cpu], 0)
		else
			excused[prev] += now - last[cpu]
	} else if (cpu in current) {
		unseen[current[cpu]]++
		unseen[prev]++
	}
	switches[prev]++
	current[cpu] = field("next_pid")
	begin[cpu] = last[cpu] = now
}
$4 ~ /sched_stat_runtime/ {
	tid = field("pid")
	charge = field("runtime")
	charged[tid] += charge
	if (cpu in current && current[cpu] == tid) {
		if (cpu in told)
			off(tid, now - last[cpu], charge)
		else
			excused[tid] += now - last[cpu]
		told[cpu]
		last[cpu] = now
	} else {
		excused[tid] += charge
	}
}
END {
	for (tid in switches)
		if (tid)
			printf "thread %d %d %.0f %.0f %.0f %d\n", tid, switches[tid], wall[tid], charged[tid],
				excused[tid], unseen[tid]
}
