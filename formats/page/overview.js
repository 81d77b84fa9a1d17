/* The capture over time, on canvases: areas by command, a heat map of parts of seconds (FlameScope's), lanes. A range is
 * chosen by dragging, by two cells of the heat map, or with the keyboard.
 *
 * All take VIEW: {from, to (us), range, other (ranges or null), pick(range, second), said(text)}. */

const PAGE_AREAS = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb"]; /* Paul Tol's bright */

function pageCanvas(canvas, height) {
	const width = Math.max(100, canvas.parentNode.clientWidth), ratio = Math.min(window.devicePixelRatio || 1, 16384 / width, 16384 / height);
	const context = canvas.getContext("2d");
	canvas.width = Math.round(width * ratio);
	canvas.height = Math.round(height * ratio);
	canvas.style.width = width + "px";
	canvas.style.height = height + "px";
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.clearRect(0, 0, width, height);
	context.font = "11px sans-serif";
	return { context, width, height };
}

/* Many samples take long to be summed up: VIEW keeps under NAME what MAKE gave for the same KEY. */
function pageOnce(view, name, key, make) {
	const text = JSON.stringify(key);
	view.kept = view.kept || {};
	if (!view.kept[name] || view.kept[name].text !== text)
		view.kept[name] = { text, made: make() };
	return view.kept[name].made;
}

const pageStyle = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim() || "#000";
const pageInk = () => pageStyle("--ink");

/* 1, 2 or 5 times a power of ten, so that about COUNT of them make SPAN. */
function pageStep(span, count) {
	const least = span / count, power = 10 ** Math.floor(Math.log10(least));
	return [1, 2, 5, 10].map((m) => m * power).find((s) => s >= least);
}

function pageAxis(context, view, width, y) {
	const { captures, clock } = view;
	if (!captures || captures.count === 1)
		return pageAxisOf(context, view, 0, width, y);
	/* each capture's from its beginning */
	const at = (us) => (us - view.from) / (view.to - view.from) * width;
	captures.list.forEach((c, i) => {
		const left = at(c.firstUs), right = i + 1 < captures.count ? at(captures.list[i + 1].firstUs) : width, room = right - left - 170;
		pageAxisOf(context, { clock, from: c.firstUs, to: c.firstUs + (right - left) / width * (view.to - view.from) }, left, right - left, y);
		context.fillStyle = pageInk();
		context.fillRect(left, 0, 1, y);
		context.textBaseline = "top";
		if (y > 60 && room > 60)
			context.fillText(captures.letter(i) + ": " + view.name(i), left + 170, 1, room);
	});
}

/* From LEFT on, as wide as WIDTH. */
function pageAxisOf(context, view, left, width, y) {
	const span = view.to - view.from, step = pageStep(span / 1e6, width / 90), digits = Math.max(0, -Math.floor(Math.log10(step)));
	const zero = view.clock ? view.clock.value(view.from) : 0;
	context.fillStyle = pageInk();
	context.textBaseline = "top";
	for (let k = Math.ceil(zero / 1e6 / step - 1e-9); k * step * 1e6 - zero <= span; k++) {
		const x = (k * step * 1e6 - zero) / span * width;
		context.fillRect(left + x, y, 1, 3);
		if (x < width - 40)
			context.fillText(view.clock ? view.clock.tick(Math.round(k * step * 1e6), digits) : (k * step).toFixed(digits) + " s", left + x + 2, y + 3);
	}
}

function pageShade(context, view, width, height) {
	const at = (us) => (us - view.from) / (view.to - view.from) * width;
	for (const [range, color, letter] of [[view.range, pageStyle("--a"), "A"], [view.other, pageStyle("--b"), "B"]]) {
		if (!range)
			continue;
		const x = at(range.from), w = Math.max(at(range.to) - x, 1);
		context.globalAlpha = 0.18;
		context.fillStyle = color;
		context.fillRect(x, 0, w, height);
		context.globalAlpha = 1;
		context.strokeStyle = color;
		context.lineWidth = 2;
		context.strokeRect(x, 1, w, height - 2);
		if (view.other) {
			context.fillStyle = color;
			context.textBaseline = "top";
			context.fillText(letter, x + 4, 15); /* below what is written there */
		}
	}
}

/* Dragging and the keyboard on CANVAS give ranges. BETWEEN(a, b): of two places, as [x, y], the range in us. Arrows move
 * the range that was chosen last, from where they begin: it is one step back. */
function pageDrag(canvas, view, between) {
	let begun = null;
	const place = (ev) => {
		const r = canvas.getBoundingClientRect();
		return [(ev.clientX - r.left) / r.width, (ev.clientY - r.top) / r.height];
	};
	canvas.addEventListener("pointerdown", (ev) => {
		begun = place(ev);
		canvas.setPointerCapture(ev.pointerId);
	});
	canvas.addEventListener("pointermove", (ev) => {
		view.said(view.tell(between(begun || place(ev), place(ev))));
	});
	canvas.addEventListener("pointerup", (ev) => {
		if (begun)
			view.pick(between(begun, place(ev)), ev.shiftKey);
		begun = null;
	});
	canvas.addEventListener("pointercancel", () => { begun = null; }); /* the page is scrolled by a finger */
	canvas.addEventListener("pointerleave", () => view.said(""));
	/* arrows move one end by a hundredth, with Shift they widen */
	canvas.addEventListener("keydown", (ev) => {
		const span = view.to - view.from, step = Math.max(1, Math.round(span / 100)), sign = { ArrowLeft: -1, ArrowRight: 1 }[ev.key];
		if (!sign || ev.ctrlKey || ev.metaKey || ev.altKey)
			return;
		const now = (view.held ? view.other : view.range) || view.range || { from: view.from, to: view.from + step };
		const from = now.from + (ev.shiftKey ? 0 : sign * step), to = now.to + sign * step;
		if (from >= view.from && to <= view.to && to > from) {
			view.pick({ from, to }, view.held, true);
			view.said(view.tell({ from, to }));
		}
		ev.preventDefault();
		ev.stopPropagation();
	});
}

/* Areas: the heaviest commands, all others, and idle CPUs in grey on top. LEGEND gets their names. */
function pageAreas(canvas, legend, model, f, view, unit) {
	const { context, width, height } = pageCanvas(canvas, 100), columns = Math.max(1, Math.floor(width / 2));
	const { samples } = model.data, threads = model.threads, label = (i) => threads[samples.thread[i]].pid === 0 ? "" : threads[samples.thread[i]].comm;
	const { heaviest, commands, sums } = pageOnce(view, "areas", [f, columns], () => {
		const list = model.ranked(f, label), first = list.map((r) => r.key).filter((k) => k !== "").slice(0, PAGE_AREAS.length - 1);
		const index = new Map(first.map((c, i) => [c, i]));
		return { heaviest: list, commands: first, sums: model.over({ ...f, from: view.from, to: view.to }, columns, first.length + 2, (i) => {
			const key = label(i);
			return key === "" ? first.length + 1 : index.has(key) ? index.get(key) : first.length;
		}) };
	});
	const rest = commands.length, idle = rest + 1;
	const span = (view.to - view.from) / columns * (unit === "ns" ? 1e3 : 1 / 1e6);
	let most = 0;
	for (let x = 0; x < columns; x++)
		most = Math.max(most, sums.reduce((a, s) => a + s[x], 0));
	const bottom = height - 16, scale = most ? (bottom - 12) / most : 0;
	for (let x = 0; x < columns; x++) {
		let y = bottom;
		sums.forEach((s, g) => {
			const h = s[x] * scale;
			context.fillStyle = g === idle ? "#dddddd" : g === rest ? "#999999" : PAGE_AREAS[g];
			context.fillRect(x * width / columns, y - h, width / columns, h);
			y -= h;
		});
	}
	context.fillStyle = pageInk();
	context.textBaseline = "top";
	context.fillText(unit === "ns" ? pageFew(most / span) + (model.data.stays.of[f.event] ? " threads" : " CPUs") : pageCount(most / span) + " " + unit + "/s", 2, 1);
	pageGaps(context, model.data, view, width, bottom);
	pageAxis(context, view, width, bottom);
	pageShade(context, view, width, bottom);
	legend.textContent = "";
	const names = [...commands.map((c, i) => [c, PAGE_AREAS[i]]), ...(heaviest.length > commands.length ? [["others", "#999999"]] : []), ...(sums[idle].some((v) => v) ? [["idle", "#dddddd"]] : [])];
	legend.append(...pageLegend(names));
}

/* What colours are, of [[name, color]]. */
function pageLegend(names) {
	return names.map(([name, color]) => {
		const item = document.createElement("span"), box = document.createElement("i");
		box.style.background = color;
		item.append(box, name);
		return item;
	});
}

/* Columns of whole parts of time, of fifty rows each, from bottom to top. */
const PAGE_ROWS = 50, PAGE_CELL = 3; /* pixels */
function pageHeatColumn(view, width) {
	const units = [1e3, 1e4, 1e5, 1e6, 1e7, 6e7, 6e8, 3.6e9, 3.6e10];
	const span = view.to - view.from;
	return units.find((u) => span / u <= width / 3) || span;
}
function pageHeat(canvas, model, f, view) {
	const { context, width, height } = pageCanvas(canvas, PAGE_CELL * PAGE_ROWS + 16), unit = pageHeatColumn(view, width);
	const columns = Math.max(1, Math.ceil((view.to - view.from) / unit));
	const { samples } = model.data, threads = model.threads;
	const [cells] = pageOnce(view, "heat", [f, unit], () => model.over({ ...f, from: view.from, to: view.from + columns * unit }, columns * PAGE_ROWS, 1, (i) => threads[samples.thread[i]].pid === 0 ? -1 : 0));
	const most = cells.reduce((a, b) => Math.max(a, b), 0), w = width / columns;
	for (let k = 0; k < cells.length; k++) {
		if (!cells[k])
			continue;
		const v = 0.05 + 0.95 * cells[k] / most;
		context.fillStyle = `rgb(${Math.round(255 - 30 * v)},${Math.round(235 - 205 * v)},${Math.round(215 - 195 * v)})`;
		context.fillRect(Math.floor(k / PAGE_ROWS) * w, (PAGE_ROWS - 1 - k % PAGE_ROWS) * PAGE_CELL, Math.max(w - (w > 4 ? 1 : 0), 0.5), PAGE_CELL);
	}
	/* ranges, cell by cell */
	for (const [range, color] of [[view.range, pageStyle("--a")], [view.other, pageStyle("--b")]]) {
		if (!range)
			continue;
		const from = Math.floor((range.from - view.from) / unit * PAGE_ROWS), to = Math.ceil((range.to - view.from) / unit * PAGE_ROWS);
		context.globalAlpha = 0.3;
		context.fillStyle = color;
		for (let c = Math.floor(from / PAGE_ROWS); c <= Math.floor((to - 1) / PAGE_ROWS); c++) {
			const low = Math.max(from - c * PAGE_ROWS, 0), high = Math.min(to - c * PAGE_ROWS, PAGE_ROWS);
			context.fillRect(c * w, (PAGE_ROWS - high) * PAGE_CELL, w, (high - low) * PAGE_CELL);
		}
		context.globalAlpha = 1;
	}
	pageAxis(context, { ...view, from: view.from, to: view.from + columns * unit }, width, PAGE_CELL * PAGE_ROWS);
	const cell = ([x, y]) => {
		const c = Math.min(columns - 1, Math.max(0, Math.floor(x * columns)));
		const r = Math.min(PAGE_ROWS - 1, Math.max(0, PAGE_ROWS - 1 - Math.floor(y * height / PAGE_CELL)));
		return c * PAGE_ROWS + r;
	};
	return (a, b) => {
		const from = Math.min(cell(a), cell(b)), to = Math.max(cell(a), cell(b)) + 1;
		return { from: Math.round(view.from + from * unit / PAGE_ROWS), to: Math.min(Math.round(view.from + to * unit / PAGE_ROWS), view.to) };
	};
}

/* Lanes: the heaviest of KEY(i), a row each, dark where they have much; KIND is what they are. Returns what is in each row. */
const PAGE_LANE = 16, PAGE_LANES = 40;
const pageRows = (model, f, view, kind, key) => pageOnce(view, "rows", [f, kind], () => model.ranked(f, key).slice(0, PAGE_LANES));
function pageLanes(canvas, model, f, view, kind, [key, name]) {
	const list = pageRows(model, f, view, kind, key), index = new Map(list.map((r, i) => [r.key, i]));
	const { context, width } = pageCanvas(canvas, list.length * PAGE_LANE + 16), columns = Math.max(1, Math.floor(width / 2));
	const sums = pageOnce(view, "lanes", [f, kind, columns], () => model.over({ ...f, from: view.from, to: view.to }, columns, list.length, (i) => {
		const k = index.get(key(i));
		return k === undefined ? -1 : k;
	}));
	const most = sums.reduce((a, s) => s.reduce((b, v) => Math.max(b, v), a), 0);
	sums.forEach((s, row) => {
		for (let x = 0; x < columns; x++) {
			if (!s[x])
				continue;
			context.globalAlpha = 0.15 + 0.85 * s[x] / most;
			context.fillStyle = "#4477aa";
			context.fillRect(x * width / columns, row * PAGE_LANE, width / columns, PAGE_LANE - 2);
		}
		context.globalAlpha = 1;
		context.fillStyle = pageInk();
		context.strokeStyle = pageStyle("--paper"); /* to be read on whatever is below */
		context.lineWidth = 3;
		context.lineJoin = "round";
		context.textBaseline = "middle";
		context.strokeText(name(list[row].key), 3, row * PAGE_LANE + PAGE_LANE / 2 - 1);
		context.fillText(name(list[row].key), 3, row * PAGE_LANE + PAGE_LANE / 2 - 1);
	});
	pageAxis(context, view, width, list.length * PAGE_LANE);
	pageShade(context, view, width, list.length * PAGE_LANE);
	return list;
}

function pageCount(v) {
	return v < 1e3 ? String(Math.round(v)) : v < 1e6 ? (v / 1e3).toFixed(1) + " k" : v < 1e9 ? (v / 1e6).toFixed(1) + " M" : (v / 1e9).toFixed(1) + " G";
}
