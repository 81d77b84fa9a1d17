/* Locations while events flow, names after the last of them. */
#include "analyzers/memory/access.h"
#include "analyzers/count/namer.h"

#include <inttypes.h>
#include <string.h>

static uint32_t locate(const struct pdt_session *s, const struct pdt_event *e, uint64_t address,
		       int mode)
{
	uint32_t loc;

	return pdt_locate(s, e, address, mode, &loc) < 0 ? PDT_NONE : loc;
}

uint32_t access_code(const struct pdt_session *s, const struct pdt_event *e)
{
	return locate(s, e, e->ip, e->mode);
}

bool access_is_kernel(uint64_t address)
{
	return (int64_t)address < 0;
}

uint32_t access_data(const struct pdt_session *s, const struct pdt_event *e, uint64_t address)
{
	/* the kernel's own are in the upper half, and it works on the process's, too */
	return locate(s, e, address, access_is_kernel(address) ? e->mode : PDT_USER);
}

uint64_t access_line_bytes(const struct pdt_session *s)
{
	static const struct {
		const char *arch;
		uint64_t bytes;
	} others[] = { { "ppc", 128 }, { "s390", 256 } };
	const char *arch = pdt_text(s, PDT_ARCH) ?: "";

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (!strncmp(arch, others[i].arch, strlen(others[i].arch)))
			return others[i].bytes;
	}
	return 64;
}

void access_put_hex(uint64_t v, struct buf *out)
{
	buf_printf(out, "0x%016" PRIx64, v);
}

void access_put_code(const struct pdt_session *s, uint32_t code, struct buf *out)
{
	struct place p = { s, code };
	struct pdt_function f;

	if (code == PDT_NONE) {
		buf_str(out, "[unknown]");
		return;
	}
	f = pdt_function_at(s, code, pdt_function_count(s, code) - 1);
	function_text(&(struct namer_options){ 0 }, &f, p, out);
}

void access_put_data(const struct pdt_session *s, uint32_t data, uint64_t address, struct buf *out)
{
	const char *symbol = data == PDT_NONE ? NULL : pdt_location_symbol(s, data);

	if (symbol)
		buf_printf(out, "%s+0x%" PRIx64, symbol, pdt_location_symbol_offset(s, data));
	else
		access_put_hex(address, out);
}

void access_put_module(const struct pdt_session *s, uint32_t loc, struct buf *out)
{
	bool known = loc != PDT_NONE && pdt_location_module(s, loc);

	buf_str(out, known ? place_of((struct place){ s, loc }) : "[unknown]");
}
