/* How a number looks to a person: its unit, its digits, its percent sign. The text format and every
 * drawing ask here; what machines read is in cell.h. */
#ifndef PDTOOL_NUMBER_H
#define PDTOOL_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/model/column.h"

#define NUMBER_TEXT 64

/* From the smallest; so much of what is counted is one of it. */
struct number_unit {
	double one;
	const char *name;
};

/* What of a cell holds its number. */
enum held { HELD_NONE, HELD_COUNT, HELD_DELTA, HELD_REAL };

/* What a type of column means, for all who write its numbers. */
struct column_kind {
	const struct number_unit *units;
	size_t unit_count;
	enum held held;
	const char *unit;	/* what machines read behind a number in a fact */
	const char *script;	/* the unit in which a script gets them */
	const char *endings[2]; /* of names: the unit, which people read elsewhere */
};

extern const struct column_kind column_kinds[COLUMN_TYPES];

/* One unit, and as many decimals, for numbers that stand below each other. */
struct number_scale {
	double one; /* so many of the column's numbers are one of the unit */
	unsigned decimals;
	const char
		*unit; /* "ms", "MiB", "k"; "" where it has none, or where each number shows it */
	const char *after; /* behind each number: "%" */
	bool grouped, is_signed;
	/* so many are one of the last digit, where that is known: see number_counted() */
	uint64_t step;
};

/* For numbers of TYPE up to MOST (without its sign); DECIMALS are those of a real number. */
struct number_scale number_scale(enum column_type type, unsigned decimals, double most);
/* S, in the unit that all durations of a table have, which are MOST ns at most: perf's milliseconds
 * with three decimals, unless they would be too short or too long for these. */
void number_durations(struct number_scale *s, double most);
char *number_scaled(char text[NUMBER_TEXT], double value, const struct number_scale *scale);
/* The same text for a count, by integers alone: *LEN bytes somewhere in TEXT, no NUL. NULL: only
 * number_scaled() knows. */
const char *number_counted(char text[NUMBER_TEXT], uint64_t value, const struct number_scale *scale,
			   size_t *len);

/* A number that stands alone: "1.85 s", "12.5 MiB", "1,234,567", "12.35%". Amounts with a unit have
 * four digits. */
const char *number_alone(char text[NUMBER_TEXT], double value, enum column_type type);
/* With all of its digits, for what is only told apart by them: "1.024001 ms", "1234567". */
const char *number_exact(char text[NUMBER_TEXT], uint64_t value, enum column_type type);
/* On an axis: in the unit that suits HIGH, with the decimals by which multiples of STEP differ. */
void number_tick(char text[NUMBER_TEXT], uint64_t value, uint64_t high, uint64_t step,
		 enum column_type type);
/* How many decimals multiples of STEP have in a unit of ONE, a power of ten. */
unsigned number_decimals(uint64_t step, uint64_t one);

/* VALUE with so many decimals, rounded as printf rounds, and its sign, which nothing has; thousands
 * are separated by commas. */
const char *number_change(char text[NUMBER_TEXT], double value, unsigned decimals);
/* PART of WHOLE: "12.35%" */
const char *number_share(char text[NUMBER_TEXT], double part, double whole);

/* For "%s" in a call: they last as long as the block around it. */
#define NUMBER_ROOM         \
	(char[NUMBER_TEXT]) \
	{                   \
		0           \
	}
#define ALONE(value, type)	number_alone(NUMBER_ROOM, (double)(value), type)
#define EXACT(value, type)	number_exact(NUMBER_ROOM, value, type)
#define SHARE(part, whole)	number_share(NUMBER_ROOM, (double)(part), (double)(whole))
#define CHANGE(value, decimals) number_change(NUMBER_ROOM, value, decimals)

#endif
