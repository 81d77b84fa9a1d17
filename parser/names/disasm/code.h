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

#define CODE_NO_TARGET UINT64_MAX

enum code_kind {
	CODE_INSN,   /* an instruction, perhaps only its length is known */
	CODE_BYTES,  /* what could not be decoded, up to the next boundary */
	CODE_DATA,   /* data among the code, as the file's symbols say */
	CODE_INSIDE, /* a sampled address within what stands before it */
	CODE_ABSENT, /* a sampled address whose code is not at hand */
};

struct code_insn {
	uint64_t addr;	    /* as the file counts: a location's plus shift */
	uint64_t target;    /* of a jump or call that names it, else CODE_NO_TARGET */
	const char *text;   /* NULL: only the length is known */
	const char *label;  /* of a target outside the function: "memcpy+0x10"; else NULL */
	const char *file;   /* of the source; NULL: not known */
	const char *source; /* that line, where it is not the row before; NULL: not at hand */
	uint32_t line;
	uint32_t size; /* bytes; 0 of CODE_INSIDE and CODE_ABSENT */
	uint8_t kind;  /* enum code_kind */
	bool jump;     /* the target is jumped to, not called */
};

struct code {
	struct code_insn *insns; /* by address; every sampled address is that of one */
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
	size_t stretches;     /* of CODE_BYTES */
	uint64_t stretch_bytes;
	size_t inside; /* sampled addresses that are no instruction's */
	struct arena arena;
	struct lines *lines; /* the texts of lines */
	struct srctext *sources;
};

struct code_query {
	struct loc loc;		 /* in the function; set by session_code() */
	const uint64_t *sampled; /* addresses of locations in it, ascending, each once */
	size_t count;
	const struct symbol_options *symbols; /* set by session_code() */
	size_t max_bytes; /* of code; what lies behind has its samples, but not its instructions */
	bool intel;	  /* x86 as Intel writes it, else as AT&T does */
	bool lines;	  /* the source line of each */
	bool sources;	  /* and its text */
};

/* Fill C. N: what names_resolve() found. False: no symbol is there. To be released also then. */
bool code_load(struct code *c, const struct names *n, const struct code_query *q);
void code_release(struct code *c);

#endif
