#!/bin/sh
# Every speed claim in one run: CPU, wall clock and peak memory of pdtool, of the floor (floor.c), and of each peer that is
# installed, on the captures of record.sh; by workload as a table, all of it as CSV, and at last the goals (goals.txt).
#   bench.sh [--no-peers] [--ten-gb] [WORKLOAD...]
#	--no-peers  only pdtool and the floor: the peers take most of the time
#	--ten-gb    memory also over 10 GB of the same stacks
# A workload is a capture of record.sh, or one of folded, pair and flat, which are made of system; the default is all of them.
# Of a workload the commands run in turn, $PDTOOL_BENCH_RUNS times (7), and a command that takes long less often: none is
# begun again after $PDTOOL_BENCH_SECONDS (60) of its own. Least and median of these runs are printed; the CSV is
# $PDTOOL_BENCH_DIR/bench.csv (default build/bench). $PDTOOL is the binary (default build/pdtool), $PDTOOL_BENCH_PERFS the
# perfs (default perf). FlameGraph's scripts and inferno's programs are taken from PATH.
# Relative names are from the project's root.
set -eu
cd "$(dirname "$0")/../.."
here=tests/bench
dir=${PDTOOL_BENCH_DIR:-build/bench}
pdtool=${PDTOOL:-build/pdtool}
runs=${PDTOOL_BENCH_RUNS:-7}
limit=${PDTOOL_BENCH_SECONDS:-60}
perfs=${PDTOOL_BENCH_PERFS:-perf}
peers=1 sizes='80 320 1000'
while :; do
	case ${1:-} in
	--no-peers) peers= ;;
	--ten-gb) sizes="$sizes 10000" ;;
	-*) echo "usage: bench.sh [--no-peers] [--ten-gb] [WORKLOAD...]" >&2; exit 2 ;;
	*) break ;;
	esac
	shift
done
[ $# != 0 ] || set -- system single node python dwarf8 dwarf64 procs modules tiny sched block folded pair flat
[ -x "$pdtool" ] || { echo "bench.sh: $pdtool is not built" >&2; exit 1; }

# row NAME COMMAND...: a command of this workload. The names of ours are those of the command line behind pdtool.
row() { name=$1; shift; printf '%s\t%s\n' "$name" "$*" >>"$tmp/plan"; }
ours() { row "$1" "$pdtool $1 $2"; }
# peer PROGRAM NAME COMMAND...: if the program is there.
peer() {
	[ -n "$peers" ] && command -v "$1" >/dev/null || return 0
	shift
	row "$@"
}
# each_perf NAME ARGUMENTS: with every perf. What it reads must be named last.
each_perf() {
	for perf in $perfs; do
		command -v "$perf" >/dev/null || continue
		peer "$perf" "$("$perf" --version | sed 's/perf version \([0-9]*\.[0-9]*\).*/perf \1/') $1" "$perf $2"
	done
}

# ---- the workloads: $f is the capture ----

# What is written for others, and a store: beside collapse.
written() {
	for to in pprof speedscope firefox chrome perfetto; do
		ours "export --to $to -j1" "-q -o $tmp/written $f"
	done
	row 'store add -j1' ": >$tmp/store; exec $pdtool store add -j1 -q $tmp/store $f"
}
profile() {
	row floor "$tmp/floor $f"
	ours 'collapse -j1' "$1 $f"
	ours 'collapse -j2' "$1 $f"
	ours 'report -j1' "$1 $f"
}
system() {
	profile ''
	ours 'report -j2' "$f"
	ours 'flamegraph -j1' "$f"
	ours 'script -j1' "--compat perf $f"
	ours 'pack -j1' "-q -o $tmp/pack.pd $f"
	written
	each_perf 'script' "script --no-inline -i $f"
	each_perf 'report -g none' "report --no-inline -g none --stdio -i $f"
	each_perf 'report -g folded' "report --no-inline -g folded --stdio -i $f"
	peer stackcollapse-perf.pl 'perf script | stackcollapse-perf.pl' "perf script --no-inline -i $f | stackcollapse-perf.pl"
	peer inferno-collapse-perf 'perf script | inferno' "perf script --no-inline -i $f | inferno-collapse-perf"
}
single() { profile ''; each_perf 'script' "script --no-inline -i $f"; }
node() { profile "--perf-map-dir $dir/$w.maps"; each_perf 'script' "script --no-inline -i $f"; }
python() { node; }
procs() { profile ''; each_perf 'script' "script --no-inline -i $f"; }
modules() { procs; }
dwarf8() {
	row floor "$tmp/floor $f"
	ours 'collapse -j1' "$f"
	ours 'collapse -j1 --no-inline' "$f"
	ours 'collapse -j2' "$f"
	ours 'script -j1' "--compat perf --no-inline $f"
	each_perf 'script' "script --no-inline -i $f"
}
dwarf64() { dwarf8; }
tiny() {
	row floor "$tmp/floor $f"
	ours info "$f"
	ours 'collapse -j1' "$f"
	ours 'collapse -j1 --no-inline' "$f"
	each_perf 'script' "script --no-inline -i $f"
}
sched() {
	facts="$facts events=$("$tmp/floor" --walk "$f" | awk '$1 == "samples" { print $2 / 1e6 }')"
	row walk "$tmp/floor --walk $f"
	row least "$tmp/floor --latency $f"
	ours 'sched latency -j1' "$f"
	ours 'sched timehist -j1' "$f"
	ours 'offcpu -j1' "$f"
	ours 'script -j1' "--compat perf $f"
	ours 'collapse -j1' "$f"
	written
	each_perf 'script' "script -i $f"
	each_perf 'sched latency' "sched latency -i $f"
	each_perf 'sched timehist' "sched timehist -i $f"
}
block() {
	# Time and latency of each I/O, in microseconds, by device and sector: as tutorials write it, with the colons
	# taken out of every line, and for names of tasks without blanks.
	cat >"$tmp/pair.awk" <<-'END'
	{ gsub(/:/, ""); key = $6 }
	$5 ~ /_issue/ { key = key " " $10; begin[key] = $4 }
	$5 ~ /_complete/ {
		key = key " " $9
		if (key in begin) {
			printf "%.0f %.0f\n", $4 * 1e6, ($4 - begin[key]) * 1e6
			delete begin[key]
		}
	}
	END
	row walk "$tmp/floor --walk $f"
	ours 'block -j1' "$f"
	ours 'heatmap -j1' "--events 'block_rq_*' -o $tmp/map.svg $f"
	ours 'script -j1' "--compat perf $f"
	ours 'collapse -j1' "$f"
	written
	each_perf 'script' "script -i $f"
	peer perf 'perf script | awk' "perf script -i $f | awk -f $tmp/pair.awk"
	drawing='trace2heatmap.pl --unitstime=us --unitslabel=us --maxlat=2000'
	peer trace2heatmap.pl 'perf script | awk | trace2heatmap.pl' "perf script -i $f | awk -f $tmp/pair.awk | $drawing"
}
# The stacks of system, and the same with other weights.
folded() {
	a=$tmp/a.folded b=$tmp/b.folded ten=$tmp/ten.folded
	"$pdtool" collapse "$dir/system.data" 2>/dev/null | sed '/^#/d' >"$a"
	awk '{ $NF = int($NF * (80 + NR % 41) / 100) + 1; print }' "$a" >"$b"
	echo "folded text: $(wc -l <"$a") stacks, $(wc -c <"$a") bytes"
	for root in a b c d e f g h i j; do sed "s/^/$root/" "$a"; done >"$ten"
	facts="$facts mb_of_text=$(megabytes "$a") text_seconds=$(text_seconds "$a" 1 4)"
	facts="$facts mb_of_ten=$(megabytes "$ten") ten_seconds=$(text_seconds "$ten" 2 3)"
	ours 'diff -j1' "$a $b"
	ours 'collapse -j1' "$a"
	ours 'flamegraph -j1' "$a"
	peer difffolded.pl difffolded.pl "difffolded.pl $a $b"
	peer flamegraph.pl flamegraph.pl "flamegraph.pl $a"
	peer inferno-diff-folded inferno-diff-folded "inferno-diff-folded $a $b"
	peer inferno-flamegraph inferno-flamegraph "inferno-flamegraph $a"
}
megabytes() {
	awk "BEGIN { print $(wc -c <"$1") / 1e6 }"
}
# What collapse takes to read FILE with JOBS threads and to count: the median, in CPU time with COLUMN 4, by the clock with 3.
text_seconds() {
	for i in $(seq "$runs"); do
		PDTOOL_STAGES=1 "$pdtool" collapse -q "-j$2" "$1" 2>&1 >/dev/null | awk -v c="$3" '$1 == "stage" && $2 == "read" { print $c }'
	done | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}
# Two captures of equal size.
pair() {
	"$tmp/repeat" --first 80 2 "$dir/system.data" "$dir/flat.before"
	"$tmp/repeat" --vary --first 80 2 "$dir/system.data" "$dir/flat.after"
	ours 'diff -j1' "$dir/flat.before $dir/flat.after"
	ours 'diff -j2' "$dir/flat.before $dir/flat.after"
}
# The first 80 MB of system, again and again.
flat() {
	for size in $sizes; do
		"$tmp/repeat" --first 80 $((size / 80)) "$dir/system.data" "$dir/flat.$size"
		row "floor $size MB" "$tmp/floor $dir/flat.$size"
		row "collapse -j1 $size MB" "$pdtool collapse -j1 $dir/flat.$size"
	done
	"$tmp/floor" "$dir/flat.80" >"$tmp/once"
	"$tmp/floor" "$dir/flat.1000" >>"$tmp/once"
	facts="$facts $(awk '$1 == "samples" { n[++i] = $2 }
		END { print "further=" (n[2] - n[1]) / 1e6, "times=" n[2] / n[1] }' "$tmp/once")"
}

# What the stages of collapse -j2 take, of each the least of all runs: by the clock, CPU, and how long one thread worked
# alone: the time by the clock in which the second one did nothing (cli/progress.h).
stages() {
	for i in $(seq "$runs"); do
		PDTOOL_STAGES=1 "$pdtool" collapse -q -j2 "$f" 2>&1 >/dev/null | sed -n 's/^stage	//p'
	done | awk -F '\t' '
		function least(i, value) { if (!((i, $1) in min) || value < min[i, $1]) min[i, $1] = value }
		!($1 in seen) { seen[$1]; order[++n] = $1 }
		{ alone = $2 - ($3 - $4); least(1, $2); least(2, $3); least(3, alone > 0 ? alone : 0) }
		END { for (i = 1; i <= n; i++) { s = order[i]; printf "%s\t%.4f\t%.4f\t%.4f\n", s, min[1, s], min[2, s], min[3, s] } }' >"$tmp/stages"
	echo
	awk -F '\t' 'BEGIN { printf "%-36s %8s %8s %8s\n", "stages of collapse -j2", "wall", "cpu", "alone" }
		{ printf "%-36s %8.3f %8.3f %8.3f\n", $1, $2, $3, $4 }' "$tmp/stages"
	facts="$facts $(awk -F '\t' 'NR == FNR { alone += $4; next } $1 == "collapse -j1" { print "serial_percent=" 100 * alone / $6 }' \
		"$tmp/stages" "$tmp/measured")"
}

# ---- the run ----

# What was measured of this workload, as a table and as CSV; ratios are to the floor, or walk, above the row.
header=workload,command,runs,user_min,user_med,cpu_min,cpu_med,wall_min,wall_med,peak_mb,x_floor_min,x_floor_med,status
report() {
	awk -F '\t' -v w="$w" -v csv="$dir/bench.csv" '
		NR == 1 { printf "%-36s %4s %8s %8s %8s %8s %8s %8s %8s %8s\n", "command", "runs", "user", "cpu", "median",
			"wall", "median", "peak MB", "x floor", "median" }
		/^(floor|walk)/ { floor = $5; floor_median = $6 }
		{
			least = floor > 0 ? sprintf("%.2f", $5 / floor) : ""
			median = floor_median > 0 ? sprintf("%.2f", $6 / floor_median) : ""
			printf "%-36s %4d %8.3f %8.3f %8.3f %8.3f %8.3f %8.1f %8s %8s%s\n", $1, $2, $3, $5, $6, $7, $8, $9 / 1024,
				least, median, $10 == 0 ? "" : "  failed, status " $10
			printf "%s,%s,%s,%s,%s,%s,%s,%s,%s,%.1f,%s,%s,%s\n", w, $1, $2, $3, $4, $5, $6, $7, $8, $9 / 1024,
				least, median, $10 >>csv
			bad = bad || $10 != 0
		}
		END { exit bad }' "$tmp/measured"
}

tmp=$(mktemp -d)
trap 'rm -rf "$tmp" "$dir"/flat.*' EXIT
trap 'exit 1' HUP INT TERM
for program in floor measure repeat; do
	${CC:-cc} -O2 -std=gnu11 "$here/$program.c" -o "$tmp/$program"
done
wanted=
for w in "$@"; do
	case $w in folded | pair | flat) w=system ;; esac
	[ -s "$dir/$w.data" ] || wanted="$wanted $w"
done
# shellcheck disable=SC2086
[ -z "$wanted" ] || PDTOOL_BENCH_DIR=$dir "$here/record.sh" $wanted
echo "$(uname -srm), $(nproc) CPUs, $(awk -F ': ' '/^model name/ { print $2; exit }' /proc/cpuinfo)"
echo "seconds: least of the runs, and their median"
echo "$header" >"$dir/bench.csv"
facts='' failed=''
for w in "$@"; do
	f=$dir/$w.data
	: >"$tmp/plan"
	echo
	case $w in
	folded | pair | flat) echo "$w" ;;
	*)
		[ -s "$f" ] || { echo "$w: not recorded"; continue; }
		walk=--walk
		case $w in sched | block) ;; *) walk= ;; esac
		# shellcheck disable=SC2086
		"$tmp/floor" $walk "$f" | awk -v w="$w" -v size="$(wc -c <"$f")" '
			{ n[$1] = $2 }
			END { printf "%s: %d bytes, %d records, %d samples", w, size, n["records"], n["samples"]
			if (n["unique_chains"]) printf ", %d unique chains of %d bytes, %d unique addresses",
				n["unique_chains"], n["unique_chain_bytes"], n["unique_addresses"]; print "" }'
		;;
	esac
	"$w"
	"$tmp/measure" "$runs" "$((runs * 2))" "$limit" 768 <"$tmp/plan" >"$tmp/measured" 2>"$tmp/err"
	report || failed=1
	cat "$tmp/err"
	[ "$w" != system ] || stages
	rm -f "$dir"/flat.*
done
awk -v facts="$facts" -f "$here/goals.awk" "$here/goals.txt" "$dir/bench.csv"
echo "CSV: $dir/bench.csv"
[ -z "$failed" ]
