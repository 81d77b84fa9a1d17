#!/bin/sh
# Sums beyond 64 bits: they are held at 2^64 - 1, the result says so in one line, and what is worked out of them is no
# nonsense. Every command of `pdtool list` has its lines below: the capture whose sums it shows, or why it has none.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

held='sums beyond 2^64 - 1 are held there'
pattern=$(echo "$held" | sed 's/\^/\\^/')

# ---- captures: each has a small one beside it that differs in its amounts alone ----

# samples NAME PERIOD
samples() {
	cat >"$1.mkperf" <<-END
	event cycles type=hardware config=0 period=1 sample_type=IP|TID|TIME|CPU|PERIOD|CALLCHAIN sample_id_all
	comm pid=1 comm=a
	mmap pid=1 addr=0x400000 len=0x1000 file=/bin/x
	repeat 4 {
	sample pid=1 time=1000000000+\$i*1000000 ip=0x400100 period=$2 chain=[user:0x400100+0x100*(\$i%2),0x400400]
	}
	sample pid=2 time=1005000000 ip=0x400100 period=10 chain=[user:0x400100,0x400400]
	END
	"$mkperf" -o "$1" "$1.mkperf"
}
samples few 5
samples many 0xffffffffffffffff

# code NAME PERIOD: of what a just-in-time compiler made.
code() {
	cat >"$1.code.mkperf" <<-END
	event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task use_clockid clockid=1 sample_type=IP|TID|TIME|PERIOD
	comm pid=5 comm=x time=1
	mmap pid=5 addr=0x7000000 len=0x1000 file=/tmp/jit-5.dump time=2
	repeat 3 {
	sample pid=5 time=200+\$i ip=0x10004 period=$2
	}
	END
	"$mkperf" -o "$1.code" "$1.code.mkperf"
}
mkdir dumps
echo 'load 100 0x10000 12 1 jitted' | "$build/tests/oracle/jitfile" little 62 5 0 >dumps/jit-5.dump
code few 5
code many 0xffffffffffffffff

scheduler() {
	cat <<-'END'
	tracepoint sched:sched_switch id=314 fields="char prev_comm[16];pid_t prev_pid;int prev_prio;long prev_state;char next_comm[16];pid_t next_pid;int next_prio" print="\"\""
	tracepoint sched:sched_waking id=310 fields="char comm[16];pid_t pid;int prio;int target_cpu" print="\"\""
	tracepoint sched:sched_stat_runtime id=312 fields="__data_loc char[] comm;pid_t pid;u64 runtime" print="\"\""
	event sched:sched_switch type=tracepoint config=314 period=1 ids=71,72 sample_id_all comm task sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW
	event sched:sched_waking type=tracepoint config=310 period=1 ids=73,74 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW
	event sched:sched_stat_runtime type=tracepoint config=312 period=1 ids=75,76 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW
	default mode=kernel ip=0xffffffff81000010
	END
}
# switch TIME CPU FROM STATE TO; waking TIME CPU WHO WHOM; charged TIME CPU WHO NS
switch() { echo "sample event=sched:sched_switch time=$1 cpu=$2 pid=$3 raw=[u16:314,u8:0,u8:0,u32:$3,t16:w,u32:$3,u32:120,word:$4,t16:w,u32:$5,u32:120]"; }
waking() { echo "sample event=sched:sched_waking time=$1 cpu=$2 pid=$3 raw=[u16:310,u8:0,u8:0,u32:$3,t16:w,u32:$4,u32:120,u32:0]"; }
charged() { echo "sample event=sched:sched_stat_runtime time=$1 cpu=$2 pid=$3 raw=[u16:312,u8:0,u8:0,u32:$3,u32:24|(2<<16),u32:$3,u64:$4,z:w]"; }
# two NAME END NS: two threads wait for a CPU up to END, two sleep up to then and are woken up, one is on two CPUs until
# then (which only a damaged capture says), one is charged for NS twice.
two() {
	{
		scheduler
		switch 900 0 0 0 11; switch 901 1 0 0 12
		charged 950 0 11 "$3"; charged 960 0 11 "$3"
		switch 1000 0 11 0 21; switch 1001 1 12 0 22
		switch "$2-1500" 0 21 1 11; switch "$2-1500" 1 22 1 12
		switch "$2-1400" 0 11 1 0; switch "$2-1400" 1 12 1 0
	} >"$1.waits.mkperf"
	{
		scheduler
		switch 900 0 0 0 11; switch 901 1 0 0 12
		switch 1000 0 11 1 10; switch 1001 1 12 1 20
		waking "$2-2000" 0 10 11; waking "$2-2000" 1 20 12
		switch "$2-1500" 0 10 1 11; switch "$2-1500" 1 20 1 12
		switch "$2-1400" 0 11 1 0; switch "$2-1400" 1 12 1 0
	} >"$1.sleeps.mkperf"
	{
		scheduler
		switch 900 0 0 0 11; switch 901 1 0 0 11
		switch "$2-1500" 0 11 1 0; switch "$2-1499" 1 11 1 0
	} >"$1.twice.mkperf"
	for part in waits sleeps twice; do "$mkperf" -o "$1.$part" "$1.$part.mkperf"; done
}
two few 100000 400
two many 0 0xffffffffffffffff

# disk NAME BYTES: of each of three reads.
disk() {
	cat >"$1.disk.mkperf" <<-END
	tracepoint block:block_rq_issue id=903 fields="dev_t dev;sector_t sector;unsigned int nr_sector;u64 bytes;char rwbs[10];char comm[16];__data_loc char[] cmd" print="\"\""
	tracepoint block:block_rq_complete id=904 fields="dev_t dev;sector_t sector;unsigned int nr_sector;int error;char rwbs[10];__data_loc char[] cmd" print="\"\""
	event block:block_rq_issue type=tracepoint config=903 period=1 ids=1 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW
	event block:block_rq_complete type=tracepoint config=904 period=1 ids=2 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW
	repeat 3 {
	sample event=block:block_rq_issue pid=7 time=1000+\$i*1000 \
		raw=[u16:903,u8:0,u8:0,u32:7,u32:(8<<20),zero:4,u64:2048,u32:8,zero:4,u64:$2,t10:R,t16:w,zero:2,u32:0]
	sample event=block:block_rq_complete pid=7 time=1500+\$i*1000 \
		raw=[u16:904,u8:0,u8:0,u32:7,u32:(8<<20),zero:4,u64:2048,u32:8,u32:0,t10:R,zero:2,u32:0]
	}
	END
	"$mkperf" -o "$1.disk" "$1.disk.mkperf"
}
. "$top/tests/lib/callcap.sh"
for name in few many; do
	[ $name = few ] && end=3000 || end=18446744073709551000
	printf '%s\n' '1000 enter 7 one 0' '1100 enter 8 two 0' "$end exit 7 one 0 5" "$end exit 8 two 0 5" | callcap $name.calls
done
for name in few many; do
	[ $name = few ] && value=1000 || value=18446744073709551000
	printf '%s\n' 'event page-faults type=software config=2 ids=1,2 sample_type=IDENTIFIER' "stat id=1 cpu=0 val=$value ena=1 run=1" \
		"stat id=2 cpu=1 val=$value ena=1 run=1" 'stat_round type=1 time=9' >$name.counters.mkperf
	"$mkperf" -o $name.counters $name.counters.mkperf
done
for name in few many; do
	[ $name = few ] && value=1000 || value=18446744073709551000
	printf '%s\n' 'event mem-loads type=raw config=0x1cd period=1 ids=1 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|ADDR|WEIGHT|DATA_SRC' \
		"sample pid=7 time=1000 ip=0x400100 addr=0x500000 weight=$value data_src=0x142" \
		"sample pid=7 time=1001 ip=0x400100 addr=0x500000 weight=$value data_src=0x142" >$name.accesses.mkperf
	"$mkperf" -o $name.accesses $name.accesses.mkperf
done
disk few 4096
disk many 0xfffffffffffffffe

# perf stat -I -x,: two intervals
for name in few many; do
	[ $name = few ] && msec=12.00 || msec=12000000000000.00
	printf "1.000000000,$msec,msec,task-clock\n2.000000000,$msec,msec,task-clock\n" >$name.stat
done

printf 'a;b 5\na;c 6\nd 7\n' >few.folded
printf 'a;b 18446744073709551615\na;c 18446744073709551615\nd 9223372036854775807\n' >many.folded

# ---- every command ----

# says COMMAND: it is told once on standard error, the exit status of --strict is 3, and in one line of each form that
# has facts. What few has is told of nothing.
# shellcheck disable=SC2086 # a command and its options
says() {
	whole=$1
	set -- $1
	few=$(echo "$whole" | sed 's/\<many/few/g')
	name=$(echo "$whole" | sed 's/ many.*//')
	"$pdtool" $whole >out 2>err
	equal "$whole: the exit status, and what it says" "0 1" "$? $(grep -cxF "pdtool: $held" err)"
	"$pdtool" $whole --strict >out 2>err
	equal "$whole: --strict" 3 $?
	forms=$("$pdtool" $name --format nosuch 2>&1 | sed -n 's/.* it has://p')
	for form in $forms; do
		case $form in folded) continue ;; esac
		line="^(# |\")?overflow(\":\"|:? +)$pattern"
		facts="--format $form"
		case $form in
		csv) facts="--header $facts" ;;
		svg) line="class=\"fact\".*overflow: $pattern" ;; # beside its comment
		esac
		"$pdtool" $whole $facts -q >got 2>err || continue # a shape that it has not
		equal "$whole: in $form" 1 "$(grep -cE "$line" got)"
	done
	"$pdtool" $few >out 2>err
	equal "$few: nothing is held" '0 0' "$? $(grep -c "$held" out err | awk -F: '{ n += $2 } END { print n }')"
	# no percentage above 100, no time without digits
	"$pdtool" $whole --format csv -q 2>err | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) share[i] = $i ~ /percent|share/ && $i !~ /delta/ }
		NR > 1 { for (i = 1; i <= NF; i++) if (share[i] && ($i > 100.5 || $i < -100.5 || $i ~ /nan|inf/)) print $i }' >got
	equal "$whole: shares" '' "$(cat got)"
}

cat >commands <<'END'
abstime many --cpu-time 10
abstime many --cpu-time 10 --step 1ms
abstime many.folded --cpu-time 10
abstime few many --cpu-time 10,20
abstime few --stat=many.stat
annotate --perf-map-dir dumps jitted many.code
block many.disk
collapse many
collapse many.folded
diff few many
diff many.folded few.folded
flamegraph many
flamegraph many.folded
flamegraph many.folded --flamechart
heatmap many --value period
info many
mem many.accesses
offcpu many.sleeps
report many
report many -s comm,sym --hierarchy
report many -g
report many.folded
sched blame many.waits
sched latency many.waits
sched latency many.waits --by comm
sched latency many.waits --compat perf
sched timehist many.twice -s
summary many
summary many.waits
stat many.counters
syscalls many.calls
wakeup many.sleeps
END
cat >without <<'END'
branches: branches, one by one, and cycles of which each has 16 bits
bundle-list: files
events: samples, one by one
export: weights, which others add up
cut: records, one by one
page: weights, which the page adds up
store add: samples, and a path
store query: weights of a store, whose sums stackset and store_rows hold
store rename: how many stacks
store sql: text
doctor: samples and addresses, which were read one by one
pack: files
sched map: switches, one by one
sched timeline: spans, each within the time of the capture
script: records, one by one
END
"$pdtool" list | awk '/^Formats/ { exit } /^  / { sub(/^  /, ""); sub(/  .*/, ""); print }' | while read -r name; do
	grep -q "^$name " commands || grep -q "^$name: " without || echo "$name"
done >got
equal 'each command is here' '' "$(cat got)"
while read -r command; do
	says "$command"
done <commands

# ---- parts of what is held ----

"$pdtool" flamegraph -q many.folded | sed -n 's/.*<title>\([a-d]\|all\) (.*, \(.*%\))<.*/\1 \2/p' | paste -sd, >got
equal 'a flame graph shows them in proportion' 'all 100%,a 80.00%,b 40.00%,c 40.00%,d 20.00%' "$(cat got)"
"$pdtool" sched latency -q --by comm --format csv --header many.waits | grep -v '^#' | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
	NR == 2 { print $at["count"], $at["avg_ns"], $at["wait_ns"] }' >got
equal 'the average of waits whose sum is held' '2 18446744073709549115 18446744073709551615' "$(cat got)"
printf 'a;b 18446744073709551616\nc 5\n' >more.folded
"$pdtool" collapse more.folded 2>err | stacks >got
equal 'a weight of folded text beyond 64 bits is none' 'c 5 pdtool: more.folded: 1 of 2 lines are not stacks, the first is line 1' \
	"$(cat got) $(cat err)"
