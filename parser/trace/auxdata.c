/* Finds the pieces by framing all records once; copies those of one stretch side by side. */
#include "parser/trace/auxdata.h"
#include "parser/base/abi.h"
#include "parser/base/mem.h"
#include "parser/base/tempfile.h"
#include "parser/file/source.h"
#include "parser/file/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define COPY_BYTES (256u << 10)
#define STEP_BYTES (16u << 20)
#define PADDING	   8 /* bytes: pieces end at multiples of it */

/* ---- where ---- */

static uint32_t queue_of(struct aux_data *a, const struct aux_queue *like)
{
	uint32_t *place;

	if (a->queue_count == AUX_QUEUES_MAX && idmap_get(&a->by_idx, like->idx) == IDMAP_NONE)
		return UINT32_MAX;
	place = idmap_put(&a->by_idx, like->idx);
	if (*place == IDMAP_NONE) {
		*place = (uint32_t)a->queue_count;
		a->queues = xgrow(a->queues, &a->queue_cap, a->queue_count + 1, sizeof(*like));
		a->queues[a->queue_count++] = *like;
	}
	return *place;
}

static void add_piece(struct aux_data *a, const struct raw *raw)
{
	struct cursor c = raw->body;
	struct aux_piece p = { .at = raw->offset + raw->size };
	struct aux_queue q = { 0 };

	p.size = cursor_u64(&c);
	p.offset = cursor_u64(&c);
	cursor_skip(&c, 8);
	q.idx = cursor_u32(&c);
	q.tid = cursor_u32(&c);
	q.cpu = cursor_u32(&c);
	if (c.bad || !p.size)
		return;
	p.queue = a->count < AUX_PIECES_MAX ? queue_of(a, &q) : UINT32_MAX;
	if (p.queue == UINT32_MAX) {
		a->left_out++;
		return;
	}
	a->queues[p.queue].pieces++;
	a->pieces = xgrow(a->pieces, &a->cap, a->count + 1, sizeof(p));
	a->pieces[a->count++] = p;
}

/* What comes next begins at END: a piece that was cut, or whose size is damaged, has no more. */
static void end_piece(struct aux_data *a, uint64_t end)
{
	struct aux_piece *p = a->count ? &a->pieces[a->count - 1] : NULL;

	if (p && (end < p->at || end - p->at < p->size))
		p->size = end > p->at ? end - p->at : 0;
}

/* u32 type, u32 reserved, then numbers that mean what the type says. */
static void take_info(struct aux_data *a, struct cursor c)
{
	if (a->has_info || cursor_left(&c) < 8)
		return;
	a->has_info = true;
	a->type = cursor_u32(&c);
	cursor_skip(&c, 4);
	while (cursor_left(&c) >= 8 && a->info_count < AUX_INFO_MAX)
		a->info[a->info_count++] = cursor_u64(&c);
}

static int look(struct aux_data *a, struct capture *f)
{
	struct stream *s = stream_new(f, f->source);
	struct raw raw;
	int rc;

	while ((rc = stream_next(s, &raw)) == 1) {
		if (raw.inflated)
			continue;
		end_piece(a, raw.offset);
		if (raw.type == RECORD_AUXTRACE_INFO)
			take_info(a, raw.body);
		else if (raw.type == RECORD_AUXTRACE)
			add_piece(a, &raw);
	}
	end_piece(a, f->header.pipe ? source_size(f->source)
				    : f->header.data.offset + f->header.data.size);
	for (size_t i = 0; i < a->count; i++)
		a->queues[a->pieces[i].queue].bytes += a->pieces[i].size;
	stream_free(s);
	return rc;
}

int aux_data_read(struct aux_data *a, struct source *s)
{
	struct warnings ignored = { 0 };
	struct capture f = { .source = s, .warnings = &ignored };
	int rc;

	memset(a, 0, sizeof(*a));
	capture_meta_init(&f.meta);
	rc = header_read(&f.header, s, &ignored);
	if (rc == 0)
		rc = look(a, &f);
	capture_meta_release(&f.meta);
	event_list_release(&f.events);
	warnings_release(&ignored);
	source_seek(s, 0);
	return rc < 0 ? rc : 0;
}

void aux_data_release(struct aux_data *a)
{
	free(a->pieces);
	free(a->queues);
	idmap_release(&a->by_idx);
	memset(a, 0, sizeof(*a));
}

/* ---- what ---- */

/* Returns how many bytes of P there were; they are at TO of FD now. Negative with errno. */
static int64_t copy_piece(int fd, uint64_t to, const struct aux_piece *p, struct source *s)
{
	uint8_t *block = xmalloc(COPY_BYTES);
	uint64_t done = 0;
	int error = 0;

	while (done < p->size && !error) {
		uint64_t left = p->size - done;
		ssize_t n = source_pread(s, block, left < COPY_BYTES ? (size_t)left : COPY_BYTES,
					 p->at + done);

		if (n <= 0)
			break;
		error = temp_write(fd, block, (size_t)n, to + done);
		done += (uint64_t)n;
	}
	free(block);
	errno = error;
	return error ? ERR_IO : (int64_t)done;
}

/* The next piece of QUEUE from I on. */
static size_t piece_of(const struct aux_data *a, uint32_t queue, size_t i)
{
	while (i < a->count && a->pieces[i].queue != queue)
		i++;
	return i;
}

/* The stretch of FD from piece FIRST on, so many bytes. */
static int64_t copy_run(int fd, const struct aux_data *a, struct source *s, size_t first,
			size_t *next)
{
	uint32_t queue = a->pieces[first].queue;
	uint64_t from = a->pieces[first].offset, size = 0;
	int64_t n;
	size_t i;

	for (i = first; i < a->count; i = piece_of(a, queue, i + 1)) {
		const struct aux_piece *p = &a->pieces[i];
		uint64_t to = p->offset - from;

		if (i > first && (to > size || size - to >= PADDING))
			break;
		n = copy_piece(fd, to, p, s);
		if (n < 0)
			return n;
		size = to + (uint64_t)n;
		if ((uint64_t)n < p->size) {
			i = piece_of(a, queue, i + 1);
			break;
		}
	}
	*next = i;
	return (int64_t)size;
}

int aux_run_open(struct aux_run *r, const struct aux_data *a, struct source *s, uint32_t queue,
		 size_t *next)
{
	int64_t size = 0;
	int fd;

	memset(r, 0, sizeof(*r));
	*next = piece_of(a, queue, *next);
	if (*next == a->count)
		return 0;
	fd = temp_file();
	if (fd < 0)
		return ERR_IO;
	while (size == 0 && *next < a->count)
		size = copy_run(fd, a, s, *next, next);
	if (size > 0) {
		r->data = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0);
		r->size = r->mapped = (size_t)size;
	}
	close(fd);
	if (size < 0 || r->data == MAP_FAILED) {
		memset(r, 0, sizeof(*r));
		return ERR_IO;
	}
	return size > 0;
}

void aux_run_close(struct aux_run *r)
{
	if (r->data)
		munmap(r->data, r->mapped);
	memset(r, 0, sizeof(*r));
}

void aux_run_done(struct aux_run *r, size_t pos)
{
	while (pos - r->let_go >= 2 * STEP_BYTES && pos > r->let_go) {
		(void)madvise(r->data + r->let_go, STEP_BYTES, MADV_DONTNEED);
		r->let_go += STEP_BYTES;
	}
}
