/* The frame of a drawing, behind number.js: wraps the head and the foot to the width of the window, shows the
 * facts behind "?", keeps what is told of the drawing in view. The drawing's own script does the rest:
 *
 *   const frame = pdtoolFrame({ least: 300, most: Infinity, keys: [["/", "search"], ...],
 *                               help: "what arrows do", layout: (width) => ... });
 *   frame.start();
 *
 * layout() draws for so many pixels. It is called at the start and whenever the width changes; the drawing keeps its
 * height, unless it calls frame.setBottom() there. A head that needs more lines than it has grows upwards, so that y stays. */
function pdtoolFrame(options) {
const SVG = "http://www.w3.org/2000/svg", XHTML = "http://www.w3.org/1999/xhtml";
const svg = document.documentElement;
const byId = (id) => document.getElementById(id);
const font = Number(svg.getAttribute("font-size")), SIDE = 10, STEP = 1.4 * font, AREA = 32;
const view = svg.viewBox.baseVal;
const head = byId("head"), foot = byId("foot"), title = byId("title"), legend = byId("legend");
const headBottom = Number(head.dataset.bottom);
const own = { width: view.width, up: 0, bottom: Number(foot.dataset.top) };

function make(name, attributes, parent, text) {
	const e = document.createElementNS(SVG, name);
	for (const key in attributes)
		e.setAttribute(key, attributes[key]);
	if (text !== undefined)
		e.textContent = text;
	if (parent)
		parent.appendChild(e);
	return e;
}

function button(e, action) {
	e.setAttribute("tabindex", 0);
	e.setAttribute("role", "button");
	e.addEventListener("click", (ev) => {
		ev.stopPropagation();
		action();
	});
	e.addEventListener("keydown", (ev) => {
		if (ev.key !== "Enter" && ev.key !== " ")
			return;
		ev.preventDefault();
		ev.stopPropagation();
		action();
	});
	return e;
}

/* ---- text in lines ---- */

/* The words of TEXT as lines of at most ROOM pixels; E measures them. */
function lines(e, text, room) {
	const list = [];
	e.textContent = text;
	if (e.getComputedTextLength() <= room)
		return [text];
	let from = 0, end = 0;
	const length = (to) => e.getSubStringLength(from, to - from);
	while (from < text.length) {
		const blank = text.indexOf(" ", end + 1), next = blank < 0 ? text.length : blank;
		if (length(next) <= room) {
			end = next;
			if (end < text.length)
				continue;
		} else if (end <= from) { /* a word that is wider than a line */
			end = from + 1;
			while (end < next && length(end + 1) <= room)
				end++;
		}
		list.push(text.slice(from, end).trim());
		from = end;
		while (text[from] === " ")
			from++;
		end = from;
	}
	return list;
}

/* E with its text in lines from the base line Y on; returns that of the next one. */
function wrap(e, y, room, step) {
	if (e.dataset.text === undefined)
		e.dataset.text = e === title ? svg.querySelector("title").textContent : e.textContent;
	const list = lines(e, e.dataset.text, room), x = e.getAttribute("x");
	e.setAttribute("y", y);
	e.textContent = list.length > 1 ? "" : list[0];
	if (list.length > 1)
		list.forEach((text, i) => make("tspan", { x: x, y: y + i * step }, e, text));
	return y + list.length * step;
}

/* ---- the head and the foot ---- */

/* What a finger meets of the button E: more than its letters. */
function areaOf(e) {
	if (!e.area) {
		e.area = make("rect", { class: "area", height: AREA, fill: "none", "pointer-events": "all", "aria-hidden": true });
		e.area.addEventListener("click", (ev) => {
			ev.stopPropagation();
			e.dispatchEvent(new MouseEvent("click", { bubbles: true }));
		});
		e.before(e.area);
	}
	return e.area;
}

/* From right to left; what is left of the line. */
function placeButtons() {
	let x = own.width - SIDE;
	for (const e of svg.querySelectorAll(":scope > .button")) {
		const length = e.classList.contains("hide") ? 0 : e.getComputedTextLength();
		const room = length ? Math.max(length + 1.2 * font, AREA) : 0, area = areaOf(e), more = (room - length) / 2;
		e.setAttribute("text-anchor", "end");
		e.setAttribute("x", x - Math.max(more - 0.6 * font, 0));
		area.setAttribute("x", Math.min(x + 0.6 * font, own.width) - room);
		area.setAttribute("width", room);
		area.setAttribute("y", Number(e.getAttribute("y")) - 0.35 * font - AREA / 2);
		area.classList.toggle("hide", !length);
		x -= room;
	}
	return x;
}

/* A run of colours that is too long gets narrower colours, and its last words a line of their own. */
function fitKey(key, room) {
	const colors = key.querySelectorAll("rect"), texts = key.querySelectorAll("text"), last = texts[texts.length - 1];
	if (key.whole === undefined)
		key.whole = { first: Number(colors[0].getAttribute("x")), side: Number(colors[0].getAttribute("width")),
			width: key.getBBox().width };
	const { first, side, width } = key.whole, over = width > room && colors.length > 1;
	const each = over ? Math.min(side, (room - first) / colors.length) : side;
	colors.forEach((e, i) => {
		e.setAttribute("x", first + i * each);
		e.setAttribute("width", each);
	});
	if (last && colors.length > 1 && texts.length > 1) {
		last.setAttribute("x", over ? 0 : first + colors.length * each + font / 2);
		last.setAttribute("y", (over ? 2.4 : 0.85) * font);
	}
	return { width: over ? room : width, lines: over ? 2 : 1 };
}

function flowKeys(y) {
	let x = SIDE, row = 1.7 * font, high = 1;
	const keys = legend ? legend.querySelectorAll(".key") : [], end = own.width - SIDE;
	own.keysTop = y;
	for (const key of keys) {
		const { width, lines } = fitKey(key, end - SIDE);
		if (x > SIDE && x + width > end) {
			x = SIDE;
			y += high * row;
			high = 1;
		}
		key.setAttribute("transform", "translate(" + x + " " + y + ")");
		x += width + 1.5 * font;
		high = Math.max(high, lines);
	}
	own.keysEnd = y > own.keysTop || high > 1 ? Infinity : x;
	return keys.length ? y + high * row : y;
}

/* A narrow window has its buttons in a line of their own. */
function layHead() {
	const left = placeButtons(), room = own.width - 2 * SIDE, narrow = left < 0.6 * own.width;
	const size = Number(title.getAttribute("font-size"));
	let y = font * (narrow ? 4 : 2);
	own.buttonsFrom = left;
	y = wrap(title, y, narrow ? room : left - SIDE, 1.2 * size) - 1.2 * size + STEP;
	for (const e of head.querySelectorAll(".subtitle"))
		y = wrap(e, y, room, STEP);
	y = flowKeys(y - 0.6 * font);
	own.headEnd = y;
	own.up = Math.max(Math.ceil(y - headBottom), 0);
	head.setAttribute("transform", "translate(0 " + -own.up + ")");
}

function layFoot() {
	let y = own.bottom + 4.2 * font;
	for (const e of foot.querySelectorAll(".fact"))
		y = wrap(e, y, own.width - 2 * SIDE, STEP);
	return y;
}

function lay() {
	layHead();
	own.height = Math.ceil(layFoot());
	svg.setAttribute("viewBox", [0, -own.up, own.width, own.height + own.up].join(" "));
	svg.setAttribute("height", own.height + own.up);
	const page = byId("page");
	page.setAttribute("y", -own.up);
	page.setAttribute("width", own.width);
	page.setAttribute("height", own.height + own.up);
	bar.setAttribute("width", own.width);
	buttonBar.setAttribute("width", own.width);
	setStatus();
}

/* ---- what is told, always in view ---- */

const status = make("g", { id: "status" });
const bar = make("rect", { id: "bar", x: 0, height: 3.2 * font, fill: "#fffffe" }, status);
const buttonBar = make("rect", { class: "hide", x: 0, height: 2.8 * font, fill: "#fffffe" });
const details = make("text", { id: "details", x: SIDE, "aria-live": "polite" }, status);
const second = make("text", { id: "second", x: SIDE, fill: "#5a5a64" }, status);

function setStatus() {
	bar.setAttribute("y", own.bottom);
	for (const e of status.querySelectorAll("text"))
		e.setAttribute("y", own.bottom + (e === second ? 2.7 : 1.4) * font);
	keepInView();
}

/* What is in the window: its top and bottom in the drawing. */
function inView() {
	const m = svg.getScreenCTM();
	return { top: -m.f / m.d, bottom: (window.innerHeight - m.f) / m.d, right: (window.innerWidth - m.e) / m.a };
}

/* What has data-keep, its lower end, the axis, stays above the status; buttons, and the legend where it has
 * room beside them, stay at the top. They have a ground
 * only when they have moved. */
function keepInView() {
	const bottom = inView().bottom - 3.2 * font;
	for (const e of [status, ...svg.querySelectorAll("[data-keep]")]) {
		const over = Math.max((e === status ? own.bottom : Number(e.dataset.keep)) - bottom, 0);
		e.setAttribute("transform", "translate(0 " + -over + ")");
		const ground = e.querySelector("rect");
		if (ground)
			ground.classList.toggle("hide", over <= 0);
	}
	const under = Math.min(Math.max(inView().top, -own.up), own.bottom);
	for (const e of [buttonBar, ...svg.querySelectorAll(":scope > .button, :scope > .area")])
		e.setAttribute("transform", "translate(0 " + under + ")");
	const moved = under > -own.up;
	buttonBar.classList.toggle("hide", !moved);
	if (!legend)
		return;
	const stays = moved && own.keysEnd < own.buttonsFrom;
	legend.setAttribute("transform", "translate(0 " + (stays ? under + font - own.keysTop : -own.up) + ")");
	if (stays !== own.stays) /* a legend without room goes below the buttons, out of sight */
		svg.insertBefore(legend, stays ? buttonBar.nextSibling : status);
	own.stays = stays;
}

/* ---- facts ---- */

let panel = null;

function closeFacts() {
	panel.remove();
	panel = null;
	byId("info").setAttribute("aria-expanded", false);
}

function factTexts() {
	const keys = (options.keys || []).map(([key, what]) => key + ": " + what);
	const facts = svg.querySelector("desc");
	return [...keys, "?: these lines", ...(keys.length ? [" "] : []),
		...(facts ? facts.textContent.trim().split("\n").slice(0, 200) : [])];
}

function toggleFacts() {
	if (panel)
		return closeFacts();
	panel = make("g", { id: "panel", role: "dialog", "aria-label": "about this drawing", tabindex: -1 }, svg);
	const top = Math.max(inView().top, -own.up) + 3 * font, room = own.width - 8 * font;
	const back = make("rect", { x: 2 * font, y: top, width: own.width - 4 * font, rx: 4,
		fill: "#fffffe", stroke: "#83838f" }, panel);
	let y = top + 2 * font;
	for (const text of factTexts())
		y = wrap(make("text", { x: 4 * font }, panel, text), y, room, STEP);
	back.setAttribute("height", y - top);
	panel.addEventListener("click", (ev) => {
		ev.stopPropagation();
		closeFacts();
	});
	byId("info").setAttribute("aria-expanded", true);
}

/* Before the drawing's own keys: "?" is the frame's, and Escape closes what is open. */
window.addEventListener("keydown", (ev) => {
	const text = ev.target.closest && ev.target.closest("input");
	if (text || ev.ctrlKey || ev.altKey || ev.metaKey)
		return;
	if (ev.key !== "?" && !(ev.key === "Escape" && panel))
		return;
	ev.preventDefault();
	ev.stopImmediatePropagation();
	toggleFacts();
}, true);

/* ---- the window ---- */

function fit() {
	svg.setAttribute("width", "100%");
	const most = options.most || Infinity;
	const room = Math.floor(svg.getBoundingClientRect().width) || own.width;
	const width = Math.max(Math.min(room, most), options.least || 300);
	if (width < room)
		svg.setAttribute("width", width);
	if (width === own.width && own.laid)
		return keepInView();
	own.width = width;
	own.laid = true;
	options.layout(width);
	lay();
}

function start() {
	svg.classList.add("live");
	svg.append(status, buttonBar, ...(legend ? [legend] : []), ...svg.querySelectorAll(":scope > .button"));
	/* without it a phone shows the drawing as if its screen were 980 pixels wide */
	const viewport = document.createElementNS(XHTML, "meta");
	viewport.setAttribute("name", "viewport");
	viewport.setAttribute("content", "width=device-width");
	svg.prepend(viewport);
	button(byId("info"), toggleFacts).setAttribute("aria-expanded", false);
	fit();
	window.addEventListener("resize", () => requestAnimationFrame(fit));
	window.addEventListener("scroll", keepInView, { passive: true });
}

return {
	svg, make, button, details, second, start, inView, placeButtons,
	get width() { return own.width; },
	/* where the head ends, legend and all, before it grows upwards */
	get headEnd() { return own.headEnd || headBottom; },
	/* in layout(): where the drawing ends now */
	setBottom(y) { own.bottom = y; },
	/* elsewhere: from now on */
	endAt(y) {
		own.bottom = y;
		lay();
	},
	/* black or white, what is read on "#rrggbb": a contrast of 4.5 at least (WCAG 2.1) */
	ink(color) {
		const [r, g, b] = [1, 3, 5].map((i) => {
			const v = parseInt(color.slice(i, i + 2), 16) / 255;
			return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
		});
		return 0.2126 * r + 0.7152 * g + 0.0722 * b < 0.175 ? "#ffffff" : "#000000";
	},
	/* the place of a pointer's event in the drawing */
	point: (ev) => new DOMPoint(ev.clientX, ev.clientY).matrixTransform(svg.getScreenCTM().inverse()),
	/* a drawing higher than the window opens with Y in view */
	openAt(y) {
		const seen = inView();
		if (window.scrollY === 0 && y + 3.2 * font > seen.bottom)
			window.scrollTo(0, y + own.up + 4 * font - window.innerHeight);
	},
};
}

