/* Files that were there and not taken for a module's, and files that were taken on trust: one line
 * for each reason, however many modules have it. One machine's modules mostly have the same. */
#ifndef PDTOOL_REFUSALS_H
#define PDTOOL_REFUSALS_H

#include <stddef.h>

#include "analyzers/count/answer.h"
#include "parser/base/build_id.h"
#include "parser/pdtool_module.h"

#define REFUSAL_REASONS	 8 /* there are fewer */
#define UNVERIFIED_NAMED 4

struct refusals {
	struct refusal {
		const char *why; /* NULL: no such reason */
		const struct pdt_module *first;
		size_t count;
	} list[REFUSAL_REASONS];
	const struct pdt_module *unverified[UNVERIFIED_NAMED];
	size_t unverified_count;
};

/* R is initialised to zero; M lives as long as it. */
void refusals_add(struct refusals *r, const struct pdt_module *m);
/* The facts "refused" and "unverified". */
void refusals_state(const struct refusals *r, struct answer *a);
/* The I-th refused file of M, and its build-id as text; NULL: there is none. */
const char *refused_file(const struct pdt_module *m, size_t i, char id[2 * BUILD_ID_MAX + 1]);

#endif
