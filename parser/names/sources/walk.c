/* Following paths by descriptors. A link's text takes the place of what it stands for in the names
 * that are left; ".." and links from the root begin anew there. */
#include "parser/names/sources/walk.h"
#include "parser/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
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

/* ---- directories that are known ---- */

#define KNOWN_MAX 32 /* descriptors */

struct known_dir {
	char *root, *at; /* where its walk began, and its path below */
	size_t len;	 /* of AT */
	dev_t dev;
	bool closed;
	int fd;
	uint64_t used;	/* when: the one that was not for longest makes room */
	unsigned walks; /* that are in it now */
};

struct known_dirs {
	pthread_mutex_t lock;
	struct known_dir list[KNOWN_MAX];
	size_t count;
	uint64_t now;
};

struct known_dirs *known_dirs_new(void)
{
	struct known_dirs *p = xcalloc(1, sizeof(*p));

	pthread_mutex_init(&p->lock, NULL);
	return p;
}

static void forget(struct known_dir *d)
{
	close(d->fd);
	free(d->root);
	free(d->at);
}

void known_dirs_free(struct known_dirs *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->count; i++)
		forget(&p->list[i]);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

/* The longest one on the way from ROOT along PATH, or NULL. */
static struct known_dir *on_the_way(struct known_dirs *p, const char *root, const char *path)
{
	struct known_dir *best = NULL;
	size_t len = strlen(path);

	for (size_t i = 0; i < p->count; i++) {
		struct known_dir *d = &p->list[i];

		if (d->len < len && path[d->len] == '/' && (!best || d->len > best->len) &&
		    !memcmp(d->at, path, d->len) && !strcmp(d->root, root))
			best = d;
	}
	return best;
}

/* The walk goes on from such a directory, which takes up the first of the names that are left. */
static bool begin_on_the_way(struct walk *w, struct names_left *n)
{
	struct known_dir *d;

	if (!w->known)
		return false;
	pthread_mutex_lock(&w->known->lock);
	d = on_the_way(w->known, w->from, n->text.data + n->pos);
	if (d) {
		d->used = ++w->known->now;
		d->walks++;
		w->in = d;
		w->dir = d->fd;
		w->dev = d->dev;
		w->closed = d->closed;
		buf_add(&w->at, d->at, d->len);
		n->pos += d->len;
		n->steps++;
	}
	pthread_mutex_unlock(&w->known->lock);
	return d != NULL;
}

/* NULL: walks are in all of them. */
static struct known_dir *room_for_one(struct known_dirs *p)
{
	struct known_dir *oldest = NULL;

	if (p->count < KNOWN_MAX)
		return &p->list[p->count++];
	for (size_t i = 0; i < p->count; i++) {
		struct known_dir *d = &p->list[i];

		if (!d->walks && (!oldest || d->used < oldest->used))
			oldest = d;
	}
	if (oldest)
		forget(oldest);
	return oldest;
}

/* The directory that the walk is in: another one may have kept it meanwhile, which does no harm. */
static void keep_known(struct walk *w)
{
	struct known_dirs *p = w->known;

	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	w->in = room_for_one(p);
	if (w->in)
		*w->in = (struct known_dir){ .root = xstrdup(w->from),
					     .at = xstrdup(w->at.data),
					     .len = w->at.len,
					     .dev = w->dev,
					     .closed = w->closed,
					     .fd = w->dir,
					     .used = ++p->now,
					     .walks = 1 };
	pthread_mutex_unlock(&p->lock);
}

static void leave_known(struct walk *w)
{
	pthread_mutex_lock(&w->known->lock);
	w->in->walks--;
	pthread_mutex_unlock(&w->known->lock);
	w->in = NULL;
}

/* ---- a step ---- */

static void leave(struct walk *w)
{
	if (w->in)
		leave_known(w);
	else if (w->dir >= 0 && w->dir != w->root)
		close(w->dir);
	w->dir = -1;
}

static void enter(struct walk *w, int dir, dev_t dev)
{
	leave(w);
	w->dir = dir;
	w->dev = dev;
}

/* Begin with the names that are left; WALK_DIRECTORY: that is done. */
static enum walk_end begin(struct walk *w, struct names_left *n)
{
	leave(w);
	w->at.len = 0;
	w->closed = false;
	w->dev = 0;
	if (begin_on_the_way(w, n))
		return WALK_DIRECTORY;
	if (w->root < 0) {
		w->root = open(w->from, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (w->root < 0)
			return end_of(w, errno);
		if (is_kernels(w->root))
			return WALK_KERNELS;
	}
	w->dir = w->root;
	return WALK_DIRECTORY;
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
static enum walk_end go_up(struct walk *w, struct names_left *n)
{
	const char *slash = w->at.len ? memrchr(w->at.data, '/', w->at.len) : NULL;

	put_before(n, w->at.len ? w->at.data : "", slash ? (size_t)(slash - w->at.data) : 0);
	return begin(w, n);
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
	return size && text[0] == '/' ? begin(w, n) : WALK_DIRECTORY;
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
	keep_known(w);
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
	if (strcmp(name, "..") == 0)
		return go_up(w, n);
	return n->text.data[n->pos] ? pass(w, n, name) : arrive(w, n, name);
}

enum walk_end walk_to(struct walk *w, const char *root, const char *path)
{
	struct names_left left = { 0 };
	enum walk_end end;

	w->from = root;
	w->root = w->dir = w->file = -1;
	w->in = NULL;
	w->at = (struct buf){ 0 };
	w->closed = w->linked = false;
	w->error = 0;
	buf_str(&left.text, path);
	end = begin(w, &left);
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
	leave(w);
	if (w->root >= 0)
		close(w->root);
	buf_release(&w->at);
}
