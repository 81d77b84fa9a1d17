/* Stacks as the session finds them, one line for each sample, to be compared with perf script.
 *
 *   unwind [--symfs DIR] [--as-perf] [--unverified] [--comm NAME] [--module | --guessed] FILE
 *
 * A line is the user frames from the leaf: addresses in hexadecimal, file offsets where a file is
 * mapped, as perf 6.1 prints them. Samples without user frames print "-". --module adds the base
 * name of the file to each. The last line tells how stacks ended. --as-perf also leaves out the
 * sampled address of a sample without a chain, which perf script does not print as a frame. With
 * --guessed a line is how many frames were found without a rule. Made for tests/oracle/unwind.sh;
 * not installed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/base/mem.h"
#include "parser/session.h"

static const char *module_of(const struct session *s, const struct loc *l)
{
	const char *path, *slash;

	if (l->module == PDT_NONE)
		return "?";
	path = session_module(s, l->module)->path;
	slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

struct how {
	bool modules, guessed;
	uint8_t none; /* stacks with one of these flags (enum pdt_stack_flag) have no frames */
};

static void print_stack(const struct session *s, const struct pdt_event *e, struct how how)
{
	const struct stacks *stacks = session_stacks(s);
	const struct stack *stack = &stacks->list[e->stack];
	const uint32_t *locs = stack_locs(stacks, stack);
	unsigned printed = 0;

	for (unsigned i = 0; i < stack->count && !(stack->flags & how.none); i++) {
		const struct loc *l = &stacks->locs[locs[i]];

		if (l->mode != PDT_USER)
			continue;
		printf("%s%" PRIx64, printed++ ? " " : "", l->addr);
		if (how.modules)
			printf("@%s", module_of(s, l));
	}
	puts(printed ? "" : "-");
}

static void print_ends(const struct unwind_stats *st)
{
	printf("# %" PRIu64 " stacks, %" PRIu64 " frames, %" PRIu64 " by frame pointer", st->stacks,
	       st->frames, st->by_frame_pointer);
	for (int i = 0; i < UNWIND_END_COUNT; i++) {
		if (st->ends[i])
			printf("; %s: %" PRIu64, unwind_end_text((enum unwind_end)i), st->ends[i]);
	}
	puts("");
}

static void print_guesses(const struct session *s, uint64_t *before)
{
	uint64_t now = session_unwind_stats(s).by_frame_pointer;

	printf("%" PRIu64 "\n", now - *before);
	*before = now;
}

int main(int argc, char **argv)
{
	struct session_options o = { .needs = PDT_WANT_STACKS | PDT_WANT_COMMS };
	struct warnings w = { 0 };
	struct unwind_stats st;
	struct session *s;
	struct pdt_event e;
	struct how how = { 0 };
	uint64_t guesses = 0;
	char cache[4096];
	int i, rc;

	snprintf(cache, sizeof(cache), "%s/.debug", getenv("HOME") ? getenv("HOME") : "");
	o.symbols.buildid_dir = cache;
	for (i = 1; i < argc - 1; i++) {
		if (!strcmp(argv[i], "--symfs"))
			o.symbols.symfs = argv[++i];
		else if (!strcmp(argv[i], "--as-perf")) {
			o.quirks = (struct quirks)QUIRKS_OF_PERF;
			how.none = PDT_STACK_EMPTY;
		} else if (!strcmp(argv[i], "--unverified"))
			o.symbols.allow_unverified = true;
		else if (!strcmp(argv[i], "--comm"))
			o.filter.comms = (struct name_list){ &argv[++i], 1 };
		else if (!strcmp(argv[i], "--module"))
			how.modules = true;
		else if (!strcmp(argv[i], "--guessed"))
			how.guessed = true;
		else
			return 2;
	}
	o.symbols.no_host = o.symbols.symfs; /* of another machine: ours has no part in it */
	if (i >= argc || session_open(&s, argv[i], &o, &w) < 0) {
		warnings_release(&w);
		return 2;
	}
	while ((rc = session_next(s, &e)) == 1) {
		if (how.guessed)
			print_guesses(s, &guesses);
		else
			print_stack(s, &e, how);
	}
	st = session_unwind_stats(s);
	print_ends(&st);
	session_close(s);
	warnings_release(&w);
	return rc < 0;
}
