/* Opens the output and chooses what it gets. A terminal gets text: no drawing, and stacks as a
 * table; and not more than a screen of it at a time. */
#include "cli/output.h"
#include "cli/files/dumps.h"
#include "cli/registry.h"
#include "cli/terminal.h"
#include "parser/base/mem.h"
#include "parser/base/newfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the form ---- */

/* The one that the name of the output ends with: -o diff.svg. NULL: it tells nothing. */
static const char *format_of_output(const struct output *out, const struct analyzer *a)
{
	const char *path = out->options->output, *dot = path ? strrchr(path, '.') : NULL;
	const struct format *f = dot && !a->makes_file ? format_find(dot + 1) : NULL;

	return f && f->shapes & a->shapes ? f->name : NULL;
}

static int find_format(struct output *out, const struct analyzer *a)
{
	const char *name = out->options->format ?: format_of_output(out, a) ?: a->default_format;
	struct buf list = { 0 };

	name = name ?: "text";
	out->format = format_find(name);
	if (out->format && out->format->shapes & a->shapes)
		return 0;
	for (size_t i = 0; formats[i]; i++) {
		if (formats[i]->shapes & a->shapes)
			buf_printf(&list, " %s", formats[i]->name);
	}
	say("%s has no format '%s'; it has:%s", a->name, name, list.data);
	buf_release(&list);
	return EXIT_USAGE;
}

/* A drawing is nothing for a terminal. Nor are folded stacks that nobody asked for by name. */
static void use_text(struct output *out, const struct analyzer *a, const struct rows *rows)
{
	const struct format *text = format_find("text");
	bool folded =
		!out->options->format && a->shapes & SHAPE_STACKS && !rows_given(rows, "compat");

	if (!out->format->draws && (out->format == text || !folded))
		return;
	out->instead = out->format;
	out->format = text;
}

static bool wants_colour(const struct output *out)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (out->options->colour == COLOUR_ALWAYS)
		return true;
	if (out->options->colour == COLOUR_NEVER || (no && *no) || (term && !strcmp(term, "dumb")))
		return false;
	return out->terminal;
}

static void choose_style(struct output *out, const struct rows *rows)
{
	const struct common_options *o = out->options;

	out->style.options = rows_format_options(rows, out->format);
	out->style.colour = wants_colour(out);
	out->style.wide = o->wide;
	out->style.limited = rows_given(rows, "limit") || rows_given(rows, "percent-limit");
	out->style.limit = o->limit;
}

static bool is_paged(const struct output *out)
{
	return out->terminal && !strcmp(out->format->name, "text") &&
	       (out->options->paginate || !out->options->no_pager);
}

int output_choose(struct output *out, const struct analyzer *a, const struct common_options *o,
		  const struct rows *rows)
{
	bool is_file = o->output && strcmp(o->output, "-") != 0;
	int status;

	*out = (struct output){
		.options = o, .rows = rows, .command = a->name, .makes_file = a->makes_file
	};
	out->terminal = (!is_file || a->makes_file) &&
			terminal_size(STDOUT_FILENO, &out->style.width, &out->style.height);
	if (a->makes_file && !is_file && out->terminal)
		return usage_error("%s: a file of bytes is nothing for a terminal: -o FILE, or > "
				   "FILE",
				   a->name);
	status = find_format(out, a);
	if (!status && out->terminal)
		use_text(out, a, rows);
	choose_style(out, rows);
	if (!status && is_paged(out))
		pager_prepare(); /* while there may be another process */
	return status;
}

static unsigned shapes_of(const struct result *r)
{
	unsigned stacks = !r->stacks ? 0 : r->stacks->before ? SHAPE_CHANGES : SHAPE_STACKS;

	return stacks | (r->table ? SHAPE_TABLE : 0) | (r->grid ? SHAPE_GRID : 0) |
	       (r->timeline ? SHAPE_TIMELINE : 0) | (r->tables ? SHAPE_TABLES : 0) |
	       (r->lines ? SHAPE_LINES : 0) | (r->profile ? SHAPE_PROFILE : 0) |
	       (r->page ? SHAPE_PAGE : 0);
}

bool output_can_show(const struct output *out, const struct result *result)
{
	const struct lines_part *lines = result->lines;
	bool needs_cells = lines && strcmp(out->format->name, "text") != 0;

	return out->format->shapes & shapes_of(result) &&
	       !(needs_cells && (!lines->cells || lines->file_count));
}

/* An option of the format that means nothing in HAVE. Settings are for many results: only what the
 * command line has, which is settled before them, is refused. */
static const struct option *unfit_option(const struct output *out, const struct rows *rows,
					 unsigned have)
{
	for (size_t i = 0; i < rows->count; i++) {
		const struct row *r = &rows->list[i];

		if (r->format == out->format && r->settled && r->option->shapes &&
		    !(r->option->shapes & have))
			return r->option;
	}
	return NULL;
}

int output_check_options(const struct output *out, const struct rows *rows,
			 const struct result *result)
{
	static const struct {
		unsigned shape;
		const char *name;
	} drawings[] = { { SHAPE_TIMELINE, "a drawing with a time axis" },
			 { SHAPE_CHANGES, "a differential graph" },
			 { SHAPE_STACKS, "a graph that compares nothing" },
			 { SHAPE_GRID, "a heat map" },
			 { SHAPE_TABLE, "a drawing of a table" } };
	unsigned have = shapes_of(result);
	const struct option *unfit = unfit_option(out, rows, have);
	size_t i = 0;

	if (!unfit)
		return 0;
	while (i + 1 < ARRAY_SIZE(drawings) && !(drawings[i].shape & have))
		i++;
	return usage_error("%s: --%s means nothing in %s", out->command, unfit->name,
			   drawings[i].name);
}

/* ---- the place ---- */

/* TO begins: in FILE, or in standard output. False: it cannot be. */
static bool open_output(const struct output *out, struct out *to, struct newfile *file)
{
	const char *path = out->options->output;
	int error;

	if (!path || !strcmp(path, "-") || out->makes_file) {
		*file = (struct newfile){ .fd = -1, .in_place = true };
		out_init(to, STDOUT_FILENO);
		to->to_terminal = out->terminal;
		return true;
	}
	error = newfile_open(file, path);
	if (error)
		say("%s: %s%s", path, newfile_failed(file), strerror(error));
	else
		out_init(to, file->fd);
	return !error;
}

/* All is written to TO. Returns an errno; then FILE is as before. What goes with it comes first:
 * without FILE it does no harm. */
static int end_output(struct out *to, struct newfile *file)
{
	int error = out_finish(to);

	error = error ?: newfile_ready(file);
	if (to->beside)
		error = error ?: newfile_commit(to->beside);
	error = error ?: newfile_commit(file);
	newfile_discard(file);
	if (to->beside)
		newfile_discard(to->beside);
	free(to->beside);
	return error;
}

static void hint(const struct output *out, const struct out *to, struct buf *said)
{
	const struct format *f = out->instead;

	if (to->note[0])
		buf_printf(said, "%s\n", to->note);
	if (out->options->limit_given && strcmp(out->format->name, "text") != 0)
		buf_printf(said, "--limit is of text: %s has all rows\n", out->format->name);
	if (f && f->shapes & SHAPE_PROFILE)
		buf_printf(said, "the file itself: -o FILE, or > FILE\n");
	else if (f && f->draws)
		buf_printf(said, "the drawing itself: -o FILE.%s, or > FILE.%s\n", f->name,
			   f->name);
	else if (f)
		buf_printf(said, "%s stacks go into a pipe or a file, or here with --format %s\n",
			   f->name, f->name);
}

int output_write(struct output *out, const struct result *result, struct buf *said)
{
	struct newfile file;
	struct out to;
	int error;

	if (result->lines && result->lines->file_count)
		return dumps_write(result->lines,
				   out->style.limited && out->style.limit ? out->style.limit
									  : UINT64_MAX,
				   out->options, out->rows);
	if (!open_output(out, &to, &file))
		return EXIT_ERROR;
	if (is_paged(out))
		pager_start();
	out->format->render(result, &out->style, &to);
	error = end_output(&to, &file);
	hint(out, &to, said);
	if (error == EPIPE && !pager_runs())
		return EXIT_PIPE;
	if (!error || error == EPIPE)
		return EXIT_COMPLETE;
	say("cannot write the output: %s", strerror(error));
	return EXIT_ERROR;
}
