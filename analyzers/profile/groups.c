#include "analyzers/profile/groups.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Take "stack:" and the like off the front of *REGEX. */
static unsigned parts_of(const char **regex)
{
	static const struct {
		const char *prefix;
		unsigned parts;
	} list[] = {
		{ "symbol:", GROUP_SYMBOL },
		{ "stack:", GROUP_STACK },
		{ "dso:", GROUP_DSO },
	};

	for (size_t i = 0; i < ARRAY_SIZE(list); i++) {
		size_t n = strlen(list[i].prefix);

		if (!strncmp(*regex, list[i].prefix, n)) {
			*regex += n;
			return list[i].parts;
		}
	}
	return GROUP_SYMBOL | GROUP_STACK | GROUP_DSO;
}

static int group_parse(struct groups *g, const char *text, struct warnings *w)
{
	const char *equals = strchr(text, '=');
	struct group *to = &g->list[g->count];
	const char *regex = equals ? equals + 1 : "";
	char why[128];
	int rc;

	if (!equals || equals == text || !*regex || g->count == GROUPS_MAX) {
		warn_add(w, SEV_FATAL, "usage", "--group %s: expected NAME=REGEX%s", text,
			 g->count == GROUPS_MAX ? ", at most 64 times" : "");
		return ERR_USAGE;
	}
	to->parts = parts_of(&regex);
	rc = regcomp(&to->regex, regex, REG_EXTENDED | REG_NOSUB);
	if (rc) {
		regerror(rc, &to->regex, why, sizeof(why));
		warn_add(w, SEV_FATAL, "usage", "--group %s: %s", text, why);
		return ERR_USAGE;
	}
	to->name = strndup(text, (size_t)(equals - text));
	g->count++;
	return 0;
}

int groups_parse(struct groups *g, const struct name_list *texts, struct warnings *w)
{
	int rc = 0;

	for (size_t i = 0; i < texts->count && rc == 0; i++)
		rc = group_parse(g, texts->list[i], w);
	return rc;
}

void groups_release(struct groups *g)
{
	for (size_t i = 0; i < g->count; i++) {
		free(g->list[i].name);
		regfree(&g->list[i].regex);
	}
	g->count = 0;
}

uint64_t groups_match(const struct groups *g, enum group_part part, const char *text)
{
	uint64_t found = 0;

	for (size_t i = 0; i < g->count; i++) {
		if (g->list[i].parts & part && !regexec(&g->list[i].regex, text, 0, NULL, 0))
			found |= 1ull << i;
	}
	return found;
}
