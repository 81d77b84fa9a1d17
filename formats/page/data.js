/* What html.c wrote into the page, as columns: see there for what they hold. Runs in node, too: TEXT gives the text of
 * a column. */

function pageBytes(text) {
	if (Uint8Array.fromBase64)
		return Uint8Array.fromBase64(text);
	const binary = atob(text), bytes = new Uint8Array(binary.length);
	for (let i = 0; i < binary.length; i++)
		bytes[i] = binary.charCodeAt(i);
	return bytes;
}

async function pageInflate(text) {
	const stream = new Blob([pageBytes(text)]).stream().pipeThrough(new DecompressionStream("deflate"));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

/* All numbers of a column: exact up to 2^53. */
function pageNumbers(bytes, count) {
	const list = new Float64Array(count);
	let at = 0;
	for (let i = 0; i < count; i++) {
		let v = 0, scale = 1, b;
		while ((b = bytes[at++]) > 127) {
			v += (b - 128) * scale;
			scale *= 128;
		}
		list[i] = v + b * scale;
	}
	if (at !== bytes.length)
		throw new Error("a column ends elsewhere");
	return list;
}

function pageSamples(about, raw) {
	const n = about.rows, D = {};
	const cpus = [], weights = [];
	let time = about.firstUs, event = 0, ordered = true;
	D.time = new Float64Array(n);
	D.cpu = Int32Array.from(raw.cpu, (v) => v - 1);
	D.thread = new Uint32Array(n);
	D.event = new Uint16Array(n);
	D.node = Uint32Array.from(raw.node);
	D.weight = new Float64Array(n);
	if (about.stepUs > 1)
		D.merged = Uint32Array.from(raw.merged);
	for (let i = 0; i < n; i++) {
		const step = raw.time[i], cpu = raw.cpu[i];
		if (i === 0)
			time = about.beginUs;
		time += step % 2 ? -(step - 1) / 2 : step / 2;
		ordered = ordered && (i === 0 || time >= D.time[i - 1]);
		D.time[i] = time;
		if (raw.thread[i])
			cpus[cpu] = raw.thread[i] - 1;
		D.thread[i] = cpus[cpu];
		if (raw.event[i])
			event = raw.event[i] - 1;
		D.event[i] = event;
		if (raw.weight[i])
			weights[event] = raw.weight[i] - 1;
		D.weight[i] = weights[event];
	}
	return ordered ? D : pageOrdered(D, n);
}

/* What came late is where it belongs. */
function pageOrdered(D, n) {
	const order = Uint32Array.from({ length: n }, (_, i) => i).sort((a, b) => D.time[a] - D.time[b] || a - b);
	for (const name in D)
		D[name] = D[name].map((_, i) => D[name][order[i]]);
	return D;
}

/* parent: NONE at roots; end: behind the last node below; name. */
const PAGE_NONE = 0xffffffff;
function pageTree(count, raw) {
	const T = { count, name: new Uint32Array(count), depth: new Uint32Array(count),
		parent: new Uint32Array(count), end: new Uint32Array(count) };
	const path = [];
	let used = 0, depth = 0;
	for (let i = 0; i < count; i++) {
		depth = i ? depth + 1 - raw.drop[i] : 0;
		for (let d = depth; d < path.length; d++)
			T.end[path[d]] = i;
		path.length = depth + 1;
		path[depth] = i;
		T.depth[i] = depth;
		T.parent[i] = depth ? path[depth - 1] : PAGE_NONE;
		T.name[i] = raw.frame[i] ? used - raw.frame[i] : used++;
	}
	for (const i of path)
		T.end[i] = count;
	T.deepest = T.depth.reduce((a, b) => Math.max(a, b), 0);
	return T;
}

/* What would not be seen, or turn text round, is shown by its number. */
const PAGE_HIDDEN = [[0, 0x1f], [0x7f, 0x9f], [0xad, 0xad], [0x61c, 0x61c], [0x180e, 0x180e], [0x200b, 0x200f], [0x2028, 0x202e],
	[0x2060, 0x206f], [0xfeff, 0xfeff], [0xfff9, 0xfffb]];
function pageShown(name) {
	return name.replace(/[^\x20-\x7e]/g, (c) => {
		const code = c.charCodeAt(0);
		return PAGE_HIDDEN.some(([from, to]) => code >= from && code <= to) ? "\\u" + code.toString(16).padStart(4, "0") : c;
	});
}

/* {about, samples, tree, names, kinds, places, series, stays}: places by name, into about.modules. */
async function pageData(about, text) {
	pageSpan(about);
	const raw = {};
	await Promise.all(["time", "cpu", "thread", "event", "node", "weight", "merged", "drop", "frame", "names", "kinds", "places"].map(
		async (name) => { raw[name] = await pageInflate(text(name)); }));
	for (const name of ["time", "cpu", "thread", "event", "node", "weight"])
		raw[name] = pageNumbers(raw[name], about.rows);
	raw.merged = pageNumbers(raw.merged, about.stepUs > 1 ? about.rows : 0);
	for (const name of ["drop", "frame"])
		raw[name] = pageNumbers(raw[name], about.nodes);
	const samples = pageSamples(about, raw), series = await pageSeries(about, text);
	return {
		about, samples, series,
		stays: pageStays(about, samples, series.off),
		tree: pageTree(about.nodes, raw),
		names: new TextDecoder().decode(raw.names).split("\n").slice(0, about.names),
		kinds: pageNumbers(raw.kinds, about.names),
		places: pageNumbers(raw.places, about.names),
	};
}
