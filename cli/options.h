/* Command-line options: those that every analyzer shares, and the analyzer's own. */
#ifndef PDTOOL_OPTIONS_H
#define PDTOOL_OPTIONS_H

#include "analyzers/analyzer.h"
#include "formats/format.h"

enum exit_status {
	EXIT_COMPLETE = 0,
	EXIT_ERROR = 1,
	EXIT_USAGE = 2,
	EXIT_PARTIAL = 3, /* with --strict */
	EXIT_THRESHOLD = 4,
	EXIT_PIPE = 141, /* the reader of the output went away */
};

struct common_options {
	struct filter filter;
	struct symbol_options symbols;
	struct name_list perf_maps; /* PID=FILE */
	struct name_list sources;   /* of --symbols */
	const char *debuginfod;	    /* URLs; "": those of the environment; NULL: not asked for */
	const char *format, *output, *jobs, *input, *color;
	bool quiet, strict, progress, help, force;
	unsigned verbose;
	struct style style;
	/* operands, -i, and what OPT_FILES options brought; more than none */
	const char **files;
	const char **file_options; /* by file: see struct inputs */
	size_t file_count;
};

extern const struct option common_table[];

/* Parse ARGV (without the command's name) into O and STATE. 0, or EXIT_USAGE after a message. */
int options_parse(struct common_options *o, const struct analyzer *a, void *state, char **argv);
void options_release(struct common_options *o);
/* The word of LIST (ends with NULL) that WORD was probably meant to be, or NULL. */
const char *nearest(const char *word, const char *const *list);
/* Print the options of A and the common ones. */
void options_help(const struct analyzer *a);

#endif
