/* The arithmetic of the page: what a range of time, a thread, a CPU or a function comes to. No document, no drawing:
 * the tests run it in node. Weights are exact up to 2^53. */
function pageModel(data) {
const { about, samples, tree, names, stays } = data;
const threads = about.threads.map(([comm, pid, tid]) => ({ comm, pid, tid }));
const total = about.rows;
/* How many samples row I is. */
const many = samples.merged ? (i) => samples.merged[i] : () => 1;

/* The first sample at US or later. */
function place(us) {
	let low = 0, high = total;
	while (low < high) {
		const mid = (low + high) >> 1;
		if (samples.time[mid] < us)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Which threads take part: a mask, or null for all. */
function threadMask({ comm, pid, thread }) {
	if (comm === undefined && pid === undefined && thread === undefined)
		return null;
	return Uint8Array.from(threads, (t, i) => Number((comm === undefined || threads[comm].comm === t.comm) &&
		(pid === undefined || pid === t.pid) && (thread === undefined || thread === i)));
}

/* F: {event, from, to (us, TO itself is outside), cpu, comm, pid, thread}. Of samples without a length: those from FROM to TO, of
 * which PASSES(i) take part. */
function passing(f) {
	const mask = threadMask(f), { event: events, cpu: cpus, thread } = samples, { event, cpu } = f;
	return { from: f.from === undefined ? 0 : place(f.from), to: f.to === undefined ? total : place(f.to),
		passes: (i) => events[i] === event && (cpu === undefined || cpus[i] === cpu) && (!mask || mask[thread[i]]) };
}

/* TAKE(i, weight) for each sample that passes; of those that have a length, weight is what lies between. */
function each(f, take) {
	if (stays.of[f.event]) {
		eachStay(f, threadMask(f), take);
		return;
	}
	const { from, to, passes } = passing(f);
	for (let i = from; i < to; i++) {
		if (passes(i))
			take(i, samples.weight[i]);
	}
}
function eachStay(f, mask, take) {
	const [begin, end] = stays.of[f.event], [low, high] = pageNs(about, f);
	for (let i = begin; i < end; i++) {
		const k = i - stays.first, a = Math.max(stays.from[k], low), b = Math.min(stays.to[k], high);
		if (a < b && (f.cpu === undefined || samples.cpu[i] === f.cpu) && (!mask || mask[samples.thread[i]]))
			take(i, b - a, a, b);
	}
}

/* By node: the weight of all stacks that go through it, and of those that end there, and whether any do. INTO: what it gave
 * before and nobody needs any more: a system takes longer to hand out so much memory than all of this does. */
function weigh(f, into) {
	const n = tree.count, self = into ? into.self.fill(0) : new Float64Array(n), ends = into ? into.ends.fill(0) : new Uint8Array(n);
	const through = into ? into.through : new Float64Array(n), w = { through, self, ends, weight: 0, samples: 0, filter: f };
	const { node } = samples, { parent } = tree;
	each(f, (i, weight) => {
		self[node[i]] += weight;
		if (!weight)
			ends[node[i]] = 1; /* elsewhere their sum tells */
		w.weight += weight;
		w.samples += many(i);
	});
	through.set(self);
	for (let i = n - 1; i >= 0; i--) {
		if (self[i])
			ends[i] = 1;
		if (through[i] && parent[i] !== PAGE_NONE)
			through[parent[i]] += through[i];
	}
	return w;
}

/* ---- functions ---- */

/* By name: self and total; a function that calls itself counts once. Roots are commands. */
function functions(w) {
	const self = new Float64Array(names.length), all = new Float64Array(names.length), open = new Uint32Array(names.length);
	const path = [], list = [];
	for (let i = 0; i < tree.count; i++) {
		while (path.length && tree.end[path[path.length - 1]] <= i)
			open[tree.name[path.pop()]]--;
		if (!w.through[i]) {
			i = tree.end[i] - 1;
			continue;
		}
		if (tree.depth[i] === 0)
			continue;
		const name = tree.name[i];
		self[name] += w.self[i];
		if (open[name]++ === 0)
			all[name] += w.through[i];
		path.push(i);
	}
	for (let name = 0; name < names.length; name++) {
		if (all[name])
			list.push({ name, self: self[name], total: all[name] });
	}
	return list;
}

/* What is called by NAME, and who calls it, each as a tree of its own: {name, depth, parent, end, through, count}. */
function sandwich(w, name) {
	const down = pageGrown(name), up = pageGrown(name);
	for (let i = 0; i < tree.count; i++) {
		if (tree.name[i] !== name || tree.depth[i] === 0 || !w.through[i])
			continue;
		let above = tree.parent[i], inside = false;
		for (let a = above; a !== PAGE_NONE && !inside; a = tree.parent[a])
			inside = tree.name[a] === name && tree.depth[a] > 0;
		if (inside)
			continue;
		for (let node = up.add(PAGE_NONE, name, w.through[i]); above !== PAGE_NONE; above = tree.parent[above])
			node = up.add(node, tree.name[above], w.through[i]);
		const of = new Map([[i, down.add(PAGE_NONE, name, w.through[i])]]);
		for (let k = i + 1; k < tree.end[i]; k++) {
			if (!w.through[k]) {
				k = tree.end[k] - 1;
				continue;
			}
			of.set(k, down.add(of.get(tree.parent[k]), tree.name[k], w.through[k]));
		}
	}
	return { down: down.tree(), up: up.tree() };
}

/* ---- names that match ---- */

/* TEXT: a part of a name in any case, or a regular expression between slashes. Null: none was meant; a string: why not. */
function matcher(text, list = names) {
	if (!text)
		return null;
	const slashes = /^\/(.*)\/(i?)$/s.exec(text);
	const low = text.toLowerCase(), mask = new Uint8Array(list.length);
	try {
		const regex = slashes ? new RegExp(slashes[1], slashes[2]) : null;
		for (let i = 0; i < list.length; i++)
			mask[i] = Number(regex ? regex.test(list[i]) : list[i].toLowerCase().includes(low));
	} catch (e) {
		return e.message;
	}
	return mask;
}

/* The weight of stacks that have a frame of them. */
function matched(w, mask) {
	let sum = 0;
	for (let i = 0; i < tree.count; i++) {
		if (!w.through[i] || mask[tree.name[i]]) {
			sum += w.through[i];
			i = tree.end[i] - 1;
		}
	}
	return sum;
}

/* ---- over time ---- */

/* Of COLUMNS equal parts of [from, to): for each of GROUPS the sum of weights; GROUP(i): of sample i, negative: none. What has a
 * step for a time is spread over that. */
function over(f, columns, groups, group) {
	const sums = Array.from({ length: groups }, () => new Float64Array(columns));
	const scale = columns / (f.to - f.from), [from] = pageNs(about, f);
	each(f, (i, weight, a, b) => {
		const g = group(i);
		if (g >= 0 && a !== undefined)
			pageSpread(sums[g], from, 1e3 / scale, a, b);
		else if (g >= 0 && about.stepUs > 1)
			pageSpread(sums[g], f.from, 1 / scale, samples.time[i], samples.time[i] + about.stepUs, weight / about.stepUs);
		else if (g >= 0)
			sums[g][Math.min(columns - 1, Math.floor((samples.time[i] - f.from) * scale))] += samples.weight[i];
	});
	return sums;
}

/* What has samples under KEY(i), the heaviest first: [{key, weight, samples}]. */
function ranked(f, key) {
	const sums = new Map();
	each(f, (i, weight) => {
		const k = key(i), s = sums.get(k);
		if (s) {
			s.weight += weight;
			s.samples += many(i);
		} else {
			sums.set(k, { key: k, weight, samples: many(i) });
		}
	});
	return [...sums.values()].sort((a, b) => b.weight - a.weight || (a.key < b.key ? -1 : a.key > b.key));
}

/* ---- exports ---- */

/* As C's %.17g. */
function exact(v) {
	const text = v.toPrecision(17);
	if (text.includes("e"))
		return text.replace(/\.?0*e/, "e").replace(/e([+-])(\d)$/, "e$10$2");
	return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/* sum w^2 / sum w: what one sample weighs, 0 where that is not known; those that became one row are taken as equal. */
function sampleWeight(w) {
	w.sample ??= about.events[w.filter.event][2] ? weightOfOne(w.filter) : 0;
	return w.sample;
}

/* Squares are exact: of parts of 18 bits, products of which can be added up this often. BigInt takes ten times as long. */
const PART = 2 ** 18, ADDED = 2 ** 16;
function weightOfOne(f) {
	const parts = new Float64Array(5);
	let sum = 0, squares = 0n, added = 0;
	const carry = () => {
		squares += parts.reduce((all, part, k) => all + (BigInt(part) << BigInt(18 * k)), 0n);
		parts.fill(0);
		added = 0;
	};
	each(f, (i) => {
		const v = samples.merged ? Math.round(samples.weight[i] / samples.merged[i]) : samples.weight[i];
		const a = v % PART, above = Math.floor(v / PART), b = above % PART, c = Math.floor(above / PART);
		for (let left = many(i); left > 0; left -= ADDED) {
			const n = Math.min(left, ADDED);
			if (added + n > ADDED)
				carry();
			added += n;
			sum += n * v;
			parts[0] += n * a * a;
			parts[1] += n * 2 * a * b;
			parts[2] += n * (b * b + 2 * a * c);
			parts[3] += n * 2 * b * c;
			parts[4] += n * c * c;
		}
	});
	carry();
	return sum ? Number(squares) / sum : 0;
}

/* As pdtool collapse --time of the same range writes it. */
function folded(w) {
	const lines = [], prefix = [], unit = about.events[w.filter.event][2], sample = sampleWeight(w);
	let sorted = true;
	for (let i = 0; i < tree.count; i++) {
		const depth = tree.depth[i];
		prefix[depth] = depth ? prefix[depth - 1] + ";" + names[tree.name[i]] : names[tree.name[i]];
		if (!w.ends[i])
			continue;
		sorted = sorted && (!lines.length || lines[lines.length - 1][0] < prefix[depth]);
		lines.push([prefix[depth], w.self[i]]);
	}
	if (!sorted)
		lines.sort((a, b) => pageCompare(a[0], b[0]));
	const head = sample > 0 ? unit.replace("sample=0", "sample=" + exact(sample)) + "\n" : "";
	return head + lines.map(([stack, weight]) => stack + " " + weight + "\n").join("");
}

return { data, threads, place, each, weigh, sampleWeight, functions, sandwich, matcher, matched, over, ranked, folded, exact };
}

/* As bytes of UTF-8 compare: surrogates come behind all else. */
function pageCompare(a, b) {
	const n = Math.min(a.length, b.length);
	for (let i = 0; i < n; i++) {
		let x = a.charCodeAt(i), y = b.charCodeAt(i);
		if (x === y)
			continue;
		if (x >= 0xd800 && y >= 0xd800) {
			x += x < 0xe000 ? 0x2000 : 0;
			y += y < 0xe000 ? 0x2000 : 0;
		}
		return x - y;
	}
	return a.length - b.length;
}

/* The same for two of TEXTS: where none has a surrogate, bytes are in the order of characters. */
function pageComparer(texts) {
	return texts.some((text) => /[\ud800-\udfff]/.test(text)) ? pageCompare : (a, b) => a < b ? -1 : Number(a > b);
}

/* A tree that grows: equal names below the same node are one. Each call adds WEIGHT to the node that it returns. */
function pageGrown() {
	const nodes = [], roots = new Map();
	function add(parent, name, weight) {
		const below = parent === PAGE_NONE ? roots : nodes[parent].below;
		let i = below.get(name);
		if (i === undefined) {
			i = nodes.length;
			below.set(name, i);
			nodes.push({ name, weight: 0, below: new Map() });
		}
		nodes[i].weight += weight;
		return i;
	}
	/* In depth-first order, the heaviest first. */
	function tree() {
		const T = { count: nodes.length, name: new Uint32Array(nodes.length), depth: new Uint32Array(nodes.length),
			parent: new Uint32Array(nodes.length), end: new Uint32Array(nodes.length),
			through: new Float64Array(nodes.length), deepest: 0 };
		const heavy = (below) => [...below.values()].sort((a, b) => nodes[a].weight - nodes[b].weight);
		const todo = heavy(roots).map((node) => [node, PAGE_NONE, 0]), path = [];
		for (let i = 0; todo.length; i++) {
			const [node, parent, depth] = todo.pop();
			for (let d = depth; d < path.length; d++)
				T.end[path[d]] = i;
			path.length = depth + 1;
			path[depth] = i;
			T.name[i] = nodes[node].name;
			T.depth[i] = depth;
			T.parent[i] = parent;
			T.through[i] = nodes[node].weight;
			T.deepest = Math.max(T.deepest, depth);
			for (const child of heavy(nodes[node].below))
				todo.push([child, i, depth + 1]);
		}
		for (const i of path)
			T.end[i] = nodes.length;
		return T;
	}
	return { add, tree };
}
