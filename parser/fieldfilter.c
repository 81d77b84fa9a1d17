/* Parse an expression into comparisons and a list of steps in postfix order, and answer each
 * comparison by the fields of an event. Comparisons are bits of a word: there are few. */
#include "parser/fieldfilter.h"
#include "parser/base/mem.h"
#include "parser/file/attr.h"
#include "parser/record/tracepoint.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TESTS_MAX 64  /* one bit each */
#define STEPS_MAX 256 /* of the postfix list, and operators that wait */
#define DESCS_MAX 65536
#define TEXT_MAX  256 /* of a field that is compared */

enum compare { EQ, NE, LT, LE, GT, GE, MASK, GLOB, NOT_GLOB, COMPARES };

static const char *const compare_names[COMPARES] = {
	[EQ] = "==", [NE] = "!=",  [LT] = "<",	 [LE] = "<=",	    [GT] = ">",
	[GE] = ">=", [MASK] = "&", [GLOB] = "~", [NOT_GLOB] = "!~",
};

struct test {
	char *field, *value;
	enum compare compare;
	bool is_number; /* VALUE, too, is NUMBER */
	bool negative;
	uint64_t number;
	bool found;
};

/* A test, or an operator on what came before it. */
enum { STEP_AND = -1, STEP_OR = -2, STEP_NOT = -3, STEP_OPEN = -4 };

/* Where the fields of an event lie. */
struct binding {
	bool bound;
	const struct pdt_field *fields[TESTS_MAX];
};

struct field_filter {
	struct test tests[TESTS_MAX];
	size_t test_count;
	int steps[STEPS_MAX];
	size_t step_count;
	struct binding **bindings; /* by the index of the event; NULL: not seen yet */
	size_t binding_count, binding_cap;
	uint64_t passed;
	char *lacking; /* of the first event without a field: what it has */
	char *unfit;   /* a comparison that its field cannot have */
	char *fault;
};

/* ---- parsing ---- */

struct parsing {
	struct field_filter *f;
	const char *text, *p;
	int waiting[STEPS_MAX];
	size_t waiting_count;
	struct buf *why;
};

static int expected(struct parsing *g, const char *what)
{
	if (!g->why->len)
		buf_printf(g->why, "%s at \"%.40s\"", what, *g->p ? g->p : "the end");
	return ERR_USAGE;
}

static void skip_blanks(struct parsing *g)
{
	while (isspace((unsigned char)*g->p))
		g->p++;
}

static size_t name_length(const char *p)
{
	size_t n = 0;

	if (isalpha((unsigned char)*p) || *p == '_')
		while (isalnum((unsigned char)p[n]) || p[n] == '_' || p[n] == '.')
			n++;
	return n;
}

static int parse_compare(struct parsing *g, enum compare *out)
{
	enum compare best = COMPARES;

	for (int c = 0; c < COMPARES; c++) { /* the longest: "<=" is no "<" */
		size_t n = strlen(compare_names[c]);

		if (!strncmp(g->p, compare_names[c], n) &&
		    (best == COMPARES || n > strlen(compare_names[best])))
			best = (enum compare)c;
	}
	if (best == COMPARES || (best == MASK && g->p[1] == '&'))
		return expected(g, "== != < <= > >= & ~ or !~");
	g->p += strlen(compare_names[best]);
	*out = best;
	return 0;
}

/* "text", 'text' or a word. */
static int parse_value(struct parsing *g, struct test *t)
{
	char quote = *g->p == '"' || *g->p == '\'' ? *g->p : 0;
	const char *from = g->p + (quote != 0), *end = quote ? strchr(from, quote) : NULL;
	char *rest;

	if (quote && !end)
		return expected(g, "a text with its closing quote");
	if (!quote)
		end = from + strcspn(from, " \t\n&|()\"'");
	if (end == from && !quote)
		return expected(g, "a value");
	t->value = xmalloc((size_t)(end - from) + 1);
	memcpy(t->value, from, (size_t)(end - from));
	t->value[end - from] = '\0';
	g->p = end + (quote != 0);
	errno = 0;
	t->negative = *t->value == '-';
	t->number = strtoull(t->value, &rest, 0);
	t->is_number = !quote && isdigit((unsigned char)t->value[t->negative]) && !*rest && !errno;
	if ((t->compare == MASK || (t->compare >= LT && t->compare <= GE)) && !t->is_number)
		return expected(g, "a number before this");
	return 0;
}

static int add_step(struct parsing *g, int step)
{
	if (g->f->step_count >= STEPS_MAX)
		return expected(g, "a shorter expression");
	g->f->steps[g->f->step_count++] = step;
	return 0;
}

static int wait(struct parsing *g, int step)
{
	if (g->waiting_count >= STEPS_MAX)
		return expected(g, "a shorter expression");
	g->waiting[g->waiting_count++] = step;
	return 0;
}

static int parse_test(struct parsing *g)
{
	struct field_filter *f = g->f;
	size_t n = name_length(g->p);
	struct test *t = &f->tests[f->test_count];
	int rc;

	if (!n)
		return expected(g, "the name of a field");
	if (f->test_count >= TESTS_MAX)
		return expected(g, "fewer comparisons");
	f->test_count++;
	t->field = xmalloc(n + 1);
	memcpy(t->field, g->p, n);
	t->field[n] = '\0';
	g->p += n;
	skip_blanks(g);
	rc = parse_compare(g, &t->compare);
	skip_blanks(g);
	rc = rc ? rc : parse_value(g, t);
	return rc ? rc : add_step(g, (int)(f->test_count - 1));
}

/* Hand on what binds at least as tightly as STEP. */
static int settle(struct parsing *g, int step)
{
	int rc = 0;

	while (!rc && g->waiting_count && g->waiting[g->waiting_count - 1] != STEP_OPEN &&
	       (step == STEP_OR || g->waiting[g->waiting_count - 1] != STEP_OR))
		rc = add_step(g, g->waiting[--g->waiting_count]);
	return rc;
}

/* A comparison, with what may stand before it. */
static int parse_operand(struct parsing *g)
{
	int rc = 0;

	for (skip_blanks(g); !rc && (*g->p == '!' || *g->p == '('); skip_blanks(g))
		rc = wait(g, *g->p++ == '!' ? STEP_NOT : STEP_OPEN);
	return rc ? rc : parse_test(g);
}

/* What may stand behind it; *MORE: another one must follow. */
static int parse_operator(struct parsing *g, bool *more)
{
	int rc = 0, step;

	for (skip_blanks(g); !rc && *g->p == ')'; skip_blanks(g)) {
		rc = settle(g, STEP_OR);
		if (!g->waiting_count)
			return expected(g, "the opening ( of what is");
		g->waiting_count--;
		g->p++;
	}
	*more = *g->p != '\0';
	if (rc || !*more)
		return rc;
	if (strncmp(g->p, "&&", 2) && strncmp(g->p, "||", 2))
		return expected(g, "&& or ||");
	step = *g->p == '&' ? STEP_AND : STEP_OR;
	g->p += 2;
	rc = settle(g, step);
	return rc ? rc : wait(g, step);
}

int field_filter_new(struct field_filter **out, const char *text, struct buf *why)
{
	struct parsing g = { .f = xcalloc(1, sizeof(*g.f)), .text = text, .p = text, .why = why };
	bool more = true;
	int rc = 0;

	while (!rc && more) {
		rc = parse_operand(&g);
		rc = rc ? rc : parse_operator(&g, &more);
	}
	rc = rc ? rc : settle(&g, STEP_OR);
	if (!rc && g.waiting_count)
		rc = expected(&g, "the closing )");
	*out = rc ? NULL : g.f;
	if (rc)
		field_filter_free(g.f);
	return rc;
}

void field_filter_free(struct field_filter *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->test_count; i++) {
		free(f->tests[i].field);
		free(f->tests[i].value);
	}
	for (size_t i = 0; i < f->binding_count; i++)
		free(f->bindings[i]);
	free(f->bindings);
	free(f->lacking);
	free(f->unfit);
	free(f->fault);
	free(f);
}

/* ---- fields ---- */

static bool of_sample(const char *name)
{
	return !strcmp(name, "pid") || !strcmp(name, "tid") || !strcasecmp(name, "cpu") ||
	       !strcasecmp(name, "comm");
}

static void say_lacking(struct field_filter *f, const struct pdt_event *e)
{
	struct buf b = { 0 };

	if (f->lacking || !e->format)
		return;
	buf_printf(&b, "%s has", e->desc->name);
	for (size_t i = 0; i < e->format->field_count; i++)
		buf_printf(&b, " %s", e->format->fields[i].name);
	f->lacking = xstrdup(b.data);
	buf_release(&b);
}

/* Can what T asks be said of FIELD, NULL: of the sample? */
static bool fits(const struct test *t, const struct pdt_field *field)
{
	bool is_text = field ? field->kind != FIELD_NUMBER : !strcasecmp(t->field, "comm");

	if (field && field->kind == FIELD_BYTES)
		return false;
	if (is_text)
		return t->compare < LT || t->compare >= GLOB;
	return t->compare < GLOB && t->is_number;
}

static void bind_test(struct field_filter *f, struct binding *b, size_t i,
		      const struct pdt_event *e)
{
	struct test *t = &f->tests[i];
	struct buf text = { 0 };

	b->fields[i] = e->raw ? trace_field(e->format, t->field) : NULL;
	if (!b->fields[i] && !of_sample(t->field)) {
		say_lacking(f, e);
		return;
	}
	t->found = true;
	if (fits(t, b->fields[i]) || f->unfit)
		return;
	buf_printf(&text, "%s %s %s: %s of %s cannot be compared so", t->field,
		   compare_names[t->compare], t->value, t->field, e->desc->name);
	f->unfit = xstrdup(text.data);
	buf_release(&text);
}

static struct binding *binding_of(struct field_filter *f, const struct pdt_event *e)
{
	size_t at = e->desc->index;

	if (at >= DESCS_MAX)
		return NULL;
	f->bindings =
		xgrow_to(f->bindings, &f->binding_count, &f->binding_cap, at, sizeof(*f->bindings));
	if (!f->bindings[at])
		f->bindings[at] = xcalloc(1, sizeof(**f->bindings));
	if (!f->bindings[at]->bound) {
		f->bindings[at]->bound = true;
		for (size_t i = 0; i < f->test_count; i++)
			bind_test(f, f->bindings[at], i, e);
	}
	return f->bindings[at];
}

/* ---- answers ---- */

static bool compare_text(const struct test *t, const char *s, size_t len)
{
	char text[TEXT_MAX];
	bool same;

	len = len < sizeof(text) - 1 ? len : sizeof(text) - 1;
	memcpy(text, s, len);
	text[len] = '\0';
	if (t->compare >= GLOB)
		same = !fnmatch(t->value, text, 0);
	else
		same = !strcmp(t->value, text);
	return same == (t->compare == EQ || t->compare == GLOB);
}

/* V has a sign, or WIDTH bits of it count. */
static bool compare_number(const struct test *t, uint64_t v, bool is_signed, uint64_t width)
{
	uint64_t want = t->number & (is_signed ? UINT64_MAX : width);
	bool less = is_signed ? (int64_t)v < (int64_t)want : v < want;

	switch (t->compare) {
	case EQ:
		return v == want;
	case NE:
		return v != want;
	case LT:
		return less;
	case LE:
		return less || v == want;
	case GT:
		return !less && v != want;
	case GE:
		return !less;
	default:
		return v & want;
	}
}

/* Of a value that the sample tells, not its payload. False: it does not. */
static bool ask_sample(const struct test *t, const struct pdt_event *e, const char *comm,
		       bool *holds)
{
	bool is_cpu = !strcasecmp(t->field, "cpu");

	if (!strcasecmp(t->field, "comm")) {
		*holds = comm && compare_text(t, comm, strlen(comm));
		return comm != NULL;
	}
	*holds = compare_number(t,
				is_cpu			   ? e->cpu
				: !strcmp(t->field, "pid") ? e->pid
							   : e->tid,
				false, UINT32_MAX);
	return !is_cpu || e->has_cpu;
}

static bool ask_field(const struct test *t, const struct pdt_field *field,
		      const struct pdt_event *e, bool *holds)
{
	struct payload p = { e->raw, e->raw_size };
	uint32_t size = field->size < sizeof(uint64_t) ? field->size : sizeof(uint64_t);
	const char *text;
	uint64_t v;
	size_t len;

	if (field->kind != FIELD_NUMBER) {
		text = trace_text(field, &p, &len);
		*holds = text && compare_text(t, text, len);
		return text != NULL;
	}
	if (!trace_number(field, &p, &v))
		return false;
	*holds = compare_number(t, v, field->is_signed, UINT64_MAX >> (64 - 8 * size));
	return true;
}

struct field_answer field_filter_ask(struct field_filter *f, const struct pdt_event *e,
				     const char *comm)
{
	const struct binding *b = e->desc ? binding_of(f, e) : NULL;
	struct field_answer a = { 0, 0 };

	for (size_t i = 0; b && i < f->test_count; i++) {
		const struct test *t = &f->tests[i];
		bool known, holds = false;

		if (!fits(t, b->fields[i]))
			continue;
		if (b->fields[i])
			known = ask_field(t, b->fields[i], e, &holds);
		else
			known = of_sample(t->field) && ask_sample(t, e, comm, &holds);
		a.known |= (uint64_t)known << i;
		a.held |= (uint64_t)(known && holds) << i;
	}
	return a;
}

/* Three values, as two bits: whether it is known, and what it is then. */
struct truth {
	bool known, holds;
};

static struct truth both(struct truth a, struct truth b)
{
	bool no = (a.known && !a.holds) || (b.known && !b.holds);

	return (struct truth){ no || (a.known && b.known), !no };
}

static struct truth not(struct truth a)
{
	return (struct truth){ a.known, !a.holds };
}

bool field_filter_holds(struct field_filter *f, struct field_answer a)
{
	struct truth stack[STEPS_MAX + 1];
	size_t n = 0;

	for (size_t i = 0; i < f->step_count; i++) {
		int step = f->steps[i];

		if (step >= 0) {
			stack[n++] = (struct truth){ a.known >> step & 1, a.held >> step & 1 };
			continue;
		}
		if (step == STEP_NOT) {
			stack[n - 1] = not(stack[n - 1]);
			continue;
		}
		n--;
		stack[n - 1] = step == STEP_AND ? both(stack[n - 1], stack[n])
						: not(both(not(stack[n - 1]), not(stack[n])));
	}
	f->passed += stack[0].known && stack[0].holds;
	return stack[0].known && stack[0].holds;
}

uint64_t field_filter_passed(const struct field_filter *f)
{
	return f->passed;
}

const char *field_filter_unfit(const struct field_filter *f)
{
	return f->unfit;
}

const char *field_filter_lacking(struct field_filter *f)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < f->test_count && !b.len && !f->fault && f->binding_count; i++) {
		if (!f->tests[i].found)
			buf_printf(&b, "no event has a field '%s'%s%s%s", f->tests[i].field,
				   f->lacking ? " (" : "", f->lacking ?: "", f->lacking ? ")" : "");
	}
	if (b.len)
		f->fault = xstrdup(b.data);
	buf_release(&b);
	return f->fault;
}

int filter_fields_check(const char *text, struct buf *why)
{
	struct field_filter *f;
	int rc = field_filter_new(&f, text, why);

	field_filter_free(f);
	return rc;
}
