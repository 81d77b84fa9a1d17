/* The life of a struct pdt_session. What can run out of memory goes through owner_run(); the rest
 * (told.c, places.c) looks at what is there and takes nothing. */
#include "parser/library/door.h"
#include "parser/eventname.h"
#include "parser/fieldfilter.h"
#include "parser/pdtool_columns.h"
#include "parser/seen.h"
#include "parser/base/die.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define JOBS_MAX 1024

const char *pdt_version(void)
{
	return PDTOOL_VERSION;
}

const char *pdt_error_text(int error)
{
	static const char *const texts[] = {
		[0] = "no error",
		[-PDT_ERR_IO] = "the system refused to open or to read",
		[-PDT_ERR_FORMAT] = "not a capture, or too damaged",
		[-PDT_ERR_ABSENT] = "not there",
		[-PDT_ERR_USAGE] = "an invalid value, or calls in the wrong order",
		[-PDT_ERR_MEMORY] = "out of memory",
	};

	return error <= 0 && error > -(int)ARRAY_SIZE(texts) ? texts[-error] : "unknown error";
}

/* ---- a session ---- */

/* One call that can fail. */
struct call {
	struct pdt_session *s;
	int option;
	const char *text; /* of an option, or the path */
	const struct pdt_columns *columns;
};

struct run {
	int (*fn)(void *arg);
	void *arg;
	int rc;
};

static void run_now(void *arg)
{
	struct run *r = arg;

	r->rc = r->fn(r->arg);
}

static const char *fatal_text(const struct warnings *w)
{
	for (size_t i = 0; i < w->count; i++) {
		if (w->list[i].severity == SEV_FATAL)
			return w->list[i].first;
	}
	return NULL;
}

static int failed(struct pdt_session *s, int rc)
{
	const char *text = rc == PDT_ERR_MEMORY ? NULL : fatal_text(&s->warnings);

	s->message = text ? text : pdt_error_text(rc);
	return rc;
}

/* Memory ran out: nothing of S can be asked any more. */
static void died(struct pdt_session *s)
{
	s->stage = STAGE_DEAD;
	s->session = NULL;
	s->warnings = (struct warnings){ 0 };
	s->options = (struct session_options){ 0 };
	(void)failed(s, PDT_ERR_MEMORY);
}

static int guarded(struct pdt_session *s, int (*fn)(void *arg), void *arg)
{
	struct run r = { .fn = fn, .arg = arg };

	if (!owner_run(&s->owner, run_now, &r)) {
		died(s);
		r.rc = PDT_ERR_MEMORY;
	}
	return r.rc < 0 ? failed(s, r.rc) : r.rc;
}

/* A call out of turn. */
static int refused(struct pdt_session *s)
{
	int rc = s->stage == STAGE_DEAD ? PDT_ERR_MEMORY : PDT_ERR_USAGE;

	s->message = pdt_error_text(rc);
	return rc;
}

int door_run(struct pdt_session *s, enum stage stage, int (*fn)(void *arg), void *arg)
{
	return s->stage == stage ? guarded(s, fn, arg) : refused(s);
}

struct pdt_session *pdt_new(void)
{
	struct pdt_session *s = outside_alloc(sizeof(*s));

	if (!s)
		return NULL;
	owner_init(&s->owner);
	s->options.jobs = 1;
	s->message = pdt_error_text(0);
	return s;
}

/* What pdt_set() copied. */
static void free_texts(struct symbol_options *o)
{
	const char *const texts[] = { o->symfs, o->buildid_dir, o->kallsyms, o->vmlinux, o->arch };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		free((void *)texts[i]);
	for (size_t i = 0; i < o->perf_map_dir_count; i++)
		free((void *)o->perf_map_dirs[i]);
	free((void *)o->perf_map_dirs);
}

static void free_filter(struct filter *f)
{
	struct num_list *const numbers[] = { &f->pids, &f->tids, &f->cpus };

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		free(numbers[i]->list);
	name_list_release(&f->events);
	name_list_release(&f->comms);
	free((void *)f->time);
	free((void *)f->fields);
}

static void close_now(void *arg)
{
	struct pdt_session *s = arg;

	session_close(s->session);
	sources_free(s->options.symbols.sources);
	free_texts(&s->options.symbols);
	free_filter(&s->options.filter);
	warnings_release(&s->warnings);
}

void pdt_close(struct pdt_session *s)
{
	if (!s)
		return;
	(void)!owner_run(&s->owner, close_now, s);
	owner_release(&s->owner);
	outside_free(s);
}

static int set_flag(bool *out, const char *value)
{
	if (strcmp(value, "0") && strcmp(value, "1"))
		return PDT_ERR_USAGE;
	*out = *value == '1';
	return 0;
}

static int set_jobs(unsigned *out, const char *value)
{
	char *end;
	unsigned long n = strtoul(value, &end, 10);

	if (*end || end == value || !n || n > JOBS_MAX)
		return PDT_ERR_USAGE;
	*out = (unsigned)n;
	return 0;
}

static int add_source(struct pdt_session *s, const char *path)
{
	struct symbol_options *o = &s->options.symbols;

	if (!o->sources)
		o->sources = sources_new();
	return sources_add(o->sources, path, &s->warnings);
}

static int set_text(const char **out, const char *value)
{
	free((void *)*out);
	*out = xstrdup(value);
	return 0;
}

static int add_perf_map_dir(struct symbol_options *o, const char *path)
{
	size_t n = o->perf_map_dir_count + 1;
	const char **dirs = xmalloc(n * sizeof(*dirs));

	for (size_t i = 0; i + 1 < n; i++)
		dirs[i] = o->perf_map_dirs[i];
	dirs[n - 1] = xstrdup(path);
	free((void *)o->perf_map_dirs);
	o->perf_map_dirs = dirs;
	o->perf_map_dir_count = n;
	return 0;
}

static int set_fields(struct pdt_session *s, const char *value)
{
	struct buf why = { 0 };
	int rc = filter_fields_check(value, &why);

	if (rc < 0)
		warn_add(&s->warnings, SEV_FATAL, "filter", "%s: expected %s", value, why.data);
	buf_release(&why);
	return rc < 0 ? rc : set_text(&s->options.filter.fields, value);
}

static int set_filter(struct call *c)
{
	struct filter *f = &c->s->options.filter;

	switch (c->option) {
	case PDT_EVENTS:
		return event_names_parse(&f->events, c->text);
	case PDT_COMMS:
		return name_list_parse(&f->comms, c->text);
	case PDT_PIDS:
		return num_list_parse(&f->pids, c->text);
	case PDT_TIDS:
		return num_list_parse(&f->tids, c->text);
	case PDT_CPUS:
		return num_list_parse(&f->cpus, c->text);
	case PDT_TIME:
		return set_text(&f->time, c->text);
	case PDT_FILTER:
		return set_fields(c->s, c->text);
	default:
		return PDT_ERR_USAGE;
	}
}

static int set_now(void *arg)
{
	struct call *c = arg;
	struct session_options *o = &c->s->options;
	struct symbol_options *symbols = &o->symbols;

	switch (c->option) {
	case PDT_SYMBOLS:
		return add_source(c->s, c->text);
	case PDT_SYMFS:
		return set_text(&symbols->symfs, c->text);
	case PDT_BUILDID_DIR:
		return set_text(&symbols->buildid_dir, c->text);
	case PDT_KALLSYMS:
		return set_text(&symbols->kallsyms, c->text);
	case PDT_VMLINUX:
		return set_text(&symbols->vmlinux, c->text);
	case PDT_PERF_MAP_DIR:
		return add_perf_map_dir(symbols, c->text);
	case PDT_NO_HOST:
		return set_flag(&symbols->no_host, c->text);
	case PDT_UNVERIFIED:
		return set_flag(&symbols->allow_unverified, c->text);
	case PDT_RAW_NAMES:
		return set_flag(&symbols->no_demangle, c->text);
	case PDT_ARCHITECTURE:
		return set_text(&symbols->arch, c->text);
	case PDT_JOBS:
		return set_jobs(&o->jobs, c->text);
	default:
		return set_filter(c);
	}
}

int pdt_set(struct pdt_session *s, int option, const char *value)
{
	struct call c = { .s = s, .option = option, .text = value };

	return value ? door_run(s, STAGE_NEW, set_now, &c) : refused(s);
}

static int open_now(void *arg)
{
	struct call *c = arg;
	struct pdt_session *s = c->s;

	return session_open(&s->session, c->text, &s->options, &s->warnings);
}

int pdt_open(struct pdt_session *s, const char *path, unsigned wants)
{
	struct call c = { .s = s, .text = path };
	int rc;

	if (s->stage != STAGE_NEW || !path)
		return refused(s);
	s->options.needs = wants;
	if (s->options.filter.fields)
		s->options.needs |= PDT_WANT_FIELDS | PDT_WANT_COMMS;
	s->stage = STAGE_EVENTS;
	rc = guarded(s, open_now, &c);
	if (rc < 0 && s->stage != STAGE_DEAD)
		s->stage = STAGE_NAMES; /* nothing more can be asked */
	return rc;
}

static int next_now(void *arg)
{
	struct call *c = arg;

	return session_next(c->s->session, &c->s->event);
}

static int next_columns_now(void *arg)
{
	struct call *c = arg;

	return session_columns(c->s->session, &c->columns);
}

int door_read(struct pdt_session *s, int (*fn)(void *arg), void *arg)
{
	int rc = 0;

	if (s->stage == STAGE_EVENTS)
		rc = guarded(s, fn, arg);
	else if (s->stage != STAGE_END)
		return refused(s);
	if (rc == 0)
		s->stage = STAGE_END;
	return rc;
}

int pdt_next(struct pdt_session *s, const struct pdt_event **e)
{
	struct call c = { .s = s };
	int rc = door_read(s, next_now, &c);

	*e = rc == 1 ? &s->event : NULL;
	return rc;
}

int pdt_next_columns(struct pdt_session *s, const struct pdt_columns **out)
{
	struct call c = { .s = s };
	int rc = door_read(s, next_columns_now, &c);

	*out = rc == 1 ? c.columns : NULL;
	return rc;
}

static int resolve_now(void *arg)
{
	session_resolve(arg);
	return 0;
}

int pdt_resolve(struct pdt_session *s)
{
	if (s->stage != STAGE_END)
		return refused(s);
	s->stage = STAGE_NAMES;
	return guarded(s, resolve_now, s->session);
}

const char *pdt_message(const struct pdt_session *s)
{
	return s->message;
}

/* ---- the tool's own way in ---- */

int door_open(struct pdt_session **out, const char *path, const struct session_options *o,
	      struct warnings *w)
{
	struct session *session;
	int rc = session_open(&session, path, o, w);

	*out = NULL;
	if (rc < 0)
		return rc;
	*out = pdt_new();
	if (!*out)
		mem_die(sizeof(**out));
	(*out)->session = session;
	(*out)->stage = STAGE_EVENTS;
	return 0;
}

const struct filter *filter_of(const struct pdt_session *s)
{
	return session_filter(s->session);
}

uint64_t filter_span(const struct pdt_session *s)
{
	return num_list_within(&filter_of(s)->times, pdt_number(s, PDT_FIRST_NS),
			       pdt_number(s, PDT_LAST_NS));
}

const struct seen *seen_of(const struct pdt_session *s)
{
	return session_seen(s->session);
}

const struct event_list *events_of(const struct pdt_session *s)
{
	return &session_capture(s->session)->events;
}

uint64_t clock_shift(const struct pdt_session *s)
{
	const struct capture_meta *m = &session_capture(s->session)->meta;

	return session_filter(s->session)->clock == CLOCK_WALL && m->has_clock_data
		       ? m->wall_ns - m->clock_ns
		       : 0;
}

struct field_answer filter_ask(const struct pdt_session *s, const struct pdt_event *e)
{
	struct field_filter *f = session_fields(s->session);

	return f ? field_filter_ask(f, e, session_comm(s->session, e->comm))
		 : (struct field_answer){ 0, 0 };
}

bool filter_holds(const struct pdt_session *s, struct field_answer a)
{
	struct field_filter *f = session_fields(s->session);

	return !f || field_filter_holds(f, a);
}

uint64_t filter_passed(const struct pdt_session *s)
{
	const struct field_filter *f = session_fields(s->session);

	return f ? field_filter_passed(f) : 0;
}

const char *filter_unfit(const struct pdt_session *s)
{
	const struct field_filter *f = session_fields(s->session);

	return f ? field_filter_unfit(f) : NULL;
}

const char *filter_lacking(const struct pdt_session *s)
{
	struct field_filter *f = session_fields(s->session);

	return f ? field_filter_lacking(f) : NULL;
}
