/* Which system calls were made, how long they took, and how they failed: of all, by thread, or each
 * by itself. */
#include "analyzers/analyzer.h"
#include "analyzers/calls/calls.h"
#include "analyzers/count/answer.h"
#include "analyzers/count/listing.h"
#include "analyzers/count/missing.h"
#include "analyzers/count/namer.h"
#include "analyzers/count/quantile.h"
#include "analyzers/heat/callname.h"
#include "formats/model/amount.h"
#include "parser/base/compare.h"
#include "parser/base/held.h"
#include "parser/base/intern.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORD "perf record -e 'raw_syscalls:*' -- COMMAND (or perf trace record)"

#define SUM_COLUMNS 17

enum by { BY_SYSCALL, BY_THREAD, BY_FD };

/* What calls are counted under. Compared as bytes: no padding. */
struct call_key {
	uint64_t number;
	int64_t error; /* 0: none, or not asked for */
	uint32_t pid, tid;
	uint32_t bits;
	int32_t fd; /* NO_FD: it takes none, or is not asked for */
};

#define NO_FD INT32_MIN

struct call_sums {
	uint64_t calls, errors, timed, total_ns, min_ns, max_ns;
	double mean, squares; /* of the times, by Welford's way */
	uint32_t comm;	      /* the last one */
	size_t first;	      /* of its times, when they lie by key */
};

/* The time of one call. */
struct call_time {
	uint64_t ns;
	uint32_t key;
};

/* With each: one call, and which one it was. */
struct each_call {
	struct call call;
	uint64_t place;
};

struct syscalls {
	enum by by;
	bool errors, each, has_stacks;
	struct listing listing;
	struct calls calls;
	struct intern keys;  /* struct call_key */
	struct idmap on_fds; /* by number and bits: does that call take a file descriptor? */
	struct idmap stacks; /* by stack: its text, of these */
	const char **stack_texts;
	size_t stack_count, stack_cap;
	struct call_sums *sums;
	size_t sum_count, sum_cap;
	struct call_time *times;
	size_t time_count, time_cap;
	struct each_call *list; /* with each: those that may be shown */
	size_t list_count, list_cap;
	uint64_t longest_ns;
	uint64_t all, failed;
	struct answer answer;
	struct column columns[SUM_COLUMNS + 1];
	uint8_t shown[SUM_COLUMNS];
};

#define O(member) offsetof(struct syscalls, member)

static const char *const bys[] = {
	[BY_SYSCALL] = "syscall", [BY_THREAD] = "thread", [BY_FD] = "fd", NULL
};
enum order { ORDER_DURATION, ORDER_TIME };

static const char *const orders[] = { [ORDER_DURATION] = "duration", [ORDER_TIME] = "time", NULL };

static const struct option options[] = {
	{ "by", 0, OPT_WORD, O(by), NULL,
	  "a row for each system call, for each of each thread, or of each file descriptor",
	  .words = bys },
	{ "errno", 0, OPT_FLAG, O(errors), NULL, "a row for each error that they returned, too" },
	{ "each", 0, OPT_FLAG, O(each), NULL, "a row for each call, in the order of time" },
	{ "sort", 0, OPT_WORDS, O(listing.order), "LIST", "with --each: by what rows are ordered",
	  .words = orders, .given = O(listing.ordered), .needs = "each" },
	{ .type = OPT_TABLE, .table = listing_options, .offset = O(listing) },
	{ 0 },
};

/* ---- counting ---- */

static void add_time(struct syscalls *s, uint32_t key, uint64_t ns)
{
	struct call_sums *sum = &s->sums[key];
	double delta = (double)ns - sum->mean;

	sum->min_ns = !sum->timed || ns < sum->min_ns ? ns : sum->min_ns;
	sum->max_ns = ns > sum->max_ns ? ns : sum->max_ns;
	sum->timed++;
	sum->mean += delta / (double)sum->timed;
	sum->squares += delta * ((double)ns - sum->mean);
	(void)add_held(&sum->total_ns, ns);
	s->times = xgrow(s->times, &s->time_cap, s->time_count + 1, sizeof(*s->times));
	s->times[s->time_count++] = (struct call_time){ ns, key };
}

/* The system calls whose first argument is a file descriptor, by name. */
static const char *const on_fd[] = {
	"_llseek",
	"accept",
	"accept4",
	"bind",
	"close",
	"connect",
	"copy_file_range",
	"dup",
	"dup2",
	"dup3",
	"epoll_ctl",
	"epoll_pwait",
	"epoll_pwait2",
	"epoll_wait",
	"fadvise64",
	"fallocate",
	"fchdir",
	"fchmod",
	"fchown",
	"fcntl",
	"fcntl64",
	"fdatasync",
	"fgetxattr",
	"flock",
	"fsetxattr",
	"fstat",
	"fstat64",
	"fstatfs",
	"fsync",
	"ftruncate",
	"ftruncate64",
	"getdents",
	"getdents64",
	"getpeername",
	"getsockname",
	"getsockopt",
	"io_uring_enter",
	"ioctl",
	"listen",
	"lseek",
	"pread64",
	"preadv",
	"preadv2",
	"pwrite64",
	"pwritev",
	"pwritev2",
	"read",
	"readahead",
	"readv",
	"recv",
	"recvfrom",
	"recvmmsg",
	"recvmsg",
	"send",
	"sendfile",
	"sendfile64",
	"sendmmsg",
	"sendmsg",
	"sendto",
	"setsockopt",
	"shutdown",
	"splice",
	"sync_file_range",
	"syncfs",
	"timerfd_settime",
	"vmsplice",
	"write",
	"writev",
};

static int by_name(const void *a, const void *b)
{
	return strcmp(a, *(const char *const *)b);
}

/* NO_FD: C takes no file descriptor, or its arguments were not recorded. */
static int32_t fd_of(struct syscalls *s, const struct call *c, const struct pdt_session *session)
{
	uint32_t *takes = idmap_put(&s->on_fds, c->number << 8 | c->bits);

	if (*takes == IDMAP_NONE) {
		struct buf name = { 0 };

		call_name(pdt_text(session, PDT_ARCH), c->bits, c->number, &name);
		buf_char(&name, '\0');
		name.data[strcspn(name.data, " ")] = '\0';
		*takes = bsearch(name.data, on_fd, ARRAY_SIZE(on_fd), sizeof(*on_fd), by_name) !=
			 NULL;
		buf_release(&name);
	}
	return *takes && c->has_args ? (int32_t)c->args[0] : NO_FD;
}

static void count(struct syscalls *s, const struct call *c, const struct pdt_session *session)
{
	struct call_key key = { .number = c->number, .bits = c->bits, .fd = NO_FD };
	uint32_t id;

	if (s->errors)
		key.error = c->result < 0 ? c->result : 0;
	if (s->by == BY_THREAD) {
		key.pid = c->pid;
		key.tid = c->tid;
	}
	if (s->by == BY_FD) {
		key.pid = c->pid;
		key.fd = fd_of(s, c, session);
	}
	id = intern_add(&s->keys, (const char *)&key, sizeof(key));
	s->sums = xgrow_to(s->sums, &s->sum_count, &s->sum_cap, id, sizeof(*s->sums));
	s->sums[id].comm = c->comm;
	s->sums[id].calls++;
	s->sums[id].errors += c->result < 0;
	s->all++;
	s->failed += c->result < 0;
	if (c->has_time)
		add_time(s, id, c->end_ns - c->start_ns);
}

/* ---- single calls: of many, only those that may be shown are kept ---- */

static uint64_t duration(const struct call *c)
{
	return c->has_time ? c->end_ns - c->start_ns : 0;
}

/* When it began; where that is not known, when it returned. */
static uint64_t moment(const struct call *c)
{
	return c->has_time ? c->start_ns : c->end_ns;
}

/* The longest first, and those without a time last; the earliest first. */
static int compare_each(const void *pa, const void *pb, void *ctx)
{
	const struct word_list *by = ctx;
	const struct each_call *a = pa, *b = pb;
	int rc = 0;

	for (size_t i = 0; !rc && i < by->count; i++) {
		if (by->list[i] == ORDER_TIME)
			rc = compare_u64(moment(&a->call), moment(&b->call));
		else
			rc = b->call.has_time - a->call.has_time
				     ?: compare_u64(duration(&b->call), duration(&a->call));
	}
	return rc ?: compare_u64(a->place, b->place);
}

/* Put them in order, and let go those that are too many. */
static void settle(struct syscalls *s)
{
	const struct listing *l = &s->listing;

	if (l->ordered && s->list_count)
		qsort_r(s->list, s->list_count, sizeof(*s->list), compare_each, (void *)&l->order);
	if (l->limit && l->limit < s->list_count)
		s->list_count = (size_t)l->limit;
}

static void keep(struct syscalls *s, const struct call *c)
{
	const struct listing *l = &s->listing;
	uint64_t ns = duration(c), place = s->all++;

	s->failed += c->result < 0;
	s->longest_ns = ns > s->longest_ns ? ns : s->longest_ns;
	if (l->min_ns && (!c->has_time || ns < l->min_ns))
		return;
	if (l->limit && !l->ordered && s->list_count == l->limit)
		return;
	s->list = xgrow(s->list, &s->list_cap, s->list_count + 1, sizeof(*s->list));
	s->list[s->list_count++] = (struct each_call){ *c, place };
	if (l->limit && s->list_count / 2 > l->limit)
		settle(s);
}

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct syscalls *s = state;

	(void)in;
	(void)w;
	intern_init(&s->keys);
	return 0;
}

/* Of single calls also from where they were made. */
static void configure(void *state, struct asked *o)
{
	if (!((struct syscalls *)state)->each)
		return;
	o->wants |= PDT_WANT_STACKS;
	namer_configure(&(struct namer_options){ 0 }, o);
}

static void event(void *state, const struct pdt_event *e, const struct pdt_session *session)
{
	struct syscalls *s = state;
	struct call c;

	if (!calls_event(&s->calls, e, session, &c))
		return;
	if (s->each)
		keep(s, &c);
	else
		count(s, &c, session);
}

/* ---- rows ---- */

static const struct column sum_columns[] = {
	{ "comm", COLUMN_TEXT },
	{ "pid", COLUMN_ID },
	{ "tid", COLUMN_ID },
	{ "fd", COLUMN_DELTA, 0, "FD" },
	{ "syscall", COLUMN_TEXT, 0, "System Call" },
	{ "error", COLUMN_TEXT },
	{ "calls", COLUMN_COUNT },
	{ "errors", COLUMN_COUNT },
	{ "total_ns", COLUMN_NS },
	{ "wall_pct", COLUMN_PERCENT, 2, "Of Wall" },
	{ "min_ns", COLUMN_NS, 0, NULL, true },
	{ "mean_ns", COLUMN_REAL_NS, 0, "Mean", true },
	{ "p50_ns", COLUMN_NS, 0, NULL, true },
	{ "p99_ns", COLUMN_NS, 0, NULL, true },
	{ "max_ns", COLUMN_NS, 0, NULL, true },
	{ "timed", COLUMN_COUNT },
	{ "stddev_pct", COLUMN_PERCENT, 2, NULL },
	{ 0 },
};
static const struct column each_columns[] = {
	{ "time_ns", COLUMN_TIME_NS }, { "duration_ns", COLUMN_NS },
	{ "comm", COLUMN_TEXT },       { "pid", COLUMN_ID },
	{ "tid", COLUMN_ID },	       { "syscall", COLUMN_TEXT, 0, "System Call" },
	{ "arguments", COLUMN_TEXT },  { "result", COLUMN_TEXT },
	{ "stack", COLUMN_TEXT },      { 0 },
};

static void cell_name(struct syscalls *s, uint64_t number, unsigned bits,
		      const struct pdt_session *session)
{
	struct buf name = { 0 };

	call_name(pdt_text(session, PDT_ARCH), bits, number, &name);
	answer_cell_buf(&s->answer, &name);
}

/* A command, and the process. */
static void cells_who(struct syscalls *s, uint32_t comm, uint32_t pid, uint32_t tid,
		      const struct pdt_session *session)
{
	struct buf name = { 0 };

	comm_text(pdt_comm(session, comm), tid, &name);
	answer_cell_buf(&s->answer, &name);
	answer_cell_count(&s->answer, pid);
}

static void cell_error(struct syscalls *s, int64_t error, const struct pdt_session *session)
{
	const char *name = call_error(pdt_text(session, PDT_ARCH), error);
	char text[24] = "";

	if (!name && error)
		snprintf(text, sizeof(text), "%" PRId64, error);
	answer_cell_text(&s->answer, name ?: text);
}

/* TIMES: those of the row, which get another order. */
static void cells_times(struct syscalls *s, const struct call_sums *sum, uint64_t *times)
{
	static const double percents[] = { 50, 99 };
	struct answer *a = &s->answer;
	double error = sum->timed > 1
			       ? sqrt(sum->squares / (double)(sum->timed - 1) / (double)sum->timed)
			       : 0;
	uint64_t at[2] = { 0, 0 };

	if (sum->timed)
		quantiles(times, sum->timed, percents, ARRAY_SIZE(percents), at);
	answer_cell_count_if(a, sum->timed, sum->min_ns);
	answer_cell_real(a, sum->timed ? sum->mean : NAN);
	answer_cell_count_if(a, sum->timed, at[0]);
	answer_cell_count_if(a, sum->timed, at[1]);
	answer_cell_count_if(a, sum->timed, sum->max_ns);
	answer_cell_count(a, sum->timed);
	answer_cell_real(a, 100 * error / sum->mean);
}

/* All times by key; each key's begin at sums.first. */
static uint64_t *times_by_key(struct syscalls *s)
{
	uint64_t *times = xmalloc((s->time_count + 1) * sizeof(*times));
	size_t at = 0;

	for (size_t i = 0; i < s->keys.count; i++) {
		s->sums[i].first = at;
		at += s->sums[i].timed;
	}
	for (size_t i = 0; i < s->time_count; i++)
		times[s->sums[s->times[i].key].first++] = s->times[i].ns;
	for (size_t i = 0; i < s->keys.count; i++)
		s->sums[i].first -= s->sums[i].timed;
	return times;
}

static void cell_fd(struct syscalls *s, int32_t fd)
{
	if (fd == NO_FD)
		answer_cell_empty(&s->answer);
	else
		answer_cell_delta(&s->answer, fd);
}

static void sum_rows(struct syscalls *s, const struct pdt_session *session)
{
	uint64_t span = filter_span(session);
	uint64_t *times = times_by_key(s);

	for (uint32_t i = 0; i < s->keys.count; i++) {
		const struct call_sums *sum = &s->sums[i];
		struct call_key key;

		memcpy(&key, intern_str(&s->keys, i), sizeof(key));
		if (s->by != BY_SYSCALL)
			cells_who(s, sum->comm, key.pid, s->by == BY_FD ? key.pid : key.tid,
				  session);
		if (s->by == BY_THREAD)
			answer_cell_count(&s->answer, key.tid);
		if (s->by == BY_FD)
			cell_fd(s, key.fd);
		cell_name(s, key.number, (unsigned)key.bits, session);
		if (s->errors)
			cell_error(s, key.error, session);
		answer_cell_count(&s->answer, sum->calls);
		answer_cell_count(&s->answer, sum->errors);
		answer_cell_sum(&s->answer, sum->total_ns);
		answer_cell_real(&s->answer, 100 * (double)sum->total_ns / (double)span);
		cells_times(s, sum, times + sum->first);
	}
	free(times);
}

static void cell_arguments(struct syscalls *s, const struct call *c)
{
	struct buf text = { 0 };

	for (size_t i = 0; c->has_args && i < CALL_ARGS; i++)
		buf_printf(&text, "%s0x%" PRIx64, i ? ", " : "", c->args[i]);
	answer_cell_buf(&s->answer, &text);
}

/* A number, of an error with its name; of what looks like an address in hexadecimal. */
static void cell_result(struct syscalls *s, int64_t result, const struct pdt_session *session)
{
	const char *name = call_error(pdt_text(session, PDT_ARCH), result);
	char text[64];

	if (name)
		snprintf(text, sizeof(text), "%" PRId64 " %s", result, name);
	else if (result > INT32_MAX)
		snprintf(text, sizeof(text), "0x%" PRIx64, (uint64_t)result);
	else
		snprintf(text, sizeof(text), "%" PRId64, result);
	answer_cell_text(&s->answer, text);
}

/* "main;query;write": the functions of a call chain, the outermost first. */
static const char *stack_text(struct syscalls *s, uint32_t stack, const struct pdt_session *session)
{
	struct pdt_stack k = pdt_stack_at(session, stack);
	uint32_t *known = idmap_put(&s->stacks, stack);
	struct buf text = { 0 };

	if (*known != IDMAP_NONE)
		return s->stack_texts[*known];
	for (uint32_t i = k.flags & PDT_STACK_EMPTY ? 0 : k.depth; i-- > 0;) {
		functions_text((struct place){ session, k.locations[i] },
			       pdt_function_count(session, k.locations[i]), &text);
		buf_str(&text, i ? ";" : "");
	}
	buf_char(&text, '\0');
	s->stack_texts =
		xgrow(s->stack_texts, &s->stack_cap, s->stack_count + 1, sizeof(*s->stack_texts));
	s->stack_texts[s->stack_count] = answer_string(&s->answer, text.data);
	*known = (uint32_t)s->stack_count++;
	buf_release(&text);
	return s->stack_texts[*known];
}

static void each_rows(struct syscalls *s, const struct pdt_session *session)
{
	s->has_stacks = pdt_number(session, PDT_CHAINS) || pdt_number(session, PDT_USER_STACKS);
	settle(s);
	for (size_t i = 0; i < s->list_count; i++) {
		const struct call *c = &s->list[i].call;

		answer_cell_count(&s->answer, moment(c));
		answer_cell_count_if(&s->answer, c->has_time, duration(c));
		cells_who(s, c->comm, c->pid, c->tid, session);
		answer_cell_count(&s->answer, c->tid);
		cell_name(s, c->number, c->bits, session);
		cell_arguments(s, c);
		cell_result(s, c->result, session);
		if (s->has_stacks)
			answer_cell_kept(&s->answer, stack_text(s, c->stack, session));
	}
}

/* ---- the answer ---- */

static int finish(void *state, const struct pdt_session *session, struct warnings *w)
{
	struct syscalls *s = state;
	uint64_t unfinished = s->calls.unfinished;

	if (!calls_recorded(session))
		return missing_events(session, "raw_syscalls", RECORD, w);
	for (size_t i = 0; i < s->calls.count; i++)
		unfinished += s->calls.threads[i].open;
	answer_capture(&s->answer, session);
	answer_fact(&s->answer, "calls", "%s, %s of them failed", COUNT_TEXT(s->all),
		    COUNT_TEXT(s->failed));
	answer_leads(&s->answer);
	if (unfinished)
		answer_fact(&s->answer, "unfinished",
			    "%s more calls did not return while it was recorded",
			    COUNT_TEXT(unfinished));
	if (s->calls.begun_before)
		answer_fact(&s->answer, "without time",
			    "%s calls, of which the beginning was not recorded",
			    COUNT_TEXT(s->calls.begun_before));
	if (s->calls.children)
		answer_fact(&s->answer, "children",
			    "%s returns in threads that the call made, which counts once",
			    COUNT_TEXT(s->calls.children));
	if (s->each)
		each_rows(s, session);
	else
		sum_rows(s, session);
	return 0;
}

static bool shows(const struct syscalls *s, const char *column)
{
	if (!strcmp(column, "comm") || !strcmp(column, "pid"))
		return s->by != BY_SYSCALL;
	if (!strcmp(column, "tid"))
		return s->by == BY_THREAD;
	if (!strcmp(column, "fd"))
		return s->by == BY_FD;
	return strcmp(column, "error") != 0 || s->errors;
}

/* The columns of sums that are shown, to OUT, which has room for all. */
static void choose_columns(const struct syscalls *s, struct column *out)
{
	for (const struct column *c = sum_columns; c->name; c++) {
		if (shows(s, c->name))
			*out++ = *c;
	}
	*out = (struct column){ 0 };
}

/* People see as many as fit. */
static void show_columns(struct syscalls *s)
{
	static const char *const hidden[] = { "timed", "stddev_pct", "min_ns", "p50_ns" };
	struct table_part *t = &s->answer.table;

	t->summary = s->shown;
	t->summary_columns = 0;
	for (size_t c = 0; c < t->column_count; c++) {
		bool hides = false;

		for (size_t i = 0; i < ARRAY_SIZE(hidden); i++)
			hides |= !strcmp(t->columns[c].name, hidden[i]);
		if (!hides)
			s->shown[t->summary_columns++] = (uint8_t)c;
	}
}

static void result(void *state, struct result *out)
{
	static const char *const sum_keys[] = { "total_ns", NULL };
	struct syscalls *s = state;
	const struct column *columns = s->columns;

	if (!s->each) {
		choose_columns(s, s->columns);
		s->listing.order = (struct word_list){ .count = 1 };
		s->listing.ordered = true;
		listing_apply(&s->listing, sum_keys, columns, &s->answer);
	} else {
		memcpy(s->columns, each_columns, sizeof(each_columns));
		if (!s->has_stacks) /* the last one */
			s->columns[ARRAY_SIZE(each_columns) - 2] = (struct column){ 0 };
		listing_tell(&s->listing, &s->answer, s->all, s->list_count, s->longest_ns);
	}
	answer_result(&s->answer, columns, out);
	s->answer.table.as_written = true;
	if (!s->each)
		show_columns(s);
	out->title = "System calls";
	out->none = s->listing.none ?: "no system call that passes returned";
}

static void release(void *state)
{
	struct syscalls *s = state;

	calls_release(&s->calls);
	intern_release(&s->keys);
	idmap_release(&s->on_fds);
	idmap_release(&s->stacks);
	free(s->stack_texts);
	free(s->sums);
	free(s->times);
	free(s->list);
	answer_release(&s->answer);
}

const struct analyzer analyzer_syscalls = {
	.name = "syscalls",
	.summary = "system calls: how many, how long, which errors",
	.question = QUESTION_WAIT,
	.wants = PDT_WANT_FIELDS | PDT_WANT_COMMS | PDT_WANT_PROGRAM,
	.shapes = SHAPE_TABLE,
	.single = true,
	.options = options,
	.state_size = sizeof(struct syscalls),
	.begin = begin,
	.configure = configure,
	.event = event,
	.finish = finish,
	.result = result,
	.release = release,
};
