/* .gopclntab of any version, byte order and pointer size, around functions that a test gives, and
 * an ELF file with it and no symbols: what `go build -ldflags='-s -w'` leaves. The layouts are
 * those in parser/symbols/gopclntab.h. */
#ifndef PDTOOL_TESTS_GOTABLE_H
#define PDTOOL_TESTS_GOTABLE_H

#include "tests/lib/elfimage.h"

/* A function of SIZE bytes whose first half is on line LINE of FILE, the second on LINE + 1. */
struct go_function {
	const char *name;
	uint64_t size;
	const char *file;
	uint32_t line;
};

struct go_table {
	const struct go_function *functions;
	unsigned count;
	unsigned version; /* 2, 16, 18 or 20: Go 1.VERSION */
	uint64_t code;	  /* address of the first */
	bool relocated;	  /* addresses are left to relocations */
};

#define GO_PARTS_MAX (1u << 16)

static inline void go_uleb(struct buf *b, uint32_t v)
{
	for (; v >= 0x80; v >>= 7)
		buf_char(b, (char)(v | 0x80));
	buf_char(b, (char)v);
}

/* A table of values: FIRST for the first half of SIZE bytes, then SECOND. */
static inline uint32_t go_values(struct buf *b, const uint64_t size, uint32_t first,
				 uint32_t second)
{
	uint32_t place = (uint32_t)b->len;
	uint32_t half = (uint32_t)size / 2;

	go_uleb(b, (first + 1) << 1); /* from -1 */
	go_uleb(b, first == second ? (uint32_t)size : half);
	if (first != second) {
		go_uleb(b, (second - first) << 1);
		go_uleb(b, (uint32_t)size - half);
	}
	go_uleb(b, 0);
	return place;
}

static inline uint32_t go_text(struct buf *b, const char *s)
{
	uint32_t place = (uint32_t)b->len;

	buf_add(b, s, strlen(s) + 1);
	return place;
}

/* What is collected before its place is known. */
struct go_parts {
	struct buf names, files, tables, units;
	uint32_t name[64], lines[64], file[64], numbers[64];
};

/* Every function has a file of its own: number I of the only unit, or I + 1 in Go 1.2. */
static inline void go_collect(const struct image *im, const struct go_table *t, struct go_parts *p)
{
	buf_char(&p->tables, 0); /* a place of 0 is no table */
	for (unsigned i = 0; i < t->count; i++) {
		const struct go_function *f = &t->functions[i];
		uint32_t number = i + (t->version == 2);

		p->name[i] = go_text(&p->names, f->name);
		p->file[i] = go_text(&p->files, f->file);
		p->lines[i] = go_values(&p->tables, f->size, f->line, f->line + 1);
		p->numbers[i] = go_values(&p->tables, f->size, number, number);
		image_put(im, &p->units, p->file[i], 4);
	}
}

static inline void go_entry(const struct image *im, const struct go_table *t,
			    const struct go_parts *p, unsigned i, struct buf *out)
{
	uint32_t base = t->version == 2 ? GO_PARTS_MAX : 0;

	image_put(im, out, base + p->name[i], 4);
	image_put(im, out, 0, 4);
	image_put(im, out, 0, 4);
	image_put(im, out, 0, 4);
	image_put(im, out, 2 * base + p->numbers[i], 4);
	image_put(im, out, 2 * base + p->lines[i], 4);
	image_put(im, out, 0, 4);
	image_put(im, out, 0, 4); /* the unit's first file */
}

/* The part with the functions; BASE is what places count from. */
static inline void go_functions(const struct image *im, const struct go_table *t,
				const struct go_parts *p, struct buf *out, size_t base)
{
	unsigned width = t->version >= 18 || im->narrow ? 4 : 8;
	size_t list = (2 * t->count + 1) * width + 4, entry = width + 32;
	bool hidden = t->relocated && t->version < 18;
	uint64_t addr = t->version >= 18 ? 0 : t->code;

	for (unsigned i = 0; i < t->count; i++) {
		image_put(im, out, hidden ? 0 : addr, width);
		image_put(im, out, base + list + i * entry, width);
		addr += t->functions[i].size;
	}
	image_put(im, out, hidden ? 0 : addr, width);
	image_put(im, out, 3 * GO_PARTS_MAX, 4); /* Go 1.2: the files */
	addr = t->version >= 18 ? 0 : t->code;
	for (unsigned i = 0; i < t->count; i++) {
		image_put(im, out, addr, width);
		go_entry(im, t, p, i, out);
		addr += t->functions[i].size;
	}
}

/* Go 1.2: names, tables and files at fixed places behind, all counted from the header. */
static inline void go_table_2(const struct image *im, const struct go_table *t,
			      const struct go_parts *p, struct buf *out)
{
	go_functions(im, t, p, out, out->len);
	image_pad(out, GO_PARTS_MAX);
	buf_add(out, p->names.data, p->names.len);
	image_pad(out, 2 * GO_PARTS_MAX);
	buf_add(out, p->tables.data, p->tables.len);
	image_pad(out, 3 * GO_PARTS_MAX);
	image_put(im, out, t->count + 1, 4);
	for (unsigned i = 0; i < t->count; i++)
		image_put(im, out, 4 * GO_PARTS_MAX + p->file[i], 4);
	image_pad(out, 4 * GO_PARTS_MAX);
	buf_add(out, p->files.data, p->files.len);
}

static inline void go_table_16(const struct image *im, const struct go_table *t,
			       const struct go_parts *p, struct buf *out)
{
	const struct buf *parts[] = { &p->names, &p->units, &p->files, &p->tables };
	size_t place = 128;

	image_word(im, out, t->count); /* files */
	if (t->version >= 18)
		image_word(im, out, t->relocated ? 0 : t->code);
	for (unsigned i = 0; i < ARRAY_SIZE(parts); i++) {
		image_word(im, out, place);
		place = (place + parts[i]->len + 7) & ~(size_t)7;
	}
	image_word(im, out, place);
	image_pad(out, 128);
	for (unsigned i = 0; i < ARRAY_SIZE(parts); i++) {
		buf_add(out, parts[i]->data, parts[i]->len);
		image_pad(out, (out->len + 7) & ~(size_t)7);
	}
	go_functions(im, t, p, out, 0);
}

/* The table's bytes. */
static inline struct buf go_table_make(const struct image *im, const struct go_table *t)
{
	static const uint32_t magics[][2] = {
		{ 2, 0xfffffffb }, { 16, 0xfffffffa }, { 18, 0xfffffff0 }, { 20, 0xfffffff1 }
	};
	struct go_parts p = { 0 };
	struct buf out = { 0 };

	go_collect(im, t, &p);
	for (unsigned i = 0; i < ARRAY_SIZE(magics); i++) {
		if (magics[i][0] == t->version)
			image_put(im, &out, magics[i][1], 4);
	}
	image_put(im, &out, 0, 2);
	image_put(im, &out, 1, 1);
	image_put(im, &out, im->narrow ? 4 : 8, 1);
	image_word(im, &out, t->count);
	if (t->version == 2)
		go_table_2(im, t, &p, &out);
	else
		go_table_16(im, t, &p, &out);
	buf_release(&p.names);
	buf_release(&p.files);
	buf_release(&p.tables);
	buf_release(&p.units);
	return out;
}

#endif
