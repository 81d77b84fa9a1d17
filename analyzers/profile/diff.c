/* Two captures, or several of each side, compared: what costs more, what less, and what of that is
 * noise. */
#include "analyzers/count/answer.h"
#include "analyzers/profile/diff_amounts.h"
#include "analyzers/count/folding.h"
#include "analyzers/profile/match_name.h"
#include "formats/model/stack_tree.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum normalize {
	NORMALIZE_CHOSEN,
	NORMALIZE_NONE,
	NORMALIZE_TOTAL,
	NORMALIZE_DURATION,
	NORMALIZE_CPU
};
enum by { BY_SYMBOL, BY_STACK, BY_DSO, BY_COMM };

static const char *const normalize_words[] = { "", "none", "total", "duration", "cpu", NULL };
static const char *const by_words[] = { "symbol", "stack", "dso", "comm", NULL };
static const char *const match_words[] = { "", "exact", "normalized", NULL };

/* What is known of one input once it is read. */
struct input {
	bool is_text, is_clock, system_wide;
	bool after;
	char *event, *arch;
	uint64_t sample_rate; /* attr.sample_period, a frequency or a period */
	double duration_ns, cpus;
	double total;	     /* of all its rows */
	double unit_weight;  /* of one sample, for the noise: sum w^2 / sum w; 0: not known */
	struct stackset set; /* until all are read */
};

struct diff {
	struct folding folding;
	struct answer answer;
	unsigned before_count, after_count; /* of --before, --after */
	bool strip_hex, force, limited;
	enum normalize normalize;
	enum { MATCH_USUAL, MATCH_EXACT, MATCH_NORMALIZED } match;
	enum by by;
	double limit; /* of --fail-over, percent */
	struct input *inputs;
	size_t count, read;
	struct stackset set; /* of all inputs, a side for each */
	struct stacks_part part;
	uint64_t *before; /* by row of the set: what both sides sum up to */
	struct stack_row *rows;
	struct diff_amounts amounts;
	struct column columns[12];
	bool knows_noise; /* how many samples each weight is */
	uint8_t *marks, *row_marks;
	struct warnings *warnings;
};

#define OPT(member) offsetof(struct diff, member)

static const struct option options[] = {
	{ "before", 0, OPT_INPUTS, OPT(before_count), "FILE...", "the captures before" },
	{ "after", 0, OPT_INPUTS, OPT(after_count), "FILE...", "the captures after" },
	{ "by", 0, OPT_WORD, OPT(by), NULL, "what the rows of the table are", .words = by_words },
	{ "normalize", 0, OPT_WORD, OPT(normalize), NULL,
	  "compare amounts, shares, per second, per second and CPU (default: chosen and stated)",
	  .words = normalize_words },
	{ "n", 'n', OPT_SAME, 0, "--normalize total" },
	{ "s", 's', OPT_FLAG, OPT(strip_hex), NULL, "strip hex numbers (addresses)" },
	{ "match", 0, OPT_WORD, OPT(match), NULL,
	  "which names are the same function (default: normalized; exact for folded text)",
	  .words = match_words },
	{ "fail-over", 0, OPT_PERCENT, OPT(limit), "PERCENT",
	  "exit 4 when a row grew by more, and not by chance", .given = OPT(limited) },
	{ "force", 'f', OPT_FLAG, OPT(force), NULL,
	  "compare even if events, architectures or rates differ" },
	{ .type = OPT_TABLE, .table = folding_options, .offset = OPT(folding.o) },
	{ 0 },
};

/* Which side an input is on: A B, or all by --before and --after. */
static int take_sides(struct diff *d, const struct inputs *in, struct warnings *w)
{
	bool named = d->before_count || d->after_count;
	size_t plain = in->count - d->before_count - d->after_count;

	d->count = in->count;
	d->inputs = xcalloc(in->count, sizeof(*d->inputs));
	for (size_t i = 0; i < in->count; i++)
		d->inputs[i].after = in->options[i] ? !strcmp(in->options[i], "after") : i == 1;
	if (named ? !plain && d->before_count && d->after_count : plain == 2)
		return 0;
	warn_add(w, SEV_FATAL, "usage",
		 "expected two captures, or --before FILE... --after FILE...");
	return ERR_USAGE;
}

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct diff *d = state;

	d->warnings = w;
	d->folding.o.by = d->by == BY_DSO ? FOLD_DSO : d->by == BY_COMM ? FOLD_COMM : FOLD_SYMBOL;
	d->folding.by_where = true;
	folding_begin(&d->folding);
	return take_sides(d, in, w);
}

static void configure(void *state, struct asked *o)
{
	const struct diff *d = state;

	folding_configure(&d->folding, o);
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct diff *d = state;

	d->inputs[d->read].system_wide |= e->pid == 0;
	folding_event(&d->folding, e, s);
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct diff *d = state;
	struct input *in = &d->inputs[d->read++];
	const char *arch = pdt_text(s, PDT_ARCH);
	const struct pdt_desc *only = d->folding.only;
	int rc;

	answer_capture(&d->answer, s);
	in->duration_ns = (double)(pdt_number(s, PDT_LAST_NS) - pdt_number(s, PDT_FIRST_NS));
	in->cpus = (uint32_t)pdt_number(s, PDT_CPUS_ONLINE);
	in->arch = arch ? xstrdup(arch) : NULL;
	in->event = only ? xstrdup(pdt_desc_name(only)) : NULL;
	in->is_clock = only && pdt_desc_in_ns(only) && !(d->folding.o.weight == FOLD_SAMPLES);
	in->sample_rate = only ? pdt_desc_number(s, only, PDT_DESC_PERIOD) : 0;
	rc = folding_finish(&d->folding, s, w);
	in->unit_weight = unit_sample(&d->folding.unit);
	in->total = stackset_sum(&d->folding.set);
	folding_facts(&d->folding, &d->answer);
	folding_take(&d->folding, &in->set);
	return rc;
}

static int text(void *state, struct folded *f, struct warnings *w)
{
	struct diff *d = state;
	struct input *in = &d->inputs[d->read++];
	int rc;

	in->is_text = true;
	answer_folded(&d->answer, f);
	if (d->by == BY_DSO) {
		warn_add(w, SEV_FATAL, "usage", "--by dso: %s is folded text, which has no modules",
			 folded_path(f));
		return ERR_USAGE;
	}
	folded_one_column(f);
	rc = folding_text(&d->folding, f, w);
	in->total = stackset_sum(&d->folding.set);
	in->unit_weight = unit_sample(&d->folding.unit);
	folding_take(&d->folding, &in->set);
	return rc;
}

/* ---- may they be compared, and how ---- */

static bool differ(const char *a, const char *b)
{
	return a && b && strcmp(a, b);
}

static int refuse(struct diff *d, const char *what, const char *a, const char *b)
{
	if (d->force)
		return 0;
	warn_add(d->warnings, SEV_FATAL, "not-comparable",
		 "the captures differ in %s (%s, %s): --force compares them nevertheless", what, a,
		 b);
	return ERR_USAGE;
}

/* CPU time is comparable between machines; other events count different things. */
static int check_pair(struct diff *d, const struct input *a, const struct input *b)
{
	char rate_a[32], rate_b[32];

	if (a->is_text || b->is_text || (a->is_clock && b->is_clock))
		return 0;
	if (differ(a->event, b->event))
		return refuse(d, "their events", a->event, b->event);
	if (differ(a->arch, b->arch))
		return refuse(d, "their architectures", a->arch, b->arch);
	if (!(d->folding.o.weight == FOLD_SAMPLES) || a->sample_rate == b->sample_rate)
		return 0;
	snprintf(rate_a, sizeof(rate_a), "%" PRIu64, a->sample_rate);
	snprintf(rate_b, sizeof(rate_b), "%" PRIu64, b->sample_rate);
	return refuse(d, "their sampling rates", rate_a, rate_b);
}

static int check_inputs(struct diff *d)
{
	int rc = 0;

	for (size_t i = 1; rc == 0 && i < d->count; i++)
		rc = check_pair(d, &d->inputs[0], &d->inputs[i]);
	return rc;
}

/* A whole machine for longer costs more without being slower; a program's run costs what it costs.
 */
static const char *choose_normalize(struct diff *d)
{
	bool wide = true;

	if (d->normalize)
		return "as asked";
	for (size_t i = 0; i < d->count; i++)
		wide &= d->inputs[i].system_wide && d->inputs[i].duration_ns > 0;
	d->normalize = wide ? NORMALIZE_DURATION : NORMALIZE_NONE;
	return wide ? "the captures are of whole systems" : "the weights are amounts";
}

/* What an amount is divided by before it is compared. */
static double basis_of(const struct diff *d, const struct input *in)
{
	switch (d->normalize) {
	case NORMALIZE_TOTAL:
		return in->total;
	case NORMALIZE_DURATION:
		return in->duration_ns;
	case NORMALIZE_CPU:
		return in->duration_ns * in->cpus;
	default:
		return 1;
	}
}

static int check_basis(const struct diff *d)
{
	for (size_t i = 0; i < d->count; i++) {
		if (d->normalize < NORMALIZE_DURATION || basis_of(d, &d->inputs[i]) > 0)
			continue;
		warn_add(d->warnings, SEV_FATAL, "usage",
			 "--normalize %s: an input does not state its %s",
			 normalize_words[d->normalize],
			 d->inputs[i].duration_ns > 0 ? "number of CPUs" : "duration");
		return ERR_USAGE;
	}
	return 0;
}

/* An input without any weight tells nothing either way. */
static int check_noise(struct diff *d)
{
	d->knows_noise = true;
	for (size_t i = 0; i < d->count; i++)
		d->knows_noise &= d->inputs[i].unit_weight > 0 || !(d->inputs[i].total > 0);
	if (d->knows_noise || !d->limited)
		return 0;
	warn_add(d->warnings, SEV_FATAL, "usage",
		 "--fail-over needs to know what is noise; folded text that pdtool did not "
		 "write does not state how many samples its weights are");
	return ERR_USAGE;
}

/* ---- one set of all inputs ---- */

static bool all_text(const struct diff *d)
{
	bool text = true;

	for (size_t i = 0; i < d->count; i++)
		text &= d->inputs[i].is_text;
	return text;
}

static void add_input(struct diff *d, unsigned side)
{
	struct stackset *from = &d->inputs[side].set;
	uint32_t *ids = xmalloc((from->names.count + 1) * sizeof(*ids));
	bool exact = d->match ? d->match == MATCH_EXACT : all_text(d);
	struct buf b = { 0 };

	for (size_t i = 0; i < from->names.count; i++) {
		const struct interned *n = &from->names.list[i];

		b.len = 0;
		if (!exact)
			match_name(n->s, n->len, &b);
		else if (d->strip_hex)
			strip_hex(n->s, n->len, &b);
		else
			buf_add(&b, n->s, n->len);
		ids[i] = stackset_frame(&d->set, b.data ? b.data : "", b.len);
	}
	stackset_add_set(&d->set, side, from, ids);
	buf_release(&b);
	free(ids);
	stackset_release(from);
	*from = (struct stackset){ 0 };
}

/* The two sides of the drawing: sums of the amounts of each. */
static void make_part(struct diff *d)
{
	const struct stackset *s = &d->set;
	double basis[2] = { 0, 0 };

	d->before = xcalloc(s->row_count + 1, sizeof(*d->before));
	d->rows = xmalloc((s->row_count + 1) * sizeof(*d->rows));
	if (s->row_count)
		memcpy(d->rows, s->rows, s->row_count * sizeof(*d->rows));
	for (size_t i = 0; i < s->row_count; i++) {
		d->rows[i].weight = 0;
		for (size_t c = 0; c < d->count; c++)
			*(d->inputs[c].after ? &d->rows[i].weight : &d->before[i]) +=
				s->amounts[i * d->count + c];
	}
	for (size_t c = 0; c < d->count; c++)
		basis[d->inputs[c].after] += basis_of(d, &d->inputs[c]);
	d->part = s->part;
	d->part.rows = d->rows;
	d->part.before = d->before;
	d->part.scale = basis[0] > 0 && basis[1] > 0 ? basis[1] / basis[0] : 1;
}

/* Each input's factor makes it comparable with the side after. */
static void make_captures(const struct diff *d, struct diff_capture *list)
{
	double mean = 0, n = 0;

	for (size_t c = 0; c < d->count; c++) {
		mean += d->inputs[c].after ? basis_of(d, &d->inputs[c]) : 0;
		n += d->inputs[c].after;
	}
	for (size_t c = 0; c < d->count; c++) {
		const struct input *in = &d->inputs[c];
		double basis = basis_of(d, in);

		list[c] = (struct diff_capture){
			.after = in->after,
			.factor = basis > 0 && mean > 0 ? mean / n / basis : 1,
			.unit_weight = in->unit_weight * stackset_one(&d->set),
			.total = in->total * stackset_one(&d->set),
		};
	}
}

static void describe(struct diff *d, const char *why)
{
	struct answer *a = &d->answer;
	bool by_samples = d->folding.o.weight == FOLD_SAMPLES;
	bool scaled = d->part.scale != 1;

	answer_fact(a, "normalize", "%s (%s)%s", normalize_words[d->normalize], why,
		    scaled ? "" : ": the sides are taken as they are");
	if (scaled)
		answer_fact(a, "factor", "before is multiplied by %.9g", d->part.scale);
	for (size_t c = 0; c < d->count; c++) {
		const struct input *in = &d->inputs[c];

		const char *side = in->after ? "after" : "before";
		const char *total = REAL_TEXT(in->is_clock && !by_samples, in->total);

		if (in->unit_weight > 0)
			answer_fact(a, side, "total %s%s%s, about %s samples", total,
				    in->event ? " of " : "", in->event ?: "",
				    REAL_TEXT(false, round(in->total / in->unit_weight)));
		else
			answer_fact(a, side, "total %s%s%s%s", total, in->event ? " of " : "",
				    in->event ?: "", in->total > 0 ? ", of unknown samples" : "");
	}
	if (!d->knows_noise) {
		answer_fact(a, "noise",
			    "not known: an input does not state how many samples its weights are, "
			    "so there is no error, no z, and nothing is significant");
		return;
	}
	answer_fact(
		a, "noise", "%s",
		d->count == 2
			? "sampling error alone; one capture a side does not show how runs differ"
			: "Welch's t between the captures of each side, at least the "
			  "sampling error");
	answer_fact(a, "significant", "%zu of %zu rows: |z| at least 3, false-discovery rate 5 %%",
		    d->amounts.significant, d->amounts.count);
}

/* ---- the table ---- */

static const struct column columns[] = {
	{ "name", COLUMN_TEXT },
	{ "self_before", COLUMN_REAL },
	{ "self_after", COLUMN_REAL },
	{ "total_before", COLUMN_REAL },
	{ "total_after", COLUMN_REAL },
	{ "delta", COLUMN_REAL },
	{ "delta_percent", COLUMN_PERCENT, 2, "Delta %" },
	{ "self_delta", COLUMN_REAL },
	{ "delta_error", COLUMN_REAL },
	{ "z", COLUMN_REAL, 2, NULL },
	{ "significant", COLUMN_TEXT },
	{ 0 },
};

struct sorted {
	const struct diff_amount *amount;
	const char *name;
};

/* The greatest change first. */
static int by_change(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;
	double dx = fabs(x->amount->test.delta), dy = fabs(y->amount->test.delta);

	if (dx != dy)
		return dx > dy ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void add_row(struct diff *d, const struct sorted *row, double unit)
{
	const struct diff_amount *m = row->amount;
	struct answer *a = &d->answer;

	answer_cell_text(a, row->name);
	answer_cell_real(a, m->self[0] / unit);
	answer_cell_real(a, m->self[1] / unit);
	answer_cell_real(a, m->total[0] / unit);
	answer_cell_real(a, m->total[1] / unit);
	answer_cell_real(a, m->test.delta / unit);
	answer_cell_real(a, m->total[0] > 0 ? percent_of(m->test.delta, m->total[0]) : INFINITY);
	answer_cell_real(a, (m->self[1] - m->self[0]) / unit);
	answer_cell_real(a, d->knows_noise ? m->test.se / unit : NAN);
	answer_cell_real(a, d->knows_noise ? m->test.z : NAN);
	answer_cell_text(a, !d->knows_noise ? "" : m->test.significant ? "yes" : "no");
}

static uint8_t mark_of(const struct diff *d, const struct test *t)
{
	return !d->knows_noise	 ? MARK_NONE
	       : !t->significant ? MARK_NOISE
	       : t->delta > 0	 ? MARK_MORE
				 : MARK_LESS;
}

/* The folded text of each node that a stack ends with; NULL for the others. */
static char **node_names(const struct stacks_part *p, const struct stack_tree *t)
{
	char **names = xcalloc(t->count + 1, sizeof(*names));
	struct buf b = { 0 };
	size_t *ends = xcalloc(t->depth + 2, sizeof(*ends));

	for (size_t i = 1; i < t->count; i++) {
		const struct stack_node *n = &t->nodes[i];

		b.len = ends[n->depth - 1];
		if (n->depth > 1)
			buf_char(&b, ';');
		buf_str(&b, p->names[n->name]);
		ends[n->depth] = b.len;
		if (n->same == i)
			names[i] = xstrdup(b.data);
	}
	free(ends);
	buf_release(&b);
	return names;
}

static void add_table(struct diff *d, const char *const *names)
{
	struct sorted *rows = xmalloc((d->amounts.count + 1) * sizeof(*rows));
	double unit = stackset_one(&d->set);
	size_t n = 0;

	for (size_t i = 0; i < d->amounts.count; i++) {
		const struct diff_amount *m = &d->amounts.list[i];

		if (names[m->id] && (d->by != BY_STACK || m->self[0] > 0 || m->self[1] > 0))
			rows[n++] = (struct sorted){ m, names[m->id] };
	}
	qsort(rows, n, sizeof(*rows), by_change);
	d->row_marks = xmalloc(n + 1);
	for (size_t i = 0; i < n; i++) {
		d->row_marks[i] = mark_of(d, &rows[i].amount->test);
		add_row(d, &rows[i], unit);
	}
	free(rows);
}

/* What a drawing needs: a mark for each node of the tree; a path's first node speaks for all. */
static void mark_nodes(struct diff *d, const struct diff_amounts *by_node,
		       const struct stack_tree *t)
{
	d->marks = xcalloc(t->count + 1, sizeof(*d->marks));
	for (size_t i = 0; i < by_node->count; i++)
		d->marks[by_node->list[i].id] = mark_of(d, &by_node->list[i].test);
	for (size_t i = 0; i < t->count; i++)
		d->marks[i] = d->marks[t->nodes[i].same];
	d->part.marks = d->knows_noise ? d->marks : NULL;
}

static void compare(struct diff *d, const struct diff_captures *captures)
{
	struct diff_amounts by_node;
	struct stack_tree tree;
	char **names;

	stack_tree_build(&tree, &d->part);
	diff_amounts_by_node(&by_node, &d->set, captures);
	mark_nodes(d, &by_node, &tree);
	if (d->by == BY_STACK) {
		d->amounts = by_node;
		names = node_names(&d->part, &tree);
		add_table(d, (const char *const *)names);
		for (size_t i = 0; i < tree.count; i++)
			free(names[i]);
		free(names);
	} else {
		diff_amounts_release(&by_node);
		diff_amounts_by_name(&d->amounts, &d->set, captures,
				     d->by != BY_COMM && !all_text(d));
		add_table(d, d->part.names);
	}
	stack_tree_release(&tree);
}

/* What all weights count, if they all count the same. */
static const char *weight_name(const struct diff *d)
{
	const struct input *first = &d->inputs[0];

	for (size_t c = 0; c < d->count; c++) {
		if (!d->inputs[c].event || d->inputs[c].is_clock != first->is_clock)
			return NULL;
	}
	return (d->folding.o.weight == FOLD_SAMPLES) ? "samples"
	       : first->is_clock		     ? "ns"
						     : first->event;
}

/* With a fraction in any row, three digits for all. */
static void set_columns(struct diff *d)
{
	bool whole = !d->set.decimals && d->count == 2 && d->part.scale == 1;
	const char *unit = weight_name(d);

	memcpy(d->columns, columns, sizeof(columns));
	for (size_t i = 1; !whole && i < 9; i++)
		d->columns[i].decimals = i == 6 ? 2 : 3;
	d->columns[8].decimals = 3;
	for (size_t i = 1; unit && !strcmp(unit, "ns") && i < 9; i++) {
		if (d->columns[i].type == COLUMN_REAL)
			d->columns[i].type = COLUMN_REAL_NS;
	}
}

static int complete(void *state, struct warnings *w)
{
	struct diff *d = state;
	struct diff_capture *list;
	const char *why;
	int rc = check_inputs(d);

	why = choose_normalize(d);
	if (rc == 0)
		rc = check_basis(d);
	if (rc == 0)
		rc = check_noise(d);
	if (rc < 0)
		return rc;
	stackset_sides(&d->set, (unsigned)d->count);
	for (size_t c = 0; c < d->count; c++)
		add_input(d, (unsigned)c);
	stackset_finish(&d->set);
	make_part(d);
	list = xmalloc(d->count * sizeof(*list));
	make_captures(d, list);
	compare(d, &(struct diff_captures){ list, d->count, d->normalize == NORMALIZE_TOTAL });
	free(list);
	set_columns(d);
	describe(d, why);
	return 0;
}

static void result(void *state, struct result *out)
{
	struct diff *d = state;

	out->title = "Differential Flame Graph";
	out->stacks = &d->part;
	out->count_name = weight_name(d);
	answer_result(&d->answer, d->columns, out);
	d->answer.table.marks = d->row_marks;
	d->answer.table.bar_column = 5;
}

static bool exceeded(void *state, struct buf *said)
{
	struct diff *d = state;
	bool any = false, in_ns = d->columns[4].type == COLUMN_REAL_NS;

	for (size_t i = 0; d->limited && i < d->answer.table.row_count; i++) {
		const struct cell *c = &d->answer.cells[i * d->answer.table.column_count];

		if (d->row_marks[i] != MARK_MORE || !(c[5].real > d->limit / 100 * c[3].real))
			continue;
		any = true;
		if (c[6].empty)
			buf_printf(said, "%s: new, %s (limit %s)\n", c[0].text,
				   REAL_TEXT(in_ns, c[4].real), PERCENT_TEXT(d->limit));
		else
			buf_printf(said, "%s: %s more, %s to %s (limit %s)\n", c[0].text,
				   PERCENT_TEXT(c[6].real), REAL_TEXT(in_ns, c[3].real),
				   REAL_TEXT(in_ns, c[4].real), PERCENT_TEXT(d->limit));
	}
	return any;
}

static void release(void *state)
{
	struct diff *d = state;

	for (size_t i = 0; d->inputs && i < d->count; i++) {
		free(d->inputs[i].event);
		free(d->inputs[i].arch);
		if (i < d->read)
			stackset_release(&d->inputs[i].set);
	}
	free(d->inputs);
	folding_release(&d->folding);
	answer_release(&d->answer);
	stackset_release(&d->set);
	diff_amounts_release(&d->amounts);
	free(d->before);
	free(d->rows);
	free(d->marks);
	free(d->row_marks);
}

const struct analyzer analyzer_diff = {
	.name = "diff",
	.summary = "compare two captures, or several a side: what changed beyond noise",
	.wants = PDT_WANT_STACKS | PDT_WANT_COMMS,
	.shapes = SHAPE_TABLE | SHAPE_STACKS,
	.judges = true,
	.usage = { "BEFORE AFTER", "--before FILE... --after FILE..." },
	.options = options,
	.state_size = sizeof(struct diff),
	.begin = begin,
	.configure = configure,
	.event = event,
	.finish = finish,
	.text = text,
	.complete = complete,
	.result = result,
	.exceeded = exceeded,
	.release = release,
};
