/* The Firefox Profiler's processed form, version 66 (github.com/firefox-devtools/profiler,
 * docs-developer/CHANGELOG-formats.md): tables of strings, functions, frames and stacks that all
 * threads share, as columns; and for each thread its samples. Its readers check little: what they
 * rely on is that times ascend, and that a stack's caller comes before it. */
#include "formats/export/firefox.h"
#include "parser/base/digits.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <stdlib.h>

#ifndef PDTOOL_VERSION
#define PDTOOL_VERSION "0"
#endif

#define FORM_VERSION 66

/* ---- what the whole is ---- */

static const struct {
	const char *name, *color;
} categories[] = {
	[FRAME_OTHER] = { "Other", "grey" },
	[FRAME_USER] = { "User", "yellow" },
	[FRAME_JIT] = { "JIT", "green" },
	[FRAME_KERNEL] = { "Kernel", "orange" },
	[CATEGORY_IDLE] = { "Idle", "transparent" },
};
_Static_assert(sizeof(categories) / sizeof(*categories) == CATEGORIES, "each has its name");

#define NS_ROOM 24 /* as text */

/* Where its text at TO ends. */
static char *ns_text(char *to, uint64_t ns, unsigned digits)
{
	uint64_t unit = digits == 6 ? 1000000 : digits == 3 ? 1000 : 1;
	uint64_t whole = ns / unit, left = ns % unit;
	unsigned n = digits_count(whole);

	(void)digits_before(to + n, whole);
	to += n;
	if (!left)
		return to;
	*to = '.';
	n = digits_before(to + 1 + digits, left);
	memset(to + 1, '0', digits - n);
	for (to += digits; *to == '0';)
		to--;
	return to + 1;
}

void put_ns(struct out *out, uint64_t ns, unsigned digits)
{
	out_filled(out, ns_text(out_room(out, NS_ROOM), ns, digits));
}

/* Between two samples of the first event. */
static uint64_t interval_ns(const struct profile_part *p)
{
	for (size_t i = 0; i < p->event_count; i++) {
		if (p->events[i].in_ns && p->events[i].period)
			return p->events[i].period;
	}
	return 1000000;
}

static void write_meta(struct shared *s, struct out *out)
{
	const struct profile_part *p = s->p;
	bool dated = p->has_wall && p->has_time && p->wall_ns + (int64_t)p->first_ns > 0;

	out_str(out, "{\"meta\":{\"interval\":");
	put_ms(out, interval_ns(p));
	out_str(out, ",\"startTime\":");
	put_ms(out, dated ? (uint64_t)(p->wall_ns + (int64_t)p->first_ns) : 0);
	out_put(out, ",\"product\":%s", base_name(p->path ? p->path : "-"));
	out_put(out, ",\"oscpu\":%s", p->os ? p->os : "");
	out_put(out, ",\"importedFrom\":%s", "pdtool " PDTOOL_VERSION);
	out_put(out, ",\"arguments\":%s", p->command ? p->command : "");
	out_put(out, ",\"preprocessedProfileVersion\":%d", FORM_VERSION);
	out_str(out, ",\"processType\":0,\"stackwalk\":1,\"version\":24,\"symbolicated\":true,"
		     "\"usesOnlyOneStackType\":true,\"sourceCodeIsNotOnSearchfox\":true,"
		     "\"debug\":false,");
	if (p->monotonic)
		out_put(out, "\"startTimeAsClockMonotonicNanosecondsSinceBoot\":%lu,", p->first_ns);
	/* or else what comes before the first sample and after the last one is not shown */
	out_str(out, "\"profilingStartTime\":0,\"profilingEndTime\":");
	put_when(s, p->last_ns + interval_ns(p), out);
	out_str(out, ",");
	write_schemas(out);
	out_str(out, ",\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\","
		     "\"threadCPUDelta\":\"\xc2\xb5s\"},"
		     "\"extensions\":{\"length\":0,\"baseURL\":[],\"id\":[],\"name\":[]},"
		     "\"categories\":[");
	for (size_t i = 0; i < CATEGORIES; i++)
		out_put(out,
			i ? ",{\"name\":%s,\"color\":%s,\"subcategories\":[\"Other\"]}"
			  : "{\"name\":%s,\"color\":%s,\"subcategories\":[\"Other\"]}",
			categories[i].name, categories[i].color);
	out_str(out, "]}");
}

/* ---- modules ---- */

/* A build-id as symbol servers for Firefox write it: a GUID of its first 16 bytes, and an age. */
static void put_breakpad(struct out *out, const char *id)
{
	static const unsigned char order[16] = { 3, 2, 1,  0,  5,  4,  7,  6,
						 8, 9, 10, 11, 12, 13, 14, 15 };
	char text[34] = { 0 };

	if (strlen(id) >= 32) {
		for (size_t i = 0; i < 32; i++)
			text[i] = (char)toupper((unsigned char)id[2 * order[i / 2] + i % 2]);
		text[32] = '0';
	}
	out_put(out, "%s", text);
}

static void write_libs(const struct profile_part *p, struct out *out)
{
	out_str(out, ",\n\"libs\":[");
	for (size_t i = 0; i < p->module_count; i++) {
		const struct profile_module *m = &p->modules[i];
		const char *name = base_name(m->path);

		out_put(out, i ? ",\n{\"arch\":%s" : "\n{\"arch\":%s", p->arch ? p->arch : "");
		out_put(out, ",\"name\":%s,\"path\":%s,\"debugName\":%s,\"debugPath\":%s", name,
			m->path, name, m->path);
		out_put(out, ",\"codeId\":%s,\"breakpadId\":", m->build_id);
		put_breakpad(out, m->build_id);
		out_str(out, "}");
	}
	out_str(out, "]");
}

/* ---- tables ---- */

static const struct profile_location *location_of(const struct profile_part *p, size_t *at,
						  size_t line)
{
	while (p->locations[*at].first + p->locations[*at].count <= line)
		++*at;
	return &p->locations[*at];
}

static unsigned category_of(const struct profile_part *p, const struct profile_location *l)
{
	const struct profile_function *f =
		&p->functions[p->lines[l->first + l->count - 1].function];

	return f->idle ? CATEGORY_IDLE : f->kind == FRAME_INLINED ? FRAME_USER : f->kind;
}

/* A frame for each line of a location. */
static void write_frames(const struct shared *s, struct out *out)
{
	const struct profile_part *p = s->p;
	size_t a = 0, b = 0, c = 0;

	out_put(out, "},\n\"frameTable\":{\"length\":%zu", s->lines);
	COLUMN("address", s->lines, i, out_u64(out, location_of(p, &a, i)->address));
	COLUMN("inlineDepth", s->lines, i, {
		const struct profile_location *l = location_of(p, &b, i);

		out_u64(out, l->first + l->count - 1 - i);
	});
	COLUMN("category", s->lines, i, out_u64(out, category_of(p, location_of(p, &c, i))));
	COLUMN("subcategory", s->lines, i, out_str(out, "0"));
	COLUMN("func", s->lines, i, out_u64(out, p->lines[i].function));
	COLUMN("nativeSymbol", s->lines, i, out_str(out, "null"));
	COLUMN("innerWindowID", s->lines, i, out_str(out, "null"));
	COLUMN("line", s->lines, i,
	       p->lines[i].line ? out_u64(out, p->lines[i].line) : out_str(out, "null"));
	COLUMN("column", s->lines, i, out_str(out, "null"));
	COLUMN("originalLocation", s->lines, i, out_str(out, "null"));
}

static void write_functions(struct shared *s, struct out *out)
{
	const struct profile_part *p = s->p;
	size_t n = p->function_count;

	out_put(out, "},\n\"funcTable\":{\"length\":%zu", n);
	COLUMN("name", n, i, out_u64(out, text_id(s, p->functions[i].name)));
	COLUMN("isJS", n, i, out_str(out, "false"));
	COLUMN("relevantForJS", n, i, out_str(out, "false"));
	COLUMN("resource", n, i,
	       p->functions[i].module == PROFILE_NONE ? out_str(out, "-1")
						      : out_u64(out, p->functions[i].module));
	COLUMN("source", n, i,
	       *p->functions[i].file ? out_u64(out, intern_find(&s->files, p->functions[i].file,
								strlen(p->functions[i].file)))
				     : out_str(out, "null"));
	COLUMN("lineNumber", n, i, out_str(out, "null"));
	COLUMN("columnNumber", n, i, out_str(out, "null"));
	COLUMN("originalLocation", n, i, out_str(out, "null"));
}

static void write_rest_of_shared(struct shared *s, struct out *out)
{
	const struct profile_part *p = s->p;

	out_put(out, "},\n\"sources\":{\"length\":%zu", s->files.count);
	COLUMN("id", s->files.count, i, out_str(out, "null"));
	COLUMN("filename", s->files.count, i, out_u64(out, text_id(s, intern_str(&s->files, i))));
	COLUMN("startLine", s->files.count, i, out_str(out, "1"));
	COLUMN("startColumn", s->files.count, i, out_str(out, "1"));
	COLUMN("sourceMapURL", s->files.count, i, out_str(out, "null"));
	COLUMN("content", s->files.count, i, out_str(out, "null"));
	out_put(out, "},\n\"resourceTable\":{\"length\":%zu", p->module_count);
	COLUMN("lib", p->module_count, i, out_u64(out, i));
	COLUMN("name", p->module_count, i, out_u64(out, text_id(s, base_name(p->modules[i].path))));
	COLUMN("host", p->module_count, i, out_str(out, "null"));
	COLUMN("type", p->module_count, i, out_str(out, "1"));
	out_str(out, "},\n\"nativeSymbols\":{\"length\":0,\"libIndex\":[],\"address\":[],"
		     "\"name\":[],\"functionSize\":[]},\n\"sourceLocationTable\":{\"length\":0,"
		     "\"source\":[],\"line\":[],\"column\":[]}");
	COLUMN("stringArray", s->texts.count, i, out_put(out, "%s", intern_str(&s->texts, i)));
	out_str(out, "}");
}

static void write_shared(struct shared *s, struct out *out)
{
	const struct stack_nodes *n = &s->nodes;

	out_put(out, ",\n\"shared\":{\"stackTable\":{\"length\":%zu", n->count);
	COLUMN("frame", n->count, i, out_u64(out, n->frames[i]));
	COLUMN("prefixOffset", n->count, i,
	       out_u64(out, n->callers[i] == PROFILE_NONE ? 0 : i - n->callers[i]));
	write_frames(s, out);
	write_functions(s, out);
	write_rest_of_shared(s, out);
}

/* ---- threads ---- */

/* What the first column of a series tells of the others. */
struct rows {
	size_t series;
	uint64_t count, weight; /* weight: of the first row */
	bool alike;		/* all rows have that */
};

#define ROWS 128 /* that are read at a time */

/* A piece of a row, of ROOM bytes at most. */
typedef char *piece_row(struct shared *s, const struct profile_row *row, char *to);

/* An array NAME with PIECE of each row of R. */
static inline __attribute__((always_inline)) void
write_rows(struct shared *s, struct rows *r, const char *name, piece_row *piece, struct out *out)
{
	const struct profile_part *p = s->p;
	struct profile_row rows[ROWS];
	size_t count;

	out_put(out, ",\n%s:[", name);
	r->count = 0;
	r->alike = true;
	p->begin(p->ctx, r->series);
	while (!out->error && (count = p->next_rows(p->ctx, rows, ROWS, &out->error)) != 0) {
		r->weight = r->count ? r->weight : rows[0].weight;
		for (size_t i = 0; i < count; i++) {
			char *to = out_room(out, ROOM);

			if (r->count + i)
				*to++ = ',';
			r->alike &= rows[i].weight == r->weight;
			out_filled(out, piece(s, &rows[i], to));
		}
		r->count += count;
	}
	out_str(out, "]");
}

static char *piece_stack(struct shared *s, const struct profile_row *row, char *to)
{
	return piece_u64(to, stack_node(&s->nodes, s->p, row->stack));
}

static char *piece_time(struct shared *s, const struct profile_row *row, char *to)
{
	return piece_when(s, to, row->time_ns);
}

static char *piece_count(struct shared *s, const struct profile_row *row, char *to)
{
	(void)s;
	return piece_u64(to, row->weight);
}

static char *piece_weight_ms(struct shared *s, const struct profile_row *row, char *to)
{
	(void)s;
	return ns_text(to, row->weight, 6);
}

static char *piece_weight_us(struct shared *s, const struct profile_row *row, char *to)
{
	(void)s;
	return ns_text(to, row->weight, 3);
}

static void write_stacks(struct shared *s, struct rows *r, struct out *out)
{
	write_rows(s, r, "stack", piece_stack, out);
}

static void write_times(struct shared *s, struct rows *r, struct out *out)
{
	write_rows(s, r, "time", piece_time, out);
}

static void write_different(struct shared *s, struct rows *r, unsigned digits, struct out *out)
{
	if (digits == 6)
		write_rows(s, r, "weight", piece_weight_ms, out);
	else if (digits)
		write_rows(s, r, "threadCPUDelta", piece_weight_us, out);
	else
		write_rows(s, r, "weight", piece_count, out);
}

/* COUNT times TEXT, at least once, with commas between. */
static void write_alike(const char *text, size_t len, uint64_t count, struct out *out)
{
	char many[4096];
	size_t each = len + 1, room = sizeof(many) / each;

	for (size_t i = 0; i < room && i < count; i++) {
		memcpy(many + i * each, text, len);
		many[i * each + len] = ',';
	}
	for (; count > room && !out->error; count -= room)
		out_write(out, many, room * each);
	out_write(out, many, count * each - 1);
}

/* What follows from their weights, mostly the same one of a clock, in units of 10^DIGITS ns. */
static void write_weights(struct shared *s, struct rows *r, unsigned digits, struct out *out)
{
	const char *name = digits == 3 ? "threadCPUDelta" : "weight";
	char text[NS_ROOM];

	if (!r->alike || !r->count) {
		write_different(s, r, digits, out);
	} else if (r->weight == 1 && !digits) {
		out_str(out, ",\n\"weight\":null"); /* each is 1 */
	} else {
		out_put(out, ",\n%s:[", name);
		write_alike(text, (size_t)(ns_text(text, r->weight, digits) - text), r->count, out);
		out_str(out, "]");
	}
}

/* Weights of a clock are CPU time; what other events count has no unit there. */
static void write_samples(struct shared *s, size_t series, struct out *out)
{
	bool in_ns = s->p->events[s->p->series[series].event].in_ns;
	struct rows r = { .series = series };

	out_put(out, ",\n\"samples\":{\"weightType\":%s", in_ns ? "tracing-ms" : "samples");
	write_stacks(s, &r, out);
	write_times(s, &r, out);
	write_weights(s, &r, in_ns ? 6 : 0, out);
	if (in_ns)
		write_weights(s, &r, 3, out);
	out_put(out, ",\n\"length\":%lu}", r.count);
}

/* Up to its markers: a thread of EVENT, NULL: of the first one. */
static void begin_thread(const struct profile_thread *t, const char *event, struct out *out)
{
	struct buf name = { 0 };

	buf_str(&name, t->comm);
	if (event)
		buf_printf(&name, " (%s)", event);
	out_put(out, "{\"name\":%s,\"processName\":%s,\"pid\":\"%d\",\"tid\":%d", name.data,
		t->comm, (int)t->pid, (int)t->tid);
	out_str(out, ",\"isMainThread\":");
	out_str(out, t->pid == t->tid && !event ? "true" : "false");
	out_str(out, ",\"processType\":\"default\",\"processStartupTime\":0,"
		     "\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":null,"
		     "\"pausedRanges\":[],\"showMarkersInTimeline\":true");
	buf_release(&name);
}

/* By thread where its marks are; NULL: it has none, or they were written. */
static const size_t **lanes_of(const struct profile_part *p, size_t *lanes)
{
	const size_t **of = xcalloc(p->thread_count + 1, sizeof(*of));

	for (size_t i = 0; i < p->lane_count; i++) {
		lanes[i] = i;
		of[p->lanes[i]] = &lanes[i];
	}
	return of;
}

/* A thread is what its samples of the first event are, with its marks; its other events are threads
 * beside it. One that has marks alone comes last. */
static void write_threads(struct shared *s, struct out *out)
{
	const struct profile_part *p = s->p;
	size_t *lanes = xcalloc(p->lane_count + 1, sizeof(*lanes));
	const size_t **lane = lanes_of(p, lanes);
	const char *between = "";

	for (size_t i = 0; i < p->series_count + p->lane_count && !out->error; i++) {
		bool sampled = i < p->series_count;
		uint32_t thread = sampled ? p->series[i].thread : p->lanes[i - p->series_count];
		bool other = sampled && p->series[i].event != p->series[0].event;
		struct profile_row row;

		if (sampled)
			p->begin(p->ctx, i);
		if (sampled ? !next_row(p, &row, out) : !lane[thread])
			continue; /* filters leave none */
		out_str(out, between);
		between = ",\n";
		begin_thread(&p->threads[thread], other ? p->events[p->series[i].event].name : NULL,
			     out);
		write_markers(s, lane[thread], out);
		lane[thread] = NULL;
		if (sampled)
			write_samples(s, i, out);
		else
			out_str(out, ",\n\"samples\":{\"weightType\":\"samples\",\"stack\":[],"
				     "\"time\":[],\"weight\":[],\"length\":0}");
		out_str(out, "}");
	}
	free(lane);
	free(lanes);
}

static void find_files(struct shared *s)
{
	const struct profile_part *p = s->p;

	for (size_t i = 0; i < p->function_count; i++) {
		const char *file = p->functions[i].file;

		if (*file)
			intern_add(&s->files, file, strlen(file));
	}
}

void write_firefox(const struct profile_part *p, struct out *out)
{
	const struct profile_location *last = &p->locations[p->location_count - 1];
	struct shared s = { .p = p, .lines = last->first + last->count };

	out->quoting = QUOTE_JSON;
	intern_init(&s.texts);
	intern_init(&s.files);
	add_words(&s);
	s.tasks = xcalloc(p->thread_count + 1, sizeof(*s.tasks));
	find_files(&s);
	for (size_t i = 0; i < p->thread_count; i++)
		*idmap_put(&s.threads, p->threads[i].tid) = (uint32_t)i;
	write_meta(&s, out);
	write_libs(p, out);
	out_str(out, ",\n\"threads\":[");
	write_threads(&s, out);
	out_str(out, "]");
	write_shared(&s, out);
	out_str(out, "}\n");
	intern_release(&s.texts);
	intern_release(&s.files);
	idmap_release(&s.threads);
	free(s.tasks);
	free(s.causes);
	stack_nodes_release(&s.nodes);
}
