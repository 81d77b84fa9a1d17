#include "formats/flame/plot_text.h"
#include "formats/svg/svg_text.h"
#include "parser/base/utf8.h"

#include <math.h>
#include <string.h>

void plot_name(const struct plot *p, const struct plot_frame *f, struct buf *out)
{
	const char *name = f->name == PLOT_ROOT ? "all" : p->names[f->name];
	size_t n = strlen(name);

	if (n >= 4 && name[n - 4] == '_' && name[n - 3] == '[' && name[n - 1] == ']' &&
	    strchr("kwij", name[n - 2]))
		n -= 4;
	out->len = 0;
	buf_add(out, name, n);
	buf_str(out, "");
}

/* A weight as it is shown: in whole units, times --factor. */
static double shown(const struct plot *p, double weight)
{
	return weight / pow(10, p->decimals) * p->page->drawing->factor;
}

static double percent(const struct plot *p, const struct plot_axis *a, double amount)
{
	double whole = shown(p, a->span);

	return whole > 0 ? 100 * amount / whole : 0;
}

/* "; before 15; change +13, +46.43%; self +5, +17.86%" */
static void put_change(const struct plot *p, const struct plot_axis *a, const struct plot_change *c,
		       struct buf *out)
{
	double sign = p->page->drawing->negate ? -1 : 1;
	bool fine = p->scale != 1 || p->decimals > 0;
	double before = shown(p, (double)c->before * p->scale);
	double change = sign * (shown(p, (double)c->after) - before);
	double self = sign * shown(p, (double)c->after_self - (double)c->before_self * p->scale);

	buf_str(out, a->kind == AXIS_AFTER ? "; before " : "; after ");
	number_commas(out, a->kind == AXIS_AFTER ? before : shown(p, (double)c->after));
	buf_str(out, "; change ");
	number_change(out, change, fine);
	buf_printf(out, ", %+.2f%%; self ", percent(p, a, change));
	number_change(out, self, fine);
	buf_printf(out, ", %+.2f%%", percent(p, a, self));
}

void plot_title(const struct plot *p, const struct plot_axis *a, size_t frame, struct buf *out)
{
	const struct plot_frame *f = &a->frames[frame];
	bool root = f->name == PLOT_ROOT;
	double weight = shown(p, root ? a->span : (double)f->weight);

	plot_name(p, f, out);
	buf_str(out, " (");
	if (a->kind == AXIS_TIME) {
		number_ns(out, f->weight);
		buf_str(out, " at +");
		number_ns(out, f->start);
		buf_str(out, ")");
		return;
	}
	number_commas(out, weight);
	buf_printf(out, " %s, ", p->countname);
	if (root)
		buf_str(out, "100%");
	else
		buf_printf(out, "%.2f%%", percent(p, a, nearbyint(weight)));
	if (a->changes)
		put_change(p, a, &a->changes[frame], out);
	buf_str(out, ")");
}

/* Bytes of the first CHARS characters. */
static size_t prefix(const char *text, size_t chars)
{
	size_t i = 0, len = strlen(text);

	for (; chars && i < len; chars--) {
		size_t n = utf8_shown(text + i, len - i);

		i += n ? n : 1;
	}
	return i;
}

void plot_label(const char *name, size_t chars, struct buf *out)
{
	size_t whole;

	out->len = 0;
	buf_str(out, "");
	if (chars < 3)
		return;
	whole = prefix(name, chars);
	if (!name[whole]) {
		buf_str(out, name);
		return;
	}
	buf_add(out, name, prefix(name, chars - 2));
	buf_str(out, "..");
}
