#!/bin/sh
# Does pdtool do as little as it did, and is it as small? The instructions of each command on the small captures, as
# valgrind counts them, and its peak memory, beside what was last accepted. Both are the same on any machine, loaded or
# not; what the CPU's caches and the system make of it, times.sh tells.
#   tests/bench/run.sh            compare with tests/bench/accepted.txt: 5 % more instructions are a failure, 10 % more memory
#   tests/bench/run.sh --accept   write what comes now, with the reason in the commit
# What another compiler made, or for another architecture, may have 30 % more instructions.
# The C library takes what any CPU has: which string functions it has for this one, and how long a copy is that "rep movsb"
# makes, counted as an instruction for each byte, is 3 % of some command.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
accepted=$top/tests/bench/accepted.txt

if [ "${SANITIZER:-}" ]; then
	skip bench 'a build that a sanitizer watches is slower, and larger'
	exit
fi
command -v valgrind >/dev/null || { skip bench 'no valgrind, which counts instructions'; exit; }

. "$top/tests/bench/small.sh"
small_programs || exit 1
captures
small_plan >plan
# of a machine's kernel: its symbols are most of the work for a small capture
zstd -qdcf "$data/recorded/script/cpu-g.data.zst" >kernel.data
awk 'BEGIN { for (i = 0; i < 150000; i++) printf "ffffffff8%07x t function_%d\n", 16777216 + 256 * i, i }' >kallsyms
asked kernel 'collapse -j1' --no-host --kallsyms kallsyms --allow-unverified >>plan
# short processes: what makes the machine is most of the work, and is not done twice for long
chain=$(awk 'BEGIN { for (i = 0; i < 30; i++) printf ",0x7f00000%05x", 4096 + i * 64 }')
cat >tasks.mkperf <<END
event cpu-clock type=software period=1 sample_type=IP|TID|TIME|CALLCHAIN sample_id_all mmap mmap2 comm task
repeat 8000 {
	fork pid=100+\$i ppid=1 time=1000+\$i*100
	comm pid=100+\$i comm=true exec time=1001+\$i*100
	mmap2 pid=100+\$i addr=0x400000 len=0x10000 ino=1 file=/usr/bin/true time=1002+\$i*100
	mmap2 pid=100+\$i addr=0x7f0000000000 len=0x200000 ino=2 file=/usr/lib/libc.so.6 time=1003+\$i*100
	repeat 16 k {
		sample pid=100+\$i time=1004+\$i*100+\$k ip=0x400100+\$k chain=[user:0x400100+\$k$chain]
	}
	exit pid=100+\$i ppid=1 time=1050+\$i*100
	finished_round
}
END
"$mkperf" -o tasks.data tasks.mkperf || exit 1
asked tasks 'collapse -j2' --no-host >>plan
made="$(${CC:-cc} --version | sed -n '1s/.*) //p') $(uname -m)"
more=5
grep -qxF "# compiler: $made" "$accepted" || more=30

# NAME, million instructions, peak in MB, and "failed" where it did.
./measure 10 10 600 <plan >runs || exit 1
while IFS='	' read -r name command; do
	# shellcheck disable=SC2086
	GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-ERMS valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null --log-file=log $command >/dev/null 2>err
	status=$?
	awk -F '\t' -v OFS='\t' -v name="$name" -v status=$status '
		/I +refs:/ { gsub(/.*: +|,/, ""); millions = $0 / 1e6; next }
		$1 == name { print name, sprintf("%.2f", millions), sprintf("%.1f", $9 / 1024), $10 != 0 || status != 0 ? "failed" : "" }
	' log runs
done <plan >now

if [ "${1:-}" = --accept ]; then
	{
		echo '# Million instructions of commands on small captures, and their peak memory in MB; run.sh --accept writes this.'
		echo "# compiler: $made"
		cut -f 1-3 now
	} >"$accepted"
	cat "$accepted"
	exit
fi
[ $more = 5 ] || echo "    not the compiler of accepted.txt: $made"
awk -F '\t' -v more=$more '
	NR == FNR { was[$1] = $2; was_mb[$1] = $3; next }
	{
		if ($4 != "") print "FAIL " $1 ": the command failed"
		else if (!was[$1]) print "FAIL " $1 ": nothing was accepted for it"
		else if ($2 > was[$1] * (1 + more / 100)) print "FAIL " $1 ": more instructions than accepted"
		else if ($3 > was_mb[$1] * 1.1) print "FAIL " $1 ": more memory than accepted"
		else print "ok " $1
		printf "    %.2f million instructions, accepted %.2f%s; %.1f MB, accepted %.1f\n", $2, was[$1],
			$2 < was[$1] * 0.95 ? " (better: --accept keeps it so)" : "", $3, was_mb[$1]
	}' "$accepted" now
