/* How many samples is a weight? The answer belongs to an input: a capture knows it, folded text
 * that pdtool wrote tells it, other folded text does not. Where it is not known nothing may be said
 * of chance: no interval, no z. */
#ifndef PDTOOL_UNIT_H
#define PDTOOL_UNIT_H

#include "analyzers/count/samples.h"
#include "parser/pdtool_capture.h"
#include "parser/folded.h"

struct unit {
	double weight, squares; /* of all samples; squares: NAN where an input does not tell */
	/* "ns", "samples", "branches", the name of a field, or "periods": those of the event */
	char name[FOLDED_UNIT_MAX];
	char event[128];
	bool mixed; /* inputs count different things */
	bool any;   /* there was an input that told */
};

/* Samples of D were counted, in COUNTS: "samples"; NULL: in those of the event. */
void unit_of_samples(struct unit *u, const struct samples *s, const struct pdt_desc *d,
		     const char *counts);
/* Folded text of TOTAL weight was read. */
void unit_of_text(struct unit *u, const struct folded *text, double total);

/* What one sample weighs: sum w^2 / sum w, so that TOTAL / that are Kish's effective samples; 0:
 * not known. */
double unit_sample(const struct unit *u);
/* What weights count: "ns", "samples", the event's name; NULL: not known. */
const char *unit_name(const struct unit *u);
/* For the line that tells it in folded text. False: it is not known. */
bool unit_folded(const struct unit *u, struct folded_unit *out);

#endif
