#!/bin/sh
# The corpus of the guided campaign, each input once with its command: without sanitizers within 2 s of CPU and 256 MiB,
# and with them.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

. "$top/tests/fuzz/kit.sh"
export FUZZ_INPUT="$tmp/input"
for name in $(entry_names); do
	corpus_of "$name" || { fail "$name" 'no corpus in testdata/fuzz'; continue; }
	FUZZ_COMMANDS=$(entry_commands "$name")
	export FUZZ_COMMANDS
	find "corpus/$name" -type f | sort >list
	for kind in '' san/; do
		xargs "$build/${kind}tests/fuzz/replay" "$name" <list
	done
done
