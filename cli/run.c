/* open; begin; while next -> event; resolve; finish; render; report; grade. The only file that sees
 * session, analyzer and format together. */
#include "cli/run.h"
#include "cli/help.h"
#include "cli/files/inputs.h"
#include "cli/files/parts.h"
#include "cli/nothing.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/process/heap.h"
#include "cli/progress.h"
#include "cli/sandbox/sandbox.h"
#include "cli/terminal.h"
#include "parser/library/door.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/folded.h"
#include "parser/kept.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run {
	const struct analyzer *analyzer;
	void *state;
	struct common_options o;
	struct rows rows;
	struct output output;
	struct warnings warnings;
	struct progress progress;
	struct nothing nothing;
	struct pdt_session *open; /* what is written is still made of it; NULL: nothing is */
	const char *next;	  /* the input after this one; NULL: it cannot be read yet */
	struct reading *beside;	  /* what was read of it already; NULL: nothing */
	struct sandbox sandbox;
	unsigned jobs;
	bool names;	  /* wanted of the capture at hand */
	bool more_inputs; /* after this one */
	bool reading;	  /* the result reads the events itself, while it is written */
	int read;	  /* what the last one said */
	int unanswered;	 /* what the analyzer said of inputs that have nothing: then it is not asked
			    of more, it is only looked whether they have */
	bool lost;	 /* the recorder lost something */
	bool partial;	 /* the result says so */
	struct buf said; /* lines for stderr, after the result */
};

static unsigned job_count(const struct common_options *o)
{
	long n = o->jobs_given ? (long)o->jobs : sysconf(_SC_NPROCESSORS_ONLN);

	return n > 0 && n < 1024 ? (unsigned)n : 1;
}

#define MEMORY_MIN (1ull << 30)

static size_t max_memory(const struct common_options *o)
{
	uint64_t half = (uint64_t)sysconf(_SC_PHYS_PAGES) / 2 * (uint64_t)sysconf(_SC_PAGESIZE);

	if (o->max_memory)
		return o->max_memory;
	return half > MEMORY_MIN ? half : MEMORY_MIN;
}

static struct session_options session_options(struct run *r)
{
	struct asked asked = { .wants = r->analyzer->wants,
			       .max_memory = max_memory(&r->o),
			       .no_inline = r->o.no_inline,
			       .jobs = r->jobs,
			       .filter = r->o.filter };
	struct session_options so = { .jobs = r->jobs,
				      .filter = r->o.filter,
				      .symbols = r->o.symbols };

	if (r->analyzer->configure)
		r->analyzer->configure(r->state, &asked);
	so.needs = asked.wants;
	r->names = so.needs & PDT_WANT_STACKS && !asked.no_names;
	so.symbols.watch = r->o.made;
	so.symbols.watch_count = r->o.made_count;
	so.symbols.source_prefix = asked.source_prefix;
	so.symbols.source_strip = asked.source_strip;
	if (r->o.filter.dsos.count || r->o.filter.symbols.count) {
		so.needs |= PDT_WANT_STACKS;
		r->names = true;
	}
	if (r->o.filter.fields)
		so.needs |= PDT_WANT_FIELDS | PDT_WANT_COMMS;
	so.max_memory = max_memory(&r->o);
	so.renumbered = asked.renumbered;
	so.renumbered_ctx = asked.renumbered_ctx;
	so.no_stacks = asked.no_stacks;
	so.places = asked.places;
	so.quirks = asked.quirks;
	so.itrace = asked.itrace;
	so.symbols.perf_map_dirs = (const char *const *)r->o.perf_map_dirs.list;
	so.symbols.perf_map_dir_count = r->o.perf_map_dirs.count;
	so.symbols.perf_maps = (const char *const *)r->o.perf_maps.list;
	so.symbols.perf_map_count = r->o.perf_maps.count;
	return so;
}

/* The capture is read: is there what was asked for, in one input at least? */
static int check_found(struct run *r, const struct pdt_session *s)
{
	int rc = nothing_check_events(s, &r->warnings);
	struct nothing *n = &r->nothing;

	if (rc < 0 || nothing_look(n, r->analyzer, s))
		return rc;
	if (r->o.file_count > 1 || r->o.allow_empty)
		warn_add(&r->warnings, SEV_NOTE, "nothing-there", "%s", n->now.data);
	if (n->found || r->more_inputs || r->o.allow_empty)
		return 0;
	warn_add(&r->warnings, SEV_FATAL, "nothing", "%s", n->line.data);
	return ERR_ABSENT;
}

/* A field that no event has says nothing of what others let pass. */
static int check_field_filter(struct run *r, const struct pdt_session *s)
{
	const char *unfit = filter_unfit(s), *lacking = filter_lacking(s);

	if (unfit)
		warn_add(&r->warnings, SEV_FATAL, "filter", "%s: --filter: %s",
			 pdt_text(s, PDT_PATH), unfit);
	else if (lacking && filter_passed(s))
		warn_add(&r->warnings, SEV_WARN, "filter", "%s: --filter: %s",
			 pdt_text(s, PDT_PATH), lacking);
	return unfit ? ERR_USAGE : 0;
}

static int check_clock(struct run *r, const struct pdt_session *s)
{
	if (r->o.filter.clock != CLOCK_WALL || pdt_number(s, PDT_HAS_WALL))
		return 0;
	warn_add(&r->warnings, SEV_FATAL, "clock",
		 "%s: --clock wall: the capture does not state the wall clock (perf record "
		 "-k CLOCK_MONOTONIC)",
		 pdt_text(s, PDT_PATH));
	return ERR_ABSENT;
}

/* An analyzer that cannot answer for an input which has nothing may be wrong only about that one,
 * or about all. */
static int finish(struct run *r, const struct pdt_session *s)
{
	int rc = r->unanswered ?: r->analyzer->finish(r->state, s, &r->warnings);

	if (rc < 0 && !r->nothing.found && r->more_inputs) {
		r->unanswered = rc;
		return 0;
	}
	return rc;
}

/* All events of *S, which was opened with SO: by one session, or in parts by several, of which it
 * becomes one. Parts that cannot be put together are forgotten, and *S begins anew; NULL: that
 * failed. */
static int read_events(struct run *r, const char *path, struct session_options *so,
		       struct pdt_session **s, struct warnings *opened)
{
	void (*event)(void *state, const struct pdt_event *e, const struct pdt_session *s) =
		r->unanswered ? NULL : r->analyzer->event;
	struct parts parts = { .analyzer = r->analyzer,
			       .state = r->state,
			       .path = path,
			       .next = r->next,
			       .progress = &r->progress,
			       .jobs = event ? r->jobs : 1,
			       .asked = r->o.jobs_given };
	struct pdt_event e;
	int rc = parts_read(&parts, *s, so, &r->beside);

	if (rc == ERR_ALONE) {
		pdt_close(*s);
		warnings_release(&r->warnings);
		r->warnings = warnings_copy(opened);
		so->source = NULL;
		rc = door_open(s, path, so, &r->warnings) ?: PARTS_NONE;
	}
	if (rc != PARTS_NONE)
		return rc;
	while ((rc = session_next((*s)->session, &e)) == 1) {
		if (event)
			event(r->state, &e, *s);
		progress_step(&r->progress, (*s)->session);
	}
	return rc;
}

/* ---- results that read the events themselves ---- */

static bool next_event(void *ctx, struct pdt_event *e)
{
	struct run *r = ctx;

	if (r->read == 1)
		r->read = session_next(r->open->session, e);
	return r->read == 1;
}

/* May lines be written before all of a capture is read? What would be refused only then must not
 * be possible. */
static bool may_read_later(const struct run *r, const char *path)
{
	const struct filter *f = &r->o.filter;

	return r->analyzer->reads && strcmp(path, "-") && !strcmp(r->output.format->name, "text") &&
	       !f->dsos.count && !f->symbols.count && !f->fields && f->clock != CLOCK_WALL;
}

/* Let the analyzer choose. *S is opened anew then, for what it wants now; NULL: that failed. */
static int read_later(struct run *r, const char *path, struct pdt_session **s,
		      struct warnings *opened)
{
	const struct reader reader = { next_event, r };
	struct session_options so;
	int rc;

	r->reading = may_read_later(r, path) && r->analyzer->reads(r->state, *s, &reader);
	if (!r->reading)
		return 0;
	so = session_options(r);
	pdt_close(*s);
	warnings_release(&r->warnings);
	r->warnings = warnings_copy(opened);
	rc = door_open(s, path, &so, &r->warnings);
	r->open = *s;
	r->read = 1;
	return rc;
}

/* All lines are written: what there is to say of the capture. */
static int end_reading(struct run *r)
{
	struct pdt_event e;
	int rc;

	while (next_event(r, &e))
		;
	rc = r->read < 0 ? r->read : check_found(r, r->open);
	r->lost |= pdt_number(r->open, PDT_LOST_ANY) || pdt_number(r->open, PDT_LEFT_OUT);
	if (rc == 0)
		report_session(r->open->session, r->analyzer->wants & PDT_WANT_STACKS, r->o.verbose,
			       &r->said);
	return rc;
}

/* SOURCE belongs to the session, also on failure; NULL: a directory. *S: NULL: none is open. */
static int read_session(struct run *r, const char *path, struct source *source,
			struct pdt_session **s)
{
	struct session_options so = session_options(r);
	struct warnings before = warnings_copy(&r->warnings);
	uint64_t done, all = 0;
	int rc;

	so.source = source;
	stage("open");
	rc = door_open(s, path, &so, &r->warnings);
	if (rc == 0)
		session_progress((*s)->session, &done, &all);
	heap_expect(all);
	if (rc == 0)
		rc = read_later(r, path, s, &before);
	if (rc == 0 && !r->reading) {
		progress_start(&r->progress,
			       r->o.progress || (!r->o.quiet && isatty(STDERR_FILENO)));
		stage("read");
		rc = read_events(r, path, &so, s, &before);
		progress_end(&r->progress);
		heap_settle();
	}
	warnings_release(&before);
	return rc;
}

/* All events of S were read; RC: what came of that. */
static int end_session(struct run *r, struct pdt_session *s, int rc)
{
	stage("names");
	if (rc == 0 && r->names)
		session_resolve(s->session);
	if (rc == 0)
		rc = check_field_filter(r, s);
	if (rc == 0)
		rc = check_clock(r, s);
	if (rc == 0)
		rc = check_found(r, s);
	if (rc == 0)
		rc = inputs_check_found(&r->o, &r->rows, s, &r->warnings);
	stage("fold");
	if (rc == 0)
		rc = finish(r, s);
	if (rc == 0 && !r->analyzer->makes_file)
		rc = inputs_check_found(&r->o, &r->rows, s, &r->warnings); /* lines, sources */
	r->lost |= pdt_number(s, PDT_LOST_ANY) || pdt_number(s, PDT_LEFT_OUT);
	if (rc == 0)
		report_session(s->session, r->analyzer->wants & PDT_WANT_STACKS, r->o.verbose,
			       &r->said);
	stage("close");
	if (r->analyzer->shapes & (SHAPE_LINES | SHAPE_PROFILE))
		r->open = s;
	else
		pdt_close(s);
	return rc;
}

/* SOURCE: as above. */
static int read_capture(struct run *r, const char *path, struct source *source)
{
	struct pdt_session *s;
	int rc = read_session(r, path, source, &s);

	if (!s)
		return rc;
	if (r->reading)
		return rc ?: finish(r, s);
	return end_session(r, s, rc);
}

/* Folded text has no samples that could be filtered. */
static int check_text(struct run *r, const char *path)
{
	const char *filter = nothing_filter(&r->o.filter);

	if (!filter)
		return 0;
	warn_add(&r->warnings, SEV_FATAL, "text-filter",
		 "%s: --%s: it is no capture, so there are no samples to choose from", path,
		 filter);
	return ERR_USAGE;
}

/* What was read beside the input before; NULL: nothing. */
static struct pdt_session *take_beside(struct run *r)
{
	struct reading *beside = r->beside;

	r->beside = NULL;
	return beside ? beside_take(beside, !r->unanswered, &r->warnings) : NULL;
}

static int read_input(struct run *r, const char *path)
{
	struct pdt_session *s = take_beside(r);
	struct folded *text = NULL;
	struct source *source = NULL;
	int rc = 0;

	if (s)
		return end_session(r, s, 0);
	if (r->analyzer->text)
		rc = folded_open(&text, &source, path, &r->warnings);
	if (rc < 0)
		return rc;
	if (!text)
		return read_capture(r, path, source);
	folded_set_limits(text, r->o.max_memory, r->jobs);
	heap_expect(4 * folded_bytes(text)); /* of text more stays than of a capture */
	nothing_text(&r->nothing, folded_path(text));
	rc = check_text(r, folded_path(text));
	stage("read");
	if (rc == 0)
		rc = r->unanswered ?: r->analyzer->text(r->state, text, &r->warnings);
	folded_close(text);
	return rc;
}

/* There is nothing to show: is that an answer? A drawing of nothing is none. */
static bool may_be_empty(struct run *r, const struct result *result)
{
	bool answer = nothing_answers(&r->nothing, result) && !r->output.format->draws;

	if (result->lacking) {
		if (r->o.allow_empty)
			buf_printf(&r->said, "%s\n", result->lacking);
		else
			say("%s", result->lacking);
		return r->o.allow_empty;
	}
	if (r->analyzer->judges)
		return true;
	if (answer || (r->o.allow_empty && r->nothing.found))
		buf_printf(&r->said, "%s\n", nothing_why(&r->nothing, result));
	else if (!r->o.allow_empty)
		say("%s", nothing_why(&r->nothing, result));
	return r->o.allow_empty || answer;
}

/* *RC: what failed of the input meanwhile. */
static int write_result(struct run *r, int *rc)
{
	struct result result = { 0 };
	int status;

	r->analyzer->result(r->state, &result);
	r->partial = result.partial;
	if (result.held) /* folded stacks have no place for facts */
		warn_add(&r->warnings, SEV_WARN, "overflow", "%s", RESULT_HELD);
	if (!output_can_show(&r->output, &result))
		return usage_error("%s: the format %s cannot show this", r->analyzer->name,
				   r->output.format->name);
	if (output_check_options(&r->output, &r->rows, &result))
		return EXIT_USAGE;
	if ((result.lacking || result_is_empty(&result)) && !may_be_empty(r, &result))
		return EXIT_ERROR;
	if (r->analyzer->makes_file && !strcmp(r->o.output, "-"))
		return EXIT_COMPLETE; /* standard output has the file */
	status = output_write(&r->output, &result, &r->said);
	if (status != EXIT_COMPLETE || !r->reading)
		return status;
	*rc = end_reading(r);
	if (*rc == 0 && result_is_empty(&result) && !may_be_empty(r, &result))
		return EXIT_ERROR;
	return status;
}

#define PATH_BYTES 4096

/* "$VARIABLE/REST" in PATH; NULL: there is no such variable. */
static const char *below(const char *variable, const char *rest, char path[PATH_BYTES])
{
	const char *dir = getenv(variable);

	if (!dir)
		return NULL;
	snprintf(path, PATH_BYTES, "%s/%s", dir, rest);
	return path;
}

/* Where debuginfod's client keeps what it got (man debuginfod_find_debuginfo). */
static const char *client_cache(char path[PATH_BYTES])
{
	const char *dir = getenv("DEBUGINFOD_CACHE_PATH");

	if (dir)
		return dir;
	if (below("HOME", ".debuginfod_client_cache", path) && !access(path, F_OK))
		return path; /* as long ago */
	return below("XDG_CACHE_HOME", "debuginfod_client", path)
		       ?: below("HOME", ".cache/debuginfod_client", path);
}

/* Where this host keeps symbols. What --debuginfod gets lies in the cache of its client. */
static void use_caches(struct common_options *o)
{
	static char ids[PATH_BYTES], cache[PATH_BYTES];
	struct symbol_options *s = &o->symbols;

	if (!s->buildid_dir && !s->no_host)
		s->buildid_dir = getenv("PERF_BUILDID_DIR") ?: below("HOME", ".debug", ids);
	if (o->debuginfod || !s->no_host)
		s->debuginfod_cache = client_cache(cache);
}

static int open_sources(struct run *r)
{
	struct common_options *o = &r->o;

	if (o->sources.count)
		o->symbols.sources = sources_new();
	for (size_t i = 0; i < o->sources.count; i++) {
		int rc = sources_add(o->symbols.sources, o->sources.list[i], &r->warnings);

		if (rc < 0)
			return rc;
	}
	return 0;
}

/* The client makes its cache, but no directory above it, and then it says of each file that no
 * server has it. Where that would be, nothing is made behind the user's back. */
static int check_cache(const char *cache, struct warnings *w)
{
	size_t len = strlen(cache), above;
	char *path;
	int rc;

	while (len > 1 && cache[len - 1] == '/')
		len--;
	for (above = len; above && cache[above - 1] != '/'; above--)
		;
	path = xstrdup(cache);
	path[access(cache, F_OK) ? above : len] = '\0';
	rc = access(*path ? path : ".", W_OK | X_OK);
	if (rc)
		warn_add(w, SEV_FATAL, "debuginfod",
			 "--debuginfod: there is no place for what servers send, %s: %s: %s (mkdir "
			 "-p %s, or set DEBUGINFOD_CACHE_PATH)",
			 cache, *path ? path : ".", strerror(errno), cache);
	free(path);
	return rc ? ERR_ABSENT : 0;
}

/* Without the option, no library of ours shall think that it may connect. */
static int open_debuginfod(struct run *r)
{
	const char *urls = r->o.debuginfod, *there = getenv("DEBUGINFOD_URLS");

	if (!urls) {
		unsetenv("DEBUGINFOD_URLS");
		return 0;
	}
	if (!*urls && !(there && *there)) {
		warn_add(&r->warnings, SEV_FATAL, "debuginfod",
			 "--debuginfod: expected servers: set DEBUGINFOD_URLS or give =URLS");
		return ERR_USAGE;
	}
	if (r->o.symbols.debuginfod_cache &&
	    check_cache(r->o.symbols.debuginfod_cache, &r->warnings) < 0)
		return ERR_ABSENT;
	if (*urls)
		setenv("DEBUGINFOD_URLS", urls, 1);
	if (r->o.symbols.debuginfod_cache)
		setenv("DEBUGINFOD_CACHE_PATH", r->o.symbols.debuginfod_cache, 1);
	unsetenv("DEBUGINFOD_PROGRESS");
	setenv("DEBUGINFOD_MAXTIME", "900", 0); /* seconds for one file */
	r->o.symbols.debuginfod = debuginfod_new(&r->warnings);
	return r->o.symbols.debuginfod ? 0 : ERR_ABSENT;
}

/* "a,b:c,d": each input has a time of its own. What is returned holds these, to be freed. */
static int split_time(struct run *r, char **parts)
{
	struct filter *f = &r->o.filter;
	size_t count = 1;

	*parts = f->time ? xstrdup(f->time) : NULL;
	if (*parts)
		count = time_split(*parts);
	if (count == 1)
		return 0;
	f->time_each = f->time;
	f->time = *parts;
	if (count == r->o.file_count)
		return 0;
	warn_add(&r->warnings, SEV_FATAL, "usage", "--time %s: %zu times for %zu inputs",
		 f->time_each, count, r->o.file_count);
	return ERR_USAGE;
}

static int read_files(struct run *r)
{
	char *times;
	int rc = split_time(r, &times);

	for (size_t i = 0; rc == 0 && i < r->o.file_count; i++) {
		if (i && r->o.filter.time_each)
			r->o.filter.time += strlen(r->o.filter.time) + 1;
		r->more_inputs = i + 1 < r->o.file_count;
		r->next = r->more_inputs && !r->o.filter.time_each ? r->o.files[i + 1] : NULL;
		rc = read_input(r, r->o.files[i]);
	}
	r->o.filter.time = NULL;
	free(times);
	return rc;
}

/* Captures that the analyzer has from elsewhere. */
static int read_kept(struct run *r)
{
	const struct kept_capture *k;
	int rc;

	while ((rc = r->analyzer->kept(r->state, &k, &r->warnings)) == 1) {
		struct session_options so = session_options(r);
		struct pdt_session *s;

		rc = check_text(r, k->path ?: r->analyzer->name)
			     ?: door_open_kept(&s, k, &so, &r->warnings);
		if (rc < 0)
			break;
		session_resolve(s->session);
		rc = r->analyzer->finish(r->state, s, &r->warnings)
			     ?: inputs_check_found(&r->o, &r->rows, s, &r->warnings);
		pdt_close(s);
		if (rc < 0)
			break;
	}
	return rc;
}

static bool ends_with(const char *path, const char *end)
{
	size_t len = strlen(path), n = strlen(end);

	return len > n && !strcmp(path + len - n, end);
}

/* By its name, as what is in it is not looked at yet: does it need libarchive? */
static bool is_packed(const char *path, bool capture)
{
	static const char *const ends[] = { ".gz",  ".xz",  ".bz2",	".tar", ".tgz",
					    ".txz", ".zip", ".tar.zst", ".apk" };

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		if (ends_with(path, ends[i]))
			return true;
	}
	return !capture && ends_with(path, ".zst");
}

/* Those that are loaded late, where it is clear that they are needed: from inside they could come
 * from the places of libraries only. Loading them costs more than many a run. */
static void load_libraries(const struct run *r)
{
	bool packed = r->analyzer->makes_file;
	struct asked asked = { .wants = r->analyzer->wants };

	for (size_t i = 0; i < r->o.file_count && !packed; i++)
		packed = is_packed(r->o.files[i], true);
	for (size_t i = 0; i < r->o.sources.count && !packed; i++)
		packed = is_packed(r->o.sources.list[i], false);
	if (r->analyzer->configure)
		r->analyzer->configure(r->state, &asked);
	session_load_libraries(packed, !strcmp(r->analyzer->name, "annotate"),
			       itrace_any(&asked.itrace));
}

static int enter_sandbox(struct run *r)
{
	struct buf line = { 0 };

	if (!r->o.no_sandbox)
		load_libraries(r);
	r->jobs = job_count(&r->o); /* these look below /sys or /proc */
	r->o.max_memory = max_memory(&r->o);
	if (r->o.no_sandbox) {
		r->sandbox.none = "--no-sandbox";
	} else if (!sandbox_for_command(&r->sandbox, &r->rows, &r->o)) {
		warn_add(&r->warnings, SEV_FATAL, "sandbox",
			 "%s: %s (for the sandbox: see --no-sandbox)", r->sandbox.files.path,
			 strerror(r->sandbox.files.error));
		return ERR_IO;
	}
	r->o.symbols.boxed = r->sandbox.files.abi > 0;
	if (r->o.verbose || (r->output.terminal && !strcmp(r->analyzer->name, "info"))) {
		sandbox_describe(&r->sandbox, &line);
		buf_printf(&r->said, "sandbox: %s\n", line.data);
	}
	buf_release(&line);
	return 0;
}

/* The library of --debuginfod is there before it; no byte of an input is read before it. */
static int read_inputs(struct run *r)
{
	int rc = open_debuginfod(r);

	if (rc == 0)
		rc = enter_sandbox(r);
	if (rc == 0)
		rc = open_sources(r);
	if (rc == 0)
		rc = r->analyzer->kept ? read_kept(r) : read_files(r);
	stage("complete");
	if (rc == 0 && r->analyzer->complete)
		rc = r->analyzer->complete(r->state, &r->warnings);
	return rc;
}

/* What an analyzer cannot answer where there is nothing is no mistake of who allows that. */
static int fail(struct run *r, int rc)
{
	bool absent = rc == ERR_ABSENT || (rc == ERR_USAGE && !r->nothing.found);

	if (r->unanswered && !r->nothing.found) {
		say("%s", r->nothing.line.data);
		return r->o.allow_empty ? EXIT_COMPLETE : EXIT_ERROR;
	}
	if (r->o.allow_empty && absent && r->nothing.line.len) {
		if (r->nothing.found)
			report_failure(&r->warnings);
		else
			say("%s", r->nothing.line.data);
		return EXIT_COMPLETE;
	}
	report_failure(&r->warnings);
	return rc == ERR_USAGE ? EXIT_USAGE : rc == ERR_VOID ? EXIT_VOID : EXIT_ERROR;
}

static int run_all(struct run *r)
{
	enum outcome outcome = OUTCOME_DONE;
	int rc = read_inputs(r), status;

	sources_report(r->o.symbols.sources, &r->warnings);
	debuginfod_report(r->o.symbols.debuginfod, &r->warnings);
	if (rc < 0)
		return fail(r, rc);
	stage("write");
	status = write_result(r, &rc);
	if (rc < 0)
		return fail(r, rc);
	if (status != EXIT_COMPLETE)
		return status;
	if (r->analyzer->outcome)
		outcome = r->analyzer->outcome(r->state, &r->said);
	if (!r->o.quiet) {
		report_warnings(&r->warnings);
		report_print(&r->said);
	}
	if (outcome != OUTCOME_DONE)
		return outcome == OUTCOME_VOID ? EXIT_VOID : EXIT_THRESHOLD;
	if (r->partial && report_is_fault(&r->warnings))
		return EXIT_ERROR;
	return r->partial || (r->o.strict && (r->lost || report_is_partial(&r->warnings)))
		       ? EXIT_PARTIAL
		       : EXIT_COMPLETE;
}

/* The options are there: what they ask for, or that they make no sense. */
static int run_options(struct run *r)
{
	const struct analyzer *a = r->analyzer;
	struct inputs in = { .options = r->o.file_options,
			     .count = r->o.file_count,
			     .output = a->makes_file ? r->o.output : NULL,
			     .shared = r->o.shared.list,
			     .shared_count = r->o.shared.count };
	int status, rc = 0;

	use_caches(&r->o);
	if (a->single && r->o.file_count > 1)
		return usage_error("%s takes one capture, not %zu", a->name, r->o.file_count);
	if (r->o.filter.clock == CLOCK_WALL && (r->o.file_count > 1 || a->shapes & SHAPE_TIMELINE))
		return usage_error("--clock wall: for tables and heat maps of one capture");
	status = output_choose(&r->output, a, &r->o, &r->rows) ?: inputs_check(&r->o, &r->rows);
	if (status)
		return status;
	if (a->begin)
		rc = a->begin(r->state, &in, &r->warnings);
	if (rc == 0 && r->output.format->check &&
	    r->output.format->check(&r->output.style, &r->warnings) < 0)
		rc = ERR_USAGE;
	if (rc < 0) {
		report_failure(&r->warnings);
		status = rc == ERR_IO || rc == ERR_FORMAT || rc == ERR_ABSENT ? EXIT_ERROR
									      : EXIT_USAGE;
	} else {
		status = run_all(r);
	}
	beside_free(r->beside);
	a->release(r->state);
	pdt_close(r->open);
	return status;
}

int run_analyzer(const struct analyzer *a, char **argv)
{
	struct run r = { .analyzer = a, .state = xcalloc(1, a->state_size) };
	int status;

	rows_init(&r.rows, a, r.state, &r.o);
	status = options_parse(&r.rows, &r.o, a, argv);
	if (!status && (r.o.usage || (r.o.help && !help_page(a->name))))
		help_options(a);
	else if (!status && !r.o.help)
		status = run_options(&r);
	pager_end();
	warnings_release(&r.warnings);
	sandbox_release(&r.sandbox);
	buf_release(&r.said);
	nothing_release(&r.nothing);
	options_release(&r.rows, &r.o);
	free(r.state);
	return status;
}
