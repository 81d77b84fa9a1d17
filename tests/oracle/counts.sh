#!/bin/sh
# Captures that other people recorded on other machines: records by type and samples by event, as an independent reader
# counted them (testdata/recorded/foreign/counts.tsv). Malformed ones end, quickly and small.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

foreign=$data/recorded/foreign
for capture in "$foreign"/*.perf.data "$foreign"/*.perf.data.zst; do
	name=$(basename "$capture")
	tail -n +2 "$foreign/counts.tsv" | awk -F '\t' -v n="${name%%-*}" '$1 == n { print $2 "," $3 "," $4 }' | sort >want
	"$pdtool" info --counts --format csv "$capture" 2>err | grep -E '^(record|event),' | sort >got
	same "$name: counts" want got
	# The same, and stacks, under the sanitizers: nothing to report, and all samples of one event in the stacks.
	"$san" info --counts --format csv "$capture" 2>err | grep -E '^(record|event),' | sort >got
	cmp -s want got || { fail "$name: counts, sanitized" 'others'; show err; }
	"$san" collapse "$capture" >folded 2>err
	status=$?
	event=$(awk -F , '$1 == "event" && $3 > 0' want | wc -l)
	samples=$("$pdtool" collapse -q --weight samples "$capture" | awk '{ n += $NF } END { print n + 0 }')
	if [ $status != 0 ]; then
		fail "$name: stacks" "status $status"
		show err
	elif [ "$event" = 1 ]; then
		equal "$name: samples in stacks" "$(awk -F , '$1 == "event" { n += $3 } END { print n }' want)" "$samples"
	else
		[ "$samples" -gt 0 ] && grep -q "^event,.*,$samples\$" want && ok "$name: samples in stacks" ||
			fail "$name: samples in stacks" "$samples, which is no event's count"
	fi
done
equal 'all captures were there' 24 "$(ls "$foreign" | grep -c '\.perf\.data')"

# An arm64 program: the leaves and their weights as the recording machine folded them. The callers need its libc and the
# link register, which perf puts between the first two frames there.
leaves() { awk '{ n = $NF; sub(/ [0-9]+$/, ""); sub(/.*;/, ""); sum[$0] += n } END { for (s in sum) print s, sum[s] }' "$1" | sort; }
"$pdtool" collapse --compat stackcollapse --symfs "$data/symfs" "$foreign"/15-*.zst >folded 2>err
leaves "$foreign/15-aarch64-k6.12-callchain-with-binary.folded" >want
leaves folded >got
same '15: leaves and weights' want got

for file in "$data"/broken/*; do
	cp "$file" "$(basename "$file")"
done
"$build/tests/fuzz/sweep" --whole --keep "$tmp" quipper-* "$foreign"/*.perf.data "$foreign"/*.perf.data.zst
"$build/san/tests/fuzz/sweep" --whole --keep "$tmp" quipper-*
