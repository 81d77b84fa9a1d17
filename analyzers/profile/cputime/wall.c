/* Finds out what to add to a capture's times for the time of day, and reads the anchors that a
 * user gives for it. */
#include "analyzers/profile/cputime/wall.h"

#include <sys/stat.h>

int wall_of(struct wall *out, const struct pdt_session *s, const int64_t *anchor_ns,
	    struct warnings *w)
{
	uint64_t wall_ns = pdt_number(s, PDT_WALL_NS);
	struct stat st;

	*out = (struct wall){ .exact = true };
	/* perf stat record writes the section without a clock */
	if (wall_ns && pdt_number(s, PDT_HAS_WALL)) {
		out->offset_ns = (int64_t)(wall_ns - pdt_number(s, PDT_CLOCK_NS));
		out->source = "exact: the clock that the capture recorded";
		return 0;
	}
	if (anchor_ns) {
		out->source = "as --anchor says";
		out->offset_ns = *anchor_ns;
		return 0;
	}
	if (stat(pdt_text(s, PDT_PATH), &st) < 0 || !S_ISREG(st.st_mode)) {
		warn_add(w, SEV_FATAL, "tod",
			 "%s: the wall clock is not known. Give --anchor TRACE_SECONDS=ISO_TIME, "
			 "or record with: perf record -k CLOCK_MONOTONIC",
			 pdt_text(s, PDT_PATH));
		return ERR_ABSENT;
	}
	out->exact = false;
	out->source = "approximate: from the time of the file's last change";
	out->offset_ns = (int64_t)((uint64_t)st.st_mtim.tv_sec * 1000000000u +
				   (uint64_t)st.st_mtim.tv_nsec - pdt_number(s, PDT_LAST_NS));
	return 0;
}
