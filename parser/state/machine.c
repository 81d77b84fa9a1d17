/* Apply state records to the recorded machine. */
#include "parser/state/machine.h"
#include "parser/state/spaces.h"
#include "parser/base/mem.h"
#include "parser/base/abi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A task still runs (in the kernel, and its samples come) for a while after its EXIT record. */
#define EXITED_KEPT   256
#define PROT_EXEC_BIT 4
/* simpleperf's PROT_JIT_SYMFILE_MAP (thread_tree.h): the file has symbols of code that a compiler
 * wrote to START, with the addresses that they have there. */
#define PROT_SYMFILE_BIT 0x4000
#define OTHERS_PID	 (UINT32_MAX - 1) /* no task has it; -1 is said of nobody */
#define CODE_BYTES_MAX	 (64u << 20)

void machine_release(struct machine *m)
{
	for (size_t i = 0; i < m->process_count; i++) {
		maps_unref(m->processes[i].maps);
		maps_unref(m->processes[i].old_maps);
		codemap_unref(m->processes[i].code);
	}
	maps_unref(m->kernel_maps);
	maps_unref(m->guest_maps);
	free(m->threads);
	free(m->processes);
	free(m->exited);
	taskids_release(&m->by_tid);
	taskids_release(&m->by_pid);
	taskids_release(&m->by_sample);
	idmap_release(&m->late);
	intern_release(&m->comms);
	modules_release(&m->modules);
	spaces_free(m->spaces);
}

static void forget_last(struct machine *m)
{
	for (size_t i = 0; i < LAST_TASKS; i++)
		m->last[i] = (struct last_task){ .pid = OTHERS_PID,
						 .thread = OTHERS,
						 .process = OTHERS };
}

/* PLACES: where it is found. */
static uint32_t process_add(struct machine *m, uint32_t pid, struct taskids *places)
{
	struct process *p;

	if (m->process_count >= TASKS_MAX) {
		m->tasks_refused++;
		return OTHERS;
	}
	m->processes =
		xgrow(m->processes, &m->process_cap, m->process_count + 1, sizeof(*m->processes));
	p = &m->processes[m->process_count];
	memset(p, 0, sizeof(*p));
	p->pid = pid;
	p->space = m->next_space++;
	p->kernel_space = m->kernel_space;
	taskids_put(places, (struct tasklist){ m->processes, sizeof(*m->processes) },
		    (uint32_t)m->process_count);
	return (uint32_t)m->process_count++;
}

static uint32_t process_new(struct machine *m, uint32_t pid)
{
	forget_last(m);
	return process_add(m, pid, &m->by_pid);
}

static void drop_code(struct machine *m, struct process *p)
{
	if (p->code && !codemap_is_shared(p->code))
		m->code_bytes -= codemap_bytes(p->code);
	codemap_unref(p->code);
	p->code = NULL;
}

static void drop(struct maps **maps)
{
	maps_unref(*maps);
	*maps = NULL;
}

static void drop_maps(struct machine *m, struct process *p)
{
	drop(&p->maps);
	drop(&p->old_maps);
	drop_code(m, p);
}

/* PID is another process from now on. The one before has ended, whether that was told or not. */
static void process_renew(struct machine *m, uint32_t pid)
{
	uint32_t i = machine_pid(m, pid);
	struct process *p;

	if (i == TASKIDS_NONE) {
		(void)process_new(m, pid);
		return;
	}
	p = &m->processes[i];
	drop_maps(m, p);
	*p = (struct process){ .pid = pid,
			       .space = m->next_space++,
			       .kernel_space = m->kernel_space,
			       .renewed = true };
}

static uint32_t process_of(struct machine *m, uint32_t pid)
{
	uint32_t i = machine_pid(m, pid);

	return i == TASKIDS_NONE ? process_new(m, pid) : i;
}

/* Named when it is needed, that no capture without them lists the name. */
static struct thread *others(struct machine *m)
{
	struct thread *t = &m->threads[OTHERS];

	t->comm = intern_add(&m->comms, "[others]", 8);
	return t;
}

static struct thread *thread_new(struct machine *m, uint32_t pid, uint32_t tid)
{
	uint32_t at = machine_tid(m, tid), process;
	struct thread *t;

	if (m->thread_count >= TASKS_MAX && at == TASKIDS_NONE) {
		m->tasks_refused++;
		return others(m);
	}
	process = process_of(m, pid);
	forget_last(m);
	if (at == TASKIDS_NONE) {
		at = (uint32_t)m->thread_count++;
		m->threads =
			xgrow(m->threads, &m->thread_cap, m->thread_count, sizeof(*m->threads));
		m->threads[at].tid = tid;
		taskids_put(&m->by_tid, (struct tasklist){ m->threads, sizeof(*m->threads) }, at);
	}
	m->processes[process].live++;
	m->processes[process].exited = false;
	t = &m->threads[at];
	*t = (struct thread){ tid, pid, PDT_NONE, process, false };
	return t;
}

void machine_init(struct machine *m)
{
	struct thread *t;

	memset(m, 0, sizeof(*m));
	modules_init(&m->modules);
	intern_init(&m->comms);
	m->kernel_maps = maps_new(&m->map_bytes);
	m->guest_maps = maps_new(&m->map_bytes);
	m->exited = xcalloc(EXITED_KEPT, sizeof(*m->exited));
	m->kernel_space = 1;
	m->next_space = 2;
	t = thread_new(m, 0, 0); /* idle */
	t->comm = intern_add(&m->comms, "swapper", 7);
	(void)thread_new(m, OTHERS_PID, OTHERS_PID);
}

struct thread *machine_thread(struct machine *m, uint32_t pid, uint32_t tid)
{
	uint32_t i = machine_tid(m, tid);
	struct thread *t;

	if (i == TASKIDS_NONE)
		return thread_new(m, pid, tid);
	t = &m->threads[i];
	if (t->pid != pid && pid != UINT32_MAX) {
		t->pid = pid;
		t->process = process_of(m, pid);
		forget_last(m);
	}
	return t;
}

/* Of a thread that is not known, or was another process's when it was told of last. */
static uint32_t process_of_sample(struct machine *m, uint32_t pid)
{
	struct tasklist list = { m->processes, sizeof(*m->processes) };
	uint32_t i = machine_pid(m, pid);

	if (i == TASKIDS_NONE)
		i = taskids_get(&m->by_sample, list, pid);
	return i == TASKIDS_NONE ? process_add(m, pid, &m->by_sample) : i;
}

const struct last_task *machine_find_task(struct machine *m, uint32_t pid, uint32_t tid)
{
	uint32_t i = machine_tid(m, tid);
	const struct thread *t = i == TASKIDS_NONE ? NULL : &m->threads[i];
	struct last_task *l = &m->last[tid % LAST_TASKS];

	*l = (struct last_task){ pid, tid, t ? i : PDT_NONE, OTHERS };
	if (t && (t->pid == pid || pid == UINT32_MAX))
		l->process = t->process;
	else if (t || m->thread_count < TASKS_MAX)
		l->process = process_of_sample(m, pid);
	else
		m->tasks_refused++;
	if (l->process == OTHERS && pid != OTHERS_PID)
		l->thread = (uint32_t)(others(m) - m->threads);
	return l;
}

const char *machine_comm(const struct machine *m, const struct thread *t)
{
	return t->comm == PDT_NONE ? NULL : intern_str(&m->comms, t->comm);
}

static void new_space(struct machine *m, struct process *p)
{
	p->space = m->next_space++;
	p->missed = false;
}

static void begin_exec(struct machine *m, struct process *p)
{
	drop(&p->old_maps);
	p->old_maps = p->maps;
	p->maps = NULL;
	p->laid_out = false;
	p->exec = ++m->execs;
	p->bits = 0;
	drop_code(m, p);
	new_space(m, p);
}

void machine_end_exec(struct machine *m, struct process *p)
{
	drop(&p->old_maps);
	new_space(m, p);
}

/* Maps that are P's own, to change. False: there is no room for another mapping. Then P has none:
 * what it has by now would be called what it had before. */
static bool own_maps(struct machine *m, struct process *p)
{
	bool full = p->maps && maps_count(p->maps) >= MAPS_MAX;

	if (full || m->map_bytes >= MAP_BYTES_MAX) {
		m->maps_refused++;
		if (!full)
			drop_maps(m, p);
		return false;
	}
	p->maps = p->maps ? maps_unshare(p->maps) : maps_new(&m->map_bytes);
	return true;
}

/* Code that is P's own, to change. Above the limit a child goes on seeing what its parent does. */
static void own_code(struct machine *m, struct process *p)
{
	if (!codemap_is_shared(p->code))
		return;
	if (m->code_bytes + codemap_bytes(p->code) > CODE_BYTES_MAX) {
		m->code_refused++;
		return;
	}
	p->code = codemap_unshare(p->code);
	m->code_bytes += codemap_bytes(p->code);
}

void machine_attach_code(struct machine *m, uint32_t process, const struct code_log *log,
			 uint32_t module)
{
	struct process *p = &m->processes[process];

	drop_code(m, p);
	p->code = codemap_new(log, module);
	m->code_bytes += codemap_bytes(p->code);
	new_space(m, p);
}

uint64_t machine_run_code(struct machine *m, uint32_t process, const struct code_log *log,
			  uint64_t until_ns)
{
	struct process *p = &m->processes[process];

	if (!p->code || codemap_log(p->code) != log)
		return UINT64_MAX;
	if (codemap_next_ns(p->code) <= until_ns) {
		own_code(m, p);
		if (codemap_run(p->code, until_ns))
			new_space(m, p);
	}
	return codemap_next_ns(p->code);
}

static bool starts_with(struct text t, const char *prefix)
{
	size_t n = strlen(prefix);

	return t.len >= n && !memcmp(t.s, prefix, n);
}

/* "//anon", "[heap]" and the like hold code only when a JIT wrote it. */
static bool is_anonymous(struct text t)
{
	static const char *const whole[] = { "//anon", "/anon_hugepage", "/dev/zero", "[heap]" };
	static const char *const prefixes[] = { "/anon_hugepage", "/dev/zero", "/SYSV",
						"[heap]",	  "[stack",    "[anon" };

	if (t.len == strlen(whole[0]) && starts_with(t, whole[0]))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		if (starts_with(t, prefixes[i]))
			return true;
	}
	return false;
}

static struct module *jit_module(struct machine *m, uint32_t pid)
{
	char name[48];
	int n = snprintf(name, sizeof(name), "/tmp/perf-%d.map", (int)pid);
	struct module *mod = modules_get(&m->modules, PDT_MODULE_JIT, name, (size_t)n, NULL);

	mod->pid = pid;
	return mod;
}

/* Memory that a compiler writes code to: each change of its protection comes as a new mapping of
 * all of it, and the code in it stays. */
static bool writes_code(const struct module *mod, const struct record_mmap *mm)
{
	return mod->kind == PDT_MODULE_JIT || is_anonymous(mm->filename) ||
	       starts_with(mm->filename, "/memfd:");
}

static void cut_code(struct machine *m, struct process *p, uint64_t start, uint64_t end)
{
	own_code(m, p);
	if (codemap_cut(p->code, start, end))
		new_space(m, p);
}

/* Who maps has not ended: an exec of a program that may not be watched is told as an EXIT. */
static void revive(struct machine *m, struct process *p, uint32_t tid)
{
	uint32_t i = machine_tid(m, tid);

	p->exited = false;
	p->live = 1;
	if (i != TASKIDS_NONE)
		m->threads[i].exited = false;
}

static struct module *mapped_file(struct machine *m, const struct record *r)
{
	const struct record_mmap *mm = &r->mmap;
	size_t before = m->modules.count;
	struct module *mod = modules_get(&m->modules, PDT_MODULE_FILE, mm->filename.s,
					 mm->filename.len, &mm->ids);

	if (m->modules.count > before)
		mod->first_ns = r->sample_id.time_ns;
	if (!mod->file.generation)
		mod->file.generation = mm->ids.file.generation;
	mod->pid = mm->pid;
	return mod;
}

/* A program of 32 bits has nothing above 4 GiB; in one of 64 what the kernel itself maps for each
 * program (arm's own names for it are [vectors] and [sigpage]) lies above that. */
static void see_bits(struct process *p, const struct record_mmap *mm, uint64_t end)
{
	static const char *const kernels[] = { "[vdso", "[vectors]", "[sigpage]" };

	if (end > UINT64_C(1) << 32)
		p->bits = 64;
	for (size_t i = 0; i < ARRAY_SIZE(kernels) && end <= UINT64_C(1) << 32; i++) {
		if (starts_with(mm->filename, kernels[i]))
			p->bits = 32;
	}
}

static void apply_user_mmap(struct machine *m, const struct record *r)
{
	const struct record_mmap *mm = &r->mmap;
	uint32_t at = process_of(m, mm->pid); /* may move the array */
	struct process *p = &m->processes[at];
	struct map map = { .start = mm->start,
			   .end = mm->start + mm->len,
			   .pgoff = mm->pgoff,
			   .module = PDT_NONE,
			   .exec = mm->prot & (PROT_EXEC_BIT | PROT_SYMFILE_BIT) };
	struct module *mod;

	if (at == OTHERS)
		return;
	if (p->exited)
		revive(m, p, mm->tid);
	if (p->old_maps && p->laid_out)
		machine_end_exec(m, p);
	if (map.end < map.start)
		map.end = UINT64_MAX;
	see_bits(p, mm, map.end);
	if (mm->prot & PROT_EXEC_BIT && is_anonymous(mm->filename)) {
		mod = jit_module(m, mm->pid);
		map.pgoff = map.start; /* looked up by address */
	} else if (starts_with(mm->filename, "[vdso")) {
		mod = modules_get(&m->modules, PDT_MODULE_VDSO, "[vdso]", 6, &mm->ids);
		map.pgoff = 0;
		p->laid_out = true;
	} else {
		mod = mapped_file(m, r);
		if (m->quirks.memory_by_address && is_anonymous(mm->filename))
			map.pgoff = map.start;
		if (mm->prot & PROT_SYMFILE_BIT) {
			map.pgoff = map.start; /* looked up by address */
			mod->symfile = true;
		}
		if (map.exec && mm->pgoff < mod->code_pgoff)
			mod->code_pgoff = mm->pgoff;
	}
	map.module = mod->id;
	if (p->code && !writes_code(mod, mm))
		cut_code(m, p, map.start, map.end);
	if (!own_maps(m, p) || maps_insert(p->maps, map) || p->missed)
		new_space(m, p);
}

/* "[kernel.kallsyms]_text": what comes after the bracket is the symbol whose address pgoff is. */
static void set_reference(struct machine *m, struct module *mod, const struct record_mmap *mm)
{
	const char *end = memchr(mm->filename.s, ']', mm->filename.len);
	size_t rest = end ? mm->filename.len - (size_t)(end + 1 - mm->filename.s) : 0;

	if (rest && !mod->ref_symbol)
		mod->ref_symbol = arena_strndup(&m->modules.arena, end + 1, rest);
	if (!mod->pgoff)
		mod->pgoff = mm->pgoff;
}

static void kernel_insert(struct machine *m, struct module *mod, uint64_t start, uint64_t len)
{
	struct map map = { .start = start, .end = start + len, .pgoff = start, .module = mod->id };

	if (map.end < map.start)
		map.end = UINT64_MAX;
	mod->start = map.start;
	mod->end = map.end;
	maps_insert(m->kernel_maps, map);
	m->kernel_space = m->next_space++;
}

/* Where it lies is not told: with kptr_restrict the kernel shows every address as 0, and recorders
 * make of that nothing, all there is, or a length behind the last address. */
static bool is_hidden(const struct record_mmap *mm)
{
	return !mm->len || mm->start == UINT64_MAX || mm->len == UINT64_MAX;
}

static void map_kernel(struct machine *m, const struct record_mmap *mm)
{
	static const char name[] = "[kernel.kallsyms]";
	struct module *mod =
		modules_get(&m->modules, PDT_MODULE_KERNEL, name, sizeof(name) - 1, NULL);

	if (!m->kernel || !mod->build_id.len)
		mod->build_id = mm->ids.build_id;
	set_reference(m, mod, mm);
	m->kernel = mod;
	if (!is_hidden(mm)) {
		kernel_insert(m, mod, mm->start, mm->len);
	} else if (mod->start == mod->end) { /* what no module has is the kernel's */
		mod->end = UINT64_MAX;
		m->kernel_space = m->next_space++;
	}
}

static void apply_kernel_mmap(struct machine *m, const struct record_mmap *mm)
{
	struct module *mod;

	if (starts_with(mm->filename, "[kernel")) {
		map_kernel(m, mm);
		return;
	}
	mod = modules_get(&m->modules, PDT_MODULE_KMODULE, mm->filename.s, mm->filename.len,
			  &mm->ids);
	if (!is_hidden(mm) && mm->start) /* no module lies at 0 */
		kernel_insert(m, mod, mm->start, mm->len);
}

/* ---- guests ---- */

struct module *machine_guest(struct machine *m, const struct process *p)
{
	static const char name[] = "[guest.kernel.kallsyms]";

	if (p->guest)
		return p->guest;
	if (!m->guest)
		m->guest = modules_get(&m->modules, PDT_MODULE_GUEST, name, sizeof(name) - 1, NULL);
	return m->guest;
}

void machine_map_guest(struct machine *m, struct text name, uint64_t start, uint64_t len)
{
	struct module *mod = modules_get(&m->modules, PDT_MODULE_GUEST, name.s, name.len, NULL);
	struct map map = { .start = start, .end = start + len, .pgoff = start, .module = mod->id };

	if (!start || map.end < map.start)
		return;
	maps_insert(m->guest_maps, map);
	m->kernel_space = m->next_space++;
}

/* perf kvm: the kernel of the guest is [guest.kernel.kallsyms] of pid 0; that of one guest of
 * several [guest.kernel.kallsyms.PID], PID being the process that runs it. */
static void apply_guest_mmap(struct machine *m, const struct record_mmap *mm)
{
	static const char kernel[] = "[guest.kernel";
	const char *end = memchr(mm->filename.s, ']', mm->filename.len);
	uint32_t at = process_of(m, mm->pid); /* may move the array */
	struct process *p = &m->processes[at];

	if (at == OTHERS)
		return;
	if (!starts_with(mm->filename, kernel) || !end) {
		if (!mm->pid)
			machine_map_guest(m, mm->filename, mm->start, mm->len);
		return;
	}
	if (mm->pid)
		p->guest = modules_get(&m->modules, PDT_MODULE_GUEST, mm->filename.s,
				       (size_t)(end + 1 - mm->filename.s), NULL);
	set_reference(m, machine_guest(m, p), mm);
	new_space(m, p);
}

static void apply_mmap(struct machine *m, const struct record *r)
{
	switch (r->misc & MISC_CPUMODE_MASK) {
	case MISC_KERNEL:
		apply_kernel_mmap(m, &r->mmap);
		break;
	case MISC_GUEST_KERNEL:
		apply_guest_mmap(m, &r->mmap);
		break;
	case MISC_GUEST_USER:
		break; /* addresses of its programs stay addresses */
	default:
		apply_user_mmap(m, r);
	}
}

static void apply_ksymbol(struct machine *m, const struct record_ksymbol *k)
{
	struct module *mod;

	if (k->unregister) {
		maps_cut(m->kernel_maps, k->addr, k->addr + k->len);
		m->kernel_space = m->next_space++;
		return;
	}
	mod = modules_get(&m->modules, PDT_MODULE_BPF, k->name.s, k->name.len, NULL);
	kernel_insert(m, mod, k->addr, k->len);
}

static uint32_t comm_id(struct machine *m, struct text name)
{
	uint32_t known = intern_find(&m->comms, name.s, name.len);

	if (known != INTERN_NONE)
		return known;
	if (m->comm_bytes >= COMM_BYTES_MAX) {
		m->comms_refused++;
		return intern_add(&m->comms, "[others]", 8);
	}
	m->comm_bytes += name.len + sizeof(struct interned);
	return intern_add(&m->comms, name.s, name.len);
}

static void apply_comm(struct machine *m, const struct record *r)
{
	const struct record_comm *c = &r->comm;
	struct thread *t = machine_thread(m, c->pid, c->tid);
	struct process *p = &m->processes[t->process];

	if (machine_is_others(m, t))
		return;
	t->comm = comm_id(m, c->comm);
	if (c->exec && !p->born_ns)
		p->born_ns = r->sample_id.time_ns;
	if (c->exec && !m->quirks.keeps_maps_on_exec)
		begin_exec(m, p);
	else if (c->exec)
		p->bits = 0;
}

static void apply_fork(struct machine *m, const struct record *r)
{
	const struct record_task *f = &r->task;
	struct thread parent = *machine_thread(m, f->ppid, f->ptid);
	struct process *from, *to;
	struct thread *t;

	if (f->pid == f->ppid && f->tid == f->ptid)
		return;
	spaces_forget(m->spaces, f->tid);
	/* a pid seen before is another process now */
	if (f->pid != f->ppid)
		process_renew(m, f->pid);
	t = thread_new(m, f->pid, f->tid);
	if (machine_is_others(m, t))
		return;
	t->comm = parent.comm;
	if (f->pid == f->ppid || r->misc & MISC_FORK_EXEC)
		return;
	from = &m->processes[parent.process];
	to = &m->processes[t->process];
	to->born_ns = f->time_ns;
	to->pid_ns = from->pid_ns;
	to->mnt_ns = from->mnt_ns;
	to->bits = from->bits;
	to->maps = from->maps ? maps_ref(from->maps) : NULL;
	to->code = from->code ? codemap_ref(from->code) : NULL;
}

static void forget_thread(struct machine *m, struct thread *t)
{
	struct process *p = &m->processes[t->process];

	t->comm = PDT_NONE;
	if (t->tid != t->pid)
		return;
	if (p->live) { /* the others keep the mappings */
		t->process = process_new(m, t->pid);
		return;
	}
	drop_maps(m, p);
	new_space(m, p);
}

/* Keep the maps of the last EXITED_KEPT ended processes; give up the oldest. */
static void keep_exited(struct machine *m, uint32_t process)
{
	struct process *oldest = &m->processes[m->exited[m->exited_head]];
	size_t at;

	m->processes[process].exited = true;
	if (m->exited_count == EXITED_KEPT) {
		if (oldest->exited) {
			oldest->given_up = oldest->maps || oldest->code;
			drop_maps(m, oldest);
			new_space(m, oldest); /* what was found before is not told, either */
		}
		m->exited_head = (m->exited_head + 1) % EXITED_KEPT;
		m->exited_count--;
	}
	at = (m->exited_head + m->exited_count++) % EXITED_KEPT;
	m->exited[at] = process;
}

static void end_thread(struct machine *m, struct thread *t)
{
	struct process *p = &m->processes[t->process];

	/* of one that ends twice each event that records tasks may have told */
	if (t->exited || p->exited)
		return;
	t->exited = true;
	if (!p->live || !--p->live)
		keep_exited(m, t->process);
}

static void apply_exit(struct machine *m, const struct record_task *e)
{
	uint32_t i = machine_tid(m, e->tid);
	struct thread *t = i == TASKIDS_NONE ? NULL : &m->threads[i];

	/* a thread whose beginning was lost says nothing of how many are left */
	if (!t)
		return;
	if (t->pid == e->pid)
		end_thread(m, t);
	m->processes[t->process].ended_ns = e->time_ns;
	if (m->quirks.forgets_on_exit)
		forget_thread(m, t);
}

/* ---- namespaces ---- */

static void apply_namespaces(struct machine *m, const struct record_namespaces *n)
{
	uint32_t at;

	spaces_apply(&m->spaces, n);
	if (n->pid != n->tid) /* of one thread alone */
		return;
	at = process_of(m, n->pid); /* may move the array */
	if (at == OTHERS)
		return;
	m->processes[at].pid_ns = n->pid_ns;
	m->processes[at].mnt_ns = n->mnt_ns;
}

static const struct process *known_process(const struct machine *m, uint32_t pid)
{
	uint32_t i = machine_pid(m, pid);

	return i == TASKIDS_NONE ? NULL : &m->processes[i];
}

bool machine_is_contained(const struct machine *m, uint32_t pid)
{
	const uint64_t first_pid_ns = 0xeffffffc; /* PROC_PID_INIT_INO, linux/proc_ns.h */
	const struct process *p = known_process(m, pid), *init = known_process(m, 1);

	if (!p)
		return false;
	if (init && init->mnt_ns && p->mnt_ns)
		return p->mnt_ns != init->mnt_ns;
	return p->pid_ns && p->pid_ns != first_pid_ns;
}

void machine_apply(struct machine *m, const struct record *r)
{
	switch (r->type) {
	case RECORD_MMAP:
	case RECORD_MMAP2:
		apply_mmap(m, r);
		break;
	case RECORD_COMM:
		apply_comm(m, r);
		break;
	case RECORD_FORK:
		apply_fork(m, r);
		break;
	case RECORD_EXIT:
		apply_exit(m, &r->task);
		break;
	case RECORD_NAMESPACES:
		apply_namespaces(m, &r->namespaces);
		break;
	case RECORD_KSYMBOL:
		apply_ksymbol(m, &r->ksymbol);
		break;
	}
}

const char *machine_left_out(const struct machine *m, size_t i, uint64_t *count)
{
	const struct {
		uint64_t count;
		const char *what;
	} kinds[] = {
		{ m->maps_refused, "mappings, past 192 MiB or 65536 of one process" },
		{ m->tasks_refused, "uses of more tasks, past 4194304" },
		{ m->comms_refused, "more names of commands, past 64 MiB" },
		{ m->modules.refused, "uses of more modules, past 64 MiB" },
		{ m->late.used, "addresses of processes that had ended, past 256 that are kept" },
		{ m->code_refused,
		  "changes of a child's code, which its parent's stands for, past 64 MiB" },
		{ spaces_refused(m->spaces),
		  "namespaces of threads, past 65536 that differ or 4194304 threads" },
	};

	*count = i < ARRAY_SIZE(kinds) ? kinds[i].count : 0;
	return i < ARRAY_SIZE(kinds) ? kinds[i].what : NULL;
}
