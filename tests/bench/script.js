// The program behind node.data: a few hundred functions that call each other, compiled one after the other. It runs until
// perf record ends it.
'use strict';
const functions = [];
for (let i = 0; i < 300; i++)
	functions.push(new Function('all', 'n', 'depth', `
		return function named_${i}() {
			let t = n;
			for (let j = 0; j < 50; j++) t = (Math.imul(t, ${2 * i + 3}) + j) | 0;
			return depth ? t ^ all[(t >>> 8) % 300](all, t, depth - 1) : t;
		}();`));
let sink = 0;
for (let n = 0; ; n++) sink ^= functions[n % 300](functions, n, 4 + n % 9);
