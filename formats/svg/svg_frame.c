/* Writes the parts of a document in their order. */
#include "formats/svg/svg_frame.h"
#include "formats/format.h"

/* All facts, also those for which the drawing has no room. */
static void put_description(const struct svg_frame *f)
{
	const struct result *r = f->result;
	struct buf text = { 0 };

	if (!r->fact_count && !f->notes)
		return;
	out_str(f->out, "<desc>");
	for (size_t i = 0; i < r->fact_count; i++)
		out_put(f->out, "%s: %s\n", r->facts[i].name,
			fact_text(r->facts[i].value, true, &text));
	if (f->notes)
		out_put(f->out, "notes: %s\n", f->notes);
	out_str(f->out, "</desc>\n");
	buf_release(&text);
}

void svg_frame_open(const struct svg_frame *f)
{
	f->out->quoting = f->encoding ? QUOTE_XML_ASCII : QUOTE_XML;
	out_put(f->out,
		"<?xml version=\"1.0\" encoding=\"%s\" standalone=\"no\"?>\n"
		"<svg version=\"1.1\" xmlns=\"http://www.w3.org/2000/svg\" "
		"xmlns:xlink=\"http://www.w3.org/1999/xlink\" class=\"%s\" width=\"%g\" "
		"height=\"%g\" viewBox=\"0 0 %g %g\">\n<title>%s</title>\n",
		f->encoding ?: "UTF-8", f->kind, f->width_px, f->height_px, f->width_px,
		f->height_px, f->title);
	put_description(f);
	out_str(f->out, "<style>\n");
}

void svg_frame_body(const struct svg_frame *f)
{
	out_str(f->out, "}\n</style>\n");
}

void svg_frame_text(const struct svg_frame *f, double x, double y, const char *attributes,
		    const char *text)
{
	out_put(f->out, "<text x=\"%g\" y=\"%g\" ", x, y);
	out_str(f->out, attributes);
	out_put(f->out, ">%s</text>\n", text);
}

void svg_frame_script(const struct svg_frame *f, const char *script)
{
	out_str(f->out, "<script><![CDATA[\n");
	out_str(f->out, svg_number_script);
	out_str(f->out, script);
}

void svg_frame_close(const struct svg_frame *f, bool has_script)
{
	out_str(f->out, has_script ? "]]></script>\n</svg>\n" : "</svg>\n");
}
