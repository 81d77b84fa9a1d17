/* One name for the same function on both sides of a comparison: as analyzers/profile/diff has it (match_name.h, likeness.h,
 * renames.h). Where one is changed, the other has to be; a test holds them together. */

/* ---- names ---- */

/* Without what compilers, linkers and loaders add; addresses become "0x...". */
function pageMatchName(name) {
	for (let before = null; before !== name;) {
		before = name;
		name = name.replace(/^([^]+)\.(isra|constprop|part|cold|llvm|lto_priv)(\.[0-9]+)?$/, "$1");
		name = /^[^]+@plt$/.test(name) ? name.slice(0, -4) : name.replace(/^([^]+?)@@?[A-Z][A-Za-z0-9._]*$/, "$1");
		name = name.replace(/^([^]+)::h[0-9a-fA-F]{16}$/, "$1");
	}
	return name.replace(/0x[0-9a-fA-F]+/g, "0x...");
}

/* "[unknown]", an address: what goes by such a name is not one function. */
function pageNoFunction(name) {
	if (name.startsWith("[unknown]") || name === "0x...")
		return true;
	return /^0x[0-9a-fA-F]+$/.test(name) || (/^[0-9a-fA-F]{8,}$/.test(name) && /[0-9]/.test(name));
}

/* Without template arguments: what stands in angle brackets that match; operator< has none. */
function pagePlainName(name) {
	const b = pageMatchName(name);
	let depth = 0, out = "";
	for (let i = 0; i < b.length; i++) {
		if (b[i] === "<" && (depth || (b.slice(Math.max(0, i - 8), i) !== "operator" && b.includes(">", i))))
			depth++;
		else if (b[i] === ">" && depth)
			depth--;
		else if (!depth)
			out += b[i];
	}
	return out;
}

/* 1: equal; else the longest common subsequence of their first bytes by the longer one's length. */
function pageLikeness(a, b) {
	const x = new TextEncoder().encode(pagePlainName(a)), y = new TextEncoder().encode(pagePlainName(b)), most = 256;
	const longer = Math.max(x.length, y.length), row = new Uint16Array(most + 1), m = Math.min(y.length, most);
	if (longer && x.length === y.length && x.every((v, i) => v === y[i]))
		return 1;
	for (let i = 0; i < Math.min(x.length, most); i++) {
		for (let k = 0, diagonal = 0; k < m; k++) {
			const above = row[k + 1];
			row[k + 1] = x[i] === y[k] ? diagonal + 1 : Math.max(above, row[k]);
			diagonal = above;
		}
	}
	return longer ? row[m] / (longer + 1) : 0;
}

/* ---- functions that are on one side only ---- */

const PAGE_RENAMES = { leastShare: 0.002, leastSamples: 20, mostNames: 300, passes: 2, accepted: 0.7, alike: 0.5, lead: 0.1, mostly: 0.9, between: 0.05 };
const PAGE_NOBODY = 0x7fffffff;

/* ROWS: the nodes of both sides, as compare.js has them; SUMS by name id; SIDES: {unit, factor}; TEXTS by id.
 * [{kept, gone, inlined, sure}]: after and before, or a caller and what was inlined into it. */
function pageRenames(rows, sums, sides, texts) {
const count = texts.length, list = [], paired = new Map();
const weight = (id, side, of) => of[2 * id + side] * sides[side].factor;
const all = [0, 0], samples = [0, 0], side = new Uint8Array(count);
for (let i = 0; i < 2 * count; i++) {
	all[i % 2] += sums.self[i] * sides[i % 2].factor;
	samples[i % 2] += sides[i % 2].unit > 0 ? sums.self[i] / sides[i % 2].unit : 0;
}
const mayBe = (id) => texts[id] !== "" && !"[<(".includes(texts[id][0]);

function candidates(s) {
	const found = [];
	for (let id = 0; id < count; id++) {
		const w = weight(id, s, sums.total);
		if (w > 0 && w >= PAGE_RENAMES.leastShare * all[s] && w * samples[s] >= PAGE_RENAMES.leastSamples * all[s] &&
			!(weight(id, 1 - s, sums.total) > 0) && mayBe(id))
			found.push({ id, w });
	}
	const ids = found.sort((a, b) => b.w - a.w || a.id - b.id).slice(0, PAGE_RENAMES.mostNames).map((f) => f.id);
	for (const id of ids)
		side[id] = s + 1;
	return ids;
}
const names = [candidates(0), candidates(1)];

const common = (id) => paired.has(id) ? paired.get(id).kept : id;

/* By candidate: how much of its weight has whom as caller, and as callee: sorted pairs and their sum. */
function links() {
	const by = new Map([...names[0], ...names[1]].map((id) => [id, [new Map(), new Map()]]));
	const add = (id, relation, other, s, w) => {
		w *= sides[s].factor;
		if (w > 0) {
			const map = by.get(id)[relation];
			map.set(other, (map.get(other) || 0) + w);
		}
	};
	for (let i = 0; i < rows.count; i++) {
		const id = rows.id[i], n = rows.node[i], above = rows.parent[i];
		if (above < 0)
			continue;
		const caller = rows.parent[above] < 0 ? -1 : rows.id[above];
		if (side[id]) {
			const s = side[id] - 1;
			add(id, 0, caller < 0 ? PAGE_NOBODY : common(caller), s, rows.through[s][n]);
			add(id, 1, PAGE_NOBODY, s, rows.self[s][n]);
		}
		if (caller >= 0 && side[caller]) {
			const s = side[caller] - 1;
			add(caller, 1, common(id), s, rows.through[s][n]);
		}
	}
	const listed = (map) => {
		const pairs = [...map].sort((a, b) => a[0] - b[0]);
		return { pairs, all: pairs.reduce((a, p) => a + p[1], 0) };
	};
	return new Map([...by].map(([id, maps]) => [id, maps.map(listed)]));
}

/* Weighted Jaccard of the shares: 1 for the same distribution. */
function similar(a, b) {
	let least = 0, most = 0;
	for (let i = 0, k = 0; i < a.pairs.length || k < b.pairs.length;) {
		const p = a.pairs[i], q = b.pairs[k], hasA = p && (!q || p[0] <= q[0]), hasB = q && (!p || q[0] <= p[0]);
		const x = hasA ? p[1] / a.all : 0, y = hasB ? q[1] / b.all : 0;
		least += Math.min(x, y);
		most += Math.max(x, y);
		i += hasA ? 1 : 0;
		k += hasB ? 1 : 0;
	}
	return most > 0 ? least / most : 0;
}

const isLeaf = (callees) => callees.pairs.length === 1 && callees.pairs[0][0] === PAGE_NOBODY;

function score(known, before, after) {
	const [callersA, calleesA] = known.get(before), [callersB, calleesB] = known.get(after);
	const amounts = Math.abs(Math.log(weight(after, 1, sums.total) / all[1] * all[0] / weight(before, 0, sums.total)));
	if (amounts > Math.LN2)
		return { value: 0 };
	let sum = 0.35 * similar(callersA, callersB) + 0.15 * (1 - amounts / Math.LN2), whole = 0.65;
	if (!isLeaf(calleesA) || !isLeaf(calleesB)) {
		sum += 0.25 * similar(calleesA, calleesB);
		whole += 0.25;
	}
	if ((sum + 0.15) / whole < PAGE_RENAMES.alike)
		return { value: 0 };
	const like = pageLikeness(texts[before], texts[after]);
	return { value: (sum + 0.15 * like) / whole, alike: like === 1 };
}

function add(r) {
	list.push(r);
	if (r.sure) {
		paired.set(r.gone, r);
		if (!r.inlined)
			paired.set(r.kept, r);
	}
}

function takePairs(known, last) {
	const scores = [];
	for (const before of names[0]) {
		for (const after of names[1]) {
			if (paired.has(before) || paired.has(after))
				continue;
			const s = score(known, before, after);
			if (s.value >= (s.alike ? PAGE_RENAMES.alike : PAGE_RENAMES.accepted))
				scores.push({ before, after, value: s.value });
		}
	}
	scores.sort((a, b) => b.value - a.value || a.before - b.before || a.after - b.after);
	for (const s of scores) {
		const contested = scores.some((o) => o !== s && o.value > s.value - PAGE_RENAMES.lead &&
			((o.before === s.before && !paired.has(o.after)) || (o.after === s.after && !paired.has(o.before))));
		if (!paired.has(s.before) && !paired.has(s.after) && (!contested || last))
			add({ kept: s.after, gone: s.before, inlined: false, sure: !contested });
	}
}

/* A function that is on side S only, whose caller has taken over its self weight. */
function checkInlined(known, id, s) {
	const callers = known.get(id)[0], only = callers.pairs.find((p) => p[1] >= PAGE_RENAMES.mostly * callers.all);
	const caller = only ? only[0] : PAGE_NOBODY;
	if (caller === PAGE_NOBODY || caller === id || side[caller] || !mayBe(caller))
		return;
	const own = weight(id, s, sums.self) / all[s], here = weight(caller, s, sums.self) / all[s];
	const there = weight(caller, 1 - s, sums.self) / all[1 - s];
	const error = Math.sqrt((own + here) / samples[s] + there / samples[1 - s]) + PAGE_RENAMES.between * (own + here);
	if (own > 0 && there - here > own / 2 && Math.abs(there - here - own) <= 2 * error)
		add({ kept: caller, gone: id, inlined: true, sure: true });
}

for (let pass = 1; pass <= PAGE_RENAMES.passes && names[0].length && names[1].length; pass++)
	takePairs(links(), pass === PAGE_RENAMES.passes);
const known = names[0].length || names[1].length ? links() : null;
for (const s of [0, 1]) {
	for (const id of names[s]) {
		if (!paired.has(id))
			checkInlined(known, id, s);
	}
}
return { list, paired };
}
