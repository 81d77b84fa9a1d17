#!/bin/sh
# `pdtool diff` against what awk makes of the same folded text, and over three runs of each of two programs of which one
# does twice the work in one function (testdata/README.md, diff_pair).
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# column FILE NAME COLUMN: of a table in CSV whose names hold no commas.
column() { awk -F , -v name="$2" -v col="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 == name { print $at[col] }' "$1"; }

# ---- the folded form: difffolded.pl's two columns ----

# Rows as difffolded.pl makes them, without its cutting to integers: FILE FILE NORMALIZE STRIP.
two_columns() {
	awk -v normalize="$3" -v strip="$4" '
		match($0, /[ \t][0-9]+(\.[0-9]*)?$/) {
			stack = substr($0, 1, RSTART - 1); n = substr($0, RSTART + 1)
			if (strip) gsub(/0x[0-9a-fA-F]+/, "0x...", stack)
			side = FILENAME == ARGV[1] ? 1 : 2
			sum[side, stack] += n; total[side] += n; all[stack]
		}
		END {
			f = normalize && total[1] > 0 && total[2] > 0 ? total[2] / total[1] : 1
			for (s in all) printf "%s %.17g %.17g\n", s, sum[1, s] * f, sum[2, s]
		}' "$1" "$2" | sort
}

# Equal stacks, numbers to 1e-9 of their size.
close_rows() {
	if [ ! -s "$2" ] || [ "$(wc -l <"$2")" != "$(wc -l <"$3")" ]; then
		fail "$1" "$(wc -l <"$2") rows wanted, $(wc -l <"$3") got"
		return
	fi
	paste -d '\n' "$2" "$3" | awk '
		NR % 2 { want = $0; next }
		{
			n = split(want, w, " "); m = split($0, g, " ")
			if (n != m) { print "< " want; print "> " $0; next }
			for (i = 1; i <= n; i++) {
				d = w[i] - g[i]; if (d < 0) d = -d
				if (i > n - 2 ? d > 1e-9 * (w[i] > 1 ? w[i] : 1) : w[i] != g[i]) { print "< " want; print "> " $0; next }
			}
		}' >difference
	[ -s difference ] && { fail "$1" 'rows differ'; show difference; } || ok "$1"
}

cat >a.folded <<'END'
main;a;b 10
main;a;c 5
main;gone;x 40
main;operator new(unsigned long) 3
main;same 100
main;[lib.so <0x7f10>] 2
main;[lib.so <0x7f20>] 2.5
main;f.isra.0 4
END
cat >b.folded <<'END'
main;a;b 20
main;a;c 8
main;came;y 30
main;operator new(unsigned long) 3
main;same 101
main;[lib.so <0x9910>] 7
main;f.constprop.1 6
END
for options in '' -n -s '-n -s'; do
	case $options in *n*) n=1 ;; *) n= ;; esac
	case $options in *s*) s=1 ;; *) s= ;; esac
	two_columns a.folded b.folded "$n" "$s" >wanted
	"$pdtool" diff -q --format folded $options a.folded b.folded 2>err | sort >got
	close_rows "folded ${options:-without options}" wanted got
done
: >empty.folded
two_columns empty.folded b.folded '' '' >wanted
"$pdtool" diff --allow-empty --format folded -n empty.folded b.folded 2>err | sort >got
same 'an empty side before' wanted got
two_columns b.folded empty.folded '' '' >wanted
"$pdtool" diff --allow-empty --format folded -n b.folded empty.folded 2>err | sort >got
same 'an empty side after' wanted got
"$pdtool" diff --allow-empty --format csv empty.folded empty.folded >got 2>err
equal 'two empty sides' 0 "$?"
"$pdtool" diff --format folded a.folded - <b.folded >got 2>err
"$pdtool" diff --format folded a.folded b.folded >wanted 2>err
same 'one side from standard input' wanted got

# ---- tables ----

"$pdtool" diff --format csv --by symbol a.folded b.folded >table 2>err
equal 'the columns' name,self_before,self_after,total_before,total_after,delta "$(head -n 1 table | cut -d , -f 1-6)"
equal 'the parent of what changed has its change' '15.000 28.000 13.000' \
	"$(column table a total_before) $(column table a total_after) $(column table a delta)"
equal 'a frame that vanished' '40.000 0.000 -40.000' \
	"$(column table gone total_before) $(column table gone total_after) $(column table gone delta)"
equal 'text that does not state its samples: no ratio, no z, nothing certain' ',,,,,' \
	"$(cut -d , -f 9-14 table | sed 1d | sort -u)"
equal 'text that does not state its samples says so' 1 "$("$pdtool" diff a.folded b.folded 2>err | grep -c '^noise *not known')"
"$pdtool" diff --format csv --fail-over 5% a.folded b.folded >out 2>err
equal 'no gate on what is not known' '5 1' "$? $(grep -c 'cannot compare: a.folded does not state how many samples' err)"
# As pdtool collapse writes it: the outermost frame is the command, and five times as many samples.
for side in a b; do
	{
		echo '# pdtool sample=1 unit=samples event=cycles 0'
		awk '{ n = $NF; sub(/ [0-9.]+$/, ""); print "work;" $0, 5 * n }' $side.folded
	} >$side.told
done
"$pdtool" diff --format csv --match exact --by symbol a.told b.told >told 2>err
equal 'text that tells: a frame that vanished' '200.000 0.000 -200.000 pair' \
	"$(column told gone total_before) $(column told gone total_after) $(column told gone delta) $(column told gone certainty)"
equal 'text that tells: noise is no finding' no "$(column told same certainty)"
awk -F , -v OFS=, 'NR > 1 { for (i = 2; i <= NF; i++) if (i != 7) $i = $i == "" ? "" : sprintf("%.3f", $i / 5) } 1' told >fifth
mv fifth told
cut -d , -f 1-8 table | sort >wanted
cut -d , -f 1-8 told | sort >got
same 'the amounts are the same' wanted got
"$pdtool" diff --format csv --by stack a.folded b.folded >table 2>err
equal 'a row for each stack' "$(two_columns a.folded b.folded '' '' | wc -l)" "$(($(wc -l <table) - 1))"
equal 'the self weight of a stack' '10.000 20.000' \
	"$(column table 'main;a;b' self_before) $(column table 'main;a;b' self_after)"
"$pdtool" diff --format csv --by comm a.folded b.folded >table 2>err
equal 'by command: the first frame, and all of it' "2 $(two_columns a.folded b.folded '' '' | awk '{ b += $(NF - 1); a += $NF } END { printf "%.3f %.3f", b, a }')" \
	"$(wc -l <table) $(column table main total_before) $(column table main total_after)"
"$pdtool" diff --format csv --match normalized a.folded b.folded >table 2>err
equal 'one function of two builds' '4.000 6.000' "$(column table f self_before) $(column table f self_after)"
equal 'names as they are' '4.000' "$("$pdtool" diff --format csv a.folded b.folded 2>err | awk -F , '$1 == "f.isra.0" { print $2 }')"
# recursion: r is in the stack twice, its weight counts once
printf 'm;r;r;r 10\nm;r 5\n' >r1.folded
printf 'm;r;r;r 30\nm;r 5\n' >r2.folded
"$pdtool" diff --format csv r1.folded r2.folded >table 2>err
equal 'recursion counts once' '15 35 20' "$(column table r total_before) $(column table r total_after) $(column table r delta)"

# ---- three runs of each of two builds ----

pair=$data/recorded/x86_64/diff_pair
before="$pair/base1.data.zst $pair/base2.data.zst $pair/base3.data.zst"
after="$pair/slow1.data.zst $pair/slow2.data.zst $pair/slow3.data.zst"
runs="--buildid-dir=$data/buildid --kallsyms=$data/recorded/x86_64/kallsyms"
# libc has no names here: it is one frame, of which main's caller is a part
certain() { awk -F , -v want="$1" '$(NF - 1) == want { print $1 }' table | sort | tr '\n' ' '; }
# shellcheck disable=SC2086
"$pdtool" diff -q --format csv $runs --before $before --after $after >table 2>err
cp table runs
equal 'three runs a side: the function and its callers' '[libc.so.6] main request scan ' "$(certain sure)"
equal 'what of them is a caller of what changed' 'scan scan scan ' "$(awk -F , '$1 == "main" || $1 == "request" || $1 == "[libc.so.6]" { printf "%s ", $NF }' table)"
equal 'it does twice the work' 1 "$(awk -F , '$1 == "scan" { print ($5 / $4 > 1.9 && $5 / $4 < 2.2) }' table)"
for n in 1 2 3; do
	# shellcheck disable=SC2086
	"$pdtool" diff -q --format csv $runs "$pair/base$n.data.zst" "$pair/slow$n.data.zst" >table 2>err
	case " $(certain pair)" in
	*' scan '*) ok "one run a side finds it, too ($n)" ;;
	*) fail "one run a side finds it, too ($n)" "found $(certain pair)" ;;
	esac
	equal "one run a side is never sure ($n)" '' "$(certain sure)"
	# shellcheck disable=SC2086
	"$pdtool" diff -q --format csv $runs "$pair/base$n.data.zst" "$pair/base$((n % 3 + 1)).data.zst" >table 2>err
	equal "two runs of one build do not differ ($n)" '' "$(certain pair)$(certain sure)"
done
equal 'those tables were not empty' 1 "$(awk 'END { print (NR > 8) }' table)"
# shellcheck disable=SC2086
"$pdtool" diff -q -j1 --format csv --by stack $runs --before $before --after $after >one
# shellcheck disable=SC2086
"$pdtool" diff -q -j8 --format csv --by stack $runs --after $after --before $before >two
cut -d , -f 1-3,9- one >wanted
cut -d , -f 1-3,9- two >got
same '-j1 is -j8, and the order of the sides is free' wanted got

# ---- a gate ----

# gate NAME STATUS LIMIT FILE FILE
gate() {
	"$pdtool" diff --fail-over "$3" $runs "$4" "$5" >out 2>err
	equal "$1" "$2" $?
}
gate 'a regression above the limit' 4 5% "$pair/base1.data.zst" "$pair/slow1.data.zst"
grep -q '^pdtool: scan: [0-9.]*% more' err && ok 'it is listed' || fail 'it is listed' "$(head -n 1 err)"
grep -q '^pdtool: checksum' err && fail 'noise is not listed' "$(grep checksum err)" || ok 'noise is not listed'
gate 'below the limit' 0 500% "$pair/base1.data.zst" "$pair/slow1.data.zst"
gate 'an improvement is no regression' 0 5% "$pair/slow1.data.zst" "$pair/base1.data.zst"
gate 'noise is no regression' 0 0% "$pair/base1.data.zst" "$pair/base2.data.zst"

# ---- one function under two names ----

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
END

# renamed NAME ROW SED...: what SED makes of the base is the same program; ROW is in the table, and nothing is on one side.
renamed() {
	name=$1 row=$2
	shift 2
	sed "$@" base.told >other.told
	for order in 'base.told other.told' 'other.told base.told'; do
		# shellcheck disable=SC2086
		"$pdtool" diff -q --fail-over 0% --format csv $order >table 2>err
		equal "$name: no gate fails" 0 $?
		equal "$name: nothing came or went" 0 "$(awk -F , 'NR > 1 && ($4 == 0 || $5 == 0)' table | wc -l)"
		equal "$name: nothing changed" 0 "$(awk -F , 'NR > 1 && $(NF - 1) != "no"' table | wc -l)"
	done
	"$pdtool" diff -q --format csv base.told other.told >table 2>err
	equal "$name: one row" 1 "$(cut -d , -f 1 table | grep -c -x -F "$row")"
	"$pdtool" diff -q --match exact --format csv base.told other.told >table 2>err
	result "$name: --match exact keeps them apart" "$(awk -F , 'NR > 1 && ($4 == 0 || $5 == 0) { n++ } END { print !n }' table)"
}
renamed 'another clone' flush 's/flush.isra.0/flush.constprop.1/'
renamed 'the cold part' flush 's/flush.isra.0/flush.cold/'
renamed 'another version of a symbol' memcpy 's/GLIBC_2.14/GLIBC_2.2.5/'
renamed "another hash of Rust's" core::fmt::write 's/h0123456789abcdef/hfedcba9876543210/'
renamed 'other template arguments' 'hash_find<long> (was hash_find<int>)' 's/hash_find<int>/hash_find<long>/'
renamed 'another name' 'tokenize (was lex)' 's/lex/tokenize/'
renamed 'another name of a leaf' 'put_block (was write_out)' 's/write_out/put_block/'
renamed 'inlined' 'emit (with small_helper inlined)' 's/;small_helper 500/ 500/'
renamed 'inlined, with a callee' 'parse (with lex inlined)' 's/;lex\([; ]\)/\1/'
sed 's/write_out 650/write_all 1200/' base.told >other.told
"$pdtool" diff -q --format csv base.told other.told >table 2>err
equal 'renamed and slower: found' pair "$(column table 'write_all (was write_out)' certainty)"
printf '%s\n' 'work;main;emit;one 400' 'work;main;emit;two 400' | cat base.told - >before.told
printf '%s\n' 'work;main;emit;six 400' 'work;main;emit;ten 400' | cat base.told - >after.told
"$pdtool" diff -q before.told after.told >table 2>err
equal 'two that are as good: neither is taken, and it is said' '0 1' "$(grep -c '(was ' table) $(grep -c '^maybe renamed  *\(one\|two\) to \(six\|ten\)' table)"

# ---- where nothing can be told ----

# capture NAME COMM EVENT COUNT [COMMAND [LINE]]: COUNT samples in modules of a program.
capture() {
	cat >"$1.mkperf" <<-END
	cmdline /usr/bin/perf record ${5:--F 99 work}
	event ${3#* } sample_type=IP|TID|TIME|PERIOD sample_id_all name=${3%% *}
	comm pid=7 tid=7 comm=$2 time=1
	mmap2 pid=7 tid=7 addr=0x10000 len=0x1000 file=/bin/$2-one time=2
	mmap2 pid=7 tid=7 addr=0x11000 len=0x1000 file=/bin/$2-two time=2
	repeat $4 {
	sample pid=7 tid=7 ip=0x10000+(\$i%3)*0x800 time=1000+1000000*\$i period=1000
	}
	${6:-}
	END
	sed -i 's/^event \(.*\) name=\(.*\)/event \2 \1/' "$1.mkperf"
	"$mkperf" -o "$1.data" "$1.mkperf" 2>err || fail "mkperf $1" "$(cat err)"
}
cycles='cycles type=hardware config=0 period=1000'
clock='cpu-clock type=software config=0 freq period'
capture sound work "$cycles" 500
capture again work "$cycles" 600
capture none work "$cycles" 0
capture few work "$cycles" 60
capture lossy work "$cycles" 500 '-F 99 work' 'lost lost=100 time=900000000'
capture instructions work 'instructions type=hardware config=1 period=1000' 500
capture other play "$cycles" 500
capture slow work "$clock=99" 500
capture fast work "$clock=999" 500

# is_void NAME REASON A B [OPTION...]: status 5, and the reason on standard error; --force compares.
is_void() {
	name=$1 reason=$2
	shift 2
	"$pdtool" diff --fail-over 5% "$@" >out 2>err
	equal "cannot be compared: $name" '5 1' "$? $(grep -c "^pdtool: cannot compare: .*$reason" err)"
}
"$pdtool" diff -q --fail-over 500% sound.data again.data >out 2>err
equal 'what can be compared is' 0 $?
is_void 'no samples after' 'none.data has no samples' sound.data none.data
is_void 'no samples before' 'none.data has no samples' none.data sound.data
is_void 'an empty file' 'empty.folded has no samples' base.told empty.folded
is_void 'few samples' 'few.data has 60 samples' sound.data few.data
is_void 'many lost' 'lossy.data lost 16.67% of its samples' sound.data lossy.data
is_void 'another event' 'events differ: cycles, instructions' sound.data instructions.data
is_void 'another program' 'different programs' sound.data other.data
is_void 'another rate' 'sampling rates are far apart: 99, 999' slow.data fast.data
for two in 'sound.data few.data' 'sound.data lossy.data' 'sound.data instructions.data' 'sound.data other.data' 'slow.data fast.data'; do
	# shellcheck disable=SC2086
	"$pdtool" diff -q --force --fail-over 500% $two >out 2>err
	equal "--force: $two" 0 $?
done
"$pdtool" diff -q --max-lost 20 --fail-over 500% sound.data lossy.data >out 2>err
equal '--max-lost' 0 $?
"$pdtool" diff -q sound.data few.data >out 2>err
equal 'without a gate there is a table, and it says so' '0 1' "$? $(grep -c '^verdict  *nothing is certain: few.data has 60 samples' out)"

# ---- whole systems are compared by time ----

capture wide1 work "$cycles" 500 '-a -g -F 99'
capture wide2 work "$cycles" 1000 '-ag -F 99 -- sleep 8'
capture wide3 work "$cycles" 1000 '-F 99 -- grep -a work'
"$pdtool" diff -q wide1.data wide2.data >out 2>err
equal '-a in both command lines' 1 "$(grep -c '^normalize  *duration (the captures are of whole systems); the total changed: none +100.00%, duration -0' out)"
"$pdtool" diff -q --header --format csv --time +0.1005,+0.2005:+0.1005,+0.4005 wide2.data wide2.data >out 2>err
equal '--time: by how long each part is' '# normalize: duration (the captures are of whole systems); the total changed: none +200.00 %, duration -0.00 %' "$(grep '^# normalize' out | sed 's/+0.00/-0.00/g')"
"$pdtool" diff -q wide1.data wide3.data >out 2>err
equal '-a of the program is not the recorder'"'"'s' 1 "$(grep -c '^normalize  *none' out)"

# ---- a capture and its folded text ----

for n in 1 2 3; do
	for side in base slow; do
		# shellcheck disable=SC2086
		"$pdtool" collapse -q $runs "$pair/$side$n.data.zst" >$side$n.told 2>err
	done
done
# shellcheck disable=SC2086
"$pdtool" diff -q --format csv $runs --before $before --after $after >of_captures 2>err
"$pdtool" diff -q --format csv --before base?.told --after slow?.told >of_text 2>err
# amounts are decimals in one and integers in the other
awk -F , -v OFS=, '{ print $1, $9, $10, $11, $12, $13, $14 }' of_captures | sort >wanted
awk -F , -v OFS=, '{ print $1, $9, $10, $11, $12, $13, $14 }' of_text | sort >got
same 'folded text says what its captures say' wanted got

# ---- what cannot be compared ----

usage() {
	name=$1
	shift
	"$pdtool" diff "$@" >out 2>err
	equal "$name" '2 1' "$? $(wc -l <err)"
}
usage 'one file' a.folded
usage 'three files' a.folded b.folded a.folded
usage 'no side after' --before a.folded b.folded
usage 'modules of folded text' --by dso a.folded b.folded
usage 'an unknown normalization' --normalize time a.folded b.folded
usage 'folded text has no duration' --normalize duration a.folded b.folded
usage 'a limit that is no number' --fail-over much a.folded b.folded
for event in cycles instructions; do
	cat >$event.mkperf <<-END
	event $event type=hardware config=${config:-0} period=100 sample_type=IP|TID|TIME|PERIOD
	comm pid=7 comm=work
	sample pid=7 ip=0x1000 period=100
	END
	"$mkperf" -o $event.data $event.mkperf 2>err || fail "mkperf $event" "$(cat err)"
	config=1
done
if [ -s cycles.data ]; then
	"$pdtool" diff cycles.data instructions.data >out 2>err
	equal 'different events' '5 1 0' "$? $(wc -l <err) $(wc -c <out)"
	"$pdtool" diff -q --force --format csv cycles.data instructions.data >out 2>err
	equal 'unless forced' 0 $?
fi
