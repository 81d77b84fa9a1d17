/* From the text of a print format to pieces and operations. Expressions are compiled with a stack
 * of fixed depth, to operations in the order in which they are done. */
#include "analyzers/compat/print_ops.h"
#include "analyzers/compat/print_types.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_LEN_MAX 63

/* 0 waits for its end. */
static const uint8_t binds[] = {
	[OP_CHOOSE] = 1,      [OP_OR_ELSE] = 2,	   [OP_AND_THEN] = 3, [OP_OR] = 4,
	[OP_XOR] = 5,	      [OP_AND] = 6,	   [OP_EQUAL] = 7,    [OP_NOT_EQUAL] = 7,
	[OP_LESS] = 8,	      [OP_LESS_EQUAL] = 8, [OP_GREATER] = 8,  [OP_GREATER_EQUAL] = 8,
	[OP_LEFT] = 9,	      [OP_RIGHT] = 9,	   [OP_ADD] = 10,     [OP_SUBTRACT] = 10,
	[OP_MULTIPLY] = 11,   [OP_DIVIDE] = 11,	   [OP_REST] = 11,    [OP_NOT] = 12,
	[OP_COMPLEMENT] = 12, [OP_NEGATIVE] = 12,  [OP_CAST] = 12,    [OP_LENGTH] = 0,
};

/* An operator that waits. */
struct waiting {
	enum print_op op;
	uint64_t number;
	const struct print_list *list;
	unsigned args; /* of a function: that were closed by a comma */
};

struct compiler {
	struct print_format *out;
	const char *p;
	struct waiting stack[PRINT_DEPTH];
	unsigned depth;
	bool bad;
	bool constant;	/* of a table: no fields, no tables */
	bool only_name; /* the operand read last was a name that nobody knows, and nothing else */
};

/* ---- reading ---- */

static void skip_blanks(struct compiler *c)
{
	while (isspace((unsigned char)*c->p))
		c->p++;
}

static bool take(struct compiler *c, const char *text)
{
	size_t n = strlen(text);

	skip_blanks(c);
	if (strncmp(c->p, text, n) != 0)
		return false;
	c->p += n;
	return true;
}

/* TEXT as a whole word. */
static bool take_word(struct compiler *c, const char *text)
{
	size_t n = strlen(text);

	skip_blanks(c);
	return !print_is_word(c->p[strncmp(c->p, text, n) ? 0 : n]) && take(c, text);
}

static bool take_name(struct compiler *c, char name[NAME_LEN_MAX + 1])
{
	size_t n = 0;

	skip_blanks(c);
	while (print_is_word(c->p[n]))
		n++;
	if (!n || n > NAME_LEN_MAX)
		return false;
	memcpy(name, c->p, n);
	name[n] = '\0';
	c->p += n;
	return true;
}

static char unescaped(char c)
{
	switch (c) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case 'r':
		return '\r';
	default:
		return c;
	}
}

/* "text" "more", in the arena. RAW: backslashes stay, for the format itself. */
static bool take_string(struct compiler *c, bool raw, const char **text, size_t *len)
{
	struct buf b = { 0 };
	bool any = false;

	while (take(c, "\"")) {
		for (any = true; *c->p && *c->p != '"'; c->p++) {
			if (*c->p == '\\' && c->p[1]) {
				c->p++;
				if (raw)
					buf_char(&b, '\\');
				buf_char(&b, raw ? *c->p : unescaped(*c->p));
			} else {
				buf_char(&b, *c->p);
			}
		}
		if (!take(c, "\"")) {
			any = false;
			break;
		}
	}
	*text = any ? arena_strndup(&c->out->arena, b.data ?: "", b.len) : NULL;
	*len = b.len;
	buf_release(&b);
	return any;
}

/* ---- writing ---- */

static struct print_do *emit(struct compiler *c, enum print_op op)
{
	struct print_format *f = c->out;

	if (f->op_count == PRINT_OPS_MAX) {
		c->bad = true;
		f->op_count--; /* nothing of it is used */
	}
	f->ops = xgrow(f->ops, &f->op_cap, f->op_count + 1, sizeof(*f->ops));
	f->ops[f->op_count] = (struct print_do){ .op = op };
	return &f->ops[f->op_count++];
}

static void push(struct compiler *c, enum print_op op, uint64_t number)
{
	if (c->depth == PRINT_DEPTH)
		c->bad = true;
	else
		c->stack[c->depth++] = (struct waiting){ .op = op, .number = number };
}

static enum print_op top(const struct compiler *c)
{
	return c->depth ? c->stack[c->depth - 1].op : OP_NONE;
}

/* Write the topmost operator. */
static void pop(struct compiler *c)
{
	const struct waiting *w = &c->stack[--c->depth];
	struct print_do *d = emit(c, w->op);

	d->number = w->number;
	if (w->list)
		d->list = w->list;
}

static void pop_above(struct compiler *c, unsigned least)
{
	while (c->depth && binds[top(c)] && binds[top(c)] >= least)
		pop(c);
}

/* "(type)" before an operand: a name in parentheses is one when a value follows. */
static bool take_cast(struct compiler *c)
{
	char type[NAME_LEN_MAX + 1];
	const char *end, *next;
	size_t n;

	skip_blanks(c);
	if (*c->p != '(')
		return false;
	n = print_read_type(c->p + 1, type, NAME_LEN_MAX, &end);
	if (!n)
		return false;
	for (next = end; isspace((unsigned char)*next);)
		next++;
	if (!print_is_word(*next) && *next != '(' && *next != '"' && *next != '\'' &&
	    !((*next == '-' || *next == '~' || *next == '&') &&
	      (print_type_bytes(type, n) || print_ends_in_star(type, n))))
		return false;
	c->p = end;
	push(c, OP_CAST, print_ends_in_star(type, n) ? 0 : print_cast_mask(type, n));
	return true;
}

/* ---- fields ---- */

/* An operand made of the field that is named next. */
static void emit_field(struct compiler *c, enum print_op op)
{
	char name[NAME_LEN_MAX + 1];
	const struct pdt_field *f;
	struct print_do *d;

	f = !c->constant && take_name(c, name) ? pdt_format_field(c->out->format, name) : NULL;
	if (!f) {
		c->bad = true;
		return;
	}
	d = emit(c, op);
	d->field = f;
	(void)!pdt_field_place(f, &d->offset, &d->size);
	d->number = print_element_of(f, d->size);
}

/* ---- tables ---- */

static bool compile_constant(struct print_format *f, const char **p, int64_t *value);

/* A text, or the number that stands in its place: "((void *)0)" ends some tables. */
static bool take_entry_text(struct compiler *c, struct print_entry *e)
{
	char number[24];
	int64_t value;

	if (take_string(c, false, &e->text, &e->len))
		return true;
	if (!compile_constant(c->out, &c->p, &value))
		return false;
	e->len = (size_t)snprintf(number, sizeof(number), "%" PRId64, value);
	e->text = arena_strndup(&c->out->arena, number, e->len);
	return true;
}

/* { VALUE, "text" } */
static bool take_entry(struct compiler *c, struct print_entry *e)
{
	return take(c, "{") && compile_constant(c->out, &c->p, &e->value) && take(c, ",") &&
	       take_entry_text(c, e) && take(c, "}");
}

/* The entries up to the ')'. */
static void take_list(struct compiler *c, bool delimited)
{
	struct print_list *list = arena_alloc(&c->out->arena, sizeof(*list));
	struct print_entry *entries = NULL, *kept;
	size_t cap = 0;

	*list = (struct print_list){ .delimiter = "" };
	c->bad |= c->constant;
	if (delimited && !c->bad) {
		c->bad |= !take_string(c, false, &list->delimiter, &list->delimiter_len);
		c->bad |= !take(c, ",");
	}
	while (!c->bad) {
		entries = xgrow(entries, &cap, list->count + 1, sizeof(*entries));
		if (!take_entry(c, &entries[list->count]))
			break;
		list->count++;
		if (!take(c, ","))
			break;
	}
	kept = arena_alloc(&c->out->arena, (list->count + 1) * sizeof(*kept));
	if (list->count)
		memcpy(kept, entries, list->count * sizeof(*kept));
	list->entries = kept;
	free(entries);
	c->stack[c->depth - 1].list = list;
}

/* ---- expressions ---- */

static const struct function {
	const char *name;
	enum print_op op;
	bool field; /* its argument is the name of a field */
} functions[] = {
	{ "__print_flags", OP_FLAGS, false },
	{ "__print_flags_u64", OP_FLAGS, false },
	{ "__print_symbolic", OP_SYMBOLIC, false },
	{ "__print_symbolic_u64", OP_SYMBOLIC, false },
	{ "__print_hex", OP_HEX, false },
	{ "__print_hex_str", OP_HEX_STR, false },
	{ "__print_array", OP_ARRAY, false },
	{ "__builtin_expect", OP_EXPECT, false },
	{ "__get_str", OP_STR, true },
	{ "__get_rel_str", OP_STR, true },
	{ "__get_bitmask", OP_BITMASK, true },
	{ "__get_rel_bitmask", OP_BITMASK, true },
	{ "__get_cpumask", OP_CPUMASK, true },
	{ "__get_rel_cpumask", OP_CPUMASK, true },
	{ "__get_dynamic_array", OP_DYNAMIC, true },
	{ "__get_rel_dynamic_array", OP_DYNAMIC, true },
	{ "__get_sockaddr", OP_DYNAMIC, true },
	{ "__get_rel_sockaddr", OP_DYNAMIC, true },
	{ "__get_dynamic_array_len", OP_LENGTH, true },
	{ "__get_rel_dynamic_array_len", OP_LENGTH, true },
};

/* True: an operand must follow, or it is bad. */
static bool call(struct compiler *c, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		if (strcmp(functions[i].name, name) != 0)
			continue;
		if (!functions[i].field) {
			push(c, functions[i].op, 0);
			return true;
		}
		emit_field(c, functions[i].op);
		c->bad |= !take(c, ")");
		return false;
	}
	c->bad = true;
	return false;
}

static void emit_number(struct compiler *c, uint64_t number)
{
	emit(c, OP_NUMBER)->number = number;
}

static void take_sizeof(struct compiler *c)
{
	char type[NAME_LEN_MAX + 1];
	const char *end;
	size_t n = print_read_type(c->p, type, NAME_LEN_MAX, &end);
	unsigned bytes = print_ends_in_star(type, n) ? 8 : print_type_bytes(type, n);

	c->bad |= !n || !bytes;
	if (c->bad)
		return;
	c->p = end;
	emit_number(c, bytes);
}

/* 'x' */
static bool take_char(struct compiler *c)
{
	const char *p;

	skip_blanks(c);
	p = c->p;
	if (*p++ != '\'' || !*p)
		return false;
	c->bad |= *p == '\\' ? !p[1] || p[2] != '\'' : p[1] != '\'';
	if (c->bad)
		return true;
	emit_number(c, (unsigned char)(*p == '\\' ? unescaped(p[1]) : *p));
	c->p = p + (*p == '\\' ? 3 : 2);
	return true;
}

static bool take_number(struct compiler *c)
{
	char *end;
	uint64_t n;

	skip_blanks(c);
	if (!isdigit((unsigned char)*c->p))
		return false;
	n = strtoull(c->p, &end, 0);
	c->p = end + strspn(end, "uUlL");
	c->bad |= print_is_word(*c->p);
	emit_number(c, n);
	return true;
}

/* A name alone: no value that is known, as in libtraceevent but for a few. */
static void emit_name(struct compiler *c, const char *name)
{
	static const char *const known[] = { "HI_SOFTIRQ",	"TIMER_SOFTIRQ", "NET_TX_SOFTIRQ",
					     "NET_RX_SOFTIRQ",	"BLOCK_SOFTIRQ", "IRQ_POLL_SOFTIRQ",
					     "TASKLET_SOFTIRQ", "SCHED_SOFTIRQ", "HRTIMER_SOFTIRQ",
					     "RCU_SOFTIRQ" };

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (!strcmp(known[i], name)) {
			emit_number(c, i);
			return;
		}
	}
	c->only_name = strcmp(name, "HRTIMER_NORESTART") && strcmp(name, "HRTIMER_RESTART");
	emit_number(c, !strcmp(name, "HRTIMER_RESTART"));
}

/* True: an operand must still follow. */
static bool take_name_operand(struct compiler *c)
{
	char name[NAME_LEN_MAX + 1];

	c->bad |= !take_name(c, name);
	if (c->bad)
		return false;
	if (take(c, "(")) {
		if (strcmp(name, "sizeof"))
			return call(c, name);
		take_sizeof(c);
		return false;
	}
	emit_name(c, name);
	return false;
}

static bool take_prefix(struct compiler *c)
{
	static const struct {
		const char *text;
		enum print_op op;
	} prefixes[] = {
		{ "(", OP_OPEN }, { "!", OP_NOT }, { "~", OP_COMPLEMENT }, { "-", OP_NEGATIVE }
	};

	if (take_cast(c))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		if (take(c, prefixes[i].text)) {
			push(c, prefixes[i].op, 0);
			return true;
		}
	}
	return take(c, "&") || take(c, "+"); /* the address of an array is the array */
}

static void take_operand(struct compiler *c)
{
	const char *text;
	size_t len;

	do {
		while (!c->bad && take_prefix(c))
			;
		c->only_name = false;
		if (c->bad)
			return;
		if (take_word(c, "REC")) {
			c->bad |= !take(c, "->");
			emit_field(c, OP_FIELD);
			return;
		}
		if (take_string(c, false, &text, &len)) {
			struct print_do *d = emit(c, OP_TEXT);

			d->text = text;
			d->number = len;
			return;
		}
		if (take_char(c) || take_number(c))
			return;
	} while (take_name_operand(c));
}

static enum print_op take_operator(struct compiler *c)
{
	static const struct {
		const char *text;
		enum print_op op;
	} operators[] = {
		{ "||", OP_OR_ELSE },	{ "&&", OP_AND_THEN },	 { "==", OP_EQUAL },
		{ "!=", OP_NOT_EQUAL }, { "<=", OP_LESS_EQUAL }, { ">=", OP_GREATER_EQUAL },
		{ "<<", OP_LEFT },	{ ">>", OP_RIGHT },	 { "<", OP_LESS },
		{ ">", OP_GREATER },	{ "|", OP_OR },		 { "^", OP_XOR },
		{ "&", OP_AND },	{ "+", OP_ADD },	 { "-", OP_SUBTRACT },
		{ "*", OP_MULTIPLY },	{ "/", OP_DIVIDE },	 { "%", OP_REST },
		{ "?", OP_IF },		{ "[", OP_INDEX },
	};

	for (size_t i = 0; i < ARRAY_SIZE(operators); i++) {
		if (take(c, operators[i].text))
			return operators[i].op;
	}
	return OP_NONE;
}

/* How many arguments a function takes by commas before its ')'. */
static unsigned commas_of(enum print_op op)
{
	return op == OP_ARRAY ? 2 : op == OP_HEX || op == OP_HEX_STR || op == OP_EXPECT ? 1 : 0;
}

/* Behind an operand, at what ends it: a ')' or a ','. False: it is not ours. True with *MORE: an
 * operand must follow. */
static bool close_one(struct compiler *c, bool *more)
{
	struct waiting *w = c->depth ? &c->stack[c->depth - 1] : NULL;

	*more = false;
	if (!w)
		return false;
	if (w->op == OP_OPEN && take(c, ")")) {
		c->depth--;
	} else if (w->op == OP_INDEX && take(c, "]")) {
		pop(c);
	} else if ((w->op == OP_FLAGS || w->op == OP_SYMBOLIC) && take(c, ",")) {
		take_list(c, w->op == OP_FLAGS);
		c->bad |= !take(c, ")");
		pop(c);
	} else if (w->op == OP_IF && take(c, ":")) {
		w->op = OP_CHOOSE;
		*more = true;
	} else if (w->args < commas_of(w->op) && take(c, ",")) {
		w->args++;
		*more = true;
	} else if (w->args && w->args == commas_of(w->op) && take(c, ")")) {
		pop(c);
	} else {
		return false;
	}
	return true;
}

/* Behind an operand. True when another must follow. */
static bool take_rest(struct compiler *c)
{
	bool more;

	while (!c->bad) {
		enum print_op op = take_operator(c);

		if (op != OP_NONE) {
			c->only_name = false;
			if (op != OP_INDEX)
				pop_above(c, op == OP_IF ? binds[OP_CHOOSE] + 1u : binds[op]);
			push(c, op, 0);
			return true;
		}
		pop_above(c, 1);
		if (!close_one(c, &more))
			return false;
		if (more)
			return true;
	}
	return false;
}

/* The expression at C->p, up to what ends it. */
static bool compile(struct compiler *c)
{
	do
		take_operand(c);
	while (!c->bad && take_rest(c));
	return !c->bad && !c->depth;
}

/* The value of the expression at *P, which has no fields in it: -1 for a name that is not known. */
static bool compile_constant(struct print_format *f, const char **p, int64_t *value)
{
	struct compiler c = { .out = f, .p = *p, .constant = true };
	size_t from = f->op_count;
	struct print_value v;
	bool ok = compile(&c) && print_run(f, f->ops + from, f->op_count - from, NULL, &v);

	f->op_count = from;
	*p = c.p;
	/* as libtraceevent reads it: what does not begin with a digit is no number */
	*value = !ok || c.only_name || (int64_t)v.number < 0 ? -1 : (int64_t)v.number;
	return ok;
}

/* ---- the format ---- */

static struct print_piece *add_piece(struct print_format *f)
{
	if (f->piece_count == PRINT_PIECES_MAX) {
		f->failed = true;
		f->piece_count--;
	}
	f->pieces = xgrow(f->pieces, &f->piece_cap, f->piece_count + 1, sizeof(*f->pieces));
	f->pieces[f->piece_count] = (struct print_piece){ 0 };
	return &f->pieces[f->piece_count++];
}

static bool compile_argument(struct compiler *c, uint32_t *first, uint32_t *count)
{
	*first = (uint32_t)c->out->op_count;
	c->depth = 0;
	if (!take(c, ",") || !compile(c))
		return false;
	*count = (uint32_t)c->out->op_count - *first;
	return true;
}

/* How much of S, behind "%p", says what is shown. */
static size_t pointer_length(const char *s)
{
	size_t n;

	switch (*s) {
	case 'F':
	case 'f':
	case 'S':
	case 's':
		return 1;
	case 'M':
	case 'm':
		return 1 + (s[1] == 'R' || s[1] == 'F');
	case 'U':
		return 1 + (s[1] && strchr("LlBb", s[1]));
	case 'h':
		return 1 + (s[1] && strchr("CDN", s[1]));
	case 'I':
	case 'i':
		if (!s[1] || !strchr("46S", s[1]))
			return 1;
		n = 2;
		n += s[1] == 'S' ? strspn(s + n, "pfs") : 0;
		n += s[1] != '6' && s[n] && strchr("hnlb", s[n]);
		return n + (s[1] != '4' && s[n] == 'c');
	default:
		return 0;
	}
}

/* Is no number in the LEN bytes at S, the flags, the width and the precision of a conversion, above
 * the bound? */
static bool is_narrow(const char *s, size_t len)
{
	unsigned n = 0;

	for (size_t i = 0; i < len && n <= PRINT_WIDTH_MAX; i++)
		n = isdigit((unsigned char)s[i]) ? 10 * n + (unsigned)(s[i] - '0') : 0;
	return n <= PRINT_WIDTH_MAX;
}

/* Are the LEN bytes at S, behind a '%', flags, a width and a precision, in this order? Others
 * printf() need not understand. */
static bool is_in_order(const char *s, size_t len)
{
	static const char digits[] = "0123456789";
	size_t at = strspn(s, "#-+ 0");

	at += s[at] == '*' ? 1 : strspn(s + at, digits);
	if (at < len && s[at] == '.') {
		at++;
		at += s[at] == '*' ? 1 : strspn(s + at, digits);
	}
	return at == len;
}

/* The conversion at S, a '%'. Returns what lies behind it; NULL: it cannot be. */
static const char *add_conversion(struct compiler *c, const char *s)
{
	struct print_piece *piece = add_piece(c->out);
	const char *at = s + 1;

	for (; *at && strchr("#.-+ 0123456789*", *at); at++) {
		if (*at == '*' && (piece->width_count ||
				   !compile_argument(c, &piece->width_first, &piece->width_count)))
			return NULL;
	}
	piece->text = s;
	piece->len = (size_t)(at - s);
	for (; *at && strchr("hlLzZ", *at); at++)
		piece->size = *at == 'h'   ? piece->size - 1
			      : *at == 'l' ? piece->size + 1
			      : *at == 'L' ? 2
					   : 1;
	piece->letter = *at;
	if (!*at || !strchr("pcduixXos", *at) || piece->size < -2 || piece->size > 2 ||
	    piece->len > 16 || !is_narrow(piece->text, piece->len) ||
	    !is_in_order(piece->text + 1, piece->len - 1))
		return NULL;
	at++;
	if (piece->letter == 'p') {
		piece->how = at;
		piece->kind = *at && strchr("FfSsMmIiUh", *at) ? *at : 0;
		at += pointer_length(at);
		c->out->names |= piece->kind && strchr("FfSs", piece->kind);
	}
	return compile_argument(c, &piece->first, &piece->count) ? at : NULL;
}

/* The text at S up to a conversion or the end. */
static const char *add_literal(struct compiler *c, const char *s)
{
	struct print_piece *piece = add_piece(c->out);
	struct buf b = { 0 };

	for (; *s && (*s != '%' || s[1] == '%'); s++) {
		if (*s == '\\' && s[1])
			buf_char(&b, unescaped(*++s));
		else
			buf_char(&b, *s == '%' ? *s++ : *s);
	}
	piece->len = b.len;
	memset(buf_reserve(&b, BUF_SHORT), 0, BUF_SHORT);
	piece->text = arena_strndup(&c->out->arena, b.data, b.len + BUF_SHORT);
	buf_release(&b);
	return s;
}

void print_compile(struct print_format *f)
{
	struct compiler c = { .out = f, .p = pdt_format_print(f->format) };
	const char *s;
	size_t len;

	f->failed = strnlen(c.p, PRINT_BYTES_MAX + 1) > PRINT_BYTES_MAX ||
		    !take_string(&c, true, &s, &len);
	while (!f->failed && *s) {
		s = *s == '%' && s[1] != '%' ? add_conversion(&c, s) : add_literal(&c, s);
		f->failed |= !s || c.bad;
	}
}
