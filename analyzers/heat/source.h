/* Who has points for a heat map offers them: one row of functions for each source, listed in
 * sources.c. So the heat map knows no subject, and a subject may draw with it.
 *
 * A run asks each source in turn whether it is meant; the first that is gets the events. Adding a
 * source is a file that ends in a const struct heat_source, its lines here, and its row. */
#ifndef PDTOOL_HEAT_SOURCE_H
#define PDTOOL_HEAT_SOURCE_H

#include "analyzers/count/answer.h"
#include "analyzers/count/inflight.h"
#include "analyzers/heat/heat.h"
#include "analyzers/heat/longest.h"
#include "formats/model/option.h"

/* What the user asks for, whoever answers. */
struct heat_ask {
	const char *events[2];	   /* patterns; the second: that of the ends of pairs. NULL: none */
	struct name_list key[2];   /* fields, of the first and the second event */
	struct word_or_text value; /* its words are heat_values */
	enum pairing pairing;
	enum heat_by by;
	const char *by_field; /* HEAT_BY_FIELD */
};

/* What the points are. */
struct heat_theme {
	const char *title, *y_name;
	enum column_type y_type; /* COLUMN_NS: times */
	bool y_is_label;	 /* a word of the user's own */
	bool spans; /* each was under way so long: rows by logarithm unless asked for */
	bool bytes, from_zero;
	bool no_amounts;    /* values of which the largest mean nothing */
	bool seconds;	    /* a column is a whole second, a row a part of it */
	bool overlap;	    /* lanes may hold the same once more: there are no sums over them */
	struct column rate; /* of points by second; without a name: of events */
	uint64_t left_out;  /* that became no points */
	const char *left_out_what;
	const char *const *labels; /* of the rows, in place of values */
};

/* Where a source puts its points. */
struct heat_map {
	struct heat_ask ask;
	struct heat heat;
	struct longest longest;
	struct heat_options frame;
	struct heat_theme theme;
	struct answer answer;
	bool partial; /* some of what longest has was taken out later */
};

#define HEAT_SOURCES	  4  /* at most */
#define HEAT_OPTIONS_SIZE 96 /* bytes, of the options that one source has for itself */

struct heat_source {
	size_t state_size;
	/* The options are set, those in TO->ask and the source's own. Negative enum err with a
	 * message in W when they make no sense. */
	int (*begin)(void *state, struct heat_map *to, const void *options, struct warnings *w);
	/* What the session has to do for it: enum pdt_want. May be NULL. */
	unsigned (*wants)(const void *state);
	/* Is it what was asked for, of this capture? */
	bool (*means)(const void *state, const struct pdt_session *s);
	/* A sample with a time, or that records were lost. */
	void (*event)(void *state, const struct pdt_event *e, const struct pdt_session *s);
	/* All are read. Negative enum err with a message in W when there is not what was asked. */
	int (*end)(void *state, const struct pdt_session *s, struct warnings *w);
	/* Names are there: the theme, and the facts about what was used. */
	void (*describe)(void *state, const struct pdt_session *s, struct warnings *w);
	void (*release)(void *state);
};

/* Best first, to a NULL. The last one is always meant. */
extern const struct heat_source *const heat_sources[];
/* Their own options: those of source I are at I * HEAT_OPTIONS_SIZE. */
extern const struct option heat_source_options[];

extern const struct heat_source heat_ios;
extern const struct option heat_ios_options[];
extern const struct heat_source heat_pairs;
extern const struct heat_source heat_single;
#endif
