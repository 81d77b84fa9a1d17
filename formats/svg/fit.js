/* What is beside an axis of x, behind frame.js: svg_scale.h says what the groups are. Places the axis of a drawing of
 * COLUMNS columns, CELL pixels each as it was drawn, LEFT and RIGHT its margins, for WIDTH pixels. What
 * is on the right moves into a narrow drawing. Returns where the axis begins now and how wide a column is. */
function pdtoolFit(svg, o) {
	const narrow = o.width < 700;
	const left = narrow ? Math.min(o.left, Math.max(64, Math.round(0.28 * o.width))) : o.left;
	const right = narrow ? 10 : o.right;
	const cell = Math.max(o.width - left - right, 50) / o.columns, end = left + cell * o.columns;
	const each = (what, action) => svg.querySelectorAll("[data-at=" + what + "]").forEach(action);

	each("fit", (e) => e.setAttribute("transform", "translate(" + left + " 0) scale(" + cell + " 1)"));
	each("lines", (e) => e.setAttribute("transform", "translate(" + left + " 0) scale(" + cell / o.cell + " 1)"));
	each("left", (e) => e.setAttribute("transform", "translate(" + left + " 0)"));
	each("rule", (e) => e.setAttribute("transform", "scale(" + cell / o.cell + " 1)"));
	each("right", (e) => {
		e.setAttribute("transform", "translate(" + (narrow ? end - 12 : end) + " 0)");
		e.setAttribute("text-anchor", narrow ? "end" : "start");
		e.setAttribute("stroke", narrow ? "#fffffe" : "none");
	});
	each("gap", (e) => {
		e.setAttribute("x", left + e.dataset.from * cell);
		e.setAttribute("width", (e.dataset.to - e.dataset.from) * cell);
	});
	each("lane", (e) => e.setAttribute("x", narrow ? 10 : left));
	each("middle", (e) => e.setAttribute("x", (left + end) / 2));
	cutNames(left - 12);
	placeTicks();
	return { left, cell, narrow };

	/* Names on the left, whose beginning and end tell most, and what they are whole is in their titles. */
	function cutNames(room) {
		each("name", (e) => {
			if (e.dataset.full === undefined)
				e.dataset.full = e.textContent;
			const full = e.textContent = e.dataset.full;
			const length = e.getComputedTextLength(), n = Math.floor(full.length * room / length);
			if (length > room && n > 2)
				e.textContent = full.slice(0, n - 1) + "\u2026";
		});
	}

	/* Those that would stand on the one before have no text. */
	function placeTicks() {
		let last = -Infinity;
		each("tick", (e) => {
			const x = left + e.dataset.c * cell, text = e.querySelector("text");
			const half = text.getComputedTextLength() / 2;
			e.setAttribute("transform", e.getAttribute("transform").replace(/\([^ ]*/, "(" + x));
			const room = x - half > last + 6 && x + half < o.width;
			text.setAttribute("visibility", room ? "visible" : "hidden");
			if (room)
				last = x + half;
		});
	}
}

