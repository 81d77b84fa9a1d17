/* Source of the forms: perf 6.12, tools/perf/builtin-script.c, perf_sample__fprintf_brstack(),
 * _brstacksym(), _brstackoff(), print_bstack_flags(), _regs(). */
#include "analyzers/script/branches.h"
#include "analyzers/hardware/registers.h"
#include "analyzers/script/fields.h"
#include "parser/base/mem.h"

#include <inttypes.h>

bool branches_are_named(uint64_t fields)
{
	if (fields & FIELD_BRSTACK)
		return fields & FIELD_DSO;
	return fields & (FIELD_BRSTACKSYM | FIELD_BRSTACKOFF);
}

uint64_t branches_where(uint64_t fields)
{
	bool symbols = fields & FIELD_BRSTACKSYM && !(fields & FIELD_BRSTACK);

	return (fields & (FIELD_DSO | FIELD_DSOFF)) | (symbols ? FIELD_SYM | FIELD_SYMOFF : 0);
}

/* "0x" and V */
static void put_hex(struct buf *b, uint64_t v)
{
	static const char digits[] = "0123456789abcdef";
	unsigned n = v ? 16 - (unsigned)__builtin_clzll(v) / 4 : 1;
	char *to;

	buf_add(b, "0x", 2);
	to = buf_reserve(b, n);
	for (unsigned i = n; i--; v >>= 4)
		to[i] = digits[v & 15];
	b->len += n;
}

static void put_flags(const struct pdt_branch *b, struct buf *out)
{
	static const char *const specs[] = { "-", "SPEC_WRONG_PATH", "NON_SPEC_CORRECT_PATH",
					     "SPEC_CORRECT_PATH" };
	const char outcome = b->mispredicted ? 'M' : b->predicted ? 'P' : '-';

	buf_printf(out, "/%c/%c/%c/%u/%s/%s ", outcome, b->in_transaction ? 'X' : '-',
		   b->aborted ? 'A' : '-', b->cycles, pdt_branch_type(b),
		   specs[b->spec % ARRAY_SIZE(specs)]);
}

/* The symbol begins with a blank, which does not stand here. */
static void put_end(const struct where *w, uint32_t loc, unsigned skip, struct buf *out)
{
	size_t len;
	const char *text = where_behind(w, where_frame_of(w, loc), &len);

	if (len > skip)
		buf_add(out, text + skip, len - skip);
}

/* As an offset in the file, where there is one. */
static uint64_t offset_of(const struct pdt_session *s, uint64_t address, uint32_t loc)
{
	return loc == PDT_NONE || !pdt_location_module(s, loc) ? address
							       : pdt_location_offset(s, loc);
}

void branches_put(const struct held_more *m, uint64_t fields, const struct where *w,
		  const struct pdt_session *s, struct buf *out)
{
	bool symbols = fields & FIELD_BRSTACKSYM && !(fields & FIELD_BRSTACK);
	bool offsets = m->ends && !(fields & (FIELD_BRSTACK | FIELD_BRSTACKSYM));

	for (uint32_t i = 0; i < m->branch_count; i++) {
		const struct pdt_branch *b = &m->branches[i];
		const uint64_t address[2] = { b->from, b->to };

		buf_str(out, symbols ? "" : " ");
		for (unsigned k = 0; k < 2; k++) {
			uint32_t loc = m->ends ? m->ends[2 * i + k] : PDT_NONE;

			buf_str(out, k ? "/" : "");
			if (!symbols)
				put_hex(out, offsets ? offset_of(s, address[k], loc) : address[k]);
			if (w)
				put_end(w, loc, symbols, out);
		}
		put_flags(b, out);
	}
}

void registers_put(const struct pdt_registers *r, const char *arch, struct buf *out)
{
	char name[REGISTER_NAME_BYTES];
	unsigned n = 0;

	if (!r->abi)
		return;
	buf_printf(out, " ABI:%" PRIu64 " ", r->abi);
	for (unsigned id = 0; id < 64; id++) {
		if (!(r->mask >> id & 1))
			continue;
		register_name(arch, id, name);
		buf_printf(out, "%5s:0x%" PRIx64 " ", name, r->values[n++]);
	}
}
