/* A part of the summary of a capture: who owns facts offers the ones that matter most, as one row
 * of functions. The rows are in capture/sections.c, so the summary knows no subject and the
 * subjects do not know each other. Adding one is a file that ends in a const struct section, its
 * line here, and its row. */
#ifndef PDTOOL_SECTION_H
#define PDTOOL_SECTION_H

#include "analyzers/count/answer.h"

#define SECTION_NEXT 4

/* A command that says more of it. */
struct section_next {
	const char *why; /* in a few words */
	const char
		*args; /* a subcommand and its options, quoted for a shell; the file comes last */
};

/* What a section has to say; all that it points to lives as long as the section's state. */
struct section_result {
	const char *name;
	const struct column *columns; /* of a table, unless there are no cells */
	const uint8_t *summary;	      /* people see these of them, so many; NULL: all */
	size_t summary_columns;
	struct answer answer;  /* the cells, and the texts of NEXT */
	struct grid_part load; /* what used the CPUs, over time: rows 0 where it is not known */
	struct section_next next[SECTION_NEXT];
	size_t next_count;
};

struct section {
	size_t state_size; /* zero before begin */
	unsigned wants;	   /* enum pdt_want */
	void (*begin)(void *state);
	void (*event)(void *state, const struct pdt_event *e, const struct pdt_session *s);
	/* All are read, names are there. False: the capture has nothing of it. */
	bool (*finish)(void *state, const struct pdt_session *s, struct section_result *out);
	void (*release)(void *state);
};

extern const struct section section_waits;
extern const struct section section_ios;
extern const struct section section_calls;

#endif
