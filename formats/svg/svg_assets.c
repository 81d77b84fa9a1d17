/* Nothing has to turn the files into C, and they stay files that an editor and a browser
 * understand. Paths are relative to the top of the source, where the compiler runs. */
#include "formats/svg/svg_frame.h"

#define PART(file) ".incbin \"" file "\"\n"
#define ASSET(name, parts)                                         \
	__asm__(".pushsection .rodata\n"                           \
		".globl " #name "\n" #name ":\n" parts ".byte 0\n" \
		".popsection\n")

ASSET(svg_flame_script, PART("formats/flame/flame_tree.js") PART("formats/flame/flame_words.js")
				PART("formats/flame/flame.js"));
ASSET(svg_flame_css, PART("formats/flame/flame.css"));
ASSET(svg_timeline_script,
      PART("formats/flame/timeline_model.js") PART("formats/flame/timeline_draw.js")
	      PART("formats/flame/timeline.js"));
ASSET(svg_timeline_css, PART("formats/flame/timeline.css"));
ASSET(svg_frame_script, PART("formats/svg/frame.js"));
ASSET(svg_frame_css, PART("formats/svg/frame.css"));
ASSET(svg_number_script, PART("formats/svg/number.js"));
ASSET(svg_grid_script, PART("formats/svg/grid.js"));
ASSET(svg_fit_script, PART("formats/svg/fit.js"));
ASSET(svg_bars_script, PART("formats/svg/bars.js"));
