/* What threads did, by thread, in the order in which it ended: it waits in temporary files until
 * there are names. Sources tell it (lanes/marks.h); what none of them knows is here as it is. */
#ifndef PDTOOL_EXPORT_MARKS_H
#define PDTOOL_EXPORT_MARKS_H

#include "analyzers/compat/print_format.h"
#include "analyzers/export/trail.h"
#include "analyzers/lanes/marks.h"
#include "parser/base/idmap.h"
#include "parser/base/intern.h"
#include "parser/base/tempfile.h"

#define MARK_SOURCES 2
#define MARKS_RECENT 256

/* A thread that has marks; the name and process are the last ones. */
struct mark_lane {
	uint32_t tid, pid;
	uint32_t comm;	 /* in comms; INTERN_NONE: not known */
	uint32_t series; /* of trail */
	uint32_t ios;	 /* of trail ios; PROFILE_NONE: it has none */
	bool named;	 /* else nobody wants it */
};

struct marks {
	struct trail trail; /* a series for each of */
	struct mark_lane *lanes;
	size_t lane_count, lane_cap;
	struct trail ios; /* details of MARK_IO, in the order of these */
	struct idmap ids;	       /* by thread */
	uint32_t recent[MARKS_RECENT]; /* lanes that had a mark last */
	struct intern comms;
	uint64_t first_ns, last_ns; /* of all */
	struct mark_sink sink;
	void *sources[MARK_SOURCES]; /* their states */
	struct marked_event {
		bool bound;
		bool marked;	  /* no source tells of it: it is a mark itself */
		unsigned sources; /* a bit for each that gets its samples */
		struct print_format *format;
	} * events; /* by desc */
	size_t event_count, event_cap;
	struct texts {
		struct temp_stream all;
		uint64_t bytes;
		struct buf text; /* the one at hand */
		/* what was read of them last, and what came behind it */
		char window[1 << 12];
		uint64_t window_at;
		size_t window_len;
	} texts;	      /* of MARK_EVENT */
	struct mark_io io;    /* the one at hand */
	struct mark_far *far; /* by rows of trail: those of seconds, so they are few */
	size_t far_count, far_cap;
	int error; /* errno of the first failure */
	bool begun;
};

/* What the session has to give, enum pdt_want. */
unsigned marks_wants(void);
/* All zero is empty. */
void marks_release(struct marks *k);
/* Any event; PASSES: the filters let it, as far as it is a sample. */
void marks_event(struct marks *k, const struct pdt_event *e, const struct pdt_session *s,
		 bool passes);
/* No more come. */
void marks_end(struct marks *k);
/* Begin to read those of LANE. */
void marks_begin(struct marks *k, size_t lane);
/* The next ones, until the next call: how many; 0: there are no more, or error says why they cannot
 * be read. */
size_t marks_next(struct marks *k, const struct mark_row **rows);
/* Of the next MARK_IO; NULL: error says why they cannot be read. */
const struct mark_io *marks_io(struct marks *k);
/* The same of M, which is a MARK_EVENT. */
const char *marks_text(struct marks *k, const struct mark_row *m);

#endif
