/* What happened beside the samples, over time: threads that wait for a CPU, switches, disks, gaps; and what each thread
 * did. What a capture has none of is said. */

/* What of it was not recorded, and how it is: for people. */
function pageLacks(series, stored) {
	const lacks = [];
	if (stored)
		return "A store has samples by step of time: not what threads did off the CPU, nor I/Os one by one.";
	if (!series.off && !series.run)
		lacks.push("what threads did off the CPU (sched:sched_switch, or perf record --switch-events)");
	if (!series.io)
		lacks.push("I/Os (block:block_rq_issue, block:block_rq_complete)");
	return lacks.length ? "Not in this capture: " + lacks.join("; ") + "." : "";
}

/* Stripes where samples could not be taken. */
function pageGaps(context, data, view, width, height) {
	const gaps = data.series.gaps, scale = width / (view.to - view.from);
	for (let i = 0; gaps && i < gaps.rows; i++) {
		const x = (data.about.beginUs + gaps.start[i] / 1000 - view.from) * scale, w = Math.max(1, gaps.length[i] / 1000 * scale);
		context.save();
		context.beginPath();
		context.rect(x, 0, w, height);
		context.clip();
		context.globalAlpha = 0.5; /* what was sampled beside them is seen */
		context.strokeStyle = gaps.lost[i] ? "#cc3311" : "#997700";
		context.lineWidth = 1;
		context.beginPath();
		for (let k = Math.floor((x - height) / 6) * 6; k < x + w; k += 6) {
			context.moveTo(k, height);
			context.lineTo(k + height, 0);
		}
		context.stroke();
		context.restore();
	}
}

function pageNanos(ns) {
	return ns >= 1e9 ? (ns / 1e9).toFixed(2) + " s" : ns >= 1e6 ? (ns / 1e6).toFixed(2) + " ms" : ns >= 1e3 ? (ns / 1e3).toFixed(1) + " µs" : Math.round(ns) + " ns";
}

function pageOctets(v) {
	const units = ["B", "KiB", "MiB", "GiB", "TiB"], k = v < 1024 ? 0 : Math.min(4, Math.floor(Math.log2(v) / 10));
	return (k ? (v / 1024 ** k).toFixed(2) : String(Math.round(v))) + " " + units[k];
}

/* At the left, so that it can be read on whatever is drawn there; behind it what colours are: [[color, name]]. */
function pageLabel(context, text, y, keys = []) {
	const box = 9, widths = [text, ...keys.map(([, name]) => name)].map((t) => context.measureText(t).width);
	context.textBaseline = "middle";
	context.globalAlpha = 0.8;
	context.fillStyle = pageStyle("--paper");
	context.fillRect(1, y - 6, widths.reduce((a, w) => a + w + box + 12, -box - 8), 12);
	context.globalAlpha = 1;
	context.fillStyle = pageInk();
	context.fillText(text, 3, y);
	let x = 3 + widths[0] + 10;
	keys.forEach(([color, name], i) => {
		context.fillStyle = color;
		context.fillRect(x, y - 5, box, box);
		context.fillStyle = pageInk();
		context.fillText(name, x + box + 3, y);
		x += box + 12 + widths[i + 1];
	});
}

/* How many, on average: of few the first digit. */
const pageFew = (v) => v === 0 || v >= 0.1 ? v.toFixed(1) : v.toPrecision(1);

/* Values of COLUMNS parts of VIEW: [{name, layers: [[color, values, what they are]], words(v)}]; the layers lie one before the other. */
function pageTrackRows(data, ios, view, columns) {
	const { off, run, gaps } = data.series, rows = [], part = (view.to - view.from) * 1000 / columns, seconds = part / 1e9;
	const from = (view.from - data.about.beginUs) * 1000, column = (ns) => Math.floor((ns - from) / part);
	const empty = () => new Float64Array(columns);
	if (off || run) {
		const waiting = empty();
		pageEachDoing(data.series, (thread, what, a, b) => {
			if (what === 1)
				pageSpread(waiting, from, part, a, b);
		});
		rows.push({ name: "threads that wait for a CPU", layers: [["#ee7733", waiting.map((v) => v / part)]], words: (v) => v ? ", at most " + pageFew(v) : ": none" });
	}
	if (run) {
		const count = empty();
		for (let i = 0; i < run.rows; i++)
			count[Math.min(columns - 1, column(run.start[i]))] += run.waited[i] ? 0 : run.merged ? run.merged[i] : 1;
		rows.push({ name: "switches to threads", layers: [["#4477aa", count.map((v) => v / seconds)]], words: (v) => ", at most " + pageCount(v) + "/s" });
	}
	if (ios.io.rows) {
		const took = Array.from({ length: columns }, () => []), read = empty(), written = empty();
		ios.each(ios.io, {}, (i) => {
			const x = Math.min(columns - 1, column(ios.io.start[i] + ios.io.length[i])), op = ios.io.texts[ios.io.part[i]].split(" ")[1], ns = ios.usual(i);
			if (ns !== undefined)
				took[x].push(ns);
			if (op === "R")
				read[x] += ios.io.bytes[i] / seconds;
			else if (op[0] === "W")
				written[x] += ios.io.bytes[i] / seconds;
		});
		const at = (percent) => Float64Array.from(took, (list) => list.length ? ios.percentile(list.sort((a, b) => a - b), percent) : 0);
		rows.push({ name: "disk latency", layers: [["#ccbb44", at(100), "longest"], ["#aa3377", at(50), "median"]], words: (v) => ", at most " + pageNanos(v) });
		rows.push({ name: "disks", layers: [["#228833", read.map((v, x) => v + written[x]), "written"], ["#66ccee", read, "read"]], words: (v) => ", at most " + pageOctets(v) + "/s" });
	}
	if (gaps)
		rows.push({ name: "striped: samples lost, or the event throttled", layers: [], words: () => ": " + gaps.rows + " times" });
	return rows;
}

const PAGE_TRACK = 36;
function pageTracks(canvas, data, ios, view) {
	const columns = Math.max(1, Math.floor(Math.max(100, canvas.parentNode.clientWidth) / 2));
	const rows = pageOnce(view, "tracks", columns, () => pageTrackRows(data, ios, view, columns));
	canvas.parentNode.hidden = !rows.length;
	if (!rows.length)
		return;
	const { context, width, height } = pageCanvas(canvas, rows.length * PAGE_TRACK), cell = width / columns;
	const mosts = rows.map(({ layers }) => layers.reduce((a, [, list]) => list.reduce((b, v) => Math.max(b, v), a), 0));
	rows.forEach(({ layers }, row) => {
		const bottom = (row + 1) * PAGE_TRACK - 3, most = mosts[row];
		for (const [color, list] of layers) {
			context.fillStyle = color;
			list.forEach((v, x) => {
				if (v)
					context.fillRect(x * cell, bottom - Math.max(1, v / most * (PAGE_TRACK - 16)), cell, Math.max(1, v / most * (PAGE_TRACK - 16)));
			});
		}
		context.fillStyle = pageInk();
		context.globalAlpha = 0.4;
		context.fillRect(0, bottom, width, 1);
		context.globalAlpha = 1;
	});
	pageGaps(context, data, view, width, height);
	rows.forEach(({ name, words, layers }, row) => pageLabel(context, name + words(mosts[row]), row * PAGE_TRACK + 6, layers.filter(([, , what]) => what).map(([color, , what]) => [color, what])));
	pageShade(context, view, width, height);
	canvas.setAttribute("aria-label", "Over time: " + rows.map((r, row) => r.name + r.words(mosts[row])).join("; ") + ". Arrow keys move the range, with Shift they widen it.");
}

const PAGE_DOING = [["ran", "#228833"], ["waited for a CPU", "#ee7733"], ["blocked", "#bbbbbb"]];
/* Of threads KEYS, by number: how much of each part of VIEW each of them did what. */
function pageDone(data, keys, view, columns) {
	const index = new Map(keys.map((k, i) => [k, i])), part = (view.to - view.from) * 1000 / columns;
	const from = (view.from - data.about.beginUs) * 1000, lanes = keys.map(() => PAGE_DOING.map(() => new Float64Array(columns)));
	pageEachDoing(data.series, (thread, what, a, b) => {
		const lane = index.get(thread);
		if (lane !== undefined)
			pageSpread(lanes[lane][what], from, part, a, b);
	});
	return lanes;
}

/* What threads did, a lane each, as parts of each moment: KEYS, by number, NAME(key). */
function pageDoing(canvas, data, keys, name, view) {
	const { context, width } = pageCanvas(canvas, keys.length * PAGE_LANE + 16), columns = Math.max(1, Math.floor(width / 2));
	const part = (view.to - view.from) * 1000 / columns, lanes = pageOnce(view, "done", [keys, columns], () => pageDone(data, keys, view, columns));
	lanes.forEach((sums, lane) => {
		for (let x = 0; x < columns; x++) {
			let y = (lane + 1) * PAGE_LANE - 2;
			sums.forEach((list, what) => {
				const h = list[x] / part * (PAGE_LANE - 2);
				context.fillStyle = PAGE_DOING[what][1];
				context.fillRect(x * width / columns, y - h, width / columns, h);
				y -= h;
			});
		}
	});
	pageGaps(context, data, view, width, keys.length * PAGE_LANE);
	keys.forEach((k, lane) => pageLabel(context, name(k), lane * PAGE_LANE + PAGE_LANE / 2 - 1));
	pageAxis(context, view, width, keys.length * PAGE_LANE);
	pageShade(context, view, width, keys.length * PAGE_LANE);
}

/* I/Os of a range: time to the right, how long they took upwards. */
const PAGE_IO_HEIGHT = 180;
function pageIoHeat(canvas, ios, f, clock) {
	const { context, width } = pageCanvas(canvas, PAGE_IO_HEIGHT + 16), columns = Math.max(1, Math.floor(width / 5)), { cells, least, rows } = ios.heat(f, columns);
	const most = cells.reduce((a, b) => Math.max(a, b), 0), w = width / columns, h = PAGE_IO_HEIGHT / Math.max(rows, 1);
	cells.forEach((n, k) => {
		if (!n)
			return;
		const v = 0.15 + 0.85 * Math.log1p(n) / Math.log1p(most);
		context.fillStyle = `rgb(${Math.round(255 - 30 * v)},${Math.round(235 - 205 * v)},${Math.round(215 - 195 * v)})`;
		context.fillRect(Math.floor(k / rows) * w, PAGE_IO_HEIGHT - (k % rows + 1) * h, Math.max(w - 1, 1), Math.max(h - 0.5, 0.5));
	});
	context.fillStyle = pageInk();
	for (let row = 0; row < rows; row += Math.max(4, Math.ceil(rows / 8)))
		pageLabel(context, pageNanos(ios.heatNs(least + row)), Math.max(8, PAGE_IO_HEIGHT - row * h - 6));
	pageAxisOf(context, { clock, from: f.from, to: f.to }, 0, width, PAGE_IO_HEIGHT);
}

/* The panel of I/Os: TABLE and LIST are tables, F what is shown of them. PUT(table, heads, rows) fills one. */
const pageTimes = (list) => list ? list.map(pageNanos) : ["", "", "", ""];
function pageIoRows(ios, f) {
	const heads = ["Device", "Op", "I/Os", "Bytes", "p50", "p90", "p99", "Longest", "Device p50", "Device p99", "Queue p50", "Queue p99", "IOPS", "Throughput", "Depth", "Deepest", "Sequential", "Errors", "Requeues", "Merges"];
	return [heads, ios.table(f).map((r) => {
		const took = r.total || r.took, [d50, , d99] = pageTimes(r.took), [q50, , q99] = pageTimes(r.queue);
		return [r.device, r.op, r.ios, pageOctets(r.bytes), ...pageTimes(took), d50, d99, q50, q99, r.perSecond.toFixed(1), pageOctets(r.bytesPerSecond) + "/s",
			r.depth.toFixed(3), r.deepest, Number.isNaN(r.sequential) ? "" : r.sequential.toFixed(1) + "%", r.errors, r.requeues, r.merges];
	})];
}
function pageIoList(data, ios, f) {
	const { io } = ios, captures = pageCaptures(data.about);
	const time = (i) => {
		const us = data.about.beginUs + io.start[i] / 1e3;
		return ((us - captures.whole(captures.at(us)).from) / 1e6).toFixed(6);
	};
	const maybe = (ns) => ns === undefined ? "" : pageNanos(ns);
	return [["Device", "Op", "Bytes", "Sector", "Begins (s)", "Total", "Device", "Queue", "Command"], ios.longest(f, 100).map((i) =>
		[...io.texts[io.part[i]].split(" "), pageOctets(io.bytes[i]), io.sector[i], time(i), maybe(ios.whole(i)), maybe(ios.device(i)), maybe(ios.queue(i)), data.about.threads[io.thread[i]][0]])];
}
