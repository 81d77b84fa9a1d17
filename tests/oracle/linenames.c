/* What lines.h says of addresses, in a form to compare with addr2line.
 *
 *   linenames FILE                     standard input: hexadecimal addresses as FILE counts them,
 *                                      ascending, one in each line
 *   linenames --no-lines FILE          the same, but what inlined functions are called alone
 *   linenames --mutate N SEED FILE     N damaged copies of FILE, in the working directory, each
 * read by a child process for the same addresses
 *
 * The first writes one line for each address: the address, then for each function, innermost first,
 * NAME TAB FILE:LINE, all separated by tabs. The name of the outermost is "-": the symbol table has
 * it. The second writes what became of the copies; exit status 1 when a child died, took more than
 * 5 s of CPU or (without sanitizers) more than 256 MiB. */
#include <elf.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/base/sanitized.h"
#include "parser/names/dwarf/lines.h"

static struct elf_file *find_none(void *ctx, const char *name, const struct build_id *id)
{
	(void)ctx;
	(void)id;
	return elf_file_open(NULL, name, NULL);
}

static void print_place(const char *name, const char *file, uint32_t line)
{
	printf("\t%s\t%s:%u", name, file ? file : "??", line);
}

static void print_answer(uint64_t addr, const struct line_answer *a)
{
	printf("%llx", (unsigned long long)addr);
	for (uint32_t i = 0; i < a->inline_count; i++)
		print_place(a->inlines[i].name ? a->inlines[i].name : "??", a->inlines[i].file,
			    a->inlines[i].line);
	print_place("-", a->file, a->line);
	putchar('\n');
}

static void read_addrs(struct lines_query *q)
{
	uint64_t *addrs = NULL;
	size_t cap = 0;
	char text[64];

	while (fgets(text, sizeof(text), stdin)) {
		addrs = xgrow(addrs, &cap, q->count + 1, sizeof(*addrs));
		addrs[q->count++] = strtoull(text, NULL, 16);
	}
	q->addrs = addrs;
}

static void print_cost(const struct lines_query *q, const struct lines *l, clock_t start)
{
	double s = (double)(clock() - start) / CLOCKS_PER_SEC;

	fprintf(stderr, "%zu addresses, %.3f s CPU, %.2f us each\n", q->count, s,
		1e6 * s / (double)(q->count + !q->count));
	if (l->missing.alt)
		fprintf(stderr, "missing alternate file: %s\n", l->missing.alt);
	if (l->missing.dwo)
		fprintf(stderr, "missing split files: %zu, %s\n", l->missing.dwo_count,
			l->missing.dwo);
	if (l->missing.unreadable)
		fprintf(stderr, "unreadable: %s\n", l->missing.unreadable);
}

static int show(struct lines_query *q)
{
	struct lines l;
	clock_t start = clock();
	int rc;

	lines_init(&l);
	rc = lines_load(&l, q);
	print_cost(q, &l, start);
	for (size_t i = 0; rc == 0 && i < q->count; i++)
		print_answer(q->addrs[i], &l.answers[i]);
	lines_release(&l);
	return rc == 0 ? 0 : 1;
}

/* ---- damage ---- */

#if SANITIZED
#define RSS_MAX_KB LONG_MAX
#else
#define RSS_MAX_KB (256l << 10)
#endif

static bool read_file(const char *path, struct buf *out)
{
	FILE *f = fopen(path, "rb");
	size_t n;

	if (!f)
		return false;
	while ((n = fread(buf_reserve(out, 65536), 1, 65536, f)) > 0)
		out->len += n;
	fclose(f);
	return out->len > sizeof(Elf64_Ehdr);
}

/* A place to damage: mostly in a section that is not loaded, which is where DWARF is. */
static size_t some_place(const struct buf *file)
{
	Elf64_Ehdr eh;
	Elf64_Shdr sh;

	memcpy(&eh, file->data, sizeof(eh));
	for (int tries = 0; tries < 100 && eh.e_shnum && random() % 8; tries++) {
		size_t at = eh.e_shoff + (size_t)random() % eh.e_shnum * sizeof(sh);

		if (at > file->len - sizeof(sh))
			continue;
		memcpy(&sh, file->data + at, sizeof(sh));
		if (sh.sh_type == SHT_PROGBITS && !(sh.sh_flags & SHF_ALLOC) && sh.sh_size > 8 &&
		    sh.sh_offset + sh.sh_size <= file->len)
			return sh.sh_offset + (size_t)random() % (sh.sh_size - 8);
	}
	return (size_t)random() % (file->len - 8);
}

static void damage(struct buf *file)
{
	for (long n = random() % 8; n >= 0; n--) {
		char *at = file->data + some_place(file);

		switch (random() % 6) {
		case 0:
			*at = (char)random();
			break;
		case 1:
			*at = (char)(*at ^ 1 << random() % 8);
			break;
		case 2:
			memset(at, random() % 2 ? 0xff : 0, (size_t)random() % 8 + 1);
			break;
		case 3:
			memcpy(at, "\xff\xff\xff\xff\x0f", 5);
			break;
		case 4:
			memmove(at, file->data + some_place(file), 8);
			break;
		default:
			++*at;
		}
	}
}

/* True when the child came to an end of its own, in time. */
static bool child_lives(struct lines_query *q, long *max_kb)
{
	struct rusage used;
	int status;
	pid_t pid = fork();

	if (!pid) {
		struct lines l;

		setitimer(ITIMER_PROF, &(struct itimerval){ .it_value.tv_sec = 5 }, NULL);
		alarm(120);
		lines_init(&l);
		(void)!lines_load(&l, q);
		for (size_t i = 0; l.answers && i < q->count; i++) {
			for (uint32_t k = 0; k < l.answers[i].inline_count; k++)
				(void)!l.answers[i].inlines[k].line;
		}
		lines_release(&l);
		_exit(0);
	}
	if (pid < 0 || wait4(pid, &status, 0, &used) != pid)
		return false;
	*max_kb = used.ru_maxrss > *max_kb ? used.ru_maxrss : *max_kb;
	if (status)
		printf("a child ended with status %#x\n", (unsigned)status);
	return !status && used.ru_maxrss <= RSS_MAX_KB;
}

/* A file without a name that holds B: its path, or NULL. */
static const char *in_memory(const struct buf *b)
{
	static char path[64];
	int fd = memfd_create("mutant", 0);

	if (fd < 0 || write(fd, b->data, b->len) != (ssize_t)b->len)
		return NULL;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

static void keep_file(const struct buf *b, unsigned seed)
{
	char name[64];
	FILE *f;

	snprintf(name, sizeof(name), "mutant.%u", seed);
	f = fopen(name, "wb");
	if (f && fwrite(b->data, 1, b->len, f) == b->len)
		printf("see %s\n", name);
	if (f)
		fclose(f);
}

static int mutate(struct lines_query *q, long count, unsigned seed)
{
	struct buf whole = { 0 }, copy = { 0 };
	long max_kb = 0, bad = 0;

	if (!read_file(q->path, &whole))
		return 2;
	for (long i = 0; i < count; i++) {
		srandom(seed + (unsigned)i);
		copy.len = 0;
		buf_add(&copy, whole.data, whole.len);
		damage(&copy);
		q->path = in_memory(&copy);
		if (!q->path)
			return 2;
		if (!child_lives(q, &max_kb)) {
			keep_file(&copy, seed + (unsigned)i);
			bad++;
		}
		close(atoi(strrchr(q->path, '/') + 1));
	}
	printf("%ld copies, %ld bad, at most %ld KiB\n", count, bad, max_kb);
	buf_release(&whole);
	buf_release(&copy);
	return bad ? 1 : 0;
}

int main(int argc, char **argv)
{
	static const struct symbol_options nothing;
	struct lines_query q = { .inlines = true, .finder = { find_none, NULL, &nothing } };
	int status = 2;

	read_addrs(&q);
	q.path = argv[argc - 1];
	q.lines = argc != 3 || strcmp(argv[1], "--no-lines") != 0;
	if (argc == 2 || !q.lines)
		status = show(&q);
	else if (argc == 5 && !strcmp(argv[1], "--mutate"))
		status =
			mutate(&q, strtol(argv[2], NULL, 10), (unsigned)strtoul(argv[3], NULL, 10));
	free((uint64_t *)q.addrs);
	return status;
}
