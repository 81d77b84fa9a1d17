/* The script of bars, behind number.js and frame.js: tells of the row under the pointer what its title would; in a
 * narrow window a row is two lines, its text and number above its bar. */
(function () {
	const rows = document.getElementById("rows"), { left, width, height, top } = rows.dataset;
	const list = Array.from(rows.querySelectorAll(".row"));
	const frame = pdtoolFrame({
		least: 320, most: document.documentElement.viewBox.baseVal.width, layout,
	});
	const { svg } = frame;
	const natural = svg.viewBox.baseVal.width, bottom = Number(document.getElementById("foot").dataset.top);
	const texts = list.map((row) => Array.from(row.querySelectorAll("text"), (e) => ({ e, text: e.textContent, x: e.getAttribute("x") })));

	function put(pixels, narrow, step, scale, x) {
		for (const e of svg.querySelectorAll(".axis, .headings, .zero, .rule"))
			e.setAttribute("visibility", narrow ? "hidden" : "visible");
		list.forEach((row, i) => {
			row.setAttribute("transform", "translate(0 " + (Number(top) + i * step) + ")");
			row.querySelector(".hit").setAttribute("height", step);
			row.querySelector(".hit").setAttribute("width", pixels - 12);
			row.querySelector(".bar").setAttribute("transform", "translate(" + x + " " + (narrow ? 16 : 0) + ") scale(" + scale + " 1)");
		});
	}

	/* The first text, cut, and the number; what else there is has no room. */
	function cutTexts(pixels, narrow) {
		texts.forEach((row, i) => row.forEach(({ e, text, x }, k) => {
			const value = e.classList.contains("value0");
			e.textContent = text;
			e.setAttribute("x", narrow && value ? pixels - 10 : x);
			e.setAttribute("y", narrow ? 13 : height / 2 + 4);
			e.setAttribute("visibility", !narrow || value || k === 0 ? "visible" : "hidden");
			if (!narrow || value)
				return;
			const room = Math.floor((pixels - 130) / 7.3);
			e.textContent = text.length > room ? text.slice(0, room - 1) + "\u2026" : text;
		}));
	}

	function layout(pixels) {
		const narrow = pixels < natural, step = narrow ? Number(height) + 18 : Number(height);
		put(pixels, narrow, step, narrow ? (pixels - 20) / width : 1, narrow ? 10 : left);
		cutTexts(pixels, narrow);
		frame.setBottom(bottom + list.length * (step - height));
	}

	rows.addEventListener("mousemove", (ev) => {
		const row = ev.target.closest(".row");
		const text = row ? row.querySelector("title").textContent.split("\n") : [];
		frame.details.textContent = text.slice(0, 3).join("  ");
		frame.second.textContent = text.slice(3).join("  ");
	});
	frame.start();
})();
