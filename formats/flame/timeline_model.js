/* Behind number.js: the lanes of a timeline as numbers. D is what timeline_data.c wrote. Spans of a row
 * stand one behind the other; where there are many, a row has coarser copies of itself, in which short
 * spans are added up as analyzers/lanes/squeeze.c does it, so that a view never reads many more spans than
 * it has pixels. */
const TL_FRAMES = 0, TL_TASKS = 1, TL_STATES = 2; /* D.mode */
const TL_RUNNING = 2, TL_RUNNABLE = 3, TL_DISK = 5; /* enum span_kind */
const TL_ROW_MAX = 4096; /* spans that are read as they are */

/* A reader of numbers: five bits in each character, the lowest first, a sixth where more follow. */
function tlReader(text) {
	const digits = new Uint8Array(128);
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	for (let i = 0; i < 64; i++)
		digits[alphabet.charCodeAt(i)] = i;
	let at = 0;
	return {
		more: () => at < text.length,
		next: () => {
			let d = digits[text.charCodeAt(at++)], value = d & 31, one = 32;
			for (; d & 32; one *= 32) {
				d = digits[text.charCodeAt(at++)];
				value += (d & 31) * one;
			}
			return value;
		},
	};
}

/* "COUNT" spans in TEXT: name, whether there is a gap before it and whether its cause is known; the gap;
 * the duration; the cause, how long before, the lane that it comes from and one. */
function tlRow(count, text) {
	const row = { n: count, start: new Float64Array(count), end: new Float64Array(count),
		name: new Uint32Array(count), cause: null, before: null, from: null, levels: [] };
	const r = tlReader(text);
	let at = 0;
	for (let i = 0; i < count; i++) {
		const head = r.next();
		at += head % 2 ? r.next() : 0;
		row.name[i] = Math.floor(head / 4);
		row.start[i] = at;
		row.end[i] = at += r.next();
		if (Math.floor(head / 2) % 2 === 0)
			continue;
		if (!row.cause) {
			row.cause = new Int32Array(count).fill(-1);
			row.before = new Float64Array(count);
			row.from = new Int32Array(count);
		}
		row.cause[i] = r.next();
		row.before[i] = r.next();
		row.from[i] = r.next() - 1;
	}
	return row;
}

/* The first span of ROW that ends after AT. */
function tlFirst(row, at) {
	let low = 0, high = row.n;
	while (low < high) {
		const mid = (low + high) >> 1;
		if (row.end[mid] > at)
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

/* The span of ROW at a time, or -1. */
function tlAt(row, at) {
	const i = tlFirst(row, at);
	return i < row.n && row.start[i] <= at ? i : -1;
}

/* Adds up the short spans of one column by name, one behind the other from where the first one began. */
function tlCollapse(to, names, lengths, count, at) {
	for (let k = 0; k < count; k++) {
		to.start[to.n] = at;
		to.end[to.n] = at += lengths[k];
		to.name[to.n++] = names[k];
	}
}

/* ROW with its spans shorter than STEP added up. */
function tlSqueeze(row, step) {
	const to = { n: 0, start: new Float64Array(row.n), end: new Float64Array(row.n),
		name: new Uint32Array(row.n) };
	const names = new Uint32Array(64), lengths = new Float64Array(64);
	let count = 0, column = -1, at = 0;
	for (let i = 0; i < row.n; i++) {
		const length = row.end[i] - row.start[i], c = Math.floor(row.start[i] / step);
		if (length >= step || c !== column || count === 64) {
			tlCollapse(to, names, lengths, count, at);
			count = 0;
			column = c;
			at = row.start[i];
		}
		if (length >= step) {
			tlCollapse(to, [row.name[i]], [length], 1, at);
			column = -1;
			continue;
		}
		let k = 0;
		while (k < count && names[k] !== row.name[i])
			k++;
		if (k === count) {
			names[count] = row.name[i];
			lengths[count++] = 0;
		}
		lengths[k] += length;
	}
	tlCollapse(to, names, lengths, count, at);
	for (const key of ["start", "end", "name"])
		to[key] = to[key].slice(0, to.n);
	return to;
}

/* What to read of ROW where a pixel stands for so many ns: the row itself, or a coarser copy. */
function tlLevel(row, pixel, span) {
	if (row.n <= TL_ROW_MAX)
		return row;
	const level = Math.floor(Math.log2(pixel / 2 / (4 * span / row.n)) / 2);
	if (!(level >= 0))
		return row;
	for (let k = 0; k <= level; k++)
		row.levels[k] = row.levels[k] ||
			tlSqueeze(k ? row.levels[k - 1] : row, 4 * span / row.n * Math.pow(4, k));
	return row.levels[level];
}

/* ---- how it is said ---- */

/* The rank of a kind from the bottom of a column: what a reader looks for comes first. */
function tlRank(kind) {
	return kind === TL_RUNNING ? 0 : kind === TL_RUNNABLE ? 1 : kind === TL_DISK ? 2 : 3;
}

/* The time AT, as "18420.543082123", in which pdtool reads it again. */
function tlSeconds(D, at) {
	let ns = D.start[1] + Math.round(at), s = BigInt(D.start[0]) + BigInt(Math.floor(ns / 1e9));
	return s + "." + String(ns % 1e9).padStart(9, "0");
}

/* As a person reads a duration that may be long. */
function tlTime(ns) {
	if (ns < 120e9)
		return pdtoolAmount(ns, "ns");
	const s = Math.round(ns / 1e9), h = Math.floor(s / 3600), m = Math.floor(s / 60) % 60;
	return (h ? h + " h " : "") + m + " min " + s % 60 + " s";
}

/* The distance of ticks of which about WANT fit into SPAN. */
function tlStep(span, want) {
	const most = span / want;
	for (const step of [10e9, 20e9, 30e9, 60e9, 120e9, 300e9, 600e9, 1200e9, 1800e9, 3600e9])
		if (most > 5e9 && step >= most)
			return step;
	const ten = Math.pow(10, Math.floor(Math.log10(most)));
	return Math.max(1, [1, 2, 5, 10].find((f) => f * ten >= most) * ten);
}

/* What ticks at multiples of STEP are called: in the unit of the step; from a base, where all that changes
 * would be the last digits. */
function tlTicks(from, to, want) {
	const step = tlStep(to - from, want), list = [], coarse = 1000 * step;
	const base = to / step > 1e5 ? Math.floor(from / coarse) * coarse : 0;
	const units = [[60e9, "min"], [1e9, "s"], [1e6, "ms"], [1e3, "us"], [1, "ns"]];
	const [unit, name] = units.find((u) => to - base >= (u[0] === 60e9 ? 120e9 : u[0])) || units[4];
	const decimals = Math.max(0, Math.ceil(-Math.log10(step / unit) - 1e-9));
	const text = (at) => {
		const v = at - base;
		if (unit < 60e9)
			return (base ? "+" : "") + (v / unit).toFixed(decimals) + " " + name;
		const s = Math.round(v / 1e9) % 60;
		return v === 0 ? "0 s" : Math.floor(v / 60e9) + " min" + (step % 60e9 ? " " + s + " s" : "");
	};
	for (let i = Math.ceil(from / step); i * step <= to; i++)
		list.push([i * step, text(i * step)]);
	const exact = (base / 1e9).toFixed(Math.max(0, Math.ceil(9 - Math.log10(coarse) - 1e-9))) + " s";
	return { list: list, base: base ? exact : "" };
}

/* TEXT as one word of a shell. */
function tlWord(text) {
	const safe = text.startsWith("-") ? "./" + text : text;
	return /^[\w@%+=:,./-]+$/.test(safe) ? safe : "'" + safe.replace(/'/g, "'\\''") + "'";
}

/* ---- the whole ---- */

function tlModel(D) {
	const hex = (c) => parseInt(c.slice(1), 16);
	const lanes = D.lanes.map(([label, rows]) => ({ label: label, open: true, rows: rows.map((r) => tlRow(r[0], r[1])) }));
	let spans = 0;
	for (const lane of lanes)
		for (const row of lane.rows)
			spans += row.n;
	return { D: D, span: D.span, lanes: lanes, spans: spans, names: D.names.map((n) => n.replace(/_\[[kwij]\]$/, "")),
		colors: D.colors.map(hex), kinds: D.kinds || D.names.map(() => 0) };
}

/* Calls TAKE(row, span, length within [from, to)) for what LANE has there. */
function tlWithin(lane, from, to, take) {
	for (const row of lane.rows)
		for (let i = tlFirst(row, from); i < row.n && row.start[i] < to; i++)
			take(row, i, Math.min(row.end[i], to) - Math.max(row.start[i], from));
}

/* Of frames: the time in which a function was the innermost one, and in which it was on the stack at all. */
function tlFunctions(model, from, to) {
	const self = new Map(), total = new Map(), add = (m, k, v) => m.set(k, (m.get(k) || 0) + v);
	for (const lane of model.lanes) {
		const at = lane.rows.map((row) => tlFirst(row, from));
		lane.rows.forEach((row, depth) => {
			const up = at.slice(0, depth);
			for (let i = at[depth]; i < row.n && row.start[i] < to; i++) {
				const length = Math.min(row.end[i], to) - Math.max(row.start[i], from);
				let again = false;
				for (let d = 0; d < depth; d++) {
					const r = lane.rows[d];
					while (up[d] < r.n - 1 && r.end[up[d]] <= row.start[i])
						up[d]++;
					again = again || r.name[up[d]] === row.name[i];
				}
				add(self, row.name[i], length);
				if (depth)
					add(self, lane.rows[depth - 1].name[up[depth - 1]], -length);
				if (!again)
					add(total, row.name[i], length);
			}
		});
	}
	return { self: self, total: total };
}

/* What happened in [from, to): rows [name, ns, count], and for states the lanes that have the most of them. */
function tlSums(model, from, to) {
	const time = new Map(), count = new Map(), lanes = [];
	model.lanes.forEach((lane, l) => {
		const own = { lane: l, run: 0, wait: 0, disk: 0 };
		tlWithin(lane, from, to, (row, i, length) => {
			const name = row.name[i], kind = model.kinds[name];
			time.set(name, (time.get(name) || 0) + length);
			count.set(name, (count.get(name) || 0) + 1);
			own.run += kind === TL_RUNNABLE || kind === TL_DISK || (kind > TL_RUNNING && kind < 8) ? 0 : length;
			own.wait += kind === TL_RUNNABLE ? length : 0;
			own.disk += kind === TL_DISK ? length : 0;
		});
		lanes.push(own);
	});
	const list = [...time].map(([name, ns]) => [name, ns, count.get(name)]).sort((a, b) => b[1] - a[1]);
	return { list: list, lanes: lanes };
}
