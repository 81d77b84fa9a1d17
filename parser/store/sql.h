/* SQLite, as far as a store needs it: loaded when it is first asked for, statements with bound
 * values, errors as warnings that name the store. */
#ifndef PDTOOL_STORE_SQL_H
#define PDTOOL_STORE_SQL_H

#include <sqlite3.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "parser/base/err.h"

struct sql_calls {
	__typeof__(&sqlite3_open_v2) open;
	__typeof__(&sqlite3_close_v2) close;
	__typeof__(&sqlite3_exec) exec;
	__typeof__(&sqlite3_prepare_v2) prepare;
	__typeof__(&sqlite3_bind_int64) bind_int;
	__typeof__(&sqlite3_bind_double) bind_double;
	__typeof__(&sqlite3_bind_text) bind_text;
	__typeof__(&sqlite3_bind_blob) bind_blob;
	__typeof__(&sqlite3_bind_null) bind_null;
	__typeof__(&sqlite3_step) step;
	__typeof__(&sqlite3_reset) reset;
	__typeof__(&sqlite3_finalize) finalize;
	__typeof__(&sqlite3_column_int64) column_int;
	__typeof__(&sqlite3_column_double) column_double;
	__typeof__(&sqlite3_column_blob) column_blob;
	__typeof__(&sqlite3_column_bytes) column_bytes;
	__typeof__(&sqlite3_last_insert_rowid) last_id;
	__typeof__(&sqlite3_changes) changes;
	__typeof__(&sqlite3_errmsg) errmsg;
	__typeof__(&sqlite3_busy_timeout) busy_timeout;
	__typeof__(&sqlite3_db_config) db_config;
};

struct sql {
	struct sql_calls calls;
	sqlite3 *db;
	char *path;
	bool still;		   /* it should not change */
	struct stat at_open;	   /* then */
	struct warnings *warnings; /* of who asks now */
};

/* What is only read, and nobody writes to, is opened as a file that does not change: without files
 * of SQLite's beside it. Whether it did, sql_check() says when all is read. */
CHECKED int sql_open(struct sql *s, const char *path, bool write, struct warnings *w);
CHECKED int sql_check(struct sql *s);
void sql_close(struct sql *s);
/* Negative, with SQLite's words in the warnings. */
CHECKED int sql_fail(struct sql *s, const char *what);

/* Statements that give no rows. */
CHECKED int sql_exec(struct sql *s, const char *text);
/* NULL: it failed, as of sql_fail(). To be ended by sql_end(), which may be given NULL. */
sqlite3_stmt *sql_prepare(struct sql *s, const char *text);
void sql_end(struct sql *s, sqlite3_stmt *stmt);

/* A value of a statement: an 'i'nteger, a 'd'ouble, a 't'ext or 'b'ytes, NULL being NULL. They are
 * not copied. */
struct sql_value {
	char type;
	int64_t i;
	double d;
	const void *at;
	size_t len; /* of bytes */
};

#define SQL_INT(v)                             \
	{                                      \
		.type = 'i', .i = (int64_t)(v) \
	}
#define SQL_DOUBLE(v)                 \
	{                             \
		.type = 'd', .d = (v) \
	}
#define SQL_TEXT(v)                    \
	{                              \
		.type = 't', .at = (v) \
	}
#define SQL_BYTES(v, n)                            \
	{                                          \
		.type = 'b', .at = (v), .len = (n) \
	}
#define SQL_VALUES(...) ((const struct sql_value[]){ __VA_ARGS__, { 0 } })

/* Begin STMT anew with these values. 1: a row; 0: there is none, or no other; negative: as of
 * sql_fail(). */
CHECKED int sql_run(struct sql *s, sqlite3_stmt *stmt, const struct sql_value *values);
/* The next row of it, as sql_run(). */
CHECKED int sql_next(struct sql *s, sqlite3_stmt *stmt);

#endif
