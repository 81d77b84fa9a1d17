/* Is a text in the form of /proc/kallsyms of the recorded kernel? It holds no build-id: a cache
 * files it under one, and perf (6.1: inject -b, buildid-cache) files the running kernel's under
 * that of any capture that it is given. What is not proven wrong passes: a kernel may be loaded
 * elsewhere at each boot (KASLR), and packs hold a part of the text. */
#ifndef PDTOOL_SYMBOLS_KERNELMATCH_H
#define PDTOOL_SYMBOLS_KERNELMATCH_H

#include "parser/base/build_id.h"
#include "parser/names/kernel/kallsyms.h"

/* What the capture tells of its kernel, as run-time addresses. */
struct kernel_place {
	const char *ref;   /* its reference symbol; NULL: not told */
	uint64_t ref_addr; /* 0: not told */
	uint64_t end;	   /* of its mapping */
	struct build_id build_id;
};

/* Why a text with MARKS, read for the reference symbol of P, is another kernel's; WHOLE: it should
 * have all symbols. NULL: nothing speaks against it. */
const char *kernel_mismatch(const struct kernel_place *p, const struct kallsyms_marks *marks,
			    bool whole);
#define HOST_TEXT "/proc/kallsyms"

struct reach;

/* Is the text at FD, which is closed, of the file PATH, that of this host's running kernel, though
 * P's is another build? ID is the running kernel's. False also when this host does not tell; R is
 * told of what cannot be read. */
bool kernel_is_the_hosts(const struct kernel_place *p, int fd, const char *path, struct reach *r,
			 struct build_id *id);
/* The running kernel's; len 0: not told. */
void host_kernel_id(struct reach *r, struct build_id *id);

#endif
