/* The text of a tracepoint as its print format says, and perf script prints it: a format of
 * printf(), then an expression of C for each conversion. Compiled once for each format, then run
 * for each event.
 *
 * Source: libtraceevent's event-parse.c, read for what it does (without plugins). All of a format
 * comes from the capture: nothing is read beyond an event's payload, expressions have a bounded
 * length and depth, and what is not understood is said as libtraceevent says it: "[FAILED TO
 * PARSE]" and the fields by name. */
#ifndef PDTOOL_PRINT_FORMAT_H
#define PDTOOL_PRINT_FORMAT_H

#include "parser/base/buf.h"
#include "parser/pdtool_capture.h"

struct print_format;

/* Names of addresses in the kernel, for %pS and %ps. */
struct print_names {
	/* The function at ADDRESS, and how far into it that is. NULL: none is known. */
	const char *(*name)(void *ctx, uint64_t address, uint64_t *offset);
	void *ctx;
};

/* F must outlive the result. */
struct print_format *print_format_new(const struct pdt_format *f);
void print_format_free(struct print_format *p);
/* Append the text of E, whose format it is, to OUT. NAMES may be NULL. */
void print_format_put(struct print_format *p, const struct pdt_event *e,
		      const struct print_names *names, struct buf *out);
/* Does its text hold names of addresses? */
bool print_format_has_names(const struct print_format *p);

/* How one field is shown, for who shows it by itself. */

struct print_do; /* the table of a __print_flags() */
/* Is F, a number, one in hexadecimal: a pointer, or shown by %p or %x? What has a sign is not; of
 * system calls, whose arguments all are %lx, only what is as wide as an address. */
bool print_format_in_hex(const struct print_format *p, const struct pdt_field *f);
/* The table that shows the flags of field NAME; NULL: there is none. Lives as long as P. */
const struct print_do *print_format_flags(const struct print_format *p, const char *name);
/* All bits that have names in FLAGS. */
uint64_t print_flags_known(const struct print_do *flags);
/* Append what the table of D, of __print_flags() or __print_symbolic(), has for N: names, and in
 * hexadecimal what is left. */
void print_listed(const struct print_do *d, uint64_t n, struct buf *out);

#endif
