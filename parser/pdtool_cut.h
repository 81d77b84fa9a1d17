/* Write a capture anew: with what passed the filters, or what is whole, pdtool-cut(1); or with what
 * names it. Part of libpdtool; pdtool.h has the rules. */
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

/* ---- one file with the capture and what names it: pdtool-pack(1) ---- */
struct pdt_pack_query {
	const char *path;		      /* of the new file */
	bool full, only_samples, strip_paths; /* whole files; none of modules; no directories */
	/* Of each member: its name, module, bytes, and how many of these are kept. */
	void (*tell)(void *ctx, const char *name, uint32_t module, uint64_t size, uint64_t kept);
	void *ctx;
};

/* Once there are names. PDT_ERR_IO: no pack, and a warning why. */
PDT_CHECKED int pdt_pack(const struct pdt_session *s, const struct pdt_pack_query *q);

#ifdef __cplusplus
}
#endif

#endif
