#!/bin/sh
# A cut says of its samples what the whole says of them with the same filters; a capture that is mended has all that is whole,
# and perf reads it; the file that was there is not lost.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
r=$data/recorded

# cut OUT INPUT OPTION...
cut_to() {
	out=$1
	shift
	"$pdtool" cut -q -o "$out" "$@" >said 2>err
}
# told FILE OPTION...: what commands say of it. Percentages are of different wholes, and rows are in the order of these.
told() {
	for command in collapse script 'report --format csv -s comm,dso,sym,cpu' 'report --format csv -s pid,tid,socket --weight period'; do
		"$pdtool" $command -q "$@" 2>/dev/null | case $command in report*) cut -d, -f3- | sort ;; *) cat ;; esac
	done
}
# as_filtered NAME CAPTURE OPTION...: the cut is as the whole with these options, and cut again it is the same.
as_filtered() {
	name=$1 capture=$2
	shift 2
	cut_to part.data "$@" "$capture" || { fail "$name: $*" "$(cat err)"; return; }
	told "$@" "$capture" >want
	told part.data >got
	same "$name: $*" want got
	case $* in *%*) ;; *) cut_to again.data "$@" part.data && cmp -s part.data again.data; result "$name: $*, again" $? ;; esac
}

# ---- as the whole with filters ----

for capture in 02-x86_64-k3.8-callgraph-fp-systemwide.perf.data.zst 04-pipe-k4.4-lost_samples-3events.perf.data \
	09-aarch64-k6.5-zstd.perf.data 12-x86_64-k6.3-sched_switch+user_events.perf.data.zst 16-aarch64-k4.0-3hwevents.perf.data.zst \
	18-x86_64-k6.17-callchain-throttle.perf.data.zst 22-x86_64-k5.3-callchain-golden.perf.data.zst \
	23-x86_64-k6.12-lbr-callgraph.perf.data.zst; do
	input=$r/foreign/$capture name=${capture%%-*}
	as_filtered "$name" "$input" --time 20%-70%
	comm=$("$pdtool" report -q --no-header -s comm --format csv "$input" 2>/dev/null | sed '1d; s/.*,//; s/"//g; /^:/d' | tail -n 1)
	as_filtered "$name" "$input" --comms "$comm"
done
x=$r/x86_64
for input in $x/modes/pipe612.data $x/modes/pipezstd.data $x/modes/zstd.data $x/modes/threads2.data $x/multi_event/multi.data.zst \
	$r/script/tpmix.data.zst $r/script/regs.data.zst $r/script/dwarf.data.zst $r/script/cgroup.data.zst; do
	name=${input##*/}
	as_filtered "$name" "$input" --time 30%-60%
	event=$("$pdtool" info --counts --format csv "$input" 2>/dev/null | sed -n 's/^event,\(.*\),[1-9][0-9]*$/\1/p' | tail -n 1)
	as_filtered "$name" "$input" --event "$event"
done
pid=$("$pdtool" report -q -s pid --format csv "$x/multi_event/multi.data.zst" | tail -n 1 | sed 's/.*,//; s/"//g; s/[^0-9].*//')
as_filtered multi "$x/multi_event/multi.data.zst" --cpu 0
as_filtered multi "$x/multi_event/multi.data.zst" --pid "$pid"
as_filtered tpmix "$r/script/tpmix.data.zst" --filter 'common_pid > 100'

# Values of counters that samples read grow by those that are there alone.
for input in $x/multi_event/group.data $r/script/groupS.data.zst; do
	cut_to part.data --time 40%-70% "$input"
	for command in collapse script; do
		"$pdtool" $command -q --time 40%-70% "$input" >want 2>err
		"$pdtool" $command -q part.data >got 2>err
		same "${input##*/}: counters in groups, $command" want got
	done
	"$pdtool" collapse -q --event cpu-clock "$input" >want 2>err
	cut_to part.data --event cpu-clock "$input" && "$pdtool" collapse -q part.data >got 2>err
	same "${input##*/}: one of the group" want got
done

# No filter: nothing is lost, and the same comes again.
for input in $r/foreign/08-*.zst $r/foreign/07-* $r/foreign/19-* $r/foreign/24-*.zst $r/android/sp_lbr.data.zst $r/android/hp_dwarf.data.zst \
	$r/stat/stat-I.data.zst $x/modes/aio.data; do
	name=${input##*/}
	cut_to all.data "$input" || fail "$name: whole" "$(cat err)"
	"$pdtool" info --counts "$input" >want 2>err
	"$pdtool" info --counts all.data >got 2>err
	same "$name: all records" want got
	cut_to again.data all.data && cmp -s all.data again.data
	result "$name: again" $?
done
"$pdtool" info --counts "$x/modes/threads2.data" | grep -v 'FINISHED_ROUND' >want 2>err
cut_to all.data "$x/modes/threads2.data" && "$pdtool" info --counts all.data >got 2>err
same 'a directory: all records but ends of rounds' want got

# All forms of one text give one cut, each in its own byte order.
for text in "$data"/synthetic/basic.mkperf "$data"/synthetic/offcpu.mkperf; do
	for form in '--endian little' '--endian big' '--mode pipe' '--mode pipe --endian big' '--zstd' '--zstd2' '--mode v1' '--word 32 --endian big' '--shuffle-cpus'; do
		"$mkperf" $form -o form.data "$text" 2>err || continue
		as_filtered "${text##*/} $form" form.data --time 10%-60%
		as_filtered "${text##*/} $form" form.data --cpu 0-1
	done
done

# Switches are filtered as the events that they are, hardware traces go with a filter, and what is told of both.
cut_to part.data --time 30%-60% "$r/script/switch.data.zst" && grep -q 'context switches taken out by filters' said
result 'switches: told' $?
"$pdtool" script -q --show-switch-events part.data | grep -c SWITCH >got
"$pdtool" script -q --show-switch-events --time 30%-60% "$r/script/switch.data.zst" | grep -c SWITCH >want
same 'switches: those in the range' want got
"$pdtool" cut -o part.data --time 0, "$r"/foreign/08-*.zst >said 2>err && grep -q 'hardware traces (AUX) dropped' said && grep -q 'AUX' err
result 'AUX: told' $?
equal 'AUX: gone' '' "$("$pdtool" info part.data | grep -E 'AUX(TRACE)? *$')"
cut_to part.data --time 30%-60% "$x/damaged/whole.data"
"$pdtool" info part.data | grep -q '^features .*SAMPLE_TIME(16)' && ! "$pdtool" script -q --time 0%-10% part.data | cmp -s - /dev/null
result 'the times of samples' $?

# ---- mended ----

mended=0 refused=0 wrong= lengths=$(some 100)
for input in "$x/damaged/whole.data" "$x/multi_event/group.data" "$r/foreign/07-pipe-k6.10-perf6.12-features.perf.data" "$r/foreign/09-aarch64-k6.5-zstd.perf.data"; do
	size=$(stat -c %s "$input")
	for i in $(seq 1 "$lengths"); do
		head -c $((size * i / (lengths + 1))) "$input" >short.data
		"$pdtool" info --counts --format csv short.data >want 2>err || { refused=$((refused + 1)); continue; }
		cut_to mended.data --allow-empty short.data && "$pdtool" info --counts --format csv mended.data >got 2>err || wrong="$wrong ${input##*/}:$i"
		for kind in SAMPLE MMAP MMAP2 COMM FORK EXIT; do
			[ "$(grep "^record,$kind," want)" = "$(grep "^record,$kind," got)" ] || wrong="$wrong ${input##*/}:$i:$kind"
		done
		[ "$(grep 'truncated\|damaged\|killed' got)" = '' ] || wrong="$wrong ${input##*/}:$i:damage"
		mended=$((mended + 1))
	done
done
equal 'lengths of 4 captures' '' "$wrong"
[ $mended -gt $((lengths * 5 / 2)) ] && [ $((mended + refused)) = $((lengths * 4)) ]
result 'most of them can be mended' $? "$mended, and $refused refused"
for input in "$x"/damaged/*.data "$x"/damaged/*.data.zst "$r"/foreign/20-*; do
	cut_to mended.data "$input" || { fail "${input##*/}: mended" "$(cat err)"; continue; }
	"$pdtool" collapse -q "$input" >want 2>err
	"$pdtool" collapse -q mended.data >got 2>err
	same "${input##*/}: mended" want got
	equal "${input##*/}: sound" 0 "$("$pdtool" info --strict mended.data 2>&1 >/dev/null | grep -c 'truncated\|skipped\|killed\|damaged')"
done

# ---- files ----

cp "$x/damaged/whole.data" in.data && cp in.data kept.data
"$pdtool" cut -o in.data in.data >out 2>err
equal 'the input is no output: status' 2 $?
cmp -s in.data kept.data && grep -q 'is an input' err
result 'and stays' $?
ln in.data link.data && "$pdtool" cut -o link.data in.data >out 2>err
equal 'nor by another name' 2 $?
"$pdtool" cut -o kept.data --comms nosuch in.data >out 2>err
equal 'nothing passes: status' 1 $?
cmp -s in.data kept.data
result 'and the old file stays' $?
"$pdtool" cut -o no/such/dir in.data >out 2>err
equal 'no directory' 1 $?
cut_to one.data --time 20%-50% in.data
"$pdtool" cut -q -o - --time 20%-50% in.data >two.data 2>err
same 'standard output' one.data two.data
"$pdtool" cut -q -o - --time 20%-50% - <in.data >two.data 2>err
same 'standard input' one.data two.data
cat in.data | "$pdtool" cut -q -o - --time 20%-50% - 2>err | cat >two.data
same 'pipes' one.data two.data
cat "$x/modes/pipe612.data" | "$pdtool" cut -q -o - --tid 0-100000000 - 2>err | cat >two.data
cut_to one.data --tid 0-100000000 "$x/modes/pipe612.data"
same 'a pipe of its own form' one.data two.data
"$pdtool" cut in.data >out 2>err
equal 'without a name' 2 $?
"$pdtool" cut -o out.data --dsos work in.data >out 2>err
equal 'a filter by names' 2 $?

# ---- without names ----

# Each text in it that tells of somebody begins with "secret".
cat >secret.mkperf <<'END'
host secrethost
release 6.1.0-42
arch x86_64
cmdline perf record -a -o secret.data --secretoption
build_id 00112233445566778899aabbccddeeff00112233 /home/secretuser/secretdir/secretlib.so
event cycles type=hardware config=0 period=7 ids=1 sample_id_all mmap comm task \\
	sample_type=IDENTIFIER|IP|TID|TIME|CALLCHAIN|CPU|PERIOD
event sched:sched_switch type=tracepoint config=300 period=1 ids=2 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW
event syscalls:sys_enter_openat type=tracepoint config=301 period=1 ids=3 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW
event probe_secretapp:secretfn type=tracepoint config=302 period=1 ids=4 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW
event task-clock type=software config=1 period=5 ids=5 sample_id_all regs_user=0x3 stack_user=64 regs_intr=0x3 \\
	sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|REGS_USER|STACK_USER|WEIGHT|REGS_INTR|CGROUP
tracepoint sched:sched_switch id=300 fields="char prev_comm[16];pid_t prev_pid;char next_comm[16];pid_t next_pid" print="\"%s\", REC->prev_comm"
tracepoint syscalls:sys_enter_openat id=301 fields="int nr;__data_loc char[] filename" print="\"%s\", __get_str(filename)"
tracepoint probe_secretapp:secretfn id=302 fields="unsigned long __probe_ip;__data_loc char[] secretarg" print="\"%lx\", REC->__probe_ip"
thread_map threads=[10:secretcomm]
comm pid=10 comm=secretcomm time=1
comm pid=11 comm=secretother time=1
mmap2 pid=10 addr=0x400000 len=0x10000 file=/home/secretuser/secretdir/secretprog time=2
mmap2 pid=10 addr=0x500000 len=0x10000 file=/home/secretuser/secretdir/secretlib.so time=2
mmap2 pid=11 addr=0x500000 len=0x10000 file=/opt/secretuser/secretlib.so time=2
mmap pid=10 addr=0x600000 len=0x1000 file="/memfd:secretmem (deleted)" time=2
mmap pid=10 addr=0x7fff0000 len=0x1000 file=[vdso] time=2
mmap pid=-1 tid=0 addr=0xffffffffc0000000 len=0x10000 file=/lib/modules/6.1.0-42/secret/secretmod.ko time=2
ksymbol addr=0xffffffffc1000000 len=0x100 name=bpf_prog_0011223344556677_secretbpf time=3
bpf_event prog_id=7 tag=0011223344556677 time=3
cgroup cgroup=99 path=/secretslice/secretunit time=3
unknown 60 t:secretunknown zero:3
END
cat >>secret.mkperf <<'END'
sample event=cycles pid=10 time=10 ip=0x400100 chain=[user:0x400100,0x500200]
sample event=cycles pid=10 time=11 ip=0x500300 chain=[user:0x500300,0x400200]
sample event=cycles pid=11 time=12 ip=0x500300 chain=[user:0x500300]
sample event=cycles pid=10 time=13 ip=0xffffffffc0000100 chain=[kernel:0xffffffffc0000100,user:0x400100]
sample event=cycles pid=10 time=14 ip=0xffffffffc1000010 chain=[kernel:0xffffffffc1000010,user:0x400100]
sample event=sched:sched_switch pid=10 time=15 ip=0 raw=u16:300,u8:0,u8:0,u32:10,t16:secretcomm,u32:10,t16:secretother,u32:11
sample event=syscalls:sys_enter_openat pid=10 time=16 ip=0 raw=u16:301,u8:0,u8:0,u32:10,u32:257,u32:0x120010,z:/home/secretfile,t:secretgarbage
sample event=probe_secretapp:secretfn pid=10 time=17 ip=0 raw=u16:302,u8:0,u8:0,u32:10,u64:0x400100,u32:0xa0014,z:secretval
sample event=task-clock pid=10 time=18 ip=0x400100 regs_user=[0x6572636573,0x7fff0010] stack=t:secretstackbytes dyn_size=16 weight=3 regs_intr=[0x746572636573,1] cgroup=99
exit pid=10 ppid=1 time=20
END
sed -i 's/\\\\$/\\/' secret.mkperf
for form in '--mode file' '--mode pipe' '--endian big' '--zstd'; do
	"$mkperf" $form -o secret.data secret.mkperf 2>err || { fail "scrub $form" "$(head -n 1 err)"; continue; }
	cut_to plain.data secret.data && equal "scrub $form: there is something to hide" 1 "$(grep -ac secret plain.data | sed 's/^[1-9].*/1/')"
	for what in names all; do
		cut_to scrubbed.data --scrub=$what secret.data || { fail "scrub=$what $form" "$(cat err)"; continue; }
		equal "scrub=$what $form: nothing of it is left" '' "$(grep -aoE '.{0,9}(secret|terces).{0,9}' scrubbed.data | head -n 3)"
		cut_to again.data --scrub=$what secret.data && cmp -s scrubbed.data again.data
		result "scrub=$what $form: again" $?
		"$pdtool" info --strict scrubbed.data >out 2>err
		result "scrub=$what $form: sound" $? "$(cat err)"
		for keys in comm dso comm,dso,pid event,tid,cpu; do
			"$pdtool" report -q --format csv -s $keys secret.data 2>err | sed 1d | cut -d, -f1-5 | sort >want
			"$pdtool" report -q --format csv -s $keys scrubbed.data 2>err | sed 1d | cut -d, -f1-5 | sort >got
			same "scrub=$what $form: rows by $keys" want got
		done
		"$pdtool" script -q -F tid,time,event,period secret.data 2>err | sed 's/probe_secretapp:secretfn/probe:event_1/; s/  */ /g' >want
		"$pdtool" script -q -F tid,time,event,period scrubbed.data 2>err | sed 's/  */ /g' >got
		same "scrub=$what $form: samples" want got
	done
	equal "scrub $form: texts of tracepoints have others" 'comm-N /dir-N/file-N' \
		"$("$pdtool" script -q -F event,trace scrubbed.data 2>err | awk '/sched_switch|openat/ { gsub(/[0-9]+/, "N", $NF); print $NF }' | paste -sd ' ')"
	[ "$("$pdtool" info scrubbed.data | grep -c BUILD_ID)" = 0 ]
	result "scrub=all $form: no build-ids" $?
done
# What recorded captures have: names of tasks, files and hosts, of four bytes and more, none of which is in the cut, but for what
# names nobody.
for input in $r/foreign/02-*.zst $r/foreign/06-* $r/foreign/12-*.zst $r/foreign/18-*.zst $r/foreign/15-*.zst $x/multi_event/multi.data.zst \
	$x/sched/switchev.data.zst $x/calls/all.data.zst $r/script/tpmix.data.zst $r/script/uprobe.data.zst $r/script/cgroup.data.zst $r/script/sysc.data.zst; do
	name=${input##*/}
	cut_to scrubbed.data --scrub "$input" || { fail "scrub $name" "$(cat err)"; continue; }
	{
		"$pdtool" report -q -s comm --format csv "$input"
		"$pdtool" report -q -s dso --format csv "$input"
	} 2>/dev/null | sed '1d; s/.*,//; s/"//g' | tr '/' '\n' >names
	"$pdtool" script -q --show-mmap-events --show-task-events "$input" 2>/dev/null |
		sed -n 's/.*PERF_RECORD_COMM[^:]*: \(.*\):[-0-9\/]*$/\1/p; s/.*PERF_RECORD_MMAP2\{0,1\} .*: [-rwxps]* \(.*\)$/\1/p' | tr '/' '\n' >>names
	"$pdtool" info "$input" 2>/dev/null | sed -n 's/^host  *//p; s/^command  *//p' | tr ' /' '\n\n' >>names
	"$pdtool" info --counts --format csv "$input" 2>/dev/null | sed -n 's/^event,\(.*\),[0-9]*$/\1/p; s/^event,\([^:]*\):.*/\1/p' >public
	"$pdtool" info "$input" 2>/dev/null | sed -n 's/^kernel  *//p; s/^recorder  *//p; s/^arch  *//p' >>public
	printf '%s\n' 'anon' '[vdso]' '[heap]' '[stack]' '[vvar]' '[vsyscall]' '[uprobes]' '[unknown]' '[kernel.kallsyms]' '[kernel.kallsyms]_text' \
		'[kernel.kallsyms]_stext' swapper >>public
	awk 'length($0) >= 4' names | sort -u | grep -vxF -f public >words
	"$pdtool" cut -q -o - --scrub --event nosuch "$input" >out 2>err
	strings_in() { grep -aoF -f words "$1" | sort -u; }
	# the formats of tracepoints and lists of the machine's units are the kernel's words, not the users'
	printf '%s\n' core host kernel intel i915 arch arm64 true sync sleep stat time head root perf cycles trace sched calls fault cgroup cpu-clock page-faults task-clock \
		context-switches sched:sched_switch raw_syscalls:sys_enter freq=2000 period=1 2048 data system >common
	strings_in scrubbed.data | grep -vxF -f common >left
	equal "scrub $name: $(grep -c . words) names" '' "$(head -n 5 left | tr '\n' ' ')"
	for command in collapse 'report --format csv -s comm,dso'; do
		"$pdtool" $command -q "$input" 2>/dev/null | sed 1d | case $command in report*) cut -d, -f3-5 ;; *) sed 's/.* //' ;; esac | sort >want
		"$pdtool" $command -q scrubbed.data 2>/dev/null | sed 1d | case $command in report*) cut -d, -f3-5 ;; *) sed 's/.* //' ;; esac | sort >got
		same "scrub $name: the shape of $command" want got
	done
done

# ---- perf ----

name='perf reads it'
command -v perf >/dev/null || { skip "$name" 'perf is not installed'; exit; }
cut_to all.data in.data && perf script -i all.data >out 2>err && [ -s out ] || { skip "$name" "$(perf --version) does not read such captures"; exit; }
# What perf says that depends on how it was asked, or on nothing.
plain() { sed 's/ (time slices.*//; s/ *$//' | grep -v -e '^# comm: ' -e '^# Total Lost' -e '(Tip' -e '^#*$'; }
for input in "$x/damaged/whole.data" "$x/multi_event/group.data" "$x/modes/zstd.data"; do
	name=${input##*/}
	set -- $("$pdtool" script -q -F time "$input" | tr -d ': ' | sort -n | awk '{ t[NR] = $1 } END { print t[int(NR * 0.3)], t[int(NR * 0.7)] }')
	cut_to part.data --time "$1,$2" "$input"
	perf report --stdio -g none -n -s comm,dso -i "$input" --time "$1,$2" 2>err | plain >want
	perf report --stdio -g none -n -s comm,dso -i part.data 2>err | plain >got
	same "perf report: $name" want got
	perf script -F comm,tid,time,event,ip -i "$input" --time "$1,$2" >want 2>err
	perf script -F comm,tid,time,event,ip -i part.data >got 2>err
	same "perf script: $name" want got
	# Its shares are of the whole, the column of the command that is asked for is left out, and without comm in -s its --comms is wrong.
	comm=$(perf report --stdio -g none -s comm -i "$input" 2>err | awk '/^ .*%/ { print $NF; exit }')
	cut_to part.data --comms "$comm" "$input"
	rows() { perf report --stdio --no-children -g none -n "$@" 2>err | grep -v -e '^#' -e '^$' | sed 's/^ *[0-9.]*% *//; s/  */ /g; s/ $//'; }
	for keys in comm,dso comm,pid; do
		rows -s $keys -i "$input" --comms "$comm" | sort >want
		rows -s $keys -i part.data | sed "s/ $comm\\( \\|$\\)/ /; s/ $//" | sort >got
		same "perf report: $name, --comms $comm, $keys: $(grep -c . want) rows" want got
	done
done
wrong= count=0
for input in "$x/damaged/whole.data" "$x/multi_event/group.data" "$x/modes/zstd.data" "$x/modes/pipe612.data"; do
	size=$(stat -c %s "$input")
	for i in $(seq 1 "$(some 25)"); do
		head -c $((size * i / ($(some 25) + 1))) "$input" >short.data
		want=$("$pdtool" info --counts --format csv short.data 2>/dev/null | sed -n 's/^record,SAMPLE,//p')
		[ -n "$want" ] || continue
		cut_to mended.data short.data
		got=$(perf report --stats -i mended.data 2>err | awk '/SAMPLE events:/ { print $3; exit }')
		[ "$got" = "$want" ] || wrong="$wrong ${input##*/}:$i:$want:$got"
		count=$((count + 1))
	done
done
equal 'mended: perf counts as info does' '' "$wrong"
[ $count -ge $(($(some 25) * 3)) ]
result 'mended: so many' $? "$count"
zstd -dq "$r/script/v61-tp.data.zst" -o tp.data 2>err || "$pdtool" cut -q -o tp.data "$r/script/v61-tp.data.zst" >out
size=$(stat -c %s tp.data)
head -c $((size * 3 / 5)) tp.data >short.data
if "$pdtool" info --counts --format csv short.data >want 2>err && ! perf report --stats -i short.data >out 2>&1; then
	cut_to mended.data short.data
	equal 'tracepoints without formats' "$(sed -n 's/^record,SAMPLE,//p' want)" \
		"$(perf report --stats -i mended.data 2>err | awk '/SAMPLE events:/ { print $3; exit }')"
fi
for input in "$x/damaged/whole.data" "$x/multi_event/multi.data.zst" "$r/script/v61-tp.data.zst"; do
	cut_to all.data "$input"
	for what in names all; do
		cut_to scrubbed.data --scrub=$what "$input"
		for file in all scrubbed; do perf report --stats -i $file.data 2>err | awk '/SAMPLE events:/ { print $3; exit }' >$file.count; done
		same "perf reads what is scrubbed, $what: ${input##*/}" all.count scrubbed.count
	done
done
