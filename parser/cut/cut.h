/* A capture written anew with the samples that passed the filters: pdtool-cut(1).
 *
 * What is read is the file itself, once more and in its own order; which samples passed is known
 * from the session that read it before (feed/passed.h). Records keep their bytes, their order and
 * the byte order of the capture. Of the header the size of the data, the places of sections and the
 * times of the first and the last sample are new. So what the recorder did not come to, or what was
 * cut off, is put right: data end with the last whole record, and sections that are not there are
 * not named. A capture that came through a pipe stays one; of a directory one file is made. */
#ifndef PDTOOL_CUT_H
#define PDTOOL_CUT_H

#include "parser/base/err.h"
#include "parser/feed/passed.h"
#include "parser/file/feature.h"
#include "parser/filter.h"

struct cut_job {
	const struct capture *capture; /* read to its end, by a source that can seek */
	const struct passed *passed;   /* NULL: no filter takes out anything */
	const struct filter *filter;
	const char *path; /* of the new file; "-": standard output */
	unsigned scrub;	  /* enum scrub_level */
	/* Told of each kind of records: what became of them, how many, of how many bytes. */
	void (*tell)(void *ctx, const char *what, uint64_t records, uint64_t size_bytes);
	void *ctx;
	struct warnings *warnings;
};

/* ERR_IO or ERR_LIMIT, with the message in the job's warnings: there is no new file, and
 * an old one of that name is as it was. */
int cut_write(const struct cut_job *job) CHECKED;

#endif
