/* Proposes the paths of a module on the recorded machine: the file itself, debug files, perf's
 * cache. Works on text alone and opens nothing. */
#include "analyzers/capture/module_paths.h"
#include "analyzers/count/namer.h"
#include "parser/base/mem.h"
#include "parser/base/utf8.h"

#include <string.h>

static bool starts(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

static bool ends(const char *s, const char *suffix)
{
	size_t n = strlen(s), k = strlen(suffix);

	return n >= k && !strcmp(s + n - k, suffix);
}

bool is_recorded_file(const char *path)
{
	/* what is mapped without being a file, and file systems that make up what one reads */
	static const char *const none[] = {
		"//",	   "/dev/",	     "/proc/", "/sys/", "/SYSV",
		"/memfd:", "/anon_hugepage", "/drm",   "/i915", "/[aio]"
	};

	for (size_t i = 0; i < ARRAY_SIZE(none); i++) {
		if (starts(path, none[i]))
			return false;
	}
	return path[0] == '/' && path[1] && !ends(path, "/") && !ends(path, " (deleted)") &&
	       !strstr(path, "/../");
}

static void emit(const struct path_sink *sink, const char *path)
{
	if (is_recorded_file(path))
		sink->take(sink->ctx, path);
}

/* DIR/.build-id/xx/yyyy and SUFFIX. */
static void emit_by_id(const struct path_sink *sink, const char *dir, const struct build_id *id,
		       const char *suffix)
{
	struct buf path = { 0 };

	if (id->len < 2)
		return;
	build_id_path(&path, dir, id, suffix);
	emit(sink, path.data);
	buf_release(&path);
}

static void file_paths(const struct module_names *m, const char *cache, bool whole_cache,
		       const struct path_sink *sink)
{
	const struct debug_missing *d = &m->missing;
	bool there = is_recorded_file(m->module->path);

	emit(sink, m->module->path);
	emit_by_id(sink, "/usr/lib/debug", &m->recorded, ".debug");
	if (d->alt)
		emit(sink, d->alt);
	if (d->dwo)
		emit(sink, d->dwo);
	if (whole_cache || !there)
		emit_by_id(sink, cache, &m->recorded, "/elf");
	if (whole_cache)
		emit_by_id(sink, cache, &m->recorded, "/debug");
}

void module_paths(const struct module_names *m, const char *cache, bool whole_cache,
		  const struct path_sink *sink)
{
	switch (m->module->kind) {
	case MODULE_FILE:
		file_paths(m, cache, whole_cache, sink);
		break;
	case MODULE_VDSO:
		emit_by_id(sink, cache, &m->recorded, "/vdso");
		break;
	case MODULE_KERNEL:
		if (whole_cache)
			emit_by_id(sink, cache, &m->recorded, "/kallsyms");
		break;
	default: /* that of code by a just-in-time compiler is its perf-PID.map */
		emit(sink, m->module->path);
	}
}

void tar_line(const char *path, struct buf *out)
{
	size_t left = strlen(path), n;

	for (; left; path += n ? n : 1, left -= n ? n : 1) {
		n = utf8_shown(path, left);
		if (!n)
			buf_printf(out, "\\%03o", (unsigned char)*path);
		else if (*path == '\\')
			buf_str(out, "\\\\");
		else
			buf_add(out, path, n);
	}
}

bool shell_word(const char *path, struct buf *out)
{
	size_t left = strlen(path), n;
	const char *p = path;

	for (; left; p += n, left -= n) {
		n = utf8_shown(p, left);
		if (!n)
			return false;
	}
	if (!path[strspn(path, "0123456789abcdefghijklmnopqrstuvwxyz"
			       "ABCDEFGHIJKLMNOPQRSTUVWXYZ/.+_:@%=,-")]) {
		buf_str(out, path);
		return true;
	}
	buf_char(out, '\'');
	for (; *path; path++) {
		if (*path == '\'')
			buf_str(out, "'\\''");
		else
			buf_char(out, *path);
	}
	buf_char(out, '\'');
	return true;
}
