/* A parallel for over pthreads; threads take the next index until none is left. */
#include "parser/base/pool.h"

#include <pthread.h>
#include <stdatomic.h>

#define POOL_MAX 64

/* As much as a program's first thread has. Not every C library gives a thread that much by itself:
 * musl's 128 KiB are too little for a demangler. */
#define STACK_SIZE (8u << 20)

struct pool {
	pool_fn *fn;
	void *ctx;
	size_t n;
	atomic_size_t next;
};

static void *work(void *arg)
{
	struct pool *p = arg;
	size_t i;

	while ((i = atomic_fetch_add(&p->next, 1)) < p->n)
		p->fn(p->ctx, i);
	return NULL;
}

void pool_for(unsigned jobs, size_t n, pool_fn *fn, void *ctx)
{
	struct pool p = { fn, ctx, n, 0 };
	pthread_t threads[POOL_MAX];
	pthread_attr_t attr;
	unsigned started = 0;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	if (jobs > POOL_MAX)
		jobs = POOL_MAX;
	if (jobs > n)
		jobs = (unsigned)n;
	while (started + 1 < jobs && pthread_create(&threads[started], &attr, work, &p) == 0)
		started++;
	work(&p);
	while (started)
		pthread_join(threads[--started], NULL);
	pthread_attr_destroy(&attr);
}
