/* Where the fields of plain samples lie. */
#include "parser/feed/plain.h"
#include "parser/base/abi.h"

#define PLAIN                                                                                 \
	(SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ADDR | SAMPLE_ID | \
	 SAMPLE_STREAM_ID | SAMPLE_CPU | SAMPLE_PERIOD | SAMPLE_CALLCHAIN)

static void lay_out(struct plain_layout *l, uint64_t type)
{
	const struct {
		uint64_t bit;
		uint16_t *at;
	} fields[] = {
		{ SAMPLE_IDENTIFIER, &l->id }, { SAMPLE_IP, &l->ip },
		{ SAMPLE_TID, &l->tid },       { SAMPLE_TIME, &l->time },
		{ SAMPLE_ADDR, NULL },	       { SAMPLE_ID, &l->id },
		{ SAMPLE_STREAM_ID, NULL },    { SAMPLE_CPU, &l->cpu },
		{ SAMPLE_PERIOD, &l->period }, { SAMPLE_CALLCHAIN, &l->chain },
		{ SAMPLE_RAW, &l->raw },
	};
	uint16_t at = RECORD_HEADER_SIZE;

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (!(type & fields[i].bit))
			continue;
		if (fields[i].at)
			*fields[i].at = at;
		at += 8;
	}
	l->min_size = at;
	l->type = type;
}

struct plain_layout plain_layout_of(const struct event_list *events, bool swap)
{
	struct plain_layout l = { 0 };
	uint64_t type = events->count ? events->descs[0]->attr.sample_type : 0;
	uint64_t needed = SAMPLE_TID | SAMPLE_TIME | SAMPLE_PERIOD | SAMPLE_CALLCHAIN;

	for (size_t i = 1; i < events->count; i++) {
		if (events->descs[i]->attr.sample_type != type)
			return l;
	}
	if (swap || type & ~(uint64_t)PLAIN || (type & needed) != needed)
		return l;
	lay_out(&l, type);
	l.by_id = events->count > 1 && l.id;
	l.usable = true;
	return l;
}

struct plain_layout plain_raw_layout_of(const struct event_list *events, bool swap)
{
	struct plain_layout l = { 0 };
	uint64_t type = events->count ? events->descs[0]->attr.sample_type : 0;
	uint64_t needed = SAMPLE_TID | SAMPLE_TIME | SAMPLE_PERIOD | SAMPLE_RAW;
	uint64_t allowed = (PLAIN & ~(uint64_t)SAMPLE_CALLCHAIN) | SAMPLE_RAW;

	if (swap || type & ~allowed || (type & needed) != needed ||
	    (events->count > 1 && !(type & SAMPLE_IDENTIFIER)))
		return l;
	lay_out(&l, type);
	l.min_size -= 4; /* a u32 is all that is fixed of the payload */
	l.by_id = events->count > 1;
	l.usable = true;
	return l;
}
