/* Stacks, locations and their functions, modules, and the code of functions. */
#include "parser/ahead.h"
#include "parser/library/door.h"
#include "parser/pdtool_module.h"
#include "parser/pdtool_record.h"
#include "parser/base/mem.h"
#include "parser/names/disasm/code.h"
#include "parser/names/disasm/single.h"
#include "parser/names/dwarf/srctext.h"
#include "parser/names/names.h"
#include "parser/session/inside.h"
#include "parser/stacks/stacks.h"

#include <stdlib.h>

/* ---- stacks ---- */

/* The kinds of errors are handed out as they are. */
_Static_assert((int)PDT_ERR_IO == (int)ERR_IO && (int)PDT_ERR_FORMAT == (int)ERR_FORMAT &&
		       (int)PDT_ERR_ABSENT == (int)ERR_ABSENT &&
		       (int)PDT_ERR_USAGE == (int)ERR_USAGE,
	       "enum pdt_error begins with enum err");

const char *pdt_comm(const struct pdt_session *s, uint32_t comm)
{
	return s->session ? session_comm(s->session, comm) : NULL;
}

static const struct stacks *stacks_of(const struct pdt_session *s)
{
	return s->session ? session_stacks(s->session) : NULL;
}

struct pdt_stack pdt_stack_at(const struct pdt_session *s, uint32_t stack)
{
	const struct stacks *st = stacks_of(s);
	const struct stack *k;

	if (!st || stack >= st->count)
		return (struct pdt_stack){ .ip = PDT_NONE };
	k = &st->list[stack];
	return (struct pdt_stack){ stack_locs(st, k), k->count, k->flags, stack_ip(st, k) };
}

/* Its chain, where that is kept; NULL: it is not. */
static const struct chain *chain_of(const struct pdt_session *s, uint32_t chain)
{
	const struct chains *c = &s->session->readers.in.chains;

	return chain && chain / CHAIN_CHUNK_UNITS < c->chunk_count ? chains_get(c, chain) : NULL;
}

void stack_ahead(const struct pdt_session *s, uint32_t stack, uint32_t chain)
{
	const struct stacks *st = stacks_of(s);

	if (stack < st->count)
		__builtin_prefetch(&st->list[stack]);
	if (chain != PDT_NONE && chain_of(s, chain))
		__builtin_prefetch(chain_of(s, chain));
}

#define LINE 64 /* bytes of a cache's */

void stack_next(const struct pdt_session *s, uint32_t stack, uint32_t chain)
{
	const struct stacks *st = stacks_of(s);
	const struct stack *k = stack < st->count ? &st->list[stack] : NULL;
	const struct chain *c = chain != PDT_NONE ? chain_of(s, chain) : NULL;

	if (!k || stack_is_deep(k))
		return;
	for (size_t i = 0; i < k->count; i += LINE / sizeof(*st->loc_ids))
		__builtin_prefetch(&st->loc_ids[k->first + i]);
	for (size_t i = LINE / 8; c && i < c->count; i += LINE / 8)
		__builtin_prefetch(&c->values[i]);
}

/* ---- locations ---- */

size_t pdt_location_count(const struct pdt_session *s)
{
	const struct stacks *st = stacks_of(s);

	return st ? st->loc_count : 0;
}

static const struct loc *loc_of(const struct pdt_session *s, uint32_t location)
{
	static const struct loc none = { .module = PDT_NONE };

	return location < pdt_location_count(s) ? &stacks_of(s)->locs[location] : &none;
}

uint64_t pdt_location_offset(const struct pdt_session *s, uint32_t location)
{
	return loc_of(s, location)->addr;
}

int pdt_location_mode(const struct pdt_session *s, uint32_t location)
{
	return loc_of(s, location)->mode;
}

uint32_t pdt_location_module_id(const struct pdt_session *s, uint32_t location)
{
	return loc_of(s, location)->module;
}

static const struct names *names_of(const struct pdt_session *s)
{
	return s->session ? session_names(s->session) : NULL;
}

static const struct loc_name *name_of(const struct pdt_session *s, uint32_t location)
{
	static const struct loc_name none;
	const struct names *n = names_of(s);

	return n && location < n->loc_count ? &n->locs[location] : &none;
}

const char *pdt_location_module(const struct pdt_session *s, uint32_t location)
{
	return name_of(s, location)->module;
}

const char *pdt_location_name(const struct pdt_session *s, uint32_t location)
{
	return name_of(s, location)->name;
}

const char *pdt_location_symbol(const struct pdt_session *s, uint32_t location)
{
	return name_of(s, location)->symbol;
}

uint64_t pdt_location_symbol_offset(const struct pdt_session *s, uint32_t location)
{
	return name_of(s, location)->offset;
}

const uint64_t *pdt_addresses(const struct pdt_session *s, uint32_t chain, uint32_t stack)
{
	const struct stacks *st = stacks_of(s);

	return st && stack < st->count ? session_addresses(s->session, chain, stack) : NULL;
}

/* ---- functions ---- */

size_t pdt_function_count(const struct pdt_session *s, uint32_t location)
{
	const struct names *n = names_of(s);

	return n && location < n->loc_count ? n->locs[location].inline_count + (size_t)1 : 0;
}

struct pdt_function pdt_function_at(const struct pdt_session *s, uint32_t location, size_t i)
{
	const struct loc_name *n = name_of(s, location);

	if (i < n->inline_count)
		return (struct pdt_function){ n->inlines[i].name, n->inlines[i].file,
					      n->inlines[i].line, true };
	if (i > n->inline_count)
		return (struct pdt_function){ 0 };
	return (struct pdt_function){ n->name, n->file, n->line, false };
}

/* ---- modules ---- */

size_t pdt_module_count(const struct pdt_session *s)
{
	const struct names *n = names_of(s);

	return n ? n->module_count : 0;
}

const struct pdt_module *pdt_module_at(const struct pdt_session *s, uint32_t id)
{
	return id < pdt_module_count(s) ? &names_of(s)->modules[id] : NULL;
}

uint32_t pdt_kernel_module(const struct pdt_session *s)
{
	const struct module *kernel = s->session ? session_kernel(s->session) : NULL;

	return kernel ? kernel->id : PDT_NONE;
}

const char *pdt_cgroup(const struct pdt_session *s, uint64_t cgroup)
{
	return s->session ? session_cgroup(s->session, cgroup) : NULL;
}

uint32_t pdt_map_count(const struct pdt_session *s, uint32_t pid)
{
	return s->session ? session_map_count(s->session, pid) : 0;
}

uint32_t pdt_mapped_code(const struct pdt_session *s, uint32_t pid, uint32_t i)
{
	return s->session ? session_mapped_code(s->session, pid, i) : PDT_NONE;
}

const char *pdt_module_text(const struct pdt_module *m, int what)
{
	const char *const list[] = {
		[PDT_MODULE_PATH] = m->module->path,
		[PDT_MODULE_SOURCE] = m->source,
		[PDT_MODULE_DEBUG] = m->debug,
		[PDT_MODULE_ALTERNATE] = m->missing.alt,
		[PDT_MODULE_SPLIT] = m->missing.dwo,
		[PDT_MODULE_UNREADABLE] = m->missing.unreadable,
		[PDT_MODULE_UNUSED] = m->why,
	};

	return what >= 0 && (size_t)what < ARRAY_SIZE(list) ? list[what] : NULL;
}

uint64_t pdt_module_number(const struct pdt_module *m, int what)
{
	const uint64_t list[] = {
		[PDT_MODULE_KIND] = m->module->kind,
		[PDT_MODULE_LOCATIONS] = m->locs,
		[PDT_MODULE_NAMED] = m->named,
		[PDT_MODULE_FROM_CAPTURE] = m->from_capture,
		[PDT_MODULE_UNVERIFIED] = m->unverified,
		[PDT_MODULE_HAD] = m->had,
		[PDT_MODULE_MACHINE] = m->machine,
		[PDT_MODULE_REFUSED] = m->refused_count,
		[PDT_MODULE_BY_INODE] = m->by_inode,
		[PDT_MODULE_CONTAINED] = m->contained,
		[PDT_MODULE_INODE] = m->module->file.inode,
		[PDT_MODULE_PID] = m->module->pid,
	};

	return what >= 0 && (size_t)what < ARRAY_SIZE(list) ? list[what] : 0;
}

const uint8_t *pdt_module_build_id(const struct pdt_module *m, size_t *len)
{
	*len = m->recorded.len;
	return m->recorded.bytes;
}

const char *pdt_module_refused(const struct pdt_module *m, size_t i, const uint8_t **id,
			       size_t *len)
{
	if (i >= m->refused_count || i >= REFUSED_MAX)
		return NULL;
	*id = m->refused[i].id.bytes;
	*len = m->refused[i].id.len;
	return m->refused[i].path;
}

const char *pdt_module_refused_why(const struct pdt_module *m, size_t i)
{
	return i < m->refused_count && i < REFUSED_MAX ? m->refused[i].why : NULL;
}

/* ---- code ---- */

struct code_call {
	const struct session *session;
	const struct pdt_code_query *query;
	struct pdt_code *code;
	bool there;
};

static void load_code(void *arg)
{
	struct code_call *c = arg;
	const struct session *s = c->session;
	const struct code_query q = { s->stacks.locs[c->query->location], &s->options.symbols,
				      c->query };

	c->code = xcalloc(1, sizeof(*c->code));
	c->there = code_load(c->code, &s->names, &q);
}

static void free_code(void *arg)
{
	code_release(arg);
	free(arg);
}

/* What is taken for the code belongs to the session, which is const to who asks. */
static struct owner *owner_of(const struct pdt_session *s)
{
	return (struct owner *)&s->owner;
}

struct locating {
	struct session *session;
	const struct pdt_event *event;
	uint64_t address;
	int mode;
	uint32_t location;
};

static void locate_now(void *arg)
{
	struct locating *l = arg;

	l->location = session_locate(l->session, l->event, l->address, l->mode);
}

int pdt_locate(const struct pdt_session *s, const struct pdt_event *e, uint64_t address, int mode,
	       uint32_t *location)
{
	struct locating l = { s->session, e, address, mode, PDT_NONE };

	*location = PDT_NONE;
	if (!s->session)
		return PDT_ERR_USAGE;
	if (!owner_run(owner_of(s), locate_now, &l))
		return PDT_ERR_MEMORY;
	*location = l.location;
	return l.location == PDT_NONE ? PDT_ERR_USAGE : 0;
}

struct stacking {
	struct session *session;
	const struct pdt_event *event;
	const struct pdt_frame *frames;
	size_t count;
	uint32_t stack;
};

static void stack_now(void *arg)
{
	struct stacking *k = arg;

	k->stack = session_stack(k->session, k->event, k->frames, k->count);
}

int pdt_stack_new(const struct pdt_session *s, const struct pdt_event *e,
		  const struct pdt_frame *frames, size_t count, uint32_t *stack)
{
	struct stacking k = { s->session, e, frames, count, PDT_NONE };

	*stack = PDT_NONE;
	if (!s->session)
		return PDT_ERR_USAGE;
	if (!owner_run(owner_of(s), stack_now, &k))
		return PDT_ERR_MEMORY;
	*stack = k.stack;
	return k.stack == PDT_NONE ? PDT_ERR_USAGE : 0;
}

int pdt_code_new(const struct pdt_session *s, const struct pdt_code_query *q, struct pdt_code **out)
{
	struct code_call c = { .session = s->session, .query = q };

	*out = NULL;
	if (!names_of(s) || q->location >= pdt_location_count(s))
		return PDT_ERR_USAGE;
	if (!owner_run(owner_of(s), load_code, &c))
		return PDT_ERR_MEMORY;
	if (c.there)
		*out = c.code;
	else
		pdt_code_free(s, c.code);
	return c.there ? 0 : PDT_ERR_ABSENT;
}

void pdt_code_free(const struct pdt_session *s, struct pdt_code *c)
{
	if (c)
		(void)!owner_run(owner_of(s), free_code, c);
}

struct single_call {
	struct session *session;
	uint32_t location;
	struct pdt_instruction *out;
	bool there;
};

static void find_single(void *arg)
{
	struct single_call *c = arg;
	struct session *s = c->session;

	if (!s->single)
		s->single = single_new(&s->names, &s->options.symbols);
	c->there = single_at(s->single, s->stacks.locs[c->location], c->out);
}

int pdt_instruction(const struct pdt_session *s, uint32_t location, struct pdt_instruction *out)
{
	struct single_call c = { s->session, location, out, false };

	*out = (struct pdt_instruction){ 0 };
	if (!names_of(s) || location >= pdt_location_count(s))
		return PDT_ERR_USAGE;
	if (!owner_run(owner_of(s), find_single, &c))
		return PDT_ERR_MEMORY;
	return c.there ? 0 : PDT_ERR_ABSENT;
}

struct source_call {
	struct session *session;
	const char *file;
	uint32_t line;
	const char *text;
};

static void find_source(void *arg)
{
	struct source_call *c = arg;
	struct session *s = c->session;

	if (!s->sources)
		s->sources = srctext_new(&s->options.symbols);
	c->text = srctext_line(s->sources, c->file, c->line);
}

const char *pdt_source_line(const struct pdt_session *s, const char *file, uint32_t line)
{
	struct source_call c = { s->session, file, line, NULL };

	return names_of(s) && owner_run(owner_of(s), find_source, &c) ? c.text : NULL;
}

const struct pdt_insn *pdt_insn_at(const struct pdt_code *c, size_t i)
{
	return i < c->count ? &c->insns[i] : NULL;
}

const char *pdt_code_text(const struct pdt_code *c, int what)
{
	const char *const list[] = {
		[PDT_CODE_PATH] = c->path,
		[PDT_CODE_DEBUG] = c->debug,
		[PDT_CODE_MACHINE] = c->machine,
		[PDT_CODE_REFUSAL] = c->refusal,
	};

	return what >= 0 && (size_t)what < ARRAY_SIZE(list) ? list[what] : NULL;
}

uint64_t pdt_code_number(const struct pdt_code *c, int what)
{
	const uint64_t list[] = {
		[PDT_CODE_INSNS] = c->count,
		[PDT_CODE_START] = c->start,
		[PDT_CODE_END] = c->end,
		[PDT_CODE_SHIFT] = c->shift,
		[PDT_CODE_CUT_BYTES] = c->cut_bytes,
		[PDT_CODE_UNNAMED] = c->unnamed,
		[PDT_CODE_STRETCHES] = c->stretches,
		[PDT_CODE_STRETCH_BYTES] = c->stretch_bytes,
		[PDT_CODE_INSIDE] = c->inside,
	};

	return what >= 0 && (size_t)what < ARRAY_SIZE(list) ? list[what] : 0;
}
