/* pdt_pack(). */
#include "parser/library/door.h"
#include "parser/pack/pack.h"
#include "parser/pdtool_cut.h"

struct pack_call {
	const struct session *session;
	const struct pdt_pack_query *query;
	int rc;
};

static void tell(void *ctx, const char *name, const struct module *m, const uint64_t bytes[2])
{
	const struct pdt_pack_query *q = ctx;

	q->tell(q->ctx, name, m ? m->id : PDT_NONE, bytes[0], bytes[1]);
}

static void pack(void *arg)
{
	struct pack_call *c = arg;
	const struct capture *capture = session_capture(c->session);

	c->rc = pack_write(&(struct pack_job){ .capture = capture,
					       .names = session_names(c->session),
					       .stacks = session_stacks(c->session),
					       .symbols = session_symbols(c->session),
					       .path = c->query->path,
					       .jobs = session_jobs(c->session),
					       .full = c->query->full,
					       .only_samples = c->query->only_samples,
					       .strip_paths = c->query->strip_paths,
					       .tell = tell,
					       .ctx = (void *)c->query,
					       .warnings = capture->warnings });
}

int pdt_pack(const struct pdt_session *s, const struct pdt_pack_query *q)
{
	struct pack_call c = { .session = s->session, .query = q };

	if (!s->session || !session_names(s->session) || !q->path || !q->tell)
		return PDT_ERR_USAGE;
	if (!owner_run((struct owner *)&s->owner, pack, &c))
		return PDT_ERR_MEMORY;
	return c.rc == ERR_USAGE ? PDT_ERR_USAGE : c.rc < 0 ? PDT_ERR_IO : 0;
}
