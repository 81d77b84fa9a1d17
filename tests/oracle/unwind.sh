#!/bin/sh
# Captures with copies of user stacks, recorded here and now: every frame that perf 6.1 (libunwind) unwinds, the session
# must find, and no other, with perf's mistakes under --as-perf (--compat): the last word of a copy is not read, what is
# mapped but not copied is 0, a return address is whatever lies there (0 less one is ffff...), a signal trampoline's address
# is less one, after an exec perf keeps the old maps and takes tables by the lowest of them, and where there is no rule its
# library guesses.
# A copy may be empty, where the kernel finds the page at the stack pointer not in memory: perf prints no frame then. By
# default the sampled address is one.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

unwind=$build/tests/oracle/unwind
name='unwinding here and now'
command -v perf >/dev/null || { skip "$name" 'perf is not installed'; exit; }
case $(perf --version 2>/dev/null) in
*' 6.1' | *' 6.1.'*) ;;
*) skip "$name" "$(perf --version) unwinds otherwise than perf 6.1"; exit ;;
esac
perf record -q -e cpu-clock:u --call-graph dwarf -o try.data true >/dev/null 2>&1 ||
	{ skip "$name" 'perf record is not permitted'; exit; }

cat >stl.cc <<'END'
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

static volatile unsigned long sink;
__attribute__((noinline)) static int sorted(int depth, const std::function<int(int)> &f)
{
	std::vector<int> v;

	if (!depth)
		return f(depth);
	for (int i = 0; i < 50; i++)
		v.push_back((i * 7919 + depth) % 101);
	std::sort(v.begin(), v.end(), [&](int a, int b) { return f(a) < f(b); });
	return sorted(depth - 1, f) + v[3];
}
__attribute__((noinline)) static void thrower(int i)
{
	if (i % 3 == 0)
		throw std::runtime_error("x" + std::to_string(i));
}
int main()
{
	std::regex pattern("(a|b)*c[0-9]+");

	for (int round = 0; round < 5000; round++) {
		std::map<std::string, int> m;
		char text[100];

		for (int i = 0; i < 300; i++)
			m["key" + std::to_string(i * 31 % 97)] += i;
		for (int i = 0; i < 10; i++)
			try {
				thrower(i);
			} catch (std::exception &e) {
				sink += e.what()[0];
			}
		sink += sorted(20, [](int x) { return (int)(x ^ sink) % 13; });
		sink += std::regex_match("ababababababc" + std::to_string(round), pattern);
		snprintf(text, sizeof(text), "%d %f", round, round * 1.5);
		sink += text[0] + m.size();
	}
}
END
cat >signals.c <<'END'
#include <alloca.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned long sink;
static void burn(int n) { while (n--) sink += (unsigned)n; }
static void handler(int signal) { burn(100000 + signal); }
static int order(const void *a, const void *b) { burn(20); return *(const int *)a - *(const int *)b; }
__attribute__((noinline)) static void on_stack(int n)
{
	char *p = alloca((size_t)n);

	memset(p, n, (size_t)n);
	burn(1000);
	sink += (unsigned long)p[n / 2];
}
__attribute__((noinline)) static void aligned(int n)
{
	typedef int wide __attribute__((vector_size(64)));
	volatile wide x;
	int list[n];

	for (int i = 0; i < n; i++)
		list[i] = i;
	x[0] = list[n - 1];
	burn(1000);
	sink += (unsigned long)x[0];
}
static void *work(void *arg)
{
	for (int round = 0; round < 6000; round++) {
		int list[200];

		for (int i = 0; i < 200; i++)
			list[i] = (i * 7919) % 201;
		qsort(list, 200, sizeof(*list), order);
		for (int i = 0; i < 20; i++) {
			on_stack(100 + i * 10);
			aligned(10 + i);
		}
	}
	return arg;
}
int main(int argc, char **argv)
{
	struct sigaction sa = { .sa_handler = handler, .sa_flags = SA_RESTART };
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
	pthread_t threads[2];

	if (argc > 1) {
		work(NULL);
		return 0;
	}
	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	if (fork() == 0) {
		if (fork() == 0)
			execl("./other", "other", "x", NULL);
		work(NULL);
		wait(NULL);
		_exit(argv[0] == NULL);
	}
	work(NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	wait(NULL);
	return 0;
}
END
# Its stack pointer is where no page was touched yet, half of the time.
cat >fresh.c <<'END'
#include <alloca.h>

__attribute__((noinline)) static void spin(void)
{
	for (unsigned long i = 100000000; i; i--)
		__asm__ volatile("" : "+r"(i));
}
__attribute__((noinline)) static void far(int n)
{
	volatile char *p = alloca((unsigned)n);

	for (unsigned long i = 100000000; i; i--)
		__asm__ volatile("" : "+r"(i));
	p[n - 1] = 1;
}
int main(void)
{
	spin();
	far(1 << 20);
	return 0;
}
END
cc -O2 -o fresh fresh.c 2>err && c++ -O2 -fomit-frame-pointer -o stl stl.cc 2>err && cc -O2 -fomit-frame-pointer -pthread -o signals signals.c 2>err ||
	{ fail "$name" "cc: $(head -n 1 err)"; exit; }
cp signals other

# User frames of perf script, one line for each sample, as the program unwind prints them. A sample is a line with its
# command, which is there also without frames; these begin with a tab.
perf_stacks() {
	perf script --no-inline -F comm,ip,sym,dso "$@" 2>/dev/null | awk '
		function flush() { if (any) print line == "" ? "-" : line; line = ""; any = 0 }
		NF == 0 { next }
		!/^\t/ { flush(); any = 1; next }
		$NF ~ /^\(\[kernel|^\(\[[a-z0-9_]+\]\)$/ && $NF !~ /vdso|unknown|stack|heap/ { next }
		{ sub(/^0+/, "", $1); line = line (line == "" ? "" : " ") $1 }
		END { flush() }' | on_stack
}
# What perf guesses may lie on the stack: it prints the address there, the program that in the mapping.
on_stack() { sed 's/ 7ff[cdef][0-9a-f]*/ stack/g'; }
frames() { "$unwind" --unverified "$@" | grep -v '^#' | on_stack; }

# agree NAME CAPTURE [--comm NAME]
agree() {
	what=$1 capture=$2
	shift 2
	perf_stacks -i "$capture" "$@" >want
	"$unwind" --unverified --as-perf "$@" "$capture" >all 2>err
	grep -v '^#' all | on_stack >got
	ends=$(grep '^#' all)
	same "$what: frames of $(wc -l <want) stacks" want got
	case $ends in
	*' 0 stacks'* | '') fail "$what: unwound" "nothing was: $ends" ;;
	*) ok "$what: unwound ($(echo "$ends" | sed 's/^# //; s/:/ =/g'))" ;;
	esac
	# Without perf's mistakes a stack is never shorter, and the same as far as perf came but for trampolines and the
	# return address 0 at its end. Left out are only stacks for which perf's library had no rule and guessed a caller and
	# a stack pointer (libunwind, src/x86_64/Gstep.c: UNW_X86_64_FRAME_GUESSED), as the walk itself tells.
	frames --as-perf --guessed "$@" "$capture" >guessed
	frames "$@" "$capture" | paste -d '|' want - guessed | awk -F '|' '
		!$3 {
			sub(/ ffffffffffffffff$/, "", $1)
			n = $1 == "-" ? 0 : split($1, a, " ")
			m = $2 == "-" ? 0 : split($2, b, " ")
			if (m < n)
				print "shorter", "than perf"
			for (i = 1; i <= n && i <= m; i++)
				if (a[i] != b[i])
					print a[i], b[i]
		}' | sort | uniq -c >others
	bad=0
	while read -r count theirs ours; do
		case $ours in
		*[!0-9a-f]* | '') bad=$((bad + count)) ;;
		*) [ $((0x$theirs + 1)) = $((0x$ours)) ] || bad=$((bad + count)) ;;
		esac
	done <others
	equal "$what: by default none is shorter, or differs but in trampolines" 0 $bad
}

for size in 8192 65528; do
	perf record -q -F 999 -e cpu-clock:u --call-graph dwarf,$size -o stl.data ./stl >/dev/null 2>&1
	agree "C++, copies of $size bytes" stl.data
done
perf record -q -F 999 -e cpu-clock:u --call-graph dwarf,8192 -o fresh.data ./fresh >/dev/null 2>&1
agree 'copies that are empty' fresh.data
grep -qx -- - want
result 'some are empty' $?
equal 'by default the sampled address is a frame' 0 "$("$unwind" --unverified fresh.data | grep -cx -- -)"
# A program with a deep stack, large libraries and ever new mappings; its copies are too short for it.
compiler=$(command -v clang++ || command -v c++)
perf record -q -F 499 -e cpu-clock:u --call-graph dwarf,16384 -o compiler.data "$compiler" -O2 -c -o stl.o stl.cc >/dev/null 2>&1
comm=$(perf script -F comm -i compiler.data 2>/dev/null | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
agree "$(basename "$compiler") compiling, copies of 16384 bytes" compiler.data --comm "$comm"
# Programs that others start: some have their libraries above those of the program before the exec, some below.
perf record -q -F 1999 -e cpu-clock:u --call-graph dwarf,16384 -o programs.data sh -c '
	for i in 1 2 3 4 5 6 7 8; do (exec sh -c "for i in 1 2 3 4 5 6; do ls -l /usr/bin >/dev/null; done; cc -O2 -c -o fresh.o fresh.c"); done' >/dev/null 2>&1
perf_stacks -i programs.data >want
frames --as-perf programs.data >got
same "after exec: frames of $(wc -l <want) stacks" want got
frames programs.data >right
[ "$(paste -d '|' got right | awk -F '|' 'split($1, a, " ") < split($2, b, " ")' | wc -l)" -gt 0 ]
result 'after exec: some of them are cut short' $?
perf record -q -F 1999 -e cpu-clock:u --call-graph dwarf,8192 -o signals.data ./signals >/dev/null 2>&1
agree 'signals, threads, fork' signals.data --comm signals
"$unwind" --unverified --module --comm other signals.data | awk '/^#/ || / / && /@other$/ { n += !/^#/ } END { exit n < 5 }'
result 'after exec: stacks end in the program' $?
equal 'signal trampolines: their exact address, one of them' 1 "$(wc -l <others | tr -d ' ')"
for capture in signals compiler; do
	"$host_pdtool" collapse -q -j1 --allow-unverified --no-demangle $capture.data >one
	for jobs in 2 7; do
		"$host_pdtool" collapse -q -j$jobs --allow-unverified --no-demangle $capture.data >others
		same "$capture: the same with -j$jobs" one others
	done
	# through a pipe samples are kept, not mapped; a filter has them unwound one by one
	"$host_pdtool" collapse -q --allow-unverified --no-demangle - <$capture.data >others
	same "$capture: the same through a pipe" one others
	"$host_pdtool" collapse -q -j4 --allow-unverified --no-demangle --event cpu-clock:u $capture.data >others
	same "$capture: the same, filtered" one others
done
"$host_pdtool" info --allow-unverified signals.data 2>/dev/null | grep -q '^unwound .* complete'
result 'info tells how stacks ended' $?
# Without a file, nothing is guessed.
rm -rf signals "$HOME/.debug"
"$host_pdtool" info --allow-unverified signals.data 2>/dev/null | grep -q '^unwound .*no file'
result 'info tells that files are missing' $?

# ---- arm64's vdso ----

# Its functions make no frames, and it has no unwind tables: a chain of frame pointers lacks who called them. The link
# register tells it, but where a signal handler returns: then it is that of the return itself.
cat >vdso.maps <<'END'
comm pid=7 comm=prog
mmap pid=7 addr=0x400000 len=0x10000 file=/bin/prog
mmap pid=7 addr=0x7f00000000 len=0x100000 file=/lib/libc.so.6
mmap pid=7 addr=0x7f80000000 len=0x1000 file=[vdso]
let lr 0x7f00000204
let sp 0x7fff0000
END
{
	cat <<-'END'
	arch aarch64
	event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task \
		sample_type=IP|TID|TIME|CALLCHAIN|REGS_USER regs_user=0x40000000
	END
	cat vdso.maps -
} >vdso.mkperf <<'END'
sample pid=7 time=3 ip=0x7f80000300 chain=[user:0x7f80000300,0x400100] regs_user=[$lr]
sample pid=7 time=4 ip=0x7f80000304 chain=[user:0x7f80000304,0x400100] regs_user=[$lr|0x2a000000000000]
sample pid=7 time=5 ip=0xffff800008001000 mode=kernel \
	chain=[kernel:0xffff800008001000,user:0x7f80000310,0x400100] regs_user=[$lr]
sample pid=7 time=6 ip=0x7f800007bc chain=[user:0x7f800007bc,0x400100] regs_user=[0x7f800007bc]
sample pid=7 time=7 ip=0x7f80000300 chain=[user:0x7f80000300,0x7f00000204,0x400100] regs_user=[$lr]
sample pid=7 time=8 ip=0x7f80000300 chain=[user:0x7f80000300,0x400100] regs_user=[0x123456789]
END
{
	cat <<-'END'
	arch aarch64
	event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task \
		sample_type=IP|TID|TIME|CALLCHAIN|REGS_USER|STACK_USER regs_user=0x1e0000000 stack_user=64
	END
	cat vdso.maps -
} >vdso-dwarf.mkperf <<'END'
sample pid=7 time=9 ip=0x7f80000300 chain=[user:0x7f80000300] regs_user=[$sp,$lr,$sp,0x7f80000300] \
	stack=[u64:0,u64:0x400100,zero:48] dyn_size=64
END
for kind in vdso vdso-dwarf; do
	"$mkperf" -o $kind.data $kind.mkperf || exit 1
	"$pdtool" collapse -q $kind.data 2>err | stacks >$kind.got
done
cat >wanted <<'END'
prog;[prog];[[vdso]] 2
prog;[prog];[libc.so.6];[[vdso]] 3
prog;[prog];[libc.so.6];[[vdso]];[unknown] 1
END
same "arm64: the caller of the vdso's functions, beside frame pointers" wanted vdso.got
echo 'prog;[libc.so.6];[[vdso]] 1' >wanted # whose file is not there
same "arm64: the caller of the vdso's functions, in a copied stack" wanted vdso-dwarf.got
