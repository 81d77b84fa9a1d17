/* Reads a source file once, splits it into lines and keeps them. Opens regular files of a
 * bounded size only. */
#include "parser/names/dwarf/srctext.h"
#include "parser/base/buf.h"
#include "parser/base/intern.h"
#include "parser/base/mem.h"
#include "parser/names/reach.h"
#include "parser/names/trust.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct source_file {
	char *text;   /* lines end in NUL; NULL: not there, or not readable */
	char **lines; /* count of them */
	size_t count, cap;
};

struct srctext {
	struct reach *reach;
	const char *root; /* "" for this host; NULL: nothing may be read */
	size_t strip;	  /* directories of a path that are not below it */
	struct intern paths;
	struct source_file *files; /* by path */
	size_t cap;
	size_t size_bytes; /* of all texts */
};

struct srctext *srctext_new(const struct symbol_options *o)
{
	struct srctext *s = xcalloc(1, sizeof(*s));

	s->reach = o->reach;
	s->strip = o->source_prefix ? o->source_strip : 0;
	s->root = o->source_prefix ?: o->symfs ?: trust_host(o, false) ? "" : NULL;
	intern_init(&s->paths);
	return s;
}

void srctext_free(struct srctext *s)
{
	for (size_t i = 0; s && i < s->paths.count; i++) {
		free(s->files[i].text);
		free(s->files[i].lines);
	}
	if (s) {
		intern_release(&s->paths);
		free(s->files);
	}
	free(s);
}

/* PATH without directories, as objdump does it: the name of the file stays. */
static const char *stripped(const struct srctext *s, const char *path)
{
	const char *next;

	for (size_t i = 0; i < s->strip && (next = strchr(path + 1, '/')); i++)
		path = next;
	return path;
}

/* PATH below the root, its "." and ".." taken as text: "a/../b" is "b", and nothing is above "/".
 */
static void place(const struct srctext *s, const char *path, struct buf *out)
{
	size_t root;

	buf_str(out, s->root);
	root = out->len;
	while (*path) {
		size_t n = strcspn(path, "/");

		if (n == 2 && !memcmp(path, "..", 2)) {
			while (out->len > root && out->data[--out->len] != '/')
				;
		} else if (n && !(n == 1 && *path == '.')) {
			buf_char(out, '/');
			buf_add(out, path, n);
		}
		path += n + (path[n] == '/');
	}
	buf_char(out, '\0');
}

/* What there is of it; *ERROR: an errno, where that is not all. */
static size_t read_text(int fd, char *to, size_t size, int *error)
{
	size_t have = 0;

	*error = 0;
	while (have < size) {
		ssize_t n = read(fd, to + have, size - have);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			*error = errno;
		if (n <= 0)
			break;
		have += (size_t)n;
	}
	return have;
}

static void load(struct srctext *s, struct source_file *f, const char *path)
{
	int fd = reach_open(s->reach, path, REACH_TEXT), error = 0;
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st)) {
		error = errno;
	} else if (st.st_size > SOURCE_FILE_MAX) {
		reach_limit(s->reach, path, "a source file of more than 8 MiB is not shown");
	} else if (s->size_bytes + (size_t)st.st_size > SOURCE_TOTAL_MAX) {
		reach_limit(s->reach, path,
			    "past 16 MiB of source files, which are shown, it is not");
	} else {
		size_t size;

		f->text = xmalloc((size_t)st.st_size + 1);
		size = read_text(fd, f->text, (size_t)st.st_size, &error);
		f->text[size] = '\0';
		s->size_bytes += size;
	}
	reach_fault(s->reach, path, error);
	close(fd);
}

static void split(struct source_file *f)
{
	for (char *at = f->text, *end; at; at = end) {
		end = strchr(at, '\n');
		if (end)
			*end++ = '\0';
		f->lines = xgrow(f->lines, &f->cap, f->count + 1, sizeof(*f->lines));
		f->lines[f->count++] = at;
	}
}

/* Each file is tried once. */
static const struct source_file *find(struct srctext *s, const char *path)
{
	size_t before = s->paths.count;
	uint32_t id = intern_add(&s->paths, path, strlen(path));
	struct buf at = { 0 };

	if (s->paths.count == before)
		return &s->files[id];
	s->files = xgrow(s->files, &s->cap, s->paths.count, sizeof(*s->files));
	s->files[id] = (struct source_file){ 0 };
	place(s, stripped(s, path), &at);
	load(s, &s->files[id], at.data);
	split(&s->files[id]);
	buf_release(&at);
	return &s->files[id];
}

const char *srctext_line(struct srctext *s, const char *path, uint32_t line)
{
	const struct source_file *f;

	if (!s->root || path[0] != '/' || !line)
		return NULL;
	f = find(s, path);
	return line <= f->count ? f->lines[line - 1] : NULL;
}
