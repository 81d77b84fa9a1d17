/* The text of facts, with the amounts in it as people or as machines read them. */
#ifndef PDTOOL_FACT_H
#define PDTOOL_FACT_H

#include <stdbool.h>

#include "formats/model/result.h"
#include "parser/base/buf.h"

/* F's value, into B, which is emptied before. */
const char *fact_text(const struct fact *f, bool people, struct buf *b);

#endif
