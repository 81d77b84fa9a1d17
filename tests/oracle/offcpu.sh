#!/bin/sh
# Time off the CPU and wakers: a capture whose every interval was worked out by hand (testdata/synthetic/offcpu.mkperf), and
# recorded ones against the switches that "sched timehist" lists and the sums of "sched latency".
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

recorded=$data/recorded/x86_64/sched
capture() { echo "$recorded/$1.data.zst"; }
total() { awk '{ n += $NF } END { printf "%.0f\n", n }' "$1"; }

# ---- by hand ----

cat >symbols <<'END'
ffffffff81000000 T vfs_read
ffffffff81000100 T vfs_write
ffffffff81000200 T work
ffffffff81000300 T futex_wait
ffffffff81000400 T submit_bio_wait
ffffffff81000500 T hrtimer_interrupt
ffffffff81000600 T schedule
ffffffff81000700 T __schedule
ffffffff81000800 T try_to_wake_up
ffffffff81000900 T do_syscall_64
ffffffff81000a00 T end
END
named() {
	command=$1
	shift
	"$pdtool" "$command" -q --kallsyms symbols "$@"
}

sed 's/+/;schedule;__schedule;/' >want <<'END'
alpha-10/10;do_syscall_64;vfs_read+[S] 550
beta-10/11;do_syscall_64;futex_wait+[S] 160
beta-10/11;do_syscall_64;work+[R] 100
gamma-12/12;do_syscall_64;submit_bio_wait+[D] 200
gamma-12/12;do_syscall_64;vfs_read+[S] 180
END
for form in '--endian little' '--endian big' '--mode pipe' '--mode pipe --endian big --zstd' '--shuffle-cpus'; do
	# shellcheck disable=SC2086
	"$mkperf" $form -o off.data "$data/synthetic/offcpu.mkperf"
	named offcpu --label-tid off.data >got
	same "off the CPU, worked out by hand, $form" want got
done
"$mkperf" -o off.data "$data/synthetic/offcpu.mkperf"
sed 's/+/;schedule;__schedule;/' >want <<'END'
alpha;do_syscall_64;vfs_read+[S] 450
beta;do_syscall_64;futex_wait+[S] 100
gamma;do_syscall_64;submit_bio_wait+[D] 150
gamma;do_syscall_64;vfs_read+[S] 160
END
named offcpu --part blocked off.data >got
same '--part blocked: until the wake-up' want got
sed 's/+/;schedule;__schedule;/' >want <<'END'
alpha;do_syscall_64;vfs_read+[S] 100
beta;do_syscall_64;futex_wait+[S] 60
beta;do_syscall_64;work+[R] 100
gamma;do_syscall_64;submit_bio_wait+[D] 50
gamma;do_syscall_64;vfs_read+[S] 20
END
named offcpu --part runnable off.data >got
same '--part runnable: from the wake-up on' want got
named offcpu --strip-schedule --state D,R off.data >got
printf 'beta;do_syscall_64;work;[R] 100\ngamma;do_syscall_64;submit_bio_wait;[D] 200\n' >want
same '--state, --strip-schedule' want got
named offcpu --min 160ns off.data >got
equal '--min: 250, 300, 160 and 200 ns' 910 "$(total got)"
named offcpu --max 150ns off.data >got
equal '--max: 100, 150 and 30 ns' 280 "$(total got)"
named offcpu --time 0.0000012,0.00000132 off.data >got
equal '--time clips' 120 "$(total got)"
named offcpu --time 0.0000012,0.00000132 --min 251ns off.data >got
equal '--min looks at the whole interval, not at the window' 0 "$(total got)"
named offcpu --tid 11 off.data >got
equal '--tid' 260 "$(total got)"
named offcpu --comms gamma --cpu 1 off.data >got
equal '--cpu: where it left' 350 "$(total got)"
named offcpu off.data off.data >got
equal 'two captures add up' 2380 "$(total got)"
"$pdtool" offcpu --header --format csv -q off.data >got
grep -q '^# left the CPU: 8 times voluntarily, preempted 2 times' got
result 'switches are counted' $?
grep -q '^# unknown time: 240 ns, 16.78 % ' got
result 'what has no end is unknown: 240 of 1430 ns' $?
"$pdtool" offcpu off.data 2>&1 >/dev/null | grep -q ": 240 ns, 16.78% of the threads' time off the CPU, are in no stack"
result 'the unknown share is told beside folded stacks, too' $?
grep -q '^# not divided: 1 intervals' got
result 'a sleep whose wake-up is missing is told' $?

# ---- births ----

# A thread that was just made waits from its birth on, as "sched latency" has it: of 20, whose first CPU comes 400 ns later and
# whose name comes with it; of 21, which never leaves its CPU; of 22, across lost records. That of 23 was not recorded.
raw='u8:0,u8:0,u32:1'
# switch TIME CPU PREV STATE NEXT, by thread id; born TIME TID
switch() {
	echo "sample event=sched:sched_switch time=$1 cpu=$2 pid=$3 chain=[kernel:0xffffffff81000610,0xffffffff81000210]" \
		"raw=[u16:314,$raw,t16:c$3,u32:$3,u32:120,word:$4,t16:c$5,u32:$5,u32:120]"
}
born() {
	echo "fork pid=$2 ppid=10 time=$(($1 - 10)) cpu=0"
	echo "sample event=sched:sched_wakeup_new time=$1 cpu=0 pid=10 chain=[kernel:0xffffffff81000810] raw=[u16:311,$raw,t16:alpha,u32:$2,u32:120,u32:1]"
}
{
	sed '/^event/,$d' "$data/synthetic/offcpu.mkperf"
	echo 'tracepoint sched:sched_wakeup_new id=311 fields="char comm[16];pid_t pid;int prio;int target_cpu" print="\"\""'
	sed -n '/^event/,/^default/p' "$data/synthetic/offcpu.mkperf" |
		sed '/^default/i event sched:sched_wakeup_new type=tracepoint config=311 period=1 ids=75,76 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CALLCHAIN|CPU|PERIOD|RAW'
	echo 'comm pid=10 comm=alpha time=0'
	switch 1000 0 0 0 10
	switch 1000 1 0 0 12
	born 1100 20
	born 1200 21
	switch 1500 1 12 1 20
	echo 'comm pid=20 comm=newborn time=1550 cpu=1'
	switch 1600 1 20 1 21
	born 1650 22
	echo 'lost id=75 lost=3 time=1680 cpu=0'
	switch 1700 0 10 1 22
	switch 1800 0 22 1 23
	switch 1900 0 23 1 0
} >births.mkperf
cat >want <<'END'
alpha-21/21;[R] 400
newborn-20/20;[R] 400
END
for form in '--endian little' '--endian big' '--mode pipe'; do
	# shellcheck disable=SC2086
	"$mkperf" $form -o births.data births.mkperf
	named offcpu --label-tid births.data >got
	same "a wait that begins with the birth of its thread, $form" want got
done
"$pdtool" sched latency -q --format csv births.data | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
	$c["new_count"] { print $c["tid"], $c["new_ns"] }' | sort >want
sed 's/.*\/\([0-9]*\);\[R\]/\1/' got | sort >births
same 'births: as "sched latency" has them' want births
"$pdtool" offcpu --comms newborn --header --format csv -q births.data >got
grep -q '^# unknown time: 0 ns, ' got && grep -q '^# new threads: 1 of the intervals, 400 ns, ' got
result 'births: none of it is unknown' $?
grep -c '^# no stacks' got >none
equal 'births: they lack no call chain' 0 "$(cat none)"
named offcpu --time 0.0000013,0.0000014 births.data >got
equal 'births: --time clips' 200 "$(total got)"
for options in '--min 401ns' '--max 399ns' '--state S' '--part blocked' '--cpu 0'; do
	# shellcheck disable=SC2086
	named offcpu $options births.data >got
	equal "births: not with $options" 0 "$(total got)"
done

# SWITCH records, with a sample among them and without any
printf 'beta;[R] 240\nbeta;[S] 150\n' >want
grep -v '^sample' "$data/synthetic/switches.mkperf" >alone.mkperf
for text in "$data/synthetic/switches.mkperf" alone.mkperf; do
	"$mkperf" -o switches.data "$text"
	"$pdtool" offcpu -q switches.data >got
	same "SWITCH records: comm and state, $(basename "$text")" want got
done
"$pdtool" offcpu switches.data 2>&1 >/dev/null | grep -q 'SWITCH records have no callchain'
result 'SWITCH records: what they lack is said' $?

# ---- wakers ----

sed 's/+/;schedule;__schedule;--;try_to_wake_up;/' >want <<'END'
alpha;do_syscall_64;vfs_read+vfs_write;do_syscall_64;beta 200
alpha;do_syscall_64;vfs_read+vfs_write;do_syscall_64;gamma 250
beta;do_syscall_64;futex_wait+vfs_write;do_syscall_64;gamma 100
gamma;do_syscall_64;submit_bio_wait+hrtimer_interrupt;do_syscall_64;[irq] 150
gamma;do_syscall_64;vfs_read+hrtimer_interrupt;do_syscall_64;[irq] 10
END
named wakeup off.data >got
same 'wakeup: the stacks meet at --' want got
# who was woken up by an interrupt has no earlier waker
sed 's/gamma \([0-9]*\)$/gamma;--;try_to_wake_up;hrtimer_interrupt;do_syscall_64;[irq] \1/' want >want3
for depth in 2 3 16; do
	named wakeup --depth $depth off.data >got
	same "wakeup --depth $depth: the waker's waker" want3 got
done
"$pdtool" wakeup --header --format csv -q off.data >got
grep -q '^# no waker: 1 intervals, [0-9]* ns, left out' got &&
	grep -q '^# wake-ups: 5, 2 of them from interrupts (\[irq\]), 0 from soft interrupts' got
result 'sleeps without a waker are told, interrupts too' $?
# What an interrupt wakes up is its doing, not that of the thread that it hit, nor are that thread's functions; the same of soft
# interrupts, also where a thread runs them on its way out of a system call.
awk '
	/^sample event=sched:sched_waking time=1650/ { sub(/0xffffffff81000510,/, "&0xffffffff81000b10,") }
	/^sample event=sched:sched_waking time=2160/ { sub(/0xffffffff81000510,/, "&0xffffffff81000c10,0xffffffff81000d10,"); soft = 1 }
	soft && /raw=/ { sub(/u8:8/, "u8:16"); soft = 0 }
	{ print }' "$data/synthetic/offcpu.mkperf" >irq.mkperf
"$mkperf" -o irq.data irq.mkperf || fail mkperf irq
{
	cat symbols
	printf '%s\n' 'ffffffff81000b00 T asm_sysvec_apic_timer_interrupt' 'ffffffff81000c00 T handle_softirqs' 'ffffffff81000d00 T do_softirq.part.0'
} >symbols.irq
sed -e 's/hrtimer_interrupt;do_syscall_64;\[irq\] 150/hrtimer_interrupt;asm_sysvec_apic_timer_interrupt;[irq] 150/' \
	-e 's/hrtimer_interrupt;do_syscall_64;\[irq\] 10/hrtimer_interrupt;handle_softirqs;[softirq] 10/' want >want.irq
"$pdtool" wakeup -q --kallsyms symbols.irq irq.data | sort >got
same 'who was woken up by an interrupt: the frames of that alone' want.irq got
equal 'timehist -w: an interrupt wakes up' '1650,1,[irq],,,,,,awakened: gamma[12]' "$("$pdtool" sched timehist -w --format csv -q irq.data | grep -F '[irq]')"
named wakeup --state D --min 200ns off.data >got
equal 'wakeup --state --min' 150 "$(total got)"

# ---- recorded ----

# by thread: "TID NS"
threads() {
	awk '{ w = $NF; sub(/;.*/, ""); sub(/.*\//, ""); n[$0] += w } END { for (t in n) printf "%s %.0f\n", t, n[t] }' | sort
}
# the same from the rows of "sched timehist -n --state"
cat >switches.awk <<'END'
NR > 1 {
	prev = $4
	next_tid = $10
	sub(/.*\[/, "", next_tid)
	sub(/\].*/, "", next_tid)
	sub(/.*\//, "", next_tid)
	if (next_tid > 0 && next_tid in left) {
		off[next_tid] += $1 - left[next_tid]
		delete left[next_tid]
	}
	delete left[prev]
	if (prev > 0 && $9 !~ /[XZ]/)
		left[prev] = $1
}
END { for (t in off) printf "%s %.0f\n", t, off[t] }
END
for name in nospin sw_wakeup; do
	"$pdtool" sched timehist -n --state --format csv -q "$(capture $name)" | awk -F, -f switches.awk | sort >want
	"$pdtool" offcpu --label-tid -q "$(capture $name)" | threads >got
	"$pdtool" sched latency -q --format csv "$(capture $name)" | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		$c["new_count"] { print $c["tid"], $c["new_ns"] }' | sort - want |
		awk '{ n[$1] += $2 } END { for (t in n) printf "%s %.0f\n", t, n[t] }' | sort >all
	same "$name: each thread's weights are its time from switch-out, or its birth, to switch-in" all got
done

# sums NAME: by thread, "TID BLOCKED+WAITED UNKNOWN", by "sched latency"
sums() {
	"$pdtool" sched latency -q --format csv "$(capture "$1")" | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		{ printf "%s %.0f %.0f\n", $c["tid"], $c["blocked_ns"] + $c["wait_ns"], $c["unknown_ns"] }' | sort
}
sums switchev | awk '$3 == 0 && $2 { print $1, $2 }' >want
"$pdtool" offcpu --label-tid -q "$(capture switchev)" | threads | join - want | cut -d ' ' -f 1,2 >got
same 'switchev: weights are blocked + waited, where nothing is unknown' want got
for name in flat nospin switchev sw_lost sw_wakeup; do
	sums $name | awk '{ n += $2 + $3 } END { printf "%.0f\n", n }' >want
	"$pdtool" offcpu --header --format csv -q "$(capture $name)" | awk -F, -v want="$(cat want)" '
		/^# unknown time:/ { split($0, part, /[: ]+/); unknown = part[4] }
		/^# off the CPU:/ { told = $0 }
		!/^#/ && NR > 1 { n += $NF }
		END { d = n + unknown - want; print n, unknown, want; exit !(n > 0 && d > -1000 && d < 1000) }' >got
	result "$name: off + unknown is all time that no thread ran" $? "$(cat got)"
	for part in both blocked runnable; do "$pdtool" offcpu -q --part $part "$(capture $name)" >$part; done
	cat blocked runnable >parts
	equal "$name: blocked + runnable = both" "$(total both)" "$(total parts)"
done
"$pdtool" offcpu --pid 28761 --header --format csv -q "$(capture nospin)" >got
grep -q '^# left the CPU: 471 times voluntarily, preempted 279 times' got
result 'slept and preempted = nvcsw and nivcsw' $?
"$pdtool" wakeup -q "$(capture nospin)" >got
"$pdtool" offcpu -q --part blocked "$(capture nospin)" >want
equal 'wakeup holds all blocked time, where all wake-ups were recorded' "$(total want)" "$(total got)"
"$pdtool" offcpu "$(capture nospin)" 2>&1 >/dev/null | grep -q 'no callchain: comm and state only; re-record with -g'
result 'a capture without call chains is told' $?
for command in offcpu 'wakeup --depth 3'; do
	# shellcheck disable=SC2086
	"$pdtool" $command -q -j1 off.data >want
	# shellcheck disable=SC2086
	"$pdtool" $command -q -j8 off.data >got
	same "$command: -j1 = -j8" want got
done

# ---- drawings, and what is missing ----

named offcpu --format svg off.data >got
grep -q '>Off-CPU Flame Graph<' got
result 'svg: its title' $?
named offcpu --format svg --colors io --hash off.data >want
named offcpu --format svg --hash off.data >got
same 'svg: the colours of --colors io' want got
named offcpu --format svg off.data >got
equal 'svg: kernel functions are told apart' 'kernel 100.00%' "$(grep -o '>[a-z]* [0-9.]*%<' got | tr -d '<>')"
named wakeup --format svg --colors chain --hash off.data >want
named wakeup --format svg --hash off.data >got
same 'svg of wakeup: the colours of --colors chain' want got

# refuses NAME STATUS TEXT COMMAND...
refuses() {
	name=$1 status=$2 text=$3
	shift 3
	"$pdtool" "$@" >got 2>err
	got=$?
	if [ $got != "$status" ]; then
		fail "$name" "status $got"
	elif [ "$(grep -c . err)" = 1 ] && grep -q "$text" err; then
		ok "$name"
	else
		fail "$name" "$(head -n 1 err)"
	fi
}
aio=$data/recorded/x86_64/modes/aio.data
for command in offcpu wakeup; do
	refuses "$command without switches: one line that says how to record" 2 \
		'no sched:sched_switch events (found: .*). Record with: perf record -a -g .*sched:sched_switch' $command "$aio"
done
refuses 'wakeup without wake-ups' 2 'no sched:sched_waking events (found: .*). Record with: perf record -a -g' \
	wakeup "$(capture switchev)"
refuses '--state takes letters' 2 'letters' offcpu --state 1 off.data
refuses '--part takes one of three' 2 'both, blocked or runnable' offcpu --part none off.data
refuses '--min takes a time' 2 'expected a time' offcpu --min long off.data
refuses '--depth has a limit' 2 'from 1 to 16' wakeup --depth 17 off.data
