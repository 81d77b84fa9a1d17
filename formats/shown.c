/* Replaces byte by byte what a terminal could obey, and what is no UTF-8. Every writer for
 * terminals passes text of a capture through here. */
#include "formats/shown.h"
#include "parser/base/utf8.h"

#include <string.h>

/* Plain ASCII is most of what comes: such a run is written at once. */
static size_t plain_run(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && text[n] >= 0x20 && text[n] < 0x7f)
		n++;
	return n;
}

void shown_text_n(struct out *o, const char *text, size_t len)
{
	size_t n;

	for (size_t i = 0; i < len; i += n ? n : 1) {
		n = plain_run(text + i, len - i);
		if (!n)
			n = utf8_shown(text + i, len - i);
		if (n)
			out_write(o, text + i, n);
		else
			out_str(o, "\xef\xbf\xbd");
	}
}

void shown_text(struct out *o, const char *text)
{
	shown_text_n(o, text, strlen(text));
}

size_t shown_bytes(const char *text, size_t width)
{
	size_t len = strlen(text), i = 0, n;

	for (; i < len && width; i += n ? n : 1, width--)
		n = utf8_shown(text + i, len - i);
	return i;
}

size_t shown_width(const char *text)
{
	size_t len = strlen(text), width = 0, n;

	for (size_t i = 0; i < len; i += n ? n : 1, width++)
		n = utf8_shown(text + i, len - i);
	return width;
}
