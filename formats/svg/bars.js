/* The script of bars, behind number.js and frame.js: tells of the row under the pointer what its title would; in a
 * narrow window a row is two lines, its text and number above its bar. */
(function () {
	const rows = document.getElementById("rows"), { left, width, height, top } = rows.dataset;
	const at = (what) => "[data-at=" + what + "]";
	const list = Array.from(rows.querySelectorAll(at("row")));
	const frame = pdtoolFrame({
		least: 320, most: document.documentElement.viewBox.baseVal.width, layout,
	});
	const { svg } = frame;
	const natural = svg.viewBox.baseVal.width, bottom = Number(document.getElementById("foot").dataset.top);
	const texts = list.map((row) => Array.from(row.querySelectorAll("text"), (e) => ({ e, text: e.textContent, x: e.getAttribute("x") })));

	const headings = Array.from(svg.querySelectorAll(at("headings") + " [text-anchor=end]"), (e) => ({ e, x: Number(e.getAttribute("x")) }));

	/* SCALE: of the bars, which begin at X. */
	function put(pixels, narrow, step, scale, x) {
		for (const e of svg.querySelectorAll(["axis", "zero"].map(at).join()))
			e.setAttribute("visibility", pixels < natural ? "hidden" : "visible");
		for (const e of svg.querySelectorAll(["headings", "rule"].map(at).join()))
			e.setAttribute("visibility", narrow ? "hidden" : "visible");
		headings.forEach(({ e, x }) => e.setAttribute("x", x + pixels - natural));
		list.forEach((row, i) => {
			row.setAttribute("transform", "translate(0 " + (Number(top) + i * step) + ")");
			row.querySelector(at("hit")).setAttribute("height", step);
			row.querySelector(at("hit")).setAttribute("width", pixels - 12);
			row.querySelector(at("bar")).setAttribute("transform", "translate(" + x + " " + (narrow ? 16 : 0) + ") scale(" + scale + " 1)");
		});
	}

	/* The label of a row that says most, and the numbers behind it; where all say it together, all. */
	function shortLabel(row) {
		const kinds = row.map((t) => t.e.dataset.at), all = kinds.includes("main");
		const first = all ? 0 : Math.max(kinds.lastIndexOf("name"), 0);
		let end = first + 1;

		while (end < row.length && (kinds[end] === "id" || (all && !kinds[end].startsWith("value"))))
			end++;
		return { first, text: row.slice(first, end).map((t) => t.text).filter((t) => t).join("  ") };
	}

	/* In a narrow window that one, cut, and the number; what else there is has no room. */
	function placeTexts(pixels, narrow) {
		texts.forEach((row) => row.forEach(({ e, text, x }, k) => {
			const value = e.dataset.at.startsWith("value"), label = shortLabel(row), only = k === label.first && !value;
			const shown = !narrow || only || e.dataset.at === "value0", room = Math.floor((pixels - 130) / 7.3);
			const cut = label.text.length > room ? label.text.slice(0, room - 1) + "\u2026" : label.text;
			e.textContent = narrow && only ? cut : text;
			e.setAttribute("x", value ? Number(x) + pixels - natural : narrow ? 10 : x);
			e.setAttribute("y", narrow ? 13 : height / 2 + 4);
			e.setAttribute("visibility", shown ? "visible" : "hidden");
		}));
	}

	function layout(pixels) {
		const room = Number(width) + pixels - natural, narrow = room < 180;
		const step = narrow ? Number(height) + 18 : Number(height);
		put(pixels, narrow, step, (narrow ? pixels - 20 : room) / width, narrow ? 10 : left);
		placeTexts(pixels, narrow);
		frame.setBottom(bottom + list.length * (step - height));
	}

	rows.addEventListener("mousemove", (ev) => {
		const row = ev.target.closest(at("row"));
		const text = row ? row.querySelector("title").textContent.split("\n") : [];
		frame.details.textContent = text.slice(0, 3).join("  ");
		frame.second.textContent = text.slice(3).join("  ");
	});
	frame.start();
})();
