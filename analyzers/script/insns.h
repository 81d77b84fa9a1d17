/* The instructions at the addresses that were sampled: found once for each, when there are names.
 * No code is read while lines are written. */
#ifndef PDTOOL_SCRIPT_INSNS_H
#define PDTOOL_SCRIPT_INSNS_H

#include "parser/base/buf.h"
#include "parser/base/err.h"
#include "parser/pdtool_module.h"

struct insn_row;

struct insns {
	uint8_t *noted; /* by location: is it one of them? */
	size_t noted_count, noted_cap;
	struct insn_row *rows;
	size_t count, cap;
	uint32_t *by; /* by location: 1 + the place in rows; 0: none */
	struct buf text;
	bool as_perf;
};

/* All zero is empty. */
void insns_release(struct insns *n);
void insns_note(struct insns *n, uint32_t location);
/* There are names. FIELDS: those of instructions that are shown. AS_PERF: no more than perf finds.
 * What is not at hand is said in W. */
void insns_make(struct insns *n, const struct pdt_session *s, uint64_t fields, struct warnings *w);
/* Append those FIELDS of the instruction at LOCATION, which lay at ADDRESS. */
void insns_put(const struct insns *n, uint32_t location, uint64_t address, uint64_t fields,
	       struct buf *out);

#endif
