#!/bin/sh
# `pdtool block` against figures worked out by hand: one small capture for each thing that a request can do.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
. "$top/tests/lib/blockcap.sh"

# each NAME OPTIONS... : the I/Os of capture NAME as device,sector,op,bytes,insert,issue,complete,queue,device,total
each() {
	capture=$1
	shift
	"$pdtool" block -q --format csv --each "$@" "$capture" 2>err | tail -n +2 | cut -d , -f 1-10
}
# cell CAPTURE DEVICE OP COLUMN: of the table
cell() {
	"$pdtool" block -q --format csv "$1" | awk -F , -v dev="$2" -v op="$3" -v col="$4" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 == dev && $2 == op { print $at[col] }'
}
# fact CAPTURE NAME [OPTION...]
fact() {
	f_capture=$1 f_name=$2
	shift 2
	"$pdtool" block -q --header --format csv "$@" "$f_capture" | sed -n "s/^# $f_name: //p"
}

# ---- one request ----

blockcap plain <<'END'
1000 rq_insert   254:0 2048 8 RA pid=7 comm=reader
1500 rq_issue    254:0 2048 8 RA pid=9 comm=kworker/0:1
4500 rq_complete 254:0 2048 8 RA pid=1 comm=other
END
equal 'insert, issue, complete' '254:0,2048,R,4096,1000,1500,4500,500,3000,3500' "$(each plain)"
equal 'the submitter inserted it' 'reader,7' "$("$pdtool" block -q --each --format csv plain | tail -n 1 | cut -d , -f 11,12)"
equal 'the columns' 'device,sector,op,bytes,insert_ns,issue_ns,complete_ns,queue_ns,device_ns,total_ns,comm,pid' \
	"$("$pdtool" block -q --each --format csv plain | head -n 1 | cut -d , -f 1-12)"
equal 'nothing is unmatched' nothing "$(fact plain unmatched)"

# what an interrupt submits is not the doing of the thread that it hit; where it only issues or completes it never was
blockcap hit <<'END'
1000 rq_issue    254:0 2048 8 W  pid=9 comm=git flags=8
1200 rq_issue    254:0 4096 8 W  pid=9 comm=git flags=16
1300 rq_insert   254:0 8192 8 W  pid=9 comm=git
1400 rq_issue    254:0 8192 8 W  pid=8 comm=gcc flags=9
1500 rq_complete 254:0 2048 8 W  pid=9 flags=8
1600 rq_complete 254:0 4096 8 W  pid=9 flags=8
1700 rq_complete 254:0 8192 8 W  pid=9 flags=8
END
equal 'interrupts submit' '[irq], [softirq], git,9' \
	"$("$pdtool" block -q --each --format csv hit | tail -n +2 | cut -d , -f 11,12 | paste -sd ' ')"
equal 'of no process' 1 "$("$pdtool" block -q --each --pid 9 --format csv hit | tail -n +2 | wc -l)"

"$pdtool" block -q --by comm --format csv hit | cut -d , -f 1-4 | paste -sd ' ' >got
equal 'rows by who submitted' 'device,op,comm,ios 254:0,W,[irq],1 254:0,W,[softirq],1 254:0,W,git,1' "$(cat got)"
"$pdtool" block -q --by pid --format csv hit | cut -d , -f 3,4 | paste -sd ' ' >got
equal 'rows by process' 'pid,ios [irq],1 [softirq],1 9,1' "$(cat got)"
"$pdtool" block -q --by sector --format csv hit | cut -d , -f 3,4 | paste -sd ' ' >got
equal 'rows by a field' 'sector,ios 2048,1 4096,1 8192,1' "$(cat got)"
"$pdtool" block --by nosuch hit >out 2>err
equal 'rows by no field' '2 1' "$? $(grep -c "has no field 'nosuch'" err)"

blockcap direct <<'END'
1000 bio_queue   254:0 2048 8 W  pid=5 comm=writer
1100 rq_issue    254:0 2048 8 W  pid=9 comm=kworker/0:1
1500 rq_complete 254:0 2048 8 W  error=-5
2000 io_start    254:0 4096 8 WS pid=6 comm=starter
2300 rq_issue    254:0 4096 8 WS pid=9 comm=kworker/0:1
2900 rq_complete 254:0 4096 8 WS
END
equal 'direct issue has no insert; io_start stands for it' \
	'254:0,2048,W,4096,,1100,1500,,400, 254:0,4096,W,4096,2000,2300,2900,300,600,900' "$(echo $(each direct))"
equal 'the bio and io_start tell the submitter' 'writer,5 starter,6' \
	"$(echo $("$pdtool" block -q --each --format csv direct | tail -n +2 | cut -d , -f 11,12))"
equal 'an error' 1 "$(cell direct 254:0 W errors)"

# ---- the cases of the specification ----

# 16 sectors in two parts: it ends with the second
blockcap partial <<'END'
100 rq_insert   254:0 2048 16 R
200 rq_issue    254:0 2048 16 R
500 rq_complete 254:0 2048 8 R
900 rq_complete 254:0 2056 8 R
END
equal 'partial completion' '254:0,2048,R,8192,100,200,900,100,700,800' "$(each partial)"
equal 'nothing of it is unmatched' 'nothing 1 partial completions' "$(fact partial unmatched) $(fact partial matching)"

blockcap requeue <<'END'
100 rq_insert   254:0 2048 8 W
200 rq_issue    254:0 2048 8 W
300 rq_requeue  254:0 2048 8 W
350 rq_insert   254:0 2048 8 W
400 rq_issue    254:0 2048 8 W
700 rq_complete 254:0 2048 8 W
END
equal 'a requeue keeps the first insert and takes the last issue' '254:0,2048,W,4096,100,400,700,300,300,600' "$(each requeue)"
equal 'it is counted' '1 nothing' "$(cell requeue 254:0 W requeues) $(fact requeue unmatched)"
# issued again after a part was done
blockcap requeue2 <<'END'
200 rq_issue    254:0 2048 16 W
250 rq_complete 254:0 2048 8 W
300 rq_requeue  254:0 2056 8 W
400 rq_issue    254:0 2056 8 W
700 rq_complete 254:0 2056 8 W
END
equal 'a requeue of what is left' '254:0,2048,W,8192,,400,700,,300,' "$(each requeue2)"

# fsync: a request without data waits for a flush; its own completion has no issue
blockcap flush <<'END'
100 bio_queue   254:0 0 0 FWS
110 io_start    254:0 0 0 FWS
200 rq_issue    254:0 0 0 FF pid=9 comm=kworker/0:1
800 rq_complete 254:0 18446744073709551615 0 FF
900 rq_complete 254:0 0 0 WS
END
equal 'a flush is one I/O' '254:0,0,F,0,,200,800,,600,' "$(each flush)"
equal 'its wrapper is none, and not unmatched' 'nothing 1 completions of what a flush was made for' \
	"$(fact flush unmatched) $(fact flush matching)"
# a write with a flush before it
blockcap preflush <<'END'
100 rq_issue    254:0 0 0 FF
200 rq_complete 254:0 18446744073709551615 0 FF
300 rq_issue    254:0 2048 8 FWFS
700 rq_complete 254:0 2048 8 WFS
END
equal 'FWFS is a write' '254:0,0,F,0,,100,200,,100, 254:0,2048,W,4096,,300,700,,400,' "$(echo $(each preflush))"

blockcap twice <<'END'
100 rq_issue    254:0 2048 8 R
200 rq_issue    254:0 2048 8 R
300 rq_complete 254:0 2048 8 R
400 rq_complete 254:0 2048 8 R
END
equal 'two at one sector: the newest first' '254:0,2048,R,4096,,200,300,,100, 254:0,2048,R,4096,,100,400,,300,' \
	"$(echo $(each twice))"
equal 'or the oldest' '254:0,2048,R,4096,,100,300,,200, 254:0,2048,R,4096,,200,400,,200,' \
	"$(echo $(each twice --pair oldest))"
equal 'that it is a guess is said' "1 completions that could be another's in flight" "$(fact twice matching)"
# (300 - 200) + (400 - 100) over 300
equal 'mean depth' '1.333 2' "$(cell twice 254:0 R depth_mean) $(cell twice 254:0 R depth_max)"
# another size or direction is another request
blockcap near <<'END'
100 rq_issue    254:0 2048 8 R
150 rq_issue    254:0 2048 16 R
200 rq_issue    254:0 2048 8 W
300 rq_complete 254:0 2048 8 R
400 rq_complete 254:0 2048 16 R
500 rq_complete 254:0 2048 8 W
END
equal 'size and direction tell them apart' '254:0,2048,R,4096,,100,300,,200, 254:0,2048,R,8192,,150,400,,250, 254:0,2048,W,4096,,200,500,,300,' \
	"$(echo $(each near))"

blockcap lost <<'END'
100  rq_issue    254:0 2048 8 W
5000 rq_insert   254:0 2048 8 W
5100 rq_issue    254:0 2048 8 W
5300 rq_complete 254:0 2048 8 W
6000 rq_complete 254:0 9000 8 R
7000 rq_insert   254:0 8000 8 R
8000 rq_requeue  254:0 8800 8 R
END
equal 'a lost completion does not lengthen the next I/O' '254:0,2048,W,4096,5000,5100,5300,100,200,300' "$(each lost)"
equal 'each unmatched event is counted' \
	'1 issues without completion, 1 completions without issue, 1 inserted or started, not issued, 1 requeues without issue' \
	"$(fact lost unmatched)"
"$pdtool" block --format csv lost 2>err >out
equal 'and said on stderr' 1 "$(grep -c '^pdtool: unmatched: 1 issues without completion' err)"
blockcap late <<'END'
1000000000 rq_issue    254:0 2048 8 W
9000000000 rq_complete 254:0 2048 8 W
END
equal 'a long wait is one' '254:0,2048,W,4096,,1000000000,9000000000,,8000000000,' "$(each late)"
equal 'unless there is a limit' '' "$(each late --io-timeout 5)"
equal 'which is said' '1 issues without completion, 1 completions without issue' "$(fact late unmatched --allow-empty --io-timeout 5)"
"$pdtool" block --io-timeout 5 late >out 2>err
equal 'no I/O at all: status and lines' '1 0 1' "$? $(wc -l <out) $(wc -l <err)"
grep -q 'unmatched: 1 issues without completion, 1 completions without issue' err && ok 'no I/O at all: why' || { fail 'no I/O at all' 'not said why'; show err; }

old=1 blockcap bytes0 <<'END'
100 rq_insert   8:0 2048 24 R
200 rq_issue    8:0 2048 24 R
500 rq_complete 8:0 2048 24 R error=-5
END
equal 'until 4.10 the sectors tell the bytes' '8:0,2048,R,12288,100,200,500,100,300,400' "$(each bytes0)"
equal 'and errors is the field' 1 "$(cell bytes0 8:0 R errors)"

# 1992..2024 of four: one inserted, a bio before and one behind it, and a request behind those
blockcap merges <<'END'
100 rq_insert      254:0 2000 8 W pid=7 comm=first
110 bio_frontmerge 254:0 1992 8 W pid=8 comm=second
120 bio_backmerge  254:0 2008 8 W
130 rq_insert      254:0 2016 8 W
140 rq_merge       254:0 2016 8 W
300 rq_issue       254:0 1992 32 W
900 rq_complete    254:0 1992 32 W
END
equal 'merges' '254:0,1992,W,16384,100,300,900,200,600,800' "$(each merges)"
equal 'of a part of the time, those in it' '2 2 0' "$(echo $(for t in 0,0.00000012 0.00000012,1 0.0000005,1; do
	"$pdtool" block -q --allow-empty --format csv --time $t merges | awk -F, 'NR > 1 { print $24 }'
done))"
equal 'they are counted and leave nothing over' '3 nothing' "$(cell merges 254:0 W merges) $(fact merges unmatched)"

# loop0 over vda: the same I/O twice, in each device's own row
blockcap stacked <<'END'
100 rq_issue    7:0 0 8 R
200 rq_insert   254:0 0 8 R
250 rq_issue    254:0 0 8 R
650 rq_complete 254:0 0 8 R
800 rq_complete 7:0 0 8 R
END
equal 'two stacked devices' '254:0,0,R,4096,200,250,650,50,400,450 7:0,0,R,4096,,100,800,,700,' "$(echo $(each stacked))"
equal 'are two rows' '1 700 1 400' "$(cell stacked 7:0 R ios) $(cell stacked 7:0 R device_p50_ns) $(cell stacked 254:0 R ios) $(cell stacked 254:0 R device_p50_ns)"

# dm, md, zram: bios only
blockcap bios <<'END'
100 bio_queue    252:3 64 8 W pid=5 comm=writer
150 bio_queue    252:3 72 8 R
400 bio_complete 252:3 64 8 W
700 bio_complete 252:3 99 8 W
END
equal 'a device without requests' '252:3,64,W,4096,100,,400,,,300' "$(each bios)"
equal 'its bios are matched, too' '1 bios without completion, 1 bio completions without bio' "$(fact bios unmatched)"

# ---- figures of the table ----

{
	for i in 1 2 3 4 5 6 7 8 9 10; do
		echo "$((i * 1000)) rq_insert 254:0 $((i * 8)) 8 R"
		echo "$((i * 1000 + 10 * i)) rq_issue 254:0 $((i * 8)) 8 R"
		echo "$((i * 1000 + 110 * i)) rq_complete 254:0 $((i * 8)) 8 R"
	done
	echo '11000 rq_issue 254:0 4000 8 R'
	echo '11050 rq_complete 254:0 4000 8 R'
} | blockcap ten
# device latencies 50 100 200 ... 1000, queue 10 ... 100; the tenth completes at 11100: the span is 10100 ns
for want in ios=11 bytes=45056 queue_p50_ns=50 queue_max_ns=100 device_p50_ns=500 device_p90_ns=900 device_p99_ns=1000 \
	device_max_ns=1000 total_p50_ns=550 total_max_ns=1100 sequential_percent=81.8 depth_max=2 depth_mean=0.550 errors=0; do
	equal "table: ${want%=*}" "${want#*=}" "$(cell ten 254:0 R "${want%=*}")"
done
equal 'table: I/Os by second' 1089108.9 "$(cell ten 254:0 R iops)"
equal 'table: bytes by second' 4460990099 "$(cell ten 254:0 R bytes_per_s)"
equal 'filters hold for whole I/Os' 0 "$(each plain --pid 9 | wc -l)"
equal 'by the submitter' 1 "$(each plain --pid 7 --comms reader | wc -l)"
equal 'by operation and size' 1 "$(each near --op R --size 4096-5000 | wc -l)"
# I/Os 7 to 10 and the one behind them, in the 4.1 us to the end
equal 'rates are of the time that is shown' '5 1219512.2' \
	"$("$pdtool" block -q --time 0.000007, --format csv ten | tail -n 1 | cut -d , -f 3,17 | tr , ' ')"
"$pdtool" block -q --format csv plain requeue >two
equal 'captures add up' '254:0,R,1 254:0,W,1' "$(echo $(tail -n +2 two | cut -d , -f 1-3))"

# ---- forms, and what is missing ----

for form in '--endian big' '--mode pipe' '--zstd' '--word 32'; do
	for name in partial merges flush; do
		# shellcheck disable=SC2086
		"$mkperf" $form -o form "$name.mkperf" && each form >got
		each $name >wanted
		same "$name $form" wanted got
	done
done
# order and how much of it
"$pdtool" block -q --each --format csv merges | sed 1d | sort -s -t, -k9,9nr | head -n 3 >wanted
"$pdtool" block -q --each --sort device --limit 3 --format csv merges | sed 1d >got
same 'every I/O: --sort --limit' wanted got
"$pdtool" block -q --each --format csv merges | sed 1d | awk -F, '$10 >= 300' | sort -s -t, -k10,10nr -k4,4nr >wanted
"$pdtool" block -q --each --sort total,size --min 300ns --format csv merges | sed 1d >got
same 'every I/O: --sort total,size --min' wanted got
"$pdtool" block --min 1us merges >out 2>err
equal 'of rows there is no --min' '2 1' "$? $(grep -c 'need --each' err)"
# under the sanitizers: whole, and cut anywhere
for name in plain direct partial requeue2 flush twice lost bytes0 merges stacked bios; do
	"$san" block -q --each --op R,W,F --size 0-99999 --format csv $name >got 2>err || { fail "sanitizers: $name" "status $?"; show err; }
	"$pdtool" block -q --each --op R,W,F --size 0-99999 --format csv $name >wanted
	same "sanitizers: $name" wanted got
done
size=$(wc -c <merges) bad=0
for n in $(seq 200 61 "$size"); do
	head -c "$n" merges >cut
	"$san" block --format csv cut >out 2>err
	case $? in 0 | 1 | 2) ;; *) bad=$((bad + 1)) && show err ;; esac
done
equal 'cut anywhere' 0 $bad

# lacks NAME WORDS EVENT...: exit status 2, one line with these words
lacks() {
	name=$1 words=$2
	shift 2
	for e in "$@"; do
		echo "event $e type=tracepoint config=$((${#e} + 1)) period=1 sample_type=IP|TID|TIME|RAW"
	done >none.mkperf
	echo 'sample pid=1 time=5 raw=[u64:0]' >>none.mkperf
	"$mkperf" -o none none.mkperf
	"$pdtool" block none >out 2>err
	equal "$name" '2 1 0' "$? $(grep -c '' err) $(wc -c <out)"
	grep -qF -e "$words" err && ok "$name: the line" || { fail "$name: the line" "$words"; show err; }
}
lacks 'no block events' 'found: sched:sched_switch). Record with: perf record -a' sched:sched_switch
lacks 'only the issues' 'no block:block_rq_complete events (found: block:block_rq_issue)' block:block_rq_issue
lacks 'no formats' 'lacks their formats' block:block_rq_issue block:block_rq_complete
