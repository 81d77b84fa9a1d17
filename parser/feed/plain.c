/* Where the fields of plain samples lie. */
#include "parser/feed/plain.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/feed/order.h"
#include "parser/record/record.h"
#include "parser/record/sample.h"

#include <stdlib.h>

#define NO_RECORD (UINT16_MAX + 1u) /* none is that long */
#define NEEDED	  (SAMPLE_TID | SAMPLE_TIME)
#define PLAIN                                                                                  \
	(SAMPLE_IDENTIFIER | SAMPLE_IP | NEEDED | SAMPLE_ADDR | SAMPLE_ID | SAMPLE_STREAM_ID | \
	 SAMPLE_CPU | SAMPLE_PERIOD | SAMPLE_CALLCHAIN | SAMPLE_RAW)
#ifdef NO_FAST
#define ANY_PLAIN false
#else
#define ANY_PLAIN true
#endif

void plain_init(struct plain *p, struct event_list *events, bool swap, bool addresses)
{
	memset(p, 0, sizeof(*p));
	p->events = events;
	p->swap = swap;
	p->addresses = addresses;
}

void plain_release(struct plain *p)
{
	free(p->layouts);
}

static struct plain_layout layout_of(const struct pdt_desc *d, const struct plain *p)
{
	uint64_t plain = p->addresses ? PLAIN & ~(uint64_t)SAMPLE_ADDR : PLAIN;
	struct plain_layout l = { .desc = d };
	uint64_t type = d->attr.sample_type;
	const struct {
		uint64_t bit;
		uint16_t *at;
	} fields[] = {
		{ SAMPLE_IDENTIFIER, NULL }, { SAMPLE_IP, &l.ip },   { SAMPLE_TID, &l.tid },
		{ SAMPLE_TIME, &l.time },    { SAMPLE_ADDR, NULL },  { SAMPLE_ID, NULL },
		{ SAMPLE_STREAM_ID, NULL },  { SAMPLE_CPU, &l.cpu }, { SAMPLE_PERIOD, &l.period },
	};
	uint16_t at = RECORD_HEADER_SIZE;

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (!(type & fields[i].bit))
			continue;
		if (fields[i].at)
			*fields[i].at = at;
		at += 8;
	}
	l.rest = at;
	l.chain = type & SAMPLE_CALLCHAIN;
	l.raw = type & SAMPLE_RAW;
	l.alone = plain_alone_type(type);
	l.least = at + (l.chain ? 8 : 0) + (l.raw ? 4 : 0);
	l.flags = pending_flags(type);
	l.weight = sample_weight(&d->attr);
	if (!ANY_PLAIN || p->swap || type & ~plain || (type & NEEDED) != NEEDED)
		l.least = NO_RECORD;
	return l;
}

void plain_lay_out(struct plain *p)
{
	size_t n = p->events ? p->events->count : 0;

	if (p->count == n)
		return;
	p->layouts = xgrow(p->layouts, &p->cap, n, sizeof(*p->layouts));
	for (; p->count < n; p->count++)
		p->layouts[p->count] = layout_of(p->events->descs[p->count], p);
	for (unsigned i = 0; i < RECENT_IDS; i++)
		p->recent[i].id = i + 1; /* which never stands here */
	p->id = sample_id_offset(p->events);
}

bool plain_new_recent(struct plain *p, struct recent_id *recent, uint64_t id)
{
	const struct pdt_desc *d = event_list_by_id(p->events, id);

	if (d)
		*recent = (struct recent_id){ id, &p->layouts[d->index] };
	return d != NULL;
}
