/* What the spans of a timeline are: their kinds, their colours, how long each name was there. */
#include "formats/flame/timeline.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"

#include <math.h>
#include <stdlib.h>

#define HUES_APART 12 /* names that get hues which can be told apart */
#define HUE_APART  14

/* All of them are light enough for black text, and dark enough to be seen on a light ground. */
static const struct {
	rgb color;
	const char *legend;
} states[] = {
	[SPAN_RUNNING] = { 0x4caf50, "running" },
	[SPAN_RUNNABLE] = { 0xff7043, "waits for a CPU" },
	[SPAN_SLEEP] = { 0xb3c6d6, "blocked S" },
	[SPAN_DISK] = { 0xba80d0, "blocked D" },
	[SPAN_BLOCKED] = { 0x7fa3c0, "blocked otherwise" },
	[SPAN_UNKNOWN] = { 0xa0a0a0, "unknown" },
	[SPAN_OTHERS] = { 0x9e9e9e, "others" },
};

const char *timeline_legend(enum span_kind kind)
{
	return states[kind].legend;
}

rgb timeline_color(enum span_kind kind)
{
	return states[kind].color;
}

unsigned timeline_kind(const struct timeline_part *p, uint32_t name)
{
	return p->kinds ? p->kinds[name] : SPAN_FRAME;
}

/* ---- colours ---- */

/* FNV-1a. */
uint32_t timeline_hash(const char *s)
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

size_t timeline_names(const struct timeline_part *p)
{
	size_t n = 0;

	for (size_t l = 0; l < p->lane_count; l++) {
		for (size_t i = 0; i < p->lanes[l].count; i++)
			n = p->lanes[l].spans[i].name >= n ? p->lanes[l].spans[i].name + 1 : n;
	}
	return n;
}

#define NONE (-INFINITY) /* of timeline_own(): it does not occur */

static void add_own(double *own, const struct lane *lane)
{
	uint32_t *open = xcalloc(lane->depth + 1, sizeof(*open));

	for (size_t i = 0; i < lane->count; i++) {
		const struct span *s = &lane->spans[i];
		double ns = (double)(s->end_ns - s->start_ns);

		if (s->depth >= lane->depth)
			continue;
		own[s->name] = (own[s->name] == NONE ? 0 : own[s->name]) + ns;
		open[s->depth] = s->name;
		if (s->depth && own[open[s->depth - 1]] != NONE)
			own[open[s->depth - 1]] -= ns;
	}
	free(open);
}

static int by_own(const void *a, const void *b, void *ctx)
{
	const double *own = ctx;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;

	return own[i] == own[k] ? compare_u64(i, k) : own[i] < own[k] ? 1 : -1;
}

double *timeline_own(const struct timeline_part *p)
{
	size_t names = timeline_names(p);
	double *own = xcalloc(names + 1, sizeof(*own));

	for (size_t i = 0; i < names; i++)
		own[i] = NONE;
	for (size_t i = 0; i < p->lane_count; i++)
		add_own(own, &p->lanes[i]);
	return own;
}

uint32_t *timeline_order(const struct timeline_part *p, size_t *count)
{
	size_t names = timeline_names(p);
	uint32_t *order = xcalloc(names + 1, sizeof(*order));
	double *own = timeline_own(p);

	*count = 0;
	for (uint32_t i = 0; i < names; i++) {
		if (own[i] != NONE)
			order[(*count)++] = i;
	}
	qsort_r(order, *count, sizeof(*order), by_own, own);
	free(own);
	return order;
}

/* By its name, but not close to one of the COUNT hues in TAKEN. */
static unsigned hue_of(const char *name, const unsigned *taken, unsigned count)
{
	unsigned hue = timeline_hash(name) % 360, tries = count < 360 / (2 * HUE_APART) ? 360 : 0;

	while (tries--) {
		bool close = false;

		for (unsigned i = 0; i < count && !close; i++) {
			unsigned apart = (hue + 360 - taken[i]) % 360;

			close = apart < HUE_APART || apart > 360 - HUE_APART;
		}
		if (!close)
			break;
		hue = (hue + 1) % 360;
	}
	return hue;
}

/* What has hues: the names that the legend has get some that can be told apart. */
void timeline_hues(struct timeline *t, const uint32_t *order, size_t n)
{
	unsigned taken[HUES_APART], count = 0;

	for (size_t i = 0; i < n; i++) {
		const char *name = t->part->names[order[i]];
		unsigned kind = timeline_kind(t->part, order[i]), hue;

		if (kind > SPAN_TASK) {
			t->colors[order[i]] = states[kind].color;
			continue;
		}
		hue = hue_of(name, taken, count < HUES_APART ? count : 0);
		if (count < HUES_APART)
			taken[count++] = hue;
		t->colors[order[i]] = from_hue(hue, 0.6 + timeline_hash(name) / 360 % 4 * 0.05);
	}
}

double timeline_row_px(const struct timeline *t, size_t lane, unsigned depth)
{
	unsigned rows = t->part->lanes[lane].depth;

	return t->lane_px[lane] + t->head_px + (t->upwards ? rows - 1 - depth : depth) * t->row_px;
}
