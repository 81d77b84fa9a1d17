#!/bin/sh
# Write flamegraph.svg, the picture of README.md.   Usage: docs/pictures/make.sh [--all] [DIRECTORY]   (default: beside this script)
# --all: with chromium and ImageMagick also the pictures of drawings.md, NAME-light.png and NAME-dark.png,
# and those of page.md, page-NAME.png.
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
shot() { # ADDRESS LIGHT HEIGHT NAME: 1 light, 0 dark
	timeout 100 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$out/profile" --virtual-time-budget=9000 \
		--window-size="900,$(($3 > 1000 ? $3 : 1000))" --blink-settings=preferredColorScheme="$2" --screenshot="$out/shot.png" "file://$1" 2>/dev/null
	convert "$out/shot.png" -crop "900x$3+0+0" +repage +dither -colors 64 -strip -define png:compression-level=9 "PNG8:$to/$4.png" || exit 1
}
for file in "$out"/*.svg; do
	name=$(basename "$file" .svg)
	shot "$file" 1 700 "$name-light"
	shot "$file" 0 700 "$name-dark"
done

page() { # NAME HEIGHT STATE FILE...: the page of the files at an address
	name=$1 height=$2 state=$3
	shift 3
	"${PDTOOL:-build/pdtool}" page -q --no-host --buildid-dir testdata/buildid --symfs testdata/symfs --kallsyms $recorded/kallsyms \
		-o "$out/page.html" "$@"
	shot "$out/page.html#$state" 1 "$height" "page-$name"
}
page whole 820 '' $recorded/damaged/killedz.data
page second 760 'r=3000000-3100000&v=functions' $recorded/damaged/killedz.data
page waker 830 'r=3000000-3100000&e=4&b=thread' $recorded/sched/sw_wakeup.data.zst
page disk 1130 'r=590000-612000&v=ios' $recorded/block/q1.data.zst
page two 760 'v=functions' $recorded/diff_pair/base1.data.zst $recorded/diff_pair/slow1.data.zst
