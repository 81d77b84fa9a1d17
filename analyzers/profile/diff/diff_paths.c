/* Walks the tree of paths once for each capture. */
#include "analyzers/profile/diff/diff_paths.h"
#include "analyzers/count/stacksort.h"
#include "analyzers/profile/diff/diff_table.h"
#include "formats/model/stack_tree.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* ---- pieces ---- */

/* What came and stands on the frame of the path at hand that is so deep. */
struct standing {
	uint32_t depth, row;
};

struct walking {
	struct diff_paths *paths;
	const struct stack_row *rows; /* sorted */
	size_t capture, captures, at;
	double fit;
	struct standing *standing; /* ever deeper */
	size_t count, cap;
};

/* The first row of the set through P: of those that end with it, and of what stands on it. */
static uint32_t first_row(struct walking *w, const struct stack_piece *p)
{
	uint32_t first = UINT32_MAX;

	for (size_t i = p->row; i < w->paths->row_count && w->rows[i].count == p->end &&
				(i == p->row || w->rows[i].shared == p->end);
	     i++)
		first = w->paths->rows[i] < first ? w->paths->rows[i] : first;
	while (w->count && w->standing[w->count - 1].depth == p->end) {
		uint32_t row = w->standing[--w->count].row;

		first = row < first ? row : first;
	}
	return first;
}

static void add_piece(struct walking *w, const struct stack_piece *p)
{
	struct diff_paths *paths = w->paths;
	uint32_t row = first_row(w, p);

	paths->pieces = xgrow(paths->pieces, &paths->cap, paths->count + 1, sizeof(*paths->pieces));
	paths->pieces[paths->count++] = (struct path_piece){ .row = row,
							     .sorted_row = (uint32_t)p->row,
							     .above = p->above,
							     .end = p->end,
							     .first = PATH_NONE };
	w->standing = xgrow(w->standing, &w->cap, w->count + 1, sizeof(*w->standing));
	w->standing[w->count++] = (struct standing){ p->above, row };
}

static void find_piece(void *ctx, const struct stack_piece *p)
{
	add_piece(ctx, p);
}

static void add_sums(void *ctx, const struct stack_piece *p)
{
	struct walking *w = ctx;
	struct diff_sums *s = &w->paths->sums;
	/* they come from the last to the first */
	size_t at = (s->ids - 1 - w->at++) * w->captures + w->capture;

	s->self[at] = (double)p->self[0] / w->fit;
	s->total[at] = (double)p->total[0] / w->fit;
}

static void reverse_pieces(struct diff_paths *p)
{
	for (size_t i = 0, k = p->count - 1; i < k; i++, k--) {
		struct path_piece piece = p->pieces[i];

		p->pieces[i] = p->pieces[k];
		p->pieces[k] = piece;
	}
}

/* The rows of the set by their frames; weights are their numbers. */
static struct stack_row *sort_rows(struct diff_paths *p)
{
	const struct stacks_part *part = &p->set->part;
	struct stack_row *rows = xmalloc((part->count + 1) * sizeof(*rows));

	for (size_t i = 0; i < part->count; i++)
		rows[i] = (struct stack_row){ .weight = i,
					      .first = part->rows[i].first,
					      .count = part->rows[i].count };
	rows = stack_rows_sort(&(struct stack_order){ part->frames, NULL, 1 }, rows, part->count);
	p->row_count = part->count;
	p->rows = xmalloc((part->count + 1) * sizeof(*p->rows));
	p->shared = xmalloc((part->count + 1) * sizeof(*p->shared));
	for (size_t i = 0; i < part->count; i++) {
		p->rows[i] = (uint32_t)rows[i].weight;
		p->shared[i] = rows[i].shared;
	}
	return rows;
}

static void find_pieces(struct diff_paths *p)
{
	const struct stackset *set = p->set;
	struct stack_row *rows = sort_rows(p);
	struct stacks_part part = { .frames = set->part.frames,
				    .rows = rows,
				    .count = p->row_count };
	struct walking w = { .paths = p, .rows = rows, .captures = set->sides };

	for (size_t c = 0; c < set->sides; c++) {
		for (size_t i = 0; i < p->row_count; i++)
			rows[i].weight = set->amounts[(size_t)p->rows[i] * set->sides + c];
		if (!c) {
			stack_walk(&part, find_piece, &w);
			reverse_pieces(p);
			diff_sums_init(&p->sums, p->count, set->sides);
		}
		w.capture = c;
		w.at = 0;
		w.fit = stack_fit(&part);
		stack_walk(&part, add_sums, &w);
	}
	free(w.standing);
	free(rows);
}

/* ---- paths ---- */

/* The pieces by the first row through them, as a tree in the order of the set has them, behind the
 * root. Those with the same first row lie on its path, and so come ever deeper as they are. */
static uint32_t *order_pieces(const struct diff_paths *p)
{
	uint32_t *order = xmalloc(p->count * sizeof(*order));
	size_t *places = xcalloc(p->row_count + 2, sizeof(*places));

	for (size_t i = 0; i < p->count; i++)
		places[p->pieces[i].end ? p->pieces[i].row + 2 : 1]++;
	for (size_t i = 2; i < p->row_count + 2; i++)
		places[i] += places[i - 1];
	for (size_t i = 0; i < p->count; i++)
		order[places[p->pieces[i].end ? p->pieces[i].row + 1 : 0]++] = (uint32_t)i;
	free(places);
	return order;
}

static bool is_tested(const struct diff_paths *p, size_t piece, const struct paths_asked *asked)
{
	size_t n = p->sums.captures;
	double mean = 0;

	for (size_t c = 0; asked->noise && c < n; c++)
		mean += p->sums.total[piece * n + c] / asked->captures[c].unit_weight / (double)n;
	return asked->noise && mean >= noise_least(asked->noise);
}

static bool has_any(const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (values[i] > 0)
			return true;
	}
	return false;
}

static void add_paths(struct diff_paths *p, uint32_t piece, bool all)
{
	struct path_piece *k = &p->pieces[piece];
	uint32_t depth = k->end;

	if (all && p->path_count + (k->end - k->above) <= PATHS_MAX)
		depth = k->end ? k->above + 1 : 0;
	k->first = (uint32_t)p->path_count;
	for (; depth <= k->end; depth++) {
		p->list = xgrow(p->list, &p->path_cap, p->path_count + 1, sizeof(*p->list));
		p->list[p->path_count++] = (struct diff_path){ k->row, depth, piece };
	}
}

void diff_paths_init(struct diff_paths *p, const struct stackset *set,
		     const struct paths_asked *asked)
{
	size_t n = set->sides;
	uint32_t *order;

	*p = (struct diff_paths){ .set = set };
	find_pieces(p);
	order = order_pieces(p);
	for (size_t i = 0; i < p->count; i++) {
		uint32_t piece = order[i];
		struct path_piece *k = &p->pieces[piece];
		bool tested = is_tested(p, piece, asked),
		     any = has_any(&p->sums.total[piece * n], n);

		k->mark = any ? MARK_NOISE : MARK_NONE;
		p->nodes += any ? k->end - k->above + !k->end : 0;
		if (tested || (asked->ends && has_any(&p->sums.self[piece * n], n)))
			add_paths(p, piece, tested);
	}
	free(order);
}

void diff_paths_amounts(const struct diff_paths *p, const struct paths_asked *asked,
			const bool *nameless, struct diff_amounts *out)
{
	const struct stacks_part *part = &p->set->part;
	uint32_t *names = xcalloc(p->path_count + 1, sizeof(*names));
	struct diff_ids ids = { names, nameless };
	size_t n = p->sums.captures;
	struct diff_sums sums;

	diff_sums_init(&sums, p->path_count, n);
	for (size_t i = 0; i < p->path_count; i++) {
		const struct diff_path *path = &p->list[i];
		size_t from = path->piece * n;

		if (path->depth)
			names[i] = part->frames[part->rows[path->row].first + path->depth - 1];
		memcpy(&sums.total[i * n], &p->sums.total[from], n * sizeof(*sums.total));
		if (path->depth == p->pieces[path->piece].end)
			memcpy(&sums.self[i * n], &p->sums.self[from], n * sizeof(*sums.self));
	}
	diff_amounts_of(out, &sums, asked->captures, &ids, asked->noise);
	out->all = p->nodes;
	diff_sums_release(&sums);
	free(names);
}

/* ---- marks ---- */

/* The marks of the nodes of piece K, by depth. */
static void mark_piece(const struct diff_paths *p, const struct path_piece *k,
		       const uint8_t *of_path, uint8_t *by_depth)
{
	const struct diff_path *first = k->first == PATH_NONE ? NULL : &p->list[k->first];

	for (uint32_t depth = k->above + 1; depth <= k->end; depth++) {
		bool one = first && first->depth == k->end; /* for all of it */

		by_depth[depth] =
			first ? of_path[k->first + (one ? 0 : depth - first->depth)] : k->mark;
	}
}

/* By row: its first node. */
static uint64_t *first_nodes(const struct stacks_part *part, uint64_t *count, uint32_t *deepest)
{
	uint64_t *first = xmalloc((part->count + 1) * sizeof(*first));

	*count = 1;
	*deepest = 0;
	for (size_t i = 0; i < part->count; i++) {
		first[i] = *count;
		*count += part->rows[i].count - part->rows[i].shared;
		*deepest = part->rows[i].count > *deepest ? part->rows[i].count : *deepest;
	}
	return first;
}

static uint8_t *marks_of_paths(const struct diff_paths *p, const struct diff_amounts *amounts)
{
	uint8_t *marks = xcalloc(p->path_count + 1, sizeof(*marks));

	for (size_t i = 0; i < amounts->count; i++)
		marks[amounts->list[i].id] = diff_mark(&amounts->list[i]);
	return marks;
}

uint8_t *diff_paths_marks(struct diff_paths *p, const struct diff_amounts *amounts)
{
	const struct stacks_part *part = &p->set->part;
	uint8_t *of_path = marks_of_paths(p, amounts), *by_depth, *marks;
	uint32_t deepest;
	uint64_t count, *first = first_nodes(part, &count, &deepest);
	size_t k = 1; /* behind the root */

	by_depth = xcalloc((size_t)deepest + 2, sizeof(*by_depth));
	marks = xcalloc(count + 1, sizeof(*marks));
	for (size_t i = 0; i < p->row_count; i++) {
		const struct stack_row *r = &part->rows[p->rows[i]];

		for (; k < p->count && p->pieces[k].sorted_row == i; k++)
			mark_piece(p, &p->pieces[k], of_path, by_depth);
		for (uint32_t depth = r->shared; depth < r->count; depth++)
			marks[first[p->rows[i]] + depth - r->shared] = by_depth[depth + 1];
	}
	free(by_depth);
	free(of_path);
	free(first);
	return marks;
}

char **diff_paths_names(const struct diff_paths *p, const struct diff_amounts *amounts)
{
	const struct stacks_part *part = &p->set->part;
	char **names = xcalloc(p->path_count + 1, sizeof(*names));
	struct buf b = { 0 };

	for (size_t i = 0; i < amounts->count; i++) {
		const struct diff_amount *m = &amounts->list[i];
		const struct diff_path *path = &p->list[m->id];

		if (!(m->self[0] > 0 || m->self[1] > 0) || !path->depth)
			continue;
		b.len = 0;
		for (uint32_t k = 0; k < path->depth; k++) {
			if (k)
				buf_char(&b, ';');
			buf_str(&b, part->names[part->frames[part->rows[path->row].first + k]]);
		}
		names[m->id] = xstrdup(b.data ?: "");
	}
	buf_release(&b);
	return names;
}

void diff_paths_release(struct diff_paths *p)
{
	free(p->rows);
	free(p->shared);
	free(p->pieces);
	free(p->list);
	diff_sums_release(&p->sums);
	*p = (struct diff_paths){ 0 };
}
