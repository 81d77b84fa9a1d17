/* One value for each event. Where the time since the event before is asked for, it keeps that
 * time by key, for a bounded number of keys. */
#include "analyzers/heat/single.h"
#include "analyzers/count/namer.h"
#include "parser/base/compare.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define SECOND_NS  1000000000ull
#define ROWS_USUAL 50
#define KEYS_MAX   (1u << 22)

const char *const heat_values[] = { [VALUE_FIELD] = "",	       [VALUE_PERIOD] = "period",
				    [VALUE_DELTA] = "delta",   [VALUE_SUBSECOND] = "subsecond",
				    [VALUE_SYMBOL] = "symbol", NULL };

int single_begin(struct single *n, const char *pattern, const struct word_or_text *value,
		 const struct name_list *key, struct warnings *w)
{
	n->picked.pattern = pattern;
	n->value = value->text ? value->word : VALUE_SUBSECOND;
	if (n->value == VALUE_FIELD)
		n->picked.names[n->picked.name_count++] = value->text;
	if (key->count && n->value != VALUE_DELTA) {
		warn_add(w, SEV_FATAL, "key", "--key: only of pairs, and of --value delta");
		return ERR_USAGE;
	}
	picked_fields(&n->picked, key);
	return 0;
}

void single_release(struct single *n)
{
	picked_release(&n->picked);
	idmap_release(&n->last);
	free(n->last_ns);
	intern_release(&n->symbols);
	arena_release(&n->names);
}

/* Time since the event before it with the same key. False for the first one. */
static bool delta(struct single *n, const struct picked_binding *b, const struct pdt_event *e,
		  uint64_t *out)
{
	uint64_t hash[2] = { HASH_K0, HASH_K1 };
	uint32_t *at;

	for (size_t i = 0; i < n->picked.name_count; i++) {
		if (!picked_hash(&b->fields[i], e, hash)) {
			n->unreadable++;
			return false;
		}
	}
	if (n->last_count >= KEYS_MAX && idmap_get(&n->last, hash[0]) == IDMAP_NONE) {
		n->left_out++;
		return false;
	}
	at = idmap_put(&n->last, hash[0]);
	if (*at == IDMAP_NONE) {
		*at = (uint32_t)n->last_count;
		n->last_ns =
			xgrow(n->last_ns, &n->last_cap, n->last_count + 1, sizeof(*n->last_ns));
		n->last_ns[n->last_count++] = e->time_ns;
		return false;
	}
	*out = e->time_ns - n->last_ns[*at];
	n->last_ns[*at] = e->time_ns;
	return true;
}

bool single_value(struct single *n, const struct picked_binding *b, const struct pdt_event *e,
		  uint64_t *out)
{
	bool negative;

	*out = 0;
	switch (n->value) {
	case VALUE_PERIOD:
		*out = e->weight;
		return true;
	case VALUE_DELTA:
		return delta(n, b, e, out);
	case VALUE_SUBSECOND:
		*out = e->time_ns % SECOND_NS;
		return true;
	case VALUE_SYMBOL:
		return true; /* see single_labels() */
	default:
		if (!picked_number(&b->fields[0], e, out, &negative)) {
			n->unreadable++;
			return false;
		}
		n->negative += negative;
		return !negative;
	}
}

/* ---- functions ---- */

struct label {
	uint32_t id;
	uint64_t count;
};

static int most_first(const void *pa, const void *pb)
{
	const struct label *a = pa, *b = pb;

	return compare_u64(b->count, a->count) ?: compare_u64(a->id, b->id);
}

static void name_points(struct single *n, struct heat *h, const struct pdt_session *s)
{
	struct buf name = { 0 };

	for (size_t i = 0; i < h->count; i++) {
		name.len = 0;
		where_text(where_of(s, heat_more_at(h, i).stack), &name);
		h->points[i].value = intern_add(&n->symbols, name.data, name.len);
	}
	buf_release(&name);
}

static struct label *sorted_labels(const struct single *n, const struct heat *h)
{
	struct label *labels = xcalloc(n->symbols.count + 1, sizeof(*labels));

	for (size_t i = 0; i < n->symbols.count; i++)
		labels[i].id = (uint32_t)i;
	for (size_t i = 0; i < h->count; i++)
		labels[h->points[i].value].count++;
	qsort(labels, n->symbols.count, sizeof(*labels), most_first);
	return labels;
}

const char *const *single_labels(struct single *n, struct heat *h, uint64_t rows,
				 const struct pdt_session *s)
{
	struct label *labels;
	const char **names;
	uint32_t *row;
	size_t count;

	name_points(n, h, s);
	count = n->symbols.count;
	rows = rows ? rows : ROWS_USUAL;
	rows = rows < count ? rows : count;
	labels = sorted_labels(n, h);
	row = xcalloc(count + 1, sizeof(*row));
	names = arena_alloc(&n->names, (size_t)(rows + 1) * sizeof(*names));
	for (size_t i = 0; i < count; i++)
		row[labels[i].id] = (uint32_t)(i < rows ? i : rows - 1);
	for (size_t i = 0; i < rows; i++)
		names[i] = intern_str(&n->symbols, labels[i].id);
	if (rows && rows < count)
		names[rows - 1] = "other";
	names[rows] = NULL;
	for (size_t i = 0; i < h->count; i++)
		h->points[i].value = row[h->points[i].value];
	free(labels);
	free(row);
	return names;
}
