/* Reading a tar or ZIP archive of symbol files, by libarchive.
 *
 * Everything in it is a claim: names are only compared, never opened; sizes only say when to stop.
 * All bytes that come out of the decompressor count, those of unneeded members too, so
 * that a small file cannot keep us busy for long. One filter is chosen by the magic number, instead
 * of letting libarchive stack them as the file asks for. */
#include "parser/names/sources/archive.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/base/tempfile.h"
#include "parser/names/elf/elffile.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_SIZE   (64u << 10)
#define NAME_MAX_LEN 4096
#define DEPTH_MAX    1 /* archives in archives */
#define TAR_MAGIC_AT 257

static const struct {
	const char *magic;
	int filter;
	unsigned len;
} filters[] = {
	{ "BZh", ARCHIVE_FILTER_BZIP2, 3 },
	{ "\x1f\x8b", ARCHIVE_FILTER_GZIP, 2 },
	{ "\xfd\x37zXZ", ARCHIVE_FILTER_XZ, 5 },
	{ "\x28\xb5\x2f\xfd", ARCHIVE_FILTER_ZSTD, 4 },
};

struct reading {
	struct symfiles *out;
	struct spool *spool;
	const char *shown; /* what the names of members begin with */
	uint64_t left;	   /* bytes that may still come out of it */
	size_t entries;
	char *trouble; /* NULL: none */
	int fd, error; /* an errno, of reading it */
};

/* The contents of the member at hand: pieces, between which are holes. */
struct member {
	const char *data; /* of the next piece, COUNT bytes */
	size_t count;
	uint64_t data_at; /* where it begins, or where the member ends */
	uint64_t at;	  /* what comes next */
	uint64_t size;	  /* of all, as it claims; 0: it is not told */
	bool ended;
};

/* One archive, and what it lies in. */
struct layer {
	struct reading *r;
	struct archive *a;
	unsigned depth;
	bool packed; /* by a filter; else what is not wanted need not be read */
	struct layer *outer;
	size_t head_size; /* of an inner archive: how much of it is in the outer block already */
	struct member member;
	char block[BLOCK_SIZE];
	char input[BLOCK_SIZE]; /* of the outermost one: what was read of the file */
};

static void give_up(struct reading *r, const char *why)
{
	if (!r->trouble)
		r->trouble = xstrdup(why);
}

/* What libarchive makes of a read that failed need not tell that it did. */
static void give_up_reading(struct reading *r, const char *why)
{
	give_up(r, r->error ? strerror(r->error) : why);
}

/* ARCHIVE_FILTER_NONE, also for what is no archive. */
static int filter_of(const void *head, size_t size)
{
	for (size_t i = 0; i < ARRAY_SIZE(filters); i++) {
		if (size > filters[i].len && !memcmp(head, filters[i].magic, filters[i].len))
			return filters[i].filter;
	}
	return ARCHIVE_FILTER_NONE;
}

static bool is_zip(const void *head, size_t size)
{
	return size >= 4 && !memcmp(head, "PK\3\4", 4);
}

bool archive_is(const void *head, size_t size)
{
	return filter_of(head, size) != ARCHIVE_FILTER_NONE || is_zip(head, size) ||
	       (size >= TAR_MAGIC_AT + 5 && !memcmp((const char *)head + TAR_MAGIC_AT, "ustar", 5));
}

/* ---- members ---- */

static bool spend(struct reading *r, uint64_t bytes)
{
	if (bytes > r->left) {
		give_up(r, "it becomes too large");
		return false;
	}
	r->left -= bytes;
	return true;
}

/* Get the next piece. False: nothing more may be read. */
static bool fetch(struct layer *l)
{
	struct member *m = &l->member;
	const void *data = NULL;
	la_int64_t at = 0;
	int rc;

	if (l->r->trouble)
		return false;
	if (m->count || m->ended || m->at < m->data_at)
		return true;
	rc = archive_read_data_block(l->a, &data, &m->count, &at);
	m->ended = rc == ARCHIVE_EOF;
	if (m->ended) {
		m->count = 0;
		at = (la_int64_t)(m->size > m->at ? m->size : m->at);
	}
	if ((rc < ARCHIVE_WARN && !m->ended) || at < 0 || (uint64_t)at < m->at) {
		give_up_reading(l->r, "damaged, or cut");
		return false;
	}
	m->data = data;
	m->data_at = (uint64_t)at;
	return spend(l->r, m->count);
}

/* The bytes of the hole that comes next, which are passed. */
static uint64_t pass_hole(struct layer *l)
{
	struct member *m = &l->member;
	uint64_t hole = fetch(l) ? m->data_at - m->at : 0;

	m->at += hole;
	return hole;
}

/* The next bytes of the current member: how many, 0 at its end or when nothing more may be read.
 * Of holes come zeros, which count. */
static size_t next_bytes(struct layer *l, void *to, size_t room)
{
	struct member *m = &l->member;
	uint64_t hole;
	size_t n;

	/* a piece may be empty */
	while (fetch(l) && !m->count && m->at == m->data_at && !m->ended)
		;
	if (l->r->trouble)
		return 0;
	hole = m->data_at - m->at;
	n = hole ? (hole < room ? (size_t)hole : room) : (m->count < room ? m->count : room);
	if (hole && !spend(l->r, n))
		return 0;
	if (hole)
		memset(to, 0, n);
	else if (n)
		memcpy(to, m->data, n);
	if (!hole && n) {
		m->data += n;
		m->count -= n;
		m->data_at += n;
	}
	m->at += n;
	return n;
}

/* The first bytes of the member, as many as there are up to a block. */
static size_t first_bytes(struct layer *l)
{
	size_t have = 0, n;

	while (have < BLOCK_SIZE && (n = next_bytes(l, l->block + have, BLOCK_SIZE - have)))
		have += n;
	return have;
}

/* A member that is not needed: libarchive would skip any amount of it without a bound. */
static void pass(struct layer *l)
{
	if (!l->packed && archive_read_data_skip(l->a) < ARCHIVE_WARN)
		give_up_reading(l->r, "damaged, or cut");
	while (l->packed && (pass_hole(l) || next_bytes(l, l->block, sizeof(l->block))))
		;
}

/* By errno. */
static void give_up_spooling(struct reading *r)
{
	struct buf why = { 0 };

	buf_printf(&why, "its files " TEMP_FAILED, strerror(errno));
	give_up(r, why.data);
	buf_release(&why);
}

/* The member's bytes, of which HAVE are in the block, as a piece of the spool. */
static bool keep_bytes(struct layer *l, size_t have, struct symfile *f)
{
	struct reading *r = l->r;
	int rc = spool_begin(r->spool, &f->offset);
	uint64_t hole = 0;

	while (rc == 0 && (have || hole)) {
		rc = have ? spool_write(r->spool, l->block, have) : spool_hole(r->spool, hole);
		f->size_bytes += have + (size_t)hole;
		hole = rc == 0 ? pass_hole(l) : 0;
		have = rc == 0 && !hole ? next_bytes(l, l->block, sizeof(l->block)) : 0;
	}
	if (rc == 0 && !r->trouble)
		return true;
	if (rc == ERR_IO)
		give_up_spooling(r);
	else if (rc < 0)
		give_up(r, "it is too large");
	if (f->size_bytes)
		spool_cut(r->spool, f->offset);
	return false;
}

/* NAME without what only says that it is relative. */
static const char *clean_name(const char *name)
{
	for (;;) {
		if (name[0] == '/')
			name++;
		else if (name[0] == '.' && name[1] == '/')
			name += 2;
		else
			return name;
	}
}

static void shown_path(const struct reading *r, const char *name, struct buf *out)
{
	buf_printf(out, "%s:%s", r->shown, name);
}

static void add_member(struct reading *r, struct symfile *f)
{
	struct buf path = { 0 };
	struct elf_file *elf;
	int err;

	if (f->kind == SYMFILE_ELF) {
		errno = 0;
		elf = elf_file_map(r->spool->fd, f->offset, f->size_bytes, &err);
		if (!elf && err == ERR_IO && errno)
			give_up(r, strerror(errno));
		if (!elf) {
			spool_cut(r->spool, f->offset);
			return;
		}
		f->id = build_id_make(elf_file_info(elf)->build_id,
				      elf_file_info(elf)->build_id_len);
		elf_file_free(elf);
	}
	f->filed = symfile_filed(f->name);
	f->is_member = true;
	shown_path(r, f->name, &path);
	f->path = path.data;
	(void)symfiles_add(r->out, f);
	buf_release(&path);
}

/* A second name of a member that came before. */
static void add_link(struct reading *r, const char *name, const char *target)
{
	const struct symfile *old;
	struct buf path = { 0 };
	struct symfile f;

	shown_path(r, clean_name(target), &path);
	old = symfiles_find(r->out, path.data);
	if (old) {
		f = *old;
		f.name = name;
		f.filed = symfile_filed(name);
		path.len = 0;
		shown_path(r, name, &path);
		f.path = path.data;
		(void)symfiles_add(r->out, &f);
	}
	buf_release(&path);
}

/* ---- archives ---- */

static void read_inner(struct layer *outer, size_t have);

/* Other things are packed, too, and no archives. */
static bool is_inner(const struct layer *l, const char *name, size_t have)
{
	const char *base = symfile_base(name), *dot = strrchr(base, '.');

	return l->depth < DEPTH_MAX && archive_is(l->block, have) && !is_zip(l->block, have) &&
	       (strstr(base, ".tar") || (dot && dot[1] == 't'));
}

static void take_entry(struct layer *l, struct archive_entry *e)
{
	const char *name = archive_entry_pathname(e);
	const char *target = archive_entry_hardlink(e);
	struct symfile f = { 0 };
	size_t have;

	if (!name || strlen(name) > NAME_MAX_LEN)
		return;
	f.name = clean_name(name);
	if (target)
		add_link(l->r, f.name, target);
	if (target || archive_entry_filetype(e) != AE_IFREG || !*f.name)
		return;
	l->member = (struct member){ .size = (uint64_t)archive_entry_size(e) };
	have = first_bytes(l);
	f.kind = symfile_kind(f.name, l->block, have);
	if (f.kind != SYMFILE_NONE && have && keep_bytes(l, have, &f))
		add_member(l->r, &f);
	else if (f.kind == SYMFILE_NONE && is_inner(l, f.name, have))
		read_inner(l, have);
}

static void read_entries(struct layer *l)
{
	struct reading *r = l->r;
	struct archive_entry *e;
	int rc = ARCHIVE_OK;

	while (!r->trouble) {
		rc = archive_read_next_header(l->a, &e);
		if (rc == ARCHIVE_EOF || rc < ARCHIVE_WARN)
			break;
		if (++r->entries > ARCHIVE_ENTRIES_MAX) {
			give_up(r, "it has too many members");
			return;
		}
		take_entry(l, e);
		pass(l);
	}
	if (rc < ARCHIVE_WARN)
		give_up_reading(r, "damaged, or cut");
}

/* ARCHIVE_OK or worse. */
static int choose_reader(struct archive *a, int filter, bool zip)
{
	int rc = ARCHIVE_OK;

	if (filter != ARCHIVE_FILTER_NONE)
		rc = archive_read_append_filter(a, filter);
	if (rc >= ARCHIVE_OK && zip)
		return archive_read_support_format_zip_seekable(a);
	return rc < ARCHIVE_OK ? rc : archive_read_support_format_tar(a);
}

static la_ssize_t read_outer(struct archive *a, void *ctx, const void **data)
{
	struct layer *l = ctx;
	size_t n = l->head_size;

	(void)a;
	*data = l->outer->block;
	if (n)
		l->head_size = 0;
	else
		n = next_bytes(l->outer, l->outer->block, sizeof(l->outer->block));
	return l->r->trouble ? ARCHIVE_FATAL : (la_ssize_t)n;
}

static void read_inner(struct layer *outer, size_t have)
{
	struct layer *l = xcalloc(1, sizeof(*l));
	int filter = filter_of(outer->block, have);

	l->r = outer->r;
	l->a = archive_read_new();
	l->depth = outer->depth + 1;
	l->packed = true;
	l->head_size = have;
	l->outer = outer;
	if (choose_reader(l->a, filter, false) < ARCHIVE_OK ||
	    archive_read_open(l->a, l, NULL, read_outer, NULL) < ARCHIVE_WARN)
		give_up_reading(l->r, "the archive within it cannot be read");
	else
		read_entries(l);
	archive_read_free(l->a);
	free(l);
}

static la_ssize_t read_file(struct archive *a, void *ctx, const void **data)
{
	struct layer *l = ctx;
	ssize_t n;

	(void)a;
	do {
		n = read(l->r->fd, l->input, sizeof(l->input));
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		l->r->error = errno;
	*data = l->input;
	return n < 0 ? ARCHIVE_FATAL : n;
}

static la_int64_t seek_file(struct archive *a, void *ctx, la_int64_t offset, int whence)
{
	struct layer *l = ctx;
	off_t at = lseek(l->r->fd, offset, whence);

	(void)a;
	if (at < 0)
		l->r->error = errno;
	return at < 0 ? ARCHIVE_FATAL : at;
}

static void read_outermost(struct reading *r)
{
	struct layer *l = xcalloc(1, sizeof(*l));
	ssize_t n = pread(r->fd, l->block, sizeof(l->block), 0);
	int filter = filter_of(l->block, n > 0 ? (size_t)n : 0);

	if (n < 0)
		give_up(r, strerror(errno));
	l->r = r;
	l->packed = filter != ARCHIVE_FILTER_NONE;
	l->a = archive_read_new();
	if (!l->a)
		give_up(r, "libarchive.so.13 cannot be loaded, without which no archive is read");
	else if (choose_reader(l->a, filter, is_zip(l->block, n > 0 ? (size_t)n : 0)) <
			 ARCHIVE_OK ||
		 archive_read_set_seek_callback(l->a, seek_file) < ARCHIVE_OK ||
		 archive_read_open(l->a, l, NULL, read_file, NULL) < ARCHIVE_WARN)
		give_up_reading(r, "not an archive that can be read");
	else
		read_entries(l);
	archive_read_free(l->a);
	free(l);
}

void archive_library(void)
{
	archive_read_free(NULL); /* as the first of its functions that is called */
}

char *archive_read(struct symfiles *out, struct spool *spool, const char *path, int open_fd)
{
	struct reading r = { .out = out, .spool = spool, .shown = path };
	int fd = open_fd < 0 ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
			     : fcntl(open_fd, F_DUPFD_CLOEXEC, 0);
	struct stat st;

	if (fd < 0)
		return xstrdup(strerror(errno));
	if (fstat(fd, &st) < 0 || (open_fd >= 0 && lseek(fd, 0, SEEK_SET) < 0)) {
		give_up(&r, strerror(errno));
	} else if (!S_ISREG(st.st_mode)) {
		give_up(&r, "not a regular file");
	} else {
		r.left = ARCHIVE_FREE + (uint64_t)st.st_size * ARCHIVE_RATIO;
		r.fd = fd;
		read_outermost(&r);
	}
	close(fd);
	return r.trouble;
}
