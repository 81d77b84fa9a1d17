/* The files of the recording machine that give the names of a capture, one path in a line, as "tar
 * -T" reads them: of every module in a stack, also of those that only call.
 *
 * Where user stacks are to be unwound, callers are not known before the files are there. Then it is
 * all code that was mapped in the processes that were sampled. */
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/count/namer.h"
#include "analyzers/capture/bundle_script.h"
#include "analyzers/capture/module_paths.h"
#include "parser/base/abi.h"
#include "parser/base/buf.h"
#include "parser/base/idmap.h"
#include "parser/base/intern.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define VISITS_MAX 50000000 /* mappings looked at; a made capture could ask for any number */

struct bundle_list {
	const char *cache;
	bool as_script;
	struct idmap unwound; /* pid -> mappings when they were looked at last, or 0 */
	bool *mapped;	      /* by module: holds code of a process whose stacks are unwound */
	size_t mapped_count, mapped_cap;
	uint64_t visits;
	uint64_t left_out; /* mappings past VISITS_MAX */
	struct intern paths;
	struct bundle_script script;
	struct answer answer;
};

static const struct option options[] = {
	{ "cache", 0, OPT_DIR, offsetof(struct bundle_list, cache), "DIR",
	  "the recorder's build-id cache there: list its copies, too (default: " RECORDER_CACHE
	  ", only for what has no other file)",
	  .pattern = "^/", .wanted = "an absolute path" },
	{ "script", 0, OPT_FLAG, offsetof(struct bundle_list, as_script), NULL,
	  "print a shell script that packs these files there, and what they call for" },
	{ 0 },
};

static const struct column columns[] = { { "path", COLUMN_TEXT }, { 0 } };

/* Alternate and split debug files are known once debug information was read. */
static void configure(void *state, struct asked *o)
{
	o->wants |= PDT_WANT_INLINES;
}

/* The code that process PID has mapped now. Most maps only grow, so the same number is the same. */
static void look_at(struct bundle_list *b, const struct pdt_session *s, uint32_t pid,
		    uint32_t *last)
{
	uint32_t count = pdt_map_count(s, pid);

	if (!count || count == *last)
		return;
	if (b->visits > VISITS_MAX) {
		b->left_out += count;
		return;
	}
	*last = count;
	b->visits += count;
	for (uint32_t k = 0; k < count; k++) {
		uint32_t module = pdt_mapped_code(s, pid, k);

		if (module == PDT_NONE)
			continue;
		b->mapped = xgrow_to(b->mapped, &b->mapped_count, &b->mapped_cap, module,
				     sizeof(*b->mapped));
		b->mapped[module] = true;
	}
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct bundle_list *b = state;
	uint32_t *last;

	if (e->kind == PDT_SAMPLE &&
	    pdt_desc_number(s, e->desc, PDT_DESC_SAMPLE_TYPE) & SAMPLE_STACK_USER) {
		last = idmap_put(&b->unwound, e->pid);
		*last = *last == IDMAP_NONE ? 0 : *last;
		if (!*last)
			look_at(b, s, e->pid, last);
		return;
	}
	if (idmap_get(&b->unwound, e->pid) == IDMAP_NONE)
		return;
	last = idmap_put(&b->unwound, e->pid);
	if (e->kind == PDT_COMM && e->exec)
		*last = 0; /* another program: at its first sample */
	else if (e->kind == PDT_EXIT)
		look_at(b, s, e->pid, last);
}

static void take(void *ctx, const char *path)
{
	struct bundle_list *b = ctx;
	size_t before = b->paths.count;
	struct buf line = { 0 };

	if (intern_add(&b->paths, path, strlen(path)) == before) {
		tar_line(path, &line);
		answer_cell_text(&b->answer, line.data);
	}
	buf_release(&line);
}

/* "jit-123.dump", mapped so that the recorder sees where it is. */
static bool is_jitdump(const char *path)
{
	const char *name = base_name(path);
	size_t digits;

	if (strncmp(name, "jit-", 4))
		return false;
	digits = strspn(name + 4, "0123456789");
	return digits && !strcmp(name + 4 + digits, ".dump");
}

/* The files of M. */
static void add_module(struct bundle_list *b, const struct pdt_module *m)
{
	const struct path_sink sink = { take, b };
	const char *cache = b->cache ?: RECORDER_CACHE;

	if (b->as_script)
		bundle_script_add(&b->script, m, cache, b->cache);
	else
		module_paths(m, cache, b->cache, &sink);
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct bundle_list *b = state;

	for (size_t i = 0; i < b->unwound.slots; i++) {
		struct idmap_slot *p = &b->unwound.table[i];

		if (p->value != IDMAP_NONE)
			look_at(b, s, (uint32_t)idmap_key(p), &p->value);
	}
	if (b->left_out)
		warn_add(w, SEV_WARN, "left-out",
			 "left out: the files of %" PRIu64 " mappings, past %d: of them those of "
			 "samples only",
			 b->left_out, VISITS_MAX);
	for (size_t i = 0; i < pdt_module_count(s); i++) {
		const struct pdt_module *m = pdt_module_at(s, (uint32_t)i);

		if (pdt_module_number(m, PDT_MODULE_LOCATIONS) || is_jitdump(module_path(m)) ||
		    (i < b->mapped_count && b->mapped[i]))
			add_module(b, m);
	}
	if (b->as_script)
		bundle_script_write(&b->script, s, &b->answer);
	return 0;
}

static void result(void *state, struct result *out)
{
	struct bundle_list *b = state;

	answer_result(&b->answer, columns, out);
	out->title = "Files";
	out->none = "no file of the recorded machine is needed";
	out->none_answers = true;
	out->bare = true;
}

static void release(void *state)
{
	struct bundle_list *b = state;

	idmap_release(&b->unwound);
	free(b->mapped);
	intern_release(&b->paths);
	bundle_script_release(&b->script);
	answer_release(&b->answer);
}

const struct analyzer analyzer_bundle_list = {
	.name = "bundle-list",
	.summary = "the files of the recording machine that a capture needs, for tar -T",
	.question = QUESTION_CAPTURE,
	.wants = PDT_WANT_STACKS | PDT_WANT_COMMS | PDT_WANT_TASKS,
	.shapes = SHAPE_TABLE,
	.single = true,
	.options = options,
	.state_size = sizeof(struct bundle_list),
	.configure = configure,
	.event = event,
	.finish = finish,
	.result = result,
	.release = release,
};
