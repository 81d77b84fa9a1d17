/* Lack of memory in the library, all of it: an error of the call, and nothing is lost.
 *
 * pdtool itself says that memory is out and aborts (base/die.c); the code below this room knows
 * nothing else. In the library, the linker puts the functions __wrap_X() of this file in the place
 * of X(), for all code that is linked into it (--wrap, see the Makefile; tests/api checks that
 * nothing else allocates). They do three things:
 *
 *   - what is taken is put down with the owner of the call that the thread is in;
 *   - when there is no memory, they do not return: they leave for owner_run(), which says so;
 *   - what other libraries take from malloc() themselves they report by a NULL or an error code
 *     that stands for many things, but errno says ENOMEM: that is looked for at every turn here.
 *
 * A dead owner's session is in no state to be taken down in order, and need not be:
 * owner_release() gives back what was put down, the handles of other libraries first, newest first.
 * That is also the one way in which a session ends that read everything.
 *
 * Left alone are libraries that were loaded (they stay loaded), and what libelf, libdw, libarchive
 * and capstone lose themselves when their malloc() fails.
 *
 * Facts: dwarf_new_oom_handler() must not return (libdw.h); without one libdw ends the process. */
#include "parser/library/owner.h"
#include "parser/base/die.h"
#include "parser/base/pool.h"
#include "parser/names/disasm/capstone.h"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <libdeflate.h>
#include <limits.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

/* Before each block of memory; keeps the alignment of malloc(). */
struct block {
	struct block *next, *prev;
	struct owner *owner; /* NULL: taken outside of owner_run() */
	size_t unused;
};

struct resource {
	struct resource *newer, *older;
	struct resource *chain; /* in its slot of the table */
	uintptr_t handle;
	size_t size_bytes; /* of a mapping */
	void (*release)(struct resource *r);
};

#define HELD_MAX 4 /* locks that one thread holds at a time */

/* Where a thread goes when there is no memory. */
struct catch_point {
	struct owner *owner;
	struct catch_point *outer; /* a job of a pool may run on the thread that waits for it */
	jmp_buf jump;
	pthread_mutex_t *held[HELD_MAX];
	unsigned held_count;
};

/* The innermost of this thread: code without a session at hand asks for memory. */
static __thread struct catch_point *inside;

/* The function that takes the place of NAME(), which __real_NAME() is. */
#define WRAP(type, name, parameters)   \
	type __real_##name parameters; \
	type __wrap_##name parameters; \
	type __wrap_##name parameters

/* Those that are called before their turn. */
void __real_free(void *p);
int __real_close(int fd);
int __real_munmap(void *p, size_t n);
int __real_pthread_mutex_unlock(pthread_mutex_t *m);

/* ---- leaving ---- */

static void leave(void) __attribute__((noreturn, cold));

static void leave(void)
{
	struct catch_point *c = inside;

	if (!c)
		__builtin_trap(); /* a way into the library without owner_run() */
	atomic_store(&c->owner->failed, true);
	while (c->held_count)
		__real_pthread_mutex_unlock(c->held[--c->held_count]);
	_longjmp(c->jump, 1);
}

void mem_die(size_t size)
{
	(void)size;
	leave();
}

/* Did another library run out of memory since the last time, or another thread? What such a thread
 * was building is not to be used. */
static inline void look(void)
{
	const struct catch_point *c = inside;

	if (c && __builtin_expect(errno == ENOMEM || atomic_load(&c->owner->failed), 0))
		leave();
}

static struct owner *mine(void)
{
	look();
	return inside ? inside->owner : NULL;
}

/* True when FN came to its end. */
static bool caught(struct owner *o, void (*fn)(void *arg), void *arg)
{
	struct catch_point c = { .owner = o, .outer = inside };
	int before = errno;
	bool done = false;

	inside = &c;
	errno = 0;
	if (!_setjmp(c.jump)) {
		fn(arg);
		look();
		done = true;
	}
	inside = c.outer;
	errno = before;
	return done;
}

bool owner_run(struct owner *o, void (*fn)(void *arg), void *arg)
{
	return !o->failed && caught(o, fn, arg);
}

struct job {
	struct owner *owner;
	pool_fn *fn;
	void *ctx;
};

struct one {
	const struct job *job;
	size_t i;
};

static void run_one(void *arg)
{
	const struct one *one = arg;

	one->job->fn(one->job->ctx, one->i);
}

static void run_job(void *ctx, size_t i)
{
	const struct job *j = ctx;
	struct one one = { j, i };

	(void)!owner_run(j->owner, run_one, &one); /* asked for when all have ended */
}

WRAP(void, pool_for, (unsigned jobs, size_t n, pool_fn *fn, void *ctx))
{
	struct job j = { mine(), fn, ctx };

	__real_pool_for(jobs, n, run_job, &j);
	errno = 0; /* a thread that could not be had is one less */
	if (j.owner->failed)
		leave();
}

/* A lock must not outlive the one who took it; and what it guards may be half built by now. */
static int hold(int rc, pthread_mutex_t *m)
{
	if (rc == 0 && inside && inside->held_count < HELD_MAX)
		inside->held[inside->held_count++] = m;
	look();
	return rc;
}

WRAP(int, pthread_mutex_lock, (pthread_mutex_t * m))
{
	return hold(__real_pthread_mutex_lock(m), m);
}

WRAP(int, pthread_mutex_trylock, (pthread_mutex_t * m))
{
	return hold(__real_pthread_mutex_trylock(m), m);
}

WRAP(int, pthread_mutex_unlock, (pthread_mutex_t * m))
{
	struct catch_point *c = inside;

	for (unsigned i = 0; c && i < c->held_count; i++) {
		if (c->held[i] == m)
			c->held[i] = c->held[--c->held_count];
	}
	return __real_pthread_mutex_unlock(m);
}

/* ---- memory ---- */

static void enlist(struct block *b)
{
	struct owner *o = b->owner;

	if (!o)
		return;
	__real_pthread_mutex_lock(&o->lock);
	b->prev = NULL;
	b->next = o->blocks;
	if (b->next)
		b->next->prev = b;
	o->blocks = b;
	__real_pthread_mutex_unlock(&o->lock);
}

static void delist(struct block *b)
{
	struct owner *o = b->owner;

	if (!o)
		return;
	__real_pthread_mutex_lock(&o->lock);
	if (b->next)
		b->next->prev = b->prev;
	if (b->prev)
		b->prev->next = b->next;
	else
		o->blocks = b->next;
	__real_pthread_mutex_unlock(&o->lock);
}

static void *take(struct block *b, struct owner *o)
{
	if (!b)
		leave();
	b->owner = o;
	enlist(b);
	return b + 1;
}

WRAP(void *, malloc, (size_t n))
{
	struct owner *o = mine();

	return take(n < PTRDIFF_MAX ? __real_malloc(sizeof(struct block) + n) : NULL, o);
}

WRAP(void *, calloc, (size_t count, size_t size))
{
	struct owner *o = mine();
	size_t n;

	if (__builtin_mul_overflow(count, size, &n) || n >= PTRDIFF_MAX)
		leave();
	return take(__real_calloc(1, sizeof(struct block) + n), o);
}

WRAP(void *, realloc, (void *p, size_t n))
{
	struct owner *o = mine();
	struct block *b, *moved;

	if (!p)
		return __wrap_malloc(n);
	b = (struct block *)p - 1;
	if (n >= PTRDIFF_MAX)
		leave();
	delist(b);
	moved = __real_realloc(b, sizeof(*b) + n);
	if (!moved)
		enlist(b);
	return take(moved, moved ? moved->owner : o);
}

WRAP(char *, strndup, (const char *s, size_t n))
{
	size_t len = strnlen(s, n);
	char *p = memcpy(__wrap_malloc(len + 1), s, len);

	p[len] = '\0';
	return p;
}

WRAP(int, vasprintf, (char **out, const char *fmt, va_list ap))
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0)
		leave();
	*out = __wrap_malloc((size_t)n + 1);
	return vsnprintf(*out, (size_t)n + 1, fmt, ap);
}

WRAP(int, asprintf, (char **out, const char *fmt, ...))
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = __wrap_vasprintf(out, fmt, ap);
	va_end(ap);
	return n;
}

/* What _FORTIFY_SOURCE makes of both. */
WRAP(int, __vasprintf_chk, (char **out, int flag, const char *fmt, va_list ap))
{
	(void)flag;
	return __wrap_vasprintf(out, fmt, ap);
}

WRAP(int, __asprintf_chk, (char **out, int flag, const char *fmt, ...))
{
	va_list ap;
	int n;

	(void)flag;
	va_start(ap, fmt);
	n = __wrap_vasprintf(out, fmt, ap);
	va_end(ap);
	return n;
}

WRAP(char *, realpath, (const char *path, char *out))
{
	char text[PATH_MAX];

	look();
	if (!__real_realpath(path, text))
		return NULL;
	return out ? strcpy(out, text) : __wrap_strndup(text, sizeof(text));
}

/* ---- what is no memory ---- */

static struct resource **slot(struct owner *o, uintptr_t handle)
{
	return &o->table[(handle ^ handle >> 8 ^ handle >> 16) % RESOURCE_SLOTS];
}

/* Where the next one is put down. Asked for before it is taken: then nothing can be lost. */
static struct resource *place(void)
{
	struct resource *r;

	look();
	r = __real_malloc(sizeof(*r));
	if (!r && inside)
		leave();
	return r;
}

static void put_down(struct resource *r, uintptr_t handle, size_t size,
		     void (*release)(struct resource *r))
{
	struct owner *o = inside ? inside->owner : NULL;

	if (!r || !o) {
		__real_free(r);
		return;
	}
	*r = (struct resource){ .handle = handle, .size_bytes = size, .release = release };
	__real_pthread_mutex_lock(&o->lock);
	r->older = o->resources;
	if (r->older)
		r->older->newer = r;
	o->resources = r;
	r->chain = *slot(o, handle);
	*slot(o, handle) = r;
	__real_pthread_mutex_unlock(&o->lock);
}

/* A handle of which NULL means that there is none. */
static void *put_handle(struct resource *r, void *handle, void (*release)(struct resource *r))
{
	if (handle) {
		put_down(r, (uintptr_t)handle, 0, release);
		return handle;
	}
	__real_free(r);
	look();
	return NULL;
}

static int put_fd(struct resource *r, int fd, void (*release)(struct resource *r))
{
	if (fd >= 0) {
		put_down(r, (uintptr_t)fd, 0, release);
		return fd;
	}
	__real_free(r);
	look();
	return fd;
}

/* Where it is put down; under the lock. */
static struct resource **find(struct owner *o, uintptr_t handle,
			      void (*release)(struct resource *r))
{
	struct resource **at = slot(o, handle);

	while (*at && ((*at)->handle != handle || (*at)->release != release))
		at = &(*at)->chain;
	return at;
}

/* It is being given back. False: it was not put down. */
static bool strike(uintptr_t handle, void (*release)(struct resource *r))
{
	struct owner *o = mine();
	struct resource **at, *r;

	if (!o)
		return false;
	__real_pthread_mutex_lock(&o->lock);
	at = find(o, handle, release);
	r = *at;
	if (r) {
		*at = r->chain;
		if (r->older)
			r->older->newer = r->newer;
		if (r->newer)
			r->newer->older = r->older;
		else
			o->resources = r->older;
	}
	__real_pthread_mutex_unlock(&o->lock);
	__real_free(r);
	return r;
}

static void release_aligned(struct resource *r)
{
	__real_free((void *)r->handle);
}

/* There is no room for a block's head before it. */
WRAP(void *, aligned_alloc, (size_t align, size_t n))
{
	struct resource *r = place();
	void *p = __real_aligned_alloc(align, n);

	if (!p) {
		__real_free(r);
		leave();
	}
	return put_handle(r, p, release_aligned);
}

#define ALIGNED_MIN 4096 /* of what base/mem.c asks for aligned */

static bool is_aligned(void *p)
{
	struct owner *o = mine();
	bool is;

	if (!o || (uintptr_t)p % ALIGNED_MIN)
		return false;
	__real_pthread_mutex_lock(&o->lock);
	is = *find(o, (uintptr_t)p, release_aligned);
	__real_pthread_mutex_unlock(&o->lock);
	return is;
}

WRAP(size_t, malloc_usable_size, (void *p))
{
	if (is_aligned(p))
		return __real_malloc_usable_size(p);
	return __real_malloc_usable_size((struct block *)p - 1) - sizeof(struct block);
}

WRAP(void, free, (void *p))
{
	struct block *b;

	look();
	if (!p)
		return;
	if (is_aligned(p)) {
		(void)strike((uintptr_t)p, release_aligned);
		__real_free(p);
		return;
	}
	b = (struct block *)p - 1;
	delist(b);
	__real_free(b);
}

static void release_fd(struct resource *r)
{
	__real_close((int)r->handle);
}

WRAP(int, open, (const char *path, int flags, ...))
{
	struct resource *r = place();
	unsigned mode = 0;
	va_list ap;

	va_start(ap, flags);
	if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE)
		mode = va_arg(ap, unsigned);
	va_end(ap);
	return put_fd(r, __real_open(path, flags, mode), release_fd);
}

/* Nothing here makes a file by it. */
WRAP(int, openat, (int dir, const char *path, int flags, ...))
{
	struct resource *r = place();

	return put_fd(r, __real_openat(dir, path, flags), release_fd);
}

WRAP(int, dup, (int fd))
{
	struct resource *r = place();

	return put_fd(r, __real_dup(fd), release_fd);
}

WRAP(int, memfd_create, (const char *name, unsigned flags))
{
	struct resource *r = place();

	return put_fd(r, __real_memfd_create(name, flags), release_fd);
}

WRAP(int, mkostemp, (char *name, int flags))
{
	struct resource *r = place();

	return put_fd(r, __real_mkostemp(name, flags), release_fd);
}

WRAP(int, close, (int fd))
{
	(void)strike((uintptr_t)fd, release_fd);
	return __real_close(fd);
}

static void release_mapping(struct resource *r)
{
	__real_munmap((void *)r->handle, r->size_bytes);
}

static void *put_mapping(struct resource *r, void *p, size_t n)
{
	if (p == MAP_FAILED) {
		__real_free(r);
		look();
	} else {
		put_down(r, (uintptr_t)p, n, release_mapping);
	}
	return p;
}

WRAP(void *, mmap, (void *at, size_t n, int prot, int flags, int fd, off_t offset))
{
	struct resource *r = place();

	return put_mapping(r, __real_mmap(at, n, prot, flags, fd, offset), n);
}

/* Only as base/mem.c calls it: it may move. */
WRAP(void *, mremap, (void *old, size_t old_size, size_t n, int flags, ...))
{
	struct resource *r = place();
	void *p = __real_mremap(old, old_size, n, flags);

	if (p != MAP_FAILED)
		(void)strike((uintptr_t)old, release_mapping);
	return put_mapping(r, p, n);
}

WRAP(int, munmap, (void *p, size_t n))
{
	(void)strike((uintptr_t)p, release_mapping);
	return __real_munmap(p, n);
}

/* END() gives a KIND back. */
#define GIVEN_BACK(kind, type, result, end)                      \
	result __real_##end(type handle);                        \
	static void release_##kind(struct resource *r)           \
	{                                                        \
		(void)__real_##end((type)r->handle);             \
	}                                                        \
	WRAP(result, end, (type handle))                         \
	{                                                        \
		(void)strike((uintptr_t)handle, release_##kind); \
		return __real_##end(handle);                     \
	}

/* NEW() takes a KIND. */
#define TAKEN(kind, type, new, parameters, arguments)                         \
	WRAP(type, new, parameters)                                           \
	{                                                                     \
		struct resource *r = place();                                 \
                                                                              \
		return put_handle(r, __real_##new arguments, release_##kind); \
	}

GIVEN_BACK(file, FILE *, int, fclose)
TAKEN(file, FILE *, fopen, (const char *path, const char *mode), (path, mode))

GIVEN_BACK(directory, DIR *, int, closedir)
TAKEN(directory, DIR *, opendir, (const char *path), (path))

GIVEN_BACK(elf, Elf *, int, elf_end)
TAKEN(elf, Elf *, elf_begin, (int fd, Elf_Cmd command, Elf *ref), (fd, command, ref))
TAKEN(elf, Elf *, elf_memory, (char *image, size_t n), (image, n))

GIVEN_BACK(inflater, ZSTD_DStream *, size_t, ZSTD_freeDStream)
TAKEN(inflater, ZSTD_DStream *, ZSTD_createDStream, (void), ())

GIVEN_BACK(zlib, struct libdeflate_decompressor *, void, libdeflate_free_decompressor)
TAKEN(zlib, struct libdeflate_decompressor *, libdeflate_alloc_decompressor, (void), ())

GIVEN_BACK(deflater, ZSTD_CCtx *, size_t, ZSTD_freeCCtx)
TAKEN(deflater, ZSTD_CCtx *, ZSTD_createCCtx, (void), ())

GIVEN_BACK(archive, struct archive *, int, archive_read_free)
TAKEN(archive, struct archive *, archive_read_new, (void), ())

GIVEN_BACK(packing, struct archive *, int, archive_write_free)
TAKEN(packing, struct archive *, archive_write_new, (void), ())

GIVEN_BACK(entry, struct archive_entry *, void, archive_entry_free)
TAKEN(entry, struct archive_entry *, archive_entry_new, (void), ())

GIVEN_BACK(capstone, struct capstone *, int, capstone_end)
TAKEN(capstone, struct capstone *, capstone_open,
      (struct capstone * c, cs_arch arch, cs_mode mode, bool *installed),
      (c, arch, mode, installed))

GIVEN_BACK(dwarf, Dwarf *, int, dwarf_end)

WRAP(Dwarf *, dwarf_begin_elf, (Elf * elf, Dwarf_Cmd command, Elf_Scn *group))
{
	struct resource *r = place();
	Dwarf *d = __real_dwarf_begin_elf(elf, command, group);

	if (d)
		(void)dwarf_new_oom_handler(d, leave);
	return put_handle(r, d, release_dwarf);
}

/* ---- owners ---- */

void *outside_alloc(size_t size)
{
	return __real_calloc(1, size);
}

void outside_free(void *p)
{
	__real_free(p);
}

void owner_init(struct owner *o)
{
	pthread_mutex_init(&o->lock, NULL);
}

void owner_release(struct owner *o)
{
	struct resource *r = o->resources;
	struct block *b = o->blocks;

	while (r) {
		struct resource *older = r->older;

		r->release(r);
		__real_free(r);
		r = older;
	}
	while (b) {
		struct block *next = b->next;

		__real_free(b);
		b = next;
	}
	pthread_mutex_destroy(&o->lock);
}
