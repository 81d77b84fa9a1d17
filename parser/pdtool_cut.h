/* Write a capture anew: with what passed the filters, or what is whole; pdtool-cut(1) tells how.
 * Part of libpdtool; pdtool.h has the rules. */
#ifndef PDTOOL_CUT_PUBLIC_H
#define PDTOOL_CUT_PUBLIC_H

#include "pdtool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For pdt_open(), or-ed to enum pdt_want: pdt_cut() will be called. */
enum pdt_cut_want { PDT_WANT_CUT = 4194304 };

struct pdt_cut_query {
	const char *path; /* of the new file; "-": standard output */
	int scrub;	  /* 1: without names; 2: nor build-ids and hashes of programs */
	/* Of each kind of records: what became of them, how many there were, and how large. */
	void (*tell)(void *ctx, const char *what, uint64_t records, uint64_t size_bytes);
	void *ctx;
};

/* After the last event. PDT_ERR_IO: no new file, and a warning why. */
PDT_CHECKED int pdt_cut(const struct pdt_session *s, const struct pdt_cut_query *q);

#ifdef __cplusplus
}
#endif

#endif
