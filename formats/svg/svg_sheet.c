/* Opens and closes the document of a grid or a table, writes its facts, and has the small
 * tools for text and shares that these drawings use. */
#include "formats/svg/svg_sheet.h"

#include <inttypes.h>

#define FACT_LINES  40 /* the others are in the description */
#define FACT_HEIGHT 16

unsigned svg_text_pixels(size_t characters)
{
	return (unsigned)((characters * SVG_CHAR_X100 + 99) / 100);
}

void svg_runs(struct out *o, const uint64_t *values, size_t count)
{
	size_t n;

	for (size_t i = 0; i < count; i += n) {
		for (n = 1; i + n < count && values[i + n] == values[i];)
			n++;
		out_put(o, i ? " %" PRIu64 : "%" PRIu64, values[i]);
		if (n > 1)
			out_put(o, "*%zu", n);
	}
}

/* ---- colours ---- */

const char *const svg_light_heat[SVG_LEVELS] = { "#ffedaa", "#ffdc8d", "#fecb71", "#fdb857",
						 "#fa9c47", "#f77f37", "#f1632c", "#e64828",
						 "#db2e24", "#c71b25", "#ac0f29", "#91032c",
						 "#75002c", "#59002a", "#3c0028" };
const char *const svg_dark_heat[SVG_LEVELS] = { "#3a1a5e", "#4e1c6a", "#621e77", "#772180",
						"#90297e", "#a8327b", "#bf3d75", "#d44c6b",
						"#e95a61", "#f46e60", "#f88466", "#fd9a6c",
						"#fdba84", "#fddba2", "#fcfdbf" };
static const char *const series[SVG_SERIES] = { "#4e79a7", "#f28e2b", "#59a14f", "#e15759",
						"#76b7b2", "#b07aa1", "#edc948", "#9c755f",
						"#ff9da7", "#3b9dd8", "#8cd17d", "#b6992d",
						"#999999" };

static const char base_css[] =
	"svg{color-scheme:light dark;--bg:#fff;--plot:#f6f6f8;--fg:#1b1b1f;--dim:#65656e;"
	"--line:#d5d5dc;--gap:#8a8a96;--more:#d6453d;--less:#2f7fbf;"
	"--maybe-more:#e59a95;--maybe-less:#93bbdc;--noise:#a3a3ad;--bar:#5b7fae;"
	"font:12px ui-monospace,'DejaVu Sans Mono','Liberation Mono',monospace;"
	"background:var(--bg);max-width:100%;height:auto}\n"
	"text{fill:var(--fg)}.t{font-size:16px;font-weight:bold}.d{fill:var(--dim)}"
	".e{text-anchor:end}.m{text-anchor:middle}.bg{fill:var(--bg)}.plot{fill:var(--plot)}"
	".line{stroke:var(--line);fill:none;shape-rendering:crispEdges}"
	".halo,.over{fill:none;pointer-events:none}.halo{stroke:var(--bg);stroke-width:4}"
	".over{stroke:var(--fg);stroke-width:1.5}"
	".hit{fill:transparent}.row:hover .hit{fill:var(--plot)}"
	".strip{fill:var(--bar)}.cells{shape-rendering:crispEdges}"
	"image{image-rendering:pixelated}.dark{display:none}\n";

static const char dark_css[] =
	"@media (prefers-color-scheme:dark){svg{--bg:#16161a;--plot:#1f1f25;--fg:#ececf1;"
	"--dim:#9d9daa;--line:#3a3a44;--gap:#6f6f7c;--more:#ff7a70;--less:#6db5ef;"
	"--maybe-more:#a85a54;--maybe-less:#4d7b9c;--noise:#6f6f7a;--bar:#6f97cc}"
	".light{display:none}.dark{display:inline}\n";

static void put_css(const struct svg_frame *f)
{
	struct out *o = f->out;

	out_str(o, base_css);
	for (unsigned i = 0; i < SVG_LEVELS; i++)
		out_put(o, ".c%u{fill:%s}", i + 1, svg_light_heat[i]);
	for (unsigned i = 0; i < SVG_SERIES; i++)
		out_put(o, ".s%u{fill:%s}", i, series[i]);
	out_str(o, "\n");
	out_str(o, dark_css);
	for (unsigned i = 0; i < SVG_LEVELS; i++)
		out_put(o, ".c%u{fill:%s}", i + 1, svg_dark_heat[i]);
}

/* ---- the document ---- */

unsigned svg_sheet_head(struct svg_frame *f, const char *own, const char *bars)
{
	size_t room = (size_t)(f->width_px - 24) * 100 / SVG_CHAR_X100;

	subtitle_make(&f->subtitle, f->result, own, bars, room);
	return (unsigned)f->subtitle.count * FACT_HEIGHT;
}

void svg_sheet_open(struct svg_frame *f, unsigned bottom)
{
	size_t facts = f->result->fact_count;

	f->height_px = bottom + FACT_HEIGHT * (facts > FACT_LINES ? FACT_LINES + 1 : facts);
	svg_frame_open(f);
	put_css(f);
	svg_frame_body(f);
	out_put(f->out,
		"<rect class=\"bg\" width=\"%.0f\" height=\"%.0f\"/>\n<text class=\"t\" x=\"12\" "
		"y=\"24\">%.*s</text>\n",
		f->width_px, f->height_px, (int)(f->width_px - 24) / 10, f->title);
	for (size_t i = 0; i < f->subtitle.count; i++)
		svg_frame_text(f, 12, 42 + FACT_HEIGHT * (double)i, "class=\"subtitle d\"",
			       subtitle_line(&f->subtitle, i));
	subtitle_release(&f->subtitle);
}

static void put_facts(const struct svg_frame *f, unsigned y)
{
	const struct result *r = f->result;
	size_t n = r->fact_count > FACT_LINES ? FACT_LINES : r->fact_count;
	int room = (int)(f->width_px - 240) * 100 / SVG_CHAR_X100;
	struct buf text = { 0 };

	for (size_t i = 0; i < n; i++, y += FACT_HEIGHT)
		out_put(f->out,
			"<text class=\"d\" x=\"12\" y=\"%u\">%.28s</text>"
			"<text class=\"d\" x=\"226\" y=\"%u\">%.*s</text>\n",
			y, r->facts[i].name, y, room, fact_text(r->facts[i].value, true, &text));
	if (n < r->fact_count)
		out_put(f->out, "<text class=\"d\" x=\"12\" y=\"%u\">and %zu more facts</text>\n",
			y, r->fact_count - n);
	buf_release(&text);
}

void svg_sheet_close(const struct svg_frame *f, unsigned bottom, const char *script)
{
	put_facts(f, bottom);
	if (script)
		svg_frame_script(f, script);
	svg_frame_close(f, script);
}
