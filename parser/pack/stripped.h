/* A capture without the directories of the machine that it was recorded on, written anew.
 *
 * Records keep their order and their sizes, but for those that were compressed: what was in them
 * comes in their place. A shorter name is filled up with zeros. What pdtool does not know, and what
 * holds texts that it does not need, is emptied. */
#ifndef PDTOOL_PACK_STRIPPED_H
#define PDTOOL_PACK_STRIPPED_H

#include "parser/base/err.h"
#include "parser/file/feature.h"
#include "parser/names/sources/spool.h"
#include "parser/pack/paths.h"

struct stripped {
	struct spool spool; /* has it, from its begin to its end */
	/* samples in which paths may still stand: those with copies of stacks, and of the others
	 * those with texts that look like it (a tracepoint's) */
	uint64_t stacks, texts;
	uint64_t emptied; /* records and sections */
};

/* S: the bytes of F, from the first on; a source that can seek. ERR_IO, with the message in W:
 * there is no room for it, or S cannot be read. OUT is to be released also then. */
int stripped_make(struct stripped *out, const struct capture *f, struct source *s, struct paths *p,
		  struct warnings *w) CHECKED;
/* Add to W what is left in it, and what is not there. */
void stripped_tell(const struct stripped *s, struct warnings *w);
void stripped_release(struct stripped *s);

#endif
