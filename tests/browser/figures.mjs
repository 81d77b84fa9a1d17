// How long a large page takes from what a user does to the next frame, in Chromium, and the memory of its tab.
// Usage: node figures.mjs FILE.html
// A figure is the median of TIMES actions in a page that was used before; of ROUNDS of them the least counts, as others use the
// machine, too.
import { chromium } from 'playwright-core';
import { readFileSync } from 'node:fs';
import { check } from './page_path.mjs';

const LIMITS = { opening: 3000, 'a range, to its flame graph': 200, 'a comparison, to its table': 400, 'a comparison, to its flame graph': 400,
	'search in the flame graph': 100, 'search in the table': 100, 'search in a comparison': 100 };
const MEMORY_MB = 600, TIMES = 7, ROUNDS = 3;
const file = process.argv[2];
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', timeout: 600000, args: ['--no-sandbox', '--disable-gpu'] });
const system = await browser.newBrowserCDPSession();
const figures = Object.fromEntries(Object.keys(LIMITS).map((name) => [name, []]));
let memoryMb = 0;

// The most that the tab's process has had: its resident set.
async function lookAtMemory() {
	const { processInfo } = await system.send('SystemInfo.getProcessInfo');
	for (const { type, id } of processInfo) {
		if (type === 'renderer')
			memoryMb = Math.max(memoryMb, Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))[1]) / 1024);
	}
}
async function open() {
	const context = await browser.newContext({ viewport: { width: 1200, height: 800 } }), page = await context.newPage();
	page.setDefaultTimeout(60000);
	await page.goto('file://' + file);
	await page.waitForSelector('#main:not([hidden])');
	const took = await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now())))));
	return { page, took };
}
// From the event TYPE that ACTION brings to the frame behind it.
async function timed(page, type, action) {
	await page.evaluate((t) => {
		window.figure = new Promise((done) => {
			window.addEventListener(t, () => {
				const begun = performance.now();
				requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
			}, { capture: true, once: true });
		});
	}, type);
	await action();
	return page.evaluate(() => window.figure);
}
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
async function repeated(name, first, action) {
	const list = [];
	await first();
	for (let i = 0; i < TIMES; i++)
		list.push(await action(i));
	figures[name].push(median(list));
}
async function drag(page, from, to, shift) {
	const b = await page.locator('#areas').boundingBox();
	if (shift)
		await page.keyboard.down('Shift');
	await page.mouse.move(b.x + b.width * from, b.y + b.height / 3);
	await page.mouse.down();
	await page.mouse.move(b.x + b.width * to, b.y + b.height / 3);
	const took = await timed(page, 'pointerup', () => page.mouse.up());
	if (shift)
		await page.keyboard.up('Shift');
	return took;
}
async function search(page, name) {
	await repeated(name, async () => {
		await page.focus('#search');
		await page.keyboard.type('m');
	}, (i) => timed(page, 'input', () => page.keyboard.type('odule_'[i] ?? String(i))));
	await page.fill('#search', '');
}

for (let round = 0; round < ROUNDS; round++) {
	let page = null;
	await repeated('opening', async () => {}, async () => {
		await page?.context().close();
		const opened = await open();
		page = opened.page;
		return opened.took;
	});
	const range = (i) => drag(page, 0.05 + i / 50, 0.45 + i / 40), other = (i) => drag(page, 0.55 + i / 50, 0.85 + i / 100, true);
	await repeated('a range, to its flame graph', () => range(TIMES), range);
	await search(page, 'search in the flame graph');
	await repeated('a comparison, to its flame graph', () => other(TIMES), other);
	await page.keyboard.press('Escape');
	await page.click('#tab-functions');
	await repeated('a comparison, to its table', () => other(TIMES), other);
	await search(page, 'search in a comparison');
	await page.click('#button-compare');
	await search(page, 'search in the table');
	await lookAtMemory();
	await page.context().close();
}
for (const [name, limit] of Object.entries(LIMITS)) {
	const best = Math.min(...figures[name]);
	check(`${name}: ${best.toFixed(0)} ms (${figures[name].map((v) => v.toFixed(0)).join(', ')}), of ${limit}`, best <= limit, `${best.toFixed(0)} ms`);
}
check(`memory of the tab: ${memoryMb.toFixed(0)} MB, of ${MEMORY_MB}`, memoryMb > 0 && memoryMb <= MEMORY_MB, `${memoryMb.toFixed(0)} MB`);
await browser.close();
