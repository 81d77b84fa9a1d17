/* parser/stacks: a chain and the sample's own address become a stack, in one address space and in
 * another; the same chain at another address is another stack with the same frames. */
#include "parser/base/abi.h"
#include "parser/stacks/stacking.h"
#include "tests/lib/unit.h"

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

int main(void)
{
	test_own();
	test_spaces();
	test_kernel();
	return unit_end();
}
