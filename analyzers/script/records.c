/* One function for each type of record. Bodies are those of linux/perf_event.h (enum
 * perf_event_type). Source of the forms: perf 6.12, tools/perf/util/event.c, perf_event__fprintf().
 */
#include "analyzers/script/records.h"
#include "analyzers/script/where.h"
#include "parser/base/abi.h"
#include "parser/base/cursor.h"
#include "parser/base/mem.h"
#include "parser/base/utf8.h"
#include "parser/pdtool_capture.h"

#include <inttypes.h>

/* The text at C up to its NUL; what follows is skipped up to a multiple of 8. */
static void put_text(struct cursor *c, struct buf *b)
{
	while (cursor_left(c)) {
		char byte = (char)cursor_u8(c);

		if (!byte)
			break;
		buf_char(b, byte);
	}
}

/* As %#x shows it: zero has no prefix. */
static void put_hex(struct buf *b, uint64_t v)
{
	buf_printf(b, v ? "0x%" PRIx64 : "%" PRIu64, v);
}

static void put_comm(const struct pdt_record *r, struct cursor *c, struct buf *b)
{
	int pid = (int)cursor_u32(c), tid = (int)cursor_u32(c);

	buf_str(b, r->misc & MISC_COMM_EXEC ? " exec: " : ": ");
	put_text(c, b);
	buf_printf(b, ":%d/%d", pid, tid);
}

static void put_task(const struct pdt_record *r, struct cursor *c, struct buf *b)
{
	int pid = (int)cursor_u32(c), ppid = (int)cursor_u32(c);
	int tid = (int)cursor_u32(c), ptid = (int)cursor_u32(c);

	(void)r;
	buf_printf(b, "(%d:%d):(%d:%d)", pid, tid, ppid, ptid);
}

/* u32 pid, tid; u64 start, length, offset in the file */
static void put_range(struct cursor *c, struct buf *b)
{
	int pid = (int)cursor_u32(c), tid = (int)cursor_u32(c);

	buf_printf(b, " %d/%d: [", pid, tid);
	put_hex(b, cursor_u64(c));
	buf_char(b, '(');
	put_hex(b, cursor_u64(c));
	buf_str(b, ") @ ");
	put_hex(b, cursor_u64(c));
}

static void put_mmap(const struct pdt_record *r, struct cursor *c, struct buf *b)
{
	put_range(c, b);
	buf_printf(b, "]: %c ", r->misc & MISC_MMAP_DATA ? 'r' : 'x');
	put_text(c, b);
}

#define BUILD_ID_MAX 20
#define PROT_READ    1
#define PROT_WRITE   2
#define PROT_EXEC    4
#define MAP_SHARED   1

static void put_build_id(struct cursor *c, struct buf *b)
{
	unsigned size = cursor_u8(c);
	const uint8_t *id;

	cursor_skip(c, 3);
	id = cursor_take(c, BUILD_ID_MAX);
	buf_str(b, " <");
	for (unsigned i = 0; id && i < size && i < BUILD_ID_MAX; i++)
		buf_printf(b, "%02x", id[i]);
	buf_str(b, ">]: ");
}

static void put_file(struct cursor *c, struct buf *b)
{
	unsigned major = cursor_u32(c), minor = cursor_u32(c);
	uint64_t inode = cursor_u64(c), generation = cursor_u64(c);

	buf_printf(b, " %02x:%02x %" PRIu64 " %" PRIu64 "]: ", major, minor, inode, generation);
}

static void put_mmap2(const struct pdt_record *r, struct cursor *c, struct buf *b)
{
	uint32_t prot, flags;

	put_range(c, b);
	(r->misc & MISC_MMAP_BUILD_ID ? put_build_id : put_file)(c, b);
	prot = cursor_u32(c);
	flags = cursor_u32(c);
	buf_char(b, prot & PROT_READ ? 'r' : '-');
	buf_char(b, prot & PROT_WRITE ? 'w' : '-');
	buf_char(b, prot & PROT_EXEC ? 'x' : '-');
	buf_str(b, flags & MAP_SHARED ? "s " : "p ");
	put_text(c, b);
}

static void put_switch(const struct pdt_record *r, struct cursor *c, struct buf *b)
{
	bool leaves = r->misc & MISC_SWITCH_OUT;

	buf_str(b, !leaves			       ? " IN         "
		   : r->misc & MISC_SWITCH_OUT_PREEMPT ? " OUT preempt"
						       : " OUT        ");
	if (r->type == RECORD_SWITCH_CPU_WIDE) {
		int pid = (int)cursor_u32(c), tid = (int)cursor_u32(c);

		buf_printf(b, "  %s pid/tid: %5d/%-5d", leaves ? "next" : "prev", pid, tid);
	}
}

static void put_namespaces(const struct pdt_record *r, struct cursor *c, struct buf *b)
{
	static const char *const names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	int pid = (int)cursor_u32(c), tid = (int)cursor_u32(c);
	uint64_t count = cursor_u64(c);

	(void)r;
	buf_printf(b, " %d/%d - nr_namespaces: %u\n\t\t[", pid, tid, (unsigned)count);
	for (uint64_t i = 0; i < count && cursor_left(c) >= 16; i++) {
		uint64_t device = cursor_u64(c), inode = cursor_u64(c);

		buf_str(b, i && i % 4 == 0 ? "\n\t\t " : "");
		buf_printf(b, "%u/%s: %" PRIu64 "/", (unsigned)i,
			   i < ARRAY_SIZE(names) ? names[i] : "UNKNOWN", device);
		put_hex(b, inode);
		buf_str(b, i + 1 < count ? ", " : "]");
	}
}

static void put_cgroup(const struct pdt_record *r, struct cursor *c, struct buf *b)
{
	(void)r;
	buf_printf(b, " cgroup: %" PRIu64 " ", cursor_u64(c));
	put_text(c, b);
}

static void put_lost(const struct pdt_record *r, struct cursor *c, struct buf *b)
{
	(void)r;
	cursor_skip(c, 8);
	buf_printf(b, " lost %" PRIu64, cursor_u64(c));
}

static void put_ksymbol(const struct pdt_record *r, struct cursor *c, struct buf *b)
{
	uint64_t address = cursor_u64(c);
	unsigned len = cursor_u32(c), type = cursor_u16(c), flags = cursor_u16(c);

	(void)r;
	buf_printf(b, " addr %" PRIx64 " len %u type %u flags 0x%x name ", address, len, type,
		   flags);
	put_text(c, b);
}

static void put_bpf(const struct pdt_record *r, struct cursor *c, struct buf *b)
{
	unsigned type = cursor_u16(c), flags = cursor_u16(c), id = cursor_u32(c);

	(void)r;
	buf_printf(b, " type %u, flags %u, id %u", type, flags, id);
}

#define ASKED(member) offsetof(struct record_options, member)

static const struct {
	void (*put)(const struct pdt_record *r, struct cursor *c, struct buf *b);
	size_t asked; /* offset of a bool */
} types[] = {
	[RECORD_MMAP] = { put_mmap, ASKED(mmap) },
	[RECORD_LOST] = { put_lost, ASKED(lost) },
	[RECORD_COMM] = { put_comm, ASKED(task) },
	[RECORD_EXIT] = { put_task, ASKED(task) },
	[RECORD_FORK] = { put_task, ASKED(task) },
	[RECORD_MMAP2] = { put_mmap2, ASKED(mmap) },
	[RECORD_SWITCH] = { put_switch, ASKED(switches) },
	[RECORD_SWITCH_CPU_WIDE] = { put_switch, ASKED(switches) },
	[RECORD_NAMESPACES] = { put_namespaces, ASKED(namespaces) },
	[RECORD_KSYMBOL] = { put_ksymbol, ASKED(bpf) },
	[RECORD_BPF_EVENT] = { put_bpf, ASKED(bpf) },
	[RECORD_CGROUP] = { put_cgroup, ASKED(cgroup) },
};

bool records_ask(const struct record_options *o, uint32_t type)
{
	return type < ARRAY_SIZE(types) && types[type].put &&
	       *(const bool *)((const char *)o + types[type].asked);
}

uint32_t record_tid(const struct pdt_record *r, uint32_t otherwise)
{
	struct cursor c = cursor_make(r->body, r->body_size, r->swapped);

	switch (r->type) {
	case RECORD_FORK: /* u32 pid, ppid, tid */
	case RECORD_EXIT:
		cursor_skip(&c, 4);
		break;
	case RECORD_COMM: /* u32 pid, tid */
	case RECORD_MMAP:
	case RECORD_MMAP2:
	case RECORD_NAMESPACES:
		break;
	default:
		return otherwise;
	}
	cursor_skip(&c, 4);
	return cursor_left(&c) < 4 ? otherwise : cursor_u32(&c);
}

/* The ends of lines and tabs of namespaces are ours. */
void record_put(const struct pdt_record *r, struct buf *out)
{
	struct cursor c = cursor_make(r->body, r->body_size, r->swapped);
	size_t from;

	buf_printf(out, "PERF_RECORD_%s", pdt_record_name(r->type) ?: "UNKNOWN");
	from = out->len;
	if (r->type < ARRAY_SIZE(types) && types[r->type].put)
		types[r->type].put(r, &c, out);
	if (r->type != RECORD_NAMESPACES)
		make_safe(out, from);
	buf_char(out, '\n');
}
