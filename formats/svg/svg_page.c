/* Writes the frame of a flame graph's document: header, style sheet, facts, controls, script.
 * All text is escaped on its way out. */
#include "formats/svg/svg_page.h"
#include "formats/svg/svg_assets.h"
#include "formats/svg/svg_text.h"
#include "formats/format.h"

#include <string.h>

void svg_page_init(struct svg_page *p, const struct result *r, const struct drawing *d,
		   struct out *out)
{
	*p = (struct svg_page){ .out = out,
				.drawing = d,
				.result = r,
				.title = r->title,
				.top_px = d->fontsize_px * 3,
				.bottom_px = d->fontsize_px * 2 + 10 };
	if (d->subtitle)
		p->top_px += d->fontsize_px * 2;
}

static void put(const struct svg_page *p, const char *text)
{
	out_str(p->out, text);
}

static void put_px(const struct svg_page *p, const char *before, double px, const char *after)
{
	put(p, before);
	svg_px(p->out, px);
	put(p, after);
}

void svg_page_text(const struct svg_page *p, double x, double y, const char *attributes,
		   const char *text)
{
	put_px(p, "<text x=\"", x, "\"");
	put_px(p, " y=\"", y, "\"");
	put(p, *attributes ? " " : "");
	put(p, attributes);
	put(p, ">");
	svg_text(p->out, text, p->drawing->ascii);
	put(p, "</text>\n");
}

static void put_style(const struct svg_page *p)
{
	const struct drawing *d = p->drawing;

	put(p, "<style type=\"text/css\">\nsvg{background:");
	put(p, d->background[1]);
	put(p, "}\n#bar{fill:");
	put(p, d->background[1]);
	put(p, "}\ntext{font-family:");
	svg_text(p->out, d->fonttype, true);
	put(p, ",sans-serif");
	put_px(p, ";font-size:", d->fontsize_px, "px;fill:#000}\n");
	put_px(p, "#title{font-size:", d->fontsize_px + 5, "px}\n");
	out_str(p->out, svg_flame_css);
	put(p, "@media (prefers-color-scheme:dark){svg{background:");
	put(p, d->dark[1]);
	put(p, "}#bar{fill:");
	put(p, d->dark[1]);
	put(p, "}#bg0{stop-color:");
	put(p, d->dark[0]);
	put(p, "}#bg1{stop-color:");
	put(p, d->dark[1]);
	put(p, "}}\n</style>\n");
}

static void put_header(const struct svg_page *p)
{
	const struct drawing *d = p->drawing;

	put(p, "<?xml version=\"1.0\" encoding=\"");
	put(p, d->encoding);
	put(p, "\" standalone=\"no\"?>\n"
	       "<svg version=\"1.1\" xmlns=\"http://www.w3.org/2000/svg\" "
	       "xmlns:xlink=\"http://www.w3.org/1999/xlink\"");
	put_px(p, " width=\"", d->width_px, "\"");
	put_px(p, " height=\"", p->height_px, "\"");
	put_px(p, " viewBox=\"0 0 ", d->width_px, "");
	put_px(p, " ", p->height_px, "\">\n");
}

/* In <desc>, for readers of the file and of the screen; the script shows it too. */
static void put_facts(const struct svg_page *p)
{
	const struct result *r = p->result;
	struct buf text = { 0 };

	put(p, "<desc>");
	for (size_t i = 0; i < r->fact_count; i++) {
		svg_text(p->out, r->facts[i].name, p->drawing->ascii);
		put(p, ": ");
		svg_text(p->out, fact_text(r->facts[i].value, true, &text), p->drawing->ascii);
		put(p, "\n");
	}
	if (p->drawing->notes) {
		put(p, "notes: ");
		svg_text(p->out, p->drawing->notes, p->drawing->ascii);
		put(p, "\n");
	}
	put(p, "</desc>\n");
	buf_release(&text);
}

double svg_page_least(const struct drawing *d, double span)
{
	double of = d->minwidth.unit == QUANTITY_PERCENT ? 100 : d->width_px - 2 * PAGE_SIDE_PX;

	return span * d->minwidth.number / of;
}

static const char *title_of(const struct svg_page *p)
{
	if (p->drawing->title)
		return p->drawing->title;
	if (p->title)
		return p->title;
	return p->drawing->inverted ? "Icicle Graph" : "Flame Graph";
}

/* Controls that only a script can serve are hidden until it runs. */
static void put_controls(const struct svg_page *p)
{
	double size = p->drawing->fontsize_px, width = p->drawing->width_px;

	svg_page_text(p, PAGE_SIDE_PX, size * 2, "id=\"unzoom\" class=\"button hide\"",
		      "Reset Zoom");
	svg_page_text(p, width - PAGE_SIDE_PX - 100, size * 2, "id=\"search\" class=\"button\"",
		      "Search");
	svg_page_text(p, width - PAGE_SIDE_PX - 44, size * 2, "id=\"ignorecase\" class=\"button\"",
		      "ic");
	svg_page_text(p, width - PAGE_SIDE_PX - 20, size * 2, "id=\"info\" class=\"button\"", "?");
}

/* As many facts as the line has room for. */
static void put_fact_line(const struct svg_page *p)
{
	const struct result *r = p->result;
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
		svg_page_text(p, PAGE_SIDE_PX, p->height_px - 4, "id=\"facts\"", line.data);
	buf_release(&line);
	buf_release(&text);
}

void svg_page_begin(const struct svg_page *p)
{
	const struct drawing *d = p->drawing;

	put_header(p);
	put(p, "<title>");
	svg_text(p->out, title_of(p), d->ascii);
	put(p, "</title>\n");
	put_facts(p);
	put(p, "<defs><linearGradient id=\"background\" y1=\"0\" y2=\"1\" x1=\"0\" x2=\"0\">"
	       "<stop id=\"bg0\" offset=\"5%\" stop-color=\"");
	put(p, d->background[0]);
	put(p, "\"/><stop id=\"bg1\" offset=\"95%\" stop-color=\"");
	put(p, d->background[1]);
	put(p, "\"/></linearGradient></defs>\n");
	put_style(p);
	put(p, "<rect id=\"page\" x=\"0\" y=\"0\" fill=\"url(#background)\"");
	put_px(p, " width=\"", d->width_px, "\"");
	put_px(p, " height=\"", p->height_px, "\"/>\n");
	svg_page_text(p, d->width_px / 2, d->fontsize_px * 2, "id=\"title\"", title_of(p));
	if (d->subtitle)
		svg_page_text(p, d->width_px / 2, d->fontsize_px * 4, "id=\"subtitle\"",
			      d->subtitle);
	if (p->note.len)
		svg_page_text(p, d->width_px / 2, d->fontsize_px * 2 + 11, "id=\"note\"",
			      p->note.data);
	put_controls(p);
	put_fact_line(p);
}

void svg_page_script(const struct svg_page *p)
{
	put(p, "<script type=\"text/javascript\"><![CDATA[\n");
	out_str(p->out, svg_flame_script);
	put(p, "pdtool(");
}

void svg_page_end(struct svg_page *p)
{
	put(p, ");\n]]></script>\n</svg>\n");
	buf_release(&p->note);
}

void svg_page_message(const struct result *r, const struct drawing *d, struct out *out,
		      const char *text)
{
	struct svg_page p;

	svg_page_init(&p, r, d, out);
	p.height_px = p.top_px + p.bottom_px + d->frame_px;
	svg_page_begin(&p);
	svg_page_text(&p, PAGE_SIDE_PX, p.top_px + d->fontsize_px, "class=\"message\"", text);
	svg_page_script(&p);
	svg_page_end(&p);
}
