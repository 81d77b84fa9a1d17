// What the Firefox Profiler makes of a file, by its own program for terminals: node firefox.js CLI FILE EVENT
// EVENT is what samples are of that are in no thread of their own. Prints lines as tests/oracle/export/totals.js does: EVENT, "sym"
// or "thread", who, weight; of markers: name, thread, how many, and the ns of intervals.
'use strict';
const { execFileSync } = require('child_process');
const [cli, file, event] = process.argv.slice(2), session = `pdtool-${process.pid}`;
const run = (...args) => execFileSync(process.execPath, [cli, ...args], { encoding: 'utf8', maxBuffer: 1 << 30 });
const ask = (...args) => JSON.parse(run(...args, '--json', '--session', session));
const sums = new Map();
const add = (...words) => {
	const weight = words.pop(), key = words.join('\t');
	sums.set(key, (sums.get(key) || 0) + weight);
};

// On a busy machine its server takes longer to start than it is waited for.
for (let tries = 1; ; tries++) {
	try {
		run('load', file, '--session', session);
		break;
	} catch (error) {
		if (tries === 20 || !/did not become ready/.test(error.stderr))
			throw error;
		try {
			run('stop', session);
		} catch {}
	}
}
try {
	for (const thread of ask('thread', 'list').threads) {
		const other = / \((\S+)\)$/s.exec(thread.name), name = other ? other[1] : event;
		const list = ask('thread', 'functions', '--thread', thread.threadHandle);
		if (list.functions.length !== list.filteredFunctionCount)
			throw new Error('not all functions are listed');
		for (const f of list.functions) {
			const weight = Math.round(f.selfSamples * (list.weightType === 'tracing-ms' ? 1e6 : 1));
			add(name, 'sym', f.name, weight);
			add(name, 'thread', other ? thread.name.slice(0, other.index) : thread.name, thread.tid, weight);
		}
		if (!thread.markerCount)
			continue;
		for (const type of ask('thread', 'markers', '--thread', thread.threadHandle).byType) {
			add('marker', type.markerName, thread.tid, type.count);
			if (type.isInterval)
				add(type.markerName, thread.tid, Math.round(type.durationStats.avg * type.count * 1e6));
		}
	}
} finally {
	run('stop', session);
}
for (const [key, weight] of [...sums].sort())
	if (weight)
		console.log(`${key}\t${weight}`);
