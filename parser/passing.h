/* Which events pass the filters by event, CPU, time, process, thread and command, and what there is
 * of that which they ask for. Those by where a sample was need names: see filter_module(). */
#ifndef PDTOOL_PASSING_H
#define PDTOOL_PASSING_H

#include "parser/eventname.h"
#include "parser/seen.h"

struct field_filter;
struct ingest;
struct machine;
struct passed;

struct passing {
	const struct filter *filter;
	struct ingest *in;	 /* whose counts tell of what is taken out */
	struct machine *machine; /* whose commands they are */
	bool all;		 /* PDT_WANT_ALL: only those by event are applied */
	bool filters;		 /* passing_event() has to look */
	bool counts;		 /* passing_seen() has to */
	struct event_choice events;
	struct field_filter *fields; /* NULL: no filter by them */
	uint8_t *by_comm;	     /* by id: enum verdict */
	size_t comm_cap;
	struct seen seen;
	struct passed *passed; /* PDT_WANT_CUT; NULL: nothing passed yet */
};

/* The filters of P are known. ERR_USAGE: that by fields, which cli/ checks before, is none. */
CHECKED int passing_begin(struct passing *p, bool all);
/* May any of them take a sample out? */
static inline bool passing_any(const struct passing *p)
{
	return p->filters || p->counts || p->fields;
}
/* Count a sample before it is filtered. */
void passing_seen(struct passing *p, const struct pdt_event *e);
/* But for its command. */
bool passing_event(struct passing *p, const struct pdt_event *e);
/* Does the command with this id (PDT_NONE: none) pass? */
bool passing_comm(struct passing *p, uint32_t comm);
/* Does E pass the filter by fields, which there is? */
bool passing_fields(struct passing *p, const struct pdt_event *e);
void passing_release(struct passing *p);

#endif
