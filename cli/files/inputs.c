/* Compares files by device and inode: hard links, symbolic links and other paths are all the same
 * file. Whoever writes goes by struct option's "written"; all other files are read. */
#include "cli/files/inputs.h"
#include "cli/config.h"
#include "cli/files/scrap.h"
#include "parser/base/mem.h"
#include "parser/pdtool_module.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DATA_FILES_MAX 4096 /* of a capture that is a directory */

/* A file that is written. */
struct written {
	const struct row *row;
	const char *path;
	struct stat st;
};

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && S_ISREG(a->st_mode);
}

static bool is_file(const struct written *w, const char *path)
{
	struct stat st;

	return path && stat(path, &st) == 0 && is_same(&st, &w->st);
}

/* The value of a row that holds the name of a file; NULL: it has none. */
static const char *file_of(const struct row *r)
{
	return r->option->type == OPT_FILE && r->base
		       ? *(const char *const *)((const char *)r->base + r->option->offset)
		       : NULL;
}

/* R's file is there and would be replaced. */
static bool find_written(struct written *w, const struct row *r)
{
	const char *path = r->option->written ? file_of(r) : NULL;

	*w = (struct written){ .row = r, .path = path };
	return path && strcmp(path, "-") && stat(path, &w->st) == 0 && S_ISREG(w->st.st_mode);
}

/* ---- what options name ---- */

/* One of the files of a capture that perf wrote to a directory? */
static bool is_inside(const struct written *w, const char *dir)
{
	char path[4096];
	bool there;

	snprintf(path, sizeof(path), "%s/data", dir);
	if (is_file(w, path))
		return true;
	for (unsigned i = 0; i < DATA_FILES_MAX; i++) {
		snprintf(path, sizeof(path), "%s/data.%u", dir, i);
		there = access(path, F_OK) == 0;
		if (!there || is_file(w, path))
			return there;
	}
	return false;
}

static bool is_capture(const struct written *w, const char *path)
{
	struct stat st;

	if ((strcmp(path, "-") ? stat(path, &st) : fstat(STDIN_FILENO, &st)) < 0)
		return false;
	return is_same(&st, &w->st) || (S_ISDIR(st.st_mode) && is_inside(w, path));
}

static bool has_file(const struct written *w, const struct name_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		if (is_file(w, list->list[i]))
			return true;
	}
	return false;
}

/* Entries "PID=FILE". */
static bool has_map(const struct written *w, const struct name_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const char *equals = strchr(list->list[i], '=');

		if (equals && is_file(w, equals + 1))
			return true;
	}
	return false;
}

/* Does R, another row, have it read? Captures are among the operands. */
static bool is_value(const struct written *w, const struct row *r)
{
	if (!r->base || r == w->row || !strcmp(r->option->name, "input") ||
	    !strcmp(r->option->name, "output"))
		return false;
	if (r->option->type == OPT_FILES)
		return has_file(w, (const void *)((const char *)r->base + r->option->offset));
	return is_file(w, file_of(r));
}

/* Which option, or setting, names the file that W would replace; NULL: none. */
static const char *input_option(const struct written *w, const struct common_options *o,
				const struct rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		if (is_value(w, &rows->list[i]))
			return rows->list[i].option->name;
	}
	return has_file(w, &o->sources) ? "symbols" : has_map(w, &o->perf_maps) ? "perf-map" : NULL;
}

static int check(const struct written *w, const struct common_options *o, const struct rows *rows)
{
	const char *option = input_option(w, o, rows);

	for (size_t i = 0; i < o->file_count; i++) {
		if (is_capture(w, o->files[i]))
			return usage_error("%s is an input, not overwritten", w->path);
	}
	if (option)
		return usage_error("%s is an input (--%s), not overwritten", w->path, option);
	if (has_file(w, &o->lists))
		return usage_error("%s is an input (a list of names), not overwritten", w->path);
	if (o->config && o->config->path.len && is_file(w, o->config->path.data))
		return usage_error("%s is an input (the settings), not overwritten", w->path);
	return 0;
}

static void watch(const struct written *w, struct common_options *o)
{
	struct watched *m = &o->made[o->made_count];

	if (o->made_count == MADE_MAX)
		return;
	o->made_count++;
	m->dev = w->st.st_dev;
	m->inode = w->st.st_ino;
	m->path = w->path;
}

/* Files beside the input need one with a name. */
static int check_beside(const struct common_options *o, const struct rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		const struct row *r = &rows->list[i];

		if (r->option->type != OPT_FLAG || !r->option->written || !r->base ||
		    !*((const bool *)r->base + r->option->offset))
			continue;
		if (o->output ? !strcmp(o->output, "-") : !strcmp(o->files[0], "-"))
			return usage_error(
				"--%s: standard %s has no name to make others of: -o FILE",
				r->option->name, o->output ? "output" : "input");
	}
	return 0;
}

int inputs_check_path(const struct common_options *o, const struct rows *rows, const char *path)
{
	struct written w = { .path = path };

	if (stat(path, &w.st) || !S_ISREG(w.st.st_mode))
		return 0;
	return check(&w, o, rows);
}

int inputs_check(struct common_options *o, const struct rows *rows)
{
	struct written w;
	int status = check_beside(o, rows);

	for (size_t i = 0; !status && i < rows->count; i++) {
		if (!find_written(&w, &rows->list[i]))
			continue;
		status = check(&w, o, rows);
		watch(&w, o);
	}
	for (size_t i = 0; !status && i < rows->count; i++) {
		const char *path = rows->list[i].option->written ? file_of(&rows->list[i]) : NULL;

		if (path && strcmp(path, "-"))
			scrap_watch(path);
	}
	return status;
}

/* ---- what was found ---- */

static const char *used_by(const struct written *w, const struct pdt_module *m)
{
	static const int texts[] = { PDT_MODULE_SOURCE, PDT_MODULE_DEBUG };
	const char *path;
	const uint8_t *id;
	size_t len;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		path = pdt_module_text(m, texts[i]);
		if (is_file(w, path))
			return path;
	}
	for (size_t i = 0; (path = pdt_module_refused(m, i, &id, &len)); i++) {
		if (is_file(w, path))
			return path;
	}
	return NULL;
}

static int check_modules(const struct written *w, const struct pdt_session *s,
			 struct warnings *warnings)
{
	for (size_t i = 0; i < pdt_module_count(s); i++) {
		const struct pdt_module *m = pdt_module_at(s, (uint32_t)i);

		if (!used_by(w, m))
			continue;
		warn_add(warnings, SEV_FATAL, "usage",
			 "%s is an input (symbols of %s), not overwritten", w->path,
			 pdt_module_text(m, PDT_MODULE_PATH));
		return ERR_USAGE;
	}
	return 0;
}

int inputs_check_found(const struct common_options *o, const struct rows *rows,
		       const struct pdt_session *s, struct warnings *warnings)
{
	struct written w;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < rows->count; i++) {
		if (find_written(&w, &rows->list[i]))
			rc = check_modules(&w, s, warnings);
	}
	for (size_t i = 0; rc == 0 && i < o->made_count; i++) {
		if (!atomic_load(&o->made[i].met))
			continue;
		warn_add(warnings, SEV_FATAL, "usage",
			 "%s is an input (symbols or source text), not overwritten",
			 o->made[i].path);
		rc = ERR_USAGE;
	}
	return rc;
}
