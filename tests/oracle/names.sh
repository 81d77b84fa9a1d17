#!/bin/sh
# symbols.sh as a group: names of many addresses as perf 6.1 has them. COUNT: addresses for each file (100000).
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

BUILD=$build sh "$top/tests/oracle/symbols.sh" >out 2>&1
status=$?
if [ $status = 77 ]; then
	skip 'names as perf has them' "$(sed -n 's/^skip: //p' out | head -n 1)"
	exit
fi
sed -n 's/^\(.*\): not on this machine, not checked$/skip names of \1: not on this machine/p
	s/^\(.*\): this machine does not show.*/skip names of \1: this machine does not show its addresses/p' out
awk '/^not ok/ { sub(/^not ok - /, ""); print "FAIL names of " $0; next }
	match($0, /: [0-9]+\/[0-9]+ names equal/) {
		split(substr($0, RSTART + 2), n, /[\/ ]/)
		print (n[1] == n[2] && n[1] > 0 ? "ok" : "FAIL") " names of " substr($0, 1, RSTART - 1) ": " n[1] " of " n[2] " equal"
	}' out
grep -qE 'names equal|not ok|not checked' out || fail 'names as perf has them' "status $status"
[ $status = 0 ] || show out
