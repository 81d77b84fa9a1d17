/* Events many at a time, as columns: for whoever works on whole arrays, or in several threads. What
 * session_next() hands out one by one stands here side by side, under the same names and with the
 * same meaning (event.h); where a batch ends means nothing.
 *
 * They are a view: inside, samples wait as rows (feed/order.h), since time order moves whole rows.
 */
#ifndef PDTOOL_COLUMNS_H
#define PDTOOL_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#define COLUMNS_MAX 2048

struct pdt_desc;
struct session;

enum event_flags {
	EVENT_HAS_CPU = 1,
	EVENT_HAS_TIME = 2,
	EVENT_PREEMPTED = 4,
	EVENT_EXEC = 8,
	EVENT_EXACT = 16,
	EVENT_APART = 32,
};

struct event_columns {
	size_t count; /* at least 1 */
	uint64_t time_ns[COLUMNS_MAX], weight[COLUMNS_MAX], ip[COLUMNS_MAX];
	const struct pdt_desc *desc[COLUMNS_MAX];
	const uint8_t *raw[COLUMNS_MAX]; /* the payload's bytes, raw_size of them; NULL: none */
	uint32_t raw_size[COLUMNS_MAX];
	uint32_t pid[COLUMNS_MAX], tid[COLUMNS_MAX], cpu[COLUMNS_MAX];
	uint32_t comm[COLUMNS_MAX], stack[COLUMNS_MAX];
	uint32_t other_pid[COLUMNS_MAX], other_tid[COLUMNS_MAX];
	uint8_t mode[COLUMNS_MAX], kind[COLUMNS_MAX];
	uint8_t flags[COLUMNS_MAX]; /* enum event_flags */
};

/* As session_next(), and in turn with it if that is wanted: 1: *OUT is the next events, the
 * session's own, valid until the next call; 0: the end; negative: nothing more can be read. */
__attribute__((warn_unused_result)) int session_columns(struct session *s,
							const struct event_columns **out);

#endif
