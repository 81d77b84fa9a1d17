#!/bin/sh
# Make the captures of the bench, in $PDTOOL_BENCH_DIR (default build/bench), each once.
#   record.sh [--again] [NAME...]	--again: though it is there
# Needs perf, gcc, g++ and leave to profile the whole system (root); clang adds to the mix of system.
#   system         the whole machine while it compiles    single         one program, few stacks
#   node, python   a just-in-time compiler and its map    dwarf8, dwarf64  copies of the stack, 8 and 64 KiB
#   procs          30,000 processes                       modules        one process, 3,000 libraries
#   tiny           about 50 samples
#   sched          over a million scheduler events        block          a million requests, on a loop device over tmpfs
# $PDTOOL_BENCH_MB (default 250) is where the first four and dwarf end; NAME.maps/ has the maps of what was compiled in time.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=${PDTOOL_BENCH_DIR:-$here/../../build/bench}
hertz=${PDTOOL_BENCH_HERTZ:-20000}
mb=${PDTOOL_BENCH_MB:-250}
jobs=3
ram=/dev/shm
frames="-fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline"

have() { command -v "$1" >/dev/null 2>&1; }

# One C++ source full of templates and one C source full of small functions, different for each number.
sources() {
	n=$1
	cat >"$2/s$n.cc" <<-END
	#include <algorithm>
	#include <functional>
	#include <map>
	#include <memory>
	#include <regex>
	#include <string>
	#include <unordered_map>
	#include <vector>
	END
	i=0
	while [ $i -lt 12 ]; do
		cat >>"$2/s$n.cc" <<-END
		template <int N> struct k${n}_$i { int v[N]; bool operator<(const k${n}_$i &o) const { return v[0] < o.v[0]; } };
		int f${n}_$i(std::map<k${n}_$i<$((i + n + 1))>, std::vector<std::string>> &m, const std::string &s) {
			std::unordered_map<std::string, std::function<int(int)>> u;
			u[s] = [&](int x) { return x * $i + (int)m.size(); };
			std::vector<std::pair<std::string, int>> v;
			for (auto &e : m) for (auto &t : e.second) v.emplace_back(t, u[s]((int)t.size()));
			std::sort(v.begin(), v.end(), [](auto &a, auto &b) { return a.second - $i < b.second; });
			return (int)std::count_if(v.begin(), v.end(),
				[&](auto &p) { return std::regex_match(p.first, std::regex("a+$i|b*")); });
		}
		END
		i=$((i + 1))
	done
	awk -v n="$n" 'BEGIN {
		print "#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>"
		print "typedef uint64_t walk(uint64_t seed, int depth, const char *s);\nstatic walk *const next[300];"
		for (i = 0; i < 300; i++) {
			printf "static uint64_t w%d_%d(uint64_t n, int depth, const char *s)\n{\n", n, i
			printf "\tuint64_t a[%d], t = n * 6364136223846793005u + %du;\n", i % 19 + 2, 2 * i + 1
			printf "\tfor (int j = 0; j < %d; j++)\n\t\ta[j] = s[(j * n) %% 7] ^ (t >> j);\n", i % 19 + 2
			printf "\tswitch (n %% 5) {\n\tcase 0: t += a[1]; break;\n\tcase 1: t ^= strlen(s); break;\n"
			printf "\tdefault: t ^= a[n & 1] * %d;\n\t}\n", i
			printf "\treturn depth ? t ^ next[(t >> 33) %% 8 * 37 + %d](t, depth - 1, s) : t;\n}\n", i % 40
		}
		printf "static walk *const next[300] = {"
		for (i = 0; i < 300; i++) printf " w%d_%d,", n, i
		print " };\nint main(int c, char **v)\n{\n\tuint64_t t = 0;"
		printf "\tfor (int i = 0; i < 2000000; i++)\n\t\tt ^= next[i %% 12](c + i %% 12, 20 + i %% 12 * 3, v[1]);\n"
		print "\treturn t == 1;\n}"
	}' >"$2/s$n.c"
}

# small TMP OUTPUT FILE: a dozen short-lived processes.
small() {
	for f in "$1"/s[0-3]*.c; do
		grep -c switch "$f" | sed 's/.*/&/' >"$2"
		tr -s '\t' ' ' <"$f" | sort | uniq -c | awk '{ t += $1 } END { print t }' >"$2"
	done
	gzip -c "$3" | gzip -dc | cmp -s - "$3" || :
}

# One worker: compile, link, run, for ever. Every command is a fork and an exec.
worker() {
	w=$1 tmp=$2 round=0 cc=gcc cxx=g++
	while :; do
		n=$(((round * jobs + w) % 12)) o=$((round % 3))
		$cxx -O$o -g -std=c++17 -c "$tmp/s$n.cc" -o "$tmp/w$w.o" || :
		for k in 1 2 3 4; do
			# shellcheck disable=SC2086
			$cc -O$((k % 3)) $frames "$tmp/s$(((n + k) % 12)).c" -o "$tmp/w$w.bin" || :
			for run in 1 2 3 4; do
				"$tmp/w$w.bin" "some text $run" || :
				small "$tmp" "$tmp/w$w.out" "$tmp/s$run.c"
			done
		done
		if have clang++ && [ $((round % 2)) = 0 ]; then cc=clang cxx=clang++; else cc=gcc cxx=g++; fi
		round=$((round + 1))
	done
}

load() {
	tmp=$(mktemp -d)
	n=0
	while [ $n -lt 12 ]; do sources $n "$tmp"; n=$((n + 1)); done
	pids=
	trap 'kill -- $pids 2>/dev/null; wait; rm -rf "$tmp"; exit 0' TERM INT
	n=0
	while [ $n -lt $jobs ]; do setsid "$0" worker $n "$tmp" 2>/dev/null & pids="$pids -$!"; n=$((n + 1)); done
	wait
}

# raise NAME VALUE: a sysctl of the kernel, as far as we may, and put back at the end.
restore=
raise() {
	f=/proc/sys/kernel/$1
	[ -w "$f" ] || return 0
	restore="echo $(cat "$f") >$f; $restore"
	echo "$2" >"$f" || :
}

# capture NAME HERTZ MEGABYTES ARGUMENTS...: perf stops by itself at the size.
capture() {
	name=$1.data hz=$2 size=$3
	shift 3
	perf record -q -F "$hz" -e cpu-clock -m 1024 --max-size "${size}M" -o "$dir/$name.part" "$@" >/dev/null 2>&1 || :
	[ -s "$dir/$name.part" ] || { echo "record.sh: perf made no $name" >&2; exit 1; }
	mv "$dir/$name.part" "$dir/$name"
}

# program SOURCE OUTPUT [OPTION...]
program() {
	from=$here/$1.c to=$dir/$2
	shift 2
	# shellcheck disable=SC2086
	${CC:-cc} -O1 $frames "$from" -o "$to" "$@"
}

# with_maps NAME COMMAND...: one program, and the maps that were written meanwhile.
with_maps() {
	maps=$dir/$1.maps of=$1
	shift
	rm -rf "$maps"
	mkdir "$maps"
	capture "$of" "$hertz" $((mb * 2 / 5)) -g -- "$@"
	find /tmp -maxdepth 1 -name 'perf-*.map' -newer "$maps" -exec cp {} "$maps" \;
}

# A Python that writes a map, else a program that does.
python() {
	for python in python3 python3.14 python3.13 python3.12; do
		$python -X perf -c 'import sys; sys.exit(not sys.is_stack_trampoline_active())' 2>/dev/null || continue
		with_maps python $python -X perf "$here/script.py"
		return
	done
	program jit jit
	with_maps python "$dir/jit"
}

modules() {
	program modules modules.bin -ldl
	program modules library.so -DLIBRARY -shared -fPIC
	mkdir -p "$dir/modules"
	n=0
	while [ $n -lt 3000 ]; do cp "$dir/library.so" "$dir/modules/m$n.so"; n=$((n + 1)); done
	capture modules "$hertz" $((mb / 5)) -g -- "$dir/modules.bin" "$dir"/modules/*.so
}

# An idle CPU can lose records on some virtual machines: none is idle.
spin() {
	cpu=$(($(nproc) - 1))
	while [ $cpu -ge 0 ]; do
		taskset -c $cpu chrt -i 0 sh -c 'while :; do :; done' &
		spinning="$spinning $!" cpu=$((cpu - 1))
	done
}

# trace NAME EVENTS COMMAND...: in memory, or the writing of the capture would be in it.
trace() {
	name=$1.data events=$2
	shift 2
	spin
	perf record -q -a -c1 -m 2048 -e "$events" -o "$ram/bench.$$" -- "$@" >/dev/null 2>&1
	# shellcheck disable=SC2086
	kill $spinning
	spinning=
	mv "$ram/bench.$$" "$dir/$name"
}

# Four readers of the same half gigabyte of nothing, in blocks of 4 KiB.
block() {
	truncate -s 512M "$ram/bench.$$.disk"
	loop=$(losetup -f --show "$ram/bench.$$.disk")
	# shellcheck disable=SC2016
	trace block block:block_rq_issue,block:block_rq_complete sh -c '
		for i in 0 1 2 3; do
			dd if="$0" of=/dev/null bs=4k iflag=direct count=128000 2>/dev/null &
		done
		wait' "$loop"
}

record() {
	case $1 in
	system) capture system "$hertz" "$mb" -a -g -- "$here/record.sh" load ;;
	single) program few few; capture single "$hertz" "$mb" -g -- "$dir/few" ;;
	node) ! have node || with_maps node node --no-logfile-per-isolate --logfile="$dir/node.log" --perf-basic-prof --interpreted-frames-native-stack "$here/script.js" ;;
	python) python ;;
	dwarf8) capture dwarf8 2000 "$mb" --call-graph dwarf,8192 -- "$here/record.sh" load ;;
	dwarf64) capture dwarf64 500 "$mb" --call-graph dwarf,65528 -- "$here/record.sh" load ;;
	procs) capture procs 5000 "$mb" -g -- sh -c 'seq 30000 | xargs -n 1 -P 2 true' ;;
	modules) modules ;;
	tiny) capture tiny 2000 1 -g -- "${CC:-cc}" -O1 -c "$here/few.c" -o /dev/null ;;
	sched) trace sched "$sched" perf bench sched messaging -g 8 -l 5000 ;;
	block) ! have losetup || block ;;
	*) echo "record.sh: no capture $1" >&2; exit 2 ;;
	esac
}

case ${1:-} in
load) load; exit ;;
worker) worker "$2" "$3" ;;
esac
again=
[ "${1:-}" = --again ] && again=1 && shift
have perf || { echo "record.sh: perf is needed" >&2; exit 1; }
mkdir -p "$dir"
loop='' spinning=''
# shellcheck disable=SC2086
clean() {
	eval "$restore"
	[ -z "$spinning" ] || kill $spinning 2>/dev/null || :
	[ -z "$loop" ] || losetup -d "$loop" || :
	rm -f "$ram/bench.$$" "$ram/bench.$$.disk"
}
trap clean EXIT
trap 'exit 1' HUP INT TERM
raise perf_event_max_sample_rate 100000
raise perf_cpu_time_max_percent 0
sched=sched:sched_switch,sched:sched_waking,sched:sched_wakeup_new,sched:sched_stat_runtime,sched:sched_migrate_task
[ $# != 0 ] || set -- system single node python dwarf8 dwarf64 procs modules tiny sched block
for what in "$@"; do
	[ -s "$dir/$what.data" ] && [ -z "$again" ] && continue
	start=$(date +%s)
	record "$what"
	[ -s "$dir/$what.data" ] || { echo "record.sh: $what: what makes it is not installed"; continue; }
	echo "record.sh: $what.data: $(wc -c <"$dir/$what.data") bytes in $(($(date +%s) - start)) s"
done
