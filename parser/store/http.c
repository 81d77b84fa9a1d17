/* libcurl as a client of ClickHouse. An error while rows flow would stand at the end of an answer
 * that began well, so the server is told to wait for the end (wait_end_of_query). */
#include "parser/store/http.h"
#include "parser/base/dynlib.h"
#include "parser/base/mem.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef STATIC
#define MISSING "this pdtool is linked statically and cannot load it"
#else
#define MISSING "libcurl.so.4 is not installed"
#endif

#define PLAIN	       "clickhouse://"
#define TLS	       "clickhouse+https://"
#define ANSWER_BYTES   ((size_t)4 << 30)
#define CONNECT_S      10L
#define STALL_S	       600L /* a query may think for that long */
#define PASSWORD_BYTES 1024

struct curl_calls {
	__typeof__(&curl_global_init) global_init;
	__typeof__(&curl_easy_init) init;
	CURLcode (*setopt)(CURL *, CURLoption, ...);
	__typeof__(&curl_easy_perform) perform;
	CURLcode (*getinfo)(CURL *, CURLINFO, ...);
	__typeof__(&curl_easy_strerror) strerror;
	__typeof__(&curl_easy_reset) reset;
	__typeof__(&curl_easy_cleanup) cleanup;
	__typeof__(&curl_slist_append) append;
	__typeof__(&curl_slist_free_all) free_list;
	__typeof__(&curl_mime_init) mime_init;
	__typeof__(&curl_mime_addpart) mime_add;
	__typeof__(&curl_mime_name) mime_name;
	__typeof__(&curl_mime_filename) mime_filename;
	__typeof__(&curl_mime_data_cb) mime_data;
	__typeof__(&curl_mime_free) mime_free;
};

struct http {
	struct curl_calls calls;
	CURL *curl;
	struct curl_slist *headers;
	char *address, *url; /* url: up to what is asked */
	struct warnings *warnings;
	char error[CURL_ERROR_SIZE];
};

size_t http_address_bytes(const char *operand)
{
	size_t scheme = !strncmp(operand, PLAIN, strlen(PLAIN)) ? strlen(PLAIN)
			: !strncmp(operand, TLS, strlen(TLS))	? strlen(TLS)
								: 0;
	const char *slash = scheme ? strchr(operand + scheme, '/') : NULL;

	if (!scheme)
		return 0;
	return slash ? (size_t)(slash - operand) + strcspn(slash, ":") : strlen(operand);
}

static int fail(struct http *h, int rc, const char *what)
{
	warn_add(h->warnings, SEV_FATAL, "store", "%s: %s", h->address, what);
	return rc;
}

static bool load(struct curl_calls *c)
{
	const struct dynlib_function wanted[] = {
		{ &c->global_init, "curl_global_init" },
		{ &c->init, "curl_easy_init" },
		{ &c->setopt, "curl_easy_setopt" },
		{ &c->perform, "curl_easy_perform" },
		{ &c->getinfo, "curl_easy_getinfo" },
		{ &c->strerror, "curl_easy_strerror" },
		{ &c->reset, "curl_easy_reset" },
		{ &c->cleanup, "curl_easy_cleanup" },
		{ &c->append, "curl_slist_append" },
		{ &c->free_list, "curl_slist_free_all" },
		{ &c->mime_init, "curl_mime_init" },
		{ &c->mime_add, "curl_mime_addpart" },
		{ &c->mime_name, "curl_mime_name" },
		{ &c->mime_filename, "curl_mime_filename" },
		{ &c->mime_data, "curl_mime_data_cb" },
		{ &c->mime_free, "curl_mime_free" },
	};
#ifdef STATIC
	return dynlib_find(NULL, wanted, ARRAY_SIZE(wanted));
#else
	void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);

	return dynlib_find(library ?: dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL), wanted,
			   ARRAY_SIZE(wanted));
#endif
}

/* ---- who asks ---- */

/* "NAME: VALUE". False: VALUE would be more than that. */
static bool add_header(struct http *h, const char *name, const char *value)
{
	struct buf line = { 0 };
	struct curl_slist *longer;

	if (strpbrk(value, "\r\n"))
		return false;
	buf_printf(&line, "%s: %s", name, value);
	longer = h->calls.append(h->headers, line.data);
	buf_release(&line);
	h->headers = longer ?: h->headers;
	return longer != NULL;
}

static bool read_password(const char *path, char *out)
{
	FILE *f = fopen(path, "re");
	bool any = f && fgets(out, PASSWORD_BYTES, f);

	if (f)
		fclose(f);
	if (any)
		out[strcspn(out, "\r\n")] = '\0';
	return any;
}

static int name_user(struct http *h)
{
	const char *user = getenv("CLICKHOUSE_USER"), *password = getenv("CLICKHOUSE_PASSWORD");
	const char *file = getenv("CLICKHOUSE_PASSWORD_FILE");
	char read[PASSWORD_BYTES];

	if (file && !password) {
		if (!read_password(file, read))
			return fail(h, ERR_IO, "CLICKHOUSE_PASSWORD_FILE cannot be read");
		password = read;
	}
	if ((!user || add_header(h, "X-ClickHouse-User", user)) &&
	    (!password || add_header(h, "X-ClickHouse-Key", password)) &&
	    add_header(h, "Expect", ""))
		return 0;
	return fail(h, ERR_USAGE, "a user or a password with the end of a line");
}

/* ---- the connection ---- */

/* TEXT, of which only what is unreserved stays as it is (RFC 3986). */
static void put_escaped(struct buf *out, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c &&
		    strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~", c))
			buf_char(out, (char)c);
		else
			buf_printf(out, "%%%02X", c);
	}
}

static int make_url(struct http *h)
{
	bool tls = !strncmp(h->address, TLS, strlen(TLS));
	const char *host = h->address + strlen(tls ? TLS : PLAIN);
	size_t len = strcspn(host, "/");
	struct buf url = { 0 };

	if (!len || memchr(host, '@', len) || strpbrk(host, "?#& "))
		return fail(h, ERR_USAGE,
			    "expected clickhouse://HOST[:PORT][/DATABASE]; user and password are "
			    "CLICKHOUSE_USER and CLICKHOUSE_PASSWORD of the environment");
	buf_printf(&url, "%s://%.*s", tls ? "https" : "http", (int)len, host);
	if (host[len - 1] != ']' && !memchr(host, ':', len))
		buf_str(&url, tls ? ":8443" : ":8123");
	buf_str(&url, "/?wait_end_of_query=1&insert_distributed_sync=1&database=");
	put_escaped(&url, host[len] && host[len + 1] ? host + len + 1 : "default");
	h->url = url.data;
	return 0;
}

int http_open(struct http **out, const char *address, struct warnings *w)
{
	struct http *h = xcalloc(1, sizeof(*h));
	int rc = 0;

	*out = NULL;
	h->warnings = w;
	h->address = xstrdup(address);
	if (!load(&h->calls))
		rc = fail(h, ERR_ABSENT, "ClickHouse is asked by libcurl: " MISSING);
	else if (h->calls.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK ||
		 !(h->curl = h->calls.init()))
		rc = fail(h, ERR_ABSENT, "libcurl does not work");
	else
		rc = make_url(h) ?: name_user(h);
	if (rc == 0)
		*out = h;
	else
		http_free(h);
	return rc;
}

void http_free(struct http *h)
{
	if (!h)
		return;
	if (h->curl)
		h->calls.cleanup(h->curl);
	if (h->headers)
		h->calls.free_list(h->headers);
	free(h->address);
	free(h->url);
	free(h);
}

const char *http_address(const struct http *h)
{
	return h->address;
}

void http_warn_to(struct http *h, struct warnings *w)
{
	h->warnings = w;
}

/* ---- a question ---- */

static size_t take(char *bytes, size_t size, size_t count, void *ctx)
{
	struct buf *answer = ctx;

	if (answer->len + size * count > ANSWER_BYTES)
		return 0;
	buf_add(answer, bytes, size * count);
	return size * count;
}

/* The rows that are sent, as libcurl takes them. */
struct sending {
	const struct buf *rows;
	size_t at;
};

static size_t give(char *to, size_t size, size_t count, void *ctx)
{
	struct sending *s = ctx;
	size_t left = s->rows->len - s->at, n = size * count < left ? size * count : left;

	if (n)
		memcpy(to, s->rows->data + s->at, n);
	s->at += n;
	return n;
}

static void begin(struct http *h, const char *url, struct buf *answer)
{
	h->calls.reset(h->curl);
	h->error[0] = '\0';
	answer->len = 0;
	h->calls.setopt(h->curl, CURLOPT_URL, url);
	h->calls.setopt(h->curl, CURLOPT_HTTPHEADER, h->headers);
	h->calls.setopt(h->curl, CURLOPT_ERRORBUFFER, h->error);
	h->calls.setopt(h->curl, CURLOPT_NOPROXY, "*");
	h->calls.setopt(h->curl, CURLOPT_NOSIGNAL, 1L);
	h->calls.setopt(h->curl, CURLOPT_CONNECTTIMEOUT, CONNECT_S);
	h->calls.setopt(h->curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
	h->calls.setopt(h->curl, CURLOPT_LOW_SPEED_TIME, STALL_S);
	h->calls.setopt(h->curl, CURLOPT_WRITEFUNCTION, take);
	h->calls.setopt(h->curl, CURLOPT_WRITEDATA, answer);
}

/* The server's own words are its answer then. */
static int end(struct http *h, struct buf *answer)
{
	CURLcode rc = h->calls.perform(h->curl);
	long status = 0;

	if (rc != CURLE_OK)
		return fail(h, ERR_IO, h->error[0] ? h->error : h->calls.strerror(rc));
	h->calls.getinfo(h->curl, CURLINFO_RESPONSE_CODE, &status);
	if (status == 200)
		return 0;
	buf_char(answer, '\n');
	answer->data[strcspn(answer->data, "\n")] = '\0';
	warn_add(h->warnings, SEV_FATAL, "store", "%s: HTTP %ld: %s", h->address, status,
		 answer->data);
	return ERR_IO;
}

/* QUERY, and the columns of TABLE, as parts of the address. */
static void put_query(struct http *h, const char *query, const struct http_table *table,
		      struct buf *out)
{
	buf_printf(out, "%s&query=", h->url);
	put_escaped(out, query);
	for (; table; table = table->next) {
		buf_printf(out, "&%s_format=RowBinary&%s_structure=", table->name, table->name);
		put_escaped(out, table->columns);
	}
}

static int ask_with(struct http *h, const char *query, const struct http_table *table,
		    struct buf *answer)
{
	struct sending rows[HTTP_TABLES];
	struct buf url = { 0 };
	curl_mime *form;
	int rc;

	put_query(h, query, table, &url);
	begin(h, url.data, answer);
	form = h->calls.mime_init(h->curl);
	for (size_t i = 0; table && i < HTTP_TABLES; i++, table = table->next) {
		curl_mimepart *part = h->calls.mime_add(form);

		rows[i] = (struct sending){ .rows = table->rows };
		h->calls.mime_name(part, table->name);
		h->calls.mime_filename(part, table->name);
		h->calls.mime_data(part, (curl_off_t)table->rows->len, give, NULL, NULL, &rows[i]);
	}
	h->calls.setopt(h->curl, CURLOPT_MIMEPOST, form);
	rc = end(h, answer);
	h->calls.mime_free(form);
	buf_release(&url);
	return rc;
}

int http_ask(struct http *h, const char *query, const struct http_table *table, struct buf *answer)
{
	if (table)
		return ask_with(h, query, table, answer);
	begin(h, h->url, answer);
	h->calls.setopt(h->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)strlen(query));
	h->calls.setopt(h->curl, CURLOPT_POSTFIELDS, query);
	return end(h, answer);
}

int http_insert(struct http *h, const char *query, const struct buf *rows)
{
	struct buf url = { 0 }, answer = { 0 };
	int rc;

	put_query(h, query, NULL, &url);
	begin(h, url.data, &answer);
	h->calls.setopt(h->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)rows->len);
	h->calls.setopt(h->curl, CURLOPT_POSTFIELDS, rows->len ? rows->data : "");
	rc = end(h, &answer);
	buf_release(&url);
	buf_release(&answer);
	return rc;
}
