#!/bin/sh
# Captures of tracepoints, beside what people run on them: CPU seconds of `sched latency` beside `perf sched latency`, and
# of a block heat map beside `perf script | awk`, and with trace2heatmap.pl behind it where $PDTOOL_TRACE2HEATMAP is its path.
#   traces.sh [--again]		--again: record the captures anew
# The captures are sched.data (over a million events) and block.data (half a million I/Os on a loop device over tmpfs),
# in $PDTOOL_BENCH_DIR (default build/bench); $PDTOOL is the binary (default build/pdtool).
# Needs perf, losetup and leave to trace the whole system (root); says so and does nothing where they are not there.
set -eu
cd "$(dirname "$0")/../.."
dir=${PDTOOL_BENCH_DIR:-build/bench}
pdtool=${PDTOOL:-build/pdtool}
runs=${PDTOOL_BENCH_RUNS:-7}
ram=/dev/shm
again=
[ "${1:-}" = --again ] && again=1
for need in perf losetup chrt taskset dd; do
	command -v $need >/dev/null || { echo "traces.sh: $need is not there: tracepoints are not measured"; exit 0; }
done
[ "$(id -u)" = 0 ] && [ -d $ram ] || { echo "traces.sh: only root may trace: tracepoints are not measured"; exit 0; }

tmp=$(mktemp -d $ram/traces.XXXXXX) pids='' loop=''
# shellcheck disable=SC2086
clean() {
	[ -z "$pids" ] || kill $pids 2>/dev/null || :
	[ -z "$loop" ] || losetup -d "$loop" || :
	rm -rf "$tmp"
}
trap clean EXIT
trap 'exit 1' HUP INT TERM

# An idle CPU can lose records on some virtual machines: none is idle.
spin() {
	cpu=$(($(nproc) - 1))
	while [ $cpu -ge 0 ]; do
		taskset -c $cpu chrt -i 0 sh -c 'while :; do :; done' &
		pids="$pids $!" cpu=$((cpu - 1))
	done
}

# record NAME EVENTS COMMAND...: in memory, or the writing of the capture would be in it.
record() {
	name=$1 events=$2
	shift 2
	perf record -q -a -c1 -m 2048 -e "$events" -o "$tmp/$name" -- "$@" >/dev/null 2>&1
	mv "$tmp/$name" "$dir/$name"
	echo "traces.sh: $name: $(wc -c <"$dir/$name") bytes"
}

# Four readers of the same half gigabyte of nothing, in blocks of 4 KiB.
read_blocks() {
	truncate -s 512M "$tmp/disk"
	loop=$(losetup -f --show "$tmp/disk")
	# shellcheck disable=SC2016
	record block.data block:block_rq_issue,block:block_rq_complete sh -c '
		for i in 0 1 2 3; do
			dd if="$0" of=/dev/null bs=4k iflag=direct count=128000 2>/dev/null &
		done
		wait' "$loop"
	losetup -d "$loop"
	loop=
}

sched=sched:sched_switch,sched:sched_waking,sched:sched_wakeup_new,sched:sched_stat_runtime,sched:sched_migrate_task
mkdir -p "$dir"
if [ ! -s "$dir/sched.data" ] || [ ! -s "$dir/block.data" ] || [ -n "$again" ]; then
	spin
	record sched.data $sched perf bench sched messaging -g 8 -l 5000
	read_blocks
	# shellcheck disable=SC2086
	kill $pids
	wait
	pids=
fi
${CC:-cc} -O2 -std=gnu11 tests/bench/timed.c -o "$tmp/timed"

# measure NAME RUNS COMMAND...: a row, of the run that took the least CPU; sets $cpu and $rss (KiB).
measure() {
	name=$1 n=$2
	shift 2
	while [ "$n" -gt 0 ]; do
		"$tmp/timed" /dev/null "$@" 2>/dev/null || :
		n=$((n - 1))
	done | awk 'NF && (!n++ || $1 + $2 < least) { least = $1 + $2; line = $0 } END { print line }' >"$tmp/best"
	read -r user system wall rss status <"$tmp/best"
	[ "$status" = 0 ] || { echo "$name failed, status $status"; exit 1; }
	cpu=$(awk "BEGIN { printf \"%.3f\", $user + $system }")
	printf '%-40s %8s %8s %9.1f\n' "$name" "$cpu" "$wall" "$(awk "BEGIN { print $rss / 1024 }")"
}

# ratio WHAT A B
ratio() { printf '  %-50s %8s\n' "$1" "$(awk "BEGIN { printf \"%.1f\", $2 / $3 }")"; }

printf '\n%-40s %8s %8s %9s\n' command 'cpu s' 'wall s' 'peak MB'
cat "$dir/sched.data" "$dir/block.data" >/dev/null
measure 'pdtool sched latency -j1' "$runs" "$pdtool" sched latency -j1 "$dir/sched.data"
ours=$cpu ours_rss=$rss
measure 'perf sched latency' 3 perf sched latency -i "$dir/sched.data"
ratio 'perf sched latency / sched latency, CPU' "$cpu" "$ours"
ratio 'the same, peak memory' "$rss" "$ours_rss"

# Time and latency of each I/O, in microseconds, by device and sector: as tutorials write it, with the colons taken out of
# every line, and for names of tasks without blanks.
cat >"$tmp/pair.awk" <<'END'
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
measure 'pdtool heatmap -j1 (SVG)' "$runs" "$pdtool" heatmap -j1 --events 'block_rq_*' -o "$tmp/map.svg" "$dir/block.data"
ours=$cpu
drawing=${PDTOOL_TRACE2HEATMAP:+ | perl "$PDTOOL_TRACE2HEATMAP" --unitstime=us --unitslabel=us --maxlat=2000}
measure "perf script | awk${drawing:+ | trace2heatmap.pl}" 1 \
	sh -c "perf script -i '$dir/block.data' | awk -f '$tmp/pair.awk' $drawing"
ratio "perf script | awk${drawing:+ | trace2heatmap.pl} / heatmap" "$cpu" "$ours"
