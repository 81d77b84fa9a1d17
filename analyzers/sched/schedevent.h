/* The scheduler's events, whatever recorded them: tracepoints of the sched system, or the kernel's
 * SWITCH records. One struct pdt_event in, one struct sched_event out. */
#ifndef PDTOOL_SCHEDEVENT_H
#define PDTOOL_SCHEDEVENT_H

#include "analyzers/count/answer.h"
#include "analyzers/count/field_place.h"
#include "analyzers/count/interrupt.h"
#include "parser/base/idmap.h"
#include "parser/base/err.h"
#include "parser/pdtool_capture.h"

enum sched_kind {
	SCHED_NONE,   /* no event of the scheduler */
	SCHED_SWITCH, /* pid leaves the CPU, next_pid gets it */
	SCHED_IN,     /* SWITCH records: pid gets the CPU */
	SCHED_OUT,    /* the same: pid leaves it */
	SCHED_WAKING, /* pid is being woken up: the start of it */
	SCHED_WAKEUP, /* pid is in the run queue */
	SCHED_WAKEUP_NEW,
	SCHED_RUNTIME, /* pid ran for amount_ns up to now */
	SCHED_MIGRATE, /* pid, which waits, goes to target_cpu */
	SCHED_FORK,    /* pid was made by next_pid; also from FORK records */
	SCHED_EXIT,    /* pid ends */
	SCHED_COMM,    /* pid has the name comm */
	SCHED_LOST,    /* amount_ns (a count, no time) records of this CPU are missing before now */
	SCHED_KINDS,
};

/* CPUs that are believed: each costs memory, up to its number. */
#define SCHED_CPUS_MAX 65536

struct sched_event {
	uint8_t kind;		/* enum sched_kind */
	bool record;		/* a record tells it, no tracepoint */
	char state;		/* SWITCH, OUT: what pid does now, as ps shows it: R S D ... */
	uint8_t interrupt;	/* enum interrupt, of wake-ups: current did not do it */
	uint32_t pid, next_pid; /* thread ids */
	uint32_t process;	/* pid's process, UINT32_MAX when not told */
	uint32_t next_process;	/* FORK records: next_pid's */
	uint32_t cpu;		/* where it was recorded; UINT32_MAX: not told */
	uint32_t current;	/* thread that ran there, as the sample tells */
	uint32_t current_process;
	uint32_t target_cpu, origin_cpu; /* of a wake-up, a migration */
	uint32_t stack; /* SWITCH, OUT: where pid left the CPU; PDT_NONE: not told */
	bool left_out;	/* by the filter by fields: what it ends or begins is not shown */
	uint64_t time_ns;
	uint64_t amount_ns;
	/* names that the event itself tells: see sched_comm() */
	const char *comm;
	const struct pdt_field *comm_field, *next_comm_field;
	const struct pdt_event *sample; /* the last member; NULL: a record */
};

/* What one event of the capture is, found out once. */
struct sched_binding {
	bool bound;
	enum sched_kind kind;
	const struct pdt_field *pid, *next_pid, *state, *amount, *comm, *next_comm;
	const struct pdt_field *target, *origin;
	const struct pdt_field *success; /* kernels before 4.3: 0 is no wake-up */
	const struct pdt_field *flags;
	/* payloads of so many bytes hold all fields as kernels have them; 0: none */
	uint32_t plain;
	struct field_place pid_at, next_pid_at, state_at, amount_at, target_at, origin_at, flags_at;
	char running;	  /* the state of no letter; 0: it tells no state */
	char letters[64]; /* of the states, by bit; 0: none */
};

struct sched_events {
	struct sched_binding *bindings; /* by event_desc.index */
	size_t count, cap;
	uint64_t seen[SCHED_KINDS];
	uint64_t unreadable; /* samples of the scheduler whose payload could not be read */
	uint64_t far;	     /* events left out, of CPUs past SCHED_CPUS_MAX */
	bool chosen;	     /* the next three are known */
	bool tracepoints;    /* there is sched_switch: SWITCH records are passed over */
	bool switch_records, waking;
	bool filtering; /* by fields */
	/* Samples of a sched_switch that cannot be read, right before the OUT record that tells
	 * what it is about (simpleperf --trace-offcpu); NULL: there are none. */
	const struct pdt_desc *leaving;
	struct idmap left; /* tid -> 1 + stack of the last of them since it got a CPU */
};

/* What the session has to give for it. */
#define SCHED_WANTS \
	(PDT_WANT_FIELDS | PDT_WANT_SWITCHES | PDT_WANT_TASKS | PDT_WANT_LOST | PDT_WANT_ALL)

void sched_events_release(struct sched_events *s);
/* False when E is no event of the scheduler, or one of a kind that a better one replaces. */
bool sched_event_read(struct sched_events *s, const struct pdt_event *e,
		      const struct pdt_session *session, struct sched_event *out);
/* The name of pid, and of next_pid, that E tells; NULL: none. In E's bytes, *LEN of them. */
const char *sched_comm(const struct sched_event *e, size_t *len);
const char *sched_next_comm(const struct sched_event *e, size_t *len);
/* Does the capture have an event called NAME ("sched_waking")? */
bool sched_records(const struct pdt_session *s, const char *name);
/* Begin A with what was read of S. ERR_USAGE, with a line in W that says what S has and how to
 * record, when it holds no switches. */
CHECKED int sched_answer(const struct sched_events *e, const struct pdt_session *s,
			 struct answer *a, struct warnings *w);
/* The check alone, of a capture that shall have call chains, too. */
CHECKED int sched_check_chains(const struct pdt_session *s, struct warnings *w);
/* What was read, what was left out and what the capture lacks. */
void sched_facts(const struct sched_events *s, struct answer *a, struct warnings *w);

#endif
