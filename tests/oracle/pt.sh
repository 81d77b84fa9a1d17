#!/bin/sh
# Intel PT against the truth: a program that was run step by step, so that each branch is known, in packets of libipt's own
# encoder (tests/lib/ptwriter.c).
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

printf '#include <intel-pt.h>\nint main(void) { return !pt_library_version().major; }\n' >has.c
if [ "$(uname -m)" != x86_64 ] || ! cc -o has has.c -lipt 2>/dev/null || ! ./has; then
	skip 'Intel PT' 'no libipt, or no x86-64'
	exit 0
fi

cat >prog.c <<'END2'
#include "walked.h"
static long call(long nr, long a, long b, long c, long d)
{
	register long r10 __asm__("r10") = d;
	long out;

	__asm__ volatile("syscall" : "=a"(out) : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10) : "rcx", "r11", "memory");
	return out;
}
static void handler(int n) { sink += tree(3) + n; }
__attribute__((naked)) static void restore(void) { __asm__("mov $15, %eax\n syscall"); }
static struct {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	unsigned long mask;
} action = { handler, 0x04000000, restore, 0 };
void _start(void)
{
	call(13, 10, (long)&action, 0, 8);
	for (unsigned i = 0; i < 40; i++) {
		sink += i % 3 ? leaf(i) : chosen[i % 2](i % 9);
		if (i == 20) /* a signal to itself */
			call(62, call(39, 0, 0, 0, 0), 10, 0, 0);
	}
	call(60, 0, 0, 0, 0);
}
END2
cc -O1 -static -nostdlib -fno-pie -no-pie -fno-stack-protector -fcf-protection=none -I "$top/tests/lib" -o prog prog.c || exit 1
cc -O1 -o ptwriter "$top/tests/lib/ptwriter.c" -lipt || exit 1

# begun CPU_WIDE NORETCOMP: what a capture of it begins with, of processes 7 and 8.
begun() {
	cat <<-END2
	event "intel_pt//u" type=8 config=$((0x2402 + $2 * 0x800)) period=1 ids=1,2 sample_id_all exclude_kernel exclude_hv \\
		sample_type=IP|TID|TIME|CPU|IDENTIFIER
	cpuid GenuineIntel,6,158,10
	arch x86_64
	feature 18 zero:8
	auxtrace_info type=1 priv=[8,10,512,1000000,1,0x400,0x800,$1,0,$1,0x200,0x3c000,84,2,2,20,0]
	id_index entries=[1:0:-1:7]
	END2
	for pid in 7 8; do
		echo "comm pid=$pid tid=$pid comm=prog$pid time=1000010 cpu=0"
		readelf -lW prog | awk -v file="$tmp/prog" -v pid=$pid '$1 == "LOAD" && /R E/ {
			print "mmap pid=" pid " tid=" pid " addr=" $3 " len=" $6 " pgoff=" $2 " file=\"" file "\" time=1000011 cpu=0" }'
	done
}
# one NORETCOMP: run.data of run.aux.
one() {
	{ begun 0 $1 && sed 's/\$QUEUE/tid=7 cpu=-1/' run.aux; } >run.mkperf && "$mkperf" -o run.data run.mkperf
}
# traced LETTERS FIELDS FILE: lines of the branches, with the file of the program.
traced() {
	letters=$1 shown=$2 file=$3
	shift 3
	"$pdtool" script -q --itrace="$letters" -F "$shown" --ns --allow-unverified --symfs / "$@" "$file" 2>err
}
# As OUT.truth has them: "FROM TO WHAT NS".
seen() {
	traced "$@" | awk '{
		ns = $1; sub(/:/, "", ns); sub(/\./, "", ns); sub(/^0*/, "", ns)
		for (i = 2; $i != "=>"; i++)
			;
		what = ""
		for (k = 2; k < i - 1; k++)
			what = what (k > 2 ? "-" : "") $k
		print $(i - 1), $(i + 1), what, ns - 1500000
	}' | sed 's/tr-end-\([a-z]*\)/\1-tr-end/'
}

if ! ./ptwriter run ./prog >steps; then
	skip 'Intel PT' 'a program cannot be traced here'
	exit 0
fi
for options in '' -b -r '-b -r' '-b -i 37' '-p 100 -i 100' '-i 10 -p 50 -r' '-b -c' '-p 1000000 -r'; do
	# shellcheck disable=SC2086
	./ptwriter $options run ./prog >steps
	case $options in *-r*) one 0 ;; *) one 1 ;; esac
	seen b time,flags,ip,addr run.data >got
	# what an interrupt or a point of synchronisation comes behind has the time of that
	case $options in *-i*) cut -d ' ' -f 1-3 run.truth >want && cut -d ' ' -f 1-3 got >some && mv some got ;; *) cp run.truth want ;; esac
	same "every branch, in order${options:+: $options} ($(wc -l <want))" want got
done
equal 'nothing is said of it' '' "$(cat err)"

# ---- what is chosen ----

./ptwriter run ./prog >steps
one 1
seen c time,flags,ip,addr run.data >got
grep -E ' (call|syscall-tr-end|async-tr-end) ' run.truth >want
same "calls ($(wc -l <want))" want got
seen r time,flags,ip,addr run.data >got
grep -E ' (return|tr-strt) ' run.truth >want
same "returns ($(wc -l <want))" want got
equal 'every instruction' "$(cat steps)" "$(traced i1i ip run.data | wc -l)"
# what an instruction is, it is also where it does not branch
objdump -d --no-show-raw-insn prog | awk '{ sub(/:$/, "", $1) } $2 ~ /^j/ && $2 !~ /^jmp/ { print $1, "jcc" } $2 ~ /^(call|ret|jmp)/ { print $1, $2 }' |
	sed 's/ ret.*/ return/; s/ call.*/ call/; s/ jmp.*/ jmp/' | sort -u >kinds
traced i1i flags,ip run.data | awk '/^  (jcc|call|return|jmp) / { print $2, $1 } NF == 1 { print $1, "other" }' | sort -u >got
awk 'NR == FNR { kind[$1] = $2; next } { print $1, $1 in kind ? kind[$1] : "other" }' kinds got | sort -u >want
same "what instructions are ($(wc -l <want))" want got
equal 'every tenth' "$(($(cat steps) / 10))" "$(traced i10i ip run.data | wc -l)"
# a number without a unit is of nanoseconds, as perf takes it
traced i100 time,ip run.data >got
traced i100ns time,ip run.data >want
same 'a period without a unit' want got
traced i200t time,ip run.data >got
same 'a period in ticks, of which a nanosecond has two' want got
traced i1i ip,addr run.data | awk '$1 != "0" { print $2, $1 }' >got
awk '$1 != "0" && $2 != "0" && $3 !~ /async/ { print $1, $2 }' run.truth >want
same "where to instructions went ($(wc -l <want))" want got
traced i10ms ip run.data >got
equal 'none in so short a trace' 'hold none that is asked for' "$(grep -o 'hold none.*' err)"
traced b comm,tid,time,event,ip,sym run.data --time 0.001501,0.001502 >got
equal 'with a filter of time' "$(awk '{ t = $4 + 1500000 } t >= 1501000 && t <= 1502000' run.truth | wc -l)" "$(wc -l <got)"

# ---- how deep calls are ----

# depths: blanks before each function, of OUT.truth: calls leave an address to return to, which returns look for.
depths() {
	awk 'function pop(to,  i) { for (i = n; i >= 1; i--) if (back[i] == to) { n = i - 1; return } }
	NR == FNR { after[$1] = $2; next }
	{
		calls = $3 ~ /^(call|syscall)/
		if (calls && $2 != "0" && after[$1] != $2)
			back[++n] = after[$1]
		else if (!calls && $3 == "tr-strt")
			pop($2)
		else if ($3 == "return")
			pop($2)
		if ($3 ~ /^async/ || ($2 != "0" && (calls || $3 ~ /^(return|tr-strt)/)))
			print 4 * (n + ($3 == "return"))
	}' "$@"
}
# the instruction behind each
objdump -d --no-show-raw-insn prog | awk '/^ +[0-9a-f]+:\t/ { sub(/:$/, "", $1); if (last) print last, $1; last = $1 }' >behind
traced b flags,callindent run.data >lines
cut -c 25- lines | grep '[^ ]' | awk '{ match($0, /^ */); print RLENGTH }' >got
depths behind run.truth >want
same "calls are indented by how deep they are ($(wc -l <want) lines)" want got
[ "$(sort -n want | tail -n 1)" -ge 16 ]
result 'some are deep' $? "$(sort -n want | tail -n 1)"
equal 'the function that is entered, and left' 'leaf leaf' "$(sed -n 's/^  \(call\|return\) *\([a-z]*\) *$/\2/p' lines | head -n 2 | tr '\n' ' ' | sed 's/ $//')"
reference=${REFERENCE_PERF:-perf}
case $("$reference" --version 2>/dev/null) in
'perf version 6.12'*)
	for letters in b c r cr; do
		for fields in flags,callindent,ip,sym,addr callindent,ip,addr callindent,dso time,callindent,sym,symoff,dso,ip,addr; do
			"$reference" script --itrace=$letters -F $fields -i run.data 2>/dev/null >want
			"$pdtool" script -q --itrace=$letters -F $fields --allow-unverified --symfs / run.data >got 2>err
			same "perf script --itrace=$letters -F $fields" want got
		done
	done ;;
*) skip 'callindent as perf script has it' 'neither $REFERENCE_PERF nor perf is perf 6.12' ;;
esac

# ---- instructions per cycle ----

# ipc LETTERS FIELDS FILE: what the lines have, "INSTRUCTIONS CYCLES".
ipc() { traced "$@" | sed -n 's|.*IPC: .*(\([0-9]*\)/\([0-9]*\)).*|\1 \2|p'; }
# two cycles for each instruction, and a packet for all that is not told by the code alone
for options in -b '-b -r'; do
	# shellcheck disable=SC2086
	./ptwriter $options run ./prog >steps
	case $options in *-r*) one 0 ;; *) one 1 ;; esac
	equal "each has its two cycles: $options" "$(cat steps) 0" "$(ipc b ipc run.data | awk '{ n += $1; odd += $2 != 2 * $1 } END { print n, 0 + odd }')"
	ipc b ipc run.data | awk '{ print $1 / $2 * 100 }' | sort -u >got
	equal "and says so: $options" '50 IPC: 0.50' "$(cat got) $(traced b ipc run.data | grep -o 'IPC: [0-9.]*' | sort -u)"
done
./ptwriter -b -c run ./prog >steps
one 1
equal 'without cycles it shows nothing' '' "$(ipc b ipc run.data)"
case $("$reference" --version 2>/dev/null) in
'perf version 6.12'*)
	for options in '' -b -r '-b -r' '-b -i 37' '-p 100 -i 100' '-i 10 -p 50 -r' '-p 1000000 -r'; do
		# shellcheck disable=SC2086
		./ptwriter $options run ./prog >steps
		case $options in *-r*) one 0 ;; *) one 1 ;; esac
		: >want && : >got
		for letters in b c r cr i1i i7i bi3i; do
			"$reference" script --itrace=$letters -F flags,ip,addr,ipc -i run.data 2>/dev/null >>want
			"$pdtool" script -q --itrace=$letters -F flags,ip,addr,ipc --allow-unverified --symfs / run.data >>got 2>err
		done
		same "perf script -F +ipc${options:+: $options} ($(grep -c IPC want))" want got
	done ;;
*) skip 'ipc as perf script has it' 'neither $REFERENCE_PERF nor perf is perf 6.12' ;;
esac

# ---- a flame chart ----

# chart: what it has, of OUT.truth: "DEPTH START END NAME"; names by nm.
nm -n prog | awk '$2 ~ /[tT]/ { print $1, $3 }' >functions
chart() {
	awk 'BEGIN { depth = 0 }
	function number(hex,  v, i) { for (i = 1; i <= length(hex); i++) v = v * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1; return v }
	function name(at,  i) { for (i = n; i > 1 && start[i] > at; i--); return called[i] }
	function enter(what) { began[depth] = $4; frame[depth] = what; from[depth] = resume[depth] = 0; depth++ }
	function leave(to) { while (depth > to) { depth--; print depth, began[depth] + 1500000, $4 + 1500000, frame[depth] } }
	NR == FNR { start[++n] = number($1); called[n] = $2; next }
	{ to = number($2) }
	$3 == "call" { enter(name(to)); from[depth - 1] = number($1) }
	$3 == "return" { for (i = depth - 1; i >= 0; i--) if (from[i] && to > from[i] && to < from[i] + 16) { leave(i); break } }
	/tr-end/ { enter(/syscall/ ? "[system call]" : "[interrupt]"); stopped = number($1); outside = 1 }
	/tr-strt/ && !outside { enter(name(to)) }
	/tr-strt/ && outside {
		outside = 0
		leave(depth - 1)
		if (to >= stopped && to < stopped + 16)
			next
		for (i = depth - 1; i >= 0 && resume[i] != to; i--)
			;
		if (i >= 0)
			leave(i)
		else {
			enter(name(to))
			resume[depth - 1] = stopped
		}
	}
	END { leave(0) }' functions "$1" | sort -k 2,2n -k 1,1n
}
for options in -b '-b -i 30 -r'; do
	# shellcheck disable=SC2086
	./ptwriter $options run ./prog >steps
	case $options in *-r*) one 0 ;; *) one 1 ;; esac
	"$pdtool" flamegraph -q --flamechart --itrace --allow-unverified --symfs / --format csv run.data 2>err |
		awk -F, 'NR > 1 { print $2, $3, $4, $5 }' | sort -k 2,2n -k 1,1n >got
	chart run.truth >want
	same "each call, from when to when: $options ($(wc -l <want))" want got
done

# Samples of other events beside the trace are not what is drawn.
{ begun 0 1 | sed 's/^cpuid/event cycles type=hardware config=0 period=1 ids=3 sample_id_all sample_type=IP|TID|TIME|CPU|IDENTIFIER\n&/'
	echo 'sample event=cycles pid=7 tid=7 cpu=0 time=1499950 ip=0x401000'
	sed 's/\$QUEUE/tid=7 cpu=-1/' run.aux; } >beside.mkperf && "$mkperf" -o beside.data beside.mkperf
for file in run.data beside.data; do
	"$pdtool" flamegraph -q --flamechart --itrace --allow-unverified --symfs / --format json $file 2>err | grep -v '^"\(capture\|samples\|sampled\)":' >got
	[ $file = run.data ] && mv got want
done
same 'a chart of the trace, whatever else was sampled' want got

# ---- forms ----

traced b comm,tid,time,event,ip,addr run.data >want
traced b comm,tid,time,event,ip,addr - <run.data >got
same 'standard input' want got
"$mkperf" --mode pipe -o pipe.data run.mkperf && cat pipe.data | traced b comm,tid,time,event,ip,addr - >got
same 'a pipe' want got
"$mkperf" --zstd -o zstd.data run.mkperf && traced b comm,tid,time,event,ip,addr zstd.data >got
same 'compressed records' want got
if command -v zstd >/dev/null; then
	zstd -qf run.data && traced b comm,tid,time,event,ip,addr run.data.zst >got
	same 'compressed as a whole' want got
else
	skip 'compressed as a whole' 'no zstd'
fi

# ---- CPUs and threads ----

# Two buffers, of two CPUs: 7 runs on the first, 8 on the second.
cp run.truth truth.7
sed 's/\$QUEUE/tid=-1 cpu=0/' run.aux >aux.7
./ptwriter -i 50 run ./prog >steps
cp run.truth truth.8
sed 's/idx=0 \$QUEUE/idx=1 tid=-1 cpu=1/' run.aux >aux.8
{
	begun 1 1
	echo 'itrace_start pid=7 tid=7 time=1499900 cpu=0'
	echo 'switch pid=8 tid=8 time=1499990 cpu=1'
	cat aux.7 aux.8
} >two.mkperf && "$mkperf" -o two.data two.mkperf || exit 1
for pid in 7 8; do
	traced b tid,ip,addr two.data --pid $pid | sed -E "s/^ *$pid +([0-9a-f]+) => +([0-9a-f]+) *$/\1 \2/" >got
	cut -d ' ' -f 1,2 truth.$pid >want
	same "a process on a CPU ($pid)" want got
done
traced b time,ip two.data | awk '{ n += $1 + 0 < last; last = $1 + 0 } END { print n, NR }' >got
equal 'both in the order of time' "0 $(cat truth.7 truth.8 | wc -l)" "$(cat got)"
# one buffer, on whose CPU another process runs from a moment on
cut=$(awk '$3 == "syscall-tr-end" { n++ } n == 2 { print $4 + 20; exit }' truth.7)
{
	begun 1 1
	echo 'itrace_start pid=7 tid=7 time=1499900 cpu=0'
	echo "switch_cpu_wide out pid=7 tid=7 next_pid=8 next_tid=8 time=$((1500000 + cut)) cpu=0"
	cat aux.7
} >switch.mkperf && "$mkperf" -o switch.data switch.mkperf || exit 1
traced b tid,ip switch.data | awk '{ print $1 }' | uniq -c | awk '{ print $1, $2 }' >got
awk -v cut="$cut" '{ n[$4 > cut ? 8 : 7]++ } END { print n[7], 7; print n[8], 8 }' truth.7 >want
same 'a context switch' want got
traced b tid,ip switch.data --filter 'tid == 8' | awk '{ print $1 }' | uniq -c | awk '{ print $1, $2 }' >got
equal 'a filter by field' "$(tail -n 1 want)" "$(cat got)"
# the code is needed, too, where no address is to be shown
traced b tid switch.data | awk '{ print $1 }' | uniq -c | awk '{ print $1, $2 }' >got
same 'threads alone' want got
traced b tid switch.data --filter 'tid == 8' | awk '{ print $1 }' | uniq -c | awk '{ print $1, $2 }' >got
equal 'threads alone, with a filter by field' "$(tail -n 1 want)" "$(cat got)"

# ---- what is not there, or damaged ----

"$pdtool" script --itrace=b "$data"/recorded/foreign/02-*.zst >got 2>err
equal 'no trace' '1 the capture has no trace of instructions (perf record -e intel_pt//)' "$? $(sed 's/.*itrace: //' err)"
"$pdtool" script --itrace=x run.data >got 2>err
equal 'no such letter' 2 $?
sed 's/type=1 priv/type=2 priv/' run.mkperf >bts.mkperf && "$mkperf" -o bts.data bts.mkperf
"$pdtool" script --itrace=b bts.data >got 2>err
equal 'another kind of trace' '1 its trace is not Intel PT, which alone is decoded' "$? $(sed 's/.*itrace: //' err)"
"$pdtool" script --itrace=b --ns -F ip,addr run.data >got 2>err # no code
grep -q 'what was run there is not at hand' err && ok 'no code is said' || fail 'no code is said' "$(cat err)"
{
	begun 1 1
	echo 'repeat 16390 {'
	echo 'auxtrace idx=$i tid=-1 cpu=$i reference=1 offset=0 size=8 payload=zero:8'
	echo '}'
} >many.mkperf && "$mkperf" -o many.data many.mkperf && "$pdtool" script --itrace=b many.data >got 2>err
equal 'buffers past the bound' '6 pieces of trace are too many: they are not decoded' "$(sed -n 's/.*: \([0-9]* pieces.*\)/\1/p' err)"
./ptwriter -b -p 200 run ./prog >steps
one 1
like=$("$pdtool" info --allow-empty run.data 2>err | sed -n 's/^aux data  *//p')
case $like in
[1-9]*' records, '*' of trace, decoded by script --itrace') ok 'info says what decodes it' ;;
*) fail 'info says what decodes it' "$like" ;;
esac
cut -d ' ' -f 1,2 run.truth >truth
# damaged SEEDS: of captures with one byte of the trace changed, those that lose more than the part of the trace between two
# points of synchronisation
perl "$top/tests/oracle/pt_damage.pl" "$pdtool" run.data run.aux truth ${PT_DAMAGED:-150} >got 2>&1
equal 'damage costs only what is damaged' "0 of ${PT_DAMAGED:-150}" "$(cat got)"
