#!/bin/sh
# A kallsyms holds no build-id, and caches hold texts under the ids of kernels that they are not of: names come from one
# that may be the recorded kernel's, loaded wherever, and not from one that cannot be.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

id=00112233445566778899aabbccddeeff00112233
tab=$(printf '\t')
cat >text <<END
0000000000000000 A fixed_percpu_data
ffffffff81000000 T _stext
ffffffff81000000 T _text
ffffffff81001000 T vfs_toy
ffffffff81002000 t next_toy
ffffffff81800123 T _etext
ffffffff81a00450 D _edata
ffffffffc0100000 t one_open$tab[one]
ffffffffc0100800 t one_read$tab[one]
ffffffffc0200000 t two_open$tab[two]
ffffffffc0200040 d two_data$tab[two]
END

# file DIR: the text on stdin, as perf files it.
file() { mkdir -p "$1/[kernel.kallsyms]/$id" && cat >"$1/[kernel.kallsyms]/$id/kallsyms"; }
file right <text

# capture FILE START END ONE TWO [SYMBOL]: of a kernel, modules "one" and "two", and one sample in each.
capture() {
	cat >"$1.mkperf" <<-END
	build_id $id [kernel.kallsyms] mode=kernel
	event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task \\
		sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
	mmap pid=-1 tid=0 addr=$2 len=$3-$2 pgoff=$2 file="[kernel.kallsyms]${6-_text}"
	mmap pid=-1 tid=0 addr=$4 len=0x4000 file=[one]
	mmap pid=-1 tid=0 addr=$5 len=0x4000 file=[two]
	comm pid=5 comm=toy time=1
	sample pid=5 mode=kernel time=2 ip=$2+0x1010 chain=[kernel:$2+0x1010]
	sample pid=5 mode=kernel time=3 ip=$4+0x810 chain=[kernel:$4+0x810]
	sample pid=5 mode=kernel time=4 ip=$5+0x10 chain=[kernel:$5+0x10]
	END
	"$mkperf" -o "$1" "$1.mkperf" || exit 1
}
# frames OPTION-OR-CAPTURE...
frames() { "$pdtool" collapse "$@" 2>err | stacks | sed 's/^toy;//; s/ [0-9]*$//' | tr '\n' ' '; }
all='one_read two_open vfs_toy '
none='[[kernel.kallsyms]] [[one]] [[two]] '
one=0xffffffffc0100000 two=0xffffffffc0200000

# ---- that of the recorded kernel ----

at=0xffffffff81000000
capture etext.data $at 0xffffffff81800123 $one $two
equal 'ends at _etext' "$all" "$(frames --symbols right etext.data)"
capture edata.data $at 0xffffffff81a00450 $one $two
equal 'ends at _edata' "$all" "$(frames --symbols right edata.data)"
capture module.data $at $one $one $two
equal 'ends at the first module' "$all" "$(frames --symbols right module.data)"
capture before.data $at $one-1 $one $two
equal 'ends before the first module' "$all" "$(frames --symbols right before.data)"
capture last.data $at -1 $one $two
equal 'ends at the last address' "$all" "$(frames --symbols right last.data)"
capture unnamed.data $at 0xffffffff81333333 $one $two ''
equal 'where it was is not told' "$all" "$(frames --symbols right unnamed.data)"
grep -v '_etext\|_edata' text | file part
equal 'a part of the text' "$all" "$(frames --symbols part last.data)"

# ---- another boot: the kernel moved, and modules came to lie anywhere ----

moved=0xffffffff9b000000
capture moved.data $moved $moved+0x800123 $one $two
equal 'loaded elsewhere: the kernel, and no module' '[[one]] [[two]] vfs_toy ' "$(frames --symbols right moved.data)"
capture shifted.data $moved $moved+0x800123 $one+0x1a000000 $two+0x1a000000
equal 'loaded elsewhere: modules that seem to fit' '[[one]] [[two]] vfs_toy ' "$(frames --symbols right shifted.data)"
capture swapped.data $at $at+0x800123 $one-0x2000 $one+0x2000
equal 'modules elsewhere' '[[one]] [[two]] vfs_toy ' "$(frames --symbols right swapped.data)"
capture reloaded.data $at $at+0x800123 $one $two+0x8000
equal 'one module elsewhere' '[[two]] one_read vfs_toy ' "$(frames --symbols right reloaded.data)"
"$pdtool" doctor --symbols right reloaded.data | grep -q '^refused .*\[two\]: right/.*kallsyms is of another boot: it has the module elsewhere$' &&
	ok 'another boot: doctor says so' || fail 'another boot: doctor says so' "$("$pdtool" doctor --symbols right reloaded.data | grep ^refused)"

# ---- another kernel's, filed under this one's build-id ----

# refused NAME WHY OPTION-OR-CAPTURE...: no frame has a name, and each command says why.
refused() {
	name=$1 why=$2
	shift 2
	equal "$name: no names" "$none" "$(frames -v "$@")"
	grep -q "kallsyms ${why% (*}, not used\$" err && ok "$name: -v says why" || fail "$name: -v says why" "$(cat err)"
	# shellcheck disable=SC2086 # an option
	for command in "info --names" doctor; do
		"$pdtool" $command "$@" 2>err | grep -q "^refused .*\[kernel.kallsyms\]: [^ ]*kallsyms $why\$" && ok "$name: $command says why" ||
			fail "$name: $command says why" "$("$pdtool" $command "$@" 2>&1 | grep '^refused')"
	done
}
capture shorter.data $at 0xffffffff81700123 $one $two
refused 'ends within the text' 'ends elsewhere than the recorded kernel' --symbols right shorter.data
capture between.data $at 0xffffffff81900000 $one $two
refused 'ends within the data' 'ends elsewhere than the recorded kernel' --symbols right between.data
capture longer.data $at 0xffffffff81b00123 $one $two
refused 'ends behind it' 'ends elsewhere than the recorded kernel' --symbols right longer.data
capture byte.data $moved $moved+0x800124 $one $two
refused 'loaded elsewhere, one byte longer' 'ends elsewhere than the recorded kernel' --symbols right byte.data
capture within.data $at+0x190 -1 $one $two
refused 'begins within a page' 'begins where the recorded kernel cannot have been' --symbols right within.data
capture arm.data 0xffffdada0f000000 -1 $one $two
refused 'begins in another region' 'begins where the recorded kernel cannot have been' --symbols right arm.data
capture low.data 0xc0000000 0xffffffff $one $two
refused 'a kernel of 32 bits' 'begins where the recorded kernel cannot have been' --symbols right low.data
grep -v ' _text' text | file unplaced
refused 'no reference symbol' 'lacks the symbol that the recorded kernel was placed by' --symbols unplaced last.data
"$pdtool" doctor --format csv --symbols right shorter.data | grep -q 'kallsyms (ends elsewhere than the recorded kernel)' &&
	ok 'doctor: the column "refused"' || fail 'doctor: the column "refused"' "$("$pdtool" doctor --format csv --symbols right shorter.data)"

# Named by the user: the same, but that a part of a text will do.
equal 'given' "$all" "$(frames --kallsyms text last.data)"
grep -v ' _text' text >given
equal 'given, no reference symbol' "$all" "$(frames --kallsyms given last.data)"
equal 'given, of another kernel' "$none" "$(frames --kallsyms text shorter.data)"
grep -q 'text: ends elsewhere than the recorded kernel' err && ok 'given, of another kernel: told' ||
	fail 'given, of another kernel: told' "$(cat err)"

# ---- a pack keeps what tells the kernel ----

"$pdtool" pack --symbols right -o one.pack etext.data 2>err || fail 'a pack is made' "$(cat err)"
equal 'in a pack' "$all" "$(frames one.pack)"
mkdir unpacked && tar -C unpacked -xf one.pack 2>/dev/null
equal 'in a pack: the marks' '_edata _etext _stext _text ' \
	"$(find unpacked -name kallsyms -exec cat {} + | awk '$3 ~ /^_/ { print $3 }' | sort | tr '\n' ' ')"

# ---- the running kernel's ----

cat /proc/kallsyms >proc 2>/dev/null
if ! awk '$1 !~ /^0+$/ { found = 1; exit } END { exit !found }' proc || [ ! -s /sys/kernel/notes ]; then
	skip "the running kernel's kallsyms" 'it does not show its addresses or its build-id'
	exit
fi
start=0x$(awk '$3 == "_text" || $3 == "_stext" { print $1; exit }' proc)
symbol=$(awk '$3 == "_text" || $3 == "_stext" { print $3; exit }' proc)
# here FILE START: of a kernel as this one, but of another build.
here() {
	cat >"$1.mkperf" <<-END
	build_id $id [kernel.kallsyms] mode=kernel
	event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task \\
		sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
	mmap pid=-1 tid=0 addr=$2 len=-1-$2 pgoff=$2 file="[kernel.kallsyms]$symbol"
	comm pid=5 comm=toy time=1
	sample pid=5 mode=kernel time=2 ip=$2+0x1010 chain=[kernel:$2+0x1010]
	END
	"$mkperf" -o "$1" "$1.mkperf" || exit 1
}
here here.data "$start"
file host <proc
none='[[kernel.kallsyms]] '
refused "the running kernel's" "is the running kernel's, which is another build ([0-9a-f]*)" --symbols host here.data
here there.data "$start-0x200000"
refused "the running kernel's, moved" "is the running kernel's, which is another build ([0-9a-f]*)" --symbols host there.data
# As many symbols, one of them elsewhere: another kernel's, for all that is known.
awk 'NR == 900 { $1 = substr($1, 1, 15) "0"; $3 = "another_toy"; print $1, $2, $3; next } { print }' proc | file another
[ "$(frames --symbols another here.data)" != "$none" ] && ok 'not the running kernel: named' || fail 'not the running kernel: named' "$(cat err)"
