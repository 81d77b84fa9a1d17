/* What was kept of a sample's branches and registers (feed/extras.h), in this host's terms. */
#include "parser/library/door.h"
#include "parser/pdtool_record.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/feed/extras.h"
#include "parser/file/nodes.h"
#include "parser/session/inside.h"

#include <string.h>

/* PERF_BR_MAX, and PERF_BR_EXTEND_ABI: the type is a further one */
#define BRANCH_TYPES	 16
#define BRANCH_TYPE_MORE 15

static uint64_t number(const uint8_t *array, size_t i, bool swap)
{
	uint64_t v;

	memcpy(&v, array + i * 8, sizeof(v));
	return swap ? __builtin_bswap64(v) : v;
}

/* COUNT bits of FLAGS from BIT on. C's bit fields begin with the lowest bit, and in a file from a
 * big-endian machine with the highest (linux/perf_event.h, struct perf_branch_entry). */
static unsigned bits(uint64_t flags, unsigned bit, unsigned count, bool big)
{
	return (unsigned)(flags >> (big ? 64 - bit - count : bit)) & ((1u << count) - 1);
}

/* BIT COUNT MEANING: 0 1 mispredicted, 1 1 predicted, 2 1 in transaction, 3 1 aborted, 4 16 cycles
 * (4.3), 20 4 type (4.14), 24 2 speculation, 26 4 further type, 30 3 privilege (6.1). */
static struct pdt_branch branch_of(const uint8_t *raw, bool swap, bool big)
{
	uint64_t flags = number(raw, 2, swap);
	unsigned type = bits(flags, 20, 4, big);

	return (struct pdt_branch){
		.from = number(raw, 0, swap),
		.to = number(raw, 1, swap),
		.cycles = (uint16_t)bits(flags, 4, 16, big),
		.type = (uint8_t)(type == BRANCH_TYPE_MORE ? BRANCH_TYPES + bits(flags, 26, 4, big)
							   : type),
		.spec = (uint8_t)bits(flags, 24, 2, big),
		.privilege = (uint8_t)bits(flags, 30, 3, big),
		.mispredicted = bits(flags, 0, 1, big),
		.predicted = bits(flags, 1, 1, big),
		.in_transaction = bits(flags, 2, 1, big),
		.aborted = bits(flags, 3, 1, big),
	};
}

static bool extras_of(const struct pdt_session *s, struct extras *out)
{
	if (!s->session || !s->session->extras)
		return false;
	extras_read(out, s->session->extras);
	return true;
}

size_t pdt_branches(const struct pdt_session *s, const struct pdt_branch **list)
{
	struct extras e;

	*list = NULL;
	if (!extras_of(s, &e) || !s->session->branches)
		return 0;
	for (size_t i = 0; i < e.branch_count; i++)
		s->session->branches[i] = branch_of(e.branches + i * BRANCH_BYTES, e.swap,
						    s->session->readers.capture.header.big);
	*list = s->session->branches;
	return e.branch_count;
}

int pdt_registers(const struct pdt_session *s, int user, struct pdt_registers *out)
{
	const uint8_t *from;
	struct extras e;

	*out = (struct pdt_registers){ 0 };
	if (!extras_of(s, &e))
		return 0;
	from = user ? e.user_regs : e.intr_regs;
	out->abi = user ? e.user_abi : e.intr_abi;
	out->mask = user ? e.user_mask : e.intr_mask;
	out->values = s->session->registers[!user];
	for (int i = 0; out->abi && i < __builtin_popcountll(out->mask); i++)
		s->session->registers[!user][i] = number(from, (size_t)i, e.swap);
	return out->mask != 0;
}

int pdt_counter(const struct pdt_session *s, const struct pdt_event *e, struct pdt_counter *out)
{
	bool is = s->session && e->kind == PDT_COUNTER;

	*out = is ? s->session->counter : (struct pdt_counter){ 0 };
	return is;
}

int pdt_round(const struct pdt_session *s, const struct pdt_event *e, struct pdt_round *out)
{
	bool is = s->session && e->kind == PDT_ROUND;

	*out = is ? s->session->round : (struct pdt_round){ 0 };
	return is;
}

int pdt_stat_config(const struct pdt_session *s, enum pdt_stat_config what, uint64_t *out)
{
	const struct counters *c = s->session ? &s->session->readers.in.counters : NULL;

	*out = c && (unsigned)what < PDT_STAT_CONFIGS ? c->config[what] : 0;
	return c && (unsigned)what < PDT_STAT_CONFIGS && c->has_config[what];
}

const char *pdt_counted_thread(const struct pdt_session *s, uint32_t thread, uint32_t *tid)
{
	const struct counters *c = s->session ? &s->session->readers.in.counters : NULL;
	const struct counted_thread *t = c && thread < c->thread_count ? &c->threads[thread] : NULL;

	*tid = t ? t->tid : PDT_NONE;
	return t ? t->comm : NULL;
}

struct pdt_cpu_place pdt_cpu_place(const struct pdt_session *s, uint32_t cpu)
{
	const struct capture_meta *m = s->session ? &s->session->readers.capture.meta : NULL;
	const struct cpu_place *p = m && cpu < m->cpu_place_count ? &m->cpu_places[cpu] : NULL;

	return p ? (struct pdt_cpu_place){ p->socket, p->die, p->core }
		 : (struct pdt_cpu_place){ -1, -1, -1 };
}

int32_t pdt_cpu_node(const struct pdt_session *s, uint32_t cpu)
{
	return s->session ? nodes_find(s->session->readers.capture.meta.cpu_nodes, cpu) : -1;
}

int32_t pdt_memory_node(const struct pdt_session *s, uint64_t phys_addr)
{
	return s->session ? nodes_find(s->session->readers.capture.meta.memory_nodes, phys_addr)
			  : -1;
}

int pdt_namespace(const struct pdt_session *s, uint32_t tid, int kind, uint64_t *device,
		  uint64_t *inode)
{
	uint64_t id[2] = { 0 };
	int is = s->session && kind >= 0 && session_namespace(s->session, tid, (unsigned)kind, id);

	*device = id[0];
	*inode = id[1];
	return is;
}

/* PERF_BR_* (tools/perf/util/branch.c) */
const char *pdt_branch_type(const struct pdt_branch *b)
{
	static const char *const names[] = {
		"",	      "COND",	 "UNCOND", "IND",	"CALL",	      "IND_CALL",
		"RET",	      "SYSCALL", "SYSRET", "COND_CALL", "COND_RET",   "ERET",
		"IRQ",	      "SERROR",	 "NO_TX",  "",		"FAULT_ALGN", "FAULT_DATA",
		"FAULT_INST", "ARCH_1",	 "ARCH_2", "ARCH_3",	"ARCH_4",     "ARCH_5",
	};

	return b->type < ARRAY_SIZE(names) ? names[b->type] : "";
}
