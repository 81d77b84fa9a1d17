/* Source of the form: perf 6.12, tools/perf/builtin-script.c, sample__fprintf_bpf_output();
 * util/print_binary.c. */
#include "analyzers/script/bpfoutput.h"
#include "parser/base/utf8.h"

#include <string.h>

#define LINE_BYTES 8

/* lib/ctype.c of the kernel: in Latin-1 */
static bool is_print(uint8_t c)
{
	return (c >= ' ' && c < 0x7f) || c >= 0xa0;
}

/* One text, and behind its end nothing but zeros? */
static bool is_text(const uint8_t *raw, size_t size)
{
	size_t len = strnlen((const char *)raw, size);

	for (size_t i = 0; i < size; i++) {
		if (i < len ? !is_print(raw[i]) : raw[i] != 0)
			return false;
	}
	return len < size;
}

static void put_line(const uint8_t *raw, size_t at, size_t count, struct buf *out)
{
	size_t from;

	buf_printf(out, "%17s %04zx:", at ? "" : "BPF output:", at);
	for (size_t i = 0; i < LINE_BYTES; i++) {
		if (i < count)
			buf_printf(out, " %02x", raw[at + i]);
		else
			buf_str(out, "   ");
	}
	buf_str(out, "  ");
	from = out->len;
	for (size_t i = 0; i < count; i++)
		buf_char(out, is_print(raw[at + i]) ? (char)raw[at + i] : '.');
	make_safe(out, from);
	buf_printf(out, "%*s\n", (int)(LINE_BYTES - count), "");
}

void bpf_output_put(const uint8_t *raw, size_t size, struct buf *out)
{
	size_t from;

	buf_char(out, '\n');
	for (size_t at = 0; at < size; at += LINE_BYTES)
		put_line(raw, at, size - at < LINE_BYTES ? size - at : LINE_BYTES, out);
	if (!size || !is_text(raw, size))
		return;
	buf_printf(out, "%17s \"", "BPF string:");
	from = out->len;
	buf_str(out, (const char *)raw);
	make_safe(out, from);
	buf_str(out, "\"\n");
}
