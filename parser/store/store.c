/* Opening a store, and its tables.
 *
 * Totals are rows, so that plain SQL can sum them up; what is finer lies in chunks, as rows by step
 * would take more than the capture they came from. Ids of stacks are made of what they hold, so
 * that stores made apart agree. */
#include "parser/store/store.h"
#include "parser/base/mem.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAGIC "SQLite format 3" /* and a NUL: "Database File Format" of sqlite.org, 1.3.1 */

/* Its number is PRAGMA user_version. */
#define VERSION "1"

static const char schema[] =
	"CREATE TABLE capture(id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, path TEXT,"
	" host TEXT, release TEXT, arch TEXT, command TEXT, wall_ns INT, first_ns INT, last_ns INT,"
	" step_ns INT, lost INT, samples INT, cpus INT, wide INT, threads BLOB);"
	"CREATE TABLE label(cap INT, key TEXT, value TEXT, PRIMARY KEY(cap, key, value))"
	" WITHOUT ROWID;"
	"CREATE INDEX label_value ON label(key, value, cap);"
	"CREATE TABLE event(cap INT, id INT, name TEXT, unit TEXT, squares REAL, rate INT,"
	" counts INT, weight INT, samples INT, PRIMARY KEY(cap, id)) WITHOUT ROWID;"
	"CREATE TABLE frame(id INTEGER PRIMARY KEY, key INT UNIQUE, name TEXT, module TEXT,"
	" kind INT);"
	"CREATE TABLE stack(id INTEGER PRIMARY KEY, frames BLOB);"
	"CREATE TABLE total(cap INT, event INT, stack INT, weight INT, samples INT,"
	" PRIMARY KEY(cap, event, stack)) WITHOUT ROWID;"
	"CREATE TABLE chunk(cap INT, event INT, number INT, first INT, last INT, data BLOB,"
	" PRIMARY KEY(cap, event, number)) WITHOUT ROWID;"
	"PRAGMA user_version=" VERSION;

bool store_is(const void *bytes, size_t len)
{
	return len >= sizeof(MAGIC) && !memcmp(bytes, MAGIC, sizeof(MAGIC));
}

static bool is_store_at(const char *path)
{
	char bytes[sizeof(MAGIC)];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd < 0 ? 0 : read(fd, bytes, sizeof(bytes));

	if (fd >= 0)
		close(fd);
	return n > 0 && store_is(bytes, (size_t)n);
}

/* A path may have colons of its own. */
size_t store_path_bytes(const char *operand)
{
	for (const char *colon = operand; (colon = strchr(colon, ':')); colon++) {
		char *path = strndup(operand, (size_t)(colon - operand));
		bool it = path && is_store_at(path);

		free(path);
		if (it)
			return (size_t)(colon - operand);
	}
	return 0;
}

/* -1: as of sql_fail(). */
static int64_t number_of(struct sql *s, const char *query)
{
	sqlite3_stmt *stmt = sql_prepare(s, query);
	int64_t n = stmt && sql_next(s, stmt) == 1 ? s->calls.column_int(stmt, 0) : -1;

	sql_end(s, stmt);
	return n;
}

/* SQLite does not wait for others where the way of the journal changes: then the next one to write
 * does that. */
static int make_tables(struct sql *s)
{
	int rc = sql_exec(s, "PRAGMA synchronous=NORMAL; BEGIN IMMEDIATE");

	if (rc < 0)
		return rc;
	if (number_of(s, "SELECT count(*) FROM sqlite_schema") == 0)
		rc = sql_exec(s, schema);
	if (rc == 0)
		rc = sql_exec(s, "COMMIT");
	(void)s->calls.exec(s->db, "PRAGMA journal_mode=WAL", NULL, NULL, NULL);
	return rc;
}

static int check_version(struct sql *s)
{
	int64_t version = number_of(s, "PRAGMA user_version");

	if (version < 0)
		return ERR_IO;
	if (version == atoi(VERSION))
		return 0;
	warn_add(s->warnings, SEV_FATAL, "store",
		 "%s: expected a store of version " VERSION ", found %d", s->path, (int)version);
	return ERR_FORMAT;
}

int store_open(struct store **out, const char *path, enum store_use use, struct warnings *w)
{
	struct store *s = xcalloc(1, sizeof(*s));
	int rc = sql_open(&s->sql, path, use == STORE_WRITE, w);

	if (rc == 0)
		rc = sql_exec(&s->sql, "PRAGMA temp_store=MEMORY; PRAGMA cache_size=-65536");
	if (rc == 0 && use == STORE_WRITE)
		rc = make_tables(&s->sql);
	if (rc == 0)
		rc = check_version(&s->sql);
	if (rc < 0) {
		store_close(s);
		s = NULL;
	}
	*out = s;
	return rc;
}

void store_close(struct store *s)
{
	if (s)
		sql_close(&s->sql);
	free(s);
}
