/* Block I/O put together from the events of the block layer (include/trace/events/block.h).
 *
 * The life of a request: allocated (io_start), inserted into a queue, merged with neighbours,
 * issued to the device, perhaps requeued and issued again, completed in one or more parts. Direct
 * issue has no insert. Of a device without requests (dm, md, zram) there are bio_queue and
 * bio_complete. Nothing in the events names the request: they are matched by device, sector and
 * operation, and where several could be meant the newest is taken, as completions get lost. What
 * could not be matched is counted by cause. */
#ifndef PDTOOL_BLOCK_MODEL_H
#define PDTOOL_BLOCK_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzers/count/inflight.h"
#include "parser/filter.h"

enum block_kind {
	BLOCK_IO_START,
	BLOCK_INSERT,
	BLOCK_ISSUE,
	BLOCK_COMPLETE,
	BLOCK_REQUEUE,
	BLOCK_RQ_MERGE,
	BLOCK_BACKMERGE,
	BLOCK_FRONTMERGE,
	BLOCK_BIO_QUEUE,
	BLOCK_BIO_COMPLETE,
	BLOCK_KINDS,
};

#define BLOCK_RWBS 12 /* 6 to 10 bytes, and a NUL */
#define BLOCK_COMM 16
#define BLOCK_OP   3 /* "R", "W", "D", "DE", "F", "N" */

#define BLOCK_NOBODY UINT32_MAX /* for a pid or tid: an interrupt did it */

struct block_event {
	uint64_t time_ns, sector, bytes;
	uint32_t dev, nr_sector;
	uint32_t pid, tid, cpu;
	int32_t error; /* of a completion: not 0 */
	uint8_t kind;
	char rwbs[BLOCK_RWBS];
	struct field_answer fields; /* for the filter by them */
	uint32_t part;		    /* the caller's own; UINT32_MAX: not told */
	const char *comm;	    /* COMM_LEN bytes, valid during the call; NULL: not told */
	size_t comm_len;
};

/* One I/O, finished or under way. Times are 0 where that step was not seen. */
struct block_io {
	uint64_t sector, bytes;
	uint64_t insert_ns; /* the first; that of io_start where nothing was inserted */
	uint64_t issue_ns;  /* the last */
	uint64_t complete_ns;
	uint32_t dev;
	uint32_t pid, tid; /* who submitted it: of the first event seen of it; or BLOCK_NOBODY */
	uint32_t cpu;	   /* where it was issued */
	uint32_t requeues;
	int32_t error;		    /* the first of its completions' */
	struct field_answer fields; /* what all of its events tell the filter */
	uint32_t part;		    /* of the first event that tells it */
	bool sequential; /* begins where the one issued before ended, same device and operation */
	char op[BLOCK_OP];
	char rwbs[BLOCK_RWBS];
	char comm[BLOCK_COMM]; /* the last member */
};

/* How events ended that are no part of a finished I/O, and what the rules had to decide. */
struct block_counts {
	uint64_t events[BLOCK_KINDS];
	uint64_t finished;
	uint64_t uncompleted;	  /* issued, never completed */
	uint64_t unissued;	  /* inserted or started, never issued */
	uint64_t stray_completes; /* without an issue */
	uint64_t stray_requeues;
	uint64_t stray_merges;	 /* of a request that was not inserted */
	uint64_t stray_bios;	 /* bio_complete without a bio_queue */
	uint64_t unended_bios;	 /* of devices that complete bios */
	uint64_t flush_wrappers; /* completions of what a flush was made for; no I/O of their own */
	uint64_t requeues, merges, partial;
	uint64_t ambiguous; /* completions that could have been another's in flight */
	uint64_t timed_out; /* of uncompleted: given up after the time limit */
	uint64_t dropped;   /* given up because too many were under way */
};

struct block_record;
struct block_queue;

struct block_model {
	struct inflight inflight;
	struct block_record *records; /* by slot */
	size_t record_cap;
	struct block_queue *queues; /* by device and operation */
	size_t queue_count, queue_cap;
	size_t queued; /* records that wait for their issue */
	struct block_counts counts;
	/* set by the caller */
	bool oldest_first;   /* of several that could be meant take the oldest */
	uint64_t timeout_ns; /* an issue older than this gets no completion; 0: no limit */
	void (*finished)(void *ctx, const struct block_io *io);
	/* a merge or a requeue, at TIME_NS; may be NULL */
	void (*noted)(void *ctx, const struct block_event *e, const char *op);
	void *ctx;
};

/* INIT clears what the caller set, too. */
void block_model_init(struct block_model *m);
void block_model_release(struct block_model *m);
void block_model_event(struct block_model *m, const struct block_event *e);
/* The capture ended: count what is left, and forget it. */
void block_model_end(struct block_model *m);

/* The operation in RWBS: without the F of a preflush before it, and without flags behind it. */
void block_op(const char *rwbs, char op[BLOCK_OP]);
/* Latencies; false when a time is missing. */
static inline bool block_queue_ns(const struct block_io *io, uint64_t *out)
{
	*out = io->issue_ns - io->insert_ns; /* last issue - first insert */
	return io->insert_ns && io->issue_ns >= io->insert_ns;
}

static inline bool block_device_ns(const struct block_io *io, uint64_t *out)
{
	*out = io->complete_ns - io->issue_ns; /* completion - last issue */
	return io->issue_ns && io->complete_ns >= io->issue_ns;
}

static inline bool block_total_ns(const struct block_io *io, uint64_t *out)
{
	*out = io->complete_ns - io->insert_ns; /* completion - first insert */
	return io->insert_ns && io->complete_ns >= io->insert_ns;
}

#endif
