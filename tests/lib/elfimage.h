/* ELF files made by unit tests in memory: a header, one PT_LOAD over everything, sections with
 * given contents. Offsets in the file are its addresses. Either byte order, either class; and the
 * bytes of call frame information to put in. */
#ifndef PDTOOL_TESTS_ELFIMAGE_H
#define PDTOOL_TESTS_ELFIMAGE_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "parser/base/buf.h"
#include "parser/base/mem.h"

#define IMAGE_SECTIONS 8
#define IMAGE_FIRST    0x1000  /* where sections begin */
#define IMAGE_MEMORY   0x10000 /* how far the PT_LOAD reaches */

struct image {
	struct buf b;
	bool big, narrow;
	uint16_t machine;
	unsigned count; /* sections so far, the null section among them */
	struct {
		uint32_t name;
		uint64_t at, size;
		uint32_t type; /* 0: SHT_PROGBITS */
	} sections[IMAGE_SECTIONS];
	struct buf names;
};

/* V in the image's byte order, BYTES wide, at the end of B. */
static inline void image_put(const struct image *im, struct buf *b, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		buf_char(b, (char)(v >> 8 * (im->big ? bytes - 1 - i : i)));
}

static inline void image_word(const struct image *im, struct buf *b, uint64_t v)
{
	image_put(im, b, v, im->narrow ? 4 : 8);
}

static inline void image_pad(struct buf *b, size_t to)
{
	while (b->len < to)
		buf_char(b, 0);
}

static inline void image_init(struct image *im, uint16_t machine, bool narrow, bool big)
{
	memset(im, 0, sizeof(*im));
	im->machine = machine;
	im->narrow = narrow;
	im->big = big;
	im->count = 1;
	buf_char(&im->names, 0);
	image_pad(&im->b, IMAGE_FIRST);
}

/* Append a section; returns its address, which is its offset. */
static inline uint64_t image_section(struct image *im, const char *name, const void *data,
				     size_t size)
{
	unsigned i = im->count++;

	image_pad(&im->b, (im->b.len + 15) & ~(size_t)15);
	im->sections[i].at = im->b.len;
	im->sections[i].size = size;
	im->sections[i].name = (uint32_t)im->names.len;
	buf_add(&im->names, name, strlen(name) + 1);
	if (size)
		buf_add(&im->b, data, size);
	return im->sections[i].at;
}

static inline void image_section_header(struct image *im, struct buf *b, unsigned i)
{
	bool last = i == im->count - 1;

	image_put(im, b, im->sections[i].name, 4);
	image_put(im, b,
		  !i			 ? SHT_NULL
		  : last		 ? SHT_STRTAB
		  : im->sections[i].type ? im->sections[i].type
					 : SHT_PROGBITS,
		  4);
	image_word(im, b, i && !last ? SHF_ALLOC : 0);
	image_word(im, b, last ? 0 : im->sections[i].at);
	image_word(im, b, im->sections[i].at);
	image_word(im, b, im->sections[i].size);
	image_put(im, b, 0, 8);
	image_word(im, b, 1);
	image_word(im, b, 0);
}

static inline void image_program_header(struct image *im, struct buf *b, uint64_t size)
{
	image_put(im, b, PT_LOAD, 4);
	if (!im->narrow)
		image_put(im, b, PF_R | PF_X, 4);
	image_word(im, b, 0);
	image_word(im, b, 0);
	image_word(im, b, 0);
	image_word(im, b, size);
	image_word(im, b, IMAGE_MEMORY);
	if (im->narrow)
		image_put(im, b, PF_R | PF_X, 4);
	image_word(im, b, 0x1000);
}

/* Write the headers. The image is the buffer's bytes from now on. */
static inline void image_finish(struct image *im)
{
	struct buf h = { 0 };
	uint64_t headers;
	unsigned word = im->narrow ? 4 : 8, ehsize = im->narrow ? 52 : 64;

	/* its own name is in it, too: its contents come when its place is known */
	image_section(im, ".shstrtab", NULL, 0);
	im->sections[im->count - 1].size = im->names.len;
	image_pad(&im->b, im->b.len + im->names.len);
	memcpy(im->b.data + im->sections[im->count - 1].at, im->names.data, im->names.len);
	image_pad(&im->b, (im->b.len + 15) & ~(size_t)15);
	headers = im->b.len;
	for (unsigned i = 0; i < im->count; i++)
		image_section_header(im, &im->b, i);
	buf_add(&h, ELFMAG, SELFMAG);
	buf_char(&h, im->narrow ? ELFCLASS32 : ELFCLASS64);
	buf_char(&h, im->big ? ELFDATA2MSB : ELFDATA2LSB);
	buf_char(&h, EV_CURRENT);
	image_pad(&h, EI_NIDENT);
	image_put(im, &h, ET_DYN, 2);
	image_put(im, &h, im->machine, 2);
	image_put(im, &h, EV_CURRENT, 4);
	image_put(im, &h, 0, word);
	image_put(im, &h, ehsize, word);
	image_put(im, &h, headers, word);
	image_put(im, &h, 0, 4);
	image_put(im, &h, ehsize, 2);
	image_put(im, &h, im->narrow ? 32 : 56, 2);
	image_put(im, &h, 1, 2);
	image_put(im, &h, im->narrow ? 40 : 64, 2);
	image_put(im, &h, im->count, 2);
	image_put(im, &h, im->count - 1, 2);
	image_program_header(im, &h, headers);
	memcpy(im->b.data, h.data, h.len);
	buf_release(&h);
}

static inline void image_release(struct image *im)
{
	buf_release(&im->b);
	buf_release(&im->names);
}

#endif
