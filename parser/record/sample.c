/* Decode a sample's fields in ABI order. Every length is compared with what remains before it is
 * used. */
#include "parser/record/sample.h"
#include "parser/base/abi.h"
#include "parser/record/record.h"

#include <string.h>

/* Take COUNT elements of SIZE bytes. */
static const uint8_t *take_array(struct cursor *c, uint64_t count, size_t size)
{
	if (count > cursor_left(c) / size) {
		c->bad = true;
		c->pos = c->end;
		return NULL;
	}
	return cursor_take(c, (size_t)count * size);
}

static void take_read(struct sample *s, struct cursor *c, uint64_t format)
{
	unsigned extra = !!(format & FORMAT_TIME_ENABLED) + !!(format & FORMAT_TIME_RUNNING);
	unsigned each = 1 + !!(format & FORMAT_ID) + !!(format & FORMAT_LOST);

	s->read = c->pos;
	if (format & FORMAT_GROUP) {
		uint64_t nr = cursor_u64(c);

		cursor_skip(c, extra * 8);
		(void)take_array(c, nr, each * 8);
	} else {
		cursor_skip(c, (extra + each) * 8);
	}
	s->read_size = (uint32_t)(c->pos - s->read);
}

static void take_branches(struct sample *s, struct cursor *c, uint64_t branch_type)
{
	s->branch_nr = cursor_u64(c);
	if (branch_type & BRANCH_HW_INDEX)
		cursor_skip(c, 8);
	s->branches = take_array(c, s->branch_nr, 24);
	if (branch_type & BRANCH_COUNTERS)
		(void)take_array(c, s->branch_nr, 8);
	if (!s->branches)
		s->branch_nr = 0;
}

static void take_stack(struct sample *s, struct cursor *c)
{
	s->stack_size = cursor_u64(c);
	if (!s->stack_size)
		return;
	s->stack = take_array(c, s->stack_size, 1);
	s->stack_used = cursor_u64(c);
	if (s->stack_used > s->stack_size)
		s->stack_used = s->stack_size;
}

static const uint8_t *take_regs(struct cursor *c, uint64_t *abi, uint64_t mask)
{
	*abi = cursor_u64(c);
	return *abi ? take_array(c, (uint64_t)__builtin_popcountll(mask), 8) : NULL;
}

static void take_fixed(struct sample *s, struct cursor *c, uint64_t type)
{
	if (type & SAMPLE_IDENTIFIER)
		s->id = cursor_u64(c);
	if (type & SAMPLE_IP)
		s->ip = cursor_u64(c);
	if (type & SAMPLE_TID) {
		s->pid = cursor_u32(c);
		s->tid = cursor_u32(c);
	}
	if (type & SAMPLE_TIME)
		s->time_ns = cursor_u64(c);
	if (type & SAMPLE_ADDR)
		s->addr = cursor_u64(c);
	if (type & SAMPLE_ID)
		s->id = cursor_u64(c);
	if (type & SAMPLE_STREAM_ID)
		s->stream_id = cursor_u64(c);
	if (type & SAMPLE_CPU) {
		s->cpu = cursor_u32(c);
		cursor_skip(c, 4);
	}
	if (type & SAMPLE_PERIOD)
		s->period = cursor_u64(c);
	s->has_time = type & SAMPLE_TIME;
	s->has_cpu = type & SAMPLE_CPU;
	s->has_period = type & SAMPLE_PERIOD;
}

static void take_late(struct sample *s, struct cursor *c, const struct event_attr *attr)
{
	uint64_t type = attr->sample_type;

	memset(&s->user_abi, 0, sizeof(*s) - offsetof(struct sample, user_abi));
	if (type & SAMPLE_REGS_USER) {
		s->user_mask = attr->regs_user;
		s->user_regs = take_regs(c, &s->user_abi, attr->regs_user);
	}
	if (type & SAMPLE_STACK_USER)
		take_stack(s, c);
	if (type & (SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT))
		s->weight = cursor_u64(c);
	if (type & SAMPLE_DATA_SRC)
		s->data_src = cursor_u64(c);
	if (type & SAMPLE_TRANSACTION)
		s->transaction = cursor_u64(c);
	if (type & SAMPLE_REGS_INTR)
		s->intr_regs = take_regs(c, &s->intr_abi, attr->regs_intr);
	if (type & SAMPLE_PHYS_ADDR)
		s->phys_addr = cursor_u64(c);
	if (type & SAMPLE_CGROUP)
		s->cgroup = cursor_u64(c);
	if (type & SAMPLE_DATA_PAGE_SIZE)
		s->data_page_size = cursor_u64(c);
	if (type & SAMPLE_CODE_PAGE_SIZE)
		s->code_page_size = cursor_u64(c);
	if (type & SAMPLE_AUX) {
		s->aux_size = cursor_u64(c);
		s->aux = take_array(c, s->aux_size, 1);
	}
}

uint64_t sample_weight(const struct event_attr *attr)
{
	return attr->flags & ATTR_FREQ || !attr->sample_period ? 1 : attr->sample_period;
}

int sample_decode(struct sample *s, const struct raw *raw, struct event_list *events)
{
	struct cursor c = raw->body;
	const struct event_attr *attr;
	uint64_t type;

	memset(s, 0, offsetof(struct sample, user_abi));
	s->pid = s->tid = UINT32_MAX; /* not told */
	s->desc = event_of_sample(events, raw);
	if (!s->desc)
		return ERR_FORMAT;
	attr = &s->desc->attr;
	type = attr->sample_type;
	s->offset = raw->offset;
	s->misc = raw->misc;
	s->swap = c.swap;
	take_fixed(s, &c, type);
	if (type & SAMPLE_READ)
		take_read(s, &c, attr->read_format);
	if (type & SAMPLE_CALLCHAIN) {
		s->chain_nr = cursor_u64(&c);
		s->chain = take_array(&c, s->chain_nr, 8);
	}
	if (type & SAMPLE_RAW) {
		s->raw_size = cursor_u32(&c);
		s->raw = take_array(&c, s->raw_size, 1);
	}
	if (type & SAMPLE_BRANCH_STACK)
		take_branches(s, &c, attr->branch_sample_type);
	s->late = c.pos;
	if (type & SAMPLE_LATE)
		take_late(s, &c, attr);
	if (!s->has_period)
		s->period = sample_weight(attr);
	return c.bad ? ERR_FORMAT : 0;
}
