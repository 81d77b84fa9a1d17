/* Names and tooltips of frames, as flamegraph.pl words them. */
#include "formats/flame/svg_plot.h"
#include "formats/model/amount.h"
#include "formats/number.h"

#include <math.h>
#include <string.h>

const char *plot_full_name(const struct plot *p, const struct plot_frame *f)
{
	return f->name == PLOT_ROOT ? "all" : p->names[f->name];
}

void plot_name(const struct plot *p, const struct plot_frame *f, struct buf *out)
{
	const char *name = plot_full_name(p, f);
	size_t n = strlen(name);

	if (n >= 4 && name[n - 4] == '_' && name[n - 3] == '[' && name[n - 1] == ']' &&
	    strchr("kwij", name[n - 2]))
		n -= 4;
	out->len = 0;
	buf_add(out, name, n);
	buf_str(out, "");
}

double plot_shown(const struct plot *p, double weight)
{
	return weight / pow(10, p->decimals) * p->drawing->factor;
}

static const char *whole(char text[NUMBER_TEXT], double value)
{
	number_scaled(text, value, &(struct number_scale){ 1, 0, "", "", true, false, 0 });
	return text;
}

const char *plot_amount(const struct plot *p, double weight, char text[NUMBER_TEXT])
{
	return whole(text, plot_shown(p, weight));
}

/* "; before 15; delta +13, +86.67%; self delta +5": of all that is below a frame, and of what ends
 * in it; percent of the side before, as in the table of diff. */
static void add_change(const struct plot *p, const struct plot_axis *a, const struct flame_node *n,
		       struct buf *out)
{
	double sign = p->drawing->negate ? -1 : 1;
	unsigned decimals = p->scale != 1 || p->decimals ? 2 : 0;
	double before = plot_shown(p, (double)n->total[1] * p->scale),
	       after = plot_shown(p, (double)n->total[0]);
	double self = plot_shown(p, (double)n->self[0] - (double)n->self[1] * p->scale);

	buf_printf(out, a->kind == AXIS_AFTER ? "; before %s" : "; after %s",
		   whole(NUMBER_ROOM, a->kind == AXIS_AFTER ? before : after));
	buf_printf(out, "; delta %s", CHANGE(sign * (after - before), decimals));
	if (n->total[1])
		buf_printf(out, ", %s%%", CHANGE(sign * percent_of(after - before, before), 2));
	buf_printf(out, "; self delta %s", CHANGE(sign * self, decimals));
}

void plot_title(const struct plot *p, const struct plot_axis *a, size_t frame, struct buf *out)
{
	const struct plot_frame *f = &a->frames[frame];
	bool root = f->name == PLOT_ROOT;
	double weight = plot_shown(p, root ? a->span : (double)f->weight);

	plot_name(p, f, out);
	buf_printf(out, " (%s %s, %s", whole(NUMBER_ROOM, weight), p->countname,
		   root ? "100%" : SHARE(nearbyint(weight), plot_shown(p, a->span)));
	if (f->node)
		add_change(p, a, f->node, out);
	buf_str(out, ")");
}
