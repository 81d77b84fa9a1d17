/* Kernel symbols from a text in the form of /proc/kallsyms (kernel/kallsyms.c: s_show):
 *
 *   ADDRESS(hex) SPACE TYPE(nm letter) SPACE NAME [TAB "[" MODULE "]"]
 *
 * Addresses are run-time addresses of the kernel the text came from. Selection as perf 6.1
 * (specs/symbols.md 1.3 point 8). Nothing is said about which kernel that is: the caller checks it.
 */
#ifndef PDTOOL_SYMBOLS_KALLSYMS_H
#define PDTOOL_SYMBOLS_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/err.h"
#include "parser/symbols/symtab.h"

/* The two symbols that perf uses to state where a relocated kernel was loaded. */
enum kallsyms_ref { KALLSYMS_TEXT, KALLSYMS_STEXT, KALLSYMS_REFS };

struct kallsyms {
	struct symtab table; /* sym.module is "[mod]" for a module's symbol */
	uint64_t ref_addr[KALLSYMS_REFS];
	bool ref_known[KALLSYMS_REFS];
};

void kallsyms_init(struct kallsyms *k);
void kallsyms_release(struct kallsyms *k);

/* Fill K, initialised and empty.
 * 0; ERR_ABSENT no such file, or every address is zero (kptr_restrict); ERR_IO; ERR_FORMAT no
 * symbols, not a regular file, or larger than SYMTAB_TEXT_MAX. On failure K holds no symbols. */
int kallsyms_load(struct kallsyms *k, const char *path) CHECKED;
/* The same from SIZE bytes at TEXT, which are changed in place and must outlive K. TEXT[SIZE] must
 * be writable. */
int kallsyms_parse(struct kallsyms *k, char *text, size_t size_bytes) CHECKED;

/* Address of the first symbol called NAME, also when an alias of the same address hides it (for
 * _text and _stext). ERR_ABSENT when it is not there. */
int kallsyms_addr(const struct kallsyms *k, const char *name, uint64_t *addr) CHECKED;

#endif
