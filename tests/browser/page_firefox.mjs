// The main path in firefox-esr, by WebDriver BiDi. Usage: node page_firefox.mjs DIRECTORY PDTOOL FILE   (DIRECTORY has slow1.html of FILE, and hostile.html)
import puppeteer from 'puppeteer-core';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { check, emptyPanels, equal, keyboardPath, wait } from './page_path.mjs';

const [, , dir, pdtool, file] = process.argv;
const saves = `${dir}/saves`;
mkdirSync(saves, { recursive: true });
const browser = await puppeteer.launch({
	browser: 'firefox', executablePath: '/usr/bin/firefox-esr', headless: true, timeout: 300000, protocolTimeout: 600000,
	extraPrefsFirefox: { 'browser.download.dir': saves, 'browser.download.folderList': 2, 'browser.download.useDownloadDir': true, 'browser.download.always_ask_before_handling_new_types': false },
});
const errors = [], requests = [];
async function open(name, hash = '') {
	const page = await browser.newPage();
	await page.setViewport({ width: 1200, height: 800 });
	page.on('pageerror', (e) => errors.push(e.message));
	page.on('console', (m) => ['error', 'warn'].includes(m.type()) && errors.push(m.text()));
	page.on('request', (r) => /^(file|blob):/.test(r.url()) || requests.push(r.url()));
	await page.goto(`file://${dir}/${name}.html${hash}`);
	await page.waitForSelector('#main:not([hidden])');
	return page;
}
const driver = (page) => ({
	async key(name) {
		const keys = name.split('+');
		for (const k of keys.slice(0, -1))
			await page.keyboard.down(k);
		await page.keyboard.press(keys.at(-1));
		for (const k of keys.slice(0, -1))
			await page.keyboard.up(k);
	},
	type: (t) => page.keyboard.type(t),
	run: (f, a) => page.evaluate(f, a),
	async saved(action) {
		await action();
		for (let i = 0; i < 200; i++, await wait(50)) {
			const [name] = readdirSync(saves).filter((n) => !n.endsWith('.part'));
			if (name && !existsSync(`${saves}/${name}.part`)) {
				const text = readFileSync(`${saves}/${name}`, 'utf8');
				rmSync(`${saves}/${name}`);
				return text;
			}
		}
		return 'nothing was saved';
	},
});

const page = await open('slow1');
await keyboardPath('firefox', driver(page), { pdtool, file, word: 'libc', absent: 'no_such_function' });
const hostile = await open('hostile', '#q=%3Cscript%3E&v=<img src=x onerror=window.hacked=1>');
equal('firefox, hostile names: no panel is empty', '', await emptyPanels(driver(hostile)));
equal('firefox, hostile names: nothing ran', undefined, await hostile.evaluate(() => window.hacked));
equal('firefox: no request left the page', '', requests.join(' '));
equal('firefox: no error in the page', '', errors.join('; '));
const ran = await hostile.evaluate(async () => {
	const s = document.createElement('script');
	s.textContent = 'window.hacked = 1';
	document.body.append(s);
	const b = document.createElement('button');
	b.setAttribute('onclick', 'window.hacked = 2');
	document.body.append(b);
	b.click();
	await new Promise((done) => setTimeout(done, 200));
	return String(window.hacked);
});
equal('firefox, policy: injected script and handlers do not run', 'undefined', ran);
await browser.close();
