/* The kinds of modules, by what the machine's state calls them. */
#include "parser/names/kind.h"

const struct kind *const module_kinds[] = {
	[MODULE_FILE] = &kind_file,	  [MODULE_VDSO] = &kind_file,
	[MODULE_KERNEL] = &kind_kernel,	  [MODULE_KMODULE] = &kind_kmodule,
	[MODULE_BPF] = &kind_bpf,	  [MODULE_JIT] = &kind_perfmap,
	[MODULE_JITDUMP] = &kind_jitdump, [MODULE_JITDUMP + 1] = NULL,
};
