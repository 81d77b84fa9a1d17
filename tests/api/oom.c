/* Read captures with libpdtool while memory runs out: at the N-th allocation of the whole process,
 * for N = 1, 2, ... until all succeed. Each time the library must say PDT_ERR_MEMORY, or give what
 * it gives otherwise, and nothing may be left: no block, no descriptor, no mapping.
 *
 *   oom [-s OPTION=VALUE] [-f FACTOR] [-n FIRST] [-p PACK] CAPTURE...
 *
 * The malloc() of this program stands before libc's for all libraries. For each N two runs: that
 * one fails alone, or all from there on. N begins with FIRST; FACTOR thins it out: 1.01 takes every
 * one up to 100. Each capture is packed, too, with paths and without, to the file PACK. With TRACE
 * defined, lost blocks are shown with the calls that took them. Prints one line for each capture;
 * exit status 1 when something was not as it must be. */
#define _GNU_SOURCE /* dladdr() */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <pdtool_columns.h>
#include <pdtool_cut.h>
#include <pdtool_module.h>

#define TABLES_MAX 4096
#define LOST_MAX   4 /* one for each thread */

/* ---- a malloc() that fails when told, and counts ---- */

#ifdef WRAPPED
/* Linked with --wrap=malloc and so on, for the sanitizers, which have a malloc() themselves: only
 * what the library itself asks for fails. */
#define malloc		__wrap_malloc
#define calloc		__wrap_calloc
#define realloc		__wrap_realloc
#define aligned_alloc	__wrap_aligned_alloc
#define free		__wrap_free
#define __libc_malloc	__real_malloc
#define __libc_calloc	__real_calloc
#define __libc_realloc	__real_realloc
#define __libc_memalign __real_aligned_alloc
#define __libc_free	__real_free
#endif

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t c, size_t n);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t a, size_t n);
void __libc_free(void *p);

static atomic_long live, asked, fail_at; /* fail_at 0: never */
static bool fail_on;			 /* all that come later, too */

#ifdef TRACE
/* Who has what, to find what is lost: gcc -DTRACE. */
static struct traced {
	void *p, *frames[12];
	int count;
} traced[1 << 20];

static void trace(void *p, bool taken)
{
	static __thread bool here;
	struct traced *t;

	if (here || !p)
		return;
	here = true;
	for (size_t i = (size_t)p >> 4;; i++) {
		t = &traced[i % (1 << 20)];
		if (taken ? !t->p || t->p == (void *)1 : t->p == p || !t->p)
			break;
	}
	if (!taken)
		t->p = t->p ? (void *)1 : NULL;
	else {
		t->p = p;
		t->count = backtrace(t->frames, 12);
	}
	here = false;
}
#else
#define trace(p, taken)
#endif

/* Three libraries do not survive it themselves; what they ask for in these ways does not fail here.
 *
 * libarchive (3.6.2): archive_read_open() and the reading of headers use what they did not get, and
 * text that cannot grow ends the process ("Fatal Internal Error"). It reads captures that are
 * compressed as a whole, and PDT_SYMBOLS=ARCHIVE.
 *
 * libdw (0.188): a new unit's table of abbreviations (Dwarf_Abbrev_Hash_init()) is used without a
 * look whether it is there, and lost (704 bytes) when the next allocation fails. It cannot be told
 * from other malloc() of libdw but for those of its arena, which have one size, and do fail here.
 *
 * capstone (4.0.2): cs_open() makes a machine's tables without a look whether there is room.
 */
static bool calls(void *caller, const char *library)
{
	Dl_info in;

	return dladdr(caller, &in) && strstr(in.dli_fname, library);
}

static bool is_table(void *caller, size_t n)
{
	return n != (size_t)sysconf(_SC_PAGESIZE) - 4 * sizeof(void *) && calls(caller, "/libdw");
}

/* The tables that libdw has: what is left of them in the end it has lost. */
static struct {
	pthread_mutex_t lock;
	void *list[TABLES_MAX];
	int count;
} tables = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void table_taken(void *p)
{
	pthread_mutex_lock(&tables.lock);
	if (p && tables.count < TABLES_MAX)
		tables.list[tables.count++] = p;
	pthread_mutex_unlock(&tables.lock);
}

static void table_given(void *p)
{
	pthread_mutex_lock(&tables.lock);
	for (int i = tables.count; i-- > 0;) {
		if (tables.list[i] == p)
			tables.list[i] = tables.list[--tables.count];
	}
	pthread_mutex_unlock(&tables.lock);
}

static bool fails(void *caller, size_t size)
{
	long n = atomic_fetch_add(&asked, 1) + 1, at = fail_at;

	if (!at || (fail_on ? n < at : n != at) || is_table(caller, size) ||
	    calls(caller, "libarchive.so") || calls(caller, "libcapstone.so"))
		return false;
	errno = ENOMEM;
	return true;
}

static void *counted(void *p)
{
	if (p)
		atomic_fetch_add(&live, 1);
	trace(p, true);
	return p;
}

void *malloc(size_t n)
{
	void *caller = __builtin_return_address(0);
	void *p = fails(caller, n) ? NULL : counted(__libc_malloc(n));

	if (fail_at && is_table(caller, n))
		table_taken(p);
	return p;
}

void *calloc(size_t c, size_t n)
{
	return fails(__builtin_return_address(0), n) ? NULL : counted(__libc_calloc(c, n));
}

void free(void *p)
{
	if (p)
		atomic_fetch_sub(&live, 1);
	if (tables.count)
		table_given(p);
	trace(p, false);
	__libc_free(p);
}

void *realloc(void *p, size_t n)
{
	void *q;

	if (fails(__builtin_return_address(0), n))
		return NULL;
	trace(p, false);
	q = __libc_realloc(p, n);
	if (!p || !q)
		return counted(q);
	trace(q, true);
	return q;
}

void *aligned_alloc(size_t a, size_t n)
{
	return fails(__builtin_return_address(0), n) ? NULL : counted(__libc_memalign(a, n));
}

#ifndef WRAPPED
int posix_memalign(void **out, size_t a, size_t n)
{
	void *p = aligned_alloc(a, n);

	if (!p)
		return ENOMEM;
	*out = p;
	return 0;
}

void *memalign(size_t a, size_t n)
{
	return aligned_alloc(a, n);
}
#endif

/* ---- what else a process has ---- */

static int descriptors(void)
{
	int n = 0;

	for (int fd = 0; fd < 1024; fd++)
		n += lseek(fd, 0, SEEK_CUR) >= 0 || errno != EBADF;
	return n;
}

/* Mappings of files that are no library: what the parser maps. */
static int file_mappings(void)
{
	char line[8192];
	FILE *f = fopen("/proc/self/maps", "r");
	int n = 0;

	while (f && fgets(line, sizeof(line), f))
		n += strstr(line, " r--p ") && strchr(line, '/') && !strstr(line, ".so");
	if (f)
		fclose(f);
	return n;
}

/* ---- one run ---- */

struct setting {
	int option;
	const char *value;
};

static struct setting settings[16];
static size_t setting_count;

static unsigned long mix(unsigned long h, const char *s)
{
	for (; s && *s; s++)
		h = (h ^ (unsigned char)*s) * 1099511628211ul;
	return h * 31;
}

static unsigned long read_events(struct pdt_session *s, int *rc)
{
	const struct pdt_event *e;
	unsigned long h = 0;
	size_t len;

	while ((*rc = pdt_next(s, &e)) == 1) {
		const struct pdt_field *f = pdt_event_field(e, "prev_comm");
		const char *text = pdt_event_text(e, f, &len);

		h = mix(h, pdt_comm(s, e->comm)) + e->time_ns + e->stack;
		for (size_t i = 0; i < len; i++)
			h = h * 31 + (unsigned char)text[i];
	}
	return h;
}

static bool by_tables; /* in place of single events */

/* Three tables in turn, one of which keeps what it has, and one counts. */
static unsigned long read_tables(struct pdt_session *s, int *rc)
{
	const struct pdt_table_query q = { .columns = (1ull << PDT_COLUMNS) - 1, .by_event = true };
	const struct pdt_table *t, *kept, *counted;
	unsigned long h = 0;

	*rc = pdt_table_new(s, &q, &t);
	if (*rc == 0)
		*rc = pdt_table_new(s, &q, &kept);
	if (*rc == 0)
		*rc = pdt_table_new(s, &q, &counted);
	while (*rc == 0 && (*rc = pdt_table_read(s, t, 20, 0)) == 1) {
		for (uint64_t i = 0; i < t->text_starts[t->text_count]; i++)
			h = h * 31 + (unsigned char)t->texts[i];
		h += t->count;
		*rc = pdt_table_read(s, kept, 20, PDT_TABLE_KEEP);
		if (*rc >= 0)
			*rc = pdt_table_read(s, counted, 20, PDT_TABLE_COUNT);
		*rc = *rc < 0 ? *rc : 0;
	}
	if (*rc == 0)
		pdt_table_free(s, t);
	return h;
}

static unsigned long read_names(const struct pdt_session *s)
{
	unsigned long h = 0;

	for (uint32_t stack = 0; pdt_stack_at(s, stack).depth; stack++) {
		const struct pdt_stack k = pdt_stack_at(s, stack);

		for (uint32_t i = 0; i < k.depth; i++) {
			uint32_t l = k.locations[i];

			h = mix(h, pdt_location_module(s, l));
			for (size_t k = 0; k < pdt_function_count(s, l); k++) {
				const struct pdt_function f = pdt_function_at(s, l, k);

				h = mix(mix(h, f.name), f.file) + f.line;
			}
		}
	}
	return h;
}

static const char *pack_path; /* NULL: none is made */

static void tell(void *ctx, const char *name, uint32_t module, uint64_t size, uint64_t kept)
{
	unsigned long *h = ctx;

	*h = mix(*h, name) + module + size + kept;
}

/* One with paths, and one without. */
static int write_packs(const struct pdt_session *s, unsigned long *sum)
{
	struct pdt_pack_query q = { .path = pack_path, .tell = tell, .ctx = sum };
	int rc = 0;

	for (int i = 0; pack_path && rc == 0 && i < 2; i++) {
		q.strip_paths = i;
		rc = pdt_pack(s, &q);
		unlink(pack_path);
	}
	return rc;
}

/* The error, and *SUM over all that was read. */
static int run(const char *path, unsigned long *sum)
{
	unsigned wants = PDT_WANT_STACKS | PDT_WANT_COMMS | PDT_WANT_FIELDS | PDT_WANT_LINES |
			 PDT_WANT_INLINES;
	struct pdt_session *s;
	int rc;

	asked = 0;
	*sum = 0;
	s = pdt_new();
	rc = s ? 0 : PDT_ERR_MEMORY;
	for (size_t i = 0; rc == 0 && i < setting_count; i++)
		rc = pdt_set(s, settings[i].option, settings[i].value);
	if (rc == 0)
		rc = pdt_open(s, path, wants);
	if (rc == 0)
		*sum = by_tables ? read_tables(s, &rc) : read_events(s, &rc);
	if (rc == 0)
		rc = pdt_resolve(s);
	if (rc == 0)
		*sum += read_names(s);
	if (rc == 0)
		rc = write_packs(s, sum);
	for (size_t i = 0; rc == 0 && pdt_warning(s, i, NULL); i++)
		*sum = mix(*sum, pdt_warning(s, i, NULL));
	if (s && rc < 0 && !*pdt_message(s))
		rc = -100;
	pdt_close(s);
	return rc;
}

/* ---- all runs ---- */

static int bad, total_lost;
static long now_at, first = 1;
static const char *now_path;

static void crashed(int number)
{
	char text[512];
	int n = snprintf(text, sizeof(text), "%s: signal %d, allocation %ld%s\n", now_path, number,
			 now_at, fail_on ? " and all later" : "");
	void *frames[32];

	if (write(1, text, (size_t)n) < 0)
		_exit(2);
	fail_at = 0;
	backtrace_symbols_fd(frames, backtrace(frames, 32), 1);
	_exit(1);
}

#ifdef TRACE
static void tell_lost(bool forget)
{
	for (size_t i = 0; i < 1 << 20; i++) {
		if (traced[i].p <= (void *)1)
			continue;
		if (!forget)
			backtrace_symbols_fd(traced[i].frames, traced[i].count, 1);
		if (!forget)
			puts("--"), fflush(stdout);
		traced[i].p = (void *)1;
	}
}
#else
#define tell_lost(forget)
#endif

/* *DEGRADED: with no error, but another result. */
static bool check_one(const char *path, unsigned long wanted, int *degraded)
{
	long blocks = live;
	int fds = descriptors(), maps = file_mappings(), rc, lost;
	unsigned long sum;
	bool hit;

	tell_lost(true);
	fail_at = now_at;
	rc = run(path, &sum);
	fail_at = 0;
	hit = asked >= now_at;
	lost = tables.count;
	tables.count = 0;
	total_lost += lost;
	if (rc == 0 && sum != wanted)
		++*degraded;
	else if (rc != 0 && rc != PDT_ERR_MEMORY)
		printf("%s: error %d at allocation %ld\n", path, rc, now_at), bad++;
	if (live != blocks + lost || lost > LOST_MAX || descriptors() != fds ||
	    file_mappings() != maps) {
		printf("%s: lost %ld blocks, %d descriptors, %d mappings (%d) at %ld%s\n", path,
		       live - blocks - lost, descriptors() - fds, file_mappings() - maps, rc,
		       now_at, fail_on ? " and all later" : "");
		tell_lost(false);
		bad++;
	}
	return hit;
}

static void check_capture(const char *path, double factor)
{
	unsigned long wanted, sum;
	int degraded = 0, runs = 0;
	long all;

	now_path = path;
	/* twice: what libraries keep for ever they have then */
	if (run(path, &sum) != 0 || run(path, &wanted) != 0 || sum != wanted) {
		printf("%s: it cannot be read, or twice differently\n", path);
		bad++;
		return;
	}
	all = asked;
	for (long n = first; bad < 10; n = (long)((double)n * factor) + 1) {
		bool hit = false;

		now_at = n;
		for (fail_on = false;; fail_on = true) {
			hit |= check_one(path, wanted, &degraded);
			runs++;
			if (fail_on)
				break;
		}
		if (!hit)
			break;
	}
	printf("%s: %d runs, %ld allocations, %d with another result, %d lost by libdw\n", path,
	       runs, all, degraded, total_lost);
	total_lost = 0;
	bad += degraded;
}

int main(int argc, char **argv)
{
	double factor = 1.0;
	int c;

	signal(SIGSEGV, crashed);
	signal(SIGABRT, crashed);
	signal(SIGILL, crashed);
	while ((c = getopt(argc, argv, "f:s:n:p:t")) != -1) {
		if (c == 'f')
			factor = atof(optarg);
		else if (c == 'n')
			first = atol(optarg);
		else if (c == 'p')
			pack_path = optarg;
		else if (c == 't')
			by_tables = true;
		else if (c == 's' && setting_count < 16 && strchr(optarg, '='))
			settings[setting_count++] =
				(struct setting){ atoi(optarg), strchr(optarg, '=') + 1 };
	}
	for (; optind < argc; optind++)
		check_capture(argv[optind], factor);
	return bad != 0;
}
