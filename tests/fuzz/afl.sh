#!/bin/sh
# Let AFL++ look for inputs that break a command, for FUZZ_SECONDS (600) in sum over all entries. An entry goes on from
# where its last run ended ($build/fuzz/afl/ENTRY), or begins with the corpus. A line for each entry goes to
# $build/fuzz/afl/hours.tsv: entry, CPU seconds, runs, inputs found in all, crashes (also
# what takes more than 2 seconds of CPU or 256 MiB, see guided.c), hangs (over 5 seconds by the clock).
# Usage: afl.sh [ENTRY...]   Needs what `make fuzz-afl` builds.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

. "$top/tests/fuzz/kit.sh"
made=$build/fuzz/afl
names=${*:-$(entry_names)}
seconds=$((${FUZZ_SECONDS:-600} / $(echo "$names" | wc -w)))
[ "$seconds" -gt 0 ] || seconds=1
failed=0
unset ASAN_OPTIONS UBSAN_OPTIONS # AFL++ has its own
export AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 AFL_AUTORESUME=1 AFL_FAST_CAL=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1
# CPU seconds go to the file cpu: AFL++ does not wait for what it kills, so that becomes a child of this program (prctl 36).
cat >cpu.pl <<'END'
my %prctl = (x86_64 => 157, aarch64 => 167);
chomp(my $machine = `uname -m`);
syscall($prctl{$machine}, 36, 1, 0, 0, 0) if $prctl{$machine};
my $status = system @ARGV;
1 while wait >= 0;
my @times = times;
open my $cpu, '>', 'cpu';
print $cpu $times[2] + $times[3];
exit($status ? 1 : 0);
END
stat_of() { sed -n "s/^$2 *: *//p" "$made/$1/default/fuzzer_stats"; }
for name in $names; do
	mkdir -p "$made"
	begin_entry "$name"
	before=$(stat_of "$name" execs_done 2>/dev/null)
	perl "$tmp/cpu.pl" \
		afl-fuzz -V "$seconds" -t 5000 -m none -G 1000000 -x "$top/tests/fuzz/perf.dict" -i "corpus/$name" -o "$made/$name" -- \
		"$build/afl/tests/fuzz/guided" >log 2>&1 </dev/null
	status=$?
	runs=$(($(stat_of "$name" execs_done) - ${before:-0}))
	crashes=$(find "$made/$name" -path '*/crashes*/id*' | wc -l)
	hangs=$(find "$made/$name" -path '*/hangs*/id*' | wc -l)
	printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "$(cat cpu)" "$runs" "$(stat_of "$name" corpus_count)" "$crashes" "$hangs" >>"$made/hours.tsv"
	if [ $status = 0 ] && [ "$crashes$hangs" = 00 ]; then
		ok "$name, $runs runs, $(cat cpu) CPU seconds"
	else
		fail "$name" "$crashes crashes, $hangs hangs: $made/$name"
		tail -n 15 log | show /dev/stdin
		failed=1
	fi
done
exit $failed
