/* Opens the files of a module when its code is first run. */
#include "parser/trace/code.h"
#include "parser/base/mem.h"
#include "parser/names/elf/regions.h"
#include "parser/names/pick.h"
#include "parser/names/provider.h"

#include <stdlib.h>
#include <string.h>

/* SIZE bytes at file offset START, where the last ones were. */
struct module_code {
	struct elf_file *file; /* NULL: there is none */
	uint64_t offset;       /* while it is looked for: of code in it */
	uint64_t start;
	size_t size;
	const uint8_t *bytes;
};

static const uint8_t *bytes_at(const struct elf_file *f, uint64_t offset, size_t *left)
{
	uint64_t vaddr;

	return elf_file_vaddr(f, offset, &vaddr) == 0 ? code_bytes(f, vaddr, left) : NULL;
}

static bool take(void *ctx, struct elf_file *f, const char *path)
{
	struct module_code *m = ctx;
	size_t left;

	(void)path;
	if (bytes_at(f, m->offset, &left)) {
		m->file = f;
		return true;
	}
	elf_file_free(f);
	return false;
}

static void open_module(struct trace_code *c, struct module_code *code, const struct module *m)
{
	const struct resolve_options ro = { .build_ids = c->meta->build_ids,
					    .build_id_count = c->meta->build_id_count,
					    .build_id_paths = &c->meta->build_id_paths };
	const struct picker picker = { .take = take, .ctx = code };
	struct build_id recorded = module_recorded_id(m, &ro);

	if (!module_places(m)->in_parts)
		return;
	pick_fetch(m, &recorded, c->symbols);
	(void)pick_files(m, &recorded, c->symbols, &picker);
}

static struct module_code *module_code(struct trace_code *c, uint32_t id, uint64_t offset)
{
	c->modules = xgrow_to(c->modules, &c->count, &c->cap, id, sizeof(*c->modules));
	if (!c->modules[id]) {
		c->modules[id] = xcalloc(1, sizeof(**c->modules));
		c->modules[id]->offset = offset;
		open_module(c, c->modules[id], c->machine->modules.list[id]);
	}
	return c->modules[id];
}

size_t trace_code_read(struct trace_code *c, const struct process *p, uint64_t ip, uint8_t *to,
		       size_t len)
{
	const struct map *map = (int64_t)ip >= 0 && p->maps ? maps_find(p->maps, ip) : NULL;
	struct module_code *m;
	uint64_t offset;

	if (!map || !map->exec || map->module == PDT_NONE)
		return 0;
	offset = ip - map->start + map->pgoff;
	m = module_code(c, map->module, offset);
	if (!m->file)
		return 0;
	if (!m->bytes || offset < m->start || offset - m->start >= m->size) {
		m->bytes = bytes_at(m->file, offset, &m->size);
		m->start = offset;
	}
	if (!m->bytes)
		return 0;
	if (len > m->size - (offset - m->start))
		len = m->size - (offset - m->start);
	if (len > map->end - ip)
		len = map->end - ip;
	memcpy(to, m->bytes + (offset - m->start), len);
	return len;
}

void trace_code_release(struct trace_code *c)
{
	for (size_t i = 0; i < c->count; i++) {
		if (c->modules[i])
			elf_file_free(c->modules[i]->file);
		free(c->modules[i]);
	}
	free(c->modules);
	c->modules = NULL;
	c->count = c->cap = 0;
}
