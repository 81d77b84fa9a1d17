/* parser/names/sources/walk: where paths lead, and that looking opens nothing. */
#include "parser/names/sources/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/lib/unit.h"

static char root[] = "/tmp/test_walk-XXXXXX";
static struct known_dirs *known; /* or NULL */

/* ---- a tree ---- */

static const char *below(const char *path)
{
	static char text[PATH_MAX];

	snprintf(text, sizeof(text), "%s/%s", root, path);
	return text;
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(below(path), "we");

	CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void make_tree(void)
{
	CHECK(mkdtemp(root) != NULL);
	CHECK(chmod(root, 0755) == 0);
	CHECK(mkdir(below("a"), 0755) == 0 && mkdir(below("a/b"), 0755) == 0);
	CHECK(mkdir(below("closed"), 0700) == 0);
	put("file", "top");
	put("a/b/file", "deep");
	put("closed/file", "closed");
	CHECK(mkfifo(below("a/fifo"), 0644) == 0);
	CHECK(symlink("/a/b/file", below("absolute")) == 0);
	CHECK(symlink("../../../../a/b", below("a/up")) == 0);
	CHECK(symlink("b/file", below("a/beside")) == 0);
	CHECK(symlink("loop", below("loop")) == 0);
	CHECK(symlink("nowhere", below("dangling")) == 0);
	CHECK(symlink("/proc/self/exe", below("exe")) == 0);
	CHECK(symlink("", below("empty")) < 0);
	for (int i = 0; i <= WALK_LINKS_MAX; i++) {
		char name[32], target[32];

		snprintf(name, sizeof(name), "link%d", i);
		snprintf(target, sizeof(target), i ? "link%d" : "file", i - 1);
		CHECK(symlink(target, below(name)) == 0);
	}
}

/* ---- walks ---- */

static enum walk_end walk(struct walk *w, const char *from, const char *path)
{
	*w = (struct walk){ .own = { getuid(), getuid() }, .known = known };
	return walk_to(w, from, path);
}

/* PATH leads to a file below the root whose own path is AT. */
static void leads(const char *path, const char *at, bool linked)
{
	struct walk w;

	CHECK_EQ(walk(&w, root, path), WALK_FILE);
	CHECK_STR(w.at.data, at);
	CHECK_EQ(w.linked, linked);
	CHECK(!w.closed);
	walk_release(&w);
}

static void ends(const char *from, const char *path, enum walk_end want)
{
	struct walk w;

	CHECK_EQ(walk(&w, from, path), want);
	CHECK(w.file < 0);
	walk_release(&w);
}

static void test_names(void)
{
	leads("file", "/file", false);
	leads("/file", "/file", false);
	leads("//a///b/./file", "/a/b/file", false);
	leads("a/../file", "/file", false);
	leads("../../../file", "/file", false);
	leads("/a/b/../../../../a/b/file", "/a/b/file", false);
	ends(root, "", WALK_DIRECTORY);
	ends(root, "..", WALK_DIRECTORY);
	ends(root, "a", WALK_DIRECTORY);
	ends(root, "a/b/", WALK_DIRECTORY);
	ends(root, "nothing", WALK_ABSENT);
	ends(root, "nothing/file", WALK_ABSENT);
	ends(root, "file/", WALK_ABSENT);
	ends(root, "file/below", WALK_ABSENT);
	ends(below("nothing"), "file", WALK_ABSENT);
	ends(below("file"), "file", WALK_ABSENT);
}

static void test_links(void)
{
	leads("absolute", "/a/b/file", true);
	leads("a/beside", "/a/b/file", true);
	leads("a/up/file", "/a/b/file", true);
	leads("a/up/../../absolute", "/a/b/file", true);
	leads("link0", "/file", true);
	leads("link39", "/file", true);
	ends(root, "link40", WALK_ENDLESS);
	ends(root, "loop", WALK_ENDLESS);
	ends(root, "loop/file", WALK_ENDLESS);
	ends(root, "dangling", WALK_ABSENT);
	ends(root, "exe", WALK_ABSENT); /* below this root there is none */
	ends(root, "absolute/", WALK_ABSENT);
}

/* Text of LEN characters, PART again and again, and then TAIL. */
static char *repeated(const char *part, size_t len, const char *tail)
{
	char *text = malloc(len + strlen(tail) + 1);

	for (size_t i = 0; text && i < len; i++)
		text[i] = part[i % strlen(part)];
	if (text)
		strcpy(text + len, tail);
	return text;
}

static void test_long(void)
{
	static const struct {
		const char *part;
		size_t len;
		enum walk_end want;
	} rows[] = {
		{ "x", NAME_MAX, WALK_ABSENT },
		{ "x", NAME_MAX + 1, WALK_ABSENT },
		{ "x", 4095, WALK_ABSENT },
		{ "x", 1 << 20, WALK_ABSENT },
		{ "x/", 4096, WALK_ABSENT },
		{ "./", 1 << 20, WALK_FILE },
		{ "/", 1 << 20, WALK_FILE },
		{ "a/../", 4095, WALK_FILE },
		/* a name, "..": two steps */
		{ "a/../", 5 * (WALK_STEPS_MAX / 2 + 1), WALK_ENDLESS },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *path = repeated(rows[i].part, rows[i].len, "file");
		struct walk w;

		CHECK_EQ(walk(&w, root, path), rows[i].want);
		walk_release(&w);
		free(path);
	}
}

/* Nothing of them is opened: that of a FIFO would wait for ever. */
static void test_special(void)
{
	struct walk w;
	int fd;

	CHECK_EQ(walk(&w, root, "a/fifo"), WALK_FILE);
	CHECK(S_ISFIFO(w.st.st_mode));
	fd = walk_open(&w); /* O_NONBLOCK */
	CHECK(fd >= 0);
	close(fd);
	walk_release(&w);
	CHECK_EQ(walk(&w, "/", "dev/null"), WALK_FILE);
	CHECK(S_ISCHR(w.st.st_mode));
	walk_release(&w);
}

static void test_kernels(void)
{
	struct walk w;

	ends("/", "proc", WALK_KERNELS);
	ends("/", "proc/self/exe", WALK_KERNELS);
	ends("/", "proc/../proc/version", WALK_KERNELS);
	ends("/", below("exe"), WALK_KERNELS);
	ends("/proc", "version", WALK_KERNELS);
	ends("/proc/self", "exe", WALK_KERNELS);
	ends("/proc/self/root", "proc/version", WALK_KERNELS);
	if (access("/sys/kernel", F_OK) == 0)
		ends("/", "sys/kernel/vmcoreinfo", WALK_KERNELS);
	/* which is a root as any */
	CHECK_EQ(walk(&w, "/proc/self/root", below("file")), WALK_FILE);
	walk_release(&w);
}

static void test_closed(void)
{
	struct walk w = { .own = { (uid_t)-2, (uid_t)-2 } };

	CHECK_EQ(walk_to(&w, root, "closed/file"), WALK_FILE);
	CHECK(w.closed);
	walk_release(&w);
	w = (struct walk){ .own = { (uid_t)-2, getuid() } };
	CHECK_EQ(walk_to(&w, root, "closed/file"), WALK_FILE);
	CHECK(!w.closed);
	walk_release(&w);
	/* what was passed on the way there is not on the way from there */
	w = (struct walk){ .own = { (uid_t)-2, (uid_t)-2 } };
	CHECK_EQ(walk_to(&w, root, "closed/../file"), WALK_FILE);
	CHECK(!w.closed);
	walk_release(&w);
}

static void test_denied(void)
{
	bool is_root = geteuid() == 0;
	struct walk w;

	CHECK(chmod(below("closed"), 0) == 0);
	CHECK(!is_root || seteuid(65534) == 0);
	CHECK_EQ(walk(&w, root, "closed/file"), WALK_DENIED);
	CHECK_EQ(w.error, EACCES);
	walk_release(&w);
	CHECK(!is_root || seteuid(0) == 0);
	CHECK(chmod(below("closed"), 0700) == 0);
}

/* ---- what changes between the look and the opening ---- */

static void reads(const struct walk *w, const char *want)
{
	char text[32] = "";
	int fd = walk_open(w);

	CHECK(fd >= 0 && read(fd, text, sizeof(text) - 1) >= 0);
	CHECK_STR(text, want);
	if (fd >= 0)
		close(fd);
}

static void test_races(void)
{
	char from[PATH_MAX], moved[PATH_MAX];
	struct stat st;
	struct walk w;
	int fd;

	put("race", "old");
	CHECK_EQ(walk(&w, root, "race"), WALK_FILE);
	reads(&w, "old");
	CHECK(unlink(below("race")) == 0 && symlink("file", below("race")) == 0);
	fd = walk_open(&w);
	CHECK(fd < 0);
	CHECK_EQ(errno, ELOOP);
	/* another file has its name: its own numbers tell */
	CHECK(unlink(below("race")) == 0);
	put("race", "new");
	fd = walk_open(&w);
	CHECK(fd >= 0 && fstat(fd, &st) == 0 && st.st_ino != w.st.st_ino);
	close(fd);
	walk_release(&w);

	/* the directory is what it was, whatever has its name */
	CHECK_EQ(walk(&w, root, "a/b/file"), WALK_FILE);
	snprintf(from, sizeof(from), "%s", below("a/b"));
	snprintf(moved, sizeof(moved), "%s", below("moved"));
	CHECK(rename(from, moved) == 0);
	CHECK(symlink("../closed", from) == 0);
	reads(&w, "deep");
	walk_release(&w);
	leads("a/b/file", "/closed/file", true);
	CHECK(unlink(from) == 0 && rename(moved, from) == 0);
}

/* ---- directories that are known ---- */

/* All leads where it did, the second time from directories that are known. */
static void test_the_same(void)
{
	for (int i = 0; i < 2; i++) {
		test_names();
		test_links();
		test_long();
		test_special();
		test_kernels();
	}
}

/* The walk did not begin at its root; the root is another one in each call. */
static void begins_below(const char *from, const char *path, bool below_root)
{
	struct walk w;

	CHECK_EQ(walk(&w, from, path), WALK_FILE);
	CHECK_EQ(w.root < 0, below_root);
	CHECK_STR(w.at.data, path);
	walk_release(&w);
}

static void test_known(void)
{
	struct walk w = { .own = { (uid_t)-2, (uid_t)-2 }, .known = known };
	char name[64], inner[PATH_MAX];

	begins_below(root, "/file", false); /* no directory is passed */
	begins_below(root, "/file", false);
	begins_below(root, "/a/b/file", true);
	snprintf(inner, sizeof(inner), "%s", below("a"));
	ends(inner, "/a/b/file", WALK_ABSENT);
	begins_below(inner, "/b/file", false);
	begins_below(inner, "/b/file", true);
	for (int i = 0; i < 2; i++) {
		CHECK_EQ(walk_to(&w, root, "/closed/file"), WALK_FILE);
		CHECK(w.closed);
		CHECK_EQ(w.root < 0, i == 1);
		walk_release(&w);
	}
	/* as others come, the one that was not passed for longest is not known any more */
	for (int i = 0; i < 40; i++) {
		snprintf(name, sizeof(name), "many%d", i);
		CHECK(mkdir(below(name), 0755) == 0);
		snprintf(name, sizeof(name), "many%d/file", i);
		put(name, "many");
		snprintf(name, sizeof(name), "/many%d/file", i);
		begins_below(root, name, false);
		begins_below(root, name, true);
	}
	begins_below(root, "/a/b/file", false);
	begins_below(root, name, true);
}

/* Walks that are in as many directories at once as are kept: others have theirs to themselves. */
static void test_known_at_once(void)
{
	struct walk held[40];
	char name[64];

	for (int i = 0; i < 40; i++) {
		snprintf(name, sizeof(name), "/many%d/file", i);
		CHECK_EQ(walk(&held[i], root, name), WALK_FILE);
		CHECK_EQ(held[i].in != NULL, i < 32);
	}
	for (int i = 0; i < 40; i++) {
		int fd = walk_open(&held[i]);

		CHECK(fd >= 0 && close(fd) == 0);
		walk_release(&held[i]);
	}
	begins_below(root, "/many0/file", true);
	begins_below(root, "/many39/file", false);
	begins_below(root, "/many39/file", true);
}

static void remove_tree(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", root);
	CHECK(system(command) == 0);
}

int main(void)
{
	make_tree();
	test_names();
	test_links();
	test_long();
	test_special();
	test_kernels();
	test_closed();
	test_denied();
	test_races();
	known = known_dirs_new();
	test_the_same();
	test_known();
	test_known_at_once();
	known_dirs_free(known);
	remove_tree();
	return unit_end();
}
