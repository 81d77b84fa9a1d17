/* Which samples count: the filters that every command shares. Built from option text by cli/. */
#ifndef PDTOOL_FILTER_H
#define PDTOOL_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/err.h"

struct num_range {
	uint64_t lo, hi; /* inclusive */
};

struct num_list {
	struct num_range *list;
	size_t count;
};

struct name_list {
	char **list;
	size_t count;
};

/* By which clock points in time are shown. */
enum clock_shown { CLOCK_AS_FITS, CLOCK_CAPTURE, CLOCK_WALL };

struct filter {
	struct num_list pids, tids, cpus;
	struct name_list comms, events, dsos, symbols;
	const char *fields;    /* text of --filter, see fieldfilter.h */
	const char *time;      /* text of --time, resolved against the capture's span */
	const char *time_each; /* the whole of it, where other inputs have others: "1,2:3,4" */
	struct num_list times; /* nanoseconds of the capture's clock */
	enum clock_shown clock;
	bool no_idle; /* drop samples of pid 0 whose leaf is in the idle loop */
};

void name_list_release(struct name_list *l);
/* "0,2-4"; ERR_USAGE when it is not that. */
CHECKED int num_list_parse(struct num_list *l, const char *text);
/* "a,b"; "file://PATH" reads one name from each line. */
CHECKED int name_list_parse(struct name_list *l, const char *text);
/* The same of events: "cpu/event=1,umask=2/u,cycles" are two. */
CHECKED int event_names_parse(struct name_list *l, const char *text);

static inline bool num_list_has(const struct num_list *l, uint64_t v)
{
	for (size_t i = 0; i < l->count; i++) {
		if (v >= l->list[i].lo && v <= l->list[i].hi)
			return true;
	}
	return false;
}

bool name_list_has(const struct name_list *l, const char *name);
/* Does TEXT hold what makes it a pattern of fnmatch(3)? */
bool is_pattern(const char *text);
/* Is NAME in L, or does it match a pattern there? */
bool name_list_matches(const struct name_list *l, const char *name);

/* Does the filter L let V, and NAME (NULL: not told), pass? An empty one lets all. */
static inline bool num_list_passes(const struct num_list *l, uint64_t v)
{
	return !l->count || num_list_has(l, v);
}

/* How much of LO to HI is in L, or all of it where L is empty. */
uint64_t num_list_within(const struct num_list *l, uint64_t lo, uint64_t hi);

static inline bool name_list_passes(const struct name_list *l, const char *name)
{
	return !l->count || (name && name_list_has(l, name));
}

/* Does F let a thread pass, by pid, tid and comm? */
static inline bool filter_thread(const struct filter *f, uint32_t pid, uint32_t tid,
				 const char *comm)
{
	return num_list_passes(&f->pids, pid) && num_list_passes(&f->tids, tid) &&
	       (!f->comms.count || (comm && name_list_matches(&f->comms, comm)));
}

/* Do --dsos and --symbol let MODULE and a function pass? A function is asked for as it is SHOWN, or
 * by the SYMBOL that others were inlined into; NULL: there is none. */
bool filter_module(const struct filter *f, const char *module);
bool filter_function(const struct filter *f, const char *shown, const char *symbol);

struct pdt_session;

/* What to add to times of the capture for the clock in which they are shown: ns. 0 unless that is
 * the wall clock, and it is known. */
uint64_t clock_shift(const struct pdt_session *s);
/* The filters of a run of the tool, with the range of --time resolved. */
const struct filter *filter_of(const struct pdt_session *s);
/* How much of the time from the first sample to the last one --time lets pass, ns. */
uint64_t filter_span(const struct pdt_session *s);
/* What an event tells of the comparisons in --filter, a bit each. */
struct field_answer {
	uint64_t known, held;
};

struct buf;
struct pdt_event;

/* ERR_USAGE, and in WHY what was expected, when TEXT is no value of --filter. */
CHECKED int filter_fields_check(const char *text, struct buf *why);

/* The filter by fields, for analyzers that see all events: what E tells, and whether that is enough
 * to let it pass. Those of two events that are one thing can be joined: where the second one knows,
 * it counts. Without a filter all pass. */
struct field_answer filter_ask(const struct pdt_session *s, const struct pdt_event *e);
bool filter_holds(const struct pdt_session *s, struct field_answer a);
static inline struct field_answer field_answer_join(struct field_answer a, struct field_answer b)
{
	return (struct field_answer){ a.known | b.known, (a.held & ~b.known) | b.held };
}
/* How often it held. */
uint64_t filter_passed(const struct pdt_session *s);
/* A field that cannot be compared so; one that no event has: a message, or NULL. */
const char *filter_unfit(const struct pdt_session *s);
const char *filter_lacking(const struct pdt_session *s);
/* Does TEXT need the time of the first and the last sample ("10%/2")? */
bool time_needs_span(const char *text);

/* YYYY-MM-DDTHH:MM:SS[.frac][Z|+HH:MM] (UTC when it names no zone) in ns since 1970. */
CHECKED int wall_parse(const char *text, size_t len, uint64_t *wall_ns);
/* Decimal seconds in ns, exactly. */
CHECKED int seconds_parse(const char *text, size_t len, uint64_t *ns);

/* "a,b:c,d": the parts that each input has of its own, separated by zeros in the place of colons
 * (those within a time of day stay). Returns how many there are. */
size_t time_split(char *text);

/* What time filters are resolved against. */
struct time_base {
	uint64_t first_ns, last_ns; /* of the samples; 0 when not known */
	bool has_wall;		    /* wall_ns and clock_ns are the same instant */
	uint64_t wall_ns, clock_ns;
};

/* perf's forms: "A,B" ",B" "A," in seconds, several separated by blanks; "10%/2"; "0%-10%,30%-40%";
 * and in place of seconds "+A" and "-A" from the first and the last sample, or wall clock, ISO or
 * HH:MM:SS of the capture's day (UTC when it names no zone). ERR_USAGE when it is none of them,
 * ERR_ABSENT when the capture does not state what it needs. */
CHECKED int time_parse(struct num_list *out, const char *text, const struct time_base *base);

#endif
