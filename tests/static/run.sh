#!/bin/sh
# Drawings as viewers without scripts and style sheets show them: each is rendered by rsvg-convert and by ImageMagick's
# own renderer, and pixels.mjs compares the pictures with the attributes: every box where it should be, in its colour,
# and text that can be read on its ground.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

for program in node rsvg-convert convert; do
	command -v $program >/dev/null || { skip 'drawings without a browser' "no $program"; exit 0; }
done
echo '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/>' \
	'<text x="1" y="8" font-family="Verdana,Helvetica,sans-serif">x</text></svg>' >probe.xml
msvg=
convert msvg:probe.xml probe.png 2>/dev/null && msvg=1
[ "$msvg" ] || skip 'drawings by ImageMagick' 'its own renderer draws nothing here, or has no font'
recorded=$data/recorded/x86_64
draw() { # NAME COMMAND...
	name=$1
	shift
	"$pdtool" "$@" -q --format svg -o "$name.svg" --no-host --buildid-dir "$data/buildid" --symfs "$data/symfs" \
		--kallsyms "$recorded/kallsyms" 2>err || fail "$name" "$(head -n 1 err)"
}
draw flamegraph flamegraph "$recorded/damaged/killedz.data"
draw differential diff "$recorded/diff_pair/base1.data.zst" "$recorded/diff_pair/slow1.data.zst"
draw flamechart flamegraph --flamechart --time 6554.2,6554.3 "$recorded/modes/threads2.data"
draw timeline sched timeline --by thread "$recorded/sched/flat.data.zst"
draw heatmap heatmap --step 20ms --percentiles none "$recorded/block/q1.data.zst"
draw lines heatmap --percentiles 50,99 --step 200ms "$recorded/block/q1.data.zst"
draw seconds heatmap --value subsecond "$recorded/diff_pair/slow1.data.zst"
draw waits sched latency --heatmap "$recorded/sched/flat.data.zst"
draw areas abstime --step 500ms "$recorded/diff_pair/slow1.data.zst"
draw bars report "$recorded/damaged/killedz.data"
draw sides abstime "$recorded/diff_pair/base1.data.zst" "$recorded/diff_pair/slow1.data.zst"

for file in *.svg; do
	name=${file%.svg}
	# what a mail client shows: no style sheet, no script
	perl -0pe 's/<style>.*?<\/style>//s; s/<script>.*?<\/script>//s' "$file" >plain.svg
	grep -q 'var(--\|<foreignObject' plain.svg
	result "$name: no variables, no foreign objects" $((1 - $?))
	rsvg-convert -o styled.png "$file" && rsvg-convert -o plain.png plain.svg
	cmp -s styled.png plain.png
	result "$name: the same without its style sheet" $?
	what=boxes # lines hide some of them, and narrow ones have no pixel of their own
	case $name in lines | waits) what=texts ;; esac
	node "$top/tests/static/pixels.mjs" "$file" plain.png "$name, rsvg-convert" $what
	# MSVG is what ImageMagick has without librsvg; it knows another way to smooth edges, and other fonts
	if [ "$msvg" ] && convert msvg:plain.svg -depth 8 magick.png; then
		node "$top/tests/static/pixels.mjs" "$file" magick.png "$name, ImageMagick" $what
	elif [ "$msvg" ]; then
		fail "$name, ImageMagick" 'it draws nothing'
	fi
done
