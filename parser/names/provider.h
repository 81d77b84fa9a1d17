/* Where the symbols of one module may come from: an ordered, additive list of candidates.
 *
 * A provider only proposes files; whether one is accepted is decided in one place, by build-id. */
#ifndef PDTOOL_SYMBOLS_PROVIDER_H
#define PDTOOL_SYMBOLS_PROVIDER_H

#include <stdbool.h>

#include "parser/base/buf.h"
#include "parser/names/names.h"
#include "parser/state/module.h"

/* How far a candidate is trusted when the capture recorded no build-id for the module. */
enum trust {
	TRUST_BUILD_ID, /* filed under its build-id: never without one */
	TRUST_USER,	/* below a directory that the user named: taken, and marked unverified */
	TRUST_HOST,	/* this host's file system: only with allow_unverified, and marked */
};

struct search {
	const struct module *module;
	const struct build_id *build_id; /* len 0: not recorded */
	const struct symbol_options *options;
	/* Offer the file at PATH. Returns true when the search may end. */
	bool (*offer)(void *ctx, const char *path, enum trust trust);
	void *ctx;
};

struct provider {
	const char *name;
	/* Propose candidates in order; true as soon as an offer ended the search. */
	bool (*propose)(const struct search *s);
};

/* Best first. */
extern const struct provider *const providers[];

/* One of them: where debuginfod's client puts what it gets. */
extern const struct provider client_cache;

/* ".build-id/xx/yyyy..." with SUFFIX below DIR. */
void build_id_path(struct buf *out, const char *dir, const struct build_id *id, const char *suffix);
#endif
