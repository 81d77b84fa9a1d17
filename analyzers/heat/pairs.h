/* Two events that belong together, by a key that both have: a call and its return, a request and
 * its answer. Where the key is the thread, it is in one at a time: what it had begun before cannot
 * end any more. What is in an interrupt is of the CPU, and of the interrupt's number where that is
 * told, not of the thread that it hit: interrupts nest. Of several begun with another key the
 * newest is ended, as ends get lost. What began before records were lost may have ended among
 * these: such a pair is two halves, perhaps. */
#ifndef PDTOOL_PAIRS_H
#define PDTOOL_PAIRS_H

#include "analyzers/count/inflight.h"
#include "analyzers/count/interrupt.h"
#include "analyzers/heat/picked.h"
#include "parser/base/intern.h"

/* What is kept of a begin: its pair is the doing of this thread. */
struct pair_begin {
	uint64_t time_ns;
	uint32_t pid, tid, comm;
	uint32_t part;	   /* id in pairs.parts of what parts pairs; INTERN_NONE: not told */
	uint8_t interrupt; /* enum interrupt: then it is not the thread's doing */
	bool has_call;
	uint64_t call;		    /* the number of the system call */
	struct field_answer fields; /* what its event tells the filter */
};

struct pairs {
	struct picked begin, end;
	struct picked part[2];	/* what parts pairs, of the one or the other event */
	struct picked calls[2]; /* the number of the system call, and what it returned */
	struct inflight inflight;
	struct pair_begin *begun; /* by slot */
	size_t begun_cap;
	struct intern parts;
	bool oldest_first;
	bool by_thread;		  /* the key is the thread and nothing else */
	struct picked numbers[2]; /* of interrupts */
	bool parted;		  /* by a field: see part */
	uint64_t lost_ns;
	uint64_t begins, ends, matched;
	uint64_t stray_ends; /* without a begin */
	uint64_t unended;    /* begins without an end */
	uint64_t restarted;  /* begins dropped, as their thread began again */
	uint64_t other_call; /* ends of another system call than was begun: both are dropped */
	uint64_t restarts;   /* pairs that the kernel made two or more of one call */
	uint64_t across;     /* pairs dropped, as records were lost in between */
	uint64_t across_ns;  /* the longest of them */
	uint64_t keyless;    /* events whose key could not be read */
	uint64_t nested;     /* ends that could have been another's */
};

void pairs_init(struct pairs *p);
void pairs_release(struct pairs *p);
/* What to pair: EVENTS are the patterns of the begins and the ends, KEY the fields of each; none:
 * the thread. PART, a field, parts them; NULL: none does. All must live as long as P. */
void pairs_pick(struct pairs *p, const char *const events[2], const struct name_list key[2],
		const char *part);
/* Take E. True when it ends what *BEGIN says. */
bool pairs_event(struct pairs *p, const struct pdt_event *e, const struct pdt_session *s,
		 struct pair_begin *begin);
/* Records were lost before TIME_NS. */
void pairs_lost(struct pairs *p, uint64_t time_ns);
/* The capture is read. */
void pairs_end(struct pairs *p);

#endif
