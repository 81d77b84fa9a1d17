/* A metric is a quotient of sums of counters: one row each. The units and which counters belong
 * together: perf 6.12, tools/perf/util/stat-shadow.c; topdown: 6.1, the same file, and Intel's
 * "Top-down Microarchitecture Analysis Method". */
#include "analyzers/counters/metrics.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum kind {
	NO_KIND,
	NS,
	CYCLES,
	INSTRUCTIONS,
	STALLED_FRONT,
	STALLED_BACK,
	BRANCHES,
	BRANCH_MISSES,
	CACHE_REFS,
	CACHE_MISSES,
	L1D,
	L1I,
	LL,
	DTLB,
	ITLB,
	L1D_MISSES,
	L1I_MISSES,
	LL_MISSES,
	DTLB_MISSES,
	ITLB_MISSES,
	RETIRING, /* from here on by name: see topdown_names */
	BAD_SPECULATION,
	FRONTEND_BOUND,
	BACKEND_BOUND,
	HEAVY_OPS,
	BR_MISPREDICT,
	FETCH_LATENCY,
	MEMORY_BOUND,
	TOTAL_SLOTS,
	SLOTS_ISSUED,
	SLOTS_RETIRED,
	FETCH_BUBBLES,
	RECOVERY_BUBBLES,
};

static const struct {
	const char *name;
	enum kind kind;
} names[] = {
	{ "task-clock", NS },
	{ "cpu-clock", NS },
	{ "task-clock-msecs", NS }, /* of 2010 */
	{ "cpu-clock-msecs", NS },
	{ "cycles", CYCLES },
	{ "cpu-cycles", CYCLES },
	{ "instructions", INSTRUCTIONS },
	{ "stalled-cycles-frontend", STALLED_FRONT },
	{ "idle-cycles-frontend", STALLED_FRONT },
	{ "stalled-cycles-backend", STALLED_BACK },
	{ "idle-cycles-backend", STALLED_BACK },
	{ "branches", BRANCHES },
	{ "branch-instructions", BRANCHES },
	{ "branch-misses", BRANCH_MISSES },
	{ "cache-references", CACHE_REFS },
	{ "cache-misses", CACHE_MISSES },
	{ "L1-dcache-loads", L1D },
	{ "L1-icache-loads", L1I },
	{ "LLC-loads", LL },
	{ "dTLB-loads", DTLB },
	{ "iTLB-loads", ITLB },
	{ "L1-dcache-load-misses", L1D_MISSES },
	{ "L1-icache-load-misses", L1I_MISSES },
	{ "LLC-load-misses", LL_MISSES },
	{ "dTLB-load-misses", DTLB_MISSES },
	{ "iTLB-load-misses", ITLB_MISSES },
};

static const struct {
	const char *name;
	enum kind kind;
} topdown_names[] = {
	{ "topdown-retiring", RETIRING },
	{ "topdown-bad-spec", BAD_SPECULATION },
	{ "topdown-fe-bound", FRONTEND_BOUND },
	{ "topdown-be-bound", BACKEND_BOUND },
	{ "topdown-heavy-ops", HEAVY_OPS },
	{ "topdown-br-mispredict", BR_MISPREDICT },
	{ "topdown-fetch-lat", FETCH_LATENCY },
	{ "topdown-mem-bound", MEMORY_BOUND },
	{ "topdown-total-slots", TOTAL_SLOTS },
	{ "topdown-slots-issued", SLOTS_ISSUED },
	{ "topdown-slots-retired", SLOTS_RETIRED },
	{ "topdown-fetch-bubbles", FETCH_BUBBLES },
	{ "topdown-recovery-bubbles", RECOVERY_BUBBLES },
};

struct term {
	enum kind kind;
	double factor;
};

#define TERMS 5
#define RATIO "%7.2f%%"
#define PER   "%7.2f "
#define SLOTS                                                                   \
	{                                                                       \
		{ RETIRING, 1 }, { BAD_SPECULATION, 1 }, { FRONTEND_BOUND, 1 }, \
		{                                                               \
			BACKEND_BOUND, 1                                        \
		}                                                               \
	}
#define TOTAL                          \
	{                              \
		{                      \
			TOTAL_SLOTS, 1 \
		}                      \
	}

/* OF is the counter that the metric stands beside; one of perf's is there only where nothing that
 * it is made of is zero. */
static const struct formula {
	enum kind of;
	struct term over[TERMS], under[TERMS];
	const char *unit, *format;
	bool ours; /* perf has it by other means, or not at all */
} formulas[] = {
	{ CYCLES, { { CYCLES, 1 } }, { { NS, 1 } }, "GHz", "%8.3f", false },
	{ INSTRUCTIONS, { { INSTRUCTIONS, 1 } }, { { CYCLES, 1 } }, "insn per cycle", PER, false },
	{ STALLED_FRONT,
	  { { STALLED_FRONT, 100 } },
	  { { CYCLES, 1 } },
	  "frontend cycles idle",
	  RATIO,
	  false },
	{ STALLED_BACK,
	  { { STALLED_BACK, 100 } },
	  { { CYCLES, 1 } },
	  "backend cycles idle",
	  RATIO,
	  false },
	{ BRANCH_MISSES,
	  { { BRANCH_MISSES, 100 } },
	  { { BRANCHES, 1 } },
	  "of all branches",
	  RATIO,
	  false },
	{ CACHE_MISSES,
	  { { CACHE_MISSES, 100 } },
	  { { CACHE_REFS, 1 } },
	  "of all cache refs",
	  RATIO,
	  false },
	{ L1D_MISSES,
	  { { L1D_MISSES, 100 } },
	  { { L1D, 1 } },
	  "of all L1-dcache accesses",
	  RATIO,
	  false },
	{ L1I_MISSES,
	  { { L1I_MISSES, 100 } },
	  { { L1I, 1 } },
	  "of all L1-icache accesses",
	  RATIO,
	  false },
	{ LL_MISSES,
	  { { LL_MISSES, 100 } },
	  { { LL, 1 } },
	  "of all LL-cache accesses",
	  RATIO,
	  false },
	{ DTLB_MISSES,
	  { { DTLB_MISSES, 100 } },
	  { { DTLB, 1 } },
	  "of all dTLB cache accesses",
	  RATIO,
	  false },
	{ ITLB_MISSES,
	  { { ITLB_MISSES, 100 } },
	  { { ITLB, 1 } },
	  "of all iTLB cache accesses",
	  RATIO,
	  false },
	{ RETIRING, { { RETIRING, 100 } }, SLOTS, "retiring", RATIO, true },
	{ BAD_SPECULATION, { { BAD_SPECULATION, 100 } }, SLOTS, "bad speculation", RATIO, true },
	{ FRONTEND_BOUND, { { FRONTEND_BOUND, 100 } }, SLOTS, "frontend bound", RATIO, true },
	{ BACKEND_BOUND, { { BACKEND_BOUND, 100 } }, SLOTS, "backend bound", RATIO, true },
	{ HEAVY_OPS, { { HEAVY_OPS, 100 } }, SLOTS, "heavy operations", RATIO, true },
	{ HEAVY_OPS,
	  { { RETIRING, 100 }, { HEAVY_OPS, -100 } },
	  SLOTS,
	  "light operations",
	  RATIO,
	  true },
	{ BR_MISPREDICT, { { BR_MISPREDICT, 100 } }, SLOTS, "branch mispredict", RATIO, true },
	{ BR_MISPREDICT,
	  { { BAD_SPECULATION, 100 }, { BR_MISPREDICT, -100 } },
	  SLOTS,
	  "machine clears",
	  RATIO,
	  true },
	{ FETCH_LATENCY, { { FETCH_LATENCY, 100 } }, SLOTS, "fetch latency", RATIO, true },
	{ FETCH_LATENCY,
	  { { FRONTEND_BOUND, 100 }, { FETCH_LATENCY, -100 } },
	  SLOTS,
	  "fetch bandwidth",
	  RATIO,
	  true },
	{ MEMORY_BOUND, { { MEMORY_BOUND, 100 } }, SLOTS, "memory bound", RATIO, true },
	{ MEMORY_BOUND,
	  { { BACKEND_BOUND, 100 }, { MEMORY_BOUND, -100 } },
	  SLOTS,
	  "core bound",
	  RATIO,
	  true },
	{ SLOTS_RETIRED, { { SLOTS_RETIRED, 100 } }, TOTAL, "retiring", RATIO, true },
	{ FETCH_BUBBLES, { { FETCH_BUBBLES, 100 } }, TOTAL, "frontend bound", RATIO, true },
	{ SLOTS_ISSUED,
	  { { SLOTS_ISSUED, 100 }, { SLOTS_RETIRED, -100 }, { RECOVERY_BUBBLES, 100 } },
	  TOTAL,
	  "bad speculation",
	  RATIO,
	  true },
	{ TOTAL_SLOTS,
	  { { TOTAL_SLOTS, 100 },
	    { FETCH_BUBBLES, -100 },
	    { SLOTS_ISSUED, -100 },
	    { RECOVERY_BUBBLES, -100 } },
	  TOTAL,
	  "backend bound",
	  RATIO,
	  true },
};

/* linux/perf_event.h: PERF_TYPE_*, PERF_COUNT_HW_*, PERF_COUNT_HW_CACHE_* (id, operation << 8,
 * result << 16) */
enum { TYPE_HARDWARE = 0, TYPE_CACHE = 3, CACHE_MISS = 1 << 16 };

static enum kind kind_of_hardware(uint32_t config)
{
	static const uint8_t kinds[] = { CYCLES,       INSTRUCTIONS,  CACHE_REFS,
					 CACHE_MISSES, BRANCHES,      BRANCH_MISSES,
					 NO_KIND,      STALLED_FRONT, STALLED_BACK };

	return config < ARRAY_SIZE(kinds) ? kinds[config] : NO_KIND;
}

static enum kind kind_of_cache(uint32_t config)
{
	static const uint8_t all[] = { L1D, L1I, LL, DTLB, ITLB };
	static const uint8_t misses[] = { L1D_MISSES, L1I_MISSES, LL_MISSES, DTLB_MISSES,
					  ITLB_MISSES };
	uint32_t id = config & ~(uint32_t)CACHE_MISS;

	if (id >= ARRAY_SIZE(all))
		return NO_KIND;
	return config & CACHE_MISS ? misses[id] : all[id];
}

/* "topdown-retiring", "cpu_core/topdown-retiring/" */
static enum kind kind_of_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(topdown_names); i++) {
		const char *at = strstr(name, topdown_names[i].name);
		char end = at ? at[strlen(topdown_names[i].name)] : 'x';

		if (!isalnum((unsigned char)end) && end != '-')
			return topdown_names[i].kind;
	}
	return NO_KIND;
}

static enum kind kind_of(const struct pdt_desc *d)
{
	uint32_t config = (uint32_t)pdt_desc_config(d);

	if (pdt_desc_in_ns(d))
		return NS;
	if (pdt_desc_type(d) == TYPE_HARDWARE)
		return kind_of_hardware(config);
	if (pdt_desc_type(d) == TYPE_CACHE)
		return kind_of_cache(config);
	return kind_of_name(pdt_desc_name(d));
}

/* The word that is the event: "cycles" of "cycles:u", "cpu_core/cycles/u", "cycles [cpu_core]". */
static const char *event_word(const char *name, size_t *len)
{
	const char *slash = strchr(name, '/'), *word = slash ? slash + 1 : name;

	*len = strcspn(word, slash ? "/" : ": [");
	return word;
}

static enum kind kind_by_name(const char *name)
{
	size_t len;
	const char *word = event_word(name, &len);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strlen(names[i].name) == len && !memcmp(names[i].name, word, len))
			return names[i].kind;
	}
	return kind_of_name(name);
}

/* The modifiers, as far as they say whose cycles are counted: a bit of each. */
static uint64_t modifiers_of(const char *name)
{
	static const char whose[] = "ukhGHI";
	const char *end = strrchr(name, '/') ?: strrchr(name, ':');
	uint64_t bits = 0;

	while (end && *end && *++end) {
		const char *at = strchr(whose, *end);

		if (*end == ' ')
			break;
		if (!at && !strchr("pPSDeWb", *end))
			return 0; /* "sched:sched_switch" */
		bits |= at ? 1u << (at - whose) : 0;
	}
	return bits;
}

/* What the event is of: "cpu_core" in "cpu_core/cycles/" and "cycles [cpu_core]"; 0: not told. */
static uint64_t pmu_of(const char *name)
{
	const char *slash = strchr(name, '/'), *open = strstr(name, " [");
	const char *start = slash ? name : open ? open + 2 : name;
	size_t len = slash ? (size_t)(slash - name) : open ? strcspn(start, "]") : 0;

	if (!len || (len == 3 && !memcmp(start, "cpu", 3)))
		return 0;
	return hash_bytes(start, len);
}

struct metric_event *metrics_add(struct metrics *m, const char *name)
{
	struct metric_event *e;

	m->events = xgrow(m->events, &m->cap, m->count + 1, sizeof(*m->events));
	e = &m->events[m->count++];
	*e = (struct metric_event){ .name = name,
				    .scale = 1,
				    .kind = (int)kind_by_name(name),
				    .excludes = modifiers_of(name),
				    .pmu = pmu_of(name) };
	return e;
}

bool metrics_is_clock(const struct metric_event *e)
{
	return e->kind == NS;
}

struct metric_event metrics_event(const struct pdt_session *s, const struct pdt_desc *d)
{
	/* exclude_user, _kernel, _hv, _idle: bits 4 to 7 of perf_event_attr's; _host: 19 */
	const uint64_t excludes = 0xf0 | 1 << 19;
	bool wide = pdt_desc_type(d) == TYPE_HARDWARE || pdt_desc_type(d) == TYPE_CACHE;
	struct metric_event e = { .name = pdt_desc_name(d),
				  .kind = (int)kind_of(d),
				  .excludes = pdt_desc_number(s, d, PDT_DESC_FLAGS) & excludes,
				  .group = pdt_desc_group(d) };

	/* of machines with cores of several kinds: the upper half says which */
	e.pmu = wide ? pdt_desc_config(d) >> 32 : pdt_desc_type(d);
	e.unit = pdt_desc_unit(d, &e.scale);
	return e;
}

void metrics_init(struct metrics *m, const struct pdt_session *s)
{
	const struct pdt_desc *d;

	m->count = pdt_desc_count(s);
	m->events = xcalloc(m->count + 1, sizeof(*m->events));
	for (size_t i = 0; (d = pdt_desc_at(s, i)); i++)
		m->events[i] = metrics_event(s, d);
}

void metrics_release(struct metrics *m)
{
	free(m->events);
}

/* What is asked of. */
struct asker {
	const struct metrics *m;
	const struct counts *c;
	size_t place, event;
};

static double own_value(const struct asker *a, size_t event)
{
	const struct metric_event *e = &a->m->events[event];
	double v = (double)counts_at(a->c, a->place, event).scaled;

	return e->kind == NS ? v : v * e->scale;
}

/* Do A's event and O belong together? */
static bool fits(const struct metric_event *a, const struct metric_event *o)
{
	return (!a->group || a->group == o->group) && a->excludes == o->excludes &&
	       (o->kind == NS || a->pmu == o->pmu);
}

/* The counter of KIND that belongs to the one that is asked of; 0: there is none. */
static double value_of(const struct asker *a, enum kind kind)
{
	const struct metric_event *own = &a->m->events[a->event];

	if (own->kind == (int)kind)
		return own_value(a, a->event);
	for (size_t i = 0; i < a->m->count; i++) {
		if (a->m->events[i].kind == (int)kind && fits(own, &a->m->events[i]))
			return own_value(a, i);
	}
	return 0;
}

/* False: something that it needs is not there. */
static bool sum_of(const struct asker *a, const struct term terms[TERMS], bool ours, double *sum)
{
	*sum = 0;
	for (size_t i = 0; i < TERMS && terms[i].kind; i++) {
		double v = value_of(a, terms[i].kind);

		if (v == 0 && !ours)
			return false;
		*sum += v * terms[i].factor;
	}
	return true;
}

static size_t add(struct metric *out, size_t n, double value, const char *unit, const char *format)
{
	out[n] = (struct metric){ value, unit, format };
	return n + 1;
}

static size_t rate(const struct asker *a, struct metric *out)
{
	static const char *const units[] = { "/sec", "K/sec", "M/sec", "G/sec", "T/sec" };
	double ns = value_of(a, NS), v = ns != 0 ? 1e9 * own_value(a, a->event) / ns : 0;
	size_t unit = 0;

	for (; v > 1000 && unit < ARRAY_SIZE(units) - 1; unit++)
		v /= 1000;
	return ns != 0 ? add(out, 0, v, units[unit], "%8.3f") : 0;
}

size_t metrics_of(const struct metrics *m, const struct counts *c, size_t place, size_t event,
		  struct metric out[METRICS_MAX])
{
	struct asker a = { m, c, place, event };
	enum kind kind = (enum kind)m->events[event].kind;
	double over, under, front, back;
	bool has_formula = false;
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(formulas); i++) {
		const struct formula *f = &formulas[i];

		if (f->of != kind || !kind || (f->ours && m->as_perf))
			continue;
		has_formula = true;
		if (sum_of(&a, f->over, f->ours, &over) && sum_of(&a, f->under, f->ours, &under) &&
		    under != 0 && n < METRICS_MAX)
			n = add(out, n, over / under, f->unit, f->format);
	}
	if (kind == NS && m->wall_ns <= 0)
		return 0;
	if (kind == NS)
		return add(out, 0, own_value(&a, event) / m->wall_ns, "CPUs utilized", "%8.3f");
	if (!has_formula)
		return rate(&a, out);
	if (kind == INSTRUCTIONS && n < METRICS_MAX) {
		front = value_of(&a, STALLED_FRONT);
		back = value_of(&a, STALLED_BACK);
		over = front > back ? front : back;
		under = own_value(&a, event);
		if (over != 0 && under != 0)
			n = add(out, n, over / under, "stalled cycles per insn", PER);
	}
	return n;
}
