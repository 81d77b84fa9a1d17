/* Which groups a text belongs to. */
#include "analyzers/profile/groups.h"

const char *const group_words[] = { "symbol", "stack", "dso", NULL };

uint64_t groups_match(const struct pattern_list *g, enum group_part part, const char *text)
{
	uint64_t found = 0;

	for (size_t i = 0; i < g->count; i++) {
		const struct pattern *p = &g->list[i];

		if ((!p->kind || p->kind == part) && !regexec(&p->regex, text, 0, NULL, 0))
			found |= 1ull << i;
	}
	return found;
}
