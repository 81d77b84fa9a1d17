/* The events that a user means by a pattern, and fields of them by name. */
#ifndef PDTOOL_PICKED_H
#define PDTOOL_PICKED_H

#include "parser/base/buf.h"
#include "parser/eventname.h"
#include "parser/filter.h"
#include "parser/pdtool_capture.h"

#define PICKED_FIELDS 8

/* Where the value of a name comes from, for one event: a field of its payload, or what every
 * sample has under that name. */
enum picked_source {
	PICKED_NONE,
	PICKED_FIELD,
	PICKED_TID,
	PICKED_PID,
	PICKED_CPU,
	PICKED_COMM,
	PICKED_EVENT, /* the name of the event, without its subsystem */
	PICKED_CALL,  /* a field: the number of a system call, with the bits of its program */
};

struct picked_field {
	enum picked_source source;
	const struct pdt_field *field;
};

struct picked_binding {
	bool asked, matches, bound;
	struct picked_field fields[PICKED_FIELDS];
	const struct pdt_field *flags; /* for interrupt_of_event() */
};

struct picked {
	const char *pattern;	      /* a name or a shell pattern; NULL: all */
	const struct pdt_session *of; /* whose events they are; with a pattern */
	struct event_choice choice;
	const char *names[PICKED_FIELDS]; /* of fields */
	size_t name_count;
	struct picked_binding *bindings; /* by event_desc.index */
	size_t binding_count, binding_cap;
	bool found;    /* an event had all the fields */
	char *lacking; /* the first field that an event has not: "EVENT has no field F (...)" */
};

void picked_release(struct picked *p);
/* Add FIELDS, as far as there is room; one of them. */
void picked_fields(struct picked *p, const struct name_list *fields);
void picked_field(struct picked *p, const char *name);
/* Does PATTERN, a shell pattern, mean D? By its whole name or without its subsystem. */
bool picked_matches(const char *pattern, const struct pdt_desc *d);
/* Does the capture describe an event that PATTERN means? */
bool picked_any(const char *pattern, const struct pdt_session *s);
/* The fields of E, or NULL when E is not meant. */
const struct picked_binding *picked_bind(struct picked *p, const struct pdt_event *e);
/* The number of a field; a signed one below 0 sets *NEGATIVE. False: it is none, or not there. */
bool picked_number(const struct picked_field *f, const struct pdt_event *e, uint64_t *out,
		   bool *negative);
/* Its bytes, whatever it is, by hash into *H. The idle tasks, whose tid is 0, are one for each CPU.
 * False: it is not there. */
bool picked_hash(const struct picked_field *f, const struct pdt_event *e, uint64_t h[2]);
/* What it is, as text, into B, which is empty. False: it is not there. */
bool picked_text(const struct picked_field *f, const struct pdt_event *e,
		 const struct pdt_session *s, struct buf *b);

#endif
