/* What lies in a file is read again when its turn comes, in the order of time: from one buffer of
 * each CPU on, in which that is the order of the file, too. */
#ifndef PDTOOL_FEED_AGAIN_H
#define PDTOOL_FEED_AGAIN_H

#include <stddef.h>
#include <stdint.h>

#include "parser/base/err.h"
#include "parser/feed/reader.h"

struct again;

void again_free(struct again *a);

#endif
