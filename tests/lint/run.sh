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

# Each group is run: tests/run has it in its list, or names it as one apart.
(cd "$top/tests" && grep -l 'tests/lib/test[.]sh"' ./*/*.sh) | sed '/^..lib/d; s/^..//; s/[.]sh$//; s/[/]run$//' | sort >wanted
(sed -n "s/^all='\(.*\)'/\1/p; s/^last='\(.*\)'/\1/p; s/^apart='\(.*\)'/\1/p" "$top/tests/run" | tr ' ' '\n' | sort) >got
same 'tests/run knows each group, and no other' wanted got
