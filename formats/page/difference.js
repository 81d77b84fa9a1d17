/* The table of a comparison (compare.js): the verdict, what it rests on, and the rows. Names reach the document as text. */
const PAGE_CHANGES = [
	["name", "Function"], ["certainty", "Certainty"], ["delta", "Change"], ["percent", "Change %"], ["before", "Total A"], ["after", "Total B"], ["ratio", "Ratio"], ["low", "Ratio low"],
	["high", "Ratio high"], ["z", "Z"], ["selfDelta", "Self change"], ["selfBefore", "Self A"], ["selfAfter", "Self B"], ["callerOf", "Caller of"],
];

/* AMOUNT: a weight in words; SHOWN: a name; PLACE: its number, which PICK gets, or -1; MARKED: of names, a mask of those that are
 * searched for, or null. */
function pageDifference(byId, { amount, place, pick, marked, shown }) {
let sort = { key: null, down: true }, most = 100, last = null;

const number = (v, decimals) => Number.isFinite(v) ? pageFixed(v, decimals) : "";
const whole = (v) => amount(Math.round(v)), signed = (v) => (v > 0 ? "+" : v < 0 ? "-" : "") + whole(Math.abs(v));
const texts = {
	delta: (r) => signed(r.delta), percent: (r) => Number.isFinite(r.percent) ? (r.percent > 0 ? "+" : "") + number(r.percent, 2) + "%" : "new",
	before: (r) => whole(r.total[0]), after: (r) => whole(r.total[1]), ratio: (r) => number(r.ratio, 3), low: (r) => number(r.low, 3), high: (r) => number(r.high, 3),
	z: (r) => number(r.z, 2), selfDelta: (r) => signed(r.selfDelta), selfBefore: (r) => whole(r.self[0]), selfAfter: (r) => whole(r.self[1]),
	certainty: (r) => r.certainty, name: (r) => shown(r.name), callerOf: (r) => shown(r.callerOf),
};
const values = { before: (r) => r.total[0], after: (r) => r.total[1], selfBefore: (r) => r.self[0], selfAfter: (r) => r.self[1] };
const WORDS = ["certainty", "name", "callerOf"];
const kind = (key) => WORDS.includes(key) ? "" : ["delta", "percent", "before", "after"].includes(key) ? "n" : "n wide";

/* Those that pass the search. */
function passing(d) {
	const marks = marked(d.rows.map((r) => r.name));
	return marks ? d.rows.filter((r, i) => marks[i]) : d.rows;
}

/* The first of LIST, as they are sorted. */
function rows(d, list) {
	if (!sort.key)
		return d.ordered(list, most).map(d.told);
	const value = values[sort.key] || ((r) => r[sort.key]), sign = sort.down ? -1 : 1, lacking = (v) => Number.isNaN(v);
	return d.ordered(list, Infinity).map(d.told).sort((a, b) => {
		const x = value(a), y = value(b);
		return lacking(x) - lacking(y) || (x < y ? -sign : x > y ? sign : 0);
	}).slice(0, most);
}

function button(parent, text, action) {
	const b = document.createElement("button");
	b.type = "button";
	b.textContent = text;
	b.addEventListener("click", action);
	parent.append(b);
}

function head(table) {
	const row = table.createTHead().insertRow();
	for (const [key, title] of PAGE_CHANGES) {
		const th = document.createElement("th"), here = sort.key === key;
		th.scope = "col";
		th.className = kind(key);
		th.setAttribute("aria-sort", here ? sort.down ? "descending" : "ascending" : "none");
		button(th, title + (here ? sort.down ? " \u25bc" : " \u25b2" : ""), () => {
			/* the third time: as it was, what is certain first */
			const down = !WORDS.includes(key);
			sort = !here ? { key, down } : sort.down === down ? { key, down: !down } : { key: null, down: true };
			show(last);
		});
		row.append(th);
	}
}

/* What the verdict rests on. */
function facts(d) {
	const list = byId("comparison-facts");
	list.textContent = "";
	for (const [name, text] of d.facts) {
		const dt = document.createElement("dt"), dd = document.createElement("dd");
		dt.textContent = name;
		dd.textContent = shown(text);
		list.append(dt, dd);
	}
}

function show(d) {
	const table = byId("functions"), list = passing(d);
	last = d;
	byId("verdict").textContent = shown(d.verdict);
	facts(d);
	table.textContent = "";
	head(table);
	const body = table.createTBody();
	for (const r of rows(d, list)) {
		const row = body.insertRow();
		for (const [key] of PAGE_CHANGES) {
			const td = row.insertCell();
			td.className = kind(key);
			if (key === "name" && place(r.name) >= 0)
				button(td, shown(r.name), () => pick(place(r.name)));
			else
				td.textContent = texts[key](r);
		}
	}
	if (!list.length) {
		const td = body.insertRow().insertCell();
		td.colSpan = PAGE_CHANGES.length;
		td.textContent = "No function of that name in these ranges.";
	}
	byId("more").hidden = list.length <= most;
}

return {
	show,
	more() {
		most += 1000;
		show(last);
	},
};
}
