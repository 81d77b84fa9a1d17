/* The state of the page in its address, so that a view can be sent. Addresses come from strangers: numbers are all that
 * is taken from them, but for the text of the search, which is only ever compared with names. */
const PAGE_VIEWS = ["flame", "functions", "sandwich", "threads", "facts", "ios"];
const PAGE_BELOW = ["heat", "comm", "cpu", "pid", "thread"];

/* What is shown of parts of seconds, and by which clock, before anything is chosen. */
const pageUsual = (about) => about.storedUs ? { below: "comm", clock: pageHasWall(about.captures) ? "wall" : "start" } : { below: "heat", clock: "start" };

/* Out of "#r=1000-2000&v=flame": all that makes sense of it for ABOUT; ranges are microseconds from the start. */
function pageStateOf(hash, about, counts) {
	const state = { event: about.events.findIndex((e) => e[3] > 0), view: "flame", ...pageUsual(about), search: "" };
	const number = (text, least, end) => /^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) < end ? Number(text) : undefined;
	const span = about.lastUs + 1 - about.firstUs;
	const range = (text) => {
		const m = /^(\d{1,15})-(\d{1,15})$/.exec(text);
		return m && Number(m[1]) < Number(m[2]) && Number(m[2]) <= span ? { from: about.firstUs + Number(m[1]), to: about.firstUs + Number(m[2]) } : undefined;
	};
	for (const part of hash.replace(/^#/, "").split("&")) {
		const at = part.indexOf("="), value = part.slice(at + 1);
		switch (part.slice(0, at)) {
		case "r": state.range = range(value); break;
		case "o": state.other = range(value); break;
		case "e": state.event = number(value, 0, about.events.length) ?? state.event; break;
		case "m": state.comm = number(value, 0, about.threads.length); break;
		case "p": state.pid = number(value, 0, 2 ** 32); break;
		case "t": state.thread = number(value, 0, about.threads.length); break;
		case "c": state.cpu = number(value, 0, 2 ** 31); break;
		case "f": state.name = number(value, 0, about.names); break;
		case "z": state.zoom = number(value, 0, about.nodes); break;
		case "v": state.view = PAGE_VIEWS.includes(value) ? value : state.view; break;
		case "b": state.below = PAGE_BELOW.includes(value) ? value : state.below; break;
		case "k": state.clock = PAGE_CLOCKS.includes(value) && (value !== "wall" || pageHasWall(about.captures)) ? value : state.clock; break;
		case "n": state.basis = PAGE_BASES.includes(value) ? value : undefined; break;
		case "u": state.upright = value === "1"; break;
		case "q":
			try {
				state.search = decodeURIComponent(value).slice(0, 200);
			} catch (e) { /* no text */ }
			break;
		}
	}
	return state;
}

function pageHashOf(state, about) {
	const range = (r) => r ? (r.from - about.firstUs) + "-" + (r.to - about.firstUs) : undefined;
	const parts = { r: range(state.range), o: range(state.other), e: state.event, m: state.comm, p: state.pid, t: state.thread, c: state.cpu,
		f: state.name, z: state.zoom >= 0 ? state.zoom : undefined, v: state.view, b: state.below, k: state.clock === pageUsual(about).clock ? undefined : state.clock, n: state.basis, u: state.upright ? 1 : undefined,
		q: state.search ? encodeURIComponent(state.search) : undefined };
	return "#" + Object.entries(parts).filter(([, v]) => v !== undefined).map(([k, v]) => k + "=" + v).join("&");
}
