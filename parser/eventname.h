/* Which of a capture's events a user means by a name. perf shows an event under the words that it
 * was recorded by: "cycles:Pu", "cpu_core/cycles/", "page-faults/period=1/u" (parse-events.l: a
 * name, or a PMU and its terms between slashes, then modifiers). */
#ifndef PDTOOL_EVENTNAME_H
#define PDTOOL_EVENTNAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct event_list;
struct name_list;
struct pdt_desc;
struct pdt_session;

/* The events that a list of names chooses, as descriptions become known. A name means the events
 * that have it, as event_desc_is() says; if there are none, those that it is a pattern for
 * (fnmatch(3)); if there are none, those that have it without PMU, terms and modifiers, also where
 * perf has another word for the same ("cpu-cycles"). All zero is empty. */
struct event_choice {
	uint32_t *by; /* by description: the place of the name that means it; EVENT_BY_NONE */
	size_t count, cap;
	uint8_t *how; /* by place of a name: enum event_match, the best one */
};

#define EVENT_BY_NONE UINT32_MAX

enum event_match { EVENT_MATCH_NONE, EVENT_MATCH_BARE, EVENT_MATCH_PATTERN, EVENT_MATCH_NAME };

/* Is D, of L, one of those that NAMES choose? The same NAMES in each call. */
bool event_chosen(struct event_choice *c, const struct event_list *l, const struct name_list *names,
		  const struct pdt_desc *d);
/* The same of a single NAME. */
bool event_named(struct event_choice *c, const struct event_list *l, const char *name,
		 const struct pdt_desc *d);
/* Does NAME, without being a pattern, mean events of several names, so that it can only be a slip?
 * Then they are appended to OUT. */
bool event_ambiguous(const struct event_list *l, const char *name, struct buf *out);
/* Is D there for the records beside samples only? It has none then. */
bool event_is_dummy(const struct pdt_desc *d);
/* The descriptions of S. */
const struct event_list *events_of(const struct pdt_session *s);
void event_choice_release(struct event_choice *c);

#endif
