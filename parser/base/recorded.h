/* Symbols that the recorder put into the capture: what a reader of its bytes (parser/file) tells
 * one that names addresses (parser/names), which do not know each other. */
#ifndef PDTOOL_BASE_RECORDED_H
#define PDTOOL_BASE_RECORDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/build_id.h"

/* What the addresses of its symbols are. */
enum recorded_kind {
	RECORDED_KERNEL,   /* run-time addresses */
	RECORDED_KMODULE,  /* as the module's file has them */
	RECORDED_ELF,	   /* as the file has them */
	RECORDED_OFFSETS,  /* offsets in the file: of Java code in dex files */
	RECORDED_PERF_MAP, /* run-time addresses of one process: perf-PID.map */
	RECORDED_UNKNOWN,
};

struct recorded_file {
	const char *path;
	size_t path_len;
	enum recorded_kind kind;
	struct build_id build_id; /* len 0: not told */
	/* The first executable address, and where that is: of a file in it, of a module of the
	 * kernel behind its start. */
	uint64_t vaddr, offset;
	bool has_offset; /* else it is where the first mapping with code begins */
};

/* Pointers are valid during the call. */
struct recorded_sink {
	/* A file's symbols come next; false: they are not wanted. */
	bool (*file)(void *ctx, const struct recorded_file *f);
	/* SIZE 0: not known. The name is not NUL-terminated. */
	void (*symbol)(void *ctx, uint64_t addr, uint64_t size_bytes, const char *name, size_t len);
	void *ctx;
};

#endif
