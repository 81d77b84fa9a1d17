#!/bin/sh
# The scheduler's analyzers: perf 6.12's figures to the printed digit (testdata/recorded/x86_64/sched), the model's sums
# to the nanosecond, and a capture whose every interval was worked out by hand (testdata/synthetic/sched.mkperf).
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

recorded=$data/recorded/x86_64/sched
capture() { echo "$recorded/$1.data.zst"; }

# ---- as perf ----

# latency NAME [OPTION]
latency() {
	awk -v kind=latency -f "$top/tests/lib/sched.awk" "$recorded/$1.latency${2:-}.txt" >want.rows
	sed 's/:([0-9]*),/:,/' want.rows >want
	"$pdtool" sched latency --compat perf ${2:+"$2"} --format csv --header -q "$(capture "$1")" >got.csv
	equal "sched latency ${2:-} of $1: the columns" comm,pid,tid,runtime_ns,count,avg_ns,max_ns,max_start_ns,max_end_ns \
		"$(grep -v '^#' got.csv | head -n 1)"
	# exact: perf prints them so, points in time cut to microseconds
	grep -v '^#' got.csv | awk -F, 'NR > 1 {
		printf "%s:%s,%.3f,%d,%.3f,%.3f,%d.%06d,%d.%06d\n", $1, $3, $4 / 1e6, $5, $6 / 1e6, $7 / 1e6,
			int($8 / 1e9), int($8 % 1e9 / 1000), int($9 / 1e9), int($9 % 1e9 / 1000)
	}' >got
	same "sched latency ${2:-} of $1, as perf" want got
	sed -n 's/^\(.*:([0-9]*)\),.*/\1/p' want.rows | head -n 20 | paste -sd, | sed 's/,/, /g' >want
	sed -n 's/^# of several threads: //p' got.csv | sed 's/ \.\.\.$//' >got
	equal "sched latency ${2:-} of $1: rows of several threads" "$(cat want)" "$(cat got)"
}
for name in flat nospin sw_lost sw_wakeup; do
	latency $name
	latency $name -p
done

# rows NAME ORACLE OPTION...
rows() {
	name=$1 oracle=$2
	shift 2
	gzip -dc "$recorded/$name.$oracle.txt.gz" | awk -v kind=timehist -f "$top/tests/lib/sched.awk" >want
	"$pdtool" sched timehist --compat perf "$@" --format csv "$(capture "$name")" |
		awk -v kind=timehist -f "$top/tests/lib/sched_csv.awk" >got
	same "sched timehist $* of $name, as perf" want got
}
rows flat timehist-w-state -w --state
rows nospin timehist-n -n

# summary NAME ORACLE OPTION...
summary() {
	name=$1 oracle=$2
	shift 2
	awk -v kind=summary -f "$top/tests/lib/sched.awk" "$recorded/$name.$oracle.txt" | sort >want
	"$pdtool" sched timehist --compat perf "$@" --format csv -q "$(capture "$name")" |
		awk -v kind=summary -f "$top/tests/lib/sched_csv.awk" | sort >got
	same "sched timehist $* of $name, as perf" want got
}
for name in flat nospin sw_lost sw_wakeup; do
	summary $name timehist-s -s
done
summary nospin timehist-idle-s -I -s

# perf forgets threads that ended: their switches must not be lost here
"$pdtool" sched timehist -s --format csv "$(capture flat)" |
	awk -F, 'NR > 1 { n += $5 } END { print n }' >got
"$pdtool" sched timehist --format csv "$(capture flat)" | awk -F, 'NR > 1 && $3 != "<idle>"' | grep -c . >want
same 'the summary holds every switch' want got

# ---- sums ----

# column NAME FILE: its number
column() { head -n 1 "$2" | tr , '\n' | grep -nx "$1" | cut -d : -f 1; }

# conserve NAME FILE: run + wait + blocked + unknown = last - first, with the digits that awk keeps exact
conserve() {
	awk -F, -v run="$(column run_ns "$2")" -v wait="$(column wait_ns "$2")" -v blocked="$(column blocked_ns "$2")" \
		-v unknown="$(column unknown_ns "$2")" -v first="$(column first_ns "$2")" -v last="$(column last_ns "$2")" '
		NR > 1 && $run + $wait + $blocked + $unknown != $last - $first { bad++ }
		END { print NR - 1 > "/dev/stderr"; exit bad > 0 || NR < 5 }' "$2" 2>rows
	result "$1: run + wait + blocked + unknown = last - first in $(cat rows) rows" $?
}
for name in flat nospin switchev sw_lost sw_wakeup; do
	"$pdtool" sched latency -q --format csv "$(capture $name)" >got.csv
	conserve $name got.csv
done

# cut anywhere, a pipe still gives what it holds; a file lacks the formats then, which stand at its end
"$mkperf" --mode pipe -o whole.data "$data/synthetic/sched.mkperf"
size=$(wc -c <whole.data)
bad=0 good=0 at=2000
while [ $at -lt "$size" ]; do
	head -c $at whole.data >cut.data
	"$pdtool" sched latency -q --format csv cut.data >got.csv 2>err
	status=$?
	awk -F, -v run="$(column run_ns got.csv)" -v wait="$(column wait_ns got.csv)" -v blocked="$(column blocked_ns got.csv)" \
		-v unknown="$(column unknown_ns got.csv)" -v first="$(column first_ns got.csv)" -v last="$(column last_ns got.csv)" '
		NR > 1 && $run + $wait + $blocked + $unknown != $last - $first { bad++ } END { exit bad > 0 }' got.csv || bad=$((bad + 1))
	[ $status = 0 ] && good=$((good + 1))
	[ $status -lt 3 ] || bad=$((bad + 1))
	at=$((at + 37))
done
[ $good -gt 20 ] && [ $bad = 0 ]
result "a pipe cut at each 37th byte: $good answers, all of them sound" $? "$bad are not"
# Preemptions and sleeps are those that getrusage() told the program: 279 and 462, and 9 threads that ended behind it.
"$pdtool" sched latency --by pid --format csv "$(capture nospin)" >got.csv
awk -F, -v s="$(column sleeps got.csv)" -v p="$(column preemptions got.csv)" '$1 == "threads" { print $s, $p }' got.csv >got
equal 'switches of a process = its nvcsw and nivcsw' '471 279' "$(cat got)"

# The hogs' waits are what the kernel counted of them (schedstat), but for the time that is unknown.
"$pdtool" sched latency -q --format csv "$(capture sw_wakeup)" >got.csv
for hog in 3919:2024519743 3920:2024616885; do
	awk -F, -v tid=${hog%:*} -v want=${hog#*:} -v w="$(column wait_ns got.csv)" -v u="$(column unknown_ns got.csv)" '
		$3 == tid { off = $w > want ? $w - want : want - $w; good = off <= want * 0.005 && $u < want * 0.005 }
		END { exit !good }' got.csv
	result "the wait of hog ${hog%:*} is that of its schedstat, within 0.5 %" $?
done

# every wait once: by thread, in the list, in the histogram, by CPU
"$pdtool" sched latency --format csv "$(capture flat)" | awk -F, 'NR > 1 { n += $5; t += $5 * $6 } END { print n }' >want
"$pdtool" sched latency --each --format csv "$(capture flat)" | sed 1d | grep -c . >got
same '--each lists every wait' want got
"$pdtool" sched latency --histogram --format csv "$(capture flat)" | awk -F, 'NR > 1 { n += $3 } END { print n }' >got
same '--histogram counts every wait' want got
"$pdtool" sched latency --heatmap --format csv "$(capture flat)" | awk -F, 'NR > 1 { n += $4 } END { print n }' >got
same '--heatmap counts every wait' want got
"$pdtool" sched latency --by cpu --format csv "$(capture flat)" | awk -F, 'NR > 1 { n += $5 } END { print n }' >got
"$pdtool" sched latency --each --format csv "$(capture flat)" | awk -F, 'NR > 1 && $2 != ""' | grep -c . >on_cpu
same '--by cpu counts every wait whose CPU is known' on_cpu got
"$pdtool" sched latency --format csv "$(capture flat)" | awk -F, 'NR > 1 { n += $5 } END { print n }' >want
"$pdtool" sched latency --by comm --format csv "$(capture flat)" | awk -F, 'NR > 1 { n += $5 } END { print n }' >got
same '--by comm counts every wait' want got
# by a field of the switch that ends a wait: all waits are there, in the row that a filter by that value has
"$pdtool" sched latency --each --format csv -q "$(capture flat)" | sed 1d >got.waits
"$pdtool" sched latency --by next_prio --format csv -q "$(capture flat)" >prio.csv
equal 'by a field: all waits' "$(wc -l <got.waits)" "$(awk -F, 'NR > 1 { n += $5 } END { print n }' prio.csv)"
for prio in 120 100; do
	equal "by a field: next_prio $prio" \
		"$("$pdtool" sched latency --filter "next_prio == $prio" --format csv -q "$(capture flat)" | awk -F, 'NR > 1 { n += $5; w += $30; m = $7 > m ? $7 : m } END { printf "%d %.0f %.0f", n, w, m }')" \
		"$(awk -F, -v p="next_prio $prio" '$1 == p { printf "%d %.0f %.0f", $5, $30, $7 }' prio.csv)"
done
"$pdtool" sched latency --by nosuch "$(capture flat)" >out 2>err
equal 'by no field' '2 1' "$? $(grep -c "sched_switch has no field 'nosuch'" err)"
# order and how much of it: what sort and awk make of the whole
"$pdtool" sched latency --format csv -q "$(capture flat)" >all.csv
"$pdtool" sched latency --each --format csv -q "$(capture flat)" >each.csv
equal 'the rows with the most waiting come first' '' "$(cut -d, -f 30 all.csv | sed 1d | sort -rnc 2>&1)"
equal 'rows: total wait, p99' "$(sed 1d all.csv | sort -s -t, -k13,13nr | head -n 7 | cut -d, -f 3 | paste -sd ' ')" \
	"$("$pdtool" sched latency --sort p99 --limit 7 --format csv -q "$(capture flat)" | sed 1d | cut -d, -f 3 | paste -sd ' ')"
sed 1d each.csv | awk -F, '$6 >= 1000000' | sort -s -t, -k6,6nr >want
"$pdtool" sched latency --each --min 1ms --sort wait --format csv -q "$(capture flat)" | sed 1d >got
same 'every wait: --min --sort' want got
sed 1d each.csv | sort -s -t, -k4,4n | head -n 20 >want
"$pdtool" sched latency --each --limit 20 --sort start --format csv -q "$(capture flat)" | sed 1d >got
same 'every wait: --sort start --limit' want got
equal 'how many there are is said' '20 of 2190' \
	"$("$pdtool" sched latency --each --limit 20 --header --format csv -q "$(capture flat)" | sed -n 's/^# rows: //p')"
"$pdtool" sched latency -q --limit 1 "$(capture flat)" | tail -n 2 | awk 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "Wait") n++ } END { print n }' >got
equal 'text has all waits, too' 1 "$(cat got)"
"$pdtool" sched latency --each --min 10s "$(capture flat)" >out 2>err
equal 'no wait was so long' '1 1 0' "$? $(grep -c -- '--min 10 s: no row has that much; there are 2,190, the longest of 292 ms' err) $(wc -c <out)"
"$pdtool" sched timehist --format csv -q "$(capture flat)" | sed 1d | awk -F, '$7 >= 1000000' | sort -s -t, -k7,7nr | head -n 9 >want
"$pdtool" sched timehist --sort delay --min 1ms --limit 9 --format csv -q "$(capture flat)" | sed 1d >got
same 'switches: --sort delay --min --limit' want got
"$pdtool" sched latency --each --cpu 1 --format csv "$(capture flat)" | awk -F, 'NR > 1 && $2 != 1' >got
equal '--cpu takes waits of that CPU only' '' "$(cat got)"
"$pdtool" sched latency --each --comms locker --format csv "$(capture flat)" | cut -d, -f 7 | sed 1d | sort -u >got
equal '--comms takes waits of these tasks only' locker "$(cat got)"

# ---- by hand ----

# pick FILE COLUMN...: these columns, without the header
pick() {
	list=
	for name in $(echo "$2" | tr , ' '); do list="$list${list:+,}\$$(column "$name" "$1")"; done
	awk -F, -v OFS=, "NR > 1 { print $list }" "$1"
}

cat >want <<'END'
gamma,12,12,450,0,0,0,0,0,500,100,450,1450,2500,1,1,100
beta,10,11,550,0,0,100,50,0,300,500,650,1100,2600,4,0,500
alpha,10,10,100,0,100,0,0,400,450,750,200,1000,2800,2,1,450
alpha,13,13,0,90,0,0,0,0,0,100,90,1610,1800,1,0,100
END
for form in '--endian little' '--endian big' '--mode pipe' '--mode pipe --endian big --zstd' '--shuffle-cpus'; do
	# shellcheck disable=SC2086
	"$mkperf" $form -o sched.data "$data/synthetic/sched.mkperf"
	"$pdtool" sched latency --sort avg,max,switch,runtime --format csv sched.data >got.csv
	pick got.csv comm,pid,tid,wakeup_ns,new_ns,preempted_ns,racing_ns,sleep_ns,disk_ns,unknown_ns,run_ns,wait_ns,first_ns,last_ns,sleeps,preemptions,runtime_ns >got
	same "intervals worked out by hand, $form" want got
done
conserve 'worked out by hand' got.csv
"$mkperf" -o sched.data "$data/synthetic/sched.mkperf"
cat >want <<'END'
tid,cpu,cause,start_ns,end_ns,wait_ns,comm
11,0,wakeup,1100,1400,300,beta
10,0,preempted,1400,1500,100,alpha
13,0,new,1610,1700,90,alpha
11,0,wakeup,1550,1800,250,beta
12,0,wakeup,1450,1900,450,gamma
11,0,racing,1900,2000,100,beta
10,0,wakeup,2100,2200,100,alpha
END
"$pdtool" sched latency --each --format csv sched.data >got
same '--each: seven waits' want got
"$pdtool" sched latency sched.data >got
grep -q '^switch mismatches  1 of 11 ' got
result 'the switch that is missing is told' $?
grep -q '^unknown time  *27.53%' got
result 'the share of unknown time is told' $?

# one window of time: what lies in it, and waits that end in it
"$pdtool" sched latency --sort avg,max,switch,runtime --time 0.0000015,0.0000019 --format csv sched.data >got.csv
pick got.csv comm,tid,count,run_ns,wait_ns,unknown_ns,max_ns >got
printf 'gamma,12,1,0,400,0,450\nbeta,11,1,100,250,0,250\nalpha,10,1,200,0,0,100\nalpha,13,1,100,90,0,90\n' >want
same '--time clips intervals' want got

"$mkperf" -o lost.data "$data/synthetic/sched_lost.mkperf"
printf 'beta,11,1,100,100,400\nalpha,10,0,100,0,400\ndelta,14,0,100,0,0\ngamma,12,0,900,0,0\n' | sort >want
"$pdtool" sched latency -q --format csv lost.data >got.csv
pick got.csv comm,tid,count,run_ns,wait_ns,unknown_ns | sort >got
same 'what lasted across a loss is unknown' want got
"$pdtool" sched timehist --state --format csv -q lost.data | cut -d, -f 3,9 | sed 1d >got
printf '<idle>,I\n<idle>,I\nalpha,Z\nbeta,R\ndelta,X\ngamma,S\n' >want
same "states by the format's own letters" want got

"$mkperf" -o switches.data "$data/synthetic/switches.mkperf"
"$pdtool" sched latency --format csv switches.data >got.csv
pick got.csv comm,tid,sleeps,preemptions,run_ns,preempted_ns,blocked_ns,unknown_ns | sed -n '/^beta/p' >got
equal 'SWITCH records: three sleeps, two preemptions' 'beta,11,3,2,310,240,150,0' "$(cat got)"
"$pdtool" sched latency switches.data | grep -q '^no wake-ups  *neither sched_waking nor'
result 'SWITCH records: what they lack is said' $?

# ---- what is missing ----

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
refuses 'no switches: one line that says how to record' 2 \
	'no sched:sched_switch events (found: .*). Record with: perf record .*sched:sched_switch' sched latency "$aio"
refuses 'the same of timehist' 2 'Record with: perf record .*sched:sched_switch' sched timehist "$aio"
refuses 'perf sched timehist wants sched_switch' 2 'only SWITCH records' sched timehist --compat perf switches.data
# of SWITCH records: a row for each switch-out, by thread what the run queue has; the delay of those that had been preempted
"$pdtool" sched timehist --state --next --format csv -q switches.data >rows.csv
for tid in 10 11 12; do
	"$pdtool" sched latency --tid $tid --format csv -q switches.data >got.csv 2>err || continue
	pick got.csv sleeps,preemptions,run_ns >want
	awk -F, -v tid=$tid 'NR > 1 && $4 == tid { $9 == "R" ? r++ : s++; n += $8 } END { printf "%d,%d,%d\n", s, r, n }' rows.csv >got
	same "timehist of SWITCH records, thread $tid" want got
done
awk -F, 'NR > 1 && $7 != "" { d[$4]++ } NR > 1 && $4 in out && (out[$4] == "R") != ($7 != "") { bad++ } NR > 1 { out[$4] = $9 } END { print bad + 0 }' rows.csv >got
equal 'a delay is there where it had been preempted, and only there' 0 "$(cat got)"
"$pdtool" sched timehist --format csv -q "$(capture switchev)" | awk -F, 'NR > 1 && $3 != "<idle>" { n++; ran += $8 } END { printf "%d %.0f\n", n, ran }' >got
"$pdtool" sched latency --format csv -q "$(capture switchev)" | awk -F, 'NR > 1 { n += $26 + $27; ran += $29 } END { printf "%d %.0f\n", n, ran }' >want
same 'recorded SWITCH records: switches and run time' want got
{ cat "$data/synthetic/sched.mkperf"; echo 'omit 1'; } >none.mkperf
"$mkperf" -o none.data none.mkperf
head -c 3000 sched.data >cut.data
refuses 'a file cut before its formats' 1 'not their formats' sched latency -q cut.data
refuses 'no formats' 1 'not their formats' sched latency none.data
refuses 'sched alone lists its commands' 2 'blame latency map timehist timeline' sched
refuses 'an unknown one, too' 2 'blame latency map timehist timeline' sched nonsense
"$pdtool" help sched >got 2>err
equal 'help tells them' '0 blame latency map timehist timeline ' "$? $(sed -n 's/^  sched \([a-z]*\) .*/\1/p' got | tr '\n' ' ')"
"$pdtool" sched latency -h | grep -q '^Usage: pdtool sched latency'
result 'help of a command of two words' $?
