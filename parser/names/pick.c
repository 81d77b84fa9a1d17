/* Which files a module gets: what the capture recorded, what was proposed, and whether they are the
 * same. */
#include "parser/names/pick.h"
#include "parser/names/sources/symfiles.h"
#include "parser/names/hostfile.h"
#include "parser/names/provider.h"
#include "parser/names/reach.h"
#include "parser/base/mem.h"
#include "parser/names/sources/debuginfod.h"
#include "parser/names/sources/manifest.h"
#include "parser/names/sources/sources.h"

#include <string.h>
#include <sys/auxv.h>

/* ---- which build-id did the capture record? ---- */

static struct build_id id_of_path(const struct resolve_options *o, const char *path)
{
	uint32_t i = intern_find(&o->build_id_paths->paths, path, strlen(path));

	if (i == INTERN_NONE)
		return (struct build_id){ 0 };
	return o->build_ids[o->build_id_paths->first[i]].id;
}

struct build_id module_recorded_id(const struct module *m, const struct resolve_options *o)
{
	const struct module_places *places = module_places(m);

	if (m->build_id.len)
		return m->build_id;
	if (places->by_path)
		return id_of_path(o, m->path);
	for (size_t i = 0; places->is_entry && i < o->build_id_count; i++) {
		if (places->is_entry(&o->build_ids[i]))
			return o->build_ids[i].id;
	}
	return (struct build_id){ 0 };
}

/* ---- candidates ---- */

struct pick {
	const struct picker *picker;
	const struct symbol_options *options;
	struct build_id want; /* recorded, or that of the file which is taken on trust */
};

/* The file at PATH could not be opened: perhaps because a path of the input may not lead there. */
static void tell_refused(const struct pick *p, const char *path)
{
	const char *why = p->picker->refuse ? reach_why(p->options->reach, path) : NULL;

	if (why)
		p->picker->refuse(p->picker->ctx, path, NULL, why);
}

static bool offer_opened(void *ctx, struct elf_file *f, const char *path, enum trust trust)
{
	const struct pick *p = ctx;
	bool may = trust_may_open(p->options, &p->want, trust);

	if (may && trust_file(&p->want, elf_file_info(f)))
		return p->picker->take(p->picker->ctx, f, path);
	if (may && p->picker->refuse)
		p->picker->refuse(p->picker->ctx, path, elf_file_info(f), NULL);
	elf_file_free(f);
	return false;
}

static bool offer(void *ctx, const char *path, enum trust trust)
{
	const struct pick *p = ctx;
	struct elf_file *f;
	int err;

	if (!trust_may_open(p->options, &p->want, trust))
		return false;
	f = sources_elf(p->options, path, false, &err);
	if (f)
		return offer_opened(ctx, f, path, trust);
	if (err != ERR_ABSENT)
		tell_refused(p, path);
	return false;
}

/* This process's own vdso is this kernel's: as good as any file with the right build-id. */
static void offer_own_vdso(const struct pick *p)
{
	void *image =
		(void *)getauxval(AT_SYSINFO_EHDR); /* NOLINT: the kernel hands out an integer */
	bool may = image && trust_host(p->options, p->want.len);
	struct elf_file *f = may ? elf_file_memory(image, 2 * 4096, NULL) : NULL;

	if (!f)
		return;
	if (trust_file(&p->want, elf_file_info(f)))
		(void)p->picker->take(p->picker->ctx, f, "[vdso]");
	else
		elf_file_free(f);
}

/* ---- no build-id was recorded ---- */

/* The N-th build-id that files at the recorded path have, in trusted places. */
struct assumption {
	const struct module *module;
	const struct symbol_options *options;
	unsigned n; /* how many are still to be passed over */
	struct build_id last, found;
};

static bool assume(struct assumption *a, const struct build_id *id)
{
	if (!id->len || build_id_equal(id, &a->last))
		return false;
	a->last = *id;
	if (a->n--)
		return false;
	a->found = *id;
	return true;
}

/* The build-id of the file at the recorded path below ROOT. */
static bool assume_below(struct assumption *a, const char *root)
{
	struct build_id id = { 0 };
	struct buf joined = { 0 };
	struct elf_file *f;

	if (!root)
		return false;
	buf_printf(&joined, "%s%s", root, a->module->path);
	f = elf_file_open(a->options->reach, joined.data, NULL);
	if (f)
		id = build_id_make(elf_file_info(f)->build_id, elf_file_info(f)->build_id_len);
	elf_file_free(f);
	buf_release(&joined);
	return assume(a, &id);
}

static bool assume_source(struct assumption *a, size_t i)
{
	struct sources *sources = a->options->sources;
	const struct symfiles *l;

	if (assume_below(a, sources_dir(sources, i)))
		return true;
	l = sources_files(sources, i);
	for (size_t k = 0; k < l->count; k++) {
		const struct symfile *f = &l->list[k];

		if (f->kind == SYMFILE_ELF && symfile_is_at(f, a->module->path) &&
		    assume(a, &f->id))
			return true;
	}
	return false;
}

/* False: there are not so many. The first may be none at all, and so is what comes behind the last:
 * then files without a build-id are taken. */
static bool assumed_id(struct assumption *a)
{
	unsigned n = a->n;

	if (a->module->path[0] != '/')
		return n == 0;
	if (assume_below(a, a->options->symfs))
		return true;
	for (size_t i = 0; i < sources_count(a->options->sources); i++) {
		if (assume_source(a, i))
			return true;
	}
	return (trust_host(a->options, false) && assume_below(a, "")) || a->n == 0;
}

/* The file of a module without a recorded build-id, where something else says which it is. */
struct known_file {
	struct buf path; /* no data: nothing says it */
	struct build_id id;
	const char *root;
	bool unverified; /* where the pack was made, too */
};

static bool is_packed(struct known_file *f, const struct module *m, const struct symbol_options *o)
{
	const char *text = sources_manifest(o->sources);
	struct manifest_file in;

	if (!text || !manifest_find(text, m, &in))
		return false;
	sources_member(o->sources, in.name, in.name_len, &f->path);
	f->id = in.id;
	f->unverified = in.unverified;
	return true;
}

/* The pack's, or this host's, where its inode says that it was recorded. */
static struct known_file file_known(const struct module *m, const struct build_id *recorded,
				    const struct symbol_options *o)
{
	struct known_file f = { .root = "" };
	const struct host_file *here;

	if (recorded->len || is_packed(&f, m, o))
		return f;
	here = host_file(o->host, m);
	if (here && here->same) {
		buf_str(&f.path, here->path);
		f.id = here->id;
		f.root = here->root;
	}
	return f;
}

bool pick_is_known(const struct module *m, const struct symbol_options *o)
{
	struct known_file f = file_known(m, &(struct build_id){ 0 }, o);
	bool is = f.path.data && !f.unverified;

	buf_release(&f.path);
	return is;
}

/* Which build files of M must be; false: there is nothing left to assume. */
static bool choose_id(struct build_id *want, const struct assumption *a,
		      const struct known_file *known)
{
	struct assumption assumed = *a;

	if (want->len || known->path.data) {
		*want = want->len ? *want : known->id;
		return a->n == 0;
	}
	if (!assumed_id(&assumed))
		return false;
	*want = assumed.found;
	return true;
}

/* Without a build-id of its own nothing else is known to be of the same build as what is KNOWN. */
static bool ends_with(const struct known_file *known, struct pick *p)
{
	return known->path.data && (offer(p, known->path.data, TRUST_INODE) || !known->id.len);
}

bool pick_files(const struct module *m, const struct build_id *recorded,
		const struct symbol_options *o, const struct picker *picker)
{
	struct known_file known = file_known(m, recorded, o);
	struct pick p = { picker, o, *recorded };
	struct search s = { m, &p.want, known.root, o, offer, offer_opened, &p };
	bool there = choose_id(
		&p.want, &(struct assumption){ .module = m, .options = o, .n = picker->assumption },
		&known);
	bool done = !there || ends_with(&known, &p);

	for (size_t i = 0; !done && providers[i]; i++)
		done = providers[i]->propose(&s);
	if (!done && module_places(m)->kernel_image)
		offer_own_vdso(&p);
	buf_release(&known.path);
	return there;
}

/* ---- what no source has provided yet ---- */

struct had {
	const struct symbol_options *options;
	bool code, symbols, dwarf;
};

static bool look(void *ctx, struct elf_file *f, const char *path)
{
	struct had *had = ctx;
	const struct elf_info *info = elf_file_info(f);
	struct elf_section ignored;

	(void)path;
	had->code |= elf_file_contents(f, ".text", &ignored) == 0 || info->has_dynsym;
	had->symbols |= info->has_symtab;
	had->dwarf |= info->has_dwarf || !(had->options->lines || had->options->inlines);
	elf_file_free(f);
	return had->code && had->symbols && had->dwarf;
}

void pick_fetch(const struct module *m, const struct build_id *recorded,
		const struct symbol_options *o)
{
	struct had had = { .options = o };
	const struct picker picker = { .take = look, .ctx = &had };
	struct known_file known = file_known(m, recorded, o);
	const struct build_id *want = known.path.data ? &known.id : recorded;

	buf_release(&known.path);
	if (!o->debuginfod || !want->len || !module_places(m)->in_parts)
		return;
	(void)pick_files(m, recorded, o, &picker);
	if (!had.code && debuginfod_get(o->debuginfod, want, DEBUGINFOD_EXECUTABLE))
		(void)pick_files(m, recorded, o, &picker); /* it may have symbols, too */
	if (!had.symbols || !had.dwarf)
		(void)debuginfod_get(o->debuginfod, want, DEBUGINFOD_DEBUGINFO);
}
