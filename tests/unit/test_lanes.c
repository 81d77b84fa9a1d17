/* In which order a flame chart has its lanes. */
#include "formats/flame/flame_style.h"
#include "formats/svg/svg_draw.h"
#include "parser/base/mem.h"
#include "tests/lib/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *rendered(const struct result *r)
{
	struct drawing d = { .width_px = 1200,
			     .frame_px = 16,
			     .fontsize_px = 12,
			     .fontwidth = 0.59,
			     .nametype = "Function:" };

	struct out out;
	FILE *f = tmpfile();
	char *text;
	long size = 0;

	CHECK(f);
	drawing_complete(&d, PALETTE_USUAL);
	out_init(&out, fileno(f));
	svg_timeline_draw(r, &d, &out);
	CHECK(!out_finish(&out) && !fseek(f, 0, SEEK_END) && (size = ftell(f)) > 0);
	text = xcalloc(1, (size_t)size + 1);
	rewind(f);
	CHECK_EQ(fread(text, 1, (size_t)size, f), (size_t)size);
	fclose(f);
	return text;
}

/* The busiest process first, its busiest thread first, the idle ones last. */
static void test_lane_order(void)
{
	static const char *const names[] = { "f" };
	static const struct span spans[] = {
		{ 0, 9, 0, 0 }, { 0, 2, 0, 0 }, { 0, 6, 0, 0 }, { 0, 3, 0, 0 }, { 0, 5, 0, 0 }
	};
	static const struct lane lanes[] = { { "idle", &spans[0], 1, 1, 0 },
					     { "quiet 1", &spans[2], 1, 1, 1 },
					     { "busy 2", &spans[3], 1, 1, 2 },
					     { "busy 2/3", &spans[4], 1, 1, 2 },
					     { "quiet 4", &spans[1], 1, 1, 4 } };
	static const char *const wanted[] = { ">busy 2/3<", ">busy 2<", ">quiet 1<", ">quiet 4<",
					      ">idle<" };
	const struct timeline_part t = {
		.names = names, .lanes = lanes, .lane_count = 5, .end_ns = 9, .unit = "ns"
	};
	struct result r = { .timeline = &t };
	char *text = rendered(&r);
	const char *at = text;

	for (size_t i = 0; i < ARRAY_SIZE(wanted) && at; i++)
		at = strstr(at, wanted[i]);
	CHECK(at);
	free(text);
}

int main(void)
{
	test_lane_order();
	return unit_end();
}
