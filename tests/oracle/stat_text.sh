#!/bin/sh
# `stat` of what perf stat 6.1 and 6.12 printed (testdata/recorded/stat/text.tar.zst): in each of its forms, the numbers of the table
# against those that awk finds in the text; the capture of the same run against its text; and what is no such text.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

zstd -dcq "$data/recorded/stat/text.tar.zst" | tar -xf - || fail 'the texts' 'cannot be unpacked'

# What FILE tells, by awk: a line "TIME|PLACE|EVENT|VALUE|ERROR" of each counter, clocks in ms with two decimals.
told() {
	comma=0
	case $1 in *_DE* | *_FR*) comma=1 ;; esac
	case $1 in
	*sep1.csv) sep=';' ;;
	*sep2.csv) sep='[|]' ;;
	*sep3.csv) sep='[ ]' ;;
	*sep4.csv) sep='\t' ;;
	*sep5.csv) sep='::' ;;
	*.csv) sep=, ;;
	*) sep=' ' ;;
	esac
	awk -F "$sep" -v form="${1##*.}" -v comma=$comma '
		function number(s) { # as that language writes it; there are no three decimals
			gsub(/\302\240|\342\200\257/, "", s)
			if (comma) { gsub(/\./, "", s); sub(/,/, ".", s) } else gsub(/,/, "", s)
			return s + 0
		}
		function put(time, place, event, value, error) {
			sub(/<not_/, "<not ", value)
			if (value !~ /^</) value = event ~ /clock/ ? sprintf("%.2f", number(value)) : sprintf("%d", number(value))
			if (time != "") { sub(/,/, ".", time); time = sprintf("%.9f", time) }
			printf "%s|%s|%s|%s|%.2f\n", time, place, event, value, number(error)
		}
		function key(k) { # of JSON: its value
			if (!match($0, "\"" k "\" : (\"[^\"]*\"|[0-9.,]*[0-9])")) return ""
			k = substr($0, RSTART + length(k) + 5, RLENGTH - length(k) - 5)
			gsub(/"/, "", k)
			return k
		}
		function is_time(s) { return s ~ /^ *[0-9]+[.,][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]$/ }
		function is_place(s) { return s ~ /^(CPU|S[0-9]|N[0-9])/ || s ~ /^bash-[0-9]+$/ }
		/^#/ || /seconds (time|user|sys)/ || /Performance counter/ || !NF { next }
		form == "json" {
			place = key("core") key("die") key("socket") key("node") key("thread")
			if (key("cpu") != "") place = "CPU" key("cpu")
			put(key("interval"), place, key("event"), key("counter-value"), key("variance"))
			next
		}
		{
			error = ""
			if (form == "txt" && match($0, /\+-[ 0-9.,]*%/)) error = substr($0, RSTART + 2, RLENGTH - 3)
			sub(/ \[software\]/, "#software]")
			gsub(/<not /, "<not_")
			for (i = 1; i <= NF && $i !~ /^(task-clock|context-switches|page-faults|cpu-migrations|cycles)/; i++) ;
			if (i > NF) next
			event = $i
			sub(/#/, " [", event)
			n = is_time($1) + 1
			time = n > 1 ? $1 : ""
			place = is_place($n) ? $n : ""
			value = $(i - 1) == "msec" || form == "csv" ? $(i - 2) : $(i - 1)
			if (form == "csv" && comma && event ~ /clock/ && value !~ /^</ && value !~ /,/) value = $(i - 3) "," value
			if (form == "csv" && $(i + 1) ~ /%/) error = $(i + 1)
			if (form == "csv" && comma && $(i + 2) ~ /%/) error = $(i + 1) "," $(i + 2)
			sub(/%/, "", error)
			put(time, place, event, value, error)
		}' "$1"
}

# The same from pdtool.
tabled() {
	"$pdtool" stat -q --format csv "$1" 2>err | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		function of(c) { return c in at ? $(at[c]) : "" }
		{
			place = of("cpu") != "" ? "CPU" of("cpu") : of("place")
			if (of("socket") != "") place = "S" of("socket")
			if (of("die") != "") place = place "-D" of("die")
			if (of("core") != "") place = place "-C" of("core")
			if (of("comm") != "") place = of("comm") "-" of("tid")
			value = of("event") ~ /clock/ && of("count") !~ /^</ ? sprintf("%.2f", of("count") / 1e6) : of("count")
			printf "%s|%s|%s|%s|%.2f\n", of("time_ns") == "" ? "" : sprintf("%.9f", of("time_ns") / 1e9), place, of("event"), value, of("error_pct")
		}'
}
for file in text/*; do
	case $file in *append*) continue ;; esac
	# with intervals, what has no time is their sum
	told "$file" | awk -F'|' '{ line[NR] = $0; time[NR] = $1; some += $1 != "" } END { for (i = 1; i <= NR; i++) if (!some || time[i] != "") print line[i] }' | sort >want
	tabled "$file" | sort >got
	same "$file" want got
	equal "$file: nothing is left over" '' "$(cat err)"
done

# figures FILE ARGUMENT...: "TIME|PLACE|EVENT|COUNT|METRIC|UNIT|RUNNING" of each row that was counted, clocks to 10 us.
figures() {
	"$pdtool" stat -q --format csv "$@" 2>err | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		function of(c) { return c in at ? $(at[c]) : "" }
		of("count") !~ /^</ {
			event = of("event")
			sub(/ \[software\]/, "", event)
			if (event ~ /clock/) $(at["count"]) = sprintf("%.2f", of("count") / 1e6)
			if (of("unit") == "Joules") $(at["count"]) = sprintf("%.2f", of("value"))
			printf "%s|%s,%s,%s,%s,%s,%s|%s|%s|%s|%s|%s\n", of("time_ns"), of("cpu"), of("socket"), of("die"), of("core"), of("comm"), of("tid"),
				event, of("count"), of("metric"), of("metric_unit"), of("running_pct")
		}' | sort
}
# near A B: the same lines, but for the last digits of metrics, which text makes of rounded clocks.
near() {
	paste -d '|' "$1" "$2" | awk -F'|' '
		{ off = $5 - $12; off = off < 0 ? -off : off; bad += $1 != $8 || $2 != $9 || $3 != $10 || $4 != $11 || $6 != $13 || $7 - $14 > 0.005 || $14 - $7 > 0.005 || off > 0.01 + $5 / 100 }
		END { print NR, bad + 0 }'
}

# A run that was recorded and printed at once.
for file in pairs/*.data; do
	figures "$file" >want
	figures "${file%.data}.txt" | awk -F'|' '$4 != "<not supported>"' >got
	equal "$file and what was printed" "$(wc -l <want) 0" "$(near want got)"
	[ -s want ] || fail "$file" 'has no rows'
done

# Counters of hardware: what perf stat report says of a capture reads as the capture.
zstd -dcq "$data/recorded/stat/oracle.tar.zst" | tar -xf -
"$mkperf" -o hw.data "$top/tests/oracle/stat.mkperf"
sed -i 's/^ *--1 *//' hw/report.txt # perf does not know what it sums up there
for how in '' '-A' '-core' '-agg'; do
	case $how in -agg) by=--per-socket ;; -core) by=--per-core ;; *) by=$how ;; esac
	[ -f "hw/report$how.txt" ] || continue
	figures hw.data $by >want
	# the text does not say that cycles and instructions were in a group, without the clock
	figures "hw/report$how.txt" | grep -v 'stalled cycles per insn' | sed 's/|[0-9.]*|GHz|/|||/' >got
	equal "perf stat report $by" "$(wc -l <want) 0" "$(near want got)"
done
equal 'a ratio' '1.715,insn per cycle,80.00' "$("$pdtool" stat -q --format csv hw/report.txt | sed -n 's/^[^,]*,,,instructions,\([^,]*,[^,]*,[^,]*\),.*/\1/p' | head -n 1)"

# Runs: their mean, and how sure it is. Student's t of 3 degrees of freedom at 97.5 %: 3.182446, of 2: 4.302653.
"$pdtool" stat -q --format csv text/612.r.txt | awk -F, 'NR > 1 && $10 != "" && $9 > 0 {
	v = $2 != "" ? $2 : $1
	low = v * (1 - 3.182446 * $9 / 100); high = v * (1 + 3.182446 * $9 / 100)
	n++; bad += $8 != 4 || low - $10 > 0.002 || $10 - low > 0.002 || high - $11 > 0.002 || $11 - high > 0.002
} END { print n, bad + 0 }' >got
equal 'the interval of -r' "$(grep -c '+-.*%' text/612.r.txt | awk '{ print $1 - 1, 0 }')" "$(cat got)"
told text/612.append.txt | awk -F'|' '$4 !~ /</ { n[$3]++; sum[$3] += $4; all[$3] = all[$3] " " $4 } END {
	for (e in n) {
		mean = sum[e] / n[e]; k = split(all[e], v, " "); s = 0
		for (i = 1; i <= k; i++) s += (v[i] - mean) ^ 2
		half = 4.302653 * sqrt(s / (k - 1) / k)
		printf "%s %d %.2f %.2f\n", e, k, mean - half, mean + half
	} }' | sort >want
"$pdtool" stat -q --format csv text/612.append.txt | awk -F, 'NR > 1 && $8 != "" { printf "%s %d %.2f %.2f\n", $4, $8, $10, $11 }' | sort >got
same 'runs in one text' want got
awk '/^ Performance/ { n++ } { print > "run" n + 0 ".txt" }' text/612.append.txt
"$pdtool" stat -q --format csv run1.txt run2.txt run3.txt >got
"$pdtool" stat -q --format csv text/612.append.txt >want
same 'runs in a text each' want got
"$pdtool" stat text/61.r.csv >got 2>&1
equal '-x does not tell how many runs there were' '1' "$(grep -c '^runs  *how many there were is not told' got)"

# From standard input; summed up; what cannot be.
"$pdtool" stat -q --format csv - <text/612.A.csv >got
"$pdtool" stat -q --format csv text/612.A.csv >want
same 'from standard input' want got
"$pdtool" stat -q --format csv --by total text/612.A.csv | awk -F, 'NR > 1 && $1 !~ /</ { print $4, $1 }' | sort >got
awk -F, 'NR > 1 && $2 !~ /</ { n[$5] += $2 } END { for (e in n) print e, n[e] }' want | sort >sums
same 'by total' sums got
"$pdtool" stat --by socket text/612.A.csv >got 2>err
equal 'by what is not told' '2 pdtool: text/612.A.csv: --by socket: it tells what was counted by cpu' "$? $(cat err)"
"$pdtool" stat --compat perf text/612.A.csv >got 2>err
equal 'the text of perf is of captures' 2 $?
"$pdtool" stat text/612.A.csv hw.data >got 2>err
equal 'a capture beside a text' 2 $?
"$pdtool" stat -q --summary --format csv text/612.Isum.csv | awk -F, 'NR > 1 { printf "%s %s\n", $4, $4 ~ /clock/ && $1 !~ /</ ? sprintf("%.2f", $1 / 1e6) : $1 }' | sort >got
sed -n 's/^ *summary,//p' text/612.Isum.csv | awk -F, '{ print $3, $1 }' | sort >want
same 'the sum of intervals is what perf says it is' want got

# A metric that perf makes of more than it prints; what else may stand in a text, and what it must not.
cat >odd.txt <<-'END'
	 Performance counter stats for 'a':

	     1.234.567      cycles                           #     12.3 %  tma_frontend_bound     (49.90%)
	                                                  #     45.6 %  tma_retiring
	       1 234 567      instructions                     #    1.00  insn per cycle
	         12,345      r1a8
	            9.50 Joules power/energy-pkg/
	  <not counted>      cache-misses                                            (0.00%)
	99999999999999999999      branches
	             a line
	       0.5 seconds user
END
"$pdtool" stat --format csv odd.txt 2>err | cut -d , -f 1-7 >got
cat >want <<-'END'
	count,value,unit,event,metric,metric_unit,running_pct
	1234567,,,cycles,12.300,%  tma_frontend_bound,49.90
	1234567,,,cycles,45.600,%  tma_retiring,49.90
	1234567,,,instructions,1.000,insn per cycle,100.00
	12345,,,r1a8,,,100.00
	,9.500,Joules,power/energy-pkg/,,,100.00
	<not counted>,,,cache-misses,,,
END
same 'odd lines' want got
equal 'lines that are none' 'pdtool: odd.txt: 2 of 11 lines are no counters, the first is line 9' "$(cat err)"
for text in 'main;a;b 12' 'nothing here' ''; do
	printf '%s\n' "$text" >none.txt
	"$pdtool" stat none.txt >got 2>err
	equal "no such text: $text" '1 pdtool: none.txt: neither a capture of perf stat record nor what perf stat prints' "$? $(sed 's/ (it is empty)//' err)"
done

# Intervals, drawn: a panel for each event and for each metric that is no rate, a step for each interval with its values.
"$pdtool" stat -q --format svg text/612.IA.csv >got
equal 'panels' 'task-clock [software] msec,task-clock [software] CPUs utilized,context-switches [software],page-faults [software],cpu-migrations [software]' \
	"$(sed -n '/data-at="panel"/{n;s/<tspan[^>]*>//;s/<[^>]*>//g;s/ *$//;p;}' got | tr '\n' , | sed 's/ ,/,/g; s/,$//')"
awk -F, '/page-faults/ { t = $1; sub(/CPU/, "CPU ", $2); v[t] = v[t] " " $2 ": " $3 } END { for (t in v) print v[t] }' text/612.IA.csv | sort >want
awk '/<title>.* to / { page = 0 } page && /^CPU/ { sub(/<.*/, ""); gsub(/,/, ""); line = line " " $0; if (/^CPU 1/) { print line; line = "" } } /^page-faults/ { page = 1 }' got | sort >steps
same 'steps' want steps
equal 'well-formed' '' "$(command -v xmllint >/dev/null && xmllint --noout got 2>&1)"
