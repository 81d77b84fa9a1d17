/* What the words of a heat map's options stand for. */
#ifndef PDTOOL_HEAT_WORDS_H
#define PDTOOL_HEAT_WORDS_H

#include "formats/model/grid.h"
#include "parser/base/err.h"

/* The events that the preset NAME stands for, if NAME is given and *EVENTS is not. ERR_USAGE with a
 * message in W. */
int heat_preset(const char *name, const char **events, struct warnings *w) CHECKED;
/* "rank": as many cells of each colour. NULL is GRID_SCALE_AUTO. ERR_USAGE with a message in W. */
int heat_scale(const char *name, enum grid_scale *out, struct warnings *w) CHECKED;

#endif
