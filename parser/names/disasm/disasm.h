/* One instruction as text, for the machine that an ELF file was made for, whatever this host is.
 *
 * capstone makes the text; it is loaded when the first instruction is asked for, since linking it
 * would cost every command 1 ms of relocations. How long an instruction is, is known without it
 * wherever the encoding says so. */
#ifndef PDTOOL_SYMBOLS_DISASM_H
#define PDTOOL_SYMBOLS_DISASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/names/elf/elffile.h"

#define DISASM_NO_TARGET UINT64_MAX

struct disasm;

struct disasm_insn {
	char text[224];	 /* "" where only the length is known */
	unsigned size;	 /* bytes */
	uint64_t target; /* of a jump or call that names its target, else DISASM_NO_TARGET */
	bool jump;	 /* the target is jumped to, not called */
	bool bare;	 /* the text has no operands */
	bool own;	 /* the text is not capstone's, which knows no such instruction */
};

/* What code was made for. */
struct disasm_machine {
	uint16_t machine; /* EM_* */
	uint32_t flags;	  /* e_flags */
	bool is_64, big_endian;
};

struct disasm_machine disasm_machine_of(const struct elf_file *f);

/* INTEL: x86 as Intel writes it, else as AT&T does. Never NULL. */
struct disasm *disasm_new(const struct disasm_machine *m, bool intel);
void disasm_free(struct disasm *d);
/* "x86-64", "RISC-V" ... */
const char *disasm_name(const struct disasm *d);
/* Why there is no text for any instruction; NULL: there is. */
const char *disasm_refusal(struct disasm *d);
/* 32-bit ARM: from now on decode Thumb, or ARM. */
void disasm_thumb(struct disasm *d, bool thumb);
/* Has the machine the two states that disasm_thumb() chooses from? */
bool disasm_has_thumb(const struct disasm *d);
/* The instruction at CODE, of which LEFT bytes are there, which lies at ADDR. False: it is not
 * known where it ends. */
bool disasm_one(struct disasm *d, const uint8_t *code, size_t left, uint64_t addr,
		struct disasm_insn *out);

#endif
