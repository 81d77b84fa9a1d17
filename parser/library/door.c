/* The functions of parser/pdtool.h. What can run out of memory goes through owner_run(); the rest
 * looks at what is there and takes nothing. */
#include "parser/library/owner.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/pdtool.h"
#include "parser/record/record.h"
#include "parser/session.h"

#include <stdlib.h>
#include <string.h>

#define JOBS_MAX 1024

struct pdt_event {
	struct event e;
	const struct pdt_session *session;
};

enum stage { STAGE_NEW, STAGE_EVENTS, STAGE_END, STAGE_NAMES, STAGE_DEAD };

struct pdt_session {
	struct owner owner;
	enum stage stage;
	struct warnings warnings;
	struct session_options options;
	unsigned wants;
	struct session *session; /* NULL: not open */
	struct pdt_event event;
	const char *message;
};

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
	int (*fn)(struct call *c);
	int option;
	const char *text; /* of an option, or the path */
	int rc;
};

static void run_call(void *arg)
{
	struct call *c = arg;

	c->rc = c->fn(c);
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
	const char *text =
		rc == PDT_ERR_MEMORY || rc == PDT_ERR_USAGE ? NULL : fatal_text(&s->warnings);

	s->message = text ? text : pdt_error_text(rc);
	return rc;
}

static int guarded(struct call *c)
{
	struct pdt_session *s = c->s;

	if (!owner_run(&s->owner, run_call, c)) {
		s->stage = STAGE_DEAD;
		s->session = NULL;
		s->warnings = (struct warnings){ 0 };
		c->rc = PDT_ERR_MEMORY;
	}
	return c->rc < 0 ? failed(s, c->rc) : c->rc;
}

/* A call out of turn. */
static int refused(struct pdt_session *s)
{
	return failed(s, s->stage == STAGE_DEAD ? PDT_ERR_MEMORY : PDT_ERR_USAGE);
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

void pdt_close(struct pdt_session *s)
{
	if (!s)
		return;
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
	*out = xstrdup(value);
	return 0;
}

static int set_now(struct call *c)
{
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
		return set_text(&symbols->perf_map_dir, c->text);
	case PDT_NO_HOST:
		return set_flag(&symbols->no_host, c->text);
	case PDT_UNVERIFIED:
		return set_flag(&symbols->allow_unverified, c->text);
	case PDT_RAW_NAMES:
		return set_flag(&symbols->no_demangle, c->text);
	case PDT_JOBS:
		return set_jobs(&o->jobs, c->text);
	default:
		return PDT_ERR_USAGE;
	}
}

int pdt_set(struct pdt_session *s, int option, const char *value)
{
	struct call c = { .s = s, .fn = set_now, .option = option, .text = value };

	return s->stage == STAGE_NEW && value ? guarded(&c) : refused(s);
}

static unsigned needs_of(unsigned wants)
{
	static const struct {
		unsigned want, need;
	} rows[] = {
		{ PDT_WANT_STACKS, NEED_STACKS }, { PDT_WANT_COMMS, NEED_COMMS },
		{ PDT_WANT_FIELDS, NEED_RAW },	  { PDT_WANT_SWITCHES, NEED_SWITCH },
		{ PDT_WANT_TASKS, NEED_TASKS },	  { PDT_WANT_LOST, NEED_LOST },
	};
	unsigned needs = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		needs |= wants & rows[i].want ? rows[i].need : 0;
	return needs;
}

static int open_now(struct call *c)
{
	struct pdt_session *s = c->s;

	s->options.needs = needs_of(s->wants);
	s->options.symbols.lines = s->wants & PDT_WANT_LINES;
	s->options.symbols.inlines = s->wants & PDT_WANT_INLINES;
	s->event.session = s;
	return session_open(&s->session, c->text, &s->options, &s->warnings);
}

int pdt_open(struct pdt_session *s, const char *path, unsigned wants)
{
	struct call c = { .s = s, .fn = open_now, .text = path };
	int rc;

	if (s->stage != STAGE_NEW || !path)
		return refused(s);
	s->wants = wants;
	s->stage = STAGE_EVENTS;
	rc = guarded(&c);
	if (rc < 0 && s->stage != STAGE_DEAD)
		s->stage = STAGE_NAMES; /* nothing more can be asked */
	return rc;
}

static int next_now(struct call *c)
{
	return session_next(c->s->session, &c->s->event.e);
}

int pdt_next(struct pdt_session *s, const struct pdt_event **e)
{
	struct call c = { .s = s, .fn = next_now };
	int rc = 0;

	*e = NULL;
	if (s->stage == STAGE_EVENTS)
		rc = guarded(&c);
	else if (s->stage != STAGE_END)
		return refused(s);
	if (rc == 1)
		*e = &s->event;
	else if (rc == 0)
		s->stage = STAGE_END;
	return rc;
}

static int resolve_now(struct call *c)
{
	session_resolve(c->s->session);
	return 0;
}

int pdt_resolve(struct pdt_session *s)
{
	struct call c = { .s = s, .fn = resolve_now };
	int rc;

	if (s->stage != STAGE_END)
		return refused(s);
	s->stage = STAGE_NAMES;
	rc = guarded(&c);
	return rc;
}

const char *pdt_message(const struct pdt_session *s)
{
	return s->message;
}

const char *pdt_warning(const struct pdt_session *s, size_t i, uint64_t *count)
{
	if (i >= s->warnings.count)
		return NULL;
	if (count)
		*count = s->warnings.list[i].count;
	return s->warnings.list[i].first;
}

int pdt_record_count(const struct pdt_session *s, size_t i, uint32_t *type, uint64_t *count)
{
	return s->session && session_record_count(s->session, i, type, count);
}

const char *pdt_record_name(uint32_t type)
{
	return record_type_name(type);
}

/* ---- what was recorded ---- */

static const struct event_desc *desc_of(const struct pdt_desc *d)
{
	return (const struct event_desc *)d;
}

const struct pdt_desc *pdt_desc(const struct pdt_session *s, size_t i)
{
	const struct event_list *l = s->session ? &session_capture(s->session)->events : NULL;

	return l && i < l->count ? (const struct pdt_desc *)l->descs[i] : NULL;
}

const char *pdt_desc_name(const struct pdt_desc *d)
{
	return desc_of(d)->name;
}

uint32_t pdt_desc_type(const struct pdt_desc *d)
{
	return desc_of(d)->attr.type;
}

uint64_t pdt_desc_config(const struct pdt_desc *d)
{
	return desc_of(d)->attr.config;
}

uint64_t pdt_desc_samples(const struct pdt_session *s, const struct pdt_desc *d)
{
	return s->session ? session_event_stats(s->session, desc_of(d))->samples : 0;
}

/* ---- events ---- */

/* The kinds are handed out as they are. */
_Static_assert((int)PDT_SAMPLE == (int)EVENT_SAMPLE && (int)PDT_SWITCH_IN == (int)EVENT_SWITCH_IN &&
		       (int)PDT_SWITCH_OUT == (int)EVENT_SWITCH_OUT &&
		       (int)PDT_FORK == (int)EVENT_FORK && (int)PDT_EXIT == (int)EVENT_EXIT &&
		       (int)PDT_COMM == (int)EVENT_COMM && (int)PDT_LOST == (int)EVENT_LOST,
	       "enum pdt_kind is enum event_kind");
_Static_assert((int)PDT_ERR_IO == (int)ERR_IO && (int)PDT_ERR_FORMAT == (int)ERR_FORMAT &&
		       (int)PDT_ERR_ABSENT == (int)ERR_ABSENT &&
		       (int)PDT_ERR_USAGE == (int)ERR_USAGE,
	       "enum pdt_error begins with enum err");

int pdt_event_kind(const struct pdt_event *e)
{
	return e->e.kind;
}

uint64_t pdt_event_time_ns(const struct pdt_event *e)
{
	return e->e.time_ns;
}

int32_t pdt_event_cpu(const struct pdt_event *e)
{
	return e->e.has_cpu ? (int32_t)e->e.cpu : -1;
}

int32_t pdt_event_pid(const struct pdt_event *e)
{
	return (int32_t)e->e.pid;
}

int32_t pdt_event_tid(const struct pdt_event *e)
{
	return (int32_t)e->e.tid;
}

int32_t pdt_event_other_tid(const struct pdt_event *e)
{
	return e->e.kind == EVENT_SAMPLE ? -1 : (int32_t)e->e.other_tid;
}

const char *pdt_event_comm(const struct pdt_event *e)
{
	return session_comm(e->session->session, e->e.comm);
}

const struct pdt_desc *pdt_event_desc(const struct pdt_event *e)
{
	return (const struct pdt_desc *)e->e.desc;
}

uint64_t pdt_event_weight(const struct pdt_event *e)
{
	return e->e.weight;
}

uint64_t pdt_event_ip(const struct pdt_event *e)
{
	return e->e.ip;
}

uint32_t pdt_event_stack(const struct pdt_event *e)
{
	bool has = e->e.kind == EVENT_SAMPLE && e->session->wants & PDT_WANT_STACKS;

	return has ? e->e.stack : UINT32_MAX;
}

const struct pdt_field *pdt_event_field(const struct pdt_event *e, const char *name)
{
	const struct payload *p = e->e.payload;

	return p && p->format ? (const struct pdt_field *)trace_field(p->format, name) : NULL;
}

/* F, when E has a payload to read it from. */
static const struct trace_field *field_of(const struct pdt_event *e, const struct pdt_field *f)
{
	return e->e.payload ? (const struct trace_field *)f : NULL;
}

int pdt_event_number(const struct pdt_event *e, const struct pdt_field *f, uint64_t *out)
{
	return trace_number(field_of(e, f), e->e.payload, out) ? 0 : PDT_ERR_ABSENT;
}

const char *pdt_event_text(const struct pdt_event *e, const struct pdt_field *f, size_t *len)
{
	return trace_text(field_of(e, f), e->e.payload, len);
}

const void *pdt_event_bytes(const struct pdt_event *e, const struct pdt_field *f, size_t *len)
{
	return trace_bytes(field_of(e, f), e->e.payload, len);
}

/* ---- stacks, locations, names ---- */

static const struct stack *stack_of(const struct pdt_session *s, uint32_t stack)
{
	const struct stacks *st = s->session ? session_stacks(s->session) : NULL;

	return st && stack < st->count ? &st->list[stack] : NULL;
}

size_t pdt_stack_depth(const struct pdt_session *s, uint32_t stack)
{
	const struct stack *st = stack_of(s, stack);

	return st ? st->count : 0;
}

uint32_t pdt_stack_location(const struct pdt_session *s, uint32_t stack, size_t i)
{
	const struct stack *st = stack_of(s, stack);

	return st && i < st->count ? stack_locs(session_stacks(s->session), st)[i] : UINT32_MAX;
}

uint32_t pdt_stack_ip(const struct pdt_session *s, uint32_t stack)
{
	const struct stack *st = stack_of(s, stack);

	return st ? stack_ip(session_stacks(s->session), st) : LOC_NONE;
}

uint64_t pdt_location_offset(const struct pdt_session *s, uint32_t location)
{
	const struct stacks *st = s->session ? session_stacks(s->session) : NULL;

	return st && location < st->loc_count ? st->locs[location].addr : 0;
}

static const struct loc_name *name_of(const struct pdt_session *s, uint32_t location)
{
	const struct names *n = s->session ? session_names(s->session) : NULL;

	return n && location < session_stacks(s->session)->loc_count ? &n->locs[location] : NULL;
}

const char *pdt_location_module(const struct pdt_session *s, uint32_t location)
{
	const struct loc_name *n = name_of(s, location);

	return n ? n->module : NULL;
}

size_t pdt_function_count(const struct pdt_session *s, uint32_t location)
{
	const struct loc_name *n = name_of(s, location);

	return n ? n->inline_count + (size_t)1 : 0;
}

/* The inlined ones, then the one that they were inlined into. */
static struct source_frame frame_of(const struct pdt_session *s, uint32_t location, size_t i)
{
	const struct loc_name *n = name_of(s, location);

	if (!n || i > n->inline_count)
		return (struct source_frame){ 0 };
	if (i < n->inline_count)
		return n->inlines[i];
	return (struct source_frame){ n->name, n->file, n->line };
}

const char *pdt_function_name(const struct pdt_session *s, uint32_t location, size_t i)
{
	return frame_of(s, location, i).name;
}

const char *pdt_function_file(const struct pdt_session *s, uint32_t location, size_t i)
{
	return frame_of(s, location, i).file;
}

uint32_t pdt_function_line(const struct pdt_session *s, uint32_t location, size_t i)
{
	return frame_of(s, location, i).line;
}
