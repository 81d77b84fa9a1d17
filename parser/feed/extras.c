/* Branches and registers as they lie in the record, one after the other. */
#include "parser/feed/extras.h"
#include "parser/base/abi.h"
#include "parser/pdtool_record.h"

#include <string.h>

static uint64_t regs_bytes(uint64_t abi, uint64_t mask)
{
	return abi ? 8 * (uint64_t)__builtin_popcountll(mask) : 0;
}

static struct extras extras_of(const struct sample *s, unsigned wants)
{
	uint64_t type = s->desc->attr.sample_type;
	struct extras e = { .swap = s->swap };

	if (wants & PDT_WANT_BRANCHES) {
		e.branches = s->branches;
		e.branch_count = (uint16_t)s->branch_nr; /* a record has room for 2730 */
	}
	if (wants & PDT_WANT_REGISTERS && type & SAMPLE_REGS_USER) {
		e.user_abi = s->user_abi;
		e.user_mask = s->user_mask;
		e.user_regs = s->user_regs;
	}
	if (wants & PDT_WANT_REGISTERS && type & SAMPLE_REGS_INTR) {
		e.intr_abi = s->intr_abi;
		e.intr_mask = s->desc->attr.regs_intr;
		e.intr_regs = s->intr_regs;
	}
	e.bytes = (uint32_t)(sizeof(e) + e.branch_count * (size_t)BRANCH_BYTES +
			     regs_bytes(e.user_abi, e.user_mask) +
			     regs_bytes(e.intr_abi, e.intr_mask));
	return e;
}

size_t extras_bytes(const struct sample *s, unsigned wants)
{
	struct extras e = extras_of(s, wants);

	return e.branch_count || e.user_mask || e.intr_mask ? e.bytes : 0;
}

static uint8_t *put(uint8_t *to, const uint8_t *from, uint64_t bytes)
{
	if (bytes)
		memcpy(to, from, bytes);
	return to + bytes;
}

void extras_write(const struct sample *s, unsigned wants, uint8_t *out)
{
	struct extras e = extras_of(s, wants);

	out = put(out, (const uint8_t *)&e, sizeof(e));
	out = put(out, e.branches, e.branch_count * (uint64_t)BRANCH_BYTES);
	out = put(out, e.user_regs, regs_bytes(e.user_abi, e.user_mask));
	(void)put(out, e.intr_regs, regs_bytes(e.intr_abi, e.intr_mask));
}

void extras_read(struct extras *out, const uint8_t *kept)
{
	memcpy(out, kept, sizeof(*out));
	out->branches = kept + sizeof(*out);
	out->user_regs = out->branches + out->branch_count * (size_t)BRANCH_BYTES;
	out->intr_regs = out->user_regs + regs_bytes(out->user_abi, out->user_mask);
}
