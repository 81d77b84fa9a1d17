/* What the file of a module holds, for who makes other files for it: where its code is, and the
 * symbols of that. Part of libpdtool; pdtool.h has the rules. After pdt_resolve(); of modules in
 * which locations are (PDT_MODULE_LOCATIONS). */
#ifndef PDTOOL_BINARY_H
#define PDTOOL_BINARY_H

#include "pdtool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A segment of an ELF file that may be executed. Stays as it is. */
struct pdt_segment {
	uint64_t address; /* as the file counts (p_vaddr) */
	uint64_t offset;  /* in the file: that of locations, pdt_location_offset() */
	uint64_t size;	  /* bytes in the file */
};

/* The I-th of MODULE, by the headers of the file that its names came from: 1; 0: there is no I-th,
 * or no file. */
PDT_API int pdt_segment(const struct pdt_session *s, uint32_t module, size_t i,
			struct pdt_segment *out);

/* A function, or a stub of the PLT ("puts@plt"). Stays as it is. */
struct pdt_symbol {
	const char *name;     /* that of the linker */
	uint64_t offset, end; /* as locations have them; behind it */
	bool local;	      /* others of that name may be in the file */
	uint8_t reserved[7];
};

/* The I-th of MODULE, by offset: 1; 0: there is no I-th. With PDT_WANT_UNSAMPLED all of them, else
 * those that locations are in, and others perhaps. */
PDT_API int pdt_symbol(const struct pdt_session *s, uint32_t module, size_t i,
		       struct pdt_symbol *out);

#ifdef __cplusplus
}
#endif

#endif
