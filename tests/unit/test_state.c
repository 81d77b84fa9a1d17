/* parser/state: mappings that cover one another; processes, threads, comms and maps through fork,
 * exec, exit and the reuse of pids. */
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/state/machine.h"
#include "parser/state/maps.h"
#include "tests/lib/unit.h"

/* ---- maps ---- */

static uint64_t held; /* bytes of mappings */

static struct map *find(struct maps *m, uint64_t addr, uint32_t module, uint64_t pgoff)
{
	struct map *e = maps_find(m, addr);

	CHECK(e != NULL);
	if (e) {
		CHECK_EQ(e->module, module);
		CHECK_EQ(e->pgoff + (addr - e->start), pgoff);
	}
	return e;
}

static bool insert(struct maps *m, uint64_t start, uint64_t end, uint64_t pgoff, uint32_t module)
{
	return maps_insert(m, (struct map){ start, end, pgoff, module, false, true });
}

static void test_split(void)
{
	struct maps *m = maps_new(&held);

	insert(m, 0x1000, 0x9000, 0x100, 1);
	insert(m, 0x3000, 0x5000, 0, 2);
	CHECK_EQ(m->count, 3);
	find(m, 0x1000, 1, 0x100);
	find(m, 0x2fff, 1, 0x20ff);
	find(m, 0x3000, 2, 0);
	find(m, 0x4fff, 2, 0x1fff);
	find(m, 0x5000, 1, 0x4100); /* what lies behind keeps its offset in the file */
	find(m, 0x8fff, 1, 0x80ff);
	CHECK(!maps_find(m, 0x9000));
	CHECK(!maps_find(m, 0xfff));
	maps_unref(m);
}

static void test_trim(void)
{
	struct maps *m = maps_new(&held);

	insert(m, 0x1000, 0x3000, 0, 1);
	insert(m, 0x4000, 0x6000, 0, 2);
	insert(m, 0x7000, 0x8000, 0, 3);
	insert(m, 0x2000, 0x5000, 0x70, 4); /* the end of 1, the start of 2 */
	CHECK_EQ(m->count, 4);
	find(m, 0x1fff, 1, 0xfff);
	find(m, 0x2000, 4, 0x70);
	find(m, 0x4fff, 4, 0x306f);
	find(m, 0x5000, 2, 0x1000);
	insert(m, 0x1000, 0x8000, 0, 5); /* all of them, exactly */
	CHECK_EQ(m->count, 1);
	find(m, 0x7fff, 5, 0x6fff);
	insert(m, 0x1000, 0x8000, 9, 6);
	CHECK_EQ(m->count, 1);
	find(m, 0x1000, 6, 9);
	insert(m, 0x8000, 0x9000, 0, 7); /* neighbours do not touch */
	insert(m, 0x0, 0x1000, 0, 8);
	CHECK_EQ(m->count, 3);
	find(m, 0x7fff, 6, 0x7008);
	maps_unref(m);
}

static void test_edges(void)
{
	struct maps *m = maps_new(&held);

	CHECK(!maps_find(m, 0));
	insert(m, 0x5000, 0x5000, 0, 1); /* nothing */
	insert(m, 0x5000, 0x4000, 0, 1); /* less than nothing */
	CHECK_EQ(m->count, 0);
	insert(m, 0, UINT64_MAX, 0, 2);
	find(m, 0, 2, 0);
	find(m, UINT64_MAX - 1, 2, UINT64_MAX - 1);
	CHECK(!maps_find(m, UINT64_MAX));
	insert(m, UINT64_MAX - 0x1000, UINT64_MAX, 0, 3);
	find(m, UINT64_MAX - 1, 3, 0xfff);
	find(m, UINT64_MAX - 0x1001, 2, UINT64_MAX - 0x1001);
	maps_cut(m, 0x1000, 0x2000);
	CHECK(!maps_find(m, 0x1800));
	find(m, 0xfff, 2, 0xfff);
	find(m, 0x2000, 2, 0x2000);
	maps_cut(m, 7, 7);
	maps_cut(m, 0, UINT64_MAX);
	CHECK_EQ(m->count, 0);
	maps_unref(m);
}

/* Only a mapping that was used makes what its addresses mean another thing. */
static void test_used(void)
{
	struct maps *m = maps_new(&held);

	CHECK(!insert(m, 0x1000, 0x4000, 0, 1));
	CHECK(!insert(m, 0x2000, 0x3000, 0, 2));
	maps_find(m, 0x1000)->used = true;
	CHECK(!insert(m, 0x2000, 0x3000, 0, 3));
	CHECK(!insert(m, 0x5000, 0x6000, 0, 4));
	CHECK(insert(m, 0x1800, 0x2000, 0, 5));
	maps_find(m, 0x3000)->used = true;
	CHECK(insert(m, 0x2000, 0x9000, 0, 6));
	maps_unref(m);
}

static void test_shared(void)
{
	struct maps *a = maps_new(&held), *b, *c;

	insert(a, 0x1000, 0x2000, 0, 1);
	b = maps_ref(a);
	c = maps_unshare(b);
	CHECK(c != a);
	insert(c, 0x1000, 0x2000, 0, 2);
	find(a, 0x1000, 1, 0);
	find(c, 0x1000, 2, 0);
	a = maps_unshare(a); /* C goes on with what A had */
	insert(a, 0x1800, 0x2000, 0, 3);
	find(a, 0x1000, 1, 0);
	find(a, 0x1800, 3, 0);
	find(c, 0x1800, 2, 0x800);
	CHECK(maps_unshare(a) == a); /* alone by now */
	maps_unref(a);
	maps_unref(c);
	maps_unref(NULL);
	a = maps_new(&held); /* there is nothing in it to copy */
	b = maps_unshare(maps_ref(a));
	CHECK(b != a);
	CHECK_EQ(b->count, 0);
	maps_unref(a);
	maps_unref(b);
	CHECK_EQ(held, 0);
}

/* ---- layers ---- */

/* A family of address spaces, and what each page of them is. */
struct family {
	struct maps *maps[8];
	uint32_t page[8][64], first[8][64];
	uint64_t seed;
};

static uint32_t any(struct family *f, uint32_t below)
{
	return (uint32_t)(unit_random(&f->seed) % below);
}

static void fork_one(struct family *f)
{
	uint32_t parent = any(f, 8), child = any(f, 8);
	struct maps *m = maps_ref(f->maps[parent]);

	maps_unref(f->maps[child]);
	f->maps[child] = m;
	memmove(f->page[child], f->page[parent], sizeof(f->page[0]));
	memmove(f->first[child], f->first[parent], sizeof(f->first[0]));
}

static void change_one(struct family *f, uint32_t n)
{
	uint32_t k = any(f, 8), start = any(f, 64), end = start + any(f, 64 - start);
	struct maps *m = f->maps[k] = maps_unshare(f->maps[k]);

	if (n % 5 == 0)
		maps_cut(m, start * 4096, end * 4096);
	else
		insert(m, start * 4096, end * 4096, 0, n);
	for (uint32_t i = start; i < end; i++) {
		f->page[k][i] = n % 5 ? n : 0;
		f->first[k][i] = start;
	}
}

static bool is_right(struct family *f)
{
	bool good = true;

	for (uint32_t k = 0; k < 8; k++) {
		for (uint32_t i = 0; i < 64; i++) {
			uint64_t addr = i * 4096 + any(f, 4096);
			struct map *e = maps_find(f->maps[k], addr);

			good &= e ? e->module == f->page[k][i] &&
						e->pgoff + (addr - e->start) ==
							addr - f->first[k][i] * 4096ull
				  : f->page[k][i] == 0;
		}
	}
	return good;
}

/* Children of children that change: against arrays with one entry for each page. */
static void test_layers(uint64_t seed)
{
	struct family f = { .seed = seed };
	uint32_t deepest = 0;
	bool good = true;

	for (uint32_t k = 0; k < 8; k++)
		f.maps[k] = maps_new(&held);
	for (uint32_t n = 1; n <= 3000; n++) {
		if (any(&f, 3) == 0)
			fork_one(&f);
		change_one(&f, n);
		good &= n % 16 || is_right(&f);
		for (uint32_t k = 0; k < 8; k++)
			deepest = f.maps[k]->depth > deepest ? f.maps[k]->depth : deepest;
	}
	CHECK(good);
	CHECK(deepest > 2 && deepest <= 16);
	for (uint32_t k = 0; k < 8; k++)
		maps_unref(f.maps[k]);
	CHECK_EQ(held, 0);
}

/* Against an array with one entry for each page. */
static void test_random(uint64_t seed)
{
	uint32_t page[64] = { 0 }, first[64] = { 0 };
	struct maps *m = maps_new(&held);
	bool good = true;

	for (uint32_t n = 1; n <= 400; n++) {
		uint64_t start = unit_random(&seed) % 64,
			 end = start + unit_random(&seed) % (64 - start);

		if (n % 9 == 0)
			maps_cut(m, start * 4096, end * 4096);
		else
			insert(m, start * 4096, end * 4096, 0, n);
		for (uint64_t i = start; i < end; i++) {
			page[i] = n % 9 ? n : 0;
			first[i] = (uint32_t)start;
		}
		for (uint64_t i = 0; i < 64; i++) {
			uint64_t addr = i * 4096 + unit_random(&seed) % 4096;
			struct map *e = maps_find(m, addr);

			good &= e ? e->module == page[i] && e->pgoff + (addr - e->start) ==
								    addr - first[i] * 4096ull
				  : page[i] == 0;
		}
		for (uint32_t i = 1; i < m->count; i++)
			good &= m->list[i - 1].end <= m->list[i].start;
	}
	CHECK(good);
	maps_unref(m);
}

/* ---- the machine ---- */

static struct text text(const char *s)
{
	return (struct text){ s, strlen(s) };
}

static void comm(struct machine *m, uint32_t pid, uint32_t tid, const char *name, bool exec)
{
	struct record r = { .type = RECORD_COMM, .comm = { pid, tid, exec, text(name) } };

	machine_apply(m, &r);
}

static void task(struct machine *m, uint32_t type, const uint32_t ids[4])
{
	struct record r = { .type = type, .task = { ids[0], ids[1], ids[2], ids[3], 0 } };

	machine_apply(m, &r);
}

/* pid ppid tid ptid */
#define FORK(m, ...) task(m, RECORD_FORK, (const uint32_t[4]){ __VA_ARGS__ })
#define EXIT(m, ...) task(m, RECORD_EXIT, (const uint32_t[4]){ __VA_ARGS__ })

static void map_file(struct machine *m, uint32_t pid, uint64_t start, const char *name)
{
	struct record r = { .type = RECORD_MMAP, .misc = MISC_USER };

	r.mmap = (struct record_mmap){ .pid = pid,
				       .tid = pid,
				       .start = start,
				       .len = 0x1000,
				       .prot = 5,
				       .filename = text(name) };
	machine_apply(m, &r);
}

/* What PID finds at ADDR now. */
static const char *file_at(struct machine *m, uint32_t pid, uint64_t addr)
{
	struct thread *t = machine_thread(m, pid, pid);
	struct process *p = &m->processes[t->process];
	struct map *e = p->maps ? maps_find(p->maps, addr) : NULL;

	return e ? m->modules.list[e->module]->path : "nothing";
}

static const char *name_of(struct machine *m, uint32_t pid, uint32_t tid)
{
	const char *name = machine_comm(m, machine_thread(m, pid, tid));

	return name ? name : "nobody";
}

static void test_fork_exec(void)
{
	struct machine m;

	machine_init(&m);
	CHECK_STR(name_of(&m, 0, 0), "swapper");
	CHECK_STR(name_of(&m, 77, 77), "nobody");
	comm(&m, 10, 10, "shell", false);
	map_file(&m, 10, 0x1000, "/bin/shell");
	FORK(&m, 11, 10, 11, 10);
	CHECK_STR(name_of(&m, 11, 11), "shell");
	CHECK_STR(file_at(&m, 11, 0x1000), "/bin/shell");
	map_file(&m, 11, 0x2000, "/lib/child"); /* the child's own */
	CHECK_STR(file_at(&m, 10, 0x2000), "nothing");
	map_file(&m, 10, 0x2000, "/lib/parent");
	CHECK_STR(file_at(&m, 11, 0x2000), "/lib/child");
	comm(&m, 11, 11, "program", true);
	CHECK_STR(name_of(&m, 11, 11), "program");
	CHECK_STR(file_at(&m, 11, 0x1000), "nothing");
	CHECK_STR(file_at(&m, 10, 0x1000), "/bin/shell");
	comm(&m, 10, 10, "renamed", false); /* a name alone changes no maps */
	CHECK_STR(file_at(&m, 10, 0x1000), "/bin/shell");
	CHECK_STR(name_of(&m, 11, 11), "program");
	machine_release(&m);
}

static void test_keep_maps(void)
{
	struct machine m;

	machine_init(&m);
	m.quirks.keeps_maps_on_exec = true;
	map_file(&m, 10, 0x1000, "/bin/shell");
	comm(&m, 10, 10, "program", true);
	CHECK_STR(file_at(&m, 10, 0x1000), "/bin/shell");
	machine_release(&m);
}

static void test_threads(void)
{
	struct machine m;

	machine_init(&m);
	comm(&m, 10, 10, "server", false);
	FORK(&m, 10, 10, 11, 10);
	FORK(&m, 10, 10, 12, 11);
	CHECK_STR(name_of(&m, 10, 11), "server");
	comm(&m, 10, 11, "worker", false);
	CHECK_STR(name_of(&m, 10, 10), "server");
	CHECK_STR(name_of(&m, 10, 12), "server");
	map_file(&m, 10, 0x1000, "/bin/server");
	CHECK_EQ(machine_thread(&m, 10, 12)->process, machine_thread(&m, 10, 10)->process);
	/* the main thread may end first; the maps stay while others run, and for their last samples
	 */
	EXIT(&m, 10, 10, 10, 10);
	CHECK_STR(file_at(&m, 10, 0x1000), "/bin/server");
	EXIT(&m, 10, 10, 11, 10);
	EXIT(&m, 10, 10, 12, 10);
	CHECK_STR(file_at(&m, 10, 0x1000), "/bin/server");
	CHECK_STR(name_of(&m, 10, 11), "worker");
	machine_release(&m);
}

static void test_reuse(void)
{
	struct machine m;
	uint32_t old;
	size_t count;

	machine_init(&m);
	comm(&m, 10, 10, "shell", false);
	map_file(&m, 10, 0x1000, "/bin/shell");
	FORK(&m, 50, 10, 50, 10);
	comm(&m, 50, 50, "one", true);
	map_file(&m, 50, 0x5000, "/bin/one");
	old = m.processes[machine_thread(&m, 50, 50)->process].space;
	count = m.process_count;
	EXIT(&m, 50, 10, 50, 10);
	CHECK_STR(file_at(&m, 50, 0x5000), "/bin/one");
	FORK(&m, 50, 10, 50, 10);
	CHECK(m.processes[machine_thread(&m, 50, 50)->process].space != old);
	CHECK_EQ(m.process_count, count); /* one that came back costs nothing */
	CHECK_STR(name_of(&m, 50, 50), "shell");
	CHECK_STR(file_at(&m, 50, 0x5000), "nothing");
	CHECK_STR(file_at(&m, 50, 0x1000), "/bin/shell");
	/* the same without an EXIT: it was lost */
	comm(&m, 50, 50, "two", true);
	FORK(&m, 50, 10, 50, 10);
	CHECK_STR(name_of(&m, 50, 50), "shell");
	/* a thread's number becomes a process */
	FORK(&m, 10, 10, 60, 10);
	EXIT(&m, 10, 10, 60, 10);
	FORK(&m, 60, 50, 60, 50);
	CHECK(machine_thread(&m, 60, 60)->process != machine_thread(&m, 10, 10)->process);
	CHECK_STR(file_at(&m, 60, 0x1000), "/bin/shell");
	machine_release(&m);
}

/* Whatever part of the samples is read, the machine is the same. */
static void test_samples_change_nothing(void)
{
	struct machine m;
	struct task t;

	machine_init(&m);
	comm(&m, 10, 10, "server", false);
	t = machine_task(&m, 10, 12); /* nobody told of this thread */
	CHECK_EQ(t.comm, PDT_NONE);
	CHECK_EQ(t.process, machine_thread(&m, 10, 10)->process);
	t = machine_task(&m, 20, 10); /* told to be of another process */
	CHECK_STR(intern_str(&m.comms, t.comm), "server");
	CHECK_EQ(m.processes[t.process].pid, 20);
	CHECK_EQ(machine_thread(&m, 10, 10)->pid, 10);
	t = machine_task(&m, 30, 30);
	CHECK_EQ(machine_task(&m, 30, 31).process, t.process);
	CHECK_EQ(machine_pid(&m, 30), TASKIDS_NONE);
	FORK(&m, 30, 10, 30, 10);
	CHECK(machine_task(&m, 30, 30).process != t.process);
	CHECK(!m.processes[machine_task(&m, 30, 30).process].renewed);
	EXIT(&m, 10, 10, 10, 10);
	CHECK(m.processes[machine_thread(&m, 10, 10)->process].exited);
	machine_release(&m);
}

/* A thread that ended twice is one that ended; its number may be another's later. */
static void test_exit_twice(void)
{
	struct machine m;

	machine_init(&m);
	comm(&m, 10, 10, "server", false);
	FORK(&m, 10, 10, 11, 10);
	EXIT(&m, 10, 10, 11, 10);
	EXIT(&m, 10, 10, 11, 10);
	CHECK(!m.processes[machine_thread(&m, 10, 10)->process].exited);
	FORK(&m, 10, 10, 11, 10);
	EXIT(&m, 10, 10, 11, 10);
	EXIT(&m, 10, 10, 10, 10);
	CHECK(m.processes[machine_thread(&m, 10, 10)->process].exited);
	machine_thread(&m, 10, 12); /* nobody told of this one */
	CHECK(!m.processes[machine_thread(&m, 10, 10)->process].exited);
	machine_release(&m);
}

static void map_kernel(struct machine *m, uint64_t start, uint64_t len, const char *name)
{
	struct record r = { .type = RECORD_MMAP, .misc = MISC_KERNEL };

	r.mmap = (struct record_mmap){
		.pid = UINT32_MAX, .start = start, .len = len, .filename = text(name)
	};
	machine_apply(m, &r);
}

static const char *kernel_at(struct machine *m, uint64_t addr)
{
	struct map *e = maps_find(m->kernel_maps, addr);

	return e ? m->modules.list[e->module]->path : "nothing";
}

/* What does not tell where it lies leaves what did, and takes nothing from others. */
static void test_kernel(void)
{
	struct machine m;

	machine_init(&m);
	map_kernel(&m, 0, UINT64_MAX, "[kernel.kallsyms]"); /* hiperf */
	CHECK(m.kernel && m.kernel->start == 0 && m.kernel->end == UINT64_MAX);
	map_kernel(&m, UINT64_MAX, 0x1e2d618, "[kernel.kallsyms]");
	CHECK_EQ(m.kernel->start, 0);
	map_kernel(&m, 0, UINT64_MAX, "/lib/modules/5/pata_acpi.ko"); /* kptr_restrict */
	map_kernel(&m, 0, 0, "[kernel.kallsyms]_text");
	CHECK_STR(kernel_at(&m, 0xffffffff81000010), "nothing");
	map_kernel(&m, 0xffffffff81000000, 0x1000, "[kernel.kallsyms]_text");
	map_kernel(&m, 0xffffffffc0000000, 0x1000, "[ext4]");
	CHECK_EQ(m.kernel->start, 0xffffffff81000000);
	map_kernel(&m, 0, 0, "[kernel.kallsyms]_text");
	map_kernel(&m, 0, 0, "[ext4]");
	CHECK_EQ(m.kernel->end, 0xffffffff81001000);
	CHECK_STR(kernel_at(&m, 0xffffffff81000010), "[kernel.kallsyms]");
	CHECK_STR(kernel_at(&m, 0xffffffffc0000010), "[ext4]");
	machine_release(&m);
}

/* Whoever asks for the space of a process learns whether addresses still mean the same. */
static void test_space(void)
{
	struct machine m;
	struct record r = { .type = RECORD_KSYMBOL };
	struct process *p;
	uint32_t space;

	machine_init(&m);
	map_file(&m, 10, 0x1000, "/bin/one");
	p = &m.processes[machine_thread(&m, 10, 10)->process];
	space = process_space(&m, p);
	map_file(&m, 10, 0x5000, "/bin/two"); /* where nobody looked */
	CHECK_EQ(process_space(&m, p), space);
	maps_find(p->maps, 0x1000)->used = true;
	map_file(&m, 10, 0x1000, "/bin/three");
	CHECK(process_space(&m, p) != space);
	space = process_space(&m, p);
	p->missed = true; /* somebody looked in vain: a new mapping may be the answer */
	map_file(&m, 10, 0x9000, "/bin/four");
	CHECK(process_space(&m, p) != space);
	space = process_space(&m, p);
	comm(&m, 10, 10, "exec", true);
	CHECK(process_space(&m, p) != space);
	space = process_space(&m, p);
	r.ksymbol = (struct record_ksymbol){ 0xffffffffc0000000, 64, 1, false, text("bpf_prog") };
	machine_apply(&m, &r);
	CHECK(process_space(&m, p) != space);
	CHECK(maps_find(m.kernel_maps, 0xffffffffc0000000) != NULL);
	r.ksymbol.unregister = true;
	machine_apply(&m, &r);
	CHECK(!maps_find(m.kernel_maps, 0xffffffffc0000000));
	machine_release(&m);
}

/* Many processes come and go: only the maps of the last few that ended are kept. */
static void test_many(void)
{
	struct machine m;
	size_t kept = 0;

	machine_init(&m);
	comm(&m, 1, 1, "init", false);
	for (uint32_t pid = 1000; pid < 6000; pid++) {
		FORK(&m, pid, 1, pid, 1);
		comm(&m, pid, pid, "short", true);
		map_file(&m, pid, 0x1000, "/bin/short");
		EXIT(&m, pid, 1, pid, 1);
	}
	for (size_t i = 0; i < m.process_count; i++)
		kept += m.processes[i].maps != NULL;
	CHECK(kept >= 1 && kept < 1000);
	CHECK_STR(file_at(&m, 5999, 0x1000), "/bin/short");
	CHECK_EQ(m.modules.count, 1); /* one file, mapped often */
	machine_release(&m);
}

/* Processes of which nothing else was told before: each is a new one. */
static void test_namespaces(void)
{
	struct record r = { .type = RECORD_NAMESPACES };
	struct machine m;
	size_t contained = 0;

	machine_init(&m);
	for (uint32_t pid = 1; pid <= 5000; pid++) {
		r.namespaces = (struct record_namespaces){
			.pid = pid, .tid = pid, .pid_ns = 7, .mnt_ns = pid == 1 ? 1 : 2
		};
		machine_apply(&m, &r);
	}
	for (uint32_t pid = 1; pid <= 5000; pid++)
		contained += machine_is_contained(&m, pid);
	CHECK_EQ(contained, 4999);
	machine_release(&m);
}

int main(void)
{
	test_split();
	test_trim();
	test_edges();
	test_used();
	test_shared();
	for (uint64_t seed = 1; seed < 20; seed++)
		test_random(seed);
	for (uint64_t seed = 1; seed < 10; seed++)
		test_layers(seed);
	test_fork_exec();
	test_keep_maps();
	test_threads();
	test_reuse();
	test_samples_change_nothing();
	test_exit_twice();
	test_kernel();
	test_space();
	test_many();
	test_namespaces();
	return unit_end();
}
