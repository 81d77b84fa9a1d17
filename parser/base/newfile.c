/* Writes beside and renames. Nothing here allocates: a file can be ended whatever has failed. */
#include "parser/base/newfile.h"
#include "parser/base/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#define LINKS_MAX  40  /* as the kernel follows them */
#define NAME_BYTES 200 /* of the file's own name in that of its scrap: NAME_MAX is 255 */

/* ---- the place ---- */

/* How many bytes of PATH are its directory, the slash included. */
static size_t directory_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

static void directory_of(const char *path, char dir[PATH_MAX])
{
	size_t len = directory_len(path);

	memcpy(dir, path, len);
	strcpy(dir + len, len ? "" : ".");
}

/* A link there leads to an open file and not to a name: /proc/self/fd/1. */
static bool is_in_proc(const char *path)
{
	char dir[PATH_MAX];
	struct statfs fs;

	directory_of(path, dir);
	return statfs(dir, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

/* PATH is a link to TEXT, which may count from its directory: to go there. */
static bool go_on(char path[PATH_MAX], const char *text)
{
	size_t dir = *text == '/' ? 0 : directory_len(path);

	if (dir + strlen(text) >= PATH_MAX)
		return false;
	strcpy(path + dir, text);
	return true;
}

/* Where PATH leads: to a regular file, or to a name that is free. False: to neither, or it cannot
 * be told; open() itself knows best. */
static bool find_place(const char *path, char place[PATH_MAX])
{
	char text[PATH_MAX];
	struct stat st;

	if (strlen(path) >= PATH_MAX || !path[directory_len(path)])
		return false;
	strcpy(place, path);
	for (int i = 0; i < LINKS_MAX; i++) {
		ssize_t n = readlink(place, text, sizeof(text) - 1);

		if (n < 0)
			return stat(place, &st) ? errno == ENOENT : S_ISREG(st.st_mode);
		text[n] = '\0';
		if (is_in_proc(place) || !go_on(place, text))
			return false;
	}
	return false;
}

/* No other process or thread makes the same number: the kernel gives each program random bytes. */
static uint64_t own_number(void)
{
	const void *random = (const void *)getauxval(AT_RANDOM);
	uint64_t words[3] = { (uint64_t)getpid(), (uint64_t)syscall(SYS_gettid), 0 };

	if (random)
		words[2] = hash_bytes(random, 16);
	return hash_words(words, 3);
}

static bool scrap_of(const char *place, char name[PATH_MAX])
{
	size_t dir = directory_len(place), len = strlen(place + dir);

	if (len > NAME_BYTES) {
		/* no part of a letter: not every file system takes any bytes */
		for (len = NAME_BYTES; len && ((unsigned char)place[dir + len] & 0xc0) == 0x80;)
			len--;
	}
	return snprintf(name, PATH_MAX, "%.*s.%.*s.pdtool-unfinished-%016" PRIx64, (int)dir, place,
			(int)len, place + dir, own_number()) < PATH_MAX;
}

bool newfile_scrap(const char *path, char name[PATH_MAX])
{
	char place[PATH_MAX];

	return find_place(path, place) && scrap_of(place, name);
}

/* ---- the file ---- */

/* What the old file lets whom do. Where the new one cannot have its group, that group's rights are
 * those of all others: they were not meant for another group. */
static int keep_mode(int fd, const struct stat *old)
{
	mode_t mode = old->st_mode & 0777;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return errno;
	if (st.st_gid != old->st_gid && fchown(fd, (uid_t)-1, old->st_gid) < 0)
		mode = (mode & ~(mode_t)0070) | (mode & 07) << 3;
	if (st.st_uid != old->st_uid)
		(void)!fchown(fd, old->st_uid, (gid_t)-1); /* else it is ours */
	return fchmod(fd, mode) < 0 ? errno : 0;
}

static void fd_path(int fd, char path[32])
{
	snprintf(path, 32, "/proc/self/fd/%d", fd);
}

/* A file without a name, which can be given one later; -1: there is no such thing here. */
static int open_nameless(const char *place)
{
	char dir[PATH_MAX], path[32];
	int fd;

	directory_of(place, dir);
	fd = open(dir, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
	if (fd < 0)
		return -1;
	fd_path(fd, path);
	if (access(path, F_OK) == 0)
		return fd;
	close(fd);
	return -1;
}

static int make(struct newfile *f)
{
	f->fd = open_nameless(f->place);
	if (f->fd >= 0)
		return 0;
	if (!scrap_of(f->place, f->scrap))
		return ENAMETOOLONG;
	f->fd = open(f->scrap, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	f->named = f->fd >= 0;
	return f->named ? 0 : errno;
}

/* Also what opening the old one does not tell: a file that may not be written to, or that runs. */
static int look_at_old(const char *place, struct stat *old)
{
	int fd = open(place, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), error;

	if (fd < 0)
		return errno;
	error = fstat(fd, old) < 0 ? errno : 0;
	close(fd);
	return error;
}

int newfile_open(struct newfile *f, const char *path)
{
	struct stat old;
	int error;

	*f = (struct newfile){ .fd = -1 };
	if (!find_place(path, f->place)) {
		f->in_place = true;
		f->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		return f->fd < 0 ? errno : 0;
	}
	error = look_at_old(f->place, &old);
	if (error && error != ENOENT)
		return error;
	f->replaces = !error;
	error = make(f);
	if (!error && f->replaces) {
		error = keep_mode(f->fd, &old);
		if (error)
			newfile_discard(f);
	}
	return error;
}

const char *newfile_failed(const struct newfile *f)
{
	return f->replaces ? "no file can be made beside it, to take its place: " : "";
}

/* Some disks tell only now that they are full, or broken. */
static int flush(int fd)
{
	return fsync(fd) < 0 && errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP ? errno
											  : 0;
}

static int name(struct newfile *f)
{
	char path[32];

	if (f->named)
		return 0;
	if (!scrap_of(f->place, f->scrap))
		return ENAMETOOLONG;
	fd_path(f->fd, path);
	f->named = linkat(AT_FDCWD, path, AT_FDCWD, f->scrap, AT_SYMLINK_FOLLOW) == 0;
	return f->named ? 0 : errno;
}

static int end(struct newfile *f)
{
	int error = f->fd >= 0 && close(f->fd) < 0 ? errno : 0;

	f->fd = -1;
	return error;
}

int newfile_ready(struct newfile *f)
{
	int error;

	if (f->fd < 0 || f->in_place)
		return end(f);
	error = flush(f->fd);
	error = error ?: name(f);
	error = error ?: end(f);
	if (error)
		newfile_discard(f);
	return error;
}

int newfile_commit(struct newfile *f)
{
	int error = newfile_ready(f);

	if (error || f->in_place)
		return error;
	if (rename(f->scrap, f->place) < 0) {
		error = errno;
		newfile_discard(f);
	}
	f->named = false;
	return error;
}

void newfile_discard(struct newfile *f)
{
	(void)end(f);
	if (f->named)
		unlink(f->scrap);
	f->named = false;
}
