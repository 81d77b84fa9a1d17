/* Children lie side by side in one array, sorted by the rank of their names; a walk from the roots
 * gives the new numbers. Without recursion: depth is the file's. */
#include "analyzers/page/tree.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

void page_tree_release(struct page_tree *t)
{
	idmap_release(&t->known);
	free(t->parents);
	free(t->names);
	free(t->nodes);
	free(t->now);
	*t = (struct page_tree){ 0 };
}

uint32_t page_tree_node(struct page_tree *t, uint32_t parent, uint32_t name)
{
	uint32_t *id = idmap_put(&t->known, (uint64_t)parent << 32 | name);

	if (*id != IDMAP_NONE)
		return *id;
	*id = (uint32_t)t->count;
	t->parents = xgrow(t->parents, &t->parent_cap, t->count + 1, sizeof(*t->parents));
	t->names = xgrow(t->names, &t->name_cap, t->count + 1, sizeof(*t->names));
	t->parents[t->count] = parent;
	t->names[t->count] = name;
	return (uint32_t)t->count++;
}

/* In folded text a ';' follows the name of whoever has callees. */
static int compare_names(const void *pa, const void *pb, void *names)
{
	const unsigned char *a = ((const unsigned char *const *)names)[*(const uint32_t *)pa];
	const unsigned char *b = ((const unsigned char *const *)names)[*(const uint32_t *)pb];

	while (*a && *a == *b) {
		a++;
		b++;
	}
	return (*a ?: ';') - (*b ?: ';');
}

static uint32_t *rank_names(const char *const *names, size_t count)
{
	uint32_t *order = xmalloc((count + 1) * sizeof(*order));
	uint32_t *rank = xmalloc((count + 1) * sizeof(*rank));

	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	qsort_r(order, count, sizeof(*order), compare_names, (void *)names);
	for (uint32_t i = 0; i < count; i++)
		rank[order[i]] = i;
	free(order);
	return rank;
}

struct child {
	uint32_t rank, node;
};

static int compare_children(const void *a, const void *b)
{
	const struct child *x = a, *y = b;

	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* The children of node N - 1 are children[first[N]] up to those of the next one; N 0: the roots. */
struct families {
	uint32_t *first;
	struct child *children;
};

static struct families families_of(const struct page_tree *t, const uint32_t *rank)
{
	struct families f = { xcalloc(t->count + 3, sizeof(*f.first)),
			      xmalloc((t->count + 1) * sizeof(*f.children)) };

	for (size_t i = 0; i < t->count; i++)
		f.first[t->parents[i] + 1 + 2]++;
	for (size_t i = 2; i < t->count + 3; i++)
		f.first[i] += f.first[i - 1];
	for (uint32_t i = 0; i < t->count; i++)
		f.children[f.first[t->parents[i] + 1 + 1]++] =
			(struct child){ rank[t->names[i]], i };
	for (size_t i = 0; i <= t->count; i++)
		qsort(f.children + f.first[i], f.first[i + 1] - f.first[i], sizeof(*f.children),
		      compare_children);
	return f;
}

void page_tree_order(struct page_tree *t, const char *const *names, size_t name_count)
{
	uint32_t *rank = rank_names(names, name_count);
	struct families f = families_of(t, rank);
	/* where the walk is: at each depth the next child, and the last one's end */
	uint32_t *at = xmalloc((t->count + 2) * sizeof(*at)), count = 0, depth = 0;
	uint32_t *end = xmalloc((t->count + 2) * sizeof(*end));

	t->nodes = xmalloc((t->count + 1) * sizeof(*t->nodes));
	t->now = xmalloc((t->count + 1) * sizeof(*t->now));
	at[0] = f.first[0];
	end[0] = f.first[1];
	for (;;) {
		uint32_t node;

		if (at[depth] == end[depth]) {
			if (!depth--)
				break;
			continue;
		}
		node = f.children[at[depth]++].node;
		t->nodes[count] = (struct page_node){ t->names[node], depth };
		t->now[node] = count++;
		depth++;
		at[depth] = f.first[node + 1];
		end[depth] = f.first[node + 2];
	}
	free(at);
	free(end);
	free(rank);
	free(f.first);
	free(f.children);
	idmap_release(&t->known);
}
