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

# ---- where the kernel lies ----

# perf script -G -F ip has 439 addresses from bf000000 on, where 32-bit ARM has the kernel's modules and then the kernel.
dsos "$state/hiperf-kernel.data.zst" >got
equal 'hiperf: the kernel is all there is, then behind the last address' 439 \
	"$(awk '/ (\[kernel.kallsyms\]|hi3516cv500_hdmi|hi3516cv500_sys|hi_osal|hi_irq)$/ { n += $1 } END { print n + 0 }' got)"
equal 'hiperf: no address is nowhere' '' "$(grep unknown got)"

# perf report: 99.83 and 0.17 %.
dsos "$state/kptr-restrict.data.zst" >got
printf '1149 elf_with_mini_debug_info\n2 [kernel.kallsyms]\n' >wanted
same 'kptr_restrict: a module that is all there is takes nothing' wanted got

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
