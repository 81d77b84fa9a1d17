/* A parallel for over pthreads; threads take the next index until none is left. */
#include "parser/base/pool.h"

#include <pthread.h>
#include <stdatomic.h>

#define POOL_MAX 64

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
	unsigned started = 0;

	if (jobs > POOL_MAX)
		jobs = POOL_MAX;
	if (jobs > n)
		jobs = (unsigned)n;
	while (started + 1 < jobs && pthread_create(&threads[started], NULL, work, &p) == 0)
		started++;
	work(&p);
	while (started)
		pthread_join(threads[--started], NULL);
}
