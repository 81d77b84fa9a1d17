/* One record at a time. Of .eh_frame_hdr only the size is used: it lists what a look at so short an
 * .eh_frame shows. */
#include "parser/names/jit/jitframes.h"
#include "parser/base/cursor.h"
#include "parser/base/mem.h"
#include "parser/names/elf/filewindow.h"

#include <stdlib.h>

#define INFO_SIZE  40
#define FRAMES_MAX (1u << 16) /* bytes: V8's longest functions need a tenth of it */

struct jit_frames {
	const struct jitdump *dump;
	struct window w;
};

struct jit_frames *jit_frames_open(const struct jitdump *d)
{
	struct jit_frames *f = xcalloc(1, sizeof(*f));

	f->dump = d;
	if (window_open(&f->w, d->reach, d->path) == 0)
		return f;
	free(f);
	return NULL;
}

void jit_frames_close(struct jit_frames *f)
{
	if (!f)
		return;
	window_close(&f->w);
	free(f);
}

const uint8_t *jit_frames_read(struct jit_frames *f, const struct jit_function *fn, size_t *size)
{
	const uint8_t *p = fn->unwinding ? window_at(&f->w, fn->unwinding, INFO_SIZE) : NULL;
	struct cursor c = cursor_make(p, p ? INFO_SIZE : 0, f->dump->swap);
	uint64_t record, both, header;

	cursor_skip(&c, 4);
	record = cursor_u32(&c);
	cursor_skip(&c, 8);
	both = cursor_u64(&c);
	header = cursor_u64(&c);
	if (c.bad || record < INFO_SIZE || both > record - INFO_SIZE || header >= both ||
	    both - header > FRAMES_MAX)
		return NULL;
	*size = (size_t)(both - header);
	return window_at(&f->w, fn->unwinding + INFO_SIZE, *size);
}

uint64_t jit_frames_code(bool is_64)
{
	/* an ELF header and one program header, rounded up to 16 */
	return is_64 ? 0x80 : 0x60;
}

uint64_t jit_frames_section(const struct jit_function *fn, bool is_64)
{
	return (jit_frames_code(is_64) + fn->size + 7) & ~(uint64_t)7;
}
