#!/bin/sh
# Drawings in a browser: Debian's chromium, headless, driven through playwright-core, which npm brings once into
# build/browser. Skipped, with the reason, where one of them cannot be had. SHOTS=DIR keeps pictures of what was seen.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
. "$top/tests/browser/modules.sh"

brought 'drawings in a browser' || exit 0

draw() { "$pdtool" flamegraph -q -o "$@" || fail "flamegraph -o $*" "status $?"; }

# many STACKS DEPTH: stacks that share nothing, so that the graph has STACKS * DEPTH frames and its root
many() {
	awk -v n="$1" -v depth="$2" 'BEGIN {
		srand(9)
		for (i = 0; i < n; i++) {
			s = "level_0_function_" i
			for (d = 1; d < depth; d++)
				s = s ";level_" d "_function_" (i * 31 + d) % 97
			print s, 1000 + int(300 / (0.02 + rand()))
		}
	}'
}
cat >small.folded <<'END'
a;b 10
a;c;e 20
d;B_[k] 30
z</text><script>window.hacked=1</script>]]>"'&amp$`;q 4
END
printf 'a;b 10 20\na;c 8 5\na;d 3 3\na;gone;deep 7 0\n' >two.folded
printf 'x;f;g 10\ny;f;f;g 5\ny;f;h 20\nz 5\n' >calls.folded
printf 'x;f 20 10\ny;f 10 20\nz 10 10\n' >twocalls.folded
awk 'BEGIN { for (i = 0; i < 100; i++) { s = s (i ? ";" : "") "d" i; print s, 1 } }' >deep.folded
awk 'BEGIN { for (i = 0; i < 99; i++) { s = s (i ? ";" : "") "d" i; print s (i == 98 ? "_[k]" : ""), 1 } }' >kinds.folded
many 50 20 >thousand.folded
many 1000 100 >hundred.folded
many 600 100 >sixty.folded
draw small.svg --title Small small.folded
draw icicle.svg --inverted small.folded
draw two.svg two.folded
for name in calls twocalls deep kinds; do draw $name.svg $name.folded; done
draw thousand.svg thousand.folded
draw sixty.svg sixty.folded
draw hundred.svg hundred.folded
printf 'b\thref=https://example.org/\nd\ttitle=My own\n' >links.attr
draw links.svg --nameattr links.attr small.folded
for name in chart graph; do
	option=
	[ $name = chart ] && option=--flamechart
	draw $name.svg ${option:+"$option"} --buildid-dir "$data/buildid" --kallsyms "$data/recorded/x86_64/kallsyms" \
		--symfs "$data/symfs" "$data/recorded/x86_64/modes/threads2.data"
done
timeline() { "$pdtool" sched timeline -q -o "$@" || fail "timeline -o $*" "status $?"; }
for by in cpu thread; do timeline timeline-$by.svg --by $by "$data/recorded/x86_64/sched/flat.data.zst"; done
# three tasks on one CPU, in milliseconds; and a thousand on eight, with a million switches
switch() {
	echo "sample event=sched:sched_switch time=$1 cpu=$2 pid=$3" \
		"raw=[u16:314,u8:0,u8:0,u32:$3,t16:$4,u32:$3,u32:120,word:$5,t16:$6,u32:$7,u32:120]"
}
waking() {
	echo "sample event=sched:sched_waking time=$1 cpu=0 pid=$2 raw=[u16:310,u8:0,u8:0,u32:$2,t16:$3,u32:$4,u32:120,u32:0]"
}
{
	sed '/^comm pid=10/,$d' "$data/synthetic/sched.mkperf"
	switch 18420001000000 0 0 swapper/0 0 '"<i>]]></script>"' 10
	waking 18420011000000 10 beta 11
	switch 18420021000000 0 10 '"<i>]]></script>"' 1 beta 11
	waking 18420031000000 11 '"<i>]]></script>"' 10
	switch 18420041000000 0 11 beta 2 '"<i>]]></script>"' 10
	waking 18420081000000 10 gamma 12
	switch 18420101000000 0 10 '"<i>]]></script>"' 0 gamma 12
	switch 18420101000500 0 12 gamma 1 swapper/0 0
} >"it's.mkperf"
{
	sed '/^comm pid=10/,$d' "$data/synthetic/sched.mkperf"
	echo 'repeat 1000 r {'
	echo 'repeat 1000 i {'
	# shellcheck disable=SC2016
	switch '1000000000+($r*1000+$i)*60000+($i*$i*7)%40000' '$i%8' '${1000+$i}' 'worker$i' '${($i+$r)%3}' 'worker${($i+8)%1000}' '${1000+($i+8)%1000}'
	printf '}\n}\n'
} >million.mkperf
# 70 us of one command's two threads, 20 us of another's, 10 us of nobody, a thousand times
{
	sed '/^comm pid=10/,$d' "$data/synthetic/sched.mkperf"
	echo 'repeat 1000 i {'
	# shellcheck disable=SC2016
	{
		switch '18420000000000+$i*100000' 0 0 swapper/0 0 worker 20
		switch '18420000040000+$i*100000' 0 20 worker 1 worker 21
		switch '18420000070000+$i*100000' 0 21 worker 1 tool 22
		switch '18420000090000+$i*100000' 0 22 tool 1 swapper/0 0
	}
	echo '}'
	switch 18420100000000 0 0 swapper/0 0 worker 20
} >mixed.mkperf
for name in "it's" mixed million; do "$mkperf" -o "$name.data" "$name.mkperf" || fail "mkperf $name" "status $?"; done
for by in cpu thread; do
	timeline small-$by.svg --by $by "it's.data"
	timeline million-$by.svg --by $by --spans 0 million.data
done
timeline mixed.svg --by cpu mixed.data
rm million.data
if command -v xmllint >/dev/null; then
	for file in *.svg; do
		xmllint --noout --huge "$file" 2>err
		result "$file is well-formed" $? "$(head -n 1 err)"
	done
fi
node "$modules/drive.mjs" "$tmp" "${SHOTS:-}" 2>err || fail 'the browser' "$(grep -m 1 Error err)"
node "$modules/timeline.mjs" "$tmp" "${SHOTS:-}" 2>err || fail 'timelines in the browser' "$(grep -m 1 Error err)"
map() { # NAME COMMAND...
	name=$1
	shift
	"$pdtool" "$@" -q --format svg --no-host -o "$name.svg" || fail "$*" "status $?"
}
recorded=$data/recorded/x86_64
map lines heatmap --percentiles 50,99 --step 10ms "$recorded/block/q1.data.zst"
map areas abstime --step 100ms "$recorded/diff_pair/slow1.data.zst"
map bars report "$recorded/damaged/killedz.data"
map sides abstime "$recorded/diff_pair/base1.data.zst" "$recorded/diff_pair/slow1.data.zst"
map flame flamegraph "$recorded/damaged/killedz.data"
map differential diff "$recorded/diff_pair/base1.data.zst" "$recorded/diff_pair/slow1.data.zst"
node "$modules/grids.mjs" "$tmp" lines.svg areas.svg bars.svg sides.svg flame.svg differential.svg 2>err || fail 'heat maps, areas and bars in the browser' "$(grep -m 1 Error err)"
