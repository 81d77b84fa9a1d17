// What the tests of the page share, in any browser: what they say, and the path of a user who has only a keyboard.
//   DRIVER: { key(name), type(text), run(function, argument), saved(action): the text of the file that ACTION saves }
import { spawnSync } from 'node:child_process';

export function check(name, good, why) {
	console.log(good ? `ok ${name}` : `FAIL ${name}: ${String(why ?? 'it does not').replace(/\s+/g, ' ').slice(0, 300)}`);
}
export function equal(name, want, got) {
	check(name, want === got, `wanted '${want}', got '${got}'`);
}
export const wait = (ms) => new Promise((done) => setTimeout(done, ms));

// What PDTOOL prints; nothing is an answer, too.
export function printed(pdtool, words) {
	const ran = spawnSync(pdtool, words, { maxBuffer: 1 << 28 });
	if (ran.status !== 0 && (ran.status !== 1 || ran.stdout.length)) // 1: nothing is in that range
		throw new Error(`${words.join(' ')}: ${ran.stderr}`);
	return ran.stdout.toString();
}
// For --time, whose last nanosecond is within it.
export function timeOf(from, to) {
	const at = (us) => `${Math.floor(us / 1e6)}.${String(us % 1e6).padStart(6, '0')}`;
	return `${at(from)},${at(to - 1)}999`;
}
// The same of FILE between two times in us of the capture (the second one is outside), as the page counts.
export function told(pdtool, words, file, event, from, to) {
	const time = from === undefined ? [] : ['--time', timeOf(from, to)];
	const of = event === undefined ? [] : [words[0] === 'report' ? '--event' : '--event-filter', event];
	return printed(pdtool, [...words, '-q', ...of, ...time, file]);
}

// In the page: facts, what is chosen, what has the focus.
export const about = (d) => d.run(() => {
	const all = JSON.parse(document.getElementById('about').textContent), [first] = all.captures, last = all.captures.at(-1);
	return { ...all, firstUs: first.firstUs, lastUs: last.lastUs, hasTime: all.captures.some((c) => c.hasTime) };
});
export const text = (d, id) => d.run((id) => document.getElementById(id).textContent, id);
export const focused = (d) => d.run(() => {
	const e = document.activeElement, s = getComputedStyle(e);
	return { id: e.id, name: e.id || e.tagName + ' ' + e.textContent, body: e === document.body, seen: s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2 };
});
// Ranges of the address, in us of the capture.
export async function ranges(d) {
	await wait(300);
	const address = await d.run(() => location.hash), { firstUs } = await about(d);
	const of = (letter) => {
		const m = new RegExp(`[#&]${letter}=(\\d+)-(\\d+)`).exec(address);
		return m ? [firstUs + Number(m[1]), firstUs + Number(m[2])] : undefined;
	};
	return { a: of('r'), b: of('o') };
}

async function tabTo(d, id) {
	for (let i = 0; i < 200; i++) {
		await d.key('Tab');
		if ((await focused(d)).id === id)
			return true;
	}
	return false;
}

// Opens nothing: the page is there, with the capture FILE. WORD is in names of functions, ABSENT is not.
export async function keyboardPath(browser, d, { pdtool, file, word, absent }) {
	const say = (what) => `${browser}, keyboard: ${what}`, data = await about(d);
	const controls = await d.run(() => [...document.querySelectorAll('button, select, input, canvas[tabindex], [tabindex="0"]')]
		.filter((e) => e.offsetParent && e.tabIndex >= 0 && !e.disabled).map((e) => e.id || e.tagName + ' ' + e.textContent));
	const reached = [], unseen = [];
	for (let i = 0; i < controls.length + 5; i++) {
		await d.key('Tab');
		const f = await focused(d);
		if (f.body || reached.includes(f.name))
			break;
		reached.push(f.name);
		if (!f.seen)
			unseen.push(f.name);
	}
	equal(say('Tab reaches every control'), '', controls.filter((c) => !reached.includes(c)).join(', '));
	equal(say('the focus is seen on each'), '', unseen.join(', '));

	// a range
	await d.run(() => document.activeElement.blur());
	check(say('Tab comes to the areas'), await tabTo(d, 'areas'));
	for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', ...Array(20).fill('Shift+ArrowRight')])
		await d.key(key);
	const { a } = await ranges(d), part = (data.lastUs + 1 - data.firstUs) / 100;
	check(say('arrows choose a range'), a && Math.abs(a[0] - data.firstUs - 3 * part) < 10 && Math.abs(a[1] - data.firstUs - 24 * part) < 30, `${a} of ${data.firstUs}, ${part}`);
	const [name] = data.events[await d.run(() => window.pdtoolPage.state.event)];
	const saved = await d.saved(() => d.key('e'));
	equal(say('e saves what collapse --time has of it'), told(pdtool, ['collapse', '--allow-empty', '--format', 'folded'], file, name, ...a), saved);

	// a second one, which is moved, and the first is not
	await d.key('c');
	for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'Shift+ArrowRight'])
		await d.key(key);
	const two = await ranges(d);
	equal(say('the first range stays'), String(a), String(two.a));
	check(say('c and arrows choose the other range'), two.b && Math.abs(two.b[0] - a[0] - 3 * part) < 10 && Math.abs(two.b[1] - a[1] - 4 * part) < 10, two.b);
	check(say('both are said'), /^A: .*; B: /.test(await text(d, 'range')), await text(d, 'range'));
	await d.key('c');
	equal(say('c ends the comparison'), 'undefined', String((await ranges(d)).b));
	await d.key('Escape');
	equal(say('Escape is the range before'), 'undefined', String((await ranges(d)).a));

	// views
	const tabs = await d.run(() => [...document.querySelectorAll('[role=tab]')].map((t) => t.id)), shown = () => d.run(() =>
		[...document.querySelectorAll('[role=tabpanel]')].filter((p) => p.offsetParent).map((p) => p.getAttribute('aria-labelledby')).join());
	for (let i = 0; i < tabs.length && i < 9; i++) {
		await d.key(String(i + 1));
		equal(say(`${i + 1} shows ${tabs[i]}`), `${tabs[i]} ${tabs[i]}`, `${await shown()} ${(await focused(d)).id}`);
	}
	await d.key('ArrowRight');
	equal(say('arrows walk among views'), `${tabs[0]} ${tabs[0]}`, `${await shown()} ${(await focused(d)).id}`);

	// search
	await d.key('/');
	equal(say('/ is the search'), 'search', (await focused(d)).id);
	await d.type(word);
	check(say('it finds'), /^matched: [^0]|^matched: 0\.[0-9]*[1-9]/.test(await text(d, 'matched')), await text(d, 'matched'));
	await d.key('/');
	await d.run(() => { document.getElementById('search').select(); });
	await d.type(absent);
	equal(say('it does not find'), 'matched: 0.00%', await text(d, 'matched'));
	await d.run(() => { document.getElementById('search').select(); });
	await d.type('/(/');
	check(say('what is no expression is said'), /expression|parenth/i.test(await text(d, 'matched')), await text(d, 'matched'));
	await d.run(() => { document.getElementById('search').select(); });
	await d.key('Delete');
	equal(say('no search'), '', await text(d, 'matched'));
	await d.key('Escape');
	check(say('Escape leaves it'), (await focused(d)).body, (await focused(d)).name);

	// the flame graph and functions
	await d.key('1');
	check(say('Tab comes to the flame graph'), await tabTo(d, 'flame'));
	const down = 'ArrowDown';
	await d.key(down);
	await d.key(down);
	const frame = await text(d, 'said');
	check(say('arrows walk among frames, which are said'), /: .*%$/.test(frame), frame);
	await d.key('Enter');
	check(say('Enter zooms'), (await d.run(() => window.pdtoolPage.state.zoom)) >= 0);
	await d.key('Escape');
	check(say('Escape shows all'), !((await d.run(() => window.pdtoolPage.state.zoom)) >= 0));
	await d.key('f');
	equal(say('f shows callers and callees, and the focus goes there'), 'tab-sandwich', (await focused(d)).id);
	check(say('of the frame'), frame.startsWith(await text(d, 'chosen')), await text(d, 'chosen'));
	await d.key('2');
	await tabTo(d, 'export-svg');
	await d.key('Tab');
	const head = (await focused(d)).name;
	await d.key('Enter');
	equal(say('a heading sorts, and keeps the focus'), head.replace(/ [▲▼]$/, ''), (await focused(d)).name.replace(/ [▲▼]$/, ''));
	await d.key('?');
	check(say('? shows the keys'), await d.run(() => !!document.getElementById('help').offsetParent));
	await d.key('?');
	await d.key('0');
}

// Names of views whose panel has nothing, and does not say why.
export const emptyPanels = (d) => d.run(() => {
	const empty = [];
	for (const tab of document.querySelectorAll('[role=tab]')) {
		tab.click();
		const panel = document.getElementById(tab.getAttribute('aria-controls'));
		const drawn = [...panel.querySelectorAll('canvas')].some((c) => c.width && c.height &&
			c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((v) => v));
		const words = /\b(no|not|none|nothing)\b/i.test(panel.innerText) || document.getElementById('none').offsetParent;
		if (!panel.offsetParent || !(drawn || words || panel.querySelector('tbody tr')))
			empty.push(tab.id);
	}
	return empty.join();
});
