#!/bin/sh
# The machine's state: whose address is what, where records contradict each other or tell less than usual.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

state=$data/recorded/state

# dsos FILE [OPTION...]: samples by module, their own addresses: "SAMPLES MODULE".
dsos() {
	file=$1
	shift
	"$pdtool" report -q --no-children -s dso --format csv "$@" "$file" 2>err | records | awk -F '\t' '$5 { print $5, $6 }' |
		sort
}

# ---- the end of a thread ----

# One thread of a server ends, which is told twice; then many processes end, of which only the last ones' maps are kept.
cat >exits.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME
comm pid=10 comm=server time=1
fork pid=10 ppid=10 tid=11 ptid=10 time=2
mmap pid=10 addr=0x10000 len=0x1000 file=/lib/server.so time=3
exit pid=10 ppid=10 tid=11 ptid=10 time=4
exit pid=10 ppid=10 tid=11 ptid=10 time=5
repeat 300 {
fork pid=1000+$i ppid=1 time=10+$i*4
mmap pid=1000+$i addr=0x10000 len=0x1000 file=/bin/short time=11+$i*4
exit pid=1000+$i ppid=1 time=12+$i*4
exit pid=1000+$i ppid=1 time=13+$i*4
}
sample pid=10 time=9000 ip=0x10010
END
"$mkperf" -o exits.data exits.mkperf || exit 1
dsos exits.data >got
echo '1 server.so' >wanted
same 'an EXIT told twice ends one thread, not its process' wanted got

# An exec of a program that may not be watched is told as an EXIT, too: what it maps then shows that it lives.
{
	sed -n '1,/^mmap/p' exits.mkperf
	echo 'exit pid=10 ppid=10 tid=10 ptid=10 time=4'
	echo 'mmap pid=10 addr=0x20000 len=0x1000 file=/bin/sudo time=5'
	sed -n '/^repeat/,/^}/p' exits.mkperf
	echo 'sample pid=10 time=9000 ip=0x20010'
} >lives.mkperf
"$mkperf" -o lives.data lives.mkperf || exit 1
dsos lives.data >got
echo '1 sudo' >wanted
same 'who maps after an EXIT has not ended' wanted got

# perf script --no-inline | stackcollapse-perf.pl: the last samples of a thread that ended have no comm; the first thread
# of a process takes its mappings along.
cat >last.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|CALLCHAIN
comm pid=10 comm=server time=1
mmap pid=10 addr=0x10000 len=0x1000 file=/lib/server.so time=1
fork pid=10 ppid=10 tid=11 ptid=10 time=2
fork pid=10 ppid=10 tid=12 ptid=10 time=2
exit pid=10 ppid=10 tid=11 ptid=10 time=4
sample pid=10 tid=11 time=5 ip=0x10010 chain=[user:0x10010]
exit pid=10 ppid=10 time=6
repeat 3 {
sample pid=10 tid=10+$i time=7 ip=0x10010 chain=[user:0x10010]
}
END
"$mkperf" -o last.data last.mkperf || exit 1
"$pdtool" collapse --compat stackcollapse last.data 2>err >got
cat >wanted <<'END'
:10;[unknown] 1
:11;[server.so] 2
server;[server.so] 1
END
same 'the last samples of a thread are nobody'"'"'s: --compat stackcollapse' wanted got
"$pdtool" collapse -q last.data | stacks >got
equal 'and have their names without' 'server;[server.so] 4' "$(cat got)"

# A sample of nobody has a tid below 0, which is no digits to stackcollapse-perf.pl: the label goes on into the text of the
# tracepoint's fields. What perf 6.12 made of it:
cat >nobody.mkperf <<'END'
tracepoint sched:switch id=301 \
	fields="char prev_comm[16];pid_t prev_pid;int prev_prio;long prev_state;char next_comm[16];pid_t next_pid" \
	print="\"prev_comm=%s prev_pid=%d prev_state=%s%s ==> next_comm=%s next_pid=%d\", REC->prev_comm, REC->prev_pid, \
(REC->prev_state & ((((0x0 | 0x1 | 0x2) + 1) << 1) - 1)) ? \
__print_flags(REC->prev_state & ((((0x0 | 0x1 | 0x2) + 1) << 1) - 1), \"|\", { 0x1, \"S\" }, { 0x2, \"D\" }) : \"R\", \
REC->prev_state & (((0x0 | 0x1 | 0x2) + 1) << 1) ? \"+\" : \"\", REC->next_comm, REC->next_pid"
tracepoint sched:a_longer_name id=302 \
	fields="int n;u64 big;char kind" \
	print="\"n=%03d big=%Lu 100%% %s, %x 5 \", REC->n, (unsigned long long)REC->big, \
__print_symbolic(REC->kind, { 1, \"one\" }, { 2, \"two\" }), REC->n"
event sched:switch type=tracepoint config=301 period=1 ids=5 sample_id_all mmap comm task \
	sample_type=IP|TID|TIME|CPU|CALLCHAIN|RAW|IDENTIFIER
event sched:a_longer_name type=tracepoint config=302 period=1 ids=6 sample_id_all sample_type=IP|TID|TIME|CPU|CALLCHAIN|RAW|IDENTIFIER
default cpu=0
repeat 10 {
sample event=sched:switch pid=0xffffffff time=1000000+$i*1000 ip=0xffffffff81000010 \
	chain=[kernel:0xffffffff81000010] raw=[u16:301,u8:0,u8:0,u32:0,t16:prev,u32:77,u32:120,word:$i,"t16:spin ${$i}",u32:78]
}
repeat 3 {
sample event=sched:a_longer_name pid=0xffffffff time=2000000+$i*1000 ip=0xffffffff81000010 \
	chain=[kernel:0xffffffff81000010] raw=[u16:302,u8:0,u8:0,u32:0,u32:$i*20-3,u32:0,u64:$i+5,u8:$i]
}
END
"$mkperf" -o nobody.data nobody.mkperf || exit 1
cat >wanted <<'END'
:-1______-1_[000]_____0.001000:________sched:switch:_prev_comm=prev_prev_pid=77_prev_state=R_==>_next_comm=spin;[unknown] 1
:-1______-1_[000]_____0.001001:________sched:switch:_prev_comm=prev_prev_pid=77_prev_state=S_==>_next_comm=spin;[unknown] 1
:-1______-1_[000]_____0.001002:________sched:switch:_prev_comm=prev_prev_pid=77_prev_state=D_==>_next_comm=spin;[unknown] 1
:-1______-1_[000]_____0.001003:________sched:switch:_prev_comm=prev_prev_pid=77_prev_state=S|D_==>_next_comm=spin;[unknown] 1
:-1______-1_[000]_____0.001004:________sched:switch:_prev_comm=prev_prev_pid=77_prev_state=0x4_==>_next_comm=spin;[unknown] 1
:-1______-1_[000]_____0.001005:________sched:switch:_prev_comm=prev_prev_pid=77_prev_state=S|0x4_==>_next_comm=spin;[unknown] 1
:-1______-1_[000]_____0.001006:________sched:switch:_prev_comm=prev_prev_pid=77_prev_state=D|0x4_==>_next_comm=spin;[unknown] 1
:-1______-1_[000]_____0.001007:________sched:switch:_prev_comm=prev_prev_pid=77_prev_state=S|D|0x4_==>_next_comm=spin;[unknown] 1
:-1______-1_[000]_____0.001008:________sched:switch:_prev_comm=prev_prev_pid=77_prev_state=R+_==>_next_comm=spin;[unknown] 1
:-1______-1_[000]_____0.001009:________sched:switch:_prev_comm=prev_prev_pid=77_prev_state=S+_==>_next_comm=spin;[unknown] 1
:-1______-1_[000]_____0.002000:_sched:a_longer_name:_n=-03_big=5_100%_0x0,_fffffffd;[unknown] 1
:-1______-1_[000]_____0.002001:_sched:a_longer_name:_n=017_big=6_100%_one,;[unknown] 1
:-1______-1_[000]_____0.002002:_sched:a_longer_name:_n=037_big=7_100%_two,;[unknown] 1
END
"$pdtool" collapse --compat stackcollapse nobody.data 2>err >got
same "samples of nobody: --compat stackcollapse" wanted got
equal 'and without' ':-1;[unknown] 10' "$("$pdtool" collapse -q nobody.data | stacks)"

# ---- exec ----

# While the kernel sets the new program up, the registers of the call stay those of the old one: perf names it, and so
# does pdtool until the new program runs. 1: it is seen running. 2: it has mapped a file of its own. 3: a stack of several
# frames is its own.
cat >exec.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task comm_exec \
	sample_type=IP|TID|TIME|CALLCHAIN
repeat 3 {
comm pid=$i+1 comm=old time=1
mmap pid=$i+1 addr=0x10000 len=0x1000 file=/lib/libc.so time=2
comm pid=$i+1 comm=new$i exec time=10
sample pid=$i+1 time=11 mode=kernel ip=0xffffffff81000010 chain=[kernel:0xffffffff81000010,user:0x10010]
mmap pid=$i+1 addr=0x20000 len=0x1000 file=/bin/new time=12
mmap pid=$i+1 addr=0x30000 len=0x1000 file=[vdso] time=13
sample pid=$i+1 time=14 mode=kernel ip=0xffffffff81000010 chain=[kernel:0xffffffff81000010,user:0x10020]
}
sample pid=1 time=20 ip=0x20010 chain=[user:0x20010]
mmap pid=2 addr=0x40000 len=0x1000 file=/lib/own.so time=20
sample pid=3 time=20 mode=kernel ip=0xffffffff81000010 chain=[kernel:0xffffffff81000010,user:0x20020,0x10020]
repeat 3 {
sample pid=$i+1 time=21 mode=kernel ip=0xffffffff81000010 chain=[kernel:0xffffffff81000010,user:0x10020]
}
END
"$mkperf" -o exec.data exec.mkperf || exit 1
"$pdtool" collapse -q exec.data 2>err | stacks >got
cat >wanted <<'END'
new0;[libc.so];[unknown] 2
new0;[new] 1
new0;[unknown];[unknown] 1
new1;[libc.so];[unknown] 2
new1;[unknown];[unknown] 1
new2;[libc.so];[unknown] 2
new2;[unknown];[new];[unknown] 1
new2;[unknown];[unknown] 1
END
same 'a call of exec has the name that it had' wanted got

# ---- where the kernel lies ----

# perf script -G -F ip has 439 addresses from bf000000 on, where 32-bit ARM has the kernel's modules and then the kernel.
dsos "$state/hiperf-kernel.data.zst" >got
equal 'hiperf: the kernel is all there is, then behind the last address' 439 \
	"$(awk '/ \[(kernel.kallsyms|hi3516cv500_hdmi|hi3516cv500_sys|hi_osal|hi_irq)\]$/ { n += $1 } END { print n + 0 }' got)"
equal 'hiperf: no address is nowhere' '' "$(grep unknown got)"

# perf report: 99.83 and 0.17 %.
dsos "$state/kptr-restrict.data.zst" >got
printf '1149 elf_with_mini_debug_info\n2 [kernel.kallsyms]\n' >wanted
same 'kptr_restrict: a module that is all there is takes nothing' wanted got

# Where the kernel was loaded is not told: symbols that are the recorded kernel's may be off by any distance, and name
# nothing but where the user says so.
cat >placed.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME
build_id 0123456789abcdef0123456789abcdef01234567 [kernel.kallsyms] mode=kernel
mmap pid=-1 tid=0 mode=kernel addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 file="[kernel.kallsyms]_text"
comm pid=7 comm=prog
sample pid=7 time=3 mode=kernel ip=0xffffffff81000120
END
sed 's/addr=[^ ]* len=[^ ]* pgoff=[^ ]*/addr=0 len=0/' placed.mkperf >hidden.mkperf
"$mkperf" -o placed.data placed.mkperf && "$mkperf" -o hidden.data hidden.mkperf || exit 1
place='cache/[kernel.kallsyms]/0123456789abcdef0123456789abcdef01234567'
mkdir -p "$place" named && printf '%s\n' 'ffffffff81000000 T _text' 'ffffffff81000100 T one' 'ffffffff81000200 T two' >"$place/kallsyms"
cp "$place/kallsyms" named/kallsyms
for of in 'placed one --buildid-dir=cache' 'hidden [[kernel.kallsyms]] --buildid-dir=cache' \
	"hidden one --kallsyms=$place/kallsyms" 'hidden one --symbols=named'; do
	set -- $of
	equal "names of a kernel whose place is $1, ${3%%=*}" "prog;$2 1" "$("$pdtool" collapse -q "$3" "$1.data" | stacks)"
done

# ---- what the kernel is called ----

# perf script --no-inline | stackcollapse-perf.pl takes the name of the kernel, and of a module, from the build-id table.
cat >called.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|CALLCHAIN
build_id 0123456789abcdef0123456789abcdef01234567 /lib/modules/5/build/vmlinux mode=kernel
build_id 0123456789abcdef0123456789abcdef01234568 /lib/modules/5/kernel/a-b.ko.xz mode=kernel
build_id 0123456789abcdef0123456789abcdef01234569 /lib/modules/5/kernel/ef.ko pid=7
mmap pid=-1 tid=0 mode=kernel addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 file="[kernel.kallsyms]_text"
mmap pid=-1 tid=0 mode=kernel addr=0xffffffffc0000000 len=0x1000 file="[a_b]"
mmap pid=-1 tid=0 mode=kernel addr=0xffffffffc0001000 len=0x1000 file="/lib/modules/5/kernel/cd.ko"
mmap pid=-1 tid=0 mode=kernel addr=0xffffffffc0002000 len=0x1000 file="[ef]"
comm pid=7 comm=prog
sample pid=7 time=3 ip=0xffffffff81000010 \
	chain=[kernel:0xffffffff81000010,0xffffffffc0000010,0xffffffffc0001010,0xffffffffc0002010]
END
"$mkperf" -o called.data called.mkperf || exit 1
equal 'an unnamed kernel or module is called as in the build-id table: --compat stackcollapse' \
	'prog;[[ef]];[[cd]];[a-b.ko.xz];[vmlinux] 1' "$("$pdtool" collapse --compat stackcollapse called.data 2>err)"
equal 'and as ever without' 'prog;[[ef]];[[cd]];[[a_b]];[[kernel.kallsyms]] 1' \
	"$("$pdtool" collapse -q called.data | stacks)"

# ---- guests ----

# perf kvm --guest report names the kernel of a guest that its host recorded from --guestkallsyms, and only from that. The
# guest of process 8 is another one.
cat >guest.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|CALLCHAIN
mmap pid=-1 tid=0 mode=kernel addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 file="[kernel.kallsyms]_text"
mmap pid=8 mode=guest_kernel addr=0xffffffff82000000 len=0x1000 file="[guest.kernel.kallsyms.8]_text"
comm pid=7 comm=qemu
comm pid=8 comm=qemu
sample pid=7 time=3 mode=guest_kernel ip=0xffffffff82000110 chain=[guest_kernel:0xffffffff82000110,0xffffffff82000210]
sample pid=7 time=5 mode=guest_kernel ip=0xffffffffc1000020 chain=[guest_kernel:0xffffffffc1000020]
sample pid=7 time=6 mode=guest_kernel ip=0xffffffffc2000020 chain=[guest_kernel:0xffffffffc2000020]
sample pid=7 time=7 mode=guest_user ip=0x400020 chain=[guest_user:0x400020]
sample pid=7 time=8 mode=kernel ip=0xffffffff81000110 chain=[kernel:0xffffffff81000110]
sample pid=8 time=9 mode=guest_kernel ip=0xffffffff82000110 chain=[guest_kernel:0xffffffff82000110]
END
"$mkperf" -o guest.data guest.mkperf || exit 1
printf '%s\n' 'ffffffff82000000 T _text' 'ffffffff82000100 T guest_one' 'ffffffff82000200 t guest_two' \
	'ffffffff82001000 T _etext' 'ffffffffc1000000 t gmod_one	[gmod]' 'ffffffffc2000000 t other_one	[other]' >guest.kallsyms
printf '%s\n' 'gmod 16384 1 - Live 0xffffffffc1000000' 'moved 16384 1 - Live 0xffffffffc2000000 (OE)' >guest.modules
printf '%s\n' 'gmod 16384 1 - Live 0x0000000000000000' >guest.hidden

cat >wanted <<'END'
qemu;[[guest.kernel.kallsyms.8]] 1
qemu;[[guest.kernel.kallsyms]] 2
qemu;[[guest.kernel.kallsyms]];[[guest.kernel.kallsyms]] 1
qemu;[guest] 1
qemu;host_one 1
END
sed 's/^ffffffff82/ffffffff81/; s/guest_/host_/' guest.kallsyms >host.kallsyms
"$pdtool" collapse -q --kallsyms host.kallsyms guest.data | stacks | sort >got
same 'a guest has no names of its host' wanted got
cat >wanted <<'END'
qemu;[[guest.kernel.kallsyms.8]] 1
qemu;[[kernel.kallsyms]] 1
qemu;[guest] 1
qemu;gmod_one 1
qemu;guest_two;guest_one 1
qemu;other_one 1
END
"$pdtool" collapse -q --guest-kallsyms guest.kallsyms guest.data | stacks | sort >got
same 'the kernel of a guest is named from what is given for it, other guests are not' wanted got
dsos guest.data --guest-kallsyms guest.kallsyms --guest-modules guest.modules >got
cat >wanted <<'END'
1 [gmod]
1 [guest.kernel.kallsyms.8]
1 [guest.kernel.kallsyms]
1 [guest]
1 [kernel.kallsyms]
1 [moved]
END
same 'its modules lie where --guest-modules says' wanted got
equal 'one that lies elsewhere in kallsyms has no names' 0 "$("$pdtool" collapse -q --guest-kallsyms guest.kallsyms \
	--guest-modules guest.modules guest.data | grep -c other_one)"
"$pdtool" collapse --guest-modules guest.hidden guest.data >got 2>err
grep -q 'guest.hidden: has no modules with their addresses' err && ok 'modules without their addresses are told' ||
	fail 'modules without their addresses are told' "$(head -n 1 err)"
"$pdtool" doctor guest.data >got 2>err
grep -q '^get .*in the guest, as root: cp /proc/kallsyms guest-kallsyms; here: --guest-kallsyms' got &&
	ok 'doctor says what names the kernel of a guest' || fail 'doctor says what names the kernel of a guest' "$(grep ^get got)"
# Its kernel may have been loaded elsewhere when kallsyms was copied: perf kvm records where it was.
sed 's/^comm pid=7/mmap pid=0 mode=guest_kernel addr=0xffffffff82000000 len=0x1000 pgoff=0xffffffff82000000 file="[guest.kernel.kallsyms]_text"\n&/
	/ffffffffc/d' guest.mkperf >where.mkperf
sed '/gmod/d; /other/d; s/^ffffffff82/ffffffff9a/' guest.kallsyms >guest.moved
"$mkperf" -o where.data where.mkperf || exit 1
equal 'a kernel that was loaded elsewhere' 'qemu;guest_two;guest_one 1' \
	"$("$pdtool" collapse -q --guest-kallsyms guest.moved where.data | grep guest_)"

# hiperf records modules by their bare names, which kallsyms has in brackets.
cat >bare.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME
mmap pid=0 mode=kernel addr=0 len=-1 file="[kernel.kallsyms]"
mmap pid=0 mode=kernel addr=0xbf000000 len=0x1000 file=osal
comm pid=7 comm=prog
sample pid=7 time=3 mode=kernel ip=0xbf000120
sample pid=7 time=4 mode=kernel ip=0xc0008120
END
"$mkperf" -o bare.data bare.mkperf || exit 1
printf '%s\n' 'bf000100 t osal_one	[osal]' 'c0008100 T kernel_one' 'c0009000 T kernel_two' >bare.kallsyms
"$pdtool" collapse -q --kallsyms bare.kallsyms bare.data | stacks >got
printf 'prog;kernel_one 1\nprog;osal_one 1\n' >wanted
same 'a module by its bare name has its names from kallsyms' wanted got
dsos bare.data >got
printf '1 [kernel.kallsyms]\n1 [osal]\n' >wanted
same 'and is called as others are' wanted got

# ---- chains that are deep and almost equal ----

# 5,000 of 8,001 addresses are 320 MB as they are recorded, 1,000 are 64 MB: kept is what makes them differ. ulimit -v
# counts the program and its libraries, too.
for command in info collapse report abstime "flamegraph -o $tmp/deep.svg"; do
	for deep in deep-chains.data deep-chains.zst; do
		# shellcheck disable=SC2086 # a command and its options
		( ulimit -v 150000; "$pdtool" $command "$state/$deep" >got 2>err )
		status=$?
		equal "${command%% *} of $deep in 150 MB" 0 $status
	done
done
"$pdtool" collapse -q "$state/deep-chains.data" | stacks | awk '{ print NF, $NF, gsub(";", ";") }' >got
echo '2 5000 8001' >wanted
same 'all of their frames' wanted got
