/* One row for each option of a command or a format: what it is called, what its value may be, where
 * the value goes. Parsing, messages, help, completion and the manual follow from the rows; who
 * declares them finds values of the type named here, checked, and looks at no text. */
#ifndef PDTOOL_OPTION_H
#define PDTOOL_OPTION_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Behind each type: what lies at the row's offset. Lists belong to the parser of options and live
 * until the command ends; a list that is given twice holds both. */
enum option_type {
	OPT_FLAG,	/* bool */
	OPT_WORD,	/* unsigned, or an enum: the place in words */
	OPT_CHOICE,	/* struct word_or_text: a word, or another text */
	OPT_WORDS,	/* struct word_list: "a,b" */
	OPT_COUNT,	/* uint64_t, from least to most */
	OPT_NUMBER,	/* double, the same */
	OPT_PERCENT,	/* double, the same: "5" or "5%" */
	OPT_DURATION,	/* uint64_t ns: "10ms", "1.5s", "200us"; a number alone is of unit */
	OPT_QUANTITY,	/* struct quantity: a number, with one of units */
	OPT_QUANTITIES, /* struct quantity_list: "a,b", or the one word of words for none */
	OPT_SIZE,	/* uint64_t bytes, at least least: "512M" */
	OPT_SIZES,	/* struct num_list: "512,0-64k" */
	OPT_NUMS,	/* struct num_list: "0,2-4" */
	OPT_NAMES,	/* struct name_list: "a,b" or file://PATH */
	OPT_EVENTS,	/* the same of events, whose names may have commas between slashes */
	OPT_FIELDS,	/* struct name_list[2]: "a,b", or "a,b:c,d" where the second ones differ */
	OPT_TEXT,	/* const char *; words are proposals */
	OPT_TEXTS,	/* struct name_list, one entry for each time it is given */
	OPT_PATTERNS,	/* struct pattern_list, the same: NAME=REGEX */
	OPT_FILE,	/* const char * */
	OPT_FILES,	/* struct name_list, one entry for each time it is given */
	OPT_STORE,	/* const char *: a store (parser/store.h), read and written */
	OPT_DIR,	/* const char * */
	OPT_DIRS,	/* struct name_list, one entry for each time it is given */
	OPT_MAYBE,	/* const char *, from --name=VALUE, or --name VALUE where that matches
			   pattern; "" from --name alone */
	OPT_TIMES,	/* const char *: parts of a capture's time, see time_parse() */
	OPT_FILTER,	/* const char *: an expression about fields, see field_filter_new() */
	OPT_ANCHOR,	/* int64_t ns: SECONDS=ISO, the wall clock less the capture's */
	OPT_FORMAT,	/* const char *: a format of the command */
	OPT_SYMBOLS,	/* --symbols: a place to look for symbols, or perf's list of functions */
	OPT_INPUTS,	/* unsigned: inputs, all words up to the next option; how many they are */
	OPT_SAME,	/* nothing: arg is what it stands for, "--y log" */
	OPT_TABLE,	/* the rows of table, their offsets counted from this one's */
};

enum quantity_unit { QUANTITY_PLAIN, QUANTITY_NS, QUANTITY_PERCENT };

struct quantity {
	double number;
	enum quantity_unit unit;
};

#define OPTION_LIST_MAX 256

struct quantity_list {
	struct quantity list[OPTION_LIST_MAX];
	size_t count;
};

struct word_or_text {
	unsigned word;	  /* its place in words; 0 is none of them */
	const char *text; /* as it was given; NULL: it was not */
};

/* Places in the row's words, each once, as first given. */
struct word_list {
	unsigned list[OPTION_LIST_MAX];
	size_t count;
};

#define OPTION_PATTERNS_MAX 64

struct pattern_list {
	struct pattern {
		char *name;
		unsigned kind; /* 0, or one more than the place of its "WORD:" in words */
		regex_t regex; /* POSIX extended */
	} list[OPTION_PATTERNS_MAX];
	size_t count;
};

struct option {
	const char *name;
	char letter; /* 0: none */
	enum option_type type;
	size_t offset;
	/* What the value is called; NULL: words are shown in its place. */
	const char *arg;
	const char *help;
	/* End with NULL. "a|b": b is understood, too. An empty one, the first, stands for an option
	 * that is not given. */
	const char *const *words;
	const char *initial; /* the value where the option is not given, told by the help */
	double least, most;  /* most 0: none; of names and OPT_FIELDS how many */
	bool positive;	     /* 0 is no value */
	bool whole;	     /* of an OPT_NUMBER */
	const char *unit;    /* of numbers without one: "s" */
	unsigned units; /* of quantities: bits 1 << enum quantity_unit, QUANTITY_PLAIN always */
	const char *pattern; /* what a text must match, POSIX extended, in any case */
	const char *wanted;  /* what a value is, for the message about one that is not */
	const char *one_of;  /* of the rows with the same text here, one may be given */
	const char *needs;   /* the option that must be given, too */
	const char *choices; /* what the capture holds of its values: for pdtool list */
	size_t given;	     /* 0, or the offset of a bool: was it given? */
	const struct option *table;
	bool compat_only; /* exists only beside --compat */
	bool written;	  /* of a file: it is written, when all is well. Of a flag: files beside
			     the output are, or beside the input where none is named */
	unsigned shapes;  /* of a format: enum shape, of results in which it means something; 0: all
			   */
};

#endif
