/* The providers: which files might hold the symbols of a module. Knows the layouts of the build-id
 * cache, of /usr/lib/debug, of a copied root directory and of the cache of debuginfod's client;
 * opens nothing but to read a debug link. */
#include "parser/names/provider.h"
#include "parser/names/sources/symfiles.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/names/elf/elffile.h"
#include "parser/names/kernel/kmodule.h"
#include "parser/names/sources/sources.h"

#include <stdlib.h>
#include <string.h>

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

static bool offer_filed(const struct search *s, const char *dir, const char *const *suffixes)
{
	for (; *suffixes; suffixes++) {
		if (offer_build_id(s, dir, *suffixes))
			return true;
	}
	return false;
}

static bool propose_cache(const struct search *s)
{
	const char *dir = s->options->buildid_dir;

	return dir && offer_filed(s, dir, module_places(s->module)->cached);
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

/* Files named by the .gnu_debuglink of the binary F, beside it and below DEBUG. */
static bool offer_debuglink(const struct search *s, enum trust trust, const char *root,
			    const char *debug, const struct elf_file *f)
{
	const char *path = s->module->path, *slash = strrchr(path, '/');
	const char *link = f ? elf_file_info(f)->debuglink : NULL;
	char *dir;
	bool done;

	if (!link || !slash)
		return false;
	dir = strndup(path, (size_t)(slash - path) + 1);
	done = offer_joined(s, trust, root, (const char *[]){ dir, link, "" }) ||
	       offer_joined(s, trust, root, (const char *[]){ dir, ".debug/", link }) ||
	       offer_joined(s, trust, debug, (const char *[]){ dir, link, "" });
	free(dir);
	return done;
}

/* "DIR/base.apk!/lib/ABI/NAME.so" as DIR/lib/ISA/NAME.so: where the installer extracts it. */
static bool offer_extracted(const struct search *s, enum trust trust, const char *root)
{
	static const char *const isas[][2] = {
		{ "arm64-v8a/", "arm64/" }, { "armeabi-v7a/", "arm/" }, { "armeabi/", "arm/" },
		{ "x86_64/", "x86_64/" },   { "x86/", "x86/" },		{ "riscv64/", "riscv64/" }
	};
	const char *path = s->module->path, *abi = strstr(path, ".apk!/lib/");
	bool done = false;
	char *dir;

	if (!abi)
		return false;
	dir = strndup(path, (size_t)(abi - path));
	if (strrchr(dir, '/'))
		strrchr(dir, '/')[1] = '\0';
	abi += strlen(".apk!/lib/");
	for (size_t i = 0; i < ARRAY_SIZE(isas) && !done; i++) {
		size_t len = strlen(isas[i][0]);
		struct buf lib = { 0 };

		if (strncmp(abi, isas[i][0], len))
			continue;
		buf_printf(&lib, "lib/%s", isas[i][1]);
		done = offer_joined(s, trust, root, (const char *[]){ dir, lib.data, abi + len });
		buf_release(&lib);
	}
	free(dir);
	return done;
}

/* A root directory: debug files by link, by build-id and by path, then the binary itself. */
static bool offer_file(const struct search *s, enum trust trust, const char *root)
{
	const char *path = s->module->path;
	struct buf own = { 0 }, debug = { 0 };
	struct elf_file *f;
	bool done;

	if (path[0] != '/')
		return false;
	buf_printf(&own, "%s%s", root, path);
	buf_printf(&debug, "%s/usr/lib/debug", root);
	f = elf_file_open(s->options->reach, own.data, NULL);
	done = offer_debuglink(s, trust, root, debug.data, f) ||
	       offer_build_id(s, debug.data, ".debug") ||
	       offer_joined(s, trust, debug.data, (const char *[]){ path, ".debug", "" }) ||
	       offer_joined(s, trust, debug.data, (const char *[]){ path, "", "" });
	if (done)
		elf_file_free(f);
	else if (f)
		done = s->offer_opened(s->ctx, f, own.data, trust);
	else
		done = s->offer(s->ctx, own.data, trust);
	buf_release(&own);
	buf_release(&debug);
	return done || offer_extracted(s, trust, root);
}

/* ---- the kinds ---- */

static bool is_kernel_entry(const struct build_id_entry *e)
{
	return (e->misc & MISC_CPUMODE_MASK) == MISC_KERNEL &&
	       (!strncmp(e->path, "[kernel", 7) || strstr(e->path, "vmlinux"));
}

static bool is_vdso_entry(const struct build_id_entry *e)
{
	return (e->misc & MISC_CPUMODE_MASK) != MISC_KERNEL && !strncmp(e->path, "[vdso", 5);
}

/* perf's cache: .build-id/xx/yyyy is a directory with elf, debug, vdso; in old caches the file
 * itself. Debug files are filed as yyyy.debug. */
#define CACHED .cached = { "/elf", "/debug", "" }
#define FILED  .filed = { "/elf", "/debug", "", ".debug" }

static const struct module_places places[] = {
	[PDT_MODULE_FILE] = { .below_root = offer_file,
			      .by_path = true,
			      .in_parts = true,
			      CACHED,
			      FILED },
	[PDT_MODULE_KMODULE] = { .below_root = kmodule_offer, .by_path = true, CACHED, FILED },
	[PDT_MODULE_VDSO] = { .is_entry = is_vdso_entry,
			      .in_parts = true,
			      .kernel_image = true,
			      .cached = { "/vdso" },
			      .filed = { "/vdso" } },
	[PDT_MODULE_KERNEL] = { .is_entry = is_kernel_entry }, /* see kernel/kernel.h */
	[PDT_MODULE_BPF] = { 0 },
	[PDT_MODULE_JIT] = { 0 },
	[PDT_MODULE_JITDUMP] = { 0 },
	[PDT_MODULE_GUEST] = { 0 },
};

const struct module_places *module_places(const struct module *m)
{
	return &places[m->kind];
}

static bool offer_root(const struct search *s, enum trust trust, const char *root)
{
	const struct module_places *p = module_places(s->module);

	return p->below_root && p->below_root(s, trust, root);
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

/* debuginfod's client: DIR/BUILD-ID/debuginfo and executable; an empty file: the server has none.
 */
static bool offer_client_cache(const struct search *s, const char *dir)
{
	char hex[2 * BUILD_ID_MAX + 1];

	build_id_text(s->build_id, hex);
	return *hex &&
	       (offer_joined(s, TRUST_BUILD_ID, dir, (const char *[]){ "/", hex, "/executable" }) ||
		offer_joined(s, TRUST_BUILD_ID, dir, (const char *[]){ "/", hex, "/debuginfo" }));
}

static bool propose_client_cache(const struct search *s)
{
	return s->options->debuginfod_cache && offer_client_cache(s, s->options->debuginfod_cache);
}

/* ---- sources that the user named ---- */

/* A directory may be any of them, or several: the cache, a tree of debug files, a root. */
static bool offer_dir(const struct search *s, const char *dir)
{
	const char *path = s->module->path;

	return offer_filed(s, dir, module_places(s->module)->filed) || offer_client_cache(s, dir) ||
	       offer_root(s, TRUST_USER, dir) ||
	       (path[0] == '/' &&
		offer_joined(s, TRUST_USER, dir, (const char *[]){ path, ".debug", "" }));
}

/* Why F should be offered. Files of that name and another build-id, too: they will be refused, and
 * the user is told so. */
enum claim { CLAIM_NONE, CLAIM_NAME, CLAIM_PATH, CLAIM_FILED, CLAIM_ID };

static enum claim claim_of(const struct search *s, const struct symfile *f)
{
	const char *path = s->module->path;

	if (f->kind != SYMFILE_ELF)
		return CLAIM_NONE;
	if (build_id_equal(&f->id, s->build_id))
		return CLAIM_ID;
	if (build_id_equal(&f->filed, s->build_id))
		return CLAIM_FILED;
	if (symfile_is_at(f, path))
		return CLAIM_PATH;
	if (s->build_id->len && !strcmp(symfile_base(f->name), symfile_base(path)))
		return CLAIM_NAME;
	return CLAIM_NONE;
}

static bool offer_files(const struct search *s, const struct symfiles *l)
{
	for (enum claim claim = CLAIM_ID; claim > CLAIM_NONE; claim--) {
		for (size_t i = 0; i < l->count; i++) {
			enum trust trust = claim == CLAIM_PATH ? TRUST_USER : TRUST_BUILD_ID;

			if (claim_of(s, &l->list[i]) == claim &&
			    s->offer(s->ctx, l->list[i].path, trust))
				return true;
		}
	}
	return false;
}

static bool is_vdso(const struct symfile *f)
{
	const char *base = symfile_base(f->name), *dot = strrchr(base, '.');

	return f->kind == SYMFILE_ELF && !strcmp(dot ? dot + 1 : base, "vdso");
}

/* perf records no build-id for a vdso that no sample hit itself. It has no path, either: what is
 * called one is taken for it, where there is but one. */
static bool offer_lone_vdso(const struct search *s, const struct symfiles *l)
{
	const struct symfile *found = NULL;

	if (!module_places(s->module)->kernel_image || s->build_id->len)
		return false;
	for (size_t i = 0; i < l->count; i++) {
		if (!is_vdso(&l->list[i]))
			continue;
		if (found)
			return false;
		found = &l->list[i];
	}
	return found && s->offer(s->ctx, found->path, TRUST_USER);
}

static bool propose_sources(const struct search *s)
{
	struct sources *sources = s->options->sources;

	for (size_t i = 0; i < sources_count(sources); i++) {
		const char *dir = sources_dir(sources, i);

		if ((dir && offer_dir(s, dir)) || offer_files(s, sources_files(sources, i)) ||
		    offer_lone_vdso(s, sources_files(sources, i)))
			return true;
	}
	return false;
}

static bool propose_host(const struct search *s)
{
	/* nothing of this host is even opened for a module that no build-id identifies */
	return trust_host(s->options, s->build_id->len) && offer_root(s, TRUST_HOST, s->host_root);
}

static const struct provider symfs = { "symfs", propose_symfs };
static const struct provider sources = { "sources", propose_sources };
static const struct provider cache = { "build-id cache", propose_cache };
static const struct provider host = { "this host", propose_host };

const struct provider client_cache = { "debuginfod's cache", propose_client_cache };

const struct provider *const providers[] = { &symfs, &sources, &cache, &host, &client_cache, NULL };
