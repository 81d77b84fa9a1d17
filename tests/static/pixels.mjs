// Is the picture what the attributes of the drawing say?   Usage: node pixels.mjs DRAWING PICTURE.png NAME boxes|texts
// Boxes (rects, and paths of one box) are sampled in their middle, unless something later covers it; a text must have
// pixels of its colour, and its colour a contrast of at least 4.5 to what is below it.
import { readFileSync } from 'fs';
import { inflateSync } from 'zlib';

const [, , drawing, picture, name, what] = process.argv;
const CONTRAST = 4.5, FAR = 40; // FAR: of two colours, by channel

function check(what, good, why) {
	console.log(good ? `ok ${name}: ${what}` : `FAIL ${name}: ${what}: ${why}`);
}

// ---- the picture: PNG of 8 bits a channel, of any colour type without a palette ----

function readPng(file) {
	const data = readFileSync(file), parts = [];
	let at = 8, head;
	while (at < data.length) {
		const length = data.readUInt32BE(at), type = data.toString('latin1', at + 4, at + 8);
		if (type === 'IHDR')
			head = { width: data.readUInt32BE(at + 8), height: data.readUInt32BE(at + 12), depth: data[at + 16], type: data[at + 17] };
		if (type === 'IDAT')
			parts.push(data.subarray(at + 8, at + 8 + length));
		at += length + 12;
	}
	const channels = { 0: 1, 2: 3, 4: 2, 6: 4 }[head.type];
	if (head.depth !== 8 || !channels)
		throw new Error(`a PNG of depth ${head.depth}, type ${head.type}`);
	const raw = inflateSync(Buffer.concat(parts)), line = head.width * channels, out = Buffer.alloc(line * head.height);
	for (let y = 0; y < head.height; y++) {
		const filter = raw[y * (line + 1)];
		for (let x = 0; x < line; x++) {
			const a = x >= channels ? out[y * line + x - channels] : 0, b = y ? out[(y - 1) * line + x] : 0;
			const c = x >= channels && y ? out[(y - 1) * line + x - channels] : 0, p = a + b - c;
			const paeth = Math.abs(p - a) <= Math.abs(p - b) && Math.abs(p - a) <= Math.abs(p - c) ? a : Math.abs(p - b) <= Math.abs(p - c) ? b : c;
			out[y * line + x] = raw[y * (line + 1) + 1 + x] + [0, a, b, (a + b) >> 1, paeth][filter];
		}
	}
	return { ...head, at: (x, y) => {
		const i = Math.floor(y) * line + Math.floor(x) * channels;
		return channels < 3 ? [out[i], out[i], out[i]] : [out[i], out[i + 1], out[i + 2]];
	} };
}

// ---- the drawing ----

const attributes = (text) => Object.fromEntries([...text.matchAll(/([\w:-]+)="([^"]*)"/g)].map((m) => [m[1], m[2]]));

// [a, d, e, f] of x' = a x + e, y' = d y + f
function transform(m, text) {
	for (const [, kind, list] of (text || '').matchAll(/(\w+)\(([^)]*)\)/g)) {
		const [x, y] = list.split(/[ ,]+/).map(Number);
		if (kind === 'translate')
			m = [m[0], m[1], m[2] + m[0] * x, m[3] + m[1] * (y || 0)];
		else if (kind === 'scale')
			m = [m[0] * x, m[1] * (y ?? x), m[2], m[3]];
	}
	return m;
}

function boxOf(tag, a) {
	if (tag === 'rect')
		return [a.x || 0, a.y || 0, a.width, a.height].map(Number);
	const d = /^M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)h-[\d.]+z$/.exec(a.d || '');
	return tag === 'path' && d ? d.slice(1).map(Number) : null;
}

// All boxes and texts in their order, with what they inherit.
function readDrawing(svg) {
	const list = [], stack = [{ matrix: [1, 1, 0, 0] }];
	svg = svg.replace(/<(style|script|defs|desc)>[^]*?<\/\1>/g, '').replace(/<title>[^]*?<\/title>/g, '');
	for (const [all, close, tag, rest, empty, text] of svg.matchAll(/<(\/?)(svg|g|a|rect|path|image|text)\b([^>]*?)(\/?)>([^<]*)/g)) {
		if (close) {
			if (tag === 'g' || tag === 'a' || tag === 'svg')
				stack.pop();
			continue;
		}
		const a = attributes(rest), up = stack[stack.length - 1];
		const now = { matrix: transform(up.matrix, a.transform), fill: a.fill ?? up.fill, stroke: a.stroke ?? up.stroke,
			anchor: a['text-anchor'] ?? up.anchor, hidden: up.hidden || a.display === 'none', size: Number(a['font-size'] ?? up.size) };
		if (!empty && (tag === 'g' || tag === 'a' || tag === 'svg'))
			stack.push(now);
		if (now.hidden || tag === 'g' || tag === 'a' || tag === 'svg')
			continue;
		const [sx, sy, e, f] = now.matrix, box = boxOf(tag, a);
		if (tag === 'text' && text.trim())
			list.push({ tag, text, fill: now.fill, anchor: now.anchor, size: now.size, x: e + sx * Number(a.x || 0), y: f + sy * Number(a.y || 0) });
		else if (box)
			list.push({ tag, fill: now.fill, stroke: now.stroke, x: e + sx * box[0], y: f + sy * box[1], width: sx * box[2], height: sy * box[3] });
		else if (tag !== 'text')
			list.push({ tag: 'other' });
	}
	return list;
}

// ---- colours ----

const rgb = (fill) => [1, 3, 5].map((i) => parseInt(fill.slice(i, i + 2), 16));
const far = (a, b) => Math.max(...a.map((v, i) => Math.abs(v - b[i])));
const light = (c) => {
	const [r, g, b] = c.map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);

// ---- the comparison ----

const png = readPng(picture), list = readDrawing(readFileSync(drawing, 'utf8'));
const boxes = list.filter((b) => b.width > 0 && /^#[0-9a-f]{6}$/.test(b.fill || ''));
const holds = (b, x, y, by = 0) => x >= b.x - by && x <= b.x + b.width + by && y >= b.y - by && y <= b.y + b.height + by;
const size = /width="([\d.]+)" height="([\d.]+)"/.exec(readFileSync(drawing, 'utf8'));
check('its size', Math.abs(png.width - size[1]) < 1 && Math.abs(png.height - size[2]) < 1, `${png.width} x ${png.height}`);

// The middle of a box that is wide enough for a pixel of its own in every renderer, and below no text. Very large
// ones are grounds on which other things stand.
let seen = 0, wrong = 0, first = '';
const texts = list.filter((t) => t.tag === 'text');
boxes.forEach((b, i) => {
	const x = b.x + b.width / 2, y = b.y + b.height * 0.8;
	if (b.width < 4 || b.height < 3 || b.width * b.height > 40000 || boxes.slice(i + 1).some((later) => holds(later, x, y, 1)))
		return;
	if (list.some((t) => t.tag === 'text' && Math.abs(t.y - y) < 2 * t.size && Math.abs(t.x - x) < t.text.length * t.size))
		return;
	seen++;
	if (far(png.at(x, y), rgb(b.fill)) > FAR) {
		wrong++;
		first ||= `at ${x.toFixed(1)} ${y.toFixed(1)} ${png.at(x, y)} is not ${b.fill}`;
	}
});
if (what === 'boxes')
	check(`boxes are where they should be, in their colours (${seen} of ${boxes.length})`, seen >= 3 && wrong <= seen / 100, `${wrong} wrong: ${first}`);

// What lies below the beginning, or the end, of a text.
let dim = 0, gone = 0, worst = 99, where = '';
for (const t of texts) {
	const width = t.text.length * t.size * 0.5, x0 = t.anchor === 'end' ? t.x - width : t.anchor === 'middle' ? t.x - width / 2 : t.x;
	const ground = boxes.slice(0, boxes.length).filter((b) => list.indexOf(b) < list.indexOf(t) && holds(b, x0 + 3, t.y - 3)).pop();
	const c = contrast(rgb(t.fill), rgb(ground ? ground.fill : '#ffffff'));
	if (c < CONTRAST) {
		dim++;
		if (c < worst)
			[worst, where] = [c, `'${t.text}' has ${c.toFixed(1)}`];
	}
	let near = 999;
	for (let y = t.y - t.size; y < t.y + 3; y++)
		for (let x = Math.max(x0 - 2, 0); x < Math.min(x0 + width + 2, png.width); x++)
			if (y >= 0 && y < png.height)
				near = Math.min(near, far(png.at(x, y), rgb(t.fill)));
	if (near > 100) {
		gone++;
		where ||= `'${t.text}' is not seen at ${x0.toFixed(0)} ${t.y.toFixed(0)}`;
	}
}
check(`texts can be read (${texts.length})`, texts.length > 5 && !dim && !gone, `${dim} have too little contrast, ${gone} are not seen: ${where}`);
