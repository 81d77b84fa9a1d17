/* A tracepoint's print format: a format as of printf(), then an expression of C for each
 * conversion. Source: libtraceevent's event-parse.c, pretty_print() and print_str_arg(), read for
 * what they do.
 *
 * Both come from the capture. Expressions are evaluated with stacks of fixed depth; whatever is not
 * understood ends the text. */
#include "analyzers/compat/perf_fields.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH	     64
#define SCRATCH	     1024
#define NAME_MAX_LEN 63

struct value {
	uint64_t number;
	const char *text; /* NULL: a number */
	size_t len;
};

/* What waits for its right side. Higher binds closer; 0 waits for its end. */
enum op {
	OP_OPEN,
	OP_FLAGS,
	OP_SYMBOLIC,
	OP_IF, /* waits for its ':' */
	OP_CHOOSE,
	OP_OR_ELSE,
	OP_AND_THEN,
	OP_OR,
	OP_XOR,
	OP_AND,
	OP_EQUAL,
	OP_NOT_EQUAL,
	OP_LESS_EQUAL,
	OP_GREATER_EQUAL,
	OP_LEFT,
	OP_RIGHT,
	OP_LESS,
	OP_GREATER,
	OP_ADD,
	OP_SUBTRACT,
	OP_MULTIPLY,
	OP_DIVIDE,
	OP_REST,
	OP_NOT,
	OP_COMPLEMENT,
	OP_NEGATIVE,
	OP_NONE,
};

static const uint8_t binds[] = {
	[OP_CHOOSE] = 1,      [OP_OR_ELSE] = 2,	  [OP_AND_THEN] = 3,	  [OP_OR] = 4,
	[OP_XOR] = 5,	      [OP_AND] = 6,	  [OP_EQUAL] = 7,	  [OP_NOT_EQUAL] = 7,
	[OP_LESS_EQUAL] = 8,  [OP_LESS] = 8,	  [OP_GREATER_EQUAL] = 8, [OP_GREATER] = 8,
	[OP_LEFT] = 9,	      [OP_RIGHT] = 9,	  [OP_ADD] = 10,	  [OP_SUBTRACT] = 10,
	[OP_MULTIPLY] = 11,   [OP_DIVIDE] = 11,	  [OP_REST] = 11,	  [OP_NOT] = 12,
	[OP_COMPLEMENT] = 12, [OP_NEGATIVE] = 12, [OP_NONE] = 0,
};

struct evaluation {
	const struct pdt_event *event;
	const char *p; /* where the format is read */
	struct value values[DEPTH];
	uint8_t ops[DEPTH];
	unsigned value_count, op_count;
	char scratch[SCRATCH]; /* texts that were put together */
	size_t used;
	bool bad;
};

/* ---- reading ---- */

static void skip_blanks(struct evaluation *v)
{
	while (isspace((unsigned char)*v->p))
		v->p++;
}

static bool take(struct evaluation *v, const char *text)
{
	size_t n = strlen(text);

	skip_blanks(v);
	if (strncmp(v->p, text, n) != 0)
		return false;
	v->p += n;
	return true;
}

/* A word of letters, digits and '_' into NAME. */
static bool take_name(struct evaluation *v, char name[NAME_MAX_LEN + 1])
{
	size_t n = 0;

	skip_blanks(v);
	while (isalnum((unsigned char)v->p[n]) || v->p[n] == '_')
		n++;
	if (!n || n > NAME_MAX_LEN)
		return false;
	memcpy(name, v->p, n);
	name[n] = '\0';
	v->p += n;
	return true;
}

/* "text", with nothing in it that stands for another character. */
static bool take_text(struct evaluation *v, struct value *out)
{
	size_t n;

	if (!take(v, "\""))
		return false;
	n = strcspn(v->p, "\"\\");
	if (v->p[n] != '"')
		return false;
	*out = (struct value){ .text = v->p, .len = n };
	v->p += n + 1;
	return true;
}

static bool take_number(struct evaluation *v, uint64_t *out)
{
	bool negative = take(v, "-");
	char *end;

	skip_blanks(v);
	if (!isdigit((unsigned char)*v->p))
		return false;
	*out = strtoull(v->p, &end, 0);
	v->p = end + strspn(end, "uUlL");
	if (negative)
		*out = -*out;
	return true;
}

/* ---- stacks ---- */

static void push_value(struct evaluation *v, struct value value)
{
	v->bad |= v->value_count == DEPTH;
	if (!v->bad)
		v->values[v->value_count++] = value;
}

static void push_op(struct evaluation *v, enum op op)
{
	v->bad |= v->op_count == DEPTH;
	if (!v->bad)
		v->ops[v->op_count++] = (uint8_t)op;
}

static enum op top(const struct evaluation *v)
{
	return v->op_count ? (enum op)v->ops[v->op_count - 1] : OP_NONE;
}

static bool is_true(struct value v)
{
	return v.text || v.number;
}

static uint64_t divided(uint64_t a, uint64_t b, bool rest)
{
	if (!b)
		return 0;
	return rest ? a % b : a / b;
}

static uint64_t computed(enum op op, uint64_t a, uint64_t b)
{
	int64_t x = (int64_t)a, y = (int64_t)b;

	switch (op) {
	case OP_OR_ELSE:
		return a || b;
	case OP_AND_THEN:
		return a && b;
	case OP_OR:
		return a | b;
	case OP_XOR:
		return a ^ b;
	case OP_AND:
		return a & b;
	case OP_EQUAL:
		return a == b;
	case OP_NOT_EQUAL:
		return a != b;
	case OP_LESS_EQUAL:
		return x <= y;
	case OP_GREATER_EQUAL:
		return x >= y;
	case OP_LESS:
		return x < y;
	case OP_GREATER:
		return x > y;
	case OP_LEFT:
		return b < 64 ? a << b : 0;
	case OP_RIGHT:
		return b < 64 ? a >> b : 0;
	case OP_ADD:
		return a + b;
	case OP_SUBTRACT:
		return a - b;
	case OP_MULTIPLY:
		return a * b;
	default:
		return divided(a, b, op == OP_REST);
	}
}

static uint64_t computed_alone(enum op op, uint64_t a)
{
	return op == OP_NOT ? !a : op == OP_COMPLEMENT ? ~a : -a;
}

/* Do what the topmost operator says. */
static void apply(struct evaluation *v)
{
	enum op op = top(v);
	unsigned wanted = op == OP_CHOOSE ? 3 : op >= OP_NOT ? 1 : 2;
	struct value *args;

	v->op_count--;
	v->bad |= !binds[op] || v->value_count < wanted;
	if (v->bad)
		return;
	v->value_count -= wanted;
	args = v->values + v->value_count;
	if (op == OP_CHOOSE) {
		push_value(v, is_true(args[0]) ? args[1] : args[2]);
		return;
	}
	v->bad |= args[0].text || (wanted == 2 && args[1].text);
	args[0].number = wanted == 1 ? computed_alone(op, args[0].number)
				     : computed(op, args[0].number, args[1].number);
	v->value_count++;
}

static void apply_above(struct evaluation *v, unsigned least)
{
	while (!v->bad && v->op_count && binds[top(v)] >= least && binds[top(v)])
		apply(v);
}

/* ---- lists of flags ---- */

static void add_scratch(struct evaluation *v, const char *text, size_t len)
{
	v->bad |= len > SCRATCH - v->used;
	if (v->bad)
		return;
	memcpy(v->scratch + v->used, text, len);
	v->used += len;
}

static void add_rest(struct evaluation *v, uint64_t n)
{
	char text[24];
	int len = snprintf(text, sizeof(text), "0x%llx", (unsigned long long)n);

	add_scratch(v, text, (size_t)len);
}

/* { VALUE, "text" } */
static bool take_entry(struct evaluation *v, uint64_t *value, struct value *text)
{
	return take(v, "{") && take_number(v, value) && take(v, ",") && take_text(v, text) &&
	       take(v, "}");
}

/* The rest of __print_flags(N, "|", ENTRY, ...) */
static void show_flags(struct evaluation *v, uint64_t n)
{
	struct value delimiter, text;
	bool first = true;
	uint64_t flag;

	v->bad |= !take_text(v, &delimiter);
	while (!v->bad && take(v, ",")) {
		v->bad |= !take_entry(v, &flag, &text);
		if (v->bad || !flag || (n & flag) != flag)
			continue;
		add_scratch(v, delimiter.text, first ? 0 : delimiter.len);
		add_scratch(v, text.text, text.len);
		n &= ~flag;
		first = false;
	}
	if (!v->bad && n) {
		add_scratch(v, delimiter.text, first ? 0 : delimiter.len);
		add_rest(v, n);
	}
}

/* The rest of __print_symbolic(N, ENTRY, ...) */
static void show_symbol(struct evaluation *v, uint64_t n)
{
	bool found = false;
	struct value text;
	uint64_t value;

	do {
		v->bad |= !take_entry(v, &value, &text);
		if (!v->bad && value == n && !found) {
			add_scratch(v, text.text, text.len);
			found = true;
		}
	} while (!v->bad && take(v, ","));
	if (!v->bad && !found)
		add_rest(v, n);
}

/* Behind the first argument of one of these: its text takes the argument's place. */
static void end_list(struct evaluation *v)
{
	size_t from = v->used;
	struct value n;

	v->bad |= !v->value_count || v->values[v->value_count - 1].text;
	if (v->bad)
		return;
	n = v->values[--v->value_count];
	if (v->ops[--v->op_count] == OP_FLAGS)
		show_flags(v, n.number);
	else
		show_symbol(v, n.number);
	v->bad |= !take(v, ")");
	push_value(v, (struct value){ .text = v->scratch + from, .len = v->used - from });
}

/* ---- expressions ---- */

static void push_field(struct evaluation *v)
{
	char name[NAME_MAX_LEN + 1];
	const struct pdt_field *f;
	struct value value = { 0 };

	v->bad |= !take_name(v, name);
	f = v->bad ? NULL : pdt_event_field(v->event, name);
	v->bad |= !f;
	if (v->bad)
		return;
	if (pdt_event_number(v->event, f, &value.number) < 0) {
		value.text = pdt_event_text(v->event, f, &value.len);
		v->bad |= !value.text;
	}
	push_value(v, value);
}

/* A type as wide as all numbers are here, in parentheses. */
static bool take_cast(struct evaluation *v)
{
	static const char *const types[] = { "(unsigned long long)",
					     "(long long)",
					     "(unsigned long)",
					     "(long)",
					     "(u64)",
					     "(__u64)",
					     "(s64)",
					     "(size_t)" };

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		if (take(v, types[i]))
			return true;
	}
	return false;
}

/* What may begin an operand. False: it was one, whole. */
static bool take_prefix(struct evaluation *v)
{
	static const struct {
		const char *text;
		enum op op;
	} prefixes[] = { { "__print_flags(", OP_FLAGS },
			 { "__print_symbolic(", OP_SYMBOLIC },
			 { "(", OP_OPEN },
			 { "!", OP_NOT },
			 { "~", OP_COMPLEMENT },
			 { "-", OP_NEGATIVE } };

	if (take_cast(v))
		return true;
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		if (take(v, prefixes[i].text)) {
			push_op(v, prefixes[i].op);
			return true;
		}
	}
	return false;
}

static void take_operand(struct evaluation *v)
{
	struct value value = { 0 };

	while (!v->bad && take_prefix(v))
		;
	if (take(v, "REC->")) {
		push_field(v);
	} else if (take(v, "__get_str(")) {
		push_field(v);
		v->bad |= !take(v, ")");
	} else if (take_text(v, &value) || take_number(v, &value.number)) {
		push_value(v, value);
	} else {
		v->bad = true;
	}
}

static enum op take_operator(struct evaluation *v)
{
	static const struct {
		const char *text;
		enum op op;
	} operators[] = {
		{ "||", OP_OR_ELSE },	{ "&&", OP_AND_THEN },	 { "==", OP_EQUAL },
		{ "!=", OP_NOT_EQUAL }, { "<=", OP_LESS_EQUAL }, { ">=", OP_GREATER_EQUAL },
		{ "<<", OP_LEFT },	{ ">>", OP_RIGHT },	 { "<", OP_LESS },
		{ ">", OP_GREATER },	{ "|", OP_OR },		 { "^", OP_XOR },
		{ "&", OP_AND },	{ "+", OP_ADD },	 { "-", OP_SUBTRACT },
		{ "*", OP_MULTIPLY },	{ "/", OP_DIVIDE },	 { "%", OP_REST },
		{ "?", OP_IF },
	};

	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++) {
		if (take(v, operators[i].text))
			return operators[i].op;
	}
	return OP_NONE;
}

/* Behind an operand: begin what comes, or close what ends there. True when an operand must follow.
 */
static bool take_rest(struct evaluation *v)
{
	for (;;) {
		enum op op = take_operator(v);

		if (op != OP_NONE) {
			apply_above(v, op == OP_IF ? binds[OP_CHOOSE] + 1u : binds[op]);
			push_op(v, op);
			return true;
		}
		apply_above(v, 1);
		op = top(v);
		if (op == OP_OPEN && take(v, ")")) {
			v->op_count--;
		} else if ((op == OP_FLAGS || op == OP_SYMBOLIC) && take(v, ",")) {
			end_list(v);
		} else if (op == OP_IF && take(v, ":")) {
			v->ops[v->op_count - 1] = OP_CHOOSE;
			return true;
		} else {
			return false;
		}
	}
}

/* The value of the expression at P, up to a ',' or the end. */
static bool evaluate(struct evaluation *v, struct value *out)
{
	v->value_count = v->op_count = 0;
	v->used = 0;
	do
		take_operand(v);
	while (!v->bad && take_rest(v));
	if (v->bad || v->op_count || v->value_count != 1)
		return false;
	*out = v->values[0];
	return true;
}

/* ---- the format ---- */

/* A conversion: flags, width and precision as they stand, how wide its number is, its letter. */
struct conversion {
	char spec[24];
	char letter;
	bool wide;
};

/* At S, behind the '%'. Returns what lies behind it; NULL: it is not understood. */
static const char *read_conversion(const char *s, struct conversion *c)
{
	size_t n = strspn(s, "-+ #0123456789."), length;

	if (n > sizeof(c->spec) - 6)
		return NULL;
	c->spec[0] = '%';
	memcpy(c->spec + 1, s, n);
	c->spec[n + 1] = '\0';
	s += n;
	length = strspn(s, "lLzj");
	c->wide = length;
	c->letter = s[length];
	return c->letter && strchr("diuxXocs", c->letter) ? s + length + 1 : NULL;
}

static bool show(struct conversion *c, struct value v, struct buf *out)
{
	size_t n = strlen(c->spec);
	char text[128];
	int len;

	if ((c->letter == 's') != (v.text != NULL))
		return false;
	if (v.text) {
		buf_add(out, v.text, v.len);
		return n == 1; /* else it would be padded, which hardly a format asks for */
	}
	if (c->letter == 'c') {
		buf_char(out, (char)v.number);
		return n == 1;
	}
	if (!c->wide)
		v.number = strchr("di", c->letter) ? (uint64_t)(int64_t)(int32_t)v.number
						   : (uint32_t)v.number;
	snprintf(c->spec + n, sizeof(c->spec) - n, "ll%c", c->letter);
	len = snprintf(text, sizeof(text), c->spec, (long long)v.number);
	if (len < 0 || (size_t)len >= sizeof(text))
		return false;
	buf_add(out, text, (size_t)len);
	return true;
}

void perf_fields_text(const struct pdt_event *e, struct buf *out)
{
	struct evaluation v = { .event = e };
	const char *s = e->format ? pdt_format_print(e->format) : "";
	const char *end;
	struct conversion c;
	struct value value;

	while (isspace((unsigned char)*s))
		s++;
	if (*s++ != '"')
		return;
	end = s + strcspn(s, "\"");
	v.p = end + (*end == '"');
	while (s < end && *s != '\\') {
		if (*s != '%' || s[1] == '%') {
			buf_char(out, *s);
			s += 1 + (*s == '%');
			continue;
		}
		s = read_conversion(s + 1, &c);
		if (!s || !take(&v, ",") || !evaluate(&v, &value) || !show(&c, value, out))
			return;
	}
}
