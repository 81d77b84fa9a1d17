/* parser/kept.h. */
#include "parser/file/source.h"
#include "parser/library/door.h"
#include "parser/names/hostfile.h"
#include "parser/session/inside.h"
#include "parser/session/keep.h"

#include <stdlib.h>

void kept_make(const struct pdt_session *s, struct kept_stacks *out)
{
	session_keep(s->session, out);
}

void kept_stacks_release(struct kept_stacks *k)
{
	for (size_t i = 0; i < KEPT_COLUMNS; i++)
		buf_release(&k->columns[i]);
	free(k->locations);
	free(k->order);
}

/* What this host's inodes, clocks and processes are was another matter then. */
static void forget_host(struct session *s)
{
	struct symbol_options *o = &s->options.symbols;

	host_files_free(o->host);
	o->host = NULL;
}

static int take(struct pdt_session *d, const struct kept_capture *k, struct warnings *w)
{
	struct session *s = d->session;
	struct pdt_event none;
	int rc = session_next(s, &none);

	forget_host(s);
	if (rc == 0)
		rc = session_take_kept(s, k);
	if (rc == ERR_FORMAT)
		warn_add(w, SEV_FATAL, "store", "%s: what is kept of its addresses is damaged",
			 k->path ?: "?");
	return rc < 0 ? rc : 0;
}

int door_open_kept(struct pdt_session **out, const struct kept_capture *k,
		   const struct session_options *o, struct warnings *w)
{
	struct session_options so = *o; /* there are no events that a filter could be about */
	struct buf head = { 0 };
	int rc;

	*out = NULL;
	so.filter = (struct filter){ 0 };
	kept_head(k, &head);
	rc = source_of(&so.source, k->path ?: "?", &head, w);
	buf_release(&head);
	if (rc == 0)
		rc = door_open(out, k->path ?: "?", &so, w);
	if (rc == 0)
		rc = take(*out, k, w);
	if (rc < 0 && *out) {
		pdt_close(*out);
		*out = NULL;
	}
	return rc;
}
