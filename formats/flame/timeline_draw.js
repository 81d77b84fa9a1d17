/* Behind timeline_model.js: paints what is in view into a canvas, pixel by pixel. Several spans in one
 * pixel share its height, and each has at least a part of it, so that what is rare is not lost; of groups, of
 * which what is most shall show, only the greatest has and what a search found; of frames the longest one shows, the paler the less of the pixel is covered. */
const TL_LEAST = 5; /* the least part of the height that a span has which is much shorter than a pixel */
const TL_MINI = 44, TL_RULER = 24, TL_BAR = 10; /* heights; the width of the scroll bar */

function tlTheme(dark) {
	return dark ? { back: 0x1e1e1e, band: 0x262626, grid: 0x3a3a3a, text: "#ddd", weak: "#aaa", line: "#888",
		mark: "#6bf", shade: "rgba(0,0,0,.55)", range: "rgba(110,190,255,.22)", arrow: "#fff", hit: "#ff5cff", hover: "#fff" } :
		{ back: 0xffffff, band: 0xf4f4f4, grid: 0xdcdcdc, text: "#000", weak: "#555", line: "#888",
		mark: "#06c", shade: "rgba(120,120,120,.35)", range: "rgba(0,102,204,.16)", arrow: "#c00", hit: "#d000d0", hover: "#000" };
}

/* 0xrrggbb as four bytes in the order of a canvas, ALPHA of it on GROUND. */
function tlInk(color, alpha, ground) {
	const mix = (shift) => Math.round((color >> shift & 255) * alpha + (ground >> shift & 255) * (1 - alpha));
	return (255 << 24 | mix(0) << 16 | mix(8) << 8 | mix(16)) >>> 0;
}

/* Where lanes lie, from the top of the first one: y[lane], and y[lanes] below all. */
function tlLayout(model, view) {
	const y = new Float64Array(model.lanes.length + 1);
	view.frame = Math.max(model.D.frame, 8);
	model.lanes.forEach((lane, l) => {
		y[l + 1] = y[l] + (lane.open ? view.head + lane.rows.length * view.frame + 3 : 6);
	});
	view.y = y;
}

function tlLaneAt(view, y) {
	let low = 0, high = view.y.length - 1;
	while (low < high) {
		const mid = (low + high) >> 1;
		if (view.y[mid + 1] > y)
			high = mid;
		else
			low = mid + 1;
	}
	return low < view.y.length - 1 && y >= 0 ? low : -1;
}

/* The top of row R of an open lane. */
function tlRowTop(model, view, l, r) {
	const n = model.lanes[l].rows.length;
	return view.y[l] + (model.lanes[l].open ? view.head + (model.D.up ? n - 1 - r : r) * view.frame : 0);
}

/* Collects what one pixel holds: NAME, and what has the same colour, takes W of it. */
function tlPixel() {
	return { n: 0, names: new Uint32Array(16), parts: new Float64Array(16), inks: null, at: -1 };
}

function tlAddPart(pixel, name, w) {
	let k = 0;
	while (k < pixel.n && pixel.inks[pixel.names[k]] !== pixel.inks[name])
		k++;
	if (k === pixel.n) {
		if (k === 16) {
			k = 15;
		} else {
			pixel.names[pixel.n++] = name;
			pixel.parts[k] = 0;
		}
	}
	pixel.parts[k] += w;
}

/* The parts of a pixel from the bottom, by RANK. */
function tlSortParts(pixel, rank) {
	for (let i = 1; i < pixel.n; i++) {
		const name = pixel.names[i], part = pixel.parts[i];
		let k = i;
		for (; k && (rank[pixel.names[k - 1]] - rank[name] || pixel.names[k - 1] - name) > 0; k--) {
			pixel.names[k] = pixel.names[k - 1];
			pixel.parts[k] = pixel.parts[k - 1];
		}
		pixel.names[k] = name;
		pixel.parts[k] = part;
	}
}

/* One column of shares: X, from TOP, HEIGHT. */
function tlStack(g, pixel, x, top, height) {
	const some = Math.max(Math.floor(height / TL_LEAST), 1);
	let left = height, best = 0;
	tlSortParts(pixel, g.rank);
	for (let k = 1; k < pixel.n; k++)
		best = pixel.parts[k] > pixel.parts[best] ? k : best;
	for (let k = 0; k < pixel.n && left > 0; k++) {
		const least = !g.groups || k === best || (g.match && g.match[pixel.names[k]]) ? some : 0, rest = pixel.n - 1 - k;
		let n = Math.round(pixel.parts[k] * height);
		n = Math.min(Math.max(n, least), Math.max(left - rest, 1));
		const ink = g.inks[pixel.names[k]];
		for (let y = top + left - n; y < top + left; y++)
			if (y >= g.clip && y < g.height)
				g.pixels[y * g.width + x] = ink;
		left -= n;
	}
}

/* One column of frames: the longest, on the ground; and BEFORE, that of the column before, while it has half of
 * that, so that what goes on for many columns looks so and gets its name. Returns which. */
function tlLongest(g, pixel, x, top, height, before) {
	let best = 0, sum = 0;
	for (let k = 0; k < pixel.n; k++) {
		sum += pixel.parts[k];
		best = pixel.parts[k] > pixel.parts[best] ? k : best;
	}
	for (let k = 0; k < pixel.n; k++)
		if (pixel.names[k] === before && 2 * pixel.parts[k] >= pixel.parts[best])
			best = k;
	const ink = tlInk(g.colors[pixel.names[best]], Math.min(1, Math.max(0.6, sum)), g.back);
	for (let y = Math.max(top, g.clip); y < Math.min(top + height, g.height); y++)
		g.pixels[y * g.width + x] = ink;
	return pixel.names[best];
}

function tlBox(g, x0, x1, top, height, ink) {
	const from = Math.max(top, g.clip), to = Math.min(top + height, g.height);
	for (let y = from; y < to; y++)
		g.pixels.fill(ink, y * g.width + x0, y * g.width + x1);
}

/* Pixels of one function, whatever frames they are of, have its name once, on a plate if there are gaps between
 * them: not wide ones, and nothing else. */
function tlRun(g, top, height, wide) {
	let name = -1, from = 0, to = 0, gaps = 0;
	const end = () => {
		if (name >= 0 && to - from >= (gaps ? 2 : 1) * g.textMin)
			wide.push(from, to, top, height, name, gaps);
		name = -1;
	};
	return {
		end: end,
		at: (x) => (x <= to ? name : -1),
		add: (n, x0, x1) => {
			if (n !== name || x0 - to > g.textMin / 2) {
				end();
				name = n;
				from = x0;
				gaps = 0;
			} else if (x0 > to) {
				gaps = 1;
			}
			to = x1;
		},
	};
}

/* A row of spans. G: where and how; WIDE gets those that have room for text. */
function tlPaintRow(g, row, top, height, wide) {
	const { from, to, left, wideness } = g, k = wideness / (to - from), pixel = g.pixel;
	const level = tlLevel(row, 1 / k, g.span), { start, end, name } = level;
	const run = g.frames && wide ? tlRun(g, top, height, wide) : null;
	const put = (x) => {
		if (!g.frames)
			return tlStack(g, pixel, left + x, top, height);
		const name = tlLongest(g, pixel, left + x, top, height, run ? run.at(x) : -1);
		if (run)
			run.add(name, x, x + 1);
	};
	let solid = 0; /* pixels before this one are taken by a wide span */
	const flush = () => {
		if (pixel.n && pixel.at >= 0 && pixel.at < wideness)
			put(pixel.at);
		pixel.n = 0;
		pixel.at = -1;
	};
	for (let i = tlFirst(level, from); i < level.n && start[i] < to; i++) {
		const a = Math.max((start[i] - from) * k, 0), b = Math.min((end[i] - from) * k, wideness);
		if (b - a >= 3) {
			const x0 = Math.max(Math.round(a), pixel.at + 1, solid), x1 = Math.round(b);
			flush();
			tlBox(g, left + x0, left + x1, top, height, g.inks[name[i]]);
			if (b - a > 6) /* tells neighbours of one colour apart */
				tlBox(g, left + x1 - 1, left + x1, top, height, g.edges[name[i]]);
			if (run && b - a < g.textMin)
				run.add(name[i], x0, x1);
			else if (run)
				run.end();
			if (wide && b - a >= g.textMin)
				wide.push(x0, x1, top, height, name[i], 0);
			solid = x1;
			continue;
		}
		const least = Math.min(Math.floor(a), wideness - 1), last = Math.max(Math.ceil(b) - 1, least);
		for (let p = least; p <= last; p++) { /* on the edge of a wide one, too */
			if (p !== pixel.at) {
				flush();
				pixel.at = p;
			}
			tlAddPart(pixel, name[i], Math.max(Math.min(b, p + 1) - Math.max(a, p), 0));
		}
	}
	flush();
	if (run)
		run.end();
}

/* ---- the canvas ---- */

/* Who paints: P.canvas, and buffers that are kept from one picture to the next. */
function tlPainter(model, canvas, font) {
	return { model: model, canvas: canvas, context: canvas.getContext("2d"), font: font, image: null, widths: new Map(),
		pixel: tlPixel(), rank: model.D.ranks || model.kinds.map(tlRank), mini: null };
}

/* Colours by name: what a search did not find is pale. */
function tlInks(p, view) {
	const { model } = p, back = view.theme.back;
	const key = back + (view.match ? " " + view.match.serial : "");
	if (p.inkKey === key)
		return;
	p.inkKey = key;
	const found = (i) => !view.match || view.match.names[i];
	p.inks = Uint32Array.from(model.colors, (c, i) => tlInk(c, found(i) ? 1 : 0.25, back));
	p.edges = Uint32Array.from(model.colors, (c, i) => tlInk(c, found(i) ? 0.55 : 0.15, back));
	p.pixel.inks = model.D.mode === TL_FRAMES ? Uint32Array.from(model.colors.keys()) : p.inks; /* each frame has its name */
	p.colors = Uint32Array.from(model.colors, (c, i) => found(i) ? c : tlPale(c, back));
}

function tlPale(color, back) {
	const mix = (shift) => Math.round((color >> shift & 255) * 0.25 + (back >> shift & 255) * 0.75) << shift;
	return mix(16) | mix(8) | mix(0);
}

function tlBuffer(p, view) {
	const w = Math.round(view.width * view.ratio), h = Math.round(view.height * view.ratio);
	if (!p.image || p.image.width !== w || p.image.height !== h) {
		p.canvas.width = w;
		p.canvas.height = h;
		p.image = p.context.createImageData(w, h);
		p.pixels = new Uint32Array(p.image.data.buffer);
	}
	return { w: w, h: h };
}

/* All lanes in view; returns the spans with room for text. */
function tlPaintLanes(p, view, ticks) {
	const { w, h } = tlBuffer(p, view), z = view.ratio, { model } = p, wide = [];
	const back = tlInk(view.theme.back, 1, 0), band = tlInk(view.theme.band, 1, 0), grid = tlInk(view.theme.grid, 1, 0);
	const g = { pixels: p.pixels, width: w, height: h, clip: Math.round(view.top * z), from: view.from, to: view.to,
		left: Math.round(view.left * z), wideness: Math.round(view.inner * z), inks: p.inks, edges: p.edges, colors: p.colors,
		rank: p.rank, back: view.theme.back, frames: model.D.mode === TL_FRAMES, groups: Boolean(model.D.ranks), match: view.match && view.match.names, pixel: p.pixel, span: model.span,
		textMin: 26 * z };
	p.pixels.fill(back);
	for (let l = Math.max(tlLaneAt(view, view.scroll), 0); l < model.lanes.length; l++) {
		const y0 = Math.round((view.top + view.y[l] - view.scroll) * z), y1 = Math.round((view.top + view.y[l + 1] - view.scroll) * z);
		if (y0 >= h)
			break;
		if (l % 2)
			tlBox(g, 0, w, y0, y1 - y0, band);
	}
	for (const [at] of ticks.list) {
		const x = g.left + Math.round((at - view.from) / (view.to - view.from) * g.wideness);
		if (x >= g.left && x < w)
			tlBox(g, x, Math.min(x + 1, w), g.clip, h - g.clip, grid);
	}
	for (let l = Math.max(tlLaneAt(view, view.scroll), 0); l < model.lanes.length; l++) {
		if (view.top + view.y[l] - view.scroll >= view.height)
			break;
		const lane = model.lanes[l], rows = lane.open ? lane.rows : lane.rows.slice(0, 1);
		rows.forEach((row, r) => {
			const y = Math.round((view.top + tlRowTop(model, view, l, r) - view.scroll) * z);
			const height = Math.round((lane.open ? view.frame - 1 : 5) * z);
			if (y + height > g.clip && y < h)
				tlPaintRow(g, row, y, height, lane.open ? wide : null);
		});
	}
	p.context.putImageData(p.image, 0, 0);
	return wide;
}

/* TEXT as much as fits into ROOM, measured once. */
function tlCut(p, text, room) {
	let width = p.widths.get(text);
	if (width === undefined)
		p.widths.set(text, width = p.context.measureText(text).width);
	if (width <= room)
		return text;
	const n = Math.floor(text.length * room / width) - 1;
	return n < 2 ? "" : text.slice(0, n).replace(/[\ud800-\udbff]$/, "") + "…";
}

function tlLabels(p, view, wide) {
	const c = p.context, z = view.ratio;
	c.save();
	c.beginPath();
	c.rect(view.left * z, view.top * z, view.inner * z, (view.height - view.top) * z);
	c.clip();
	c.font = Math.round(11 * z) + "px " + p.font;
	c.textBaseline = "middle";
	c.textAlign = "left";
	for (let i = 0; i < wide.length; i += 6) {
		const text = tlCut(p, p.model.names[wide[i + 4]], wide[i + 1] - wide[i] - 6 * z);
		if (wide[i + 5] && text) {
			c.fillStyle = tlCss(view.theme.back);
			c.fillRect(view.left * z + wide[i], wide[i + 2], c.measureText(text).width + 6 * z, wide[i + 3]);
			c.fillStyle = view.theme.text;
			c.fillText(text, view.left * z + wide[i] + 3 * z, wide[i + 2] + wide[i + 3] / 2 + z / 2);
			continue;
		}
		c.fillStyle = view.match && !view.match.names[wide[i + 4]] ? view.theme.weak : p.texts[wide[i + 4]];
		if (text)
			c.fillText(text, view.left * z + wide[i] + 3 * z, wide[i + 2] + wide[i + 3] / 2 + z / 2);
	}
	c.restore();
}

/* From here on in pixels of the page. */

function tlText(p, text, x, y, color, align) {
	const c = p.context;
	c.fillStyle = color;
	c.textAlign = align || "left";
	c.fillText(text, x, y);
}

/* Names of lanes, which stay in sight: beside them, or above them where the window is narrow. A lane that
 * has begun above the window has its name at the top. */
function tlGutter(p, view) {
	const c = p.context, { model } = p, beside = view.left > 0;
	c.font = "11px " + p.font;
	c.textBaseline = "middle";
	for (let l = Math.max(tlLaneAt(view, view.scroll), 0); l < model.lanes.length; l++) {
		const lane = model.lanes[l], y0 = view.top + view.y[l] - view.scroll, y1 = view.top + view.y[l + 1] - view.scroll;
		if (y0 >= view.height)
			break;
		if (!lane.open)
			continue;
		const y = Math.min(Math.max(y0, view.top), y1 - 16) + (beside ? (view.frame - 1) / 2 + 1 : view.head / 2 + 1);
		const found = view.match && view.match.lanes[l];
		if (y < view.top - 4)
			continue;
		const text = "\u25be " + lane.label;
		if (beside) {
			tlText(p, tlCut(p, text, view.left - 8), 4, y, found ? view.theme.hit : view.theme.text);
		} else {
			const short = tlCut(p, text, view.inner - 8);
			c.fillStyle = tlCss(view.theme.back);
			c.fillRect(0, y - 7, p.widths.get(text) + 8, 14);
			tlText(p, short, 4, y, found ? view.theme.hit : view.theme.text);
		}
	}
}

const tlCss = (color) => "#" + color.toString(16).padStart(6, "0");

function tlRuler(p, view, ticks) {
	const c = p.context, y = TL_MINI + TL_RULER / 2;
	c.fillStyle = tlCss(view.theme.band);
	c.fillRect(0, TL_MINI, view.width, TL_RULER);
	c.font = "11px " + p.font;
	c.textBaseline = "middle";
	if (ticks.base)
		tlText(p, ticks.base, view.left ? 4 : view.left + 2, view.left ? y : TL_MINI + 7, view.theme.weak);
	for (const [at, text] of ticks.list) {
		const x = tlX(view, at), room = c.measureText(text).width;
		c.fillStyle = view.theme.line;
		c.fillRect(x, TL_MINI + TL_RULER - 6, 1, 6);
		if (x + 3 + room < view.left + view.inner)
			tlText(p, text, x + 3, y, view.theme.text);
	}
}

const tlX = (view, at) => view.left + (at - view.from) / (view.to - view.from) * view.inner;

/* ---- the whole capture in one strip ---- */

/* Where a time of the whole capture lies in the strip, which stands above the lanes. */
const tlMiniX = (p, view, at) => view.left + at / p.model.span * view.inner;

/* What the strip tells apart: of each name the index of its colour, -1: not in it. */
function tlMiniOf(p, view) {
	const { D, kinds } = p.model, of = [TL_RUNNING, TL_RUNNABLE, TL_DISK], colors = [];
	if (D.ranks) {
		D.ranks.forEach((rank, i) => { colors[rank] = D.colors[i]; });
		return { of: D.ranks, colors: Array.from(colors, (c) => c || view.theme.line) };
	}
	return D.mode === TL_STATES ? { of: kinds.map((k) => of.indexOf(k)), colors: D.mini } :
		{ of: kinds.map(() => 0), colors: [view.theme.line] };
}

/* By colour and pixel, the time of all lanes. */
function tlMiniSums(p, view, { of, colors }) {
	const n = Math.round(view.inner), { model } = p, pixel = model.span / n;
	const sums = colors.map(() => new Float64Array(n));
	for (const lane of model.lanes) {
		const row = lane.rows[0] && tlLevel(lane.rows[0], pixel, model.span);
		for (let i = 0; row && i < row.n; i++) {
			const to = sums[of[row.name[i]]], a = row.start[i] / pixel, b = row.end[i] / pixel;
			if (!to)
				continue;
			for (let x = Math.floor(a); x < b && x < n; x++)
				to[x] += Math.min(b, x + 1) - Math.max(a, x);
		}
	}
	return sums;
}

/* The picture of the strip, which stays until the window changes. */
function tlMiniPicture(p, view) {
	const z = view.ratio, key = [view.width, view.left, z, view.theme.back].join(" ");
	if (p.mini && p.miniKey === key)
		return p.mini;
	const what = tlMiniOf(p, view), sums = tlMiniSums(p, view, what), canvas = p.mini || document.createElementNS("http://www.w3.org/1999/xhtml", "canvas");
	let most = 0;
	for (let x = 0; x < sums[0].length; x++)
		most = Math.max(most, sums.reduce((sum, of) => sum + of[x], 0));
	canvas.width = Math.round(view.width * z);
	canvas.height = TL_MINI * z;
	const c = canvas.getContext("2d");
	c.scale(z, z);
	c.fillStyle = tlCss(view.theme.band);
	c.fillRect(0, 0, view.width, TL_MINI);
	for (let x = 0; x < sums[0].length; x++) {
		let y = TL_MINI - 2;
		what.colors.forEach((color, k) => {
			const height = most ? sums[k][x] / most * (TL_MINI - 6) : 0;
			c.fillStyle = color;
			c.fillRect(view.left + x, y -= height, 1, height);
		});
	}
	p.mini = canvas;
	p.miniKey = key;
	p.miniMost = most;
	return canvas;
}

/* What the strip counts: so many at once at the most. */
function tlMiniNames(p, view) {
	const most = p.miniMost < 9.95 ? Math.round(p.miniMost * 10) / 10 : Math.round(p.miniMost);
	const what = p.model.D.mode === TL_STATES ? ["run or wait"] : p.model.D.mode === TL_TASKS ? ["busy CPUs"] : ["threads run"];
	p.context.font = "10px " + p.font;
	p.context.textBaseline = "middle";
	tlText(p, tlCut(p, "at most " + most, view.left - 6), 4, 10, view.theme.weak);
	tlText(p, tlCut(p, what[0], view.left - 6), 4, 24, view.theme.weak);
}

function tlMini(p, view) {
	const c = p.context, x0 = tlMiniX(p, view, view.from), x1 = Math.max(tlMiniX(p, view, view.to), x0 + 2), end = view.left + view.inner;
	c.drawImage(tlMiniPicture(p, view), 0, 0, view.width, TL_MINI);
	if (view.left)
		tlMiniNames(p, view);
	c.fillStyle = view.theme.shade;
	c.fillRect(view.left, 0, x0 - view.left, TL_MINI);
	c.fillRect(x1, 0, end - x1, TL_MINI);
	c.strokeStyle = view.theme.mark;
	c.lineWidth = 1.5;
	c.strokeRect(x0 + 0.75, 0.75, Math.max(x1 - x0 - 1.5, 1), TL_MINI - 1.5);
}

/* ---- what lies above the lanes ---- */

function tlBoxOf(p, view, found) {
	const [l, r, i] = found, lane = p.model.lanes[l], row = lane.rows[r];
	const x0 = Math.max(tlX(view, row.start[i]), view.left), x1 = Math.min(tlX(view, row.end[i]), view.left + view.inner);
	const y = view.top + tlRowTop(p.model, view, l, lane.open ? r : 0) - view.scroll;
	return { x: x0, y: y, width: Math.max(x1 - x0, 1), height: lane.open ? view.frame - 1 : 5,
		seen: x1 >= view.left && x0 <= view.left + view.inner && y + view.frame > view.top && y < view.height };
}

function tlOutline(p, view, found, color, width) {
	const b = found && tlBoxOf(p, view, found), c = p.context;
	if (!b || !b.seen)
		return;
	c.strokeStyle = color;
	c.lineWidth = width;
	c.strokeRect(b.x - 0.5, b.y - 0.5, b.width + 1, b.height + 1);
}

/* From where and when a span was brought about. */
function tlArrow(p, view, found) {
	const [l, r, i] = found || [], row = found && p.model.lanes[l].rows[r], c = p.context;
	if (!row || !row.cause || row.cause[i] < 0 || row.from[i] < 0)
		return;
	const to = p.model.lanes[row.from[i]], y = (lane, o) => view.top + tlRowTop(p.model, view, lane, 0) - view.scroll + (o.open ? view.frame / 2 : 2);
	const x0 = tlX(view, row.start[i] - row.before[i]), y0 = y(row.from[i], to), x1 = tlX(view, row.start[i]), y1 = y(l, p.model.lanes[l]);
	const angle = Math.atan2(y1 - y0, x1 - x0);
	c.strokeStyle = c.fillStyle = view.theme.arrow;
	c.lineWidth = 1.5;
	c.beginPath();
	c.moveTo(x0, y0);
	c.lineTo(x1, y1);
	c.stroke();
	c.beginPath();
	c.moveTo(x1, y1);
	for (const turn of [0.4, -0.4])
		c.lineTo(x1 - 8 * Math.cos(angle + turn), y1 - 8 * Math.sin(angle + turn));
	c.fill();
}

function tlRange(p, view) {
	const c = p.context;
	if (!view.range)
		return;
	const clamp = (x) => Math.min(Math.max(x, view.left), view.left + view.inner);
	const x0 = clamp(tlX(view, view.range[0])), x1 = clamp(tlX(view, view.range[1]));
	c.fillStyle = view.theme.range;
	c.fillRect(x0, TL_MINI, Math.max(x1 - x0, 1), view.height - TL_MINI);
	c.fillStyle = view.theme.mark;
	c.fillRect(x0, TL_MINI, 1.5, view.height - TL_MINI);
	c.fillRect(x1 - 1.5, TL_MINI, 1.5, view.height - TL_MINI);
	const text = tlTime(view.range[1] - view.range[0]), room = c.measureText(text).width + 8;
	const x = Math.min(Math.max((x0 + x1) / 2, view.left + room / 2), view.left + view.inner - room / 2);
	c.fillRect(x - room / 2, TL_MINI + 3, room, TL_RULER - 6);
	tlText(p, text, x, TL_MINI + TL_RULER / 2, tlCss(view.theme.back), "center");
	const m0 = tlMiniX(p, view, view.range[0]), m1 = tlMiniX(p, view, view.range[1]);
	c.fillStyle = view.theme.mark;
	c.fillRect(m0, TL_MINI - 3, Math.max(m1 - m0, 2), 3);
}

/* The bar by which lanes are scrolled, where they do not fit. */
function tlScrollBar(view) {
	const room = view.height - view.top, all = view.y[view.y.length - 1];
	if (all <= room)
		return null;
	const height = Math.max(room * room / all, 24);
	return { x: view.width - TL_BAR, y: view.top + view.scroll / (all - room) * (room - height), height: height, room: room, all: all };
}

function tlPaint(p, view) {
	const c = p.context, z = view.ratio;
	const ticks = tlTicks(view.from, view.to, Math.max(view.inner / 110, 2));
	tlInks(p, view);
	p.widths = p.widths.size > 20000 || p.ratio !== z ? new Map() : p.widths;
	p.ratio = z;
	c.setTransform(1, 0, 0, 1, 0, 0);
	tlLabels(p, view, tlPaintLanes(p, view, ticks));
	c.setTransform(z, 0, 0, z, 0, 0);
	c.save();
	c.beginPath();
	c.rect(0, view.top, view.width, view.height - view.top);
	c.clip();
	tlGutter(p, view);
	tlOutline(p, view, view.hover, view.theme.hover, 1);
	tlOutline(p, view, view.chosen, view.theme.mark, 2);
	tlArrow(p, view, view.hover || view.chosen);
	c.restore();
	tlMini(p, view);
	tlRuler(p, view, ticks);
	tlRange(p, view);
	const bar = tlScrollBar(view);
	if (bar) {
		c.fillStyle = view.theme.line;
		c.fillRect(bar.x + 2, bar.y, TL_BAR - 4, bar.height);
	}
}
