#!/bin/sh
# The pairs of `heatmap --preset syscall` against the own log of a program (tests/live/calls.c): each pair lies in a call of the
# log, each call has its pair, and each lane has the count, the sum and the largest of its pairs.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
. "$top/tests/lib/calls.sh"

calls=$data/recorded/x86_64/calls
gzip -dc "$calls/all.log.gz" >all.log
calls_of "$calls/all.data.zst" all.log
# 51 reads were entered anew after a signal, whose handler called getppid(); the program sees a call 1.5 us longer than its pair
equal 'a pair for each call and for each that was restarted' 'calls 860 pairs 911 untrue 0 unseen 0 interrupted 51 late 1167745,45377' \
	"$(head -n 1 told)"
equal 'restarts are told' '51 of the system calls ended to be entered anew after a signal (ERESTARTSYS): each entry counts' \
	"$(sed -n 's/^# restarted: //p' facts)"
lanes_add_up all

# Where records were lost no pair is made of two halves: none is longer than its call, nor in another one.
gzip -dc "$calls/lost.log.gz" >lost.log
calls_of "$calls/lost.data.zst" lost.log
equal 'lost records: no pair that never was' 'calls 1440 pairs 1510 untrue 0 unseen 14' "$(head -n 1 told | cut -d ' ' -f 1-8)"
lanes_add_up lost

# A signal leaves a call for its handler: that is an exit (ERESTARTSYS) and an entry anew. What enters twice or ends twice lost
# something: one pair at most.
{
	echo 'tracepoint raw_syscalls:sys_enter id=441 fields="long id;unsigned long args[6]" print="\"\""'
	echo 'tracepoint raw_syscalls:sys_exit id=442 fields="long id;long ret" print="\"\""'
	for i in 441 442; do
		echo "event raw_syscalls:$([ $i = 441 ] && echo sys_enter || echo sys_exit) type=tracepoint config=$i period=1 ids=$i" \
			"sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW"
	done
	while read -r time name id ret; do
		case $name in
		enter) echo "sample event=raw_syscalls:sys_enter pid=7 tid=7 time=$time cpu=0 raw=[u16:441,u8:0,u8:0,u32:7,u64:$id,zero:48]" ;;
		exit) echo "sample event=raw_syscalls:sys_exit pid=7 tid=7 time=$time cpu=0 raw=[u16:442,u8:0,u8:0,u32:7,u64:$id,u64:$ret]" ;;
		esac
	done <<-END
		1000 enter 0
		1400 exit 0 -512
		1500 enter 110
		1510 exit 110 1
		1600 enter 15
		1605 exit -1 0
		1700 enter 0
		2700 exit 0 1
		2800 exit 0 1
		3000 enter 35
		3100 enter 35
		3150 exit 35 0
		3900 exit 35 0
	END
} >nested.mkperf
"$mkperf" -o nested nested.mkperf || fail mkperf nested
"$pdtool" heatmap -q --preset syscall --by id --format csv --header nested >facts
equal 'a handler within a call' 'id 0: 2 points, p50 400 ns, p90 1000 ns, p99 1000 ns, max 1000 ns, sum 1400 ns' \
	"$(sed -n 's/^# values: \(id 0:.*\)/\1/p' facts)"
equal 'entered twice, ended twice' 'id 35: 1 points, p50 50 ns, p90 50 ns, p99 50 ns, max 50 ns, sum 50 ns' \
	"$(sed -n 's/^# values: \(id 35:.*\)/\1/p' facts)"
equal 'sigreturn comes back as no call' 'id 15: 1 points, p50 5 ns, p90 5 ns, p99 5 ns, max 5 ns, sum 5 ns' \
	"$(sed -n 's/^# values: \(id 15:.*\)/\1/p' facts)"
equal 'what is left over' '1 begins whose thread began again, 2 ends without a begin' "$(sed -n 's/^# unmatched: //p' facts)"
