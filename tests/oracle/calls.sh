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

# Interrupts: a soft one (vec 3, from 1000 to 1900) that two hard ones hit, of which the first (irq 9, 1100 to 1600) is hit by
# another (irq 5, 1200 to 1250); thread 7 sees them all on CPU 0, and one more on CPU 1, where it is when irq 9 there begins. An
# interrupt whose end is lost (irq 5, 2000) is not ended by the next end of it.
{
	echo 'tracepoint irq:irq_handler_entry id=451 fields="int irq;__data_loc char[] name" print="\"\""'
	echo 'tracepoint irq:irq_handler_exit id=452 fields="int irq;int ret" print="\"\""'
	echo 'tracepoint irq:softirq_entry id=453 fields="unsigned int vec" print="\"\""'
	echo 'tracepoint irq:softirq_exit id=454 fields="unsigned int vec" print="\"\""'
	for i in 451:irq_handler_entry 452:irq_handler_exit 453:softirq_entry 454:softirq_exit; do
		echo "event irq:${i#*:} type=tracepoint config=${i%:*} period=1 ids=${i%:*}" \
			"sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW"
	done
	while read -r time name cpu number; do
		case $name in
		entry) event=irq_handler_entry id=451 flags=9 rest=u32:0 ;;
		exit) event=irq_handler_exit id=452 flags=9 rest=u32:1 ;;
		soft) event=softirq_entry id=453 flags=16 rest=zero:4 ;;
		done) event=softirq_exit id=454 flags=16 rest=zero:4 ;;
		esac
		echo "sample event=irq:$event pid=7 tid=7 time=$time cpu=$cpu raw=[u16:$id,u8:$flags,u8:0,u32:7,u32:$number,$rest]"
	done <<-END
		1000 soft 0 3
		1100 entry 0 9
		1200 entry 0 5
		1250 exit 0 5
		1300 entry 1 9
		1340 exit 1 9
		1600 exit 0 9
		1700 entry 0 5
		1710 exit 0 5
		1900 done 0 3
		2000 entry 0 5
		3000 entry 0 5
		3020 exit 0 5
	END
} >irqs.mkperf
"$mkperf" -o irqs irqs.mkperf || fail mkperf irqs
"$pdtool" heatmap -q --events irq_handler_entry,irq_handler_exit --by irq --format csv --header irqs >facts
equal 'nested interrupts: the outer one' 'irq 9: 2 points, p50 40 ns, p90 500 ns, p99 500 ns, max 500 ns, sum 540 ns' \
	"$(sed -n 's/^# values: \(irq 9:.*\)/\1/p' facts)"
equal 'nested interrupts: the inner one' 'irq 5: 3 points, p50 20 ns, p90 50 ns, p99 50 ns, max 50 ns, sum 80 ns' \
	"$(sed -n 's/^# values: \(irq 5:.*\)/\1/p' facts)"
equal 'nested interrupts: what is left over' '1 begins whose thread began again' "$(sed -n 's/^# unmatched: //p' facts)"
"$pdtool" heatmap -q --events softirq_entry,softirq_exit --by vec --format csv --header irqs >facts
equal 'a soft interrupt around them' 'vec 3: 1 points, p50 900 ns, p90 900 ns, p99 900 ns, max 900 ns, sum 900 ns' \
	"$(sed -n 's/^# values: \(vec 3:.*\)/\1/p' facts)"
"$pdtool" heatmap -q --events irq_handler_entry,irq_handler_exit --by comm --format csv irqs | awk -F, 'NR > 1 { n[$5] += $4 } END { for (c in n) print c, n[c] }' >got
equal 'they are those of nobody' '[irq] 5' "$(cat got)"

"$pdtool" heatmap -q --preset syscall --by id --format csv --header nested >facts
equal 'a handler within a call' 'id 0: 2 points, p50 400 ns, p90 1000 ns, p99 1000 ns, max 1000 ns, sum 1400 ns' \
	"$(sed -n 's/^# values: \(id 0:.*\)/\1/p' facts)"
equal 'entered twice, ended twice' 'id 35: 1 points, p50 50 ns, p90 50 ns, p99 50 ns, max 50 ns, sum 50 ns' \
	"$(sed -n 's/^# values: \(id 35:.*\)/\1/p' facts)"
equal 'sigreturn comes back as no call' 'id 15: 1 points, p50 5 ns, p90 5 ns, p99 5 ns, max 5 ns, sum 5 ns' \
	"$(sed -n 's/^# values: \(id 15:.*\)/\1/p' facts)"
equal 'what is left over' '1 begins whose thread began again, 2 ends without a begin' "$(sed -n 's/^# unmatched: //p' facts)"

# ---- names: programs of 32 bits on a kernel of 64 have numbers of their own ----

# programs FILE ARCH: the lines on stdin are "fork PID PPID", "exec PID", "old PID" (an exec that is not told as one),
# "map PID ADDRESS FILE", and "PID NUMBER": a system call.
programs() {
	{
		printf 'host vm\narch %s\n' "$2"
		sed -n '/^tracepoint/p; /^event/p' nested.mkperf
		time=1000
		while read -r what pid at file; do
			time=$((time + 10))
			case $what in
			fork) echo "fork pid=$pid tid=$pid ppid=$at ptid=$at time=$time" ;;
			exec) echo "comm pid=$pid comm=p$pid exec time=$time" ;;
			old) echo "comm pid=$pid comm=p$pid time=$time" ;;
			map) echo "mmap pid=$pid tid=$pid addr=$at len=0x1000 file=$file time=$time" ;;
			*)
				for i in 441 442; do
					time=$((time + 1))
					echo "sample event=raw_syscalls:$([ $i = 441 ] && echo sys_enter || echo sys_exit) pid=$what tid=$what" \
						"time=$time cpu=0 raw=[u16:$i,u8:0,u8:0,u32:$what,u64:$pid,$([ $i = 441 ] && echo zero:48 || echo u64:0)]"
				done
				;;
			esac
		done
	} >"$1.mkperf"
	"$mkperf" -o "$1" "$1.mkperf" || fail "mkperf $1"
}
# lanes FILE: the heat map's, and how many points each has.
lanes() {
	"$pdtool" heatmap -q --preset syscall --by call --header --format csv "$1" | sed -n 's/^# values: \(.*\): \([0-9]*\) points,.*/\1 \2/p' | sort
}
programs mixed x86_64 <<END
exec 1
map 1 0x400000 /bin/one
1 3
map 1 0x7f0000000000 /lib64/ld-linux-x86-64.so.2
1 3
fork 2 1
2 3
exec 2
2 3
map 2 0x8048000 /bin/two
2 3
map 2 0xf7f00000 [vdso]
2 3
fork 3 2
3 11
exec 3
map 3 0x400000 /bin/three
map 3 0x7ffff7f00000 [vdso]
3 11
fork 4 1
old 4
map 4 0x8048000 /bin/four
map 4 0xf7f00000 [vdso]
4 4
exec 5
map 5 0x8048000 /bin/five
map 5 0xfffff000 /edge
5 4
map 5 0xfffff001 /beyond
5 4
exec 6
map 6 0x400000 /bin/six
map 6 0xf7f00000 [vdso]
6 0x40000203
9 4
END
cat >want <<END
close 2
execve (i386) 1
id 3 (x86_64 or i386) 3
id 4 (x86_64 or i386) 2
munmap 1
read (i386) 1
readv (x32) 1
stat 1
write (i386) 1
END
lanes mixed >got
same 'names of system calls by the program' want got
"$pdtool" summary -q --format csv mixed | awk -F, '$1 == "calls" && $3 == "name" { print $4 }' | sort >got
"$pdtool" summary -q --format csv mixed | awk -F, '$1 == "calls" && $3 == "call" { print $4 }' | grep -v '^id [0-9]*$' && fail 'numbers in the summary' 'there is more'
awk '{ NF--; print }' want | grep -Fxf - got | cmp -s - got && [ -s got ] && ok 'the summary has the same names' || fail 'the summary has the same names' "$(cat got)"

programs arm aarch64 <<END
exec 1
map 1 0xaaaa00000000 /bin/one
1 63
exec 2
map 2 0x10000 /bin/two
map 2 0xffff0000 [vectors]
2 63
exec 3
map 3 0x10000 /bin/three
map 3 0xf7f00000 [sigpage]
3 4
exec 4
map 4 0x10000 /bin/four
4 63
END
printf 'id 4 (arm) 1\nid 63 (aarch64 or arm) 1\nid 63 (arm) 1\nread 1\n' >want
lanes arm >got
same 'names of system calls: arm on aarch64' want got
programs small i686 <<END
exec 1
map 1 0x8048000 /bin/one
1 3
map 1 0xb7f00000 [vdso]
1 4
END
printf 'read 1\nwrite 1\n' >want
lanes small >got
same 'names of system calls: a kernel of 32 bits' want got
