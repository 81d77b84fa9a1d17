/* Sort the symbols that are in the capture to the modules that need them. */
#include "parser/names/recorded.h"
#include "parser/base/recorded.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_SIZE 4096u
#define FILES_MAX 4  /* of one name that are looked at */
#define NEST_MAX  16 /* symbols that begin and end within one that goes on */

/* The modules of one name; that a recorder sees is one file. Of some mappings it tells the inode,
 * of others not. */
struct place {
	struct module_job *first; /* has the table of all */
	struct module_job *last;
	struct module_ids known;
	bool ambiguous;	 /* they are not one file */
	unsigned filled; /* how often a file of it came */
};

struct loader {
	struct module_job *jobs;
	size_t count;
	struct intern keys;
	struct place *places; /* by id in KEYS */
	size_t place_cap;
	struct module_job **next; /* by module: the next one of its place; or NULL */
	/* whose symbols come now */
	struct module_job *job;
	uint64_t delta; /* a location's address = a symbol's + delta */
	enum recorded_kind kind;
	uint64_t *wanted; /* addresses that need names, ascending; NULL: all symbols are kept */
	size_t wanted_count;
};

/* ---- which module ---- */

/* "[ext4]", "ext4" and "/lib/modules/6.1/ext4.ko" are one module. */
static void kmodule_key(struct buf *key, const char *path, size_t len)
{
	const char *slash = memrchr(path, '/', len);

	if (slash) {
		len -= (size_t)(slash + 1 - path);
		path = slash + 1;
	}
	for (size_t i = 0; i < len && path[i] != '.'; i++) {
		if (path[i] != '[' && path[i] != ']')
			buf_char(key, path[i] == '-' ? '_' : path[i]);
	}
}

/* What a module and a file of the capture are matched by; empty: nothing. */
static void make_key(struct buf *key, enum recorded_kind kind, const char *path, size_t len)
{
	key->len = 0;
	switch (kind) {
	case RECORDED_KERNEL:
		buf_char(key, 'k');
		break;
	case RECORDED_KMODULE:
		buf_char(key, 'm');
		kmodule_key(key, path, len);
		break;
	case RECORDED_PERF_MAP:
		buf_str(key, "f/tmp/");
		buf_add(key, path, len);
		break;
	default:
		buf_char(key, 'f');
		buf_add(key, path, len);
	}
}

static enum recorded_kind kind_of_module(const struct module *m)
{
	static const enum recorded_kind kinds[PDT_MODULE_KINDS] = {
		[PDT_MODULE_FILE] = RECORDED_ELF,	 [PDT_MODULE_KERNEL] = RECORDED_KERNEL,
		[PDT_MODULE_KMODULE] = RECORDED_KMODULE, [PDT_MODULE_BPF] = RECORDED_UNKNOWN,
		[PDT_MODULE_VDSO] = RECORDED_ELF,	 [PDT_MODULE_JIT] = RECORDED_ELF,
		[PDT_MODULE_JITDUMP] = RECORDED_UNKNOWN,
	};

	return kinds[m->kind];
}

/* Is J the file that the others are, as far as that is known? */
static bool joins(struct place *p, const struct module_job *j)
{
	const struct build_id *id = &j->module->build_id;
	const struct file_id *file = &j->module->file;

	if (!p->known.build_id.len)
		p->known.build_id = *id;
	if (!p->known.file.inode)
		p->known.file = *file;
	if (id->len && !build_id_equal(id, &p->known.build_id))
		return false;
	return !file->inode ||
	       (file->inode == p->known.file.inode && file->major == p->known.file.major &&
		file->minor == p->known.file.minor);
}

static void join_place(struct loader *l, struct place *p, struct module_job *j)
{
	p->ambiguous |= !joins(p, j);
	l->next[p->last - l->jobs] = j;
	p->last = j;
	j->files->own_symbols = &p->first->files->recorded;
}

static void add_place(struct loader *l, struct module_job *j, struct buf *key)
{
	uint32_t id = (uint32_t)l->keys.count;
	enum recorded_kind kind = kind_of_module(j->module);
	uint32_t found;

	if (kind == RECORDED_UNKNOWN)
		return;
	make_key(key, kind, j->module->path, strlen(j->module->path));
	found = intern_add(&l->keys, key->data, key->len);
	if (found < id) {
		join_place(l, &l->places[found], j);
		return;
	}
	l->places = xgrow(l->places, &l->place_cap, id + 1u, sizeof(*l->places));
	l->places[id] = (struct place){ .first = j, .last = j };
	(void)joins(&l->places[id], j);
}

static void add_places(struct loader *l, const struct machine *machine)
{
	struct buf key = { 0 };
	bool kernel = false;

	for (size_t i = 0; i < l->count; i++)
		kernel |= l->jobs[i].count && l->jobs[i].kind->of_kernel;
	for (size_t i = 0; i < l->count; i++) {
		if (l->jobs[i].count || (kernel && l->jobs[i].module == machine->kernel))
			add_place(l, &l->jobs[i], &key);
	}
	buf_release(&key);
}

/* ---- which symbols ---- */

static void want_those_of(struct loader *l, const struct module_job *j, size_t *cap)
{
	l->wanted = xgrow(l->wanted, cap, l->wanted_count + j->count + 1, sizeof(*l->wanted));
	for (size_t i = 0; i < j->count; i++)
		l->wanted[l->wanted_count++] = j->locs[j->ids[i]].addr;
}

/* The kernel's symbols are those of its modules as well. */
static void want(struct loader *l)
{
	bool kernel = l->kind == RECORDED_KERNEL;
	size_t cap = 0;

	free(l->wanted);
	l->wanted = NULL;
	l->wanted_count = 0;
	if (l->job->o->symbols->unsampled)
		return;
	for (const struct module_job *j = l->job; j && !kernel; j = l->next[j - l->jobs])
		want_those_of(l, j, &cap);
	for (size_t i = 0; i < l->count && kernel; i++) {
		if (l->jobs[i].kind->of_kernel)
			want_those_of(l, &l->jobs[i], &cap);
	}
	if (l->wanted_count)
		qsort(l->wanted, l->wanted_count, sizeof(*l->wanted), compare_numbers);
}

/* Is one of the wanted addresses in [start, end)? */
static bool is_wanted(const struct loader *l, uint64_t start, uint64_t end)
{
	size_t i = first_number(l->wanted, l->wanted_count, start);

	return i < l->wanted_count && l->wanted[i] < end;
}

static uint64_t code_offset(const struct loader *l)
{
	uint64_t least = UINT64_MAX;

	for (const struct module_job *j = l->job; j; j = l->next[j - l->jobs])
		least = j->module->code_pgoff < least ? j->module->code_pgoff : least;
	return least;
}

static uint64_t delta_of(const struct loader *l, const struct recorded_file *f)
{
	switch (f->kind) {
	case RECORDED_KMODULE:
		return l->job->module->start - f->vaddr + (f->has_offset ? f->offset : 0);
	case RECORDED_ELF:
		return (f->has_offset ? f->offset : code_offset(l)) - f->vaddr;
	default:
		return 0;
	}
}

/* hiperf has no other table of build-ids. */
static void note_build_id(const struct loader *l, const struct build_id *id)
{
	for (struct module_job *j = l->job; j && id->len; j = l->next[j - l->jobs]) {
		if (!j->out->recorded.len)
			j->out->recorded = *id;
	}
}

static bool take_file(void *ctx, const struct recorded_file *f)
{
	struct loader *l = ctx;
	struct buf key = { 0 };
	struct place *p;
	uint32_t id;

	make_key(&key, f->kind, f->path, f->path_len);
	id = intern_find(&l->keys, key.data, key.len);
	buf_release(&key);
	p = id == INTERN_NONE ? NULL : &l->places[id];
	/* the first one counts, but that may have had no symbols */
	if (!p || p->ambiguous || p->filled == FILES_MAX ||
	    (p->filled && p->first->files->recorded.count))
		return false;
	if (f->build_id.len && p->first->out->recorded.len &&
	    !build_id_equal(&f->build_id, &p->first->out->recorded))
		return false;
	p->filled++;
	l->job = p->first;
	l->kind = f->kind;
	l->delta = delta_of(l, f);
	note_build_id(l, &f->build_id);
	want(l);
	return true;
}

/* $a, $d, $t, $x, each with an optional .suffix: the assembler's, where code or data begins. */
static bool is_mapping_symbol(const char *name, size_t len)
{
	return len >= 2 && name[0] == '$' && strchr("adtx", name[1]) &&
	       (len == 2 || name[2] == '.');
}

/* simpleperf's "name [module]" of kallsyms */
static size_t without_module(const char *name, size_t len)
{
	const char *blank = len && name[len - 1] == ']' ? memrchr(name, ' ', len) : NULL;

	return blank && blank[1] == '[' ? (size_t)(blank - name) : len;
}

static void take_symbol(void *ctx, uint64_t addr, uint64_t size, const char *name, size_t len)
{
	struct loader *l = ctx;
	struct symtab *t = &l->job->files->recorded;
	struct symbol s = { .start = addr + l->delta, .bind = SYM_GLOBAL };

	s.end = s.start + size < s.start ? UINT64_MAX : s.start + size;
	if (l->kind == RECORDED_KERNEL)
		len = without_module(name, len);
	/* without a name it only ends the one before it */
	if ((size && l->wanted && !is_wanted(l, s.start, s.end)) || is_mapping_symbol(name, len))
		s.name = "";
	else
		s.name = arena_strndup(&t->strings, name, len);
	symtab_add(t, &s);
}

/* ---- the tables ---- */

/* What is behind a symbol: the next start, and whether a symbol there has no size. */
struct behind {
	uint64_t start; /* 0: nothing */
	bool unsized;
};

/* Where a symbol ends whose size is not told. One of the kernel goes on to the next one, as in
 * kallsyms, where there are no gaps between them; the last one up to what perf gives it. In a file
 * it is the assembler's, and is believed to go on to the next of these, if that is not far: between
 * others there may be anything, PLT stubs behind _fini for instance. */
static uint64_t end_of(uint64_t start, const struct behind *b, bool kernel)
{
	if (kernel)
		return b->start ? b->start : (start | (PAGE_SIZE - 1)) + 1 + PAGE_SIZE;
	return b->unsized && b->start - start <= PAGE_SIZE ? b->start : start + 1;
}

static void finish_table(struct symtab *t, bool kernel)
{
	struct behind here = { 0 }, next = { 0 };
	size_t keep = 0;

	symtab_sort(t);
	for (size_t i = t->count; i--;) {
		struct symbol *s = &t->syms[i];
		bool unsized = s->end == s->start;

		if (i + 1 == t->count || s->start != here.start) {
			next = here;
			here = (struct behind){ .start = s->start };
		}
		here.unsized |= unsized;
		if (unsized)
			s->end = end_of(s->start, &next, kernel);
	}
	for (size_t i = 0; i < t->count; i++) {
		if (t->syms[i].name[0])
			t->syms[keep++] = t->syms[i];
	}
	t->count = keep;
}

/* The innermost one. */
static const struct symbol *find_in(const struct symtab *t, uint64_t addr)
{
	size_t low = 0, high = t->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (t->syms[mid].start <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	for (size_t i = 0; i < NEST_MAX && i < low; i++) {
		if (addr < t->syms[low - 1 - i].end)
			return &t->syms[low - 1 - i];
	}
	return NULL;
}

bool recorded_find(const struct names *n, const struct module *m, uint64_t addr,
		   struct symbol_range *out)
{
	const struct module_files *files = &n->files->modules[m->id];
	const struct symbol *s = find_in(files->own_symbols ?: &files->recorded, addr);

	if (!s && m->kind == PDT_MODULE_KMODULE && n->files->recorded_kernel)
		s = find_in(n->files->recorded_kernel, addr);
	if (s)
		*out = symbol_range(s, s->start);
	return s != NULL;
}

bool recorded_suffices(const struct module_job *j)
{
	const struct symbol_options *o = j->o->symbols;

	return j->out->from_capture == j->count && j->count && !o->unsampled && !wants_lines(o);
}

static void count_named(struct module_job *j)
{
	struct symbol_range ignored;

	for (size_t i = 0; i < j->count; i++)
		j->out->from_capture +=
			recorded_find(j->names, j->module, j->locs[j->ids[i]].addr, &ignored);
	if (j->out->from_capture)
		j->out->source = j->o->capture_path;
}

void recorded_load(struct module_job *jobs, size_t count, const struct machine *machine)
{
	struct loader l = { .jobs = jobs, .count = count };
	const struct resolve_options *o = count ? jobs[0].o : NULL;

	if (!o || !o->read_recorded || o->symbols->quirks.knows_no_phones)
		return;
	l.next = xcalloc(count, sizeof(*l.next));
	add_places(&l, machine);
	o->read_recorded(o->recorded, &(struct recorded_sink){ take_file, take_symbol, &l },
			 o->warnings);
	for (size_t i = 0; i < count; i++)
		finish_table(&jobs[i].files->recorded, jobs[i].module->kind == PDT_MODULE_KERNEL);
	if (machine->kernel)
		jobs[0].names->files->recorded_kernel = &jobs[machine->kernel->id].files->recorded;
	for (size_t i = 0; i < count; i++)
		count_named(&jobs[i]);
	intern_release(&l.keys);
	free(l.places);
	free(l.next);
	free(l.wanted);
}
