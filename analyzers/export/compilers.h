/* What compilers and linkers are told: where the code of one file of the capture ran, by branch
 * stacks (LBR, BRBE) or, where none were recorded, by samples. */
#ifndef PDTOOL_EXPORT_COMPILERS_H
#define PDTOOL_EXPORT_COMPILERS_H

#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/export/binary.h"
#include "analyzers/hardware/branch_tables.h"
#include "formats/model/code.h"
#include "formats/model/profile.h"

struct compilers {
	/* set before the first sample: */
	enum profile_reader reader;
	const char *binary; /* a path, or its last part; NULL: the one where the most is */

	struct branch_tables tables;
	uint64_t *sampled; /* by location */
	size_t sampled_count, sampled_cap;
	uint64_t unplaced; /* samples whose address is not known */
	bool *seen;	   /* by event */
	size_t seen_count, seen_cap;
	/* when all are read: */
	uint32_t module;
	struct pdt_segment *segments; /* of it */
	size_t segment_count;
	uint64_t astray;   /* branches and samples where its file has no code */
	uint64_t unnamed;  /* samples at no symbol */
	uint64_t filtered; /* samples with branches of some kinds alone */
	struct binary_symbols symbols;
	const char **events;
	struct code_part part;
};

/* All zero, but for what is set, is empty. */
void compilers_release(struct compilers *c);
void compilers_configure(const struct compilers *c, struct asked *o);
void compilers_add(struct compilers *c, const struct pdt_event *e, const struct pdt_session *s);
/* All are read: fill C->part, and tell A what it is made from. */
int compilers_end(struct compilers *c, const struct pdt_session *s, struct answer *a,
		  struct warnings *w);

#endif
