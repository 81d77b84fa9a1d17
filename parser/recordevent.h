/* Records that are no samples as events, for whom asks for them. */
#ifndef PDTOOL_RECORDEVENT_H
#define PDTOOL_RECORDEVENT_H

#include "parser/pdtool.h"

struct held_record;
struct machine;
struct record;

/* R, which was applied to M. False: NEEDS (enum pdt_want) do not ask for it. */
bool record_event(struct pdt_event *e, const struct record *r, struct machine *m, unsigned needs);

/* H, which is R, as a PDT_RECORD without its desc. */
void record_whole(struct pdt_event *e, const struct record *r, struct machine *m,
		  const struct held_record *h);

#endif
