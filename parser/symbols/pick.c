/* Which files a module gets: what the capture recorded, what was proposed, and whether they are the
 * same. */
#include "parser/symbols/pick.h"
#include "parser/symbols/provider.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"

#include <string.h>
#include <sys/auxv.h>

/* ---- which build-id did the capture record? ---- */

static bool entry_matches(const struct build_id_entry *e, const struct module *m)
{
	bool kernel = (e->misc & MISC_CPUMODE_MASK) == MISC_KERNEL;

	switch (m->kind) {
	case MODULE_KERNEL:
		return kernel && (!strncmp(e->path, "[kernel", 7) || strstr(e->path, "vmlinux"));
	case MODULE_VDSO:
		return !kernel && !strncmp(e->path, "[vdso", 5);
	default:
		return false;
	}
}

static struct build_id id_of_path(const struct resolve_options *o, const char *path)
{
	uint32_t i = intern_find(&o->build_id_paths->paths, path, strlen(path));

	if (i == INTERN_NONE)
		return (struct build_id){ 0 };
	return o->build_ids[o->build_id_paths->first[i]].id;
}

struct build_id module_recorded_id(const struct module *m, const struct resolve_options *o)
{
	if (m->build_id.len)
		return m->build_id;
	if (m->kind == MODULE_FILE || m->kind == MODULE_KMODULE)
		return id_of_path(o, m->path);
	for (size_t i = 0; i < o->build_id_count; i++) {
		if (entry_matches(&o->build_ids[i], m))
			return o->build_ids[i].id;
	}
	return (struct build_id){ 0 };
}

/* ---- candidates ---- */

struct pick {
	const struct picker *picker;
	struct build_id want; /* recorded, or that of the file which is taken on trust */
	bool allow_unverified;
};

static bool id_matches(const struct elf_info *info, const struct build_id *want)
{
	return info->build_id_len == want->len && !memcmp(info->build_id, want->bytes, want->len);
}

static bool offer(void *ctx, const char *path, enum trust trust)
{
	struct pick *p = ctx;
	struct elf_file *f;

	if (!p->want.len &&
	    (trust == TRUST_BUILD_ID || (trust == TRUST_HOST && !p->allow_unverified)))
		return false;
	f = elf_file_open(path, NULL);
	if (!f)
		return false;
	if (!p->want.len || id_matches(elf_file_info(f), &p->want))
		return p->picker->take(p->picker->ctx, f, path);
	if (p->picker->refuse)
		p->picker->refuse(p->picker->ctx, path, elf_file_info(f));
	elf_file_free(f);
	return false;
}

/* This process's own vdso is this kernel's: as good as any file with the right build-id. */
static void offer_own_vdso(const struct pick *p)
{
	void *image =
		(void *)getauxval(AT_SYSINFO_EHDR); /* NOLINT: the kernel hands out an integer */
	struct elf_file *f = image ? elf_file_memory(image, 2 * 4096, NULL) : NULL;

	if (!f)
		return;
	if (p->want.len ? id_matches(elf_file_info(f), &p->want) : p->allow_unverified)
		(void)p->picker->take(p->picker->ctx, f, "[vdso]");
	else
		elf_file_free(f);
}

/* The build-id of the file at PATH below ROOT. */
static struct build_id id_below(const char *root, const char *path)
{
	struct build_id id = { 0 };
	struct buf joined = { 0 };
	struct elf_file *f;

	buf_printf(&joined, "%s%s", root, path);
	f = elf_file_open(joined.data, NULL);
	if (f)
		id = build_id_make(elf_file_info(f)->build_id, elf_file_info(f)->build_id_len);
	elf_file_free(f);
	buf_release(&joined);
	return id;
}

static struct build_id assumed_id(const struct module *m, const struct symbol_options *o)
{
	const char *const roots[] = { o->symfs, o->allow_unverified ? "" : NULL };
	struct build_id id = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(roots) && !id.len && m->path[0] == '/'; i++) {
		if (roots[i])
			id = id_below(roots[i], m->path);
	}
	return id;
}

void pick_files(const struct module *m, const struct build_id *recorded,
		const struct symbol_options *o, const struct picker *picker)
{
	struct pick p = { picker, *recorded, o->allow_unverified };
	struct search s = { m, &p.want, o, offer, &p };

	if (!p.want.len)
		p.want = assumed_id(m, o);
	for (size_t i = 0; providers[i]; i++) {
		if (providers[i]->propose(&s))
			return;
	}
	if (m->kind == MODULE_VDSO)
		offer_own_vdso(&p);
}
