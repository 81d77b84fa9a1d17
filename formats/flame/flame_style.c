/* flamegraph.pl's options, and what follows from them. */
#include "formats/flame/flame_style.h"
#include "parser/base/mem.h"

#include <string.h>

#define D(member) offsetof(struct drawing, member)

/* In the order of enum palette. */
static const char *const palettes[] = { "",	  "hot",    "mem",    "io",   "wakeup",
					"chain",  "java",   "js",     "perl", "rust",
					"python", "red",    "green",  "blue", "aqua",
					"yellow", "purple", "orange", NULL };
_Static_assert(ARRAY_SIZE(palettes) == PALETTE_ORANGE + 2, "each palette has its word");
static const char *const grounds[] = { "yellow", "blue", "green", "grey", NULL };

#define RGB_VALUE .pattern = "^#[0-9a-f]{6}$", .wanted = "a colour such as #12ab34"

/* A heat map has no frames; a timeline has rows of a height, with text; the colours of a difference
 * are those of the change. */
#define TIMED	.shapes = SHAPE_STACKS | SHAPE_CHANGES | SHAPE_TIMELINE
#define FRAMES	.shapes = SHAPE_STACKS | SHAPE_CHANGES
#define COLOURS .shapes = SHAPE_STACKS
#define CHANGES .shapes = SHAPE_CHANGES

/* All text is written so that it means the same in each of these encodings; fonts go into the style
 * sheet, notes into a comment. */
const struct option drawing_options[] = {
	{ "title", 0, OPT_TEXT, D(title), "TEXT", "title of the drawing" },
	{ "subtitle", 0, OPT_TEXT, D(subtitle), "TEXT", "line below the title" },
	{ "width", 0, OPT_NUMBER, D(width_px), "PIXELS", "width", .initial = "1200", .least = 100,
	  .most = 100000, .whole = true, .wanted = "pixels from 100 to 100000" },
	{ "height", 0, OPT_NUMBER, D(frame_px), "PIXELS", "height of a frame", .initial = "16",
	  .least = 3, .most = 1000, .whole = true, .wanted = "pixels from 3 to 1000",
	  .given = D(frame_given), TIMED },
	{ "minwidth", 0, OPT_QUANTITY, D(minwidth), "PIXELS|N%", "leave out narrower frames",
	  .initial = "0.1", .units = 1 << QUANTITY_PERCENT,
	  .wanted = "pixels, or a percentage like 1%", FRAMES },
	{ "fonttype", 0, OPT_TEXT, D(fonttype), "FONT", "font", .initial = "Verdana",
	  .pattern = "^[[:alnum:] ,_'\"-]*$", .wanted = "names of fonts" },
	{ "fontsize", 0, OPT_NUMBER, D(fontsize_px), "SIZE", "font size", .initial = "12",
	  .least = 1, .most = 200, .wanted = "pixels from 1 to 200", TIMED },
	{ "fontwidth", 0, OPT_NUMBER, D(fontwidth), "RATIO",
	  "width of a character to the font size", .initial = "0.59", .least = 0.01, .most = 10,
	  TIMED },
	{ "countname", 0, OPT_TEXT, D(countname), "TEXT",
	  "what is counted (default: samples, or the unit of the weight)", FRAMES },
	{ "nametype", 0, OPT_TEXT, D(nametype), "TEXT", "what names are",
	  .initial = "Function:", FRAMES },
	{ "total", 0, OPT_NUMBER, D(total), "N", "weight of the whole width", FRAMES },
	{ "factor", 0, OPT_NUMBER, D(factor), "F", "multiply the counts shown", .initial = "1",
	  .least = 1e-12, .most = 1e12, FRAMES },
	{ "inverted", 0, OPT_FLAG, D(inverted), NULL, "icicle graph: root on top", FRAMES },
	{ "notes", 0, OPT_TEXT, D(notes), "TEXT", "comment inside the SVG", .pattern = "^[^<>]*$",
	  .wanted = "text without < and >" },
	{ "encoding", 0, OPT_TEXT, D(encoding), "NAME", "XML encoding (default: UTF-8)",
	  .pattern = "^(utf-?8|us-ascii|ascii|iso-8859-[0-9]*|windows-125[0-9]*)$",
	  .wanted = "UTF-8, US-ASCII, ISO-8859-N or windows-125N" },
	{ "colors", 0, OPT_WORD, D(palette), "PALETTE", "colours of the frames", .words = palettes,
	  COLOURS },
	{ "hash", 0, OPT_FLAG, D(hash), NULL, "colour by the name", .one_of = "colour", COLOURS },
	{ "random", 0, OPT_FLAG, D(random), NULL, "colours that follow no name", .one_of = "colour",
	  COLOURS },
	{ "bgcolors", 0, OPT_TEXT, D(ground), "COLOR",
	  "background: yellow, blue, green, grey or #rrggbb", .words = grounds,
	  .pattern = "^(yellow|blue|green|grey|#[0-9a-f]{6})?$",
	  .wanted = "yellow, blue, green, grey or #rrggbb", FRAMES },
	{ "cp", 0, OPT_FILE, D(palette_path), "FILE",
	  "keep the colour of each name in this palette file", .written = true, COLOURS },
	{ "colordiffusion", 0, OPT_FLAG, D(diffusion), NULL,
	  "colour by the width: the wider, the redder", .one_of = "colour", FRAMES },
	{ "uicolor", 0, OPT_TEXT, D(ui_color), "COLOR", "of the buttons: #rrggbb", RGB_VALUE,
	  FRAMES },
	{ "search-color", 0, OPT_TEXT, D(search_color), "COLOR", "of what a search found: #rrggbb",
	  RGB_VALUE, FRAMES },
	{ "highlight", 0, OPT_TEXT, D(highlight), "REGEX",
	  "frames that match stand out, and the legend says their share", FRAMES },
	{ "stroke-color", 0, OPT_TEXT, D(stroke_color), "COLOR", "of the edges of frames: #rrggbb",
	  RGB_VALUE, FRAMES },
	{ "negate", 0, OPT_FLAG, D(negate), NULL, "switch the hues of a differential graph",
	  CHANGES },
	{ "nameattr", 0, OPT_FILE, D(attributes_path), "FILE",
	  "attributes by function name, as flamegraph.pl reads them", FRAMES },
	{ 0 },
};

struct background {
	const char *name, *light[2], *dark[2];
};

/* flamegraph.pl's gradients, and darker ones of the same hue. */
static const struct background backgrounds[] = {
	{ "yellow", { "#eeeeee", "#eeeeb0" }, { "#1e1e1e", "#2a2a1a" } },
	{ "blue", { "#eeeeee", "#e0e0ff" }, { "#1e1e1e", "#1c1c30" } },
	{ "green", { "#eef2ee", "#e0ffe0" }, { "#1c1f1c", "#182818" } },
	{ "grey", { "#f8f8f8", "#e8e8e8" }, { "#1c1c1c", "#282828" } },
};

/* Without a choice of the user it is that of all drawings. */
static void complete_background(struct drawing *d)
{
	const char *name = d->ground && *d->ground ? d->ground : NULL;

	d->background[0] = d->background[1] = d->dark[0] = d->dark[1] = name;
	for (size_t i = 0; name && i < ARRAY_SIZE(backgrounds); i++) {
		if (strcasecmp(backgrounds[i].name, name))
			continue;
		memcpy(d->background, backgrounds[i].light, sizeof(d->background));
		memcpy(d->dark, backgrounds[i].dark, sizeof(d->dark));
	}
}

void drawing_complete(struct drawing *d, enum palette usual)
{
	complete_background(d);
	d->chosen = d->palette != PALETTE_USUAL || usual != PALETTE_USUAL || d->hash || d->random ||
		    d->palette_path;
	if (d->palette == PALETTE_USUAL) {
		d->palette = usual ?: PALETTE_HOT;
		d->by_kind = (d->palette == PALETTE_HOT || d->palette == PALETTE_IO) && !d->hash &&
			     !d->random && !d->palette_path;
	}
	if (d->title && !*d->title)
		d->title = NULL;
	if (d->subtitle && !*d->subtitle)
		d->subtitle = NULL;
	if (d->encoding && (!strcasecmp(d->encoding, "utf-8") || !strcasecmp(d->encoding, "utf8")))
		d->encoding = NULL;
}
