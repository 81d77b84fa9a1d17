/* pprof's profile.proto, in gzip. A message that is cut into several is the same message, so the
 * samples are written as they come, and what they refer to behind them. Numbers of texts,
 * locations and the like are dense: there are readers that use them as places. */
#include "formats/export/gzip.h"
#include "formats/export/readers.h"
#include "formats/export/pprof.pb-c.h"
#include "parser/base/intern.h"
#include "parser/base/mem.h"
#include "parser/base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH  512 /* messages at a time */
#define LABELS 6

enum { KEY_COMM, KEY_THREAD, KEY_PID, KEY_TID, KEY_CPU, KEY_CGROUP };

struct sample {
	Pprof__Sample message;
	Pprof__Label labels[LABELS], *label_list[LABELS];
	uint64_t *locations;
	size_t location_cap;
};

struct pprof {
	const struct profile_part *p;
	struct intern texts; /* the first is empty */
	uint32_t *number;    /* by location: its id; 0: not written yet */
	uint32_t *used;	     /* locations, by id - 1 */
	size_t used_count, used_cap;
	uint32_t *events; /* by event: its place among those with samples */
	size_t event_count;
	uint32_t main; /* the module that comes first */
	struct gzip gzip;
	struct buf safe;
	uint8_t *packed;
	size_t packed_cap;
	struct sample *samples;
	int64_t *values;
	int64_t keys[LABELS], cpu_text; /* texts: of labels, of CPU cpu */
	uint32_t cpu;
};

/* The number of TEXT, without what no strict reader takes, and no terminal. */
static int64_t text_of(struct pprof *x, const char *text)
{
	size_t left = strlen(text);

	x->safe.len = 0;
	while (left) {
		size_t n = utf8_shown(text, left);

		if (n)
			buf_add(&x->safe, text, n);
		else if ((unsigned char)*text < 0x20 || *text == 0x7f)
			buf_printf(&x->safe, "\\x%02x", (unsigned char)*text);
		else
			buf_str(&x->safe, "\xef\xbf\xbd");
		n = n ? n : 1;
		text += n;
		left -= n;
	}
	return intern_add(&x->texts, x->safe.len ? x->safe.data : "", x->safe.len);
}

static void put(struct pprof *x, const Pprof__Profile *m)
{
	size_t size = pprof__profile__get_packed_size(m);

	x->packed = xgrow(x->packed, &x->packed_cap, size, 1);
	pprof__profile__pack(m, x->packed);
	gzip_write(&x->gzip, x->packed, size);
}

static int64_t signed_of(uint64_t n)
{
	return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

/* ---- samples ---- */

static uint64_t location_number(struct pprof *x, uint32_t location)
{
	if (!x->number[location]) {
		x->used = xgrow(x->used, &x->used_cap, x->used_count + 1, sizeof(*x->used));
		x->used[x->used_count++] = location;
		x->number[location] = (uint32_t)x->used_count;
	}
	return x->number[location];
}

static void add_label(struct sample *s, int64_t key, int64_t str, int64_t num)
{
	Pprof__Label *l = &s->labels[s->message.n_label];

	pprof__label__init(l);
	l->key = key;
	l->str = str;
	l->num = num;
	s->label_list[s->message.n_label++] = l;
}

/* Who the samples of a series are of. */
struct owner {
	const struct profile_thread *thread;
	int64_t comm, name; /* texts: "app", "app/78" */
};

static struct owner owner_of(struct pprof *x, const struct profile_thread *t)
{
	struct owner o = { .thread = t, .comm = text_of(x, t->comm) };
	struct buf name = { 0 };

	buf_printf(&name, "%s/%d", t->comm, (int)t->tid);
	o.name = text_of(x, name.data);
	buf_release(&name);
	return o;
}

/* Mostly the one before. */
static int64_t cpu_text(struct pprof *x, uint32_t cpu)
{
	char text[16];

	if (cpu != x->cpu || !x->cpu_text) {
		snprintf(text, sizeof(text), "%u", cpu);
		x->cpu = cpu;
		x->cpu_text = text_of(x, text);
	}
	return x->cpu_text;
}

/* A number of 0 is as if there were none, so a CPU is a text. */
static void add_labels(struct pprof *x, struct sample *s, const struct owner *o,
		       const struct profile_row *row)
{
	add_label(s, x->keys[KEY_COMM], o->comm, 0);
	add_label(s, x->keys[KEY_THREAD], o->name, 0);
	if (o->thread->pid != PROFILE_NONE)
		add_label(s, x->keys[KEY_PID], 0, o->thread->pid);
	if (o->thread->tid != PROFILE_NONE)
		add_label(s, x->keys[KEY_TID], 0, o->thread->tid);
	if (row->cpu != PROFILE_NONE)
		add_label(s, x->keys[KEY_CPU], cpu_text(x, row->cpu), 0);
	if (row->cgroup != PROFILE_NONE)
		add_label(s, x->keys[KEY_CGROUP], text_of(x, x->p->cgroups[row->cgroup]), 0);
}

static void make_sample(struct pprof *x, struct sample *s, const struct profile_row *row)
{
	const uint32_t *locations;
	size_t depth = x->p->stack(x->p->ctx, row->stack, &locations);

	pprof__sample__init(&s->message);
	s->locations = xgrow(s->locations, &s->location_cap, depth, sizeof(*s->locations));
	for (size_t i = 0; i < depth; i++)
		s->locations[i] = location_number(x, locations[i]);
	s->message.location_id = s->locations;
	s->message.n_location_id = depth;
	s->message.label = s->label_list;
}

static void write_series(struct pprof *x, const struct profile_series *series, size_t i)
{
	const struct profile_part *p = x->p;
	struct owner owner = owner_of(x, &p->threads[series->thread]);
	size_t place = 2 * x->events[series->event], values = 2 * x->event_count, n = 0;
	Pprof__Sample *list[BATCH];
	Pprof__Profile m = PPROF__PROFILE__INIT;
	struct profile_row row;
	bool more;

	p->begin(p->ctx, i);
	m.sample = list;
	do {
		struct sample *s = &x->samples[n];
		int64_t *value = &x->values[n * values];

		more = next_row(p, &row, x->gzip.out);
		if (more) {
			make_sample(x, s, &row);
			add_labels(x, s, &owner, &row);
			memset(value, 0, values * sizeof(*value));
			value[place] = signed_of(row.samples);
			value[place + 1] = signed_of(row.weight);
			s->message.value = value;
			s->message.n_value = values;
			list[n++] = &s->message;
		}
		if (n == BATCH || !more) {
			m.n_sample = n;
			put(x, &m);
			n = 0;
		}
	} while (more);
}

/* ---- what samples refer to ---- */

/* pprof takes the first mapping to be the program: what is called as the thread that was seen
 * first. */
static uint32_t main_module(const struct profile_part *p)
{
	const char *comm = p->thread_count ? p->threads[0].comm : "";

	for (uint32_t i = 0; *comm && i < p->module_count; i++) {
		if (!strncmp(base_name(p->modules[i].path), comm, strlen(comm)))
			return i;
	}
	return 0;
}

/* The main one is the first, the first one has its number. */
static uint32_t mapped_module(const struct pprof *x, uint32_t id)
{
	return id == 1 ? x->main : id == x->main + 1 ? 0 : id - 1;
}

static uint64_t mapping_number(const struct pprof *x, uint32_t module)
{
	if (module == PROFILE_NONE)
		return 0;
	return module == x->main ? 1 : module ? module + (uint64_t)1 : x->main + (uint64_t)1;
}

static void write_locations(struct pprof *x)
{
	const struct profile_part *p = x->p;
	Pprof__Profile m = PPROF__PROFILE__INIT;
	Pprof__Location l, *list[1] = { &l };
	Pprof__Line *lines = NULL, **line_list = NULL;
	size_t cap = 0, list_cap = 0;

	m.n_location = 1;
	m.location = list;
	for (size_t i = 0; i < x->used_count; i++) {
		const struct profile_location *from = &p->locations[x->used[i]];

		pprof__location__init(&l);
		l.id = i + 1;
		l.mapping_id = mapping_number(x, from->module);
		l.address = from->address;
		lines = xgrow(lines, &cap, from->count, sizeof(*lines));
		line_list = xgrow(line_list, &list_cap, from->count, sizeof(Pprof__Line *));
		for (uint32_t k = 0; k < from->count; k++) {
			const struct profile_line *line = &p->lines[from->first + k];

			pprof__line__init(&lines[k]);
			lines[k].function_id = line->function + (uint64_t)1;
			lines[k].line = line->line;
			line_list[k] = &lines[k];
		}
		l.line = line_list;
		l.n_line = from->count;
		put(x, &m);
	}
	free(lines);
	free(line_list);
}

static void write_functions(struct pprof *x)
{
	const struct profile_part *p = x->p;
	Pprof__Profile m = PPROF__PROFILE__INIT;
	Pprof__Function f, *list[1] = { &f };

	m.n_function = 1;
	m.function = list;
	for (size_t i = 0; i < p->function_count; i++) {
		const struct profile_function *from = &p->functions[i];

		pprof__function__init(&f);
		f.id = i + 1;
		f.name = text_of(x, from->name);
		f.system_name = *from->symbol ? text_of(x, from->symbol) : f.name;
		f.filename = text_of(x, from->file);
		put(x, &m);
	}
}

/* The end of a module is where the last of its locations is. */
static uint64_t *module_ends(const struct profile_part *p)
{
	uint64_t *ends = xcalloc(p->module_count + 1, sizeof(*ends));

	for (size_t i = 0; i < p->location_count; i++) {
		const struct profile_location *l = &p->locations[i];

		if (l->module != PROFILE_NONE && ends[l->module] <= l->address)
			ends[l->module] = l->address + 1;
	}
	return ends;
}

static void write_mappings(struct pprof *x)
{
	const struct profile_part *p = x->p;
	uint64_t *ends = module_ends(p);
	Pprof__Profile m = PPROF__PROFILE__INIT;
	Pprof__Mapping one, *list[1] = { &one };

	m.n_mapping = 1;
	m.mapping = list;
	for (uint32_t id = 1; id <= p->module_count; id++) {
		uint32_t module = mapped_module(x, id);

		pprof__mapping__init(&one);
		one.id = id;
		one.memory_limit = ends[module];
		one.filename = text_of(x, p->modules[module].path);
		one.build_id = text_of(x, p->modules[module].build_id);
		one.has_functions = one.has_filenames = true; /* nobody need look for them */
		one.has_line_numbers = one.has_inline_frames = true;
		put(x, &m);
	}
	free(ends);
}

static void write_texts(struct pprof *x)
{
	Pprof__Profile m = PPROF__PROFILE__INIT;
	char *list[BATCH];

	m.string_table = list;
	for (size_t i = 0; i < x->texts.count; i++) {
		list[m.n_string_table++] = (char *)intern_str(&x->texts, (uint32_t)i);
		if (m.n_string_table == BATCH || i + 1 == x->texts.count) {
			put(x, &m);
			m.n_string_table = 0;
		}
	}
}

/* ---- what the whole is ---- */

/* What is counted of event E: how often, and its weight. */
static void type_pair(struct pprof *x, const struct profile_event *e, Pprof__ValueType pair[2])
{
	bool alone = x->event_count == 1;
	struct buf name = { 0 };

	buf_printf(&name, "%s%ssamples", alone ? "" : e->name, alone ? "" : "_");
	pprof__value_type__init(&pair[0]);
	pair[0].type = text_of(x, name.data);
	pair[0].unit = text_of(x, "count");
	pprof__value_type__init(&pair[1]);
	pair[1].type = text_of(x, alone && e->in_ns ? "cpu" : e->name);
	pair[1].unit = text_of(x, e->in_ns ? "nanoseconds" : "count");
	buf_release(&name);
}

static void add_comment(struct pprof *x, Pprof__Profile *m, const char *name, const char *text)
{
	struct buf b = { 0 };

	if (text) {
		buf_printf(&b, "%s: %s", name, text);
		m->comment[m->n_comment++] = text_of(x, b.data);
	}
	buf_release(&b);
}

static void write_times(struct pprof *x, Pprof__Profile *m)
{
	const struct profile_part *p = x->p;

	if (p->has_time && p->has_wall)
		m->time_nanos = (int64_t)((uint64_t)p->wall_ns + p->first_ns);
	if (p->has_time)
		m->duration_nanos = signed_of(p->last_ns - p->first_ns);
}

/* The first event is what is shown, unless a user says otherwise. */
static void write_head(struct pprof *x)
{
	const struct profile_part *p = x->p;
	Pprof__ValueType *types = xcalloc(2 * x->event_count, sizeof(*types)), period;
	Pprof__ValueType **list = xcalloc(2 * x->event_count, sizeof(*list));
	Pprof__Profile m = PPROF__PROFILE__INIT;
	int64_t comments[8];

	m.sample_type = list;
	m.comment = comments;
	for (size_t i = 0; i < p->event_count; i++) {
		size_t at = 2 * (size_t)x->events[i];

		if (x->events[i] == PROFILE_NONE)
			continue;
		type_pair(x, &p->events[i], &types[at]);
		list[at] = &types[at];
		list[at + 1] = &types[at + 1];
		m.n_sample_type += 2;
		if (at)
			continue;
		m.default_sample_type = types[1].type;
		period = types[1];
		m.period_type = &period;
		m.period = signed_of(p->events[i].period);
	}
	write_times(x, &m);
	add_comment(x, &m, "capture", p->path);
	add_comment(x, &m, "host", p->host);
	add_comment(x, &m, "kernel", p->os);
	add_comment(x, &m, "command", p->command);
	put(x, &m);
	free(types);
	free(list);
}

static void number_events(struct pprof *x)
{
	const struct profile_part *p = x->p;

	x->events = xmalloc((p->event_count + 1) * sizeof(*x->events));
	memset(x->events, 0xff, p->event_count * sizeof(*x->events));
	for (size_t i = 0; i < p->series_count; i++) {
		uint32_t *place = &x->events[p->series[i].event];

		if (*place == PROFILE_NONE)
			*place = (uint32_t)x->event_count++;
	}
}

void write_pprof(const struct profile_part *p, struct out *out)
{
	static const char *const keys[LABELS] = { "comm", "thread", "pid", "tid", "cpu", "cgroup" };
	struct pprof *x = xcalloc(1, sizeof(*x));

	x->p = p;
	x->number = xcalloc(p->location_count + 1, sizeof(*x->number));
	x->samples = xcalloc(BATCH, sizeof(*x->samples));
	intern_init(&x->texts);
	text_of(x, "");
	for (int i = 0; i < LABELS; i++)
		x->keys[i] = text_of(x, keys[i]);
	number_events(x);
	x->values = xcalloc(BATCH * 2 * x->event_count + 1, sizeof(*x->values));
	x->main = main_module(p);
	gzip_begin(&x->gzip, out);
	write_head(x);
	for (size_t i = 0; i < p->series_count && !out->error; i++)
		write_series(x, &p->series[i], i);
	write_locations(x);
	write_functions(x);
	write_mappings(x);
	write_texts(x);
	gzip_end(&x->gzip);
	for (size_t i = 0; i < BATCH; i++)
		free(x->samples[i].locations);
	free(x->samples);
	free(x->values);
	free(x->events);
	free(x->number);
	free(x->used);
	free(x->packed);
	buf_release(&x->safe);
	intern_release(&x->texts);
	free(x);
}
