#!/bin/sh
# `report` against sums that awk makes of folded stacks (`collapse`), row by row; against figures known beforehand, of
# captures that the text below describes; and against `perf report`, where there is one.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

recorded=$data/recorded/x86_64
symbols="--kallsyms=$recorded/kallsyms --symfs=$data/symfs --buildid-dir=$data/buildid"

# table ARGUMENT...: the rows of a report, separated by tabs, without the header, which goes to header.
table() {
	"$pdtool" report -q --format csv "$@" >csv 2>err || { sed 's/^/    /' err; return 1; }
	head -n 1 csv >header
	records <csv
}

# sums [SKIP]: "self children name" of folded stacks, the first SKIP frames left out; each stack once for a name.
sums() {
	awk -v skip="${1:-0}" '{
		w = $NF
		sub(/ [0-9]+$/, "")
		n = split($0, frame, ";")
		split("", seen)
		for (i = n; i > skip; i--) {
			if (i == n) self[frame[i]] += w
			if (!(frame[i] in seen)) all[frame[i]] += w
			seen[frame[i]] = 1
		}
	}
	END { for (f in all) printf "%.0f\t%.0f\t%s\n", self[f], all[f], f }' | sort
}

# none NAME: standard input, which tells what is wrong, is empty.
none() {
	cat >wrong
	if [ -s wrong ]; then fail "$1" "$(grep -c '' wrong) lines"; show wrong; else ok "$1"; fi
}

# ---- recorded captures: all rows ----

capture() {
	for c in "$recorded/$1.data" "$recorded/$1.data.zst"; do
		[ ! -e "$c" ] || echo "$c"
	done
}

# by_symbol NAME FILE [OPTION...]: self and inclusive weight, periods and samples.
by_symbol() {
	name=$1 file=$2
	shift 2
	for weight in period samples; do
		"$pdtool" collapse -q $symbols --weight $weight "$@" "$file" 2>err | sums 1 >want
		table $symbols --weight $weight -s sym "$@" "$file" | awk -F '\t' '{ gsub(/;/, ":", $6); print $4 "\t" $3 "\t" $6 }' |
			sort >got
		same "$name: by symbol, $weight" want got
	done
	# the samples of the rows are those of the self weight
	table $symbols --weight samples -s sym "$@" "$file" | awk -F '\t' '$4 != $5' | none "$name: samples"
	table $symbols -s sym,comm,dso "$@" "$file" >got
	awk -F '\t' '{ self += $4; if ($3 < $4) bad = 1 } END { printf "%.0f %d\n", self, bad }' got >sum
	equal "$name: self weights sum to all, and none is above its children" \
		"$("$pdtool" collapse -q $symbols "$@" "$file" 2>err | awk '{ n += $NF } END { printf "%.0f 0", n }')" "$(cat sum)"
}

for name in diff_pair/base1 binaries/plugins binaries/pie modes/clock; do
	by_symbol $name "$(capture $name)"
done
for event in cpu-clock page-faults context-switches sched_switch; do
	by_symbol "multi_event $event" "$(capture multi_event/multi)" --event $event
done
by_symbol 'a whole machine' "$data"/recorded/foreign/02-*

c=$(capture diff_pair/base1)

# Percentages follow from the weights, and children order the rows; equal weights are ordered by name.
table $symbols -s sym "$c" >got
total=$("$pdtool" collapse -q $symbols "$c" | awk '{ n += $NF } END { printf "%.0f", n }')
awk -F '\t' -v t="$total" '
	sprintf("%.2f", 100 * $3 / t) != $1 || sprintf("%.2f", 100 * $4 / t) != $2 { print "percent", $0 }
	NR > 1 && ($3 > weight || ($3 == weight && $6 "" <= name "")) { print "order", $0 }
	{ weight = $3; name = $6 }' got | none 'percentages and order'
# Without children: rows that no sample was in are left out, the others are the same.
awk -F '\t' '$5 > 0' got | sort >want
table $symbols --no-children -s sym "$c" >unsorted
sort unsorted >got2
same '--no-children: the rows with samples' want got2
awk -F '\t' 'NR > 1 && $4 > weight; { weight = $4 }' unsorted | none '--no-children: ordered by self'
# The limit is of the column that orders.
awk -F '\t' -v t="$total" '100 * $3 / t >= 1.5' got >want
table $symbols -s sym --percent-limit 1.5 "$c" >got2
same '--percent-limit' want got2
awk -F '\t' -v t="$total" '100 * $4 / t >= 5' unsorted >want
table $symbols -s sym --percent-limit 5% --no-children "$c" >got2
same '--percent-limit --no-children' want got2
[ -s want ] && [ "$(wc -l <want)" -lt "$(wc -l <unsorted)" ] && ok '--percent-limit left something out' ||
	fail '--percent-limit left something out' "$(wc -l <want) of $(wc -l <unsorted) rows"

# Callers and callees of every symbol: their sums, and each pair as awk sees it.
"$pdtool" collapse -q $symbols "$c" >folded
table $symbols -s sym "$c" | awk -F '\t' '{ print $4 "\t" $3 "\t" $6 }' >all
while IFS='	' read -r self children sym; do
	table $symbols --callers "$sym" -s sym "$c" >callers
	table $symbols --callees "$sym" -s sym "$c" >callees
	awk -F '\t' -v w="$children" -v s="$sym" '{ n += $3 } END { if (n != w) print "callers of", s, n, w }' callers
	awk -F '\t' -v w="$children" -v self="$self" -v s="$sym" '{ n += $3 } $5 == "[self]" { own = $3 }
		END { if (n != w || own + 0 != self) print "callees of", s, n, w, own, self }' callees
	awk -v sym="$sym" '{
		w = $NF
		sub(/ [0-9]+$/, "")
		n = split($0, f, ";")
		for (i = 2; i <= n && f[i] != sym; i++);
		if (i > n) next
		sum["callers\t" (i > 2 ? f[i - 1] : "[root]")] += w
		for (i = n; f[i] != sym; i--);
		sum["callees\t" (i < n ? f[i + 1] : "[self]")] += w
	}
	END { for (k in sum) printf "%s\t%.0f\n", k, sum[k] }' folded | sort >pairs
	{ awk -F '\t' '{ print "callers\t" $5 "\t" $3 }' callers; awk -F '\t' '{ print "callees\t" $5 "\t" $3 }' callees; } |
		sort | diff pairs - | sed "s/^/$sym: /"
done <all >wrong.pairs
none "callers and callees of $(wc -l <all) symbols" <wrong.pairs

# Every other key: the filter by it leaves that row's weight.
# per_key KEY OPTION...: the option is followed by the value.
per_key() {
	key=$1
	shift
	table $symbols -s "$key" "$file" >got
	awk -F '\t' 'END { exit NR < 2 }' got || { fail "$name by $key" 'not several rows'; return; }
	while IFS='	' read -r children_percent self_percent children self samples value; do
		[ "$("$pdtool" collapse -q $symbols "$@$value" "$file" 2>err | awk '{ n += $NF } END { printf "%.0f", n }')" = "$self" ] ||
			echo "$value: $self"
	done <got | none "$name by $key, $(wc -l <got) rows"
}
name='a whole machine' file=$(echo "$data"/recorded/foreign/02-*)
per_key pid --pid=
per_key tid --tid=
per_key cpu --cpu=
per_key comm --comms=
per_key dso --dsos=

# -j, and several captures: sums.
table $symbols -j1 "$c" >want
table $symbols -j8 "$c" >got
same '-j8 as -j1' want got
set -- "$(capture binaries/plugins)" "$(capture binaries/pie)" "$(capture binaries/plugins)"
"$pdtool" collapse -q $symbols "$@" | sums 1 >want
table $symbols -s sym "$@" | awk -F '\t' '{ gsub(/;/, ":", $6); print $4 "\t" $3 "\t" $6 }' | sort >got
same 'three captures' want got

# ---- figures known beforehand ----

mkdir maps
printf '7e0020000000 100 main\n7e0020000100 100 walk\n7e0020000200 100 leaf,"x"\n7e0020000300 100 <odd>;\n' >maps/perf-10.map
cat >known.mkperf <<'END'
event cpu-clock type=software config=0 period=1 sample_id_all ids=1,2 \
	sample_type=IDENTIFIER|IP|TID|TIME|CALLCHAIN|CPU|PERIOD read_format=ID
event cycles type=hardware config=0 period=1 sample_id_all ids=3,4 \
	sample_type=IDENTIFIER|IP|TID|TIME|CALLCHAIN|CPU|PERIOD read_format=ID
let main 0x7e0020000010
let walk 0x7e0020000110
let leaf 0x7e0020000210
let odd 0x7e0020000310
comm pid=10 comm=prog time=1
mmap2 pid=10 addr=0x7e0020000000 len=0x1000 file=//anon prot=7 flags=0x22 time=2
fork pid=10 ppid=10 tid=11 ptid=10 time=3
comm pid=10 tid=11 comm=helper time=4
# recursion: walk walk walk leaf; main walk main walk
sample pid=10 time=1000 cpu=0 ip=$leaf period=100 chain=[user:$leaf,$walk,$walk+1,$walk,$main]
sample pid=10 time=1500 cpu=1 ip=$walk period=10 chain=[user:$walk,$main,$walk,$main]
sample pid=10 tid=11 time=2000 cpu=1 ip=$main period=1 chain=[user:$main]
sample pid=10 tid=11 time=2999 cpu=1 ip=$odd period=1000 chain=[user:$odd,$walk]
sample event=cycles pid=10 time=3000 cpu=0 ip=$walk period=7 chain=[user:$walk,$main]
sample event=cycles pid=10 time=3001 cpu=0 ip=$leaf period=0 chain=[user:$leaf]
END
"$mkperf" -o known.data known.mkperf || exit 1
k="--perf-map-dir maps"
# check NAME FIELDS ARGUMENT...: these columns, blanks for tabs, - for nothing at the end, against standard input.
check() {
	text=$1 fields=$2
	shift 2
	cat >want
	table "$@" | cut -f "$fields" | tr '\t' ' ' | sed 's/ $/ -/' >got
	same "$text" want got
}

check 'recursion counts once' 3- $k -e cpu-clock -s sym known.data <<'END'
1110 10 1 walk
1000 1000 1 <odd>;
111 1 1 main
100 100 1 leaf,"x"
END
check 'several events: a column, and totals of their own' 1,2,3,4,5- $k -s sym known.data <<'END'
99.91 0.90 1110 10 1 cpu-clock walk
90.01 90.01 1000 1000 1 cpu-clock <odd>;
9.99 0.09 111 1 1 cpu-clock main
9.00 9.00 100 100 1 cpu-clock leaf,"x"
100.00 0.00 7 0 0 cycles main
100.00 100.00 7 7 1 cycles walk
0.00 0.00 0 0 1 cycles leaf,"x"
END
equal 'several events: no unit that is wrong for one' \
	'children_percent,self_percent,children_periods,self_periods,samples,event,sym' "$(cat header)"
check 'a key is there once' 3- $k -s event,comm,event known.data <<'END'
1001 1001 2 cpu-clock helper
110 110 2 cpu-clock prog
7 7 2 cycles prog
END
table $k -e cpu-clock known.data >/dev/null
equal 'a clock: ns' 'children_percent,self_percent,children_ns,self_ns,samples,comm,dso,sym' "$(cat header)"
table $k --weight samples known.data >/dev/null
equal 'samples' 'children_percent,self_percent,children_samples,self_samples,samples,event,comm,dso,sym' "$(cat header)"
check 'the time' 3- $k -e cpu-clock -s time --time-quantum 1us known.data <<'END'
1001 1001 2 2000
110 110 2 1000
END
check 'the time, default step' 3- $k -e cpu-clock -s time known.data <<'END'
1111 1111 4 0
END
check 'a step of 500 ns, and more keys' 4- $k -e cpu-clock -s tid,time,cpu --time-quantum 500ns known.data <<'END'
1000 1 11 2500 1
100 1 10 1000 0
10 1 10 1500 1
1 1 11 2000 1
END
check 'pid and comm' 3- $k -e cpu-clock -s pid,comm known.data <<'END'
1001 1001 2 10 helper
110 110 2 10 prog
END
check 'callers: of the outermost occurrence' 3- $k -e cpu-clock --callers walk -s sym known.data <<'END'
1000 1 [root]
110 2 main
END
check 'callers: both percentages' 1,2,3 $k -e cpu-clock --callers walk -s sym known.data <<'END'
90.09 90.01 1000
9.91 9.90 110
END
check 'callees: of the innermost occurrence' 3- $k -e cpu-clock --callees walk -s sym known.data <<'END'
1000 1 <odd>;
100 1 leaf,"x"
10 1 [self]
END
check 'callees of several events, by thread' 3- $k --callees main -s comm,sym known.data <<'END'
110 2 cpu-clock prog walk
1 1 cpu-clock helper [self]
7 1 cycles prog walk
END
check 'a group and its rows' 3- $k -e cpu-clock --group comm -s sym known.data <<'END'
1001 1001 2 helper -
1000 1000 1 helper <odd>;
1000 0 0 helper walk
1 1 1 helper main
110 110 2 prog -
110 0 0 prog main
110 10 1 prog walk
100 100 1 prog leaf,"x"
END
check 'a group stands above a row of the same weight' 3- $k -e cpu-clock --group comm -s cpu known.data <<'END'
1001 1001 2 helper -
1001 1001 2 helper 1
110 110 2 prog -
100 100 1 prog 0
10 10 1 prog 1
END
check 'a group alone' 3- $k -e cpu-clock --group cpu known.data <<'END'
1011 1011 3 1
100 100 1 0
END
check '--dsos: of all samples' 1-4 $k -e cpu-clock -s comm --symbols walk known.data <<'END'
0.90 0.90 10 10
END
check '--percentage relative' 1-4 $k -e cpu-clock -s comm --symbols walk --percentage relative known.data <<'END'
100.00 100.00 10 10
END
check '--comms: of all samples' 1-4 $k -e cpu-clock -s comm --comms prog known.data <<'END'
9.90 9.90 110 110
END
check '--cpu: of that CPU, as in perf' 1-4 $k -e cpu-clock -s comm --cpu 1 --comms prog known.data <<'END'
0.99 0.99 10 10
END
check '--time: of that time, as in perf' 1-4 $k -e cpu-clock -s comm --time ,0.000001600 known.data <<'END'
100.00 100.00 110 110
END
"$pdtool" report $k --callers nothing --format csv known.data >out 2>err
equal 'a symbol that is nowhere: status and lines' '1 0' "$? $(wc -l <out)"
grep -q "known.data: no stack has 'nothing'" err && ok 'a symbol that is nowhere: said' || { fail 'said' 'not'; show err; }

# No time, no CPU in the samples: the cells are empty.
cat >bare.mkperf <<'END'
event cycles type=hardware config=0 period=5 sample_type=IP|TID
comm pid=10 comm=prog
sample pid=10 ip=0x1000
END
"$mkperf" -o bare.data bare.mkperf || exit 1
"$pdtool" report -q --format csv -s time,cpu,comm,sym bare.data >got
printf '%s\n' children_percent,self_percent,children_periods,self_periods,samples,time_ns,cpu,comm,sym \
	'100.00,100.00,5,5,1,,,prog,[unknown]' >want
same 'what was not recorded' want got

# Sums past 64 bits are held there.
cat >huge.mkperf <<'END'
event cycles type=hardware config=0 freq period=5 sample_type=IP|TID|PERIOD
sample pid=10 ip=0x1000 period=~0
sample pid=10 ip=0x1000 period=~0
END
"$mkperf" -o huge.data huge.mkperf || exit 1
equal 'sums past 2^64' 18446744073709551615 "$(table -s pid huge.data | cut -f 4)"
"$pdtool" report -q huge.data | grep -q '^overflow' && ok 'sums past 2^64: said' || fail 'sums past 2^64: said' 'not'

# ---- folded text ----

printf '%s\n' 'prog;main;f;g;f 10' 'prog;main 3' 'other;f 1.25' 'lone 4' >some.folded
check 'folded text' 1-4,6 some.folded <<'END'
71.23 16.44 13.00 3.00 main
71.23 0.00 13.00 0.00 prog
61.64 61.64 11.25 11.25 f
54.79 0.00 10.00 0.00 g
21.92 21.92 4.00 4.00 lone
6.85 0.00 1.25 0.00 other
END
check 'folded text: comm is the first frame' 3,4,6- -s comm some.folded <<'END'
13.00 13.00 prog
4.00 4.00 lone
1.25 1.25 other
END
check 'folded text: callers' 3,5 --callers f some.folded <<'END'
10.00 main
1.25 other
END
check 'folded text: callees' 3,5 --callees main some.folded <<'END'
10.00 f
3.00 [self]
END
"$pdtool" collapse -q $symbols "$c" >large.folded
stacks <large.folded | sums 0 >want
table large.folded | awk -F '\t' '{ print $4 "\t" $3 "\t" $6 }' | sort >got
same 'folded text: all rows' want got
table - <large.folded | awk -F '\t' '{ print $4 "\t" $3 "\t" $6 }' | sort >got
same 'folded text on standard input' want got

# ---- call trees ----

# Columns: children, self, samples, the row, depth, frame.
check 'callers first: what each row called' 3- $k -e cpu-clock -s sym -g caller,5 known.data <<'END'
1110 10 1 walk 0 -
1100 0 2 walk 1 walk
1000 1000 1 walk 2 <odd>;
100 0 1 walk 2 walk
100 0 1 walk 3 walk
100 100 1 walk 4 leaf,"x"
1000 1000 1 <odd>; 0 -
1000 0 1 <odd>; 1 walk
1000 1000 1 <odd>; 2 <odd>;
111 1 1 main 0 -
110 0 2 main 1 walk
100 0 1 main 2 walk
100 0 1 main 3 walk
100 100 1 main 4 leaf,"x"
100 100 1 leaf,"x" 0 -
100 0 1 leaf,"x" 1 main
100 0 1 leaf,"x" 2 walk
100 0 1 leaf,"x" 3 walk
100 0 1 leaf,"x" 4 walk
100 100 1 leaf,"x" 5 leaf,"x"
END
check 'callees first: who called each row, as perf has it without children' 3- $k -e cpu-clock -s sym --no-children -g known.data \
	<<'END'
1000 1000 1 <odd>; 0 -
1000 1000 1 <odd>; 1 walk
100 100 1 leaf,"x" 0 -
100 0 1 leaf,"x" 1 walk
100 0 1 leaf,"x" 2 walk
100 0 1 leaf,"x" 3 walk
100 100 1 leaf,"x" 4 main
1110 10 1 walk 0 -
10 0 1 walk 1 main
10 0 1 walk 2 walk
10 10 1 walk 3 main
111 1 1 main 0 -
END
check 'percent of what is above, and the rest' 1,3,6- $k -e cpu-clock -s sym -g fractal,0,1,caller --symbol-filter main known.data <<'END'
9.99 111 main 0 -
99.10 110 main 1 walk
90.91 100 main 2 walk
100.00 100 main 3 walk
100.00 100 main 4 leaf,"x"
9.09 10 main 2 [...]
0.90 1 main 1 [...]
END
check 'each chain, those of the least weight last' 1- $k -e cpu-clock -s comm -g folded,0,callee known.data <<'END'
90.10 90.10 1001 1001 2 helper 0 -
90.01 90.01 1000 1000 1 helper 1 <odd>:;walk
0.09 0.09 1 1 1 helper 1 main
9.90 9.90 110 110 2 prog 0 -
9.00 9.00 100 100 1 prog 1 leaf,"x";walk;walk;walk;main
0.90 0.90 10 10 1 prog 1 walk;main;walk;main
END
check 'a threshold, and the number of chains' 4,6- $k -e cpu-clock -s comm -g flat,0.5,1,callee known.data <<'END'
1001 helper 0 -
1000 helper 1 <odd>:;walk
110 prog 0 -
100 prog 1 leaf,"x";walk;walk;walk;main
END
check 'addresses tell frames apart' 4,6- $k -e cpu-clock -s comm --comms prog -g folded,0,callee,address known.data <<'END'
110 prog 0 -
100 prog 1 leaf,"x"+0x10;walk+0x10;walk+0x11;walk+0x10;main+0x10
10 prog 1 walk+0x10;main+0x10;walk+0x10;main+0x10
END
check 'the innermost frames only' 3,4,6- $k -e cpu-clock -s sym --max-stack 2 known.data <<'END'
1110 10 walk
1000 1000 <odd>;
100 100 leaf,"x"
11 1 main
END
check 'what a function called is its own' 3- $k -e cpu-clock -s sym --ignore-callees '^wal' known.data <<'END'
1110 1110 3 walk
111 1 1 main
END
check 'a parent, and all others' 3- $k -e cpu-clock -s parent -p '^ma' known.data <<'END'
1000 1000 1 [other]
111 111 3 main
END
check 'a parent is a key, and others are left out' 1-5,6- $k -e cpu-clock -s comm -p '^ma' -x known.data <<'END'
9.90 9.90 110 110 2 prog main
0.09 0.09 1 1 1 helper main
END
check 'rows of a text' 3,4,6- $k -e cpu-clock -s sym --symbol-filter al known.data <<'END'
1110 10 walk
END
check 'relative: to the rows of the text' 1,2 $k -e cpu-clock -s sym --symbol-filter al --percentage relative known.data <<'END'
11100.00 100.00
END
check 'levels' 1-4,6- $k -e cpu-clock -s comm,sym --hierarchy known.data <<'END'
90.10 90.10 1001 1001 helper  0 helper
90.01 90.01 1000 1000 helper <odd>; 1 <odd>;
0.09 0.09 1 1 helper main 1 main
9.90 9.90 110 110 prog  0 prog
9.00 9.00 100 100 prog leaf,"x" 1 leaf,"x"
9.90 0.90 110 10 prog walk 1 walk
END
check 'three levels' 4,6- $k -e cpu-clock -s cpu,comm,tid --hierarchy known.data <<'END'
1011 1   0 1
1001 1 helper  1 helper
1001 1 helper 11 2 11
10 1 prog  1 prog
10 1 prog 10 2 10
100 0   0 0
100 0 prog  1 prog
100 0 prog 10 2 10
END
check 'columns, which order the rows' 1- $k -e cpu-clock -F sample,comm,overhead,cpu known.data <<'END'
2 helper 90.10 1
1 prog 9.00 0
1 prog 0.90 1
END
check 'keys of --sort order before columns' 1- $k -e cpu-clock -s comm -F overhead known.data <<'END'
90.10 helper
9.90 prog
END
check 'columns and keys added' 1-2,6- $k -e cpu-clock -s comm -F +sample,cpu known.data <<'END'
90.10 90.10 helper 1
9.00 9.00 prog 0
0.90 0.90 prog 1
END
check 'keys added' 6- $k -e cycles -s +cpu known.data <<'END'
prog perf-10.map main 0
prog perf-10.map walk 0
prog perf-10.map leaf,"x" 0
END
printf '%s\n' 'prog;main;f;g;f 10' 'prog;main 3' 'other;f 1.25' 'lone 4' >trees.folded
check 'folded text: call trees' 3,4,6- -g caller,30 trees.folded <<'END'
13.00 3.00 main 0 -
10.00 0.00 main 1 main
10.00 0.00 main 2 f
10.00 0.00 main 3 g
10.00 10.00 main 4 f
13.00 0.00 prog 0 -
13.00 3.00 prog 1 main
10.00 0.00 prog 2 f
10.00 0.00 prog 3 g
10.00 10.00 prog 4 f
11.25 11.25 f 0 -
10.00 0.00 f 1 prog
10.00 0.00 f 2 main
10.00 0.00 f 3 f
10.00 0.00 f 4 g
10.00 10.00 f 5 f
10.00 0.00 g 0 -
10.00 10.00 g 1 f
4.00 4.00 lone 0 -
1.25 0.00 other 0 -
END

# The text: branches, and what alone is called without one.
"$pdtool" report -q $k -e cpu-clock -s sym -g caller,5 known.data | sed '1,/^Children/d' >got
cat >want <<'END'
  99.91%   0.90%  walk
             --99.01%--walk
                       |--90.01%--<odd>;
                        --9.00%--walk
                                  walk
                                  leaf,"x"

  90.01%  90.01%  <odd>;
            |
            ---walk
               <odd>;

   9.99%   0.09%  main
             --9.90%--walk
                        --9.00%--walk
                                  walk
                                  leaf,"x"

   9.00%   9.00%  leaf,"x"
            |
            ---main
               walk
               walk
               walk
               leaf,"x"

END
same 'text: trees' want got
"$pdtool" report -q $k -e cpu-clock -s comm -n -t : known.data >got
printf '%s\n' '# Children:Self:Samples:Command' 90.10:90.10:2:helper 9.90:9.90:2:prog >want
same 'text: a separator' want got
equal 'text: a separator in a name' 'leaf."x"' "$("$pdtool" report -q $k -e cpu-clock -F sym,overhead -t , known.data | sed -n 's/,9.00$//p')"
equal 'text: a width' '99.91% 0.90% walk' "$("$pdtool" report -q $k -e cpu-clock -s sym -w 0,0,4 known.data | sed -n 's/  */ /g; s/^ //; /walk/p')"
equal 'text: -g and then a file' "$("$pdtool" report -q $k -g known.data | md5sum)" "$("$pdtool" report -q $k known.data -g | md5sum)"

# Fields of tracepoints; flags by name.
sched=$recorded/sched/nospin.data.zst
table -e sched_switch -s prev_state,comm "$sched" | head -n 3 | cut -f 5- >got
printf '374\tS\tqemu-system-s39\n250\tR\tqemu-system-s39\n201\tS\tqemu-system-aar\n' >want
same 'fields as keys' want got
equal 'the number of flags' '0 1 2' "$(table -e sched_switch -s prev_state/raw "$sched" | cut -f 6 | sort -n | head -n 3 | tr '\n' ' ' | sed 's/ $//')"
equal 'a field of one event' "$(table -e sched_switch -s prev_comm "$sched" | wc -l)" \
	"$(table -s sched_switch.prev_comm "$sched" | grep -c 'sched_switch')"
table -e sched_switch -s trace_fields "$sched" >/dev/null
equal 'all fields' 'event,prev_comm,prev_pid,prev_prio,prev_state,next_comm,next_pid,next_prio' \
	"event,$(cut -d , -f 6- header)"
equal 'arrays' 'ARRAY' "$(table -e raw_syscalls:sys_enter -s args "$recorded/calls/all.data.zst" | cut -f 6 | sed 's/\[.*//' | sort -u)"

# A field reads as the text of its event has it: in hexadecimal what that shows so, though no pointer (not all arguments of system
# calls, which all are %lx); flags by names of any length, of values that are expressions, and in hexadecimal those without a name.
# Equal weights are in the order of numbers, not of digits.
cat >shown.mkperf <<'END'
arch x86_64
tracepoint odd:shown id=12 fields="unsigned long site;unsigned long flags;u16 mask;int n;u64 big" \
	print="\"site=%pS flags=%s mask=0x%x n=%d big=%llu\", (void *)REC->site, (REC->flags) ? __print_flags(REC->flags, \"|\", \
	{(( unsigned long)(((( gfp_t)(((((1UL))) << (1)))) | ((1U << 2))))), \"THE_FIRST_OF_THEM\"}, {(1U << 1), \"THE_FIRST_PART\"}, {0x20, \"SIX\"}) : \"none\", \
	REC->mask, REC->n, REC->big"
tracepoint syscalls:sys_enter_odd id=13 fields="u64 fd;unsigned long addr" \
	print="\"fd: 0x%08lx, addr: 0x%08lx\", ((unsigned long)(REC->fd)), ((unsigned long)(REC->addr))"
event odd:shown type=tracepoint config=12 period=1 ids=1 sample_id_all comm task sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW
event syscalls:sys_enter_odd type=tracepoint config=13 period=1 ids=2 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW
comm pid=7 tid=7 comm=app time=0
sample event=odd:shown pid=7 tid=7 cpu=0 time=1000 raw=[u16:12,u8:0,u8:0,u32:7,u64:0xffffffff81000010,u64:6,u16:0xfffd,u16:0,u32:4294967293,u64:5000000000]
sample event=odd:shown pid=7 tid=7 cpu=0 time=1001 raw=[u16:12,u8:0,u8:0,u32:7,u64:0xffffffff81000010,u64:0x122,u16:9,u16:0,u32:9,u64:9]
sample event=odd:shown pid=7 tid=7 cpu=0 time=1002 raw=[u16:12,u8:0,u8:0,u32:7,u64:0xffffffff81000010,u64:0,u16:10,u16:0,u32:10,u64:10]
sample event=syscalls:sys_enter_odd pid=7 tid=7 cpu=0 time=1003 raw=[u16:13,u8:0,u8:0,u32:7,u64:3,u64:4096]
END
for form in '' '--endian big'; do
	# shellcheck disable=SC2086
	"$mkperf" $form -o shown.data shown.mkperf 2>err || { fail "how fields are shown $form" "$(cat err)"; continue; }
	check "how fields are shown $form" 6- -e odd:shown -s n,site,flags,mask,big shown.data <<'END'
-3 0xffffffff81000010 THE_FIRST_OF_THEM 0xfffd 5000000000
9 0xffffffff81000010 THE_FIRST_PART|SIX|0x100 0x9 9
10 0xffffffff81000010 0 0xa 10
END
	check "the flags as a number $form" 6- -e odd:shown -s n,flags/raw shown.data <<'END'
-3 6
9 290
10 0
END
	check "arguments of a system call $form" 6- -e sys_enter_odd -s fd,addr shown.data <<'END'
3 0x1000
END
	"$pdtool" events -q --format csv shown.data >got 2>err
	equal "events: the same $form" 'site 0xffffffff81000010 flags 6 mask 0xfffd n -3 big 5000000000 fd 3 addr 0x1000' \
		"$(awk -F, 'NR > 1 { line = line " " $3 " " $7 } END { print substr(line, 2) }' got)"
done

# What few samples tell, in both byte orders.
cat >details.mkperf <<'END'
event cpu-clock type=software config=0 period=1 sample_id_all ids=1 sample_type=IDENTIFIER|IP|TID|TIME|PERIOD|WEIGHT|CGROUP
comm pid=10 comm=prog time=1
cgroup cgroup=7 path=/ time=1
cgroup cgroup=99 path=/system.slice/a,b.service time=1
sample pid=10 time=1000 ip=0x1000 period=100 weight=12 cgroup=99
sample pid=10 time=1001 ip=0x1000 period=10 weight=12 cgroup=99
sample pid=10 time=1002 ip=0x1000 period=1 weight=3 cgroup=7
sample pid=10 time=1003 ip=0x1000 period=2 weight=0 cgroup=5
sample pid=10 time=1004 ip=0x1000 period=3 weight=0 cgroup=0
END
for form in '' '--endian big' '--mode pipe'; do
	"$mkperf" $form -o details.data details.mkperf 2>err || { fail "details $form" "$(cat err)"; continue; }
	check "cgroups and weights $form" 4- -s cgroup,weight details.data <<'END'
110 2 /system.slice/a,b.service 12
3 1 N/A 0
2 1 5 0
1 1 / 3
END
done

# Namespaces are a thread's, from when they are told; a new thread with a known id has none until then. Those of cgroups are
# the column of perf 6.12 `report -s cgroup_id`.
cat >spaces.mkperf <<'END'
event cpu-clock type=software config=0 period=1 sample_id_all ids=1 comm task namespaces sample_type=IDENTIFIER|IP|TID|TIME|PERIOD
comm pid=10 comm=prog time=1
namespaces pid=10 tid=10 ns=[4:0xf1,4:0xf2,4:0xf3,4:0xf4,4:0xf5,4:0xf6,4:0xf7] time=2
sample pid=10 time=1000 ip=0x1000 period=100
fork pid=10 tid=11 ppid=10 ptid=10 time=1001
sample pid=10 tid=11 time=1002 ip=0x1000 period=3
namespaces pid=10 tid=11 ns=[4:0xf1,4:0xf2,4:0xf3,4:0xf4,4:0xf5,4:0xe6,4:0xe7] time=1003
sample pid=10 tid=11 time=1004 ip=0x1000 period=20
sample pid=10 time=1005 ip=0x1000 period=10
# as old kernels have it, without that of cgroups
namespaces pid=10 tid=10 ns=[4:0xf1,4:0xf2,4:0xf3,4:0xf4,4:0xf5,4:0xd6] time=1006
sample pid=10 time=1007 ip=0x1000 period=7
fork pid=10 tid=11 ppid=10 ptid=10 time=1008
sample pid=10 tid=11 time=1009 ip=0x1000 period=1
END
for form in '' '--endian big' '--mode pipe'; do
	# shellcheck disable=SC2086 # options
	"$mkperf" $form -o spaces.data spaces.mkperf 2>err || { fail "namespaces $form" "$(cat err)"; continue; }
	check "namespaces $form" 4- -s cgroup_id,mnt_ns spaces.data <<'END'
110 2 4/0xf7 4/0xf6
20 1 4/0xe7 4/0xe6
7 1 0/0x0 4/0xd6
4 2 0/0x0 0/0x0
END
	check "each kind $form" 4- -s net_ns,uts_ns,ipc_ns,pid_ns,user_ns spaces.data <<'END'
137 4 4/0xf1 4/0xf2 4/0xf3 4/0xf4 4/0xf5
4 2 0/0x0 0/0x0 0/0x0 0/0x0 0/0x0
END
done
"$pdtool" report -s mnt_ns details.data 2>&1 >/dev/null | grep -q 'no namespaces were recorded (perf record --namespaces)'
result 'namespaces that were not recorded' $?

# Fields that are addresses, of each that perf 6.12 `script` printed.
for event in kfree kmalloc; do
	zstd -dcq "$data/recorded/tracepoints/kmem.txt.zst" | sed -n "s/.* kmem:$event: .* ptr=\([^ ]*\).*/\1/p" | sed 's/(nil)/0x0/' |
		sort | uniq -c | awk '{ print $1, $2 }' | sort >want
	"$pdtool" report -q --no-children --format csv -e kmem:$event -F sample,kmem:$event.ptr "$data/recorded/tracepoints/kmem.data.zst" |
		records | tr '\t' ' ' | sort >got
	same "kmem:$event by address: $(wc -l <want) rows" want got
done

# ---- what is invalid ----

# refused NAME TEXT ARGUMENT...
refused() {
	text=$1 part=$2
	shift 2
	"$pdtool" report "$@" >out 2>err </dev/null
	status=$?
	if [ $status = 2 ] && [ ! -s out ] && [ "$(grep -c '' err)" = 1 ] && grep -qF -- "$part" err; then
		ok "refused: $text"
	else
		fail "refused: $text" "status $status, $(head -n 1 err)"
	fi
}
for key in pid tid cpu dso time event; do
	refused "folded text by $key" "has no $key" -s $key some.folded
done
refused 'folded text in groups of dso' 'has no dso' --group dso some.folded
for key in srcline srcfile; do
	refused "folded text by $key" "has no $key" -s $key some.folded
done
check 'no source lines' 3- $k -e cycles -s srcline known.data <<END
$(table $k -e cycles -s event known.data | cut -f 3-5 | tr '\t' ' ') ??:0
END
refused 'an unknown key' '--sort colour: expected event, comm' -s colour known.data
refused 'a limit' '--percent-limit' --percent-limit much known.data
refused 'a limit above 100' '--percent-limit' --percent-limit 101 known.data
refused 'a limit that is no number' '--percent-limit' --percent-limit nan known.data
for quantum in 0ms 5x ms -1s 10w 99999999999s; do
	refused "a step of $quantum" '--time-quantum' --time-quantum=$quantum known.data
done
refused 'a percentage' 'absolute or relative' --percentage some known.data
refused 'a weight' 'period, samples, branch, or a number' --weight bytes known.data
refused 'both orders' '--no-children' --children --no-children known.data
refused 'callers and callees' 'exclude each other' --callers a --callees b known.data
refused 'a key that is near another' 'did you mean cgroup?' -s cgrup known.data
"$mkperf" -o shown.data shown.mkperf && head -c $(($(wc -c <shown.data) * 2 / 3)) shown.data >formatless.data
"$pdtool" events -q --format csv formatless.data 2>err | grep -q '^tp:12,3,,' || fail 'fields that were cut off' 'the capture has them'
refused 'fields that were cut off' 'formatless.data does not tell the fields of tp:12: the formats' -s site formatless.data
refused 'a field that no event has' 'no event of known.data has' -s prev_state known.data
refused 'no name of a field' 'or a field of a tracepoint' -s a-b known.data
refused 'an unknown column' '--fields over-head: expected overhead_children' -F over-head known.data
refused 'a call graph' '--call-graph graph,blue: expected graph' --call-graph=graph,blue known.data
refused 'a call graph of callers' 'not with --callers' --callers walk -g known.data
refused 'levels and columns' 'exclude each other' --hierarchy -F comm known.data
refused 'a regular expression' '--parent (: expected a regular expression' -p '(' known.data
refused 'others without a parent' 'needs --parent' -x known.data
refused 'a text without functions' 'rows have no sym' --symbol-filter a -s comm known.data
refused 'a dot between columns' "other than '.'" -t . known.data
refused 'captures and text' 'cannot be combined' known.data some.folded
refused 'text and captures' 'cannot be combined' some.folded known.data
printf 'a;b 1 2\na;c 3 4\n' >two.folded
refused 'two columns' 'two columns' two.folded

# ---- hostile captures, under the sanitizers: an answer or one line, and all keys at once ----

for file in "$data"/broken/* "$data"/recorded/foreign/*.perf.data "$data"/recorded/foreign/1*.zst known.data huge.data; do
	for options in '' '-s comm,pid,tid,cpu,time,event,dso,sym --group sym --time-quantum 1ns' '--callers [unknown]' \
		'--callees [[kernel.kallsyms]] --group dso --no-idle' '-g caller,0 -p . --hierarchy -s comm,cpu,sym' \
		'-g fractal,0,callee,srcline -U --ignore-callees e' '-s trace_fields,cgroup,weight -g folded,0' '--tasks' '--stats'; do
		"$san" report $options "$file" >out 2>err
		status=$?
		[ $status -le 2 ] || { echo "$(basename "$file") $options: status $status"; sed -n 1,3p err; }
		grep -l '[[:cntrl:]]' out err
	done
done | none 'hostile captures'

# ---- perf report ----

name='perf report'
command -v perf >/dev/null || { skip "$name" 'perf is not installed'; exit; }
case $(perf --version 2>/dev/null) in
*' 6.1' | *' 6.1.'*) ;;
*) skip "$name" "$(perf --version) is not perf 6.1"; exit ;;
esac

# agree FILE KEYS OPTION...: percent and samples of each row, by keys that need no symbols.
agree() {
	file=$1 keys=$2
	shift 2
	perf report -f --stdio -q --no-children -g none -t '|' --sort "$keys" -F "overhead,sample,$keys" -i "$file" "$@" 2>/dev/null |
		awk -F '|' 'NF > 2 { line = ""; for (i = 1; i <= NF; i++) { gsub(/^ +| +$/, "", $i); sub(/%$/, "", $i); line = line (i > 1 ? "\t" : "") $i }; print line }' |
		sort >want
	table --no-children -s "$keys" "$@" "$file" | cut -f 2,5- | sort >got
	same "$name: $(basename "$file") $keys $*" want got
}
"$mkperf" -o basic.data "$data/synthetic/basic.mkperf"
agree basic.data comm
agree basic.data comm --cpu 1
for name in diff_pair/base1 modes/clock binaries/plugins; do
	file=$(capture $name)
	case $file in *.zst) zstd -qdc "$file" >"$(basename "$name").data"; file=$(basename "$name").data ;; esac
	name='perf report'
	agree "$file" comm,dso
	agree "$file" dso
	agree "$file" comm --time 10%-40%
	# children: no symbols are needed for the modules that callers lie in
	perf report -f --stdio -q --children -g none -t '|' --sort dso -F overhead_children,overhead,sample,dso -i "$file" 2>/dev/null |
		awk -F '|' 'NF > 2 { for (i = 1; i <= NF; i++) { gsub(/^ +| +$/, "", $i); sub(/%$/, "", $i) }; print $1 "\t" $2 "\t" $3 "\t" $4 }' | sort >want
	table --children -s dso "$file" | cut -f 1,2,5- | sort >got
	same "$name: $(basename "$file") dso, children" want got
done

# trees FILE OPTION...: every line of every call tree, with perf's percentages or counts.
trees() {
	file=$1
	shift
	perf --buildid-dir "$data/buildid" report -f --stdio -q -s comm,sym --kallsyms "$recorded/kallsyms" -i "$file" "$@" 2>/dev/null |
		sed 's/ (inlined)$//' | perl "$top/tests/oracle/report_tree.pl" | sort >want
	"$host_pdtool" report -q --no-inline -s comm,sym --buildid-dir "$data/buildid" --kallsyms "$recorded/kallsyms" "$@" "$file" 2>err | sed '1,/^ *Children/d' |
		perl "$top/tests/oracle/report_tree.pl" | sort >got
	[ "$(wc -l <want)" -ge 3 ] || echo 'hardly a tree' >>want
	same "$name: trees of $(basename "$file") $*" want got
}
for options in '-g graph' '-g fractal' '-g graph,2' '-g fractal,5' '--no-children -g graph' '--no-children -g fractal,1' \
	'--no-children -g graph,0 -G' '-g callee,0.1' '-g graph,0,count' '--no-children -g caller,count' \
	'--no-children -g graph,0,count' '-g fractal,0,callee --no-children --max-stack 2' \
	'-g graph,0 --ignore-callees=request --no-children' '-g graph,0,callee --ignore-callees=request' '-g graph,0 -U'; do
	# shellcheck disable=SC2086
	trees base1.data $options
done
# fields FILE KEYS: as agree, of all events
for keys in prev_state,next_prio prev_prio comm,prev_state/raw; do
	zstd -qdcf "$recorded/sched/nospin.data.zst" >nospin.data
	perf report -f --stdio -q --no-children -g none -t '|' -n -s "$keys" -i nospin.data 2>/dev/null |
		sed 's/^[^|]*| *//; s/ *| */ /g; s/ *$//' | grep . | sort >want
	"$pdtool" report -q --format csv -F "sample,$keys" nospin.data | records | cut -f 1,3- | sed 's/\t/ /g; s/ *$//' | sort >got
	same "$name: fields $keys" want got
done
zstd -qdcf "$(capture multi_event/multi)" >multi.data
for options in '--switch-on page-faults --switch-off context-switches' '--switch-on sched:sched_switch'; do
	# shellcheck disable=SC2086
	perf report -f --stdio -q --no-children -g none -s comm -n $options -i multi.data 2>/dev/null |
		awk 'NF { sub(/%/, "", $1); print $1, $2 }' >want
	# shellcheck disable=SC2086
	table --no-children -s comm $options multi.data | awk -F '\t' '{ print $2, $5 }' >got
	same "$name: $options" want got
done
perf report -f --stdio -q --stats -i multi.data 2>/dev/null | awk '/ events:/ && $1 != "TOTAL" { print $3, $1 }' | sort >want
"$pdtool" report -q --stats --format csv multi.data | sed 1d | awk -F , '{ print $1, $3 }' | sort >got
same "$name: --stats" want got
perf report -f --stdio -q --tasks -i multi.data 2>/dev/null | awk -F '[|]' '$1 !~ /^#/ && NF > 1 { split($1, n, " "); sub(/^ */, "", $2); print n[1], n[2], n[3], $2 }' |
	grep -v '^0 0 ' | sed 's/ -1 / - /' | sort >want
"$pdtool" report -q --tasks --format csv multi.data | sed 1d | awk -F , '{ print $1, $2, $3 == "" ? "-" : $3, $5 }' | sort >got
same "$name: --tasks" want got

# A sample that reads its group (perf record -e '{a,b,c}:S') is one of each event whose counter went on. perf report 6.12 of this
# capture: "Samples: 83", "Event count (approx.): 26723462"; columns of 40, 40 and 3 samples.
group=$data/recorded/script/groupS.data.zst
for options in '' '--time 0%-100%' '-j 2'; do
	# shellcheck disable=SC2086 # options
	table $options -s event "$group" | awk -F '\t' '{ n += $5; w += $4; print $6, $5, $2 } END { print n, w }' >got
	printf '%s\n' 'cpu-clock 40 100.00' 'task-clock 40 100.00' 'page-faults 3 100.00' '83 26723462' >want
	same "a group that is read $options" want got
done
equal 'a group that is read: all shares are of their event' 0 "$(table --time 0%-50% -s event,sym "$group" | awk -F '\t' '$2 > 100' | wc -l)"
equal 'a group that is read: info' 'cpu-clock 40 task-clock 40 page-faults 3' \
	"$("$pdtool" info "$group" | sed -n 's/^event  *\([a-z-]*\): \([0-9]*\) samples.*/\1 \2/p' | paste -sd ' ')"
