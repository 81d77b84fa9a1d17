/* parser/kept.h, of a session. */
#ifndef PDTOOL_SESSION_KEEP_H
#define PDTOOL_SESSION_KEEP_H

#include "parser/kept.h"
#include "parser/session.h"

void session_keep(const struct session *s, struct kept_stacks *out);
/* SO's source is a capture of no events. */
CHECKED int session_take_kept(struct session *s, const struct kept_capture *k);
/* That capture, which tells what K does. */
void kept_head(const struct kept_capture *k, struct buf *out);

#endif
