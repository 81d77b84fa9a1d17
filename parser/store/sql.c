/* SQLite. Nothing here makes SQL of values: texts of statements are the program's own. */
#include "parser/store/sql.h"
#include "parser/base/buf.h"
#include "parser/base/dynlib.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libsqlite3.so.0"
#ifdef STATIC
#define MISSING "linked statically, this program can load none"
#else
#define MISSING LIBRARY
#endif
#define BUSY_WAIT_MS 60000

static bool find_functions(struct sql_calls *c)
{
	const struct dynlib_function wanted[] = {
		{ &c->open, "sqlite3_open_v2" },
		{ &c->close, "sqlite3_close_v2" },
		{ &c->exec, "sqlite3_exec" },
		{ &c->prepare, "sqlite3_prepare_v2" },
		{ &c->bind_int, "sqlite3_bind_int64" },
		{ &c->bind_double, "sqlite3_bind_double" },
		{ &c->bind_text, "sqlite3_bind_text" },
		{ &c->bind_blob, "sqlite3_bind_blob" },
		{ &c->bind_null, "sqlite3_bind_null" },
		{ &c->step, "sqlite3_step" },
		{ &c->reset, "sqlite3_reset" },
		{ &c->finalize, "sqlite3_finalize" },
		{ &c->column_int, "sqlite3_column_int64" },
		{ &c->column_double, "sqlite3_column_double" },
		{ &c->column_blob, "sqlite3_column_blob" },
		{ &c->column_bytes, "sqlite3_column_bytes" },
		{ &c->last_id, "sqlite3_last_insert_rowid" },
		{ &c->changes, "sqlite3_changes" },
		{ &c->errmsg, "sqlite3_errmsg" },
		{ &c->busy_timeout, "sqlite3_busy_timeout" },
		{ &c->db_config, "sqlite3_db_config" },
	};

#ifdef STATIC
	return dynlib_find(NULL, wanted, ARRAY_SIZE(wanted));
#else
	return dynlib_find(dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL), wanted, ARRAY_SIZE(wanted));
#endif
}

int sql_fail(struct sql *s, const char *what)
{
	warn_add(s->warnings, SEV_FATAL, "store", "%s: %s: %s", s->path, what,
		 s->calls.errmsg(s->db));
	return ERR_IO;
}

/* Schemas and triggers of a store from a stranger can do nothing. */
static void harden(struct sql *s)
{
	s->calls.db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	s->calls.db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	s->calls.db_config(s->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	s->calls.db_config(s->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
}

/* PATH as a URI (RFC 3986), of which only what is unreserved stays as it is. */
static void put_uri(struct buf *out, const char *path)
{
	buf_str(out, path[0] == '/' ? "file://" : "file:");
	for (; *path; path++) {
		if (isalnum((unsigned char)*path) || strchr("/-._~", *path))
			buf_char(out, *path);
		else
			buf_printf(out, "%%%02x", (unsigned char)*path);
	}
	buf_str(out, "?immutable=1");
}

/* Does nobody write to it, and is nothing of a writer left? */
static bool is_still(const char *path, struct stat *st)
{
	struct buf wal = { 0 };
	struct stat other;
	bool still;

	buf_printf(&wal, "%s-wal", path);
	still = stat(path, st) == 0 && (stat(wal.data, &other) < 0 || other.st_size == 0);
	buf_release(&wal);
	return still;
}

int sql_check(struct sql *s)
{
	struct stat now;

	if (!s->still ||
	    (is_still(s->path, &now) && now.st_size == s->at_open.st_size &&
	     now.st_mtim.tv_sec == s->at_open.st_mtim.tv_sec &&
	     now.st_mtim.tv_nsec == s->at_open.st_mtim.tv_nsec && now.st_ino == s->at_open.st_ino))
		return 0;
	warn_add(s->warnings, SEV_FATAL, "store",
		 "%s: it was written to while it was read: try again", s->path);
	return ERR_IO;
}

int sql_open(struct sql *s, const char *path, bool write, struct warnings *w)
{
	int flags = write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
	struct buf uri = { 0 };
	int rc;

	s->warnings = w;
	if (!find_functions(&s->calls)) {
		warn_add(w, SEV_FATAL, "store",
			 "%s: a store needs SQLite, which is not here (" MISSING ")", path);
		return ERR_ABSENT;
	}
	s->path = xstrdup(path);
	s->still = !write && is_still(path, &s->at_open);
	if (s->still)
		put_uri(&uri, path);
	else
		buf_str(&uri, path);
	rc = s->calls.open(uri.data, &s->db,
			   flags | SQLITE_OPEN_NOMUTEX | (s->still ? SQLITE_OPEN_URI : 0), NULL);
	buf_release(&uri);
	if (rc != SQLITE_OK)
		return sql_fail(s, "it cannot be opened");
	s->calls.busy_timeout(s->db, BUSY_WAIT_MS);
	harden(s);
	return 0;
}

void sql_close(struct sql *s)
{
	if (s->db)
		s->calls.close(s->db);
	free(s->path);
}

int sql_exec(struct sql *s, const char *text)
{
	return s->calls.exec(s->db, text, NULL, NULL, NULL) == SQLITE_OK
		       ? 0
		       : sql_fail(s, "it cannot be used");
}

sqlite3_stmt *sql_prepare(struct sql *s, const char *text)
{
	sqlite3_stmt *stmt = NULL;

	if (s->calls.prepare(s->db, text, -1, &stmt, NULL) != SQLITE_OK)
		(void)!sql_fail(s, "it is no store of this version");
	return stmt;
}

void sql_end(struct sql *s, sqlite3_stmt *stmt)
{
	if (stmt)
		s->calls.finalize(stmt);
}

static void bind(struct sql *s, sqlite3_stmt *stmt, int at, const struct sql_value *v)
{
	if (v->type == 'i')
		s->calls.bind_int(stmt, at, v->i);
	else if (v->type == 'd')
		s->calls.bind_double(stmt, at, v->d);
	else if (!v->at)
		s->calls.bind_null(stmt, at);
	else if (v->type == 't')
		s->calls.bind_text(stmt, at, v->at, -1, SQLITE_STATIC);
	else
		s->calls.bind_blob(stmt, at, v->at, (int)v->len, SQLITE_STATIC);
}

int sql_next(struct sql *s, sqlite3_stmt *stmt)
{
	switch (s->calls.step(stmt)) {
	case SQLITE_ROW:
		return 1;
	case SQLITE_DONE:
		return 0;
	default:
		return sql_fail(s, "it cannot be read or written");
	}
}

int sql_run(struct sql *s, sqlite3_stmt *stmt, const struct sql_value *values)
{
	s->calls.reset(stmt);
	for (int i = 0; values[i].type; i++)
		bind(s, stmt, i + 1, &values[i]);
	return sql_next(s, stmt);
}
