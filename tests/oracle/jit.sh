#!/bin/sh
# Names of code that a just-in-time compiler made: perf maps and their processes.
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

collapse() { "$pdtool" collapse -q "$@"; }

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
"$pdtool" collapse --perf-map 10=nowhere maps.data 2>&1 >out | grep -q 'nowhere: there is no such'
result 'a map that is not there' $?
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
p20;twenty 3' "$(cat out)"
grep -q 'perf-1.map (process 1) is taken for process 10: it covers 8 of its 8 addresses;' err
result 'and both pids are told' $?
grep -q 'perf-2.map (process 2) is taken for process 20: it covers 3 of its 4 addresses$' err
result 'of each' $?
cp strange/perf-1.map twice/perf-1.map
cp strange/perf-1.map twice/perf-4.map
"$pdtool" collapse --perf-map-dir twice maps.data >out 2>err
equal 'two maps fit: none is taken' 'p10;[perf-10.map] 8
p20;[perf-20.map] 4' "$(cat out)"
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
equal 'two processes at the same addresses: none gets it' '10;[perf-10.map] 1
20;[perf-20.map] 1' "$(sed 's/^:*//' out)"
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
