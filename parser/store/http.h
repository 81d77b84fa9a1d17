/* ClickHouse's HTTP interface (clickhouse.com/docs, "HTTP Interface"): a query, and the whole of
 * its answer. By libcurl, which is loaded when an address is first given; nothing else of pdtool
 * opens such a connection. */
#ifndef PDTOOL_STORE_HTTP_H
#define PDTOOL_STORE_HTTP_H

#include "parser/base/buf.h"
#include "parser/base/err.h"

struct http;

/* "clickhouse://HOST[:PORT][/DATABASE]", by TLS "clickhouse+https://...": how many bytes of OPERAND
 * are such an address; 0: it is none. Behind a database there may be a colon, and more. */
size_t http_address_bytes(const char *operand);

/* ADDRESS: the whole of it. User and password: CLICKHOUSE_USER, CLICKHOUSE_PASSWORD or the file
 * CLICKHOUSE_PASSWORD_FILE of the environment. It connects when it is first asked. Negative, with a
 * message in W. */
CHECKED int http_open(struct http **out, const char *address, struct warnings *w);
void http_free(struct http *h);
const char *http_address(const struct http *h);
/* For the messages of what follows. */
void http_warn_to(struct http *h, struct warnings *w);

/* A table that only this query knows: RowBinary. */
struct http_table {
	const char *name, *columns; /* columns: "cap UInt64, part UInt32" */
	const struct buf *rows;
	const struct http_table *next; /* another one, of HTTP_TABLES at most; NULL: none */
};

#define HTTP_TABLES 2

/* ANSWER becomes what the server says to QUERY, which may use TABLE and what follows it, unless
 * that is NULL. Negative, with the server's words in the warnings. */
CHECKED int http_ask(struct http *h, const char *query, const struct http_table *table,
		     struct buf *answer);
/* "INSERT INTO ... FORMAT RowBinary" of these rows; when it returns, they are in the shards. */
CHECKED int http_insert(struct http *h, const char *query, const struct buf *rows);

#endif
