#!/bin/sh
# The long campaign: the whole sweeps, then changes at random for FUZZ_SECONDS (600). Failing inputs stay in $build/fuzz:
# what is worth it goes to testdata/broken.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

. "$top/tests/fuzz/captures.sh"
plain=$build/tests/fuzz/sweep
sanitized=$build/san/tests/fuzz/sweep
failed=0
for file in "$data"/recorded/foreign/*.perf.data.zst "$data"/recorded/x86_64/*/*.data.zst; do
	zstd -q -dc "$file" >"$(basename "$file" .zst)"
done
cp "$data"/recorded/foreign/*.perf.data "$data"/recorded/x86_64/damaged/*.data .
"$sanitized" --keep "$keep" --cut 1 order.*.data basic.*.data allrecords.*.data tracepoints.*.data || failed=1
"$sanitized" --keep "$keep" --cut 1 --pipe order.pipe.plain.data allrecords.pipe.zstd.data || failed=1
"$sanitized" --keep "$keep" --flip 600 --spread 0 order.*.data ids.*.data basic.*.data || failed=1
"$plain" --keep "$keep" --flip 200 --spread 5000 ./[0-9]*.perf.data killed*.data || failed=1
"$plain" --keep "$keep" --random "${FUZZ_SECONDS:-600}" ./*.data "$data"/broken/* || failed=1
"$sanitized" --keep "$keep" --random "${FUZZ_SECONDS:-600}" ./*.data "$data"/broken/* || failed=1
. "$top/tests/fuzz/files.sh"
damaged "$plain" 3000 "$(date +%s)" || failed=1
damaged "$sanitized" 1500 "$(date +%s)" || failed=1
. "$top/tests/fuzz/archives.sh"
"$sanitized" --keep "$keep" --random "${FUZZ_SECONDS:-600}" --command "report --symbols @ symbols.data" perf.tar* all.tar || failed=1
exit $failed
