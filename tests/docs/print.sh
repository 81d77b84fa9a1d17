#!/bin/sh
# Print the text FILE with what its commands print now: "    $ COMMAND" is run in the project's root, and the indented lines
# below it, up to the next text, are replaced by its output. pdtool is the one in PATH.   Usage: print.sh FILE
cd "$(dirname "$0")/../.." && exec awk '
	/^    \$ / {
		print
		fflush()
		system("{ " substr($0, 7) "; } 2>&1 </dev/null | sed \"s/^./    &/; s/ *$//\"")
		inside = 1
		next
	}
	inside && (/^    / || /^$/) { next }
	inside { print ""; inside = 0 }
	{ print }' "$1"
