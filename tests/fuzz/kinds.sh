# What the sweeps do not damage, but the guided campaign does: seeds of every kind of file that names, unwinding and
# packs read, and the captures beside them; to be sourced by kit.sh. What a compiler makes is a seed alone; the captures
# are the same on every machine.

# ---- captures ----

# Small, so that a file's symbols are many beside it; one with a library in a package; one of a split program.
cat >tiny.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME
mmap pid=5 addr=0x400000 len=0x8000 pgoff=0 file=/bin/prog time=2
mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 file=[kernel.kallsyms]_text time=1
sample pid=5 time=3 ip=0x401020
sample pid=5 time=4 ip=0x401110
sample pid=5 time=5 ip=0xffffffff81000100 mode=kernel
END
cat >package.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME
mmap pid=5 addr=0x400000 len=0x10000 pgoff=0x1000 file=/app/base.apk time=2
mmap pid=5 addr=0x500000 len=0x10000 file=/app/base.apk!/lib/arm64-v8a/libnative.so time=2
repeat 64 {
sample pid=5 time=3+$i ip=0x400000+$i*16
sample pid=5 time=3+$i ip=0x500f80+$i*16
}
END
cat >code.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME
mmap pid=5 addr=0x400000 len=0x8000 pgoff=0 file=/bin/prog time=2
repeat 1024 {
sample pid=5 time=3+$i ip=0x400400+$i*4
}
END
# Copies of stacks in jitted code, in a program whose rules are expressions, in one of 32-bit ARM.
cat >stacked.mkperf <<'END'
event cpu-clock type=software config=0 period=1 ids=5 sample_id_all mmap comm task use_clockid clockid=1 \
	exclude_callchain_user sample_type=IP|TID|TIME|CALLCHAIN|REGS_USER|STACK_USER|CPU|PERIOD regs_user=0x1c0 stack_user=64
arch x86_64
mmap pid=10 addr=0x7000000 len=0x1000 file=/tmp/jit-10.dump time=50
mmap pid=10 addr=0x7f43923e5000 len=0x1000 file=//anon time=50
sample pid=10 time=150 ip=0x5010 chain=[] regs_abi=2 regs_user=[0,0x7ff000,0x5010] stack=[u64:1,u64:0x6011,u64:2,u64:3,u64:4,u64:0x7011,u64:5] dyn_size=64
sample pid=10 time=350 ip=0x5010 chain=[] regs_abi=2 regs_user=[0,0x7ff000,0x5010] stack=[u64:1,u64:2,u64:3,u64:0x7011,u64:4,u64:5,u64:6] dyn_size=64
sample pid=10 time=360 ip=0x8010 chain=[] regs_abi=2 regs_user=[0,0x7ff000,0x8010] stack=[u64:1,u64:0x8021,u64:2,u64:0x5021,u64:3,u64:4,u64:5,u64:0x7011] dyn_size=64
sample pid=10 time=2444143480000 ip=0x7f43923e5005 chain=[] regs_abi=2 regs_user=[0,0x7ff000,0x7f43923e5005] \
	stack=[u64:1,u64:0x7f43923e5119,u64:2,u64:0x7f43923e5229,u64:3,u64:0x5000] dyn_size=48
END
cat >rules.mkperf <<'END'
event cpu-clock type=software config=0 period=1 ids=5 sample_id_all mmap comm task \
	exclude_callchain_user sample_type=IP|TID|TIME|CALLCHAIN|REGS_USER|STACK_USER|CPU|PERIOD regs_user=0xff0fff stack_user=256
arch x86_64
mmap pid=5 addr=0x400000 len=0x10000 file=/bin/prog time=1
repeat 96 {
sample pid=5 time=3+$i ip=0x401004+$i*16 chain=[] regs_abi=2 dyn_size=256 \
	regs_user=[1,0x400000,3,4,5,6,0x7ff020,0x7ff000,0x401004+$i*16,0x202,0x33,0x2b,8,9,10,11,12,13,14,15] \
	stack=[u64:0x401001,u64:0x401011,u64:0x7ff010,u64:0x401021,u64:0x7ff038,u64:0x401031,u64:0x7ff050,u64:0x401041,u64:0x401051+$i*16,u64:0x401061,u64:0,u64:0x401071,u64:0x401081,u64:0x401091,u64:0x4010a1,u64:0x4010b1,zero:128]
}
END
cat >arm.mkperf <<'END'
event cpu-clock type=software config=0 period=1 ids=5 sample_id_all mmap comm task \
	exclude_callchain_user sample_type=IP|TID|TIME|CALLCHAIN|REGS_USER|STACK_USER|CPU|PERIOD regs_user=0xffff stack_user=128
arch armv7l
mmap pid=5 addr=0x400000 len=0x10000 file=/bin/prog time=1
repeat 24 {
sample pid=5 time=3+$i ip=0x400110+$i*256 chain=[] regs_abi=1 dyn_size=128 \
	regs_user=[1,2,3,4,5,6,7,8,9,10,11,0xbf000020,12,0xbf000000,0x400221+$i*256,0x400110+$i*256] \
	stack=[u32:1,u32:0x400411,u32:4,u32:5,u32:0xbf000000,u32:0x400711,u32:0x400511,u32:0xbf000040,u32:0x400611,u32:0x400a11,u32:0x400b11,u32:0xbf000050,u32:0x400c11,u32:0x400d11,u32:0x400e11,u32:0x400f11,u32:0x401011,zero:60]
}
END
for name in tiny package code stacked rules arm; do "$mkperf" -o $name.capture $name.mkperf || exit 1; done
for arch in ppc64el s390x; do
	mkdir -p unwind.$arch
	tar -xzf "$data/unwind/$arch/files.tar.gz" -C unwind.$arch && zstd -q -dc "$data/unwind/$arch/shapes.data.zst" >unwind.$arch.capture || exit 1
	[ -f unwind.$arch/opt/w/shapes ] && mv unwind.$arch/opt/w/shapes unwind.$arch.elf && linked unwind.$arch/opt/w/shapes
done
linked package/app/base.apk
linked loose/any/file
linked split/bin/prog.dwo
linked packaged/bin/prog.dwp
linked parts/data
linked strange/perf-99.map
linked stranger/perf-98.map
zstd -q -dc "$data/fuzz/program-split.tar.zst" | tar -xf - || exit 1

# ---- seeds ----

# names_library OUT: a library with a function of 24 bytes, as far as samples in prog.capture are from each other, for each name that languages mangle.
names_library() {
	cat >names <<-'END'
	camlO__work_512
	camlStdlib__List__map_123
	camlDune__exe__Main__$2b$2b_7
	Ljava/lang/String;hashCode()I
	Ljava/util/zip/ZipUtils;CENSIZ([BI)J
	Ljava/util/regex/P$C;match(Ljava/util/Matcher;ILjava/lang/CharSequence;)Z
	Lapp/Main;two([Ljava/lang/String;I[[J)V
	Lapp/Main;::f-impl
	main.(*T).second
	base_GHCziBase_map_info
	containerszm0zi6zi7_DataziMapziInternal_zdwinsert_info
	ghczmprim_GHCziTypes_ZMZN_closure
	main_App_z3bbU_info
	ghczmprim_GHCziTuple_Z2T_con_info
	ghczmprim_GHCziTuple_Z3H_con_info
	main_App_z1f600U_info
	Main_zdwgo_entry
	ZCMain_main_info
	stg_ap_0_fast
	hs_main
	_ZN3foo3barEv
	_ZNKSt6vectorIiSaIiEE4sizeEv
	_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE
	_RNvC6_123foo3bar
	_RINvNtC3std3mem8align_ofdE
	_RNvMs_Cs4fqI2P2rA04_13const_genericINtB0_3FooKj5_E3bar
	_D8demangle4testFZv
	_D3std5stdio8writelnFAyaZv
	_D3std4conv__T2toTAyaZ__TQlTkZQqFNaNbNfkZQy
	_D3foo__T3barTiTAyaVii5ZQwMFNfG4HiQnQdZv
	_D3std5regex8internal6parser__T6ParserTAyaSQBrQBqQBnQBh7CodeGenZQBi5parseMFZv
	_ZZ4mainENKUlvE_clEv
	_ZTV3foo
	__ZN3foo3barEv
	function.constprop.0
	function.llvm.1234567890
	function.cold
	$s4main3fooyyF
	END
	{
		printf '%s\n' '.ident "GHC 9.4.7"' .text
		while read -r name; do
			printf '\t.globl "%s"\n\t.type "%s", %%function\n\t.size "%s", 24\n"%s":\t.fill 24, 1, 0x90\n' "$name" "$name" "$name" "$name"
		done <names
		echo '.section .note.GNU-stack,"",%progbits'
	} >names.s
	as -o names.o names.s && ld -shared -o "$1" names.o
}

# masks OUT: a program whose function "shown" works on masks and vectors.
masks() {
	cat >masks.s <<-'END'
	.text
	.globl shown
	.type shown, @function
	shown:
	vpcmpeqb (%rdi), %ymm16, %k0
	kmovd %k0, %eax
	vpcmpeqb 0x20(%rdi), %ymm16, %k1
	vpcmpub $1, %ymm20, %ymm16, %k5{%k1}
	vpcmpneqb 0x11(%rdi, %rcx, 4), %ymm16, %k6
	vpcmpud $5, %zmm31, %zmm1, %k2{%k3}
	vpcmpq $2, 0x40(%rip), %ymm9, %k2
	kmovq %k0, %rax
	kmovw %k5, (%rsi)
	kmovb (%rsi), %k3
	kandd %k1, %k2, %k3
	korq %k1, %k2, %k3
	kxnorw %k1, %k2, %k3
	knotb %k1, %k2
	kortestd %k1, %k1
	ktestq %k1, %k2
	kunpckdq %k1, %k2, %k3
	kshiftrq $3, %k1, %k2
	kaddb %k1, %k2, %k3
	vptestmb %ymm16, %ymm17, %k1
	vptestnmd (%rdi), %zmm16, %k1{%k2}
	vpternlogd $0xde, %ymm16, %ymm17, %ymm18
	vpminub %ymm16, %ymm17, %ymm18
	vpbroadcastb %esi, %zmm16
	vmovdqu64 (%rsi), %zmm16
	vmovdqu8 %zmm16, 0x80(%rdi){%k1}
	vpmovm2b %k1, %zmm3
	vpmovb2m %zmm3, %k1
	vpmovd2m %ymm3, %k1
	enter $8, $1
	lock cmpxchg %rax, (%rdx)
	rep movsb
	fs movq 0x28, %rax
	addr32 movl (%ebx), %eax
	vaddps %ymm1, %ymm2, %ymm3
	vfmadd213pd (%rax), %xmm1, %xmm2
	pshufb %xmm1, %xmm2
	roundsd $1, %xmm1, %xmm2
	jmp *8(,%rax,8)
	1: jne 1b
	jmp shown
	call shown
	ret
	.size shown, . - shown
	.section .note.GNU-stack,"",@progbits
	END
	as -o masks.o masks.s && ld -e shown -o "$1" masks.o
}

# expressions OUT: a library with functions of 16 bytes at 0x1000; each has another rule, most of them expressions.
expressions() {
	perl -e '
		my @u = ("0x77,0x08", "0x70,0x00,0x23,0x08", "0x77,0x00,0x06", "0x08,0x10,0x77,0x00,0x22", "0x0a,0x00,0x01,0x77,0x00,0x22",
			"0x09,0xf8,0x77,0x10,0x22", "0x10,0x90,0x01,0x77,0x00,0x22", "0x11,0x78,0x77,0x10,0x22", "0x31,0x77,0x08,0x12,0x13,0x1c",
			"0x77,0x08,0x38,0x15,0x01,0x13,0x22,0x38,0x1c", "0x77,0x08,0x30,0x16,0x22", "0x77,0x08,0x31,0x31,0x17,0x13,0x13",
			"0x77,0x10,0x38,0x1c", "0x77,0x08,0x3f,0x1a,0x77,0x08,0x22", "0x34,0x32,0x1e,0x77,0x00,0x22", "0x77,0x08,0x33,0x24,0x33,0x25",
			"0x77,0x08,0x1f,0x1f", "0x77,0x08,0x20,0x20", "0x77,0x08,0x33,0x26", "0x77,0x08,0x30,0x21,0x30,0x27",
			"0x77,0x08,0x77,0x00,0x2a,0x28,0x02,0x00,0x23,0x08", "0x30,0x28,0x01,0x00,0x96,0x77,0x08", "0x77,0x08,0x2f,0x00,0x00",
			"0x40,0x33,0x1b,0x77,0x00,0x22", "0x45,0x34,0x1d,0x77,0x00,0x22", "0x77,0x08,0x19", "0x31,0x32,0x29,0x77,0x08,0x22",
			"0x31,0x32,0x2b,0x77,0x08,0x22", "0x31,0x32,0x2c,0x77,0x08,0x22", "0x31,0x32,0x2d,0x77,0x08,0x22", "0x31,0x32,0x2e,0x77,0x08,0x22",
			"0x92,0x07,0x08", "0x77,0x00,0x94,0x08", "0x77,0x00,0x94,0x04,0x30,0x1e,0x77,0x08,0x22", "0x0c,0x08,0,0,0,0x77,0x00,0x22",
			"0x0e,0x08,0,0,0,0,0,0,0,0x77,0x00,0x22", "0x0d,0x08,0,0,0,0x77,0x00,0x22", "0x0b,0x08,0,0x77,0x00,0x22", "0x57,0x38,0x22",
			"0x77,0x0f,0x37,0x20,0x1a", "0x77,0x00,0x06,0x06", "0x2f,0xfd,0xff", "0x13", "0xff");
		print ".text\nfirst:\n";
		for (@u) {
			my $n = () = /,/g; $n++;
			print ".cfi_startproc\n.cfi_escape 0x0f,$n,$_\n.fill 16,1,0x90\n.cfi_endproc\n";
			next if $i++ % 3;
			print ".cfi_startproc\n.cfi_escape 0x10,0x06,$n,$_\n.cfi_escape 0x16,0x10,$n,$_\n.fill 16,1,0x90\n.cfi_endproc\n";
		}
		print ".cfi_startproc\n.cfi_signal_frame\n.cfi_def_cfa rbp, 16\n.cfi_offset rbp, -16\n.fill 4,1,0x90\n.cfi_remember_state\n.cfi_def_cfa rsp, 8\n.cfi_same_value rbp\n.cfi_restore rbp\n.cfi_undefined rbx\n.cfi_register r12, r13\n.fill 4,1,0x90\n.cfi_restore_state\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset r14, 0\n.cfi_val_offset r15, 8\n.fill 8,1,0x90\n.cfi_endproc\n";
		print ".cfi_startproc simple\n.cfi_personality 0x9b, first\n.cfi_lsda 0x1b, first\n.cfi_def_cfa 7, 8\n.cfi_return_column 16\n.cfi_offset 16, -8\n.cfi_escape 0x11,6,0x7e\n.cfi_escape 0x12,7,0x7f\n.cfi_escape 0x13,0x7f\n.cfi_escape 0x14,3,1\n.cfi_escape 0x15,3,0x7f\n.cfi_escape 0x2e,0x10\n.cfi_escape 0x2f,3,1\n.fill 16,1,0x90\n.cfi_endproc\n";
		print ".section .note.GNU-stack,\"\",\@progbits\n";' >rules.s
	as -o rules.o rules.s && ld -shared -o "$1" rules.o
}

# arm_rules OUT: a 32-bit ARM file with functions at 0x100, 0x200 ... and a program of .ARM.exidx for each.
arm_rules() {
	perl -e '
		use strict;
		my @words = (0x8000b0b0, 0x80a8b0b0, 0x809bb0b0, undef, 0x80b20084, 0x8001b100, 1, 0x8043b0b0, 0x8084b0b0, 0x80b10fb0,
			0x80b30300, 0x80b80000, 0x80c600b0, 0x80c700b0, 0x80c10000, 0x80c80000, 0x80c9f0b0, 0x80d0b0b0, 0x80a0b0b0, 0x808000b0,
			0x809db0b0, 0x80c2b0b0, undef, 0x80ffb0b0);
		my ($text, $extab, $exidx) = (0x100 * (@words + 2), "", "");
		my $extab_at = 0x3000;
		my $exidx_at = 0x3100;
		my $at = $exidx_at;
		$extab = pack "V*", 0x81018483, 0x00b0b0b0, 0x000000ff & 1, 0x02a8b0b0;
		for my $i (0 .. $#words) {
			$exidx .= pack "VV", (0x100 * ($i + 1) - $at) & 0x7fffffff,
				defined $words[$i] ? $words[$i] : ($extab_at + ($i > 10 ? 8 : 0) - $at - 4) & 0x7fffffff;
			$at += 8;
		}
		my $strings = "\0.text\0.ARM.extab\0.ARM.exidx\0.shstrtab\0";
		my $image = "\0" x 0x3000 . $extab;
		$image .= "\0" x ($exidx_at - length $image) . $exidx;
		my $strings_at = length $image;
		$image .= $strings;
		$image .= "\0" while length($image) % 4;
		my $heads = length $image;
		$image .= "\0" x 40;
		$image .= pack "V10", 1, 1, 6, 0x100, 0x100, $text, 0, 0, 4, 0;
		$image .= pack "V10", 7, 1, 2, $extab_at, $extab_at, length $extab, 0, 0, 4, 0;
		$image .= pack "V10", 18, 0x70000001, 0x82, $exidx_at, $exidx_at, length $exidx, 1, 0, 4, 0;
		$image .= pack "V10", 29, 3, 0, 0, $strings_at, length $strings, 0, 0, 1, 0;
		substr $image, 0, 52, pack "a4C5x7v2V5v6", "\x7fELF", 1, 1, 1, 0, 0, 3, 40, 1, 0x100, 52, $heads, 0x05000000, 52, 32, 2, 40, 5, 4;
		substr $image, 52, 64, pack "V16", 1, 0, 0, 0, length $image, length $image, 5, 0x1000,
			0x70000001, $exidx_at, $exidx_at, $exidx_at, length $exidx, length $exidx, 4, 4;
		binmode STDOUT;
		print $image;' >"$1"
}

# package OUT FILE: a ZIP archive in which FILE is stored at a page, as lib/arm64-v8a/libnative.so.
package() {
	perl -e '
		use strict;
		my ($out, $file) = @ARGV;
		open my $from, "<:raw", $file or die;
		my @members = (["classes.dex", "dex\n035\0"], ["lib/arm64-v8a/libnative.so", do { local $/; <$from> }]);
		my ($zip, $list) = ("", "");
		for (@members) {
			my ($name, $bytes) = @$_;
			my $more = -(length($zip) + 30 + length $name) % 4096;
			my $what = pack "v5V3", 10, 0, 0, 0, 0, 0, length $bytes, length $bytes;
			$list .= pack("Vv", 0x02014b50, 10) . $what . pack("v5V2", length $name, 0, 0, 0, 0, 0, length $zip) . $name;
			$zip .= pack("V", 0x04034b50) . $what . pack("v2", length $name, $more) . $name . "\0" x $more . $bytes;
		}
		$zip .= $list . pack "Vv4V2v", 0x06054b50, 0, 0, 2, 2, length $list, length $zip, 0;
		open my $to, ">:raw", $out or die;
		print $to $zip;' "$1" "$2"
}

# jit_frames: dumps with rules for unwinding, of two forms of ELF files.
jit_frames() {
	printf '%s\n' 'unwind 0x40 16' 'load 100 0x5000 0x40 1 alpha' 'unwind 0x3b 32' 'load 100 0x6000 0x3b 2 beta' \
		'load 100 0x7000 0x40 3 bare' 'unwind 0x40 16' 'load 100 0x8000 0x40 4 same' 'move 300 0x6000 0x5000 0x3b 2' >frames.text
	for machine in 62 0; do "$build/tests/oracle/jitfile" little $machine 10 0 <frames.text >frames.$machine.dump; done
	cp "$data/unwind/cpython/jit-27456.dump" frames.cpython.dump
}

# many_stacks OUT: more of them than 1 MB holds, compressed.
many_stacks() {
	cat >many.mkperf <<-'END'
	event cpu-clock type=software config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|PERIOD|CALLCHAIN
	mmap pid=10 addr=0x400000 len=0x80000000 file=/bin/app time=2
	repeat 140 round {
	repeat 300 {
	sample pid=10 time=10+$round*1000+$i ip=0x400000 period=7 \
		chain=[user:0x400000,0x400100+(($i%3)*($i+$round*300))*16,0x400200+$round*16,0x500000]
	}
	finished_round
	}
	END
	"$mkperf" -o many.data many.mkperf && zstd -q -19 -f many.data -o "$1"
}

# needed_for_unwinding: of the programs of other machines what a pack takes, as needed.ARCH.
needed_for_unwinding() {
	for arch in i386 arm64 ppc64el s390x; do
		mkdir -p whole/opt/w && cp unwind.$arch.elf whole/opt/w/shapes && "$pdtool" pack -q -o needed.pd --symfs whole unwind.$arch.capture &&
			zstd -q -dc needed.pd | tar -xOf - --wildcards '*/elf' >needed.$arch
	done
}

# more_captures DIR: compressed, in packs, in directories, with symbols of their own.
more_captures() {
	mkdir -p "$1" packs
	for form in gzip bzip2 xz 'zstd -q'; do $form -c basic.file.data >"$1/basic.${form%% *}"; done
	cp "$data"/recorded/state/deep-chains.zst "$1/deep.zst"
	cp "$data"/recorded/script/*.data.zst "$1"
	rm -rf packed && mkdir -p packed/bin && cp prog.elf packed/bin/prog
	for how in '' --strip-paths --full --only-samples; do
		# shellcheck disable=SC2086
		"$pdtool" pack -q $how --symfs packed -o packs/tiny$how.pd tiny.capture && zstd -q -dc packs/tiny$how.pd >packs/tiny$how.tar
	done
	cp packs/*.pd packs/*.tar "$1"
}

# recorded DIR: small captures as they are, for script.
script_captures() {
	mkdir -p "$1"
	for file in "$data"/recorded/script/*.data.zst; do zstd -q -dc "$file" >"$1/$(basename "$file" .zst)"; done
	cp small/*.modefile small/*.modepipe small/*.word32 small/*big "$1" 2>/dev/null
}

make_more_seeds() {
	names_library names.so
	masks prog.masks
	expressions rules.so
	arm_rules arm.elf
	jit_frames
	package base.apk names.so
	more_captures compressed
	many_stacks many.zst
	script_captures script.captures
	seed elf names.so
	seed disassembly prog.masks
	xz -dc "$data/annotate/deep.tar.xz" | tar -xf - && for arch in arm64 armhf i386 ppc64el s390x; do mv $arch/opt/w/deep deep.$arch; done
	seed_for disassembly 5 deep.*
	needed_for_unwinding
	seed_for unwind 1 needed.i386
	seed_for unwind 2 needed.arm64
	seed_for unwind 3 needed.ppc64el
	seed_for unwind 4 needed.s390x
	seed_for unwind 5 rules.so
	seed_for unwind 6 arm.elf
	seed_for perfmap 4 jit.map
	seed_for perfmap 5 jit.map
	seed jitdump frames.*.dump
	seed split prog.dwo
	seed dwp prog.dwp
	seed package base.apk
	seed loose prog.elf names.so prog.mini prog.kallsyms base.apk packs/*
	seed compressed compressed/*
	seed script script.captures/*
	seed library small/*.modefile small/*.modepipe script.captures/*
	seed_for compressed 2 many.zst
	seed_for compressed 4 many.zst
	seed parts basic.file.data order.file.plain.data
}
