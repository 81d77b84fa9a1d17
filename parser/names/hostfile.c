/* Files of this host by device, inode and time of their last change. Each module is looked at
 * once. */
#include "parser/names/hostfile.h"
#include "parser/base/mem.h"
#include "parser/names/elf/elffile.h"
#include "parser/names/hostclock.h"
#include "parser/names/reach.h"
#include "parser/state/machine.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

struct host_files {
	pthread_mutex_t lock;
	const struct machine *machine;
	struct reach *reach;
	void (*tell)(void *ctx, struct capture_clock *out);
	void *ctx;
	bool has_clock;
	struct host_clock clock;
	struct host_file **list; /* by module id; NULL: not asked yet */
	size_t count, cap;
};

struct host_files *host_files_new(const struct machine *machine, struct reach *r,
				  void (*tell)(void *ctx, struct capture_clock *out), void *ctx)
{
	struct host_files *h = xcalloc(1, sizeof(*h));

	pthread_mutex_init(&h->lock, NULL);
	h->machine = machine;
	h->reach = r;
	h->tell = tell;
	h->ctx = ctx;
	return h;
}

void host_files_free(struct host_files *h)
{
	if (!h)
		return;
	for (size_t i = 0; i < h->count; i++) {
		if (h->list[i])
			free(h->list[i]->path);
		free(h->list[i]);
	}
	free(h->list);
	pthread_mutex_destroy(&h->lock);
	free(h);
}

/* ---- the same file? ---- */

#define OWN_MAPS "/proc/self/maps"

/* The numbers that a mapping of FD has: on btrfs and on overlayfs they need not be those of stat().
 */
static bool mapping_is(struct reach *r, int fd, const struct file_id *want)
{
	void *at = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, fd, 0);
	FILE *maps = at == MAP_FAILED ? NULL : fopen(OWN_MAPS, "re");
	char line[8192]; /* with a path */
	bool is = false;

	while (maps && fgets(line, sizeof(line), maps)) {
		uint64_t start, inode;
		unsigned major, minor;

		if (sscanf(line, "%" SCNx64 "-%*x %*s %*x %x:%x %" SCNu64, &start, &major, &minor,
			   &inode) != 4 ||
		    start != (uintptr_t)at)
			continue;
		is = major == want->major && minor == want->minor && inode == want->inode;
		break;
	}
	if (!maps || ferror(maps))
		reach_fault(r, OWN_MAPS, errno);
	if (maps)
		fclose(maps);
	if (at != MAP_FAILED)
		munmap(at, 1);
	return is;
}

bool host_is_recorded(struct reach *r, int fd, const struct stat *st, const struct file_id *want)
{
	uint32_t generation = 0;

	if ((st->st_ino != want->inode || major(st->st_dev) != want->major ||
	     minor(st->st_dev) != want->minor) &&
	    !mapping_is(r, fd, want))
		return false;
	return !want->generation || ioctl(fd, FS_IOC_GETVERSION, &generation) || !generation ||
	       generation == want->generation;
}

/* Why the file at PATH is not taken for M's, or NULL; SAME where it is. */
static const char *why_not(const struct host_files *h, const struct module *m, const char *path,
			   bool *same)
{
	uint64_t mapped = host_clock_wall(&h->clock, m->first_ns ?: h->clock.first_ns), changed;
	int fd = reach_open(h->reach, path, REACH_PROGRAM);
	const char *why = NULL;
	struct stat st;

	*same = false;
	if (fd < 0)
		return reach_why(h->reach, path);
	if (fstat(fd, &st) || !host_is_recorded(h->reach, fd, &st, &m->file)) {
		why = access(OWN_MAPS, R_OK)
			      ? "has another inode than the recorded one, as far as can be known "
				"without /proc"
			      : "is another file than the recorded one (inode)";
	} else {
		changed = (uint64_t)st.st_ctim.tv_sec * 1000000000 + (uint64_t)st.st_ctim.tv_nsec;
		*same = st.st_ctim.tv_sec >= 0 && changed < mapped;
		why = !mapped ? h->clock.why : *same ? NULL : "was changed since it was recorded";
	}
	close(fd);
	return why;
}

/* ---- where is it? ---- */

static void look_at(const struct host_files *h, const struct module *m, struct host_file *f)
{
	struct buf path = { 0 };

	buf_str(&path, m->path);
	f->why = why_not(h, m, path.data, &f->same);
	if (!f->same) { /* the path is that of the process, which in a container has another root */
		snprintf(f->root, sizeof(f->root), "/proc/%u/root", m->pid);
		reach_add_root(h->reach, f->root);
		path.len = 0;
		buf_printf(&path, "%s%s", f->root, m->path);
		(void)why_not(h, m, path.data, &f->same);
		if (!f->same && !h->clock.why)
			reach_missed_root(h->reach, f->root);
	}
	f->why = f->same ? NULL : f->why;
	f->path = path.data;
}

static void set_clock(struct host_files *h)
{
	struct capture_clock told = { 0 };

	h->tell(h->ctx, &told);
	host_clock_find(&h->clock, &told, h->machine->kernel, h->reach);
	h->has_clock = true;
}

const struct host_clock *host_files_clock(struct host_files *h)
{
	const struct host_clock *c = NULL;

	if (!h)
		return NULL;
	pthread_mutex_lock(&h->lock);
	if (!h->has_clock)
		set_clock(h);
	if (!h->clock.why)
		c = &h->clock;
	pthread_mutex_unlock(&h->lock);
	return c;
}

const struct machine *host_files_machine(const struct host_files *h)
{
	return h->machine;
}

struct reach *host_files_reach(const struct host_files *h)
{
	return h->reach;
}

static void look(struct host_files *h, const struct module *m, struct host_file *f)
{
	struct elf_file *elf;

	if (m->kind != PDT_MODULE_FILE || !m->file.inode || m->path[0] != '/')
		return;
	if (!h->has_clock)
		set_clock(h);
	if (h->clock.other_host)
		return;
	look_at(h, m, f);
	elf = f->same ? elf_file_open(h->reach, f->path, NULL) : NULL;
	if (elf)
		f->id = build_id_make(elf_file_info(elf)->build_id,
				      elf_file_info(elf)->build_id_len);
	elf_file_free(elf);
}

const struct host_file *host_file(struct host_files *h, const struct module *m)
{
	struct host_file *f;

	if (!h)
		return NULL;
	pthread_mutex_lock(&h->lock);
	h->list = xgrow_to(h->list, &h->count, &h->cap, m->id, sizeof(*h->list));
	f = h->list[m->id];
	if (!f) {
		f = h->list[m->id] = xcalloc(1, sizeof(*f));
		look(h, m, f);
	}
	pthread_mutex_unlock(&h->lock);
	return f;
}
