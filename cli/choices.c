/* The events, commands or symbols of a capture, as far as they come up in a moment: a shell asks
 * while somebody waits with a finger on the key. Nothing is said of what is wrong with the file. */
#include "cli/choices.h"
#include "cli/options.h"
#include "cli/sandbox/sandbox.h"
#include "parser/library/door.h"
#include "parser/base/mem.h"
#include "parser/base/utf8.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define READ_NS	  100000000ull /* for reading; names of what came up till then follow */
#define LIMIT_US  900000       /* for all: then there is nothing */
#define EACH	  256	       /* events between two looks at the clock */
#define NAMES_MAX 20000

struct names_found {
	char **list;
	size_t count, cap;
	uint32_t comms; /* ids of commands that events had are below it */
};

/* A name goes on a line of its own, and into a command line. */
static void add_name(struct names_found *n, const char *name)
{
	size_t len = name ? strlen(name) : 0, one;

	for (size_t i = 0; i < len; i += one) {
		one = utf8_visible(name + i, len - i);
		if (!one)
			return;
	}
	if (!len || n->count == NAMES_MAX)
		return;
	n->list = xgrow(n->list, &n->cap, n->count + 1, sizeof(*n->list));
	n->list[n->count++] = xstrdup(name);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void put_names(struct names_found *n)
{
	if (n->count)
		qsort(n->list, n->count, sizeof(*n->list), by_text);
	for (size_t i = 0; i < n->count; i++) {
		if (!i || strcmp(n->list[i], n->list[i - 1]) != 0)
			puts(n->list[i]);
	}
	for (size_t i = 0; i < n->count; i++)
		free(n->list[i]);
	free(n->list);
}

/* ---- what is asked for ---- */

static void find_events(struct pdt_session *s, struct names_found *n)
{
	const struct pdt_desc *d;

	for (size_t i = 0; (d = pdt_desc_at(s, i)); i++)
		add_name(n, pdt_desc_name(d));
}

/* Ids are given one after the other. */
static void find_comms(struct pdt_session *s, struct names_found *n)
{
	for (uint32_t i = 0; i < n->comms; i++)
		add_name(n, pdt_comm(s, i));
}

static void find_symbols(struct pdt_session *s, struct names_found *n)
{
	session_resolve(s->session);
	for (uint32_t l = 0; l < session_stacks(s->session)->loc_count; l++) {
		for (size_t i = 0; i < pdt_function_count(s, l); i++)
			add_name(n, pdt_function_at(s, l, i).name);
	}
}

static const struct kind {
	const char *name;
	unsigned wants;
	void (*find)(struct pdt_session *s, struct names_found *n);
} kinds[] = {
	{ "events", 0, find_events },
	{ "comms", PDT_WANT_COMMS | PDT_WANT_TASKS, find_comms },
	{ "symbols", PDT_WANT_STACKS, find_symbols },
};

/* ---- the time for it ---- */

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void on_alarm(int number)
{
	(void)number;
	_exit(EXIT_ERROR);
}

/* Read on until there is enough. What was recorded stands in front of the samples. */
static void read_for_a_moment(const struct kind *k, struct pdt_session *s, struct names_found *n)
{
	uint64_t end_ns = now_ns() + READ_NS;
	struct pdt_event e;

	for (unsigned i = 1; session_next(s->session, &e) == 1; i++) {
		if (e.comm != PDT_NONE && e.comm >= n->comms)
			n->comms = e.comm + 1;
		if (i % EACH == 0 && (!k->wants || now_ns() > end_ns))
			break;
	}
}

static int list_kind(const struct kind *k, const char *path)
{
	const struct session_options so = { .needs = k->wants, .jobs = 1 };
	const struct itimerval limit = { .it_value = { .tv_usec = LIMIT_US } };
	struct names_found names = { 0 };
	struct sandbox sandbox;
	struct warnings w = { 0 };
	struct pdt_session *s;
	int rc;

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &limit, NULL);
	sandbox_begin(&sandbox, false);
	sandbox_allow_common(&sandbox, true);
	sandbox_allow_input(&sandbox, path);
	rc = sandbox_enter(&sandbox) ? 0 : ERR_IO;
	sandbox_release(&sandbox);
	if (rc == 0)
		rc = door_open(&s, path, &so, &w);
	if (rc == 0) {
		read_for_a_moment(k, s, &names);
		k->find(s, &names);
		put_names(&names);
		pdt_close(s);
	}
	warnings_release(&w);
	return rc < 0 ? EXIT_ERROR : EXIT_COMPLETE;
}

int choices_list(const char *what, const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!strcmp(kinds[i].name, what))
			return list_kind(&kinds[i], path);
	}
	return usage_error("list: expected events, comms or symbols, and a file; not %s", what);
}
