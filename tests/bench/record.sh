#!/bin/sh
# Make the bench captures, once: system.data (system-wide, 500 MB, parallel compiles) and single.data (one program, few
# stacks, 128 MB), into $PDTOOL_BENCH_DIR (default build/bench).  Usage: record.sh [--again]
# Needs perf, gcc, g++ and leave to profile the whole system (root); clang adds to the mix. A capture that exists is kept unless --again is given.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=${PDTOOL_BENCH_DIR:-$here/../../build/bench}
hertz=${PDTOOL_BENCH_HERTZ:-20000}
system_mb=${PDTOOL_BENCH_SYSTEM_MB:-500}
single_mb=${PDTOOL_BENCH_SINGLE_MB:-500}
jobs=3
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

# capture NAME MEGABYTES ARGUMENTS...: perf stops by itself at the size.
capture() {
	name=$1 mb=$2
	shift 2
	[ -s "$dir/$name" ] && [ -z "$again" ] && { echo "record.sh: $name is there"; return; }
	start=$(date +%s)
	perf record -q -F "$hertz" -e cpu-clock -m 1024 --max-size "${mb}M" -o "$dir/$name.part" "$@" >/dev/null || :
	[ -s "$dir/$name.part" ] || { echo "record.sh: perf made no $name" >&2; exit 1; }
	mv "$dir/$name.part" "$dir/$name"
	echo "record.sh: $name: $(wc -c <"$dir/$name") bytes in $(($(date +%s) - start)) s"
}

case ${1:-} in
load) load; exit ;;
worker) worker "$2" "$3" ;;
esac
again=
[ "${1:-}" = --again ] && again=1
have perf || { echo "record.sh: perf is needed" >&2; exit 1; }
mkdir -p "$dir"
trap 'eval "$restore"' EXIT
raise perf_event_max_sample_rate 100000
raise perf_cpu_time_max_percent 0
capture system.data "$system_mb" -a -g -- "$here/record.sh" load
[ -x "$dir/few" ] || ${CC:-cc} -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls "$here/few.c" -o "$dir/few"
capture single.data "$single_mb" -g -- "$dir/few"
