/* Facts hold amounts between two control bytes, which text of a capture never keeps: the first also
 * says the type. What is no amount after all is passed on as text. */
#include "formats/fact.h"
#include "formats/number.h"

#include <stdlib.h>
#include <string.h>

/* What stands behind the number of an amount for machines. */
static const char *const units[COLUMN_TYPES] = {
	[COLUMN_NS] = " ns",
	[COLUMN_BYTES] = " bytes",
	[COLUMN_PERCENT] = " %",
};

/* The amount at P, whose first byte is FACT_AMOUNT; what is behind it, or NULL when it is none. */
static const char *add_amount(const char *p, bool people, struct buf *b)
{
	const char *end = strchr(p, FACT_AMOUNT_END);
	unsigned type = (unsigned char)p[1] - 'A';
	char text[NUMBER_TEXT];

	if (!end || type >= COLUMN_TYPES)
		return NULL;
	if (people) {
		number_alone(text, strtod(p + 2, NULL), type);
		buf_str(b, text);
	} else {
		buf_add(b, p + 2, (size_t)(end - p - 2));
		buf_str(b, units[type] ? units[type] : "");
	}
	return end + 1;
}

const char *fact_text(const struct fact *f, bool people, struct buf *b)
{
	const char *p = f->value, *next;
	size_t n;

	b->len = 0;
	for (;; p = next) {
		n = strcspn(p, "\x01");
		buf_add(b, p, n);
		p += n;
		if (!*p)
			break;
		next = add_amount(p, people, b);
		next = next ? next : p + 1;
	}
	buf_str(b, "");
	return b->data;
}
