#!/bin/sh
# Is pdtool as fast as it was? Its CPU time over that of the floors and walks (floor.c) of the same run, on small captures made
# of those in testdata, beside the ratio that was last accepted: more than 10 % above is a failure.
#   tests/bench/run.sh            compare with tests/bench/accepted.txt
#   tests/bench/run.sh --accept   write what comes now; on a quiet machine, and with the reason in the commit
# All commands take turns, 30 times; of each counts the time that a tenth of its runs kept below. The divisor is the sum of all
# floors, one for each capture: a single one is milliseconds of copying from the page cache, and 20 % apart from one copy
# of the file to the next. What seems worse is measured again, on new copies, and is worse if it is so each time: no
# load lasts for ever, a slower program does. On a CPU of another kind than that of accepted.txt 30 % are allowed.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
here=$top/tests/bench
accepted=$here/accepted.txt
tries=4 rounds=30
accept=${1:-}

for program in floor measure repeat; do
	${CC:-cc} -O2 -std=gnu11 "$here/$program.c" -o $program || exit 1
done

# capture NAME FILE [OPTION...] ROUNDS: NAME.data is FILE of testdata so often.
capture() {
	name=$1 file=$data/$2
	shift 2
	zstd -qdcf "$file" >once && ./repeat "$@" once "$name.data"
}
captures() {
	chains=recorded/foreign/02-x86_64-k3.8-callgraph-fp-systemwide.perf.data.zst
	capture stacks $chains --vary 40
	capture same $chains 40
	capture dwarf unwind/arm64/shapes.data.zst 40
	capture sched recorded/x86_64/sched/flat.data.zst 24
	capture block recorded/x86_64/block/q1.data.zst 10
	cp "$data/recorded/x86_64/binaries/nosep.data" tiny.data
}
mkdir arm64 && tar -xzf "$data/unwind/arm64/files.tar.gz" -C arm64

# pdtool CAPTURE COMMAND [OPTION...]: a line of the plan, named by the capture and the command.
pdtool() {
	w=$1 command=$2
	shift 2
	printf '%s: %s\t%s\n' "$w" "$command" "$host_pdtool $command --no-host $* $w.data"
}
for w in stacks same dwarf tiny; do printf 'floor\t./floor %s.data\n' $w; done >plan
for w in sched block; do printf 'floor\t./floor --walk %s.data\n' $w; done >>plan
{
	pdtool stacks 'collapse -j1'
	pdtool stacks 'report -j1'
	pdtool stacks 'flamegraph -j1'
	pdtool same 'collapse -j1'
	pdtool dwarf 'collapse -j1' --symfs arm64
	pdtool sched 'sched latency -j1'
	pdtool sched 'sched timehist -j1'
	pdtool sched 'offcpu -j1'
	pdtool block 'block -j1'
	pdtool block 'heatmap -j1' '--events=block_rq_*'
	pdtool tiny info
	pdtool tiny 'collapse -j1' --symfs "$data/symfs"
} >>plan

cpu=$(awk -F ' *: ' '/^(vendor_id|cpu family|model|CPU implementer|CPU part)\t*:/ && !seen[$1]++ { printf "%s ", $2 }' /proc/cpuinfo)
allowed=1.1
grep -qxF "# CPU: $cpu" "$accepted" || allowed=1.3

# The command, its seconds, the ratio, the ratio accepted, and "ok", "new", "failed" or "worse".
compare() {
	awk -F '\t' -v OFS='\t' -v allowed=$allowed '
		NR == FNR { was[$1] = $2; next }
		$1 == "floor" { floor += $11; next }
		{
			ratio = $11 / floor
			verdict = $10 != 0 ? "failed" : !was[$1] ? "new" : (ratio > was[$1] * allowed) ? "worse" : "ok"
			print $1, $11, ratio, was[$1] + 0, verdict
		}' "$accepted" runs
}
try=0
while [ $try -lt $tries ]; do
	captures
	./measure $rounds $rounds 600 <plan >runs || exit 1
	compare >now
	if [ -n "$accept" ] || ! grep -q 'worse$' now; then break; fi
	try=$((try + 1))
done

if [ -n "$accept" ]; then
	{
		echo '# CPU time of pdtool over that of the floors, on the small captures of run.sh, which writes this (--accept).'
		echo "# CPU: $cpu"
		awk -F '\t' '{ printf "%s\t%.3f\n", $1, $3 }' now
	} >"$accepted"
	cat "$accepted"
	exit
fi
[ $allowed = 1.1 ] || echo "    another CPU than that of accepted.txt: $cpu"
while IFS='	' read -r name seconds ratio was verdict; do
	case $verdict in
	ok) ok "$name" ;;
	new) fail "$name" 'no ratio was accepted for it' ;;
	failed) fail "$name" 'the command failed' ;;
	worse) fail "$name" "slower than accepted, in each of $tries measurements" ;;
	esac
	awk "BEGIN { printf \"    %.4f s, ratio %.3f, accepted %.3f%s\\n\", $seconds, $ratio, $was,
		$ratio < $was * 0.9 ? \": better, --accept keeps it so\" : \"\" }"
done <now
