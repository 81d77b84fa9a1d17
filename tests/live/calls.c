/* Makes system calls in four threads and logs each of theirs as it was seen from the program, to
 * standard output after all are done:
 *
 *     TID NUMBER BEGIN_NS END_NS
 *
 * by CLOCK_MONOTONIC. Signals interrupt some of them, which the kernel restarts (SA_RESTART); the
 * getppid() of their handler is logged, too. What the log itself needs is no system call. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define THREADS 4
#define ROUNDS	2000 /* at most */

struct call {
	int tid, number;
	uint64_t begin, end;
};

static struct call calls[8 * THREADS * ROUNDS];
static unsigned call_count, ready, done;
static int rounds, pipes[2];

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* A place in the log is taken before the call, so that a handler within it takes the next one. */
static long call(int tid, long number, long a, long b, long c)
{
	unsigned at = __atomic_fetch_add(&call_count, 1, __ATOMIC_RELAXED);
	struct call *to = &calls[at < 8 * THREADS * ROUNDS ? at : 0];
	long rc;

	to->tid = tid;
	to->number = (int)number;
	to->begin = now();
	rc = syscall(number, a, b, c);
	to->end = now();
	return rc;
}

static __thread int self;

static void handler(int number)
{
	int saved = errno;

	(void)number;
	call(self, SYS_getppid, 0, 0, 0);
	errno = saved;
}

static void *work(void *unused)
{
	char byte = 0;
	int null = open("/dev/null", O_WRONLY), zero = open("/dev/zero", O_RDONLY);

	(void)unused;
	self = (int)syscall(SYS_gettid);
	__atomic_fetch_add(&ready, 1, __ATOMIC_RELEASE);
	for (int i = 0; i < rounds; i++) {
		struct timespec nap = { 0, 50000 + i * 7919 % 400000 };

		call(self, SYS_getpid, 0, 0, 0);
		call(self, SYS_write, null, (long)&byte, 1);
		call(self, SYS_read, zero, (long)&byte, 1);
		if (i % 4 == 1)
			call(self, SYS_nanosleep, (long)&nap, 0, 0);
		if (i % 8 == 5) /* until the main thread writes */
			call(self, SYS_read, pipes[0], (long)&byte, 1);
	}
	__atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
	return NULL;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
	struct timespec nap = { 0, 300000 };
	pthread_t threads[THREADS];
	char byte = 0;

	rounds = argc > 1 ? atoi(argv[1]) : 200;
	if (rounds > ROUNDS || pipe(pipes))
		return 1;
	fcntl(pipes[1], F_SETFL, O_NONBLOCK);
	sigaction(SIGALRM, &action, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	while (__atomic_load_n(&ready, __ATOMIC_ACQUIRE) < THREADS)
		nanosleep(&nap, NULL);
	for (unsigned i = 0; __atomic_load_n(&done, __ATOMIC_RELAXED) < THREADS; i++) {
		nanosleep(&nap, NULL);
		if (i % 3 == 2)
			(void)!write(pipes[1], &byte, 1);
		else
			pthread_kill(threads[i / 3 % THREADS], SIGALRM);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (unsigned i = 0; i < call_count; i++)
		printf("%d %d %llu %llu\n", calls[i].tid, calls[i].number,
		       (unsigned long long)calls[i].begin, (unsigned long long)calls[i].end);
	return 0;
}
