#!/bin/sh
# Source lines and inline chains as addr2line has them: depth and lines of COUNT random addresses (20000) of a C++
# program full of STL, by gcc and clang, in DWARF 4 and 5, split, compressed, and with an alternate file (dwz, where it
# is there); what is missing is told by name; damaged DWARF (MUTANTS copies, some of 500); then what collapse makes of it.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

count=${COUNT:-20000}
mutants=${MUTANTS:-$(some 500)}
linenames=$build/tests/oracle/linenames
for tool in addr2line g++ readelf objcopy; do
	command -v $tool >/dev/null || { skip 'lines as addr2line has them' "$tool is not installed"; exit; }
done

cat >shop.cpp <<'END'
#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <regex>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

namespace shop {
struct item { std::string name; double price; int stock; };
namespace {
template <typename F> int apply(F f, int n)
{
	struct local { static int twice(int k) { return k * 2 + 1; } };
	return f(local::twice(n)) + local::twice(n + 3);
}
int digest(const std::string &s) { int n = 0; for (char c : s) n = n * 31 + c; return n; }
}
class store {
	std::map<std::string, std::unique_ptr<item>> by_name;
	std::unordered_map<int, std::vector<item *>> by_stock;
public:
	void add(const std::string &n, double p, int s)
	{
		auto i = std::make_unique<item>(item{ n, p, s });
		by_stock[s % 17].push_back(i.get());
		by_name[n] = std::move(i);
	}
	double total() const
	{
		return std::accumulate(by_name.begin(), by_name.end(), 0.0,
				       [](double a, const auto &e) { return a + e.second->price; });
	}
	std::vector<item> sorted() const
	{
		std::vector<item> v;
		for (auto &e : by_name)
			v.push_back(*e.second);
		std::sort(v.begin(), v.end(), [](auto &a, auto &b) { return a.price < b.price; });
		std::stable_sort(v.begin(), v.end(), [](auto &a, auto &b) { return a.stock < b.stock; });
		return v;
	}
};
}

int main(int argc, char **argv)
{
	shop::store s;
	std::ostringstream out;
	for (int i = 0; i < argc * 1000; i++)
		s.add("item" + std::to_string(i), i % 97, i % 31);
	for (auto &i : s.sorted())
		out << i.name << ' ' << shop::digest(i.name) << '\n';
	std::regex re("item([0-9]+) (-?[0-9]+)");
	std::string text = out.str();
	int n = std::distance(std::sregex_iterator(text.begin(), text.end(), re), std::sregex_iterator());
	return int(s.total()) + n + shop::apply([n](int k) { return k + n; }, argc);
}
END
cat >tiny.cpp <<'END'
#include <algorithm>
#include <vector>
static int twice(int n) { return n * 2 + 1; }
namespace a { struct b { int v; int get() const { return twice(v); } }; }
int main(int argc, char **argv)
{
	std::vector<a::b> v;
	for (int i = 0; i < argc; i++)
		v.push_back({ argv[i][0] });
	std::sort(v.begin(), v.end(), [](const a::b &x, const a::b &y) { return x.get() < y.get(); });
	return v[0].get();
}
END

# addresses FILE: of its code, ascending.
addresses() {
	readelf -SW "$1" 2>/dev/null | sed 's/^ *\[ *//' | awk '$2 == ".text" { print $4, $6 }' |
		perl -ne 'BEGIN { srand 1 } ($at, $size) = map hex, split;
			$h{$at + int rand $size} = 1 while keys %h < '"$count"' && keys %h < $size;
			printf "%x\n", $_ for sort { $a <=> $b } keys %h'
}

# Both forms become: the address, then the line of each function, innermost first; 0 where it is not known.
from_addr2line() {
	perl -ne 'chomp; if (/^0x0*([0-9a-f]+)$/) { print "\n" if $n++; print $1; next }
		$_ = <>; /:(\d+)(?: \(discriminator \d+\))?$/; print " ", $1 // 0; END { print "\n" }'
}
from_linenames() {
	perl -ne 'chomp; my ($at, @f) = split /\t/; print $at; while (@f) { shift @f; shift(@f) =~ /:(\d+)$/; print " $1" } print "\n"'
}

# compare NAME WANTED GOT: at least 999 of 1000 lines are equal.
compare() {
	total=$(grep -c . "$2")
	differ=$(paste -d: "$2" "$3" | awk -F: '$1 != $2' | tee differ | grep -c .)
	if [ "$(grep -c . "$3")" = "$total" ] && [ "$total" -gt 1000 ] && [ $((differ * 1000)) -le "$total" ]; then
		ok "$1: $((total - differ)) of $total equal"
	else
		fail "$1" "$differ of $total differ (wanted:got)"
		show differ
	fi
}

# Without lines, the same chains: the answers of linenames without their lines.
names_alone() {
	"$linenames" --no-lines "$2" <"$2.addrs" 2>err | tr '\t' '\n' >"$2.names"
	tr '\t' '\n' <"$2.out" | sed 's/^.*:[0-9]*$/??:0/' >"$2.all"
	same "$1: the same names without lines" "$2.all" "$2.names"
}

# against NAME TOOL FILE: what TOOL and linenames say of FILE.
against() {
	addresses "$3" >"$3.addrs"
	"$linenames" "$3" <"$3.addrs" >"$3.out" 2>"$3.err"
	sed 's/^/0x/' "$3.addrs" | "$2" -a -i -f -e "$3" 2>/dev/null | from_addr2line >"$3.want"
	from_linenames <"$3.out" >"$3.got"
	compare "$1" "$3.want" "$3.got"
	names_alone "$1" "$3"
}

# ---- the same program in every form ----

for version in 5 4; do
	g++ -O2 -g -gdwarf-$version -c shop.cpp -o object$version 2>err && g++ object$version -o gcc$version 2>err &
done
wait
if ! [ -f gcc5 ] || ! [ -f gcc4 ]; then
	skip 'lines as addr2line has them' "g++ cannot compile it: $(head -n 1 err)"
	exit
fi
against 'gcc, DWARF 5, as addr2line' addr2line gcc5
against 'gcc, DWARF 4, as addr2line' addr2line gcc4
us=$(sed -n 's/.* \([0-9]*\)\.[0-9]* us each/\1/p' gcc5.err gcc4.err | sort -n | tail -n 1)
if [ "${SANITIZER:-}" ]; then
	skip 'at most 10 us for an address' 'a build that a sanitizer watches is slower'
else
	[ "${us:-99}" -lt 10 ] && ok 'at most 10 us for an address' || fail 'at most 10 us for an address' "$us us"
fi
# Of a template over a local type, g++ tells no linkage name.
nm -S gcc5 | perl -ane '$F[3] eq "main" and printf "%x\n", $_ for hex $F[0] .. hex($F[0]) + hex $F[1]' | "$linenames" gcc5 >out 2>err
grep -q 'shop::(anonymous namespace)::apply<main(int, char\*\*)::<lambda' out && ok 'names have their scopes' ||
	fail 'names have their scopes' 'they have not'

# Few addresses in many units: .debug_aranges tells which; where it is absent, cut or senseless all units are looked at.
i=0
while [ $i -lt 30 ]; do
	printf 'static inline int in%d(int n) { return n * %d; }\nint f%d(int n) { return in%d(n + 1) / 3; }\n' $i $i $i $i >unit$i.c
	i=$((i + 1))
done
printf 'int f7(int);\nint main(int argc, char **argv) { return f7(argc); }\n' >units.c
gcc -O2 -g -o units units.c unit[0-9]*.c 2>err && objcopy --remove-section .debug_aranges units untold &&
	objcopy --dump-section .debug_aranges=aranges units && head -c 700 aranges >half && head -c 2000 /dev/zero >zeroes &&
	objcopy --update-section .debug_aranges=half units cut && objcopy --update-section .debug_aranges=zeroes units senseless
nm units | awk '$3 ~ /^f[0-9]*[258]$/ { print $1 }' | perl -ne 'printf "%x\n", 4 + hex' | sort >few
"$linenames" untold <few >want 2>err
equal 'few addresses in many units: all are known' 9 "$(grep -c 'unit[0-9]*.c:2$' want)"
for file in units cut senseless; do
	"$linenames" $file <few >got 2>err
	same "few addresses in many units: $file" want got
done
# Where they are compressed, .debug_info is inflated up to the last of these: what is wrong behind it, here the checksum, does
# no harm.
objcopy --compress-debug-sections=zlib units packed
head -n 1 few >first
"$linenames" units <first >want 2>err
end=$(readelf -SW packed | sed 's/^ *\[ *//' | awk '$2 == ".debug_info" { print $5, $6 }' | perl -ne 'print eval join "+", map hex, split')
printf '\252\252' | dd of=packed bs=1 seek=$((end - 2)) conv=notrunc 2>/dev/null
"$linenames" packed <first >got 2>err
same 'compressed, few addresses: no more is inflated than what they need' want got
"$linenames" packed <few >got 2>err
grep -q 'unreadable: \.debug_info is compressed, and cannot be inflated' err && ok 'compressed, all of it is needed: the checksum counts' ||
	fail 'compressed, all of it is needed: the checksum counts' "$(cat err)"
# Code that was optimised at link time has its functions in other units, here behind its own.
perl - >behind.s <<'END'
print "\t.text\n\t.globl main\nmain:\n.Lmain:\tnop\n\tnop\n\tnop\n\tret\n.Lend:\n";
print "\t.globl last\nlast:\n.Llast:\tnop\n\tret\n.Lstop:\n\t.section .debug_abbrev,\"\",\@progbits\n";
# 1 unit, 2 function, 3 inlined, by a reference into another unit, 4 that function, 5 filler
print "\t.uleb128 $_\n" for 1, 17, 1, 0x03, 0x08, 0x11, 0x01, 0x12, 0x01, 0x13, 0x0b, 0, 0, 2, 46, 1, 0x03, 0x08, 0x11, 0x01, 0x12, 0x01, 0, 0,
	3, 29, 0, 0x31, 0x10, 0x11, 0x01, 0x12, 0x01, 0, 0, 4, 46, 0, 0x03, 0x08, 0x20, 0x0b, 0, 0, 0;
print "\t.section .debug_info,\"\",\@progbits\n.Linfo:\n";
sub unit {
	my ($name, $low, $high, $body) = @_;
	print ".L$name:\t.long .L${name}_end - . - 4\n\t.short 4\n\t.long 0\n\t.byte 8\n\t.uleb128 1\n\t.asciz \"$name\"\n";
	print "\t.quad $low, $high\n\t.byte 12\n$body\t.uleb128 0\n.L${name}_end:\n";
}
unit "own", ".Lmain", ".Lend", "\t.uleb128 2\n\t.asciz \"main\"\n\t.quad .Lmain, .Lend\n\t.uleb128 3\n\t.long .Linlined - .Linfo\n" .
	"\t.quad .Lmain, .Lmain + 2\n\t.uleb128 0\n";
unit "other", ".Llast", ".Lstop", join("", map "\t.uleb128 4\n\t.asciz \"filler$_\"\n\t.byte 1\n", 1 .. 2000) .
	".Linlined:\t.uleb128 4\n\t.asciz \"inlined\"\n\t.byte 1\n";
print "\t.section .debug_aranges,\"\",\@progbits\n";
for (["own", ".Lmain", ".Lend"], ["other", ".Llast", ".Lstop"]) {
	my ($name, $low, $high) = @$_;
	print "\t.long 44\n\t.short 2\n\t.long .L$name - .Linfo\n\t.byte 8, 0\n\t.long 0\n\t.quad $low, $high - $low, 0, 0\n";
}
END
gcc -o behind behind.s 2>err && objcopy --compress-debug-sections=zlib behind
nm behind | sed -n 's/ T main$//p' | sed 's/^0*//' >first
equal 'compressed, a name from a unit behind: it is inflated, too' inlined "$("$linenames" --no-lines behind <first 2>err | cut -f 2)"

if command -v clang++ >/dev/null && clang++ -O2 -g -gdwarf-4 shop.cpp -o clang4 2>err; then
	against 'clang, DWARF 4, as addr2line' addr2line clang4
	clang++ -O2 -g -gdwarf-5 shop.cpp -o clang5 2>err
	# binutils 2.40 does not read the lists of ranges of clang's DWARF 5
	if command -v llvm-addr2line >/dev/null; then
		against 'clang, DWARF 5, as llvm-addr2line' llvm-addr2line clang5
	else
		skip 'clang, DWARF 5' 'there is no llvm-addr2line'
	fi
else
	skip 'clang' 'there is no clang++ that compiles it'
fi

# The code is that of the others: so must the answers be.
alike() {
	"$linenames" "$3" <"$2.addrs" 2>"$3.err" | from_linenames >"$3.got"
	compare "$1" "$2.want" "$3.got"
}
for form in zlib zlib-gnu zstd; do
	objcopy --compress-debug-sections=$form gcc5 $form 2>err && alike "compressed, $form" gcc5 $form ||
		skip "compressed, $form" 'objcopy does not know it'
done
# make_split COMPILER VERSION: a program whose .dwo is in objects; sets $split and $dwo.
make_split() {
	split=split-$1-$2
	rm -rf objects && mkdir objects
	( cd objects && $1 -O2 -g -gdwarf-$2 -gsplit-dwarf -c ../shop.cpp -o shop.o && $1 shop.o -o ../$split ) 2>err
	dwo=$(find objects -name '*.dwo')
	[ -n "$dwo" ] && [ -f $split ]
}
for compiler in g++ clang++; do
	for version in 4 5; do
		label="split, $compiler, DWARF $version"
		whole=gcc$version
		[ $compiler = g++ ] || whole=clang$version
		if ! [ -f $whole.want ] || ! make_split $compiler $version; then
			skip "$label" "there is no $compiler, it makes no .dwo, or there is nothing to compare with"
			continue
		fi
		alike "$label" $whole $split
		if command -v llvm-dwp >/dev/null && ( cd objects && llvm-dwp -e ../$split -o ../$split.dwp ) 2>err; then
			mv $dwo gone
			alike "$label, package" $whole $split
			grep -q missing $split.err && fail "$label, package: found" "$(cat $split.err)"
			rm $split.dwp
		else
			skip "$label, package" 'there is no llvm-dwp that makes one'
			mv $dwo gone
		fi
		mv gone "$(basename $dwo)"
		alike "$label, beside the program" $whole $split
		grep -q missing $split.err && fail "$label, beside the program: found" "$(cat $split.err)"
		mv "$(basename $dwo)" gone
		"$linenames" $split <$whole.addrs >out 2>err
		grep -q "missing split files: 1, .*$(basename $dwo)" err && ok "$label: the missing file is named" ||
			fail "$label: the missing file is named" "$(cat err)"
		from_linenames <out | awk '$NF > 0 { n++ } END { exit n < 1000 }' && ok "$label: lines without the file" ||
			fail "$label: lines without the file" 'there are none'
		last=$split last_dwo=$dwo last_addrs=$whole.addrs
	done
done
if [ -n "${last:-}" ]; then
	rm -f "$last_dwo"
	mkdir -p "$(dirname "$last_dwo")"
	mkfifo "$last_dwo" # whoever opens it waits for ever
	limited 10 "$linenames" $last <$last_addrs >out 2>err
	result 'split: a FIFO in place of the file is not opened' $?
	rm "$last_dwo"
	printf 'int other;\n' >other.cpp
	( cd objects && g++ -g -gdwarf-5 -gsplit-dwarf -c ../tiny.cpp -o tiny.o && g++ tiny.o -o ../tiny.split &&
		g++ -g -gdwarf-5 -gsplit-dwarf -c ../other.cpp -o other.o && mv other.dwo tiny.dwo ) 2>err
	addresses tiny.split | "$linenames" tiny.split >out 2>err
	grep -q 'missing split files: 1' err && ok 'split: a file of another unit is not used' ||
		fail 'split: a file of another unit is not used' "$(cat err)"
fi
# A file that is not linked yet, as kernel modules are: addresses from the beginning of .text.
for version in 4 5; do
	addresses object$version >addrs
	"$linenames" object$version <addrs >out 2>err
	sed 's/^/0x/' addrs | addr2line -j .text -a -i -f -e object$version 2>/dev/null | from_addr2line >want
	from_linenames <out >got
	compare "not linked, DWARF $version" want got
done
cat >plain.c <<'END'
static volatile int sink;
static inline __attribute__((always_inline)) int inner(int n)
{
	return n * sink;
}
int first(int n)
{
	return inner(n) + 1;
}
int second(int n)
{
	return first(n + 2) * inner(n);
}
END
for machine in i386 aarch64 armv7 s390x powerpc64le powerpc64 riscv64; do
	label="not linked, $machine"
	if ! command -v llvm-addr2line >/dev/null ||
		! clang --target=$machine-linux-gnu -O1 -g -ffreestanding -c plain.c -o other.o 2>err; then
		skip "$label" 'there is no clang for it, or no llvm-addr2line'
		continue
	fi
	size=$(readelf -SW other.o 2>/dev/null | sed 's/^ *\[ *//' | awk '$2 == ".text" { print $6 }')
	perl -e '$size = hex shift; for ($at = 0; $at < $size; $at += 4) { printf "%x\n", $at }' "$size" >addrs
	"$linenames" other.o <addrs 2>err | from_linenames >got
	sed 's/^/0x/' addrs | llvm-addr2line -a -i -f -e other.o 2>/dev/null | from_addr2line >want
	same "$label" want got
done
if command -v dwz >/dev/null; then
	cp gcc4 dwz4
	cp gcc4 other
	dwz -m "$tmp/common.debug" -M "$tmp/common.debug" dwz4 other 2>err
	alike 'alternate file (dwz)' gcc4 dwz4
	[ -s dwz4.err ] && ! grep -q missing dwz4.err && ok 'alternate file: found' || fail 'alternate file: found' "$(cat dwz4.err)"
	mv common.debug gone
	"$linenames" dwz4 <gcc4.addrs >out 2>err
	grep -q "missing alternate file: $tmp/common.debug" err && ok 'alternate file: missing and named' ||
		fail 'alternate file: missing and named' "$(cat err)"
	mkfifo common.debug
	limited 10 "$linenames" dwz4 <gcc4.addrs >out 2>err
	result 'alternate file: a FIFO in its place is not opened' $?
else
	skip 'alternate file' 'there is no dwz'
fi

# The supplementary file of DWARF 5: which version, that this is not one, its name, its checksum.
printf '\005\000\000/usr/lib/debug/common.sup\000\004abcd' >sup
objcopy --add-section .debug_sup=sup gcc5 sup5
"$linenames" sup5 <gcc5.addrs >out 2>err
grep -q 'missing alternate file: /usr/lib/debug/common.sup' err && ok 'supplementary file: missing and named' ||
	fail 'supplementary file: missing and named' "$(cat err)"
# By a method that nobody knows.
objcopy --compress-debug-sections=zlib gcc5 strange5
at=$(objdump -h strange5 | awk '$2 == ".debug_info" { print $6 }')
printf '\143' | dd of=strange5 bs=1 seek=$((0x$at)) conv=notrunc 2>/dev/null
"$linenames" strange5 <gcc5.addrs >out 2>err
grep -q 'unreadable: \.debug_info is compressed, and cannot be inflated' err && ok 'compressed by what is not known: told' ||
	fail 'compressed by what is not known: told' "$(cat err)"

# ---- damaged DWARF ----

g++ -O2 -g -gdwarf-5 tiny.cpp -o tiny5
g++ -O2 -g -gdwarf-4 tiny.cpp -o tiny4
cp tiny5 tinyz && objcopy --compress-debug-sections=zlib tinyz
for file in tiny5 tiny4 tinyz; do
	addresses $file >$file.addrs
	"$linenames" --mutate "$mutants" 1 $file <$file.addrs >out 2>&1
	result "damaged: $file, $(tail -n 1 out)" $? "$(tail -n 1 out)"
	"$build/san/tests/oracle/linenames" --mutate $((mutants / 5)) 1000000 $file <$file.addrs >out 2>&1
	result "damaged, sanitized: $file" $? "$(tail -n 1 out)"
done

# A directory of 200 kB and 65536 files in it, each of which libdw would spell out with it.
printf 'f\0\1\0\0' >files
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
	cat files files >twice && mv twice files
done
{
	printf '\133\15\10\0\4\0\125\15\10\0' # lengths: of the rest, of the head
	printf '\1\1\1\373\16\15\0\1\1\1\1\0\0\0\1\0\0\1'
	head -c 200000 /dev/zero | tr '\0' d
	printf '\0\0'
	cat files
	printf '\0'
} >line_table
cp tiny4 paths && objcopy --update-section .debug_line=line_table paths 2>err
# ThreadSanitizer asks for more addresses than there is memory: there, what is said below tells it.
grep -q __tsan_ "$linenames" && limit=unlimited || limit=1000000
(ulimit -v $limit; "$linenames" paths <tiny4.addrs >out 2>err)
equal 'damaged: paths of 13 GB are not made' 0 $?
grep -q 'a line table has impossible paths' err
result 'damaged: and that is said' $? "$(head -n 1 err)"

# ---- what collapse makes of it ----

cat >chain.c <<'END'
static volatile int sink;
/* An absolute symbol, which names nothing: how far it is to here. */
#define HERE(name) __asm__ volatile("nop\n.globl " #name "\n.set " #name ", . - outer\nnop" ::: "memory")
static inline __attribute__((always_inline)) void inner(int n)
{
	sink += n;
	HERE(leaf); /* line 7 */
}
static inline __attribute__((always_inline)) void middle(int n)
{
	inner(n + 1); /* line 11 */
	__asm__ volatile("nop\n.globl called\n.set called, . - outer" ::: "memory"); /* line 12, the last of it */
}
__attribute__((noipa)) void outer(int n)
{
	middle(n); /* line 16 */
	sink++; /* line 17 */
}
int main(void) { outer(1); return 0; }
END
if ! gcc -O2 -g -o chain chain.c 2>err; then
	skip 'collapse with inlined functions' "gcc: $(head -n 1 err)"
	exit
fi
# address NAME: of a place in outer
address() { nm chain | perl -ane '$v{$F[2]} = hex $F[0]; END { printf "%x", $v{outer} + $v{'"$1"'} }'; }
# Segments: offset and address of the one with the code.
readelf -lW chain | awk '$1 == "LOAD" && $7 $8 ~ /E/ { print $2, $3, $5 }' | {
	read -r offset vaddr size
	cat <<-END
		event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task \\
			sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
		comm pid=5 comm=chain time=1
		mmap pid=5 addr=$vaddr len=$size pgoff=$offset file="$tmp/chain" time=2
		sample pid=5 time=3 ip=0x$(address leaf) chain=[user:0x$(address leaf),0x$(address called)]
	END
} >chain.mkperf
"$mkperf" -o chain.data chain.mkperf || exit 1
# collapsed OPTION...
collapsed() { "$host_pdtool" collapse -q --allow-unverified "$@" chain.data 2>err | stacks; }
equal 'inlined functions are frames, return addresses are those of the call' \
	'chain;outer;middle;outer;middle;inner 1' "$(collapsed)"
equal '--no-inline' 'chain;outer;outer 1' "$(collapsed --no-inline)"
equal '--inline marks them' 'chain;outer;middle_[i];outer;middle_[i];inner_[i] 1' "$(collapsed --inline)"
equal '--all marks them' 'chain;outer;middle_[i];outer;middle_[i];inner_[i] 1' "$(collapsed --all)"
equal '--no-inline is stronger' 'chain;outer;outer 1' "$(collapsed --inline --no-inline)"
equal '--srcline' \
	'chain;outer:chain.c:16;middle:chain.c:12;outer:chain.c:16;middle:chain.c:11;inner:chain.c:7 1' "$(collapsed --srcline)"
equal '--srcline --no-inline' 'chain;outer:chain.c:12;outer:chain.c:7 1' "$(collapsed --srcline --no-inline)"
equal '--skip-after an inlined function' 'middle;inner 1' "$(collapsed --skip-after middle)"
equal '--skip-after the function around it' 'outer;middle;inner 1' "$(collapsed --skip-after outer)"
equal '--compat: none' 'chain;outer;outer 1' "$(collapsed --compat stackcollapse)"
equal '--compat --inline: not marked' 'chain;outer;middle;outer;middle;inner 1' "$(collapsed --compat stackcollapse --inline)"
equal '--compat --all: none' 'chain;outer;outer 1' "$(collapsed --compat stackcollapse --all)"
equal '--compat --srcline' 'chain;outer:chain.c:12;outer:chain.c:7 1' "$(collapsed --compat stackcollapse --srcline)"
# reported KEY: rows of "children self key"
reported() { "$host_pdtool" report -q --allow-unverified --format csv --weight samples -s "$1" chain.data 2>err | sed 1d | cut -d , -f 3,4,6; }
equal 'report by srcline: a row for each function, self where the innermost was' '1,0,chain.c:11 1,0,chain.c:12 1,0,chain.c:16 1,1,chain.c:7' "$(reported srcline | tr '\n' ' ' | sed 's/ $//')"
equal 'report by srcfile' 1,1,chain.c "$(reported srcfile)"
equal 'the same bytes with --jobs 4' "$(collapsed -j1 --srcline)" "$(collapsed -j4 --srcline)"
# The same as a kernel, loaded elsewhere than it was linked for.
gcc -O2 -g -static -no-pie -Wl,--defsym=_text=outer -o kernel chain.c 2>err
at() { nm kernel | perl -ane '$v{$F[2]} = hex $F[0]; END { printf "%x", 0xffffffff81000000 + $v{'"$1"'} }'; }
cat >kernel.mkperf <<-END
	event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task \\
		sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
	mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x10000000 pgoff=0xffffffff81000000 file="[kernel.kallsyms]_text"
	comm pid=5 comm=chain time=1
	sample pid=5 mode=kernel time=3 ip=0x$(at leaf) chain=[kernel:0x$(at leaf),0x$(at called)]
END
if [ -f kernel ] && "$mkperf" -o kernel.data kernel.mkperf; then
	equal 'of a kernel' 'chain;outer;middle;outer;middle;inner 1' "$("$pdtool" collapse -q --vmlinux kernel kernel.data | stacks)"
else
	skip 'of a kernel' 'gcc cannot link one'
fi

# The .dwo is only below symfs, under the path of the directory where it was compiled.
mkdir built && cp chain.c built
( cd built && gcc -O2 -g -gsplit-dwarf -c chain.c && gcc -O2 -o ../chain chain.o ) 2>err
mkdir -p "root$tmp/built" && cp chain "root$tmp"
equal 'split file where it was compiled' 'chain;outer;middle;outer;middle;inner 1' \
	"$("$host_pdtool" collapse -q --symfs root chain.data | stacks)"
equal 'split file where it was compiled, --no-host' 'chain;outer;outer 1' "$("$pdtool" collapse -q --symfs root chain.data | stacks)"
mv built/chain.dwo "root$tmp/built" && {
	equal 'split file below symfs' 'chain;outer;middle;outer;middle;inner 1' "$("$pdtool" collapse -q --symfs root chain.data | stacks)"
	rm "root$tmp/built/chain.dwo"
	equal 'split file missing: no inlined functions' 'chain;outer;outer 1' "$("$pdtool" collapse --symfs root chain.data 2>err | stacks)"
	grep -q "chain: no split debug file chain.dwo" err && ok 'split file missing: named' || fail 'split file missing: named' "$(cat err)"
}

gcc -O2 -g -o chain chain.c
objcopy --only-keep-debug chain chain.debug && objcopy --strip-all --add-gnu-debuglink=chain.debug chain
equal 'from a debug file' 'chain;outer;middle;outer;middle;inner 1' "$(collapsed)"
rm chain.debug
collapsed >out
grep -q '^chain;\[chain\];\[chain\] 1$' out && ok 'without it: nothing is made up' || fail 'without it: nothing is made up' "$(cat out)"
