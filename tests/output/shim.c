/* Preloaded into pdtool: of the calls that make files, one fails, or a signal comes just before or
 * behind it; and a file system without O_TMPFILE.
 *
 *   SHIM_NAMED=1   there is no O_TMPFILE
 *   SHIM_AT=N      the N-th of the calls that open a file to be made, write to it, flush and close
 *                  it, and link, rename and unlink names
 *   SHIM_DO=xN     e: it fails with errno N; b: signal N comes before it; a: behind it
 *   SHIM_TOLD=FD   a byte is written there when it happens */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#define FDS_MAX 1024

static bool made[FDS_MAX];
static atomic_int calls;

static bool is_made(int fd)
{
	return fd >= 0 && fd < FDS_MAX && made[fd];
}

static int number_of(const char *name)
{
	const char *text = getenv(name);

	return text ? atoi(text) : 0;
}

/* Is this call the one? If so, and it is to fail: its errno. */
static int begin(bool *now)
{
	const char *what = getenv("SHIM_DO");

	*now = what && atomic_fetch_add(&calls, 1) + 1 == number_of("SHIM_AT");
	if (!*now)
		return 0;
	(void)!write(number_of("SHIM_TOLD"), "x", 1);
	if (*what == 'b')
		raise(atoi(what + 1));
	return *what == 'e' ? atoi(what + 1) : 0;
}

static long end(bool now, long result)
{
	const char *what = getenv("SHIM_DO");
	int before = errno;

	if (now && *what == 'a')
		raise(atoi(what + 1));
	errno = before;
	return result;
}

/* A call that counts. */
#define COUNTED(call)                          \
	({                                     \
		bool now;                      \
		int error = begin(&now);       \
                                               \
		errno = error;                 \
		end(now, error ? -1 : (call)); \
	})

int open(const char *path, int flags, ...)
{
	bool nameless = (flags & O_TMPFILE) == O_TMPFILE;
	mode_t mode;
	va_list ap;
	long fd;

	va_start(ap, flags);
	mode = va_arg(ap, mode_t);
	va_end(ap);
	if (nameless && getenv("SHIM_NAMED")) {
		errno = EOPNOTSUPP;
		return -1;
	}
	if ((flags & O_ACCMODE) != O_WRONLY || !(nameless || flags & O_CREAT))
		return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
	fd = COUNTED(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
	if (fd >= 0 && fd < FDS_MAX)
		made[fd] = true;
	return (int)fd;
}

ssize_t write(int fd, const void *data, size_t len)
{
	if (!is_made(fd))
		return syscall(SYS_write, fd, data, len);
	return COUNTED(syscall(SYS_write, fd, data, len));
}

int fsync(int fd)
{
	return (int)COUNTED(syscall(SYS_fsync, fd));
}

int fchmod(int fd, mode_t mode)
{
	return (int)COUNTED(syscall(SYS_fchmod, fd, mode));
}

int close(int fd)
{
	bool counts = is_made(fd);

	if (!counts)
		return (int)syscall(SYS_close, fd);
	made[fd] = false;
	/* it is closed, whatever it says */
	return (int)COUNTED((syscall(SYS_close, fd)));
}

int linkat(int from_dir, const char *from, int to_dir, const char *to, int flags)
{
	return (int)COUNTED(syscall(SYS_linkat, from_dir, from, to_dir, to, flags));
}

int rename(const char *from, const char *to)
{
	return (int)COUNTED(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

/* What cannot even be removed stays: only signals come here. */
int unlink(const char *path)
{
	const char *what = getenv("SHIM_DO");

	if (what && *what == 'e')
		return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
	return (int)COUNTED(syscall(SYS_unlinkat, AT_FDCWD, path, 0));
}
