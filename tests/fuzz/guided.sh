#!/bin/sh
# Let libFuzzer look for inputs that break a command, for FUZZ_SECONDS (600) in sum over all entries, from the corpus on,
# or from the seeds. An entry gets 20 seconds at least, as reading its corpus takes some: where there is not time for all
# of them, lots are drawn. What it finds stays in $build/fuzz/guided; inputs that found new code in $build/fuzz/corpus.
# Usage: guided.sh [ENTRY...]   Needs what `make fuzz-guided` builds.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

. "$top/tests/fuzz/kit.sh"
found=$build/fuzz/guided
guided=$build/guided/tests/fuzz/guided
seconds=${FUZZ_SECONDS:-600}
some=$((seconds < 20 ? 1 : seconds / 20))
names=${*:-$(entry_names | shuf -n "$some")}
seconds=$((seconds / $(echo "$names" | wc -w)))
[ "$seconds" -gt 0 ] || seconds=1
mkdir -p "$found"
failed=0
# With the sanitizers a run takes more memory than without, and more time: not optimised either, sixty times as much.
export FUZZ_MEMORY_MB=700 FUZZ_CPU_SECONDS=60
for name in $names; do
	mkdir -p "$build/fuzz/corpus/$name"
	begin_entry "$name"
	"$guided" -max_total_time="$seconds" -timeout=300 -rss_limit_mb=0 -detect_leaks=0 -close_fd_mask=1 \
		-max_len=1000000 -dict="$top/tests/fuzz/perf.dict" -artifact_prefix="$found/$name-" -print_final_stats=1 \
		"$build/fuzz/corpus/$name" "corpus/$name" >log 2>&1 </dev/null
	if [ $? = 0 ]; then
		ok "$name, $(sed -n 's/^stat::number_of_executed_units: *//p' log) runs"
	else
		fail "$name" "the input is in $found"
		grep -v '^INFO\|^0x\|^#' log | show /dev/stdin
		failed=1
	fi
done
exit $failed
