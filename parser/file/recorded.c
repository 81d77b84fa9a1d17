/* Read the symbols that simpleperf and hiperf left in a capture. Sources: simpleperf's
 * record_file_format.h, record_file.proto and dso.h; hiperf's perf_file_format.h and
 * symbols_file.h. */
#include "parser/file/recorded.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/file/source.h"
#include "parser/file/scan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define PATH_LEN_MAX 4096 /* no file has a longer one */

struct reader {
	struct scan scan;
	struct buf path;
	struct recorded_file file;
	uint64_t file_end;   /* where its description ends; 0: behind its symbols */
	uint64_t symbols_at; /* where its symbols, or the message that holds them, begin */
	uint32_t symbols;    /* how many, where that is told */
	uint32_t files_left; /* hiperf */
	bool begun;
	bool thumb; /* in odd addresses bit 0 tells the instruction set */
};

/* One way to write files and their symbols. */
struct layout {
	unsigned id; /* of a feature, or type of a record */
	/* Read what is told of the next file; false: there is none. */
	bool (*file)(struct reader *r);
	/* Go over its symbols and tell SINK; NULL: only pass over them. */
	void (*symbols)(struct reader *r, const struct recorded_sink *sink);
};

static void set_path(struct reader *r, const char *path, size_t len)
{
	r->path.len = 0;
	if (path && len <= PATH_LEN_MAX)
		buf_add(&r->path, path, len);
	r->file.path = r->path.data;
	r->file.path_len = r->path.len;
}

/* enum DsoType of simpleperf's dso.h */
static enum recorded_kind simpleperf_kind(uint64_t type)
{
	static const enum recorded_kind kinds[] = { RECORDED_KERNEL, RECORDED_KMODULE, RECORDED_ELF,
						    RECORDED_OFFSETS, RECORDED_PERF_MAP };

	return type < ARRAY_SIZE(kinds) ? kinds[type] : RECORDED_UNKNOWN;
}

/* ---- FILE ---- */

/* SIZE MEANING, as often as a count before it says:
 *    8 address   4 size   - name, NUL */
static void file_symbols(struct reader *r, const struct recorded_sink *sink)
{
	scan_seek(&r->scan, r->symbols_at);
	for (uint32_t i = 0; i < r->symbols && !r->scan.bad && scan_at(&r->scan) < r->file_end;
	     i++) {
		uint64_t addr = scan_u64(&r->scan);
		uint32_t size = scan_u32(&r->scan);
		size_t len;
		const char *name = scan_text(&r->scan, '\0', &len);

		if (sink && name)
			sink->symbol(sink->ctx, addr, size, name, len);
	}
}

/* SIZE MEANING
 *    4 size of the rest   - path, NUL   4 enum DsoType   8 first executable address
 *    4 symbols, and those; only of dex files: 4 count, 8 each: where they begin
 *    8 file offset of the first executable address; of a module of the kernel, its distance from
 *      the module's start: of ELF files and such modules, since 2020; all ones: not known */
static bool file_file(struct reader *r)
{
	uint64_t begin = scan_at(&r->scan);
	uint32_t size;
	size_t len;
	const char *path;

	if (begin >= r->scan.end)
		return false;
	size = scan_u32(&r->scan);
	r->file_end = begin + sizeof(size) + size;
	path = scan_text(&r->scan, '\0', &len);
	set_path(r, path, len);
	r->file.kind = simpleperf_kind(scan_u32(&r->scan));
	r->file.vaddr = scan_u64(&r->scan);
	r->symbols = scan_u32(&r->scan);
	r->symbols_at = scan_at(&r->scan);
	file_symbols(r, NULL);
	if ((r->file.kind == RECORDED_ELF || r->file.kind == RECORDED_KMODULE) &&
	    scan_at(&r->scan) < r->file_end)
		r->file.offset = scan_u64(&r->scan);
	else
		r->file.offset = UINT64_MAX;
	r->file.has_offset = r->file.offset != UINT64_MAX;
	r->scan.bad |= scan_at(&r->scan) > r->file_end;
	return !r->scan.bad;
}

/* ---- FILE2 ---- */

/* A field of a message: its number, and its value or, of what has a length, that. */
struct field {
	uint32_t number;
	bool has_length;
	uint64_t value;
};

#define WIRE_VARINT 0
#define WIRE_64	    1
#define WIRE_LENGTH 2
#define WIRE_32	    5

/* False: the message ends at END, or is none. */
static bool next_field(struct scan *s, uint64_t end, struct field *f)
{
	uint64_t key;

	if (s->bad || scan_at(s) >= end)
		return false;
	key = scan_varint(s);
	f->number = (uint32_t)(key >> 3);
	f->has_length = false;
	switch (key & 7) {
	case WIRE_VARINT:
		f->value = scan_varint(s);
		break;
	case WIRE_64:
		f->value = scan_u64(s);
		break;
	case WIRE_32:
		f->value = scan_u32(s);
		break;
	case WIRE_LENGTH:
		f->value = scan_varint(s);
		f->has_length = true;
		break;
	default:
		s->bad = true;
	}
	if (scan_at(s) > end || (f->has_length && f->value > end - scan_at(s)))
		s->bad = true;
	return !s->bad;
}

/* message Symbol: 1 address, 2 size, 3 name */
static void file2_symbol(struct scan *s, uint64_t end, const struct recorded_sink *sink)
{
	uint64_t values[3] = { 0 }, name_at = 0, name_size = 0;
	struct field f;
	const char *name;
	size_t len;

	while (next_field(s, end, &f)) {
		if (f.number == 3 && f.has_length) {
			name_at = scan_at(s);
			name_size = f.value;
		}
		if (f.has_length)
			scan_skip(s, f.value);
		else if (f.number < ARRAY_SIZE(values))
			values[f.number] = f.value;
	}
	if (!name_at || s->bad)
		return;
	scan_seek(s, name_at);
	name = scan_field(s, name_size, &len);
	if (name)
		sink->symbol(sink->ctx, values[1], values[2], name, len);
}

static void file2_symbols(struct reader *r, const struct recorded_sink *sink)
{
	struct field f;

	scan_seek(&r->scan, r->symbols_at);
	while (sink && next_field(&r->scan, r->file_end, &f)) {
		uint64_t end = scan_at(&r->scan) + (f.has_length ? f.value : 0);

		if (f.number == 4 && f.has_length)
			file2_symbol(&r->scan, end, sink);
		if (!r->scan.bad)
			scan_seek(&r->scan, end);
	}
}

/* message ElfFile: 1 file_offset_of_min_vaddr; KernelModule: 1 memory_offset_of_min_vaddr. A zero
 * is not written. */
static void file2_offset(struct reader *r, uint64_t end)
{
	struct field f;

	r->file.has_offset = true;
	r->file.offset = 0;
	while (next_field(&r->scan, end, &f)) {
		if (f.has_length)
			scan_skip(&r->scan, f.value);
		else if (f.number == 1)
			r->file.offset = f.value;
	}
	r->file.has_offset = r->file.offset != UINT64_MAX;
}

static void file2_field(struct reader *r, const struct field *f, uint64_t end)
{
	const char *path;
	size_t len;

	if (f->number == 1 && f->has_length) {
		path = scan_field(&r->scan, f->value, &len);
		set_path(r, path, len);
	} else if (f->number == 2 && !f->has_length) {
		r->file.kind = simpleperf_kind(f->value);
	} else if (f->number == 3 && !f->has_length) {
		r->file.vaddr = f->value;
	} else if ((f->number == 6 || f->number == 7) && f->has_length) {
		file2_offset(r, end);
	}
}

/* A u32 with the size of a message FileFeature: 1 path, 2 enum DsoType, 3 first executable address,
 * 4 a symbol, as often as there are; 5 DexFile, 6 ElfFile, 7 KernelModule */
static bool file2_file(struct reader *r)
{
	uint64_t begin = scan_at(&r->scan);
	struct field f;

	if (begin >= r->scan.end)
		return false;
	r->file_end = begin + sizeof(uint32_t) + scan_u32(&r->scan);
	r->symbols_at = scan_at(&r->scan);
	r->file.kind = RECORDED_KERNEL; /* a zero is not written */
	set_path(r, NULL, 0);
	while (next_field(&r->scan, r->file_end, &f)) {
		uint64_t end = scan_at(&r->scan) + (f.has_length ? f.value : 0);

		file2_field(r, &f, end);
		if (!r->scan.bad)
			scan_seek(&r->scan, end);
	}
	return !r->scan.bad;
}

/* ---- hiperf ---- */

static const char *hiperf_text(struct reader *r, size_t *len)
{
	return scan_field(&r->scan, scan_u32(&r->scan), len);
}

/* enum SymbolsFileType of symbols_file.h. What is 3 now was 2 before there was another 2, of files
 * without a path; other types have addresses of their own. */
static enum recorded_kind hiperf_kind(const struct reader *r, uint32_t type)
{
	enum { KERNEL = 0, KMODULE = 1, ELF_ONCE = 2, ELF = 3, CANGJIE = 7 };
	bool is_file = r->path.len && r->path.data[0] == '/';

	switch (type) {
	case KERNEL:
		return RECORDED_KERNEL;
	case KMODULE:
		return RECORDED_KMODULE;
	case ELF_ONCE:
	case ELF:
	case CANGJIE:
		return is_file && r->file.vaddr != UINT64_MAX ? RECORDED_ELF : RECORDED_UNKNOWN;
	default:
		return RECORDED_UNKNOWN;
	}
}

static struct build_id id_of_text(const char *hex, size_t len)
{
	struct build_id id = { 0 };
	char digits[3] = { 0 };

	if (!hex || len % 2 || len > 2 * BUILD_ID_MAX)
		return id;
	for (size_t i = 0; i < len; i += 2) {
		if (!isxdigit((unsigned char)hex[i]) || !isxdigit((unsigned char)hex[i + 1]))
			return (struct build_id){ 0 };
		memcpy(digits, hex + i, 2);
		id.bytes[id.len++] = (uint8_t)strtoul(digits, NULL, 16);
	}
	return id;
}

/* SIZE MEANING, as often as a count before it says; a text is 4 size with its NUL, - text, NUL
 *    8 address   4 size   - name, a text */
static void hiperf_symbols(struct reader *r, const struct recorded_sink *sink)
{
	uint64_t mask = r->thumb && r->file.kind == RECORDED_ELF ? 1 : 0;

	scan_seek(&r->scan, r->symbols_at);
	for (uint32_t i = 0; i < r->symbols && !r->scan.bad; i++) {
		uint64_t addr = scan_u64(&r->scan);
		uint32_t size = scan_u32(&r->scan);
		size_t len;
		const char *name = hiperf_text(r, &len);

		if (sink && name)
			sink->symbol(sink->ctx, addr & ~mask, size, name, len);
	}
}

/* The section begins with 4 files. SIZE MEANING of each:
 *    - path, a text   4 enum SymbolsFileType   8 first executable address   8 its file offset
 *    - build-id, a text of hexadecimal digits, perhaps empty   4 symbols, and those */
static bool hiperf_file(struct reader *r)
{
	size_t len;
	const char *text;
	uint32_t type;

	if (!r->begun)
		r->files_left = scan_u32(&r->scan);
	r->begun = true;
	if (!r->files_left || r->scan.bad)
		return false;
	r->files_left--;
	text = hiperf_text(r, &len);
	set_path(r, text, len);
	type = scan_u32(&r->scan);
	r->file.vaddr = scan_u64(&r->scan);
	r->file.offset = scan_u64(&r->scan);
	r->file.has_offset = true;
	r->file.kind = hiperf_kind(r, type);
	if (r->file.kind == RECORDED_KMODULE)
		r->file.vaddr = r->file.offset = 0; /* its symbols are distances from its start */
	text = hiperf_text(r, &len);
	r->file.build_id = id_of_text(text, len);
	r->symbols = scan_u32(&r->scan);
	r->symbols_at = scan_at(&r->scan);
	r->file_end = 0;
	return !r->scan.bad;
}

/* ---- KERNEL_SYMBOL ---- */

/* "ffffff8008080000 t name", and for a module's a tab and "[module]". Of data there are none. */
static void tell_line(const char *line, size_t len, const struct recorded_sink *sink)
{
	char digits[17] = { 0 };
	size_t n = 0, end;
	uint64_t addr;

	while (n < len && n < sizeof(digits) - 1 && isxdigit((unsigned char)line[n]))
		n++;
	memcpy(digits, line, n);
	addr = strtoull(digits, NULL, 16);
	if (!addr || n + 3 >= len || line[n] != ' ' || !strchr("tTwW", line[n + 1]) ||
	    line[n + 2] != ' ')
		return;
	for (end = n + 3; end < len && line[end] != '\t'; end++)
		;
	sink->symbol(sink->ctx, addr, 0, line + n + 3, end - (n + 3));
}

static void kallsyms_symbols(struct reader *r, const struct recorded_sink *sink)
{
	while (sink && !r->scan.bad && scan_at(&r->scan) < r->file_end) {
		size_t len;
		const char *line = scan_text(&r->scan, '\n', &len);

		if (line)
			tell_line(line, len, sink);
	}
}

/* A record, not a feature: 4 size, the text of /proc/kallsyms, padded to 8 */
static bool kallsyms_file(struct reader *r)
{
	static const char path[] = "[kernel.kallsyms]";
	uint32_t size;

	if (r->begun)
		return false;
	r->begun = true;
	size = scan_u32(&r->scan);
	r->file_end = scan_at(&r->scan) + size;
	set_path(r, path, sizeof(path) - 1);
	r->file.kind = RECORDED_KERNEL;
	return !r->scan.bad;
}

/* ---- all of them ---- */

static const struct layout layouts[] = {
	{ FEAT_SIMPLEPERF_FILE, file_file, file_symbols },
	{ FEAT_SIMPLEPERF_FILE2, file2_file, file2_symbols },
	{ FEAT_HIPERF_FIRST, hiperf_file, hiperf_symbols },
	{ RECORD_SIMPLEPERF_KERNEL_SYMBOL, kallsyms_file, kallsyms_symbols },
};

static const struct layout *layout_of(unsigned id)
{
	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++) {
		if (layouts[i].id == id)
			return &layouts[i];
	}
	return NULL;
}

static void read_section(struct reader *r, const struct layout *l, const struct recorded_sink *sink)
{
	while (l->file(r)) {
		bool wanted = r->file.path_len && r->file.kind != RECORDED_UNKNOWN &&
			      sink->file(sink->ctx, &r->file);

		if (wanted || !r->file_end)
			l->symbols(r, wanted ? sink : NULL);
		if (r->file_end)
			scan_seek(&r->scan, r->file_end);
		r->file = (struct recorded_file){ 0 };
	}
}

void recorded_read(const struct capture *f, const struct recorded_sink *sink, struct warnings *w)
{
	const char *arch = f->meta.arch;
	struct reader *r = xcalloc(1, sizeof(*r));

	for (size_t i = 0; i < f->meta.symbol_section_count; i++) {
		const struct symbol_section *s = &f->meta.symbol_sections[i];
		const struct layout *l = layout_of(s->id);

		if (!l)
			continue;
		r->begun = false;
		r->thumb = arch && (!strncmp(arch, "arm", 3) || !strncmp(arch, "aarch", 5));
		scan_init(&r->scan, f->source, s->at.offset, s->at.size);
		r->scan.swap = f->header.swap;
		read_section(r, l, sink);
		if (r->scan.bad)
			warn_add(w, SEV_WARN, "feature", "%s: %s is cut or damaged",
				 source_path(f->source),
				 feature_name(s->id) ?: record_type_name(s->id));
	}
	buf_release(&r->path);
	free(r);
}
