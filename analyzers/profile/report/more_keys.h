/* Keys of rows that events tell in their own words: the fields of tracepoints. */
#ifndef PDTOOL_MORE_KEYS_H
#define PDTOOL_MORE_KEYS_H

#include "analyzers/count/rows/rows.h"
#include "parser/base/buf.h"
#include "parser/pdtool_capture.h"

/* "[EVENT.]FIELD[/raw]", or one of those that samples have themselves. */
struct more_key {
	enum {
		MORE_FIELD,
		MORE_CGROUP,
		MORE_WEIGHT,
		MORE_NAMESPACE, /* and from here on, by enum pdt_namespace_kind */
	} kind;
	char *name;  /* as it was given */
	char *event; /* NULL: any */
	char *field;
	bool raw;   /* the number, where its flags have names */
	bool found; /* an event has it */
};

/* Where a key lies in the events of one description, and what its bits are called. */
struct more_place {
	const struct pdt_field *field; /* NULL: they have none */
	struct print_format *text;     /* how the event shows it; NULL: not told */
	const struct print_do *flags;  /* NULL: they have no names */
	uint64_t known;		       /* those that have */
	bool hex;
};

struct more_keys {
	struct more_key list[MORE_KEYS];
	size_t count;
	bool all;		   /* each field of each event is a key, as far as there is room */
	bool full;		   /* there was none */
	struct more_place *places; /* by description of the capture at hand, and key */
	size_t *looked;		   /* by description: at so many keys */
	size_t descs;
};

/* The place of the key NAME in the list, new or known: from 0 on. Negative: NAME is no name of a
 * field, or there is no room. */
int more_keys_add(struct more_keys *m, const char *name);
/* The keys of E, MORE_KEYS of them; texts are those of T. */
void more_keys_of(struct more_keys *m, struct rows *t, const struct pdt_event *e,
		  const struct pdt_session *s, uint64_t *out);
/* The names of those that are no fields end with NULL. */
extern const char *const more_key_words[];
/* Does a key need PDT_WANT_DETAILS? */
bool more_keys_want_details(const struct more_keys *m);
/* A capture is read: what belongs to it is forgotten. */
void more_keys_forget(struct more_keys *m);
void more_keys_release(struct more_keys *m);

#endif
