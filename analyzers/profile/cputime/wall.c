#include "analyzers/profile/cputime/wall.h"
#include "parser/filter.h"

#include <string.h>
#include <sys/stat.h>

int anchor_parse(const char *anchor, int64_t *offset_ns)
{
	const char *equals = strchr(anchor, '=');
	uint64_t clock_ns, wall_ns;

	if (!equals || seconds_parse(anchor, (size_t)(equals - anchor), &clock_ns) < 0 ||
	    wall_parse(equals + 1, strlen(equals + 1), &wall_ns) < 0)
		return ERR_USAGE;
	*offset_ns = (int64_t)(wall_ns - clock_ns);
	return 0;
}

int wall_of(struct wall *out, const struct session *s, const char *anchor, struct warnings *w)
{
	const struct capture *c = session_capture(s);
	const struct capture_meta *m = &c->meta;
	struct stat st;

	*out = (struct wall){ .exact = true };
	/* perf stat record writes the section without a clock */
	if (m->has_clock_data && m->wall_ns) {
		out->offset_ns = (int64_t)(m->wall_ns - m->clock_ns);
		out->source = "exact: the clock that the capture recorded";
		return 0;
	}
	if (anchor) {
		out->source = "as --anchor says";
		return anchor_parse(anchor, &out->offset_ns);
	}
	if (stat(source_path(c->source), &st) < 0 || !S_ISREG(st.st_mode)) {
		warn_add(w, SEV_FATAL, "tod",
			 "%s: nothing tells the wall clock. Give --anchor TRACE_SECONDS=ISO_TIME, "
			 "or record with: perf record -k CLOCK_MONOTONIC",
			 source_path(c->source));
		return ERR_ABSENT;
	}
	out->exact = false;
	out->source = "approximate: from the time of the file's last change";
	out->offset_ns = (int64_t)((uint64_t)st.st_mtim.tv_sec * 1000000000u +
				   (uint64_t)st.st_mtim.tv_nsec - session_stats(s)->last_ns);
	return 0;
}
