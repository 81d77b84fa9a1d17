# Damaged files beside a whole capture: where its symbols, lines and rules for unwinding come from. For each kind:
#   damaged SWEEP COUNT SEED    COUNT copies of each input, each changed in some places, by the program SWEEP; five
#                               times as many where it is the only one of its kind
# To be sourced after captures.sh. A link to the file "input" stands where the file would be.

here=$PWD
table=$here/damaged.table # lines of: times, input, command
: >"$table"
linked() { mkdir -p "$(dirname "$1")" && ln -sf "$here/input" "$1"; }
kind() { printf '%s|%s|%s\n' "${3:-1}" "$1" "$2" >>"$table"; }

# ---- ELF and DWARF: a program, its debug file, MiniDebugInfo; a kernel module, packed or not ----

cat >prog.c <<'END'
#include <stdlib.h>
static volatile int sink;
static inline __attribute__((always_inline)) int inner(int n) { sink += n; return n * 3; }
static __attribute__((noipa)) int hidden(int n) { return inner(n) + inner(n + 1); }
__attribute__((noipa)) int shown(int n) { return hidden(n) + abs(n); }
int main(int argc, char **argv) { return shown(argc) + atoi(argv[argc - 1]); }
END
cat >prog.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task \
	sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
comm pid=5 comm=prog time=1
mmap pid=5 addr=0x400000 len=0x8000 pgoff=0 file=/bin/prog time=2
mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 file=[kernel.kallsyms]_text time=1
mmap pid=-1 tid=0 addr=0xffffffffc0100000 len=0x4000 file=/lib/modules/5.10.0/kernel/prog.ko time=1
repeat 64 {
sample pid=5 time=3+$i ip=0x401000+$i*24 chain=[user:0x401000+$i*24,0x401100+$i*8]
sample pid=5 time=3+$i ip=0xffffffffc0100000+$i*8 mode=kernel chain=[kernel:0xffffffffc0100000+$i*8,0xffffffff81000000+$i*64]
}
END
if gcc -O2 -g -rdynamic -Wl,--build-id -o prog.elf prog.c 2>err; then
	"$mkperf" -o prog.capture prog.mkperf || exit 1
	gcc -O2 -g -gdwarf-4 -static-pie -nostartfiles -Wl,-e,main -o prog.dwarf4 prog.c 2>err || cp prog.elf prog.dwarf4
	gcc -O2 -g -fno-pic -c prog.c -o prog.o && ld -r --build-id prog.o -o prog.ko
	objcopy --compress-debug-sections=zlib prog.elf prog.zlib
	strip --strip-all prog.elf -o prog.bare
	objcopy --only-keep-debug prog.elf prog.debug
	objcopy -S prog.debug prog.symbols --keep-symbol=hidden && xz -c prog.symbols >prog.xz &&
		objcopy --add-section .gnu_debugdata=prog.xz prog.bare prog.mini
	xz -c prog.ko >prog.ko.xz
	gzip -c prog.ko >prog.ko.gz
	zstd -q -c prog.ko >prog.ko.zst
	linked user/bin/prog
	linked module/lib/modules/5.10.0/kernel/prog.ko
	for file in elf mini; do
		kind prog.$file "collapse --no-inline --symfs user $here/prog.capture"
	done
	for file in elf dwarf4 zlib debug; do
		kind prog.$file "collapse --srcline --symfs user $here/prog.capture"
	done
	kind prog.ko "collapse --no-inline --symfs module $here/prog.capture"
	for file in ko ko.xz ko.gz ko.zst; do
		kind prog.$file "collapse --srcline --symfs module $here/prog.capture"
	done
	kind prog.elf "collapse --srcline --vmlinux @ $here/prog.capture"
fi

# ---- kallsyms, perf maps, jitdumps, Go's tables ----

awk 'BEGIN {
	for (i = 0; i < 400; i++)
		printf "%08x%08x %s kernel_%d\n", 4294967295, 2164260864 + i * 64, substr("TtWwDdBb", i % 8 + 1, 1), i
	for (i = 0; i < 100; i++)
		printf "%08x%08x t module_%d\t[prog]\n", 4294967295, 3222274048 + i * 16, i
}' >prog.kallsyms
kind prog.kallsyms "collapse --kallsyms @ $here/prog.capture" 5
cat >jit.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap mmap2 comm task sample_type=IP|TID|TIME|CALLCHAIN|CPU
mmap2 pid=5 addr=0x10000 len=0x10000 pgoff=0 file=//anon time=2 prot=7
repeat 64 {
sample pid=5 time=3+$i ip=0x10000+$i*64 chain=[user:0x10000+$i*64,0x10100+$i*8]
}
END
if "$mkperf" -o jit.capture jit.mkperf; then
	awk 'BEGIN { for (i = 0; i < 300; i++) printf "%x %x jitted_%d with blanks\n", 65536 + i * 40, 20 + i % 40, i }' >jit.map
	linked maps/perf-5.map
	kind jit.map "collapse --perf-map-dir maps $here/jit.capture" 5
	kind jit.map "collapse --perf-map=5=@ $here/jit.capture"
fi

cat >dump.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task use_clockid clockid=1 \
	sample_type=IP|TID|TIME|CALLCHAIN|CPU
mmap pid=10 addr=0x7000000 len=0x1000 file=/tmp/jit-10.dump time=50
repeat 64 {
sample pid=10 time=90+$i*20 ip=0x5000+$i*16 chain=[user:0x5000+$i*16,0x5040+$i*8]
}
END
awk 'BEGIN {
	print "line 0x5000 0x5000 7 /src/a.js"
	print "other 4 64"
	for (i = 0; i < 60; i++)
		printf "load %d %#x 0x40 %d jitted_%d\n", 100 + i * 10, 20480 + i % 20 * 48, i, i
	for (i = 0; i < 20; i++)
		printf "move %d %#x %#x 0x40 %d\n", 800 + i * 10, 20480 + i * 48, 24576 + i * 64, i + 40
}' >dump.text
if "$mkperf" -o dump.capture dump.mkperf && "$build/tests/oracle/jitfile" little 62 10 0 <dump.text >jit.dump; then
	linked dumps/jit-10.dump
	kind jit.dump "collapse --srcline --perf-map-dir dumps $here/dump.capture" 5
	kind jit.dump "collapse --srcline --perf-map=10=@ $here/dump.capture"
fi
cat >go.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|CALLCHAIN|CPU
mmap pid=5 addr=0x400000 len=0x100000 pgoff=0 file=/bin/go time=2
repeat 64 {
sample pid=5 time=3+$i ip=0x401000+$i*4 chain=[user:0x401000+$i*4]
}
END
if "$mkperf" -o go.capture go.mkperf && "$build/tests/oracle/gofile" 20 little 0x77 go.elf; then
	linked go/bin/go
	kind go.elf "collapse --srcline --symfs go $here/go.capture" 5
fi

# ---- stubs: the decoder of each machine ----

cat >stubs.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME
mmap pid=5 addr=0x400000 len=0x10000 pgoff=0 file=/bin/stubs time=2
repeat 1024 {
sample pid=5 time=3+$i ip=0x400200+$i*4
}
END
mkdir -p stubs.files && xz -dc "$data/plt/stubs.tar.xz" | tar -xf - -C stubs.files && "$mkperf" -o stubs.capture stubs.mkperf || exit 1
linked stubs/bin/stubs
for file in i386-pic.mold arm64-bti.lld arm.mold ppc64.bfd s390x.bfd riscv64.lld; do
	kind stubs.files/$file "collapse --symfs stubs $here/stubs.capture"
done

# ---- rules for unwinding ----

for arch in i386 arm64; do
	mkdir -p unwind.$arch
	tar -xzf "$data/unwind/$arch/files.tar.gz" -C unwind.$arch || continue
	capture=$here/unwind.$arch.capture
	zstd -q -dc "$data/unwind/$arch/shapes.data.zst" >"$capture" || continue
	file=unwind.$arch/opt/w/shapes
	[ -f "$file" ] || continue
	mv "$file" unwind.$arch.elf
	linked "$file"
	kind unwind.$arch.elf "collapse --no-inline --symfs unwind.$arch $capture"
done

damaged() {
	bad=0
	while IFS='|' read -r times input command; do
		FUZZ_INPUT=$here/input "$1" --jobs 1 --keep "$keep" --count $(($2 * times)) --seed "$3" --command "$command" "$input" </dev/null || bad=1
	done <"$table"
	return $bad
}
