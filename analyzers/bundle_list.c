/* The files of the recording machine that give the names of a capture, one path in a line, as "tar
 * -T" reads them: of every module in a stack, also of those that only call. */
#include "analyzers/analyzer.h"
#include "analyzers/lib/answer.h"
#include "analyzers/lib/leaf.h"
#include "analyzers/lib/module_paths.h"
#include "parser/base/buf.h"
#include "parser/base/intern.h"

#include <string.h>

struct bundle_list {
	const char *cache;
	struct intern paths;
	struct answer answer;
};

static const struct option options[] = {
	{ "cache", 0, OPT_TEXT, offsetof(struct bundle_list, cache), "DIR",
	  "the recorder's build-id cache there: list its copies, too (default: " RECORDER_CACHE
	  ", only for what has no other file)",
	  false },
	{ 0 },
};

static const struct column columns[] = { { "path", COLUMN_TEXT, 0 }, { 0 } };

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct bundle_list *b = state;

	(void)in;
	answer_init(&b->answer);
	intern_init(&b->paths);
	if (!b->cache || b->cache[0] == '/')
		return 0;
	warn_add(w, SEV_FATAL, "usage", "--cache %s: expected an absolute path", b->cache);
	return ERR_USAGE;
}

/* Alternate and split debug files are known once debug information was read. */
static void configure(void *state, struct session_options *o)
{
	(void)state;
	o->symbols.inlines = true;
}

static void event(void *state, const struct event *e, const struct session *s)
{
	(void)state;
	(void)e;
	(void)s;
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

static int finish(void *state, const struct session *s, const struct filter *f, struct warnings *w)
{
	struct bundle_list *b = state;
	const struct names *n = session_names(s);
	const struct path_sink sink = { take, b };

	(void)f;
	(void)w;
	for (size_t i = 0; i < n->module_count; i++) {
		const struct module_names *m = &n->modules[i];

		if (m->locs || is_jitdump(m->module->path))
			module_paths(m, b->cache ? b->cache : RECORDER_CACHE, b->cache, &sink);
	}
	return 0;
}

static void result(void *state, struct result *out)
{
	struct bundle_list *b = state;

	answer_result(&b->answer, columns, out);
	b->answer.table.bare = true;
}

static void release(void *state)
{
	struct bundle_list *b = state;

	intern_release(&b->paths);
	answer_release(&b->answer);
}

const struct analyzer analyzer_bundle_list = {
	.name = "bundle-list",
	.summary = "the files of the recording machine that a capture needs, for tar -T",
	.needs = NEED_STACKS | NEED_COMMS,
	.shapes = SHAPE_TABLE,
	.single = true,
	.default_format = "text",
	.options = options,
	.state_size = sizeof(struct bundle_list),
	.begin = begin,
	.configure = configure,
	.event = event,
	.finish = finish,
	.result = result,
	.release = release,
};
