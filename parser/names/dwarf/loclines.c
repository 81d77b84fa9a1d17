/* From locations to the addresses that DWARF counts in, and back with the answers. */
#include "parser/names/dwarf/loclines.h"
#include "parser/base/mem.h"
#include "parser/base/numbered.h"
#include "parser/names/sources/debuginfod.h"
#include "parser/names/provider.h"
#include "parser/names/sources/sources.h"

#include <stdlib.h>
#include <string.h>

/* The addresses of the job's locations, ascending; those that no segment holds are left out. */
static size_t make_keys(const struct loclines_job *job, struct numbered *keys)
{
	size_t n = 0;

	for (size_t i = 0; i < job->count; i++) {
		uint32_t id = job->ids[i];
		uint64_t addr = job->locs[id].addr - (job->after_call && job->after_call[id]);

		if (!job->runtime)
			addr -= job->delta;
		else if (elf_file_vaddr(job->runtime, addr, &addr) < 0)
			continue;
		keys[n++] = (struct numbered){ addr, id };
	}
	numbered_sort(keys, n);
	return n;
}

/* ---- the alternate file ---- */

struct search_ctx {
	const struct symbol_options *options;
	const struct build_id *id;
	struct elf_file *found;
};

static bool offer_opened(void *ctx, struct elf_file *f, const char *path, enum trust trust)
{
	struct search_ctx *s = ctx;
	const struct elf_info *info = elf_file_info(f);

	(void)path;
	(void)trust; /* the build-id must be the one asked for, wherever the file is */
	if (info->build_id_len == s->id->len && trust_file(s->id, info)) {
		s->found = f;
		return true;
	}
	elf_file_free(f);
	return false;
}

static bool offer(void *ctx, const char *path, enum trust trust)
{
	const struct search_ctx *s = ctx;
	struct elf_file *f = sources_elf(s->options, path, false, NULL);

	return f && offer_opened(ctx, f, path, trust);
}

/* Wherever symbols are looked for: under the path NAME, and as a debug file of its build-id. */
static struct elf_file *find_alt(void *ctx, const char *name, const struct build_id *id)
{
	const struct loclines_job *job = ctx;
	const struct module m = { .kind = PDT_MODULE_FILE, .path = name };
	struct search_ctx found = { job->symbols, id, NULL };
	struct search s = { &m, id, "", job->symbols, offer, offer_opened, &found };
	const char *slash = strrchr(job->path, '/');
	struct buf beside = { 0 };

	if (name[0] != '/') {
		buf_printf(&beside, "%.*s%s", slash ? (int)(slash - job->path) + 1 : 0, job->path,
			   name);
		(void)offer(&found, beside.data, TRUST_BUILD_ID);
		buf_release(&beside);
	}
	for (size_t i = 0; providers[i] && !found.found; i++)
		(void)providers[i]->propose(&s);
	if (!found.found && debuginfod_get(job->symbols->debuginfod, id, DEBUGINFOD_DEBUGINFO))
		(void)client_cache.propose(&s);
	return found.found;
}

/* ---- answers ---- */

static void copy_answer(struct loc_name *n, const struct line_answer *a)
{
	n->file = a->file;
	n->line = a->line;
	n->inlines = a->inlines;
	n->inline_count = a->inline_count;
}

bool loclines_fill(struct lines *l, const struct loclines_job *job, struct loc_name *names)
{
	struct numbered *keys = xmalloc((job->count + 1) * sizeof(*keys));
	uint64_t *addrs = xmalloc((job->count + 1) * sizeof(*addrs));
	struct lines_query q = {
		.path = job->path,
		.addrs = addrs,
		.count = make_keys(job, keys),
		.lines = job->symbols->lines,
		.inlines = job->symbols->inlines,
		.no_demangle = job->symbols->no_demangle,
		.by_cxa = job->symbols->quirks.demangles_by_cxa,
		.whole_chains = job->symbols->quirks.names_by_addr2line,
		.finder = { find_alt, (void *)job, job->symbols, job->recorded },
	};
	bool ok;

	for (size_t i = 0; i < q.count; i++)
		addrs[i] = keys[i].number;
	ok = lines_load(l, &q) == 0;
	for (size_t i = 0; ok && i < q.count; i++)
		copy_answer(&names[keys[i].id], &l->answers[i]);
	free(l->answers);
	l->answers = NULL;
	free(addrs);
	free(keys);
	return ok;
}
