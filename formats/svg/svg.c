/* Drawings: one self-contained SVG file, a still picture that a script makes interactive. */
#include "formats/format.h"
#include "formats/flame/flame_files.h"
#include "formats/flame/flame_style.h"
#include "formats/svg/svg_bars.h"
#include "formats/flame/svg_flame.h"
#include "formats/svg/svg_grid.h"
#include "formats/flame/svg_timeline.h"

/* The files that the style names are read here too, so that what is wrong with them is said before
 * the work begins. */
static int check(const struct style *style, struct warnings *w)
{
	struct drawing d;
	struct flame_files files;
	int rc = flame_style_parse(&d, &style->flame, w);

	if (rc < 0)
		return rc;
	rc = flame_files_read(&files, &d, w);
	flame_files_release(&files);
	return rc;
}

static void render(const struct result *r, const struct style *style, struct out *out)
{
	struct flame_style flame = style->flame;
	struct drawing d;

	if (!flame.colors)
		flame.colors = r->palette;
	if (flame_style_parse(&d, &flame, NULL) < 0)
		return; /* refused by check() */
	if (r->timeline)
		svg_timeline_draw(r, &d, out);
	else if (r->stacks)
		svg_flame_draw(r, &d, out);
	else if (r->grid)
		svg_grid_draw(r, style, out);
	else
		svg_bars_draw(r->table, r, style, out);
}

const struct format format_svg = {
	.name = "svg",
	.summary = "an interactive drawing, one file that needs no other",
	.shapes = SHAPE_STACKS | SHAPE_TIMELINE | SHAPE_GRID | SHAPE_TABLE,
	.check = check,
	.render = render,
};
