/* Bytes from a file, a pipe or a compressed stream. */
#include "parser/file/source.h"
#include "parser/base/mem.h"
#include "parser/base/tempfile.h"
#include "parser/file/outer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define PEEK_MAX  4096
#define SPOOL_BUF (1 << 18)

/* A few kilobytes of compressed input become gigabytes of one byte, which no recorder writes. */
#define SAME_MAX (256u << 20)
/* What the temporary file leaves free of its file system: a 20th, but no more than this. */
#define SPOOL_FREE (1ull << 30)
#define SPOOL_STEP (16u << 20) /* bytes between two looks at what is free */

struct source {
	char *path;
	int fd;
	bool seekable;
	uint64_t size;
	uint64_t pos;	/* reading position, in decompressed bytes */
	uint64_t taken; /* that of the descriptor: bytes as they are in the file */
	int64_t mtime;
	dev_t dev;
	ino_t ino;
	bool is_stdin;
	void *map;		 /* of all bytes, or NULL */
	struct outer *outer;	 /* not NULL while a compressed input is decompressed */
	const char *compression;
	int error;	   /* errno of the first read that failed, 0: none did */
	uint64_t error_at; /* the place in the file that was to be read */
	bool broken;	   /* the compressed stream ended in an error: what came before is used */
	uint64_t same;	   /* decompressed bytes up to here that are all alike */
	uint64_t left;	   /* bytes to the end of the capture; UINT64_MAX: what comes is its own */
	int rest;	   /* what follows the capture in a pack; -1: it is none */
	int *parts;	   /* its other files, where it is a directory */
	unsigned part_count;
	size_t held;  /* bytes of peek[] not yet read */
	size_t start; /* where they begin */
	size_t packed; /* before anything is decompressed: bytes of peek[], from its start on */
	uint8_t peek[PEEK_MAX];
};

/* The first one counts. Names are read by several threads. */
static int note_error(struct source *s, int error, uint64_t at)
{
	int none = 0;

	if (__atomic_compare_exchange_n(&s->error, &none, error, false, __ATOMIC_RELAXED,
					__ATOMIC_RELAXED))
		s->error_at = at;
	return ERR_IO;
}

int source_failed(const struct source *s, struct warnings *w)
{
	if (!s->error)
		return 0;
	warn_add(w, SEV_FATAL, "read", "%s: offset %llu: %s", s->path,
		 (unsigned long long)s->error_at, strerror(s->error));
	return ERR_IO;
}

static ssize_t read_fd(struct source *s, void *buf, size_t len)
{
	size_t got = 0;

	while (got < len) {
		ssize_t n = read(s->fd, (char *)buf + got, len - got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return note_error(s, errno, s->taken);
		s->taken += (uint64_t)n;
		if (n == 0)
			break;
		got += (size_t)n;
	}
	return (ssize_t)got;
}

static void give_up_stream(struct source *s, struct warnings *w, size_t got, const char *why)
{
	s->broken = true;
	warn_add(w, SEV_WARN, "compressed-input", "%s: %s stream is damaged after %llu bytes: %s",
		 s->path, s->compression, (unsigned long long)(s->pos + got), why);
}

/* N bytes were decompressed to BUF. */
static bool is_endless(struct source *s, const char *buf, size_t n)
{
	s->same = !memcmp(buf, buf + 1, n - 1) ? s->same + n : 0;
	return s->same > SAME_MAX;
}

static ssize_t read_outer(struct source *s, void *buf, size_t len, struct warnings *w)
{
	size_t got = 0;
	const char *why;

	while (got < len && !s->broken) {
		ssize_t n = outer_read(s->outer, (char *)buf + got, len - got, &why);

		if (n == 0)
			break;
		if (n < 0 && s->error) {
			s->broken = true;
			return ERR_IO;
		}
		if (n < 0) {
			give_up_stream(s, w, got, why);
			break;
		}
		if (is_endless(s, (const char *)buf + got, (size_t)n))
			give_up_stream(s, w, got, "the same byte is repeated without end");
		got += (size_t)n;
	}
	return (ssize_t)got;
}

ssize_t source_read(struct source *s, void *buf, size_t len, struct warnings *w)
{
	size_t n;
	ssize_t more = 0;

	len = len < s->left ? len : (size_t)s->left;
	n = s->held < len ? s->held : len;

	memcpy(buf, s->peek + s->start, n);
	s->held -= n;
	s->start += n;
	if (n < len) {
		more = s->outer ? read_outer(s, (char *)buf + n, len - n, w)
				  : read_fd(s, (char *)buf + n, len - n);
	}
	if (source_failed(s, w) < 0)
		return ERR_IO;
	s->pos += n + (size_t)more;
	if (s->left != UINT64_MAX)
		s->left -= n + (size_t)more;
	return (ssize_t)n + more;
}

ssize_t source_pread(struct source *s, void *buf, size_t len, uint64_t offset)
{
	size_t got = 0;

	if (!s->seekable)
		return ERR_USAGE;
	while (got < len) {
		ssize_t n = pread(s->fd, (char *)buf + got, len - got, (off_t)(offset + got));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return note_error(s, errno, offset + got);
		if (n == 0)
			break;
		got += (size_t)n;
	}
	return (ssize_t)got;
}

size_t source_peek(struct source *s, void *buf, size_t len)
{
	struct warnings ignored = { 0 };

	if (len > PEEK_MAX)
		len = PEEK_MAX;
	if (s->held < len) {
		ssize_t n;

		memmove(s->peek, s->peek + s->start, s->held);
		s->start = 0;
		n = s->outer ? read_outer(s, s->peek + s->held, len - s->held, &ignored)
			       : read_fd(s, s->peek + s->held, len - s->held);
		s->held += n > 0 ? (size_t)n : 0;
		warnings_release(&ignored);
	}
	if (s->held < len)
		len = s->held;
	memcpy(buf, s->peek + s->start, len);
	return len;
}

void source_seek(struct source *s, uint64_t offset)
{
	s->held = 0;
	s->pos = s->taken = offset;
	if (lseek(s->fd, (off_t)offset, SEEK_SET) < 0)
		note_error(s, errno, offset);
}

/* A file in DIR that has no name (any more). */
static int temporary(const char *dir)
{
	struct buf path = { 0 };
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0) /* not every file system knows how */
		return fd;
	buf_printf(&path, "%s/pdtool-XXXXXX", dir);
	fd = mkostemp(path.data, O_CLOEXEC);
	if (fd >= 0)
		unlink(path.data);
	buf_release(&path);
	return fd;
}

/* Is the file system of FD so full that others would miss the room? */
static bool is_nearly_full(int fd)
{
	struct statvfs st;
	uint64_t keep;

	if (fstatvfs(fd, &st) < 0 || !st.f_blocks)
		return false;
	keep = (uint64_t)st.f_blocks * st.f_frsize / 20;
	return (uint64_t)st.f_bavail * st.f_frsize < (keep < SPOOL_FREE ? keep : SPOOL_FREE);
}

/* Why the copy failed, or NULL; *TOTAL: its bytes. */
static const char *spool_to(struct source *s, int fd, uint64_t *total, struct warnings *w)
{
	char *buf = xmalloc(SPOOL_BUF);
	const char *why = NULL;
	uint64_t look = 4 * SPOOL_STEP;
	ssize_t n;

	while (!why && (n = source_read(s, buf, SPOOL_BUF, w)) != 0) {
		ssize_t done = n > 0 ? write(fd, buf, (size_t)n) : n;

		if (n < 0 || done < 0)
			why = n < 0 ? "it cannot be read" : strerror(errno);
		else if (done != n)
			why = "no space left";
		*total += (uint64_t)(done > 0 ? done : 0);
		if (!why && *total >= look && is_nearly_full(fd))
			why = "too little space would be left";
		if (*total >= look)
			look = *total + SPOOL_STEP;
	}
	free(buf);
	return why;
}

/* A temporary file with what is left of S. */
static int spool_left(struct source *s, uint64_t *total, struct warnings *w)
{
	const char *dir = getenv("TMPDIR") ?: "/tmp";
	int fd = temporary(dir);
	const char *why = NULL;

	*total = 0;
	if (fd < 0) {
		warn_add(w, SEV_FATAL, "spool", "%s: cannot make a temporary file in %s: %s",
			 s->path, dir, strerror(errno));
		return ERR_IO;
	}
	why = spool_to(s, fd, total, w);
	if (why) {
		warn_add(w, SEV_FATAL, "spool",
			 "%s: cannot copy it to %s: %s (TMPDIR names another directory)", s->path,
			 dir, why);
		close(fd);
		return ERR_IO;
	}
	return fd;
}

/* Read from FD, with TOTAL bytes, from now on. */
static void read_spooled(struct source *s, int fd, uint64_t total)
{
	outer_free(s->outer);
	s->outer = NULL;
	close(s->fd);
	s->fd = fd;
	s->seekable = true;
	s->size = total;
	s->left = UINT64_MAX;
	source_seek(s, 0);
}

int source_spool(struct source *s, struct warnings *w)
{
	uint64_t total;
	int fd = spool_left(s, &total, w);

	if (fd < 0)
		return fd;
	read_spooled(s, fd, total);
	return 0;
}

/* Compressed bytes: those that told what it is, then what is behind them. */
static ssize_t read_packed(void *ctx, void *buf, size_t len)
{
	struct source *s = ctx;
	size_t n = s->packed;

	if (!n)
		return read_fd(s, buf, len);
	memcpy(buf, s->peek, n); /* fewer than any buffer has room for */
	s->packed = 0;
	return (ssize_t)n;
}

/* Why not; NULL: the first bytes are in peek[]. One layer is taken off. */
static const char *begin_outer(struct source *s)
{
	const char *error = NULL;
	ssize_t n = 1;

	while (s->held < OUTER_MAGIC && n > 0) {
		n = outer_read(s->outer, s->peek + s->held, OUTER_MAGIC - s->held, &error);
		s->held += n > 0 ? (size_t)n : 0;
	}
	if (n < 0 && !s->held)
		return error;
	return outer_name(s->peek, s->held) ? "it is compressed more than once" : NULL;
}

static int open_outer(struct source *s, struct warnings *w)
{
	struct buf why = { 0 };
	int rc = 0;

	s->packed = s->held;
	s->held = 0;
	s->outer = outer_open(s->compression, read_packed, s, &why);
	s->seekable = false;
	s->size = UINT64_MAX;
	if (s->outer)
		buf_str(&why, begin_outer(s) ?: "");
	if (source_failed(s, w) < 0) {
		rc = ERR_IO;
	} else if (why.len) {
		warn_add(w, SEV_FATAL, "compressed-input", "%s: cannot read %s data: %s", s->path,
			 s->compression, why.data);
		rc = ERR_FORMAT;
	}
	buf_release(&why);
	return rc;
}

static int detect_compression(struct source *s, struct warnings *w)
{
	uint8_t magic[OUTER_MAGIC];

	s->compression = outer_name(magic, source_peek(s, magic, sizeof(magic)));
	return s->compression ? open_outer(s, w) : 0;
}

/* ---- packs ---- */

/* ustar(5): OFFSET SIZE MEANING: 0 100 name, 124 12 size and 136 12 mtime in octal digits, 156 1
 * type, 257 5 "ustar". 8 GiB need more: GNU tar sets the first bit and writes a binary number, most
 * significant byte first; pax(1) puts another header before, of the type 'x', whose contents are
 * lines "LENGTH KEY=VALUE". */
#define TAR_BLOCK 512
#define PARTS_MAX 65536 /* perf makes one for a processor */

struct tar_head {
	const uint8_t *at; /* of the capture */
	size_t bytes;	   /* before its contents */
	uint64_t size;
};

static uint64_t tar_number(const uint8_t *at)
{
	char digits[13] = { 0 };
	uint64_t v = 0;

	for (size_t i = 4; at[0] & 0x80 && i < 12; i++)
		v = v << 8 | at[i];
	if (at[0] & 0x80)
		return v;
	memcpy(digits, at, sizeof(digits) - 1);
	return strtoull(digits, NULL, 8);
}

static bool pass_bytes(struct source *s, size_t len, struct warnings *w)
{
	uint8_t ignored[TAR_BLOCK];

	return source_read(s, ignored, len, w) == (ssize_t)len;
}

static bool is_tar(const uint8_t *head)
{
	return !memcmp(head + 257, "ustar", 5);
}

/* What the LEN bytes of lines at TEXT say of the size, or OTHERWISE. */
static uint64_t pax_size(const char *text, size_t len, uint64_t otherwise)
{
	static const char key[] = " size=";

	for (size_t at = 0; at < len;) {
		char line[64] = { 0 }, *end;
		unsigned long bytes;

		memcpy(line, text + at, len - at < sizeof(line) - 1 ? len - at : sizeof(line) - 1);
		bytes = strtoul(line, &end, 10);
		if (!bytes || bytes > len - at)
			break;
		if (!strncmp(end, key, sizeof(key) - 1))
			otherwise = strtoull(end + sizeof(key) - 1, NULL, 10);
		at += bytes;
	}
	return otherwise;
}

/* The header of the member NAME in the N bytes at HEAD, which begin it. */
static bool is_member(struct tar_head *out, const char *name, const uint8_t *head, size_t n)
{
	bool extended = head[156] == 'x';
	uint64_t lines = extended ? tar_number(head + 124) : 0;
	size_t at = extended ? TAR_BLOCK : 0;

	if (n < TAR_BLOCK || !is_tar(head) || lines > n)
		return false;
	at += (size_t)((lines + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK);
	if (at + TAR_BLOCK > n || !is_tar(head + at) || strncmp((const char *)head + at, name, 100))
		return false;
	*out = (struct tar_head){ head + at, at + TAR_BLOCK,
				  pax_size((const char *)head + TAR_BLOCK, (size_t)lines,
					   tar_number(head + at + 124)) };
	return true;
}

/* The contents of the member that begins here in a temporary file; *TOTAL: its bytes. */
static int spool_member(struct source *s, const struct tar_head *head, uint64_t *total,
			struct warnings *w)
{
	uint64_t size = head->size;
	size_t padding = (size_t)(-size % TAR_BLOCK);
	int fd;

	for (size_t i = 0; i < head->bytes; i += TAR_BLOCK) {
		if (!pass_bytes(s, TAR_BLOCK, w))
			return ERR_FORMAT;
	}
	s->left = size;
	fd = spool_left(s, total, w);
	s->left = UINT64_MAX;
	if (fd >= 0 && (*total < size || !pass_bytes(s, padding, w)))
		warn_add(w, SEV_WARN, "pack",
			 "%s: cut: %llu of %llu bytes of its capture are there", s->path,
			 (unsigned long long)*total, (unsigned long long)size);
	return fd;
}

/* The other files of a directory. */
static int spool_parts(struct source *s, struct warnings *w)
{
	uint8_t head[PEEK_MAX];
	struct tar_head at;
	char name[32];
	uint64_t total;
	int fd = 0;

	while (fd >= 0 && s->part_count < PARTS_MAX) {
		snprintf(name, sizeof(name), SOURCE_PACKED_NEXT, s->part_count);
		if (!is_member(&at, name, head, source_peek(s, head, sizeof(head))))
			break;
		fd = spool_member(s, &at, &total, w);
		if (fd < 0)
			break;
		s->parts = xrealloc(s->parts, (s->part_count + 1) * sizeof(*s->parts));
		s->parts[s->part_count++] = fd;
	}
	return fd < 0 ? fd : 0;
}

/* The capture, and what follows it, each in a temporary file. */
static int open_pack(struct source *s, const struct tar_head *head, bool directory,
		     struct warnings *w)
{
	uint64_t total = 0, after;
	int fd, rc = 0;

	s->mtime = (int64_t)tar_number(head->at + 136);
	fd = spool_member(s, head, &total, w);
	if (fd < 0)
		return fd;
	if (directory)
		rc = spool_parts(s, w);
	if (rc == 0)
		rc = s->rest = spool_left(s, &after, w);
	read_spooled(s, fd, total);
	return rc < 0 ? rc : 0;
}

static int detect_pack(struct source *s, struct warnings *w)
{
	uint8_t head[PEEK_MAX];
	struct tar_head capture;
	size_t n = source_peek(s, head, TAR_BLOCK);

	if (n < TAR_BLOCK || !is_tar(head))
		return 0;
	n = source_peek(s, head, sizeof(head));
	if (is_member(&capture, SOURCE_PACKED, head, n))
		return open_pack(s, &capture, false, w);
	return is_member(&capture, SOURCE_PACKED_FIRST, head, n) ? open_pack(s, &capture, true, w)
								 : 0;
}

static struct source *packed_part(const struct source *s, int fd)
{
	struct source *part = xcalloc(1, sizeof(*part));
	struct stat st;

	part->path = xstrdup(s->path);
	part->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	part->size = fstat(fd, &st) == 0 ? (uint64_t)st.st_size : 0;
	part->mtime = s->mtime;
	part->seekable = true;
	part->left = UINT64_MAX;
	part->rest = -1;
	source_seek(part, 0);
	return part;
}

int source_part(struct source **out, const struct source *s, unsigned i, struct warnings *w)
{
	const char *slash = strrchr(s->path, '/');
	struct buf path = { 0 };
	int rc = 0;

	*out = i < s->part_count ? packed_part(s, s->parts[i]) : NULL;
	if (*out || s->rest >= 0 || !slash || strcmp(slash, "/data"))
		return 0;
	buf_printf(&path, "%s.%u", s->path, i);
	if (access(path.data, F_OK) == 0) {
		rc = source_open(out, path.data, w);
	} else if (errno != ENOENT) {
		warn_add(w, SEV_FATAL, "open", "%s: %s", path.data, strerror(errno));
		rc = ERR_IO;
	}
	buf_release(&path);
	return rc;
}

int source_pack(const struct source *s)
{
	return s->rest;
}

int source_is_directory(const char *path, struct warnings *w)
{
	struct stat st;

	if (!strcmp(path, "-"))
		return 0;
	if (stat(path, &st) == 0)
		return S_ISDIR(st.st_mode);
	if (!error_is_fault(errno))
		return 0;
	warn_add(w, SEV_FATAL, "open", "%s: %s", path, strerror(errno));
	return ERR_IO;
}

/* What FD, which becomes the source's, is open on; negative: opening it failed, as errno tells. */
static int open_fd(struct source **out, const char *path, int fd, struct warnings *w)
{
	struct source *s = xcalloc(1, sizeof(*s));
	struct stat st;
	int rc, error = 0;

	*out = NULL;
	s->path = xstrdup(strcmp(path, "-") ? path : "(stdin)");
	s->rest = -1;
	s->fd = fd;
	if (s->fd < 0 || fstat(s->fd, &st) < 0)
		error = errno;
	if (error || S_ISDIR(st.st_mode)) {
		warn_add(w, SEV_FATAL, "open", "%s: %s", s->path,
			 error ? strerror(error) : "is a directory");
		source_close(s);
		return ERR_IO;
	}
	s->size = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : UINT64_MAX;
	s->mtime = S_ISREG(st.st_mode) ? st.st_mtime : 0;
	s->dev = st.st_dev;
	s->ino = st.st_ino;
	s->is_stdin = !strcmp(path, "-");
	s->seekable = S_ISREG(st.st_mode) && lseek(s->fd, 0, SEEK_CUR) == 0;
	s->left = UINT64_MAX;
	rc = detect_compression(s, w);
	if (rc == 0)
		rc = detect_pack(s, w);
	if (rc == 0)
		rc = source_failed(s, w);
	if (rc < 0) {
		source_close(s);
		return rc;
	}
	*out = s;
	return 0;
}

int source_open(struct source **out, const char *path, struct warnings *w)
{
	int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : dup(STDIN_FILENO);

	return open_fd(out, path, fd, w);
}

int source_of(struct source **out, const char *path, const struct buf *bytes, struct warnings *w)
{
	int fd = temp_file(), error = fd < 0 ? errno : temp_write(fd, bytes->data, bytes->len, 0);

	*out = NULL;
	if (!error)
		return open_fd(out, path, fd, w);
	warn_add(w, SEV_FATAL, "open", "%s: " TEMP_FAILED, path, strerror(error));
	if (fd >= 0)
		close(fd);
	return ERR_IO;
}

bool source_reopens(const struct source *s)
{
	return !s->is_stdin;
}

bool source_is(const struct source *a, const struct source *b)
{
	return a->dev == b->dev && a->ino == b->ino && a->size == b->size && a->mtime == b->mtime;
}

void source_close(struct source *s)
{
	if (!s)
		return;
	outer_free(s->outer);
	if (s->map)
		munmap(s->map, (size_t)s->size);
	if (s->fd >= 0)
		close(s->fd);
	if (s->rest >= 0)
		close(s->rest);
	for (unsigned i = 0; i < s->part_count; i++)
		close(s->parts[i]);
	free(s->parts);
	free(s->path);
	free(s);
}

uint8_t *source_map(struct source *s)
{
	struct stat st;
	void *map;

	if (s->map)
		return s->map;
	/* what was cut off since it was opened is not there to be read */
	if (s->outer || !s->seekable || fstat(s->fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    (uint64_t)st.st_size < s->size || !s->size)
		return NULL;
	map = mmap(NULL, (size_t)s->size, PROT_READ, MAP_PRIVATE, s->fd, 0);
	s->map = map == MAP_FAILED ? NULL : map;
	return s->map;
}

bool source_seekable(const struct source *s)
{
	return s->seekable;
}

uint64_t source_size(const struct source *s)
{
	return s->size;
}

int64_t source_mtime(const struct source *s)
{
	return s->mtime;
}

const char *source_path(const struct source *s)
{
	return s->path;
}

const char *source_compression(const struct source *s)
{
	return s->compression;
}
