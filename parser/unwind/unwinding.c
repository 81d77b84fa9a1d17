/* Unwind the user stacks that were kept, intern what comes out. */
#include "parser/unwind/unwinding.h"
#include "parser/unwind/arch.h"
#include "parser/base/abi.h"
#include "parser/base/idmap.h"
#include "parser/base/mem.h"
#include "parser/feed/userstack.h"
#include "parser/names/pick.h"
#include "parser/names/provider.h"
#include "parser/names/reach.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#define CHAIN_MAX (UINT16_MAX - 3 - UNWIND_FRAMES_MAX) /* kernel values beside user frames */
#define ARM64_LR  USER_STACK_ARM64_LR
#define ARM64_SP  (1ull << 31)
#define ARM64_PC  (1ull << 32)

/* Most stacks are not deeper. Deeper ones are unwound again, with more room. */
#define AHEAD_FRAMES 128

/* A sample that was unwound ahead, and what it depends on. */
struct foreseen {
	const uint8_t *payload;
	const struct maps *maps;
	uint32_t process; /* index in the machine's */
	uint32_t space;
};

struct unwinding {
	struct unwinding_options o;
	struct unwinder *unwinder;
	uint64_t *values; /* of a chain */
	size_t values_cap;
	/* the samples that were unwound ahead, in their order */
	struct foreseen *foreseen;
	struct unwind_walk *walks;
	uint64_t *frames; /* AHEAD_FRAMES and some for each walk */
	size_t next, count, cap;
	size_t far; /* how many of them make sense: fewer when it was in vain */
	/* whose files were asked for their architecture */
	struct idmap asked;
	uint32_t asked_space;
};

static struct unwind_sample sample_of(const struct unwinding *u, const uint8_t *kept)
{
	struct user_stack k;

	user_stack_read(&k, kept);
	return (struct unwind_sample){
		.arch = unwind_arch_find(u->o.capture->meta.arch, k.abi),
		.no_arch = u->o.capture->meta.arch ? UNWIND_BAD_ARCH : UNWIND_NO_ARCH,
		.regs = { k.mask, k.regs, k.swap },
		.stack = k.stack,
		.stack_bytes = k.stack_bytes,
	};
}

/* ---- what the unwinder asks for ---- */

static bool find_place(void *ctx, void *process, uint64_t addr, struct unwind_place *out)
{
	struct unwinding *u = ctx;
	struct process *p = process;
	struct map *map;
	const struct module *m;

	*out = (struct unwind_place){ 0 };
	if (p->code && codemap_find(p->code, addr, &out->offset)) {
		out->module = codemap_module(p->code);
		out->is_dump = out->exec = true;
		return true;
	}
	map = p->maps ? maps_find(p->maps, addr) : NULL;
	/* by several threads: they all write the same */
	if (!map) {
		__atomic_store_n(&p->missed, true, __ATOMIC_RELAXED);
		return false;
	}
	if (!__atomic_load_n(&map->used, __ATOMIC_RELAXED))
		__atomic_store_n(&map->used, true, __ATOMIC_RELAXED);
	m = u->o.machine->modules.list[map->module];
	out->offset = addr - map->start + map->pgoff;
	out->module = map->module;
	out->is_file = module_places(m)->in_parts;
	out->bytes = out->is_file && m->path[0] != '[' && strncmp(m->path, "//", 2) != 0;
	out->exec = map->exec;
	out->vdso = m->kind == PDT_MODULE_VDSO;
	return true;
}

static bool is_elsewhere(void *ctx, void *process, uint64_t addr)
{
	const struct process *p = process;
	const struct map *map = p->maps ? maps_find(p->maps, addr) : NULL;

	(void)ctx;
	for (uint32_t i = 0; map && i < maps_count(p->maps); i++) {
		const struct map *other = maps_at(p->maps, i);

		if (other->module == map->module &&
		    other->start - other->pgoff < map->start - map->pgoff)
			return true;
	}
	return false;
}

/* Where files are taken to. */
struct taking {
	struct unwind_files *out;
	struct reach *reach;
};

/* True when nothing more is needed. */
static bool take_file(void *ctx, struct elf_file *f, const char *path)
{
	const struct taking *t = ctx;
	struct unwind_files *out = t->out;
	bool used = false;

	if (!out->runtime && (elf_file_has(f, ".eh_frame") || elf_file_has(f, ".text"))) {
		out->runtime = f;
		used = true;
	}
	if (!out->debug && elf_file_has(f, ".debug_frame")) {
		out->debug = f;
		used = true;
	}
	if (elf_file_limited(f))
		reach_limit(t->reach, path, ELF_INFLATED_WHY);
	if (!used)
		elf_file_free(f);
	return out->runtime && out->debug;
}

static void open_files(void *ctx, uint32_t module, struct unwind_files *out)
{
	struct unwinding *u = ctx;
	const struct capture_meta *meta = &u->o.capture->meta;
	const struct module *m = u->o.machine->modules.list[module];
	struct resolve_options ro = { .build_ids = meta->build_ids,
				      .build_id_count = meta->build_id_count,
				      .build_id_paths = &meta->build_id_paths };
	struct taking taking = { out, u->o.symbols->reach };
	const struct picker picker = { .take = take_file, .ctx = &taking };
	struct build_id recorded = module_recorded_id(m, &ro);

	out->dump = u->o.jit_dump(u->o.jit, module);
	if (out->dump)
		return;
	pick_fetch(m, &recorded, u->o.symbols);
	(void)pick_files(m, &recorded, u->o.symbols, &picker);
}

static const char *arch_of(struct unwinding *u, uint32_t module)
{
	struct unwind_files files = { 0 };
	const char *arch = NULL;

	open_files(u, module, &files);
	if (files.runtime || files.debug)
		arch = arch_by_file(files.runtime ?: files.debug);
	if (files.debug != files.runtime)
		elf_file_free(files.debug);
	elf_file_free(files.runtime);
	return arch;
}

void unwinding_find_arch(struct unwinding *u, const struct process *p)
{
	struct capture_meta *meta = &u->o.capture->meta;

	arch_find(u->o.capture, u->o.symbols->arch);
	if (!p->maps || p->space == u->asked_space)
		return;
	u->asked_space = p->space;
	for (uint32_t i = 0; i < maps_count(p->maps) && !meta->arch; i++) {
		const struct map *map = maps_at(p->maps, i);
		const struct module *m = map ? u->o.machine->modules.list[map->module] : NULL;

		if (!m || !map->exec || !module_places(m)->in_parts ||
		    idmap_get(&u->asked, map->module) != IDMAP_NONE)
			continue;
		*idmap_put(&u->asked, map->module) = 0;
		meta->arch = arch_of(u, map->module);
		meta->arch_by = meta->arch ? m->path : NULL;
	}
}

/* ---- ahead ---- */

static const struct quirks *quirks(const struct unwinding *u)
{
	return &u->o.symbols->quirks;
}

static unsigned frames_max(const struct unwinding *u)
{
	return quirks(u)->unwinds_max_stack ? PERF_MAX_STACK : UNWIND_FRAMES_MAX;
}

/* perf has hooks for libunwind on these; on others it has libdw (tools/perf/arch, the files called
 * unwind-libunwind.c and unwind-libdw.c). */
static enum unwind_as perf_library(const struct unwind_arch *a)
{
	bool libunwind = a && (a->machine == EM_X86_64 || a->machine == EM_386 ||
			       a->machine == EM_ARM || a->machine == EM_AARCH64);

	return libunwind ? UNWIND_AS_LIBUNWIND : UNWIND_AS_LIBDW;
}

static struct unwind_sample sample_in(const struct unwinding *u, struct process *p,
				      const struct pending *s)
{
	struct unwind_sample out = sample_of(u, s->payload + s->payload_size);

	out.process = p;
	out.space = process_space(u->o.machine, p);
	out.as = quirks(u)->unwinds_by_library ? perf_library(out.arch) : UNWIND_AS_IT_IS;
	/* then perf takes the last word of a copy for missing
	 * (tools/perf/util/unwind-libunwind-local.c, access_mem) */
	if (out.stack_bytes)
		out.stack_bytes -= out.as == UNWIND_AS_LIBUNWIND;
	return out;
}

/* The process of a sample whose time has not come, if it is known by now. */
static struct process *process_of(const struct unwinding *u, const struct pending *s)
{
	const struct machine *m = u->o.machine;
	uint32_t i = machine_tid(m, s->tid);

	if (i == TASKIDS_NONE || m->threads[i].pid != s->pid)
		return NULL;
	return &m->processes[m->threads[i].process];
}

static void foresee(struct unwinding *u, const struct pending *s)
{
	struct process *p = process_of(u, s);
	struct unwind_walk *w = &u->walks[u->count];

	if (!p)
		return;
	*w = (struct unwind_walk){ .sample = sample_in(u, p, s),
				   .frames = u->frames + u->count * (AHEAD_FRAMES + 8),
				   .max = AHEAD_FRAMES < frames_max(u) ? AHEAD_FRAMES
								       : frames_max(u) };
	if (!w->sample.stack_bytes)
		return;
	u->foreseen[u->count++] =
		(struct foreseen){ .payload = s->payload,
				   .maps = p->maps,
				   .process = (uint32_t)(p - u->o.machine->processes),
				   .space = w->sample.space };
}

static void make_room(struct unwinding *u, size_t count)
{
	if (count <= u->cap)
		return;
	u->cap = count;
	u->foreseen = xrealloc(u->foreseen, count * sizeof(*u->foreseen));
	u->walks = xrealloc(u->walks, count * sizeof(*u->walks));
	u->frames = xrealloc(u->frames, count * (AHEAD_FRAMES + 8) * sizeof(*u->frames));
}

/* Or only registers? */
static bool has_stack(const struct pending *s)
{
	struct user_stack k;

	user_stack_read(&k, s->payload + s->payload_size);
	return k.stack_bytes != 0;
}

void unwinding_ahead(struct unwinding *u, const struct pending *items, size_t count)
{
	if ((u->next < u->count && u->foreseen[u->next].payload == items->payload) ||
	    !has_stack(items))
		return;
	u->next = u->count = 0;
	if (count > u->far)
		count = u->far;
	u->far = u->far * 2 < UNWINDING_AHEAD_MAX ? u->far * 2 : UNWINDING_AHEAD_MAX;
	make_room(u, count);
	for (size_t i = 0; i < count; i++) {
		if (items[i].flags & PENDING_USER)
			foresee(u, &items[i]);
	}
	unwind(u->unwinder, u->walks, u->count, u->o.jobs);
}

/* The walk of S, if it was made ahead and holds. */
static const struct unwind_walk *foreseen(struct unwinding *u, const struct process *p,
					  const struct pending *s)
{
	const struct foreseen *f;
	const struct unwind_walk *w;

	if (u->next == u->count)
		return NULL;
	f = &u->foreseen[u->next];
	w = &u->walks[u->next];
	if (f->payload != s->payload)
		return NULL;
	u->next++;
	/* another thread may have written it */
	if (u->next + 2 < u->count) {
		__builtin_prefetch(w[3].frames);
		__builtin_prefetch(w[3].frames + 8);
	}
	if (p == &u->o.machine->processes[f->process] && p->maps == f->maps &&
	    process_space(u->o.machine, u->o.machine->processes + f->process) == f->space &&
	    (w->end != UNWIND_DEPTH || w->max == frames_max(u)))
		return w;
	/* what comes after it is likely to be in vain, too */
	u->count = u->next;
	u->far = u->far / 4 ? u->far / 4 : 1;
	return NULL;
}

/* ---- chains ---- */

struct unwinding *unwinding_new(const struct unwinding_options *o)
{
	struct unwinding *u = xcalloc(1, sizeof(*u));
	struct unwind_source source = { find_place, open_files, u, is_elsewhere };

	u->o = *o;
	u->far = 16;
	u->unwinder = unwinder_new(&source, UNWIND_TABLES_MAX);
	return u;
}

void unwinding_free(struct unwinding *u)
{
	if (!u)
		return;
	unwinder_free(u->unwinder);
	idmap_release(&u->asked);
	free(u->values);
	free(u->foreseen);
	free(u->walks);
	free(u->frames);
	free(u);
}

struct unwind_stats unwinding_stats(const struct unwinding *u)
{
	return u ? unwinder_stats(u->unwinder) : (struct unwind_stats){ 0 };
}

/* How many values of a chain come before its user part. A sampled address that stands in for a
 * chain is kept when it is the kernel's. */
static unsigned kernel_part(const struct chain *c)
{
	unsigned n = chain_start(c);

	while (n < c->count && c->values[n] != CONTEXT_USER &&
	       c->values[n] != CONTEXT_USER_DEFERRED)
		n++;
	return n;
}

/* One step from PC, where the stack is not known: the link register or nothing. 0: nothing. */
static uint64_t leaf_caller(struct unwinding *u, const struct unwind_sample *s, uint64_t pc)
{
	uint64_t regs[3] = { 0, 0, pc }, frames[2], lr;
	struct unwind_walk w = { .frames = frames, .max = 2, .sample = *s };

	memcpy(regs, s->regs.values, sizeof(*regs));
	if (s->regs.swap)
		regs[0] = __builtin_bswap64(regs[0]);
	lr = regs[0] & s->arch->code_mask;
	w.sample.regs.mask = ARM64_LR | ARM64_SP | ARM64_PC;
	w.sample.regs.values = (const uint8_t *)regs;
	w.sample.regs.swap = false;
	unwind(u->unwinder, &w, 1, 1);
	/* where the frame hangs on a register that was not recorded, perf's library takes what is
	 * left in the link register (libunwind: src/aarch64/Gstep.c) */
	if (s->as == UNWIND_AS_LIBUNWIND && w.count == 1 && w.end == UNWIND_BAD_FRAME)
		return lr - 1;
	return w.count == 2 ? frames[1] : 0;
}

/* The chain with the leaf's caller where it is missing. perf adds it also where only the one that
 * it subtracts makes a difference. */
static uint32_t with_leaf_caller(struct unwinding *u, const struct unwind_sample *s,
				 struct chains *c, uint32_t id)
{
	const struct chain *chain = chains_whole(c, id);
	unsigned start = chain_start(chain), leaf = kernel_part(chain) + 1;
	struct chain_ip own = chain_own(chain);
	struct chain_ref ref;
	uint64_t caller, next;

	if (chain_kind(chain) != CHAIN_RECORDED || leaf + 1 >= chain->count ||
	    chain->count == UINT16_MAX || !s->arch || s->arch->machine != EM_AARCH64)
		return id;
	next = chain->values[leaf + 1];
	caller = leaf_caller(u, s, chain->values[leaf]);
	if (!caller || caller == next || (s->as == UNWIND_AS_IT_IS && caller + 1 == next))
		return id;
	u->values = xgrow(u->values, &u->values_cap, chain->count + 1u, sizeof(*u->values));
	memcpy(u->values, chain->values, (leaf + 1) * sizeof(*u->values));
	u->values[leaf + 1] = caller;
	memcpy(u->values + leaf + 2, chain->values + leaf + 1,
	       (chain->count - leaf - 1) * sizeof(*u->values));
	chain_ref_init(&ref, CHAIN_RECORDED, u->values + start,
		       (uint16_t)(chain->count + 1 - start), &own);
	chains_begin(c, &ref);
	return chains_add(c, &ref);
}

/* The chain of sample S with what W found in place of its user part. That begins where the sampled
 * registers were, which need not be S's own address. */
static uint32_t with_walk(struct unwinding *u, struct chains *c, const struct pending *s,
			  const struct unwind_walk *w)
{
	const struct pdt_desc *d = u->o.capture->events.descs[s->desc];
	const struct chain *chain = chains_whole(c, s->chain);
	unsigned start = chain_start(chain), n = kernel_part(chain) - start;
	unsigned max = quirks(u)->unwinds_max_stack ? PERF_MAX_STACK : CHAIN_MAX;
	struct chain_ip own = chain_own(chain);
	struct chain_ref ref;

	if (n > max)
		n = max;
	/* a recorder that also followed frame pointers may have come further */
	if (!w->count || (w->end != UNWIND_COMPLETE && start + n + 1 + w->count < chain->count))
		return s->chain;
	u->values = xgrow(u->values, &u->values_cap, n + 1 + w->count, sizeof(*u->values));
	memcpy(u->values, chain->values + start, n * sizeof(*u->values));
	u->values[n++] = CONTEXT_USER;
	memcpy(u->values + n, w->frames, w->count * sizeof(*u->values));
	own.known &= d->attr.sample_type & SAMPLE_IP;
	chain_ref_init(&ref, CHAIN_UNWOUND, u->values, (uint16_t)(n + w->count), &own);
	chains_begin(c, &ref);
	return chains_add(c, &ref);
}

uint32_t unwinding_chain(struct unwinding *u, struct process *p, struct chains *c,
			 const struct pending *s)
{
	const struct unwind_walk *w = foreseen(u, p, s);
	uint64_t frames[UNWIND_FRAMES_MAX];
	struct unwind_walk own = { .frames = frames, .max = frames_max(u) };

	if (!w) {
		own.sample = sample_in(u, p, s);
		if (!own.sample.stack_bytes)
			return with_leaf_caller(u, &own.sample, c, s->chain);
		unwind(u->unwinder, &own, 1, 1);
		w = &own;
	}
	unwind_count(u->unwinder, w);
	return with_walk(u, c, s, w);
}

bool unwinding_skips(const struct capture *c)
{
	return c->meta.arch && !strncmp(c->meta.arch, "ppc64", 5);
}

/* The kernel writes down the link register behind the first address, and a return address from the
 * stack behind that, for it cannot know which of the two is valid. */
int unwinding_skip(void *unwinding, struct process *p, const struct chain *c)
{
	struct unwinding *u = unwinding;
	struct unwind_sample s = { .arch = unwind_arch_find(u->o.capture->meta.arch, 2),
				   .process = p,
				   .space = process_space(u->o.machine, p) };
	unsigned user = quirks(u)->skips_without_kernel_only
				? chain_start(c)
				: kernel_part(c); /* perf: only without a kernel part */

	if (chain_kind(c) != CHAIN_RECORDED || user + 2 >= c->count || !s.arch ||
	    c->values[user] != CONTEXT_USER)
		return -1;
	switch (unwinder_ra(u->unwinder, &s, c->values[user + 1])) {
	case RA_SAVED:
		return (int)user + 2;
	case RA_IN_REGISTER_YET:
		return (int)user + 3;
	default:
		return -1;
	}
}
