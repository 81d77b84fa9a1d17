/* Folded stacks of a part of a capture's samples. */
#include "analyzers/profile/parts.h"
#include "parser/base/mem.h"
#include "parser/eventname.h"
#include "parser/shares.h"

#include <stdlib.h>

/* The event seen first counts: each part must see the same. A dummy has no samples. */
static bool one_event(const struct pdt_session *s)
{
	size_t count = 0;

	for (size_t i = 0; i < pdt_desc_count(s); i++)
		count += !event_is_dummy(pdt_desc_at(s, i));
	return count == 1;
}

bool folding_part(struct folding *part, const struct folding *f, const struct pdt_session *s)
{
	if (f->o.compat || (!f->only_name && !one_event(s)))
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
