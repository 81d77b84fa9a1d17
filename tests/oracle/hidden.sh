#!/bin/sh
# Characters that nobody sees, or that turn the text behind them round, and bytes that are no characters: in names of every
# kind, in every command. People get them as escapes, in tables, drawings and messages, and on a terminal whatever the form;
# in data that goes elsewhere they stay.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
pty=$build/tests/lib/pty
TERM=dumb
export TERM

# Two of each kind stand in names: RLO, LRI, ZWSP, ZWJ, ALM, BOM, SHY, LS, a tag, a C1 control; the first byte of none.
turned=$(printf 'a\342\200\256b\342\201\246c')
blank=$(printf 'd\342\200\213e\342\200\215f')
more=$(printf 'g\330\234h\357\273\277i\302\255j\342\200\250k\363\240\201\201l')
broken=$(printf 'm\302\233n\377o')

# bad FILE: the lines of FILE that have such a character, by perl's tables.
bad() {
	perl -ne '
		my $t = $_;
		print if !utf8::decode($t) || $t =~ /[\x{d800}-\x{dfff}]|[^\x{0}-\x{10ffff}]|[\p{Cf}\p{Zl}\p{Zp}\x{7f}-\x{9f}\x{0}-\x{8}\x{b}\x{c}\x{e}-\x{1f}]|\p{Default_Ignorable_Code_Point}(?<![\x{fe00}-\x{fe0f}])/' "$1"
}
bad "$0" >got
printf '%s\n' "$turned" "$blank" "$more" "$broken" plain >some && bad some >got
equal 'the test sees them' 4 "$(wc -l <got)"

# ---- by the table of characters ----

perl -CO -e 'for (0x80 .. 0xd7ff, 0xe000 .. 0x10ffff) {
	next if ($_ & 0xfffe) == 0xfffe;
	my $c = chr;
	next unless $c =~ /[\p{Cf}\p{Zl}\p{Zp}]|\p{Default_Ignorable_Code_Point}/ && !($_ >= 0xfe00 && $_ <= 0xfe0f);
	printf "x${c}y%x 1\n", $_;
}' >all.folded
"$pdtool" collapse -q --format text --limit 0 --wide all.folded >got 2>err
bad got >found
equal 'each hidden character is escaped' "4000 or more, 0" "$([ "$(grep -c '[0-9] *x\\[uU][0-9a-f]*y' got)" -gt 4000 ] && echo '4000 or more'), $(wc -l <found)"
perl -ne 'print "$1 $2\n" if /x\\[uU]0*([0-9a-f]+)y([0-9a-f]+)/ && $1 ne $2' got >found
equal 'by its own code' '' "$(head -n 3 found)"
perl -CO -e 'srand 3; for (1 .. 3000) {
	my $n = rand() < .5 ? int rand 0x3000 : int rand 0x20000;
	my $c = chr $n;
	next if $n < 0x80 || $c !~ /[\p{L}\p{M}\p{N}\p{P}\p{S}]/ || $c =~ /[\p{Cf}]|\p{Default_Ignorable_Code_Point}/;
	print "x${c}y$n\n";
}' | sort -u >want
sed 's/$/ 1/' want >plain.folded
"$pdtool" collapse -q --format text --limit 0 --wide plain.folded | sed -n 's/.* \(x.*y[0-9]*\)$/\1/p' | sort -u >got
equal 'there are others' 1 "$(($(wc -l <want) > 1000))"
same 'what is seen stays' want got

# ---- captures with such names ----

text() { printf %s "$1" | perl -pe 's/([^ -~]|["\\\$])/sprintf "\\x%02x", ord $1/ge'; }
cat >samples.mkperf <<END
host "$(text "$turned")"
cmdline perf "$(text "$blank")"
event "$(text "cy$turned")" type=hardware config=0 period=1 sample_type=IP|TID|TIME|CPU|PERIOD|CALLCHAIN|CGROUP sample_id_all
cgroup cgroup=7 path="$(text "/$turned")"
comm pid=1 comm="$(text "$turned")"
comm pid=1 tid=2 comm="$(text "$broken")"
mmap pid=1 addr=0x400000 len=0x1000 file="$(text "/lib/$blank")"
mmap pid=1 addr=0x500000 len=0x1000 file="$(text "/lib/$turned$more")"
mmap pid=1 addr=0x70000000 len=0x1000 file=//anon
repeat 8 {
sample pid=1 tid=1+\$i%2 time=1000+\$i*10 ip=0x400100 cgroup=7 period=5 chain=[user:0x400100,0x500100+(\$i%2)*256,0x70000010]
}
END
"$mkperf" -o samples samples.mkperf || fail samples 'mkperf'
printf '70000000 20 %s%s\n' "$turned" "$more" >perf-1.map
cat >waits.mkperf <<END
tracepoint sched:sched_switch id=314 fields="char prev_comm[16];pid_t prev_pid;int prev_prio;long prev_state;char next_comm[16];pid_t next_pid;int next_prio" \\
	print="\"prev_comm=%s next_comm=%s\", REC->prev_comm, REC->next_comm"
tracepoint sched:sched_waking id=310 fields="char comm[16];pid_t pid;int prio;int target_cpu" print="\"comm=%s\", REC->comm"
event sched:sched_switch type=tracepoint config=314 period=1 ids=71,72 sample_id_all comm task sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW
event sched:sched_waking type=tracepoint config=310 period=1 ids=73,74 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW
default mode=kernel ip=0xffffffff81000010
$(
	# switch TIME CPU FROM STATE TO
	switch() { echo "sample event=sched:sched_switch time=$1 cpu=$2 pid=$3 raw=[u16:314,u8:0,u8:0,u32:$3,$name,u32:$3,u32:120,word:$4,$name,u32:$5,u32:120]"; }
	name=$(printf %s "$turned" | od -An -tx1 -v | tr -d ' \n')
	name=$name$(printf '%0*d' $((32 - ${#name})) 0)
	switch 1000 0 0 0 11
	switch 1100 0 11 0 12
	switch 1300 0 12 0 11
	switch 1400 0 11 1 12
	echo "sample event=sched:sched_waking time=1500 cpu=0 pid=12 raw=[u16:310,u8:0,u8:0,u32:12,$name,u32:11,u32:120,u32:0]"
	switch 1700 0 12 0 11
	switch 1900 0 11 0 12
)
END
"$mkperf" -o waits waits.mkperf || fail waits 'mkperf'
. "$top/tests/lib/blockcap.sh"
. "$top/tests/lib/callcap.sh"
printf '%s\n' "1000 enter 7 $(text "$turned" | sed 's/ /\\x20/g') 0" "3000 exit 7 x 0 5" | callcap calls
branchcap branches prog "$(text "/lib/$turned")"
cat >accesses.mkperf <<END
event "$(text "$blank")" type=raw config=2 period=1 ids=1 sample_id_all mmap comm sample_type=IDENTIFIER|IP|TID|TIME|ADDR|WEIGHT|DATA_SRC
comm pid=7 tid=7 comm="$(text "$turned")" time=1
mmap pid=7 tid=7 addr=0x400000 len=0x10000 file="/lib/$(text "$more")" time=2
sample pid=7 tid=7 time=1000 ip=0x400100 addr=0x400200 weight=9 data_src=0x142
END
"$mkperf" -o accesses accesses.mkperf || fail accesses 'mkperf'
cat >counters.mkperf <<END
cmdline perf stat record -- "$(text "$turned")"
event "$(text "$blank")" type=software config=2 ids=1 sample_type=IDENTIFIER
event_update id=1 unit="$(text "$more")"
thread_map threads=["7:$(text "$turned")"]
stat id=1 cpu=-1 thread=0 val=7 ena=1 run=1
stat_round type=1 time=9
END
"$mkperf" -o counters counters.mkperf || fail counters 'mkperf'
blockcap disk <<END
1000 rq_insert   254:0 2048 8 R pid=7 comm=$turned
1500 rq_issue    254:0 2048 8 R pid=7 comm=$turned
4500 rq_complete 254:0 2048 8 R pid=7
END
printf '%s;%s;%s 5\n%s;%s 7\n' "$turned" "$blank" "$more" "$turned" "$broken" >stacks.folded
echo 'load 100 0x10000 12 1 jitted' >dump
mkdir dumps
"$build/tests/oracle/jitfile" little 62 1 0 <dump >dumps/jit-1.dump

# ---- every command ----

# What is said of what a terminal gets: nothing bad, and something escaped.
# clean NAME FILE
clean() {
	bad "$2" >found
	if [ -s "$2" ] && [ ! -s found ]; then
		ok "$1"
	else
		fail "$1" "$(wc -c <"$2") bytes, $(head -n 1 found | cut -c 1-200 | LC_ALL=C tr -c '[:print:]' '?')"
	fi
}
# shows COMMAND
# shellcheck disable=SC2086 # a command and its options
shows() {
	whole=$1
	forms=$("$pdtool" ${1%% @*} --format nosuch 2>&1 | sed -n 's/.* it has://p')
	set -- ${1%% @*} ${1#* @}
	for form in $forms; do
		case $form in
		text | svg | json | export | html)
			case $whole:$form in script*:text | *compat*:text | *pprof*:export) ;; *)
			"$pdtool" "$@" --perf-map 1=perf-1.map --format "$form" >got 2>err
			if [ ! -s got ]; then
				grep -qE 'cannot show|no .* in|means nothing' err || fail "$whole: $form" "nothing: $(head -n 1 err)"
			else
				clean "$whole: $form" got
				grep -qE '\\u202e|\\342\\200\\256' got && touch escaped
			fi
			[ ! -s err ] || clean "$whole: $form, messages" err
			sed -n '/<script/,/<\/script>/p' got | grep -qE '[^\]\\u(202e|2066|200b|061c|feff)' && fail "$whole: script" 'makes such a character'
			;;
			esac ;;
		esac
		PDTOOL_PAGER=cat "$pty" 200x500 "$pdtool" "$@" --perf-map 1=perf-1.map --format "$form" >got 2>err
		[ ! -s got ] || { tr -d '\r' <got >shown && clean "$whole: $form on a terminal" shown; }
		grep -q '\\u202e' got && touch escaped
	done
	case $whole in pack* | cut* | 'store rename'* | *pprof*) touch escaped ;; esac # they say no names
	[ -e escaped ] && ok "$whole: they are told" || fail "$whole: they are told" 'no escape in any form'
	rm -f escaped
}
cat >commands <<END
abstime --cpu-time 10 @samples
annotate $turned$more @samples
block --by comm @disk
branches @branches
bundle-list @samples
collapse @samples
cut -o smaller @samples
diff --allow-empty @samples stacks.folded
doctor @samples
events @waits
export --to firefox @samples
export --to pprof @samples
export --to speedscope @samples
flamegraph @stacks.folded
heatmap --value period --lane comm @samples
info @samples
offcpu @waits
page @samples
mem -s dso,dso_daddr,comm,event @accesses
pack -o packed @samples
report -s comm,dso,sym,cgroup @samples
sched blame --by comm @waits
sched latency --by comm @waits
sched map @waits
sched timehist @waits
sched timeline @waits
script @samples
script @waits
summary @waits
stat --by thread @counters
stat --compat perf --by thread @counters
store add names.db @samples
store query first --function=* @names.db
store rename @names.db
syscalls --by thread @calls
wakeup @waits
END
"$pdtool" list | awk '/^Formats/ { exit } /^  / { sub(/^  /, ""); sub(/  .*/, ""); print }' | while read -r name; do
	# it tells nothing of a capture
	[ "$name" = 'store sql' ] || grep -q "^$name " commands || echo "$name"
done >got
equal 'each command is here' '' "$(cat got)"
while read -r command; do
	shows "$command" </dev/null
done <commands
