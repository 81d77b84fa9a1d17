/* Is this file the recorded one? Everything that opens a file for a module asks here, so that there
 * is one set of rules:
 *
 *   its build-id is the recorded one      taken
 *   its build-id is another one           never taken, and told to the user
 *   no build-id was recorded, and device, taken: hostfile.h
 *   inode and ctime are the recorded one's
 *   neither                               taken where the user asked for it, and marked: the
 *                                         directory was named, or --allow-unverified was given
 */
#ifndef PDTOOL_SYMBOLS_TRUST_H
#define PDTOOL_SYMBOLS_TRUST_H

#include "parser/names/names.h"

struct elf_info;

/* Where a candidate was found. */
enum trust {
	TRUST_BUILD_ID, /* filed under its build-id: never without one */
	TRUST_INODE,	/* recognised by its inode */
	TRUST_USER,	/* below a directory that the user named: taken, and marked unverified */
	TRUST_HOST,	/* this host's file system: only with allow_unverified, and marked */
};

/* May files of this host be looked at that were not named? VERIFIED: a build-id decides whether
 * they are the recorded ones. Whoever goes to a path of this host asks here first. */
bool trust_host(const struct symbol_options *o, bool verified);
/* May a file that was found at FROM be opened for a module with the build-id WANT (len 0: none)? */
bool trust_may_open(const struct symbol_options *o, const struct build_id *want, enum trust from);
/* It was, and has the build-id of INFO: is it the recorded one, or may it stand for it? */
bool trust_file(const struct build_id *want, const struct elf_info *info);
/* Is what was taken for M to be marked as taken on trust? */
static inline bool trust_is_marked(const struct pdt_module *m)
{
	return !m->recorded.len && !m->by_inode;
}

#endif
