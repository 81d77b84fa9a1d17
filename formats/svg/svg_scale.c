/* Colours, widths of text and lists of numbers for the drawings of grids and tables. */
#include "formats/svg/svg_scale.h"

#include <inttypes.h>
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

const char *const svg_light_heat[SVG_LEVELS] = { "#ffedaa", "#ffdc8d", "#fecb71", "#fdb857",
						 "#fa9c47", "#f77f37", "#f1632c", "#e64828",
						 "#db2e24", "#c71b25", "#ac0f29", "#91032c",
						 "#75002c", "#59002a", "#3c0028" };
const char *const svg_dark_heat[SVG_LEVELS] = { "#3a1a5e", "#4e1c6a", "#621e77", "#772180",
						"#90297e", "#a8327b", "#bf3d75", "#d44c6b",
						"#e95a61", "#f46e60", "#f88466", "#fd9a6c",
						"#fdba84", "#fddba2", "#fcfdbf" };
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
