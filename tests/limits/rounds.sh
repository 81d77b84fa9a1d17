#!/bin/sh
# What samples with payloads cost while they wait for the end of a large round: in a file little more than where they are,
# as they are read again. A pipe cannot be read again, and gives the same answer.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# switches COUNT TIME: so many on each of two CPUs, from then on; one CPU after the other, as they are emptied.
switches() {
	for cpu in 0 1; do
		cat <<-END
			repeat $1 {
			sample event=sched:sched_switch time=$2+$cpu*500+\$i*1000 cpu=$cpu pid=10 period=1+\$i%7 \
				raw=[u16:314,u8:0,u8:0,u32:10,t16:a,u32:10+2*$cpu,u32:120,word:1,t16:b,u32:11+2*$cpu,u32:120,zero:160]
			sample event=sched:sched_switch time=$2+$cpu*500+\$i*1000+300 cpu=$cpu pid=10 period=1+\$i%7 \
				raw=[u16:314,u8:0,u8:0,u32:11,t16:b,u32:11+2*$cpu,u32:120,word:0,t16:a,u32:10+2*$cpu,u32:120,zero:160]
			}
		END
	done
}
{
	cat <<-'END'
		tracepoint sched:sched_switch id=314 fields="char prev_comm[16];pid_t prev_pid;int prev_prio;long prev_state;char next_comm[16];pid_t next_pid;int next_prio" print="\"\""
		event sched:sched_switch type=tracepoint config=314 period=1 ids=71 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW
	END
	switches 100000 1000
	echo finished_round
	switches 5 300000000
	echo finished_round
	switches 5 400000000
} >round.mkperf
"$mkperf" -o round.data round.mkperf || exit 1

floor_of "$pdtool" info -q -j 1 round.data

# Of 400,000 samples 40 bytes each, half as much of room to grow, some of their 250 bytes of payload, the waits.
(ulimit -v $((floor + 60000)); exec "$pdtool" sched latency round.data) >got 2>err
result 'a large round fits' $? "$(cat err)"

for command in 'sched latency' 'sched timehist' 'heatmap --event sched:sched_switch --value period'; do
	# shellcheck disable=SC2086 # words
	"$pdtool" $command --format csv round.data >file 2>err
	# shellcheck disable=SC2086
	"$pdtool" $command --format csv - <round.data >pipe 2>err
	[ -s file ] && cmp -s file pipe
	result "$command: a file tells what a pipe does" $?
done
