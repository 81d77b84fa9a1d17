/* Records that change state are copied, and wait for their time among the samples. */
#include "parser/feed/held.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/record/record.h"

#include <string.h>

void hold_record(struct order *to, const struct raw *raw, struct event_list *events)
{
	size_t len = cursor_left(&raw->body);
	struct held_record *h = xmalloc(sizeof(*h) + len);
	struct record_id id;
	struct pending *p;

	*h = (struct held_record){ .type = raw->type,
				   .size = (uint32_t)len,
				   .misc = raw->misc,
				   .swap = raw->body.swap,
				   .offset = raw->offset };
	memcpy(h->body, raw->body.pos, len);
	record_id_decode(&id, raw, events);
	order_reserve(to, 1);
	p = order_put(to, id.time_ns);
	p->record = h;
	p->flags = PENDING_RECORD;
	to->held_bytes += len;
}

struct raw held_record_raw(const struct held_record *h)
{
	return (struct raw){ .type = h->type,
			     .misc = h->misc,
			     .size = h->size + RECORD_HEADER_SIZE,
			     .offset = h->offset,
			     .body = cursor_make(h->body, h->size, h->swap) };
}
