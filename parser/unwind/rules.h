/* How to get from one frame to its caller: rules, each kept once.
 *
 * A module has hundreds of thousands of rows but only some thousands of different rules. A rule is
 * a head and one entry for each register whose value changes; others keep theirs. Expressions stay
 * in their section: a rule holds offset and length. */
#ifndef PDTOOL_UNWIND_RULES_H
#define PDTOOL_UNWIND_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/idmap.h"
#include "parser/unwind/regs.h"

enum reg_kind {
	REG_SAME,      /* keeps its value: never stored */
	REG_UNDEFINED, /* lost; of the return address: there is no caller */
	REG_OFFSET,    /* saved at CFA + value */
	REG_VAL_OFFSET,
	REG_REGISTER, /* is in register slot `value` */
	REG_EXPR,     /* saved where the expression points */
	REG_VAL_EXPR,
};

struct reg_rule {
	int32_t value;	/* an expression's offset in its section, as u32 */
	uint16_t bytes; /* of the expression */
	uint8_t slot;
	uint8_t kind; /* enum reg_kind */
};

struct rule {
	int32_t cfa_value;  /* offset from the register, or where the expression is, as u32 */
	uint16_t cfa_bytes; /* of the expression; 0: CFA is register + offset */
	uint8_t cfa_slot;
	uint8_t ra_slot;
	uint8_t count;
	bool signal; /* the caller was interrupted, it did not call */
	bool plain;  /* no expression in it */
	uint8_t unused[5];
	struct reg_rule regs[]; /* count of them, by slot */
};

#define RULE_NONE UINT32_MAX

struct rules {
	uint64_t *units; /* rules one after the other; a rule's id is its place */
	size_t used, cap;
	struct idmap by_hash;
};

/* What a call frame program works on. */
struct cfa_state {
	int32_t cfa_value;
	uint16_t cfa_bytes;
	uint8_t cfa_slot;
	bool has_cfa;
	uint64_t changed; /* bit by slot: kind is not REG_SAME */
	struct reg_rule regs[UNWIND_SLOTS];
};

static inline void cfa_state_set(struct cfa_state *s, uint8_t slot, struct reg_rule rule)
{
	s->regs[slot] = rule;
	s->changed = (s->changed & ~(1ull << slot)) | (uint64_t)(rule.kind != REG_SAME) << slot;
}

void rules_release(struct rules *r);
size_t rules_bytes(const struct rules *r);
/* The id of STATE as a rule, RULE_NONE when it has no CFA. */
uint32_t rules_add(struct rules *r, const struct cfa_state *state, uint8_t ra_slot, bool signal);
static inline const struct rule *rules_get(const struct rules *r, uint32_t id)
{
	return (const struct rule *)(const void *)&r->units[id];
}
/* What R says of the return address. */
static inline enum reg_kind rule_ra_kind(const struct rule *r)
{
	for (unsigned i = 0; i < r->count; i++) {
		if (r->regs[i].slot == r->ra_slot)
			return (enum reg_kind)r->regs[i].kind;
	}
	return REG_SAME;
}

#endif
