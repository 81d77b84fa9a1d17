#!/bin/sh
# `page` in browsers: Debian's chromium and firefox-esr, headless, driven through playwright-core and puppeteer-core, looked at
# by axe-core, all from npm (modules.sh). What cannot be had is skipped, with the reason.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
. "$top/tests/browser/modules.sh"
. "$top/tests/lib/blockcap.sh"
brought 'the page in a browser' || exit 0

recorded=$data/recorded/x86_64
# made LIST NAME FILE [FILE]: NAME.html
made() {
	"$pdtool" page -q -o "$2.html" "$3" ${4:+"$4"} 2>err || fail "page of $2" "$(head -n 1 err)"
	echo "$2 $3 ${4:-}" >>"$1"
}
made compared slow1 "$recorded/diff_pair/slow1.data.zst"
made compared mixed "$data/recorded/script/mixed.data.zst"
made compared sched "$recorded/sched/flat.data.zst"
made compared block "$recorded/block/q1.data.zst"
made compared killed "$recorded/damaged/killedz.data"
made two two "$recorded/diff_pair/base1.data.zst" "$recorded/diff_pair/slow1.data.zst"
made two systems "$data/recorded/foreign/13-aarch64-k6.12-callchain-diff-old.perf.data.zst" "$data/recorded/foreign/14-aarch64-k6.12-callchain-diff-new.perf.data.zst"

for name in sched/nospin sched/sw_wakeup sched/switchev multi_event/multi; do
	made beside ${name#*/} "$recorded/$name.data.zst"
done
made beside calls "$data/recorded/script/block.data.zst"
for part in 0%-40% 30%-70%; do
	"$pdtool" cut -q --time $part -o part${part%%%*}.data "$recorded/block/q1.data.zst" >/dev/null
	made beside part${part%%%*} part${part%%%*}.data
done
blockcap requests <<'END'
1000 rq_insert      254:0 2000 8 W pid=7 comm=first
1100 bio_frontmerge 254:0 1992 8 W pid=8 comm=second
3000 rq_issue       254:0 1992 24 W
9000 rq_complete    254:0 1992 24 W
11000 rq_issue      254:16 4096 8 R pid=5 comm=reader
12000 rq_requeue    254:16 4096 8 R
14000 rq_issue      254:16 4096 8 R
15000 rq_complete   254:16 4096 8 R error=-5
17000 rq_issue      254:0 8192 16 WS pid=6 comm=starter
20000 rq_complete   254:0 8192 8 WS
21000 rq_complete   254:0 8200 8 WS
END
made beside requests requests

# What is hostile in it: commands, symbols, files, events, cgroups, the host and the command line.
bad='</script><img src=x onerror=window.hacked=1>\"'"'"'&<b>'
cat >hostile.mkperf <<END
host "$bad"
cmdline perf "$bad" "<script>window.hacked=2</script>"
event "e$bad" type=1 config=0 period=7 ids=1 sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD|ID sample_id_all
event "javascript:window.hacked=3" type=1 config=2 period=1 ids=2 sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD|ID
cgroup cgroup=5 path="/$bad" time=1
comm pid=1 tid=1 comm="<b>$(printf %s '</b>')" time=1
comm pid=2 tid=2 comm="=1+<i>" time=1
comm pid=3 tid=3 comm="a\\n\\x1b[31m" time=1
mmap pid=1 tid=1 addr=0x1000 len=0x1000 pgoff=0 file="/x/$bad.so" time=1
mmap pid=2 tid=2 addr=0x1000 len=0x1000 pgoff=0 file="/x/<!--<script>window.hacked=4;//" time=1
ksymbol addr=0xffffffffc0001000 len=0x100 name="bpf$bad" time=1
ksymbol addr=0xffffffffc0002000 len=0x100 name="<svg onload=window.hacked=5>" time=1
ksymbol addr=0xffffffffc0003000 len=0x100 name="w$(printf 'W%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40)$(printf 'x%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40)" time=1
repeat 60 i {
sample ip=0xffffffffc0001010 pid=1 tid=1 time=1000000+\$i*50000 cpu=\$i%2 period=7 chain=[kernel:0xffffffffc0001010,0xffffffffc0002010,0xffffffffc0003010,user:0x1010,0x1020]
sample event="javascript:window.hacked=3" ip=0x1010 pid=2 tid=2 time=1010000+\$i*50000 cpu=0 period=3 chain=[user:0x1010,0x1020]
sample ip=0xffffffffc0002010 pid=3 tid=3 time=1020000+\$i*50000 cpu=1 period=3 chain=[kernel:0xffffffffc0002010]
}
END
# no times; a single sample; nine CPUs and ten events; only an idle machine
cat >timeless.mkperf <<'END'
event cycles type=0 config=0 period=7 ids=1 sample_type=IP|TID|CALLCHAIN
comm pid=1 tid=1 comm=app
mmap pid=1 tid=1 addr=0x1000 len=0x1000 pgoff=0 file=/x/app
sample ip=0x1010 pid=1 tid=1 chain=[user:0x1010,0x1020]
sample ip=0x1030 pid=1 tid=1 chain=[user:0x1030,0x1020]
END
cat >single.mkperf <<'END'
event cycles type=0 config=0 period=7 ids=1 sample_type=IP|TID|TIME|CPU|PERIOD
comm pid=1 tid=1 comm=app time=1
sample ip=0x1010 pid=1 tid=1 time=1000000 cpu=0 period=7
END
{
	echo 'repeat 10 i {'
	# shellcheck disable=SC2016
	echo 'event "event$i" type=1 config=$i period=7 ids=${$i+1} sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD|ID'
	echo '}'
	echo 'mmap pid=1 tid=1 addr=0x1000 len=0x1000 pgoff=0 file=/x/app time=1'
	echo 'repeat 900 i {'
	# shellcheck disable=SC2016
	echo 'sample event="event${$i%10}" ip=0x1000+$i pid=1 tid=${1+$i%12} time=1000000+$i*100000 cpu=$i%9 period=7 chain=[user:0x1010,${4096+$i%50}]'
	echo '}'
} >ten.mkperf
cat >idle.mkperf <<'END'
event cycles type=0 config=0 period=7 ids=1 sample_type=IP|TID|TIME|CPU|PERIOD
sample ip=0xffffffff81000010 pid=0 tid=0 time=1000000 cpu=0 period=7
sample ip=0xffffffff81000010 pid=0 tid=0 time=3000000 cpu=1 period=7
END
for name in hostile timeless single ten idle; do
	"$mkperf" -o $name.data $name.mkperf 2>err || fail "mkperf $name" "$(head -n 1 err)"
done
zstd -dqc "$recorded/sched/flat.data.zst" >whole.data
head -c $(($(wc -c <whole.data) / 2)) whole.data >cut.data
made hostile hostile hostile.data
for name in timeless single ten idle cut; do made odd $name $name.data; done
made odd killed "$recorded/damaged/killedz.data"
made odd sched "$recorded/sched/flat.data.zst"
made odd block "$recorded/block/q1.data.zst"
made odd foreign "$data/recorded/foreign/12-x86_64-k6.3-sched_switch+user_events.perf.data.zst"
made odd phone "$data/recorded/foreign/21-simpleperf-aarch64-k4.4-trace_offcpu.perf.data.zst"

node "$modules/page.mjs" "$tmp" "$pdtool" 2>err || fail 'the page in chromium' "$(grep -m 1 -A 9 -E 'Error|exceeded' err | tr '\n' ' ')"
if command -v xmllint >/dev/null; then
	for file in hostile-*.svg; do
		xmllint --noout "$file" 2>err
		result "$file is well-formed" $? "$(head -n 1 err)"
		equal "$file has no script" 0 "$(xmllint --xpath 'count(//*[local-name()="script" or @*[starts-with(local-name(), "on")]])' "$file")"
	done
else
	skip 'SVG of hostile names' 'no xmllint'
fi
if ! command -v firefox-esr >/dev/null; then
	skip 'the page in firefox' 'no firefox-esr'
else
	node "$modules/page_firefox.mjs" "$tmp" "$pdtool" "$recorded/diff_pair/slow1.data.zst" 2>err || fail 'the page in firefox' "$(grep -m 1 -E 'Error|exceeded' err)"
fi
