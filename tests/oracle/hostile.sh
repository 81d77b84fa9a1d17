#!/bin/sh
# Small captures that ask for much: answered, or refused with a reason, within seconds of CPU and in bounded memory.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# within NAME STATUS COMMAND...: ends with STATUS within 5 s of CPU and 400 MiB of address space; its output is in out and err.
within() {
	name=$1 wanted=$2
	shift 2
	( ulimit -v 400000 && limited 5 "$@" ) >out 2>err
	status=$?
	if [ $status = "$wanted" ]; then
		ok "$name"
	else
		fail "$name" "status $status, wanted $wanted: $(tail -n 1 err)"
	fi
}

# ---- many of a kind ----

cat >ids.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|CALLCHAIN
repeat 40000 {
build_id 0123456789abcdef0123456789abcdef01234567 /usr/lib/a/long/path/of/which/many/share/the/beginning/$i
}
repeat 40000 {
mmap pid=5 addr=0x10000000+$i*4096 len=4096 pgoff=0 file=/usr/lib/a/long/path/of/which/many/share/the/beginning/$i time=2
}
sample pid=5 time=3 ip=0x10000000 chain=[user:0x10000000]
END
"$mkperf" -o ids.data ids.mkperf || exit 1
limited 1 "$pdtool" collapse -q ids.data >out 2>err
result '40000 modules, 40000 build-ids: within a second of CPU' $?

# attrs FILE IDS LINES: a hundred thousand events that share one section of IDS ids, and LINES of names for them.
attrs() {
	perl -e '
		my ($ids, $lines) = @ARGV;
		my $count = 100000;
		my $attr = 64 + 16;
		my $at = 104 + $count * $attr;
		my $data = $at + 8 * $ids;
		my $text = join "", map { "name$_,4,$_\n" } 1 .. $lines;
		my $meta = "event_type_info\0$text\0";
		my @bits = (0, 0, $lines ? 2 : 0, 0);
		print "PERFILE2", pack("Q<8", 104, $attr, 104, $count * $attr, $data, 24, 0, 0), pack("Q<4", @bits);
		for my $i (1 .. $count) {
			print pack("L<L<Q<7x", 4, 64, $i, 1, 1, 0, 0, 0, 0)
				=~ s/^(.{64}).*/$1/sr, pack("Q<2", $at, 8 * $ids);
		}
		print pack("Q<*", 1 .. $ids);
		print pack("L<S<S<Q<Q<", 9, 2, 24, 0x1000, 0);
		print pack("Q<2", $data + 24 + 16, length $meta), $meta if $lines;
	' "$2" "$3" >"$1"
}
attrs shared.data 500000 0
within '100000 events share 500000 ids' 0 "$pdtool" info shared.data
attrs names.data 1 200000
within '100000 events, 200000 names for them' 0 "$pdtool" info names.data
grep -q name100000 out && ok 'the last has its name' || fail 'the last has its name' "$(grep -c name out) names"

# ---- bombs ----

cat >small.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|CALLCHAIN
sample pid=5 time=3 ip=0x1000 chain=[user:0x1000]
END
"$mkperf" -o small.data small.mkperf && "$mkperf" --mode pipe -o small.pipe small.mkperf || exit 1
size=$(wc -c <small.data)
mkdir spool
export TMPDIR=$tmp/spool
# the recorder was killed: everything is data, to the end
patched() { perl -e 'local $/; $_ = <STDIN>; substr($_, 48, 8) = "\0" x 8; substr($_, 72, 32) = "\0" x 32; print' <small.data; }
for how in 'gzip -1' 'zstd -q' 'xz -0'; do
	for form in file pipe; do
		{ if [ $form = file ]; then patched; else cat small.pipe; fi; head -c 320M /dev/zero; } | $how >bomb
		( ulimit -f 600000 && limited 20 "$pdtool" collapse bomb ) >out 2>err
		status=$?
		grep -q 'same byte is repeated' err && [ $status = 0 ] && ok "zeros, $form, $how: given up" ||
			fail "zeros, $form, $how: given up" "status $status: $(head -n 1 err)"
	done
done
for how in 'gzip -1' 'zstd -q'; do
	$how <bomb >twice
	within "a bomb in a bomb, $how" 1 "$pdtool" collapse twice
	grep -q 'compressed more than once' err && ok "a bomb in a bomb, $how: told" || fail "a bomb in a bomb, $how: told" "$(cat err)"
done
# Packed by zstd: frame after frame is one capture; cut, damaged, or with something behind it, what comes before counts.
zstd -qdc "$data/recorded/x86_64/diff_pair/slow1.data.zst" >slow1.data
"$pdtool" collapse -q slow1.data >want
{ head -c 100000 slow1.data | zstd -qc; tail -c +100001 slow1.data | zstd -qc; } >frames
"$pdtool" collapse -q frames >got
same 'two frames of zstd are one capture' want got
# told NAME PATTERN FILE: some of its stacks, and why not all that came
told() {
	"$san" collapse "$3" >got 2>err
	status=$?
	[ "$status" = 0 ] && [ -s got ] && grep -q "$2" err && ok "$1" || fail "$1" "status $status: $(head -n 2 err)"
}
zstd -qc slow1.data | head -c 20000 >cut
told 'zstd, cut' 'cut: zstd stream is damaged after [0-9]* bytes: it ends within a frame' cut
{ cat frames; echo garbage; } >more
told 'zstd, something behind it' 'more: zstd stream is damaged after [0-9]* bytes: Unknown frame descriptor' more
# the second frame's bytes, from its 2000th on
{ head -c 100000 slow1.data | zstd -qc; tail -c +100001 slow1.data | zstd -qc | perl -e 'local $/; $_ = <STDIN>; substr($_, 2000, 40) = "X" x 40; print'; } >harmed
told 'zstd, damaged' 'harmed: zstd stream is damaged after [0-9]* bytes: ' harmed

# ---- temporary files ----

cat >refuse.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/types.h>

/* A file system without O_TMPFILE. */
int open(const char *path, int flags, ...)
{
	int (*next)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
	va_list ap;
	int mode;

	va_start(ap, flags);
	mode = va_arg(ap, int);
	va_end(ap);
	if ((flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return next(path, flags, mode);
}

/* ... that is full but for a hundredth. */
int fstatvfs(int fd, struct statvfs *st)
{
	(void)fd;
	memset(st, 0, sizeof(*st));
	st->f_frsize = 4096;
	st->f_blocks = 1000000;
	st->f_bavail = 10000;
	return 0;
}
END
zstd -q -c small.data >small.zst
if gcc -shared -fPIC -o refuse.so refuse.c -ldl 2>err; then
	"$pdtool" collapse -q small.data >want
	LD_PRELOAD=$tmp/refuse.so "$pdtool" collapse -q small.zst >out 2>err
	same 'a file system without O_TMPFILE' want out
	equal 'nothing is left there' '' "$(ls spool)"
	{ patched; perl -e 'print "ab" x 1000 for 1 .. 50000'; } | zstd -q >pattern.zst
	LD_PRELOAD=$tmp/refuse.so "$pdtool" collapse -q pattern.zst >out 2>err
	equal 'a file system that is nearly full' 1 $?
	grep -q 'too little space' err && ok 'a file system that is nearly full: told' ||
		fail 'a file system that is nearly full: told' "$(cat err)"
else
	skip 'a file system without O_TMPFILE' "gcc: $(head -n 1 err)"
fi

# ---- standard files that are closed ----

"$pdtool" collapse -q small.data >want
sh -c 'exec "$0" "$@" <&-' "$pdtool" collapse -q small.data >out 2>err
same 'standard input closed' want out
sh -c 'exec "$0" "$@" 2>&-' "$pdtool" collapse -q small.data >out
same 'standard error closed' want out
sh -c 'exec "$0" "$@" <&- >&-' "$pdtool" collapse -q small.data 2>err
equal 'standard input and output closed: an error' 1 $?
# Files that are opened later must not take those numbers.
mkfifo fifo
sh -c 'exec "$0" collapse -q --no-host - >&- 2>&-' "$host_pdtool" <fifo &
child=$!
exec 9>fifo
while [ "$(readlink /proc/$child/exe)" != "$(readlink -f "$host_pdtool")" ] || [ "$(readlink /proc/$child/fd/2)" != /dev/null ]; do
	kill -0 $child 2>/dev/null || break
	sleep 0.1
done
equal 'what is closed becomes /dev/null' '/dev/null /dev/null' "$(readlink /proc/$child/fd/1) $(readlink /proc/$child/fd/2)"
exec 9>&-
wait $child 2>/dev/null

# ---- times ----

for time in 18446744074, 18446744073.9999999999,; do
	"$pdtool" collapse -q --time "$time" small.data >out 2>err
	equal "--time $time is refused" 2 $?
done
