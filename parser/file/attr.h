/* Event descriptions: perf_event_attr and a name; and which description an id in a sample belongs
 * to. */
#ifndef PDTOOL_FILE_ATTR_H
#define PDTOOL_FILE_ATTR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/cursor.h"
#include "parser/base/err.h"
#include "parser/base/idmap.h"

struct file_header;
struct source;

/* OFFSET SIZE MEANING (struct perf_event_attr, include/uapi/linux/perf_event.h)
 *      0    4 type             4    4 size of this struct as the recorder knew it (64 in 2.6.32)
 *      8    8 config          16    8 sample_period, or sample_freq with ATTR_FREQ
 *     24    8 sample_type     32    8 read_format
 *     40    8 flags: one bit each, from the other end on big-endian recorders
 *     48    4 wakeup          52    4 bp_type
 *     56    8 config1         64    8 config2 (72 B, 2.6.33)
 *     72    8 branch_sample_type (80 B, 3.4)
 *     80    8 regs_user       88    4 stack_user  92 4 clockid (96 B, 3.7; clockid 4.1)
 *     96    8 regs_intr (104 B, 3.19)
 *    104    4 aux_watermark  108 2 sample_max_stack (112 B, 4.1; 4.8)
 *    112    4 aux_sample_size (120 B, 5.5), 120 8 sig_data (128 B, 5.13), 128 8 config3 (136
 * B, 6.3) */
struct event_attr {
	uint32_t type;
	uint32_t size;
	uint64_t config;
	uint64_t sample_period;
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t flags; /* ATTR_*, in little-endian numbering whatever the file's order */
	uint64_t config1;
	uint64_t config2;
	uint64_t branch_sample_type;
	uint64_t regs_user;
	uint64_t regs_intr;
	uint32_t stack_user;
	int32_t clockid;
};

struct pdt_desc {
	struct event_attr attr;
	uint32_t index; /* position in the list */
	uint32_t group; /* 1 + that of the leader of its group; 0: none, or a group of one */
	char *name;	/* as the recorder called it, else made from type and config; owned */
	bool named;	/* by the recorder */
	char *alias;	/* simpleperf's own name for it, or NULL; owned */
	char *unit;	/* what perf stat shows it in, "Joules", and that times so much is one; */
	double scale;	/* owned; NULL, 0: not told */
};

struct event_list {
	struct pdt_desc **descs;
	size_t count;
	size_t cap;
	struct idmap by_id; /* id -> index */
	/* the id that was looked up last, and its description; NULL: none yet */
	uint64_t last_id;
	struct pdt_desc *last;
};

void event_list_release(struct event_list *l);
/* Decode the attr at C (its own size field, or the whole cursor when that field makes no sense). */
CHECKED int attr_decode(struct event_attr *out, struct cursor *c, bool big);
/* Append a description; never NULL. */
struct pdt_desc *event_list_add(struct event_list *l, const struct event_attr *attr);
void event_list_add_id(struct event_list *l, const struct pdt_desc *d, uint64_t id);
/* The description that ID belongs to, or NULL. */
struct pdt_desc *event_list_find_id(const struct event_list *l, uint64_t id);
static inline struct pdt_desc *event_list_by_id(struct event_list *l, uint64_t id)
{
	if (l->last && l->last_id == id)
		return l->last;
	l->last_id = id;
	return l->last = event_list_find_id(l, id);
}
/* Does a user who says NAME mean D? By its name, simpleperf's name for it, or a tracepoint's name
 * without its subsystem. */
bool event_desc_is(const struct pdt_desc *d, const char *name);
/* Is D a clock (cpu-clock, task-clock), whose periods are nanoseconds of CPU time? */
static inline bool event_counts_ns(const struct pdt_desc *d)
{
	return d->attr.type == 1 && d->attr.config <= 1;
}
/* Take the recorder's NAME (LEN bytes) for D. */
void event_desc_set_name(struct pdt_desc *d, const char *name, size_t len);
/* simpleperf calls D that. It is D's name unless perf has one, which commands know it by. */
void event_desc_add_alias(struct pdt_desc *d, const char *name, size_t len);
/* Read the attr section of a file-mode capture. */
CHECKED int attrs_read(struct event_list *l, const struct file_header *h, struct source *s,
		       struct warnings *w);

#endif
