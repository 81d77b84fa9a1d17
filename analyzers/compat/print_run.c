/* Run the operations of one argument, with a stack of fixed depth. All numbers are 64 bits without
 * a sign, fields are read without one, as libtraceevent has it. */
#include "analyzers/compat/print_ops.h"
#include "parser/base/digits.h"
#include "parser/base/mem.h"

#include <inttypes.h>
#include <string.h>

struct run {
	struct print_format *f;
	const struct pdt_event *event; /* NULL: none */
	struct print_value values[PRINT_DEPTH];
	unsigned count;
	bool bad;
};

static uint64_t number_at(const uint8_t *p, size_t size, bool swap)
{
	uint16_t u16;
	uint32_t u32;
	uint64_t u64;

	switch (size) {
	case 1:
		return *p;
	case 2:
		memcpy(&u16, p, 2);
		return swap ? __builtin_bswap16(u16) : u16;
	case 4:
		memcpy(&u32, p, 4);
		return swap ? __builtin_bswap32(u32) : u32;
	case 8:
		memcpy(&u64, p, 8);
		return swap ? __builtin_bswap64(u64) : u64;
	default:
		return 0;
	}
}

static inline void push(struct run *r, struct print_value v)
{
	r->bad |= r->count == PRINT_DEPTH;
	if (!r->bad)
		r->values[r->count++] = v;
}

/* ---- fields ---- */

static struct print_value field_value(const struct print_format *f, const struct print_do *d,
				      const struct pdt_event *e)
{
	struct print_value v = { .from = OP_FIELD, .element = (uint32_t)d->number };

	if (!e || !e->raw || d->offset > e->raw_size || d->size > e->raw_size - d->offset)
		return v;
	v.bytes = e->raw + d->offset;
	/* no size: all that is left */
	v.len = d->size ? d->size : e->raw_size - d->offset;
	v.number = number_at(v.bytes, d->size, f->swap);
	return v;
}

/* 0 where the whole field is not there. */
static uint64_t element_number(const struct print_format *f, const struct print_do *d,
			       const struct pdt_event *e)
{
	if (!e || !e->raw || d->offset > e->raw_size || d->size > e->raw_size - d->offset)
		return 0;
	return number_at(e->raw + d->offset + d->at, d->number, f->swap);
}

uint64_t print_number(struct print_format *f, const struct print_do *ops, size_t count,
		      const struct pdt_event *e)
{
	struct print_value v = { 0 };

	(void)!print_run(f, ops, count, e, &v);
	return v.number;
}

static void push_dynamic(struct run *r, const struct print_do *d)
{
	struct print_value v = { .from = d->op, .element = (uint32_t)d->number };

	if (r->event)
		v.bytes = pdt_event_bytes(r->event, d->field, &v.len);
	if (!v.bytes)
		v.len = 0;
	v.number = d->op == OP_LENGTH ? v.len : 0;
	push(r, v);
}

/* ---- texts that are put together ---- */

static size_t begin_text(const struct run *r)
{
	return r->f->scratch.len;
}

static void push_text(struct run *r, size_t from, enum print_op op)
{
	push(r, (struct print_value){ .from = op, .at = from, .len = r->f->scratch.len - from });
}

static void add_rest(struct buf *b, uint64_t n)
{
	buf_add(b, "0x", 2);
	buf_number(b, n, true, 0, ' ');
}

/* The first name without a value that is known stands for zero: as in libtraceevent. */
static void show_flags(const struct print_list *l, uint64_t n, struct buf *b)
{
	bool first = true;

	for (size_t i = 0; i < l->count; i++) {
		const struct print_entry *e = &l->entries[i];

		if (!n && e->value < 0) {
			buf_add(b, e->text, e->len);
			break;
		}
		if (e->value <= 0 || (n & (uint64_t)e->value) != (uint64_t)e->value)
			continue;
		if (!first)
			buf_add(b, l->delimiter, l->delimiter_len);
		buf_add(b, e->text, e->len);
		n &= ~(uint64_t)e->value;
		first = false;
	}
	if (!n)
		return;
	if (!first)
		buf_add(b, l->delimiter, l->delimiter_len);
	add_rest(b, n);
}

static void show_symbol(const struct print_list *l, uint64_t n, struct buf *b)
{
	for (size_t i = 0; i < l->count; i++) {
		if ((uint64_t)l->entries[i].value != n)
			continue;
		buf_add(b, l->entries[i].text, l->entries[i].len);
		return;
	}
	add_rest(b, n);
}

void print_listed(const struct print_do *d, uint64_t n, struct buf *out)
{
	(d->op == OP_FLAGS ? show_flags : show_symbol)(d->list, n, out);
}

static void run_list(struct run *r, const struct print_do *d)
{
	size_t from = begin_text(r);

	r->bad |= !r->count || !d->list;
	if (r->bad)
		return;
	print_listed(d, r->values[--r->count].number, &r->f->scratch);
	push_text(r, from, d->op);
}

/* How many elements of SIZE bytes V has, of COUNT that are asked for. */
static size_t within(const struct print_value *v, uint64_t count, uint64_t size)
{
	size_t most = v->bytes && size ? v->len / size : 0;

	return count < most ? (size_t)count : most;
}

static void run_hex(struct run *r, bool blanks)
{
	struct buf *b = &r->f->scratch;
	size_t from = begin_text(r);
	const struct print_value *v;
	size_t n;

	r->bad |= r->count < 2;
	if (r->bad)
		return;
	v = &r->values[r->count -= 2];
	n = within(v, v[1].number, 1);
	buf_hex(b, v->bytes, n, blanks ? " " : "");
	push_text(r, from, OP_HEX);
}

static void run_array(struct run *r)
{
	struct buf *b = &r->f->scratch;
	size_t from = begin_text(r);
	const struct print_value *v;
	uint64_t size;
	size_t n;

	r->bad |= r->count < 3;
	if (r->bad)
		return;
	v = &r->values[r->count -= 3];
	size = v[2].number;
	n = within(v, v[1].number, size);
	buf_char(b, '{');
	for (size_t i = 0; i < n; i++) {
		buf_str(b, i ? "," : "");
		add_rest(b, number_at(v->bytes + i * size, size, r->f->swap));
	}
	buf_char(b, '}');
	push_text(r, from, OP_ARRAY);
}

/* ---- masks: longs, the lowest bits first ---- */

static bool bit_of(const struct print_value *v, size_t bit, bool big)
{
	/* the bytes of a big-endian long lie the other way round */
	size_t byte = big ? v->len - 1 - bit / 8 : bit / 8;

	return v->bytes[byte] >> bit % 8 & 1;
}

static void show_bitmask(struct run *r, const struct print_value *v)
{
	struct buf *b = &r->f->scratch;

	for (size_t left = v->len; left; left--) {
		buf_printf(b, "%02x", v->bytes[r->f->big ? v->len - left : left - 1]);
		if (left > 1 && (left - 1) % 4 == 0)
			buf_char(b, ',');
	}
}

static void show_cpumask(struct run *r, const struct print_value *v)
{
	struct buf *b = &r->f->scratch;
	size_t bits = v->len * 8, end;
	bool first = true;

	for (size_t i = 0; i < bits; i = end + 1) {
		end = i;
		if (!bit_of(v, i, r->f->big))
			continue;
		while (end + 1 < bits && bit_of(v, end + 1, r->f->big))
			end++;
		buf_printf(b, end > i ? "%s%zu-%zu" : "%s%zu", first ? "" : ",", i, end);
		first = false;
	}
}

static void push_mask(struct run *r, const struct print_do *d)
{
	size_t from = begin_text(r);
	struct print_value v = { 0 };

	if (r->event)
		v.bytes = pdt_event_bytes(r->event, d->field, &v.len);
	if (v.bytes)
		(d->op == OP_BITMASK ? show_bitmask : show_cpumask)(r, &v);
	push_text(r, from, d->op);
}

/* ---- numbers ---- */

static uint64_t divided(uint64_t a, uint64_t b, bool rest)
{
	if (!b)
		return 0;
	return rest ? a % b : a / b;
}

static uint64_t compare(enum print_op op, uint64_t a, uint64_t b)
{
	switch (op) {
	case OP_EQUAL:
		return a == b;
	case OP_NOT_EQUAL:
		return a != b;
	case OP_LESS:
		return a < b;
	case OP_LESS_EQUAL:
		return a <= b;
	case OP_GREATER:
		return a > b;
	default:
		return a >= b;
	}
}

static uint64_t computed(enum print_op op, uint64_t a, uint64_t b)
{
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
	case OP_DIVIDE:
	case OP_REST:
		return divided(a, b, op == OP_REST);
	default:
		return compare(op, a, b);
	}
}

static void run_two(struct run *r, enum print_op op)
{
	struct print_value *v;

	r->bad |= r->count < 2;
	if (r->bad)
		return;
	v = &r->values[--r->count - 1];
	*v = (struct print_value){ .number = computed(op, v[0].number, v[1].number) };
}

static void run_one(struct run *r, const struct print_do *d)
{
	struct print_value *v;

	r->bad |= !r->count;
	if (r->bad)
		return;
	v = &r->values[r->count - 1];
	if (d->op == OP_CAST) { /* also of what is no number: it stays that */
		v->number &= d->number ? d->number : UINT64_MAX;
		return;
	}
	*v = (struct print_value){ .number = d->op == OP_NOT	      ? !v->number
					     : d->op == OP_COMPLEMENT ? ~v->number
								      : -v->number };
}

static void run_index(struct run *r)
{
	struct print_value *v;
	uint64_t number = 0;

	r->bad |= r->count < 2;
	if (r->bad)
		return;
	v = &r->values[r->count -= 2];
	if (v->bytes && v->element && v[1].number < v->len / v->element)
		number = number_at(v->bytes + v[1].number * v->element, v->element, r->f->swap);
	push(r, (struct print_value){ .number = number });
}

static void run_choose(struct run *r)
{
	struct print_value *v;

	r->bad |= r->count < 3;
	if (r->bad)
		return;
	v = &r->values[r->count -= 3];
	push(r, v[0].number || v[0].from == OP_TEXT ? v[1] : v[2]);
}

static void drop(struct run *r)
{
	r->bad |= r->count < 2;
	r->count -= !r->bad;
}

static void run_op(struct run *r, const struct print_do *d)
{
	switch (d->op) {
	case OP_NUMBER:
		push(r, (struct print_value){ .number = d->number });
		break;
	case OP_TEXT:
		push(r, (struct print_value){ .bytes = (const uint8_t *)d->text,
					      .len = d->number,
					      .from = OP_TEXT });
		break;
	case OP_FIELD:
		push(r, field_value(r->f, d, r->event));
		break;
	case OP_ELEMENT:
		push(r, (struct print_value){ .number = element_number(r->f, d, r->event) });
		break;
	case OP_STR:
	case OP_DYNAMIC:
	case OP_LENGTH:
		push_dynamic(r, d);
		break;
	case OP_BITMASK:
	case OP_CPUMASK:
		push_mask(r, d);
		break;
	case OP_FLAGS:
	case OP_SYMBOLIC:
		run_list(r, d);
		break;
	case OP_HEX:
	case OP_HEX_STR:
		run_hex(r, d->op == OP_HEX);
		break;
	case OP_ARRAY:
		run_array(r);
		break;
	case OP_INDEX:
		run_index(r);
		break;
	case OP_EXPECT:
		drop(r);
		break;
	case OP_CHOOSE:
		run_choose(r);
		break;
	case OP_NOT:
	case OP_COMPLEMENT:
	case OP_NEGATIVE:
	case OP_CAST:
		run_one(r, d);
		break;
	default:
		run_two(r, d->op);
	}
}

/* ---- numbers alone, as most arguments are: without what they could be else ---- */

static inline bool is_binary(enum print_op op)
{
	return op >= OP_OR_ELSE && op <= OP_REST;
}

/* How many operands OP takes, of those that make a number of numbers; -1: it is no such. */
static int operands_of(enum print_op op)
{
	if (is_binary(op))
		return 2;
	switch (op) {
	case OP_NUMBER:
	case OP_FIELD:
	case OP_ELEMENT:
		return 0;
	case OP_CAST:
	case OP_NOT:
	case OP_COMPLEMENT:
	case OP_NEGATIVE:
		return 1;
	case OP_CHOOSE:
		return 3;
	default:
		return -1;
	}
}

bool print_is_sum(const struct print_do *ops, size_t count)
{
	int depth = 0;

	for (size_t i = 0; i < count; i++) {
		int n = operands_of(ops[i].op);

		if (n < 0 || depth < n || depth == PRINT_DEPTH)
			return false;
		depth += 1 - n;
	}
	return depth == 1;
}

static inline uint64_t field_number(const struct print_format *f, const struct print_do *d,
				    const struct pdt_event *e)
{
	if (!e->raw || d->offset > e->raw_size || d->size > e->raw_size - d->offset)
		return 0;
	return number_at(e->raw + d->offset, d->size, f->swap);
}

static inline uint64_t one(const struct print_do *d, uint64_t v)
{
	switch (d->op) {
	case OP_CAST:
		return d->number ? v & d->number : v;
	case OP_NOT:
		return !v;
	case OP_COMPLEMENT:
		return ~v;
	default:
		return -v;
	}
}

uint64_t print_sum(const struct print_format *f, const struct print_do *ops, size_t count,
		   const struct pdt_event *e)
{
	uint64_t stack[PRINT_DEPTH + 1], *top = stack;

	*top = 0; /* values come above it */

	for (const struct print_do *d = ops; d < ops + count; d++) {
		if (d->op == OP_FIELD) {
			*++top = field_number(f, d, e);
		} else if (d->op == OP_ELEMENT) {
			*++top = element_number(f, d, e);
		} else if (d->op == OP_NUMBER) {
			*++top = d->number;
		} else if (is_binary(d->op)) {
			top--;
			*top = computed(d->op, top[0], top[1]);
		} else if (d->op == OP_CHOOSE) {
			top -= 2;
			*top = top[0] ? top[1] : top[2];
		} else {
			*top = one(d, *top);
		}
	}
	return *top;
}

/* ---- once, before all runs ---- */

static bool are_numbers(const struct print_do *ops, size_t n, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (n < count || ops[n - 1 - i].op != OP_NUMBER)
			return false;
	}
	return true;
}

/* FIELD[INDEX] within its field. */
static bool is_element(const struct print_do *field, const struct print_do *index)
{
	return field->op == OP_FIELD && index->op == OP_NUMBER && field->number &&
	       index->number < field->size / field->number;
}

uint32_t print_fold(struct print_do *ops, uint32_t count)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct print_do d = ops[i];

		if (is_binary(d.op) && are_numbers(ops, n, 2)) {
			n--;
			ops[n - 1].number = computed(d.op, ops[n - 1].number, ops[n].number);
		} else if (d.op == OP_CAST && are_numbers(ops, n, 1)) {
			ops[n - 1].number &= d.number ? d.number : UINT64_MAX;
		} else if (d.op == OP_INDEX && n > 1 && is_element(&ops[n - 2], &ops[n - 1])) {
			n--;
			ops[n - 1].op = OP_ELEMENT;
			ops[n - 1].at = (uint32_t)(ops[n].number * ops[n - 1].number);
		} else {
			ops[n++] = d;
		}
	}
	return n;
}

bool print_run(struct print_format *f, const struct print_do *ops, size_t count,
	       const struct pdt_event *e, struct print_value *out)
{
	struct run r;

	if (count == 1 && ops->op == OP_FIELD) { /* as most are */
		*out = field_value(f, ops, e);
		return true;
	}
	r.f = f;
	r.event = e;
	r.count = 0;
	r.bad = false;
	for (size_t i = 0; i < count && !r.bad; i++)
		run_op(&r, &ops[i]);
	if (r.bad || r.count != 1)
		return false;
	*out = r.values[0];
	return true;
}
