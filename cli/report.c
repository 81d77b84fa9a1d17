/* Lines for people on stderr. Text from captures is made safe for a terminal. */
#include "cli/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Control bytes never reach the terminal. */
static void put_line(const char *text)
{
	fputs("pdtool: ", stderr);
	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		bool c1 = *p == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0;

		fputc(*p < 0x20 || *p == 0x7f || c1 ? '?' : *p, stderr);
	}
	fputc('\n', stderr);
}

void report_warnings(const struct warnings *w, bool failed, bool quiet)
{
	for (size_t i = 0; i < w->count; i++) {
		const struct warning *e = &w->list[i];

		if (failed != (e->severity == SEV_FATAL) || (quiet && !failed))
			continue;
		put_line(e->first);
		if (failed)
			return;
		if (e->count > 1)
			fprintf(stderr, "pdtool:   and %" PRIu64 " more of this kind (%s)\n",
				e->count - 1, e->kind);
	}
}

bool report_is_partial(const struct warnings *w)
{
	for (size_t i = 0; i < w->count; i++) {
		if (w->list[i].severity >= SEV_WARN)
			return true;
	}
	return false;
}

uint64_t report_lost(const struct session_stats *st)
{
	return st->lost_records > st->lost_samples ? st->lost_records : st->lost_samples;
}

static void report_losses(const struct session_stats *st)
{
	uint64_t lost = report_lost(st);

	if (lost)
		fprintf(stderr, "pdtool: the recorder lost %" PRIu64 " records (%.1f %%)\n", lost,
			100.0 * (double)lost / (double)(lost + st->samples));
	if (st->late)
		fprintf(stderr, "pdtool: %" PRIu64 " records came too late to be put in order\n",
			st->late);
}

static const char *no_symbols_reason(const struct module_names *m)
{
	switch (m->module->kind) {
	case MODULE_JIT:
		return "see --perf-map-dir";
	case MODULE_KERNEL:
	case MODULE_KMODULE:
		return "see --kallsyms and --vmlinux";
	default:
		return m->recorded.len ? "none found with its build-id"
				       : "no build-id recorded; see --allow-unverified and --symfs";
	}
}

static void report_symbols(const struct session *s, unsigned verbose)
{
	const struct names *n = session_names(s);
	size_t locs = session_stacks(s)->loc_count, named = 0, unverified = 0;

	for (size_t i = 0; n && i < n->module_count; i++) {
		const struct module_names *m = &n->modules[i];
		char line[512];

		named += m->named;
		unverified += m->unverified && m->source;
		if (m->refused && m->locs) {
			snprintf(line, sizeof(line), "%s: %s has another build-id, not used",
				 m->module->path, m->refused);
			put_line(line);
		} else if (verbose && m->locs && !m->source && m->module->kind != MODULE_BPF) {
			snprintf(line, sizeof(line), "%s: no symbols (%s)", m->module->path,
				 no_symbols_reason(m));
			put_line(line);
		}
	}
	if (unverified)
		fprintf(stderr,
			"pdtool: names of %zu modules are unverified: no build-id vouches for "
			"them\n",
			unverified);
	if (named < locs)
		fprintf(stderr, "pdtool: %zu of %zu addresses have no name%s\n", locs - named, locs,
			verbose ? "" : " (-v says why)");
}

void report_session(const struct session *s, bool symbols, unsigned verbose)
{
	report_losses(session_stats(s));
	if (symbols)
		report_symbols(s, verbose);
}
