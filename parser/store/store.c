/* Opening a store, and its tables.
 *
 * Totals are rows, so that plain SQL can sum them up; what is finer lies in chunks, as rows by step
 * would take more than the capture they came from. Ids of stacks are made of what they hold, so
 * that stores made apart agree. */
#include "parser/store/store.h"
#include "parser/base/mem.h"
#include "parser/store/click.h"
#include "parser/store/http.h"
#include "parser/store/latency/latency.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAGIC "SQLite format 3" /* and a NUL: "Database File Format" of sqlite.org, 1.3.1 */

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
	if (http_address_bytes(operand))
		return http_address_bytes(operand);
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

/* Rows that fill half a page leave the rest of it empty, and those of short captures take 2 to 3
 * KiB: pages of half SQLite's size make their store a quarter smaller. What is there stays as it
 * is. SQLite does not wait for others where the way of the journal changes: then the next one to
 * write does that. */
static int make_tables(struct sql *s)
{
	int rc = sql_exec(s, "PRAGMA page_size=2048; PRAGMA synchronous=NORMAL; BEGIN IMMEDIATE");

	if (rc < 0)
		return rc;
	if (number_of(s, "SELECT count(*) FROM sqlite_schema") == 0)
		rc = sql_exec(s, store_file_schema);
	rc = rc ?: sql_exec(s, STORE_ADDRESS_SCHEMA) ?: sql_exec(s, latency_schema);
	rc = rc ?: sql_exec(s, "COMMIT");
	(void)s->calls.exec(s->db, "PRAGMA journal_mode=WAL", NULL, NULL, NULL);
	return rc;
}

static int check_version(struct sql *s)
{
	int64_t version = number_of(s, "PRAGMA user_version");

	if (version < 0)
		return ERR_IO;
	if (version == atoi(STORE_VERSION))
		return 0;
	warn_add(s->warnings, SEV_FATAL, "store",
		 "%s: expected a store of version " STORE_VERSION ", found %d", s->path,
		 (int)version);
	return ERR_FORMAT;
}

bool store_is_remote(const char *operand)
{
	return http_address_bytes(operand) > 0;
}

static int open_file(struct store *s, const char *path, bool write, struct warnings *w)
{
	int rc = sql_open(&s->sql, path, write, w);

	if (rc == 0)
		rc = sql_exec(&s->sql, "PRAGMA temp_store=MEMORY; PRAGMA cache_size=-65536");
	if (rc == 0 && write)
		rc = make_tables(&s->sql);
	return rc ?: check_version(&s->sql);
}

/* What is asked goes through memory. */
static int open_remote(struct store *s, const char *address, bool write, struct warnings *w)
{
	int rc = click_open(&s->click, address, w);

	if (rc == 0 && !write)
		rc = open_file(s, ":memory:", true, w);
	free(s->sql.path);
	s->sql.path = xstrdup(address);
	return rc;
}

int store_open(struct store **out, const char *path, enum store_use use, struct warnings *w)
{
	struct store *s = xcalloc(1, sizeof(*s));
	bool write = use != STORE_READ, remote = store_is_remote(path);
	int rc = 0;

	if (use == STORE_RENAME && !remote && !is_store_at(path)) {
		warn_add(w, SEV_FATAL, "store", "%s: expected a store (pdtool store add)", path);
		rc = ERR_ABSENT;
	}
	if (rc == 0)
		rc = remote ? open_remote(s, path, write, w) : open_file(s, path, write, w);
	if (rc < 0) {
		store_close(s);
		s = NULL;
	}
	*out = s;
	return rc;
}

void store_close(struct store *s)
{
	if (s) {
		sql_close(&s->sql);
		click_close(s->click);
	}
	free(s);
}
