#!/bin/sh
# docs/limits.md: each number in it is the code's, and each bound of the code is in it or is none of an input's.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# Sizes of formats, tables, drawings and options, and depths that cost nothing: "FILE NAME".
exempt=$(cd "$(dirname "$0")" && pwd)/exempt.txt

# code: "FILE NAME EXPRESSION" of each bound.
(cd "$top" && grep -rE '^#define [A-Z_0-9]*(_MAX|_MAX_[A-Z_]*|_KEPT)[[:blank:]]' parser analyzers formats cli --include='*.[ch]') |
	sed 's|/\*.*||; s/:#define[[:blank:]]*/ /; s/[[:blank:]][[:blank:]]*/ /g; s/ $//' >code
grep -q MAPS_MAX code
result 'bounds are found in the code' $?

# documented: "FILE NAME NUMBER", in units.
sed -nE 's/^\| [^|]* \| ([0-9][0-9,]*)( ([KMG]i)B?)?[^|]* \| [^|]* \| `([^`]*)` `([^`]*)` \| .*/\4 \5 \1 \3/p' "$top/docs/limits.md" | tr -d , |
	awk '{ unit["Ki"] = 1024; unit["Mi"] = 1048576; unit["Gi"] = 1073741824; printf "%s %s %.0f\n", $1, $2, $3 * ($4 ? unit[$4] : 1) }' |
	sort >documented
[ "$(grep -c . documented)" -ge 40 ]
result 'bounds are found in docs/limits.md' $?
equal 'each row has a number, a file and a name, or an option' \
	"$(grep -c '^| .*`.* |$' "$top/docs/limits.md")" $(($(grep -c . documented) + 1))

# The same from the code.
while read -r file name number; do
	value=$(sed -n "s|^$file $name ||p" code | sed 's/UINT64_C//g; s/(\([0-9]*\)[a-z]*/(\1/g; s/\([0-9]\)[uUlL]\{1,3\}/\1/g')
	case $value in
	'' | *[!0-9\ *\<\(\)]*) echo "$file $name none" ;;
	*) echo "$file $name $(($value))" ;;
	esac
done <documented >wanted
same 'the numbers are those of the code' wanted documented

cut -d ' ' -f 1,2 documented | cat - "$exempt" | sort >known
cut -d ' ' -f 1,2 code | sort >all
equal 'a bound of the code is in docs/limits.md, or in tests/limits/exempt.txt' '' "$(comm -23 all known | head -5)"
equal 'what is named there is in the code' '' "$(comm -13 all known | head -5)"

# Each row of docs/limits.md has a test that goes past it, "FILE NAME TEST TEXT", with TEXT in it; or why it has none, "-".
tests=$(cd "$(dirname "$0")" && pwd)/tests.txt
cut -d ' ' -f 1,2 "$tests" | sort >tested
cut -d ' ' -f 1,2 documented | sort >rows
equal 'each row of docs/limits.md has its line in tests/limits/tests.txt' '' "$(comm -3 rows tested | head -5)"
while read -r file name test text; do
	[ "$test" = - ] || grep -qF -- "$text" "$top/tests/$test" || echo "$file $name: no '$text' in $test"
done <"$tests" >lacking
equal 'each test that is named there is there' '' "$(head -5 lacking)"
