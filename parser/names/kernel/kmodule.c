/* Find a kernel module's file; lay out its code. */
#include "parser/names/kernel/kmodule.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/names/sources/symfiles.h"

#include <stdlib.h>
#include <string.h>

#include <gelf.h>
#include <libelf.h>

/* ---- candidates ---- */

/* The module as it is installed, in every form: the recorded machine may have packed it, or the
 * copy was unpacked. Bytes of PATH up to ".ko", 0 when that is not there. */
static size_t stem_of(const char *path)
{
	static const char *const tails[] = { ".ko", ".ko.gz", ".ko.xz", ".ko.zst" };
	size_t len = strlen(path);

	for (size_t i = 0; i < ARRAY_SIZE(tails); i++) {
		size_t n = strlen(tails[i]);

		if (len > n && !strcmp(path + len - n, tails[i]))
			return len - n;
	}
	return 0;
}

static bool offer_below(const struct search *s, enum trust trust, const char *dir,
			const char *const *tails)
{
	const char *path = s->module->path;
	struct buf b = { 0 };
	bool done = false;

	for (; *tails && !done; tails++) {
		b.len = 0;
		buf_printf(&b, "%s%.*s%s", dir, (int)stem_of(path), path, *tails);
		done = s->offer(s->ctx, b.data, trust);
	}
	buf_release(&b);
	return done;
}

bool kmodule_offer(const struct search *s, enum trust trust, const char *root)
{
	static const char *const debug_tails[] = { ".ko.debug", ".ko", NULL };
	static const char *const tails[] = { ".ko", ".ko.xz", ".ko.zst", ".ko.gz", NULL };
	const char *path = s->module->path;
	struct buf dir = { 0 };
	bool done = false;

	if (s->build_id->len >= 2) {
		buf_printf(&dir, "%s/usr/lib/debug", root);
		build_id_path(&dir, "", s->build_id, ".debug");
		done = s->offer(s->ctx, dir.data, TRUST_BUILD_ID);
	}
	if (!done && path[0] == '/' && stem_of(path)) {
		dir.len = 0;
		buf_printf(&dir, "%s/usr/lib/debug", root);
		done = offer_below(s, trust, dir.data, debug_tails) ||
		       offer_below(s, trust, root, tails);
	}
	buf_release(&dir);
	return done;
}

/* ---- name ---- */

const char *kmodule_shown(const char *path, struct arena *arena)
{
	const char *base = symfile_base(path);
	size_t len = strcspn(base, ".");
	char *name;

	if (path[0] == '[')
		return path;
	name = arena_bytes(arena, len + 3);
	name[0] = '[';
	for (size_t i = 0; i < len; i++)
		name[i + 1] = base[i] == '-' ? '_' : base[i];
	name[len + 1] = ']';
	name[len + 2] = '\0';
	return name;
}

/* ---- layout ---- */

static bool is_code(const GElf_Shdr *sh, const char *name)
{
	const GElf_Xword flags = SHF_ALLOC | SHF_EXECINSTR;

	return (sh->sh_flags & flags) == flags && strncmp(name, ".init", 5) != 0;
}

/* The kernel sizes it when it loads the module: nothing behind it is known. */
static bool is_trampolines(const char *name)
{
	return !strncmp(name, ".plt", 4);
}

static uint64_t aligned(uint64_t at, uint64_t to)
{
	return to && !(to & (to - 1)) ? (at + to - 1) & ~(to - 1) : at;
}

/* Walks the sections in their order. */
struct layout {
	bool begun, ended; /* .text was seen; what follows is not known */
	uint64_t end;	   /* of what is placed so far */
};

static uint64_t place(struct layout *l, const GElf_Shdr *sh, const char *name)
{
	uint64_t at;

	if (!(sh->sh_flags & SHF_ALLOC))
		return 0;
	l->begun |= !strcmp(name, ".text");
	l->ended |= l->begun && is_trampolines(name);
	at = aligned(l->end, sh->sh_addralign);
	if (!l->begun || l->ended || !is_code(sh, name) || at > PLACE_ELSEWHERE ||
	    sh->sh_size > PLACE_ELSEWHERE - at)
		return PLACE_ELSEWHERE + sh->sh_offset;
	l->end = at + sh->sh_size;
	return at;
}

int section_places_find(struct section_places *p, struct elf_file *f)
{
	Elf *elf = elf_file_elf(f);
	struct layout l = { 0 };
	Elf_Scn *scn = NULL;
	size_t names;

	*p = (struct section_places){ 0 };
	if (elf_file_info(f)->type != ET_REL || elf_getshdrnum(elf, &p->count) ||
	    elf_getshdrstrndx(elf, &names))
		return ERR_FORMAT;
	p->list = xcalloc(p->count + 1, sizeof(*p->list));
	while ((scn = elf_nextscn(elf, scn))) {
		size_t index = elf_ndxscn(scn);
		const char *name;
		GElf_Shdr sh;

		if (index >= p->count || !gelf_getshdr(scn, &sh))
			continue;
		name = elf_strptr(elf, names, sh.sh_name);
		p->list[index] = place(&l, &sh, name ?: "");
	}
	if (l.begun)
		return 0;
	section_places_release(p);
	return ERR_FORMAT;
}

void section_places_release(struct section_places *p)
{
	free(p->list);
	*p = (struct section_places){ 0 };
}
