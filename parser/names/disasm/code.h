/* The code of one function: its instructions, where each begins, and the source line of each.
 *
 * Instructions are found from the start of the function on. Where one cannot be decoded, what comes
 * up to the next known boundary stays bytes: a sampled address, a line of the source, the target of
 * a jump, a change between code and data. */
#ifndef PDTOOL_SYMBOLS_CODE_H
#define PDTOOL_SYMBOLS_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/arena.h"
#include "parser/names/names.h"

struct lines;
struct srctext;

struct pdt_code {
	struct pdt_insn *insns; /* by address; every sampled address is that of one */
	size_t count, cap;
	uint64_t start, end;  /* of the function; exclusive */
	uint64_t shift;	      /* address here = address of a location + shift */
	const uint8_t *bytes; /* from start on; NULL: none */
	const char *path;     /* of the file that has them */
	const char *debug;    /* of the file that lines came from; NULL: none */
	const char *machine;  /* "x86-64"; NULL without code */
	const char *refusal;  /* why there are no instructions; NULL: there are */
	uint64_t cut_bytes;   /* at the end of a function that is too large */
	size_t unnamed;	      /* instructions of which only the length is known */
	size_t stretches;     /* of PDT_INSN_BYTES */
	uint64_t stretch_bytes;
	size_t inside; /* sampled addresses that are no instruction's */
	struct arena arena;
	struct lines *lines; /* the texts of lines */
	struct srctext *sources;
};

struct code_query {
	struct loc loc; /* in the function */
	const struct symbol_options *symbols;
	const struct pdt_code_query *asked;
};

/* Fill C. N: what names_resolve() found. False: no symbol is there. To be released also then. */
bool code_load(struct pdt_code *c, const struct names *n, const struct code_query *q);
void code_release(struct pdt_code *c);

#endif
