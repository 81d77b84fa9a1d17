#!/bin/sh
# Bounds of symbols, of debug information and of files with symbols: right up to each of them nothing is said; past it, what
# is left out is told, and --strict says so, too.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

for tool in cc objcopy; do
	command -v $tool >/dev/null || { skip 'bounds of symbols' "$tool is not installed"; exit; }
done

# says NAME TEXT COMMAND...: the command says TEXT on standard error, once, and --strict is 3.
says() {
	name=$1 text=$2
	shift 2
	"$pdtool" "$@" --strict >got 2>err
	equal "$name: --strict" 3 $?
	equal "$name: is said" "$text" "$(sed -n 's|^pdtool: \(/\{0,1\}\)/*|\1|p' err | grep -F "$text")"
}

# nothing NAME COMMAND...: nothing is left out.
nothing() {
	name=$1
	shift
	"$pdtool" "$@" --strict >got 2>err
	equal "$name: nothing is left out" "0 0" "$? $(cat got err | grep -c 'left out\|GiB\|MiB')"
}

# sampled FILE: a capture with one sample in the 16 bytes of code that FILE begins with, in sampled.data.
sampled() {
	offset=0x$(objdump -h "$1" | awk '$2 == ".text" { print $6 }')
	cat >sampled.mkperf <<-END
	event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|CPU|IDENTIFIER
	mmap pid=1 addr=0x10000 len=0x10000 file=$tmp/$1 time=1
	sample pid=1 time=5 ip=0x10000+$offset+8
	END
	"$mkperf" -o sampled.data sampled.mkperf || exit 1
}

# ---- debug information ----

# nested LEVELS INLINED: a function with so many functions inlined into one another, in so many blocks.
nested() {
	awk -v levels="$1" -v inlined="$2" '
	function at(depth) { return depth < inlined ? 4 : 5 }
	BEGIN {
		print ".text\n.globl work\n.type work, @function\nwork: .fill 16, 1, 0x90\n.size work, 16"
		print ".section .debug_abbrev, \"\", @progbits"
		print ".byte 1, 0x11, 1, 0x13, 5, 0x11, 1, 0x12, 7, 0, 0" # unit: language, low_pc, high_pc
		print ".byte 2, 0x2e, 0, 3, 8, 0, 0"                      # function: name
		print ".byte 3, 0x2e, 1, 3, 8, 0x11, 1, 0x12, 7, 0, 0"    # function: name, low_pc, high_pc
		print ".byte 4, 0x1d, 1, 0x31, 0x13, 0x11, 1, 0x12, 7, 0, 0" # inlined: origin, low_pc, high_pc
		print ".byte 5, 0x0b, 1, 0, 0, 0"                         # block
		print ".section .debug_info, \"\", @progbits"
		print "unit: .long end - 1f\n1: .short 4\n.long 0\n.byte 8"
		print ".byte 1\n.short 12\n.quad work, 16"
		print "origin: .byte 2\n.asciz \"inner\""
		print ".byte 3\n.asciz \"work\"\n.quad work, 16"
		for (i = 0; i < levels; i++)
			print at(i) == 4 ? ".byte 4\n.long origin - unit\n.quad work, 16" : ".byte 5"
		for (i = 0; i < levels + 2; i++)
			print ".byte 0"
		print "end:"
	}' >nested.s
	cc -shared -nostdlib -o nested nested.s || exit 1
	sampled nested
}

nested 256 256
nothing 'inlined functions of one address' report --symfs / sampled.data
equal 'and they are all there' 256 "$("$pdtool" collapse -q --symfs / sampled.data | grep -o 'inner' | grep -c .)"
nested 259 259
says 'inlined functions of one address' 'left out: 3 inlined functions, past 256 of one address' report --symfs / sampled.data
equal 'and those there is room for are there' 256 "$("$pdtool" collapse -q --symfs / sampled.data 2>/dev/null | grep -o inner | grep -c .)"
# a unit is level 0, the function level 1
nested 4094 1
nothing 'levels of entries' report --symfs / sampled.data
nested 4098 1
says 'levels of entries' 'left out: 1 ends of units of debug information, past 4096 levels' report --symfs / sampled.data

# ---- names ----

# named NAME
named() {
	printf '.text\n.globl "%s"\n.type "%s", @function\n"%s": .fill 16, 1, 0x90\n.size "%s", 16\n' "$1" "$1" "$1" "$1" >named.s
	cc -shared -nostdlib -o named named.s || exit 1
	sampled named
}

# letters COUNT
letters() { head -c "$1" /dev/zero | tr '\0' a; }

named "_Z16376$(letters 16376)v"
nothing 'a mangled name' report --symfs / sampled.data
equal 'and it is readable' 16376 "$("$pdtool" report -q --symfs / -s sym --format csv sampled.data | grep -o 'aaaa*' | wc -c | awk '{ print $1 - 1 }')"
named "_Z16378$(letters 16378)v"
says 'a mangled name' 'left out: 1 readable names, past 65536 bytes, or 16384 of a mangled one' report --symfs / sampled.data
# Each argument of the template has the one before twice: 4 KB, then 2 GB.
doubling='_Z1fI1AIiiE'
for i in 1 2 3 4 5 6 7 8 9 A B C D E F G H I J K; do doubling="${doubling}S0_IS${i}_S${i}_E"; done
named "${doubling}Evv"
says 'a readable name' 'left out: 1 readable names, past 65536 bytes, or 16384 of a mangled one' report --symfs / sampled.data

# ---- files ----

# A section of 65 MiB, which deflates to 64 KB; what else the file has is used.
named work
head -c 68157440 /dev/zero >frames
objcopy --add-section .debug_frame=frames named large 2>err && objcopy --compress-debug-sections=zlib large packed 2>>err
result 'a compressed section is made' $? "$(cat err)"
sampled packed
says 'a compressed section' "$tmp/packed: a compressed section of more than 64 MiB is not used" report --symfs / sampled.data
equal 'and what else is in the file is' 1 "$("$pdtool" report -q --symfs / -s sym sampled.data 2>/dev/null | grep -c work)"

echo '10000 10000 work' >map && truncate -s 1G map
cat >jit.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|CPU|IDENTIFIER
mmap pid=1 addr=0x10000 len=0x10000 file=//anon time=1
sample pid=1 time=5 ip=0x10008
END
"$mkperf" -o jit.data jit.mkperf && truncate -s 1073741825 map
says 'a perf map' 'map: a perf map of more than 1 GiB is not used' report --perf-map 1=map jit.data

# ---- sources ----

# sources BYTES COUNT: so many files of that size, each with the line of a part of the code.
sources() {
	printf '.text\n.globl work\n.type work, @function\nwork:\n' >lines.s
	for i in $(seq "$2"); do
		truncate -s "$1" "$i.c"
		printf '.file %d "%s"\n.loc %d 1\nnop\nnop\n' "$i" "$tmp/$i.c" "$i"
	done >>lines.s
	printf '.fill 16, 1, 0x90\n.size work, . - work\n' >>lines.s
	cc -g -shared -nostdlib -o lines lines.s || exit 1
	sampled lines
}

sources 8388608 2
nothing 'source files' annotate --symfs / work sampled.data
sources 8388609 1
says 'a source file' "$tmp/1.c: a source file of more than 8 MiB is not shown" annotate --symfs / work sampled.data
sources 6000000 3
says 'source files' "$tmp/3.c: past 16 MiB of source files, which are shown, it is not" annotate --symfs / work sampled.data

# ---- what pack reduces ----

# units COUNT: that hold nothing.
units() {
	cat >units.s <<-END
	.text
	.globl work
	.type work, @function
	work: .fill 16, 1, 0x90
	.size work, 16
	.section .debug_abbrev, "", @progbits
	.byte 1, 0x11, 0, 0, 0, 0
	.section .debug_info, "", @progbits
	.rept $1
	.long 8
	.short 4
	.long 0
	.byte 8, 1
	.endr
	END
	cc -shared -nostdlib -o units units.s || exit 1
	sampled units
}
units 200000
"$pdtool" pack --symfs / --strip-paths -o units.tar.zst sampled.data >got 2>err
equal 'units: up to the bound' 0 "$(grep -c stripped err)"
units 200001
"$pdtool" pack --symfs / --strip-paths -o units.tar.zst sampled.data >got 2>err
equal 'units: are said' "$tmp/units: its debug information cannot be stripped of paths, and is not in the pack" \
	"$(sed -n 's|^pdtool: \(/\{0,1\}\)/*|\1|p' err | grep units:)"
