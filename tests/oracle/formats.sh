#!/bin/sh
# What the formats write, read by other programs: xmllint, python3 or perl's JSON::PP, awk, and a browser that hovers
# and clicks. What is not installed is skipped; tests/unit/test_formats.c has small checkers of its own.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

mkdir out again
"$build/tests/unit/test_formats" out >log 2>&1 || fail 'writing the samples' "$(tail -n 1 log)"
"$build/tests/unit/test_formats" again >log 2>&1
diff -r out again >difference
result 'a second run gives the same bytes' $?

if command -v xmllint >/dev/null; then
	xmllint --noout out/*.svg 2>why
	result "xmllint reads $(ls out/*.svg | wc -l) drawings" $? "$(head -n 1 why)"
else
	skip 'drawings are well-formed' 'no xmllint'
fi
grep -lE "(href|src|url)[=(][\"']?(https?:)?//|@import" out/*.svg >found
[ ! -s found ]
result 'a drawing asks for nothing from elsewhere' $? "$(head -n 1 found)"

# sum_json FILE: the number of cells of its grid and their sum.
sum_json() {
	if [ -n "$(command -v python3)" ] && python3 -c 1 2>/dev/null; then
		python3 -c 'import json, sys
cells = [c for row in json.load(open(sys.argv[1]))["grid"]["cells"] for c in row if c]
print(len(cells), sum(cells))' "$1"
	else
		perl -MJSON::PP -MList::Util=sum -e 'local $/; open(F, "<", $ARGV[0]); my @c = grep { $_ } map { @$_ }
			@{decode_json(<F>)->{grid}{cells}}; print scalar(@c), " ", sum(@c), "\n"' "$1"
	fi
}
if python3 -c 1 2>/dev/null || perl -MJSON::PP -e 1 2>/dev/null; then
	for name in ranges labels big; do
		awk -F , '!/^#/ && $1 ~ /^[0-9]/ { n++; sum += $NF } END { printf "%d %.0f\n", n, sum }' out/$name.csv >want
		sum_json out/$name.json >got 2>&1
		same "the cells of $name.csv are those of $name.json" want got
	done
	if python3 -c 1 2>/dev/null; then
		python3 -c 'import json, sys
for name in sys.argv[1:]: print(name); json.load(open(name))' out/*.json >log 2>&1
	else
		perl -MJSON::PP -e 'local $/; for (@ARGV) { print "$_\n"; open(F, "<", $_); decode_json(<F>) }' out/*.json >log 2>&1
	fi
	result "another reads $(ls out/*.json | wc -l) files of JSON" $? "$(tail -n 1 log)"
else
	skip 'another reads the JSON' 'neither python3 nor JSON::PP'
fi

# Folded rows are those of the CSV, but for the quotes.
"$mkperf" -o threads.data "$top/tests/golden/threads.mkperf"
"$pdtool" collapse threads.data 2>/dev/null | stacks >folded
"$pdtool" collapse --format csv threads.data 2>/dev/null | sed '1d; s/^"\(.*\)",\([0-9.]*\)$/\1,\2/; s/""/"/g; s/,\([0-9.]*\)$/ \1/' >got
same 'collapse as csv has the rows of folded' folded got

# A pixel of the picture for a cell of the grid: its palette index is the level that its row says.
sed -n 's/.*class="light".*base64,\([^"]*\)".*/\1/p' out/big.svg | base64 -d >cells.png 2>/dev/null
case $(head -c 8 cells.png | od -An -tx1 | tr -d ' \n') in
89504e470d0a1a0a) ok 'the picture of many cells is a PNG' ;;
*) fail 'the picture of many cells is a PNG' 'another beginning' ;;
esac

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -z "$browser" ]; then
	skip 'a browser hovers and clicks' 'no chromium'
	exit 0
fi

# drive NAME SCRIPT: what SCRIPT says about out/NAME.svg, where move(x, y), click(x, y) and key(name) act and info() is
# the line that the drawing writes. Places are those of a drawing without a subtitle.
drive() {
	sed '$d' "out/$1.svg" >driven.svg
	cat >>driven.svg <<-END
	<script><![CDATA[
	const root = document.documentElement, said = [];
	const send = (kind, x, y) => {
		const below = root.querySelector("#head").dataset.bottom - 46;
		const p = new DOMPoint(x, y + below).matrixTransform(root.getScreenCTM());
		root.dispatchEvent(new MouseEvent(kind, { clientX: p.x, clientY: p.y, bubbles: true }));
	};
	const move = (x, y) => send("mousemove", x, y), click = (x, y) => send("click", x, y);
	const key = (name) => window.dispatchEvent(new KeyboardEvent("keydown", { key: name }));
	const info = () => said.push(root.querySelector("#details").textContent);
	try { $2 } catch (e) { said.push(String(e)); }
	root.setAttribute("data-said", said.join("|"));
	]]></script></svg>
	END
	timeout 600 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$tmp/profile" --window-size=1300,800 \
		${3:-} --dump-dom "file://$tmp/driven.svg" 2>/dev/null | sed -n 's/.*data-said="\([^"]*\)".*/\1/p' | head -n 1
}

# The small grid: 4 columns of 269 pixels from 104, 3 rows of 32 from 54, the lowest last.
equal 'hover says what the title says' \
	'30 ns to 40 ns, 10 ns to 100 ns: Count 16, 51.61% of all, 80.00% of the column; up to here 20, 100.00%' \
	"$(drive small 'move(107 + 2.5 * 265, 54 + 48); info();')"
equal 'outside the plot nothing is said' ' ' "$(drive small 'move(200, 80); move(20, 80); info();')"
equal 'a click keeps the cell, arrows move it, Escape lets go' \
	'10 ns to 20 ns, 0 ns to 10 ns: Count 1|20 ns to 30 ns, 10 ns to 100 ns: Count 9| ' \
	"$(drive small 'click(120, 54 + 80); move(900, 60); info(); key("ArrowRight"); key("ArrowUp"); info(); key("Escape"); info();
		said.forEach((s, i) => said[i] = s.split(",").slice(0, 2).join(","));')"
# Lanes of 3 columns of 358 pixels, 2 rows of 32: the first at 80, the others 90 below each other.
equal 'hover in a lane, between lanes, and arrows within one' \
	'disk<0>, 0 ns to 10 ns, 0 ns to 10 ns: Count 1|disk<1>, 10 ns to 20 ns, 0 ns to 10 ns: Count 2| |disk<1>, 10 ns to 20 ns, 10 ns to 100 ns: Count 0' \
	"$(drive lanes 'move(110, 128); info(); move(500, 218); info(); move(500, 246); info(); click(500, 218); key("ArrowUp"); key("ArrowUp"); info();
		said.forEach((s, i) => said[i] = s.replace(/(Count \d+),.*/, "$1"));' | sed 's/&lt;/</g; s/&gt;/>/g')"
equal 'a click lists what is at hand of the cell, and only of that lane' \
	'+0.000000 s  9 ns  R, <fio>  Sector 64/+0.000000 s  9 ns  W  Sector 72|hidden|0 of 1 events of this cell are in this file, which has the largest 3 of 210|hidden' \
	"$(drive lanes 'const panel = root.querySelector("#list"), state = () => panel.getAttribute("visibility");
		const listed = () => said.push(Array.from(panel.querySelectorAll("text"), (t) => t.textContent).join("/"));
		click(500, 218); listed(); key("Escape"); said.push(state()); click(110, 128); listed(); click(500, 128); said.push(state());' |
		sed 's/&lt;/</g; s/&gt;/>/g')"
equal 'the legend of a stacked area tells amounts by column' 'true' \
	"$(drive labels 'const t = root.querySelector("#shares g:last-child .share"), all = t.textContent;
		move(500, 100); const at = t.textContent; move(5, 5);
		said.push(all.endsWith("%") && /^[0-9.]+ [mun]?s$/.test(at) && t.textContent === all);')"
equal 'lines and strips tell their values' 'Depth 31; Busy 13.6 ms; P50 340 us; P99 13.6 ms|' \
	"$(drive ranges 'const beside = root.querySelector("#second"), say = () => said.push(beside.textContent.trim());
		move(107 + 11 * 31.5, 90); say(); move(5, 5); say();')"
equal 'a cell among 400 000 is found' 'true' \
	"$(drive big 'const d = root.querySelector("#data").dataset; move(+d.left + 1000.5 * d.width, 357); const want = root.querySelectorAll("#cells > g").length === 200; info();
		said[0] = want && /^5223\.[0-9]+ s to 5223\.[0-9]+ s, .*: Count [0-9,]+, /.test(said[0]);')"
dark='const hidden = (c) => getComputedStyle(root.querySelector(c)).display === "none";
	said.push(getComputedStyle(root).backgroundColor, hidden("image.light"), hidden("image.dark"));'
equal 'light' 'rgb(255, 255, 255)|false|true' "$(drive big "$dark" --blink-settings=preferredColorScheme=1)"
equal 'dark' 'rgb(22, 22, 26)|true|false' "$(drive big "$dark" --blink-settings=preferredColorScheme=0)"
for file in out/hostile[0145].svg; do
	equal "no name runs in $(basename "$file")" 'undefined|0' "$(drive "$(basename "$file" .svg)" \
		'if (root.querySelector("#details")) move(300, 150), click(300, 400);
		said.push(typeof window.ran, root.querySelectorAll("desc *, title *, text script").length);')"
done
