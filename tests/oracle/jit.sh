#!/bin/sh
# Names that no symbol table holds: of just-in-time compiled code, from perf maps and jitdumps, and of stripped Go
# programs.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# capture OUT: what standard input says, behind an event on the monotonic clock.
capture() {
	{
		cat <<-'END'
		event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task use_clockid clockid=1 \
			sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
		END
		cat
	} >capture.mkperf
	"$mkperf" -o "$1" capture.mkperf || fail "$1" 'mkperf'
}

# at PID TIME ADDRESS: a sample.
at() { echo "sample pid=$1 time=$2 ip=$3 chain=[user:$3]"; }

collapse() { "$pdtool" collapse -q "$@" | stacks; }

# ---- perf maps ----

# Processes 10 and 20 with code of their own, 11 forked from 10.
{
	for pid in 10 20; do
		echo "comm pid=$pid comm=p$pid time=1"
		echo "mmap pid=$pid addr=0x${pid}000 len=0x1000 file=//anon time=2"
	done
	echo 'fork pid=11 ppid=10 time=3'
	for n in 0 1 2 3; do
		at 10 1$n "0x1000$n"
		at 11 2$n "0x1010$n"
		at 20 3$n "0x2000$n"
	done
} | capture maps.data
mkdir own strange twice
printf '10000 10 ten\n10100 10 tenth\n' >own/perf-10.map
printf '20000 10 twenty\n' >own/perf-20.map
cp own/perf-10.map strange/perf-1.map
printf '20000 3 twenty\n' >strange/perf-2.map
printf '30000 10 elsewhere\n' >strange/perf-3.map
unnamed20='p20;[perf-20.map] 4'

equal 'maps by pid; a forked child has its parent'"'"'s' 'p10;ten 4
p10;tenth 4
p20;twenty 4' "$(collapse --perf-map-dir own maps.data)"
mkdir apart apart/10 apart/20
cp own/perf-10.map apart/10 && cp own/perf-20.map apart/20
equal 'maps in two directories' 'p10;ten 4
p10;tenth 4
p20;twenty 4' "$(collapse --perf-map-dir apart/10 --perf-map-dir apart/20 maps.data)"
printf '20000 10 other\n' >apart/10/perf-20.map
"$pdtool" collapse --perf-map-dir apart/20 --perf-map-dir apart/10 maps.data >out 2>err
equal 'a map in both: the first' 'p20;twenty 4' "$(grep p20 out)"
grep -q 'apart/10/perf-20.map: not used, but apart/20/perf-20.map' err
result 'and that is told' $?
mv apart/10/perf-20.map apart/30.map
equal 'a map that was named' "p10;ten 4
p10;tenth 4
$unnamed20" "$(collapse --perf-map 10=strange/perf-1.map maps.data)"
equal 'two that were named' 'p10;ten 4
p10;tenth 4
p20;twenty 4' "$(collapse --perf-map 10=strange/perf-1.map --perf-map=20=own/perf-20.map maps.data)"
equal 'the wrong pid' 'p10;[perf-10.map] 8
p20;[perf-20.map] 4' "$(collapse --perf-map 11=own/perf-10.map maps.data)"
equal 'the wrong file' 'p10;[perf-10.map] 8
p20;[perf-20.map] 4' "$(collapse --perf-map 10=capture.mkperf maps.data)"
"$pdtool" collapse --perf-map 10=capture.mkperf maps.data 2>&1 >out | grep -q 'capture.mkperf: not a perf map'
result 'and it is said' $?
"$pdtool" collapse --perf-map 10=nowhere maps.data 2>&1 >out | grep -q 'nowhere: the perf map does not exist'
result 'a map that is not there' $?
printf '10000 10 x\n' >second.map
"$pdtool" collapse --perf-map 10=own/perf-10.map --perf-map 10=second.map maps.data 2>&1 >out |
	grep -q 'second.map: not used, but own/perf-10.map'
result 'a second map for a process' $?
for bad in 10 10= =x x=y -1=x 1x=y 99999999999=y; do
	"$pdtool" collapse "--perf-map=$bad" maps.data >out 2>err
	equal "--perf-map=$bad" 2 $?
done
equal 'the one that was named goes before the directory' "p10;tenth 4
p10;x 4
p20;twenty 4" "$(printf '10000 10 x\n10100 10 tenth\n' >x.map; collapse --perf-map 10=x.map --perf-map-dir own maps.data)"
equal 'one that is named in vain takes nothing away' "$(collapse --perf-map-dir own maps.data)" \
	"$(collapse --perf-map 10=capture.mkperf --perf-map-dir own maps.data)"

# Under pids that only a container knows: by the addresses that they cover.
"$pdtool" collapse --perf-map-dir strange maps.data >out 2>err
equal 'maps that fit' 'p10;ten 4
p10;tenth 4
p20;[perf-20.map] 1
p20;twenty 3' "$(stacks <out)"
grep -q 'perf-1.map (process 1) is taken for process 10: it covers 8 of its 8 addresses;' err
result 'and both pids are told' $?
grep -q 'perf-2.map (process 2) is taken for process 20: it covers 3 of its 4 addresses$' err
result 'of each' $?
"$pdtool" info --names --perf-map-dir strange maps.data >out 2>err
equal 'info: that is a note, and no damage' '1 0' "$(grep -c '^note  *perf-1.map (process 1) is taken for' out) $(grep -c '^damage' out)"
equal 'summary: nor is it poor health' 0 "$("$pdtool" summary --perf-map-dir strange maps.data 2>err | grep -c '^health.*damaged')"
mkdir cut && printf 'no perf map' >cut/perf-10.map
equal 'a file that is no perf map is damage, as before' 'damage      perf-map: 1 times' \
	"$("$pdtool" info --names --perf-map-dir cut maps.data 2>err | grep -E '^(damage|note)')"
cp strange/perf-1.map twice/perf-1.map
cp strange/perf-1.map twice/perf-4.map
"$pdtool" collapse --perf-map-dir twice maps.data >out 2>err
equal 'two maps fit: none is taken' 'p10;[perf-10.map] 8
p20;[perf-20.map] 4' "$(stacks <out)"
grep -q 'perf-1.map and perf-4.map both fit process 10' err
result 'and that is told' $?
cp own/perf-20.map twice/perf-10.map
equal "a process's own map is no other's" 'p10;[perf-10.map] 8
p20;[perf-20.map] 4' "$(collapse --perf-map-dir twice maps.data)"
printf '10000 3 few\n' >few.map && mkdir few && mv few.map few/perf-5.map
equal 'a map of too few addresses' 'p10;[perf-10.map] 8
p20;[perf-20.map] 4' "$(collapse --perf-map-dir few maps.data)"
{
	for pid in 10 20; do
		echo "mmap pid=$pid addr=0x10000 len=0x1000 file=//anon time=2"
		at $pid 3 0x10000
	done
} | capture rivals.data
mkdir one && cp own/perf-10.map one/perf-1.map
"$pdtool" collapse --perf-map-dir one rivals.data >out 2>err
mkdir apart/a apart/b
cp strange/perf-1.map apart/a && cp strange/perf-2.map apart/b
"$pdtool" collapse --perf-map-dir apart/a --perf-map-dir apart/b maps.data >out 2>err
equal 'maps that fit, in two directories' 'p10;ten 4
p10;tenth 4
p20;[perf-20.map] 1
p20;twenty 3' "$(stacks <out)"
cp strange/perf-1.map apart/b
"$pdtool" collapse --perf-map-dir apart/a --perf-map-dir apart/b maps.data 2>err >out
grep -q 'apart/a/perf-1.map and apart/b/perf-1.map both fit process 10' err
result 'two of one name that fit' $?
"$pdtool" collapse --perf-map-dir one rivals.data >out 2>err
equal 'two processes at the same addresses: none gets it' '10;[perf-10.map] 1
20;[perf-20.map] 1' "$(stacks <out | sed 's/^:*//')"
grep -q 'perf-1.map would fit process 10 and process 20' err
result 'and both are told' $?

# ---- stripped Go programs ----

id=$(printf '%040d' 0 | tr 0 7)
{
	echo 'comm pid=5 comm=go time=1'
	echo "mmap2 pid=5 addr=0x400000 len=0x100000 pgoff=0 build_id=$id file=/bin/go-program time=2"
	at 5 10 0x401000
	at 5 11 0x40107f
	at 5 12 0x401080
} | capture go.data
mkdir -p good/bin bad/bin
for version in 2 16 18 20; do
	for order in little big; do
		"$build/tests/oracle/gofile" $version $order 0x77 good/bin/go-program
		equal "Go 1.$version, $order-endian" 'go;[go-program] 1
go;main.(*T).second 1
go;main.first 1' "$(collapse --symfs good go.data)"
	done
done
"$build/tests/oracle/gofile" 20 little 0x78 bad/bin/go-program
equal 'a Go program with another build-id' 'go;[go-program] 3' "$(collapse --symfs bad go.data)"
equal 'lines of a Go program' 'go;[go-program] 1
go;main.(*T).second:second.go:201 1
go;main.first:first.go:100 1' "$(collapse --srcline --symfs good go.data)"
equal 'as perf sees it' 'go;[go-program] 3' "$(collapse --compat stackcollapse --all --symfs good go.data)"

# ---- jitdumps ----

# dump OUT PID [ORDER [FLAGS [MACHINE]]]: a jitdump of standard input, x86-64.
dump() { "$build/tests/oracle/jitfile" "${3:-little}" "${5:-62}" "$2" "${4:-0}" >"$1" || fail "$1" 'jitfile'; }

# mark PID TIME: where the process maps its dump. Without the map of its code: that is not needed.
mark() { echo "mmap pid=$1 addr=0x7000000 len=0x1000 file=/tmp/jit-${3:-$1}.dump time=$2"; }

# Process 10: one address, three functions over time, the second one from a move; 11 is forked between.
code='load 100 0x5000 0x40 1 alpha
other 4 64
load 200 0x6000 0x40 2 beta
move 300 0x6000 0x5000 0x40 2
load 400 0x5020 0x40 3 gamma
other 99 3
load 500 0x8000 0x10 4 late'
reuse() {
	echo 'comm pid=10 comm=jit time=1'
	mark 10 50 "$1"
	at 10 90 0x5000
	at 10 150 0x5000
	at 10 250 0x6000
	echo 'fork pid=11 ppid=10 time=260'
	at 10 350 0x5000
	at 10 350 0x5020
	at 11 360 0x5000
	at 10 450 0x5000
	at 10 450 0x5020
	at 10 450 0x505f
	at 10 450 0x5060
	at 10 499 0x8000
	at 10 500 0x800f
	at 11 600 0x8000
}
reuse | capture reuse.data
by_time='jit;[unknown] 4
jit;alpha 2
jit;beta 4
jit;gamma 2
jit;late 1'
mkdir dumps
for order in little big; do
	echo "$code" | dump dumps/jit-10.dump 10 $order
	equal "the same address over time, $order-endian" "$by_time" "$(collapse --perf-map-dir dumps reuse.data)"
done
equal 'a dump that was named' "$by_time" "$(collapse --perf-map 10=dumps/jit-10.dump reuse.data)"
mkdir -p root/tmp && cp dumps/jit-10.dump root/tmp
equal 'below symfs' "$by_time" "$(collapse --symfs root reuse.data)"
tar -C root -cjf dumps.tar.bz2 tmp
for source in root dumps dumps.tar.bz2 dumps/jit-10.dump; do
	equal "a dump in a symbol source: $source" "$by_time" "$(collapse --symbols $source reuse.data)"
done
"$pdtool" info --names --symbols dumps.tar.bz2 reuse.data 2>err | grep -q 'dumps.tar.bz2:tmp/jit-10.dump'
result 'and info tells which' $?
"$pdtool" collapse --perf-map-dir dumps reuse.data 2>&1 >out | grep -v 'have no name' >err
equal 'and it is said' 'pdtool: names of 1 modules are unverified: no build-id verifies them' "$(cat err)"
equal 'no dump' 'jit;[unknown] 13' "$(collapse --perf-map-dir own reuse.data)"
equal 'a dump of the wrong process' 'jit;[unknown] 13' "$(collapse --perf-map 9=dumps/jit-10.dump reuse.data)"
mkdir wrong && echo "$code" | dump wrong/jit-10.dump 12
"$pdtool" collapse --perf-map-dir wrong reuse.data >out 2>err
equal 'a dump that says so itself' 'jit;[unknown] 13' "$(stacks <out)"
grep -q 'wrong/jit-10.dump: not used: it is of process 12, not 10' err
result 'is told' $?
tar cf wrong.tar wrong/jit-10.dump
"$pdtool" collapse --symbols wrong.tar reuse.data 2>&1 >out | grep -q '^pdtool: wrong.tar:wrong/jit-10.dump: not used: it is of process 12, not 10$'
result 'also of one in an archive, by the name that it has there' $?
if unshare -m sh -c 'umount -l /proc' 2>/dev/null; then
	unshare -m sh -c 'umount -l /proc && exec "$@"' - "$pdtool" collapse --symbols dumps.tar.bz2 reuse.data 2>&1 >out |
		grep -q '^pdtool: dumps.tar.bz2: a perf map or jitdump in it cannot be opened, as /proc is not there$'
	result 'without /proc a dump in an archive is not read, and that is said' $?
else
	skip 'without /proc' 'it cannot be unmounted here'
fi
{ echo 'arch x86_64'; reuse; } | capture arch.data
echo "$code" | dump wrong/jit-10.dump 10 little 0 183
"$pdtool" collapse --perf-map-dir wrong arch.data >out 2>err
equal 'a dump of another machine' 'jit;[unknown] 13' "$(stacks <out)"
grep -q 'wrong/jit-10.dump: not used: it is of another architecture' err
result 'is told, too' $?
equal 'and the right machine' "$by_time" "$(collapse --perf-map-dir dumps arch.data)"

echo "$code" | dump apart/b/jit-10.dump 10
equal 'a dump in the second directory' "$by_time" "$(collapse --perf-map-dir apart/a --perf-map-dir apart/b reuse.data)"

# In a container the process is another to itself.
reuse 3 | capture container.data
mkdir inside && echo "$code" | dump inside/jit-3.dump 3
equal 'a dump in a container' "$by_time" "$(collapse --perf-map-dir inside container.data)"
{ reuse 3; mark 20 700 3; at 20 800 0x5000; } | capture containers.data
"$pdtool" collapse --perf-map-dir inside containers.data 2>&1 >out |
	grep -q 'jit-3.dump: taken for process 10, not for process 20'
result 'two of one name: the second is not guessed' $?
equal 'but may be named' '20;beta 1' "$(collapse --perf-map 10=inside/jit-3.dump --perf-map 20=inside/jit-3.dump \
	containers.data | sed -n 's/^:*20/20/p')"
equal '--jit marks it' 'jit;[unknown] 4
jit;alpha_[j] 2
jit;beta_[j] 4
jit;gamma_[j] 2
jit;late_[j] 1' "$(collapse --jit --perf-map-dir dumps reuse.data)"

# Clocks.
no_clock() { sed 's/ use_clockid clockid=1//' capture.mkperf >"$1.mkperf"; "$mkperf" -o "$1.data" "$1.mkperf"; }
reuse | capture clock.data
no_clock other
"$pdtool" collapse --perf-map-dir dumps other.data >out 2>err
equal 'another clock: the last at an address' 'jit;[unknown] 1
jit;beta 6
jit;gamma 3
jit;late 3' "$(stacks <out)"
grep -q 'is used without times, .* was not recorded with perf record -k mono' err
result 'and that is told' $?
# 4 cycles are a nanosecond; the counter began at 1000
{
	echo 'time_conv shift=2 mult=1 zero=-250'
	reuse
} | capture cycles.data
no_clock cycles
echo "$code" | awk '{ $2 = $1 == "other" ? $2 : ($2 + 250) * 4; print }' | dump inside/jit-10.dump 10 little 1
equal 'cycles' "$by_time" "$(collapse --perf-map-dir inside cycles.data)"
equal 'cycles of an unknown clock' 'jit;[unknown] 1
jit;beta 6
jit;gamma 3
jit;late 3' "$(collapse --perf-map-dir inside reuse.data)"

# What other mappings do to code, and exec.
{
	echo 'comm pid=10 comm=jit time=1'
	mark 10 50
	at 10 150 0x5000
	echo 'mmap pid=10 addr=0x5000 len=0x1000 file=//anon time=160'
	at 10 170 0x5000
	echo 'mmap pid=10 addr=0x5000 len=0x1000 file=/lib/other.so time=180'
	at 10 190 0x5000
	at 10 250 0x6000
	echo 'comm pid=10 comm=new exec time=260'
	at 10 270 0x6000
	mark 10 280
	at 10 350 0x5000
} | capture maps2.data
equal 'mappings over code, exec' 'jit;[other.so] 1
jit;alpha 2
jit;beta 1
new;[unknown] 1
new;beta 1' "$(collapse --perf-map-dir dumps maps2.data)"

# Both kinds: what the dump does not cover is the perf map's.
{
	echo 'mmap pid=10 addr=0x5000 len=0x10000 file=//anon time=20'
	mark 10 50
	at 10 90 0x5000
	at 10 150 0x5000
	at 10 150 0x9000
} | capture both.data
cp dumps/jit-10.dump own
printf '9000 10 mapped\n5000 10 early\n' >own/perf-10.map
equal 'a dump and a perf map' '10;alpha 1
10;early 1
10;mapped 1' "$(collapse --perf-map-dir own both.data | sed 's/^:*//')"
equal 'both named' '10;alpha 1
10;early 1
10;mapped 1' "$(collapse --perf-map 10=own/jit-10.dump --perf-map 10=own/perf-10.map both.data | sed 's/^:*//')"

# Lines, whatever address they count from.
for shift in 0 0x40; do
	{
		echo "line 0x5000 $((0x5000 + shift)) 7 /src/a.js"
		echo 'load 100 0x5000 0x40 1 alpha'
	} | dump wrong/jit-10.dump 10
	equal "lines, shifted by $shift" 'jit;[unknown] 1
jit;alpha:a.js:7 1' "$(collapse --srcline --perf-map-dir wrong reuse.data | sed -n '1,2s/ [0-9]*$/ 1/p')"
done

# ---- frames ----

# Leaf, its caller and whose caller that is: two whose unwinding information is in the dump, one without. What moves
# takes its own along, whatever was at that address.
frames='unwind 0x40 16
load 100 0x5000 0x40 1 alpha
unwind 0x3b 32
load 100 0x6000 0x3b 2 beta
load 100 0x7000 0x40 3 bare
unwind 0x40 16
load 100 0x8000 0x40 4 same
move 300 0x6000 0x5000 0x3b 2'
stacked() {
	{
		cat <<-'END'
		event cpu-clock type=software config=0 period=1 ids=5 sample_id_all mmap comm task use_clockid clockid=1 \
			exclude_callchain_user sample_type=IP|TID|TIME|CALLCHAIN|REGS_USER|STACK_USER|CPU|PERIOD \
			regs_user=0x1c0 stack_user=64
		END
		echo 'arch x86_64'
		echo 'comm pid=10 comm=jit time=1'
		mark 10 50
		on_stack 150 0x5010 1,0x6011,2,3,4,0x7011,5
		on_stack 350 0x5010 1,2,3,0x7011,4,5,6
		on_stack 360 0x8010 1,0x8021,2,0x5021,3,4,5,0x7011
	} >stacked.mkperf
	"$mkperf" -o stacked.data stacked.mkperf
}
# on_stack TIME ADDRESS WORD,...
on_stack() {
	echo "sample pid=10 time=$1 ip=$2 chain=[] regs_abi=2 regs_user=[0,0x7ff000,$2] stack=[u64:$(echo "$3" |
		sed 's/,/,u64:/g')] dyn_size=64"
}
stacked
whole='jit;bare;beta 1
jit;bare;beta;alpha 1
jit;bare;beta;same;same 1'
mkdir frames
for machine in 62 0; do
	echo "$frames" | dump frames/jit-10.dump 10 little 0 $machine
	equal "frames of a dump of machine $machine" "$whole" "$(collapse --perf-map-dir frames stacked.data)"
	equal 'and on several threads' "$whole" "$(collapse -j4 --perf-map-dir frames stacked.data)"
done
echo "$frames" | grep -v unwind | dump frames/jit-10.dump 10
equal 'a dump without them' 'jit;alpha 1
jit;beta 1
jit;same 1' "$(collapse --perf-map-dir frames stacked.data)"
echo "$frames" | dump frames/jit-10.dump 10
"$pdtool" info --perf-map-dir frames stacked.data 2>err | grep -q '^unwound  *3 stacks, 9 frames: 100.00% no unwind info'
result 'and how far they went' $?

# 48 MB of stacks wait for their turn: of the last third only the place in the file is kept, which a pipe has not.
{
	sed '/^sample/,$d; s/stack_user=64/stack_user=60000/' stacked.mkperf
	echo 'repeat 400 {'
	for stack in 0x5010:1,u64:0x6011,u64:2,u64:3,u64:4,u64:0x7011,zero:59952 0x6010:2,u64:3,u64:4,u64:0x7011,zero:59968; do
		echo "sample pid=10 time=150 ip=${stack%%:*} chain=[] regs_abi=2 regs_user=[0,0x7ff000,${stack%%:*}]" \
			"stack=[u64:${stack#*:}] dyn_size=60000"
	done
	echo '}'
} >waiting.mkperf
"$mkperf" -o waiting.data waiting.mkperf
whole='jit;bare;beta 400
jit;bare;beta;alpha 400'
equal 'stacks that wait in the file' "$whole" "$(collapse --perf-map-dir frames waiting.data)"
equal 'and on several threads' "$whole" "$(collapse -j4 --perf-map-dir frames waiting.data)"
equal 'and those of a pipe, in memory' "$whole" "$(cat waiting.data | collapse --perf-map-dir frames -)"

# As CPython 3.13 writes it: three trampolines, each called by the one that was made after it.
{
	sed -n '/^event/,/regs_user/p' stacked.mkperf
	echo 'arch x86_64'
	echo 'comm pid=27456 comm=python time=1'
	mark 27456 2444133480000
	a=0x7f43923e5000
	echo "sample pid=27456 time=2444143480000 ip=$((a + 5)) chain=[] regs_abi=2 regs_user=[0,0x7ff000,$((a + 5))]" \
		"stack=[u64:1,u64:$((a + 0x119)),u64:2,u64:$((a + 0x229)),u64:3,u64:0x5000] dyn_size=48"
} >cpython.mkperf
"$mkperf" -o cpython.data cpython.mkperf
equal 'frames of CPython' 'python;[unknown];py::_get_module_lock:<frozen importlib._bootstrap>;py::_ModuleLockManager.__enter__:<frozen importlib._bootstrap>;py::_find_and_load:<frozen importlib._bootstrap> 1' \
	"$(collapse --perf-map-dir "$data/unwind/cpython" cpython.data)"

# Damage.
head -c 200 dumps/jit-10.dump >wrong/jit-10.dump
"$pdtool" collapse --perf-map-dir wrong reuse.data >out 2>err
equal 'a dump that is cut' 'jit;[unknown] 7
jit;alpha 6' "$(stacks <out)"
grep -q 'offset 166: damaged, or cut' err
result 'is told as well' $?

# ---- as perf does it ----

# perf inject writes an ELF file for each function, which must then be brought along, and maps it in its time.
if perf --version 2>/dev/null | grep -q 'version 6\.1'; then
	{
		echo 'comm pid=10 comm=jit time=1'
		echo "mmap pid=10 addr=0x7000000 len=0x1000 file=$tmp/inject/jit-10.dump time=50"
		at 10 90 0x5000
		at 10 150 0x5000
		at 10 250 0x6000
		at 10 350 0x5000
		at 10 450 0x501f
		at 10 450 0x5020
		at 10 499 0x8000
		at 10 500 0x800f
	} | capture inject.data
	mkdir inject && echo "$code" | grep -v other | dump inject/jit-10.dump 10
	(cd inject && perf inject --jit -i ../inject.data -o ../injected.data >../inject.log 2>&1)
	perf script -i injected.data --no-inline -F comm,ip,sym 2>/dev/null | awk '/^\t/ { print $2 }' >theirs
	if grep -q alpha theirs; then
		collapse --symfs / injected.data >out
		equal 'a capture that perf inject --jit made' 'jit;[unknown] 2
jit;alpha 1
jit;beta 3
jit;gamma 1
jit;late 1' "$(cat out)"
		equal 'its names are those of perf' "$(sort theirs | uniq -c | awk '{ print "jit;" $2, $1 }')" "$(cat out)"
		equal 'and of the dump itself' "$(cat out)" "$(collapse --perf-map 10=inject/jit-10.dump inject.data)"
	else
		skip 'a capture that perf inject --jit made' 'perf inject did not work here'
	fi
else
	skip 'a capture that perf inject --jit made' 'perf is not version 6.1'
fi

# CPython from 3.13 writes unwinding information. Its stacks are those that it has when perf inject has made an ELF file
# of each function.
python() {
	for p in python3.14 python3.13 python3 "$(pyenv prefix 3.13 2>/dev/null)/bin/python3.13"; do
		"$p" -c 'import sys; sys.version_info < (3, 13) or print(sys.executable)' 2>/dev/null | grep . && return
	done
}
name='CPython'"'"'s stacks are those that perf inject makes'
cat >work.py <<'END'
def leaf(n):
    return sum(i * i for i in range(n))
def middle(n):
    return leaf(n) + max(map(abs, range(n)))
for i in range(200000): # starting it is a small part, of which not all stacks are whole
    middle(50)
END
python=$(python)
if [ -z "$python" ]; then
	skip "$name" 'no CPython from 3.13'
elif perf record -q -F 499 -e cpu-clock:u -k mono --call-graph dwarf,16384 -o python.data \
	-- sh -c 'echo $$ >pid; exec "$@"' - "$python" -X perf_jit work.py >log 2>&1; then
	pid=$(cat pid)
	mkdir python && cp "/tmp/jit-$pid.dump" python
	perf inject --jit -i python.data -o injected.data >>log 2>&1
	"$host_pdtool" collapse -q --allow-unverified injected.data >theirs
	"$host_pdtool" collapse -q --allow-unverified --perf-map-dir python python.data >ours
	rm -f "/tmp/jit-$pid.dump" "/tmp/jitted-$pid-"*.so
	if grep -q 'py::middle' theirs; then
		equal "$name" "$(stacks <theirs)" "$(stacks <ours)"
		"$host_pdtool" info --allow-unverified --perf-map-dir python python.data 2>/dev/null |
			sed -n 's/^unwound .*: \([0-9.]*\)% complete.*/\1/p' | awk '{ exit !($1 >= 95) }'
		result 'and they are whole' $?
	else
		skip "$name" 'perf inject did not work here'
	fi
else
	skip "$name" 'perf record is not permitted'
fi
