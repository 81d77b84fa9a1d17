/* What the page has beside the samples (series.c writes it): rows of threads off and on a CPU, of I/Os, of gaps. Time off the
 * CPU becomes events of the page, whose rows have a length: a range takes the part of them that lies within it. No
 * document: runs in node, too. */

/* {off: {rows, texts, start, length, thread, ...}, ...}: start in ns from about.beginUs, columns as series.h has them. */
async function pageSeries(about, text) {
	const all = {};
	for (const [name, rows, columns, texts] of about.series || []) {
		const S = all[name] = { rows, texts };
		await Promise.all(columns.map(async ([column, kind]) => {
			S[column] = pageNumbers(await pageInflate(text(name + "-" + column)), rows);
			if (kind === 1)
				pageSteps(S[column]);
		}));
	}
	return all;
}

/* Steps back and forth become places. */
function pageSteps(list) {
	for (let i = 0, at = 0; i < list.length; i++) {
		at += list[i] % 2 ? -(list[i] - 1) / 2 : list[i] / 2;
		list[i] = at;
	}
}

/* The events that stand for time off the CPU: [name, column of the stack, column of the length]. */
const PAGE_STAYS = [["off-CPU", "stack", "length"], ["blocked, by waker", "waker", "blocked"]];

/* Behind the samples come the rows of these events; where they lie: {first, from, to (ns), of: by event [begin, end]}. */
function pageStays(about, samples, off) {
	const n = about.rows, stays = { first: n, of: [] }, taken = [];
	for (const [name, stack, length] of off ? PAGE_STAYS : []) {
		const begin = taken.length;
		for (let i = 0; i < off.rows; i++) {
			if (off[stack][i] && off[length][i])
				taken.push(i);
		}
		stays.of[about.events.length] = [n + begin, n + taken.length, stack, length];
		about.events.push([name, "ns", "", taken.length - begin, [0, 0]]);
	}
	const rows = taken.length;
	stays.from = new Float64Array(rows);
	stays.to = new Float64Array(rows);
	for (const name in samples) {
		const list = samples[name];
		samples[name] = new list.constructor(n + rows);
		samples[name].set(list);
	}
	stays.of.forEach(([begin, end, stack, length], event) => {
		for (let i = begin; i < end; i++) {
			const k = taken[i - n];
			stays.from[i - n] = off.start[k];
			stays.to[i - n] = off.start[k] + off[length][k];
			samples.time[i] = about.beginUs + Math.floor(off.start[k] / 1000);
			samples.weight[i] = off[length][k];
			samples.thread[i] = off.thread[k];
			samples.cpu[i] = off.cpu[k] - 1;
			samples.event[i] = event;
			samples.node[i] = off[stack][k] - 1;
			if (samples.merged)
				samples.merged[i] = off.merged[k];
		}
	});
	return stays;
}

/* TAKE(thread, what, from, to) of all that threads did: 0 ran, 1 waited for a CPU, 2 was blocked; ns. */
function pageEachDoing({ off, run }, take) {
	for (let i = 0; run && i < run.rows; i++)
		take(run.thread[i], run.waited[i], run.start[i], run.start[i] + run.length[i]);
	for (let i = 0; off && i < off.rows; i++) {
		const woken = off.start[i] + off.blocked[i];
		take(off.thread[i], 2, off.start[i], woken);
		take(off.thread[i], 1, woken, off.start[i] + off.length[i]);
	}
}

/* A range in us, as ns from about.beginUs: its last one is within it, as --time has it. */
function pageNs(about, f) {
	return [f.from === undefined ? -Infinity : (f.from - about.beginUs) * 1000, f.to === undefined ? Infinity : (f.to - about.beginUs) * 1000 - 1];
}

/* Add the time from A to B (ns) to the parts of time in SUMS that it lies in: they begin with FROM (ns) and are PART (ns) long. */
function pageSpread(sums, from, part, a, b, density = 1) {
	const first = Math.max(0, Math.floor((a - from) / part)), last = Math.min(sums.length - 1, Math.floor((b - from) / part));
	for (let x = first; x <= last; x++)
		sums[x] += density * Math.max(0, Math.min(b, from + (x + 1) * part) - Math.max(a, from + x * part));
}
