/* Command-line options: those that every analyzer shares, the analyzer's own, the format's. */
#ifndef PDTOOL_OPTIONS_H
#define PDTOOL_OPTIONS_H

#include "analyzers/analyzer.h"
#include "cli/report.h"
#include "formats/format.h"
#include "parser/base/watched.h"
#include "parser/session.h"

enum exit_status {
	EXIT_COMPLETE = 0,
	EXIT_ERROR = 1,
	EXIT_USAGE = 2,
	EXIT_PARTIAL = 3, /* with --strict */
	EXIT_THRESHOLD = 4,
	EXIT_VOID = 5,	 /* a comparison that says nothing */
	EXIT_PIPE = 141, /* the reader of the output went away */
};

/* Say what is wrong with the command line; EXIT_USAGE. */
#define usage_error(...) (say(__VA_ARGS__), EXIT_USAGE)

enum colour_when { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

struct config;

#define MADE_MAX 4

struct common_options {
	/* Filters, and where names come from: what other commands are given, too (note_shared). */
	struct filter filter;
	struct symbol_options symbols;
	struct name_list perf_map_dirs;
	struct name_list perf_maps; /* PID=FILE */
	struct name_list sources;   /* of --symbols */
	const char *debuginfod;	    /* URLs; "": those of the environment; NULL: not asked for */
	bool no_inline;
	/* The run itself. */
	struct name_list lists;	       /* files that lists of names came from */
	struct name_list shared;       /* see struct inputs */
	struct watched made[MADE_MAX]; /* files that are there and are written over */
	size_t made_count;
	const char *format, *output, *input;
	uint64_t jobs, limit, max_memory; /* bytes; 0: the default */
	enum colour_when colour;
	bool jobs_given, quiet, strict, progress, help, usage, force, verbose;
	bool allow_empty, no_config, limit_given, wide, no_pager, paginate, no_sandbox;
	/* operands, -i, and what OPT_INPUTS options brought; more than none */
	const char **files;
	const char **file_options; /* by file: see struct inputs */
	size_t file_count;
	struct config *config; /* what values point into; NULL: not read */
};

extern const struct option common_table[]; /* of a struct common_options */

/* The rows that hold for a command, those of tables in tables among them. ROWS_PEER: other tools'
 * names of them, which only parsing knows. */
enum row_group { ROWS_OWN, ROWS_FORMAT, ROWS_PEER, ROWS_COMMON, ROW_GROUPS };

struct row {
	const struct option *option;
	enum row_group group;
	const struct format *format; /* of ROWS_FORMAT */
	void *base; /* the struct that its offset counts in; NULL: none, its rows only tell */
	bool given;
	bool settled; /* given where it counts more than where it is looked for now */
};

#define ROWS_MAX 192

struct rows {
	struct row list[ROWS_MAX];
	size_t count;
	void *format_options[8]; /* by place in formats[]; NULL: it has none */
	union {
		uint64_t number;
		const char *text;
	} accepted; /* where the options of peers go that ask for what always holds */
};

/* May O stand in the settings? What names a result's files or asks for help may not. */
bool option_is_setting(const struct option *o);
/* The variable that a common option may be in, PDTOOL_NO_INLINE. */
void option_variable(const struct option *o, struct buf *out);
/* Table I of the names that COMMAND's options have in other tools; NULL behind the last. A name of
 * no letters is a short option alone. */
const struct option *peer_options(const char *command, size_t i);

/* The options of format F, for its style; NULL: it has none. */
const void *rows_format_options(const struct rows *r, const struct format *f);
/* Was the option NAME given? */
bool rows_given(const struct rows *r, const char *name);
/* STATE is of A; STATE and O may be NULL where nothing is parsed. */
void rows_init(struct rows *r, const struct analyzer *a, void *state, struct common_options *o);

/* Parse ARGV (without the command's name) by ROWS into O and the state of A. 0, or EXIT_USAGE after
 * a message. */
int options_parse(struct rows *rows, struct common_options *o, const struct analyzer *a,
		  char **argv);
/* What the rows and O own. */
void options_release(struct rows *rows, struct common_options *o);
/* What stands behind the options in line I of A's usage; NULL: there is no such line. */
const char *options_usage(const struct analyzer *a, size_t i);

#endif
