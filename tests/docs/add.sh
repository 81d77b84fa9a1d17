#!/bin/sh
# Adding an analyzer is one file and one row, and so is adding a format: the examples of analyzers/README.md and
# formats/README.md, as they stand there, added to a copy of the source.
#   tests/docs/add.sh            compare
#   tests/docs/add.sh --accept   write what the examples print now into the two files; read the difference
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# What is built already is taken as it is: only the new files, the registry and the programs are made.
mkdir -p tree/build
(cd "$top" && tar cf - Makefile NEWS.md analyzers cli formats parser tests/lint tests/docs tests/parity) | (cd tree && tar xf -)
(cd "$build" && find analyzers cli formats parser tests/docs \( -name '*.o' -o -name pages.roff \) | tar cf - -T -) | (cd tree/build && tar xf -)

# block README HEADING N: the Nth block of C in what follows HEADING.
block() { sed -n "/^## $2/,\$p" "$top/$1" | awk -v n="$3" '/^```c$/ { at++; next } /^```$/ { if (at == n) exit; next } at == n'; }

# add README HEADING FILE TABLE: the first block becomes the file, the second a row.
add() {
	block "$1" "$2" 1 >"tree/$3"
	block "$1" "$2" 2 >row
	equal "$3: one row" 1 "$(grep -c '^	ROW(.*) \\$' row)"
	sed -i "/^#define $4(ROW)/r row" tree/cli/registry.c
}
add analyzers/README.md 'An example' analyzers/capture/cpus.c ANALYZERS
add formats/README.md 'Adding a format' formats/tsv.c FORMATS
# shellcheck disable=SC2086 # see check-ubsan in the Makefile
make -s -C tree BUILD=build Q=@ CFLAGS='-O1 -Werror' ${SANITIZER:+CC=clang LDFLAGS=$SANITIZER} build/pdtool docs >log 2>&1
result 'they build' $? "$(grep -m 1 -E "error|warning|undefined|Error" log)"
equal 'and nothing else is built' 'CC cli/registry.c CC analyzers/capture/cpus.c CC formats/tsv.c' \
	"$(sed -n 's/^  CC  */CC /p' log | tr '\n' ' ' | sed 's/ $//')"
(cd tree && tests/lint/lint.sh) >log 2>&1
result 'the lint has nothing to say' $? "$(head -n 1 log)"

"$host_pdtool" list >before
tree/build/pdtool list >after
printf '%s\n' '>   cpus' '>   tsv' >want
diff before after | sed -n 's/^\([<>]  *[^ ]*\).*/\1/p' >got
same 'pdtool list' want got
tree/build/pdtool help cpus >out 2>err && grep -q '^how many samples each CPU took$' out
result 'pdtool help cpus' $? "$(head -n 1 err)"
tree/build/pdtool help >out && grep -q '^ *cpus  *how many samples' out
result 'pdtool help' $?
for file in pdtool.bash _pdtool pdtool.fish; do
	grep -q 'cpus' tree/cli/completion/$file && grep -q 'tsv' tree/cli/completion/$file
	result "completion: $file" $?
done
grep -q '^\.B pdtool cpus$' tree/cli/man/pdtool-cpus.1
result 'a manual page is begun' $?

alone added "$tmp/tree/build/pdtool"
mkdir bin && ln -s "$tmp/.alone/added" bin/pdtool
PATH=$tmp/bin:$PATH
for file in analyzers/README.md formats/README.md; do
	"$top/tests/docs/print.sh" "$file" >got
	if [ "${1:-}" = --accept ]; then cp got "$top/$file"; else same "$file: what the example prints" "$top/$file" got; fi
done
