/* Lists of files that may hold symbols, and what their names tell. */
#include "parser/names/sources/symfiles.h"
#include "parser/base/mem.h"
#include "parser/names/sources/manifest.h"
#include "parser/names/sources/unpack.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void symfiles_init(struct symfiles *l)
{
	memset(l, 0, sizeof(*l));
	intern_init(&l->paths);
}

void symfiles_release(struct symfiles *l)
{
	free(l->list);
	intern_release(&l->paths);
}

struct symfile *symfiles_add(struct symfiles *l, const struct symfile *f)
{
	size_t len = strlen(f->path);
	uint32_t id = intern_add(&l->paths, f->path, len);
	struct symfile *out;

	l->list = xgrow(l->list, &l->cap, id + 1u, sizeof(*l->list));
	out = &l->list[id];
	if (id == l->count)
		l->count++;
	*out = *f;
	out->path = intern_str(&l->paths, id);
	/* the name is the end of the path */
	out->name = out->path + len - strlen(f->name);
	return out;
}

const struct symfile *symfiles_find(const struct symfiles *l, const char *path)
{
	uint32_t id = intern_find(&l->paths, path, strlen(path));

	return id == INTERN_NONE ? NULL : &l->list[id];
}

const char *symfile_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Does NAME end with PATH, which begins with a slash? The root, that of debug files, or any other
 * directory may come before it. */
static bool ends_with_path(const char *name, size_t len, const char *path)
{
	size_t n = strlen(path);

	return (len >= n && !memcmp(name + len - n, path, n)) ||
	       (len + 1 == n && !memcmp(name, path + 1, len));
}

/* Is NAME a place of a pack or of perf's cache? There the last part says nothing of a path. */
static bool is_filed(const char *name)
{
	static const char files[] = "files/", ids[] = ".build-id/";
	size_t n = sizeof(files) - 1;
	const char *number = name + n;

	if (strstr(name, ids))
		return true;
	return !strncmp(name, files, n) && isdigit((unsigned char)*number) &&
	       number[strspn(number, "0123456789")] == '/';
}

bool symfile_is_at(const struct symfile *f, const char *path)
{
	static const char debug[] = ".debug";
	const char *name = f->name, *inner = strstr(path, "!/");
	size_t len = strlen(name), n = sizeof(debug) - 1;

	if (path[0] != '/' || is_filed(name))
		return false;
	if (inner && ends_with_path(name, len, inner + 1))
		return true; /* F is of the package itself */
	return ends_with_path(name, len, path) ||
	       (len > n && !strcmp(name + len - n, debug) && ends_with_path(name, len - n, path));
}

/* BEFORE digits BEHIND */
static bool is_numbered(const char *base, const char *before, const char *behind)
{
	size_t n = strlen(before);

	if (strncmp(base, before, n) || !isdigit((unsigned char)base[n]))
		return false;
	return !strcmp(base + n + strspn(base + n, "0123456789"), behind);
}

enum symfile_kind symfile_kind(const char *name, const void *head, size_t size)
{
	const char *base = symfile_base(name);

	if (size >= 4 && !memcmp(head, "\177ELF", 4))
		return SYMFILE_ELF;
	if (strstr(base, ".ko.") && unpack_is_packed(head, size))
		return SYMFILE_ELF;
	if (!strcmp(base, "kallsyms"))
		return SYMFILE_KALLSYMS;
	if (!strcmp(name, MANIFEST_NAME))
		return SYMFILE_MANIFEST;
	if (is_numbered(base, "perf-", ".map") || is_numbered(base, "jit-", ".dump"))
		return SYMFILE_JIT;
	return SYMFILE_NONE;
}

/* The first LEN characters of HEX appended to ID; false when they are no bytes, or too many. */
static bool add_hex(struct build_id *id, const char *hex, size_t len)
{
	for (size_t i = 0; i < len; i += 2) {
		char byte[3] = { hex[i], hex[i + 1], 0 };

		if (i + 1 == len || id->len == BUILD_ID_MAX || !isxdigit((unsigned char)byte[0]) ||
		    !isxdigit((unsigned char)byte[1]))
			return false;
		id->bytes[id->len++] = (uint8_t)strtoul(byte, NULL, 16);
	}
	return len > 0;
}

#define FILED_MIN 8 /* bytes of a build-id that a name in hexadecimal is taken for */

struct build_id symfile_filed(const char *name)
{
	struct build_id found = { 0 };
	const char *before = "";

	while (*name) {
		size_t len = strcspn(name, "/");
		struct build_id id = { 0 };
		bool split = strlen(before) > 2 && before[2] == '/' && before + 3 == name;

		if (split && !add_hex(&id, before, 2))
			id.len = 0;
		if (add_hex(&id, name,
			    len > 6 && !strncmp(name + len - 6, ".debug", 6) ? len - 6 : len) &&
		    id.len >= FILED_MIN)
			found = id;
		before = name;
		name += len + (name[len] == '/');
	}
	return found;
}
