# pdtool's CSV of "sched timehist" as tests/lib/sched.awk makes of perf's text. kind=timehist or summary.
BEGIN { FS = "," }
function number(v) { return v == "4294967295" ? -1 : v }
# comm[tid/pid]
function task(comm, tid, pid) {
	tid = number(tid)
	pid = pid == "" ? -1 : number(pid)
	if (pid == 0)
		return comm
	return comm "[" tid (tid != pid && pid != -1 ? "/" pid : "") "]"
}
# ns as text, as some awks' integers have 32 bits: the last UNIT digits behind a point, DIGITS of them kept.
function cut(v, unit, digits,    n) {
	while (length(v) <= unit)
		v = "0" v
	n = length(v) - unit
	return substr(v, 1, n) "." substr(v, n + 1, digits)
}
function ms(v) { return v == "" ? "" : cut(v, 6, 3) }
NR == 1 { next }
kind == "timehist" {
	text = $9
	if (NF > 9 && $10 != "")
		text = $10
	print cut($1, 9, 6) "," $2 "," task($3, $4, $5) "," ms($6) "," ms($7) "," ms($8) "," text
}
kind == "summary" {
	print task($1, $2, $3) "," ($4 == "" ? -1 : number($4)) "," $5 "," ms($6) "," ms($7) "," ms($8) "," ms($9) "," $10 "," $11
}
