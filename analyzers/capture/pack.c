/* Make one file of a capture and all that is needed to name it, and say what took the room. */
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/capture/module_paths.h"
#include "parser/pdtool_cut.h"
#include "parser/pdtool_module.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

struct pack {
	bool full, only_samples, strip_paths;
	const char *output;
	uint64_t size_bytes;		   /* of it, when it is there */
	const struct pdt_session *session; /* while it is packed */
	struct answer answer;
};

#define O(member) offsetof(struct pack, member)

static const struct option options[] = {
	{ "full", 0, OPT_FLAG, O(full), NULL,
	  "whole files, not only what the capture's addresses need" },
	{ "only-samples", 0, OPT_FLAG, O(only_samples), NULL,
	  "the capture alone: no symbols, no code" },
	{ "strip-paths", 0, OPT_FLAG, O(strip_paths), NULL,
	  "no directories of the recording machine" },
	{ 0 },
};

static const struct column columns[] = { { "kept", COLUMN_BYTES },
					 { "size", COLUMN_BYTES },
					 { "file", COLUMN_TEXT },
					 { "module", COLUMN_TEXT },
					 { 0 } };

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct pack *p = state;

	p->output = in->output;
	if (p->full && p->strip_paths) {
		warn_add(
			w, SEV_FATAL, "pack",
			"pack: --full and --strip-paths: expected one of them, as whole files hold "
			"paths anywhere");
		return ERR_USAGE;
	}
	if (p->output)
		return 0;
	warn_add(w, SEV_FATAL, "pack", "pack: expected -o FILE, the pack to be made");
	return ERR_USAGE;
}

static void configure(void *state, struct asked *o)
{
	(void)state;
	o->no_inline = true;
}

static void tell(void *ctx, const char *name, uint32_t module, uint64_t size, uint64_t kept)
{
	struct pack *p = ctx;
	const struct pdt_module *m = pdt_module_at(p->session, module);

	answer_cell_count(&p->answer, kept);
	answer_cell_count(&p->answer, size);
	answer_cell_text(&p->answer, name);
	answer_cell_text(&p->answer, m ? module_path(m) : "");
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct pack *p = state;
	struct stat st;
	int rc;

	p->session = s;
	rc = pdt_pack(s, &(struct pdt_pack_query){ .path = p->output,
						   .full = p->full,
						   .only_samples = p->only_samples,
						   .strip_paths = p->strip_paths,
						   .tell = tell,
						   .ctx = p });
	if (rc < 0) /* the session's warnings are W */
		return rc == PDT_ERR_USAGE ? ERR_USAGE : ERR_IO;
	if (!strcmp(p->output, "-"))
		return 0; /* nothing is said of it there */
	if (stat(p->output, &st) < 0) {
		warn_add(w, SEV_FATAL, "pack", "%s: %s", p->output, strerror(errno));
		return ERR_IO;
	}
	p->size_bytes = (uint64_t)st.st_size;
	return 0;
}

static void result(void *state, struct result *out)
{
	struct pack *p = state;

	answer_fact(&p->answer, "pack", "%s: %s", p->output, BYTES_TEXT(p->size_bytes));
	answer_leads(&p->answer);
	answer_result(&p->answer, columns, out);
	out->title = "Pack";
	out->none = "the capture alone is in the pack: nothing names its samples";
	out->none_answers = true;
}

static void release(void *state)
{
	struct pack *p = state;

	answer_release(&p->answer);
}

const struct analyzer analyzer_pack = {
	.name = "pack",
	.summary = "one file with the capture and what names it, for any other machine",
	.question = QUESTION_CAPTURE,
	.wants = PDT_WANT_STACKS,
	.shapes = SHAPE_TABLE,
	.single = true,
	.makes_file = true,
	.options = options,
	.state_size = sizeof(struct pack),
	.begin = begin,
	.configure = configure,
	.finish = finish,
	.result = result,
	.release = release,
};
