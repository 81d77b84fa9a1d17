#!/bin/sh
# Silence is never success: every command, with each filter that matches nothing, a range outside the capture, an event
# that is not there or has no samples, an input without samples: exit status 1, one line on stderr, nothing on stdout and
# no file; with --allow-empty 0. The commands are those that `pdtool list` names, the filters those of the manual.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
. "$top/tests/lib/blockcap.sh"
. "$top/tests/lib/callcap.sh"

# without_samples TEXT: a capture's description, but for its samples.
without_samples() { awk '/^sample /{ out = 1 } !out { print } out && !/\\$/ { out = 0 }' "$1"; }

for name in basic offcpu; do
	"$mkperf" -o $name.data "$data/synthetic/$name.mkperf"
	without_samples "$data/synthetic/$name.mkperf" >$name-empty.mkperf
	"$mkperf" -o $name-empty.data $name-empty.mkperf
done
printf '%s\n' '1000 rq_issue 254:0 0 8 R' '51000 rq_complete 254:0 0 8 R' '60000 rq_issue 254:0 8 8 W' \
	'90000 rq_complete 254:0 8 8 W' | blockcap block.data
blockcap block-empty.data </dev/null
printf '%s\n' '1000 enter 7 prog 0' '3000 exit 7 prog 0 5' | callcap calls.data
callcap calls-empty.data </dev/null
counters='event page-faults type=software config=2 period=1 ids=1 sample_type=IDENTIFIER'
printf '%s\n' "$counters" 'stat id=1 cpu=0 val=7 ena=1 run=1' 'stat_round type=1 time=9' >counters.mkperf
printf '%s\n' "$counters" 'stat_round type=1 time=9' >counters-empty.mkperf
access='event mem-loads type=raw config=0x1cd period=1 ids=1 sample_id_all comm sample_type=IDENTIFIER|IP|TID|TIME|CPU|ADDR|PERIOD|WEIGHT|DATA_SRC'
printf '%s\n' "$access" 'comm pid=7 tid=7 comm=prog time=1' 'sample pid=7 tid=7 cpu=0 time=1000 ip=0x400100 addr=0x500000 weight=9 data_src=0x142' \
	'sample pid=7 tid=7 cpu=0 time=2000 ip=0x400100 addr=0x500000 weight=9 data_src=0x142' >accesses.mkperf
printf '%s\n' "$access" >accesses-empty.mkperf
for name in counters counters-empty accesses accesses-empty; do "$mkperf" -o $name.data $name.mkperf; done
branchcap branches.data prog /bin/prog
branchcap branches-empty.data
printf 'ffffffff81000000 T _text\nffffffff81000080 T do_syscall_64\nffffffff81000180 T vfs_read\nffffffff81000440 T _etext\n' >kallsyms

"$pdtool" list | sed -n '/^Analyzers:/,/^$/s/^  \(.\{14\}\) .*/\1/p' | sed 's/ *$//' >commands
# its operand is no capture, and no filter goes with that: oracle/store and oracle/rename have what it says of nothing
sed -i '/^store query$/d; /^store rename$/d; /^store sql$/d' commands
[ "$(wc -l <commands)" -ge 19 ] && ok 'the list of commands' || fail 'the list of commands' "$(tr '\n' ' ' <commands)"

# plain COMMAND: sets what it needs to have an answer: its own words, and the name of its input.
plain() {
	words= input=offcpu count=1
	case $1 in
	abstime) words='--cpu-time 1' ;;
	annotate) words='--kallsyms kallsyms -s do_syscall_64' input=basic ;;
	block) input=block ;;
	branches) input=branches ;;
	mem) input=accesses ;;
	stat) input=counters ;;
	syscalls) input=calls ;;
	'store add') words=store.db ;;
	diff) count=2 ;;
	export) words='--to speedscope' input=basic ;;
	esac
	files=$input.data empty=$input-empty.data
	[ $count = 1 ] || files="$files $files" empty="$empty $empty"
}

# nothing NAME ARGUMENT...: exit 1, one line, no output; with --allow-empty 0.
nothing() {
	case_name=$1
	shift
	rm -f made
	"$pdtool" $command $words "$@" -o made >out 2>err
	status=$?
	if [ $status != 1 ] || [ "$(wc -l <err)" != 1 ] || [ -s out ] || [ -e made ]; then
		echo "$command, $case_name: status $status, $(wc -l <err) lines, stdout $(wc -c <out), file $([ -e made ] && echo made || echo none)"
		sed 's/^/    /' err
	fi
	"$pdtool" $command $words --allow-empty "$@" -o made >out 2>err
	status=$?
	[ $status = 0 ] || { echo "$command, $case_name, --allow-empty: status $status"; sed 's/^/    /' err; }
}

# Each filter with what is nowhere.
cat >filters <<'END'
--event nosuch
--comms nosuch
--pid 4000000
--tid 4000000
--cpu 1000
--filter common_pid == 4000000
--time 900000,900001
--dsos nosuch
--symbol nosuch
END
sed -n '/^\.SS Filters/,/^\.SS Symbols/s/^\.\\" --//p' "$top/cli/man/pdtool.1" | sort >wanted
{ sed 's/ .*//; s/^--//' filters; echo no-idle; } | sort >tested
same 'all filters of the manual' wanted tested

while read -r command; do
	plain "$command"
	"$pdtool" $command $words $files -o made >out 2>err
	status=$?
	{
		# annotate has no code to show here
		case $status in 0 | 3) ;; *) echo "it has no answer at all: status $status"; sed 's/^/    /' err ;; esac
		while read -r option value; do
			nothing "$option $value" "$option" "$value" $files
		done <filters
		for option in event-filter events; do # some commands have these, too
			"$pdtool" $command -h | grep -q -e "--$option " && nothing "--$option" --$option nosuch $files
		done
		nothing 'no samples' $empty
	} >wrong
	[ ! -s wrong ] && ok "$command" || { fail "$command" "$(grep -vc '^ ' wrong) cases"; show wrong; }
done <commands

# says NAME TEXT ARGUMENT...: the line has TEXT, the status is 1.
says() {
	name=$1 text=$2
	shift 2
	"$pdtool" "$@" >out 2>err
	status=$?
	if [ $status = 1 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -qF -e "$text" err; then
		ok "$name"
	else
		fail "$name" "status $status"
		show err
	fi
}

says 'a command: what there is, and the nearest' \
	'basic.data: --comms workr: no such command; there are: worker (7 samples), bash (3), pool 1 (2), swapper (1); nearest: worker' \
	report --comms workr basic.data
says 'a part of a name' 'nearest: pool 1' report --comms pool basic.data
says 'a process' '--pid 7,9-12: no such process; there are: 101 (10 samples), 100 (2), 0 (1); nearest: 0' report --pid 7,9-12 basic.data
says 'a range outside' '--time 5,: outside the capture; the samples are from 0.001000 s to 0.001001 s' report --time 5, basic.data
says 'a range between samples' '--time 0.001000431,0.001000432: no sample in that time' report --time 0.001000431,0.001000432 basic.data
says 'a module' '--dsos libtoy.so: no sample in such a module; there are: ' report --dsos libtoy.so basic.data
says 'a module: the nearest' 'nearest: libtoy.so.1' report --dsos libtoy.so basic.data
says 'filters that exclude each other' '--comms bash (3 samples), --tid 102 (2 samples): no sample passes all of them' \
	report --comms bash --tid 102 basic.data
says 'an input without samples' 'offcpu-empty.data: no samples; recorded: sched:sched_switch, sched:sched_waking' flamegraph offcpu-empty.data
: >empty.folded
says 'an empty text' 'empty.folded: no stacks' flamegraph empty.folded

cat >quiet.mkperf <<'END'
event cycles type=hardware config=0 period=5 sample_type=IP|TID|TIME|ID ids=1
event page-faults type=software config=2 period=1 sample_type=IP|TID|TIME|ID ids=2
comm pid=10 comm=prog
sample event=cycles pid=10 time=1000 ip=0x1000
END
"$mkperf" -o quiet.data quiet.mkperf
says 'an event without samples' '--event page-faults: recorded, but without samples; there are: cycles (1 sample), page-faults' \
	report --event page-faults quiet.data

# One of several inputs has it: an answer, and a line about the other.
"$pdtool" report --comms prog --format csv basic.data quiet.data >out 2>err
equal 'one input of two: status and lines' '0 2' "$? $(wc -l <out)"
grep -q 'basic.data: --comms prog: no such command' err && ok 'one input of two: said' || { fail 'one input of two' 'not said'; show err; }
says 'none of two inputs' 'basic.data: --comms nosuch: no such command' report --comms nosuch basic.data quiet.data

# What is there is not emptied.
echo before >kept
"$pdtool" flamegraph --comms nosuch -o kept basic.data 2>err
equal 'an output file stays as it was' before "$(cat kept)"

# Nothing as an answer: no interval is as long as that. A drawing of nothing is none.
"$pdtool" offcpu --min 10s -o made offcpu.data 2>err
equal 'no time off the CPU is that long: an answer' '0 0' "$? $(wc -c <made)"
grep -q 'no time off the CPU is as --min' err && ok 'the answer is said' || { fail 'the answer' 'not said'; show err; }
says 'and not a drawing' 'no time off the CPU is as --min' offcpu --min 10s --format svg offcpu.data
says 'nor of a thread that is not there' 'no such thread' offcpu --min 10s --tid 99 offcpu.data
"$pdtool" report --allow-empty --comms nosuch --format csv basic.data >out 2>err
equal '--allow-empty: the header of the table' '0 1 1' "$? $(wc -l <out) $(wc -l <err)"

# --- names of events and patterns of commands ---

cat >events.mkperf <<'END'
event cycles:Pu type=hardware config=0 period=5 sample_type=IP|TID|TIME|ID ids=1
event page-faults/period=1/ type=software config=2 period=1 sample_type=IP|TID|TIME|ID ids=2
event cpu_core/instructions/ type=4 config=9 period=1 sample_type=IP|TID|TIME|ID ids=3
event cpu_atom/instructions/u type=5 config=9 period=1 sample_type=IP|TID|TIME|ID ids=4
event cpu-clock:u type=software config=0 period=1 sample_type=IP|TID|TIME|ID ids=5
event branches type=hardware config=4 period=1 sample_type=IP|TID|TIME|ID ids=6
event branches:u type=hardware config=4 period=1 sample_type=IP|TID|TIME|ID ids=7
comm pid=10 comm=prog
comm pid=11 comm=prog-w1
comm pid=12 comm=[x]
sample event=cycles:Pu pid=10 time=1000 ip=0x1000
sample event=page-faults/period=1/ pid=11 time=1001 ip=0x1000
sample event=cpu_core/instructions/ pid=12 time=1002 ip=0x1000
sample event=cpu_atom/instructions/u pid=12 time=1003 ip=0x1000
sample event=cpu-clock:u pid=10 time=1004 ip=0x1000
sample event=branches pid=10 time=1005 ip=0x1000
sample event=branches:u pid=10 time=1006 ip=0x1000
END
for mode in file pipe; do "$mkperf" --mode $mode -o events.$mode events.mkperf; done
# found KEY OPTION VALUE: what is left by it, in file and pipe alike.
found() {
	for mode in file pipe; do
		"$pdtool" report -q -s "$1" --no-children --format csv "$2" "$3" events.$mode 2>&1 | records | tr '\t' ' ' | sed 's/.* //' | sort -u | tr '\n' ' '
	done
}
while IFS='|' read -r name wanted; do
	equal "--event $name" "$wanted $wanted " "$(found event --event "$name")"
done <<'END'
cycles|cycles:Pu
cpu-cycles|cycles:Pu
cycles:Pu|cycles:Pu
page-faults|page-faults/period=1/
cpu-clock|cpu-clock:u
branches|branches
branches:u|branches:u
cpu_atom/instructions/|cpu_atom/instructions/u
*/instructions/*|cpu_atom/instructions/u cpu_core/instructions/
cycles,branches|branches cycles:Pu
END
equal '--comms of a pattern' 'prog prog-w1 prog prog-w1 ' "$(found comm --comms 'pro*')"
equal '--comms of a name that looks like a pattern' '[x] [x] ' "$(found comm --comms '[x]')"
equal '--comms of a name is no part of one' 'prog prog ' "$(found comm --comms prog)"

# several OPTION COMMAND...: the name means several events.
several() {
	option=$1
	shift
	"$pdtool" "$@" $option instructions events.file >out 2>err
	equal "$1 $option: several events: status and lines" '2 0 1' "$? $(wc -l <out) $(wc -l <err)"
	grep -qF -e "$option instructions means several events, name one of them: cpu_core/instructions/, cpu_atom/instructions/u" err &&
		ok "$1 $option: several events: the list" || { fail "$1 $option: several events" 'no list'; show err; }
}
several --event report
several --event-filter collapse
several --event-filter abstime --cpu-time 1
several --events heatmap
equal '--event-filter' 'prog;[unknown] 5' "$("$pdtool" collapse -q --event-filter cycles events.file | stacks)"
equal '--events' 1 "$("$pdtool" heatmap -q --format csv --events cycles events.file | records | wc -l)"

# --- several inputs, folded text, values ---

says 'abstime: none of two inputs' 'basic.data: --comms nosuch: no such command' abstime --cpu-time 1,1 --comms nosuch basic.data events.file
"$pdtool" abstime --cpu-time 1,1 --comms prog basic.data events.file >out 2>err
[ $? != 0 ] && [ ! -s out ] && grep -q '^pdtool: basic.data: no samples' err && ok 'abstime: one of two inputs' ||
	{ fail 'abstime: one of two inputs' 'not what it says of that'; show err; }
printf 'prog;main 3\n' >some.folded
for option in '--comms prog' '--pid 1' '--no-idle' '-S main'; do
	# shellcheck disable=SC2086
	"$pdtool" report $option some.folded >out 2>err
	equal "folded text, $option: status and lines" '2 0 1' "$? $(wc -l <out) $(wc -l <err)"
done
grep -q 'some.folded: --symbol: it is no capture' err && ok 'folded text: why' || { fail 'folded text: why' 'not said'; show err; }
says 'values out of range' 'all values are below --min' heatmap --events cycles --value period --min 50 events.file
says 'pairs that do not fit' 'unmatched: 6 begins without an end, 16 ends without a begin' \
	heatmap --events sched_waking,sched_switch --key common_type offcpu.data
