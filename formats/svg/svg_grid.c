/* Places a heat map: margins, axes, cells, gaps, legend, and below it the data for the script.
 * With very many cells a picture stands for them. */
#include "formats/svg/svg_draw.h"
#include "formats/cell.h"
#include "formats/svg/png.h"
#include "formats/shown.h"
#include "formats/svg/svg_frame.h"
#include "formats/svg/svg_series.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 2000 /* a column is a pixel at least */
#define RANGES_MAX  200
#define LABELS_MAX  60
#define LABEL_WIDTH 34	  /* characters */
#define TITLED_MAX  12000 /* more cells than that have no node, no title, of their own */
#define USUAL_WIDTH 1200
#define PLOT_MIN    200
#define AREA_HEIGHT 240
#define LANES_MAX   16
#define AXIS_HEIGHT 44 /* below the maps */
#define LANE_GAP    26 /* between two lanes, with the lower one's name */
#define SPARSE_PX   5  /* a column that holds next to nothing is as wide */
#define RUNS	    3  /* of colours in the legend, with a number between two */

_Static_assert(SVG_LEVELS % RUNS == 0, "the runs are equally long");

_Static_assert(SVG_LEVELS == PNG_COLOURS, "a picture has the colours of the cells");

struct picture {
	struct out *out;
	struct grid_view view; /* all of it; while a map is drawn, that map's */
	struct grid_view lanes[LANES_MAX];
	size_t lane_count, lanes_left;
	unsigned lane_step;	      /* from the top of a lane to that of the next */
	unsigned upper;		      /* how high the strips of a lane are */
	const struct grid_gap **gaps; /* by column */
	struct axis axis;	      /* of x */
	struct svg_box box;	      /* the heat map, or the first lane's */
	unsigned cell_height, top;    /* top: of whatever is uppermost */
	unsigned right;		      /* what is beside the heat map takes there */
	bool area, titled;
	bool overlap;	       /* lanes do, so each has its own strips and its own total */
	uint64_t total;	       /* what shares are of */
	enum column_type type; /* of cells */
	/* for the legend and the footer */
	char low[NUMBER_TEXT + 64], runs[RUNS][NUMBER_TEXT], levels[SVG_LEVELS][NUMBER_TEXT + 8];
	struct buf gaps_text, note, dark, high;
};

/* ---- words ---- */

/* What the titles of many cells have in common. */
struct titles {
	char (*columns)[GRID_RANGE_TEXT];
	const char *row;
	uint64_t *up; /* by column: its sum from below up to this row */
};

/* What the script says of the same cell. */
static void put_cell_title(const struct picture *p, size_t r, size_t c, const struct titles *t)
{
	const struct grid_view *v = &p->view;
	uint64_t value = v->cells[r * v->columns + c];

	out_put(p->out, "<title>%s\n%.160s\n%s: %s of %s, %s of the column", t->columns[c], t->row,
		ALONE(value, p->type), SHARE(value, p->total), p->overlap ? "the lane" : "all",
		SHARE(value, v->column_sums[c]));
	if (!v->sources)
		out_put(p->out, "\nup to here %s: %s of the column", ALONE(t->up[c], p->type),
			SHARE(t->up[c], v->column_sums[c]));
	out_str(p->out, "</title>");
}

/* ---- cells ---- */

/* Ranges grow upwards, labels are read downwards. */
static unsigned row_top(const struct picture *p, size_t r)
{
	size_t line = p->view.sources ? r : p->view.rows - 1 - r;

	return p->box.top + (unsigned)line * p->cell_height;
}

static void put_titled_row(const struct picture *p, size_t r, const struct titles *t)
{
	const struct grid_view *v = &p->view;
	char rest[64];

	snprintf(rest, sizeof(rest), " %uh1v%uh-1z\">", row_top(p, r), p->cell_height);
	for (size_t c = 0; c < v->columns; c++) {
		uint64_t value = v->cells[r * v->columns + c];

		if (!value)
			continue;
		out_put(p->out, "<path fill=\"%s\" d=\"M%zu",
			svg_light_heat[grid_view_level(v, value, SVG_LEVELS) - 1], c);
		out_str(p->out, rest);
		put_cell_title(p, r, c, t);
		out_str(p->out, "</path>\n");
	}
}

static void put_image(const struct picture *p, const struct png *png, const char *kind)
{
	out_str(p->out, "<image ");
	out_str(p->out, kind);
	out_put(p->out,
		" y=\"%u\" width=\"%zu\" height=\"%u\" "
		"preserveAspectRatio=\"none\" image-rendering=\"optimizeSpeed\" xlink:href=\"",
		p->box.top, p->view.columns, p->box.height);
	png_data_uri(p->out, png);
	out_str(p->out, "\"/>\n");
}

/* Too many for an element each: a picture with a pixel for each cell, on a light and on a dark
 * ground. */
static void put_images(const struct picture *p)
{
	const struct grid_view *v = &p->view;
	uint8_t *levels = xcalloc(v->rows * v->columns, 1), *to = levels;
	struct png png = { (uint32_t)v->columns, (uint32_t)v->rows, levels, svg_light_heat };

	for (size_t line = 0; line < v->rows; line++) {
		size_t r = v->sources ? line : v->rows - 1 - line;

		for (size_t c = 0; c < v->columns; c++)
			*to++ = (uint8_t)grid_view_level(v, v->cells[r * v->columns + c],
							 SVG_LEVELS);
	}
	put_image(p, &png, "class=\"light\"");
	png.colours = svg_dark_heat;
	put_image(p, &png, "class=\"dark\" display=\"none\"");
	free(levels);
}

static void put_cells(const struct picture *p, size_t map)
{
	const struct grid_view *v = &p->view;
	struct titles t = { .up = xcalloc(v->columns + 1, sizeof(*t.up)),
			    .columns = xcalloc(v->columns + 1, sizeof(*t.columns)) };
	char text[GRID_RANGE_TEXT];

	out_put(p->out, SVG_FIT, p->box.left, p->box.cell_width);
	if (!p->titled)
		put_images(p);
	for (size_t c = 0; p->titled && c < v->columns; c++)
		grid_view_column_name(v, c, t.columns[c]);
	out_str(p->out, "<g id=\"cells");
	if (map)
		out_put(p->out, "%zu", map);
	out_str(p->out, "\" class=\"cells\" shape-rendering=\"crispEdges\">\n");
	for (size_t r = 0; r < v->rows; r++) {
		const uint64_t *row = v->cells + r * v->columns;

		for (size_t c = 0; c < v->columns; c++)
			t.up[c] = row[c] > UINT64_MAX - t.up[c] ? UINT64_MAX : t.up[c] + row[c];
		t.row = grid_view_row_name(v, r, text);
		out_put(p->out, "<g data-n=\"%.160s\" data-v=\"", t.row);
		svg_runs(p->out, row, v->columns);
		out_str(p->out, "\">");
		if (p->titled)
			put_titled_row(p, r, &t);
		out_str(p->out, "</g>\n");
	}
	out_str(p->out, "</g>\n</g>\n");
	free(t.up);
	free(t.columns);
}

/* ---- gaps ---- */

static bool same_gap(const struct grid_gap *a, const struct grid_gap *b)
{
	return a == b || (a && b && !strcmp(a->cause, b->cause));
}

static void put_gap(const struct picture *p, size_t from, size_t to, const struct svg_box *box)
{
	out_put(p->out,
		"<rect data-at=\"gap\" fill=\"url(#hatch)\" x=\"%g\" y=\"%u\" width=\"%g\" "
		"height=\"%u\" data-from=\"%zu\" data-to=\"%zu\">"
		"<title>gap: %s\n%s to %s</title></rect>\n",
		box->left + (double)from * box->cell_width, box->top,
		(double)(to - from) * box->cell_width, box->height, from, to, p->gaps[from]->cause,
		X_TEXT(&p->view, p->gaps[from]->start), X_TEXT(&p->view, p->gaps[to - 1]->end));
}

/* ---- axes ---- */

/* In columns. */
static double column_of(const struct picture *p, uint64_t at)
{
	size_t c = grid_view_column(&p->view, at);
	uint64_t from = grid_view_x(&p->view, c), to = grid_view_x(&p->view, c + 1);
	double part = at > from && to > from ? (double)(at - from) / (double)(to - from) : 0;

	return (double)c + (part > 1 ? 1 : part);
}

/* The plot's ground, and lines where the ticks of x are. Gaps are hatched, below the cells: an
 * empty cell there is not known to be empty. */
static void put_ground(const struct picture *p, const struct svg_box *box)
{
	size_t end;

	out_put(p->out, SVG_FIT, box->left, box->cell_width);
	out_put(p->out, "<rect fill=\"" SVG_PLOT "\" y=\"%u\" width=\"%zu\" height=\"%u\"/></g>\n",
		box->top, p->view.columns, box->height);
	out_put(p->out, SVG_LINES, box->left);
	out_str(p->out, "<path " SVG_RULE " d=\"");
	for (size_t i = 0; i < p->axis.count; i++)
		out_put(p->out, "M%g %uv%u", column_of(p, p->axis.ticks[i].at) * box->cell_width,
			box->top, box->height);
	out_str(p->out, "\"/></g>\n");
	for (size_t c = 0; c < p->view.columns; c = end) {
		for (end = c + 1; end < p->view.columns && same_gap(p->gaps[c], p->gaps[end]);)
			end++;
		if (p->gaps[c])
			put_gap(p, c, end, box);
	}
}

static void put_x_label(const struct picture *p, unsigned y)
{
	const struct grid_part *g = p->view.grid;

	out_put(p->out, "<text data-at=\"middle\" text-anchor=\"middle\" x=\"%u\" y=\"%u\">",
		p->box.left + p->box.width / 2, y + 35);
	if (g->has_wall && g->x.type == COLUMN_TIME_NS)
		out_put(p->out, "time of day (UTC) from %s%s",
			axis_date(NUMBER_ROOM, g->wall_ns, g->x_first),
			g->wall_is_exact ? "" : ", approximate");
	else
		out_put(p->out, "%.60s", LABEL(&g->x));
	out_str(p->out, "</text>\n");
}

/* The axis stays in sight while a high drawing is scrolled: then it has a ground. */
static void put_x_axis(const struct picture *p, unsigned y)
{
	out_put(p->out,
		"<g id=\"axis\" data-keep=\"%u\" " SVG_DIM_TEXT ">\n<rect class=\"hide\" "
		"fill=\"" SVG_PAGE "\" display=\"none\" y=\"%u\" width=\"%u\" height=\"%u\"/>\n",
		y + AXIS_HEIGHT, y, p->box.left + p->box.width, AXIS_HEIGHT);
	for (size_t i = 0; i < p->axis.count; i++) {
		double c = column_of(p, p->axis.ticks[i].at);

		out_put(p->out,
			"<g data-at=\"tick\" data-c=\"%g\" transform=\"translate(%g %u)\">"
			"<path " SVG_RULE
			" d=\"M0 0v5\"/><text text-anchor=\"middle\" y=\"17\">%s</text></g>\n",
			c, p->box.left + c * p->box.cell_width, y, p->axis.ticks[i].text);
	}
	put_x_label(p, y);
	out_str(p->out, "</g>\n");
}

/* The far end of a row that sums the ranges at one end, and a line between it and the others. */
static void put_end_row(const struct picture *p, size_t r, const char *way, size_t edge)
{
	unsigned y = row_top(p, r);
	enum column_type type = p->view.grid->y.type;

	out_put(p->out,
		"<text " SVG_DIM_TEXT " x=\"-8\" y=\"%u\">%s %s</text>\n"
		"<path data-at=\"end\" fill=\"none\" stroke=\"" SVG_EDGE
		"\" stroke-dasharray=\"2 3\" shape-rendering=\"crispEdges\" d=\"M0 %uh%u\"/>\n",
		y + p->cell_height / 2 + 4, way,
		ALONE((double)grid_view_edge(&p->view, edge), type), r ? y + p->cell_height : y,
		p->box.width);
}

static void put_y_ticks(const struct picture *p)
{
	const struct grid_view *v = &p->view;
	unsigned floor_y = p->box.top + p->box.height;
	double last = floor_y + 13 - (v->below ? p->cell_height / 2.0 : 0);
	double first = p->box.top + (v->above ? p->cell_height / 2.0 + 13 : 0);
	struct axis axis;

	if (v->below)
		put_end_row(p, 0, "from", 0);
	if (v->above)
		put_end_row(p, v->rows - 1, "to", v->rows);
	grid_view_y_axis(&p->view, &axis, p->box.height / 30);
	for (size_t i = 0; i < axis.count; i++) {
		double up = grid_view_height(&p->view, axis.ticks[i].at) * p->cell_height;
		double y = floor_y - up;

		if (up < 0 || last - y < 13 || y < first)
			continue;
		last = y;
		out_put(p->out,
			"<path " SVG_RULE " d=\"M-5 %.0fh5\"/><text " SVG_DIM_TEXT
			" x=\"-8\" y=\"%.1f\">%s</text>\n",
			y, y + 4, axis.ticks[i].text);
		if (p->view.grid->ruled)
			out_put(p->out, "<path data-at=\"rule\" " SVG_RULE " d=\"M0 %.0fh%u\"/>\n",
				y, p->box.width);
	}
}

static void put_row_labels(const struct picture *p)
{
	for (size_t r = 0; r < p->view.rows; r++) {
		const char *name = ROW_NAME(&p->view, r);

		out_put(p->out,
			"<g><title>%.4000s</title><text data-at=\"name\" x=\"-8\" y=\"%u\">"
			"%.*s</text></g>\n",
			name, row_top(p, r) + p->cell_height / 2 + 4, LABEL_WIDTH, name);
	}
}

/* ---- the legend ---- */

static void add_gap_key(struct picture *p, struct svg_frame *f)
{
	const char *causes[GRID_CAUSES];
	size_t count = grid_view_causes(&p->view, p->gaps, causes);

	if (!count)
		return;
	buf_str(&p->gaps_text, "gap: ");
	for (size_t i = 0; i < count; i++)
		buf_printf(&p->gaps_text, i ? ", %.40s" : "%.40s", causes[i]);
	svg_frame_key(f, p->gaps_text.data, 0);
	f->keys[f->key_count - 1].fill = "url(#hatch)";
}

static const char *level_low(const struct picture *p, unsigned level, char text[NUMBER_TEXT])
{
	return number_alone(text, (double)grid_view_level_low(&p->view, level, SVG_LEVELS),
			    p->type);
}

/* The most of all, and what of it means nothing. */
static const char *legend_end(struct picture *p)
{
	const struct grid_shades *s = &p->view.shades;
	struct buf *b = &p->high;

	buf_printf(b, "%s", ALONE((double)s->most, p->type));
	if (s->scale == GRID_SCALE_CHANCE && grid_view_chance(&p->view) < s->most)
		buf_printf(b, " (mean %.*f; up to %" PRIu64 " may be chance)", s->mean < 10,
			   s->mean, grid_view_chance(&p->view));
	return b->data;
}

/* The colours in runs. Before the first of them the least amount, behind each what the next one
 * begins with. */
static void add_legend(struct picture *p, struct svg_frame *f)
{
	const unsigned each = SVG_LEVELS / RUNS;
	const char *last;
	struct svg_key *k;

	add_gap_key(p, f);
	if (!p->view.shades.most)
		return;
	k = &f->keys[f->key_count];
	last = level_low(p, 1, NUMBER_ROOM);
	snprintf(p->low, sizeof(p->low), "%.40s: %s", LABEL(&p->view.grid->cell), last);
	for (unsigned run = 0; run < RUNS; run++) {
		const char *next = run + 1 < RUNS ? level_low(p, (run + 1) * each + 1, p->runs[run])
						  : legend_end(p);

		k[run] = (struct svg_key){ .before = run ? NULL : p->low,
					   .after = strcmp(next, last) != 0 ? next : NULL,
					   .count = each };
		last = next;
	}
	f->key_count += RUNS;
	for (unsigned i = 0; i < SVG_LEVELS; i++) {
		snprintf(p->levels[i], sizeof(p->levels[i]), "from %s",
			 level_low(p, i + 1, NUMBER_ROOM));
		k[i / each].titles[i % each] = p->levels[i];
		k[i / each].colors[i % each] = svg_rgb(svg_light_heat[i]);
	}
}

/* What is in row R, which sums ranges that hold little. */
static void note_end_row(const struct grid_view *v, size_t r, struct buf *b)
{
	char text[GRID_RANGE_TEXT];

	buf_printf(b, "; %s is one row, with %s of all", grid_view_row_name(v, r, text),
		   SHARE(v->row_sums[r], v->total));
}

/* For the footer. */
static void add_note(struct picture *p, struct svg_frame *f)
{
	const struct grid_view *v = &p->view;
	struct buf *b = &p->note;

	if (v->columns)
		buf_printf(b, "a column is %s",
			   EXACT(grid_view_x(v, 1) - v->grid->x_first, v->grid->x.type));
	if (!p->overlap)
		buf_printf(b, "; total %s", ALONE(v->total, p->type));
	if (v->fold_x > 1)
		buf_printf(b, "; %zu columns summed in one", v->fold_x);
	if (v->fold_y > 1)
		buf_printf(b, "; %zu ranges summed in one", v->fold_y);
	if (v->above)
		note_end_row(v, v->rows - 1, b);
	if (v->below)
		note_end_row(v, 0, b);
	if (v->grid->event_count)
		buf_printf(b, "; a click lists a cell, of %zu events", v->grid->event_count);
	if (p->lanes_left)
		buf_printf(b, "; %zu more lanes are not drawn", p->lanes_left);
	f->note = b->len ? b->data : NULL;
}

/* ---- the whole ---- */

/* What the script needs to tell cells apart, in the words of the titles. */
static void put_data(const struct picture *p)
{
	const struct grid_view *v = &p->view;

	out_put(p->out,
		"<g id=\"data\" data-left=\"%u\" data-width=\"%.17g\" data-right=\"%u\" "
		"data-height=\"%u\" data-columns=\"%zu\" data-rows=\"%zu\" data-ranges=\"%d\" "
		"data-unit=\"%s\" data-x-unit=\"%s\" data-total=\"%" PRIu64
		"\" data-area-top=\"%u\" data-x=\"",
		p->box.left, p->box.cell_width, p->right, p->cell_height, v->columns, v->rows,
		!v->sources, column_kinds[p->type].script, column_kinds[v->grid->x.type].script,
		v->total, p->top);
	for (size_t c = 0; c <= v->columns; c++)
		out_put(p->out, c ? "|%s" : "%s", X_TEXT(v, grid_view_x(v, c)));
	out_put(p->out, "\" data-name=\"%s\"/>\n", LABEL(&v->grid->cell));
}

/* For the script: the names of the events' kinds, and of each event its lane, column, row, x from
 * the first one, y, number and kind. */
static void put_events(const struct picture *p)
{
	const struct grid_view *v = p->lane_count ? &p->lanes[0] : &p->view;
	const struct grid_part *g = p->view.grid;
	struct buf text = { 0 };

	if (!g->event_count)
		return;
	out_put(p->out,
		"<g id=\"events\" data-total=\"%" PRIu64 "\" data-unit=\"%s\" "
		"data-number=\"%.40s\" data-v=\"",
		g->event_total, column_kinds[g->y.type].script, LABEL(&g->event_number));
	for (size_t i = 0; i < g->event_count; i++) {
		const struct grid_event *e = &g->events[i];
		const uint64_t numbers[] = {
			e->lane,
			grid_view_column(v, e->x),
			grid_view_row(v, e->y),
			e->x - g->x_first,
			e->y,
			e->number,
			e->label,
		};

		for (size_t n = 0; n < ARRAY_SIZE(numbers); n++) {
			out_str(p->out, n ? " " : i ? "|" : "");
			out_u64(p->out, numbers[n]);
		}
	}
	out_str(p->out, "\">");
	for (size_t i = 0; i < g->event_label_count; i++)
		out_put(p->out, "<g data-n=\"%.100s\"/>",
			fact_text(g->event_labels[i], true, &text));
	buf_release(&text);
	out_str(p->out, "</g>\n");
}

static unsigned clamp(unsigned value, unsigned low, unsigned high)
{
	return value < low ? low : value > high ? high : value;
}

static unsigned left_margin(const struct picture *p)
{
	const struct grid_view *v = &p->view;
	size_t width = v->sources && p->lane_count ? LABEL_WIDTH : 12; /* lanes have other rows */

	for (size_t r = 0; r < v->rows && v->sources; r++) {
		size_t n = shown_width(ROW_NAME(v, r));

		width = n > width ? n : width;
	}
	return 20 + svg_text_pixels(width > LABEL_WIDTH ? LABEL_WIDTH : width);
}

static bool has_series(const struct grid_part *g)
{
	return g->line_count || g->strip_count;
}

/* Many lanes are lower each. */
static unsigned map_height(size_t lanes)
{
	return lanes <= 1 ? 480 : lanes <= 4 ? 240 : 120;
}

/* From left to right, in a drawing of WIDTH pixels. */
static void lay_out(struct picture *p, unsigned width)
{
	const struct grid_view *v = &p->view;
	unsigned rows = v->rows ? (unsigned)v->rows : 1, px = v->grid->cell_px;
	unsigned columns = v->columns ? (unsigned)v->columns : 1;

	p->right = p->area ? SVG_AREA_LEGEND : has_series(v->grid) ? SVG_LINE_LABEL : 20;
	p->box.left = left_margin(p);
	p->box.width = clamp(width, p->box.left + p->right + PLOT_MIN, UINT32_MAX) - p->box.left -
		       p->right;
	if (px)
		p->box.width = columns * px;
	p->box.cell_width = (double)p->box.width / columns;
	p->cell_height = v->sources ? clamp(360 / rows, 16, 20)
				    : clamp(map_height(p->lane_count) / rows, 3, 32);
	p->cell_height = px ? px : p->cell_height;
	p->box.height = rows * p->cell_height;
}

/* From top to bottom, below a subtitle of HEAD pixels. */
static void lay_down(struct picture *p, unsigned head)
{
	const struct grid_view *v = &p->view;
	unsigned strips = (unsigned)v->grid->strip_count * (SVG_STRIP_HEIGHT + 8);

	p->upper = p->overlap ? strips : 0;
	p->lane_step = p->upper + p->box.height + LANE_GAP;
	p->top = head + 8;
	p->box.top =
		p->top + (p->area ? AREA_HEIGHT + 24 : 0) + strips + (p->lane_count ? LANE_GAP : 0);
}

/* The strips of what is in view, from TOP on. */
static void put_strips(const struct picture *p, unsigned top)
{
	struct svg_box box = p->box;

	box.top = top;
	box.height = SVG_STRIP_HEIGHT;
	for (size_t i = 0; i < p->view.grid->strip_count; i++, box.top += SVG_STRIP_HEIGHT + 8) {
		put_ground(p, &box);
		svg_strip(p->out, &p->view, &box, i);
	}
}

/* What stands above all heat maps: the area, then the strips. */
static void put_upper(const struct picture *p)
{
	const struct grid_part *g = p->view.grid;
	struct svg_box box = p->box;

	box.top = p->top;
	box.height = AREA_HEIGHT;
	if (p->area) {
		put_ground(p, &box);
		svg_area(p->out, g, &box, COLUMNS_MAX);
		box.top += AREA_HEIGHT + 24;
	}
	if (!p->overlap)
		put_strips(p, box.top);
}

static void put_lane_name(const struct picture *p)
{
	const struct grid_view *v = &p->view;
	uint64_t sum = 0;

	for (size_t c = 0; c < v->columns; c++)
		sum += v->column_sums[c];
	out_put(p->out,
		"<text data-at=\"lane\" x=\"%u\" y=\"%u\" font-weight=\"bold\">%.60s"
		"<tspan " SVG_DIM_TEXT " font-weight=\"normal\" dx=\"12\">%s",
		p->box.left, p->box.top - p->upper - 7, v->grid->name, ALONE(sum, p->type));
	if (!p->overlap)
		out_put(p->out, ", %s of all", SHARE(sum, p->total));
	out_str(p->out, "</tspan></text>\n");
}

/* Heat map number MAP: all of it, or one lane. */
static void put_map(const struct picture *p, size_t map)
{
	const struct grid_part *g = p->view.grid;

	out_put(p->out, "<g class=\"map\" data-top=\"%u\" data-lane=\"%.60s\"", p->box.top,
		g->name ?: "");
	if (p->overlap)
		out_put(p->out, " data-upper=\"%u\" data-total=\"%" PRIu64 "\"",
			p->box.top - p->upper, p->total);
	out_str(p->out, ">\n");
	if (g->name)
		put_lane_name(p);
	if (p->overlap)
		put_strips(p, p->box.top - p->upper);
	put_ground(p, &p->box);
	put_cells(p, map);
	if (g->line_count && g->edges && p->view.rows)
		svg_lines(p->out, &p->view, &p->box, map);
	out_put(p->out, SVG_LEFT, p->box.left);
	if (p->view.sources)
		put_row_labels(p);
	else
		put_y_ticks(p);
	out_str(p->out, "</g>\n</g>\n");
}

static void put_maps(const struct picture *p)
{
	struct picture one = *p;

	if (!p->lane_count)
		put_map(p, 0);
	for (size_t i = 0; i < p->lane_count; i++, one.box.top += p->lane_step) {
		one.view = p->lanes[i];
		one.total = p->overlap ? one.view.total : p->view.total;
		put_map(&one, i);
	}
}

/* Where the last heat map ends. */
static unsigned maps_bottom(const struct picture *p)
{
	size_t below = p->lane_count ? p->lane_count - 1 : 0;

	return p->box.top + (unsigned)below * p->lane_step + p->box.height;
}

/* Do most cells hold a single one? Ranges and counts only. */
static bool is_sparse(const struct grid_part *g)
{
	uint64_t sum = 0, filled = 0;

	for (size_t i = 0; i < g->rows * g->columns; i++) {
		filled += g->cells[i] != 0;
		sum += g->cells[i] < UINT32_MAX ? g->cells[i] : UINT32_MAX;
	}
	return g->cell.type == COLUMN_COUNT && !g->labels && sum < 2 * filled;
}

/* How many columns and rows at most, in a drawing of WIDTH pixels. */
static struct grid_room room_for(const struct grid_part *g, size_t lanes, unsigned width)
{
	struct grid_room room = { COLUMNS_MAX, g->labels ? LABELS_MAX : RANGES_MAX, 0, 0 };

	if (lanes > 1) /* cells of three pixels at least */
		room.rows = g->labels ? LABELS_MAX / 4 : map_height(lanes) / 3;
	if (!g->keep_columns && is_sparse(g))
		room.columns = width / SPARSE_PX;
	if (!g->keep_rows)
		grid_view_spare(g, &room);
	return room;
}

/* The views of what is drawn: all of it, and each lane with as many rows. */
static void open_views(struct picture *p, const struct result *r, unsigned width)
{
	const struct grid_part *g = r->grid;
	size_t lanes = r->grid_lane_count < LANES_MAX ? r->grid_lane_count : LANES_MAX, cells = 0;
	struct grid_room room = room_for(g, lanes, width);

	grid_view_init_in(&p->view, g, &room);
	for (size_t i = 0; i < lanes; i++) {
		grid_view_init_in(&p->lanes[i], &r->grid_lanes[i], &room);
		cells += p->lanes[i].filled;
	}
	grid_view_share_scale(&p->view, p->lanes, lanes);
	p->lane_count = lanes;
	p->overlap = r->lanes_overlap && lanes;
	p->total = p->view.total;
	p->lanes_left = r->grid_lane_count - lanes;
	p->titled = (lanes ? cells : p->view.filled) <= TITLED_MAX;
	p->area = g->stacked && g->labels && p->view.rows && p->view.columns;
	p->gaps = xcalloc(p->view.columns + 1, sizeof(*p->gaps));
	grid_view_gaps(&p->view, p->gaps);
}

static void release(struct picture *p)
{
	for (size_t i = 0; i < p->lane_count; i++)
		grid_view_release(&p->lanes[i]);
	grid_view_release(&p->view);
	buf_release(&p->gaps_text);
	buf_release(&p->note);
	buf_release(&p->dark);
	buf_release(&p->high);
	free(p->gaps);
}

/* Has the user a width in mind? */
static double width_of(const struct drawing *d)
{
	return d && d->width_px > 0 ? d->width_px : USUAL_WIDTH;
}

void svg_grid_draw(const struct result *r, const struct drawing *d, struct out *out)
{
	static const char hatch[] =
		"<pattern id=\"hatch\" width=\"6\" height=\"6\" "
		"patternUnits=\"userSpaceOnUse\" "
		"patternTransform=\"rotate(45)\"><path d=\"M1 0v6\" stroke=\"" SVG_GAP
		"\" stroke-width=\"1.5\"/></pattern>";
	struct picture p = { .out = out, .type = r->grid->cell.type };
	struct svg_frame f = { .out = out,
			       .result = r,
			       .kind = "pdtool-grid",
			       .title = r->title ?: "Heat map",
			       .is_live = true,
			       .defs = hatch };
	unsigned bottom;

	svg_frame_style(&f, d);
	open_views(&p, r, (unsigned)width_of(d));
	lay_out(&p, (unsigned)width_of(d));
	grid_view_x_axis(&p.view, &p.axis, p.box.width / 110);
	f.width_px = p.box.left + p.box.width + p.right;
	svg_dark_rules(&p.dark);
	f.dark_css = p.dark.data;
	add_legend(&p, &f);
	lay_down(&p, (unsigned)svg_frame_head(&f));
	add_note(&p, &f);
	bottom = maps_bottom(&p);
	svg_frame_open(&f, bottom + AXIS_HEIGHT);
	if (r->grid->line_count)
		svg_frame_button(&f, "lines", "Lines", "Show or hide the lines (p)");
	put_upper(&p);
	put_maps(&p);
	put_x_axis(&p, bottom);
	put_data(&p);
	put_events(&p);
	svg_frame_script_open(&f, svg_fit_script);
	out_str(out, svg_grid_script);
	svg_frame_close(&f);
	release(&p);
}
