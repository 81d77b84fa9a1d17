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

void histogram_add(struct histogram *h, struct answer *a, const char *lane,
		   const uint64_t counts[OCTAVES])
{
	unsigned first = OCTAVES, last = 0;
	uint64_t most = 0, all = 0;

	for (unsigned i = 0; i < OCTAVES; i++) {
		first = counts[i] && i < first ? i : first;
		last = counts[i] ? i : last;
		most = counts[i] > most ? counts[i] : most;
		all += counts[i];
	}
	for (unsigned i = first; i <= last && i < OCTAVES; i++) {
		if (lane)
			answer_cell_text(a, lane);
		answer_cell_count(a, octave_start(i));
		answer_cell_count(a, octave_start(i + 1));
		answer_cell_count(a, counts[i]);
		answer_cell_real(a, 100.0 * (double)counts[i] / (double)all);
		add_row(h, bar(a, counts[i], most));
	}
}

void histogram_show(struct histogram *h, struct table_part *t)
{
	h->listing = (struct table_listing){ .heat = h->heat, .gutters = h->bars };
	t->listing = &h->listing;
}
