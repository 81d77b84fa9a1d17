/* Adds one wait, or a whole row, to a row of figures; compares rows by the keys of the user,
 * in their order. Rows that are equal in all of them are left for the caller to order. */
#include "analyzers/count/wait_figures.h"
#include "parser/base/compare.h"
#include "parser/base/held.h"

void wait_figures_add(struct wait_figures *f, uint64_t start_ns, uint64_t ns)
{
	f->total_ns += ns;
	f->count++;
	if (ns <= f->max_ns)
		return;
	f->max_ns = ns;
	f->max_start_ns = start_ns;
	f->max_end_ns = start_ns + ns;
}

void wait_figures_merge(struct wait_figures *to, const struct wait_figures *from)
{
	(void)add_held(&to->runtime_ns, from->runtime_ns);
	to->count += from->count;
	to->total_ns += from->total_ns;
	if (to->max_ns >= from->max_ns)
		return;
	to->max_ns = from->max_ns;
	to->max_start_ns = from->max_start_ns;
	to->max_end_ns = from->max_end_ns;
}

const char *const wait_keys[] = { "avg", "max", "switch", "runtime", NULL };

/* KEY: its place in wait_keys. */
static uint64_t figure(const struct wait_figures *f, unsigned key)
{
	return (uint64_t[]){ wait_average(f), f->max_ns, f->count, f->runtime_ns }[key];
}

int wait_order_compare(const struct word_list *order, const struct wait_figures *a,
		       const struct wait_figures *b)
{
	for (size_t i = 0; i < order->count; i++) {
		int rc = compare_u64(figure(b, order->list[i]), figure(a, order->list[i]));

		if (rc)
			return rc;
	}
	return 0;
}
