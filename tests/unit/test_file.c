/* parser/file: event attributes of every size and byte order, ids, feature sections. */
#include <stdlib.h>

#include "parser/base/abi.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/file/attr.h"
#include "parser/file/feature.h"
#include "parser/file/source.h"
#include "tests/lib/unit.h"

/* ---- attr ---- */

static void put(struct buf *b, uint64_t v, unsigned bytes, bool big)
{
	for (unsigned i = 0; i < bytes; i++)
		buf_char(b, (char)(v >> 8 * (big ? bytes - 1 - i : i)));
}

/* The fields up to regs_intr with numbers of their own; FLAGS as the recorder's bitfield lies in
 * the u64. */
static void put_attr(struct buf *b, uint32_t size, uint64_t flags, bool big)
{
	size_t end = b->len + size;

	put(b, 4, 4, big);
	put(b, size, 4, big);
	put(b, 0x1c2, 8, big);
	put(b, 4000, 8, big);
	put(b, 0x10107, 8, big);
	put(b, 7, 8, big);
	put(b, flags, 8, big);
	put(b, 1, 4, big);
	put(b, 2, 4, big);
	put(b, 0x11, 8, big);
	for (uint64_t v = 0x12; v < 0x18; v++) {
		if (v == 0x15) { /* stack_user, clockid */
			put(b, 8192, 4, big);
			put(b, (uint32_t)-1, 4, big);
		} else {
			put(b, v, 8, big);
		}
	}
	while (b->len < end)
		put(b, 0xee, 1, big);
	b->len = end;
}

static bool swaps(bool big)
{
	const uint16_t one = 1;

	return big == *(const uint8_t *)&one;
}

static void test_attr(uint32_t size, bool big)
{
	/* disabled is the first bit that the compiler gave away: the lowest, or the highest */
	uint64_t flags = big ? 1ull << 63 | 1ull << (63 - 10) : 1 | 1 << 10;
	struct event_attr a;
	struct buf b = { 0 };
	struct cursor c;

	put_attr(&b, size, flags, big);
	c = cursor_make(b.data, b.len, swaps(big));
	CHECK_EQ(attr_decode(&a, &c, big), 0);
	CHECK_EQ(a.type, 4);
	CHECK_EQ(a.size, size);
	CHECK_EQ(a.config, 0x1c2);
	CHECK_EQ(a.sample_period, 4000);
	CHECK_EQ(a.sample_type, 0x10107);
	CHECK_EQ(a.read_format, 7);
	CHECK_EQ(a.flags, 1 | ATTR_FREQ);
	CHECK_EQ(a.config1, 0x11);
	/* what the attr is too short for is 0 */
	CHECK_EQ(a.config2, size >= 72 ? 0x12 : 0);
	CHECK_EQ(a.branch_sample_type, size >= 80 ? 0x13 : 0);
	CHECK_EQ(a.regs_user, size >= 96 ? 0x14 : 0);
	CHECK_EQ(a.stack_user, size >= 96 ? 8192 : 0);
	CHECK_EQ(a.clockid, size >= 96 ? UINT64_MAX : 0);
	CHECK_EQ(a.regs_intr, size >= 104 ? 0x16 : 0);
	CHECK_EQ(cursor_left(&c), 0);
	buf_release(&b);
}

static void test_attr_refused(void)
{
	struct event_attr a;
	struct buf b = { 0 };
	struct cursor c;

	put_attr(&b, 128, 0, false);
	c = cursor_make(b.data, 63, swaps(false));
	CHECK_EQ(attr_decode(&a, &c, false), ERR_FORMAT);
	b.data[4] = 0; /* a size that is invalid: the whole entry is taken */
	c = cursor_make(b.data, 128, swaps(false));
	CHECK_EQ(attr_decode(&a, &c, false), 0);
	CHECK_EQ(a.size, 128);
	b.data[6] = 1; /* larger than what there is */
	c = cursor_make(b.data, 128, swaps(false));
	CHECK_EQ(attr_decode(&a, &c, false), 0);
	CHECK_EQ(a.size, 128);
	buf_release(&b);
}

static void test_events(void)
{
	struct event_attr a = { .type = 0, .config = 1, .flags = ATTR_EXCLUDE_GUEST };
	struct event_list l = { 0 };
	struct pdt_desc *first, *second;

	CHECK(!event_list_by_id(&l, 5));
	first = event_list_add(&l, &a);
	a.config = 0;
	second = event_list_add(&l, &a);
	CHECK_STR(first->name, "instructions");
	CHECK_STR(second->name, "cycles");
	for (uint64_t id = 0; id < 1000; id++)
		event_list_add_id(&l, id % 3 ? first : second, id << 20);
	CHECK(event_list_by_id(&l, 3 << 20) == second);
	CHECK(event_list_by_id(&l, 4 << 20) == first);
	CHECK(event_list_by_id(&l, 0) == second);
	CHECK(!event_list_by_id(&l, 1000 << 20) && !event_list_by_id(&l, UINT64_MAX));
	event_list_add_id(&l, first, 3 << 20); /* an id that comes back */
	CHECK(event_list_by_id(&l, 3 << 20) == first);
	event_desc_set_name(first, "insn:ux", 7);
	CHECK_STR(first->name, "insn:ux");
	event_desc_set_name(first, "", 0);
	CHECK_STR(first->name, "insn:ux");
	event_list_release(&l);
}

static void test_made_up_names(void)
{
	static const struct {
		uint32_t type;
		uint64_t config, flags;
		const char *want;
	} cases[] = {
		{ 0, 9, ATTR_EXCLUDE_GUEST, "ref-cycles" },
		{ 1, 0, ATTR_EXCLUDE_GUEST, "cpu-clock" },
		{ 1, 9, 0, "dummy:HG" }, /* as perf has it, and the others */
		{ 2, 314, 0, "tp:314" },
		{ 4, 0xc4, 0, "raw 0xc4:HG" },
		{ 1, 10, ATTR_EXCLUDE_GUEST, "bpf-output" },
		{ 0, 99, 0, "type 0 config 0x63" },
		{ 0, 0, ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV, "cycles:u" },
		{ 0, 0, ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV | ATTR_EXCLUDE_GUEST, "cycles:uH" },
		{ 0, 0, ATTR_EXCLUDE_KERNEL, "cycles:uh" },
		{ 0, 0, ATTR_EXCLUDE_USER | ATTR_EXCLUDE_HV, "cycles:k" },
		{ 0, 0, ATTR_EXCLUDE_HOST, "cycles:G" },
		{ 0, 0, 2 << ATTR_PRECISE_SHIFT, "cycles:pp" },
		{ 0, 0, 3 << ATTR_PRECISE_SHIFT | ATTR_EXCLUDE_GUEST, "cycles:pppH" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct event_attr a = { .type = cases[i].type,
					.config = cases[i].config,
					.flags = cases[i].flags };
		struct event_list l = { 0 };

		CHECK_STR(event_list_add(&l, &a)->name, cases[i].want);
		event_list_release(&l);
	}
}

/* ---- features ---- */

static void put_string(struct buf *b, const char *s, bool big)
{
	size_t size = strlen(s) / 64 * 64 + 64;

	put(b, size, 4, big);
	buf_add(b, s, strlen(s));
	for (size_t n = strlen(s); n < size; n++)
		buf_char(b, '\0');
}

/* One capture's features: FILL writes the payload of feature ID. */
struct features {
	struct capture capture;
	struct warnings warnings;
	bool big;
};

static void features_begin(struct features *f, bool big)
{
	memset(f, 0, sizeof(*f));
	capture_meta_init(&f->capture.meta);
	f->capture.warnings = &f->warnings;
	/* messages name a source: any file will do */
	if (source_open(&f->capture.source, "/proc/self/exe", &f->warnings) < 0)
		exit(2);
	f->big = big;
}

static void features_end(struct features *f)
{
	source_close(f->capture.source);
	capture_meta_release(&f->capture.meta);
	event_list_release(&f->capture.events);
	warnings_release(&f->warnings);
}

static void decode(struct features *f, unsigned id, struct buf *b)
{
	/* a copy of just the size, so that the sanitizer sees a byte too many */
	char *exact = xmalloc(b->len + !b->len);

	memcpy(exact, b->data ? b->data : "", b->len);
	feature_decode(&f->capture, id, cursor_make(exact, b->len, swaps(f->big)));
	free(exact);
	b->len = 0;
}

static void test_features(bool big)
{
	struct features f;
	struct capture_meta *m = &f.capture.meta;
	struct buf b = { 0 };

	features_begin(&f, big);
	put_string(&b, "box", big);
	decode(&f, FEAT_HOSTNAME, &b);
	CHECK_STR(m->hostname, "box");
	put_string(&b,
		   "a name of more than sixty-four bytes, so that its field is one of 128 bytes",
		   big);
	decode(&f, FEAT_CPUDESC, &b);
	CHECK_EQ(strlen(m->cpudesc), 75);
	put(&b, 8, 4, big);
	put(&b, 6, 4, big);
	decode(&f, FEAT_NRCPUS, &b);
	CHECK_EQ(m->cpus_available, 8);
	CHECK_EQ(m->cpus_online, 6);
	put(&b, 3, 4, big);
	put_string(&b, "perf", big);
	put_string(&b, "record", big);
	put_string(&b, "./my prog", big);
	decode(&f, FEAT_CMDLINE, &b);
	CHECK_STR(m->cmdline, "perf record ./my prog");
	put(&b, 1000, 8, big);
	put(&b, 0x100000002, 8, big);
	decode(&f, FEAT_SAMPLE_TIME, &b);
	CHECK(m->has_sample_time);
	CHECK_EQ(m->last_sample_ns, 0x100000002);
	put(&b, 1, 4, big);
	put(&b, 4, 4, big);
	put(&b, 1700000000000000001, 8, big);
	put(&b, 77, 8, big);
	decode(&f, FEAT_CLOCK_DATA, &b);
	CHECK(m->has_clock_data);
	CHECK_EQ(m->clock_id, 4);
	CHECK_EQ(m->wall_ns, 1700000000000000001);
	CHECK_EQ(m->clock_ns, 77);
	put(&b, 0xdeadbeef, 4, big);
	decode(&f, 200, &b); /* one that nobody knows is listed */
	CHECK_EQ(m->seen_count, 7);
	CHECK_EQ(m->seen[6].id, 200);
	CHECK_EQ(m->seen[6].size, 4);
	CHECK_EQ(f.warnings.count, 0);
	buf_release(&b);
	features_end(&f);
}

static void test_event_desc(bool big)
{
	struct event_attr a = { .type = 0 };
	struct features f;
	struct buf b = { 0 };

	features_begin(&f, big);
	event_list_add_id(&f.capture.events, event_list_add(&f.capture.events, &a), 5);
	event_list_add_id(&f.capture.events, event_list_add(&f.capture.events, &a), 6);
	put(&b, 2, 4, big);
	put(&b, 128, 4, big);
	for (unsigned i = 0; i < 2; i++) { /* the other way round: the ids tell */
		put_attr(&b, 128, 0, big);
		put(&b, 1, 4, big);
		put_string(&b, i ? "five:u" : "six", big);
		put(&b, 6 - i, 8, big);
	}
	decode(&f, FEAT_EVENT_DESC, &b);
	CHECK_STR(f.capture.events.descs[0]->name, "five:u");
	CHECK_STR(f.capture.events.descs[1]->name, "six");
	CHECK_EQ(f.warnings.count, 0);
	buf_release(&b);
	features_end(&f);
}

/* Build-ids with and without their size, and of all lengths that linkers make. */
static void test_build_ids(bool big)
{
	static const uint8_t id[20] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
	struct features f;
	struct capture_meta *m = &f.capture.meta;
	struct buf b = { 0 };

	features_begin(&f, big);
	for (unsigned i = 0; i < 2; i++) {
		put(&b, 67, 4, big);
		put(&b, MISC_KERNEL | (i ? 1 << 15 : 0), 2, big);
		put(&b, 8 + 28 + 16, 2, big);
		put(&b, (uint32_t)-1, 4, big);
		buf_add(&b, id, sizeof(id));
		put(&b, i ? 12 : 0, 1, big);
		put(&b, 0, 3, false);
		buf_add(&b, "[kernel]\0\0\0\0\0\0\0\0", 16);
	}
	decode(&f, FEAT_BUILD_ID, &b);
	CHECK_EQ(m->build_id_count, 2);
	if (m->build_id_count == 2) {
		CHECK_STR(m->build_ids[0].path, "[kernel]");
		CHECK_EQ(m->build_ids[0].pid, UINT64_MAX);
		CHECK_EQ(m->build_ids[0].id.len, 16); /* padded with zeros: 16 of md5 */
		CHECK_EQ(m->build_ids[1].id.len, 12);
		CHECK(!memcmp(m->build_ids[1].id.bytes, id, 12));
	}
	buf_release(&b);
	features_end(&f);
}

/* Each feature, cut anywhere, of noise: nothing but a warning comes of it. */
static void test_noise(void)
{
	uint64_t seed = 1;
	struct buf b = { 0 };

	for (unsigned id = 0; id < 256; id++) {
		for (unsigned n = 0; n < 60; n++) {
			struct event_attr a = { .type = 0 };
			struct features f;

			features_begin(&f, n & 1);
			event_list_add_id(&f.capture.events, event_list_add(&f.capture.events, &a),
					  5);
			for (unsigned i = 0; i < n * 3; i++)
				buf_char(&b, (char)(unit_random(&seed) % 3 ? unit_random(&seed) % 3
									   : unit_random(&seed)));
			decode(&f, id, &b);
			features_end(&f);
		}
	}
	unit.checks++;
	buf_release(&b);
}

int main(void)
{
	static const uint32_t sizes[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 256, 4096 };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		test_attr(sizes[i], false);
		test_attr(sizes[i], true);
	}
	test_attr_refused();
	test_events();
	test_made_up_names();
	for (int big = 0; big < 2; big++) {
		test_features(big);
		test_event_desc(big);
		test_build_ids(big);
	}
	test_noise();
	return unit_end();
}
