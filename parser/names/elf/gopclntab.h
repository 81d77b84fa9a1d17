/* The function table of a Go program (.gopclntab; runtime/symtab.go and debug/gosym of Go): names
 * and source lines, which the Go runtime itself needs, so that no strip takes them away.
 *
 * All numbers have the program's byte order; a word is PTRSIZE bytes. First the header:
 *
 *   OFFSET SIZE MEANING
 *        0    4 magic: 0xfffffffb (Go 1.2), fffffffa (1.16), fffffff0 (1.18), fffffff1 (1.20)
 *        4    2 zero
 *        6    1 quantum: what program counters are multiples of (1, 2 or 4)
 *        7    1 ptrsize (4 or 8)
 *        8      words: functions; from 1.16 on also files; from 1.18 on also the address of the
 *               code; from 1.16 on then where in the table these parts begin: names of functions,
 *               units, names of files, program counter tables, functions
 *
 * The part of functions begins with pairs (address, where the function's entry lies in this part),
 * ascending, and the end of the last function; words, or from 1.18 on u32, the addresses from the
 * start of the code. In Go 1.2 it follows the header, and all places count from the header. Behind
 * it stands there, as u32, where the list of files is. An entry:
 *
 *   OFFSET SIZE MEANING (behind the function's address: a word, or u32 from 1.18 on)
 *        0    4 name              4    4 size of arguments     8    4 (differs)
 *       12    4 table of stack sizes    16    4 table of files    20    4 table of lines
 *       24    4 (count)          28    4 first file of the unit (from 1.16 on)
 *
 * A table of values by program counter: pairs of LEB128, the change of the value (zigzag, from -1)
 * and how far it holds (in quanta), until a change of 0. */
#ifndef PDTOOL_SYMBOLS_GOPCLNTAB_H
#define PDTOOL_SYMBOLS_GOPCLNTAB_H

#include <stdbool.h>
#include <stdint.h>

#include "parser/base/cursor.h"
#include "parser/names/elf/elffile.h"
#include "parser/names/symtab.h"

struct gopclntab {
	struct cursor whole; /* the table's bytes */
	uint8_t *copy;	     /* owned: relocated, where that was needed; else NULL */
	uint64_t count;	     /* of functions */
	uint64_t code;	     /* what addresses are counted from */
	size_t names, units, files, tables, functions; /* where these parts begin */
	const char *text;  /* the bytes as they are in F: where names are taken from */
	size_t terminated; /* what begins before this ends with a NUL */
	unsigned version, ptrsize, quantum;
};

/* Find F's table; *T points into F, which must outlive it. ERR_ABSENT: there is none; ERR_FORMAT:
 * it makes no sense. */
int gopclntab_open(struct gopclntab *t, struct elf_file *f) CHECKED;
void gopclntab_close(struct gopclntab *t);

/* Add to OUT, which is finished and counts in file offsets, the functions of F whose beginnings
 * have no name there, and finish it again. Names point into F. */
void gopclntab_add(struct symtab *out, struct elf_file *f);

/* The line of the instruction at ADDR, as F counts addresses; *FILE points into F. False: it is not
 * told. */
bool gopclntab_line(const struct gopclntab *t, uint64_t addr, const char **file, uint32_t *line);

/* Tell where in F's section of that name (".gopclntab") the names of files have their directories.
 * ERR_FORMAT: they cannot be told from the rest. */
int gopclntab_directories(struct elf_file *f, void (*take)(void *ctx, uint64_t start, uint64_t end),
			  void *ctx) CHECKED;

#endif
