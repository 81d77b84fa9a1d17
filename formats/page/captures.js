/* One capture or two in a page: the second one's times follow those of the first. A range lies in one of them. */
function pageCaptures(about) {
	const list = about.captures, count = list.length;

	/* The one in which US lies; what lies behind the last belongs to it. */
	const at = (us) => count > 1 && us >= list[1].firstUs ? 1 : 0;
	const whole = (c) => ({ from: list[c].firstUs, to: list[c].lastUs + 1 });
	const letter = (c) => count > 1 ? "AB"[c] : "";

	/* Samples of a coarse page have times in steps. */
	const step = (us) => about.stepUs > 1 ? Math.floor(us / about.stepUs) * about.stepUs : Math.round(us);
	/* R within the capture in which it begins. */
	function clamp(r) {
		const all = whole(at(r.from));
		const from = Math.max(step(Math.min(r.from, all.to - 1)), all.from);
		return { from, to: Math.min(Math.max(step(r.to), from + about.stepUs), all.to) };
	}
	const isWhole = (r) => !r || (r.from === whole(at(r.from)).from && r.to === whole(at(r.from)).to);
	return { list, count, at, whole, letter, clamp, isWhole };
}

/* Times as WHICH() tells: seconds from the start of their capture, of its clock, or the wall clock. A time is of the capture in which
 * it lies, or OF lies. */
const PAGE_CLOCKS = ["start", "capture", "wall"];
const pageHasWall = (list) => list.every((c) => c.wallMs !== undefined);
function pageClock(captures, which) {
	const capture = (us) => captures.list[captures.at(us)], digits = 6;
	const hasWall = pageHasWall(captures.list);
	const recorded = (us, of = us) => us - capture(of).shiftUs;
	const zero = { start: (c) => c.firstUs, capture: (c) => c.shiftUs, wall: (c) => c.shiftUs - Math.floor(c.wallMs * 1e3) };
	const kind = () => which() === "wall" && !hasWall ? "start" : which();

	/* US since the clock's zero */
	const value = (us, of = us) => us - zero[kind()](capture(of));
	function words(us, places) {
		if (kind() !== "wall")
			return (us / 1e6).toFixed(places);
		const part = us - Math.floor(us / 1e6) * 1e6, text = new Date(Math.floor(us / 1e6) * 1e3).toISOString();
		return (places === digits ? text.slice(0, 10) + " " : "") + text.slice(11, 19) + (places ? "." + String(Math.floor(part)).padStart(6, "0").slice(0, places) : "");
	}
	const text = (us, of) => words(value(us, of), digits);
	/* What a person writes: a time of capture C in us, or NaN. */
	function parse(written, c) {
		const of = captures.list[c], first = of.firstUs - zero[kind()](of);
		if (kind() !== "wall")
			return written.trim() === "" ? NaN : Math.round(Number(written) * 1e6) + zero[kind()](of);
		const m = /^(?:(\d{4}-\d\d-\d\d)[ T])?(\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?Z?$/.exec(written.trim());
		if (!m)
			return NaN;
		const day = m[1] || new Date(Math.floor(first / 1e3)).toISOString().slice(0, 10);
		return Date.parse(day + "T" + m[2] + "Z") * 1e3 + Number((m[3] || "").padEnd(6, "0")) + zero.wall(of);
	}
	const tick = (us, places) => words(us, Math.min(places, digits - 1)) + (kind() === "wall" ? "" : " s");
	return { hasWall, recorded, value, text, parse, tick };
}

/* What the page needs of all of them together. */
function pageSpan(about) {
	const timed = about.captures.filter((c) => c.any);
	about.firstUs = timed.length ? timed[0].firstUs : 0;
	about.lastUs = timed.length ? timed[timed.length - 1].lastUs : 0;
	about.hasTime = about.captures.some((c) => c.hasTime);
	return about;
}
