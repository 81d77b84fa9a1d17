/* Stacks and frames that do not take part, by their names. A name is matched once for each set of
 * stacks. */
#include "analyzers/count/fold/prune.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define P(member) offsetof(struct prune_options, member)

const struct option prune_option_rows[] = {
	{ "include", 0, OPT_TEXTS, P(include), "REGEX",
	  "only stacks with a frame that matches (may be repeated)" },
	{ "exclude", 0, OPT_TEXTS, P(exclude), "REGEX",
	  "no stacks with a frame that matches (may be repeated)" },
	{ "base", 0, OPT_TEXTS, P(base), "FUNC",
	  "only stacks with FUNC, from FUNC on (may be repeated)" },
	{ "skip", 0, OPT_COUNT, P(skip), "N", "leave out N frames of each stack, from its root",
	  .most = 1000 },
	{ "collapse-recursion", 0, OPT_FLAG, P(recursion), NULL,
	  "a function that calls itself is one frame" },
	{ 0 },
};

enum match { MATCH_KNOWN = 1, MATCH_INCLUDED = 2, MATCH_EXCLUDED = 4, MATCH_BASE = 8 };

bool prune_any(const struct prune_options *o)
{
	return o->include.count || o->exclude.count || o->base.count || o->skip || o->recursion;
}

static void put_asked(const char *option, const struct name_list *l, struct buf *out)
{
	for (size_t i = 0; i < l->count; i++)
		buf_printf(out, "%s--%s %s", out->len ? ", " : "", option, l->list[i]);
}

void prune_asked(const struct prune_options *o, struct buf *out)
{
	put_asked("include", &o->include, out);
	put_asked("exclude", &o->exclude, out);
	put_asked("base", &o->base, out);
}

static int compile(struct prune *p, const struct name_list *list, const char *option,
		   struct warnings *w)
{
	for (size_t i = 0; i < list->count; i++) {
		int rc = regcomp(&p->regexes[p->regex_count], list->list[i],
				 REG_EXTENDED | REG_NOSUB);
		char why[128];

		if (rc) {
			regerror(rc, NULL, why, sizeof(why));
			warn_add(w, SEV_FATAL, "usage", "--%s %s: %s", option, list->list[i], why);
			return ERR_USAGE;
		}
		p->regex_count++;
	}
	return 0;
}

int prune_begin(struct prune *p, const struct prune_options *o, struct warnings *w)
{
	int rc;

	p->regexes = xcalloc(o->include.count + o->exclude.count + 1, sizeof(*p->regexes));
	rc = compile(p, &o->include, "include", w);
	return rc < 0 ? rc : compile(p, &o->exclude, "exclude", w);
}

/* NAME may have a mark behind it: "schedule_[k]". */
static bool is_base(const struct name_list *l, const char *name)
{
	size_t len = strlen(name);

	if (len > 4 && !strncmp(name + len - 4, "_[", 2) && name[len - 1] == ']')
		len -= 4;
	for (size_t i = 0; i < l->count; i++) {
		if (!strcmp(l->list[i], name) ||
		    (strlen(l->list[i]) == len && !strncmp(l->list[i], name, len)))
			return true;
	}
	return false;
}

static unsigned match(const struct prune *p, const struct prune_options *o, const char *name)
{
	unsigned m = MATCH_KNOWN | (is_base(&o->base, name) ? MATCH_BASE : 0);

	for (size_t i = 0; i < p->regex_count; i++) {
		if (!regexec(&p->regexes[i], name, 0, NULL, 0))
			m |= i < o->include.count ? MATCH_INCLUDED : MATCH_EXCLUDED;
	}
	return m;
}

static unsigned match_of(struct prune *p, const struct prune_options *o, const struct stackset *s,
			 uint32_t frame)
{
	size_t old = p->known_cap;

	if (frame >= old) {
		p->known = xgrow(p->known, &p->known_cap, (size_t)frame + 1, sizeof(*p->known));
		memset(p->known + old, 0, (p->known_cap - old) * sizeof(*p->known));
	}
	if (!p->known[frame])
		p->known[frame] = (unsigned char)match(p, o, intern_str(&s->names, frame));
	return p->known[frame];
}

static void drop_first(struct stackset *s, size_t from, size_t n)
{
	memmove(s->frames + from, s->frames + from + n,
		(s->frame_count - from - n) * sizeof(*s->frames));
	s->frame_count -= n;
}

bool prune_row(struct prune *p, const struct prune_options *o, struct stackset *s, double weight)
{
	size_t first = s->rows[s->row_count].first, count = s->frame_count - first, base = count;
	unsigned all = 0;

	p->seen += weight;
	for (size_t i = 0; i < count && (p->regex_count || o->base.count); i++) {
		unsigned m = match_of(p, o, s, s->frames[first + i] & STACKSET_ID);

		all |= m;
		if (m & MATCH_BASE) /* the innermost, as in inferno-flamegraph */
			base = i;
	}
	if (all & MATCH_EXCLUDED || (o->include.count && !(all & MATCH_INCLUDED)) ||
	    (o->base.count && !(all & MATCH_BASE))) {
		s->frame_count = first;
		p->left_out += weight;
		return false;
	}
	if (o->base.count)
		drop_first(s, first, base);
	count = s->frame_count - first;
	drop_first(s, first, o->skip < count ? o->skip : count);
	if (o->recursion)
		stackset_collapse_recursion(s);
	return true;
}

void prune_renumber(struct prune *p)
{
	free(p->known);
	p->known = NULL;
	p->known_cap = 0;
}

void prune_forget(struct prune *p)
{
	prune_renumber(p);
	p->seen = p->left_out = 0;
}

void prune_release(struct prune *p)
{
	prune_forget(p);
	for (size_t i = 0; i < p->regex_count; i++)
		regfree(&p->regexes[i]);
	free(p->regexes);
}
