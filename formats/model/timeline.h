/* TIMELINE: lanes of spans over a common axis of time. */
#ifndef PDTOOL_MODEL_TIMELINE_H
#define PDTOOL_MODEL_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

struct span {
	uint64_t start_ns, end_ns;
	uint32_t name;	/* index into names */
	uint16_t depth; /* 0: directly above the lane's base line */
};

struct lane {
	const char *name;
	const struct span *spans; /* sorted by start_ns, then depth */
	size_t count;
	uint32_t depth; /* greatest depth + 1 */
	uint32_t group; /* a process, for instance: its lanes follow each other; 0: nobody's */
};

/* What spans of one name are: gives a drawing their colour. */
enum span_kind {
	SPAN_FRAME, /* a function: by the palette that the user chose */
	SPAN_TASK,  /* one task of many: by its name */
	SPAN_RUNNING,
	SPAN_RUNNABLE,
	SPAN_SLEEP,
	SPAN_DISK,
	SPAN_BLOCKED, /* for another reason than these two */
	SPAN_UNKNOWN,
	SPAN_OTHERS, /* several of them, too short for spans of their own */
};

/* What brought a span about: shown when the span is pointed at. */
struct arrow {
	uint64_t from_ns, to_ns; /* to_ns: the start of a span of depth 0 */
	uint32_t from_lane;	 /* UINT32_MAX: none of those that are there */
	uint32_t to_lane;
	const char *cause; /* "woken by x"; no control bytes */
};

struct timeline_part {
	const char *const *names;
	const struct lane *lanes;
	size_t lane_count;
	uint64_t start_ns, end_ns;
	const char *unit;     /* "ns"; else the axis counts this, from 0 */
	const char *noun;     /* what a span is: "Task:"; NULL: as the user says */
	const uint8_t *kinds; /* by name: enum span_kind; NULL: all are SPAN_FRAME */
	/* by name: to what it belongs, which gives it its colour, NULL: to the rest. NULL: each
	 * name is on its own */
	const char *const *groups;
	/* of functions, by name: enum frame_kind; NULL: their marks say it */
	const uint8_t *frame_kinds;
	const char *grouped;	    /* what those are: "commands" */
	const char *empty;	    /* what time without a span is: "idle"; NULL: it says nothing */
	const struct arrow *arrows; /* by to_lane, then to_ns */
	size_t arrow_count;
	/* spans shorter than this were added up, neighbour by neighbour; 0: all are there */
	uint64_t step_ns;
	/* for a drawing: commands that say more of a part of the time, without the capture; NULL
	 * after the last one. NULL: there are none */
	const char *const *commands;
};

#endif
