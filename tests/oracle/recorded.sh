#!/bin/sh
# Symbols within the capture, as simpleperf and hiperf write them: each leaf that they cover has their name, by a decoder
# of its own (recorded.pl); every kind of file; what comes before them and after them; both byte orders; damage.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
tab=$(printf '\t')

# leaves ARG...: samples, module and function of each leaf that has a name.
leaves() {
	"$pdtool" report -q --no-demangle --no-children -s dso,symbol --format csv "$@" | records |
		awk -F '\t' -v OFS='\t' '$NF !~ /^\[/ && $5 { n[$(NF - 1) OFS $NF] += $5 } END { for (i in n) print n[i], i }' | sort
}

# ---- captures of phones ----

for capture in "$data"/recorded/android/*.zst "$data"/recorded/foreign/21-*.zst; do
	name=$(basename "$capture" .data.zst)
	zstd -dqf "$capture" -o capture.data
	if ! perl "$top/tests/oracle/recorded.pl" capture.data | sort >wanted; then
		fail "$name: leaves" 'the decoder failed'
		continue
	fi
	leaves "$capture" >got
	same "$name: $(awk '{ n += $1 } END { print n + 0 }' wanted) leaves have the recorder's names" wanted got
done

"$pdtool" doctor "$data/recorded/android/sp_tracepoint.data.zst" >got 2>&1
grep -q '^own symbols  *the capture itself names 13 of 13 addresses, in 1 modules$' got && ! grep -q 'cp /proc/kallsyms' got
result 'doctor: names from the capture, so no kallsyms are asked for' $? "$(sed -n '/^own/p;/^get/p' got)"
"$pdtool" doctor "$data/recorded/android/sp_jit_symbol.data.zst" >got 2>&1
grep -q '^own symbols  *the capture itself names 49 of 72 ' got && grep -q 'cp /proc/kallsyms' got
result 'doctor: kallsyms are asked for where the capture has none' $? "$(sed -n '/^own/p;/^get/p' got)"
"$pdtool" collapse -q --compat stackcollapse "$data/recorded/android/sp_symbols.data.zst" >got 2>err
grep -q main got && fail '--compat' 'names that perf does not know' || ok '--compat: as perf, which does not know these names'

"$pdtool" doctor --format csv "$data/recorded/android/hp_dwarf.data.zst" 2>/dev/null | records |
	awk -F '\t' '{ print $6, $7 }' | grep -q '^749cdf32d62cf734b403900a28340522 /system/lib/platformsdk/libuv.so$'
result 'hiperf: build-ids are told with the symbols' $?

# ---- what else simpleperf tells ----

"$pdtool" info "$data/recorded/android/sp_tracepoint.data.zst" >got 2>&1
grep -q '^event  *sched:sched_switch: 31 samples' got && grep -q '^event  *cycles:HG (cpu-cycles): 14 samples' got &&
	grep -q '^product  *Google Pixel 2 walleye, Android 8.1.0$' got && grep -q '^recorder  *simpleperf 1.36eb3ba51745$' got
result 'meta info: names of events, the phone and the recorder' $? "$(grep -E '^(event|product|recorder) ' got)"
zstd -dqf "$data/recorded/android/sp_switch.data.zst" -o capture.data
perl "$top/tests/oracle/recorded.pl" capture.data off | sort >wanted
"$pdtool" offcpu -q --label-tid --no-demangle capture.data | sed 's/^\([^;]*\/\)\([0-9]*\);.*;\([^;]*\);\[[SR]\] \([0-9]*\)$/\4\t\2\t\3/' |
	awk -F '\t' -v OFS='\t' '{ n[$2 OFS $3] += $1 } END { for (i in n) printf "%.0f\t%s\n", n[i], i }' | sort >got
same '--trace-offcpu: time from SWITCH records, under the stack of the sample before' wanted got
"$pdtool" sched latency capture.data >got 2>err
grep -q '^events  *SWITCH records 192$' got
result 'sched latency: from SWITCH records, where sched_switch has no fields' $? "$(head -n 1 err)"
zstd -dqf "$data"/recorded/foreign/21-*.zst -o capture.data
"$pdtool" offcpu capture.data >got 2>err
equal '--trace-offcpu without SWITCH records is refused' 1 "$?"

# ---- every kind of file ----

# bytes TEXT: itself and a NUL, in hexadecimal digits. text TEXT: the size of that before it.
bytes() { printf '%s\0' "$1" | od -An -v -tx1 | tr -d ' \n'; }
text() { echo "u32:$((${#1} + 1)) $(bytes "$1")"; }
# file PATH TYPE VADDR LAST SIZE ADDR,SIZE,NAME...: one of FILE; LAST: what is behind the symbols, SIZE bytes.
file() {
	path=$1 type=$2 vaddr=$3 last=$4 size=$(($5 + ${#1} + 1 + 16))
	shift 5
	symbols=
	for symbol; do
		name=${symbol#*,*,} addr=${symbol%%,*} len=${symbol#*,}
		size=$((size + 13 + ${#name}))
		symbols="$symbols u64:$addr u32:${len%%,*} $(bytes "$name")"
	done
	echo "u32:$size $(bytes "$path") u32:$type u64:$vaddr u32:$#$symbols $last \\"
}
cat >files <<END
arch aarch64
event cycles type=hardware config=0 freq period=1000 sample_id_all sample_type=IP|TID|TIME|PERIOD mmap mmap2 comm task ids=1
default pid=77 cpu=0 period=1 time=1
comm comm=phone
mmap pid=-1 tid=0 addr=0 len=-1 pgoff=0 file="[kernel.kallsyms]"
mmap pid=-1 tid=0 addr=0xffffffffc0000000 len=0x10000 file="[wifi]"
mmap2 addr=0x10000000 len=0x4000 pgoff=0x5000 file=/lib/old.so
mmap2 addr=0x10008000 len=0x4000 pgoff=0xd000 file=/lib/old.so
mmap2 addr=0x20000000 len=0x4000 pgoff=0x3000 file=/lib/new.so
mmap2 addr=0x21000000 len=0x4000 pgoff=0x3000 maj=510526312 ino=7 file=/lib/new.so
mmap2 addr=0x22000000 len=0x4000 pgoff=0x3000 maj=1 ino=8 file=/lib/new.so
mmap2 addr=0x30000000 len=0x4000 pgoff=0x1000 prot=1 file=/app/base.vdex
mmap2 addr=0x40000000 len=0x4000 file=//anon
mmap2 addr=0x40000100 len=0x80 pgoff=0x3c78 prot=0x4000 file=app_jit_app_cache:15480-17544
mmap2 addr=0x50000000 len=0x4000 file=/lib/odd.so
END
sample() { echo "sample ip=$1 mode=${2:-user}" >>files; }
{
	printf 'feature 128 '
	file '[kernel.kallsyms]' 0 0 '' 0 0xffffffff81000000,256,sys_read 0xffffffffc0000100,16,'wifi_tx [wifi]'
	file /vendor/modules/wifi.ko 1 0x100 u64:0x2000 8 0x180,64,wifi_rx
	file /lib/old.so 2 0x6000 '' 0 0x6100,32,old_first 0xe100,32,old_second 0x6100,8,old_alias 0x6108,8,old_inner
	file /lib/new.so 2 0x4000 u64:0x3000 8 0x4100,32,new_function 0x4200,0,unsized 0x4300,0x20,'$x.1' 0x4310,4,behind_data
	file /app/base.vdex 3 0 'u32:1 u64:0x40' 12 0x1300,32,App.onCreate
	file perf-77.map 4 0 '' 0 0x40000200,32,script
	file app_jit_app_cache:15480-17544 2 0 u64:0 8 0x40000100,128,App.hot
	file /lib/odd.so 9 0 '' 0 0x100,32,odd
	echo
} >>files
sample 0xffffffff81000010 kernel # sys_read
sample 0xffffffffc0000108 kernel # wifi_tx, of the kernel's symbols
sample 0xffffffffc0002090 kernel # wifi_rx, of the module's own
sample 0xffffffff81000100 kernel # nothing
sample 0x10000100                # old_alias, which comes after the other one
sample 0x10000110                # old_first: old_inner ends here
sample 0x10008118                # old_second, in another mapping
sample 0x20000110                # new_function
sample 0x21000310                # behind_data: simpleperf writes no inodes, but what was in its memory
sample 0x22000310                # behind_data
sample 0x20000200                # unsized
sample 0x20000201                # nothing: nobody knows how long it is
sample 0x20000302                # nothing: a mark of the assembler
sample 0x20000312                # behind_data
sample 0x30000310                # App.onCreate
sample 0x40000210                # script
sample 0x40000110                # App.hot
sample 0x50000110                # nothing: a type that is not known
cat >wanted <<END
1${tab}[JIT app cache]${tab}App.hot
1${tab}base.vdex${tab}App.onCreate
1${tab}[kernel.kallsyms]${tab}sys_read
3${tab}new.so${tab}behind_data
1${tab}new.so${tab}new_function
1${tab}new.so${tab}unsized
1${tab}old.so${tab}old_alias
1${tab}old.so${tab}old_first
1${tab}old.so${tab}old_second
1${tab}perf-77.map${tab}script
1${tab}[wifi]${tab}wifi_rx
1${tab}[wifi]${tab}wifi_tx
END
sort -o wanted wanted
for endian in little big; do
	"$mkperf" --endian $endian -o files.data files && leaves files.data >got
	same "FILE: every kind, $endian-endian" wanted got
done
printf 'ffffffff81000000 T decoy\nffffffff81000100 T sys_write\nffffffff81000200 T _etext\n' >kallsyms
leaves --kallsyms kallsyms files.data >got
{ cat wanted; echo "1${tab}[kernel.kallsyms]${tab}sys_write"; } | sort >more
same 'what the capture does not name is named by other sources' more got

# ---- more than is read at a time ----

{
	sed '/^feature/,$d;/^sample/d' files
	printf 'feature 128 '
	perl -e 'for my $file ("/lib/other.so", "/lib/new.so") {
			my $symbols = join "", map { pack("Q<V", 0x1000 + 16 * $_, 16) . sprintf "symbol_%0*d\0", 1 + $_ * 37 % 90, $_ } 0 .. 3999;
			my $body = $file . "\0" . pack("VQ<V", 2, 0x1000, 4000) . $symbols . pack "Q<", 0;
			print unpack "H*", pack("V", length $body) . $body;
		}
		print "\n"'
	for i in 0 1 799 1024 2500 3999; do echo "sample ip=$((0x20000000 - 0x3000 + 16 * i))"; done
} >many
sed -i 's/^mmap2 addr=0x20000000 len=0x4000 pgoff=0x3000/mmap2 addr=0x1fffd000 len=0x14000 pgoff=0/' many
perl -e 'printf "1\tnew.so\tsymbol_%0*d\n", 1 + $_ * 37 % 90, $_ for 0, 1, 799, 1024, 2500, 3999' | sort >wanted
"$mkperf" -o many.data many && leaves many.data >got
same 'FILE: of 500 KB' wanted got

# ---- hiperf ----

cat >hiperf <<END
arch armv7l
event cycles type=hardware config=0 freq period=1000 sample_id_all sample_type=IP|TID|TIME|PERIOD mmap mmap2 comm task ids=1
default pid=77 cpu=0 period=1 time=1
comm comm=phone
mmap pid=-1 tid=0 addr=0 len=-1 pgoff=0 file="[kernel.kallsyms]"
mmap pid=-1 tid=0 addr=0xbf000000 len=0x10000 file=hi_osal
mmap2 addr=0x10000000 len=0x4000 pgoff=0x3000 file=/lib/thumb.so
mmap2 addr=0x20000000 len=0x4000 build_id=0102030405060708090a0b0c0d0e0f1011121314 file=/lib/same.so
mmap2 addr=0x30000000 len=0x4000 build_id=0102030405060708090a0b0c0d0e0f1011121314 file=/lib/other.so
mmap2 addr=0x40000000 len=0x4000 file=/app/app.hap
mmap2 addr=0x50000000 len=0x4000 file=/lib/mapped.so
mmap2 addr=0x51000000 len=0x4000 ino=7 file=/lib/mapped.so
mmap2 addr=0x60000000 len=0x4000 ino=8 file=/lib/replaced.so
mmap2 addr=0x70000000 len=0x4000 file=/lib/ld.so
mmap2 addr=0x61000000 len=0x4000 ino=9 file=/lib/replaced.so
sample ip=0x50000110
sample ip=0x51000110
sample ip=0x60000110
sample ip=0x61000110
sample ip=0x70000110
sample ip=0x70000310
sample ip=0x70002310
sample ip=0xc0000010 mode=kernel
sample ip=0xc0000120 mode=kernel
sample ip=0xc0000310 mode=kernel
sample ip=0xc0003000 mode=kernel
sample ip=0xbf000110 mode=kernel
sample ip=0x10000100
sample ip=0x20000110
sample ip=0x30000110
sample ip=0x40000110
feature 192 u32:9 \\
	$(text '[kernel.kallsyms]') u32:0 u64:-1 u64:0 $(text '') u32:3 \\
	u64:0xc0000000 u32:0 $(text kernel_entry) u64:0xc0000100 u32:0 $(text '$a') u64:0xc0000300 u32:0 $(text kernel_exit) \\
	$(text /vendor/modules/hi_osal.ko) u32:1 u64:0 u64:0x40 $(text '') u32:1 u64:0x100 u32:32 $(text osal_wait) \\
	$(text /lib/thumb.so) u32:2 u64:0x4000 u64:0x3000 $(text '') u32:1 u64:0x4101 u32:32 $(text thumb_function) \\
	$(text /lib/same.so) u32:3 u64:0 u64:0 $(text 0102030405060708090a0b0c0d0e0f1011121314) u32:1 u64:0x100 u32:32 $(text same_build) \\
	$(text /lib/other.so) u32:3 u64:0 u64:0 $(text ff02030405060708090a0b0c0d0e0f1011121314) u32:1 u64:0x100 u32:32 $(text other_build) \\
	$(text /lib/mapped.so) u32:3 u64:0 u64:0 $(text '') u32:1 u64:0x100 u32:32 $(text one_file) \\
	$(text /lib/replaced.so) u32:3 u64:0 u64:0 $(text '') u32:1 u64:0x100 u32:32 $(text before_or_after) \\
	$(text /lib/ld.so) u32:3 u64:0 u64:0 $(text '') u32:3 u64:0x100 u32:0 $(text memcpy) u64:0x300 u32:0 $(text by_hand) \\
		u64:0x2300 u32:32 $(text sized) \\
	$(text /app/app.hap) u32:6 u64:0 u64:0 $(text '') u32:1 u64:0x100 u32:32 $(text script)
END
cat >wanted <<END
1${tab}[hi_osal]${tab}osal_wait
1${tab}[kernel.kallsyms]${tab}kernel_entry
1${tab}[kernel.kallsyms]${tab}kernel_exit
1${tab}ld.so${tab}memcpy
1${tab}ld.so${tab}sized
2${tab}mapped.so${tab}one_file
1${tab}same.so${tab}same_build
1${tab}thumb.so${tab}thumb_function
END
sort -o wanted wanted
for endian in little big; do
	"$mkperf" --endian $endian -o hiperf.data hiperf && leaves hiperf.data >got
	same "hiperf: every kind, $endian-endian" wanted got
done

# ---- kallsyms in a record ----

printf 'ffffffff81000000 T early\nffffffff81000100 d data\nffffffff81000200 t late\nffffffffc0000000 t of_module\t[wifi]\n0 T zero\n' >kallsyms
{
	sed '/^feature/,$d' files
	echo "unknown 32769 u32:$(wc -c <kallsyms) $(od -An -v -tx1 kallsyms | tr -d ' \n') zero:$((7 - ($(wc -c <kallsyms) + 3) % 8))"
	echo "feature 129 \"z:clockid\" \"z:perf\""
} >text
for ip in 0xffffffff81000150 0xffffffff81000210 0xffffffffc0000010; do echo "sample ip=$ip mode=kernel"; done >>text
printf '1\t[kernel.kallsyms]\tearly\n1\t[kernel.kallsyms]\tlate\n1\t[wifi]\tof_module\n' >wanted
for endian in little big; do
	"$mkperf" --endian $endian -o kallsyms.data text && leaves kallsyms.data >got
	same "KERNEL_SYMBOL: the recorder's kallsyms, $endian-endian" wanted got
done
leaves - <kallsyms.data >got
same 'KERNEL_SYMBOL, through standard input' wanted got

sed 's/^unknown 32769 u32:/&1000/' text >short && "$mkperf" -o short.data short
leaves short.data >got
same 'KERNEL_SYMBOL: of more bytes than there are' wanted got

# ---- damage ----

sed 's/^feature 192 u32:9 /&u32:4000000000 /' hiperf >hurt && "$mkperf" -o hurt.data hurt
"$pdtool" report hurt.data >out 2>err
grep -q 'HIPERF_FILES_SYMBOL is cut or damaged' err
result 'a damaged section is told' $? "$(head -n 3 err)"
[ "$("$pdtool" info --names hurt.data 2>&1 | grep -c damaged)" -le 1 ]
result 'and told once' $?

# ---- Android packages ----

command -v gcc >/dev/null && command -v readelf >/dev/null || { skip 'libraries in packages' 'gcc or readelf is not installed'; exit; }
# package FILE OUT: a ZIP archive in which FILE is stored at a page, behind another member, as lib/arm64-v8a/libnative.so.
cat >package.pl <<'END'
use strict;
my ($file, $out) = @ARGV;
local $/;
open my $in, '<:raw', $file or die;
my @members = (['classes.dex', "dex\n"], ['lib/arm64-v8a/libnative.so', <$in>]);
sub crc {
	my $crc = ~0 & 0xffffffff;
	for my $byte (unpack 'C*', shift) {
		$crc ^= $byte;
		$crc = $crc & 1 ? $crc >> 1 ^ 0xedb88320 : $crc >> 1 for 1 .. 8;
	}
	return ~$crc & 0xffffffff;
}
my ($zip, $list) = ('', '');
for (@members) {
	my ($name, $bytes) = @$_;
	my $more = -(length($zip) + 30 + length $name) % 4096;
	my $what = pack 'v5V3', 10, 0, 0, 0, 0, crc($bytes), length $bytes, length $bytes;
	$list .= pack('Vv', 0x02014b50, 10) . $what . pack('v5V2', length $name, 0, 0, 0, 0, 0, length $zip) . $name;
	$zip .= pack('V', 0x04034b50) . $what . pack('v2', length $name, $more) . $name . "\0" x $more . $bytes;
}
$zip .= $list . pack 'Vv4V2v', 0x06054b50, 0, 0, 2, 2, length $list, length $zip, 0;
open my $to, '>:raw', $out or die;
print $to $zip;
END
cat >native.c <<'END'
static volatile int sink;
__attribute__((noinline)) static void in_package(void) { sink++; }
void entry(void) { in_package(); }
END
gcc -O1 -shared -fPIC -Wl,--build-id -o libnative.so native.c 2>err || { skip 'libraries in packages' "$(head -n 1 err)"; exit; }
id=$(readelf -n libnative.so | sed -n 's/.*Build ID: //p')
value=$(readelf -sW libnative.so | awk '$8 == "in_package" { print $2; exit }')
# its code's file offset
set -- $(readelf -lW libnative.so | awk '$1 == "LOAD" && / R E /  { print $2, $3; exit }')
at=$((0x$value - $2 + $1))
app=data/app/com.example-1
mkdir -p root/$app other/$app extracted/$app/lib/arm64
perl package.pl libnative.so root/$app/base.apk && sed 's/in_package/in_a_decoy/' native.c >decoy.c &&
	gcc -O1 -shared -fPIC -Wl,--build-id -o decoy.so decoy.c && perl package.pl decoy.so other/$app/base.apk &&
	cp libnative.so extracted/$app/lib/arm64/
stored=$(perl -e 'local $/; $_ = <>; print index $_, "\x7fELF"' root/$app/base.apk)
cat >head <<END
event cycles type=hardware config=0 freq period=1000 sample_id_all sample_type=IP|TID|TIME|PERIOD mmap mmap2 comm task ids=1
default pid=77 cpu=0 period=1 time=1
sample ip=$((0x10000000 + at)) time=2
END
{ cat head; echo "mmap2 addr=0x10000000 len=0x10000 build_id=$id file=/$app/base.apk!/lib/arm64-v8a/libnative.so"; } >known
{ cat head; echo "mmap2 addr=0x10000000 len=0x10000 file=/$app/base.apk!/lib/arm64-v8a/libnative.so"; } >unknown
{ cat head; echo "mmap2 addr=0x10000000 len=0x10000 pgoff=$stored file=/$app/base.apk"; } >mapped
for text in known unknown mapped; do "$mkperf" -o $text.data $text; done
# leads NAME WANTED ARG...: the leaf is named so.
leads() {
	name=$1 wanted=$2
	shift 2
	leaves "$@" >got 2>err
	equal "$name" "$wanted" "$(cut -f 3 got)"
}
leads 'base.apk!/lib.so, build-id: in the package below a root' in_package --symfs root known.data
leads 'the same, of another build: refused' '' --symfs other known.data
leads 'extracted by the installer' in_package --symfs extracted known.data
leads 'the package itself as a source' in_package --symbols root/$app/base.apk known.data
leads 'without a build-id: below a root' in_package --symfs root unknown.data
leads 'without a build-id: the package itself' in_package --symbols root/$app/base.apk unknown.data
leads 'without a build-id: not unasked' '' unknown.data
leads 'base.apk and an offset in it, as perf has it' in_package --symfs root mapped.data
"$pdtool" report --symfs root mapped.data 2>&1 >/dev/null | grep -q 'names of 1 modules are unverified'
result 'which nothing vouches for' $?
leads 'no package there' '' --symfs extracted mapped.data
head -c 5000 root/$app/base.apk >cut.apk && mkdir -p cut/$app && cp cut.apk cut/$app/base.apk
leads 'a package that is cut' '' --symfs cut mapped.data
leads 'the same, by its member' '' --symfs cut known.data
