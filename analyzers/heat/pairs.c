/* Keeps what has begun under its key until its end comes. The number of open ones is bounded
 * by inflight.h; the oldest gives way and is counted. */
#include "analyzers/heat/pairs.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define WALK_MAX  256 /* so many with one key are looked at for the oldest */
#define PARTS_MAX 4096

void pairs_init(struct pairs *p)
{
	memset(p, 0, sizeof(*p));
	inflight_init(&p->inflight);
}

void pairs_release(struct pairs *p)
{
	picked_release(&p->begin);
	picked_release(&p->end);
	for (size_t i = 0; i < 2; i++) {
		picked_release(&p->part[i]);
		picked_release(&p->calls[i]);
		picked_release(&p->numbers[i]);
	}
	inflight_release(&p->inflight);
	intern_release(&p->parts);
	free(p->begun);
}

/* ---- what to pair ---- */

static bool is_thread(const struct picked *side)
{
	return side->name_count == 1 &&
	       (!strcmp(side->names[0], "thread") || !strcmp(side->names[0], "tid"));
}

void pairs_pick(struct pairs *p, const char *const events[2], const struct name_list key[2],
		const char *part)
{
	struct picked *sides[] = { &p->begin, &p->end };

	for (size_t i = 0; i < ARRAY_SIZE(sides); i++) {
		sides[i]->pattern = events[i];
		picked_fields(sides[i], &key[i]);
		if (!key[i].count)
			picked_field(sides[i], "thread");
		if (part)
			picked_field(&p->part[i], part);
	}
	p->parted = part != NULL;
	p->by_thread = is_thread(&p->begin) && is_thread(&p->end);
}

/* ---- pairing ---- */

/* The fields that tell one interrupt from another that it interrupts: of irq, of irq_vectors. */
static const char *const number_fields[] = { "irq", "vec", "vector" };

static struct inflight_key interrupt_key(struct pairs *p, const struct picked *side,
					 const struct pdt_event *e, enum interrupt context)
{
	struct picked *n = &p->numbers[side == &p->end];
	const struct picked_binding *b;
	uint64_t h[2] = { HASH_K0 ^ context, HASH_K1 };

	for (size_t k = n->name_count; k < ARRAY_SIZE(number_fields); k++)
		picked_field(n, number_fields[k]);
	b = picked_bind(n, e);
	h[0] = hash_fold(h[0] ^ e->cpu, HASH_K3);
	for (size_t k = 0; b && k < ARRAY_SIZE(number_fields); k++) {
		if (b->fields[k].source == PICKED_FIELD)
			(void)picked_hash(&b->fields[k], e, h);
	}
	return (struct inflight_key){ h[0], h[1] };
}

static bool key_of(struct pairs *p, const struct picked *side, const struct picked_binding *b,
		   const struct pdt_event *e, struct inflight_key *out)
{
	enum interrupt context =
		p->by_thread && e->has_cpu ? interrupt_of_event(e, b->flags) : INTERRUPT_NONE;
	uint64_t h[2] = { HASH_K0, HASH_K1 };

	if (context) {
		*out = interrupt_key(p, side, e, context);
		return true;
	}
	for (size_t i = 0; i < side->name_count; i++) {
		if (!picked_hash(&b->fields[i], e, h)) {
			p->keyless++;
			return false;
		}
	}
	*out = (struct inflight_key){ h[0], h[1] };
	return true;
}

/* What parts the pair, as one of its two events tells. */
static uint32_t part_of(struct pairs *p, size_t side, const struct pdt_event *e,
			const struct pdt_session *s)
{
	const struct picked_binding *b = p->parted ? picked_bind(&p->part[side], e) : NULL;
	struct buf text = { 0 };
	uint32_t id = INTERN_NONE;

	if (b && picked_text(&b->fields[0], e, s, &text))
		id = p->parts.count < PARTS_MAX ? intern_add(&p->parts, text.data, text.len)
						: intern_add(&p->parts, "other", 5);
	buf_release(&text);
	return id;
}

/* The fields that tell system calls. A call that sigreturn comes back to has the number -1 (kernel:
 * syscall_get_nr() of orig_ax), which may be any. */
enum { CALL_ID, CALL_NR, CALL_OLD_NR, CALL_RETURNED, CALL_FIELDS };
static const char *const call_fields[CALL_FIELDS] = { "id", "__syscall_nr", "nr", "ret" };

/* The fields of a system call that E enters or leaves; NULL: it is none, or threads are not paired.
 */
static const struct picked_binding *call_of(struct pairs *p, size_t side, const struct pdt_event *e)
{
	const char *event = pdt_desc_name(e->desc);
	struct picked *c = &p->calls[side];

	if (!p->by_thread ||
	    (strncmp(event, "raw_syscalls:", 13) && strncmp(event, "syscalls:", 9)))
		return NULL;
	for (size_t i = c->name_count; i < CALL_FIELDS; i++)
		picked_field(c, call_fields[i]);
	return picked_bind(c, e);
}

static bool call_number(const struct picked_binding *b, const struct pdt_event *e, uint64_t *out)
{
	bool negative;

	for (size_t i = CALL_ID; b && i <= CALL_OLD_NR; i++) {
		if (b->fields[i].source == PICKED_FIELD &&
		    picked_number(&b->fields[i], e, out, &negative))
			return !negative;
	}
	return false;
}

/* Did it end with one of the errors for which the kernel enters it anew (include/linux/errno.h)? */
static bool is_restarted(const struct picked_binding *b, const struct pdt_event *e)
{
	uint64_t returned;
	bool negative;

	if (!b || b->fields[CALL_RETURNED].source != PICKED_FIELD ||
	    !picked_number(&b->fields[CALL_RETURNED], e, &returned, &negative))
		return false;
	return (int64_t)returned >= -516 && (int64_t)returned <= -512 && (int64_t)returned != -515;
}

/* May what began as *BEGIN have ended with E? */
static bool belongs(struct pairs *p, const struct pair_begin *begin, const struct pdt_event *e)
{
	const struct picked_binding *b = begin->has_call ? call_of(p, 1, e) : NULL;
	uint64_t call, ns = e->time_ns - begin->time_ns;

	if (call_number(b, e, &call) && call != begin->call) {
		p->other_call++;
		return false;
	}
	if (p->lost_ns > begin->time_ns) {
		p->across++;
		p->across_ns = ns > p->across_ns ? ns : p->across_ns;
		return false;
	}
	p->restarts += is_restarted(b, e);
	return true;
}

static bool take_end(struct pairs *p, struct inflight_key key, const struct pdt_event *e,
		     struct pair_begin *begin)
{
	uint32_t slot = inflight_find(&p->inflight, key), older;

	p->ends++;
	if (slot == INFLIGHT_NONE) {
		p->stray_ends++;
		return false;
	}
	older = inflight_older(&p->inflight, slot);
	p->nested += older != INFLIGHT_NONE;
	for (unsigned i = 0; p->oldest_first && older != INFLIGHT_NONE && i < WALK_MAX; i++) {
		slot = older;
		older = inflight_older(&p->inflight, slot);
	}
	*begin = p->begun[slot];
	inflight_remove(&p->inflight, slot);
	if (!belongs(p, begin, e))
		return false;
	p->matched++;
	return true;
}

static void take_begin(struct pairs *p, struct inflight_key key, const struct pair_begin *begin)
{
	uint32_t slot = p->by_thread ? inflight_find(&p->inflight, key) : INFLIGHT_NONE;

	p->begins++;
	if (slot != INFLIGHT_NONE) {
		p->restarted++;
		inflight_remove(&p->inflight, slot);
	}
	if (inflight_full(&p->inflight)) {
		p->unended++;
		inflight_remove(&p->inflight, p->inflight.oldest);
	}
	slot = inflight_add(&p->inflight, key);
	p->begun = xgrow(p->begun, &p->begun_cap, slot + 1, sizeof(*p->begun));
	p->begun[slot] = *begin;
}

bool pairs_event(struct pairs *p, const struct pdt_event *e, const struct pdt_session *s,
		 struct pair_begin *begin)
{
	const struct picked_binding *ends, *begins;
	struct inflight_key key;
	bool matched = false;

	p->begin.of = p->end.of = s;
	ends = picked_bind(&p->end, e);
	begins = picked_bind(&p->begin, e);

	/* an event that is meant by both ends one and begins the next */
	if (ends && key_of(p, &p->end, ends, e, &key))
		matched = take_end(p, key, e, begin);
	if (matched && p->parted && begin->part == INTERN_NONE)
		begin->part = part_of(p, 1, e, s);
	if (begins && key_of(p, &p->begin, begins, e, &key)) {
		struct pair_begin next = { .time_ns = e->time_ns,
					   .pid = e->pid,
					   .tid = e->tid,
					   .comm = e->comm,
					   .fields = filter_ask(s, e),
					   .part = part_of(p, 0, e, s),
					   .interrupt =
						   (uint8_t)interrupt_of_event(e, begins->flags) };

		next.has_call = call_number(call_of(p, 0, e), e, &next.call);
		take_begin(p, key, &next);
	}
	return matched;
}

void pairs_lost(struct pairs *p, uint64_t time_ns)
{
	p->lost_ns = time_ns > p->lost_ns ? time_ns : p->lost_ns;
}

void pairs_end(struct pairs *p)
{
	p->unended += p->inflight.used;
	inflight_release(&p->inflight);
}
