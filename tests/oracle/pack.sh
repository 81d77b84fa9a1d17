#!/bin/sh
# A pack gives elsewhere what the capture gives here, byte by byte; it is tar's, deterministic, and no more to be trusted
# than a capture.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
mkdir here there

# ---- made by hand: what a session knows of its files ----

printf 'int packed_fn(int n)\n{\n\treturn n + 1;\n}\nint main(void)\n{\n\treturn packed_fn(-1);\n}\n' >here/app.c
(cd here && "${CC:-cc}" -g -O0 -no-pie -Wl,--build-id -o app app.c && "${CC:-cc}" -g -O0 -no-pie -Wl,--build-id=none -o bare app.c) || exit 1
addr=$(nm here/app | awk '$3 == "packed_fn" { print $1 }') bare=$(nm here/bare | awk '$3 == "packed_fn" { print $1 }')
segment() { readelf -lW "$1" | awk '/LOAD/ && / E / { print "addr=" $3 " len=0x1000 pgoff=" $2; exit }'; }
id=$(readelf -nW here/app | sed -n 's/.*Build ID: //p')
sleep 0.1
cat >made.mkperf <<END
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task \\
	sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
build_id $id $tmp/here/app
clock_data clockid=1 wall=$(date +%s%N) clock=1000000000
comm pid=5 comm=app time=1000000001
mmap2 pid=5 $(segment here/app) file="$tmp/here/app" $(stat -c 'maj=%Hd min=%Ld ino=%i' here/app) time=1000000002
sample pid=5 time=1000000003 ip=0x$addr chain=[user:0x$addr]
comm pid=6 comm=bare time=1000000004
mmap2 pid=6 $(segment here/bare) file="$tmp/here/bare" $(stat -c 'maj=%Hd min=%Ld ino=%i' here/bare) time=1000000005
sample pid=6 time=1000000006 ip=0x$bare chain=[user:0x$bare]
comm pid=7 comm=jit time=1000000007
mmap pid=7 addr=0x70000000 len=0x1000 file=//anon time=1000000008
sample pid=7 time=1000000009 ip=0x70000010 chain=[user:0x70000010]
END
"$mkperf" -o here/made.data made.mkperf || exit 1
mkdir here/maps && echo '70000000 100 jitted' >here/maps/perf-7.map

# same NAME CAPTURE OPTIONS: each command gives there, from the pack and nothing else, what it gives here
same_there() {
	name=$1 capture=$2
	shift 2
	(cd here && "$host_pdtool" pack -o "../there/$capture" "$@" "$capture" >../packed 2>../err) || { fail "$name: pack" "$(cat err)"; return; }
	bare=
	[ "$1" = --strip-paths ] && shift && bare='s,^\(function .* in \).*/,\1/,; s,^\(code .* of\|lines\) .*,\1,'
	for command in collapse report 'report --no-children -s dso,sym' flamegraph "annotate $function"; do
		(cd here && "$host_pdtool" $command "$@" "$capture" >../want 2>../err) || fail "$name: $command here" "$(cat err)"
		(cd there && HOME=/nonexistent "$pdtool" $command "$capture" >../got 2>../err) || fail "$name: $command there" "$(cat err)"
		sed -i "$bare" want got
		[ -s want ] && cmp -s want got && ok "$name: $command" || fail "$name: $command" "$(diff want got | head -5)"
	done
}
function=packed_fn
same_there 'build-id, inode, perf map' made.data --perf-map-dir maps
grep -q ' jitted ' got || { cd there && "$pdtool" collapse made.data >../got; cd ..; grep -q 'jit;jitted 1' got; }
result 'the perf map is there' $?
equal 'what has no build-id is known there, too' 0 "$(cd there && "$pdtool" collapse made.data 2>&1 >/dev/null | grep -c 'not used')"
mkdir -p "other$tmp/here" && cp here/bare "other$tmp/here/bare"
sed 's/ maj=[0-9]* min=[0-9]* ino=[0-9]*/ maj=9 min=9 ino=9/' made.mkperf >foreign.mkperf && "$mkperf" -o foreign.data foreign.mkperf
"$pdtool" pack -q --symfs other -o foreign.pd foreign.data >/dev/null 2>&1
"$pdtool" collapse foreign.pd 2>err | grep -q '^bare;packed_fn 1$'
result 'a file that was taken on trust is there' $?
grep -q 'names of 1 modules are unverified' err
result 'and is still not verified' $?
equal 'its first member' perf.data "$(tar tf there/made.data --zstd | head -1)"
mkdir out && tar xf there/made.data --zstd -C out && cmp -s out/perf.data here/made.data
result 'tar unpacks it, and the capture is as it was' $?
cmp -s out/.build-id/??/*/elf here/app
[ $? = 1 ] && [ "$(stat -c %s out/.build-id/??/*/elf)" = "$(stat -c %s here/app)" ]
result 'a file has holes, and its size' $?
equal '--symbols takes it' 'packed_fn' "$("$pdtool" collapse -q --symbols there/made.data here/made.data | stacks | sed -n 's/^app;\(.*\) 1$/\1/p')"
equal '--symbols takes it, unpacked' 'packed_fn' "$("$pdtool" collapse -q --symbols out here/made.data | stacks | sed -n 's/^app;\(.*\) 1$/\1/p')"
"$pdtool" collapse -q there/made.data >want; "$pdtool" collapse -q - <there/made.data >got; cmp -s want got
result 'standard input' $?
"$pdtool" collapse -q there/made.data >want; cat there/made.data | "$pdtool" collapse -q - >got; cmp -s want got
result 'a pipe' $?
zstd -dqf there/made.data -o plain.tar && "$pdtool" collapse -q plain.tar | cmp -s want -
result 'not compressed' $?
(cd here && "$host_pdtool" pack -q -o ../again.pd --perf-map-dir maps made.data >/dev/null) && cmp -s again.pd there/made.data
result 'the same again' $?
# as large as several frames, one behind the other
{ cat here/made.data && seq 1 3000000; } >here/large.data
for jobs in 1 2 5; do
	(cd here && "$host_pdtool" pack -q -j$jobs -o ../large.$jobs.pd --perf-map-dir maps large.data >/dev/null)
	cmp -s large.1.pd large.$jobs.pd
	result "the same with -j$jobs" $?
done
tar xOf large.1.pd --zstd perf.data | cmp -s - here/large.data
result 'a large capture is as it was, too' $?
"$pdtool" collapse -q large.1.pd | cmp -s - want
result 'and read' $?
"$pdtool" pack -q -o repacked.pd there/made.data >/dev/null && "$pdtool" collapse -q repacked.pd | cmp -s want -
result 'a pack of a pack' $?
(cd here && "$host_pdtool" pack -q --full -o ../full.pd made.data >/dev/null) && mkdir whole && tar xf full.pd --zstd -C whole &&
	cmp -s whole/.build-id/??/*/elf here/app
result '--full: whole files' $?
(cd here && "$host_pdtool" pack -q --only-samples -o ../only.pd made.data >/dev/null) && equal '--only-samples' perf.data "$(tar tf only.pd --zstd)"
# two packs, each with its own names
"$pdtool" diff -q there/made.data there/made.data >got 2>err
result 'a diff of packs' $?

# A pack of other builds names nothing: not by path, nor by what its manifest says of a module that has a build-id.
mkdir -p decoy && sed 's/packed_fn/decoy_fn/g' here/app.c >decoy/app.c
(cd decoy && "${CC:-cc}" -g -O0 -no-pie -Wl,--build-id -o app app.c) || exit 1
sed "s|$tmp/here/app|$tmp/decoy/app|g; s/^build_id $id/build_id $(readelf -nW decoy/app | sed -n 's/.*Build ID: //p')/" made.mkperf |
	sed "s|file=\"$tmp/decoy/app\"|file=\"$tmp/here/app\"|; s|^build_id \([0-9a-f]*\) .*|build_id \1 $tmp/here/app|" >decoy.mkperf
mkdir -p "root$tmp/here" && cp decoy/app "root$tmp/here/app"
"$mkperf" -o decoy.data decoy.mkperf && "$pdtool" pack -q --symfs root -o decoy.pd decoy.data >/dev/null 2>&1
equal 'a pack of another build has it' 1 "$(tar tf decoy.pd --zstd | grep -c 'elf$')"
equal 'a pack of another build names nothing' 0 "$("$pdtool" collapse --symbols decoy.pd here/made.data 2>/dev/null | grep -c decoy_fn)"

# ---- debug information in other files ----

mkdir -p parts && cat >parts/sum.h <<'END'
template<class T> struct sum { T value; inline void add(T more) { value = value * 3 + more; } };
namespace app { int half(int n); }
END
cat >parts/main.cc <<'END'
#include "sum.h"
static inline int twice(int n) { sum<int> s = { n }; s.add(n); return s.value; }
int main(int argc, char **) { return twice(argc) + app::half(argc); }
END
cat >parts/half.cc <<'END'
#include "sum.h"
namespace { inline long more(long n) { sum<long> s = { n }; s.add(n); s.add(s.value / 7); return s.value; } }
int app::half(int n) { return more(n) / 2; }
END

# capture_of FILE: a sample at every place of its functions
capture_of() {
	{
		cat <<-END
		event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task \\
			sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
		build_id $(readelf -nW "$1" | sed -n 's/.*Build ID: //p') $tmp/$1
		comm pid=5 comm=app time=1
		mmap2 pid=5 $(segment "$1") file="$tmp/$1" time=2
		END
		nm -S "$1" | grep -E ' (main|_ZN3app4halfEi)$' | perl -ne '/^(\S+) (\S+)/; for ($i = 0; $i < hex $2; $i += 2) {
			printf "sample pid=5 time=3 ip=0x%x chain=[user:0x%x]\n", (hex($1) + $i) x 2 }'
	} >"$1.mkperf" && "$mkperf" -o "$1.data" "$1.mkperf"
}

# parts_there NAME FILE COUNT PATTERN: PATTERN's COUNT members are in the pack, and lines and inlines as here. What was
# here is GONE by then. The same without directories, which are then nowhere.
parts_there() {
	capture_of "$2" || { fail "$1" 'no capture'; return; }
	"$host_pdtool" collapse --inline "$2.data" >want 2>err
	"$host_pdtool" report -q --no-children -s sym,srcline "$2.data" >want.report 2>err
	mkdir -p elsewhere/parts
	for strip in '' ' --strip-paths'; do
		"$host_pdtool" pack -q$strip -o "elsewhere/$2.data" "$2.data" >packed 2>err || fail "$1$strip: pack" "$(cat err)"
		equal "$1$strip: packed" "$3" "$(tar tf "elsewhere/$2.data" --zstd | grep -c "$4")"
		mv parts gone
		(cd elsewhere && HOME=/nonexistent "$pdtool" collapse --inline "$2.data" >../got 2>../err
			HOME=/nonexistent "$pdtool" report -q --no-children -s sym,srcline "$2.data" >../got.report 2>>../err)
		mv gone parts
		grep -q 'sum<long>::add_\[i\]' want && cmp -s want got && cmp -s want.report got.report && [ ! -s err ] && ok "$1$strip" ||
			fail "$1$strip" "$(cat err; diff want got | head -4)"
	done
	rm -rf out && mkdir out && tar xf "elsewhere/$2.data" --zstd -C out
	equal "$1 --strip-paths: directories" '' "$(cat $(find out -type f) | strings -n 3 | grep -e "$tmp" -e 'parts$' -e /usr -e include | head -3)"
}
for way in '-gdwarf-4 g++' '-gdwarf-5 g++' '-gdwarf-4 clang++' '-gdwarf-5 clang++' '-gdwarf-5 -gz g++'; do
	cxx=${way##* } name=split$(echo "$way" | tr -d ' +-')
	command -v "$cxx" >/dev/null || { skip "split, $way" "there is no $cxx"; continue; }
	for unit in main half; do
		(cd parts && "$cxx" -O2 -g ${way% *} -gsplit-dwarf -c $unit.cc -o "$name-$unit.o") || exit 1
	done
	(cd parts && "$cxx" -no-pie -Wl,--build-id -o "$name" "$name-main.o" "$name-half.o") || exit 1
	parts_there "split, $way" "parts/$name" 2 '^dwo/[0-9a-f]*\.dwo$'
	if command -v llvm-dwp >/dev/null && (cd parts && timeout 10 llvm-dwp "$name-main.dwo" "$name-half.dwo" -o "$name.dwp" 2>../err); then
		rm "parts/$name"-*.dwo
		parts_there "split, $way, package" "parts/$name" 2 '^dwo/[0-9a-f]*\.dwo$'
	else
		skip "split, $way, package" 'there is no llvm-dwp that makes one'
	fi
done
if command -v dwz >/dev/null; then
	(cd parts && g++ -O2 -g -no-pie -Wl,--build-id -o dwz main.cc half.cc && g++ -O1 -g -Wl,--build-id -o other main.cc half.cc &&
		dwz -m "$tmp/parts/common.debug" -M "$tmp/parts/common.debug" dwz other) || exit 1
	parts_there 'alternate file (dwz)' parts/dwz 1 '/debug$'
else
	skip 'alternate file (dwz)' 'there is no dwz'
fi

# ---- of many symbols, units and relocations those that count ----

mkdir many && perl -e 'print "#include <stdio.h>\n";
	printf "int a_function_with_a_long_name_%d(int n) { return n + %d; }\nint (*const p%d)(int) = a_function_with_a_long_name_%d;\n",
		$_, $_, $_, $_ for 1 .. 3000;
	printf "asm(\".globl alias_%d\\n.set alias_%d, a_function_with_a_long_name_%d\");\n", $_, $_, $_ for 1500 .. 1510;
	printf "asm(\".text\\n.globl bare_%d\\nbare_%d: nop; nop; nop; nop; nop; nop; nop; ret\");\n", $_, $_ for 1 .. 20;
	print "int main(int argc, char **argv) { puts(argv[0]); return a_function_with_a_long_name_1500(argc) + p7(argc); }\n"' >many/many.c
for i in $(seq 1 40); do echo "struct s$i { int m$i; }; int other_$i(struct s$i *s) { return s->m$i * 2; }" >many/o$i.c; done
(cd many && "${CC:-cc}" -O0 -fPIE -c many.c && "${CC:-cc}" -g -O0 -fPIE -pie -Wl,--build-id -o many many.o o*.c) || exit 1
{
	sed -n '1,2p' made.mkperf
	echo "build_id $(readelf -nW many/many | sed -n 's/.*Build ID: //p') $tmp/many/many"
	echo "comm pid=5 comm=many time=1000000001"
	echo "mmap2 pid=5 $(segment many/many) file=\"$tmp/many/many\" time=1000000002"
	for symbol in main a_function_with_a_long_name_1500 other_20 bare_7; do
		at=$(nm many/many | awk -v s=$symbol '$3 == s { print $1 }')
		printf 'sample pid=5 time=1000000003 ip=0x%x chain=[user:0x%x]\n' $((0x$at + 4)) $((0x$at + 4))
	done
} | sed 's/len=0x1000/len=0x40000/' >here/many.mkperf && "$mkperf" -o here/many.data here/many.mkperf || exit 1
function=main
same_there 'many symbols' many.data
(cd here && "$host_pdtool" annotate main many.data >../code 2>../err)
grep -q 'puts@plt' code && grep -q 'a_function_with_a_long_name_1500' code
result 'many symbols: what is called has a name' $?
(cd here && "$host_pdtool" collapse --compat stackcollapse many.data >../want 2>../err)
(cd there && "$pdtool" collapse --compat stackcollapse many.data >../got 2>../err)
grep -q 'alias_1500\|name_1500' want && cmp -s want got
result "many symbols: perf's choice of aliases" $?
rm -rf out && mkdir out && tar xf there/many.data --zstd -C out
nm out/.build-id/??/*/elf 2>/dev/null | awk '$3' >symbols
[ "$(wc -l <symbols)" -lt 40 ] && grep -q '_1500$' symbols && ok 'many symbols: few are there' ||
	fail 'many symbols: few are there' "$(wc -l <symbols) $(head -5 symbols)"
equal 'many units: the one with a sample' 1 "$(readelf -wi out/.build-id/??/*/elf 2>/dev/null | grep -c 'DW_TAG_compile_unit')"
bytes=$(stat -c %s there/many.data)
[ "$bytes" -lt 10000 ] && ok 'many symbols: a small pack' || fail 'many symbols: a small pack' "$bytes bytes"

# A file of gigabytes is no more than what is needed of it, also where the pack is read.
cp many/many many/large && truncate -s 3G many/large && sed 's|many/many|many/large|' here/many.mkperf >here/large.mkperf &&
	"$mkperf" -o here/large.data here/large.mkperf || exit 1
same_there '3 GiB of a file' large.data
rm -f many/large

# A capture of other addresses: the pack names what it can, and nothing wrongly, also where symbols have no size.
nm many/many | grep -E ' (bare_|other_|main$|a_function_with_a_long_name_1(49|50))' >asked
{
	sed -n '1,/^build_id/p' here/many.mkperf
	while read -r at type symbol; do
		pid=$((pid + 1))
		echo "comm pid=1$pid comm=$symbol time=1000000001"
		sed -n '/^mmap2/p' here/many.mkperf | sed "s/pid=5/pid=1$pid/"
		printf 'sample pid=%d time=1000000003 ip=0x%x chain=[user:0x%x]\n' "1$pid" $((0x$at + 2)) $((0x$at + 2))
	done <asked
} >asked.mkperf && "$mkperf" -o asked.data asked.mkperf || exit 1
"$pdtool" collapse -q --symbols there/many.data asked.data | stacks | sed 's/ 1$//' >named
perl -ne 'chomp; ($want, $got) = split /;/; $right++ if index($got, $want) == 0; $wrong .= " $_" if $got !~ /^\[/ && index($got, $want) != 0;
	END { print $right >= 4 && !$wrong ? "none" : "$right right, wrong:$wrong" }' named >got
equal 'names of another capture: wrong ones' none "$(cat got)"

# ---- a capture of several files (perf record --threads) ----

threads=$data/recorded/x86_64/modes/threads2.data
"$pdtool" pack -q -o threads.pd "$threads" >/dev/null 2>&1
"$pdtool" collapse -q "$threads" >want
"$pdtool" collapse -q threads.pd >got && [ -s want ] && cmp -s want got
result 'several files' $?
"$pdtool" collapse -q - <threads.pd | cmp -s want -
result 'several files: standard input' $?
mkdir unpacked && tar xf threads.pd --zstd -C unpacked && diff -r "$threads" unpacked/perf.data
result 'several files: tar unpacks the directory as it was' $?
"$pdtool" pack -q -o again.pd threads.pd >/dev/null 2>&1 && cmp -s threads.pd again.pd
result 'several files: a pack of a pack' $?
zstd -dqf threads.pd -o threads.tar && head -c 9000 threads.tar >cut.tar
"$pdtool" collapse cut.tar >out.txt 2>err
grep -q 'cut: .* bytes of its capture are there' err && ok 'several files: cut in the second' || fail 'several files: cut in the second' "$(cat err)"

# ---- 8 GiB and more: what is written is not read to its end ----

cp here/made.data large.data && truncate -s 9G large.data || exit 1
"$pdtool" pack -q --only-samples -o - large.data 2>err | head -c 4000 >large.pd
equal '9 GiB: its size for tar' '9663676416 perf.data' "$(tar tvf large.pd --zstd 2>/dev/null | awk '{ print $3, $NF }')"
"$pdtool" collapse large.pd >got 2>err
"$pdtool" collapse --no-host here/made.data >want 2>/dev/null
grep -q 'of 9663676416 bytes of its capture are there' err && cmp -s want got && ok '9 GiB: its size here' || fail '9 GiB: its size here' "$(cat err)"
mkdir gnu && cp here/made.data gnu/perf.data && tar cf binary.tar --format=gnu -C gnu perf.data &&
	perl -e 'open F, "+<", "binary.tar"; binmode F; seek F, 124, 0; print F pack "CCCCQ>", 0x80, 0, 0, 0, shift' "$(stat -c %s here/made.data)"
"$pdtool" collapse --no-host binary.tar 2>err | cmp -s want - && ok 'a binary size, as GNU tar writes it' || fail 'a binary size, as GNU tar writes it' "$(cat err)"

# ---- what cannot be done ----

refused() { # NAME STATUS TEXT COMMAND...
	name=$1 status=$2 text=$3
	shift 3
	"$@" >out.txt 2>err
	[ $? = "$status" ] && grep -q -- "$text" err && ok "$name" || fail "$name" "$(cat err)"
}
(cd here && "$host_pdtool" pack -q -o - --perf-map-dir maps made.data) | cmp -s - there/made.data
result 'to standard output, and nothing else' $?
refused 'no -o' 2 'expected -o FILE' "$pdtool" pack here/made.data
cp here/made.data input.data
refused 'the input as output' 2 'is an input' "$pdtool" pack -o input.data input.data
cmp -s here/made.data input.data
result 'the input is as it was' $?
refused '--full and --strip-paths' 2 'expected one of them' "$pdtool" pack --full --strip-paths -o x.pd here/made.data
refused 'several files without directories' 1 'not of a capture of several files' "$pdtool" pack --only-samples --strip-paths -o x.pd \
	"$data/recorded/x86_64/modes/threads2.data"
# What a record says of bytes that are not there is no reason to write as many.
cat >cut.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all sample_type=IP|TID|TIME
sample pid=1 tid=1 ip=0x1000 time=2
auxtrace size=4000000000
END
"$mkperf" --mode pipe -o cut.data cut.mkperf || exit 1
(ulimit -f 2048 && "$pdtool" pack -q --strip-paths -o cut.pd cut.data >/dev/null 2>err)
result 'a payload of 4 GB that is not there, without directories' $? "$(cat err)"
refused 'a directory that is not there' 1 'none/x.pd' "$pdtool" pack -o none/x.pd here/made.data
head -c 3000 there/made.data >cut.pd
"$pdtool" collapse cut.pd >out.txt 2>err
[ $? -le 1 ] && [ -s err ] && ok 'a cut pack' || fail 'a cut pack' "$(cat err)"

# ---- mutants ----

if [ -x "$host_san" ]; then
	bad=0
	zstd -dqf there/made.data -o pack.tar
	for seed in $(seq 1 "$(some 120)"); do
		case $((seed % 4)) in # the last one is mostly headers
		0) cp there/made.data mutant ;;
		1) cp pack.tar mutant ;;
		2) cp threads.tar mutant ;;
		3) zstd -dcq large.pd 2>/dev/null | head -c 2500 >mutant ;;
		esac
		perl -e 'srand $ARGV[0]; open F, "+<", "mutant"; binmode F; $n = -s F;
			for (1 .. 1 + rand 6) { seek F, int rand $n, 0; print F chr rand 256 }' "$seed"
		limited 20 "$san" collapse --no-host mutant >out.txt 2>err
		status=$?
		[ $status -gt 4 ] && { bad=1; fail "mutant $seed" "status $status: $(tail -3 err)"; }
		grep -q 'ERROR: \(Address\|Undefined\)\|runtime error' err && { bad=1; fail "mutant $seed" "$(head -5 err)"; }
	done
	[ $bad = 0 ] && ok 'mutants'
else
	skip 'mutants' 'the sanitized build is not there'
fi

# ---- what may not leave the house ----

# outside_samples FILE: a little-endian capture without what is in its samples, to where a pipe's or a file's records end
# and what comes behind them.
outside_samples() {
	perl -e 'local $/; open F, "<", $ARGV[0]; binmode F; binmode STDOUT; $_ = <F>; ($head, $at, $size) = unpack "x8Q<x24Q<Q<", $_;
		($at, $end) = $head == 16 ? (16, length) : ($at, $at + $size);
		print substr $_, 0, $at;
		while ($at + 8 <= $end) {
			($type, $misc, $size) = unpack "x${at}L<S<S<", $_;
			$size |= $misc << 16 if $type > 32768; $size = 8 if $size < 8;
			print substr $_, $at, $type == 9 ? 8 : $size;
			$at += $size;
		}
		print substr $_, $end if $end < length' "$1"
}
# Absolute paths with a directory, in text.
paths_in() { strings -n 6 "$1" | grep -v '^/\.\.\.[0-9]*/[^/]*$' | sed 's,/\.\.\.[0-9]*/,,g' | grep '\(^\|[^A-Za-z0-9_.]\)/[A-Za-z_.-][A-Za-z0-9_.-]*/[A-Za-z0-9_.]'; }
# stripped NAME CAPTURE OPTIONS: without directories, and the same otherwise
stripped() {
	name=$1 capture=$2
	shift 2
	rm -rf bare.dir && mkdir bare.dir
	"$pdtool" pack -q -o bare.pd --strip-paths "$@" "$capture" >/dev/null 2>err && "$pdtool" pack -q -o whole.pd "$@" "$capture" >/dev/null 2>>err ||
		{ fail "$name: pack" "$(cat err)"; return; }
	for command in collapse 'report -q --no-children -s dso,sym' flamegraph; do
		[ "$shown" ] && [ "$command" = flamegraph ] && continue
		"$pdtool" $command whole.pd 2>want.err | sed "s/whole\.pd/bare.pd/; $shown" >want
		"$pdtool" $command bare.pd 2>got.err | sed "$shown" >got
		[ -s want ] && cmp -s want got && ok "$name: $command" || fail "$name: $command" "$(diff want got | head -5)"
		sed 's/whole\.pd/bare.pd/' want.err | cmp -s - got.err && ok "$name: $command: what is told" ||
			fail "$name: $command: what is told" "$(diff want.err got.err | head -5)"
	done
	tar xf bare.pd --zstd -C bare.dir && outside_samples bare.dir/perf.data >outside
	equal "$name: paths in its capture" '' "$(paths_in outside | head -3)"
	"$pdtool" pack -q -o again.pd --strip-paths "$@" "$capture" >/dev/null 2>&1 && cmp -s again.pd bare.pd
	result "$name: the same again" $?
}
# What only its path tells apart stays apart, in every form that a capture has.
cat >paths.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap mmap2 comm task sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
host box
arch x86_64
cmdline /secret/bin/perf record -o /secret/out.data -- secret/app
build_id 1111111111111111111111111111111111111111 /secret/one/libx.so
build_id 2222222222222222222222222222222222222222 /secret/two/libx.so
feature 26 u32:0 t16:/secret/bpf.c
comm pid=5 comm=/secret/app time=1
mmap2 pid=5 addr=0x400000 len=0x1000 file="/secret/one/libx.so" time=2
mmap2 pid=5 addr=0x500000 len=0x1000 file="/secret/two/libx.so" time=2
mmap pid=5 addr=0x600000 len=0x1000 file="/secret/two/libx.so (deleted)" time=2
mmap pid=5 addr=0x700000 len=0x1000 file=//anon time=2
mmap pid=5 addr=0x800000 len=0x1000 file="/memfd:/secret/x (deleted)" time=2
mmap pid=5 addr=0x900000 len=0x1000 file=/s/l time=2
mmap pid=5 addr=0xa00000 len=0x1000 file=/t/l time=2
cgroup cgroup=7 path=/secret/slice time=2
sample pid=5 time=3 ip=0x400010 chain=[user:0x400010,0x500010,0x600010,0x700010,0x800010,0x900010,0xa00010]
END
for form in '--endian little' '--endian big' '--mode pipe' '--mode pipe --align none' --zstd --zstd2 '--mode v1' '--endian big --zstd'; do
	"$mkperf" $form -o paths.data paths.mkperf || { fail "strip-paths, $form" 'no capture'; continue; }
	"$pdtool" pack -q --strip-paths -o bare.pd paths.data >/dev/null 2>err || fail "strip-paths, $form: pack" "$(cat err)"
	rm -rf out && mkdir out && tar xf bare.pd --zstd -C out
	equal "strip-paths, $form: secrets" 0 "$(cat out/* | grep -ac secret)"
	"$pdtool" collapse -q paths.data | sed 's,/secret/,,; s,\[x (,[memfd:x (,' >want
	"$pdtool" collapse -q bare.pd >got
	[ -s want ] && cmp -s want got
	result "strip-paths, $form: collapse" $?
	# each module once, with the build-id that it had by its path
	"$pdtool" bundle-list paths.data 2>/dev/null | sed 's,/secret/one/,/.../,; s,/secret/two/,/...2/,; s,/secret/,,; s,/s/l,/.../l,; s,/t/l,/...2/l,' >want
	"$pdtool" bundle-list bare.pd 2>/dev/null >got
	grep -q 2222222222222222 want && cmp -s want got && ok "strip-paths, $form: modules" || fail "strip-paths, $form: modules" "$(diff want got)"
done

recorded=$data/recorded
stripped 'strip-paths, frame pointers' "$recorded/x86_64/modes/clock.data"
stripped 'strip-paths, compressed' "$recorded/x86_64/modes/zstd.data"
stripped 'strip-paths, compressed with padding' "$recorded/foreign/10-x86_64-perf6.16-zstd-compressed2.perf.data" --only-samples
stripped 'strip-paths, pipe' "$recorded/x86_64/modes/pipe612.data"
stripped 'strip-paths, compressed pipe' "$recorded/x86_64/modes/pipezstd.data"
stripped 'strip-paths, trace' "$recorded/foreign/08-x86_64-k4.14-intel_pt-aux.perf.data.zst"
for file in sp_symbols sp_jit_symbol sp_switch sp_tracepoint sp_callchain_record; do
	stripped "strip-paths, $file" "$recorded/android/$file.data.zst"
done
# hiperf calls a program by its path; a flame graph's colours follow from names
shown='s,/system/bin/,,g'
stripped 'strip-paths, hp_dwarf' "$recorded/android/hp_dwarf.data.zst"
shown=

# A file that is not there gets no names of another one that is called so: not of one in the pack, not of one that is named.
mkdir -p twins/a twins/b && cp here/bare twins/b/elf && cp here/bare twins/b/app && sleep 0.1
fn=$(nm here/bare | awk '$3 == "packed_fn" { print $1 }')
{
	sed -n '1,2p' made.mkperf
	echo "clock_data clockid=1 wall=$(date +%s%N) clock=1000000000"
	n=0
	for name in "$tmp/twins/a/elf" "$tmp/twins/b/elf" "$tmp/twins/a/app" "$tmp/twins/b/app" /elf /app; do
		n=$((n + 1))
		echo "comm pid=$n comm=p$n time=1000000001"
		echo "mmap2 pid=$n $(segment here/bare) file=\"$name\" $(stat -c 'maj=%Hd min=%Ld ino=%i' "$name" 2>/dev/null || echo maj=9 min=9 ino=9) time=1000000002"
		echo "sample pid=$n time=1000000003 ip=0x$fn chain=[user:0x$fn]"
	done
} >twins.mkperf && "$mkperf" -o twins.data twins.mkperf || exit 1
twins='p1;[elf] 1
p2;packed_fn 1
p3;[app] 1
p4;packed_fn 1
p5;[elf] 1
p6;[app] 1'
for strip in '' ' --strip-paths'; do
	"$host_pdtool" pack -q$strip -o twins.pd twins.data >/dev/null 2>err || fail "twins$strip: pack" "$(cat err)"
	equal "twins$strip" "$twins" "$("$pdtool" collapse -q twins.pd | stacks)"
	# below the root that is named are files of the last two names
	equal "twins$strip, files of that name" "$(echo "$twins" | grep 'p[1-4]')" "$("$pdtool" collapse -q --symbols twins/b twins.pd | stacks | grep 'p[1-4]')"
done

# Code that was compiled at run time has its source files in names and in tables of lines.
cat >jits.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task use_clockid clockid=1 \
	sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
comm pid=30 comm=node time=1
mmap pid=30 addr=0x30000 len=0x1000 file=//anon time=2
comm pid=40 comm=python time=1
mmap pid=40 addr=0x7000000 len=0x1000 file=/secret/jit/jit-40.dump time=2
sample pid=30 time=900 ip=0x30008 chain=[user:0x30008]
sample pid=40 time=900 ip=0x5010 chain=[user:0x5010]
END
mkdir jits && "$mkperf" -o jits.data jits.mkperf && echo '30000 10 JS:*leaf /secret/my dir/n.js:1:14' >jits/perf-30.map
for order in little big; do
	printf '%s\n' 'line 0x5000 0x5000 7 /secret/jit/x.py' 'load 100 0x5000 0x40 1 py::f:/secret/jit/x.py' 'other 99 20' |
		"$build/tests/oracle/jitfile" $order 62 40 0 >jits/jit-40.dump
	"$pdtool" pack -q --strip-paths --perf-map-dir jits -o jits.pd jits.data >/dev/null 2>err || fail "strip-paths, jit, $order: pack" "$(cat err)"
	equal "strip-paths, jit, $order" 'node;JS:*leaf n.js:1:14 1
python;py::f:x.py:x.py:7 1' "$("$pdtool" collapse -q --srcline jits.pd | stacks)"
	rm -rf out && mkdir out && tar xf jits.pd --zstd -C out
	equal "strip-paths, jit, $order: secrets" 0 "$(cat out/* out/tmp/* 2>/dev/null | grep -ac secret)"
done
# Debug information that makes no sense is left out, and that is told.
mkdir -p odd && cp parts/half.cc parts/sum.h parts/main.cc odd && (cd odd && g++ -O2 -g -no-pie -Wl,--build-id -o odd main.cc half.cc) || exit 1
line=$(readelf -SW odd/odd | sed -n 's/.* \.debug_line *PROGBITS *[^ ]* \([0-9a-f]*\) .*/\1/p')
perl -e 'open F, "+<", "odd/odd"; seek F, hex($ARGV[0]) + 4, 0; print F pack "S", 99' "$line"
capture_of odd/odd && "$host_pdtool" pack --strip-paths -o odd.pd odd/odd.data >/dev/null 2>err
equal 'strip-paths: what cannot be stripped is told' 1 "$(grep -c 'odd: its debug information cannot be stripped of paths, and is not in the pack' err)"
rm -rf out && mkdir out && tar xf odd.pd --zstd -C out
equal 'strip-paths: what cannot be stripped is left out' '' "$(cat $(find out -type f) | strings -n 3 | grep -e "$tmp" -e 'odd/' -e 'half.cc' | head -3)"
equal 'strip-paths: and names are there' 1 "$("$pdtool" collapse -q odd.pd | grep -c '^app;app::half')"

# What is left is told, and nothing else.
"$pdtool" pack --strip-paths --only-samples -o bare.pd "$recorded/android/hp_dwarf.data.zst" 2>err >/dev/null
equal 'strip-paths: stacks are left' 1 "$(grep -c 'left: paths may stand in the stack copies of [0-9]* samples$' err)"
cat >open.mkperf <<'END'
event sys:open type=tracepoint config=5 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|RAW
comm pid=5 comm=app time=1
sample pid=5 time=2 ip=0x400000 raw=[t16:/etc/passwd]
sample pid=5 time=3 ip=0x400000 raw=[t16:kworker/0:1]
sample pid=5 time=4 ip=0x400000 raw=[t16:none]
END
"$mkperf" -o open.data open.mkperf && "$pdtool" pack --strip-paths --only-samples -o bare.pd open.data 2>err >/dev/null
equal 'strip-paths: texts are left' 1 "$(grep -c 'left: paths may stand in what 2 samples of tracepoints tell$' err)"
"$pdtool" pack --strip-paths --only-samples -o bare.pd "$recorded/x86_64/modes/clock.data" 2>err >/dev/null
equal 'strip-paths: nothing is left' '' "$(grep 'left\|empty' err)"

# mutants of captures and of files with debug information
if [ -x "$host_san" ]; then
	bad=0
	# bare NAME CAPTURE OPTIONS: pack and read it with sanitizers
	bare() {
		name=$1 capture=$2
		shift 2
		limited 60 "$san" pack -q --strip-paths -o mutant.pd "$@" "$capture" >out.txt 2>err
		status=$?
		[ $status = 0 ] && { limited 60 "$san" collapse --srcline mutant.pd >out.txt 2>>err; status=$?; }
		[ $status -gt 4 ] && { bad=1; fail "$name" "status $status: $(tail -3 err)"; }
		grep -q 'ERROR: \(Address\|Undefined\)\|runtime error' err && { bad=1; fail "$name" "$(head -5 err)"; }
	}
	zstd -dqf "$recorded/android/sp_symbols.data.zst" -o symbols.data
	zstd -dqf "$recorded/android/hp_dwarf.data.zst" -o hiperf.data
	for seed in $(seq 1 "$(some 240)"); do
		set -- "$recorded/x86_64/modes/clock.data" "$recorded/x86_64/modes/zstd.data" "$recorded/x86_64/modes/pipezstd.data" paths.data \
			symbols.data hiperf.data
		shift $((seed % 6))
		cp "$1" mutant
		perl -e 'srand $ARGV[0]; open F, "+<", "mutant"; binmode F; $n = -s F; for (1 .. 1 + rand 8) {
			seek F, int rand(rand() < .5 && $n > 4000 ? 4000 : $n), 0; print F chr rand 256 }' "$seed"
		bare "strip-paths, mutant $seed" mutant --only-samples
	done
	for file in $(ls parts/split*o4g++ parts/split*o5g++ parts/dwz 2>/dev/null); do
		[ -s "$file.data" ] || continue
		range=$(readelf -SW "$file" | perl -ne 'if (/\.debug_\w+ +PROGBITS +\S+ (\S+) (\S+)/) { $lo = hex $1 unless $lo; $hi = hex($1) + hex $2 }
			END { print "$lo $hi" }')
		for seed in $(seq 1 "$(some 20)"); do
			rm -rf mutant.root && mkdir -p "mutant.root$tmp/parts" && cp "$file" "mutant.root$tmp/parts"
			[ "$file" = parts/dwz ] && cp parts/common.debug "mutant.root$tmp/parts"
			perl -e '($file, $lo, $hi) = @ARGV; srand $ARGV[3]; open F, "+<", $file; binmode F;
				for (1 .. 1 + rand 12) { seek F, $lo + int rand($hi - $lo), 0; print F chr rand 256 }' "mutant.root$tmp/$file" $range "$seed"
			bare "strip-paths, mutant $seed of $file" "$file.data" --symfs mutant.root
		done
	done
	[ $bad = 0 ] && ok 'strip-paths, mutants'
else
	skip 'strip-paths, mutants' 'the sanitized build is not there'
fi

# ---- recorded here ----

if ! perf record -q -e cpu-clock -o try.data true >/dev/null 2>&1; then
	skip 'recorded here' 'perf record is not permitted'
else
	cat >here/work.c <<-'END'
	#include <stdlib.h>
	static int ascending(const void *a, const void *b)
	{
		return *(const int *)a - *(const int *)b;
	}
	static inline int next(int i)
	{
		return i * 7919 % 100003;
	}
	int main(void)
	{
		static int v[100000];
		for (int k = 0; k < 30; k++) {
			for (int i = 0; i < 100000; i++)
				v[i] = next(i + k);
			qsort(v, 100000, sizeof(*v), ascending);
		}
		return v[0] & 0;
	}
	END
	"${CC:-cc}" -g -O2 -fno-omit-frame-pointer -o here/work here/work.c || exit 1
	sleep 0.1
	function=ascending
	for way in fp dwarf; do
		(cd here && perf record -q -e cpu-clock -F 3999 --call-graph $way -o $way.data -- ./work >/dev/null 2>../err) ||
			fail "recorded here, $way" "$(cat err)"
		same_there "recorded here, $way" $way.data
		same_there "recorded here, $way, --strip-paths" $way.data --strip-paths
		rm -rf out && mkdir out && tar xf there/$way.data --zstd -C out
		outside_samples out/perf.data >outside && rm out/perf.data
		equal "recorded here, $way, --strip-paths: directories" '' "$(cat $(find out -type f) outside | strings -n 3 |
			grep -e "$tmp" -e 'here$' -e '[/ ]here/' -e /usr -e '/include' -e '/build' | head -3)"
	done
	bytes=$(stat -c %s there/dwarf.data) of=$(stat -c %s here/dwarf.data)
	[ "$bytes" -lt $((of * 110 / 100)) ] && ok 'its size: the capture and a tenth at most' ||
		fail 'its size: the capture and a tenth at most' "$bytes of $of bytes"
fi
