/* Source of the forms: perf 6.12, tools/perf/util/evsel_fprintf.c, sample__fprintf_callchain();
 * symbol_fprintf.c; map.c, map__fprintf_srcline(), map__fprintf_dsoname_dsoff(). */
#include "analyzers/script/where.h"
#include "analyzers/count/namer.h"
#include "analyzers/script/fields.h"
#include "parser/base/digits.h"
#include "parser/base/mem.h"
#include "parser/base/utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MOSTLY 80 /* bytes; longer than most */

void where_release(struct where *w)
{
	buf_release(&w->text);
	free(w->first);
	free(w->frames);
	free(w->inlined);
	memset(w, 0, sizeof(*w));
}

static void put_symbol(struct buf *b, uint64_t fields, const char *name, uint64_t offset)
{
	if (!(fields & FIELD_SYM))
		return;
	buf_char(b, ' ');
	put_safe(b, name ?: "[unknown]");
	if (name && fields & FIELD_SYMOFF) {
		buf_add(b, "+0x", 3);
		buf_number(b, offset, true, 0, ' ');
	}
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

/* The line of a frame at address 0, up to what stands behind that. */
static size_t begin_frame(struct where *w)
{
	size_t from = w->text.len;

	buf_reserve(&w->text, 1 + HEX_WIDE);
	buf_char(&w->text, '\t');
	hex_wide(w->text.data + from + 1, 0);
	w->text.len += HEX_WIDE;
	return from;
}

static struct where_frame end_frame(struct where *w, size_t from)
{
	buf_char(&w->text, '\n');
	return (struct where_frame){ .at = (uint32_t)from,
				     .len = (uint32_t)(w->text.len - from) & INT32_MAX };
}

/* The function at P that is not inlined. */
static const char *function_of(struct place p)
{
	return pdt_function_at(p.session, p.loc, pdt_function_count(p.session, p.loc) - 1).name;
}

/* The I-th function at P. */
static struct where_frame make_frame(struct where *w, const struct where_options *o, struct place p,
				     size_t i)
{
	struct pdt_function f = pdt_function_at(p.session, p.loc, i);
	size_t from = begin_frame(w);
	const char *outer;
	struct where_frame made;

	if (o->as_perf && f.inlined && f.name) {
		outer = function_of(p);
		f.inlined = !outer || strcmp(outer, f.name) != 0;
	}
	put_symbol(&w->text, o->fields, f.name, pdt_location_symbol_offset(p.session, p.loc));
	if (!f.inlined)
		put_module(&w->text, o->fields, p);
	put_source(&w->text, o, &f, p);
	buf_str(&w->text, f.inlined ? " (inlined)" : "");
	made = end_frame(w, from);
	made.stops = o->stop->count && f.name && name_list_has(o->stop, f.name);
	return made;
}

static struct where_frame make_nowhere(struct where *w, uint64_t fields)
{
	size_t from = begin_frame(w);

	put_symbol(&w->text, fields, NULL, 0);
	buf_str(&w->text, fields & FIELD_DSO ? " ([unknown])" : "");
	return end_frame(w, from);
}

/* The functions that were inlined at P. */
static void add_inlined(struct where *w, const struct where_options *o, struct place p)
{
	size_t n = pdt_function_count(p.session, p.loc) - 1;

	if (o->as_perf && !function_of(p))
		n = 0;
	if (!w->first)
		w->first = xcalloc(w->locations + 1, sizeof(*w->first));
	w->inlined = xgrow(w->inlined, &w->cap, w->count + n, sizeof(*w->inlined));
	for (size_t i = 0; i < n; i++)
		w->inlined[w->count++] = make_frame(w, o, p, i);
	w->first[p.loc + 1] = (uint32_t)w->count;
}

void where_make(struct where *w, const struct where_options *o, const struct pdt_session *s)
{
	size_t n;

	w->locations = pdt_location_count(s);
	w->frames = xmalloc((w->locations + 1) * sizeof(*w->frames));
	/* in one piece: a text that grows is copied to pages that are new each time */
	w->text.data = xgrow(NULL, &w->text.cap, w->locations * LINE_MOSTLY, 1);
	for (size_t loc = 0; loc < w->locations; loc++) {
		n = pdt_function_count(s, (uint32_t)loc);
		w->frames[loc] = make_frame(w, o, (struct place){ s, (uint32_t)loc }, n - 1);
		if (n > 1)
			add_inlined(w, o, (struct place){ s, (uint32_t)loc });
		else if (w->first)
			w->first[loc + 1] = (uint32_t)w->count;
	}
	w->frames[w->locations] = make_nowhere(w, o->fields);
	memset(buf_reserve(&w->text, WHERE_PIECE), 0, WHERE_PIECE);
}
