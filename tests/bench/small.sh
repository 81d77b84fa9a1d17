# Small captures, made of those in testdata, and what is asked of them: a plan (see measure.c) without floors, each
# command named by its capture and itself. To be sourced after test.sh.

small_programs() {
	for program in floor measure repeat; do
		${CC:-cc} -O2 -std=gnu11 "$top/tests/bench/$program.c" -o $program || return 1
	done
}

# capture NAME FILE [OPTION...] ROUNDS: NAME.data is FILE of testdata so often.
capture() {
	name=$1 file=$data/$2
	shift 2
	zstd -qdcf "$file" >once && ./repeat "$@" once "$name.data"
}
captures() {
	chains=recorded/foreign/02-x86_64-k3.8-callgraph-fp-systemwide.perf.data.zst
	capture stacks $chains --vary 40
	capture same $chains 40
	capture dwarf unwind/arm64/shapes.data.zst 40
	capture sched recorded/x86_64/sched/flat.data.zst 24
	capture block recorded/x86_64/block/q1.data.zst 10
	cp "$data/recorded/x86_64/binaries/nosep.data" tiny.data
	# 12,000 folded stacks of three to a dozen frames, twice with other weights
	awk 'BEGIN {
		for (i = 0; i < 12000; i++) {
			line = "program"
			n = i
			for (depth = 0; depth < 2 + i % 11; depth++) {
				n = (n * 7919 + depth) % 1000003
				line = line ";function_" n % (40 * depth + 3)
			}
			print line "_" i % 5003, i % 37 + 1 >"folded.data"
			print line "_" i % 5003, i % 41 + 1 >"after"
		}
	}'
}

# asked CAPTURE COMMAND [OPTION...]: a line of the plan
asked() {
	w=$1 command=$2
	shift 2
	printf '%s: %s\t%s\n' "$w" "$command" "$host_pdtool $command $* $w.data"
}
small_plan() {
	[ -d arm64 ] || { mkdir arm64 && tar -xzf "$data/unwind/arm64/files.tar.gz" -C arm64; }
	asked stacks 'collapse -j1' --no-host
	asked stacks 'report -j1' --no-host
	asked stacks 'flamegraph -j1' --no-host
	asked same 'collapse -j1' --no-host
	asked dwarf 'collapse -j1' --no-host --symfs arm64
	asked sched 'sched latency -j1' --no-host
	asked sched 'sched timehist -j1' --no-host
	asked sched 'offcpu -j1' --no-host
	asked block 'block -j1' --no-host
	asked block 'heatmap -j1' --no-host '--events=block_rq_*'
	asked tiny info --no-host
	asked tiny 'collapse -j1' --no-host --symfs "$data/symfs"
	for command in 'collapse -j1' 'flamegraph -j1'; do asked folded "$command"; done
	asked folded 'diff -j1' after
}
