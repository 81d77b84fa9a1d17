/* A profile as each program reads it, and what they share. */
#ifndef PDTOOL_EXPORT_READERS_H
#define PDTOOL_EXPORT_READERS_H

#include "formats/format.h"
#include "formats/model/profile.h"
#include "parser/base/path.h"

/* Write P to OUT, in which errors are kept. */
void write_pprof(const struct profile_part *p, struct out *out);
void write_speedscope(const struct profile_part *p, struct out *out);
void write_chrome(const struct profile_part *p, struct out *out);
void write_perfetto(const struct profile_part *p, struct out *out);
void write_firefox(const struct profile_part *p, struct out *out);
void write_bolt(const struct profile_part *p, struct out *out);
void write_profgen(const struct profile_part *p, struct out *out);
void write_autofdo(const struct profile_part *p, struct out *out);

/* The next row of the series that was begun; false also where OUT or the reading failed. */
static inline bool next_row(const struct profile_part *p, struct profile_row *row, struct out *out)
{
	return !out->error && p->next(p->ctx, row, &out->error);
}

/* The same, with rows of the same stack that follow each other as one: its time is that of the
 * first. NEXT is the row behind, for the next call. */
struct joined_rows {
	struct profile_row next;
	bool there;
};
static inline void joined_begin(struct joined_rows *j, const struct profile_part *p, size_t series,
				struct out *out)
{
	p->begin(p->ctx, series);
	j->there = next_row(p, &j->next, out);
}
bool joined_next(struct joined_rows *j, const struct profile_part *p, struct profile_row *row,
		 struct out *out);

/* Where F is: its file in the source, or else its module's. "": not known. */
const char *function_file(const struct profile_part *p, const struct profile_function *f);

#endif
