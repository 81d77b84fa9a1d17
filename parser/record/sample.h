/* PERF_RECORD_SAMPLE, decoded. Pure: no state, no names. */
#ifndef PDTOOL_RECORD_SAMPLE_H
#define PDTOOL_RECORD_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "parser/base/cursor.h"
#include "parser/file/attr.h"
#include "parser/file/stream.h"

/* Fields in the order of the ABI, each there when its bit is in sample_type
 * (include/uapi/linux/perf_event.h, PERF_RECORD_SAMPLE):
 *
 * IDENTIFIER u64 | IP u64 | TID u32 pid, u32 tid | TIME u64 | ADDR u64 | ID u64 | STREAM_ID u64 |
 * CPU u32 cpu, u32 0 | PERIOD u64 | READ read_format | CALLCHAIN u64 nr, u64[nr] | RAW u32 size,
 * bytes | BRANCH_STACK u64 nr, [u64 hw_idx], {from, to, flags}[nr], [u64 counters[nr]] | REGS_USER
 * u64 abi, u64[bits] | STACK_USER u64 size, bytes, u64 dyn_size | WEIGHT u64 | DATA_SRC u64 |
 * TRANSACTION u64 | REGS_INTR as REGS_USER | PHYS_ADDR u64 | CGROUP u64 | DATA_PAGE_SIZE u64 |
 * CODE_PAGE_SIZE u64 | AUX u64 size, bytes
 *
 * Arrays of u64 stay in the file's byte order: read them through sample_u64(). */
struct sample {
	const struct pdt_desc *desc;
	uint64_t offset; /* of the record in the file */
	uint16_t misc;
	bool swap;
	uint64_t ip, time_ns, addr, id, stream_id, period;
	uint32_t pid, tid, cpu;
	bool has_time, has_cpu, has_period;
	const uint8_t *read; /* read_format, READ_SIZE bytes */
	uint32_t read_size;
	const uint8_t *chain; /* chain_nr u64 */
	uint64_t chain_nr;
	const uint8_t *raw;
	uint32_t raw_size;
	const uint8_t *late;	 /* what SAMPLE_LATE tells begins */
	const uint8_t *branches; /* branch_nr times {from, to, flags} */
	uint64_t branch_nr;
	uint64_t stack_size, stack_used; /* of stack[], below */
	/* What follows is set only when sample_type has one of SAMPLE_LATE. */
	uint64_t user_abi, user_mask; /* abi 0: none, 1: 32-bit, 2: 64-bit */
	const uint8_t *user_regs;     /* one u64 for each bit of user_mask */
	const uint8_t *stack; /* stack_size bytes from the stack pointer up; stack_used of them are
				 filled */
	uint64_t intr_abi;
	const uint8_t *intr_regs;
	uint64_t weight, data_src, transaction, phys_addr, cgroup, data_page_size, code_page_size;
	const uint8_t *aux;
	uint64_t aux_size;
};

#define SAMPLE_LATE                                                                    \
	(SAMPLE_REGS_USER | SAMPLE_STACK_USER | SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT | \
	 SAMPLE_DATA_SRC | SAMPLE_TRANSACTION | SAMPLE_REGS_INTR | SAMPLE_PHYS_ADDR |  \
	 SAMPLE_CGROUP | SAMPLE_DATA_PAGE_SIZE | SAMPLE_CODE_PAGE_SIZE | SAMPLE_AUX)

static inline uint64_t sample_u64(const struct sample *s, const uint8_t *array, uint64_t index)
{
	uint64_t v;

	memcpy(&v, array + index * 8, sizeof(v));
	return s->swap ? __builtin_bswap64(v) : v;
}

/* What a sample stands for that does not record its period. */
uint64_t sample_weight(const struct event_attr *attr);

/* Decode RAW into OUT; pointers are into RAW's bytes. ERR_FORMAT when a length in it does not fit
 * or no event owns its id (then OUT->desc is NULL). */
CHECKED int sample_decode(struct sample *out, const struct raw *raw, struct event_list *events);

#endif
