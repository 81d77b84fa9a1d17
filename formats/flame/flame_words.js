/* What is said of a frame, in words and colours. SHOWN: the names as people read them. */
function pdtoolWords(D, shown) {
const unit = D.factor / Math.pow(10, D.decimals);
const whole = (v) => pdtoolCommas(String(BigInt(Math.round(v))));

/* As number_change() writes it. */
function signed(v, fine) {
	const size = fine ? Math.round(Math.abs(v) * 100) / 100 : Math.round(Math.abs(v));
	const text = fine ? whole(Math.floor(size)) + (size % 1).toFixed(2).slice(1) : whole(size);
	return (size === 0 ? "" : v < 0 ? "-" : "+") + text;
}

function cut(text, chars) {
	if (text.length <= chars)
		return text;
	return text.slice(0, Math.max(chars - 2, 0)).replace(/[\ud800-\udbff]$/, "") + "..";
}

const inZoom = (a, i) => a.zoomed >= 0 && a.start[i] >= a.from && a.start[i] + a.weight[i] <= a.to;

/* Of all; of a function whose callers and callees are shown; of what is zoomed. */
function shares(a, i, v) {
	const of = (whole) => (100 * v / (whole * unit)).toFixed(2) + "%";
	const parts = [a.of === undefined && !a.depth[i] ? "100%" : of(a.whole)];
	if (a.of !== undefined)
		parts.push(of(a.span) + " of " + cut(shown[a.of], 40));
	if (inZoom(a, i) && a.to - a.from < a.span)
		parts.push(of(a.to - a.from) + " of the zoom");
	return parts.length > 1 ? parts[0] + " of all, " + parts.slice(1).join(", ") : parts[0];
}

/* What plot_title() says, from after the name. */
function amounts(a, i) {
	const v = Math.round(a.weight[i] * unit);
	let text = " (" + whole(v) + " " + D.count + ", " + shares(a, i, v);
	if (a.sides) {
		const [after, before, self, selfBefore] = a.sides.map((side) => side[i] * unit);
		const sign = D.negate ? -1 : 1, fine = D.scale !== 1 || D.decimals > 0;
		const delta = sign * (after - before * D.scale);
		text += a.kind === pdtoolAxis.AFTER ? "; before " + whole(before * D.scale) : "; after " + whole(after);
		text += "; delta " + signed(delta, fine);
		if (before > 0)
			text += ", " + signed(100 * delta / (before * D.scale), true) + "%";
		text += "; self delta " + signed(sign * (self - selfBefore * D.scale), fine);
	}
	return text + ")";
}
return { cut: cut, amounts: amounts };
}

/* As flame_color_change() has it. */
function pdtoolChangeColor(D, change) {
	const share = Math.min(Math.max(Math.abs(change) / D.most, 0.04), 1);
	const rest = Math.floor(230 - 130 * Math.sqrt(share)).toString(16).padStart(2, "0");
	if (change === 0)
		return D.same;
	return change > 0 === !D.negate ? "#ff" + rest + rest : "#" + rest + rest + "ff";
}

/* A box as a path, with a little space on the right, where there is enough, to tell neighbours apart. */
function pdtoolBoxPath(b) {
	const round = (v) => Math.round(v * 100) / 100, w = round(b.width > 2 ? b.width - 0.5 : b.width);
	return "M" + round(b.x) + " " + b.y + "h" + w + "v" + b.height + "h-" + w + "z";
}

/* Of a share in percent. */
function pdtoolPercent(p) {
	return (p === 100 ? "100" : p.toFixed(p < 0.1 ? 3 : 1)) + "%";
}
