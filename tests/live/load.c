/* load SECONDS: threads that want the CPU in different ways. At its end each tells what the kernel
 * counted of it: one line "NAME TID RUN_NS WAIT_NS SLICES SLEEPS PREEMPTIONS" (schedstat and
 * getrusage). Two hogs on one CPU, a thread that works and sleeps there, a sleeper.
 * "load spin" keeps every CPU out of idle at the lowest priority until it is killed: idle is where
 * virtual machines lose records. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define THREADS 4

struct worker {
	const char *name;
	long work_us, sleep_us; /* sleep 0: never */
	pthread_t thread;
	int tid;
	unsigned long long run_ns, wait_ns, slices;
	long sleeps, preemptions;
};

static struct worker workers[THREADS] = {
	{ .name = "hog-1", .work_us = 1000 },
	{ .name = "hog-2", .work_us = 1000 },
	{ .name = "periodic", .work_us = 3000, .sleep_us = 5000 },
	{ .name = "sleeper", .work_us = 20, .sleep_us = 20000 },
};

static double end;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void spin(long us)
{
	for (double until = now() + (double)us / 1e6; now() < until;)
		;
}

static void account(struct worker *w)
{
	struct rusage r;
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/schedstat", w->tid);
	f = fopen(path, "re");
	if (!f || fscanf(f, "%llu %llu %llu", &w->run_ns, &w->wait_ns, &w->slices) != 3)
		exit(1);
	fclose(f);
	getrusage(RUSAGE_THREAD, &r);
	w->sleeps = r.ru_nvcsw;
	w->preemptions = r.ru_nivcsw;
}

static void *work(void *arg)
{
	struct worker *w = arg;
	struct timespec t = { 0, w->sleep_us * 1000 };

	prctl(PR_SET_NAME, w->name);
	w->tid = gettid();
	while (now() < end) {
		spin(w->work_us);
		if (w->sleep_us)
			nanosleep(&t, NULL);
	}
	account(w);
	return NULL;
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static __attribute__((noreturn)) void keep_busy(void)
{
	struct sched_param p = { 0 };
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	sched_setscheduler(0, SCHED_IDLE, &p);
	for (long i = 1; i < cpus; i++) {
		if (fork() == 0) {
			prctl(PR_SET_PDEATHSIG, 9);
			pin((int)i);
			for (;;)
				;
		}
	}
	pin(0);
	for (;;)
		;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "spin"))
		keep_busy();
	end = now() + (argc > 1 ? atof(argv[1]) : 1);
	pin(0);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&workers[i].thread, NULL, work, &workers[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(workers[i].thread, NULL);
	for (int i = 0; i < THREADS; i++) {
		struct worker *w = &workers[i];

		printf("%s %d %llu %llu %llu %ld %ld\n", w->name, w->tid, w->run_ns, w->wait_ns,
		       w->slices, w->sleeps, w->preemptions);
	}
	return 0;
}
