// The frame of all drawings, heat maps, areas and bars: what is seen in light and dark, on a phone and on paper, by the
// keyboard, by those who listen. Usage: node grids.mjs DIRECTORY
import { chromium } from 'playwright-core';

const [, , dir] = process.argv;
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND'] });
const requests = [], errors = [];

function check(name, good, why) {
	console.log(good ? `ok ${name}` : `FAIL ${name}: ${String(why).replace(/\n/g, ' ').slice(0, 200)}`);
}

async function open(file, options) {
	const context = await browser.newContext({ viewport: { width: 1300, height: 900 }, ...options });
	const page = await context.newPage();
	page.setDefaultTimeout(120000);
	page.on('pageerror', (e) => errors.push(`${file}: ${e.message}`));
	page.on('request', (r) => r.url().startsWith(`file://${dir}/`) || r.url().startsWith('data:') || requests.push(r.url()));
	await page.goto(`file://${dir}/${file}`);
	await page.waitForSelector('svg.live', { state: 'attached' });
	return page;
}

// Texts that are seen: where they are, and their contrast to the page, or to the box in the drawing that they stand on.
const texts = (page) => page.evaluate(() => {
	const light = (c) => {
		const [r, g, b] = c.match(/[\d.]+/g).map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const ground = light(getComputedStyle(document.querySelector('#page')).fill);
	return [...document.querySelectorAll('text')].filter((t) => t.textContent.trim() && !t.closest('#frames, #labels') &&
		getComputedStyle(t).visibility === 'visible' && t.getClientRects().length).map((t) => {
		const r = t.getBoundingClientRect(), l = light(getComputedStyle(t).fill), m = t.getScreenCTM();
		return { text: t.textContent, left: r.left, right: r.right, top: r.top + scrollY, bottom: r.bottom + scrollY,
			size: parseFloat(getComputedStyle(t).fontSize) * m.d, ratio: (Math.max(l, ground) + 0.05) / (Math.min(l, ground) + 0.05) };
	});
});

// What a program that reads aloud would miss, in the manner of axe: names of what can be pressed, a name of the whole,
// one id for one thing, an order of the focus that is that of the document.
const spoken = (page) => page.evaluate(() => {
	const wrong = [], ids = new Set();
	for (const e of document.querySelectorAll('[id]')) {
		if (ids.has(e.id))
			wrong.push('twice: ' + e.id);
		ids.add(e.id);
	}
	for (const e of document.querySelectorAll('[tabindex]')) {
		if (Number(e.getAttribute('tabindex')) > 0)
			wrong.push('a focus out of order: ' + e.id);
		if (!e.getAttribute('role') || !(e.getAttribute('aria-label') || e.textContent.trim()))
			wrong.push('no role or no name: ' + e.id);
	}
	if (!document.querySelector('svg > title').textContent.trim())
		wrong.push('the drawing has no name');
	if (!document.querySelector('[aria-live=polite]'))
		wrong.push('nothing is told');
	return wrong;
});

const files = process.argv.slice(3);
for (const file of files) {
	const name = file.replace('.svg', '');
	for (const colorScheme of ['light', 'dark']) {
		const page = await open(file, { colorScheme });
		const dim = (await texts(page)).filter((t) => t.ratio < 4.5);
		check(`${name}, ${colorScheme}: text can be read`, !dim.length, dim.map((t) => `${t.text} ${t.ratio.toFixed(1)}`));
		check(`${name}, ${colorScheme}: the ground`, await page.evaluate(() => getComputedStyle(document.querySelector('#page')).fill) ===
			(colorScheme === 'dark' ? 'rgb(22, 22, 26)' : 'rgb(255, 255, 254)'), 'another');
		if (colorScheme === 'dark') {
			await page.emulateMedia({ media: 'print', colorScheme });
			check(`${name}: paper is light and has no buttons`, await page.evaluate(() => getComputedStyle(document.querySelector('#page')).fill === 'rgb(255, 255, 254)' &&
				getComputedStyle(document.querySelector('#info')).display === 'none'), 'it is not');
			await page.emulateMedia({ media: 'screen', colorScheme });
		}
		const wrong = await spoken(page);
		check(`${name}, ${colorScheme}: roles, names, ids`, !wrong.length, wrong);
		await page.context().close();
	}
	const page = await open(file, {});
	await page.keyboard.press('?');
	const panel = await page.evaluate(() => document.querySelector('#panel')?.textContent ?? '');
	check(`${name}: ? shows the facts`, /filters: /.test(panel) && /\?: these lines/.test(panel), panel);
	await page.keyboard.press('Escape');
	check(`${name}: Escape closes them`, await page.evaluate(() => !document.querySelector('#panel')), 'open');
	await page.keyboard.press('Tab');
	const order = [];
	for (let i = 0; i < 12; i++) {
		order.push(await page.evaluate(() => document.activeElement?.id ?? ''));
		await page.keyboard.press('Tab');
	}
	check(`${name}: Tab reaches the button ?`, order.includes('info'), order);
	await page.context().close();
	// a phone: nothing beside the screen, nothing too small, no line of the head on another
	const phone = await open(file, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 });
	const seen = await texts(phone);
	const out = seen.filter((t) => t.left < -1 || t.right > 391), small = seen.filter((t) => t.size < 9);
	check(`${name}, phone: all is on the screen`, seen.length > 5 && !out.length, out.map((t) => `${t.text} ${t.left} ${t.right}`));
	check(`${name}, phone: nothing is too small`, !small.length, small.map((t) => `${t.text} ${t.size}`));
	check(`${name}, phone: no zoom`, await phone.evaluate(() => document.documentElement.getBoundingClientRect().width <= 390 && innerWidth <= 391), 'wider');
	await phone.context().close();
}

// ---- what is a heat map's own ----

if (files.includes('lines.svg')) {
	const page = await open('lines.svg', {});
	const shown = () => page.evaluate(() => [...document.querySelectorAll('[data-at=over]')].some((e) => getComputedStyle(e).display !== 'none'));
	const labels = await page.evaluate(() => [...document.querySelectorAll('[data-at=over] text')].map((t) => t.getBoundingClientRect().top).sort((a, b) => a - b));
	check('lines: labels are apart', labels.length > 1 && labels.every((y, i) => !i || y - labels[i - 1] >= 13), labels);
	const before = await shown();
	await page.keyboard.press('p');
	check('lines: off by the key p', before && !(await shown()), before);
	await page.click('#lines');
	check('lines: on by the button', await shown(), 'off');
	await page.context().close();
	const narrow = await open('lines.svg', { viewport: { width: 600, height: 500 } });
	const cell = await narrow.evaluate(() => {
		const r = document.querySelector('#cells path').getBoundingClientRect();
		return { x: r.x + r.width / 2, y: r.y + r.height / 2, title: document.querySelector('#cells path title').textContent };
	});
	await narrow.evaluate((y) => scrollTo(0, y), cell.y - 200);
	const at = await narrow.evaluate(() => { const r = document.querySelector('#cells path').getBoundingClientRect(); return { x: r.x + r.width / 2, y: r.y + r.height / 2 }; });
	await narrow.mouse.move(at.x, at.y);
	const said = await narrow.evaluate(() => document.querySelector('#details').textContent);
	check('lines, narrow: the cell under the pointer is told', said.startsWith(cell.title.split('\n')[0]), `${said} for ${cell.title}`);
	await narrow.evaluate(() => new Promise((done) => {
		scrollTo(0, 0);
		requestAnimationFrame(() => requestAnimationFrame(done));
	}));
	const axis = await narrow.evaluate(() => document.querySelector('#axis').getBoundingClientRect().bottom);
	check('lines, a low window: the axis is in sight', axis <= 500, axis);
	await narrow.context().close();
}

if (process.argv.includes('differential.svg')) {
	const low = await open('differential.svg', { viewport: { width: 1000, height: 160 } });
	const tops = await low.evaluate(() => [...document.querySelectorAll('#frames rect')].map((r) => r.getBoundingClientRect())
		.filter((r) => r.width > 970).map((r) => r.y).sort((a, b) => a - b));
	const seen = tops.filter((y) => y > 0 && y < 150);
	check('differential, a low window: opens at the root of the first picture', await low.evaluate('scrollY') > 0 && seen.length &&
		tops.some((y) => y > 160), tops);
	await low.context().close();
}

check('no request', !requests.length, requests);
check('no error', !errors.length, errors);
await browser.close();
