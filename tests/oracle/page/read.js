// What is in a page of `pdtool page`, by the page's own modules, without a browser.
// node read.js MODULES COMMAND PAGE ...   (MODULES: the folder of the page's scripts)
//   events            names of those that have samples
//   ranges N          the N ranges that tests look at: FROM TO, microseconds; none where there are no times
//   folded EVENT FROM TO   as its button writes it; FROM - is all
//   functions EVENT FROM TO   NAME TOTAL SELF
//   compare EVENT BASIS OUT   two ranges a line of the standard input, FROM TO FROM TO: as its buttons write the comparison, and
//                     what it rests on, into OUT.N.csv, OUT.N.folded, OUT.N.facts; N from 1 on
//   ios FROM TO       the table of block, as CSV
//   points FROM TO    how many I/Os its heat map has in all of its cells
//   doing             TID RAN WAITED BLOCKED, ns, of each thread that did any of it
//   gaps              the ns that were throttled, and lost
//   beside            names of the events that it has beside those that were recorded
//   state             what strange addresses become, and that ordinary ones come back
//   sound             the policy's hashes are those of the script and the style, data are no script
const fs = require('fs'), vm = require('vm'), crypto = require('crypto');
const [, , modules, command, file, ...args] = process.argv;
const html = fs.readFileSync(file, 'utf8');
const api = vm.createContext({ Blob, DecompressionStream, Response, atob, TextDecoder, TextEncoder });
for (const name of ['data', 'beside', 'model', 'ios', 'noise', 'renames', 'compare', 'state'])
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
}

function compare(model, event, basis, out) {
	const differ = api.pageDiffer(model.data.tree, model.data.names);
	fs.readFileSync(0, 'utf8').split('\n').filter((line) => line).forEach((line, i) => {
		const at = line.split(' ').map(Number), sides = [0, 2].map((k) => {
			const range = { from: at[k], to: at[k + 1] };
			return api.pageSide(model.data, model, model.weigh({ event, ...range }), range, 'AB'[k / 2]);
		});
		const d = differ.compare(sides, basis, 'as asked');
		fs.writeFileSync(`${out}.${i + 1}.csv`, api.pageCompareCsv(d));
		fs.writeFileSync(`${out}.${i + 1}.folded`, d.folded());
		fs.writeFileSync(`${out}.${i + 1}.facts`, [['verdict', d.verdict], ...d.facts].map(([name, text]) => `# ${name}: ${text}\n`).join(''));
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
	const about = JSON.parse(block('about'));
	if (command === 'state')
		return state(about);
	if (command === 'events')
		return about.events.filter((e) => e[3]).forEach((e) => console.log(e[0]));
	const span = about.lastUs + 1 - about.firstUs, n = Number(args[0]);
	if (command === 'ranges') {
		for (let k = 0; about.hasTime && k < n; k++) {
			const from = about.firstUs + Math.floor(span * k / (n + 1));
			console.log(from, Math.min(from + 1 + Math.floor(span * (k + 1) / (2 * n)), about.lastUs + 1));
		}
		return;
	}
	const model = api.pageModel(await api.pageData(about, (name) => block('column-' + name)));
	if (command === 'beside')
		return about.events.filter((e, i) => model.data.stays.of[i] && e[3]).forEach((e) => console.log(e[0]));
	if (command === 'ios')
		return process.stdout.write(api.pageIos(model.data).csv(args[0] === '-' ? {} : { from: Number(args[0]), to: Number(args[1]) }));
	if (command === 'points') {
		const { cells, count } = api.pageIos(model.data).heat({ from: Number(args[0]), to: Number(args[1]) }, 100);
		return console.log(cells.reduce((a, b) => a + b, 0), count);
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
	const w = model.weigh(args[1] === '-' ? { event } : { event, from: Number(args[1]), to: Number(args[2]) });
	if (command === 'folded')
		process.stdout.write(model.folded(w));
	else
		for (const r of model.functions(w))
			console.log([model.data.names[r.name], r.total, r.self].join('\t'));
})().catch((e) => {
	console.error(e.message);
	process.exit(1);
});
