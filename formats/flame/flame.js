/* Behind number.js and the other scripts here: zoom, search, sandwich, details, touch and keyboard of the
 * frames. D is what plot_data.c wrote; without it there are only the facts to show. Names come from D
 * and reach the document as text alone. */
function pdtool(D) {
const XHTML = "http://www.w3.org/1999/xhtml";
const NARROW_PX = 600, LINK = "#0055bb";
const byId = (id) => document.getElementById(id);
const help = [];
const frame = pdtoolFrame({ keys: help, layout: D ? layout : () => {} });
const { svg, make, button, details } = frame;
if (!D) {
	for (const id of ["search", "ignorecase", "unzoom"])
		byId(id).remove();
	frame.start();
	return;
}

/* ---- the frames ---- */

const plain = D.axes.map((axis) => pdtoolDecode(axis, !!D.up));
const frames = byId("frames");
const kinds = D.colors.map((c) => ["", "", "JIT", "kernel", "inlined"][c[7]]); /* enum frame_kind */
D.colors = D.colors.map((c) => c.slice(0, 7));
const shown = D.names.map((name) => name.replace(/_\[[kwij]\]$/, ""));
const numbers = new Map(shown.map((name, i) => [name, i]).reverse());
const same = shown.map((name) => numbers.get(name)); /* names that look the same have one number */
let axes = plain, merged = false, sandwich = -1; /* what is in the picture; -1: no name */
let drawn = D.width; /* how wide what is in the picture is */

const { cut, amounts } = pdtoolWords(D, shown);
const nameOf = (a, i) => shown[a.name[i]];
const isGone = (a, i) => a.sides && a.kind === pdtoolAxis.BEFORE && !a.sides[0][i];

/* ---- places ---- */

const top = (a, i) => a.y[a.lane[i]] + (a.up ? -1 : 1) * a.depth[i] * D.frame;
const inner = () => frame.width - 2 * D.side;

/* The visible part of a frame, or null. */
function box(a, i) {
	const scale = inner() / (a.to - a.from);
	const x = Math.max((a.start[i] - a.from) * scale, 0);
	const end = Math.min((a.start[i] + a.weight[i] - a.from) * scale, inner());
	if (end <= x)
		return null;
	return { x: D.side + x, y: top(a, i), width: end - x, height: D.frame - 1 };
}

/* The frame at a place of the picture: [axis, frame], or null. */
function hit(x, y) {
	for (const a of axes) {
		const at = a.from + (x - D.side) / inner() * (a.to - a.from);
		if (x < D.side || x > D.side + inner())
			continue;
		for (let l = 0; l < a.y.length; l++) {
			const down = a.up ? a.y[l] + D.frame - y : y - a.y[l];
			const row = a.rows[l][Math.floor(down / D.frame)];
			if (!row)
				continue;
			let low = 0, high = row.length;
			while (low < high) {
				const mid = (low + high) >> 1;
				if (a.start[row[mid]] <= at)
					low = mid + 1;
				else
					high = mid;
			}
			const i = row[low - 1];
			if (low && at < a.start[i] + a.weight[i])
				return [a, i];
		}
	}
	return null;
}

/* ---- drawing ---- */

const charWidth = D.font * D.char;
const hits = make("g", { id: "hits" });
const labels = make("g", { id: "labels" });
const hover = make("rect", { id: "hover", class: "hide", rx: 2, fill: "none", stroke: "#1b1b1f" });
const focus = make("rect", { id: "focus", class: "hide", rx: 2, fill: "none", stroke: LINK, "stroke-width": 2 });
const tip = make("title", {});
frames.after(hits, labels, hover, focus); /* below the lines that stay in view */

const inks = D.colors.map(frame.ink);

/* Frames with room for text are elements; the others are one path for each colour. */
function drawAxis(a, shapes, texts, paths) {
	const up = new Set();
	for (let i = a.zoomed; i >= 0; i = a.parent[i])
		up.add(i);
	up.delete(a.zoomed);
	for (let i = 0; i < a.n; i++) {
		if (a.start[i] >= a.to || a.start[i] + a.weight[i] <= a.from)
			continue;
		if (a.of !== undefined && a.up && !i)
			continue; /* the function stands there once, with what it called */
		const b = box(a, i);
		if (!b || b.width < 0.05)
			continue;
		const color = D.colors[a.color[i]];
		if (b.width < (isGone(a, i) ? 2 : 3 * charWidth)) {
			paths.set(color, (paths.get(color) || "") + pdtoolBoxPath(b));
			continue;
		}
		b.fill = color;
		b.rx = b.ry = 2;
		if (up.has(i))
			b.class = "up";
		else if (isGone(a, i))
			[b.class, b.stroke] = ["gone", "#1b1b1f"];
		else if (a.of !== undefined && !a.depth[i])
			[b.class, b.stroke, b["stroke-width"]] = ["chosen", LINK, 2];
		make("rect", b, shapes);
		if (b.width >= 3 * charWidth)
			texts.push([make("text", { x: b.x + 3, y: 3 + b.y + b.height / 2, fill: inks[a.color[i]] }),
				nameOf(a, i), b.width]);
	}
}

/* Characters differ in width: what turns out too long is cut again. */
function drawLabels(texts) {
	const fragment = document.createDocumentFragment();
	for (const t of texts) {
		t[0].textContent = cut(t[1], Math.floor(t[2] / charWidth));
		fragment.appendChild(t[0]);
	}
	labels.replaceChildren(fragment);
	for (const [e, name, room] of texts) {
		const length = e.textContent.length;
		if (length * charWidth < 0.7 * room)
			continue;
		const real = e.getComputedTextLength();
		if (real > room - 4)
			e.textContent = cut(name, Math.max(Math.floor(length * (room - 6) / real), 2));
	}
}

function drawFrames() {
	const shapes = document.createDocumentFragment(), texts = [], paths = new Map();
	shapes.appendChild(tip);
	for (const a of axes)
		drawAxis(a, shapes, texts, paths);
	for (const [color, d] of paths)
		make("path", { fill: color, d: d }, shapes);
	frames.replaceChildren(shapes);
	drawLabels(texts);
}

/* LEAST: so wide that a narrow frame can be found, too. */
function place(e, a, i, least) {
	const b = a ? box(a, i) : null;
	e.classList.toggle("hide", !b);
	if (b && b.width < least) {
		b.x -= (least - b.width) / 2;
		b.width = least;
	}
	for (const key in b || {})
		e.setAttribute(key, b[key]);
}

function drawHits() {
	const d = [];
	if (matched)
		for (const [a, i] of matched.list) {
			const b = box(a, i);
			if (b && b.width >= 0.05)
				d.push(pdtoolBoxPath(b));
		}
	hits.replaceChildren();
	if (d.length)
		make("path", { d: d.join("") }, hits);
}

function redraw() {
	drawFrames();
	drawHits();
	place(hover);
	place(focus, current && current[0], current && current[1], 4);
	if (!chosen)
		focus.classList.add("hide");
	drawCrumbs();
}

/* ---- details ---- */

const crumbs = frame.second;
crumbs.id = "crumbs";
const result = make("text", { id: "matched", "text-anchor": "end" }, details.parentNode);
const previous = make("text", { id: "previous", class: "button hide", fill: LINK,
	"aria-label": "previous match" }, details.parentNode, "<");
const next = make("text", { id: "next", class: "button hide", fill: LINK, "aria-label": "next match" },
	details.parentNode, ">");
const isNarrow = () => frame.width < NARROW_PX;
const tips = new Map(); /* frame -> what --nameattr gave it */

/* NAME, which gives way to the REST where there is not room for both; that has a line of its own in a
 * narrow window. */
function say(name, rest) {
	const room = Math.floor((inner() - (result.textContent ? result.textContent.length * 7 + 60 : 0)) / charWidth);
	if (isNarrow()) {
		details.textContent = cut(name, room);
		rest ? crumbs.textContent = cut(rest.trim(), Math.floor(inner() / charWidth)) : drawCrumbs();
	} else {
		details.textContent = name && cut(name, Math.max(room - rest.length, 12)) + rest;
	}
}

function describe(found) {
	if (!found) {
		say("", "");
			return;
	}
	const [a, i] = found, rest = amounts(a, i);
	const kind = kinds[a.color[i]] ? "  " + kinds[a.color[i]] : "";
	say(D.type + " " + nameOf(a, i), rest + kind);
	const note = tips.get(a) && tips.get(a).get(i);
	tip.textContent = note && note.title || nameOf(a, i) + rest + kind;
}

function showBack(hidden, text) {
	const e = byId("unzoom");
	if (e.classList.contains("hide") === hidden && e.textContent === text)
		return;
	e.classList.toggle("hide", hidden);
	e.textContent = text;
	frame.placeButtons();
}

function drawCrumbs() {
	const a = axes.find((x) => x.zoomed >= 0), parts = [];
	svg.classList.toggle("zoomed", !!a || sandwich >= 0);
	svg.classList.toggle("sandwich", sandwich >= 0);
	showBack(!a && sandwich < 0, a && !isNarrow() ? "Reset Zoom" : "Back");
	crumbs.replaceChildren();
	if (sandwich >= 0)
		make("tspan", {}, crumbs, "Callers above, callees below: " + cut(shown[sandwich], 60) + "  ");
	if (!a)
		return;
	let room = inner() / (charWidth * 11 / D.font) - crumbs.textContent.length, skipped = false;
	for (let i = a.zoomed; i >= 0; i = a.parent[i]) {
		const text = cut(nameOf(a, i), 40);
		if (room - text.length - 3 < 10 && a.parent[i] >= 0) {
			skipped = true;
			continue;
		}
		room -= text.length + 3;
		parts.unshift([i, text]);
	}
	parts.forEach(([i, text], k) => {
		if (k)
			make("tspan", {}, crumbs, skipped && k === 1 ? " > .. > " : " > ");
		const e = make("tspan", { "data-i": i, fill: LINK }, crumbs, text);
		e.addEventListener("click", () => zoom(a, i));
	});
}

/* ---- zoom ---- */

let current = null; /* [axis, frame] of the keyboard, a tap, a search */
let chosen = false; /* it is outlined */
let pointed = null; /* [axis, frame] below the mouse */

function zoom(a, i) {
	const all = i < 0 || !(a.weight[i] > 0) || i === 0;
	for (const other of axes) {
		if (other === a || all) {
			other.zoomed = -1;
			other.from = 0;
			other.to = other.span;
		}
	}
	if (!all) {
		a.zoomed = i;
		a.from = a.start[i];
		a.to = a.start[i] + a.weight[i];
	}
	countMatched();
	redraw();
	saveState();
}

const unzoom = () => zoom(axes[0], -1);
const isZoomed = () => axes.some((a) => a.zoomed >= 0);

/* ---- other trees: recursion merged, callers and callees ---- */

/* The colour of a frame that several were merged into: of a change, by their sum. */
function paint(node) {
	const [after, before] = node.sides, noise = (c) => D.colors[c] === D.noise;
	if (!D.most || (node.colors.size && [...node.colors].every(noise)))
		return node.color;
	const color = pdtoolChangeColor(D, after ? after - before * D.scale : -D.most);
	const known = D.colors.indexOf(color);
	if (known >= 0)
		return known;
	inks.push(frame.ink(color));
	return D.colors.push(color) - 1;
}

const recursive = plain.some((a) => pdtoolIsRecursive(a, same));
let mergedAxes = null, chosenOn = 0; /* the axis that the function of the sandwich was chosen on */

/* The trees of what was chosen: MERGED, SANDWICH and the axis the function was chosen on. */
function show(of) {
	if (merged && !mergedAxes)
		mergedAxes = plain.map((a) => pdtoolMergeRecursion(a, D.names, same, paint));
	axes = merged ? mergedAxes : plain;
	let bottom = D.bottom;
	if (sandwich >= 0) {
		const from = axes[of], at = from.name.findIndex((n, i) => from.depth[i] && same[n] === same[sandwich]);
		const two = at < 0 ? null : pdtoolSandwich(from, at, D.names, same, paint);
		if (two) {
			const above = two[0].rows[0].length - 1, below = two[1].rows[0].length;
			two[0].y[0] = two[1].y[0] = D.top + above * D.frame;
			bottom = D.top + (above + below) * D.frame;
			axes = two;
		} else {
			sandwich = -1;
		}
	}
	chosenOn = of;
	current = pointed = null;
	frame.setBottom(bottom);
	press("recursion", merged);
	press("sandwich", sandwich >= 0);
	if (matched)
		search(matched.term);
	zoom(axes[0], -1);
	if (sandwich >= 0) {
		current = [axes[1], 0];
		showCurrent();
	} else {
		showRoot();
	}
}

function press(id, on) {
	const e = byId(id);
	if (!e)
		return;
	e.classList.toggle("on", on);
	e.setAttribute("aria-pressed", on);
}

/* Callers and callees of the frame that is chosen or pointed at. */
function toggleSandwich() {
	const at = chosen && current || pointed || current;
	if (!at && sandwich >= 0)
		return back();
	if (!at || (sandwich < 0 && !at[0].depth[at[1]]))
		return say("Callers and callees:", " choose a frame first");
	const name = at[0].name[at[1]];
	if (sandwich >= 0 && same[name] === same[sandwich])
		return back();
	const of = sandwich < 0 ? axes.indexOf(at[0]) : chosenOn;
	sandwich = name;
	show(of);
}

function toggleRecursion() {
	if (!recursive)
		return;
	merged = !merged;
	show(chosenOn);
}

/* One step: out of the zoom, then out of callers and callees. */
function back() {
	if (isZoomed())
		return unzoom();
	if (sandwich < 0)
		return;
	sandwich = -1;
	show(0);
}

/* ---- search ---- */

let matched = null; /* { term, names, list: [[axis, frame], ...] by weight, shares, seen, at } */
let ignoreCase = false;

function countMatched() {
	if (!matched || matched.error)
		return;
	const at = matched.list[matched.at], share = ([a, i]) => a.weight[i] / a.whole;
	matched.list = [];
	matched.shares = axes.map((a) => pdtoolMatch(a, matched.names, matched.list));
	matched.list.sort((x, y) => share(y) - share(x));
	matched.at = at ? matched.list.findIndex((m) => m[0] === at[0] && m[1] === at[1]) : -1;
	showMatched();
}

function matchedText() {
	if (!matched || matched.error)
		return matched ? matched.error : "";
	const sides = sandwich >= 0 ? matched.shares.slice(1) : matched.shares;
	let text = "Matched: " + sides.map((s) => pdtoolPercent(s[0])).join(", before ");
	axes.forEach((a, k) => {
		if (a.zoomed >= 0)
			text += ", " + pdtoolPercent(matched.shares[k][1]) + " of the zoom";
	});
	if (matched.list.length)
		text += "  " + (matched.at + 1 || "-") + " / " + matched.list.length;
	return text;
}

function showMatched() {
	result.textContent = matchedText();
	for (const e of [previous, next])
		e.classList.toggle("hide", !matched || !matched.list.length);
	byId("search").classList.toggle("on", !!matched);
	byId("search").textContent = !matched ? "Search" : isNarrow() ? "Clear" : "Reset Search";
	press("ignorecase", ignoreCase);
	frame.placeButtons();
}

function search(term) {
	matched = null;
	if (term) {
		matched = { term: term, list: [], at: -1 };
		try {
			const pattern = new RegExp(term, ignoreCase ? "iu" : "u");
			matched.names = D.names.map((name) => pattern.test(name));
			countMatched();
		} catch (e) {
			matched.error = "No valid pattern";
		}
	}
	showMatched();
	drawHits();
	saveState();
}

/* To the next match that the zoom shows, from the heaviest one to the lightest. */
function step(by) {
	const n = matched ? matched.list.length : 0;
	let at = n && matched.at < 0 && by < 0 ? 0 : n ? matched.at : 0, left = n;
	do
		at = (at + by + n) % n;
	while (--left > 0 && !box(...matched.list[at]));
	if (!n)
		return;
	if (!box(...matched.list[at]))
		unzoom();
	matched.at = at;
	current = matched.list[at];
	chosen = true;
	showCurrent();
	showMatched();
}

let input = null;

function closeInput() {
	if (!input)
		return;
	input.remove();
	input = null;
	frames.focus();
}

function openInput() {
	if (input) {
		input.firstChild.focus();
		return;
	}
	const wide = Math.min(300, inner());
	input = make("foreignObject", { id: "input", x: Math.max(frame.width - wide - 90, D.side),
		y: frame.inView().top + 2 * D.font + 8, width: wide, height: 30 }, svg);
	const field = document.createElementNS(XHTML, "input");
	field.setAttribute("style", "width:100%;box-sizing:border-box;font-size:" + (isNarrow() ? 16 : 12) + "px");
	field.setAttribute("placeholder", "regular expression");
	field.setAttribute("aria-label", "search frames by regular expression");
	field.value = matched ? matched.term : "";
	field.addEventListener("input", () => search(field.value));
	field.addEventListener("keydown", (ev) => {
		ev.stopPropagation();
		if (ev.key === "Enter") {
			step(ev.shiftKey ? -1 : 1);
		} else if (ev.key === "Escape") {
			closeInput();
		} else if (ev.key === "i" && ev.ctrlKey) {
			toggleCase();
		} else {
			return;
		}
		ev.preventDefault();
	});
	input.appendChild(field);
	field.focus();
}

function toggleSearch() {
	if (!matched)
		return openInput();
	closeInput();
	search("");
}

function toggleCase() {
	ignoreCase = !ignoreCase;
	search(matched ? matched.term : "");
}

/* ---- the keyboard ---- */

function showCurrent() {
	const b = box(current[0], current[1]);
	place(focus, current[0], current[1], 4);
	focus.classList.toggle("hide", !chosen || !b);
	describe(current);
	if (b)
		reveal(b.y, b.y + b.height);
}

/* The frame on the left (-1) or right (1) of the current one, in its row and in view. */
function beside(by) {
	const [a, i] = current, row = a.rows[a.lane[i]][a.depth[i]];
	for (let k = row.indexOf(i) + by; k >= 0 && k < row.length; k += by) {
		const b = box(a, row[k]);
		if (!b)
			break;
		if (b.width >= 0.5)
			return [a, row[k]];
	}
	return null;
}

function deeper() {
	const [a, i] = current;
	const row = a.rows[a.lane[i]][a.depth[i] + 1] || [];
	const children = row.filter((k) => a.parent[k] === i && box(a, k));
	return children.length ? [a, children.reduce((x, y) => a.weight[y] > a.weight[x] ? y : x)] :
		null;
}

/* From the chosen function the other axis goes on in the other direction. */
function vertical(up) {
	const [a, i] = current;
	if (a.of !== undefined && !a.depth[i])
		current = [axes[up ? 0 : 1], 0];
	if (current[0].up === up)
		return deeper();
	return a.parent[i] >= 0 ? [a, a.parent[i]] : null;
}

function home() {
	const a = axes.find((x) => x.zoomed >= 0) || axes[0];
	return a.n ? [a, Math.max(a.zoomed, 0)] : null;
}

const moves = {
	ArrowUp: () => vertical(true),
	ArrowDown: () => vertical(false),
	ArrowLeft: () => beside(-1),
	ArrowRight: () => beside(1),
	Home: home,
};

function onFramesKey(ev) {
	if (ev.ctrlKey || ev.altKey || ev.metaKey)
		return;
	if (ev.key === "Enter" || ev.key === " ") {
		if (current)
			zoom(current[0], current[1]);
	} else if (moves[ev.key]) {
		const known = chosen && current && box(current[0], current[1]);
		chosen = true;
		current = known ? moves[ev.key]() || current : home();
		if (current)
			showCurrent();
	} else {
		return;
	}
	ev.preventDefault();
}

/* The innermost of what is open is closed. */
function escape() {
	if (input)
		closeInput();
	else if (isZoomed() || sandwich >= 0)
		back();
	else
		search("");
}

const keys = {
	"/": openInput,
	n: () => step(1),
	N: () => step(-1),
	s: toggleSandwich,
	r: toggleRecursion,
	F3: openInput,
	Escape: escape,
};

function onKey(ev) {
	let action = keys[ev.key];
	if (ev.ctrlKey && !ev.altKey && !ev.metaKey)
		action = { f: openInput, i: toggleCase }[ev.key];
	else if (ev.altKey || ev.metaKey)
		return;
	if (!action)
		return;
	action();
	ev.preventDefault();
}

help.push(
	["click, Enter", "zoom into a frame; by touch: a tap shows it, a second one zooms"],
	["arrows, Home", "choose a frame, the first one (Tab goes to the frames)"],
	["/, Ctrl-F, F3", "search by a regular expression; Ctrl-I: ignore case"],
	["n, N", "next and previous match, the heaviest first; Enter, Shift-Enter while searching"],
	["s", "callers above and callees below of the frame that is chosen or pointed at"],
	["r", "merge functions that call themselves directly" + (recursive ? "" : " (there are none)")],
	["Escape", "one step back: close, zoom out, reset the search"],
);

/* ---- state in the address ---- */

function saveState() {
	const parts = [];
	axes.forEach((a, k) => {
		if (a.zoomed < 0)
			return;
		parts.push("x=" + a.start[a.zoomed], "y=" + a.depth[a.zoomed]);
		if (k || a.lane[a.zoomed])
			parts.push("p=" + k + "." + a.lane[a.zoomed]);
	});
	if (matched)
		parts.push("s=" + encodeURIComponent(matched.term));
	if (ignoreCase)
		parts.push("i=1");
	if (merged)
		parts.push("r=1");
	if (sandwich >= 0)
		parts.push("f=" + encodeURIComponent(shown[sandwich]));
	if (sandwich >= 0 && chosenOn)
		parts.push("of=" + chosenOn);
	try {
		history.replaceState(null, "", location.pathname + location.search +
			(parts.length ? "#" + parts.join("&") : ""));
	} catch (e) {
		/* not allowed where the drawing is embedded: then there is no state to keep */
	}
}

/* x, y, p and s after "#", or after "?" as in links to drawings of flamegraph.pl. */
function loadState() {
	const get = new URLSearchParams(location.hash.slice(1) || location.search.slice(1));
	const name = get.has("f") ? shown.indexOf(get.get("f")) : -1;
	const together = recursive && get.get("r") === "1";
	if (name !== sandwich || together !== merged) {
		sandwich = name;
		merged = together;
		show(plain[Number(get.get("of"))] ? Number(get.get("of")) : 0);
	}
	const [k, lane] = (get.get("p") || "0.0").split(".").map(Number);
	const a = axes[k], row = a && a.rows[lane] && a.rows[lane][Number(get.get("y"))];
	ignoreCase = get.get("i") === "1";
	if (get.get("s"))
		search(get.get("s"));
	const i = get.has("x") && row ? row.find((f) => a.start[f] === Number(get.get("x"))) : undefined;
	if (i !== undefined) {
		zoom(a, i);
		reveal(top(a, i), top(a, i) + D.frame);
	}
	showMatched();
}

/* ---- the page ---- */

/* Scroll no further than that the part from HIGH to LOW of the picture is in view. */
function reveal(high, low) {
	const { top, bottom } = frame.inView(), head = 3 * D.font, foot = 4 * D.font;
	if (high < top + head)
		window.scrollBy(0, high - top - head);
	else if (low > bottom - foot)
		window.scrollBy(0, low - bottom + foot);
}

/* A graph that grows upwards is read from its root, one of several pictures from that of the first. */
function showRoot() {
	const y = Math.max(...axes[0].y);
	if (D.up)
		reveal(y, y + D.frame);
}

/* The still picture stays until there is something to change. */
function layout(pixels) {
	const still = pixels === drawn;
	drawn = pixels;
	for (const [e, x] of [[result, 40], [previous, 30], [next, 12]])
		e.setAttribute("x", pixels - D.side - x);
	closeInput();
	showMatched();
	if (still)
		drawCrumbs();
	else
		redraw();
}

function point(ev) {
	const at = frame.point(ev);
	return hit(at.x, at.y);
}

/* What --nameattr gave to frames is taken from the still picture before it is redrawn. */
function readAttributes() {
	for (const e of frames.querySelectorAll(":scope > [data-own]")) {
		const r = e.querySelector("rect"), n = (k) => Number(r.getAttribute(k));
		const found = hit(n("x") + n("width") / 2, n("y") + n("height") / 2);
		if (!found)
			continue;
		if (!tips.has(found[0]))
			tips.set(found[0], new Map());
		tips.get(found[0]).set(found[1], { href: e.getAttribute("xlink:href"),
			target: e.getAttribute("target"), title: e.querySelector("title").textContent });
	}
}

function addButton(id, text, tip, action) {
	const e = make("text", { id: id, class: "button", y: 2 * D.font, fill: LINK, "aria-label": tip }, null, text);
	make("title", {}, e, tip);
	byId("info").after(button(e, action));
}

let touched = false; /* by a finger, which points at nothing before it taps */

function onClick(ev) {
	const found = point(ev), link = found && tips.get(found[0]) && tips.get(found[0]).get(found[1]);
	const again = found && chosen && current && current[0] === found[0] && current[1] === found[1];
	if (touched && found && !again) {
		ev.preventDefault();
		current = found;
		chosen = true;
		showCurrent();
		return;
	}
	if (ev.target.closest("a")) {
		if (!ev.ctrlKey)
			return;
		ev.preventDefault();
	} else if (link && link.href && !ev.ctrlKey) {
		window.open(link.href, link.target);
		return;
	}
	if (!found)
		return;
	chosen = false;
	current = found;
	zoom(found[0], found[1]);
}

function onMove(ev) {
	pointed = frames.contains(ev.target) ? point(ev) : null;
	if (touched)
		return;
	place(hover, pointed && pointed[0], pointed && pointed[1], 1);
	describe(pointed);
}

readAttributes();
frames.setAttribute("tabindex", 0);
frames.setAttribute("role", "application");
frames.setAttribute("aria-label", "frames: arrows move, Enter zooms, Escape resets, ? shows all keys");
frames.addEventListener("click", onClick);
frames.addEventListener("keydown", onFramesKey);
frames.addEventListener("focus", () => {
	if (!frames.matches(":focus-visible"))
		return;
	chosen = true;
	current = current || home();
	if (current)
		showCurrent();
});
svg.addEventListener("pointerdown", (ev) => touched = ev.pointerType === "touch");
svg.addEventListener("pointermove", (ev) => touched = ev.pointerType === "touch");
svg.addEventListener("mousemove", onMove);
svg.addEventListener("mouseleave", () => {
	pointed = null;
	place(hover);
	describe(null);
});
window.addEventListener("keydown", onKey);
window.addEventListener("hashchange", loadState);
button(byId("unzoom"), back);
button(byId("search"), toggleSearch);
button(byId("ignorecase"), toggleCase);
button(previous, () => step(-1));
button(next, () => step(1));
addButton("sandwich", "Sandwich", "Callers and callees of the chosen frame (s)", toggleSandwich);
if (recursive)
	addButton("recursion", "Recursion", "Merge functions that call themselves directly (r)", toggleRecursion);
frame.start();
showRoot();
loadState();
}
