/* The captures of a store get the names that symbols of now give them. Where those have none, the
 * names that there are stay. */
#include "analyzers/analyzer.h"
#include "analyzers/count/answer.h"
#include "analyzers/store/parts.h"
#include "parser/base/idmap.h"
#include "parser/base/mem.h"
#include "parser/store_rename.h"

#include <stdlib.h>
#include <string.h>

struct rename {
	const char *path;
	struct store *store;
	struct store_renaming *renaming;
	const struct store_origin *origin; /* of the capture at hand */
	struct kept_capture kept;
	struct frames old; /* by location: places in the origin's list */
	struct folding folding;
	struct answer answer;
	size_t captures;
};

#define R(member) offsetof(struct rename, member)

static const struct option options[] = {
	{ "store", 0, OPT_STORE, R(path), "STORE", "the store" },
	{ 0 },
};

static const struct column columns[] = {
	{ "capture", COLUMN_TEXT },
	{ "stacks", COLUMN_COUNT },
	{ "renamed", COLUMN_COUNT },
	{ 0 },
};

static int begin(void *state, const struct inputs *in, struct warnings *w)
{
	struct rename *r = state;
	int rc;

	if (!r->path || in->count) {
		warn_add(w, SEV_FATAL, "usage", "store rename: expected a store");
		return ERR_USAGE;
	}
	rc = store_open(&r->store, r->path, STORE_RENAME, w);
	return rc ?: store_renaming_begin(&r->renaming, r->store, w);
}

static void configure(void *state, struct asked *o)
{
	struct rename *r = state;

	folding_configure(&r->folding, o);
}

static int kept(void *state, const struct kept_capture **out, struct warnings *w)
{
	struct rename *r = state;
	const struct store_origin *o;
	size_t without = store_renaming_without(r->renaming);
	int rc = store_renaming_next(r->renaming, &o);

	*out = &r->kept;
	r->origin = o;
	if (rc == 1) {
		r->kept = (struct kept_capture){ o->path, o->host, o->release, o->arch, { { 0 } } };
		memcpy(r->kept.columns, o->addresses.columns, sizeof(r->kept.columns));
	}
	if (rc || r->captures || !without)
		return rc;
	warn_add(w, SEV_FATAL, "store",
		 "%s: of none of its %zu captures addresses are kept: they can only be added anew",
		 r->path, without);
	return ERR_ABSENT;
}

/* ---- the names that there are ---- */

static uint64_t place_key(const struct pdt_session *s, uint32_t loc)
{
	uint64_t module = pdt_location_module_id(s, loc);

	return pdt_location_offset(s, loc) ^ module << 44 ^
	       (uint64_t)pdt_location_mode(s, loc) << 41;
}

static bool same_place(const struct pdt_session *s, uint32_t a, uint32_t b)
{
	return pdt_location_offset(s, a) == pdt_location_offset(s, b) &&
	       pdt_location_module_id(s, a) == pdt_location_module_id(s, b) &&
	       pdt_location_mode(s, a) == pdt_location_mode(s, b);
}

struct known {
	const struct store_addresses *addresses;
	struct idmap places; /* only where locations became two, as callers and not */
};

static void push_old(void *known, struct frames *f, struct place p)
{
	struct known *k = known;
	const struct store_addresses *ad = k->addresses;
	uint32_t loc = p.loc;

	if (loc >= ad->location_count)
		loc = idmap_get(&k->places, place_key(p.session, loc));
	if (loc == IDMAP_NONE || !same_place(p.session, loc, p.loc))
		return;
	for (uint32_t i = ad->first[loc]; i < ad->first[loc + 1]; i++)
		frames_push(f, ad->frames[i]);
}

/* False: they are not of these locations. */
static bool take_old(struct rename *r, const struct pdt_session *s)
{
	struct known k = { .addresses = &r->origin->addresses };

	if (k.addresses->location_count > pdt_location_count(s))
		return false;
	for (uint32_t i = 0;
	     k.addresses->location_count < pdt_location_count(s) && i < k.addresses->location_count;
	     i++)
		*idmap_put(&k.places, place_key(s, i)) = i;
	frames_name(&r->old, all_places(s), push_old, &k);
	idmap_release(&k.places);
	return true;
}

/* ---- those of now ---- */

/* What a location that has no name now was called. */
static void push_now(void *rename, struct frames *f, struct place p)
{
	struct rename *r = rename;
	const struct frames *now = &r->folding.frames, *old = &r->old;
	bool named =
		pdt_location_name(p.session, p.loc) || pdt_function_count(p.session, p.loc) > 1;

	if (named || old->first[p.loc] == old->first[p.loc + 1]) {
		for (uint32_t i = now->first[p.loc]; i < now->first[p.loc + 1]; i++)
			frames_push(f, now->ids[i]);
		return;
	}
	for (uint32_t i = old->first[p.loc]; i < old->first[p.loc + 1]; i++) {
		const struct store_frame *was = &r->origin->frames[old->ids[i]];
		uint32_t id = stackset_frame(&r->folding.set, was->name, strlen(was->name));

		frames_push(f, id | (uint32_t)was->kind << STACKSET_KIND_SHIFT);
	}
}

static void name_now(struct rename *r, const struct pdt_session *s)
{
	struct frames both = { .ignored = ~STACKSET_ID };

	folding_name(&r->folding, s);
	frames_name(&both, all_places(s), push_now, r);
	frames_release(&r->folding.frames);
	r->folding.frames = both;
}

static void push_leaves(struct rename *r, const struct pdt_session *s, struct store_parts *before,
			struct store_parts *now)
{
	const struct store_origin *o = r->origin;
	struct folding *f = &r->folding, old = *f;

	old.frames = r->old;
	old.list = (struct frame_list){ 0 };
	for (size_t i = 0; i < o->leaf_count; i++) {
		const char *label = o->frames[o->labels[i]].name;
		uint32_t stack = o->addresses.chains[i];

		folding_frames(&old, s, stack, &old.list);
		store_parts_push(before, o->labels[i], &old.list, stack);
		folding_frames(f, s, stack, &f->list);
		store_parts_push(now, stackset_frame(&f->set, label, strlen(label)), &f->list,
				 stack);
	}
	frame_list_release(&old.list);
	before->c.frames = o->frames;
	before->c.frame_count = o->frame_count;
	before->c.stacks = before->stacks;
	before->c.stack_count = before->stack_count;
	before->c.frame_ids = before->ids;
	before->c.leaves = before->leaves;
	before->c.leaf_count = before->leaf_count;
}

static int rename_stacks(struct rename *r, const struct pdt_session *s)
{
	struct store_parts before = { 0 }, now = { 0 };
	size_t changed;
	int rc;

	arena_init(&before.texts);
	arena_init(&now.texts);
	name_now(r, s);
	push_leaves(r, s, &before, &now);
	store_parts_end(&now, &r->folding, s);
	store_parts_keep(&now, &r->folding, s);
	rc = store_rename(r->renaming, &before.c, &now.c, &changed);
	if (rc == 0) {
		answer_cell_text(&r->answer, r->origin->path ?: "");
		answer_cell_count(&r->answer, now.leaf_count);
		answer_cell_count(&r->answer, changed);
		r->captures++;
	}
	store_parts_release(&before);
	store_parts_release(&now);
	return rc;
}

static int finish(void *state, const struct pdt_session *s, struct warnings *w)
{
	struct rename *r = state;
	int rc = ERR_FORMAT;

	if (take_old(r, s))
		rc = rename_stacks(r, s);
	else
		warn_add(w, SEV_FATAL, "store", "%s: what it has of capture %lld is damaged",
			 r->path, (long long)r->origin->capture);
	frames_forget(&r->old);
	folding_forget(&r->folding);
	return rc;
}

static int complete(void *state, struct warnings *w)
{
	struct rename *r = state;
	size_t without = store_renaming_without(r->renaming);
	int rc = store_renaming_end(r->renaming, true);

	r->renaming = NULL;
	if (rc == 0 && without)
		warn_add(w, SEV_WARN, "store",
			 "%s: of %zu captures no addresses are kept: their names stay as they are",
			 r->path, without);
	return rc;
}

static void result(void *state, struct result *out)
{
	struct rename *r = state;

	answer_result(&r->answer, columns, out);
}

static void release(void *state)
{
	struct rename *r = state;

	if (r->renaming)
		(void)!store_renaming_end(r->renaming, false);
	store_close(r->store);
	frames_release(&r->old);
	folding_release(&r->folding);
	answer_release(&r->answer);
}

const struct analyzer analyzer_store_rename = {
	.name = "store rename",
	.summary = "better names for the captures of a store, by the symbols that are at hand now",
	.question = QUESTION_CAPTURE,
	.wants = PDT_WANT_STACKS,
	.shapes = SHAPE_TABLE,
	.judges = true,
	.operand = "store",
	.usage = { "STORE" },
	.options = options,
	.state_size = sizeof(struct rename),
	.begin = begin,
	.configure = configure,
	.kept = kept,
	.finish = finish,
	.complete = complete,
	.result = result,
	.release = release,
};
