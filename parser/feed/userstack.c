/* A sample's registers and user stack: the description of where they lie, and behind it the bytes
 * themselves, unless they stay where they are. */
#include "parser/feed/userstack.h"
#include "parser/base/abi.h"

#include <string.h>

static size_t reg_bytes(uint64_t mask)
{
	return 8 * (size_t)__builtin_popcountll(mask);
}

static bool is_link_register(const struct sample *s)
{
	return s->user_mask == USER_STACK_ARM64_LR && s->user_abi == 2 && s->chain_nr;
}

size_t user_stack_bytes(const struct sample *s, bool lasts)
{
	uint64_t type = s->desc->attr.sample_type;

	if (!(type & SAMPLE_REGS_USER) || !s->user_abi || !s->user_regs)
		return 0;
	if (type & SAMPLE_STACK_USER ? !s->stack_used : !is_link_register(s))
		return 0;
	if (lasts)
		return sizeof(struct user_stack);
	return sizeof(struct user_stack) + reg_bytes(s->user_mask) + s->stack_used;
}

void user_stack_write(const struct sample *s, bool lasts, uint8_t *out)
{
	size_t regs = reg_bytes(s->user_mask);
	struct user_stack head = { .abi = s->user_abi,
				   .mask = s->user_mask,
				   .regs = lasts ? s->user_regs : NULL,
				   .stack = lasts ? s->stack : NULL,
				   .stack_bytes = (uint32_t)s->stack_used,
				   .swap = s->swap };

	memcpy(out, &head, sizeof(head));
	if (lasts)
		return;
	memcpy(out + sizeof(head), s->user_regs, regs);
	if (s->stack_used)
		memcpy(out + sizeof(head) + regs, s->stack, s->stack_used);
}

void user_stack_read(struct user_stack *out, const uint8_t *kept)
{
	memcpy(out, kept, sizeof(*out));
	if (out->regs)
		return;
	out->regs = kept + sizeof(*out);
	out->stack = out->regs + reg_bytes(out->mask);
}
