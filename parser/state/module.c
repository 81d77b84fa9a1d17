/* The list of modules: one for each (kind, path, build-id or device and inode). */
#include "parser/state/module.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define MODULE_COST 512 /* bytes of one here, and at least as many where its names are found */

void modules_init(struct modules *m)
{
	memset(m, 0, sizeof(*m));
	arena_init(&m->arena);
	intern_init(&m->keys);
}

void modules_release(struct modules *m)
{
	free(m->list);
	arena_release(&m->arena);
	intern_release(&m->keys);
}

/* The generation is told by the kernel, but not by /proc/PID/maps, from which the recorder has what
 * was mapped before. */
static void add_ids(struct buf *key, const struct module_ids *ids)
{
	buf_add(key, ids->build_id.bytes, ids->build_id.len);
	if (!ids->build_id.len && ids->file.inode)
		buf_add(key, &ids->file, offsetof(struct file_id, generation));
}

/* What a module is known by, but for its path. */
static void make_key(struct buf *key, enum pdt_module_kind kind, const struct module_ids *ids)
{
	buf_char(key, (char)kind);
	if (ids)
		add_ids(key, ids);
	buf_char(key, 0);
}

static struct module *add_module(struct modules *m, enum pdt_module_kind kind, const char *path,
				 size_t len)
{
	struct module *mod = arena_alloc(&m->arena, sizeof(*mod));

	memset(mod, 0, sizeof(*mod));
	mod->id = (uint32_t)m->count;
	mod->kind = kind;
	mod->code_pgoff = UINT64_MAX;
	mod->path = arena_strndup(&m->arena, path, len);
	m->list = xgrow(m->list, &m->cap, m->count + 1, sizeof(*m->list));
	m->list[m->count++] = mod;
	/* the key holds the path, too */
	m->bytes += MODULE_COST + 2 * len;
	return mod;
}

struct module *modules_get(struct modules *m, enum pdt_module_kind kind, const char *path,
			   size_t len, const struct module_ids *ids)
{
	static const char others[] = "[others]";
	struct buf key = { 0 };
	struct module *mod;
	uint32_t id;

	make_key(&key, kind, ids);
	buf_add(&key, path, len);
	id = intern_find(&m->keys, key.data, key.len);
	if (id == INTERN_NONE && m->bytes >= MODULE_BYTES_MAX) {
		m->refused++;
		key.len = 0;
		make_key(&key, kind = PDT_MODULE_FILE, ids = NULL);
		buf_add(&key, path = others, len = sizeof(others) - 1);
	}
	id = intern_add(&m->keys, key.data, key.len);
	buf_release(&key);
	if (id < m->count)
		return m->list[id];
	mod = add_module(m, kind, path, len);
	if (ids) {
		mod->build_id = ids->build_id;
		mod->file = ids->file;
	}
	return mod;
}

uint32_t modules_take(struct modules *m, const struct modules *from, uint32_t id)
{
	const struct interned *key = &from->keys.list[id];
	const struct module *old = from->list[id];
	uint32_t now = intern_add(&m->keys, key->s, key->len);
	struct module *mod;

	if (now < m->count)
		return now;
	mod = add_module(m, old->kind, old->path, strlen(old->path));
	mod->build_id = old->build_id;
	mod->file = old->file;
	return now;
}
