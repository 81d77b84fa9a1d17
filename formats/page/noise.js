/* What of a difference between two profiles is noise: the model of analyzers/profile/noise (see noise.h there), of one run
 * a side, and the tails that it needs. Where one is changed, the other has to be; a test holds them together. */

/* ---- tails ---- */

/* ln of the gamma function of positive numbers, by Lanczos' series (P. Godfrey's coefficients): 1e-15 of its size. */
const PAGE_GAMMA = [0.99999999999999709182, 57.156235665862923517, -59.597960355475491248, 14.136097974741747174,
	-0.49191381609762019978, .33994649984811888699e-4, .46523628927048575665e-4, -.98374475304879564677e-4,
	.15808870322491248884e-3, -.21026444172410488319e-3, .21743961811521264320e-3, -.16431810653676389022e-3,
	.84418223983852743293e-4, -.26190838401581408670e-4, .36899182659531622704e-5];
function pageLogGamma(x) {
	const t = x + 607 / 128 - 0.5;
	const sum = PAGE_GAMMA.reduce((a, c, i) => a + (i ? c / (x - 1 + i) : c), 0);
	return (x - 0.5) * Math.log(t) - t + 0.5 * Math.log(2 * Math.PI) + Math.log(sum);
}

const pageNotZero = (v) => Math.abs(v) < Number.MIN_VALUE * 2 ** 52 ? Number.MIN_VALUE * 2 ** 52 : v;

/* Abramowitz and Stegun 26.5.8, by Lentz's method. */
function pageBetaFraction(a, b, x) {
	let c = 1, d = 1 / pageNotZero(1 - (a + b) * x / (a + 1)), f = d;
	for (let m = 1; m <= 500; m++) {
		const even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		const odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 / pageNotZero(1 + even * d);
		c = pageNotZero(1 + even / c);
		f *= d * c;
		d = 1 / pageNotZero(1 + odd * d);
		c = pageNotZero(1 + odd / c);
		const step = d * c;
		f *= step;
		if (Math.abs(step - 1) < 1e-15)
			break;
	}
	return f;
}
function pageBeta(a, b, x) {
	if (x <= 0 || x >= 1)
		return Number(x >= 1);
	const front = Math.exp(pageLogGamma(a + b) - pageLogGamma(a) - pageLogGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
	return x < (a + 1) / (a + b + 2) ? front * pageBetaFraction(a, b, x) / a : 1 - front * pageBetaFraction(b, a, 1 - x) / b;
}

/* Student's t: both tails beyond T, the one above T, and the T above which P lies. */
const pageTails = (t, df) => Number.isFinite(t) ? pageBeta(df / 2, 0.5, df / (df + t * t)) : Number.isNaN(t) ? NaN : 0;
function pageUpper(t, df) {
	const half = pageTails(t, df) / 2;
	return t < 0 ? 1 - half : half;
}
const pageQuantiles = new Map(); /* a few, over and over */
function pageQuantile(p, df) {
	const key = p + " " + df;
	if (!pageQuantiles.has(key))
		pageQuantiles.set(key, pageFindQuantile(p, df));
	return pageQuantiles.get(key);
}
function pageFindQuantile(p, df) {
	let low = 0, high = 1;
	while (pageUpper(high, df) > p && high < 1e9)
		high *= 2;
	for (let i = 0; i < 60; i++) {
		const mid = (low + high) / 2;
		if (pageUpper(mid, df) > p)
			low = mid;
		else
			high = mid;
	}
	return high;
}

/* The standard normal distribution, below Z: Marsaglia's series, and far out the continued fraction. */
function pageNormal(z) {
	const x = Math.abs(z), density = Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
	let tail;
	if (x < 5) {
		let term = x, sum = x;
		for (let k = 3; sum + term !== sum; k += 2) {
			term *= x * x / k;
			sum += term;
		}
		tail = 0.5 - sum * density;
	} else {
		let f = x;
		for (let k = 60; k > 0; k--)
			f = x + k / f;
		tail = density / f;
	}
	return z > 0 ? 1 - tail : tail;
}

/* ---- the fit ---- */

const PAGE_NOISE = {
	phis: [1, 1.3, 1.7, 2.2, 3, 4, 5.5, 7.5, 10, 14, 19, 26],
	taus: [.003, .006, .01, .015, .02, .03, .04, .055, .075, .1, .14, .2],
	dfs: [3, 6, 12, 24],
	counted: [8, 3], /* mean samples of a row that takes part, and where there are too few such rows */
	leastRows: 5, leastShare: 0.005, leastSamples: 10, falseDiscovery: 0.05, between: 0.2,
	oneRunDf: 10, totalDf: 30, power: 0.82, steps: 200, mostRuns: 100,
};

const pageLogCount = (x) => Math.log(x + 0.5);

/* LIST: {value, weight} each. */
function pageMedian(list) {
	const sorted = [...list].sort((a, b) => a.value - b.value), all = sorted.reduce((a, w) => a + w.weight, 0);
	let below = 0;
	for (let i = 0; i < sorted.length; i++) {
		below += sorted[i].weight;
		if (below > all / 2)
			return sorted[i].value;
		if (below === all / 2 && i + 1 < sorted.length)
			return (sorted[i].value + sorted[i + 1].value) / 2;
	}
	return 0;
}

/* SELF: effective samples by row * 2 + run; NAMELESS by row; RUNS: {unit, total} of both. */
function pageNoise(self, nameless, runs) {
const { phis, taus, dfs } = PAGE_NOISE, count = nameless.length;
const points = [];
for (const phi of phis) {
	for (const tau of taus) {
		for (const df of dfs)
			points.push({ phi, tau, df, likelihood: 0, constant: pageLogGamma((1 + df) / 2) - pageLogGamma(df / 2) - Math.log(df) / 2 });
	}
}

function choose(least) {
	const list = [];
	for (let row = 0; row < count; row++) {
		const a = self[2 * row], b = self[2 * row + 1], mean = (a + b) / 2;
		if (mean >= least && !nameless[row] && a > 0 && b > 0)
			list.push({ row, mean, values: [a, b] });
	}
	return list;
}

/* ln of the density of a row's variance, at each point. */
function densities(f) {
	const own = new Float64Array(points.length);
	for (let i = 0; i < points.length; i++) {
		const { constant, df, phi, tau } = points[i], v = phi * f.inverse + tau * tau, r = Math.max(f.variance / v, 1e-4);
		own[i] = constant - Math.log(r * v * v) / 2 - (1 + df) / 2 * Math.log(1 + r / df);
	}
	return own;
}

/* The sum of these over all rows. Logarithms of products: so many factors stay far from what a number can hold. */
const FACTORS = 16;
function addDensities(pool) {
	const inverse = Float64Array.from(pool, (f) => f.inverse), variance = Float64Array.from(pool, (f) => f.variance), count = pool.length;
	const [a, b, c, d] = dfs.map((df) => 1 / df); /* four of them: a loop over these takes twice the time */
	for (let i = 0; i < points.length; i += dfs.length) {
		const { phi, tau } = points[i], square = tau * tau, logs = [0, 0, 0, 0];
		let common = 0;
		for (let k = 0; k < count;) {
			const end = Math.min(k + FACTORS, count);
			let product = 1, fa = 1, fb = 1, fc = 1, fd = 1;
			for (; k < end; k++) {
				const v = phi * inverse[k] + square, seen = variance[k] / v, r = seen > 1e-4 ? seen : 1e-4;
				product *= r * v * v;
				fa *= 1 + r * a;
				fb *= 1 + r * b;
				fc *= 1 + r * c;
				fd *= 1 + r * d;
			}
			common -= Math.log(product) / 2;
			[fa, fb, fc, fd].forEach((f, j) => { logs[j] += Math.log(f); });
		}
		dfs.forEach((df, j) => { points[i + j].likelihood = count * points[i + j].constant + common - (1 + df) / 2 * logs[j]; });
	}
}

function likeliest(without) {
	const own = without ? densities(without) : null;
	let best = null, most = -Infinity;
	for (let i = 0; i < points.length; i++) {
		const l = points[i].likelihood - (own ? own[i] : 0);
		if (l > most) {
			most = l;
			best = points[i];
		}
	}
	return best;
}

const n = { phi: 1, tau: PAGE_NOISE.between, df: PAGE_NOISE.totalDf, common: runs.map((r) => -Math.log(r.unit)), commonVariance: 0, fitted: 0, samples: 0 };
for (let row = 0; row < count; row++)
	n.samples += (self[2 * row] + self[2 * row + 1]) / 2;
let pool = choose(PAGE_NOISE.counted[0]);
if (pool.length < PAGE_NOISE.leastRows)
	pool = choose(PAGE_NOISE.counted[1]);
const byRow = new Map();
if (pool.length >= PAGE_NOISE.leastRows) {
	const weight = (f) => 1 / (1 / f.mean + 0.05 * 0.05);
	n.fitted = pool.length;
	n.common = [0, 1].map((r) => pageMedian(pool.map((f) => ({
		value: pageLogCount(f.values[r]) - (pageLogCount(f.values[0]) / 2 + pageLogCount(f.values[1]) / 2), weight: weight(f) }))));
	for (const f of pool) {
		const change = pageLogCount(f.values[1]) - n.common[1] - (pageLogCount(f.values[0]) - n.common[0]);
		f.inverse = 1 / (f.values[0] + 0.5) / 2 + 1 / (f.values[1] + 0.5) / 2;
		f.variance = change * change / 2;
		byRow.set(f.row, f);
	}
	addDensities(pool);
	({ phi: n.phi, tau: n.tau } = likeliest(null));
	n.df = Math.min(PAGE_NOISE.oneRunDf, pool.length - 1);
	let squares = 0, sum = 0;
	for (const f of pool) {
		squares += weight(f) ** 2;
		sum += weight(f) / Math.sqrt(2 * Math.PI * (n.phi * f.inverse + n.tau * n.tau));
	}
	n.commonVariance = squares / (4 * sum * sum);
}

/* Runs are taken to differ by so much: one a side does not show it. */
n.total = { change: runs[0].total > 0 && runs[1].total > 0 ? Math.log(runs[1].total) - Math.log(runs[0].total) : NaN,
	se: PAGE_NOISE.between * Math.SQRT2, df: PAGE_NOISE.totalDf };
n.least = Math.max(PAGE_NOISE.leastSamples, PAGE_NOISE.leastShare * n.samples);

/* The change of a row of VALUES against the rest; ROW: its own in the fit, so that it does not hide itself, or -1. */
n.test = (values, row) => {
	const own = byRow.get(row), { phi, tau } = own ? own.others || (own.others = likeliest(own)) : n;
	const inverse = 1 / (values[0] + 0.5) / 2 + 1 / (values[1] + 0.5) / 2;
	const change = pageLogCount(values[1]) - n.common[1] - (pageLogCount(values[0]) - n.common[0]);
	const se = Math.sqrt(2 * (phi * inverse + tau * tau)), t = change / se;
	return { change, se, df: n.df, t, p: pageTails(t, n.df) };
};
return n;
}

/* Of [{values, test}]: which are found, by Benjamini and Hochberg; a function and its only caller are one finding. */
function pageDiscover(list) {
	const same = (a, b) => [0, 1].every((r) => Math.abs(a[r] - b[r]) <= 0.25 * Math.max(a[r], b[r]));
	const sorted = [...list].sort((a, b) => a.test.p - b.test.p);
	let pass = 0, rank = 0;
	sorted.forEach((h, i) => {
		if (!sorted.slice(Math.max(0, i - 8), i).some((k) => same(h.values, k.values)))
			rank++;
		if (h.test.p <= PAGE_NOISE.falseDiscovery * rank / sorted.length)
			pass = i + 1;
	});
	for (const h of sorted.slice(0, pass))
		h.test.found = true;
}

/* The interval of a factor that holds in 95 of 100 cases. */
function pageInterval({ change, se, df }) {
	const half = pageQuantile(0.025, df) * se;
	return [Math.exp(change - half), Math.exp(change + half)];
}

/* ---- what would have been seen ---- */

/* How often a change V of a row of SHARE of the total is found by RUNS a side, among FAMILY tests: as a function of V. */
function pagePower(n, share, runs, family) {
	const d = 2 * runs - 2, samples = share * n.samples + 0.5;
	const limit = pageQuantile(PAGE_NOISE.falseDiscovery / Math.max(family, 1) / 2, n.df + d);
	return (v) => {
		const inverse = (d < 1 ? (1 + Math.exp(-v)) / 2 : 1) / samples;
		const expected = n.phi * inverse + n.tau * n.tau, typical = expected + n.commonVariance, z = v / Math.sqrt(typical * 2 / runs);
		if (d < 1)
			return pageNormal(z - limit);
		let sum = 0, all = 0;
		for (let i = 0; i < PAGE_NOISE.steps; i++) {
			const x = (i + 0.5) / PAGE_NOISE.steps * (d + 10 * Math.sqrt(2 * d));
			const w = Math.exp((d / 2 - 1) * Math.log(x / d) - (x - d) / 2), own = typical * x / d;
			all += w;
			sum += w * pageNormal(z - limit * Math.sqrt(Math.max(own, (n.df * expected + d * own) / (n.df + d)) / typical));
		}
		return sum / all;
	};
}

/* The growth that is found in 4 of 5 cases by these two; Infinity: none. */
function pageLeastChange(n, share, family) {
	const power = pagePower(n, share, 1, family);
	let low = 0, high = 20;
	if (power(high) < PAGE_NOISE.power)
		return Infinity;
	for (let i = 0; i < 40; i++) {
		const mid = (low + high) / 2;
		if (power(mid) < PAGE_NOISE.power)
			low = mid;
		else
			high = mid;
	}
	return Math.expm1(high);
}

/* The runs a side that find GROWTH as often; 0: more than a hundred. */
function pageRunsNeeded(n, share, growth, family) {
	const finds = (runs) => pagePower(n, share, runs, family)(Math.log1p(growth)) >= PAGE_NOISE.power;
	let low = 1, high = PAGE_NOISE.mostRuns;
	if (!finds(high))
		return 0;
	while (low < high) {
		const mid = Math.floor((low + high) / 2);
		if (finds(mid))
			high = mid;
		else
			low = mid + 1;
	}
	return high;
}
