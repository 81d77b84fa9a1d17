/* Parse options by their rows: --opt=val, --opt val, unambiguous prefixes, operands anywhere, "--"
 * ends. What was not given there comes from the environment, from the settings, or is as the row
 * says. */
#include "cli/options.h"
#include "cli/config.h"
#include "cli/registry.h"
#include "cli/values.h"
#include "parser/base/mem.h"
#include "parser/base/nearest.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct parser {
	struct rows *rows;
	struct common_options *o;
	const struct analyzer *analyzer;
	bool compat;
	const char
		*where; /* what stands in front of a message about a value; NULL: as it was given */
	unsigned unknown; /* settings that are none */
};

static void *place(const struct row *r)
{
	return (char *)r->base + r->option->offset;
}

/* The analyzer's options hide common ones of the same name. A prefix must mean one option only, and
 * none by its name in another tool. */
static int find_long(const struct parser *p, const char *name, size_t len, bool has_value,
		     struct row **out)
{
	unsigned found = 0;

	for (size_t i = 0; i < p->rows->count; i++) {
		struct row *r = &p->rows->list[i];
		const struct option *opt = r->option;

		if (!*opt->name || strncmp(opt->name, name, len) ||
		    (opt->compat_only && (has_value || !p->compat)))
			continue;
		if (strlen(opt->name) == len) {
			*out = r;
			return 1;
		}
		if (r->group == ROWS_PEER)
			continue;
		found += !found || strcmp((*out)->option->name, opt->name);
		*out = r;
	}
	return (int)found;
}

static struct row *find_short(const struct parser *p, char letter)
{
	for (size_t i = 0; i < p->rows->count; i++) {
		if (p->rows->list[i].option->letter == letter)
			return &p->rows->list[i];
	}
	return NULL;
}

/* perf's --symbols is -S. What is there, or can only be a path, is a place with symbols. */
static int set_symbols(struct common_options *o, const char *value)
{
	if (!strchr(value, '/') && access(value, F_OK))
		return name_list_parse(&o->filter.symbols, value);
	o->sources.list = xrealloc(o->sources.list, (o->sources.count + 1) * sizeof(char *));
	o->sources.list[o->sources.count++] = xstrdup(value);
	return 0;
}

/* What R stands for. Its arg may be "--other", or "--other value" with *VALUE behind the blank. */
static struct row *meant_row(const struct parser *p, struct row *r, const char **value)
{
	const char *name, *blank;
	size_t len;

	if (r->option->type != OPT_SAME)
		return r;
	name = r->option->arg + 2;
	blank = strchr(name, ' ');
	len = strcspn(name, " ");
	if (blank)
		*value = blank + 1;
	for (size_t i = 0; i < p->rows->count; i++) {
		const struct option *o = p->rows->list[i].option;

		if (o->type != OPT_SAME && strlen(o->name) == len && !strncmp(o->name, name, len))
			return &p->rows->list[i];
	}
	return r;
}

static bool takes_value(const struct parser *p, struct row *r)
{
	const char *value = NULL;

	r = meant_row(p, r, &value);
	return !value && value_is_taken(r->option);
}

static void add_text(struct name_list *l, char *text)
{
	l->list = xrealloc(l->list, (l->count + 1) * sizeof(*l->list));
	l->list[l->count++] = text;
}

/* A list of names that is in a file, as perf has it. */
static void note_list(struct common_options *o, const struct option *opt, const char *value)
{
	static const char scheme[] = "file://";
	size_t len = sizeof(scheme) - 1;

	if ((opt->type != OPT_NAMES && opt->type != OPT_EVENTS && opt->type != OPT_SYMBOLS) ||
	    strncmp(value, scheme, len))
		return;
	add_text(&o->lists, xstrdup(value + len));
}

static int set_value(const struct parser *p, const struct row *r, const char *value)
{
	const struct option *opt = r->option;
	struct buf why = { 0 };
	int rc = opt->type == OPT_SYMBOLS ? set_symbols(p->o, value)
					  : value_set(opt, place(r), value, &why);

	if (rc < 0 && p->where)
		say("%s = %s: expected %s", p->where, value,
		    why.len ? why.data : "names that can be read");
	else if (rc < 0)
		say("%s: --%s %s: expected %s", p->analyzer->name, opt->name, value,
		    why.len ? why.data : "names that can be read");
	buf_release(&why);
	if (rc == 0 && value)
		note_list(p->o, opt, value);
	return rc == 0 ? 0 : rc == ERR_IO && opt->type != OPT_SYMBOLS ? EXIT_ERROR : EXIT_USAGE;
}

/* R, which was given before, is given VALUE, too. Another file or directory than was meant is not
 * seen in a result. */
static void tell_place_lost(const struct parser *p, const struct row *r, const char *value)
{
	enum option_type type = r->option->type;
	const char *before;

	if (type != OPT_FILE && type != OPT_DIR)
		return;
	before = *(const char *const *)place(r);
	if (before && value && strcmp(before, value))
		say("%s: --%s %s is not used: --%s %s comes after it", p->analyzer->name,
		    r->option->name, before, r->option->name, value);
}

/* Does R take the NEXT argument for its value? An option that may do without one takes what looks
 * like it. */
static bool takes_next(const struct parser *p, struct row *r, const char *next)
{
	if (!next || !takes_value(p, r))
		return false;
	return r->option->type != OPT_MAYBE || value_looks_right(r->option, next);
}

/* What other commands are given, too: filters, and where names come from. */
static void note_shared(struct common_options *o, const struct row *r, const char *value)
{
	const struct option *opt = r->option;
	struct buf b = { 0 };

	if (r->group != ROWS_COMMON || opt->offset > offsetof(struct common_options, no_inline))
		return;
	buf_printf(&b, "--%s%s%s", opt->name, value ? "=" : "", value ?: "");
	add_text(&o->shared, b.data);
}

/* Give R its VALUE, or else the NEXT argument where it needs one. SHOWN: how R was written. Returns
 * how many arguments were used, or a negative exit status. */
static int take(const struct parser *p, struct row *r, const char *shown, const char *value,
		const char *next)
{
	bool takes = takes_value(p, r), needs = takes && r->option->type != OPT_MAYBE;
	int used = !value && takes_next(p, r, next) ? 2 : 1;
	struct buf name = { 0 };
	int status;

	value = used == 2 ? next : value;
	if (needs && !value) {
		value_name(r->option, &name);
		say("%s: %s needs a value: %s", p->analyzer->name, shown,
		    name.len ? name.data : r->option->arg);
		buf_release(&name);
		return -EXIT_USAGE;
	}
	if (!takes && value)
		return -usage_error("%s: %s takes no value", p->analyzer->name, shown);
	r->given |= r->option->type == OPT_SAME;
	r = meant_row(p, r, &value);
	if (r->given)
		tell_place_lost(p, r, value);
	r->given = true;
	if (r->option->given)
		*((bool *)r->base + r->option->given) = true;
	status = set_value(p, r, value);
	if (!status)
		note_shared(p->o, r, value);
	return status ? -status : used;
}

static int unknown_option(const struct parser *p, const char *arg, size_t len)
{
	const char *list[ROWS_MAX + 1];
	char *name = strndup(arg + 2, len);
	const char *near;

	for (size_t i = 0; i < p->rows->count; i++)
		list[i] = p->rows->list[i].option->name;
	list[p->rows->count] = NULL;
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
static int parse_inputs(const struct parser *p, struct row *r, const char *value, char **argv)
{
	const struct option *opt = r->option;
	unsigned *count = place(r);
	int used = 0;

	if (value)
		add_file(p->o, value, opt->name);
	while (argv[used] && (argv[used][0] != '-' || !argv[used][1]))
		add_file(p->o, argv[used++], opt->name);
	*count += (unsigned)used + (value != NULL);
	r->given = true;
	if (!used && !value)
		say("%s: --%s needs a value: %s", p->analyzer->name, opt->name, opt->arg);
	return used || value ? used : -EXIT_USAGE;
}

/* --no-NAME of a flag NAME, and --NAME of --no-NAME: as if it were not set, by the settings or in
 * front. */
static bool take_back(const struct parser *p, const char *name)
{
	bool no = !strncmp(name, "no-", 3);

	for (size_t i = 0; i < p->rows->count; i++) {
		struct row *r = &p->rows->list[i];
		const char *other = r->option->name;

		if (r->option->type != OPT_FLAG || no == !strncmp(other, "no-", 3) ||
		    strcmp(no ? name + 3 : name, no ? other : other + 3) != 0)
			continue;
		*(bool *)place(r) = false;
		r->given = true;
		return true;
	}
	return false;
}

/* Returns how many arguments were used, or a negative exit status. */
static int parse_long(const struct parser *p, char **argv)
{
	const char *arg = argv[0];
	const char *equals = strchr(arg, '=');
	size_t len = equals ? (size_t)(equals - arg) - 2 : strlen(arg) - 2;
	const char *value = equals ? equals + 1 : NULL;
	struct row *r;
	int found = find_long(p, arg + 2, len, equals != NULL, &r), used;

	if (found == 0)
		return take_back(p, arg + 2) ? 1 : -unknown_option(p, arg, len);
	if (found > 1)
		return -usage_error("%s: --%.*s is ambiguous", p->analyzer->name, (int)len,
				    arg + 2);
	if (r->option->type == OPT_INPUTS) {
		used = parse_inputs(p, r, value, argv + 1);
		return used < 0 ? used : used + 1;
	}
	return take(p, r, arg, value, argv[1]);
}

static int parse_short(const struct parser *p, char **argv)
{
	for (const char *s = argv[0] + 1; *s; s++) {
		char shown[3] = { '-', *s, 0 };
		struct row *r = find_short(p, *s);
		bool takes = r && takes_value(p, r);
		int used;

		if (!r)
			return -usage_error("%s: unknown option %s", p->analyzer->name, shown);
		used = take(p, r, shown, takes && s[1] ? s + 1 : NULL, argv[1]);
		if (used < 0 || takes)
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

/* May TEXT be the operand for R? */
static bool fits(const struct row *r, const char *text)
{
	size_t i = 0;

	if (r->option->type != OPT_WORD)
		return true;
	while (r->option->words[i] && strcmp(r->option->words[i], text))
		i++;
	return r->option->words[i] && *text;
}

/* The first operand, or the first that is one of the words, becomes the value of the analyzer's
 * option for it. */
static void take_operand(const struct parser *p)
{
	struct common_options *o = p->o;
	struct buf why = { 0 };
	struct row *r;
	size_t first = 0;

	if (find_long(p, p->analyzer->operand, strlen(p->analyzer->operand), true, &r) != 1)
		return;
	while (first < o->file_count && (o->file_options[first] || !fits(r, o->files[first])))
		first++;
	if (r->given || first == o->file_count)
		return;
	r->given = value_set(r->option, place(r), o->files[first], &why) == 0;
	buf_release(&why);
	o->file_count--;
	for (size_t i = first; i < o->file_count; i++) {
		o->files[i] = o->files[i + 1];
		o->file_options[i] = o->file_options[i + 1];
	}
}

/* Are the options that were given sound together? */
static int check_together(const struct parser *p)
{
	for (size_t i = 0; i < p->rows->count; i++) {
		const struct row *r = &p->rows->list[i];
		const struct option *opt = r->option;
		struct row *other = NULL;

		if (!r->given)
			continue;
		if (opt->needs && find_long(p, opt->needs, strlen(opt->needs), true, &other) == 1 &&
		    !other->given)
			return usage_error("%s: --%s needs --%s", p->analyzer->name, opt->name,
					   opt->needs);
		for (size_t k = 0; opt->one_of && k < i; k++) {
			other = &p->rows->list[k];
			if (other->given && other->option->one_of &&
			    !strcmp(other->option->one_of, opt->one_of))
				return usage_error("%s: --%s and --%s exclude each other",
						   p->analyzer->name, other->option->name,
						   opt->name);
		}
	}
	return 0;
}

/* ---- what is not on the command line ---- */

/* Is TEXT, of a flag, "yes"? Negative: it is neither that nor "no". */
static int truth(const char *text)
{
	static const char *const words[] = { "false", "true", "no", "yes", "off", "on", "0", "1" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (!strcasecmp(text, words[i]))
			return i % 2;
	}
	return ERR_USAGE;
}

/* Give R the VALUE that it has at p->where; NULL: its name stands there alone. */
static int set_default(struct parser *p, struct row *r, const char *value)
{
	bool flag = !takes_value(p, r);
	int yes = flag && value ? truth(value) : 1;

	if (yes < 0)
		return usage_error("%s = %s: expected true or false", p->where, value);
	if (!flag && !value && r->option->type != OPT_MAYBE)
		return usage_error("%s: expected a value", p->where);
	if (!yes)
		return 0;
	value = flag ? NULL : value;
	r = meant_row(p, r, &value);
	r->given = true;
	if (r->option->given)
		*((bool *)r->base + r->option->given) = true;
	return set_value(p, r, value);
}

static bool is_set(const struct parser *p, const char *name)
{
	struct row *r = NULL;

	return find_long(p, name, strlen(name), false, &r) == 1 && r->given;
}

/* Was R given where it counts more, or what excludes it, or not what it needs? */
static bool is_settled(const struct parser *p, struct row *r)
{
	const char *value = NULL;
	const struct option *opt = r->option;

	if (r->settled || meant_row(p, r, &value)->settled ||
	    (opt->needs && !is_set(p, opt->needs)))
		return true;
	for (size_t i = 0; opt->one_of && i < p->rows->count; i++) {
		const struct row *other = &p->rows->list[i];

		if (other->settled && other->option->one_of &&
		    !strcmp(other->option->one_of, opt->one_of))
			return true;
	}
	return false;
}

/* What was given up to here counts more than what comes. */
static void settle(const struct parser *p)
{
	for (size_t i = 0; i < p->rows->count; i++)
		p->rows->list[i].settled = p->rows->list[i].given;
}

/* PDTOOL_SYMFS and the like, of the common options. */
static int take_environment(struct parser *p)
{
	int status = 0;

	for (size_t i = 0; !status && i < p->rows->count; i++) {
		struct row *r = &p->rows->list[i];
		struct buf name = { 0 };
		const char *value;

		if (r->group != ROWS_COMMON || !option_is_setting(r->option) || is_settled(p, r))
			continue;
		option_variable(r->option, &name);
		value = getenv(name.data);
		p->where = name.data;
		if (value && *value)
			status = set_default(p, r, value);
		p->where = NULL;
		buf_release(&name);
	}
	return status;
}

/* Is SECTION that of the command NAME? */
static bool is_section(const char *section, const char *name)
{
	for (; *section && *name; section++, name++) {
		if (*section != (*name == ' ' ? '-' : *name))
			return false;
	}
	return !*section && !*name;
}

static struct row *find_row(struct rows *rows, const char *name)
{
	for (size_t i = 0; i < rows->count; i++) {
		struct row *r = &rows->list[i];

		if (!strcmp(r->option->name, name) && !r->option->compat_only &&
		    option_is_setting(r->option))
			return r;
	}
	return NULL;
}

/* Has a command, of all that are called SECTION or, with NULL, of any, the option KEY? */
static bool is_known(const char *section, const char *key)
{
	struct rows *rows = xcalloc(1, sizeof(*rows));
	bool found = false;

	for (size_t i = 0; !found && analyzers[i]; i++) {
		if (section && !is_section(section, analyzers[i]->name))
			continue;
		rows_init(rows, analyzers[i], NULL, NULL);
		found = !key || find_row(rows, key);
	}
	free(rows);
	return found;
}

#define UNKNOWN_MAX 5

static void tell_unknown(struct parser *p, const struct config *c, const struct setting *s)
{
	bool section = strcmp(s->section, "core") && !is_known(s->section, NULL);

	if (p->o->quiet || p->unknown++ >= UNKNOWN_MAX)
		return;
	if (section)
		say("%s:%u: there is no command %s", c->path.data, s->line, s->section);
	else
		say("%s:%u: %s has no setting %s", c->path.data, s->line,
		    strcmp(s->section, "core") ? s->section : "pdtool", s->key);
}

/* core.pager and pager.COMMAND of git: false, true, or what is to be run. */
static int take_pager(const struct parser *p, const struct setting *s)
{
	int yes = s->value ? truth(s->value) : 1;

	if (yes < 0)
		setenv("PDTOOL_PAGER", s->value, 0);
	else if (!yes && !is_set(p, "no-pager"))
		p->o->no_pager = true;
	return 0;
}

/* Does the command's own section have it, too? That a command has a pager does not tell which. */
static bool is_overridden(const struct parser *p, const struct config *c, const struct setting *s)
{
	for (size_t i = 0; !strcmp(s->section, "core") && i < c->count; i++) {
		const struct setting *own = &c->list[i];

		if (is_section(own->section, p->analyzer->name) && !strcmp(own->key, s->key) &&
		    (strcmp(s->key, "pager") || (own->value && truth(own->value) < 0)))
			return true;
	}
	return false;
}

/* The setting S, of this command or of all of them. */
static int take_setting(struct parser *p, const struct config *c, const struct setting *s)
{
	bool own = is_section(s->section, p->analyzer->name), core = !strcmp(s->section, "core");
	struct row *r = own || core ? find_row(p->rows, s->key) : NULL;
	struct buf where = { 0 };
	int status = 0;

	if ((own || core) && !strcmp(s->key, "pager"))
		return is_overridden(p, c, s) ? 0 : take_pager(p, s);
	if (!r && !is_known(core ? NULL : s->section, own || core ? s->key : NULL))
		tell_unknown(p, c, s);
	if (!r || is_settled(p, r) || is_overridden(p, c, s))
		return 0;
	buf_printf(&where, "%s:%u: %s", c->path.data, s->line, s->key);
	p->where = where.data;
	status = set_default(p, r, s->value);
	p->where = NULL;
	buf_release(&where);
	return status;
}

static int take_settings(struct parser *p)
{
	struct config *c = p->o->config = xcalloc(1, sizeof(*c));
	struct buf why = { 0 };
	int rc = config_read(c, &why), status = 0;

	if (rc < 0)
		status = usage_error("%s", why.data);
	if (rc == ERR_IO)
		status = EXIT_ERROR;
	buf_release(&why);
	for (size_t i = 0; !status && i < c->count; i++)
		status = take_setting(p, c, &c->list[i]);
	if (p->unknown > UNKNOWN_MAX)
		say("%s: %u more of these", c->path.data, p->unknown - UNKNOWN_MAX);
	return status;
}

/* What was not given has the value that its row says. */
static int set_initials(const struct parser *p)
{
	for (size_t i = 0; i < p->rows->count; i++) {
		const struct row *r = &p->rows->list[i];

		if (!r->given && r->option->initial && set_value(p, r, r->option->initial))
			return EXIT_USAGE;
	}
	return 0;
}

/* An option counts more than the environment, that more than the settings. */
static int take_defaults(struct parser *p)
{
	int status;

	settle(p);
	status = take_environment(p);
	settle(p);
	if (!status && !p->o->no_config && !p->o->help && !p->o->usage)
		status = take_settings(p);
	if (!status)
		status = check_together(p);
	return status ? status : set_initials(p);
}

static int parse_words(const struct parser *p, char **argv)
{
	bool operands_only = false;

	while (*argv) {
		int used = 1;

		if (operands_only || argv[0][0] != '-' || !argv[0][1])
			add_file(p->o, *argv, NULL);
		else if (!strcmp(*argv, "--"))
			operands_only = true;
		else
			used = argv[0][1] == '-' ? parse_long(p, argv) : parse_short(p, argv);
		if (used < 0)
			return -used;
		argv += used;
	}
	return 0;
}

int options_parse(struct rows *rows, struct common_options *o, const struct analyzer *a,
		  char **argv)
{
	struct parser p = { rows, o, a, has_compat(argv) };
	int status = parse_words(&p, argv);

	if (status)
		return status;
	if (a->operand)
		take_operand(&p);
	if (o->input)
		add_file(o, o->input, NULL);
	if (!o->file_count && !a->kept)
		add_file(o, "perf.data", NULL);
	status = check_together(&p);
	return status ? status : take_defaults(&p);
}

void options_release(struct rows *rows, struct common_options *o)
{
	for (size_t i = 0; i < rows->count; i++)
		value_release(rows->list[i].option, place(&rows->list[i]));
	for (size_t i = 0; i < ARRAY_SIZE(rows->format_options); i++)
		free(rows->format_options[i]);
	name_list_release(&o->sources);
	name_list_release(&o->lists);
	name_list_release(&o->shared);
	sources_free(o->symbols.sources);
	debuginfod_free(o->symbols.debuginfod);
	free(o->files);
	free(o->file_options);
	if (o->config)
		config_release(o->config);
	free(o->config);
}
