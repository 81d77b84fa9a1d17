/* Proposes the paths of a module on the recorded machine: the file itself, debug files, perf's
 * cache. Works on text alone and opens nothing. */
#include "analyzers/capture/module_paths.h"
#include "analyzers/count/namer.h"
#include "parser/base/mem.h"
#include "parser/base/utf8.h"

#include <inttypes.h>
#include <string.h>

const char *module_path(const struct pdt_module *m)
{
	return pdt_module_text(m, PDT_MODULE_PATH);
}

struct build_id module_id(const struct pdt_module *m)
{
	size_t len;
	const uint8_t *bytes = pdt_module_build_id(m, &len);

	return build_id_make(bytes, len);
}

void module_root(const struct pdt_module *m, struct buf *out)
{
	if (pdt_module_number(m, PDT_MODULE_CONTAINED))
		buf_printf(out, "/proc/%" PRIu64 "/root", pdt_module_number(m, PDT_MODULE_PID));
}

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

/* PATH as M's process sees it. On the machine itself it may be another file, which a build-id
 * tells.
 */
static void emit_seen(const struct path_sink *sink, const struct pdt_module *m, const char *path)
{
	struct buf whole = { 0 };

	module_root(m, &whole);
	buf_str(&whole, path);
	if (is_recorded_file(path))
		sink->take(sink->ctx, whole.data);
	if (strcmp(whole.data, path) && module_id(m).len)
		emit(sink, path);
	buf_release(&whole);
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

static void file_paths(const struct pdt_module *m, const char *cache, bool whole_cache,
		       const struct path_sink *sink)
{
	const char *alternate = pdt_module_text(m, PDT_MODULE_ALTERNATE);
	const char *split = pdt_module_text(m, PDT_MODULE_SPLIT);
	struct build_id id = module_id(m);
	bool there = is_recorded_file(module_path(m));

	emit_seen(sink, m, module_path(m));
	emit_by_id(sink, "/usr/lib/debug", &id, ".debug");
	if (alternate)
		emit_seen(sink, m, alternate);
	if (split)
		emit_seen(sink, m, split);
	if (whole_cache || !there)
		emit_by_id(sink, cache, &id, "/elf");
	if (whole_cache)
		emit_by_id(sink, cache, &id, "/debug");
}

void module_paths(const struct pdt_module *m, const char *cache, bool whole_cache,
		  const struct path_sink *sink)
{
	struct build_id id = module_id(m);

	switch (pdt_module_number(m, PDT_MODULE_KIND)) {
	case PDT_MODULE_FILE:
		file_paths(m, cache, whole_cache, sink);
		break;
	case PDT_MODULE_VDSO:
		emit_by_id(sink, cache, &id, "/vdso");
		break;
	case PDT_MODULE_KERNEL:
		if (whole_cache)
			emit_by_id(sink, cache, &id, "/kallsyms");
		break;
	case PDT_MODULE_GUEST: /* in the guest, not on the recording machine */
		break;
	default: /* that of code by a just-in-time compiler is its perf-PID.map */
		emit_seen(sink, m, module_path(m));
	}
}

void tar_line(const char *path, struct buf *out)
{
	size_t left = strlen(path), n;

	for (; left; path += n ? n : 1, left -= n ? n : 1) {
		n = utf8_visible(path, left);
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
		n = utf8_visible(p, left);
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
