/* A shared object to preload: one call of a kind fails, the one whose turn it is.
 *
 * FAULT_STATE names a file with a struct fault_state (faultshim.h), which the process maps: there
 * calls are counted, and there it is said which one failed. The driver (tests/faults/sweep.c) says
 * in it what is to fail. Without FAULT_STATE nothing fails.
 *
 * What is counted are the calls of the program and of its libraries; those that libc makes in
 * itself (fopen()'s open) are not seen, but those of malloc() are. */
#include "tests/lib/faultshim.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static struct fault_state *state;

/* Mapped by system calls alone: nothing of this is counted. */
__attribute__((constructor)) static void map_state(void)
{
	const char *path = getenv("FAULT_STATE");
	long fd = path ? syscall(SYS_openat, AT_FDCWD, path, O_RDWR) : -1, at;

	if (fd < 0)
		return;
	at = syscall(SYS_mmap, NULL, sizeof(*state), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	syscall(SYS_close, fd);
	if (at > 0 || at < -4095)
		state = (struct fault_state *)at;
}

/* "pread of libelf.so.1, file /x/y" for people. */
static void note(const char *function, int fd, const char *path, void *caller)
{
	char name[32], file[128] = "";
	Dl_info in;
	const char *lib = dladdr(caller, &in) && in.dli_fname ? in.dli_fname : "?";
	const char *slash = strrchr(lib, '/');

	if (fd >= 0) {
		snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
		(void)!syscall(SYS_readlinkat, AT_FDCWD, name, file, sizeof(file) - 1);
	}
	snprintf(state->what, sizeof(state->what), "%s of %s+%zx %s", function,
		 slash ? slash + 1 : lib, (size_t)((char *)caller - (char *)in.dli_fbase),
		 path ? path : file);
}

static bool fails(enum fault_kind kind, const char *function, int fd, const char *path,
		  void *caller)
{
	long n;

	if (!state)
		return false;
	n = __atomic_add_fetch(&state->count[kind], 1, __ATOMIC_RELAXED);
	if (kind != state->kind || !state->at ||
	    (state->from_there ? n < state->at : n != state->at))
		return false;
	if (!__atomic_fetch_add(&state->fired, 1, __ATOMIC_RELAXED))
		note(function, fd, path, caller);
	errno = state->error;
	return true;
}

/* TYPE NAME(PARAMETERS) that fails with BAD where FAILED. */
#define SHIM_IF(failed, type, name, parameters, arguments, bad)           \
	type name parameters;                                             \
	type name parameters                                              \
	{                                                                 \
		static type(*next) parameters;                            \
		if (failed)                                               \
			return bad;                                       \
		if (!next)                                                \
			next = (__typeof__(next))dlsym(RTLD_NEXT, #name); \
		return next arguments;                                    \
	}                                                                 \
	type name parameters

/* One of KIND, for FD or PATH (or -1, NULL). */
#define SHIM(kind, type, name, parameters, arguments, fd, path, bad)                               \
	SHIM_IF(fails(kind, #name, fd, path, __builtin_return_address(0)), type, name, parameters, \
		arguments, bad)

/* ---- memory: dlsym() itself may ask for some, so libc's other names ---- */

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t c, size_t n);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t a, size_t n);

#define CALLER __builtin_return_address(0)

void *malloc(size_t n)
{
	return fails(FAULT_ALLOC, "malloc", -1, NULL, CALLER) ? NULL : __libc_malloc(n);
}

void *calloc(size_t c, size_t n)
{
	return fails(FAULT_ALLOC, "calloc", -1, NULL, CALLER) ? NULL : __libc_calloc(c, n);
}

void *realloc(void *p, size_t n)
{
	return fails(FAULT_ALLOC, "realloc", -1, NULL, CALLER) ? NULL : __libc_realloc(p, n);
}

void *aligned_alloc(size_t a, size_t n)
{
	return fails(FAULT_ALLOC, "aligned_alloc", -1, NULL, CALLER) ? NULL : __libc_memalign(a, n);
}

int posix_memalign(void **p, size_t a, size_t n)
{
	*p = fails(FAULT_ALLOC, "posix_memalign", -1, NULL, CALLER) ? NULL : __libc_memalign(a, n);
	return *p ? 0 : ENOMEM;
}

/* ---- mappings ---- */

SHIM(FAULT_MAP, void *, mmap, (void *a, size_t n, int p, int f, int fd, off_t o),
     (a, n, p, f, fd, o), fd, NULL, MAP_FAILED);
SHIM(FAULT_MAP, void *, mmap64, (void *a, size_t n, int p, int f, int fd, off64_t o),
     (a, n, p, f, fd, o), fd, NULL, MAP_FAILED);

void *mremap(void *old, size_t n, size_t to, int flags, ...)
{
	if (fails(FAULT_MAP, "mremap", -1, NULL, CALLER))
		return MAP_FAILED;
	return (void *)syscall(SYS_mremap, old, n, to, flags);
}

/* ---- reading and writing ---- */

SHIM(FAULT_READ, ssize_t, read, (int fd, void *b, size_t n), (fd, b, n), fd, NULL, -1);
SHIM(FAULT_READ, ssize_t, pread, (int fd, void *b, size_t n, off_t o), (fd, b, n, o), fd, NULL, -1);
SHIM(FAULT_READ, ssize_t, pread64, (int fd, void *b, size_t n, off64_t o), (fd, b, n, o), fd, NULL,
     -1);
SHIM(FAULT_READ, ssize_t, readv, (int fd, const struct iovec *v, int n), (fd, v, n), fd, NULL, -1);
SHIM(FAULT_READ, ssize_t, __read_chk, (int fd, void *b, size_t n, size_t m), (fd, b, n, m), fd,
     NULL, -1);
SHIM(FAULT_READ, ssize_t, __pread_chk, (int fd, void *b, size_t n, off_t o, size_t m),
     (fd, b, n, o, m), fd, NULL, -1);
SHIM(FAULT_READ, ssize_t, __pread64_chk, (int fd, void *b, size_t n, off64_t o, size_t m),
     (fd, b, n, o, m), fd, NULL, -1);
SHIM(FAULT_WRITE, ssize_t, write, (int fd, const void *b, size_t n), (fd, b, n), fd, NULL, -1);
SHIM(FAULT_WRITE, ssize_t, pwrite, (int fd, const void *b, size_t n, off_t o), (fd, b, n, o), fd,
     NULL, -1);
SHIM(FAULT_WRITE, ssize_t, pwrite64, (int fd, const void *b, size_t n, off64_t o), (fd, b, n, o),
     fd, NULL, -1);
SHIM(FAULT_WRITE, ssize_t, writev, (int fd, const struct iovec *v, int n), (fd, v, n), fd, NULL,
     -1);

/* A stream's failed read leaves it in error: what is left in its buffer is not looked at. */
static bool stream_fails(FILE *f, const char *function, void *caller)
{
	if (!fails(FAULT_READ, function, fileno(f), NULL, caller))
		return false;
	f->_flags |= 0x20; /* glibc's _IO_ERR_SEEN, which ferror() asks */
	return true;
}

#define STREAM(type, name, parameters, arguments, bad) \
	SHIM_IF(stream_fails(f, #name, CALLER), type, name, parameters, arguments, bad)

STREAM(size_t, fread, (void *b, size_t s, size_t n, FILE *f), (b, s, n, f), 0);
STREAM(size_t, fread_unlocked, (void *b, size_t s, size_t n, FILE *f), (b, s, n, f), 0);
STREAM(size_t, __fread_unlocked_chk, (void *b, size_t m, size_t s, size_t n, FILE *f),
       (b, m, s, n, f), 0);
STREAM(size_t, __fread_chk, (void *b, size_t m, size_t s, size_t n, FILE *f), (b, m, s, n, f), 0);
STREAM(char *, fgets, (char *b, int n, FILE *f), (b, n, f), NULL);
STREAM(char *, __fgets_chk, (char *b, size_t m, int n, FILE *f), (b, m, n, f), NULL);
STREAM(ssize_t, getline, (char **b, size_t *n, FILE *f), (b, n, f), -1);
SHIM(FAULT_READ, struct dirent *, readdir, (DIR * d), (d), dirfd(d), NULL, NULL);
SHIM(FAULT_READ, struct dirent64 *, readdir64, (DIR * d), (d), dirfd(d), NULL, NULL);
SHIM(FAULT_READ, ssize_t, readlink, (const char *p, char *b, size_t n), (p, b, n), -1, p, -1);
SHIM(FAULT_READ, ssize_t, readlinkat, (int d, const char *p, char *b, size_t n), (d, p, b, n), -1,
     p, -1);

/* ---- opening ---- */

#define OPEN(name, parameters, path, call)                                       \
	int name parameters;                                                     \
	int name parameters                                                      \
	{                                                                        \
		va_list ap;                                                      \
		mode_t mode;                                                     \
		va_start(ap, flags);                                             \
		mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(ap, mode_t) : 0; \
		va_end(ap);                                                      \
		if (fails(FAULT_OPEN, #name, -1, path, CALLER))                  \
			return -1;                                               \
		return (int)(call);                                              \
	}                                                                        \
	int name parameters

OPEN(open, (const char *path, int flags, ...), path,
     syscall(SYS_openat, AT_FDCWD, path, flags, mode));
OPEN(open64, (const char *path, int flags, ...), path,
     syscall(SYS_openat, AT_FDCWD, path, flags, mode));
OPEN(openat, (int at, const char *path, int flags, ...), path,
     syscall(SYS_openat, at, path, flags, mode));
OPEN(openat64, (int at, const char *path, int flags, ...), path,
     syscall(SYS_openat, at, path, flags, mode));
SHIM(FAULT_OPEN, int, __open_2, (const char *p, int f), (p, f), -1, p, -1);
SHIM(FAULT_OPEN, int, __open64_2, (const char *p, int f), (p, f), -1, p, -1);
SHIM(FAULT_OPEN, int, __openat_2, (int d, const char *p, int f), (d, p, f), -1, p, -1);
SHIM(FAULT_OPEN, int, __openat64_2, (int d, const char *p, int f), (d, p, f), -1, p, -1);
SHIM(FAULT_OPEN, FILE *, fopen, (const char *p, const char *m), (p, m), -1, p, NULL);
SHIM(FAULT_OPEN, FILE *, fopen64, (const char *p, const char *m), (p, m), -1, p, NULL);
SHIM(FAULT_OPEN, FILE *, fdopen, (int fd, const char *m), (fd, m), fd, NULL, NULL);
SHIM(FAULT_OPEN, DIR *, opendir, (const char *p), (p), -1, p, NULL);
SHIM(FAULT_OPEN, DIR *, fdopendir, (int fd), (fd), fd, NULL, NULL);
SHIM(FAULT_OPEN, int, mkostemp, (char *p, int f), (p, f), -1, p, -1);
SHIM(FAULT_OPEN, int, mkostemp64, (char *p, int f), (p, f), -1, p, -1);
SHIM(FAULT_OPEN, int, mkstemp, (char *p), (p), -1, p, -1);
SHIM(FAULT_OPEN, int, mkstemp64, (char *p), (p), -1, p, -1);
SHIM(FAULT_OPEN, int, dup, (int fd), (fd), fd, NULL, -1);

/* ---- asking about files ---- */

SHIM(FAULT_STAT, int, stat, (const char *p, struct stat *s), (p, s), -1, p, -1);
SHIM(FAULT_STAT, int, stat64, (const char *p, struct stat64 *s), (p, s), -1, p, -1);
SHIM(FAULT_STAT, int, lstat, (const char *p, struct stat *s), (p, s), -1, p, -1);
SHIM(FAULT_STAT, int, lstat64, (const char *p, struct stat64 *s), (p, s), -1, p, -1);
SHIM(FAULT_STAT, int, fstat, (int fd, struct stat *s), (fd, s), fd, NULL, -1);
SHIM(FAULT_STAT, int, fstat64, (int fd, struct stat64 *s), (fd, s), fd, NULL, -1);
SHIM(FAULT_STAT, int, fstatat, (int d, const char *p, struct stat *s, int f), (d, p, s, f), -1, p,
     -1);
SHIM(FAULT_STAT, int, fstatat64, (int d, const char *p, struct stat64 *s, int f), (d, p, s, f), -1,
     p, -1);
SHIM(FAULT_STAT, int, access, (const char *p, int m), (p, m), -1, p, -1);

/* ---- processes, and what is done with files ---- */

int pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*fn)(void *), void *arg)
{
	static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

	if (fails(FAULT_TASK, "pthread_create", -1, NULL, CALLER))
		return state->error;
	if (!next)
		next = (__typeof__(next))dlsym(RTLD_NEXT, "pthread_create");
	return next(t, a, fn, arg);
}

SHIM(FAULT_TASK, pid_t, fork, (void), (), -1, NULL, -1);
SHIM(FAULT_TASK, int, pipe2, (int fds[2], int f), (fds, f), -1, NULL, -1);
SHIM(FAULT_FILE, int, ftruncate, (int fd, off_t n), (fd, n), fd, NULL, -1);
SHIM(FAULT_FILE, int, ftruncate64, (int fd, off64_t n), (fd, n), fd, NULL, -1);
SHIM(FAULT_FILE, int, fsync, (int fd), (fd), fd, NULL, -1);
SHIM(FAULT_FILE, int, fdatasync, (int fd), (fd), fd, NULL, -1);
SHIM(FAULT_FILE, int, fchmod, (int fd, mode_t m), (fd, m), fd, NULL, -1);
SHIM(FAULT_FILE, int, rename, (const char *p, const char *q), (p, q), -1, p, -1);
SHIM(FAULT_FILE, int, renameat, (int d, const char *p, int e, const char *q), (d, p, e, q), -1, p,
     -1);
SHIM(FAULT_FILE, int, linkat, (int d, const char *p, int e, const char *q, int f), (d, p, e, q, f),
     -1, p, -1);
SHIM(FAULT_FILE, off_t, lseek, (int fd, off_t o, int w), (fd, o, w), fd, NULL, -1);
SHIM(FAULT_FILE, off64_t, lseek64, (int fd, off64_t o, int w), (fd, o, w), fd, NULL, -1);

/* It is closed all the same. */
int close(int fd)
{
	bool bad = fails(FAULT_FILE, "close", fd, NULL, CALLER);
	int error = errno, rc = (int)syscall(SYS_close, fd);

	if (bad)
		errno = error;
	return bad ? -1 : rc;
}
