/* The still picture of a timeline, for viewers without script, on paper, as a thumbnail. Spans wide
 * enough to be told apart are elements with a title, as in a flame graph. The others are added up
 * in columns of pixels, where each colour has its share of the height, and at least a fifth of it,
 * which of groups only the largest has; of frames the longest one shows, the paler the less of the
 * column is covered. Columns become wider where there are many lanes, so that the size of the
 * picture is bounded. */
#include "formats/flame/timeline.h"
#include "formats/number.h"
#include "formats/model/amount.h"
#include "formats/shown.h"
#include "parser/base/buf.h"
#include "parser/base/compare.h"
#include "parser/base/idmap.h"
#include "parser/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ELEMENTS_MAX  4000
#define ELEMENT_PX    2 /* the least width of an element */
#define BOXES_MAX     100000
#define COLUMN_MAX_PX 64
#define PARTS_MAX     12 /* names of a column */
#define LEAST	      5	 /* the least part of the height, as TL_LEAST of timeline_draw.js */
#define SHADES	      4	 /* of frames that cover a part of a column */

struct part {
	uint32_t name;
	double share;
};

/* Columns that look the same, one behind the other. */
struct stripe {
	double from, to;
	unsigned count;
	struct part parts[PARTS_MAX];
};

/* All boxes of one colour and shade become one path. */
struct still {
	const struct timeline *timeline;
	double least_px; /* of an element */
	size_t equal;	 /* so many just as wide are elements, too */
	double column_px;
	size_t boxes;
	struct idmap inks; /* colour and shade -> path */
	struct buf *paths;
	uint64_t *path_inks;
	size_t path_count, path_cap, paths_cap;
	bool count_only;
};

static double px_of(const struct timeline *t, uint64_t ns)
{
	return (double)ns / (double)(t->part->end_ns - t->part->start_ns) * t->inner_px;
}

/* ---- which spans are elements ---- */

static int down(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x < y) - (x > y);
}

static double longest_first(const struct timeline_part *p, size_t l, size_t i)
{
	return (double)(p->lanes[l].spans[i].end_ns - p->lanes[l].spans[i].start_ns);
}

/* The ELEMENTS_MAX longest ones, if they are wide enough. */
static void choose_elements(struct still *s)
{
	const struct timeline_part *p = s->timeline->part;
	double *widths = NULL,
	       least = (double)(p->end_ns - p->start_ns) * ELEMENT_PX / s->timeline->inner_px;
	size_t n = 0, cap = 0;

	for (size_t l = 0; l < s->timeline->still_lanes; l++) {
		for (size_t i = 0; i < p->lanes[l].count; i++) {
			if (longest_first(p, l, i) < least)
				continue;
			widths = xgrow(widths, &cap, n + 1, sizeof(*widths));
			widths[n++] = longest_first(p, l, i);
		}
	}
	s->least_px = ELEMENT_PX;
	s->equal = SIZE_MAX;
	if (n > ELEMENTS_MAX) {
		qsort(widths, n, sizeof(*widths), down);
		s->least_px = px_of(s->timeline, (uint64_t)widths[ELEMENTS_MAX]);
		s->equal = 0;
	}
	free(widths);
}

static bool is_element(const struct still *s, double width)
{
	return s->equal ? width >= s->least_px : width > s->least_px;
}

/* ---- columns ---- */

/* Boxes of INK: the colour, and above it the shade. */
static struct buf *path_of(struct still *s, uint32_t ink)
{
	uint32_t *path = idmap_put(&s->inks, ink);

	if (*path == IDMAP_NONE) {
		*path = (uint32_t)s->path_count;
		s->paths = xgrow(s->paths, &s->paths_cap, s->path_count + 1, sizeof(*s->paths));
		s->path_inks =
			xgrow(s->path_inks, &s->path_cap, s->path_count + 1, sizeof(*s->path_inks));
		s->path_inks[s->path_count] = ink;
		s->paths[s->path_count++] = (struct buf){ 0 };
	}
	return &s->paths[*path];
}

static void put_box(struct still *s, uint32_t ink, const struct stripe *c, double y, double height)
{
	double width = c->to - c->from;

	s->boxes++;
	if (!s->count_only)
		buf_printf(path_of(s, ink), "M%.7g %.7gh%.7gv%.7gh-%.7gz", c->from, y, width,
			   height, width);
}

/* The least part of the height: of states what is rare must not be lost, of groups what is most
 * shows. */
static unsigned least_of(const struct timeline *t, const struct stripe *c, unsigned part)
{
	unsigned room = (unsigned)fmax(t->row_px - 1, 1), least = room / LEAST ? room / LEAST : 1;

	for (unsigned i = 0; t->ranks && i < c->count; i++)
		least = c->parts[i].share > c->parts[part].share ? 0 : least;
	return least;
}

/* Shares of the height from the bottom up, by the order of the names' kinds. */
static void put_stack(struct still *s, const struct stripe *c, double y)
{
	const struct timeline *t = s->timeline;
	unsigned room = (unsigned)fmax(t->row_px - 1, 1), left = room;

	for (unsigned i = 0; i < c->count && left; i++) {
		unsigned rest = c->count - 1 - i, most = left > rest ? left - rest : 1;
		unsigned least = least_of(t, c, i);
		unsigned n = (unsigned)lround(fmin(c->parts[i].share, 1) * room);

		n = n < least ? least : n;
		n = n > most ? most : n;
		if (!n)
			continue;
		left -= n;
		put_box(s, t->colors[c->parts[i].name], c, y + left, n);
	}
}

static void put_longest(struct still *s, const struct stripe *c, double y)
{
	double sum = 0;
	unsigned best = 0, shade;

	for (unsigned i = 0; i < c->count; i++) {
		sum += c->parts[i].share;
		best = c->parts[i].share > c->parts[best].share ? i : best;
	}
	shade = (unsigned)(fmin(fmax(sum, 0.6), 1) * SHADES + 0.5);
	put_box(s, s->timeline->colors[c->parts[best].name] | shade << 24, c, y,
		s->timeline->row_px - 1);
}

static void put_stripe(struct still *s, struct stripe *c, double y)
{
	if (c->count && s->timeline->mode == TIMELINE_FRAMES)
		put_longest(s, c, y);
	else if (c->count)
		put_stack(s, c, y);
	c->count = 0;
}

/* What a reader looks for stands at the bottom: as tlRank() of timeline_model.js. */
static unsigned rank_of(const struct timeline *t, uint32_t name)
{
	static const unsigned char ranks[] = {
		[SPAN_RUNNING] = 1, [SPAN_RUNNABLE] = 2, [SPAN_DISK] = 3
	};
	unsigned kind = timeline_kind(t->part, name);
	unsigned rank = kind < ARRAY_SIZE(ranks) ? ranks[kind] : 0;

	if (t->ranks)
		return t->ranks[name];
	return rank ? rank : 4;
}

static void add_part(const struct timeline *t, struct stripe *c, uint32_t name, double share)
{
	unsigned i = 0, rank = rank_of(t, name);

	while (i < c->count && t->colors[c->parts[i].name] != t->colors[name])
		i++;
	if (i < c->count || c->count == PARTS_MAX) {
		c->parts[i < c->count ? i : i - 1].share += share;
		return;
	}
	for (; i; i--) {
		unsigned before = rank_of(t, c->parts[i - 1].name);

		if (before < rank || (before == rank && c->parts[i - 1].name < name))
			break;
		c->parts[i] = c->parts[i - 1];
	}
	c->parts[i] = (struct part){ name, share };
	c->count++;
}

/* Do they look the same? Heights are whole pixels. */
static bool alike(const struct timeline *t, const struct stripe *a, const struct stripe *b)
{
	if (a->count != b->count)
		return false;
	for (unsigned i = 0; i < a->count; i++) {
		if (a->parts[i].name != b->parts[i].name ||
		    lround(a->parts[i].share * t->row_px) != lround(b->parts[i].share * t->row_px))
			return false;
	}
	return true;
}

struct row_state {
	struct stripe done, now; /* what can grow no more but to the right; the column at hand */
	double y;
};

/* The column at hand is complete. */
static void end_column(struct still *s, struct row_state *r)
{
	if (!r->now.count)
		return;
	if (r->done.count && r->done.to >= r->now.from && alike(s->timeline, &r->done, &r->now)) {
		r->done.to = r->now.to;
	} else {
		put_stripe(s, &r->done, r->y);
		r->done = r->now;
	}
	r->now.count = 0;
}

static void add_narrow(struct still *s, struct row_state *r, const struct span *span)
{
	const struct timeline *t = s->timeline;
	double a = px_of(t, span->start_ns - t->part->start_ns),
	       b = a + px_of(t, span->end_ns - span->start_ns), q = s->column_px;

	for (double at = floor(a / q) * q; at < b || at <= a; at += q) {
		double from = t->left_px + at, share = (fmin(b, at + q) - fmax(a, at)) / q;

		if (r->now.count && r->now.from != from)
			end_column(s, r);
		if (!r->now.count)
			r->now = (struct stripe){ .from = from,
						  .to = fmin(from + q, t->left_px + t->inner_px) };
		add_part(t, &r->now, span->name, fmax(share, 0));
	}
}

/* Of a lane: a state for each row. */
static void add_lane(struct still *s, size_t lane)
{
	const struct timeline *t = s->timeline;
	const struct lane *l = &t->part->lanes[lane];
	struct row_state *rows = xcalloc(l->depth + 1, sizeof(*rows));

	for (unsigned d = 0; d < l->depth; d++)
		rows[d].y = timeline_row_px(t, lane, d);
	for (size_t i = 0; i < l->count; i++) {
		const struct span *span = &l->spans[i];

		if (span->depth < l->depth &&
		    !is_element(s, px_of(t, span->end_ns - span->start_ns)))
			add_narrow(s, &rows[span->depth], span);
	}
	for (unsigned d = 0; d < l->depth; d++) {
		end_column(s, &rows[d]);
		put_stripe(s, &rows[d].done, rows[d].y);
	}
	free(rows);
}

static void add_lanes(struct still *s)
{
	s->boxes = 0;
	for (size_t i = 0; i < s->timeline->still_lanes && s->boxes <= 2 * BOXES_MAX; i++)
		add_lane(s, i);
}

/* As narrow as the bound allows. */
static void choose_columns(struct still *s)
{
	s->count_only = true;
	for (s->column_px = 1; s->column_px < COLUMN_MAX_PX; s->column_px *= 2) {
		add_lanes(s);
		if (s->boxes <= BOXES_MAX)
			break;
	}
	s->count_only = false;
}

static void put_columns(struct still *s)
{
	struct out *o = s->timeline->frame.out;

	add_lanes(s);
	for (size_t i = 0; i < s->path_count; i++) {
		unsigned shade = (unsigned)(s->path_inks[i] >> 24);

		out_put(o, "<path fill=\"#%06x\"", (unsigned)(s->path_inks[i] & 0xffffff));
		if (shade && shade < SHADES)
			out_put(o, " fill-opacity=\"%g\"", (double)shade / SHADES);
		out_str(o, " d=\"");
		out_write(o, s->paths[i].data, s->paths[i].len);
		out_str(o, "\"/>\n");
		buf_release(&s->paths[i]);
	}
	idmap_release(&s->inks);
	free(s->paths);
	free(s->path_inks);
}

/* ---- elements ---- */

/* What of NAME has room in the box of S at (X, Y). */
static void put_label(const struct timeline *t, const struct span *s, const char *name, double x,
		      double y)
{
	const struct drawing *d = t->drawing;
	double width = px_of(t, s->end_ns - s->start_ns);
	size_t room = (size_t)fmin((width - 4) / (d->fontsize_px * d->fontwidth), 1e6);
	size_t all = strlen(name), fit = shown_bytes(name, room);

	if (width < 4 || room < 3 || t->row_px < d->fontsize_px + 2)
		return;
	out_put(t->frame.out, "<text x=\"%g\" y=\"%g\" fill=\"#%06x\">", x + 3,
		y + (t->row_px + d->fontsize_px) / 2 - 2, flame_color_ink(t->colors[s->name]));
	shown_put(t->frame.out, name, fit < all ? shown_bytes(name, room - 2) : all);
	out_str(t->frame.out, fit < all ? "..</text>" : "</text>");
}

/* Without what says that a function is of the kernel, inlined, ... */
static size_t shown_length(const char *name)
{
	size_t n = strlen(name);

	return n >= 4 && name[n - 4] == '_' && name[n - 3] == '[' && name[n - 1] == ']' &&
			       strchr("kwij", name[n - 2])
		       ? n - 4
		       : n;
}

static void put_element(const struct timeline *t, size_t lane, const struct span *s, struct buf *b)
{
	const char *name = t->part->names[s->name];
	double width = px_of(t, s->end_ns - s->start_ns), y = timeline_row_px(t, lane, s->depth);
	double x = t->left_px + px_of(t, s->start_ns - t->part->start_ns);

	b->len = 0;
	buf_add(b, name, shown_length(name));
	buf_str(b, "");
	out_put(t->frame.out,
		"<g><title>%s (%s at +%s)</title><rect x=\"%g\" y=\"%g\" width=\"%g\" "
		"height=\"%g\" fill=\"#%06x\"/>",
		b->data, ALONE(s->end_ns - s->start_ns, COLUMN_NS),
		ALONE(s->start_ns - t->part->start_ns, COLUMN_NS), x, y, width, t->row_px - 1,
		t->colors[s->name]);
	put_label(t, s, b->data, x, y);
	out_str(t->frame.out, "</g>\n");
}

static void put_elements(const struct still *s)
{
	const struct timeline *t = s->timeline;
	struct buf name = { 0 };

	for (size_t l = 0; l < t->still_lanes; l++) {
		const struct lane *lane = &t->part->lanes[l];

		for (size_t i = 0; i < lane->count; i++) {
			const struct span *span = &lane->spans[i];

			if (span->depth < lane->depth &&
			    is_element(s, px_of(t, span->end_ns - span->start_ns)))
				put_element(t, l, span, &name);
		}
	}
	buf_release(&name);
}

/* Wide columns reach below their neighbours, narrow ones would be lost there. */
void timeline_still(const struct timeline *t)
{
	struct still s = { .timeline = t };

	choose_elements(&s);
	choose_columns(&s);
	out_str(t->frame.out, "<g id=\"frames\">\n");
	if (s.column_px > 1)
		put_columns(&s);
	put_elements(&s);
	if (s.column_px <= 1)
		put_columns(&s);
	out_str(t->frame.out, "</g>\n");
}
