/* The list of sources. */
#include "parser/names/sources/sources.h"
#include "parser/names/elf/elffile.h"
#include "parser/names/names.h"
#include "parser/names/reach.h"
#include "parser/names/sources/symfiles.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/names/sources/archive.h"
#include "parser/names/sources/loose.h"
#include "parser/names/sources/manifest.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD_SIZE 512 /* what is looked at of a file */

enum source_kind { SOURCE_FILE, SOURCE_DIR, SOURCE_LOOSE, SOURCE_ARCHIVE };

struct source_item {
	char *path;
	enum source_kind kind;
	int fd; /* of an archive that is open already; -1: open PATH */
	bool loaded;
	struct symfiles files;
	char *manifest;	  /* of a pack; NULL: it has none */
	char *trouble;	  /* why not all of it was read; NULL: it was */
	bool asked, used; /* did anybody look here, and open a file of it? */
};

/* A member in a file of its own. */
struct copy {
	const struct symfile *of;
	int fd;
	const char *path;
};

struct sources {
	struct source_item *list;
	size_t count, cap;
	struct sources *next; /* what is asked after these, and shared with others; or NULL */
	struct spool spool;
	struct arena paths;
	struct copy *copies; /* of members that were asked for by name */
	size_t copy_count, copy_cap;
	pthread_mutex_t lock; /* of what loading changes */
};

struct sources *sources_new(void)
{
	struct sources *s = xcalloc(1, sizeof(*s));

	s->spool.fd = -1;
	arena_init(&s->paths);
	pthread_mutex_init(&s->lock, NULL);
	return s;
}

void sources_free(struct sources *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->count; i++) {
		symfiles_release(&s->list[i].files);
		free(s->list[i].manifest);
		free(s->list[i].trouble);
		free(s->list[i].path);
	}
	free(s->list);
	for (size_t i = 0; i < s->copy_count; i++)
		close(s->copies[i].fd);
	free(s->copies);
	arena_release(&s->paths);
	spool_release(&s->spool);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

/* ---- what is it? ---- */

static bool has(const char *dir, const char *name)
{
	struct buf path = { 0 };
	bool there;

	buf_printf(&path, "%s/%s", dir, name);
	there = access(path.data, F_OK) == 0;
	buf_release(&path);
	return there;
}

/* A directory in which files have their places: to look at each of them would be slow, and tell
 * nothing that the places do not. */
static bool has_layout(const char *dir)
{
	static const char *const signs[] = { ".build-id",
					     "usr",
					     "lib",
					     "bin",
					     "etc",
					     "[kernel.kallsyms]",
					     "cache_clean_interval_s" };

	for (size_t i = 0; i < ARRAY_SIZE(signs); i++) {
		if (has(dir, signs[i]))
			return true;
	}
	return false;
}

/* "ffffffff81000000 T _text": the first line of a kallsyms file. */
static bool is_kallsyms(const char *head)
{
	size_t n = strspn(head, "0123456789abcdef");

	return n >= 8 && n <= 16 && head[n] == ' ' && isalpha((unsigned char)head[n + 1]) &&
	       head[n + 2] == ' ' && head[n + 3] > ' ';
}

static int file_kind(struct source_item *item)
{
	char head[HEAD_SIZE + 1];
	int fd = reach_open(NULL, item->path, REACH_PROGRAM), error;
	ssize_t n = fd < 0 ? -1 : read(fd, head, HEAD_SIZE);
	struct symfile f = { .path = item->path, .name = symfile_base(item->path) };

	error = errno;
	if (fd >= 0)
		close(fd);
	errno = error;
	if (n < 0)
		return fd < 0 ? fd : ERR_IO;
	head[n] = '\0';
	item->kind = SOURCE_FILE;
	f.kind = symfile_kind(item->path, head, (size_t)n);
	if (f.kind == SYMFILE_ELF)
		return loose_add(&item->files, f.path, (size_t)(f.name - f.path));
	if (f.kind == SYMFILE_NONE && archive_is(head, (size_t)n)) {
		item->kind = SOURCE_ARCHIVE;
		return 0;
	}
	if (f.kind == SYMFILE_NONE && is_kallsyms(head))
		f.kind = SYMFILE_KALLSYMS;
	if (f.kind == SYMFILE_NONE)
		return ERR_FORMAT;
	(void)symfiles_add(&item->files, &f);
	return 0;
}

static int look_at(struct source_item *item)
{
	struct stat st;

	if (stat(item->path, &st))
		return errno == ENOENT || errno == ENOTDIR ? ERR_ABSENT : ERR_IO;
	if (S_ISREG(st.st_mode))
		return file_kind(item);
	if (!S_ISDIR(st.st_mode))
		return ERR_FORMAT;
	item->kind = has_layout(item->path) ? SOURCE_DIR : SOURCE_LOOSE;
	return 0;
}

int sources_add(struct sources *s, const char *path, struct warnings *w)
{
	struct source_item item = { .path = xstrdup(path), .fd = -1 };
	int rc;

	symfiles_init(&item.files);
	rc = look_at(&item);
	if (rc < 0) {
		warn_add(w, SEV_FATAL, "symbols", "--symbols %s: %s", path,
			 rc == ERR_IO ? strerror(errno)
			 : rc == ERR_ABSENT
				 ? "no such file or directory"
				 : "neither an archive, nor a directory, nor a file with "
				   "symbols");
		symfiles_release(&item.files);
		free(item.path);
		return rc == ERR_IO ? ERR_IO : ERR_USAGE;
	}
	item.loaded = item.kind == SOURCE_FILE || item.kind == SOURCE_DIR;
	s->list = xgrow(s->list, &s->cap, s->count + 1, sizeof(*s->list));
	s->list[s->count++] = item;
	return 0;
}

struct sources *sources_pack(struct sources *next, const char *path, int fd)
{
	struct sources *s = sources_new();

	s->list = xgrow(s->list, &s->cap, 1, sizeof(*s->list));
	s->list[0] =
		(struct source_item){ .path = xstrdup(path), .kind = SOURCE_ARCHIVE, .fd = fd };
	symfiles_init(&s->list[0].files);
	s->count = 1;
	s->next = next;
	return s;
}

/* WHY, which may be NULL. The first is told. */
static void give_up(struct source_item *item, const char *why)
{
	if (why && !item->trouble)
		item->trouble = xstrdup(why);
}

/* The text of F; a line end comes before the first line, too. */
static char *read_manifest(const struct sources *s, struct source_item *item,
			   const struct symfile *f)
{
	char *text;
	ssize_t n;

	if (f->size_bytes > MANIFEST_MAX) {
		give_up(item, "its manifest has more than 64 MiB and is not used");
		return NULL;
	}
	text = xmalloc(f->size_bytes + 2);
	text[0] = '\n';
	n = pread(s->spool.fd, text + 1, f->size_bytes, (off_t)f->offset);
	if (n < 0)
		give_up(item, strerror(errno));
	text[n > 0 ? n + 1 : 1] = '\0';
	return text;
}

const char *sources_manifest(struct sources *s)
{
	struct source_item *item = s && s->count ? &s->list[0] : NULL;

	if (!item || item->fd < 0)
		return NULL;
	(void)sources_files(s, 0);
	pthread_mutex_lock(&s->lock);
	for (size_t i = 0; !item->manifest && i < item->files.count; i++) {
		if (item->files.list[i].kind == SYMFILE_MANIFEST)
			item->manifest = read_manifest(s, item, &item->files.list[i]);
	}
	pthread_mutex_unlock(&s->lock);
	return item->manifest;
}

void sources_member(const struct sources *s, const char *name, int len, struct buf *out)
{
	buf_printf(out, "%s:%.*s", s->list[0].path, len, name);
}

bool sources_origin(struct sources *s, const char *path, struct buf *out)
{
	const char *text = sources_manifest(s);
	size_t len = text ? strlen(s->list[0].path) : 0;

	return text && !strncmp(path, s->list[0].path, len) && path[len] == ':' &&
	       manifest_find_origin(text, path + len + 1, out);
}

/* ---- asking ---- */

size_t sources_count(const struct sources *s)
{
	size_t n = 0;

	for (; s; s = s->next)
		n += s->count;
	return n;
}

/* The I-th of *S and what comes next; *S becomes the one that has it. */
static struct source_item *item_at(struct sources **s, size_t i)
{
	for (; i >= (*s)->count; *s = (*s)->next)
		i -= (*s)->count;
	return &(*s)->list[i];
}

const char *sources_dir(const struct sources *s, size_t i)
{
	const struct source_item *item = item_at((struct sources **)&s, i);

	return item->kind == SOURCE_DIR || item->kind == SOURCE_LOOSE ? item->path : NULL;
}

const char *sources_file(const struct sources *s, size_t i)
{
	const struct source_item *item = item_at((struct sources **)&s, i);

	return item->kind == SOURCE_FILE ? item->path : NULL;
}

const struct symfiles *sources_files(struct sources *s, size_t i)
{
	struct source_item *item = item_at(&s, i);

	pthread_mutex_lock(&s->lock);
	if (!item->loaded && item->kind == SOURCE_ARCHIVE)
		item->trouble = archive_read(&item->files, &s->spool, item->path, item->fd);
	else if (!item->loaded)
		item->trouble = loose_read(&item->files, item->path);
	item->loaded = true;
	item->asked = true;
	pthread_mutex_unlock(&s->lock);
	return &item->files;
}

/* A file that somebody took the trouble to name, and that nothing can be done with. */
static void report_unused(const struct source_item *item, struct warnings *w)
{
	const struct symfile *f = item->files.list;
	char id[2 * BUILD_ID_MAX + 1];

	if (item->kind != SOURCE_FILE || f->kind != SYMFILE_ELF || !item->asked || item->used)
		return;
	build_id_text(&f->id, id);
	warn_add(w, SEV_NOTE, "symbols-unused", "%s: no module with samples has its build-id (%s)",
		 item->path, *id ? id : "it has none");
}

void sources_report(const struct sources *s, struct warnings *w)
{
	for (size_t i = 0; s && i < s->count; i++) {
		report_unused(&s->list[i], w);
		if (s->list[i].trouble)
			warn_add(w, SEV_FAILED, "symbols", "%s: %s", s->list[i].path,
				 s->list[i].trouble);
	}
}

/* The member of an archive that PATH names, or NULL; *S becomes the one that has it. */
static const struct symfile *member(struct sources **s, const char *path)
{
	for (size_t i = 0; i < sources_count(*s); i++) {
		struct sources *owner = *s;
		const struct source_item *item = item_at(&owner, i);
		size_t len = strlen(item->path);
		const struct symfile *f;

		if (item->kind != SOURCE_ARCHIVE || strncmp(path, item->path, len) ||
		    path[len] != ':')
			continue;
		f = symfiles_find(sources_files(*s, i), path);
		if (f) {
			*s = owner;
			return f;
		}
	}
	return NULL;
}

static void note_used(struct sources *s, const char *path)
{
	for (; s; s = s->next) {
		for (size_t i = 0; i < s->count; i++) {
			if (s->list[i].kind != SOURCE_FILE || strcmp(s->list[i].path, path))
				continue;
			pthread_mutex_lock(&s->lock);
			s->list[i].used = true;
			pthread_mutex_unlock(&s->lock);
		}
	}
}

/* Was the file at PATH found in ITEM, a directory? */
static bool is_listed(struct sources *s, const struct source_item *item, const char *path)
{
	bool is;

	if (item->kind != SOURCE_LOOSE)
		return false;
	pthread_mutex_lock(&s->lock);
	is = item->loaded && item->kind != SOURCE_FILE && symfiles_find(&item->files, path);
	pthread_mutex_unlock(&s->lock);
	return is;
}

/* No path of the input is what was found where the user named a directory. */
static int open_file(const struct symbol_options *o, const char *path)
{
	for (size_t i = 0; i < sources_count(o->sources); i++) {
		struct sources *owner = o->sources;
		const struct source_item *item = item_at(&owner, i);

		if (is_listed(owner, item, path)) {
			int fd = reach_open_listed(path);

			reach_met(o->reach, fd);
			return fd;
		}
	}
	return reach_open(o->reach, path, REACH_PROGRAM);
}

/* PATH is F's. */
static struct elf_file *map_member(const struct symbol_options *o, const char *path, int fd,
				   const struct symfile *f, int *err)
{
	int rc = 0;
	struct elf_file *elf;

	errno = 0;
	elf = elf_file_map(fd, f->offset, f->size_bytes, &rc);
	if (!elf && rc == ERR_IO)
		reach_fault(o->reach, path, errno);
	if (rc == ERR_LIMIT)
		reach_limit(o->reach, path, ELF_UNPACKED_WHY);
	if (err)
		*err = rc;
	return elf;
}

struct elf_file *sources_elf(const struct symbol_options *o, const char *path, bool private,
			     int *err)
{
	struct sources *owner = o->sources;
	const struct symfile *f = member(&owner, path);
	struct elf_file *elf;
	int fd, rc;

	note_used(o->sources, path);
	if (f)
		return map_member(o, path, owner->spool.fd, f, err);
	fd = open_file(o, path);
	if (fd == ERR_ABSENT && strstr(path, "!/"))
		return elf_file_packed(o->reach, path, err);
	elf = elf_file_of(fd, private, &rc);
	if (rc == ERR_LIMIT)
		reach_limit(o->reach, path, ELF_UNPACKED_WHY);
	if (err)
		*err = rc;
	return elf;
}

int sources_fd(const struct symbol_options *o, const char *path)
{
	struct sources *owner = o->sources;
	const struct symfile *f = member(&owner, path);

	return f ? spool_copy(&owner->spool, f->offset, f->size_bytes) : open_file(o, path);
}

/* ---- by name ---- */

static const char *keep(struct sources *s, const char *text)
{
	return arena_strndup(&s->paths, text, strlen(text));
}

/* BASE in DIR itself, or where a copy of a root directory has it. */
static bool find_below(struct sources *s, const char *dir, const char *base,
		       struct source_path *out)
{
	static const char *const places[] = { "", "/tmp" };

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		struct buf b = { 0 };
		bool there;

		buf_printf(&b, "%s%s/%s", dir, places[i], base);
		there = access(b.data, R_OK) == 0;
		if (there)
			out->shown = out->open = keep(s, b.data);
		buf_release(&b);
		if (there)
			return true;
	}
	return false;
}

/* A copy of member F in memory has no path, but the one of its descriptor. */
static bool open_copy(struct sources *s, const struct symfile *f, struct source_path *out)
{
	char path[32];
	int fd;

	for (size_t i = 0; i < s->copy_count; i++) {
		out->open = s->copies[i].path;
		if (s->copies[i].of == f)
			return true;
	}
	fd = spool_copy(&s->spool, f->offset, f->size_bytes);
	if (fd < 0)
		return false;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (access(path, R_OK)) {
		close(fd);
		return false;
	}
	out->open = keep(s, path);
	s->copies = xgrow(s->copies, &s->copy_cap, s->copy_count + 1, sizeof(*s->copies));
	s->copies[s->copy_count++] = (struct copy){ f, fd, out->open };
	return true;
}

static bool find_in(struct sources *s, struct source_item *item, const char *base,
		    struct source_path *out)
{
	const struct symfiles *l = &item->files;

	for (size_t i = 0; i < l->count; i++) {
		const struct symfile *f = &l->list[i];

		if (strcmp(symfile_base(f->name), base))
			continue;
		out->shown = out->open = f->path;
		if (!f->is_member || open_copy(s, f, out))
			return true;
		give_up(item, "a perf map or jitdump in it cannot be opened, as /proc is not "
			      "there");
	}
	return false;
}

bool sources_find(struct sources *s, const char *base, struct source_path *out)
{
	bool found = false;

	for (size_t i = 0; i < sources_count(s) && !found; i++) {
		const char *dir = sources_dir(s, i);
		struct sources *owner = s;
		struct source_item *item = item_at(&owner, i);

		(void)sources_files(s, i); /* loads them */
		pthread_mutex_lock(&owner->lock);
		found = (dir && find_below(owner, dir, base, out)) ||
			find_in(owner, item, base, out);
		pthread_mutex_unlock(&owner->lock);
	}
	return found;
}
