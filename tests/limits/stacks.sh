#!/bin/sh
# Stacks that share nothing, or almost all: what a command keeps of them follows what it shows.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# run KIB COMMAND...: pdtool in so much memory, its libraries included; its output is in got.
run() {
	memory=$1 && shift
	( ulimit -v "$memory"; "$pdtool" "$@" >got 2>err )
}

# Stack i is i frames deep: below a root of its own; one more than the stack before it; its callers new, its leaf the same.
awk 'BEGIN { for (i = 0; i < 1500; i++) { s = s ";f" i; print "r" i s, 1 } }' >apart.folded
awk 'BEGIN { for (i = 0; i < 1500; i++) { s = s (i ? ";" : "") "f" i; print s, 1 } }' >shared.folded
awk 'BEGIN { for (i = 0; i < 1500; i++) { s = "f" i (i ? ";" s : ""); print s, 1 } }' >leaf.folded
# One stack of four million frames.
awk 'BEGIN { s = "a"; for (i = 0; i < 22; i++) s = s ";" s; print s, 1 }' >line.folded

for shape in apart shared leaf line; do
	rm -f got.svg
	run 110000 flamegraph -o got.svg $shape.folded
	result "flamegraph of stacks that are $shape" $? "$(cat err)"
	frames=$(sed -n '/^axes:/,$p' got.svg | grep -o '^axes:.*lanes:\[\[[^]]*' | sed 's/.*\[//' | tr , '\n' | grep -c .)
	case $shape in shared) wanted=1501 ;; *) wanted=250000 ;; esac
	equal "$shape: as many frames as there is room for" $wanted $((frames / 5))
done

# Call trees of rows: what rows have in common is looked at once, however many have it. Work and memory are bounded: ten
# times what is needed, a tenth of what a tree for each row takes.
( ulimit -t 10; run 130000 report -g caller,40 leaf.folded )
result 'the call trees of 900 rows, of 1,500 stacks each' $? "$(cat err)"
equal 'each has its lines' $((900 * 901 / 2)) "$(awk '/^ *(---)?f[0-9]+$/ { n++ } END { print n + 0 }' got)"
# Each of 20,000 frames calls all that are below it: 200 million lines.
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%sf%d", i ? ";" : "", i; print " 1" }' >chain.folded
for way in caller callee fractal flat folded; do
	( ulimit -t 20; run 400000 report -g $way,0 chain.folded )
	result "$way: trees that there is no room for" $? "$(cat err)"
	equal "$way: are said" 1 "$(grep -c '^left out .*call trees of [0-9]* rows' got)"
	equal "$way: are all there as rows" 20000 "$(grep -c '^ *100.00% .*% ' got)"
	[ "$(wc -c <got)" -lt 300000000 ]
	result "$way: and those that are there end" $?
done

# A difference by stack: the paths of frames that no stack ends with are not written out.
awk 'BEGIN { for (i = 0; i < 700; i++) { s = s ";function_" i; print "r" i s, 1 } }' >before.folded
sed 's/ 1$/ 3/' before.folded >after.folded
run 130000 diff --by stack --format csv before.folded after.folded
result 'diff by stack of stacks that are apart' $? "$(cat err)"
equal 'each has its row' 700 "$(grep -c '^r[0-9]*;' got)"
for by in symbol stack; do
	run 110000 diff --by $by --format csv leaf.folded leaf.folded
	equal "diff by $by of a million call paths" "0 1500" "$? $(grep -c '^f[0-9]' got)"
done
# Paths that are tested: one stack of 300,000 frames grew in each of them, or in all of them as one.
awk 'BEGIN {
	print "# pdtool sample=1 unit=samples event=cycles 0"
	for (i = 0; i < 300000; i++) printf "%sf", i ? ";" : ""
	print " 2000"
	for (i = 0; i < 30; i++) print "g" i, 1000 + i
}' >once.folded
sed 's/ 2000$/ 6000/' once.folded >thrice.folded
run 150000 diff --by stack --match exact once.folded thrice.folded
result 'diff of paths past those that are tested' $? "$(cat err)"
equal 'the stack grew' 1 "$(grep -c '^verdict  *f;f.* grew by' got)"

# info asks for no stack: 120,000 chains that share most of their addresses, in two processes.
{
	cat <<-'END'
	event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|CALLCHAIN
	mmap pid=10 addr=0x400000 len=0x100000 file=/bin/a time=1
	mmap pid=11 addr=0x400000 len=0x100000 file=/bin/b time=1
	repeat 400 round {
	repeat 300 {
	sample pid=10+$round%2 time=10+$round*1000+$i ip=0x400000 \
	END
	printf '\tchain=[user:0x400000'
	awk 'BEGIN { for (i = 1; i < 60; i++) printf ",%d", 4194304 + i * 16 }'
	# shellcheck disable=SC2016 # of mkperf's
	printf ',0x410000+$i*16,0x420000+$round/2*16]\n}\nfinished_round\n}\n'
} >chains.mkperf
"$mkperf" -o chains.data chains.mkperf || exit 1
run 140000 info chains.data
result 'info of 120,000 chains' $? "$(cat err)"
equal 'each address of them is there' 'addresses 1120' "$(sed -n 's/^\(addresses\)  */\1 /p' got)"
equal 'and no stack made room' 0 "$(cat got err | grep -c others)"

# Folded text past --max-memory: the rarest rows count as [others], their sum stays, and the heavy ones are as they were.
awk 'BEGIN { for (i = 0; i < 60000; i++) print "main;f" i % 7 ";g" i, i % 100 ? 1 : 1000 }' >many.folded
total=$(awk '{ sum += $NF } END { print sum }' many.folded)
"$pdtool" collapse --max-memory 8M many.folded >got 2>err
equal 'folded text past its memory: the sum' "$total" "$(awk '{ sum += $NF } END { print sum }' got)"
rows=$(grep -c . got) others=$(sed -n 's/^\[others\] //p' got)
[ "$rows" -gt 5000 ] && [ "$rows" -lt 40000 ] && [ "${others:-0}" -gt 20000 ]
result "the rarest are others ($rows rows, others $others)" $?
equal 'the heavy ones are whole' 600 "$(grep -c ' 1000$' got)"
equal 'it is said' "many.folded: $((total - $(awk '/ 1000$/ { sum += 999 } END { print sum }' got) - rows + 1)) rare stacks made room: they count as [others] (see --max-memory)" \
	"$(sed 's/^pdtool: //' err)"
"$pdtool" collapse --max-memory 8M --strict many.folded >got 2>err
equal 'and --strict ends with 3' 3 $?
for command in 'report -g' 'flamegraph --format csv' 'diff many.folded' 'diff --by stack many.folded' 'abstime --cpu-time 1s'; do
	# shellcheck disable=SC2086 # a command and its options
	"$pdtool" $command --max-memory 8M many.folded >got 2>err
	grep -q '^pdtool: many.folded: [0-9]* rare stacks made room' err && grep -q '\[others\]' got
	result "$command says it, and shows them" $? "$(head -3 err)"
done
run 200000 collapse many.folded
equal 'within its memory nothing makes room' "0 60000" "$(grep -c others got) $(grep -c . got)"

# Threads past --max-memory: 60,000 with a sample each, and 20 with 900.
cat >threads.mkperf <<'END'
event cpu-clock type=software config=0 period=1 ids=5 sample_id_all comm sample_type=IP|TID|TIME
comm pid=1 comm=app time=1
repeat 300 round {
repeat 200 {
sample pid=1 tid=1000+$round*200+$i time=10+$round*1000+$i ip=0x401000
}
repeat 20 {
repeat 3 k {
sample pid=1 tid=10+$i time=500+$round*1000+$i*3+$k ip=0x401000
}
}
}
END
"$mkperf" -o threads.data threads.mkperf || exit 1
run 120000 collapse --label-tid --max-memory 4M threads.data
equal 'collapse of many threads: the sum' "0 78000" "$? $(awk '/ [0-9]+$/ { sum += $NF } END { print sum }' got)"
equal 'those with many samples are whole' 20 "$(grep -c '/[12][0-9];.* 900$' got)"
rows=$(grep -c '/[0-9]*;' got) others=$(sed -n 's/^\[others\];.* //p' got)
[ "$rows" -lt 12000 ] && equal 'all others are one' 78000 $((rows - 20 + 18000 + others))
equal 'and are said' "threads.data: $others rare threads or other keys of samples made room: they count as [others] (see --max-memory)" \
	"$(sed -n 's/^pdtool: \(.*made room.*\)/\1/p' err)"
for keys in tid,sym pid,tid time,sym; do
	run 120000 report -s $keys --time-quantum 1ns --no-children --format csv --max-memory 4M threads.data
	equal "report -s $keys: the sum" "0 78000" "$? $(records <got | awk -F '\t' '{ sum += $4 } END { print sum }')"
	equal "report -s $keys: it is said" 1 "$(grep -c 'made room' err)"
done
"$pdtool" report -s tid --max-memory 4M --strict threads.data >got 2>err
equal 'and --strict ends with 3, the fact is there' '3 1' "$? $(grep -c '^others .* made room' got)"
"$pdtool" report -s tid --strict --limit 0 threads.data >got 2>err
equal 'within its memory each has its row' '0 60020' "$? $(grep -c '^ *[0-9.]*% ' got)"
