/* The sandbox of a run: files by Landlock, system calls by seccomp, each where the kernel has it.
 *
 * Reading is left wide on purpose: symbols are looked for at the paths that a capture tells, which
 * may lead to any directory with programs. What is kept from it is what holds no programs, and
 * secrets or effects instead: /etc, /proc, /sys, /dev and /run, but for the few files named below.
 * Writing is left for the output's directory and for temporary files. */
#include "cli/sandbox/sandbox.h"
#include "cli/sandbox/seccomp.h"
#include "parser/base/mem.h"
#include "parser/base/sanitized.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void sandbox_begin(struct sandbox *s, bool network)
{
	*s = (struct sandbox){ .network = network };
	landlock_begin(&s->files, network);
}

/* ---- what is read on this host ---- */

/* Landlock knows no exceptions: each directory of the root is allowed, except these. */
static bool is_kept_away(const char *name)
{
	static const char *const names[] = { ".", "..", "proc", "sys", "dev", "run", "etc" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return false;
}

void sandbox_allow_root(struct sandbox *s)
{
	DIR *root = s->files.abi ? opendir("/") : NULL;
	const struct dirent *e;
	char path[sizeof(e->d_name) + 1];

	if (s->files.abi && !root)
		landlock_failed(&s->files, "/");
	while (root) {
		errno = 0;
		e = readdir(root);
		if (!e && errno)
			landlock_failed(&s->files, "/");
		if (!e)
			break;
		snprintf(path, sizeof(path), "/%s", e->d_name);
		/* what a link leads to is allowed by its own name, or is not */
		if (e->d_type != DT_LNK && !is_kept_away(e->d_name))
			landlock_allow(&s->files, path, LANDLOCK_READ);
	}
	if (root)
		closedir(root);
}

#define WRITERS_MAX 64 /* anybody may make files in /tmp, and each takes two descriptors */

/* Whose is a perf map? The process that has its pid now tells when it began. */
static void allow_map_writers(struct sandbox *s)
{
	DIR *dir = s->files.abi ? opendir("/tmp") : NULL;
	const struct dirent *e;
	char path[48];
	unsigned pid;
	int end, left = WRITERS_MAX;

	while (dir && left && (e = readdir(dir))) {
		end = 0;
		if (sscanf(e->d_name, "perf-%9u.map%n", &pid, &end) != 1 || !end || e->d_name[end])
			continue;
		snprintf(path, sizeof(path), "/proc/%u/stat", pid);
		if (!landlock_allow_pinned(&s->files, path))
			continue;
		snprintf(path, sizeof(path), "/proc/%u/status", pid);
		(void)landlock_allow_pinned(&s->files, path);
		left--;
	}
	if (dir)
		closedir(dir);
}

/* With --no-host too: the running kernel's names, filed under another build-id, are refused. */
static void allow_kernel(struct sandbox *s)
{
	(void)landlock_allow_pinned(&s->files, "/proc/kallsyms");
	(void)landlock_allow_pinned(&s->files, "/sys/kernel/notes");
}

static void allow_host(struct sandbox *s)
{
	sandbox_allow_root(s);
	allow_map_writers(s);
	(void)landlock_allow_pinned(&s->files, "/proc/self/maps"); /* to compare files with */
}

/* Where libraries lie that are loaded when they are needed first. */
static void allow_libraries(struct sandbox *s)
{
	static const char *const places[] = {
		"/usr",	      "/lib",	    "/lib32",		"/lib64",
		"/nix/store", "/gnu/store", "/etc/ld.so.cache", "/etc/localtime"
	};
	const char *more = getenv("LD_LIBRARY_PATH");
	char *list = more ? strdup(more) : NULL, *rest = list, *dir;

	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		landlock_allow(&s->files, places[i], LANDLOCK_READ);
	while (list && (dir = strsep(&rest, ":;"))) {
		if (*dir)
			landlock_allow(&s->files, dir, LANDLOCK_READ);
	}
	free(list);
}

/* The client asks libc for addresses, and checks who a server is. */
static void allow_network(struct sandbox *s)
{
	landlock_allow(&s->files, "/etc", LANDLOCK_READ);
	landlock_allow(&s->files, "/usr/share", LANDLOCK_READ);
	landlock_allow(&s->files, "/var/lib/ca-certificates", LANDLOCK_READ);
	landlock_allow(&s->files, "/run/systemd/resolve", LANDLOCK_READ);
	landlock_allow(&s->files, "/run/resolvconf", LANDLOCK_READ);
	landlock_allow(&s->files, "/run/NetworkManager", LANDLOCK_READ);
	landlock_allow(&s->files, "/dev/urandom", LANDLOCK_READ);
}

void sandbox_allow_common(struct sandbox *s, bool host)
{
	allow_libraries(s);
	allow_kernel(s);
	if (host)
		allow_host(s);
	if (s->network)
		allow_network(s);
#if SANITIZED
	landlock_allow(&s->files, "/proc", LANDLOCK_READ);
#endif
	landlock_allow(&s->files, getenv("TMPDIR") ?: "/tmp", LANDLOCK_WRITE);
}

/* ---- in force ---- */

/* In a program that checks another one while it runs, both are one process to the kernel. */
static const char *watched(void)
{
	const char *preload = getenv("LD_PRELOAD");

	return preload && strstr(preload, "/vgpreload_") ? "in valgrind" : NULL;
}

bool sandbox_enter(struct sandbox *s)
{
	s->none = watched();
	if (s->none) {
		s->files.abi = 0;
		if (s->files.fd >= 0)
			close(s->files.fd);
		return true;
	}
	(void)landlock_enter(&s->files);
	if (s->files.error) {
		s->none = strerror(s->files.error);
		return false;
	}
	s->calls = seccomp_enter(s->network);
	if (!s->files.abi && !s->calls)
		s->none = "this kernel has neither Landlock nor seccomp for it";
	return true;
}

void sandbox_release(struct sandbox *s)
{
	free(s->files.path);
}

void sandbox_describe(const struct sandbox *s, struct buf *out)
{
	if (s->none) {
		buf_printf(out, "none (%s)", s->none);
		return;
	}
	if (s->files.abi)
		buf_printf(out, "files (Landlock %d)", s->files.abi);
	if (s->calls)
		buf_printf(out, "%ssystem calls (seccomp)", s->files.abi ? ", " : "");
	if (s->network)
		buf_str(out, ", widened for the network");
	if (!s->files.abi)
		buf_str(out, "; no Landlock");
	if (!s->calls)
		buf_str(out, "; no seccomp");
}
