/* A table of masks. */
#include "parser/unwind/arch.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/feed/order.h"
#include "parser/feed/userstack.h"

#include <elf.h>
#include <string.h>

#define BITS(n) ((1ull << (n)) - 1)

enum byte_order { ANY_ORDER, LITTLE, BIG };

/* A mask with the stack pointer and the program counter, and with nothing but what there is, may be
 * this one's. WHOLE is what its recorders ask for if the user does not say; 0: so do others. */
static const struct arch_registers {
	const char *name; /* NULL: known, but not unwound */
	uint8_t sp, pc;
	enum byte_order order;
	uint64_t all, whole;
} archs[] = {
	/* the kernel refuses ds, es, fs, gs of 64-bit tasks */
	{ "x86_64", 7, 8, LITTLE, 0xff0fff, 0xff0fff },
	{ "i386", 7, 8, LITTLE, 0xffff, 0xfff },
	{ "arm", 13, 15, ANY_ORDER, 0xffff, 0 },
	{ "aarch64", 31, 32, ANY_ORDER, BITS(33) | 1ull << 46, BITS(33) },
	{ "s390x", 15, 33, BIG, BITS(34), BITS(34) },
	{ "ppc64le", 1, 32, LITTLE, BITS(45), 0 },
	{ "ppc64", 1, 32, BIG, BITS(45), 0 },
	{ "riscv64", 2, 0, LITTLE, BITS(32), 0 },
	{ NULL, 3, 0, LITTLE, BITS(32), 0 },	 /* loongarch64 */
	{ NULL, 27, 0, ANY_ORDER, BITS(30), 0 }, /* mips */
	{ NULL, 4, 2, LITTLE, BITS(38), 0 },	 /* csky */
};

static bool may_be(const struct arch_registers *a, uint64_t mask, bool big)
{
	uint64_t needed = 1ull << a->sp | 1ull << a->pc;

	return (mask & needed) == needed && !(mask & ~a->all) &&
	       (a->order == ANY_ORDER || big == (a->order == BIG));
}

static const char *arch_of_mask(uint64_t mask, bool big)
{
	const struct arch_registers *found = NULL;

	if (mask == USER_STACK_ARM64_LR)
		return "aarch64";
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++) {
		if (!may_be(&archs[i], mask, big))
			continue;
		if (mask == archs[i].whole)
			return archs[i].name;
		/* i386 is what x86_64 is for its 32-bit tasks */
		if (found && (found != &archs[0] || i != 1))
			return NULL;
		found = found ?: &archs[i];
	}
	return found ? found->name : NULL;
}

static const char *by_registers(const struct event_list *events, bool big)
{
	for (size_t i = 0; i < events->count; i++) {
		const struct event_attr *a = &events->descs[i]->attr;
		const char *name = NULL;

		if (a->sample_type & SAMPLE_REGS_USER)
			name = arch_of_mask(a->regs_user, big);
		if (name)
			return name;
	}
	return NULL;
}

void arch_find(struct capture *c, const char *asked)
{
	if (c->meta.arch_asked)
		return;
	c->meta.arch_asked = true;
	if (c->meta.arch) {
		if (asked && strcmp(asked, c->meta.arch))
			warn_add(c->warnings, SEV_NOTE, "arch-told",
				 "--arch %s is not used: the capture was recorded on %s", asked,
				 c->meta.arch);
		return;
	}
	c->meta.arch = asked ?: by_registers(&c->events, c->header.big);
	if (c->meta.arch)
		c->meta.arch_by = asked ? "--arch" : "the registers that were recorded";
}

const char *arch_by_file(const struct elf_file *f)
{
	static const struct {
		uint16_t machine;
		const char *little, *big;
	} names[] = {
		{ EM_X86_64, "x86_64", NULL },	      { EM_386, "i386", NULL },
		{ EM_AARCH64, "aarch64", "aarch64" }, { EM_ARM, "arm", "arm" },
		{ EM_S390, NULL, "s390x" },	      { EM_PPC64, "ppc64le", "ppc64" },
		{ EM_RISCV, "riscv64", NULL },
	};
	const struct elf_info *info = elf_file_info(f);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (info->machine == names[i].machine)
			return info->big_endian ? names[i].big : names[i].little;
	}
	return NULL;
}

int arch_check(const char *name, struct warnings *w)
{
	if (!name || abi_machine(name, 1) || abi_machine(name, 2))
		return 0;
	warn_add(w, SEV_FATAL, "arch-option",
		 "--arch %s: expected what uname -m calls it: x86_64, i686, aarch64, armv7l, "
		 "s390x, ppc64le, riscv64 ...",
		 name);
	return ERR_USAGE;
}
