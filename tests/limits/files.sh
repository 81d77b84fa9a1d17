#!/bin/sh
# Bounds of what is read of files: sections of a capture, lines of text, archives and directories with symbols. What lies
# past them is not read, and said.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# says NAME TEXT STATUS COMMAND...: within little memory it says TEXT on standard error, once, and has that exit status.
says() {
	name=$1 text=$2 status=$3
	shift 3
	(ulimit -v ${memory:-300000}; limited 20 "$pdtool" "$@" >got 2>err)
	equal "$name: exit status" "$status" $?
	equal "$name: is said" 1 "$(grep -cF "$text" err)"
	grep -qF "$text" err || show err
}

# peek FILE OFFSET: eight bytes there, as a number.
peek() { od -An -tu8 -j "$2" -N 8 "$1" | tr -d ' '; }
# poke FILE OFFSET NUMBER: eight bytes.
poke() {
	# shellcheck disable=SC2059 # it is a format
	printf "$(awk -v n="$3" 'BEGIN { for (i = 0; i < 8; i++) { printf "\\%03o", n % 256; n = int(n / 256) } }')" |
		dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

cat >small.mkperf <<'END'
host there
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|CPU|IDENTIFIER
mmap pid=1 addr=0x10000 len=0x10000 file=/bin/true time=1
sample pid=1 time=5 ip=0x10008
END
"$mkperf" -o small.data small.mkperf || exit 1

# ---- sections ----

# The first feature's section becomes a hole of 64 MiB and more behind the rest.
table=$(($(peek small.data 40) + $(peek small.data 48)))
size=$(wc -c <small.data)
cp small.data section.data && truncate -s 300M section.data
poke section.data $table "$size" && poke section.data $((table + 8)) 67108865
says 'a feature section' '67108865 bytes are more than 64 MiB: it is not read' 3 report --strict section.data
equal 'and the samples are there' 1 "$(grep -c '^samples  *1 used of 1' got)"
cp small.data attrs.data && truncate -s 100M attrs.data
poke attrs.data 24 "$size" && poke attrs.data 32 67108944
says 'the attr section' 'in a section of 67108944' 1 report attrs.data

# A record with tracing data tells its size, and the bytes follow.
cat >tracing.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|CPU|IDENTIFIER
raw u32:66 u16:0 u16:12 u32:67108872 zero:67108872
sample pid=1 time=5 ip=0x10008
END
"$mkperf" --mode pipe -o tracing.data tracing.mkperf || exit 1
says 'tracing data' 'tracing data: 67108872 bytes are more than 64 MiB: they are not read' 3 report --strict tracing.data
equal 'and the sample behind it is there' 1 "$(grep -c '^samples  *1 used of 1' got)"
rm tracing.data

# ---- folded text ----

# What is behind the bound is no stack of its own.
{
	head -c 67108864 /dev/zero | tr '\0' a
	echo ';b 5'
	echo 'c 1'
} >long.folded
says 'a line of folded text' '1 of 2 lines are not stacks, the first is line 1' 0 collapse long.folded
equal 'and the others are there' 'c 1' "$(stacks <got)"
{
	head -c 67108862 /dev/zero | tr '\0' a
	echo ' 5'
} >long.folded
equal 'a line of folded text up to the bound' 67108864 "$("$pdtool" collapse -q long.folded | stacks | head -c 67108864 | wc -c)"
rm long.folded

# ---- jitdump files ----

# words NUMBER...: 32 bits each.
words() {
	for word; do
		# shellcheck disable=SC2059 # it is a format
		printf "$(printf '\\%03o\\%03o\\%03o\\%03o' $((word % 256)) $((word / 256 % 256)) $((word / 65536 % 256)) $((word / 16777216)))"
	done
}
# dumps COUNT: processes with a jitdump file each.
dumps() {
	cat >dumps.mkperf <<-END
	event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|CPU|IDENTIFIER
	repeat $1 {
	mmap pid=1+\$i addr=0x10000 len=0x1000 file=/tmp/jit-\${1+\$i}.dump time=1
	sample pid=1+\$i time=5 ip=0x10010
	}
	END
	"$mkperf" -o dumps.data dumps.mkperf || exit 1
}
mkdir -p jit/tmp && words 1248416836 1 40 62 0 1 0 0 0 0 >head
# a header, as that above, of each process
awk 'function word(n, file) { printf "%c%c%c%c", n % 256, int(n / 256) % 256, int(n / 65536) % 256, int(n / 16777216) >file }
BEGIN {
	for (pid = 1; pid <= 4098; pid++) {
		file = "jit/tmp/jit-" pid ".dump"
		count = split("1248416836 1 40 62 0 " pid " 0 0 0 0", words, " ")
		for (i = 1; i <= count; i++)
			word(words[i], file)
		close(file)
	}
}'
cmp -s head jit/tmp/jit-1.dump
result 'headers of jitdump files are made' $?
dumps 4096
"$pdtool" report --strict --symfs jit dumps.data 2>&1 | grep -c 'not read' >got
equal 'jitdump files: up to the bound' 0 "$(cat got)"
dumps 4098
says 'jitdump files' 'not read: there are 4096 jitdump files already' 3 report --strict --symfs jit dumps.data
equal 'jitdump files: how many' 'and 1 more of this kind' "$(grep -o 'and 1 more of this kind' err)"

# Two million pieces of code and one, of 64 bytes each with its record.
piece() { words 0 64 5 0 1 1 65536 0 65536 0 6 0 1 0 && printf 'f\000codes.'; }
piece >pieces
for i in $(seq 21); do cat pieces pieces >twice && mv twice pieces; done
dumps 1
cat head pieces >jit/tmp/jit-1.dump && "$pdtool" report --symfs jit dumps.data 2>&1 | grep -c damaged >got
equal 'pieces of code: up to the bound' 0 "$(cat got)"
piece >>jit/tmp/jit-1.dump
memory=600000
says 'pieces of code' 'offset 134217768: damaged, or cut; what follows is not used' 3 report --strict --symfs jit dumps.data
unset memory

# A process that forks and then makes more code, over and over: each child has what there was. 65,536 pieces are 4 MiB of it, and some bytes.
awk 'function word(n) { printf "%c%c%c%c", n % 256, int(n / 256) % 256, int(n / 65536) % 256, 0 }
BEGIN {
	for (i = 0; i < 65536; i++) {
		count = split("0 64 " (i < 65496 ? 5 : 5 + (i - 65495) * 10) " 0 1 1 " 65536 + i * 16 " 0 " 65536 + i * 16 " 0 6 0 " i + 1 " 0", words, " ")
		for (k = 1; k <= count; k++)
			word(words[k])
		printf "f%ccodes.", 0
	}
}' >pieces
cat head pieces >jit/tmp/jit-1.dump
# children COUNT
children() {
	cat >children.mkperf <<-END
	event cycles type=hardware config=0 period=1 ids=5 sample_id_all use_clockid clockid=1 mmap comm task sample_type=IP|TID|TIME|CPU|IDENTIFIER
	mmap pid=1 addr=0x10000 len=0x1000 file=/tmp/jit-1.dump time=1
	sample pid=1 time=6 ip=0x10010
	repeat $1 {
	fork pid=10+\$i ppid=1 time=8+\$i*10
	sample pid=1 time=16+\$i*10 ip=0x10010
	}
	END
	"$mkperf" -o children.data children.mkperf || exit 1
}
children 14
"$pdtool" report --symfs jit children.data 2>&1 | grep -c 'left out' >got
equal 'code of children: up to the bound' 0 "$(cat got)"
children 15
says 'code of children' "changes of a child's code, which its parent's stands for, past 64 MiB" 0 report --symfs jit children.data
rm -r jit pieces

# ---- archives and directories ----

command -v zstd >/dev/null || { skip 'archives' 'zstd is not installed'; exit; }

# 524,288 members without bytes.
: >empty
tar -cf one.tar empty && head -c 512 one.tar >many
for i in $(seq 19); do cat many many >twice && mv twice many; done
zstd -q many -o many.tar.zst && rm many
says 'members of an archive' 'it has too many members' 3 report --strict --symbols many.tar.zst small.data

mkdir loose && (cd loose && seq 20001 | xargs touch)
says 'files of a directory' 'it holds too many files, not all were searched' 3 report --strict --symbols loose small.data
rm loose/1 && "$pdtool" report --symbols loose small.data 2>&1 | grep -c 'too many files' >got
equal 'files of a directory: up to the bound' 0 "$(cat got)"

# A file of 64 MiB that compresses to a few KB.
mkdir -p root/bin && head -c 67108864 /dev/zero | zstd -q >root/bin/true
says 'a compressed file' 'decompressed, it has more than 512 MiB, or 32 times what it is: it is not used' 3 \
	report --strict --symfs root small.data

# A pack whose manifest is too large.
mkdir pack && cp small.data pack/perf.data && printf 'pdtool-pack\t1\n' >pack/pdtool-pack && truncate -s 67108865 pack/pdtool-pack
tar -C pack -cf - perf.data pdtool-pack | zstd -q >large.tar.zst
says 'a manifest' 'its manifest has more than 64 MiB and is not used' 3 report --strict large.tar.zst
