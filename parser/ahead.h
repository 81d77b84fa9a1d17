/* For who asks for many stacks, after the last event, and knows which come next: where their parts
 * lie is in no cache, and the waits for several had better overlap. Nothing depends on it. */
#ifndef PDTOOL_AHEAD_H
#define PDTOOL_AHEAD_H

#include <stdint.h>

struct pdt_session;

/* First this, ... */
void stack_ahead(const struct pdt_session *s, uint32_t stack, uint32_t chain);
/* ... a few stacks later this; and some time later pdt_stack_at() and pdt_addresses(). */
void stack_next(const struct pdt_session *s, uint32_t stack, uint32_t chain);

#endif
