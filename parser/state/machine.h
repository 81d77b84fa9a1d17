/* The recorded machine at the moment up to which records were applied: processes, threads, comms,
 * maps, the kernel's own ranges. Records must come in time order.
 *
 * Rules of maps, comms and forks: as perf applies them (tools/perf/util/{machine,thread,maps}.c),
 * but that an exec clears the address space unless the quirks ask for perf's habit. It does so when
 * the new program begins: until then the kernel works for the old one, whose call of exec is what
 * user addresses there are. */
#ifndef PDTOOL_STATE_MACHINE_H
#define PDTOOL_STATE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "parser/base/idmap.h"
#include "parser/base/quirks.h"
#include "parser/base/intern.h"
#include "parser/record/record.h"
#include "parser/state/codemap.h"
#include "parser/state/maps.h"
#include "parser/state/module.h"
#include "parser/state/taskids.h"

/* Mappings of all processes: 100,000 of them, each with 50 of its own. */
#define MAP_BYTES_MAX (UINT64_C(192) << 20)
/* Threads, and processes: Linux has no greater pid (PID_MAX_LIMIT, include/linux/threads.h), and
 * one that comes back takes the place of the one before. */
#define TASKS_MAX      (4u << 20)
#define COMM_BYTES_MAX (64u << 20)

#define LAST_TASKS 16 /* CPUs run theirs in turn */

struct process {
	uint32_t pid;	/* first: taskids */
	uint32_t space; /* id of the address space, new whenever an address may mean something else
			 */
	struct maps *maps;     /* NULL: none seen, or given up after the exit */
	struct maps *old_maps; /* of the program that called exec, until the new one runs; or NULL
				*/
	struct module *guest;  /* kernel of the guest that P alone runs; NULL: machine.guest */
	struct codemap *code;  /* just-in-time compiled code; NULL: no log of it */
	uint64_t born_ns, ended_ns; /* 0: not seen; the end of one that began before is the latest
				       of a thread of it */
	uint64_t pid_ns, mnt_ns;    /* inodes of its namespaces; 0: not told */
	uint32_t live;		    /* threads announced and not ended */
	uint32_t kernel_space;	    /* the kernel's when SPACE was made */
	uint8_t bits;		    /* of the program: 32, 64, or 0: not known */
	bool missed;		    /* an address was looked up in vain in this space */
	bool exited   : 1;
	bool given_up : 1; /* its mappings were, as it had ended: EXITED_KEPT */
	bool renewed  : 1; /* another process had its pid before */
	bool laid_out : 1; /* since the exec the kernel has mapped its own: what comes is the
			      program's */
	uint32_t exec;	   /* the last one, of all in the capture: from 1 on */
};

struct thread {
	uint32_t tid; /* first: taskids */
	uint32_t pid;
	uint32_t comm;	  /* interned in machine.comms, or PDT_NONE */
	uint32_t process; /* index in machine.processes */
	bool exited;
};

struct machine {
	struct modules modules;
	struct intern comms;
	struct thread *threads;
	size_t thread_count, thread_cap;
	struct process *processes;
	size_t process_count, process_cap;
	struct taskids by_tid, by_pid;
	uint32_t execs;		  /* seen so far */
	struct taskids by_sample; /* processes that no record told of, by pid */
	uint64_t tasks_refused;	  /* times that one was asked for past TASKS_MAX */
	uint64_t comms_refused;	  /* past COMM_BYTES_MAX */
	size_t comm_bytes;
	struct maps *kernel_maps; /* kernel, modules, BPF: one address space for all */
	struct module *kernel;	  /* NULL until its mapping was seen */
	struct maps *guest_maps;  /* of the guest's kernel and its modules */
	struct module *guest;	  /* its kernel; NULL until it was asked for */
	uint32_t next_space;
	uint32_t
		kernel_space; /* id of the kernel's ranges, new whenever one comes, goes or moves */
	struct last_task {
		uint32_t pid, tid, thread, process;
	} last[LAST_TASKS]; /* that were asked for, by tid; thread: PDT_NONE: not known */
	struct quirks quirks;
	uint64_t map_bytes;    /* of the mappings of all processes together */
	uint64_t maps_refused; /* mappings not kept, as there were MAP_BYTES_MAX or MAPS_MAX */
	uint64_t code_bytes;   /* of copies of processes' code */
	uint64_t code_refused; /* times that one was not made */
	struct idmap
		late; /* addresses in processes whose mappings were given up, by a hash of both */
	/* Processes that ended, oldest first, whose maps are still kept for their last samples. */
	uint32_t *exited;
	size_t exited_head, exited_count;
	struct spaces *spaces; /* of threads; NULL: none told */
};

struct spaces;

/* Index of the thread, and of its process, that stand for what is one too many. Nothing that is
 * told of it is applied to it. */
#define OTHERS 1
static inline bool machine_is_others(const struct machine *m, const struct thread *t)
{
	return t == &m->threads[OTHERS];
}

/* The place of what has the id now, or TASKIDS_NONE. */
static inline uint32_t machine_tid(const struct machine *m, uint32_t tid)
{
	return taskids_get(&m->by_tid, (struct tasklist){ m->threads, sizeof(*m->threads) }, tid);
}

static inline uint32_t machine_pid(const struct machine *m, uint32_t pid)
{
	return taskids_get(&m->by_pid, (struct tasklist){ m->processes, sizeof(*m->processes) },
			   pid);
}

void machine_init(struct machine *m);
void machine_release(struct machine *m);
/* Apply a MMAP, MMAP2, COMM, FORK, EXIT or KSYMBOL record; others change nothing. */
void machine_apply(struct machine *m, const struct record *r);
/* The kernel of the guest that process P runs. */
struct module *machine_guest(struct machine *m, const struct process *p);
/* The guest's kernel has module NAME, LEN bytes at START. */
void machine_map_guest(struct machine *m, struct text name, uint64_t start, uint64_t len);
/* The thread of a record, made when it was never announced. Valid until the next call. */
struct thread *machine_thread(struct machine *m, uint32_t pid, uint32_t tid);
const struct last_task *machine_find_task(struct machine *m, uint32_t pid, uint32_t tid);

/* Whose a sample is: its command, or PDT_NONE, and the index of its process. */
struct task {
	uint32_t comm, process;
};

/* What a sample tells of its thread changes nothing for other samples: records alone make the
 * machine, but for machine_end_exec(). */
static inline struct task machine_task(struct machine *m, uint32_t pid, uint32_t tid)
{
	const struct last_task *l = &m->last[tid % LAST_TASKS];

	if (l->tid != tid || l->pid != pid)
		l = machine_find_task(m, pid, tid);
	return (struct task){ l->thread == PDT_NONE ? PDT_NONE : m->threads[l->thread].comm,
			      l->process };
}

/* The process of a sample, as far as it is known without that; or NULL. */
static inline const struct process *machine_process(const struct machine *m, uint32_t pid,
						    uint32_t tid)
{
	const struct last_task *l = &m->last[tid % LAST_TASKS];
	uint32_t thread;

	if (l->tid == tid && l->pid == pid)
		return &m->processes[l->process];
	thread = machine_tid(m, tid);
	return thread == TASKIDS_NONE ? NULL : &m->processes[m->threads[thread].process];
}

/* P, which called exec, runs the new program by now: the old one's mappings mean nothing more. */
void machine_end_exec(struct machine *m, struct process *p);
/* From now on process PROCESS runs code of LOG, which must outlive M, in MODULE. */
void machine_attach_code(struct machine *m, uint32_t process, const struct code_log *log,
			 uint32_t module);
/* Let come all that LOG tells of the code of process PROCESS up to UNTIL. Returns when there is
 * more to come; UINT64_MAX: never, or the process has another program now. */
uint64_t machine_run_code(struct machine *m, uint32_t process, const struct code_log *log,
			  uint64_t until_ns);
/* The id of what P's and the kernel's addresses mean now. */
static inline uint32_t process_space(struct machine *m, struct process *p)
{
	if (p->kernel_space != m->kernel_space) {
		p->kernel_space = m->kernel_space;
		p->space = m->next_space++;
	}
	return p->space;
}
/* Has the process PID another view of the files than the machine it is on? As perf decides it: by
 * its mount namespace, beside that of pid 1; where that is not told, by its pid namespace. */
bool machine_is_contained(const struct machine *m, uint32_t pid);
/* What was left out as there was too much of it: the I-th kind, and how many; NULL: there is no
 * I-th. */
const char *machine_left_out(const struct machine *m, size_t i, uint64_t *count);
/* Its name: NULL when the capture has none. */
const char *machine_comm(const struct machine *m, const struct thread *t);

#endif
