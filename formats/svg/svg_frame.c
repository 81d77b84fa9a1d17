/* Lays out the head and the foot of a drawing, and writes the parts of a document in their order.
 */
#include "formats/svg/svg_frame.h"
#include "formats/flame/flame_style.h"
#include "formats/format.h"
#include "formats/shown.h"

#include <math.h>

#define FONT	  "Verdana,DejaVu Sans,sans-serif"
#define FONT_PX	  12
#define CHAR_EM	  0.6 /* the width of most characters, of the size of the font */
#define TITLE_EM  1.4
#define LINE_EM	  1.4 /* from one line to the next */
#define KEY_EM	  1.7 /* the same of the legend */
#define STATUS_EM 3.2 /* the two lines below the drawing */
#define CONTROLS  26  /* characters that buttons take from the title */
#define SWATCH_EM 1
#define RAMP_EM	  1.5 /* each colour of a run */

/* Those on a dark ground that stand for the attributes' own. */
static const struct {
	const char *light, *dark;
} colors[] = {
	{ SVG_PAGE, "#16161a" },   { SVG_PLOT, "#1f1f25" },	  { SVG_TEXT, "#ececf1" },
	{ SVG_DIM, "#a9a9b6" },	   { SVG_LINE, "#3a3a44" },	  { SVG_EDGE, "#8a8a98" },
	{ SVG_LINK, "#7ab8ff" },   { SVG_LINE_1, "#6db5ff" },	  { SVG_LINE_2, "#4fe0b8" },
	{ SVG_LINE_3, "#f0f0f5" }, { SVG_LINE_4, "#b8b8c4" },	  { SVG_GAP, "#6f6f7c" },
	{ SVG_BAR, "#6f97cc" },	   { SVG_BEFORE, "#5c616d" },	  { SVG_MORE, "#ff7a70" },
	{ SVG_LESS, "#6db5ef" },   { SVG_MAYBE_MORE, "#a85a54" }, { SVG_MAYBE_LESS, "#4d7b9c" },
	{ SVG_NOISE, "#6f6f7a" },
};

static double font_of(const struct svg_frame *f)
{
	return f->font_px > 0 ? f->font_px : FONT_PX;
}

/* How many characters fit into PIXELS at EM times the size of the font. */
static size_t room_for(const struct svg_frame *f, double pixels, double em)
{
	double room = pixels / (font_of(f) * CHAR_EM * em);

	return room > 1 ? (size_t)room : 1;
}

static double text_px(const struct svg_frame *f, const char *text)
{
	return text ? (double)shown_width(text) * font_of(f) * CHAR_EM : 0;
}

void svg_frame_style(struct svg_frame *f, const struct drawing *d)
{
	if (!d)
		return;
	f->title = d->title ?: f->title;
	f->own = d->subtitle;
	f->notes = d->notes;
	f->encoding = d->encoding;
	f->font = d->fonttype;
}

/* ---- the legend ---- */

void svg_frame_key(struct svg_frame *f, const char *text, uint32_t color)
{
	if (f->key_count < SVG_KEYS)
		f->keys[f->key_count++] =
			(struct svg_key){ .after = text, .colors = { color }, .count = 1 };
}

static double swatch_px(const struct svg_frame *f, const struct svg_key *k)
{
	return font_of(f) * (k->count > 1 ? RAMP_EM : SWATCH_EM);
}

static double key_px(const struct svg_frame *f, const struct svg_key *k)
{
	double font = font_of(f);

	return text_px(f, k->before) + (k->before ? font / 2 : 0) + k->count * swatch_px(f, k) +
	       font / 2 + text_px(f, k->after);
}

static void put_key(const struct svg_frame *f, const struct svg_key *k, double x, double y)
{
	double font = font_of(f), side = swatch_px(f, k), at = 0;
	struct out *o = f->out;

	out_put(o, "<g class=\"key\" transform=\"translate(%g %g)\">", x, y);
	if (k->before) {
		out_put(o, "<text y=\"%g\">%s</text>", font * 0.85, k->before);
		at = text_px(f, k->before) + font / 2;
	}
	for (unsigned i = 0; i < k->count; i++, at += side) {
		out_put(o, "<rect x=\"%g\" width=\"%g\" height=\"%g\" fill=\"", at, side, font);
		if (k->fill)
			out_put(o, "%s\"", k->fill);
		else
			out_put(o, "#%06x\"", k->colors[i]);
		out_str(o, k->framed ? " stroke=\"" SVG_EDGE "\"" : "");
		if (k->titles[i])
			out_put(o, "><title>%s</title></rect>", k->titles[i]);
		else
			out_str(o, "/>");
	}
	if (k->after)
		out_put(o, "<text x=\"%g\" y=\"%g\">%s</text>", at + font / 2, font * 0.85,
			k->after);
	out_str(o, "</g>\n");
}

/* From left to right, in as many rows as it takes: how many. DRAW: or only count them. */
static unsigned flow_keys(const struct svg_frame *f, double y, bool draw)
{
	double x = SVG_SIDE_PX, font = font_of(f);
	unsigned rows = f->key_count > 0;

	for (size_t i = 0; i < f->key_count; i++) {
		double width = key_px(f, &f->keys[i]);

		if (x > SVG_SIDE_PX && x + width > f->width_px - SVG_SIDE_PX) {
			x = SVG_SIDE_PX;
			rows++;
		}
		if (draw)
			put_key(f, &f->keys[i], x, y + (rows - 1) * font * KEY_EM);
		x += width + 1.5 * font;
	}
	return rows;
}

/* ---- the head ---- */

/* The base line of line I of the subtitle. */
static double subtitle_y(const struct svg_frame *f, size_t i)
{
	return font_of(f) * (2 + LINE_EM * (double)(i + 1));
}

static double legend_y(const struct svg_frame *f)
{
	return subtitle_y(f, f->subtitle.count) - font_of(f) * 0.6;
}

double svg_frame_head(struct svg_frame *f)
{
	double font = font_of(f);
	unsigned rows;

	subtitle_make(&f->subtitle, f->result, f->own, f->counted,
		      room_for(f, f->width_px - 2 * SVG_SIDE_PX, 1));
	rows = flow_keys(f, 0, false);
	f->head_px = ceil(rows ? legend_y(f) + rows * font * KEY_EM
			       : subtitle_y(f, f->subtitle.count) - font * 0.4);
	return f->head_px;
}

static void put_title(const struct svg_frame *f)
{
	double font = font_of(f);
	size_t room = room_for(f, f->width_px - 2 * SVG_SIDE_PX, TITLE_EM * 1.1);

	room = room > CONTROLS + 8 && f->is_live ? room - CONTROLS : room;
	out_put(f->out,
		"<text id=\"title\" x=\"%d\" y=\"%g\" font-size=\"%g\" font-weight=\"bold\">%.*s"
		"</text>\n",
		SVG_SIDE_PX, font * 2, font * TITLE_EM, (int)room, f->title);
}

static void put_head(const struct svg_frame *f)
{
	out_put(f->out, "<g id=\"head\" data-bottom=\"%g\">\n", f->head_px);
	put_title(f);
	for (size_t i = 0; i < f->subtitle.count; i++)
		svg_frame_text(f, SVG_SIDE_PX, subtitle_y(f, i),
			       "class=\"subtitle\" fill=\"" SVG_DIM "\"",
			       subtitle_line(&f->subtitle, i));
	if (f->key_count) {
		out_str(f->out, "<g id=\"legend\">\n");
		flow_keys(f, legend_y(f), true);
		out_str(f->out, "</g>\n");
	}
	out_str(f->out, "</g>\n");
	if (f->is_live)
		svg_frame_button(f, "info", "?", "What this drawing is made of, and its keys");
}

void svg_frame_button(const struct svg_frame *f, const char *id, const char *text, const char *tip)
{
	out_put(f->out,
		"<text id=\"%s\" class=\"button\" x=\"%g\" y=\"%g\" fill=\"" SVG_LINK
		"\" display=\"none\" aria-label=\"%s\">%s<title>%s</title></text>\n",
		id, f->width_px - SVG_SIDE_PX, font_of(f) * 2, tip, text, tip);
}

/* ---- the foot ---- */

static void put_foot(const struct svg_frame *f)
{
	double font = font_of(f), step = font * LINE_EM;

	out_put(f->out, "<g id=\"foot\" data-top=\"%g\" fill=\"" SVG_DIM "\">\n", f->status_y);
	for (size_t i = 0; i < f->footer.count; i++)
		svg_frame_text(f, SVG_SIDE_PX,
			       f->height_px - font * 0.6 - step * (double)(f->footer.count - 1 - i),
			       "class=\"fact\"", subtitle_line(&f->footer, i));
	out_str(f->out, "</g>\n");
}

/* ---- the document ---- */

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

/* Paper is light, whatever the screen is. */
static void put_style(const struct svg_frame *f)
{
	struct out *o = f->out;

	out_str(o, "<style>\n");
	out_str(o, svg_frame_css);
	out_str(o, f->css ?: "");
	out_str(o, "@media screen and (prefers-color-scheme:dark){\nsvg{background:#16161a}\n");
	for (size_t i = 0; i < sizeof(colors) / sizeof(*colors); i++)
		out_put(o, "[fill=\"%s\"]{fill:%s}[stroke=\"%s\"]{stroke:%s}\n", colors[i].light,
			colors[i].dark, colors[i].light, colors[i].dark);
	for (unsigned i = 0; i < 2 && f->ground[0]; i++)
		out_put(o, "#bg%u{stop-color:%s}\n", i, f->dark[i]);
	out_str(o, f->dark_css ?: "");
	out_str(o, "}\n</style>\n");
}

static void put_ground(const struct svg_frame *f)
{
	struct out *o = f->out;

	if (f->ground[0])
		out_put(o,
			"<defs><linearGradient id=\"background\" y1=\"0\" y2=\"1\" x1=\"0\" "
			"x2=\"0\"><stop id=\"bg0\" offset=\"5%%\" stop-color=\"%s\"/>"
			"<stop id=\"bg1\" offset=\"95%%\" stop-color=\"%s\"/></linearGradient>"
			"</defs>\n",
			f->ground[0], f->ground[1]);
	if (f->defs) {
		out_str(o, "<defs>");
		out_str(o, f->defs);
		out_str(o, "</defs>\n");
	}
	out_put(o, "<rect id=\"page\" x=\"0\" y=\"0\" width=\"%g\" height=\"%g\" fill=\"%s\"/>\n",
		f->width_px, f->height_px, f->ground[0] ? "url(#background)" : SVG_PAGE);
}

void svg_frame_open(struct svg_frame *f, double bottom)
{
	double font = font_of(f);

	f->status_y = bottom;
	footer_make(&f->footer, f->result, f->note, room_for(f, f->width_px - 2 * SVG_SIDE_PX, 1));
	f->height_px = ceil(bottom + (f->is_live ? font * STATUS_EM : font * 0.6) +
			    font * LINE_EM * (double)f->footer.count + font * 0.6);
	f->out->quoting = f->encoding ? QUOTE_XML_ASCII : QUOTE_XML;
	out_put(f->out,
		"<?xml version=\"1.0\" encoding=\"%s\" standalone=\"no\"?>\n"
		"<svg version=\"1.1\" xmlns=\"http://www.w3.org/2000/svg\" "
		"xmlns:xlink=\"http://www.w3.org/1999/xlink\" class=\"%s\" width=\"%g\" "
		"height=\"%g\" viewBox=\"0 0 %g %g\" font-family=\"",
		f->encoding ?: "UTF-8", f->kind, f->width_px, f->height_px, f->width_px,
		f->height_px);
	out_put(f->out, f->font ? "%s,sans-serif" : "%s", f->font ?: FONT);
	out_put(f->out,
		"\" font-size=\"%g\" fill=\"" SVG_TEXT "\" stroke=\"none\">\n<title>%s</title>\n",
		font, f->title);
	put_description(f);
	put_style(f);
	put_ground(f);
	put_head(f);
	put_foot(f);
}

void svg_frame_text(const struct svg_frame *f, double x, double y, const char *attributes,
		    const char *text)
{
	out_put(f->out, "<text x=\"%g\" y=\"%g\" ", x, y);
	out_str(f->out, attributes);
	out_put(f->out, ">%s</text>\n", text);
}

void svg_frame_script_open(const struct svg_frame *f, const char *script)
{
	out_str(f->out, "<script><![CDATA[\n");
	out_str(f->out, svg_number_script);
	out_str(f->out, svg_frame_script);
	out_str(f->out, script);
}

void svg_frame_close(struct svg_frame *f)
{
	out_str(f->out, f->is_live ? "]]></script>\n</svg>\n" : "</svg>\n");
	subtitle_release(&f->subtitle);
	subtitle_release(&f->footer);
}
