/* The list of warnings: one entry for each kind, in order of first appearance. */
#include "parser/base/err.h"
#include "parser/base/mem.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool error_is_fault(int error)
{
	static const int answers[] = {
		0, ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, EACCES, EPERM, ESRCH
	};

	for (size_t i = 0; i < ARRAY_SIZE(answers); i++) {
		if (error == answers[i])
			return false;
	}
	return true;
}

void warnings_release(struct warnings *w)
{
	for (size_t i = 0; i < w->count; i++)
		free(w->list[i].first);
	free(w->list);
	memset(w, 0, sizeof(*w));
}

static struct warning *find(const struct warnings *w, const char *kind)
{
	for (size_t i = 0; i < w->count; i++) {
		if (!strcmp(w->list[i].kind, kind))
			return &w->list[i];
	}
	return NULL;
}

const struct warning *warn_find(const struct warnings *w, const char *kind)
{
	return find(w, kind);
}

void warnings_add(struct warnings *to, const struct warnings *from)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct warning *e = &from->list[i];
		struct warning *had = find(to, e->kind);

		if (had) {
			had->count += e->count;
			had->bytes += e->bytes;
			continue;
		}
		to->list = xgrow(to->list, &to->cap, to->count + 1, sizeof(*to->list));
		to->list[to->count] = *e;
		to->list[to->count++].first = xstrdup(e->first);
	}
}

struct warnings warnings_copy(const struct warnings *w)
{
	struct warnings copy = { 0 };

	warnings_add(&copy, w);
	return copy;
}

void warn_add(struct warnings *w, enum severity severity, const char *kind, const char *fmt, ...)
{
	struct warning *e = find(w, kind);
	va_list ap;

	if (e) {
		e->count++;
		return;
	}
	w->list = xgrow(w->list, &w->cap, w->count + 1, sizeof(*w->list));
	e = &w->list[w->count++];
	*e = (struct warning){ kind, severity, 1, 0, NULL };
	va_start(ap, fmt);
	if (vasprintf(&e->first, fmt, ap) < 0)
		e->first = xstrdup(kind);
	va_end(ap);
}

void warn_bytes(struct warnings *w, const char *kind, uint64_t bytes)
{
	struct warning *e = find(w, kind);

	if (e)
		e->bytes += bytes;
}
