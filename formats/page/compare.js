/* Two ranges compared: what pdtool diff says of the folded stacks of both (analyzers/profile/diff), computed here by the
 * same definitions. No document: the tests hold it against the command in node.
 *
 *   const differ = pageDiffer(tree, names);
 *   const d = differ.compare([before, after], "duration", words)
 *
 * A side is what pageSide() makes: {weights, unit, name, ...}: weights by model.weigh() over the one tree; unit: what one sample
 * weighs, 0: not known. */
const PAGE_BASES = ["none", "total", "duration", "cpu"];
const PAGE_LEAST_SAMPLES = 100, PAGE_MAX_LOST = 5, PAGE_MOST_FOUND = 512, PAGE_RENAMES_SAID = 5;

/* As printf rounds: halves to even. */
function pageFixed(v, decimals) {
	const scaled = v * 10 ** decimals;
	if (Math.abs(scaled % 1) === 0.5 && Number.isInteger(v * 2 ** (decimals + 1)))
		return (2 * Math.round(scaled / 2) / 10 ** decimals).toFixed(decimals);
	return v.toFixed(decimals);
}

/* C's %.*g */
function pageG(v, digits) {
	const [mantissa, exponent] = v.toExponential(digits - 1).split("e"), e = Number(exponent);
	const bare = (s) => s.includes(".") ? s.replace(/\.?0+$/, "") : s;
	if (e >= -4 && e < digits)
		return bare(v.toFixed(digits - 1 - e));
	return bare(mantissa) + "e" + (e < 0 ? "-" : "+") + String(Math.abs(e)).padStart(2, "0");
}

/* How the facts write numbers where machines read them. */
const PAGE_PLAIN_WORDS = {
	count: (v) => String(v), percent: (v) => pageFixed(v, 2) + " %",
	real: (v, inNs) => (Number.isInteger(v) ? String(v) : pageG(v, 15)) + (inNs ? " ns" : ""),
};

function pageDiffer(tree, names) {
const ids = new Map(), texts = [], first = [];
const merged = Uint32Array.from(names, (name, i) => {
	const text = pageMatchName(name);
	let id = ids.get(text);
	if (id === undefined) {
		id = texts.length;
		ids.set(text, id);
		texts.push(text);
		first.push(i);
	}
	return id;
});

/* ---- the rows of both sides ---- */

/* Memory for them that each comparison uses again: a system takes longer to hand it out than it takes to fill it. */
const room = { has: new Uint8Array(tree.count), node: new Uint32Array(tree.count), parent: new Int32Array(tree.count), id: new Int32Array(tree.count),
	path: new Int32Array(1 + tree.depth.reduce((a, b) => Math.max(a, b), 0)) };

/* By node: 1, the first side has it, and 2, the other one. */
function hasOf([a, b]) {
	const has = room.has.fill(0);
	for (let i = tree.count - 1; i >= 0; i--) {
		const both = has[i] |= a.weights.ends[i] | b.weights.ends[i] << 1;
		if (both && tree.parent[i] !== PAGE_NONE)
			has[tree.parent[i]] |= both;
	}
	return has;
}

/* The nodes that either side has, in the order of the tree, with merged names for ids: how many. COME: the names of each side, as
 * they come. */
function fillRows(has, come) {
	const { node, parent, id, path } = room, seen = new Uint8Array(texts.length);
	let count = 0;
	for (let i = 0; i < tree.count; i++) {
		if (!has[i])
			continue;
		const name = merged[tree.name[i]], depth = tree.depth[i], unseen = has[i] & ~seen[name];
		seen[name] |= unseen;
		for (let s = 0; s < 2; s++) {
			if (unseen & 1 << s)
				come[s].push(name);
		}
		node[count] = i;
		parent[count] = depth ? path[depth - 1] : -1;
		id[count] = name;
		path[depth] = count++;
	}
	return count;
}

/* The rows: names are numbered as they come in the text of one side, then of the other. */
function rowsOf(sides) {
	const come = [[], []], count = fillRows(hasOf(sides), come), used = [...new Set([...come[0], ...come[1]])], number = new Int32Array(texts.length);
	const [a, b] = sides.map((s) => s.weights), [node, parent, id] = ["node", "parent", "id"].map((of) => room[of].subarray(0, count));
	used.forEach((name, k) => { number[name] = k; });
	for (let i = 0; i < count; i++)
		id[i] = number[id[i]];
	/* these by node */
	const weights = { self: [a.self, b.self], through: [a.through, b.through], ends: [a.ends, b.ends] };
	return { count, texts: used.map((name) => texts[name]), renamed: false, node, parent, id, ...weights };
}

/* Self and total by id * 2 + side; roots, the commands, are no functions. An id below 0: its weight is that of the one above. */
function addSums({ count, node, parent, id, self: [selfA, selfB], through: [throughA, throughB] }, self, total, open) {
	const { path } = room;
	for (let i = 0, deep = 0; i < count; i++) {
		const n = node[i], depth = tree.depth[n];
		while (deep > depth) {
			if (path[--deep] >= 0)
				open[path[deep]]--;
		}
		let at = i;
		while (id[at] < 0)
			at = parent[at];
		const k = id[at];
		path[deep++] = at === i && depth > 0 ? k : -1;
		if ((selfA[n] || selfB[n]) && parent[at] >= 0) {
			self[2 * k] += selfA[n];
			self[2 * k + 1] += selfB[n];
		}
		if (at === i && depth > 0 && open[k]++ === 0) {
			total[2 * k] += throughA[n];
			total[2 * k + 1] += throughB[n];
		}
	}
}
function sumsOf(rows) {
	const n = rows.texts.length, self = new Float64Array(2 * n), total = new Float64Array(2 * n);
	addSums(rows, self, total, new Uint32Array(n));
	return { self, total };
}

/* One name for both: "new (was old)", "caller (with callee inlined)". */
function applied(rows, renames) {
	if (!renames.list.length)
		return rows;
	const known = new Map(), list = [], text = (id) => rows.texts[id];
	const now = rows.texts.map((name, id) => {
		const r = renames.paired.get(id), inlined = renames.list.filter((k) => k.inlined && k.kept === id).map((k) => text(k.gone));
		if (r && !r.inlined)
			name = text(r.kept) + " (was " + text(r.gone) + ")";
		else if (!r && inlined.length)
			name += " (with " + inlined.join(", ") + " inlined)";
		if (!known.has(name))
			known.set(name, list.push(name) - 1);
		return known.get(name);
	});
	const id = rows.id.map((was, i) => {
		const r = renames.paired.get(was);
		return r && r.inlined && rows.parent[i] >= 0 && rows.id[rows.parent[i]] === r.kept ? -1 : now[was];
	});
	return { ...rows, texts: list, id, renamed: true };
}

/* ---- may they be compared, and how ---- */

function basisOf(by, side) {
	return { none: 1, total: side.weights.weight, duration: side.durationNs, cpu: side.durationNs * side.cpus }[by];
}

function totalChange(sides, by) {
	const [a, b] = sides.map((s) => basisOf(by, s)), [x, y] = sides.map((s) => s.weights.weight);
	return a > 0 && b > 0 && x > 0 ? y / b / (x / a) : NaN;
}

function tellsLittle(sides, words) {
	if (sides[0].arch && sides[1].arch && sides[0].arch !== sides[1].arch)
		return "the architectures differ: " + sides[0].arch + ", " + sides[1].arch;
	for (const s of sides) {
		const total = s.weights.weight, count = Math.round(total / s.unit);
		if (!(total > 0))
			return s.name + " has no samples";
		if (!(s.unit > 0))
			return s.name + " does not state how many samples its weights are";
		if (count < PAGE_LEAST_SAMPLES)
			return s.name + " has " + words.count(count) + " samples, and " + PAGE_LEAST_SAMPLES + " are the least";
		if (100 * s.lost / (s.samples + s.lost) > PAGE_MAX_LOST)
			return s.name + " lost " + words.percent(100 * s.lost / (s.samples + s.lost)) + " of its samples (limit " + words.percent(PAGE_MAX_LOST) + ")";
	}
	const [least, most] = [Math.min(sides[0].rate, sides[1].rate), Math.max(sides[0].rate, sides[1].rate)];
	return least > 0 && most > 2 * least ? "the sampling rates are far apart: " + sides[0].rate + ", " + sides[1].rate : null;
}

/* What distributions over ids have in common, and the greatest share that one id has in both. */
function overlap(values) {
	const all = [0, 0];
	let common = 0, most = 0;
	values.forEach((v, i) => { all[i % 2] += v; });
	for (let i = 0; i < values.length && all[0] > 0 && all[1] > 0; i += 2) {
		const least = Math.min(values[i] / all[0], values[i + 1] / all[1]);
		common += least;
		most = Math.max(most, least);
	}
	return { common, most };
}

function isOtherProgram(rows, sums) {
	const roots = new Float64Array(2 * rows.texts.length);
	for (let i = 0; i < rows.count; i++) {
		if (rows.parent[i] < 0) {
			for (let s = 0; s < 2; s++)
				roots[2 * rows.id[i] + s] += rows.through[s][rows.node[i]];
		}
	}
	const functions = overlap(sums.self);
	return (overlap(roots).common < 0.01 && functions.common < 0.5) || functions.most < 0.01;
}

/* ---- tests ---- */

const SMALL = 1, NO = 2, PAIR = 3, CERTAINTY = ["", "small", "no", "pair"];

/* What has any weight: its means, and of NOISE, unless that is null, what is sure of it. */
function amountsOf(rows, sums, sides, nameless, noise) {
	const list = [], family = [];
	for (let id = 0; id < rows.texts.length; id++) {
		if (!(sums.total[2 * id] > 0 || sums.total[2 * id + 1] > 0))
			continue;
		const m = { id, name: rows.texts[id], certainty: 0, cause: null };
		for (const of of ["self", "total"])
			m[of] = [sums[of][2 * id] * sides[0].factor, sums[of][2 * id + 1]];
		list.push(m);
		if (!noise)
			continue;
		const values = ["self", "total"].map((of) => [sums[of][2 * id] / sides[0].unit, sums[of][2 * id + 1] / sides[1].unit]);
		const large = values.map((x) => !nameless[id] && (x[0] + x[1]) / 2 >= noise.least);
		m.certainty = SMALL;
		if (!large[0] && !large[1])
			continue;
		m.tests = values.map((x, k) => ({ ...noise.test(x, large[k] ? id : -1), tested: large[k], found: false }));
		m.tests.forEach((test, k) => {
			if (large[k])
				family.push({ values: values[k], test });
		});
	}
	pageDiscover(family);
	for (const m of list) {
		if (m.tests)
			m.certainty = m.tests[0].found || m.tests[1].found ? PAIR : NO;
	}
	return { list, family: family.length };
}

/* The test that speaks for a row: the one that found more. */
function testOf({ tests: [self, total] }) {
	if (self.found !== total.found)
		return self.found ? self : total;
	return self.tested && self.p < total.p ? self : total;
}

/* Which found rows are only callers of found rows: without the stacks of these they did not change. */
function findCauses(rows, list, sides, noise) {
	const found = list.filter((m) => m.certainty === PAIR).slice(0, PAGE_MOST_FOUND), n = found.length;
	if (!n)
		return;
	const place = new Int32Array(rows.texts.length), left = new Float64Array(2 * n), overlaps = new Float64Array(n * n);
	found.forEach((m, k) => { place[m.id] = k + 1; });
	/* by row: the nearest one at it or above that is of a found name; what ends there is in that one's sums */
	const deepest = new Int32Array(rows.count), ends = [new Float64Array(rows.count), new Float64Array(rows.count)];
	for (let i = 0; i < rows.count; i++) {
		deepest[i] = rows.id[i] >= 0 && place[rows.id[i]] ? i : rows.parent[i] < 0 ? -1 : deepest[rows.parent[i]];
		for (let s = 0; s < 2 && deepest[i] >= 0; s++)
			ends[s][deepest[i]] += rows.self[s][rows.node[i]];
	}
	for (let i = 0; i < rows.count; i++) {
		if (deepest[i] !== i || (!ends[0][i] && !ends[1][i]))
			continue;
		const at = place[rows.id[i]] - 1, change = ends[1][i] - ends[0][i] * sides[0].factor;
		left[2 * at] += ends[0][i];
		left[2 * at + 1] += ends[1][i];
		for (let up = rows.parent[i]; up >= 0; up = rows.parent[up]) {
			const other = rows.id[up] >= 0 ? place[rows.id[up]] - 1 : -1;
			if (other >= 0 && other !== at)
				overlaps[other * n + at] += change;
		}
	}
	found.forEach((m, k) => {
		let best = -1;
		for (let i = 0; i < n; i++) {
			if (overlaps[k * n + i] !== 0 && (best < 0 || Math.abs(overlaps[k * n + i]) > Math.abs(overlaps[k * n + best])))
				best = i;
		}
		if (best < 0)
			return;
		const rest = noise.test([left[2 * k] / sides[0].unit, left[2 * k + 1] / sides[1].unit], -1);
		if (Math.sign(m.tests[1].change || 1) * rest.t < pageQuantile(0.025, rest.df))
			m.cause = found[best];
	});
}

/* ---- the table ---- */

/* Of each row the change that its own is explained by; a row that is certain is before all others. */
function rootsOf(list) {
	for (const m of list) {
		let at = m, steps = 0;
		m.size = Math.abs(m.total[1] - m.total[0]);
		while (at.cause && steps++ <= list.length)
			at = at.cause;
		m.root = steps > list.length ? m : at;
	}
	for (const m of list)
		m.place = m.certainty === PAIR ? Infinity : m.root.size;
}

/* The first MOST of LIST in the order of the table: what is certain, then the greatest change with the callers that it explains. Of many
 * rows those that are before all others are sorted. */
function ordered(list, most) {
	const places = Float64Array.from(list, (m) => m.place).sort(), some = list.filter((m) => list.length <= most || m.place >= places[list.length - most]);
	const byName = pageComparer(some.map((m) => m.name));
	return some.sort((a, b) => (b.certainty === PAIR) - (a.certainty === PAIR) || b.root.size - a.root.size || byName(a.root.name, b.root.name) ||
		(a.root !== a) - (b.root !== b) || b.size - a.size || byName(a.name, b.name)).slice(0, most);
}

/* A row as the table has it. */
function told(m) {
	const delta = m.total[1] - m.total[0], known = m.certainty > SMALL, test = known ? m.tests[1] : null, range = known ? pageInterval(test) : [NaN, NaN];
	return { name: m.name, self: m.self, total: m.total, delta, percent: m.total[0] > 0 ? 100 * (delta / m.total[0]) : Infinity,
		selfDelta: m.self[1] - m.self[0], ratio: known ? Math.exp(test.change) : NaN, low: range[0], high: range[1],
		z: known ? test.t : NaN, certainty: CERTAINTY[m.certainty], callerOf: m.root !== m ? m.root.name : "" };
}

/* ---- the verdict ---- */

const part = (v) => {
	const percent = 100 * Math.abs(v);
	return pageFixed(percent, percent < 9.95 ? 1 : 0) + "%";
};
const growth = (factor) => part(factor - 1);

function changeText(test) {
	const range = pageInterval(test), grew = test.change > 0, [near, far] = grew ? range : [range[1], range[0]];
	const minus = (v) => (grew ? v < 1 : v > 1) ? "-" : "";
	return (grew ? "grew" : "shrank") + " by " + growth(Math.exp(test.change)) + " (" + minus(near) + growth(near) + " to " + minus(far) + growth(far) + ")";
}

function powerText(noise, family) {
	return [0.1, 0.01].map((share) => {
		const least = pageLeastChange(noise, share, family);
		return (Number.isFinite(least) ? part(least) : "none") + " in one of " + part(share);
	}).join(", ");
}

function verdictOf(list, noise, family, because, words) {
	if (because || !noise)
		return "nothing is certain" + (because ? ": " + because : "");
	const [first] = ordered(list.filter((m) => m.certainty === PAIR), 1);
	if (!first)
		return "no function changed beyond noise; would have been seen: " + powerText(noise, family);
	const there = first.total.map((v) => v > 0), others = list.filter((m) => m !== first && m.certainty === PAIR);
	const callers = others.filter((m) => m.cause === first).length;
	return first.name + " " + (there[0] && there[1] ? changeText(testOf(first)) : "is " + (there[0] ? "gone" : "new")) +
		" between these two captures; how runs differ is not known" +
		(others.length ? "; " + words.count(others.length) + " more changed" : "") +
		(others.length && callers === others.length ? callers > 1 ? ", all callers of it" : ", a caller of it" :
			callers ? ", " + words.count(callers) + " of them callers of it" : "");
}

function neededText(noise, family, words) {
	return [0.1, 0.01].map((share) => {
		const need = pageRunsNeeded(noise, share, 0.05, family);
		return "in a function of " + part(share) + " " + (need && need <= 1 ? "these are enough" : need ? words.count(need - 1) + " more runs a side" : "more than 100 runs a side");
	}).join("; ");
}

function noiseFacts(noise, list, family, unnamed, words) {
	const range = pageInterval(noise.total), signed = (v) => (v < 1 ? "-" : "+") + growth(v), facts = [];
	if (!noise.fitted)
		facts.push(["noise", "too few functions with samples to tell a run from a function: all scatter between runs by " + part(PAGE_NOISE.between) + " (assumed)"]);
	else
		facts.push(["noise", words.count(noise.fitted) + " functions, apart from what is common to a run: they scatter by " + part(noise.tau) +
			" between runs (from the differences of this pair), samples " + pageG(noise.phi, 3) + " times as chance has it"]);
	if (unnamed > 50)
		facts.push(["unnamed", words.percent(unnamed) + " of the weight has no name, which is not tested: the rest is measured against itself"]);
	if (Number.isNaN(noise.total.change))
		facts.push(["whole", "not compared: shares are"]);
	else
		facts.push(["whole", (noise.total.change < 0 ? "-" : "+") + growth(Math.exp(noise.total.change)) + ", " + signed(range[0]) + " to " + signed(range[1]) +
			" by how runs differ (" + part(PAGE_NOISE.between) + ", assumed): one run a side cannot tell program from machine"]);
	facts.push(["power", "smallest changes seen in 4 of 5 cases: " + powerText(noise, family)]);
	facts.push(["runs needed", "to see a change of 5.0%: " + neededText(noise, family, words)]);
	facts.push(["found", words.count(list.filter((m) => m.certainty === PAIR).length) + " of " + words.count(list.length) +
		" rows, at a false-discovery rate of 5 % among " + words.count(family) + " weights, self and inclusive, of " + part(PAGE_NOISE.leastShare) +
		" of the total and " + PAGE_NOISE.leastSamples + " samples or more"]);
	return facts;
}

function renameFacts({ list }, rows) {
	return [["renamed", true, " (--match exact keeps them apart)"], ["maybe renamed", false, ""]].flatMap(([name, sure, end]) => {
		const some = list.filter((r) => r.sure === sure), said = some.slice(0, PAGE_RENAMES_SAID).map((r) => rows.texts[r.gone] + (r.inlined ? " into " : " to ") + rows.texts[r.kept]);
		return some.length ? [[name, said.join(", ") + (some.length > said.length ? " and " + (some.length - said.length) + " more" : "") + end]] : [];
	});
}

function normalizeFacts(sides, by, why, words) {
	const changes = PAGE_BASES.filter((b) => b !== "total").map((b) => [b, totalChange(sides, b)]).filter(([, v]) => !Number.isNaN(v));
	const facts = [["normalize", by + " (" + why + ")" + (sides[0].factor === 1 ? ": the sides are taken as they are" : "") +
		(changes.length ? "; the total changed: " + changes.map(([b, v]) => b + " " + (v < 1 ? "-" : "+") + words.percent(100 * Math.abs(v - 1))).join(", ") : "")]];
	if (sides[0].factor !== 1)
		facts.push(["factor", "before is multiplied by " + pageG(sides[0].factor, 9)]);
	return facts;
}

/* ---- all of it ---- */

/* BY: of PAGE_BASES, as WHY says. {verdict, facts, rows, ordered, told, folded, scale}: rows have names and no
 * order; ordered(rows, most) are the first of them, told(row) is what is shown of one; nothing is certain where there is a reason. What it gives
 * for one comparison writes no stacks after the next one. */
function compare(given, by, why, words = PAGE_PLAIN_WORDS) {
	const bases = given.map((s) => basisOf(by, s)), scale = bases[0] > 0 && bases[1] > 0 ? bases[1] / bases[0] : 1;
	const sides = given.map((s, k) => ({ ...s, factor: k ? 1 : scale })), plain = rowsOf(sides), plainSums = sumsOf(plain);
	const renames = pageRenames(plain, plainSums, sides, plain.texts), rows = applied(plain, renames), sums = rows === plain ? plainSums : sumsOf(rows);
	const nameless = rows.texts.map(pageNoFunction);
	const because = tellsLittle(sides, words) || (isOtherProgram(rows, sums) ? "these are different programs" : null);
	const runs = sides.map((s) => ({ unit: s.unit * s.factor, total: by === "total" ? 0 : s.weights.weight * s.factor }));
	const noise = because ? null : pageNoise(sums.self.map((v, i) => v / sides[i % 2].unit), nameless, runs);
	const { list, family } = amountsOf(rows, sums, sides, nameless, noise);
	if (noise)
		findCauses(rows, list, sides, noise);
	rootsOf(list);
	const unnamed = list.reduce((a, m) => a + (nameless[m.id] ? m.self[0] + m.self[1] : 0), 0), all = list.reduce((a, m) => a + m.self[0] + m.self[1], 0);
	const totals = sides.map((s, k) => [k ? "after" : "before", "total " + words.real(s.weights.weight, s.inNs) + (s.event ? " of " + s.event : "") +
		(s.unit > 0 ? ", about " + words.count(Math.round(s.weights.weight / s.unit)) + " samples" : s.weights.weight > 0 ? ", of unknown samples" : "")]);
	return {
		verdict: verdictOf(list, noise, family, because, words),
		facts: [...normalizeFacts(sides, by, why, words), ...totals, ...renameFacts(renames, plain),
			...(noise ? noiseFacts(noise, list, family, all > 0 ? 100 * (unnamed / all) : 0, words) : [["noise", "not known" + (because ? ": " + because : "")]])],
		rows: list, ordered, told, scale,
		folded: () => foldedText(rows, scale),
	};
}

/* As pdtool diff --format folded. */
function foldedText(rows, scale) {
	const sums = new Map(), prefix = [];
	for (let i = 0; i < rows.count; i++) {
		const n = rows.node[i], depth = tree.depth[n], above = depth ? prefix[depth - 1] : null, text = rows.texts[rows.id[i]];
		prefix[depth] = rows.id[i] < 0 ? above : above === null ? text : above + ";" + text;
		if (!rows.ends[0][n] && !rows.ends[1][n])
			continue;
		const has = sums.get(prefix[depth]) || [0, 0];
		has[0] += rows.self[0][n];
		has[1] += rows.self[1][n];
		if (!rows.renamed || has[0] || has[1])
			sums.set(prefix[depth], has);
	}
	return [...sums].sort((a, b) => pageCompare(a[0], b[0])).map(([stack, [a, b]]) => stack + " " + (scale === 1 ? a : pageG(a * scale, 15)) + " " + b + "\n").join("");
}

/* A name that a row of this text has; -1: it has two. */
const place = (text) => ids.has(text) ? first[ids.get(text)] : -1;
return { compare, place };
}

/* What is compared: WEIGHTS of RANGE, or of all where that is undefined. */
function pageSide(data, model, weights, range, name) {
	const { about } = data, captures = pageCaptures(about), c = range ? captures.at(range.from) : 0, { input, arch } = about.captures[c], whole = captures.isWhole(range);
	const event = about.events[weights.filter.event], inNs = event[1] === "ns";
	return { weights, name, unit: model.sampleWeight(weights), durationNs: whole ? input.ns : pageRecordedNs(data, c, range), cpus: input.cpus, wide: input.wide,
		lost: input.lost, samples: input.samples, event: event[0], inNs, rate: event[4][c], arch: inNs ? null : arch };
}

/* How much of RANGE lies between the first and the last sample of capture C; its last nanosecond is within it, as --time has it. Of a
 * store: of all captures of it together. */
function pageRecordedNs({ about, series }, c, range) {
	const { input, firstUs, stored } = about.captures[c], within = (a, b, low, high) => Math.max(0, Math.min(b, high) - Math.max(a, low));
	const [from, to] = [range.from, range.to].map((us) => (us - (stored ? about.beginUs : firstUs)) * 1e3), S = stored ? series.recorded : null;
	let sum = S ? 0 : within(from, to - 1, input.fromNs, input.toNs);
	for (let i = 0; S && i < S.rows; i++)
		sum += within(from, to, S.start[i], S.start[i] + S.length[i]);
	return sum;
}

/* How amounts are compared, and why: sides of whole systems by their length. */
function pageBasis(sides, asked) {
	if (asked)
		return [asked, "as asked"];
	return sides.every((s) => s.wide && s.durationNs > 0) ? ["duration", "the captures are of whole systems"] : ["none", "the weights are amounts"];
}

/* The table as pdtool diff --format csv writes it: whole numbers where all are. */
function pageCompareCsv(d) {
	const text = (s) => {
		const plain = s.replace(/[\x00-\x1f\x7f]/g, "\ufffd");
		return /[",]/.test(plain) ? '"' + plain.replace(/"/g, '""') + '"' : plain;
	};
	const digits = d.scale === 1 ? 0 : 3, n = (v, decimals) => Number.isFinite(v) ? pageFixed(v, decimals) : "";
	const lines = d.ordered(d.rows, Infinity).map(d.told).map((r) => [text(r.name), ...[...r.self, ...r.total, r.delta].map((v) => n(v, digits)), n(r.percent, 2), n(r.selfDelta, digits),
		n(r.ratio, 3), n(r.low, 3), n(r.high, 3), n(r.z, 2), r.certainty, text(r.callerOf)].join(","));
	return "name,self_before,self_after,total_before,total_after,delta,delta_percent,self_delta,ratio,ratio_low,ratio_high,z,certainty,caller_of\n" +
		lines.map((l) => l + "\n").join("");
}
