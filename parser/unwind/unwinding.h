/* From samples with a copy of the user stack to call chains: what the session has to do with
 * unwind/. Also from samples with the link register (AArch64), whose chains of frame pointers lack
 * the leaf's caller when the leaf made no frame.
 *
 * A sample's registers and stack are kept from when it is read until its time has come, since the
 * maps of that time decide. Then the user part of its chain is what unwinding finds.
 *
 * Several samples are unwound at a time, on several threads, before the records between them are
 * applied. Few of those matter: a sample whose process has got a new address space since, or has
 * none yet, is unwound when its turn comes. So the result is the same however far ahead that is. */
#ifndef PDTOOL_UNWINDING_H
#define PDTOOL_UNWINDING_H

#include "parser/stacks/callchain.h"
#include "parser/feed/order.h"
#include "parser/state/machine.h"
#include "parser/names/names.h"
#include "parser/unwind/unwind.h"

struct unwinding;

#define UNWINDING_AHEAD_MAX   2048
#define UNWINDING_AHEAD_ALONE 64 /* for one thread */

struct unwinding_options {
	struct capture *capture;
	struct machine *machine;
	const struct symbol_options *symbols;
	unsigned jobs;
	/* the jitdump that a module stands for, NULL: it stands for none */
	const struct jitdump *(*jit_dump)(void *jit, uint32_t module);
	void *jit;
};

/* What the options point to must outlive it. */
struct unwinding *unwinding_new(const struct unwinding_options *o);
void unwinding_free(struct unwinding *u);
/* Unwind ahead: ITEMS, the first of which has a user stack, are what comes next. What they show is
 * taken for true when their turn comes, if their address space still means the same. At most
 * UNWINDING_AHEAD_MAX of them. */
void unwinding_ahead(struct unwinding *u, const struct pending *items, size_t count);
/* The chain of sample S of P, which has a user stack, whose recorded chain is in C. */
uint32_t unwinding_chain(struct unwinding *u, struct process *p, struct chains *c,
			 const struct pending *s);
/* Do recorded chains of this capture hold values that are no callers? Only ppc64's do. */
bool unwinding_skips(const struct capture *c);
/* For struct stacks: which one of C, of a sample of P (tools/perf/arch/powerpc/util,
 * skip-callchain-idx.c). -1: none. */
int unwinding_skip(void *unwinding, struct process *p, const struct chain *c);
/* Where the capture's architecture is not known yet: arch_find(), or else by the files of P, which
 * are looked for as for their names, once each. */
void unwinding_find_arch(struct unwinding *u, const struct process *p);
/* Zeros when nothing was unwound (U may be NULL). */
struct unwind_stats unwinding_stats(const struct unwinding *u);

#endif
