/* Where the fields of a tracepoint lie, found out once: its payloads are then read by loads. Who
 * has events of which any field lies elsewhere, or whose payload is too short, asks
 * pdt_event_number() and its like. */
#ifndef PDTOOL_FIELD_PLACE_H
#define PDTOOL_FIELD_PLACE_H

#include "parser/pdtool_capture.h"

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct field_place {
	uint64_t mask; /* 0: there is none, and so it is 0 */
	uint16_t at, size;
};

/* Whatever is missing lies at 0 and is read, too: payloads have so many bytes at least. */
#define FIELD_PLACES_END 16

/* Where F lies, KIND (enum pdt_field_kind; a number may be signed) of SIZE bytes; NULL: what is
 * missing is 0. *END grows to its end. False: F is not that. */
static inline bool field_lay(const struct pdt_field *f, int kind, uint32_t size,
			     struct field_place *to, uint32_t *end)
{
	uint32_t offset, have;
	int is;

	if (!f)
		return true;
	is = pdt_field_kind(f) == PDT_FIELD_SIGNED ? PDT_FIELD_NUMBER : pdt_field_kind(f);
	if (!pdt_field_place(f, &offset, &have) || is != kind || have != size ||
	    offset > UINT16_MAX || size > UINT16_MAX)
		return false;
	*to = (struct field_place){ UINT64_MAX, (uint16_t)offset, (uint16_t)size };
	*end = offset + size > *end ? offset + size : *end;
	return true;
}

static inline uint32_t field_u32(const uint8_t *payload, const struct field_place *f)
{
	uint32_t v;

	memcpy(&v, payload + f->at, sizeof(v));
	return v & (uint32_t)f->mask;
}

static inline uint64_t field_u64(const uint8_t *payload, const struct field_place *f)
{
	uint64_t v;

	memcpy(&v, payload + f->at, sizeof(v));
	return v & f->mask;
}

/* Of the bytes of V, the first one in the lowest, those before the first NUL. */
static inline uint64_t before_nul(uint64_t v)
{
	uint64_t nul = (v - 0x0101010101010101) & ~v & 0x8080808080808080;

	return nul ? v & (((nul & -nul) >> 7) - 1) : v;
}

/* A text of 8 to 16 bytes, the last of 16 is taken for a NUL: TO has NULs behind it. */
static inline void field_text(const uint8_t *payload, const struct field_place *f, char to[16])
{
	unsigned more = f->mask ? f->size - 8u : 0; /* bytes of the second half */
	uint64_t half[2] = { 0, 0 }, v;

	memcpy(&v, payload + f->at, sizeof(v));
	half[0] = before_nul(le64toh(v) & f->mask);
	if (more && half[0] >> 56) {
		memcpy(&v, payload + f->at + more, sizeof(v));
		v = le64toh(v) >> 8 * (8 - more);
		half[1] = before_nul(v & UINT64_MAX >> 8);
	}
	half[0] = htole64(half[0]);
	half[1] = htole64(half[1]);
	memcpy(to, half, sizeof(half));
}

#endif
