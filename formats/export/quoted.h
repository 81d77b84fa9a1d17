/* Texts of others in the quotes of an output, for who writes the same ones many times: each is
 * looked at once. */
#ifndef PDTOOL_EXPORT_QUOTED_H
#define PDTOOL_EXPORT_QUOTED_H

#include "formats/out.h"
#include "parser/base/buf.h"

#define QUOTED_SHORT 64
#define QUOTED_ROOM  256

/* All zero is empty. */
struct quoted {
	struct buf all; /* with QUOTED_SHORT bytes of memory behind it */
	struct quoted_text {
		size_t at;
		uint32_t len; /* 0: not yet */
	} * list;
	size_t count, cap;
};

void quoted_release(struct quoted *q);
/* quoted_put() of long texts, and for the first time. */
char *quoted_put_any(struct quoted *q, struct out *out, char *to, uint32_t id, const char *text);

/* TEXT, which is number ID of Q, in the quotes of OUT, which stay the same: at TO in OUT's room, of
 * which there are QUOTED_SHORT bytes. Returns where it ends, with QUOTED_ROOM less QUOTED_SHORT
 * behind it, or with what of the room is left. */
static inline char *quoted_put(struct quoted *q, struct out *out, char *to, uint32_t id,
			       const char *text)
{
	const struct quoted_text *known = id < q->count ? &q->list[id] : NULL;

	if (!known || !known->len || known->len > QUOTED_SHORT)
		return quoted_put_any(q, out, to, id, text);
	memcpy(to, q->all.data + known->at, QUOTED_SHORT);
	return to + known->len;
}

#endif
