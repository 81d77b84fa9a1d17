/* Counts what filters ask for. The numbers in a damaged capture have no limit, so their count has.
 */
#include "parser/seen.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define NUMBERS_MAX 65536

static void add(struct seen_numbers *n, uint64_t value, uint64_t samples)
{
	uint32_t *place;

	if (n->count == NUMBERS_MAX && idmap_get(&n->places, value) == IDMAP_NONE)
		return;
	place = idmap_put(&n->places, value);
	if (*place == IDMAP_NONE) {
		n->list = xgrow(n->list, &n->cap, n->count + 1, sizeof(*n->list));
		n->list[n->count] = (struct seen_number){ .value = value };
		*place = (uint32_t)n->count++;
	}
	n->list[*place].samples += samples;
}

void seen_sample(struct seen *s, const struct filter *f, const struct pdt_event *e, uint32_t comm)
{
	if (f->pids.count)
		add(&s->pids, e->pid, 1);
	if (f->tids.count)
		add(&s->tids, e->tid, 1);
	if (f->cpus.count && e->has_cpu)
		add(&s->cpus, e->cpu, 1);
	if (f->comms.count && comm != PDT_NONE)
		add(&s->comms, comm, 1);
	s->in_times += e->has_time && num_list_has(&f->times, e->time_ns);
}

uint64_t seen_passing(const struct seen_numbers *n, const struct num_list *l)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n->count; i++)
		sum += num_list_has(l, n->list[i].value) ? n->list[i].samples : 0;
	return sum;
}

static void release(struct seen_numbers *n)
{
	idmap_release(&n->places);
	free(n->list);
}

void seen_release(struct seen *s)
{
	release(&s->pids);
	release(&s->tids);
	release(&s->cpus);
	release(&s->comms);
	memset(s, 0, sizeof(*s));
}

static void take(struct seen_numbers *to, const struct seen_numbers *from, const uint32_t *ids)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct seen_number *n = &from->list[i];

		add(to, ids ? ids[n->value] : n->value, n->samples);
	}
}

void seen_take(struct seen *s, const struct seen *from, const uint32_t *comms)
{
	take(&s->pids, &from->pids, NULL);
	take(&s->tids, &from->tids, NULL);
	take(&s->cpus, &from->cpus, NULL);
	take(&s->comms, &from->comms, comms);
	s->in_times += from->in_times;
}
