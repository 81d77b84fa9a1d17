#!/bin/sh
# --filter: the expression of perf record's --filter over the fields of tracepoints, in every command that reads them.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
. "$top/tests/lib/blockcap.sh"

# ---- expressions: 12 events, n from 0 to 11, s = n - 6, low = 16 bits of s, name = "task3" or "idle" by turns ----

{
	echo 'tracepoint toy:e id=500 fields="u32 n;long s;u16 low;u16 pad;u32 pad2;char name[8];__data_loc char[] more;u8 key[4]" print="\"\""'
	echo 'tracepoint toy:other id=501 fields="u32 m" print="\"\""'
	echo 'event toy:e type=tracepoint config=500 period=1 ids=1 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW'
	echo 'event toy:other type=tracepoint config=501 period=1 ids=2 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW'
	echo 'event cpu-clock type=software config=0 period=1 ids=3 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD'
	echo 'comm pid=7 tid=7 comm=seven time=1 cpu=0'
	for n in 0 1 2 3 4 5 6 7 8 9 10 11; do
		name=idle
		[ $((n % 2)) = 1 ] && name=task$n
		echo "sample event=toy:e pid=7 tid=7 time=$((n + 10)) cpu=$((n % 3)) raw=[u16:500,u8:0,u8:0,u32:7,u32:$n,zero:4,word:$((n - 6)),u16:$((n - 6)),u16:0,u32:0,t8:$name,u32:(4<<16|48),01020304,z:abc]"
	done
	echo 'sample event=toy:other pid=8 tid=9 time=30 cpu=0 raw=[u16:501,u8:0,u8:0,u32:7,u32:5]'
	echo 'sample event=cpu-clock pid=8 tid=9 time=31 cpu=0'
} >toy.mkperf
for form in '--endian little' '--endian big' '--mode pipe --zstd'; do
	# shellcheck disable=SC2086
	"$mkperf" $form -o toy toy.mkperf || fail mkperf "$form"
	while IFS='|' read -r wanted expression; do
		expression=$(echo "$expression" | tr '_' '|')
		got=$("$pdtool" report -q --allow-empty -s event --format csv --header --filter "$expression" toy 2>err | sed -n 's/^# samples: \([0-9]*\) used of 14/\1/p')
		equal "$expression, $form" "$wanted" "$got"
	done <<-'END'
		1|n == 3
		11|n != 3
		3|n < 3
		4|n<=3
		8|n > 3
		9|n >= 3
		1|n == 0x0b
		6|n & 1
		6|n & 0x1
		6|s < 0
		1|s == -1
		5|s > 0
		1|low == -1
		6|low > 100
		6|name == idle
		6|name == "idle"
		6|name != 'idle'
		6|name ~ "task*"
		1|name ~ task[57] && n < 7
		6|name !~ "task*"
		12|more == abc
		4|CPU == 1
		12|pid == 7
		12|comm ~ "s*n"
		13|pid == 7 __ m == 5
		1|tid == 9 && m == 5
		5|n == 1 __ n == 2 && s == -4 __ n > 8
		2|(n == 1 __ n == 2) && s < 0
		3|(n == 1 __ n == 2 __ ((n == 3))) && !(s >= 0)
		10|!(n == 1 __ n == 2)
		11|!n == 1
		0|!m == 1 && n == 1
		1|!(m == 1)
		0|n == 1 && n == 2
	END
done
# refused EXPRESSION WORDS
refused() {
	"$pdtool" report -q --filter "$1" toy >out 2>err
	equal "refused: $1" "${3:-2} 1 0" "$? $(grep -c '' err) $(wc -c <out)"
	grep -qF -e "$2" err && ok "refused: $1: the line" || { fail "refused: $1: the line" "$2"; show err; }
}
refused 'n' 'expected == != < <= > >= & ~ or !~ at "the end"'
refused 'n =' 'expected =='
refused '' 'expected the name of a field at "the end"'
refused 'n == ' 'expected a value at "the end"'
refused 'n == 1 && ' 'expected the name of a field at "the end"'
refused 'n == 1 n == 2' 'expected && or || at "n == 2"'
refused '(n == 1' 'expected the closing )'
refused 'n == 1)' 'expected the opening ('
refused 'name == "idle' 'expected a text with its closing quote'
refused 'n < idle' 'expected a number'
refused "$(printf '(%.0s' $(seq 300))n == 1" 'expected a shorter expression'
refused "n == 1$(printf ' && n == 1%.0s' $(seq 64))" 'expected fewer comparisons'
refused 'nn == 1' "no event has a field 'nn' (toy:e has common_type common_flags" 1
refused 'n == 12' "--filter 'n == 12': no event has such values" 1
refused 'n ~ "1*"' 'n of toy:e cannot be compared so'
refused 'name & 1' 'name of toy:e cannot be compared so'
refused 'key == 1' 'key of toy:e cannot be compared so'

# ---- clocks ----

calls=$data/recorded/x86_64/calls/all.data.zst
# CLOCK_DATA: the wall clock less the capture's
shift=$("$pdtool" heatmap -q --preset syscall --format json "$calls" | sed -n 's/.*"wall_ns":\([0-9]*\).*/\1/p' | head -n 1)
"$pdtool" heatmap -q --preset syscall --step 1ms --format csv "$calls" | awk -F , -v shift="$shift" 'NR > 1 { print $1, $2, $3, $4 }' |
	while read -r time rest; do echo "$((time + shift)) $rest"; done >wanted
"$pdtool" heatmap -q --preset syscall --step 1ms --format csv --clock wall "$calls" | sed 1d | tr , ' ' >got
same 'a heat map by the wall clock' wanted got
equal 'its column' wall_ns "$("$pdtool" heatmap -q --preset syscall --format csv --clock wall "$calls" | head -n 1 | cut -d , -f 1)"
equal 'a drawing by the capture' 0 "$("$pdtool" heatmap -q --preset syscall --format text --clock capture "$calls" | grep -c 'time of day')"
{
	cat "$data/synthetic/sched.mkperf"
	echo 'clock_data clockid=1 wall=1700000000000000000 clock=1000'
} >wall.mkperf
"$mkperf" -o wall wall.mkperf || fail mkperf wall
"$pdtool" sched latency --each --format csv -q wall | awk -F , 'NR == 1 { print "tid,cpu,cause,start,end,wait_ns,comm" }
	NR > 1 { printf "%s,%s,%s,2023-11-14T22:13:20.%09dZ,2023-11-14T22:13:20.%09dZ,%s,%s\n", $1, $2, $3, $4 - 1000, $5 - 1000, $6, $7 }' >wanted
"$pdtool" sched latency --each --clock wall --format csv -q wall >got
same 'waits by the wall clock' wanted got
"$pdtool" sched latency --each --clock wall --sort start --header --format csv -q wall >got
equal 'facts by the wall clock' 1 "$(grep -c '^# sampled: .* from 2023-11-14T22:13:20.0000000[0-9]*Z to 2023-11-14T22:13:20.0000[0-9]*Z$' got)"
equal 'a time of day' "$("$pdtool" sched latency --each --format csv -q wall | awk -F , '$5 >= 1900 && $5 <= 2000' | wc -l)" "$("$pdtool" sched latency --each --time 22:13:20.0000009,22:13:20.000001 --format csv -q wall | sed 1d | wc -l)"
"$pdtool" sched latency --clock wall "$data/recorded/x86_64/sched/flat.data.zst" >out 2>err
equal 'without a wall clock: refused' '1 1 0' "$? $(grep -c 'does not state the wall clock' err) $(wc -c <out)"
for options in 'sched timeline --clock wall wall' 'report --clock wall wall wall'; do
	# shellcheck disable=SC2086
	"$pdtool" $options >out 2>err
	equal "$options: refused" '2 1 0' "$? $(grep -c 'heat maps of one capture' err) $(wc -c <out)"
done

# ---- commands ----

flat=$data/recorded/x86_64/sched/flat.data.zst
# the waits that end with a switch to such a thread: the same from the list of all
"$pdtool" sched latency -q --each --format csv "$flat" | awk -F , '$7 ~ /^k/' >wanted
"$pdtool" sched latency -q --each --format csv --filter 'next_comm ~ "k*"' "$flat" | tail -n +2 >got
same 'sched latency --each' wanted got
equal 'sched latency' "$(wc -l <wanted)" "$("$pdtool" sched latency -q --format csv --filter 'next_comm ~ "k*"' "$flat" | awk -F , 'NR > 1 { n += $5 } END { print n }')"
"$pdtool" sched timehist -q --state --format csv "$flat" | awk -F , '$9 == "D"' >wanted
"$pdtool" sched timehist -q --state --format csv --filter 'prev_state & 2' "$flat" | tail -n +2 >got
same 'sched timehist' wanted got
"$pdtool" offcpu -q --state D "$flat" >wanted
"$pdtool" offcpu -q --filter 'prev_state == 2' "$flat" >got
same 'offcpu' wanted got
"$pdtool" sched map -q --format csv "$flat" | awk -F , 'NR > 1 && $5 ~ /^k/' | wc -l >wanted
"$pdtool" sched map -q --format csv --filter 'next_comm ~ "k*"' "$flat" | tail -n +2 | wc -l >got
same 'sched map' wanted got
"$pdtool" sched latency -q --each --format csv --filter 'next_comm ~ "k*"' "$flat" | awk -F , 'NR > 1 { n += $6 } END { printf "%.0f\n", n }' >wanted
"$pdtool" sched blame -q --format csv --filter 'next_comm ~ "k*"' "$flat" | awk -F , 'NR > 1 { n += $4 } END { printf "%.0f\n", n }' >got
same 'sched blame: all of those waits' wanted got
"$pdtool" sched timeline -q --format csv --filter 'prev_comm ~ "k*"' "$flat" >got
[ "$(wc -l <got)" -gt 10 ] && ! grep -q spin got && ok 'sched timeline: spans that such switches ended' || fail 'sched timeline' "$(head -n 3 got)"
"$pdtool" sched latency --compat perf -q --filter 'next_prio > 0' "$flat" >out 2>err
equal 'sched latency --compat perf: refused' '2 1 0' "$? $(grep -c -e --filter err) $(wc -c <out)"
blockcap both <<'END'
1000 rq_issue    254:0 2048 8 W  pid=7
1200 rq_issue    254:0 4096 16 W pid=7
1500 rq_complete 254:0 2048 8 W  pid=7 error=-5
1600 rq_complete 254:0 4096 16 W  pid=7
END
sectors() { "$pdtool" block -q --each --format csv --filter "$1" both | tail -n +2 | cut -d , -f 2 | paste -sd ' '; }
equal 'block: by a field of the issue' 4096 "$(sectors 'bytes > 4096')"
equal 'block: by one of the completion' 2048 "$(sectors 'error != 0')"
equal 'block: by both' 2048 "$(sectors 'error != 0 && bytes <= 4096')"
equal 'a heat map of I/Os' 1 "$("$pdtool" heatmap -q --format csv --filter 'bytes > 4096' both | awk -F , 'NR > 1 { n += $4 } END { print n }')"
equal 'pairs, by fields of both events' '51 points, p50 7' \
	"$("$pdtool" heatmap -q --preset syscall --by id --header --format csv --filter 'id == 0 && ret == -512' "$calls" | sed -n 's/^# values: id 0: \(.*p50 .\).*/\1/p')"
equal 'one event' 51 "$("$pdtool" heatmap -q --events sys_exit --header --format csv --filter 'id == 0 && ret == -512' "$calls" | awk -F , '!/^#/ && $1 ~ /^[0-9]/ { n += $4 } END { print n }')"
equal 'facts name it' 'fields id == 35' "$("$pdtool" report -q --header --format csv --filter 'id == 35' "$calls" | sed -n 's/^# filters: //p')"
