#!/bin/sh
# Bounds of what is shown: a few bytes of a capture, or of the command line, ask for any amount.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# ---- text of perf stat ----

# rounds COUNT: the lines that stat shows of so many rounds, of 64 events of which one was read.
rounds() {
	{
		for id in $(seq 64); do echo "event e$id type=software config=2 ids=$id sample_type=IDENTIFIER"; done
		printf '%s\n' 'stat_config config=[0:1,1:100,2:1]' "repeat $1 {" "stat id=7 cpu=-1 val=1+\$i ena=1+\$i run=1+\$i" 'stat_round time=1+$i' '}'
	} >rounds.mkperf
	"$mkperf" -o rounds.data rounds.mkperf
	limited 10 "$pdtool" stat --compat perf rounds.data 2>err | grep -vc '^#'
}
equal 'lines of counters that were not read: up to the bound' "$((16644 * 64)) 0" "$(rounds 16644) $(wc -l <err)"
equal 'lines of counters that were not read: past it' 16645 "$(rounds 16645)"
equal 'they are counted' "$((16645 * 63))" "$(sed 's/.*left out: //' err)"

# ---- branches ----

cat >branches.head <<'END'
event cycles type=hardware config=0 period=1 ids=1 sample_id_all mmap comm task branch_sample_type=ANY sample_type=IP|TID|TIME|BRANCH_STACK
comm pid=7 tid=7 comm=prog time=10
END
# calls COUNT: the frames of the deepest stack by so many open calls.
calls() {
	{
		cat branches.head
		awk -v n="$1" 'BEGIN { printf "sample pid=7 tid=7 time=20 ip=0x500000 branch=["
			for (i = 0; i < n; i++) printf "%s0x%x:0x%x:P|4<<20", i ? "," : "", 4194304 + 16 * i, 4194304 + 16 * (i - 1)
			print "]" }'
	} >calls.mkperf
	"$mkperf" -o calls.data calls.mkperf
	"$pdtool" collapse -q "$2" "$3" --addrs calls.data 2>err | grep -v '^#' | awk '{ n = gsub(/;/, ""); most = n > most ? n : most } END { print most }'
}
equal 'callers by branches: up to the bound' 128 "$(calls 127 --branch-callers --weight=samples)"
equal 'callers by branches: past it' 128 "$(calls 2500 --branch-callers --weight=samples)"
equal 'of each branch: up to the bound' 128 "$(calls 128 --weight branch)"
equal 'of each branch: past it' 128 "$(calls 2500 --weight branch)"

# Two rows for each block without code, of which each sample has 31.
{
	cat branches.head
	echo 'repeat 4100 {'
	awk 'BEGIN { printf "sample pid=7 tid=7 time=20+$i ip=0x500000 branch=["
		for (k = 0; k < 32; k++) printf "%s0x500008+$i*4096+%d:0x500000+$i*4096+%d:P|1<<4", k ? "," : "", 64 * k, 64 * k - 64
		print "]\n}" }'
} >blocks.mkperf
"$mkperf" -o blocks.data blocks.mkperf || exit 1
limited 60 "$pdtool" branches --by block --instructions --limit 125000 blocks.data >got 2>err
equal 'instructions of blocks: up to the bound' "250000 0" "$(grep -c '(no code)$' got) $(grep -c '^left out' got)"
limited 60 "$pdtool" branches --by block --instructions --limit 125007 blocks.data >got 2>err
equal 'instructions of blocks: past it' "250000 left out 7, past 250000 instructions" \
	"$(grep -c '(no code)$' got) $(sed -n 's/^left out  *//p' got | tr -d , | sed 's/^7 /left out 7, /')"

# A function of a MiB, which is read for each block in it.
cat >large.s <<'END'
	.globl _start
	.type _start, @function
_start:
	.fill 131072, 8, 0x0000000000841f0f
	.size _start, . - _start
END
if [ "$(uname -m)" = x86_64 ] && cc -nostdlib -static -no-pie -o large large.s; then
	{
		cat branches.head
		readelf -lW large | awk -v file="$tmp/large" '$1 == "LOAD" && /R E/ { print "mmap pid=7 tid=7 addr=" $3 " len=" $6 " pgoff=" $2 " file=\"" file "\" time=11" }'
		awk 'BEGIN { printf "sample pid=7 tid=7 time=20 ip=0x401000 branch=["
			for (k = 0; k < 19; k++) printf "%s0x%x:0x401000:P|1<<4", k ? "," : "", 4198400 + 8 * k
			print "]" }'
	} >large.mkperf
	"$mkperf" -o large.data large.mkperf || exit 1
	for n in 16 17; do
		limited 60 "$pdtool" branches --by block --instructions --limit $n --allow-unverified --symfs / large.data >got.$n 2>err
	done
	equal 'code that is read for blocks: up to the bound' 0 "$(grep -c '^no instructions' got.16)"
	equal 'code that is read for blocks: past it' 'no instructions of 1 of 17: too much code was read for others' \
		"$(grep '^no instructions' got.17 | tr -s ' ')"
else
	skip 'code that is read for blocks' 'no compiler for x86-64'
fi

# ---- print formats of tracepoints ----

# toy PRINT [COUNT]: COUNT (2) events that are shown so, in toy.data.
toy() {
	cat >toy.mkperf <<-END
	tracepoint toy:open id=900 fields="u64 key" print="$1"
	event toy:open type=tracepoint config=900 period=1 ids=1 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW
	repeat ${2:-2} {
	sample pid=7 time=1000+\$i raw=[u16:900,u8:0,u8:0,u32:7,u64:5]
	}
	END
	"$mkperf" -o toy.data toy.mkperf || exit 1
}

# rep COUNT TEXT
rep() { text=$2 awk -v n="$1" 'BEGIN { while (n--) printf "%s", ENVIRON["text"] }'; }

# shown: what script shows of the last event, blanks squeezed
shown() { (ulimit -v 300000; limited 10 "$pdtool" script -q toy.data | sed -n '$s/.*open: *//p' | tr -s ' '); }

toy '\"%4096llu\", REC->key'
equal 'a width up to the bound' '5' "$(shown)"
toy '\"%4097llu\", REC->key'
equal 'a width past the bound' '[FAILED TO PARSE] key=5' "$(shown)"
toy '\"%-999999999llu\", REC->key'
equal 'a width that asks for a gigabyte' '[FAILED TO PARSE] key=5' "$(shown)"
toy '\"%.999999999llu\", REC->key'
equal 'digits that ask for a gigabyte' '[FAILED TO PARSE] key=5' "$(shown)"
# quotes, comma, blank and argument are 12 more
toy "\\\"$(rep 16372 x)\\\", REC->key"
equal 'a format up to the bound' 16372 "$(shown | tr -d '\n' | wc -c)"
toy "\\\"$(rep 16374 x)\\\", REC->key"
equal 'a format past the bound' '[FAILED TO PARSE] key=5' "$(shown)"
toy "\\\"$(rep 100 %4000u)\\\"$(rep 100 ', 5')"
equal 'many widths: the text ends' '5 5 5 5 5 ...' "$(shown)"
"$pdtool" script -q toy.data | tail -1 | wc -c | awk '{ exit !($1 > 16384 && $1 < 24000) }'
result 'many widths: beyond the bound' $?
toy "\\\"%s\\\", __print_flags(REC->key, \\\"|\\\", $(rep 500 '{ 4, \"four\" }, ') { 1, \\\"one\\\" })"
equal 'a list of flags up to the bound' 'four|one' "$(shown)"
# What is read of a format is read once, not for each event.
toy "\\\"%llu\\\", $(rep 200000 'REC->key ? 1 : ') 2" 20000
limited 10 "$pdtool" report -q -s toy:open.key --format csv toy.data >got 2>err
result 'a key of events with a long format' $? "$(cat err)"
equal 'and its row' 1 "$(records <got | grep -c 20000)"

# ---- heat maps and steps ----

# refused NAME COMMAND...: an error, at once.
refused() {
	name=$1
	shift
	(ulimit -v 300000; limited 5 "$pdtool" "$@" >got 2>err)
	status=$?
	[ $status -gt 0 ] && [ $status -lt 3 ] && grep -q '^pdtool: ' err
	result "$name" $? "$status $(head -2 err)"
}
cat >far.mkperf <<'END'
event cpu-clock type=software config=0 period=1000 ids=1 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD
sample pid=7 time=1000 ip=0x10
sample pid=7 time=100000000000000 ip=0x10 period=1000000
END
"$mkperf" -o far.data far.mkperf || exit 1
refused 'columns of a heat map' heatmap --value period --step 1us far.data
refused 'rows of a heat map' heatmap --value period --step 1000s --rows 10001 far.data
refused 'cells of a heat map' heatmap --value period --step 200ms --rows 1000 far.data
refused 'steps of abstime' abstime --step 1ns far.data

# said TEXT: on standard error, once.
said() {
	equal "$1: is said" 1 "$(grep -cF "$2" err)"
	grep -qF "$2" err || show err
}

# ---- what waits for its other half ----

# waiting COUNT: I/Os that never end.
waiting() {
	cat >waiting.mkperf <<-END
	tracepoint block:block_rq_issue id=903 fields="dev_t dev;sector_t sector;unsigned int nr_sector;u64 bytes;char rwbs[10];char comm[16]" print="\"\""
	tracepoint block:block_rq_complete id=904 fields="dev_t dev;sector_t sector;unsigned int nr_sector;int error;char rwbs[10]" print="\"\""
	event block:block_rq_issue type=tracepoint config=903 period=1 ids=1 sample_id_all sample_type=IDENTIFIER|TID|TIME|CPU|RAW
	event block:block_rq_complete type=tracepoint config=904 period=1 ids=2 sample_id_all sample_type=IDENTIFIER|TID|TIME|CPU|RAW
	repeat $1 {
	sample event=block:block_rq_issue pid=7 time=1000+\$i raw=[u16:903,u8:0,u8:0,u32:7,u32:8,zero:4,u64:\$i*8,u32:8,zero:4,u64:4096,t10:R,t16:w,zero:2]
	}
	sample event=block:block_rq_complete pid=7 time=900000000 raw=[u16:904,u8:0,u8:0,u32:7,u32:8,zero:4,u64:($1-1)*8,u32:8,u32:0,t10:R,zero:2]
	END
	"$mkperf" -o waiting.data waiting.mkperf || exit 1
	"$pdtool" block waiting.data >got 2>err
	rm waiting.data
}
waiting 1048578
equal 'I/Os in flight: are said' 1 "$(tr -d , <got | grep -c '2 given up as too many were under way')"
equal 'I/Os in flight: the newest is not one of them' 1 "$(tr -d , <got | grep -c '1048577 issues without completion$')"

# ---- mappings that bundle-list looks at ----

# shared CHILDREN: that have 60,000 mappings of their parent.
shared() {
	cat >shared.mkperf <<-END
	event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|REGS_USER|STACK_USER regs_user=0x1c0 stack_user=64
	arch x86_64
	repeat 60000 {
	mmap pid=1 addr=0x10000+\$i*0x2000 len=0x1000 file=/lib/a time=10
	}
	repeat $1 {
	fork pid=2+\$i ppid=1 time=11
	sample pid=2+\$i time=12 ip=0x10010 regs_abi=2 regs_user=[0,0x7ff000,0x10010] stack=[u64:1] dyn_size=8
	}
	END
	"$mkperf" -o shared.data shared.mkperf || exit 1
	limited 20 "$pdtool" bundle-list shared.data >got 2>err
	result "bundle-list of $1 children" $? "$(cat err)"
}
shared 833
equal 'mappings that bundle-list looks at: up to the bound' 0 "$(grep -c 'past\|more than' err)"
shared 836
said 'mappings that bundle-list looks at' 'past 50000000'

# ---- lanes of a timeline ----

# lanes COUNT: threads that each get a CPU once
lanes() {
	cat >lanes.mkperf <<-END
	tracepoint sched:sched_switch id=314 fields="char prev_comm[16];pid_t prev_pid;int prev_prio;long prev_state;char next_comm[16];pid_t next_pid;int next_prio" print="\"\""
	event sched:sched_switch type=tracepoint config=314 period=1 ids=1 sample_id_all sample_type=IDENTIFIER|TID|TIME|CPU|RAW
	repeat $1 {
	sample pid=7+\$i cpu=0 time=1000+\$i*1000 raw=[u16:314,u8:0,u8:0,u32:7,t16:one,u32:7+\$i,u32:120,u64:1,t16:two,u32:8+\$i,u32:120]
	}
	END
	"$mkperf" -o lanes.data lanes.mkperf && "$pdtool" sched timeline --by thread lanes.data >got 2>err
	result "a timeline of $1 threads" $? "$(cat err)"
}
lanes 4999
equal 'lanes of a timeline: up to the bound' 0 "$(grep -c 'lanes are left out' got)"
lanes 5100
# the idle task is one more than the threads that are shown
equal 'lanes of a timeline: the drawing says it' '99 lanes are left out' "$(grep -o '99 lanes are left out' got | head -1)"

# ---- elements of a flame graph ----

# elements COUNT: a flame graph of so many functions beside one another.
elements() {
	awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) print "r" i, 1 }' >wide.folded
	"$pdtool" flamegraph --minwidth 0 -o wide.svg wide.folded 2>err
	result "a flame graph of $1 functions" $? "$(cat err)"
}
elements 14000
all=$(sed '/<script/,$d' wide.svg | grep -c '<title>')
elements 16000
some=$(sed '/<script/,$d' wide.svg | grep -c '<title>')
[ "$all" -ge 14000 ] && [ "$some" -lt 14000 ]
result 'elements of a flame graph: past the bound only the widest are' $? "$all $some"

# ---- call paths of a difference ----

# deep COUNT: so many stacks of 2,001 frames each, in before.folded and after.folded
deep() {
	for side in before after; do
		awk -v n="$1" 'BEGIN {
			print "# pdtool sample=1 unit=samples event=cycles 0"
			for (k = 0; k < n; k++) {
				printf "r%d", k
				for (d = 0; d < 2000; d++)
					printf ";f%d", d
				print " 100"
			}
		}' >$side.folded
	done
	(ulimit -v 300000; limited 10 "$pdtool" diff --by stack before.folded after.folded >got 2>err)
	result "call paths: $1 stacks" $?
}
weights() { sed -n 's/^found .*among \([0-9,]*\) weights.*/\1/p' got; }

# a weight of each frame, of the root, and of the ends themselves
deep 124
equal 'call paths: up to the bound' 248,249 "$(weights)"
# of a stack past the bound that of its last frame
deep 130
equal 'call paths: past the bound' 248,261 "$(weights)"

# ---- nodes ----

# scattered COUNT: a capture of a machine where each of so many CPUs of a node lies apart
scattered() {
	awk -v n="$1" 'BEGIN { printf "feature 14 u32:1 u32:0 u64:1 u64:1 str:0"; for (i = 1; i < n; i++) printf ",%d", 2 * i; print "" }' |
		cat - "$top/tests/oracle/mem.mkperf" >scattered.mkperf
	"$mkperf" -o scattered.data scattered.mkperf
	"$pdtool" mem --lines scattered.data >got 2>err
	echo "$? $(grep -c 'NUMA_TOPOLOGY' err)"
}
equal 'CPUs of nodes: up to the bound' '0 0' "$(scattered 65536)"
equal 'CPUs of nodes: past the bound' '0 1' "$(scattered 65537)"

# ---- namespaces ----

# spaces COUNT: so many threads, each in namespaces of its own, and one that comes again
spaces() {
	cat >spaces.mkperf <<-END
	event cpu-clock type=software config=0 period=1 sample_id_all ids=1 comm task namespaces sample_type=IDENTIFIER|IP|TID|TIME|PERIOD
	repeat $1 {
	namespaces pid=100+\$i tid=100+\$i ns=[4:1,4:2,4:3,4:4,4:5,4:6,4:1000+\$i] time=2
	}
	namespaces pid=7 tid=7 ns=[4:1,4:2,4:3,4:4,4:5,4:6,4:1000] time=2
	sample pid=7 tid=7 time=1000 ip=0x1000
	sample pid=100+$1-1 tid=100+$1-1 time=1000 ip=0x1000
	END
	"$mkperf" -o spaces.data spaces.mkperf
	"$pdtool" report --no-children --format csv -s cgroup_id spaces.data 2>err | sed 1d | sed 's/.*,//' | sort | tr '\n' ' '
	grep -c 'namespaces of threads, past 65536' err
}
equal 'namespaces: up to the bound' '4/0x103e7 4/0x3e8 0' "$(spaces 65536)"
equal 'namespaces: past the bound' '0/0x0 4/0x3e8 1' "$(spaces 65537)"

# ---- files of events ----

# events COUNT: a capture of so many, a sample of the first
events() {
	awk -v n="$1" 'BEGIN {
		for (i = 0; i < n; i++)
			printf "event e%d type=hardware config=%d period=1 ids=%d sample_id_all sample_type=IDENTIFIER|IP|TID|TIME\n", i, i, i + 1
		print "sample event=e0 pid=7 tid=7 time=20 ip=0x1000"
	}' >events.mkperf && "$mkperf" -o events.data events.mkperf
}
events 900 && "$pdtool" script -q --per-event-dump events.data >/dev/null 2>err
equal 'files of events: up to the bound' 900 "$(ls events.data.*.dump | wc -l)"
rm -f events.data.*.dump
events 901 && "$pdtool" script -q --per-event-dump events.data >/dev/null 2>err
equal 'files of events: past the bound' "2 $(ls events.data.*.dump 2>/dev/null | wc -l)" "$? 0"
