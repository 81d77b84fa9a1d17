/* Colours, widths of text and lists of numbers for the drawings of grids and tables. */
#include "formats/svg/svg_scale.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define CHAR_X100 700 /* hundredths of a pixel that most characters are wide */

unsigned svg_text_pixels(size_t characters)
{
	return (unsigned)((characters * CHAR_X100 + 99) / 100);
}

int svg_text_room(double pixels)
{
	return pixels > 0 ? (int)(pixels * 100 / CHAR_X100) : 0;
}

void svg_runs(struct out *o, const uint64_t *values, size_t count)
{
	size_t n;

	for (size_t i = 0; i < count; i += n) {
		for (n = 1; i + n < count && values[i + n] == values[i];)
			n++;
		out_put(o, i ? " %" PRIu64 : "%" PRIu64, values[i]);
		if (n > 1)
			out_put(o, "*%zu", n);
	}
}

const char *const svg_light_heat[SVG_LEVELS] = { "#ffe1d3", "#ffcdb9", "#fdbaa0", "#fca587",
						 "#fa906f", "#f57a58", "#ed6343", "#e4492f",
						 "#d13728", "#be2421", "#a9171e", "#93101c",
						 "#7c0919", "#640615", "#4d0311" };
const char *const svg_dark_heat[SVG_LEVELS] = { "#4b2422", "#602925", "#762e28", "#8c342b",
						"#a23a2d", "#b84331", "#cd4e37", "#e25a3e",
						"#ed6c4e", "#f87e5e", "#fc9272", "#fda788",
						"#febda2", "#ffd6c4", "#ffefe6" };
const char *const svg_series[SVG_SERIES] = { "#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2",
					     "#b07aa1", "#edc948", "#9c755f", "#ff9da7", "#3b9dd8",
					     "#8cd17d", "#b6992d", "#999999" };

uint32_t svg_rgb(const char *color)
{
	return (uint32_t)strtoul(color + 1, NULL, 16);
}

void svg_dark_rules(struct buf *css)
{
	for (unsigned i = 0; i < SVG_LEVELS; i++)
		buf_printf(css, "[fill=\"%s\"]{fill:%s}\n", svg_light_heat[i], svg_dark_heat[i]);
	buf_str(css, ".light{display:none}.dark{display:inline}\n");
}

static int from_top(const void *a, const void *b)
{
	const struct svg_label *x = a, *y = b;

	return x->y != y->y ? (x->y < y->y ? -1 : 1) : (x->line > y->line) - (x->line < y->line);
}

void svg_labels_spread(struct svg_label *labels, size_t n, double bottom, double height)
{
	qsort(labels, n, sizeof(*labels), from_top);
	for (size_t i = 1; i < n; i++)
		labels[i].y = fmax(labels[i].y, labels[i - 1].y + height);
	for (size_t i = n; i-- > 0; bottom = labels[i].y - height)
		labels[i].y = fmin(labels[i].y, bottom);
}
