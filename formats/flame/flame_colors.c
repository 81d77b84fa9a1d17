/* flamegraph.pl's palettes, computed from a hash of the name in place of its random numbers,
 * so that a drawing is the same each time. */
#include "formats/flame/flame_colors.h"
#include "formats/shown.h"
#include "parser/base/utf8.h"

#include <math.h>
#include <string.h>

/* As flamegraph.pl without --hash: the first value that Perl's rand() (the 48-bit generator of
 * drand48) gives after srand() of the sum of the name's characters, three times the same. */
static double first_random(const char *name)
{
	uint64_t sum = 0, state;
	size_t len = strlen(name), n;

	for (size_t i = 0; i < len; i += n ? n : 1) {
		n = utf8_shown(name + i, len - i);
		sum += utf8_code(name + i, n);
	}
	state = (sum & 0xffffffff) << 16 | 0x330e;
	state = (state * 0x5deece66dULL + 0xb) & 0xffffffffffffULL;
	return (double)state / (double)(1ULL << 48);
}

static unsigned byte_at(const char *name, size_t len, size_t i, bool from_end)
{
	return (unsigned char)(from_end ? name[len - 1 - i] : name[i]);
}

/* Of --hash: the first three bytes of NAME, or of NAME turned round, after a "module`" before them;
 * the earlier ones count more. */
static double hash_value(const char *name, bool from_end)
{
	size_t len = strlen(name), skip = 0;
	double vector = 0, weight = 1, most = 1;

	for (size_t i = 1; i < len && !skip; i++)
		skip = byte_at(name, len, i, from_end) == '`' ? i + 1 : 0;
	for (unsigned k = 0; k < 3 && skip + k < len; k++) {
		unsigned byte = byte_at(name, len, skip + k, from_end);

		vector += (double)(byte % (10 + k)) / (9 + k) * weight;
		most += weight;
		weight *= 0.7;
	}
	return 1 - vector / most;
}

/* The Nth value of a fixed sequence, in steps of 1/16 so that there are not too many colours. */
static double sequence_value(uint32_t n)
{
	uint64_t x = (n + 1) * 0x9e3779b97f4a7c15ULL;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return (double)((x ^ x >> 31) & 15) / 16;
}

/* Three values of [0, 1) decide the shade. */
static void shade_of(const struct drawing *d, const char *name, uint32_t *drawn, double v[3])
{
	if (d->hash) {
		v[0] = hash_value(name, false);
		v[1] = v[2] = hash_value(name, true);
	} else if (d->random) {
		for (int i = 0; i < 3; i++)
			v[i] = sequence_value((*drawn)++);
	} else {
		v[0] = v[1] = v[2] = first_random(name);
	}
}

/* ---- palettes that tell languages apart: which hue a name gets ---- */

/* Where a pattern stands; the last is also behind an L. */
enum where { ANYWHERE, AT_END, AT_START, AT_START_OR_L };

struct rule {
	const char *pattern;
	enum where where;
	enum palette hue;
};

static bool has(const char *name, const struct rule *r)
{
	size_t len = strlen(name), n = strlen(r->pattern);

	if (r->where == AT_START_OR_L && *name == 'L')
		name++;
	if (r->where >= AT_START)
		return !strncmp(name, r->pattern, n);
	if (r->where == AT_END)
		return len >= n && !memcmp(name + len - n, r->pattern, n);
	return strstr(name, r->pattern) != NULL;
}

/* The first that fits decides; an empty pattern fits all. (flamegraph.pl knows Java by its slashes;
 * where names are demangled there are none.) */
static const struct rule java_rules[] = {
	{ "_[j]", AT_END, PALETTE_GREEN },	   { "_[i]", AT_END, PALETTE_AQUA },
	{ "java/", AT_START_OR_L, PALETTE_GREEN }, { "javax/", AT_START_OR_L, PALETTE_GREEN },
	{ "jdk/", AT_START_OR_L, PALETTE_GREEN },  { "net/", AT_START_OR_L, PALETTE_GREEN },
	{ "org/", AT_START_OR_L, PALETTE_GREEN },  { "com/", AT_START_OR_L, PALETTE_GREEN },
	{ "io/", AT_START_OR_L, PALETTE_GREEN },   { "sun/", AT_START_OR_L, PALETTE_GREEN },
	{ "java.", AT_START, PALETTE_GREEN },	   { "javax.", AT_START, PALETTE_GREEN },
	{ "jdk.", AT_START, PALETTE_GREEN },	   { "org.", AT_START, PALETTE_GREEN },
	{ "com.", AT_START, PALETTE_GREEN },	   { "sun.", AT_START, PALETTE_GREEN },
	{ ":::", ANYWHERE, PALETTE_GREEN },	   { "::", ANYWHERE, PALETTE_YELLOW },
	{ "_[k]", AT_END, PALETTE_ORANGE },	   { "", ANYWHERE, PALETTE_RED },
};

static const struct rule perl_rules[] = {
	{ "::", ANYWHERE, PALETTE_YELLOW }, { "Perl", ANYWHERE, PALETTE_GREEN },
	{ ".pl", ANYWHERE, PALETTE_GREEN }, { "_[k]", AT_END, PALETTE_ORANGE },
	{ "", ANYWHERE, PALETTE_RED },
};

/* inferno's, as are those of Python below: what came with the language stands apart from the rest.
 * The futures of a program's own async functions are named as if they were the language's. */
static const struct rule rust_rules[] = {
	{ "<core::future::from_generator::GenFuture<T>", AT_START, PALETTE_AQUA },
	{ "core::", AT_START, PALETTE_ORANGE },
	{ "std::", AT_START, PALETTE_ORANGE },
	{ "alloc::", AT_START, PALETTE_ORANGE },
	{ "<core::", AT_START, PALETTE_ORANGE },
	{ "<std::", AT_START, PALETTE_ORANGE },
	{ "<alloc::", AT_START, PALETTE_ORANGE },
	{ "::", ANYWHERE, PALETTE_AQUA },
	{ "", ANYWHERE, PALETTE_YELLOW },
};

static const struct rule python_rules[] = {
	{ "<built-in", AT_START, PALETTE_YELLOW },
	{ "<method", AT_START, PALETTE_YELLOW },
	{ "<frozen", AT_START, PALETTE_YELLOW },
	{ "", ANYWHERE, PALETTE_RED },
};

/* A folder of packages, or of the interpreter ("python3.11"), in the path of a file. */
static enum palette python_hue(const char *name)
{
	static const char version[] = "0123456789.";
	enum palette found = PALETTE_USUAL;

	for (const char *part = name; *part; part += strcspn(part, "/\\")) {
		part += *part == '/' || *part == '\\';
		if (!strncmp(part, "site-packages", 13) && strchr("/\\", part[13]))
			return PALETTE_AQUA;
		if ((!strncmp(part, "python", 6) || !strncmp(part, "Python", 6)) &&
		    strchr("/\\", part[6 + strspn(part + 6, version)]))
			found = PALETTE_YELLOW;
	}
	return found;
}

static enum palette js_hue(const char *name)
{
	static const struct rule jit = { "_[j]", AT_END, PALETTE_GREEN };
	const char *slash = strchr(name, '/');

	if (has(name, &jit))
		return slash ? PALETTE_GREEN : PALETTE_AQUA;
	if (strstr(name, "::"))
		return PALETTE_YELLOW;
	if (slash && strstr(slash + 1, ".js"))
		return PALETTE_GREEN;
	if (strchr(name, ':'))
		return PALETTE_AQUA;
	if (!strcmp(name, " "))
		return PALETTE_GREEN;
	return strstr(name, "_[k]") ? PALETTE_ORANGE : PALETTE_RED;
}

static enum palette hue_of_name(enum palette p, const char *name, bool waker)
{
	static const struct rule wakeup_rules[] = { { "", ANYWHERE, PALETTE_AQUA } };
	static const struct rule chain_rules[] = { { "_[w]", ANYWHERE, PALETTE_AQUA },
						   { "", ANYWHERE, PALETTE_BLUE } };
	static const struct rule *const rules[PALETTE_ORANGE + 1] = {
		[PALETTE_JAVA] = java_rules,   [PALETTE_PERL] = perl_rules,
		[PALETTE_RUST] = rust_rules,   [PALETTE_PYTHON] = python_rules,
		[PALETTE_CHAIN] = chain_rules, [PALETTE_WAKEUP] = wakeup_rules,
	};
	const struct rule *r = rules[p];

	if (p == PALETTE_JS)
		return js_hue(name);
	if (p == PALETTE_PYTHON && python_hue(name) != PALETTE_USUAL)
		return python_hue(name);
	if (p == PALETTE_RUST && strchr(name, '`'))
		name = strchr(name, '`') + 1; /* behind the module */
	if (p == PALETTE_CHAIN && waker)
		return PALETTE_AQUA;
	while (r && !has(name, r))
		r++;
	return r ? r->hue : p;
}

/* ---- from hue and shade to a colour ---- */

/* A channel is BASE + RANGE * the shade's value V. */
struct channel {
	uint8_t base, range, v;
};

typedef struct channel hue[3];

static const hue hues[] = {
	[PALETTE_HOT] = { { 205, 50, 2 }, { 0, 230, 0 }, { 0, 55, 1 } },
	[PALETTE_MEM] = { { 0, 0, 0 }, { 190, 50, 1 }, { 0, 210, 0 } },
	[PALETTE_IO] = { { 80, 60, 0 }, { 80, 60, 0 }, { 190, 55, 1 } },
	[PALETTE_RED] = { { 200, 55, 0 }, { 50, 80, 0 }, { 50, 80, 0 } },
	[PALETTE_GREEN] = { { 50, 60, 0 }, { 200, 55, 0 }, { 50, 60, 0 } },
	[PALETTE_BLUE] = { { 80, 60, 0 }, { 80, 60, 0 }, { 205, 50, 0 } },
	[PALETTE_YELLOW] = { { 175, 55, 0 }, { 175, 55, 0 }, { 50, 20, 0 } },
	[PALETTE_PURPLE] = { { 190, 65, 0 }, { 80, 60, 0 }, { 190, 65, 0 } },
	[PALETTE_AQUA] = { { 50, 60, 0 }, { 165, 55, 0 }, { 165, 55, 0 } },
	[PALETTE_ORANGE] = { { 190, 65, 0 }, { 90, 65, 0 }, { 0, 0, 0 } },
};

/* Where no palette was asked for, these stand out from the usual one: FlameGraph's green and aqua;
 * for the kernel a blue that is light enough for black text, or among blues a grey. */
static const hue kind_hues[FRAME_KINDS] = {
	[FRAME_JIT] = { { 50, 60, 0 }, { 200, 55, 0 }, { 50, 60, 0 } },
	[FRAME_KERNEL] = { { 105, 50, 0 }, { 150, 50, 0 }, { 225, 30, 0 } },
	[FRAME_INLINED] = { { 50, 60, 0 }, { 165, 55, 0 }, { 165, 55, 0 } },
};
static const hue kernel_among_blues = { { 170, 40, 0 }, { 170, 40, 0 }, { 175, 40, 0 } };

enum frame_kind flame_kind(const char *name)
{
	size_t n = strlen(name);

	if (n < 4 || name[n - 4] != '_' || name[n - 3] != '[' || name[n - 1] != ']')
		return FRAME_OTHER;
	switch (name[n - 2]) {
	case 'k':
		return FRAME_KERNEL;
	case 'j':
		return FRAME_JIT;
	case 'i':
		return FRAME_INLINED;
	}
	return FRAME_OTHER;
}

static const struct channel *hue_of(const struct drawing *d, const struct painted *p)
{
	if (d->by_kind && p->kind == FRAME_KERNEL && d->palette == PALETTE_IO)
		return kernel_among_blues;
	if (d->by_kind && p->kind >= FRAME_JIT)
		return kind_hues[p->kind];
	return hues[hue_of_name(d->palette, p->name, p->waker)];
}

static rgb blend(const struct channel *c, const double v[3])
{
	rgb out = 0;

	for (int i = 0; i < 3; i++)
		out = out << 8 | (c[i].base + (rgb)(c[i].range * v[c[i].v]));
	return out;
}

rgb flame_color(const struct drawing *d, const struct painted *p, uint32_t *drawn)
{
	double v[3];

	if (!strcmp(p->name, "--"))
		return RGB_SEPARATOR;
	if (!strcmp(p->name, "-"))
		return RGB_DASH;
	shade_of(d, p->name, drawn, v);
	return blend(hue_of(d, p), v);
}

rgb flame_color_of_kind(const struct drawing *d, enum frame_kind kind)
{
	return blend(hue_of(d, &(struct painted){ .name = "", .kind = kind }),
		     (const double[3]){ 0.5, 0.5, 0.5 });
}

/* The darkest blue is not so dark that black text on it is lost. */
rgb flame_color_change(double change, double most, bool negate)
{
	double share = most > 0 ? fabs(change) / most : 0;
	rgb rest;

	if (change == 0 || !(most > 0))
		return RGB_SAME;
	share = share < 0.04 ? 0.04 : share > 1 ? 1 : share;
	rest = (rgb)(230 - 130 * sqrt(share));
	if ((change > 0) != negate)
		return 0xff0000 | rest << 8 | rest;
	return rest << 16 | rest << 8 | 0xff;
}

/* WCAG 2.1, relative luminance. */
static double luminance(rgb color)
{
	static const double weights[] = { 0.0722, 0.7152, 0.2126 }; /* blue, green, red */
	double sum = 0;

	for (unsigned i = 0; i < 3; i++, color >>= 8) {
		double v = (color & 0xff) / 255.0;

		sum += weights[i] * (v <= 0.03928 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
	}
	return sum;
}

rgb flame_color_ink(rgb color)
{
	return (luminance(color) + 0.05) / 0.05 < 4.5 ? 0xffffff : 0;
}
