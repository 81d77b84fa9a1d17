/* A capture goes to ClickHouse, as RowBinary: values of the columns' types, never a text of a
 * query. */
#include "parser/base/mem.h"
#include "parser/store/click_rows.h"
#include "parser/store/content.h"
#include "parser/store/facts.h"
#include "parser/store/latency/latency.h"

#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

#define NO_CPU UINT16_MAX

static void put_f64(struct buf *out, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	click_put_u64(out, bits);
}

/* ---- frames and stacks ---- */

/* Those that this run has not sent before. */
static int send_frames(struct click *k, const struct store_capture *c,
		       const struct content_id *frames)
{
	struct buf rows = { 0 };
	int rc;

	for (size_t i = 0; i < c->frame_count; i++) {
		uint64_t id = (uint64_t)content_number(&frames[i]);
		uint32_t *sent = idmap_put(&k->sent_frames, id);

		if (*sent != IDMAP_NONE)
			continue;
		*sent = 1;
		click_put_u64(&rows, id);
		click_put_text(&rows, c->frames[i].name);
		click_put_text(&rows, c->frames[i].module);
		buf_char(&rows, (char)c->frames[i].kind);
	}
	rc = rows.len ? http_insert(k->http,
				    "INSERT INTO frame (id, name, module, kind) FORMAT RowBinary",
				    &rows)
		      : 0;
	buf_release(&rows);
	return rc;
}

static int send_stacks(struct click *k, const struct store_capture *c,
		       const struct content_id *frames, const struct content_id *stacks)
{
	struct buf rows = { 0 };
	int rc;

	for (size_t i = 0; i < c->stack_count; i++) {
		const struct store_stack *s = &c->stacks[i];
		uint32_t *sent = idmap_put(&k->sent_stacks, (uint64_t)content_number(&stacks[i]));

		if (*sent != IDMAP_NONE)
			continue;
		*sent = 1;
		buf_add(&rows, &stacks[i], sizeof(*stacks));
		put_uleb(&rows, s->count);
		for (uint32_t n = 0; n < s->count; n++)
			click_put_u64(&rows, (uint64_t)content_number(
						     &frames[c->frame_ids[s->first + n]]));
	}
	rc = rows.len ? http_insert(k->http, "INSERT INTO stack (stack, frames) FORMAT RowBinary",
				    &rows)
		      : 0;
	buf_release(&rows);
	return rc;
}

/* ---- samples ---- */

static const char *label_of(const struct store_capture *c, const char *key)
{
	for (size_t i = 0; i < c->label_count; i++) {
		if (!strcmp(c->labels[i].key, key))
			return c->labels[i].value;
	}
	return "";
}

static int send_samples(struct click *k, const struct store_capture *c, uint64_t cap,
			const struct content_id *stacks)
{
	const char *host = label_of(c, "host"), *service = label_of(c, "service");
	struct buf rows = { 0 };
	int rc;

	for (size_t i = 0; i < c->cell_count; i++) {
		const struct store_cell *cell = &c->cells[i];
		const struct store_thread *t = &c->threads[cell->thread];
		uint16_t cpu = htole16(cell->cpu < NO_CPU ? (uint16_t)cell->cpu : NO_CPU);

		click_put_time(&rows, c, cell->step);
		click_put_u64(&rows, cap);
		click_put_text(&rows, host);
		click_put_text(&rows, service);
		click_put_text(&rows, c->events[cell->event].name);
		click_put_text(&rows, t->comm);
		buf_add(&rows, &cpu, sizeof(cpu));
		click_put_u32(&rows, t->pid);
		click_put_u32(&rows, t->tid);
		buf_add(&rows, &stacks[c->leaves[cell->leaf]], sizeof(*stacks));
		click_put_u64(&rows, cell->weight);
		click_put_u32(&rows, (uint32_t)cell->samples);
	}
	rc = http_insert(k->http,
			 "INSERT INTO sample (time, ns, cap, host, service, event, comm, cpu, pid,"
			 " tid, stack, weight, samples) FORMAT RowBinary",
			 &rows);
	buf_release(&rows);
	return rc;
}

/* ---- the capture itself ---- */

static void put_facts(struct buf *out, const struct store_capture *c, uint64_t cap)
{
	struct content_id hash = content_of_capture(&c->hash);
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	click_put_u64(out, cap);
	buf_add(out, &hash, sizeof(hash));
	click_put_u64(out, (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000);
	click_put_text(out, c->path);
	click_put_text(out, c->host);
	click_put_text(out, c->release);
	click_put_text(out, c->arch);
	click_put_text(out, c->command);
	click_put_u64(out, c->has_wall ? (uint64_t)c->wall_ns : 0);
	click_put_u64(out, c->first_ns);
	click_put_u64(out, c->last_ns);
	click_put_u64(out, c->step_ns);
	click_put_u64(out, c->lost);
	click_put_u64(out, c->samples);
	click_put_u32(out, c->cpus);
	buf_char(out, (char)c->system_wide);
}

static void put_labels(struct buf *out, const struct store_capture *c)
{
	put_uleb(out, c->label_count);
	for (size_t i = 0; i < c->label_count; i++)
		click_put_text(out, c->labels[i].key);
	put_uleb(out, c->label_count);
	for (size_t i = 0; i < c->label_count; i++)
		click_put_text(out, c->labels[i].value);
}

static void put_events(struct buf *out, const struct store_capture *c)
{
	struct store_sums *sums = facts_sums(c);

	for (int column = 0; column < 7; column++) {
		put_uleb(out, c->event_count);
		for (size_t i = 0; i < c->event_count; i++) {
			const struct store_event *e = &c->events[i];

			if (column < 2)
				click_put_text(out, column ? e->unit : e->name);
			else if (column == 2)
				put_f64(out, e->squares);
			else if (column == 4)
				buf_char(out, (char)e->counts);
			else
				click_put_u64(out, column == 3	 ? e->rate
						   : column == 5 ? sums[i].weight
								 : sums[i].samples);
		}
	}
	free(sums);
}

/* With this it is there. */
static int send_capture(struct click *k, const struct store_capture *c, uint64_t cap)
{
	struct buf row = { 0 };
	int rc;

	put_facts(&row, c, cap);
	put_labels(&row, c);
	put_events(&row, c);
	rc = http_insert(
		k->http,
		"INSERT INTO capture (cap, hash, imported, path, host, release, arch, command,"
		" wall_ns, first_ns, last_ns, step_ns, lost, samples, cpus, wide,"
		" labels.key, labels.value, events.name, events.unit, events.squares,"
		" events.rate, events.counts, events.weight, events.samples)"
		" FORMAT RowBinary",
		&row);
	buf_release(&row);
	return rc;
}

/* ---- all of it ---- */

static int look_for(struct click *k, const struct store_hash *hash, bool *known)
{
	struct content_id id = content_of_capture(hash);
	struct buf query = { 0 }, answer = { 0 };
	int rc;

	buf_str(&query, "SELECT count() FROM capture WHERE hash = unhex('");
	buf_hex(&query, &id, sizeof(id), "");
	buf_str(&query, "')");
	rc = http_ask(k->http, query.data, NULL, &answer);
	*known = rc == 0 && answer.len && answer.data[0] != '0';
	buf_release(&query);
	buf_release(&answer);
	return rc;
}

static int send_all(struct click *k, const struct store_capture *c)
{
	struct content_id *frames = content_of_frames(c), *stacks = content_of_stacks(c, frames);
	uint64_t cap;
	int rc = 0;

	if (getrandom(&cap, sizeof(cap), 0) != sizeof(cap)) {
		warn_add(k->warnings, SEV_FATAL, "store", "%s: no random number is to be had",
			 http_address(k->http));
		rc = ERR_IO;
	}
	rc = rc ?: send_frames(k, c, frames) ?: send_stacks(k, c, frames, stacks);
	rc = rc ?: send_samples(k, c, cap, stacks) ?: click_latency_add(k, c, cap);
	rc = rc ?: send_capture(k, c, cap);
	free(frames);
	free(stacks);
	return rc;
}

int click_add(struct click *k, const struct store_capture *c, bool *known)
{
	int rc = look_for(k, &c->hash, known);

	return rc || *known ? rc : send_all(k, c);
}
