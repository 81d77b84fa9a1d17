/* I/Os of a range, by the definitions of pdtool block: those that ended in it, by device and operation. No document: runs in
 * node, too. */
function pageIos(data) {
const { about } = data, none = { rows: 0, texts: [] };
const io = data.series.io || none, noted = data.series.noted || none, disk = data.series.disk;
const threads = about.threads;

/* The smallest value that PERCENT of all are not above; VALUES are sorted. */
function percentile(values, percent) {
	const rank = Math.ceil(percent * values.length / 100 - 1e-9);
	return values[Math.min(Math.max(rank, 1), values.length) - 1];
}

/* Latencies in ns, undefined where they are not known. */
const queue = (i) => io.queue[i] ? io.queue[i] - 1 : undefined;
const device = (i) => io.device[i] ? io.device[i] - 1 : undefined;
const whole = (i) => io.total[i] > 1 ? io.total[i] - 2 : io.total[i] ? queue(i) + device(i) : undefined;
/* What a device took; of what was never issued, all that is known. */
const usual = (i) => device(i) === undefined && !io.device[i] ? whole(i) : device(i);

/* F as in the model; TAKE(i) for each row of SERIES that ended in it. */
function each(series, f, take) {
	const [low, high] = pageNs(about, f);
	const passes = (t) => (f.thread === undefined || f.thread === t) && (f.pid === undefined || f.pid === threads[t][1]) &&
		(f.comm === undefined || threads[f.comm][0] === threads[t][0]);
	for (let i = 0; i < series.rows; i++) {
		const end = series.start[i] + series.length[i];
		if (end >= low && end <= high && (f.cpu === undefined || series.cpu[i] - 1 === f.cpu) && passes(series.thread[i]))
			take(i);
	}
}

/* How many were under way, on average and at most; rows end in their order. */
function depth(list, spanNs) {
	const starts = list.map((i) => io.start[i]).sort((a, b) => a - b);
	let area = 0, most = 0, ended = 0;
	for (const i of list)
		area += io.length[i];
	starts.forEach((start, k) => {
		while (ended < list.length && io.start[list[ended]] + io.length[list[ended]] <= start)
			ended++;
		if (k >= ended)
			most = Math.max(most, k + 1 - ended);
	});
	return { mean: area / spanNs, most };
}

/* From the first to the last event of disks of each capture, as far as F has it: ns. */
function span(f) {
	const [low, high] = pageNs(about, f);
	let sum = 0;
	for (let i = 0; disk && i < disk.rows; i++)
		sum += Math.max(0, Math.min(disk.start[i] + disk.length[i], high) - Math.max(disk.start[i], low));
	return sum;
}

/* By device and operation: {device, op, ios, bytes, queue, took, total: [50, 90, 99 %, most] or null, perSecond, bytesPerSecond, depth,
 * deepest, sequential (%), errors, requeues, merges}. */
function table(f) {
	const parts = new Map(), spanNs = span(f);
	const row = (part) => {
		if (!parts.has(part))
			parts.set(part, { list: [], requeues: 0, merges: 0 });
		return parts.get(part);
	};
	each(io, f, (i) => row(io.part[i]).list.push(i));
	each(noted, f, (i) => { row(noted.part[i])[noted.requeue[i] ? "requeues" : "merges"]++; });
	const rows = [...parts].map(([part, { list, requeues, merges }]) => {
		const [name, op] = io.texts[part].split(" "), sum = (column) => list.reduce((a, i) => a + column[i], 0);
		const times = (of) => {
			const values = Float64Array.from(list.map(of).filter((v) => v !== undefined)).sort();
			return values.length ? [50, 90, 99, 100].map((p) => percentile(values, p)) : null;
		};
		const { mean, most } = depth(list, spanNs);
		return { device: name, op, ios: list.length, bytes: sum(io.bytes), queue: times(queue), took: times(device), total: times(whole),
			perSecond: list.length / (spanNs / 1e9), bytesPerSecond: sum(io.bytes) / (spanNs / 1e9), depth: mean, deepest: most,
			sequential: list.length ? 100 * sum(io.sequential) / list.length : NaN, errors: list.filter((i) => io.error[i]).length, requeues, merges };
	});
	const order = (r) => r.device.split(":").map(Number);
	return rows.sort((a, b) => order(a)[0] - order(b)[0] || order(a)[1] - order(b)[1] || (a.op < b.op ? -1 : a.op > b.op));
}

/* The same, as pdtool block --format csv writes it. */
function csv(f) {
	const times = (list) => (list || ["", "", "", ""]).join(","), or = (v, digits) => Number.isFinite(v) ? v.toFixed(digits) : "";
	const four = (what) => ["p50", "p90", "p99", "max"].map((p) => what + "_" + p + "_ns");
	const head = ["device", "op", "ios", "bytes", ...four("queue"), ...four("device"), ...four("total"), "iops", "bytes_per_s", "depth_mean", "depth_max", "sequential_percent", "errors", "requeues", "merges"];
	return [head.join(","), ...table(f).map((r) => [r.device, r.op, r.ios, r.bytes, times(r.queue), times(r.took), times(r.total), or(r.perSecond, 1), or(r.bytesPerSecond, 0),
		or(r.depth, 3), r.deepest, or(r.sequential, 1), r.errors, r.requeues, r.merges].join(","))].join("\n") + "\n";
}

/* The N that took longest: their rows. */
function longest(f, n) {
	const list = [];
	each(io, f, (i) => list.push(i));
	const value = (i) => whole(i) ?? usual(i) ?? 0;
	return list.sort((a, b) => value(b) - value(a) || a - b).slice(0, n);
}

/* Of COLUMNS parts of the time of F, and rows by parts of a power of two: how many I/Os took so long. {cells, least, rows} */
const PARTS = 4;
const step = (ns) => Math.floor(Math.log2(Math.max(ns, 1)) * PARTS);
function heat(f, columns) {
	const [from] = pageNs(about, f), scale = columns / ((f.to - f.from) * 1000), points = [];
	let least = Infinity, most = -Infinity;
	each(io, f, (i) => {
		const ns = usual(i);
		if (ns === undefined)
			return;
		points.push([Math.min(columns - 1, Math.floor((io.start[i] + io.length[i] - from) * scale)), step(ns)]);
		least = Math.min(least, step(ns));
		most = Math.max(most, step(ns));
	});
	const rows = points.length ? most - least + 1 : 0, cells = new Uint32Array(columns * rows);
	for (const [x, y] of points)
		cells[x * rows + y - least]++;
	return { cells, least, rows, count: points.length };
}
const heatNs = (row) => 2 ** (row / PARTS);

return { io, table, csv, longest, heat, heatNs, each, usual, queue, device, whole, percentile };
}
