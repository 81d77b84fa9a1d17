/* The values of options, by the types of their rows: one function reads each type, one says what a
 * value of it is. */
#include "cli/values.h"
#include "parser/base/mem.h"
#include "parser/base/nearest.h"
#include "parser/filter.h"

#include <errno.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS	 "0123456789"
#define WORD_MAX 64

/* ---- words ---- */

const char *value_word(const struct option *o, size_t i, size_t *len)
{
	const char *entry = o->words ? o->words[i] : NULL;

	*len = entry ? strcspn(entry, "|") : 0;
	return entry;
}

/* "a", "b", "c": A, B or C. */
static void put_words(const struct option *o, const char *between, const char *last,
		      struct buf *out)
{
	size_t first = o->words && !*o->words[0], len, next;
	const char *word;

	for (size_t i = first; (word = value_word(o, i, &len)); i++) {
		if (i > first)
			buf_str(out, value_word(o, i + 1, &next) ? between : last);
		buf_add(out, word, len);
	}
}

/* Is TEXT one of "a|b"? */
static bool is_word(const char *entry, const char *text, size_t len)
{
	while (len) {
		size_t n = strcspn(entry, "|");

		if (n == len && !memcmp(entry, text, n))
			return true;
		if (!entry[n])
			return false;
		entry += n + 1;
	}
	return false;
}

/* The place of TEXT among the words; negative, with the word that was probably meant in WHY. */
static int word_place(const struct option *o, const char *text, size_t len, struct buf *why)
{
	char copy[WORD_MAX];
	const char *near;

	for (int i = 0; o->words[i]; i++) {
		if (is_word(o->words[i], text, len))
			return i;
	}
	snprintf(copy, sizeof(copy), "%.*s", (int)(len < WORD_MAX ? len : WORD_MAX - 1), text);
	near = nearest(copy, o->words);
	if (near) {
		put_words(o, ", ", " or ", why);
		buf_printf(why, "; did you mean %.*s?", (int)strcspn(near, "|"), near);
	}
	return ERR_USAGE;
}

/* What a value is read from, and where it goes. */
struct request {
	const struct option *o;
	void *at;
	const char *text;
	struct buf *why; /* what was wanted, where the row does not say it */
	bool *fault;	 /* the system failed */
};

static bool set_flag(const struct request *r)
{
	*(bool *)r->at = true;
	return true;
}

static bool set_word(const struct request *r)
{
	int place = word_place(r->o, r->text, strlen(r->text), r->why);

	*(unsigned *)r->at = (unsigned)place;
	return place >= 0;
}

/* The first word, which is empty, stands for all other texts. */
static bool set_choice(const struct request *r)
{
	struct word_or_text *c = r->at;
	int place = word_place(r->o, r->text, strlen(r->text), r->why);

	r->why->len = 0;
	*c = (struct word_or_text){ place > 0 ? (unsigned)place : 0, r->text };
	return *r->text;
}

static void add_place(struct word_list *l, unsigned place)
{
	for (size_t i = 0; i < l->count; i++) {
		if (l->list[i] == place)
			return;
	}
	if (l->count < OPTION_LIST_MAX)
		l->list[l->count++] = place;
}

static bool set_words(const struct request *r)
{
	const char *text = r->text;

	do {
		size_t len = strcspn(text, ",");
		int place = word_place(r->o, text, len, r->why);

		if (place < 0)
			return false;
		add_place(r->at, (unsigned)place);
		text += len + (text[len] == ',');
	} while (*text);
	return true;
}

/* ---- numbers ---- */

static bool in_bounds(const struct option *o, double v)
{
	return v >= o->least && (!(o->most > 0) || v <= o->most) && (v > 0 || !o->positive) &&
	       (!o->whole || v == floor(v));
}

/* Digits, as many as there are; *TEXT ends up behind them. */
static bool read_digits(const char **text, uint64_t *v)
{
	for (*v = 0; isdigit((unsigned char)**text); ++*text) {
		if (__builtin_mul_overflow(*v, 10, v) ||
		    __builtin_add_overflow(*v, (uint64_t)(**text - '0'), v))
			return false;
	}
	return true;
}

static bool set_count(const struct request *r)
{
	const char *end = r->text;
	uint64_t *v = r->at;

	return read_digits(&end, v) && end > r->text && !*end && in_bounds(r->o, (double)*v);
}

/* A plain decimal number: no sign, no hexadecimal, no "inf". *TEXT ends up behind it. */
static bool read_number(const char **text, double *out)
{
	const char *s = *text;
	size_t n = strspn(s, DIGITS), digits = n, sign;
	char copy[WORD_MAX];

	if (s[n] == '.') {
		digits += strspn(s + n + 1, DIGITS);
		n = digits + 1;
	}
	sign = n + 1 + (n && (s[n] == 'e' || s[n] == 'E') && (s[n + 1] == '+' || s[n + 1] == '-'));
	if (digits && (s[n] == 'e' || s[n] == 'E') && isdigit((unsigned char)s[sign]))
		n = sign + strspn(s + sign, DIGITS);
	if (!digits || n >= sizeof(copy))
		return false;
	memcpy(copy, s, n);
	copy[n] = '\0';
	*out = strtod(copy, NULL);
	*text = s + n;
	return isfinite(*out);
}

static bool set_number(const struct request *r)
{
	const char *end = r->text;
	double *v = r->at;

	if (!read_number(&end, v))
		return false;
	end += r->o->type == OPT_PERCENT && *end == '%';
	return !*end && in_bounds(r->o, *v);
}

/* The ns of a unit; 0: it is none. */
static uint64_t unit_ns(const char *name, size_t len)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = { { "ns", 1 },	    { "us", 1000 },	    { "ms", 1000000 },
		      { "s", 1000000000 }, { "h", 3600000000000 }, { "d", 86400000000000 } };

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (strlen(units[i].name) == len && !memcmp(units[i].name, name, len))
			return units[i].ns;
	}
	return 0;
}

/* Exactly, so that what is no whole number of ns is none. */
static bool set_duration(const struct request *r)
{
	const char *s = r->text, *unit = s + strspn(s, DIGITS ".");
	const char *name = *unit ? unit : r->o->unit ?: "s";
	uint64_t place = unit_ns(name, strlen(name)), *ns = r->at;

	if (!place || strspn(s, ".") == (size_t)(unit - s) || !read_digits(&s, ns) ||
	    __builtin_mul_overflow(*ns, place, ns))
		return false;
	for (s += *s == '.'; isdigit((unsigned char)*s); s++) {
		place /= 10;
		if ((!place && *s != '0') ||
		    __builtin_add_overflow(*ns, place * (uint64_t)(*s - '0'), ns))
			return false;
	}
	return s == unit && in_bounds(r->o, (double)*ns);
}

/* *TEXT ends up behind it. */
static bool read_quantity(const struct option *o, const char **text, struct quantity *out)
{
	size_t len;
	uint64_t ns;

	*out = (struct quantity){ 0 };
	if (!read_number(text, &out->number))
		return false;
	len = strcspn(*text, ",");
	if (len == 1 && **text == '%' && o->units & 1u << QUANTITY_PERCENT) {
		out->unit = QUANTITY_PERCENT;
	} else if (o->units & 1u << QUANTITY_NS && (len || o->unit)) {
		ns = len ? unit_ns(*text, len) : unit_ns(o->unit, strlen(o->unit));
		out->number *= (double)ns;
		out->unit = QUANTITY_NS;
		if (!ns)
			return false;
	} else if (len) {
		return false;
	}
	*text += len;
	return in_bounds(o, out->number);
}

static bool set_quantity(const struct request *r)
{
	const char *end = r->text;

	return read_quantity(r->o, &end, r->at) && !*end;
}

static bool set_quantities(const struct request *r)
{
	struct quantity_list *l = r->at;
	const char *text = r->text;

	l->count = 0;
	if (r->o->words && is_word(r->o->words[0], text, strlen(text)))
		return true;
	for (;; text++) {
		if (l->count == OPTION_LIST_MAX ||
		    !read_quantity(r->o, &text, &l->list[l->count++]))
			return false;
		if (*text != ',')
			return !*text;
	}
}

/* Bytes, or k, M, G: 1024 times as many. */
static bool read_size(const char **text, uint64_t *out)
{
	static const char letters[] = "kMG";
	const char *letter;
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	*out = strtoull(*text, &end, 10);
	letter = *end ? strchr(letters, *end == 'K' ? 'k' : *end) : NULL;
	*text = end + (letter != NULL);
	return !letter || !__builtin_mul_overflow(*out, 1ull << 10 * (letter - letters + 1), out);
}

static bool set_size(const struct request *r)
{
	const char *text = r->text;
	uint64_t *bytes = r->at;

	return read_size(&text, bytes) && !*text && in_bounds(r->o, (double)*bytes);
}

static bool set_sizes(const struct request *r)
{
	struct num_list *l = r->at;

	for (const char *text = r->text;; text++) {
		struct num_range range;

		if (!read_size(&text, &range.lo))
			return false;
		range.hi = range.lo;
		if (*text == '-' && (text++, !read_size(&text, &range.hi)))
			return false;
		if ((*text && *text != ',') || range.hi < range.lo)
			return false;
		l->list = xrealloc(l->list, (l->count + 1) * sizeof(*l->list));
		l->list[l->count++] = range;
		if (!*text || !text[1])
			return true;
	}
}

static bool set_nums(const struct request *r)
{
	return num_list_parse(r->at, r->text) == 0;
}

/* ---- texts ---- */

static bool is_like(const char *pattern, const char *text)
{
	regex_t r;
	bool like;

	if (!pattern)
		return true;
	if (regcomp(&r, pattern, REG_EXTENDED | REG_NOSUB | REG_ICASE))
		return false;
	like = !regexec(&r, text, 0, NULL, 0);
	regfree(&r);
	return like;
}

/* None comes from an OPT_MAYBE alone. */
static bool set_text(const struct request *r)
{
	const char *text = r->text ?: "";

	*(const char **)r->at = text;
	return (r->o->type == OPT_MAYBE && !*text) || is_like(r->o->pattern, text);
}

static bool set_texts(const struct request *r)
{
	struct name_list *l = r->at;

	l->list = xrealloc(l->list, (l->count + 1) * sizeof(*l->list));
	l->list[l->count++] = xstrdup(r->text);
	return is_like(r->o->pattern, r->text);
}

static bool set_names(const struct request *r)
{
	struct name_list *l = r->at;
	size_t first = l->count;
	int rc = r->o->type == OPT_EVENTS ? event_names_parse(l, r->text)
					  : name_list_parse(l, r->text);

	*r->fault = rc == ERR_IO && error_is_fault(errno);
	if (rc == ERR_IO)
		buf_printf(r->why, "a readable file of names (%s)", strerror(errno));
	for (size_t i = first; i < l->count; i++) {
		if (!is_like(r->o->pattern, l->list[i]))
			return false;
	}
	return l->count && !r->why->len && (!(r->o->most > 0) || (double)l->count <= r->o->most);
}

/* Both sides have as many: the first one's names hold for a second that is not given. */
static bool set_fields(const struct request *r)
{
	struct name_list *sides = r->at;
	char *first = xstrdup(r->text), *second = strchr(first, ':');
	bool ok;

	if (second)
		*second++ = '\0';
	ok = set_names(&(struct request){ r->o, &sides[0], first, r->why, r->fault }) &&
	     set_names(&(struct request){ r->o, &sides[1], second ?: first, r->why, r->fault });
	free(first);
	return ok && sides[0].count == sides[1].count;
}

/* Take "stack:" and the like off the front of *REGEX. */
static unsigned pattern_kind(const struct option *o, const char **regex)
{
	for (unsigned i = 0; o->words && o->words[i]; i++) {
		size_t n = strlen(o->words[i]);

		if (strncmp(*regex, o->words[i], n) || (*regex)[n] != ':')
			continue;
		*regex += n + 1;
		return i + 1;
	}
	return 0;
}

static bool set_pattern(const struct request *r)
{
	struct pattern_list *l = r->at;
	struct pattern *p = &l->list[l->count];
	const char *equals = strchr(r->text, '='), *regex = equals ? equals + 1 : "";
	char reason[128];
	int rc;

	if (!equals || equals == r->text || !*regex)
		return false;
	if (l->count == OPTION_PATTERNS_MAX) {
		buf_printf(r->why, "it at most %d times", OPTION_PATTERNS_MAX);
		return false;
	}
	p->kind = pattern_kind(r->o, &regex);
	rc = regcomp(&p->regex, regex, REG_EXTENDED | REG_NOSUB);
	if (rc) {
		regerror(rc, &p->regex, reason, sizeof(reason));
		buf_printf(r->why, "a regular expression (%s)", reason);
		return false;
	}
	p->name = strndup(r->text, (size_t)(equals - r->text));
	l->count++;
	return true;
}

/* Their grammar; the capture tells what they are. A wall clock compares with nothing yet, and which
 * of "-1" and "+1" is first depends on how long the capture is. */
static bool set_times(const struct request *r)
{
	const struct time_base any[] = { { .first_ns = 1, .last_ns = 2, .has_wall = true },
					 { .first_ns = 1, .last_ns = UINT64_MAX } };
	int rc = strchr(r->text, ':') ? 0 : ERR_USAGE;

	for (size_t i = 0; rc && i < ARRAY_SIZE(any); i++) {
		struct num_list ranges = { 0 };

		rc = time_parse(&ranges, r->text, &any[i]);
		free(ranges.list);
	}
	*(const char **)r->at = r->text;
	return rc == 0;
}

/* Its grammar; the capture tells which fields there are. */
static bool set_filter(const struct request *r)
{
	*(const char **)r->at = r->text;
	return filter_fields_check(r->text, r->why) == 0;
}

static bool set_anchor(const struct request *r)
{
	const char *equals = strchr(r->text, '=');
	uint64_t clock_ns, wall_ns;

	if (!equals || seconds_parse(r->text, (size_t)(equals - r->text), &clock_ns) < 0 ||
	    wall_parse(equals + 1, strlen(equals + 1), &wall_ns) < 0)
		return false;
	*(int64_t *)r->at = (int64_t)(wall_ns - clock_ns);
	return true;
}

/* ---- types ---- */

static const struct type {
	bool (*set)(const struct request *r);
	const char *wanted; /* a value of it, in words */
} types[] = {
	[OPT_FLAG] = { set_flag, NULL },
	[OPT_WORD] = { set_word, NULL },
	[OPT_CHOICE] = { set_choice, "a name" },
	[OPT_WORDS] = { set_words, NULL },
	[OPT_COUNT] = { set_count, "a number" },
	[OPT_NUMBER] = { set_number, "a number" },
	[OPT_PERCENT] = { set_number, "a percentage" },
	[OPT_DURATION] = { set_duration, "a time such as 10ms, 1.5s or 200us" },
	[OPT_QUANTITY] = { set_quantity, "a number" },
	[OPT_QUANTITIES] = { set_quantities, "numbers separated by commas" },
	[OPT_SIZE] = { set_size, "a size such as 512M or 4G" },
	[OPT_SIZES] = { set_sizes, "sizes such as 512,0-64k" },
	[OPT_NUMS] = { set_nums, "numbers such as 0,2-4" },
	[OPT_NAMES] = { set_names, "names separated by commas" },
	[OPT_EVENTS] = { set_names, "names separated by commas" },
	[OPT_FIELDS] = { set_fields, "FIELD,...[:FIELD,...]" },
	[OPT_TEXT] = { set_text, "another text" },
	[OPT_TEXTS] = { set_texts, "another text" },
	[OPT_PATTERNS] = { set_pattern, "NAME=REGEX" },
	[OPT_FILE] = { set_text, "a file" },
	[OPT_STORE] = { set_text, "a store" },
	[OPT_FILES] = { set_texts, "a file" },
	[OPT_DIR] = { set_text, "a directory" },
	[OPT_DIRS] = { set_texts, "a directory" },
	[OPT_MAYBE] = { set_text, "another text" },
	[OPT_TIMES] = { set_times, "A,B in seconds, 10%/2, 0%-10% or wall clock" },
	[OPT_FILTER] = { set_filter, "FIELD OP VALUE, joined by && || !" },
	[OPT_ANCHOR] = { set_anchor, "SECONDS=ISO such as 12.5=2024-02-03T04:05:06.789Z" },
	[OPT_FORMAT] = { set_text, "a format" },
};

bool value_is_taken(const struct option *o)
{
	return o->type != OPT_FLAG && o->type != OPT_SAME;
}

bool value_looks_right(const struct option *o, const char *text)
{
	return o->pattern && is_like(o->pattern, text);
}

/* What a value of O is. */
static void put_wanted(const struct option *o, struct buf *out)
{
	const char *wanted = o->wanted ?: types[o->type].wanted;

	if (wanted)
		buf_str(out, wanted);
	else
		put_words(o, ", ", " or ", out);
	if (!wanted || o->wanted)
		return;
	if (o->most > 0)
		buf_printf(out, o->positive ? " above %.15g, up to %.15g" : " from %.15g to %.15g",
			   o->least, o->most);
	else if (o->least > 0 || o->positive)
		buf_printf(out, o->positive ? " above %.15g" : " of at least %.15g", o->least);
}

int value_set(const struct option *o, void *at, const char *text, struct buf *why)
{
	bool fault = false;
	bool ok = types[o->type].set(&(struct request){ o, at, text, why, &fault });

	if (!ok && !why->len)
		put_wanted(o, why);
	return ok ? 0 : fault ? ERR_IO : ERR_USAGE;
}

void value_release(const struct option *o, void *at)
{
	struct pattern_list *patterns = at;

	switch (o->type) {
	case OPT_FIELDS:
		name_list_release((struct name_list *)at + 1);
		/* fallthrough */
	case OPT_NAMES:
	case OPT_EVENTS:
	case OPT_TEXTS:
	case OPT_FILES:
	case OPT_DIRS:
		name_list_release(at);
		break;
	case OPT_NUMS:
	case OPT_SIZES:
		free(((struct num_list *)at)->list);
		break;
	case OPT_PATTERNS:
		for (size_t i = 0; i < patterns->count; i++) {
			free(patterns->list[i].name);
			regfree(&patterns->list[i].regex);
		}
		break;
	default:
		break;
	}
}

void value_name(const struct option *o, struct buf *out)
{
	if (o->type == OPT_SAME)
		return;
	if (o->arg)
		buf_str(out, o->arg);
	else
		put_words(o, "|", "|", out);
}

void value_help(const struct option *o, struct buf *out)
{
	bool words = o->type == OPT_WORD || o->type == OPT_WORDS;
	const char *initial = o->initial;

	if (o->type == OPT_SAME) {
		buf_printf(out, "%s%sas %s", o->help ?: "", o->help ? ": " : "", o->arg);
		return;
	}
	buf_str(out, o->help);
	if (o->arg && words) {
		buf_str(out, ": ");
		put_words(o, ", ", " or ", out);
	}
	if (!initial && o->type == OPT_WORD && o->words[0][0] && !o->given)
		initial = o->words[0];
	if (initial)
		buf_printf(out, " (default: %.*s)", (int)strcspn(initial, "|"), initial);
}
