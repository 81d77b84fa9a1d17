/* An ELF file with a .gopclntab and no symbols: what `go build -ldflags='-s -w'` leaves. */
#ifndef PDTOOL_TESTS_GOIMAGE_H
#define PDTOOL_TESTS_GOIMAGE_H

#include "tests/lib/gotable.h"

/* Relocations of what the relocated TABLE at ADDR leaves zero: the list of addresses (Go 1.2:
 * behind the header; 1.16: where the header's seventh word says), or the address of the code. */
static inline struct buf go_relocations(const struct image *im, const struct go_table *t,
					const struct buf *table, uint64_t addr)
{
	unsigned width = im->narrow ? 4 : 8;
	uint64_t value = t->code, place = 8 + width;
	struct buf out = { 0 };

	if (t->version >= 18) {
		place += width;
	} else if (t->version == 16) {
		const uint8_t *word = (const uint8_t *)table->data + 8 + 6 * width;

		place = 0;
		for (unsigned i = 0; i < width; i++)
			place = place << 8 | word[im->big ? i : width - 1 - i];
	}
	place += addr;
	for (unsigned i = 0; i <= (t->version >= 18 ? 0 : t->count); i++) {
		image_word(im, &out, place);
		image_word(im, &out, 8); /* R_X86_64_RELATIVE, no symbol */
		image_word(im, &out, value);
		value += t->functions[i % t->count].size;
		place += 2 * width;
	}
	return out;
}

/* The whole file. SECTION is the table's name. */
static inline void go_image(struct image *im, const struct go_table *t, const char *section)
{
	static const uint8_t code[256];
	struct buf table = go_table_make(im, t), relocs = { 0 };
	uint64_t at;

	image_section(im, ".text", code, sizeof(code));
	at = image_section(im, section, table.data, table.len);
	(void)image_section(im, ".go.buildinfo", "\377 Go buildinf:", 14);
	if (t->relocated) {
		relocs = go_relocations(im, t, &table, at);
		image_section(im, ".rela.dyn", relocs.data, relocs.len);
		im->sections[im->count - 1].type = SHT_RELA;
	}
	buf_release(&table);
	buf_release(&relocs);
}

#endif
