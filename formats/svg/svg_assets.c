/* Nothing has to turn the files into C, and they stay files that an editor and a browser
 * understand. Paths are relative to the top of the source, where the compiler runs. */
#include "formats/svg/svg_frame.h"

#define ASSET(name, file)                        \
	__asm__(".pushsection .rodata\n"         \
		".globl " #name "\n" #name ":\n" \
		".incbin \"" file "\"\n"         \
		".byte 0\n"                      \
		".popsection\n")

ASSET(svg_flame_script, "formats/flame/flame.js");
ASSET(svg_flame_css, "formats/flame/flame.css");
ASSET(svg_frame_script, "formats/svg/frame.js");
ASSET(svg_frame_css, "formats/svg/frame.css");
ASSET(svg_number_script, "formats/svg/number.js");
ASSET(svg_grid_script, "formats/svg/grid.js");
