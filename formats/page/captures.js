/* One capture or two in a page: the second one's times follow those of the first. A range lies in one of them. */
function pageCaptures(about) {
	const list = about.captures, count = list.length;

	/* The one in which US lies; what lies behind the last belongs to it. */
	const at = (us) => count > 1 && us >= list[1].firstUs ? 1 : 0;
	const whole = (c) => ({ from: list[c].firstUs, to: list[c].lastUs + 1 });
	const letter = (c) => count > 1 ? "AB"[c] : "";

	/* R within the capture in which it begins. */
	function clamp(r) {
		const all = whole(at(r.from));
		const from = Math.min(Math.max(Math.round(r.from), all.from), all.to - 1);
		return { from, to: Math.min(Math.max(Math.round(r.to), from + 1), all.to) };
	}
	const isWhole = (r) => !r || (r.from === whole(at(r.from)).from && r.to === whole(at(r.from)).to);
	return { list, count, at, whole, letter, clamp, isWhole };
}

/* What the page needs of all of them together. */
function pageSpan(about) {
	const timed = about.captures.filter((c) => c.any);
	about.firstUs = timed.length ? timed[0].firstUs : 0;
	about.lastUs = timed.length ? timed[timed.length - 1].lastUs : 0;
	about.hasTime = about.captures.some((c) => c.hasTime);
	return about;
}
