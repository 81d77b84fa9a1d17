#!/bin/sh
# The command line: what is said on stderr (one line), the exit status, options in all their forms, hostile text.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

"$mkperf" -o basic.data "$data/synthetic/basic.mkperf" || exit 1
"$mkperf" -o order.data "$data/synthetic/order.mkperf" || exit 1
"$mkperf" -o ids.data "$data/synthetic/ids.mkperf" || exit 1
"$mkperf" -o damage.data "$data/synthetic/damage.mkperf" || exit 1
"$mkperf" -o many.data "$data/synthetic/manystacks.mkperf" || exit 1
"$pdtool" collapse -q basic.data >basic.folded || exit 1

# refused NAME STATUS WORDS ARGUMENT...: no output, one line on stderr with WORDS in it, this exit status; and no
# report of the sanitizers.
refused() {
	name=$1 want=$2 words=$3
	shift 3
	for program in "$pdtool" "$san"; do
		"$program" "$@" </dev/null >out 2>err
		status=$?
		lines=$(grep -c '' err)
		if [ $status != "$want" ]; then
			fail "$name" "exit status $status, wanted $want"
		elif [ "$lines" != 1 ]; then
			fail "$name" "$lines lines on stderr"
		elif ! grep -qF -e "$words" err; then
			fail "$name" "not said: $words"
		elif [ -s out ]; then
			fail "$name" 'there is output'
		else
			continue
		fi
		show err
		return
	done
	ok "$name"
}

# ---- inputs that are none ----

mkdir empty.dir
: >empty
head -c 8 basic.data >eight
head -c 100 basic.data >hundred
printf 'PERFILE2 is not enough\n' >text
head -c 4096 /dev/zero >zeros
gzip -c empty >empty.gz
printf 'hello\n' | gzip -c >text.gz
printf 'some words\nof a text\n' >words
for command in collapse block info; do
	# those of folded text say what that lacks
	case $command in
	collapse) none='no stacks' other='neither a perf capture nor folded stacks' ;;
	*) none='empty' other='not a perf.data capture' ;;
	esac
	refused "$command: nothing on standard input" 1 "$none" $command -
	refused "$command: a missing file" 1 'missing: No such file' $command missing
	refused "$command: a directory that is no capture" 1 'empty.dir' $command empty.dir
	refused "$command: an empty file" 1 'empty' $command empty
	refused "$command: a text file" 1 "$other" $command words
	refused "$command: a file of zeros" 1 'not a perf.data capture' $command zeros
	refused "$command: the magic and no more" 1 'eight' $command eight
	refused "$command: a cut header" 1 'hundred' $command hundred
	refused "$command: a text that begins like a capture" 1 'text' $command text
	refused "$command: a device" 1 '/dev/null' $command /dev/null
	refused "$command: nothing, compressed" 1 'empty' $command empty.gz
	refused "$command: a text, compressed" 1 "$other" $command text.gz
	refused "$command: no perf.data here" 1 'perf.data: No such file' $command
done
refused 'a second file that is missing' 1 'missing: No such file' collapse -q basic.data missing
if [ "$(id -u)" = 0 ]; then
	skip 'a file that may not be read' 'root may read everything'
else
	cp basic.data locked.data && chmod 0 locked.data
	refused 'a file that may not be read' 1 'Permission denied' collapse locked.data
fi

# ---- options ----

refused 'no such command' 2 "unknown command 'colapse'; did you mean collapse" colapse
refused 'no such command, nothing near' 2 "unknown command 'xyzzy'" xyzzy
refused 'help on no such command' 2 "unknown command 'infos'; did you mean info" help infos
refused 'an unknown option' 2 'unknown option --frobnicate' collapse --frobnicate basic.data
refused 'a slip' 2 'unknown option --wieght; did you mean --weight?' collapse --wieght samples basic.data
refused 'a slip with a value' 2 'did you mean --kallsyms?' collapse --kallsysm=x basic.data
refused 'an unknown letter' 2 'unknown option -Z' collapse -Z basic.data
refused 'an unknown letter among known ones' 2 'unknown option -Z' collapse -qZ basic.data
refused 'an architecture that is none' 2 '--arch vax: expected what uname -m calls it' collapse --arch vax basic.data
refused 'an ambiguous prefix' 2 '--label- is ambiguous' collapse --label- basic.data
refused 'a value that is missing' 2 '--weight needs a value' collapse basic.data --weight
refused 'a value that is missing, of a letter' 2 '-o needs a value' collapse basic.data -o
refused 'a value that is not wanted' 2 '--kernel=1 takes no value' collapse --kernel=1 basic.data
refused 'a weight that is none' 2 'expected period, samples, branch, or a number' collapse --weight bytes basic.data
refused 'a compat that is none' 2 'expected stackcollapse' collapse --compat inferno basic.data
refused 'a format of the other kind' 2 "no format 'folded'; it has: text csv json" info --format folded basic.data
refused 'a regular expression of a drawing that is none' 2 '--highlight (: ' flamegraph --highlight '(' basic.data
refused 'a format that is none' 2 "no format 'xml'; it has: text csv json" info --format xml basic.data
for list in x 1, 1-x 3-1 -1 '' 1--2; do
	case $list in 1,) continue ;; esac
	refused "--pid '$list'" 2 "--pid" collapse "--pid=$list" basic.data
done
for number in x 0x4 -1 '' 1x; do
	refused "-j '$number'" 2 '-j' collapse -j "$number" basic.data
done
refused 'a colour that is none' 2 '--color' collapse --color sometimes basic.data
refused 'a time that is none' 2 '--time' collapse --time yesterday basic.data
refused 'a wall clock that is not recorded' 1 'wall clock' collapse --time 2026-01-01T00:00:00, basic.data
refused 'a regular expression that is none' 2 '--include (: ' collapse --include '(' basic.data
"$mkperf" -o offcpu.data "$data/synthetic/offcpu.mkperf"
for command in 'collapse basic.data' 'flamegraph basic.data' 'diff basic.data basic.data' 'offcpu offcpu.data'; do
	# shellcheck disable=SC2086
	refused "stacks that no name lets pass: $command" 1 'data: no stack passes --include zzz, --exclude yyy' $command --include zzz \
		--exclude yyy
done
"$pdtool" diff --fail-over 5 --include zzz basic.data basic.data >out 2>err
equal 'a gate over nothing' '5 1' "$? $(grep -c '^pdtool: cannot compare: basic.data: no stack passes --include zzz$' err)"
refused 'times for other inputs' 2 '2 times for 1 inputs' collapse --time 0,1:1,2 basic.data
refused 'a method that is none' 2 'expected delta, delta-abs, ratio or wdiff' diff -c cycles basic.data basic.data
refused 'a method that has no stacks' 2 '--compute has no stacks' diff -c ratio --by stack basic.data basic.data
for option in negate minwidth=1 total=5; do
	refused "--$option of a heat map" 2 "unknown option --${option%=*}" heatmap --format svg --$option basic.data
done
printf 'main;a 4\nmain;b 6\n' >one.folded
printf 'main;a 4 6\nmain;b 6 6\n' >both.folded
for option in colors=green hash random cp=p; do
	[ $option = cp=p ] || # the beginning of --cpu
		refused "--$option of a comparison" 2 "unknown option --${option%=*}" diff --format svg --$option one.folded one.folded
	refused "--$option of folded text with two columns" 2 "--${option%=*} means nothing in a differential graph" flamegraph --$option \
		both.folded
done
refused '--negate where nothing is compared' 2 '--negate means nothing in a graph that compares nothing' flamegraph --negate one.folded
refused '--minwidth of a flame chart' 2 '--minwidth means nothing in a drawing with a time axis' flamegraph --flamechart --minwidth 1 \
	basic.data
"$pdtool" flamegraph --negate both.folded >got 2>err
equal '--negate of folded text with two columns' 0 "$?"
mkdir -p settings/pdtool
printf '[flamegraph]\n\tnegate\n\tcolors = green\n' >settings/pdtool/config
for file in one both; do
	XDG_CONFIG_HOME=$PWD/settings "$pdtool" flamegraph $file.folded >got 2>err
	equal "settings are for all drawings: $file.folded" "0 " "$? $(cat err)"
done
refused "another tool's name, not in full" 2 'unknown option --include-p' collapse --include-p basic.data
refused 'an option after -- is a file' 1 '-q: No such file' collapse -- -q
refused 'an unknown option of info' 2 'unknown option --kernel' info --kernel basic.data

# each type of value, and what is said of one that is none
refused 'a slip in a word' 2 '--by dos: expected symbol, stack, dso or comm; did you mean dso?' diff --by dos a b
refused 'a slip in a list of words' 2 'did you mean comm?' report --sort dso,con basic.data
refused 'no word' 2 '--by : expected' diff --by '' a b
refused 'a count above its bound' 2 '--depth 17: expected a number from 1 to 16' wakeup --depth 17 basic.data
refused 'a count beyond 64 bits' 2 '--rows 99999999999999999999: expected' heatmap --rows 99999999999999999999 basic.data
refused 'a percentage above 100' 2 'expected a percentage from 0 to 100' report --percent-limit 100.1% basic.data
refused 'a percentage of two signs' 2 'expected a percentage' report --percent-limit 5%% basic.data
for time in 0.5ns '' ms 5m -5 1e3 .s 1.5.5s 99999999999999999999; do
	refused "the time '$time'" 2 'expected a time such as 10ms' offcpu "--min=$time" basic.data
done
refused 'a size' 2 'expected sizes' block --size 4q basic.data
refused 'a range of sizes, falling' 2 'expected sizes' block --size 8k-4k basic.data
refused 'a pattern without a name' 2 'expected NAME=REGEX' abstime --group =x basic.data
refused 'a pattern that is none' 2 'expected a regular expression' abstime --group 'a=(' basic.data
refused 'an anchor' 2 'expected SECONDS=ISO' abstime --step 1 --tod --anchor 1=noon basic.data
refused 'an option that needs another' 2 '--tod needs --step' abstime --tod basic.data
refused 'options that exclude each other' 2 '--children and --no-children exclude each other' \
	report --children --no-children basic.data
refused 'a relative path where an absolute one is wanted' 2 'expected an absolute path' bundle-list --cache x basic.data
refused 'a value of what means an option with its value' 2 '--log=1 takes no value' heatmap --log=1 basic.data
refused 'options of what cannot be drawn' 2 'unknown option --fonttype' report --fonttype x basic.data

# says NAME WANTED ARGUMENT...: this text is the output, and the status is 0.
says() {
	name=$1 want=$2
	shift 2
	"$pdtool" "$@" >out 2>err </dev/null
	status=$?
	if [ $status = 0 ]; then
		same "$name" "$want" out
	else
		fail "$name" "exit status $status: $(head -n 1 err)"
	fi
}

"$pdtool" collapse -q --weight samples basic.data >samples.folded
cmp -s basic.folded samples.folded && fail 'two weights' 'they are the same'
says '--opt=value' samples.folded collapse -q --weight=samples basic.data
says 'an unambiguous prefix' samples.folded collapse -q --wei samples basic.data
says 'a prefix with a value' samples.folded collapse -q --we=samples basic.data
says 'options after operands' samples.folded collapse basic.data -q --weight samples
says 'letters together' samples.folded collapse -qv --weight samples basic.data
says 'the file by -i' samples.folded collapse -q --weight samples -i basic.data
says 'the file by -iFILE' samples.folded collapse -q --weight samples -ibasic.data
says 'the file by --input' samples.folded collapse -q --weight samples --input=basic.data
says 'the file behind --' samples.folded collapse -q --weight samples -- basic.data
says '--force is accepted' samples.folded collapse -qf --weight samples basic.data
says 'the last of two weights counts' samples.folded collapse -q --weight period --weight samples basic.data
cp basic.data perf.data
says 'perf.data is the file if none is named' basic.folded collapse -q
rm perf.data

# option NAME ARGUMENT...: this succeeds with some output.
works() {
	name=$1
	shift
	"$pdtool" "$@" >out 2>err </dev/null
	status=$?
	if [ $status = 0 ] && [ -s out ]; then
		ok "$name"
	else
		fail "$name" "exit status $status, $(wc -c <out) bytes: $(head -n 1 err)"
	fi
}
works 'help' help
works '--help' --help
works 'help collapse' help collapse
for how in 'help sched' 'sched -h' 'sched --help'; do
	# shellcheck disable=SC2086
	equal "$how: its commands" "$("$pdtool" list | sed -n 's/^ *sched \([a-z]*\) .*/\1/p')" "$("$pdtool" $how | sed -n 's/^ *sched \([a-z]*\) .*/\1/p')"
done
works 'collapse --help' collapse --help
works 'list' list
works '--version' --version
works '--version -vv' --version -vv
for command in collapse info report; do
	"$pdtool" $command -h >out 2>&1
	grep -oE -e '--[a-z-]+' out | sort -u >options
	[ "$(grep -c . options)" -gt 20 ] && ok "$command -h names its options" || fail "$command -h" 'too few options'
done
"$pdtool" >out 2>err
result 'no command at all is wrong usage' $(($? - 2))
[ ! -s out ] && grep -q '^Usage' err && ok 'and tells the usage' || fail 'and tells the usage' 'it does not'

# Options that name one place say so where they are given two.
mkdir place place/two
"$pdtool" collapse --symfs place --symfs place/two basic.data 2>&1 >/dev/null | grep -v 'have no name' >err
equal 'a directory that another one takes the place of' \
	'pdtool: collapse: --symfs place is not used: --symfs place/two comes after it' "$(cat err)"
"$pdtool" collapse -o a.folded -o b.folded basic.data 2>&1 | grep -q -e '--output a.folded is not used'
result 'and a file' $?
"$pdtool" collapse --symfs place --symfs place basic.data 2>&1 >/dev/null | grep -q 'not used'
equal 'the same one twice' 1 $?

# ---- writing ----

if [ -c /dev/full ]; then
	for program in "$pdtool" "$san"; do
		for file in basic.data many.data; do
			"$program" collapse -q $file >/dev/full 2>err
			status=$?
			if [ $status = 1 ] && [ "$(grep -c '' err)" = 1 ] && grep -q 'No space left' err; then
				ok "a full disk, $file"
			else
				fail "a full disk, $file" "exit status $status: $(head -n 1 err)"
			fi
		done
	done
	refused 'a full disk by -o' 1 'No space left' collapse -q -o /dev/full basic.data
else
	skip 'a full disk' 'there is no /dev/full'
fi

# The reader of a FIFO leaves before anything is written: no race.
closed_fifo() {
	name=$1
	shift
	rm -f fifo && mkfifo fifo
	{ exec 3<fifo; exec 3<&-; : >gone; } &
	{
		while [ ! -f gone ]; do sleep 0.05; done
		"$@" 2>err
		echo $? >status
	} >fifo
	wait
	rm -f gone
	status=$(cat status)
	if [ "$status" = 141 ] && [ ! -s err ]; then ok "$name"; else fail "$name" "exit status $status: $(head -n 1 err)"; fi
}
closed_fifo 'a closed pipe' "$pdtool" collapse -q basic.data
closed_fifo 'a closed pipe, without -q' "$pdtool" collapse basic.data
closed_fifo 'a closed pipe, info' "$pdtool" info basic.data
closed_fifo 'a closed pipe, sanitized' "$san" collapse -q basic.data

cp basic.data copy.data
refused 'the output is the input' 2 'is an input' collapse -q -o copy.data copy.data
refused 'the output is the second input' 2 'is an input' collapse -q -o copy.data basic.data copy.data
ln copy.data link.data
refused 'the output is a link to the input' 2 'is an input' collapse -q -o link.data copy.data
cmp -s basic.data copy.data && ok 'and the input is whole' || fail 'and the input is whole' 'it is not'
# The name of the output tells its format, unless --format does, or the command has none of that name.
for pair in 'svg <?xml' 'json {' 'csv children_percent,' 'folded event ' 'data event '; do
	"$pdtool" report -q -o "named.${pair%% *}" basic.data
	grep -q "^${pair#* }" "named.${pair%% *}"
	result "report -o named.${pair%% *}" $? "$(head -n 1 "named.${pair%% *}")"
done
"$pdtool" report -q --format text -o named.svg basic.data
equal 'and --format goes before' 'event' "$(head -c 5 named.svg)"
refused 'an output that cannot be' 1 'No such file' collapse -q -o no/such/file basic.data
"$pdtool" collapse -q -o out.folded basic.data >out && [ ! -s out ] && same '-o FILE' basic.folded out.folded
echo 'longer than what comes' >>out.folded
cat basic.folded basic.folded >>out.folded
"$pdtool" collapse -q -o out.folded basic.data && same '-o over a longer file' basic.folded out.folded
says '-o -' basic.folded collapse -q -o - basic.data
says 'the input by standard input, when it is not wanted' basic.folded collapse -q basic.data

# ---- grades ----

"$pdtool" collapse -q --strict basic.data >out 2>err
result '--strict, nothing lost' $?
same '--strict, nothing lost: the output' basic.folded out
"$pdtool" collapse --strict damage.data >out 2>err
equal '--strict, damaged: status' 3 $?
[ -s out ] && ok '--strict, damaged: what there is' || fail '--strict, damaged: what there is' 'nothing'
grep -q 'bytes' err && ok 'the damage is told' || fail 'the damage is told' 'it is not'
"$pdtool" collapse damage.data >out 2>err
equal 'damaged, not strict: status' 0 $?
"$pdtool" collapse -q damage.data >out 2>err
[ ! -s err ] && ok '-q is quiet' || fail '-q is quiet' "$(head -n 1 err)"
head -c 2500 basic.data >cut.data
"$pdtool" collapse --strict -q cut.data >out 2>err
equal '--strict, cut: status' 3 $?
[ -s out ] && ok '--strict, cut: what there is' || fail '--strict, cut: what there is' 'nothing'
"$pdtool" collapse damage.data many.data basic.data -q >out 2>err
[ ! -s err ] && ok 'no progress without a terminal' || fail 'no progress without a terminal' "$(head -n 1 err)"

# ---- hostile text ----

# clean NAME FILE: no control byte but the newline, in ASCII or as U+0080 to U+009F.
clean() {
	if [ ! -s "$2" ]; then
		fail "$1" 'there is nothing'
	elif perl -ne 'exit 1 if /\xc2[\x80-\x9f]|[\x00-\x09\x0b-\x1f\x7f]/' "$2"; then
		ok "$1"
	else
		fail "$1" 'a control byte comes through'
		od -c "$2" >dump
		show dump
	fi
}

# Escapes, a title of a terminal, C1 controls in UTF-8, a newline, a tab, and a weight that is none.
cat >hostile.mkperf <<'END'
host "host\x1b[31m"
release "6.1\x9b0"
version "6.1\x1b]0;title\x07"
arch x86_64
nrcpus 1
cmdline "perf\x1b[2J" "rec\nord"
event "cy\x1b[31mcles" type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task \
	sample_type=IP|TID|TIME|ID|CALLCHAIN|CPU|PERIOD
event "two\nlines" type=hardware config=1 period=1 ids=6 sample_id_all \
	sample_type=IP|TID|TIME|ID|CALLCHAIN|CPU|PERIOD
default pid=7 cpu=0 period=1 id=5
comm comm="e\x1b[31mvil" time=10
mmap addr=0x1000 len=0x1000 file="/bin/\x1b]0;x\x07\xc2\x9b31m" time=11
sample time=12 ip=0x1000 chain=[user:0x1000]
comm comm="a\nb 9" time=13
sample time=14 ip=0x1000 chain=[user:0x1000,0x5000]
comm comm="x;y\tz" time=15
sample time=16 ip=0x1000 chain=[user:0x1000]
comm comm="\xff\xfe\x7f" time=17
sample time=18 ip=0x1000 chain=[user:0x1000]
comm comm="" time=19
sample time=20 ip=0x1000 chain=[user:0x1000]
ksymbol addr=0xffffffffc0001000 len=64 name="bpf\x1b[31m;prog" time=21
sample time=22 ip=0xffffffffc0001000 mode=kernel chain=[kernel:0xffffffffc0001000]
END
if "$mkperf" -o hostile.data hostile.mkperf 2>err; then
	for kind in "$pdtool" "$san"; do
		"$kind" collapse hostile.data >out 2>err
		clean 'hostile names: collapse' out
		clean 'hostile names: what collapse says' err
		"$kind" collapse --compat stackcollapse hostile.data >out 2>err
		clean 'hostile names: --compat' out
		"$kind" info hostile.data >out 2>err
		clean 'hostile names: info' out
		"$kind" info -v --format csv hostile.data >out 2>err
		clean 'hostile names: info as csv' out
		"$kind" hostile.data >out 2>err
		clean 'hostile names: the summary' out
		"$kind" summary --format csv hostile.data >out 2>err
		clean 'hostile names: the summary as csv' out
	done
	"$pdtool" collapse hostile.data 2>/dev/null | grep -vqE '^[^;]*(;[^;]+)* [0-9]+$' &&
		fail 'hostile names: lines' 'one is not "frames weight"' || ok 'hostile names: lines'
	equal 'hostile names: total weight' 6 "$("$pdtool" collapse -q hostile.data | awk '{ n += $NF } END { print n }')"
else
	fail 'hostile names' "mkperf: $(cat err)"
fi
cp basic.data "$(printf 'bad\033[31m.data')"
"$pdtool" info "$(printf 'bad\033[31m.data')" >out 2>err
clean 'a hostile file name: info' out
"$pdtool" collapse "$(printf 'missing\033[31m.data')" >out 2>err
clean 'a hostile file name: an error' err
"$pdtool" collapse "$(printf -- '--bad\033[31m')" >out 2>err
clean 'a hostile option: an error' err
"$pdtool" "$(printf 'bad\033[31m')" >out 2>err
clean 'a hostile command: an error' err

# ---- colour ----

escapes() { tr -dc '\033' | wc -c | tr -d ' '; }
equal 'no colour in a file' 0 "$("$pdtool" info basic.data 2>/dev/null | escapes)"
[ "$("$pdtool" info --color always basic.data 2>/dev/null | escapes)" -gt 0 ] && ok '--color always' ||
	fail '--color always' 'there is none'
equal '--color never' 0 "$("$pdtool" info --color never basic.data 2>/dev/null | escapes)"
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1; then
	on_terminal() { PDTOOL_PAGER=cat TERM=xterm script -qec "$1" /dev/null </dev/null 2>/dev/null | escapes; }
	[ "$(on_terminal "'$pdtool' info -q basic.data")" -gt 0 ] && ok 'colour on a terminal' ||
		fail 'colour on a terminal' 'there is none'
	equal 'NO_COLOR' 0 "$(NO_COLOR=1 on_terminal "'$pdtool' info -q basic.data")"
	equal 'TERM=dumb' 0 "$(on_terminal "TERM=dumb '$pdtool' info -q basic.data")"
else
	skip 'colour on a terminal' 'script(1) is not installed, or there is no terminal to be had'
fi

# ---- several files ----

"$pdtool" collapse -q order.data >order.folded
cat basic.folded order.folded basic.folded | stacks | awk '{
	n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n
} END { for (s in sum) print s " " sum[s] }' | LC_ALL=C sort >sorted
"$pdtool" collapse -q basic.data order.data basic.data | stacks | sort >merged
same 'several files merge' sorted merged
cat basic.data | "$pdtool" collapse -q order.data - basic.data | stacks | sort >merged
same 'several files merge, one from standard input' sorted merged

# ---- a file that is cut while it is mapped ----

mkfifo waiting
"$pdtool" collapse waiting 2>err >out &
reader=$!
exec 9>waiting # it has been opened, and is read from now on
kill -BUS $reader
wait $reader
equal 'a bus error: exit status' 1 $?
exec 9>&-
equal 'a bus error: one line' 'pdtool: a file was cut, or could not be read, while it was in use' "$(cat err)"
