/* Draws lines over time, those that compare in one panel, the panels below each other on the same
 * axis. A still picture: names stand at the ends of lines, the values of a step in its title. A
 * value that is missing leaves a gap. */
#include "formats/axis.h"
#include "formats/svg/svg_draw.h"
#include "formats/svg/svg_frame.h"
#include "formats/svg/svg_scale.h"
#include "parser/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define USUAL_WIDTH  1200
#define LEAST_WIDTH  420
#define PANEL_HEIGHT 110
#define TITLE_HEIGHT 26
#define AXIS_HEIGHT  24
#define LEFT	     96	 /* for the numbers of an axis */
#define NAMES	     150 /* at the right, for those of lines */
#define LABEL_HEIGHT 13
#define TICKS	     4
#define LINES_MAX    16

/* Told apart by those who see few colours (after Okabe and Ito), and from the fifth on by dashes.
 */
static const struct {
	const char *color, *dash;
} looks[] = {
	{ "#0072b2", "" },    { "#d55e00", "" },    { "#009e73", "" },	  { "#cc79a7", "" },
	{ "#e69f00", "6 3" }, { "#56b4e9", "6 3" }, { "#7f7f7f", "2 2" }, { "#8c6d31", "2 2" },
};

struct panels {
	struct out *out;
	const struct series_part *s;
	unsigned width; /* of the plots */
	bool named;	/* lines have names */
};

static double x_of(const struct panels *p, uint64_t ns)
{
	uint64_t all = p->s->steps ? p->s->ends_ns[p->s->steps - 1] : 0;

	return all ? LEFT + (double)ns / (double)all * p->width : LEFT;
}

/* Where step I begins, and where step I - 1 ends. */
static double step_x(const struct panels *p, size_t i)
{
	return x_of(p, i ? p->s->ends_ns[i - 1] : 0);
}

/* ---- the scale of a panel ---- */

struct scale {
	double high, step;
	unsigned decimals;
};

/* Ticks at multiples of 1, 2 or 5 times a power of ten. */
static struct scale scale_of(const struct series_panel *panel, size_t steps)
{
	struct scale s = { 0, 1, 0 };
	double power, part;

	for (size_t i = 0; i < panel->line_count; i++) {
		for (size_t k = 0; k < steps; k++) {
			if (isfinite(panel->lines[i].values[k]))
				s.high = fmax(s.high, panel->lines[i].values[k]);
		}
	}
	if (!(s.high > 1e-12))
		s.high = 1;
	power = floor(log10(s.high / TICKS));
	part = s.high / TICKS / pow(10, power);
	s.step = pow(10, power) * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
	s.high = ceil(s.high / s.step - 1e-9) * s.step;
	s.decimals = power < 0 && s.step < 1 ? (unsigned)ceil(-log10(s.step) - 1e-9) : 0;
	return s;
}

static double y_of(const struct scale *s, double top, double value)
{
	return top + PANEL_HEIGHT * (1 - fmin(fmax(value / s->high, 0), 1));
}

/* Counts are whole, but for the means of several; all else has three decimals. */
static const char *value_text(char text[NUMBER_TEXT], const struct series_panel *panel, double v)
{
	if (!*panel->unit && v < 1e18)
		return number_alone(text, floor(v + 0.5), COLUMN_COUNT);
	snprintf(text, NUMBER_TEXT, "%.3f", v);
	return text;
}

static void put_scale(const struct panels *p, const struct scale *s, double top)
{
	char text[NUMBER_TEXT];

	for (unsigned i = 0; i * s->step <= s->high * 1.001; i++) {
		double at = i * s->step, y = y_of(s, top, at);

		if (s->step >= 1 && s->high < 1e18)
			number_tick(text, (uint64_t)(at + 0.5), (uint64_t)s->high,
				    (uint64_t)(s->step + 0.5), COLUMN_COUNT);
		else
			snprintf(text, sizeof(text), "%.*f", (int)s->decimals, at);
		out_put(p->out,
			"<path " SVG_RULE " d=\"M%d %.1fh%u\"/><text " SVG_DIM_TEXT
			" text-anchor=\"end\" x=\"%d\" y=\"%.1f\">%s</text>\n",
			LEFT, y, p->width, LEFT - 6, y + 4, text);
	}
}

static void put_time(const struct panels *p, double top)
{
	struct axis_span span = { 0, 0, p->width / 110, COLUMN_NS };
	struct axis axis;

	span.high = p->s->steps ? p->s->ends_ns[p->s->steps - 1] : 0;
	axis_time(&axis, &span);
	for (size_t i = 0; i < axis.count; i++) {
		double x = x_of(p, axis.ticks[i].at);

		out_put(p->out,
			"<path " SVG_RULE " d=\"M%.1f %.1fv%d\"/><text " SVG_DIM_TEXT
			" text-anchor=\"middle\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
			x, top, PANEL_HEIGHT, x, top + PANEL_HEIGHT + 15, axis.ticks[i].text);
	}
}

/* ---- lines ---- */

/* Level in each step. Returns where it ends. */
static double put_steps(const struct panels *p, const struct scale *s, const double *values,
			double top)
{
	double y = top + PANEL_HEIGHT;
	bool pen = false;

	for (size_t i = 0; i < p->s->steps; i++) {
		if (!isfinite(values[i])) {
			pen = false;
			continue;
		}
		y = y_of(s, top, values[i]);
		if (pen)
			out_put(p->out, "V%.1fH%.1f", y, step_x(p, i + 1));
		else
			out_put(p->out, "M%.1f %.1fH%.1f", step_x(p, i), y, step_x(p, i + 1));
		pen = true;
	}
	return y;
}

/* Beside the ends of the lines, never on each other. */
static void put_names(const struct panels *p, const struct series_panel *panel,
		      struct svg_label *labels, double top)
{
	size_t n = panel->line_count < LINES_MAX ? panel->line_count : LINES_MAX;
	double bottom = top + PANEL_HEIGHT + LABEL_HEIGHT / 2.0;

	svg_labels_spread(labels, n, bottom, LABEL_HEIGHT);
	for (size_t i = 0; i < n; i++) {
		size_t look = labels[i].line % ARRAY_SIZE(looks);
		double x = LEFT + p->width + 6;

		out_put(p->out,
			"<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\" "
			"stroke-dasharray=\"%s\" d=\"M%.1f %.1fh18\"/><text x=\"%.1f\" "
			"y=\"%.1f\">%.*s</text>\n",
			looks[look].color, looks[look].dash, x, labels[i].y, x + 23,
			labels[i].y + 4, svg_text_room(NAMES - 32),
			panel->lines[labels[i].line].name);
	}
}

static void put_lines(const struct panels *p, const struct series_panel *panel,
		      const struct scale *s, double top)
{
	size_t n = panel->line_count < LINES_MAX ? panel->line_count : LINES_MAX;
	struct svg_label labels[LINES_MAX];

	for (size_t i = 0; i < n; i++) {
		out_put(p->out,
			"<path data-at=\"series\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\" "
			"stroke-dasharray=\"%s\" d=\"",
			looks[i % ARRAY_SIZE(looks)].color, looks[i % ARRAY_SIZE(looks)].dash);
		labels[i] = (struct svg_label){ put_steps(p, s, panel->lines[i].values, top), i };
		out_put(p->out, "\"><title>%s</title></path>\n", panel->lines[i].name);
	}
	if (p->named)
		put_names(p, panel, labels, top);
}

/* What is under the pointer: a step with all that it has. */
static void put_titles(const struct panels *p, const struct series_panel *panel, double top)
{
	char text[NUMBER_TEXT];

	for (size_t i = 0; i < p->s->steps; i++) {
		double x = step_x(p, i);

		out_put(p->out,
			"<g data-at=\"row\"><rect data-at=\"hit\" fill=\"none\" "
			"pointer-events=\"all\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
			"height=\"%d\"/><title>%s to %s\n%s%s%s",
			x, top, step_x(p, i + 1) - x, PANEL_HEIGHT,
			ALONE(i ? p->s->ends_ns[i - 1] : 0, COLUMN_NS),
			ALONE(p->s->ends_ns[i], COLUMN_NS), panel->name, *panel->unit ? ", " : "",
			panel->unit);
		for (size_t k = 0; k < panel->line_count; k++) {
			const struct series_line *l = &panel->lines[k];

			out_put(p->out, "\n%s%s%s", l->name, *l->name ? ": " : "",
				isfinite(l->values[i]) ? value_text(text, panel, l->values[i])
						       : "not counted");
		}
		out_str(p->out, "</title></g>\n");
	}
}

static void put_panel(const struct panels *p, const struct series_panel *panel, double top)
{
	struct scale s = scale_of(panel, p->s->steps);
	double plot = top + TITLE_HEIGHT;

	out_put(p->out, "<g data-at=\"panel\">\n<text x=\"%d\" y=\"%.1f\">%.100s", LEFT, plot - 8,
		panel->name);
	if (*panel->unit)
		out_put(p->out, " <tspan " SVG_DIM_TEXT ">%.60s</tspan>", panel->unit);
	if (panel->left_out)
		out_put(p->out,
			" <tspan " SVG_DIM_TEXT ">(%zu lines, the largest; %zu more are not drawn)"
			"</tspan>",
			panel->line_count, panel->left_out);
	out_put(p->out,
		"</text>\n<rect fill=\"" SVG_PLOT "\" x=\"%d\" y=\"%.1f\" width=\"%u\" "
		"height=\"%d\"/>\n",
		LEFT, plot, p->width, PANEL_HEIGHT);
	put_scale(p, &s, plot);
	put_time(p, plot);
	put_lines(p, panel, &s, plot);
	put_titles(p, panel, plot);
	out_str(p->out, "</g>\n");
}

static void note_parts(const struct series_part *s, struct buf *note)
{
	if (s->merged > 1)
		buf_printf(note, "each step is the mean of %zu intervals", s->merged);
	if (s->left_out)
		buf_printf(note, "%s%zu more events are not drawn", note->len ? "; " : "",
			   s->left_out);
}

void svg_panels_draw(const struct result *r, const struct drawing *d, struct out *out)
{
	const struct series_part *s = r->series;
	const double high = TITLE_HEIGHT + PANEL_HEIGHT + AXIS_HEIGHT;
	struct panels p = { .out = out, .s = s };
	struct svg_frame f = {
		.out = out, .result = r, .kind = "pdtool-panels", .title = r->title ?: "Series"
	};
	struct buf note = { 0 };
	double top;

	svg_frame_style(&f, d);
	for (size_t i = 0; i < s->panel_count; i++)
		p.named |= s->panels[i].line_count && *s->panels[i].lines[0].name;
	f.width_px = fmax(d && d->width_px > 0 ? d->width_px : USUAL_WIDTH, LEAST_WIDTH);
	p.width = (unsigned)f.width_px - LEFT - (p.named ? NAMES : 24);
	top = svg_frame_head(&f);
	note_parts(s, &note);
	f.note = note.len ? note.data : NULL;
	svg_frame_open(&f, top + high * (double)s->panel_count + 6);
	for (size_t i = 0; i < s->panel_count; i++)
		put_panel(&p, &s->panels[i], top + high * (double)i);
	svg_frame_close(&f);
	buf_release(&note);
}
