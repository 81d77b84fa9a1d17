/* T, the CPU time that a capture's samples share out, and where it comes from. */
#ifndef PDTOOL_CPU_TIME_H
#define PDTOOL_CPU_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/model/option.h"
#include "parser/base/err.h"
#include "parser/filter.h"
#include "parser/pdtool_capture.h"

/* Options, each with one value for each capture. */
struct cpu_time_options {
	struct name_list stats;	       /* files of perf stat */
	struct quantity_list cpu_time; /* ns, or percent of the wall time */
	struct quantity_list freq_ghz;
	struct quantity_list per; /* operations */
	const char *per_event;	  /* instead: their count in the stat files; or NULL */
	bool force;		  /* take a stat file of another scope */
};

struct cpu_time {
	struct cpu_time_options o; /* set before cpu_time_begin() */
	bool in_percent;	   /* T is percent of the wall time: the values are no ns */
	bool per_operation;	   /* T is divided by the number of operations */
};

/* What is known of one capture. */
struct cpu_measured {
	const char *path;
	const struct pdt_desc *event;	   /* NULL: folded text */
	uint64_t weight;		   /* the sum of its periods */
	double samples;			   /* effective ones; 0: not known */
	bool in_ns;			   /* weight is of a clock */
	const char *text_event;		   /* that folded text states; or NULL */
	const struct pdt_session *session; /* NULL: folded text */
};

struct cpu_total {
	uint64_t ns;	   /* T, at most 2^64 - 1 */
	double exact_ns;   /* T of any size, with its fraction */
	double percent;	   /* instead, when cpu_time.in_percent */
	double operations; /* 1 unless cpu_time.per_operation */
	/* of ln(T) where its source tells it, with degrees of freedom; else 0 */
	double error, error_df;
	char *source; /* in words; the caller frees it */
};

/* CAPTURES inputs will be read. ERR_USAGE with a message in W when the options make no sense. */
CHECKED int cpu_time_begin(struct cpu_time *t, size_t captures, struct warnings *w);

/* Which event of a capture to take, the lowest first: a clock, sched_stat_runtime, cycles when
 * their frequency is known, any other. */
enum cpu_rank { CPU_CLOCK, CPU_RUNTIME, CPU_CYCLES, CPU_OTHER };
enum cpu_rank cpu_time_rank(const struct cpu_time *t, const struct pdt_desc *d);
/* Are D's periods ns of CPU time? */
bool cpu_time_in_ns(const struct pdt_desc *d);

/* T of capture number I. ERR_USAGE with a message in W when nothing tells it. */
CHECKED int cpu_time_of(const struct cpu_time *t, size_t i, const struct cpu_measured *m,
			struct cpu_total *out, struct warnings *w);

#endif
