/* Names of locations to steps. */
#include "analyzers/count/rows/row_steps.h"

#include "parser/base/buf.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Who makes steps: of ROWS, as one LEVEL has them. */
struct stepping {
	struct rows *rows;
	const struct row_level *level;
};

static uint32_t step_id(struct rows *t, const struct step *step)
{
	uint32_t id = intern_add(&t->step_ids, (const char *)step, sizeof(*step));

	if (id == t->step_count) {
		t->steps = xgrow(t->steps, &t->step_cap, ++t->step_count, sizeof(*t->steps));
		t->steps[id] = *step;
	}
	return id;
}

static uint64_t buf_id(struct rows *t, struct buf *b)
{
	uint64_t id = intern_add(&t->texts, b->len ? b->data : "", b->len);

	b->len = 0;
	return id;
}

static uint64_t dso_id(struct rows *t, struct place p, struct buf *b)
{
	const char *module = pdt_location_module(p.session, p.loc);

	if (module)
		buf_str(b, base_name(module));
	else
		place_text(p, b);
	return buf_id(t, b);
}

/* Where the function was in the source. */
static void source_ids(struct rows *t, const struct pdt_function *f, struct row_place *out,
		       struct buf *b)
{
	const char *file = f->file ? base_name(f->file) : "??";

	buf_printf(b, "%s:%u", file, f->file ? f->line : 0);
	out->key[KEY_SRCLINE - KEY_DSO] = buf_id(t, b);
	out->key[KEY_SRCFILE - KEY_DSO] = row_text_id(t, file);
}

/* Is one of these what the symbol asked for is called? */
static bool is_asked(const struct rows *t, const char *shown, const char *name, const char *linked)
{
	const char *asked = t->o.symbol;

	return asked && (!strcmp(shown, asked) || (name && !strcmp(name, asked)) ||
			 (linked && !strcmp(linked, asked)));
}

static bool is_like(const regex_t *regex, const char *name)
{
	return regex && name && !regexec(regex, name, 0, NULL, 0);
}

static unsigned flags_of(const struct rows *t, const char *name)
{
	return (is_like(t->o.chain.parent, name) ? STEP_PARENT : 0) |
	       (is_like(t->o.chain.ignore, name) ? STEP_IGNORE : 0);
}

/* What a call chain calls F at P, which its row calls SYMBOL. */
static uint32_t chain_name(struct rows *t, const struct pdt_function *f, struct place p,
			   uint32_t symbol)
{
	struct buf b = { 0 };
	uint32_t id;

	if (t->o.chain.key == CHAIN_FUNCTION)
		return symbol;
	buf_str(&b, intern_str(&t->texts, symbol));
	if (t->o.chain.key == CHAIN_SRCLINE)
		buf_printf(&b, " %s:%u", f->file ? base_name(f->file) : "??",
			   f->file ? f->line : 0);
	else if (!f->inlined && f->name)
		buf_printf(&b, "+0x%" PRIx64, pdt_location_symbol_offset(p.session, p.loc));
	else
		buf_printf(&b, " 0x%" PRIx64, pdt_location_offset(p.session, p.loc));
	id = (uint32_t)buf_id(t, &b);
	buf_release(&b);
	return id;
}

static void name_loc(void *ctx, struct frames *frames, struct place p)
{
	const struct stepping *n = ctx;
	struct rows *t = n->rows;
	struct buf b = { 0 };
	uint64_t dso = n->level->keys & KEY_BIT(KEY_DSO) ? dso_id(t, p, &b) : KEY_NONE;

	for (size_t i = 0, count = pdt_function_count(p.session, p.loc); i < count; i++) {
		struct pdt_function f = pdt_function_at(p.session, p.loc, i);
		struct step step = { .flags = flags_of(t, f.name) };
		struct row_place key = { { dso } };

		function_text(&t->o.names, &f, p, &b);
		if (is_asked(t, b.data, f.name,
			     f.inlined ? NULL : pdt_location_symbol(p.session, p.loc)))
			step.flags |= STEP_ASKED;
		if (f.name || f.inlined)
			step.flags |= STEP_NAMED;
		key.key[KEY_SYM - KEY_DSO] = buf_id(t, &b);
		if (n->level->keys & (KEY_BIT(KEY_SRCFILE) | KEY_BIT(KEY_SRCLINE)))
			source_ids(t, &f, &key, &b);
		step.frame = row_frame_id(t, n->level, &key);
		step.symbol = (uint32_t)key.key[KEY_SYM - KEY_DSO];
		step.name = chain_name(t, &f, p, step.symbol);
		frames_push(frames, step_id(t, &step));
	}
	buf_release(&b);
}

/* ---- by several threads: the steps of a range are those of rows of their own ---- */

static void *begin_range(void *ctx)
{
	const struct stepping *whole = ctx;
	struct stepping *part = xmalloc(sizeof(*part));

	*part = *whole;
	part->rows = xcalloc(1, sizeof(*part->rows));
	part->rows->o = whole->rows->o;
	return part;
}

/* Of each text of FROM, the id in T. */
static uint32_t *take_texts(struct rows *t, const struct rows *from)
{
	uint32_t *now = xmalloc((from->texts.count + 1) * sizeof(*now));

	for (size_t i = 0; i < from->texts.count; i++)
		now[i] = (uint32_t)row_text_id(t, intern_str(&from->texts, (uint32_t)i));
	return now;
}

static uint32_t *take_frames(struct rows *t, const struct rows *from, const struct row_level *l,
			     const uint32_t *texts)
{
	uint32_t *now = xmalloc((from->frames.count + 1) * sizeof(*now));

	for (size_t i = 0; i < from->frames.count; i++) {
		struct row_place f;

		memcpy(&f, intern_str(&from->frames, (uint32_t)i), sizeof(f));
		for (size_t k = 0; k < sizeof(f.key) / sizeof(*f.key); k++) {
			if (f.key[k] != KEY_NONE)
				f.key[k] = texts[f.key[k]];
		}
		now[i] = row_frame_id(t, l, &f);
	}
	return now;
}

static uint32_t *end_range(void *ctx, void *range)
{
	const struct stepping *whole = ctx;
	struct stepping *part = range;
	struct rows *t = whole->rows, *from = part->rows;
	uint32_t *texts = take_texts(t, from), *frames = take_frames(t, from, whole->level, texts);
	uint32_t *now = xmalloc((from->step_count + 1) * sizeof(*now));

	for (size_t i = 0; i < from->step_count; i++) {
		const struct step *s = &from->steps[i];

		now[i] = step_id(t, &(struct step){ frames[s->frame], texts[s->name],
						    texts[s->symbol], s->flags });
	}
	free(frames);
	free(texts);
	rows_release(from);
	free(from);
	free(part);
	return now;
}

/* ---- what rows ask for ---- */

void row_steps(struct rows *t, const struct row_level *l, const struct pdt_session *s,
	       struct frames *out)
{
	struct stepping n = { t, l };

	out->by_symbol = names_by_symbol(&t->o.names) && t->o.chain.key == CHAIN_FUNCTION &&
			 !(l->keys & (KEY_BIT(KEY_SRCFILE) | KEY_BIT(KEY_SRCLINE)));
	frames_name_all(out, s, t->jobs, &(struct frames_jobs){ name_loc, begin_range, end_range },
			&n);
}

uint32_t row_unknown_step(struct rows *t, const struct row_level *l)
{
	uint64_t text = row_text_id(t, "[unknown]"), line = row_text_id(t, "??:0");
	const struct row_place unknown = { { text, text, row_text_id(t, "??"), line } };

	return step_id(t, &(struct step){ .frame = row_frame_id(t, l, &unknown),
					  .name = (uint32_t)text,
					  .symbol = (uint32_t)text });
}

uint32_t row_text_step(struct rows *t, const struct row_level *l, const char *name)
{
	uint32_t text = (uint32_t)row_text_id(t, name);
	struct step step = { row_symbol_frame(t, l, text), text, text, flags_of(t, name) };

	step.flags |= is_asked(t, name, NULL, NULL) ? STEP_ASKED : 0;
	step.flags |= *name != '[' ? STEP_NAMED : 0;
	return step_id(t, &step);
}
