/* Checks each of the drawing's options once and turns it into numbers. Afterwards nothing
 * about the style can be wrong. */
#include "formats/flame/flame_style.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is wrong with option NAME. */
static int refuse(struct warnings *w, const char *name, const char *value, const char *expected)
{
	if (w)
		warn_add(w, SEV_FATAL, "usage", "--%s %s: expected %s", name, value, expected);
	return ERR_USAGE;
}

/* A plain decimal number, as flamegraph.pl takes it: no sign, no hexadecimal, no "inf". */
static bool number(const char *text, double *out)
{
	size_t n = strspn(text, "0123456789");
	char *end;

	if (text[n] == '.')
		n += 1 + strspn(text + n + 1, "0123456789");
	if (n && (text[n] == 'e' || text[n] == 'E') && isdigit((unsigned char)text[0]))
		n += 1 + strspn(text + n + 1, "+-0123456789");
	if (!n || text[n] || !strpbrk(text, "0123456789"))
		return false;
	*out = strtod(text, &end);
	return end == text + n && isfinite(*out);
}

struct numeric {
	const char *name, *value;
	double *out, least, most;
	const char *expected;
};

static int parse_numbers(struct drawing *d, const struct flame_style *s, struct warnings *w)
{
	const struct numeric list[] = {
		{ "width", s->width, &d->width_px, 100, 100000, "pixels from 100 to 100000" },
		{ "height", s->height, &d->frame_px, 3, 1000, "pixels from 3 to 1000" },
		{ "fontsize", s->fontsize, &d->fontsize_px, 1, 200, "pixels from 1 to 200" },
		{ "fontwidth", s->fontwidth, &d->fontwidth, 0.01, 10, "a number from 0.01 to 10" },
		{ "total", s->total, &d->total, 0, 1e300, "a number" },
		{ "factor", s->factor, &d->factor, 1e-12, 1e12, "a number from 1e-12 to 1e12" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(list); i++) {
		const struct numeric *n = &list[i];

		if (n->value &&
		    (!number(n->value, n->out) || *n->out < n->least || *n->out > n->most))
			return refuse(w, n->name, n->value, n->expected);
	}
	if (d->width_px != floor(d->width_px) || d->frame_px != floor(d->frame_px))
		return refuse(w, d->width_px != floor(d->width_px) ? "width" : "height",
			      d->width_px != floor(d->width_px) ? s->width : s->height,
			      "a whole number of pixels");
	return 0;
}

static int parse_minwidth(struct drawing *d, const char *text, struct warnings *w)
{
	char digits[32];
	size_t n;

	if (!text)
		return 0;
	n = strlen(text);
	d->minwidth_is_percent = n && text[n - 1] == '%';
	n -= d->minwidth_is_percent;
	if (n >= sizeof(digits))
		return refuse(w, "minwidth", text, "pixels, or a percentage like 1%");
	memcpy(digits, text, n);
	digits[n] = '\0';
	if (!number(digits, &d->minwidth))
		return refuse(w, "minwidth", text, "pixels, or a percentage like 1%");
	return 0;
}

static const char *const palette_names[] = {
	[PALETTE_HOT] = "hot",	     [PALETTE_MEM] = "mem",	  [PALETTE_IO] = "io",
	[PALETTE_WAKEUP] = "wakeup", [PALETTE_CHAIN] = "chain",	  [PALETTE_JAVA] = "java",
	[PALETTE_JS] = "js",	     [PALETTE_PERL] = "perl",	  [PALETTE_RUST] = "rust",
	[PALETTE_PYTHON] = "python", [PALETTE_RED] = "red",	  [PALETTE_GREEN] = "green",
	[PALETTE_BLUE] = "blue",     [PALETTE_AQUA] = "aqua",	  [PALETTE_YELLOW] = "yellow",
	[PALETTE_PURPLE] = "purple", [PALETTE_ORANGE] = "orange",
};

static int parse_palette(struct drawing *d, const char *text, struct warnings *w)
{
	if (!text)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(palette_names); i++) {
		if (!strcmp(palette_names[i], text)) {
			d->palette = (enum palette)i;
			return 0;
		}
	}
	return refuse(w, "colors", text,
		      "hot, mem, io, wakeup, chain, java, js, perl, rust, python, red, green, "
		      "blue, aqua, yellow, purple or orange");
}

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

/* The background that suits a palette. */
static const char *background_of(enum palette p)
{
	if (p == PALETTE_MEM)
		return "green";
	if (p == PALETTE_IO || p == PALETTE_WAKEUP || p == PALETTE_CHAIN)
		return "blue";
	return p >= PALETTE_RED ? "grey" : "yellow";
}

static int parse_background(struct drawing *d, const char *text, struct warnings *w)
{
	const char *name = text && *text ? text : background_of(d->palette);

	for (size_t i = 0; i < ARRAY_SIZE(backgrounds); i++) {
		if (strcmp(backgrounds[i].name, name))
			continue;
		memcpy(d->background, backgrounds[i].light, sizeof(d->background));
		memcpy(d->dark, backgrounds[i].dark, sizeof(d->dark));
		return 0;
	}
	if (name[0] != '#' || strlen(name) != 7 || strspn(name + 1, "0123456789abcdefABCDEF") != 6)
		return refuse(w, "bgcolors", name, "yellow, blue, green, grey or #rrggbb");
	d->background[0] = d->background[1] = d->dark[0] = d->dark[1] = name;
	return 0;
}

/* All text is written so that it means the same in each of these. */
static int parse_encoding(struct drawing *d, const char *text, struct warnings *w)
{
	static const char *const supersets[] = { "us-ascii", "ascii", "iso-8859-", "windows-125" };
	bool known;

	if (!text)
		return 0;
	d->encoding = text;
	known = !strcasecmp(text, "utf-8") || !strcasecmp(text, "utf8");
	d->encoding = known ? "UTF-8" : text;
	d->ascii = !known;
	for (size_t i = 0; i < ARRAY_SIZE(supersets); i++) {
		size_t n = strlen(supersets[i]);

		known |= !strncasecmp(text, supersets[i], n) &&
			 strspn(text + n, "0123456789") == strlen(text + n);
	}
	return known ? 0
		     : refuse(w, "encoding", text, "UTF-8, US-ASCII, ISO-8859-N or windows-125N");
}

static int parse_texts(struct drawing *d, const struct flame_style *s, struct warnings *w)
{
	d->title = s->title && *s->title ? s->title : NULL;
	d->subtitle = s->subtitle && *s->subtitle ? s->subtitle : NULL;
	d->notes = s->notes;
	d->countname = s->countname;
	if (s->nametype)
		d->nametype = s->nametype;
	if (s->fonttype)
		d->fonttype = s->fonttype;
	for (const char *p = d->fonttype; *p; p++) {
		/* it goes into the style sheet */
		if (!isalnum((unsigned char)*p) && !strchr(" ,-_'\"", *p))
			return refuse(w, "fonttype", s->fonttype, "names of fonts");
	}
	if (s->notes && strpbrk(s->notes, "<>"))
		return refuse(w, "notes", s->notes, "text without < and >");
	if (s->hash && s->random)
		return refuse(w, "hash", "--random", "one of the two");
	return 0;
}

int flame_style_parse(struct drawing *d, const struct flame_style *s, struct warnings *w)
{
	*d = (struct drawing){ .fonttype = "Verdana",
			       .nametype = "Function:",
			       .palette_path = s->cp,
			       .attributes_path = s->nameattr,
			       .width_px = 1200,
			       .frame_px = 16,
			       .minwidth = 0.1,
			       .fontsize_px = 12,
			       .fontwidth = 0.59,
			       .factor = 1,
			       .palette = PALETTE_HOT,
			       .hash = s->hash,
			       .random = s->random,
			       .inverted = s->inverted,
			       .negate = s->negate };
	if (parse_numbers(d, s, w) < 0 || parse_minwidth(d, s->minwidth, w) < 0 ||
	    parse_palette(d, s->colors, w) < 0 || parse_background(d, s->bgcolors, w) < 0 ||
	    parse_encoding(d, s->encoding, w) < 0)
		return ERR_USAGE;
	return parse_texts(d, s, w);
}
