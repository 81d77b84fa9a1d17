/* Tells interrupts by the flags of the tracepoint, and their frames by the names of the kernel's
 * entries. Where the kernel has no names, all of its frames are taken for the interrupt's: those of
 * a system call that it hit cannot be told apart. */
#include "analyzers/count/interrupt.h"
#include "parser/base/mem.h"
#include "parser/pdtool_module.h"

#include <fnmatch.h>

const char *interrupt_name(enum interrupt i)
{
	static const char *const names[] = {
		[INTERRUPT_HARD] = "[irq]", [INTERRUPT_SOFT] = "[softirq]"
	};

	return names[i];
}

/* The outermost function of an interrupt: what called it is what it hit. x86, arm, arm64, s390,
 * powerpc, RISC-V. */
static const char *const hard_entries[] = {
	"asm_sysvec_*",
	"asm_common_interrupt",
	"asm_spurious_interrupt",
	"common_interrupt",
	"apic_timer_interrupt",
	"reschedule_interrupt",
	"call_function*rupt",
	"irq_work_interrupt",
	"xen_hvm_callback_vector",
	"hyperv_*_vector",
	"ret_from_intr",
	"el[01]*_irq",
	"el0_irq_naked",
	"__irq_svc",
	"__irq_usr",
	"ext_int_handler",
	"io_int_handler",
	"decrementer_common*",
	"hardware_interrupt_co*",
	"do_irq",
	NULL,
};
static const char *const soft_entries[] = { "__do_softirq", "handle_softirqs", "do_softirq", NULL };

static bool is_entry(const char *name, const char *const *entries)
{
	for (; name && *entries; entries++) {
		if (!fnmatch(*entries, name, 0))
			return true;
	}
	return false;
}

uint32_t interrupt_frames(const struct pdt_session *s, uint32_t stack, enum interrupt i)
{
	const char *const *entries = i == INTERRUPT_HARD ? hard_entries : soft_entries;
	struct pdt_stack k = pdt_stack_at(s, stack);
	uint32_t n = 0;

	while (n < k.depth) {
		int mode = pdt_location_mode(s, k.locations[n]);

		if (mode != PDT_KERNEL && mode != PDT_GUEST_KERNEL)
			break;
		if (is_entry(pdt_location_name(s, k.locations[n++]), entries))
			break;
	}
	return n;
}
