/* How sound a capture is: its clock, its stacks, what was lost or damaged. Facts that more than one
 * report states, in the same words. */
#ifndef PDTOOL_HEALTH_H
#define PDTOOL_HEALTH_H

#include "analyzers/lib/answer.h"

/* From when to when samples were taken, and the wall clock. */
void health_time(struct answer *a, const struct session *s);
/* What kind of stacks there are, and how those ended that were unwound. */
void health_stacks(struct answer *a, const struct session *s);
/* Records lost, throttling, and what could not be read. */
void health_losses(struct answer *a, const struct session *s);

#endif
