/* Accesses to memory as perf mem record samples them: by where the data came from, which code asked
 * for which data, and how long they took. What was done to cache lines is in cachelines.c. */
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/count/namer.h"
#include "analyzers/hardware/datasrc.h"
#include "analyzers/memory/access.h"
#include "analyzers/memory/cachelines.h"
#include "analyzers/heat/heat.h"
#include "analyzers/heat/histogram.h"
#include "formats/model/amount.h"
#include "parser/base/abi.h"
#include "parser/base/compare.h"
#include "parser/base/held.h"
#include "parser/base/intern.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What rows are by, in perf's words; those of data sources begin the list in their order. */
enum key {
	KEY_OP = DATASRC_OPERATION,
	KEY_MEM = DATASRC_LEVEL,
	KEY_SNOOP = DATASRC_SNOOP,
	KEY_TLB = DATASRC_TLB,
	KEY_LOCKED = DATASRC_LOCK,
	KEY_BLOCKED = DATASRC_BLOCKED,
	KEY_WEIGHT = DATASRC_PARTS,
	KEY_SYM,
	KEY_DSO,
	KEY_DATA_SYM,
	KEY_DATA_DSO,
	KEY_LINE,
	KEY_COMM,
	KEY_EVENT,
	KEY_INS_LAT,
	KEY_RETIRE_LAT,
	KEYS
};

static const char *const key_names[] = {
	"op",	  "mem",	  "snoop",	   "tlb",
	"locked", "blocked",	  "local_weight",  "sym",
	"dso",	  "symbol_daddr", "dso_daddr",	   "dcacheline",
	"comm",	  "event",	  "local_ins_lat", "local_retire_lat|local_p_stage_cyc",
	NULL
};

/* What is known while events flow. Compared as bytes: no padding. */
struct access_key {
	uint64_t source, weight, address;
	uint32_t code, data; /* locations; PDT_NONE: not asked for */
	uint32_t comm, event;
	uint32_t ins_lat, retire_lat;
};

struct access_sums {
	uint64_t samples, weight; /* as perf: one that took no time counts 1 */
	uint64_t timed, time, most;
	uint64_t loads, stores, hitm, remote_hitm;
};

struct mem {
	struct word_list keys;
	bool by_line, by_place, figures, histogram;
	uint64_t limit;
	struct cachelines lines; /* of the first three */
	bool wants[KEYS];
	struct intern accesses; /* struct access_key */
	struct access_sums *sums;
	size_t count, cap;
	uint64_t samples, apart; /* of events without data sources */
	struct answer answer;
	struct column columns[KEYS + LINE_COLUMNS];
	uint8_t shown[LINE_COLUMNS];
	size_t shown_count; /* 0: all */
	struct histogram bars;
};

#define O(member) offsetof(struct mem, member)

static const struct option options[] = {
	{ "sort", 's', OPT_WORDS, O(keys), "KEYS",
	  "what rows are by (default: code, data, and all that the data source tells)",
	  .words = key_names },
	{ "lines", 0, OPT_FLAG, O(by_line), NULL,
	  "a row for each cache line, as perf c2c shows them", .one_of = "view" },
	{ "offsets", 0, OPT_FLAG, O(by_place), NULL,
	  "a row for each place in a cache line that cores share, and the code that was there",
	  .one_of = "view" },
	{ "line", 0, OPT_TEXT, O(lines.only), "ADDRESS",
	  "with --offsets: of this line, shared or not", .pattern = "^0x[0-9a-f]{1,16}$",
	  .wanted = "an address, 0x1f40", .needs = "offsets" },
	{ "line-size", 0, OPT_SIZE, O(lines.line_bytes), "BYTES",
	  "how many bytes a cache line has (default: as the machine's have)", .least = 8 },
	{ "stats", 0, OPT_FLAG, O(figures), NULL,
	  "how often each happened, in all and on shared lines, as perf c2c tells",
	  .one_of = "view" },
	{ "histogram", 0, OPT_FLAG, O(histogram), NULL,
	  "how long loads took, in powers of two, by where the data came from", .one_of = "view" },
	{ "limit", 0, OPT_COUNT, O(limit), "N", "only the first N rows; 0: all" },
	{ 0 },
};

static bool of_lines(const struct mem *m)
{
	return m->by_line || m->by_place || m->figures;
}

static int begin_lines(struct mem *m, struct warnings *w)
{
	struct cachelines *l = &m->lines;

	l->by_place = m->by_place;
	l->by_code = m->figures;
	l->only_at = l->only ? strtoull(l->only, NULL, 16) : 0;
	if (!(l->line_bytes & (l->line_bytes - 1)))
		return 0;
	warn_add(w, SEV_FATAL, "usage", "mem: --line-size %" PRIu64 ": expected a power of two",
		 l->line_bytes);
	return ERR_USAGE;
}

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	static const uint8_t usual[] = {
		KEY_OP,	      KEY_MEM,	 KEY_SYM, KEY_DSO,    KEY_DATA_SYM,
		KEY_DATA_DSO, KEY_SNOOP, KEY_TLB, KEY_LOCKED, KEY_BLOCKED
	};
	static const uint8_t of_times[] = { KEY_MEM, KEY_WEIGHT };
	struct mem *m = state;
	const uint8_t *take = m->histogram ? of_times : usual;
	size_t n = m->histogram ? ARRAY_SIZE(of_times) : ARRAY_SIZE(usual);

	(void)in;
	if (m->keys.count && (of_lines(m) || m->histogram)) {
		warn_add(w, SEV_FATAL, "usage",
			 "mem: --sort is not for --lines, --offsets, --stats and --histogram");
		return ERR_USAGE;
	}
	for (size_t i = 0; !m->keys.count && i < n; i++)
		m->keys.list[i] = take[i];
	m->keys.count = m->keys.count ?: n;
	for (size_t i = 0; i < m->keys.count; i++)
		m->wants[m->keys.list[i]] = true;
	return begin_lines(m, w);
}

static void configure(void *state, struct asked *o)
{
	if (((struct mem *)state)->by_place)
		o->wants |= PDT_WANT_LINES;
}

/* ---- counting ---- */

static struct access_key key_of(const struct mem *m, const struct pdt_event *e,
				const struct pdt_session *s)
{
	const struct filter *f = filter_of(s);
	const struct pdt_values *v = e->values;
	bool places = f->dsos.count || f->symbols.count || f->no_idle;
	struct access_key k = { .code = PDT_NONE, .data = PDT_NONE, .comm = PDT_NONE };

	for (int part = 0; part < DATASRC_PARTS; part++)
		k.source |= m->wants[part] ? datasrc_bits(v->data_src, part) : 0;
	if (m->histogram) /* 0: no load, or its time is not told */
		k.weight = datasrc_is_load(v->data_src) ? octave_start(octave_of(e->sample_weight))
							: 0;
	else if (m->wants[KEY_WEIGHT])
		k.weight = e->sample_weight;
	if (m->wants[KEY_DATA_SYM])
		k.address = v->addr;
	else if (m->wants[KEY_LINE])
		k.address = v->addr & ~(m->lines.line_bytes - 1);
	if (places || m->wants[KEY_SYM] || m->wants[KEY_DSO])
		k.code = access_code(s, e);
	if (m->wants[KEY_DATA_SYM] || m->wants[KEY_DATA_DSO])
		k.data = access_data(s, e, v->addr);
	if (m->wants[KEY_COMM])
		k.comm = e->comm;
	if (m->wants[KEY_EVENT])
		k.event = pdt_desc_index(e->desc);
	if (pdt_desc_number(s, e->desc, PDT_DESC_SAMPLE_TYPE) & SAMPLE_WEIGHT_STRUCT) {
		k.ins_lat = m->wants[KEY_INS_LAT] ? (uint32_t)(v->weight >> 32 & 0xffff) : 0;
		k.retire_lat = m->wants[KEY_RETIRE_LAT] ? (uint32_t)(v->weight >> 48) : 0;
	}
	return k;
}

static void add_tally(struct access_sums *a, const uint32_t *tally)
{
	a->loads += tally[TALLY_LOADS];
	a->stores += tally[TALLY_STORES];
	a->hitm += tally[TALLY_HITM_LOCAL];
	a->remote_hitm += tally[TALLY_HITM_REMOTE];
}

static void count(struct access_sums *a, const struct pdt_values *v, uint64_t weight)
{
	uint32_t tally[TALLIES] = { 0 };

	a->samples++;
	(void)add_held(&a->weight, weight ?: 1);
	(void)add_held(&a->time, weight);
	a->timed += weight != 0;
	a->most = weight > a->most ? weight : a->most;
	(void)datasrc_tally(v->data_src, v->addr, tally);
	add_tally(a, tally);
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *s)
{
	const struct filter *f = filter_of(s);
	struct mem *m = state;
	struct access_key k;
	uint32_t id;

	if (e->kind != PDT_SAMPLE || !e->values)
		return;
	if (!(pdt_desc_number(s, e->desc, PDT_DESC_SAMPLE_TYPE) & SAMPLE_DATA_SRC)) {
		m->apart++;
		return;
	}
	m->samples++;
	m->lines.line_bytes = m->lines.line_bytes ?: access_line_bytes(s);
	m->lines.by_code |= f->dsos.count || f->symbols.count || f->no_idle;
	if (of_lines(m)) {
		cachelines_add(&m->lines, e, s);
		return;
	}
	k = key_of(m, e, s);
	id = intern_add(&m->accesses, (const char *)&k, sizeof(k));
	m->sums = xgrow_to(m->sums, &m->count, &m->cap, id, sizeof(*m->sums));
	count(&m->sums[id], e->values, e->sample_weight);
}

/* ---- rows: accesses whose keys read the same ---- */

struct row_list {
	struct intern texts, rows; /* of a row: its ids */
	struct access_sums *sums;
	size_t count, cap;
};

static void put_key(const struct mem *m, const struct pdt_session *s, enum key key,
		    const struct access_key *k, struct buf *out)
{
	uint64_t line_bytes = m->lines.line_bytes;

	switch (key) {
	case KEY_WEIGHT:
		buf_printf(out, "%" PRIu64, k->weight);
		break;
	case KEY_INS_LAT:
		buf_printf(out, "%" PRIu32, k->ins_lat);
		break;
	case KEY_RETIRE_LAT:
		buf_printf(out, "%" PRIu32, k->retire_lat);
		break;
	case KEY_SYM:
		access_put_code(s, k->code, out);
		break;
	case KEY_DSO:
		access_put_module(s, k->code, out);
		break;
	case KEY_DATA_SYM:
		access_put_data(s, k->data, k->address, out);
		break;
	case KEY_DATA_DSO:
		access_put_module(s, k->data, out);
		break;
	case KEY_LINE:
		access_put_hex(k->address & ~(line_bytes - 1), out);
		break;
	case KEY_COMM:
		buf_str(out, k->comm == PDT_NONE ? "[unknown]" : pdt_comm(s, k->comm));
		break;
	case KEY_EVENT:
		buf_str(out, pdt_desc_name(pdt_desc_at(s, k->event)));
		break;
	default:
		datasrc_put(k->source, (enum datasrc_part)key, out);
	}
}

static void add_sums(struct access_sums *to, const struct access_sums *from)
{
	to->samples += from->samples;
	(void)add_held(&to->weight, from->weight);
	to->timed += from->timed;
	(void)add_held(&to->time, from->time);
	to->most = from->most > to->most ? from->most : to->most;
	to->loads += from->loads;
	to->stores += from->stores;
	to->hitm += from->hitm;
	to->remote_hitm += from->remote_hitm;
}

static void trim(struct buf *b, size_t from)
{
	size_t begin = from;

	while (begin < b->len && b->data[begin] == ' ')
		begin++;
	memmove(b->data + from, b->data + begin, b->len - begin);
	b->len -= begin - from;
	while (b->len > from && b->data[b->len - 1] == ' ')
		b->len--;
}

static struct row_list rows_of(struct mem *m, const struct pdt_session *s)
{
	uint32_t *ids = xcalloc(m->keys.count, sizeof(*ids));
	struct row_list l = { 0 };
	struct buf text = { 0 };

	for (size_t i = 0; i < m->count; i++) {
		struct access_key k;
		uint32_t row;

		memcpy(&k, intern_str(&m->accesses, (uint32_t)i), sizeof(k));
		if (!where_passes((struct place){ s, k.code }, filter_of(s), false))
			continue;
		for (size_t n = 0; n < m->keys.count; n++) {
			text.len = 0;
			put_key(m, s, m->keys.list[n], &k, &text);
			trim(&text, 0);
			ids[n] = intern_add(&l.texts, text.data ? text.data : "", text.len);
		}
		row = intern_add(&l.rows, (const char *)ids, m->keys.count * sizeof(*ids));
		l.sums = xgrow_to(l.sums, &l.count, &l.cap, row, sizeof(*l.sums));
		add_sums(&l.sums[row], &m->sums[i]);
	}
	buf_release(&text);
	free(ids);
	return l;
}

static void release_rows(struct row_list *l)
{
	intern_release(&l->texts);
	intern_release(&l->rows);
	free(l->sums);
}

/* Of a row, the text of its N-th key. */
static const char *text_of(const struct row_list *l, size_t row, size_t n)
{
	uint32_t id;

	memcpy(&id, intern_str(&l->rows, (uint32_t)row) + n * sizeof(id), sizeof(id));
	return intern_str(&l->texts, id);
}

/* Where the times of a row of a histogram begin. */
static uint64_t low_of(const struct row_list *l, size_t row)
{
	return strtoull(text_of(l, row, 1), NULL, 10);
}

struct ordering {
	const struct mem *m;
	const struct row_list *l;
};

/* The most first, then by what is read. */
static int compare(const void *pa, const void *pb, void *ctx)
{
	const struct ordering *o = ctx;
	size_t x = *(const size_t *)pa, y = *(const size_t *)pb;
	const struct access_sums *a = &o->l->sums[x], *b = &o->l->sums[y];
	int rc;

	if (o->m->histogram)
		return strcmp(text_of(o->l, x, 0), text_of(o->l, y, 0))
			       ?: compare_u64(low_of(o->l, x), low_of(o->l, y));
	rc = compare_u64(b->weight, a->weight);
	for (size_t n = 0; !rc && n < o->m->keys.count; n++)
		rc = strcmp(text_of(o->l, x, n), text_of(o->l, y, n));
	return rc;
}

static size_t *ordered(const struct mem *m, const struct row_list *l)
{
	struct ordering o = { m, l };
	size_t *order = xcalloc(l->count + 1, sizeof(*order));

	for (size_t i = 0; i < l->count; i++)
		order[i] = i;
	if (l->count)
		qsort_r(order, l->count, sizeof(*order), compare, &o);
	return order;
}

/* ---- the answer ---- */

static const struct column usual_columns[] = {
	{ "overhead_pct", COLUMN_PERCENT, 2 },
	{ "samples", COLUMN_COUNT },
	{ "weight", COLUMN_COUNT },
	{ "mean_weight", COLUMN_REAL, 1 },
	{ "max_weight", COLUMN_COUNT },
};
static double percent(uint64_t part, uint64_t whole)
{
	return 100 * (double)part / (double)whole; /* of 0: no number */
}

static void usual_cells(struct answer *a, const struct access_sums *r,
			const struct access_sums *all)
{
	answer_cell_real(a, percent(r->weight, all->weight));
	answer_cell_count(a, r->samples);
	answer_cell_sum(a, r->weight);
	answer_cell_real(a, (double)r->time / (double)r->timed);
	answer_cell_count(a, r->most);
}

/* As it is called first, where it has two names. */
static const char *key_column(unsigned key)
{
	return key == KEY_RETIRE_LAT ? "local_retire_lat" : key_names[key];
}

static void rows_answer(struct mem *m, const struct row_list *l, const struct access_sums *all)
{
	size_t n = ARRAY_SIZE(usual_columns), *order = ordered(m, l);

	memcpy(m->columns, usual_columns, sizeof(usual_columns));
	for (size_t i = 0; i < m->keys.count; i++)
		m->columns[n + i] = (struct column){ key_column(m->keys.list[i]), COLUMN_TEXT };
	for (size_t i = 0; i < l->count && (!m->limit || i < m->limit); i++) {
		usual_cells(&m->answer, &l->sums[order[i]], all);
		for (size_t k = 0; k < m->keys.count; k++)
			answer_cell_text(&m->answer, text_of(l, order[i], k));
	}
	free(order);
}

static const struct column histogram_columns[] = { { "mem", COLUMN_TEXT },
						   { "low", COLUMN_COUNT },
						   { "high", COLUMN_COUNT },
						   { "samples", COLUMN_COUNT },
						   { "share_pct", COLUMN_PERCENT, 2, "Of Mem" },
						   { 0 } };

/* Rows of one level follow each other. */
static void histogram_answer(struct mem *m, const struct row_list *l)
{
	size_t *order = ordered(m, l);
	uint64_t counts[OCTAVES] = { 0 }, untimed = 0;

	memcpy(m->columns, histogram_columns, sizeof(histogram_columns));
	for (size_t i = 0; i < l->count; i++) {
		const char *level = text_of(l, order[i], 0);
		uint64_t low = low_of(l, order[i]), samples = l->sums[order[i]].samples;

		if (low)
			counts[octave_of(low)] += samples;
		else
			untimed += l->sums[order[i]].loads;
		if (i + 1 < l->count && text_of(l, order[i + 1], 0) == level)
			continue;
		histogram_add(&m->bars, &m->answer, level, counts);
		memset(counts, 0, sizeof(counts));
	}
	if (untimed)
		answer_fact(&m->answer, "no time", "%s loads do not tell how long they took",
			    COUNT_TEXT(untimed));
	free(order);
}

static void tell(struct mem *m, const struct access_sums *all, const struct pdt_session *s)
{
	struct answer *a = &m->answer;

	uint64_t others = all->samples - all->loads - all->stores;

	answer_fact(a, "accesses", "%s: %s loads, %s stores%s%s%s", COUNT_TEXT(all->samples),
		    COUNT_TEXT(all->loads), COUNT_TEXT(all->stores), others ? ", " : "",
		    others ? COUNT_TEXT(others) : "", others ? " others" : "");
	answer_leads(a);
	if (all->timed)
		answer_fact(a, "weight", "%s, %.1f for each of %s that took time",
			    COUNT_TEXT(answer_sum(a, all->weight)),
			    (double)all->time / (double)all->timed, COUNT_TEXT(all->timed));
	if (all->hitm + all->remote_hitm)
		answer_fact(a, "HITM", "%s in caches of the same node, %s of others",
			    COUNT_TEXT(all->hitm), COUNT_TEXT(all->remote_hitm));
	if (pdt_number(s, PDT_AUX_BYTES))
		answer_warn(a, "not decoded", "%s of hardware trace (AUX), as that of Arm SPE",
			    BYTES_TEXT(pdt_number(s, PDT_AUX_BYTES)));
	if (m->apart)
		answer_fact(a, "not shown", "%s samples of events without data sources",
			    COUNT_TEXT(m->apart));
}

/* Of lines: the sums as tell() wants them. */
static struct access_sums sums_of(const struct line_counts *n)
{
	struct access_sums all = { .samples = n->tally[TALLY_SAMPLES],
				   .weight = n->weight,
				   .timed = n->timed,
				   .time = n->time };

	add_tally(&all, n->tally);
	return all;
}

static void finish_lines(struct mem *m, const struct pdt_session *s)
{
	struct cachelines *l = &m->lines;
	struct access_sums all;

	cachelines_finish(l, s);
	all = sums_of(&l->all);
	tell(m, &all, s);
	answer_fact(&m->answer, "lines", "%s of %" PRIu64 " bytes, %s of them shared by cores",
		    COUNT_TEXT(l->whole.count), l->line_bytes, COUNT_TEXT(l->shared_count));
	if (m->figures) {
		cachelines_answer_figures(l, &m->answer);
		return;
	}
	m->shown_count = cachelines_columns(l, m->columns, m->shown);
	cachelines_answer(l, s, m->limit, &m->answer);
}

static void finish_rows(struct mem *m, const struct pdt_session *s)
{
	struct access_sums all = { 0 };
	struct row_list l = rows_of(m, s);

	for (size_t i = 0; i < l.count; i++)
		add_sums(&all, &l.sums[i]);
	tell(m, &all, s);
	if (m->histogram)
		histogram_answer(m, &l);
	else
		rows_answer(m, &l, &all);
	release_rows(&l);
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct mem *m = state;

	if (!m->samples) {
		warn_add(w, SEV_FATAL, "no-sources",
			 "%s: no sample has a data source. Record with: perf mem record -- COMMAND",
			 pdt_text(s, PDT_PATH));
		return ERR_USAGE;
	}
	answer_capture(&m->answer, s);
	(of_lines(m) ? finish_lines : finish_rows)(m, s);
	return 0;
}

static const char *none_of(const struct mem *m)
{
	if (m->lines.only)
		return "no access to that line passes the filters";
	if (m->histogram)
		return "no load that passes the filters tells how long it took";
	return m->by_place && m->lines.whole.count
		       ? "cores share no cache line; --line ADDRESS shows any"
		       : "no access passes the filters";
}

static void result(void *state, struct result *out)
{
	struct mem *m = state;
	struct table_part *t = &m->answer.table;

	answer_result(&m->answer, m->figures ? figure_columns : m->columns, out);
	t->as_written = true;
	t->bar_column = m->by_place ? 2 : m->figures ? 1 : 0;
	t->weight_column = m->histogram || m->figures ? 0 : t->bar_column + 1;
	if (m->histogram) {
		histogram_show(&m->bars, t);
		histogram_bars(t, 3);
	}
	t->summary = m->shown_count ? m->shown : NULL;
	t->summary_columns = m->shown_count;
	out->title = m->by_line	    ? "Cache lines"
		     : m->by_place  ? "Places in cache lines"
		     : m->figures   ? "Accesses to cache lines"
		     : m->histogram ? "Times of loads"
				    : "Memory accesses";
	out->none = none_of(m);
}

static void release(void *state)
{
	struct mem *m = state;

	intern_release(&m->accesses);
	free(m->sums);
	cachelines_release(&m->lines);
	histogram_release(&m->bars);
	answer_release(&m->answer);
}

const struct analyzer analyzer_mem = {
	.name = "mem",
	.summary = "accesses to memory, by where the data came from (perf mem)",
	.question = QUESTION_TIME,
	.wants = PDT_WANT_VALUES | PDT_WANT_STACKS | PDT_WANT_COMMS,
	.shapes = SHAPE_TABLE,
	.single = true,
	.options = options,
	.state_size = sizeof(struct mem),
	.begin = begin,
	.configure = configure,
	.event = event,
	.finish = finish,
	.result = result,
	.release = release,
};
