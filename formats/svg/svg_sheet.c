/* Opens and closes the document of a grid or a table, writes its facts, and has the small
 * tools for text and shares that these drawings use. */
#include "formats/svg/svg_sheet.h"

#include <inttypes.h>

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
	"}\n"
	".d{fill:var(--dim)}"
	".e{text-anchor:end}.m{text-anchor:middle}.bg{fill:var(--bg)}.plot{fill:var(--plot)}"
	".line{stroke:var(--line);fill:none;shape-rendering:crispEdges}"
	".halo,.over{fill:none;pointer-events:none}.halo{stroke:var(--bg);stroke-width:4}"
	".over{stroke:var(--fg);stroke-width:1.5}"
	".hit{fill:transparent}.row:hover .hit{fill:var(--plot)}"
	".strip{fill:var(--bar)}.cells{shape-rendering:crispEdges}"
	"image{image-rendering:pixelated}.dark{display:none}\n";

static const char dark_css[] =
	"svg{--bg:#16161a;--plot:#1f1f25;--fg:#ececf1;"
	"--dim:#9d9daa;--line:#3a3a44;--gap:#6f6f7c;--more:#ff7a70;--less:#6db5ef;"
	"--maybe-more:#a85a54;--maybe-less:#4d7b9c;--noise:#6f6f7a;--bar:#6f97cc}"
	".light{display:none}.dark{display:inline}\n";

static void make_css(struct svg_frame *f, struct buf *light, struct buf *dark)
{
	buf_str(light, base_css);
	for (unsigned i = 0; i < SVG_LEVELS; i++)
		buf_printf(light, ".c%u{fill:%s}", i + 1, svg_light_heat[i]);
	for (unsigned i = 0; i < SVG_SERIES; i++)
		buf_printf(light, ".s%u{fill:%s}", i, series[i]);
	buf_str(light, "\n");
	buf_str(dark, dark_css);
	for (unsigned i = 0; i < SVG_LEVELS; i++)
		buf_printf(dark, ".c%u{fill:%s}", i + 1, svg_dark_heat[i]);
	f->css = light->data;
	f->dark_css = dark->data;
}

/* ---- the document ---- */

void svg_sheet_open(struct svg_frame *f, unsigned bottom)
{
	struct buf light = { 0 }, dark = { 0 };

	make_css(f, &light, &dark);
	svg_frame_open(f, bottom);
	buf_release(&light);
	buf_release(&dark);
}

void svg_sheet_close(struct svg_frame *f, const char *script)
{
	if (script)
		svg_frame_script_open(f, script);
	svg_frame_close(f);
}
