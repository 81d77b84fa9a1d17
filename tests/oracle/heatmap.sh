#!/bin/sh
# `pdtool heatmap`: its matrix against an independent binning of the same values, and sums that must come out.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
. "$top/tests/lib/blockcap.sh"

heatmap() { "$pdtool" heatmap -q --format csv "$@" 2>err; }
# binned SCALE ROWS STEP_NS: the matrix of lines "time value" as floor((v - min) * rows / (max - min)) has it, or by logarithms
binned() {
	awk -v scale="$1" -v rows="$2" -v step="$3" -v zero="${4:-}" '
		function ceil(x) { return x == int(x) ? x : int(x) + 1 }
		{
			t[NR] = $1; v[NR] = $2
			if (NR == 1 || $1 < t0) t0 = $1
			if (NR == 1 || $2 < min) min = $2
			if (NR == 1 || $2 > max) max = $2
		}
		END {
			if (zero) min = 0
			for (i = 1; i <= NR; i++) {
				row = scale == "log" ? int(log(v[i] / min) / log(max / min) * rows + 1e-12) : int((v[i] - min) * rows / (max - min))
				if (row >= rows) row = rows - 1
				cell[row, int((t[i] - t0) / step)]++
			}
			for (k in cell) {
				split(k, at, SUBSEP)
				for (j = 0; j < 2; j++) {
					r = at[1] + j
					edge[j] = r == rows ? max + 1 : scale == "log" ? ceil(min * exp(log(max / min) * r / rows) - 1e-6) : min + ceil((max - min) * r / rows)
				}
				printf "%.0f,%.0f,%.0f,%d\n", t0 + at[2] * step, edge[0], edge[1], cell[k]
			}
		}' | sort
}
# sum of the counts; fact NAME [ARGUMENT...]
sum() { tail -n +2 | cut -d , -f 4 | awk '{ s += $1 } END { print s + 0 }'; }
fact() {
	f_name=$1
	shift
	heatmap --header "$@" | sed -n "s/^# $f_name: //p"
}

# ---- I/Os: 3000 of two devices, latencies from 20 us to 20 ms, drawn as one ----

awk 'BEGIN {
	seed = 12345
	for (i = 0; i < 3000; i++) {
		seed = (seed * 16807) % 2147483647
		latency = int(20000 * exp(seed / 2147483647 * log(1000)))
		dev = i % 3 ? "254:0" : "7:0"
		t = 5000000000 + i * 1000003
		printf "%.0f rq_insert %s %d 8 R\n", t - 700, dev, i * 64
		printf "%.0f rq_issue %s %d 8 R\n", t, dev, i * 64
		printf "%.0f rq_complete %s %d 8 R\n", t + latency, dev, i * 64
	}
	print "9000000000 rq_issue 254:0 0 8 R"
}' | sort -n -s -k 1,1 | blockcap many
"$pdtool" block -q --each --format csv many | tail -n +2 | awk -F , '{ print $7, $9 }' >values
equal 'the capture' 3000 "$(wc -l <values)"
for scale in log linear; do
	for rows in 50 7; do
		case $scale in linear) zero=1 ;; *) zero= ;; esac
		binned $scale $rows 20000000 $zero <values >wanted
		heatmap --by none --events 'block_rq_*' --y $scale --rows $rows --step 0.02 many | tail -n +2 | sort >got
		same "the matrix, $scale, $rows rows" wanted got
	done
done
# 3.02 s by columns of 10 ms are 302
equal 'columns are 1, 2 or 5 times a power of ten' 10000000 \
	"$(heatmap --events 'block_rq_*' many | tail -n +2 | cut -d , -f 1 | sort -nu | awk 'NR > 1 { d = $1 - last; if (!m || d < m) m = d } { last = $1 } END { printf "%d", m }')"
heatmap --events block_rq_issue,block_rq_complete many >got
heatmap many >wanted
same 'issue and completion are paired as I/Os, and that is what a block capture is for' wanted got
equal 'all of them are in cells' 3000 "$(heatmap --events 'block_rq_*' many | sum)"
equal 'the sum is said' '3000 points = 3000 in cells + 0 below + 0 above + 0 after the last column' \
	"$(fact cells --by none --events 'block_rq_*' many)"
below=$(awk '$2 < 100000' values | wc -l) above=$(awk '$2 > 5000000' values | wc -l)
heatmap --preset block many >got
same '--preset block' wanted got
"$pdtool" heatmap -q --preset sched-wait many 2>&1 | grep -q 'sched latency --heatmap'
result '--preset sched-wait: where waits are drawn' $?

# Colours of cells, 1 to 15, by the formula of each scale.
for scale in linear sqrt log rank; do
	"$pdtool" heatmap -q --color-scale $scale --rows 8 --step 0.05 -o $scale.svg many
	perl -e '
		my ($scale, $wrong, @cells) = (shift, 0);
		local $/; $_ = <>;
		my @colors = qw(ffe1d3 ffcdb9 fdbaa0 fca587 fa906f f57a58 ed6343 e4492f d13728 be2421 a9171e 93101c 7c0919 640615 4d0311);
		my %level = map { $colors[$_] => $_ + 1 } 0 .. $#colors;
		push @cells, [$level{$1}, $2] while /<path fill="#(\w+)"[^>]*><title>[^\n]*\n[^\n]*\n(\d+):/g;
		my @n = sort { $a <=> $b } map { $_->[1] } @cells;
		my ($least, $most) = @n[0, -1];
		for (@cells) {
			my ($level, $v) = @$_;
			my $part = $scale eq "linear" ? $v / $most : $scale eq "sqrt" ? sqrt($v / $most) :
				$scale eq "log" ? log($v / $least) / log($most / $least) : ((grep { $_ < $v } @n) + (grep { $_ <= $v } @n)) / (2 * @n);
			my $want = 1 + int($part * 15 + 1e-9);
			$wrong++ if $level != ($want > 15 ? 15 : $want);
		}
		print scalar(@cells) > 20 && $most > $least ? "$wrong wrong\n" : "too few cells\n"' $scale <$scale.svg >got
	equal "--color-scale $scale" '0 wrong' "$(cat got)"
done
"$pdtool" heatmap -q --color-scale dark many >out 2>err
equal '--color-scale dark' '2 1' "$? $(grep -c 'linear, sqrt, log or rank' err)"
equal 'clipped values are counted' \
	"3000 points = $((3000 - below - above)) in cells + $below below + $above above + 0 after the last column" \
	"$(fact cells --by none --events 'block_rq_*' --minlat 100us --maxlat 5ms many)"
equal 'and not in cells' $((3000 - below - above)) "$(heatmap --events 'block_rq_*' --min 0.1 --max 5 --units ms many | sum)"
after=$(awk 'NR == 1 { t0 = $1 } $1 - t0 >= 1e9' values | wc -l)
equal 'columns, too, can be clipped' "3000 points = $((3000 - after)) in cells + 0 below + 0 above + $after after the last column" \
	"$(fact cells --by none --events 'block_rq_*' --step 0.1 --maxcol 10 many)"
equal 'an issue without completion' '1 issues without completion' "$(fact unmatched --events 'block_rq_*' many)"
equal 'percentiles are values' "$(cut -d ' ' -f 2 values | sort -n | awk '{ v[NR] = $1 } END { print "p50 " v[1500] " ns, p90 " v[2700] " ns, p99 " v[2970] " ns, max " v[3000] " ns" }')" \
	"$(fact values --by none --events 'block_rq_*' many)"
heatmap --events 'block_rq_*' --by device many >lanes
equal 'a lane for each device' '254:0 2000 7:0 1000' \
	"$(echo $(tail -n +2 lanes | awk -F , '{ n[$5] += $4 } END { for (d in n) print d, n[d] }' | sort))"
heatmap --by none --events 'block_rq_*' many | tail -n +2 | sort >wanted
tail -n +2 lanes | awk -F , '{ n[$1 "," $2 "," $3] += $4 } END { for (c in n) print c "," n[c] }' | sort >got
same 'lanes add up to the whole' wanted got
equal 'lanes as text' '254:0 7:0' "$(echo $("$pdtool" heatmap -q --by device --format text many | grep -xE '[0-9]+:[0-9]+'))"
drawn() { "$pdtool" heatmap -q "$@" many | sed -n 's/^<text data-at="lane" [^>]*>\([0-9A-Z: ]*\)<tspan[^>]*>\([^<]*\)<.*/\1 \2/p' | paste -sd ' '; }
equal 'lanes drawn, none of two devices' '254:0 R 2,000 7:0 R 1,000' "$(drawn --by op)"
# the events in the drawing: those of every cell, with their values
"$pdtool" heatmap -q --by none --rows 50 --step 5ms many | sed -n 's/^<g id="events"[^>]* data-v="\([^"]*\)".*/\1/p' | tr '|' '\n' >events
awk '{ print $5 }' events >got
cut -d ' ' -f 2 values | sort -rn >wanted
same 'the events in the drawing, the longest first' wanted got
heatmap --by none --rows 50 --step 5ms many | tail -n +2 | cut -d , -f 4 | sort -n >wanted
awk '{ n[$2, $3]++ } END { for (c in n) print n[c] }' events | sort -n >got
same 'and which cells they are in' wanted got
awk 'BEGIN { for (i = 0; i < 26000; i++) print i, (i * 7919) % 26003 }' >numbers
# Ranges that hold next to nothing are one row in a drawing, unless the user asked for rows; in a table they stay.
awk 'BEGIN {
	for (i = 0; i < 3000; i++) print i, 100 + (i * 7919) % 100
	for (i = 0; i < 3; i++) print 3000 + i, 100000 * 10 ^ i
}' >spread
drawn_rows() { "$pdtool" heatmap -q --y log --format svg "$@" spread | perl -ne '
	$rows = $1 if /id="data".* data-rows="(\d+)"/;
	if (/^<g data-n="[^"]*" data-v="([^"]*)"/) { $sum += $_->[0] * ($_->[1] || 1) for map { [split /\*/] } split / /, $1; }
	$said = $1 if />[^<]*; ([^;<]* is one row, with [0-9.]*% of all)/;
	END { printf "%s %d %s", $rows < 25 ? "few" : "all", $sum, $said || "" }'; }
equal 'a drawing sums ranges that hold next to nothing' 'few 3003 200 to 10000001 is one row, with 0.10% of all' "$(drawn_rows)"
equal 'but not rows that were asked for' 'all 3003 ' "$(drawn_rows --rows 50)"
equal 'nor does a table' '3003 10000001' \
	"$("$pdtool" heatmap -q --y log --format csv spread | tail -n +2 | awk -F , '{ n += $4; if ($3 > most) most = $3 } END { print n, most }')"
equal 'no events but of captures' 0 "$("$pdtool" heatmap -q numbers | grep -c 'id="events"')"
equal 'cells of 4 by 4 pixels, and lines across' '301 4 4 1' \
	"$("$pdtool" heatmap -q --rows 25 --boxsize 4 --grid many | awk '/id="data"/ {
		for (i = 1; i <= NF; i++) if (split($i, f, "\"") > 1) v[f[1]] = f[2] }
		/data-at="rule".* d="M0 [0-9]*h1204"/ { ruled = 1 }
		END { print v["data-columns="], v["data-width="], v["data-height="], ruled }')"
equal 'time in queue' 'p50 700 ns, p90 700 ns, p99 700 ns, max 700 ns' "$(fact values --by none --latency queue many)"
equal 'rows of a fixed height' '100000 200000' \
	"$(heatmap --linear --min 0 --steplat 100us --unitslat ns many | awk -F , '$2 == 100000 { print $2, $3; exit }')"

# ---- I/Os of several devices: never a sum over them, as one may lie upon another ----

lanes_say='by device: 2 devices, which may lie one upon another: not summed'
equal 'several devices: a line says that lanes are by device' "$lanes_say; --by none draws them as one" "$(fact lanes many)"
equal 'and where that was asked for' "$lanes_say" "$(fact lanes --by device many)"
heatmap many >got
same 'several devices: the matrix is that of --by device' lanes got
for format in json svg text; do
	# the line itself is longer in one of them, and with it the footer of a drawing higher
	rest() { grep -vE 'by device: 2 devices|^<svg |id="page"|class="fact"' | sed 's/^<desc>.*//'; }
	"$pdtool" heatmap -q --format $format many | rest >got
	"$pdtool" heatmap -q --format $format --by device many | rest >wanted
	same "the same as $format" wanted got
done
"$pdtool" block -q --each --format csv many | tail -n +2 | awk -F , '{ print $1, $9 }' | sort -k 1,1 -k 2n >by_device
awk '{ d = $1; n[d]++; v[d, n[d]] = $2; s[d] += $2 }
	function at(d, p) { i = p * n[d] / 100; return v[d, i == int(i) ? i : int(i) + 1] }
	END {
		for (d in n)
			printf "%s: %d points, p50 %d ns, p90 %d ns, p99 %d ns, max %d ns, sum %.0f ns\n", d, n[d], at(d, 50), at(d, 90), at(d, 99), v[d, n[d]], s[d]
	}' by_device | sort >wanted
fact values many | sort >got
same 'percentiles and sums are of each device' wanted got
equal 'no sum over devices' '' "$(fact sum many)"
equal 'the points of all are counted' '3000 points of all lanes = 3000 in cells + 0 below + 0 above + 0 after the last column' "$(fact cells many)"
equal 'devices drawn, without shares of all' '254:0 2,000 7:0 1,000' "$(drawn)"
"$pdtool" heatmap -q --step 0.5 --rows 4 many >two.svg
equal 'each device has its strips' '0 3 3' \
	"$(awk '/^<g class="map"/ { map++ } { n[map + 0] += gsub(/<path class="strip"/, "") } END { print n[0] + 0, n[1], n[2] }' two.svg)"
equal 'shares are of the device' 'of the lane' "$(grep -o 'of \(all\|the lane\), [0-9.]*% of the column' two.svg | sed 's/,.*//' | sort -u)"
equal 'and of text the totals' 'total 2,000 of 254:0, 1,000 of 7:0' "$("$pdtool" heatmap -q --format text many | sed -n 's/^most .*, \(total .*\)/\1/p')"
# one device, by a filter or by the capture: one picture, without lanes
blockcap one <<-END
	1000 rq_issue 7:0 0 8 R comm=a
	2000 rq_complete 7:0 0 8 R
	3000 rq_issue 7:0 64 8 R comm=a
	5000 rq_complete 7:0 64 8 R
END
blockcap both <<-END
	1000 rq_issue 7:0 0 8 R comm=a
	1100 rq_issue 254:0 0 8 R comm=b
	2000 rq_complete 7:0 0 8 R
	2100 rq_complete 254:0 0 8 R
END
heatmap --header one | sed '/^# capture/d' >got
heatmap --header --by none one | sed '/^# capture/d' >wanted
same 'one device: as with --by none' wanted got
equal 'two devices' 'time_ns,value_low,value_high,count,lane' "$(heatmap both | head -n 1)"
equal 'a filter leaves one: no lanes' 'time_ns,value_low,value_high,count 1 ' "$(heatmap --comms a both | head -n 1) $(heatmap --comms a both | sum) $(fact lanes --comms a both)"
equal 'no lane of two devices, whatever it is of' '1,254:0 b 1,7:0 a' \
	"$(heatmap --by comm both | tail -n +2 | cut -d , -f 4- | sort | paste -sd ' ')"
equal 'which is said' 'by device and comm: 2 devices, which may lie one upon another: not summed' "$(fact lanes --by comm both)"
equal 'by a field of their events' '1,254:0 nr_sector 8 1,7:0 nr_sector 8' \
	"$(heatmap --by nr_sector both | tail -n +2 | cut -d , -f 4- | sort | paste -sd ' ')"
equal 'of one device it is not in the names of lanes' '1,a' "$(heatmap --by comm --comms a both | tail -n +2 | cut -d , -f 4-)"

# a discard and a flush move no bytes
blockcap kinds <<-END
	1000 rq_issue 254:0 0 8 R
	1010 rq_issue 254:0 100 8 W
	1020 rq_issue 254:0 200 2048 D
	1030 rq_issue 254:0 0 0 FF
	1100 rq_complete 254:0 0 8 R
	1110 rq_complete 254:0 100 8 W
	1120 rq_complete 254:0 200 2048 D
	1130 rq_complete 254:0 0 0 FF
END
equal 'what is discarded is apart' '1048576 bytes of discards and others: not in the bytes read and written' "$(fact apart kinds)"
equal 'bytes read and written' 8192000000 "$("$pdtool" heatmap -q --step 1us --format json kinds | grep -o '"bytes_per_s"[^]]*' | grep -o '[0-9]*$' | head -n 1)"

# 4987 of fio's 5000 reads, and what else the disk did (semantics of the capture: shared README)
q1=$data/recorded/x86_64/block/q1.data.zst
equal 'a recorded capture: the sum' 5078 "$(heatmap --events 'block_rq_*' "$q1" | sum)"
equal 'its latencies' '5078 54496' "$("$pdtool" block -q --each --format csv "$q1" | tail -n +2 | awk -F , '{ print $9 }' | sort -n | awk '{ v[NR] = $1 } END { print NR, v[int((NR + 1) / 2)] }')"
equal 'reads of 4 KiB: the median that fio agreed with' 54 \
	"$("$pdtool" block -q --each --op R --size 4096 --comms fio --format csv "$q1" | tail -n +2 | awk -F , '{ print $9 }' | sort -n | awk '{ v[NR] = $1 } END { print int(v[int((NR + 1) / 2)] / 1000) }')"

# ---- any two events ----

{
	echo 'tracepoint raw_syscalls:sys_enter id=441 fields="long id;unsigned long args[6]" print="\"\""'
	echo 'tracepoint raw_syscalls:sys_exit id=442 fields="long id;long ret" print="\"\""'
	echo 'tracepoint toy:send id=443 fields="u64 cookie;int len" print="\"\""'
	echo 'tracepoint toy:receive id=444 fields="u32 pad;u32 size;u64 tag" print="\"\""'
	i=441
	for e in raw_syscalls:sys_enter raw_syscalls:sys_exit toy:send toy:receive; do
		echo "event $e type=tracepoint config=$i period=1 ids=$i sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW"
		i=$((i + 1))
	done
	head='u8:0,u8:0,u32:1'
	# three threads interleaved: calls of 10, 20, 30 ns; a leftover exit before and an enter after
	echo "sample event=raw_syscalls:sys_exit pid=9 tid=9 time=500 cpu=0 raw=[u16:442,$head,u64:1,u64:0]"
	for n in 1 2 3 4 5; do
		for tid in 1 2 3; do
			echo "sample event=raw_syscalls:sys_enter pid=1 tid=$tid time=$((n * 1000 + tid)) cpu=$tid raw=[u16:441,$head,u64:$tid,zero:48]"
		done
		for tid in 1 2 3; do
			echo "sample event=raw_syscalls:sys_exit pid=1 tid=$tid time=$((n * 1000 + tid + tid * 10)) cpu=$tid raw=[u16:442,$head,u64:$tid,u64:-11]"
		done
	done
	echo "sample event=raw_syscalls:sys_enter pid=1 tid=1 time=6500 cpu=0 raw=[u16:441,$head,u64:1,zero:48]"
	# by a field that has another name in the other event; in another order, from another thread
	echo "sample event=toy:send pid=1 time=7000 cpu=0 raw=[u16:443,$head,u64:77,u32:-5]"
	echo "sample event=toy:send pid=1 time=7001 cpu=0 raw=[u16:443,$head,u64:78,u32:6]"
	echo "sample event=toy:receive pid=2 time=7101 cpu=0 raw=[u16:444,$head,u32:0,u32:9,u64:78]"
	echo "sample event=toy:receive pid=2 time=7300 cpu=0 raw=[u16:444,$head,u32:0,u32:9,u64:77]"
} >pairs.mkperf
"$mkperf" -o pairs pairs.mkperf || fail mkperf pairs
calls='--events raw_syscalls:sys_enter,raw_syscalls:sys_exit'
equal 'one latency for each call' 15 "$(heatmap $calls pairs | sum)"
equal 'which are these' '10,11,5 20,21,5 30,31,5' \
	"$(echo $(heatmap $calls --linear --min 10 --rows 100 pairs | tail -n +2 | awk -F , '{ n[$2 "," $3] += $4 } END { for (c in n) print c "," n[c] }' | sort))"
equal 'what is left over' '1 begins without an end, 1 ends without a begin' "$(fact unmatched $calls pairs)"
equal 'bare names' 15 "$(heatmap --events sys_enter,sys_exit pairs | sum)"
equal 'the call as a part of the key' 15 "$(heatmap $calls --key tid,id pairs | sum)"
equal 'lanes by CPU' 'cpu 1,5 cpu 2,5 cpu 3,5' \
	"$(echo $(heatmap $calls --by cpu pairs | tail -n +2 | awk -F , '{ n[$5] += $4 } END { for (c in n) print c "," n[c] }' | sort))"
equal 'only one thread' 5 "$(heatmap $calls --tid 2 pairs | sum)"
equal 'a field with two names' 'p50 100 ns, p90 300 ns, p99 300 ns, max 300 ns' "$(fact values --events toy:send,toy:receive --key cookie:tag pairs)"
"$pdtool" heatmap $calls --format csv pairs 2>err >out
equal 'what is left over is said' 1 "$(grep -c '^pdtool: unmatched: 1 begins' err)"

# A thread that begins again has ended what it did, though the end is not there: what comes later is not that end. Idle tasks
# share the id 0, each on its CPU. Thread 5 loses the end of its first call and the begin of its last one.
{
	sed '/^sample/,$d' pairs.mkperf
	while read -r time name tid cpu id; do
		case $name in enter) config=441 rest='zero:48' ;; *) config=442 rest='u64:0' ;; esac
		echo "sample event=raw_syscalls:sys_$name pid=$tid tid=$tid time=$time cpu=$cpu raw=[u16:$config,$head,u64:$id,$rest]"
	done <<-END
		1000 enter 5 0 1
		1500 enter 0 0 7
		1510 enter 0 1 7
		1530 exit 0 0 7
		1550 exit 0 1 7
		2000 enter 5 0 1
		2020 exit 5 0 1
		9000 exit 5 0 1
	END
} >again.mkperf
"$mkperf" -o again again.mkperf || fail mkperf again
for options in '' '--key tid' '--key thread' '--pair oldest'; do
	# shellcheck disable=SC2086
	equal "a thread that began again $options" 'p50 30 ns, p90 40 ns, p99 40 ns, max 40 ns' "$(fact values $calls $options again)"
	# shellcheck disable=SC2086
	equal "what never ended is dropped and counted $options" '1 begins whose thread began again, 1 ends without a begin' \
		"$(fact unmatched $calls $options again)"
done
# by another key several may be under way: the newest first
equal 'begun twice with another key' 'p50 20 ns, p90 8000 ns, p99 8000 ns, max 8000 ns' "$(fact values $calls --key id again)"
equal 'functions that call themselves: --key pid,tid' 'p50 30 ns, p90 8000 ns, p99 8000 ns, max 8000 ns' \
	"$(fact values $calls --key pid,tid again)"
equal 'ends that could be of either' "2 ends that could be another's" "$(fact unmatched $calls --key id again)"


# What parts them: a lane for each value of a field of either event, or for each event; it adds up.
calls_of() { awk -F , 'NR > 1 { n[$NF] += $4 } END { for (c in n) print c "," n[c] }' | sort | paste -sd ' '; }
equal 'a lane for each system call' 'id 1,5 id 2,5 id 3,5' "$(heatmap $calls --by id pairs | calls_of)"
equal 'a field of the second alone' 'ret -11,15' "$(heatmap $calls --by ret pairs | calls_of)"
equal 'a field of the first alone' 'cookie 77,1 cookie 78,1' "$(heatmap --events toy:send,toy:receive --key cookie:tag --by cookie pairs | calls_of)"
equal 'by the event' 'event sys_enter,15' "$(heatmap $calls --by event pairs | calls_of)"
equal 'of one event' 'id 1,6 id 2,5 id 3,5' "$(heatmap --events sys_enter --by id pairs | calls_of)"
equal 'each lane has its count, its largest and its sum' 'id 3: 5 points, p50 30 ns, p90 30 ns, p99 30 ns, max 30 ns, sum 150 ns' \
	"$(fact values $calls --by id pairs | grep '^id 3')"

# A call that returns as another one lost its return, and that one its entry; what lasts across lost records may be two calls.
{
	sed '/^sample/,$d' pairs.mkperf
	while read -r time name tid id; do
		case $name in
		enter) echo "sample event=raw_syscalls:sys_enter pid=$tid tid=$tid time=$time cpu=0 raw=[u16:441,$head,u64:$id,zero:48]" ;;
		exit) echo "sample event=raw_syscalls:sys_exit pid=$tid tid=$tid time=$time cpu=0 raw=[u16:442,$head,u64:$id,u64:0]" ;;
		lost) echo "lost id=1 lost=3 time=$time cpu=0" ;;
		esac
	done <<-END
		1000 enter 5 1
		1500 enter 6 15
		1600 exit 6 -1
		2000 exit 5 2
		3000 enter 5 1
		3020 exit 5 1
		4000 enter 5 1
		4500 lost
		9000 exit 5 1
		9100 enter 5 1
		9130 exit 5 1
	END
} >halves.mkperf
"$mkperf" -o halves halves.mkperf || fail mkperf halves
equal 'no call of two halves' 'p50 30 ns, p90 100 ns, p99 100 ns, max 100 ns' "$(fact values $calls halves)"
equal 'the halves are counted' '1 ends of another system call than was begun, 1 pairs with lost records in between, of up to 5000 ns' \
	"$(fact unmatched $calls halves)"

# What an interrupt begins is not the doing of the thread that it hit.
{
	sed '/^sample/,$d' pairs.mkperf
	echo 'comm pid=5 tid=5 comm=git time=1 cpu=0'
	for flags in 0 8 16; do
		echo "sample event=toy:send pid=5 tid=5 time=$((1000 + flags)) cpu=0 raw=[u16:443,u8:$flags,u8:0,u32:5,u64:$flags,u32:0]"
		echo "sample event=toy:receive pid=5 tid=5 time=$((2000 + flags)) cpu=0 raw=[u16:444,u8:8,u8:0,u32:5,u32:0,u32:9,u64:$flags]"
	done
} >hit.mkperf
"$mkperf" -o hit hit.mkperf || fail mkperf hit
equal 'pairs that interrupts began' '[irq],1 [softirq],1 git,1' "$(heatmap --events toy:send,toy:receive --key cookie:tag --by comm hit | calls_of)"
equal 'events in interrupts' '[irq],3' "$(heatmap --events toy:receive --value period --by comm hit | calls_of)"

# ---- one event ----

equal 'a field' 'p50 2, p90 3, p99 3, max 3' "$(fact values --events sys_enter --value id pairs)"
equal 'numbers below 0 have no row' '1 below 0' "$(fact unmatched --events toy:send --value len pairs)"
equal 'the period' 'p50 1, p90 1, p99 1, max 1' "$(fact values --events sys_exit --value period pairs)"
awk '/^sample event=raw_syscalls:sys_exit/ { sub(/.*time=/, ""); if (n++) print $1 - last; last = $1 }' pairs.mkperf | sort -n >deltas
equal 'time since the one before' "p50 $(sed -n 8p deltas) ns, p90 $(sed -n 14p deltas) ns, p99 $(sed -n 15p deltas) ns, max $(sed -n 15p deltas) ns" \
	"$(fact values --events sys_exit --value delta pairs)"
equal 'the same by thread' 'p50 1000 ns, p90 1000 ns, p99 1000 ns, max 1000 ns' "$(fact values --events sys_exit --value delta --key tid pairs)"
{
	echo 'event cpu-clock type=software config=0 period=1000 sample_type=IP|TID|TIME|PERIOD'
	for t in 1000000000 1010000000 1019999999 1020000000 2999999999 4500000000; do
		echo "sample pid=1 ip=0x1000 time=$t"
	done
} >ticks.mkperf
"$mkperf" -o ticks ticks.mkperf
equal 'the time within seconds' '1000000000,0,20000000,3 1000000000,20000000,40000000,1 2000000000,980000000,1000000000,1 4000000000,500000000,520000000,1' \
	"$(echo $(heatmap ticks | tail -n +2 | sort))"
heatmap ticks >wanted
heatmap --events cpu-clock --value subsecond ticks >got
same 'is what a capture of one event gives' wanted got
slow=$data/recorded/x86_64/diff_pair/slow1.data.zst
heatmap --value symbol --rows 3 --buildid-dir="$data/buildid" --kallsyms="$data/recorded/x86_64/kallsyms" "$slow" >got
"$pdtool" collapse -q --weight samples --buildid-dir="$data/buildid" --kallsyms="$data/recorded/x86_64/kallsyms" "$slow" |
	awk '{ n = $NF; $NF = ""; sub(/ $/, ""); k = split($0, f, ";"); all += n; if (f[k] == "scan") s += n } END { print all, s, 3 }' >wanted
tail -n +2 got | awk -F , '{ all += $NF; row[$2]; if ($2 == "scan") s += $NF } END { for (r in row) n++; print all, s, n }' >sums
same 'functions: all samples, in three rows' wanted sums

# ---- text ----

printf 'time latency\n3 300\n1 100\n2 200\n1.5 250\n' >unsorted
heatmap --step 1 --rows 3 unsorted >got
equal 'unsorted lines' '1000000000,100,200,1 1000000000,200,301,1 2000000000,200,301,1 3000000000,200,301,1' \
	"$(echo $(tail -n +2 got | sort))"
equal 'lines that are none' '5 read, 1 of them without numbers' "$(fact lines unsorted)"
printf '%s\n' '5 100' '5 200' '5 300' >column
equal 'one column' '5000000000,100,150,1 5000000000,200,250,1 5000000000,300,350,1' \
	"$(echo $(heatmap --linear --steplat 50 column | tail -n +2))"
equal 'one column: all are drawn' 3 "$(heatmap column | sum)"
printf '%s\n' '1 42' '2 42' '2.2 42' >same
equal 'no range' 3 "$(heatmap same | sum)"
equal 'no range, by logarithms' '42,43,2' "$(heatmap --log --step 1 same | tail -n +2 | cut -d , -f 2-4 | sort | tail -n 1)"
printf '%s\n' '1 0' '2 0' >zeros
equal 'nothing but 0' '0,1,1' "$(heatmap zeros | tail -n 1 | cut -d , -f 2-4)"
equal 'and by logarithms' 2 "$(heatmap --log zeros | sum)"
printf '%s\n' 7 8 9 >single
equal 'only values' 'line,value_low,value_high,count 3' "$(heatmap single | head -n 1) $(heatmap single | sum)"
printf '1000000 1.5\n2000000 2.75\n' >us
equal 'units' '1000000000 2751' "$(heatmap --unitstime us --unitslat us us | tail -n +2 | awk -F , '!t || $1 < t { t = $1 } $3 > v { v = $3 } END { print t, v }')"
equal 'decimals of no unit' 'the decimals of 2 values; --units us keeps three of them as nanoseconds' "$(fact 'cut off' us)"
# two rows and columns more than trace2heatmap.pl draws: all of them
awk 'BEGIN { for (c = 0; c < 3; c++) for (v = 0; v < 100; v++) print c, v }' >square
equal 'the last row and column are there' 300 "$(heatmap square | sum)"
binned linear 50 1000000000 1 <<-END >wanted
	$(awk '{ print $1 * 1e9, $2 }' square)
END
heatmap --stepsec 1 square | tail -n +2 | sort >got
same 'their matrix' wanted got
equal 'from standard input' 300 "$(heatmap - <square | sum)"

# ---- what is refused ----

refused() { stops 2 "$@"; }
# absent NAME WORDS OPTION...: the same of events that are not there, which is no wrong usage: 1
absent() { stops 1 "$@"; }
stops() {
	status=$1 name=$2 words=$3
	shift 3
	"$pdtool" heatmap --format csv "$@" >out 2>err
	equal "$name" "$status 1 0" "$? $(grep -c '' err) $(wc -c <out)"
	grep -qF -e "$words" err || { fail "$name: the words" "$words"; show err; }
}
absent 'no block events' "no block:block_rq_issue and block:block_rq_complete events (found: cpu-clock). Record with: perf record" --events 'block_rq_*' ticks
absent 'no such event' "no kmem:kmalloc events (found: cpu-clock). Record with: perf record -a -c1 -e 'kmem:kmalloc'" --events kmem:kmalloc ticks
absent 'half a pair' "no sys_end events (found: raw_syscalls:sys_enter" --events sys_enter,sys_end pairs
refused 'no such field' "sys_enter has no field 'idd' (it has: common_type" --events sys_enter --value idd pairs
refused 'no such key' "has no field 'cookie'" --events sys_enter,sys_exit --key cookie pairs
refused 'a value of two events' 'expected one event, not two' --events sys_enter,sys_exit --value id pairs
refused 'three events' 'expected one pattern or two' --events a,b,c pairs
refused 'keys that do not fit' 'the same number of them' --events a,b --key x,y:z pairs
refused 'a key of nothing' 'only of pairs' --events sys_enter --key id --value period pairs
refused 'rows that are none' '--rows x: expected a number' --rows x many
refused 'too many columns' 'columns are too many' --step 1ns many
refused 'a range upside down' 'no more than --max' --min 5 --max 4 many
refused 'an unknown lane' "has no field 'disk'" --by disk many
refused 'a lane of no field' "has no field 'disk'" --events sys_enter,sys_exit --by disk pairs
refused 'an unknown percentile' 'numbers up to 100' --percentiles 101 many
printf 'a b\nc d\n' >words
"$pdtool" heatmap --format csv words >out 2>err
equal 'a text without numbers' '1 1' "$? $(grep -c '' err)"

# --histogram: the same points in powers of two, of all times and of each lane.
"$pdtool" heatmap -q --histogram --format csv --preset syscall --by comm "$data/recorded/x86_64/calls/all.data.zst" >csv 2>err
equal 'a histogram: every point' 1393 "$(awk -F, 'NR > 1 { n += $4 } END { print n }' csv)"
equal 'a histogram: powers of two' 0 "$(awk -F, 'NR > 1 && $3 != 2 * $2' csv | wc -l)"
"$pdtool" heatmap -q --histogram --format csv --preset syscall --max 1ms "$data/recorded/x86_64/calls/all.data.zst" >csv 2>err
"$pdtool" heatmap --format text --preset syscall --max 1ms "$data/recorded/x86_64/calls/all.data.zst" >cells 2>err
equal 'a histogram: what --max leaves' "$(sed -n 's/^cells .* = \([0-9,]*\) in cells .*/\1/p' cells | tr -d ,)" "$(awk -F, 'NR > 1 { n += $3 } END { print n }' csv)"
printf '1 0\n2 1\n3 2\n4 3\n5 4\n6 7\n' >values
"$pdtool" heatmap -q --histogram --format csv values >csv 2>err
printf '%s\n' low,high,count,share_pct 0,1,1,16.67 1,2,1,16.67 2,4,2,33.33 4,8,2,33.33 >want
same 'a histogram: of text' want csv
equal 'a histogram: its bars' '|@@@@@@@@@@@@@@@@@@@@                    | |@@@@@@@@@@@@@@@@@@@@                    | |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|' \
	"$("$pdtool" heatmap -q --histogram --format text values | sed -n 's/.*\(|.*|\).*/\1/p' | tr '\n' ' ' | sed 's/ $//')"
equal 'a histogram: names are no numbers' 2 "$("$pdtool" heatmap --histogram --value symbol "$data/recorded/script/cpu-g.data.zst" >got 2>err; echo $?)"
