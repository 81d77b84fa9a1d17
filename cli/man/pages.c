/* All pages of the manual, one behind the other: the Makefile puts them together. Each begins with
 * the line ".TH PDTOOL\-NAME 1 ...". */
#include "cli/man/pages.h"

#include <ctype.h>
#include <string.h>

__asm__(".pushsection .rodata\n"
	".globl pages_text\n"
	"pages_text:\n"
	".incbin \"pages.roff\"\n"
	".byte 0\n"
	".popsection\n");
extern const char pages_text[];

#define TITLE ".TH PDTOOL"

/* Is the title at P, "\-SCHED\-LATENCY 1 ...", that of NAME? */
static bool is_title(const char *p, const char *name)
{
	struct buf wanted = { 0 };
	const char *w;
	bool same;

	buf_printf(&wanted, "%s%s ", *name ? "-" : "", name);
	for (w = wanted.data; *w; w++, p++) {
		p += *p == '\\';
		if (tolower((unsigned char)*p) != (*w == ' ' && w[1] ? '-' : *w))
			break;
	}
	same = !*w;
	buf_release(&wanted);
	return same;
}

const char *page_find(const char *name, size_t *len)
{
	const char *p = pages_text, *next;

	for (; p; p = next ? next + 1 : NULL) {
		next = strstr(p + 1, "\n" TITLE);
		if (strncmp(p, TITLE, strlen(TITLE)) || !is_title(p + strlen(TITLE), name))
			continue;
		*len = next ? (size_t)(next + 1 - p) : strlen(p);
		return p;
	}
	return NULL;
}
