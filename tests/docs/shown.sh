#!/bin/sh
# What README.md and docs/ show is what the program does: the output below each "    $ pdtool ...", the usage of commands that
# are shown without output, the text of the picture, and the files that links lead to.
#   tests/docs/shown.sh            compare
#   tests/docs/shown.sh --accept   write what comes now into the files; read the difference before it is committed
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
mkdir bin && ln -s "$pdtool" bin/pdtool
PATH=$tmp/bin:$PATH

for file in README.md docs/symbols.md docs/another-machine.md docs/bench.md docs/layout.md docs/fleet.md; do
	"$top/tests/docs/print.sh" "$file" >got
	if [ "${1:-}" = --accept ]; then
		cp got "$top/$file"
		continue
	fi
	same "$file: what it shows" "$top/$file" got
	grep -o '](\([^)#:]*\))' "$top/$file" | sed 's/^](//; s/)$//' >links
	while read -r link; do
		[ -e "$top/$(dirname $file)/$link" ] || fail "$file: links" "$link does not exist"
	done <links
	# In a directory without captures these fail, but not by their usage.
	sed -n 's/^    \(pdtool .*\)/\1/p' "$top/$file" | sed 's/  *#.*//; s/|.*//; s/>.*//' >commands
	while read -r command; do
		(mkdir -p empty && cd empty && eval "$command") >out 2>err </dev/null
		[ $? != 2 ] || fail "$file: $command" "$(head -n 1 err)"
	done <commands
	ok "$file: links, and the usage of $(grep -c '' <commands) commands"
done

# The picture shows what is drawn now: frames and facts; colours and scripts may change without it.
texts() { grep -o '<title>[^<]*\|>[^<>]*</text>' "$1"; }
if [ "${1:-}" = --accept ]; then
	PDTOOL=$pdtool "$top/docs/pictures/make.sh"
else
	PDTOOL=$pdtool "$top/docs/pictures/make.sh" "$tmp"
	texts "$top/docs/pictures/flamegraph.svg" >want
	texts flamegraph.svg >got
	same 'the picture of README.md' want got
fi
equal 'README.md: at most 150 lines' 1 "$(($(grep -c '' <"$top/README.md") <= 150))"
