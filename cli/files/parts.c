/* Read one capture in parts, or two side by side. */
#include "cli/files/parts.h"
#include "cli/progress.h"
#include "parser/base/mem.h"
#include "parser/base/pool.h"
#include "parser/library/door.h"
#include "parser/shares.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PARTS_MAX   16
#define PARTS_USUAL 4
#define WORTH_BYTES (16u << 20)
#define ALIKE	    3 /* so many times larger may one of two be that are read side by side */

struct part {
	struct pdt_session *session;
	struct warnings warnings; /* the same in each: those of the first are told */
	void *state;
	int rc;
};

/* Of one capture. */
struct reading {
	const struct analyzer *analyzer;
	void *state; /* what it counts for */
	const char *path;
	struct progress *progress; /* NULL: it is not shown */
	struct part list[PARTS_MAX];
	unsigned count;
};

static void read_part(struct reading *r, size_t i)
{
	struct part *part = &r->list[i];
	struct pdt_event e;

	while ((part->rc = session_next(part->session->session, &e)) == 1) {
		r->analyzer->event(part->state, &e, part->session);
		if (!i && r->progress)
			progress_step(r->progress, part->session->session);
	}
}

static bool begin_part(const struct reading *r, struct part *part)
{
	part->state = xcalloc(1, r->analyzer->state_size);
	if (r->analyzer->part(part->state, r->state, part->session))
		return true;
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
	if (door_open(&part->session, r->path, &mine, &part->warnings) < 0)
		return false;
	r->count++;
	return begin_part(r, part) && shares_fit(part->session->session);
}

static bool open_parts(struct reading *r, unsigned n, const struct session_options *o)
{
	while (r->count < n) {
		if (!open_part(r, o))
			return false;
	}
	return true;
}

/* What came of all of them: of each the same, or they cannot be put together. */
static int outcome(const struct reading *r)
{
	const struct part *first = &r->list[0];

	for (unsigned i = 0; i < r->count; i++) {
		const struct part *part = &r->list[i];

		if (part->rc != first->rc || shares_spoilt(part->session->session) ||
		    r->analyzer->part_spoilt(part->state))
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
	r->analyzer->part_end(r->state, part->state, r->list[0].session, ids);
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

/* The first session stays. */
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

/* ---- the next one ---- */

void beside_free(struct reading *r)
{
	if (!r)
		return;
	close_parts(r);
	pdt_close(r->list[0].session);
	free(r);
}

struct pdt_session *beside_take(struct reading *r, bool counts, struct warnings *w)
{
	struct part again = { .session = r->list[0].session };

	/* what it is to count may depend on the one before */
	if (counts && !begin_part(r, &again)) {
		beside_free(r);
		return NULL;
	}
	if (counts) {
		end_part(r, &again, NULL);
		absorb(r);
	}
	shares_warn_in(again.session->session, w);
	close_parts(r);
	free(r);
	return again.session;
}

/* A file that can be opened again, whose bytes nobody else waits for. */
static bool is_file(const char *path)
{
	struct stat st;

	return strcmp(path, "-") && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Or all threads had better read the one, and then the other. */
static bool are_alike(const struct reading *a, const struct reading *b)
{
	uint64_t x = shares_bytes(a->list[0].session->session);
	uint64_t y = shares_bytes(b->list[0].session->session);

	return x / ALIKE <= y && y / ALIKE <= x;
}

/* Open the capture that comes after FIRST by N sessions. NULL: it cannot be read so, or should not.
 */
static struct reading *open_beside(const struct parts *p, const struct reading *first, unsigned n,
				   const struct session_options *o)
{
	struct reading *r;

	if (!p->next || !is_file(p->next))
		return NULL;
	r = xcalloc(1, sizeof(*r));
	*r = (struct reading){ .analyzer = p->analyzer, .state = p->state, .path = p->next };
	if (open_parts(r, 1, o) && are_alike(first, r) && open_parts(r, n, o))
		return r;
	beside_free(r);
	return NULL;
}

/* ---- both ---- */

struct both {
	struct reading *first, *second; /* SECOND: NULL: there is none */
	unsigned count;			/* of sessions */
};

static void read_one(void *ctx, size_t i)
{
	const struct both *b = ctx;
	unsigned first = b->first->count;

	if (i < first)
		read_part(b->first, i);
	else
		read_part(b->second, i - first);
}

/* How many threads may read. Each part reads all of the file, so that many help less and less. */
static unsigned thread_count(const struct parts *p)
{
	unsigned most = p->asked ? PARTS_MAX : PARTS_USUAL;

	return p->jobs < most ? p->jobs : most;
}

static void take_shares(const struct both *b, struct reading *r)
{
	for (unsigned i = 0; r && i < r->count; i++)
		shares_take(r->list[i].session->session, i, r->count, b->count);
}

/* The sessions of S, and of the capture after it. False: it is not worth it, or cannot be. */
static bool open_both(struct both *b, const struct parts *p, struct pdt_session *s,
		      const struct session_options *o)
{
	struct reading *r = b->first;
	unsigned n = thread_count(p);

	r->list[0].session = s;
	if (n < 2 || !p->analyzer->part || !shares_fit(s->session) ||
	    (!p->asked && shares_bytes(s->session) < WORTH_BYTES) || !begin_part(r, &r->list[0]))
		return false;
	r->count = 1;
	b->second = open_beside(p, r, n / 2, o);
	if (!open_parts(r, b->second ? n / 2 : n, o))
		return false;
	b->count = r->count + (b->second ? b->second->count : 0);
	take_shares(b, r);
	take_shares(b, b->second);
	return true;
}

int parts_read(const struct parts *p, struct pdt_session *s, const struct session_options *o,
	       struct reading **next)
{
	struct reading r = { .analyzer = p->analyzer, .state = p->state, .path = p->path };
	struct both both = { .first = &r };
	int rc = PARTS_NONE;

	r.progress = p->progress;
	if (open_both(&both, p, s, o)) {
		pool_for(both.count, both.count, read_one, &both);
		rc = outcome(&r);
		stage("join");
		if (rc == 0)
			absorb(&r);
	}
	close_parts(&r);
	*next = both.second;
	if (both.second && (rc == PARTS_NONE || outcome(both.second) != 0)) {
		beside_free(both.second);
		*next = NULL;
	}
	return rc;
}
