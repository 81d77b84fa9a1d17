#!/bin/sh
# Is pdtool as fast as it was, and as small? Its CPU time over that of the floors and walks (floor.c) of the same run, and its
# peak memory, on small captures made of those in testdata, beside what was last accepted: more than 10 % above is a failure.
#   tests/bench/run.sh            compare with tests/bench/accepted.txt
#   tests/bench/run.sh --accept   write what comes now, the highest of four measurements, as other load slows the floors more than
#                                 pdtool; best on a quiet machine, and with the reason in the commit
# All commands take turns, 30 times; of each counts the time that a tenth of its runs kept below. The divisor is the sum of all
# floors, one for each capture: a single one is milliseconds of copying from the page cache, and 20 % apart from one copy
# of the file to the next. What seems worse is measured again, on new copies, and is worse if it is so each time: no
# load lasts for ever, a slower program does. On a CPU of another kind than that of accepted.txt 30 % are allowed.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
here=$top/tests/bench
accepted=$here/accepted.txt
tries=4 rounds=30
accept=${1:-}

if [ "${SANITIZER:-}" ]; then
	skip bench 'a build that a sanitizer watches is slower, and larger'
	exit
fi

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
	# 12,000 folded stacks of three to a dozen frames, twice with other weights
	awk 'BEGIN {
		for (i = 0; i < 12000; i++) {
			line = "program"
			n = i
			for (depth = 0; depth < 2 + i % 11; depth++) {
				n = (n * 7919 + depth) % 1000003
				line = line ";function_" n % (40 * depth + 3)
			}
			print line "_" i % 5003, i % 37 + 1 >"folded.data"
			print line "_" i % 5003, i % 41 + 1 >"after"
		}
	}'
}
mkdir arm64 && tar -xzf "$data/unwind/arm64/files.tar.gz" -C arm64

# pdtool CAPTURE COMMAND [OPTION...]: a line of the plan, named by the capture and the command.
pdtool() {
	w=$1 command=$2
	shift 2
	printf '%s: %s\t%s\n' "$w" "$command" "$host_pdtool $command $* $w.data"
}
for w in stacks same dwarf tiny; do printf 'floor\t./floor %s.data\n' $w; done >plan
for w in sched block; do printf 'floor\t./floor --walk %s.data\n' $w; done >>plan
{
	pdtool stacks 'collapse -j1' --no-host
	pdtool stacks 'report -j1' --no-host
	pdtool stacks 'flamegraph -j1' --no-host
	pdtool same 'collapse -j1' --no-host
	pdtool dwarf 'collapse -j1' --no-host --symfs arm64
	pdtool sched 'sched latency -j1' --no-host
	pdtool sched 'sched timehist -j1' --no-host
	pdtool sched 'offcpu -j1' --no-host
	pdtool block 'block -j1' --no-host
	pdtool block 'heatmap -j1' --no-host '--events=block_rq_*'
	pdtool tiny info --no-host
	pdtool tiny 'collapse -j1' --no-host --symfs "$data/symfs"
	for command in 'collapse -j1' 'flamegraph -j1'; do pdtool folded "$command"; done
	pdtool folded 'diff -j1' after
} >>plan

cpu=$(awk -F ' *: ' '/^(vendor_id|cpu family|model|CPU implementer|CPU part)\t*:/ && !seen[$1]++ { printf "%s ", $2 }' /proc/cpuinfo)
allowed=1.1
grep -qxF "# CPU: $cpu" "$accepted" || allowed=1.3

# The command, its seconds, the ratio, the peak in MB, what was accepted of both, and "ok", "new", "failed" or "worse".
compare() {
	awk -F '\t' -v OFS='\t' -v allowed=$allowed '
		NR == FNR { was[$1] = $2; was_mb[$1] = $3; next }
		$1 == "floor" { floor += $11; next }
		{
			ratio = $11 / floor
			mb = $9 / 1024
			worse = ratio > was[$1] * allowed || mb > was_mb[$1] * 1.1
			print $1, $11, ratio, mb, was[$1] + 0, was_mb[$1] + 0, $10 != 0 ? "failed" : !was[$1] ? "new" : worse ? "worse" : "ok"
		}' "$accepted" runs
}
try=0
while [ $try -lt $tries ]; do
	captures
	./measure $rounds $rounds 600 <plan >runs || exit 1
	compare >now
	cat now >>all
	[ -n "$accept" ] || grep -q 'worse$' now || break
	try=$((try + 1))
done

if [ -n "$accept" ]; then
	{
		echo '# CPU time of pdtool over that of the floors, and its peak memory in MB, on the small captures of run.sh, which'
		echo '# writes this (--accept).'
		echo "# CPU: $cpu"
		awk -F '\t' '!($1 in ratio) { order[++n] = $1 }
			$3 > ratio[$1] { ratio[$1] = $3 }
			$4 > mb[$1] { mb[$1] = $4 }
			END { for (i = 1; i <= n; i++) printf "%s\t%.3f\t%.1f\n", order[i], ratio[order[i]], mb[order[i]] }' all
	} >"$accepted"
	cat "$accepted"
	exit
fi
[ $allowed = 1.1 ] || echo "    another CPU than that of accepted.txt: $cpu"
while IFS='	' read -r name seconds ratio mb was was_mb verdict; do
	case $verdict in
	ok) ok "$name" ;;
	new) fail "$name" 'no ratio was accepted for it' ;;
	failed) fail "$name" 'the command failed' ;;
	worse) fail "$name" "slower or larger than accepted, in each of $tries measurements" ;;
	esac
	awk "BEGIN { printf \"    %.4f s, ratio %.3f, accepted %.3f%s; %.1f MB, accepted %.1f\n\", $seconds, $ratio, $was,
		$ratio < $was * 0.9 ? \" (better: --accept keeps it so)\" : \"\", $mb, $was_mb }"
done <now
