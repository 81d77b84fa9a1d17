/* An ELF file with compressed debug sections, these inflated: only so can they be taken by parts.
 */
#ifndef PDTOOL_PACK_INFLATED_H
#define PDTOOL_PACK_INFLATED_H

#include <stddef.h>

#include "parser/names/elf/elffile.h"

struct inflated {
	struct elf_file *file; /* over the image */
	char *image;
};

/* False: F has no such section, or it is too large. */
bool inflated_make(struct inflated *out, struct elf_file *f);
void inflated_release(struct inflated *i);

#endif
