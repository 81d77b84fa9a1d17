/* Folded stacks of captures, by their ids until the end, and of folded text. */
#include "analyzers/count/fold/folding.h"
#include "analyzers/count/fold/jobs.h"
#include "analyzers/count/missing.h"
#include "analyzers/count/namer.h"
#include "parser/base/abi.h"
#include "parser/base/buf.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_NONE  UINT32_MAX
#define OTHERS	    "[others]"
#define CALLERS_OUT (1u << 31) /* in a frame's id: its callers are left out */

#define FO(member) offsetof(struct folding_options, member)

const struct option folding_name_options[] = {
	{ "label-pid", 0, OPT_FLAG, FO(label_pid), NULL, "root frame COMM-PID" },
	{ "label-tid", 0, OPT_FLAG, FO(label_tid), NULL, "root frame COMM-PID/TID" },
	{ "no-comm", 0, OPT_FLAG, FO(no_label), NULL, "no root frame" },
	{ .type = OPT_TABLE, .table = namer_option_rows, .offset = FO(names) },
	{ "skip-after", 0, OPT_TEXTS, FO(skip_after), "FUNC",
	  "leave out the callers of FUNC (may be repeated)" },
	{ "merge-threads", 0, OPT_FLAG, FO(merge_threads), NULL,
	  "fold kworker/3:1 into kworker, thread-12 into thread-N" },
	{ .type = OPT_TABLE, .table = prune_option_rows, .offset = FO(prune) },
	{ 0 },
};

const struct option folding_options[] = {
	{ .type = OPT_TABLE, .table = folding_name_options },
	{ "event-filter", 0, OPT_TEXT, FO(event_filter), "EVENT",
	  "the event that counts (default: the first one seen)", .choices = "events" },
	{ 0 },
};

int folding_begin(struct folding *f, struct warnings *w)
{
	int rc = weigh_begin(&f->weigh, &f->o.weigh, f->o.compat != NULL, w);

	f->special = weigh_special(&f->o.weigh);
	if (f->o.event_filter)
		f->only_name = xstrdup(f->o.event_filter);
	return rc < 0 ? rc : prune_begin(&f->prune, &f->o.prune, w);
}

/* Labels of those that made room are let go. */
static void relabel(void *folding, struct who *list, size_t count)
{
	struct folding *f = folding;
	struct intern old = f->labels;

	f->labels = (struct intern){ 0 };
	for (size_t i = 0; i < count; i++) {
		const struct interned others = { OTHERS, strlen(OTHERS) };
		const struct interned *label = list[i].others ? &others : &old.list[list[i].label];

		list[i].label = intern_add(&f->labels, label->s, label->len);
	}
	intern_release(&old);
	if (f->by_comm)
		memset(f->by_comm, 0xff, f->by_comm_cap * sizeof(*f->by_comm));
}

void folding_configure(struct folding *f, struct asked *o)
{
	bool functions = f->o.by == FOLD_SYMBOL || f->o.by == FOLD_ENTRY;

	namer_configure(&f->o.names, o);
	weigh_configure(&f->weigh, o);
	samples_follow(&f->samples, o);
	f->samples.max_bytes = o->max_memory;
	f->jobs = o->jobs;
	f->samples.relabel = relabel;
	f->samples.relabel_ctx = f;
	if (f->o.compat) {
		o->quirks = f->o.compat->quirks;
		o->wants |= PDT_WANT_FIELDS;
	}
	/* perf shows inlined functions below DWARF stacks only: the comparison is without */
	if (!functions || (f->o.compat && !f->o.names.inlines))
		o->wants &= ~(unsigned)PDT_WANT_INLINES;
	if (!functions)
		o->wants &= ~(unsigned)PDT_WANT_LINES;
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

uint32_t folding_label(struct folding *f, const char *comm, uint32_t pid, uint32_t tid)
{
	struct buf b = { 0 };
	uint32_t id;

	comm_text(comm, tid, &b);
	if (f->o.merge_threads)
		merge_thread_name(&b);
	for (size_t i = 0; i < b.len; i++) {
		if (isspace((unsigned char)b.data[i]))
			b.data[i] = '_';
	}
	if (f->o.label_tid)
		buf_printf(&b, "-%u/%u", pid, tid);
	else if (f->o.label_pid)
		buf_printf(&b, "-%u", pid);
	id = intern_add(&f->labels, b.data, b.len);
	buf_release(&b);
	return id;
}

static size_t event_width(const struct pdt_session *s)
{
	size_t width = 0;

	for (size_t i = 0; i < pdt_desc_count(s); i++) {
		size_t n = strlen(pdt_desc_name(pdt_desc_at(s, i)));

		width = n > width ? n : width;
	}
	return width;
}

static uint32_t compat_label(struct folding *f, const struct pdt_event *e,
			     const struct pdt_session *s, uint64_t *weight)
{
	enum compat_label kind = f->o.label_tid	  ? COMPAT_TID
				 : f->o.label_pid ? COMPAT_PID
						  : COMPAT_COMM;
	struct buf comm = { 0 }, label = { 0 };
	uint32_t id = LABEL_NONE;

	comm_text(pdt_comm(s, e->comm), e->tid, &comm);
	if (!f->event_width)
		f->event_width = event_width(s);
	if (f->o.compat->label(
		    e, &(struct compat_line){ comm.data ? comm.data : "", kind, f->event_width },
		    &label, weight))
		id = intern_add(&f->labels, label.data, label.len);
	buf_release(&label);
	buf_release(&comm);
	return id;
}

static uint32_t label_of(struct folding *f, const struct pdt_event *e, const struct pdt_session *s,
			 uint64_t *weight)
{
	const char *comm = pdt_comm(s, e->comm);
	bool simple = comm && !f->o.label_pid && !f->o.label_tid;

	if (f->o.compat && (!simple || f->o.compat->comm_is_odd(comm)))
		return compat_label(f, e, s, weight);
	return folding_label(f, comm, e->pid, e->tid);
}

/* Where the comm alone decides the label: whose sample E is, with its slot in by_comm. */
static uint32_t *simple_who(struct folding *f, const struct pdt_event *e,
			    const struct pdt_session *s)
{
	const char *comm = pdt_comm(s, e->comm);
	size_t want = ((size_t)e->comm + 1) * 2, old = f->by_comm_cap;

	if (!comm || f->o.label_pid || f->o.label_tid ||
	    (f->o.compat && f->o.compat->comm_is_odd(comm)))
		return NULL;
	if (want > old) {
		f->by_comm = xgrow(f->by_comm, &f->by_comm_cap, want, sizeof(*f->by_comm));
		memset(f->by_comm + old, 0xff, (f->by_comm_cap - old) * sizeof(*f->by_comm));
	}
	return &f->by_comm[e->comm * 2 + !e->pid];
}

/* Whose sample E is; LABEL_NONE: none, it is dropped. */
static uint32_t who_of(struct folding *f, const struct pdt_event *e, const struct pdt_session *s,
		       uint64_t *weight)
{
	uint32_t *slot = simple_who(f, e, s);
	struct who who = { .label = label_of(f, e, s, weight), .idle = !e->pid };
	uint32_t id = who.label == LABEL_NONE ? LABEL_NONE : samples_id(&f->samples, &who);

	if (slot)
		*slot = id;
	return id;
}

/* ---- events ---- */

/* Periods of different events must not be added up: the first event seen counts, as with
 * FlameGraph. */
static bool event_counts(struct folding *f, const struct pdt_event *e, const struct pdt_session *s)
{
	if (f->o.compat && f->o.compat->always_counts(e->desc))
		return true;
	if (e->desc == f->only)
		return true;
	if (!f->only_name)
		f->only_name = xstrdup(pdt_desc_name(e->desc));
	if (f->o.compat && !f->o.event_filter
		    ? strcmp(f->only_name, pdt_desc_name(e->desc)) != 0
		    : !event_named(&f->choice, events_of(s), f->only_name, e->desc))
		return false;
	f->only = e->desc;
	f->in_ns = pdt_desc_in_ns(e->desc);
	return true;
}

static uint64_t weight_of(const struct folding *f, const struct pdt_event *e)
{
	if (f->o.weigh.weight.word == WEIGHT_SAMPLES)
		return 1;
	return f->o.compat ? f->o.compat->weight(e) : e->weight;
}

/* WHO: LABEL_NONE: it is not known yet. noinline: the other samples need none of its registers. */
static __attribute__((noinline)) void take_any(struct folding *f, const struct pdt_event *e,
					       const struct pdt_session *s, uint32_t who)
{
	uint64_t weight;

	if (f->o.compat && f->o.compat->drops(e, pdt_stack_at(s, e->stack)))
		return;
	if (!event_counts(f, e, s))
		return;
	weight = weight_of(f, e);
	if (who == LABEL_NONE)
		who = who_of(f, e, s, &weight);
	if (who != LABEL_NONE)
		samples_later(&f->samples, who, e->stack, weight);
}

static void take_sample(void *folding, const struct pdt_event *e, const struct pdt_session *s)
{
	take_any(folding, e, s, LABEL_NONE);
}

void folding_event(struct folding *f, const struct pdt_event *e, const struct pdt_session *s)
{
	size_t simple = (size_t)e->comm * 2 + !e->pid;
	uint32_t who = simple < f->by_comm_cap ? f->by_comm[simple] : LABEL_NONE;

	/* mostly of the event that counts, and of a comm that was seen before */
	if (f->special)
		weigh_each(&f->weigh, e, s, take_sample, f);
	else if (f->o.compat || e->desc != f->only || who == LABEL_NONE)
		take_any(f, e, s, who);
	else
		samples_later(&f->samples, who, e->stack, weight_of(f, e));
}

/* ---- naming ---- */

static void push_text(struct folding *f, struct frames *frames, const struct buf *b,
		      const struct pdt_function *at, enum frame_kind kind)
{
	bool out = at->name && name_list_has(&f->o.skip_after, at->name);

	frames_push(frames, stackset_frame(&f->set, b->data ? b->data : "", b->len) |
				    (uint32_t)kind << STACKSET_KIND_SHIFT |
				    (out ? CALLERS_OUT : 0));
}

/* One line of perf script's chain, as the script takes it: its parts, the innermost first. */
static void push_compat(struct folding *f, struct frames *frames, struct place place,
			const struct pdt_function *at)
{
	struct compat_frame frame = {
		at->name, at->inlined ? "inlined" : pdt_location_module(place.session, place.loc),
		at->inlined ? 0 : pdt_location_symbol_offset(place.session, place.loc),
		pdt_location_offset(place.session, place.loc)
	};
	const struct namer_options *n = &f->o.names;
	struct compat_options o = { n->kernel || n->all, n->jit || n->all, n->addrs, f->java };
	struct buf parts = { 0 }, b = { 0 };
	unsigned left = f->o.compat->frames(&frame, &o, &parts);

	while (left--) {
		const char *p = parts.data;

		for (unsigned i = 0; i < left; i++)
			p += strlen(p) + 1;
		b.len = 0;
		buf_str(&b, p);
		function_line(n, at, &b);
		if (n->srcline && !at->file && frame.symbol && frame.dso)
			buf_printf(&b, ":%s", base_name(frame.dso)); /* perf: NAME[ADDRESS] */
		push_text(f, frames, &b, left ? &(struct pdt_function){ 0 } : at, FRAME_OTHER);
	}
	buf_release(&parts);
	buf_release(&b);
}

static void name_loc(void *folding, struct frames *frames, struct place p)
{
	struct folding *f = folding;

	if (f->o.by == FOLD_DSO) {
		const char *place = place_of(p);

		frames_push(frames, stackset_frame(&f->set, place, strlen(place)));
		return;
	}
	for (size_t i = 0, count = pdt_function_count(p.session, p.loc); i < count; i++) {
		struct pdt_function at = pdt_function_at(p.session, p.loc, i);
		struct buf b = { 0 };

		if (f->o.compat) {
			push_compat(f, frames, p, &at);
		} else {
			function_text(&f->o.names, &at, p, &b);
			push_text(f, frames, &b, &at, function_kind(&at, p));
		}
		buf_release(&b);
	}
}

/* The frames of STACK that take part, and what they are. */
static bool fill_list(const struct folding *f, const struct pdt_session *s, uint32_t stack,
		      struct frame_list *list)
{
	struct pdt_stack k = pdt_stack_at(s, stack);

	list->max = f->o.compat ? f->o.compat->frames_max(k) : 0;
	list->count = list->own = 0;
	if (f->o.by == FOLD_COMM || (f->o.compat && f->o.compat->no_frames(k)))
		return true;
	frame_list_fill(list, &f->frames, s, stack);
	if (!f->by_where && list->own) {
		list->count -= list->own;
		memmove(list->ids, list->ids + list->own, list->count * sizeof(*list->ids));
	}
	for (size_t i = 0; f->o.skip_after.count && i < list->count; i++) {
		if (!(list->ids[i] & CALLERS_OUT))
			continue;
		list->ids[i] &= ~CALLERS_OUT;
		list->count = i + 1;
		return false;
	}
	return true;
}

bool folding_frames(const struct folding *f, const struct pdt_session *s, uint32_t stack,
		    struct frame_list *list)
{
	bool whole = fill_list(f, s, stack, list);

	for (size_t i = 0; i < list->count; i++)
		list->ids[i] &= ~CALLERS_OUT;
	return whole;
}

/* stackcollapse-perf.pl lets a ';' in a comm split the frame. */
static void push_label(struct folding *f, const char *label)
{
	size_t n = f->o.compat ? strcspn(label, ";") : strlen(label);

	if (f->o.no_label && f->o.by != FOLD_COMM)
		return;
	if (f->root) {
		stackset_push(&f->set, f->root - 1);
		return;
	}
	stackset_push(&f->set, stackset_frame(&f->set, label, n));
	while (label[n]) {
		label += n + 1;
		n = strcspn(label, ";");
		stackset_push(&f->set, stackset_frame(&f->set, label, n));
	}
}

/* Push LIST, but for its innermost SKIP frames, root first. */
static void push_frames(struct folding *f, const struct frame_list *list, size_t skip)
{
	uint32_t *to = f->set.frames + f->set.frame_count;

	if (f->o.by != FOLD_DSO) {
		for (size_t i = list->count; i-- > skip;)
			*to++ = list->ids[i];
		f->set.frame_count = (size_t)(to - f->set.frames);
		return;
	}
	for (size_t i = list->count; i-- > skip;) {
		if (stackset_last(&f->set) != list->ids[i])
			stackset_push(&f->set, list->ids[i]);
	}
}

/* How many frames the N innermost locations of K make. */
static size_t frames_of(const struct folding *f, struct pdt_stack k, uint32_t n)
{
	size_t count = 0;

	for (uint32_t i = 0; i < n && i < k.depth; i++)
		count += f->frames.first[k.locations[i] + 1] - f->frames.first[k.locations[i]];
	return count;
}

void folding_push(struct folding *f, const struct pdt_session *s, const char *label, uint32_t stack,
		  struct stack_part part)
{
	struct pdt_stack k = pdt_stack_at(s, stack);
	size_t skip = frames_of(f, k, part.from), end = frames_of(f, k, part.to);
	bool whole = fill_list(f, s, stack, &f->list);

	if (part.to < k.depth && end < f->list.count)
		f->list.count = end;
	stackset_reserve(&f->set, strlen(label) + 1 + f->list.count);
	if (whole)
		push_label(f, label);
	push_frames(f, &f->list, skip);
}

void folding_name(struct folding *f, const struct pdt_session *s)
{
	f->frames.ignored = ~STACKSET_ID;
	f->frames.by_symbol = !f->o.compat && names_by_symbol(&f->o.names);
	fold_jobs_name(f, s, name_loc);
}

/* Which labels a pass over the counts takes. */
enum java { JAVA_ANY, JAVA_NO, JAVA_YES };

struct pass {
	const struct pdt_session *session;
	const struct filter *filter;
	enum java java;
	bool picks;	 /* not all frames of a chain take part */
	uint32_t *roots; /* by label: its frame; NULL: labels are text yet */
	struct where_marks marks;
};

/* The same for the usual stack, of which all frames of the chain take part: without a list. */
static void push_whole(struct folding *f, const char *label, struct pdt_stack k)
{
	const uint32_t *locs = k.locations, *ids = f->frames.ids;
	uint32_t *to;

	stackset_reserve(&f->set, strlen(label) + 1 + k.depth * f->frames.most);
	push_label(f, label);
	to = f->set.frames + f->set.frame_count;
	for (size_t i = k.depth; i--;) {
		uint32_t first = f->frames.first[locs[i]];

		for (uint32_t j = f->frames.first[locs[i] + 1]; j-- > first;)
			*to++ = ids[j];
	}
	f->set.frame_count = (size_t)(to - f->set.frames);
}

/* The row that was begun, as it is to be counted. False: it is not. */
bool folding_complete(struct folding *f, double weight)
{
	if (prune_any(&f->o.prune) && !prune_row(&f->prune, &f->o.prune, &f->set, weight))
		return false;
	if (f->o.reverse)
		stackset_reverse(&f->set);
	return true;
}

bool folding_end(struct folding *f, uint64_t weight)
{
	bool counts = folding_complete(f, (double)weight);

	if (counts)
		stackset_end(&f->set, weight);
	return counts;
}

/* The row that was begun: the sample's command, module and function, whichever are asked for. */
static void push_entry(struct folding *f, const struct pdt_session *s, const char *label,
		       struct place where)
{
	struct buf function = { 0 };
	const char *parts[FOLD_KEYS] = { label, where.loc == PDT_NONE ? "unknown" : place_of(where),
					 NULL };

	if (where.loc != PDT_NONE && pdt_function_count(s, where.loc)) {
		struct pdt_function at = pdt_function_at(s, where.loc, 0);

		function_text(&f->o.names, &at, where, &function);
	}
	parts[FOLD_KEY_SYMBOL] = function.len ? function.data : "[unknown]";
	stackset_reserve(&f->set, FOLD_KEYS);
	for (int i = 0; i < FOLD_KEYS; i++) {
		if (f->o.keys[i])
			stackset_push(&f->set, stackset_frame(&f->set, parts[i], strlen(parts[i])));
	}
	buf_release(&function);
}

static void add_pair(struct folding *f, const void *pass, const struct sample_sum *sum)
{
	const struct pass *p = pass;
	struct pdt_stack k = pdt_stack_at(p->session, sum->stack);
	struct place where = { p->session, k.ip };
	struct who who = samples_who(&f->samples, sum->who);
	const char *label = intern_str(&f->labels, who.label);
	bool apart = false;

	if (p->java != JAVA_ANY && !strncmp(label, "java", 4) != (p->java == JAVA_YES))
		return;
	if (!where_passes(where, p->filter, who.idle))
		return;
	f->root = p->roots ? p->roots[who.label] + 1 : 0;
	stackset_begin(&f->set);
	if (f->o.by == FOLD_ENTRY) {
		push_entry(f, p->session, label, where);
	} else if (!p->picks && k.depth && !(k.flags & PDT_STACK_APART)) {
		push_whole(f, label, k);
	} else {
		folding_push(f, p->session, label, sum->stack,
			     (struct stack_part){ 0, UINT32_MAX });
		apart = f->list.apart;
	}
	if (!folding_end(f, sum->weight))
		return;
	f->sums.whole += sum->weight;
	f->sums.apart += apart ? sum->weight : 0;
	if (!(where_mark(&p->marks, where.loc) & WHERE_NAMED))
		f->sums.unnamed += sum->weight;
}

/* The frame of each label, where it is one. */
static uint32_t *name_roots(struct folding *f)
{
	uint32_t *roots = xmalloc((f->labels.count + 1) * sizeof(*roots));

	for (size_t i = 0; i < f->labels.count; i++)
		roots[i] = stackset_frame(&f->set, f->labels.list[i].s, f->labels.list[i].len);
	return roots;
}

static void add_pairs(struct folding *f, struct pass *p)
{
	bool alone = f->o.compat || f->o.by == FOLD_ENTRY || prune_any(&f->o.prune);
	unsigned jobs = f->jobs;

	f->java = p->java == JAVA_YES;
	folding_name(f, p->session);
	if (alone) /* one stack may make names, or tell of another */
		f->jobs = 1;
	else if (!f->o.no_label || f->o.by == FOLD_COMM)
		p->roots = name_roots(f);
	fold_jobs_pairs(f, p, add_pair);
	f->jobs = jobs;
	f->root = 0;
	free(p->roots);
	p->roots = NULL;
}

static bool any_java(const struct folding *f)
{
	for (size_t i = 0; i < f->labels.count; i++) {
		if (!strncmp(intern_str(&f->labels, (uint32_t)i), "java", 4))
			return true;
	}
	return false;
}

/* Ids of stacks and comms are one capture's own. */
static void forget_counts(struct folding *f)
{
	samples_release(&f->samples);
	f->only = NULL;
	free(f->by_comm);
	f->by_comm = NULL;
	f->by_comm_cap = 0;
	f->event_width = 0;
	event_choice_release(&f->choice);
}

/* Say what the result does not cover: weights of different events are not added up. */
static int check_events(const struct folding *f, const struct pdt_session *s, struct warnings *w)
{
	const char *asked = f->o.event_filter;
	struct buf others = { 0 };
	bool found = other_events(s, f->only_name, &others);
	int rc = check_one_event(s, "event-filter", asked, w);

	if (rc == 0 && asked && !found) {
		rc = ERR_ABSENT;
		warn_add(w, SEV_FATAL, "no-event", "%s: no event '%s'; the capture has: %s",
			 pdt_text(s, PDT_PATH), asked, others.len ? others.data : "no samples");
	}
	if (others.len && f->only_name && !asked)
		warn_add(w, SEV_NOTE, "other-events",
			 "counting %s; left out: %s (--event-filter chooses)", f->only_name,
			 others.data);
	buf_release(&others);
	return rc;
}

int folding_finish(struct folding *f, const struct pdt_session *s, struct warnings *w)
{
	struct pass pass = { s, filter_of(s), f->o.compat && any_java(f) ? JAVA_NO : JAVA_ANY };
	int rc;

	samples_end(&f->samples);
	where_marks_init(&pass.marks, s);
	pass.picks = f->o.compat || f->o.by != FOLD_SYMBOL || f->o.skip_after.count;
	add_pairs(f, &pass);
	if (pass.java == JAVA_NO) {
		pass.java = JAVA_YES;
		add_pairs(f, &pass);
	}
	where_marks_release(&pass.marks);
	f->set.overflow |= f->samples.overflow;
	f->others += f->samples.made_room;
	samples_warn_rare(&f->samples, s, w);
	if (f->only)
		unit_of_samples(&f->unit, &f->samples, f->only, weigh_unit(&f->weigh));
	if (f->o.weigh.weight.word == WEIGHT_BRANCH)
		f->unit.squares = NAN; /* those of one sample are no samples of their own */
	forget_counts(f);
	rc = weigh_finish(&f->weigh, s, w);
	return rc < 0 || f->o.compat ? rc : check_events(f, s, w);
}

void folding_rare(const struct folding *f, struct answer *a)
{
	samples_rare(f->others, a);
	if (f->set.made_room)
		answer_warn(a, "others", "%s rare stacks made room: they count as [others]",
			    COUNT_TEXT(f->set.made_room));
}

void folding_facts(const struct folding *f, struct answer *a)
{
	folding_rare(f, a);
	if (f->prune.left_out) {
		const char *share = SHARE_TEXT(f->prune.left_out, f->prune.seen);

		answer_warn(a, "left out", "%s of the weight, by the names in its stacks", share);
		answer_tell(a, "left out: %s, by the names in its stacks", share);
	}
	weigh_facts(&f->weigh, a);
	if (!f->only_name)
		return;
	answer_fact(a, "event", "%s", f->only_name);
	answer_tell(a, "event: %s", f->only_name);
	answer_fact(a, "weight", "%s",
		    weigh_unit(&f->weigh)
			    ?: f->in_ns ? "period (ns)"
					: "period (events)");
	answer_parts(a, &weight_part_names, NULL,
		     (struct weight_parts){ (double)f->sums.whole, (double)f->sums.unnamed,
					    (double)f->sums.apart });
}

bool folding_none(const struct folding *f, struct buf *out)
{
	struct buf asked = { 0 };

	if (f->set.row_count || !(f->prune.left_out > 0))
		return false;
	prune_asked(&f->o.prune, &asked);
	buf_printf(out, "no stack passes %s", asked.data);
	buf_release(&asked);
	return true;
}

void folding_result(struct folding *f, struct answer *a, struct result *out)
{
	struct folded_unit unit;
	struct buf line = { 0 };

	folding_facts(f, a);
	f->set.jobs = f->jobs;
	stackset_finish(&f->set);
	answer_held(a, f->set.overflow);
	if (!f->o.compat && !f->set.sides && unit_folded(&f->unit, &unit)) {
		folded_unit_write(&unit, &line);
		f->set.part.unit_line = answer_string(a, line.data);
	}
	line.len = 0;
	if (folding_none(f, &line))
		out->none = answer_string(a, line.data);
	buf_release(&line);
	out->stacks = &f->set.part;
	out->count_name = unit_name(&f->unit);
	answer_result(a, NULL, out);
}

void folding_forget(struct folding *f)
{
	struct stackset facts = { .made_room = f->set.made_room };

	stackset_release(&f->set);
	f->set = facts;
}

void folding_take(struct folding *f, struct stackset *to)
{
	*to = f->set;
	f->set = (struct stackset){ 0 };
	prune_forget(&f->prune);
	if (!f->o.event_filter) {
		free(f->only_name);
		f->only_name = NULL;
	}
	memset(&f->unit, 0, sizeof(f->unit));
	f->sums = (struct fold_sums){ 0 };
}

void folding_release(struct folding *f)
{
	intern_release(&f->labels);
	stackset_release(&f->set);
	forget_counts(f);
	frames_release(&f->frames);
	frame_list_release(&f->list);
	prune_release(&f->prune);
	weigh_release(&f->weigh);
	free(f->only_name);
}
