/* Groups modules by the reason for which their files were not taken. */
#include "analyzers/capture/refusals.h"
#include "analyzers/capture/module_paths.h"

#include <string.h>

#define OTHER_BUILD "have another build-id"

const char *refused_file(const struct pdt_module *m, size_t i, char id[2 * BUILD_ID_MAX + 1])
{
	const uint8_t *bytes;
	size_t len;
	const char *path = pdt_module_refused(m, i, &bytes, &len);
	struct build_id have = path ? build_id_make(bytes, len) : (struct build_id){ 0 };

	build_id_text(&have, id);
	return path;
}

static void note(struct refusal *r, const struct pdt_module *m)
{
	if (!r->count++)
		r->first = m;
}

static const char *reason_of(const struct pdt_module *m)
{
	if (!pdt_module_number(m, PDT_MODULE_REFUSED))
		return pdt_module_text(m, PDT_MODULE_UNUSED);
	return pdt_module_refused_why(m, 0) ?: OTHER_BUILD;
}

void refusals_add(struct refusals *r, const struct pdt_module *m)
{
	const char *why = reason_of(m);
	size_t i = 0;

	if (pdt_module_text(m, PDT_MODULE_SOURCE) && pdt_module_number(m, PDT_MODULE_UNVERIFIED) &&
	    r->unverified_count++ < UNVERIFIED_NAMED)
		r->unverified[r->unverified_count - 1] = m;
	if (!why)
		return;
	while (i < REFUSAL_REASONS - 1 && r->list[i].why && strcmp(r->list[i].why, why))
		i++;
	r->list[i].why = why;
	note(&r->list[i], m);
}

/* What follows the first module of several with the same reason. */
static void add_more(struct buf *b, const struct refusal *r)
{
	if (r->count > 1)
		buf_printf(b, "; the same with %zu more modules", r->count - 1);
}

/* The rest of the line on a refused file, after its path; WANT is the recorded build-id. */
static void put_reason(struct buf *b, const struct pdt_module *m, size_t i, const char *have,
		       const char *want)
{
	const char *why = pdt_module_refused_why(m, i);

	if (why && have[0])
		buf_printf(b, "%s (%s)", why, have);
	else if (why)
		buf_printf(b, "%s", why);
	else
		buf_printf(b, "has build-id %s, recorded was %s", have[0] ? have : "none",
			   want[0] ? want : "none");
}

/* Of one module each file; of several the first file of the first one. */
static void state_other_builds(const struct refusal *r, struct answer *a)
{
	char want[2 * BUILD_ID_MAX + 1], have[2 * BUILD_ID_MAX + 1];
	struct build_id recorded = module_id(r->first);
	struct buf more = { 0 }, reason = { 0 };
	const char *path;

	build_id_text(&recorded, want);
	add_more(&more, r);
	for (size_t i = 0; (path = refused_file(r->first, i, have)) != NULL; i++) {
		reason.len = 0;
		put_reason(&reason, r->first, i, have, want);
		answer_fact(a, "refused", "%s: %s %s%s", module_path(r->first), path, reason.data,
			    more.len ? more.data : "");
		if (more.len)
			break;
	}
	buf_release(&reason);
	buf_release(&more);
}

static void state_unverified(const struct refusals *r, struct answer *a)
{
	const struct pdt_module *first = r->unverified[0];
	struct buf b = { 0 };

	for (size_t i = 0; i < r->unverified_count && i < UNVERIFIED_NAMED; i++)
		buf_printf(&b, "%s%s from %s", i ? ", of " : "", module_path(r->unverified[i]),
			   pdt_module_text(r->unverified[i], PDT_MODULE_SOURCE));
	if (r->unverified_count > UNVERIFIED_NAMED)
		buf_printf(&b, ", and of %zu more modules", r->unverified_count - UNVERIFIED_NAMED);
	if (r->unverified_count == 1)
		answer_fact(a, "unverified", "%s: names from %s, not verified by a build-id",
			    module_path(first), pdt_module_text(first, PDT_MODULE_SOURCE));
	else if (b.len)
		answer_fact(a, "unverified", "not verified by a build-id: names of %s", b.data);
	buf_release(&b);
}

void refusals_state(const struct refusals *r, struct answer *a)
{
	struct buf more = { 0 };

	for (size_t i = 0; i < REFUSAL_REASONS && r->list[i].why; i++) {
		const struct refusal *one = &r->list[i];

		if (pdt_module_number(one->first, PDT_MODULE_REFUSED)) {
			state_other_builds(one, a);
			continue;
		}
		more.len = 0;
		add_more(&more, one);
		answer_fact(a, "refused", "%s: the file here %s%s", module_path(one->first),
			    one->why, more.len ? more.data : "");
	}
	state_unverified(r, a);
	buf_release(&more);
}
