/* Sorts names by samples and finds the one that was probably meant. */
#include "cli/there.h"
#include "cli/values.h"
#include "formats/model/amount.h"
#include "parser/base/mem.h"
#include "parser/base/nearest.h"

#include <stdlib.h>
#include <string.h>

#define SHOWN_MAX 8
#define COMM_MAX  15 /* the kernel cuts a command's name to that (TASK_COMM_LEN) */

void there_add(struct there *t, const char *name, uint64_t samples)
{
	t->list = xgrow(t->list, &t->cap, t->count + 1, sizeof(*t->list));
	t->list[t->count++] = (struct there_name){ xstrdup(name), samples };
}

void there_release(struct there *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->list[i].name);
	free(t->list);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct there_name *)a)->name, ((const struct there_name *)b)->name);
}

static int most_first(const void *a, const void *b)
{
	const struct there_name *x = a, *y = b;

	return x->samples != y->samples ? (x->samples < y->samples) - (x->samples > y->samples)
					: strcmp(x->name, y->name);
}

/* Each name once, the most frequent first. */
static void arrange(struct there *t)
{
	size_t n = 0;

	qsort(t->list, t->count, sizeof(*t->list), by_name);
	for (size_t i = 0; i < t->count; i++) {
		if (n && !strcmp(t->list[n - 1].name, t->list[i].name)) {
			t->list[n - 1].samples += t->list[i].samples;
			free(t->list[i].name);
		} else {
			t->list[n++] = t->list[i];
		}
	}
	t->count = n;
	qsort(t->list, t->count, sizeof(*t->list), most_first);
}

/* One with WORD in it, or which WORD was cut to; NULL: there is none. */
static const char *containing(const struct there *t, const char *word)
{
	for (size_t i = 0; i < t->count; i++) {
		const char *name = t->list[i].name;
		size_t len = strlen(name);

		if (strcasestr(name, word) || (len >= COMM_MAX && !strncmp(word, name, len)))
			return name;
	}
	return NULL;
}

static const char *nearest_name(const struct there *t, const char *word)
{
	const char **names = xcalloc(t->count + 1, sizeof(*names));
	const char *near;

	for (size_t i = 0; i < t->count; i++)
		names[i] = t->list[i].name;
	near = nearest(word, names) ?: containing(t, word);
	free(names);
	return near;
}

const char *samples_word(uint64_t count)
{
	return count == 1 ? "sample" : "samples";
}

bool there_put(struct there *t, const struct name_list *asked, struct buf *out)
{
	const char *near;

	if (t->count)
		arrange(t);
	for (size_t i = 0; i < t->count && i < SHOWN_MAX; i++) {
		buf_printf(out, "%s%s", i ? ", " : "; there are: ", t->list[i].name);
		if (t->list[i].samples)
			buf_printf(out, i ? " (%s)" : " (%s %s)", COUNT_TEXT(t->list[i].samples),
				   samples_word(t->list[i].samples));
	}
	if (t->count > SHOWN_MAX)
		buf_printf(out, " and %zu more", t->count - SHOWN_MAX);
	near = asked && asked->count ? nearest_name(t, asked->list[0]) : NULL;
	if (near)
		buf_printf(out, "; nearest: %s", near);
	return near;
}
