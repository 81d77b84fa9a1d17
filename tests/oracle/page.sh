#!/bin/sh
# `page`: what the page counts, by its own modules in node, is what the commands count: ranges of time folded as `collapse --time`
# has them, byte for byte, functions as `report --children`. Nothing of a capture is script there.
# Usage: tests/oracle/page.sh [FILE...]   (default: some of testdata)
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
. "$top/tests/lib/blockcap.sh"
command -v node >/dev/null || { skip 'the page' 'there is no node'; exit 0; }
read_page() { node "$top/tests/oracle/page/read.js" "$top/formats/page" "$@" 2>err; }

# window FROM TO: the same for --time, whose ends are inclusive nanoseconds.
window() { awk -v a="$1" -v b="$2" 'BEGIN { b--; printf "%d.%06d,%d.%06d999", a / 1000000, a % 1000000, b / 1000000, b % 1000000 }'; }

# foldings EVENT FILE COMMAND OPTION...: of each of the ranges; how many are compared, of how many lines, and what differs.
foldings() {
	event=$1 file=$2 command=$3 number=0
	shift 3
	rm -f got.*
	read_page foldings made.html "$event" got <ranges || head -n 1 err >>differ
	while read -r from to; do
		number=$((number + 1)) range=
		[ "$from" = - ] || range="--time $(window "$from" "$to")"
		# shellcheck disable=SC2086 # two words or none
		"$pdtool" "$command" -q --allow-empty --format folded $range "$@" "$file" >want 2>/dev/null
		cmp -s want got.$number || echo "$event $from $to" >>differ
		compared=$((compared + 1)) lines=$((lines + $(wc -l <want)))
	done <ranges
}

# made FILE OPTION...: its page, made.html; ten ranges of it, and all.
made() {
	made_of=$1
	shift
	"$pdtool" page -q "$@" -o made.html "$made_of" 2>err || { fail "$case_name" "$(head -n 1 err)"; return 1; }
	read_page ranges made.html 10 >ranges
	echo '- -' >>ranges
	: >differ
	compared=0 lines=0
}

# compared NAME FILE OPTION...: ten ranges, and all, of each event.
compared() {
	case_name=$1 file=$2
	shift 2
	made "$file" "$@" || return 0
	read_page events made.html >events
	while IFS= read -r event; do
		foldings "$event" "$file" collapse --event-filter "$event" "$@"
	done <events
	[ ! -s differ ] && [ $compared -gt 0 ] && ok "$case_name: $compared foldings" || fail "$case_name: $compared foldings" "$(wc -l <differ) differ, first $(head -n 1 differ)"
}

# beside NAME FILE OPTION...: time off the CPU as `offcpu` and `wakeup` have it, in ten ranges, and all.
beside() {
	case_name=$1 file=$2
	shift 2
	made "$file" "$@" || return 0
	read_page beside made.html >events
	while IFS= read -r event; do
		[ "$event" = off-CPU ] && command=offcpu || command=wakeup
		foldings "$event" "$file" $command "$@"
	done <events
	[ ! -s differ ] && [ $lines -gt 0 ] && ok "$case_name: $compared foldings" || fail "$case_name: $compared foldings of $lines lines" "$(wc -l <differ) differ, first $(head -n 1 differ)"
}

# ios NAME FILE OPTION...: I/Os as `block` has them, in ten ranges, and all.
ios() {
	case_name=$1 file=$2
	shift 2
	made "$file" "$@" || return 0
	number=0
	rm -f got.*
	read_page ios made.html got <ranges || head -n 1 err >>differ
	while read -r from to; do
		number=$((number + 1)) range=
		[ "$from" = - ] || range="--time $(window "$from" "$to")"
		# shellcheck disable=SC2086 # two words or none
		"$pdtool" block -q --allow-empty --format csv $range "$@" "$file" >want 2>/dev/null
		cmp -s want got.$number || echo "$from $to" >>differ
		lines=$((lines + $(wc -l <want) - 1))
		[ "$from" = - ] && continue
		[ "$(awk '{ print $1 - $2, $2 }' got.$number.points)" = "0 $(awk -F, '{ n += $3 } END { print n + 0 }' want)" ] || echo "points $from $to" >>differ
	done <ranges
	[ ! -s differ ] && [ $lines -gt 0 ] && ok "$case_name: 11 tables" || fail "$case_name: 11 tables of $lines lines" "$(wc -l <differ) differ, first $(head -n 1 differ)"
}
recorded=$data/recorded/x86_64
if [ $# -gt 0 ]; then
	for file; do
		compared "$file" "$file"
		beside "$file" "$file"
		ios "$file" "$file"
	done
	exit
fi
compared 'a program' "$recorded/diff_pair/base1.data.zst"
compared 'its names by a cache' "$recorded/diff_pair/base1.data.zst" --buildid-dir "$data/buildid"
compared 'three events' "$data/recorded/script/mixed.data.zst"
compared 'a scheduler' "$recorded/sched/flat.data.zst"
compared 'disks' "$recorded/block/q1.data.zst"
compared 'a killed recorder' "$recorded/damaged/killedz.data"
compared 'branch stacks of a phone' "$data/recorded/android/sp_lbr.data.zst"
compared 'filters' "$recorded/sched/flat.data.zst" --cpu 0 --no-idle
compared 'marks of functions' "$recorded/diff_pair/base1.data.zst" --all

# Time off the CPU, and who ended it.
for name in sched/flat sched/sw_lost sched/sw_wakeup sched/switchev multi_event/multi ../android/sp_switch; do
	beside "off the CPU, ${name#*/}" "$recorded/$name.data.zst"
done
beside 'off the CPU, filters' "$recorded/sched/flat.data.zst" --cpu 0 --comm bash
"$pdtool" page -q -o made.html --time 20%-70% "$recorded/sched/flat.data.zst"
for command in offcpu wakeup; do
	[ $command = offcpu ] && event=off-CPU || event='blocked, by waker'
	"$pdtool" $command -q --format folded --time 20%-70% "$recorded/sched/flat.data.zst" >want 2>/dev/null
	read_page folded made.html "$event" - - >got
	same "off the CPU: a part of the capture, $command" want got
done
for name in offcpu sched_lost; do
	"$mkperf" -o $name.data "$data/synthetic/$name.mkperf" || fail 'mkperf' "$?"
	beside "off the CPU, made, $name" $name.data
done
for name in flat nospin sw_wakeup; do
	"$pdtool" sched latency -q --format csv "$recorded/sched/$name.data.zst" 2>/dev/null | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["tid"] && $at["run_ns"] + $at["wait_ns"] { print $at["tid"], $at["run_ns"], $at["wait_ns"] }' | sort >want
	"$pdtool" page -q -o made.html "$recorded/sched/$name.data.zst"
	read_page doing made.html | awk '$2 + $3 { print $1, $2, $3 }' | sort >got
	same "how long threads ran and waited, $name" want got
done
cat >gaps.mkperf <<'END'
event "cpu-clock" type=1 config=0 period=1000000 ids=1 sample_type=IP|TID|TIME|CPU|PERIOD|IDENTIFIER
comm pid=1 tid=1 comm="one" time=1
sample ip=0x1010 pid=1 tid=1 time=1000000 cpu=0 period=1000000
throttle time=2000000 id=1 stream_id=1
unthrottle time=3500000 id=1 stream_id=1
sample ip=0x1010 pid=1 tid=1 time=4000000 cpu=0 period=1000000
END
"$mkperf" -o gaps.data gaps.mkperf || fail 'mkperf' "$?"
for file in "$recorded/sched/sw_lost.data.zst" gaps.data; do
	"$pdtool" page -q -o made.html "$file"
	gaps=$("$pdtool" abstime -q --step 100ms --header --format csv "$file" 2>err | sed -n 's/^# gaps: throttled \([0-9]*\) ns, lost \([0-9]*\) ns.*/\1 \2/p')
	case $gaps in *[1-9]*) ;; *) fail 'gaps' "abstime has $gaps" ;; esac
	equal "gaps of $(basename "$file")" "$gaps" "$(read_page gaps made.html)"
	[ ! -x "$host_san" ] && { skip "gaps of $(basename "$file"), sanitized" 'no sanitizer build'; continue; }
	"$san" page -q -o made.html "$file" 2>err
	equal "gaps of $(basename "$file"), sanitized" '0 ' "$? $(grep -m 1 'runtime error' err)"
done
equal 'off the CPU: a capture without has none' '' "$("$pdtool" page -q -o none.html "$recorded/block/q1.data.zst" && read_page beside none.html)"

# Disks: one recorded, and made ones with merges, bios, requeues, errors, and parts of I/Os.
ios 'disks' "$recorded/block/q1.data.zst"
ios 'disks, by command' "$recorded/block/q1.data.zst" --comm fio --cpu 1
ios 'disks, every event' "$data/recorded/script/block.data.zst"
"$pdtool" cut -q --time 20%-70% -o part.data "$recorded/block/q1.data.zst" >/dev/null
ios 'disks, a part of a capture' part.data
blockcap many <<'END'
1000 rq_insert      254:0 2000 8 W pid=7 comm=first
1100 bio_frontmerge 254:0 1992 8 W pid=8 comm=second
2200 bio_backmerge  254:0 2008 8 W pid=8 comm=second
3000 rq_issue       254:0 1992 24 W
9000 rq_complete    254:0 1992 24 W
10000 bio_queue     7:0 2048 8 R pid=5 comm=reader
11000 rq_issue      254:16 4096 8 R pid=5 comm=reader
12000 rq_requeue    254:16 4096 8 R
14000 rq_issue      254:16 4096 8 R
15000 rq_complete   254:16 4096 8 R error=-5
15500 bio_complete  7:0 2048 8 R
16000 io_start      254:0 8192 16 WS pid=6 comm=starter
17000 rq_issue      254:0 8192 16 WS
18000 rq_issue      254:0 8208 8 WS
19000 rq_complete   254:0 8208 8 WS
20000 rq_complete   254:0 8192 8 WS
21000 rq_complete   254:0 8200 8 WS
22000 bio_backmerge 254:0 2008 8 D
END
ios 'disks, made' many
equal 'disks: a capture without has none' 1 "$("$pdtool" page -q -o none.html "$recorded/sched/flat.data.zst" && echo - - | read_page ios none.html got && wc -l <got.1)"

# functions NAME FILE OPTION...: total and self of each, as `report` has them, in ten ranges, and all, of each event.
functions() {
	case_name=$1 file=$2
	shift 2
	made "$file" "$@" || return 0
	read_page events made.html >events
	while IFS= read -r event; do
		number=0
		read_page functions made.html "$event" got <ranges || head -n 1 err >>differ
		while read -r from to; do
			number=$((number + 1)) range=
			[ "$from" = - ] || range="--time $(window "$from" "$to")"
			# shellcheck disable=SC2086 # two words or none
			"$pdtool" report -q --allow-empty --children --limit 0 -s sym --format csv --event "$event" $range "$@" "$file" 2>/dev/null | records >records
			awk -F '\t' -v OFS='\t' '{ print $6, $3, $4 }' records | sort >want
			sort got.$number | cmp -s want - || echo "$event $from $to" >>differ
			compared=$((compared + 1)) lines=$((lines + $(wc -l <want)))
		done <ranges
	done <events
	[ ! -s differ ] && [ $lines -gt 30 ] && ok "functions: $case_name, $compared tables" || fail "functions: $case_name, $compared tables of $lines lines" "$(wc -l <differ) differ, first $(head -n 1 differ)"
}
functions 'a program' "$recorded/diff_pair/base1.data.zst" --buildid-dir "$data/buildid"
functions 'a system' "$data/recorded/foreign/02-x86_64-k3.8-callgraph-fp-systemwide.perf.data.zst"
functions 'four events' "$recorded/multi_event/multi.data.zst"
functions 'a killed recorder' "$recorded/damaged/killedz.data"
functions 'a phone' "$data/recorded/android/hp_dwarf.data.zst"

# ---- comparisons: as `diff` of both ranges, by what it compares unless it is asked, and in its words ----

facts() { grep -E '^# (verdict|normalize|factor|before|after|noise|unnamed|whole|power|runs needed|found|renamed|maybe renamed): ' "$1" | sort; }

# Figures that rest on logarithms may differ in the last digit; all others, and words, are the same.
same_table() {
	awk -F , -v OFS=, '
	NR == FNR { want[FNR] = $0; wanted = FNR; next }
	{
		n = split(want[FNR], w, FS)
		for (i = 1; i <= NF; i++)
			if ((NF == n ? $i != w[i] : 1) && !(i > NF - 6 && i < NF - 1 && $i ~ /^-?[0-9.]+$/ && w[i] ~ /^-?[0-9.]+$/ && ($i - w[i]) ^ 2 <= (0.0011 + 1e-9 * w[i]) ^ 2))
				bad = 1
	}
	END { exit bad || FNR != wanted || wanted < 2 }' "$1" "$2"
}

# told COMMAND OPTION...: what diff says of A and B, beside what the page says of pair $number: appended to `differ` as $where
told() {
	"$pdtool" diff -q --header --format csv "$@" A B >want 2>err
	if [ ! -s want ]; then
		# one has no samples, which diff refuses
		grep -qx "# verdict: nothing is certain: $(sed -n 's/: --time .*: no sample in that time.*/ has no samples/; s/^pdtool: //p' err)" got.$number.facts || echo "$where: $(head -n 1 err)" >>differ
		return
	fi
	"$pdtool" diff -q --format folded "$@" A B >want.folded 2>err
	grep -v '^#' want >want.csv
	same_table want.csv got.$number.csv || echo "table of $where" >>differ
	cmp -s want.folded got.$number.folded || echo "stacks of $where" >>differ
	facts want >want.facts
	facts got.$number.facts | cmp -s want.facts - || echo "facts of $where" >>differ
}

# compares NAME BASIS FILE [FILE2]: ten pairs of ranges of its first event, of one capture or of two; BASIS: - for the default.
compares() {
	case_name=$1 basis=$2 file=$3 file_b=${4:-$3} options=
	shift 2
	"$pdtool" page -q -o made.html "$@" 2>err || { fail "$case_name" "$(head -n 1 err)"; return; }
	event=$(read_page events made.html | head -n 1)
	if [ $# -gt 1 ]; then
		read_page pairs made.html 10 | sed 1d >pairs
	else
		read_page ranges made.html 11 | awk 'NR > 1 { print last, $0, 0 } { last = $0 }' >pairs
	fi
	[ "$basis" = - ] && basis= || options="--normalize $basis"
	read_page compare made.html "$event" got $basis <pairs || { fail "$case_name" "$(head -n 1 err)"; return; }
	ln -sf "$file" A
	ln -sf "$file_b" B
	number=0
	: >differ
	while read -r from to from_b to_b shift; do
		number=$((number + 1)) where="$from $to"
		# shellcheck disable=SC2086 # two words or none
		told $options --event-filter "$event" --time "$(window "$from" "$to"):$(window $((from_b + shift)) $((to_b + shift)))"
	done <pairs
	[ ! -s differ ] && [ $number = 10 ] && ok "compared: $case_name, $number pairs of ranges" || fail "compared: $case_name, $number pairs of ranges" "$(wc -l <differ) differ, first $(head -n 1 differ)"
}
foreign=$data/recorded/foreign/02-x86_64-k3.8-callgraph-fp-systemwide.perf.data.zst
compares 'a program' - "$recorded/diff_pair/base1.data.zst"
compares 'its shares' total "$recorded/diff_pair/slow1.data.zst"
compares 'a scheduler' - "$recorded/sched/flat.data.zst"
compares 'its amounts' none "$recorded/sched/flat.data.zst"
compares 'a scheduler that lost events' - "$recorded/sched/sw_lost.data.zst"
compares 'disks' - "$recorded/block/q1.data.zst"
compares 'a system' - "$foreign"
compares 'its shares' total "$foreign"

# Time off the CPU: as of folded texts, which do not know how many samples it is (nor that their roots are commands).
for name in flat sw_wakeup; do
	"$pdtool" page -q -o made.html "$recorded/sched/$name.data.zst"
	read_page ranges made.html 11 | awk 'NR > 1 { print last, $0 } { last = $0 }' >pairs
	number=0
	: >differ
	read_page compare made.html off-CPU got none <pairs || head -n 1 err >>differ
	rm -f A B
	while read -r from to from_b to_b; do
		number=$((number + 1)) where="$from $to"
		"$pdtool" offcpu -q --allow-empty --format folded --time "$(window "$from" "$to")" "$recorded/sched/$name.data.zst" >A
		"$pdtool" offcpu -q --allow-empty --format folded --time "$(window "$from_b" "$to_b")" "$recorded/sched/$name.data.zst" >B
		"$pdtool" diff -q --header --format csv A B | grep '^# verdict' >want.facts
		"$pdtool" diff -q --format folded A B | cmp -s got.$number.folded - || echo "stacks of $where" >>differ
		grep '^# verdict' got.$number.facts | cmp -s want.facts - || echo "verdict of $where" >>differ
	done <pairs
	[ ! -s differ ] && [ $number = 10 ] && ok "compared: off the CPU, $name, $number pairs of ranges" || fail "compared: off the CPU, $name, $number pairs of ranges" "$(wc -l <differ) differ, first $(head -n 1 differ)"
done

# One function under two names, callers of what changed: of the same folded texts, in both orders.
cat >base.told <<'END'
# pdtool sample=1 unit=samples event=cycles 0
work;main;parse;lex 900
work;main;parse;lex;memchr 400
work;main;parse 500
work;main;eval;hash_find<int> 700
work;main;eval;hash_find<int>;memcmp 350
work;main;eval;core::fmt::write::h0123456789abcdef 450
work;main;eval;memcpy@@GLIBC_2.14 300
work;main;eval 800
work;main;emit;write_out 650
work;main;emit;flush.isra.0 420
work;main;emit 230
work;main;emit;small_helper 500
work;main;emit;one 400
work;main;emit;0x401000 40
work;idle 300
END
texts=0
: >differ
while IFS= read -r change; do
	for order in 'base.told other.told' 'other.told base.told'; do
		sed -E "$change" base.told >other.told
		cp --remove-destination "${order% *}" A && cp --remove-destination "${order#* }" B # links may be there
		"$pdtool" diff --header --format csv A B >want 2>err
		"$pdtool" diff -q --format folded A B >want.folded 2>/dev/null
		read_page texts A,B got || head -n 1 err >>differ
		grep -v '^#' want >want.csv
		same_table want.csv got.csv || echo "table: $change" >>differ
		cmp -s want.folded got.folded || echo "stacks: $change" >>differ
		# folded text of one capture knows nothing of its length
		facts want | sed 's/(the weights are amounts): the sides .*/(as asked): the sides are taken as they are; the total changed: none/' >want.facts
		facts got.facts | sed 's/\(the total changed: none\).*/\1/' | cmp -s want.facts - || echo "facts: $change" >>differ
		texts=$((texts + 1))
	done
done <<'END'
s/flush.isra.0/flush.constprop.1/
s/flush.isra.0/flush.cold/
s/GLIBC_2.14/GLIBC_2.2.5/
s/h0123456789abcdef/hfedcba9876543210/
s/hash_find<int>/hash_find<long>/
s/lex/tokenize/
s/write_out/put_block/
s/;small_helper 500/ 500/
s/;lex([; ])/\1/
s/write_out 650/write_all 1200/
s/;one 400/;six 400/
s/write_out 650/write_out 6500/
s/memchr 400/memchr 4000/;s/memcmp 350/memcmp 35/
s/^(work.*) ([0-9]+)$/\1 1\2/
s/main;(parse|eval|emit)/main;\1;\1/
s/^work/play/;s/[a-z]+ /other /
s/idle 300/idle 0/
END
[ ! -s differ ] && [ $texts = 34 ] && ok "compared: $texts texts, names that changed" || fail "compared: $texts texts, names that changed" "$(wc -l <differ) differ, first $(head -n 1 differ)"

# ---- two captures ----

# against NAME BEFORE AFTER OPTION...: all of both, as `diff` compares them.
against() {
	case_name=$1 before=$2 after=$3 number=1 where='all of both'
	shift 3
	ln -sf "$before" A
	ln -sf "$after" B
	: >differ
	"$pdtool" page -q -o made.html "$@" A B 2>err || { fail "compared: $case_name" "$(head -n 1 err)"; return; }
	event=$(read_page events made.html | head -n 1)
	read_page pairs made.html 0 | read_page compare made.html "$event" got || head -n 1 err >>differ
	told "$@" --event-filter "$event"
	[ ! -s differ ] && ok "compared: $case_name, all of both" || fail "compared: $case_name, all of both" "$(head -n 1 differ)"
}
for n in 1 2 3; do
	against "two captures, $n" "$recorded/diff_pair/base$n.data.zst" "$recorded/diff_pair/slow$n.data.zst"
done
against 'with names, of which one changed' "$recorded/diff_pair/base1.data.zst" "$recorded/diff_pair/slow1.data.zst" --buildid-dir "$data/buildid"
against 'one system, twice' "$foreign" "$foreign"
against 'two systems' "$data/recorded/foreign/13-aarch64-k6.12-callchain-diff-old.perf.data.zst" "$data/recorded/foreign/14-aarch64-k6.12-callchain-diff-new.perf.data.zst"
against 'schedulers' "$recorded/sched/flat.data.zst" "$recorded/sched/sw_wakeup.data.zst"
against 'part of schedulers' "$recorded/sched/flat.data.zst" "$recorded/sched/sw_wakeup.data.zst" --time 20%-60%
against 'a killed one, and one that is whole' "$recorded/damaged/killed.data.zst" "$recorded/damaged/killedz.data"
compares 'two captures' - "$recorded/diff_pair/base1.data.zst" "$recorded/diff_pair/slow1.data.zst"
compares 'two systems' - "$data/recorded/foreign/13-aarch64-k6.12-callchain-diff-old.perf.data.zst" "$data/recorded/foreign/14-aarch64-k6.12-callchain-diff-new.perf.data.zst"
compares 'two of schedulers' - "$recorded/sched/flat.data.zst" "$recorded/sched/sw_wakeup.data.zst"
compares 'two of schedulers, by CPU' cpu "$recorded/sched/flat.data.zst" "$recorded/sched/sw_lost.data.zst"
compares 'a killed one, and one that is whole' - "$recorded/damaged/killed.data.zst" "$recorded/damaged/killedz.data"
"$pdtool" page -o made.html "$foreign" "$foreign" "$foreign" 2>err
equal 'three captures' '2 pdtool: expected one capture or two' "$? $(sed -n '/expected/p' err | head -n 1)"

# ---- a store ----

# Two hosts, the second one half a step later, half a minute each, and what they do changes.
for host in 0 1; do
	cat >host$host.mkperf <<END
clock_data clockid=1 wall=17000000${host}2500000000 clock=5000000000
event cpu-clock type=software config=0 period=1000000 ids=5 sample_id_all use_clockid clockid=1 mmap comm task sample_type=IP|TID|TIME|CPU|PERIOD|CALLCHAIN
comm pid=10 comm=app time=5000000000
comm pid=1$host tid=2$host comm="help er" time=5000000000
mmap pid=10 addr=0x400000 len=0x10000 file=/bin/app time=5000000001
mmap pid=1$host addr=0x400000 len=0x10000 file=/bin/other time=5000000001
repeat 3000 i {
sample pid=10+((\$i/100)%2)*$host tid=10+((\$i/100)%2)*1$host cpu=\$i%3 time=5000000002+\$i*10000000 ip=0x400000 period=1000000 chain=[user:0x400000+(\$i%5)*16,0x401000+(\$i/900)*16]
}
END
	"$mkperf" -o host$host.data host$host.mkperf && "$pdtool" store add -q two.db --label host=h$host host$host.data >added 2>err
	result "a store: host $host" $?
done
# part FROM TO: of these microseconds of the wall clock, which are whole seconds
part() { echo "from=$(date -u -d "@$(($1 / 1000000))" +%FT%T),to=$(date -u -d "@$(($2 / 1000000))" +%FT%T)"; }
# stored PART OPTION...: ten ranges, and all: of the page of a part of the store as of the store.
stored() {
	of=$1
	shift
	"$pdtool" page -q "$@" -o made.html "two.db$of" 2>err || { fail "a store$of" "$(head -n 1 err)"; return; }
	echo '- -' >ranges
	read_page ranges made.html 10 >>ranges
	read_page foldings made.html cpu-clock got <ranges
	number=0 lines=0
	: >differ
	while read -r from to; do
		number=$((number + 1)) asked=two.db$of
		[ "$from" = - ] || asked=$asked$([ "$of" ] && echo , || echo :)$(part "$from" "$to")
		"$pdtool" collapse -q --allow-empty "$asked" 2>err | sed 's/ sample=[0-9.]*//' >want
		sed 's/ sample=[0-9.]*//' got.$number | cmp -s - want || echo "$from $to" >>differ
		lines=$((lines + $(wc -l <want)))
	done <ranges
	[ ! -s differ ] && [ $number = 11 ] && [ $lines -gt 11 ] && ok "a store$of $*: 11 foldings" || fail "a store$of $*: $number foldings" "$(wc -l <differ) differ, first $(head -n 1 differ)"
}
stored ''
equal 'a store: its step' 1000000 "$(read_page clock made.html | tail -n 1)"
equal 'a store: the wall clock' 'wall 2023-11-14 22:13:22.000001 true' "$(read_page clock made.html | grep wall)"
stored '' --max-memory 1M
stored :host=h1
stored ':comm=help*'
stored ':symbol=*other*'
stored :from=2023-11-14T22:13:30,to=2023-11-14T22:13:45
cat >thin.mkperf <<'END'
event cycles type=1 config=0 period=7 ids=1 sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
comm pid=1 tid=1 comm=app time=1
mmap pid=1 tid=1 addr=0x1000 len=0x100000 pgoff=0 file=/x/app time=1
repeat 30000 i {
sample ip=0x1010 pid=1 tid=1 time=1000000000+$i*1000000 cpu=$i%3 period=7 chain=[user:0x1010,0x1020]
}
END
"$mkperf" -o thin.data thin.mkperf && "$pdtool" store add -q --step 1ms thin.db thin.data >added 2>err
for memory in 1M 1G; do
	"$pdtool" page -q --max-memory $memory -o made.html thin.db && read_page clock made.html | tail -n 1
	read_page folded made.html cycles - - | cmp - - <<-END
		# pdtool sample=7 unit=periods event=cycles 0
		$("$pdtool" collapse -q thin.data | stacks)
	END
done >got
equal 'a store: more rows than there is room for' '10000 1000' "$(tr '\n' ' ' <got | sed 's/ $//')"
"$pdtool" page -q --budget 64K -o made.html two.db && equal 'a store and a budget: its step' 10000000000 "$(read_page clock made.html | tail -n 1)"
"$pdtool" page -q -o made.html two.db:host=h0
"$pdtool" report -q --children --limit 0 -s sym --format csv two.db:host=h0 2>/dev/null | records | awk -F '\t' -v OFS='\t' '{ print $NF, $3, $4 }' | grep -v '^app	\|^help_er	' | sort >want
echo '- -' | read_page functions made.html cpu-clock got
sort got.1 >got
[ -s want ] && same 'a store: functions' want got
# Per second of what was recorded: a range in which one of two hosts recorded, and one of both.
for basis in none duration cpu; do
	"$pdtool" page -q -o made.html two.db
	cat >pairs <<-END
		1700000002000000 1700000010000000 1700000016000000 1700000030000000
		1700000003000000 1700000008000000 1700000020000000 1700000050000000
	END
	read_page compare made.html cpu-clock got $basis <pairs
	number=0
	while read -r from to from_b to_b; do
		number=$((number + 1))
		"$pdtool" diff --header --format csv --normalize $basis "two.db:$(part "$from" "$to")" "two.db:$(part "$from_b" "$to_b")" 2>err | grep -v '^#' >want.csv
		same_table want.csv got.$number.csv
		result "a store: compared, $basis, $number" $? "$(diff want.csv got.$number.csv | head -n 4)"
	done <pairs
done
"$pdtool" page -q -o made.html two.db:host=h0 two.db:host=h1
"$pdtool" diff --header --format csv two.db:host=h0 two.db:host=h1 2>err | grep -v '^#' >want.csv
read_page pairs made.html 0 | read_page compare made.html cpu-clock got
same_table want.csv got.1.csv
result 'a store: two parts of it' $? "$(diff want.csv got.1.csv | head -n 4)"
"$pdtool" page -q -o made.html two.db host0.data && equal 'a store and a capture' "$("$pdtool" collapse -q host0.data | stacks | awk '{ n += $NF } END { print n }')" \
	"$(read_page pairs made.html 0 | (read -r a b from to shift && read_page folded made.html cpu-clock "$from" "$to") | stacks | awk '{ n += $NF } END { print n }')"
"$pdtool" page -o made.html two.db:symbol=nosuch 2>err
equal 'a store of which nothing is left' '1 1' "$? $(wc -l <err)"
"$pdtool" collapse -q two.db >two.folded && "$pdtool" page -o made.html two.folded 2>err
equal 'folded text has no times' '1 1' "$? $(grep -c 'folded stacks have no times' err)"
bad=0
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	cp two.db d.db
	printf '\377\001\200\177' | dd of=d.db bs=1 seek=$(($(wc -c <two.db) * i / 13 + i)) conv=notrunc 2>/dev/null
	"$san" page -q -o made.html d.db 2>err
	[ $? -le 1 ] && ! grep -q 'ERROR\|runtime error' err || { bad=$((bad + 1)) && cat err; }
done
[ ! -x "$host_san" ] && skip 'damaged stores' 'no sanitizer build' || equal 'damaged stores: no crash' 0 $bad

# ---- a budget ----

# coarse NAME FILE LESS COMMAND...: with a budget of so many bytes less than it takes, ten ranges of whole steps, of each event.
coarse() {
	case_name=$1 file=$2
	"$pdtool" page -q --no-host -o made.html "$file"
	budget=$((($(wc -c <made.html) - $3) / 1024))K
	shift 3
	"$pdtool" page --budget "$budget" --no-host -o made.html "$file" 2>told
	step=$(read_page clock made.html | tail -n 1)
	[ "$step" -gt 1 ] && grep -q '^pdtool: times are in steps of .* (--budget)$' told && [ "$(wc -c <made.html)" -le $((${budget%K} * 1024)) ] &&
		ok "$case_name: steps of $step us, which is said" || fail "$case_name: steps" "$step us, $(wc -c <made.html) bytes, $(tail -n 1 told)"
	read_page events made.html >events
	read_page ranges made.html 10 >ranges
	: >differ
	compared=0
	while IFS= read -r event; do
		number=0
		read_page foldings made.html "$event" got <ranges || head -n 1 err >>differ
		while read -r from to; do
			number=$((number + 1))
			"$pdtool" collapse -q --no-host --allow-empty --format folded --event-filter "$event" --time "$(window "$from" "$to")" "$file" >want 2>/dev/null
			# what one sample weighs is known of their mean alone
			sed 's/ sample=[0-9.]*//' want >want.sums
			sed 's/ sample=[0-9.]*//' got.$number | cmp -s want.sums - || echo "$event $from $to" >>differ
			compared=$((compared + 1))
		done <ranges
	done <events
	for beside; do
		[ $beside = offcpu ] && event=off-CPU || event='blocked, by waker'
		"$pdtool" $beside -q --no-host --format folded "$file" >want 2>/dev/null
		read_page folded made.html "$event" - - >got
		[ -s want ] && cmp -s want got || echo $beside >>differ
	done
	[ ! -s differ ] && [ $compared -gt 0 ] && ok "$case_name: $compared foldings" || fail "$case_name: $compared foldings" "$(wc -l <differ) differ, first $(head -n 1 differ)"
}
coarse 'a budget, of a scheduler' "$recorded/sched/flat.data.zst" 40000 offcpu wakeup
coarse 'a budget, of a program' "$recorded/diff_pair/slow1.data.zst" 2000
coarse 'a budget, of a system' "$foreign" 2000
# Steps that do not fit are seen early: the finest one that does takes no more CPU than two and a half pages.
cat >many.mkperf <<'END'
event cycles type=1 config=0 period=7 ids=1 sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
comm pid=1 tid=1 comm=app time=1
mmap pid=1 tid=1 addr=0x1000 len=0x100000 pgoff=0 file=/x/app time=1
repeat 500000 i {
sample ip=0x1010 pid=1 tid=1 time=1000000+$i*10007+$i*$i%9973 cpu=$i%8 period=7+$i*7919%100003 chain=[user:0x1010,0x1020]
}
END
"$mkperf" -o many.data many.mkperf 2>err || fail 'mkperf many' "$(head -n 1 err)"
for budget in 1G 140K; do
	for run in 1 2 3; do
		("$pdtool" page -q --budget $budget -o made.html many.data; times) | awk 'END { split($1, t, /[ms]/); print 60 * t[1] + t[2] }'
	done | sort -n | head -n 1 >cpu.$budget
done
equal 'a small budget: its step' 1000000 "$(read_page clock made.html | tail -n 1)"
awk 'NR == FNR { whole = $1; next } { exit !($1 <= 2.5 * whole + 0.02) }' cpu.1G cpu.140K
result 'a small budget: in the CPU time of two and a half pages' $? "$(cat cpu.1G cpu.140K | tr '\n' ' ')"
cat >clock.mkperf <<'END'
clock_data clockid=1 wall=1700000000123456789 clock=1000000
event cycles type=0 config=0 period=7 ids=1 sample_type=IP|TID|TIME|CPU|PERIOD
comm pid=1 tid=1 comm=app time=1
sample ip=0x1010 pid=1 tid=1 time=2000000 cpu=0 period=7
sample ip=0x1010 pid=1 tid=1 time=5000000 cpu=0 period=7
END
"$mkperf" -o clock.data clock.mkperf 2>err || fail 'mkperf clock' "$(head -n 1 err)"
"$pdtool" page -q -o made.html clock.data 2>err || fail 'a wall clock' "$(head -n 1 err)"
equal 'three clocks' 'start 0.000001 true capture 0.002001 true wall 2023-11-14 22:13:20.124457 true 1' "$(read_page clock made.html | tr '\n' ' ' | sed 's/ $//')"

# Nothing of it is script, whatever it is called.
cat >hostile.mkperf <<'END'
event "e</script><script>alert(1)</script>" type=1 config=0 period=7 ids=1 sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
comm pid=1 tid=1 comm="</script><b>" time=1
mmap pid=1 tid=1 addr=0x1000 len=0x1000 pgoff=0 file="/x/<!--<script>\"'&.so" time=1
sample ip=0x1010 pid=1 tid=1 time=1000000 cpu=0 period=7 chain=[user:0x1010,0x1020]
sample ip=0x1010 pid=1 tid=1 time=900000 cpu=0 period=3 chain=[user:0x1010,0x1020]
sample ip=0x1030 pid=1 tid=1 time=3000000 cpu=0 period=7 chain=[user:0x1030]
END
"$mkperf" -o hostile.data hostile.mkperf || fail 'mkperf' "$?"
"$pdtool" page -q -o hostile.html hostile.data 2>err || fail 'hostile names' "$(head -n 1 err)"
equal 'hostile names: no script of theirs' 'script true style true nothing else true tags 14 14' "$(read_page sound hostile.html | tr '\n' ' ' | sed 's/ $//')"
equal 'hostile names: no tag of theirs' 0 "$(grep -c '<b>\|<!--' hostile.html)"
compared 'hostile names' hostile.data
equal 'the address: strange ones are nothing' '' "$(read_page state made.html | grep -v ' true$')"
equal 'the address: so many were tried' 16 "$(read_page state made.html | wc -l)"

# The same bytes, whatever reads and how many.
"$pdtool" page -q -o one.html -j1 "$recorded/sched/flat.data.zst" && "$pdtool" page -q -o four.html -j4 "$recorded/sched/flat.data.zst"
same 'one thread, four threads' one.html four.html
zstd -dqc "$recorded/sched/flat.data.zst" | "$pdtool" page -q -o - - >pipe.html 2>err
for f in one pipe; do
	read_page folded $f.html sched:sched_switch - - >$f.folded
done
same 'from a pipe' one.folded pipe.folded
zstd -dqc "$recorded/sched/flat.data.zst" >whole.data
head -c $(($(wc -c <whole.data) / 2)) whole.data >cut.data
"$pdtool" page -o cut.html cut.data 2>err
grep -q 'cut.data: .*the file ends' err && ok 'a cut capture: it is said' || fail 'a cut capture: it is said' "$(head -n 1 err)"
event=$(read_page events cut.html | head -n 1)
"$pdtool" collapse -q --event-filter "$event" --format folded cut.data >want 2>/dev/null
read_page folded cut.html "$event" - - >got
same 'a cut capture: what is left' want got
