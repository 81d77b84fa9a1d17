/* The providers: which files might hold the symbols of a module. Knows the layouts of the build-id
 * cache, of /usr/lib/debug and of a copied root directory; opens nothing but to read a debug link.
 */
#include "parser/symbols/provider.h"
#include "parser/symbols/elffile.h"
#include "parser/symbols/kmodule.h"

#include <stdlib.h>
#include <string.h>

void build_id_path(struct buf *out, const char *dir, const struct build_id *id, const char *suffix)
{
	char hex[2 * BUILD_ID_MAX + 1];

	build_id_text(id, hex);
	buf_printf(out, "%s/.build-id/%.2s/%s%s", dir, hex, hex + 2, suffix);
}

static bool offer_build_id(const struct search *s, const char *dir, const char *suffix)
{
	struct buf path = { 0 };
	bool done;

	if (s->build_id->len < 2)
		return false;
	build_id_path(&path, dir, s->build_id, suffix);
	done = s->offer(s->ctx, path.data, TRUST_BUILD_ID);
	buf_release(&path);
	return done;
}

/* perf's cache: .build-id/xx/yyyy is a directory with elf, debug, vdso; in old caches the file
 * itself. */
static bool propose_cache(const struct search *s)
{
	const char *dir = s->options->buildid_dir;

	if (!dir)
		return false;
	if (s->module->kind == MODULE_VDSO)
		return offer_build_id(s, dir, "/vdso");
	return offer_build_id(s, dir, "/elf") || offer_build_id(s, dir, "/debug") ||
	       offer_build_id(s, dir, "");
}

static bool offer_joined(const struct search *s, enum trust trust, const char *root,
			 const char *const part[3])
{
	struct buf path = { 0 };
	bool done;

	buf_printf(&path, "%s%s%s%s", root, part[0], part[1], part[2]);
	done = s->offer(s->ctx, path.data, trust);
	buf_release(&path);
	return done;
}

/* Files named by the binary's .gnu_debuglink, beside it and below /usr/lib/debug. */
static bool offer_debuglink(const struct search *s, enum trust trust, const char *root)
{
	const char *path = s->module->path;
	const char *slash = strrchr(path, '/');
	struct buf b = { 0 };
	struct elf_file *f;
	char *dir;
	bool done = false;

	buf_printf(&b, "%s%s", root, path);
	f = elf_file_open(b.data, NULL);
	buf_release(&b);
	if (f && elf_file_info(f)->debuglink && slash) {
		const char *link = elf_file_info(f)->debuglink;

		dir = strndup(path, (size_t)(slash - path) + 1);
		done = offer_joined(s, trust, root, (const char *[]){ dir, link, "" }) ||
		       offer_joined(s, trust, root, (const char *[]){ dir, ".debug/", link });
		if (!done) {
			buf_printf(&b, "%s/usr/lib/debug", root);
			done = offer_joined(s, trust, b.data, (const char *[]){ dir, link, "" });
			buf_release(&b);
		}
		free(dir);
	}
	elf_file_free(f);
	return done;
}

/* A root directory: debug files by link, by build-id and by path, then the binary itself. */
static bool offer_root(const struct search *s, enum trust trust, const char *root)
{
	const char *path = s->module->path;
	struct buf debug = { 0 };
	bool done;

	if (s->module->kind == MODULE_KMODULE)
		return kmodule_offer(s, trust, root);
	if (s->module->kind != MODULE_FILE || path[0] != '/')
		return false;
	buf_printf(&debug, "%s/usr/lib/debug", root);
	done = offer_debuglink(s, trust, root) || offer_build_id(s, debug.data, ".debug") ||
	       offer_joined(s, trust, debug.data, (const char *[]){ path, ".debug", "" }) ||
	       offer_joined(s, trust, debug.data, (const char *[]){ path, "", "" }) ||
	       offer_joined(s, trust, root, (const char *[]){ path, "", "" });
	buf_release(&debug);
	return done;
}

static bool propose_symfs(const struct search *s)
{
	const char *root = s->options->symfs;
	struct buf cache = { 0 };
	bool done;

	if (!root)
		return false;
	buf_printf(&cache, "%s/.debug", root); /* where perf looks for a cache of its own */
	done = offer_root(s, TRUST_USER, root) || offer_build_id(s, cache.data, "/elf");
	buf_release(&cache);
	return done;
}

static bool propose_host(const struct search *s)
{
	/* nothing of this host is even opened for a module that no build-id identifies */
	if (!s->build_id->len && !s->options->allow_unverified)
		return false;
	return offer_root(s, TRUST_HOST, "");
}

static const struct provider symfs = { "symfs", propose_symfs };
static const struct provider cache = { "build-id cache", propose_cache };
static const struct provider host = { "this host", propose_host };

const struct provider *const providers[] = { &symfs, &cache, &host, NULL };
