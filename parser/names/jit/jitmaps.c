/* Choosing perf maps: by the user's word, by name, by what they cover. */
#include "parser/names/jit/jitmaps.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/names/hostfile.h"
#include "parser/names/jit/jitdump.h"
#include "parser/names/jit/perfmap.h"
#include "parser/names/sources/sources.h"

#include <errno.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CANDIDATES_MAX 256   /* maps of other processes that are tried: those of the least pids */
#define LISTED_MAX     65536 /* maps in the directory that are looked at */

/* A decimal pid at S, up to the text END; false for anything else. */
static bool parse_pid(const char *s, const char *end, uint32_t *pid)
{
	uint64_t v = 0;
	const char *p = s;

	for (; p < end && *p >= '0' && *p <= '9' && v <= INT32_MAX; p++)
		v = v * 10 + (uint64_t)(*p - '0');
	*pid = (uint32_t)v;
	return p > s && p == end && v <= INT32_MAX;
}

bool jitmap_option(const char *text, uint32_t *pid, const char **file)
{
	const char *equals = strchr(text, '=');

	*file = equals ? equals + 1 : NULL;
	return equals && equals[1] && parse_pid(text, equals, pid);
}

int jitmap_options_check(const struct symbol_options *o, struct warnings *w)
{
	for (size_t i = 0; i < o->perf_map_count; i++) {
		const char *file;
		uint32_t pid;

		if (jitmap_option(o->perf_maps[i], &pid, &file))
			continue;
		warn_add(w, SEV_FATAL, "perf-map-option", "--perf-map %s: expected PID=FILE",
			 o->perf_maps[i]);
		return ERR_USAGE;
	}
	return 0;
}

/* "perf-PID.map" */
static bool map_name(const char *name, uint32_t *pid)
{
	size_t len = strlen(name);

	return len > 9 && !memcmp(name, "perf-", 5) && !strcmp(name + len - 4, ".map") &&
	       parse_pid(name + 5, name + len - 4, pid);
}

static char *map_path(const char *dir, uint32_t pid)
{
	struct buf path = { 0 };

	buf_printf(&path, "%s/perf-%u.map", dir, pid);
	return path.data;
}

/* An empty table is left where the map cannot be read. R: as for reach_open(). */
static int read_map(struct jitmap *j, struct reach *r, const char *path)
{
	int rc = perfmap_load(j->table, r, path), error = errno;

	if (rc == 0) {
		j->path = xstrdup(path);
	} else {
		symtab_release(j->table);
		symtab_init(j->table);
		errno = error;
	}
	return rc;
}

/* By RC, and errno as reach_open() leaves it. */
static void warn_unusable(struct warnings *w, const char *path, int rc)
{
	int error = rc == ERR_IO ? errno : 0;

	warn_add(w, SEV_FAILED, "perf-map", "%s: %s%s%s", path,
		 rc == ERR_ABSENT   ? "the perf map does not exist"
		 : rc == ERR_FORMAT ? "not a perf map"
				    : "cannot be read",
		 error ? ": " : "", error ? strerror(error) : "");
}

/* A process has one map. */
static void warn_not_used(struct warnings *w, const char *path, const char *but)
{
	warn_add(w, SEV_NOTE, "perf-map-twice", "%s: not used, but %s", path, but);
}

/* ---- by the user's word ---- */

/* The option may name a jitdump as well, which is not this file's business. */
static bool is_jitdump(const struct symbol_options *o, const char *path)
{
	struct jitdump *d;
	bool is = jitdump_open(&d, o->reach, path) == 0;

	jitdump_free(d);
	return is;
}

static void load_given(struct jitmap *j, const struct symbol_options *o, struct warnings *w)
{
	for (size_t i = 0; i < o->perf_map_count; i++) {
		const char *file;
		uint32_t pid;
		int rc;

		if (!jitmap_option(o->perf_maps[i], &pid, &file) || pid != j->module->pid)
			continue;
		if (j->path) {
			if (!is_jitdump(o, file))
				warn_not_used(w, file, j->path);
			continue;
		}
		rc = read_map(j, o->reach, file);
		if (rc < 0 && !(rc == ERR_FORMAT && is_jitdump(o, file)))
			warn_unusable(w, file, rc);
	}
}

/* ---- by name ---- */

static void load_own(struct jitmap *j, struct reach *r, const char *dir, struct warnings *w)
{
	char *path = map_path(dir, j->module->pid);
	int rc;

	if (j->path) {
		if (access(path, F_OK) == 0)
			warn_not_used(w, path, j->path);
		free(path);
		return;
	}
	rc = read_map(j, r, path);
	if (rc < 0 && rc != ERR_ABSENT)
		warn_unusable(w, path, rc);
	free(path);
}

static void load_from_sources(struct jitmap *j, const struct symbol_options *o, struct warnings *w)
{
	struct source_path in;
	char base[32];
	int rc;

	snprintf(base, sizeof(base), "perf-%u.map", j->module->pid);
	if (!sources_find(o->sources, base, &in))
		return;
	/* a member of an archive has a copy of ours */
	rc = read_map(j, in.open == in.shown ? o->reach : NULL, in.open);
	if (rc < 0) {
		warn_unusable(w, in.shown, rc);
	} else {
		free(j->path);
		j->path = xstrdup(in.shown);
	}
}

static void load_here(struct jitmap *j, const struct symbol_options *o)
{
	char *path = host_perf_map(o->host, j->module->pid);

	j->here = path && read_map(j, o->reach, path) == 0;
	free(path);
}

/* ---- by what they cover ---- */

/* A map of a pid that is no process's of the capture. */
struct candidate {
	char *path;
	const char *shown; /* its name; with several directories its path */
	uint32_t pid;
};

/* How the best two of them fit one process. */
struct fit {
	size_t best, second; /* addresses that they cover */
	const struct candidate *best_map, *second_map;
};

static size_t covered(const struct symtab *t, const struct jitmap *j)
{
	size_t n = 0;

	for (size_t i = 0; i < j->count; i++)
		n += symtab_find(t, j->addrs[i]) != NULL;
	return n;
}

static void note_fit(struct fit *f, size_t n, const struct candidate *map)
{
	if (n > f->best) {
		f->second = f->best;
		f->second_map = f->best_map;
		f->best = n;
		f->best_map = map;
	} else if (n > f->second) {
		f->second = n;
		f->second_map = map;
	}
}

static bool wants_map(const struct jitmap *j)
{
	return j->count && !j->path;
}

/* Those that have, or want, a map. */
struct listed_for {
	const struct jitmap *list;
	size_t count;
};

static bool is_someones(const struct jitmap *list, size_t count, uint32_t pid)
{
	for (size_t i = 0; i < count; i++) {
		if (list[i].module->pid == pid)
			return true;
	}
	return false;
}

static int by_pid(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* The pids of the maps in DIR that belong to no process of the capture, ascending; the caller frees
 * them. *ERROR: an errno, where they are not all. */
static uint32_t *list_strangers(const char *dir, const struct listed_for *f, size_t *n, int *error)
{
	uint32_t *pids = NULL, pid;
	DIR *d = opendir(dir);
	size_t cap = 0;
	struct dirent *e;

	*n = 0;
	*error = d ? 0 : errno;
	while (d && *n < LISTED_MAX) {
		errno = 0;
		e = readdir(d);
		*error = e ? 0 : errno;
		if (!e)
			break;
		if (!map_name(e->d_name, &pid) || is_someones(f->list, f->count, pid))
			continue;
		pids = xgrow(pids, &cap, *n + 1, sizeof(*pids));
		pids[(*n)++] = pid;
	}
	if (d)
		closedir(d);
	if (*n)
		qsort(pids, *n, sizeof(*pids), by_pid);
	return pids;
}

/* Of all directories, at most CANDIDATES_MAX. */
static struct candidate *list_candidates(const struct symbol_options *o, const struct listed_for *f,
					 size_t *n, struct warnings *w)
{
	struct candidate *all = xcalloc(CANDIDATES_MAX, sizeof(*all));

	*n = 0;
	for (size_t i = 0; i < o->perf_map_dir_count; i++) {
		size_t found;
		int error;
		uint32_t *pids = list_strangers(o->perf_map_dirs[i], f, &found, &error);

		if (error_is_fault(error))
			warn_add(w, SEV_FAILED, "perf-map", "%s: cannot be read: %s",
				 o->perf_map_dirs[i], strerror(error));
		for (size_t k = 0; k < found && *n < CANDIDATES_MAX; k++, (*n)++) {
			char *path = map_path(o->perf_map_dirs[i], pids[k]);

			all[*n] = (struct candidate){
				path, o->perf_map_dir_count > 1 ? path : strrchr(path, '/') + 1,
				pids[k]
			};
		}
		free(pids);
	}
	return all;
}

static void measure(struct fit *fits, const struct jitmap *list, size_t count,
		    const struct candidate *map, struct reach *r)
{
	struct symtab t;

	symtab_init(&t);
	if (perfmap_load(&t, r, map->path) == 0) {
		for (size_t i = 0; i < count; i++) {
			if (wants_map(&list[i]))
				note_fit(&fits[i], covered(&t, &list[i]), map);
		}
	}
	symtab_release(&t);
}

/* Another process that the map of fits[AT] fits best, too; COUNT: there is none. */
static size_t rival(const struct fit *fits, size_t count, size_t at)
{
	for (size_t i = 0; i < count; i++) {
		if (i != at && fits[i].best && fits[i].best_map == fits[at].best_map)
			return i;
	}
	return count;
}

/* One line for all processes, so that each is named. */
static void tell(struct warnings *w, const char *kind, struct buf *text)
{
	if (text->len)
		warn_add(w, SEV_NOTE, kind, "%s", text->data);
	buf_release(text);
}

/* What became of the best map for J, whose rival, if any, is RIVAL. */
static void take_fitting(struct jitmap *j, const struct fit *f, const struct jitmap *rival,
			 struct reach *r, struct buf told[2])
{
	const struct candidate *map = f->best_map;
	uint32_t pid = j->module->pid;
	struct buf *taken = &told[0], *unclear = &told[1];

	if (rival)
		buf_printf(unclear, "%s%s would fit process %u and process %u",
			   unclear->len ? "; " : "perf maps not used: ", map->shown, pid,
			   rival->module->pid);
	else if (f->second * 4 > f->best)
		buf_printf(unclear, "%s%s and %s both fit process %u",
			   unclear->len ? "; " : "perf maps not used: ", map->shown,
			   f->second_map->shown, pid);
	else if (read_map(j, r, map->path) == 0)
		buf_printf(taken,
			   "%s%s (process %u) is taken for process %u: it covers %zu of its %zu "
			   "addresses",
			   taken->len ? "; " : "", map->shown, map->pid, pid, f->best, j->count);
}

static void load_fitting(struct jitmap *list, size_t count, const struct symbol_options *o,
			 struct warnings *w)
{
	struct fit *fits = xcalloc(count, sizeof(*fits));
	struct buf told[2] = { { 0 }, { 0 } }; /* what was taken, and what is unclear */
	size_t maps;
	const struct listed_for all = { list, count };
	struct candidate *map = list_candidates(o, &all, &maps, w);

	for (size_t i = 0; i < maps; i++)
		measure(fits, list, count, &map[i], o->reach);
	for (size_t i = 0; i < count; i++) {
		size_t other = rival(fits, count, i);

		if (wants_map(&list[i]) && fits[i].best && fits[i].best * 2 >= list[i].count)
			take_fitting(&list[i], &fits[i], other < count ? &list[other] : NULL,
				     o->reach, told);
	}
	tell(w, "perf-map-fits", &told[0]);
	if (told[1].len)
		buf_str(&told[1], " (see --perf-map)");
	tell(w, "perf-map-unclear", &told[1]);
	for (size_t i = 0; i < maps; i++)
		free(map[i].path);
	free(map);
	free(fits);
}

void jitmaps_load(struct jitmap *list, size_t count, const struct symbol_options *o,
		  struct warnings *w)
{
	size_t left = 0;

	for (size_t i = 0; i < count; i++) {
		if (!list[i].count)
			continue;
		load_given(&list[i], o, w);
		for (size_t k = 0; k < o->perf_map_dir_count; k++)
			load_own(&list[i], o->reach, o->perf_map_dirs[k], w);
		if (!list[i].path)
			load_from_sources(&list[i], o, w);
		if (!list[i].path)
			load_here(&list[i], o);
		left += !list[i].path;
	}
	if (left && o->perf_map_dir_count)
		load_fitting(list, count, o, w);
}
