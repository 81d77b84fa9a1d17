/* Heat maps: points with a time and a value, counted by column and row.
 *
 * Columns are steps of time from the first point on. Rows are ranges of values, evenly spaced or by
 * a constant factor, or labels. The cells together with what lies outside are all points. */
#ifndef PDTOOL_HEAT_H
#define PDTOOL_HEAT_H

#include "parser/base/buf.h"
#include "formats/model/result.h"
#include "parser/base/arena.h"
#include "parser/base/err.h"
#include "parser/base/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HEAT_PERCENTS 16

/* There are as many as events: 16 bytes. */
struct heat_point {
	uint64_t time_ns; /* of its end */
	uint64_t value;
};

/* What only some maps have of their points: 16 more. */
struct heat_more {
	uint64_t span_ns; /* how long it was under way, for the depth */
	union {
		uint32_t bytes; /* a request has no more */
		uint32_t stack; /* the caller's own */
	};
	uint16_t lane;	/* id in heat.lane_names, then the lane's number */
	bool idle_task; /* the caller's own */
};

struct heat_options {
	bool log;
	bool octaves;	/* rows are the powers of two, columns begin at multiples of their step */
	bool from_zero; /* linear rows begin at 0 rather than at the smallest value */
	bool has_min, has_max;
	uint64_t min, max;	 /* values outside are clipped */
	uint64_t rows;		 /* 0: 50 */
	uint64_t row_step;	 /* in place of ROWS, linear */
	uint64_t column_step_ns; /* 0: so that there are at most 600 columns */
	uint64_t align_ns;	 /* the first column begins at a multiple of this; 0: at the first
				  * point */
	uint64_t columns_max;	 /* 0: all; points behind them are clipped */
	double percents[HEAT_PERCENTS]; /* lines by column */
	size_t percent_count;
	uint64_t percent_least;	   /* no lines when columns hold fewer points on average */
	bool in_ns;		   /* values are times */
	bool has_bytes, has_spans; /* strips that make sense */
	const char *const *labels; /* rows are these, and values their numbers */
	struct column rate;	   /* "ios_per_s"; without a name it is not shown */
};

struct heat {
	struct heat_point *points;
	size_t count, cap;
	struct heat_more *more; /* of the first points; of the others all is 0 */
	size_t more_count, more_cap;
	uint64_t *values;  /* room for those of all points; NULL before heat_build() */
	uint64_t shift_ns; /* what points are later than they were added with: see clock_shift() */
	uint64_t refused;  /* points above the limit of their number */
	struct intern lane_names;
	size_t lane_prefix; /* bytes that all of them begin with, not shown */
	/* after heat_build(): */
	uint64_t inside, below, above, after; /* points by where they lie */
	uint64_t sum;			      /* of all values, up to the largest number */
	struct grid_part grid;		      /* without the names of the axes */
	struct grid_part *lanes;
	size_t lane_count;     /* 0: there are no lanes */
	uint32_t *lane_number; /* by id in lane_names; NULL: there are none */
	struct arena arena;
};

void heat_release(struct heat *h);
bool heat_room(struct heat *h);
/* The more of the point that was added last, to be changed; valid until the next one. */
struct heat_more *heat_more(struct heat *h);
/* That of point I. */
static inline struct heat_more heat_more_at(const struct heat *h, size_t i)
{
	return i < h->more_count ? h->more[i] : (struct heat_more){ 0 };
}
/* One more point; NULL: there are too many. Valid until the next one. */
static inline struct heat_point *heat_add(struct heat *h, uint64_t time_ns, uint64_t value)
{
	if (h->count == h->cap && !heat_room(h))
		return NULL;
	h->points[h->count] =
		(struct heat_point){ .time_ns = time_ns + h->shift_ns, .value = value };
	return &h->points[h->count++];
}
/* USUAL: the source decides, when all points are there. */
enum heat_by {
	HEAT_BY_USUAL,
	HEAT_NO_LANES,
	HEAT_BY_DEVICE,
	HEAT_BY_OP,
	HEAT_BY_COMM,
	HEAT_BY_CPU,
	HEAT_BY_FIELD, /* of a tracepoint, by name */
};

/* Powers of two: 0 is in bucket 0, 1 in 1, 2 and 3 in 2; 65 in all. */
static inline unsigned octave_of(uint64_t value)
{
	return value ? 64 - (unsigned)__builtin_clzll(value) : 0;
}

/* Where bucket I begins. */
static inline uint64_t octave_start(unsigned i)
{
	return !i ? 0 : i <= 64 ? 1ull << (i - 1) : UINT64_MAX;
}

/* The id of a lane, for points. */
uint32_t heat_lane(struct heat *h, const char *name);
/* That of a command or a CPU, either NULL: not known; 0 when lanes are of something else. */
uint32_t heat_lane_by(struct heat *h, enum heat_by by, const char *comm, const uint32_t *cpu);
/* Call lanes what NAME appends for each; nothing: it stays. No lane is added after it. */
void heat_name_lanes(struct heat *h, void (*name)(const char *lane, const void *ctx, struct buf *),
		     const void *ctx);
/* Count the points; BY_LANE also by lane. ERR_USAGE with a message in W when the grid asked for is
 * too large. Keeps O's labels. */
CHECKED int heat_build(struct heat *h, const struct heat_options *o, bool by_lane,
		       struct warnings *w);
/* Percentiles of all values: PERCENTS[i] becomes OUT[i], COUNT of them. There must be points. */
void heat_percentiles(const struct heat *h, const double *percents, size_t count, uint64_t *out);
/* The values of lane number LANE become h->values; their number, and *SUM as that of all. */
size_t heat_lane_values(struct heat *h, size_t lane, uint64_t *sum);

#endif
