/* Lanes of spans, reduced while they come to what a drawing can hold. As long as there are few, all
 * of them stay. Then time is divided into columns; what is shorter than a column is added up with
 * its neighbours that begin in the same column: a span for each name, one behind the other from
 * where the first one began. So no time is lost, no spans overlap, and the memory is bounded. When
 * there are too many again, columns become twice as wide. */
#ifndef PDTOOL_SQUEEZE_H
#define PDTOOL_SQUEEZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SQUEEZE_OTHERS UINT32_MAX

struct squeeze_span {
	uint64_t start_ns, end_ns;
	uint64_t cause_ns;	    /* when that happened which brought it about; 0: not known */
	uint32_t cause_lane, cause; /* where, and whose deed: as the caller counts */
	uint32_t name;		    /* as the caller counts; SQUEEZE_OTHERS: the rest of a column */
};

struct squeeze_lane {
	struct squeeze_span *spans; /* by time */
	size_t count, cap;
	size_t tail;	 /* spans from here on are short, and of one column */
	uint64_t end_ns; /* of the last one that came */
	bool aside;	 /* does not make columns wider, as it will not be shown: squeeze_aside() */
};

struct squeeze {
	struct squeeze_lane *lanes;
	size_t lane_count, lane_cap;
	size_t most;   /* spans of all lanes; 0: keep every one. Set these two before the first span
			*/
	unsigned keep; /* names of a column that keep spans of their own; at most 16 */
	uint64_t step_ns;	   /* width of a column; 0: nothing was reduced */
	uint64_t start_ns, end_ns; /* of all */
	size_t total;
	uint64_t overlap_ns; /* spans that began before the one before them ended: cut off */
};

void squeeze_release(struct squeeze *s);
/* Spans of a lane come by time. */
void squeeze_add(struct squeeze *s, uint32_t lane, const struct squeeze_span *span);
void squeeze_aside(struct squeeze *s, uint32_t lane, bool aside);
/* The last span was there. */
void squeeze_end(struct squeeze *s);

#endif
