/* Fold text: by several threads, each a part of it, where lines are counted as they are. What comes
 * of it is what one thread would make. */
#include "analyzers/count/fold/folding.h"
#include "parser/base/mem.h"
#include "parser/base/pool.h"

#include <stdlib.h>
#include <string.h>

#define PARTS_MAX 64

/* The row that was begun: the outermost and the innermost frame of LINE, as they are asked for. */
static void push_text_entry(struct folding *f, const struct folded_line *line)
{
	const char *text = line->stack, *end = text + line->len;
	const char *semi = memchr(text, ';', line->len), *last = memrchr(text, ';', line->len);
	const char *function = last ? last + 1 : text;

	if (f->o.keys[FOLD_KEY_COMM])
		stackset_push_text(&f->set, text, (size_t)((semi ?: end) - text));
	if (f->o.keys[FOLD_KEY_SYMBOL])
		stackset_push_text(&f->set, function, (size_t)(end - function));
}

/* 1: the rows take more than ROOM bytes, where that is not 0; 0: the end of TEXT. */
static int read_lines(struct folding *f, struct folded *text, size_t room)
{
	struct folded_line line;
	const char *semi;
	int rc;

	while ((rc = folded_next(text, &line)) == 1) {
		semi = f->o.by == FOLD_COMM ? memchr(line.stack, ';', line.len) : NULL;
		if (semi)
			line.len = (size_t)(semi - line.stack);
		stackset_begin(&f->set);
		if (f->o.by == FOLD_ENTRY)
			push_text_entry(f, &line);
		else
			stackset_push_text(&f->set, line.stack, line.len);
		if (folding_complete(f, (double)line.weight[folded_columns(text) - 1]))
			stackset_end_text(&f->set, &line);
		if (room && stackset_bytes(&f->set) > room)
			return 1;
	}
	return rc;
}

/* ---- in parts ---- */

struct part {
	struct folding *folding; /* the first is the whole; the others have a set of their own */
	struct folded *text;
	int rc;
};

struct parts {
	struct part list[PARTS_MAX];
	size_t count, step; /* sets that lie STEP apart become one */
	size_t room;	    /* of each; 0: no bound */
};

static void read_part(void *ctx, size_t i)
{
	struct parts *p = ctx;

	p->list[i].rc = read_lines(p->list[i].folding, p->list[i].text, p->room);
}

static void join_two(void *ctx, size_t i)
{
	struct parts *p = ctx;
	size_t to = i * p->step * 2, from = to + p->step;

	if (from < p->count)
		stackset_append(&p->list[to].folding->set, &p->list[from].folding->set);
}

/* Nothing of a line is known but what is in it, and the rows are in no order that matters. */
static size_t split(struct parts *p, struct folding *f, struct folded *text)
{
	size_t jobs = f->jobs < PARTS_MAX ? f->jobs : PARTS_MAX;
	struct folded *others[PARTS_MAX];
	size_t n;

	p->list[0] = (struct part){ .folding = f, .text = text };
	p->count = 1;
	if (jobs < 2 || prune_any(&f->o.prune) || f->set.sides)
		return 0;
	n = folded_split(text, others, jobs);
	for (size_t i = 0; i < n; i++) {
		struct folding *own = xmalloc(sizeof(*own));

		*own = *f;
		own->set = (struct stackset){ 0 };
		p->list[p->count++] = (struct part){ .folding = own, .text = others[i] };
	}
	return n;
}

/* As read_lines(): what did not fit into its part's share of ROOM is read again. */
static int read_text(struct folding *f, struct folded *text, size_t room)
{
	struct parts p = { .room = 0 };
	struct folded *others[PARTS_MAX];
	size_t n = split(&p, f, text);
	bool full = false;
	int rc;

	if (!n)
		return read_lines(f, text, room);
	p.room = room / p.count;
	pool_for((unsigned)p.count, p.count, read_part, &p);
	for (size_t i = 0; i < p.count; i++)
		full |= p.list[i].rc == 1;
	for (p.step = 1; !full && p.step < p.count; p.step *= 2)
		pool_for((unsigned)p.count, (p.count + p.step * 2 - 1) / (p.step * 2), join_two,
			 &p);
	for (size_t i = 0; i < n; i++) {
		others[i] = p.list[i + 1].text;
		stackset_release(&p.list[i + 1].folding->set);
		free(p.list[i + 1].folding);
	}
	rc = p.list[0].rc;
	if (full)
		folded_unsplit(text, others, n);
	else if (folded_join(text, others, n) < 0)
		rc = ERR_IO;
	return full && rc >= 0 ? read_lines(f, text, room) : rc;
}

/* As with the stacks of captures, the rarest rows make room for those that come. */
static void make_room(struct folding *f, size_t room)
{
	stackset_make_room(&f->set, room / 4);
	prune_renumber(&f->prune);
}

static void warn_rare(const struct folding *f, const char *path, size_t rows, struct warnings *w)
{
	if (rows)
		warn_add(w, SEV_WARN, "others",
			 "%s: %zu rare stacks made room: they count as [others] (see --max-memory)",
			 path, rows);
}

int folding_text(struct folding *f, struct folded *text, struct warnings *w)
{
	double before = stackset_sum(&f->set);
	size_t made_room = f->set.made_room, room = folded_room(text);
	int rc;

	f->jobs = folded_jobs(text);
	if (folded_columns(text) == 2 && !f->set.sides)
		stackset_sides(&f->set, 2);
	for (rc = read_text(f, text, room); rc == 1; rc = read_lines(f, text, room))
		make_room(f, room);
	warn_rare(f, folded_path(text), f->set.made_room - made_room, w);
	unit_of_text(&f->unit, text, stackset_sum(&f->set) - before);
	return rc < 0 ? rc : folded_check(text, w);
}
