/* Types of C in a print format: how large they are, as far as that matters to its text. */
#ifndef PDTOOL_PRINT_TYPES_H
#define PDTOOL_PRINT_TYPES_H

#include "parser/pdtool_capture.h"

#include <ctype.h>

/* May C be part of a name? */
static inline bool print_is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

bool print_ends_in_star(const char *type, size_t len);
/* The bytes of TYPE; 0: not known, and nothing is cut off. */
unsigned print_type_bytes(const char *type, size_t len);
/* What a cast to TYPE keeps; 0: all. */
uint64_t print_cast_mask(const char *type, size_t len);
/* The words up to a ')' that only a type can be, one blank between them, at most MAX. 0: it is
 * none. *END is behind the ')'. */
size_t print_read_type(const char *p, char *type, size_t max, const char **end);
/* How large an element of F is, by its declaration: "unsigned long args[6]", "__data_loc u32[] x".
 * SIZE: of all of it. */
uint32_t print_element_of(const struct pdt_field *f, uint32_t size);

#endif
