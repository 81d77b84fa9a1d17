/* Names of idle loops: perf's own list (symbol__is_idle), and the leaves below them that samples
 * hit. */
#include "analyzers/count/idle.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

static const char *const idle[] = {
	"acpi_idle_do_entry",
	"acpi_idle_enter",
	"acpi_processor_ffh_cstate_enter",
	"acpi_safe_halt",
	"arch_cpu_idle",
	"call_cpuidle",
	"cpu_do_idle",
	"cpu_idle",
	"cpu_idle_poll",
	"cpu_startup_entry",
	"cpuidle_enter",
	"cpuidle_enter_state",
	"cpuidle_idle_call",
	"default_idle",
	"default_idle_call",
	"do_idle",
	"enter_idle",
	"exit_idle",
	"idle_cpu",
	"intel_idle",
	"intel_idle_ibrs",
	"intel_idle_irq",
	"io_idle",
	"mwait_idle",
	"mwait_idle_with_hints",
	"native_safe_halt",
	"poll_idle",
	"ppc64_runlatch_off",
	"pseries_dedicated_idle_sleep",
	"psw_idle",
	"psw_idle_exit",
	"pv_native_safe_halt",
};

static int by_name(const void *key, const void *entry)
{
	return strcmp(key, *(const char *const *)entry);
}

bool is_idle_function(const char *name)
{
	return name && bsearch(name, idle, ARRAY_SIZE(idle), sizeof(*idle), by_name);
}
