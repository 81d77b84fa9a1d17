/* One screen about a capture: what it is, whether it can be trusted, where to look. Every figure is
 * worked out by who owns it: the samples here, the rest in sections that subjects offer. */
#include "analyzers/analyzer.h"
#include "analyzers/capture/health.h"
#include "analyzers/capture/module_paths.h"
#include "analyzers/capture/next.h"
#include "analyzers/capture/sections.h"
#include "analyzers/capture/top.h"
#include "analyzers/count/namer.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TOP_TABLES   2
#define TABLES	     (TOP_TABLES + SECTIONS + 1)
#define EVENTS_NAMED 3

/* Shares in percent from which something is said to be poor, and doctor is what to do next. */
#define LOST_POOR	5
#define UNRESOLVED_POOR 20

struct summary {
	struct answer answer; /* the facts */
	struct top top;
	void *states[SECTIONS];
	struct section_result results[TOP_TABLES + SECTIONS]; /* the first ones are of TOP */
	bool there[TOP_TABLES + SECTIONS];
	struct next next;
	struct table_part tables[TABLES];
	size_t table_count;
	bool poor_names, damaged;
};

static const struct option options[] = { { 0 } };

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct summary *m = state;

	m->next.shared = in->shared;
	m->next.shared_count = in->shared_count;
	top_begin(&m->top);
	for (size_t i = 0; i < SECTIONS; i++) {
		m->states[i] = xcalloc(1, sections[i]->state_size);
		sections[i]->begin(m->states[i]);
	}
	return 0;
}

static void configure(void *state, struct asked *o)
{
	struct summary *m = state;

	samples_follow(&m->top.samples, o);
	for (size_t i = 0; i < SECTIONS; i++)
		o->wants |= sections[i]->wants;
	namer_configure(&(struct namer_options){ 0 }, o);
}

/* Sections see all events and filter what they make of them. */
static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct summary *m = state;

	for (size_t i = 0; i < SECTIONS; i++)
		sections[i]->event(m->states[i], e, s);
	if (e->kind == PDT_SAMPLE && sample_passes(s, e))
		top_event(&m->top, e, s);
}

/* ---- what it is ---- */

static void machine_fact(struct answer *a, const struct pdt_session *s)
{
	uint64_t cpus = pdt_number(s, PDT_CPUS_ONLINE);
	const char *const texts[] = { pdt_text(s, PDT_HOSTNAME) ?: pdt_text(s, PDT_PRODUCT),
				      pdt_text(s, PDT_OSRELEASE), pdt_text(s, PDT_ARCH) };
	struct buf b = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		if (texts[i])
			buf_printf(&b, "%s%s%s", b.len ? ", " : "", i == 1 ? "kernel " : "",
				   texts[i]);
	}
	if (cpus)
		buf_printf(&b, "%s%" PRIu64 " CPUs", b.len ? ", " : "", cpus);
	if (b.len)
		answer_fact(a, "host", "%s", b.data);
	buf_release(&b);
}

static void time_fact(struct answer *a, const struct pdt_session *s)
{
	uint64_t first = pdt_number(s, PDT_FIRST_NS), last = pdt_number(s, PDT_LAST_NS);
	struct health_when when;
	struct buf b = { 0 };

	if (last)
		buf_printf(&b, "%s", NS_TEXT(last - first));
	if (health_when(s, &when))
		buf_printf(&b, "%s%s %sZ", b.len ? ", " : "", when.recorded ? "from" : "written",
			   when.text);
	if (b.len)
		answer_fact(a, "time", "%s", b.data);
	buf_release(&b);
}

static int more_samples(const void *a, const void *b, void *session)
{
	const struct pdt_desc *x = *(const struct pdt_desc *const *)a;
	const struct pdt_desc *y = *(const struct pdt_desc *const *)b;
	uint64_t n = pdt_desc_samples(session, x), k = pdt_desc_samples(session, y);

	if (n != k)
		return n < k ? 1 : -1;
	return (pdt_desc_index(x) > pdt_desc_index(y)) - (pdt_desc_index(x) < pdt_desc_index(y));
}

static void events_fact(struct answer *a, const struct pdt_session *s)
{
	size_t count = pdt_desc_count(s), n = 0;
	const struct pdt_desc **list = xcalloc(count + 1, sizeof(const struct pdt_desc *));
	struct buf b = { 0 };

	for (size_t i = 0; i < count; i++) {
		list[n] = pdt_desc_at(s, i);
		n += list[n] && pdt_desc_samples(s, list[n]);
	}
	if (n)
		qsort_r((void *)list, n, sizeof(const struct pdt_desc *), more_samples, (void *)s);
	for (size_t i = 0; i < n && i < EVENTS_NAMED; i++)
		buf_printf(&b, "%s%s %s", i ? ", " : "", COUNT_TEXT(pdt_desc_samples(s, list[i])),
			   pdt_desc_name(list[i]));
	if (n > EVENTS_NAMED)
		buf_printf(&b, ", %zu more events", n - EVENTS_NAMED);
	if (n)
		answer_fact(a, "samples", "%s", b.data);
	buf_release(&b);
	free((void *)list);
}

/* ---- can it be trusted? ---- */

/* What could not be read: how often, all kinds together. */
static uint64_t damages(const struct pdt_session *s)
{
	uint64_t sum = 0, count;

	for (size_t i = 0; pdt_warning(s, i, &count); i++)
		sum += health_is_damage(s, i) ? count : 0;
	return sum;
}

/* Records that were lost, of all that there would be. */
static double lost_percent(const struct pdt_session *s)
{
	double lost = (double)pdt_number(s, PDT_LOST_ANY);

	return percent_of(lost, lost + (double)pdt_number(s, PDT_SAMPLES));
}

/* As short as it can be: the line has 70 characters. */
static void health_fact(struct summary *m, const struct pdt_session *s)
{
	struct unresolved u = module_shares_unresolved(&m->top.shares);
	uint64_t lost = pdt_number(s, PDT_LOST_ANY), throttles = pdt_number(s, PDT_THROTTLES);
	uint64_t damage = damages(s);
	const struct module_shares *shares = &m->top.shares;
	/* a sample without an address wants no name */
	uint64_t nowhere = shares->nameless_leaves - shares->nameless[NAMELESS_STACK];
	double nameless = percent_of((double)nowhere, (double)shares->all.leaf);
	bool unfinished = pdt_number(s, PDT_IS_UNFINISHED), poor;
	struct buf b = { 0 };

	m->poor_names = u.leaf_percent >= UNRESOLVED_POOR || u.frame_percent >= UNRESOLVED_POOR;
	m->damaged = damage;
	poor = m->poor_names || nameless >= UNRESOLVED_POOR || lost_percent(s) >= LOST_POOR ||
	       damage;
	if (lost)
		buf_printf(&b, ", lost %s", PERCENT_TEXT(lost_percent(s)));
	if (damage)
		buf_printf(&b, ", %s damaged", COUNT_TEXT(damage));
	if (unfinished)
		buf_str(&b, ", unfinished");
	if (u.unnamed)
		buf_printf(&b, ", unnamed frames %s, leaves %s", PERCENT_TEXT(u.frame_percent),
			   PERCENT_TEXT(u.leaf_percent));
	if (nowhere)
		buf_printf(&b, ", unnameable %s", PERCENT_TEXT(nameless));
	if (throttles)
		buf_printf(&b, ", throttled %sx", COUNT_TEXT(throttles));
	answer_fact(&m->answer, "health", "%s: %s",
		    poor			      ? "poor"
		    : lost || throttles || unfinished ? "fair"
						      : "good",
		    b.len ? b.data + 2 : "nothing lost, all named");
	answer_leads(&m->answer);
	buf_release(&b);
}

/* The one command that mends most of it. What was recorded with is the capture's own text, and not
 * to be pasted into a shell. */
static void mend_fact(struct summary *m, const struct pdt_session *s)
{
	if (lost_percent(s) >= LOST_POOR)
		answer_fact(&m->answer, "mend",
			    "perf record -m 64M ... loses less, and a lower -F");
	else if (m->poor_names)
		answer_fact(&m->answer, "mend", "pdtool doctor says how to get the names");
}

/* ---- what next ---- */

/* What is worth a look at the functions. */
static void top_next(struct summary *m, const struct pdt_session *s, struct section_next out[2])
{
	struct buf b = { 0 }, word = { 0 };
	size_t samples_of = 0;
	const struct pdt_desc *d;

	for (size_t i = 0; (d = pdt_desc_at(s, i)) != NULL; i++)
		samples_of += pdt_desc_samples(s, d) > 0;
	if (samples_of > 1 && shell_word(m->top.event_name, &word))
		buf_printf(&b, "flamegraph -e %s -o flame.svg", word.data);
	else
		buf_str(&b, "flamegraph -o flame.svg");
	out[0] = (struct section_next){ "where the time goes", answer_string(&m->answer, b.data) };
	b.len = word.len = 0;
	if (m->top.function && strlen(m->top.function) < 64 && pdt_number(s, PDT_CHAINS) &&
	    shell_word(m->top.function, &word))
		buf_printf(&b, "report --callers %s", word.data);
	else
		buf_str(&b, "report -s comm,dso,sym");
	out[1] = (struct section_next){ m->top.function && word.len ? "who calls that"
								    : "all functions",
					answer_string(&m->answer, b.data) };
	buf_release(&b);
	buf_release(&word);
}

/* The first of each section, then their others. */
static void add_next(struct summary *m, const struct pdt_session *s)
{
	struct section_next top[2] = { 0 };
	bool has_top = m->there[0];

	if (has_top)
		top_next(m, s, top);
	if (m->poor_names)
		next_add(&m->next, "how to get names", "doctor");
	if (m->damaged)
		next_add(&m->next, "what is damaged", "info");
	if (has_top)
		next_add(&m->next, top[0].why, top[0].args);
	for (size_t k = 0; k < SECTION_NEXT; k++) {
		for (size_t i = 0; i < SECTIONS; i++) {
			const struct section_result *r = &m->results[TOP_TABLES + i];

			if (k < r->next_count)
				next_add(&m->next, r->next[k].why, r->next[k].args);
		}
		if (!k && has_top)
			next_add(&m->next, top[1].why, top[1].args);
		if (!k && has_top && pdt_number(s, PDT_LAST_NS))
			next_add(&m->next, "when, within seconds", "heatmap -o seconds.svg");
	}
	next_add(&m->next, "what it holds", "info");
	next_add(&m->next, "missing symbols", "doctor");
	next_add(&m->next, "all that it counts", "info --counts");
}

/* ---- the end ---- */

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct summary *m = state;
	bool explained = false;

	for (size_t i = 0; i < SECTIONS; i++) {
		struct section_result *r = &m->results[TOP_TABLES + i];

		if (!sections[i]->finish(m->states[i], s, r))
			continue;
		r->answer.clock_shift = clock_shift(s);
		m->there[TOP_TABLES + i] = true;
		explained = true;
	}
	m->there[0] = m->there[1] = top_finish(&m->top, s, explained, m->results);
	next_begin(&m->next, s);
	answer_fact(&m->answer, "capture", "%s", pdt_text(s, PDT_PATH));
	answer_filters(&m->answer, filter_of(s), NULL);
	machine_fact(&m->answer, s);
	answer_fact_if(&m->answer, "command", pdt_text(s, PDT_CMDLINE));
	time_fact(&m->answer, s);
	events_fact(&m->answer, s);
	health_fact(m, s);
	mend_fact(m, s);
	add_next(m, s);
	return 0;
}

/* ---- the result ---- */

static struct table_part *add_table(struct summary *m, const char *name, struct answer *a,
				    const struct column *columns)
{
	struct result part = { 0 };
	struct table_part *t = &m->tables[m->table_count++];

	answer_result(a, columns, &part);
	*t = *part.table;
	t->name = name;
	return t;
}

static void result(void *state, struct result *out)
{
	struct summary *m = state;

	for (size_t i = 0; i < ARRAY_SIZE(m->results); i++)
		answer_held(&m->answer, m->results[i].answer.held);
	answer_result(&m->answer, NULL, out);
	out->title = "Summary";
	for (size_t i = 0; i < ARRAY_SIZE(m->results); i++) {
		struct section_result *r = &m->results[i];
		struct table_part *t;

		if (m->there[i] && r->load.rows && !out->grid)
			out->grid = &r->load;
		if (!m->there[i] || !r->answer.cells.count)
			continue;
		t = add_table(m, r->name, &r->answer, r->columns);
		t->summary = r->summary;
		t->summary_columns = r->summary_columns;
	}
	if (m->table_count || out->grid) /* else there is nothing to look at */
		add_table(m, "next", &m->next.answer, next_columns);
	out->tables = m->tables;
	out->table_count = m->table_count;
}

static void release(void *state)
{
	struct summary *m = state;

	for (size_t i = 0; i < SECTIONS; i++) {
		if (m->states[i])
			sections[i]->release(m->states[i]);
		free(m->states[i]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(m->results); i++)
		answer_release(&m->results[i].answer);
	next_release(&m->next);
	top_release(&m->top);
	answer_release(&m->answer);
}

const struct analyzer analyzer_summary = {
	.name = "summary",
	.summary = "one screen: what a capture is, how sound, where to look",
	.wants = PDT_WANT_STACKS | PDT_WANT_COMMS,
	.question = QUESTION_CAPTURE,
	.shapes = SHAPE_TABLES,
	.single = true,
	.options = options,
	.state_size = sizeof(struct summary),
	.begin = begin,
	.configure = configure,
	.event = event,
	.finish = finish,
	.result = result,
	.release = release,
};
