/* Find the libraries of a package by the offsets that were seen in it. */
#include "parser/names/elf/package.h"
#include "parser/base/mem.h"
#include "parser/names/elf/elffile.h"
#include "parser/names/elf/zip.h"
#include "parser/names/sources/sources.h"
#include "parser/names/trust.h"

#include <string.h>
#include <unistd.h>

#define LIBRARIES_MAX 64  /* of one package */
#define LOOKS_MAX     256 /* at its list of members, which may be all of it */

static bool is_package(const struct module *m)
{
	const char *dot = strrchr(m->path, '.');

	return m->path[0] == '/' && dot && !strcmp(dot, ".apk");
}

static bool is_there(struct buf *path, const char *root, const char *recorded)
{
	path->len = 0;
	buf_printf(path, "%s%s", root, recorded);
	return access(path->data, R_OK) == 0;
}

/* The first one that is at the recorded path, below a root that the user named or allowed. */
static bool find_package(const struct module_job *j, struct buf *path)
{
	const struct symbol_options *o = j->o->symbols;

	if (o->symfs && is_there(path, o->symfs, j->module->path))
		return true;
	for (size_t i = 0; i < sources_count(o->sources); i++) {
		const char *dir = sources_dir(o->sources, i);

		if (dir && is_there(path, dir, j->module->path))
			return true;
	}
	return trust_host(o, false) && is_there(path, "", j->module->path);
}

/* The symbols of a library, at their offsets in the package. */
static struct module_files *load_library(const struct module_job *j, const char *package,
					 const struct zip_member *m)
{
	struct elf_file *f = elf_file_member(j->o->symbols->reach, package, m, NULL);
	struct module_files *files;

	if (!f)
		return NULL;
	files = xcalloc(1, sizeof(*files));
	module_files_init(files);
	if (elf_file_info(f)->has_symtab)
		files->syms = f;
	else
		files->runtime = f;
	files->source = xstrdup(package);
	if (module_files_load(files, j->o->symbols) < 0)
		files->table.count = 0;
	for (size_t i = 0; i < files->table.count; i++) {
		files->table.syms[i].start += m->offset;
		files->table.syms[i].end += m->offset;
	}
	return files;
}

void package_load(struct module_job *j)
{
	struct module_files **end = &j->files->more;
	struct zip_member m = { 0 };
	struct buf path = { 0 };
	unsigned libraries = 0, looks = 0;

	if (is_package(j->module) && !j->out->recorded.len &&
	    !j->o->symbols->quirks.knows_no_phones && find_package(j, &path)) {
		for (size_t i = 0; i < j->count && libraries < LIBRARIES_MAX; i++) {
			uint64_t at = j->locs[j->ids[i]].addr;

			if (at - m.offset < m.size_bytes)
				continue;
			if (looks++ == LOOKS_MAX)
				break;
			if (zip_at(j->o->symbols->reach, path.data, at, &m) < 0)
				continue;
			libraries++;
			*end = load_library(j, path.data, &m);
			if (!*end)
				continue;
			module_files_named(*end, j->out);
			end = &(*end)->more;
		}
	}
	buf_release(&path);
}
