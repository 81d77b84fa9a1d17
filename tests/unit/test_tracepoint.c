/* parser/record/tracepoint: formats and fields, either byte order, and 30 000 damaged ones. */
#include <stdlib.h>

#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/record/tracepoint.h"
#include "tests/lib/unit.h"

#define MUTATIONS 30000

static const char switch_format[] =
	"name: sched_switch\nID: 314\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n\n"
	"print fmt: \"prev_comm=%s, {\\\"x\\\"} prev_state=%s%s\", REC->prev_comm, "
	"(REC->prev_state & ((((0x00000000 | 0x00000001) + 1) << 1) - 1)) ? "
	"__print_flags(REC->prev_state & ((((0x00000000 | 0x00000001) + 1) << 1) - 1), \"|\", "
	"{ 0x00000001, \"S\" }, { 0x00000002, \"D\" }, { 4, \"T\" }, { 128UL, \"I\" }) : \"R\", "
	"REC->prev_state & 0x100 ? \"+\" : \"\"\n";

static const char text_format[] = "name: text\nID: 7\nformat:\n"
				  "\tfield:__data_loc char[] a;\toffset:8;\tsize:4;\tsigned:0;\n"
				  "\tfield:__rel_loc char[] b;\toffset:12;\tsize:4;\tsigned:0;\n"
				  "\tfield:u8 c;\toffset:16;\tsize:1;\tsigned:0;\n"
				  "\tfield:s8 d;\toffset:17;\tsize:1;\tsigned:1;\n"
				  "\tfield:u16 e[2];\toffset:18;\tsize:4;\tsigned:0;\n"
				  "\tfield:short f;\toffset:22;\tsize:2;\tsigned:1;\n\n"
				  "print fmt: \"%s\", __get_str(a)\n";

static void put(struct buf *b, uint64_t v, unsigned bytes, bool big)
{
	for (unsigned i = 0; i < bytes; i++)
		buf_char(b, (char)(v >> 8 * (big ? bytes - 1 - i : i)));
}

static void put_format(struct buf *b, const char *text, bool big)
{
	put(b, strlen(text), 8, big);
	buf_str(b, text);
}

static struct buf tracing_data(bool big)
{
	struct buf b = { 0 };

	buf_add(&b, "\x17\x08\x44tracing0.6", 14);
	put(&b, big, 1, big);
	put(&b, 8, 1, big);
	put(&b, 4096, 4, big);
	buf_add(&b, "header_page", 12);
	put_format(&b, "\tfield: u64 timestamp;\n", big);
	buf_add(&b, "header_event", 13);
	put_format(&b, "# compressed entry header\n", big);
	put(&b, 1, 4, big);
	put_format(&b, "name: function\nID: 1\nformat:\n", big);
	put(&b, 2, 4, big);
	buf_add(&b, "sched", 6);
	put(&b, 1, 4, big);
	put_format(&b, switch_format, big);
	buf_add(&b, "toy", 4);
	put(&b, 2, 4, big);
	put_format(&b, text_format, big);
	put_format(&b, "name: none\nformat:\n", big); /* no ID: left out */
	put(&b, 0, 4, big);
	put(&b, 0, 4, big);
	put(&b, 0, 8, big);
	return b;
}

static void check_switch(const struct trace_formats *t, bool big)
{
	const struct pdt_format *f = trace_format_by_id(t, 314);
	struct buf b = { 0 };
	struct payload p;
	uint64_t v;
	size_t len;

	CHECK(f != NULL);
	CHECK_STR(f->system, "sched");
	CHECK_STR(f->name, "sched_switch");
	CHECK_EQ(f->field_count, 5);
	put(&b, 314, 2, big);
	put(&b, 0, 2, big);
	put(&b, 9, 4, big);
	buf_add(&b, "worker/0\0junkjunk", 16);
	put(&b, (uint64_t)-5, 4, big);
	put(&b, 0, 4, big);
	put(&b, 0x100, 8, big);
	p = (struct payload){ (const uint8_t *)b.data, (uint32_t)b.len };
	CHECK_EQ(trace_u64(trace_field(f, "prev_state"), &p), 0x100);
	CHECK_EQ(trace_u64(trace_field(f, "prev_pid"), &p), -5);
	CHECK(!strncmp(trace_text(trace_field(f, "prev_comm"), &p, &len), "worker/0", 8));
	CHECK_EQ(len, 8);
	p.size = 39; /* the last byte of prev_state is missing */
	CHECK(!trace_number(trace_field(f, "prev_state"), &p, &v));
	CHECK(trace_number(trace_field(f, "prev_pid"), &p, &v));
	CHECK(!trace_number(trace_field(f, "no_such"), &p, &v));
	CHECK(!trace_number(trace_field(f, "prev_comm"), &p, &v));
	buf_release(&b);
}

static void check_flags(const struct trace_formats *t)
{
	static const struct pdt_flag want[] = { { 1, "S" }, { 2, "D" }, { 4, "T" }, { 128, "I" } };
	struct pdt_flag flags[8];
	size_t n = trace_flags(trace_format_by_id(t, 314), "prev_state", flags, ARRAY_SIZE(flags));

	CHECK_EQ(n, ARRAY_SIZE(want));
	for (size_t i = 0; i < n && i < ARRAY_SIZE(want); i++) {
		CHECK_EQ(flags[i].value, want[i].value);
		CHECK_STR(flags[i].text, want[i].text);
	}
	CHECK_EQ(trace_flags(trace_format_by_id(t, 314), "prev_state", flags, 2), 2);
	CHECK_EQ(trace_flags(trace_format_by_id(t, 314), "prev_stat", flags, 8), 0);
	CHECK_EQ(trace_flags(trace_format_by_id(t, 7), "a", flags, 8), 0);
}

static void check_text(const struct trace_formats *t, bool big)
{
	const struct pdt_format *f = trace_format_by_id(t, 7);
	struct buf b = { 0 };
	struct payload p;
	size_t len;

	put(&b, 0, 8, big);
	put(&b, 24 | 6 << 16, 4, big); /* "hello" with its NUL, from the start */
	put(&b, 14 | 3 << 16, 4, big); /* "abc", from the end of the field */
	put(&b, 200, 1, big);
	put(&b, 200, 1, big);
	put(&b, 0, 4, big);
	put(&b, 0x8001, 2, big);
	buf_add(&b, "hello\0abc", 9);
	p = (struct payload){ (const uint8_t *)b.data, (uint32_t)b.len };
	CHECK(!strncmp(trace_text(trace_field(f, "a"), &p, &len), "hello", 5));
	CHECK_EQ(len, 5);
	CHECK(!strncmp(trace_text(trace_field(f, "b"), &p, &len), "abc", 3));
	CHECK_EQ(len, 3);
	CHECK_EQ(trace_u64(trace_field(f, "c"), &p), 200);
	CHECK_EQ(trace_u64(trace_field(f, "d"), &p), -56);
	CHECK_EQ(trace_u64(trace_field(f, "f"), &p), 0xffffffffffff8001);
	CHECK(trace_field(f, "e")->kind == FIELD_BYTES);
	p.size--; /* "abc" passes the end */
	CHECK(!trace_text(trace_field(f, "b"), &p, &len) && len == 0);
	buf_release(&b);
}

static void test_formats(bool big)
{
	struct buf b = tracing_data(big);
	struct trace_formats t;
	struct warnings w = { 0 };

	trace_formats_init(&t);
	CHECK_EQ(trace_formats_read(&t, b.data, b.len, &w), 0);
	CHECK_EQ(t.count, 3);
	CHECK(warn_find(&w, "tracepoint-format") != NULL);
	CHECK(!trace_format_by_id(&t, 8));
	check_switch(&t, big);
	check_flags(&t);
	check_text(&t, big);
	trace_formats_release(&t);
	warnings_release(&w);
	buf_release(&b);
}

/* Read every field of every format from PAYLOAD: what must not crash. */
static uint64_t touch(const struct trace_formats *t, const struct payload *payload)
{
	struct pdt_flag flags[8];
	uint64_t sum = 0, v;
	size_t len;

	for (size_t i = 0; i < t->count; i++) {
		const struct pdt_format *f = &t->list[i];

		for (size_t k = 0; k < f->field_count; k++) {
			const uint8_t *bytes = trace_bytes(&f->fields[k], payload, &len);

			sum += trace_number(&f->fields[k], payload, &v) ? v : 0;
			sum += bytes && len ? bytes[0] + bytes[len - 1] : 0;
			sum += trace_text(&f->fields[k], payload, &len) ? len : 0;
		}
		sum += trace_flags(f, "prev_state", flags, ARRAY_SIZE(flags));
	}
	return sum;
}

/* One to eight edits: a byte changed, digits and brackets mostly, or a piece taken out. */
static void mutate(struct buf *b, uint64_t *seed)
{
	static const char chars[] = "0123456789;:{}()\"\\, \n\t\0\xff-x";
	uint64_t n = 1 + unit_random(seed) % 8;

	while (n--) {
		size_t at = unit_random(seed) % b->len, cut = unit_random(seed) % 24;

		if (unit_random(seed) % 4) {
			b->data[at] = chars[unit_random(seed) % (sizeof(chars) - 1)];
		} else if (at + cut < b->len) {
			memmove(b->data + at, b->data + at + cut, b->len - at - cut);
			b->len -= cut;
		}
	}
}

static void test_mutations(void)
{
	struct buf good = tracing_data(false);
	uint8_t bytes[64];
	uint64_t seed = 1, sum = 0;
	size_t whole = 0;

	memset(bytes, 0xa5, sizeof(bytes));
	for (int i = 0; i < MUTATIONS; i++) {
		struct warnings w = { 0 };
		struct trace_formats t;
		struct buf b = { 0 };
		struct payload p = { bytes, (uint32_t)(unit_random(&seed) % sizeof(bytes)) };
		char *exact;

		buf_add(&b, good.data, good.len);
		mutate(&b, &seed);
		if (i % 7 == 0)
			b.len = unit_random(&seed) % b.len;
		exact = xmalloc(b.len + 1); /* its end is where a sanitizer looks */
		memcpy(exact, b.data, b.len);
		trace_formats_init(&t);
		whole += trace_formats_read(&t, exact, b.len, &w) == 0;
		sum += touch(&t, &p);
		trace_formats_release(&t);
		warnings_release(&w);
		buf_release(&b);
		free(exact);
	}
	CHECK(sum > 0);
	CHECK(whole > 0 && whole < MUTATIONS);
	buf_release(&good);
}

int main(void)
{
	test_formats(false);
	test_formats(true);
	test_mutations();
	return unit_end();
}
