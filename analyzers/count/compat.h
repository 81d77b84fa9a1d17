/* The seam to another program's way of counting and printing, for output that is to equal its own
 * (--compat): one table of functions. analyzers/compat has the tables; who is given one asks it
 * where pdtool's own way would differ, and nowhere else knows what the other program does. */
#ifndef PDTOOL_COMPAT_H
#define PDTOOL_COMPAT_H

#include "parser/base/buf.h"
#include "parser/base/quirks.h"
#include "parser/pdtool_module.h"

/* What the root frame shows. */
enum compat_label { COMPAT_COMM, COMPAT_PID, COMPAT_TID };

/* Of the line of a sample, what its event does not tell. */
struct compat_line {
	const char *comm; /* ":TID" where there is none */
	enum compat_label kind;
	size_t event_width; /* of the longest name of an event */
};

/* One function of a call chain. */
struct compat_frame {
	const char *symbol; /* readable name, NULL: [unknown] */
	const char *dso;    /* NULL: [unknown] */
	uint64_t offset;    /* from the symbol's start */
	uint64_t addr;	    /* as perf prints it */
};

struct compat_options {
	bool kernel, jit, addrs;
	bool java; /* the label begins with "java" */
};

struct compat {
	struct quirks quirks;
	/* Is E, with the stack K, passed over? */
	bool (*drops)(const struct pdt_event *e, struct pdt_stack k);
	/* Do events of D count whichever event is wanted? Otherwise by their whole name. */
	bool (*always_counts)(const struct pdt_desc *d);
	/* What E counts for, of which WEIGHT was recorded. */
	uint64_t (*weight)(const struct pdt_event *e);
	/* Does the text of COMM need to be looked at? If not, it is the label. */
	bool (*comm_is_odd)(const char *comm);
	/* Append the root frame of E, a sample with LINE; *WEIGHT becomes what it counts for.
	 * False: E is dropped. */
	bool (*label)(const struct pdt_event *e, const struct compat_line *line, struct buf *out,
		      uint64_t *weight);
	/* How many frames of K are looked at; 0: all. */
	unsigned (*frames_max)(struct pdt_stack k);
	/* Has K none? */
	bool (*no_frames)(struct pdt_stack k);
	/* Append the frames that one function becomes, each ended by a NUL; returns how many. */
	unsigned (*frames)(const struct compat_frame *f, const struct compat_options *o,
			   struct buf *out);
};

extern const struct compat compat_stackcollapse; /* perf script | stackcollapse-perf.pl */
#endif
