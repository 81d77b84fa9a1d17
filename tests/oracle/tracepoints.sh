#!/bin/sh
# The worked examples of pdtool-tracepoints(7): each command of the page, on captures that were recorded by the page's own
# commands, against what perf script printed of them (perf 6.12), counted here.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

for name in lock kmem uprobe; do
	zstd -dcq "$data/recorded/tracepoints/$name.data.zst" >$name.data
	zstd -dcq "$data/recorded/tracepoints/$name.txt.zst" >$name.txt
done
# N: the N-th command of the page that is pdtool's
awk '/^\.EX/ { ex = 1; next } /^\.EE/ { ex = 0 } ex && /^pdtool/' "$top/cli/man/pdtool-tracepoints.7" | sed 's/\\-/-/g' >commands
equal 'commands of the page' 10 "$(wc -l <commands)"
n=0
while read -r command; do
	n=$((n + 1))
	eval "$(echo "$command" | sed "s,^pdtool,\"\$pdtool\",")" >shown.$n 2>err || fail "$command" "$(head -n 1 err)"
	eval "$(echo "$command" | sed "s,^pdtool,\"\$pdtool\"," | sed 's/--format text/--format csv/; /-F time/!s/report/report --format csv/')" >got.$n 2>err
	case $command in *locks.svg*) [ -s locks.svg ] ;; *bytes.svg*) [ -s bytes.svg ] ;; *) [ -s shown.$n ] ;; esac
	result "$command" $?
done <commands

# octaves: how many of the numbers are from each power of two to the next, as the rows of a histogram
octaves() { awk '{ low = 1; if ($1 == 0) low = 0; else while (low * 2 <= $1) low *= 2; n[low]++ } END { for (l in n) printf "%.0f,%.0f,%d\n", l, l ? 2 * l : 1, n[l] }' | sort -n; }
rows() { awk -F, 'NR > 1 && $3 { print $1 "," $2 "," $3 }' "$1" | sort -n; }

# perf script's times have microseconds, --ns nanoseconds
awk '/contention_begin:/ { begun[$2, $5] = $3 * 1e9 } /contention_end:/ && ($2, $5) in begun { printf "%.0f\n", $3 * 1e9 - begun[$2, $5]; delete begun[$2, $5] }' \
	lock.txt | octaves >want
rows got.1 >got
same 'how long for locks' want got
awk '/contention_begin:/ { n[$5]++ } END { for (l in n) print n[l] }' lock.txt | sort -n >want
"$pdtool" report -q --format csv -e lock:contention_begin -s lock_addr --limit 0 lock.data | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "samples") at = i; next } { print $at }' | sort -n >got
same 'which locks' want got
grep -q '</svg>' locks.svg
result 'where' $?

sed -n 's/.*kmem:kmalloc: .*bytes_alloc=\([0-9]*\).*/\1/p' kmem.txt | octaves >want
rows got.4 >got
same 'how large' want got
equal 'of 4 KiB or more' "$(sed -n 's/.*kmem:kmalloc: .*bytes_alloc=\([0-9]*\).*/\1/p' kmem.txt | awk '$1 >= 4096' | wc -l)" \
	"$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { n += $at["self_periods"] } END { print n }' got.5)"
awk '{ at = $3 * 1e9 } /kmem:kmalloc:/ { match($0, /ptr=[^ ]*/); p = substr($0, RSTART, RLENGTH); born[p] = at }
	/kmem:kfree:/ { match($0, /ptr=[^ ]*/); p = substr($0, RSTART, RLENGTH); if (p in born) { printf "%.0f\n", at - born[p]; delete born[p] } }' kmem.txt | octaves >want
rows got.6 >got
same 'how long they live' want got


# bytes as weights, by who allocated and where
sed -n 's/^ *\([^ ]*\) .*kmem:kmalloc: .*bytes_alloc=\([0-9]*\) .*/\1 \2/p' kmem.txt | awk '{ sum[$1] += $2 } END { for (c in sum) print c, sum[c] }' | sort >want
"$pdtool" report -q --format csv --weight bytes_alloc -s comm kmem.data 2>err | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["comm"], $at["self_weight"] }' | sort >got
same 'bytes by command' want got
"$pdtool" collapse -q --weight 'kmem:*.bytes_alloc' kmem.data 2>err | grep -v '^#' | awk '{ w = $NF; sub(/;.*/, ""); sum[$1] += w } END { for (c in sum) print c, sum[c] }' | sort >got
same 'bytes of their stacks' want got
awk '/kmem:kmalloc:/ { match($0, /call_site=[^ ]*/); s = substr($0, RSTART, RLENGTH); match($0, /bytes_alloc=[0-9]*/); sum[s] += substr($0, RSTART + 12, RLENGTH - 12) } END { for (s in sum) print sum[s] }' kmem.txt | sort -n >want
"$pdtool" report -q --format csv --weight bytes_alloc -s call_site kmem.data 2>err | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["self_weight"] }' | sort -n >got
same 'bytes by place' want got
sum=$(awk '{ n += $1 } END { print n }' want)
equal 'the drawing says the unit' 1 "$(tr -d , <bytes.svg | grep -c "weight: $sum bytes_alloc")"
"$pdtool" report --weight bytes_alloc kmem.data 2>err >got
equal 'those without are counted' "left out $(grep -vc 'kmem:kmalloc:' kmem.txt) samples have no such number as bytes_alloc" "$(grep '^left out' got | tr -d , | tr -s ' ')"
"$pdtool" collapse --weight bytes_allocated kmem.data >got 2>err
equal 'a field that none has' '2 0 1' "$? $(grep -c . got) $(grep -c 'or a number that an event of kmem.data has as a field' err)"
sed -n 's/.*query: .*text="\(.*\)" rows.*/\1/p' uprobe.txt | sort | uniq -c | awk '{ n = $1; sub(/^ *[0-9]+ /, ""); print $0, n }' | sort >want
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["text"], $at["samples"] }' got.8 | sort >got
same 'which queries' want got
awk '/query:query:/ { t = $3 * 1e9 } /return__return:/ { printf "%.0f\n", $3 * 1e9 - t }' uprobe.txt | octaves >want
rows got.9 >got
same 'how long for an answer' want got
equal 'those of more rows' "$(sed -n 's/.*rows=\([0-9]*\).*/\1/p' uprobe.txt | awk '$1 > 40' | wc -l)" "$(grep -c 'rows=61\|rows=41' shown.10)"
