/* The callers of a sampled user address, by call frame information (DWARF) or frame pointers, from
 * the registers and the piece of stack that the kernel copied (PERF_SAMPLE_REGS_USER, _STACK_USER).
 *
 * Everything comes from the capture and from files that were given for its modules: the
 * architecture, the byte order, the memory. An unwinder keeps one set of tables for each module. It
 * is given several stacks at a time: what one waits for from memory, the others use to go on, and
 * several threads can share them.
 *
 * Like perf's, the addresses of callers are one less than the return address, so that they lie in
 * the call; the first address, what a signal interrupted, and the trampoline that a signal handler
 * returns to, which nothing called, are exact. */
#ifndef PDTOOL_UNWIND_H
#define PDTOOL_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/names/elf/elffile.h"
#include "parser/unwind/regs.h"
#include "parser/unwind/unwind_stats.h"

/* Where an address lies. */
struct unwind_place {
	uint64_t offset; /* of the address in the module's file */
	uint32_t module;
	bool is_file; /* the module has one: no JIT code */
	bool is_dump; /* it is JIT code of a jitdump, and OFFSET counts in that */
	bool bytes;   /* and it can hold constant bytes: no stack, no heap */
	bool exec;    /* mapped for execution */
	bool vdso;
};

/* Files of a module; each may be NULL, the first two may be the same. */
struct unwind_files {
	struct elf_file *runtime;   /* as it was mapped: has .eh_frame */
	struct elf_file *debug;	    /* may have .debug_frame */
	const struct jitdump *dump; /* the source's: it must outlive the unwinder */
};

struct unwind_source {
	/* What is mapped at ADDR in the sampled PROCESS? Asked by several threads at once. */
	bool (*find)(void *ctx, void *process, uint64_t addr, struct unwind_place *out);
	/* By one thread at a time: open the files of MODULE; ELF files become the unwinder's. Asked
	 * once, or again after the module's tables were evicted. */
	void (*open)(void *ctx, uint32_t module, struct unwind_files *out);
	void *ctx;
	/* Has PROCESS the module at ADDR at a lower place, too? As find(); NULL: no. */
	bool (*elsewhere)(void *ctx, void *process, uint64_t addr);
};

enum unwind_as {
	UNWIND_AS_IT_IS,
	UNWIND_AS_LIBUNWIND, /* the address of a signal trampoline, too, is less one */
	UNWIND_AS_LIBDW,     /* without rules, the return address is on the stack also in a leaf */
};

struct unwind_sample {
	const struct unwind_arch *arch; /* NULL: there is no */
	enum unwind_end no_arch;	/* then: why */
	struct unwind_user_regs regs;
	const uint8_t *stack; /* STACK_BYTES from the stack pointer up */
	size_t stack_bytes;
	void *process;	/* for find() */
	uint32_t space; /* id of the address space, new when an address may mean something else */
	/* with the mistakes of the library that perf has for this architecture */
	enum unwind_as as;
};

/* A sample and its callers. */
struct unwind_walk {
	struct unwind_sample sample;
	uint64_t *frames; /* room for MAX addresses */
	unsigned max;
	/* the answer: COUNT addresses, innermost first */
	unsigned count;
	unsigned by_frame_pointer; /* of them without call frame information */
	enum unwind_end end;
};

struct unwinder;

#define UNWIND_FRAMES_MAX 1024
#define UNWIND_TABLES_MAX (64u << 20) /* bytes that tables may take from one call to the next */

/* SOURCE is copied; its ctx must outlive the unwinder. TABLES_MAX: bytes. */
struct unwinder *unwinder_new(const struct unwind_source *source, size_t tables_max);
void unwinder_free(struct unwinder *u);
/* Answer N walks, on up to JOBS threads. */
void unwind(struct unwinder *u, struct unwind_walk *walks, size_t n, unsigned jobs);
/* Let W count in the statistics. */
void unwind_count(struct unwinder *u, const struct unwind_walk *w);
struct unwind_stats unwinder_stats(const struct unwinder *u);
/* Where is the return address of what runs at PC in the address space of S, by the rules there? */
enum unwind_ra {
	RA_UNKNOWN,
	RA_SAVED,
	RA_IN_REGISTER,	   /* and no frame was made */
	RA_IN_REGISTER_YET /* a frame was made, but it is not saved there */
};
enum unwind_ra unwinder_ra(struct unwinder *u, const struct unwind_sample *s, uint64_t pc);
/* Bytes that tables take now. */
size_t unwinder_bytes(const struct unwinder *u);

#endif
