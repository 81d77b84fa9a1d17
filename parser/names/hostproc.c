/* Perf maps and jitdumps of this host: files that a process writes while it runs, and that a later
 * process with its pid may have written over. Looks at /proc/PID. */
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/names/hostclock.h"
#include "parser/names/hostfile.h"
#include "parser/names/reach.h"
#include "parser/state/machine.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SECOND	  UINT64_C(1000000000)
#define WRITES_NS (60 * SECOND) /* a process may write so long after the recording ended */

/* The process of the capture with PID; NULL: there was none, or there were several. */
static const struct process *process_of(const struct machine *m, uint32_t pid)
{
	const struct process *found = NULL;

	for (size_t i = 0; i < m->process_count; i++) {
		if (m->processes[i].pid != pid)
			continue;
		if (found || m->processes[i].renewed)
			return NULL;
		found = &m->processes[i];
	}
	return found;
}

/* ---- the one that has the pid now ---- */

/* Its starttime, field 22 of /proc/PID/stat, in ns since 1970; 0: there is none. */
static uint64_t started(uint32_t pid, struct reach *r)
{
	struct timespec boot, wall;
	char path[40], text[1024], *at;
	uint64_t ticks = 0, up, now;
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/stat", pid);
	f = fopen(path, "re");
	n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;
	if (!f || ferror(f))
		reach_fault(r, path, errno);
	if (f)
		fclose(f);
	text[n] = '\0';
	at = strrchr(text, ')'); /* the name may hold anything */
	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	if (!at || sscanf(at, "%" SCNu64, &ticks) != 1 || clock_gettime(CLOCK_BOOTTIME, &boot) ||
	    clock_gettime(CLOCK_REALTIME, &wall))
		return 0;
	up = (uint64_t)boot.tv_sec * SECOND + (uint64_t)boot.tv_nsec;
	now = (uint64_t)wall.tv_sec * SECOND + (uint64_t)wall.tv_nsec;
	return now - up + ticks * (SECOND / (uint64_t)sysconf(_SC_CLK_TCK));
}

/* The pid that it has in its own container: the last of NSpid in /proc/PID/status. */
static uint32_t own_pid(uint32_t pid, struct reach *r)
{
	char path[40], line[256];
	uint32_t own = pid;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/status", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		const char *last = strncmp(line, "NSpid:", 6) ? NULL : strrchr(line, '\t');

		if (last)
			own = (uint32_t)strtoul(last, NULL, 10);
	}
	if (!f || ferror(f))
		reach_fault(r, path, errno);
	if (f)
		fclose(f);
	return own;
}

/* ---- may it have written the file? ---- */

/* When the file at PATH was, by OWNER or by root: in /tmp anybody may write; 0: it was not. */
static uint64_t changed(const char *path, uid_t owner)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || st.st_ctim.tv_sec < 0 ||
	    (st.st_uid && st.st_uid != owner))
		return 0;
	return (uint64_t)st.st_ctim.tv_sec * SECOND + (uint64_t)st.st_ctim.tv_nsec;
}

/* The same for the map of process PID, which runs. Its view of the files may not be had, for the
 * rights that this process has left: who has one pid only sees this host's /tmp, most likely. */
static uint64_t changed_by(struct reach *r, struct buf *path, uint32_t pid, uid_t owner)
{
	struct stat st;

	if (stat(path->data, &st) && errno == EACCES && own_pid(pid, r) == pid) {
		path->len = 0;
		buf_printf(path, "/tmp/perf-%" PRIu32 ".map", pid);
	}
	return changed(path->data, owner);
}

/* P has ended: did it live when the file was written last? */
static bool wrote_then(const struct host_clock *c, const struct process *p, uint64_t at_ns)
{
	uint64_t born = p->born_ns ? host_clock_wall(c, p->born_ns) : 0, end;

	if (!born || at_ns < born)
		return false;
	end = p->ended_ns ? host_clock_wall(c, p->ended_ns) : 0;
	if (end)
		return at_ns <= end + host_clock_doubt(c, p->ended_ns) + SECOND;
	return at_ns <= c->done_ns + WRITES_NS;
}

char *host_perf_map(struct host_files *h, uint32_t pid)
{
	const struct host_clock *c = host_files_clock(h);
	const struct process *p = c ? process_of(host_files_machine(h), pid) : NULL;
	struct buf path = { 0 };
	char proc[24], root[32];
	uint64_t since, from;
	struct reach *r;
	struct stat st;
	bool its;

	if (!p)
		return NULL;
	r = host_files_reach(h);
	since = p->ended_ns ? 0 : started(pid, r);
	from = p->born_ns ?: c->first_ns;
	if (since) { /* this pid's process of today began when the recorded one did, or before */
		snprintf(proc, sizeof(proc), "/proc/%" PRIu32, pid);
		buf_printf(&path, "%s/root", proc);
		reach_add_root(r, path.data);
		buf_printf(&path, "/tmp/perf-%" PRIu32 ".map", own_pid(pid, r));
		its = since <= host_clock_wall(c, from) + host_clock_doubt(c, from) &&
		      stat(proc, &st) == 0 && changed_by(r, &path, pid, st.st_uid) >= since;
	} else {
		buf_printf(&path, "/tmp/perf-%" PRIu32 ".map", pid);
		its = wrote_then(c, p, changed(path.data, geteuid()));
	}
	if (!its && !p->ended_ns) {
		snprintf(root, sizeof(root), "/proc/%" PRIu32 "/root", pid);
		reach_missed_root(r, root);
	}
	if (!its)
		buf_release(&path);
	return its ? path.data : NULL;
}

bool host_is_dump(struct host_files *h, const char *path, const struct file_id *file)
{
	int fd = file->inode && host_files_clock(h)
			 ? reach_open(host_files_reach(h), path, REACH_PROGRAM)
			 : -1;
	struct stat st;
	bool is = fd >= 0 && fstat(fd, &st) == 0 &&
		  host_is_recorded(host_files_reach(h), fd, &st, file);

	if (fd >= 0)
		close(fd);
	return is;
}
