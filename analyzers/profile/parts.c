/* Folded stacks of a part of a capture's samples. */
#include "analyzers/profile/parts.h"
#include "parser/base/mem.h"
#include "parser/eventname.h"
#include "parser/shares.h"

#include <stdlib.h>

/* Each part must see the same event first, and the same one last: there must be one. A dummy has no
 * samples. NAME: of the event that counts; NULL: the first one seen. */
static bool one_event(const struct pdt_session *s, const char *name)
{
	struct event_choice choice = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < pdt_desc_count(s); i++) {
		const struct pdt_desc *d = pdt_desc_at(s, i);

		count += name ? event_named(&choice, events_of(s), name, d) : !event_is_dummy(d);
	}
	event_choice_release(&choice);
	return count == 1;
}

bool folding_part(struct folding *part, const struct folding *f, const struct pdt_session *s)
{
	if (f->o.compat || f->special || !one_event(s, f->only_name))
		return false;
	part->o = f->o;
	part->only_name = f->only_name ? xstrdup(f->only_name) : NULL;
	part->samples.wants = f->samples.wants;
	part->samples.max_bytes = f->samples.max_bytes;
	return true;
}

static uint32_t *map_labels(struct folding *f, const struct folding *part)
{
	uint32_t *now = xmalloc((part->labels.count + 1) * sizeof(*now));

	for (size_t i = 0; i < part->labels.count; i++) {
		const struct interned *label = &part->labels.list[i];

		now[i] = intern_add(&f->labels, label->s, label->len);
	}
	return now;
}

void folding_part_end(struct folding *f, struct folding *part, const struct pdt_session *s,
		      const struct share_ids *ids)
{
	uint32_t *labels = ids ? map_labels(f, part) : NULL;

	if (ids && part->only) {
		f->only = pdt_desc_at(s, pdt_desc_index(part->only));
		f->in_ns = part->in_ns;
		if (!f->only_name)
			f->only_name = xstrdup(part->only_name);
	}
	if (ids)
		samples_take(&f->samples, &part->samples, ids, labels);
	free(labels);
	folding_release(part);
}
