/* The ways in which "perf sched timehist" 6.12 differs from what is right, for its own figures
 * (--compat perf); all false without. Each names what of tools/perf/builtin-sched.c it mirrors. */
#ifndef PDTOOL_PERF_TIMEHIST_H
#define PDTOOL_PERF_TIMEHIST_H

#include <stdbool.h>

struct timehist_rules {
	/* Names come from COMM records alone (timehist_get_thread(), thread__comm_str()). */
	bool names_from_records;
	/* Who leaves is the sample's thread, not prev_pid (timehist_sched_change_event()). */
	bool leaver_is_sampled;
	/* Who wakes up or moves is looked for in process 0 (timehist_sched_wakeup_event(),
	 * timehist_migrate_task_event()). */
	bool woken_in_process_0;
	/* Threads are forgotten at their exit, so that the last switch is another's
	 * (machine__process_exit_event() in util/machine.c). */
	bool forgets_exited;
	/* Idle has a delay, too (timehist_update_runtime_stats()). */
	bool idle_waits;
	/* Migrations are counted only where they are shown (perf_sched__timehist()). */
	bool migrations_if_shown;
	/* The thread that an interrupt hit wakes up whom that woke (timehist_print_wakeup_event()).
	 */
	bool hit_thread_wakes;
};

#define TIMEHIST_OF_PERF                                                                           \
	{                                                                                          \
		.names_from_records = true, .leaver_is_sampled = true, .woken_in_process_0 = true, \
		.forgets_exited = true, .idle_waits = true, .migrations_if_shown = true,           \
		.hit_thread_wakes = true                                                           \
	}
#endif
