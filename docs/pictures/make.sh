#!/bin/sh
# Write flamegraph.svg, the picture of README.md.   Usage: docs/pictures/make.sh [--all] [DIRECTORY]   (default: beside this script)
# --all: with chromium and ImageMagick also the pictures of drawings.md, NAME-light.png and NAME-dark.png.
# PDTOOL is the program (default: build/pdtool).
cd "$(dirname "$0")/../.." || exit 1
all=
[ "${1:-}" = --all ] && { all=1; shift; }
to=${1:-docs/pictures}
recorded=testdata/recorded/x86_64

draw() { # NAME COMMAND...
	name=$1
	shift
	"${PDTOOL:-build/pdtool}" "$@" --no-host -q --buildid-dir testdata/buildid --symfs testdata/symfs \
		--kallsyms $recorded/kallsyms --format svg -o "$out/$name.svg"
}

out=$to
draw flamegraph flamegraph --title 'pdtool flamegraph killedz.data' $recorded/damaged/killedz.data || exit 1
[ "$all" ] || exit 0

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
draw flamegraph flamegraph $recorded/damaged/killedz.data
draw differential diff $recorded/diff_pair/base1.data.zst $recorded/diff_pair/slow1.data.zst
draw flamechart flamegraph --flamechart $recorded/modes/threads2.data
draw cpus sched timeline --by cpu $recorded/sched/flat.data.zst
draw threads sched timeline --by thread $recorded/sched/flat.data.zst
draw heatmap heatmap --percentiles 50,99 --step 10ms $recorded/block/q1.data.zst
draw waits sched latency --heatmap $recorded/sched/flat.data.zst
draw seconds heatmap --value subsecond $recorded/diff_pair/slow1.data.zst
draw areas abstime --step 100ms $recorded/diff_pair/slow1.data.zst
draw bars report $recorded/damaged/killedz.data
draw sides abstime $recorded/diff_pair/base1.data.zst $recorded/diff_pair/slow1.data.zst
for file in "$out"/*.svg; do
	name=$(basename "$file" .svg)
	for scheme in light dark; do
		[ $scheme = light ] && prefers=1 || prefers=0
		timeout 100 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$out/profile" \
			--window-size=900,1000 --blink-settings=preferredColorScheme=$prefers --screenshot="$out/shot.png" "file://$file" 2>/dev/null
		convert "$out/shot.png" -crop 900x700+0+0 +repage +dither -colors 64 -strip -define png:compression-level=9 "PNG8:$to/$name-$scheme.png" || exit 1
	done
done
