/* CODE: where the code of one file ran, for compilers and linkers. Addresses are those that the
 * reader takes. Rows are by address, each once. */
#ifndef PDTOOL_MODEL_CODE_H
#define PDTOOL_MODEL_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CODE_OUTSIDE UINT64_MAX /* an address that is not in the file */

/* A taken branch, or code that ran in a line, from its first instruction to its last. */
struct code_row {
	uint64_t from, to, count;
	uint64_t mispredicted; /* of a branch */
	bool entered;	       /* of code in a line: what led there lies in another function */
};

struct code_rows {
	struct code_row *list;
	size_t count, cap;
};

/* Where a sample was. */
struct code_sample {
	uint64_t address, count;
	const char *symbol; /* that of the linker, local ones made unique as BOLT does it; NULL: not
			       known */
	uint64_t offset;    /* from its start */
};

struct code_part {
	struct code_rows branches, lines;
	struct code_sample *samples;
	size_t sample_count;
	const char *const *events; /* that samples are of */
	size_t event_count;
	bool by_samples; /* no branches were recorded */
	uint64_t base;	 /* of the first executable segment */
};

#endif
