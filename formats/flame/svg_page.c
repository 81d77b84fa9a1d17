/* What flame graphs and charts have around the drawing: their style, title, controls, facts. */
#include "formats/flame/svg_page.h"
#include "formats/svg/svg_assets.h"
#include "formats/svg/svg_text.h"
#include "formats/format.h"

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
					   .ascii = d->ascii,
					   .width_px = d->width_px },
				.drawing = d,
				.top_px = d->fontsize_px * 3,
				.bottom_px = d->fontsize_px * 2 + 10 };
	if (d->subtitle)
		p->top_px += d->fontsize_px * 2;
}

static void put(const struct svg_page *p, const char *text)
{
	out_str(p->frame.out, text);
}

static void put_px(const struct svg_page *p, const char *before, double px, const char *after)
{
	put(p, before);
	svg_px(p->frame.out, px);
	put(p, after);
}

static void put_style(const struct svg_page *p)
{
	const struct drawing *d = p->drawing;

	put(p, "svg{background:");
	put(p, d->background[1]);
	put(p, "}\n#bar{fill:");
	put(p, d->background[1]);
	put(p, "}\ntext{font-family:");
	svg_text(p->frame.out, d->fonttype, true);
	put(p, ",sans-serif");
	put_px(p, ";font-size:", d->fontsize_px, "px;fill:#000}\n");
	put_px(p, "#title{font-size:", d->fontsize_px + 5, "px}\n");
	put(p, svg_flame_css);
	svg_frame_dark(&p->frame);
	put(p, "svg{background:");
	put(p, d->dark[1]);
	put(p, "}#bar{fill:");
	put(p, d->dark[1]);
	put(p, "}#bg0{stop-color:");
	put(p, d->dark[0]);
	put(p, "}#bg1{stop-color:");
	put(p, d->dark[1]);
	put(p, "}");
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
	double size = p->drawing->fontsize_px, width = p->drawing->width_px;

	svg_frame_text(&p->frame, PAGE_SIDE_PX, size * 2, "id=\"unzoom\" class=\"button hide\"",
		       "Reset Zoom");
	svg_frame_text(&p->frame, width - PAGE_SIDE_PX - 100, size * 2,
		       "id=\"search\" class=\"button\"", "Search");
	svg_frame_text(&p->frame, width - PAGE_SIDE_PX - 44, size * 2,
		       "id=\"ignorecase\" class=\"button\"", "ic");
	svg_frame_text(&p->frame, width - PAGE_SIDE_PX - 20, size * 2,
		       "id=\"info\" class=\"button\"", "?");
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
	put(p, "<defs><linearGradient id=\"background\" y1=\"0\" y2=\"1\" x1=\"0\" x2=\"0\">"
	       "<stop id=\"bg0\" offset=\"5%\" stop-color=\"");
	put(p, d->background[0]);
	put(p, "\"/><stop id=\"bg1\" offset=\"95%\" stop-color=\"");
	put(p, d->background[1]);
	put(p, "\"/></linearGradient></defs>\n");
	put(p, "<rect id=\"page\" x=\"0\" y=\"0\" fill=\"url(#background)\"");
	put_px(p, " width=\"", d->width_px, "\"");
	put_px(p, " height=\"", p->frame.height_px, "\"/>\n");
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
	put(p, "pdtool(");
}

void svg_page_end(struct svg_page *p)
{
	put(p, ");\n");
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
