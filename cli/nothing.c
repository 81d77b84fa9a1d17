/* Looks at each filter on its own, by what the session counted before any filter, then at all of
 * them together. */
#include "cli/nothing.h"
#include "cli/there.h"
#include "formats/model/amount.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/eventname.h"
#include "parser/pdtool_record.h"
#include "parser/library/door.h"
#include "parser/pdtool_module.h"
#include "parser/seen.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What one capture has of what is asked for. */
struct look {
	const struct pdt_session *s;
	const struct filter *f;
	const struct seen *seen;
	const char *command;
	bool stacks; /* the command asks for them */
	struct buf *out;
};

/* One filter. */
struct aspect {
	const char *option;
	bool (*given)(const struct filter *f);
	void (*asked)(const struct look *l, struct buf *out);
	/* Samples that pass this one alone; where they are not counted, 1 or 0. */
	uint64_t (*passing)(const struct look *l);
	bool counts;
	/* That there is nothing of it, and what there is. */
	void (*lacks)(const struct look *l);
};

static void put_names(const struct name_list *l, struct buf *out)
{
	for (size_t i = 0; i < l->count; i++)
		buf_printf(out, "%s%s", i ? "," : "", l->list[i]);
}

static void put_nums(const struct num_list *l, struct buf *out)
{
	for (size_t i = 0; i < l->count; i++) {
		buf_printf(out, "%s%" PRIu64, i ? "," : "", l->list[i].lo);
		if (l->list[i].hi != l->list[i].lo)
			buf_printf(out, "-%" PRIu64, l->list[i].hi);
	}
}

/* ---- --event ---- */

static void add_events(const struct look *l, struct there *t)
{
	const struct pdt_desc *d;

	for (size_t i = 0; (d = pdt_desc_at(l->s, i)) != NULL; i++)
		there_add(t, pdt_desc_name(d), pdt_desc_samples(l->s, d));
}

static bool events_given(const struct filter *f)
{
	return f->events.count;
}

static void events_asked(const struct look *l, struct buf *out)
{
	put_names(&l->f->events, out);
}

/* The samples, or the counters, of those that --event means; *KNOWN: there is one, with samples or
 * not. */
static uint64_t chosen_samples(const struct look *l, bool *known)
{
	const struct event_list *list = events_of(l->s);
	struct event_choice c = { 0 };
	const struct pdt_desc *d;
	uint64_t sum = 0;

	*known = false;
	for (size_t i = 0; (d = pdt_desc_at(l->s, i)) != NULL; i++) {
		if (!event_chosen(&c, list, &l->f->events, d))
			continue;
		*known = true;
		sum += pdt_desc_samples(l->s, d) ?: pdt_desc_number(l->s, d, PDT_DESC_COUNTERS);
	}
	event_choice_release(&c);
	return sum;
}

static uint64_t events_passing(const struct look *l)
{
	bool known;

	return chosen_samples(l, &known);
}

static void events_lack(const struct look *l)
{
	struct there t = { 0 };
	bool known;

	(void)chosen_samples(l, &known);
	buf_str(l->out, known ? "recorded, but without samples" : "no such event");
	add_events(l, &t);
	if (!there_put(&t, known ? NULL : &l->f->events, l->out) && !known)
		buf_printf(l->out, "; perf record -e %s records it", l->f->events.list[0]);
	there_release(&t);
}

/* ---- --comms ---- */

static bool comms_given(const struct filter *f)
{
	return f->comms.count;
}

static void comms_asked(const struct look *l, struct buf *out)
{
	put_names(&l->f->comms, out);
}

static uint64_t comms_passing(const struct look *l)
{
	const struct seen_numbers *n = &l->seen->comms;
	uint64_t sum = 0;

	for (size_t i = 0; i < n->count; i++) {
		const char *name = pdt_comm(l->s, (uint32_t)n->list[i].value);

		sum += name && name_list_matches(&l->f->comms, name) ? n->list[i].samples : 0;
	}
	return sum;
}

static void comms_lack(const struct look *l)
{
	const struct seen_numbers *n = &l->seen->comms;
	struct there t = { 0 };

	for (size_t i = 0; i < n->count; i++)
		there_add(&t, pdt_comm(l->s, (uint32_t)n->list[i].value) ?: "", n->list[i].samples);
	buf_str(l->out, "no such command");
	there_put(&t, &l->f->comms, l->out);
	if (!t.count)
		buf_str(l->out, "; the threads of the samples have no names");
	there_release(&t);
}

/* ---- --pid, --tid, --cpu ---- */

static bool pids_given(const struct filter *f)
{
	return f->pids.count;
}

static bool tids_given(const struct filter *f)
{
	return f->tids.count;
}

static bool cpus_given(const struct filter *f)
{
	return f->cpus.count;
}

static void pids_asked(const struct look *l, struct buf *out)
{
	put_nums(&l->f->pids, out);
}

static void tids_asked(const struct look *l, struct buf *out)
{
	put_nums(&l->f->tids, out);
}

static void cpus_asked(const struct look *l, struct buf *out)
{
	put_nums(&l->f->cpus, out);
}

static uint64_t pids_passing(const struct look *l)
{
	return seen_passing(&l->seen->pids, &l->f->pids);
}

static uint64_t tids_passing(const struct look *l)
{
	return seen_passing(&l->seen->tids, &l->f->tids);
}

static uint64_t cpus_passing(const struct look *l)
{
	return seen_passing(&l->seen->cpus, &l->f->cpus);
}

/* How far V is from the range R. */
static uint64_t distance(uint64_t v, struct num_range r)
{
	return v < r.lo ? r.lo - v : v > r.hi ? v - r.hi : 0;
}

/* The one of N, which has some, that is closest to the first range of ASKED. */
static uint64_t nearest_number(const struct seen_numbers *n, const struct num_list *asked)
{
	uint64_t near = n->list[0].value;

	for (size_t i = 1; i < n->count; i++) {
		if (distance(n->list[i].value, asked->list[0]) < distance(near, asked->list[0]))
			near = n->list[i].value;
	}
	return near;
}

/* RECORDED_BY: an option of the recorder, where none is told. */
static void numbers_lack(const struct look *l, const char *what, const struct seen_numbers *n,
			 const struct num_list *asked, const char *recorded_by)
{
	struct there t = { 0 };
	char text[24];

	for (size_t i = 0; i < n->count; i++) {
		snprintf(text, sizeof(text), "%" PRId32, (int32_t)n->list[i].value);
		there_add(&t, text, n->list[i].samples);
	}
	buf_str(l->out, what);
	there_put(&t, NULL, l->out);
	if (n->count)
		buf_printf(l->out, "; nearest: %" PRId32, (int32_t)nearest_number(n, asked));
	else
		buf_printf(l->out, "; samples do not tell theirs%s", recorded_by);
	there_release(&t);
}

static void pids_lack(const struct look *l)
{
	numbers_lack(l, "no such process", &l->seen->pids, &l->f->pids, "");
}

static void tids_lack(const struct look *l)
{
	numbers_lack(l, "no such thread", &l->seen->tids, &l->f->tids, "");
}

static void cpus_lack(const struct look *l)
{
	numbers_lack(l, "no samples of such a CPU", &l->seen->cpus, &l->f->cpus,
		     " (perf record --sample-cpu)");
}

/* ---- --time ---- */

static bool times_given(const struct filter *f)
{
	return f->times.count;
}

static void times_asked(const struct look *l, struct buf *out)
{
	buf_str(out, l->f->time ?: "");
}

static uint64_t times_passing(const struct look *l)
{
	return l->seen->in_times;
}

static bool times_meet(const struct look *l)
{
	uint64_t first = pdt_number(l->s, PDT_FIRST_NS), last = pdt_number(l->s, PDT_LAST_NS);

	for (size_t i = 0; i < l->f->times.count; i++) {
		if (l->f->times.list[i].lo <= last && l->f->times.list[i].hi >= first)
			return true;
	}
	return false;
}

static void times_lack(const struct look *l)
{
	if (!pdt_number(l->s, PDT_LAST_NS)) {
		buf_str(l->out, "samples do not tell their time (perf record -T)");
		return;
	}
	buf_printf(l->out, "%s; the samples are from %s to %s",
		   times_meet(l) ? "no sample in that time" : "outside the capture",
		   TIME_TEXT(pdt_number(l->s, PDT_FIRST_NS)),
		   TIME_TEXT(pdt_number(l->s, PDT_LAST_NS)));
}

/* ---- --filter ---- */

static bool fields_given(const struct filter *f)
{
	return f->fields;
}

static void fields_asked(const struct look *l, struct buf *out)
{
	buf_printf(out, "'%s'", l->f->fields);
}

static uint64_t fields_passing(const struct look *l)
{
	return filter_passed(l->s);
}

static void fields_lack(const struct look *l)
{
	buf_str(l->out, filter_lacking(l->s) ?: "no event has such values");
}

/* ---- --dsos, --symbol: at the samples' own addresses ---- */

static bool modules_given(const struct filter *f)
{
	return f->dsos.count;
}

static bool functions_given(const struct filter *f)
{
	return f->symbols.count;
}

static void modules_asked(const struct look *l, struct buf *out)
{
	put_names(&l->f->dsos, out);
}

static void functions_asked(const struct look *l, struct buf *out)
{
	put_names(&l->f->symbols, out);
}

static const char *function_name(const struct look *l, uint32_t loc)
{
	return loc == PDT_NONE ? NULL : pdt_function_at(l->s, loc, 0).name;
}

static const char *module_name(const struct look *l, uint32_t loc)
{
	const char *path = pdt_location_module(l->s, loc);
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash && slash[1] ? slash + 1 : path;
}

static uint64_t modules_passing(const struct look *l)
{
	size_t count = session_stacks(l->s->session)->count;

	for (size_t i = 0; i < count; i++) {
		uint32_t loc = pdt_stack_at(l->s, (uint32_t)i).ip;

		if (filter_module(l->f, pdt_location_module(l->s, loc)))
			return 1;
	}
	return 0;
}

static uint64_t functions_passing(const struct look *l)
{
	size_t count = session_stacks(l->s->session)->count;

	for (size_t i = 0; i < count; i++) {
		uint32_t loc = pdt_stack_at(l->s, (uint32_t)i).ip;

		if (filter_function(l->f, function_name(l, loc), pdt_location_name(l->s, loc)))
			return 1;
	}
	return 0;
}

static void places_lack(const struct look *l, const char *what, const struct name_list *asked,
			const char *(*name_of)(const struct look *l, uint32_t loc))
{
	size_t count = session_stacks(l->s->session)->count;
	bool *had = xcalloc(pdt_location_count(l->s) + 1, sizeof(*had));
	struct there t = { 0 };

	for (size_t i = 0; i < count; i++) {
		uint32_t loc = pdt_stack_at(l->s, (uint32_t)i).ip;
		const char *name = name_of(l, loc);

		if (name && !had[loc])
			there_add(&t, name, 0);
		if (name)
			had[loc] = true;
	}
	buf_str(l->out, what);
	there_put(&t, asked, l->out);
	there_release(&t);
	free(had);
}

static void modules_lack(const struct look *l)
{
	places_lack(l, "no sample in such a module", &l->f->dsos, module_name);
}

static void functions_lack(const struct look *l)
{
	places_lack(l, "no sample in such a function", &l->f->symbols, function_name);
}

/* ---- all ---- */

static const struct aspect aspects[] = {
	{ "event", events_given, events_asked, events_passing, true, events_lack },
	{ "comms", comms_given, comms_asked, comms_passing, true, comms_lack },
	{ "pid", pids_given, pids_asked, pids_passing, true, pids_lack },
	{ "tid", tids_given, tids_asked, tids_passing, true, tids_lack },
	{ "cpu", cpus_given, cpus_asked, cpus_passing, true, cpus_lack },
	{ "time", times_given, times_asked, times_passing, true, times_lack },
	{ "filter", fields_given, fields_asked, fields_passing, false, fields_lack },
	{ "dsos", modules_given, modules_asked, modules_passing, false, modules_lack },
	{ "symbol", functions_given, functions_asked, functions_passing, false, functions_lack },
};

static void put_option(const struct look *l, const struct aspect *a)
{
	buf_printf(l->out, "--%s ", a->option);
	a->asked(l, l->out);
}

/* Every filter has something, but nothing passes all of them, or is of use. */
static void put_together(const struct look *l)
{
	uint64_t all = pdt_number(l->s, PDT_SAMPLES);
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(aspects); i++) {
		uint64_t n;

		if (!aspects[i].given(l->f))
			continue;
		buf_str(l->out, count++ ? ", " : "");
		put_option(l, &aspects[i]);
		n = aspects[i].passing(l);
		if (aspects[i].counts)
			buf_printf(l->out, " (%s %s)", COUNT_TEXT(n), samples_word(n));
	}
	if (count > 1 && !pdt_number(l->s, PDT_SAMPLES_USED))
		buf_str(l->out, ": no sample passes all of them");
	else if (count)
		buf_printf(l->out, ": nothing of it that %s shows", l->command);
	else
		buf_printf(l->out, "%s %s, with nothing that %s shows", COUNT_TEXT(all),
			   samples_word(all), l->command);
	if (l->stacks && !pdt_number(l->s, PDT_CHAINS) && !pdt_number(l->s, PDT_USER_STACKS))
		buf_str(l->out, "; no stacks were recorded (perf record -g)");
}

static uint64_t switch_records(const struct pdt_session *s)
{
	uint64_t count, sum = 0;
	uint32_t type;

	for (size_t i = 0; pdt_record_count(s, i, &type, &count); i++)
		sum += type == RECORD_SWITCH || type == RECORD_SWITCH_CPU_WIDE ? count : 0;
	return sum;
}

static uint64_t counters(const struct pdt_session *s)
{
	const struct pdt_desc *d;
	uint64_t sum = 0;

	for (size_t i = 0; (d = pdt_desc_at(s, i)) != NULL; i++)
		sum += pdt_desc_number(s, d, PDT_DESC_COUNTERS);
	return sum;
}

static void put_empty(const struct look *l)
{
	const char *trouble = pdt_warning(l->s, 0, NULL);
	const struct pdt_desc *d;
	size_t i;

	buf_str(l->out, "no samples");
	for (i = 0; (d = pdt_desc_at(l->s, i)) != NULL && i < 8; i++)
		buf_printf(l->out, "%s%s", i ? ", " : "; recorded: ", pdt_desc_name(d));
	if (pdt_desc_count(l->s) > i)
		buf_printf(l->out, " and %zu more", pdt_desc_count(l->s) - i);
	if (pdt_number(l->s, PDT_AUX_BYTES))
		buf_printf(l->out, "; %s of hardware trace (AUX) hold none that is %s",
			   BYTES_TEXT(pdt_number(l->s, PDT_AUX_BYTES)),
			   session_is_traced(l->s->session) ? "asked for" : "decoded");
	if (trouble)
		buf_printf(l->out, "; %s", trouble);
	if (!strcmp(l->command, "info"))
		buf_str(l->out, " (--allow-empty shows the rest)");
}

static const struct aspect *first_lacking(const struct look *l)
{
	for (size_t i = 0; i < ARRAY_SIZE(aspects); i++) {
		if (aspects[i].given(l->f) && !aspects[i].passing(l))
			return &aspects[i];
	}
	return NULL;
}

/* False: there are no samples, or none that one of the filters lets pass. */
static bool explain(const struct look *l)
{
	const struct aspect *lacking = first_lacking(l);

	if (!pdt_number(l->s, PDT_SAMPLES)) {
		put_empty(l);
	} else if (lacking) {
		put_option(l, lacking);
		buf_str(l->out, ": ");
		lacking->lacks(l);
	} else {
		put_together(l);
	}
	return !lacking && pdt_number(l->s, PDT_SAMPLES);
}

/* What is sure before the analyzer answers. One that filters by itself looks at tasks that took no
 * sample, and at time between samples, too. */
static bool lacks(const struct look *l, const struct analyzer *a)
{
	const struct filter *f = l->f;
	bool empty = !pdt_number(l->s, PDT_SAMPLES) && !switch_records(l->s) && !counters(l->s);

	if (empty)
		return !a->judges;
	if ((events_given(f) && !events_passing(l)) || (fields_given(f) && !fields_passing(l)))
		return true;
	if ((modules_given(f) && !modules_passing(l)) ||
	    (functions_given(f) && !functions_passing(l)))
		return true;
	if (a->wants & PDT_WANT_ALL)
		return (times_given(f) && !times_meet(l)) || (cpus_given(f) && !cpus_passing(l));
	return pdt_number(l->s, PDT_SAMPLES) && !pdt_number(l->s, PDT_SAMPLES_USED);
}

bool nothing_look(struct nothing *n, const struct analyzer *a, const struct pdt_session *s)
{
	struct look l = {
		s, filter_of(s), seen_of(s), a->name, a->wants & PDT_WANT_STACKS, &n->now
	};
	bool found = !lacks(&l, a);

	n->now.len = 0;
	buf_printf(&n->now, "%s: ", pdt_text(s, PDT_PATH));
	n->found |= found;
	n->has_all |= explain(&l) || (a->wants & PDT_WANT_COUNTERS && counters(s));
	if (!n->path.len) {
		buf_str(&n->path, pdt_text(s, PDT_PATH));
		buf_str(&n->line, n->now.data);
	}
	return found;
}

void nothing_text(struct nothing *n, const char *path)
{
	n->found = n->has_all = true;
	if (n->path.len)
		return;
	buf_str(&n->path, path);
	buf_printf(&n->line, "%s: no stacks", path);
}

const char *nothing_filter(const struct filter *f)
{
	for (size_t i = 0; i < ARRAY_SIZE(aspects); i++) {
		if (aspects[i].given(f))
			return aspects[i].option;
	}
	return f->time ? "time" : f->no_idle ? "no-idle" : NULL;
}

bool nothing_answers(const struct nothing *n, const struct result *r)
{
	return r->none_answers && n->has_all;
}

const char *nothing_why(struct nothing *n, const struct result *r)
{
	if (!r->none || !n->has_all)
		return n->line.data;
	n->lines.len = 0;
	buf_printf(&n->lines, "%s: %s", n->path.data, r->none);
	return n->lines.data;
}

int nothing_check_events(const struct pdt_session *s, struct warnings *w)
{
	const struct name_list *names = &filter_of(s)->events;
	struct buf several = { 0 };
	int rc = 0;

	for (size_t i = 0; i < names->count && rc == 0; i++) {
		if (!event_ambiguous(events_of(s), names->list[i], &several))
			continue;
		rc = ERR_USAGE;
		warn_add(w, SEV_FATAL, "several-events",
			 "%s: --event %s means several events, name one of them: %s",
			 pdt_text(s, PDT_PATH), names->list[i], several.data);
	}
	buf_release(&several);
	return rc;
}

void nothing_release(struct nothing *n)
{
	buf_release(&n->now);
	buf_release(&n->path);
	buf_release(&n->line);
	buf_release(&n->lines);
}
