/* Source of the forms: perf 6.12, tools/perf/util/evsel_fprintf.c, sample__fprintf_callchain();
 * symbol_fprintf.c; map.c, map__fprintf_srcline(), map__fprintf_dsoname_dsoff(). */
#include "analyzers/script/where.h"
#include "analyzers/count/namer.h"
#include "analyzers/script/fields.h"
#include "parser/base/mem.h"
#include "parser/base/utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void where_release(struct where *w)
{
	buf_release(&w->text);
	free(w->first);
	free(w->list);
	memset(w, 0, sizeof(*w));
}

static void put_symbol(struct buf *b, uint64_t fields, const char *name, uint64_t offset)
{
	if (!(fields & FIELD_SYM))
		return;
	buf_char(b, ' ');
	put_safe(b, name ?: "[unknown]");
	if (name && fields & FIELD_SYMOFF)
		buf_printf(b, "+0x%" PRIx64, offset);
}

/* Where an offset means a place in a file. */
static bool is_object(struct place p)
{
	const struct pdt_module *m =
		pdt_module_at(p.session, pdt_location_module_id(p.session, p.loc));

	switch (m ? pdt_module_number(m, PDT_MODULE_KIND) : PDT_MODULE_KERNEL) {
	case PDT_MODULE_FILE:
	case PDT_MODULE_VDSO:
		return true;
	case PDT_MODULE_JIT:
		return !pdt_module_number(m, PDT_MODULE_NAMED);
	default:
		return false;
	}
}

static void put_module(struct buf *b, uint64_t fields, struct place p)
{
	const char *module = pdt_location_module(p.session, p.loc);

	if (!(fields & FIELD_DSO))
		return;
	buf_str(b, " (");
	put_safe(b, module ?: "[unknown]");
	if (module && fields & FIELD_DSOFF && is_object(p))
		buf_printf(b, "+0x%" PRIx64, pdt_location_offset(p.session, p.loc));
	buf_char(b, ')');
}

static void put_source(struct buf *b, const struct where_options *o, const struct pdt_function *f,
		       struct place p)
{
	const char *module = pdt_location_module(p.session, p.loc);

	if (!(o->fields & FIELD_SRCLINE) || !module)
		return;
	buf_str(b, "\n  ");
	if (f->file) {
		put_safe(b, o->full_path ? f->file : base_name(f->file));
		buf_printf(b, ":%" PRIu32, f->line);
	} else {
		put_safe(b, base_name(module));
		buf_printf(b, "[%" PRIx64 "]", pdt_location_offset(p.session, p.loc));
	}
}

static void add(struct where *w, const struct where_options *o, struct place p, size_t i)
{
	struct pdt_function f = pdt_function_at(p.session, p.loc, i);
	size_t from = w->text.len;

	put_symbol(&w->text, o->fields, f.name, pdt_location_symbol_offset(p.session, p.loc));
	if (!f.inlined)
		put_module(&w->text, o->fields, p);
	put_source(&w->text, o, &f, p);
	buf_str(&w->text, f.inlined ? " (inlined)" : "");
	w->list = xgrow(w->list, &w->cap, w->count + 1, sizeof(*w->list));
	w->list[w->count++] =
		(struct where_text){ (uint32_t)from, (uint32_t)(w->text.len - from),
				     o->stop->count && f.name && name_list_has(o->stop, f.name) };
}

void where_make(struct where *w, const struct where_options *o, const struct pdt_session *s)
{
	size_t count = pdt_location_count(s);

	w->first = xmalloc((count + 1) * sizeof(*w->first));
	for (size_t loc = 0; loc < count; loc++) {
		size_t n = pdt_function_count(s, (uint32_t)loc);

		w->first[loc] = (uint32_t)w->count;
		for (size_t i = 0; i < n; i++)
			add(w, o, (struct place){ s, (uint32_t)loc }, i);
	}
	w->first[count] = (uint32_t)w->count;
	w->nowhere.at = (uint32_t)w->text.len;
	put_symbol(&w->text, o->fields, NULL, 0);
	buf_str(&w->text, o->fields & FIELD_DSO ? " ([unknown])" : "");
	w->nowhere.len = (uint32_t)w->text.len - w->nowhere.at;
}
