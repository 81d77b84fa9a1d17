# perf's tables of the scheduler as CSV of their data. kind=latency: task,runtime,count,avg,max,start,end;
# kind=timehist: time,cpu,task,wait,delay,run,TEXT (state, or who is next) or time,cpu,task,,,,TEXT (awakened: ...);
# kind=summary: task,parent,count,run,min,avg,max,deviation,migrations.
function trim(s) { gsub(/^ +| +$/, "", s); return s }
function put(n,    i, line) {
	for (i = 1; i <= n; i++)
		line = line (i > 1 ? "," : "") f[i]
	print line
}
kind == "latency" && /\| avg:/ {
	split($0, f, "|")
	f[1] = trim(f[1])
	for (i = 2; i <= 7; i++) {
		gsub(/[a-z:]/, "", f[i])
		f[i] = trim(f[i])
	}
	put(7)
}
kind == "timehist" && /^ *[0-9]+\.[0-9]+ \[[0-9]+\]/ {
	f[1] = $1
	f[2] = substr($2, 2, 4) + 0
	rest = substr($0, index($0, "]") + 3)
	if (match(rest, / +[0-9]+\.[0-9]+ +[0-9]+\.[0-9]+ +[0-9]+\.[0-9]+ /)) {
		f[3] = trim(substr(rest, 1, RSTART - 1))
		split(substr(rest, RSTART, RLENGTH), t, " ")
		for (i = 1; i <= 3; i++)
			f[3 + i] = t[i]
		f[7] = trim(substr(rest, RSTART + RLENGTH))
		sub(/^next: /, "", f[7])
	} else {
		match(rest, / +awakened:/)
		f[3] = trim(substr(rest, 1, RSTART - 1))
		f[4] = f[5] = f[6] = ""
		f[7] = trim(substr(rest, RSTART))
	}
	put(7)
}
kind == "summary" && NF >= 9 && $(NF - 1) ~ /^[0-9]+\.[0-9][0-9]$/ && $NF ~ /^[0-9]+$/ {
	task = $1
	for (i = 2; i <= NF - 8; i++)
		task = task " " $i
	f[1] = task
	for (i = 2; i <= 9; i++)
		f[i] = $(NF - 9 + i)
	put(9)
}
