#!/bin/sh
# What is accepted of each command comes with any number of threads, every time: all of it ROUNDS (100) times with 1, 2, 3
# and 8, which run side by side. For `make check-jobs`.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

round=0
while [ $round -lt "${ROUNDS:-100}" ]; do
	for jobs in 1 2 3 8; do
		PDTOOL_JOBS=$jobs sh "$top/tests/golden/run.sh" >"golden.$jobs" 2>&1 &
	done
	wait
	round=$((round + 1))
	for jobs in 1 2 3 8; do
		grep '^FAIL' "golden.$jobs" >failed
		grep -q '^ok' "golden.$jobs" && [ ! -s failed ]
		result "round $round, $jobs threads" $? "$(head -1 failed)"
	done
done
