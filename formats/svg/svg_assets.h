/* The scripts and the style sheet of drawings: files of their own, put into the program when it is
 * assembled. Each ends with a NUL. */
#ifndef PDTOOL_SVG_ASSETS_H
#define PDTOOL_SVG_ASSETS_H

extern const char svg_flame_script[], svg_flame_css[], svg_grid_script[], svg_number_script[];

#endif
