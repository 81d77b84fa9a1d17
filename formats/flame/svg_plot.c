/* Writes frames as rectangles with text and, for the script, as numbers. Does not know what
 * the frames are. */
#include "formats/flame/svg_plot.h"
#include "formats/shown.h"
#include "parser/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A browser needs a quarter of a second to read so many frames, and ten times that for a hundred
 * thousand. Where there are more than ALL_MAX, all but the widest become one path for each colour.
 */
#define ALL_MAX	   15000
#define WIDEST_MAX 5000

void plot_add(struct plot_axis *a, const struct plot_frame *f)
{
	a->frames = xgrow(a->frames, &a->frame_cap, a->frame_count + 1, sizeof(*a->frames));
	a->frames[a->frame_count++] = *f;
}

void plot_add_lane(struct plot_axis *a, const struct plot_lane *lane)
{
	a->lanes = xgrow(a->lanes, &a->lane_cap, a->lane_count + 1, sizeof(*a->lanes));
	a->lanes[a->lane_count++] = *lane;
}

/* ---- the still picture ---- */

struct box {
	double x, y, width, height;
};

static struct box box_of(const struct plot *p, const struct plot_axis *a,
			 const struct plot_lane *lane, const struct plot_frame *f)
{
	const struct drawing *d = p->drawing;
	double per_weight = (d->width_px - 2 * PAGE_SIDE_PX) / a->span;
	double y = f->depth * d->frame_px;

	return (struct box){ .x = PAGE_SIDE_PX + (double)f->start * per_weight,
			     .y = lane->y_px + (p->upwards ? -y : y),
			     .width = (f->name == PLOT_ROOT ? a->span : (double)f->weight) *
				      per_weight,
			     .height = d->frame_px - 1 };
}

static int by_weight_down(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x < *y) - (*x > *y);
}

/* Which frames are elements: those that take more than this share of their axis, and so many of
 * those that take just as much. */
struct choice {
	double share;
	size_t equal;
};

static struct choice choose_elements(const struct plot *p)
{
	struct choice c = { -1, 0 };
	size_t total = 0, n = 0;
	double *shares;

	for (size_t i = 0; i < p->axis_count; i++)
		total += p->axes[i].frame_count;
	if (total <= ALL_MAX)
		return c;
	shares = xmalloc(total * sizeof(*shares));
	for (size_t i = 0; i < p->axis_count; i++) {
		for (size_t k = 0; k < p->axes[i].frame_count; k++)
			shares[n++] = (double)p->axes[i].frames[k].weight / p->axes[i].span;
	}
	qsort(shares, total, sizeof(*shares), by_weight_down);
	c.share = shares[WIDEST_MAX];
	while (c.equal < WIDEST_MAX && !(shares[WIDEST_MAX - 1 - c.equal] > c.share))
		c.equal++;
	free(shares);
	return c;
}

static bool is_element(struct choice *c, double share)
{
	if (share > c->share)
		return true;
	if (share < c->share || !c->equal)
		return false;
	c->equal--;
	return true;
}

/* NAME, cut to the width of its frame; none when there is room for less than three characters. */
static void put_label(const struct plot *p, const struct box *b, const char *name, rgb ink)
{
	const struct drawing *d = p->drawing;
	double chars = b->width / (d->fontsize_px * d->fontwidth);
	size_t room = chars < 1e6 ? (size_t)chars : 1000000;
	bool cut = name[shown_bytes(name, room)];

	if (room < 3)
		return;
	out_put(p->frame.out, "<text x=\"%g\" y=\"%g\"", b->x + 3, 3 + b->y + b->height / 2);
	out_str(p->frame.out, ink ? " fill=\"#ffffff\">" : ">");
	shown_put(p->frame.out, name, cut ? shown_bytes(name, room - 2) : strlen(name));
	out_str(p->frame.out, cut ? "..</text>" : "</text>");
}

struct texts {
	struct buf name, title;
};

static void put_frame(const struct plot *p, const struct plot_axis *a, const struct plot_lane *lane,
		      size_t i, struct texts *t)
{
	const struct plot_frame *f = &a->frames[i];
	struct box b = box_of(p, a, lane, f);
	struct out *o = p->frame.out;
	const struct name_attribute *attr =
		f->name == PLOT_ROOT
			? NULL
			: name_attributes_find(&p->files.attributes, p->names[f->name]);
	const char *end = name_attribute_open(attr, o);

	plot_name(p, f, &t->name);
	plot_title(p, a, i, &t->title);
	out_put(o,
		"<title>%s</title><rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" "
		"fill=\"#%06x\" rx=\"2\" ry=\"2\"",
		attr && attr->text[ATTR_TITLE] ? attr->text[ATTR_TITLE] : t->title.data, b.x, b.y,
		b.width, b.height, f->color);
	if (p->drawing->stroke_color)
		out_put(o, " stroke=\"%s\"", p->drawing->stroke_color);
	/* of the side before, and the side after has it not */
	else if (a->kind == AXIS_BEFORE && !f->node->total[0])
		out_str(o, " class=\"gone\" stroke=\"" SVG_TEXT "\"");
	out_str(o, "/>");
	put_label(p, &b, t->name.data, flame_color_ink(f->color));
	out_str(o, end);
}

/* Frames too narrow to be elements, as paths: one for each colour. */
struct narrow {
	rgb color;
	struct box box;
};

static int by_color(const void *a, const void *b)
{
	const struct narrow *x = a, *y = b;

	if (x->color != y->color)
		return x->color < y->color ? -1 : 1;
	if (x->box.y != y->box.y)
		return x->box.y < y->box.y ? -1 : 1;
	return (x->box.x > y->box.x) - (x->box.x < y->box.x);
}

static long hundredths(double px)
{
	return lround(px * 100);
}

/* Steps from one to the next are those of what was written, so that nothing adds up. (Strokes as
 * wide as a frame is high would be shorter, but ImageMagick rounds their ends.) */
static void put_row(struct out *o, const struct narrow *list, size_t n)
{
	long at = 0;

	for (size_t i = 0; i < n; i++) {
		const struct box *b = &list[i].box;
		long x = hundredths(b->x), width = hundredths(b->width);

		width = width ? width : 1;
		if (i)
			out_put(o, "m%g 0", (double)(x - at) / 100);
		else
			out_put(o, "M%g %g", (double)x / 100, b->y);
		out_put(o, "h%gv%gh-%gz", (double)width / 100, b->height, (double)width / 100);
		at = x;
	}
}

static void put_narrow(struct out *o, struct narrow *list, size_t n)
{
	size_t row = 0;

	if (!n)
		return;
	qsort(list, n, sizeof(*list), by_color);
	for (size_t i = 0; i < n; i++) {
		bool last = i + 1 == n || list[i + 1].color != list[i].color;

		if (!i || list[i].color != list[i - 1].color)
			out_put(o, "<path fill=\"#%06x\" d=\"", list[i].color);
		if (!last && list[i + 1].box.y == list[i].box.y)
			continue;
		put_row(o, list + row, i + 1 - row);
		row = i + 1;
		out_str(o, last ? "\"/>\n" : "");
	}
}

static void draw_axis(const struct plot *p, const struct plot_axis *a, struct choice *choice)
{
	struct narrow *narrow = NULL;
	size_t count = 0, cap = 0;
	struct texts t = { 0 };

	for (size_t l = 0; l < a->lane_count; l++) {
		const struct plot_lane *lane = &a->lanes[l];

		for (size_t i = lane->first; i < lane->first + lane->count; i++) {
			if (is_element(choice, (double)a->frames[i].weight / a->span)) {
				put_frame(p, a, lane, i, &t);
				continue;
			}
			narrow = xgrow(narrow, &cap, count + 1, sizeof(*narrow));
			narrow[count++] = (struct narrow){ a->frames[i].color,
							   box_of(p, a, lane, &a->frames[i]) };
		}
	}
	put_narrow(p->frame.out, narrow, count);
	free(narrow);
	buf_release(&t.name);
	buf_release(&t.title);
}

void plot_draw(const struct plot *p)
{
	struct choice choice = choose_elements(p);

	out_str(p->frame.out, "<g id=\"frames\" fill=\"#000000\">\n");
	for (size_t i = 0; i < p->axis_count; i++)
		draw_axis(p, &p->axes[i], &choice);
	out_str(p->frame.out, "</g>\n");
}
