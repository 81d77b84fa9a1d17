/* What a choice lets pass comes from ClickHouse: captures, then sums by stack, then the frames of
 * these stacks. What the servers know of nothing but one question (which captures, which stacks)
 * goes to them as tables of that question. */
#include "parser/store/click.h"
#include "parser/base/arena.h"
#include "parser/base/cursor.h"
#include "parser/base/mem.h"
#include "parser/store/click_rows.h"
#include "parser/store/content.h"
#include "parser/store/facts.h"

#include <stdlib.h>

int click_open(struct click **out, const char *address, struct warnings *w)
{
	struct click *k = xcalloc(1, sizeof(*k));
	int rc = http_open(&k->http, address, w);

	k->warnings = w;
	if (rc < 0) {
		click_close(k);
		k = NULL;
	}
	*out = k;
	return rc;
}

void click_close(struct click *k)
{
	if (!k)
		return;
	http_free(k->http);
	idmap_release(&k->sent_frames);
	idmap_release(&k->sent_stacks);
	buf_release(&k->caps);
	buf_release(&k->matched);
	buf_release(&k->rows);
	buf_release(&k->stacks);
	idmap_release(&k->stack_at);
	free(k);
}

void click_warn_to(struct click *k, struct warnings *w)
{
	k->warnings = w;
	http_warn_to(k->http, w);
}

/* ---- captures ---- */

static const char *take_text(struct cursor *c, struct arena *texts)
{
	size_t len = cursor_uleb(c);
	const char *text = cursor_take(c, len);

	return text ? arena_strndup(texts, text, len) : "";
}

/* The texts of an array: a list that the caller frees. */
static const char **take_texts(struct cursor *c, struct arena *texts, size_t *count)
{
	size_t n = cursor_uleb(c);
	const char **list = NULL;

	if (n > cursor_left(c)) {
		c->bad = true;
		n = 0;
	}
	list = xcalloc(n + 1, sizeof(*list));
	for (size_t i = 0; i < n; i++)
		list[i] = take_text(c, texts);
	*count = n;
	return list;
}

/* An array of COUNT numbers of SIZE bytes; NULL: it has not so many. */
static const uint8_t *take_numbers(struct cursor *c, size_t count, size_t size)
{
	if (cursor_uleb(c) != count)
		c->bad = true;
	return c->bad ? NULL : cursor_take(c, count * size);
}

static uint64_t number_at(const uint8_t *list, size_t i)
{
	uint64_t v;

	memcpy(&v, list + 8 * i, sizeof(v));
	return le64toh(v);
}

static void take_events(struct cursor *c, struct arena *texts, struct store_capture *to,
			struct store_sums **sums)
{
	size_t count, units;
	const char **names = take_texts(c, texts, &count), **unit = take_texts(c, texts, &units);
	const uint8_t *squares = take_numbers(c, count, 8), *rates = take_numbers(c, count, 8);
	const uint8_t *counts = take_numbers(c, count, 1), *weights = take_numbers(c, count, 8);
	const uint8_t *samples = take_numbers(c, count, 8);
	struct store_event *list = xcalloc(count + 1, sizeof(*list));

	*sums = xcalloc(count + 1, sizeof(**sums));
	c->bad |= units != count;
	for (size_t i = 0; !c->bad && i < count; i++) {
		uint64_t bits = number_at(squares, i);

		list[i] = (struct store_event){ .name = names[i],
						.unit = unit[i],
						.rate = number_at(rates, i),
						.counts = counts[i] };
		memcpy(&list[i].squares, &bits, sizeof(bits));
		(*sums)[i] = (struct store_sums){ number_at(weights, i), number_at(samples, i) };
	}
	free(names);
	free(unit);
	to->events = list;
	to->event_count = count;
}

static struct store_label *take_labels(struct cursor *c, struct arena *texts, size_t *count)
{
	size_t values;
	const char **key = take_texts(c, texts, count), **value = take_texts(c, texts, &values);
	struct store_label *list = xcalloc(*count + 1, sizeof(*list));

	c->bad |= values != *count;
	for (size_t i = 0; !c->bad && i < *count; i++)
		list[i] = (struct store_label){ key[i], value[i] };
	free(key);
	free(value);
	return list;
}

static int take_capture(struct click *k, struct facts *facts, struct cursor *c, struct arena *texts)
{
	uint64_t cap = cursor_u64(c);
	struct store_capture to = { .path = take_text(c, texts) };
	struct store_label *labels;
	struct store_sums *sums;
	int64_t id;
	int rc;

	to.host = take_text(c, texts);
	to.release = take_text(c, texts);
	to.arch = take_text(c, texts);
	to.command = take_text(c, texts);
	to.wall_ns = (int64_t)cursor_u64(c);
	to.has_wall = to.wall_ns != 0;
	to.first_ns = cursor_u64(c);
	to.last_ns = cursor_u64(c);
	to.step_ns = cursor_u64(c);
	to.lost = cursor_u64(c);
	to.samples = cursor_u64(c);
	to.cpus = cursor_u32(c);
	to.system_wide = cursor_u8(c);
	to.labels = labels = take_labels(c, texts, &to.label_count);
	take_events(c, texts, &to, &sums);
	to.hash.sum = ++k->cap_count;
	click_put_u64(&k->caps, cap);
	rc = c->bad ? click_malformed(k, "captures") : facts_add(facts, &to, sums, &id);
	free(labels);
	free((void *)to.events);
	free(sums);
	return rc;
}

int click_captures(struct click *k, struct sql *memory, const struct store_choice *choice)
{
	struct buf query = { 0 }, answer = { 0 };
	struct facts facts = { .sql = memory };
	struct arena texts;
	struct cursor c;
	int rc;

	buf_str(&query,
		"SELECT cap, path, host, release, arch, command, wall_ns, first_ns, last_ns,"
		" step_ns, lost, samples, cpus, wide, labels.key, labels.value,"
		" events.name, events.unit, events.squares, events.rate, events.counts,"
		" events.weight, events.samples FROM capture WHERE cap GLOBAL IN"
		" (SELECT min(cap) FROM capture WHERE 1");
	click_where_capture(&query, choice);
	buf_str(&query, " GROUP BY hash) ORDER BY imported, cap FORMAT RowBinary");
	rc = http_ask(k->http, query.data, NULL, &answer);
	arena_init(&texts);
	c = cursor_make(answer.data, answer.len, false);
	if (rc == 0)
		rc = sql_exec(memory, "BEGIN") ?: facts_begin(&facts, memory);
	while (rc == 0 && cursor_left(&c))
		rc = take_capture(k, &facts, &c, &texts);
	facts_end(&facts);
	if (rc == 0)
		rc = sql_exec(memory, "COMMIT");
	arena_release(&texts);
	buf_release(&query);
	buf_release(&answer);
	return rc;
}

/* ---- sums by stack ---- */

struct click_row {
	uint32_t part;
	struct content_id stack;
	uint64_t weight;
} __attribute__((packed));

static uint64_t cap_of(const struct click *k, const struct pick *p)
{
	uint64_t cap;

	memcpy(&cap, k->caps.data + 8 * (p->capture - 1), sizeof(cap));
	return cap; /* as it was sent */
}

void click_put_picks(const struct click *k, const struct picks *p, bool by_part, bool only_cut,
		     struct buf *out)
{
	uint32_t first = 0;

	for (uint32_t i = 0; i < p->count; i++) {
		uint64_t cap = cap_of(k, &p->list[i]);
		uint32_t part;

		if (by_part && p->list[i].part != p->list[first].part)
			first = i;
		if (only_cut && !p->list[i].to_step)
			continue;
		part = htole32(first);
		buf_add(out, &cap, sizeof(cap));
		buf_add(out, &part, sizeof(part));
	}
}

int click_ask_picked(struct click *k, const struct buf *query, const struct buf *picked,
		     struct buf *answer)
{
	const struct http_table matched = { "matched", "what UInt8, id UInt64", &k->matched, NULL };
	const struct http_table table = { "picked", "cap UInt64, part UInt32", picked,
					  k->matching ? &matched : NULL };

	return http_ask(k->http, query->data, &table, answer);
}

/* By part and stack. */
static void put_sums(const struct store_choice *choice, const struct picks *p, struct buf *out)
{
	buf_str(out, choice->each ? "SELECT part, " : "SELECT toUInt32(0) AS part, ");
	click_put_stack(out, choice);
	buf_str(out, choice->each ? " AS key, sum(weight) AS total FROM sample GLOBAL ANY INNER"
				    " JOIN (SELECT cap, part FROM picked) USING cap WHERE "
				  : " AS key, sum(weight) AS total FROM sample"
				    " WHERE cap GLOBAL IN (SELECT cap FROM picked) AND ");
	click_where_sample(out, choice, intern_str(&p->texts, p->event));
	click_where_patterns(out, choice);
	buf_str(out, " GROUP BY part, ");
	click_put_group(out, choice);
}

/* By part and last frame, whose number is that of the stack of it alone: 0 where the servers do not
 * know the stack, as they know no frame of that number. */
static void put_innermost(const struct store_choice *choice, const struct picks *p, struct buf *out)
{
	buf_str(out, "SELECT part, reverse(toFixedString(reinterpretAsString(last), 16)) AS frame,"
		     " sum(total) FROM (");
	put_sums(choice, p, out);
	buf_str(out, ") ANY LEFT JOIN (SELECT stack AS key, any(frames[-1]) AS last FROM stack"
		     " GROUP BY stack) USING key GROUP BY part, frame");
}

static int ask_sums(struct click *k, const struct store_choice *choice, const struct picks *p)
{
	struct buf query = { 0 }, picked = { 0 };
	int rc;

	click_put_picks(k, p, choice->each, false, &picked);
	if (choice->innermost)
		put_innermost(choice, p, &query);
	else
		put_sums(choice, p, &query);
	buf_str(&query, !choice->each	    ? " FORMAT RowBinary"
			: choice->innermost ? " ORDER BY part, frame FORMAT RowBinary"
					    : " ORDER BY part, key FORMAT RowBinary");
	rc = click_ask_picked(k, &query, &picked, &k->rows);
	if (rc == 0 && k->rows.len % sizeof(struct click_row))
		rc = click_malformed(k, "samples");
	buf_release(&query);
	buf_release(&picked);
	return rc;
}

/* Of those that a range cuts, what is in it. */
static int ask_cut(struct click *k, const struct store_choice *choice, struct picks *p)
{
	struct buf query = { 0 }, picked = { 0 }, answer = { 0 };
	struct idmap sums = { 0 };
	struct cursor c;
	int rc = 0;

	click_put_picks(k, p, false, true, &picked);
	if (picked.len) {
		buf_str(&query, "SELECT cap, sum(weight) FROM sample WHERE cap GLOBAL IN"
				" (SELECT cap FROM picked) AND ");
		click_where_sample(&query, choice, intern_str(&p->texts, p->event));
		buf_str(&query, " GROUP BY cap FORMAT RowBinary");
		rc = click_ask_picked(k, &query, &picked, &answer);
	}
	c = cursor_make(answer.data, answer.len, false);
	for (uint32_t i = 0; cursor_left(&c); i++) {
		*idmap_put(&sums, cursor_u64(&c)) = i;
		(void)cursor_u64(&c);
	}
	for (size_t i = 0; rc == 0 && i < p->count; i++) {
		uint32_t at = idmap_get(&sums, le64toh(cap_of(k, &p->list[i])));

		p->list[i].sum = p->list[i].to_step ? 0 : (uint64_t)p->list[i].weight;
		if (p->list[i].to_step && at != IDMAP_NONE)
			p->list[i].sum = number_at((const uint8_t *)answer.data, 2 * at + 1);
	}
	idmap_release(&sums);
	buf_release(&query);
	buf_release(&picked);
	buf_release(&answer);
	return rc;
}

/* ---- their frames ---- */

static int take_frames(struct click *k, struct sql *memory, struct cursor *c)
{
	sqlite3_stmt *add = sql_prepare(memory, "INSERT OR IGNORE INTO frame VALUES(?,?,?,?,?)");
	struct arena texts;
	int rc = add ? 0 : ERR_IO;

	arena_init(&texts);
	while (rc == 0 && cursor_left(c)) {
		uint64_t id = cursor_u64(c);
		const char *name = take_text(c, &texts), *module = take_text(c, &texts);
		uint8_t kind = cursor_u8(c);

		rc = c->bad ? click_malformed(k, "frames")
			    : sql_run(memory, add,
				      SQL_VALUES(SQL_INT(id), SQL_INT(id), SQL_TEXT(name),
						 SQL_TEXT(module), SQL_INT(kind)));
	}
	arena_release(&texts);
	sql_end(memory, add);
	return rc;
}

static int ask_frames(struct click *k, struct sql *memory, const struct buf *wanted)
{
	const struct http_table table = { "wanted", "id UInt64", wanted, NULL };
	struct buf answer = { 0 };
	struct cursor c;
	int rc = http_ask(k->http,
			  "SELECT id, name, module, kind FROM frame WHERE id GLOBAL IN"
			  " (SELECT id FROM wanted) FORMAT RowBinary",
			  &table, &answer);

	c = cursor_make(answer.data, answer.len, false);
	if (rc == 0)
		rc = take_frames(k, memory, &c);
	buf_release(&answer);
	return rc;
}

/* The frames of each as a store has them, LEB128, behind their number of bytes. Frames that are new
 * are appended to WANTED. A stack may come twice, until the server has merged its parts. */
static int take_stacks(struct click *k, struct cursor *c, struct buf *wanted)
{
	struct idmap frames = { 0 };
	struct buf list = { 0 };

	k->stacks.len = 0;
	idmap_release(&k->stack_at);
	k->stack_at = (struct idmap){ 0 };
	while (!c->bad && cursor_left(c)) {
		const struct content_id *id = cursor_take(c, sizeof(*id));
		uint32_t *at = id ? idmap_put(&k->stack_at, (uint64_t)content_number(id)) : NULL;

		list.len = 0;
		for (size_t n = cursor_uleb(c); n && !c->bad; n--) {
			uint64_t frame = cursor_u64(c);
			uint32_t *known = idmap_put(&frames, frame);

			if (*known == IDMAP_NONE)
				click_put_u64(wanted, frame);
			*known = 1;
			put_uleb(&list, frame);
		}
		if (!at || *at != IDMAP_NONE)
			continue;
		*at = (uint32_t)k->stacks.len;
		put_uleb(&k->stacks, list.len);
		buf_add(&k->stacks, list.data ? list.data : "", list.len);
		c->bad |= k->stacks.len > UINT32_MAX - 1;
	}
	idmap_release(&frames);
	buf_release(&list);
	return c->bad ? click_malformed(k, "stacks") : 0;
}

bool click_stack(const struct click *k, int64_t stack, struct cursor *frames)
{
	uint32_t at = idmap_get(&k->stack_at, (uint64_t)stack);

	if (at == IDMAP_NONE)
		return false;
	*frames = cursor_make(k->stacks.data + at, k->stacks.len - at, false);
	*frames = cursor_sub(frames, cursor_uleb(frames));
	return true;
}

/* The stacks of ROWS, each once. False: two have one number. */
static bool put_wanted(const struct click *k, struct buf *out)
{
	const struct click_row *rows = (const void *)k->rows.data;
	struct idmap known = { 0 };
	bool apart = true;

	for (size_t i = 0; i < k->rows.len / sizeof(*rows); i++) {
		uint32_t *at = idmap_put(&known, (uint64_t)content_number(&rows[i].stack));

		if (content_number(&rows[i].stack) == STORE_OTHERS) {
			*at = (uint32_t)i;
			continue;
		}
		if (*at != IDMAP_NONE) {
			apart &= !memcmp(&rows[*at].stack, &rows[i].stack, sizeof(rows->stack));
			continue;
		}
		*at = (uint32_t)i;
		buf_add(out, &rows[i].stack, sizeof(rows->stack));
	}
	idmap_release(&known);
	return apart;
}

/* The stacks of one frame that put_innermost() names, as the servers would tell them. */
static void put_frame_stacks(const struct buf *wanted, struct buf *out)
{
	const struct content_id *ids = (const void *)wanted->data;

	for (size_t i = 0; i < wanted->len / sizeof(*ids); i++) {
		buf_add(out, &ids[i], sizeof(*ids));
		put_uleb(out, 1);
		click_put_u64(out, (uint64_t)content_number(&ids[i]));
	}
}

static int ask_stacks(struct click *k, struct sql *memory, const struct store_choice *choice)
{
	struct buf wanted = { 0 }, frames = { 0 }, answer = { 0 };
	const struct http_table table = { "wanted", "stack FixedString(16)", &wanted, NULL };
	struct cursor c;
	int rc = 0;

	if (!put_wanted(k, &wanted))
		rc = click_malformed(k, "stacks");
	else if (choice->innermost)
		put_frame_stacks(&wanted, &answer);
	else
		rc = http_ask(k->http,
			      "SELECT stack, frames FROM stack WHERE stack GLOBAL IN"
			      " (SELECT stack FROM wanted) FORMAT RowBinary",
			      &table, &answer);
	c = cursor_make(answer.data, answer.len, false);
	if (rc == 0)
		rc = take_stacks(k, &c, &frames);
	if (rc == 0)
		rc = sql_exec(memory, "BEGIN") ?: ask_frames(k, memory, &frames)
			     ?: sql_exec(memory, "COMMIT");
	buf_release(&wanted);
	buf_release(&frames);
	buf_release(&answer);
	return rc;
}

int click_rows(struct click *k, struct sql *memory, const struct store_choice *choice,
	       struct picks *picks)
{
	k->at = 0;
	return picks->count ? (click_match(k, choice) ?: ask_sums(k, choice, picks)
							       ?: ask_cut(k, choice, picks)
							       ?: ask_stacks(k, memory, choice))
			    : 0;
}

bool click_next(struct click *k, uint32_t first, int64_t *stack, uint64_t *weight)
{
	const struct click_row *row = (const void *)(k->rows.data + k->at);

	if (k->at >= k->rows.len || le32toh(row->part) != first)
		return false;
	k->at += sizeof(*row);
	*stack = content_number(&row->stack);
	*weight = le64toh(row->weight);
	return true;
}
