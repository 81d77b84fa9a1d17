/* What all of it stands on: the names so far, numbers in the order of the capture, what a probe is.
 */
#include "parser/cut/scrub.h"
#include "parser/base/abi.h"
#include "parser/pack/rewrite.h"

#include <string.h>

void scrub_init(struct scrub *s, unsigned level, const struct capture *f)
{
	struct warnings ignored = { 0 };

	*s = (struct scrub){ .level = level, .capture = f };
	trace_formats_init(&s->formats);
	if (level && f->meta.tracing_data) /* what cannot be read has no format, and is emptied */
		(void)!trace_formats_read(&s->formats, f->meta.tracing_data, f->meta.tracing_size,
					  &ignored);
	warnings_release(&ignored);
}

void scrub_release(struct scrub *s)
{
	pseudonyms_release(&s->names);
	trace_formats_release(&s->formats);
	buf_release(&s->out);
	buf_release(&s->text);
}

const struct pdt_format *scrub_format(const struct scrub *s, const struct event_attr *a)
{
	return a->type == EVENT_TYPE_TRACEPOINT ? trace_format_by_id(&s->formats, a->config) : NULL;
}

bool scrub_is_probe(const struct pdt_format *f)
{
	return trace_field(f, "__probe_ip") || trace_field(f, "__probe_func");
}

void scrub_event_name(struct scrub *s, const struct event_attr *a, struct interned name,
		      struct buf *out)
{
	const struct pdt_format *f = scrub_format(s, a);

	if (!f || !scrub_is_probe(f)) {
		buf_add(out, name.s, name.len);
		return;
	}
	buf_str(out, "probe:");
	pseudonym_add(&s->names, NAME_EVENT, name, out);
}
