/* Show the arguments of a print format as its conversions ask for. */
#include "analyzers/compat/print_format.h"
#include "analyzers/compat/print_ops.h"
#include "parser/base/digits.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is known before there is an event ---- */

static bool is_plain(const struct print_piece *p)
{
	return p->len == 1 && !p->width_count;
}

/* "%05" or "%5", of digits alone: its width and pad. */
static bool is_simple(struct print_piece *p)
{
	unsigned width = 0;

	p->pad = p->len > 1 && p->text[1] == '0' ? '0' : ' ';
	for (size_t i = 1; i < p->len; i++) {
		if (!isdigit((unsigned char)p->text[i]) || width > PRINT_WIDTH_MAX)
			return false;
		width = width * 10 + (unsigned)(p->text[i] - '0');
	}
	p->width = (uint16_t)width;
	return !p->width_count;
}

/* A field that is no array and as wide as a pointer is one. */
static bool is_pointer_field(const struct print_do *d)
{
	return d->size == 8 && d->number == 8;
}

static enum print_way way_of(const struct print_format *f, struct print_piece *p)
{
	const struct print_do *ops;

	if (!p->letter)
		return WAY_LITERAL;
	ops = f->ops + p->first;
	p->sign = p->letter == 'd' || p->letter == 'i';
	p->hex = p->letter == 'x';
	if ((p->sign || p->hex || p->letter == 'u') && is_simple(p) && print_is_sum(ops, p->count))
		return WAY_NUMBER;
	if (p->letter != 's' || !is_plain(p))
		return WAY_OTHER;
	if (p->count == 1 && ops->op == OP_FIELD && ops->size && !is_pointer_field(ops))
		return WAY_BYTES;
	ops += p->count - 1;
	if ((ops->op == OP_FLAGS || ops->op == OP_SYMBOLIC) && ops->list &&
	    print_is_sum(f->ops + p->first, p->count - 1))
		return WAY_LIST;
	return WAY_OTHER;
}

struct print_format *print_format_new(const struct pdt_format *f)
{
	struct print_format *p = xcalloc(1, sizeof(*p));

	p->format = f;
	p->swap = pdt_format_is_swapped(f);
	p->big = p->swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	arena_init(&p->arena);
	print_compile(p);
	for (size_t i = 0; !p->failed && i < p->piece_count; i++) {
		struct print_piece *piece = &p->pieces[i];

		if (p->ops) {
			piece->count = print_fold(p->ops + piece->first, piece->count);
			piece->width_count =
				print_fold(p->ops + piece->width_first, piece->width_count);
		}
		piece->way = (uint8_t)way_of(p, piece);
	}
	return p;
}

void print_format_free(struct print_format *p)
{
	if (!p)
		return;
	arena_release(&p->arena);
	buf_release(&p->scratch);
	free(p->ops);
	free(p->pieces);
	free(p);
}

bool print_format_has_names(const struct print_format *p)
{
	return p->names && !p->failed;
}

/* What is shown now. */
struct show {
	struct print_format *f;
	const struct pdt_event *event;
	const struct print_names *names;
	struct buf *out;
	size_t end; /* how far OUT may get */
};

static struct print_value value_of(struct show *s, uint32_t first, uint32_t count)
{
	struct print_value v = { 0 };

	(void)!print_run(s->f, s->f->ops + first, count, s->event, &v);
	return v;
}

/* The width that an argument gives, where one does. */
static int width_of(struct show *s, const struct print_piece *p)
{
	int64_t n =
		p->width_count ? (int32_t)value_of(s, p->width_first, p->width_count).number : 0;

	return n > PRINT_WIDTH_MAX    ? PRINT_WIDTH_MAX
	       : n < -PRINT_WIDTH_MAX ? -PRINT_WIDTH_MAX
				      : (int)n;
}

/* "%-5.3" and ENDING. */
static const char *spec_of(const struct print_piece *p, const char *ending, char spec[32])
{
	snprintf(spec, 32, "%.*s%s", (int)p->len, p->text, ending);
	return spec;
}

/* ---- numbers ---- */

static uint64_t cut(uint64_t n, int size, bool sign)
{
	switch (size) {
	case -2:
		return sign ? (uint64_t)(int8_t)n : (uint8_t)n;
	case -1:
		return sign ? (uint64_t)(int16_t)n : (uint16_t)n;
	case 0:
		return sign ? (uint64_t)(int32_t)n : (uint32_t)n;
	default:
		return n;
	}
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
/* SPEC was put together from checked characters. */
static void put_spec(struct buf *b, const char *spec, bool star, int width, uint64_t n)
{
	if (star)
		buf_printf(b, spec, width, n);
	else
		buf_printf(b, spec, n);
}

static void put_text_spec(struct buf *b, const char *spec, bool star, int width, const char *text)
{
	if (star)
		buf_printf(b, spec, width, text);
	else
		buf_printf(b, spec, text);
}
#pragma GCC diagnostic pop

static void show_number(struct show *s, const struct print_piece *p)
{
	bool sign = p->letter == 'd' || p->letter == 'i';
	uint64_t n =
		cut(print_number(s->f, s->f->ops + p->first, p->count, s->event), p->size, sign);
	char spec[32], ending[] = { 'l', p->letter, 0 };

	if (p->letter == 'c')
		buf_char(s->out, (char)n);
	else
		put_spec(s->out, spec_of(p, ending, spec), p->width_count, width_of(s, p), n);
}

/* WAY_NUMBER */
static void show_simple(struct show *s, const struct print_piece *p)
{
	uint64_t n =
		cut(print_sum(s->f, s->f->ops + p->first, p->count, s->event), p->size, p->sign);

	if (!p->sign || (int64_t)n >= 0) {
		buf_number(s->out, n, p->hex, p->width, p->pad);
		return;
	}
	if (!p->width)
		buf_char(s->out, '-');
	if (!p->width)
		buf_number(s->out, -n, false, 0, ' ');
	else
		buf_printf(s->out, p->pad == '0' ? "%0*" PRId64 : "%*" PRId64, p->width,
			   (int64_t)n);
}

/* ---- texts ---- */

/* V as a text: where, *LEN bytes. NULL: it is none. */
static const char *text_of(const struct show *s, const struct print_value *v, size_t *len)
{
	if (v->bytes) {
		*len = strnlen((const char *)v->bytes, v->len);
		return (const char *)v->bytes;
	}
	*len = v->len;
	return v->len ? s->f->scratch.data + v->at : NULL;
}

static bool is_pointer(const struct print_value *v)
{
	return v->from == OP_FIELD && v->bytes && v->len == 8 && v->element == 8;
}

static void show_text(struct show *s, const struct print_piece *p)
{
	struct print_value v = value_of(s, p->first, p->count);
	const char *text;
	char spec[32], *copy;
	size_t len;

	if (is_pointer(&v)) {
		buf_printf(s->out, "%" PRIx64, v.number);
		return;
	}
	text = text_of(s, &v, &len);
	if (is_plain(p)) {
		if (text)
			buf_add(s->out, text, len);
		return;
	}
	if (!text && v.from != OP_FIELD)
		return;
	copy = xmalloc(len + 1);
	memcpy(copy, text ?: "", len);
	copy[len] = '\0';
	put_text_spec(s->out, spec_of(p, "s", spec), p->width_count, width_of(s, p), copy);
	free(copy);
}

/* ---- pointers ---- */

static void show_name(struct show *s, const struct print_piece *p, const struct print_value *v)
{
	uint64_t offset;
	const char *name = s->names ? s->names->name(s->names->ctx, v->number, &offset) : NULL;

	if (!name) {
		buf_printf(s->out, "0x%" PRIx64, v->number);
		return;
	}
	buf_str(s->out, name);
	if (p->kind == 'F' || p->kind == 'S')
		buf_printf(s->out, "+0x%" PRIx64, offset);
}

static void show_mac(struct show *s, const struct print_piece *p, const struct print_value *v)
{
	const char *separator = p->kind == 'm' ? "" : p->how[1] == 'F' ? "-" : ":";
	bool reverse = p->how[1] == 'R';

	if (!v->bytes || v->len != 6) {
		buf_str(s->out, "INVALIDMAC");
		return;
	}
	for (unsigned i = 0; i < 6; i++)
		buf_printf(s->out, "%s%.2x", i ? separator : "", v->bytes[reverse ? 5 - i : i]);
}

static void put_ip4(struct buf *b, const uint8_t *a, bool zeros, bool reverse)
{
	for (unsigned i = 0; i < 4; i++)
		buf_printf(b, zeros ? "%s%03u" : "%s%u", i ? "." : "", a[reverse ? 3 - i : i]);
}

static unsigned word_at(const uint8_t *a, unsigned i)
{
	return (unsigned)a[2 * i] << 8 | a[2 * i + 1];
}

/* Does A hold an IPv4 address: mapped, or of an ISATAP interface? */
static bool holds_ip4(const uint8_t *a)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

	return !memcmp(a, mapped, sizeof(mapped)) ||
	       ((a[8] | 2) == 2 && !a[9] && a[10] == 0x5e && a[11] == 0xfe);
}

/* The longest run of zeros among the first RANGE words, of two at least: where, *LEN. */
static unsigned longest_zeros(const uint8_t *a, unsigned range, unsigned *len)
{
	unsigned at = range, n;

	*len = 1;
	for (unsigned i = 0; i < range; i++) {
		for (n = 0; i + n < range && !word_at(a, i + n);)
			n++;
		if (n > *len) {
			*len = n;
			at = i;
		}
	}
	return at;
}

static void put_ip6_short(struct buf *b, const uint8_t *a)
{
	bool ip4 = holds_ip4(a), colon = false;
	unsigned range = ip4 ? 6 : 8, len, zeros = longest_zeros(a, range, &len);

	for (unsigned i = 0; i < range; i++) {
		if (i == zeros) {
			buf_str(b, colon || !i ? "::" : ":");
			colon = false;
			i += len - 1;
			continue;
		}
		buf_printf(b, "%s%x", colon ? ":" : "", word_at(a, i));
		colon = true;
	}
	if (!ip4)
		return;
	buf_str(b, colon ? ":" : "");
	put_ip4(b, a + 12, false, false);
}

static void put_ip6(struct buf *b, const uint8_t *a, bool shortened, bool colons)
{
	if (shortened) {
		put_ip6_short(b, a);
		return;
	}
	for (unsigned i = 0; i < 8; i++)
		buf_printf(b, "%s%04x", i && colons ? ":" : "", word_at(a, i));
}

#define FAMILY_INET  2
#define FAMILY_INET6 10

/* A struct sockaddr. HOW: what stands behind "IS". */
static void show_socket(struct show *s, const char *how, bool upper, const struct print_value *v)
{
	size_t n = strspn(how, "pfs");
	bool port = memchr(how, 'p', n);
	const char *order = how + n;
	uint16_t family = 0;

	if (!v->bytes || v->len < 2)
		return;
	memcpy(&family, v->bytes, 2);
	family = s->f->swap ? __builtin_bswap16(family) : family;
	if (family == FAMILY_INET && v->len >= 16) {
		put_ip4(s->out, v->bytes + 4, !upper,
			*order == 'l' || (*order == 'h' && !s->f->big));
		if (port)
			buf_printf(s->out, ":%u", word_at(v->bytes, 1));
	} else if (family == FAMILY_INET6 && v->len >= 28) {
		buf_str(s->out, port ? "[" : "");
		put_ip6(s->out, v->bytes + 8, *order == 'c', upper);
		if (port)
			buf_printf(s->out, "]:%u", word_at(v->bytes, 1));
	} else if (family == FAMILY_INET || family == FAMILY_INET6) {
		buf_str(s->out, family == FAMILY_INET ? "INVALIDIPv4" : "INVALIDIPv6");
	}
}

static void show_ip(struct show *s, const struct print_piece *p, const struct print_value *v)
{
	const char *how = p->how + 1;
	bool upper = p->kind == 'I', little = how[1] == 'l' || (how[1] == 'h' && !s->f->big);

	if (*how == '4' && v->bytes && v->len == 4)
		put_ip4(s->out, v->bytes, !upper, little);
	else if (*how == '6' && v->bytes && v->len == 16)
		put_ip6(s->out, v->bytes, upper && how[1] == 'c', upper);
	else if (*how == 'S')
		show_socket(s, how + 1, upper, v);
	else
		buf_str(s->out, *how == '4' ? "INVALIDIPv4" : "INVALIDIPv6");
}

static void show_uuid(struct show *s, const struct print_piece *p, const struct print_value *v)
{
	static const uint8_t guid[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	char how = p->how[1];
	bool little = how == 'L' || how == 'l', upper = how == 'L' || how == 'B';

	if (!v->bytes || v->len != 16) {
		buf_str(s->out, "INVALIDUUID");
		return;
	}
	for (unsigned i = 0; i < 16; i++) {
		buf_printf(s->out, upper ? "%02X" : "%02x", v->bytes[little ? guid[i] : i]);
		if (i >= 3 && i <= 9 && i % 2)
			buf_char(s->out, '-');
	}
}

static void show_bytes(struct show *s, const struct print_piece *p, const struct print_value *v)
{
	char how = p->how[1];
	const char *separator = how == 'C' ? ":" : how == 'D' ? "-" : how == 'N' ? "" : " ";
	int width = p->width_count ? width_of(s, p) : 1;

	if (v->bytes && width > 0)
		buf_hex(s->out, v->bytes, (size_t)width < v->len ? (size_t)width : v->len,
			separator);
}

static void show_pointer(struct show *s, const struct print_piece *p)
{
	struct print_value v = value_of(s, p->first, p->count);
	size_t len;
	const char *text;

	switch (p->kind) {
	case 'F':
	case 'f':
	case 'S':
	case 's':
		show_name(s, p, &v);
		return;
	case 'M':
	case 'm':
		show_mac(s, p, &v);
		return;
	case 'I':
	case 'i':
		show_ip(s, p, &v);
		return;
	case 'U':
		show_uuid(s, p, &v);
		return;
	case 'h':
		show_bytes(s, p, &v);
		return;
	default:
		break;
	}
	if (v.from == OP_TEXT && (text = text_of(s, &v, &len)))
		buf_add(s->out, text, len);
	else if (v.number)
		buf_printf(s->out, "0x%" PRIx64, v.number);
	else
		buf_str(s->out, "(nil)");
}

/* ---- what was not understood: its fields ---- */

static bool is_printable(const uint8_t *p, size_t len)
{
	for (size_t i = 0; i < len && p[i]; i++) {
		if (!isprint(p[i]) && !isspace(p[i]))
			return false;
	}
	return true;
}

static void show_array(struct show *s, const struct pdt_field *f)
{
	size_t len = 0;
	const uint8_t *p = pdt_event_bytes(s->event, f, &len) ?: (const uint8_t *)"";
	bool text = strstr(pdt_field_type(f), "char") != NULL;

	if (text && is_printable(p, len)) {
		buf_add(s->out, p, strnlen((const char *)p, len));
		return;
	}
	buf_str(s->out, "ARRAY[");
	buf_hex(s->out, p, len, ", ");
	buf_char(s->out, ']');
}

static void show_field(struct show *s, const struct pdt_field *f)
{
	const char *type = pdt_field_type(f);
	int kind = pdt_field_kind(f);
	uint64_t n;

	if (kind != PDT_FIELD_NUMBER && kind != PDT_FIELD_SIGNED) {
		show_array(s, f);
		return;
	}
	(void)!pdt_event_number(s->event, f, &n);
	if (strchr(type, '*') || (kind == PDT_FIELD_NUMBER && strstr(type, "long")))
		buf_printf(s->out, "0x%" PRIx64, n);
	else if (kind == PDT_FIELD_SIGNED)
		buf_printf(s->out, "%" PRId64, (int64_t)n);
	else
		buf_printf(s->out, "%" PRIu64, n);
}

static void show_fields(struct show *s)
{
	const struct pdt_field *f;

	buf_str(s->out, "[FAILED TO PARSE]");
	for (size_t i = 0; (f = pdt_format_field_at(s->f->format, i)); i++) {
		if (s->out->len > s->end) { /* many fields can be the same bytes */
			buf_str(s->out, " ...");
			break;
		}
		if (!strncmp(pdt_field_name(f), "common_", 7))
			continue;
		buf_printf(s->out, " %s=", pdt_field_name(f));
		show_field(s, f);
	}
}

static void show_other(struct show *s, const struct print_piece *p)
{
	if (p->letter == 'p')
		show_pointer(s, p);
	else if (p->letter == 's')
		show_text(s, p);
	else
		show_number(s, p);
}

/* WAY_BYTES */
static void show_bytes_of(struct show *s, const struct print_do *d)
{
	const struct pdt_event *e = s->event;
	const char *text = (const char *)e->raw + d->offset;

	if (e->raw && d->offset <= e->raw_size && d->size <= e->raw_size - d->offset)
		buf_add(s->out, text, strnlen(text, d->size));
}

/* WAY_LIST */
static void show_listed(struct show *s, const struct print_do *ops, size_t count)
{
	print_listed(&ops[count - 1], print_sum(s->f, ops, count - 1, s->event), s->out);
}

static inline void show_piece(struct show *s, const struct print_piece *p)
{
	switch (p->way) {
	case WAY_LITERAL:
		buf_add_short(s->out, p->text, p->len);
		break;
	case WAY_NUMBER:
		show_simple(s, p);
		break;
	case WAY_LIST:
		show_listed(s, s->f->ops + p->first, p->count);
		break;
	case WAY_BYTES:
		show_bytes_of(s, s->f->ops + p->first);
		break;
	default:
		show_other(s, p);
	}
}

void print_format_put(struct print_format *p, const struct pdt_event *e,
		      const struct print_names *names, struct buf *out)
{
	struct show s = { p, e, names, out, out->len + PRINT_BYTES_MAX + 4 * e->raw_size };
	size_t i = 0;

	if (p->failed) {
		show_fields(&s);
		return;
	}
	p->scratch.len = 0;
	while (i < p->piece_count && out->len <= s.end)
		show_piece(&s, &p->pieces[i++]);
	if (i < p->piece_count)
		buf_str(out, " ..."); /* widths and texts of a few bytes made all that */
}

/* ---- how one field is shown ---- */

/* The last field of COUNT ops. */
static const char *last_field(const struct print_do *ops, size_t count)
{
	while (count && ops[count - 1].op != OP_FIELD)
		count--;
	return count ? pdt_field_name(ops[count - 1].field) : "";
}

bool print_format_in_hex(const struct print_format *p, const struct pdt_field *f)
{
	const char *type = pdt_field_type(f);

	if (pdt_field_kind(f) != PDT_FIELD_NUMBER || strchr(type, '*'))
		return pdt_field_kind(f) == PDT_FIELD_NUMBER;
	if (!strcmp(pdt_format_system(p->format), "syscalls") && !strstr(type, "long"))
		return false;
	for (size_t i = 0; !p->failed && i < p->piece_count; i++) {
		const struct print_piece *piece = &p->pieces[i];

		if (piece->letter && strchr("pxX", piece->letter) &&
		    !strcmp(last_field(p->ops + piece->first, piece->count), pdt_field_name(f)))
			return true;
	}
	return false;
}

static const struct print_do *flags_of(const struct print_do *ops, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (ops[i].op == OP_FLAGS && ops[i].list && !strcmp(last_field(ops, i), name))
			return &ops[i];
	}
	return NULL;
}

const struct print_do *print_format_flags(const struct print_format *p, const char *name)
{
	const struct print_do *found = NULL;

	for (size_t i = 0; !p->failed && !found && i < p->piece_count; i++)
		found = flags_of(p->ops + p->pieces[i].first, p->pieces[i].count, name);
	return found;
}

uint64_t print_flags_known(const struct print_do *flags)
{
	uint64_t known = 0;

	for (size_t i = 0; i < flags->list->count; i++)
		known |= flags->list->entries[i].value > 0 ? (uint64_t)flags->list->entries[i].value
							   : 0;
	return known;
}
