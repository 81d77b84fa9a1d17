/* Read one capture in parts. */
#include "cli/files/parts.h"
#include "cli/progress.h"
#include "parser/base/mem.h"
#include "parser/base/pool.h"
#include "parser/library/door.h"
#include "parser/shares.h"

#include <stdlib.h>

#define PARTS_MAX   16
#define PARTS_USUAL 4
#define WORTH_BYTES (16u << 20)

struct part {
	struct pdt_session *session;
	struct warnings warnings; /* the same in each: those of the first are told */
	void *state;
	int rc;
};

struct reading {
	const struct parts *p;
	struct part list[PARTS_MAX];
	unsigned count;
};

static void read_part(void *ctx, size_t i)
{
	struct reading *r = ctx;
	struct part *part = &r->list[i];
	struct pdt_event e;

	while ((part->rc = session_next(part->session->session, &e)) == 1) {
		r->p->analyzer->event(part->state, &e, part->session);
		if (!i)
			progress_step(r->p->progress, part->session->session);
	}
}

static bool begin_part(const struct parts *p, struct part *part)
{
	part->state = xcalloc(1, p->analyzer->state_size);
	if (p->analyzer->part(part->state, p->state, part->session))
		return shares_fit(part->session->session);
	free(part->state);
	part->state = NULL;
	return false;
}

/* False: there is one that is another file by now, or has no state. */
static bool open_part(struct reading *r, const struct session_options *o)
{
	struct part *part = &r->list[r->count];
	struct session_options mine = *o;

	mine.source = NULL;
	if (door_open(&part->session, r->p->path, &mine, &part->warnings) < 0)
		return false;
	r->count++;
	return begin_part(r->p, part);
}

/* Each part reads all of the file, so that many help less and less. */
static unsigned part_count(const struct parts *p, const struct session *s)
{
	unsigned most = p->asked ? PARTS_MAX : PARTS_USUAL;

	if (!p->asked && shares_bytes(s) < WORTH_BYTES)
		return 1;
	return p->jobs < most ? p->jobs : most;
}

static bool open_parts(struct reading *r, struct pdt_session *s, const struct session_options *o)
{
	const struct parts *p = r->p;
	unsigned n = part_count(p, s->session);

	r->list[0].session = s;
	if (n < 2 || !p->analyzer->part || !begin_part(p, &r->list[0]))
		return false;
	for (r->count = 1; r->count < n;) {
		if (!open_part(r, o))
			return false;
	}
	for (unsigned i = 0; i < n; i++)
		shares_take(r->list[i].session->session, i, n);
	return true;
}

/* What came of all of them: of each the same, or they cannot be put together. */
static int outcome(const struct reading *r)
{
	const struct part *first = &r->list[0];

	for (unsigned i = 0; i < r->count; i++) {
		const struct part *part = &r->list[i];

		if (part->rc != first->rc || shares_spoilt(part->session->session) ||
		    r->p->analyzer->part_spoilt(part->state))
			return ERR_ALONE;
		for (unsigned k = 0; k < i; k++) {
			if (!shares_agree(part->session->session, r->list[k].session->session))
				return ERR_ALONE;
		}
	}
	return first->rc;
}

static void end_part(const struct reading *r, struct part *part, const struct share_ids *ids)
{
	r->p->analyzer->part_end(r->p->state, part->state, r->list[0].session, ids);
	free(part->state);
	part->state = NULL;
}

static void absorb(struct reading *r)
{
	struct part *first = &r->list[0];

	for (unsigned i = 0; i < r->count; i++) {
		struct share_ids ids = { 0 };
		struct part *part = &r->list[i];

		if (i)
			shares_absorb(first->session->session, part->session->session, &ids);
		end_part(r, part, &ids);
		share_ids_release(&ids);
	}
}

static void close_parts(struct reading *r)
{
	for (unsigned i = 0; i < PARTS_MAX; i++) {
		struct part *part = &r->list[i];

		if (part->state)
			end_part(r, part, NULL);
		if (i)
			pdt_close(part->session);
		warnings_release(&part->warnings);
	}
}

int parts_read(const struct parts *p, struct pdt_session *s, const struct session_options *o)
{
	struct reading r = { .p = p };
	int rc = PARTS_NONE;

	if (open_parts(&r, s, o)) {
		pool_for(r.count, r.count, read_part, &r);
		rc = outcome(&r);
		stage("join");
		if (rc == 0)
			absorb(&r);
	}
	close_parts(&r);
	return rc;
}
