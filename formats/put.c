/* out_put(): numbers and text as a format string says. */
#include "formats/out.h"
#include "formats/shown.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* "%-*.*lu" */
struct conversion {
	bool left;
	int width, precision; /* -1: not given */
	size_t size;	      /* 0: an int */
	char kind;
};

static int read_number(const char **p, va_list *ap)
{
	int n = 0;

	if (**p == '*') {
		++*p;
		return va_arg(*ap, int);
	}
	for (; **p >= '0' && **p <= '9'; ++*p)
		n = 10 * n + (**p - '0');
	return n;
}

/* What stands at P behind its "%"; returns what follows. */
static const char *read_conversion(struct conversion *c, const char *p, va_list *ap)
{
	*c = (struct conversion){ .precision = -1 };
	if (*p < 'a') { /* most have no width */
		c->left = *p == '-';
		p += c->left;
		c->width = read_number(&p, ap);
		if (*p == '.') {
			p++;
			c->precision = read_number(&p, ap);
		}
	}
	for (; *p == 'l' || *p == 'z'; p++)
		c->size += *p == 'l' ? sizeof(long) : sizeof(size_t);
	c->kind = *p;
	return p + 1;
}

static void put_blanks(struct out *o, size_t n)
{
	static const char blanks[] = "                                ";
	size_t most = sizeof(blanks) - 1;

	for (; n > most; n -= most)
		out_write(o, blanks, most);
	out_write(o, blanks, n);
}

static void put_text(struct out *o, const struct conversion *c, const char *text)
{
	size_t len = strlen(text), width = (size_t)c->width;
	size_t most = c->precision < 0 ? SIZE_MAX : (size_t)c->precision;
	/* a text of few bytes has few characters */
	size_t has = width || len > most ? shown_width(text) : len;
	bool cut = has > most;
	size_t blanks;

	if (cut) {
		has = most ? most - 1 : 0;
		len = shown_fit(text, &has);
		has++;
	}
	blanks = has < width ? width - has : 0;
	if (!c->left)
		put_blanks(o, blanks);
	shown_put(o, text, len);
	out_str(o, cut ? "\xe2\x80\xa6" : "");
	if (c->left)
		put_blanks(o, blanks);
}

static void put_int(struct out *o, int64_t v)
{
	out_str(o, v < 0 ? "-" : "");
	out_u64(o, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

static void put_pixels(struct out *o, double px)
{
	char text[] = ".000";
	int64_t n = fabs(px) < 1e15 ? llround(px * 1000) : 0;
	unsigned part = (unsigned)((n < 0 ? -n : n) % 1000);
	size_t digits = 3;

	out_str(o, n < 0 && n > -1000 ? "-" : "");
	put_int(o, n / 1000);
	if (!part)
		return;
	for (size_t i = 3; i; i--, part /= 10)
		text[i] = (char)('0' + part % 10);
	while (text[digits] == '0')
		digits--;
	out_write(o, text, digits + 1);
}

static void put_double(struct out *o, const struct conversion *c, double v)
{
	char text[64];

	if (c->kind == 'g' && c->precision < 0) {
		put_pixels(o, v);
		return;
	}
	snprintf(text, sizeof(text), c->kind == 'g' ? "%.*g" : "%.*f", c->precision, v);
	out_str(o, text);
}

static void put_unsigned(struct out *o, const struct conversion *c, uint64_t v)
{
	char text[24];

	if (c->kind == 'u') {
		out_u64(o, v);
		return;
	}
	snprintf(text, sizeof(text), "%0*" PRIx64, c->width, v);
	out_str(o, text);
}

void out_put(struct out *o, const char *fmt, ...)
{
	struct conversion c;
	const char *text;
	va_list ap;

	va_start(ap, fmt);
	for (;;) {
		const char *percent = strchrnul(fmt, '%');

		out_write(o, fmt, (size_t)(percent - fmt));
		if (!*percent)
			break;
		if (percent[1] == 'u') { /* pictures are full of them */
			out_u64(o, va_arg(ap, unsigned));
			fmt = percent + 2;
			continue;
		}
		fmt = read_conversion(&c, percent + 1, &ap);
		if (c.kind == '%' || c.kind == 'c')
			out_write(o, &(char){ c.kind == 'c' ? (char)va_arg(ap, int) : '%' }, 1);
		else if (c.kind == 's' && (text = va_arg(ap, const char *)))
			put_text(o, &c, text);
		else if (c.kind == 's')
			out_str(o, "null");
		else if (c.kind == 'd')
			put_int(o, c.size > sizeof(int) ? va_arg(ap, int64_t) : va_arg(ap, int));
		else if (c.kind == 'u' || c.kind == 'x')
			put_unsigned(o, &c,
				     c.size > sizeof(int) ? va_arg(ap, uint64_t)
							  : va_arg(ap, unsigned));
		else
			put_double(o, &c, va_arg(ap, double));
	}
	va_end(ap);
}
