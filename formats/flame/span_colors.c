/* Colours for spans: fixed ones for the states of a task, others from the name. The same name
 * has the same colour in every lane. */
#include "formats/flame/span_colors.h"
#include "formats/model/result.h"
#include "parser/base/mem.h"

#include <math.h>

/* All of them are light enough for black text, and dark enough to be seen on a light ground. */
static const struct {
	rgb color;
	const char *legend;
} kinds[] = {
	[SPAN_RUNNING] = { 0x4caf50, "running" },
	[SPAN_RUNNABLE] = { 0xff7043, "waits for a CPU" },
	[SPAN_SLEEP] = { 0xb3c6d6, "blocked S" },
	[SPAN_DISK] = { 0xba80d0, "blocked D" },
	[SPAN_BLOCKED] = { 0x7fa3c0, "blocked otherwise" },
	[SPAN_UNKNOWN] = { 0xa0a0a0, "unknown" },
	[SPAN_OTHERS] = { 0x9e9e9e, NULL },
};

/* FNV-1a: the same on every host. */
static uint32_t hash(const char *s)
{
	uint32_t h = 2166136261u;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	return h ^ h >> 15;
}

/* Hue in degrees, of light and muted colours. */
static rgb from_hue(unsigned hue, double lightness)
{
	static const unsigned offsets[] = { 0, 8, 4 }; /* red, green, blue */
	double range = fmin(lightness, 1 - lightness) * 0.6;
	rgb out = 0;

	for (unsigned i = 0; i < ARRAY_SIZE(offsets); i++) {
		double k = fmod(offsets[i] + hue / 30.0, 12);
		double v = lightness - range * fmax(-1, fmin(fmin(k - 3, 9 - k), 1));

		out = out << 8 | (rgb)lround(255 * v);
	}
	return out;
}

rgb span_color(unsigned kind, const char *name)
{
	uint32_t h;

	if (kind != SPAN_TASK)
		return kind < ARRAY_SIZE(kinds) ? kinds[kind].color : 0;
	h = hash(name);
	return from_hue(h % 360, 0.6 + h / 360 % 4 * 0.05);
}

const char *span_legend(unsigned kind)
{
	return kind < ARRAY_SIZE(kinds) ? kinds[kind].legend : NULL;
}
