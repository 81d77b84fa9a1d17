/* The sections of the summary, one row each. */
#ifndef PDTOOL_SECTIONS_H
#define PDTOOL_SECTIONS_H

#include "analyzers/count/section.h"

#define SECTIONS 3

extern const struct section *const sections[SECTIONS];

#endif
