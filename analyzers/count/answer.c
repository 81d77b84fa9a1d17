/* Facts and cells, kept until the result is drawn. Names from captures are untrusted: they are made
 * safe to show here. */
#include "analyzers/count/answer.h"
#include "parser/base/buf.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"
#include "parser/base/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void answer_release(struct answer *a)
{
	arena_release(&a->arena);
	free(a->facts);
	cells_release(&a->cells);
	free(a->order);
	free(a->told);
	free(a->inputs);
}

/* COPY, of LEN bytes, is TEXT: make it safe to show. */
static char *cleaned(char *copy, const char *text, size_t len)
{
	size_t n;

	for (size_t i = 0; i < len; i += n ? n : 1) {
		n = amount_length(text + i);
		n = n ? n : utf8_shown(text + i, len - i);
		if (!n)
			copy[i] = ' ';
	}
	return copy;
}

const char *answer_string(struct answer *a, const char *text)
{
	size_t len = strlen(text);

	return cleaned(arena_strndup(&a->arena, text, len), text, len);
}

static void add_fact(struct answer *a, const char *name, enum fact_rank rank, const char *fmt,
		     va_list ap)
{
	char *text;

	if (vasprintf(&text, fmt, ap) < 0)
		return;
	a->facts = xgrow(a->facts, &a->fact_cap, a->fact_count + 1, sizeof(*a->facts));
	a->facts[a->fact_count++] = (struct fact){ name, answer_string(a, text), rank };
	free(text);
}

void answer_fact(struct answer *a, const char *name, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_fact(a, name, FACT_PLAIN, fmt, ap);
	va_end(ap);
}

void answer_warn(struct answer *a, const char *name, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_fact(a, name, FACT_WARNS, fmt, ap);
	va_end(ap);
}

void answer_leads(struct answer *a)
{
	if (a->fact_count)
		a->facts[a->fact_count - 1].rank = FACT_LEADS;
}

void answer_warns_if(struct answer *a, bool it)
{
	if (it && a->fact_count)
		a->facts[a->fact_count - 1].rank = FACT_WARNS;
}

/* Two of one kind, "lost: 3" and "lost: 5", become one; the same twice stays once. */
static bool join_told(struct answer *a, const char *text)
{
	const char *value = strstr(text, ": ");
	size_t kind = value ? (size_t)(value - text) + 2 : strlen(text) + 1;

	for (size_t i = 0; i < a->told_count; i++) {
		struct buf b = { 0 };

		if (strncmp(a->told[i], text, kind) != 0)
			continue;
		buf_str(&b, a->told[i]);
		if (strcmp(a->told[i], text) != 0)
			buf_printf(&b, ", %s", text + kind);
		a->told[i] = answer_string(a, b.data);
		buf_release(&b);
		return true;
	}
	return false;
}

void answer_tell(struct answer *a, const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	if (text && !join_told(a, text)) {
		a->told = xgrow(a->told, &a->told_cap, a->told_count + 1, sizeof(*a->told));
		a->told[a->told_count++] = answer_string(a, text);
	}
	free(text);
}

const char *answer_none(struct answer *a, const char *text)
{
	struct buf b = { 0 };
	const char *why;

	buf_str(&b, text);
	for (size_t i = 0; i < a->told_count; i++) {
		if (!strncmp(a->told[i], "unmatched: ", 11))
			buf_printf(&b, "; %s", a->told[i]);
	}
	why = answer_string(a, b.data);
	buf_release(&b);
	return why;
}

static void add_input(struct answer *a, const char *name)
{
	a->inputs = xgrow(a->inputs, &a->input_cap, a->input_count + 1, sizeof(*a->inputs));
	a->inputs[a->input_count++] = answer_string(a, name);
}

const struct weight_part_names weight_part_names = { "unresolved", "apart" };

void answer_parts(struct answer *a, const struct weight_part_names *names, const char *event,
		  struct weight_parts p)
{
	const char *colon = event ? ": " : "";

	if (p.unnamed > 0)
		answer_tell(a, "unresolved%s%s: %s", event ? " of " : "", event ?: "",
			    SHARE_TEXT(p.unnamed, p.whole));
	answer_fact(a, names->unnamed, "%s%s%s of the weight has a leaf without a name",
		    event ?: "", colon, SHARE_TEXT(p.unnamed, p.whole));
	answer_warns_if(a, p.unnamed > 0);
	if (p.apart > 0)
		answer_fact(a, names->apart,
			    "%s%s%s of the weight was sampled in another function than the "
			    "innermost one of its call chain: self weight is where it was sampled, "
			    "stacks are the chains",
			    event ?: "", colon, SHARE_TEXT(p.apart, p.whole));
}

void answer_fact_if(struct answer *a, const char *name, const char *text)
{
	if (text && *text)
		answer_fact(a, name, "%s", text);
}

void answer_list(struct buf *b, uint64_t count, const char *what)
{
	if (count)
		buf_printf(b, "%s%s %s", b->len ? ", " : "", COUNT_TEXT(count), what);
}

void answer_held(struct answer *a, bool it)
{
	a->held |= it;
}

uint64_t answer_sum(struct answer *a, uint64_t sum)
{
	answer_held(a, sum == SUM_HELD);
	return sum;
}

void answer_unmatched(struct answer *a, const struct buf *b, struct warnings *w)
{
	answer_fact(a, "unmatched", "%s", b->len ? b->data : "nothing");
	if (!b->len)
		return;
	answer_warns_if(a, true);
	answer_tell(a, "unmatched: %s", b->data);
	warn_add(w, SEV_NOTE, "unmatched", "unmatched: %s", b->data);
}

/* ---- cells ---- */

void answer_cell_text(struct answer *a, const char *text)
{
	size_t len = strlen(text);

	(void)cleaned(cells_add_text(&a->cells, text, len), text, len);
}

void answer_cell_buf(struct answer *a, struct buf *text)
{
	buf_char(text, '\0');
	answer_cell_text(a, text->data);
	buf_release(text);
}

void answer_cell_kept(struct answer *a, const char *text)
{
	cells_add_kept(&a->cells, text);
}

void answer_cell_count(struct answer *a, uint64_t count)
{
	cells_add(&a->cells, &(struct cell){ .count = count });
}

void answer_cell_sum(struct answer *a, uint64_t sum)
{
	answer_cell_count(a, answer_sum(a, sum));
}

void answer_cell_count_if(struct answer *a, bool there, uint64_t count)
{
	cells_add(&a->cells, &(struct cell){ .count = count, .empty = !there });
}

void answer_cell_delta(struct answer *a, int64_t delta)
{
	cells_add(&a->cells, &(struct cell){ .delta = delta });
}

void answer_cell_real(struct answer *a, double real)
{
	cells_add(&a->cells, &(struct cell){ .real = real, .empty = !isfinite(real) });
}

void answer_cell_empty(struct answer *a)
{
	cells_add(&a->cells, &(struct cell){ .empty = true });
}

/* ---- what was read ---- */

static void add_nums(struct buf *b, const char *name, const struct num_list *l)
{
	for (size_t i = 0; i < l->count; i++) {
		buf_printf(b, "%s%" PRIu64, i ? "," : name, l->list[i].lo);
		if (l->list[i].hi != l->list[i].lo)
			buf_printf(b, "-%" PRIu64, l->list[i].hi);
	}
}

static void add_names(struct buf *b, const char *name, const struct name_list *l)
{
	for (size_t i = 0; i < l->count; i++)
		buf_printf(b, "%s%s", i ? "," : name, l->list[i]);
}

void answer_filters(struct answer *a, const struct filter *f, const char *none)
{
	struct buf b = { 0 };

	add_names(&b, " event ", &f->events);
	add_names(&b, " comm ", &f->comms);
	add_nums(&b, " pid ", &f->pids);
	add_nums(&b, " tid ", &f->tids);
	add_nums(&b, " cpu ", &f->cpus);
	if (f->fields)
		buf_printf(&b, " fields %s", f->fields);
	if (f->time)
		buf_printf(&b, " time %s", f->time_each ?: f->time);
	add_names(&b, " dso ", &f->dsos);
	add_names(&b, " symbol ", &f->symbols);
	if (f->no_idle)
		buf_str(&b, " no idle");
	answer_fact_if(a, "filters", b.len ? b.data + 1 : none);
	answer_warns_if(a, b.len);
	if (b.len)
		a->filters = answer_string(a, b.data);
	buf_release(&b);
}

void answer_span(struct answer *a, const struct pdt_session *s)
{
	uint64_t first = pdt_number(s, PDT_FIRST_NS), last = pdt_number(s, PDT_LAST_NS);

	if (!last)
		return;
	answer_fact(a, "sampled", "%s, from %s to %s", NS_TEXT(last - first), TIME_TEXT(first),
		    TIME_TEXT(last));
	answer_tell(a, "sampled: %s", NS_TEXT(last - first));
	a->spans = true;
}

/* What was too much. */
static void answer_left_out(struct answer *a, const struct pdt_session *s)
{
	const char *what;
	uint64_t count;

	for (size_t i = 0; (what = pdt_left_out(s, i, &count)) != NULL; i++) {
		if (!count)
			continue;
		answer_warn(a, "left out", "%s %s", COUNT_TEXT(count), what);
		answer_tell(a, "left out: %s %s", COUNT_TEXT(count), what);
	}
}

void answer_capture(struct answer *a, const struct pdt_session *s)
{
	const char *host = pdt_text(s, PDT_HOSTNAME), *release = pdt_text(s, PDT_OSRELEASE);
	const char *arch = pdt_text(s, PDT_ARCH);

	if (!a->captures++)
		answer_filters(a, filter_of(s), "none");
	a->clock_shift = clock_shift(s);
	answer_fact(a, "capture", "%s", pdt_text(s, PDT_PATH));
	add_input(a, pdt_text(s, PDT_PATH));
	if (host || release)
		answer_fact(a, "host", "%s%s%s%s%s", host ?: "unknown", release ? ", kernel " : "",
			    release ?: "", arch ? ", " : "", arch ?: "");
	answer_fact(a, "samples", "%s used of %s%s", COUNT_TEXT(pdt_number(s, PDT_SAMPLES_USED)),
		    COUNT_TEXT(pdt_number(s, PDT_SAMPLES)),
		    pdt_number(s, PDT_SAMPLES_BAD) ? ", some damaged" : "");
	answer_warns_if(a, pdt_number(s, PDT_SAMPLES_BAD));
	answer_span(a, s);
	a->lost += pdt_number(s, PDT_LOST_ANY);
	a->throttles += pdt_number(s, PDT_THROTTLES);
	answer_fact(a, "lost", "%s, throttled %s times", COUNT_TEXT(pdt_number(s, PDT_LOST_ANY)),
		    COUNT_TEXT(pdt_number(s, PDT_THROTTLES)));
	answer_warns_if(a, pdt_number(s, PDT_LOST_ANY) || pdt_number(s, PDT_THROTTLES));
	answer_left_out(a, s);
}

void answer_text_input(struct answer *a, const char *what, const struct folded *text)
{
	a->captures++;
	answer_fact(a, what, "%s", folded_path(text));
	add_input(a, folded_path(text));
}

void answer_folded(struct answer *a, const struct folded *text)
{
	answer_text_input(a, folded_is_store(text) ? "store" : "folded text", text);
}

/* What holds for all inputs. */
static void tell_common(struct answer *a)
{
	if (a->lost)
		answer_tell(a, "lost: %s records", COUNT_TEXT(a->lost));
	else if (a->spans)
		answer_tell(a, "lost: nothing");
	if (a->throttles)
		answer_tell(a, "throttled: %s times", COUNT_TEXT(a->throttles));
	if (a->filters) /* the longest one last */
		answer_tell(a, "filters:%s", a->filters);
}

/* ---- the wall clock ---- */

/* "2024-02-03T04:05:06.789012345Z" */
const char *wall_text(char text[64], uint64_t wall_ns)
{
	time_t seconds = (time_t)(wall_ns / 1000000000);
	struct tm tm = { 0 };
	size_t n;

	(void)gmtime_r(&seconds, &tm);
	n = strftime(text, 64 - 16, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text + n, 64 - n, ".%09uZ", (unsigned)(wall_ns % 1000000000));
	return text;
}

/* The points in time of a fact. */
static const char *wall_fact(struct answer *a, const char *value)
{
	struct buf b = { 0 };
	char text[64];
	size_t n;

	for (const char *p = value; *p; p += n) {
		n = amount_length(p);
		if (n && p[1] == 'A' + COLUMN_TIME_NS)
			buf_str(&b, wall_text(text, strtoull(p + 2, NULL, 10) + a->clock_shift));
		else
			buf_add(&b, p, n ? n : 1);
		n = n ? n : 1;
	}
	value = arena_strndup(&a->arena, b.len ? b.data : "", b.len);
	buf_release(&b);
	return value;
}

/* The cells of the N columns that are points in time become text. */
static void wall_cells(struct answer *a, const struct column *columns, size_t n)
{
	struct cells all = a->cells;
	char wall[64];

	a->cells = (struct cells){ 0 };
	for (size_t i = 0; i < all.count; i++) {
		struct cell c = cells_at(&all, i);
		const char *text = c.text;

		if (columns[i % n].type == COLUMN_TIME_NS)
			text = c.empty ? "" : wall_text(wall, c.count + a->clock_shift);
		if (text && text != c.text)
			(void)cells_add_text(&a->cells, text, strlen(text));
		else
			cells_copy(&a->cells, &all, i);
	}
	cells_release(&all);
}

/* Show points in time by the wall clock: "time_ns" becomes "time". The N columns, as they are then.
 */
static const struct column *show_wall(struct answer *a, const struct column *columns, size_t n)
{
	struct column *own = arena_alloc(&a->arena, (n + 1) * sizeof(*own));

	memcpy(own, columns, n * sizeof(*own));
	wall_cells(a, columns, n);
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(own[i].name);

		if (own[i].type != COLUMN_TIME_NS)
			continue;
		own[i].name = arena_strndup(&a->arena, own[i].name, len > 3 ? len - 3 : len);
		own[i].type = COLUMN_WALL;
	}
	return own;
}

void answer_result(struct answer *a, const struct column *columns, struct result *out)
{
	size_t n = 0;

	tell_common(a);
	out->held = a->held;
	if (a->held)
		answer_warn(a, "overflow", "%s", RESULT_HELD);
	if (a->held)
		answer_tell(a, "overflow: %s", RESULT_HELD);
	out->told = a->told;
	out->told_count = a->told_count;
	out->inputs = a->inputs;
	out->input_count = a->input_count;
	for (size_t i = 0; a->clock_shift && i < a->fact_count; i++)
		a->facts[i].value = wall_fact(a, a->facts[i].value);
	out->facts = a->facts;
	out->fact_count = a->fact_count;
	while (columns && columns[n].name)
		n++;
	if (!n)
		return;
	if (a->clock_shift)
		columns = show_wall(a, columns, n);
	a->table = (struct table_part){ .columns = columns,
					.column_count = n,
					.cells = &a->cells,
					.row_count = a->order ? a->order_count : a->cells.count / n,
					.order = a->order };
	out->table = &a->table;
}
