#!/bin/sh
# Waits of more than 2^32 ns among shorter ones: before them, after them, in a thread that is put together with another.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# switch TIME PREV NEXT: PREV, which can run on, gives the CPU to NEXT.
switch() {
	echo "sample event=sched:sched_switch time=$1 cpu=0 pid=$2 \\"
	echo "	raw=[u16:314,u8:0,u8:0,u32:$2,t16:a,u32:$2,u32:120,word:0,t16:a,u32:$3,u32:120]"
}
{
	cat <<-'END'
		tracepoint sched:sched_switch id=314 fields="char prev_comm[16];pid_t prev_pid;int prev_prio;long prev_state;char next_comm[16];pid_t next_pid;int next_prio" print="\"\""
		event sched:sched_switch type=tracepoint config=314 period=1 ids=71 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW
	END
	# 10 waits for 1, 2, 7, 3 and 6 s; 11 for 1, 1 and 1 s
	switch 1000000000 10 11
	switch 2000000000 11 10
	switch 3000000000 10 11
	switch 5000000000 11 10
	switch 6000000000 10 11
	switch 13000000000 11 10
	switch 14000000000 10 11
	switch 17000000000 11 10
	switch 18000000000 10 11
	switch 24000000000 11 10
	switch 25000000000 10 12
} >waits.mkperf
"$mkperf" -o waits.data waits.mkperf || exit 1

# of a row: count, max, p50, p90, p99
rows() { "$pdtool" sched latency "$@" --format csv waits.data 2>err | cut -d, -f3,5,7,10,11,13; }
cat >wanted <<'END'
tid,count,max_ns,p50_ns,p90_ns,p99_ns
10,5,7000000000,3000000000,7000000000,7000000000
11,4,1000000000,1000000000,1000000000,1000000000
12,0,,,,
END
rows >got
diff wanted got >difference
result 'by thread' $? "$(cat difference)"
equal 'by command' '9,7000000000,1000000000,7000000000,7000000000' "$(rows --by comm | sed -n 2p | cut -d, -f2-)"
"$pdtool" store add -q waits.db waits.data >added 2>err
equal 'in a store' '9,23000000000,7000000000' "$("$pdtool" store query -q waits.db waits --format csv 2>>err | sed -n '$p' | cut -d, -f2,3,9)"
