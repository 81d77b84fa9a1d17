#!/bin/sh
# Bounds of what is read and counted, each gone past by a little: what is left out is counted, by cause, on standard error,
# in the facts of the result and by the exit status of --strict; up to the bound nothing is said.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

cat >head.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|CPU|IDENTIFIER
END

# capture NAME: from the description on standard input, below the usual event.
capture() {
	cat head.mkperf - >"$1.mkperf"
	"$mkperf" -o "$1.data" "$1.mkperf" || exit 1
}

# says NAME TEXT COMMAND...: the command says that TEXT was left out, once, also with commas as a fact, and --strict is 3.
says() {
	name=$1 text=$2
	shift 2
	"$pdtool" "$@" >got 2>err
	equal "$name: is said" "left out: $text" "$(sed -n 's/^pdtool: \(left out.*\)/\1/p' err)"
	equal "$name: and a fact" 1 "$(tr -d , <got | grep -c "^left out  *$(echo "$text" | tr -d ,)")"
	"$pdtool" "$@" --strict >got 2>err
	equal "$name: --strict" 3 $?
}

# nothing NAME COMMAND...: nothing is left out.
nothing() {
	name=$1
	shift
	"$pdtool" "$@" --strict >got 2>err
	equal "$name: nothing is left out" "0 0" "$? $(cat got err | grep -c 'left out')"
}

sample='sample pid=1 time=5000000 ip=0x10010'

# ---- gaps ----

sed -i 's/.*config=0/event cpu-clock type=software config=0/' head.mkperf

throttled() {
	echo "repeat $1 {"
	# shellcheck disable=SC2016 # of mkperf's
	echo 'throttle time=1000+$i*20 id=5 stream_id=5'
	# shellcheck disable=SC2016
	echo 'unthrottle time=1010+$i*20 id=5 stream_id=5'
	echo '}'
	echo "$sample"
}
throttled 100000 | capture gaps
"$pdtool" abstime --step 10ms gaps.data >got 2>err
equal 'gaps: up to the bound' 0 "$(cat got err | grep -c 'left out')"
throttled 100003 | capture more
says gaps '3 gaps in time, past 100000' abstime --step 10ms more.data

streams() {
	echo "repeat $1 {"
	# shellcheck disable=SC2016
	echo 'throttle time=1000+$i id=5 stream_id=$i'
	echo '}'
	echo "$sample"
}
streams 4096 | capture streams
"$pdtool" abstime --step 10ms streams.data >got 2>err
equal 'throttled events: up to the bound' 0 "$(cat got err | grep -c 'left out')"
streams 4098 | capture streams
says 'throttled events' '2 throttled events, past 4096 at a time' abstime --step 10ms streams.data

losses() {
	cat <<-END
	lost id=5 lost=3 time=2000 cpu=$1
	lost id=5 lost=3 time=3000 cpu=$1
	$sample
	END
}
losses 65535 | capture losses
"$pdtool" abstime --step 10ms losses.data >got 2>err
equal 'CPUs of losses: up to the bound' 0 "$(cat got err | grep -c 'left out')"
losses 65536 | capture losses
says 'CPUs of losses' '2 beginnings of losses, on CPUs past 65536' abstime --step 10ms losses.data

# ---- counters of perf stat ----

# Those that are known go on counting when there is no room for more.
counters() {
	cat <<-END
	repeat $1 {
	stat id=5 cpu=\$i thread=0 val=1 ena=1 run=1
	}
	stat id=5 cpu=0 thread=0 val=1000001 ena=1 run=1
	$sample
	END
}
counters 1048576 | capture counters
nothing counters info counters.data
counters 1048578 | capture more
"$pdtool" info more.data >got 2>err
equal 'counters: is said' 'left out: 2 values of more counters, past 1048576' "$(sed -n 's/^pdtool: \(left out.*\)/\1/p' err)"
says counters '2 values of more counters, past 1048576' report more.data

# ---- processes that ended ----

# COUNT end one after the other; a sample of the first comes late.
ended() {
	cat <<-END
	repeat $1 {
	fork pid=100+\$i ppid=1 time=10+\$i*10
	mmap pid=100+\$i addr=0x10000 len=0x1000 file=/bin/short time=11+\$i*10
	exit pid=100+\$i ppid=1 time=12+\$i*10
	}
	sample pid=100 time=900000 ip=0x10010
	END
}
ended 256 | capture ended
nothing 'processes that ended' report ended.data
equal 'and a late sample has its module' 1 "$("$pdtool" report -s dso ended.data 2>/dev/null | grep -c 'short$')"
ended 257 | capture more
says 'processes that ended' '1 addresses of processes that had ended, past 256 that are kept' report more.data

# ---- ids of an event ----

# The section of ids, which has one, claims COUNT; they are in what follows it, of which there is enough.
ids() {
	cat <<-END
	auxtrace payload=zero:9000000
	patch 248 u64:8*$1
	END
	echo "$sample"
}
ids 1048576 | capture ids
nothing ids report ids.data
ids 1048578 | capture ids
"$pdtool" report --strict ids.data >got 2>err
equal 'ids: is said' "3 pdtool: ids.data: event 0: 2 of its ids are left out, past 1048576" "$? $(grep 'left out' err)"

# ---- names of commands ----

# COUNT of 60,000 bytes each
commands() {
	cat <<-END
	repeat $1 {
	comm pid=\$i+1 comm=\${100000+\$i}$(head -c 59994 /dev/zero | tr '\0' c) time=\$i+1
	}
	$sample
	END
}
commands 1100 | capture commands
nothing 'names of commands' report -s comm commands.data
commands 1125 | capture commands
"$pdtool" report -s comm --strict commands.data >got 2>err
equal 'names of commands: --strict' 3 $?
names=$(sed -n 's/^pdtool: left out: \([0-9]*\) more names of commands, past 64 MiB$/\1/p' err)
[ "${names:-0}" -gt 0 ] && [ "$names" -lt 20 ]
result 'names of commands: are said' $? "$(cut -c 1-200 err | head -3)"

# ---- CPUs of the scheduler ----

# switches CPU: two threads by turns
switches() {
	cat <<-END
	tracepoint sched:sched_switch id=314 fields="char prev_comm[16];pid_t prev_pid;int prev_prio;long prev_state;char next_comm[16];pid_t next_pid;int next_prio"
	event sched:sched_switch type=tracepoint config=314 period=1 ids=1 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW
	repeat 10 {
	sample pid=7 tid=7 cpu=0 time=1000+\$i*1000 raw=[u16:314,u8:0,u8:0,u32:7,t16:one,u32:7,u32:120,u64:1,t16:two,u32:8,u32:120]
	sample pid=8 tid=8 cpu=0 time=1500+\$i*1000 raw=[u16:314,u8:0,u8:0,u32:8,t16:two,u32:8,u32:120,u64:1,t16:one,u32:7,u32:120]
	sample pid=9 tid=9 cpu=$1 time=1600+\$i*1000 raw=[u16:314,u8:0,u8:0,u32:9,t16:nine,u32:9,u32:120,u64:1,t16:ten,u32:10,u32:120]
	}
	END
}
switches 65535 >switches.mkperf && "$mkperf" -o switches.data switches.mkperf
nothing 'CPUs of the scheduler' sched latency switches.data
switches 65536 >switches.mkperf && "$mkperf" -o switches.data switches.mkperf
for command in latency timehist blame map; do
	says "CPUs of the scheduler, $command" '10 events, of CPUs past 65536' sched $command switches.data
done
"$pdtool" sched timeline switches.data >got 2>err
grep -q 'left out: 10 events' got
result 'CPUs of the scheduler: the timeline says it' $? "$(cat err)"

# ---- rows of info ----

# events COUNT: in a pipe, each with a row.
events() {
	cat <<-END
	repeat $1 {
	raw u32:64 u16:0 u16:144 u32:0 u32:128 u64:\$i%10 u64:1 u64:7 u64:0 u64:1<<18 zero:80 u64:100+\$i
	}
	$sample
	END
}
events 99990 | cat head.mkperf - >events.mkperf && "$mkperf" --mode pipe -o events.data events.mkperf
nothing 'rows of info' info --counts events.data
events 100010 | cat head.mkperf - >events.mkperf && "$mkperf" --mode pipe -o events.data events.mkperf
"$pdtool" info --counts events.data --strict >got 2>err
equal 'rows of info: --strict' 3 $?
rows=$(sed -n 's/^pdtool: left out: \([0-9]*\) rows, past 100000$/\1/p' err)
[ "${rows:-0}" -ge 10 ] && [ "$rows" -lt 30 ]
result 'rows of info: are said' $? "$(head -3 err)"
equal 'rows of info: and a fact' 1 "$(tr -d , <got | grep -c "^left out  *$rows rows past 100000")"
"$pdtool" info --counts events.data --format csv 2>/dev/null >got
equal 'rows of info: as many as there is room for' 100001 "$(grep -c . got)"

# ---- devices of block ----

# disks COUNT: two I/Os of each of COUNT devices.
disks() {
	cat <<-END
	tracepoint block:block_rq_issue id=903 fields="dev_t dev;sector_t sector;unsigned int nr_sector;u64 bytes;char rwbs[10];char comm[16];__data_loc char[] cmd" print="\"\""
	tracepoint block:block_rq_complete id=904 fields="dev_t dev;sector_t sector;unsigned int nr_sector;int error;char rwbs[10];__data_loc char[] cmd" print="\"\""
	event block:block_rq_issue type=tracepoint config=903 period=1 ids=1 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW
	event block:block_rq_complete type=tracepoint config=904 period=1 ids=2 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW
	repeat $1 {
	repeat 2 k {
	sample event=block:block_rq_issue pid=7 time=1000+\$i*4000+\$k*2000 \\
		raw=[u16:903,u8:0,u8:0,u32:7,u32:$2,zero:4,u64:2048,u32:8,zero:4,u64:4096,t10:R,$3,u32:0]
	sample event=block:block_rq_complete pid=7 time=1500+\$i*4000+\$k*2000 \\
		raw=[u16:904,u8:0,u8:0,u32:7,u32:$2,zero:4,u64:2048,u32:8,u32:0,t10:R,zero:2,u32:0]
	}
	}
	END
}
# shellcheck disable=SC2016
disks 1024 '$i' t16:w,zero:2 >disks.mkperf && "$mkperf" -o disks.data disks.mkperf
nothing 'devices of block' block disks.data
# shellcheck disable=SC2016
disks 1030 '$i' t16:w,zero:2 >disks.mkperf && "$mkperf" -o disks.data disks.mkperf
says 'devices of block' '12 I/Os, requeues and merges, of more than 1024 devices and operations' block disks.data
nothing 'a list of every I/O has them all' block --each disks.data
# Past the bound an I/O is never that of another command: 70,000 of them, each with a name of its own.
# shellcheck disable=SC2016
disks 70000 8 't16:c${1000000+$i},zero:2' >disks.mkperf && "$mkperf" -o disks.data disks.mkperf
says 'commands of block' '137952 I/Os, requeues and merges, of more than 1024 devices and operations' block --by comm disks.data
"$pdtool" block --by comm --format csv disks.data 2>/dev/null >got
equal 'commands of block: a row has its own I/Os' '1024 2' "$(records <got | awk -F '\t' '$4 != 2 { bad = 1 } END { print NR, bad ? "others" : 2 }')"
