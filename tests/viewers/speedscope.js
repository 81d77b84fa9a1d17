// What speedscope makes of a file: node speedscope.js BUNDLE FILE
// BUNDLE is the program of its npm package, speedscope-*.js, of which all runs but what draws. Prints lines as
// tests/oracle/export/totals.js does: EVENT, "sym" or "thread", who, weight; of what threads did: state, thread, ns.
'use strict';
const fs = require('fs'), vm = require('vm');
const [bundle, file] = process.argv.slice(2);
const replace = (text, pattern, by) => {
	if (!pattern.test(text))
		throw new Error(`another version of speedscope: it has no ${pattern}`);
	return text.replace(pattern, by);
};
let program = fs.readFileSync(bundle, 'utf8');
const name = (pattern) => (pattern.exec(program) || [, ''])[1];
const own = name(/"Importing as speedscope json file"\),(\w+)\(/), trace = name(/"Importing as Trace Event Format profile"\),(\w+)\(/);
// the last thing it does is to draw itself
program = replace(program, /console\.log\(`speedscope v[^`]*`\);.*\}\)\(\);/s, `;globalThis.importers={own:${own},trace:${trace}}})();`);
const nothing = new Proxy(function () {}, { get: (t, key) => (key === Symbol.toPrimitive ? () => '' : nothing), apply: () => nothing, construct: () => nothing });
const context = vm.createContext({ console: { log() {}, error() {}, warn() {} }, document: nothing, navigator: nothing, location: { protocol: 'file:', hash: '' },
	localStorage: nothing, performance, TextDecoder, TextEncoder, URL, setTimeout, requestAnimationFrame() {}, addEventListener() {}, matchMedia: () => nothing });
context.window = context.self = context;
vm.runInContext(program, context);

const sums = new Map();
const add = (...words) => {
	const weight = words.pop(), key = words.join('\t');
	sums.set(key, (sums.get(key) || 0) + weight);
};
const states = { '[running]': 'Running', '[preempted]': 'Runnable', '[waits for a CPU]': 'Runnable' };
const json = JSON.parse(fs.readFileSync(file, 'utf8')), own_form = json.$schema !== undefined;
for (const profile of (own_form ? context.importers.own : context.importers.trace)(json).profiles) {
	const words = own_form && /^(.*) -?\d+\/(-?\d+) (.*)$/s.exec(profile.getName());
	profile.forEachFrame((frame) => {
		const weight = frame.getSelfWeight();
		if (!own_form)
			add('trace', frame.name, Math.round(weight * 1000));
		else if (words[3] === 'on and off the CPU')
			add(states[frame.name] || 'Blocked', words[2], weight);
		else
			add(words[3], 'sym', frame.name, weight);
	});
	if (own_form && words[3] !== 'on and off the CPU')
		add(words[3], 'thread', words[1], words[2], profile.getTotalWeight());
}
for (const [key, weight] of [...sums].sort())
	if (weight)
		console.log(`${key}\t${weight}`);
