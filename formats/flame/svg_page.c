/* What flame graphs and charts have around the drawing: their style, title, controls, facts. */
#include "formats/flame/svg_plot.h"
#include "formats/format.h"
#include "formats/number.h"
#include "parser/base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The base line of line I of the subtitle; of the first one and without any as flamegraph.pl. */
static double subtitle_y(const struct plot *p, size_t i)
{
	double font = p->drawing->fontsize_px;

	return i ? font * (4 + 1.5 * (double)(i - 1)) : font * 2;
}

bool plot_init(struct plot *p, const struct result *r, const struct drawing *d, struct out *out)
{
	const char *usual = r->timeline	  ? "Flame Chart"
			    : d->inverted ? "Icicle Graph"
					  : "Flame Graph";

	*p = (struct plot){ .frame = { .out = out,
				       .result = r,
				       .kind = "pdtool-flame",
				       .title = d->title ?: r->title ?: usual,
				       .notes = d->notes,
				       .encoding = d->encoding,
				       .width_px = d->width_px },
			    .drawing = d,
			    .nametype = d->nametype,
			    .upwards = !d->inverted,
			    .scale = 1,
			    .below_px = d->fontsize_px * 2 + 10 };
	subtitle_make(&p->frame.subtitle, r, d->subtitle, d->countname,
		      (size_t)((d->width_px - 2 * PAGE_SIDE_PX) / (d->fontsize_px * 0.62)));
	p->bottom_px = p->top_px = subtitle_y(p, p->frame.subtitle.count) + d->fontsize_px;
	/* They were read before: what cannot be read now was there a moment ago. */
	if (flame_files_read(&p->files, d, NULL) < 0)
		out->error = out->error ?: EIO;
	return !out->error;
}

rgb plot_color(struct plot *p, const char *name, bool waker)
{
	return palette_file_color(&p->files.palette, p->drawing, name, waker, &p->colors_drawn);
}

void plot_release(struct plot *p)
{
	for (size_t i = 0; i < p->axis_count; i++) {
		free(p->axes[i].lanes);
		free(p->axes[i].frames);
	}
	buf_release(&p->note);
	subtitle_release(&p->frame.subtitle);
	flame_files_release(&p->files);
}

static void put_style(const struct plot *p)
{
	const struct drawing *d = p->drawing;
	struct out *o = p->frame.out;

	out_put(o, "svg{background:%s}\n#bar{fill:%s}\n", d->background[1], d->background[1]);
	out_put(o, "text{font-family:%s,sans-serif;font-size:%gpx;fill:#000}\n", d->fonttype,
		d->fontsize_px);
	out_put(o, "#title{font-size:%gpx}\n", d->fontsize_px + 5);
	out_str(o, svg_flame_css);
	out_put(o,
		"@media (prefers-color-scheme:dark){svg{background:%s}#bar{fill:%s}"
		"#bg0{stop-color:%s}#bg1{stop-color:%s}",
		d->dark[1], d->dark[1], d->dark[0], d->dark[1]);
	svg_frame_body(&p->frame);
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

/* Controls that only a script can serve are hidden until it runs. */
static void put_controls(const struct plot *p)
{
	const struct {
		double x;
		const char *attributes, *text;
	} controls[] = {
		{ PAGE_SIDE_PX, "id=\"unzoom\" class=\"button hide\"", "Reset Zoom" },
		{ p->drawing->width_px - 110, "id=\"search\" class=\"button\"", "Search" },
		{ p->drawing->width_px - 54, "id=\"ignorecase\" class=\"button\"", "ic" },
		{ p->drawing->width_px - 30, "id=\"info\" class=\"button\"", "?" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(controls); i++)
		svg_frame_text(&p->frame, controls[i].x, p->drawing->fontsize_px * 2,
			       controls[i].attributes, controls[i].text);
}

/* As many facts as the line has room for. */
static void put_fact_line(const struct plot *p)
{
	const struct result *r = p->frame.result;
	size_t room = (size_t)((p->drawing->width_px - 2 * PAGE_SIDE_PX) / 6.5);
	struct buf line = { 0 }, text = { 0 };

	for (size_t i = 0; i < r->fact_count; i++) {
		const char *value = fact_text(r->facts[i].value, true, &text);
		size_t len = strlen(r->facts[i].name) + text.len + 5;

		if (line.len + len > room)
			continue;
		buf_printf(&line, "%s%s: %s", line.len ? " | " : "", r->facts[i].name, value);
	}
	if (line.len)
		svg_frame_text(&p->frame, PAGE_SIDE_PX, p->frame.height_px - 4, "id=\"facts\"",
			       line.data);
	buf_release(&line);
	buf_release(&text);
}

void plot_begin(struct plot *p, double below)
{
	const struct drawing *d = p->drawing;

	p->frame.height_px = p->bottom_px + below + p->below_px;
	svg_frame_open(&p->frame);
	put_style(p);
	out_put(p->frame.out,
		"<defs><linearGradient id=\"background\" y1=\"0\" y2=\"1\" x1=\"0\" x2=\"0\">"
		"<stop id=\"bg0\" offset=\"5%%\" stop-color=\"%s\"/>"
		"<stop id=\"bg1\" offset=\"95%%\" stop-color=\"%s\"/></linearGradient></defs>\n"
		"<rect id=\"page\" x=\"0\" y=\"0\" fill=\"url(#background)\" width=\"%g\" "
		"height=\"%g\"/>\n",
		d->background[0], d->background[1], d->width_px, p->frame.height_px);
	svg_frame_text(&p->frame, d->width_px / 2, d->fontsize_px * 2, "id=\"title\"",
		       p->frame.title);
	for (size_t i = 0; i < p->frame.subtitle.count; i++)
		svg_frame_text(&p->frame, d->width_px / 2, subtitle_y(p, i + 1),
			       "class=\"subtitle\"", subtitle_line(&p->frame.subtitle, i));
	if (p->note.len)
		svg_frame_text(&p->frame, d->width_px / 2, d->fontsize_px * 2 + 11, "id=\"note\"",
			       p->note.data);
	put_controls(p);
	put_fact_line(p);
}

void plot_end(const struct plot *p)
{
	struct out *out = p->frame.out;

	svg_frame_script(&p->frame, svg_flame_script);
	out_str(out, "pdtool(");
	if (p->axis_count)
		plot_data(p);
	out_str(out, ");\n");
	svg_frame_close(&p->frame, true);
	if (!out->error)
		out->error = palette_file_write(&p->files.palette);
}

void plot_message(const struct result *r, const struct drawing *d, struct out *out,
		  const char *text)
{
	struct plot p;

	if (plot_init(&p, r, d, out)) {
		plot_begin(&p, d->frame_px);
		svg_frame_text(&p.frame, PAGE_SIDE_PX, p.top_px + d->fontsize_px,
			       "class=\"message\"", text);
		plot_end(&p);
	}
	plot_release(&p);
}
