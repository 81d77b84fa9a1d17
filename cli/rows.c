/* The rows of options that hold for a command: its own, those of what it can draw, the common ones.
 */
#include "cli/options.h"
#include "parser/base/mem.h"

#define C(member) offsetof(struct common_options, member)

static const char *const colours[] = { "auto", "always", "never", NULL };

static const struct option common_table[] = {
	{ "input", 'i', OPT_FILE, C(input), "FILE",
	  "the capture (default: perf.data; - is standard input)" },
	{ "output", 'o', OPT_FILE, C(output), "FILE", "write there instead of standard output" },
	{ "format", 0, OPT_FORMAT, C(format), "NAME", "output format, see pdtool list" },
	{ "jobs", 'j', OPT_COUNT, C(jobs), "N",
	  "threads (default: all CPUs); never changes the output", .given = C(jobs_given) },
	{ "event", 'e', OPT_NAMES, C(filter.events), "LIST", "only samples of these events" },
	{ "comms", 0, OPT_NAMES, C(filter.comms), "LIST", "only these command names" },
	{ "pid", 0, OPT_NUMS, C(filter.pids), "LIST", "only these processes: 12,100-200" },
	{ "tid", 0, OPT_NUMS, C(filter.tids), "LIST", "only these threads" },
	{ "cpu", 'C', OPT_NUMS, C(filter.cpus), "LIST", "only these CPUs" },
	{ "time", 0, OPT_TIMES, C(filter.time), "RANGE",
	  "only this time: A,B in seconds, 10%/2, 0%-10%, or ISO wall clock" },
	{ "dsos", 0, OPT_NAMES, C(filter.dsos), "LIST",
	  "only samples whose leaf is in these modules" },
	{ "symbol", 'S', OPT_NAMES, C(filter.symbols), "LIST",
	  "only samples whose leaf is one of these functions" },
	{ "no-idle", 0, OPT_FLAG, C(filter.no_idle), NULL,
	  "leave out idle: pid 0 with a leaf in the idle loop" },
	{ "symbols", 0, OPT_SYMBOLS, 0, "SRC",
	  "look for symbols there, too: archive, directory or file (a LIST: see -S)" },
	{ "symfs", 0, OPT_DIR, C(symbols.symfs), "DIR", "copy of the recorded machine's files" },
	{ "kallsyms", 0, OPT_FILE, C(symbols.kallsyms), "FILE",
	  "the recorded machine's /proc/kallsyms" },
	{ "vmlinux", 'k', OPT_FILE, C(symbols.vmlinux), "FILE",
	  "the recorded kernel with symbols" },
	{ "buildid-dir", 0, OPT_DIR, C(symbols.buildid_dir), "DIR",
	  "build-id cache (default: $PERF_BUILDID_DIR or ~/.debug)" },
	{ "debuginfod", 0, OPT_MAYBE, C(debuginfod), "URLS",
	  "get what is still missing from these servers (default: $DEBUGINFOD_URLS)" },
	{ "perf-map-dir", 0, OPT_DIR, C(symbols.perf_map_dir), "DIR",
	  "where perf-PID.map and jit-PID.dump files are" },
	{ "perf-map", 0, OPT_TEXTS, C(perf_maps), "PID=FILE",
	  "the perf map or jitdump of the process recorded with this pid" },
	{ "no-host", 0, OPT_FLAG, C(symbols.no_host), NULL,
	  "use no file of this host but those that are named" },
	{ "allow-unverified", 0, OPT_FLAG, C(symbols.allow_unverified), NULL,
	  "use this host's files where the capture recorded no build-id" },
	{ "no-demangle", 0, OPT_FLAG, C(symbols.no_demangle), NULL,
	  "show symbols as the linker wrote them" },
	{ "no-inline", 0, OPT_FLAG, C(symbols.no_inline), NULL, "no frames of inlined functions" },
	{ "color", 0, OPT_WORD, C(colour), NULL, "colours on a terminal", .words = colours },
	{ "header", 0, OPT_FLAG, C(style.header), NULL,
	  "begin CSV with lines that say what it is made of" },
	{ "strict", 0, OPT_FLAG, C(strict), NULL, "exit 3 when something was lost or damaged" },
	{ "progress", 0, OPT_FLAG, C(progress), NULL,
	  "show progress also where stderr is no terminal" },
	{ "quiet", 'q', OPT_FLAG, C(quiet), NULL, "no warnings, no progress" },
	{ "verbose", 'v', OPT_LEVEL, C(verbose), NULL, "say more" },
	{ "force", 'f', OPT_FLAG, C(force), NULL, "accepted for perf's sake, does nothing" },
	{ "help", 'h', OPT_FLAG, C(help), NULL, "this text" },
	{ 0 },
};

/* flamegraph.pl's options, for what can be drawn. */
static const struct option drawing_table[] = {
	{ "title", 0, OPT_TEXT, C(style.flame.title), "TEXT", "title of the drawing" },
	{ "subtitle", 0, OPT_TEXT, C(style.flame.subtitle), "TEXT", "second line of the title" },
	{ "width", 0, OPT_TEXT, C(style.flame.width), "PIXELS", "width (default: 1200)" },
	{ "height", 0, OPT_TEXT, C(style.flame.height), "PIXELS",
	  "height of a frame (default: 16)" },
	{ "minwidth", 0, OPT_TEXT, C(style.flame.minwidth), "PIXELS|N%",
	  "leave out narrower frames (default: 0.1)" },
	{ "fonttype", 0, OPT_TEXT, C(style.flame.fonttype), "FONT", "font (default: Verdana)" },
	{ "fontsize", 0, OPT_TEXT, C(style.flame.fontsize), "SIZE", "font size (default: 12)" },
	{ "fontwidth", 0, OPT_TEXT, C(style.flame.fontwidth), "RATIO",
	  "width of a character to the font size (default: 0.59)" },
	{ "countname", 0, OPT_TEXT, C(style.flame.countname), "TEXT",
	  "what is counted (default: samples, or the unit of the weight)" },
	{ "nametype", 0, OPT_TEXT, C(style.flame.nametype), "TEXT",
	  "what names are (default: Function:)" },
	{ "nameattr", 0, OPT_TEXT, C(style.flame.nameattr), "FILE",
	  "attributes by function name, as flamegraph.pl reads them" },
	{ "encoding", 0, OPT_TEXT, C(style.flame.encoding), "NAME", "XML encoding (UTF-8)" },
	{ "total", 0, OPT_TEXT, C(style.flame.total), "N", "weight of the whole width" },
	{ "factor", 0, OPT_TEXT, C(style.flame.factor), "F", "multiply the counts shown" },
	{ "colors", 0, OPT_TEXT, C(style.flame.colors), "PALETTE",
	  "hot mem io wakeup chain java js perl rust python red green blue aqua yellow purple "
	  "orange" },
	{ "bgcolors", 0, OPT_TEXT, C(style.flame.bgcolors), "COLOR",
	  "background: yellow blue green grey or #rrggbb" },
	{ "cp", 0, OPT_TEXT, C(style.flame.cp), "FILE",
	  "keep the colour of each name in this palette file" },
	{ "hash", 0, OPT_FLAG, C(style.flame.hash), NULL, "colour by the name" },
	{ "random", 0, OPT_FLAG, C(style.flame.random), NULL, "colours that follow no name" },
	{ "inverted", 0, OPT_FLAG, C(style.flame.inverted), NULL, "icicle graph: root on top" },
	{ "negate", 0, OPT_FLAG, C(style.flame.negate), NULL,
	  "switch the hues of a differential graph" },
	{ "notes", 0, OPT_TEXT, C(style.flame.notes), "TEXT", "comment inside the SVG" },
	{ 0 },
};

static void add_table(struct rows *r, const struct option *table, enum row_group group, void *base)
{
	for (const struct option *o = table; o->name || o->type == OPT_TABLE; o++) {
		if (o->type == OPT_TABLE)
			add_table(r, o->table, group, base ? (char *)base + o->offset : NULL);
		else if (r->count < ROWS_MAX)
			r->list[r->count++] = (struct row){ o, group, base, false };
	}
}

void rows_init(struct rows *r, const struct analyzer *a, void *state, struct common_options *o)
{
	r->count = 0;
	add_table(r, a->options, ROWS_OWN, state);
	if (a->shapes & ~(unsigned)SHAPE_TABLE)
		add_table(r, drawing_table, ROWS_FORMAT, o);
	add_table(r, common_table, ROWS_COMMON, o);
}
