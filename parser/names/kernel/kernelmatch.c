/* Compares what a capture tells of its kernel with a kallsyms, and that with the running kernel's.
 */
#include "parser/names/kernel/kernelmatch.h"
#include "parser/base/cursor.h"
#include "parser/base/mem.h"
#include "parser/names/reach.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE_MASK 0xfffull

/* ---- what the capture tells ---- */

/* Each architecture has its kernel in one part of the address space, some in the last 2 GiB. Being
 * loaded elsewhere does not take it out of that. */
static uint64_t region(uint64_t addr)
{
	return addr >> 31 == 0x1ffffffff ? UINT64_MAX : addr >> 60;
}

/* Recorders end the mapping at _edata or _etext, or, where they do not find these, at the first
 * module or at the last address, which begin or end a page behind the kernel. */
static bool ends_elsewhere(const struct kernel_place *p, const struct kallsyms_marks *marks)
{
	uint64_t delta = p->ref_addr - marks->ref;
	uint64_t etext = marks->etext + delta, edata = marks->edata + delta;
	uint64_t last = marks->edata ? edata : etext;
	bool whole_page = !(p->end & PAGE_MASK) || (p->end & PAGE_MASK) == PAGE_MASK;

	if (!marks->etext || p->end <= p->ref_addr || p->end == etext ||
	    (marks->edata && p->end == edata))
		return false;
	return p->end < last || !whole_page;
}

const char *kernel_mismatch(const struct kernel_place *p, const struct kallsyms_marks *marks,
			    bool whole)
{
	if (!p->ref || !p->ref_addr)
		return NULL;
	if (!marks->ref)
		return whole ? "lacks the symbol that the recorded kernel was placed by" : NULL;
	if (((p->ref_addr - marks->ref) & PAGE_MASK) || region(p->ref_addr) != region(marks->ref))
		return "begins where the recorded kernel cannot have been";
	return ends_elsewhere(p, marks) ? "ends elsewhere than the recorded kernel" : NULL;
}

/* ---- the running kernel ---- */

#define NOTE_GNU_BUILD_ID 3

/* ELF notes (u32 name size, desc size, type). */
void host_kernel_id(struct reach *r, struct build_id *id)
{
	static const char path[] = "/sys/kernel/notes";
	uint8_t raw[8192];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, raw, sizeof(raw));
	struct cursor c = cursor_make(raw, n > 0 ? (size_t)n : 0, false);

	if (n < 0)
		reach_fault(r, path, errno);
	id->len = 0;
	if (fd >= 0)
		close(fd);
	while (cursor_left(&c) >= 12) {
		uint32_t name = cursor_u32(&c), desc = cursor_u32(&c), type = cursor_u32(&c);
		const char *s = cursor_take(&c, (name + 3) & ~3u);
		const uint8_t *d = cursor_take(&c, (desc + 3) & ~3u);

		if (s && d && name == 4 && !memcmp(s, "GNU", 4) && type == NOTE_GNU_BUILD_ID) {
			*id = build_id_make(d, desc);
			return;
		}
	}
}

#define LINE_SIZE   512
#define LINES_LEAST 1000 /* fewer equal ones tell nothing */

struct lines {
	int fd;
	int error; /* an errno */
	size_t at, held;
	char bytes[1 << 16];
};

static int next_byte(struct lines *l)
{
	if (l->at == l->held) {
		ssize_t n = read(l->fd, l->bytes, sizeof(l->bytes));

		if (n < 0)
			l->error = errno;
		l->at = 0;
		l->held = n > 0 ? (size_t)n : 0;
		if (!l->held)
			return -1;
	}
	return (unsigned char)l->bytes[l->at++];
}

/* The next line, or a part of a very long one, of the kernel itself: modules follow it, and come
 * and go while it runs. */
static bool next_line(struct lines *l, char *line, uint64_t *addr, const char **rest)
{
	size_t len = 0;
	int c = '\0';
	char *end;

	while (len < LINE_SIZE - 1 && (c = next_byte(l)) >= 0 && c != '\n' && c != '\t')
		line[len++] = (char)c;
	line[len] = '\0';
	*addr = strtoull(line, &end, 16);
	*rest = end;
	return c != '\t' && (c >= 0 || len);
}

/* Addresses of A and B are the same, or as far from each other as the kernel was moved; those of
 * per-CPU variables and constants do not move with it. */
static bool same_kernel(struct lines *a, struct lines *b)
{
	char line[2][LINE_SIZE];
	const char *name[2];
	uint64_t addr[2], moved = 0, any = 0;
	size_t same = 0;

	for (;; same++) {
		bool more = next_line(a, line[0], &addr[0], &name[0]);

		if (next_line(b, line[1], &addr[1], &name[1]) != more)
			return false;
		if (!more)
			return any && same >= LINES_LEAST;
		if (!moved)
			moved = addr[1] - addr[0];
		if ((addr[0] != addr[1] && addr[1] - addr[0] != moved) || strcmp(name[0], name[1]))
			return false;
		any |= addr[1];
	}
}

/* The text of FD, whose path is PATH, and that of the running kernel, HOST. What cannot be read to
 * its end is not the same. */
static bool compare(struct reach *r, const char *path, int fd, int host)
{
	struct lines *l = xcalloc(2, sizeof(*l));
	bool same;

	l[0].fd = fd;
	l[1].fd = host;
	same = same_kernel(&l[0], &l[1]) && !l[0].error && !l[1].error;
	reach_fault(r, path, l[0].error);
	reach_fault(r, HOST_TEXT, l[1].error);
	free(l);
	return same;
}

bool kernel_is_the_hosts(const struct kernel_place *p, int fd, const char *path, struct reach *r,
			 struct build_id *id)
{
	bool asked, same = false;
	int host;

	host_kernel_id(r, id);
	asked = fd >= 0 && id->len && p->build_id.len && !build_id_equal(id, &p->build_id);
	host = asked ? open(HOST_TEXT, O_RDONLY | O_CLOEXEC) : -1;
	if (asked && host < 0)
		reach_fault(r, HOST_TEXT, errno);
	if (host >= 0) {
		same = compare(r, path, fd, host);
		close(host);
	}
	if (fd >= 0)
		close(fd);
	return same;
}
