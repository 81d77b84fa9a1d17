#!/bin/sh
# annotate: instruction starts as objdump has them, for x86-64, AVX-512 as in C libraries' string functions, and five
# other machines; weights where the samples were, adding up to what report says; lines as addr2line has them; and what
# is said where there is no code, no disassembler, or no sense in the bytes. MUTANTS: damaged copies of each file (some of 60).
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

mutants=${MUTANTS:-$(some 60)}
for tool in gcc objdump addr2line readelf nm; do
	command -v $tool >/dev/null || { skip 'annotate' "$tool is not installed"; exit; }
done

# ---- helpers ----

# starts FILE SYMBOL: addresses of its instructions by objdump.
starts() {
	objdump -d -w --no-show-raw-insn "$1" | awk -v s="<$2>:" '
		$2 == s { on = 1; next }
		NF == 0 { on = 0 }
		on && $1 ~ /^[0-9a-f]+:$/ { sub(/:/, "", $1); print "0x" $1 }'
}
# column NAME...: these columns of a CSV table without quotes in them, but for the instruction.
column() {
	perl -ne 'BEGIN { @want = split " ", shift } chomp; my @f;
		push @f, defined $1 ? $1 : $2 while /\G(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g and pos() <= length and @f < 99;
		if (!%at) { $at{$f[$_]} //= $_ for 0 .. $#f; next }
		print join(" ", map { $f[$at{$_}] // "?" } @want), "\n"' "$*"
}
annotate() { "$host_pdtool" annotate -q --allow-unverified "$@"; }
listed() { annotate "$@" --format csv | column address kind | awk '$2 == "instruction" || $2 == "length" { print $1 }'; }
sum() { awk '{ n += $1 } END { print n + 0 }'; }

# capture NAME FILE ADDRESS...: a capture in which each address is sampled, with periods 1, 2, 3 ...; as mapped at 0.
capture() {
	out=$1 file=$2
	shift 2
	{
		cat <<-END
			event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task \\
				sample_type=IP|TID|TIME|PERIOD|IDENTIFIER
			event cpu-clock type=software config=0 period=1000 ids=6 sample_id_all \\
				sample_type=IP|TID|TIME|PERIOD|IDENTIFIER
			comm pid=5 comm=x time=1
		END
		readelf -lW "$file" | awk -v f="$file" '$1 == "LOAD" && /R.E/ {
			print "mmap pid=5 addr=" $3 " len=" $5 " pgoff=" $2 " file=\"" f "\" time=2" }'
		n=0
		for at; do
			n=$((n + 1))
			echo "sample event=cycles pid=5 time=$((n + 3)) ip=$at period=$n"
			[ $((n % 3)) = 0 ] && echo "sample event=cpu-clock pid=5 time=$((n + 3)) ip=$at period=1000"
		done
	} >"$out.mkperf"
	"$mkperf" -o "$out" "$out.mkperf" 2>err || fail "$out" "mkperf: $(cat err)"
}

# ---- a C function ----

cat >work.c <<'END'
#include <string.h>
__attribute__((noipa)) long work(const char *s, int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++) {
		switch (s[i] & 7) {
		case 0: sum += i; break;
		case 1: sum -= strlen(s); break;
		case 2: sum *= 3; break;
		case 3: sum ^= s[i]; break;
		case 4: sum += sum / (i + 1); break;
		default: sum++;
		}
	}
	return sum;
}
int main(int argc, char **argv) { return work(argv[0], argc); }
END
gcc -O2 -g -o work work.c 2>err || { skip 'annotate' "gcc: $(head -n 1 err)"; exit; }
starts work work >want
# shellcheck disable=SC2046
capture work.data "$tmp/work" $(sed -n 'p;n;n;p' want)
annotate work work.data --format csv >work.csv
column address kind <work.csv | awk '$2 == "instruction" { print $1 }' >got
same 'a C function: the starts that objdump lists' want got
awk '/^sample event=cycles/ { split($5, ip, "="); split($6, p, "="); w[ip[2]] += p[2] } END { for (a in w) print a, w[a] }' work.data.mkperf | sort >want
column address cycles_periods <work.csv | awk '$2 > 0' | sort >got
same 'weights stand at the sampled addresses' want got
for event in cycles cpu-clock; do
	unit=$([ $event = cycles ] && echo periods || echo ns)
	"$host_pdtool" report -q --allow-unverified -e $event -s sym --format csv work.data | column sym self_$unit |
		awk '$1 == "work" { print $2 }' >want
	column ${event}_$unit <work.csv | sum >got
	same "$event: the weights add up to what report says" want got
done
column cycles_percent <work.csv | awk '{ n += $1 } END { exit !(n > 99.9 && n < 100.1) }'
result 'percentages add up' $?
annotate work work.data --percent-type global-hits --format csv | column cpu-clock_percent cpu-clock_samples |
	awk '$2 ~ /[1-9]/ { if ($1 + 0 == 0) bad = 1; n++ } END { exit bad || !n }'
result '--percent-type global-hits' $?
column address file line <work.csv | awk '{ print $1, $2 ":" $3 }' >got
column address <work.csv | addr2line -a -e work | paste -d' ' - - | sed 's/ (discriminator.*//; s/^0x0*/0x/' >want
same 'lines are those of addr2line' want got
annotate work work.data >out
grep -q 'work.c:4  long sum = 0;$' out && ok 'the text of the source' || fail 'the text of the source' 'is not there'
"$pdtool" annotate -q --symfs . work work.data >out2 2>&1
mkdir -p root"$tmp" && cp work root"$tmp"
"$pdtool" annotate -q --symfs root work work.data >out2
grep -q '  work.c:4$' out2 && ok 'below --symfs: no text of a file of this host' || fail 'below --symfs: no text of a file of this host' "$(grep -m1 'work.c' out2)"
cp work.c root"$tmp" && "$pdtool" annotate -q --symfs root work work.data | grep -q 'work.c:4  long sum' &&
	ok 'below --symfs: its own' || fail 'below --symfs: its own' 'is not there'
"$pdtool" annotate -q --allow-unverified --symbols root work work.data >out2
grep -q '  work.c:4$' out2 && ok '--no-host: no text of a file of this host' || fail '--no-host: no text of a file of this host' "$(grep -m1 'work.c' out2)"
mv work.c kept.c && mkfifo work.c && limited 10 "$host_pdtool" annotate -q --allow-unverified work work.data >out2
result 'a FIFO in place of the source is not opened' $?
rm work.c && mv kept.c work.c
annotate work work.data --no-source | grep -q 'work.c' && fail '--no-source' 'shows lines' || ok '--no-source'
annotate work work.data -P | grep -q "$tmp/work.c:4" && ok '--full-paths' || fail '--full-paths' 'shows none'
annotate work work.data --asm-raw -M intel | grep -q 'c3  *ret' && ok '--asm-raw -M intel' || fail '--asm-raw -M intel' 'no ret with its byte'
grep -q '► ' out && grep -q '└' out && ok 'jumps are drawn' || fail 'jumps are drawn' 'they are not'
annotate work work.data --color always | grep -q "$(printf '\033\[31m')" && ok '--color' || fail '--color' 'nothing is hot'
annotate work work.data | grep -q "$(printf '\033')" && fail 'no colour' 'an escape' || ok 'no colour'
annotate -s work -i work.data --format csv | cmp -s - work.csv
result '-s SYMBOL -i FILE' $?

# ---- AVX-512 as in string functions ----

cat >evex.s <<'END'
	.text
	.macro function name
	.globl \name
	.type \name, @function
\name:	endbr64
	.endm
	.macro predicates s, i, more:vararg
	vpcmpu\s $\i, %zmm31, %zmm1, %k2{%k3}
	vpcmp\s $\i, 0x40(%rip), %ymm9, %k2
	.ifnb \more
	predicates \s, \more
	.endif
	.endm
	.macro done name
	ret
	.size \name, . - \name
	.endm

	function strlen_evex
	vpxorq %xmm16, %xmm16, %xmm16
	vpcmpeqb (%rdi), %ymm16, %k0
	kmovd %k0, %eax
	test %eax, %eax
	je 1f
	tzcnt %eax, %eax
	ret
1:	vpcmpeqb 0x20(%rdi), %ymm16, %k1
	vpcmpeqb 0x2000(%rdi), %ymm16, %k2
	vpminub 0x40(%rdi), %ymm17, %ymm18
	vpminub %ymm18, %ymm17, %ymm19{%k1}{z}
	vptestnmb %ymm19, %ymm19, %k3
	vptestmb %ymm19, %ymm19, %k4{%k1}
	vpternlogd $0xde, %ymm17, %ymm18, %ymm20
	kunpckdq %k0, %k1, %k0
	kortestd %k2, %k3
	jne 1b
	kmovq %k0, %rax
	vpcmpub $1, %ymm20, %ymm16, %k5{%k1}
	vpcmpneqb 0x11(%rdi, %rcx, 4), %ymm16, %k6
	kmovw %k5, (%rsi)
	kmovb 3(%rsi), %k2
	kandnd %k1, %k2, %k3
	kshiftrq $32, %k3, %k3
	knotd %k3, %k3
	ktestd %k3, %k3
	done strlen_evex

	function memset_avx512
	vpbroadcastb %esi, %zmm16
	vpbroadcastb 1(%rip), %zmm17
	vmovdqu64 %zmm16, (%rdi)
	vmovdqu8 %zmm16, 0x40(%rdi){%k1}
	vmovdqu8 -0x40(%rdi, %rdx), %zmm18{%k2}{z}
	vmovdqa64 %zmm16, 0x12345678(%rdi)
	vmovntdq %zmm16, 0x80(%rdi)
	vpsrldq $3, %zmm16, %zmm17
	vpshufb %zmm16, %zmm17, %zmm18
	vpalignr $5, %zmm16, %zmm17, %zmm18
	vpermb %zmm16, %zmm17, %zmm18
	vpcompressb %zmm16, (%rdi){%k1}
	vpdpbusd %zmm16, %zmm17, %zmm18
	vgatherdps (%rdi, %zmm16, 4), %zmm17{%k1}
	vaddps {rn-sae}, %zmm16, %zmm17, %zmm18
	vcvtps2ph $4, %zmm16, (%rdi)
	vfpclassps $3, %zmm16, %k1
	vgf2p8affineqb $7, (%rdi){1to8}, %zmm16, %zmm17
	vaesenc %zmm16, %zmm17, %zmm18
	vpclmulqdq $0, %zmm16, %zmm17, %zmm18
	vmulph %zmm16, %zmm17, %zmm18
	vfmadd231ph 2(%rdi){1to32}, %zmm17, %zmm18
	vpxor %ymm0, %ymm1, %ymm2
	vzeroupper
	rep movsb
	xbegin 1f
	xend
1:	bsf %rax, %rcx
	lock cmpxchg %rcx, (%rdi)
	movabs $0x1122334455667788, %rax
	data16 lea 0(%rdi), %rdi
	rex.W call strlen_evex
	nopw %cs:0x0(%rax,%rax,1)
	sha256rnds2 %xmm1, %xmm2
	done memset_avx512

	function masks
	.irp s, b, w, d, q
	kand\s %k1, %k2, %k3
	kandn\s %k1, %k2, %k3
	kor\s %k1, %k2, %k3
	kxnor\s %k1, %k2, %k3
	kxor\s %k1, %k2, %k3
	kadd\s %k1, %k2, %k3
	knot\s %k5, %k6
	kortest\s %k5, %k6
	ktest\s %k5, %k6
	kmov\s %k5, %k6
	kshiftr\s $3, %k1, %k7
	kshiftl\s $33, %k1, %k7
	kmov\s (%rax,%r9,2), %k1
	kmov\s %k1, 0x100(%r13)
	kmov\s 3(%rip), %k1
	kmov\s 0x12345678, %k1
	vptestm\s %zmm1, %zmm22, %k3{%k4}
	vptestnm\s 0x40(%r15), %zmm22, %k1
	vptestnm\s 0x41(%r12,%r12), %xmm22, %k1
	predicates \s, 0, 1, 2, 3, 4, 5, 6, 7
	vpcmpeq\s %zmm17, %zmm8, %k1
	vpcmpgt\s (%rsp), %zmm8, %k1
	vpmovm2\s %k1, %zmm17
	vpmov\s\()2m %ymm17, %k1
	.endr
	kunpckbw %k1, %k2, %k3
	kunpckwd %k1, %k2, %k3
	kmovw %r9d, %k1
	kmovd %r9d, %k1
	kmovq %r9, %k1
	kmovb %k1, %r10d
	kmovq %k1, %r10
	vptestmd (%rax){1to16}, %zmm1, %k2
	vpcmpeqq 8(%rax){1to4}, %ymm1, %k2
	vpternlogd $200, 4(%rax){1to8}, %ymm1, %ymm2{%k1}{z}
	vpternlogq $1, %zmm30, %zmm1, %zmm2{%k1}
	vpbroadcastb %r9d, %zmm17{%k1}
	vpbroadcastw %eax, %xmm17
	vpbroadcastd %eax, %ymm17{%k2}{z}
	vpbroadcastq %r15, %zmm17
	vpbroadcastb %xmm20, %zmm17
	vpbroadcastw 0x10(%rax), %zmm17
	done masks

	.globl main
	.type main, @function
main:	ret
	.size main, . - main
	.section .note.GNU-stack, "", @progbits
END
if ! printf 'vmulph %%zmm1, %%zmm2, %%zmm3\n' | as -o some.o - 2>err; then
	skip 'AVX-512' "the assembler: $(sed -n 2p err)"
elif gcc -o evex evex.s 2>err; then
	for f in strlen_evex memset_avx512 masks; do
		starts evex $f >$f.want
		# shellcheck disable=SC2046
		capture $f.data "$tmp/evex" $(cat $f.want)
		listed $f $f.data >$f.got
		same "AVX-512, $f: the starts that objdump lists" $f.want $f.got
		annotate $f $f.data --format csv >csv
		equal "AVX-512, $f: the weights add up" "$(awk -v n="$(grep -c . $f.want)" 'BEGIN { print n * (n + 1) / 2 }')" \
			"$(column cycles_periods <csv | sum)"
		column kind <csv | grep -qv -e instruction -e length && fail "AVX-512, $f: all of it is instructions" "it is not" ||
			ok "AVX-512, $f: all of it is instructions"
	done
	annotate strlen_evex strlen_evex.data | grep -q 'vptestnmb' && annotate strlen_evex strlen_evex.data | grep -q 'kmovd' &&
		ok 'mask instructions have names' || fail 'mask instructions have names' 'they have not'
else
	fail 'AVX-512' "the assembler: $(sed -n 2p err)"
fi

# texts NAME FILE: of what capstone does not know, as objdump has them, but for (%rax,%rbx,1) and small numbers in hex
texts() {
	for syntax in att intel; do
		objdump -d -w --insn-width=20 -M $syntax "$2" | "$build/tests/oracle/insnlen" $syntax | perl -sne '
			chomp; ($ours, $theirs) = map { s/ *[#<].*//; s/\s+/ /g; s/, /,/g; s/ \{/{/g; s/ds:(\w+)/[$1]/; s/ bcst / ptr /i; s/\{1to\d+\}// if $i; s/,1\)/)/; s/\*1(?=[]+-])//;
				s/([\[\w]) ([+-]) /$1$2/g; s/(?<![\w%{])\K(\d)(?=[(,\]]|$)/0x$1/g; lc } split /\t/;
			$n++; next if $ours eq $theirs; print "    $ours | $theirs\n" if $bad++ < 5;
			END { print $n + 0, " ", $bad + 0, "\n" }' -- -i=$([ $syntax = intel ] && echo 1) >texts
		tail -n 1 texts >counts && read -r all other <counts
		[ "$all" -gt 0 ] && [ "$other" = 0 ] && ok "$1 in $syntax: $all texts" || {
			fail "$1 in $syntax" "$other of $all texts differ (ours | objdump's)"
			sed '$d' texts
		}
	done
}
[ -f evex ] && texts 'mask instructions' evex

# ---- lengths, over whole libraries ----

for library in libc.so.6 libstdc++.so.6; do
	path=$(ldconfig -p 2>/dev/null | awk -v l=$library '$1 == l && /x86-64/ { print $NF; exit }')
	[ -n "$path" ] || path=$(gcc -print-file-name=$library)
	if [ ! -f "$path" ] || ! readelf -h "$path" | grep -q X86-64; then
		skip "lengths: $library" 'it is not here'
		continue
	fi
	objdump -d -w --insn-width=20 "$path" >listing
	"$build/tests/oracle/insnlen" length <listing >lengths 2>err
	read -r all other <lengths
	[ "$all" -gt 10000 ] && [ "$other" = 0 ] && ok "lengths: $library, $all instructions" || {
		fail "lengths: $library" "$other of $all are other ones than objdump's"
		show err
	}
	[ $library = libc.so.6 ] && texts $library "$path"
done

# ---- other machines ----

tar -xJf "$data/annotate/deep.tar.xz"
for machine in arm64 armhf i386 ppc64el s390x; do
	deep=$machine/opt/w/deep
	readelf -sW $deep | awk '$NF == "leaf_hash" { print "0x" $2, $3; exit }' >symbol
	read -r where size <symbol
	at=$(printf '0x%x' $((where & ~1)))
	capture $machine.data "$tmp/$deep" "$at" "$at"
	sed "s#file=\"$tmp/$machine#file=\"#" $machine.data.mkperf >other.mkperf
	"$mkperf" -o $machine.data other.mkperf
	"$pdtool" annotate -q --symfs $machine leaf_hash $machine.data --format csv >csv 2>err
	column address kind <csv >rows
	awk '$2 != "instruction" && $2 != "length" && $2 != "data"' rows | grep -q . || ! [ -s rows ] &&
		fail "$machine: each row is an instruction" "$(awk '{ print $2 }' rows | sort | uniq -c | tr '\n' ' ')" ||
		ok "$machine: each row is an instruction"
	equal "$machine: weight" '3' "$(column periods <csv | sum)"
	if command -v llvm-objdump >/dev/null; then
		llvm-objdump -d -z --no-show-raw-insn $deep 2>err | awk '
			/^[0-9a-f]+ <[^$].*>:/ { on = $2 == "<leaf_hash>:" }
			/^ / && on && !/\.word/ && sub(/:.*/, "") { print "0x" $1 }' |
			while read -r a; do [ $((a)) -lt $((at + size)) ] && echo "$a"; done >want
		awk '$2 != "data" { print $1 }' rows >got
		same "$machine: the starts that llvm-objdump lists" want got
	else
		skip "$machine: the starts that llvm-objdump lists" 'it is not installed'
	fi
	column file line <csv | awk '$1 !~ /deep.c$/ || $2 == 0' | grep -q . && fail "$machine: lines" 'some have none' || ok "$machine: lines"
done
"$pdtool" annotate -q --symfs armhf leaf_hash armhf.data --format csv | column kind bytes | grep -q '^data [0-9a-f ]*$' &&
	ok 'armhf: data among the code is not decoded' || fail 'armhf: data among the code is not decoded' 'it is'

# machine NUMBER: the file "work" as one for another machine.
machine() {
	cp work other && printf "\\$(printf %o "$1")\\000" | dd of=other bs=1 seek=18 conv=notrunc 2>/dev/null
	sed "s#file=\"$tmp/work\"#file=\"$tmp/other\"#" work.data.mkperf >other.mkperf
	"$mkperf" -o other.data other.mkperf
}
machine 243
annotate work other.data --format csv >csv
equal 'RISC-V: exit status' 3 $?
"$host_pdtool" annotate --allow-unverified work other.data 2>&1 | grep -q 'does not know RISC-V' && ok 'RISC-V: is named' || fail 'RISC-V: is named' 'it is not'
equal 'RISC-V: the weights are there' "$(column cycles_periods <work.csv | sum)" "$(column cycles_periods <csv | sum)"
machine 106
annotate work other.data --format csv >csv
equal 'a machine without a name: exit status' 3 $?
equal 'a machine without a name: the weights are there' "$(column cycles_periods <work.csv | sum)" "$(column cycles_periods <csv | sum)"
column kind <csv | sort -u >got
echo bytes >want
same 'a machine without a name: bytes, from one sample to the next' want got

# ---- the kernel ----

cat >kernel.s <<'END'
	.text
	.globl _text, vfs_read
_text:	nop
	.type vfs_read, @function
vfs_read:
	push %rbp
	jmp 1f
	nop
1:	pop %rbp
	ret
	.size vfs_read, . - vfs_read
END
cat >kernel.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|PERIOD
mmap pid=-1 addr=0xffffffff9a000000 len=0x1000000 pgoff=0xffffffff9a000000 file=[kernel.kallsyms]_text time=1
comm pid=5 comm=x time=1
sample pid=5 time=3 mode=kernel ip=0xffffffff9a000005 period=5
END
if gcc -nostdlib -static -Wl,-e,_text,-Ttext=0xffffffff81000000,--build-id=none -o vmlinux kernel.s 2>err; then
	"$mkperf" -o kernel.data kernel.mkperf
	"$pdtool" annotate -q --vmlinux vmlinux vfs_read kernel.data --format csv >csv
	equal 'the kernel: exit status' 0 $?
	column address periods <csv >got
	printf '0xffffffff8100000%s\n' '1 0' '2 0' '4 0' '5 5' '6 0' >want
	same 'the kernel: moved by KASLR, its addresses are those of vmlinux' want got
else
	skip 'the kernel' "gcc: $(head -n 1 err)"
fi

# ---- code of a jitdump ----

mkdir dumps
printf 'line 0x10000 0x10008 7 /src/a.js\nload 100 0x10000 12 1 jitted\n' |
	"$build/tests/oracle/jitfile" little 62 5 0 >dumps/jit-5.dump
cat >jitdump.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task use_clockid clockid=1 \
	sample_type=IP|TID|TIME|PERIOD
comm pid=5 comm=x time=1
mmap pid=5 addr=0x7000000 len=0x1000 file=/tmp/jit-5.dump time=2
sample pid=5 time=200 ip=0x10004 period=5
sample pid=5 time=201 ip=0x10009 period=6
END
"$mkperf" -o jitdump.data jitdump.mkperf
"$pdtool" annotate -q --perf-map-dir dumps jitted jitdump.data --format csv >csv
equal 'a jitdump: exit status' 0 $?
column address instruction periods file line <csv | awk '$3' >got
printf '0x10004 nop 5 \n0x10009 nop 6 /src/a.js 7\n' >want
sed -i 's/ *$//' got want
same 'a jitdump: instructions, samples, lines' want got
equal 'a jitdump: all of the code' 12 "$(column bytes <csv | grep -c '^90$')"

# ---- what is not there ----

mkdir maps && echo '7f0000000000 100 jitted' >maps/perf-5.map
cat >jit.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|PERIOD
comm pid=5 comm=x time=1
mmap pid=5 addr=0x7f0000000000 len=0x1000 file=//anon time=2
sample pid=5 time=3 ip=0x7f0000000010 period=5
sample pid=5 time=4 ip=0x7f0000000020 period=6
END
"$mkperf" -o jit.data jit.mkperf
"$pdtool" annotate --perf-map-dir maps jitted jit.data --format csv >csv 2>err
equal 'code made at run time: exit status' 3 $?
grep -q 'compiled at run time' err && ok 'code made at run time: is said' || fail 'code made at run time: is said' "$(cat err)"
printf '0x7f0000000010 absent 5\n0x7f0000000020 absent 6\n' >want
column address kind periods <csv >got
same 'code made at run time: the samples' want got
"$host_pdtool" annotate -q wrk work.data --allow-unverified >out 2>err
equal 'no such function: exit status' 1 $?
grep -q "in 'wrk'.* there are samples in: work" err && ok 'no such function: what there is' || fail 'no such function: what there is' "$(cat err)"
"$pdtool" annotate 2>err
equal 'no function: exit status' 2 $?
"$pdtool" annotate -M nasm work work.data 2>err
equal 'an option that is invalid' 2 $?

# ---- one name, several functions ----

cp work twin
{ cat work.data.mkperf; echo "mmap pid=5 addr=0x10000000 len=0x100000 file=\"$tmp/twin\" time=900"; \
	echo "sample event=cycles pid=5 time=901 ip=$(printf '0x%x' $((0x10000000 + 0x$(nm work | awk '$3 == "work" { print $1 }')))) period=7"; } >two.mkperf
"$mkperf" -o two.data two.mkperf
annotate work two.data --format csv | column dso cycles_periods | awk '{ n[$1] += $2 } END { for (f in n) print f, n[f] }' | sort >got
printf '%s 7\n%s %s\n' "$tmp/twin" "$tmp/work" "$(column cycles_periods <work.csv | sum)" >want
same 'a name in two modules: both' want got
annotate work two.data --dsos twin --format csv | column dso | sort -u >got
echo "$tmp/twin" >want
same 'a name in two modules: --dsos' want got

# ---- hostile ----

# Jumps into an instruction, behind its lock prefix; an undefined opcode; nothing but garbage; 100 MB that are not there.
perl -e 'srand 7; print map chr rand 256, 1 .. 50000' >garbage.bin
cat >hostile.s <<'END'
	.text
	.macro function name size
	.globl \name
	.type \name, @function
	.size \name, \size
\name:
	.endm
	function locked 14
	cmpl $0, %fs:0x18
	je 1f
	.byte 0xf0
1:	incl (%rdi)
	ret
	function broken 14
	jmp 2f
	.byte 0x06, 0x48, 0xb8, 1, 2, 3
2:	nop
	.byte 0x06, 0x06
	nop
	ret
	ret
	function garbage 50000
	.incbin "garbage.bin"
	function large 100000000
	nop
	.globl main
	.type main, @function
main:	ret
	.section .note.GNU-stack, "", @progbits
END
gcc -o hostile hostile.s 2>err || fail 'hostile: it is there' "$(cat err)"
address() { nm hostile | awk -v s="$1" '$3 == s { print "0x" $1 }'; }
at() { printf '0x%x\n' $(($(address "$1") + $2)); }
# shellcheck disable=SC2046
capture hostile.data "$tmp/hostile" "$(at locked 12)" "$(at locked 9)" "$(at broken 0)" "$(at broken 11)" \
	$(for i in 1 20 333 4000 49999; do at garbage $i; done) "$(at large 0)"
annotate locked hostile.data --format csv | column offset kind periods | awk '$3' >got
printf '0x9 instruction 2\n0xc inside 1\n' >want
same 'a sample inside of an instruction has its own row' want got
annotate broken hostile.data --format csv | column offset kind >got
cat >want <<'END'
0x0 instruction
0x2 bytes
0x8 instruction
0x9 bytes
0xb instruction
0xc instruction
0xd instruction
END
same 'undefined opcodes: bytes up to where a jump goes, and to a sample' want got
cat >lined.s <<'END'
	.text
	.globl main
	.type main, @function
main:	nop
	.byte 0x06, 0x48, 0xb8, 1, 2, 3
	nop
	ret
	.size main, . - main
	.section .note.GNU-stack, "", @progbits
END
gcc -g -o lined lined.s && capture lined.data "$tmp/lined" "0x$(nm lined | awk '$3 == "main" { print $1 }')"
annotate main lined.data --format csv | column offset kind >got
printf '0x0 instruction\n0x1 bytes\n0x7 instruction\n0x8 instruction\n' >want
same 'undefined opcodes: bytes up to a line of the source' want got
for f in locked broken garbage large; do
	limited 20 "$host_san" annotate -q --allow-unverified $f hostile.data >out 2>err
	result "hostile, sanitized: $f" $? "status $?: $(head -n 1 err)"
done
equal 'garbage: the weights add up' 35 "$(annotate garbage hostile.data --format csv | column cycles_periods | sum)"
( ulimit -v 400000; annotate large hostile.data >out 2>err )
result 'a function of 100 MB does not need them' $? "$(head -n 1 err)"

# Damaged ELF files: one to eight bytes changed, or the end cut off. Whatever comes: no signal, no report, no hang.
# mutants NAME FILE SYMBOL CAPTURE OPTION...
mutants() {
	name=$1 file=$2 symbol=$3 from=$4
	shift 4
	cp "$file" intact
	bad=0 seed=0
	while [ $seed -lt "$mutants" ]; do
		seed=$((seed + 1))
		perl -e 'my ($seed, $to) = @ARGV; srand $seed; local $/; open F, "<", "intact"; my $b = <F>;
			substr($b, int rand(rand > .5 ? 4096 : length $b), 1) = chr rand 256 for 0 .. rand 8;
			$b = substr $b, 0, rand length $b if rand() < .1;
			open F, ">", $to; print F $b' $seed "$file"
		limited 10 "$host_san" annotate -q "$@" "$symbol" "$from" >out 2>err
		case $? in 0 | 1 | 3) ;; *) bad=$((bad + 1)); cp err err.first; cp "$file" first ;; esac
	done
	cp intact "$file"
	[ $bad = 0 ] && ok "damaged: $name, $mutants times" || {
		fail "damaged: $name" "$bad of $mutants"
		show err.first
	}
}
mutants 'an x86-64 program' work work work.data --allow-unverified
mutants 'an ARM program' armhf/opt/w/deep leaf_hash armhf.data --symfs armhf
