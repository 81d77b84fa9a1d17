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
	arena_release(&r->arena);
	free(r->list);
	idmap_release(&r->by_hash);
	memset(r, 0, sizeof(*r));
}

size_t rules_bytes(const struct rules *r)
{
	return r->units * sizeof(uint64_t) + r->cap * sizeof(*r->list) +
	       r->by_hash.slots * (sizeof(uint64_t) + sizeof(uint32_t));
}

static size_t rule_units(const struct rule *rule)
{
	return HEAD_UNITS + rule->count;
}

/* STATE as a rule: its HEAD, and its registers in UNITS. */
static void make_rule(const struct cfa_state *state, struct rule *head, uint64_t *units)
{
	*head = (struct rule){ .cfa_value = state->cfa_value,
			       .cfa_bytes = state->cfa_bytes,
			       .cfa_slot = state->cfa_slot,
			       .plain = !state->cfa_bytes,
			       .saved = !state->cfa_bytes };

	for (uint64_t left = state->changed; left; left &= left - 1) {
		const struct reg_rule *reg = &state->regs[__builtin_ctzll(left)];

		memcpy(&units[HEAD_UNITS + head->count++], reg, sizeof(uint64_t));
		head->plain &= !reg->bytes;
		head->saved &= reg->kind == REG_OFFSET;
	}
}

uint32_t rules_add(struct rules *r, const struct cfa_state *state, uint8_t ra_slot, bool signal)
{
	uint64_t units[HEAD_UNITS + UNWIND_SLOTS];
	struct rule head, *known;
	uint32_t *slot;
	size_t n;

	if (!state->has_cfa)
		return RULE_NONE;
	make_rule(state, &head, units);
	head.ra_slot = ra_slot;
	head.signal = signal;
	head.saved &= state->changed >> ra_slot & 1;
	n = rule_units(&head);
	memcpy(units, &head, sizeof(head));
	slot = idmap_put(&r->by_hash, hash_words(units, n));
	known = *slot != IDMAP_NONE ? r->list[*slot] : NULL;
	if (known && rule_units(known) == n && !memcmp(known, units, n * sizeof(*units)))
		return *slot;
	if (r->units + n > UNITS_MAX) {
		if (*slot == IDMAP_NONE)
			*slot = 0; /* compared with what is there: it will not match */
		return RULE_NONE;
	}
	r->list = xgrow(r->list, &r->cap, r->count + 1, sizeof(*r->list));
	r->list[r->count] = arena_alloc(&r->arena, n * sizeof(*units));
	memcpy(r->list[r->count], units, n * sizeof(*units));
	r->units += n;
	return *slot = (uint32_t)r->count++;
}
