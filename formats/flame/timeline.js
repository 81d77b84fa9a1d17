/* Behind timeline_draw.js: what a user does with a timeline, and what is told of it. Names come from D and
 * reach the document as text alone. */
function pdtoolTimeline(D) {
const XHTML = "http://www.w3.org/1999/xhtml";
const byId = (id) => document.getElementById(id);
const model = tlModel(D);
const frames = D.mode === TL_FRAMES;
const KEYS = [["W, S or + and -, Ctrl and the wheel, two fingers", "zoom in and out"],
	["A, D, drag, Shift and the wheel", "move in time"], ["wheel, PageUp, PageDown", "scroll the lanes"],
	["drag on the ruler, or with Shift", "ask about a range"], ["V, R", "ask about what is in view, about the span"],
	["drag in the strip on top", "move or draw the window of the view"],
	["arrows", "from span to span"], ["Enter, F, double click", "zoom to the span or the range"],
	["C, click on a name", "collapse all lanes, or one"], ["0, Home", "all time"], ["/, N, Shift-N", "search, next, previous"],
	["Escape", "let go: of the range, the span, the search, the zoom"]];
const frame = pdtoolFrame({ least: 300, keys: KEYS, layout: () => size(true) });
const { svg, make, button } = frame;
const view = { from: 0, to: D.span, scroll: 0, width: 0, height: 0, left: 0, inner: 0, top: TL_MINI + TL_RULER, head: 0, ratio: 1,
	theme: tlTheme(false), hover: null, chosen: null, range: null, match: null, y: null };

function html(name, parent, text, attributes) {
	const e = document.createElementNS(XHTML, name);
	for (const key in attributes)
		e.setAttribute(key, attributes[key]);
	if (text !== undefined)
		e.textContent = text;
	if (parent)
		parent.appendChild(e);
	return e;
}

/* ---- the page ---- */

const area = make("foreignObject", { id: "area", x: 0, y: D.top }, svg);
const canvas = html("canvas", area, undefined, { id: "canvas", tabindex: 0, role: "application",
	"aria-label": "timeline of " + model.lanes.length + " lanes: arrows move from span to span, W and S zoom, A and D move in time, question mark: all keys" });
const below = make("foreignObject", { id: "below", x: 0, class: "hide" }, svg);
const panel = html("div", below, undefined, { id: "answer", role: "region", "aria-label": "about what is selected", tabindex: 0 });
const painter = tlPainter(model, canvas, svg.getAttribute("font-family"));
painter.texts = D.colors.map(frame.ink);
const print = { on: false };

function gutter(width) {
	if (frames || width < 640)
		return 0;
	painter.context.font = "11px " + painter.font;
	let most = 60;
	for (const lane of model.lanes)
		most = Math.max(most, lane.label.length > 60 ? 999 : painter.context.measureText("\u25be " + lane.label).width);
	return Math.min(most + 12, 0.22 * width);
}

/* The drawing fills the window, as far as there are lanes to show. */
function size(laidOut) {
	const width = frame.width, up = -svg.viewBox.baseVal.y, font = Number(svg.getAttribute("font-size"));
	if (view.width !== width) {
		view.width = width;
		view.left = gutter(width);
		view.inner = width - view.left - TL_BAR;
		view.head = view.left ? 0 : 16;
		tlLayout(model, view);
	}
	const top = Math.min(D.top, Math.ceil(frame.headEnd - up)); /* lines of text may need less room than they were given */
	const room = window.innerHeight - top - up - 3.2 * font;
	const asked = below.classList.contains("hide") ? 0 : Math.min(Math.max(0.38 * window.innerHeight, 150), 360);
	const lanes = view.top + view.y[view.y.length - 1] + 2;
	view.height = Math.floor(Math.min(Math.max(room - asked, 200), lanes));
	view.ratio = Math.min(window.devicePixelRatio || 1, 3);
	area.setAttribute("y", top);
	area.setAttribute("width", width);
	area.setAttribute("height", view.height);
	canvas.style.width = width + "px";
	canvas.style.height = view.height + "px";
	below.setAttribute("y", top + view.height);
	below.setAttribute("width", width);
	below.setAttribute("height", asked);
	(laidOut ? frame.setBottom : frame.endAt)(top + view.height + asked);
	scrollTo(view.scroll);
}

let asked = 0;
function redraw() {
	if (!asked)
		asked = requestAnimationFrame(() => {
			asked = 0;
			paint();
		});
}

function paint() {
	const dark = !print.on && matchMedia("(prefers-color-scheme:dark)").matches;
	view.theme = tlTheme(dark);
	tlPaint(painter, view);
	const whole = view.from <= 0 && view.to >= model.span;
	if (byId("unzoom").classList.toggle("hide", whole) !== paint.whole) {
		paint.whole = whole;
		frame.placeButtons();
	}
}

/* ---- where the view is ---- */

const LEAST = Math.min(50, D.span);

function show(from, to) {
	const length = Math.min(Math.max(to - from, LEAST), model.span);
	view.from = Math.min(Math.max(from + (to - from - length) / 2, 0), model.span - length);
	view.to = view.from + length;
	redraw();
	save();
}

function zoom(factor, at) {
	const middle = at === undefined ? anchor() : at;
	const length = Math.min(Math.max((view.to - view.from) * factor, LEAST), model.span);
	const from = middle - (middle - view.from) / (view.to - view.from) * length;
	show(from, from + length);
}

/* What a key zooms at: the span that is chosen, or else the middle. */
function anchor() {
	const s = view.chosen && span(view.chosen);
	const middle = s ? (Math.max(s.start, view.from) + Math.min(s.end, view.to)) / 2 : NaN;
	return middle >= view.from && middle <= view.to ? middle : (view.from + view.to) / 2;
}

const pan = (share) => show(view.from + share * (view.to - view.from), view.to + share * (view.to - view.from));
const timeAt = (x) => Math.min(Math.max(view.from + (x - view.left) / view.inner * (view.to - view.from), 0), model.span);

function scrollTo(y) {
	const most = view.y[view.y.length - 1] - (view.height - view.top);
	view.scroll = Math.round(Math.min(Math.max(y, 0), Math.max(most, 0)));
	redraw();
	save();
}

function showSpan(found) {
	const s = span(found), length = view.to - view.from;
	if (s.end < view.from || s.start > view.to)
		show(s.start + (s.end - s.start) / 2 - length / 2, s.start + (s.end - s.start) / 2 + length / 2);
	const y = tlRowTop(model, view, found[0], model.lanes[found[0]].open ? found[1] : 0);
	const room = view.height - view.top - 2 * view.frame;
	if (y - view.head < view.scroll || y > view.scroll + room)
		scrollTo(y - room / 2);
}

function span([l, r, i]) {
	const row = model.lanes[l].rows[r];
	return { start: row.start[i], end: row.end[i], name: row.name[i], row: row, i: i };
}

/* The span at a place of the canvas: where it is less than a pixel, the longest one that the pixel holds. */
function hit(x, y) {
	if (y < view.top || x < view.left || x > view.left + view.inner)
		return null;
	const l = tlLaneAt(view, y - view.top + view.scroll), lane = model.lanes[l];
	if (!lane)
		return null;
	const down = Math.floor((y - view.top + view.scroll - view.y[l] - view.head) / view.frame);
	const r = !lane.open ? 0 : D.up ? lane.rows.length - 1 - down : down, row = lane.rows[r];
	if (!row)
		return null;
	const at = timeAt(x), half = (view.to - view.from) / view.inner / 2;
	let best = tlAt(row, at);
	if (best >= 0 && row.end[best] - row.start[best] > 2 * half)
		return [l, r, best];
	for (let i = tlFirst(row, at - half), n = 0; i < row.n && row.start[i] < at + half && n < 5000; i++, n++)
		if (best < 0 || row.end[i] - row.start[i] > row.end[best] - row.start[best])
			best = i;
	return best < 0 ? null : [l, r, best];
}

/* ---- what is told ---- */

function causeOf(s) {
	const { row, i } = s;
	if (!row.cause || row.cause[i] < 0)
		return "";
	return D.causes[row.cause[i]] + (row.before[i] ? " " + tlTime(row.before[i]) + " before" : "");
}

function describe(found) {
	const s = found && span(found), cause = s && causeOf(s);
	frame.details.textContent = !s ? "" : D.noun + " " + model.names[s.name] + " (" + tlTime(s.end - s.start) + " at +" + tlTime(s.start) + ")  " +
		model.lanes[found[0]].label + (cause ? ", " + cause : "");
	if (frame.details.textContent.length * 5 > view.width && s)
		frame.details.textContent = model.names[s.name].slice(0, 40) + " (" + tlTime(s.end - s.start) + ")  " + model.lanes[found[0]].label;
}

function tell(text) {
	frame.second.textContent = text;
}

const HINT = "drag moves, Ctrl and the wheel zooms, a drag on the ruler asks about a range, ? has all keys";
const POOR = "drag moves, two fingers zoom, ? has all keys";

function matchText() {
	const m = view.match;
	if (!m)
		return view.width < 700 ? POOR : HINT;
	if (m.error)
		return "No valid pattern";
	return "Matched: " + (m.share < 0.1 && m.share ? m.share.toFixed(3) : m.share.toFixed(1)) + "% of the time, " +
		pdtoolCommas(String(m.spans)) + " spans" + (m.lanesFound ? ", " + m.lanesFound + " names of lanes" : "") +
		(m.at ? "; " + m.at + " / " + pdtoolCommas(String(m.spans + m.lanesFound)) : "");
}

/* ---- the answer about a range or a span ---- */

const stamp = (at) => "+" + tlTime(at) + " (" + tlSeconds(D, at) + " s)";

function openPanel(title) {
	panel.replaceChildren();
	below.classList.remove("hide");
	const bar = html("div", panel, undefined, { class: "bar" });
	html("b", bar, title);
	const close = html("button", bar, "\u00d7", { "aria-label": "close", class: "close" });
	close.addEventListener("click", letGo);
	return bar;
}

function closePanel() {
	if (below.classList.contains("hide"))
		return;
	below.classList.add("hide");
	panel.replaceChildren();
	size();
}

/* CELLS of a row: the first is text, the others numbers. */
function line(table, cells, head) {
	const tr = html("tr", table);
	cells.forEach((text, i) => html(head ? "th" : "td", tr, text, i ? { class: "n" } : {}));
	return tr;
}

function table(parent, title, heads, rows) {
	if (!rows.length)
		return;
	const t = html("table", parent);
	html("caption", t, title);
	line(t, heads, true);
	for (const row of rows)
		line(t, row);
}

/* The commands that say more, for this time and this capture, to copy. */
function putCommands(from, to) {
	if (!D.file || !D.commands.length)
		return;
	const box = html("div", panel, undefined, { class: "commands" });
	html("div", box, "More about this time:");
	for (const command of D.commands) {
		const text = "pdtool " + command + " --time " + tlSeconds(D, Math.floor(from)) + "," + tlSeconds(D, Math.ceil(to)) + " " + tlWord(D.file);
		const row = html("div", box);
		html("code", row, text);
		const copy = html("button", row, "Copy");
		copy.addEventListener("click", () => copyText(copy, text));
	}
}

/* A page from a file may have no clipboard: then what is selected is copied. */
function copyText(b, text) {
	const done = () => { b.textContent = "Copied"; };
	const old = () => {
		getSelection().selectAllChildren(b.previousSibling);
		if (document.execCommand("copy"))
			done();
	};
	if (navigator.clipboard)
		navigator.clipboard.writeText(text).then(done, old);
	else
		old();
}

const share = (part, all) => (all ? 100 * part / all : 0).toFixed(2) + "%";

function frameTables(parent, from, to) {
	const f = tlFunctions(model, from, to);
	let all = 0;
	for (const ns of f.self.values())
		all += ns;
	const top = (m) => [...m].filter(([, ns]) => ns > 0).sort((a, b) => b[1] - a[1]).slice(0, 15);
	const rows = (m) => top(m).map(([name, ns]) => [model.names[name], tlTime(ns), share(ns, all)]);
	table(parent, "innermost function", ["function", "time", "of all"], rows(f.self));
	table(parent, "on the stack", ["function", "time", "of all"], rows(f.total));
}

function otherTables(parent, from, to) {
	const sums = tlSums(model, from, to), all = (to - from) * model.lanes.length;
	const what = D.mode === TL_TASKS ? ["task", "of the CPUs"] : ["state", "of the threads"];
	table(parent, D.mode === TL_TASKS ? "tasks" : "states", [what[0], "time", what[1], "spans"],
		sums.list.slice(0, 20).map(([name, ns, n]) => [model.names[name], tlTime(ns), share(ns, all), pdtoolCommas(String(n))]));
	const top = (key) => sums.lanes.filter((l) => l[key] > 0).sort((a, b) => b[key] - a[key]).slice(0, 8)
		.map((l) => [model.lanes[l.lane].label, tlTime(l[key]), share(l[key], to - from)]);
	if (D.mode === TL_STATES) {
		table(parent, "ran most", ["thread", "time", "of the range"], top("run"));
		table(parent, "waited most for a CPU", ["thread", "time", "of the range"], top("wait"));
		table(parent, "waited most for a disk", ["thread", "time", "of the range"], top("disk"));
	} else {
		table(parent, "CPUs", ["CPU", "busy", "of the range"], top("run"));
	}
}

function answerRange() {
	const [from, to] = view.range;
	const bar = openPanel(tlTime(to - from) + ": from " + stamp(from) + " to " + stamp(to));
	const go = html("button", bar, "Zoom to it");
	go.addEventListener("click", () => show(from, to));
	const box = html("div", panel, undefined, { class: "tables" });
	if (D.step > to - from)
		html("p", panel, "The file holds no more than sums over " + tlTime(D.step) + " here: a drawing of this time alone has more.");
	(frames ? frameTables : otherTables)(box, from, to);
	putCommands(from, to);
	size();
}

function answerSpan() {
	const s = span(view.chosen), [l, r] = view.chosen, lane = model.lanes[l];
	openPanel(D.noun + " " + model.names[s.name]);
	const t = html("table", panel);
	const put = (name, value) => value && line(t, [name, value]).lastChild.removeAttribute("class");
	put("lane", lane.label);
	put("start", stamp(s.start));
	put("end", stamp(s.end));
	put("duration", tlTime(s.end - s.start) + (s.end - s.start < D.step ? ", the sum of short ones about here" : ""));
	put("brought about", causeOf(s));
	if (frames) {
		const at = s.start + (s.end - s.start) / 2, stack = [];
		for (let d = 0; d < r; d++)
			stack.push(model.names[lane.rows[d].name[tlAt(lane.rows[d], at)]]);
		put("called by", stack.reverse().join(" \u2190 "));
	}
	putCommands(s.start, s.end);
	size();
}

function choose(found) {
	view.chosen = found;
	if (found) {
		describe(found);
		if (!view.range)
			answerSpan();
	} else if (!view.range) {
		closePanel();
	}
	redraw();
}

function ask(from, to) {
	view.range = to - from >= 1 ? [Math.max(from, 0), Math.min(to, model.span)] : null;
	if (view.range)
		answerRange();
	else
		closePanel();
	redraw();
	save();
}

/* One step back: the range, the span, the search, the zoom. */
function letGo() {
	if (view.range) {
		view.range = null;
		view.chosen = null;
		closePanel();
	} else if (view.chosen) {
		choose(null);
	} else if (view.match) {
		search("");
	} else {
		show(0, model.span);
	}
	redraw();
	save();
	canvas.focus({ preventScroll: true });
}

/* ---- search ---- */

let ignoreCase = false, serial = 0;

function search(term) {
	view.match = null;
	if (term) {
		const m = view.match = { term: term, serial: ++serial, names: [], lanes: [], spans: 0, lanesFound: 0, share: 0, at: 0 };
		try {
			const pattern = new RegExp(term, ignoreCase ? "iu" : "u");
			m.names = D.names.map((name) => pattern.test(name));
			m.lanes = model.lanes.map((lane) => pattern.test(lane.label));
			m.lanesFound = m.lanes.filter((x) => x).length;
			countMatches(m);
			if (!m.spans) /* a name of a lane makes no span pale */
				m.names = D.names.map(() => true);
		} catch (e) {
			m.error = "No valid pattern";
			m.names = D.names.map(() => true);
		}
	}
	byId("search").textContent = view.match ? "Reset Search" : "Search";
	byId("ignorecase").classList.toggle("on", ignoreCase);
	byId("ignorecase").setAttribute("aria-pressed", ignoreCase);
	frame.placeButtons();
	tell(matchText());
	redraw();
	save();
}

/* Of frames, what matches within what matches counts once. */
function countMatches(m) {
	let all = 0, found = 0;
	for (const lane of model.lanes) {
		const open = lane.rows.map(() => 0);
		lane.rows.forEach((row, d) => {
			for (let i = 0; i < row.n; i++) {
				const length = row.end[i] - row.start[i];
				all += d ? 0 : length;
				if (!m.names[row.name[i]])
					continue;
				m.spans++;
				let inside = false;
				for (let up = 0; up < d && !inside; up++) {
					const r = lane.rows[up];
					while (open[up] < r.n && r.end[open[up]] <= row.start[i])
						open[up]++;
					inside = open[up] < r.n && r.start[open[up]] <= row.start[i] && m.names[r.name[open[up]]];
				}
				found += inside ? 0 : length;
			}
			open.fill(0);
		});
	}
	m.share = all ? 100 * found / all : 0;
}

/* Matches are lanes by their order, then spans by time and lane; Step goes BY 1 or -1 from the chosen one. */
function step(by) {
	const m = view.match, n = m ? m.spans + m.lanesFound : 0;
	if (!n || m.error)
		return;
	m.at = m.at ? (m.at - 1 + by + n) % n + 1 : by > 0 ? 1 : n;
	const found = m.at <= m.lanesFound ? laneMatch(m.at) : spanMatch(m.at - m.lanesFound);
	if (m.at <= m.lanesFound) {
		scrollTo(view.y[found] - (view.height - view.top) / 2);
		tell(matchText());
		frame.details.textContent = model.lanes[found].label;
		return;
	}
	showSpan(found);
	view.range = null;
	choose(found);
	tell(matchText());
}

function laneMatch(at) {
	let l = -1;
	while (at--)
		l = view.match.lanes.indexOf(true, l + 1);
	return l;
}

/* The AT-th match by time: the list is made when it is first asked for. */
function spanMatch(at) {
	const m = view.match;
	if (!m.list) {
		const starts = new Float64Array(m.spans), where = [];
		model.lanes.forEach((lane, l) => lane.rows.forEach((row, r) => {
			for (let i = 0; i < row.n; i++)
				if (m.names[row.name[i]]) {
					starts[where.length] = row.start[i];
					where.push([l, r, i]);
				}
		}));
		m.list = Uint32Array.from(where.keys()).sort((a, b) => starts[a] - starts[b] || a - b);
		m.where = where;
	}
	return m.where[m.list[at - 1]];
}

let input = null;

function closeInput() {
	if (input)
		input.remove();
	input = null;
	canvas.focus({ preventScroll: true });
}

function openInput() {
	if (input)
		return input.firstChild.focus();
	const y = Math.max(frame.inView().top, svg.viewBox.baseVal.y) + 4;
	input = make("foreignObject", { id: "input", x: Math.max(view.width - 460, 4), y: y, width: 220, height: 30 }, svg);
	const field = html("input", input, undefined, { placeholder: "regular expression", "aria-label": "search spans and lanes by regular expression" });
	field.value = view.match ? view.match.term : "";
	field.addEventListener("input", () => search(field.value));
	field.addEventListener("keydown", (ev) => {
		ev.stopPropagation();
		if (ev.key === "Enter")
			step(ev.shiftKey ? -1 : 1);
		else if (ev.key === "Escape")
			closeInput();
		else if (ev.key === "i" && ev.ctrlKey)
			toggleCase();
		else
			return;
		ev.preventDefault();
	});
	field.focus();
}

function toggleSearch() {
	if (!view.match)
		return openInput();
	closeInput();
	search("");
}

function toggleCase() {
	ignoreCase = !ignoreCase;
	search(view.match ? view.match.term : "");
}

/* ---- lanes ---- */

function toggleLane(l) {
	model.lanes[l].open = !model.lanes[l].open;
	tlLayout(model, view);
	size();
}

function toggleAll() {
	const open = !model.lanes.some((lane) => lane.open), middle = tlLaneAt(view, view.scroll);
	for (const lane of model.lanes)
		lane.open = open;
	tlLayout(model, view);
	size();
	scrollTo(view.y[Math.max(middle, 0)]);
}

/* ---- the pointer ---- */

const pointers = new Map();
let drag = null;

const place = (ev) => {
	const r = canvas.getBoundingClientRect();
	return { x: ev.clientX - r.left, y: ev.clientY - r.top };
};

const miniTime = (x) => Math.min(Math.max((x - view.left) / view.inner, 0), 1) * model.span;

/* In the strip on top: the window's edges, the window, or a new one. */
function miniDrag(x) {
	const at = (v) => tlMiniX(painter, view, v), whole = view.to - view.from >= model.span * 0.999;
	const kind = whole ? "draw" : Math.abs(x - at(view.from)) < 7 ? "from" : Math.abs(x - at(view.to)) < 7 ? "to" :
		x > at(view.from) && x < at(view.to) ? "move" : "draw";
	return { kind: "mini", what: kind, at: miniTime(x), from: view.from, to: view.to };
}

function onDown(ev) {
	const { x, y } = place(ev), bar = tlScrollBar(view);
	if (ev.button > 0)
		return;
	pointers.set(ev.pointerId, { x: x, y: y });
	canvas.setPointerCapture(ev.pointerId);
	canvas.focus({ preventScroll: true });
	if (pointers.size === 2)
		drag = pinch();
	else if (bar && x >= bar.x && y >= view.top)
		drag = barDrag(bar, y);
	else if (y < TL_MINI)
		drag = miniDrag(x);
	else if (y < view.top || ev.shiftKey)
		drag = { kind: "range", at: timeAt(x) };
	else
		drag = { kind: "pan", from: view.from, to: view.to, scroll: view.scroll };
	Object.assign(drag, { x: x, y: y, moved: false });
	ev.preventDefault();
}

/* Beside the mark, it comes to the pointer. */
function barDrag(bar, y) {
	if (y < bar.y || y > bar.y + bar.height)
		scrollTo((y - view.top - bar.height / 2) / Math.max(bar.room - bar.height, 1) * (bar.all - bar.room));
	return { kind: "bar", scroll: view.scroll, bar: bar };
}

function pinch() {
	const [a, b] = [...pointers.values()];
	return { kind: "pinch", apart: Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y), 20), at: timeAt((a.x + b.x) / 2),
		from: view.from, to: view.to };
}

const dragged = {
	pan(d, x, y) {
		const by = (d.x - x) / view.inner * (d.to - d.from);
		show(d.from + by, d.to + by);
		scrollTo(d.scroll + d.y - y);
	},
	range(d, x) {
		const at = timeAt(x);
		view.range = [Math.min(d.at, at), Math.max(d.at, at)];
		redraw();
	},
	mini(d, x) {
		const at = miniTime(x), by = at - d.at;
		if (d.what === "move")
			return show(d.from + by, d.to + by);
		const other = d.what === "from" ? d.to : d.what === "to" ? d.from : d.at;
		show(Math.min(at, other), Math.max(at, other));
	},
	bar(d, x, y) {
		scrollTo(d.scroll + (y - d.y) / Math.max(d.bar.room - d.bar.height, 1) * (d.bar.all - d.bar.room));
	},
	pinch(d) {
		const now = pinch(), [a, b] = [...pointers.values()];
		const length = Math.min(Math.max((d.to - d.from) * d.apart / now.apart, LEAST), model.span);
		const from = d.at - ((a.x + b.x) / 2 - view.left) / view.inner * length;
		show(from, from + length);
	},
};

function onMove(ev) {
	const { x, y } = place(ev);
	if (pointers.has(ev.pointerId))
		pointers.set(ev.pointerId, { x: x, y: y });
	if (drag) {
		drag.moved = drag.moved || Math.abs(x - drag.x) + Math.abs(y - drag.y) > 4;
		if (drag.moved)
			dragged[drag.kind](drag, x, y);
		return;
	}
	view.hover = hit(x, y);
	describe(view.hover || view.chosen);
	canvas.style.cursor = y < TL_MINI ? "ew-resize" : y < view.top ? "col-resize" : x < view.left ? "pointer" : view.hover ? "pointer" : "grab";
	redraw();
}

function onUp(ev) {
	const d = drag, { x, y } = place(ev);
	pointers.delete(ev.pointerId);
	if (pointers.size)
		return;
	drag = null;
	if (!d || ev.type === "pointercancel")
		return;
	if (d.kind === "range" && d.moved)
		ask(view.range[0], view.range[1]);
	else if (d.kind === "mini" && !d.moved)
		show(d.at - (view.to - view.from) / 2, d.at + (view.to - view.from) / 2);
	else if (d.kind === "pan" && !d.moved)
		onTap(x, y);
}

/* A click: on the name of a lane, or on a span. */
function onTap(x, y) {
	const l = tlLaneAt(view, y - view.top + view.scroll);
	const name = l >= 0 && (view.left ? x < view.left : y - view.top + view.scroll < view.y[l] + view.head && x < 240);
	if (l >= 0 && (name || !model.lanes[l].open))
		return toggleLane(l);
	if (view.range)
		view.range = null;
	choose(hit(x, y));
}

function onDouble(ev) {
	const { x, y } = place(ev), found = hit(x, y);
	if (found)
		zoomToSpan(found);
}

/* With a little before and behind it. */
function zoomToSpan(found) {
	const s = span(found), room = (s.end - s.start) * 0.05;
	show(s.start - room, s.end + room);
}

function onWheel(ev) {
	const { x, y } = place(ev), unit = ev.deltaMode === 1 ? 24 : ev.deltaMode === 2 ? 400 : 1;
	const fits = !tlScrollBar(view);
	ev.preventDefault();
	if (ev.ctrlKey || ev.metaKey || y < view.top || (fits && !ev.shiftKey && Math.abs(ev.deltaY) > Math.abs(ev.deltaX)))
		return zoom(Math.exp(Math.min(Math.max(ev.deltaY * unit, -200), 200) * 0.003), y < TL_MINI ? miniTime(x) : timeAt(x));
	const across = ev.shiftKey ? ev.deltaX || ev.deltaY : ev.deltaX;
	if (across)
		pan(across * unit / view.inner);
	if (!ev.shiftKey && ev.deltaY)
		scrollTo(view.scroll + ev.deltaY * unit);
}

/* ---- the keyboard ---- */

/* The first span in view. */
function first() {
	for (let l = Math.max(tlLaneAt(view, view.scroll), 0); l < model.lanes.length; l++)
		for (let r = 0; r < model.lanes[l].rows.length; r++) {
			const row = model.lanes[l].rows[r], i = tlFirst(row, view.from);
			if (i < row.n && row.start[i] < view.to)
				return [l, r, i];
		}
	return null;
}

function beside(by) {
	const [l, r, i] = view.chosen, n = model.lanes[l].rows[r].n;
	return i + by >= 0 && i + by < n ? [l, r, i + by] : view.chosen;
}

/* The nearest span in the row above or below. */
function across(by) {
	let [l, r] = view.chosen;
	const s = span(view.chosen), at = Math.min(Math.max((s.start + s.end) / 2, view.from), view.to), rowStep = D.up ? -by : by;
	for (;;) {
		const lane = model.lanes[l];
		r += rowStep;
		if (!lane.open || r < 0 || r >= lane.rows.length) {
			l += by;
			if (!model.lanes[l])
				return view.chosen;
			r = !model.lanes[l].open || rowStep > 0 ? 0 : model.lanes[l].rows.length - 1;
		}
		const row = model.lanes[l].rows[r];
		if (!row || !row.n)
			continue;
		const i = Math.min(tlFirst(row, at), row.n - 1);
		return [l, r, i && at - row.end[i - 1] < row.start[i] - at ? i - 1 : i];
	}
}

function move(to) {
	const next = view.chosen ? to() : first();
	if (!next)
		return;
	view.range = null;
	view.hover = null;
	choose(next);
	showSpan(next);
}

const keys = {
	w: () => zoom(0.7), "+": () => zoom(0.7), "=": () => zoom(0.7), s: () => zoom(1 / 0.7), "-": () => zoom(1 / 0.7),
	a: () => pan(-0.15), d: () => pan(0.15), 0: () => show(0, model.span), Home: () => show(0, model.span),
	ArrowLeft: () => move(() => beside(-1)), ArrowRight: () => move(() => beside(1)),
	ArrowUp: () => move(() => across(-1)), ArrowDown: () => move(() => across(1)),
	PageUp: () => scrollTo(view.scroll - (view.height - view.top) * 0.9), PageDown: () => scrollTo(view.scroll + (view.height - view.top) * 0.9),
	Enter: () => view.range ? show(view.range[0], view.range[1]) : view.chosen && zoomToSpan(view.chosen),
	v: () => ask(view.from, view.to), c: toggleAll, n: () => step(1), N: () => step(-1), "/": openInput, F3: openInput,
	r: () => view.chosen && ask(span(view.chosen).start, span(view.chosen).end),
	Escape: () => input ? closeInput() : letGo(),
};
keys.f = keys.Enter;

function onKey(ev) {
	const plain = !ev.ctrlKey && !ev.altKey && !ev.metaKey;
	const action = plain ? keys[ev.key] || keys[ev.key.toLowerCase()] : ev.ctrlKey && ev.key === "f" ? openInput : ev.ctrlKey && ev.key === "i" ? toggleCase : null;
	const scrolls = /^(Arrow|Page|Home)/.test(ev.key) && panel.contains(ev.target);
	if (!action || scrolls || (ev.target.closest && ev.target.closest("button,[role=button]") && ev.key === "Enter"))
		return;
	ev.preventDefault();
	action();
}

/* ---- state in the address ---- */

let saving = 0;

function save() {
	clearTimeout(saving);
	saving = setTimeout(() => {
		const parts = [], whole = view.from <= 0 && view.to >= model.span;
		if (!whole)
			parts.push("t=" + Math.round(view.from) + "," + Math.round(view.to));
		if (view.range)
			parts.push("r=" + Math.round(view.range[0]) + "," + Math.round(view.range[1]));
		if (view.scroll)
			parts.push("y=" + view.scroll);
		if (view.match)
			parts.push("s=" + encodeURIComponent(view.match.term));
		if (ignoreCase)
			parts.push("i=1");
		try {
			history.replaceState(null, "", location.pathname + location.search + (parts.length ? "#" + parts.join("&") : ""));
		} catch (e) {
			/* not allowed where the drawing is embedded: then there is no state to keep */
		}
	}, 200);
}

/* A lane that grows upwards and is taller than the window is read from its root. */
const root = () => frames && D.up ? Math.max(view.y[1] - (view.height - view.top), 0) : 0;

function load() {
	const get = new URLSearchParams(location.hash.slice(1) || location.search.slice(1));
	const pair = (key) => {
		const list = (get.get(key) || "").split(",").map(Number);
		return list.length === 2 && list[1] > list[0] ? list : null;
	};
	ignoreCase = get.get("i") === "1";
	search(get.get("s") || "");
	if (pair("t"))
		show(...pair("t"));
	if (pair("r"))
		ask(...pair("r"));
	scrollTo(get.has("y") ? Number(get.get("y")) || 0 : root());
}

/* ---- all together ---- */

for (const id of ["frames", "lanes", "ticks"])
	if (byId(id))
		byId(id).remove();
for (const type of ["pointerup", "pointercancel"])
	canvas.addEventListener(type, onUp);
canvas.addEventListener("pointerdown", onDown);
canvas.addEventListener("pointermove", onMove);
canvas.addEventListener("pointerleave", () => {
	view.hover = null;
	describe(view.chosen);
	redraw();
});
canvas.addEventListener("dblclick", onDouble);
canvas.addEventListener("wheel", onWheel, { passive: false });
window.addEventListener("keydown", onKey);
window.addEventListener("hashchange", load);
matchMedia("(prefers-color-scheme:dark)").addEventListener("change", redraw);
window.addEventListener("beforeprint", () => { print.on = true; paint(); });
window.addEventListener("afterprint", () => { print.on = false; paint(); });
button(byId("unzoom"), () => show(0, model.span));
button(byId("zoomin"), () => zoom(0.5));
button(byId("zoomout"), () => zoom(2));
button(byId("search"), toggleSearch);
button(byId("ignorecase"), toggleCase);
frame.start();
window.addEventListener("resize", () => requestAnimationFrame(() => size()));
size();
load();
}
