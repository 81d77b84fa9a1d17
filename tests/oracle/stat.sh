#!/bin/sh
# `stat` against what `perf stat report` (6.12) said of captures recorded by 6.12 and 6.1, and of two that have the counters of a
# machine with two sockets (stat.mkperf, stat_intervals.mkperf): its text byte for byte, and the figures of the table with it.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

from=$data/recorded/stat
zstd -dcq "$from/oracle.tar.zst" | tar -xf - || fail 'the oracles' 'cannot be unpacked'
"$mkperf" -o hw.data "$top/tests/oracle/stat.mkperf" && "$mkperf" --mode pipe -o hw.pipe "$top/tests/oracle/stat.mkperf" &&
	"$mkperf" --endian big -o hw.big "$top/tests/oracle/stat.mkperf"
"$mkperf" -o hwI.data "$top/tests/oracle/stat_intervals.mkperf"
for file in "$from"/*.data.zst; do
	zstd -dcq "$file" >"$(basename "$file" .zst)"
done

for text in */report*.txt; do
	name=${text%/*} mode=${text##*/report}
	case ${mode%.txt} in
	'') set -- ;;
	-A) set -- -A ;;
	-agg) set -- --per-socket ;;
	*) set -- "--per${mode%.txt}" ;;
	esac
	"$pdtool" stat -q --compat perf "$@" "$name.data" >got 2>err
	same "perf stat report $*, $name" "$text" got
done

# script: each counter at the end of each interval; of what has no samples, nothing else.
zstd -dcq "$from/script.tar.zst" | tar -xf - || fail 'the oracles' 'cannot be unpacked'
for text in */script.txt; do
	name=${text%/*}
	"$pdtool" script -q "$name.data" >got 2>err
	same "perf script, $name" "$text" got
	"$san" script -q "$name.data" >sanitized 2>err
	same "perf script, $name, sanitized" got sanitized
done
"$pdtool" script -q --format json stat.data >got 2>err
result 'script: counters are no JSON' $(($? != 2)) "$(cat err)"
grep -q 'pdtool stat has them in every form' err && ok 'script: and it says so' || fail 'script: and it says so' "$(cat err)"

# The table: what is counted in all is what the parts come to, and what the text says.
"$pdtool" stat -q --format csv hw.data >all
for by in cpu socket die core thread; do
	"$pdtool" stat -q --format csv --by $by hw.data >csv
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["count"] !~ /</ && !seen[$at["event"], $1, $2, $3]++ { n[$at["event"]] += $at["count"] }
		END { for (e in n) printf "%s %.0f\n", e, n[e] }' csv | sort >got
	awk -F, 'NR > 1 && $1 !~ /</ && !seen[$4]++ { printf "%s %.0f\n", $4, $1 }' all | sort >want
	[ $by = cpu ] && equal 'events of the table' 22 "$(wc -l <want)"
	same "the sum by $by" want got
done
awk -F, 'NR > 1 && $1 !~ /</ && $2 == "" && !seen[$4]++ { print $1, $4 }' all | sort >got
awk '/^ +[0-9]+ / { print $1, $2 }' hw/report.txt | grep -v Joules | sort >want
same 'counts of the table are those of the text' want got
equal 'instructions per cycle' '1.715,insn per cycle,80.00' "$(sed -n 's/^[^,]*,,,instructions,\([^,]*,[^,]*,[^,]*\),.*/\1/p' all | head -n 1)"
equal 'a second metric' '0.213,stalled cycles per insn' "$("$pdtool" stat -q --format csv hwI.data --summary | sed -n 's/^[^,]*,,,instructions,\([0-9.]*,stalled[^,]*\),.*/\1/p')"
equal 'Joules' '91.982,Joules' "$(sed -n 's/^[^,]*,\([^,]*,Joules\),.*/\1/p' all)"
equal 'not supported' 'not supported  bus-cycles' "$("$pdtool" stat hw.data | grep '^not supp')"

# Intervals: each by itself; their sum is what the last of perf's sums says.
"$pdtool" stat -q --format csv hwI.data >csv
equal 'intervals' '0.500123456 1.000987654 1.500999999' "$(awk -F, 'NR > 1 { printf "%.9f\n", $1 / 1e9 }' csv | uniq | tr '\n' ' ' | sed 's/ $//')"
"$pdtool" stat -q --format csv --summary hwI.data | awk -F, 'NR > 1 && $1 !~ /</ && !seen[$4]++ { printf "%s %.0f\n", $4, $1 }' | sort >want
awk -F, 'NR > 1 && $2 !~ /</ && !seen[$1, $5]++ { n[$5] += $2 } END { for (e in n) printf "%s %.0f\n", e, n[e] }' csv | sort >got
same 'the sum of the intervals' want got
awk '/^ +1\.50099/ && $2 ~ /^[0-9]+$/ { print ($3 ~ /Joules/ ? $4 : $3), $2 }' hwI/report.txt | grep -v power | sort >want
grep -v 'power\|clock' got >sums
same 'the last of the running sums' want sums

# The same in any order of bytes, from a pipe; and the count is that which abstime takes.
"$pdtool" stat -q --format csv hw.big >csv
same 'big-endian' all csv
"$pdtool" stat -q --format csv hw.pipe >csv
same 'from a pipe' all csv

# Told not to scale, perf takes counts as they were read: 4 * 2987654321 + 17 * (1 + 2 + 3).
sed 's/^stat_config.*/stat_config config=[0:1,1:0,2:0]/' "$top/tests/oracle/stat.mkperf" >noscale.mkperf && "$mkperf" -o noscale.data noscale.mkperf
equal '--no-scale' '11950617386 80.00' "$("$pdtool" stat -q --format csv noscale.data | awk -F, '$4 == "cycles" { print $1, $7 }')"
equal '--no-scale, as perf' '11950617386 cycles (80.00%)' "$("$pdtool" stat -q --compat perf noscale.data | awk '$2 == "cycles" { print $1, $2, $3 }')"

# Topdown, as the counters of Ice Lake and later tell it, and those before.
cat >td.mkperf <<-END
	event topdown-retiring type=raw config=0x8000 sample_type=IDENTIFIER ids=1
	event cpu_core/topdown-bad-spec/ type=raw config=0x8100 sample_type=IDENTIFIER ids=2
	event topdown-fe-bound type=raw config=0x8200 sample_type=IDENTIFIER ids=3
	event topdown-be-bound type=raw config=0x8300 sample_type=IDENTIFIER ids=4
	event topdown-heavy-ops type=raw config=0x8400 sample_type=IDENTIFIER ids=5
	event topdown-mem-bound type=raw config=0x8700 sample_type=IDENTIFIER ids=6
	event topdown-total-slots type=raw config=1 sample_type=IDENTIFIER ids=7
	event topdown-slots-issued type=raw config=2 sample_type=IDENTIFIER ids=8
	event topdown-slots-retired type=raw config=3 sample_type=IDENTIFIER ids=9
	event topdown-fetch-bubbles type=raw config=4 sample_type=IDENTIFIER ids=10
	event topdown-recovery-bubbles type=raw config=5 sample_type=IDENTIFIER ids=11
	$(set -- 400 100 200 300 100 250 1000 600 450 200 50
	for id in 1 2 3 4 5 6 7 8 9 10 11; do
		echo "stat id=$id cpu=-1 val=$1 ena=10 run=10"
		shift
	done)
	stat_round type=1 time=1000
END
"$mkperf" -o td.data td.mkperf
"$pdtool" stat -q --format csv td.data | awk -F, 'NR > 1 && $5 != "" { print $5, $6 }' >got
cat >want <<-END
	40.000 retiring
	10.000 bad speculation
	20.000 frontend bound
	30.000 backend bound
	10.000 heavy operations
	30.000 light operations
	25.000 memory bound
	5.000 core bound
	15.000 backend bound
	20.000 bad speculation
	45.000 retiring
	20.000 frontend bound
END
same topdown want got

# Cut before the round ends: what was read is shown, and the time is not known. And what is no such capture.
printf '%s\n' 'event page-faults type=software config=2 sample_type=IDENTIFIER ids=1' 'stat id=1 cpu=-1 val=7 ena=1 run=1' >cut.mkperf
"$mkperf" -o cut.data cut.mkperf
"$pdtool" stat cut.data >got 2>err
equal 'without a round' '7 page-faults cut' "$(awk '/page-faults/ { printf "%s %s ", $1, $2 }' got)$(sed -n 's/^\(cut\) .*/\1/p' got)"
"$pdtool" stat "$data/recorded/script/cpu-g.data.zst" >got 2>err
equal 'a capture without' '2 no counters in it. Count with: perf stat record -- COMMAND' "$? $(sed 's/.*: \(no counters.*\)/\1/' err)"

# Captures as runs of one measurement: 10, 12 and 17 have the mean 13, and sqrt(13 / 3) is 16.01 % of it. Events are told apart by
# name, two of one name by their order; the second capture has them in another order, the third has one less.
run() {
	echo "stat_config config=[0:1,1:0,2:1]"
	for event in "$@"; do echo "event ${event%%=*} type=software config=2 sample_type=IDENTIFIER ids=${event##*:}"; done
	for event in "$@"; do
		value=${event#*=}
		echo "stat id=${event##*:} cpu=-1 val=${value%:*} ena=100 run=100"
	done
}
{ run a=10:1 b=7:2 a=100:3 && echo 'stat_round type=1 time=1000'; } >run1.mkperf
{ run b=7:1 a=12:2 a=100:3 && echo 'stat_round type=1 time=2000'; } >run2.mkperf
{ run a=17:1 a=100:2 && echo 'stat_round type=1 time=6000'; } >run3.mkperf
for i in 1 2 3; do "$mkperf" -o run$i.data run$i.mkperf; done
"$pdtool" stat -q --format csv run1.data run2.data run3.data >csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["event"], $at["count"], $at["runs"], $at["error_pct"], $at["raw_count"] "." }' csv >got
printf '%s\n' 'a 13 3 16.01 .' 'b 7 2 0.00 .' 'a 100 3 0.00 .' >want
same 'captures as runs' want got
equal 'how long runs took' '3 us, the mean of all runs' "$("$pdtool" stat run1.data run2.data run3.data | sed -n 's/^time elapsed  //p')"
"$pdtool" stat --compat perf run1.data run2.data >got 2>err
equal 'runs are not what perf stat report shows' '2 --compat perf: one capture at a time' "$? $(sed 's/.*: \(--compat\)/\1/' err)"
"$pdtool" stat run1.data "$top/testdata/recorded/script/cpu-g.data.zst" >got 2>err
equal 'a run without counters' 1 "$(grep -c 'no counters in it' err)"
printf '7,,page-faults,100,100.00,,\n' >text.csv
"$pdtool" stat run1.data text.csv >got 2>err
equal 'a capture and a text' '2 1' "$? $(grep -c 'captures or texts of perf stat, not both' err)"
"$pdtool" stat --by thread run1.data run2.data >got 2>err
equal 'threads of runs' '2 1' "$? $(grep -c 'threads of several runs are not the same' err)"
