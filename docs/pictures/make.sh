#!/bin/sh
# Write flamegraph.svg, the picture of README.md.   Usage: docs/pictures/make.sh [DIRECTORY]   (default: beside this script)
# PDTOOL is the program (default: build/pdtool).
cd "$(dirname "$0")/../.." || exit 1
exec "${PDTOOL:-build/pdtool}" flamegraph --no-host -q --buildid-dir testdata/buildid --symfs testdata/symfs \
	--kallsyms testdata/recorded/x86_64/kallsyms --title 'pdtool flamegraph killedz.data' -o "${1:-docs/pictures}/flamegraph.svg" testdata/recorded/x86_64/damaged/killedz.data
