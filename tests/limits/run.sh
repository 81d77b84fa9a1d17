#!/bin/sh
# The bounds of docs/limits.md: right up to each of them; past it, what is left out is counted and said, and never is
# there an end before the end.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# What a command may take here: ulimit -v counts the program and its libraries, too.
memory=400000

# run COMMAND...: pdtool in that memory; its output is in got, what it says in err.
run() {
	( ulimit -v $memory; "$pdtool" "$@" >got 2>err )
}

# dsos FILE: samples by module, "SAMPLES MODULE".
dsos() {
	run report --no-children -s dso --format csv "$1"
	records <got | awk -F '\t' '$5 { print $5, $6 }' | sort
}

# ---- mappings ----

# A build farm: each of 100,000 live processes has what its parent had and a file of its own.
cat >farm.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task comm_exec sample_type=IP|TID|TIME
comm pid=1 comm=make time=1
repeat 50 {
mmap pid=1 addr=0x10000+$i*0x10000 len=0x1000 file=/lib/lib$i.so time=2
}
repeat 100000 {
fork pid=1000+$i ppid=1 time=10
mmap pid=1000+$i addr=0x900000 len=0x1000 file=/bin/own time=10
}
fork pid=200000 ppid=1000 time=11
mmap pid=200000 addr=0xa00000 len=0x1000 file=/bin/grandchild time=11
mmap pid=1 addr=0x20000 len=0x1000 file=/lib/later.so time=12
fork pid=200001 ppid=1 time=13
comm pid=1001 comm=new exec time=13
mmap pid=1001 addr=0x20000 len=0x1000 file=/bin/new time=13
mmap pid=1001 addr=0x30000 len=0x1000 file=[vdso] time=14
mmap pid=1001 addr=0x40000 len=0x1000 file=/lib/new.so time=15
repeat 100000 {
sample pid=1000+$i time=20 ip=0x20010
sample pid=1000+$i time=20 ip=0x900010
}
sample pid=200000 time=21 ip=0x20010
sample pid=200000 time=21 ip=0x900010
sample pid=200000 time=21 ip=0xa00010
sample pid=1 time=22 ip=0x20010
sample pid=200001 time=22 ip=0x20010
END
"$mkperf" -o farm.data farm.mkperf || exit 1
cat >wanted <<'END'
1 [unknown]
1 grandchild
1 new
100000 lib1.so
100000 own
2 later.so
END
memory=150000
dsos farm.data >dsos
same 'mappings of 100,000 live processes, of a grandchild, after the parent changed and after an exec' wanted dsos
equal 'nothing is left out' '' "$(grep 'left out' err)"

# 17 generations with many mappings each, and children of the last that change one: too much to keep.
sed -n '1,/^comm/p' farm.mkperf >deep.mkperf
cat >>deep.mkperf <<'END'
repeat 60000 {
mmap pid=1 addr=0x10000+$i*0x1000 len=0x800 file=/lib/old.so time=2
}
repeat 16 n {
fork pid=2+$n ppid=1+$n time=10+$n*2
repeat 260 {
mmap pid=2+$n addr=0x10000+$i*0x1000 len=0x400 file=/lib/gen$n.so time=11+$n*2
}
}
repeat 200 {
fork pid=1000+$i ppid=17 time=1000
mmap pid=1000+$i addr=0x9000000000 len=0x1000 file=/bin/own time=1000
}
repeat 200 {
sample pid=1000+$i time=10000 ip=0x9000000010
sample pid=1000+$i time=10000 ip=0x10010
}
END
"$mkperf" -o deep.data deep.mkperf || exit 1
memory=400000
dsos deep.data >dsos
own=$(sed -n 's/ own$//p' dsos) inherited=$(sed -n 's/ gen15.so$//p' dsos)
[ "${own:-0}" -gt 50 ] && [ "$own" = "$inherited" ] && [ "$own" -lt 200 ]
result 'mappings past their limit: a process has its own and what it inherited, or none' $? "$(cat dsos)"
run report "$(pwd)/deep.data"
equal 'are said' "left out: $((200 - own)) mappings, past 192 MiB or 65536 of one process" \
	"$(sed -n 's/^pdtool: \(left out.*\)/\1/p' err)"
equal 'and a fact' 1 "$(grep -c "^left out  *$((200 - own)) mappings" got)"
run report --strict deep.data
equal 'and something lost' 3 $?
sed -i 's/60000/65539/' deep.mkperf
sed -i '/^repeat 16/,$d' deep.mkperf
printf '%s\n' 'sample pid=1 time=3 ip=0x1000f010' 'sample pid=1 time=3 ip=0x10012010' >>deep.mkperf
"$mkperf" -o most.data deep.mkperf || exit 1
dsos most.data >dsos
printf '%s\n' '1 [unknown]' '1 old.so' >wanted
same '65536 mappings of one process' wanted dsos
run report most.data
equal 'and what is more is said' "left out: 3 mappings, past 192 MiB or 65536 of one process" \
	"$(sed -n 's/^pdtool: \(left out.*\)/\1/p' err)"

# 300,000 files, which compress to 174 KB.
sed -n '1p' farm.mkperf >files.mkperf
cat >>files.mkperf <<'END'
repeat 300000 {
mmap pid=1 addr=0x10000 len=0x1000 file=/lib/a$i time=10
}
sample pid=1 time=11 ip=0x10010
END
"$mkperf" -o files.data files.mkperf || exit 1
memory=256000
dsos files.data >dsos
equal 'more files than are kept are one' '1 [others]' "$(cat dsos)"
equal 'and are said' 1 "$(grep -c 'left out: [0-9]* uses of more modules, past 64 MiB' err)"

# ---- the drawing ----

# Stacks that share nothing, all of one width: 720,600 frames.
awk 'BEGIN { for (i = 0; i < 1200; i++) { s = "f" i (i ? ";" s : ""); print s, 1 } }' >deep.folded
awk 'BEGIN { for (i = 0; i < 300000; i++) print "r" i, 1 }' >wide.folded
for shape in deep wide; do
	run flamegraph --minwidth 0 -o $shape.svg $shape.folded
	total=$(awk '{ n += gsub(";", ";") + 1 } END { print n + 1 }' $shape.folded)
	# in the data of the script each frame has five numbers, between commas
	drawn=$(sed -n '/^axes:/,$p' $shape.svg | grep -o '^axes:.*lanes:\[\[[^]]*' | sed 's/.*\[//' | tr , '\n' | grep -c .)
	equal "$shape: as many frames as there is room for" 250000 $((drawn / 5))
	equal "$shape: those left out are said" "$((total - 250000)) frames are left out: the drawing has the widest 250000" \
		"$(grep -o '[0-9,]* frames are left out[^<"]*' $shape.svg | head -1 | sed 's/,//g')"
	[ "$(wc -c <$shape.svg)" -lt 20000000 ]
	result "$shape: below 20 MB" $?
done
