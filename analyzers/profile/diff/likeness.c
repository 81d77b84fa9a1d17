/* Names compared letter by letter. */
#include "analyzers/profile/diff/likeness.h"
#include "analyzers/profile/diff/match_name.h"
#include "parser/base/buf.h"

#include <stdbool.h>
#include <string.h>

#define MOST_LETTERS 256 /* of longer names, the first ones */

/* Without template arguments: what stands in angle brackets that match; operator< has none. */
static void plain_name(const char *name, struct buf *out)
{
	struct buf b = { 0 };
	size_t depth = 0, len;

	match_name(name, strlen(name), &b);
	len = b.len;
	for (size_t i = 0; i < len; i++) {
		bool is_operator = i >= 8 && !memcmp(b.data + i - 8, "operator", 8);

		if (b.data[i] == '<' &&
		    (depth || (!is_operator && memchr(b.data + i, '>', len - i))))
			depth++;
		else if (b.data[i] == '>' && depth)
			depth--;
		else if (!depth)
			buf_char(out, b.data[i]);
	}
	buf_release(&b);
}

static size_t common_letters(const struct buf *a, const struct buf *b)
{
	size_t row[MOST_LETTERS + 1] = { 0 };
	size_t n = a->len < MOST_LETTERS ? a->len : MOST_LETTERS;
	size_t m = b->len < MOST_LETTERS ? b->len : MOST_LETTERS;

	for (size_t i = 0; i < n; i++) {
		size_t diagonal = 0;

		for (size_t k = 0; k < m; k++) {
			size_t above = row[k + 1];

			row[k + 1] = a->data[i] == b->data[k] ? diagonal + 1
				     : above > row[k]	      ? above
							      : row[k];
			diagonal = above;
		}
	}
	return row[m];
}

double name_likeness(const char *a, const char *b)
{
	struct buf x = { 0 }, y = { 0 };
	size_t longer;
	double alike;

	plain_name(a, &x);
	plain_name(b, &y);
	longer = x.len > y.len ? x.len : y.len;
	if (longer && x.len == y.len && !memcmp(x.data, y.data, x.len))
		alike = 1;
	else
		alike = longer ? (double)common_letters(&x, &y) / (double)(longer + 1) : 0;
	buf_release(&x);
	buf_release(&y);
	return alike;
}
