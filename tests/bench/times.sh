#!/bin/sh
# Is pdtool as fast as it was, by the clock of the CPU? Its time over that of the floors and walks (floor.c) of the same
# run, on the small captures, beside what was last accepted: more than 10 % above is a failure. It wants a quiet machine.
#   tests/bench/times.sh            compare with tests/bench/times.txt
#   tests/bench/times.sh --accept   write what comes now, the highest of four measurements, as other load slows the floors more
#                                   than pdtool; with the reason in the commit
# All commands take turns, 30 times; of each counts the time that a tenth of its runs kept below. The divisor is the sum of all
# floors, one for each capture: a single one is milliseconds of copying from the page cache, and 20 % apart from one copy
# of the file to the next. What seems worse is measured again, on new copies, and is worse if it is so each time: no
# load lasts for ever, a slower program does. On a CPU of another kind than that of times.txt 30 % are allowed.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
here=$top/tests/bench
accepted=$here/times.txt
tries=4 rounds=30
accept=${1:-}

if [ "${SANITIZER:-}" ]; then
	skip bench 'a build that a sanitizer watches is slower'
	exit
fi

. "$top/tests/bench/small.sh"
small_programs || exit 1
for w in stacks same dwarf tiny; do printf 'floor\t./floor %s.data\n' $w; done >plan
for w in sched block; do printf 'floor\t./floor --walk %s.data\n' $w; done >>plan
small_plan >>plan

cpu=$(awk -F ' *: ' '/^(vendor_id|cpu family|model|CPU implementer|CPU part)\t*:/ && !seen[$1]++ { printf "%s ", $2 }' /proc/cpuinfo)
allowed=1.1
grep -qxF "# CPU: $cpu" "$accepted" || allowed=1.3

# The command, its seconds, the ratio, what was accepted of it, and "ok", "new", "failed" or "worse".
compare() {
	awk -F '\t' -v OFS='\t' -v allowed=$allowed '
		NR == FNR { was[$1] = $2; next }
		$1 == "floor" { floor += $11; next }
		{
			ratio = $11 / floor
			worse = ratio > was[$1] * allowed
			print $1, $11, ratio, was[$1] + 0, $10 != 0 ? "failed" : !was[$1] ? "new" : worse ? "worse" : "ok"
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
		echo '# CPU time of pdtool over that of the floors, on small captures; times.sh --accept writes this.'
		echo "# CPU: $cpu"
		awk -F '\t' '!($1 in ratio) { order[++n] = $1 }
			$3 > ratio[$1] { ratio[$1] = $3 }
			END { for (i = 1; i <= n; i++) printf "%s\t%.3f\n", order[i], ratio[order[i]] }' all
	} >"$accepted"
	cat "$accepted"
	exit
fi
[ $allowed = 1.1 ] || echo "    another CPU than that of times.txt: $cpu"
while IFS='	' read -r name seconds ratio was verdict; do
	case $verdict in
	ok) ok "$name" ;;
	new) fail "$name" 'no ratio was accepted for it' ;;
	failed) fail "$name" 'the command failed' ;;
	worse) fail "$name" "slower than accepted, in each of $tries measurements" ;;
	esac
	awk "BEGIN { printf \"    %.4f s, ratio %.3f, accepted %.3f%s\\n\", $seconds, $ratio, $was,
		$ratio < $was * 0.9 ? \" (better: --accept keeps it so)\" : \"\" }"
done <now
