/* The kinds of modules, by what the machine's state calls them. */
#include "parser/names/kind.h"

const struct kind *const module_kinds[] = {
	[PDT_MODULE_FILE] = &kind_file,
	[PDT_MODULE_VDSO] = &kind_file,
	[PDT_MODULE_KERNEL] = &kind_kernel,
	[PDT_MODULE_KMODULE] = &kind_kmodule,
	[PDT_MODULE_BPF] = &kind_bpf,
	[PDT_MODULE_JIT] = &kind_perfmap,
	[PDT_MODULE_JITDUMP] = &kind_jitdump,
	[PDT_MODULE_GUEST] = &kind_guest,
	[PDT_MODULE_KINDS] = NULL,
};
