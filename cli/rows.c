/* The rows of options that hold for a command: its own, those of what it can draw, the common ones.
 */
#include "cli/options.h"
#include "cli/registry.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <string.h>

#define C(member) offsetof(struct common_options, member)

static const char *const colours[] = { "auto", "always", "never", NULL };

static const char *const architectures[] = { "x86_64",	"i686",	 "aarch64", "armv7l", "s390x",
					     "ppc64le", "ppc64", "riscv64", NULL };

static const char *const clocks[] = { "", "capture", "wall", NULL };

const struct option common_table[] = {
	{ "input", 'i', OPT_FILE, C(input), "FILE",
	  "the capture (default: perf.data; - is standard input)" },
	{ "output", 'o', OPT_FILE, C(output), "FILE", "write there instead of standard output",
	  .written = true },
	{ "format", 0, OPT_FORMAT, C(format), "NAME",
	  "output format, see pdtool list (default: by -o NAME.svg, .csv, .json ...)" },
	{ "jobs", 'j', OPT_COUNT, C(jobs), "N",
	  "threads (default: all CPUs); never changes the output", .given = C(jobs_given) },
	{ "max-memory", 0, OPT_SIZE, C(max_memory), "SIZE",
	  "what the stacks of one input may take, and its threads; beyond it the rarest count as "
	  "[others] "
	  "(default: half of this machine's memory, at least 1G)",
	  .least = 1 << 20 },
	{ "limit", 0, OPT_COUNT, C(limit), "N",
	  "rows of a table in text; 0: all (default: all, but on a terminal those that say the "
	  "most, 40 of them)",
	  .given = C(limit_given) },
	{ "wide", 0, OPT_FLAG, C(wide), NULL, "whole names and all columns, also on a terminal" },
	{ "no-pager", 0, OPT_FLAG, C(no_pager), NULL, "text goes to the terminal itself" },
	{ "paginate", 0, OPT_FLAG, C(paginate), NULL,
	  "text on a terminal goes through a pager (the default), in spite of --no-pager" },
	{ "color", 0, OPT_WORD, C(colour), NULL, "colours on a terminal", .words = colours },
	{ "clock", 0, OPT_WORD, C(filter.clock), NULL,
	  "points in time by the capture's clock or the wall clock (default: wall in drawings "
	  "with a time axis, if known)",
	  .words = clocks },
	{ "strict", 0, OPT_FLAG, C(strict), NULL, "exit 3 when something was lost or damaged" },
	{ "allow-empty", 0, OPT_FLAG, C(allow_empty), NULL,
	  "exit 0 when there is nothing to show, and show that" },
	{ "progress", 0, OPT_FLAG, C(progress), NULL,
	  "show progress even if stderr is not a terminal" },
	{ "quiet", 'q', OPT_FLAG, C(quiet), NULL, "no warnings, no progress" },
	{ "verbose", 'v', OPT_FLAG, C(verbose), NULL, "say more" },
	{ "force", 'f', OPT_FLAG, C(force), NULL,
	  "accepted for compatibility with perf; no effect" },
	{ "no-config", 0, OPT_FLAG, C(no_config), NULL,
	  "as if there were no settings, see pdtool help config" },
	{ "no-sandbox", 0, OPT_FLAG, C(no_sandbox), NULL,
	  "keep all rights while captures are read, see SANDBOX in pdtool(1)" },
	{ "help", 0, OPT_FLAG, C(help), NULL, "the manual page of the command" },
	{ "usage", 'h', OPT_FLAG, C(usage), NULL, "its options in short" },

	{ "event", 'e', OPT_EVENTS, C(filter.events), "LIST",
	  "only samples of these events, by name or pattern", .choices = "events" },
	{ "comms", 0, OPT_NAMES, C(filter.comms), "LIST",
	  "only these commands, by name or pattern: bash,kworker*", .choices = "comms" },
	{ "pid", 0, OPT_NUMS, C(filter.pids), "LIST", "only these processes: 12,100-200" },
	{ "tid", 0, OPT_NUMS, C(filter.tids), "LIST", "only these threads" },
	{ "cpu", 'C', OPT_NUMS, C(filter.cpus), "LIST", "only these CPUs" },
	{ "filter", 0, OPT_FILTER, C(filter.fields), "EXPR",
	  "only tracepoints whose fields are so: 'prev_pid == 0 && next_comm ~ \"k*\"'" },
	{ "time", 0, OPT_TIMES, C(filter.time), "RANGE",
	  "only this time: A,B in seconds, +A,+B from the first sample, -A, from the last, 10%/2, "
	  "0%-10%, or wall clock: ISO, HH:MM:SS" },
	{ "dsos", 0, OPT_NAMES, C(filter.dsos), "LIST",
	  "only samples whose leaf is in these modules" },
	{ "symbol", 'S', OPT_NAMES, C(filter.symbols), "LIST",
	  "only samples whose leaf is one of these functions", .choices = "symbols" },
	{ "no-idle", 0, OPT_FLAG, C(filter.no_idle), NULL,
	  "leave out idle: pid 0 with a leaf in the idle loop" },

	{ "symbols", 0, OPT_SYMBOLS, 0, "SRC",
	  "look for symbols there, too: archive, directory or file (a LIST: see -S)" },
	{ "debuginfod", 0, OPT_MAYBE, C(debuginfod), "URLS",
	  "ask these debuginfod servers for what is missing (default: $DEBUGINFOD_URLS)" },
	{ "symfs", 0, OPT_DIR, C(symbols.symfs), "DIR", "copy of the recorded machine's files" },
	{ "buildid-dir", 0, OPT_DIR, C(symbols.buildid_dir), "DIR",
	  "build-id cache (default: $PERF_BUILDID_DIR or ~/.debug)" },
	{ "kallsyms", 0, OPT_FILE, C(symbols.kallsyms), "FILE",
	  "the recorded machine's /proc/kallsyms" },
	{ "vmlinux", 'k', OPT_FILE, C(symbols.vmlinux), "FILE", "the recorded kernel with symbols",
	  .one_of = "vmlinux" },
	{ "ignore-vmlinux", 0, OPT_FLAG, C(symbols.ignore_vmlinux), NULL,
	  "name the kernel by kallsyms alone, even if its vmlinux is found", .one_of = "vmlinux" },
	{ "guest-kallsyms", 0, OPT_FILE, C(symbols.guest_kallsyms), "FILE",
	  "the guest's /proc/kallsyms, for samples of its kernel" },
	{ "guest-modules", 0, OPT_FILE, C(symbols.guest_modules), "FILE",
	  "the guest's /proc/modules: where its modules lie" },
	{ "perf-map-dir", 0, OPT_DIRS, C(perf_map_dirs), "DIR",
	  "where perf-PID.map and jit-PID.dump files are; may repeat" },
	{ "perf-map", 0, OPT_TEXTS, C(perf_maps), "PID=FILE",
	  "the perf map or jitdump of the process recorded with this pid" },
	{ "arch", 0, OPT_TEXT, C(symbols.arch), "NAME",
	  "architecture of the recorded machine, where the capture does not tell",
	  .words = architectures },
	{ "no-host", 0, OPT_FLAG, C(symbols.no_host), NULL,
	  "use no file of this host except those named" },
	{ "allow-unverified", 0, OPT_FLAG, C(symbols.allow_unverified), NULL,
	  "use this host's files where the capture recorded no build-id" },
	{ "demangle-kernel", 0, OPT_FLAG, C(symbols.demangle_kernel), NULL,
	  "demangle symbols of the kernel, too" },
	{ "no-demangle", 0, OPT_FLAG, C(symbols.no_demangle), NULL, "do not demangle symbols" },
	{ "no-inline", 0, OPT_FLAG, C(no_inline), NULL, "no frames of inlined functions" },
	{ 0 },
};

static void add_table(struct rows *r, const struct option *table, enum row_group group,
		      const struct format *format, void *base)
{
	for (const struct option *o = table; o->name || o->type == OPT_TABLE; o++) {
		if (o->type == OPT_TABLE)
			add_table(r, o->table, group, format,
				  base ? (char *)base + o->offset : NULL);
		else if (r->count < ROWS_MAX)
			r->list[r->count++] = (struct row){ o, group, format, base, false };
	}
}

/* Those that mean something in what A makes. */
static void add_format(struct rows *r, const struct analyzer *a, const struct format *f, void *base)
{
	size_t from = r->count, to = from;

	add_table(r, f->options, ROWS_FORMAT, f, base);
	for (size_t i = from; i < r->count; i++) {
		unsigned shapes = r->list[i].option->shapes;

		if (!shapes || shapes & a->shapes)
			r->list[to++] = r->list[i];
	}
	r->count = to;
}

void rows_init(struct rows *r, const struct analyzer *a, void *state, struct common_options *o)
{
	memset(r, 0, sizeof(*r));
	add_table(r, a->options, ROWS_OWN, NULL, state);
	for (size_t i = 0; formats[i] && i < ARRAY_SIZE(r->format_options); i++) {
		const struct format *f = formats[i];

		if (!f->options)
			continue;
		r->format_options[i] = o ? xcalloc(1, f->options_size) : NULL;
		if (f->option_shapes & a->shapes)
			add_format(r, a, f, r->format_options[i]);
	}
	for (size_t i = 0; peer_options(a->name, i); i++)
		add_table(r, peer_options(a->name, i), ROWS_PEER, NULL, &r->accepted);
	add_table(r, common_table, ROWS_COMMON, NULL, o);
}

const void *rows_format_options(const struct rows *r, const struct format *f)
{
	size_t i = 0;

	while (formats[i] != f)
		i++;
	return i < ARRAY_SIZE(r->format_options) ? r->format_options[i] : NULL;
}

bool option_is_setting(const struct option *o)
{
	static const char *const others[] = { "input", "output", "help", "usage" };

	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		if (!strcmp(o->name, others[i]))
			return false;
	}
	return o->type != OPT_INPUTS;
}

void option_variable(const struct option *o, struct buf *out)
{
	buf_str(out, "PDTOOL_");
	for (const char *p = o->name; *p; p++)
		buf_printf(out, "%c", *p == '-' ? '_' : toupper((unsigned char)*p));
}

bool rows_given(const struct rows *r, const char *name)
{
	for (size_t i = 0; i < r->count; i++) {
		if (r->list[i].given && !strcmp(r->list[i].option->name, name))
			return true;
	}
	return false;
}
