/* The row of a capture, and those that belong to it. */
#include "parser/store/facts.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"
#include "parser/store/content.h"
#include "parser/store/store.h"

#include <stdlib.h>
#include <string.h>

/* pid, tid + 1 (LEB128), the command and a NUL, by thread. */
static void pack_threads(const struct store_capture *c, struct buf *out)
{
	for (size_t i = 0; i < c->thread_count; i++) {
		put_uleb(out, c->threads[i].pid + 1u);
		put_uleb(out, c->threads[i].tid + 1u);
		buf_add(out, c->threads[i].comm, strlen(c->threads[i].comm) + 1);
	}
}

int facts_begin(struct facts *f, struct sql *s)
{
	*f = (struct facts){ .sql = s };
	f->capture = sql_prepare(
		s,
		"INSERT INTO capture(hash, path, host, release, arch, command, wall_ns, first_ns,"
		" last_ns, step_ns, lost, samples, cpus, wide, threads)"
		" VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
	f->label = sql_prepare(s, "INSERT OR IGNORE INTO label VALUES(?,?,?)");
	f->event = sql_prepare(s, "INSERT INTO event VALUES(?,?,?,?,?,?,?,?,?)");
	return f->capture && f->label && f->event ? 0 : ERR_IO;
}

void facts_end(struct facts *f)
{
	sql_end(f->sql, f->capture);
	sql_end(f->sql, f->label);
	sql_end(f->sql, f->event);
}

static int add_capture(struct facts *f, const struct store_capture *c, int64_t *id)
{
	struct content_id hash = content_of_capture(&c->hash);
	struct buf threads = { 0 };
	int rc;

	pack_threads(c, &threads);
	rc = sql_run(f->sql, f->capture,
		     SQL_VALUES(SQL_BYTES(&hash, sizeof(hash)), SQL_TEXT(c->path),
				SQL_TEXT(c->host), SQL_TEXT(c->release), SQL_TEXT(c->arch),
				SQL_TEXT(c->command),
				c->has_wall ? (struct sql_value)SQL_INT(c->wall_ns)
					    : (struct sql_value)SQL_TEXT(NULL),
				SQL_INT(c->first_ns), SQL_INT(c->last_ns), SQL_INT(c->step_ns),
				SQL_INT(c->lost), SQL_INT(c->samples), SQL_INT(c->cpus),
				SQL_INT(c->system_wide), SQL_BYTES(threads.data, threads.len)));
	*id = f->sql->calls.last_id(f->sql->db);
	buf_release(&threads);
	return rc;
}

static int add_labels(struct facts *f, const struct store_capture *c, int64_t id)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < c->label_count; i++)
		rc = sql_run(f->sql, f->label,
			     SQL_VALUES(SQL_INT(id), SQL_TEXT(c->labels[i].key),
					SQL_TEXT(c->labels[i].value)));
	return rc;
}

static int add_events(struct facts *f, const struct store_capture *c, const struct store_sums *sums,
		      int64_t id)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < c->event_count; i++) {
		const struct store_event *e = &c->events[i];

		rc = sql_run(f->sql, f->event,
			     SQL_VALUES(SQL_INT(id), SQL_INT(i), SQL_TEXT(e->name),
					SQL_TEXT(e->unit), SQL_DOUBLE(e->squares), SQL_INT(e->rate),
					SQL_INT(e->counts), SQL_INT(sums[i].weight),
					SQL_INT(sums[i].samples)));
	}
	return rc;
}

struct store_sums *facts_sums(const struct store_capture *c)
{
	struct store_sums *out = xcalloc(c->event_count + 1, sizeof(*out));

	for (size_t i = 0; i < c->cell_count; i++) {
		struct store_sums *to = &out[c->cells[i].event];

		(void)add_held(&to->weight, c->cells[i].weight);
		to->samples += c->cells[i].samples;
	}
	return out;
}

int facts_add(struct facts *f, const struct store_capture *c, const struct store_sums *sums,
	      int64_t *id)
{
	return add_capture(f, c, id) ?: add_labels(f, c, *id) ?: add_events(f, c, sums, *id);
}
