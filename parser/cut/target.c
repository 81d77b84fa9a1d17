/* Begin and end the file of a cut. */
#include "parser/cut/target.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define COPY_BYTES (64u << 10)

static int fail(const struct target *t, const char *what, int error, struct warnings *w)
{
	warn_add(w, SEV_FATAL, "cut", "%s: %s%s", t->path, what, strerror(error));
	return ERR_IO;
}

int target_open(struct target *t, const char *path, struct spool *out, struct warnings *w)
{
	uint64_t offset;
	int error;

	*t = (struct target){ .path = path, .is_file = strcmp(path, "-") != 0 };
	*out = (struct spool){ .fd = -1, .unbound = true };
	error = t->is_file ? newfile_open(&t->file, path) : 0;
	if (error)
		return fail(t, newfile_failed(&t->file), error, w);
	t->through = !t->is_file || t->file.in_place;
	if (!t->through)
		out->fd = t->file.fd;
	if (spool_begin(out, &offset) == 0)
		return 0;
	error = errno;
	if (t->is_file)
		newfile_discard(&t->file);
	return fail(t, "a temporary file: ", error, w);
}

/* 0, or an errno. */
static int pass_on(int from, int to)
{
	char block[COPY_BYTES];
	off_t at = 0;
	ssize_t got;

	while ((got = pread(from, block, sizeof(block), at)) > 0) {
		at += got;
		for (ssize_t done = 0, n; done < got; done += n) {
			n = write(to, block + done, (size_t)(got - done));
			if (n < 0 && errno != EINTR)
				return errno;
			n = n < 0 ? 0 : n;
		}
	}
	return got < 0 ? errno : 0;
}

int target_close(struct target *t, struct spool *out, bool failed, struct warnings *w)
{
	int error = 0;

	if (t->through && !failed)
		error = pass_on(out->fd, t->is_file ? t->file.fd : STDOUT_FILENO);
	if (t->through)
		spool_release(out);
	if (t->is_file && (failed || error))
		newfile_discard(&t->file);
	else if (t->is_file)
		error = newfile_commit(&t->file);
	return error ? fail(t, "", error, w) : 0;
}
