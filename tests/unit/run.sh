#!/bin/sh
# The unit tests, plain and under the sanitizers. A program prints lines of its own ("ok", "not ok - ..."); its exit
# status is what counts.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# In check-ubsan and check-tsan both builds are one: each program once.
[ "$build/san" -ef "$build" ] && sanitized='' || sanitized=san/
for source in "$top"/tests/unit/test_*.c; do
	name=$(basename "$source" .c)
	for kind in '' $sanitized; do
		label="$name${kind:+, sanitized}"
		if "$build/${kind}tests/unit/$name" >out 2>&1; then
			ok "$label"
		else
			fail "$label" "status $?"
			grep -E '^(not ok|FAIL)|runtime error|ERROR: ' out >why
			show why
		fi
	done
done
