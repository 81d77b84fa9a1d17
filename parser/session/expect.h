/* Ask the memory early for what samples will need. */
#ifndef PDTOOL_SESSION_EXPECT_H
#define PDTOOL_SESSION_EXPECT_H

struct pending;
struct session;

/* P is handed out: look at it and at those behind it, and where that is not worth it, ever more
 * rarely. Sets S->expected: entries until this is called again. */
void session_expect(struct session *s, const struct pending *p);

#endif
