/* Samples by a field or by their branches. Of a call that is not seen to return nothing is known of
 * where it was made but the branch itself. */
#include "analyzers/count/fold/weigh.h"
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "parser/base/mem.h"
#include "parser/pdtool_capture.h"
#include "parser/pdtool_module.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define WO(member) offsetof(struct weigh_options, member)

static const char *const words[] = { "", "period", "samples", "branch", NULL };
static const char *const plain_words[] = { "", "period", "samples", NULL };

const struct option weigh_options[] = {
	{ "weight", 0, OPT_CHOICE, WO(weight), "WHAT",
	  "what a sample counts for: period, samples, branch (each branch that it has), or a "
	  "tracepoint's field, as [EVENT.]FIELD",
	  .words = words },
	{ "branch-callers", 0, OPT_FLAG, WO(branch_callers), NULL,
	  "samples without a call chain have the callers that their branches tell" },
	{ 0 },
};

const struct option weigh_plain_options[] = {
	{ "weight", 0, OPT_WORD, WO(weight.word), NULL, "what a sample counts for",
	  .words = plain_words },
	{ 0 },
};

static bool by_field(const struct weigh_options *o)
{
	return o->weight.word == WEIGHT_USUAL && o->weight.text;
}

bool weigh_special(const struct weigh_options *o)
{
	return by_field(o) || weigh_by_branches(o);
}

const char *weigh_unit(const struct weigh *w)
{
	return w->o.weight.word == WEIGHT_SAMPLES  ? "samples"
	       : w->o.weight.word == WEIGHT_BRANCH ? "branches"
						   : w->field;
}

static bool is_word(const char *text)
{
	for (const char *c = text; *c; c++) {
		if (!isalnum((unsigned char)*c) && *c != '_')
			return false;
	}
	return *text && !isdigit((unsigned char)*text);
}

int weigh_begin(struct weigh *w, const struct weigh_options *o, bool compat,
		struct warnings *warnings)
{
	const char *text = o->weight.text, *dot;

	w->o = *o;
	if (compat && weigh_special(o)) {
		warn_add(warnings, SEV_FATAL, "usage", "--compat: weights are periods or samples");
		return ERR_USAGE;
	}
	if (!by_field(o))
		return 0;
	dot = strrchr(text, '.');
	if (!is_word(dot ? dot + 1 : text) || dot == text) {
		warn_add(warnings, SEV_FATAL, "weight",
			 "--weight %s: expected period, samples, branch or [EVENT.]FIELD", text);
		return ERR_USAGE;
	}
	w->field = xstrdup(dot ? dot + 1 : text);
	if (dot) {
		w->event = xstrdup(text);
		w->event[dot - text] = '\0';
	}
	return 0;
}

void weigh_configure(const struct weigh *w, struct asked *asked)
{
	if (w->field)
		asked->wants |= PDT_WANT_FIELDS;
	if (weigh_by_branches(&w->o))
		asked->wants |= PDT_WANT_BRANCHES;
}

/* ---- by a field ---- */

static const struct pdt_field *field_of(struct weigh *w, const struct pdt_event *e)
{
	uint32_t i = pdt_desc_index(e->desc);
	struct weigh_place *p;
	bool meant;

	w->places = xgrow_to(w->places, &w->place_count, &w->place_cap, i, sizeof(*w->places));
	p = &w->places[i];
	if (p->looked)
		return p->field;
	p->looked = true;
	meant = !w->event || pdt_desc_is(e->desc, w->event) ||
		!fnmatch(w->event, pdt_desc_name(e->desc), 0);
	p->field = meant ? pdt_event_field(e, w->field) : NULL;
	return p->field;
}

/* E becomes one that weighs what its field says. False: it does not count. */
static bool weigh_by_field(struct weigh *w, const struct pdt_event *e, struct pdt_event *as)
{
	const struct pdt_field *f = field_of(w, e);

	if (!f || pdt_event_number(e, f, &as->weight) < 0) {
		w->now.lacking++;
		return false;
	}
	w->found = true;
	if (pdt_field_kind(f) != PDT_FIELD_SIGNED || (int64_t)as->weight >= 0)
		return true;
	w->now.negative++;
	return false;
}

/* ---- callers by branches ---- */

enum turn { GOES_ON, CALLS, RETURNS };

/* By PERF_BR_*: what comes into the kernel will return, too. */
static enum turn turn_of(const struct pdt_branch *b)
{
	static const uint8_t turns[] = {
		[4] = CALLS, /* CALL, IND_CALL, RET, SYSCALL, SYSRET, COND_CALL, COND_RET */
		[5] = CALLS,  [6] = RETURNS,  [7] = CALLS,    [8] = RETURNS,
		[9] = CALLS,  [10] = RETURNS, [11] = RETURNS, /* ERET */
		[12] = CALLS, [13] = CALLS,		      /* IRQ, SERROR */
		[16] = CALLS, [17] = CALLS,   [18] = CALLS, /* FAULT_ALGN, FAULT_DATA, FAULT_INST */
	};

	return b->type < ARRAY_SIZE(turns) ? (enum turn)turns[b->type] : GOES_ON;
}

static uint32_t add_call(struct weigh *w, uint64_t address, uint32_t below)
{
	uint32_t depth = below == PDT_NONE ? 1 : w->calls[below].depth + 1;

	w->calls = xgrow(w->calls, &w->call_cap, w->call_count + 1, sizeof(*w->calls));
	w->calls[w->call_count] = (struct open_call){ address, below, depth };
	return (uint32_t)w->call_count++;
}

static uint32_t end_call(const struct weigh *w, uint32_t call)
{
	return call == PDT_NONE ? PDT_NONE : w->calls[call].below;
}

static uint32_t depth_of(const struct weigh *w, uint32_t call)
{
	return call == PDT_NONE ? 0 : w->calls[call].depth;
}

/* Which calls are open at each of the N branches of LIST, the oldest first; returns those after the
 * newest. */
static uint32_t find_open(struct weigh *w, const struct pdt_branch *list, size_t n)
{
	uint32_t open = PDT_NONE;

	w->open = xgrow(w->open, &w->open_cap, n, sizeof(*w->open));
	w->call_count = 0;
	for (size_t i = n; i--;) {
		enum turn turn = turn_of(&list[i]);

		w->open[i] = open;
		if (turn == CALLS)
			open = add_call(w, list[i].from + 1, open);
		else if (turn == RETURNS)
			open = end_call(w, open);
	}
	return open;
}

static struct pdt_frame frame_at(uint64_t address)
{
	/* the kernel's own are in the upper half on all machines that record branches */
	return (struct pdt_frame){ address, (int64_t)address < 0 ? PDT_KERNEL : PDT_USER, 0 };
}

/* Let AS have the stack of WHERE and those that called it. */
static void give_stack(const struct weigh *w, struct pdt_event *as, const struct pdt_session *s,
		       uint64_t where, uint32_t callers)
{
	struct pdt_frame frames[1 + BRANCH_CALLERS_MAX];
	size_t count = 0;

	frames[count++] = frame_at(where);
	for (; callers != PDT_NONE && count < ARRAY_SIZE(frames); callers = end_call(w, callers))
		frames[count++] = frame_at(w->calls[callers].address);
	if (pdt_stack_new(s, as, frames, count, &as->stack) < 0)
		as->stack = PDT_NONE;
	as->ip = where;
	as->apart = false;
}

static bool has_type(const struct pdt_branch *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (list[i].type)
			return true;
	}
	return false;
}

/* The branches of the event that came last, counted by what they lack; returns how many. */
static size_t branches_of(struct weigh *w, const struct pdt_session *s,
			  const struct pdt_branch **list)
{
	size_t n = pdt_branches(s, list);

	w->branched |= n != 0;
	w->now.branchless += !n;
	w->now.typeless += n && !has_type(*list, n);
	return n;
}

/* Each of the branches of the event that came last, the newest first, is a sample where it was
 * taken. */
static void take_branches(struct weigh *w, struct pdt_event *as, const struct pdt_session *s,
			  weigh_take *take, void *ctx)
{
	const struct pdt_branch *list;
	size_t n = branches_of(w, s, &list);
	uint32_t later = PDT_NONE; /* open, by the returns that come */

	as->weight = 1;
	(void)find_open(w, list, n);
	for (size_t i = 0; i < n; i++) {
		enum turn turn = turn_of(&list[i]);
		uint32_t open = w->open[i];

		if (turn == RETURNS)
			later = add_call(w, list[i].to, later);
		else if (turn == CALLS)
			later = end_call(w, later);
		if (!list[i].from && !list[i].to)
			continue;
		give_stack(w, as, s, list[i].from,
			   depth_of(w, open) < depth_of(w, later) ? later : open);
		take(ctx, as, s);
	}
}

/* A sample without a chain has the callers that its branches tell. */
static void find_callers(struct weigh *w, struct pdt_event *as, const struct pdt_session *s)
{
	const struct pdt_branch *list;
	size_t n = branches_of(w, s, &list);
	uint32_t open;

	if (!as->ip || !(pdt_stack_at(s, as->stack).flags & (PDT_STACK_NO_CHAIN | PDT_STACK_EMPTY)))
		return;
	open = find_open(w, list, n);
	if (open == PDT_NONE)
		return;
	w->now.called++;
	give_stack(w, as, s, as->ip, open);
}

/* ---- samples ---- */

void weigh_each(struct weigh *w, const struct pdt_event *e, const struct pdt_session *s,
		weigh_take *take, void *ctx)
{
	struct pdt_event as = *e;

	w->seen = true;
	if (w->o.weight.word == WEIGHT_BRANCH) {
		take_branches(w, &as, s, take, ctx);
		return;
	}
	if (w->field && !weigh_by_field(w, e, &as))
		return;
	if (w->o.branch_callers)
		find_callers(w, &as, s);
	take(ctx, &as, s);
}

/* What of C is to be said: its name and a text, to ONE. */
typedef void told(void *ctx, const char *name, const char *text);

static void tell(const struct weigh *w, const struct weigh_counts *c, told *one, void *ctx)
{
	const struct {
		uint64_t count;
		const char *name, *text;
	} list[] = {
		{ c->lacking, "left out", "have no such number as " },
		{ c->negative, "left out", "are below 0 by " },
		{ c->branchless, "no branches", "have no branch stack" },
		{ c->typeless, "no callers",
		  "have branches without types, which tell no callers (perf record -j "
		  "any,u,save_type)" },
	};
	struct buf b = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(list); i++) {
		if (!list[i].count)
			continue;
		b.len = 0;
		buf_printf(&b, "%s samples %s%s", COUNT_TEXT(list[i].count), list[i].text,
			   i < 2 ? w->field : "");
		one(ctx, list[i].name, b.data);
	}
	buf_release(&b);
}

/* Of one capture. */
struct noting {
	const struct pdt_session *session;
	struct warnings *warnings;
};

static void note(void *ctx, const char *name, const char *text)
{
	const struct noting *n = ctx;

	(void)name;
	warn_add(n->warnings, SEV_NOTE, "weight", "%s: %s", pdt_text(n->session, PDT_PATH), text);
}

static void add_counts(struct weigh_counts *to, const struct weigh_counts *from)
{
	to->lacking += from->lacking;
	to->negative += from->negative;
	to->branchless += from->branchless;
	to->typeless += from->typeless;
	to->called += from->called;
}

int weigh_finish(struct weigh *w, const struct pdt_session *s, struct warnings *warnings)
{
	bool field = w->found || !w->seen || !w->field;
	bool branch = w->branched || !w->seen || !weigh_by_branches(&w->o);

	if (!field)
		warn_add(warnings, SEV_FATAL, "weight",
			 "--weight %s: expected period, samples, branch, or a number that an event "
			 "of %s has as a field (perf record -e SUBSYSTEM:EVENT)",
			 w->o.weight.text, pdt_text(s, PDT_PATH));
	if (!branch)
		warn_add(warnings, SEV_FATAL, "no-branches",
			 "%s: no sample has a branch stack. Record with: perf record -j "
			 "any,u,save_type -- COMMAND",
			 pdt_text(s, PDT_PATH));
	if (field && branch)
		tell(w, &w->now, note, &(struct noting){ s, warnings });
	add_counts(&w->all, &w->now);
	free(w->places);
	w->places = NULL;
	w->place_count = w->place_cap = 0;
	w->now = (struct weigh_counts){ 0 };
	w->found = w->branched = w->seen = false;
	return field && branch ? 0 : ERR_USAGE;
}

static void warn_fact(void *answer, const char *name, const char *text)
{
	answer_warn(answer, name, "%s", text);
}

void weigh_facts(const struct weigh *w, struct answer *a)
{
	tell(w, &w->all, warn_fact, a);
	if (w->o.branch_callers && w->o.weight.word != WEIGHT_BRANCH)
		answer_fact(a, "branch callers", "%s samples have them", COUNT_TEXT(w->all.called));
}

void weigh_release(struct weigh *w)
{
	free(w->event);
	free(w->field);
	free(w->places);
	free(w->calls);
	free(w->open);
}
