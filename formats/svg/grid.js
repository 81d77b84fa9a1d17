/* The script of heat maps, behind number.js, frame.js and fit.js: tells of the cell under the pointer what its title would,
 * marks it, and keeps it when it is clicked; arrow keys then move on, Escape lets go. */
(function () {
	const NS = "http://www.w3.org/2000/svg";
	const frame = pdtoolFrame({
		keys: [["click", "keep a cell"], ["arrows", "the cell beside it"], ["Escape", "let it go"],
			...(document.querySelector("[data-at=over]") ? [["p", "lines on, off"]] : [])],
		least: 320, most: document.documentElement.viewBox.baseVal.width, layout,
	});
	const { svg } = frame;
	const find = (id) => svg.querySelector("#" + id);
	const data = find("data").dataset;
	const number = (name) => Number(data[name]);
	const areaTop = number("areaTop"), height = number("height");
	const natural = { left: number("left"), right: number("right"), cell: number("width"), columns: number("columns") };
	let left = natural.left, width = natural.cell;
	const columns = number("columns"), rows = number("rows"), total = number("total");
	const ranges = data.ranges === "1";
	const xs = data.x.split("|");
	/* One heat map, or one for each lane; the first stands for all above it. Lanes that overlap have
	 * strips of their own, and shares are of each. */
	const maps = Array.from(svg.querySelectorAll("g.map"), (map) => ({
		top: Number(map.dataset.top), lane: map.dataset.lane,
		upper: Number(map.dataset.upper || map.dataset.top),
		total: Number(map.dataset.total || total),
		whole: map.dataset.total ? " of the lane" : " of all",
		apart: map.dataset.total !== undefined,
		lines: map.querySelector(".cells").children,
		strips: map.querySelectorAll("path.strip[data-series]"),
		series: map.querySelectorAll("[data-series]"),
	}));
	const bottom = maps[maps.length - 1].top + rows * height;
	const parsed = new Map();
	const info = frame.details;
	const legend = find("shares"), area = find("area");
	const strips = Array.from(svg.querySelectorAll("path.strip[data-series]")).filter((s) => !s.closest("g.map"));
	const none = 2 ** 64;
	let pinned = null;

	/* "0*12 5 7*3" as numbers */
	function values(node) {
		let list = parsed.get(node);
		if (list)
			return list;
		list = [];
		for (const run of node.dataset.v.split(" ")) {
			const [value, count] = run.split("*");
			for (let i = 0; i < (count || 1); i++)
				list.push(Number(value));
		}
		parsed.set(node, list);
		return list;
	}

	const share = (part, all) => (all ? 100 * part / all : 0).toFixed(2) + "%";

	/* The sum of a column of MAP, of its first COUNT rows. */
	function sum(map, column, count) {
		let n = 0;
		for (let r = 0; r < count; r++)
			n += values(map.lines[r])[column];
		return n;
	}

	function node(name, attributes, parent) {
		const made = document.createElementNS(NS, name);
		for (const key in attributes)
			made.setAttribute(key, attributes[key]);
		parent.appendChild(made);
		return made;
	}

	const mark = node("rect", {
		fill: "none", width: width, height: height, visibility: "hidden",
		stroke: "#1b1b1f", "stroke-width": 1.5, "pointer-events": "none",
	}, svg);
	const cursor = node("path", {
		visibility: "hidden", d: "M0 " + areaTop + "V" + bottom, stroke: "#1b1b1f", opacity: 0.5,
		"pointer-events": "none",
	}, svg);

	/* Lines and strips have a value, or none, for each column. */
	function beside(at) {
		let text = "";
		for (const s of [...strips, ...(at.row === null && maps.length > 1 ? at.map.strips : at.map.series)]) {
			const value = values(s)[at.column];
			if (value < none)
				text += (text ? "; " : "") + s.dataset.series + " " + pdtoolAmount(value, s.dataset.unit);
		}
		return text;
	}

	function describe(at) {
		const span = xs[at.column] + " to " + xs[at.column + 1];
		if (at.row === null) {
			const inAll = (at.map.apart ? [at.map] : maps).reduce((n, map) => n + sum(map, at.column, rows), 0);
			return (at.map.apart ? at.map.lane + ", " : "") + span + ": " + data.name + " " +
				pdtoolAmount(inAll, data.unit) + " (" + share(inAll, at.map.total) + at.map.whole + ")";
		}
		const line = at.map.lines[at.row], value = values(line)[at.column];
		const inColumn = sum(at.map, at.column, rows);
		let text = (at.map.lane ? at.map.lane + ", " : "") + span + ", " + line.dataset.n + ": " +
			data.name + " " + pdtoolAmount(value, data.unit) + ", " + share(value, at.map.total) + at.map.whole + ", " + share(value, inColumn) +
			" of the column";
		if (ranges) {
			const up = sum(at.map, at.column, at.row + 1);
			text += "; up to here " + pdtoolAmount(up, data.unit) + ", " + share(up, inColumn);
		}
		return text;
	}

	/* Beside each area its amount in this column; without one, its share of all again. */
	function fillLegend(column) {
		if (!legend)
			return;
		const areas = area.children, count = areas.length;
		for (let i = 0; i < count; i++) {
			const text = legend.children[count - 1 - i].querySelector(".share");
			if (text.dataset.all === undefined)
				text.dataset.all = text.textContent;
			text.textContent = column === null ? text.dataset.all
				: pdtoolAmount(values(areas[i])[column], data.unit);
		}
	}

	function show(at) {
		info.textContent = at ? describe(at) : " ";
		frame.second.textContent = at ? beside(at) : " ";
		fillLegend(at ? at.column : null);
		cursor.setAttribute("visibility", at ? "visible" : "hidden");
		mark.setAttribute("visibility", at && at.row !== null ? "visible" : "hidden");
		if (!at)
			return;
		const x = left + at.column * width;
		cursor.setAttribute("transform", "translate(" + (x + width / 2) + ")");
		if (at.row === null)
			return;
		mark.setAttribute("x", x);
		mark.setAttribute("width", width);
		mark.setAttribute("y", at.map.top + (ranges ? rows - 1 - at.row : at.row) * height);
	}

	const LISTED = 20;
	const panel = node("g", { id: "list", visibility: "hidden" }, svg);
	const events = find("events");
	let parsedEvents = null;

	/* What is at hand of the events in a cell; parsed when it is first asked for. */
	function eventsIn(at) {
		if (!parsedEvents)
			parsedEvents = events.dataset.v.split("|").map((e) => e.split(" ").map(Number));
		const lane = maps.indexOf(at.map);
		return parsedEvents.filter((e) => e[0] === lane && e[1] === at.column && e[2] === at.row);
	}

	function listEvents(at) {
		const found = eventsIn(at), inCell = values(at.map.lines[at.row])[at.column];
		const texts = found.slice(0, LISTED).map((e) => "+" +
			(data.xUnit === "ns" ? (e[3] / 1e9).toFixed(6) + " s" : e[3]) + "  " +
			pdtoolAmount(e[4], events.dataset.unit) + "  " + events.children[e[6]].dataset.n + "  " +
			events.dataset.number + " " + e[5]);
		if (found.length > LISTED)
			texts.push((found.length - LISTED) + " more");
		if (found.length < inCell)
			texts.push(found.length + " of " + inCell + " events of this cell are in this file, " +
				"which has the largest " + parsedEvents.length + " of " + events.dataset.total);
		return texts;
	}

	/* Beside the cell that is kept, on whichever side there is room. */
	function showPanel() {
		panel.replaceChildren();
		panel.setAttribute("visibility", "hidden");
		if (!events || !pinned || pinned.row === null || !values(pinned.map.lines[pinned.row])[pinned.column])
			return;
		const box = node("rect", { fill: "#fffffe", stroke: "#1b1b1f", rx: 3 }, panel);
		const texts = listEvents(pinned);
		let wide = 0;
		texts.forEach((text, i) => {
			const line = node("text", { x: 8, y: 17 + i * 15 }, panel);
			line.textContent = text;
			wide = Math.max(wide, line.getComputedTextLength());
		});
		const view = svg.viewBox.baseVal, high = texts.length * 15 + 10;
		box.setAttribute("width", wide + 16);
		box.setAttribute("height", high);
		const x = left + (pinned.column + 1) * width + 8;
		const y = Number(mark.getAttribute("y"));
		const room = x + wide + 16 < view.width;
		panel.setAttribute("transform", "translate(" +
			(room ? x : Math.max(0, x - wide - 32 - width)) + "," +
			Math.max(0, Math.min(y, view.height - high - 4)) + ")");
		panel.setAttribute("visibility", "visible");
	}

	/* The cell of the heat map under the pointer, or the column of what stands above it. */
	function place(event) {
		const p = frame.point(event);
		const column = Math.floor((p.x - left) / width);
		if (column < 0 || column >= columns || p.y < areaTop || p.y >= bottom)
			return null;
		if (p.y < maps[0].top)
			return { map: maps[0], column, row: null };
		const above = maps.find((m) => m.upper <= p.y && p.y < m.top);
		if (above)
			return { map: above, column, row: null };
		const map = maps.findLast((m) => m.top <= p.y);
		const line = Math.floor((p.y - map.top) / height);
		return line < rows ? { map, column, row: ranges ? rows - 1 - line : line } : null;
	}

	svg.addEventListener("mousemove", (event) => {
		if (!pinned)
			show(place(event));
	});
	svg.addEventListener("mouseleave", () => {
		if (!pinned)
			show(null);
	});
	svg.addEventListener("click", (event) => {
		const at = place(event);
		const same = at && pinned && at.map === pinned.map && at.column === pinned.column &&
			at.row === pinned.row;
		pinned = same ? null : at;
		mark.style.strokeDasharray = pinned ? "3 2" : "";
		show(at);
		showPanel();
	});

	const moves = {
		ArrowLeft: [-1, 0], ArrowRight: [1, 0],
		ArrowUp: [0, ranges ? 1 : -1], ArrowDown: [0, ranges ? -1 : 1],
	};

	window.addEventListener("keydown", (event) => {
		const move = moves[event.key];
		if (event.key === "Escape") {
			pinned = null;
			mark.style.strokeDasharray = "";
			show(null);
			showPanel();
		}
		if (!move || !pinned)
			return;
		const column = pinned.column + move[0];
		const row = pinned.row === null ? null : pinned.row + move[1];
		event.preventDefault();
		if (column < 0 || column >= columns || (row !== null && (row < 0 || row >= rows)))
			return;
		pinned = { map: pinned.map, column, row };
		show(pinned);
		showPanel();
	});
	/* The axis follows the window; the legend of areas, beside them or below all. */
	const axisBottom = Number(document.getElementById("foot").dataset.top);
	function layout(pixels) {
		const at = pdtoolFit(svg, { ...natural, width: pixels });
		[left, width] = [at.left, at.cell];
		if (legend) {
			const high = 17 * legend.childElementCount + 10;
			legend.setAttribute("transform", at.narrow ? "translate(10 " + (axisBottom + 10) + ")"
				: "translate(" + (left + width * columns + 12) + " " + legend.dataset.y + ")");
			frame.setBottom(axisBottom + (at.narrow ? high : 0));
		}
		show(pinned);
		showPanel();
	}

	const lines = svg.querySelectorAll("[data-at=over]");
	function toggleLines() {
		for (const e of lines)
			e.classList.toggle("hide");
		find("lines").setAttribute("aria-pressed", !lines[0].classList.contains("hide"));
	}

	if (lines.length) {
		frame.button(find("lines"), toggleLines).setAttribute("aria-pressed", true);
		window.addEventListener("keydown", (event) => {
			if (event.key === "p" && !event.ctrlKey && !event.altKey && !event.metaKey)
				toggleLines();
		});
	}
	frame.start();
})();
