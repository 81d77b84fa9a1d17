#!/bin/sh
# `syscalls` against what perf 6.12 `perf trace -s` (with the call that it needs not to crash) and `strace -f -c` said of the same
# program: calls, errors and times of each thread.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

from=$data/recorded/syscalls
zstd -dcq "$from/oracle.tar.zst" | tar -xf - || fail 'the oracles' 'cannot be unpacked'

# table OPTION...: the rows of syscalls as CSV; times that are not known are 0, as perf has them. System calls without a name
# are none to perf.
table() { "$pdtool" syscalls -q --format csv "$@" >csv 2>err && records <csv | awk -F '\t' -v OFS='\t' '{ print }'; }
ms='function ms(ns) { return sprintf("%.3f", ns / 1e6) }'
for name in sys1 trace rawsys; do
	file=$from/$name.data.zst
	[ -f "$file" ] || file=$data/recorded/script/$name.data.zst
	awk '/ events, / { sub(/.*\(/, ""); sub(/\).*/, ""); tid = $0; next }
		/^   [a-z_0-9]+ +[0-9]+ +[0-9]+ +[0-9.]+ / { print tid, $1, $2, $3, $4, $5, $6, $7, $8 }' $name/tracesum.stderr.txt | sort >perfs
	# to perf the return in a thread that the call made is a call, too
	awk '!($2 ~ /^(clone3?|v?fork)$/ && $3 == 1 && $5 == "0.000")' perfs >want
	table --by thread "$file" | awk -F '\t' "$ms"' $4 !~ /^id / {
		print $3, $4, $5, $6, ms($7), ms($9), ms($10), ms($13), sprintf("%.2f%%", $15) }' | sort >got
	same "$name, by thread: $(wc -l <want) rows" want got
	made=$("$pdtool" syscalls "$file" 2>err | sed -n 's/^children  *\([0-9]*\) returns .*/\1/p')
	equal "$name: returns in threads that a call made" "$(($(wc -l <perfs) - $(wc -l <want)))" "${made:-0}"
	# errors: of each system call, over all threads
	awk '/^   [a-z_0-9]+ +[0-9]+ +[0-9]+ +[0-9.]+ / { call = $1 }
		/^\t+E[A-Z]+: / { sub(/:/, "", $1); n[call " " $1] += $2 } END { for (c in n) print c, n[c] }' $name/tracesum-errno.stderr.txt | sort >want
	table --errno "$file" | awk -F '\t' '$1 !~ /^id / && $2 != "" { print $1, $2, $3 }' | sort >got
	same "$name, errors: $(wc -l <want) rows" want got
done

# strace shows what has no number that it knows as syscall_0x270f
awk 'NF >= 5 && $4 ~ /^[0-9]+$/ && $NF != "total" { print $NF, $4, NF == 6 ? $5 : 0 }' sys1/strace-c.txt | sort >want
table "$from/sys1.data.zst" | awk -F '\t' '$1 !~ /^id / { print $1, $2, $3 }' | sort >got
same "strace -c: $(wc -l <want) rows" want got

# Here and now: threads, fork(), vfork(), what is started, signals, failures.
cat >calls.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int caught;
static void handler(int sig) { caught += sig; }
static void *work(void *arg) { close(-1); return arg; }
int main(int argc, char **argv)
{
	pthread_t t;

	if (argc > 1)
		return access("/nonexistent", R_OK) == 0;
	signal(SIGUSR1, handler);
	for (int i = 0; i < 5; i++) {
		pthread_create(&t, NULL, work, NULL);
		pthread_join(t, NULL);
		if (fork() == 0)
			_exit(getppid() == 0);
		wait(NULL);
		if (vfork() == 0) {
			execl(argv[0], argv[0], "x", (char *)NULL);
			_exit(1);
		}
		wait(NULL);
		kill(getpid(), SIGUSR1);
		close(open(i % 2 ? "/etc/passwd" : "/nonexistent", O_RDONLY));
	}
	return caught == 0;
}
END
if ! strace -o try.strace true 2>err || ! perf record -q -e 'raw_syscalls:*' -o live.data true 2>err; then
	skip 'strace -c, here and now' 'strace or perf record is not there, or not permitted'
elif ! cc -pthread -o calls calls.c 2>err; then
	skip 'strace -c, here and now' "cc: $(head -n 1 err)"
else
	strace -f -c -o live.txt ./calls
	perf record -q -e 'raw_syscalls:*' -o live.data ./calls 2>err
	awk 'NF >= 5 && $4 ~ /^[0-9]+$/ && $NF != "total" { print $NF, $4, NF == 6 ? $5 : 0 }' live.txt | grep -v '^futex ' | sort >want
	# who joins a thread waits by futex() only if that still runs
	table live.data --comms calls | awk -F '\t' '$1 != "futex" { print $1, $2, $3 }' | sort >got
	same "strace -c, here and now: $(wc -l <want) rows" want got
	grep -q '^rt_sigreturn 5 ' got && grep -q '^\(vfork\|clone3\{0,1\}\) [1-9]' got
	result 'here and now: signals and children are there' $?
fi

# sys_enter_NAME and sys_exit_NAME say the same as raw_syscalls; where there are both they do not count twice.
"$pdtool" syscalls -q --format csv "$data/recorded/script/sysc.data.zst" >csv 2>err
equal 'events by name' "$("$pdtool" script -q -F event "$data/recorded/script/sysc.data.zst" | grep -c 'sys_exit_access')" \
	"$(sed -n 's/^access,\([0-9]*\),.*/\1/p' csv)"

lines=$("$pdtool" syscalls -q --format csv --each "$from/sys1.data.zst" | sed 1d | wc -l)
equal 'each by itself' "$("$pdtool" syscalls -q --format csv "$from/sys1.data.zst" | awk -F, 'NR > 1 { n += $2 } END { print n }')" "$lines"
equal 'each: the longest first' "$("$pdtool" syscalls -q --format csv --each "$from/sys1.data.zst" | sed 1d | cut -d, -f2 | sort -rn | head -n 3 | tr '\n' ' ')" \
	"$("$pdtool" syscalls -q --format csv --each --sort duration --limit 3 "$from/sys1.data.zst" | sed 1d | cut -d, -f2 | tr '\n' ' ')"
"$pdtool" syscalls "$from/sys1.data.zst" >got 2>err
equal 'what did not return' 'unfinished    1 more calls did not return while it was recorded' "$(grep ^unfinished got)"
equal 'what had begun before' 'without time  1 calls, of which the beginning was not recorded' "$(grep '^without' got)"

# Any order of bytes, file and pipe.
zstd -dcq "$from/sys1.data.zst" | "$pdtool" syscalls -q --format csv - >got 2>err
"$pdtool" syscalls -q --format csv "$from/sys1.data.zst" >want
same 'from a pipe' want got
"$pdtool" syscalls "$data/recorded/script/cpu-g.data.zst" >got 2>err
equal 'a capture without' '2 no raw_syscalls events' "$? $(sed 's/.*: \(no [a-z_]* events\).*/\1/' err)"

# --by fd: of each process and file descriptor; those that take none are apart. In all they are the calls.
cat >fd.mkperf <<'END'
arch x86_64
tracepoint raw_syscalls:sys_enter id=11 fields="long id;unsigned long args[6]" print="\"NR %ld\", REC->id"
tracepoint raw_syscalls:sys_exit id=12 fields="long id;long ret" print="\"NR %ld\", REC->id"
event raw_syscalls:sys_enter type=tracepoint config=11 period=1 ids=1 sample_id_all mmap comm task sample_type=IDENTIFIER|IP|TID|TIME|CPU|CALLCHAIN|RAW
event raw_syscalls:sys_exit type=tracepoint config=12 period=1 ids=2 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|CALLCHAIN|RAW
comm pid=7 tid=7 comm=prog time=1
comm pid=7 tid=8 comm=prog time=1
mmap pid=7 tid=7 addr=0x400000 len=0x10000 file=/bin/prog time=2
mmap pid=7 tid=7 addr=0x7f0000000000 len=0x10000 file=/lib/x86_64-linux-gnu/libc.so.6 time=2
mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 file=[kernel.kallsyms]_text time=2
default pid=7 cpu=0
# read(3), twice; write(1) by another thread; ioctl(-100); getpid()
sample event=raw_syscalls:sys_enter tid=7 time=1000 chain=[kernel:0xffffffff81000010,user:0x400100,0x400200] raw=[u16:11,u8:0,u8:0,u32:7,u64:0,u64:3,zero:40]
sample event=raw_syscalls:sys_exit tid=7 time=3000 raw=[u16:12,u8:0,u8:0,u32:7,u64:0,u64:5]
sample event=raw_syscalls:sys_enter tid=7 time=4000 chain=[user:0x400100,0x400300] raw=[u16:11,u8:0,u8:0,u32:7,u64:0,u64:3,zero:40]
sample event=raw_syscalls:sys_exit tid=7 time=9000 raw=[u16:12,u8:0,u8:0,u32:7,u64:0,u64:5]
sample event=raw_syscalls:sys_enter tid=8 time=10000 raw=[u16:11,u8:0,u8:0,u32:8,u64:1,u64:1,zero:40]
sample event=raw_syscalls:sys_exit tid=8 time=11000 raw=[u16:12,u8:0,u8:0,u32:8,u64:1,u64:5]
sample event=raw_syscalls:sys_enter tid=7 time=12000 raw=[u16:11,u8:0,u8:0,u32:7,u64:16,u32:-100,u32:0,zero:40]
sample event=raw_syscalls:sys_exit tid=7 time=12500 raw=[u16:12,u8:0,u8:0,u32:7,u64:16,u64:-9]
sample event=raw_syscalls:sys_enter tid=7 time=13000 raw=[u16:11,u8:0,u8:0,u32:7,u64:39,zero:48]
sample event=raw_syscalls:sys_exit tid=7 time=13100 raw=[u16:12,u8:0,u8:0,u32:7,u64:39,u64:7]
END
"$mkperf" -o fd.data fd.mkperf || fail fd mkperf
table --by fd fd.data && cut -d, -f 1-7 csv >got
printf '%s\n' comm,pid,fd,syscall,calls,errors,total_ns prog,7,3,read,2,0,7000 prog,7,1,write,1,0,1000 prog,7,-100,ioctl,1,1,500 prog,7,,getpid,1,0,100 >want
same 'by file descriptor' want got
equal '--time: shares of that time' '1 1000 50.00' "$(table --time 0.00001,0.000012 fd.data >/dev/null && records <csv | awk -F '\t' '$1 == "write" { print $2, $4, $5 }')"
# rt_sigreturn(2) gives back the registers of what was interrupted, which was in no call
{
	cat fd.mkperf
	echo 'sample event=raw_syscalls:sys_enter tid=7 time=14000 raw=[u16:11,u8:0,u8:0,u32:7,u64:15,zero:48]'
	echo 'sample event=raw_syscalls:sys_exit tid=7 time=14050 raw=[u16:12,u8:0,u8:0,u32:7,u64:-1,u64:0]'
} >signal.mkperf
"$mkperf" -o signal.data signal.mkperf && table signal.data >table
equal 'a return from a signal is called so' 'rt_sigreturn 1 0 50' "$(records <csv | awk -F '\t' '$1 ~ /sigreturn|^id / { print $1, $2, $3, $4 }')"
table --each --symfs none fd.data && awk -F, 'NR > 1 { print $2, $NF }' csv >got
printf '%s\n' '2000 [prog];[prog];[[kernel.kallsyms]]' '5000 [prog];[prog]' '1000 ' '500 ' '100 ' >want
same 'where each was made' want got
equal 'no stacks: no such column' result "$("$pdtool" syscalls -q --format csv --each "$from/sys1.data.zst" | head -n 1 | sed 's/.*,//')"

# ---- --each: what is not shown is not kept, and what is shown is the same ----
each() { "$pdtool" syscalls -q --format csv --each "$@" "$from/trace.data.zst" 2>err | sed 1d; }
each >all
for n in 1 7 100 100000; do
	head -n $n all >want
	each --limit $n >got
	same "--limit $n" want got
	# rows without a time come last; those that take as long stay in the order of their ends
	awk -F, '{ print ($2 == "" ? -1 : $2) "," $0 }' all | sort -t, -s -k1,1nr | cut -d, -f2- | head -n $n >want
	each --sort duration --limit $n >got
	same "--sort duration --limit $n" want got
	sort -t, -s -k1,1n all | head -n $n >want
	each --sort time --limit $n >got
	same "--sort time --limit $n" want got
done
ns=$(cut -d, -f2 all | grep . | sort -n | sed -n "$(($(wc -l <all) / 2))p")
awk -F, -v ns="$ns" '$2 != "" && $2 >= ns' all >want
each --min "${ns}ns" >got
same "--min ${ns}ns: $(wc -l <want) of $(wc -l <all)" want got
awk -F, 'NR <= 5' want >some
each --min "${ns}ns" --limit 5 >got
same '--min and --limit' some got
equal 'the fact says how many' "$(grep -c . some) of $(wc -l <all)" \
	"$("$pdtool" syscalls --each --min "${ns}ns" --limit 5 "$from/trace.data.zst" 2>err | sed -n 's/,//g; s/^rows  *//p')"
equal '--min too much' "1 pdtool: --min 1000 s: no row has that much; there are $(wc -l <all)" \
	"$("$pdtool" syscalls -q --each --min 1000s "$from/trace.data.zst" 2>&1 >/dev/null | sed 's/.*\(--min\)/pdtool: \1/; s/,\([0-9]\)/\1/g; s/, the longest.*//; s/^/1 /')"
{
	sed '/^comm/,$d' fd.mkperf
	cat <<-'END'
	comm pid=7 tid=7 comm=app time=0
	repeat 200000 {
	sample event=raw_syscalls:sys_enter pid=7 tid=7 cpu=0 time=1000+$i*1000 raw=[u16:11,u8:0,u8:0,u32:7,u64:$i%20,u64:$i,zero:40]
	sample event=raw_syscalls:sys_exit pid=7 tid=7 cpu=0 time=1100+$i*1000+($i*7919)%800 raw=[u16:12,u8:0,u8:0,u32:7,u64:$i%20,u64:0]
	}
	END
} >many.mkperf
"$mkperf" -o many.data many.mkperf
# The floor is of address space, with no more libraries than the program has: threads and heaps are reserved above it.
floor_of "$pdtool" syscalls -q --each "$from/sys1.data.zst"
for how in '--limit 10' '--sort duration --limit 10' '--min 899ns'; do
	# shellcheck disable=SC2086 # options
	( ulimit -v $((floor + 36000)); "$pdtool" syscalls -q --each $how many.data >got 2>err )
	result "200,000 calls, $how: 36 MB" $? "$(cat err)"
done
( ulimit -v $((floor + 36000)); "$pdtool" syscalls -q --each many.data >got 2>err )
[ $? != 0 ]
result 'which all of them need more than' $?
