/* Collect what a capture needs, module by module, and write it down. Each file is open only while
 * it is copied. */
#include "parser/pack/pack.h"
#include "parser/base/abi.h"
#include "parser/base/compare.h"
#include "parser/base/intern.h"
#include "parser/base/mem.h"
#include "parser/file/feature.h"
#include "parser/file/source.h"
#include "parser/names/access.h"
#include "parser/names/dwarf/splits.h"
#include "parser/names/kind.h"
#include "parser/names/provider.h"
#include "parser/names/reach.h"
#include "parser/names/sources/manifest.h"
#include "parser/names/sources/sources.h"
#include "parser/names/elf/inflated.h"
#include "parser/pack/jitnames.h"
#include "parser/names/kernel/kernel.h"
#include "parser/pack/kernelsyms.h"
#include "parser/pack/stripped.h"
#include "parser/pack/splitfile.h"
#include "parser/pack/tarfile.h"
#include "parser/pack/usedsyms.h"
#include "parser/stacks/stacks.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES_MAX     8	   /* of one module */
#define INFLATED_MAX  (256u << 20) /* bytes of a file's compressed sections */
#define SYMBOLS_SHARE 1024 /* of a capture: a module's symbols are left whole up to that */

/* What a file of a module can give. */
enum part { PART_CODE = 1, PART_SYMTAB = 2, PART_DYNSYM = 4, PART_DWARF = 8, PART_UNWIND = 16 };

struct packer {
	const struct pack_job *job;
	struct tarfile *tar;
	struct intern written; /* names of members */
	struct buf manifest;
	struct paths paths;
	bool unwinding; /* user stacks were recorded */
	int64_t mtime;
	uint64_t capture_bytes;
	/* locations by file and address, and where those of each file begin; by module: its file,
	 * which may have been mapped at several paths, by the number of the first module that it is
	 */
	struct loc *locs;
	size_t *first;
	uint32_t *file;
};

struct found {
	struct elf_file *file;
	char *path;
	unsigned parts;
	const struct usedsyms *used; /* symbols; NULL: all are needed */
};

struct gathered {
	struct found list[FILES_MAX];
	size_t count;
	unsigned parts, wanted;
};

/* ---- members ---- */

static int add(struct packer *p, const struct module *m, const struct tar_member *member)
{
	uint64_t kept = member->keep ? 0 : member->size_bytes;
	int rc;

	/* modules share files */
	if (intern_find(&p->written, member->name, strlen(member->name)) != INTERN_NONE)
		return 0;
	(void)intern_add(&p->written, member->name, strlen(member->name));
	for (size_t i = 0; member->keep && i < member->keep->count; i++)
		kept += member->keep->list[i].end - member->keep->list[i].start;
	p->capture_bytes += m ? 0 : member->size_bytes;
	rc = tarfile_add(p->tar, member, p->job->warnings);
	if (rc == 0)
		p->job->tell(p->job->ctx, member->name, m,
			     (uint64_t[]){ member->size_bytes, kept });
	return rc;
}

static int add_memory(struct packer *p, const struct module *m, const char *name,
		      const struct buf *text)
{
	return add(p, m,
		   &(struct tar_member){ .name = name,
					 .size_bytes = text->len,
					 .mtime = p->mtime,
					 .read = tar_read_memory,
					 .ctx = text->data });
}

static ssize_t read_fd(void *ctx, void *buf, size_t len, uint64_t offset)
{
	return pread(*(const int *)ctx, buf, len, (off_t)offset);
}

/* The file at PATH, as it is. */
static int add_path(struct packer *p, const struct module *m, const char *name, const char *path)
{
	int fd = sources_fd(p->job->symbols, path), rc = 0;
	struct stat st;

	if (fd < 0)
		return 0; /* it went away: there are no names of it, then */
	if (fstat(fd, &st) == 0)
		rc = add(p, m,
			 &(struct tar_member){ .name = name,
					       .size_bytes = (uint64_t)st.st_size,
					       .mtime = p->mtime,
					       .read = read_fd,
					       .ctx = &fd });
	else
		reach_fault(p->job->symbols->reach, path, errno);
	close(fd);
	return rc;
}

static ssize_t read_source(void *ctx, void *buf, size_t len, uint64_t offset)
{
	return source_pread(ctx, buf, len, offset);
}

static int add_source(struct packer *p, const char *name, struct source *s)
{
	return add(p, NULL,
		   &(struct tar_member){ .name = name,
					 .size_bytes = source_size(s),
					 .mtime = p->mtime,
					 .read = read_source,
					 .ctx = s });
}

/* A capture of several files, of which NEXT is the second; all are as they were. */
static int add_directory(struct packer *p, struct source *own, struct source *next)
{
	struct warnings *w = p->job->warnings;
	char name[32];
	int rc;

	if (p->job->strip_paths) {
		warn_add(
			w, SEV_FATAL, "pack",
			"--strip-paths: not of a capture of several files (perf record --threads)");
		source_close(next);
		return ERR_IO;
	}
	rc = add_source(p, SOURCE_PACKED_FIRST, own);
	for (unsigned i = 1; rc == 0 && next; i++) {
		snprintf(name, sizeof(name), SOURCE_PACKED_NEXT, i - 1);
		rc = add_source(p, name, next);
		source_close(next);
		next = NULL;
		if (rc == 0)
			rc = source_part(&next, own, i, w);
	}
	source_close(next);
	return rc;
}

static int add_stripped(struct packer *p, struct source *source)
{
	struct stripped s;
	int rc = stripped_make(&s, p->job->capture, source, &p->paths, p->job->warnings);

	if (rc == 0)
		rc = add(p, NULL,
			 &(struct tar_member){ .name = SOURCE_PACKED,
					       .size_bytes = s.spool.size,
					       .mtime = p->mtime,
					       .read = read_fd,
					       .ctx = &s.spool.fd });
	if (rc == 0)
		stripped_tell(&s, p->job->warnings);
	stripped_release(&s);
	return rc;
}

/* What came through a pipe is gone; a compressed file is read again. */
static int add_capture(struct packer *p)
{
	struct source *own = p->job->capture->source, *again = NULL, *s = own, *next;
	struct warnings *w = p->job->warnings;
	int rc = source_part(&next, own, 0, w);

	if (rc < 0)
		return rc;
	if (next)
		return add_directory(p, own, next);
	if (!source_seekable(own) && !strcmp(source_path(own), "(stdin)")) {
		warn_add(w, SEV_FATAL, "pack",
			 "what came through a pipe cannot be read again: expected a file");
		return ERR_IO;
	}
	if (!source_seekable(own)) {
		rc = source_open(&again, source_path(own), w);
		if (rc == 0)
			rc = source_spool(again, w);
		s = again;
	}
	if (rc == 0 && p->job->strip_paths)
		rc = add_stripped(p, s);
	else if (rc == 0)
		rc = add_source(p, SOURCE_PACKED, s);
	source_close(again);
	return rc;
}

/* ---- the files of a module ---- */

/* Is there such a section, with contents? Unlike elf_file_has(), this does not inflate it, which
 * would change its header under elf_file_inflated(). */
static bool has(const struct elf_file *f, const char *name)
{
	Elf_Scn *scn = elf_getscn((Elf *)elf_file_elf(f), elf_file_section(f, name));
	GElf_Shdr h;

	return scn && gelf_getshdr(scn, &h) && h.sh_type != SHT_NOBITS && h.sh_size;
}

static unsigned parts_of(const struct elf_file *f)
{
	const struct elf_info *info = elf_file_info(f);

	return (has(f, ".text") ? PART_CODE : 0u) |
	       (info->has_symtab || info->has_mini || info->has_gopclntab ? PART_SYMTAB : 0u) |
	       (info->has_dynsym || info->has_opd ? PART_DYNSYM : 0u) |
	       (info->has_dwarf ? PART_DWARF : 0u) |
	       (has(f, ".eh_frame") || has(f, ".debug_frame") || has(f, ".ARM.exidx") ? PART_UNWIND
										      : 0u);
}

static bool gather(void *ctx, struct elf_file *f, const char *path)
{
	struct gathered *g = ctx;
	unsigned parts = parts_of(f) & g->wanted & ~g->parts;

	if (!parts || g->count == FILES_MAX) {
		elf_file_free(f);
		return g->count == FILES_MAX;
	}
	g->list[g->count++] = (struct found){ f, xstrdup(path), parts, NULL };
	g->parts |= parts;
	return g->parts == g->wanted;
}

static void gathered_release(struct gathered *g)
{
	for (size_t i = 0; i < g->count; i++) {
		elf_file_free(g->list[i].file);
		free(g->list[i].path);
	}
}

static void member_name(struct buf *out, const struct module *m, const struct elf_info *info,
			unsigned parts)
{
	struct build_id id = build_id_make(info->build_id, info->build_id_len);
	const char *base = strrchr(m->path, '/') ? strrchr(m->path, '/') + 1 : m->path;

	out->len = 0;
	if (id.len > 1) {
		build_id_path(out, "", &id,
			      m->kind == PDT_MODULE_VDSO ? "/vdso"
			      : parts & PART_CODE	 ? "/elf"
							 : "/debug");
		memmove(out->data, out->data + 1, out->len--);
		return;
	}
	buf_printf(out, "files/%u/", m->id);
	for (const char *c = base; *c; c++)
		buf_char(out, (*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z') ||
					      (*c >= 'a' && *c <= 'z') || *c == '.' || *c == '-' ||
					      *c == '+'
				      ? *c
				      : '_');
}

/* The locations in M's file, by their addresses. */
static const struct loc *locations(const struct packer *p, const struct module *m, size_t *count)
{
	uint32_t file = p->file[m->id];

	*count = p->first[file + 1] - p->first[file];
	return p->locs + p->first[file];
}

/* The functions that locations in M's file lie in. */
static void add_code_of(const struct packer *p, const struct module *m, struct ranges *keep)
{
	struct symbol_range r = { .end = 0 };
	size_t count;
	const struct loc *l = locations(p, m, &count);

	for (size_t i = 0; i < count; i++, l++) {
		if (r.end && l->addr >= r.start && l->addr < r.end)
			continue;
		if (names_range(p->job->names, l->module, l->addr, &r))
			ranges_add(keep, r.start, r.end);
	}
}

/* The addresses of M's locations, as its file CODE counts them; the caller frees them. Behind a
 * call may be another function: the call itself counts, too. */
static uint64_t *addresses(const struct packer *p, const struct module *m,
			   const struct elf_file *code, size_t *count)
{
	size_t all;
	const struct loc *locs = locations(p, m, &all);
	uint64_t *list = xmalloc((2 * all + 1) * sizeof(*list)), at;

	*count = 0;
	for (size_t i = 0; i < all; i++) {
		if (elf_file_vaddr(code, locs[i].addr, &at) < 0)
			continue;
		list[(*count)++] = at - (at > 0);
		list[(*count)++] = at;
	}
	if (*count)
		qsort(list, *count, sizeof(*list), compare_numbers);
	return list;
}

/* Are G's symbols so many that it matters for the size of the pack which of them are there? To find
 * that out takes time where a capture is large, as all its functions are read. */
static bool is_worth_it(const struct packer *p, const struct gathered *g)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < g->count; i++)
		bytes += usedsyms_bytes(g->list[i].file);
	return bytes > p->capture_bytes / SYMBOLS_SHARE;
}

/* Which symbols of G's files are needed. As for names, the first file with a table counts. */
static void find_symbols(const struct packer *p, const struct module *m, struct gathered *g,
			 struct usedsyms *used)
{
	bool ok = !p->job->full && g->parts & PART_CODE && is_worth_it(p, g), mini = false;
	struct usedsyms_query q = { .names = p->job->names, .symbols = p->job->symbols };

	q.locs = locations(p, m, &q.count);
	for (size_t i = g->count; i--;) {
		const struct elf_info *info = elf_file_info(g->list[i].file);

		if (info->has_symtab)
			q.syms = g->list[i].path;
		if (info->has_dynsym || info->has_opd || info->has_gopclntab || info->has_mini)
			q.runtime = g->list[i].path;
		mini |= info->has_mini;
	}
	ok = ok && (q.syms || !mini) && usedsyms_find(used, &q);
	for (size_t i = 0; ok && i < g->count; i++)
		g->list[i].used = used;
}

/* What is needed of F, of a module whose code is in the file CODE. */
static void select_bytes(const struct packer *p, const struct module *m, const struct found *f,
			 const struct elf_file *code, struct reduced *out)
{
	struct reduce_wish wish = { .unwinding = p->unwinding,
				    .strip_paths = p->job->strip_paths,
				    .used = f->used };
	uint64_t *addrs = addresses(p, m, code, &wish.count);

	wish.addrs = addrs;
	reduce_elf(out, f->file, &wish);
	if (f->parts & PART_CODE)
		add_code_of(p, m, &out->keep);
	free(addrs);
}

/* A file in memory. */
struct image {
	const char *bytes;
	const struct reduced *reduced; /* NULL: it is whole */
};

static ssize_t read_image(void *ctx, void *buf, size_t len, uint64_t offset)
{
	const struct image *i = ctx;

	memcpy(buf, i->bytes + offset, len);
	if (i->reduced)
		reduced_fill(i->reduced, buf, len, offset);
	return (ssize_t)len;
}

static int add_image(struct packer *p, const struct module *m, const char *name,
		     const struct elf_file *f, struct reduced *of)
{
	struct image image = { .reduced = of };
	size_t size = 0;

	image.bytes = elf_rawfile((Elf *)elf_file_elf(f), &size);
	if (!image.bytes)
		return 0;
	if (of)
		reduced_clean(of, size);
	return add(p, m,
		   &(struct tar_member){ .name = name,
					 .size_bytes = size,
					 .mtime = p->mtime,
					 .keep = of ? &of->keep : NULL,
					 .read = read_image,
					 .ctx = &image });
}

/* Where the member NAME was; of a path without directories that is of no use. */
static void add_origin(struct packer *p, const char *name, const char *path)
{
	if (!p->job->strip_paths)
		manifest_origin(&p->manifest, name, path);
}

/* The line of M as the capture in the pack calls it. */
static void add_line(struct packer *p, const struct module *m, const struct manifest_file *f)
{
	struct module as = *m;
	struct buf path = { 0 };

	if (p->job->strip_paths) {
		paths_strip(&p->paths, m->path, strlen(m->path), &path);
		buf_char(&path, '\0');
		as.path = path.data;
	}
	manifest_module(&p->manifest, &as, f);
	buf_release(&path);
}

static void tell_no_lines(struct packer *p, const char *path)
{
	warn_add(p->job->warnings, SEV_NOTE, "pack-lines",
		 "%s: its debug information cannot be stripped of paths, and is not in the pack",
		 path);
}

static int add_elf(struct packer *p, const struct module *m, const struct found *f,
		   const char *name, const struct elf_file *code)
{
	struct elf_file *inflated;
	struct reduced reduced = { 0 };
	struct found part = *f;
	int rc;

	add_origin(p, name, f->path);
	if (p->job->full)
		return add_image(p, m, name, f->file, NULL);
	inflated = elf_file_inflated(f->file, INFLATED_MAX, NULL);
	if (inflated)
		part.file = inflated;
	select_bytes(p, m, &part, code, &reduced);
	if (reduced.no_lines)
		tell_no_lines(p, f->path);
	rc = add_image(p, m, name, part.file, &reduced);
	reduced_release(&reduced);
	elf_file_free(inflated);
	return rc;
}

/* ---- split debug files ---- */

struct split_job {
	struct packer *p;
	const struct module *m;
	int rc;
};

static bool take_split(void *ctx, const struct split *split)
{
	struct split_job *j = ctx;
	struct packer *p = j->p;
	struct buf name = { 0 };
	struct splitfile f;

	buf_printf(&name, SPLIT_PACKED, split->id);
	if (p->job->full && split->path) {
		j->rc = add_path(p, j->m, name.data, split->path);
	} else {
		if (splitfile_make(&f, split, p->job->strip_paths))
			j->rc = add(p, j->m,
				    &(struct tar_member){ .name = name.data,
							  .size_bytes = f.size_bytes,
							  .mtime = p->mtime,
							  .keep = p->job->full ? NULL : &f.of.keep,
							  .read = splitfile_read,
							  .ctx = &f });
		else if (p->job->strip_paths)
			tell_no_lines(p, name.data);
		splitfile_release(&f);
	}
	buf_release(&name);
	return j->rc == 0;
}

/* Those of F, of a module whose code is in the file CODE. */
static int add_splits(struct packer *p, const struct module *m, const struct found *f,
		      const struct elf_file *code)
{
	struct split_job job = { .p = p, .m = m };
	struct splits_query q = {
		.path = f->path,
		.recorded = m->path,
		.symbols = p->job->symbols,
		.take = take_split,
		.ctx = &job,
	};
	uint64_t *addrs;

	/* of skeletons, and clang's own units */
	if (!has(f->file, ".debug_addr"))
		return 0;
	addrs = addresses(p, m, code, &q.count);
	q.addrs = addrs;
	splits_each(&q);
	free(addrs);
	return job.rc;
}

static int add_alternate(struct packer *p, const struct module *m, struct elf_file *f);

static int add_gathered(struct packer *p, const struct module *m, struct gathered *g)
{
	const struct pdt_module *of = &p->job->names->modules[m->id];
	const struct elf_file *code = g->count ? g->list[0].file : NULL;
	struct usedsyms used = { 0 };
	struct buf name = { 0 };
	int rc = 0;

	for (size_t i = 0; i < g->count; i++) {
		if (g->list[i].parts & PART_CODE)
			code = g->list[i].file;
	}
	find_symbols(p, m, g, &used);
	for (size_t i = 0; rc == 0 && i < g->count; i++) {
		const struct elf_info *info = elf_file_info(g->list[i].file);

		member_name(&name, m, info, g->list[i].parts);
		rc = add_elf(p, m, &g->list[i], name.data, code);
		if (rc == 0 && i == 0 && !of->recorded.len)
			add_line(p, m,
				 &(struct manifest_file){
					 .id = build_id_make(info->build_id, info->build_id_len),
					 .unverified = !of->by_inode,
					 .name = name.data,
					 .name_len = (int)name.len });
	}
	buf_release(&name);
	for (size_t i = 0; rc == 0 && i < g->count; i++) {
		rc = add_alternate(p, m, g->list[i].file);
		if (rc == 0 && g->list[i].parts & PART_DWARF)
			rc = add_splits(p, m, &g->list[i], code);
	}
	usedsyms_release(&used);
	return rc;
}

static int add_files(struct packer *p, const struct module *m, const struct build_id *id)
{
	struct gathered g = { .wanted = PART_CODE | PART_SYMTAB | PART_DYNSYM | PART_DWARF |
					(p->unwinding ? PART_UNWIND : 0u) };
	const struct picker picker = { .take = gather, .ctx = &g };
	int rc;

	(void)pick_files(m, id, p->job->symbols, &picker);
	rc = add_gathered(p, m, &g);
	gathered_release(&g);
	return rc;
}

/* .gnu_debugaltlink: the path of a file that several share (dwz), NUL, its build-id. */
static int add_alternate(struct packer *p, const struct module *m, struct elf_file *f)
{
	struct elf_section link;
	struct gathered g = { .wanted = PART_DWARF };
	const struct picker picker = { .take = gather, .ctx = &g };
	struct module alt = *m;
	struct build_id id;
	const uint8_t *end;
	int rc = 0;

	if (elf_file_contents(f, ".gnu_debugaltlink", &link) < 0)
		return 0;
	end = memchr(link.data, 0, link.size);
	if (!end)
		return 0;
	alt.path = (const char *)link.data;
	id = build_id_make(end + 1, link.size - (size_t)(end + 1 - link.data));
	(void)pick_files(&alt, &id, p->job->symbols, &picker);
	for (size_t i = 0; rc == 0 && i < g.count; i++) {
		struct buf name = { 0 };

		member_name(&name, m, elf_file_info(g.list[i].file), 0);
		rc = add_elf(p, m, &g.list[i], name.data, g.list[i].file);
		buf_release(&name);
	}
	gathered_release(&g);
	return rc;
}

/* ---- the kinds ---- */

static int add_kernel(struct packer *p, const struct module *m)
{
	const struct kernel_symbols *k = &p->job->names->files->kernel;
	const struct build_id *id = &p->job->names->modules[m->id].recorded;
	struct buf text = { 0 }, name = { 0 };
	int rc = 0;

	if (!k->source)
		return 0;
	if (k->vmlinux_file) {
		const struct found f = { k->vmlinux_file, k->path, 0, NULL };

		member_name(&name, m, elf_file_info(k->vmlinux_file), PART_CODE);
		rc = add_elf(p, m, &f, name.data, k->vmlinux_file);
		if (rc == 0)
			rc = add_splits(p, m, &f, k->vmlinux_file);
	} else {
		int fd = kernel_text_fd(p->job->symbols, k->path);

		if (fd >= 0 && kernelsyms_select(&text, fd, p->job->names, p->job->stacks)) {
			if (id->len > 1)
				build_id_path(&name, "", id, "/kallsyms");
			else
				buf_str(&name, "/kallsyms");
			rc = add_memory(p, m, name.data + 1, &text);
		}
		if (fd >= 0)
			close(fd);
	}
	buf_release(&text);
	buf_release(&name);
	return rc;
}

static int add_bare_names(struct packer *p, const struct module *m, const char *name,
			  const char *path)
{
	int fd = sources_fd(p->job->symbols, path), rc = 0;
	struct buf text = { 0 };

	if (fd < 0)
		return 0;
	if ((m->kind == PDT_MODULE_JITDUMP ? jitnames_dump(&text, fd)
					   : jitnames_perf_map(&text, fd)) == 0)
		rc = add_memory(p, m, name, &text);
	else
		warn_add(p->job->warnings, SEV_WARN, "pack-names",
			 "%s: it cannot be stripped of paths, and is not in the pack", path);
	buf_release(&text);
	close(fd);
	return rc;
}

static int add_run_time(struct packer *p, const struct module *m, const char *source)
{
	const char *slash = strrchr(m->path, '/');
	struct buf name = { 0 };
	int rc;

	buf_printf(&name, "tmp/%s", slash ? slash + 1 : m->path);
	rc = p->job->strip_paths ? add_bare_names(p, m, name.data, source)
				 : add_path(p, m, name.data, source);
	buf_release(&name);
	return rc;
}

static int add_module(struct packer *p, const struct pdt_module *names)
{
	const struct module *m = names->module;

	switch (m->kind) {
	case PDT_MODULE_FILE:
	case PDT_MODULE_VDSO:
		return add_files(p, m, &names->recorded);
	case PDT_MODULE_KMODULE: /* mostly named from kallsyms */
		return names->source && names->had ? add_files(p, m, &names->recorded) : 0;
	case PDT_MODULE_KERNEL:
		return add_kernel(p, m);
	case PDT_MODULE_JIT:
	case PDT_MODULE_JITDUMP:
		return names->source ? add_run_time(p, m, names->source) : 0;
	default:
		return 0;
	}
}

static void number_files(struct packer *p)
{
	const struct names *n = p->job->names;
	uint32_t *first = xcalloc(n->module_count + 1, sizeof(*first)); /* by source */
	struct intern sources = { 0 };

	p->file = xcalloc(n->module_count + 1, sizeof(*p->file));
	for (uint32_t id = 0; id < n->module_count; id++) {
		const char *source = n->modules[id].source;
		size_t before = sources.count;
		uint32_t at = source ? intern_add(&sources, source, strlen(source)) : 0;

		if (sources.count > before)
			first[at] = id;
		p->file[id] = source ? first[at] : id;
	}
	intern_release(&sources);
	free(first);
}

static int by_addr(const void *a, const void *b)
{
	const struct loc *x = a, *y = b;

	return compare_u64(x->addr, y->addr);
}

static void group(struct packer *p)
{
	const struct stacks *st = p->job->stacks;
	size_t modules = p->job->names->module_count, *at;

	number_files(p);
	p->first = xcalloc(modules + 2, sizeof(*p->first));
	p->locs = xcalloc(st->loc_count + 1, sizeof(*p->locs));
	for (size_t i = 0; i < st->loc_count; i++) {
		if (st->locs[i].module != PDT_NONE)
			p->first[p->file[st->locs[i].module] + 1]++;
	}
	for (size_t m = 0; m < modules; m++)
		p->first[m + 1] += p->first[m];
	at = xcalloc(modules + 1, sizeof(*at));
	memcpy(at, p->first, (modules + 1) * sizeof(*at));
	for (size_t i = 0; i < st->loc_count; i++) {
		if (st->locs[i].module != PDT_NONE)
			p->locs[at[p->file[st->locs[i].module]]++] = st->locs[i];
	}
	free(at);
	for (size_t m = 0; m < modules; m++)
		qsort(p->locs + p->first[m], p->first[m + 1] - p->first[m], sizeof(*p->locs),
		      by_addr);
}

static bool has_user_stacks(const struct capture *c)
{
	for (size_t i = 0; i < c->events.count; i++) {
		if (c->events.descs[i]->attr.sample_type & SAMPLE_REGS_USER)
			return true;
	}
	return false;
}

static int add_all(struct packer *p)
{
	const struct names *n = p->job->names;
	int rc = add_capture(p);

	for (size_t i = 0; rc == 0 && !p->job->only_samples && i < n->module_count; i++) {
		if (n->modules[i].locs)
			rc = add_module(p, &n->modules[i]);
	}
	if (rc == 0 && p->manifest.len > strlen(MANIFEST_HEAD))
		rc = add_memory(p, NULL, MANIFEST_NAME, &p->manifest);
	return rc;
}

int pack_write(const struct pack_job *job)
{
	struct packer p = { .job = job,
			    .unwinding = has_user_stacks(job->capture),
			    .mtime = source_mtime(job->capture->source) };
	int rc = tarfile_open(&p.tar, job->path, job->jobs, job->warnings), closed;

	buf_str(&p.manifest, MANIFEST_HEAD);
	group(&p);
	if (rc == 0)
		rc = add_all(&p);
	rc = rc ?: access_check_watched(job->symbols, job->warnings);
	closed = tarfile_close(p.tar, rc < 0, job->warnings);
	intern_release(&p.written);
	paths_release(&p.paths);
	buf_release(&p.manifest);
	free(p.first);
	free(p.locs);
	free(p.file);
	return rc < 0 ? rc : closed;
}
