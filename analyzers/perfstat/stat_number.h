/* Numbers and words of the lines of perf stat. */
#ifndef PDTOOL_STAT_NUMBER_H
#define PDTOOL_STAT_NUMBER_H

#include "analyzers/perfstat/stat_row.h"

static inline const char *span_end(struct stat_span s)
{
	return s.start + s.len;
}

static inline struct stat_span span_of(const char *start, const char *end)
{
	return (struct stat_span){ start, (size_t)(end - start) };
}

struct stat_span span_trim(struct stat_span s);
bool span_is(struct stat_span s, const char *text);
bool span_begins(struct stat_span s, const char *text);

/* All of S is a number as some locale writes it: marks separate thousands, or the decimals. */
bool number_parse(struct stat_span s, struct stat_number *out);
/* All of S is digits. */
bool whole_parse(struct stat_span s, uint64_t *out);
/* All of S is "12", "12.5" or "12,5". */
bool real_parse(struct stat_span s, double *out);
/* The same with a percent sign behind it. */
bool percent_parse(struct stat_span s, double *out);
/* All of S is seconds with nine decimals: a time of -I. */
bool interval_parse(struct stat_span s, uint64_t *ns);
/* "<not counted>", "<not supported>" at the beginning of S: its length; 0: neither. */
size_t state_parse(struct stat_span s, enum stat_state *out);
/* "CPU0", "S0-D0-C1", "N0". *ADDED: several CPUs, the number of which follows. */
bool place_parse(struct stat_span s, bool *added);
/* The tail of "sh-123". */
bool thread_parse(struct stat_span s);
/* Could S be the name of an event? of a unit? */
bool is_event_name(struct stat_span s);
bool is_unit_name(struct stat_span s);

#endif
