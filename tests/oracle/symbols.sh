#!/bin/sh
# The names of many addresses, by parser/names and by perf 6.1: they must be the same.
#
# For each file, a capture is made that maps it and has one sample at each of COUNT addresses; perf
# names them from a private copy (--symfs), so that neither ~/.debug nor /usr/lib/debug takes part.
# Files: libc, libstdc++, libcrypto, the python binary, this machine's kallsyms, and one made here.
# Where ranges nest, symtab_find() differs on purpose and symtab_find_as_perf() must be equal: a C
# program as gcc leaves it and as lld does, libc with its debug file, and a library of nothing but
# nested ranges. So it does in PLT stubs, which perf 6.1 counts wrongly: for libraries
# symtab_find_as_perf() must be equal everywhere, symtab_find() outside of them (plt.sh has those).
#
# BUILD: where symnames is built (default: build). COUNT: addresses for each file (default: 100000).
# DEBUG_ROOT: usr/lib/debug of libc lies below it (default: /).
# Exit status: 0 all names equal, 1 not, 77 cannot be checked here (the reason is printed).
set -u

top=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-$top/build}
count=${COUNT:-100000}
debug_root=${DEBUG_ROOT:-}
symnames=$build/tests/oracle/symnames
[ -x "$symnames" ] || symnames=$build/symnames

skip() {
	echo "skip: $1"
	exit 77
}

command -v perf >/dev/null 2>&1 || skip "perf is not installed"
version=$(perf --version 2>/dev/null)
case $version in
"perf version 6.1" | "perf version 6.1."*) ;;
*) skip "perf is not version 6.1 but: $version" ;;
esac
[ -x "$symnames" ] || skip "$symnames is not built"

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$tmp/home" "$tmp/symfs/dso"

# perf_names KIND FILE: what perf calls the addresses in $tmp/addresses, one name per line. In a
# capture of the kernel the first sample is not ours.
perf_names() {
	case $1 in
	elf*) set -- "$1" "$2" --symfs "$tmp/symfs" && first=1 ;;
	*) set -- "$1" "$2" --kallsyms "$2" && first=2 ;;
	esac
	shift 2
	HOME=$tmp/home perf --buildid-dir "$tmp/home" script -i "$tmp/perf.data" -F ip,sym --no-inline \
		"$@" 2>"$tmp/perf.err" </dev/null |
		sed -e 's/^ *[0-9a-f]* //' | tail -n "+$first"
}

# check LABEL KIND FILE [lookup | as-perf]
check() {
	case $2 in
	elf*) cp -f "$3" "$tmp/symfs/dso/file" ;;
	*) rm -f "$tmp/symfs/dso/file" ;;
	esac
	"$symnames" addresses "$2" "$3" "$count" 1 >"$tmp/addresses" || {
		echo "not ok - $1: no symbols in $3"
		return 1
	}
	"$symnames" "${4:-lookup}" "$2" "$3" <"$tmp/addresses" | cut -d' ' -f2- >"$tmp/ours"
	"$symnames" capture "$2" "$3" /dso/file <"$tmp/addresses" >"$tmp/perf.data"
	perf_names "$2" "$3" >"$tmp/theirs"
	: >"$tmp/stubs"
	[ "$2 ${4:-lookup}" != "elf lookup" ] || stubs "$3" >"$tmp/stubs"
	paste "$tmp/addresses" "$tmp/theirs" "$tmp/ours" |
		awk -F '\t' '$2 != $3 { print $1 " " $2 "\t" $3 }' | outside "$tmp/stubs" >"$tmp/differ"
	total=$(wc -l <"$tmp/addresses")
	differ=$(wc -l <"$tmp/differ")
	if [ "$(wc -l <"$tmp/theirs")" -ne "$total" ] || [ "$total" -eq 0 ]; then
		echo "not ok - $1: perf named $(wc -l <"$tmp/theirs") of $total addresses"
		head -n 3 "$tmp/perf.err"
		return 1
	fi
	known=$(grep -cvxF '[unknown]' "$tmp/theirs")
	echo "$1${4:+ ($4)}: $((total - differ))/$total names equal ($known of them not [unknown])"
	[ "$differ" -eq 0 ] && return 0
	explain "$2" "$3"
}

# stubs FILE: its sections of PLT stubs, "OFFSET SIZE" each.
stubs() {
	readelf -SW "$1" | sed -n 's/^ *\[ *[0-9]*\] \.i*plt[a-z.]* *PROGBITS *[0-9a-f]* \([0-9a-f]*\) \([0-9a-f]*\).*/\1 \2/p'
}

# outside RANGES: the lines of stdin whose first word, an address, lies in none.
outside() {
	perl -e 'open my $in, "<", $ARGV[0]; my @r = map { [map hex, split] } <$in>;
		while (<STDIN>) {
			my $at = hex((split)[0]);
			print unless grep { $at >= $_->[0] && $at < $_->[0] + $_->[1] } @r;
		}' "$1"
}

# Where ranges nest, perf's answer is the one nearest to the root of its tree: tell those apart.
explain() {
	cut -f1 "$tmp/differ" | "$symnames" covers "$1" "$2" >"$tmp/wrong"
	echo "  $(($(wc -l <"$tmp/differ") - $(wc -l <"$tmp/wrong"))) differ where ranges nest," \
		"$(wc -l <"$tmp/wrong") otherwise; the first (address, perf, ours):"
	head -n 5 "$tmp/differ" | sed 's/^/  /'
	return 1
}

# The file the dynamic linker takes for SONAME.
library() {
	ldconfig=$(command -v ldconfig || echo /sbin/ldconfig)
	"$ldconfig" -p 2>/dev/null | awk -v so="$1" '$1 == so && /x86-64|AArch64/ { print $NF; exit }'
}

# make_program [OPTION...]: a program as most are, unstripped, with PLT entries under the _init that
# perf stretches over them.
make_program() {
	cat >"$tmp/program.c" <<-'END'
		#include <stdio.h>
		#include <stdlib.h>
		static int __attribute__((noinline)) one(int n) { return n ? rand() % n : 0; }
		int main(int argc, char **argv)
		{
			long sum = 0;
			for (int i = 0; i < 1000; i++)
				sum += one(i) + atoi(argv[argc - 1]) + one(argc);
			return printf("%ld\n", sum) < 0;
		}
	END
	"${CC:-cc}" -O2 -fno-omit-frame-pointer "$@" -o "$tmp/program" "$tmp/program.c" 2>/dev/null
}

# 6000 functions at 3000 places in any order, of any size or none, some with a weak or local binding:
# every answer depends on the shape of perf's tree, and on what the aliases taken out of it left.
make_nested() {
	awk 'BEGIN {
		srand(1)
		printf "\t.text\nbase:\t.skip 65536\n"
		for (i = 0; i < 6000; i++) {
			bind = int(rand() * 4)
			if (bind > 1)
				printf "\t%s f%d\n", bind == 2 ? ".weak" : ".globl", i
			size = int(rand() * 3) ? int(exp(rand() * 9)) : 0
			printf "\t.set f%d, base + %d\n\t.type f%d, @function\n\t.size f%d, %d\n", i,
				int(rand() * 3000) * 16, i, i, size
		}
	}' >"$tmp/nested.s"
	"${CC:-cc}" -shared -nostdlib -o "$tmp/nested" "$tmp/nested.s" 2>/dev/null
}

# check_debug LABEL FILE DEBUG: FILE with its symbols in DEBUG; where that is "", in the installed
# debug file of its build-id. For perf it lies beside the file: a copy has no build-id in a capture.
check_debug() {
	id=$(readelf -n "$2" 2>/dev/null | sed -n 's/.*Build ID: \(..\)/\1\//p')
	link=$(readelf --string-dump=.gnu_debuglink "$2" 2>/dev/null | sed -n 's/.*\[ *0\] *//p')
	debug=${3:-$debug_root/usr/lib/debug/.build-id/$id.debug}
	if [ -z "$id" ] || [ -z "$link" ] || [ ! -f "$debug" ]; then
		echo "$1: not on this machine, not checked"
		return 0
	fi
	cp "$debug" "$tmp/symfs/dso/$link"
	check "$1" "elf=$debug" "$2" as-perf
}

# A kernel and 3 modules behind a gap, with aliases, all types, and names to be left out.
make_kallsyms() {
	awk 'BEGIN {
		split("T t W w D d B b A r V", type, " ")
		base = "ffffffff81"
		printf "%s%06x T _text\n%s%06x T _stext\n", base, 0, base, 0
		for (i = 1; i < 4000; i++)
			printf "%s%06x %s k%d\n", base, int(i / 3) * 3 * 16 + (i % 3) * 8 * (i % 2), type[i % 11 + 1], i
		for (m = 0; m < 3; m++)
			for (i = 0; i < 500; i++)
				printf "ffffffffc0%d%05x %s m%d_%d\t[mod%d]\n", m, i * 32, type[i % 4 + 1], m, i, m
		printf "%s%06x t $d\n%s%06x T last\n", base, 77, base, 4000 * 16
	}'
}

failed=0
for so in libc.so.6 libstdc++.so.6 libcrypto.so.3; do
	file=$(library $so)
	label=${so%%.so*}
	if [ -n "$file" ]; then
		check "$label" elf "$file" || failed=1
		check "$label" elf "$file" as-perf || failed=1
	else
		echo "$label: not on this machine, not checked"
	fi
done
# What is first in PATH may be a script of a version manager.
python=$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))' 2>/dev/null)
[ -x /usr/bin/python3 ] && python=$(readlink -f /usr/bin/python3)
if [ -n "$python" ]; then
	check python elf "$python" || failed=1
	check python elf "$python" as-perf || failed=1
else
	echo "python: not on this machine, not checked"
fi
if make_program -fuse-ld=lld; then
	check "C program by lld" elf "$tmp/program" as-perf || failed=1
else
	echo "C program by lld: there is no lld, not checked"
fi
if make_program && make_nested; then
	check "C program" elf "$tmp/program" as-perf || failed=1
	check "nested ranges" elf "$tmp/nested" as-perf || failed=1
	objcopy --only-keep-debug "$tmp/program" "$tmp/program.debug"
	objcopy --strip-all --add-gnu-debuglink="$tmp/program.debug" "$tmp/program"
	check_debug "C program with a debug file" "$tmp/program" "$tmp/program.debug" || failed=1
else
	echo "C program: there is no compiler, not checked"
fi
check_debug "libc with its debug file" "$(library libc.so.6)" "" || failed=1
cat /proc/kallsyms >"$tmp/kallsyms" 2>/dev/null
if "$symnames" lookup kallsyms "$tmp/kallsyms" </dev/null 2>/dev/null; then
	check kallsyms kallsyms "$tmp/kallsyms" || failed=1
else
	echo "kallsyms: this machine does not show its addresses, not checked"
fi
make_kallsyms >"$tmp/made"
check "kallsyms with modules" kallsyms "$tmp/made" || failed=1
exit $failed
