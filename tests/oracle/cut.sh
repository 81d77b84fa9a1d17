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
"$pdtool" offcpu -q part.data >got 2>err; "$pdtool" script -q --show-switch-events part.data | grep -c SWITCH >got
"$pdtool" script -q --show-switch-events --time 30%-60% "$r/script/switch.data.zst" | grep -c SWITCH >want
same 'switches: those in the range' want got
"$pdtool" cut -o part.data --time 0, "$r"/foreign/08-*.zst >said 2>err && grep -q 'hardware traces (AUX) dropped' said && grep -q 'AUX' err
result 'AUX: told' $?
equal 'AUX: gone' '' "$("$pdtool" info part.data | grep -E 'AUX(TRACE)? *$')"
cut_to part.data --time 30%-60% "$x/damaged/whole.data"
"$pdtool" info part.data | grep -q '^features .*SAMPLE_TIME(16)' && ! "$pdtool" script -q --time 0%-10% part.data | cmp -s - /dev/null
result 'the times of samples' $?

# ---- mended ----

mended=0 refused=0 wrong=
for input in "$x/damaged/whole.data" "$x/multi_event/group.data" "$r/foreign/07-pipe-k6.10-perf6.12-features.perf.data" "$r/foreign/09-aarch64-k6.5-zstd.perf.data"; do
	size=$(stat -c %s "$input")
	for i in $(seq 1 100); do
		head -c $((size * i / 101)) "$input" >short.data
		"$pdtool" info --counts --format csv short.data >want 2>err || { refused=$((refused + 1)); continue; }
		cut_to mended.data --allow-empty short.data && "$pdtool" info --counts --format csv mended.data >got 2>err || wrong="$wrong ${input##*/}:$i"
		for kind in SAMPLE MMAP MMAP2 COMM FORK EXIT; do
			[ "$(grep "^record,$kind," want)" = "$(grep "^record,$kind," got)" ] || wrong="$wrong ${input##*/}:$i:$kind"
		done
		[ "$(grep 'truncated\|damaged\|killed' got)" = '' ] || wrong="$wrong ${input##*/}:$i:damage"
		mended=$((mended + 1))
	done
done
equal '100 lengths of 4 captures' '' "$wrong"
[ $mended -gt 250 ] && [ $((mended + refused)) = 400 ]
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
done
wrong= count=0
for input in "$x/damaged/whole.data" "$x/multi_event/group.data" "$x/modes/zstd.data" "$x/modes/pipe612.data"; do
	size=$(stat -c %s "$input")
	for i in $(seq 1 25); do
		head -c $((size * i / 26)) "$input" >short.data
		want=$("$pdtool" info --counts --format csv short.data 2>/dev/null | sed -n 's/^record,SAMPLE,//p')
		[ -n "$want" ] || continue
		cut_to mended.data short.data
		got=$(perf report --stats -i mended.data 2>err | awk '/SAMPLE events:/ { print $3; exit }')
		[ "$got" = "$want" ] || wrong="$wrong ${input##*/}:$i:$want:$got"
		count=$((count + 1))
	done
done
equal 'mended: perf counts as info does' '' "$wrong"
[ $count -ge 75 ]
result 'mended: so many' $? "$count"
zstd -dq "$r/script/v61-tp.data.zst" -o tp.data 2>err || "$pdtool" cut -q -o tp.data "$r/script/v61-tp.data.zst" >out
size=$(stat -c %s tp.data)
head -c $((size * 3 / 5)) tp.data >short.data
if "$pdtool" info --counts --format csv short.data >want 2>err && ! perf report --stats -i short.data >out 2>&1; then
	cut_to mended.data short.data
	equal 'tracepoints without formats' "$(sed -n 's/^record,SAMPLE,//p' want)" \
		"$(perf report --stats -i mended.data 2>err | awk '/SAMPLE events:/ { print $3; exit }')"
fi
