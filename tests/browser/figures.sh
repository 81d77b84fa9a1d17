#!/bin/sh
# How long the page of a million samples of 300,000 stacks takes in Chromium, and its memory: the limits are in figures.mjs.
# For `make check-page`. It takes two minutes and wants a quiet machine: of several rounds the best one counts.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
. "$top/tests/browser/modules.sh"
brought 'figures of the page' || exit 0

# 50,000 functions, ten frames of them in a stack, 40 threads, 8 CPUs, ten seconds
cat >large.mkperf <<'END2'
event cycles type=0 config=0 period=1000003 ids=1 sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
let first 0xffffffffc0000000
repeat 40 t {
comm pid=10+$t/4 tid=10+$t comm=worker${$t/4} time=1
}
repeat 50000 n {
ksymbol addr=$first+$n*0x40 len=0x40 name="module_${$n%97}_function_$n" time=1
}
repeat 1000000 i {
let s ($i*7919+$i/300000*$i*$i)%300000
let leaf $first+($s*31+$s/50000*7919+7)%50000*64+4
sample ip=$leaf mode=kernel pid=10+$s%40/4 tid=10+$s%40 time=1000000000+$i*10007+$i*7919%9973 cpu=$i%8 period=1000003+$i%7 \
  chain=[kernel:$leaf,$first+($s*23+$s/50000*131)%50000*64+4,$first+($s%150000*17+3)%50000*64+4,$first+($s%100000*13+5)%50000*64+4,$first+($s%10000*7+11)%50000*64+4,$first+($s%1000+2000)*64+4,$first+($s%200+1000)*64+4,$first+($s%40+500)*64+4,$first+4]
}
END2
"$mkperf" -o large.data large.mkperf 2>err || fail 'mkperf' "$(head -n 1 err)"
"$pdtool" page -q -o large.html large.data 2>err || fail 'the page' "$(head -n 1 err)"
equal 'stacks of it' 300001 "$("$pdtool" collapse -q large.data | wc -l)"
result "its size: $(wc -c <large.html) bytes, of 26214400" "$([ "$(wc -c <large.html)" -gt 26214400 ]; echo $((1 - $?)))"
rm large.data
node "$modules/figures.mjs" "$tmp/large.html" 2>err || fail 'figures of the page' "$(grep -m 1 -E 'Error|exceeded' err)"
