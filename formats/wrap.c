/* Text in lines of a terminal. */
#include "formats/format.h"
#include "formats/shown.h"

#include <string.h>

/* How many bytes of TEXT make a line of WIDTH columns: whole words, if one fits; of a list without
 * blanks (events of a command line) whole entries. */
static size_t line_length(const char *text, size_t width)
{
	size_t fits = shown_bytes(text, width);
	const char *blank, *comma;

	if (!text[fits] || text[fits] == ' ')
		return fits;
	blank = memrchr(text, ' ', fits);
	if (blank && blank > text)
		return (size_t)(blank - text);
	comma = memrchr(text, ',', fits);
	if (comma)
		return (size_t)(comma - text) + 1;
	return fits ? fits : strlen(text); /* a character that is wider than the line */
}

void text_wrap(const char *text, size_t width, size_t lines, struct buf *b)
{
	b->len = 0;
	while (*text) {
		size_t n = line_length(text, width);
		bool last = lines && !--lines && text[n];

		if (last)
			n = shown_bytes(text, width - 1);
		buf_add(b, text, n);
		buf_str(b, last ? "\xe2\x80\xa6\n" : "\n");
		if (last)
			return;
		text += n;
		text += *text == ' ';
	}
	if (!b->len)
		buf_str(b, "\n");
}
