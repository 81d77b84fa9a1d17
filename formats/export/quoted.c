/* What was written is taken out of the output's buffer again: there it lies as it was quoted. */
#include "formats/export/quoted.h"
#include "formats/shown.h"
#include "parser/base/mem.h"

#include <stdlib.h>

#define ESCAPE_MOST 6 /* bytes that one may become: "\u001b" */

void quoted_release(struct quoted *q)
{
	buf_release(&q->all);
	free(q->list);
	*q = (struct quoted){ 0 };
}

/* What may not fit into the buffer at once is quoted each time. */
static void put_new(struct quoted *q, struct out *out, uint32_t id, const char *text)
{
	size_t len = strlen(text), from;

	if (len >= OUT_LARGE / ESCAPE_MOST - 2) {
		shown_put(out, text, len);
		return;
	}
	(void)out_room(out, (len + 2) * ESCAPE_MOST);
	from = out->used;
	shown_put(out, text, len);
	len = out->used - from;
	q->list = xgrow_to(q->list, &q->count, &q->cap, id, sizeof(*q->list));
	q->list[id] = (struct quoted_text){ q->all.len, (uint32_t)len };
	(void)buf_reserve(&q->all, len + QUOTED_SHORT);
	buf_add(&q->all, out->buf + from, len);
}

char *quoted_put_any(struct quoted *q, struct out *out, char *to, uint32_t id, const char *text)
{
	out_filled(out, to);
	if (id < q->count && q->list[id].len)
		out_write(out, q->all.data + q->list[id].at, q->list[id].len);
	else
		put_new(q, out, id, text);
	return out_room(out, QUOTED_ROOM);
}
