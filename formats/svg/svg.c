/* Drawings: one self-contained SVG file, a still picture that a script makes interactive. */
#include "formats/format.h"
#include "formats/flame/flame_files.h"
#include "formats/svg/svg_draw.h"

#include <regex.h>

static int check_highlight(const struct drawing *d, struct warnings *w)
{
	regex_t regex;
	char why[128];
	int rc = d->highlight ? regcomp(&regex, d->highlight, REG_EXTENDED | REG_NOSUB) : 0;

	if (rc) {
		regerror(rc, NULL, why, sizeof(why));
		warn_add(w, SEV_FATAL, "usage", "--highlight %s: %s", d->highlight, why);
	} else if (d->highlight) {
		regfree(&regex);
	}
	return rc ? ERR_USAGE : 0;
}

/* The files that the options name are read here too, so that what is wrong with them is said before
 * the work begins. */
static int check(const struct style *style, struct warnings *w)
{
	struct flame_files files;
	int rc = flame_files_read(&files, style->options, w);

	flame_files_release(&files);
	return rc < 0 ? rc : check_highlight(style->options, w);
}

static void render(const struct result *r, const struct style *style, struct out *out)
{
	struct drawing d = *(const struct drawing *)style->options;

	drawing_complete(&d, r->palette);
	if (r->timeline)
		svg_timeline_draw(r, &d, out);
	else if (r->stacks)
		svg_flame_draw(r, &d, out);
	else if (r->grid)
		svg_grid_draw(r, &d, out);
	else if (r->series && r->series->panel_count)
		svg_panels_draw(r, &d, out);
	else
		svg_bars_draw(r, &d, out);
}

const struct format format_svg = {
	.name = "svg",
	.summary = "an interactive drawing, one file that needs no other",
	.draws = true,
	.shapes = SHAPE_STACKS | SHAPE_CHANGES | SHAPE_TIMELINE | SHAPE_GRID | SHAPE_TABLE,
	.options = drawing_options,
	.options_size = sizeof(struct drawing),
	.option_shapes = SHAPE_STACKS | SHAPE_CHANGES | SHAPE_TIMELINE | SHAPE_GRID,
	.check = check,
	.render = render,
};
