/* What libpdtool answers to wrong calls and inputs, and sessions side by side in threads.
 *
 *   errors CAPTURE NO-CAPTURE
 *
 * One line for each answer that is not as wanted; exit status 1 when there was one. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <pdtool_capture.h>

static int bad;

static void want(const char *what, int wanted, int got)
{
	if (wanted != got)
		bad = printf("%s: %d (%s), not %d\n", what, got, pdt_error_text(got), wanted);
}

static void want_text(const char *what, const char *text, const char *part)
{
	if (!text || !strstr(text, part))
		bad = printf("%s: '%s' without '%s'\n", what, text ? text : "(NULL)", part);
}

static void wrong_order(const char *capture)
{
	struct pdt_session *s = pdt_new();
	const struct pdt_event *e;

	want("an event before the capture", PDT_ERR_USAGE, pdt_next(s, &e));
	want("names before the capture", PDT_ERR_USAGE, pdt_resolve(s));
	want("an unknown option", PDT_ERR_USAGE, pdt_set(s, 12345, "1"));
	want("a flag that is none", PDT_ERR_USAGE, pdt_set(s, PDT_NO_HOST, "yes"));
	want("no number", PDT_ERR_USAGE, pdt_set(s, PDT_JOBS, "4x"));
	want("a value", 0, pdt_set(s, PDT_NO_HOST, "1"));
	want("the capture", 0, pdt_open(s, capture, PDT_WANT_STACKS));
	want("the capture again", PDT_ERR_USAGE, pdt_open(s, capture, 0));
	want("a late option", PDT_ERR_USAGE, pdt_set(s, PDT_NO_HOST, "1"));
	want("early names", PDT_ERR_USAGE, pdt_resolve(s));
	want("functions without names", 0, (int)pdt_function_count(s, 0));
	while (pdt_next(s, &e) == 1)
		;
	want("behind the end", 0, pdt_next(s, &e));
	want("no event there", 1, e == NULL);
	want("names", 0, pdt_resolve(s));
	want("names again", PDT_ERR_USAGE, pdt_resolve(s));
	want("one function at least", 1, pdt_function_count(s, 0) >= 1);
	want("no such stack", 0, (int)pdt_stack_at(s, UINT32_MAX).depth);
	want("no such location", 0, (int)pdt_function_count(s, UINT32_MAX));
	want("no such function", 1, !pdt_function_at(s, 0, 1000000).name);
	want("no such desc", 1, !pdt_desc_at(s, 1000000));
	pdt_close(s);
}

static void wrong_input(const char *path, int error, const char *part)
{
	struct pdt_session *s = pdt_new();
	const struct pdt_event *e;

	want(path, error, pdt_open(s, path, 0));
	want_text("its message", pdt_message(s), path);
	want_text("its message", pdt_message(s), part);
	want("its events", PDT_ERR_USAGE, pdt_next(s, &e));
	want("its stacks", 0, (int)pdt_stack_at(s, 0).depth);
	want("its records", 0, pdt_record_count(s, 0, NULL, NULL));
	pdt_close(s);
}

/* The sum over all events and names of the capture ARG. */
static void *read_all(void *arg)
{
	struct pdt_session *s = pdt_new();
	const struct pdt_event *e;
	uintptr_t sum = 0;

	if (pdt_open(s, arg, PDT_WANT_STACKS | PDT_WANT_COMMS) == 0) {
		while (pdt_next(s, &e) == 1)
			sum = sum * 31 + e->time_ns + e->stack;
	}
	if (pdt_resolve(s) == 0) {
		for (uint32_t l = 0; pdt_function_count(s, l); l++)
			sum = sum * 31 + (pdt_function_at(s, l, 0).name ? l : 0);
	}
	pdt_close(s);
	return (void *)sum;
}

int main(int argc, char **argv)
{
	pthread_t threads[4];
	void *alone, *beside;

	if (argc != 3)
		return 2;
	pdt_close(NULL);
	want_text("an unknown error", pdt_error_text(-77), "unknown");
	wrong_order(argv[1]);
	wrong_input("/nowhere/at-all", PDT_ERR_IO, "No such file");
	wrong_input(argv[2], PDT_ERR_FORMAT, "offset 0");
	alone = read_all(argv[1]);
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, read_all, argv[1]);
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], &beside);
		want("the same beside others", 1, alone && alone == beside);
	}
	return bad != 0;
}
