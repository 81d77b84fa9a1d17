#include "analyzers/count/folding.h"
#include "analyzers/compat/fold_compat.h"
#include "analyzers/count/leaf.h"
#include "parser/base/abi.h"
#include "parser/base/buf.h"
#include "parser/base/hash.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PERF_MAX_STACK 127

#define LABEL_PID0 (1u << 31) /* in a label id: pid 0, where the idle filter looks at the leaf */
#define LABEL_NONE UINT32_MAX

/* What is counted: one root label over one stack. */
struct fold_count {
	uint32_t label; /* id in labels, perhaps with LABEL_PID0 */
	uint32_t stack; /* id + 1; 0 is a free slot */
	uint64_t weight;
};

#define FO(member) offsetof(struct folding_options, member)

const char *const fold_weights[] = { "period", "samples", NULL };

const struct option folding_name_options[] = {
	{ "label-pid", 0, OPT_FLAG, FO(label_pid), NULL, "root frame COMM-PID" },
	{ "label-tid", 0, OPT_FLAG, FO(label_tid), NULL, "root frame COMM-PID/TID" },
	{ "kernel", 0, OPT_FLAG, FO(kernel), NULL, "mark kernel functions with _[k]" },
	{ "jit", 0, OPT_FLAG, FO(jit), NULL, "mark JIT functions with _[j]" },
	{ "inline", 0, OPT_FLAG, FO(inlines), NULL,
	  "mark inlined functions with _[i]; with --compat: show them" },
	{ "all", 0, OPT_FLAG, FO(all), NULL,
	  "--kernel --jit --inline; with --compat: --kernel --jit" },
	{ "srcline", 0, OPT_FLAG, FO(srcline), NULL, "show source lines: FUNCTION:FILE:LINE" },
	{ "addrs", 0, OPT_FLAG, FO(addrs), NULL, "show the address where there is no symbol" },
	{ "skip-after", 0, OPT_TEXTS, FO(skip_after), "FUNC",
	  "leave out the callers of FUNC (may be repeated)" },
	{ "merge-threads", 0, OPT_FLAG, FO(merge_threads), NULL,
	  "fold kworker/3:1 into kworker, thread-12 into thread-N" },
	{ 0 },
};

const struct option folding_options[] = {
	{ "weight", 0, OPT_WORD, FO(weight), NULL, "what a sample counts for",
	  .words = fold_weights },
	{ .type = OPT_TABLE, .table = folding_name_options },
	{ "event-filter", 0, OPT_TEXT, FO(event_filter), "EVENT",
	  "the event that counts (default: the first one seen)" },
	{ 0 },
};

void folding_begin(struct folding *f)
{
	struct folding_options *o = &f->o;

	intern_init(&f->labels);
	stackset_init(&f->set);
	if (o->event_filter)
		f->only_name = xstrdup(o->event_filter);
	o->kernel |= o->all;
	o->jit |= o->all;
	o->inlines |= o->all && !o->compat;
}

void folding_configure(const struct folding *f, struct session_options *o)
{
	bool functions = f->o.by == FOLD_SYMBOL;

	o->keep_maps_on_exec = o->symbols.as_perf = f->o.compat;
	/* perf shows inlined functions below DWARF stacks only: the comparison is without */
	o->symbols.inlines = functions && !o->symbols.no_inline && (!f->o.compat || f->o.inlines);
	o->symbols.lines = functions && f->o.srcline;
}

/* ---- counting ---- */

static size_t slot_of(const struct folding *f, const struct fold_count *k)
{
	size_t i = hash_u64((uint64_t)k->label << 32 | k->stack) & (f->slots - 1);

	while (f->counts[i].stack &&
	       (f->counts[i].stack != k->stack || f->counts[i].label != k->label))
		i = (i + 1) & (f->slots - 1);
	return i;
}

static void grow(struct folding *f)
{
	struct fold_count *old = f->counts;
	size_t n = f->slots;

	f->slots = n ? n * 2 : 1024;
	f->counts = xcalloc(f->slots, sizeof(*f->counts));
	for (size_t i = 0; i < n; i++) {
		if (old[i].stack)
			f->counts[slot_of(f, &old[i])] = old[i];
	}
	free(old);
}

static void add_other(struct folding *f, const struct fold_count *k)
{
	size_t i;

	if ((f->used + 1) * 2 > f->slots)
		grow(f);
	i = slot_of(f, k);
	if (!f->counts[i].stack) {
		f->counts[i] = *k;
		f->used++;
	} else {
		f->counts[i].weight += k->weight;
	}
}

static void more_stacks(struct folding *f, uint32_t stack)
{
	size_t n = f->first_count;

	f->first_label = xgrow(f->first_label, &f->label_cap, stack + 1, sizeof(*f->first_label));
	f->first_weight =
		xgrow(f->first_weight, &f->weight_cap, stack + 1, sizeof(*f->first_weight));
	for (; n <= stack; n++) {
		f->first_label[n] = LABEL_NONE;
		f->first_weight[n] = 0;
	}
	f->first_count = n;
}

static void add_count(struct folding *f, uint32_t label, uint32_t stack, uint64_t weight)
{
	if (stack >= f->first_count)
		more_stacks(f, stack);
	if (f->first_label[stack] == LABEL_NONE)
		f->first_label[stack] = label;
	if (f->first_label[stack] == label)
		f->first_weight[stack] += weight;
	else
		add_other(f, &(struct fold_count){ label, stack + 1, weight });
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

static void comm_text(const char *comm, uint32_t tid, struct buf *out)
{
	if (comm)
		buf_str(out, comm);
	else
		buf_printf(out, ":%d", (int)tid);
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

static bool is_tracepoint(const struct event_desc *d)
{
	return d->attr.type == 2;
}

/* The label as stackcollapse-perf.pl reads it off perf script's header line. LABEL_NONE: it drops
 * the sample. *WEIGHT becomes what the script counts. */
static uint32_t compat_label(struct folding *f, const struct event *e, const struct session *s,
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

	comm_text(session_comm(s, e->comm), e->tid, &comm);
	h.comm = comm.data ? comm.data : "";
	if (compat_header_parse(&h,
				f->o.label_tid	 ? COMPAT_TID
				: f->o.label_pid ? COMPAT_PID
						 : COMPAT_COMM,
				&out))
		id = intern_add(&f->labels, out.label.data, out.label.len);
	*weight = out.weight;
	buf_release(&out.label);
	buf_release(&comm);
	return id;
}

/* Labels that the comm alone decides are made once for each comm. */
static uint32_t label_of(struct folding *f, const struct event *e, const struct session *s,
			 uint64_t *weight)
{
	const char *comm = session_comm(s, e->comm);
	bool simple = comm && !f->o.label_pid && !f->o.label_tid;

	if (f->o.compat && (!simple || compat_comm_is_odd(comm)))
		return compat_label(f, e, s, weight);
	if (!simple)
		return folding_label(f, comm, e->pid, e->tid);
	if (e->comm >= f->comm_count) {
		f->comm_labels =
			xrealloc(f->comm_labels, (e->comm + 1) * 2 * sizeof(*f->comm_labels));
		while (f->comm_count < (e->comm + 1) * 2)
			f->comm_labels[f->comm_count++] = LABEL_NONE;
	}
	if (f->comm_labels[e->comm] == LABEL_NONE)
		f->comm_labels[e->comm] = folding_label(f, comm, e->pid, e->tid);
	return f->comm_labels[e->comm];
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
static bool event_counts(struct folding *f, const struct event *e)
{
	if (f->o.compat && passes_unnamed(e->desc))
		return true;
	if (e->desc == f->only)
		return true;
	if (!f->only_name)
		f->only_name = xstrdup(e->desc->name);
	if (f->o.compat ? strcmp(f->only_name, e->desc->name) != 0
			: !event_desc_is(e->desc, f->only_name))
		return false;
	f->only = e->desc;
	f->in_ns = event_counts_ns(e->desc);
	return true;
}

static uint64_t weight_of(const struct folding *f, const struct event *e)
{
	if (f->o.weight == FOLD_SAMPLES)
		return 1;
	if (f->o.compat && (!e->weight || passes_unnamed(e->desc)))
		return 1;
	return e->weight;
}

void folding_event(struct folding *f, const struct event *e, const struct session *s)
{
	uint64_t weight;
	uint32_t label;

	if (f->o.compat && (e->mode >= MODE_GUEST_USER ||
			    session_stacks(s)->list[e->stack].flags & STACK_NO_CHAIN))
		return; /* perf script does not print it, or prints one line, which the script drops
			 */
	if (!event_counts(f, e))
		return;
	weight = weight_of(f, e);
	if (e->comm < f->comm_count && f->comm_labels[e->comm] != LABEL_NONE)
		label = f->comm_labels[e->comm];
	else
		label = label_of(f, e, s, &weight);
	if (label == LABEL_NONE)
		return;
	f->samples++;
	f->weight += (double)weight;
	f->weight_squares += (double)weight * (double)weight;
	add_count(f, e->pid ? label : label | LABEL_PID0, e->stack, weight);
}

/* ---- naming ---- */

static void loc_push(struct folding *f, const char *text, size_t len)
{
	f->frame_ids =
		xgrow(f->frame_ids, &f->frame_id_cap, f->frame_id_count + 1, sizeof(*f->frame_ids));
	f->frame_ids[f->frame_id_count++] = stackset_frame(&f->set, text, len);
}

/* Append ":FILE:LINE", without directories, as perf script shows it. */
static void add_line(const struct folding *f, const char *file, uint32_t line, struct buf *b)
{
	if (f->o.srcline && file)
		buf_printf(b, ":%s:%u", base_name(file), line);
}

/* The frames of the functions that were inlined at N, the outermost first. */
static void name_inlines(struct folding *f, const struct loc_name *n)
{
	for (uint32_t i = n->inline_count; i--;) {
		const struct source_frame *in = &n->inlines[i];
		struct buf b = { 0 };

		buf_str(&b, in->name ?: "[inlined]");
		if (f->o.inlines)
			buf_str(&b, "_[i]");
		add_line(f, in->file, in->line, &b);
		loc_push(f, b.data, b.len);
		buf_release(&b);
	}
}

/* A module of just-in-time compiled code: perf-PID.map, jit-PID.dump, or what perf inject makes of
 * that. */
static bool is_jit(const char *module)
{
	const char *slash = strrchr(module, '/'), *name = slash ? slash + 1 : module;
	const char *dot = strrchr(name, '.');

	return !strncmp(module, "/tmp/perf-", 10) || !strncmp(name, "jitted-", 7) ||
	       (!strncmp(name, "jit-", 4) && dot && !strcmp(dot, ".dump"));
}

/* The frames of one location in the default form: the whole name; [module] where there is no
 * symbol. */
static void name_loc(struct folding *f, const struct loc *l, const struct loc_name *n)
{
	struct buf b = { 0 };

	if (f->o.by == FOLD_DSO) {
		buf_str(&b, place_of(l, n));
		loc_push(f, b.data, b.len);
		buf_release(&b);
		return;
	}
	if (n->name)
		buf_str(&b, n->name);
	else if (f->o.addrs)
		buf_printf(&b, "[%s <%llx>]", place_of(l, n), (unsigned long long)l->addr);
	else
		buf_printf(&b, "[%s]", place_of(l, n));
	if (f->o.kernel && l->mode == MODE_KERNEL)
		buf_str(&b, "_[k]");
	else if (f->o.jit && n->module && is_jit(n->module))
		buf_str(&b, "_[j]");
	add_line(f, n->file, n->line, &b);
	loc_push(f, b.data, b.len);
	buf_release(&b);
	name_inlines(f, n);
}

/* One line of perf script's chain, as the script takes it. */
static void push_compat(struct folding *f, const struct compat_frame *frame,
			const struct source_frame *place, bool java)
{
	struct compat_options o = { f->o.kernel, f->o.jit, f->o.addrs, java };
	struct buf parts = { 0 };
	unsigned n = compat_frame_fold(frame, &o, &parts);
	const char *p = parts.data;

	while (n--) {
		struct buf b = { 0 };

		buf_str(&b, p);
		if (place->file)
			add_line(f, place->file, place->line, &b);
		else if (f->o.srcline && frame->symbol && frame->dso) /* perf: NAME[ADDRESS] */
			buf_printf(&b, ":%s", base_name(frame->dso));
		loc_push(f, b.data, b.len);
		buf_release(&b);
		p += strlen(p) + 1;
	}
	buf_release(&parts);
}

static void name_loc_compat(struct folding *f, const struct loc *l, const struct loc_name *n,
			    bool java)
{
	struct compat_frame frame = { n->name, n->module, n->offset, l->addr };
	struct source_frame place = { n->name, n->file, n->line };

	push_compat(f, &frame, &place, java);
	for (uint32_t i = n->inline_count; i--;) {
		frame = (struct compat_frame){ n->inlines[i].name, "inlined", 0, l->addr };
		push_compat(f, &frame, &n->inlines[i], java);
	}
}

/* Is N, or a function inlined there, one whose callers are left out? Then FRAMES loses those too
 * that are inlined around it. */
static bool skips_after(const struct folding *f, const struct loc_name *n,
			struct loc_frames *frames)
{
	const struct name_list *list = &f->o.skip_after;

	for (uint32_t i = 0; list->count && i < n->inline_count && i < frames->count; i++) {
		if (!n->inlines[i].name || !name_list_has(list, n->inlines[i].name))
			continue;
		frames->first += frames->count - i - 1;
		frames->count = i + 1;
		return true;
	}
	return n->name && name_list_has(list, n->name);
}

/* Frames of every location; with JAVA, as they look below a "java" label. */
static void name_locs(struct folding *f, const struct session *s, bool java)
{
	const struct stacks *st = session_stacks(s);
	const struct names *names = session_names(s);

	f->loc_frames = xrealloc(f->loc_frames, (st->loc_count + 1) * sizeof(*f->loc_frames));
	f->frame_id_count = 0;
	for (size_t i = 0; i < st->loc_count; i++) {
		struct loc_frames *frames = &f->loc_frames[i];
		const struct loc_name *n = &names->locs[i];

		frames->first = (uint32_t)f->frame_id_count;
		if (f->o.compat)
			name_loc_compat(f, &st->locs[i], n, java);
		else
			name_loc(f, &st->locs[i], n);
		frames->count = (uint32_t)(f->frame_id_count - frames->first);
		frames->skip_after = skips_after(f, n, frames);
	}
}

/* How many frames of STACK, from the leaf, take part; *CUT: the label and all callers were left
 * out. */
static uint32_t frames_used(const struct folding *f, const struct stack *stack,
			    const uint32_t *locs, bool *cut)
{
	uint32_t n = stack->count;

	*cut = false;
	if (f->o.by == FOLD_COMM)
		return 0;
	if (f->o.compat) {
		if (stack->flags & (STACK_PERF_DROPS | STACK_EMPTY))
			return 0;
		/* of what it unwinds perf counts the kernel's and the user's frames apart */
		if (!(stack->flags & STACK_UNWOUND) && n > PERF_MAX_STACK)
			n = PERF_MAX_STACK;
	}
	for (uint32_t i = 0; f->o.skip_after.count && i < n; i++) {
		if (f->loc_frames[locs[i]].skip_after) {
			*cut = true;
			return i + 1;
		}
	}
	return n;
}

/* stackcollapse-perf.pl lets a ';' in a comm split the frame. */
static void push_label(struct folding *f, const char *label)
{
	size_t n = f->o.compat ? strcspn(label, ";") : strlen(label);

	stackset_push(&f->set, stackset_frame(&f->set, label, n));
	while (label[n]) {
		label += n + 1;
		n = strcspn(label, ";");
		stackset_push(&f->set, stackset_frame(&f->set, label, n));
	}
}

static void push_loc(struct folding *f, const struct loc_frames *frames)
{
	uint32_t last = f->frame_ids[frames->first + frames->count - 1];

	if (f->o.by == FOLD_DSO && stackset_last(&f->set) == last)
		return;
	for (uint32_t i = 0; i < frames->count; i++)
		stackset_push(&f->set, f->frame_ids[frames->first + i]);
}

void folding_push(struct folding *f, const struct session *s, const char *label, uint32_t stack,
		  uint32_t leaf_skip)
{
	const struct stack *list = &session_stacks(s)->list[stack];
	const uint32_t *locs = stack_locs(session_stacks(s), list);
	size_t room = strlen(label) + 1;
	bool cut;
	uint32_t n = frames_used(f, list, locs, &cut);

	for (uint32_t i = 0; i < n; i++)
		room += f->loc_frames[locs[i]].count;
	stackset_reserve(&f->set, room);
	if (!cut)
		push_label(f, label);
	while (n > leaf_skip)
		push_loc(f, &f->loc_frames[locs[--n]]);
}

void folding_name(struct folding *f, const struct session *s)
{
	name_locs(f, s, false);
}

static void add_row(struct folding *f, const struct session *s, const struct fold_count *k)
{
	const char *label = intern_str(&f->labels, k->label & ~LABEL_PID0);

	stackset_begin(&f->set);
	folding_push(f, s, label, k->stack - 1, 0);
	if (f->o.reverse)
		stackset_reverse(&f->set);
	stackset_end(&f->set, k->weight);
}

/* Which labels a pass over the counts takes. */
enum java { JAVA_ANY, JAVA_NO, JAVA_YES };

struct pass {
	const struct session *session;
	const struct filter *filter;
	enum java java;
};

static void add_if(struct folding *f, const struct pass *p, const struct fold_count *k)
{
	const struct loc_name *leaf = leaf_of(p->session, k->stack - 1);
	bool is_java;

	if (p->java != JAVA_ANY) {
		is_java = !strncmp(intern_str(&f->labels, k->label & ~LABEL_PID0), "java", 4);
		if (is_java != (p->java == JAVA_YES))
			return;
	}
	if (!leaf_passes(leaf, p->filter, k->label & LABEL_PID0))
		return;
	f->row_weight += (double)k->weight;
	if (!leaf || !leaf->name)
		f->unnamed_weight += (double)k->weight;
	add_row(f, p->session, k);
}

static void add_rows(struct folding *f, const struct pass *p)
{
	for (size_t i = 0; i < f->first_count; i++) {
		struct fold_count k = { f->first_label[i], (uint32_t)i + 1, f->first_weight[i] };

		if (k.label != LABEL_NONE)
			add_if(f, p, &k);
	}
	for (size_t i = 0; i < f->slots; i++) {
		if (f->counts[i].stack)
			add_if(f, p, &f->counts[i]);
	}
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
	free(f->counts);
	f->counts = NULL;
	f->slots = f->used = 0;
	f->only = NULL;
	f->first_count = f->comm_count = 0;
}

/* Say what the result does not cover: weights of different events are not added up. */
static int check_events(const struct folding *f, const struct session *s, struct warnings *w)
{
	const struct event_list *events = &session_capture(s)->events;
	struct buf others = { 0 };
	bool found = false;

	for (size_t i = 0; i < events->count; i++) {
		const struct event_desc *d = events->descs[i];
		uint64_t n = session_event_stats(s, d)->samples;
		bool same = f->only_name && event_desc_is(d, f->only_name);

		found |= same;
		if (n && !same)
			buf_printf(&others, "%s%s (%" PRIu64 " samples)", others.len ? ", " : "",
				   d->name, n);
	}
	if (f->o.event_filter && !found)
		warn_add(w, SEV_FATAL, "no-event", "%s: no event '%s'; the capture has: %s",
			 source_path(session_capture(s)->source), f->o.event_filter,
			 others.len ? others.data : "no samples");
	else if (others.len && f->only_name && !f->o.event_filter)
		warn_add(w, SEV_NOTE, "other-events",
			 "counting %s; left out: %s (--event-filter chooses)", f->only_name,
			 others.data);
	buf_release(&others);
	return f->o.event_filter && !found ? ERR_USAGE : 0;
}

int folding_finish(struct folding *f, const struct session *s, const struct filter *filter,
		   struct warnings *w)
{
	struct pass pass = { s, filter, f->o.compat && any_java(f) ? JAVA_NO : JAVA_ANY };

	name_locs(f, s, false);
	add_rows(f, &pass);
	if (pass.java == JAVA_NO) {
		pass.java = JAVA_YES;
		name_locs(f, s, true);
		add_rows(f, &pass);
	}
	forget_counts(f);
	return f->o.compat ? 0 : check_events(f, s, w);
}

/* Trailing empty frames are dropped, as Perl's split() does in the tools that wrote the form. */
void folding_push_line(struct stackset *set, const struct folded_line *line)
{
	const char *p = line->stack, *end = p + line->len;

	while (end > p && end[-1] == ';')
		end--;
	while (p < end) {
		const char *semi = memchr(p, ';', (size_t)(end - p));
		const char *stop = semi ? semi : end;

		stackset_reserve(set, 1);
		stackset_push(set, stackset_frame(set, p, (size_t)(stop - p)));
		p = stop + 1;
	}
}

int folding_text(struct folding *f, struct folded *text, struct warnings *w)
{
	struct folded_line line;
	const char *semi;
	int rc;

	if (folded_columns(text) == 2 && !f->set.sides)
		stackset_sides(&f->set, 2);
	while ((rc = folded_next(text, &line)) == 1) {
		semi = f->o.by == FOLD_COMM ? memchr(line.stack, ';', line.len) : NULL;
		if (semi)
			line.len = (size_t)(semi - line.stack);
		stackset_begin(&f->set);
		folding_push_line(&f->set, &line);
		if (f->o.reverse)
			stackset_reverse(&f->set);
		stackset_end_text(&f->set, &line);
	}
	return rc < 0 ? rc : folded_check(text, w);
}

const char *folding_unit(const struct folding *f)
{
	return f->o.weight == FOLD_SAMPLES || !f->only_name ? "samples"
	       : f->in_ns				    ? "ns"
							    : f->only_name;
}

void folding_facts(const struct folding *f, struct answer *a)
{
	if (!f->only_name)
		return;
	answer_fact(a, "event", "%s", f->only_name);
	answer_fact(a, "weight", "%s",
		    f->o.weight == FOLD_SAMPLES ? "samples"
		    : f->in_ns			? "period (ns)"
						: "period (events)");
	answer_fact(a, "unresolved", "%s of the weight has a leaf without a name",
		    SHARE_TEXT(f->unnamed_weight, f->row_weight));
}

void folding_result(struct folding *f, struct answer *a, struct result *out)
{
	folding_facts(f, a);
	if (f->set.overflow)
		answer_fact(a, "overflow", "sums above 2^64 - 1 were held there");
	stackset_finish(&f->set);
	out->stacks = &f->set.part;
	out->count_name = f->only_name ? folding_unit(f) : NULL;
	answer_result(a, NULL, out);
}

void folding_take(struct folding *f, struct stackset *to)
{
	*to = f->set;
	stackset_init(&f->set);
	if (!f->o.event_filter) {
		free(f->only_name);
		f->only_name = NULL;
	}
	f->samples = 0;
	f->weight = f->weight_squares = f->row_weight = f->unnamed_weight = 0;
}

void folding_release(struct folding *f)
{
	intern_release(&f->labels);
	stackset_release(&f->set);
	forget_counts(f);
	free(f->comm_labels);
	free(f->first_label);
	free(f->first_weight);
	free(f->loc_frames);
	free(f->frame_ids);
	free(f->only_name);
}
