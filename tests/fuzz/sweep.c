/* Damage captures in every way and read each: pdtool's own code, in a child process that runs case
 * after case, as starting a process takes longer than most of them.
 *
 *   sweep [OPTION...] FILE...
 *     --cut N       the first 0, N, 2N ... bytes of each file; samples must only become more
 *     --flip N      each bit of the first N bytes, then bits spread over the rest (see --spread)
 *     --spread N    how many bits of the rest (default 2000; 0: all)
 *     --random S    for S seconds: several changes at once, at random
 *     --count N     the same, N times
 *     --seed N      for --random and --count (default: the clock)
 *     --whole       the files as they are
 *     --pipe        by standard input, from a pipe; files must be smaller than 1 MiB
 *     --command C   in place of all others: a command, its options, @ for the input (also in
 *                   OPTION=@); or without @, for a capture whose symbols come from a link to
 *                   /proc/self/fd/100
 *     --feature N   --random and --count change the section of feature N alone (1: the formats of
 *                   tracepoints), of whole files in little-endian order
 *     --tell TEXT   how often it stands in what was printed, and in how many runs
 *     --keep DIR    where a failing input is written (default .)
 *     --jobs N      processes at a time (default: the CPUs)
 *
 * A case fails when the child dies by a signal, a sanitizer reports, it takes more than 5 s of CPU
 * (or waits for two minutes), or (without sanitizers) above 64 MiB, or its exit status is not 0 or
 * 1. Nothing of this machine is looked at but what the command names. One line "ok ..." or
 * "FAIL ..." for each file, lines that begin with a blank to say more. Exit status: 1 when any
 * failed. */
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "parser/base/mem.h"
#include "tests/fuzz/runner.h"

#define RSS_MAX_KB (64l << 10)
#define SANITIZER  99
#define SHOWN	   1 /* failures that are told, by each worker */
#define UNKNOWN	   UINT32_MAX

struct options {
	size_t cut, flip, spread;
	unsigned long seconds, jobs;
	size_t count;
	uint64_t seed;
	bool whole, pipe;
	unsigned feature; /* 0: the whole input */
	const char *keep, *command, *tell;
};

/* Bytes of an input. */
struct part {
	size_t at, size;
};

struct input {
	const char *path, *name;
	uint8_t *data;
	size_t size;
	bool plain; /* whole, little-endian, not compressed: its samples can be counted here */
	struct part feature; /* that is to be changed */
};

/* One worker's sums, in memory that it shares with the parent. */
struct tally {
	uint64_t runs, failures;
	uint64_t told, told_runs, lines; /* --tell */
	long rss_kb;
	double seconds;
};

struct work {
	const struct options *o;
	const struct input *in, *all;
	size_t count; /* of ALL */
	struct tally *tally;
	uint32_t *samples; /* --cut: by number of the case */
	uint8_t *bytes;	   /* the damaged input */
	size_t size;
	struct runner runner;
	char what[160];
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* ---- one case ---- */

/* The number in the row "record,SAMPLE,N". */
static uint32_t samples_in(const char *csv)
{
	const char *row = strstr(csv, "\nrecord,SAMPLE,");

	return row ? (uint32_t)strtoul(row + 15, NULL, 10) : 0;
}

static void file_text(int fd, char *text, size_t room)
{
	ssize_t n = pread(fd, text, room - 1, 0);

	text[n > 0 ? n : 0] = '\0';
}

static void complain(struct work *w, const char *command, const char *why, int err)
{
	char path[4096], text[2000];
	FILE *f;

	if (w->tally->failures++ >= SHOWN)
		return;
	file_text(err, text, sizeof(text));
	snprintf(path, sizeof(path), "%s/%s-%s-%.*s.data", w->o->keep, w->in->name, w->what,
		 (int)strcspn(command, " "), command);
	f = fopen(path, "we");
	if (f) {
		fwrite(w->bytes, 1, w->size, f);
		fclose(f);
	}
	printf("    %s %s, %s: %s; the input is in %s\n", w->in->name, w->what, command, why, path);
	if (*text)
		printf("    %.300s\n", text);
	fflush(stdout);
}

static bool starts_with(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Why a case failed, or NULL. */
static const char *judge(const struct ending *e, int worst, char why[80])
{
	int status = e->status;

	if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGPROF))
		return "it hangs";
	if (WIFSIGNALED(status))
		snprintf(why, 80, "signal %d", WTERMSIG(status));
	else if (WEXITSTATUS(status) == SANITIZER)
		return "a sanitizer reports";
	else if (WEXITSTATUS(status) > worst)
		snprintf(why, 80, "exit status %d", WEXITSTATUS(status));
	else if (!SANITIZED && e->rss_kb > RSS_MAX_KB)
		snprintf(why, 80, "%ld KiB of memory", e->rss_kb);
	else
		return NULL;
	return why;
}

/* The worst exit status of COMMAND that is no failure: others than collapse and info, and other
 * inputs, tell by 2 that what they need is not there, and annotate by 3 that there is no code. */
static int worst_status(const struct options *o, const char *command)
{
	if (starts_with(command, "annotate"))
		return 3;
	return !o->command && !starts_with(command, "sched") ? 1 : 2;
}

/* How often TEXT stands in all that was written to FD. */
static uint64_t occurrences(int fd, const char *text)
{
	struct stat st;
	uint64_t n = 0;
	char *map, *at, *end;

	if (fstat(fd, &st) < 0 || !st.st_size)
		return 0;
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		die("sweep: mmap");
	end = map + st.st_size;
	for (at = map; (at = memmem(at, (size_t)(end - at), text, strlen(text))); at++)
		n++;
	munmap(map, (size_t)st.st_size);
	return n;
}

/* Run COMMAND over W's bytes; the samples that it counted. */
static uint32_t run(struct work *w, const char *command)
{
	static char csv[1u << 16];
	struct tally *t = w->tally;
	double start = now(), took;
	struct ending e;
	char why[80];
	const char *bad;

	e = runner_run(&w->runner, command);
	took = now() - start;
	t->runs++;
	t->seconds = took > t->seconds ? took : t->seconds;
	t->rss_kb = e.rss_kb > t->rss_kb ? e.rss_kb : t->rss_kb;
	bad = judge(&e, worst_status(w->o, command), why);
	if (bad) {
		complain(w, command, bad, w->runner.err);
		runner_end(&w->runner); /* the next one begins with little memory */
	}
	if (w->o->tell) {
		uint64_t told = occurrences(w->runner.out, w->o->tell);

		t->told += told;
		t->told_runs += told != 0;
		t->lines += occurrences(w->runner.out, "\n");
	}
	file_text(w->runner.out, csv, sizeof(csv));
	return samples_in(csv);
}

static uint32_t collapse_input(struct work *w)
{
	uint32_t samples;

	runner_input(&w->runner, w->bytes, w->size);
	if (w->o->command)
		return run(w, w->o->command);
	samples = run(w, "info --counts --format csv @");
	(void)run(w, "collapse @");
	if (strstr(w->in->name, "sched"))
		(void)run(w, "sched latency @");
	return samples;
}

/* ---- what to do to an input; case number I ---- */

static void cut_case(struct work *w, size_t i)
{
	w->size = i * w->o->cut < w->in->size ? i * w->o->cut : w->in->size;
	snprintf(w->what, sizeof(w->what), "cut-%zu", w->size);
	memcpy(w->bytes, w->in->data, w->size);
	w->samples[i] = collapse_input(w);
}

static void flip_case(struct work *w, size_t i)
{
	size_t head = w->o->flip < w->in->size ? w->o->flip : w->in->size;
	size_t rest = (w->in->size - head) * 8;
	size_t bit = i, behind = i - head * 8;
	bool few = w->o->spread && w->o->spread < rest;

	if (i >= head * 8)
		bit = head * 8 + (few ? behind * rest / w->o->spread : behind);
	w->size = w->in->size;
	snprintf(w->what, sizeof(w->what), "flip-%zu.%zu", bit / 8, bit % 8);
	memcpy(w->bytes, w->in->data, w->size);
	w->bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
	(void)collapse_input(w);
}

static size_t flip_count(const struct options *o, const struct input *in)
{
	size_t head = (o->flip < in->size ? o->flip : in->size) * 8;
	size_t rest = in->size * 8 - head;

	return head + (o->spread && o->spread < rest ? o->spread : rest);
}

static void whole_case(struct work *w, size_t i)
{
	(void)i;
	w->size = w->in->size;
	snprintf(w->what, sizeof(w->what), "whole");
	memcpy(w->bytes, w->in->data, w->size);
	(void)collapse_input(w);
	if (w->o->command)
		return;
	(void)run(w, "info @");
	(void)run(w, "sched latency @");
}

/* One change of the PART of W's bytes. */
static void mutate(struct work *w, struct part *part, uint64_t *seed)
{
	static const uint64_t values[] = { 0,
					   1,
					   7,
					   8,
					   9,
					   0x7f,
					   0x80,
					   0xff,
					   0xfff8,
					   0xffff,
					   0x10000,
					   0x7fffffff,
					   0x80000000,
					   0xffffffff,
					   0x7fffffffffffffff,
					   0x8000000000000000,
					   0xfffffffffffffff0,
					   ~0ull };
	uint64_t r = next_random(seed), v = values[next_random(seed) % ARRAY_SIZE(values)];
	size_t at = part->size ? (size_t)(next_random(seed) % part->size) : 0;
	size_t n = (size_t)(next_random(seed) % 256), left = part->size - at;
	const struct input *other = &w->all[r / 16 % w->count];
	uint8_t *bytes = w->bytes + part->at;

	if (!left)
		return;
	if (r & 8 && at > 512 && !w->o->feature) /* where headers are */
		at %= 512, left = part->size - at;
	n = n < left ? n : left;
	switch (r % 8) {
	case 0 ... 1: /* a bit */
		bytes[at] ^= (uint8_t)(1u << n % 8);
		break;
	case 2 ... 3: /* a number */
		n = (size_t)1 << (n % 4);
		at &= ~(n - 1);
		memcpy(bytes + at, &v, n < part->size - at ? n : part->size - at);
		break;
	case 4: /* bytes that are missing */
		memmove(bytes + at, bytes + at + n, left - n);
		if (w->o->feature) /* what follows stays where it is */
			memset(bytes + part->size - n, 0, n);
		else
			w->size = part->size -= n;
		break;
	case 5: /* zeros */
		memset(bytes + at, 0, n);
		break;
	case 6: /* bytes of another capture */
		n = n < other->size ? n : other->size;
		memcpy(bytes + at, other->data + next_random(seed) % (other->size - n + 1), n);
		break;
	case 7: /* the same bytes elsewhere */
		memmove(bytes + next_random(seed) % (part->size - n + 1), bytes + at, n);
		break;
	}
}

static void random_case(struct work *w, uint64_t seed)
{
	uint64_t first = seed, n;
	struct part part;

	w->in = &w->all[next_random(&seed) % w->count];
	n = 1 + next_random(&seed) % 6;
	w->size = w->in->size;
	snprintf(w->what, sizeof(w->what), "seed-%" PRIx64, first);
	memcpy(w->bytes, w->in->data, w->size);
	part = w->o->feature ? w->in->feature : (struct part){ 0, w->size };
	while (n--)
		mutate(w, &part, &seed);
	(void)collapse_input(w);
}

/* ---- many cases ---- */

typedef void case_fn(struct work *w, size_t i);

_Noreturn static void end_worker(struct work *w)
{
	runner_end(&w->runner);
	_exit(0);
}

static void worker(struct work *w, case_fn *fn, size_t from, size_t to)
{
	runner_init(&w->runner, w->o->pipe);
	for (size_t i = from; i < to; i++)
		fn(w, i);
	end_worker(w);
}

static void random_worker(struct work *w, uint64_t seed)
{
	double end = now() + (double)w->o->seconds;

	runner_init(&w->runner, w->o->pipe);
	do
		random_case(w, next_random(&seed));
	while (now() < end);
	end_worker(w);
}

static void wait_all(unsigned long n)
{
	int status;

	while (n--) {
		if (wait(&status) < 0 || !WIFEXITED(status) || WEXITSTATUS(status)) {
			printf("FAIL sweep: a worker died\n");
			exit(1);
		}
	}
}

static void *shared(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		die("sweep: mmap");
	return p;
}

static struct tally sum(const struct tally *t, unsigned long n)
{
	struct tally all = { 0 };

	for (; n--; t++) {
		all.runs += t->runs;
		all.failures += t->failures;
		all.told += t->told;
		all.told_runs += t->told_runs;
		all.lines += t->lines;
		all.rss_kb = t->rss_kb > all.rss_kb ? t->rss_kb : all.rss_kb;
		all.seconds = t->seconds > all.seconds ? t->seconds : all.seconds;
	}
	return all;
}

static bool report(const struct work *w, const char *what, const struct tally *t, const char *why)
{
	bool bad = t->failures || why;

	printf("%s %s%s: %" PRIu64 " runs, %" PRIu64
	       " failed%s%s; longest %.2f s, most memory %ld MiB"
	       "\n",
	       bad ? "FAIL" : "ok", what, SANITIZED ? ", sanitized" : "", t->runs, t->failures,
	       why ? ", " : "", why ? why : "", t->seconds, t->rss_kb >> 10);
	if (w->o->tell)
		printf("    '%s' stands %" PRIu64 " times in what %" PRIu64
		       " runs printed, %" PRIu64 " lines in all\n",
		       w->o->tell, t->told, t->told_runs, t->lines);
	fflush(stdout);
	return !bad;
}

/* Split the cases [0, N) among processes. */
static struct tally spread(struct work *w, case_fn *fn, size_t n)
{
	unsigned long jobs = w->o->jobs < n ? w->o->jobs : n;
	struct tally *t = shared(jobs * sizeof(*t)), all;

	for (unsigned long j = 0; j < jobs; j++) {
		w->tally = &t[j];
		if (fork() == 0)
			worker(w, fn, n * j / jobs, n * (j + 1) / jobs);
	}
	wait_all(jobs);
	all = sum(t, jobs);
	munmap(t, jobs * sizeof(*t));
	return all;
}

/* ---- how many samples the first CUT bytes hold, by a reader of a few lines ---- */

static uint64_t number(const struct input *in, size_t at, size_t bytes)
{
	uint64_t v = 0;

	memcpy(&v, in->data + at, bytes); /* little-endian, and so must the host be */
	return v;
}

static uint32_t samples_before(const struct input *in, size_t cut)
{
	size_t pos = 16, end = cut;
	uint32_t n = 0;

	if (number(in, 8, 8) != 16) {
		pos = number(in, 40, 8);
		end = pos + number(in, 48, 8) < cut ? pos + number(in, 48, 8) : cut;
	}
	while (pos + 16 <= end) {
		uint32_t type = (uint32_t)number(in, pos, 4);
		size_t size = number(in, pos + 6, 2);

		if (type == 66) /* TRACING_DATA: u32 size of what follows */
			size += (number(in, pos + 8, 4) + 7) & ~7ull;
		if (type == 71) /* AUXTRACE: u64 */
			size += number(in, pos + 8, 8);
		pos += size;
		n += type == 9 && pos <= end;
	}
	return n;
}

static const char *check_samples(const struct work *w, size_t n, char why[160])
{
	for (size_t i = 0; i < n; i++) {
		size_t cut = i * w->o->cut < w->in->size ? i * w->o->cut : w->in->size;

		if (i && w->samples[i] < w->samples[i - 1])
			snprintf(why, 160,
				 "%" PRIu32 " samples of %zu bytes, but %" PRIu32 " of fewer",
				 w->samples[i], cut, w->samples[i - 1]);
		else if (w->in->plain && w->samples[i] != samples_before(w->in, cut))
			snprintf(why, 160, "%" PRIu32 " samples of %zu bytes, there are %" PRIu32,
				 w->samples[i], cut, samples_before(w->in, cut));
		else
			continue;
		return why;
	}
	return w->samples[n - 1] || w->o->command ? NULL : "there are no samples at all";
}

static bool sweep_file(struct work *w)
{
	const struct options *o = w->o;
	char what[200], why[160];
	struct tally t;
	bool good = true;
	size_t n;

	if (o->whole) {
		snprintf(what, sizeof(what), "%s as it is", w->in->name);
		t = spread(w, whole_case, 1);
		good &= report(w, what, &t, NULL);
	}
	if (o->cut) {
		n = (w->in->size + o->cut - 1) / o->cut + 1;
		w->samples = shared(n * sizeof(*w->samples));
		snprintf(what, sizeof(what), "%s cut at %zu lengths", w->in->name, n);
		t = spread(w, cut_case, n);
		good &= report(w, what, &t, check_samples(w, n, why));
		munmap(w->samples, n * sizeof(*w->samples));
	}
	if (o->flip) {
		n = flip_count(o, w->in);
		snprintf(what, sizeof(what), "%s with one of %zu bits changed", w->in->name, n);
		t = spread(w, flip_case, n);
		good &= report(w, what, &t, NULL);
	}
	return good;
}

static void counted_case(struct work *w, size_t i)
{
	random_case(w, (w->o->seed + 1) * 0x9e3779b97f4a7c15ull + i * 0xbf58476d1ce4e5b9ull);
}

static bool sweep_counted(struct work *w)
{
	struct tally t = spread(w, counted_case, w->o->count);
	char what[300], many[32];

	snprintf(many, sizeof(many), "%zu files", w->count);
	snprintf(what, sizeof(what), "%s: changed %zu times%s%s",
		 w->count > 1 ? many : w->all->name, w->o->count, w->o->command ? ", " : "",
		 w->o->command ? w->o->command : "");
	return report(w, what, &t, NULL);
}

static bool sweep_random(struct work *w)
{
	struct tally *t = shared(w->o->jobs * sizeof(*t)), all;
	uint64_t seed = w->o->seed ? w->o->seed : (uint64_t)time(NULL) * 2654435761u;
	char what[200];

	snprintf(what, sizeof(what), "%zu captures changed at random, --seed %" PRIu64, w->count,
		 seed);
	for (unsigned long j = 0; j < w->o->jobs; j++) {
		w->tally = &t[j];
		next_random(&seed);
		if (fork() == 0)
			random_worker(w, seed);
	}
	wait_all(w->o->jobs);
	all = sum(t, w->o->jobs);
	return report(w, what, &all, NULL);
}

/* ---- the command line ---- */

/* Where the section of feature N lies: a table behind the data has a place and a size for each bit
 * of the header's mask (tools/perf/Documentation/perf.data-file-format.txt). */
static bool find_feature(struct input *in, unsigned n)
{
	size_t table = in->size > 104 ? number(in, 40, 8) + number(in, 48, 8) : SIZE_MAX;
	bool there = false;

	for (unsigned bit = 0; bit <= n && table <= in->size - 16; bit++) {
		there = number(in, 72 + bit / 8, 1) >> bit % 8 & 1;
		if (there && bit == n)
			in->feature =
				(struct part){ number(in, table, 8), number(in, table + 8, 8) };
		table += there ? 16 : 0;
	}
	return there && in->feature.at < in->size && in->feature.size <= in->size - in->feature.at;
}

static bool read_input(struct input *in, const char *path)
{
	FILE *f = fopen(path, "re");
	const char *slash = strrchr(path, '/');
	struct stat st;

	*in = (struct input){ .path = path, .name = slash ? slash + 1 : path };
	if (!f || fstat(fileno(f), &st) < 0) {
		perror(path);
		return false;
	}
	in->size = (size_t)st.st_size;
	in->data = xmalloc(in->size + 1);
	if (fread(in->data, 1, in->size, f) != in->size)
		in->size = 0;
	fclose(f);
	in->plain = strstr(in->name, "plain") && in->size > 64;
	return true;
}

static int usage(void)
{
	fprintf(stderr,
		"usage: sweep [--cut N] [--flip N] [--spread N] [--random S] [--count N]\n"
		"             [--seed N] [--whole] [--pipe] [--command C] [--feature N]\n"
		"             [--tell TEXT] [--keep DIR] [--jobs N] FILE...\n");
	return 2;
}

static bool parse(struct options *o, char ***argv)
{
	for (; **argv && !strncmp(**argv, "--", 2); ++*argv) {
		const char *name = **argv + 2, *value = (*argv)[1];

		if (!strcmp(name, "whole") || !strcmp(name, "pipe")) {
			*(*name == 'w' ? &o->whole : &o->pipe) = true;
			continue;
		}
		if (!value)
			return false;
		++*argv;
		if (!strcmp(name, "cut"))
			o->cut = strtoul(value, NULL, 10);
		else if (!strcmp(name, "flip"))
			o->flip = strtoul(value, NULL, 10);
		else if (!strcmp(name, "spread"))
			o->spread = strtoul(value, NULL, 10);
		else if (!strcmp(name, "random"))
			o->seconds = strtoul(value, NULL, 10);
		else if (!strcmp(name, "count"))
			o->count = strtoul(value, NULL, 10);
		else if (!strcmp(name, "seed"))
			o->seed = strtoull(value, NULL, 10);
		else if (!strcmp(name, "jobs"))
			o->jobs = strtoul(value, NULL, 10);
		else if (!strcmp(name, "feature"))
			o->feature = (unsigned)strtoul(value, NULL, 10) % 256;
		else if (!strcmp(name, "tell"))
			o->tell = value;
		else if (!strcmp(name, "keep"))
			o->keep = value;
		else if (!strcmp(name, "command"))
			o->command = value;
		else
			return false;
	}
	return **argv != NULL && o->jobs;
}

int main(int argc, char **argv)
{
	struct options o = { .spread = 2000, .keep = ".", .jobs = 1 };
	struct work w = { .o = &o };
	struct input *inputs = xcalloc((size_t)argc, sizeof(*inputs));
	size_t largest = 0;
	bool good = true;

	o.jobs = (unsigned long)sysconf(_SC_NPROCESSORS_ONLN);
	argv++;
	if (!parse(&o, &argv))
		return usage();
	for (; *argv; argv++) {
		if (!read_input(&inputs[w.count], *argv))
			return 2;
		if (o.feature && !find_feature(&inputs[w.count], o.feature)) {
			fprintf(stderr, "sweep: %s has no feature %u\n", *argv, o.feature);
			return 2;
		}
		largest = inputs[w.count].size > largest ? inputs[w.count].size : largest;
		w.count++;
	}
	w.all = inputs;
	w.bytes = xmalloc(largest + 1);
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (size_t i = 0; i < w.count; i++) {
		w.in = &inputs[i];
		good &= sweep_file(&w);
	}
	if (o.count)
		good &= sweep_counted(&w);
	if (o.seconds)
		good &= sweep_random(&w);
	return good ? 0 : 1;
}
