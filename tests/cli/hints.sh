#!/bin/sh
# What was asked for and not recorded: one line names the option of perf record that records it, and there is none where it was.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# capture NAME SAMPLE_TYPE CMDLINE KEY=VALUE...: two samples, in a file without a build-id.
capture() {
	name=$1 type=$2 cmdline=$3
	shift 3
	cat >"$name.mkperf" <<-END
	event cycles type=hardware config=0 period=1000 sample_type=IP|TID$type sample_id_all
	cmdline perf record $cmdline -- app
	comm pid=7 comm=app
	mmap pid=7 addr=0x1000 len=0x1000 file=/bin/x exec
	sample pid=7 ip=0x1100 $*
	sample pid=7 ip=0x1200 $*
	END
	"$mkperf" -o "$name.data" "$name.mkperf" || fail "$name.data" 'not made'
}
capture plain '' ''
capture full '|TIME|CPU|CALLCHAIN|WEIGHT|CGROUP' '--buildid-all' time=1000000 cpu=1 'chain=[user,0x1100,0x1200]' weight=5 cgroup=3

# hint NAME WORDS ARGUMENT...: said of the plain capture, in one line, and not of the full one.
hint() {
	name=$1 words=$2
	shift 2
	"$pdtool" "$@" plain.data >out 2>err
	grep -qF -e "$words" err && [ "$(grep -cF -e "$words" err)" = 1 ] || { fail "$name" "$(cat err)"; return; }
	"$pdtool" "$@" full.data >out 2>err
	grep -qF -e "$words" err && fail "$name: it was recorded" "$(cat err)" || ok "$name"
}
hint 'stacks of collapse' 'plain.data: no call chains were recorded (perf record -g)' collapse
hint 'stacks of flamegraph' 'plain.data: no call chains were recorded (perf record -g)' flamegraph
hint 'call trees' 'plain.data: no call chains were recorded (perf record -g)' report -g
hint 'callers' 'plain.data: no call chains were recorded (perf record -g)' report --sort comm,parent
hint 'CPUs as a key' 'samples do not tell their CPU (perf record --sample-cpu)' report --sort cpu
hint 'CPUs as a filter' 'samples do not tell theirs (perf record --sample-cpu)' report --cpu 1
hint 'times as a key' 'samples do not tell their time (perf record -T)' report --sort time
hint 'times as a filter' 'samples do not tell their time (perf record -T)' report --time 0,1
hint 'times of a heat map' 'events do not tell their time (perf record -T)' heatmap
hint 'times of a flame chart' 'have no times (perf record -T)' flamegraph --flamechart
hint 'cgroups' 'samples do not tell their cgroup (perf record --all-cgroups)' report --sort cgroup
hint 'weights' 'samples do not tell their weight (perf record -W)' report --sort weight
hint 'build-ids' 'no build-id was recorded for 2 of them (1 file): perf record --buildid-all keeps it, perf inject -b' report
hint 'build-ids, of doctor' '(1 file): perf record --buildid-all keeps it, perf inject -b' doctor
"$pdtool" report --sort cgroup,weight plain.data >out 2>err
equal 'each has its line' 2 "$(grep -c 'samples do not tell their' err)"

"$pdtool" report --event foo plain.data >out 2>err
equal 'an event' 'pdtool: plain.data: --event foo: no such event; there are: cycles (2 samples); perf record -e foo records it' "$(cat err)"
"$pdtool" report --event cycels plain.data >out 2>err
equal 'an event, a slip' 'pdtool: plain.data: --event cycels: no such event; there are: cycles (2 samples); nearest: cycles' "$(cat err)"
"$pdtool" report --clock wall full.data >out 2>err
equal 'the wall clock' 'pdtool: full.data: --clock wall: the capture does not state the wall clock (perf record -k CLOCK_MONOTONIC)' "$(cat err)"

# servers' files have a place, or it is said, and none is made
"$pdtool" report --debuginfod=http://127.0.0.1:1 plain.data >out 2>err
equal 'no cache of the client: exit status' 1 $?
equal 'no cache of the client: one line' 1 "$(grep -cF "there is no place for what servers send, $HOME/.cache/debuginfod_client: $HOME/.cache/: No such" err)"
equal 'no cache of the client: only that line' 1 "$(grep -c '' err)"
equal 'no cache of the client: none is made' '' "$(ls -A "$HOME")"
DEBUGINFOD_CACHE_PATH=$tmp/none/here "$pdtool" report --debuginfod=http://127.0.0.1:1 plain.data >out 2>err
equal 'no directory of the cache' "1 1" "$? $(grep -c 'no place for what servers send' err)"
mkdir there
for cache in there there/ there/new new ./there/.; do
	DEBUGINFOD_CACHE_PATH=$cache "$pdtool" report --debuginfod=http://127.0.0.1:1 plain.data >out 2>err
	grep -q 'no place' err && fail "a cache: $cache" "$(cat err)" || ok "a cache: $cache"
done

# what a file that was cut has lost was not missing from the beginning
head -c $(($(wc -c <plain.data) - 300)) plain.data >cut.data
"$pdtool" report cut.data >out 2>err
grep -q 'have no name' err && ! grep -q 'build-id' err && ok 'a capture that was cut' || fail 'a capture that was cut' "$(cat err)"

# a file with a build-id has no line, nor has one of several that are named
sed 's/^comm .*/build_id 0123456789abcdef0123456789abcdef01234567 \/bin\/x/' plain.mkperf >with.mkperf
"$mkperf" -o with.data with.mkperf && "$pdtool" report with.data >out 2>err
grep -q 'have no name' err && ! grep -q 'build-id' err && ok 'a build-id was recorded' || fail 'a build-id was recorded' "$(cat err)"
