#!/bin/sh
# abstime: the published example, T from every source, ratios, and the matrix by time, against sums made by hand.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# abstime ARGUMENT...: the CSV of a run, to got; what it is made of, to facts.
abstime() {
	"$pdtool" abstime --format csv --header "$@" >out 2>err
	status=$?
	sed -n 's/^# //p' out >facts
	grep -v '^# ' out >got
	return $status
}

# column NAME: one column of the CSV, below its header.
column() { awk -F , -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }' got | tr '\n' ' '; }

# refuses NAME TEXT ARGUMENT...: exit status 2 and a message with the text; absent: the same with 1.
refuses() { stops 2 "$@"; }
absent() { stops 1 "$@"; }
stops() {
	wanted=$1 name=$2 text=$3
	shift 3
	"$pdtool" abstime --format csv "$@" >out 2>err
	status=$?
	if [ $status = $wanted ] && grep -qF -e "$text" err; then ok "$name"; else fail "$name" "status $status: $(cat err)"; fi
}

# ---- the example of a CPU load that rose from 5 % to 20 % ----

printf 'ssl;handshake;ECDH;mul 15\nssl;handshake;RSA 55\nssl;read 25\nssl;write 5\n' >a.folded
printf 'ssl;handshake;ECDH;mul 50\nssl;handshake;RSA 40\nssl;read 10\n' >b.folded
abstime --cpu-time 5%,20% --group ECDH=ECDH --group RSA=RSA a.folded b.folded
equal 'example: names' 'ECDH RSA Others ' "$(column name)"
equal 'example: percent before' '0.7500 2.7500 1.5000 ' "$(column abs_a_percent)"
equal 'example: percent after' '10.0000 8.0000 2.0000 ' "$(column abs_b_percent)"
equal 'example: shares before' '15.00 55.00 30.00 ' "$(column share_a)"
equal 'example: shares after' '50.00 40.00 10.00 ' "$(column share_b)"
equal 'example: ratio' '13.33 2.91 1.33 ' "$(column ratio)"
equal 'example: contribution' '61.7 35.0 3.3 ' "$(column contribution)"
equal 'example: its source' 'CPU time A: 5.00 % of the wall time, from --cpu-time' "$(grep '^CPU time A' facts)"
equal 'columns' name,abs_a_percent,share_a,abs_b_percent,share_b,ratio,ratio_low,ratio_high,delta_percent,contribution \
	"$(head -n 1 got)"
# 10 -> 20 ms is twice as much, and a quarter of 40 ms more
printf 'f 10\ng 10\n' >a10.folded
printf 'f 20\ng 40\n' >b20.folded
abstime --cpu-time 20ms,60ms a10.folded b20.folded
equal 'ms: columns' name,abs_a_ns,share_a,abs_b_ns,share_b,ratio,ratio_low,ratio_high,delta_ns,contribution "$(head -n 1 got)"
equal 'ms: the function' f,10000000,50.00,20000000,33.33,2.00 "$(grep '^f,' got | cut -d , -f 1-6)"
equal 'ms: change and contribution' 10000000,25.0 "$(grep '^f,' got | cut -d , -f 9-)"
equal 'ms: no interval where nothing tells what a sample weighs' , "$(grep '^f,' got | cut -d , -f 7,8)"
equal 'ms: that is said' 2 "$(grep -c '^effective samples [AB]: not known' facts)"
# With one sample in each 10 of a10.folded and 20 of b20.folded, f has one of each. Too few functions to fit the noise:
# SE^2 = 1 + 1 + 2 * 0.2^2, 30 degrees of freedom, interval 2 exp(-+2.04227 SE)
{ echo '# pdtool sample=10 unit=ns event=cpu-clock 0'; cat a10.folded; } >a10.told
{ cat b20.folded; echo '# pdtool sample=20 unit=ns event=cpu-clock 0'; } >b20.told
abstime --cpu-time 20ms,60ms a10.told b20.told
equal 'ms: interval' 0.11,38.04 "$(grep '^f,' got | cut -d , -f 7,8)"
equal 'ms: what it is made of' 1 "$(grep -c '^ratio: .*too few functions .* scatter by 20 % between runs (assumed)' facts)"
abstime --cpu-time 20ms,60ms --between-runs-total 0 a10.told b20.told
equal 'ms: interval of runs that do not scatter' 0.11,35.92 "$(grep '^f,' got | cut -d , -f 7,8)"

# ---- several captures a side: means of a run ----

abstime --cpu-time 20ms,40ms,60ms,60ms --before a10.folded a10.folded --after b20.folded b20.folded
equal 'sides: means of a run' f,15000000,50.00,20000000,33.33,1.33 "$(grep '^f,' got | cut -d , -f 1-6)"
equal 'sides: change and contribution' 5000000,16.7 "$(grep '^f,' got | cut -d , -f 9-)"
equal 'sides: the means' 'mean A: 30000000 ns a run, of 2 captures mean B: 60000000 ns a run, of 2 captures ' \
	"$(grep ^mean facts | tr '\n' ' ')"
abstime --cpu-time 60ms,20ms,60ms,40ms --after b20.folded --before a10.folded --after b20.folded --before a10.folded
equal 'sides: in any order' f,15000000,50.00,20000000,33.33,1.33 "$(grep '^f,' got | cut -d , -f 1-6)"
abstime --cpu-time 5%,5%,20%,20% --group ECDH=ECDH --group RSA=RSA --before a.folded a.folded --after b.folded b.folded
equal 'sides: percent before' '0.7500 2.7500 1.5000 ' "$(column abs_a_percent)"
equal 'sides: percent after' '10.0000 8.0000 2.0000 ' "$(column abs_b_percent)"
equal 'sides: ratio' '13.33 2.91 1.33 ' "$(column ratio)"
abstime --cpu-time 1,2 --before a.folded --after b.folded && cp got want && abstime --cpu-time 1,2 a.folded b.folded
same 'sides: one each, either way' want got

# Ten functions of 1000 samples in each run. With one run a side CPU times are assumed to scatter by 20 %, with three
# their own scatter counts: f doubled, and others did not change.
# runs WEIGHT SAMPLES: a run whose samples weigh so much, with so many in f.
runs() {
	echo "# pdtool sample=$1 unit=ns event=cpu-clock 0"
	for k in 0 1 2 3 4 5 6 7 8; do echo "p;f$k $(($1 * (1000 + ($1 * 7 + k * 13) % 40 - 20)))"; done
	echo "p;f $(($1 * $2))"
}
for n in 1 2 3; do
	runs $((98 + n)) 1000 >x$n.told
	runs $((98 + n)) 2000 >y$n.told
done
interval() { awk -F , -v name="$1" '$1 == name { print ($7 > 1 || $8 < 1 ? "not " : "") "1", ($8 / $6 > 1.5 ? "wide" : "narrow") }' got; }
abstime --cpu-time 10,11 x1.told y1.told
equal 'noise: one run a side, doubled' 'not 1 wide' "$(interval f)"
equal 'noise: one run a side, the same' '1 wide' "$(interval f3)"
equal 'noise: one run a side, what it is made of' 1 \
	"$(grep -c '^ratio: .*CPU times scatter by 20 % between runs (assumed: one run a side does not show it), shares' facts)"
abstime --cpu-time 10,11 --between-runs-total 2 x1.told y1.told
equal 'noise: --between-runs-total' '1 narrow' "$(interval f3)"
abstime --cpu-time 10,11 --between-runs-total 2 --between-runs 40 x1.told y1.told
equal 'noise: --between-runs' '1 wide' "$(interval f3)"
abstime --cpu-time 10,10.1,9.9,11,11.1,10.9 --before x?.told --after y?.told
equal 'noise: three runs a side, doubled' 'not 1 narrow' "$(interval f)"
equal 'noise: three runs a side, the same' '1 narrow' "$(interval f3)"
equal 'noise: three runs a side, what it is made of' 1 "$(grep -c 'scatter by [01].[0-9] % between runs (of 3 and 3)' facts)"
equal 'noise: the whole' 1 "$(grep -c '^whole: CPU time B is 1.1 times A, 1.0[0-9]* to 1.1' facts)"

abstime --cpu-time 0.01 --group all=. a10.folded
equal 'one capture: columns' name,abs_a_ns,share_a "$(head -n 1 got)"
equal 'one capture: rows' '10000000 0 ' "$(column abs_a_ns)"

# ---- groups, rows ----

abstime --cpu-time 100% --group leaf=symbol:^mul --group x=dso:lib --group up=stack:handshake --group r=^read a.folded
equal 'groups: leaf, dso, stack, any' 'leaf 15.00 x 0.00 up 55.00 r 25.00 Others 5.00 ' \
	"$(tail -n +2 got | awk -F , '{ printf "%s %s ", $1, $3 }')"
abstime --cpu-time 100% --group first=ssl --group second=RSA a.folded
equal 'groups: the first match wins' '100.00 0.00 0.00 ' "$(column share_a)"
abstime --cpu-time 100% a.folded
equal 'rows: symbols by weight' 'RSA read mul write ' "$(column name)"
abstime --cpu-time 100% --top 2 a.folded
equal 'rows: --top' 'RSA 55.00 read 25.00 Others 20.00 ' "$(tail -n +2 got | awk -F , '{ printf "%s %s ", $1, $3 }')"
abstime --cpu-time 100% --by comm a.folded
equal 'rows: by comm' 'ssl ' "$(column name)"
printf 'a 0.5\nb 1.25\na 0.75\n' | "$pdtool" abstime --cpu-time 2.5 --format csv - >got
equal 'decimals in folded text' '1250000000 1250000000 ' "$(column abs_a_ns)"

# ---- T from perf stat ----

# stat NAME NS: does stat.out tell this T?
stat() {
	abstime --stat stat.out --group all=. a.folded
	equal "perf stat: $1" "$2 0 " "$(column abs_a_ns)"
}
cat >stat.out <<'END'
# started on Sat Nov 21 15:58:26 2026


 Performance counter stats for 'sh -c 5 task-clock':

          1,063.75 msec task-clock                       #    0.553 CPUs utilized            ( +-  9.92% )
          1,063.73 msec cpu-clock                        #    0.553 CPUs utilized            ( +-  9.93% )
   <not supported>      cycles

           0.10771 +- 0.00649 seconds time elapsed  ( +-  6.03% )

END
stat 'text' 1063750000
cp stat.out with-clock.out
printf ' Performance counter stats for x:\n\n      1106.283911      task-clock (msec)         #    0.998 CPUs utilized\n' >stat.out
stat 'text of perf 4' 1106283911
printf ' Performance counter stats for x:\n\n      1106.283911 task-clock                #    0.998 CPUs utilized          \n' >stat.out
stat 'text of perf 3' 1106283911
printf ' Performance counter stats for x:\n\n    1106.283911  task-clock-msecs         #      0.998 CPUs \n' >stat.out
stat 'text of 2010' 1106283911
printf '1106.283911,task-clock-msecs\n12,context-switches\n' >stat.out
stat '-x of 2010' 1106283911
printf '1106.283911,task-clock\n' >stat.out
stat '-x of perf 3' 1106283911
cat >stat.out <<'END'
#           time             counts unit events
     0.050190573               0.96 msec task-clock                       #    0.019 CPUs utilized
     0.100467245      <not counted> msec task-clock
     0.122038405               0.07 msec task-clock                       #    0.001 CPUs utilized

 Performance counter stats for 'sleep 0.12':

              1.04 msec task-clock                       #    0.008 CPUs utilized
END
stat 'text by intervals, with the summary' 1030000
printf 'CPU0                    90.95 msec task-clock\nCPU1                    90.96 msec task-clock\n' >stat.out
stat 'text by CPU' 181910000
cat >stat.out <<'END'
# started on Sat Nov 21 15:58:27 2026

<not supported>,,cycles,0,100.00,,
55.54,msec,cpu-clock,55543540,100.00,0.521,CPUs utilized
55.55,msec,task-clock,55553540,100.00,0.521,CPUs utilized
END
stat '-x' 55553540
printf '56.25;msec;task-clock:u;13.89%%;56246108;100.00;0.525;CPUs utilized\n' >stat.out
stat '-x ; with -r' 56246108
cat >stat.out <<'END'
     0.050191090,CPU0,1.09,msec,task-clock,1089847,100.00,0.022,CPUs utilized
     0.050191090,CPU1,<not counted>,msec,task-clock,0,100.00,,
     0.122769370,CPU0,0.09,msec,task-clock,92096,100.00,0.002,CPUs utilized
         summary,CPU0,1.18,msec,task-clock,1181943,100.00,0.010,CPUs utilized
END
stat '-x by intervals and CPU, with the summary' 1181943
printf 'S0-D0-C0,1,89.99,msec,task-clock,89987603,100.00\nS0-D0-C1,1,89.96,msec,task-clock,89960267,100.00\n' >stat.out
stat '-x by core' 179947870
cat >stat.out <<'END'
{"counter-value" : "<not supported>", "unit" : "", "event" : "cycles", "event-runtime" : 0, "pcnt-running" : 100.00, "metric-value" : 0.000000, "metric-unit" : ""}
{"counter-value" : "38.923823", "unit" : "msec", "event" : "task-clock", "event-runtime" : 38923823, "pcnt-running" : 100.00, "metric-value" : "0.433565", "metric-unit" : "CPUs utilized"}
END
stat '-j' 38923823
cat >stat.out <<'END'
{"interval" : 0.050163889, "cpu" : "0", "counter-value" : "1.010089", "unit" : "msec", "event" : "task-clock", "event-runtime" : 1010089}
{"interval" : 0.100511771, "cpu" : "0", "counter-value" : "<not counted>", "unit" : "msec", "event" : "task-clock", "event-runtime" : 0}
{"interval" : 0.121977740, "cpu" : "1", "counter-value" : 0.067090, "unit" : "msec", "event" : "task-clock", "event-runtime" : 67090}
{"counter-value" : "1.077179", "unit" : "msec", "event" : "task-clock", "event-runtime" : 1077179}
{ damaged
END
stat '-j by intervals and CPU, with the summary' 1077179
equal 'perf stat: the source is named' 1 "$(grep -c '^CPU time: 1077179 ns, from task-clock counted by perf stat (stat.out, -j' facts)"

# ---- repeated runs: their +- is the scatter of T ----

for form in 'text|      1.00 msec task-clock   #  0.553 CPUs utilized   ( +-  1.50% )' \
	'-x|1.00,msec,task-clock,1.50%,1000000,100.00,0.5,CPUs utilized' \
	'-x of perf 6.12, which has the running time of the last run|1.00,msec,task-clock,1.50%,3000000,100.00,0.5,CPUs utilized' \
	'-j|{"counter-value" : "1.000000", "unit" : "msec", "event" : "task-clock", "variance" : 1.50, "event-runtime" : 1000000}' \
	'text, with its title| Performance counter stats for '"'./a b'"' (10 runs):\n\n     1,00 msec task-clock   ( +-  1,50% )'; do
	printf '%b\n' "${form#*|}" >stat.out
	abstime --stat stat.out --stat stat.out x1.told y1.told
	equal "-r: ${form%%|*}: the +- is told" 2 "$(grep -c '^CPU time [AB]: 1000000 ns, from task-clock .*, +- 1.5 %' facts)"
	equal "-r: ${form%%|*}: no warning" 0 "$(grep -c 'running time differ' err)"
	equal "-r: ${form%%|*}: it is the scatter of T" 1 "$(grep -c 'CPU times scatter by 1.5 % between runs (as their sources state)' facts)"
	equal "-r: ${form%%|*}: intervals" '1 narrow not 1 narrow ' "$(interval f3 | tr '\n' ' ')$(interval f | tr '\n' ' ')"
done
equal '-r: how many runs' 2 "$(grep -c '+- 1.5 %, mean of 10 runs)' facts)"

# ---- the cost of an operation ----

abstime --cpu-time 20ms,60ms --per 1000,2000 a10.folded b20.folded
equal 'per: columns' name,abs_a_ns_per_op,share_a,abs_b_ns_per_op,share_b,ratio,ratio_low,ratio_high,delta_ns_per_op,contribution \
	"$(head -n 1 got)"
equal 'per: the function' f,10000.0000,50.00,10000.0000,33.33,1.00 "$(grep '^f,' got | cut -d , -f 1-6)"
equal 'per: the rest' g,10000.0000,50.00,20000.0000,66.67,2.00 "$(grep '^g,' got | cut -d , -f 1-6)"
equal 'per: all of the change' 10000.0000,100.0 "$(grep '^g,' got | cut -d , -f 9-)"
equal 'per: operations' 'operations A: 1000 operations B: 2000 ' "$(grep ^operations facts | tr '\n' ' ')"
cat >text.stat <<'END'

 Performance counter stats for './server':

             20.00 msec task-clock                       #    0.553 CPUs utilized
             1,000      probe_server:request             #    0.05 M/sec
                 7      probe_server:requests

       0.040000000 seconds time elapsed
END
printf '60.00,msec,task-clock,60000000,100.00,0.5,CPUs utilized\n2000,,probe_server:request,60000000,100.00,,\n' >csv.stat
cp got want
abstime --stat text.stat --stat csv.stat --per-event probe_server:request a10.folded b20.folded
same 'per: a counter of the stat files' want got
equal 'per: the counter is named' 'operations A: 1000 of probe_server:request' "$(grep '^operations A' facts)"
cat >json.stat <<'END'
{"counter-value" : "60.000000", "unit" : "msec", "event" : "task-clock", "event-runtime" : 60000000}
{"counter-value" : "2000.000000", "unit" : "", "event" : "probe_server:request", "event-runtime" : 60000000}
END
abstime --stat text.stat --stat json.stat --per-event probe_server:request a10.folded b20.folded
same 'per: a counter of the stat files, -j' want got
absent 'per: a counter that is not there' "no count of 'nothing'" --stat text.stat --per-event nothing a10.folded
refuses 'per: of percent' 'no amount to divide' --cpu-time 5% --per 3 a.folded
refuses 'per: one for two captures' 'one for each capture' --cpu-time 1,1 --per 3 a.folded b.folded
refuses 'per: an event without a stat file' '--stat' --cpu-time 1 --per-event x a.folded

# ---- a stat file of something else ----

# recorded COMMAND-LINE: a capture of 200 samples of 1 ms in 1 s.
recorded() {
	{
		echo "cmdline $*"
		echo 'nrcpus 2'
		echo 'event cpu-clock type=software config=0 period=1000000 ids=1 sample_id_all sample_type=IP|TID|TIME|PERIOD|CALLCHAIN'
		echo 'comm pid=7 comm=app time=1'
		echo 'mmap pid=7 addr=4096 len=4096 file=/bin/app time=1'
		echo 'repeat 200 {'
		echo 'sample pid=7 time=1000000000+$i*5000000 ip=4096 chain=[user:4096] period=1000000'
		echo '}'
	} >scope.mkperf
	"$mkperf" -o scope.data scope.mkperf || fail 'scope.data' mkperf
}
# counted MSEC COMMAND SECONDS: the text of perf stat.
counted() { printf " Performance counter stats for %s:\n\n  $1 msec task-clock  #  0.1 CPUs utilized\n\n  $3 seconds time elapsed\n" "$2" >scope.stat; }
# other NAME TEXT, fits NAME: exit status 5 and the reason, and none with --force; taken
other() {
	stops 5 "scope: $1" "$2" --stat scope.stat scope.data
	"$pdtool" abstime -q --force --stat scope.stat --format csv scope.data >out 2>err && ok "scope: $1, --force" || fail "scope: $1, --force" "$(cat err)"
}
fits() { "$pdtool" abstime -q --stat scope.stat --format csv scope.data >out 2>err && ok "scope: $1" || fail "scope: $1" "$(cat err)"; }
recorded perf record -F 1000 perf stat -o scope.stat -- ./bin/app 5
counted 205 "'./bin/app 5'" 1.01
fits 'the same run'
counted 205 "'./bin/app 5'" 5
fits 'a run that waits at its end'
counted 132400 "'./bin/app 5'" 100
other '662 times the CPU time' 'it counted 662 times the CPU time of the samples'
counted 100 "'./bin/app 5'" 0.5
other 'half of the CPU time' 'it counted 0.5 times'
counted 41 "'./bin/app 5' (5 runs)" 0.2
fits 'five runs in one capture'
counted 205 "'sleep 1'" 1.01
other 'another command' "it counted 'sleep 1', and recorded was: perf record"
counted 205 "'./bin/app 5'" 0.3
other 'another duration' 'it took 300 ms, and the samples 995 ms'
counted 205 "'taskset -c 1 ./bin/app 5'" 1.01
fits 'a wrapper of the command'
counted 205 "'system wide'" 1.01
other 'the whole system' "it counted 'system wide'"
recorded perf record -a sleep 1
fits 'the whole system in both'
recorded perf record -p 7
counted 205 "process id '7'" 1.01
fits 'a process'


# perf stat record: two rounds of two counters on CPUs and one event more; the second CPU ran half of the time.
cat >stat.mkperf <<'END'
event cpu-clock type=software config=0 ids=1 sample_type=IDENTIFIER read_format=ENABLED|RUNNING
event page-faults type=software config=2 ids=2 sample_type=IDENTIFIER read_format=ENABLED|RUNNING
stat id=1 cpu=0 thread=0 val=100 ena=200 run=200
stat id=1 cpu=1 thread=0 val=50 ena=200 run=100
stat id=2 cpu=0 thread=0 val=7 ena=200 run=200
stat_round type=0 time=1
stat id=1 cpu=0 thread=0 val=1000 ena=2000 run=2000
stat id=1 cpu=1 thread=0 val=400 ena=2000 run=1000
stat id=1 cpu=1 thread=1 val=9 ena=2000 run=0
stat_round type=1 time=2
END
for form in '--mode file' '--mode pipe' '--endian big'; do
	# shellcheck disable=SC2086
	"$mkperf" $form -o stat.out stat.mkperf || fail "perf stat record, $form" mkperf
	stat "record, $form" 1800
done

# ---- T from the capture ----

cat >time.mkperf <<'END'
host synthetic
event page-faults type=software config=2 period=1 ids=1 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|PERIOD|CALLCHAIN
event cycles type=hardware config=0 period=1 ids=2 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|PERIOD|CALLCHAIN
event task-clock type=software config=1 period=1 ids=3 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|PERIOD|CALLCHAIN
event sched:sched_stat_runtime type=tracepoint config=300 period=1 ids=4 sample_id_all \
	sample_type=IDENTIFIER|IP|TID|TIME|PERIOD|CALLCHAIN
comm pid=5 comm=five time=1
mmap pid=5 addr=0x1000 len=0x1000 file=/bin/one time=1
mmap pid=5 addr=0x2000 len=0x1000 file=/lib/two.so time=1
sample event=page-faults pid=5 time=10 ip=0x1000 chain=[user:0x1000] period=77
sample event=cycles pid=5 time=11 ip=0x1000 chain=[user:0x1000,0x2000] period=3000
sample event=cycles pid=5 time=12 ip=0x2000 chain=[user:0x2000] period=1000
sample event=sched_stat_runtime pid=5 time=13 ip=0x1000 chain=[user:0x1000] period=500
sample event=task-clock pid=5 time=14 ip=0x1000 chain=[user:0x1000,0x2000] period=200
sample event=task-clock pid=5 time=15 ip=0x2000 chain=[user:0x2000,0x1000] period=100
END
sed -i 's/event=sched_stat_runtime/event=sched:sched_stat_runtime/' time.mkperf
"$mkperf" -o time.data time.mkperf 2>err || fail 'time.data' "$(cat err)"
abstime time.data
equal 'clock: taken before others' '200 100 ' "$(column abs_a_ns)"
equal 'clock: source' "CPU time: 300 ns, from the periods of the capture's own task-clock" "$(grep '^CPU time' facts)"
equal 'clock: sum of periods over T' 'sum of periods: 300 ns of task-clock, 100.00 % of the CPU time' "$(grep '^sum of' facts)"
abstime --cpu-time 600ns time.data
equal 'clock: shares of another T' '400 200 ' "$(column abs_a_ns)"
equal 'clock: sum of periods over another T' 'sum of periods: 300 ns of task-clock, 50.00 % of the CPU time' "$(grep '^sum of' facts)"
abstime --event-filter sched_stat_runtime time.data
equal 'runtime' '500 ' "$(column abs_a_ns)"
abstime --event-filter cycles --freq-ghz 2 time.data
equal 'cycles at 2 GHz' '1500 500 ' "$(column abs_a_ns)"
abstime -e cycles --cpu-time 1ms time.data
equal 'shares of cycles' '750000 250000 ' "$(column abs_a_ns)"
refuses 'cycles alone are refused' 'no event that counts CPU time; found: cycles' -e cycles time.data
refuses 'page faults are refused' 'record with: perf record -e task-clock' --event-filter page-faults --freq-ghz 2 time.data
refuses 'folded text alone is refused' 'folded text has no CPU time' a.folded
absent 'an event that is not there' "no samples of 'instructions'" --event-filter instructions time.data
refuses 'three captures' 'one capture or two, or --before' --cpu-time 1,2,3 a.folded b.folded a.folded
refuses 'one side only' 'one capture or two, or --before' --cpu-time 1 --before a.folded
refuses 'one T for two captures' 'one for each capture' --cpu-time 1 a.folded b.folded
refuses 'seconds and percent' 'all seconds or all percent' --cpu-time 1,2% a.folded b.folded
refuses 'two sources' 'exclude each other' --stat with-clock.out --cpu-time 1 a.folded
refuses 'a group without a name' 'expected NAME=REGEX' --cpu-time 1 --group =x a.folded
refuses 'steps of folded text' 'folded text has no times' --cpu-time 1 --step 1s a.folded
refuses 'too many steps' 'make them longer' --cpu-time 1 --step 1ns "$data/recorded/x86_64/diff_pair/base1.data.zst"
abstime --by dso time.data
equal 'rows: by dso' 'one two.so ' "$(column name)"
abstime --group d=dso:two.so --group s=stack:one time.data
equal 'groups of a capture' '100 200 0 ' "$(column abs_a_ns)"
abstime --group c=stack:five time.data
equal 'groups: the command is a frame' '300 0 ' "$(column abs_a_ns)"
abstime --dsos two.so time.data
equal 'a filter of functions chooses rows, not T' '100,33.33' "$(grep two.so got | cut -d , -f 2,3)"

# The capture and its folded text say the same.
"$pdtool" collapse -q time.data --event task-clock >time.folded
abstime --cpu-time 600ns time.data && cp got want && abstime --cpu-time 600ns time.folded
same 'captures and folded text alike' want got
abstime time.data && cp got want && abstime time.folded
same 'the clock of a capture and of its folded text' want got
equal 'the clock of folded text: source' 'CPU time: 300 ns, from the weights of the text, task-clock' "$(grep '^CPU time' facts)"
sed 's/event=task-clock/event=sched:sched_switch/' time.folded >waits.folded
refuses 'ns of no clock' 'folded text has no CPU time' waits.folded

# ---- a function that does twice the work, in two captures ----

pair() {
	echo 'event cpu-clock type=software config=0 period=1000000 ids=1 sample_id_all sample_type=IP|TID|TIME|PERIOD|CALLCHAIN'
	echo 'comm pid=7 comm=app time=1'
	n=0
	for count in "$@"; do
		n=$((n + 1))
		echo "mmap pid=7 addr=$((n * 4096)) len=4096 file=/bin/f$n time=1"
		echo "repeat $count {"
		echo "sample pid=7 time=$((n * 10000000))+\$i ip=$((n * 4096)) chain=[user:$((n * 4096))] period=1000000"
		echo '}'
	done
}
pair 970 660 140 7 >before.mkperf
pair 1010 1390 130 9 >after.mkperf
"$mkperf" -o before.data before.mkperf && "$mkperf" -o after.data after.mkperf
abstime before.data after.data
equal 'pair: ratios' '2.11 1.04 0.93 1.29 ' "$(column ratio)"
equal 'pair: the one that works twice covers 2 and not 1, the others cover 1' 'f2 f1+ f3+ f4+ ' "$(awk -F , 'NR > 1 {
	gsub(/[][]/, "", $1); covers = $7 <= 1 && $8 >= 1 ? "+" : $7 <= 2 && $8 >= 2 ? "" : "?"
	printf "%s%s ", $1, covers }' got)"
equal 'pair: the changes are all of it' '762000000 100.0' "$(awk -F , 'NR > 1 { d += $9; c += $10 } END { printf "%d %.1f", d, c }' got)"

# ---- names that differ between builds ----

printf 'app;f.isra.0 30\napp;g 30\n' | sed '1i # pdtool sample=1 unit=ns event=cpu-clock 0' >m1.told
printf 'app;f.part.0 20\napp;f 40\napp;g 30\n' | sed '1i # pdtool sample=1 unit=ns event=cpu-clock 0' >m2.told
abstime --cpu-time 60ns,90ns m1.told m2.told
equal 'match: one function' 'f 30 60 2.00 g 30 30 1.00 ' "$(tail -n +2 got | awk -F , '{ printf "%s %s %s %s ", $1, $2, $4, $6 }')"
abstime --cpu-time 60ns,90ns --match exact m1.told m2.told
equal 'match: exact' 'f f.isra.0 f.part.0 g ' "$(tail -n +2 got | cut -d , -f 1 | sort | tr '\n' ' ')"
grep -v '^#' m1.told >m1.folded && grep -v '^#' m2.told >m2.folded
abstime --cpu-time 60ns,90ns m1.folded m2.folded
equal 'match: text of other tools as it is' 4 "$(tail -n +2 got | wc -l)"
abstime --cpu-time 60ns,90ns --match normalized m1.folded m2.folded
equal 'match: --match normalized' 'f g ' "$(column name)"
abstime --cpu-time 60ns m1.told
equal 'match: one capture as it is' 'f.isra.0 g ' "$(column name)"

# ---- T of any size ----

for t in 1e9,1000000000 3e11,300000000000 2e30,2e+30; do
	abstime --cpu-time "${t%,*}" --group all=. a.folded
	equal "size: $t s" "${t#*,}" "$(awk -F , '$1 == "all" { printf "%.12g", $2 / 1e9 }' got)"
done
abstime --cpu-time 1e12,3e12 a10.folded b20.folded
equal 'size: rows, ratio and change' '5 10 2.00 5 ' "$(grep '^f,' got | awk -F , '{ printf "%.10g %.10g %s %.10g ", $2 / 1e20, $4 / 1e20, $6, $9 / 1e20 }')"
abstime --cpu-time 0.5ns --group all=. a.folded
equal 'size: half a ns' 0.5 "$(awk -F , '$1 == "all" { print $2 + 0 }' got)"

# ---- lost samples ----

lost() { # FILE LINE...: 200 samples of 1 ms in two functions, and the lines
	file=$1
	shift
	{
		pair 150 50
		for line in "$@"; do echo "$line"; done
	} >lost.mkperf
	"$mkperf" -o "$file" lost.mkperf || fail "$file" mkperf
}
lost lost.data 'lost id=1 lost=20 time=1700000000'
abstime lost.data
equal 'lost: T is corrected' '165000000 55000000 ' "$(column abs_a_ns)"
equal 'lost: that is said' "CPU time: 220000000 ns, from the periods of the capture's own cpu-clock, with 20000000 ns for the 20 samples that were lost" \
	"$(grep '^CPU time' facts)"
equal 'lost: the sum of the periods' 'sum of periods: 200000000 ns of cpu-clock, 90.91 % of the CPU time' "$(grep '^sum of' facts)"
abstime --comms app lost.data
equal 'lost: a filter' '150000000 50000000 ' "$(column abs_a_ns)"
equal 'lost: a filter is said' 1 "$(grep -c '^CPU time: .*; 20 lost samples are not in it: the filters would choose some of them' facts)"
lost two.data 'event page-faults type=software config=2 period=1 ids=2 sample_id_all sample_type=IP|TID|TIME|PERIOD|CALLCHAIN' 'lost id=1 lost=20 time=1700000000'
abstime two.data
equal 'lost: of which event' 1 "$(grep -c '^CPU time: 200000000 .*; 20 lost samples are not in it: they may be of another event' facts)"

# ---- by time ----

"$mkperf" -o steps.data "$top/tests/oracle/abstime.mkperf"
sum=$("$pdtool" info --format json steps.data 2>/dev/null | sed -n 's/^"event":"cpu-clock: .* weight \([0-9]*\) ns,.*/\1/p')
equal 'steps: sum of periods' 20446735071 "$sum"
for step in 1ms 7ms 250ms 1s 1000s; do
	for by in symbol dso comm; do
		abstime --step $step --by $by steps.data
		equal "steps of $step by $by: the sum" "$sum" "$(awk -F , 'NR > 1 { n += $3 } END { printf "%.0f", n }' got)"
	done
done
abstime --step 250ms --top 1 steps.data
equal 'steps: --top keeps the sum' "$sum" "$(awk -F , 'NR > 1 { n += $3 } END { printf "%.0f", n }' got)"
# the same matrix by hand, from the description: periods by the quarter of a second
awk 'BEGIN {
	for (i = 0; i < 1000; i++) {
		cell[int((2000000000 + i * 1000003) / 250000000) * 250 ",left"] += 1000003 + i % 7
		cell[int((2000000100 + i * 2000003) / 250000000) * 250 ",right"] += 999983 + i % 5
	}
	cell["5000,left"] = 18446744073
	cell["5250,left"] = 1
	for (c in cell) { split(c, k, ","); printf "%s000000,%s,%.0f\n", k[1], k[2], cell[c] }
}' | sort >by-hand
abstime --step 250ms --by comm steps.data
tail -n +2 got | sort >cells
same 'steps: each cell' by-hand cells
equal 'steps: columns' time_ns,name,cpu_ns "$(head -n 1 got)"
equal 'steps: gaps' 'gap: throttled, 2500000000 ns to 2600000000 ns gap: lost, 5000000000 ns to 5250000000 ns ' \
	"$(grep '^gap:' facts | tr '\n' ' ')"

# 1 s of the clock is 1700000000 s since 1970
abstime --step 250ms --by comm --tod steps.data
awk -F , '{ printf "%d%09d,%s,%s\n", 1699999999 + substr($1, 1, 1), substr($1, 2), $2, $3 }' by-hand | sort >moved
tail -n +2 got | sort >cells
same 'wall clock: from CLOCK_DATA' moved cells
equal 'wall clock: columns' wall_ns,name,cpu_ns "$(head -n 1 got)"
equal 'wall clock: exact' 'wall clock: exact: the clock that the capture recorded' "$(grep '^wall' facts)"
equal 'wall clock: gaps' 'gap: throttled, 1700000001500000000 ns to 1700000001600000000 ns' "$(grep '^gap: thr' facts)"
grep -v '^clock_data' "$top/tests/oracle/abstime.mkperf" >noclock.mkperf
"$mkperf" -o noclock.data noclock.mkperf
abstime --step 1s --tod --by dso --anchor 2.5=2024-02-03T05:05:06.75+01:00 noclock.data
equal 'wall clock: from --anchor' 1706933106250000000 "$(sed -n 's/,one,.*//p' got | head -n 1)"
touch -d '2020-01-02 03:04:05.25' noclock.data
abstime --step 250ms --tod --by dso noclock.data
# the last sample is at 5.250000001 s
equal 'wall clock: from the last change' "$(date -d '2020-01-02 03:04:05' +%s)249999999" "$(grep ',1$' got | cut -d , -f 1)"
equal 'wall clock: approximate' "wall clock: approximate: from the time of the file's last change" "$(grep '^wall' facts)"
"$pdtool" abstime --step 1s --tod --format csv - <noclock.data >out 2>err
equal 'wall clock: of a pipe' 1 "$(grep -c 'the wall clock is not known' err)"

# ---- the same always ----

for args in 'time.data' '--step 100ms --tod --by symbol steps.data' 'before.data after.data' '--cpu-time 5%,20% a.folded b.folded' \
	'--cpu-time 10,10.1,11,11.1 --before x1.told x2.told --after y1.told y2.told'; do
	# shellcheck disable=SC2086
	{
		"$pdtool" abstime -j1 --header --format csv $args >want 2>&1
		"$pdtool" abstime -j8 --header --format csv $args >got 2>&1
		"$san" abstime -j8 --header --format csv $args >clean 2>&1
	}
	same "-j1 and -j8: $args" want got
	same "sanitized: $args" want clean
done
for form in '--mode pipe' '--endian big' '--zstd' '--shuffle-cpus'; do
	# shellcheck disable=SC2086
	"$mkperf" $form -o steps.data "$top/tests/oracle/abstime.mkperf"
	abstime --step 250ms --by comm steps.data
	tail -n +2 got | sort >cells
	same "steps: $form" by-hand cells
	equal "gaps: $form" 2 "$(grep -c '^gap:' facts)"
done
