/* Finding jitdumps and replaying them. */
#include "parser/names/jit/jit.h"
#include "parser/base/abi.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/names/hostfile.h"
#include "parser/names/jit/jitdump.h"
#include "parser/names/jit/jitmaps.h"
#include "parser/names/sources/sources.h"
#include "parser/names/sources/symfiles.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CLOCK_IS_MONOTONIC 1 /* CLOCK_MONOTONIC of Linux, whatever this host calls it */
#define PROT_EXEC_BIT	   4
#define DUMPS_MAX	   4096
#define ATTACHED_MAX	   64 /* times that one process can begin anew, by exec */

/* A dump that was read, for one process. */
struct dump {
	struct jitdump *file;
	struct code_log log;
	uint32_t pid;	 /* as recorded */
	uint32_t module; /* id */
	uint32_t process;
	unsigned attached; /* how often */
	bool running;	   /* more code may come */
};

struct jit {
	const struct capture *capture;
	const struct symbol_options *o;
	struct machine *machine;
	struct dump **list;
	size_t count, cap;
	uint64_t next_ns;
	bool *tried; /* by the user's option: its file was looked at */
};

struct jit *jit_new(const struct capture *capture, const struct symbol_options *o,
		    struct machine *m)
{
	struct jit *j = xcalloc(1, sizeof(*j));

	*j = (struct jit){ .capture = capture, .o = o, .machine = m, .next_ns = UINT64_MAX };
	j->tried = xcalloc(o->perf_map_count + 1, sizeof(*j->tried));
	return j;
}

void jit_free(struct jit *j)
{
	if (!j)
		return;
	for (size_t i = 0; i < j->count; i++) {
		code_log_release(&j->list[i]->log);
		jitdump_free(j->list[i]->file);
		free(j->list[i]);
	}
	free(j->list);
	free(j->tried);
	free(j);
}

const struct jitdump *jit_dump(void *jit, uint32_t module)
{
	const struct jit *j = jit;

	for (size_t i = 0; i < j->count; i++) {
		if (j->list[i]->module == module)
			return j->list[i]->file;
	}
	return NULL;
}

/* ---- is it the right one? ---- */

static bool fits_machine(const struct jit *j, const struct jitdump *d)
{
	uint16_t narrow = abi_machine(j->capture->meta.arch, 1);
	uint16_t wide = abi_machine(j->capture->meta.arch, 2);

	/* what is not told, or not known, fits */
	return (!narrow && !wide) || !d->machine || narrow == d->machine || wide == d->machine;
}

static struct jitdump *refuse(struct jit *j, struct jitdump *d, const char *why)
{
	warn_add(j->capture->warnings, SEV_FAILED, "jitdump-refused", "%s: not used: %s",
		 jitdump_shown(d), why);
	jitdump_free(d);
	return NULL;
}

/* PID: of the process as it sees itself; 0: the user vouches for it. SHOWN: the path that the user
 * knows, where it is another one; or NULL. */
static struct jitdump *open_shown(struct jit *j, const char *path, const char *shown, uint32_t pid)
{
	struct jitdump *d;
	char why[64];

	/* a member of an archive has a copy of ours */
	if (jitdump_open(&d, shown && shown != path ? NULL : j->o->reach, path) < 0)
		return NULL;
	d->shown = shown;
	snprintf(why, sizeof(why), "it is of process %" PRIu32 ", not %" PRIu32, d->pid, pid);
	if (pid && d->pid != pid)
		return refuse(j, d, why);
	if (!fits_machine(j, d))
		return refuse(j, d, "it is of another architecture");
	/* CPython does not say: then it is the capture's */
	if (!d->machine)
		d->machine = abi_machine(j->capture->meta.arch, 2);
	return d;
}

static struct jitdump *open_dump(struct jit *j, const char *path, uint32_t pid)
{
	return open_shown(j, path, NULL, pid);
}

/* ---- looking for it ---- */

static struct jitdump *open_joined(struct jit *j, const char *dir, const char *rest, uint32_t pid)
{
	struct buf path = { 0 };
	struct jitdump *d;

	buf_printf(&path, "%s%s%s", dir, rest[0] == '/' ? "" : "/", rest);
	d = open_dump(j, path.data, pid);
	buf_release(&path);
	return d;
}

/* The one that the user named for the process recorded as PID. */
static struct jitdump *find_named(struct jit *j, uint32_t pid)
{
	for (size_t i = 0; i < j->o->perf_map_count; i++) {
		const char *file;
		struct jitdump *d;
		uint32_t named;

		if (j->tried[i] || !jitmap_option(j->o->perf_maps[i], &named, &file) ||
		    named != pid)
			continue;
		j->tried[i] = true;
		d = open_dump(j, file, 0);
		if (d)
			return d;
	}
	return NULL;
}

static struct jitdump *find_in_sources(struct jit *j, const char *path, uint32_t pid)
{
	struct sources *s = j->o->sources;
	struct source_path in;
	struct jitdump *d = NULL;

	for (size_t i = 0; i < sources_count(s) && !d && path[0] == '/'; i++) {
		const char *dir = sources_dir(s, i);

		d = dir ? open_joined(j, dir, path, pid) : NULL;
	}
	if (d || !sources_find(s, symfile_base(path), &in))
		return d;
	return open_shown(j, in.open, in.shown, pid);
}

/* The file of this host that the process mapped. */
static struct jitdump *find_here(struct jit *j, const char *path, uint32_t pid,
				 const struct file_id *file)
{
	struct jitdump *d = host_is_dump(j->o->host, path, file) ? open_dump(j, path, pid) : NULL;

	if (d)
		d->here = true;
	return d;
}

/* The one that a process which calls itself PID mapped as PATH, which was FILE. */
static struct jitdump *find_marked(struct jit *j, const char *path, uint32_t pid,
				   const struct file_id *file)
{
	struct jitdump *d = NULL;

	for (size_t i = 0; i < j->o->perf_map_dir_count && !d; i++)
		d = open_joined(j, j->o->perf_map_dirs[i], symfile_base(path), pid);
	if (!d && j->o->symfs && path[0] == '/')
		d = open_joined(j, j->o->symfs, path, pid);
	return d ?: find_in_sources(j, path, pid) ?: find_here(j, path, pid, file);
}

/* ---- time ---- */

/* The recorder's clock at CYCLES of the CPU's counter (tools/perf/util/tsc.c). */
static uint64_t cycles_to_ns(const struct time_conv *t, uint64_t cycles)
{
	uint64_t whole, rest;

	if (t->cap_short)
		cycles = t->cycles + ((cycles - t->cycles) & t->mask);
	whole = cycles >> t->shift;
	rest = cycles & (((uint64_t)1 << t->shift) - 1);
	return t->zero + whole * t->mult + (rest * t->mult >> t->shift);
}

/* Do the times of all samples come from this clock? -1: the recorder's own. */
static bool clock_is(const struct jit *j, int clockid)
{
	const struct event_list *events = &j->capture->events;

	for (size_t i = 0; i < events->count; i++) {
		const struct event_attr *a = &events->descs[i]->attr;

		if ((a->flags & ATTR_USE_CLOCKID ? a->clockid : -1) != clockid ||
		    !(a->sample_type & SAMPLE_TIME))
			return false;
	}
	return events->count;
}

/* Put the dump's times on the capture's clock; where that cannot be done, all code is there from
 * the beginning. */
static void set_times(struct jit *j, struct jitdump *d)
{
	const struct time_conv *t = &j->capture->meta.time_conv;
	const char *why = NULL;

	if (d->cycles && !(t->known && clock_is(j, -1)))
		why = "its times are cycles, which the capture does not relate to its own clock";
	else if (!d->cycles && !clock_is(j, CLOCK_IS_MONOTONIC))
		why = "the capture was not recorded with perf record -k mono";
	for (size_t i = 0; i < d->range_count; i++) {
		if (why)
			d->ranges[i].time_ns = 0;
		else if (d->cycles)
			d->ranges[i].time_ns = cycles_to_ns(t, d->ranges[i].time_ns);
	}
	if (why)
		warn_add(j->capture->warnings, SEV_NOTE, "jitdump-time",
			 "%s is used without times, so that code has the name of what came last at "
			 "its address: %s",
			 jitdump_shown(d), why);
}

/* ---- a process and its dump ---- */

static struct dump *dump_of(struct jit *j, uint32_t pid)
{
	for (size_t i = 0; i < j->count; i++) {
		if (j->list[i]->pid == pid)
			return j->list[i];
	}
	return NULL;
}

/* Two processes of two containers may have the same name for their dumps. */
static bool is_taken(struct jit *j, const struct jitdump *d, uint32_t pid)
{
	for (size_t i = 0; i < j->count; i++) {
		if (strcmp(j->list[i]->file->path, d->path))
			continue;
		warn_add(j->capture->warnings, SEV_FAILED, "jitdump-taken",
			 "%s: taken for process %" PRIu32 ", not for process %" PRIu32
			 " (see --perf-map)",
			 jitdump_shown(d), j->list[i]->pid, pid);
		return true;
	}
	return false;
}

static uint32_t module_of(struct jit *j, const char *recorded, uint32_t pid)
{
	struct modules *all = &j->machine->modules;
	struct module *m = modules_get(all, PDT_MODULE_JITDUMP, recorded, strlen(recorded), NULL);
	struct buf name = { 0 };

	if (m->pid && m->pid != pid) {
		buf_printf(&name, "%s (process %" PRIu32 ")", recorded, pid);
		m = modules_get(all, PDT_MODULE_JITDUMP, name.data, name.len, NULL);
		buf_release(&name);
	}
	m->pid = pid;
	return m->id;
}

static struct dump *add_dump(struct jit *j, struct jitdump *file, const char *recorded,
			     uint32_t pid)
{
	struct dump *d;

	if (j->count >= DUMPS_MAX)
		warn_add(j->capture->warnings, SEV_FAILED, "jitdump-left-out",
			 "%s: not read: there are %d jitdump files already", jitdump_shown(file),
			 DUMPS_MAX);
	if (j->count >= DUMPS_MAX || jitdump_load(file) < 0) {
		jitdump_free(file);
		return NULL;
	}
	if (file->damaged)
		warn_add(j->capture->warnings, SEV_WARN, "jitdump-damaged",
			 "%s: offset %" PRIu64 ": damaged, or cut; what follows is not used",
			 jitdump_shown(file), file->damaged);
	set_times(j, file);
	d = xcalloc(1, sizeof(*d));
	*d = (struct dump){ .file = file, .pid = pid, .module = module_of(j, recorded, pid) };
	code_log_init(&d->log, file->ranges, file->range_count);
	j->list = xgrow(j->list, &j->cap, j->count + 1, sizeof(*j->list));
	return j->list[j->count++] = d;
}

/* Begin to replay D in the process that its pid means now, unless it is at it. */
static void attach(struct jit *j, struct dump *d)
{
	uint32_t process = machine_pid(j->machine, d->pid);
	const struct codemap *code;

	if (process == TASKIDS_NONE || d->attached == ATTACHED_MAX)
		return;
	code = j->machine->processes[process].code;
	if (code && codemap_log(code) == &d->log && d->process == process)
		return;
	d->process = process;
	d->running = true;
	d->attached++;
	machine_attach_code(j->machine, process, &d->log, d->module);
	j->next_ns = 0;
}

/* "jit-PID.dump", where PID is the process's own. */
static bool is_marker(const char *path, uint32_t *pid)
{
	const char *name = symfile_base(path);
	char *end;

	if (strncmp(name, "jit-", 4) || name[4] < '0' || name[4] > '9')
		return false;
	*pid = (uint32_t)strtoul(name + 4, &end, 10);
	return *pid && !strcmp(end, ".dump");
}

/* PATH: what the process of MM just mapped as code. */
static struct dump *find_dump(struct jit *j, const char *path, const struct record_mmap *mm)
{
	uint32_t pid = mm->pid, own_pid;
	struct jitdump *file = find_named(j, pid);
	bool marker = is_marker(path, &own_pid);
	char name[40];

	snprintf(name, sizeof(name), "/tmp/jit-%" PRIu32 ".dump", pid);
	if (file)
		return add_dump(j, file, marker ? path : name, pid);
	file = marker ? find_marked(j, path, own_pid, &mm->ids.file) : NULL;
	if (!file || is_taken(j, file, pid)) {
		jitdump_free(file);
		return NULL;
	}
	return add_dump(j, file, path, pid);
}

uint64_t jit_mapped(struct jit *j, const struct record *r)
{
	const struct record_mmap *mm = &r->mmap;
	uint16_t mode = r->misc & MISC_CPUMODE_MASK;
	struct dump *d;
	char *path;

	if (!(mm->prot & PROT_EXEC_BIT) || mode == MISC_KERNEL || mode == MISC_GUEST_KERNEL ||
	    mode == MISC_GUEST_USER)
		return j->next_ns;
	d = dump_of(j, mm->pid);
	if (!d) {
		path = strndup(mm->filename.s, mm->filename.len);
		d = find_dump(j, path, mm);
		free(path);
	}
	if (d)
		attach(j, d);
	return j->next_ns;
}

uint64_t jit_run(struct jit *j, uint64_t now_ns)
{
	j->next_ns = UINT64_MAX;
	for (size_t i = 0; i < j->count; i++) {
		struct dump *d = j->list[i];
		uint64_t next;

		if (!d->running)
			continue;
		next = machine_run_code(j->machine, d->process, &d->log, now_ns);
		d->running = next != UINT64_MAX;
		if (next < j->next_ns)
			j->next_ns = next;
	}
	return j->next_ns;
}
