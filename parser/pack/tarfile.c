/* Writing a tar archive. Its format is pax, which knows files with holes (GNU tar takes them, too),
 * and is plain ustar for what needs no more. */
#include "parser/pack/tarfile.h"
#include "parser/base/mem.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_SIZE (256u << 10)
#define TAR_BLOCK  512u

struct tarfile {
	struct archive *a;
	char *path;
	char block[BLOCK_SIZE];
};

static int fail(struct tarfile *t, struct warnings *w)
{
	warn_add(w, SEV_FATAL, "pack", "%s: %s", t->path,
		 (t->a ? archive_error_string(t->a) : NULL) ?: "cannot be written");
	return ERR_IO;
}

int tarfile_open(struct tarfile **out, const char *path, struct warnings *w)
{
	struct tarfile *t = xcalloc(1, sizeof(*t));

	*out = t;
	t->path = xstrdup(path);
	t->a = archive_write_new();
	(void)archive_write_set_bytes_in_last_block(t->a, 1); /* a pipe would get more zeros */
	if (archive_write_set_format_pax_restricted(t->a) < ARCHIVE_WARN ||
	    archive_write_add_filter_zstd(t->a) < ARCHIVE_WARN ||
	    archive_write_set_filter_option(t->a, "zstd", "compression-level", "1") <
		    ARCHIVE_WARN ||
	    (strcmp(path, "-") ? archive_write_open_filename(t->a, path)
			       : archive_write_open_fd(t->a, STDOUT_FILENO)) < ARCHIVE_WARN)
		return fail(t, w);
	return 0;
}

/* Tell E where M has holes: between whole blocks, as GNU tar takes no part of a block but at the
 * end of the file. What else is not kept is zeros. */
static void set_holes(struct archive_entry *e, const struct tar_member *m)
{
	const struct ranges *keep = m->keep;

	for (size_t i = 0; i < keep->count;) {
		uint64_t start = keep->list[i].start / TAR_BLOCK * TAR_BLOCK, end;

		do
			end = (keep->list[i].end + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK;
		while (++i < keep->count && keep->list[i].start <= end);
		end = end < m->size_bytes ? end : m->size_bytes;
		archive_entry_sparse_add_entry(e, (int64_t)start, (int64_t)(end - start));
	}
}

static struct archive_entry *entry_of(const struct tar_member *m)
{
	struct archive_entry *e = archive_entry_new();

	archive_entry_set_pathname(e, m->name);
	archive_entry_set_size(e, (int64_t)m->size_bytes);
	archive_entry_set_filetype(e, AE_IFREG);
	archive_entry_set_perm(e, 0644);
	archive_entry_set_mtime(e, (time_t)m->mtime, 0);
	if (m->keep)
		set_holes(e, m);
	return e;
}

/* The next LEN bytes of M from AT on; what is not kept is zero. */
static ssize_t fill(struct tarfile *t, const struct tar_member *m, uint64_t at, size_t *next)
{
	size_t len = m->size_bytes - at < BLOCK_SIZE ? (size_t)(m->size_bytes - at) : BLOCK_SIZE;
	const struct range *r;

	if (!m->keep)
		return m->read(m->ctx, t->block, len, at);
	memset(t->block, 0, len);
	for (; *next < m->keep->count; ++*next) {
		uint64_t from, to;
		ssize_t n;

		r = &m->keep->list[*next];
		from = r->start > at ? r->start : at;
		to = r->end < at + len ? r->end : at + len;
		if (from >= at + len)
			break;
		n = m->read(m->ctx, t->block + (from - at), (size_t)(to - from), from);
		if (n < 0)
			return n;
		if (r->end > at + len)
			break;
	}
	return (ssize_t)len;
}

int tarfile_add(struct tarfile *t, const struct tar_member *m, struct warnings *w)
{
	struct archive_entry *e = entry_of(m);
	int rc = archive_write_header(t->a, e);
	size_t next = 0;
	ssize_t n;

	archive_entry_free(e);
	for (uint64_t at = 0; rc >= ARCHIVE_WARN && at < m->size_bytes; at += (uint64_t)n) {
		n = fill(t, m, at, &next);
		if (n <= 0) {
			warn_add(w, SEV_FATAL, "pack", "%s: offset %" PRIu64 ": cannot be read",
				 m->name, at);
			return ERR_IO;
		}
		if (archive_write_data(t->a, t->block, (size_t)n) != n)
			rc = ARCHIVE_FATAL;
	}
	if (rc < ARCHIVE_WARN || archive_write_finish_entry(t->a) < ARCHIVE_WARN)
		return fail(t, w);
	return 0;
}

int tarfile_close(struct tarfile *t, bool failed, struct warnings *w)
{
	struct stat st;
	int rc = 0;

	if (!failed && archive_write_close(t->a) < ARCHIVE_WARN) {
		rc = fail(t, w);
		failed = true;
	}
	if (failed && stat(t->path, &st) == 0 && S_ISREG(st.st_mode))
		unlink(t->path);
	archive_write_free(t->a);
	free(t->path);
	free(t);
	return rc;
}

ssize_t tar_read_memory(void *ctx, void *buf, size_t len, uint64_t offset)
{
	memcpy(buf, (const char *)ctx + offset, len);
	return (ssize_t)len;
}
