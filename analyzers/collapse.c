/* Folded stacks: how much weight each call stack holds. Counts (label, stack) pairs while events
 * flow and turns them into text once, at the end. */
#include "analyzers/analyzer.h"
#include "analyzers/lib/fold_compat.h"
#include "analyzers/lib/idle.h"
#include "analyzers/lib/stackset.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"
#include "parser/base/abi.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PERF_MAX_STACK 127

struct collapse_options {
	bool label_pid, label_tid, kernel, jit, all, addrs, merge_threads;
	const char *weight, *compat, *event_filter;
	struct name_list skip_after;
};

#define LABEL_PID0 (1u << 31) /* in a label id: pid 0, where the idle filter looks at the leaf */
#define LABEL_NONE UINT32_MAX

/* What is counted: one root label over one stack. */
struct count {
	uint32_t label; /* id in labels, perhaps with LABEL_PID0 */
	uint32_t stack; /* id + 1; 0 is a free slot */
	uint64_t weight;
};

struct collapse {
	struct collapse_options o;
	bool by_samples, compat;
	char *only_name; /* the event that counts: --event-filter, or the first one seen */
	const struct event_desc *only; /* the last one seen of that name */
	struct intern labels;
	uint32_t *comm_labels; /* by comm id: the label, where the comm alone decides; else
				  LABEL_NONE */
	size_t comm_count;
	/* by stack id: the first label seen over it, and that one's weight */
	uint32_t *first_label;
	uint64_t *first_weight;
	size_t first_count, label_cap, weight_cap;
	/* the other labels over the same stacks: a hash table */
	struct count *counts;
	size_t slots, used;
	struct stackset set;
	/* by location, while a capture is folded: its frames in frame_ids[first, first + count) */
	struct loc_frames {
		uint32_t first, count;
		bool skip_after;
	} * loc_frames;
	uint32_t *frame_ids;
	size_t frame_id_count, frame_id_cap;
};

#define OPT(member) offsetof(struct collapse, o.member)

static const struct option options[] = {
	{ "weight", 0, OPT_TEXT, OPT(weight), "samples|period",
	  "what a sample counts for (default: period)", false },
	{ "label-pid", 0, OPT_FLAG, OPT(label_pid), NULL, "root frame COMM-PID", false },
	{ "label-tid", 0, OPT_FLAG, OPT(label_tid), NULL, "root frame COMM-PID/TID", false },
	{ "kernel", 0, OPT_FLAG, OPT(kernel), NULL, "mark kernel functions with _[k]", false },
	{ "jit", 0, OPT_FLAG, OPT(jit), NULL, "mark JIT functions with _[j]", false },
	{ "all", 0, OPT_FLAG, OPT(all), NULL, "--kernel --jit", false },
	{ "addrs", 0, OPT_FLAG, OPT(addrs), NULL, "show the address where there is no symbol",
	  false },
	{ "skip-after", 0, OPT_TEXTS, OPT(skip_after), "FUNC",
	  "leave out the callers of FUNC (may be repeated)", false },
	{ "merge-threads", 0, OPT_FLAG, OPT(merge_threads), NULL,
	  "fold kworker/3:1 into kworker, thread-12 into thread-N", false },
	{ "compat", 0, OPT_TEXT, OPT(compat), "stackcollapse",
	  "the bytes of perf script | stackcollapse-perf.pl, quirks and all", false },
	{ "event-filter", 0, OPT_TEXT, OPT(event_filter), "EVENT",
	  "the event that counts (default: the first one seen)", false },
	{ "pid", 0, OPT_FLAG, OPT(label_pid), NULL, "with --compat: as --label-pid", true },
	{ "tid", 0, OPT_FLAG, OPT(label_tid), NULL, "with --compat: as --label-tid", true },
	{ 0 },
};

static int begin(void *state, struct warnings *w)
{
	struct collapse *c = state;

	intern_init(&c->labels);
	stackset_init(&c->set);
	c->by_samples = c->o.weight && !strcmp(c->o.weight, "samples");
	c->compat = c->o.compat != NULL;
	if (c->o.event_filter)
		c->only_name = xstrdup(c->o.event_filter);
	c->o.kernel |= c->o.all;
	c->o.jit |= c->o.all;
	if (c->o.weight && !c->by_samples && strcmp(c->o.weight, "period")) {
		warn_add(w, SEV_FATAL, "usage", "--weight %s: expected samples or period",
			 c->o.weight);
		return ERR_USAGE;
	}
	if (c->compat && strcmp(c->o.compat, "stackcollapse")) {
		warn_add(w, SEV_FATAL, "usage", "--compat %s: expected stackcollapse", c->o.compat);
		return ERR_USAGE;
	}
	return 0;
}

static void configure(void *state, struct session_options *o)
{
	const struct collapse *c = state;

	o->keep_maps_on_exec = o->symbols.as_perf = c->compat;
}

/* ---- counting ---- */

static size_t slot_of(const struct collapse *c, const struct count *k)
{
	size_t i = hash_u64((uint64_t)k->label << 32 | k->stack) & (c->slots - 1);

	while (c->counts[i].stack &&
	       (c->counts[i].stack != k->stack || c->counts[i].label != k->label))
		i = (i + 1) & (c->slots - 1);
	return i;
}

static void grow(struct collapse *c)
{
	struct count *old = c->counts;
	size_t n = c->slots;

	c->slots = n ? n * 2 : 1024;
	c->counts = xcalloc(c->slots, sizeof(*c->counts));
	for (size_t i = 0; i < n; i++) {
		if (old[i].stack)
			c->counts[slot_of(c, &old[i])] = old[i];
	}
	free(old);
}

static void add_other(struct collapse *c, const struct count *k)
{
	size_t i;

	if ((c->used + 1) * 2 > c->slots)
		grow(c);
	i = slot_of(c, k);
	if (!c->counts[i].stack) {
		c->counts[i] = *k;
		c->used++;
	} else {
		c->counts[i].weight += k->weight;
	}
}

static void more_stacks(struct collapse *c, uint32_t stack)
{
	size_t n = c->first_count;

	c->first_label = xgrow(c->first_label, &c->label_cap, stack + 1, sizeof(*c->first_label));
	c->first_weight =
		xgrow(c->first_weight, &c->weight_cap, stack + 1, sizeof(*c->first_weight));
	for (; n <= stack; n++) {
		c->first_label[n] = LABEL_NONE;
		c->first_weight[n] = 0;
	}
	c->first_count = n;
}

static void add_count(struct collapse *c, uint32_t label, uint32_t stack, uint64_t weight)
{
	if (stack >= c->first_count)
		more_stacks(c, stack);
	if (c->first_label[stack] == LABEL_NONE)
		c->first_label[stack] = label;
	if (c->first_label[stack] == label)
		c->first_weight[stack] += weight;
	else
		add_other(c, &(struct count){ label, stack + 1, weight });
}

/* ---- the root frame ---- */

/* Threads of a pool differ by their numbers only. */
static void merge_thread_name(struct buf *b)
{
	size_t n = 0;

	if (b->len > 8 && !memcmp(b->data, "kworker/", 8))
		b->len = 7;
	for (size_t i = 0; i < b->len; i++) {
		bool after_sep = i && strchr("-/:_# ", b->data[i - 1]);

		if (after_sep && isdigit((unsigned char)b->data[i])) {
			while (i + 1 < b->len && isdigit((unsigned char)b->data[i + 1]))
				i++;
			b->data[n++] = 'N';
		} else {
			b->data[n++] = b->data[i];
		}
	}
	b->len = n;
	b->data[n] = '\0';
}

static void comm_text(const struct event *e, const struct session *s, struct buf *out)
{
	const char *comm = session_comm(s, e->comm);

	if (comm)
		buf_str(out, comm);
	else
		buf_printf(out, ":%d", (int)e->tid);
}

static uint32_t make_label(struct collapse *c, const struct event *e, const struct session *s)
{
	struct buf b = { 0 };
	uint32_t id;

	comm_text(e, s, &b);
	if (c->o.merge_threads)
		merge_thread_name(&b);
	for (size_t i = 0; i < b.len; i++) {
		if (isspace((unsigned char)b.data[i]))
			b.data[i] = '_';
	}
	if (c->o.label_tid)
		buf_printf(&b, "-%u/%u", e->pid, e->tid);
	else if (c->o.label_pid)
		buf_printf(&b, "-%u", e->pid);
	id = intern_add(&c->labels, b.data, b.len);
	buf_release(&b);
	return id;
}

static bool is_tracepoint(const struct event_desc *d)
{
	return d->attr.type == 2;
}

/* The label as stackcollapse-perf.pl reads it off perf script's header line. LABEL_NONE: it drops
 * the sample. *WEIGHT becomes what the script counts. */
static uint32_t compat_label(struct collapse *c, const struct event *e, const struct session *s,
			     uint64_t *weight)
{
	struct buf comm = { 0 };
	struct compat_header h = {
		.tid = e->tid,
		.cpu = e->cpu,
		.time_ns = e->time_ns,
		.period = e->weight,
		.event = e->desc->name,
		.has_cpu = e->has_cpu,
		.has_time = e->has_time,
		.has_period = true, /* perf prints it, from the attr if it must */
		.is_tracepoint = is_tracepoint(e->desc),
	};
	struct compat_sample out = { 0 };
	uint32_t id = LABEL_NONE;

	comm_text(e, s, &comm);
	h.comm = comm.data ? comm.data : "";
	if (compat_header_parse(&h,
				c->o.label_tid	 ? COMPAT_TID
				: c->o.label_pid ? COMPAT_PID
						 : COMPAT_COMM,
				&out))
		id = intern_add(&c->labels, out.label.data, out.label.len);
	*weight = out.weight;
	buf_release(&out.label);
	buf_release(&comm);
	return id;
}

/* Labels that the comm alone decides are made once for each comm. */
static uint32_t label_of(struct collapse *c, const struct event *e, const struct session *s,
			 uint64_t *weight)
{
	const char *comm = session_comm(s, e->comm);
	bool simple = comm && !c->o.label_pid && !c->o.label_tid;

	if (c->compat && (!simple || compat_comm_is_odd(comm)))
		return compat_label(c, e, s, weight);
	if (!simple)
		return make_label(c, e, s);
	if (e->comm >= c->comm_count) {
		c->comm_labels =
			xrealloc(c->comm_labels, (e->comm + 1) * 2 * sizeof(*c->comm_labels));
		while (c->comm_count < (e->comm + 1) * 2)
			c->comm_labels[c->comm_count++] = LABEL_NONE;
	}
	if (c->comm_labels[e->comm] == LABEL_NONE)
		c->comm_labels[e->comm] = make_label(c, e, s);
	return c->comm_labels[e->comm];
}

/* ---- events ---- */

/* Compat: events whose line does not end as stackcollapse-perf.pl expects pass its event filter. */
static bool passes_unnamed(const struct event_desc *d)
{
	return is_tracepoint(d) || strpbrk(d->name, " \t");
}

/* Periods of different events must not be added up: the first event seen counts, as with
 * FlameGraph. In compat mode tracepoints pass with weight 1, as their lines do not match the
 * script's expression. */
static bool event_counts(struct collapse *c, const struct event *e)
{
	if (c->compat && passes_unnamed(e->desc))
		return true;
	if (e->desc == c->only)
		return true;
	if (!c->only_name)
		c->only_name = xstrdup(e->desc->name);
	if (c->compat ? strcmp(c->only_name, e->desc->name) != 0
		      : !event_desc_is(e->desc, c->only_name))
		return false;
	c->only = e->desc;
	return true;
}

static uint64_t weight_of(const struct collapse *c, const struct event *e)
{
	if (c->by_samples)
		return 1;
	if (c->compat && (!e->weight || passes_unnamed(e->desc)))
		return 1;
	return e->weight;
}

static void event(void *state, const struct event *e, const struct session *s)
{
	struct collapse *c = state;
	uint64_t weight;
	uint32_t label;

	if (c->compat && (e->mode >= MODE_GUEST_USER ||
			  session_stacks(s)->list[e->stack].flags & STACK_NO_CHAIN))
		return; /* perf script does not print it, or prints one line, which the script drops
			 */
	if (!event_counts(c, e))
		return;
	weight = weight_of(c, e);
	if (e->comm < c->comm_count && c->comm_labels[e->comm] != LABEL_NONE)
		label = c->comm_labels[e->comm];
	else
		label = label_of(c, e, s, &weight);
	if (label != LABEL_NONE)
		add_count(c, e->pid ? label : label | LABEL_PID0, e->stack, weight);
}

/* ---- naming ---- */

static void loc_push(struct collapse *c, const char *text, size_t len)
{
	c->frame_ids =
		xgrow(c->frame_ids, &c->frame_id_cap, c->frame_id_count + 1, sizeof(*c->frame_ids));
	c->frame_ids[c->frame_id_count++] = stackset_frame(&c->set, text, len);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* What stands in brackets where there is no symbol. */
static const char *place_of(const struct loc *l, const struct loc_name *n)
{
	static const char *const modes[MODE_COUNT] = {
		[MODE_HV] = "hypervisor",
		[MODE_GUEST_USER] = "guest",
		[MODE_GUEST_KERNEL] = "guest.kernel",
	};

	if (modes[l->mode])
		return modes[l->mode];
	return n->module ? base_name(n->module) : "unknown";
}

/* The frame of one location in the default form: the whole name; [module] where there is no symbol.
 */
static void name_loc(struct collapse *c, const struct loc *l, const struct loc_name *n)
{
	struct buf b = { 0 };

	if (n->name)
		buf_str(&b, n->name);
	else if (c->o.addrs)
		buf_printf(&b, "[%s <%llx>]", place_of(l, n), (unsigned long long)l->addr);
	else
		buf_printf(&b, "[%s]", place_of(l, n));
	if (c->o.kernel && l->mode == MODE_KERNEL)
		buf_str(&b, "_[k]");
	else if (c->o.jit && n->module && !strncmp(n->module, "/tmp/perf-", 10))
		buf_str(&b, "_[j]");
	loc_push(c, b.data, b.len);
	buf_release(&b);
}

static void name_loc_compat(struct collapse *c, const struct loc *l, const struct loc_name *n,
			    bool java)
{
	struct compat_options o = { c->o.kernel, c->o.jit, c->o.addrs, java };
	struct compat_frame f = { n->name, n->module, n->offset, l->addr };
	struct buf b = { 0 };
	unsigned parts = compat_frame_fold(&f, &o, &b);
	const char *p = b.data;

	while (parts--) {
		loc_push(c, p, strlen(p));
		p += strlen(p) + 1;
	}
	buf_release(&b);
}

/* Frames of every location; with JAVA, as they look below a "java" label. */
static void name_locs(struct collapse *c, const struct session *s, bool java)
{
	const struct stacks *st = session_stacks(s);
	const struct names *names = session_names(s);

	c->loc_frames = xrealloc(c->loc_frames, (st->loc_count + 1) * sizeof(*c->loc_frames));
	c->frame_id_count = 0;
	for (size_t i = 0; i < st->loc_count; i++) {
		struct loc_frames *f = &c->loc_frames[i];
		const struct loc_name *n = &names->locs[i];

		f->first = (uint32_t)c->frame_id_count;
		f->skip_after = n->name && name_list_has(&c->o.skip_after, n->name);
		if (c->compat)
			name_loc_compat(c, &st->locs[i], n, java);
		else
			name_loc(c, &st->locs[i], n);
		f->count = (uint32_t)(c->frame_id_count - f->first);
	}
}

/* The name of the innermost location of STACK, or NULL when it has none. */
static const struct loc_name *leaf_of(const struct session *s, const struct stack *stack)
{
	const struct names *names = session_names(s);

	return stack->count ? &names->locs[stack_locs(session_stacks(s), stack)[0]] : NULL;
}

static bool leaf_passes(const struct loc_name *leaf, const struct filter *f)
{

	if (f->dsos.count && !(leaf && leaf->module &&
			       (name_list_has(&f->dsos, leaf->module) ||
				name_list_has(&f->dsos, base_name(leaf->module)))))
		return false;
	return !f->symbols.count || (leaf && leaf->name && name_list_has(&f->symbols, leaf->name));
}

/* How many frames of STACK, from the leaf, take part; *CUT: the label and all callers were left
 * out. */
static uint32_t frames_used(const struct collapse *c, const struct stack *stack,
			    const uint32_t *locs, bool *cut)
{
	uint32_t n = stack->count;

	*cut = false;
	if (c->compat) {
		if (stack->flags & (STACK_PERF_DROPS | STACK_EMPTY))
			return 0;
		n = n < PERF_MAX_STACK ? n : PERF_MAX_STACK;
	}
	for (uint32_t i = 0; c->o.skip_after.count && i < n; i++) {
		if (c->loc_frames[locs[i]].skip_after) {
			*cut = true;
			return i + 1;
		}
	}
	return n;
}

/* stackcollapse-perf.pl lets a ';' in a comm split the frame. */
static void push_label(struct collapse *c, const char *label)
{
	size_t n = c->compat ? strcspn(label, ";") : strlen(label);

	stackset_push(&c->set, stackset_frame(&c->set, label, n));
	while (label[n]) {
		label += n + 1;
		n = strcspn(label, ";");
		stackset_push(&c->set, stackset_frame(&c->set, label, n));
	}
}

static void add_row(struct collapse *c, const struct session *s, const struct count *k)
{
	const struct stack *stack = &session_stacks(s)->list[k->stack - 1];
	const uint32_t *locs = stack_locs(session_stacks(s), stack);
	const char *label = intern_str(&c->labels, k->label & ~LABEL_PID0);
	size_t room = strlen(label) + 1;
	bool cut;
	uint32_t n = frames_used(c, stack, locs, &cut);

	for (uint32_t i = 0; i < n; i++)
		room += c->loc_frames[locs[i]].count;
	stackset_begin(&c->set);
	stackset_reserve(&c->set, room);
	if (!cut)
		push_label(c, label);
	while (n--) {
		const struct loc_frames *f = &c->loc_frames[locs[n]];

		for (uint32_t i = 0; i < f->count; i++)
			stackset_push(&c->set, c->frame_ids[f->first + i]);
	}
	stackset_end(&c->set, k->weight);
}

/* Which labels a pass over the counts takes. */
enum java { JAVA_ANY, JAVA_NO, JAVA_YES };

static void add_if(struct collapse *c, const struct session *s, const struct filter *f,
		   enum java java, const struct count *k)
{
	const struct loc_name *leaf = leaf_of(s, &session_stacks(s)->list[k->stack - 1]);
	bool is_java;

	if (java != JAVA_ANY) {
		is_java = !strncmp(intern_str(&c->labels, k->label & ~LABEL_PID0), "java", 4);
		if (is_java != (java == JAVA_YES))
			return;
	}
	if (!leaf_passes(leaf, f))
		return;
	if (f->no_idle && k->label & LABEL_PID0 && leaf && is_idle_function(leaf->name))
		return;
	add_row(c, s, k);
}

static void add_rows(struct collapse *c, const struct session *s, const struct filter *f,
		     enum java java)
{
	for (size_t i = 0; i < c->first_count; i++) {
		struct count k = { c->first_label[i], (uint32_t)i + 1, c->first_weight[i] };

		if (k.label != LABEL_NONE)
			add_if(c, s, f, java, &k);
	}
	for (size_t i = 0; i < c->slots; i++) {
		if (c->counts[i].stack)
			add_if(c, s, f, java, &c->counts[i]);
	}
}

static bool any_java(const struct collapse *c)
{
	for (size_t i = 0; i < c->labels.count; i++) {
		if (!strncmp(intern_str(&c->labels, (uint32_t)i), "java", 4))
			return true;
	}
	return false;
}

/* Ids of stacks and comms are one capture's own. */
static void forget_counts(struct collapse *c)
{
	free(c->counts);
	c->counts = NULL;
	c->slots = c->used = 0;
	c->only = NULL;
	c->first_count = c->comm_count = 0;
}

/* Say what the result does not cover: weights of different events are not added up. */
static int check_events(const struct collapse *c, const struct session *s, struct warnings *w)
{
	const struct event_list *events = &session_capture(s)->events;
	struct buf others = { 0 };
	bool found = false;

	for (size_t i = 0; i < events->count; i++) {
		const struct event_desc *d = events->descs[i];
		uint64_t n = session_event_stats(s, d)->samples;
		bool same = c->only_name && event_desc_is(d, c->only_name);

		found |= same;
		if (n && !same)
			buf_printf(&others, "%s%s (%" PRIu64 " samples)", others.len ? ", " : "",
				   d->name, n);
	}
	if (c->o.event_filter && !found)
		warn_add(w, SEV_FATAL, "no-event", "%s: no event '%s'; the capture has: %s",
			 source_path(session_capture(s)->source), c->o.event_filter,
			 others.len ? others.data : "no samples");
	else if (others.len && c->only_name && !c->o.event_filter)
		warn_add(w, SEV_NOTE, "other-events",
			 "counting %s; left out: %s (--event-filter chooses)", c->only_name,
			 others.data);
	buf_release(&others);
	return c->o.event_filter && !found ? ERR_USAGE : 0;
}

static int finish(void *state, const struct session *s, const struct filter *f, struct warnings *w)
{
	struct collapse *c = state;
	bool java = c->compat && any_java(c);

	name_locs(c, s, false);
	add_rows(c, s, f, java ? JAVA_NO : JAVA_ANY);
	if (java) {
		name_locs(c, s, true);
		add_rows(c, s, f, JAVA_YES);
	}
	forget_counts(c);
	return c->compat ? 0 : check_events(c, s, w);
}

static void result(void *state, struct result *out)
{
	struct collapse *c = state;

	stackset_finish(&c->set);
	out->stacks = &c->set.part;
}

static void release(void *state)
{
	struct collapse *c = state;

	intern_release(&c->labels);
	stackset_release(&c->set);
	forget_counts(c);
	free(c->comm_labels);
	free(c->first_label);
	free(c->first_weight);
	free(c->loc_frames);
	free(c->frame_ids);
	free(c->only_name);
	for (size_t i = 0; i < c->o.skip_after.count; i++)
		free(c->o.skip_after.list[i]);
	free(c->o.skip_after.list);
}

const struct analyzer analyzer_collapse = {
	.name = "collapse",
	.summary = "folded stacks: how much weight each call stack holds",
	.needs = NEED_STACKS | NEED_COMMS,
	.default_format = "folded",
	.options = options,
	.state_size = sizeof(struct collapse),
	.begin = begin,
	.configure = configure,
	.event = event,
	.finish = finish,
	.result = result,
	.release = release,
};
