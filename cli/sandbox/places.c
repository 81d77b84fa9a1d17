/* The files and directories that the options name, for the sandbox: rows of type file and directory
 * tell all but those of a common option whose value is more than a path. */
#include "cli/sandbox/sandbox.h"
#include "parser/store.h"

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void allow_directory_of(struct sandbox *s, const char *path, enum landlock_use use)
{
	char *copy = strdup(path);

	if (copy)
		landlock_allow(&s->files, dirname(copy), use);
	free(copy);
}

/* The file before a colon may be a store. Only while others write to it, or after one was killed,
 * do its readers write: to what SQLite keeps beside it. */
static void allow_store(struct sandbox *s, const char *path, size_t len)
{
	struct stat st;
	char *file = NULL, *wal = NULL;

	if (asprintf(&file, "%.*s", (int)len, path) >= 0 && asprintf(&wal, "%s-wal", file) >= 0) {
		landlock_allow(&s->files, file, LANDLOCK_READ);
		if (stat(wal, &st) == 0)
			sandbox_allow_output(s, file);
	}
	free(file);
	free(wal);
}

static void allow_file(struct sandbox *s, const char *path)
{
	for (const char *colon = path; (colon = strchr(colon, ':')); colon++)
		allow_store(s, path, (size_t)(colon - path));
	allow_store(s, path, strlen(path));
}

/* Of a capture in parts, "DIR/data", those beside it are read, too. */
void sandbox_allow_input(struct sandbox *s, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!strcmp(path, "-"))
		return;
	if (!strncmp(path, "/proc/", 6))
		(void)landlock_allow_pinned(&s->files, path);
	else
		allow_file(s, path);
	if (!strcmp(slash ? slash + 1 : path, "data"))
		allow_directory_of(s, path, LANDLOCK_READ);
}

/* What is no regular file is written as it is. A link's file is written where it lies. */
void sandbox_allow_output(struct sandbox *s, const char *path)
{
	struct stat st;
	char *real;

	if (!strcmp(path, "-"))
		return;
	landlock_allow(&s->files, path, LANDLOCK_WRITE);
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return;
	allow_directory_of(s, path, LANDLOCK_WRITE);
	real = lstat(path, &st) == 0 && S_ISLNK(st.st_mode) ? realpath(path, NULL) : NULL;
	if (real)
		allow_directory_of(s, real, LANDLOCK_WRITE);
	free(real);
}

static void allow_list(struct sandbox *s, const struct name_list *l)
{
	for (size_t i = 0; i < l->count; i++)
		sandbox_allow_input(s, l->list[i]);
}

/* What a flag has written beside the inputs. */
static void allow_beside(struct sandbox *s, const struct common_options *o)
{
	for (size_t i = 0; i < o->file_count; i++) {
		if (strcmp(o->files[i], "-"))
			allow_directory_of(s, o->files[i], LANDLOCK_WRITE);
	}
}

static void allow_row(struct sandbox *s, const struct row *r, const struct common_options *o)
{
	const void *at = r->base ? (const char *)r->base + r->option->offset : NULL;
	const char *path;

	switch (at ? r->option->type : OPT_SAME) {
	case OPT_FLAG:
		if (r->option->written && *(const bool *)at && !o->output)
			allow_beside(s, o);
		break;
	case OPT_FILE:
	case OPT_DIR:
		path = *(const char *const *)at;
		if (path && r->option->written)
			sandbox_allow_output(s, path);
		else if (path)
			sandbox_allow_input(s, path);
		break;
	case OPT_STORE:
		path = *(const char *const *)at;
		if (path && !store_is_remote(path))
			sandbox_allow_output(s, path);
		break;
	case OPT_FILES:
	case OPT_DIRS:
		allow_list(s, at);
		break;
	default:
		break;
	}
}

void sandbox_allow_named(struct sandbox *s, const struct rows *rows, const struct common_options *o)
{
	for (size_t i = 0; i < rows->count; i++) {
		if (rows->list[i].group != ROWS_PEER)
			allow_row(s, &rows->list[i], o);
	}
	for (size_t i = 0; i < o->file_count; i++)
		sandbox_allow_input(s, o->files[i]);
	allow_list(s, &o->sources);
	for (size_t i = 0; i < o->perf_maps.count; i++) {
		const char *file = strchr(o->perf_maps.list[i], '=');

		if (file)
			sandbox_allow_input(s, file + 1);
	}
	if (o->symbols.debuginfod_cache && !s->network)
		sandbox_allow_input(s, o->symbols.debuginfod_cache);
}

/* The cache is made when the first file comes, in a directory that is there. */
static void allow_cache(struct sandbox *s, const char *cache)
{
	struct stat st;

	if (stat(cache, &st))
		allow_directory_of(s, cache, LANDLOCK_CACHE);
	else
		landlock_allow(&s->files, cache, LANDLOCK_CACHE);
}

/* Directories whose links may lead anywhere: of a cache whose files lie elsewhere, to a build. */
static bool names_trees(const struct common_options *o)
{
	return o->symbols.symfs || o->symbols.buildid_dir || o->sources.count;
}

/* The address of a store on ClickHouse is given, as an operand or as the store that is added to. */
static bool names_remote(const struct rows *rows, const struct common_options *o)
{
	for (size_t i = 0; i < o->file_count; i++) {
		if (store_is_remote(o->files[i]))
			return true;
	}
	for (size_t i = 0; i < rows->count; i++) {
		const struct row *r = &rows->list[i];
		const char *path =
			r->base && r->option->type == OPT_STORE
				? *(const char *const *)((const char *)r->base + r->option->offset)
				: NULL;

		if (path && store_is_remote(path))
			return true;
	}
	return false;
}

bool sandbox_for_command(struct sandbox *s, const struct rows *rows, const struct common_options *o)
{
	bool remote = names_remote(rows, o);

	sandbox_begin(s, o->symbols.debuginfod != NULL || remote);
	if (remote && getenv("CLICKHOUSE_PASSWORD_FILE"))
		sandbox_allow_input(s, getenv("CLICKHOUSE_PASSWORD_FILE"));
	sandbox_allow_common(s, !o->symbols.no_host);
	if (o->symbols.no_host && names_trees(o))
		sandbox_allow_root(s);
	sandbox_allow_named(s, rows, o);
	if (s->network && o->symbols.debuginfod_cache)
		allow_cache(s, o->symbols.debuginfod_cache);
	return sandbox_enter(s);
}
