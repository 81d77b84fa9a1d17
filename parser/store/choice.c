/* "event=cycles,from=2026-11-24T08:00,symbol=main,service=web": which captures of a store, and what
 * of them. */
#include "parser/base/mem.h"
#include "parser/filter.h"
#include "parser/store.h"
#include "parser/store/questions/questions.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

void store_choice_release(struct store_choice *c)
{
	free(c->labels);
	free(c->patterns);
	free(c->text);
}

bool store_name_matches(const char *pattern, const char *name)
{
	return !strcmp(pattern, name) || !fnmatch(pattern, name, 0);
}

static int take_time(const char *text, int64_t *ns, struct warnings *w)
{
	uint64_t wall;

	if (wall_parse(text, strlen(text), &wall) == 0) {
		*ns = (int64_t)wall;
		return 0;
	}
	warn_add(w, SEV_FATAL, "usage", "'%s': expected a time such as 2026-11-24T08:00:00", text);
	return ERR_USAGE;
}

static int take_pair(struct store_choice *c, const char *key, const char *value, struct warnings *w)
{
	if (!strcmp(key, "from"))
		return take_time(value, &c->from_ns, w);
	if (!strcmp(key, "to"))
		return take_time(value, &c->to_ns, w);
	if (!strcmp(key, "event")) {
		c->event = value;
		return 0;
	}
	if (!strcmp(key, "each")) {
		c->each = value;
		return 0;
	}
	if (!strcmp(key, "comm") || !strcmp(key, "module") || !strcmp(key, "symbol")) {
		c->patterns[c->pattern_count++] = (struct store_label){ key, value };
		return 0;
	}
	c->labels[c->label_count++] = (struct store_label){ key, value };
	return 0;
}

/* A part without '=' belongs to the value before it: values may have commas. */
int store_choice_parse(struct store_choice *c, const char *text, struct warnings *w)
{
	char *key, *value, *end;
	int rc = 0;

	c->text = xstrdup(text);
	c->labels = xcalloc(strlen(text) / 2 + 1, sizeof(*c->labels));
	c->patterns = xcalloc(strlen(text) / 2 + 1, sizeof(*c->patterns));
	for (key = c->text; rc == 0 && *key; key = end) {
		value = strchr(key, '=');
		if (!value) {
			warn_add(w, SEV_FATAL, "usage", "'%s': expected KEY=VALUE,...", text);
			return ERR_USAGE;
		}
		*value++ = '\0';
		for (end = value; (end = strchr(end, ',')); end++) {
			if (memchr(end, '=', strcspn(end + 1, ",") + 1))
				break;
		}
		if (end)
			*end++ = '\0';
		else
			end = value + strlen(value);
		rc = take_pair(c, key, value, w);
	}
	if (c->from_ns && !c->to_ns)
		c->to_ns = INT64_MAX;
	return rc;
}

bool choice_key_is_first(const struct store_choice *c, size_t label)
{
	for (size_t i = 0; i < label; i++) {
		if (!strcmp(c->labels[i].key, c->labels[label].key))
			return false;
	}
	return true;
}
