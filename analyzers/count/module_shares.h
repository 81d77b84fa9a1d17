/* What share of the samples each module has: where they were, and anywhere in their stacks; and how
 * many of its frames have names. Counts by stack while events flow, so memory follows the stacks.
 *
 * A sample counts 1, whatever its period: captures hold events of several units. Inlined functions
 * are no frames here. */
#ifndef PDTOOL_MODULE_SHARES_H
#define PDTOOL_MODULE_SHARES_H

#include "analyzers/count/samples.h"
#include "parser/filter.h"
#include "parser/pdtool_capture.h"

struct module_share {
	uint64_t named_leaf;
	uint64_t leaf;			     /* samples that were in it */
	uint64_t through;		     /* samples with at least one frame in it */
	uint64_t frames, named;		     /* over all samples */
	uint64_t addresses, named_addresses; /* different ones */
};

/* Why no file can name a frame, whatever file there is. */
enum nameless {
	NAMELESS_CHAIN,	  /* a caller of a recorded chain, in no mapping */
	NAMELESS_UNWOUND, /* a caller found by unwinding, in no mapping */
	NAMELESS_OWN,	  /* where a sample itself was, in no mapping of its process */
	NAMELESS_KERNEL,  /* in the kernel, where neither it nor a module of it is */
	NAMELESS_BEYOND,  /* in a hypervisor, or a program of a guest */
	NAMELESS_STACK,	  /* a sample without any frame */
	NAMELESS_COUNT,
};

/* What is no module comes behind the modules: frames without a mapping, by the CPU's mode (enum
 * cpu_mode), then samples without any frame, which count as one frame without a name. */
struct module_shares {
	struct samples samples; /* of the capture that is being read */
	/* after module_shares_finish() */
	struct module_share *list;
	size_t module_count, count;
	struct module_share all;		   /* sums; through: samples */
	uint64_t nameless[NAMELESS_COUNT];	   /* frames; they are in `all`, too */
	uint64_t nameless_frames, nameless_leaves; /* of `all` */
	uint64_t deep; /* samples with a recorded chain of SHARES_DEEP frames or more */
};

#define SHARES_DEEP 127 /* kernel.perf_event_max_stack, unless it was changed */

void module_shares_event(struct module_shares *m, const struct pdt_event *e);
/* The capture is read and named. Filters by the leaf are applied. */
void module_shares_finish(struct module_shares *m, const struct pdt_session *s);
/* The same of samples that were counted FROM it for another purpose, with numbers, and whether they
 * are of the idle task. */
void module_shares_take(struct module_shares *m, const struct samples *from,
			const struct pdt_session *s);

/* What has no name, of what files can name. */
struct unresolved {
	uint64_t frames, unnamed; /* over all samples */
	double frame_percent, leaf_percent;
};

struct unresolved module_shares_unresolved(const struct module_shares *m);
/* "[no mapping]" ...: what the entry I at or behind module_count stands for. */
const char *module_shares_other(const struct module_shares *m, size_t i);
void module_shares_release(struct module_shares *m);

#endif
