/* Where code ran, as compilers and linkers read it.
 *
 * BOLT: pre-aggregated branches, as perf2bolt -pa reads them, or where there are only samples its
 * own profile, as llvm-bolt does (bolt/include/bolt/Profile/DataAggregator.h, DataReader.h).
 * llvm-profgen: its unsymbolized profile (llvm/tools/llvm-profgen/PerfReader.h). AutoFDO: its text
 * (sample_reader.h). */
#include "formats/export/readers.h"
#include "formats/model/code.h"

#include <inttypes.h>

/* ---- BOLT ---- */

static void put_end(uint64_t address, struct out *out)
{
	if (address == CODE_OUTSIDE)
		out_str(out, "X:0");
	else
		out_put(out, "%" PRIx64, address);
}

/* A blank ends a name, unless it is escaped. */
static void put_symbol(const char *name, struct out *out)
{
	for (; *name; name++) {
		if (*name == ' ' || *name == '\\')
			out_str(out, "\\");
		out_write(out, name, 1);
	}
}

static void write_samples(const struct code_part *c, struct out *out)
{
	out_str(out, "no_lbr");
	for (size_t i = 0; i < c->event_count; i++) {
		out_str(out, " ");
		put_symbol(c->events[i], out);
	}
	out_str(out, "\n");
	for (size_t i = 0; i < c->sample_count; i++) {
		const struct code_sample *s = &c->samples[i];

		if (!s->symbol)
			continue;
		out_str(out, "1 ");
		put_symbol(s->symbol, out);
		out_put(out, " %" PRIx64 " %" PRIu64 "\n", s->offset, s->count);
	}
}

void write_bolt(const struct profile_part *p, struct out *out)
{
	const struct code_part *c = p->code;

	if (c->by_samples) {
		write_samples(c, out);
		return;
	}
	for (size_t i = 0; i < c->branches.count; i++) {
		const struct code_row *r = &c->branches.list[i];

		out_str(out, "B ");
		put_end(r->from, out);
		out_str(out, " ");
		put_end(r->to, out);
		out_put(out, " %" PRIu64 " %" PRIu64 "\n", r->count, r->mispredicted);
	}
	for (size_t i = 0; i < c->lines.count; i++) {
		const struct code_row *r = &c->lines.list[i];

		out_put(out, "%c %" PRIx64 " %" PRIx64 " %" PRIu64 "\n", r->entered ? 'f' : 'F',
			r->from, r->to, r->count);
	}
}

/* ---- tables behind their length ---- */

static void write_rows(const struct code_rows *rows, const char *between, uint64_t base,
		       struct out *out)
{
	out_put(out, "%zu\n", rows->count);
	for (size_t i = 0; i < rows->count; i++) {
		const struct code_row *r = &rows->list[i];

		out_put(out, "%" PRIx64, r->from - base);
		out_str(out, between);
		out_put(out, "%" PRIx64 ":%" PRIu64 "\n", r->to - base, r->count);
	}
}

void write_profgen(const struct profile_part *p, struct out *out)
{
	write_rows(&p->code->lines, "-", p->code->base, out);
	write_rows(&p->code->branches, "->", p->code->base, out);
}

void write_autofdo(const struct profile_part *p, struct out *out)
{
	write_rows(&p->code->lines, "-", 0, out);
	out_put(out, "%zu\n", p->code->sample_count);
	for (size_t i = 0; i < p->code->sample_count; i++)
		out_put(out, "%" PRIx64 ":%" PRIu64 "\n", p->code->samples[i].address,
			p->code->samples[i].count);
	write_rows(&p->code->branches, "->", 0, out);
}
