/* libarchive's functions that are used here, each of which loads the library when it is the first.
 *
 * Most runs read no archive and no capture that is compressed as a whole, but linking the library
 * costs every run (it brings libxml2 and ICU): `pdtool --version` took 2.56 ms of CPU time and
 * 5.4 MB with it, 1.03 ms and 2.6 MB without. Where it is missing, archive_read_new() gives NULL,
 * and the other functions fail. */
#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>

#define LIBRARY "libarchive.so.13"

/* type, name, parameters, arguments, result without the library */
#define FUNCTIONS(F)                                                                               \
	F(struct archive *, archive_read_new, (void), (), NULL)                                    \
	F(int, archive_read_free, (struct archive * a), (a), ARCHIVE_FATAL)                        \
	F(int, archive_filter_count, (struct archive * a), (a), 0)                                 \
	F(const char *, archive_error_string, (struct archive * a), (a),                           \
	  LIBRARY " cannot be loaded")                                                             \
	F(int, archive_read_append_filter, (struct archive * a, int code), (a, code),              \
	  ARCHIVE_FATAL)                                                                           \
	F(int, archive_read_support_filter_bzip2, (struct archive * a), (a), ARCHIVE_FATAL)        \
	F(int, archive_read_support_filter_gzip, (struct archive * a), (a), ARCHIVE_FATAL)         \
	F(int, archive_read_support_filter_xz, (struct archive * a), (a), ARCHIVE_FATAL)           \
	F(int, archive_read_support_filter_zstd, (struct archive * a), (a), ARCHIVE_FATAL)         \
	F(int, archive_read_support_format_raw, (struct archive * a), (a), ARCHIVE_FATAL)          \
	F(int, archive_read_support_format_tar, (struct archive * a), (a), ARCHIVE_FATAL)          \
	F(int, archive_read_support_format_zip_seekable, (struct archive * a), (a), ARCHIVE_FATAL) \
	F(int, archive_read_open,                                                                  \
	  (struct archive * a, void *ctx, archive_open_callback *o, archive_read_callback *r,      \
	   archive_close_callback *c),                                                             \
	  (a, ctx, o, r, c), ARCHIVE_FATAL)                                                        \
	F(int, archive_read_set_seek_callback, (struct archive * a, archive_seek_callback * s),    \
	  (a, s), ARCHIVE_FATAL)                                                                   \
	F(int, archive_read_open_memory, (struct archive * a, const void *p, size_t n), (a, p, n), \
	  ARCHIVE_FATAL)                                                                           \
	F(int, archive_read_next_header, (struct archive * a, struct archive_entry * *e), (a, e),  \
	  ARCHIVE_FATAL)                                                                           \
	F(la_ssize_t, archive_read_data, (struct archive * a, void *p, size_t n), (a, p, n),       \
	  ARCHIVE_FATAL)                                                                           \
	F(int, archive_read_data_block,                                                            \
	  (struct archive * a, const void **p, size_t *n, la_int64_t *at), (a, p, n, at),          \
	  ARCHIVE_FATAL)                                                                           \
	F(int, archive_read_data_skip, (struct archive * a), (a), ARCHIVE_FATAL)                   \
	F(la_int64_t, archive_entry_size, (struct archive_entry * e), (e), 0)                      \
	F(const char *, archive_entry_pathname, (struct archive_entry * e), (e), NULL)             \
	F(const char *, archive_entry_hardlink, (struct archive_entry * e), (e), NULL)             \
	F(__LA_MODE_T, archive_entry_filetype, (struct archive_entry * e), (e), 0)                 \
	F(struct archive *, archive_write_new, (void), (), NULL)                                   \
	F(int, archive_write_set_format_pax_restricted, (struct archive * a), (a), ARCHIVE_FATAL)  \
	F(int, archive_write_set_bytes_per_block, (struct archive * a, int n), (a, n),             \
	  ARCHIVE_FATAL)                                                                           \
	F(int, archive_write_open,                                                                 \
	  (struct archive * a, void *ctx, archive_open_callback *o, archive_write_callback *w,     \
	   archive_close_callback *c),                                                             \
	  (a, ctx, o, w, c), ARCHIVE_FATAL)                                                        \
	F(int, archive_write_header, (struct archive * a, struct archive_entry * e), (a, e),       \
	  ARCHIVE_FATAL)                                                                           \
	F(la_ssize_t, archive_write_data, (struct archive * a, const void *p, size_t n),           \
	  (a, p, n), ARCHIVE_FATAL)                                                                \
	F(int, archive_write_finish_entry, (struct archive * a), (a), ARCHIVE_FATAL)               \
	F(int, archive_write_close, (struct archive * a), (a), ARCHIVE_FATAL)                      \
	F(int, archive_write_free, (struct archive * a), (a), ARCHIVE_FATAL)                       \
	F(la_int64_t, archive_filter_bytes, (struct archive * a, int n), (a, n), 0)                \
	F(struct archive_entry *, archive_entry_new, (void), (), NULL)

/* Loaded once; after that this finds it. */
static void *find(const char *name)
{
	void *library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);

	return library ? dlsym(library, name) : NULL;
}

#define DEFINE(type, name, parameters, arguments, otherwise) \
	type name parameters                                 \
	{                                                    \
		type(*call) parameters;                      \
		*(void **)&call = find(#name);               \
		return call ? call arguments : (otherwise);  \
	}

FUNCTIONS(DEFINE)

#define VOID_FUNCTIONS(F)                                                                          \
	F(archive_entry_free, (struct archive_entry * e), (e))                                     \
	F(archive_entry_set_pathname, (struct archive_entry * e, const char *name), (e, name))     \
	F(archive_entry_set_size, (struct archive_entry * e, la_int64_t n), (e, n))                \
	F(archive_entry_set_filetype, (struct archive_entry * e, unsigned type), (e, type))        \
	F(archive_entry_set_perm, (struct archive_entry * e, __LA_MODE_T mode), (e, mode))         \
	F(archive_entry_set_mtime, (struct archive_entry * e, time_t t, long ns), (e, t, ns))      \
	F(archive_entry_sparse_add_entry, (struct archive_entry * e, la_int64_t at, la_int64_t n), \
	  (e, at, n))

#define DEFINE_VOID(name, parameters, arguments) \
	void name parameters                     \
	{                                        \
		void(*call) parameters;          \
		*(void **)&call = find(#name);   \
		if (call)                        \
			call arguments;          \
	}

VOID_FUNCTIONS(DEFINE_VOID)

void archive_set_error(struct archive *a, int number, const char *text, ...)
{
	void (*call)(struct archive *, int, const char *, ...);

	*(void **)&call = find("archive_set_error");
	if (call)
		call(a, number, "%s", text);
}
