/* What an analyzer answers: facts and the cells of a table, with one lifetime. Text is made safe to
 * show: control bytes and what is not UTF-8 become blanks. */
#ifndef PDTOOL_ANSWER_H
#define PDTOOL_ANSWER_H

#include "formats/model/result.h"
#include "parser/base/arena.h"
#include "parser/folded.h"
#include "parser/filter.h"
#include "parser/pdtool_capture.h"

struct answer {
	struct arena arena;
	struct fact *facts;
	size_t fact_count, fact_cap;
	struct cells cells;
	uint32_t *order; /* as in table_part: a listing's rows, so many; NULL: all */
	size_t order_count;
	struct table_part table;
	const char **told, **inputs; /* as in struct result */
	size_t told_count, told_cap, input_count, input_cap;
	const char *filters; /* NULL: none */
	uint64_t lost, throttles;
	bool spans;	      /* there was a capture with a beginning and an end */
	uint64_t clock_shift; /* see there */
	bool held;	      /* see answer_held() */
	size_t captures;      /* seen by answer_capture() and answer_text() */
};

void answer_release(struct answer *a);

/* NAME is a literal. Amounts: see formats/model/amount.h. */
void answer_fact(struct answer *a, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* A fact that says how far the figures can be believed: on a terminal it stands above them, while
 * facts that are neither that nor the verdict come below. */
void answer_warn(struct answer *a, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* With IT, the fact that was added last is such a one. */
void answer_warns_if(struct answer *a, bool it);
/* The fact that was added last is the verdict, or the sum: people read it first. */
void answer_leads(struct answer *a);
/* Append "COUNT WHAT" to the list B, unless COUNT is 0. */
void answer_list(struct buf *b, uint64_t count, const char *what);
/* With IT, a sum of the result went beyond 2^64 - 1: it is held there (parser/base/held.h), and the
 * result says so. */
void answer_held(struct answer *a, bool it);
/* Such a sum on its way into the result, which says so if SUM is held. Returns it. */
uint64_t answer_sum(struct answer *a, uint64_t sum);
/* What could not be matched, such a list, as a fact and in W. */
void answer_unmatched(struct answer *a, const struct buf *b, struct warnings *w);
/* The same, unless TEXT is NULL or empty. */
void answer_fact_if(struct answer *a, const char *name, const char *text);
/* Of a weight: that of samples whose function has no name, and that of samples that were in another
 * function than the innermost one of their call chain. */
struct weight_parts {
	double whole, unnamed, apart;
};

/* What the facts about them are called. */
struct weight_part_names {
	const char *unnamed, *apart;
};

extern const struct weight_part_names weight_part_names;

/* Facts about P; of EVENT, unless that is NULL. */
void answer_parts(struct answer *a, const struct weight_part_names *names, const char *event,
		  struct weight_parts p);
const char *answer_string(struct answer *a, const char *text);

/* Why there is nothing to show: TEXT, and what could not be matched. */
const char *answer_none(struct answer *a, const char *text);
/* A short text that a drawing says below its title. */
void answer_tell(struct answer *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The cells of the table, row by row. */
void answer_cell_text(struct answer *a, const char *text);
/* What TEXT holds, which is released. */
void answer_cell_buf(struct answer *a, struct buf *text);
/* TEXT is safe and lives as long as the answer: answer_string() made it. NULL: there is none yet,
 * cells_set_text() tells it. */
void answer_cell_kept(struct answer *a, const char *text);
void answer_cell_count(struct answer *a, uint64_t count);
/* Of answer_sum(). */
void answer_cell_sum(struct answer *a, uint64_t sum);
/* Empty where it is not THERE. */
void answer_cell_count_if(struct answer *a, bool there, uint64_t count);
void answer_cell_delta(struct answer *a, int64_t delta);
void answer_cell_real(struct answer *a, double real); /* not finite: empty */
void answer_cell_empty(struct answer *a);

/* "2024-02-03T04:05:06.789012345Z", in TEXT. */
const char *wall_text(char text[64], uint64_t wall_ns);
/* The filters, as a fact; NONE is said where there are none, and nothing where that is NULL. */
void answer_filters(struct answer *a, const struct filter *f, const char *none);
/* What was read: the capture, its host, its samples and losses, the filters. */
void answer_capture(struct answer *a, const struct pdt_session *s);
/* From when to when. */
void answer_span(struct answer *a, const struct pdt_session *s);
void answer_folded(struct answer *a, const struct folded *text);
/* Text of another kind was read: WHAT, a literal. */
void answer_text_input(struct answer *a, const char *what, const struct folded *text);

/* Put the facts, and with COLUMNS (a NULL name ends them) the table, into OUT. */
void answer_result(struct answer *a, const struct column *columns, struct result *out);

#endif
