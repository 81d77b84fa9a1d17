/* Write the manual and the completions below DIR anew, as the rows of options have them.
 * Usage: docs DIR (`make docs`: cli) */
#include "tests/docs/docs.h"
#include "cli/registry.h"
#include "cli/report.h"

#include <stdio.h>
#include <string.h>

/* Text around the tables of a completion. */
#define BEGIN "# rows: begin\n"
#define END   "# rows: end\n"

static bool read_file(const char *path, struct buf *out)
{
	FILE *f = fopen(path, "re");
	char piece[4096];
	size_t n;

	while (f && (n = fread(piece, 1, sizeof(piece), f)) > 0)
		buf_add(out, piece, n);
	if (f)
		fclose(f);
	return f && out->len;
}

static int write_file(const char *path, const struct buf *text)
{
	FILE *f = fopen(path, "we");
	bool good = f && fwrite(text->data, 1, text->len, f) == text->len;

	if (f && fclose(f))
		good = false;
	if (!good)
		say("%s: cannot be written", path);
	return good ? EXIT_COMPLETE : EXIT_ERROR;
}

/* The page of A; with NULL another one, NAME. */
static int write_page(const char *dir, const struct analyzer *a, const char *name)
{
	struct buf path = { 0 }, old = { 0 }, page = { 0 };
	int status = EXIT_ERROR;

	if (a)
		buf_printf(&path, "%s/man/pdtool-%s.1", dir, a->name);
	else
		buf_printf(&path, "%s/man/%s", dir, name);
	for (char *p = path.data + strlen(dir); *p; p++)
		*p = *p == ' ' ? '-' : *p;
	if (!read_file(path.data, &old) && a)
		man_skeleton(a, &old);
	if (old.len && man_page(a, old.data, &page))
		status = write_file(path.data, &page);
	else
		say("%s: no list of options", path.data);
	buf_release(&path);
	buf_release(&old);
	buf_release(&page);
	return status;
}

static int write_completion(const char *dir, const char *name, enum shell shell)
{
	struct buf path = { 0 }, old = { 0 }, text = { 0 };
	const char *begin = NULL, *end = NULL;
	int status = EXIT_ERROR;

	buf_printf(&path, "%s/completion/%s", dir, name);
	if (read_file(path.data, &old)) {
		begin = strstr(old.data, BEGIN);
		end = begin ? strstr(begin, END) : NULL;
	}
	if (end) {
		buf_add(&text, old.data, (size_t)(begin - old.data) + strlen(BEGIN));
		shell_tables(shell, &text);
		buf_str(&text, end);
		status = write_file(path.data, &text);
	} else {
		say("%s: no place for the options", path.data);
	}
	buf_release(&path);
	buf_release(&old);
	buf_release(&text);
	return status;
}

int main(int argc, char **argv)
{
	int status;

	if (argc != 2) {
		say("docs: expected a directory");
		return EXIT_USAGE;
	}
	status = write_page(argv[1], NULL, "pdtool.1");
	status |= write_page(argv[1], NULL, "pdtool-config.5");
	for (size_t i = 0; analyzers[i]; i++)
		status |= write_page(argv[1], analyzers[i], NULL);
	status |= write_completion(argv[1], "pdtool.bash", SHELL_BASH);
	status |= write_completion(argv[1], "_pdtool", SHELL_ZSH);
	status |= write_completion(argv[1], "pdtool.fish", SHELL_FISH);
	return status;
}
