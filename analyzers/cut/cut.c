/* Write a smaller capture of the samples that pass the filters, or a sound one of a damaged one;
 * the library does it, here is told what became of the records. */
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "parser/pdtool_cut.h"

#include <string.h>
#include <sys/stat.h>

struct cut {
	const char *output, *scrub;
	uint64_t size_bytes; /* of it, when it is there */
	struct answer answer;
};

static const struct option options[] = {
	{ "scrub", 0, OPT_MAYBE, offsetof(struct cut, scrub), "WHAT",
	  "without names of commands, files, programs and hosts; all: nor build-ids",
	  .pattern = "^(names|all)$", .wanted = "names, all" },
	{ 0 },
};

static const struct column columns[] = {
	{ "records", COLUMN_COUNT }, { "size", COLUMN_BYTES }, { "what", COLUMN_TEXT }, { 0 }
};

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct cut *c = state;

	c->output = in->output;
	if (c->output)
		return 0;
	warn_add(w, SEV_FATAL, "cut", "cut: expected -o FILE, the capture to be made");
	return ERR_USAGE;
}

static void tell(void *ctx, const char *what, uint64_t records, uint64_t size)
{
	struct cut *c = ctx;

	answer_cell_count(&c->answer, records);
	answer_cell_count(&c->answer, size);
	answer_cell_text(&c->answer, what);
}

static int check(const struct pdt_session *s, struct warnings *w)
{
	const struct filter *f = filter_of(s);

	if (!f->dsos.count && !f->symbols.count && !f->no_idle)
		return 0;
	warn_add(w, SEV_FATAL, "cut",
		 "cut: --dsos, --symbols and --no-idle ask for names, which a cut does not look "
		 "for: expected filters by event, time, task or CPU");
	return ERR_USAGE;
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct cut *c = state;
	struct stat st;
	int rc = check(s, w);

	if (rc < 0)
		return rc;
	rc = pdt_cut(s, &(struct pdt_cut_query){ .path = c->output,
						 .scrub = !c->scrub		    ? 0
							  : strcmp(c->scrub, "all") ? 1
										    : 2,
						 .tell = tell,
						 .ctx = c });
	if (rc < 0) /* the session's warnings are W */
		return rc == PDT_ERR_USAGE ? ERR_USAGE : ERR_IO;
	if (strcmp(c->output, "-") && stat(c->output, &st) == 0)
		c->size_bytes = (uint64_t)st.st_size;
	answer_capture(&c->answer, s);
	return 0;
}

static void result(void *state, struct result *out)
{
	struct cut *c = state;

	answer_fact(&c->answer, "cut", "%s: %s", c->output, BYTES_TEXT(c->size_bytes));
	answer_leads(&c->answer);
	answer_result(&c->answer, columns, out);
	out->title = "Cut";
}

static void release(void *state)
{
	struct cut *c = state;

	answer_release(&c->answer);
}

const struct analyzer analyzer_cut = {
	.name = "cut",
	.summary =
		"a smaller capture of what passes the filters, a sound one, or one without names",
	.question = QUESTION_CAPTURE,
	.wants = PDT_WANT_CUT,
	.shapes = SHAPE_TABLE,
	.single = true,
	.makes_file = true,
	.options = options,
	.state_size = sizeof(struct cut),
	.begin = begin,
	.finish = finish,
	.result = result,
	.release = release,
};
