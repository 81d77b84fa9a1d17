#!/bin/sh
# How much of parser/ the inputs in testdata/fuzz run: lines by file and by folder, the least first.
# Exit status 1: less than 85 % of the lines of parser/. Needs what `make fuzz-coverage` builds.
# Usage: coverage.sh [DIR]   DIR/ENTRY/*: inputs instead of those in testdata
top=$(cd "$(dirname "$0")/../.." && pwd)
given=${1:+$(cd "$1" && pwd)}
. "$top/tests/lib/test.sh"
. "$top/tests/fuzz/kit.sh"
covered=$build/coverage
find "$covered" -name '*.gcda' -exec rm {} +
export FUZZ_INPUT="$tmp/input"
for name in $(entry_names); do
	if [ "$given" ]; then
		mkdir -p corpus && ln -sfn "$given/$name" "corpus/$name"
	else
		corpus_of "$name" || continue
	fi
	FUZZ_COMMANDS=$(entry_commands "$name")
	export FUZZ_COMMANDS
	find -L "corpus/$name" -type f | sort | xargs "$covered/tests/fuzz/replay" "$name"
done
mkdir gcov && cd gcov || exit 1
find "$covered/parser" -name '*.gcno' -exec gcov -n -s "$top" {} + >../lines 2>/dev/null
cd ..
# File 'parser/x.c' / Lines executed:12.34% of 56
awk -v least=85 '
function share(a, b) { return b ? 100 * a / b : 0 }
/^File / { file = substr($0, 7, length($0) - 7); next }
/^Lines executed:/ && file ~ /^parser\/.*\.c$/ {
	split($0, part, /[:% ]+/)
	all = part[5] + 0
	run = part[3] * all / 100
	folder = file
	sub(/\/[^\/]*$/, "", folder)
	runs[file] = run; lines[file] = all
	folder_runs[folder] += run; folder_lines[folder] += all
	sum_runs += run; sum_lines += all
}
{ file = "" }
END {
	for (name in lines)
		printf "1 %6.2f %% of %5d  %s\n", share(runs[name], lines[name]), lines[name], name
	for (name in folder_lines)
		printf "2 %6.2f %% of %5d  %s/\n", share(folder_runs[name], folder_lines[name]), folder_lines[name], name
	printf "3 %6.2f %% of %5d  lines of parser/, wanted %d %%\n", share(sum_runs, sum_lines), sum_lines, least
	exit share(sum_runs, sum_lines) < least
}' lines >table
status=$?
sort -k1,1n -k2,2n table | sed 's/^[123]//'
exit $status
