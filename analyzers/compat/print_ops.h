/* A compiled print format: what print_compile.c makes and print_run.c runs. */
#ifndef PDTOOL_PRINT_OPS_H
#define PDTOOL_PRINT_OPS_H

#include "analyzers/compat/print_format.h"
#include "parser/base/arena.h"

/* How deep expressions may be, how long a format and what is made of it may become, and how wide an
 * argument is shown. Of Linux' own the longest has 5,000 bytes. */
#define PRINT_DEPTH	 64
#define PRINT_BYTES_MAX	 (16u << 10)
#define PRINT_WIDTH_MAX	 4096
#define PRINT_OPS_MAX	 8192
#define PRINT_PIECES_MAX 512

/* What waits for its right side, or its end, and what is done then. Higher binds closer. */
enum print_op {
	OP_NONE,
	OP_OPEN, /* "(", and the functions: wait for their end */
	OP_FLAGS,
	OP_SYMBOLIC,
	OP_HEX,
	OP_HEX_STR,
	OP_ARRAY,
	OP_EXPECT,
	OP_INDEX, /* "[" */
	OP_IF,	  /* waits for its ':' */
	OP_CHOOSE,
	OP_OR_ELSE,
	OP_AND_THEN,
	OP_OR,
	OP_XOR,
	OP_AND,
	OP_EQUAL,
	OP_NOT_EQUAL,
	OP_LESS,
	OP_LESS_EQUAL,
	OP_GREATER,
	OP_GREATER_EQUAL,
	OP_LEFT,
	OP_RIGHT,
	OP_ADD,
	OP_SUBTRACT,
	OP_MULTIPLY,
	OP_DIVIDE,
	OP_REST,
	OP_NOT,
	OP_COMPLEMENT,
	OP_NEGATIVE,
	OP_CAST, /* to the width in number: a mask, 0: none */
	/* operands */
	OP_NUMBER,
	OP_TEXT,
	OP_FIELD,
	OP_ELEMENT, /* of a field, NUMBER bytes AT its beginning: a field and a constant in "[]" */
	OP_STR,	    /* __get_str() */
	OP_BITMASK, /* __get_bitmask() */
	OP_CPUMASK,
	OP_DYNAMIC, /* __get_dynamic_array() */
	OP_LENGTH,  /* __get_dynamic_array_len() */
};

struct print_entry {
	int64_t value; /* -1: a name that nobody knows */
	const char *text;
	size_t len;
};

/* The table of __print_flags() or __print_symbolic(). */
struct print_list {
	const char *delimiter;
	size_t delimiter_len;
	const struct print_entry *entries;
	size_t count;
};

struct print_do {
	enum print_op op;
	uint32_t size; /* of a field, or of its elements: OP_INDEX uses that of its operand */
	uint32_t offset;
	uint64_t number;
	union {
		const struct pdt_field *field;
		const struct print_list *list;
		const char *text;
		uint32_t at;
	};
};

/* How a piece is shown: most are of a few kinds. */
enum print_way {
	WAY_OTHER,
	WAY_LITERAL, /* BUF_SHORT bytes can be read of it */
	WAY_NUMBER,  /* "%u", "%5d", "%08llx" */
	WAY_LIST,    /* "%s" of a table that a number is looked up in */
	WAY_BYTES,   /* "%s" of a field that has its text in it */
};

/* A part of the text: literal, or a conversion of an argument. */
struct print_piece {
	const char *text; /* literal: LEN bytes. A conversion: "%-5" up to its length */
	size_t len;
	char letter;			   /* 0: literal */
	char kind;			   /* of %p: 'S', 's', 'M', 'I', 'U', 'h', or 0 */
	int8_t size;			   /* how many l: -2 to 2 */
	const char *how;		   /* of %p: what stands behind it: "Spc" of "%pISpc" */
	uint32_t first, count;		   /* in ops: the argument */
	uint32_t width_first, width_count; /* that of '*'; 0: none */
	uint8_t way;			   /* enum print_way */
	/* WAY_NUMBER */
	bool sign, hex;
	char pad;
	uint16_t width;
};

struct print_format {
	struct arena arena;
	const struct pdt_format *format;
	struct print_do *ops;
	size_t op_count, op_cap;
	struct print_piece *pieces;
	size_t piece_count, piece_cap;
	bool failed, names;
	bool swap, big;	    /* the byte order is not this machine's; it is big-endian */
	struct buf scratch; /* texts that are put together */
};

/* What an expression is. */
struct print_value {
	uint64_t number;
	const uint8_t *bytes; /* of a field that is no number; NULL: a number */
	size_t len, at;	      /* AT: with BYTES NULL and LEN, the text in scratch */
	uint32_t element;     /* bytes of an element */
	enum print_op from; /* OP_FIELD, OP_STR, OP_TEXT ...: how it is shown; OP_NONE: computed */
};

/* Compile FORMAT->print into P; sets FAILED. */
void print_compile(struct print_format *p);
/* Compute what of COUNT ops has no field in it; how many are left, from the first on. */
uint32_t print_fold(struct print_do *ops, uint32_t count);
/* Are COUNT ops an expression of numbers alone? Then print_sum() is what print_number() is. */
bool print_is_sum(const struct print_do *ops, size_t count);
uint64_t print_sum(const struct print_format *p, const struct print_do *ops, size_t count,
		   const struct pdt_event *e);
/* The value of COUNT ops at OPS; E may be NULL: fields are 0. False: it has none. */
bool print_run(struct print_format *p, const struct print_do *ops, size_t count,
	       const struct pdt_event *e, struct print_value *out);
/* The same of a number alone; 0: it has none. */
uint64_t print_number(struct print_format *p, const struct print_do *ops, size_t count,
		      const struct pdt_event *e);

#endif
