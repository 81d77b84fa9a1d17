/* Which names a capture lacks here, how much that matters, and how to get them; and how sound the
 * capture is otherwise. Works with no symbol at all. */
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/capture/distro.h"
#include "analyzers/capture/health.h"
#include "analyzers/capture/identity.h"
#include "analyzers/count/namer.h"
#include "analyzers/capture/module_lacks.h"
#include "analyzers/capture/module_paths.h"
#include "analyzers/capture/refusals.h"
#include "analyzers/count/module_shares.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINES_MAX 10 /* of one kind, for people; the table has all modules */

struct doctor {
	double max_unresolved; /* percent */
	bool limited;
	struct module_shares shares;
	uint32_t *order; /* of the rows: indexes in shares.list */
	size_t rows;
	struct answer answer;
	struct unresolved unresolved;
};

#define OPT(member) offsetof(struct doctor, member)

static const struct option options[] = {
	{ "max-unresolved", 0, OPT_PERCENT, OPT(max_unresolved), "PERCENT",
	  "exit 4 when a greater share of the frames that files can name has none",
	  .given = OPT(limited) },
	{ 0 },
};

/* People get the first ones. */
#define SUMMARY_COLUMNS 7

static const struct column columns[] = {
	{ "leaf_percent", COLUMN_PERCENT, 2, NULL },
	{ "stack_percent", COLUMN_PERCENT, 2, NULL },
	{ "frames", COLUMN_COUNT },
	{ "named_frames", COLUMN_COUNT },
	{ "missing", COLUMN_TEXT },
	{ "build_id", COLUMN_TEXT },
	{ "module", COLUMN_TEXT },
	{ "arch", COLUMN_TEXT },
	{ "leaf_samples", COLUMN_COUNT },
	{ "stack_samples", COLUMN_COUNT },
	{ "addresses", COLUMN_COUNT },
	{ "named_addresses", COLUMN_COUNT },
	{ "only_calls", COLUMN_TEXT },
	{ "source", COLUMN_TEXT },
	{ "trust", COLUMN_TEXT },
	{ "refused", COLUMN_TEXT },
	{ "tar", COLUMN_TEXT },
	{ "debuginfod", COLUMN_TEXT },
	{ "package", COLUMN_TEXT },
	{ "root", COLUMN_TEXT },
	{ 0 },
};

/* Debug information is looked for, so that what it lacks is known; its inlines are not counted. */
static void configure(void *state, struct asked *o)
{
	struct doctor *d = state;

	samples_follow(&d->shares.samples, o);
	o->wants |= PDT_WANT_INLINES;
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	struct doctor *d = state;

	module_shares_event(&d->shares, e);
}

/* ---- the rows ---- */

static const struct pdt_module *module_of(const struct doctor *d, const struct pdt_session *s,
					  size_t i)
{
	return i < d->shares.module_count ? pdt_module_at(s, (uint32_t)i) : NULL;
}

struct ranked {
	uint64_t unnamed, leaf, through;
	const char *name;
	struct build_id id;
	uint32_t index;
};

/* What lacks most comes first. */
static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return compare_u64(y->unnamed, x->unnamed) ?: compare_u64(y->leaf, x->leaf) ?:
	       compare_u64(y->through, x->through) ?: strcmp(x->name, y->name) ?:
	       memcmp(&x->id, &y->id, sizeof(x->id)) ?: compare_u64(x->index, y->index);
}

static void make_order(struct doctor *d, const struct pdt_session *s)
{
	struct ranked *list = xcalloc(d->shares.count, sizeof(*list));

	for (size_t i = 0; i < d->shares.count; i++) {
		const struct module_share *share = &d->shares.list[i];
		const struct pdt_module *m = module_of(d, s, i);

		if (share->through)
			list[d->rows++] = (struct ranked){
				m ? share->frames - share->named : 0,
				share->leaf,
				share->through,
				m ? module_path(m) : module_shares_other(&d->shares, i),
				m ? module_id(m) : (struct build_id){ 0 },
				(uint32_t)i,
			};
	}
	qsort(list, d->rows, sizeof(*list), by_rank);
	d->order = xcalloc(d->rows, sizeof(*d->order));
	for (size_t i = 0; i < d->rows; i++)
		d->order[i] = list[i].index;
	free(list);
}

/* The cell takes what B holds, which is empty then. */
static void cell_buf(struct doctor *d, struct buf *b)
{
	answer_cell_text(&d->answer, b->len ? b->data : "");
	b->len = 0;
}

static void share_cells(struct doctor *d, const struct module_share *share, double leaf_percent)
{
	answer_cell_real(&d->answer, leaf_percent);
	answer_cell_real(&d->answer, percent_of(share->through, d->shares.all.through));
	answer_cell_count(&d->answer, share->frames);
	answer_cell_count(&d->answer, share->named);
}

static void count_cells(struct doctor *d, const struct module_share *share)
{
	answer_cell_count(&d->answer, share->leaf);
	answer_cell_count(&d->answer, share->through);
	answer_cell_count(&d->answer, share->addresses);
	answer_cell_count(&d->answer, share->named_addresses);
	answer_cell_text(&d->answer, share->leaf ? "" : "yes");
}

/* Kernel modules have their names from the kernel's symbols, which are as good for them. */
static bool is_unverified(const struct pdt_module *m, const struct pdt_session *s)
{
	if (pdt_module_number(m, PDT_MODULE_KIND) == PDT_MODULE_KMODULE)
		m = pdt_module_at(s, pdt_kernel_module(s));
	return !m || pdt_module_number(m, PDT_MODULE_UNVERIFIED);
}

/* What tells that the file with M's names is the right one. */
static const char *trust_of(const struct pdt_module *m, const struct pdt_session *s)
{
	uint64_t kind = pdt_module_number(m, PDT_MODULE_KIND);
	const char *source = pdt_module_text(m, PDT_MODULE_SOURCE);

	if (!source)
		return "";
	if (!strcmp(source, pdt_text(s, PDT_PATH)))
		return "capture";
	if (pdt_module_number(m, PDT_MODULE_BY_INODE))
		return "inode";
	if (is_unverified(m, s))
		return "unverified";
	return kind == PDT_MODULE_JIT || kind == PDT_MODULE_JITDUMP ? "process" : "build-id";
}

static void source_cells(struct doctor *d, const struct pdt_session *s, const struct pdt_module *m)
{
	const char *source = pdt_module_text(m, PDT_MODULE_SOURCE), *path;
	char have[2 * BUILD_ID_MAX + 1];
	struct buf b = { 0 };

	answer_cell_text(&d->answer, source ? source : "");
	answer_cell_text(&d->answer, trust_of(m, s));
	for (size_t i = 0; (path = refused_file(m, i, have)) != NULL; i++) {
		const char *why = pdt_module_refused_why(m, i);

		buf_printf(&b, "%s%s (%s)", i ? ", " : "", path,
			   why	     ? why
			   : have[0] ? have
				     : "no build-id");
	}
	cell_buf(d, &b);
	buf_release(&b);
}

static void module_cells(struct doctor *d, const struct pdt_session *s, const struct pdt_module *m,
			 const struct module_share *share)
{
	const char *arch = module_arch(m, s);
	unsigned lacks = module_lacking(m, s);
	struct build_id recorded = module_id(m);
	char id[2 * BUILD_ID_MAX + 1];
	struct buf b = { 0 };

	module_lacks(m, s, &b);
	cell_buf(d, &b);
	build_id_text(&recorded, id);
	answer_cell_text(&d->answer, id[0] || !module_has_id(m) ? id : "none recorded");
	answer_cell_text(&d->answer, module_path(m));
	answer_cell_text(&d->answer, arch ? arch : "");
	count_cells(d, share);
	source_cells(d, s, m);
	if (lacks)
		module_tar(m, lacks, &b);
	cell_buf(d, &b);
	if (lacks)
		module_debuginfod(m, &b);
	cell_buf(d, &b);
	if (lacks)
		module_package(m, s, &b);
	cell_buf(d, &b);
	module_root(m, &b);
	cell_buf(d, &b);
	buf_release(&b);
}

static void other_cells(struct doctor *d, size_t i)
{
	answer_cell_text(&d->answer, "");
	answer_cell_text(&d->answer, "");
	answer_cell_text(&d->answer, module_shares_other(&d->shares, i));
	answer_cell_text(&d->answer, "");
	count_cells(d, &d->shares.list[i]);
	for (int k = 0; k < 7; k++)
		answer_cell_text(&d->answer, "");
}

/* Shares at the leaf are rounded so that what is shown adds up to 100. */
static void make_rows(struct doctor *d, const struct pdt_session *s)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < d->rows; i++) {
		const struct module_share *share = &d->shares.list[d->order[i]];
		const struct pdt_module *m = module_of(d, s, d->order[i]);
		double before = round(100 * percent_of(sum, d->shares.all.leaf));

		sum += share->leaf;
		share_cells(d, share,
			    (round(100 * percent_of(sum, d->shares.all.leaf)) - before) / 100);
		if (m)
			module_cells(d, s, m, share);
		else
			other_cells(d, d->order[i]);
	}
}

/* ---- what is said of the capture ---- */

static void health_facts(struct doctor *d, const struct pdt_session *s)
{
	uint64_t late = pdt_number(s, PDT_LATE), cut = pdt_number(s, PDT_AUX_TRUNCATED);
	struct answer *a = &d->answer;

	answer_capture(a, s);
	health_clock(a, s);
	health_stacks(a, s);
	if (d->shares.deep)
		answer_fact(a, "deep stacks",
			    "%" PRIu64 " samples have a chain of %d frames or more: perhaps cut at "
			    "kernel.perf_event_max_stack",
			    d->shares.deep, SHARES_DEEP);
	if (late)
		answer_warn(a, "late records", "%" PRIu64 ": their state came after its use", late);
	if (cut)
		answer_warn(a, "aux truncated", "%" PRIu64 " times: pieces of trace are missing",
			    cut);
	health_damage(a, s);
}

/* ---- what is said of modules ---- */

static void unresolved_fact(struct doctor *d)
{
	const struct unresolved *u = &d->unresolved;

	d->unresolved = module_shares_unresolved(&d->shares);
	answer_fact(&d->answer, "unresolved",
		    "%s of frames (%s of %s: each sample counts each of its frames), %s of leaves",
		    PERCENT_TEXT(u->frame_percent), COUNT_TEXT(u->unnamed), COUNT_TEXT(u->frames),
		    PERCENT_TEXT(u->leaf_percent));
	answer_leads(&d->answer);
}

/* Why, of the frames that no file can name. */
static void nameless_fact(struct doctor *d)
{
	static const char *const causes[NAMELESS_COUNT] = {
		[NAMELESS_CHAIN] = "of call chains in no mapping (junk that frame pointers give)",
		[NAMELESS_UNWOUND] = "of unwound stacks in no mapping",
		[NAMELESS_OWN] = "sampled in no mapping that was recorded",
		[NAMELESS_KERNEL] = "of the kernel in no part of it that was recorded",
		[NAMELESS_BEYOND] = "of a hypervisor or of programs of a guest",
		[NAMELESS_STACK] = "for samples without any frame",
	};
	const struct module_shares *m = &d->shares;
	struct buf b = { 0 };

	for (int i = 0; i < NAMELESS_COUNT; i++)
		answer_list(&b, m->nameless[i], causes[i]);
	if (b.len)
		answer_fact(&d->answer, "unnameable",
			    "%s of all frames, %s of leaves: no file can name them, and they are "
			    "not counted as unresolved: %s",
			    SHARE_TEXT(m->nameless_frames, m->all.frames),
			    SHARE_TEXT(m->nameless_leaves, m->all.leaf), b.data);
	buf_release(&b);
}

/* What the recorder itself put into the capture. */
static void recorded_fact(struct doctor *d, const struct pdt_session *s)
{
	uint64_t named = 0, all = 0;
	size_t modules = 0;

	for (size_t i = 0; i < pdt_module_count(s); i++) {
		const struct pdt_module *m = pdt_module_at(s, (uint32_t)i);
		uint64_t own = pdt_module_number(m, PDT_MODULE_FROM_CAPTURE);

		all += pdt_module_number(m, PDT_MODULE_LOCATIONS);
		named += own;
		modules += own != 0;
	}
	if (named)
		answer_fact(&d->answer, "own symbols",
			    "the capture itself names %s of %s addresses, in %zu modules",
			    COUNT_TEXT(named), COUNT_TEXT(all), modules);
}

/* Files that were not taken, and those that nothing vouches for. */
static void source_facts(struct doctor *d, const struct pdt_session *s)
{
	struct refusals r = { 0 };

	for (size_t i = 0; i < d->rows; i++) {
		const struct pdt_module *m = module_of(d, s, d->order[i]);

		if (m)
			refusals_add(&r, m);
	}
	refusals_state(&r, &d->answer);
}

/* ---- how to get what is missing ---- */

/* What the modules lack whose frames are not all named. */
static unsigned lacking_names(const struct doctor *d, const struct pdt_session *s)
{
	unsigned lacks = 0;

	for (size_t i = 0; i < d->rows; i++) {
		const struct pdt_module *m = module_of(d, s, d->order[i]);

		if (m)
			lacks |= module_lacking(m, s) & (LACKS_NAMES | LACKS_UNWIND | LACKS_GUEST);
	}
	return lacks;
}

/* The capture as a word of a command, "perf.data" where it has no name that can be one. */
static void add_capture(const struct pdt_session *s, struct buf *out)
{
	const char *path = pdt_text(s, PDT_PATH);

	if (path[0] == '-')
		buf_str(out, "./");
	if (!strcmp(path, "(stdin)") || !shell_word(path, out)) {
		out->len = 0;
		buf_str(out, "perf.data");
	}
}

/* Is a module that lacks names one of a container? */
static bool lacks_contained(const struct doctor *d, const struct pdt_session *s)
{
	for (size_t i = 0; i < d->rows; i++) {
		const struct pdt_module *m = module_of(d, s, d->order[i]);

		if (m && pdt_module_number(m, PDT_MODULE_CONTAINED) &&
		    module_lacking(m, s) & (LACKS_NAMES | LACKS_UNWIND))
			return true;
	}
	return false;
}

/* The way that gets the files of all modules: commands to be run as they stand. */
static void recipe_facts(struct doctor *d, const struct pdt_session *s)
{
	unsigned lacks = lacking_names(d, s);
	bool kernel = lacks & LACKS_KALLSYMS;
	struct buf path = { 0 };

	if (lacks & LACKS_GUEST)
		answer_fact(&d->answer, "get",
			    "in the guest, as root: cp /proc/kallsyms guest-kallsyms; "
			    "here: --guest-kallsyms guest-kallsyms");
	if (!(lacks & ~(unsigned)LACKS_GUEST))
		return;
	add_capture(s, &path);
	if (lacks_contained(d, s)) {
		answer_fact(&d->answer, "get", "here: pdtool bundle-list --script %s >bundle.sh",
			    path.data);
		answer_fact(&d->answer, "get", "on the recording machine, as root: sh bundle.sh");
	} else {
		answer_fact(&d->answer, "get", "here: pdtool bundle-list %s >list", path.data);
		if (kernel)
			answer_fact(&d->answer, "get",
				    "on the recording machine, as root: cp /proc/kallsyms "
				    "kallsyms");
		answer_fact(&d->answer, "get",
			    "on the recording machine: " TAR_COMMAND " -T list%s",
			    kernel ? " kallsyms" : "");
	}
	answer_fact(&d->answer, "get", "here: pdtool doctor --symbols ./syms.tgz %s", path.data);
	buf_release(&path);
}

static void distro_facts(struct doctor *d, const struct pdt_session *s)
{
	const char *release = pdt_text(s, PDT_OSRELEASE);
	const struct distro *distro = distro_of(release);
	const char *url = distro ? distro->debuginfod : NULL;

	if (!distro) {
		answer_fact(&d->answer, "distribution",
			    "not known from the capture, so no packages are named");
		return;
	}
	answer_fact(&d->answer, "distribution", "%s, recognised by its kernel %s%s%s", distro->name,
		    release, distro->note ? ": " : "", distro->note ?: "");
	if (url)
		answer_fact(&d->answer, "debuginfod", "export DEBUGINFOD_URLS=%s", url);
}

/* Debug information by build-id, of the modules that lack most. */
static void module_facts(struct doctor *d, const struct pdt_session *s)
{
	size_t count = 0;
	struct buf b = { 0 }, package = { 0 };

	for (size_t i = 0; i < d->rows; i++) {
		const struct pdt_module *m = module_of(d, s, d->order[i]);

		if (!m || !(module_lacking(m, s) & LACKS_NAMES))
			continue;
		b.len = package.len = 0;
		module_debuginfod(m, &b);
		module_package(m, s, &package);
		if (package.len)
			buf_printf(&b, "%s%s", b.len ? "; " : "", package.data);
		if (b.len && count++ < LINES_MAX)
			answer_fact(&d->answer, "or", "%s: %s", base_name(module_path(m)), b.data);
	}
	if (count > LINES_MAX)
		answer_fact(&d->answer, "or", "the same for %zu more modules, see --format csv",
			    count - LINES_MAX);
	if (count)
		distro_facts(d, s);
	buf_release(&package);
	buf_release(&b);
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct doctor *d = state;

	module_shares_finish(&d->shares, s);
	make_order(d, s);
	health_facts(d, s);
	unresolved_fact(d);
	nameless_fact(d);
	recorded_fact(d, s);
	identity_facts(&d->answer, s, &d->shares, d->order, d->rows);
	source_facts(d, s);
	recipe_facts(d, s);
	module_facts(d, s);
	make_rows(d, s);
	return 0;
}

static void result(void *state, struct result *out)
{
	struct doctor *d = state;

	answer_result(&d->answer, columns, out);
	d->answer.table.weight_column = 1;
	out->title = "Samples by module";
	out->none = "no sample has an address";
	out->none_answers = true;
	d->answer.table.summary_columns = SUMMARY_COLUMNS;
}

static enum outcome outcome(void *state, struct buf *said)
{
	struct doctor *d = state;

	if (!d->limited || !(d->unresolved.frame_percent > d->max_unresolved))
		return OUTCOME_DONE;
	buf_printf(said, "%s of frames have no name (limit %s); of leaves %s\n",
		   PERCENT_TEXT(d->unresolved.frame_percent), PERCENT_TEXT(d->max_unresolved),
		   PERCENT_TEXT(d->unresolved.leaf_percent));
	return OUTCOME_EXCEEDED;
}

static void release(void *state)
{
	struct doctor *d = state;

	module_shares_release(&d->shares);
	answer_release(&d->answer);
	free(d->order);
}

const struct analyzer analyzer_doctor = {
	.name = "doctor",
	.summary = "which symbols are missing, how much it matters, how to get them",
	.question = QUESTION_CAPTURE,
	.wants = PDT_WANT_STACKS | PDT_WANT_COMMS,
	.shapes = SHAPE_TABLE,
	.single = true,
	.options = options,
	.state_size = sizeof(struct doctor),
	.configure = configure,
	.event = event,
	.finish = finish,
	.result = result,
	.outcome = outcome,
	.release = release,
};
