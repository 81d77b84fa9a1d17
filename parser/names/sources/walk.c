/* Following paths by descriptors. A link's text takes the place of what it stands for in the names
 * that are left; ".." and links from the root begin anew there. */
#include "parser/names/sources/walk.h"
#include "parser/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

/* The names that are left. */
struct names_left {
	struct buf text;
	size_t pos;
	unsigned steps, links;
};

/* include/uapi/linux/magic.h and the file systems' own sources. devtmpfs has the number of tmpfs:
 * what is no regular file is refused by whoever asks. */
static bool is_kernels(int fd)
{
	static const uint32_t magic[] = {
		0x9fa0,	    /* proc */
		0x62656572, /* sysfs */
		0x74726163, /* tracefs */
		0x64626720, /* debugfs */
		0x1cd1,	    /* devpts */
		0x27e0eb,   /* cgroup */
		0x63677270, /* cgroup2 */
		0xcafe4a11, /* bpf */
		0x73636673, /* securityfs */
		0xf97cff8c, /* selinuxfs */
		0x43415d53, /* smackfs */
		0x6165676c, /* pstore */
		0xde5e81e4, /* efivarfs */
		0x62656570, /* configfs */
		0x42494e4d, /* binfmt_misc */
		0x19800202, /* mqueue */
		0x6e736673, /* nsfs */
		0x50495045, /* pipefs */
		0x534f434b, /* sockfs */
		0x65735543, /* fusectl */
		0x67596969, /* rpc_pipefs */
		0x6e667364, /* nfsd */
		0xabba1974, /* xenfs */
	};
	struct statfs fs;

	if (fstatfs(fd, &fs))
		return true; /* what cannot be told apart is not entered */
	for (size_t i = 0; i < ARRAY_SIZE(magic); i++) {
		if ((uint32_t)fs.f_type == magic[i])
			return true;
	}
	return false;
}

static enum walk_end end_of(struct walk *w, int error)
{
	w->error = error;
	return error == ENOENT || error == ENOTDIR || error == ENAMETOOLONG || error == ELOOP
		       ? WALK_ABSENT
		       : WALK_DENIED;
}

static void enter(struct walk *w, int dir, dev_t dev)
{
	if (w->dir != w->root)
		close(w->dir);
	w->dir = dir;
	w->dev = dev;
}

static void begin_anew(struct walk *w)
{
	enter(w, w->root, 0);
	w->at.len = 0;
	w->closed = false;
}

/* TEXT, SIZE characters, comes before the names that are left, which begin with a slash. */
static void put_before(struct names_left *n, const char *text, size_t size)
{
	struct buf joined = { 0 };

	buf_add(&joined, text, size);
	buf_str(&joined, n->text.data + n->pos);
	buf_release(&n->text);
	n->text = joined;
	n->pos = 0;
}

/* Without links above it, the parent is what the path says. */
static void go_up(struct walk *w, struct names_left *n)
{
	const char *slash = w->at.len ? memrchr(w->at.data, '/', w->at.len) : NULL;

	put_before(n, w->at.len ? w->at.data : "", slash ? (size_t)(slash - w->at.data) : 0);
	begin_anew(w);
}

/* NAME is the link whose place its text takes. */
static enum walk_end follow(struct walk *w, struct names_left *n, const char *name)
{
	char text[PATH_MAX];
	ssize_t size = readlinkat(w->dir, name, text, sizeof(text));

	if (size < 0)
		return errno == EINVAL ? WALK_ABSENT : end_of(w, errno);
	if (++n->links > WALK_LINKS_MAX)
		return WALK_ENDLESS;
	w->linked = true;
	put_before(n, text, (size_t)size);
	if (size && text[0] == '/')
		begin_anew(w);
	return WALK_DIRECTORY;
}

/* Look at NAME; another file system than that of its directory may be the kernel's. */
static int look(struct walk *w, const char *name, int flags, struct stat *st, enum walk_end *end)
{
	int fd = openat(w->dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC | flags);

	if (fd < 0 || fstat(fd, st))
		*end = end_of(w, errno);
	else if (st->st_dev != w->dev && is_kernels(fd))
		*end = WALK_KERNELS;
	else
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static void note_name(struct walk *w, const char *name)
{
	buf_char(&w->at, '/');
	buf_str(&w->at, name);
}

/* A name before others: O_DIRECTORY mounts what is to be mounted there. */
static enum walk_end pass(struct walk *w, struct names_left *n, const char *name)
{
	enum walk_end end = WALK_ABSENT;
	struct stat st;
	int fd = look(w, name, O_DIRECTORY, &st, &end);

	if (fd < 0)
		return end == WALK_ABSENT ? follow(w, n, name) : end;
	w->closed |= !(st.st_mode & S_IXOTH) && st.st_uid != w->own[0] && st.st_uid != w->own[1];
	note_name(w, name);
	enter(w, fd, st.st_dev);
	return WALK_DIRECTORY;
}

static enum walk_end arrive(struct walk *w, struct names_left *n, const char *name)
{
	enum walk_end end = WALK_ABSENT;
	int fd = look(w, name, 0, &w->st, &end);

	if (fd < 0)
		return end;
	if (S_ISLNK(w->st.st_mode) || S_ISDIR(w->st.st_mode)) {
		close(fd);
		return S_ISLNK(w->st.st_mode) ? follow(w, n, name) : pass(w, n, name);
	}
	note_name(w, name);
	w->file = fd;
	return WALK_FILE;
}

/* WALK_DIRECTORY: on the way. */
static enum walk_end step(struct walk *w, struct names_left *n)
{
	const char *at = n->text.data + n->pos;
	size_t len = strcspn(at, "/");
	char name[NAME_MAX + 1];

	n->pos += len;
	if (!len || (len == 1 && at[0] == '.'))
		return WALK_DIRECTORY;
	if (++n->steps > WALK_STEPS_MAX)
		return WALK_ENDLESS;
	if (len > NAME_MAX)
		return WALK_ABSENT;
	memcpy(name, at, len);
	name[len] = '\0';
	if (strcmp(name, "..") == 0) {
		go_up(w, n);
		return WALK_DIRECTORY;
	}
	return n->text.data[n->pos] ? pass(w, n, name) : arrive(w, n, name);
}

enum walk_end walk_to(struct walk *w, const char *root, const char *path)
{
	struct names_left left = { 0 };
	enum walk_end end = WALK_DIRECTORY;

	w->file = -1;
	w->at = (struct buf){ 0 };
	w->closed = w->linked = false;
	w->error = 0;
	w->dev = 0;
	w->root = w->dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (w->root < 0)
		return end_of(w, errno);
	if (is_kernels(w->root))
		return WALK_KERNELS;
	buf_str(&left.text, path);
	while (end == WALK_DIRECTORY && left.text.data[left.pos]) {
		left.pos += strspn(left.text.data + left.pos, "/");
		end = step(w, &left);
	}
	buf_release(&left.text);
	return end;
}

int walk_open(const struct walk *w)
{
	return openat(w->dir, strrchr(w->at.data, '/') + 1,
		      O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

void walk_release(struct walk *w)
{
	if (w->file >= 0)
		close(w->file);
	if (w->dir >= 0 && w->dir != w->root)
		close(w->dir);
	if (w->root >= 0)
		close(w->root);
	buf_release(&w->at);
}
