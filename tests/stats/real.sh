#!/bin/sh
# The gate and the certainty of `pdtool diff`, and the intervals of `pdtool abstime`, where nothing changed, on runs of
# real programs that are recorded here and now, in turn: gcc, python3, xz -T2. 60 comparisons each of one, three and five
# runs a side, drawn from all runs.
#   real.sh [RUNS]	runs of each program, default 24
# Needs perf and these programs; takes a few minutes. $PDTOOL is the binary (default build/pdtool), the runs are kept in
# $PDTOOL_STATS_DIR (default build/stats) and used again if they are there.
set -eu
cd "$(dirname "$0")/../.."
runs=${1:-24} draws=60
pdtool=${PDTOOL:-build/pdtool}
dir=${PDTOOL_STATS_DIR:-build/stats}
mkdir -p "$dir"

# ---- the programs ----

awk 'BEGIN {
	srand(7)
	for (i = 0; i < 260; i++) {
		printf "static int f%d(int a,int b,int*p){int s=%d;for(int i=0;i<a;i++){s+=p[i]*b;", i, i
		printf "if(s&%d)s^=p[(i*%d)%%a];else s-=b/(%d+i);", 1 + int(rand() * 63), 3 + int(rand() * 16), 1 + int(rand() * 8)
		printf "switch(s%%%d){case 0:s+=1;break;case 1:s*=3;break;default:s^=p[0];}}return s;}\n", 3 + int(rand() * 6)
	}
	printf "int all(int a,int b,int*p){int s=0;"
	for (i = 0; i < 260; i++)
		printf "s+=f%d(a,b+%d,p);", i, i
	print "return s;}"
}' >"$dir/work.c"
awk 'BEGIN {
	srand(3)
	for (i = 0; i < 5000; i++)
		for (n = 2 + int(rand() * 7); n > 0; n--)
			word[i] = word[i] sprintf("%c", 97 + int(rand() * 26))
	for (size = 0; size < 11000000; size += length(line) + 1) {
		line = ""
		for (k = 0; k < 12; k++)
			line = line " " word[int(rand() * 5000)]
		print line
	}
}' >"$dir/words"
cat >"$dir/work.py" <<'END'
import json, random, re
r = random.Random(3)
tree = {}
for _ in range(60000):
    node = tree
    for digit in str(r.randrange(10000)):
        node = node.setdefault(digit, {})
sieve = bytearray([1]) * 2000000
for i in range(2, 1415):
    if sieve[i]:
        sieve[i * i::i] = bytes(len(range(i * i, len(sieve), i)))
rows = [{"a": i, "b": [r.random() for _ in range(8)], "c": str(i) * 3} for i in range(6000)]
for _ in range(2):
    json.loads(json.dumps(rows))
text = " ".join(str(r.random()) for _ in range(20000))
for _ in range(3):
    re.findall(r"0\.(\d+)5 ", text)
values = [r.random() for _ in range(150000)]
sorted(values, key=lambda v: -v)
END

record() {
	[ -s "$dir/$1" ] && return
	out=$dir/$1
	shift
	perf record -q -F 999 -g -e task-clock -o "$dir/perf.data" "$@" >"$dir/out" 2>&1
	"$pdtool" collapse -q "$dir/perf.data" >"$out.new"
	mv "$out.new" "$out"
}
i=1
while [ "$i" -le "$runs" ]; do
	record "gcc.$i" gcc -O2 -c "$dir/work.c" -o /dev/null
	record "python.$i" python3 "$dir/work.py"
	record "xz.$i" xz -T2 -1 -k -c "$dir/words"
	i=$((i + 1))
done

# ---- comparisons ----

# Which runs are compared: N before and N after in each line.
draw() {
	awk -v n="$1" -v runs="$runs" -v draws="$draws" 'BEGIN {
		srand(n)
		for (d = 0; d < draws; d++) {
			for (i = 1; i <= runs; i++)
				order[i] = i
			line = ""
			for (i = 1; i <= 2 * n; i++) {
				k = i + int(rand() * (runs - i + 1))
				t = order[i]; order[i] = order[k]; order[k] = t
				line = line " " order[i]
			}
			print line
		}
	}'
}

# results OTHER: of the table of a comparison, quoted, a line: rows that are sure, with an interval, with one that
# covers no change, and OTHER.
results() {
	sed 's/"[^"]*"/quoted/g' "$dir/quoted" | # names with commas
		awk -F , -v other="$1" '
			NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			{
				sure += at["certainty"] && $(at["certainty"]) == "sure"
				low = $(at["ratio_low"]); high = $(at["ratio_high"])
				if (low != "") { rows++; covered += low <= 1 && high >= 1 }
			}
			END { print (sure > 0), rows + 0, covered + 0, other }'
}

failed=0
hold() { # NAME VALUE LIMIT: at most, or with a minus sign at least
	if awk "BEGIN { exit !($3 < 0 ? $2 >= -($3) : $2 <= $3) }"; then word=ok; else word=FAIL failed=1; fi
	echo "$word $1: $2"
}

for program in gcc python xz; do
	for n in 1 3 5; do
		draw "$n" >"$dir/draws"
		: >"$dir/results" && : >"$dir/times"
		while read -r line; do
			before= after= k=0
			for run in $line; do
				k=$((k + 1))
				if [ "$k" -le "$n" ]; then before="$before $dir/$program.$run"; else after="$after $dir/$program.$run"; fi
			done
			status=0
			# shellcheck disable=SC2086
			"$pdtool" diff -q --format csv --fail-over 5% --before $before --after $after >"$dir/quoted" || status=$?
			results "$status" >>"$dir/results"
			# shellcheck disable=SC2086
			"$pdtool" abstime -q --format csv --before $before --after $after >"$dir/quoted" || exit 1
			results 0 >>"$dir/times"
		done <"$dir/draws"
		# shellcheck disable=SC2046
		set -- $(awk '{ s += $1; r += $2; c += $3; g += $4 == 4; o += $4 != 0 && $4 != 4 }
			END { printf "%.1f %.1f %.1f %d", 100 * s / NR, 100 * g / NR, 100 * c / r, o }' "$dir/results") \
			"$(awk '{ r += $2; c += $3 } END { printf "%.1f", 100 * c / r }' "$dir/times")"
		hold "$program, $n a side: any row sure, %" "$1" "$([ "$n" = 1 ] && echo 0 || echo 5)"
		hold "$program, $n a side: the gate fails, %" "$2" 5
		hold "$program, $n a side: intervals that cover, %" "$3" "$([ "$n" = 1 ] && echo -88 || echo -93)"
		hold "$program, $n a side: intervals of abstime that cover, %" "$5" "$([ "$n" = 1 ] && echo -88 || echo -93)"
		hold "$program, $n a side: comparisons that ended otherwise" "$4" 0
	done
done
exit "$failed"
