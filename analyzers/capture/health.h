/* How sound a capture is: its clock, its stacks, what was damaged. Facts that more than one
 * report states, in the same words. */
#ifndef PDTOOL_HEALTH_H
#define PDTOOL_HEALTH_H

#include "analyzers/count/answer.h"

/* When the first sample was taken, in UTC; where that was not RECORDED, when the file was written.
 */
struct health_when {
	bool recorded;
	unsigned us;
	char text[64]; /* "2024-02-03T04:05:06" */
};

bool health_when(const struct pdt_session *s, struct health_when *out);
/* The wall clock, or that it was not recorded. */
void health_clock(struct answer *a, const struct pdt_session *s);
/* What kind of stacks there are, and how those ended that were unwound. */
void health_stacks(struct answer *a, const struct pdt_session *s);
/* Does the I-th warning tell of a fault of the capture, or of a file with symbols? */
bool health_is_damage(const struct pdt_session *s, size_t i);
/* What could not be read, and what was not opened. */
void health_damage(struct answer *a, const struct pdt_session *s);

#endif
