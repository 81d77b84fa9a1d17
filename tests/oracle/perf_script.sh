#!/bin/sh
# Captures recorded here and now: `collapse --compat stackcollapse` against `perf script --no-inline` through
# stackcollapse-perf.pl, byte for byte; one program, and the whole machine while it compiles. stackcollapse-perf.pl is
# looked for in $FLAMEGRAPH_DIR and in PATH; its licence keeps it out of this project.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

name='perf script here and now'
command -v perf >/dev/null || { skip "$name" 'perf is not installed'; exit; }
case $(perf --version 2>/dev/null) in
*' 6.1' | *' 6.1.'*) ;;
*) skip "$name" "$(perf --version) has other names and columns than perf 6.1"; exit ;;
esac
fold=${FLAMEGRAPH_DIR:+$FLAMEGRAPH_DIR/stackcollapse-perf.pl}
[ -n "$fold" ] || fold=$(command -v stackcollapse-perf.pl)
[ -n "$fold" ] && [ -f "$fold" ] || { skip "$name" 'there is no stackcollapse-perf.pl in FLAMEGRAPH_DIR or PATH'; exit; }
perf record -q -e cpu-clock -g -o try.data true >/dev/null 2>&1 ||
	{ skip "$name" 'perf record is not permitted'; exit; }

cat >program.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned sink;
__attribute__((noinline)) static void leaf(unsigned n) { while (n--) sink += n * n; }
__attribute__((noinline)) static void deep(int n) { if (n) deep(n - 1); else leaf(40000); sink++; }
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(int argc, char **argv)
{
	static int list[20000];

	for (int round = 0; round < 60; round++) {
		for (int i = 0; i < 20000; i++)
			list[i] = (i * 7919 + round) % 20011;
		qsort(list, 20000, sizeof(*list), order);
		deep(round % 20);
		sink += strlen(memset(malloc(100000), 'x', 99999)) + getppid();
	}
	if (argc > 1 && fork() == 0)
		execl(argv[0], argv[0], NULL);
	wait(NULL);
	return 0;
}
END
cc -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -o program program.c 2>err ||
	{ fail "$name" "cc: $(head -n 1 err)"; exit; }

# agree NAME CAPTURE PERF [OPTION]: the two ways, each with OPTION.
agree() {
	"$3" script --no-inline $4 -i "$2" 2>/dev/null | perl "$fold" >want 2>/dev/null
	"$host_pdtool" collapse $4 --compat stackcollapse --allow-unverified "$2" >got 2>err
	# What perf knows only because it is here: its own vdso, files in other mount namespaces, maps in /tmp. Its symbols
	# of the kernel's own image are the kernel's.
	same "$1, $(wc -l <want) stacks" want got
	for options in --all --pid --tid; do
		"$3" script --no-inline $4 -i "$2" 2>/dev/null | perl "$fold" $options >want 2>/dev/null
		"$host_pdtool" collapse $4 --compat stackcollapse $options --allow-unverified "$2" >got 2>err
		same "$1 $options" want got
	done
}
# weigh NAME CAPTURE: all of it.
weigh() {
	total=$(perf script --no-inline -F period -i "$2" 2>/dev/null | awk '{ n += $1 } END { printf "%d", n }')
	equal "$1: total weight by default" "$total" "$("$host_pdtool" collapse -q --allow-unverified "$2" | awk '{ n += $NF } END { printf "%d", n }')"
}

perf record -q -F 4999 -e cpu-clock -g -o one.data ./program again >/dev/null 2>&1
agree 'one program' one.data perf
weigh 'one program' one.data

for i in 1 2 3 4 5 6; do
	sed "s/leaf/leaf$i/; s/ deep/ deep$i/" program.c >"part$i.c"
done
printf 'all: part1.o part2.o part3.o part4.o part5.o part6.o\n%%.o: %%.c\n\tcc -O2 -c -o $@ $<\n' >Makefile
if perf record -q -F 999 -e cpu-clock -a -g -o all.data make -s -j4 all >/dev/null 2>&1; then
	weigh 'the whole machine while it compiles' all.data
	# as 6.12 forgets threads that ended; mangled, as one that was built without libbfd demangles otherwise
	case $("${REFERENCE_PERF:-perf}" --version) in
	*' 6.12' | *' 6.12.'*) agree 'the whole machine while it compiles' all.data "${REFERENCE_PERF:-perf}" --no-demangle ;;
	*) skip 'the whole machine while it compiles' 'neither $REFERENCE_PERF nor perf is perf 6.12, which forgets threads that ended' ;;
	esac
else
	skip 'the whole machine while it compiles' 'perf record -a is not permitted'
fi
