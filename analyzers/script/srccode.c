/* Looks for the line of each sampled location once, and keeps where each thread was last. */
#include "analyzers/script/srccode.h"
#include "analyzers/script/where.h"
#include "parser/base/mem.h"
#include "parser/base/utf8.h"
#include "parser/pdtool_module.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char wanted[] = "";

void srccode_release(struct srccode *c)
{
	free(c->texts);
	free(c->last);
	idmap_release(&c->threads);
	memset(c, 0, sizeof(*c));
}

void srccode_note(struct srccode *c, uint32_t location)
{
	if (location == PDT_NONE)
		return;
	c->texts = xgrow_to(c->texts, &c->count, &c->cap, location, sizeof(*c->texts));
	c->texts[location] = wanted;
}

void srccode_make(struct srccode *c, const struct pdt_session *s, struct warnings *w)
{
	size_t known = 0, there = 0;

	for (size_t i = 0; i < c->count; i++) {
		struct pdt_function f;

		if (!c->texts[i])
			continue;
		f = pdt_function_at(s, (uint32_t)i, 0);
		c->texts[i] = f.file && f.line ? pdt_source_line(s, f.file, f.line) : NULL;
		known += f.file && f.line;
		there += c->texts[i] != NULL;
	}
	if (there < known)
		warn_add(w, SEV_NOTE, "source",
			 "the source is not at hand for %zu of %zu sampled lines "
			 "(--symfs DIR; --allow-unverified: of this machine)",
			 known - there, known);
}

const char *srccode_at(const struct srccode *c, uint32_t location)
{
	return location < c->count ? c->texts[location] : NULL;
}

static struct source_place *last_of(struct srccode *c, const struct pdt_event *e)
{
	uint32_t *i = idmap_put(&c->threads, (uint64_t)e->pid << 32 | e->tid);

	if (*i == IDMAP_NONE) {
		c->last = xgrow(c->last, &c->thread_cap, c->thread_count + 1, sizeof(*c->last));
		c->last[c->thread_count] = (struct source_place){ 0 };
		*i = (uint32_t)c->thread_count++;
	}
	return &c->last[*i];
}

/* Tabs stay: they are the indentation. */
static void put_text(struct buf *out, const char *text)
{
	size_t from = out->len, n;

	for (; *text; text += n) {
		n = strcspn(text, "\t");
		buf_add(out, text, n);
		make_safe(out, from);
		for (; text[n] == '\t'; n++)
			buf_char(out, '\t');
		from = out->len;
	}
}

void srccode_put(struct srccode *c, const struct pdt_event *e, const struct pdt_session *s,
		 struct buf *out)
{
	uint32_t loc = where_sampled(s, e);
	struct pdt_function f;
	struct source_place *last;

	if (!srccode_at(c, loc))
		return;
	f = pdt_function_at(s, loc, 0);
	last = last_of(c, e);
	if (last->file && last->line == f.line && !strcmp(last->file, f.file))
		return;
	buf_printf(out, "|%-8" PRIu32 " ", f.line);
	put_text(out, c->texts[loc]);
	buf_char(out, '\n');
	*last = (struct source_place){ f.file, f.line };
}
