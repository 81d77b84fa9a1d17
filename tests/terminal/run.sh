#!/bin/sh
# What somebody sees on a terminal of 80 x 24 and of 160 x 50: no line is wider, no number is cut, what is longer than the
# screen goes through the pager. Each command that `pdtool list` names, over captures of testdata: of each the
# screens of some commands, of each command those of some captures.
#   tests/terminal/run.sh            compare with tests/terminal/expected, too
#   tests/terminal/run.sh --accept   write what comes now; read the difference before it is committed
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
pty=$build/tests/lib/pty
expected=$top/tests/terminal/expected
accept=
[ "${1:-}" = --accept ] && accept=1 && mkdir -p "$expected" && rm -f "$expected"/*
unset COLUMNS LINES LESS PDTOOL_PAGER PERF_PAGER 2>/dev/null
TERM=dumb
export TERM

# A pager that shows that it ran.
cat >pager <<'END'
#!/bin/sh
echo '(pager)'
exec cat
END
chmod +x pager

# ---- every command on every capture ----

"$host_pdtool" list | sed -n '/^Analyzers/,/^$/s/^  \(.\{15\}\) .*/\1/p' | sed 's/ *$//' >commands
[ "$(wc -l <commands)" -gt 19 ] && ok 'there are commands' || fail 'there are commands' "$(cat commands)"
for source in "$data"/synthetic/*.mkperf; do
	"$mkperf" -o "$(basename "$source" .mkperf).data" "$source" 2>err || fail "$source" "$(cat err)"
done
{
	find "$data/recorded" "$data/unwind" "$data/broken" -type f \( -name '*.data' -o -name '*.data.zst' \)
	find "$data/broken" -type f
	find "$data/recorded" -type d -name '*.data'
	ls "$tmp"/*.data
} | sort -u >captures
[ "$(wc -l <captures)" -gt 90 ] && ok 'there are captures' || fail 'there are captures' "$(wc -l <captures)"

# What bundle-list writes is for tar and sh, which somebody may copy from the terminal: its lines stay whole.
while read -r capture; do
	"$host_pdtool" bundle-list --no-host "$capture" >whole 2>err || continue
	PDTOOL_PAGER=cat "$pty" 80x24 "$host_pdtool" bundle-list -q --no-host "$capture" >shown
	tr -d '\r' <shown | cmp -s - whole || fail "bundle-list of $capture is whole" "$(tr -d '\r' <shown | diff whole - | head -n 3)"
	whole=$((${whole:-0} + 1))
done <captures
[ "${whole:-0}" -gt 30 ] && ok "bundle-list of $whole captures is whole" || fail 'bundle-list is whole' "only ${whole:-0}"
# So do those of script, which is the text of another program.
sed -i '/^bundle-list$/d; /^script$/d' commands

# Threads that made threads, three hundred deep: their names stay in sight, and the lines end.
{
	echo 'event cycles type=hardware config=0 period=1 sample_type=IP|TID|TIME'
	echo 'comm pid=1 tid=1 comm=first time=1'
	echo 'repeat 300 {'
	echo 'fork pid=1 tid=$i+2 ppid=1 ptid=$i+1 time=$i+2'
	echo '}'
	echo 'sample ip=0x1000 pid=1 tid=1 time=400'
} >threads.mkperf
"$mkperf" -o threads.data threads.mkperf 2>err || fail 'deep threads' "$(cat err)"
"$pty" 80x24 "$host_pdtool" report --no-host --no-pager -q --tasks --limit 0 threads.data | tr -d '\r' >shown
equal 'deep threads: all of them' 301 "$(grep -c 'first$' shown)"
[ "$(LC_ALL=C.UTF-8 wc -L <shown)" -le 80 ] && ok 'deep threads' || fail 'deep threads' "$(LC_ALL=C.UTF-8 wc -L <shown) columns"
"$host_pdtool" report --no-host -q --tasks threads.data >shown
[ "$(LC_ALL=C.UTF-8 wc -L <shown)" -le 250 ] && ok 'deep threads in a pipe' || fail 'deep threads in a pipe' "$(LC_ALL=C.UTF-8 wc -L <shown) columns"
rm threads.data threads.mkperf

# The function of each capture that most samples were in itself; "main" where none has a name. With the files of testdata.
files="--no-host	--symfs	$data/symfs	--allow-unverified"
while read -r capture; do
	# shellcheck disable=SC2086
	"$host_pdtool" report -q $files --no-children --sort symbol --format csv "$capture" 2>err |
		sed -n '2,$s/^.*,\([^,"[][^,"]*\)$/\1/p' | head -n 1 | grep . || echo main
done <captures >functions
[ "$(grep -cvx main functions)" -gt 20 ] && ok 'there are functions' || fail 'there are functions' "$(sort functions | uniq -c)"

# What makes a file gets one, what compares two captures compares one with itself.
while read -r command; do
	paste captures functions | awk -F'\t' -v pdtool="$host_pdtool" -v command="$command" -v tmp="$tmp" -v files="$files" '{
		gsub(" ", "\t", command)
		more = "--no-host"
		if (command == "pack")
			more = more "\t-o\t" tmp "/made.pack"
		if (command == "annotate")
			more = files "\t" $2
		printf "%s\t%s\t%s\t%s%s\n", pdtool, command, more, $1, command == "diff" ? "\t" $1 : ""
	}'
done <commands >all
paste functions captures | while IFS="$(printf '\t')" read -r name capture; do
	# shellcheck disable=SC2086
	"$host_pdtool" annotate -q $files "$name" "$capture" --format csv 2>err | sed -n 2p
done >listed
[ "$(wc -l <listed)" -gt 35 ] && ok 'annotate lists something' || fail 'annotate lists something' "only $(wc -l <listed)"
{
	for page in pdtool config peers list; do
		printf '%s\thelp\t%s\n' "$host_pdtool" $page
	done
	printf '%s\tlist\n' "$host_pdtool"
	while read -r command; do
		echo "$command" | awk -v pdtool="$host_pdtool" '{
			gsub(" ", "\t")
			printf "%s\t%s\t-h\n%s\thelp\t%s\n", pdtool, $0, pdtool, $0
		}'
	done <commands
} >>all
awk -v n="$one_in" '!/\t--no-host\t/ || NR % n == 0' all >screens
for size in 80x24 160x50; do
	PDTOOL_PAGER=$tmp/pager "$pty" $size -check screens >out
	status=$?
	[ $status = 0 ] && ok "$(wc -l <screens) commands on $size" || fail "commands on $size" "$(head -n 20 out)"
done

# ---- numbers are whole: those of each row come, in their order, in the row that a file gets ----

for size in 80x24 160x50; do
	grep -E 'sw_wakeup|slow1|q1|multi.data|switchev|02-|23-|24-' all >some
	bad=
	while read -r line; do
		# shellcheck disable=SC2086
		set -- $(echo "$line" | tr '\t' ' ')
		[ "$2" = heatmap ] && continue
		"$@" --format text >whole 2>err </dev/null || continue
		PDTOOL_PAGER=cat "$pty" $size "$@" --format text >shown
		awk -f "$top/tests/terminal/numbers.awk" whole shown >why || bad="$bad $*: $(cat why)"
		tables=$((${tables:-0} + $(grep -c table why)))
	done <some
	[ -z "$bad" ] && ok "numbers are whole on $size" || fail "numbers are whole on $size" "$bad"
done
[ "${tables:-0}" -gt 100 ] && ok "$tables tables had numbers" || fail 'tables had numbers' "only ${tables:-0}"

# ---- as it was read and accepted ----

: >names
# golden NAME ARGUMENT...: on both terminals, without a pager.
golden() {
	name=$1
	shift
	for size in 80x24 160x50; do
		{
			echo "\$ pdtool $*"
			PDTOOL_PAGER=cat "$pty" $size "$pdtool" "$@"
			[ $? = 0 ] || echo "exit status $?"
		} >raw 2>&1
		sed '/^pdtool: sandbox: /d' raw >got # as this kernel has it: see tests/sandbox
		echo "$name.$size.txt" >>names
		if [ -n "$accept" ]; then
			cp got "$expected/$name.$size.txt"
		else
			same "$name on $size" "$expected/$name.$size.txt" got
		fi
	done
}
cp "$data/recorded/x86_64/sched/sw_wakeup.data.zst" sched.data.zst
cp "$data/recorded/x86_64/block/q1.data.zst" block.data.zst
cp "$data/recorded/x86_64/diff_pair/base1.data.zst" "$data/recorded/x86_64/diff_pair/slow1.data.zst" .
touch -d 2020-01-02T03:04:05Z ./*.data.zst
cat >names.mkperf <<'END'
event cpu-clock type=software config=0 period=1000 sample_type=IP|TID|TIME|CALLCHAIN|PERIOD sample_id_all
comm pid=7 comm=データベース
mmap pid=7 addr=0x1000 len=0x1000 file=//anon exec
mmap pid=7 addr=0x3000 len=0x1000 file=/opt/a/directory/lib日本語の長い名前のライブラリ.so.12 exec
sample pid=7 time=1000000 ip=0x1100 chain=[user,0x1100,0x1200]
sample pid=7 time=1001000 ip=0x1150 chain=[user,0x1150,0x1200]
sample pid=7 time=1002000 ip=0x1300 chain=[user,0x1300,0x1200]
sample pid=7 time=1002000 ip=0x3300 chain=[user,0x3300,0x1200]
END
"$mkperf" -o names.data names.mkperf 2>err || fail names "mkperf: $(cat err)"
printf '%b\n' '1300 40 e\0314\0201t\0314\0201' >perf-7.map
cat >>perf-7.map <<'END'
1100 40 std::vector<std::pair<int, std::string>, std::allocator<std::pair<int, std::string> > >::operator<<(std::vector<int, std::allocator<int> > const&)
1150 40 日本語の名前がとても長い関数なので端末の一行に入りきらないことを確かめるための関数です
1200 40 operator->(a<b>)
END
golden help help
golden list list
golden report report slow1.data.zst
golden report-names report --perf-map 7=perf-7.map names.data
golden flamegraph flamegraph --perf-map 7=perf-7.map names.data
golden diff diff base1.data.zst slow1.data.zst
golden abstime abstime base1.data.zst slow1.data.zst
cp "$data/recorded/x86_64/modes/clock.data" . && touch -d 2020-01-02T03:04:05Z clock.data && ln -s "$data/symfs" symfs
golden annotate annotate --symfs symfs --allow-unverified leaf_a clock.data
golden doctor doctor slow1.data.zst
golden info info sched.data.zst
golden sched-latency sched latency sched.data.zst
golden sched-timehist sched timehist sched.data.zst
golden sched-timeline sched timeline sched.data.zst
golden block block block.data.zst
golden block-each block --each --limit 5 block.data.zst
golden heatmap heatmap block.data.zst
golden offcpu offcpu sched.data.zst
if [ -z "$accept" ]; then
	ls "$expected" | sort >have
	sort names | comm -13 - have >left
	[ ! -s left ] && ok 'no text is left over' || fail 'no text is left over' "$(tr '\n' ' ' <left)"
fi

# ---- what is shown, and by whom ----

# shows NAME STATUS PATTERN ARGUMENT...: on a terminal; with "!" before PATTERN: does not.
shows() {
	name=$1 want=$2 pattern=$3
	shift 3
	"$pty" 80x24 "$@" >got
	status=$?
	[ $status = "$want" ] || fail "$name" "exit status $status, wanted $want: $(head -n 3 got)"
	case $pattern in
	!*) grep -qe "${pattern#!}" got && fail "$name" "$(grep -m 1 -e "${pattern#!}" got)" && return ;;
	*) grep -qe "$pattern" got || { fail "$name" "$(head -n 5 got)"; return; } ;;
	esac
	ok "$name"
}
s=slow1.data.zst
P="env PDTOOL_PAGER=$tmp/pager PAGER=false"
# shellcheck disable=SC2086
{
	shows 'text goes to the pager' 0 '^(pager)' $P "$pdtool" report $s
	shows '--no-pager' 0 '!^(pager)' $P "$pdtool" report --no-pager $s
	shows '--no-pager before the command' 0 '!^(pager)' $P "$host_pdtool" --no-pager report --no-host $s
	shows '--paginate' 0 '^(pager)' $P "$pdtool" report --no-pager --paginate $s
	shows '-o' 0 '!.' $P "$pdtool" report -q -o r.txt $s
	shows 'CSV' 0 '!^(pager)' $P "$pdtool" report --format csv $s
	shows 'PERF_PAGER' 0 '^(pager)' env PERF_PAGER="$tmp/pager" PAGER=false "$pdtool" report $s
	shows 'PAGER' 0 '^(pager)' env PAGER="$tmp/pager" "$pdtool" report $s
	shows 'no pager at all' 0 'Children' env PDTOOL_PAGER= PAGER="$tmp/pager" "$pdtool" report $s
	shows 'a pager that is not there' 0 'Children' env PAGER=no-such-pager "$pdtool" report $s
	shows 'a pager of several words' 0 'CHILDREN' env PAGER='tr a-z A-Z' "$pdtool" report $s
	shows 'LESS' 0 '^FRX$' env -u LESS PAGER='echo $LESS; cat' "$pdtool" report $s
	shows 'LESS as it was' 0 '^S$' env LESS=S PAGER='echo $LESS; cat' "$pdtool" report $s
	shows 'the exit status of the command' 4 '^(pager)' $P "$pdtool" doctor --max-unresolved 1 $s
	shows 'the user quits' 0 'Command' env PAGER='head -n 20' "$pdtool" sched timehist --limit 0 sched.data.zst
	shows 'warnings go there, too' 0 '^PDTOOL: ' env PAGER='tr a-z A-Z' "$pdtool" report $s
	shows 'the manual goes to the pager' 0 '^(pager)' $P "$pdtool" help peers
	shows 'the list goes to the pager' 0 '^(pager)' $P "$pdtool" list
	shows 'options in short go to the pager' 0 '^(pager)' $P "$pdtool" report -h
	shows 'a drawing: text and a hint' 0 'the drawing itself: -o FILE.svg' $P "$pdtool" flamegraph $s
	shows 'a drawing: no drawing' 0 '!<svg' $P "$pdtool" flamegraph --format svg $s
	shows 'a drawing into a file' 0 '!.' $P "$pdtool" flamegraph -q -o f.svg $s
	shows 'folded stacks: a table' 0 'Share' $P "$pdtool" collapse $s
	shows 'folded stacks that are asked for' 0 '^app;' $P "$pdtool" collapse --format folded $s
	shows 'folded stacks as stackcollapse-perf.pl has them' 0 '^app;' $P "$pdtool" collapse --compat stackcollapse $s
	shows 'a pack' 2 '-o FILE' $P "$pdtool" pack -o - $s
	shows 'COLUMNS' 0 'Preempted' env COLUMNS=180 PAGER=cat "$pdtool" sched latency sched.data.zst
	shows '--wide' 0 '^Children .*Symbol' env PAGER=cat "$pdtool" report --wide $s
	shows '--limit' 0 '!_itoa_word' env PAGER=cat "$pdtool" report --limit 3 $s
	shows '--limit 0' 0 '!more: --limit' env PAGER=cat "$pdtool" report --limit 0 $s
	shows '--percent-limit' 0 '!more: --limit' env PAGER=cat "$pdtool" report --percent-limit 0.1 $s
	shows 'colours' 0 "$(printf '\033')\\[31m" env TERM=xterm PAGER=cat "$pdtool" report $s
	shows 'NO_COLOR' 0 "!$(printf '\033')" env TERM=xterm NO_COLOR=1 PAGER=cat "$pdtool" report $s
}
# first NAME LINES PATTERN ARGUMENT...: what people must know stands in the first LINES lines of a terminal; with "!" before
# PATTERN: what they need not does not, but it comes.
first() {
	name=$1 lines=$2 pattern=$3
	shift 3
	PDTOOL_PAGER=cat "$pty" 80x24 "$pdtool" "$@" >got
	head -n "$lines" got >top
	case $pattern in
	!*) grep -q "${pattern#!}" top || ! grep -q "${pattern#!}" got ;;
	*) ! grep -q "$pattern" top ;;
	esac && fail "$name" "$(cat top)" || ok "$name"
}
first 'the sum is the first line' 1 '^event  *task-clock: 2,703 samples' report $s
first 'the verdict is the first line' 1 '^verdict ' diff base1.data.zst $s
first 'figures come soon' 8 '^ *92[.]30%' report $s
first 'figures of a comparison come soon' 12 ' Certainty  Name' diff base1.data.zst $s
first 'filters stand above them' 4 '^filters  *comm app' report --comms app $s
first 'no filter stands below them' 8 '!^filters  *none' report $s
first 'what is not resolved stands above them' 4 '^unresolved ' report $s
cp "$data/recorded/x86_64/calls/lost.data.zst" .
first 'losses stand above them' 6 '^lost  *[1-9]' report lost.data.zst
first 'no loss stands below them' 8 '!^lost  *0' report $s
first 'what was left out stands above them' 5 '^left out ' report --percent-limit 3 $s
first 'what does not match stands above them' 5 '^unmatched  *13 ' block block.data.zst
first 'the facts of info are its answer' 1 '^capture ' info $s
"$pdtool" report $s 2>err | sed -n '/^$/q; p' >got
grep -q '^filters  *none' got && grep -q '^percentage' got && ok 'a pipe gets all facts first' || fail 'a pipe gets all facts first' "$(cat got)"

grep -q '<svg' f.svg && ok 'the drawing is there' || fail 'the drawing is there' "$(head -n 2 f.svg)"
grep -q Children r.txt && ok 'the text is there' || fail 'the text is there' "$(head -n 2 r.txt)"
COLUMNS=40 "$pdtool" report $s 2>err | awk 'length > 60 { n++ } END { exit !n }' && ok 'a pipe gets whole lines' || fail 'a pipe gets whole lines' ''
"$pdtool" report --limit 3 $s 2>err | grep -c % | grep -qx 4 && ok '--limit without a terminal' || fail '--limit without a terminal' "$("$pdtool" report --limit 3 $s | tail -n 5)"
"$pdtool" report --limit 1 --format csv $s 2>err >all.csv
grep -q 'csv has all rows' err && [ "$(wc -l <all.csv)" -gt 2 ] && ok '--limit of CSV' || fail '--limit of CSV' "$(cat err)"
