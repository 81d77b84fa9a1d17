#!/bin/sh
# The law of the layers and the shape of the code.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

sh "$top/tests/lint/lint.sh" --self-test >found 2>&1
result 'lint finds each breach it knows' $?
show found
if sh "$top/tests/lint/lint.sh" >found 2>&1 && [ ! -s found ]; then
	ok 'lint'
else
	fail 'lint' "$(grep -c . found) breaches"
	show found
fi
