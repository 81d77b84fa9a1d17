/* Compares names of events, the better match before the worse one. Names in a capture may be any
 * text. */
#include "parser/eventname.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/file/attr.h"
#include "parser/filter.h"

#include <fnmatch.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#define MODIFIERS "ukhpPGHSDIWebRX"

/* ---- a name without what says how it was recorded ---- */

struct part {
	const char *text;
	size_t len;
};

static bool is_text(struct part p, const char *text)
{
	return strlen(text) == p.len && !memcmp(p.text, text, p.len);
}

/* "cycles:Pu" without ":Pu", "sched:sched_switch:u" without ":u", "cpu/cycles/u" without "u". */
static struct part without_modifiers(const char *name)
{
	size_t len = strlen(name), rest = len;

	while (rest && strchr(MODIFIERS, name[rest - 1]))
		rest--;
	if (rest && rest < len && name[rest - 1] == ':')
		return (struct part){ name, rest - 1 };
	if (rest && name[rest - 1] == '/' && memchr(name, '/', rest - 1))
		return (struct part){ name, rest };
	return (struct part){ name, len };
}

/* A term that is no event: KEY=VALUE, or one of the flags of parse-events.l. */
static bool is_setting(struct part term)
{
	static const char *const flags[] = {
		"inherit", "no-inherit", "overwrite", "no-overwrite", "aux-output", "percore", NULL
	};

	for (size_t i = 0; flags[i]; i++) {
		if (is_text(term, flags[i]))
			return true;
	}
	return !term.len || memchr(term.text, '=', term.len);
}

/* "cpu_core/cycles,period=9/": the event among the terms; "page-faults/period=1/": what stands
 * before them. */
static struct part without_terms(struct part p)
{
	const char *slash = memchr(p.text, '/', p.len), *end = p.text + p.len;
	struct part term;

	if (!slash || end[-1] != '/' || end - 1 == slash)
		return p;
	for (const char *at = slash + 1; at < end; at += term.len + 1) {
		term = (struct part){ at, strcspn(at, ",/") };
		if (!is_setting(term))
			return term;
	}
	return (struct part){ p.text, (size_t)(slash - p.text) };
}

/* Two words of perf for the same (tools/perf/util/parse-events.c, event_symbols_hw and _sw). */
static const char *const synonyms[][2] = {
	{ "cycles", "cpu-cycles" },
	{ "branches", "branch-instructions" },
	{ "idle-cycles-frontend", "stalled-cycles-frontend" },
	{ "idle-cycles-backend", "stalled-cycles-backend" },
	{ "faults", "page-faults" },
	{ "cs", "context-switches" },
	{ "migrations", "cpu-migrations" },
};

static bool is_same_event(struct part p, const char *wanted)
{
	if (is_text(p, wanted))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(synonyms); i++) {
		for (size_t k = 0; k < 2; k++) {
			if (!strcmp(wanted, synonyms[i][k]) && is_text(p, synonyms[i][!k]))
				return true;
		}
	}
	return false;
}

/* hiperf says "hw-cpu-cycles", "sw-task-clock" (developtools_hiperf, perf_events.h). */
static struct part without_kind(struct part p)
{
	if (p.len > 3 && (!memcmp(p.text, "hw-", 3) || !memcmp(p.text, "sw-", 3)))
		return (struct part){ p.text + 3, p.len - 3 };
	return p;
}

static bool is_bare(const char *name, const char *wanted)
{
	struct part p = without_modifiers(name);

	return is_text(p, wanted) || is_same_event(without_kind(without_terms(p)), wanted);
}

/* ---- matching ---- */

/* The texts that D is known by; "" for those that it lacks. */
static void names_of(const struct pdt_desc *d, const char *out[3])
{
	const char *bare = d->attr.type == 2 ? strchr(d->name, ':') : NULL;

	out[0] = d->name;
	out[1] = d->alias ? d->alias : "";
	out[2] = bare ? bare + 1 : "";
}

static enum event_match match(const struct pdt_desc *d, const char *wanted)
{
	const char *names[3];
	enum event_match best = EVENT_MATCH_NONE;

	if (event_desc_is(d, wanted))
		return EVENT_MATCH_NAME;
	names_of(d, names);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!*names[i])
			continue;
		if (is_pattern(wanted) && !fnmatch(wanted, names[i], 0))
			return EVENT_MATCH_PATTERN;
		if (is_bare(names[i], wanted))
			best = EVENT_MATCH_BARE;
	}
	return best;
}

/* Description I, known anew. True: it is a better match than those before, which are none then. */
static bool take(struct event_choice *c, const struct pdt_desc *d, const struct name_list *names)
{
	bool better = false;

	c->by[d->index] = EVENT_BY_NONE;
	for (size_t k = 0; k < names->count; k++) {
		enum event_match how = match(d, names->list[k]);

		if (!how || how < c->how[k])
			continue;
		better |= how > c->how[k] && c->how[k];
		c->how[k] = (uint8_t)how;
		if (c->by[d->index] == EVENT_BY_NONE)
			c->by[d->index] = (uint32_t)k;
	}
	return better;
}

/* Starts again only when a name gets a better match: three times for each at most. */
static void update(struct event_choice *c, const struct event_list *l,
		   const struct name_list *names)
{
	if (!c->how)
		c->how = xcalloc(names->count, 1);
	c->by = xgrow(c->by, &c->cap, l->count, sizeof(*c->by));
	while (c->count < l->count) {
		if (take(c, l->descs[c->count], names))
			c->count = 0;
		else
			c->count++;
	}
}

bool event_chosen(struct event_choice *c, const struct event_list *l, const struct name_list *names,
		  const struct pdt_desc *d)
{
	if (c->count < l->count)
		update(c, l, names);
	return c->by[d->index] != EVENT_BY_NONE;
}

bool event_named(struct event_choice *c, const struct event_list *l, const char *name,
		 const struct pdt_desc *d)
{
	char *list[] = { (char *)name };

	return event_chosen(c, l, &(struct name_list){ list, 1 }, d);
}

bool event_ambiguous(const struct event_list *l, const char *name, struct buf *out)
{
	struct event_choice c = { 0 };
	const char *first = NULL;
	bool several = false;
	size_t begin = out->len;

	for (size_t i = 0; i < l->count; i++) {
		if (!event_named(&c, l, name, l->descs[i]))
			continue;
		several |= first && strcmp(first, l->descs[i]->name) != 0;
		buf_printf(out, "%s%s", first ? ", " : "", l->descs[i]->name);
		first = l->descs[i]->name;
	}
	several &= first && c.how[0] == EVENT_MATCH_BARE;
	if (!several)
		out->len = begin;
	event_choice_release(&c);
	return several;
}

bool event_is_dummy(const struct pdt_desc *d)
{
	return d->attr.type == PERF_TYPE_SOFTWARE && d->attr.config == PERF_COUNT_SW_DUMMY;
}

void event_choice_release(struct event_choice *c)
{
	free(c->by);
	free(c->how);
	memset(c, 0, sizeof(*c));
}
