/* A jitdump: what a just-in-time compiler tells of its code, when it made it
 * (tools/perf/Documentation/jitdump-specification.txt).
 *
 * Numbers have the byte order of the recorded machine. The header:
 *
 *   OFFSET SIZE MEANING
 *        0    4 magic "JiTD"          4    4 version: 1      8    4 size of this header
 *       12    4 ELF machine          16    4 zero           20    4 pid, as the process sees it
 *       24    8 time                 32    8 flags: 1: times are the CPU's cycle counter
 *
 * then records, each with a head of 16 bytes and what its type calls for:
 *
 *        0    4 type                  4    4 size of the record      8    8 time
 *
 *   0 LOAD   16    8 pid, tid (u32)  24    8 vma                    32    8 address
 *            40    8 size            48    8 index of the code
 *            56      name with its NUL, then the bytes of the code
 *   1 MOVE   16    8 pid, tid        24    8 vma                    32    8 old address
 *            40    8 new address     48    8 size                   56    8 index of the code
 *   2 DEBUG_INFO, of the next LOAD with this address
 *            16    8 address         24    8 how many entries follow: u64 address, u32 line, u32
 *            discriminator, file name with its NUL ("\xff": the same file as before)
 *   3 CLOSE  not used here
 *   4 UNWINDING_INFO, of the next LOAD: see jitframes.h
 *
 * Code is named by where its bytes are in the dump: that stays what it is when the code moves, or
 * other code takes its address. */
#ifndef PDTOOL_SYMBOLS_JITDUMP_H
#define PDTOOL_SYMBOLS_JITDUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/arena.h"
#include "parser/base/err.h"
#include "parser/state/codemap.h"

struct reach;

/* A LOAD. */
struct jit_function {
	uint64_t offset, size; /* of its code in the dump */
	uint64_t debug;	       /* where its DEBUG_INFO is in the dump; 0: it has none */
	uint64_t unwinding;    /* and its UNWINDING_INFO */
	const char *name;
};

struct jitdump {
	uint32_t pid;	  /* as the process sees it */
	uint16_t machine; /* EM_* */
	bool cycles;	  /* times are the CPU's cycle counter */
	bool swap;
	bool here; /* it is the file of this host that was mapped: hostfile.h */
	/* the rest is filled by jitdump_load() */
	struct jit_function *functions; /* by offset */
	size_t function_count, function_cap;
	struct code_range *ranges; /* LOADs and MOVEs by time */
	size_t range_count, range_cap;
	uint64_t debug_shift; /* how much too high its DEBUG_INFO's addresses are */
	uint64_t damaged;     /* offset from which on nothing could be read; 0: all was */
	struct arena names;
	char *path;
	struct reach *reach; /* by which it is opened */
	const char *shown; /* the path that the user knows, where it is another one; the caller's */
};

/* What messages call it. */
static inline const char *jitdump_shown(const struct jitdump *d)
{
	return d->shown ?: d->path;
}

/* Read the header of PATH, by the rules of R (reach.h), which must outlive it. ERR_ABSENT no such
 * file, ERR_IO, ERR_FORMAT not a jitdump. */
int jitdump_open(struct jitdump **out, struct reach *r, const char *path) CHECKED;
/* Read its records. */
int jitdump_load(struct jitdump *d) CHECKED;
void jitdump_free(struct jitdump *d);
/* The index of the function whose code is at OFFSET; function_count when none is. */
size_t jitdump_function_at(const struct jitdump *d, uint64_t offset);

#endif
