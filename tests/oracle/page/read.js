// What is in a page of `pdtool page`, by the page's own modules, without a browser.
// node read.js MODULES COMMAND PAGE ...   (MODULES: the folder of the page's scripts)
//   events            names of those that have samples
//   ranges N          the N ranges that tests look at: FROM TO, microseconds; none where there are no times
//   pairs N           of two captures: both, then N ranges of each: FROM TO FROM TO, and what the second one's are to its clock
//   folded EVENT FROM TO   as its button writes it; FROM - is all
//   foldings EVENT OUT   the same of each line of the standard input, FROM TO, into OUT.N; N from 1 on
//   functions EVENT OUT   of each of these: lines of NAME TOTAL SELF into OUT.N
//   compare EVENT OUT [BASIS]   two ranges a line of the standard input, FROM TO FROM TO: as its buttons write the comparison, and
//                     what it rests on, into OUT.N.csv, OUT.N.folded, OUT.N.facts; N from 1 on
//   ios OUT           of each line of the standard input, FROM TO: the table of block, as CSV, into OUT.N, and into OUT.N.points
//                     how many I/Os its heat map has in all of its cells, and how many it says
//   doing             TID RAN WAITED BLOCKED, ns, of each thread that did any of it
//   gaps              the ns that were throttled, and lost
//   clock             a line for each clock: the first time, whether it is the same when it is read again; how long its steps are
//   beside            names of the events that it has beside those that were recorded
//   texts OUT         PAGE is folded text, a comma and another folded text: compared, as above
//   state             what strange addresses become, and that ordinary ones come back
//   sound             the policy's hashes are those of the script and the style, data are no script
const fs = require('fs'), vm = require('vm'), crypto = require('crypto');
const [, , modules, command, file, ...args] = process.argv;
const html = command === 'texts' ? '' : fs.readFileSync(file, 'utf8');
const api = vm.createContext({ Blob, DecompressionStream, Response, atob, TextDecoder, TextEncoder });
for (const name of ['captures', 'data', 'beside', 'model', 'ios', 'noise', 'renames', 'compare', 'state'])
	vm.runInContext(fs.readFileSync(`${modules}/${name}.js`, 'utf8'), api);
const block = (id) => {
	const m = new RegExp(`<script type="[^"]*" id="${id}">([^<]*)</script>`).exec(html);
	if (!m)
		throw new Error(`no ${id}`);
	return m[1];
};

function sound() {
	const script = html.slice(html.lastIndexOf('<script>') + 8, html.lastIndexOf('</script>'));
	const style = /<style>([^]*?)<\/style>/.exec(html)[1];
	const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)[1];
	const hash = (text) => 'sha256-' + crypto.createHash('sha256').update(text).digest('base64');
	console.log('script', policy.includes(`script-src '${hash(script)}'`));
	console.log('style', policy.includes(`style-src '${hash(style)}'`));
	console.log('nothing else', /^default-src 'none'; script-src '[^' ]*'; style-src '[^' ]*'; base-uri 'none'; form-action 'none'$/.test(policy));
	console.log('tags', html.split(/<script/i).length - 1, html.split(/<\/script/i).length - 1);
}

function state(about) {
	const own = '#r=1-2&o=0-1&e=0&v=functions&b=cpu&n=duration&q=a%20%3Cb%3E';
	const of = (hash) => JSON.stringify(api.pageStateOf(hash, about));
	console.log('comes back', api.pageHashOf(api.pageStateOf(own, about), about) === own);
	for (const strange of ['#r=2-1', '#r=0-99999999999999999', '#e=-1', '#e=1e9', '#t=javascript:1', '#v=<script>', '#v=__proto__', '#b=constructor', '#n=toString', '#q=%E0%A4%A', '#r=0x1-5', '#z=1.5', '#__proto__=1', '#r'])
		console.log(strange, of(strange) === of(''));
	// a clock is one that the captures have, asked for or not
	const walls = about.captures.every((c) => c.wallMs !== undefined);
	console.log('clock', [undefined, 1e6].every((storedUs) => ['', '#k=wall'].every((hash) => walls || api.pageStateOf(hash, { ...about, storedUs }).clock === 'start')));
}

function write(d, out) {
	fs.writeFileSync(`${out}.csv`, api.pageCompareCsv(d));
	fs.writeFileSync(`${out}.folded`, d.folded());
	fs.writeFileSync(`${out}.facts`, [['verdict', d.verdict], ...d.facts].map(([name, text]) => `# ${name}: ${text}\n`).join(''));
}

// Two folded texts as two sides over one tree, as the page has them of two ranges.
function texts(out) {
	const of = [0, 1].map(() => new Map()), units = [0, 0], names = [], known = new Map(), tree = { count: 0, name: [], depth: [], parent: [] }, nodes = new Map();
	file.split(',').forEach((path, s) => {
		for (const line of fs.readFileSync(path, 'utf8').split('\n').filter((l) => l)) {
			const told = /^# pdtool .*sample=([0-9.]+)/.exec(line), [, stack, weight] = /^(.*) ([0-9]+)$/.exec(line);
			if (told)
				units[s] = Number(told[1]);
			else
				of[s].set(stack, (of[s].get(stack) || 0) + Number(weight));
		}
	});
	for (const stack of [...new Set([...of[0].keys(), ...of[1].keys()])].sort(api.pageCompare)) {
		let path = '', parent = 0xffffffff;
		stack.split(';').forEach((name, depth) => {
			path += (depth ? ';' : '') + name;
			if (!nodes.has(path)) {
				if (!known.has(name))
					known.set(name, names.push(name) - 1);
				nodes.set(path, tree.count++);
				tree.name.push(known.get(name));
				tree.depth.push(depth);
				tree.parent.push(parent);
			}
			parent = nodes.get(path);
		});
	}
	const sides = of.map((stacks, s) => {
		const w = { self: new Float64Array(tree.count), ends: new Uint8Array(tree.count), weight: 0 };
		for (const [stack, weight] of stacks) {
			w.self[nodes.get(stack)] = weight;
			w.ends[nodes.get(stack)] = 1;
			w.weight += weight;
		}
		w.through = w.self.slice();
		for (let i = tree.count - 1; i >= 0; i--) {
			if (tree.depth[i])
				w.through[tree.parent[i]] += w.through[i];
		}
		return { weights: w, unit: units[s], name: 'AB'[s], durationNs: 0, cpus: 0, lost: 0, samples: stacks.size, rate: 0 };
	});
	write(api.pageDiffer(tree, names).compare(sides, 'none', 'as asked'), out);
}

const rangeOf = (from, to) => from === '-' ? {} : { from: Number(from), to: Number(to) };
const eachRange = (f) => fs.readFileSync(0, 'utf8').split('\n').filter((line) => line).forEach((line, i) => f(rangeOf(...line.split(' ')), i + 1));

function compare(model, event, out, basis) {
	const differ = api.pageDiffer(model.data.tree, model.data.names);
	fs.readFileSync(0, 'utf8').split('\n').filter((line) => line).forEach((line, i) => {
		const at = line.split(' ').map(Number), sides = [0, 2].map((k) => {
			const range = { from: at[k], to: at[k + 1] };
			return api.pageSide(model.data, model, model.weigh({ event, ...range }), range, 'AB'[k / 2]);
		});
		write(differ.compare(sides, ...api.pageBasis(sides, basis)), `${out}.${i + 1}`);
	});
}

function doing(data) {
	const of = new Map();
	api.pageEachDoing(data.series, (thread, what, a, b) => {
		const tid = data.about.threads[thread][2];
		if (!of.has(tid))
			of.set(tid, [0, 0, 0]);
		of.get(tid)[what] += b - a;
	});
	for (const [tid, sums] of of)
		console.log(tid, sums.join(' '));
}

(async () => {
	if (command === 'sound')
		return sound();
	if (command === 'texts')
		return texts(args[0]);
	const about = api.pageSpan(JSON.parse(block('about')));
	if (command === 'state')
		return state(about);
	if (command === 'events')
		return about.events.filter((e) => e[3]).forEach((e) => console.log(e[0]));
	const span = about.lastUs + 1 - about.firstUs, n = Number(args[0]);
	if (command === 'ranges') {
		for (let k = 0; about.hasTime && k < n; k++) {
			const from = about.firstUs + Math.floor(span * k / (n + 1));
			const r = api.pageCaptures(about).clamp({ from, to: Math.min(from + 1 + Math.floor(span * (k + 1) / (2 * n)), about.lastUs + 1) });
			console.log(r.from, r.to);
		}
		return;
	}
	if (command === 'clock') {
		const captures = api.pageCaptures(about);
		for (const kind of ['start', 'capture', 'wall']) {
			const clock = api.pageClock(captures, () => kind);
			console.log(kind, clock.text(about.firstUs + 1), clock.parse(clock.text(about.firstUs + 1), 0) === about.firstUs + 1);
		}
		return console.log(about.stepUs);
	}
	if (command === 'pairs') {
		const [a, b] = about.captures, part = (c, k) => c.firstUs + Math.floor((c.lastUs + 1 - c.firstUs) * k);
		for (let k = 0; k <= n; k++) {
			const [from, to] = k ? [k / (n + 2), 1 - (n - k) / (2 * n)] : [0, 1];
			console.log(part(a, from), part(a, to), part(b, from), part(b, to), -b.shiftUs);
		}
		return;
	}
	const model = api.pageModel(await api.pageData(about, (name) => block('column-' + name)));
	if (command === 'beside')
		return about.events.filter((e, i) => model.data.stays.of[i] && e[3]).forEach((e) => console.log(e[0]));
	if (command === 'ios') {
		const ios = api.pageIos(model.data);
		return eachRange((range, n) => {
			fs.writeFileSync(`${args[0]}.${n}`, ios.csv(range));
			if (range.to === undefined)
				return;
			const { cells, count } = ios.heat(range, 100);
			fs.writeFileSync(`${args[0]}.${n}.points`, `${cells.reduce((a, b) => a + b, 0)} ${count}\n`);
		});
	}
	if (command === 'doing')
		return doing(model.data);
	if (command === 'gaps') {
		const g = model.data.series.gaps || { rows: 0 }, sums = [0, 0];
		for (let i = 0; i < g.rows; i++)
			sums[g.lost[i]] += g.length[i];
		return console.log(sums.join(' '));
	}
	const event = about.events.findIndex((e) => e[0] === args[0]);
	if (command === 'compare')
		return compare(model, event, args[1], args[2]);
	if (command === 'foldings')
		return eachRange((range, n) => fs.writeFileSync(`${args[1]}.${n}`, model.folded(model.weigh({ event, ...range }))));
	if (command === 'functions')
		return eachRange((range, n) => fs.writeFileSync(`${args[1]}.${n}`, model.functions(model.weigh({ event, ...range })).map((r) =>
			[model.data.names[r.name], r.total, r.self].join('\t') + '\n').join('')));
	process.stdout.write(model.folded(model.weigh({ event, ...rangeOf(args[1], args[2]) })));
})().catch((e) => {
	console.error(e.message);
	process.exit(1);
});
