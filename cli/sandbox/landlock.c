/* Rules of Landlock, by its three system calls. Numbers and structs are written out, because the
 * headers of a distribution are older than the kernels its programs run on.
 * Source: include/uapi/linux/landlock.h and Documentation/userspace-api/landlock.rst of Linux 6.12;
 * the release that brought a right stands beside it. */
#include "cli/sandbox/landlock.h"
#include "parser/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __alpha__
#define CALLS_FROM 554
#else
#define CALLS_FROM 444
#endif

enum call { CREATE_RULESET = CALLS_FROM, ADD_RULE, RESTRICT_SELF };

#define CREATE_RULESET_VERSION 1u
#define RULE_PATH_BENEATH      1

enum right {
	FS_EXECUTE = 1 << 0, /* 5.13: ABI 1 */
	FS_WRITE_FILE = 1 << 1,
	FS_READ_FILE = 1 << 2,
	FS_READ_DIR = 1 << 3,
	FS_REMOVE_DIR = 1 << 4,
	FS_REMOVE_FILE = 1 << 5,
	FS_MAKE_DIR = 1 << 7,
	FS_MAKE_REG = 1 << 8,
	FS_ABI_1 = (1 << 13) - 1,
	FS_REFER = 1 << 13,	/* 5.19: ABI 2 */
	FS_TRUNCATE = 1 << 14,	/* 6.2: ABI 3 */
	FS_IOCTL_DEV = 1 << 15, /* 6.10: ABI 5 */
	FS_OF_FILES = FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE,
	NET_TCP = 3,	  /* 6.7: ABI 4: bind, connect */
	SCOPE_OTHERS = 3, /* 6.12: ABI 6: abstract Unix sockets and signals of processes outside */
};

struct ruleset_attr {
	uint64_t handled_access_fs;
	uint64_t handled_access_net; /* ABI 4 */
	uint64_t scoped;	     /* ABI 6 */
};

struct path_beneath_attr {
	uint64_t allowed_access;
	int32_t parent_fd;
} __attribute__((packed));

static uint64_t handled(int abi)
{
	return FS_ABI_1 | (abi >= 2 ? FS_REFER : 0) | (abi >= 3 ? FS_TRUNCATE : 0) |
	       (abi >= 5 ? FS_IOCTL_DEV : 0);
}

void landlock_begin(struct landlock *l, bool network)
{
	long abi = syscall(CREATE_RULESET, NULL, 0, CREATE_RULESET_VERSION);
	struct ruleset_attr attr = { 0 };
	size_t size = abi >= 6	 ? sizeof(attr)
		      : abi >= 4 ? offsetof(struct ruleset_attr, scoped)
				 : offsetof(struct ruleset_attr, handled_access_net);

	*l = (struct landlock){ .fd = -1 };
	if (abi < 1)
		return;
	attr.handled_access_fs = l->handled = handled((int)abi);
	attr.handled_access_net = abi >= 4 && !network ? NET_TCP : 0;
	attr.scoped = abi >= 6 && !network ? SCOPE_OTHERS : 0;
	l->fd = (int)syscall(CREATE_RULESET, &attr, size, 0);
	l->abi = l->fd < 0 ? 0 : (int)abi;
}

void landlock_failed(struct landlock *l, const char *path)
{
	static const int usual[] = { ENOENT, ENOTDIR, EACCES, EPERM, ELOOP, ENAMETOOLONG, ENXIO };

	for (size_t i = 0; i < ARRAY_SIZE(usual); i++) {
		if (errno == usual[i])
			return;
	}
	if (l->error)
		return;
	l->error = errno;
	l->path = xstrdup(path);
}

/* -1: it is not there. */
static int open_place(struct landlock *l, const char *path)
{
	int fd = l->abi ? open(path, O_PATH | O_CLOEXEC) : -1;

	if (l->abi && fd < 0)
		landlock_failed(l, path);
	return fd;
}

/* Of what a rule may grant, that which this kernel knows, and a file has. */
static void allow(struct landlock *l, const char *path, int fd, uint64_t rights)
{
	struct path_beneath_attr rule = { .parent_fd = fd };
	struct stat st;

	if (fstat(fd, &st)) {
		landlock_failed(l, path);
		return;
	}
	rule.allowed_access =
		rights & l->handled & (S_ISDIR(st.st_mode) ? UINT64_MAX : (uint64_t)FS_OF_FILES);
	/* pipes have no place in a file system (EBADFD), and need no rule */
	if (rule.allowed_access && syscall(ADD_RULE, l->fd, RULE_PATH_BENEATH, &rule, 0) &&
	    errno != EBADFD)
		landlock_failed(l, path);
}

void landlock_allow(struct landlock *l, const char *path, enum landlock_use use)
{
	static const uint64_t rights[] = {
		[LANDLOCK_READ] = FS_READ_FILE | FS_READ_DIR,
		[LANDLOCK_LIST] = FS_READ_DIR,
		[LANDLOCK_WRITE] = FS_READ_FILE | FS_READ_DIR | FS_WRITE_FILE | FS_TRUNCATE |
				   FS_MAKE_REG | FS_REMOVE_FILE,
		[LANDLOCK_CACHE] = FS_READ_FILE | FS_READ_DIR | FS_WRITE_FILE | FS_TRUNCATE |
				   FS_MAKE_REG | FS_REMOVE_FILE | FS_MAKE_DIR | FS_REMOVE_DIR |
				   FS_REFER,
	};
	int fd = open_place(l, path);

	if (fd < 0)
		return;
	allow(l, path, fd, rights[use]);
	close(fd);
}

/* A rule is of an inode, and the kernel forgets those of /proc and makes others, except of what is
 * open: the descriptor, which gives no access by itself, stays. */
bool landlock_allow_pinned(struct landlock *l, const char *path)
{
	int fd = open_place(l, path);

	if (fd >= 0)
		allow(l, path, fd, FS_READ_FILE | FS_READ_DIR);
	return fd >= 0;
}

bool landlock_enter(struct landlock *l)
{
	bool entered = l->abi && !l->error && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
		       syscall(RESTRICT_SELF, l->fd, 0) == 0;

	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
	l->abi = entered ? l->abi : 0;
	return entered;
}
