/* A profile, written for the program that is to read it. */
#include "formats/export/readers.h"

static void render(const struct result *r, const struct style *style, struct out *out)
{
	static void (*const writers[PROFILE_READERS])(const struct profile_part *p,
						      struct out *out) = {
		[READER_PPROF] = write_pprof,	    [READER_SPEEDSCOPE] = write_speedscope,
		[READER_FIREFOX] = write_firefox,   [READER_CHROME] = write_chrome,
		[READER_PERFETTO] = write_perfetto, [READER_BOLT] = write_bolt,
		[READER_PROFGEN] = write_profgen,   [READER_AUTOFDO] = write_autofdo,
	};

	(void)style;
	writers[r->profile->reader](r->profile, out);
}

const struct format format_export = {
	.name = "export",
	.summary = "as the program that is named by --to reads it",
	.shapes = SHAPE_PROFILE,
	.draws = true, /* a terminal gets text */
	.render = render,
};
