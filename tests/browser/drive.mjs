// What a user does with a drawing, and what must be seen then. Usage: node drive.mjs DIRECTORY [SHOTS]
import { chromium } from 'playwright-core';

const [, , dir, shots] = process.argv;
const LIMIT_MS = 1000, WAIT_MS = 600000;
const browser = await chromium.launch({
	executablePath: '/usr/bin/chromium',
	timeout: WAIT_MS,
	args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND'],
});
const requests = [], errors = [];

function check(name, good, why) {
	console.log(good ? `ok ${name}` : `FAIL ${name}: ${String(why).replace(/\n/g, ' ').slice(0, 200)}`);
}
function equal(name, want, got) {
	check(name, want === got, `wanted '${want}', got '${got}'`);
}

async function newPage(options = {}) {
	const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, ...options });
	context.setDefaultTimeout(WAIT_MS);
	const page = await context.newPage();
	page.on('pageerror', (e) => errors.push(e.message));
	page.on('dialog', (d) => { errors.push('a dialog: ' + d.message()); d.dismiss(); });
	await page.route('**/*', (route) => {
		if (route.request().url().split(/[#?]/)[0].startsWith(`file://${dir}/`))
			return route.continue();
		requests.push(route.request().url());
		return route.abort();
	});
	return page;
}

async function open(page, file) {
	await page.goto('about:blank');
	await page.goto(`file://${dir}/${file}`, { waitUntil: 'commit' });
	await page.waitForSelector('svg.live #labels', { state: 'attached' });
}

async function shot(page, name) {
	if (shots)
		await page.screenshot({ path: `${shots}/${name}.png` });
}

const text = (page, selector) => page.evaluate((s) => document.querySelector(s)?.textContent ?? '', selector);
const titles = (page) => page.evaluate(() => [...document.querySelectorAll('#frames > g, #frames > a')].map((g) => {
	const r = g.querySelector('rect').getBoundingClientRect();
	return { title: g.querySelector('title').textContent, x: r.x + r.width / 2, y: r.y + r.height / 2, width: r.width };
}));
const find = async (page, name) => (await titles(page)).find((f) => f.title.startsWith(name + ' ('));
// What lies at a place: by its fill, position and width, after the script has drawn anew.
const rects = (page) => page.evaluate(() => [...document.querySelectorAll('#frames rect')].map((r) => ({
	x: +r.getAttribute('x'), y: +r.getAttribute('y'), width: +r.getAttribute('width') })));
const labels = (page) => page.evaluate(() => [...document.querySelectorAll('#labels text')].map((t) => t.textContent));
const visible = (page, selector) => page.locator(selector).isVisible();

// ---- a small graph, step by step ----

const page = await newPage();
await open(page, 'small.svg');
const a = await find(page, 'a'), e = await find(page, 'e'), all = await find(page, 'all');
equal('the still picture is there', 9, (await titles(page)).length);
equal('the title', 'Small', await text(page, '#title'));
check('no button for what cannot be done yet', !(await visible(page, '#unzoom')) && await visible(page, '#search'), 'buttons');
await page.mouse.move(e.x, e.y);
equal('hover: details', 'Function: e (20 samples, 31.25%)', await text(page, '#details'));
check('hover: the frame is outlined', await visible(page, '#hover'), 'no outline');
await shot(page, 'light');
await page.mouse.move(5, 5);
equal('hover: gone', '', await text(page, '#details'));

await page.mouse.click(a.x, a.y);
let drawn = await rects(page);
equal('zoom: the frame and its root fill the width', 2, drawn.filter((r) => Math.abs(r.width - 1180) < 0.01).length);
check('zoom: what is above keeps its share', drawn.some((r) => Math.abs(r.width - 1180 * 20 / 30) < 0.01), JSON.stringify(drawn));
equal('zoom: frames in view', 'all a b c e', (await labels(page)).sort((x, y) => 'all a b c e'.indexOf(x) - 'all a b c e'.indexOf(y)).join(' '));
equal('zoom: breadcrumb', 'all > a', await text(page, '#crumbs'));
check('zoom: state in the address', (await page.evaluate('location.href')).endsWith('#x=0&y=1'), await page.evaluate('location.href'));
await shot(page, 'zoomed');
await page.mouse.click(10 + 1180 * 2 / 3, e.y);
equal('zoom: further', 'all > a > c > e', await text(page, '#crumbs'));
await page.click('#crumbs tspan:text-is("a")');
equal('breadcrumb: back to a', 'all > a', await text(page, '#crumbs'));
await page.click('#unzoom');
equal('reset: all frames are back', 9, (await labels(page)).length);
equal('reset: no breadcrumb', '', await text(page, '#crumbs'));
check('reset: no state', !(await page.evaluate('location.href')).includes('#'), await page.evaluate('location.href'));
await page.mouse.click(a.x, a.y);
await page.mouse.click(all.x, all.y);
equal('the root resets too', '', await text(page, '#crumbs'));

await page.keyboard.press('Control+f');
await page.keyboard.type('^[ab]$');
equal('search: matched share counts nested frames once', 'Matched: 46.9%  - / 2', await text(page, '#matched'));
await page.keyboard.press('Control+i');
equal('search: names as they are, with _[k]', 'Matched: 46.9%  - / 2', await text(page, '#matched'));
await page.fill('#input input', '^(a|b)(_\\[k\\])?$');
equal('search: case is ignored', 'Matched: 93.8%  - / 3', await text(page, '#matched'));
await page.keyboard.press('Enter');
equal('search: next', 'Matched: 93.8%  1 / 3', await text(page, '#matched'));
await page.keyboard.press('Enter');
await page.keyboard.press('Enter');
equal('search: the third', 'Matched: 93.8%  3 / 3', await text(page, '#matched'));
equal('search: the lightest comes last', 'Function: b (10 samples, 15.63%)', await text(page, '#details'));
await page.keyboard.press('Enter');
equal('search: round again', 'Matched: 93.8%  1 / 3', await text(page, '#matched'));
await page.keyboard.press('Shift+Enter');
equal('search: back', 'Matched: 93.8%  3 / 3', await text(page, '#matched'));
await shot(page, 'search');
await page.keyboard.press('Escape');
await page.click('#previous');
equal('search: the button for the one before', 'Matched: 93.8%  2 / 3', await text(page, '#matched'));
await page.mouse.click(a.x, a.y);
const address = await page.evaluate('location.href');
check('state: zoom, term and case', address.includes('x=0&y=1') && address.includes('s=') && address.endsWith('i=1'), address);

const again = await newPage();
await again.goto(address, { waitUntil: 'commit' });
await again.waitForSelector('svg.live #labels', { state: 'attached' });
equal('state restored: zoom', 'all > a', await text(again, '#crumbs'));
equal('state restored: search, of all and of the zoom', 'Matched: 93.8%, 100% of the zoom  - / 3', await text(again, '#matched'));
check('state restored: ignore case', await again.evaluate(() => document.querySelector('#ignorecase').classList.contains('on')), 'off');
await again.goto(`file://${dir}/small.svg?s=%5Ed%24`, { waitUntil: 'commit' });
await again.waitForSelector('svg.live #labels', { state: 'attached' });
equal('state after a question mark', 'Matched: 46.9%  - / 1', await text(again, '#matched'));

await page.mouse.move(10 + 1180 * 2 / 3, e.y);
equal('zoom: percent of all and of the zoom', 'Function: e (20 samples, 31.25% of all, 66.67% of the zoom)', await text(page, '#details'));
equal('zoom: the same in the tooltip', 'e (20 samples, 31.25% of all, 66.67% of the zoom)', await text(page, '#frames > title'));
await page.click('#unzoom');
await page.click('#search');
equal('search: reset', '', await text(page, '#matched'));
await page.click('#search');
await page.keyboard.type('(');
equal('search: no valid pattern', 'No valid pattern', await text(page, '#matched'));
await page.fill('#input input', '');
await page.keyboard.press('Escape');

// ---- the keyboard ----

await open(page, 'small.svg');
const order = [];
for (let i = 0; i < 6; i++) {
	await page.keyboard.press('Tab');
	order.push(await page.evaluate(() => document.activeElement?.id));
}
check('keyboard: Tab reaches buttons and frames', ['search', 'ignorecase', 'info', 'frames'].every((id) => order.includes(id)), order);
while (await page.evaluate(() => document.activeElement?.id) !== 'frames')
	await page.keyboard.press('Tab');
check('keyboard: the focus is seen', await visible(page, '#focus'), 'not seen');
await page.keyboard.press('ArrowUp');
equal('keyboard: up to the widest', 'Function: a (30 samples, 46.88%)', await text(page, '#details'));
await page.keyboard.press('ArrowRight');
equal('keyboard: right', 'Function: d (30 samples, 46.88%)', await text(page, '#details'));
await page.keyboard.press('ArrowLeft');
await page.keyboard.press('ArrowUp');
await page.keyboard.press('Enter');
equal('keyboard: Enter zooms', 'all > a > c', await text(page, '#crumbs'));
await page.keyboard.press('ArrowDown');
equal('keyboard: down', 'Function: a (30 samples, 46.88%)', await text(page, '#details'));
await page.keyboard.press('Escape');
equal('keyboard: Escape resets', '', await text(page, '#crumbs'));
await page.focus('#info');
await page.keyboard.press('Enter');
check('keyboard: the facts', (await text(page, '#panel')).includes('folded text: small.folded'), await text(page, '#panel'));
await shot(page, 'facts');
await page.keyboard.press('Escape');

// ---- callers and callees, recursion ----

await open(page, 'calls.svg');
const boxes = (p) => p.evaluate(() => [...document.querySelectorAll('#labels text, #frames text')].map((t) => {
	const r = t.getBoundingClientRect();
	const frame = document.elementsFromPoint(r.x + 2, r.y + r.height / 2).find((q) => q.matches('#frames rect')).getBoundingClientRect();
	return { name: t.textContent, x: Math.round(frame.x), y: frame.y, width: Math.round(frame.width), row: 0 };
}));
// Each frame as "name row left width", its row counted from that of BASE, its place in percent of the width.
const layout = async (p, base) => {
	const all = await boxes(p), zero = all.find((f) => f.name === base).y, wide = await p.evaluate(() => innerWidth) - 20;
	return all.map((f) => `${f.name} ${Math.round((zero - f.y) / 16)} ${Math.round((f.x - 10) / wide * 100)} ${Math.round(f.width / wide * 100)}`).sort().join(', ');
};
const plainLayout = await layout(page, 'all');
equal('calls: as it is', 'all 0 0 100, f 2 0 25, f 2 25 63, f 3 25 13, g 3 0 25, g 4 25 13, h 3 38 50, x 1 0 25, y 1 25 63, z 1 88 13', plainLayout);
const f = await find(page, 'h');
await page.mouse.move(f.x, f.y + 16);
equal('sandwich: the function', 'Function: f (25 samples, 62.50%)', await text(page, '#details'));
await page.keyboard.press('s');
// f below x (10) and y (25); what f called by itself is counted once
equal('sandwich: callers above, callees below', 'f -1 0 14, f 0 0 100, g -1 14 29, g -2 0 14, h -1 43 57, x 1 0 29, y 1 29 71', await layout(page, 'f'));
equal('sandwich: said below', 'Callers above, callees below: f', (await text(page, '#crumbs')).trim());
equal('sandwich: the function of all and of itself', 'Function: f (35 samples, 87.50% of all, 100.00% of f)', await text(page, '#details'));
check('sandwich: state in the address', (await page.evaluate('location.href')).endsWith('#f=f'), await page.evaluate('location.href'));
await shot(page, 'sandwich');
const sandwichAddress = await page.evaluate('location.href');
const caller = (await boxes(page)).find((b) => b.name === 'y');
await page.mouse.click(caller.x + 5, caller.y + 5);
equal('sandwich: zoom into a caller', 'y > f', (await text(page, '#crumbs')).split('  ')[1].split(' > ').reverse().join(' > '));
await page.keyboard.press('Escape');
equal('sandwich: Escape leaves the zoom', 'Callers above, callees below: f', (await text(page, '#crumbs')).trim());
await page.keyboard.press('Escape');
equal('sandwich: Escape goes back', plainLayout, await layout(page, 'all'));
check('sandwich: no state', !(await page.evaluate('location.href')).includes('#'), await page.evaluate('location.href'));
await page.mouse.move(5, 5);
await page.focus('#frames');
await page.keyboard.press('Tab');
await page.keyboard.press('Shift+Tab');
await page.keyboard.press('Home');
await page.keyboard.press('ArrowUp');
await page.keyboard.press('ArrowUp');
await page.keyboard.press('s');
equal('sandwich: by the keyboard', 'Function: f (35 samples, 87.50% of all, 100.00% of f)', await text(page, '#details'));
await page.keyboard.press('ArrowUp');
equal('sandwich: up to the widest caller', 'Function: y (25 samples, 62.50% of all, 71.43% of f)', await text(page, '#details'));
await page.keyboard.press('ArrowDown');
await page.keyboard.press('ArrowDown');
equal('sandwich: down to the widest callee', 'Function: h (20 samples, 50.00% of all, 57.14% of f)', await text(page, '#details'));
await page.click('#unzoom');
equal('sandwich: the button goes back', plainLayout, await layout(page, 'all'));
await page.keyboard.press('r');
equal('recursion: merged', 'all 0 0 100, f 2 0 25, f 2 25 63, g 3 0 25, g 3 25 13, h 3 38 50, x 1 0 25, y 1 25 63, z 1 88 13', await layout(page, 'all'));
check('recursion: state in the address', (await page.evaluate('location.href')).endsWith('#r=1'), await page.evaluate('location.href'));
await page.click('#recursion');
equal('recursion: the button shows it again', plainLayout, await layout(page, 'all'));
const sandwiched = await newPage();
await sandwiched.goto(sandwichAddress, { waitUntil: 'commit' });
await sandwiched.waitForSelector('svg.live #labels', { state: 'attached' });
equal('sandwich: state restored', 'Callers above, callees below: f', (await text(sandwiched, '#crumbs')).trim());
await sandwiched.keyboard.press('?');
check('the keys are behind ?', ['callers above', 'search by', 'merge functions'].every((k) => page && k) &&
	/Ctrl-F.*s: callers above.*r: merge.*Escape/.test((await text(sandwiched, '#panel'))), await text(sandwiched, '#panel'));
await sandwiched.keyboard.press('Escape');
check('the keys are gone', !(await visible(sandwiched, '#panel')), 'they are not');
await open(page, 'small.svg');
check('no button where nothing calls itself', await page.evaluate(() => !document.querySelector('#recursion')), 'there is one');

// A change of a sum has the colour of the sum.
await open(page, 'twocalls.svg');
const changed = await find(page, 'f');
await page.mouse.move(changed.x, changed.y);
await page.keyboard.press('s');
equal('sandwich of two sides: the sums', 'Function: f (30 samples, 75.00% of all, 100.00% of f; before 30; delta 0, 0.00%; self delta 0)', await text(page, '#details'));
equal('sandwich of two sides: the same is light', '#e4e4e8', await page.evaluate(() => document.querySelector('#frames rect.chosen').getAttribute('fill')));

// ---- a phone ----

const phone = await newPage({ viewport: { width: 390, height: 700 }, isMobile: true, hasTouch: true });
await open(phone, 'calls.svg');
await phone.waitForFunction(() => document.querySelector('#page').getAttribute('width') === '390');
const tapped = (await boxes(phone)).find((b) => b.name === 'y');
await phone.touchscreen.tap(tapped.x + 9, tapped.y + 8);
equal('phone: a tap shows the frame', 'Function: y (25 samples, 62.50%)', await text(phone, '#details') + ' ' + await text(phone, '#crumbs'));
check('phone: and does not zoom', !(await phone.evaluate('location.href')).includes('#'), await phone.evaluate('location.href'));
await shot(phone, 'phone');
await phone.touchscreen.tap(tapped.x + 9, tapped.y + 8);
check('phone: the second tap zooms', (await phone.evaluate('location.href')).endsWith('#x=10&y=1'), await phone.evaluate('location.href'));
const targets = await phone.evaluate(() => ['search', 'ignorecase', 'sandwich', 'recursion', 'info', 'unzoom'].map((id) => {
	const r = document.getElementById(id).getBoundingClientRect();
	return { id, left: r.left, right: r.right, top: r.top, bottom: r.bottom };
}).sort((p, q) => p.left - q.left));
check('phone: the buttons are in view and apart', targets.every((t, i) => t.left >= 0 && t.right <= 390 && t.bottom <= 700 &&
	(!i || t.left >= targets[i - 1].right + 8)), JSON.stringify(targets));
await phone.tap('#unzoom');
await phone.touchscreen.tap(tapped.x + 9, tapped.y + 8);
await phone.tap('#sandwich');
check('phone: callers and callees by a button', (await phone.evaluate('location.href')).endsWith('#f=y'), await phone.evaluate('location.href'));
await open(phone, 'kinds.svg');
const layers = await phone.evaluate(() => {
	const all = [...document.documentElement.children];
	return ['#legend', '#search', 'svg > rect:not([id])'].map((s) => all.indexOf(document.querySelector(s))).concat(scrollY);
});
check('phone: scrolled, a legend without room lies below the buttons', layers[0] >= 0 && layers[0] < layers[2] && layers[2] < layers[1] && layers[3] > 0, layers.join(' '));
check('phone: nothing is wider than the screen', await phone.evaluate(() => document.documentElement.scrollWidth <= 390), 'it is');

// ---- higher than the window ----

await open(page, 'deep.svg');
const view = () => page.evaluate(() => {
	const of = (s) => { const r = document.querySelector(s).getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight; };
	return { y: scrollY, root: of('#frames > g'), buttons: of('#search'), lines: of('#bar') };
});
let seen = await view();
check('tall: opens at its root, with its buttons and lines', seen.y > 0 && seen.root && seen.buttons && seen.lines, JSON.stringify(seen));
await open(page, 'kinds.svg');
const keys = () => page.evaluate(() => [...document.querySelectorAll('#legend .key')].map((k) => {
	const r = k.getBoundingClientRect();
	return k.querySelector('text').textContent + (r.top >= 0 && r.bottom <= 40 && scrollY > 0 ? ' at the top' : '');
}).join(', '));
equal('tall: the legend stays in view', 'other 98.99% at the top, kernel 1.01% at the top', await keys());
const top99 = await page.evaluate(() => document.querySelectorAll('#frames rect').length);
check('kinds: there are frames', top99 > 90, top99);
await page.keyboard.press('/');
await page.keyboard.type('^d98');
await page.keyboard.press('Enter');
equal('kinds: the details say it', 'Function: d98 (1 samples, 1.01%)  kernel', await text(page, '#details'));
await open(page, 'deep.svg');
await page.keyboard.press('/');
await page.keyboard.type('^d99$');
await page.keyboard.press('Enter');
check('tall: a search scrolls to the match', (await view()).y < seen.y, JSON.stringify(await view()));
equal('tall: and does not zoom', '', await text(page, '#crumbs'));
await page.keyboard.press('Escape');
await page.evaluate(() => new Promise((done) => { scrollTo(0, 0); requestAnimationFrame(() => requestAnimationFrame(done)); }));
seen = await view();
check('tall: at the top', seen.y === 0 && seen.buttons && seen.lines && !seen.root, JSON.stringify(seen));

// ---- width and colours ----

await open(page, 'small.svg');

await page.setViewportSize({ width: 1600, height: 800 });
await page.waitForFunction(() => document.querySelector('#page').getAttribute('width') === '1600');
drawn = await rects(page);
check('the width follows the window', drawn.some((r) => Math.abs(r.width - 1580) < 0.01), JSON.stringify(drawn));
await page.setViewportSize({ width: 1200, height: 800 });
const colors = () => page.evaluate(() => {
	const light = (c) => { const [r, g, b] = c.match(/\d+/g).map((v) => (v / 255) ** 2.2); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const of = (s, p) => light(getComputedStyle(document.querySelector(s))[p]);
	const ratio = (x, y) => (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
	const boxes = [...document.querySelectorAll('#frames rect')];
	const frames = [...document.querySelectorAll('#labels text')].map((t) => {
		const n = (e, k) => Number(e.getAttribute(k));
		const box = boxes.find((r) => Math.abs(n(r, 'x') + 3 - n(t, 'x')) < 0.1 && n(r, 'y') < n(t, 'y') && n(t, 'y') < n(r, 'y') + n(r, 'height'));
		return ratio(light(getComputedStyle(t).fill), light(getComputedStyle(box).fill));
	});
	return { back: of('#page', 'fill'), title: ratio(of('#title', 'fill'), of('#page', 'fill')),
		button: ratio(of('#search', 'fill'), of('#page', 'fill')), frames: Math.min(...frames) };
});
await page.waitForFunction(() => document.querySelector('#page').getAttribute('width') === '1200');
for (const scheme of ['light', 'dark']) {
	await page.emulateMedia({ colorScheme: scheme });
	const c = await colors();
	check(`${scheme}: the background`, scheme === 'dark' ? c.back < 0.1 : c.back > 0.6, c.back);
	check(`${scheme}: text can be read`, c.title > 4.5 && c.button > 4 && c.frames >= 4.5 && c.frames < 99, JSON.stringify(c));
}
await shot(page, 'dark');
await page.emulateMedia({ colorScheme: 'light' });

// ---- other drawings ----

await open(page, 'icicle.svg');
const top = await find(page, 'all'), c = await find(page, 'c');
check('icicle: the root is on top', top.y < c.y, `${top.y} ${c.y}`);
await page.mouse.click(c.x, c.y);
equal('icicle: zoom', 'all > a > c', await text(page, '#crumbs'));

await open(page, 'two.svg');
for (const f of await titles(page)) {
	await page.mouse.move(f.x, f.y);
	equal(`two sides: details as the title, ${f.title.slice(0, 40)}`, 'Function: ' + f.title, await text(page, '#details'));
}
await shot(page, 'two');
const gone = await find(page, 'gone');
await page.mouse.click(gone.x, gone.y);
equal('two sides: zoom below', 'all > a > gone', await text(page, '#crumbs'));
await page.keyboard.press('Escape');
await page.keyboard.press('/');
await page.keyboard.type('^b$');
equal('two sides: matched on both', 'Matched: 71.4%, before 35.7%  - / 2', await text(page, '#matched'));

await open(page, 'links.svg');
const link = await find(page, 'b');
await page.evaluate(() => document.querySelector('#frames a').addEventListener('click', (ev) => {
	window.followed = !ev.defaultPrevented;
	ev.preventDefault();
}));
await page.mouse.click(link.x, link.y);
equal('--nameattr: a link is followed', true, await page.evaluate(() => window.followed));
const own = (await titles(page)).find((f) => f.title === 'My own');
await page.setViewportSize({ width: 1190, height: 800 });
await page.waitForFunction(() => document.querySelector('#page').getAttribute('width') === '1190');
await page.mouse.move(own.x, own.y);
equal('--nameattr: a title stays when the width changes', 'My own', await text(page, '#frames > title'));

const still = await newPage({ javaScriptEnabled: false });
await still.goto(`file://${dir}/small.svg`);
check('without script: a still picture, no buttons', await still.locator('#frames rect').count() === 9 && !(await visible(still, '#search')), 'it is not');
await shot(still, 'still');

// ---- many frames ----

// Until what was done is painted.
const painted = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`;
const click = (p, place) => p.evaluate(async ([place, painted]) => {
	const target = typeof place === 'string' ? document.querySelector(place) : document.elementFromPoint(place.x, place.y);
	target.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: place.x, clientY: place.y }));
	await eval(painted);
}, [place, painted]);

// How many milliseconds of CPU the page's process takes for ACTION: others may use this machine.
async function cost(p, action) {
	const session = await p.context().newCDPSession(p);
	await session.send('Performance.enable');
	const cpu = async () => 1000 * (await session.send('Performance.getMetrics')).metrics.find((m) => m.name === 'ProcessTime').value;
	const before = await cpu();
	await action();
	const after = await cpu();
	await session.detach();
	return after - (after < before ? 0 : before); // another page can have another process
}

function within(name, times, start = 0) {
	const best = Math.round(Math.min(...times)), limit = LIMIT_MS + start;
	check(`${name} of CPU (${best} ms)`, best <= limit, `${best} ms is more than ${limit}`);
}

// By the clock, from the start of the navigation: when there is something to see, when a click is answered.
const opens = [];
for (let i = 0; i < 10 && !opens.some((o) => o.ready <= 2000); i++) { // others may use this machine
	const p = await newPage();
	await open(p, 'sixty.svg');
	opens.push(await p.evaluate(async (painted) => {
		await eval(painted);
		const root = document.querySelector('#frames rect').getBoundingClientRect(), ready = performance.now();
		const target = document.elementFromPoint(300, root.y - 152);
		target.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: 300, clientY: root.y - 152 }));
		await eval(painted);
		const first = performance.getEntriesByName('first-paint')[0];
		return { paint: Math.round(first ? first.startTime : ready), ready: Math.round(ready),
			clicked: Math.round(performance.now()), zoomed: document.querySelector('#crumbs').textContent };
	}, painted));
	await p.context().close();
}
const soonest = opens.reduce((x, y) => y.ready < x.ready ? y : x);
check(`60000 frames open in 2 s by the clock (first paint ${soonest.paint} ms, ready ${soonest.ready} ms, zoomed ${soonest.clicked} ms)`,
	soonest.ready <= 2000 && soonest.zoomed.startsWith('all > '), JSON.stringify(opens));

let start = 0; // of the browser's process, which a page of few frames has nearly nothing to add to: 260 ms on a slow host
for (const [file, count] of [['thousand.svg', 1000], ['hundred.svg', 100000]]) {
	const opened = [], zoomed = [], reset = [], searched = [];
	const slow = () => [opened, zoomed, reset, searched].some((times) => Math.min(...times) > LIMIT_MS);
	const p = await newPage();
	for (let i = 0; i < 5 || (i < 20 && slow()); i++) { // others may use this machine
		opened.push(await cost(p, async () => {
			await open(p, file);
			await p.evaluate(painted);
		}));
		const root = { x: 600, y: await p.evaluate(() => +document.querySelector('#frames rect').getAttribute('y') + 8) };
		await p.evaluate((y) => scrollTo(0, y), root.y);
		const y = await p.evaluate(() => document.querySelector('#frames rect').getBoundingClientRect().y - 152);
		zoomed.push(await cost(p, () => click(p, { x: 300, y })));
		if (i === 0)
			check(`${count} frames: zoomed into a narrow one`, (await text(p, '#crumbs')).split(' > ').length > 5, await text(p, '#crumbs'));
		reset.push(await cost(p, () => click(p, '#unzoom')));
		searched.push(await cost(p, () => p.evaluate(async (painted) => {
			document.querySelector('#search').dispatchEvent(new MouseEvent('click', { bubbles: true }));
			const field = document.querySelector('#input input');
			field.value = '_1$';
			field.dispatchEvent(new Event('input'));
			await eval(painted);
		}, painted)));
	}
	const n = +(await text(p, '#matched')).split(' / ')[1];
	check(`${count} frames: found by a search`, n > count / 200 && n < count / 50, await text(p, '#matched'));
	await p.keyboard.press('Enter');
	const seen = await p.evaluate(() => document.querySelector('#frames rect').getBoundingClientRect().y - 88);
	await p.mouse.move(600, seen);
	check(`${count} frames: hover`, /^Function: level_\d+_function_\d+ \([\d,]+ samples, /.test(await text(p, '#details')), await text(p, '#details'));
	const line = await p.evaluate(() => document.querySelector('#details').getBoundingClientRect());
	check(`${count} frames: the details are in view`, line.top >= 0 && line.bottom <= 800, `${line.top} to ${line.bottom}`);
	within(`${count} frames open within a second`, opened, start);
	within(`${count} frames zoom within a second`, zoomed);
	within(`${count} frames reset within a second`, reset);
	within(`${count} frames searched within a second`, searched);
	start = Math.round(Math.min(...opened));
	await shot(p, file);
}

equal('nothing ran that was a name', undefined, await page.evaluate(() => window.hacked));
equal('no request left the page', '', requests.join(' '));
equal('no error in the page', '', errors.join(' '));
await browser.close();
