#!/bin/sh
# Print the text FILE with what its commands print now: "    $ COMMAND" is run in what looks like the project's root, with a
# capture perf.data in it, and the indented lines below it, up to the next text, are replaced by its output. pdtool is the one
# in PATH.   Usage: print.sh FILE
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
trap 'exit 1' HUP INT TERM
ln -s "$top"/* "$root"
cp "$top"/testdata/recorded/foreign/15-*.perf.data.zst "$root/perf.data"
touch -d 2026-05-06T07:08:09Z "$root/perf.data"
cd "$root" && awk '
	/^    \$ / {
		print
		fflush()
		system("{ " substr($0, 7) "; } 2>&1 </dev/null | sed \"s/^./    &/; s/ *$//\"")
		inside = 1
		next
	}
	inside && (/^    / || /^$/) { next }
	inside { print ""; inside = 0 }
	{ print }' "$top/$1"
