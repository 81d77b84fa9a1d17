/* Events that are handed out many at a time (pdtool_columns.h). */
#ifndef PDTOOL_BATCH_H
#define PDTOOL_BATCH_H

#include "parser/pdtool_columns.h"

#define COLUMNS_MAX 2048

/* Columns, what they point to, and the payloads that these point to. */
struct batch {
	struct pdt_columns columns;
	uint64_t time_ns[COLUMNS_MAX], weight[COLUMNS_MAX], ip[COLUMNS_MAX];
	const struct pdt_desc *desc[COLUMNS_MAX];
	const uint8_t *raw[COLUMNS_MAX];
	uint32_t raw_size[COLUMNS_MAX];
	uint32_t pid[COLUMNS_MAX], tid[COLUMNS_MAX], cpu[COLUMNS_MAX];
	uint32_t comm[COLUMNS_MAX], stack[COLUMNS_MAX];
	uint32_t other_pid[COLUMNS_MAX], other_tid[COLUMNS_MAX];
	uint8_t mode[COLUMNS_MAX], kind[COLUMNS_MAX], flags[COLUMNS_MAX];
	uint8_t *held[COLUMNS_MAX];
	size_t held_count;
	int rc; /* what stopped the last one */
};

/* enum pdt_event_flag */
uint8_t event_flags(const struct pdt_event *e);

struct batch *batch_new(void);
/* One more, for which there is room. */
void batch_add(struct batch *b, const struct pdt_event *e);

#endif
