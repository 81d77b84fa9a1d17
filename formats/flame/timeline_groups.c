/* Few colours for very many names: those of the groups, commands for instance, that take most of
 * the time, and one grey for all others. So a lane with thousands of switches shows what ran. */
#include "formats/flame/timeline.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_SHARE 0.005 /* of the time of all, for a colour */
#define RGB_REST    0xa9a9b2

/* Told apart by those, too, who see two of three colours; light enough for black text, dark enough
 * for a light ground. */
static const rgb colors[TIMELINE_GROUPS] = {
	0x5b9bd5, 0xf0a048, 0x62b76a, 0xd98cc5, 0xd8bd3a, 0x9a85d6, 0x49bfc4, 0xe27a6c,
};

/* One name, and while groups are made one of them: sorted by group, then by time. */
struct member {
	const char *group;
	uint32_t name;
	double ns;
};

static int by_group(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	return strcmp(x->group, y->group) ?: compare_u64(x->name, y->name);
}

static int by_time(const void *a, const void *b)
{
	const struct timeline_group *x = a, *y = b;

	if (!*x->name != !*y->name)
		return !*x->name - !*y->name;
	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return strcmp(x->name, y->name);
}

/* The names that occur, with their time; the caller's. */
static struct member *find_members(const struct timeline_part *p, size_t *count)
{
	size_t n = timeline_names(p);
	struct member *list = xcalloc(n + 1, sizeof(*list));

	for (size_t l = 0; l < p->lane_count; l++) {
		for (size_t i = 0; i < p->lanes[l].count; i++) {
			const struct span *s = &p->lanes[l].spans[i];

			list[s->name].group = p->groups[s->name] ?: "";
			list[s->name].ns += (double)(s->end_ns - s->start_ns);
		}
	}
	*count = 0;
	for (uint32_t i = 0; i < n; i++) {
		list[i].name = i;
		if (list[i].group)
			list[(*count)++] = list[i];
	}
	qsort(list, *count, sizeof(*list), by_group);
	return list;
}

static struct timeline_group *find_groups(const struct member *list, size_t n, size_t *count)
{
	struct timeline_group *groups = xcalloc(n + 1, sizeof(*groups));

	*count = 0;
	for (size_t i = 0; i < n; i++) {
		if (!i || strcmp(list[i].group, list[i - 1].group) != 0)
			groups[(*count)++].name = list[i].group;
		groups[*count - 1].ns += list[i].ns;
	}
	qsort(groups, *count, sizeof(*groups), by_time);
	return groups;
}

/* A name has the same colour in most drawings: that of its hash, or the next one that is free. */
static rgb choose_color(const char *name, bool taken[TIMELINE_GROUPS])
{
	size_t i = timeline_hash(name) % TIMELINE_GROUPS;

	while (taken[i])
		i = (i + 1) % TIMELINE_GROUPS;
	taken[i] = true;
	return colors[i];
}

static size_t choose_groups(const struct timeline_group *groups, size_t n,
			    struct timeline_group to[TIMELINE_GROUPS + 1])
{
	bool taken[TIMELINE_GROUPS] = { false };
	size_t count = 0;
	double all = 0;

	for (size_t i = 0; i < n; i++)
		all += groups[i].ns;
	for (; count < n && count < TIMELINE_GROUPS; count++) {
		if (!*groups[count].name || (count && groups[count].ns < LEAST_SHARE * all))
			break;
		to[count] = groups[count];
		to[count].color = choose_color(to[count].name, taken);
	}
	if (count == n)
		return n;
	to[count] = (struct timeline_group){ .name = "", .color = RGB_REST };
	for (size_t i = count; i < n; i++) {
		to[count].ns += groups[i].ns;
		to[count].names += *groups[i].name != 0;
	}
	return count + 1;
}

size_t timeline_groups(struct timeline *t, struct timeline_group to[TIMELINE_GROUPS + 1])
{
	size_t names, n, count;
	struct member *list = find_members(t->part, &names);
	struct timeline_group *groups = find_groups(list, names, &n);

	count = choose_groups(groups, n, to);
	for (size_t i = 0; i < names; i++) {
		size_t rank = 0;

		while (rank + 1 < count && strcmp(list[i].group, to[rank].name) != 0)
			rank++;
		t->colors[list[i].name] = to[rank].color;
		t->ranks[list[i].name] = (uint8_t)rank;
	}
	free(groups);
	free(list);
	return count;
}
