#include "analyzers/sched/wait_figures.h"
#include "parser/base/mem.h"

#include <string.h>

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
	to->runtime_ns += from->runtime_ns;
	to->count += from->count;
	to->total_ns += from->total_ns;
	if (to->max_ns >= from->max_ns)
		return;
	to->max_ns = from->max_ns;
	to->max_start_ns = from->max_start_ns;
	to->max_end_ns = from->max_end_ns;
}

static uint64_t key_runtime(const struct wait_figures *f)
{
	return f->runtime_ns;
}

static uint64_t key_count(const struct wait_figures *f)
{
	return f->count;
}

static uint64_t key_max(const struct wait_figures *f)
{
	return f->max_ns;
}

static const struct {
	const char *name;
	uint64_t (*key)(const struct wait_figures *f);
} keys[] = { { "avg", wait_average },
	     { "max", key_max },
	     { "switch", key_count },
	     { "runtime", key_runtime } };

int wait_order_parse(struct wait_order *o, const char *text)
{
	if (!text)
		text = "avg,max,switch,runtime";
	o->count = 0;
	while (*text) {
		size_t len = strcspn(text, ","), i = 0;

		while (i < ARRAY_SIZE(keys) &&
		       (strlen(keys[i].name) != len || strncmp(keys[i].name, text, len) != 0))
			i++;
		if (i == ARRAY_SIZE(keys) || o->count == WAIT_KEY_MAX)
			return ERR_USAGE;
		o->keys[o->count++] = keys[i].key;
		text += len + (text[len] == ',');
	}
	return 0;
}

int wait_order_compare(const struct wait_order *o, const struct wait_figures *a,
		       const struct wait_figures *b)
{
	for (size_t i = 0; i < o->count; i++) {
		uint64_t x = o->keys[i](a), y = o->keys[i](b);

		if (x != y)
			return x < y ? 1 : -1;
	}
	return 0;
}
