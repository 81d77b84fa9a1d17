/* From the packets of Intel PT to what was run: libipt's instruction flow decoder over one stretch
 * of trace, loaded when it is first asked for. Nothing of its interface goes further than here.
 *
 * The trace and the code that it is followed through are untrusted. Where packets and code do not
 * fit, that is an event, and it goes on at the next point of synchronisation (PSB). The work is
 * bounded by the bytes of trace: see FLOW_INSNS_*.
 *
 * Source: Intel SDM volume 3, "Intel Processor Trace"; libipt's intel-pt.h. */
#ifndef PDTOOL_TRACE_PTFLOW_H
#define PDTOOL_TRACE_PTFLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A loop that no packet comes from never ends. */
#define FLOW_INSNS_SILENT (1u << 20) /* instructions between two packets, at most */
#define FLOW_INSNS_BYTE	  4096	     /* for each byte of trace, ... */
#define FLOW_INSNS_BEGIN  (1u << 24) /* ... and so many more */
#define FLOW_CODE_BYTES	  16	     /* asked for at most at a time */

struct flow;

struct flow_options {
	const uint8_t *data;
	size_t size;
	/* family, model, stepping; 0: not known */
	uint16_t family;
	uint8_t model, stepping;
	uint8_t mtc_freq; /* the interval of MTC packets: 2^N ticks of the crystal clock */
	uint8_t nom_freq; /* of the TSC, in 100 MHz; 0: not known */
	uint32_t tsc_ctc_n, tsc_ctc_d; /* TSC ticks to those of the crystal clock; 0: not known */
	bool cycles;		       /* are they wanted? */
	/* LEN bytes (at most FLOW_CODE_BYTES) of code at IP to TO: returns how many there are. */
	size_t (*code)(void *ctx, uint64_t ip, uint8_t *to, size_t len);
	void *ctx;
};

enum flow_kind {
	FLOW_INSN,   /* at FROM: it is no branch, or one that was not taken */
	FLOW_BRANCH, /* FROM to TO: 0: where tracing is not enabled */
	FLOW_ERROR,
};

/* What a branch is: PDT_FLOW_* of pdtool_record.h. */
struct flow_event {
	enum flow_kind kind;
	uint32_t flags;
	uint64_t from, to; /* of an error FROM is where it was, as far as that is known */
	uint64_t tsc;	   /* 0: not known */
	uint64_t offset;   /* of the packets in the stretch, about */
	int error;	   /* enum flow_error */
	uint8_t insn_size;
	/* from the beginning of the stretch up to it: instructions, and cycles of the traced code
	 * as CYC packets tell them */
	uint64_t insns, cycles;
	bool counts; /* it is the first one that a packet tells of since there were more cycles */
};

enum flow_error {
	FLOW_NO_CODE,	/* what was run there is not at hand */
	FLOW_BAD_TRACE, /* packets that are none, or make no sense */
	FLOW_MISMATCH,	/* code and packets do not fit */
	FLOW_OVERFLOW,	/* the processor lost some, as it says itself */
	FLOW_ENDLESS,	/* a bound above */
	FLOW_NO_SYNC,	/* bytes that no PSB comes before */
	FLOW_ERRORS
};

/* Is the library here? It is loaded now. */
bool flow_library(void);
/* NULL: the library is not here, or refuses this processor. What O points to must outlive it. */
struct flow *flow_new(const struct flow_options *o);
void flow_free(struct flow *f);
enum flow_answer { FLOW_ENDS, FLOW_COMES, FLOW_LATER };
/* FLOW_COMES: *OUT is what comes next; FLOW_ENDS: the stretch does; FLOW_LATER: the time that is
 * known by now is past UNTIL, in ticks of the TSC, or none is known and UNTIL is not UINT64_MAX.
 * What code is then there is not asked yet. *OUT may be later than UNTIL. */
enum flow_answer flow_next(struct flow *f, uint64_t until, struct flow_event *out);
/* How far in the stretch it has read. */
size_t flow_position(const struct flow *f);

#endif
