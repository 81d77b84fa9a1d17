#!/bin/sh
# One capture read by several threads, each of which takes a part of the samples, and two side by side: what comes of it,
# and what is said, is what one thread makes of it, byte by byte.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# same NAME FILE COMMAND...: by one thread, and by $threads.
threads='2 8'
same() {
	name=$1 file=$2
	shift 2
	"$pdtool" "$@" -j1 "$file" >one 2>one.err
	status=$?
	for jobs in $threads; do
		"$pdtool" "$@" "-j$jobs" "$file" >many 2>many.err
		if [ $? != $status ] || ! cmp -s one many || ! cmp -s one.err many.err; then
			fail "$name: $* -j$jobs" "not what one thread makes of it"
			diff one many | head -5
			diff one.err many.err | head -5
			return 1
		fi
	done
}

# opened JOBS FILE [BEFORE]: how many times COLLAPSE opens it, after BEFORE.
opened() {
	# shellcheck disable=SC2086 # no word without a third one
	strace -f -o trace -e trace=openat "$pdtool" collapse --no-sandbox "-j$1" ${3:-} "$2" >/dev/null 2>&1
	grep -c "openat(.*\"$2\"" trace
}

mkdir -p captures
for file in "$data"/recorded/foreign/*.perf.data* "$data"/recorded/x86_64/*/*.data* "$data"/recorded/state/*.data*; do
	case $file in
	*.zst) zstd -q -dc "$file" >"captures/$(basename "$file" .zst)" ;;
	*) [ -f "$file" ] && cp "$file" captures ;;
	esac
done
# Standard input has one position, whoever opens it.
cat >long.mkperf <<'END2'
event cycles type=hardware config=0 period=1 sample_id_all sample_type=IP|TID|TIME|CALLCHAIN
comm pid=1 comm=a time=1
repeat 60000 {
sample pid=1 time=2+$i ip=0x1000+$i%100 chain=[user:0x1000+$i%100,0x2000+$i%1000,0x3000]
}
END2
"$mkperf" -o long.data long.mkperf || exit 1
"$pdtool" collapse -j1 long.data >one && "$pdtool" collapse -j3 - <long.data >many && cmp one many
result 'a file as standard input' $?

# So many locations, stacks and rows that names, folding, counting and sorting have parts, too.
cat >wide.mkperf <<'END2'
event cycles type=hardware config=0 period=1 sample_id_all sample_type=IP|TID|TIME|CALLCHAIN
repeat 9 {
comm pid=1+$i comm=program$i time=1
mmap pid=1+$i addr=0x100000 len=0x10000000 file=/bin/program$i time=1
}
repeat 60000 {
sample pid=1+$i%9 tid=1+$i%9000 time=2+$i ip=0x100000+$i*7%40000*64 \
	chain=[user:0x100000+$i*7%40000*64,0x900000+$i*11%17000*16,0x900000+$i*13%5000*16,0xf00000]
}
END2
"$mkperf" -o wide.data wide.mkperf || exit 1
threads='2 3 8'
while read -r options; do
	# shellcheck disable=SC2086 # words
	same wide wide.data $options && equal "wide: $options" 0 "$status"
done <<'END2'
collapse --addrs
collapse --addrs --label-tid
collapse --no-comm --addrs --weight samples
flamegraph --addrs
flamegraph --addrs --format json
report -s tid,sym,cpu
report -s comm,pid,tid,dso
report -s tid,sym --hierarchy
report --children -s sym,dso --format csv
report -g -s tid
diff --addrs wide.data
diff --addrs --by stack --format csv wide.data
END2
threads='2 8'

parts=0 pairs=0 before=
for file in captures/*; do
	failed=
	if [ "$before" ]; then
		same "$before, $(basename "$file")" "$file" collapse --label-tid "$before" || failed=1
		same "$before, $(basename "$file")" "$file" diff --force "$before" || failed=1
		same "$before, $(basename "$file")" "$file" report -s comm,dso,sym --format csv "$before" || failed=1
	fi
	same "$(basename "$file")" "$file" collapse --label-tid || failed=1
	same "$(basename "$file")" "$file" report -s comm,pid,dso,sym,cpu --format csv || failed=1
	same "$(basename "$file")" "$file" flamegraph --reverse || failed=1
	same "$(basename "$file")" "$file" diff --force "$file" || failed=1
	[ "$failed" ] || ok "$(basename "$file")"
	if command -v strace >/dev/null; then
		[ "$(opened 3 "$file")" = 3 ] && parts=$((parts + 1))
		# two threads have it in parts twice, and once beside the one before
		[ "$before" ] && [ "$(opened 2 "$file")" = 2 ] && [ "$(opened 2 "$file" "$before")" = 1 ] && pairs=$((pairs + 1))
	fi
	before=$file
done
if command -v strace >/dev/null; then
	if [ $parts -gt 20 ]; then ok "most captures are read in parts"; else fail "most captures are read in parts" "$parts were"; fi
	if [ $pairs -gt 10 ]; then ok "many are read beside the one before"; else fail "many are read beside the one before" "$pairs were"; fi
else
	skip "most captures are read in parts" "no strace"
fi

# User stacks, each of which is unwound by who has its sample.
for machine in arm64 i386 ppc64el s390x; do
	mkdir -p "unwind/$machine"
	tar -C "unwind/$machine" -xzf "$data/unwind/$machine/files.tar.gz"
	zstd -q -dc "$data/unwind/$machine/shapes.data.zst" >"$machine.data"
	failed=
	for symbols in "--symfs unwind/$machine" '--addrs'; do
		# shellcheck disable=SC2086 # words
		same "unwound, $machine" "$machine.data" collapse $symbols && same "unwound, $machine" "$machine.data" report -v -g $symbols || failed=1
	done
	[ "$failed" ] || ok "unwound, $machine"
	command -v strace >/dev/null && equal "unwound, $machine, in parts" 3 "$(opened 3 "$machine.data")"
done

# What is damaged, and of what the fuzzers found worth keeping some.
mkdir -p found
for entry in collapse info; do
	zstd -q -dc "$data/fuzz/$entry.tar.zst" | tar -C found -xf -
done
failed=
threads=3
for file in "$data"/broken/* $(find found -type f | sort | awk -v n="$one_in" 'NR % n == 0'); do
	[ -f "$file" ] || continue
	same "$(basename "$file")" "$file" collapse --all || failed=1
	same "$before, $(basename "$file")" "$file" collapse --all "$before" || failed=1
	before=$file
done
[ "$failed" ] || ok "damaged captures"

# Short processes, whose records every thread would read for itself, are left to one, which opens the file once more; a
# burst of them before many samples is not.
processes() {
	cat <<END2
event cycles type=hardware config=0 period=1 sample_id_all sample_type=IP|TID|TIME|CALLCHAIN
sample pid=1 time=1 ip=0x1000 chain=[user:0x1000]
repeat 1050 {
fork pid=100+\$i ppid=1 time=2+\$i*10
comm pid=100+\$i comm=true exec time=3+\$i*10
sample pid=100+\$i time=4+\$i*10 ip=0x1000 chain=[user:0x1000]
}
END2
}
processes >short.mkperf
{
	processes
	echo 'repeat 1200 {'
	awk 'BEGIN {
		printf "sample pid=100 time=20000+$i ip=0x1000 chain=[user:0x1000"
		for (i = 0; i < 8000; i++)
			printf ",0x%x", 4096 + i * 16
		print "]"
	}'
	echo '}'
} >burst.mkperf
for name in short burst; do
	"$mkperf" -o $name.data $name.mkperf || exit 1
	same $name $name.data report -s comm,pid,sym && ok "processes: $name"
done
if command -v strace >/dev/null; then
	equal "short processes: opened" 4 "$(opened 3 short.data)"
	equal "a burst of them: opened" 3 "$(opened 3 burst.data)"
else
	skip "who reads short processes" "no strace"
fi
rm burst.data

# Folded text, in parts of a megabyte or more: in order; in none, with equal stacks, decimals, what is no stack, and what is said of
# the weights, alike or not; with lines that are longer than a part; one text that goes on where the text before it ended.
awk 'BEGIN {
	for (i = 0; i < 60000; i++)
		printf "program_%d;main;worker_%d;function_%d;leaf_of_a_long_name_%d %d\n", i % 7, i % 11, i % 1009, i, i % 97 + 1
}' | LC_ALL=C sort >sorted.txt
awk '{
	sub(/leaf_of_a_long_name_[0-9]+/, "leaf_of_a_long_name_" NR % 40000)
	if (NR % 1000 == 3) $0 = $0 "." NR % 7
	if (NR == 6 || NR == 7) $0 = "no stack"
	if (NR % 9999 == 5) $0 = "bell\007;" $0
	if (NR % 30000 == 9) $0 = "# pdtool sample=2 unit=ns event=cycles 0"
	if (NR % 5000 == 1) $0 = ";;" $0 "\r"
	printf "%s%s", (NR > 1 ? "\n" : ""), $0
}' sorted.txt | awk '{ print NR * 7919 % 60013, $0 }' | sort -n | cut -d ' ' -f 2- >mixed.txt
{
	head -c 1500000 mixed.txt
	printf '\n# pdtool sample=2 unit=samples event=cycles 0\n'
	tail -c 2500000 mixed.txt
} >unlike.txt
awk 'NR == 20000 || NR == 21000 { for (i = 0; i < 200000; i++) printf "frame_%d;", i } { print }' mixed.txt >long.txt
{
	cat sorted.txt
	awk '{ print "z" $0 }' sorted.txt | head -c -1
} >twice.txt
{
	tail -n 1 sorted.txt | sed 's/ [0-9]*$/;more 5/'
	cat mixed.txt
} >after.txt
{
	cat sorted.txt
	tail -n +2 sorted.txt # the second of two parts, to the byte
} >again.txt
threads='2 3 8'
for text in sorted mixed unlike long twice after again; do
	same "text: $text" $text.txt collapse && same "text: $text" $text.txt flamegraph && same "text: $text" $text.txt report &&
		same "text: $text" $text.txt collapse sorted.txt && same "text: $text" $text.txt diff sorted.txt &&
		same "text: $text" $text.txt collapse --reverse && same "text: $text" $text.txt collapse --include function_1 &&
		same "text: $text" $text.txt report -s comm,sym && same "text: $text" $text.txt collapse --max-memory 6M &&
		same "text: $text" $text.txt collapse wide.data && ok "text: $text"
done
if command -v strace >/dev/null; then
	equal "text: opened" '1 2 4 3' "$(opened 1 twice.txt) $(opened 2 twice.txt) $(opened 4 twice.txt) $(opened 8 sorted.txt)"
else
	skip "text: who reads it" "no strace"
fi

# What a part of the samples cannot decide is left to one thread: here there is too little room.
{
	echo 'event cycles type=hardware config=0 period=1 sample_type=IP|TID|TIME|CALLCHAIN'
	awk 'BEGIN {
		for (i = 1; i <= 3000; i++) {
			if (i % 100 == 0)
				print "finished_round"
			printf "sample pid=%d tid=%d time=%d ip=0x1000 chain=[user:0x1000", i % 7 + 1, i % 7 + 1, i
			for (k = 1; k < 60; k++)
				printf ",0x%x", 4096 + i * 4096 + k * 16
			print "]"
		}
	}'
} >room.mkperf
"$mkperf" -o room.data room.mkperf
same room room.data report --max-memory 1M && ok "there is little room"
if grep -q "they count as .others." one.err; then ok "and it was too little"; else fail "and it was too little" "$(cat one.err)"; fi
