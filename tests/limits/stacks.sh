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
( ulimit -t 10; run 300000 report -g caller,40 leaf.folded )
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
run 250000 diff --by stack --format csv before.folded after.folded
result 'diff by stack of stacks that are apart' $? "$(cat err)"
equal 'each has its row' 700 "$(grep -c '^r[0-9]*;' got)"
