/* Walking a directory for files with symbols. Directories wait in a list, not on the stack; the
 * number of files is bounded, and no link leads into a circle. */
#include "parser/names/sources/loose.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/names/elf/elffile.h"
#include "parser/names/reach.h"
#include "parser/names/sources/unpack.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct place {
	char *path;
	unsigned depth;
	bool is_dir;
};

struct walk {
	struct place *list; /* directories that wait, and files of the one that is being read */
	size_t count, cap;
	size_t seen;
	char *trouble;
};

/* ERR_IO with errno, or 0. */
static int kind_of(const char *path, enum symfile_kind *kind)
{
	char head[UNPACK_MAGIC_MAX];
	int fd = reach_open_listed(path), error;
	ssize_t n;

	*kind = SYMFILE_NONE;
	if (fd < 0)
		return fd;
	n = read(fd, head, sizeof(head));
	error = errno;
	close(fd);
	errno = error;
	if (n > 0)
		*kind = symfile_kind(path, head, (size_t)n);
	return n < 0 ? ERR_IO : 0;
}

int loose_add(struct symfiles *out, const char *path, size_t name_at)
{
	struct symfile f = { .path = path, .name = path + name_at };
	int rc = kind_of(path, &f.kind);

	if (rc == 0 && f.kind == SYMFILE_ELF) {
		struct elf_file *elf;
		int fd = reach_open_listed(path);

		if (fd < 0)
			return fd;
		errno = 0; /* of libelf's errors */
		elf = elf_file_of(fd, false, &rc);
		if (!elf)
			return rc;
		f.id = build_id_make(elf_file_info(elf)->build_id,
				     elf_file_info(elf)->build_id_len);
		elf_file_free(elf);
	}
	if (rc < 0 || f.kind == SYMFILE_NONE)
		return rc < 0 ? rc : ERR_FORMAT;
	f.filed = symfile_filed(f.name);
	(void)symfiles_add(out, &f);
	return 0;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct place *)a)->path, ((const struct place *)b)->path);
}

/* Is NAME in DIR a directory, and no link to one? */
static bool is_directory(const struct dirent *d, const char *path)
{
	struct stat st;

	if (d->d_type != DT_UNKNOWN)
		return d->d_type == DT_DIR;
	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void give_up(struct walk *w, const char *why, const char *path)
{
	struct buf text = { 0 };

	if (w->trouble)
		return;
	if (path)
		buf_printf(&text, "%s: %s", path, why);
	else
		buf_str(&text, why);
	w->trouble = text.data;
}

/* By errno: what may not be read, or went away, is as if it were not there. */
static void note_fault(struct walk *w, const char *path)
{
	if (error_is_fault(errno))
		give_up(w, strerror(errno), path);
}

/* Put what is in the directory AT on the list, sorted. */
static void list_directory(struct walk *w, const struct place *at)
{
	DIR *dir = opendir(at->path);
	size_t first = w->count;
	struct dirent *d;

	if (!dir)
		note_fault(w, at->path);
	while (dir) {
		struct buf path = { 0 };
		bool is_dir;

		errno = 0;
		d = readdir(dir);
		if (!d) {
			note_fault(w, at->path);
			break;
		}

		if (!strcmp(d->d_name, ".") || !strcmp(d->d_name, ".."))
			continue;
		if (++w->seen > LOOSE_FILES_MAX) {
			give_up(w, "it holds too many files, not all were searched", NULL);
			break;
		}
		buf_printf(&path, "%s/%s", at->path, d->d_name);
		is_dir = is_directory(d, path.data);
		if (is_dir && at->depth == LOOSE_DEPTH_MAX) {
			buf_release(&path);
			continue;
		}
		w->list = xgrow(w->list, &w->cap, w->count + 1, sizeof(*w->list));
		w->list[w->count++] = (struct place){ path.data, at->depth + 1, is_dir };
	}
	if (dir)
		closedir(dir);
	if (w->count > first)
		qsort(w->list + first, w->count - first, sizeof(*w->list), by_path);
}

static void take_file(struct walk *w, struct symfiles *out, const char *path, size_t name_at)
{
	if (loose_add(out, path, name_at) == ERR_IO)
		note_fault(w, path);
}

char *loose_read(struct symfiles *out, const char *dir)
{
	struct walk w = { 0 };
	size_t name_at = strlen(dir) + 1;
	struct place root = { xstrdup(dir), 0, true };

	list_directory(&w, &root);
	free(root.path);
	for (size_t i = 0; i < w.count; i++) {
		struct place at = w.list[i];

		if (!at.is_dir)
			take_file(&w, out, at.path, name_at);
		else if (!w.trouble)
			list_directory(&w, &at);
	}
	for (size_t i = 0; i < w.count; i++)
		free(w.list[i].path);
	free(w.list);
	return w.trouble;
}
