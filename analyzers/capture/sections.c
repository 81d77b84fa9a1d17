/* Who has something to say in the summary, in the order in which it is shown. */
#include "analyzers/capture/sections.h"

const struct section *const sections[SECTIONS] = { &section_waits, &section_ios, &section_calls };
