/* The script of heat maps: tells of the cell under the pointer what its title would, marks it, and
 * keeps it when it is clicked; arrow keys then move on, Escape lets go. */
"use strict";
(function () {
	const NS = "http://www.w3.org/2000/svg";
	const svg = document.querySelector("svg.pdtool-grid");
	const find = (id) => svg.querySelector("#" + id);
	const data = find("data").dataset;
	const number = (name) => Number(data[name]);
	const left = number("left"), top = number("top"), areaTop = number("areaTop");
	const width = number("width"), height = number("height");
	const columns = number("columns"), rows = number("rows"), total = number("total");
	const ranges = data.ranges === "1";
	const xs = data.x.split("|");
	const lines = find("cells").children;
	const parsed = new Map();
	const info = find("info");
	const legend = find("legend"), area = find("area");
	const series = svg.querySelectorAll("[data-series]"), none = 2 ** 64;
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

	function amount(value, unit) {
		if (unit !== "ns")
			return String(value);
		const units = [[1e9, " s"], [1e6, " ms"], [1e3, " us"], [1, " ns"]];
		const [size, name] = units.find((u) => value >= u[0]) || units[3];
		return Number((value / size).toPrecision(6)) + name;
	}

	function share(part, all) {
		const percent = all ? 100 * part / all : 0;
		return percent.toFixed(percent && percent < 0.995 ? 3 : 2) + " %";
	}

	/* The sum of a column, of its first COUNT rows. */
	function sum(column, count) {
		let n = 0;
		for (let r = 0; r < count; r++)
			n += values(lines[r])[column];
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
		style: "stroke:var(--fg);stroke-width:1.5;pointer-events:none;" +
			"filter:drop-shadow(0 0 1px var(--bg)) drop-shadow(0 0 1px var(--bg))",
	}, svg);
	const cursor = node("path", {
		class: "line", visibility: "hidden", d: "M0 " + areaTop + "V" + (top + rows * height),
		style: "stroke:var(--fg);opacity:.5;pointer-events:none",
	}, svg);

	/* Lines and strips have a value, or none, for each column. */
	function beside(column) {
		let text = "";
		for (const s of series) {
			const value = values(s)[column];
			if (value < none)
				text += (text ? "; " : "") + s.dataset.series + " " + amount(value, s.dataset.unit);
		}
		return text;
	}

	function describe(at) {
		const span = xs[at.column] + " to " + xs[at.column + 1];
		const inColumn = sum(at.column, rows);
		if (at.row === null)
			return span + ": " + amount(inColumn, data.unit) + " " + data.name + " (" +
				share(inColumn, total) + " of all)";
		const line = lines[at.row], value = values(line)[at.column];
		let text = span + ", " + line.dataset.n + ": " + amount(value, data.unit) + " " + data.name +
			", " + share(value, total) + " of all, " + share(value, inColumn) +
			" of the column";
		if (ranges) {
			const up = sum(at.column, at.row + 1);
			text += "; up to here " + amount(up, data.unit) + ", " + share(up, inColumn);
		}
		return text;
	}

	/* Beside each area its amount in this column; without one, its share of all again. */
	function fillLegend(column) {
		if (!legend)
			return;
		const areas = area.children, count = areas.length;
		for (let i = 0; i < count; i++) {
			const text = legend.children[count - 1 - i].querySelector(".e");
			if (text.dataset.all === undefined)
				text.dataset.all = text.textContent;
			text.textContent = column === null ? text.dataset.all
				: amount(values(areas[i])[column], data.unit);
		}
	}

	function show(at) {
		info.textContent = at ? describe(at) : " ";
		find("beside").textContent = at ? beside(at.column) : " ";
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
		mark.setAttribute("y", top + (ranges ? rows - 1 - at.row : at.row) * height);
	}

	/* The cell of the heat map under the pointer, or the column of what stands above it. */
	function place(event) {
		const p = new DOMPoint(event.clientX, event.clientY)
			.matrixTransform(svg.getScreenCTM().inverse());
		const column = Math.floor((p.x - left) / width);
		const line = Math.floor((p.y - top) / height);
		if (column < 0 || column >= columns || p.y < areaTop || line >= rows)
			return null;
		if (line < 0)
			return { column, row: null };
		return { column, row: ranges ? rows - 1 - line : line };
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
		const same = at && pinned && at.column === pinned.column && at.row === pinned.row;
		pinned = same ? null : at;
		mark.style.strokeDasharray = pinned ? "3 2" : "";
		show(at);
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
		}
		if (!move || !pinned)
			return;
		const column = pinned.column + move[0];
		const row = pinned.row === null ? null : pinned.row + move[1];
		event.preventDefault();
		if (column < 0 || column >= columns || (row !== null && (row < 0 || row >= rows)))
			return;
		pinned = { column, row };
		show(pinned);
	});
})();
