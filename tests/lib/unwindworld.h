/* What walks over stacks are tested with: a machine made by hand, its files, registers and stack.
 * check_walk() unwinds what set_reg() and set_word() made, and compares. All memory is the world's:
 * world_begin() and world_files() first, world_end() last. */
#ifndef PDTOOL_TESTS_UNWINDWORLD_H
#define PDTOOL_TESTS_UNWINDWORLD_H

#include "parser/unwind/unwind.h"
#include "tests/lib/callframes.h"
#include "tests/lib/unit.h"

#define BIAS  0x7f0000000000ull /* where 64-bit files are mapped */
#define STACK 0x7ffc00001000ull
#define WORDS 64

/* A machine with one process that maps the same file as several modules, one above the other. */
struct world {
	struct image im;
	uint64_t bias, step; /* module N is at bias + N * step */
	unsigned modules;
	bool absent; /* files cannot be opened */
	bool jit;    /* what lies above the last module is code without a file */
	unsigned opened;
	struct unwinder *u;
	/* the sample */
	const struct unwind_arch *arch;
	uint64_t sp, regs[64], mask;
	uint8_t stack[WORDS * 8];
	unsigned stack_bytes;
	enum unwind_as as;
	bool elsewhere; /* the process has the module at a lower place, too */
	/* the answer */
	uint64_t frames[256];
	unsigned count, max;
	enum unwind_end end;
};

static inline bool find(void *ctx, void *process, uint64_t addr, struct unwind_place *out)
{
	struct world *w = ctx;
	uint64_t n = (addr - w->bias) / w->step;

	if (process && process != ctx)
		return false;
	if (addr < w->bias || n > w->modules || (n == w->modules && !w->jit))
		return false;
	*out = (struct unwind_place){ .offset = (addr - w->bias) % w->step,
				      .module = (uint32_t)n,
				      .is_file = n < w->modules,
				      .bytes = n < w->modules,
				      .exec = true };
	return true;
}

static inline void open_files(void *ctx, uint32_t module, struct unwind_files *out)
{
	struct world *w = ctx;

	(void)module;
	w->opened++;
	if (w->absent)
		return;
	out->runtime = elf_file_memory(w->im.b.data, w->im.b.len, NULL);
	out->debug = out->runtime;
}

static inline void world_begin(struct world *w, const char *arch, uint64_t abi, bool big)
{
	memset(w, 0, sizeof(*w));
	w->arch = unwind_arch_find(arch, abi);
	CHECK(w->arch != NULL);
	image_init(&w->im, w->arch->machine, w->arch->word_bytes == 4, big);
	w->bias = w->arch->word_bytes == 4 ? 0x40000000 : BIAS;
	w->sp = w->arch->word_bytes == 4 ? 0xbf000000 : STACK;
	w->step = 0x10000;
	w->modules = 1;
	w->max = 256;
	w->stack_bytes = WORDS * w->arch->word_bytes;
}

/* One function of .debug_frame: [start, start + 0x100), CFA = sp + CFA at its entry, then PROGRAM.
 */
struct function {
	uint64_t start;
	uint8_t program[24];
	uint8_t size;
};

struct frame_section {
	uint8_t initial[8]; /* of the CIE */
	uint8_t initial_size;
	int data_align;
	uint8_t ra;
};

static inline bool elsewhere(void *ctx, void *process, uint64_t addr)
{
	const struct world *w = ctx;

	(void)process;
	return w->elsewhere && addr >= w->bias;
}

static inline void world_files(struct world *w, const struct frame_section *s,
			       const struct function *f, size_t count)
{
	struct unwind_source source = { find, open_files, w, elsewhere };
	struct buf b = { 0 };
	size_t at = frame_begin(&w->im, &b);

	/* entries of a procedure linkage table at 0x1000, 0x1010, 0x1020: no rule is about them */
	image_section(&w->im, ".text",
		      "\xf3\x0f\x1e\xfa\xff\x25\0\0\0\0\x90\x90\x90\x90\x90\x90"
		      "\x68\1\0\0\0\xe9\0\0\0\0\x90\x90\x90\x90\x90\x90"
		      "\xff\x25\0\0\0\0\x68\1\0\0\0\xe9\0\0\0\0",
		      48);
	frame_cie(&w->im, &b, s->data_align, s->ra);
	buf_add(&b, s->initial, s->initial_size);
	frame_end(&w->im, &b, at);
	for (size_t i = 0; i < count; i++) {
		at = frame_begin(&w->im, &b);
		frame_fde(&w->im, &b, f[i].start, 0x100);
		buf_add(&b, f[i].program, f[i].size);
		frame_end(&w->im, &b, at);
	}
	image_section(&w->im, ".debug_frame", b.data, b.len);
	buf_release(&b);
	image_finish(&w->im);
	w->u = unwinder_new(&source, UNWIND_TABLES_MAX);
}

static inline void set_reg(struct world *w, unsigned perf_number, uint64_t v)
{
	w->regs[perf_number] = v;
	w->mask |= 1ull << perf_number;
}

/* Word I of the stack. */
static inline void set_word(struct world *w, unsigned i, uint64_t v)
{
	unsigned bytes = w->arch->word_bytes;

	for (unsigned k = 0; k < bytes; k++)
		w->stack[i * bytes + k] = (uint8_t)(v >> 8 * (w->im.big ? bytes - 1 - k : k));
}

/* A sample of the registers and the stack as they are, with VALUES to hold the registers. */
static inline struct unwind_sample sample(const struct world *w, uint64_t values[64])
{
	struct unwind_sample s = { .arch = w->arch,
				   .stack = w->stack,
				   .stack_bytes = w->stack_bytes,
				   .space = 7,
				   .as = w->as };
	unsigned n = 0;

	for (unsigned i = 0; i < 64; i++) {
		if (w->mask >> i & 1)
			values[n++] = w->im.big ? __builtin_bswap64(w->regs[i]) : w->regs[i];
	}
	s.regs = (struct unwind_user_regs){ w->mask, (const uint8_t *)values, w->im.big };
	return s;
}

static inline void walk(struct world *w)
{
	uint64_t values[64];
	struct unwind_walk one = { .sample = sample(w, values),
				   .frames = w->frames,
				   .max = w->max };

	unwind(w->u, &one, 1, 1);
	unwind_count(w->u, &one);
	w->count = one.count;
	w->end = one.end;
}

static inline void world_end(struct world *w)
{
	unwinder_free(w->u);
	image_release(&w->im);
}

static inline void check_walk(struct world *w, enum unwind_end end, unsigned count,
			      const uint64_t *frames)
{
	walk(w);
	CHECK_STR(unwind_end_text(w->end), unwind_end_text(end));
	CHECK_EQ(w->count, count);
	for (unsigned i = 0; i < count && i < w->count; i++)
		CHECK_EQ(w->frames[i], frames[i]);
}

#define FRAMES(...)                                                                      \
	sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t), (const uint64_t[]) \
	{                                                                                \
		__VA_ARGS__                                                              \
	}

#endif
