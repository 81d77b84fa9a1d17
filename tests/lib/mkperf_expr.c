/*
 * mkperf: the small grammar below the directives: $variables, arguments, numbers, byte lists.
 * The input language is described in mkperf.md.
 */
#include "mkperf.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXPR_DEPTH_MAX = 32, ITEM_MAX = 4096 };

struct expr {
	struct mk *m;
	const char *text;
	const char *at;
	const struct name *names;
	int depth;
};

static uint64_t expr_level(struct expr *x, int level);

static void skip_space(struct expr *x)
{
	while (*x->at == ' ' || *x->at == '\t')
		x->at++;
}

static uint64_t expr_name(struct expr *x)
{
	const char *start = x->at;
	size_t n;

	while (isalnum((unsigned char)*x->at) || *x->at == '_')
		x->at++;
	n = (size_t)(x->at - start);
	for (const struct name *k = x->names; n && k && k->name; k++)
		if (strlen(k->name) == n && !strncasecmp(k->name, start, n))
			return k->value;
	die(x->m, "'%s': '%.*s' is no number and no name known here", x->text, (int)n, start);
}

static uint64_t expr_primary(struct expr *x)
{
	uint64_t v;
	char *end;

	skip_space(x);
	if (++x->depth > EXPR_DEPTH_MAX)
		die(x->m, "'%s': too deep", x->text);
	if (*x->at == '(') {
		x->at++;
		v = expr_level(x, 0);
		skip_space(x);
		if (*x->at++ != ')')
			die(x->m, "'%s': ')' is missing", x->text);
	} else if (*x->at == '-' || *x->at == '~') {
		char op = *x->at++;

		v = expr_primary(x);
		v = op == '-' ? -v : ~v;
	} else if (isdigit((unsigned char)*x->at)) {
		v = strtoull(x->at, &end, 0);
		x->at = end;
	} else {
		v = expr_name(x);
	}
	x->depth--;
	return v;
}

static const char *const levels[] = { "|", "^", "&", "<>", "+-", "*/%" };

static uint64_t apply(struct expr *x, char op, uint64_t l, uint64_t r)
{
	if ((op == '/' || op == '%') && !r)
		die(x->m, "'%s': division by zero", x->text);
	switch (op) {
	case '|': return l | r;
	case '^': return l ^ r;
	case '&': return l & r;
	case '<': return r < 64 ? l << r : 0;
	case '>': return r < 64 ? l >> r : 0;
	case '+': return l + r;
	case '-': return l - r;
	case '*': return l * r;
	case '/': return l / r;
	default: return l % r;
	}
}

/* Left-associative, C's order of precedence; all values are u64 and wrap. */
static uint64_t expr_level(struct expr *x, int level)
{
	uint64_t v, r;
	char op;

	if (level == ARRAY_SIZE(levels))
		return expr_primary(x);
	v = expr_level(x, level + 1);
	for (;;) {
		skip_space(x);
		op = *x->at;
		if (!op || !strchr(levels[level], op))
			return v;
		x->at++;
		if (op == '<' || op == '>') {
			if (*x->at++ != op)
				die(x->m, "'%s': << or >> expected", x->text);
		}
		r = expr_level(x, level + 1);
		v = apply(x, op, v, r);
	}
}

uint64_t eval(struct mk *m, const char *s, const struct name *names)
{
	struct expr x = { .m = m, .text = s, .at = s, .names = names };
	uint64_t v = expr_level(&x, 0);

	skip_space(&x);
	if (*x.at)
		die(m, "'%s': '%s' is left over", s, x.at);
	return v;
}

static uint64_t var_value(struct mk *m, const char *name, size_t n)
{
	for (int i = m->nr_vars - 1; i >= 0; i--)
		if (strlen(m->vars[i].name) == n && !strncmp(m->vars[i].name, name, n))
			return m->vars[i].value;
	die(m, "$%.*s is not set", (int)n, name);
}

static void put_number(struct buf *b, uint64_t v)
{
	char text[24];

	put_bytes(b, text, (size_t)snprintf(text, sizeof(text), "%llu", (unsigned long long)v));
}

/* $name becomes its number; $$ a dollar sign. */
static void substitute_names(struct mk *m, struct buf *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n;) {
		size_t k = i + 1;

		if (s[i] != '$' || (i + 1 < n && s[i + 1] == '{')) {
			put_bytes(out, s + i++, 1);
			continue;
		}
		if (i + 1 < n && s[i + 1] == '$') {
			put_bytes(out, "$", 1);
			i += 2;
			continue;
		}
		while (k < n && (isalnum((unsigned char)s[k]) || s[k] == '_'))
			k++;
		put_number(out, var_value(m, s + i + 1, k - i - 1));
		i = k;
	}
}

/* The line with $name and ${expression} replaced by decimal numbers. The caller frees it. */
char *substitute(struct mk *m, const char *line)
{
	struct buf out = { 0 }, flat = { 0 };
	const char *s, *end;

	substitute_names(m, &flat, line, strlen(line));
	put_zero(&flat, 1);
	for (s = (char *)flat.p; *s; s++) {
		char *inner;

		if (s[0] != '$' || s[1] != '{') {
			put_bytes(&out, s, 1);
			continue;
		}
		end = strchr(s, '}');
		if (!end)
			die(m, "'}' is missing after '${'");
		inner = xstrndup(s + 2, (size_t)(end - s - 2));
		put_number(&out, eval(m, inner, NULL));
		free(inner);
		s = end;
	}
	put_zero(&out, 1);
	free(flat.p);
	return (char *)out.p;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)tolower((unsigned char)c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static const char *put_escape(struct mk *m, struct buf *b, const char *s)
{
	char c = *s;

	if (c == 'x') {
		int hi = hex_digit(s[1]), lo = hi < 0 ? -1 : hex_digit(s[2]);

		if (lo < 0)
			die(m, "\\x takes two hexadecimal digits");
		c = (char)(hi << 4 | lo);
		s += 2;
	} else if (c == 'n') {
		c = '\n';
	} else if (c == 't') {
		c = '\t';
	}
	put_bytes(b, &c, 1);
	return s + 1;
}

/*
 * One token: up to white space, which "quotes" and [brackets] protect. Quotes are dropped and
 * \-escapes replaced; white space within brackets is dropped.
 */
static const char *token(struct mk *m, const char *s, struct buf *b)
{
	bool quoted = false;
	int brackets = 0;

	b->len = 0;
	while (*s && (quoted || brackets || !isspace((unsigned char)*s))) {
		if (*s == '"') {
			quoted = !quoted;
			s++;
			continue;
		}
		if (quoted && *s == '\\' && s[1]) {
			s = put_escape(m, b, s + 1);
			continue;
		}
		if (!quoted && *s == '[')
			brackets++;
		if (!quoted && *s == ']')
			brackets--;
		if (quoted || !isspace((unsigned char)*s))
			put_bytes(b, s, 1);
		s++;
	}
	if (quoted || brackets)
		die(m, "a quote or a bracket is not closed");
	put_zero(b, 1);
	return s;
}

/* The length of the key if the token is key=value, else 0. */
static size_t key_length(const char *s)
{
	size_t n = 0;

	while (islower((unsigned char)s[n]) || isdigit((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n && s[n] == '=' ? n : 0;
}

void args_parse(struct mk *m, struct args *a, const char *line)
{
	struct buf b = { 0 };

	while (isspace((unsigned char)*line))
		line++;
	while (*line && *line != '#') {
		size_t n = key_length(line);
		struct arg *arg = &a->v[a->n];

		if (a->n++ == MK_ARGS_MAX)
			die(m, "more than %d arguments", MK_ARGS_MAX);
		line = token(m, line, &b);
		*arg = (struct arg){ 0 };
		arg->key = xstrndup((char *)b.p, n ? n : strlen((char *)b.p));
		if (n)
			arg->value = xstrndup((char *)b.p + n + 1, strlen((char *)b.p + n + 1));
		while (isspace((unsigned char)*line))
			line++;
	}
	free(b.p);
}

void args_release(struct args *a)
{
	for (int i = 0; i < a->n; i++) {
		free(a->v[i].key);
		free(a->v[i].value);
	}
	a->n = 0;
}

void args_check(struct mk *m, const struct args *a)
{
	for (int i = 0; i < a->n; i++)
		if (!a->v[i].used && !a->v[i].is_default)
			die(m, "'%s' means nothing here", a->v[i].key);
}

/* The last one wins: `default` values stand first. */
struct arg *arg_find(struct args *a, const char *key)
{
	struct arg *found = NULL;

	for (int i = 0; i < a->n; i++) {
		if (!a->v[i].value || strcmp(a->v[i].key, key))
			continue;
		a->v[i].used = true;
		found = &a->v[i];
	}
	return found;
}

/* The next bare word, or NULL. */
char *arg_word(struct args *a)
{
	for (int i = 0; i < a->n; i++) {
		if (a->v[i].value || a->v[i].used)
			continue;
		a->v[i].used = true;
		return a->v[i].key;
	}
	return NULL;
}

char *arg_need_word(struct mk *m, struct args *a, const char *what)
{
	char *word = arg_word(a);

	if (!word)
		die(m, "%s is missing", what);
	return word;
}

bool arg_flag(struct args *a, const char *word)
{
	for (int i = 0; i < a->n; i++) {
		if (a->v[i].value || strcmp(a->v[i].key, word))
			continue;
		a->v[i].used = true;
		return true;
	}
	return false;
}

const char *arg_str(struct args *a, const char *key, const char *fallback)
{
	struct arg *arg = arg_find(a, key);

	return arg ? arg->value : fallback;
}

/* A [list] is given without its brackets. */
const char *arg_list(struct args *a, const char *key, const char *fallback)
{
	struct arg *arg = arg_find(a, key);
	size_t n = arg ? strlen(arg->value) : 0;

	if (!arg)
		return fallback;
	if (n < 2 || arg->value[0] != '[' || arg->value[n - 1] != ']')
		return arg->value;
	memmove(arg->value, arg->value + 1, n - 2);
	arg->value[n - 2] = '\0';
	return arg->value;
}

uint64_t arg_names(struct mk *m, struct args *a, const char *key, uint64_t fallback,
		   const struct name *names)
{
	struct arg *arg = arg_find(a, key);

	return arg ? eval(m, arg->value, names) : fallback;
}

uint64_t arg_num(struct mk *m, struct args *a, const char *key, uint64_t fallback)
{
	return arg_names(m, a, key, fallback, NULL);
}

/* Steps through a list; @cursor starts at it. Separators within parentheses do not count. */
bool list_next(const char **cursor, char separator, char *item, size_t size)
{
	const char *s = *cursor;
	size_t n = 0;
	int depth = 0;

	if (!s || !*s)
		return false;
	for (; *s && (depth || *s != separator); s++) {
		depth += *s == '(' ? 1 : *s == ')' ? -1 : 0;
		if (n + 1 < size)
			item[n++] = *s;
	}
	item[n] = '\0';
	*cursor = *s ? s + 1 : s;
	return true;
}

static void put_hex(struct mk *m, struct buf *b, const char *s)
{
	size_t n = strlen(s);

	if (n % 2)
		die(m, "'%s': an odd number of hexadecimal digits", s);
	for (size_t i = 0; i < n; i += 2) {
		int hi = hex_digit(s[i]), lo = hex_digit(s[i + 1]);

		if (hi < 0 || lo < 0)
			die(m, "'%s': not hexadecimal", s);
		put_uint(b, (uint64_t)(hi << 4 | lo), 1);
	}
}

/* One item of a byte list: hex digits, or kind:value. */
void put_item(struct mk *m, struct buf *b, const char *item)
{
	const char *value = strchr(item, ':');
	size_t n = value ? (size_t)(value++ - item) : 0;

	if (!value)
		put_hex(m, b, item);
	else if (n == 2 && !strncmp(item, "u8", n))
		put_uint(b, eval(m, value, NULL), 1);
	else if (n == 3 && !strncmp(item, "u16", n))
		put_uint(b, eval(m, value, NULL), 2);
	else if (n == 3 && !strncmp(item, "u32", n))
		put_uint(b, eval(m, value, NULL), 4);
	else if (n == 3 && !strncmp(item, "u64", n))
		put_uint(b, eval(m, value, NULL), 8);
	else if (n == 4 && !strncmp(item, "word", n))
		put_uint(b, eval(m, value, NULL), (int)m->opt.word / 8);
	else if (n == 1 && *item == 't')
		put_bytes(b, value, strlen(value));
	else if (n == 1 && *item == 'z')
		put_cstring(b, value, 1);
	else if (n > 1 && *item == 't' && isdigit((unsigned char)item[1]))
		put_fixed(b, value, strtoul(item + 1, NULL, 10));
	else if (n == 3 && !strncmp(item, "str", n))
		put_perf_string(b, value);
	else if (n == 4 && !strncmp(item, "zero", n))
		put_zero(b, eval(m, value, NULL));
	else
		die(m, "'%s': no such kind of bytes", item);
}

void put_list(struct mk *m, struct buf *b, const char *list)
{
	char item[ITEM_MAX];

	while (list_next(&list, ',', item, sizeof(item)))
		put_item(m, b, item);
}
