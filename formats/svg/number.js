"use strict";
/* Numbers as number_alone() of formats/number.c writes them, for the scripts of all drawings. */

function pdtoolCommas(text) {
	return text.replace(/^\d+/, (n) => n.replace(/\B(?=(\d{3})+$)/g, ","));
}

/* VALUE of UNIT: "ns", "B/s", "%", or "" for what is only counted. */
function pdtoolAmount(value, unit) {
	const units = {
		"ns": [[1e9, " s"], [1e6, " ms"], [1e3, " us"]],
		"B/s": [[2 ** 30, " GiB/s"], [2 ** 20, " MiB/s"], [2 ** 10, " KiB/s"]],
		"": [[1e18, " E"], [1e15, " P"], [1e12, " T"], [1e9, " G"]],
	};
	if (unit === "%")
		return value.toFixed(2) + "%";
	if (!unit && value < 1e10)
		return pdtoolCommas(String(value));
	const [size, name] = units[unit].find((u) => value >= 0.99995 * u[0]) || [1, " " + unit];
	const v = value / size;
	const decimals = size === 1 ? 0 : v < 9.9995 ? 3 : v < 99.995 ? 2 : v < 999.95 ? 1 : 0;
	return pdtoolCommas(String(Number(v.toFixed(decimals)))) + name;
}

