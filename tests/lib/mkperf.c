/*
 * mkperf [OPTIONS] -o OUT [--also [OPTIONS] -o OUT]... DESCRIPTION: writes the capture that a text
 * describes, in the byte order and form asked for. The language: mkperf.md.
 *
 *	--endian little|big	the recorded machine's byte order
 *	--mode file|pipe|v1	a seekable file, a pipe, a file of perf before 3.2
 *	--zstd, --zstd2		the kernel's records within COMPRESSED or COMPRESSED2 records
 *	--attr-size N		of struct perf_event_attr: 64 72 80 96 104 112 120 128 136 144
 *	--word 32|64		the recorded machine's long
 *	--align 8|none		of the size of HEADER_FEATURE records
 *	--shuffle-cpus		each round as one run for each CPU, the last CPU first
 *	--also			one more form, in the same byte order and with the same word
 */
#include "mkperf.h"

#include <ctype.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_USAGE = 2, ATTR_SIZE_MIN = 64, ATTR_SIZE_MAX = 4096, ATTR_DEFAULT = 128, ATTR_V1 = 72 };

struct loop {
	int start; /* the line after `repeat` */
	uint64_t count;
	uint64_t i;
	int nr_vars; /* to go back to at the end */
};

struct script {
	char **lines;
	int nr_lines;
	struct loop loops[MK_LOOPS_MAX];
	int depth;
};

void die(const struct mk *m, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "mkperf: %s:%d: ", m->opt.in, m->line);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(1);
}

static void usage(void)
{
	fputs("usage: mkperf [--endian little|big] [--mode file|pipe|v1] [--zstd|--zstd2]\n"
	      "              [--attr-size N] [--word 32|64] [--align 8|none] [--shuffle-cpus]\n"
	      "              -o OUT [--also [OPTION...] -o OUT]... DESCRIPTION\n", stderr);
	exit(EXIT_USAGE);
}

/* The place of @value in @choices (NULL at the end), or usage. */
static int choose(const char *value, const char *const *choices)
{
	for (int i = 0; choices[i]; i++)
		if (!strcmp(value, choices[i]))
			return i;
	usage();
	return 0;
}

static void set_option(struct mk_options *o, int c)
{
	static const char *const orders[] = { "little", "big", NULL };
	static const char *const modes[] = { "file", "pipe", "v1", NULL };
	static const char *const words[] = { "32", "64", NULL };
	static const char *const aligns[] = { "none", "8", NULL };

	switch (c) {
	case 'e': o->big = choose(optarg, orders); break;
	case 'm': o->mode = (enum mk_mode)choose(optarg, modes); break;
	case 'z': o->zstd = MK_ZSTD; break;
	case 'Z': o->zstd = MK_ZSTD2; break;
	case 'a': o->attr_size = (uint32_t)strtoul(optarg, NULL, 0); break;
	case 'w': o->word = choose(optarg, words) ? 64 : 32; break;
	case 'A': o->align = choose(optarg, aligns); break;
	case 's': o->shuffle = true; break;
	case 'o': o->out = optarg; break;
	default: usage();
	}
}

/* The options of one form; argv[0] is passed over. */
static void parse_form(struct mk_options *o, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "endian", required_argument, NULL, 'e' },
		{ "mode", required_argument, NULL, 'm' },
		{ "zstd", no_argument, NULL, 'z' },
		{ "zstd2", no_argument, NULL, 'Z' },
		{ "attr-size", required_argument, NULL, 'a' },
		{ "word", required_argument, NULL, 'w' },
		{ "align", required_argument, NULL, 'A' },
		{ "shuffle-cpus", no_argument, NULL, 's' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	optind = 0;
	while ((c = getopt_long(argc, argv, "o:", longs, NULL)) != -1)
		set_option(o, c);
	if (!o->attr_size)
		o->attr_size = o->mode == MK_V1 ? ATTR_V1 : ATTR_DEFAULT;
	if (optind != argc || !o->out || o->attr_size % 8 || o->attr_size < ATTR_SIZE_MIN ||
	    o->attr_size > ATTR_SIZE_MAX || (o->mode == MK_V1 && o->zstd != MK_PLAIN))
		usage();
}

/* How many arguments belong to the form that begins at @argv. */
static int form_length(char **argv, int argc)
{
	int n = 1;

	while (n < argc && strcmp(argv[n], "--also"))
		n++;
	return n;
}

static void add_line(struct script *s, const char *text)
{
	s->lines = xrealloc(s->lines, ((size_t)s->nr_lines + 1) * sizeof(*s->lines));
	s->lines[s->nr_lines++] = xstrndup(text, strlen(text));
}

/* Joins a line with the next ones as long as it ends in a backslash; numbers stay right. */
static void join_lines(struct script *s)
{
	int to = 0;

	for (int i = 0; i < s->nr_lines; i++) {
		size_t n = strlen(s->lines[to]), add = strlen(s->lines[i]);

		if (i == to || !n || s->lines[to][n - 1] != '\\') {
			to = i;
			continue;
		}
		s->lines[to] = xrealloc(s->lines[to], n + add + 1);
		s->lines[to][n - 1] = ' ';
		memcpy(s->lines[to] + n, s->lines[i], add + 1);
		s->lines[i][0] = '\0';
	}
}

static void read_script(struct mk *m, struct script *s)
{
	FILE *f = fopen(m->opt.in, "re");
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	if (!f)
		die(m, "cannot be opened");
	while ((n = getline(&line, &cap, f)) >= 0) {
		while (n && isspace((unsigned char)line[n - 1]))
			line[--n] = '\0';
		add_line(s, line);
	}
	free(line);
	fclose(f);
	join_lines(s);
}

static void set_var(struct mk *m, const char *name, uint64_t value)
{
	for (int i = 0; i < m->nr_vars; i++)
		if (!strcmp(m->vars[i].name, name)) {
			m->vars[i].value = value;
			return;
		}
	if (m->nr_vars == MK_VARS_MAX || strlen(name) >= sizeof(m->vars[0].name))
		die(m, "'%s': too many variables or too long a name", name);
	strcpy(m->vars[m->nr_vars].name, name);
	m->vars[m->nr_vars++].value = value;
}

static const char *line_text(const struct script *s, int pc)
{
	const char *line = s->lines[pc];

	return line + strspn(line, " \t");
}

static bool starts_block(const char *line)
{
	return !strncmp(line, "repeat ", 7);
}

/* The line of the `}` of the block whose first line is @pc. */
static int block_end(struct mk *m, const struct script *s, int pc)
{
	int depth = 0;

	for (; pc < s->nr_lines; pc++) {
		const char *line = line_text(s, pc);

		if (starts_block(line))
			depth++;
		else if (*line == '}' && !depth--)
			return pc;
	}
	die(m, "the block has no '}'");
}

/* repeat COUNT [NAME] {: NAME, or else i, counts from 0. Returns the next line. */
static int loop_enter(struct mk *m, struct script *s, int pc, struct args *a)
{
	struct loop *l = &s->loops[s->depth];
	const char *count = arg_need_word(m, a, "the count");
	const char *name = arg_need_word(m, a, "'{'");

	if (s->depth == MK_LOOPS_MAX)
		die(m, "blocks within more than %d blocks", MK_LOOPS_MAX);
	*l = (struct loop){ .start = pc + 1, .count = eval(m, count, NULL), .nr_vars = m->nr_vars };
	if (strcmp(name, "{"))
		arg_need_word(m, a, "'{'");
	else
		name = "i";
	if (!l->count)
		return block_end(m, s, pc + 1) + 1;
	if (m->nr_vars == MK_VARS_MAX || strlen(name) >= sizeof(m->vars[0].name))
		die(m, "'%s': too many variables or too long a name", name);
	strcpy(m->vars[m->nr_vars].name, name);
	m->vars[m->nr_vars++].value = 0;
	s->depth++;
	return pc + 1;
}

static int loop_turn(struct mk *m, struct script *s, int pc)
{
	struct loop *l = &s->loops[s->depth - 1];

	if (!s->depth)
		die(m, "'}' without a block");
	if (++l->i < l->count) {
		m->vars[l->nr_vars].value = l->i;
		return l->start;
	}
	m->nr_vars = l->nr_vars;
	s->depth--;
	return pc + 1;
}

static void free_arg(struct arg *arg)
{
	free(arg->key);
	free(arg->value);
}

/* default KEY=VALUE...: taken by every later record that does not say otherwise. */
static void set_defaults(struct mk *m, struct args *a)
{
	struct args *d = &m->defaults;

	for (int i = 0; i < a->n; i++) {
		struct arg *arg = &a->v[i];
		int k = 0;

		if (arg->used)
			continue;
		if (!arg->value)
			die(m, "default takes key=value");
		while (k < d->n && strcmp(d->v[k].key, arg->key))
			k++;
		if (k == MK_ARGS_MAX / 2)
			die(m, "more than %d defaults", MK_ARGS_MAX / 2);
		if (k == d->n)
			d->n++;
		else
			free_arg(&d->v[k]);
		d->v[k] = (struct arg){ .key = xstrndup(arg->key, strlen(arg->key)),
					.value = xstrndup(arg->value, strlen(arg->value)) };
		arg->used = true;
	}
}

static void add_patch(struct mk *m, struct args *a)
{
	struct patch *p = &m->patches[m->nr_patches];

	if (m->nr_patches++ == ARRAY_SIZE(m->patches))
		die(m, "more than %zu patches", ARRAY_SIZE(m->patches));
	p->offset = eval(m, arg_need_word(m, a, "the offset"), NULL);
	p->bytes.big = m->opt.big;
	for (char *word = arg_word(a); word; word = arg_word(a))
		put_item(m, &p->bytes, word);
}

/* What is neither event nor feature nor record. */
static bool other(struct mk *m, const char *directive, struct args *a)
{
	if (!strcmp(directive, "let")) {
		const char *name = arg_need_word(m, a, "the name");

		set_var(m, name, eval(m, arg_need_word(m, a, "the value"), NULL));
	} else if (!strcmp(directive, "default")) {
		set_defaults(m, a);
	} else if (!strcmp(directive, "event")) {
		event_add(m, a);
	} else if (!strcmp(directive, "omit")) {
		uint64_t id = eval(m, arg_need_word(m, a, "the feature"), NULL);

		m->omit_feature[id % MK_FEATURES_MAX] = true;
	} else if (!strcmp(directive, "patch")) {
		add_patch(m, a);
	} else if (!strcmp(directive, "trailing")) {
		m->trailing.big = m->opt.big;
		for (char *word = arg_word(a); word; word = arg_word(a))
			put_item(m, &m->trailing, word);
	} else if (!strcmp(directive, "cut")) {
		m->cut_bytes = eval(m, arg_need_word(m, a, "the bytes"), NULL);
	} else if (!strcmp(directive, "killed")) {
		m->killed = true;
	} else {
		return false;
	}
	return true;
}

/* The defaults go first, for the last of two equal keys wins. They belong to m->defaults. */
static void prepend_defaults(struct mk *m, struct args *a)
{
	int n = m->defaults.n;

	if (a->n + n > MK_ARGS_MAX)
		die(m, "more than %d arguments", MK_ARGS_MAX);
	memmove(a->v + n, a->v, (size_t)a->n * sizeof(*a->v));
	for (int i = 0; i < n; i++) {
		const struct arg *d = &m->defaults.v[i];

		a->v[i] = (struct arg){ .key = xstrndup(d->key, strlen(d->key)),
					.value = xstrndup(d->value, strlen(d->value)),
					.is_default = true };
	}
	a->n += n;
}

static void run_directive(struct mk *m, const char *directive, struct args *a)
{
	if (other(m, directive, a) || feature_add(m, directive, a)) {
		args_check(m, a);
		return;
	}
	prepend_defaults(m, a);
	if (!record_add(m, directive, a))
		die(m, "'%s' is no directive", directive);
	args_check(m, a);
}

/* Runs the line @pc; returns the number of the next one. */
static int run_line(struct mk *m, struct script *s, int pc)
{
	struct args a = { 0 };
	char *line, *directive;
	int next = pc + 1;

	m->line = pc + 1;
	line = substitute(m, line_text(s, pc));
	args_parse(m, &a, line);
	free(line);
	directive = arg_word(&a);
	if (directive && !strcmp(directive, "repeat")) {
		next = loop_enter(m, s, pc, &a);
	} else if (directive && !strcmp(directive, "}")) {
		next = loop_turn(m, s, pc);
	} else if (directive) {
		directive = xstrndup(directive, strlen(directive));
		run_directive(m, directive, &a);
		free(directive);
	} else if (a.n) {
		die(m, "a line starts with a directive");
	}
	args_release(&a);
	return next;
}

static void run_script(struct mk *m)
{
	struct script s = { 0 };

	read_script(m, &s);
	for (int pc = 0; pc < s.nr_lines;) {
		if (*line_text(&s, pc) == '#')
			pc++;
		else
			pc = run_line(m, &s, pc);
	}
	if (s.depth)
		die(m, "a block has no '}'");
	for (int i = 0; i < s.nr_lines; i++)
		free(s.lines[i]);
	free(s.lines);
}

static void save(struct mk *m, const struct buf *out)
{
	FILE *f = !strcmp(m->opt.out, "-") ? stdout : fopen(m->opt.out, "we");

	if (!f || fwrite(out->p, 1, out->len, f) != out->len || fclose(f))
		die(m, "%s: cannot be written", m->opt.out);
}

static void release(struct mk *m)
{
	for (int i = 0; i < m->nr_events; i++)
		free(m->events[i].name);
	for (int i = 0; i < m->nr_tracepoints; i++) {
		free(m->tracepoints[i].system);
		free(m->tracepoints[i].name);
		free(m->tracepoints[i].fields);
		free(m->tracepoints[i].print);
	}
	for (int i = 0; i < MK_FEATURES_MAX; i++)
		free(m->features[i].p);
	for (int i = 0; i < m->nr_patches; i++)
		free(m->patches[i].bytes.p);
	args_release(&m->defaults);
	free(m->build_ids.p);
	free(m->trailing.p);
	free(m->data.p);
	free(m->items);
	free(m);
}

static void write_form(struct mk *m)
{
	struct buf out = { 0 };

	write_capture(m, &out);
	save(m, &out);
	free(out.p);
}

/* Writing changes what is written: another form is written by another process. */
static void write_also(struct mk *m, int argc, char **argv)
{
	struct mk_options o = { .word = m->opt.word, .big = m->opt.big, .align = true };
	int status;
	pid_t pid;

	parse_form(&o, argc, argv);
	if (o.word != m->opt.word || o.big != m->opt.big)
		usage();
	pid = fork();
	if (pid == 0) {
		o.in = m->opt.in;
		m->opt = o;
		write_form(m);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		die(m, "--also: %s was not written", o.out);
}

int main(int argc, char **argv)
{
	struct mk *m = xrealloc(NULL, sizeof(*m));
	int first;

	if (argc < 2)
		usage();
	memset(m, 0, sizeof(*m));
	argc--; /* the description */
	first = form_length(argv, argc);
	m->opt = (struct mk_options){ .word = 64, .align = true };
	parse_form(&m->opt, first, argv);
	m->opt.in = argv[argc];
	run_script(m);
	for (int at = first, n; at < argc; at += n) {
		n = form_length(argv + at, argc - at);
		write_also(m, n, argv + at);
	}
	write_form(m);
	release(m);
	return 0;
}
