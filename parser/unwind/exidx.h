/* ARM's own unwind tables, .ARM.exidx and .ARM.extab: one short program for each function (EHABI32,
 * sections 6 and 10). They say how to leave a function once its prologue is done, wherever in it.
 */
#ifndef PDTOOL_UNWIND_EXIDX_H
#define PDTOOL_UNWIND_EXIDX_H

#include "parser/unwind/step.h"

struct exidx_entry {
	uint32_t start; /* address of the function, as the file numbers them */
	uint32_t at;	/* offset of its second word in the section */
};

struct exidx {
	struct elf_section section;
	const struct elf_file *file; /* for .ARM.extab */
	bool swap;
	struct exidx_entry *entries; /* by start */
	size_t count;
	uint64_t over; /* entries left out: there are too many */
};

/* X's section, file and swap are set; the rest is zero. */
void exidx_index(struct exidx *x);
void exidx_release(struct exidx *x);
/* The entry whose function holds ADDR, or NULL. */
const struct exidx_entry *exidx_find(const struct exidx *x, uint64_t addr);
enum unwind_end exidx_step(const struct exidx *x, const struct exidx_entry *e, struct frame *f);

#endif
