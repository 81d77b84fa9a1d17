/* Sums by kind of function, and the legend that says them. */
#include "formats/flame/flame_kinds.h"
#include "formats/number.h"
#include "parser/base/mem.h"

#include <stdio.h>

void flame_kinds_add(struct flame_kinds *k, enum frame_kind kind, double own)
{
	k->sums[kind] += own;
	k->there |= 1u << kind;
}

static void add_key(struct flame_kinds *k, enum frame_kind kind, const char *name,
		    struct svg_frame *f)
{
	const char *share = SHARE(k->sums[kind], k->total);

	snprintf(k->texts[kind], sizeof(k->texts[kind]), "%s %s", name, share);
	snprintf(k->titles[kind], sizeof(k->titles[kind]), "%s of the %s is %s functions' own",
		 share, k->what, name);
	svg_frame_key(f, k->texts[kind], 0);
	f->keys[f->key_count - 1].titles[0] = k->titles[kind];
}

void flame_kinds_legend(struct flame_kinds *k, const struct drawing *d, struct svg_frame *f)
{
	static const char *const names[FRAME_KINDS] = {
		[FRAME_OTHER] = "other",   [FRAME_USER] = "user",	[FRAME_JIT] = "JIT",
		[FRAME_KERNEL] = "kernel", [FRAME_INLINED] = "inlined",
	};
	static const enum frame_kind order[] = { FRAME_OTHER, FRAME_USER, FRAME_KERNEL, FRAME_JIT,
						 FRAME_INLINED };
	unsigned there = k->there;

	if (!d->by_kind || !(there >> FRAME_JIT))
		return;
	there &= ~(k->sums[FRAME_OTHER] > 0 ? 0u : 1u << FRAME_OTHER);
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		if (!(there & 1u << order[i]))
			continue;
		add_key(k, order[i], names[order[i]], f);
		f->keys[f->key_count - 1].colors[0] = flame_color_of_kind(d, order[i]);
	}
}
