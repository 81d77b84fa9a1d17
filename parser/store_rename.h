/* A store's captures get other names. */
#ifndef PDTOOL_STORE_RENAME_H
#define PDTOOL_STORE_RENAME_H

#include "parser/store.h"

/* A capture whose addresses are kept, and its names of now. */
struct store_origin {
	int64_t capture;
	const char *path, *host, *release, *arch; /* NULL: not recorded */
	const struct store_frame *frames;
	size_t frame_count;
	struct store_addresses addresses;
	const uint32_t *labels; /* by leaf: its first frame */
	size_t leaf_count;
};

struct store_renaming;

/* All of the store in one transaction, which ends with store_renaming_end(). */
CHECKED int store_renaming_begin(struct store_renaming **out, struct store *s, struct warnings *w);
/* 1: *OUT is the next capture, valid until the next call; 0: there is none. */
CHECKED int store_renaming_next(struct store_renaming *r, const struct store_origin **out);
/* Its leaves have NOW's stacks, and ADDRESSES; BEFORE: those that its names of now make of them.
 * Cells are the store's: *CHANGED: how many of its leaves have other names now. */
CHECKED int store_rename(struct store_renaming *r, const struct store_capture *before,
			 struct store_capture *now, size_t *changed);
/* Captures of which no addresses are kept. */
size_t store_renaming_without(const struct store_renaming *r);
/* DONE: the names are the store's from now on; else it stays as it was. R is freed. */
CHECKED int store_renaming_end(struct store_renaming *r, bool done);

#endif
