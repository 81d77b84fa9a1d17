/* Reads code bytes of a jitdump at an offset that was found when its records were indexed. The
 * file is read again each time; nothing is mapped. */
#include "parser/names/jit/jitcode.h"
#include "parser/names/elf/filewindow.h"

#include <elf.h>
#include <string.h>

size_t jitcode_read(const struct jitdump *d, uint64_t offset, uint8_t *to, size_t size)
{
	size_t have = 0;
	struct window w;

	if (window_open(&w, d->reach, d->path) < 0)
		return 0;
	while (have < size) {
		size_t n = size - have < WINDOW_SIZE ? size - have : WINDOW_SIZE;
		const uint8_t *bytes = window_at(&w, offset + have, n);

		if (!bytes)
			break;
		memcpy(to + have, bytes, n);
		have += n;
	}
	window_close(&w);
	return have;
}

uint64_t jitcode_address(const struct jitdump *d, uint64_t offset)
{
	for (size_t i = 0; i < d->range_count; i++) {
		if (d->ranges[i].pgoff == offset)
			return d->ranges[i].start;
	}
	return offset;
}

struct disasm_machine jitcode_machine(const struct jitdump *d)
{
	bool host_is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	return (struct disasm_machine){ .machine = d->machine,
					.is_64 = d->machine != EM_MIPS,
					.big_endian = d->swap != host_is_big };
}
