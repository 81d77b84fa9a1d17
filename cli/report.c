/* Lines for people on stderr. Text from captures is made safe for a terminal. */
#include "cli/report.h"
#include "cli/terminal.h"
#include "formats/format.h"
#include "formats/model/amount.h"
#include "parser/base/mem.h"
#include "parser/base/utf8.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "pdtool: "

/* Control bytes never reach the terminal, nor what nobody would see. */
static void escape(const char *line, struct buf *out)
{
	struct buf shown = { 0 };
	const char *text = fact_text(line, true, &shown);
	char as[UTF8_ESCAPE_MAX];
	size_t n;

	for (size_t i = 0; i < shown.len; i += n ? n : 1) {
		n = utf8_shown(text + i, shown.len - i);
		if (utf8_hides(text + i, n))
			buf_add(out, as, utf8_escape(utf8_code(text + i, n), as));
		else
			buf_add(out, n ? text + i : "?", n ? n : 1);
	}
	buf_str(out, "");
	buf_release(&shown);
}

static void put_line(const char *line)
{
	size_t width = terminal_message_width(), begin = strlen(PREFIX);
	struct buf text = { 0 }, lines = { 0 };

	escape(line, &text);
	if (width <= 2 * begin) {
		fprintf(stderr, PREFIX "%s\n", text.data);
	} else {
		text_wrap(text.data, width - begin, 0, &lines);
		for (const char *p = lines.data; *p; p += strcspn(p, "\n") + 1)
			fprintf(stderr, "%*s%.*s\n", (int)begin, p == lines.data ? PREFIX : "",
				(int)strcspn(p, "\n"), p);
	}
	buf_release(&lines);
	buf_release(&text);
}

void say(const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) >= 0) {
		put_line(text);
		free(text);
	}
	va_end(ap);
}

void report_print(struct buf *lines)
{
	char *line = lines->data, *end = line ? line + lines->len : NULL, *eol;

	for (; line < end; line = eol + 1) {
		eol = memchr(line, '\n', (size_t)(end - line));
		*eol = '\0';
		put_line(line);
	}
}

/* The first one so bad at least; NULL: none. */
static const struct warning *first_of(const struct warnings *w, enum severity least)
{
	for (size_t i = 0; i < w->count; i++) {
		if (w->list[i].severity >= least)
			return &w->list[i];
	}
	return NULL;
}

void report_failure(const struct warnings *w)
{
	const struct warning *fatal = first_of(w, SEV_FATAL);

	const struct warning *fault = warn_find(w, "symbol-file");

	if (fatal)
		say("%s", fatal->first);
	if (fault) /* what is not found may be there */
		say("%s", fault->first);
}

bool report_is_fault(const struct warnings *w)
{
	return warn_find(w, "symbol-file");
}

bool report_is_partial(const struct warnings *w)
{
	return first_of(w, SEV_WARN);
}

/* One line: what text holds of line ends must not make two. */
static void __attribute__((format(printf, 2, 3))) add_line(struct buf *out, const char *fmt, ...)
{
	char *text, *end;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) >= 0) {
		for (end = text; (end = strchr(end, '\n'));)
			*end = '?';
		buf_printf(out, "%s\n", text);
		free(text);
	}
	va_end(ap);
}

void report_warnings(const struct warnings *w)
{
	for (size_t i = 0; i < w->count; i++) {
		const struct warning *e = &w->list[i];

		say("%s", e->first);
		if (e->count > 1)
			say("  and %" PRIu64 " more of this kind (%s)", e->count - 1, e->kind);
	}
}

static void report_losses(const struct session *s, struct buf *out)
{
	const struct session_stats *st = session_stats(s);
	uint64_t lost = session_lost(st), left_out;
	const char *what;

	if (lost)
		buf_printf(out, "the recorder lost %" PRIu64 " records (%s)\n", lost,
			   SHARE_TEXT(lost, lost + st->samples));
	if (st->late)
		buf_printf(out, "%" PRIu64 " records came too late to be put in order\n", st->late);
	for (size_t i = 0; (what = session_left_out(s, i, &left_out)) != NULL; i++) {
		if (left_out)
			buf_printf(out, "left out: %" PRIu64 " %s\n", left_out, what);
	}
}

static const char *no_symbols_reason(const struct pdt_module *m)
{
	switch (m->module->kind) {
	case PDT_MODULE_JIT:
		return "see --perf-map-dir and --perf-map";
	case PDT_MODULE_KERNEL:
	case PDT_MODULE_KMODULE:
		return "see --kallsyms and --vmlinux";
	case PDT_MODULE_GUEST:
		return "see --guest-kallsyms";
	default:
		return m->recorded.len ? "none found with its build-id"
		       : m->by_inode   ? "the recorded file, by its inode, has none"
				       : "no build-id recorded; see --allow-unverified and --symfs";
	}
}

/* Debug information that was asked for and is in files that are not there, or not readable. */
static void report_missing(const struct pdt_module *m, struct buf *out)
{
	const struct debug_missing *d = &m->missing;
	const char *path = m->module->path;
	char id[2 * BUILD_ID_MAX + 1];

	build_id_text(&d->alt_id, id);
	if (d->alt)
		add_line(out, "%s: no alternate debug file %s (build-id %s)", path, d->alt, id);
	if (d->dwo)
		add_line(out, "%s: no split debug file %s, and %zu more", path, d->dwo,
			 d->dwo_count - 1);
	if (d->unreadable)
		add_line(out, "%s: debug information is used in part only: %s", path,
			 d->unreadable);
}

/* Why files that were there were not used, and for how many modules: one machine's modules are
 * mostly refused for one reason. */
struct refusal {
	const char *why;
	const struct pdt_module *first;
	size_t count;
};

#define REFUSALS_MAX 8 /* there are fewer reasons */

static void note_refusal(struct refusal *list, const struct pdt_module *m)
{
	const char *why = m->why;
	size_t i = 0;

	if (m->refused_count)
		why = m->refused->why ?: "has another build-id";
	if (!why || m->source || !m->locs)
		return;
	while (i < REFUSALS_MAX - 1 && list[i].why && strcmp(list[i].why, why))
		i++;
	if (!list[i].count++) {
		list[i].why = why;
		list[i].first = m;
	}
}

static void report_refusals(const struct refusal *r, struct buf *out)
{
	for (; r->why; r++) {
		const char *path = r->first->module->path;
		const char *file = r->first->refused_count ? r->first->refused->path : path;

		if (r->count > 1)
			add_line(out,
				 "%s: %s %s, not used; nor the files of %zu more modules, "
				 "each for that reason",
				 path, file, r->why, r->count - 1);
		else
			add_line(out, "%s: %s %s, not used", path, file, r->why);
	}
}

/* A file without a build-id that could be recorded is the commonest reason why nothing has a name:
 * how to record it, where it is the reason for most of UNNAMED. Where the command line of the
 * recorder is not there, the table of build-ids may have been cut off with it. */
static void report_ids(const struct session *s, size_t unnamed, struct buf *out)
{
	const struct capture_meta *meta = &session_capture(s)->meta;
	const struct names *n = session_names(s);
	size_t files = 0, locs = 0;

	for (size_t i = 0; i < n->module_count; i++) {
		const struct pdt_module *m = &n->modules[i];

		if (m->module->kind != PDT_MODULE_FILE || m->recorded.len || m->by_inode ||
		    m->source || m->named == m->locs)
			continue;
		files++;
		locs += m->locs - m->named;
	}
	if (locs > unnamed / 2 && meta->cmdline && !meta->keeps_ids && !meta->simpleperf &&
	    !meta->hiperf)
		buf_printf(out,
			   "no build-id was recorded for %zu of them (%zu file%s): perf record "
			   "--buildid-all keeps it, perf inject -b on the recording machine adds "
			   "it\n",
			   locs, files, files > 1 ? "s" : "");
}

static void report_symbols(const struct session *s, bool verbose, struct buf *out)
{
	const struct names *n = session_names(s);
	size_t locs = session_stacks(s)->loc_count - session_stacks(s)->twins;
	size_t named = 0, unverified = 0;
	struct refusal refusals[REFUSALS_MAX + 1] = { 0 };

	for (size_t i = 0; n && i < n->module_count; i++) {
		const struct pdt_module *m = &n->modules[i];

		named += m->named;
		unverified += m->unverified && m->source;
		report_missing(m, out);
		note_refusal(refusals, m);
		if (verbose && m->locs && !m->source && m->module->kind != PDT_MODULE_BPF)
			add_line(out, "%s: no symbols (%s)", m->module->path, no_symbols_reason(m));
	}
	report_refusals(refusals, out);
	if (unverified)
		buf_printf(out, "names of %zu modules are unverified: no build-id verifies them\n",
			   unverified);
	if (named == locs)
		return;
	buf_printf(out, "%zu of %zu addresses have no name%s\n", locs - named, locs,
		   verbose ? "" : " (-v says why)");
	report_ids(s, locs - named, out);
}

static void report_rare(const struct session *s, struct buf *out)
{
	uint64_t stacks = session_stacks(s)->made_room, samples = session_stacks(s)->refused;

	if (stacks | samples)
		buf_printf(out,
			   "%" PRIu64 " rare stacks made room, and %" PRIu64
			   " samples found none: they count as [others] (see --max-memory)\n",
			   stacks, samples);
}

/* Stacks that could be longer, had the files been there. */
static void report_unwinding(const struct session *s, struct buf *out)
{
	struct unwind_stats u = session_unwind_stats(s);

	if (u.ends[UNWIND_NO_FILE])
		buf_printf(out,
			   "%" PRIu64 " of %" PRIu64
			   " unwound stacks end early, in a module whose file was not found\n",
			   u.ends[UNWIND_NO_FILE], u.stacks);
	if (u.ends[UNWIND_NO_ARCH])
		buf_printf(out,
			   "%" PRIu64 " of %" PRIu64
			   " user stacks are not unwound: the capture does not tell its "
			   "architecture (see --arch)\n",
			   u.ends[UNWIND_NO_ARCH], u.stacks);
}

/* Samples that filters took out, by filter. */
static void report_filtered(const struct filter_counts *c, struct buf *out)
{
	const struct {
		const char *name;
		uint64_t count;
	} rows[] = { { "event", c->event }, { "pid", c->pid },	 { "tid", c->tid },
		     { "cpu", c->cpu },	    { "time", c->time }, { "comm", c->comm },
		     { "field", c->fields } };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].count)
			buf_printf(out, "filter by %s: %" PRIu64 " samples left out\n",
				   rows[i].name, rows[i].count);
	}
}

void report_session(const struct session *s, bool symbols, bool verbose, struct buf *out)
{
	report_losses(s, out);
	if (verbose)
		report_filtered(&session_stats(s)->filtered, out);
	report_rare(s, out);
	if (symbols) {
		report_unwinding(s, out);
		report_symbols(s, verbose, out);
	}
}
