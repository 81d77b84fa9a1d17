/* The frames of a drawing as arrays by frame, and the trees that are made of them. What an axis is:
 *
 *   kind, n, span (weight of its width), whole (weight of all), rows[lane][depth]: frames from left to
 *   right, y[lane], up: deeper frames stand higher; from, to, zoomed: the part in view;
 *   by frame: lane, depth, parent, name, color, start, weight, sides: after, before, and self of both
 *
 * Parents come before their children. Nothing here knows the page. */
const pdtoolAxis = { COUNT: 0, AFTER: 1, BEFORE: 2 }; /* enum axis_kind */

function pdtoolFrames(n, sides) {
	const whole = () => new Int32Array(n), real = () => new Float64Array(n);
	return { n: n, lane: whole(), depth: whole(), parent: whole(), name: whole(), color: whole(),
		start: real(), weight: real(), sides: sides ? [real(), real(), real(), real()] : null };
}

/* What plot_data.c wrote of an axis. */
function pdtoolDecode(axis, up) {
	const size = axis.size;
	const lanes = axis.lanes.map((lane) => JSON.parse(lane[2]));
	const n = lanes.reduce((sum, v) => sum + v.length / size, 0);
	let i = 0;
	const a = Object.assign(pdtoolFrames(n, size > 5), { kind: axis.kind, span: axis.span,
		whole: axis.span, from: 0, to: axis.span, zoomed: -1, up: up, rows: [],
		y: axis.lanes.map((lane) => lane[0]) });
	lanes.forEach((v, l) => {
		const ends = [0], open = [], rows = [];
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
			for (let side = 5; side < size; side++)
				a.sides[side - 5][i] = v[k + side];
			open[depth] = i;
			ends[depth] = start + weight;
			ends[depth + 1] = start;
			if (rows.length <= depth)
				rows.push([]);
			rows[depth].push(i);
		}
		a.rows.push(rows);
	});
	if (n)
		a.weight[0] = a.span; /* with --total the root is wider than its weight */
	return a;
}

/* A tree that grows from frames of axis A: below one parent a name comes once. */
function pdtoolGrow(a) {
	const nodes = [], known = new Map(), names = 2 ** 32;
	/* The node below UP that frame I is added to, with so much of its weight. */
	nodes.add = function (up, name, i, weight, sides) {
		const key = up * names + name;
		let at = known.get(key);
		if (at === undefined) {
			at = nodes.length;
			known.set(key, at);
			nodes.push({ parent: up, name: a.name[i], color: a.color[i], weight: 0,
				sides: [0, 0, 0, 0], colors: new Set() });
		}
		const node = nodes[at];
		node.weight += weight;
		if (a.sides) {
			node.colors.add(a.color[i]);
			sides.forEach((v, side) => node.sides[side] += v);
		}
		return at;
	};
	return nodes;
}

/* Nodes, parents first, as an axis: siblings in the order of their NAMES, from left to right. */
function pdtoolLayOut(nodes, names, axis) {
	const children = nodes.map(() => []), order = nodes.length ? [0] : [], rows = [];
	const a = Object.assign(pdtoolFrames(nodes.length, !!axis.sides), axis.view);
	nodes.forEach((node, k) => k && children[node.parent].push(k));
	const at = new Int32Array(nodes.length), ends = new Float64Array(nodes.length);
	for (let i = 0; i < order.length; i++) {
		const node = nodes[order[i]], up = i ? at[node.parent] : -1;
		const depth = i ? a.depth[up] + 1 : 0;
		at[order[i]] = i;
		a.parent[i] = up;
		a.depth[i] = depth;
		a.name[i] = node.name;
		a.color[i] = axis.paint(node);
		a.weight[i] = node.weight;
		a.start[i] = i ? ends[up] : 0;
		ends[i] = a.start[i];
		if (i)
			ends[up] += node.weight;
		if (axis.sides)
			node.sides.forEach((v, side) => a.sides[side][i] = v);
		if (rows.length <= depth)
			rows.push([]);
		rows[depth].push(i);
		children[order[i]].sort((x, y) => names[nodes[x].name] < names[nodes[y].name] ? -1 : 1);
		for (const child of children[order[i]])
			order.push(child);
	}
	a.rows = [rows];
	return a;
}

const pdtoolSides = (a, i, self) => a.sides ? [a.sides[0][i], a.sides[1][i],
	self ? a.sides[2][i] : 0, self ? a.sides[3][i] : 0] : null;

/* Axis A with each chain of frames that call themselves as one frame. SAME gives names that look the
 * same one number; PAINT a node its colour. */
function pdtoolMergeRecursion(a, names, same, paint) {
	const nodes = pdtoolGrow(a), at = new Int32Array(a.n);
	for (let i = 0; i < a.n; i++) {
		const up = a.parent[i];
		if (up > 0 && same[a.name[up]] === same[a.name[i]]) {
			at[i] = at[up];
			if (a.sides) {
				nodes[at[i]].sides[2] += a.sides[2][i];
				nodes[at[i]].sides[3] += a.sides[3][i];
			}
			continue;
		}
		at[i] = nodes.add(up < 0 ? -1 : at[up], same[a.name[i]], i, a.weight[i],
			pdtoolSides(a, i, true));
	}
	return pdtoolLayOut(nodes, names, { sides: a.sides, paint: paint, view: {
		kind: a.kind, span: a.span, whole: a.whole, from: 0, to: a.span, zoomed: -1, up: a.up,
		y: a.y } });
}

/* What called the function of frame F of axis A, and what it called: two axes, of which both begin with
 * the function, or null. What it called by calling itself is counted once. */
function pdtoolSandwich(a, f, names, same, paint) {
	const up = pdtoolGrow(a), down = pdtoolGrow(a), at = new Int32Array(a.n).fill(-1);
	const name = same[a.name[f]];
	for (let i = 0; i < a.n; i++) {
		const below = a.parent[i] < 0 ? -1 : at[a.parent[i]];
		if (below >= 0) {
			at[i] = down.add(below, same[a.name[i]], i, a.weight[i], pdtoolSides(a, i, true));
			continue;
		}
		if (!a.depth[i] || same[a.name[i]] !== name)
			continue;
		at[i] = down.add(-1, name, i, a.weight[i], pdtoolSides(a, i, true));
		let to = up.add(-1, name, i, a.weight[i], pdtoolSides(a, i, false));
		for (let k = a.parent[i]; k > 0; k = a.parent[k])
			to = up.add(to, same[a.name[k]], k, a.weight[i], pdtoolSides(a, i, false));
	}
	if (!down.length || !(down[0].weight > 0))
		return null;
	const view = (upwards) => ({ kind: a.kind, span: down[0].weight, whole: a.whole, from: 0,
		to: down[0].weight, zoomed: -1, up: upwards, y: [0], of: a.name[f] });
	return [[up, view(true)], [down, view(false)]].map(([nodes, v]) =>
		pdtoolLayOut(nodes, names, { sides: a.sides, paint: paint, view: v }));
}

/* Does a function of axis A call itself directly? */
function pdtoolIsRecursive(a, same) {
	for (let i = 0; i < a.n; i++)
		if (a.parent[i] > 0 && same[a.name[a.parent[i]]] === same[a.name[i]])
			return true;
	return false;
}

/* Adds the frames of axis A whose names match to LIST. Returns how much of the weight of all, and of
 * the part in view, is below them: what matches twice counts once. */
function pdtoolMatch(a, matches, list) {
	const inside = new Uint8Array(a.n);
	let sum = 0, all = 0, seen = 0;
	for (let i = 0; i < a.n; i++) {
		const up = a.parent[i];
		inside[i] = up >= 0 && inside[up] ? 1 : 0;
		if (up < 0)
			all += a.weight[i];
		if (!matches[a.name[i]])
			continue;
		list.push([a, i]);
		if (inside[i])
			continue;
		inside[i] = 1;
		sum += a.weight[i];
		seen += Math.max(Math.min(a.start[i] + a.weight[i], a.to) - Math.max(a.start[i], a.from), 0);
	}
	return [all > 0 ? 100 * sum / all : 0, 100 * seen / (a.to - a.from)];
}
