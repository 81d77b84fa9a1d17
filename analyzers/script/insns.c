/* Source of the forms: perf 6.12, tools/perf/builtin-script.c, perf_sample__fprintf_insn();
 * util/print_insn.c. */
#include "analyzers/script/insns.h"
#include "analyzers/script/fields.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"
#include "parser/base/utf8.h"
#include "parser/pdtool_record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct insn_row {
	size_t at;	 /* in the text: its bytes, then its words */
	uint32_t len;	 /* of the words; 0: none */
	uint32_t size;	 /* of the bytes */
	uint64_t target; /* from it on */
	bool has_target; /* that stands behind the words, as an address */
};

void insns_release(struct insns *n)
{
	free(n->noted);
	free(n->rows);
	free(n->by);
	buf_release(&n->text);
	memset(n, 0, sizeof(*n));
}

void insns_note(struct insns *n, uint32_t location)
{
	if (location == PDT_NONE)
		return;
	n->noted = xgrow_to(n->noted, &n->noted_count, &n->noted_cap, location, 1);
	n->noted[location] = 1;
}

/* ---- once for each ---- */

/* A jump or call leads to a symbol, or else to an address, which is another one in each process. */
static void put_words(struct insns *n, struct insn_row *row, const struct pdt_instruction *i)
{
	const char *blank = strrchr(i->text, ' ');
	size_t from = n->text.len;

	if (i->has_target && blank) {
		buf_add(&n->text, i->text, (size_t)(blank + 1 - i->text));
		row->has_target = !i->symbol;
		row->target = i->target;
		if (i->symbol)
			buf_printf(&n->text, "%s+0x%" PRIx64, i->symbol, i->symbol_offset);
	} else {
		buf_printf(&n->text, "%s%s", i->text, i->bare ? " " : "");
	}
	make_safe(&n->text, from);
	row->len = (uint32_t)(n->text.len - from);
}

static void add(struct insns *n, uint32_t location, const struct pdt_instruction *i)
{
	struct insn_row *row;

	n->rows = xgrow(n->rows, &n->cap, n->count + 1, sizeof(*n->rows));
	row = &n->rows[n->count++];
	*row = (struct insn_row){ .at = n->text.len, .size = i->size };
	n->by[location] = (uint32_t)n->count;
	buf_add(&n->text, i->bytes, i->size);
	if (i->text && !(n->as_perf && i->own))
		put_words(n, row, i);
}

struct noted {
	uint32_t module, location;
};

static int by_module(const void *a, const void *b)
{
	const struct noted *x = a, *y = b;

	return compare_u64(x->module, y->module) ?: compare_u64(x->location, y->location);
}

/* Those that were noted, by module: *COUNT. */
static struct noted *list_noted(const struct insns *n, const struct pdt_session *s, size_t *count)
{
	struct noted *list = xmalloc((n->noted_count + 1) * sizeof(*list));

	*count = 0;
	for (size_t i = 0; i < n->noted_count; i++) {
		if (n->noted[i])
			list[(*count)++] = (struct noted){ pdt_location_module_id(s, (uint32_t)i),
							   (uint32_t)i };
	}
	qsort(list, *count, sizeof(*list), by_module);
	return list;
}

/* On other machines perf does not look for code. */
static bool perf_looks(const struct pdt_session *s)
{
	const char *arch = pdt_text(s, PDT_ARCH);

	return arch && (!strcmp(arch, "x86_64") || !strcmp(arch, "i386"));
}

static void tell(const struct insns *n, size_t asked, uint64_t fields, struct warnings *w)
{
	size_t worded = 0;

	for (size_t i = 0; i < n->count; i++)
		worded += n->rows[i].len != 0;
	if (n->count < asked)
		warn_add(w, SEV_NOTE, "code", "no code is at hand for %zu of %zu sampled places",
			 asked - n->count, asked);
	if (fields & FIELD_DISASM && n->count && !worded)
		warn_add(w, SEV_WARN, "disasm",
			 "no instruction could be put into words (is capstone installed?)");
}

void insns_make(struct insns *n, const struct pdt_session *s, uint64_t fields, struct warnings *w)
{
	struct pdt_instruction i;
	struct noted *list;
	size_t count;

	if (n->by || (n->as_perf && !perf_looks(s)))
		return;
	list = list_noted(n, s, &count);
	n->by = xcalloc(n->noted_count + 1, sizeof(*n->by));
	for (size_t k = 0; k < count; k++) {
		if (pdt_instruction(s, list[k].location, &i) == 0)
			add(n, list[k].location, &i);
	}
	free(list);
	tell(n, count, fields, w);
}

/* ---- for each line ---- */

static void put_bytes(struct buf *b, const char *bytes, size_t size)
{
	buf_hex(b, (const uint8_t *)bytes, size, " ");
}

void insns_put(const struct insns *n, uint32_t location, uint64_t address, uint64_t fields,
	       struct buf *out)
{
	static const struct insn_row none;
	bool there = n->by && location < n->noted_count && n->by[location];
	const struct insn_row *row = there ? &n->rows[n->by[location] - 1] : &none;
	const char *bytes = n->text.data + row->at;

	if (fields & FIELD_INSNLEN)
		buf_printf(out, " ilen: %" PRIu32, row->size);
	if (fields & FIELD_INSN && row->size) {
		buf_str(out, " insn: ");
		put_bytes(out, bytes, row->size);
	}
	if (!(fields & FIELD_DISASM) || !row->size)
		return;
	buf_str(out, "\t\t");
	if (row->len)
		buf_add(out, bytes + row->size, row->len);
	else
		put_bytes(out, bytes, row->size);
	if (row->has_target)
		buf_printf(out, "0x%" PRIx64, address + row->target);
}
