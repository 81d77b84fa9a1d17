/* Bars as wide as BAR_WIDTH for the most. */
#include "analyzers/heat/histogram.h"
#include "analyzers/heat/heat.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define BAR_WIDTH 40

void histogram_release(struct histogram *h)
{
	free(h->bars);
	free(h->heat);
}

/* "|@@@@@     | " */
static const char *bar(struct answer *a, uint64_t part, uint64_t most)
{
	char *text = arena_alloc(&a->arena, BAR_WIDTH + 4);
	size_t n = (size_t)((double)part * BAR_WIDTH / (double)most);

	memset(text, ' ', BAR_WIDTH + 3);
	memset(text + 1, '@', n ? n : part > 0);
	text[0] = text[BAR_WIDTH + 1] = '|';
	text[BAR_WIDTH + 3] = '\0';
	return text;
}

static void add_row(struct histogram *h, const char *text)
{
	h->bars = xgrow(h->bars, &h->bar_cap, h->rows + 1, sizeof(*h->bars));
	h->heat = xgrow(h->heat, &h->heat_cap, h->rows + 1, sizeof(*h->heat));
	h->heat[h->rows] = HEAT_NONE;
	h->bars[h->rows++] = text;
}

/* The powers of two that have rows, and what is in them. */
struct filled {
	unsigned first, end;
	uint64_t most, all;
};

static struct filled filled_of(const uint64_t counts[OCTAVES])
{
	struct filled f = { .first = OCTAVES };

	for (unsigned i = 0; i < OCTAVES; i++) {
		if (!counts[i])
			continue;
		f.first = i < f.first ? i : f.first;
		f.end = i + 1;
		f.most = counts[i] > f.most ? counts[i] : f.most;
		f.all += counts[i];
	}
	return f;
}

static void row_cells(struct answer *a, unsigned octave, uint64_t count)
{
	answer_cell_count(a, octave_start(octave));
	answer_cell_count(a, octave_start(octave + 1));
	answer_cell_count(a, count);
}

void histogram_add(struct histogram *h, struct answer *a, const char *lane,
		   const uint64_t counts[OCTAVES])
{
	struct filled f = filled_of(counts);

	for (unsigned i = f.first; i < f.end; i++) {
		if (lane)
			answer_cell_text(a, lane);
		row_cells(a, i, counts[i]);
		answer_cell_real(a, 100.0 * (double)counts[i] / (double)f.all);
		add_row(h, bar(a, counts[i], f.most));
	}
}

void histogram_add_parts(struct answer *a, const uint64_t *parts, size_t part_count)
{
	uint64_t counts[OCTAVES] = { 0 };
	struct filled f;

	for (size_t i = 0; i < OCTAVES * part_count; i++)
		counts[i / part_count] += parts[i];
	f = filled_of(counts);
	for (unsigned i = f.first; i < f.end; i++) {
		row_cells(a, i, counts[i]);
		for (size_t k = 0; k < part_count; k++)
			answer_cell_count(a, parts[i * part_count + k]);
	}
}

void histogram_show(struct histogram *h, struct table_part *t)
{
	h->listing = (struct table_listing){ .heat = h->heat, .gutters = h->bars };
	t->listing = &h->listing;
}

void histogram_bars(struct table_part *t, size_t count_column)
{
	t->bar_column = count_column;
	t->labels = (1u << count_column) - 1;
}
