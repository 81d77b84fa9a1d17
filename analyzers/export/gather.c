/* Apart they wait in a file. Once they are too many for that, they are counted as all commands
 * count them. */
#include "analyzers/export/gather.h"
#include "analyzers/count/namer.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"

#include <stdlib.h>

void gather_release(struct gather *r)
{
	trail_release(&r->trail);
	samples_release(&r->whos);
	samples_release(&r->pairs);
	idmap_release(&r->cgroup_ids);
	free(r->cgroups);
	free(r->series);
	free(r->first);
	free(r->order);
	*r = (struct gather){ 0 };
}

/* ---- events ---- */

static uint32_t cgroup_label(struct gather *r, uint64_t cgroup)
{
	uint32_t *label;

	if (!cgroup)
		return 0;
	label = idmap_put(&r->cgroup_ids, cgroup);
	if (*label == IDMAP_NONE) {
		*label = (uint32_t)r->cgroup_count + 1;
		r->cgroups =
			xgrow(r->cgroups, &r->cgroup_cap, r->cgroup_count + 1, sizeof(*r->cgroups));
		r->cgroups[r->cgroup_count++] = cgroup;
	}
	return *label;
}

static void begin_apart(struct gather *r, uint32_t series)
{
	trail_begin(&r->trail, series);
	r->high = 0;
}

static inline bool next_apart(struct gather *r, struct profile_row *row)
{
	struct gather_row t;
	uint64_t high = 0;

	if (!trail_next(&r->trail, &t, sizeof(t)))
		return false;
	if (t.weight == GATHER_HIGH) {
		r->high = t.time;
		high = t.stack;
		if (!trail_next(&r->trail, &t, sizeof(t)))
			return false;
	}
	*row = (struct profile_row){ (uint64_t)r->high << 32 | t.time,
				     high << 32 | t.weight,
				     1,
				     t.stack,
				     PROFILE_NONE,
				     PROFILE_NONE };
	return true;
}

/* All that were apart are put together. */
static void merge(struct gather *r)
{
	trail_end(&r->trail);
	for (uint32_t i = 0; i < r->trail.count; i++) {
		struct who who = samples_who(&r->whos, i);
		uint32_t id = samples_id(&r->pairs, &who);
		struct profile_row row;

		begin_apart(r, i);
		while (next_apart(r, &row))
			samples_add(&r->pairs, id, row.stack, row.weight);
	}
	r->merged = true;
}

static void add_merged(struct gather *r, struct who who, const struct pdt_event *e)
{
	if (r->labels) {
		who.cpu = e->has_cpu ? e->cpu : PROFILE_NONE;
		who.label = cgroup_label(r, e->cgroup);
	}
	samples_count(&r->pairs, &who, e->stack, e->weight);
}

static struct who who_of(const struct pdt_event *e, const struct pdt_session *s)
{
	struct who who = {
		.desc = pdt_desc_index(e->desc), .idle = e->pid == 0, .pid = e->pid, .tid = e->tid
	};

	who_comm(&who, e, s);
	return who;
}

static uint32_t series_of(struct gather *r, const struct pdt_event *e, const struct pdt_session *s)
{
	struct who who = who_of(e, s);
	uint32_t series = samples_id(&r->whos, &who);

	if (series == r->trail.count)
		trail_new(&r->trail);
	return series;
}

static void put_high(struct gather *r, struct gather_recent *of, const struct pdt_event *e)
{
	of->high = e->time_ns >> 32;
	trail_add(&r->trail, of->series,
		  &(struct gather_row){ (uint32_t)of->high, GATHER_HIGH,
					(uint32_t)(e->weight >> 32) },
		  sizeof(struct gather_row));
}

static void add_apart(struct gather *r, const struct pdt_event *e, const struct pdt_session *s)
{
	size_t at = (e->tid * 8 + pdt_desc_index(e->desc)) % GATHER_RECENT;
	struct gather_recent *recent = &r->recent[at];

	if (recent->desc != e->desc || recent->tid != e->tid || recent->pid != e->pid ||
	    recent->comm != e->comm)
		*recent = (struct gather_recent){ e->desc, e->pid, e->tid, e->comm,
						  series_of(r, e, s), UINT64_MAX };
	if (recent->high != e->time_ns >> 32 || e->weight >= GATHER_HIGH)
		put_high(r, recent, e);
	trail_add(&r->trail, recent->series,
		  &(struct gather_row){ (uint32_t)e->time_ns, (uint32_t)e->weight, e->stack },
		  sizeof(struct gather_row));
	r->apart++;
}

void gather_add(struct gather *r, const struct pdt_event *e, const struct pdt_session *s)
{
	r->pairs.wants = WANT_NUMBERS;
	r->trail.size = sizeof(struct gather_row);
	if (!r->merged && r->apart >= r->apart_most)
		merge(r);
	if (r->merged)
		add_merged(r, who_of(e, s), e);
	else
		add_apart(r, e, s);
}

/* ---- series ---- */

static int compare_series(const void *pa, const void *pb, void *gather)
{
	const struct gather *r = gather;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;

	return compare_u64(samples_who(&r->whos, a).desc, samples_who(&r->whos, b).desc)
		       ?: compare_u64(a, b);
}

/* By who of PAIRS the place of its series. */
static uint32_t *series_of_pairs(struct gather *r)
{
	uint32_t *of = xmalloc((r->pairs.who_count + 1) * sizeof(*of));
	uint32_t *place = xmalloc((r->series_count + 1) * sizeof(*place));

	for (uint32_t i = 0; i < r->series_count; i++)
		place[r->series[i]] = i;
	for (uint32_t i = 0; i < r->pairs.who_count; i++) {
		struct who who = samples_who(&r->pairs, i);

		who.cpu = who.label = 0;
		of[i] = place[samples_id(&r->whos, &who)];
	}
	free(place);
	return of;
}

/* Pairs by their series: counted, then put where they belong. */
static void order_pairs(struct gather *r)
{
	uint32_t *of = series_of_pairs(r);
	struct sample_sum sum;
	size_t count = 0;

	r->first = xcalloc(r->series_count + 2, sizeof(*r->first));
	for (size_t at = 0; samples_next(&r->pairs, &at, &sum); count++)
		r->first[of[sum.who] + 2]++;
	for (size_t i = 2; i < r->series_count + 2; i++)
		r->first[i] += r->first[i - 1];
	r->order = xmalloc((count + 1) * sizeof(*r->order));
	for (size_t at = 0, place = 0; samples_next(&r->pairs, &at, &sum); place = at)
		r->order[r->first[of[sum.who] + 1]++] = (uint32_t)place;
	free(of);
}

void gather_end(struct gather *r)
{
	if (!r->merged)
		trail_end(&r->trail);
	samples_end(&r->pairs);
	for (uint32_t i = 0; r->merged && i < r->pairs.who_count; i++) {
		struct who who = samples_who(&r->pairs, i);

		who.cpu = who.label = 0;
		samples_id(&r->whos, &who);
	}
	r->series_count = r->whos.who_count;
	r->series = xmalloc((r->series_count + 1) * sizeof(*r->series));
	for (uint32_t i = 0; i < r->series_count; i++)
		r->series[i] = i;
	if (r->series_count)
		qsort_r(r->series, r->series_count, sizeof(*r->series), compare_series, r);
	if (r->merged)
		order_pairs(r);
}

/* ---- reading ---- */

void gather_begin(struct gather *r, size_t i)
{
	r->reading = r->series[i];
	if (!r->merged) {
		begin_apart(r, r->series[i]);
		return;
	}
	r->at = r->first[i];
	r->end = r->first[i + 1];
}

size_t gather_some(struct gather *r, struct profile_row *rows, size_t most)
{
	size_t count = 0;

	while (count < most &&
	       (r->merged ? gather_next(r, rows + count) : next_apart(r, rows + count)))
		count++;
	return count;
}

bool gather_next(struct gather *r, struct profile_row *row)
{
	struct sample_sum sum;
	struct who who;
	size_t at;

	if (!r->merged)
		return next_apart(r, row);
	if (r->at == r->end)
		return false;
	at = r->order[r->at++];
	samples_next(&r->pairs, &at, &sum);
	who = samples_who(&r->pairs, sum.who);
	*row = (struct profile_row){ .weight = sum.weight,
				     .samples = sum.samples,
				     .stack = sum.stack,
				     .cpu = r->labels ? who.cpu : PROFILE_NONE,
				     .cgroup = who.label - 1 };
	return true;
}
