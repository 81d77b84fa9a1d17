/* Fold by several threads: names by ranges of locations, stacks by ranges of pairs. */
#include "analyzers/count/fold/jobs.h"
#include "parser/base/mem.h"
#include "parser/base/pool.h"

#include <stdlib.h>

#define PARTS_MAX 64
#define PART_MIN  4096 /* pairs: fewer are folded before a thread has begun */

/* A part of the work: FOLDING is the whole, but for what is the part's own. */
struct part {
	struct folding folding;
	size_t from, to;
};

struct parts {
	struct folding *whole;
	struct part *list;
	size_t count;
	const void *pass;
	fold_pair *pair;
};

/* COUNT things in parts of nearly the same size. */
static struct parts split(struct folding *f, size_t count)
{
	size_t n = count / PART_MIN;
	struct parts p = { .whole = f };

	n = n < f->jobs ? n : f->jobs;
	p.count = n < 1 ? 1 : n < PARTS_MAX ? n : PARTS_MAX;
	p.list = xcalloc(p.count, sizeof(*p.list));
	for (size_t i = 0; i < p.count; i++) {
		struct part *part = &p.list[i];

		part->folding = *f;
		part->folding.list = (struct frame_list){ 0 };
		part->folding.set = (struct stackset){ 0 };
		part->folding.sums = (struct fold_sums){ 0 };
		part->from = count * i / p.count;
		part->to = count * (i + 1) / p.count;
	}
	return p;
}

/* ---- names ---- */

static void *begin_names(void *folding)
{
	struct folding *part = xmalloc(sizeof(*part));

	*part = *(struct folding *)folding;
	part->set = (struct stackset){ 0 };
	return part;
}

/* The names of a part, in the order in which they came. */
static uint32_t *end_names(void *folding, void *ctx)
{
	struct folding *f = folding, *part = ctx;
	const struct intern *names = &part->set.names;
	uint32_t *ids = xmalloc((names->count + 1) * sizeof(*ids));

	for (size_t i = 0; i < names->count; i++)
		ids[i] = intern_add(&f->set.names, names->list[i].s, names->list[i].len);
	stackset_release(&part->set);
	free(part);
	return ids;
}

void fold_jobs_name(struct folding *f, const struct pdt_session *s, frames_namer *name)
{
	frames_name_all(&f->frames, s, f->jobs,
			&(struct frames_jobs){ name, begin_names, end_names }, f);
}

/* ---- pairs ---- */

static void take_pairs(const struct parts *p, const struct part *part, struct folding *to)
{
	struct sample_sum sum;
	size_t at = part->from;

	while (samples_next(&p->whole->samples, &at, &sum) && at <= part->to)
		p->pair(to, p->pass, &sum);
}

static void fold_part(void *ctx, size_t i)
{
	struct parts *p = ctx;

	take_pairs(p, &p->list[i], &p->list[i].folding);
}

/* Sets that lie STEP apart become one. */
struct joining {
	struct parts *parts;
	size_t step;
};

static void join_two(void *ctx, size_t i)
{
	const struct joining *j = ctx;
	size_t to = i * j->step * 2, from = to + j->step;

	if (from < j->parts->count)
		stackset_take(&j->parts->list[to].folding.set, &j->parts->list[from].folding.set);
}

void fold_jobs_pairs(struct folding *f, const void *pass, fold_pair *pair)
{
	struct parts p = split(f, samples_places(&f->samples));

	p.pass = pass;
	p.pair = pair;
	if (p.count == 1) {
		take_pairs(&p, &p.list[0], f);
		free(p.list);
		return;
	}
	pool_for((unsigned)p.count, p.count, fold_part, &p);
	for (size_t step = 1; step < p.count; step *= 2) {
		struct joining j = { &p, step };

		pool_for((unsigned)p.count, (p.count + step * 2 - 1) / (step * 2), join_two, &j);
	}
	stackset_take(&f->set, &p.list[0].folding.set);
	for (size_t i = 0; i < p.count; i++) {
		const struct folding *part = &p.list[i].folding;

		f->sums.whole += part->sums.whole;
		f->sums.unnamed += part->sums.unnamed;
		f->sums.apart += part->sums.apart;
		frame_list_release(&p.list[i].folding.list);
	}
	free(p.list);
}
