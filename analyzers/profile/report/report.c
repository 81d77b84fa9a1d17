/* Self and inclusive weight by function, module, thread ..., with call trees; or the callers or
 * callees of one function. */
#include "analyzers/profile/report/report.h"
#include "analyzers/count/missing.h"
#include "parser/base/abi.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"
#include "parser/base/nearest.h"

#include <stdlib.h>
#include <string.h>

#define R(member) offsetof(struct report, member)

static const char *const percentages[] = { "absolute", "relative", NULL };

#define ACCEPTED "accepted for compatibility with perf; no effect"

/* What is done anyway, or has another name for all commands. */
static const struct option accepted[] = {
	{ "stdio", 0, OPT_FLAG, 0, NULL, ACCEPTED },
	{ "ns", 0, OPT_FLAG, 0, NULL, ACCEPTED },
	{ 0 },
};

static const struct option options[] = {
	{ "sort", 's', OPT_NAMES, R(sort), "KEYS",
	  "a row for each of these keys (default: comm,dso,sym): event, comm, pid, tid, cpu, time, "
	  "parent, dso, sym, srcfile, srcline, cgroup, weight, namespaces or tracepoint fields",
	  .words = row_key_words },
	{ "fields", 'F', OPT_NAMES, R(fields), "FIELDS",
	  "the columns, from left to right, by which rows are ordered: overhead, "
	  "overhead_children, overhead_us, overhead_sys, period, sample, or keys",
	  .words = field_words },
	{ "group", 0, OPT_TEXT, R(group), "KEY",
	  "a row for each KEY; with --sort, its rows below it", .words = row_key_words },
	{ "hierarchy", 0, OPT_FLAG, R(hierarchy), NULL,
	  "a row for the first key, below it rows for the first two, and so on", .one_of = "view" },
	{ "children", 0, OPT_FLAG, R(children), NULL,
	  "order by inclusive weight (default where there are call chains)", .one_of = "order" },
	{ "no-children", 0, OPT_FLAG, R(no_children), NULL,
	  "order by self weight, without functions that only called", .one_of = "order" },
	{ "callers", 0, OPT_TEXT, R(callers), "SYM", "what called SYM, by weight", .one_of = "view",
	  .choices = "symbols" },
	{ "callees", 0, OPT_TEXT, R(callees), "SYM", "what SYM called, by weight", .one_of = "view",
	  .choices = "symbols" },
	{ "tasks", 0, OPT_FLAG, R(shows_tasks), NULL,
	  "the threads instead, each below the one that made it", .one_of = "view" },
	{ "stats", 0, OPT_FLAG, R(shows_stats), NULL,
	  "the number of records of each type instead, and of samples of each event",
	  .one_of = "view" },
	{ "call-graph", 'g', OPT_MAYBE, R(call_graph), "TYPE,MIN,LIMIT,ORDER,KEY,VALUE",
	  "below each row its call tree: graph, fractal, flat, folded or none; branches of at "
	  "least MIN percent, at most LIMIT; caller or callee first; by function, address or "
	  "srcline; as percent, period or count (default: graph,0.5,0,caller,function,percent)",
	  .pattern = CALL_GRAPH_PATTERN,
	  .wanted = "graph, fractal, flat, folded or none, numbers, caller or callee, function, "
		    "address or srcline, percent, period or count" },
	{ "inverted", 'G', OPT_FLAG, R(inverted), NULL, "call trees from the callers on" },
	{ "max-stack", 0, OPT_COUNT, R(rows.o.chain.max), "N",
	  "only the N innermost frames of a call chain", .positive = true },
	{ "ignore-callees", 0, OPT_TEXT, R(ignore_callees), "REGEX",
	  "what such functions called counts as theirs" },
	{ "parent", 'p', OPT_TEXT, R(parent), "REGEX",
	  "the callers that the key parent looks for (default: ^sys_|^do_page_fault)" },
	{ "exclude-other", 'x', OPT_FLAG, R(exclude_other), NULL,
	  "only samples that have such a caller", .needs = "parent" },
	{ "hide-unresolved", 'U', OPT_FLAG, R(hide_unresolved), NULL,
	  "only samples and frames whose function has a name" },
	{ "symbol-filter", 0, OPT_TEXT, R(symbol_filter), "TEXT",
	  "only rows whose function has TEXT in its name" },
	{ "comms", 'c', OPT_SAME, 0, "--comms" },
	{ "dsos", 'd', OPT_SAME, 0, "--dsos" },
	{ "percent-limit", 0, OPT_PERCENT, R(limit), "P", "leave out rows below P percent",
	  .most = 100 },
	{ "percentage", 0, OPT_WORD, R(percentage), NULL, "of all, or of what passed the filters",
	  .words = percentages },
	{ "show-nr-samples", 'n', OPT_FLAG, R(shows_samples), NULL,
	  "text: also the number of samples" },
	{ "show-total-period", 0, OPT_FLAG, R(shows_period), NULL, "text: also the weights" },
	{ "field-separator", 't', OPT_TEXT, R(separator), "SEP",
	  "text: rows with SEP between columns, without blanks" },
	{ "column-widths", 'w', OPT_NUMS, R(widths), "WIDTHS",
	  "text: how wide columns are, from left to right; 0: as wide as they need" },
	{ "switch-on", 0, OPT_TEXT, R(switch_on), "EVENT", "only samples after one of EVENT" },
	{ "switch-off", 0, OPT_TEXT, R(switch_off), "EVENT",
	  "no samples after one of EVENT, until --switch-on" },
	{ "show-on-off-events", 0, OPT_FLAG, R(shows_switches), NULL,
	  "also the samples that switch on and off" },
	{ .type = OPT_TABLE, .table = accepted, .offset = R(no_effect) },
	{ "time-quantum", 0, OPT_DURATION, R(rows.o.quantum_ns), "DURATION",
	  "step of the key time: 1s, 50us", .initial = "100ms", .positive = true },
	{ .type = OPT_TABLE, .table = weigh_options, .offset = R(weigh_options) },
	{ .type = OPT_TABLE, .table = namer_option_rows, .offset = R(rows.o.names) },
	{ 0 },
};

/* ---- options ---- */

/* perf's default parent (tools/perf/util/sort.c). */
#define USUAL_PARENT "^sys_|^do_page_fault"

static int take_regex(const char *option, const char *text, regex_t *out, struct warnings *w)
{
	char why[128];
	int rc = regcomp(out, text, REG_EXTENDED | REG_NOSUB);

	if (!rc)
		return 0;
	regerror(rc, out, why, sizeof(why));
	warn_add(w, SEV_FATAL, "regex", "report: --%s %s: expected a regular expression: %s",
		 option, text, why);
	return ERR_USAGE;
}

static int take_chain_options(struct report *r, struct warnings *w)
{
	struct chain_options *c = &r->rows.o.chain;
	const char *parent = r->parent
				     ?: r->rows.key_bits & KEY_BIT(KEY_PARENT) ? USUAL_PARENT
									       : NULL;
	int rc = parent ? take_regex("parent", r->parent ?: parent, &r->parent_regex, w) : 0;

	if (rc < 0)
		return rc;
	c->parent = parent ? &r->parent_regex : NULL;
	if (r->ignore_callees)
		rc = take_regex("ignore-callees", r->ignore_callees, &r->ignore_regex, w);
	c->ignore = r->ignore_callees && rc == 0 ? &r->ignore_regex : NULL;
	c->only_parent = r->exclude_other;
	c->hide_unresolved = r->hide_unresolved;
	c->keep = r->graph.o.type != CALL_GRAPH_NONE;
	c->key = r->graph.o.key;
	return rc;
}

static int refuse(struct warnings *w, const char *text)
{
	warn_add(w, SEV_FATAL, "options", "report: %s", text);
	return ERR_USAGE;
}

static int check_options(const struct report *r, struct warnings *w)
{
	const struct rows_options *o = &r->rows.o;

	if (r->hierarchy && r->fields.count)
		return refuse(w, "--hierarchy and --fields exclude each other");
	if (r->hierarchy && r->group)
		return refuse(w, "--hierarchy and --group exclude each other");
	if (o->view != VIEW_FLAT && r->graph.o.type)
		return refuse(w, "--call-graph: not with --callers and --callees");
	if (r->symbol_filter && !(r->rows.key_bits & KEY_BIT(KEY_SYM)))
		return refuse(w, "--symbol-filter: rows have no sym, see --sort");
	if (r->separator && (!*r->separator || !strcmp(r->separator, ".")))
		return refuse(w, "--field-separator: expected a text other than '.'");
	return 0;
}

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct report *r = state;
	struct rows_options *o = &r->rows.o;
	int rc;

	o->view = r->callers ? VIEW_CALLERS : r->callees ? VIEW_CALLEES : VIEW_FLAT;
	o->symbol = r->callers ? r->callers : r->callees;
	o->by_samples = r->weigh_options.weight.word == WEIGHT_SAMPLES;
	r->special = weigh_special(&r->weigh_options);
	o->own_totals = r->switch_on || r->switch_off || r->special;
	r->off = r->switch_on;
	if (r->call_graph || r->inverted)
		call_graph_parse(&r->graph.o, r->call_graph ?: "");
	rc = report_take_keys(r, w);
	rows_begin(&r->rows);
	if (rc == 0)
		rc = folding_begin(&r->folding, w);
	if (rc == 0)
		rc = take_chain_options(r, w);
	if (rc == 0)
		rc = weigh_begin(&r->weigh, &r->weigh_options, false, w);
	o->own_weight = !o->by_samples && weigh_unit(&r->weigh);
	return rc < 0 ? rc : check_options(r, w);
}

/* ---- inputs ---- */

static void configure(void *state, struct asked *o)
{
	struct report *r = state;
	uint64_t source = KEY_BIT(KEY_SRCFILE) | KEY_BIT(KEY_SRCLINE);
	bool lines = r->rows.key_bits & source || r->graph.o.key == CHAIN_SRCLINE;

	namer_configure(&r->rows.o.names, o);
	weigh_configure(&r->weigh, o);
	samples_follow(&r->rows.samples, o);
	rows_bound(&r->rows, o->max_memory);
	r->rows.jobs = o->jobs;
	o->wants |= lines ? PDT_WANT_LINES : 0;
	o->wants |= more_keys_want_details(&r->more) ? PDT_WANT_DETAILS : 0;
	o->wants |= r->shows_tasks ? PDT_WANT_TASKS : 0;
	o->wants |= r->more.count || r->more.all ? PDT_WANT_FIELDS : 0;
}

/* As perf has it (tools/perf/util/evswitch.c): is E left out? */
static bool is_switched_off(struct report *r, const struct pdt_event *e)
{
	const char *wanted = r->off ? r->switch_on : r->switch_off;

	if (!wanted || !pdt_desc_is(e->desc, wanted))
		return r->off;
	r->off = !r->off;
	return !r->shows_switches;
}

static __attribute__((noinline)) void take_more(struct report *r, const struct pdt_event *e,
						const struct pdt_session *s)
{
	uint64_t more[MORE_KEYS];

	more_keys_of(&r->more, &r->rows, e, s, more);
	rows_sample(&r->rows, e, s, more);
}

static void take_sample(void *report, const struct pdt_event *e, const struct pdt_session *s)
{
	struct report *r = report;

	if (r->more.count || r->more.all)
		take_more(r, e, s);
	else
		rows_sample(&r->rows, e, s, NULL);
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct report *r = state;

	if (r->shows_tasks) {
		tasks_event(&r->tasks, e);
		return;
	}
	if (r->rows.o.own_totals && is_switched_off(r, e))
		return;
	if (r->special)
		weigh_each(&r->weigh, e, s, take_sample, r);
	else
		take_sample(r, e, s);
}

/* Where an event decides what becomes of those after it, or finds new keys, one has to see all. */
static bool part(void *part, const void *state, const struct pdt_session *s)
{
	const struct report *r = state;

	(void)s;
	if (r->shows_tasks || r->shows_stats || r->rows.o.own_totals || r->more.count ||
	    r->more.all || r->special)
		return false;
	rows_part(&((struct report *)part)->rows, &r->rows);
	return true;
}

static bool part_spoilt(const void *part)
{
	return ((const struct report *)part)->rows.samples.made_room;
}

static void part_end(void *state, void *part, const struct pdt_session *s,
		     const struct share_ids *ids)
{
	struct report *r = state, *one = part;

	if (ids)
		samples_take(&r->rows.samples, &one->rows.samples, ids, NULL);
	samples_release(&one->rows.samples);
}

static int refuse_mix(struct warnings *w)
{
	warn_add(w, SEV_FATAL, "mixed-inputs",
		 "captures and folded text cannot be combined: the text does not state its unit");
	return ERR_USAGE;
}

static void warn_absent(const struct report *r, const char *path, struct warnings *w)
{
	warn_add(w, SEV_NOTE, "no-symbol", "%s: no stack has '%s'", path, r->rows.o.symbol);
}

/* A tracepoint with samples whose fields the capture does not tell; NULL: there is none. */
static const char *fieldless(const struct pdt_session *s)
{
	const struct pdt_desc *d;

	for (size_t i = 0; (d = pdt_desc_at(s, i)); i++) {
		if (pdt_desc_type(d) == EVENT_TYPE_TRACEPOINT && !pdt_desc_format(s, d) &&
		    pdt_desc_number(s, d, PDT_DESC_SAMPLES))
			return pdt_desc_name(d);
	}
	return NULL;
}

/* A key that is no field of any event was probably meant to be another. */
static int check_more(struct report *r, const struct pdt_session *s, struct warnings *w)
{
	const char *path = pdt_text(s, PDT_PATH), *silent = fieldless(s);

	for (size_t i = 0; i < r->more.count; i++) {
		const struct more_key *k = &r->more.list[i];
		struct buf b = { 0 };
		const char *near;

		if (k->found || (!r->rows.samples.stack_count && !r->rows.samples.other_count))
			continue;
		if (silent) {
			warn_add(
				w, SEV_FATAL, "unknown-key",
				"report: --sort %s: %s does not tell the fields of %s: the formats "
				"of its tracepoints are not in it",
				k->name, path, silent);
			return ERR_USAGE;
		}
		put_key_words(&b);
		near = nearest(k->name, row_key_words) ?: nearest(k->name, more_key_words);
		warn_add(w, SEV_FATAL, "unknown-key",
			 "report: --sort %s: expected %sor a field of a tracepoint, which no event "
			 "of %s has (perf record -e SUBSYSTEM:EVENT)%s%s%s",
			 k->name, b.data, path, near ? "; did you mean " : "", near ?: "",
			 near ? "?" : "");
		buf_release(&b);
		return ERR_USAGE;
	}
	return 0;
}

/* As perf has it: --fields without overhead_children, and --hierarchy, are about self weight; and
 * chains begin with the callers where rows have what they called. */
static void choose_order(struct report *r, bool has_chains)
{
	struct rows_options *o = &r->rows.o;
	bool children = !r->hierarchy && has_chains && !r->given_fields;

	for (size_t i = 0; i < r->field_count && r->given_fields; i++)
		children |= r->fields_shown[i] == FIELD_CHILDREN_PERCENT;
	o->by_children = o->view == VIEW_FLAT && !r->no_children && (children || r->children);
	o->chain.callers_first = r->graph.o.order == CALL_ORDER_CALLER || r->inverted ||
				 (r->graph.o.order == CALL_ORDER_USUAL && o->by_children);
}

/* What was asked for and not recorded. */
static void warn_missing(const struct report *r, const struct pdt_session *s, struct warnings *w)
{
	const struct chain_options *c = &r->rows.o.chain;
	uint64_t keys = r->rows.key_bits;

	if (c->keep || c->ignore || r->parent || r->rows.o.symbol || keys & KEY_BIT(KEY_PARENT))
		missing_part(s, PART_STACK, w);
	if (keys & KEY_BIT(KEY_CPU))
		missing_part(s, PART_CPU, w);
	if (keys & KEY_BIT(KEY_TIME))
		missing_part(s, PART_TIME, w);
	for (size_t i = 0; i < r->more.count; i++) {
		unsigned kind = r->more.list[i].kind;

		if (kind != MORE_FIELD)
			missing_part(s,
				     kind == MORE_CGROUP   ? PART_CGROUP
				     : kind == MORE_WEIGHT ? PART_WEIGHT
							   : PART_NAMESPACES,
				     w);
	}
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct report *r = state;

	if (r->reads_text)
		return refuse_mix(w);
	if (r->shows_tasks || r->shows_stats) {
		tasks_finish(&r->tasks, s);
		records_finish(&r->records, s);
		answer_capture(&r->answer, s);
		return 0;
	}
	if (check_more(r, s, w) < 0)
		return ERR_USAGE;
	more_keys_forget(&r->more);
	if (r->more.all)
		report_add_more_keys(r);
	warn_missing(r, s, w);
	answer_capture(&r->answer, s);
	r->rows.found = false;
	r->off = r->switch_on;
	choose_order(r, r->rows.has_chains || pdt_number(s, PDT_CHAINS));
	samples_warn_rare(&r->rows.samples, s, w);
	r->others += r->rows.samples.made_room;
	rows_finish(&r->rows, s);
	if (r->rows.o.symbol && !r->rows.found)
		warn_absent(r, pdt_text(s, PDT_PATH), w);
	return weigh_finish(&r->weigh, s, w);
}

/* Folded text knows frames only. */
static int check_text(struct report *r, const struct folded *f, struct warnings *w)
{
	struct rows_options *o = &r->rows.o;

	if (r->rows.event_count)
		return refuse_mix(w);
	if (r->shows_tasks || r->shows_stats)
		return refuse(w, "--tasks and --stats are for captures");
	if (folded_columns(f) == 2) {
		warn_add(w, SEV_FATAL, "two-columns", "%s: has two columns, before and after",
			 folded_path(f));
		return ERR_USAGE;
	}
	if (!r->sort.count && !r->group && !r->fields.count && !r->parent)
		rows_only(&r->rows, KEY_SYM);
	for (size_t i = 0; i < o->key_count; i++) {
		if (o->keys[i] == KEY_COMM || o->keys[i] == KEY_SYM || o->keys[i] == KEY_PARENT)
			continue;
		warn_add(w, SEV_FATAL, "no-key",
			 "%s: folded text has no %s; its keys are comm and sym", folded_path(f),
			 report_key_name(r, o->keys[i]));
		return ERR_USAGE;
	}
	return 0;
}

static bool text_has(const struct report *r, const char *name)
{
	const struct intern *names = &r->folding.set.names;

	for (size_t i = 0; i < names->count; i++) {
		if (!strcmp(names->list[i].s, name))
			return true;
	}
	return false;
}

static int text(void *state, struct folded *f, struct warnings *w)
{
	struct report *r = state;
	int rc = check_text(r, f, w);

	r->reads_text = true;
	answer_folded(&r->answer, f);
	if (rc == 0)
		rc = folding_text(&r->folding, f, w);
	if (rc == 0 && r->rows.o.symbol && !text_has(r, r->rows.o.symbol))
		warn_absent(r, folded_path(f), w);
	return rc;
}

/* ---- the result ---- */

static bool is_active(const struct report *r, const struct row_event *e)
{
	return e->samples || r->reads_text;
}

/* Each branch counts as a sample. */
static void weight_fact(struct report *r, const struct row_event *e)
{
	const char *name = intern_str(&r->rows.texts, e->name);
	bool in_ns = e->in_ns && !r->rows.o.by_samples;
	uint64_t weight = answer_sum(&r->answer, e->weight);

	if (r->weigh_options.weight.word == WEIGHT_BRANCH)
		answer_fact(&r->answer, "event", "%s: %s branches", name, COUNT_TEXT(weight));
	else
		answer_fact(&r->answer, "event", "%s: %s samples, weight %s%s%s", name,
			    COUNT_TEXT(e->samples),
			    AMOUNT(in_ns ? COLUMN_NS : COLUMN_COUNT, weight), in_ns ? "" : " ",
			    in_ns ? "" : weigh_unit(&r->weigh) ?: "periods");
	answer_leads(&r->answer);
}

static void event_facts(struct report *r)
{
	const struct rows *t = &r->rows;

	for (size_t i = 0; i < t->event_count && !r->reads_text; i++) {
		const struct row_event *e = &t->events[i];

		if (!is_active(r, e))
			continue;
		weight_fact(r, e);
		answer_parts(&r->answer, &weight_part_names, intern_str(&t->texts, e->name),
			     (struct weight_parts){ e->weight, e->unnamed, e->apart });
	}
}

static void symbol_facts(struct report *r)
{
	const struct rows *t = &r->rows;

	for (size_t i = 0; i < t->event_count && t->o.symbol; i++) {
		const struct row_event *e = &t->events[i];

		if (!is_active(r, e))
			continue;
		answer_fact(&r->answer, t->o.view == VIEW_CALLERS ? "callers of" : "callees of",
			    "%s: %s of %s", t->o.symbol,
			    SHARE_TEXT(e->symbol,
				       (r->percentage == RELATIVE ? e->weight : e->all_weight)),
			    r->reads_text ? "the weight" : intern_str(&t->texts, e->name));
		answer_leads(&r->answer);
	}
}

static void order_facts(struct report *r)
{
	const struct rows *t = &r->rows;

	if (!t->o.symbol)
		answer_fact(&r->answer, "order", "by %s weight",
			    t->o.by_children ? "inclusive (children)" : "self");
	answer_fact(&r->answer, "percentage",
		    r->percentage == RELATIVE ? "relative: of what passed the filters"
					      : "absolute: of all samples of the event");
	samples_rare(r->others, &r->answer);
	folding_rare(&r->folding, &r->answer);
	if (r->left_out)
		answer_warn(&r->answer, "left out", "%zu rows below %s", r->left_out,
			    PERCENT_TEXT(r->limit));
	if (r->graph.left_out)
		answer_warn(
			&r->answer, "left out",
			"branches of the call trees of %zu rows: there is no room for more lines",
			r->graph.left_out);
	if (r->more.full)
		answer_warn(&r->answer, "keys", "fields beyond the first %d are left out",
			    MORE_KEYS);
	weigh_facts(&r->weigh, &r->answer);
	answer_held(&r->answer, t->overflow);
}

static const char *no_stack(struct report *r)
{
	struct buf b = { 0 };
	const char *text;

	buf_printf(&b, "no stack has '%s'", r->rows.o.symbol);
	text = answer_string(&r->answer, b.data);
	buf_release(&b);
	return text;
}

/* ---- rows ---- */

static bool passes_filter(const struct report *r, const struct row *row)
{
	uint64_t sym = row_key(&r->rows, row, KEY_SYM);

	if (!r->symbol_filter || row->subtotal)
		return true;
	return sym != KEY_NONE &&
	       strstr(intern_str(&r->rows.texts, (uint32_t)sym), r->symbol_filter);
}

/* Rows that --symbol-filter leaves out are none of those that percentages are relative to. */
static void weigh_filtered(struct report *r)
{
	struct rows *t = &r->rows;

	for (size_t i = 0; i < t->event_count && r->symbol_filter; i++)
		t->events[i].weight = 0;
	for (size_t i = 0; i < t->row_count && r->symbol_filter; i++) {
		struct row *row = &t->rows[i];

		if (!row->subtotal && passes_filter(r, row))
			(void)add_held(&t->events[row_key(t, row, KEY_EVENT)].weight, row->self);
	}
}

/* Does ROW stand in the answer? */
static bool is_shown(struct report *r, const struct row *row)
{
	bool called_only = !row->self && !row->samples;

	if ((!r->rows.o.by_children && called_only && !r->given_fields) || !passes_filter(r, row))
		return false;
	if (percent_of((double)row_weight(&r->rows, row), (double)report_whole(r, row)) >= r->limit)
		return true;
	r->left_out++;
	return false;
}

/* What of the call trees is below any threshold need not be made. */
static bool wants_tree(const struct report *r, const struct row *row)
{
	double share = percent_of((double)row_weight(&r->rows, row), (double)report_whole(r, row));

	return r->graph.o.type && !row->subtotal &&
	       (r->graph.o.type == CALL_GRAPH_FRACTAL || share >= r->graph.o.threshold);
}

struct branch_of {
	struct report *report;
	const struct row *row;
};

static void take_branch(void *ctx, const struct call_branch *b)
{
	const struct branch_of *of = ctx;

	report_add_branch(of->report, of->row, b);
}

static void add_rows(struct report *r, const uint32_t *order)
{
	struct rows *t = &r->rows;
	bool *shown = xcalloc(t->row_count + 1, sizeof(*shown));
	bool *wanted = xcalloc(t->row_count + 1, sizeof(*wanted));

	for (size_t i = 0; i < t->row_count; i++) {
		shown[i] = is_shown(r, &t->rows[i]);
		wanted[i] = shown[i] && wants_tree(r, &t->rows[i]);
	}
	if (r->graph.o.type)
		call_graph_begin(&r->graph, t, wanted);
	for (size_t i = 0; i < t->row_count; i++) {
		struct row *row = &t->rows[order[i]];

		if (!shown[order[i]])
			continue;
		report_add_row(r, row);
		if (wanted[order[i]])
			call_graph_walk(&r->graph,
					&(struct call_rows){ t, order[i], report_whole(r, row) },
					take_branch, &(struct branch_of){ r, row });
	}
	free(shown);
	free(wanted);
}

static void result(void *state, struct result *out)
{
	struct report *r = state;
	struct rows *t = &r->rows;
	uint32_t *order;

	out->title = "Report";
	out->separator = r->separator;
	if (r->shows_tasks || r->shows_stats) {
		if (r->shows_tasks)
			tasks_result(&r->tasks, &r->answer, out);
		else
			records_result(&r->records, &r->answer, out);
		return;
	}
	if (r->reads_text) {
		choose_order(r, true);
		stackset_finish(&r->folding.set);
		rows_stacks(t, &r->folding.set.part, r->folding.set.names.count);
		folding_forget(&r->folding);
	}
	weigh_filtered(r);
	report_make_columns(r);
	order = rows_sorted(t);
	if (r->given_fields)
		report_order_by_fields(r, order);
	add_rows(r, order);
	free(order);
	event_facts(r);
	symbol_facts(r);
	order_facts(r);
	answer_result(&r->answer, r->columns, out);
	report_shape(r, &r->answer.table);
	out->none_answers = r->left_out;
	out->none = r->left_out	       ? "no row reaches --percent-limit"
		    : r->symbol_filter ? "no function has the text of --symbol-filter"
		    : t->o.symbol      ? no_stack(r)
				       : NULL;
}

static void release(void *state)
{
	struct report *r = state;

	if (r->rows.o.chain.parent)
		regfree(&r->parent_regex);
	if (r->rows.o.chain.ignore)
		regfree(&r->ignore_regex);
	tasks_release(&r->tasks);
	records_release(&r->records);
	more_keys_release(&r->more);
	weigh_release(&r->weigh);
	call_graph_release(&r->graph);
	report_lines_release(&r->lines);
	rows_release(&r->rows);
	folding_release(&r->folding);
	answer_release(&r->answer);
}

const struct analyzer analyzer_report = {
	.name = "report",
	.summary = "self and inclusive weight by function, module, thread and more",
	.question = QUESTION_TIME,
	.wants = PDT_WANT_STACKS | PDT_WANT_COMMS,
	.shapes = SHAPE_TABLE,
	.options = options,
	.state_size = sizeof(struct report),
	.begin = begin,
	.configure = configure,
	.event = event,
	.part = part,
	.part_spoilt = part_spoilt,
	.part_end = part_end,
	.finish = finish,
	.text = text,
	.result = result,
	.release = release,
};
