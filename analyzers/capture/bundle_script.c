/* Puts the list of a capture into bundle.sh. The shell reads the list as data of a quoted here-
 * document, and no byte of a path comes into it but letters, digits and a few signs: the others are
 * octal numbers, as printf %b reads them. */
#include "analyzers/capture/bundle_script.h"
#include "analyzers/capture/module_paths.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PATH_CHARS                   \
	"0123456789"                 \
	"abcdefghijklmnopqrstuvwxyz" \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ/.+_:@%=,-()[]"
#define END_OF_LIST "\nEndOfTheList\n"
#define DELETED	    " (deleted)"

/* The script stays a file that an editor and a shell understand. The compiler runs at the top of
 * the source. */
__asm__(".pushsection .rodata\n"
	".globl bundle_script_text\n"
	"bundle_script_text:\n"
	".incbin \"analyzers/capture/bundle.sh\"\n"
	".byte 0\n"
	".popsection\n");
extern const char bundle_script_text[];

/* Each line once. */
static void add_line(struct bundle_script *b, const char *start, const char *path)
{
	struct buf line = { 0 };
	size_t before = b->lines.count;

	buf_printf(&line, "%s ", start);
	for (; *path; path++) {
		if (strchr(PATH_CHARS, *path))
			buf_char(&line, *path);
		else
			buf_printf(&line, "\\0%03o", (unsigned char)*path);
	}
	if (intern_add(&b->lines, line.data, line.len) == before)
		buf_printf(&b->list, "%s\n", line.data);
	buf_release(&line);
}

struct copies {
	struct bundle_script *script;
	const char *own; /* has a line of its own */
};

static void add_copy(void *ctx, const char *path)
{
	const struct copies *c = ctx;

	if (strcmp(path, c->own) && strncmp(path, "/proc/", 6))
		add_line(c->script, "copy - - -", path);
}

/* Could the file still be there, or a process have it? */
static bool is_file(const char *path)
{
	size_t len = strlen(path), tail = strlen(DELETED);
	char *alone;
	bool is;

	if (len <= tail || strcmp(path + len - tail, DELETED))
		return is_recorded_file(path);
	alone = strndup(path, len - tail);
	is = alone && is_recorded_file(alone);
	free(alone);
	return is;
}

static void add_file(struct bundle_script *b, const struct pdt_module *m)
{
	struct build_id id = module_id(m);
	char hex[2 * BUILD_ID_MAX + 1], start[128];
	const char *path = module_path(m);

	build_id_text(&id, hex);
	snprintf(start, sizeof(start), "module %s %" PRIu64 " %" PRIu64, hex[0] ? hex : "-",
		 pdt_module_number(m, PDT_MODULE_INODE), pdt_module_number(m, PDT_MODULE_PID));
	if (is_file(path))
		add_line(b, start, path);
}

void bundle_script_add(struct bundle_script *b, const struct pdt_module *m, const char *cache,
		       bool whole_cache)
{
	uint64_t kind = pdt_module_number(m, PDT_MODULE_KIND);
	struct copies copies = { b, module_path(m) };
	const struct path_sink sink = { add_copy, &copies };
	char start[64];

	snprintf(start, sizeof(start), "map %" PRIu64 " - -", pdt_module_number(m, PDT_MODULE_PID));
	if (kind == PDT_MODULE_KERNEL)
		add_line(b, "kernel - - -", "-");
	else if (kind == PDT_MODULE_JIT)
		add_line(b, start, "-");
	else
		add_file(b, m);
	if (kind != PDT_MODULE_JIT)
		module_paths(m, cache, whole_cache, &sink);
}

/* The part of the script up to END, a cell a line. Control bytes would not reach the output: tabs
 * are four blanks. */
static void write_lines(struct answer *a, const char *text, const char *end)
{
	const char *eol;
	struct buf line = { 0 };

	for (; text < end; text = eol + 1) {
		eol = memchr(text, '\n', (size_t)(end - text));
		eol = eol ?: end;
		line.len = 0;
		for (; *text == '\t'; text++)
			buf_str(&line, "    ");
		buf_add(&line, text, (size_t)(eol - text));
		answer_cell_text(a, line.len ? line.data : "");
	}
	buf_release(&line);
}

void bundle_script_write(struct bundle_script *b, const struct pdt_session *s, struct answer *a)
{
	const char *rest = strstr(bundle_script_text, END_OF_LIST) + 1;
	uint64_t end_ns = pdt_number(s, PDT_LAST_NS);
	struct buf end = { 0 };

	write_lines(a, bundle_script_text, rest);
	buf_printf(&end, "end %" PRIu64 " - - -", end_ns ? end_ns / 1000000000 + 1 : 0);
	answer_cell_text(a, end.data);
	buf_release(&end);
	if (b->list.len)
		write_lines(a, b->list.data, b->list.data + b->list.len);
	write_lines(a, rest, rest + strlen(rest));
}

void bundle_script_release(struct bundle_script *b)
{
	buf_release(&b->list);
	intern_release(&b->lines);
}
