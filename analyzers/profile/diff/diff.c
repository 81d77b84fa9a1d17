/* Two captures, or several of each side, compared: what costs more, what less, and what of that is
 * noise. */
#include "analyzers/count/answer.h"
#include "analyzers/profile/diff/diff_amounts.h"
#include "analyzers/profile/diff/diff_compute.h"
#include "analyzers/profile/diff/diff_inputs.h"
#include "analyzers/profile/diff/diff_order.h"
#include "analyzers/profile/diff/diff_paths.h"
#include "analyzers/profile/diff/diff_verdict.h"
#include "analyzers/profile/diff/match_name.h"
#include "analyzers/profile/diff/renames.h"
#include "analyzers/profile/noise/sides.h"
#include "analyzers/profile/parts.h"
#include "parser/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum by { BY_SYMBOL, BY_STACK, BY_DSO, BY_COMM };

static const char *const by_words[] = { "symbol", "stack", "dso", "comm", NULL };
static const char *const match_words[] = { "", "exact", "normalized", NULL };
static const char *const row_words[] = { "function", "stack", "module", "command" };

#define MAX_LOST     5 /* percent */
#define RENAMES_SAID 5

struct diff {
	struct folding folding;
	struct answer answer;
	struct sides sides;
	bool strip_hex, force, limited, has_max_lost;
	enum { MATCH_USUAL, MATCH_EXACT, MATCH_NORMALIZED } match;
	enum by by;
	double limit, max_lost; /* of the gate, percent */
	struct diff_inputs inputs;
	bool saw_idle; /* a sample of process 0, in the capture that is being read */
	struct diff_compute compute;
	bool computes;	     /* as perf diff does: the rest says nothing */
	struct stackset set; /* of all inputs, a side for each */
	struct stacks_part part;
	uint64_t *before; /* by row of the set: what both sides sum up to */
	struct stack_row *rows;
	struct diff_capture *captures;
	struct diff_amounts amounts;
	struct noise noise;
	bool *nameless;	  /* by name */
	bool knows_noise; /* something can be told of certainty */
	struct diff_rows table;
	uint32_t *causes;
	struct buf void_because;
	struct column columns[DIFF_COLUMNS + 1];
	uint8_t *marks;
	struct warnings *warnings;
};

#define OPT(member) offsetof(struct diff, member)

static const struct option options[] = {
	{ .type = OPT_TABLE, .table = sides_options, .offset = OPT(sides) },
	{ "by", 0, OPT_WORD, OPT(by), NULL, "what the rows of the table are", .words = by_words },
	{ "normalize", 0, OPT_WORD, OPT(inputs.normalize), NULL,
	  "compare amounts, shares, per second, per second and CPU (default: chosen and stated)",
	  .words = diff_normalize_words },
	{ "n", 'n', OPT_SAME, 0, "--normalize total" },
	{ "s", 's', OPT_FLAG, OPT(strip_hex), NULL, "strip hex numbers (addresses)" },
	{ "match", 0, OPT_WORD, OPT(match), NULL,
	  "which names are the same function (default: normalized; exact for folded text)",
	  .words = match_words },
	{ "fail-over", 0, OPT_PERCENT, OPT(limit), "PERCENT",
	  "exit 4 where something surely grew by more, 5 where nothing can be told",
	  .given = OPT(limited) },
	{ "max-lost", 0, OPT_PERCENT, OPT(max_lost), "PERCENT",
	  "the comparison is void if an input lost more of its samples (default: 5%)",
	  .given = OPT(has_max_lost) },
	{ "force", 'f', OPT_FLAG, OPT(force), NULL,
	  "compare even if events, architectures or rates differ" },
	{ .type = OPT_TABLE, .table = diff_compute_options, .offset = OPT(compute) },
	{ .type = OPT_TABLE, .table = weigh_plain_options, .offset = OPT(folding.o.weigh) },
	{ .type = OPT_TABLE, .table = folding_options, .offset = OPT(folding.o) },
	{ 0 },
};

/* Which side an input is on: A B, or all by --before and --after. */
static int take_sides(struct diff *d, const struct inputs *in, struct warnings *w)
{
	d->inputs.count = in->count;
	d->inputs.list = xcalloc(in->count, sizeof(*d->inputs.list));
	for (size_t i = 0; i < in->count; i++)
		d->inputs.list[i].after = sides_is_after(in, i);
	if (sides_complete(&d->sides, in, 2, d->computes ? SIZE_MAX : 2))
		return 0;
	warn_add(w, SEV_FATAL, "usage",
		 d->computes ? "expected the baseline and other captures"
			     : "expected two captures, or --before FILE... --after FILE...");
	return ERR_USAGE;
}

/* -c and what goes with it: entries as perf has them, in place of stacks. */
static int take_compute(struct diff *d, struct warnings *w)
{
	const bool keys[FOLD_KEYS] = { d->by == BY_COMM, d->by == BY_DSO || d->by == BY_SYMBOL,
				       d->by == BY_SYMBOL };

	d->computes = diff_compute_asked(&d->compute);
	if (!d->computes)
		return 0;
	if (d->by == BY_STACK || d->limited || prune_any(&d->folding.o.prune)) {
		warn_add(w, SEV_FATAL, "usage",
			 "--compute has no stacks and no certainty: --by stack, --fail-over, "
			 "--include, --exclude, --base, --skip and --collapse-recursion do not go "
			 "with it");
		return ERR_USAGE;
	}
	diff_compute_begin(&d->compute, keys);
	d->folding.o.by = FOLD_ENTRY;
	memcpy(d->folding.o.keys, d->compute.shown, sizeof(d->folding.o.keys));
	return 0;
}

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct diff *d = state;
	int rc;

	d->warnings = w;
	d->folding.o.by = d->by == BY_DSO ? FOLD_DSO : d->by == BY_COMM ? FOLD_COMM : FOLD_SYMBOL;
	d->folding.by_where = true;
	d->inputs.by_samples = d->folding.o.weigh.weight.word == WEIGHT_SAMPLES;
	d->max_lost = d->has_max_lost ? d->max_lost : MAX_LOST;
	rc = take_compute(d, w);
	if (rc == 0)
		rc = folding_begin(&d->folding, w);
	return rc < 0 ? rc : take_sides(d, in, w);
}

static void configure(void *state, struct asked *o)
{
	struct diff *d = state;

	folding_configure(&d->folding, o);
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct diff *d = state;

	d->saw_idle |= e->pid == 0;
	folding_event(&d->folding, e, s);
}

static bool part(void *part, const void *state, const struct pdt_session *s)
{
	const struct diff *d = state;

	return folding_part(&((struct diff *)part)->folding, &d->folding, s);
}

static bool part_spoilt(const void *part)
{
	return ((const struct diff *)part)->folding.samples.made_room;
}

static void part_end(void *state, void *part, const struct pdt_session *s,
		     const struct share_ids *ids)
{
	struct diff *d = state, *one = part;

	d->saw_idle |= ids && one->saw_idle;
	folding_part_end(&d->folding, &one->folding, s, ids);
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct diff *d = state;
	struct diff_input *in = &d->inputs.list[d->inputs.read++];
	const char *arch = pdt_text(s, PDT_ARCH);
	const struct pdt_desc *only = d->folding.only;
	int rc;

	answer_capture(&d->answer, s);
	in->system_wide =
		pdt_text(s, PDT_CMDLINE) ? pdt_number(s, PDT_IS_SYSTEM_WIDE) : d->saw_idle;
	d->saw_idle = false;
	in->path = xstrdup(pdt_text(s, PDT_PATH));
	in->duration_ns = (double)filter_span(s);
	in->cpus = (uint32_t)pdt_number(s, PDT_CPUS_ONLINE);
	in->lost = (double)pdt_number(s, PDT_LOST_ANY);
	in->samples = (double)pdt_number(s, PDT_SAMPLES);
	in->arch = arch ? xstrdup(arch) : NULL;
	in->event = only ? xstrdup(pdt_desc_name(only)) : NULL;
	in->is_clock = only && pdt_desc_in_ns(only) && !d->inputs.by_samples;
	in->sample_rate = only ? pdt_desc_number(s, only, PDT_DESC_PERIOD) : 0;
	rc = folding_finish(&d->folding, s, w);
	in->unit_weight = unit_sample(&d->folding.unit);
	in->total = stackset_sum(&d->folding.set);
	in->whole = only ? (double)pdt_desc_number(s, only,
						   d->inputs.by_samples ? PDT_DESC_SCOPE_SAMPLES
									: PDT_DESC_SCOPE_WEIGHT)
			 : 0;
	folding_facts(&d->folding, &d->answer);
	(void)folding_none(&d->folding, &in->none);
	folding_take(&d->folding, &in->set);
	return rc;
}

/* As finish() has it of a capture. */
static void take_told(struct diff *d, struct diff_input *in, const struct folded *f)
{
	const struct folded_input *told = folded_input(f);

	if (!told)
		return;
	in->is_text = false;
	in->system_wide = told->system_wide;
	in->duration_ns = told->duration_ns;
	in->cpus = told->cpus;
	in->lost = told->lost;
	in->samples = told->samples;
	in->arch = told->arch ? xstrdup(told->arch) : NULL;
	in->event = told->event ? xstrdup(told->event) : NULL;
	in->sample_rate = told->sample_rate;
	in->is_clock =
		folded_unit(f) && !strcmp(folded_unit(f)->unit, "ns") && !d->inputs.by_samples;
}

static int take_text(struct diff *d, struct folded *f, struct warnings *w)
{
	struct diff_input *in = &d->inputs.list[d->inputs.read++];
	int rc;

	in->is_text = true;
	in->path = xstrdup(folded_path(f));
	answer_folded(&d->answer, f);
	if (d->by == BY_DSO || (d->computes && d->compute.shown[FOLD_KEY_DSO])) {
		warn_add(w, SEV_FATAL, "usage", "%s: %s is folded text, which has no modules",
			 d->computes ? "--compute without --sort symbol or comm" : "--by dso",
			 folded_path(f));
		return ERR_USAGE;
	}
	folded_one_column(f);
	rc = folding_text(&d->folding, f, w);
	in->is_told = folded_unit(f) != NULL;
	in->total = stackset_sum(&d->folding.set);
	in->whole = in->total;
	take_told(d, in, f);
	in->unit_weight = unit_sample(&d->folding.unit);
	(void)folding_none(&d->folding, &in->none);
	folding_rare(&d->folding, &d->answer);
	folding_take(&d->folding, &in->set);
	return rc;
}

/* What says "each=KEY" is several inputs of its side. */
static int text(void *state, struct folded *f, struct warnings *w)
{
	struct diff *d = state;
	int rc = folded_each(f, NULL);

	if (rc == 0)
		rc = take_text(d, f, w);
	while (rc >= 0 && (rc = folded_more(f)) == 1) {
		diff_inputs_another(&d->inputs);
		rc = take_text(d, f, w);
	}
	return rc;
}

/* ---- may they be compared, and how ---- */

static int check_inputs(struct diff *d)
{
	struct buf b = { 0 };
	int rc = 0;

	if (!d->force && diff_differs(&d->inputs, &b)) {
		warn_add(d->warnings, SEV_FATAL, "not-comparable",
			 "cannot compare: %s (--force does nevertheless)", b.data);
		rc = ERR_VOID;
	}
	buf_release(&b);
	return rc;
}

static int check_basis(const struct diff *d)
{
	enum diff_normalize by = d->inputs.normalize;

	for (size_t i = 0; i < d->inputs.count; i++) {
		if (by < NORMALIZE_DURATION || diff_basis(by, &d->inputs.list[i]) > 0)
			continue;
		warn_add(d->warnings, SEV_FATAL, "usage",
			 "--normalize %s: an input does not state its %s", diff_normalize_words[by],
			 d->inputs.list[i].duration_ns > 0 ? "number of CPUs" : "duration");
		return ERR_USAGE;
	}
	return 0;
}

static bool knows_noise(const struct diff_inputs *in)
{
	bool knows = true;

	for (size_t i = 0; i < in->count; i++)
		knows &= in->list[i].unit_weight > 0 && in->list[i].total > 0;
	return knows;
}

/* ---- one set of all inputs ---- */

static bool is_exact(const struct diff *d)
{
	if (d->computes && !d->match)
		return true;
	return d->match ? d->match == MATCH_EXACT : diff_all_foreign_text(&d->inputs);
}

static void add_input(struct diff *d, unsigned side)
{
	struct stackset *from = &d->inputs.list[side].set;
	uint32_t *ids = xmalloc((from->names.count + 1) * sizeof(*ids));
	bool exact = is_exact(d);
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
	const struct diff_inputs *in = &d->inputs;
	double basis[2] = { 0, 0 };

	d->before = xcalloc(s->row_count + 1, sizeof(*d->before));
	d->rows = xmalloc((s->row_count + 1) * sizeof(*d->rows));
	if (s->row_count)
		memcpy(d->rows, s->rows, s->row_count * sizeof(*d->rows));
	for (size_t i = 0; i < s->row_count; i++) {
		d->rows[i].weight = 0;
		for (size_t c = 0; c < in->count; c++)
			(void)add_held(in->list[c].after ? &d->rows[i].weight : &d->before[i],
				       s->amounts[i * in->count + c]);
	}
	for (size_t c = 0; c < in->count; c++)
		basis[in->list[c].after] += diff_basis(in->normalize, &in->list[c]);
	d->part = s->part;
	d->part.rows = d->rows;
	d->part.before = d->before;
	d->part.scale = basis[0] > 0 && basis[1] > 0 ? basis[1] / basis[0] : 1;
}

/* Each input's factor makes it comparable with the side after. */
static void make_captures(struct diff *d)
{
	const struct diff_inputs *in = &d->inputs;
	double mean = 0, n = 0;

	d->captures = xcalloc(in->count, sizeof(*d->captures));
	for (size_t c = 0; c < in->count; c++) {
		mean += in->list[c].after ? diff_basis(in->normalize, &in->list[c]) : 0;
		n += in->list[c].after;
	}
	for (size_t c = 0; c < in->count; c++) {
		double basis = diff_basis(in->normalize, &in->list[c]);
		double factor = basis > 0 && mean > 0 ? mean / n / basis : 1;
		bool shares = in->normalize == NORMALIZE_TOTAL;

		d->captures[c] = (struct diff_capture){
			.after = in->list[c].after,
			.factor = factor,
			.unit_weight = in->list[c].unit_weight * stackset_one(&d->set),
			.total = shares ? 0 : in->list[c].total * factor * stackset_one(&d->set),
		};
	}
}

/* What the other ways to compare would have said of the total. */
static void normalize_fact(struct diff *d, const char *why)
{
	struct buf b = { 0 };

	for (enum diff_normalize by = NORMALIZE_NONE; by <= NORMALIZE_CPU; by++) {
		double change = diff_total_change(&d->inputs, by);

		if (by == NORMALIZE_TOTAL || isnan(change))
			continue;
		buf_printf(&b, "%s%s %s%s",
			   b.len ? ", " : "; the total changed: ", diff_normalize_words[by],
			   change < 1 ? "-" : "+", PERCENT_TEXT(100 * fabs(change - 1)));
	}
	answer_fact(&d->answer, "normalize", "%s (%s)%s%s",
		    diff_normalize_words[d->inputs.normalize], why,
		    d->part.scale != 1 ? "" : ": the sides are taken as they are",
		    b.data ? b.data : "");
	buf_release(&b);
	if (d->part.scale != 1)
		answer_fact(&d->answer, "factor", "before is multiplied by %.9g", d->part.scale);
}

static void describe(struct diff *d, const char *why)
{
	struct answer *a = &d->answer;

	normalize_fact(d, why);
	for (size_t c = 0; c < d->inputs.count; c++) {
		const struct diff_input *in = &d->inputs.list[c];
		const char *side = in->after ? "after" : "before";
		const char *total = REAL_TEXT(in->is_clock, in->total);

		if (in->unit_weight > 0)
			answer_fact(a, side, "total %s%s%s, about %s samples", total,
				    in->event ? " of " : "", in->event ?: "",
				    REAL_TEXT(false, round(in->total / in->unit_weight)));
		else
			answer_fact(a, side, "total %s%s%s%s", total, in->event ? " of " : "",
				    in->event ?: "", in->total > 0 ? ", of unknown samples" : "");
		answer_leads(a);
	}
}

/* ---- the table ---- */

/* The root is all of it: it changed if the whole did, by how runs differ. */
static uint8_t mark_of_total(const struct noise *n)
{
	double range[2] = { 0, INFINITY };

	if (n->total.se > 0)
		noise_interval(n->total.change, n->total.se, n->total.df, range);
	return range[0] > 1 ? MARK_MORE : range[1] < 1 ? MARK_LESS : MARK_NOISE;
}

static void make_table(struct diff *d, const char *const *names)
{
	diff_table(&(struct diff_table){ &d->answer, &d->amounts, d->causes, names,
					 stackset_one(&d->set) },
		   &d->table);
}

/* What a drawing needs, and the table of call paths. */
static void compare_paths(struct diff *d)
{
	const struct noise *noise = d->knows_noise ? &d->noise : NULL;
	struct paths_asked asked = { d->captures, noise, d->by == BY_STACK };
	struct diff_amounts amounts;
	struct diff_paths paths;
	char **names;

	diff_paths_init(&paths, &d->set, &asked);
	diff_paths_amounts(&paths, &asked, d->nameless, &amounts);
	if (noise) {
		d->marks = diff_paths_marks(&paths, &amounts);
		d->marks[0] = mark_of_total(noise);
		d->part.marks = d->marks;
	}
	if (d->by == BY_STACK) {
		d->amounts = amounts;
		names = diff_paths_names(&paths, &amounts);
		make_table(d, (const char *const *)names);
		for (size_t i = 0; i < paths.path_count; i++)
			free(names[i]);
		free(names);
	} else {
		diff_amounts_release(&amounts);
	}
	diff_paths_release(&paths);
}

/* The outermost frames are commands, no functions. */
static bool has_root(const struct diff *d)
{
	return d->by != BY_COMM && !diff_all_foreign_text(&d->inputs);
}

/* How sure a difference is, unless there is a reason why nothing can be told. */
static void fit_noise(struct diff *d, const struct diff_sums *sums)
{
	struct noise_asked asked = sides_noise(&d->sides, d->limit);

	if (!d->force && !d->void_because.len && diff_is_other_program(&d->inputs, &d->set, sums))
		buf_str(&d->void_because, "these are different programs");
	d->knows_noise = knows_noise(&d->inputs) && !d->void_because.len;
	if (d->knows_noise)
		diff_noise(&d->noise, sums, d->captures, d->nameless, &asked);
}

static void compare(struct diff *d)
{
	struct diff_ids ids = { NULL, d->nameless };
	const struct noise *noise;
	struct diff_sums sums;

	diff_sums_by_name(&sums, &d->set, has_root(d));
	fit_noise(d, &sums);
	noise = d->knows_noise ? &d->noise : NULL;
	if (noise || d->by == BY_STACK)
		compare_paths(d);
	if (d->by != BY_STACK) {
		diff_amounts_of(&d->amounts, &sums, d->captures, &ids, noise);
		d->causes = noise ? diff_causes(&d->amounts, &d->set, d->captures, noise) : NULL;
		make_table(d, d->part.names);
	}
	diff_sums_release(&sums);
}

/* Parts of the weight that have no name cannot be told from one another. */
static void find_nameless(struct diff *d)
{
	const struct intern *names = &d->set.names;

	d->nameless = xcalloc(names->count + 1, sizeof(*d->nameless));
	for (size_t i = 0; i < names->count; i++)
		d->nameless[i] = is_no_function(names->list[i].s, names->list[i].len);
}

/* What all weights count, if they all count the same. */
static const char *weight_name(const struct diff *d)
{
	const struct diff_input *first = &d->inputs.list[0];

	for (size_t c = 0; c < d->inputs.count; c++) {
		if (!d->inputs.list[c].event || d->inputs.list[c].is_clock != first->is_clock)
			return NULL;
	}
	return d->inputs.by_samples ? "samples" : first->is_clock ? "ns" : first->event;
}

/* With a fraction in any row, three digits for all. */
static void set_columns(struct diff *d)
{
	bool whole = !d->set.decimals && d->inputs.count == 2 && d->part.scale == 1;
	const char *unit = weight_name(d);

	memcpy(d->columns, diff_columns, sizeof(d->columns));
	for (size_t i = 1; !whole && i < DIFF_AMOUNTS; i++)
		d->columns[i].decimals = i == 6 ? 2 : 3;
	for (size_t i = 1; unit && !strcmp(unit, "ns") && i < DIFF_AMOUNTS; i++) {
		if (d->columns[i].type == COLUMN_REAL)
			d->columns[i].type = COLUMN_REAL_NS;
	}
}

static void say_verdict(struct diff *d)
{
	double unnamed[2] = { 0, 0 };
	struct diff_outcome o = { .rows = &d->table,
				  .noise = d->knows_noise ? &d->noise : NULL,
				  .void_because = d->void_because.data,
				  .rows_are = row_words[d->by],
				  .gate = d->limited };

	for (size_t i = 0; i < d->amounts.count; i++)
		unnamed[d->by != BY_STACK && d->nameless[d->amounts.list[i].id]] +=
			d->amounts.list[i].self[0] + d->amounts.list[i].self[1];
	o.unnamed = percent_of(unnamed[1], unnamed[0] + unnamed[1]);
	diff_noise_facts(&d->answer, &o);
	diff_verdict(&d->answer, &o);
}

static void rename_fact(struct diff *d, const struct renames *r, bool sure)
{
	const struct interned *names = d->set.names.list;
	struct buf b = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < r->count; i++) {
		const struct rename *n = &r->list[i];

		if (n->sure != sure || count++ >= RENAMES_SAID)
			continue;
		buf_printf(&b, "%s%s %s %s", b.len ? ", " : "", names[n->gone].s,
			   n->inlined ? "into" : "to", names[n->kept].s);
	}
	if (count > RENAMES_SAID)
		buf_printf(&b, " and %s more", COUNT_TEXT(count - RENAMES_SAID));
	if (count)
		answer_fact(&d->answer, sure ? "renamed" : "maybe renamed", "%s%s", b.data,
			    sure ? " (--match exact keeps them apart)" : "");
	buf_release(&b);
}

/* Two names of one function become one row before anything is tested. */
static void find_renames(struct diff *d)
{
	struct diff_sums sums;
	struct renames r;

	if (is_exact(d) || (d->by != BY_SYMBOL && d->by != BY_STACK))
		return;
	diff_sums_by_name(&sums, &d->set, has_root(d));
	renames_find(&r, &d->set, &sums, d->captures, has_root(d));
	rename_fact(d, &r, true);
	rename_fact(d, &r, false);
	if (r.count)
		renames_apply(&r, &d->set);
	renames_release(&r);
	diff_sums_release(&sums);
}

static int complete(void *state, struct warnings *w)
{
	struct diff *d = state;
	const char *why;
	int rc = check_inputs(d);

	(void)w;
	why = diff_normalize(&d->inputs);
	if (rc == 0)
		rc = check_basis(d);
	if (rc < 0)
		return rc;
	if (!d->force)
		(void)diff_tells_little(&d->inputs, d->max_lost, &d->void_because);
	stackset_sides(&d->set, (unsigned)d->inputs.count);
	for (size_t c = 0; c < d->inputs.count; c++)
		add_input(d, (unsigned)c);
	stackset_finish(&d->set);
	if (d->computes) {
		diff_compute_rows(&d->compute, &d->set, &d->inputs, &d->answer);
		return 0;
	}
	make_captures(d);
	find_renames(d);
	make_part(d);
	find_nameless(d);
	compare(d);
	set_columns(d);
	describe(d, why);
	say_verdict(d);
	return 0;
}

/* An input without samples leaves nothing to compare; a gate says so by itself. */
static const char *side_lacking(const struct diff *d)
{
	for (size_t i = 0; i < d->inputs.count; i++) {
		if (!(d->inputs.list[i].total > 0))
			return d->void_because.data;
	}
	return NULL;
}

#define SELF_DELTA_COLUMN 7
/* What people read first: the change, of the function with all that it calls. */
static const uint8_t summary[] = { 0, 5, 6, 3, 4, 8, 9, 10, 11, SELF_DELTA_COLUMN, 1, 2, 12, 13 };

static void result(void *state, struct result *out)
{
	struct diff *d = state;

	answer_held(&d->answer, d->set.overflow);
	if (d->computes) {
		answer_result(&d->answer, d->compute.columns, out);
		out->title = "Comparison with the baseline";
		out->separator = d->compute.separator;
		return;
	}
	out->lacking = d->limited ? NULL : side_lacking(d);
	out->title = "Differential Flame Graph";
	out->stacks = &d->part;
	out->count_name = weight_name(d);
	answer_result(&d->answer, d->columns, out);
	d->answer.table.marks = d->table.marks;
	d->answer.table.bar_column = 5;
	d->answer.table.weight_column = SELF_DELTA_COLUMN + 1;
	d->answer.table.summary_columns = ARRAY_SIZE(summary);
	d->answer.table.summary = summary;
}

/* The rows that surely grew beyond the limit, and the whole. */
static enum outcome outcome(void *state, struct buf *said)
{
	struct diff *d = state;
	bool any = false, in_ns = d->columns[4].type == COLUMN_REAL_NS;
	double unit = stackset_one(&d->set);
	const char *limit = PERCENT_TEXT(d->limit);

	if (!d->limited)
		return OUTCOME_DONE;
	if (d->void_because.len) {
		buf_printf(said, "cannot compare: %s\n", d->void_because.data);
		return OUTCOME_VOID;
	}
	for (size_t i = 0; i < d->table.count; i++) {
		const struct diff_amount *m = d->table.amounts[i];

		if (!m->noise.self.over && !m->noise.total.over)
			continue;
		any = true;
		if (m->total[0] > 0)
			buf_printf(said, "%s: %s more, ", d->table.names[i],
				   SHARE_TEXT(m->total[1] - m->total[0], m->total[0]));
		else
			buf_printf(said, "%s: new, ", d->table.names[i]);
		buf_printf(said, "%s to %s (limit %s)\n", REAL_TEXT(in_ns, m->total[0] / unit),
			   REAL_TEXT(in_ns, m->total[1] / unit), limit);
	}
	if (d->noise.total.over)
		buf_printf(said, "the whole: %s more (limit %s)\n",
			   PERCENT_TEXT(100 * expm1(d->noise.total.change)), limit);
	return any || d->noise.total.over ? OUTCOME_EXCEEDED : OUTCOME_DONE;
}

static void release(void *state)
{
	struct diff *d = state;

	diff_inputs_release(&d->inputs);
	diff_compute_release(&d->compute);
	folding_release(&d->folding);
	answer_release(&d->answer);
	stackset_release(&d->set);
	diff_amounts_release(&d->amounts);
	noise_release(&d->noise);
	buf_release(&d->void_because);
	free(d->captures);
	free(d->nameless);
	free(d->causes);
	diff_rows_release(&d->table);
	free(d->before);
	free(d->rows);
	free(d->marks);
}

const struct analyzer analyzer_diff = {
	.name = "diff",
	.summary = "compare two captures, or several a side: what changed beyond noise",
	.question = QUESTION_CHANGE,
	.wants = PDT_WANT_STACKS | PDT_WANT_COMMS,
	.shapes = SHAPE_TABLE | SHAPE_CHANGES,
	.judges = true,
	.usage = { "BEFORE AFTER", "--before FILE... --after FILE..." },
	.options = options,
	.state_size = sizeof(struct diff),
	.begin = begin,
	.configure = configure,
	.event = event,
	.part = part,
	.part_spoilt = part_spoilt,
	.part_end = part_end,
	.finish = finish,
	.text = text,
	.complete = complete,
	.result = result,
	.outcome = outcome,
	.release = release,
};
