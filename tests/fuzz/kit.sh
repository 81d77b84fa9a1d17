# What the entries of the guided campaign (entries.txt) find beside their input, made in the working directory; to be
# sourced after test.sh. It must be the same wherever it is made, but for the seeds, of which a compiler makes some.
. "$top/tests/fuzz/captures.sh"
. "$top/tests/fuzz/files.sh"
. "$top/tests/fuzz/archives.sh"
. "$top/tests/fuzz/kinds.sh"
mkdir -p none
ln -sfn "$data/symfs" symfs
printf '%s\n' 'prog;main;shown;hidden 100' 'prog;main;shown;inner_[i] 50' 'kworker/3:1;schedule_[k] 7' >prog.folded
cat >stat.mkperf <<'END'
event cpu-clock type=software config=0 ids=1 sample_type=IDENTIFIER read_format=ENABLED|RUNNING
event page-faults type=software config=2 ids=2 sample_type=IDENTIFIER read_format=ENABLED|RUNNING
stat_config config=[1:0,2:1000,3:1]
stat id=1 cpu=0 thread=0 val=100 ena=200 run=200
stat id=1 cpu=1 thread=0 val=50 ena=200 run=100
stat id=2 cpu=0 thread=0 val=7 ena=200 run=200
stat_round type=0 time=1
stat id=1 cpu=0 thread=0 val=1000 ena=2000 run=2000
stat id=1 cpu=1 thread=1 val=9 ena=2000 run=0
stat_round type=1 time=2
END
cp go.capture stat.capture
zstd -q -dc "$data/unwind/x86_64-killed/killed.data.zst" >killed.capture || exit 1
linked unwind.killed/tmp/k/deep

entries=$top/tests/fuzz/entries.txt
entry_names() { sed -n 's/^\([a-z]*\) .*/\1/p' "$entries" | uniq; }
# For the programs in tests/fuzz: the commands of an entry.
entry_commands() { sed -n "s/^$1 //p" "$entries"; }

# corpus_of ENTRY: its inputs in testdata, if there are any, go to corpus/ENTRY.
corpus_of() {
	[ -f "$data/fuzz/$1.tar.zst" ] && mkdir -p "corpus/$1" && zstd -q -dc "$data/fuzz/$1.tar.zst" | tar -C "corpus/$1" -xf -
}

# begin_entry ENTRY: corpus/ENTRY has its inputs, or the seeds, and the environment its commands for the fuzzer's program.
begin_entry() {
	mkdir -p "corpus/$1"
	if ! corpus_of "$1"; then
		[ -d seeds ] || make_seeds
		cp "seeds/$1"/* "corpus/$1"
	fi
	FUZZ_COMMANDS=$(entry_commands "$1")
	export FUZZ_COMMANDS FUZZ_INPUT="$tmp/input"
}

# ---- seeds: seeds/ENTRY/..., each file once for each command ----

# seed ENTRY FILE...: files that are too large to be mutated well are left out.
seed() {
	name=$1 count=$(entry_commands "$1" | grep -c .)
	mkdir -p "seeds/$name"
	shift
	for file; do
		[ -f "$file" ] && [ "$(wc -c <"$file")" -lt 800000 ] || continue
		n=0
		while [ $n -lt "$count" ]; do
			{ cat "$file"; printf "\\$(printf %03o $n)"; } >"seeds/$name/$(basename "$file").$n"
			n=$((n + 1))
		done
	done
}

# seed_for ENTRY N FILE...: for its command N alone (0: the first).
seed_for() {
	name=$1 n=$2
	mkdir -p "seeds/$name"
	shift 2
	for file; do
		[ -f "$file" ] && { cat "$file"; printf "\\$(printf %03o "$n")"; } >"seeds/$name/$(basename "$file").$n"
	done
}

# texts DIR: what perf stat writes, in each of its forms.
stat_texts() {
	mkdir -p "$1"
	cat >"$1/text" <<-'END'
	# started on Sat Nov 21 15:58:26 2026

	 Performance counter stats for 'sh -c 5 task-clock' (3 runs):

	          1,063.75 msec task-clock                       #    0.553 CPUs utilized            ( +-  9.92% )
	     2,033,012,345      instructions                     #    1.20  insn per cycle
	   <not supported>      cycles

	            1.9233 +- 0.0801 seconds time elapsed  ( +-  4.16% )

	       1.020000000 seconds user
	END
	printf '%s\n' '1063.75,msec,task-clock,1063753210,100.00,0.553,CPUs utilized' '2033,,instructions,10,50.00,,' \
		'<not counted>,,cycles,0,0.00,,' >"$1/csv"
	printf '%s\n' '     1.000123;S0;1;1063.75;msec;task-clock;1063753210;100.00;;' '     2.000123;S0;1;5;;instructions;1;100.00;;' >"$1/sockets"
	printf '%s\n' '{"counter-value" : "1063.753210", "unit" : "msec", "event" : "task-clock", "event-runtime" : 1063753210, "pcnt-running" : 100.00, "metric-value" : "0.55", "metric-unit" : "CPUs utilized"}' \
		'{"interval" : 1.000123, "cpu" : "0", "counter-value" : "7", "unit" : "", "event" : "instructions", "variance" : 1.5}' >"$1/json"
}

# small DIR: recorded captures that are small, decompressed, and fixed bugs.
small_captures() {
	mkdir -p "$1"
	for file in "$data"/recorded/foreign/*.zst "$data"/recorded/android/*.zst "$data"/recorded/x86_64/*/*.data.zst; do
		[ "$(zstd -q -dc "$file" | wc -c)" -lt 250000 ] && zstd -q -dc "$file" >"$1/$(basename "$file" .zst)"
	done
	find "$data/broken" "$data/recorded/foreign" "$data/recorded/x86_64" -size -200k -type f ! -name '*.zst' ! -name '*.folded' \
		! -name '*.txt' ! -name '*.gz' ! -name '*.tsv' -exec cp {} "$1" \;
	for name in "$data"/synthetic/*.mkperf; do
		for form in '--mode file' '--mode pipe' '--mode pipe --endian big' '--zstd2' '--mode file --word 32' '--mode v1'; do
			# shellcheck disable=SC2086
			"$mkperf" $form -o "$1/$(basename "$name" .mkperf).$(echo "$form" | tr -d ' -')" "$name" 2>/dev/null
		done
	done
}

make_seeds() {
	small_captures small
	block_captures small
	for name in collapse report info sched block heatmap abstime doctor annotate; do
		seed $name small/*
	done
	seed folded prog.folded "$data"/recorded/x86_64/*/*.folded
	seed elf prog.elf prog.bare prog.mini prog.zlib "$data"/symfs/tmp/bw/pub/binaries/bin/*
	seed dwarf prog.elf prog.dwarf4 prog.zlib prog.debug
	seed module prog.ko prog.ko.xz prog.ko.gz prog.ko.zst
	seed_for unwind 0 "$data/unwind/x86_64-killed/files/tmp/k/deep"
	seed stubs stubs.files/*
	seed disassembly prog.elf prog.dwarf4 prog.bare
	seed archive perf.tar* all.tar
	perl "$top/tests/fuzz/archives.pl" 40 7 "$bin/app" && seed archive hostile-*.tar
	seed kallsyms prog.kallsyms
	printf '%s\n' 'prog 16384 0 - Live 0xffffffffc0100000 (OE)' 'other 4096 1 prog, Live 0xffffffffc0200000' >procmodules
	seed kallsyms procmodules
	seed perfmap jit.map jit.dump
	seed jitdump jit.dump
	seed gopclntab go.elf
	stat_texts stat.texts && seed stat stat.texts/*
	"$mkperf" -o stat.file stat.mkperf && "$mkperf" --mode pipe -o stat.pipe stat.mkperf &&
		"$mkperf" --endian big -o stat.big stat.mkperf && seed statdata stat.file stat.pipe stat.big
	make_more_seeds
}
