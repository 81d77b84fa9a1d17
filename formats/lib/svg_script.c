/* The assembler puts the files in as they are: nothing has to turn them into C, and they stay files
 * that an editor and a browser understand. The build runs in the top directory. */
#include "formats/lib/svg_script.h"

#define SCRIPT(name, file)                       \
	__asm__(".section .rodata\n"             \
		".globl " #name "\n" #name ":\n" \
		".incbin \"" file "\"\n"         \
		".byte 0\n"                      \
		".previous\n")

SCRIPT(svg_script_grid, "formats/lib/grid.js");
