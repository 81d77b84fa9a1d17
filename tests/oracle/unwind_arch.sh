#!/bin/sh
# Captures with copies of user stacks from machines of other architectures: the frames that perf found on the machine
# itself, at any byte order and word size. testdata/unwind/ARCH: the capture; what unwinding it needs of the files that
# it maps; perf script's user frames, a line for each sample. Where perf is wrong, the difference is known.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# compare ARCH DIFFERENT OPTION...: DIFFERENT stacks are not perf's.
compare() {
	arch=$1 known=$2
	shift 2
	capture=$(echo "$data/unwind/$arch"/*.data*)
	mkdir -p "$arch" && tar -xzf "$data/unwind/$arch/files.tar.gz" -C "$arch" ||
		{ fail "$arch" 'the files cannot be unpacked'; return; }
	for kind in '' san/; do
		HOME=$tmp/$arch "$build/${kind}tests/oracle/unwind" "$@" --symfs "$arch" "$capture" >all 2>err || fail "$arch${kind:+, sanitized}" "$(head -n 1 err)"
		grep -v '^#' all >got
		equal "$arch${kind:+, sanitized}: stacks that are not perf's, of $(grep -c . "$data/unwind/$arch/perf.stacks")" \
			"$known" "$(paste -d '|' "$data/unwind/$arch/perf.stacks" got | awk -F '|' '$1 != $2' | grep -c .)"
	done
	paste -d '|' "$data/unwind/$arch/perf.stacks" got | awk -F '|' -v arch="$arch" '
		{
			n = split($1, a, " "); split($2, b, " ")
			for (i = 1; i <= n; i++) { frames++; right += a[i] == b[i] }
		}
		END {
			verdict = right >= 0.99 * frames ? "ok" : "FAIL"
			printf "%s %s: %d of %d frames are perf'\''s\n", verdict, arch, right, frames
		}'
}

# told ARCH TEXT: info says how its stacks ended.
told() {
	capture=$(echo "$data/unwind/$1"/*.data*)
	for jobs in 1 3; do
		equal "$1, -j$jobs: how stacks ended" "$2" "$("$pdtool" info -j$jobs --symfs "$1" --buildid-dir "$1/.debug" "$capture" 2>/dev/null |
			sed -n 's/^unwound  *//p')"
	done
}

compare arm64 0 --as-perf
compare i386 0 --as-perf
compare ppc64el 0 --as-perf
compare s390x 0 --as-perf
# Frame pointers, and the link register.
compare arm64-link-register 0 --as-perf
compare ppc64el-link-register 0 --as-perf

told arm64 '114 stacks, 875 frames: 89.47% complete, 10.53% stack copy too short'
told i386 '109 stacks, 962 frames: 89.91% complete, 2.75% stack copy too short, 6.42% no unwind information, 0.92% no mapping'
told s390x '121 stacks, 865 frames: 65.29% complete, 26.45% stack copy too short, 8.26% no unwind information'

# ---- a recorder that was killed ----

# killed CAPTURE ORDER OUT: the same as it would be had the recorder been killed at the end: the size of its data is 0,
# nothing of what is written behind them is there, the architecture not either.
killed() {
	case $1 in *.zst) zstd -qdf "$1" -o "$3.whole" ;; *) cp "$1" "$3.whole" ;; esac
	set -- "$3" $(od -An --endian="$2" -t u8 -j 40 -N 16 "$3.whole")
	head -c $(($2 + $3)) "$1.whole" >"$1"
	head -c 8 /dev/zero | dd of="$1" bs=1 seek=48 conv=notrunc 2>/dev/null
	head -c 32 /dev/zero | dd of="$1" bs=1 seek=72 conv=notrunc 2>/dev/null
}

# same ARCH ORDER BY OPTION...: its stacks are those that they would have been, and info tells by what.
same() {
	arch=$1 by=$3
	killed "$(echo "$data/unwind/$arch"/*.data*)" "$2" "$arch.data"
	shift 3
	"$pdtool" collapse -q --symfs "$arch" "$arch.data.whole" >whole
	"$pdtool" collapse -q --symfs "$arch" "$@" "$arch.data" >got
	equal "$arch, killed: its stacks, by $by" "$(stacks <whole)" "$(stacks <got)"
	"$pdtool" info --symfs "$arch" "$@" "$arch.data" 2>/dev/null | sed -n 's/^arch known by  *//p' >got
	equal "$arch, killed: by what" "$by" "$(cat got)"
}
registers='the registers that were recorded'
same arm64 little "$registers"
same ppc64el little "$registers"
same s390x big "$registers"
same arm64-link-register little "$registers"
# arm's and i386's are the same
same i386 little /opt/w/shapes
same i386 little --arch --arch i686

# A real one, without anything but its own file.
equal 'x86_64, killed: its stacks' 'deep;_start;run;down;down;down;down;down;leaf
deep;_start;run;down;down;down;down;leaf
deep;_start;run;down;down;down;leaf
deep;_start;run;down;down;leaf
deep;_start;run;down;leaf
deep;_start;run;other;leaf' "$("$pdtool" collapse -q --symfs "$data/unwind/x86_64-killed/files" \
	"$data/unwind/x86_64-killed/killed.data.zst" | stacks | sed 's/ [0-9]*$//')"
"$pdtool" info --symfs "$data/unwind/x86_64-killed/files" "$data/unwind/x86_64-killed/killed.data.zst" 2>/dev/null |
	grep -q '^unwound  *64 stacks, 298 frames: 100.00% complete$'
result 'all of them' $?

"$pdtool" collapse i386.data >got 2>err
grep -q '^pdtool: 109 of 109 user stacks are not unwound: the capture does not tell its architecture (see --arch)$' err
result 'i386, killed, without files: it is told' $?
"$pdtool" info i386.data 2>/dev/null | grep -q '^unwound  *109 stacks, 0 frames: 100.00% architecture not known$'
result 'and how stacks ended' $?
"$pdtool" collapse --arch sparc i386.data >got 2>err
equal '--arch of what is not known' 2 $?
"$pdtool" collapse -q --arch aarch64 --symfs i386 i386.data.whole >got 2>err
"$pdtool" collapse --arch aarch64 --symfs i386 i386.data.whole 2>&1 >/dev/null | grep -q -e '--arch aarch64 is not used'
result '--arch does not go before what the capture tells' $?
equal 'and changes nothing' "$(cat whole)" "$(cat got)"

# And one that is known, but not supported.
cat >mips.mkperf <<'END'
event cycles type=hardware config=0 period=1 sample_id_all mmap \
	sample_type=IP|TID|TIME|CALLCHAIN|REGS_USER|STACK_USER|CPU|PERIOD regs_user=0x8000001 stack_user=8
arch mips64
sample pid=1 time=2 ip=0x1000 chain=[] regs_abi=2 regs_user=[0x1000,0x2000] stack=[u64:1] dyn_size=8
END
"$mkperf" -o mips.data mips.mkperf
"$pdtool" info mips.data 2>/dev/null | grep -q '^unwound  *1 stacks, 0 frames: 100.00% architecture not supported$'
result 'an architecture that is not supported' $?

# What masks of registers say, in either byte order; "-": nothing.
while read -r mask order arch; do
	cat >mask.mkperf <<-END
	event cycles type=hardware config=0 period=1 sample_id_all mmap \\
		sample_type=IP|TID|TIME|CALLCHAIN|REGS_USER|STACK_USER|CPU|PERIOD regs_user=$mask stack_user=8
	mmap pid=1 addr=0x1000 len=0x1000 file=/bin/x time=1
	sample pid=1 time=2 ip=0x1000 chain=[] stack=[u64:1] dyn_size=8
	killed
	END
	"$mkperf" --endian "$order" -o mask.data mask.mkperf || fail "registers $mask" mkperf
	equal "registers $mask, $order-endian" "$arch" \
		"$("$pdtool" info mask.data 2>/dev/null | sed -n 's/^arch   *//p' | grep . || echo -)"
done <<'END'
0xff0fff little x86_64
0xff0fff big -
0x1c0 little x86_64
0xfff little i386
0xffff little -
0xa000 little arm
0x1ffffffff little aarch64
0x4001ffffffff little aarch64
0x1a0000000 little aarch64
0x40000000 little aarch64
0x3ffffffff big s390x
0x3ffffffff little -
0x7ffffffffff little ppc64le
0x1fffffffffff big ppc64
0xffffffff little -
0x5 little riscv64
0x9 little -
0x180 big -
END
