/* Walking a directory for files with symbols. Directories wait in a list, not on the stack; the
 * number of files is bounded, and no link leads into a circle. */
#include "parser/names/sources/loose.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/names/elf/elffile.h"
#include "parser/names/reach.h"
#include "parser/names/sources/unpack.h"

#include <dirent.h>
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
	const char *trouble;
};

static enum symfile_kind kind_of(const char *path)
{
	char head[UNPACK_MAGIC_MAX];
	ssize_t n;
	int fd;

	fd = reach_open_listed(path);
	if (fd < 0)
		return SYMFILE_NONE;
	n = read(fd, head, sizeof(head));
	close(fd);
	return n > 0 ? symfile_kind(path, head, (size_t)n) : SYMFILE_NONE;
}

bool loose_add(struct symfiles *out, const char *path, size_t name_at)
{
	struct symfile f = { .path = path, .name = path + name_at, .kind = kind_of(path) };

	if (f.kind == SYMFILE_ELF) {
		struct elf_file *elf = elf_file_of(reach_open_listed(path), false, NULL);

		if (!elf)
			return false;
		f.id = build_id_make(elf_file_info(elf)->build_id,
				     elf_file_info(elf)->build_id_len);
		elf_file_free(elf);
	}
	if (f.kind == SYMFILE_NONE)
		return false;
	f.filed = symfile_filed(f.name);
	(void)symfiles_add(out, &f);
	return true;
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

/* Put what is in the directory AT on the list, sorted. */
static void list_directory(struct walk *w, const struct place *at)
{
	DIR *dir = opendir(at->path);
	size_t first = w->count;
	struct dirent *d;

	while (dir && (d = readdir(dir))) {
		struct buf path = { 0 };
		bool is_dir;

		if (!strcmp(d->d_name, ".") || !strcmp(d->d_name, ".."))
			continue;
		if (++w->seen > LOOSE_FILES_MAX) {
			w->trouble = "it holds too many files, not all were searched";
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

const char *loose_read(struct symfiles *out, const char *dir)
{
	struct walk w = { 0 };
	size_t name_at = strlen(dir) + 1;
	struct place root = { xstrdup(dir), 0, true };

	list_directory(&w, &root);
	free(root.path);
	for (size_t i = 0; i < w.count; i++) {
		struct place at = w.list[i];

		if (!at.is_dir)
			(void)loose_add(out, at.path, name_at);
		else if (!w.trouble)
			list_directory(&w, &at);
	}
	for (size_t i = 0; i < w.count; i++)
		free(w.list[i].path);
	free(w.list);
	return w.trouble;
}
