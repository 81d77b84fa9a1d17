/* Each file is made where nobody sees it, and all take their places at the end (newfile.h). Their
 * names hold what the capture calls events, without a '/'. */
#include "cli/files/dumps.h"
#include "cli/files/inputs.h"
#include "cli/report.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/base/newfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_SIZE (1u << 15) /* that waits for a file */
#define BLOCK	  4096u	     /* which perf writes at a time */

struct dump {
	struct newfile file;
	struct buf text;
	uint64_t size_bytes;
};

struct dumps {
	const struct lines_part *lines;
	struct dump *list;
	size_t open;
	int error; /* an errno */
	struct out out;
};

/* Of file I. A directory, too, has a name to begin with. */
static void path_of(const struct dumps *d, const struct common_options *o, size_t i,
		    struct buf *path)
{
	const char *from = o->output ?: o->files[0];
	size_t len = strlen(from);

	while (!o->output && len > 1 && from[len - 1] == '/')
		len--;
	path->len = 0;
	buf_add(path, from, len);
	buf_str(path, d->lines->files[i].name);
}

static bool open_file(struct dumps *d, const struct common_options *o, const struct rows *rows,
		      const char *path)
{
	struct dump *dump = &d->list[d->open];
	int error;

	if (inputs_check_path(o, rows, path))
		return false;
	error = strlen(path) < PATH_MAX ? newfile_open(&dump->file, path) : ENAMETOOLONG;
	if (error)
		say("%s: %s%s", path, error == ENAMETOOLONG ? "" : newfile_failed(&dump->file),
		    strerror(error));
	else
		d->open++;
	return !error;
}

static void flush_file(struct dumps *d, struct dump *dump)
{
	size_t done = 0;

	while (done < dump->text.len && !d->error) {
		ssize_t n = write(dump->file.fd, dump->text.data + done, dump->text.len - done);

		if (n < 0 && errno != EINTR)
			d->error = errno;
		done += n > 0 ? (size_t)n : 0;
	}
	dump->size_bytes += dump->text.len;
	dump->text.len = 0;
}

static void write_lines(struct dumps *d, uint64_t limit)
{
	const struct lines_part *l = d->lines;
	struct buf b = { 0 };

	for (; limit && !d->error && l->next(l->ctx, &b, &d->error); limit--) {
		if (l->at < d->open) {
			struct dump *dump = &d->list[l->at];

			buf_add(&dump->text, b.data, b.len);
			if (dump->text.len >= TEXT_SIZE)
				flush_file(d, dump);
		} else {
			out_write(&d->out, b.data, b.len);
		}
		b.len = 0;
	}
	buf_release(&b);
	for (size_t i = 0; i < d->open; i++)
		flush_file(d, &d->list[i]);
}

static void end_files(struct dumps *d)
{
	for (size_t i = 0; i < d->open && !d->error; i++)
		d->error = newfile_ready(&d->list[i].file);
	for (size_t i = 0; i < d->open && !d->error; i++)
		d->error = newfile_commit(&d->list[i].file);
	for (size_t i = 0; i < d->open; i++) {
		newfile_discard(&d->list[i].file);
		buf_release(&d->list[i].text);
	}
}

/* What of SIZE bytes perf counts: it looks before the last ones are written. */
static uint64_t as_perf_counts(uint64_t size)
{
	return size ? (size - 1) / BLOCK * BLOCK : 0;
}

static void tell(struct dumps *d, const struct common_options *o)
{
	bool perf = d->lines->as_perf;
	struct buf path = { 0 };

	for (size_t i = 0; i < d->open; i++) {
		uint64_t size = d->list[i].size_bytes;

		path_of(d, o, i, &path);
		out_put(&d->out, "[ %s script: Wrote %.3f MB %s (%u samples) ]\n",
			perf ? "perf" : "pdtool",
			(double)(perf ? as_perf_counts(size) : size) / 1024 / 1024, path.data,
			(unsigned)d->lines->files[i].count);
	}
	buf_release(&path);
}

int dumps_write(const struct lines_part *lines, uint64_t limit, const struct common_options *o,
		const struct rows *rows)
{
	struct dumps d = { .lines = lines };
	struct buf path = { 0 };
	bool good = true;
	int error;

	d.list = xcalloc(lines->file_count, sizeof(*d.list));
	out_init(&d.out, STDOUT_FILENO);
	for (size_t i = 0; good && i < lines->file_count; i++) {
		path_of(&d, o, i, &path);
		good = open_file(&d, o, rows, path.data);
	}
	if (good)
		write_lines(&d, limit);
	else
		d.error = ECANCELED;
	end_files(&d);
	if (good && !d.error)
		tell(&d, o);
	error = out_finish(&d.out);
	if (good && d.error)
		say("cannot write the files of events: %s", strerror(d.error));
	free(d.list);
	buf_release(&path);
	if (!good || d.error)
		return EXIT_ERROR;
	return error == EPIPE ? EXIT_PIPE : error ? EXIT_ERROR : EXIT_COMPLETE;
}
