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
