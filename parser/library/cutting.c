/* pdt_cut(). */
#include "parser/cut/cut.h"
#include "parser/library/door.h"
#include "parser/pdtool_cut.h"
#include "parser/session/inside.h"

struct cut_call {
	const struct session *session;
	const struct pdt_cut_query *query;
	int rc;
};

static void cut(void *arg)
{
	struct cut_call *c = arg;
	const struct session *s = c->session;
	const struct capture *capture = session_capture(s);
	static const struct passed none;
	const struct passed *passed = passing_any(&s->passing) ? s->passing.passed ?: &none : NULL;

	c->rc = cut_write(&(struct cut_job){ .capture = capture,
					     .passed = passed,
					     .filter = session_filter(s),
					     .path = c->query->path,
					     .scrub = (unsigned)c->query->scrub,
					     .tell = c->query->tell,
					     .ctx = c->query->ctx,
					     .warnings = capture->warnings });
}

int pdt_cut(const struct pdt_session *s, const struct pdt_cut_query *q)
{
	struct cut_call c = { .session = s->session, .query = q };

	if (!s->session || !(s->session->options.needs & PDT_WANT_CUT) || !q->path || !q->tell ||
	    q->scrub < 0 || q->scrub > 2)
		return PDT_ERR_USAGE;
	if (!owner_run((struct owner *)&s->owner, cut, &c))
		return PDT_ERR_MEMORY;
	return c.rc == ERR_USAGE ? PDT_ERR_USAGE : c.rc < 0 ? PDT_ERR_IO : 0;
}
