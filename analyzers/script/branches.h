/* The branches and registers of a sample, as perf script prints them. */
#ifndef PDTOOL_SCRIPT_BRANCHES_H
#define PDTOOL_SCRIPT_BRANCHES_H

#include "analyzers/script/held.h"
#include "analyzers/script/where.h"

/* Do FIELDS show the names of their ends? */
bool branches_are_named(uint64_t fields);
/* What W has to hold then. */
uint64_t branches_where(uint64_t fields);
/* Append the branches of M; W may be NULL where they have no names. */
void branches_put(const struct held_more *m, uint64_t fields, const struct where *w,
		  const struct pdt_session *s, struct buf *out);
/* Append R, of a machine that uname -m calls ARCH. */
void registers_put(const struct pdt_registers *r, const char *arch, struct buf *out);

#endif
