/* Where the trace of each buffer lies in a capture: what its AUXTRACE records hold, found by one
 * look at all of it before anything is decoded. None of it is kept but the places.
 *
 * Sources: struct perf_record_auxtrace and perf_record_auxtrace_info of perf
 * (tools/lib/perf/include/perf/event.h); tools/perf/util/auxtrace.c: a piece is padded to 8 bytes,
 * so the next one may begin up to 7 bytes before its end. */
#ifndef PDTOOL_TRACE_AUXDATA_H
#define PDTOOL_TRACE_AUXDATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/err.h"
#include "parser/base/idmap.h"

struct source;

/* PERF_AUXTRACE_INTEL_PT */
#define AUX_INTEL_PT 1

#define AUX_PIECES_MAX (1u << 20)
#define AUX_QUEUES_MAX (1u << 14) /* each is a mapping, of which there are 65530 */
#define AUX_INFO_MAX   32

/* OFFSET SIZE MEANING of AUXTRACE (perf 4.1), behind the header
 *      0    8 size of what follows the record  8 8 offset in the trace of the buffer
 *     16    8 reference  24 4 idx  28 4 tid (-1: all)  32 4 cpu (-1: any)  36 4 reserved */
struct aux_piece {
	uint64_t at;	 /* of its bytes in the capture */
	uint64_t size;	 /* bytes */
	uint64_t offset; /* in the trace of its buffer */
	uint32_t queue;
};

/* One buffer: of a CPU, or of a thread. */
struct aux_queue {
	uint32_t idx, tid, cpu; /* UINT32_MAX: any */
	uint64_t bytes, pieces;
};

/* All zero is empty. */
struct aux_data {
	bool has_info;
	uint32_t type; /* of the trace: AUX_INTEL_PT ... */
	uint64_t info[AUX_INFO_MAX];
	size_t info_count;
	struct aux_piece *pieces; /* in the order of the file */
	size_t count, cap;
	struct aux_queue *queues;
	size_t queue_count, queue_cap;
	struct idmap by_idx;
	uint64_t left_out; /* pieces past AUX_PIECES_MAX or AUX_QUEUES_MAX */
};

/* Look at all of S, which can seek, and go back to its beginning. What is damaged is said when it
 * is read, not here. */
CHECKED int aux_data_read(struct aux_data *a, struct source *s);
void aux_data_release(struct aux_data *a);

/* A stretch of the trace of one queue without a hole, in memory that the kernel may take back:
 * mapped from a temporary file. */
struct aux_run {
	uint8_t *data;
	size_t size, mapped;
	size_t let_go; /* its first bytes that need not be in memory */
};

/* The stretch of queue QUEUE that begins with piece *NEXT or behind it; *NEXT becomes the piece
 * behind it. 1; 0: there is none; ERR_IO, with errno. */
CHECKED int aux_run_open(struct aux_run *r, const struct aux_data *a, struct source *s,
			 uint32_t queue, size_t *next);
void aux_run_close(struct aux_run *r);
/* It is read up to POS, and not again before that. */
void aux_run_done(struct aux_run *r, size_t pos);

#endif
