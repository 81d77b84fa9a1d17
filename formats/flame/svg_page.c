/* What flame graphs and charts put into the frame of all drawings: buttons, the note of what was
 * left out, the script. */
#include "formats/flame/svg_plot.h"
#include "formats/format.h"
#include "formats/number.h"
#include "parser/base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The colours that were asked for, also on a dark ground. */
static void style_text(struct plot *p)
{
	const struct drawing *d = p->drawing;

	buf_str(&p->css, svg_flame_css);
	if (d->ui_color)
		buf_printf(&p->css, ".button.button{fill:%s}\n", d->ui_color);
	if (d->search_color)
		buf_printf(&p->css, "#hits path{fill:%s}\n", d->search_color);
	if (d->stroke_color)
		buf_printf(&p->css, "#frames rect{stroke:%s}\n", d->stroke_color);
	p->frame.css = p->css.data;
}

bool plot_init(struct plot *p, const struct result *r, const struct drawing *d, struct out *out)
{
	bool two_sides = r->stacks && r->stacks->before;
	const char *usual = r->timeline	  ? "Flame Chart"
			    : two_sides	  ? "Differential Flame Graph"
			    : d->inverted ? "Icicle Graph"
					  : "Flame Graph";

	*p = (struct plot){ .frame = { .out = out,
				       .result = r,
				       .kind = "pdtool-flame",
				       .title = r->title ?: usual,
				       .counted = d->countname,
				       .font_px = d->fontsize_px,
				       .width_px = d->width_px,
				       .ground = { d->background[0], d->background[1] },
				       .dark = { d->dark[0], d->dark[1] },
				       .is_live = true },
			    .drawing = d,
			    .nametype = d->nametype,
			    .upwards = !d->inverted,
			    .scale = 1 };
	svg_frame_style(&p->frame, d);
	style_text(p);
	/* They were read before: what cannot be read now was there a moment ago. */
	if (flame_files_read(&p->files, d, NULL) < 0)
		out->error = out->error ?: EIO;
	return !out->error;
}

void plot_head(struct plot *p)
{
	p->bottom_px = p->top_px = svg_frame_head(&p->frame);
}

rgb plot_color(struct plot *p, const char *name, bool waker)
{
	return plot_painted(p, &(struct painted){ name, waker, flame_kind(name) });
}

rgb plot_painted(struct plot *p, const struct painted *frame)
{
	return palette_file_color(&p->files.palette, p->drawing, frame, &p->colors_drawn);
}

void plot_release(struct plot *p)
{
	for (size_t i = 0; i < p->axis_count; i++) {
		free(p->axes[i].lanes);
		free(p->axes[i].frames);
	}
	buf_release(&p->note);
	buf_release(&p->css);
	flame_files_release(&p->files);
}

double plot_least(const struct plot *p, double span)
{
	const struct drawing *d = p->drawing;
	double of = d->minwidth.unit == QUANTITY_PERCENT ? 100 : d->width_px - 2 * PAGE_SIDE_PX;

	return span * d->minwidth.number / of;
}

void plot_note_left_out(struct plot *p, size_t count, const char *what, double percent,
			const char *of)
{
	const struct quantity *least = &p->drawing->minwidth;

	if (count)
		buf_printf(&p->note, "%s%s %s narrower than %g%s are left out: %s of %s",
			   p->note.len ? "; " : "", ALONE(count, COLUMN_COUNT), what, least->number,
			   least->unit == QUANTITY_PERCENT ? "%" : " px",
			   ALONE(percent, COLUMN_PERCENT), of);
}

void plot_begin(struct plot *p, double below)
{
	p->frame.note = p->note.len ? p->note.data : NULL;
	svg_frame_open(&p->frame, p->bottom_px + below);
	svg_frame_button(&p->frame, "ignorecase", "ic", "Ignore the case of letters (Ctrl-I)");
	svg_frame_button(&p->frame, "search", "Search", "Search by a regular expression (/)");
	svg_frame_button(&p->frame, "unzoom", "Reset Zoom", "Show all again (Escape)");
}

void plot_end(struct plot *p)
{
	struct out *out = p->frame.out;

	svg_frame_script_open(&p->frame, svg_flame_script);
	out_str(out, "pdtool(");
	if (p->axis_count)
		plot_data(p);
	out_str(out, ");\n");
	svg_frame_close(&p->frame);
	palette_file_write(&p->files.palette, out);
}

void plot_message(const struct result *r, const struct drawing *d, struct out *out,
		  const char *text)
{
	struct plot p;

	if (plot_init(&p, r, d, out)) {
		plot_head(&p);
		plot_begin(&p, 2 * d->fontsize_px);
		svg_frame_text(&p.frame, PAGE_SIDE_PX, p.top_px + d->fontsize_px,
			       "class=\"message\"", text);
		plot_end(&p);
	}
	plot_release(&p);
}
