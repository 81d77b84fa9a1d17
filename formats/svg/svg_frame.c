/* Writes the parts of a document in their order; all text is escaped on its way out. */
#include "formats/svg/svg_frame.h"
#include "formats/format.h"
#include "formats/svg/svg_text.h"

const char *svg_frame_title(const char *given, const struct result *r, const char *usual)
{
	return given ? given : r->title ? r->title : usual;
}

static void put_fact(const struct svg_frame *f, const char *name, const char *value)
{
	svg_text(f->out, name, f->ascii);
	out_str(f->out, ": ");
	svg_text(f->out, value, f->ascii);
	out_str(f->out, "\n");
}

/* All facts, also those for which the drawing has no room. */
static void put_description(const struct svg_frame *f)
{
	const struct result *r = f->result;
	struct buf text = { 0 };

	if (!r->fact_count && !f->notes)
		return;
	out_str(f->out, "<desc>");
	for (size_t i = 0; i < r->fact_count; i++)
		put_fact(f, r->facts[i].name, fact_text(r->facts[i].value, true, &text));
	if (f->notes)
		put_fact(f, "notes", f->notes);
	out_str(f->out, "</desc>\n");
	buf_release(&text);
}

void svg_frame_open(const struct svg_frame *f)
{
	struct out *o = f->out;

	out_str(o, "<?xml version=\"1.0\" encoding=\"");
	out_str(o, f->encoding);
	out_str(o, "\" standalone=\"no\"?>\n"
		   "<svg version=\"1.1\" xmlns=\"http://www.w3.org/2000/svg\" "
		   "xmlns:xlink=\"http://www.w3.org/1999/xlink\" class=\"");
	out_str(o, f->kind);
	svg_pxs(o, (const struct svg_number[]){ { "\" width=\"", f->width_px },
						{ "\" height=\"", f->height_px },
						{ "\" viewBox=\"0 0 ", f->width_px },
						{ " ", f->height_px },
						{ NULL, 0 } });
	out_str(o, "\">\n<title>");
	svg_text(o, f->title, f->ascii);
	out_str(o, "</title>\n");
	put_description(f);
	out_str(o, "<style>\n");
}

void svg_frame_dark(const struct svg_frame *f)
{
	out_str(f->out, "@media (prefers-color-scheme:dark){");
}

void svg_frame_body(const struct svg_frame *f)
{
	out_str(f->out, "}\n</style>\n");
}

void svg_frame_text(const struct svg_frame *f, double x, double y, const char *attributes,
		    const char *text)
{
	svg_pxs(f->out,
		(const struct svg_number[]){ { "<text x=\"", x }, { "\" y=\"", y }, { NULL, 0 } });
	out_str(f->out, *attributes ? "\" " : "\"");
	out_str(f->out, attributes);
	out_str(f->out, ">");
	svg_text(f->out, text, f->ascii);
	out_str(f->out, "</text>\n");
}

void svg_frame_script(const struct svg_frame *f, const char *script)
{
	out_str(f->out, "<script><![CDATA[\n");
	out_str(f->out, script);
}

void svg_frame_close(const struct svg_frame *f, bool has_script)
{
	out_str(f->out, has_script ? "]]></script>\n</svg>\n" : "</svg>\n");
}
