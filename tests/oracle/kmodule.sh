#!/bin/sh
# Symbols that come packed: the file of a kernel module (.ko, .gz, .xz, .zst), alone, with and without kallsyms, its
# lines and inlined functions, and MiniDebugInfo; each refused for a wrong build-id, and when damaged or a bomb.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

for tool in gcc ld objcopy readelf nm xz zstd gzip; do
	command -v $tool >/dev/null || { skip 'kernel modules and MiniDebugInfo' "$tool is not installed"; exit; }
done

# ---- a module ----

cat >toy.c <<'END'
static volatile int sink;
static inline __attribute__((always_inline)) void inner(int n)
{
	sink += n; /* line 4 */
}
static __attribute__((noipa)) int toy_read(int n)
{
	inner(n);
	return n + 1; /* line 9 */
}
__attribute__((noipa)) int toy_open(int n)
{
	return toy_read(n) + 1; /* line 13 */
}
__attribute__((noipa, section(".text.unlikely"))) int toy_cold(int n)
{
	return toy_read(n) + 2; /* line 17 */
}
__attribute__((noipa, section(".init.text"))) int init_module(void) { return toy_cold(1); }
END
if ! gcc -O2 -g -fno-pic -fno-asynchronous-unwind-tables -c toy.c -o toy.o 2>err || ! ld -r --build-id toy.o -o toy.ko 2>err; then
	skip 'kernel modules' "gcc or ld: $(head -n 1 err)"
	exit
fi
id=$(readelf -n toy.ko | sed -n 's/.*Build ID: //p')
other=$(echo "$id" | tr 0-9a-f 1-9a-f0)
path=/lib/modules/5.10.0/kernel/toy.ko
base=0xffffffffc0100000 # where it was loaded

# Where sections come to lie: .text first, the next code at its alignment behind it.
text=$(readelf -SW toy.ko | sed 's/^ *\[ *//; s/\]//' | awk '$2 == ".text" { print $6 }')
align=$(readelf -SW toy.ko | sed 's/^ *\[ *//; s/\]//' | awk '$2 == ".text.unlikely" { print $NF }')
cold=$(((0x$text + align - 1) / align * align))
value() { nm toy.ko | awk -v n="$1" '$3 == n { print "0x" $1 }'; }
# at DISTANCE: from where the module begins.
at() { printf '0xffffffffc01%05x' $(($1)); }
line() { printf '%s t %s\t[%s]\n' "$(at "$1" | cut -c 3-)" "$2" "$3"; }

# capture FILE ID: of the module at PATH, one sample in each of three functions, one in none of them.
capture() {
	cat <<-END >capture.mkperf
		event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap mmap2 comm task \\
			sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
		release 5.10.0
		${2:+build_id $2 $path mode=kernel}
		comm pid=5 comm=toy time=1
		mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 file=[kernel.kallsyms]_text time=1
		mmap pid=-1 tid=0 addr=$base len=0x4000 file=$path time=1
		sample pid=5 time=3 ip=$(at $(value toy_read)) mode=kernel \\
			chain=[kernel:$(at $(value toy_read)),$(at $(($(value toy_open) + 9)))]
		sample pid=5 time=4 ip=$(at "$cold") mode=kernel chain=[kernel:$(at "$cold")]
		sample pid=5 time=5 ip=$(at 0x3000) mode=kernel chain=[kernel:$(at 0x3000)]
	END
	"$mkperf" -o "$1" capture.mkperf || exit 1
}
capture module.data "$id"
capture wrong.data "$other"
capture none.data ''
printf 'toy;[[toy]] 1\ntoy;toy_cold 1\ntoy;toy_open;toy_read 1\n' >want
printf 'toy;[[toy]] 2\ntoy;[[toy]];[[toy]] 1\n' >unnamed

# collapsed OPTION... CAPTURE
collapsed() { "$pdtool" collapse -q --no-inline "$@" 2>err | stacks >out; }

mkdir -p plain/lib/modules/5.10.0/kernel gz/lib/modules/5.10.0/kernel xz/lib/modules/5.10.0/kernel zst/lib/modules/5.10.0/kernel
cp toy.ko plain$path
gzip -c toy.ko >gz$path.gz
xz -c --check=crc32 toy.ko >xz$path.xz
zstd -q -c toy.ko >zst$path.zst
for form in plain gz xz zst; do
	collapsed --symfs $form module.data
	same "module, $form: names" want out
	collapsed --symfs $form wrong.data
	same "module, $form: refused for its build-id" unnamed out
	collapsed --symfs $form none.data
	same "module, $form: taken on trust below --symfs" want out
done
mkdir -p "cache/.build-id/$(echo "$id" | cut -c 1-2)/$(echo "$id" | cut -c 3-)"
xz -c toy.ko >"cache/.build-id/$(echo "$id" | cut -c 1-2)/$(echo "$id" | cut -c 3-)/elf"
collapsed --buildid-dir cache module.data
same 'module, packed in a build-id cache' want out
mkdir -p debug/usr/lib/debug/lib/modules/5.10.0/kernel stripped/lib/modules/5.10.0/kernel
objcopy --only-keep-debug toy.ko debug/usr/lib/debug$path.debug
collapsed --symfs debug module.data
same 'module, debug file' want out
"$pdtool" info --names --symfs xz none.data >out 2>&1
grep -q "xz$path.xz" out && ok 'module: what is taken on trust is told' || fail 'module: what is taken on trust is told' 'it is not'
"$pdtool" info --names --symfs xz wrong.data >out 2>&1
grep "xz$path.xz" out | grep "$id" | grep -q "$other" && ok 'module: what is refused is told' ||
	fail 'module: what is refused is told' 'it is not'

# this host's own, by build-id only
path=$tmp/host/toy.ko
mkdir host && xz -c toy.ko >host/toy.ko.xz
capture host.data "$id"
capture host.wrong.data "$other"
capture host.none.data ''
on_host collapsed host.data
same 'module of this host' want out
on_host collapsed host.wrong.data
same 'module of this host: refused for its build-id' unnamed out
on_host collapsed host.none.data
same 'module of this host: not without a build-id' unnamed out
on_host collapsed --allow-unverified host.none.data
same 'module of this host: --allow-unverified' want out
collapsed host.data
same 'module of this host: not with --no-host' unnamed out
path=/lib/modules/5.10.0/kernel/toy.ko

# kallsyms is better where it knows the module
cat >kallsyms <<END
ffffffff81000000 T _text
ffffffff81000100 T vfs_read
$(line 0 kallsyms_read toy)
$(line "$(value toy_open)" kallsyms_open toy)
$(line "$cold" kallsyms_cold toy)
$(line 0x2ff0 kallsyms_other other)
END
collapsed --symfs xz --kallsyms kallsyms module.data
printf 'toy;[[toy]] 1\ntoy;kallsyms_cold 1\ntoy;kallsyms_open;kallsyms_read 1\n' >want.kallsyms
same 'module: kallsyms comes first, and names nothing in another module' want.kallsyms out
grep -v toy kallsyms >kallsyms.kernel
collapsed --symfs xz --kallsyms kallsyms.kernel module.data
same 'module: kallsyms without it' want out

# lines and inlined functions
for form in plain xz; do
	"$pdtool" collapse -q --srcline --symfs $form module.data 2>err | stacks >out
	printf 'toy;[[toy]] 1\ntoy;toy_cold:toy.c:16 1\ntoy;toy_open:toy.c:13;toy_read:toy.c:8;inner:toy.c:4 1\n' >want.lines
	same "module, $form: lines and inlined functions" want.lines out
done
objcopy --compress-debug-sections=zlib toy.ko packed.ko
mkdir -p zlib/lib/modules/5.10.0/kernel && cp packed.ko zlib$path
"$pdtool" collapse -q --srcline --symfs zlib module.data 2>err | stacks >out
same 'module, compressed sections: lines and inlined functions' want.lines out

# ---- damaged, and bombs ----

# within MIB COMMAND...: with no more memory than that.
within() {
	limit=$1
	shift
	( ulimit -v $((limit * 1024)) && limited 10 "$@" ) >got 2>err
	stacks <got >out
}
# refused NAME: the module below bad does not name anything, in little memory.
refused() {
	within 300 "$pdtool" collapse -q --no-inline --symfs bad module.data
	same "$1" unnamed out
}
bad=bad/lib/modules/5.10.0/kernel
mkdir -p $bad
head -c 300 xz$path.xz >$bad/toy.ko.xz
refused 'cut xz'
rm $bad/*
head -c 600 zst$path.zst >$bad/toy.ko.zst
refused 'cut zstd'
rm $bad/*
head -c 256M /dev/zero | xz -0 >$bad/toy.ko.xz
refused 'bomb, xz'
rm $bad/*
head -c 512M /dev/zero | zstd -q >$bad/toy.ko.zst
refused 'bomb, zstd'
rm $bad/*
head -c 512M /dev/zero | gzip -1 >bomb.gz
cp bomb.gz $bad/toy.ko.gz
refused 'bomb, gzip'
gzip -1 <bomb.gz >$bad/toy.ko.gz
refused 'bomb in a bomb'
gzip <gz$path.gz >$bad/toy.ko.gz
refused 'packed twice'

# ---- MiniDebugInfo ----

cat >mini.c <<'END'
#include <stdlib.h>
static volatile int sink;
static __attribute__((noipa)) int hidden(int n) { return sink += n; }
__attribute__((noipa)) int shown(int n) { return hidden(n) + 1; }
int main(int argc, char **argv) { (void)argv; return shown(argc) + abs(argc); }
END
if ! gcc -O2 -rdynamic -Wl,--build-id -o mini.whole mini.c 2>err; then
	skip MiniDebugInfo "gcc: $(head -n 1 err)"
	exit
fi
value() { nm mini.whole | awk -v n="$1" '$3 == n { print "0x" $1 }'; }
nm -D --format=posix --defined-only mini.whole | awk '{ print $1 }' | sort >dynamic
nm --format=posix --defined-only mini.whole | awk '$2 ~ /[TtD]/ { print $1 }' | sort >functions
comm -13 dynamic functions >keep
objcopy --only-keep-debug mini.whole mini.debug
objcopy -S --keep-symbols=keep mini.debug mini.symbols
xz -c mini.symbols >mini.xz
strip --strip-all mini.whole -o mini.bare
# packed FILE: the program, stripped but for FILE.
packed() {
	mkdir -p root/usr/bin
	objcopy --add-section .gnu_debugdata="$1" mini.bare root/usr/bin/mini
}
packed mini.xz
id=$(readelf -n mini.whole | sed -n 's/.*Build ID: //p')
other=$(echo "$id" | tr 0-9a-f 1-9a-f0)
# capture FILE ID
capture() {
	readelf -lW mini.whole | awk '$1 == "LOAD" && $7 $8 ~ /E/ { print $2, $3, $5 }' | {
		read -r offset vaddr size
		cat <<-END
			event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task \\
				sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
			build_id $2 /usr/bin/mini
			comm pid=5 comm=mini time=1
			mmap pid=5 addr=$vaddr len=$size pgoff=$offset file=/usr/bin/mini time=2
			sample pid=5 time=3 ip=$(value hidden) chain=[user:$(value hidden),$(value shown),$(value main)]
		END
	} >capture.mkperf
	"$mkperf" -o "$1" capture.mkperf || exit 1
}
capture mini.data "$id"
capture wrong.data "$other"
nm root/usr/bin/mini 2>&1 | grep -q 'no symbols' && ! grep -qx shown keep && ok 'MiniDebugInfo: nothing else has the names' ||
	fail 'MiniDebugInfo: nothing else has the names' 'the test is wrong'
names() { "$pdtool" collapse -q --no-inline --symfs root "$@" 2>err | stacks; }
equal 'MiniDebugInfo: names' 'mini;main;shown;hidden 1' "$(names mini.data)"
equal 'MiniDebugInfo: refused for its build-id' 'mini;[mini];[mini];[mini] 1' "$(names wrong.data)"
cp mini.bare root/usr/bin/mini
stripped=$(names mini.data)
equal 'without it' 'mini;main;shown' "$(echo "$stripped" | cut -d';' -f 1-3)"
[ "$stripped" != 'mini;main;shown;hidden 1' ] && ok 'without it no name' || fail 'without it no name' "$stripped"
# worse NAME FILE: as if it were not there, in little memory
worse() {
	packed "$2"
	within 300 "$pdtool" collapse -q --no-inline --symfs root mini.data
	equal "MiniDebugInfo: $1" "$stripped" "$(cat out)"
}
head -c 100 mini.xz >cut.xz
worse cut cut.xz
head -c 256M /dev/zero | xz -0 >bomb.xz
worse 'a bomb' bomb.xz
worse 'not packed' mini.symbols
dd if=/dev/urandom bs=1 seek=60 count=40 conv=notrunc of=mini.xz 2>err
worse damaged mini.xz
