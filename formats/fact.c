/* Amounts in the text of facts and messages, as people or as machines read them. */
#include "formats/format.h"
#include "formats/model/amount.h"
#include "formats/number.h"

#include <stdlib.h>

static void add_amount(const char *p, size_t len, bool people, struct buf *b)
{
	enum column_type type = (enum column_type)(p[1] - 'A');

	if (people) {
		buf_str(b, ALONE(strtod(p + 2, NULL), type));
	} else {
		buf_add(b, p + 2, len - 3);
		buf_str(b, column_kinds[type].unit);
	}
}

const char *fact_text(const char *text, bool people, struct buf *b)
{
	size_t n;

	b->len = 0;
	for (; *text; text += n ? n : 1) {
		n = amount_length(text);
		if (n)
			add_amount(text, n, people, b);
		else
			buf_char(b, *text);
	}
	buf_str(b, "");
	return b->data;
}
