/* Which captures of a store are meant, and how much of each. */
#ifndef PDTOOL_STORE_PICK_H
#define PDTOOL_STORE_PICK_H

#include "parser/base/intern.h"
#include "parser/store/store.h"

/* An event of a capture. Texts are places in those of struct picks. */
struct pick {
	int64_t capture, event;
	uint64_t from_step, to_step; /* TO not included; both 0: all of it */
	int64_t wall_ns, first_ns, last_ns, step_ns;
	int64_t begin_ns, end_ns; /* from when to when it was chosen, of its clock */
	double squares, weight; /* of all of it */
	uint64_t sum;		/* of these steps, where ClickHouse tells it */
	uint64_t lost, samples, rate;
	uint32_t cpus, name, unit, arch, part;
	bool wide;
};

struct picks {
	struct pick *list; /* by value of the choice's EACH */
	size_t count, cap;
	struct intern texts;
	uint32_t event; /* that counts; INTERN_NONE: not known yet */
	bool whole;	/* set before: each capture once, whatever its events are */
};

CHECKED int picks_make(struct picks *p, struct sql *s, const struct store_choice *c);
void picks_release(struct picks *p);
/* What was chosen of P, of the wall clock. False: it has no such time. */
static inline bool pick_span(const struct pick *p, int64_t *from_ns, int64_t *to_ns)
{
	return !__builtin_add_overflow(p->begin_ns, p->wall_ns, from_ns) &&
	       !__builtin_add_overflow(p->end_ns, p->wall_ns, to_ns);
}
/* LEN bytes as text, with what could end a line or a frame as '?'. The caller frees it. */
char *store_text_of(const char *bytes, size_t len);
/* The same of COLUMN of the row of STMT. */
char *store_text(struct sql *s, sqlite3_stmt *stmt, int column);

#endif
