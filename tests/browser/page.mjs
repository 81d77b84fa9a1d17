// The page of `pdtool page` in Chromium: what a user does, strangers' names and addresses, what leaves it, whether all can
// use it; and what its buttons save against what commands print. Usage: node page.mjs DIRECTORY PDTOOL
// In DIRECTORY: NAME.html of each capture that page.sh has made, a line "NAME FILE" each in `compared`, `two`, `beside` and `odd`.
import { chromium } from 'playwright-core';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { about, check, emptyPanels, equal, keyboardPath, printed, ranges, text, timeOf, told, wait } from './page_path.mjs';

const [, , dir, pdtool] = process.argv;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const list = (name) => readFileSync(`${dir}/${name}`, 'utf8').trim().split('\n').map((l) => l.split(' '));
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', timeout: 600000, args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND'] });
const requests = [], errors = [];

// A window of its own; all that it asks for is watched.
async function newPage(options = {}) {
	const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, ...options });
	context.setDefaultTimeout(30000);
	const page = await context.newPage();
	let first = true;
	page.strict = true;
	context.on('page', (p) => p !== page && errors.push('another window'));
	page.on('pageerror', (e) => errors.push(e.message));
	page.on('console', (m) => page.strict && ['error', 'warning'].includes(m.type()) && !m.text().includes('willReadFrequently') && errors.push(m.text()));
	page.on('dialog', (d) => { errors.push('a dialog: ' + d.message()); d.dismiss(); });
	page.on('websocket', (w) => requests.push(w.url()));
	await page.route('**/*', (route) => {
		const url = route.request().url();
		if (route.request().isNavigationRequest() && url.split('#')[0].startsWith(`file://${dir}/`))
			return route.continue();
		requests.push(url);
		return route.abort();
	});
	return page;
}
async function open(page, name, hash = '') {
	await page.goto('about:blank');
	await page.goto(`file://${dir}/${name}.html${hash}`);
	await page.waitForSelector('#main:not([hidden]), #problem:not([hidden])');
}
const driver = (page) => ({
	key: (k) => page.keyboard.press(k),
	type: (t) => page.keyboard.type(t),
	run: (f, a) => page.evaluate(f, a),
	async saved(action) {
		const once = () => Promise.all([page.waitForEvent('download', { timeout: 8000 }), action()]);
		const [download] = await once().catch(once); // a busy machine's Chromium loses one in some hundreds
		return readFileSync(await download.path(), 'utf8');
	},
});
const tabs = (page) => page.evaluate(() => [...document.querySelectorAll('[role=tab]')].map((t) => t.id));
const set = (page, id, value) => page.fill('#' + id, value).then(() => page.press('#' + id, 'Enter'));

// ---- what buttons save is what commands print ----

const csvLine = (line) => [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map((m) => m[1].replace(/^"|"$/g, '').replace(/""/g, '"'));
function csvRows(csv, pick) {
	const [head, ...rows] = csv.split('\n').filter((l) => l && l[0] !== '#').map(csvLine);
	return rows.map((r) => pick(Object.fromEntries(head.map((h, i) => [h, r[i]]))).join('\t')).sort().join('\n');
}
// Time off the CPU and I/Os of a range; how it differs from OTHER. Texts of what is not the same.
const BESIDE = { 'off-CPU': 'offcpu', 'blocked, by waker': 'wakeup' };
async function besideOf(page, d, file, at) {
	const bad = [], events = await page.evaluate(() => window.pdtoolPage.model.data.about.events.map((e) => [e[0], e[3]]));
	for (const [i, [name, rows]] of events.entries()) {
		if (!rows || !(name in BESIDE))
			continue;
		await page.selectOption('#event', String(i));
		if (await d.saved(() => page.click('#export-folded')) !== told(pdtool, [BESIDE[name], '--allow-empty', '--format', 'folded'], file, undefined, ...at))
			bad.push(`${name} ${at}`);
		counted[name] = (counted[name] || 0) + 1;
	}
	await page.click('#tab-ios');
	if (await page.locator('#has-ios').isVisible()) {
		if (await d.saved(() => page.click('#export-csv')) !== told(pdtool, ['block', '--allow-empty', '--format', 'csv'], file, undefined, ...at))
			bad.push(`I/Os ${at}`);
		counted.ios = (counted.ios || 0) + 1;
	}
	return bad;
}
const counted = {};
// A line of figures, of which some rest on logarithms.
const alike = (a, b) => a.length === b.length && a.every((text, i) => text === b[i] || (i >= a.length - 6 && Math.abs(text - b[i]) <= 0.0011 + 1e-9 * Math.abs(text)));
async function comparisonOf(page, d, ...words) {
	const diff = (format) => printed(pdtool, ['diff', '-q', '--format', format, ...words]);
	const folded = diff('folded');
	if (!folded)
		return [];
	counted.comparisons = (counted.comparisons || 0) + 1;
	const bad = await d.saved(() => page.click('#export-folded')) === folded ? [] : [`stacks of ${words}`];
	const [got, want] = [await d.saved(() => page.click('#export-csv')), diff('csv')].map((csv) => csv.split('\n').filter((l) => l && l[0] !== '#').map(csvLine));
	return got.length === want.length && got.every((row, i) => alike(row, want[i])) ? bad : [...bad, `table of ${words}`];
}
// The K-th of ten ranges, in us from the first sample on.
function tenth(span, k) {
	const from = Math.floor(span * k / 11);
	return [from, Math.min(from + 1 + Math.floor(span * (k + 1) / 20), span)];
}
async function choose(page, from, to) {
	await page.click('#button-all');
	await set(page, 'from', (from / 1e6).toFixed(6));
	await set(page, 'to', (to / 1e6).toFixed(6));
}
for (const [name, file] of list('compared')) {
	const page = await newPage(), d = driver(page);
	await open(page, name);
	const data = await about(d), span = data.lastUs + 1 - data.firstUs, bad = [];
	let tables = 0;
	for (let k = 0; k < 10; k++) {
		const [from, to] = tenth(span, k), events = data.events.map((e, i) => i).filter((i) => data.events[i][3]), event = events[k % events.length];
		if (events.length > 1)
			await page.selectOption('#event', String(event));
		await choose(page, from, to);
		const title = data.events[event][0], at = [data.firstUs + from, data.firstUs + to];
		const folded = await d.saved(() => page.click('#export-folded'));
		if (folded !== told(pdtool, ['collapse', '--allow-empty', '--format', 'folded'], file, title, ...at))
			bad.push(`folded ${title} ${at}`);
		await page.click('#tab-functions');
		const got = csvRows(await d.saved(() => page.click('#export-csv')), (r) => [r.function, r.total, r.self]);
		const want = csvRows(told(pdtool, ['report', '--children', '--limit', '0', '-s', 'sym', '--format', 'csv'], file, title, ...at), (r) => ['sym', 'children', 'self'].map((k) => r[Object.keys(r).find((n) => n.startsWith(k) && !n.endsWith('_percent'))]));
		tables += want ? 1 : 0;
		if (got !== want)
			bad.push(`table ${title} ${at}: ${want.slice(0, 60)} ... ${got.slice(0, 60)}`);
		const shown = await page.evaluate(() => [...document.querySelectorAll('#functions tbody tr')].filter((r) => r.cells.length > 1).length);
		if (shown !== Math.min(200, got ? got.split('\n').length : 0))
			bad.push(`${shown} rows are shown of ${title} ${at}`);
		const half = Math.max(1, Math.floor((to - from) / 2)), first = [at[0], at[0] + half], second = [at[0] + half, Math.max(at[1], at[0] + half + 1)];
		if (second[1] <= data.lastUs + 1) {
			const away = (range) => range.map((us) => us - data.firstUs).join('-');
			await page.evaluate((hash) => { location.hash = hash; }, `#r=${away(first)}&o=${away(second)}&e=${event}&v=functions`);
			bad.push(...await comparisonOf(page, d, '--event-filter', title, '--time', `${timeOf(...first)}:${timeOf(...second)}`, file, file));
			await page.evaluate((hash) => { location.hash = hash; }, `#r=${away(at)}&e=${event}`);
		}
		bad.push(...await besideOf(page, d, file, at));
	}
	equal(`${name}: ten ranges, Folded and CSV (${tables} with functions)`, '', bad.join('; '));
	check(`${name}: no range is without functions`, tables > 5, tables);
	await page.context().close();
}

for (const [name, file, other] of list('two')) {
	const page = await newPage(), d = driver(page);
	await open(page, name, '#v=functions');
	equal(`${name}: two captures, Folded and CSV`, '', (await comparisonOf(page, d, file, other)).join('; '));
	await page.context().close();
}
for (const [name, file] of list('beside')) {
	const page = await newPage(), d = driver(page), bad = [];
	await open(page, name);
	const { firstUs, lastUs } = await about(d), span = lastUs + 1 - firstUs;
	for (let k = 0; k < 10; k++) {
		const [from, to] = tenth(span, k);
		await choose(page, from, to);
		bad.push(...await besideOf(page, d, file, [firstUs + from, firstUs + to]));
	}
	equal(`${name}: ten ranges, off the CPU and I/Os`, '', bad.join('; '));
	await page.context().close();
}
for (const [what, least] of Object.entries({ 'off-CPU': 50, 'blocked, by waker': 30, ios: 50, comparisons: 35 }))
	check(`${what}: compared with what is printed, ${counted[what]} times`, counted[what] >= least, counted[what]);

// ---- the keyboard ----

{
	const page = await newPage();
	await open(page, 'slow1');
	await keyboardPath('chromium', driver(page), { pdtool, file: list('compared').find(([n]) => n === 'slow1')[1], word: 'libc', absent: 'no_such_function' });
	await page.context().close();
}

// ---- by the mouse: a range, another with Shift, a function ----

{
	const page = await newPage(), d = driver(page);
	await open(page, 'slow1');
	const drag = async (id, from, to, shift) => {
		const b = await page.locator('#' + id).boundingBox();
		if (shift)
			await page.keyboard.down('Shift');
		await page.mouse.move(b.x + b.width * from, b.y + b.height / 3);
		await page.mouse.down();
		await page.mouse.move(b.x + b.width * to, b.y + b.height / 3);
		await page.mouse.up();
		if (shift)
			await page.keyboard.up('Shift');
		return ranges(d);
	};
	const { firstUs, lastUs } = await about(d), share = (us) => Math.round(100 * (us - firstUs) / (lastUs - firstUs));
	const one = await drag('areas', 0.2, 0.4), two = await drag('areas', 0.7, 0.6, true);
	equal('mouse: a range, backwards another', '20,40 20,40 60,70', `${one.a.map(share)} ${two.a.map(share)} ${two.b.map(share)}`);
	check('two ranges: what colours of the flame graph are', /larger than in A.*smaller/s.test(await page.locator('#differs').innerText()), await page.locator('#differs').innerText());
	await page.click('#button-compare');
	check('one range: no such colours', !(await page.locator('#differs').isVisible()));
	check('mouse: a cell of the heat map', (await drag('lanes', 0.5, 0.5)).a.map(share).every((s) => s >= 48 && s <= 52), (await ranges(d)).a);
	for (const below of await page.evaluate(() => [...document.getElementById('below').options].map((o) => o.value).filter((v) => v !== 'heat'))) {
		await page.selectOption('#below', below);
		equal(`mouse: a range in lanes (${below})`, '10,30', String((await drag('lanes', 0.1, 0.3)).a.map(share)));
	}
	await page.click('#tab-functions');
	const svgs = [];
	svgs.push(await d.saved(() => page.click('#export-svg')));
	check('the drawing is as wide as the page, whatever is shown', Number(/width="(\d+)"/.exec(svgs[0])?.[1]) > 1000, /width="(\d+)"/.exec(svgs[0])?.[1]);
	await page.click('#functions tbody button >> nth=0');
	check('mouse: a function has callers and callees', await page.locator('#panel-sandwich').isVisible() && await text(d, 'chosen') !== '', await text(d, 'chosen'));
	await page.context().close();
}

// ---- names and addresses of strangers ----

{
	const page = await newPage(), d = driver(page);
	await open(page, 'hostile');
	const tags = () => page.evaluate(() => [...new Set([...document.querySelectorAll('*')].map((e) => e.tagName))].sort().join());
	const usual = await newPage();
	await open(usual, 'slow1');
	for (const tab of await tabs(usual))
		await usual.click('#' + tab);
	const known = new Set((await usual.evaluate(() => [...document.querySelectorAll('*')].map((e) => e.tagName))).concat('OPTION', 'BUTTON', 'TD', 'TH', 'I', 'SPAN'));
	await usual.context().close();
	for (const event of await page.evaluate(() => [...document.getElementById('event').options].map((o) => o.value))) {
		await page.selectOption('#event', event);
		for (const below of await page.evaluate(() => [...document.getElementById('below').options].map((o) => o.value))) {
			await page.selectOption('#below', below);
			await page.mouse.move(300, 300);
		}
		for (const tab of await tabs(page)) {
			await page.click('#' + tab);
			equal(`hostile names, event ${event}, ${tab}: no element of theirs`, '', (await tags()).split(',').filter((t) => !known.has(t)).join());
		}
		await page.click('#tab-functions');
		for (let i = 0, n = await page.locator('#functions tbody button').count(); i < n && i < 20; i++) {
			await page.click('#tab-functions');
			await page.locator('#functions tbody button').nth(i).click();
			await page.hover('#callees');
		}
		await page.click('#tab-flame');
		for (let x = 5; x < 1100; x += 100)
			await page.mouse.move(x, 600);
		for (const kind of ['folded', 'csv', 'svg'])
			writeFileSync(`${dir}/hostile-${event}.${kind}`, await d.saved(() => page.click('#export-' + kind)));
	}
	await page.fill('#search', '"><script>window.hacked=9</script>');
	check('hostile names are shown as they are', (await page.evaluate(() => document.getElementById('comm').textContent)).includes('<i>'));
	equal('hostile names: nothing ran', undefined, await page.evaluate(() => window.hacked));

	const strange = ['#', '#&&&==&', '#r=5-1', '#r=-1-5', '#r=0-1&o=0-99999999999999', '#r=1e3-2e3', '#e=9', '#e=-1', '#e=0x1', '#m=99999', '#p=0', '#p=4294967295', '#t=1.5', '#t=999', '#c=2147483647', '#f=0', '#f=99999999', '#z=99999999', '#z=0',
		'#v=<img src=x onerror=window.hacked=1>', '#v=constructor', '#v=__proto__', '#b=toString', '#q=%3Cscript%3Ewindow.hacked=1%3C/script%3E', '#q=%', '#q=/(a+)+$/', '#q=/(/', '#q=' + 'x'.repeat(5000), '#__proto__=1&constructor=2',
		'#javascript:window.hacked=1', '#u=1&u=<b>', '#r=' + '9'.repeat(400) + '-1', '#v=sandwich&f=1&z=2&q=a&b=thread&u=1&r=0-1'];
	for (const address of strange) {
		await open(page, 'slow1', address);
		const shown = await page.evaluate(() => document.querySelectorAll('[role=tabpanel]:not([hidden])').length === 1 && document.getElementById('areas').width > 100 && window.hacked === undefined);
		check(`address ${address.slice(0, 50)}: the page is there, nothing runs`, shown && !(await page.locator('#problem').isVisible()), await text(d, 'problem'));
		await page.evaluate((a) => { location.hash = '#'; location.hash = a; }, address);
		equal(`address ${address.slice(0, 50)}: no panel is empty`, '', await emptyPanels(d));
	}
	await open(page, 'hostile', '#c=77');
	check('a filter of the address that nothing has is shown', await page.evaluate(() => document.getElementById('cpu').value === '77' && !!document.getElementById('cpu').offsetParent && !!document.getElementById('none').offsetParent));
	await page.selectOption('#cpu', '');
	check('and can be taken away', !(await page.locator('#none').isVisible()));
	equal('addresses: nothing ran', undefined, await page.evaluate(() => window.hacked));
	await page.context().close();
}

// ---- what leaves the page ----

equal('no request left the page', '', requests.join(' '));
{
	const page = await newPage();
	await open(page, 'slow1');
	page.strict = false; // refusals are errors of the console
	const refused = await page.evaluate(async () => {
		const list = new Set(), add = (f) => { try { f(); } catch (e) { list.add('thrown'); } };
		document.addEventListener('securitypolicyviolation', (e) => list.add(e.effectiveDirective));
		const put = (tag, set) => { const e = document.createElement(tag); set(e); document.body.append(e); return e; };
		const there = 'https://example.org/x';
		put('script', (e) => { e.textContent = 'window.hacked = 1'; });
		put('script', (e) => { e.src = there; });
		put('div', (e) => { e.innerHTML = '<img src=x onerror="window.hacked=2"><b style="color:red">'; });
		put('button', (e) => { e.setAttribute('onclick', 'window.hacked = 3'); }).click();
		put('a', (e) => { e.href = 'javascript:void(window.hacked=4)'; }).click();
		put('iframe', (e) => { e.src = there; });
		put('object', (e) => { e.data = there; });
		put('link', (e) => { e.rel = 'stylesheet'; e.href = there; });
		put('style', (e) => { e.textContent = `body { background: url(${there}) }`; });
		put('video', (e) => { e.src = there; });
		put('form', (e) => { e.action = there; }).submit();
		setTimeout(() => add(() => { (0, eval)('window.hacked = 5'); })); // not from here: a driver may
		add(() => setTimeout('window.hacked = 6'));
		add(() => navigator.sendBeacon(there));
		add(() => new WebSocket('wss://example.org/'));
		add(() => new Worker(URL.createObjectURL(new Blob(['fetch("' + there + '")']))));
		await fetch(there).catch(() => list.add('fetch'));
		await import(there).catch(() => list.add('import'));
		await new Promise((done) => setTimeout(done, 300));
		return { list: [...list].sort().join(' '), hacked: window.hacked };
	});
	equal('policy: injected script, handlers and eval do not run', undefined, refused.hacked);
	for (const directive of ['script-src-elem', 'script-src-attr', 'script-src', 'style-src-elem', 'img-src', 'connect-src', 'frame-src', 'object-src', 'form-action', 'media-src'])
		check(`policy: ${directive} refuses`, refused.list.split(' ').includes(directive), refused.list);
	equal('policy: no request left the page', '', requests.join(' '));
	await page.context().close();
}

// ---- captures that lack something ----

for (const [name] of list('odd')) {
	const page = await newPage(), d = driver(page);
	await open(page, name);
	const data = await about(d);
	if (name === 'killed')
		check(`${name}: that it has no end is said`, (await text(d, 'subtitle')).includes('the recorder was stopped'), await text(d, 'subtitle'));
	check(`${name}: something is shown`, data.samples ? await page.locator('#main').isVisible() : (await text(d, 'problem')) !== '');
	if (data.samples) {
		for (const event of await page.evaluate(() => [...document.getElementById('event').options].map((o) => o.value))) {
			if (await page.locator('#event').isVisible())
				await page.selectOption('#event', event);
			equal(`${name}, event ${event}: no panel is empty without a word`, '', await emptyPanels(d));
		}
		if (data.hasTime)
			for (const below of await page.evaluate(() => [...document.getElementById('below').options].map((o) => o.value))) {
				await page.selectOption('#below', below);
				check(`${name}: ${below} is drawn`, await page.evaluate(() => ['areas', 'lanes'].every((id) => { const c = document.getElementById(id); return c.width > 100 && c.height > 15; })));
			}
		else
			check(`${name}: that there are no times is said`, !(await page.locator('#over').isVisible()) && (await text(d, 'subtitle')).includes('no times'), await text(d, 'subtitle'));
		if (data.hasTime) { // where nothing is
			await set(page, 'to', '0.000001');
			await set(page, 'from', '0');
			await page.selectOption('#below', 'heat');
			equal(`${name}, a microsecond: no panel is empty without a word`, '', await emptyPanels(d));
		}
	}
	await page.context().close();
}
equal('ten events to choose from', 10, await (async () => {
	const page = await newPage();
	await open(page, 'ten');
	const n = await page.locator('#event option').count(), cpus = await page.locator('#cpu option').count();
	equal('nine CPUs to choose from, and all', 10, cpus);
	await page.context().close();
	return n;
})());

// ---- for all: names, contrast, dark and light ----

// Lanes of threads with time off the CPU, a comparison and what it rests on, I/Os, strangers' names, no times.
const LOOKS = [['sched', '#e=7&b=thread'], ['sched', '#r=100000-200000&o=250000-400000&b=comm'], ['block', '#b=cpu'], ['hostile', ''], ['timeless', '']];
for (const colorScheme of ['light', 'dark']) {
	for (const width of [1200, 390]) {
		for (const [name, hash] of LOOKS) {
			const page = await newPage({ colorScheme, viewport: { width, height: 800 } }), bad = [];
			await open(page, name, hash);
			page.strict = false; // axe tries some that the policy refuses
			await page.evaluate(axe);
			await page.click('#button-help');
			await page.evaluate(() => { document.querySelector('details').open = true; });
			for (const [i, tab] of (await tabs(page)).entries()) {
				await page.click('#' + tab);
				const violations = await page.evaluate((panel) => window.axe.run(panel || document, { preload: false, resultTypes: ['violations'] }).then((found) => found.violations), i && '#panel-' + tab.slice(4));
				bad.push(...violations.map((v) => `${tab}, ${v.id}: ${v.nodes[0].target} ${v.nodes[0].failureSummary}`));
			}
			equal(`axe, ${name}${hash}, ${colorScheme}, ${width} wide: no view has a fault`, '', bad.join('; '));
			const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number).reduce((a, b) => a + b));
			check(`${colorScheme}: the ground is ${colorScheme}, ${name}${hash}, ${width} wide`, colorScheme === 'dark' ? ground < 200 : ground > 600, ground);
			await page.context().close();
		}
	}
}

// Ink of the canvas AREAS: how bright what is written below it is.
const ink = (page) => page.evaluate(() => {
	const c = document.getElementById('areas'), d = c.getContext('2d').getImageData(0, c.height - 12, c.width, 12).data;
	let sum = 0, n = 0;
	for (let i = 0; i < d.length; i += 4) {
		if (d[i + 3] === 255) {
			sum += d[i];
			n++;
		}
	}
	return n ? sum / n : -1;
});
{
	const page = await newPage({ colorScheme: 'dark', reducedMotion: 'reduce' });
	await open(page, 'sched', '#r=100000-200000');
	check('dark: what is written on canvases is light', await ink(page) > 150, await ink(page));
	equal('nothing moves by itself', 0, await page.evaluate(() => document.getAnimations().length + [...document.querySelectorAll('*')].filter((e) => {
		const s = getComputedStyle(e);
		return s.animationName !== 'none' || parseFloat(s.transitionDuration) > 0 || s.scrollBehavior !== 'auto';
	}).length));
	await page.emulateMedia({ colorScheme: 'light' });
	await wait(300);
	check('light, chosen while it is open: it is dark', await ink(page) < 100 && await ink(page) >= 0, await ink(page));
	await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
	await wait(300);
	check('print: what is written on canvases is dark', await ink(page) < 100 && await ink(page) >= 0, await ink(page));
	check('print: the range is there, no button is', await page.locator('#range').isVisible() && await page.locator('button:visible').count() === 0, await page.locator('button:visible').allTextContents());
	equal('print: nothing is in a box that scrolls', '', await page.evaluate(() => [...document.querySelectorAll('main *')].filter((e) => e.offsetParent && e.scrollHeight > e.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(e).overflowY)).map((e) => e.className || e.tagName).join()));
	await page.setViewportSize({ width: 700, height: 1000 });
	equal('print: nothing is cut at the side', '', await page.evaluate(() => [...document.querySelectorAll('canvas, table')].filter((e) => e.offsetParent && e.getBoundingClientRect().right > 701).map((e) => e.id).join()));
	await page.emulateMedia({ media: null });
	const pdf = await page.pdf({ path: `${dir}/page.pdf` });
	check('it is printed', pdf.length > 10000, pdf.length);
	await page.context().close();
}

// ---- a phone ----

for (const [name] of [...list('odd'), ['hostile']]) {
	const page = await newPage({ viewport: { width: 390, height: 700 }, isMobile: true, hasTouch: true }), d = driver(page);
	await open(page, name);
	const wide = [];
	const look = async (what) => {
		const w = await page.evaluate(() => document.documentElement.scrollWidth);
		if (w > 390)
			wide.push(`${what} ${w}`);
		const cut = await page.evaluate(() => [...document.querySelectorAll('table')].filter((t) => t.offsetParent && t.scrollWidth > t.parentNode.clientWidth && getComputedStyle(t.parentNode).overflowX !== 'auto').map((t) => t.id));
		if (cut.length)
			wide.push(`${what}: ${cut} has columns out of reach`);
	};
	await look('open');
	if (await page.locator('#main').isVisible()) {
		for (const tab of await tabs(page)) {
			await page.click('#' + tab);
			await look(tab);
		}
		if (await page.locator('#over').isVisible())
			for (const below of await page.evaluate(() => [...document.getElementById('below').options].map((o) => o.value))) {
				await page.selectOption('#below', below);
				await look(below);
			}
		await page.click('#tab-flame');
		equal(`phone, ${name}: a finger scrolls over drawings`, 'auto pan-y pan-y', await page.evaluate(() => ['flame', 'areas', 'lanes'].map((id) => getComputedStyle(document.getElementById(id)).touchAction).join(' ')));
	}
	equal(`phone, ${name}: the page is as wide as the screen`, '', wide.join(', '));
	await page.context().close();
}

equal('no request left any page', '', requests.join(' '));
equal('no error in any page', '', [...new Set(errors)].join('; '));
await browser.close();
