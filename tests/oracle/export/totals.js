// The sums of an exported profile, read as its reader does: node totals.js speedscope|firefox|chrome|markers|evented FILE
// Prints EVENT, "sym" or "thread", who, and the weight of the innermost frames; ends with 1 where the form is not kept.
'use strict';
const fs = require('fs');
const [form, file] = process.argv.slice(2);
const profile = JSON.parse(fs.readFileSync(file, 'utf8'));
const sums = new Map();
const add = (...words) => {
	const weight = words.pop(), key = words.join('\t');
	sums.set(key, (sums.get(key) || 0n) + weight);
};
const check = (it, what) => {
	if (!it)
		throw new Error(what);
};

function speedscope() {
	check(profile.$schema === 'https://www.speedscope.app/file-format-schema.json', 'schema');
	const frames = profile.shared.frames;
	for (const p of profile.profiles.filter((p) => p.type !== 'evented')) {
		const [, comm, tid, event] = /^(.*) -?\d+\/(-?\d+) (\S+)$/s.exec(p.name);
		check(p.type === 'sampled' && ['nanoseconds', 'none'].includes(p.unit), 'type');
		check(p.samples.length === p.weights.length, 'lengths');
		check(p.weights.reduce((a, b) => a + b, 0) === p.endValue, 'endValue');
		p.samples.forEach((stack, i) => {
			check(stack.every((f) => f >= 0 && f < frames.length), 'frame');
			add(event, 'sym', frames[stack.at(-1)].name, BigInt(p.weights[i]));
			add(event, 'thread', comm, tid, BigInt(p.weights[i]));
		});
	}
	check(profile.profiles.length > 0, 'profiles');
}

// As many elements in each column of a table as it says.
function table(name, t) {
	for (const [column, list] of Object.entries(t))
		if (Array.isArray(list))
			check(list.length === t.length, `${name}.${column}`);
}

function firefox() {
	const { shared, meta } = profile, strings = shared.stringArray;
	const event = process.argv[4]; // of samples that are in no thread of their own
	check(meta.preprocessedProfileVersion === 66, 'version');
	for (const name of ['stackTable', 'frameTable', 'funcTable', 'resourceTable', 'sources', 'nativeSymbols'])
		table(name, shared[name]);
	const { stackTable: stacks, frameTable: frames, funcTable: funcs } = shared;
	check(stacks.prefixOffset.every((k, i) => k >= 0 && k <= i), 'callers come first');
	check(stacks.frame.every((f) => f < frames.length) && frames.func.every((f) => f < funcs.length), 'frames');
	check(frames.category.every((c) => c < meta.categories.length), 'categories');
	check(funcs.resource.every((r) => r === -1 || shared.resourceTable.lib[r] < profile.libs.length), 'libs');
	for (const thread of profile.threads) {
		const other = / \((\S+)\)$/s.exec(thread.name);
		table('samples', thread.samples);
		table('markers', thread.markers);
		check(typeof thread.pid === 'string' && thread.samples.time.every((t, i, a) => !i || t >= a[i - 1]), 'times');
		thread.samples.stack.forEach((stack, i) => {
			let weight = thread.samples.weight === null ? 1 : thread.samples.weight[i];
			if (thread.samples.weightType === 'tracing-ms')
				weight = Math.round(weight * 1e6);
			const name = other ? other[1] : event;
			add(name, 'sym', strings[funcs.name[frames.func[stacks.frame[stack]]]], BigInt(weight));
			add(name, 'thread', other ? thread.name.slice(0, other.index) : thread.name, thread.tid, BigInt(weight));
		});
	}
}

// Slices of threads, in ns: how long each ran. No two of one thread at the same time.
function chrome() {
	const ns = (us) => BigInt(Math.round(us * 1000)), ends = new Map(), starts = new Set();
	const events = profile.traceEvents;
	for (const e of events)
		check(['M', 'X', 'B', 'E', 's', 'f', 'i', 'b', 'e'].includes(e.ph) && (e.ph === 'M' || e.ts >= 0), 'event');
	for (const e of events.filter((e) => e.ph === 'X').sort((a, b) => a.ts - b.ts)) {
		const key = `${e.pid}/${e.tid}`;
		check(ns(e.ts) >= (ends.get(key) ?? 0n), 'slices at the same time');
		ends.set(key, ns(e.ts) + ns(e.dur));
		starts.add(`${key}/${e.ts}`);
		add('run', String(e.tid), ns(e.dur));
	}
	const open = new Map(); // of CPUs, one after the other
	for (const e of events.filter((e) => 'BE'.includes(e.ph))) {
		check(open.has(e.tid) === (e.ph === 'E'), 'slices of a CPU');
		if (e.ph === 'E') {
			const { name, ts } = open.get(e.tid);
			add('cpu', name, ns(e.ts) - ns(ts));
			open.delete(e.tid);
		} else {
			open.set(e.tid, e);
		}
	}
	const woken = new Set(events.filter((e) => e.ph === 's').map((e) => e.id));
	for (const e of events.filter((e) => e.ph === 'f'))
		check(woken.delete(e.id) && starts.has(`${e.pid}/${e.tid}/${e.ts}`), 'an arrow without its ends');
	for (const e of events) {
		if ('be'.includes(e.ph))
			add('block', e.ph, 1n);
		if (e.ph === 'i')
			add('sample', e.cat, e.name, BigInt(e.args.weight));
	}
}

// What threads did, by the markers of the Firefox Profiler: how long, in ns; I/Os, wake-ups, other tracepoints.
function markers() {
	const { shared, meta, threads } = profile, schemas = new Map(meta.markerSchema.map((m) => [m.name, m]));
	const ns = (ms) => BigInt(Math.round(ms * 1e6));
	for (const { tid, markers: m } of threads) {
		table('markers', m);
		m.data.forEach((data, i) => {
			const schema = schemas.get(data.type), interval = m.phase[i] === 1;
			const time = interval ? ns(m.endTime[i]) - ns(m.startTime[i]) : 0n;
			const fields = schema.fields.map((f) => f.key).concat('type', 'cause');
			check(Object.keys(data).every((key) => fields.includes(key)), 'fields of the schema');
			check(m.category[i] < meta.categories.length && time >= 0n && interval === (m.endTime[i] !== null), 'interval');
			check(!data.cause || data.cause.stack < shared.stackTable.length, 'cause');
			const name = shared.stringArray[m.name[i]], word = (id) => {
				check(id < shared.stringArray.length, 'a word');
				return shared.stringArray[id];
			};
			for (const field of schema.fields)
				if (field.format === 'unique-string')
					check(!(field.key in data) || Number.isInteger(data[field.key]), 'a word has a number');
			for (const key of ['waker', 'woken'])
				if (key in data)
					add('who', key, word(data[key]), 1n);
			if (['Running', 'Runnable', 'Blocked'].includes(data.type))
				add(data.type, String(tid), time);
			else if (data.type === 'Block I/O')
				add('io', word(data.operation), data.bytes, data.queued, time, 1n);
			else if (data.type === 'Tracepoint')
				add('event', name, data.text, 1n);
			else
				add(data.type, 1n);
		});
	}
}

// The same by speedscope's events: what is on top. They open and close, and time does not go back.
function evented() {
	const names = { '[running]': 'Running', '[preempted]': 'Runnable', '[waits for a CPU]': 'Runnable' };
	for (const p of profile.profiles.filter((p) => p.type === 'evented')) {
		const [, tid] = /\/(-?\d+) on and off the CPU$/.exec(p.name), open = [];
		let at = p.startValue;
		for (const e of p.events) {
			const top = open.length ? profile.shared.frames[open.at(-1)].name : undefined;
			check(e.at >= at, 'time');
			if (e.at > at && open.length) {
				check(top.startsWith('['), 'a state on top');
				add(names[top] || 'Blocked', tid, BigInt(e.at - at));
			}
			at = e.at;
			if (e.type === 'O')
				open.push(e.frame);
			else
				check(open.pop() === e.frame, 'what is closed is open');
		}
		check(open.length === 0 && at === p.endValue, 'the end');
	}
}

({ speedscope, firefox, chrome, markers, evented })[form]();
for (const [key, weight] of [...sums].sort())
	console.log(`${key}\t${weight}`);
