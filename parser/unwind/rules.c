/* Intern unwind rules by their bytes. */
#include "parser/unwind/rules.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define HEAD_UNITS (sizeof(struct rule) / sizeof(uint64_t))
#define UNITS_MAX  (1u << 20) /* 8 MiB of rules: a module of a million functions has a tenth */

_Static_assert(sizeof(struct rule) % sizeof(uint64_t) == 0, "rules follow each other");
_Static_assert(sizeof(struct reg_rule) == sizeof(uint64_t), "one unit for each register");

void rules_release(struct rules *r)
{
	free(r->units);
	idmap_release(&r->by_hash);
	memset(r, 0, sizeof(*r));
}

size_t rules_bytes(const struct rules *r)
{
	return r->cap * sizeof(*r->units) +
	       r->by_hash.slots * (sizeof(uint64_t) + sizeof(uint32_t));
}

uint32_t rules_add(struct rules *r, const struct cfa_state *state, uint8_t ra_slot, bool signal)
{
	uint64_t units[HEAD_UNITS + UNWIND_SLOTS];
	struct rule head = { .cfa_value = state->cfa_value,
			     .cfa_bytes = state->cfa_bytes,
			     .cfa_slot = state->cfa_slot,
			     .ra_slot = ra_slot,
			     .signal = signal,
			     .plain = !state->cfa_bytes };
	size_t n = HEAD_UNITS;
	uint32_t *slot;

	if (!state->has_cfa)
		return RULE_NONE;
	for (uint64_t left = state->changed; left; left &= left - 1) {
		const struct reg_rule *reg = &state->regs[__builtin_ctzll(left)];

		memcpy(&units[n++], reg, sizeof(uint64_t));
		head.count++;
		head.plain &= !reg->bytes;
	}
	memcpy(units, &head, sizeof(head));
	slot = idmap_put(&r->by_hash, hash_words(units, n));
	if (*slot != IDMAP_NONE && *slot + n <= r->used &&
	    !memcmp(&r->units[*slot], units, n * sizeof(*units)))
		return *slot;
	if (r->used + n > UNITS_MAX) {
		if (*slot == IDMAP_NONE)
			*slot = 0; /* compared with what is there: it will not match */
		return RULE_NONE;
	}
	r->units = xgrow(r->units, &r->cap, r->used + n, sizeof(*r->units));
	memcpy(&r->units[r->used], units, n * sizeof(*units));
	*slot = (uint32_t)r->used;
	r->used += n;
	return *slot;
}
