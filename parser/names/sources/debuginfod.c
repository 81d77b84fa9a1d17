/* The client of debuginfod servers. */
#include "parser/names/sources/debuginfod.h"
#include "parser/base/intern.h"
#include "parser/base/dynlib.h"
#include "parser/base/mem.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LIBRARY "libdebuginfod.so.1"

/* elfutils/debuginfod.h, which need not be installed */
typedef void *client;
typedef int progress_fn(client c, long done, long total);
typedef int find_fn(client c, const unsigned char *id, int len, char **path);

struct functions {
	client (*begin)(void);
	void (*end)(client c);
	find_fn *find[2]; /* by enum debuginfod_kind */
	void (*set_progress)(client c, progress_fn *fn);
	void (*set_user_data)(client c, void *data);
};

/* The one that is going on. */
struct transfer {
	long done;
	time_t since; /* when the last byte came */
	long limit_s; /* that may pass without one */
	bool stalled; /* the library would tell that as -ENOENT */
};

struct debuginfod {
	void *library;
	struct functions f;
	client client;
	struct transfer transfer;
	pthread_mutex_t lock; /* a client does one thing at a time */
	struct intern asked;  /* kind and build-id */
	unsigned failures;    /* in a row */
	int reason;	      /* errno of the last failure, 0: there was none */
};

static time_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

/* Show nothing, but stop what does not move: the library itself would wait for minutes. The client
 * is all that one gets; the symbols of the library are global (see load()). */
static int progress(client c, long done, long total)
{
	void *(*user_data)(client) =
		(void *(*)(client))dlsym(RTLD_DEFAULT, "debuginfod_get_user_data");
	struct transfer *t = user_data ? user_data(c) : NULL;

	(void)total;
	if (!t)
		return 0;
	/* before a server has answered, DONE counts the calls */
	if (done > t->done + 1)
		t->since = now();
	t->done = done;
	t->stalled = now() - t->since > t->limit_s;
	return t->stalled;
}

static long limit_seconds(void)
{
	const char *text = getenv("DEBUGINFOD_TIMEOUT");
	long s = text ? strtol(text, NULL, 10) : 0;

	return s > 0 ? s : DEBUGINFOD_STALL_S;
}

static bool load(struct functions *f, void *library)
{
	const struct dynlib_function wanted[] = {
		{ &f->begin, "debuginfod_begin" },
		{ &f->end, "debuginfod_end" },
		{ &f->find[DEBUGINFOD_EXECUTABLE], "debuginfod_find_executable" },
		{ &f->find[DEBUGINFOD_DEBUGINFO], "debuginfod_find_debuginfo" },
		{ &f->set_progress, "debuginfod_set_progressfn" },
		{ &f->set_user_data, "debuginfod_set_user_data" },
	};

	return dynlib_find(library, wanted, ARRAY_SIZE(wanted));
}

/* A program without dynamic libraries could load one only beside the very libc that it has. */
static void *open_library(void)
{
#ifdef STATIC
	return NULL;
#else
	return dlopen(LIBRARY, RTLD_LAZY | RTLD_GLOBAL);
#endif
}

#ifdef STATIC
#define MISSING "this pdtool is linked statically and cannot load " LIBRARY
#else
#define MISSING LIBRARY " is not installed"
#endif

struct debuginfod *debuginfod_new(struct warnings *w)
{
	struct debuginfod *d = xcalloc(1, sizeof(*d));

	d->library = open_library();
	if (load(&d->f, d->library))
		d->client = d->f.begin();
	if (!d->client) {
		warn_add(w, SEV_FATAL, "debuginfod", "--debuginfod: %s",
			 d->library ? LIBRARY " does not work" : MISSING);
		if (d->library)
			dlclose(d->library);
		free(d);
		return NULL;
	}
	d->f.set_progress(d->client, progress);
	d->f.set_user_data(d->client, &d->transfer);
	pthread_mutex_init(&d->lock, NULL);
	intern_init(&d->asked);
	return d;
}

void debuginfod_free(struct debuginfod *d)
{
	if (!d)
		return;
	d->f.end(d->client);
	dlclose(d->library);
	intern_release(&d->asked);
	pthread_mutex_destroy(&d->lock);
	free(d);
}

/* Ask the servers. The file stays in the cache when its descriptor is closed. */
static bool ask(struct debuginfod *d, const struct build_id *id, enum debuginfod_kind kind)
{
	int fd;

	d->transfer = (struct transfer){ .since = now(), .limit_s = limit_seconds() };
	fd = d->f.find[kind](d->client, id->bytes, id->len, NULL);
	if (fd >= 0) {
		close(fd);
		d->failures = 0;
		return true;
	}
	if (d->transfer.stalled)
		fd = -ETIMEDOUT;
	if (fd == -ENOENT) {
		d->failures = 0; /* the answer of a server that is there */
	} else {
		d->failures++;
		d->reason = -fd;
	}
	return false;
}

bool debuginfod_get(struct debuginfod *d, const struct build_id *id, enum debuginfod_kind kind)
{
	char key[1 + BUILD_ID_MAX] = { (char)('0' + kind) };
	bool got = false;
	size_t known;

	if (!d || !id->len)
		return false;
	memcpy(key + 1, id->bytes, id->len);
	pthread_mutex_lock(&d->lock);
	known = d->asked.count;
	if (intern_add(&d->asked, key, id->len + 1u) == known && d->failures < DEBUGINFOD_TRIES)
		got = ask(d, id, kind);
	pthread_mutex_unlock(&d->lock);
	return got;
}

void debuginfod_report(const struct debuginfod *d, struct warnings *w)
{
	if (d && d->reason)
		warn_add(w, SEV_FAILED, "debuginfod", "debuginfod: %s%s", strerror(d->reason),
			 d->failures < DEBUGINFOD_TRIES ? ""
							: "; the servers were not asked again");
}
