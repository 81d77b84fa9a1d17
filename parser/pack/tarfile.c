/* Writing a tar archive. Its format is pax, which knows files with holes (GNU tar takes them, too),
 * and is plain ustar for what needs no more. */
#include "parser/pack/tarfile.h"
#include "parser/base/mem.h"
#include "parser/base/newfile.h"
#include "parser/file/frames.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_SIZE (256u << 10)
#define TAR_BLOCK  512u
#define LARGE	   (4 * FRAME_BYTES) /* members for several threads */

struct tarfile {
	struct archive *a;
	struct frames *frames;
	char *path;
	struct newfile file;
	bool is_file; /* else standard output */
	/* What libarchive writes goes into the frames: else it is there already, or nothing is
	 * wanted any more, as at the end of an archive that failed. */
	bool passes;
	char block[BLOCK_SIZE];
};

static int fail(struct tarfile *t, const char *why, struct warnings *w)
{
	warn_add(w, SEV_FATAL, "pack", "%s: %s", t->path, why ?: "cannot be written");
	return ERR_IO;
}

static int fail_archive(struct tarfile *t, struct warnings *w)
{
	return fail(t, archive_error_string(t->a), w);
}

static la_ssize_t write_frames(struct archive *a, void *ctx, const void *data, size_t len)
{
	struct tarfile *t = ctx;

	int rc;

	if (!t->passes)
		return (la_ssize_t)len;
	t->passes = false; /* should memory run out, this does not return (library/owner.c) */
	rc = frames_add(t->frames, data, len);
	t->passes = true;
	if (rc == 0)
		return (la_ssize_t)len;
	archive_set_error(a, errno, "%s", strerror(errno));
	return -1;
}

int tarfile_open(struct tarfile **out, const char *path, unsigned jobs, struct warnings *w)
{
	struct tarfile *t = xcalloc(1, sizeof(*t));
	int error = 0;

	*out = t;
	t->path = xstrdup(path);
	t->is_file = strcmp(path, "-") != 0;
	if (t->is_file)
		error = newfile_open(&t->file, path);
	if (error) {
		warn_add(w, SEV_FATAL, "pack", "%s: %s%s", path, newfile_failed(&t->file),
			 strerror(error));
		return ERR_IO;
	}
	t->frames = frames_new(t->is_file ? t->file.fd : STDOUT_FILENO, jobs);
	t->a = archive_write_new();
	if (!t->a)
		return fail(t, "libarchive cannot be used", w);
	(void)archive_write_set_bytes_per_block(t->a, 0); /* what is written comes at once */
	if (archive_write_set_format_pax_restricted(t->a) < ARCHIVE_WARN ||
	    archive_write_open(t->a, t, NULL, write_frames, NULL) < ARCHIVE_WARN)
		return fail_archive(t, w);
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
static bool fill(struct tarfile *t, const struct tar_member *m, const struct range *part,
		 size_t *next)
{
	const struct ranges *keep = m->keep;
	size_t len = (size_t)(part->end - part->start);

	if (!keep)
		return m->read(m->ctx, t->block, len, part->start) == (ssize_t)len;
	memset(t->block, 0, len);
	for (; *next < keep->count && keep->list[*next].start < part->end; ++*next) {
		const struct range *k = &keep->list[*next];
		uint64_t from = k->start > part->start ? k->start : part->start;
		uint64_t to = k->end < part->end ? k->end : part->end;
		size_t n = (size_t)(to - from);

		if (m->read(m->ctx, t->block + (from - part->start), n, from) != (ssize_t)n)
			return false;
		if (k->end > part->end)
			break;
	}
	return true;
}

/* ERROR 0: there are fewer bytes than there should be. */
static int cannot_read(const struct tar_member *m, int error, struct warnings *w)
{
	warn_add(w, SEV_FATAL, "pack", "%s: cannot be read: %s", m->name,
		 error ? strerror(error) : "the file became shorter");
	return ERR_IO;
}

/* What several threads read, and the errno of one that could not. */
struct reading {
	const struct tar_member *member;
	int error;
};

static ssize_t read_noting(void *ctx, void *buf, size_t len, uint64_t offset)
{
	struct reading *r = ctx;
	ssize_t n = r->member->read(r->member->ctx, buf, len, offset);

	if (n < 0)
		__atomic_store_n(&r->error, errno, __ATOMIC_RELAXED);
	return n;
}

/* The whole member at once, by several threads. libarchive only counts its bytes then. */
static int take(struct tarfile *t, const struct tar_member *m, struct warnings *w)
{
	struct reading reading = { m, 0 };
	struct frames_input in = { m->size_bytes, read_noting, &reading };
	int rc;

	t->passes = false;
	rc = frames_take(t->frames, &in);
	return rc == 0		  ? 0
	       : rc == ERR_FORMAT ? cannot_read(m, reading.error, w)
				  : fail(t, strerror(errno), w);
}

static int add_contents(struct tarfile *t, const struct tar_member *m, struct warnings *w)
{
	struct range part = { 0, 0 };
	size_t next = 0;

	for (; part.start < m->size_bytes; part.start = part.end) {
		uint64_t left = m->size_bytes - part.start;

		part.end = part.start + (left < BLOCK_SIZE ? left : BLOCK_SIZE);
		errno = 0;
		if (t->passes && !fill(t, m, &part, &next))
			return cannot_read(m, errno, w);
		if (archive_write_data(t->a, t->block, (size_t)(part.end - part.start)) !=
		    (la_ssize_t)(part.end - part.start))
			return fail_archive(t, w);
	}
	return 0;
}

static int add_entry(struct tarfile *t, struct archive_entry *e, const struct tar_member *m,
		     struct warnings *w)
{
	int rc;

	t->passes = true;
	if (archive_write_header(t->a, e) < ARCHIVE_WARN)
		return fail_archive(t, w);
	rc = m->keep || m->size_bytes < LARGE ? 0 : take(t, m, w);
	if (rc == 0)
		rc = add_contents(t, m, w);
	t->passes = true;
	if (rc == 0 && archive_write_finish_entry(t->a) < ARCHIVE_WARN)
		rc = fail_archive(t, w);
	return rc;
}

int tarfile_add(struct tarfile *t, const struct tar_member *m, struct warnings *w)
{
	struct archive_entry *e = entry_of(m);
	int rc = add_entry(t, e, m, w);

	t->passes = false;
	archive_entry_free(e);
	return rc;
}

static int finish(struct tarfile *t, struct warnings *w)
{
	int rc;

	t->passes = true;
	rc = archive_write_close(t->a);
	t->passes = false;
	if (rc < ARCHIVE_WARN)
		return fail_archive(t, w);
	if (frames_end(t->frames) < 0)
		return fail(t, strerror(errno), w);
	return 0;
}

int tarfile_close(struct tarfile *t, bool failed, struct warnings *w)
{
	int rc = failed ? 0 : finish(t, w), error;

	archive_write_free(t->a);
	frames_free(t->frames);
	if (t->is_file && (failed || rc < 0)) {
		newfile_discard(&t->file);
	} else if (t->is_file) {
		error = newfile_commit(&t->file);
		rc = error ? fail(t, strerror(error), w) : 0;
	}
	free(t->path);
	free(t);
	return rc;
}

ssize_t tar_read_memory(void *ctx, void *buf, size_t len, uint64_t offset)
{
	memcpy(buf, (const char *)ctx + offset, len);
	return (ssize_t)len;
}
