/* A flame graph on a canvas: a tree whose nodes follow those above them, as wide as their weight.
 *
 *   const flame = pageFlame(canvas, { names, kinds, words: (weight, of) => text, pick: (name) => ..., said: (text) => ... });
 *   flame.show(tree, through, { up: true })
 *
 * Zoom by click, Enter and Escape; arrows walk among the frames. */
const PAGE_FRAME = 17, PAGE_LEAST = 0.4; /* pixels: of a frame's height; of the narrowest that is drawn */

function pageFlame(canvas, options) {
const context = canvas.getContext("2d");
let tree = null, through = null, up = true, zoom = -1, focus = -1, marks = null, colors = null;
let width = 0, boxes = [], rows = [];

/* ---- where frames are ---- */

function layout() {
	const x = new Float64Array(tree.count), used = new Float64Array(tree.count);
	const above = new Set();
	for (let a = zoom; a >= 0 && a !== PAGE_NONE; a = tree.parent[a])
		above.add(a);
	let sum = 0, roots = 0, deepest = 0;
	for (let i = 0; i < tree.count; i = tree.end[i])
		sum += through[i];
	const all = zoom < 0 ? sum : through[zoom], scale = all ? width / all : 0;
	boxes = [];
	rows = [];
	for (let i = 0; i < tree.count; i++) {
		const parent = tree.parent[i];
		let left, w;
		if (above.has(i)) {
			left = 0;
			w = width;
		} else if (zoom >= 0 && (i < zoom || i >= tree.end[zoom])) {
			if (tree.end[i] <= zoom || i > zoom)
				i = tree.end[i] - 1;
			continue;
		} else {
			left = parent === PAGE_NONE ? roots : x[parent] + used[parent];
			w = through[i] * scale;
			if (parent === PAGE_NONE)
				roots += w;
			else
				used[parent] += w;
		}
		if (w < PAGE_LEAST) {
			i = tree.end[i] - 1;
			continue;
		}
		x[i] = left;
		const box = { i, x: left, w, depth: tree.depth[i] };
		boxes.push(box);
		(rows[box.depth] = rows[box.depth] || []).push(box);
		deepest = Math.max(deepest, box.depth);
	}
	return deepest;
}

const rowAt = (y) => up ? rows.length - 1 - Math.floor(y / PAGE_FRAME) : Math.floor(y / PAGE_FRAME);
const topOf = (box) => (up ? rows.length - 1 - box.depth : box.depth) * PAGE_FRAME;

function hit(x, y) {
	const row = rows[rowAt(y)];
	if (!row)
		return null;
	let low = 0, high = row.length;
	while (low < high) {
		const mid = (low + high) >> 1;
		if (row[mid].x <= x)
			low = mid + 1;
		else
			high = mid;
	}
	const box = row[low - 1];
	return box && x < box.x + box.w ? box : null;
}

/* ---- drawing ---- */

function size() {
	width = Math.max(100, canvas.parentNode.clientWidth || document.body.clientWidth); /* none: its panel is hidden */
	layout();
	pageCanvas(canvas, Math.max(1, rows.length) * PAGE_FRAME);
}

const colorOf = (i) => marks && marks[tree.name[i]] ? "#e600e6" : colors ? colors(i) : pageColor(options.names[tree.name[i]], options.kinds[tree.name[i]]);

function draw() {
	context.clearRect(0, 0, width, rows.length * PAGE_FRAME);
	context.font = "12px sans-serif";
	context.textBaseline = "middle";
	for (const box of boxes) {
		const y = topOf(box);
		context.fillStyle = colorOf(box.i);
		context.fillRect(box.x, y, Math.max(box.w - 0.5, 0.4), PAGE_FRAME - 1);
	}
	context.fillStyle = "#000";
	for (const box of boxes) {
		if (box.w < 24)
			continue;
		const room = Math.floor((box.w - 6) / 6.2), name = options.names[tree.name[box.i]];
		context.fillText(name.length <= room ? name : name.slice(0, Math.max(room - 1, 1)) + "…", box.x + 3, topOf(box) + PAGE_FRAME / 2, box.w - 4);
	}
	outline();
}

function outline() {
	const box = boxes.find((b) => b.i === focus);
	if (!box)
		return;
	context.strokeStyle = "#000";
	context.lineWidth = 2;
	context.strokeRect(box.x + 1, topOf(box) + 1, Math.max(box.w - 2, 1), PAGE_FRAME - 3);
}

function redraw() {
	if (!tree)
		return;
	size();
	draw();
}

/* ---- what people do ---- */

function words(i) {
	let sum = 0;
	for (let k = 0; k < tree.count; k = tree.end[k])
		sum += through[k];
	return options.names[tree.name[i]] + ": " + options.words(through[i], sum);
}

function setFocus(i, silent) {
	focus = i;
	draw();
	if (i >= 0 && !silent)
		options.said(words(i));
}

function setZoom(i) {
	zoom = i;
	redraw();
	const box = boxes.find((b) => b.i === (i < 0 ? 0 : i));
	if (box)
		canvas.parentNode.scrollTop = up ? topOf(box) - canvas.parentNode.clientHeight + 2 * PAGE_FRAME : 0;
	if (options.zoomed)
		options.zoomed(i);
}

const placeOf = (ev) => {
	const r = canvas.getBoundingClientRect();
	return hit(ev.clientX - r.left, ev.clientY - r.top);
};
canvas.addEventListener("mousemove", (ev) => {
	const box = placeOf(ev);
	options.said(box ? words(box.i) : "");
});
canvas.addEventListener("mouseleave", () => options.said(""));
canvas.addEventListener("click", (ev) => {
	const box = placeOf(ev);
	if (!box)
		return;
	focus = box.i;
	setZoom(box.i === zoom ? -1 : box.i);
});
canvas.addEventListener("dblclick", (ev) => {
	const box = placeOf(ev);
	if (box)
		options.pick(tree.name[box.i]);
});

/* The frame beside, above or below the one in focus. */
function walk(key) {
	const box = boxes.find((b) => b.i === focus);
	if (!box)
		return boxes.length ? boxes[0].i : -1;
	if (key === "ArrowLeft" || key === "ArrowRight") {
		const row = rows[box.depth], at = row.indexOf(box) + (key === "ArrowRight" ? 1 : -1);
		return row[at] ? row[at].i : focus;
	}
	if ((key === "ArrowUp") === up) {
		let best = null;
		for (const b of rows[box.depth + 1] || []) {
			if (tree.parent[b.i] === focus && (!best || b.w > best.w))
				best = b;
		}
		return best ? best.i : focus;
	}
	return tree.parent[focus] === PAGE_NONE ? focus : tree.parent[focus];
}

canvas.addEventListener("keydown", (ev) => {
	if (ev.ctrlKey || ev.metaKey || ev.altKey)
		return;
	if (ev.key.startsWith("Arrow"))
		setFocus(walk(ev.key));
	else if (ev.key === "Enter" && focus >= 0)
		setZoom(focus === zoom ? -1 : focus);
	else if (ev.key === "f" && focus >= 0)
		options.pick(tree.name[focus]);
	else if (ev.key === "Escape" && zoom >= 0)
		setZoom(-1);
	else
		return;
	ev.preventDefault();
	ev.stopPropagation();
});

/* As it is drawn, as SVG. TITLE and names become text alone. */
function svg(title) {
	const escape = (s) => s.replace(/[<>&"']/g, (c) => "&#" + c.charCodeAt(0) + ";").replace(/[\x00-\x08\x0b-\x1f]/g, "");
	const height = rows.length * PAGE_FRAME + 30, list = [];
	for (const box of boxes) {
		const y = topOf(box) + 28, name = options.names[tree.name[box.i]], room = Math.floor((box.w - 6) / 6.2);
		list.push(`<g><title>${escape(words(box.i))}</title><rect x="${box.x.toFixed(1)}" y="${y}" width="${Math.max(box.w - 0.5, 0.4).toFixed(1)}" height="${PAGE_FRAME - 1}" fill="${colorOf(box.i)}"/>` +
			(box.w < 24 ? "" : `<text x="${(box.x + 3).toFixed(1)}" y="${y + 12}">${escape(name.length <= room ? name : name.slice(0, Math.max(room - 1, 1)) + "…")}</text>`) + "</g>");
	}
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">` +
		`<rect width="100%" height="100%" fill="#fff"/><text x="${width / 2}" y="18" text-anchor="middle" font-size="15">${escape(title)}</text>${list.join("\n")}</svg>\n`;
}

return {
	show(t, w, o = {}) {
		const same = t === tree;
		tree = t;
		through = w;
		up = o.up !== false;
		colors = o.colors || null;
		zoom = same || o.zoom !== undefined ? (o.zoom !== undefined ? o.zoom : zoom) : -1;
		if (zoom >= tree.count || (zoom >= 0 && !through[zoom]))
			zoom = -1;
		if (!same)
			focus = -1;
		redraw();
		if (!same && up)
			canvas.parentNode.scrollTop = canvas.parentNode.scrollHeight;
	},
	/* What is hidden is drawn when it is shown. */
	mark(mask) {
		const same = marks === mask;
		marks = mask;
		if (tree && !same && canvas.offsetParent)
			draw();
	},
	redraw, svg,
	get zoom() { return zoom; },
	get drawn() { return boxes.length; },
};
}

/* FlameGraph's warm colours, by the name; others for what is not the program's own code. */
function pageColor(name, kind) {
	let hash = 0;
	for (let i = 0; i < name.length; i++)
		hash = (hash * 31 + name.charCodeAt(i)) >>> 0;
	const a = (hash % 997) / 997, b = (hash % 619) / 619;
	const mix = (from, span, v) => Math.round(from + span * v);
	switch (kind) {
	case 2: return `rgb(${mix(80, 40, a)},${mix(190, 40, b)},${mix(80, 40, a)})`; /* JIT: green */
	case 3: return `rgb(${mix(230, 25, a)},${mix(130, 40, b)},${mix(20, 30, a)})`; /* kernel: orange */
	case 4: return `rgb(${mix(80, 40, a)},${mix(180, 40, b)},${mix(190, 40, a)})`; /* inlined: aqua */
	default: return `rgb(${mix(230, 25, a)},${mix(80, 110, b)},${mix(70, 30, a)})`;
	}
}
