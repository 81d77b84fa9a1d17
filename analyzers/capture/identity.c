/* Counts the modules without a build-id. What the recorder was asked to keep is told by its command
 * line, or by the build-ids that are there. */
#include "analyzers/capture/identity.h"
#include "analyzers/capture/module_lacks.h"
#include "analyzers/capture/module_paths.h"
#include "analyzers/count/namer.h"
#include "parser/base/buf.h"
#include "parser/base/intern.h"

#include <string.h>

#define NAMES_MAX 10

struct identity {
	size_t nameless, by_inode, by_capture; /* modules without a build-id, and what knows them */
	uint64_t leaf;			       /* samples that were in them */
	size_t callers;
	struct buf caller_names;
	size_t contained, doubled;
	struct buf contained_paths, doubled_paths;
	struct intern paths;
	bool kept_callers; /* a module that no sample was in has a build-id */
};

/* Append PATH to the first few. */
static void name_one(struct buf *b, size_t count, const char *path)
{
	if (count <= NAMES_MAX)
		buf_printf(b, "%s%s", b->len ? ", " : "", path);
}

/* The root directory that M's path begins at, as far as that is told or shows: a path with two
 * files is one in two of them, or its file was replaced. */
static void look_at_path(struct identity *in, const struct pdt_module *m)
{
	const char *path = module_path(m);
	size_t before = in->paths.count;
	struct buf whole = { 0 };

	module_root(m, &whole);
	if (whole.len) {
		buf_str(&whole, path);
		name_one(&in->contained_paths, ++in->contained, whole.data);
	}
	buf_release(&whole);
	if (pdt_module_number(m, PDT_MODULE_KIND) == PDT_MODULE_FILE &&
	    (pdt_module_number(m, PDT_MODULE_INODE) || module_id(m).len) &&
	    intern_add(&in->paths, path, strlen(path)) != before)
		name_one(&in->doubled_paths, ++in->doubled, path);
}

static void path_facts(struct identity *in, struct answer *a)
{
	if (in->contained)
		answer_fact(a, "namespaces",
			    "%zu modules have paths of another mount namespace (of a container, or "
			    "of a service with directories of its own): %s%s",
			    in->contained, in->contained_paths.data,
			    in->contained > NAMES_MAX ? " ..." : "");
	if (in->doubled)
		answer_fact(a, "same path",
			    "%zu modules have the path of another file (in a container, a chroot, "
			    "or replaced): %s%s",
			    in->doubled, in->doubled_paths.data,
			    in->doubled > NAMES_MAX ? " ..." : "");
	buf_release(&in->contained_paths);
	buf_release(&in->doubled_paths);
	intern_release(&in->paths);
}

static void look_at(struct identity *in, const struct pdt_module *m,
		    const struct module_share *share)
{
	uint64_t own = pdt_module_number(m, PDT_MODULE_FROM_CAPTURE);

	if (!share->leaf && in->callers++ < NAMES_MAX)
		buf_printf(&in->caller_names, "%s%s", in->caller_names.len ? ", " : "",
			   base_name(module_path(m)));
	if (module_id(m).len) {
		in->kept_callers |=
			!share->leaf && pdt_module_number(m, PDT_MODULE_KIND) == PDT_MODULE_FILE;
		return;
	}
	in->nameless++;
	in->leaf += share->leaf;
	if (own && own == pdt_module_number(m, PDT_MODULE_LOCATIONS))
		in->by_capture++;
	else
		in->by_inode += pdt_module_number(m, PDT_MODULE_BY_INODE) != 0;
}

/* Were the build-ids of all modules recorded that have one? perf by default keeps those of modules
 * that a sample was in itself; filters would hide such samples. */
static bool kept_all(const struct identity *in, const struct pdt_session *s)
{
	return pdt_number(s, PDT_KEEPS_IDS) ||
	       (in->kept_callers && pdt_number(s, PDT_SAMPLES_USED) == pdt_number(s, PDT_SAMPLES));
}

/* simpleperf and hiperf have other options and no perf archive. */
static bool is_perfs(const struct pdt_session *s)
{
	return !pdt_number(s, PDT_IS_SIMPLEPERF) && !pdt_number(s, PDT_IS_HIPERF);
}

static void add_advice(const struct identity *in, const struct pdt_session *s, struct buf *b)
{
	bool all = kept_all(in, s);
	size_t unknown = in->nameless - in->by_inode - in->by_capture;

	if (!is_perfs(s))
		return;
	if (all)
		buf_str(b, ": the recorder kept those of all modules, so these files have none");
	if (all && unknown)
		buf_str(b, "; --symbols and --symfs take a file by its path");
	else if (!all && unknown)
		buf_str(b,
			": perf record --buildid-all keeps those of all modules, and perf inject "
			"-b on the recording machine adds them");
	else if (!all && in->by_inode)
		buf_str(b, ": for another machine, perf record --buildid-all keeps those of all "
			   "modules");
}

void identity_facts(struct answer *a, const struct pdt_session *s,
		    const struct module_shares *shares, const uint32_t *order, size_t count)
{
	struct identity in = { 0 };
	struct buf b = { 0 };

	for (size_t i = 0; i < count; i++) {
		const struct pdt_module *m =
			order[i] < shares->module_count ? pdt_module_at(s, order[i]) : NULL;

		if (m)
			look_at_path(&in, m);
		if (m && module_has_id(m))
			look_at(&in, m, &shares->list[order[i]]);
	}
	if (in.by_inode)
		buf_printf(&b, "; %zu of them are recognised here by their inode", in.by_inode);
	if (in.by_capture)
		buf_printf(&b, "; the capture itself names %zu of them", in.by_capture);
	if (in.nameless) {
		add_advice(&in, s, &b);
		answer_fact(a, "no build-id", "%zu modules, with %s of the leaves%s", in.nameless,
			    SHARE_TEXT(in.leaf, shares->all.leaf), b.len ? b.data : "");
	}
	if (in.callers)
		answer_fact(a, "only callers", "%zu modules%s: %s%s", in.callers,
			    is_perfs(s) ? ", which perf archive omits" : "", in.caller_names.data,
			    in.callers > NAMES_MAX ? " ..." : "");
	path_facts(&in, a);
	buf_release(&in.caller_names);
	buf_release(&b);
}
