/* Scripts that are part of drawings: the text of the .js file of the same name. */
#ifndef PDTOOL_SVG_SCRIPT_H
#define PDTOOL_SVG_SCRIPT_H

extern const char svg_script_grid[];

#endif
