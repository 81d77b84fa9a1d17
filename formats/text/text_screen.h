/* A result of several small tables: one screen that answers a question at a glance. */
#ifndef PDTOOL_TEXT_SCREEN_H
#define PDTOOL_TEXT_SCREEN_H

#include "formats/format.h"

/* Facts, the grid as lines of blocks, the tables, in at most 80 columns and 40 lines, also where it
 * does not go to a terminal. Of commands nothing is left out: who pastes them gets them whole. */
void text_screen(const struct result *r, const struct style *style, struct out *out);

#endif
