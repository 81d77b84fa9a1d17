/* Which function that is gone is which new one? */
#include "analyzers/profile/diff/renames.h"
#include "analyzers/profile/diff/likeness.h"
#include "parser/base/buf.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_SHARE    0.002 /* of a side's total: smaller ones are not looked at */
#define LEAST_SAMPLES  20    /* fewer may be missing on the other side by chance */
#define MOST_NAMES     300   /* of each side, the heaviest ones */
#define PASSES	       2     /* pairs that were found make callers and callees equal */
#define ACCEPTED       0.7
#define ACCEPTED_ALIKE 0.5 /* of names that differ in suffixes and template arguments alone */
#define LEAD	       0.1 /* before the second best */
#define MOSTLY	       0.9 /* of an inlined function's calls come from the one caller */
#define NOBODY	       UINT32_MAX

enum relation { CALLER, CALLEE };

/* How much of NAME's weight has OTHER as its caller, or callee. */
struct link {
	uint32_t name, relation, other;
	double weight;
};

struct search {
	const struct stackset *set;
	const struct diff_sums *sums;
	const struct diff_capture *captures;
	bool skip_root;
	double all[2];	    /* total weight of the sides */
	double samples[2];  /* effective ones */
	uint32_t *names[2]; /* candidates that are on this side only, the heaviest first */
	size_t count[2];
	uint8_t *side; /* by name: 1 + the side of a candidate; 0: none */
	struct link *links;
	size_t link_count, link_cap;
};

static double weight_of(const struct search *s, uint32_t name, int side, bool self)
{
	const double *values = self ? s->sums->self : s->sums->total;
	size_t n = s->sums->captures;
	double sum = 0;

	for (size_t c = 0; c < n; c++)
		sum += s->captures[c].after == side ? values[name * n + c] * s->captures[c].factor
						    : 0;
	return sum;
}

/* ---- candidates ---- */

struct heavy {
	uint32_t name;
	double weight;
};

static int by_weight(const void *a, const void *b)
{
	const struct heavy *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return compare_u64(x->name, y->name);
}

/* Names in brackets are modules and the kernel's parts. */
static bool may_be_renamed(const struct search *s, uint32_t name)
{
	const struct interned *n = &s->set->names.list[name];

	return n->len && n->s[0] != '[' && n->s[0] != '<' && n->s[0] != '(';
}

static void find_candidates(struct search *s, int side)
{
	struct heavy *list = xmalloc((s->sums->ids + 1) * sizeof(*list));
	size_t count = 0;

	for (uint32_t i = 0; i < s->sums->ids; i++) {
		struct heavy h = { i, weight_of(s, i, side, false) };

		if (h.weight >= LEAST_SHARE * s->all[side] &&
		    h.weight * s->samples[side] >= LEAST_SAMPLES * s->all[side] && h.weight > 0 &&
		    !(weight_of(s, i, !side, false) > 0) && may_be_renamed(s, i))
			list[count++] = h;
	}
	qsort(list, count, sizeof(*list), by_weight);
	s->count[side] = count < MOST_NAMES ? count : MOST_NAMES;
	s->names[side] = xmalloc((count + 1) * sizeof(*s->names[side]));
	for (size_t i = 0; i < s->count[side]; i++) {
		s->names[side][i] = list[i].name;
		s->side[list[i].name] = (uint8_t)(side + 1);
	}
	free(list);
}

/* ---- who calls them, whom they call ---- */

static void add_link(struct search *s, const struct link *l)
{
	if (!(l->weight > 0))
		return;
	s->links = xgrow(s->links, &s->link_cap, s->link_count + 1, sizeof(*s->links));
	s->links[s->link_count++] = *l;
}

static int by_link(const void *a, const void *b)
{
	const struct link *x = a, *y = b;

	return compare_u64(x->name, y->name) ?: compare_u64(x->relation, y->relation)
		       ?: compare_u64(x->other, y->other);
}

/* One name for both, as far as pairs are known. */
static uint32_t common_name(const struct renames *r, uint32_t name)
{
	uint32_t at = name == NOBODY ? NOT_RENAMED : r->by_name[name];

	return at == NOT_RENAMED ? name : r->list[at].kept;
}

static void link_row(struct search *s, const struct renames *r, size_t row)
{
	const struct stacks_part *p = &s->set->part;
	const uint32_t *frames = &p->frames[p->rows[row].first];
	uint32_t count = p->rows[row].count;
	size_t n = s->sums->captures;
	double weight[2] = { 0, 0 };

	for (size_t c = 0; c < n; c++)
		weight[s->captures[c].after] +=
			(double)s->set->amounts[row * n + c] * s->captures[c].factor;
	for (uint32_t k = s->skip_root; k < count; k++) {
		uint32_t name = frames[k];
		double w = s->side[name] ? weight[s->side[name] - 1] : 0;
		uint32_t caller = k > s->skip_root ? frames[k - 1] : NOBODY;
		uint32_t callee = k + 1 < count ? frames[k + 1] : NOBODY;

		add_link(s, &(struct link){ name, CALLER, common_name(r, caller), w });
		add_link(s, &(struct link){ name, CALLEE, common_name(r, callee), w });
	}
}

static void find_links(struct search *s, const struct renames *r)
{
	size_t count = 0;

	s->link_count = 0;
	for (size_t i = 0; i < s->set->part.count; i++)
		link_row(s, r, i);
	if (s->link_count)
		qsort(s->links, s->link_count, sizeof(*s->links), by_link);
	for (size_t i = 0; i < s->link_count; i++) {
		if (count && by_link(&s->links[count - 1], &s->links[i]) == 0)
			s->links[count - 1].weight += s->links[i].weight;
		else
			s->links[count++] = s->links[i];
	}
	s->link_count = count;
}

struct links {
	const struct link *list;
	size_t count;
	double all;
};

static struct links links_of(const struct search *s, uint32_t name, enum relation relation)
{
	struct link key = { name, relation, 0, 0 };
	size_t lo = 0, hi = s->link_count;
	struct links found;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (by_link(&s->links[mid], &key) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	found = (struct links){ &s->links[lo], 0, 0 };
	for (; lo < s->link_count && s->links[lo].name == name && s->links[lo].relation == relation;
	     lo++) {
		found.count++;
		found.all += s->links[lo].weight;
	}
	return found;
}

/* Weighted Jaccard of the shares: 1 for the same distribution. */
static double similar(const struct links *a, const struct links *b)
{
	double least = 0, most = 0;

	for (size_t i = 0, k = 0; i < a->count || k < b->count;) {
		bool has_a =
			i < a->count && (k == b->count || a->list[i].other <= b->list[k].other);
		bool has_b =
			k < b->count && (i == a->count || b->list[k].other <= a->list[i].other);
		double x = has_a ? a->list[i].weight / a->all : 0;
		double y = has_b ? b->list[k].weight / b->all : 0;

		least += fmin(x, y);
		most += fmax(x, y);
		i += has_a;
		k += has_b;
	}
	return most > 0 ? least / most : 0;
}

static bool is_leaf(const struct links *callees)
{
	return callees->count == 1 && callees->list[0].other == NOBODY;
}

/* ---- pairs ---- */

struct score {
	uint32_t before, after;
	double value;
	bool alike;
};

/* 0 to 1; callees say nothing of two leaves. */
static double score_of(const struct search *s, uint32_t before, uint32_t after, bool *alike)
{
	struct links callers[2] = { links_of(s, before, CALLER), links_of(s, after, CALLER) };
	struct links callees[2] = { links_of(s, before, CALLEE), links_of(s, after, CALLEE) };
	double amounts = fabs(log(weight_of(s, after, 1, false) / s->all[1] * s->all[0] /
				  weight_of(s, before, 0, false)));
	const struct interned *names = s->set->names.list;
	double sum, all = 0.65;

	*alike = false;
	if (amounts > M_LN2)
		return 0;
	sum = 0.35 * similar(&callers[0], &callers[1]) + 0.15 * (1 - amounts / M_LN2);
	if (!is_leaf(&callees[0]) || !is_leaf(&callees[1])) {
		sum += 0.25 * similar(&callees[0], &callees[1]);
		all += 0.25;
	}
	if ((sum + 0.15) / all < ACCEPTED_ALIKE)
		return 0;
	sum += 0.15 * name_likeness(names[before].s, names[after].s);
	*alike = name_likeness(names[before].s, names[after].s) == 1;
	return sum / all;
}

static int by_score(const void *a, const void *b)
{
	const struct score *x = a, *y = b;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return compare_u64(x->before, y->before) ?: compare_u64(x->after, y->after);
}

static void add_rename(struct renames *r, struct rename n)
{
	r->list = xrealloc(r->list, (r->count + 1) * sizeof(*r->list));
	r->list[r->count] = n;
	if (n.sure) {
		r->by_name[n.gone] = (uint32_t)r->count;
		if (!n.inlined)
			r->by_name[n.kept] = (uint32_t)r->count;
	}
	r->count++;
}

/* Is there another candidate nearly as good for one of the two? */
static bool is_contested(const struct score *list, size_t count, size_t at, const struct renames *r)
{
	for (size_t i = 0; i < count; i++) {
		const struct score *other = &list[i];

		if (i == at || other->value <= list[at].value - LEAD)
			continue;
		if ((other->before == list[at].before && r->by_name[other->after] == NOT_RENAMED) ||
		    (other->after == list[at].after && r->by_name[other->before] == NOT_RENAMED))
			return true;
	}
	return false;
}

static void take_pairs(const struct search *s, struct renames *r, bool last)
{
	struct score *list = xmalloc((s->count[0] * s->count[1] + 1) * sizeof(*list));
	size_t count = 0;

	for (size_t i = 0; i < s->count[0] * s->count[1]; i++) {
		struct score score = { .before = s->names[0][i / s->count[1]],
				       .after = s->names[1][i % s->count[1]] };

		if (r->by_name[score.before] != NOT_RENAMED ||
		    r->by_name[score.after] != NOT_RENAMED)
			continue;
		score.value = score_of(s, score.before, score.after, &score.alike);
		if (score.value >= (score.alike ? ACCEPTED_ALIKE : ACCEPTED))
			list[count++] = score;
	}
	qsort(list, count, sizeof(*list), by_score);
	for (size_t i = 0; i < count; i++) {
		bool contested = is_contested(list, count, i, r);

		if (r->by_name[list[i].before] == NOT_RENAMED &&
		    r->by_name[list[i].after] == NOT_RENAMED && (!contested || last))
			add_rename(r, (struct rename){ list[i].after, list[i].before, false,
						       !contested });
	}
	free(list);
}

/* ---- inlining ---- */

/* The caller that nearly all calls of NAME come from; NOBODY: there is none. */
static uint32_t only_caller(const struct search *s, uint32_t name)
{
	struct links callers = links_of(s, name, CALLER);

	for (size_t i = 0; i < callers.count; i++) {
		if (callers.list[i].weight >= MOSTLY * callers.all)
			return callers.list[i].other;
	}
	return NOBODY;
}

/* A function that is on SIDE only, whose caller has taken over its self weight. */
static void check_inlined(const struct search *s, struct renames *r, uint32_t name, int side)
{
	uint32_t caller = only_caller(s, name);
	double own, here, there, error;

	if (caller == NOBODY || caller == name || s->side[caller] || !may_be_renamed(s, caller))
		return;
	own = weight_of(s, name, side, true) / s->all[side];
	here = weight_of(s, caller, side, true) / s->all[side];
	there = weight_of(s, caller, !side, true) / s->all[!side];
	/* of shares, and of what functions scatter by */
	error = sqrt((own + here) / s->samples[side] + there / s->samples[!side]) +
		NOISE_BETWEEN_FUNCTIONS * (own + here);
	if (own > 0 && there - here > own / 2 && fabs(there - here - own) <= 2 * error)
		add_rename(r, (struct rename){ caller, name, true, true });
}

void renames_find(struct renames *r, const struct stackset *set, const struct diff_sums *sums,
		  const struct diff_capture *captures, bool skip_root)
{
	struct search s = {
		.set = set, .sums = sums, .captures = captures, .skip_root = skip_root
	};
	size_t n = sums->captures;

	*r = (struct renames){ .by_name = xmalloc((sums->ids + 1) * sizeof(*r->by_name)) };
	memset(r->by_name, 0xff, (sums->ids + 1) * sizeof(*r->by_name));
	for (size_t i = 0; i < sums->ids * n; i++) {
		const struct diff_capture *c = &captures[i % n];

		s.all[c->after] += sums->self[i] * c->factor;
		s.samples[c->after] += c->unit_weight > 0 ? sums->self[i] / c->unit_weight : 0;
	}
	s.side = xcalloc(sums->ids + 1, 1);
	for (int side = 0; side < 2; side++)
		find_candidates(&s, side);
	for (int pass = 1; pass <= PASSES && s.count[0] && s.count[1]; pass++) {
		find_links(&s, r);
		take_pairs(&s, r, pass == PASSES);
	}
	find_links(&s, r);
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < s.count[side]; i++) {
			if (r->by_name[s.names[side][i]] == NOT_RENAMED)
				check_inlined(&s, r, s.names[side][i], side);
		}
		free(s.names[side]);
	}
	free(s.side);
	free(s.links);
}

void renames_release(struct renames *r)
{
	free(r->list);
	free(r->by_name);
	*r = (struct renames){ 0 };
}

/* ---- one name for both ---- */

static void add_inlined(const struct renames *r, const struct interned *names, uint32_t caller,
			struct buf *b)
{
	size_t count = 0;

	for (size_t i = 0; i < r->count; i++) {
		if (r->list[i].inlined && r->list[i].kept == caller)
			buf_printf(b, "%s%s", count++ ? ", " : " (with ", names[r->list[i].gone].s);
	}
	buf_str(b, count ? " inlined)" : "");
}

/* The ids in TO of the names of FROM. */
static uint32_t *new_names(const struct renames *r, const struct stackset *from,
			   struct stackset *to)
{
	const struct interned *names = from->names.list;
	uint32_t *ids = xmalloc((from->names.count + 1) * sizeof(*ids));
	struct buf b = { 0 };

	for (uint32_t i = 0; i < from->names.count; i++) {
		const struct rename *n =
			r->by_name[i] != NOT_RENAMED ? &r->list[r->by_name[i]] : NULL;

		b.len = 0;
		if (n && !n->inlined)
			buf_printf(&b, "%s (was %s)", names[n->kept].s, names[n->gone].s);
		else
			buf_add(&b, names[i].s, names[i].len);
		if (!n)
			add_inlined(r, names, i, &b);
		ids[i] = stackset_frame(to, b.data ? b.data : "", b.len);
	}
	buf_release(&b);
	return ids;
}

/* One row for one side; a call of what was inlined is its caller's. */
static void add_row(const struct renames *r, const struct stackset *from, size_t row,
		    const uint32_t *ids, struct stackset *to)
{
	const uint32_t *frames = &from->part.frames[from->part.rows[row].first];
	uint32_t count = from->part.rows[row].count;

	stackset_begin(to);
	stackset_reserve(to, count);
	for (uint32_t k = 0; k < count; k++) {
		uint32_t at = r->by_name[frames[k]];

		if (at == NOT_RENAMED || !r->list[at].inlined || !k ||
		    frames[k - 1] != r->list[at].kept)
			stackset_push(to, ids[frames[k]]);
	}
}

void renames_apply(const struct renames *r, struct stackset *set)
{
	struct stackset to = { .decimals = set->decimals };
	uint32_t *ids = new_names(r, set, &to);

	stackset_sides(&to, set->sides);
	for (size_t i = 0; i < set->part.count; i++) {
		for (unsigned c = 0; c < set->sides; c++) {
			uint64_t weight = set->amounts[i * set->sides + c];

			if (!weight)
				continue;
			add_row(r, set, i, ids, &to);
			stackset_end_side(&to, c, weight);
		}
	}
	stackset_finish(&to);
	free(ids);
	stackset_release(set);
	*set = to;
}
