/* All that the session says of a capture's events, to compare two builds, or two forms of one
 * capture.
 *
 *   events [columns] [NEED...] FILE
 *
 * NEED is stacks, comms, raw, ip, tasks or switches. With columns they are taken as such. One line
 * for each event, one for each stack (its sample's own address, then the chain;
 * MODE:MODULE+ADDRESS), then what was counted on the way. Made for tests/oracle/ingest.sh; not
 * installed. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "parser/base/mem.h"
#include "parser/session.h"

static const struct {
	const char *name;
	unsigned need;
} needs[] = {
	{ "stacks", PDT_WANT_STACKS }, { "comms", PDT_WANT_COMMS },
	{ "raw", PDT_WANT_FIELDS },    { "ip", PDT_WANT_IP },
	{ "tasks", PDT_WANT_TASKS },   { "switches", PDT_WANT_SWITCHES },
};

static unsigned need_of(const char *name)
{
	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
		if (!strcmp(name, needs[i].name))
			return needs[i].need;
	}
	return 0;
}

static void print_loc(const struct session *s, uint32_t id)
{
	const struct loc *l;

	if (id == PDT_NONE) {
		printf(" -");
		return;
	}
	l = &session_stacks(s)->locs[id];
	printf(" %u:", l->mode);
	if (l->module != PDT_NONE)
		printf("%s", session_module(s, l->module)->path);
	printf("+%" PRIx64, l->addr);
}

static void print_stacks(const struct session *s)
{
	const struct stacks *stacks = session_stacks(s);

	for (size_t i = 0; i < stacks->count; i++) {
		const struct stack *k = &stacks->list[i];

		printf("stack %zu flags %u:", i, k->flags);
		print_loc(s, stack_ip(stacks, k));
		printf(" |");
		for (unsigned f = 0; f < k->count; f++)
			print_loc(s, stack_locs(stacks, k)[f]);
		puts("");
	}
}

static void print_event(const struct session *s, const struct pdt_event *e)
{
	const char *comm = session_comm(s, e->comm);

	printf("kind %u time %" PRIu64 " weight %" PRIu64 " event %d", e->kind, e->time_ns,
	       e->weight, e->desc ? (int)e->desc->index : -1);
	printf(" pid %u tid %u cpu %u other %u/%u mode %u", e->pid, e->tid, e->cpu, e->other_pid,
	       e->other_tid, e->mode);
	printf("%s%s%s%s%s%s", e->has_cpu ? " has_cpu" : "", e->has_time ? " has_time" : "",
	       e->preempted ? " preempted" : "", e->exec ? " exec" : "", e->exact ? " exact" : "",
	       e->apart ? " apart" : "");
	printf(" ip %" PRIx64 " stack %u comm %s", e->ip, e->stack, comm ? comm : "-");
	for (size_t i = 0; i < e->raw_size; i++)
		printf("%s%02x", i ? "" : " payload ", e->raw[i]);
	puts("");
}

static void print_counts(const struct session *s)
{
	const struct session_stats *st = session_stats(s);
	const struct event_list *events = &session_capture(s)->events;
	uint64_t count;
	uint32_t type;

	printf("samples %" PRIu64 " used %" PRIu64 " bad %" PRIu64 " late %" PRIu64, st->samples,
	       st->used, st->bad_samples, st->late);
	printf(" first %" PRIu64 " last %" PRIu64 "\nmodes", st->first_ns, st->last_ns);
	for (int i = 0; i < PDT_MODES; i++)
		printf(" %" PRIu64, st->modes[i]);
	printf("\nlost %" PRIu64 "/%" PRIu64 " throttles %" PRIu64, st->lost_records,
	       st->lost_samples, st->throttles);
	printf(" aux %" PRIu64 "/%" PRIu64 "/%" PRIu64, st->aux_records, st->aux_bytes,
	       st->aux_truncated);
	printf("\nchains %" PRIu64 " empty %" PRIu64 " user stacks %" PRIu64 " lbr %" PRIu64 "\n",
	       st->chains_recorded, st->chains_empty, st->user_stacks, st->lbr);
	for (size_t i = 0; i < events->count; i++) {
		const struct event_stats *e = session_event_stats(s, events->descs[i]);

		printf("event %zu samples %" PRIu64 " weight %" PRIu64, i, e->samples, e->weight);
		printf(" counted %" PRIu64 " by %zu\n", (uint64_t)e->counted, e->counters);
	}
	for (size_t i = 0; session_record_count(s, i, &type, &count); i++)
		printf("record type %u: %" PRIu64 "\n", type, count);
}

/* Row I of C as an event. */
static void print_row(const struct session *s, const struct pdt_columns *c, size_t i)
{
	struct pdt_event e = { .kind = c->kind[i],
			       .time_ns = c->time_ns[i],
			       .weight = c->weight[i],
			       .ip = c->ip[i],
			       .desc = c->desc[i],
			       .raw = c->raw[i],
			       .raw_size = c->raw_size[i],
			       .pid = c->pid[i],
			       .tid = c->tid[i],
			       .cpu = c->cpu[i],
			       .comm = c->comm[i],
			       .stack = c->stack[i],
			       .other_pid = c->other_pid[i],
			       .other_tid = c->other_tid[i],
			       .mode = c->mode[i],
			       .has_cpu = c->flags[i] & PDT_FLAG_CPU,
			       .has_time = c->flags[i] & PDT_FLAG_TIME,
			       .preempted = c->flags[i] & PDT_FLAG_PREEMPTED,
			       .exec = c->flags[i] & PDT_FLAG_EXEC,
			       .exact = c->flags[i] & PDT_FLAG_EXACT,
			       .apart = c->flags[i] & PDT_FLAG_APART,
			       .program_bits = c->flags[i] & PDT_FLAG_32   ? 32
					       : c->flags[i] & PDT_FLAG_64 ? 64
									   : 0 };

	print_event(s, &e);
}

static int print_events(struct session *s, bool columns)
{
	const struct pdt_columns *c;
	struct pdt_event e;
	int rc = 0;

	while (columns && (rc = session_columns(s, &c)) == 1) {
		for (size_t i = 0; i < c->count; i++)
			print_row(s, c, i);
	}
	while (!columns && (rc = session_next(s, &e)) == 1)
		print_event(s, &e);
	return rc;
}

int main(int argc, char **argv)
{
	struct session_options o = { 0 };
	struct warnings w = { 0 };
	struct session *s;
	bool columns = false;
	int i, rc;

	for (i = 1; i < argc - 1; i++) {
		unsigned need = need_of(argv[i]);

		columns |= !strcmp(argv[i], "columns");
		if (!need && strcmp(argv[i], "columns") != 0)
			return 2;
		o.needs |= need;
	}
	if (i >= argc || session_open(&s, argv[i], &o, &w) < 0) {
		warnings_release(&w);
		return 2;
	}
	rc = print_events(s, columns);
	print_stacks(s);
	print_counts(s);
	session_close(s);
	warnings_release(&w);
	return rc < 0;
}
