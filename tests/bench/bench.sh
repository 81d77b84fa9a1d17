#!/bin/sh
# Every speed claim in one run: CPU seconds, wall clock and peak memory of pdtool, of the floor (floor.c: the least work
# that counts call chains) and of perf, on the captures of record.sh.
#   bench.sh [--quick | --tenfold] [CAPTURE...]
#	--quick     without perf, which takes minutes
#	--tenfold   also each capture ten times over, for memory: needs ten times the room, for a while
# Without a CAPTURE and with perf, traces.sh measures what is made of tracepoints, too.
# The captures are in $PDTOOL_BENCH_DIR (default build/bench); $PDTOOL is the binary (default build/pdtool).
# Relative names are from the project's root.
set -eu
cd "$(dirname "$0")/../.."
here=tests/bench
dir=${PDTOOL_BENCH_DIR:-build/bench}
pdtool=${PDTOOL:-build/pdtool}
runs=${PDTOOL_BENCH_RUNS:-7}
peers=1 tenfold=
case ${1:-} in
--quick) peers=; shift ;;
--tenfold) tenfold=1; shift ;;
-*) echo "usage: bench.sh [--quick | --tenfold] [CAPTURE...]" >&2; exit 2 ;;
esac

calc() { awk "BEGIN { printf \"$1\", $2 }"; }

# measure NAME RUNS COMMAND...: a row of the table, of the run that took the least CPU; sets $cpu, $wall and $rss (KiB).
measure() {
	name=$1 n=$2 best=
	shift 2
	while [ "$n" -gt 0 ]; do
		line=$("$tmp/timed" /dev/null "$@" 2>"$tmp/err") || exit 1
		best=$(printf '%s\n%s\n' "$best" "$line" | awk 'NF && (!n++ || $1 + $2 < least) { least = $1 + $2; l = $0 } END { print l }')
		n=$((n - 1))
	done
	# shellcheck disable=SC2086
	set -- $best
	cpu=$(calc %.3f "$1 + $2") wall=$3 rss=$4
	if [ "$5" != 0 ]; then
		printf '%-26s failed, status %s: %s\n' "$name" "$5" "$(tail -n 1 "$tmp/err")"
		cpu= failed=1
		return
	fi
	printf '%-26s %9s %8s %8s %9s %9s %10s\n' "$name" "$1" "$2" "$cpu" "$3" "$(calc %.1f "$rss / 1024")" \
		"$(calc %.2f "$cpu / ${floor:-$cpu}")"
}

# ratio WHAT A B
ratio() {
	[ -n "$2" ] && [ -n "$3" ] && printf '  %-40s %8s\n' "$1" "$(calc %.2f "$2 / ($3 + 1e-9)")" || :
}

total() { awk -v k="$1" '$1 == k { print $2 }' "$tmp/totals"; }

# Is the last peak within 64 MB and twice the unique chains?
within() {
	[ -n "$cpu" ] || return 0
	verdict=ok
	[ "$rss" -le $((limit / 1024)) ] || verdict='TOO MUCH' failed=1
	printf '  %-40s %8s of %s MB: %s\n' "$1" "$(calc %.1f "$rss / 1024")" "$(calc %.1f "$limit / 1048576")" "$verdict"
}

bench() {
	file=$1 floor= script= report= folded= j1= j2= pack_cpu= pack= pack_bytes= j2_wall=
	"$tmp/floor" "$file" >"$tmp/totals"
	limit=$((64 * 1048576 + 2 * $(total unique_chain_bytes)))
	echo
	echo "$(basename "$file"): $(wc -c <"$file") bytes, $(total samples) samples," \
		"$(total unique_chains) unique chains of $(total unique_chain_bytes) bytes"
	printf '%-26s %9s %8s %8s %9s %9s %10s\n' command 'user s' 'sys s' 'cpu s' 'wall s' 'peak MB' 'x floor'
	measure floor "$runs" "$tmp/floor" "$file"
	floor=$cpu
	if [ -x "$pdtool" ]; then
		measure 'pdtool collapse -j2' "$runs" "$pdtool" collapse -j2 "$file"
		j2=$cpu j2_wall=$wall
		measure 'pdtool collapse -j1' "$runs" "$pdtool" collapse -j1 "$file"
		j1=$cpu j1_rss=$rss
		measure 'pdtool pack -j2' "$runs" "$pdtool" pack -q -j2 -o "$tmp/pack.pd" "$file"
		pack=$wall
		measure 'pdtool pack -j1' "$runs" "$pdtool" pack -q -j1 -o "$tmp/pack.pd" "$file"
		pack_cpu=$cpu pack_bytes=$(wc -c <"$tmp/pack.pd") cpu=$j1 rss=$j1_rss
	else
		echo "pdtool: $pdtool is not built"
		cpu=
	fi
	if [ -n "$peers" ] && command -v perf >/dev/null; then
		pd_cpu=$cpu pd_rss=$rss
		measure 'perf script' 1 perf script --no-inline -i "$file"
		script=$cpu
		measure 'perf report, no chains' 1 perf report --no-call-graph --stdio -i "$file"
		report=$cpu
		measure 'perf report -g folded' 1 perf report -g folded --stdio -i "$file"
		folded=$cpu cpu=$pd_cpu rss=$pd_rss
	fi
	ratio 'collapse -j1 / floor' "$j1" "$floor"
	ratio 'collapse -j2 / floor' "$j2" "$floor"
	ratio 'pack -j1 / collapse -j1' "$pack_cpu" "$j1"
	ratio 'pack -j2 / collapse -j2, wall clock' "$pack" "$j2_wall"
	ratio 'size of the pack / of the capture' "$pack_bytes" "$(wc -c <"$file")"
	ratio 'perf script / collapse -j1' "$script" "$j1"
	ratio 'perf report, no chains / collapse -j1' "$report" "$j1"
	ratio 'perf report -g folded / collapse -j1' "$folded" "$j1"
	ratio 'perf script / floor' "$script" "$floor"
	within 'peak memory, collapse -j1'
	[ -z "$tenfold" ] || [ ! -x "$pdtool" ] || ten_times "$file"
}

ten_times() {
	"$tmp/tenfold" "$1" "$dir/tenfold.data"
	measure 'collapse -j1, ten times' 1 "$pdtool" collapse -j1 "$dir/tenfold.data"
	rm "$dir/tenfold.data"
	within 'peak memory, ten times over'
	ratio 'peak, ten times over / once' "$rss" "$j1_rss"
}

failed='' traces=
tmp=$(mktemp -d)
trap 'rm -rf "$tmp" "$dir/tenfold.data"' EXIT
for program in floor timed tenfold; do
	${CC:-cc} -O2 -std=gnu11 "$here/$program.c" -o "$tmp/$program"
done
if [ $# = 0 ]; then
	PDTOOL_BENCH_DIR=$dir "$here/record.sh"
	set -- "$dir/system.data" "$dir/single.data"
	traces=$peers
fi
echo "$(uname -srm), $(nproc) CPUs, $(awk -F ': ' '/^model name/ { print $2; exit }' /proc/cpuinfo); least CPU of $runs runs"
for capture in "$@"; do
	cat "$capture" >/dev/null
	bench "$capture"
done
[ -z "$traces" ] || PDTOOL_BENCH_DIR=$dir PDTOOL=$pdtool "$here/traces.sh" || failed=1
[ -z "$failed" ]
