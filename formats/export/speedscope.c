/* speedscope's own form (https://www.speedscope.app/file-format-schema.json): frames once, by
 * their index, and for each thread and event a profile: stacks, root first, and weights beside
 * them. Frames are told apart by their index, so each function is one. */
#include "formats/export/readers.h"

#ifndef PDTOOL_VERSION
#define PDTOOL_VERSION "0"
#endif

static void write_frames(const struct profile_part *p, struct out *out)
{
	out_str(out, "\"shared\":{\"frames\":[");
	for (size_t i = 0; i < p->function_count; i++) {
		const struct profile_function *f = &p->functions[i];
		const char *file = function_file(p, f);

		out_put(out, i ? ",\n{\"name\":%s" : "\n{\"name\":%s", f->name);
		if (*file)
			out_put(out, ",\"file\":%s", file);
		out_str(out, "}");
	}
	out_str(out, "]},\n");
}

static void write_stack(const struct profile_part *p, uint32_t stack, struct out *out)
{
	const uint32_t *locations;
	const char *between = "[";

	for (size_t i = p->stack(p->ctx, stack, &locations); i-- > 0;) {
		const struct profile_location *l = &p->locations[locations[i]];

		for (size_t k = l->count; k-- > 0;) {
			out_str(out, between);
			out_u64(out, p->lines[l->first + k].function);
			between = ",";
		}
	}
	out_str(out, "]");
}

static void write_series(const struct profile_part *p, size_t series, struct out *out)
{
	struct joined_rows rows;
	struct profile_row row;
	uint64_t sum = 0;
	size_t count = 0;

	out_str(out, ",\"samples\":[");
	joined_begin(&rows, p, series, out);
	for (; joined_next(&rows, p, &row, out); count++) {
		out_str(out, count ? ",\n" : "\n");
		write_stack(p, row.stack, out);
	}
	out_str(out, "],\"weights\":[");
	joined_begin(&rows, p, series, out);
	for (count = 0; joined_next(&rows, p, &row, out); count++) {
		out_str(out, count ? "," : "");
		out_u64(out, row.weight);
		sum += row.weight;
	}
	out_put(out, "],\"startValue\":0,\"endValue\":%lu}", sum);
}

/* "app 77/78 cpu-clock" */
static void write_name(const struct profile_thread *t, const struct profile_event *e,
		       struct out *out)
{
	struct buf name = { 0 };

	buf_printf(&name, "%s %d/%d %s", t->comm, (int)t->pid, (int)t->tid, e->name);
	out_put(out, "\"name\":%s", name.data);
	buf_release(&name);
}

void write_speedscope(const struct profile_part *p, struct out *out)
{
	const char *between = "";

	out->quoting = QUOTE_JSON;
	out_str(out, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n");
	out_put(out, "\"exporter\":\"pdtool@" PDTOOL_VERSION "\",\"name\":%s,\n",
		base_name(p->path ? p->path : "-"));
	write_frames(p, out);
	out_str(out, "\"activeProfileIndex\":0,\"profiles\":[");
	for (size_t i = 0; i < p->series_count && !out->error; i++) {
		const struct profile_series *s = &p->series[i];
		struct joined_rows rows;

		joined_begin(&rows, p, i, out);
		if (!rows.there) /* filters leave none */
			continue;
		out_str(out, between);
		out_str(out, "\n{\"type\":\"sampled\",\"unit\":");
		out_str(out, p->events[s->event].in_ns ? "\"nanoseconds\"," : "\"none\",");
		write_name(&p->threads[s->thread], &p->events[s->event], out);
		write_series(p, i, out);
		between = ",";
	}
	out_str(out, "]}\n");
}
