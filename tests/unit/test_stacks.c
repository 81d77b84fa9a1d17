/* parser/stacks: a chain and the sample's own address become a stack, in one address space and in
 * another; the same chain at another address is another stack with the same frames. */
#include "parser/base/abi.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"
#include "parser/stacks/stacking.h"
#include "tests/lib/unit.h"

#include <stdlib.h>
#include <string.h>

struct fixture {
	struct machine machine;
	struct stacks stacks;
	struct chains chains;
};

static void set_up(struct fixture *f)
{
	machine_init(&f->machine);
	stacks_init(&f->stacks);
	chains_init(&f->chains);
}

static void tear_down(struct fixture *f)
{
	chains_release(&f->chains);
	stacks_release(&f->stacks);
	machine_release(&f->machine);
}

/* The stack of COUNT values, of a sample of process PID at OWN. */
static const struct stack *stack_of(struct fixture *f, uint32_t pid, struct chain_ip own,
				    const uint64_t *values, uint16_t count)
{
	struct chain_ref ref;
	struct thread *t = machine_thread(&f->machine, pid, pid);
	struct process *p = &f->machine.processes[t->process];
	uint32_t id;

	chain_ref_init(&ref, CHAIN_RECORDED, values, count, &own);
	chains_begin(&f->chains, &ref);
	id = chains_add(&f->chains, &ref);
	id = stacks_get(&f->stacks, &f->machine, p, &f->chains, id);
	return &f->stacks.list[id];
}

static uint64_t addr_of(const struct fixture *f, uint32_t loc)
{
	return loc == PDT_NONE ? UINT64_MAX : f->stacks.locs[loc].addr;
}

static uint64_t own_addr(const struct fixture *f, const struct stack *k)
{
	return addr_of(f, stack_ip(&f->stacks, k));
}

static const uint64_t user[] = { CONTEXT_USER, 0x1000, 0x2000 };

static void test_own(void)
{
	struct chain_ip leaf = { 0x1000, CONTEXT_USER, true },
			other = { 0x1010, CONTEXT_USER, true };
	struct chain_ip kernel = { 0x1000, CONTEXT_KERNEL, true }, none = { 0 };
	struct fixture f;
	const struct stack *k;

	set_up(&f);
	k = stack_of(&f, 1, leaf, user, 3);
	CHECK_EQ(k->flags, 0);
	CHECK_EQ(k->count, 2);
	CHECK_EQ(own_addr(&f, k), 0x1000);
	CHECK_EQ(stack_ip(&f.stacks, k), stack_locs(&f.stacks, k)[0]);
	k = stack_of(&f, 1, other, user, 3);
	CHECK_EQ(k->flags, PDT_STACK_APART);
	CHECK_EQ(k->count, 2);
	CHECK_EQ(own_addr(&f, k), 0x1010);
	CHECK_EQ(addr_of(&f, stack_locs(&f.stacks, k)[0]), 0x1000);
	CHECK_EQ(addr_of(&f, stack_locs(&f.stacks, k)[1]), 0x2000);
	k = stack_of(&f, 1, kernel, user, 3);
	CHECK_EQ(k->flags, PDT_STACK_APART);
	CHECK_EQ(f.stacks.locs[stack_ip(&f.stacks, k)].mode, PDT_KERNEL);
	k = stack_of(&f, 1, none, user, 3);
	CHECK_EQ(k->flags, 0);
	CHECK_EQ(own_addr(&f, k), 0x1000);
	k = stack_of(&f, 1, none, user, 1); /* no address at all */
	CHECK_EQ(k->count, 0);
	CHECK_EQ(stack_ip(&f.stacks, k), PDT_NONE);
	k = stack_of(&f, 1, other, user, 1);
	CHECK_EQ(k->count, 0);
	CHECK_EQ(own_addr(&f, k), 0x1010);
	CHECK_EQ(f.stacks.count, 5);
	tear_down(&f);
}

/* What is a return address in one stack and exact in another is two locations: in deep stacks, too.
 */
static void test_returns(void)
{
	static const uint64_t entered[] = { CONTEXT_KERNEL, 0x9000, CONTEXT_USER, 0x3000, 0x2000 };
	struct chain_ip none = { 0 }, own = { 0x4000, CONTEXT_USER, true };
	static uint64_t deep[402] = { CONTEXT_USER, 0x5000 };
	uint32_t called, leaf, entry, deepest;
	struct fixture f;
	bool *returns;

	set_up(&f);
	for (uint64_t i = 2; i < 402; i++)
		deep[i] = i == 401 ? 0x2000 : 0x100000 + i;
	(void)stack_of(&f, 1, none, user, 3);
	(void)stack_of(&f, 1, none, (const uint64_t[]){ CONTEXT_USER, 0x2000 }, 2);
	(void)stack_of(&f, 1, none, entered, 5);
	(void)stack_of(&f, 1, none, deep, 402);
	(void)stack_of(&f, 1, own, (const uint64_t[]){ CONTEXT_USER, 0x1000, 0x4000 }, 3);
	returns = stacks_returns(&f.stacks, 1);
	called = stack_locs(&f.stacks, &f.stacks.list[0])[1];
	leaf = stack_locs(&f.stacks, &f.stacks.list[1])[0];
	CHECK(returns[called] && !returns[leaf] && called != leaf);
	CHECK_EQ(addr_of(&f, called), addr_of(&f, leaf));
	CHECK_EQ(f.stacks.twins, 2);
	CHECK(f.stacks.locs[called].twin && !f.stacks.locs[leaf].twin);
	entry = stack_locs(&f.stacks, &f.stacks.list[2])[1];
	CHECK_EQ(addr_of(&f, entry), 0x3000);
	CHECK(!returns[entry]);
	CHECK_EQ(stack_locs(&f.stacks, &f.stacks.list[2])[2], called);
	deepest = stack_locs(&f.stacks, &f.stacks.list[3])[400];
	CHECK_EQ(deepest, called);
	CHECK(returns[stack_locs(&f.stacks, &f.stacks.list[3])[200]]);
	CHECK(!returns[stack_ip(&f.stacks, &f.stacks.list[4])]);
	CHECK(returns[stack_locs(&f.stacks, &f.stacks.list[4])[1]]);
	free(returns);
	tear_down(&f);
}

/* Stacks so many that threads share them; the one that is deep they do not. */
static void fill_many(struct fixture *f)
{
	static uint64_t values[402] = { CONTEXT_KERNEL };
	struct chain_ip none = { 0 };

	for (uint64_t i = 0; i < 20000; i++) {
		values[1] = 0x9000 + i % 7 * 16;
		values[2] = i % 3 ? CONTEXT_USER : 0x9000 + i % 11 * 16;
		values[3] = 0x1000 + i % 13000;
		values[4] = 0x1000 + i * 7 % 12000;
		values[5] = 0x100000 + i;
		(void)stack_of(f, 1, none, values, 6);
	}
	for (uint64_t i = 6; i < 402; i++)
		values[i] = 0x1000 + i * 16;
	(void)stack_of(f, 1, none, values, 402);
}

static void test_returns_by_threads(void)
{
	struct fixture one, many;
	bool *of_one, *of_many;
	size_t apart = 0;

	set_up(&one);
	set_up(&many);
	fill_many(&one);
	fill_many(&many);
	of_one = stacks_returns(&one.stacks, 1);
	of_many = stacks_returns(&many.stacks, 3);
	CHECK(one.stacks.twins > 5000);
	CHECK_EQ(one.stacks.twins, many.stacks.twins);
	CHECK_EQ(one.stacks.loc_count, many.stacks.loc_count);
	CHECK(!memcmp(of_one, of_many, one.stacks.loc_count));
	for (size_t i = 0; i < one.stacks.count; i++) {
		const struct stack *a = &one.stacks.list[i], *b = &many.stacks.list[i];

		apart += a->count != b->count ||
			 memcmp(stack_ids(&one.stacks, a), stack_ids(&many.stacks, b),
				a->count * sizeof(uint32_t));
	}
	CHECK_EQ(apart, 0);
	free(of_one);
	free(of_many);
	tear_down(&one);
	tear_down(&many);
}

/* What is in no map means the same everywhere: another process adds no stack, another address of
 * its own does. */
static void test_spaces(void)
{
	struct fixture f;
	size_t stacks;

	set_up(&f);
	for (uint64_t ip = 0x1000; ip < 0x1100; ip += 8)
		(void)stack_of(&f, 1, (struct chain_ip){ ip, CONTEXT_USER, true }, user, 3);
	stacks = f.stacks.count;
	CHECK_EQ(stacks, 32);
	for (uint32_t pid = 2; pid < 5; pid++) {
		for (uint64_t ip = 0x1000; ip < 0x1100; ip += 8) {
			struct chain_ip own = { ip, CONTEXT_USER, true };
			const struct stack *k = stack_of(&f, pid, own, user, 3);

			CHECK_EQ(own_addr(&f, k), ip);
			CHECK_EQ(k->count, 2);
		}
	}
	CHECK_EQ(f.stacks.count, stacks);
	tear_down(&f);
}

/* A chain of the kernel alone means the same in every process, unless its sample was the user's. */
static void test_kernel(void)
{
	static const uint64_t values[] = { CONTEXT_KERNEL, 0xffffffff81000010 };
	struct chain_ip own[] = { { 0xffffffff81000018, CONTEXT_KERNEL, true },
				  { 0x1000, CONTEXT_USER, true } };
	const uint64_t *chains[] = { values, values, user + 1 };
	struct chain_ref ref;
	struct fixture f;

	set_up(&f);
	for (int i = 0; i < 3; i++) {
		chain_ref_init(&ref, CHAIN_RECORDED, chains[i], 2, &own[i % 2]);
		chains_begin(&f.chains, &ref);
		CHECK_EQ(chains_get(&f.chains, chains_add(&f.chains, &ref))->kernel_only, !i);
	}
	tear_down(&f);
}

/* Deep chains share what they have in common, and are themselves all the same: COUNT addresses that
 * repeat, one of them another, below what may be an address apart. */
static void test_deep(void)
{
	enum { MOST = 8000, CHANGED = 60 };
	static const uint16_t counts[] = { 254, 255, 256, 257, 300, 1000, MOST };
	static uint64_t values[1 + MOST];
	struct chain_ip apart = { 0x77, CONTEXT_USER, true }, none = { 0 };
	struct fixture f;
	uint32_t wrong = 0;

	set_up(&f);
	values[0] = CONTEXT_USER;
	for (size_t c = 0; c < 2 * ARRAY_SIZE(counts) * CHANGED; c++) {
		uint16_t count = counts[c / 2 / CHANGED];
		size_t changed = 1 + (size_t)(count - 1) * (c / 2 % CHANGED) / (CHANGED - 1);
		struct chain_ip own = c % 2 ? apart : none;
		const struct stack *first, *k;
		const uint32_t *locs;

		for (size_t i = 1; i <= count; i++)
			values[i] = 0x1000 + i % 50 * 16;
		values[changed] = 0x900000;
		first = stack_of(&f, 1, own, values, (uint16_t)(count + 1));
		CHECK_EQ(f.stacks.count, c + 1);
		CHECK_EQ(first->flags, c % 2 ? PDT_STACK_APART : 0);
		CHECK_EQ(own_addr(&f, first), c % 2 ? 0x77 : values[1]);
		k = stack_of(&f, 1, own, values, (uint16_t)(count + 1));
		CHECK_EQ(k - f.stacks.list, (ptrdiff_t)c);
		k = stack_of(&f, 2, own, values, (uint16_t)(count + 1));
		CHECK_EQ(k - f.stacks.list, (ptrdiff_t)c);
		CHECK_EQ(k->count, count);
		locs = stack_locs(&f.stacks, k);
		for (size_t i = 0; i < count; i++)
			wrong += addr_of(&f, locs[i]) != values[1 + i];
	}
	CHECK_EQ(wrong, 0);
	tear_down(&f);
}

/* What an array and one that begins like it have in common tells them apart. */
static void test_pieces(void)
{
	enum { MOST = 5000 };
	static uint32_t words[MOST + 1], out[MOST + 1];
	struct pieces p = { 0 };
	uint64_t state = 1;

	for (uint32_t i = 0; i <= MOST; i++) {
		state = hash_u64(state);
		words[i] = i % 700 < 400 ? i % 7 : (uint32_t)state % 64;
	}
	for (size_t count = 1; count <= MOST; count += 1 + count / 9) {
		uint32_t id = pieces_put(&p, words, count), was = words[count / 2], one;

		CHECK_EQ(pieces_put(&p, words, count), id);
		CHECK_EQ(pieces_match(&p, id, words, count), count);
		CHECK_EQ(pieces_match(&p, id, words, count + 1), count);
		CHECK_EQ(pieces_match(&p, id, words, count - 1), 0);
		out[count] = 0xabcdef;
		pieces_get(&p, id, out);
		CHECK_EQ(memcmp(out, words, count * sizeof(*out)), 0);
		CHECK_EQ(out[count], 0xabcdef);
		words[count / 2] = 0x12345678;
		CHECK_EQ(pieces_match(&p, id, words, count), 0);
		one = pieces_put(&p, words, count);
		CHECK(one != id);
		words[count / 2] = was;
	}
	pieces_release(&p);
	for (uint32_t i = 0; i < 200; i++) { /* each takes a few pieces */
		words[(size_t)i * 25] = i + 1000;
		(void)pieces_put(&p, words, MOST);
	}
	CHECK(p.block_count == 1);
	pieces_release(&p);
}

int main(void)
{
	test_pieces();
	test_deep();
	test_own();
	test_returns();
	test_returns_by_threads();
	test_spaces();
	test_kernel();
	return unit_end();
}
