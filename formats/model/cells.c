/* One byte says what a cell is, and how long:
 *
 *	0x00-0x7f	a number, itself
 *	0x80-0xbf	a text of 0-63 bytes, which follow, with a NUL
 *	0xc1-0xc8	a number of 1-8 bytes, which follow, the lowest first
 *	0xd0		empty
 *	0xd1		a text: its length, a size_t, then as above
 *	0xd2		a text that lies elsewhere: a pointer
 */
#include "formats/model/cells.h"
#include "parser/base/mem.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#define TEXT	 0x80
#define TEXT_MAX 63
#define NUMBER	 0xc0
#define EMPTY	 0xd0
#define LONG	 0xd1
#define KEPT	 0xd2

#define AHEAD 8 /* numbers are read as if they had 8 bytes */

void cells_release(struct cells *c)
{
	free(c->bytes);
	free(c->starts);
	memset(c, 0, sizeof(*c));
}

/* Room for SIZE bytes of a cell more. */
static unsigned char *begin(struct cells *c, size_t size)
{
	if (c->count++ % CELLS_STEP == 0) {
		c->starts = xgrow(c->starts, &c->start_cap, c->start_count + 1, sizeof(*c->starts));
		c->starts[c->start_count++] = c->used;
	}
	c->bytes = xgrow(c->bytes, &c->cap, c->used + size + AHEAD, 1);
	c->used += size;
	return c->bytes + c->used - size;
}

static void add_number(struct cells *c, uint64_t n)
{
	unsigned size = n < TEXT ? 0 : (71 - (unsigned)__builtin_clzll(n)) / 8;
	unsigned char *p = begin(c, 1 + size);

	*p = (unsigned char)(size ? NUMBER + size : n);
	n = htole64(n);
	memcpy(p + 1, &n, size);
}

void cells_add_kept(struct cells *c, const char *text)
{
	unsigned char *p = begin(c, 1 + sizeof(text));

	*p = KEPT;
	memcpy(p + 1, &text, sizeof(text));
}

void cells_add(struct cells *c, const struct cell *cell)
{
	if (cell->text)
		cells_add_kept(c, cell->text);
	else if (cell->empty)
		*begin(c, 1) = EMPTY;
	else
		add_number(c, cell->count);
}

char *cells_add_text(struct cells *c, const char *text, size_t len)
{
	size_t head = len <= TEXT_MAX ? 1 : 1 + sizeof(len);
	unsigned char *p = begin(c, head + len + 1);

	*p = (unsigned char)(head == 1 ? TEXT + len : LONG);
	if (head > 1)
		memcpy(p + 1, &len, sizeof(len));
	if (len)
		memcpy(p + head, text, len);
	p[head + len] = '\0';
	return (char *)p + head;
}

/* How long the cell at P is. */
static size_t size_of(const unsigned char *p)
{
	size_t len;

	if (*p < TEXT || *p == EMPTY)
		return 1;
	if (*p < NUMBER)
		return (size_t)(*p - TEXT) + 2;
	if (*p < EMPTY)
		return (size_t)(*p - NUMBER) + 1;
	if (*p == KEPT)
		return 1 + sizeof(const char *);
	memcpy(&len, p + 1, sizeof(len));
	return 1 + sizeof(len) + len + 1;
}

/* Of SIZE bytes. */
static uint64_t read_number(const unsigned char *p, unsigned size)
{
	uint64_t n;

	memcpy(&n, p, sizeof(n));
	return le64toh(n) & UINT64_MAX >> (64 - 8 * size);
}

static void read_cell(const unsigned char *p, struct cell *out)
{
	*out = (struct cell){ 0 };
	if (*p < TEXT) {
		out->count = *p;
		return;
	}
	if (*p > NUMBER && *p < EMPTY) {
		out->count = read_number(p + 1, *p - NUMBER);
		return;
	}
	out->empty = true;
	if (*p < NUMBER)
		out->text = (const char *)p + 1;
	else if (*p == LONG)
		out->text = (const char *)p + 1 + sizeof(size_t);
	else if (*p == KEPT)
		memcpy(&out->text, p + 1, sizeof(out->text));
}

/* Where cell I is, which is there. */
static unsigned char *find(const struct cells *c, size_t i)
{
	unsigned char *p = c->bytes + c->starts[i / CELLS_STEP];

	for (size_t left = i % CELLS_STEP; left; left--)
		p += size_of(p);
	return p;
}

void cells_get(const struct cells *c, size_t first, size_t count, struct cell *out)
{
	const unsigned char *p = count ? find(c, first) : NULL;

	for (size_t i = 0; i < count; i++) {
		read_cell(p, &out[i]);
		p += size_of(p);
	}
}

void cells_copy(struct cells *c, const struct cells *from, size_t i)
{
	const unsigned char *p = find(from, i);

	memcpy(begin(c, size_of(p)), p, size_of(p));
}

void cells_set_text(struct cells *c, size_t i, const char *text)
{
	memcpy(find(c, i) + 1, &text, sizeof(text));
}
