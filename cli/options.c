/* Parse options from tables: --opt=val, --opt val, unambiguous prefixes, operands anywhere, "--"
 * ends. */
#include "cli/options.h"
#include "cli/report.h"
#include "parser/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define C(member) offsetof(struct common_options, member)

const struct option common_table[] = {
	{ "input", 'i', OPT_TEXT, C(input), "FILE",
	  "the capture (default: perf.data; - is standard input)", false },
	{ "output", 'o', OPT_TEXT, C(output), "FILE", "write there instead of standard output",
	  false },
	{ "format", 0, OPT_TEXT, C(format), "NAME", "output format, see pdtool list", false },
	{ "jobs", 'j', OPT_TEXT, C(jobs), "N",
	  "threads (default: all CPUs); never changes the output", false },
	{ "event", 'e', OPT_NAMES, C(filter.events), "LIST", "only samples of these events",
	  false },
	{ "comms", 0, OPT_NAMES, C(filter.comms), "LIST", "only these command names", false },
	{ "pid", 0, OPT_NUMS, C(filter.pids), "LIST", "only these processes: 12,100-200", false },
	{ "tid", 0, OPT_NUMS, C(filter.tids), "LIST", "only these threads", false },
	{ "cpu", 'C', OPT_NUMS, C(filter.cpus), "LIST", "only these CPUs", false },
	{ "time", 0, OPT_TEXT, C(filter.time), "RANGE",
	  "only this time: A,B in seconds, 10%/2, 0%-10%, or ISO wall clock", false },
	{ "dsos", 0, OPT_NAMES, C(filter.dsos), "LIST",
	  "only samples whose leaf is in these modules", false },
	{ "symbol", 'S', OPT_NAMES, C(filter.symbols), "LIST",
	  "only samples whose leaf is one of these functions", false },
	{ "no-idle", 0, OPT_FLAG, C(filter.no_idle), NULL,
	  "leave out idle: pid 0 with a leaf in the idle loop", false },
	{ "symbols", 0, OPT_SYMBOLS, 0, "SRC",
	  "look for symbols there, too: archive, directory or file (a LIST: see -S)", false },
	{ "symfs", 0, OPT_TEXT, C(symbols.symfs), "DIR", "copy of the recorded machine's files",
	  false },
	{ "kallsyms", 0, OPT_TEXT, C(symbols.kallsyms), "FILE",
	  "the recorded machine's /proc/kallsyms", false },
	{ "vmlinux", 'k', OPT_TEXT, C(symbols.vmlinux), "FILE", "the recorded kernel with symbols",
	  false },
	{ "buildid-dir", 0, OPT_TEXT, C(symbols.buildid_dir), "DIR",
	  "build-id cache (default: $PERF_BUILDID_DIR or ~/.debug)", false },
	{ "debuginfod", 0, OPT_MAYBE, C(debuginfod), "[=URLS]",
	  "get what is still missing from these servers (default: $DEBUGINFOD_URLS)", false },
	{ "perf-map-dir", 0, OPT_TEXT, C(symbols.perf_map_dir), "DIR",
	  "where perf-PID.map and jit-PID.dump files are", false },
	{ "perf-map", 0, OPT_TEXTS, C(perf_maps), "PID=FILE",
	  "the perf map or jitdump of the process recorded with this pid", false },
	{ "no-host", 0, OPT_FLAG, C(symbols.no_host), NULL,
	  "use no file of this host but those that are named", false },
	{ "allow-unverified", 0, OPT_FLAG, C(symbols.allow_unverified), NULL,
	  "use this host's files where the capture recorded no build-id", false },
	{ "no-demangle", 0, OPT_FLAG, C(symbols.no_demangle), NULL,
	  "show symbols as the linker wrote them", false },
	{ "no-inline", 0, OPT_FLAG, C(symbols.no_inline), NULL, "no frames of inlined functions",
	  false },
	{ "color", 0, OPT_TEXT, C(color), "WHEN", "auto, always or never", false },
	{ "header", 0, OPT_FLAG, C(style.header), NULL,
	  "begin CSV with lines that say what it is made of", false },
	{ "strict", 0, OPT_FLAG, C(strict), NULL, "exit 3 when something was lost or damaged",
	  false },
	{ "progress", 0, OPT_FLAG, C(progress), NULL,
	  "show progress also where stderr is no terminal", false },
	{ "quiet", 'q', OPT_FLAG, C(quiet), NULL, "no warnings, no progress", false },
	{ "verbose", 'v', OPT_COUNT, C(verbose), NULL, "say more", false },
	{ "force", 'f', OPT_FLAG, C(force), NULL, "accepted for perf's sake, does nothing", false },
	{ "help", 'h', OPT_FLAG, C(help), NULL, "this text", false },
	{ 0 },
};

/* flamegraph.pl's options, for what can be drawn. */
static const struct option drawing_table[] = {
	{ "title", 0, OPT_TEXT, C(style.flame.title), "TEXT", "title of the drawing", false },
	{ "subtitle", 0, OPT_TEXT, C(style.flame.subtitle), "TEXT", "second line of the title",
	  false },
	{ "width", 0, OPT_TEXT, C(style.flame.width), "PIXELS", "width (default: 1200)", false },
	{ "height", 0, OPT_TEXT, C(style.flame.height), "PIXELS", "height of a frame (default: 16)",
	  false },
	{ "minwidth", 0, OPT_TEXT, C(style.flame.minwidth), "PIXELS|N%",
	  "leave out narrower frames (default: 0.1)", false },
	{ "fonttype", 0, OPT_TEXT, C(style.flame.fonttype), "FONT", "font (default: Verdana)",
	  false },
	{ "fontsize", 0, OPT_TEXT, C(style.flame.fontsize), "SIZE", "font size (default: 12)",
	  false },
	{ "fontwidth", 0, OPT_TEXT, C(style.flame.fontwidth), "RATIO",
	  "width of a character to the font size (default: 0.59)", false },
	{ "countname", 0, OPT_TEXT, C(style.flame.countname), "TEXT",
	  "what is counted (default: samples, or the unit of the weight)", false },
	{ "nametype", 0, OPT_TEXT, C(style.flame.nametype), "TEXT",
	  "what names are (default: Function:)", false },
	{ "nameattr", 0, OPT_TEXT, C(style.flame.nameattr), "FILE",
	  "attributes by function name, as flamegraph.pl reads them", false },
	{ "encoding", 0, OPT_TEXT, C(style.flame.encoding), "NAME", "XML encoding (UTF-8)", false },
	{ "total", 0, OPT_TEXT, C(style.flame.total), "N", "weight of the whole width", false },
	{ "factor", 0, OPT_TEXT, C(style.flame.factor), "F", "multiply the counts shown", false },
	{ "colors", 0, OPT_TEXT, C(style.flame.colors), "PALETTE",
	  "hot mem io wakeup chain java js perl rust python red green blue aqua yellow purple "
	  "orange",
	  false },
	{ "bgcolors", 0, OPT_TEXT, C(style.flame.bgcolors), "COLOR",
	  "background: yellow blue green grey or #rrggbb", false },
	{ "cp", 0, OPT_TEXT, C(style.flame.cp), "FILE",
	  "keep the colour of each name in this palette file", false },
	{ "hash", 0, OPT_FLAG, C(style.flame.hash), NULL, "colour by the name", false },
	{ "random", 0, OPT_FLAG, C(style.flame.random), NULL, "colours that follow no name",
	  false },
	{ "inverted", 0, OPT_FLAG, C(style.flame.inverted), NULL, "icicle graph: root on top",
	  false },
	{ "negate", 0, OPT_FLAG, C(style.flame.negate), NULL,
	  "switch the hues of a differential graph", false },
	{ "notes", 0, OPT_TEXT, C(style.flame.notes), "TEXT", "comment inside the SVG", false },
	{ 0 },
};

static const struct option no_options[] = { { 0 } };

/* The tables that hold for A: its own, the drawing options, the common ones. */
#define TABLE_COUNT 3

static const struct option *table_of(const struct analyzer *a, int i)
{
	if (i == 0)
		return a->options;
	if (i == 2)
		return common_table;
	return a->shapes & ~(unsigned)SHAPE_TABLE ? drawing_table : no_options;
}

struct match {
	const struct option *option;
	void *base; /* the struct that its offset counts in */
};

struct parser {
	struct common_options *o;
	const struct analyzer *analyzer;
	void *state;
	bool compat;
};

/* Optimal string alignment would be finer; plain edit distance finds the usual slips. */
static unsigned distance(const char *a, const char *b)
{
	size_t n = strlen(b);
	unsigned row[64];

	if (n >= ARRAY_SIZE(row) || strlen(a) >= ARRAY_SIZE(row))
		return 99;
	for (size_t j = 0; j <= n; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; a[i - 1]; i++) {
		unsigned diagonal = row[0];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= n; j++) {
			unsigned best = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[n];
}

const char *nearest(const char *word, const char *const *list)
{
	const char *best = NULL;
	unsigned least = 3; /* farther than two slips is another word */

	for (; *list; list++) {
		unsigned d = distance(word, *list);

		if (d < least && d < strlen(*list)) {
			least = d;
			best = *list;
		}
	}
	return best;
}

static bool usable(const struct parser *p, const struct option *opt, bool has_value)
{
	return !opt->compat_only || (p->compat && !has_value);
}

/* The analyzer's options hide common ones of the same name. A prefix must mean one option only. */
static int find_long(const struct parser *p, const char *name, size_t len, bool has_value,
		     struct match *out)
{
	unsigned found = 0;

	for (int t = 0; t < TABLE_COUNT; t++) {
		for (const struct option *opt = table_of(p->analyzer, t); opt->name; opt++) {
			struct match m = { opt, t ? (void *)p->o : p->state };

			if (strncmp(opt->name, name, len) || !usable(p, opt, has_value))
				continue;
			if (strlen(opt->name) == len) {
				*out = m;
				return 1;
			}
			found += !found || strcmp(out->option->name, opt->name);
			*out = m;
		}
	}
	return (int)found;
}

static bool find_short(const struct parser *p, char letter, struct match *out)
{
	for (int t = 0; t < TABLE_COUNT; t++) {
		for (const struct option *opt = table_of(p->analyzer, t); opt->name; opt++) {
			if (opt->letter != letter)
				continue;
			*out = (struct match){ opt, t ? (void *)p->o : p->state };
			return true;
		}
	}
	return false;
}

static bool takes_value(const struct option *opt)
{
	return opt->type != OPT_FLAG && opt->type != OPT_COUNT;
}

static void add_text(struct name_list *l, const char *text)
{
	l->list = xrealloc(l->list, (l->count + 1) * sizeof(*l->list));
	l->list[l->count++] = xstrdup(text);
}

/* perf's --symbols is -S. What is there, or can only be a path, is a place with symbols. */
static int set_symbols(struct common_options *o, const char *value)
{
	if (!strchr(value, '/') && access(value, F_OK))
		return name_list_parse(&o->filter.symbols, value);
	add_text(&o->sources, value);
	return 0;
}

static int set_value(const struct match *m, const char *value)
{
	void *at = (char *)m->base + m->option->offset;
	struct name_list *names = at;

	switch (m->option->type) {
	case OPT_FLAG:
		*(bool *)at = true;
		return 0;
	case OPT_COUNT:
		++*(unsigned *)at;
		return 0;
	case OPT_TEXT:
		*(const char **)at = value;
		return 0;
	case OPT_TEXTS:
		add_text(names, value);
		return 0;
	case OPT_SYMBOLS:
		return set_symbols(m->base, value);
	case OPT_MAYBE:
		*(const char **)at = value ?: "";
		return 0;
	case OPT_NAMES:
		return name_list_parse(at, value);
	case OPT_NUMS:
		return num_list_parse(at, value);
	case OPT_FILES:
		break; /* see parse_files() */
	}
	return ERR_USAGE;
}

static int apply(const struct match *m, const char *shown, const char *value)
{
	if (takes_value(m->option) && m->option->type != OPT_MAYBE && !value) {
		say("%s needs a value: %s", shown, m->option->arg);
		return EXIT_USAGE;
	}
	if (!takes_value(m->option) && value) {
		say("%s takes no value", shown);
		return EXIT_USAGE;
	}
	if (set_value(m, value) == 0)
		return 0;
	say("%s: '%s' is no %s", shown, value, m->option->arg);
	return EXIT_USAGE;
}

static int unknown_option(const struct parser *p, const char *arg, size_t len)
{
	const char *list[128]; /* more than all tables together */
	size_t n = 0;
	char *name = strndup(arg + 2, len);
	const char *near;

	for (int t = 0; t < TABLE_COUNT; t++) {
		for (const struct option *opt = table_of(p->analyzer, t); opt->name; opt++)
			list[n++] = opt->name;
	}
	list[n] = NULL;
	near = nearest(name, list);
	say("%s: unknown option --%s%s%s%s", p->analyzer->name, name,
	    near ? "; did you mean --" : "", near ? near : "", near ? "?" : "");
	free(name);
	return EXIT_USAGE;
}

static void add_file(struct common_options *o, const char *name, const char *option)
{
	size_t n = ++o->file_count;

	o->files = xrealloc(o->files, n * sizeof(*o->files));
	o->file_options = xrealloc(o->file_options, n * sizeof(*o->file_options));
	o->files[n - 1] = name;
	o->file_options[n - 1] = option;
}

/* All words up to the next option; VALUE, if any, is the first. Returns how many were used. */
static int parse_files(const struct parser *p, const struct match *m, const char *value,
		       char **argv)
{
	unsigned *count = (unsigned *)((char *)m->base + m->option->offset);
	int used = 0;

	if (value)
		add_file(p->o, value, m->option->name);
	while (argv[used] && (argv[used][0] != '-' || !argv[used][1]))
		add_file(p->o, argv[used++], m->option->name);
	*count += (unsigned)used + (value != NULL);
	if (!used && !value)
		say("--%s needs a value: %s", m->option->name, m->option->arg);
	return used || value ? used : -EXIT_USAGE;
}

/* Returns how many arguments were used, or a negative exit status. */
static int parse_long(const struct parser *p, char **argv)
{
	const char *arg = argv[0];
	const char *equals = strchr(arg, '=');
	size_t len = equals ? (size_t)(equals - arg) - 2 : strlen(arg) - 2;
	struct match m;
	int found = find_long(p, arg + 2, len, equals != NULL, &m);
	const char *value = equals ? equals + 1 : NULL;
	int used = 1;

	if (found == 0)
		return -unknown_option(p, arg, len);
	if (found > 1) {
		say("%s: --%.*s could mean several options", p->analyzer->name, (int)len, arg + 2);
		return -EXIT_USAGE;
	}
	if (m.option->type == OPT_FILES) {
		used = parse_files(p, &m, value, argv + 1);
		return used < 0 ? used : used + 1;
	}
	if (takes_value(m.option) && m.option->type != OPT_MAYBE && !value && argv[1]) {
		value = argv[1];
		used = 2;
	}
	return apply(&m, arg, value) ? -EXIT_USAGE : used;
}

static int parse_short(const struct parser *p, char **argv)
{
	for (const char *s = argv[0] + 1; *s; s++) {
		char shown[3] = { '-', *s, 0 };
		const char *value = NULL;
		struct match m;
		int used = 1;

		if (!find_short(p, *s, &m)) {
			say("%s: unknown option %s", p->analyzer->name, shown);
			return -EXIT_USAGE;
		}
		if (takes_value(m.option)) {
			value = s[1] ? s + 1 : argv[1];
			used = !s[1] && argv[1] ? 2 : 1;
		}
		if (apply(&m, shown, value))
			return -EXIT_USAGE;
		if (takes_value(m.option))
			return used;
	}
	return 1;
}

/* --pid and --tid mean another thing beside --compat, wherever it stands. */
static bool has_compat(char **argv)
{
	for (; *argv && strcmp(*argv, "--"); argv++) {
		if (!strncmp(*argv, "--comp", 6))
			return true;
	}
	return false;
}

/* The first operand becomes the value of the analyzer's option for it. */
static void take_operand(struct common_options *o, const struct analyzer *a, void *state)
{
	const struct option *opt = a->options;
	const char **value;
	size_t first = 0;

	while (strcmp(opt->name, a->operand))
		opt++;
	value = (const char **)((char *)state + opt->offset);
	while (first < o->file_count && o->file_options[first])
		first++;
	if (*value || first == o->file_count)
		return;
	*value = o->files[first];
	o->file_count--;
	for (size_t i = first; i < o->file_count; i++) {
		o->files[i] = o->files[i + 1];
		o->file_options[i] = o->file_options[i + 1];
	}
}

int options_parse(struct common_options *o, const struct analyzer *a, void *state, char **argv)
{
	struct parser p = { o, a, state, has_compat(argv) };
	bool operands_only = false;

	while (*argv) {
		int used = 1;

		if (operands_only || argv[0][0] != '-' || !argv[0][1])
			add_file(o, *argv, NULL);
		else if (!strcmp(*argv, "--"))
			operands_only = true;
		else
			used = argv[0][1] == '-' ? parse_long(&p, argv) : parse_short(&p, argv);
		if (used < 0)
			return -used;
		argv += used;
	}
	if (a->operand)
		take_operand(o, a, state);
	if (o->input)
		add_file(o, o->input, NULL);
	if (!o->file_count)
		add_file(o, "perf.data", NULL);
	return 0;
}

void options_release(struct common_options *o)
{
	filter_release(&o->filter);
	name_list_release(&o->perf_maps);
	name_list_release(&o->sources);
	sources_free(o->symbols.sources);
	debuginfod_free(o->symbols.debuginfod);
	free(o->files);
	free(o->file_options);
}

static void print_table(const struct option *opt)
{
	for (; opt->name; opt++) {
		char left[64];

		if (opt->compat_only)
			continue;
		snprintf(left, sizeof(left), "%s%c%s--%s%s%s", opt->letter ? "-" : "  ",
			 opt->letter ? opt->letter : ' ', opt->letter ? ", " : " ", opt->name,
			 opt->arg && opt->type != OPT_MAYBE ? " " : "", opt->arg ? opt->arg : "");
		printf("  %-34s %s\n", left, opt->help);
	}
}

void options_help(const struct analyzer *a)
{
	printf("Usage: pdtool %s [OPTION...]%s [FILE%s]\n%s\n\nOptions:\n", a->name,
	       a->operand ? " SYMBOL" : "", a->operand ? "" : "...", a->summary);
	print_table(a->options);
	if (table_of(a, 1)->name)
		printf("\nDrawing (--format svg):\n");
	print_table(table_of(a, 1));
	printf("\nCommon options:\n");
	print_table(common_table);
	printf("\nExit status: 0 complete, 1 error, 2 usage, 3 partial with --strict, "
	       "4 a threshold was "
	       "passed,\n141 the reader of the output went away.\n");
}
