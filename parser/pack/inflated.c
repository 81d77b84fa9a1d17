/* The inflated sections are put behind the file; their headers are changed to say so. */
#include "parser/pack/inflated.h"
#include "parser/base/buf.h"
#include "parser/pack/elfheads.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#define INFLATED_MAX (256u << 20) /* bytes of a file */

/* Append the contents of SCN, and say in the header at HEADER that they are there. */
static bool inflate(struct buf *image, Elf_Scn *scn, Elf *elf, uint64_t header)
{
	GElf_Shdr h;
	Elf_Data *data;

	if (elf_compress(scn, 0, 0) < 0 || !gelf_getshdr(scn, &h) ||
	    !(data = elf_getdata(scn, NULL)) || image->len + data->d_size > INFLATED_MAX ||
	    header + h.sh_entsize > image->len)
		return false;
	while (image->len % 16)
		buf_char(image, '\0');
	h.sh_offset = image->len;
	h.sh_size = data->d_size;
	buf_add(image, data->d_buf, data->d_size);
	return elfheads_put_section(image->data + header, &h, elf);
}

static bool is_packed(Elf_Scn *scn, uint64_t *claims)
{
	GElf_Shdr h;
	GElf_Chdr c;

	*claims = 0;
	if (!gelf_getshdr(scn, &h) || !(h.sh_flags & SHF_COMPRESSED) || !gelf_getchdr(scn, &c))
		return false;
	*claims = c.ch_size;
	return true;
}

/* What they claim to hold; 0: there are none. */
static uint64_t claimed(Elf *elf)
{
	Elf_Scn *scn = NULL;
	uint64_t sum = 0, one;

	while ((scn = elf_nextscn(elf, scn)) && sum <= INFLATED_MAX) {
		if (is_packed(scn, &one))
			sum += one < INFLATED_MAX ? one : INFLATED_MAX;
	}
	return sum;
}

static bool make_image(struct buf *image, Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Ehdr e;
	size_t size, count;
	uint64_t ignored;
	const char *raw = elf_rawfile(elf, &size);

	if (!raw || !gelf_getehdr(elf, &e) || elf_getshdrnum(elf, &count) || size > INFLATED_MAX ||
	    e.e_shoff > size || count > (size - e.e_shoff) / (e.e_shentsize ? e.e_shentsize : 1))
		return false;
	buf_add(image, raw, size);
	while ((scn = elf_nextscn(elf, scn))) {
		if (is_packed(scn, &ignored) &&
		    !inflate(image, scn, elf, e.e_shoff + elf_ndxscn(scn) * e.e_shentsize))
			return false;
	}
	return true;
}

bool inflated_make(struct inflated *out, struct elf_file *f)
{
	Elf *elf = (Elf *)elf_file_elf(f);
	uint64_t bytes = claimed(elf);
	struct buf image = { 0 };

	*out = (struct inflated){ 0 };
	if (!bytes || bytes > INFLATED_MAX)
		return false;
	if (make_image(&image, elf))
		out->file = elf_file_memory(image.data, image.len, NULL);
	out->image = image.data;
	if (!out->file)
		inflated_release(out);
	return out->file;
}

void inflated_release(struct inflated *i)
{
	elf_file_free(i->file);
	free(i->image);
	*i = (struct inflated){ 0 };
}
