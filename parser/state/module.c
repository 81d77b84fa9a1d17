/* The list of modules: one for each (kind, path, build-id). */
#include "parser/state/module.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

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

struct module *modules_get(struct modules *m, enum pdt_module_kind kind, const char *path,
			   size_t len, const struct build_id *build_id)
{
	struct buf key = { 0 };
	struct module *mod;
	uint32_t id;

	buf_char(&key, (char)kind);
	if (build_id)
		buf_add(&key, build_id->bytes, build_id->len);
	buf_char(&key, 0);
	buf_add(&key, path, len);
	id = intern_add(&m->keys, key.data, key.len);
	buf_release(&key);
	if (id < m->count)
		return m->list[id];
	mod = arena_alloc(&m->arena, sizeof(*mod));
	memset(mod, 0, sizeof(*mod));
	mod->id = id;
	mod->kind = kind;
	mod->path = arena_strndup(&m->arena, path, len);
	if (build_id)
		mod->build_id = *build_id;
	m->list = xgrow(m->list, &m->cap, m->count + 1, sizeof(*m->list));
	m->list[m->count++] = mod;
	return mod;
}
