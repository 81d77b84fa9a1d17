/* Draws a heat map with block characters: labels at the left, time below, a legend. Assumes
 * nothing of the terminal but its colours, where they were asked for. */
#include "formats/text/text_grid.h"
#include "formats/axis.h"
#include "formats/cell.h"
#include "formats/grid_view.h"
#include "formats/shown.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH	  100 /* of a line, where there is no terminal */
#define WIDTH_MIN 40
#define WIDTH_MAX 250
#define ROWS	  30
#define ROWS_MIN  12
#define OTHERS	  8 /* lines on a screen, beside the rows */
#define LABEL_MAX 26
#define LANES	  16
#define LANE_ROWS 10
#define SHADES	  4
#define COLOURS	  10

static const char *const shades[SHADES + 1] = { " ", "\xe2\x96\x91", "\xe2\x96\x92", "\xe2\x96\x93",
						"\xe2\x96\x88" };
/* From dark to light: the same on a dark and on a light terminal. */
static const uint8_t backgrounds[COLOURS + 1] = {
	0, 53, 54, 90, 126, 162, 198, 203, 209, 215, 227
};

struct canvas {
	struct grid_view view;
	const struct grid_gap **gaps; /* by column */
	size_t label_width, width;    /* of labels, of lines */
	unsigned levels;
	bool colour;
	struct buf totals; /* of lanes that overlap, in place of their sum */
	struct out *out;
};

/* ---- labels ---- */

/* The label of row R, for a range its lower end; what is made here is put into TEXT. */
static const char *label(const struct grid_view *v, size_t r, char text[GRID_RANGE_TEXT])
{
	if (v->sources)
		return grid_view_row_name(v, r, text);
	return number_alone(text, (double)grid_view_edge(v, r), v->grid->y.type);
}

static size_t label_width(const struct grid_view *v)
{
	char text[GRID_RANGE_TEXT];
	size_t width = 0;

	for (size_t r = 0; r < v->rows; r++) {
		size_t n = shown_width(label(v, r, text));

		width = n > width ? n : width;
	}
	return width > LABEL_MAX ? LABEL_MAX : width;
}

/* Right-aligned; a label that is too long ends with a tilde. */
static void put_label(struct canvas *c, size_t r)
{
	char text[GRID_RANGE_TEXT];
	const char *name = label(&c->view, r, text);

	if (shown_width(name) > c->label_width) {
		shown_put(c->out, name, shown_bytes(name, c->label_width - 1));
		out_str(c->out, "~");
	} else {
		out_put(c->out, "%*s", (int)c->label_width, name);
	}
}

/* ---- cells ---- */

static void put_background(struct canvas *c, unsigned level)
{
	if (level)
		out_put(c->out, "\033[48;5;%um", backgrounds[level]);
	else
		out_str(c->out, "\033[0m");
}

static void put_row(struct canvas *c, size_t r)
{
	const struct grid_view *v = &c->view;
	unsigned shown = 0;

	put_label(c, r);
	out_str(c->out, " |");
	for (size_t i = 0; i < v->columns; i++) {
		unsigned level = grid_view_level(v, v->cells[r * v->columns + i], c->levels);

		if (c->colour && level != shown)
			put_background(c, level);
		shown = level;
		if (!level && c->gaps[i])
			out_str(c->out, "/");
		else
			out_str(c->out, c->colour ? " " : shades[level]);
	}
	out_str(c->out, c->colour && shown ? "\033[0m|\n" : "|\n");
}

/* ---- the x axis ---- */

static void put_ruler(struct canvas *c, const struct axis *a)
{
	size_t tick = 0;

	out_put(c->out, "%*s", (int)c->label_width + 2, "+");
	for (size_t i = 0; i < c->view.columns; i++) {
		bool here = false;

		for (; tick < a->count && grid_view_column(&c->view, a->ticks[tick].at) <= i;
		     tick++)
			here = true;
		out_str(c->out, here ? "+" : "-");
	}
	out_str(c->out, "+\n");
}

/* The texts begin below their ticks; one that would run into the one before is left out. */
static void put_ticks(struct canvas *c, const struct axis *a)
{
	size_t at = 0, space = c->width - c->label_width - 2;

	out_put(c->out, "%*s", (int)c->label_width + 2, "");
	for (size_t i = 0; i < a->count; i++) {
		size_t want = grid_view_column(&c->view, a->ticks[i].at);
		size_t width = strlen(a->ticks[i].text);

		if ((at && want <= at) || want + width > space)
			continue;
		out_put(c->out, "%*s%s", (int)(want - at), "", a->ticks[i].text);
		at = want + width;
	}
	out_str(c->out, "\n");
}

/* ---- what it means ---- */

/* TEXT, in lines. */
static void put_wrapped(struct canvas *c, const char *text)
{
	struct buf lines = { 0 };
	const char *line, *end;

	text_wrap(text, c->width, 0, &lines);
	for (line = lines.data; (end = strchr(line, '\n')); line = end + 1) {
		lines.data[end - lines.data] = '\0';
		out_put(c->out, "%s\n", line);
	}
	buf_release(&lines);
}

static void put_names(struct canvas *c)
{
	const struct grid_view *v = &c->view;
	const struct grid_part *g = v->grid;
	struct buf b = { 0 };

	buf_printf(&b, "%s by %s in steps of %s", LABEL(&g->cell), LABEL(&g->x),
		   EXACT(g->x_step, g->x.type));
	if (v->fold_x > 1)
		buf_printf(&b, " (%zu to a column)", v->fold_x);
	buf_printf(&b, " and %s%s", LABEL(&g->y), v->sources ? "" : " from");
	if (v->fold_y > 1)
		buf_printf(&b, " (%zu ranges to a row)", v->fold_y);
	put_wrapped(c, b.data);
	buf_release(&b);
}

static void put_shades(struct canvas *c)
{
	const struct grid_view *v = &c->view;
	enum column_type type = v->grid->cell.type;
	unsigned step = c->colour ? 3 : 1;

	for (unsigned i = 1; i <= c->levels; i += step) {
		uint64_t low = grid_view_level_low(v, i, c->levels);

		/* Few different values leave levels that none of them has. */
		if (i < c->levels && low == grid_view_level_low(v, i + 1, c->levels))
			continue;
		if (c->colour)
			put_background(c, i);
		out_str(c->out, c->colour ? "  \033[0m " : shades[i]);
		out_str(c->out, c->colour ? "" : " ");
		out_put(c->out, i + step <= c->levels ? "from %s  " : "from %s", ALONE(low, type));
	}
	out_str(c->out, "\n");
}

static void put_legend(struct canvas *c)
{
	const struct grid_view *v = &c->view;
	enum column_type type = v->grid->cell.type;
	struct buf b = { 0 };

	if (v->shades.most)
		put_shades(c);
	buf_printf(&b, "most %s, total %s", ALONE(v->shades.most, type),
		   c->totals.len ? c->totals.data : ALONE(v->total, type));
	put_wrapped(c, b.data);
	buf_release(&b);
}

static void put_gap_legend(struct canvas *c)
{
	const char *causes[GRID_CAUSES];
	size_t count = grid_view_causes(&c->view, c->gaps, causes);
	struct buf b = { 0 };

	for (size_t i = 0; i < count; i++)
		buf_printf(&b, i ? ", %s" : "/ gap: %s", causes[i]);
	if (count)
		put_wrapped(c, b.data);
	buf_release(&b);
}

static void put_clock(struct canvas *c)
{
	const struct grid_part *g = c->view.grid;

	if (!g->has_wall || g->x.type != COLUMN_TIME_NS)
		return;
	out_put(c->out, "time of day from %s, UTC", axis_date(NUMBER_ROOM, g->wall_ns, g->x_first));
	out_str(c->out, g->wall_is_exact ? "\n" : ", approximate\n");
}

/* One map with its axis. */
static void put_map(struct canvas *c)
{
	struct axis axis;

	grid_view_x_axis(&c->view, &axis, (unsigned)(c->view.columns / 14 + 1));
	/* ranges grow upwards, labels are read downwards */
	for (size_t i = 0; i < c->view.rows; i++)
		put_row(c, c->view.sources ? i : c->view.rows - 1 - i);
	put_ruler(c, &axis);
	put_ticks(c, &axis);
}

/* The room for the cells of a row. */
static size_t room(const struct canvas *c)
{
	return c->width - LABEL_MAX - 3;
}

static void put_lanes(struct canvas *c, const struct result *r)
{
	size_t count = r->grid_lane_count < LANES ? r->grid_lane_count : LANES;
	struct grid_view whole = c->view, lanes[LANES];

	for (size_t i = 0; i < count; i++)
		grid_view_init(&lanes[i], &r->grid_lanes[i], room(c), LANE_ROWS);
	grid_view_share_scale(&whole, lanes, count);
	for (size_t i = 0; i < count; i++) {
		c->view = lanes[i];
		out_put(c->out, "\n%.*s\n", (int)c->width, r->grid_lanes[i].name);
		put_map(c);
		if (r->lanes_overlap)
			buf_printf(&c->totals, "%s%s of %s", i ? ", " : "",
				   ALONE(lanes[i].total, lanes[i].grid->cell.type),
				   r->grid_lanes[i].name);
		grid_view_release(&lanes[i]);
	}
	c->view = whole;
	if (r->grid_lane_count > count)
		out_put(c->out, "%zu more lanes are not shown\n", r->grid_lane_count - count);
}

static size_t most_rows(const struct style *style)
{
	if (!style->width || style->height >= ROWS + OTHERS)
		return ROWS;
	return style->height > ROWS_MIN + OTHERS ? style->height - OTHERS : ROWS_MIN;
}

void text_grids(const struct result *r, const struct style *style, struct out *out)
{
	struct canvas c = { .colour = style->colour,
			    .levels = style->colour ? COLOURS : SHADES,
			    .width = style->width ? style->width : WIDTH,
			    .out = out };

	c.width = c.width < WIDTH_MIN ? WIDTH_MIN : c.width > WIDTH_MAX ? WIDTH_MAX : c.width;
	grid_view_init(&c.view, r->grid, room(&c),
		       r->grid_lane_count ? LANE_ROWS : most_rows(style));
	/* on a terminal what labels do not need is for the cells; lanes share their columns */
	if (style->width && !r->grid_lane_count) {
		size_t rest = c.width - label_width(&c.view) - 3;

		grid_view_release(&c.view);
		grid_view_init(&c.view, r->grid, rest, most_rows(style));
	}
	/* lanes have labels of their own */
	c.label_width = r->grid_lane_count && c.view.sources ? LABEL_MAX : label_width(&c.view);
	c.gaps = xcalloc(c.view.columns + 1, sizeof(*c.gaps));
	grid_view_gaps(&c.view, c.gaps);
	put_names(&c);
	if (r->grid_lane_count)
		put_lanes(&c, r);
	else
		put_map(&c);
	put_legend(&c);
	put_gap_legend(&c);
	put_clock(&c);
	free(c.gaps);
	buf_release(&c.totals);
	grid_view_release(&c.view);
}
