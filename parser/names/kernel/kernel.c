/* Choose and load the kernel's symbol table. */
#include "parser/names/kernel/kernel.h"
#include "parser/names/sources/symfiles.h"
#include "parser/base/mem.h"
#include "parser/names/elf/elfsyms.h"
#include "parser/names/hostclock.h"
#include "parser/names/hostfile.h"
#include "parser/names/kernel/kernelmatch.h"
#include "parser/names/provider.h"
#include "parser/names/reach.h"
#include "parser/names/sources/sources.h"

#include <fcntl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The symbol whose run-time address the capture tells, so that one knows where the kernel was
 * loaded. */
static const char *ref_symbol(const struct kernel_query *q)
{
	return q->kernel && q->kernel->ref_symbol ? q->kernel->ref_symbol : "_text";
}

/* Has an earlier table of the chain been made from PATH? */
static bool is_taken(const struct kernel_symbols *k, const char *path)
{
	for (const struct kernel_symbols *p = k->before; p; p = p->before) {
		if (!strcmp(p->path, path))
			return true;
	}
	return false;
}

int kernel_text_fd(const struct symbol_options *o, const char *path)
{
	if (!strcmp(path, HOST_TEXT)) /* which no path of the input led to */
		return reach_open(NULL, path, REACH_PROGRAM);
	return sources_fd(o, path);
}

/* The first file that is refused is told. */
static void refuse(struct kernel_symbols *k, const char *path, struct build_id id, const char *why)
{
	if (k->refused.path)
		return;
	k->refused_path = xstrdup(path);
	k->refused = (struct refused_file){ k->refused_path, id, why };
}

/* Why the text that was read from PATH is not the recorded kernel's, or NULL. */
static const char *mismatch(struct kernel_symbols *k, const struct kernel_query *q,
			    const char *path, bool verified)
{
	struct kernel_place place = { .build_id = q->build_id };
	struct build_id id = { 0 };
	const char *why;

	if (q->kernel) {
		place.ref = q->kernel->ref_symbol;
		place.ref_addr = q->kernel->pgoff;
		place.end = q->kernel->end;
	}
	why = kernel_mismatch(&place, &k->kallsyms.marks, verified);
	if (!why && kernel_is_the_hosts(&place, kernel_text_fd(k->options, path), path,
					k->options->reach, &id))
		why = "is the running kernel's, which is another build";
	if (why)
		refuse(k, path, id, why);
	return why;
}

static bool try_kallsyms(struct kernel_symbols *k, const struct kernel_query *q, const char *path,
			 bool verified, struct warnings *w)
{
	struct kallsyms_query kq = {
		q->addrs,   q->count,	     ref_symbol(q), q->kernel ? q->kernel->pgoff : 0,
		q->modules, q->module_count,
	};
	int rc = is_taken(k, path) ? ERR_ABSENT : kernel_text_fd(k->options, path);
	const char *why = NULL;
	int error;

	if (rc >= 0)
		rc = kallsyms_load_fd(&k->kallsyms, rc, &kq);
	error = rc == ERR_IO ? errno : 0; /* 0, too, of what the rule refuses */
	if (rc == 0)
		why = mismatch(k, q, path, verified);
	if (rc == 0 && !why) {
		k->path = xstrdup(path);
		k->source = k->path;
		k->unverified = !verified;
		return true;
	}
	kallsyms_release(&k->kallsyms);
	kallsyms_init(&k->kallsyms);
	if (!w)
		reach_fault(k->options->reach, path, error);
	else
		warn_add(w, SEV_FAILED, "kallsyms", "%s: %s", path,
			 why		    ? why
			 : error	    ? strerror(error)
			 : rc == ERR_ABSENT ? "not there, or all its addresses are zero"
					    : "not usable as kallsyms");
	return false;
}

static bool try_vmlinux(struct kernel_symbols *k, const struct kernel_query *q, const char *path)
{
	const struct build_id *want = &q->build_id;
	bool may = !k->options->ignore_vmlinux && !is_taken(k, path);
	struct elf_file *f = may ? sources_elf(k->options, path, false, NULL) : NULL;
	const struct elf_info *info = f ? elf_file_info(f) : NULL;
	uint64_t addr = 0;

	if (!f || !info->has_symtab) {
		elf_file_free(f);
		return false;
	}
	if (!trust_file(want, info)) {
		refuse(k, path, build_id_make(info->build_id, info->build_id_len), NULL);
		elf_file_free(f);
		return false;
	}
	if (elfsyms_load(&k->vmlinux, f, f) < 0) {
		elf_file_free(f);
		return false;
	}
	k->vmlinux_file = f;
	k->path = xstrdup(path);
	k->source = k->path;
	k->unverified = !want->len;
	if (q->kernel && q->kernel->pgoff && elfsyms_addr(f, ref_symbol(q), &addr) == 0)
		k->delta = q->kernel->pgoff - addr;
	return true;
}

static bool try_cache(struct kernel_symbols *k, const struct kernel_query *q, const char *dir)
{
	const struct build_id *id = &q->build_id;
	char hex[2 * BUILD_ID_MAX + 1];
	struct buf path = { 0 };
	bool ok;

	if (!dir || id->len < 2)
		return false;
	build_id_path(&path, dir, id, "/elf");
	ok = try_vmlinux(k, q, path.data);
	path.len = 0;
	build_id_path(&path, dir, id, "/kallsyms");
	ok = ok || try_kallsyms(k, q, path.data, true, NULL);
	path.len = 0;
	build_id_text(id, hex);
	buf_printf(&path, "%s/[kernel.kallsyms]/%s/kallsyms", dir, hex);
	ok = ok || try_kallsyms(k, q, path.data, true, NULL);
	buf_release(&path);
	return ok;
}

/* ---- sources ---- */

/* Of the files of a source: those of the recorded kernel, by build-id; for kallsyms, that is the
 * directory in which perf filed it. */
static bool try_files(struct kernel_symbols *k, const struct kernel_query *q,
		      const struct symfiles *l)
{
	for (size_t i = 0; i < l->count; i++) {
		const struct symfile *f = &l->list[i];

		if (f->kind == SYMFILE_ELF && build_id_equal(&f->id, &q->build_id) &&
		    try_vmlinux(k, q, f->path))
			return true;
	}
	for (size_t i = 0; i < l->count; i++) {
		const struct symfile *f = &l->list[i];

		if (f->kind == SYMFILE_KALLSYMS && build_id_equal(&f->filed, &q->build_id) &&
		    try_kallsyms(k, q, f->path, true, NULL))
			return true;
	}
	return false;
}

static bool try_sources(struct kernel_symbols *k, const struct kernel_query *q)
{
	for (size_t i = 0; i < sources_count(k->options->sources); i++) {
		struct buf cache = { 0 };
		const char *dir = sources_dir(k->options->sources, i);
		bool ok = dir && try_cache(k, q, dir);

		if (dir && !ok) {
			buf_printf(&cache, "%s/.debug", dir);
			ok = try_cache(k, q, cache.data);
			buf_release(&cache);
		}
		if (ok || try_files(k, q, sources_files(k->options->sources, i)))
			return true;
	}
	return false;
}

/* Files that are the recorded kernel's because the user says so: kallsyms that is not filed under
 * any build-id, and a vmlinux where none was recorded. */
static bool try_trusted_files(struct kernel_symbols *k, const struct kernel_query *q,
			      const struct symfiles *l)
{
	for (size_t i = 0; i < l->count; i++) {
		const struct symfile *f = &l->list[i];
		const char *base = symfile_base(f->name);

		if ((f->kind == SYMFILE_KALLSYMS && !f->filed.len &&
		     try_kallsyms(k, q, f->path, false, NULL)) ||
		    (f->kind == SYMFILE_ELF && !q->build_id.len && !strncmp(base, "vmlinux", 7) &&
		     try_vmlinux(k, q, f->path)))
			return true;
	}
	return false;
}

static bool try_trusted(struct kernel_symbols *k, const struct kernel_query *q)
{
	static const char *const places[] = { "/kallsyms", "/proc/kallsyms" };

	for (size_t i = 0; i < sources_count(k->options->sources); i++) {
		const char *dir = sources_dir(k->options->sources, i);

		for (size_t n = 0; dir && n < ARRAY_SIZE(places); n++) {
			struct buf path = { 0 };
			bool ok;

			buf_printf(&path, "%s%s", dir, places[n]);
			ok = try_kallsyms(k, q, path.data, false, NULL);
			buf_release(&path);
			if (ok)
				return true;
		}
		if (try_trusted_files(k, q, sources_files(k->options->sources, i)))
			return true;
	}
	return false;
}

/* ---- the order ---- */

static bool try_symfs(struct kernel_symbols *k, const struct kernel_query *q, const char *symfs)
{
	struct buf dir = { 0 };
	bool ok;

	if (!symfs)
		return false;
	buf_printf(&dir, "%s/.debug", symfs);
	ok = try_cache(k, q, dir.data);
	buf_release(&dir);
	return ok;
}

/* Does the capture tell where the kernel was loaded? With kptr_restrict it does not, and then
 * symbols may be off by as far as the kernel was moved at random (KASLR). */
static bool is_placed(const struct kernel_query *q)
{
	return !q->kernel || q->kernel->start || q->kernel->pgoff;
}

/* Was the capture begun since this host booted? */
static bool is_this_boot(const struct symbol_options *o)
{
	const struct host_clock *c = host_files_clock(o->host);
	uint64_t first = c && c->first_ns ? host_clock_wall(c, c->first_ns) : 0;
	struct timespec now, up;

	if (clock_gettime(CLOCK_REALTIME, &now) || clock_gettime(CLOCK_BOOTTIME, &up))
		return false;
	return first / 1000000000 > (uint64_t)(now.tv_sec - up.tv_sec);
}

static bool try_host(struct kernel_symbols *k, const struct kernel_query *q,
		     const struct symbol_options *o, struct warnings *w)
{
	struct build_id host;

	if (!trust_host(o, true) || (!is_placed(q) && !is_this_boot(o)))
		return false;
	host_kernel_id(o->reach, &host);
	return build_id_equal(&q->build_id, &host) && try_kallsyms(k, q, HOST_TEXT, true, w);
}

static bool try_all(struct kernel_symbols *k, const struct kernel_query *q,
		    const struct symbol_options *o, struct warnings *w)
{
	if (o->kallsyms && try_kallsyms(k, q, o->kallsyms, false, w))
		return true;
	if (o->vmlinux && try_vmlinux(k, q, o->vmlinux))
		return true;
	if (o->vmlinux && w)
		warn_add(w, SEV_FAILED, "vmlinux", "%s: %s", o->vmlinux,
			 k->refused.path ? "the build-id is not the recorded kernel's"
					 : "not an ELF file with symbols");
	if (is_placed(q) &&
	    (try_symfs(k, q, o->symfs) || try_sources(k, q) || try_cache(k, q, o->buildid_dir)))
		return true;
	return try_host(k, q, o, w) || try_trusted(k, q);
}

static void init(struct kernel_symbols *k, const struct symbol_options *o)
{
	memset(k, 0, sizeof(*k));
	kallsyms_init(&k->kallsyms);
	symtab_init(&k->vmlinux);
	k->options = o;
}

static void release_table(struct kernel_symbols *k)
{
	kallsyms_release(&k->kallsyms);
	symtab_release(&k->vmlinux);
	elf_file_free(k->vmlinux_file);
	free(k->path);
	free(k->refused_path);
}

void kernel_symbols_release(struct kernel_symbols *k)
{
	struct kernel_symbols *next = k->next;

	release_table(k);
	while (next) {
		k = next;
		next = k->next;
		release_table(k);
		free(k);
	}
}

static const struct symbol *find_in(const struct kernel_symbols *k, uint64_t ip, uint64_t *offset)
{
	const struct symbol *s;
	uint64_t addr = ip - (k->vmlinux_file ? k->delta : k->kallsyms.delta);

	if (!k->source)
		return NULL;
	if (!k->vmlinux_file) {
		s = kallsyms_find(&k->kallsyms, ip);
	} else {
		if (elf_file_offset(k->vmlinux_file, addr, &addr) < 0)
			return NULL;
		s = symtab_find(&k->vmlinux, addr);
	}
	if (s)
		*offset = addr - s->start;
	return s;
}

const struct symbol *kernel_symbols_find(const struct kernel_symbols *k, uint64_t ip,
					 uint64_t *offset)
{
	const struct symbol *s = NULL;

	for (; k && !s; k = k->next)
		s = find_in(k, ip, offset);
	return s;
}

/* How many of the wanted addresses have a name. */
static size_t count_named(const struct kernel_symbols *k, const struct kernel_query *q)
{
	size_t named = 0;
	uint64_t offset;

	for (size_t i = 0; i < q->count; i++)
		named += kernel_symbols_find(k, q->addrs[i], &offset) != NULL;
	return named;
}

#define TABLES_MAX 8

void kernel_symbols_load(struct kernel_symbols *k, const struct kernel_query *q,
			 const struct symbol_options *o, struct warnings *w)
{
	struct kernel_symbols *first = k;
	size_t named;

	init(k, o);
	if (!try_all(k, q, o, w) || !o->sources)
		return;
	named = count_named(first, q);
	/* A source more must not cost a name: a vmlinux knows no module, for instance. */
	for (unsigned i = 1; i < TABLES_MAX && named < q->count; i++) {
		size_t before = named;

		k->next = xmalloc(sizeof(*k));
		init(k->next, o);
		k->next->before = k;
		k = k->next;
		if (!try_all(k, q, o, NULL))
			return;
		named = count_named(first, q);
		first->unverified |= k->unverified && named > before;
	}
}

void kernel_symbols_load_guest(struct kernel_symbols *k, const struct kernel_query *q,
			       const struct symbol_options *o, struct warnings *w)
{
	init(k, o);
	if (o->guest_kallsyms)
		(void)try_kallsyms(k, q, o->guest_kallsyms, false, w);
}
