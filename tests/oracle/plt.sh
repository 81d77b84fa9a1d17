#!/bin/sh
# PLT stubs have their names, 100 % of them: those that objdump prints, and where it prints none, what the relocations
# say (plt_stubs.pl). Programs are linked here by each linker that is there; testdata/plt has what linkers of other
# machines made, with the names. A capture has a sample in each stub.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

mkdir -p fs/t
: >files

# known NAME: fs/t/NAME takes part if NAME.want, "OFFSET NAME..." lines, is not empty.
known() {
	if [ -s "$1.want" ]; then
		echo "$1" >>files
	else
		fail "stubs of $1" 'objdump shows none'
	fi
}

# ---- programs linked here ----

cat >program.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
typedef size_t (*function)(const char *);
static size_t one(const char *s) { return s[0]; }
static function choose(void) { return one; }
static function choose_too(void) { return one; }
size_t chosen(const char *) __attribute__((ifunc("choose")));
size_t chosen_and_taken(const char *) __attribute__((ifunc("choose_too")));
function volatile taken = strlen, taken_too = chosen_and_taken;
int (*volatile called_and_taken)(const char *) = puts;
int main(int argc, char **argv)
{
	char b[64];

	memset(b, argc, sizeof(b));
	strncpy(b, argv[0], 60);
	called_and_taken(b);
	puts(b);
	printf("%zu %zu %d\n", chosen(b), chosen_and_taken(b) + taken_too(b), getpid());
	return (int)taken(b) + atoi(b) + rand();
}
END

# kind NAME: the options for it.
kind() {
	case $1 in
	pie) echo -fPIE -pie ;;
	fixed) echo -fno-pie -no-pie ;;
	static-pie) echo -fPIE -static-pie ;;
	static) echo -fno-pie -no-pie -static ;;
	esac
}

# ibt LINKER: the option for stubs with landing pads; mold has no others.
ibt() {
	case $1 in
	bfd) echo -Wl,-z,ibtplt ;;
	lld) echo -Wl,-z,force-ibt ;;
	esac
}

# link LINKER PROTECTION BINDING KIND
link() {
	name=$1-$2-$3-$4
	set -- "-fuse-ld=$1" "-fcf-protection=$2" "-Wl,-z,$3" "$([ "$2" = none ] || ibt "$1")" "$(kind "$4")"
	# shellcheck disable=SC2068
	if ${CC:-cc} -O1 $@ -o "fs/t/$name" program.c 2>err; then
		perl "$top/tests/oracle/plt_stubs.pl" "fs/t/$name" >"$name.want"
		known "$name"
	else
		skip "stubs of $name" "cannot be linked here: $(head -n 1 err)"
	fi
}

# with LINKER: all kinds of programs by it. gold cannot do some.
with() {
	command -v "ld.$1" >/dev/null || {
		skip "stubs of $1" "there is no ld.$1"
		return
	}
	for protection in none full; do
		[ $1 != gold ] || [ $protection = none ] || continue
		for binding in lazy now; do
			for kind in pie fixed static-pie static; do
				[ $1 != gold ] || [ $kind != static-pie ] || continue
				link $1 $protection $binding $kind
			done
		done
	done
}

# stripped NAME: only what the dynamic linker needs is left; what is chosen at start has no names.
stripped() {
	[ -f "fs/t/$1" ] || return
	strip -o "fs/t/$1-stripped" "fs/t/$1"
	perl "$top/tests/oracle/plt_stubs.pl" "fs/t/$1-stripped" >"$1-stripped.want"
	known "$1-stripped"
}

if [ "$(uname -m)" != x86_64 ]; then
	skip 'stubs of programs linked here' 'objdump is asked on x86-64 alone'
else
	for linker in bfd gold lld mold; do
		with $linker
	done
	for linker in bfd lld mold; do
		stripped $linker-full-lazy-pie
	done
	# the distribution's: functions chosen at start, called by libc itself
	cp "$data/symfs/usr/lib/x86_64-linux-gnu/libc.so.6" fs/t/libc
	perl "$top/tests/oracle/plt_stubs.pl" fs/t/libc >libc.want
	known libc
fi

# ---- prebuilt ones ----

xz -dc "$data/plt/stubs.tar.xz" | tar -xf - -C fs/t
for names in fs/t/*.names; do
	name=$(basename "$names" .names)
	mv "$names" "$name.want"
	known "$name"
done

# ---- their names ----

# samples NUMBER FILE: the process NUMBER has FILE and a sample in each place; its name tells which.
samples() {
	base=$((0x100000000 * $1))
	echo "mmap2 pid=$1 addr=$base len=0x10000000 pgoff=0 file=/t/$2 time=$((time += 1))"
	while read -r offset _; do
		echo "comm pid=$1 comm=$1_$offset time=$((time += 1))"
		echo "sample pid=$1 time=$((time += 1)) ip=$base+0x$offset"
	done <"$2.want"
}
{
	echo 'event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|PERIOD'
	number=0 time=0
	while read -r file; do
		number=$((number + 1))
		samples $number "$file"
	done <files
} >text
"$mkperf" -o capture text || fail 'a capture' 'is not made'
"$pdtool" collapse --symfs fs capture 2>err | stacks >folded
"$pdtool" collapse -j4 --symfs fs capture 2>/dev/null | stacks | cmp -s - folded && ok '-j4 names stubs the same' ||
	fail '-j4 names stubs the same' 'other names'

# Lines of folded text are "NUMBER_OFFSET;NAME WEIGHT".
number=0
while read -r file; do
	number=$((number + 1))
	awk -v number=$number '
		FNR == NR { if (split($1, at, "[_;]") && at[1] == number) { name = $0; sub(/^[^;]*;/, "", name); sub(/ [0-9]+$/, "", name); got[at[2]] = name }; next }
		{
			all++
			right = 0
			for (i = 2; i <= NF; i++)
				right += $i == got[$1]
			if (!right) { wrong++; print "    " $1 ": " got[$1] ", not " substr($0, index($0, " ") + 1) > "wrong" }
		}
		END { print all, wrong + 0 }' folded "$file.want" >count
	read -r all wrong <count
	if [ "$wrong" = 0 ] && [ "$all" -gt 2 ]; then
		ok "stubs of $file: $all places"
	else
		fail "stubs of $file" "$wrong of $all places have another name"
		head -n 5 wrong
	fi
done <files

# ---- with a version ----

# What the resolver is called with its version is so with --compat perf, as in perf 6.12.
cat >version.c <<'END'
static void real(void) { __asm__ volatile(""); }
static void *pick(void) { return real; }
void chosen_here(void) __attribute__((ifunc("pick"), visibility("hidden")));
void chosen_there(void) __attribute__((ifunc("pick")));
__asm__(".symver chosen_there, chosen@@V1");
void caller(void) { chosen_here(); __asm__ volatile(""); }
END
echo 'V1 { global: chosen; caller; local: *; };' >version.map
if [ "$(uname -m)" != x86_64 ]; then
	skip 'a stub of a function with a version' 'built on x86-64 alone'
elif cc -O1 -fcf-protection=none -shared -fPIC -Wl,--version-script=version.map -o fs/t/libversion.so version.c 2>err &&
	at=$(objdump -d -j .plt fs/t/libversion.so | sed -n 's/^0*\([0-9a-f]*\) <\*ABS\*+0x[0-9a-f]*@plt>:$/\1/p') && [ -n "$at" ]; then
	cat >version.mkperf <<-END
	event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|PERIOD
	mmap2 pid=1 addr=0x100000000 len=0x10000000 pgoff=0 file=/t/libversion.so time=1
	sample pid=1 time=2 ip=0x100000000+0x$at
	END
	"$mkperf" -o version.data version.mkperf || fail 'a capture' 'is not made'
	equal 'a stub of a function with a version' 'chosen@plt' "$("$pdtool" script -q --symfs fs -F ip,sym version.data | awk '{ print $2 }')"
	equal 'a stub of a function with a version, as perf' 'chosen@@V1@plt' \
		"$("$pdtool" script -q --compat perf --symfs fs -F ip,sym version.data | awk '{ print $2 }')"
else
	skip 'a stub of a function with a version' "no stub is made here: $(head -n 1 err)"
fi

# A function that is called and whose address is taken, in a program that does not lie where it does in the file: perf 6.12
# does not find the slot of its stub there (and does in one that may lie anywhere). No other is called: in .plt is what binds
# lazily alone, which no symbol before it reaches into.
cat >taken.c <<'END'
#include <stdlib.h>
int main(void)
{
	void *(*taken)(size_t, size_t);
	__asm__("movq calloc@GOTPCREL(%%rip), %0" : "=r"(taken));
	return calloc(1, 1) == taken(1, 1);
}
END
for pie in no-pie pie; do
	if [ "$(uname -m)" != x86_64 ] || ! cc -O1 -fcf-protection=none -$pie -Wl,-z,lazy -o fs/t/taken-$pie taken.c 2>err; then
		skip "a stub in .plt.got, $pie" "no such program is made here"
		continue
	fi
	at=$(objdump -d -j .plt.got fs/t/taken-$pie | sed -n 's/^0*\([0-9a-f]*\) <.*calloc.*@plt>:$/\1/p')
	plt=$(readelf -SW fs/t/taken-$pie | sed -n 's/^.* \.plt *PROGBITS *\([0-9a-f]*\) .*/\1/p')
	[ $pie = pie ] && base=0 want=calloc@plt || { base=0x400000; want=offset_$(printf '0x%x' $((0x0$at - 0x400000)))@plt; }
	sed "s/^mmap2.*/mmap2 pid=1 addr=0x10000000+$base len=0x100000 pgoff=0 file=\/t\/taken-$pie time=1/; s/ip=.*/ip=0x10000000+0x0$at/; s/IP$/ip=0x10000006+0x0$plt/" \
		>taken.mkperf <<-END
	event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|PERIOD
	mmap2
	sample pid=1 time=2 ip=
	sample pid=1 time=3 IP
	END
	"$mkperf" -o taken.data taken.mkperf || fail 'a capture' 'is not made'
	equal "a stub in .plt.got, $pie" 'calloc@plt .plt ' "$("$pdtool" script -q --symfs fs -F ip,sym taken.data | awk '{ printf "%s ", $2 }')"
	equal "a stub in .plt.got, $pie, as perf" "$want .plt " \
		"$("$pdtool" script -q --compat perf --symfs fs -F ip,sym taken.data | awk '{ printf "%s ", $2 }')"
done
