#!/bin/sh
# Threads, processes and tasks of which each is another: what each of them takes, by the memory of a process. A sample of
# a thread is 32 bytes in the capture, a FORK and a switch are 64 and 128, and memory is at most ten times that.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

cat >threads.mkperf <<'END2'
event cpu-clock type=software config=0 period=1 sample_id_all sample_type=IP|TID|TIME
repeat 400000 {
sample pid=1 tid=1000+$i time=1000+$i ip=0x401000
}
END2
sed 's/pid=1 /pid=1000+$i /' threads.mkperf >processes.mkperf
cat >head.mkperf <<'END2'
tracepoint sched:sched_switch id=314 fields="char prev_comm[16];pid_t prev_pid;int prev_prio;long prev_state;char next_comm[16];pid_t next_pid;int next_prio" print="\"\""
event sched:sched_switch type=tracepoint config=314 period=1 ids=71 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW
END2
# One task after the other, each of which runs once.
cat head.mkperf - >tasks.mkperf <<'END2'
repeat 200000 {
sample event=sched:sched_switch time=1000+$i*1000 cpu=0 pid=10+$i \
	raw=[u16:314,u8:0,u8:0,u32:10+$i,t16:a$i,u32:10+$i,u32:120,word:1,t16:a${$i+1},u32:11+$i,u32:120]
}
END2
# Tasks that are announced and never run.
cat head.mkperf - >forks.mkperf <<'END2'
sample event=sched:sched_switch time=1000 cpu=0 pid=10 \
	raw=[u16:314,u8:0,u8:0,u32:10,t16:a,u32:10,u32:120,word:1,t16:b,u32:11,u32:120]
repeat 400000 {
fork pid=1000+$i ppid=1 time=2000+$i
}
sample event=sched:sched_switch time=1000000 cpu=0 pid=11 \
	raw=[u16:314,u8:0,u8:0,u32:11,t16:b,u32:11,u32:120,word:1,t16:a,u32:10,u32:120]
END2
for file in threads processes tasks forks; do "$mkperf" -o $file.data $file.mkperf || exit 1; done

sed 's/400000/1/' threads.mkperf >one.mkperf
"$mkperf" -o one.data one.mkperf || exit 1
floor_of "$pdtool" info -q -j 1 one.data

# within KB ROWS COMMAND...: it ends well in so much more, with as many lines at least.
within() {
	kb=$1 rows=$2
	shift 2
	( ulimit -v $((floor + kb)); "$pdtool" "$@" -q -j 1 >got 2>err )
	equal "$* in $kb KiB" "0 yes" "$? $([ "$(grep -c . got)" -ge "$rows" ] && echo yes)"
}
within 48000 1 info threads.data
within 157000 400000 collapse threads.data
within 170000 400000 report threads.data
within 202000 1 summary threads.data

within 106000 1 info processes.data
within 217000 400000 collapse processes.data
within 227000 400000 report processes.data
within 262000 1 summary processes.data

within 53000 1 info tasks.data
within 194000 199990 sched latency tasks.data
within 130000 199990 sched timehist tasks.data
within 134000 199990 sched timehist -s tasks.data
within 277000 1 summary tasks.data

within 132000 1 info forks.data
within 212000 2 sched latency forks.data
within 174000 2 sched timehist forks.data
within 222000 1 summary forks.data
