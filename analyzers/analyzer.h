/* One question asked of captures. An analyzer is a file that ends in a const struct analyzer. */
#ifndef PDTOOL_ANALYZER_H
#define PDTOOL_ANALYZER_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/model/option.h"
#include "formats/model/result.h"
#include "parser/base/buf.h"
#include "parser/base/err.h"
#include "parser/base/itrace.h"
#include "parser/base/quirks.h"
#include "parser/filter.h"
#include "parser/pdtool_capture.h"

/* The inputs of a run, in the order in which they are read. */
struct inputs {
	/* by input: the name of the OPT_INPUTS option that brought it, NULL for an operand */
	const char *const *options;
	size_t count;
	const char *output; /* of an analyzer that makes a file; NULL: not given */
	/* "--comm=app": options of filters and of where names come from, as given here. They mean
	 * the same to other commands. */
	char *const *shared;
	size_t shared_count;
};

/* What a run asks of the session. */
struct asked {
	unsigned wants; /* enum pdt_want */
	/* Ids of stacks may change (session_options.renumbered); NULL: the state could not follow
	 */
	void (*renumbered)(void *ctx, const uint32_t *now, size_t count);
	void *renumbered_ctx;
	bool no_stacks;		   /* only their locations are wanted: in place of that */
	bool places;		   /* as in struct session_options */
	bool no_names;		   /* nor are these named: finish() has them without */
	const char *source_prefix; /* as in struct symbol_options */
	size_t source_strip;
	size_t max_memory;    /* what is kept of samples may take so many bytes; 0: any */
	bool no_inline;	      /* the user wants no inlined functions */
	unsigned jobs;	      /* threads that may work at it */
	struct quirks quirks; /* of perf, where its output is wanted */
	struct itrace itrace; /* events out of a trace of instructions */
	struct filter filter;
};

struct folded;
struct kept_capture;
struct share_ids;

/* For lines that need nothing of what comes later: the events, one after the other. */
struct reader {
	/* False: there are no more, or they cannot be had, which who made the reader knows. */
	bool (*next)(void *ctx, struct pdt_event *e);
	void *ctx;
};

/* What a user wants to know, in the order of asking: the help groups commands by it. */
enum question {
	QUESTION_MORE, /* not stated */
	QUESTION_CAPTURE,
	QUESTION_TIME,
	QUESTION_CHANGE,
	QUESTION_WAIT,
	QUESTION_DISK,
	QUESTIONS
};

enum outcome {
	OUTCOME_DONE,
	OUTCOME_EXCEEDED, /* a threshold that the user set: exit status 4 */
	OUTCOME_VOID,	  /* a threshold was set, but nothing can be told: exit status 5 */
};

struct analyzer {
	const char *name, *summary; /* the name: one word or two, "sched latency" */
	enum question question;	    /* what it answers */
	unsigned wants;		    /* enum pdt_want */
	unsigned shapes;	    /* enum shape: what its result may hold */
	bool single;		    /* takes one capture, not several */
	bool judges;		    /* it says itself what an input without samples means */
	bool makes_file; /* -o is the file that it makes; the result goes to standard output */
	/* The OPT_TEXT option that the first operand is the value of, unless it is given, or the
	 * OPT_WORD option, of the first that is one of its words; NULL: all operands are inputs. */
	const char *operand;
	/* The operands, as the help shows them, one way or two; NULL: [FILE] or [FILE...]. */
	const char *usage[2];
	const char *default_format;   /* NULL: "text" */
	const struct option *options; /* ends with an all-zero entry; values go into the state */
	size_t state_size;
	/* The options are set, the rest of the state is zero. Negative enum err with a message in W
	 * when they make no sense. May be NULL. */
	int (*begin)(void *state, const struct inputs *in, struct warnings *w);
	/* May ask the session for more than the common needs. */
	void (*configure)(void *state, struct asked *o);
	/* May be NULL. */
	void (*event)(void *state, const struct pdt_event *e, const struct pdt_session *s);
	/* S is open, no event was read. Will the lines of the result read them from R, while they
	 * are written? Then there are no names and no event(), and finish() comes before all of
	 * them; but first configure() is asked anew, and S opened anew. May be NULL. */
	bool (*reads)(void *state, const struct pdt_session *s, const struct reader *r);
	/* Counting in parts, by several threads (parser/shares.h): make PART, all zero, a state for
	 * event() alone, which counts what STATE would of S, of which nothing was read yet. False:
	 * that cannot be. All three may be NULL. */
	bool (*part)(void *part, const void *state, const struct pdt_session *s);
	/* PART cannot be put together with others. */
	bool (*part_spoilt)(const void *part);
	/* PART is released. Its counts are STATE's, of what S is by now; IDS: NULL: they are of no
	 * use. */
	void (*part_end)(void *state, void *part, const struct pdt_session *s,
			 const struct share_ids *ids);
	/* In place of inputs: 1: *OUT is the next capture, which is not at hand itself, for
	 * finish(); 0: there is none. May be NULL. */
	int (*kept)(void *state, const struct kept_capture **out, struct warnings *w);
	/* One capture is read; names are there. With SHAPE_LINES S stays open until release().
	 * Negative enum err, with a message in W, when it
	 * cannot answer what was asked. */
	int (*finish)(void *state, const struct pdt_session *s, struct warnings *w);
	/* Take folded text in place of a capture, as finish(); NULL: it reads captures only. */
	int (*text)(void *state, struct folded *f, struct warnings *w);
	/* All inputs are read. As finish(); may be NULL. */
	int (*complete)(void *state, struct warnings *w);
	/* The result, valid until release. */
	void (*result)(void *state, struct result *out);
	/* What the result is to a script, after result(); may be NULL. For people: SAID. */
	enum outcome (*outcome)(void *state, struct buf *said);
	void (*release)(void *state);
};

#endif
