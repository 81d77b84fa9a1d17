/* What flame graphs and charts have around the drawing: their style, title, controls, facts. */
#include "formats/flame/svg_page.h"
#include "formats/svg/svg_assets.h"
#include "formats/format.h"
#include "parser/base/mem.h"

#include <string.h>

void svg_page_init(struct svg_page *p, const struct result *r, const struct drawing *d,
		   struct out *out)
{
	const char *usual = r->timeline	  ? "Flame Chart"
			    : d->inverted ? "Icicle Graph"
					  : "Flame Graph";

	*p = (struct svg_page){ .frame = { .out = out,
					   .result = r,
					   .kind = "pdtool-flame",
					   .title = svg_frame_title(d->title, r, usual),
					   .notes = d->notes,
					   .encoding = d->encoding,
					   .width_px = d->width_px },
				.drawing = d,
				.top_px = d->fontsize_px * 3,
				.bottom_px = d->fontsize_px * 2 + 10 };
	if (d->subtitle)
		p->top_px += d->fontsize_px * 2;
}

static void put_style(const struct svg_page *p)
{
	const struct drawing *d = p->drawing;
	struct out *o = p->frame.out;

	out_put(o, "svg{background:%s}\n#bar{fill:%s}\n", d->background[1], d->background[1]);
	out_str(o, "text{font-family:");
	out_str(o, d->fonttype);
	out_put(o, ",sans-serif;font-size:%gpx;fill:#000}\n#title{font-size:%gpx}\n",
		d->fontsize_px, d->fontsize_px + 5);
	out_str(o, svg_flame_css);
	svg_frame_dark(&p->frame);
	out_put(o, "svg{background:%s}#bar{fill:%s}#bg0{stop-color:%s}#bg1{stop-color:%s}",
		d->dark[1], d->dark[1], d->dark[0], d->dark[1]);
	svg_frame_body(&p->frame);
}

double svg_page_least(const struct drawing *d, double span)
{
	double of = d->minwidth.unit == QUANTITY_PERCENT ? 100 : d->width_px - 2 * PAGE_SIDE_PX;

	return span * d->minwidth.number / of;
}

/* Controls that only a script can serve are hidden until it runs. */
static void put_controls(const struct svg_page *p)
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
static void put_fact_line(const struct svg_page *p)
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

void svg_page_begin(const struct svg_page *p)
{
	const struct drawing *d = p->drawing;

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
	if (d->subtitle)
		svg_frame_text(&p->frame, d->width_px / 2, d->fontsize_px * 4, "id=\"subtitle\"",
			       d->subtitle);
	if (p->note.len)
		svg_frame_text(&p->frame, d->width_px / 2, d->fontsize_px * 2 + 11, "id=\"note\"",
			       p->note.data);
	put_controls(p);
	put_fact_line(p);
}

void svg_page_script(const struct svg_page *p)
{
	svg_frame_script(&p->frame, svg_flame_script);
	out_str(p->frame.out, "pdtool(");
}

void svg_page_end(struct svg_page *p)
{
	out_str(p->frame.out, ");\n");
	svg_frame_close(&p->frame, true);
	buf_release(&p->note);
}

void svg_page_message(const struct result *r, const struct drawing *d, struct out *out,
		      const char *text)
{
	struct svg_page p;

	svg_page_init(&p, r, d, out);
	p.frame.height_px = p.top_px + p.bottom_px + d->frame_px;
	svg_page_begin(&p);
	svg_frame_text(&p.frame, PAGE_SIDE_PX, p.top_px + d->fontsize_px, "class=\"message\"",
		       text);
	svg_page_script(&p);
	svg_page_end(&p);
}
