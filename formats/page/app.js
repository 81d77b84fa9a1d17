/* Puts the parts of the page together: the controls, the state, what is shown of it. Names reach the document as text
 * alone. */
function pageApp(data) {
const byId = (id) => document.getElementById(id);
const { about, samples } = data, names = data.names.map(pageShown);
const model = pageModel(data), ios = pageIos(data);
const state = pageStateOf(location.hash, about);
const back = []; /* ranges before this one */
const captures = pageCaptures(about), clock = pageClock(captures, () => state.clock);
const spanUs = Math.max(1, about.lastUs + 1 - about.firstUs), view = { from: about.firstUs, to: about.firstUs + spanUs };
let second = false; /* the next range is the one to compare with */
let weights = null, others = null, spare = null; /* of the range, and of the other; SPARE is what was the other one's */
let differ = null, comparison = null; /* of these two, once it is asked for */
let sort = { key: "self", down: true }, rowsShown = 200, sortedRows = null; /* the functions of the range, in that order */

/* ---- words ---- */

const grouped = new Intl.NumberFormat("en-US"); /* toLocaleString() looks for it each time */
const inNs = () => about.events[state.event][1] === "ns";
const share = (v, of) => (of ? (100 * v / of).toFixed(2) : "0.00") + "%";
function amount(v) {
	if (!inNs())
		return grouped.format(v).replace(/,/g, "\u202f");
	return v >= 1e9 ? (v / 1e9).toFixed(3) + " s" : v >= 1e6 ? (v / 1e6).toFixed(3) + " ms" : v >= 1e3 ? (v / 1e3).toFixed(1) + " µs" : v + " ns";
}
const seconds = (us) => (us / 1e6).toFixed(6);
const say = (text) => { byId("said").textContent = text; };
function rangeText(r) {
	const of = captures.count > 1 ? " of " + captureName(captures.at(r.from)) : "";
	return clock.text(r.from) + " to " + clock.text(r.to, r.from) + (state.clock === "wall" ? " UTC" : " s") + of + " (" + amountOfTime(r.to - r.from) + ")";
}
const captureName = (c) => (captures.list[c].path || "capture").replace(/.*\//, "");
function amountOfTime(us) {
	return us >= 1e6 ? (us / 1e6).toFixed(3) + " s" : (us / 1e3).toFixed(3) + " ms";
}
function save(text, name, type) {
	const a = document.createElement("a"), url = URL.createObjectURL(new Blob([text], { type }));
	a.href = url;
	a.download = name;
	a.click();
	setTimeout(() => URL.revokeObjectURL(url), 60000); /* a busy machine begins to save it late */
}

/* ---- what is counted ---- */

const filter = () => ({ event: state.event, comm: state.comm, pid: state.pid, thread: state.thread, cpu: state.cpu });
const ranged = (r) => r && (about.hasTime || captures.count > 1) ? { ...filter(), from: r.from, to: r.to } : filter();

/* What is there of the same is taken as it is. */
const weighed = (f, w) => w && JSON.stringify(w.filter) === JSON.stringify(f) ? w : model.weigh(f, w);
function count() {
	weights = weighed(ranged(state.range), weights);
	others = state.other ? weighed(ranged(state.other), spare) : null;
	spare = others || spare;
	comparison = null;
}

function compared() {
	if (comparison)
		return comparison;
	differ = differ || pageDiffer(data.tree, data.names);
	const sides = [[weights, state.range, "A"], [others, state.other, "B"]].map(([w, r, name]) => pageSide(data, model, w, r, name));
	comparison = differ.compare(sides, ...pageBasis(sides, state.basis), { count: grouped.format, percent: (v) => pageFixed(v, 2) + "%", real: amount });
	return comparison;
}

/* ---- views ---- */

const flameOptions = {
	names, kinds: data.kinds, said: say,
	words: (v, of) => amount(v) + ", " + share(v, of),
	pick: (name) => {
		state.name = name;
		open("sandwich");
		byId("tab-sandwich").focus();
	},
};
const flame = pageFlame(byId("flame"), { ...flameOptions, zoomed: (i) => { state.zoom = i; remember(); } });
const callers = pageFlame(byId("callers"), flameOptions), callees = pageFlame(byId("callees"), flameOptions);

/* From grey, as much, to orange, all of it is in the other range, or blue, none is: D is 0 to 1, or to -1. */
function changed(d) {
	const to = d > 0 ? [255, 165, 40] : [100, 185, 255];
	return `rgb(${to.map((v) => Math.round(232 + (v - 232) * Math.abs(d))).join()})`;
}
/* How much larger a share is in the other range. */
function difference(i) {
	const a = weights.weight ? weights.through[i] / weights.weight : 0, b = others.weight ? others.through[i] / others.weight : 0;
	return changed(Math.max(-1, Math.min(1, (b - a) / Math.max(a, b, 1e-9))));
}

function showFlame() {
	const w = others || weights;
	byId("differs").hidden = !others;
	flame.show(data.tree, w.through, { up: !!state.upright, colors: others ? difference : null, zoom: state.zoom ?? -1 });
}

const columns = {
	self: ["Self", (r) => amount(r.self), "n wide"], selfShare: ["Self %", (r) => share(r.self, weights.weight), "n", "self"],
	total: ["Total", (r) => amount(r.total), "n wide"], totalShare: ["Total %", (r) => share(r.total, weights.weight), "n", "total"],
	name: ["Function", null, ""], module: ["Shared object", (r) => about.modules[data.places[r.name]], "wide"],
};

function functionRows() {
	const { key, down } = sort, sign = down ? -1 : 1;
	if (sortedRows?.weights === weights && sortedRows.key === key && sortedRows.down === down)
		return sortedRows.list;
	const list = model.functions(weights);
	const value = key === "name" ? (r) => names[r.name] : key === "module" ? columns.module[1] : (r) => r[columns[key][3] || key];
	list.sort((a, b) => {
		const x = value(a), y = value(b);
		return x < y ? -sign : x > y ? sign : b.total - a.total || (names[a.name] < names[b.name] ? -1 : 1);
	});
	sortedRows = { weights, key, down, list };
	return list;
}

function cell(row, text, kind) {
	const td = row.insertCell();
	td.textContent = text;
	td.className = kind;
	return td;
}
function linked(td, text, action) {
	const b = document.createElement("button");
	b.type = "button";
	b.textContent = text;
	b.addEventListener("click", action);
	td.append(b);
}

const changes = pageDifference(byId, { amount, shown: pageShown, pick: (name) => flameOptions.pick(name), place: (text) => differ.place(text),
	marked: (list) => {
		const marks = model.matcher(state.search, list);
		return typeof marks === "string" ? null : marks;
	} });

function showFunctions() {
	byId("comparison").hidden = !others;
	if (others)
		return changes.show(compared());
	const table = byId("functions"), rows = functionRows(), marks = marksOf(state.search);
	const shown = Object.keys(columns);
	table.textContent = "";
	const head = table.createTHead().insertRow();
	for (const key of shown) {
		const th = document.createElement("th");
		th.className = columns[key][2];
		th.scope = "col";
		th.setAttribute("aria-sort", sort.key === key ? sort.down ? "descending" : "ascending" : "none");
		linked(th, columns[key][0] + (sort.key === key ? sort.down ? " ▼" : " ▲" : ""), () => {
			sort = { key, down: sort.key === key ? !sort.down : key !== "name" && key !== "module" };
			showFunctions();
			table.tHead.rows[0].cells[shown.indexOf(key)].firstChild.focus();
		});
		head.append(th);
	}
	const body = table.createTBody(), list = marks && typeof marks !== "string" ? rows.filter((r) => marks[r.name]) : rows;
	for (const r of list.slice(0, rowsShown)) {
		const row = body.insertRow();
		for (const key of shown) {
			if (key === "name")
				linked(cell(row, "", ""), names[r.name], () => flameOptions.pick(r.name));
			else
				cell(row, columns[key][1](r), columns[key][2]);
		}
	}
	byId("more").hidden = list.length <= rowsShown;
	if (!list.length)
		cell(body.insertRow(), "No function" + (state.search ? " of that name" : "") + " in this range.", "").colSpan = shown.length;
}

function showSandwich() {
	const chosen = state.name !== undefined;
	byId("chosen").textContent = chosen ? names[state.name] : "No function is chosen.";
	const s = model.sandwich(weights, chosen ? state.name : -1);
	byId("chosen").textContent += chosen && !s.up.count ? ": it has no samples in this range." : "";
	callers.show(s.up, s.up.through, { up: true });
	callees.show(s.down, s.down.through, { up: false });
}

const threadRows = () => model.ranked(ranged(state.range), (i) => samples.thread[i]);
function showThreads() {
	const table = byId("threads"), list = threadRows();
	table.textContent = "";
	const head = table.createTHead().insertRow();
	for (const [text, kind] of [["Weight", "n"], ["%", "n"], ["Samples", "n"], ["PID", "n"], ["TID", "n"], ["Command", ""]]) {
		const th = document.createElement("th");
		th.scope = "col";
		th.textContent = text;
		th.className = kind;
		head.append(th);
	}
	const body = table.createTBody();
	for (const r of list.slice(0, 1000)) {
		const t = model.threads[r.key], row = body.insertRow();
		cell(row, amount(r.weight), "n");
		cell(row, share(r.weight, weights.weight), "n");
		cell(row, String(r.samples), "n");
		cell(row, String(t.pid), "n");
		cell(row, String(t.tid), "n");
		linked(cell(row, "", ""), t.comm, () => {
			state.thread = r.key;
			update();
			byId("thread").focus();
		});
	}
	if (!list.length)
		cell(body.insertRow(), "No samples in this range.", "").colSpan = 6;
}

function fillTable(id, [heads, rows], nothing) {
	const table = byId(id), head = (table.textContent = "", table.createTHead().insertRow()), body = table.createTBody();
	const number = heads.map((_, c) => rows.length > 0 && rows.every((r) => /^([\d.]+([ %]|$)|$)/.test(r[c])) ? "n" : "");
	heads.forEach((text, c) => {
		const th = document.createElement("th");
		th.scope = "col";
		th.textContent = text;
		th.className = number[c];
		head.append(th);
	});
	for (const r of rows) {
		const row = body.insertRow();
		r.forEach((text, c) => cell(row, pageShown(String(text)), number[c]));
	}
	if (!rows.length)
		cell(body.insertRow(), nothing, "").colSpan = heads.length;
}

function showIos() {
	const f = ranged(state.range), r = state.range || view;
	byId("has-ios").hidden = !ios.io.rows;
	byId("no-ios").hidden = !!ios.io.rows;
	if (!ios.io.rows)
		return;
	fillTable("io-table", pageIoRows(ios, f), "No I/O ended in this range.");
	fillTable("io-list", pageIoList(data, ios, f), "No I/O ended in this range.");
	pageIoHeat(byId("io-heat"), ios, { ...f, from: r.from, to: r.to }, clock);
}

function showFacts() {
	const body = byId("facts");
	body.textContent = "";
	for (const [name, value] of about.facts) {
		const row = body.insertRow(), th = document.createElement("th");
		th.scope = "row";
		th.textContent = name;
		row.append(th);
		cell(row, value, "");
	}
}

/* ---- over time ---- */

view.said = say;
view.tell = rangeText;
view.captures = captures;
view.clock = clock;
view.name = (c) => pageShown(captureName(c));
view.held = false; /* the range chosen last is the other one */
let stepped = false; /* by an arrow */
view.pick = (r, other, step) => {
	r = captures.clamp(r);
	view.held = second || !!other;
	if (view.held) {
		state.other = r;
		second = false;
	} else {
		if (!step || !stepped)
			back.push(state.range);
		state.range = r;
	}
	stepped = !!step && !view.held;
	update();
};
let betweenLanes = null, laneKeys = null;
const along = ([a], [b]) => ({ from: view.from + Math.min(a, b) * spanUs, to: view.from + Math.max(a, b) * spanUs });
pageDrag(byId("areas"), view, along);
pageDrag(byId("lanes"), view, (a, b) => betweenLanes(a, b));
pageDrag(byId("tracks"), view, along);

const keys = {
	comm: [(i) => model.threads[samples.thread[i]].comm, (k) => k],
	cpu: [(i) => samples.cpu[i], (k) => k < 0 ? "CPU not recorded" : "CPU " + k],
	pid: [(i) => model.threads[samples.thread[i]].pid, (k) => "process " + k + " " + model.threads.find((t) => t.pid === k).comm],
	thread: [(i) => samples.thread[i], (k) => model.threads[k].comm + " " + model.threads[k].pid + "/" + model.threads[k].tid],
};
function showOver() {
	view.range = state.range;
	view.other = state.other;
	byId("over").hidden = !about.hasTime;
	if (!about.hasTime)
		return;
	const unit = about.events[state.event][1];
	pageAreas(byId("areas"), byId("legend"), model, filter(), view, unit);
	pageTracks(byId("tracks"), data, ios, view);
	const doing = state.below === "thread" && (data.series.run || data.series.off);
	byId("doing").hidden = !doing;
	if (state.below === "heat") {
		betweenLanes = pageHeat(byId("lanes"), model, filter(), view);
	} else if (doing) {
		pageDoing(byId("lanes"), data, pageRows(model, filter(), view, "thread", keys.thread[0]).map((r) => r.key), keys.thread[1], view);
		betweenLanes = along;
	} else {
		pageLanes(byId("lanes"), model, filter(), view, state.below, keys[state.below]);
		betweenLanes = along;
	}
	const r = state.range || view;
	byId("from").value = clock.text(r.from);
	byId("to").value = clock.text(r.to, r.from);
	byId("range").textContent = (state.range ? "A: " + rangeText(state.range) : "whole capture") + (state.other ? "; B: " + rangeText(state.other) : "");
	byId("button-compare").textContent = state.other ? "Do not compare (c)" : second ? "Choose the other range" : "Compare with (c)";
	byId("button-compare").setAttribute("aria-pressed", String(second || !!state.other));
}

/* ---- all of it ---- */

/* Browsers refuse a page that changes its address too often. */
let remembering = 0;
function remember() {
	clearTimeout(remembering);
	remembering = setTimeout(() => history.replaceState(null, "", pageHashOf(state, about)), 150);
}

let searched = null; /* names that match, of the text */
function marksOf(text) {
	if (!searched || searched.text !== text)
		searched = { text, marks: model.matcher(text) };
	return searched.marks;
}
function showSearch() {
	const marks = marksOf(state.search), sound = marks && typeof marks !== "string";
	for (const f of [flame, callers, callees])
		f.mark(sound ? marks : null);
	byId("matched").textContent = typeof marks === "string" ? marks : sound ? "matched: " + share(model.matched(others || weights, marks), (others || weights).weight) : "";
}

const shows = { flame: showFlame, functions: showFunctions, sandwich: showSandwich, threads: showThreads, facts: showFacts, ios: showIos };
function showView() {
	for (const name of PAGE_VIEWS) {
		byId("panel-" + name).hidden = name !== state.view;
		byId("tab-" + name).setAttribute("aria-selected", String(name === state.view));
		byId("tab-" + name).tabIndex = name === state.view ? 0 : -1;
	}
	shows[state.view]();
	showSearch();
}

function update() {
	count();
	showOver();
	showView();
	choices();
	remember();
	say("");
	const empty = [["this range", weights], ["the other range", others]].filter(([, w]) => w && !w.samples).map(([where]) => where);
	byId("none").hidden = !empty.length;
	byId("none").textContent = "No samples of " + about.events[state.event][0] + " in " + empty.join(" and ") + " pass the filters.";
}

/* ---- controls ---- */

function fill(id, list, value) {
	const select = byId(id);
	select.textContent = "";
	if (value !== undefined && value !== "" && !list.some(([v]) => v === value))
		list.push([value, value + ": no samples"]);
	for (const [v, text] of list) {
		const o = document.createElement("option");
		o.value = String(v);
		o.textContent = text;
		o.selected = String(v) === String(value ?? "");
		select.append(o);
	}
	select.parentNode.hidden = list.length < 2;
}
const LISTED = 500;
let chosen = "";
function choices() {
	const f = { event: state.event }, now = JSON.stringify(filter());
	if (now === chosen)
		return;
	chosen = now;
	fill("event", about.events.map((e, i) => [i, e[0] + " (" + grouped.format(e[3]) + ")"]).filter(([i]) => about.events[i][3] > 0), state.event);
	fill("comm", [["", "all"], ...model.ranked(f, (i) => model.threads[samples.thread[i]].comm).slice(0, LISTED).map((r) => [model.threads.findIndex((t) => t.comm === r.key), r.key])], state.comm === undefined ? "" : model.threads.findIndex((t) => t.comm === model.threads[state.comm].comm));
	fill("pid", [["", "all"], ...model.ranked({ ...f, comm: state.comm }, (i) => model.threads[samples.thread[i]].pid).slice(0, LISTED).map((r) => [r.key, String(r.key)])], state.pid);
	fill("thread", [["", "all"], ...model.ranked({ ...f, comm: state.comm, pid: state.pid }, (i) => samples.thread[i]).slice(0, LISTED).map((r) => [r.key, keys.thread[1](r.key)])], state.thread);
	fill("cpu", [["", "all"], ...model.ranked(f, (i) => samples.cpu[i]).filter((r) => r.key >= 0).sort((a, b) => a.key - b.key).map((r) => [r.key, String(r.key)])], state.cpu);
}
for (const id of ["event", "comm", "pid", "thread", "cpu"]) {
	byId(id).addEventListener("change", (ev) => {
		state[id] = ev.target.value === "" ? undefined : Number(ev.target.value);
		if (id === "event")
			state.zoom = undefined;
		update();
	});
}
byId("controls").addEventListener("submit", (ev) => ev.preventDefault());
byId("search").addEventListener("input", (ev) => {
	state.search = ev.target.value.slice(0, 200);
	if (state.view === "functions")
		showFunctions();
	showSearch();
	remember();
});
byId("below").addEventListener("change", (ev) => {
	state.below = ev.target.value;
	showOver();
	remember();
});
for (const id of ["from", "to"]) {
	byId(id).addEventListener("change", () => {
		const c = captures.at((state.range || view).from), from = clock.parse(byId("from").value, c), to = clock.parse(byId("to").value, c);
		if (to > from && from >= captures.whole(c).from)
			view.pick({ from, to }, false);
		else
			say("expected two times of the capture as they are shown, the first one smaller");
	});
}
byId("clock").addEventListener("change", (ev) => {
	state.clock = ev.target.value;
	showOver();
	remember();
});
/* All of it; of two captures one against the other. */
function wholeRange() {
	state.range = captures.count > 1 ? captures.whole(0) : undefined;
	state.other = captures.count > 1 ? captures.whole(1) : undefined;
}
function whole() {
	wholeRange();
	second = view.held = false;
	back.length = 0;
	update();
}
function compare() {
	second = view.held = !second && !state.other;
	state.other = undefined;
	update();
	if (second)
		say("The next range is compared with " + (state.range ? "this one." : "the whole capture."));
}
byId("button-all").addEventListener("click", whole);
byId("button-compare").addEventListener("click", compare);
byId("upright").addEventListener("change", (ev) => {
	state.upright = ev.target.checked;
	showFlame();
	remember();
});
byId("more").addEventListener("click", () => {
	if (others)
		return changes.more();
	rowsShown += 1000;
	showFunctions();
});
byId("basis").addEventListener("change", (ev) => {
	state.basis = ev.target.value || undefined;
	comparison = null;
	showFunctions();
	remember();
});
function open(name) {
	state.view = name;
	showView();
	remember();
}
for (const name of PAGE_VIEWS)
	byId("tab-" + name).addEventListener("click", () => open(name));
byId("tabs").addEventListener("keydown", (ev) => {
	const step = { ArrowRight: 1, ArrowLeft: -1 }[ev.key];
	if (!step || ev.target.getAttribute("role") !== "tab")
		return;
	open(PAGE_VIEWS[(PAGE_VIEWS.indexOf(state.view) + step + PAGE_VIEWS.length) % PAGE_VIEWS.length]);
	byId("tab-" + state.view).focus();
	ev.preventDefault();
});

/* ---- exports ---- */

const fileName = (end) => "pdtool" + [state.range, state.other].filter((r) => r).map((r) => "-" + seconds(clock.recorded(r.from)) + "-" + seconds(clock.recorded(r.to, r.from))).join("") + end;
const csvText = (s) => /[",\n]/.test(s) ? '"' + s.replace(/"/g, '""') + '"' : s;
function csv() {
	if (state.view === "ios")
		return ios.csv(ranged(state.range));
	if (state.view === "threads")
		return "pid,tid,command,weight,samples\n" + threadRows().map(({ key, weight, samples }) => {
			const { pid, tid, comm } = model.threads[key];
			return [pid, tid, csvText(comm), weight, samples].join(",") + "\n";
		}).join("");
	if (others)
		return pageCompareCsv(compared());
	const lines = functionRows().map((r) => [csvText(names[r.name]), csvText(about.modules[data.places[r.name]]), r.self, r.total].join(","));
	return "function,shared_object,self,total\n" + lines.join("\n") + "\n";
}
byId("export-folded").addEventListener("click", () => save(others ? compared().folded() : model.folded(weights), fileName(".folded"), "text/plain"));
byId("export-csv").addEventListener("click", () => save(csv(), fileName(".csv"), "text/csv"));
byId("export-svg").addEventListener("click", () => {
	const drawing = state.view === "sandwich" ? callees : flame;
	showFlame();
	save(drawing.svg(byId("title").textContent + ", " + byId("range").textContent), fileName(".svg"), "image/svg+xml");
});

/* ---- keys ---- */

const help = [["/", "search"], ["1 to 6", "views"], ["c", "compare with another range: the next one that is chosen; Shift and drag does the same"],
	["Escape", "back to the range before"], ["0", "whole capture"], ["Arrows", "in the plots: move the range, with Shift widen it; in the flame graph: walk, Enter zooms, f shows callers and callees"],
	["e", "export: folded stacks"], ["?", "these keys"]];
const dl = document.createElement("dl");
for (const [key, text] of help) {
	const dt = document.createElement("dt"), dd = document.createElement("dd");
	dt.textContent = key;
	dd.textContent = text;
	dl.append(dt, dd);
}
byId("help").append(dl);
function toggleHelp() {
	byId("help").hidden = !byId("help").hidden;
	byId("button-help").setAttribute("aria-expanded", String(!byId("help").hidden));
}
byId("button-help").addEventListener("click", toggleHelp);
document.addEventListener("keydown", (ev) => {
	const typing = ["INPUT", "SELECT"].includes(ev.target.tagName) && ev.target.type !== "checkbox";
	if (ev.ctrlKey || ev.metaKey || ev.altKey || (typing && ev.key !== "Escape"))
		return;
	if (ev.key === "/") {
		byId("search").focus();
		byId("search").select();
	} else if (ev.key >= "1" && ev.key <= String(PAGE_VIEWS.length)) {
		open(PAGE_VIEWS[ev.key - 1]);
		byId("tab-" + state.view).focus();
	} else if (ev.key === "c") {
		compare();
	} else if (ev.key === "0") {
		whole();
	} else if (ev.key === "e") {
		byId("export-folded").click();
	} else if (ev.key === "?") {
		toggleHelp();
	} else if (ev.key === "Escape") {
		if (typing) {
			ev.target.blur();
		} else if (back.length) {
			state.range = back.pop();
			stepped = false;
			update();
		}
	} else {
		return;
	}
	ev.preventDefault();
});

/* ---- begin ---- */

const stored = about.captures.every((c) => c.stored);
if (stored)
	byId("no-ios").textContent = "A store has no I/Os one by one: pdtool store query STORE io tells how many there were, and how long they took.";
byId("title").textContent = captures.list.map((c, i) => captureName(i)).join(" and ");
byId("subtitle").textContent = [...["host", "os", "arch"].map((key) => [...new Set(captures.list.map((c) => c[key]))].filter((t) => t).join(" and ")), about.hasTime ? captures.list.map((c) => amountOfTime(c.lastUs + 1 - c.firstUs)).join(" and ") : "no times were recorded: nothing is shown over time", pageCount(about.samples) + " samples", about.facts.some(([name]) => name === "unfinished") ? "the recorder was stopped before it ended the capture" : "", about.stepUs > 1 ? "times in steps of " + amountOfTime(about.stepUs) + (about.stepUs === about.storedUs ? ", as there are in a store" : ", so that the page is small") : ""].filter((t) => t).join(", ");
for (const option of [...byId("clock").options])
	option.disabled = option.value === "wall" && !clock.hasWall;
byId("lacks").textContent = pageLacks(data.series, stored);
byId("doing").append(...pageLegend(PAGE_DOING));
byId("differs").append("As wide as in B, the other range. Its share of all is", ...pageLegend([["larger than in A", changed(0.7)], ["about the same", changed(0)], ["smaller", changed(-0.7)]]));
byId("search").value = state.search;
byId("below").value = state.below;
byId("clock").value = state.clock;
byId("basis").value = state.basis || "";
byId("upright").checked = !!state.upright;
byId("controls").hidden = byId("main").hidden = false;
if (state.event < 0) {
	byId("main").hidden = byId("controls").hidden = true;
	byId("problem").hidden = false;
	byId("problem").textContent = "The capture has no samples that could be shown here.";
	showFacts();
	byId("problem").after(byId("facts"));
	return { model, state };
}
let waiting = 0;
const redraw = () => { showOver(); showView(); };
window.addEventListener("resize", () => {
	clearTimeout(waiting);
	waiting = setTimeout(redraw, 150);
});
/* ink and paper are others then */
for (const media of ["(prefers-color-scheme: dark)", "print"])
	matchMedia(media).addEventListener("change", redraw);
window.addEventListener("hashchange", (e) => {
	clearTimeout(remembering); /* it may have put the state before into the address meanwhile */
	const now = pageStateOf(new URL(e.newURL).hash, about);
	for (const key of Object.keys(state))
		delete state[key];
	Object.assign(state, now);
	if (captures.count > 1 && !state.range)
		wholeRange();
	byId("search").value = state.search;
	byId("below").value = state.below;
	byId("clock").value = state.clock;
	byId("basis").value = state.basis || "";
	update();
});
if (captures.count > 1 && !state.range)
	wholeRange();
update();
return { model, state };
}
