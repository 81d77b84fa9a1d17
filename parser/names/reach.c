/* Where a path of the input may lead. */
#include "parser/names/reach.h"
#include "parser/base/buf.h"
#include "parser/base/intern.h"
#include "parser/base/mem.h"
#include "parser/names/sources/walk.h"

#include <errno.h>
#include <limits.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HELP " (--symfs / has it read)"

static const char why_kernels[] =
	"is in /proc, /sys, /dev, /run or another file system of the kernel";
static const char why_special[] = "is no regular file";
static const char why_endless[] = "has too many links or directories on its way";
static const char why_closed[] = "is in a directory that is not open to all users" HELP;
static const char why_boxed[] = "is another process's root, as of a container, and is read "
				"with --no-sandbox only";
static const char why_private[] = "is not readable by all users" HELP;

/* A directory that the user named. */
struct tree {
	char *dir;  /* without a slash at its end */
	bool maps;  /* only for what is called perf-PID.map or jit-PID.dump */
	bool whole; /* it is the root of this host */
};

struct refusal_told {
	const char *why;
	bool asked; /* whoever asked tells it */
	bool limit; /* it is no refusal: the file is larger than a bound */
};

struct reach {
	uid_t own[2]; /* who runs this, and who got to be root for it */
	struct tree *trees;
	size_t count, cap;
	struct intern files; /* that the user named */
	struct known_dirs *known;
	struct watched *watch;
	size_t watch_count;
	bool boxed;
	pthread_mutex_t lock; /* of what follows */
	struct intern roots;
	struct intern told;
	struct refusal_told *list; /* by path */
	char **faults; /* by errno, to open and to read: what is said of a path that met it */
	size_t fault_count, fault_cap;
	size_t told_cap, told_bytes;
	uint64_t refused, reported;
};

/* ---- what the user named ---- */

static void add_tree(struct reach *r, const char *dir, bool maps)
{
	size_t len = strlen(dir);

	while (len && dir[len - 1] == '/')
		len--;
	r->trees = xgrow(r->trees, &r->cap, r->count + 1, sizeof(*r->trees));
	r->trees[r->count++] = (struct tree){ strndup(dir, len), maps, !len };
}

/* Also by its own name, which paths beside a file of it begin with. */
void reach_add_tree(struct reach *r, const char *dir, enum reach_tree what)
{
	char *real = dir && *dir ? realpath(dir, NULL) : NULL;

	if (!dir || !*dir)
		return;
	add_tree(r, dir, what == REACH_MAPS);
	if (real && strcmp(real, dir) != 0) {
		add_tree(r, real, what == REACH_MAPS);
		r->trees[r->count - 2].whole |= r->trees[r->count - 1].whole;
	}
	free(real);
}

void reach_add_file(struct reach *r, const char *path)
{
	if (path)
		(void)intern_add(&r->files, path, strlen(path));
}

struct reach *reach_new(void)
{
	struct reach *r = xcalloc(1, sizeof(*r));
	const char *caller = geteuid() ? NULL : getenv("SUDO_UID");

	pthread_mutex_init(&r->lock, NULL);
	intern_init(&r->files);
	intern_init(&r->roots);
	intern_init(&r->told);
	r->known = known_dirs_new();
	r->own[0] = r->own[1] = geteuid();
	if (caller && strspn(caller, "0123456789") == strlen(caller) && *caller)
		r->own[1] = (uid_t)strtoul(caller, NULL, 10);
	return r;
}

static void free_faults(struct reach *r)
{
	for (size_t i = 0; i < r->fault_count; i++)
		free(r->faults[i]);
	free(r->faults);
}

void reach_free(struct reach *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->count; i++)
		free(r->trees[i].dir);
	free(r->trees);
	known_dirs_free(r->known);
	intern_release(&r->files);
	intern_release(&r->roots);
	intern_release(&r->told);
	free(r->list);
	free_faults(r);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

void reach_add_root(struct reach *r, const char *root)
{
	if (!r)
		return;
	pthread_mutex_lock(&r->lock);
	(void)intern_add(&r->roots, root, strlen(root));
	pthread_mutex_unlock(&r->lock);
}

/* ---- what was refused ---- */

static void note_as(struct reach *r, const char *path, const char *why, bool limit)
{
	size_t len = strlen(path);
	uint32_t id;

	pthread_mutex_lock(&r->lock);
	if (intern_find(&r->told, path, len) != INTERN_NONE) {
		pthread_mutex_unlock(&r->lock);
		return;
	}
	r->refused++;
	r->told_bytes += len;
	if (r->told_bytes <= REACH_TOLD_MAX) {
		id = intern_add(&r->told, path, len);
		r->list = xgrow(r->list, &r->told_cap, id + 1u, sizeof(*r->list));
		r->list[id] = (struct refusal_told){ .why = why, .limit = limit };
	}
	pthread_mutex_unlock(&r->lock);
}

static void note(struct reach *r, const char *path, const char *why)
{
	note_as(r, path, why, false);
}

void reach_limit(struct reach *r, const char *path, const char *why)
{
	if (r)
		note_as(r, path, why, true);
}

/* What is said of a path that met ERROR, when it was to be opened or READ. */
static const char *fault_text(struct reach *r, int error, bool read)
{
	size_t i = 2 * (size_t)error + read;
	struct buf text = { 0 };
	const char *kept;

	pthread_mutex_lock(&r->lock);
	r->faults = xgrow_to(r->faults, &r->fault_count, &r->fault_cap, i, sizeof(*r->faults));
	if (!r->faults[i]) {
		buf_printf(&text, "cannot be %s: %s", read ? "read" : "opened", strerror(error));
		r->faults[i] = text.data;
	}
	kept = r->faults[i];
	pthread_mutex_unlock(&r->lock);
	return kept;
}

/* A refusal is the rule; what a disk does not give is missing. */
static bool is_damage(const struct reach *r, const char *why)
{
	for (size_t i = 0; i < r->fault_count; i++) {
		if (why == r->faults[i])
			return error_is_fault((int)(i / 2));
	}
	return false;
}

void reach_fault(struct reach *r, const char *path, int error)
{
	if (r && error_is_fault(error))
		note(r, path, fault_text(r, error, true));
}

void reach_is_boxed(struct reach *r)
{
	r->boxed = true;
}

/* What no sandbox would open either is not told. */
void reach_missed_root(struct reach *r, const char *root)
{
	char process[32];
	struct stat st;

	if (!r->boxed || stat(root, &st) == 0 || errno != EACCES)
		return;
	snprintf(process, sizeof(process), "%.*s", (int)(strrchr(root, '/') - root), root);
	if (stat(process, &st) == 0 && (!r->own[0] || st.st_uid == r->own[0]))
		note(r, root, why_boxed);
}

const char *reach_why(struct reach *r, const char *path)
{
	const char *why = NULL;
	uint32_t id;

	if (!r)
		return NULL;
	pthread_mutex_lock(&r->lock);
	id = intern_find(&r->told, path, strlen(path));
	if (id != INTERN_NONE && !r->list[id].limit) {
		why = r->list[id].why;
		r->list[id].asked = true;
	}
	pthread_mutex_unlock(&r->lock);
	return why;
}

void reach_report(struct reach *r, struct warnings *w)
{
	for (; r && r->reported < r->refused; r->reported++) {
		uint32_t i = (uint32_t)r->reported;

		if (r->reported >= r->told.count)
			warn_add(w, SEV_NOTE, REACH_REFUSED, "a path of the input is not opened");
		else if (is_damage(r, r->list[i].why))
			warn_add(w, SEV_FAILED, "symbol-file", "%s %s", intern_str(&r->told, i),
				 r->list[i].why);
		else if (r->list[i].limit)
			warn_add(w, SEV_WARN, "limit", "%s: %s", intern_str(&r->told, i),
				 r->list[i].why);
		else if (!r->list[i].asked)
			warn_add(w, SEV_NOTE,
				 r->list[i].why == why_boxed ? "process-root" : REACH_REFUSED,
				 "%s: not opened: it %s", intern_str(&r->told, i), r->list[i].why);
	}
}

/* ---- the rule ---- */

/* A path, cut where it begins to be the input's. */
struct asked {
	const char *root, *rest;
	char *text; /* what of it is to be freed */
	bool named; /* the root is a directory that the user named */
	bool whole; /* ... or that of a host or of a container */
};

static bool is_below(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	return !strncmp(path, dir, len) && path[len] == '/';
}

/* "perf-12.map" and "jit-12.dump": whatever their mode is, they are written to be read by whoever
 * profiles. */
static bool is_profilers(const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	size_t digits;

	if (!strncmp(base, "perf-", 5))
		base += 5;
	else if (!strncmp(base, "jit-", 4))
		base += 4;
	else
		return false;
	digits = strspn(base, "0123456789");
	return digits && (!strcmp(base + digits, ".map") || !strcmp(base + digits, ".dump"));
}

/* The innermost one. */
static const struct tree *tree_of(const struct reach *r, const char *path)
{
	const struct tree *best = NULL;

	for (size_t i = 0; i < r->count; i++) {
		const struct tree *t = &r->trees[i];

		if (is_below(path, t->dir) && (!best || strlen(t->dir) > strlen(best->dir)) &&
		    (!t->maps || is_profilers(path)))
			best = t;
	}
	return best;
}

/* "/proc/12/root/", which was added: the length up to its last slash; else 0. */
static size_t container_root(struct reach *r, const char *path)
{
	size_t len = 6 + (strncmp(path, "/proc/", 6) ? 0 : strspn(path + 6, "0123456789"));
	bool is;

	if (strncmp(path, "/proc/", 6) != 0 || strncmp(path + len, "/root/", 6) != 0)
		return 0;
	len += 5;
	pthread_mutex_lock(&r->lock);
	is = intern_find(&r->roots, path, len) != INTERN_NONE;
	pthread_mutex_unlock(&r->lock);
	return is ? len : 0;
}

/* A path from where this process is, as one from the root. */
static char *from_root(const char *path)
{
	struct buf b = { 0 };
	char here[PATH_MAX];

	buf_printf(&b, "%s/%s", getcwd(here, sizeof(here)) ?: "", path);
	return b.data;
}

static void cut(struct reach *r, const char *path, struct asked *a)
{
	const struct tree *t = tree_of(r, path);
	size_t len = container_root(r, path);

	*a = (struct asked){ .root = "/", .rest = path, .whole = true };
	if (t) {
		a->root = t->dir[0] ? t->dir : "/";
		a->rest = path + strlen(t->dir);
		a->named = true;
		a->whole = t->whole;
	} else if (len) {
		a->root = a->text = strndup(path, len);
		a->rest = path + len;
	} else if (path[0] != '/') {
		a->rest = a->text = from_root(path);
	}
}

static bool is_in(const char *path, const char *const *dirs)
{
	for (; *dirs; dirs++) {
		if (is_below(path, *dirs))
			return true;
	}
	return false;
}

static bool is_program(const struct reach *r, const struct walk *w)
{
	static const char *const dirs[] = { "/usr",	  "/bin",	"/sbin",  "/opt",
					    "/lib",	  "/lib32",	"/lib64", "/libx32",
					    "/nix/store", "/gnu/store", "/snap",  NULL };

	return is_in(w->at.data, dirs) ||
	       (r->own[0] && w->st.st_uid == r->own[0] && w->st.st_mode & S_IXUSR);
}

/* Why the file that W is at is not for A; NULL: it is. */
static const char *refusal(const struct reach *r, const struct walk *w, const struct asked *a,
			   enum reach_use use)
{
	static const char *const kernels[] = { "/proc", "/sys", "/dev", "/run", NULL };

	if (a->whole && is_in(w->at.data, kernels))
		return why_kernels;
	if (!S_ISREG(w->st.st_mode))
		return why_special;
	if (a->named || is_profilers(w->at.data) || (use == REACH_PROGRAM && is_program(r, w)))
		return NULL;
	return !(w->st.st_mode & S_IROTH) ? why_private : w->closed ? why_closed : NULL;
}

/* ---- opening ---- */

/* What came of it, besides a descriptor. */
struct outcome {
	const char *why; /* it is to be told; NULL: nothing is */
	int error;	 /* an errno: the system failed */
	bool linked;	 /* a link was followed, to nothing */
};

/* The system's ERROR: what it means for a path is that it is not there, is no path, or this. */
static int failed(struct reach *r, int error, struct outcome *o)
{
	o->error = error;
	if (error == ENOENT || error == ENOTDIR)
		return ERR_ABSENT;
	if (r && error != ELOOP && error != ENAMETOOLONG)
		o->why = fault_text(r, error, false);
	return ERR_IO;
}

/* The file of a path that the user chose: anything but what blocks or acts. */
static int open_named(struct reach *r, const char *path, struct outcome *o)
{
	struct stat st;
	int fd, rc;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return ERR_FORMAT;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return failed(r, errno, o);
	if (fstat(fd, &st))
		rc = failed(r, errno, o);
	else if (S_ISREG(st.st_mode))
		return fd;
	else
		rc = ERR_FORMAT;
	close(fd);
	return rc;
}

/* What is opened must still be what was looked at, or as good. */
static int open_found(struct reach *r, struct walk *w, const struct asked *a, enum reach_use use,
		      struct outcome *o)
{
	int fd, rc = ERR_IO;

	o->why = refusal(r, w, a, use);
	if (o->why)
		return o->why == why_special ? ERR_FORMAT : ERR_IO;
	fd = walk_open(w);
	if (fd < 0)
		return failed(r, errno, o);
	if (fstat(fd, &w->st))
		rc = failed(r, errno, o);
	else if (!(o->why = refusal(r, w, a, use)))
		return fd;
	close(fd);
	return rc;
}

static int open_asked(struct reach *r, const struct asked *a, enum reach_use use, struct outcome *o)
{
	struct walk w = { .own = { r->own[0], r->own[1] }, .known = r->known };
	enum walk_end end = walk_to(&w, a->root, a->rest);
	int rc = ERR_IO;

	*o = (struct outcome){ 0 };
	switch (end) {
	case WALK_FILE:
		rc = open_found(r, &w, a, use, o);
		break;
	case WALK_DIRECTORY:
		rc = ERR_FORMAT;
		break;
	case WALK_ABSENT:
		rc = ERR_ABSENT;
		o->linked = w.linked;
		break;
	case WALK_DENIED:
		rc = failed(r, w.error, o);
		break;
	case WALK_KERNELS:
		o->why = why_kernels;
		break;
	case WALK_ENDLESS:
		o->why = why_endless;
	}
	walk_release(&w);
	return rc;
}

static bool goes_up(const char *path)
{
	for (const char *at = path; (at = strstr(at, "..")) != NULL; at += 2) {
		if ((at == path || at[-1] == '/') && (!at[2] || at[2] == '/'))
			return true;
	}
	return false;
}

/* A link in a directory that the user named is one to what is there. Where nothing is, it is taken
 * as this host takes it, and leads to what any path of the input may lead to. */
static int open_linked(struct reach *r, const char *path, enum reach_use use, struct outcome *o)
{
	struct asked a = { .root = "/", .rest = path, .whole = true };
	int rc;

	if (path[0] != '/')
		a.rest = a.text = from_root(path);
	rc = open_asked(r, &a, use, o);
	free(a.text);
	return rc;
}

/* Most candidates on this host are not there, which is told sooner without a walk. */
static bool is_absent(const struct asked *a)
{
	struct stat st;

	return strcmp(a->root, "/") == 0 && stat(a->rest, &st) &&
	       (errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == ENAMETOOLONG);
}

void reach_watch(struct reach *r, struct watched *list, size_t count)
{
	r->watch = list;
	r->watch_count = count;
}

void reach_met(struct reach *r, int fd)
{
	struct stat st;

	if (!r || !r->watch_count || fd < 0 || fstat(fd, &st) < 0)
		return;
	for (size_t i = 0; i < r->watch_count; i++) {
		if (r->watch[i].dev == st.st_dev && r->watch[i].inode == st.st_ino)
			atomic_store(&r->watch[i].met, true);
	}
}

/* A path of the input. */
static int open_input(struct reach *r, const char *path, enum reach_use use, struct outcome *o)
{
	struct asked a;
	int rc;

	cut(r, path, &a);
	rc = is_absent(&a) ? ERR_ABSENT : open_asked(r, &a, use, o);
	if (o->linked && a.named && !goes_up(a.rest))
		rc = open_linked(r, path, use, o);
	free(a.text);
	return rc;
}

int reach_open(struct reach *r, const char *path, enum reach_use use)
{
	bool named = !r || intern_find(&r->files, path, strlen(path)) != INTERN_NONE;
	struct outcome o = { 0 };
	int rc = named ? open_named(r, path, &o) : open_input(r, path, use, &o);

	if (o.why)
		note(r, path, o.why);
	if (!named)
		reach_met(r, rc);
	errno = o.error;
	return rc;
}

int reach_open_listed(const char *path)
{
	struct reach anyone = { .lock = PTHREAD_MUTEX_INITIALIZER };
	struct asked a = { "/", path, NULL, true, true };
	struct outcome o;
	int rc;

	if (path[0] != '/')
		a.rest = a.text = from_root(path);
	rc = open_asked(&anyone, &a, REACH_PROGRAM, &o);
	free(a.text);
	free_faults(&anyone);
	errno = o.error;
	return rc;
}
