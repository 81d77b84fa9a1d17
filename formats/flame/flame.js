/* Behind number.js and frame.js: adds zoom, search, details, the keyboard and a width that follows the window to a
 * drawing. D is what plot_data.c wrote; without it there are only the facts to show. Names come from D
 * and reach the document as text alone. */
function pdtool(D) {
const XHTML = "http://www.w3.org/1999/xhtml";
const AFTER = 1, BEFORE = 2, TIME = 3; /* enum axis_kind */
const byId = (id) => document.getElementById(id);
const frame = pdtoolFrame({
	keys: D ? [["/", "search"], ["n, N", "next match, the one before"], ["Ctrl-I", "ignore the case of letters"],
		["arrows", "from frame to frame"], ["Enter", "zoom"], ["Escape", "show all again"]] : [],
	layout: D ? layout : () => {},
});
const { svg, make, button, details } = frame;
if (!D) {
	for (const id of ["search", "ignorecase", "unzoom"])
		byId(id).remove();
	frame.start();
	return;
}

/* ---- the frames ---- */

/* Of an axis: arrays by frame; rows[lane][depth] are frames from left to right. */
function decode(axis) {
	const size = axis.size;
	let n = 0;
	for (const lane of axis.lanes)
		n += lane[2].length / size;
	const a = { kind: axis.kind, span: axis.span, n: n, size: size, lanes: axis.lanes,
		from: 0, to: axis.span, zoomed: -1, rows: [],
		lane: new Int32Array(n), depth: new Int32Array(n), parent: new Int32Array(n),
		name: new Int32Array(n), color: new Int32Array(n),
		start: new Float64Array(n), weight: new Float64Array(n), raw: new Array(n) };
	let i = 0;
	axis.lanes.forEach((lane, l) => {
		const v = lane[2], ends = [0], open = [], rows = [];
		let depth = 0;
		for (let k = 0; k < v.length; k += size, i++) {
			depth += v[k];
			const start = ends[depth] + v[k + 1], weight = v[k + 2];
			a.lane[i] = l;
			a.depth[i] = depth;
			a.start[i] = start;
			a.weight[i] = weight;
			a.name[i] = v[k + 3];
			a.color[i] = v[k + 4];
			a.parent[i] = depth ? open[depth - 1] : -1;
			open[depth] = i;
			ends[depth] = start + weight;
			ends[depth + 1] = start;
			if (rows.length <= depth)
				rows.push([]);
			rows[depth].push(i);
			a.raw[i] = k;
		}
		a.rows.push(rows);
	});
	if (a.kind !== TIME && n)
		a.weight[0] = a.span; /* with --total the root is wider than its weight */
	return a;
}

const axes = D.axes.map(decode);
const frames = byId("frames");
const shown = D.names.map((name) => name.replace(/_\[[kwij]\]$/, ""));
const unit = D.factor / Math.pow(10, D.decimals);
let width = D.width;

const whole = (v) => pdtoolCommas(String(BigInt(Math.round(v))));
const time = (ns) => pdtoolAmount(ns, "ns");

/* As number_change() writes it. */
function signed(v, fine) {
	const size = fine ? Math.round(Math.abs(v) * 100) / 100 : Math.round(Math.abs(v));
	const text = fine ? whole(Math.floor(size)) + (size % 1).toFixed(2).slice(1) : whole(size);
	return (size === 0 ? "" : v < 0 ? "-" : "+") + text;
}

/* As number_tick() writes it: in the unit of the axis' end, with the decimals that steps need. */
function tickTime(ns, step, high) {
	const units = [[1e9, "s"], [1e6, "ms"], [1e3, "us"]];
	const [unit, name] = units.find((u) => high >= u[0]) || [1, "ns"];
	return (ns / unit).toFixed(Math.max(0, Math.ceil(-Math.log10(step / unit)))) + " " + name;
}

/* What plot_title() says, from after the name. */
function amounts(a, i) {
	if (a.kind === TIME)
		return " (" + time(a.weight[i]) + " at +" + time(a.start[i]) + ")";
	const share = (v) => (100 * v / (a.span * unit)).toFixed(2) + "%";
	const v = Math.round(a.weight[i] * unit);
	let text = " (" + whole(v) + " " + D.count + ", " + (a.depth[i] ? share(v) : "100%");
	if (a.size > 5) {
		const raw = a.lanes[a.lane[i]][2], k = a.raw[i] + 5, sign = D.negate ? -1 : 1;
		const [after, before] = [raw[k] * unit, raw[k + 1] * unit * D.scale];
		const delta = sign * (after - before), fine = D.scale !== 1 || D.decimals > 0;
		const self = sign * (raw[k + 2] - raw[k + 3] * D.scale) * unit;
		text += a.kind === AFTER ? "; before " + whole(before) : "; after " + whole(after);
		text += "; delta " + signed(delta, fine);
		if (before > 0)
			text += ", " + signed(100 * delta / before, true) + "%";
		text += "; self delta " + signed(self, fine);
	}
	return text + ")";
}

const nameOf = (a, i) => shown[a.name[i]];
const isGone = (a, i) => a.kind === BEFORE && !a.lanes[a.lane[i]][2][a.raw[i] + 5];

/* ---- places ---- */

const top = (a, i) => a.lanes[a.lane[i]][0] + (D.up ? -1 : 1) * a.depth[i] * D.frame;
const inner = () => width - 2 * D.side;

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
		for (let l = 0; l < a.lanes.length; l++) {
			const down = (D.up ? a.lanes[l][0] + D.frame - y : y - a.lanes[l][0]);
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

const round = (v) => Math.round(v * 100) / 100;

/* With a little space on the right, where there is enough, to tell neighbours apart. */
function boxPath(b) {
	const w = round(b.width > 2 ? b.width - 0.5 : b.width);
	return "M" + round(b.x) + " " + b.y + "h" + w + "v" + b.height + "h-" + w + "z";
}

const charWidth = D.font * D.char;
const hits = make("g", { id: "hits" }, svg);
const labels = make("g", { id: "labels" }, svg);
const hover = make("rect", { id: "hover", class: "hide", rx: 2, fill: "none", stroke: "#1b1b1f" }, svg);
const focus = make("rect", { id: "focus", class: "hide", rx: 2, fill: "none", stroke: "#0055bb", "stroke-width": 2 }, svg);
const tip = make("title", {});
const arrow = make("path", { id: "arrow", fill: "#dd0000", stroke: "#dd0000", "stroke-width": 1.5 }, svg);
const arrows = new Map(D.arrows.map((v) => [v[0] + " " + v[1], v]));

function cut(text, chars) {
	if (text.length <= chars)
		return text;
	return text.slice(0, chars - 2).replace(/[\ud800-\udbff]$/, "") + "..";
}

/* Frames with room for text are elements; the others are one path for each colour. */
function drawAxis(a, shapes, texts, paths) {
	const up = new Set();
	for (let i = a.zoomed; i >= 0; i = a.parent[i])
		up.add(i);
	up.delete(a.zoomed);
	for (let i = 0; i < a.n; i++) {
		if (a.start[i] >= a.to || a.start[i] + a.weight[i] <= a.from)
			continue;
		const b = box(a, i);
		if (!b || b.width < 0.05)
			continue;
		const color = D.colors[a.color[i]];
		if (b.width < (isGone(a, i) ? 2 : 3 * charWidth)) {
			paths.set(color, (paths.get(color) || "") + boxPath(b));
			continue;
		}
		b.fill = color;
		b.rx = b.ry = 2;
		if (up.has(i))
			b.class = "up";
		else if (isGone(a, i))
			[b.class, b.stroke] = ["gone", "#1b1b1f"];
		make("rect", b, shapes);
		if (b.width >= 3 * charWidth)
			texts.push([make("text", { x: b.x + 3, y: 3 + b.y + b.height / 2 }),
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

function drawTicks() {
	const ticks = byId("ticks"), a = axes[0];
	if (!ticks)
		return;
	const [y0, y1] = [D.top, D.bottom];
	const most = (a.to - a.from) / Math.max(inner() / 100, 1);
	let step = Math.pow(10, Math.floor(Math.log10(most)));
	step *= [1, 2, 5, 10].find((f) => step * f >= most);
	step = Math.max(step, 1);
	ticks.replaceChildren();
	for (let at = Math.ceil(a.from / step) * step; at <= a.to; at += step) {
		const x = D.side + (at - a.from) / (a.to - a.from) * inner();
		make("path", { class: "tick", stroke: "#d0d0d8", d: "M" + round(x) + " " + y0 + "V" + (y1 + 6) }, ticks);
		if (x + 50 < width)
			make("text", { fill: "#5a5a64", x: round(x) + 3, y: y1 + 14 }, ticks, tickTime(at, step, a.to));
	}
}

function place(e, a, i) {
	const b = a ? box(a, i) : null;
	e.classList.toggle("hide", !b);
	for (const key in b || {})
		e.setAttribute(key, key === "width" ? Math.max(b[key], 0.5) : b[key]);
}

/* What brought frame I about: a line from where and when it happened. Returns what to say of it. */
function drawArrow(a, i) {
	const v = a && a.kind === TIME && arrows.get(a.lane[i] + " " + a.start[i]);
	let d = "";
	if (v && v[2] >= 0) {
		const x = (at) => round(D.side + (at - a.from) / (a.to - a.from) * inner());
		const y = (lane) => a.lanes[lane][0] + D.frame / 2;
		const [x0, y0, x1, y1] = [x(v[1] - v[3]), y(v[2]), x(v[1]), y(v[0])];
		const angle = Math.atan2(y1 - y0, x1 - x0);
		const head = (turn) => "L" + round(x1 - 8 * Math.cos(angle + turn)) + " " +
			round(y1 - 8 * Math.sin(angle + turn));
		d = `M${x0} ${y0}L${x1} ${y1}${head(0.4)}${head(-0.4)}L${x1} ${y1}z`;
	}
	arrow.setAttribute("d", d);
	return v ? ", " + v[4] + (v[3] ? " " + time(v[3]) + " before" : "") : "";
}

function drawHits() {
	const d = [];
	if (matched)
		for (const [a, i] of matched.list) {
			const b = box(a, i);
			if (b && b.width >= 0.05)
				d.push(boxPath(b));
		}
	hits.replaceChildren();
	if (d.length)
		make("path", { d: d.join("") }, hits);
}

function redraw() {
	drawFrames();
	drawTicks();
	drawHits();
	place(hover);
	drawArrow(null);
	place(focus, current && current[0], current && current[1]);
	if (!keyboard)
		focus.classList.add("hide");
	drawCrumbs();
}

/* ---- details ---- */

const crumbs = frame.second;
crumbs.id = "crumbs";
const result = make("text", { id: "matched", "text-anchor": "end" }, details.parentNode);
const previous = make("text", { id: "previous", class: "button hide", fill: "#0055bb",
	"aria-label": "previous match" }, details.parentNode, "<");
const next = make("text", { id: "next", class: "button hide", fill: "#0055bb",
	"aria-label": "next match" }, details.parentNode, ">");
const tips = new Map(); /* frame -> what --nameattr gave it */

function describe(found) {
	if (!found) {
		details.textContent = "";
		drawArrow(null);
		return;
	}
	const [a, i] = found, rest = amounts(a, i);
	const room = Math.floor((inner() - (matched ? 220 : 0)) / charWidth);
	const name = D.type + " " + nameOf(a, i);
	const lane = a.kind === TIME ? "  " + a.lanes[a.lane[i]][1] + drawArrow(a, i) : "";
	details.textContent = cut(name, Math.max(room - rest.length - lane.length, 12)) + rest + lane;
	const note = tips.get(a) && tips.get(a).get(i);
	tip.textContent = note && note.title || nameOf(a, i) + rest + lane;
}

function drawCrumbs() {
	const a = axes.find((x) => x.zoomed >= 0), parts = [];
	svg.classList.toggle("zoomed", !!a);
	byId("unzoom").classList.toggle("hide", !a);
	frame.placeButtons();
	crumbs.replaceChildren();
	if (!a)
		return;
	let room = inner() / (charWidth * 11 / D.font), skipped = false;
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
		const e = make("tspan", { "data-i": i, fill: "#0055bb" }, crumbs, text);
		e.addEventListener("click", () => zoom(a, i));
	});
}

/* ---- zoom ---- */

let current = null; /* [axis, frame] of the keyboard */
let keyboard = false;

function zoom(a, i) {
	const all = i < 0 || !(a.weight[i] > 0) || (a.kind !== TIME && i === 0);
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
	redraw();
	saveState();
}

const unzoom = () => zoom(axes[0], -1);

/* ---- search ---- */

let matched = null; /* { term, list: [[axis, frame], ...], at } */
let ignoreCase = false;

/* The share of the weight below the lowest matches, so that what matches twice counts once. */
function matchAxis(a, names, list) {
	const inside = new Uint8Array(a.n);
	let sum = 0, all = 0;
	for (let i = 0; i < a.n; i++) {
		const up = a.parent[i];
		inside[i] = up >= 0 && inside[up] ? 1 : 0;
		if (up < 0)
			all += a.weight[i];
		if (!names[a.name[i]])
			continue;
		list.push([a, i]);
		if (!inside[i])
			sum += a.weight[i];
		inside[i] = 1;
	}
	return all > 0 ? 100 * sum / all : 0;
}

function percent(p) {
	return (p === 100 ? "100" : p.toFixed(p < 0.1 ? 3 : 1)) + "%";
}

function showMatched() {
	let text = "";
	if (matched) {
		text = matched.error || "Matched: " + matched.shares.map(percent).join(", before ");
		if (matched.list.length && !matched.error)
			text += "  " + (matched.at + 1 || "-") + " / " + matched.list.length;
	}
	result.textContent = text;
	for (const e of [previous, next])
		e.classList.toggle("hide", !matched || !matched.list.length);
	byId("search").classList.toggle("on", !!matched);
	byId("search").textContent = matched ? "Reset Search" : "Search";
	frame.placeButtons();
	byId("ignorecase").classList.toggle("on", ignoreCase);
	byId("ignorecase").setAttribute("aria-pressed", ignoreCase);
}

function search(term) {
	matched = null;
	if (term) {
		matched = { term: term, list: [], shares: [], at: -1 };
		try {
			const pattern = new RegExp(term, ignoreCase ? "iu" : "u");
			const names = D.names.map((name) => pattern.test(name));
			matched.shares = axes.map((a) => matchAxis(a, names, matched.list));
		} catch (e) {
			matched.error = "No valid pattern";
		}
	}
	showMatched();
	drawHits();
	saveState();
}

function step(by) {
	const n = matched ? matched.list.length : 0;
	if (!n)
		return;
	matched.at = matched.at < 0 ? (by > 0 ? 0 : n - 1) : (matched.at + by + n) % n;
	current = matched.list[matched.at];
	keyboard = true;
	const b = box(current[0], current[1]);
	if (!b || b.width < 4)
		zoom(current[0], current[1]);
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
	input = make("foreignObject", { id: "input", x: Math.max(width - 390, 4), y: frame.inView().top + 4, width: 220,
		height: 28 }, svg);
	const field = document.createElementNS(XHTML, "input");
	field.setAttribute("style", "width:100%;box-sizing:border-box;font-size:12px");
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
	place(focus, current[0], current[1]);
	focus.classList.toggle("hide", !keyboard || !box(current[0], current[1]));
	describe(current);
	const seen = focus.getBoundingClientRect();
	if (seen.top < 0 || seen.bottom > window.innerHeight - 3 * D.font)
		focus.scrollIntoView({ block: "center" });
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

function above() {
	const [a, i] = current;
	const row = a.rows[a.lane[i]][a.depth[i] + 1] || [];
	const children = row.filter((k) => a.parent[k] === i && box(a, k));
	return children.length ? [a, children.reduce((x, y) => a.weight[y] > a.weight[x] ? y : x)] :
		null;
}

function below() {
	const [a, i] = current;
	return a.parent[i] >= 0 ? [a, a.parent[i]] : null;
}

function first() {
	const a = axes.find((x) => x.zoomed >= 0) || axes[0];
	return a.n ? [a, Math.max(a.zoomed, 0)] : null;
}

const keys = {
	ArrowUp: () => D.up ? above() : below(),
	ArrowDown: () => D.up ? below() : above(),
	ArrowLeft: () => beside(-1),
	ArrowRight: () => beside(1),
	Home: first,
};

function onFramesKey(ev) {
	if (ev.ctrlKey || ev.altKey || ev.metaKey)
		return;
	if (ev.key === "Enter" || ev.key === " ") {
		if (current)
			zoom(current[0], current[1]);
	} else if (keys[ev.key]) {
		const known = keyboard && current && box(current[0], current[1]);
		keyboard = true;
		current = known ? keys[ev.key]() || current : first();
		if (current)
			showCurrent();
	} else {
		return;
	}
	ev.preventDefault();
}

function onKey(ev) {
	const plain = !ev.ctrlKey && !ev.altKey && !ev.metaKey;
	if ((ev.key === "f" && ev.ctrlKey) || (ev.key === "/" && plain) || ev.key === "F3")
		openInput();
	else if (ev.key === "i" && ev.ctrlKey)
		toggleCase();
	else if (ev.key === "Escape")
		input ? closeInput() :
			axes.some((a) => a.zoomed >= 0) ? unzoom() : search("");
	else if ((ev.key === "n" || ev.key === "N") && plain)
		step(ev.key === "n" ? 1 : -1);
	else
		return;
	ev.preventDefault();
}

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
	const [k, lane] = (get.get("p") || "0.0").split(".").map(Number);
	const a = axes[k], row = a && a.rows[lane] && a.rows[lane][Number(get.get("y"))];
	ignoreCase = get.get("i") === "1";
	if (get.get("s"))
		search(get.get("s"));
	if (get.has("x") && row) {
		const i = row.find((f) => a.start[f] === Number(get.get("x")));
		if (i !== undefined)
			zoom(a, i);
	}
	showMatched();
}

/* ---- the page ---- */

/* The still picture stays until there is something to change. */
function layout(pixels) {
	const still = pixels === width;
	width = pixels;
	for (const [e, x] of [[result, 40], [previous, 30], [next, 12]])
		e.setAttribute("x", width - D.side - x);
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

function onClick(ev) {
	const found = point(ev), link = found && tips.get(found[0]) && tips.get(found[0]).get(found[1]);
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
	keyboard = false;
	current = found;
	zoom(found[0], found[1]);
}

function onMove(ev) {
	const found = frames.contains(ev.target) ? point(ev) : null;
	place(hover, found && found[0], found && found[1]);
	describe(found);
}

readAttributes();
frames.setAttribute("tabindex", 0);
frames.setAttribute("role", "application");
frames.setAttribute("aria-label", "frames: arrows move, Enter zooms, Escape resets");
frames.addEventListener("click", onClick);
frames.addEventListener("keydown", onFramesKey);
frames.addEventListener("focus", () => {
	if (!frames.matches(":focus-visible"))
		return;
	keyboard = true;
	current = current || first();
	if (current)
		showCurrent();
});
svg.addEventListener("mousemove", onMove);
svg.addEventListener("mouseleave", () => {
	place(hover);
	describe(null);
});
window.addEventListener("keydown", onKey);
window.addEventListener("hashchange", loadState);
button(byId("unzoom"), unzoom);
button(byId("search"), toggleSearch);
button(byId("ignorecase"), toggleCase);
button(previous, () => step(-1));
button(next, () => step(1));
frame.start();
if (D.up && axes[0].kind !== TIME)
	frame.openAt(D.bottom);
loadState();
}
