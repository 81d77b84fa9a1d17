#!/bin/sh
# `events`: every field of every tracepoint that `script` shows is there, with the range of what it held.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

for name in sched-g uprobe kmem block tpmix mixed2; do
	file=$data/recorded/script/$name.data.zst
	"$pdtool" events -q --format csv "$file" >csv 2>err
	records <csv | cut -f1,2 | sort -u >got
	"$pdtool" info -q --counts --format csv "$file" | awk -F, '$1 == "event" { print $2 "\t" $3 }' | sort >want
	same "$name: $(wc -l <want) events and their samples" want got
	"$pdtool" info -q --trace-fields "$file" | sed -n 's/^\(fields  *\)\{0,1\} *\([a-z0-9_]*:[a-zA-Z0-9_]*\): \(.*\)/\2 \3/p' |
		awk '{ for (i = 2; i <= NF; i++) { sub(/,$/, "", $i); if ($i !~ /^common_/) print $1, $i } }' | sort >want
	records <csv | awk -F '\t' '$3 != "" { print $1, $3 }' | sort >got
	if [ -s want ]; then same "$name: $(wc -l <want) fields" want got; fi
done

# The range of a number is that of the texts of script.
file=$data/recorded/script/uprobe.data.zst
"$pdtool" script -q -F event,trace "$file" | sed -n 's/.*pdt:take_args: .* n=\(-\{0,1\}[0-9]*\) .*/\1/p' | sort -n >numbers
equal 'least, most and first' "$(head -n 1 numbers) $(tail -n 1 numbers)" \
	"$("$pdtool" events -q --format csv "$file" | awk -F, '$1 == "pdt:take_args" && $3 == "n" { print $5, $6 }')"
"$pdtool" events -q --filter 'n<-5' --format csv "$file" >csv 2>err
equal 'with a filter' "$(awk '$1 < -5' numbers | sort -n | sed -n '1p;$p' | tr '\n' ' ')" \
	"$(awk -F, '$1 == "pdt:take_args" && $3 == "n" { print $5; print $6 }' csv | tr '\n' ' ')"
"$pdtool" events -q "$data/recorded/script/cpu-g.data.zst" >got 2>err
equal 'no tracepoint' 'cpu-clock 119' "$(awk '$1 == "cpu-clock" { print $1, $2 }' got)"

# Formats are text of the file: odd ones show nothing that a terminal or a reader of CSV would take for something else.
# odd FIELD: what pdtool shows of an event with it and another field.
odd() {
	cat >odd.mkperf <<-END
	arch x86_64
	tracepoint odd:ev id=11 fields="$1;int z" print="\\"%d\\", REC->z"
	event odd:ev type=tracepoint config=11 period=1 ids=1 sample_id_all comm task sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW
	comm pid=7 tid=7 comm=app time=0
	sample pid=7 tid=7 cpu=0 time=1000 raw=[u16:11,u8:0,u8:0,u32:7,u64:5,u64:6,u64:7,u64:8]
	END
	"$mkperf" -o odd.data odd.mkperf && "$san" events --format csv odd.data 2>err
}
for field in 'int' 'char [4]' 'unsigned long x[' 'int a]' 'int \"x' 'int \x1b[31m' 'int a.b' 'int a,b' '__data_loc char[] ' 'int a:3' 'int <script>' 'u64 \xff\xfe' \
	"int $(head -c 3000 /dev/zero | tr '\0' y)"; do
	odd "$field" >got
	status=$?
	# one row for each field, or one for an event whose format cannot be read, which is said
	records <got | awk -F '\t' 'NF && NF < 2 { bad++ } END { exit bad > 0 || NR < 1 || NR > 2 }' &&
		! LC_ALL=C grep -q "$(printf '[\001-\010\013-\037]')" got && { [ "$(wc -l <got)" = 3 ] || grep -q 'format of odd (ev) is invalid' err; }
	equal "a field '$(printf '%.20s' "$field")'" '0 0' "$? $status"
done
