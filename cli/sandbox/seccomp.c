/* The filter of system calls, in the kernel's BPF. What pdtool, libc and the libraries that it
 * loads make use of stands in tables; everything else is refused:
 *
 * - with EPERM, not by ending the process: a call that a newer libc tries first, or that a library
 *   makes only for speed, must not cost the result, and who attacks gains nothing by an error;
 * - with ENOSYS where libc has another way of old: clone3(), whose flags a filter cannot see, and
 *   all that came after this table, as on a kernel that is older than them.
 *
 * Which files may be opened is no matter of a filter, which sees no path: see landlock.h.
 * Source: seccomp(2), include/uapi/linux/seccomp.h. */
#include "cli/sandbox/seccomp.h"
#include "parser/base/mem.h"
#include "parser/base/sanitized.h"

#include <asm/ioctls.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* System calls of an architecture have numbers of its own: elsewhere this filter is none. */
#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__i386__)
#define ARCH AUDIT_ARCH_I386
#elif defined(__aarch64__) && !defined(__AARCH64EB__)
#define ARCH AUDIT_ARCH_AARCH64
#elif defined(__arm__) && !defined(__ARMEB__)
#define ARCH AUDIT_ARCH_ARM
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCH AUDIT_ARCH_RISCV64
#elif defined(__s390x__)
#define ARCH AUDIT_ARCH_S390X
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
#define ARCH AUDIT_ARCH_PPC64LE
#else
#define ARCH 0
#endif

/* The last call of Linux 6.15; from 403 on, all architectures have the same numbers. */
#define NEWEST 467

#if defined(__s390x__)
#define CLONE_ARG 1 /* of the flags */
#else
#define CLONE_ARG 0
#endif

static const unsigned plain[] = {
	__NR_read,
	__NR_write,
	__NR_futex,
	__NR_munmap,
	__NR_madvise,
	__NR_close,
	__NR_openat,
	__NR_lseek,
	__NR_pread64,
	__NR_pwrite64,
	__NR_readv,
	__NR_writev,
	__NR_brk,
	__NR_mremap,
	__NR_msync,
	__NR_membarrier,
#ifdef __NR_futex_time64
	__NR_futex_time64,
#endif
#ifdef __NR__llseek
	__NR__llseek,
#endif

/* files: where they are is for Landlock to say */
#ifdef __NR_open
	__NR_open,
#endif
#ifdef __NR_stat
	__NR_stat,
	__NR_lstat,
#endif
#ifdef __NR_fstat
	__NR_fstat,
#endif
#ifdef __NR_newfstatat
	__NR_newfstatat,
#endif
#ifdef __NR_fstat64
	__NR_stat64,
	__NR_lstat64,
	__NR_fstat64,
	__NR_fstatat64,
#endif
	__NR_statx,
	__NR_statfs,
	__NR_fstatfs,
#ifdef __NR_statfs64
	__NR_statfs64,
	__NR_fstatfs64,
#endif
#ifdef __NR_access
	__NR_access,
#endif
	__NR_faccessat,
	439, /* faccessat2 */
#ifdef __NR_readlink
	__NR_readlink,
#endif
	__NR_readlinkat,
	__NR_getdents64,
	__NR_getcwd,
	__NR_fcntl,
#ifdef __NR_fcntl64
	__NR_fcntl64,
#endif
	__NR_dup,
	__NR_dup3,
#ifdef __NR_dup2
	__NR_dup2,
#endif
#ifdef __NR_fadvise64
	__NR_fadvise64,
#endif
	__NR_ftruncate,
#ifdef __NR_ftruncate64
	__NR_ftruncate64,
#endif
	__NR_sendfile,
#ifdef __NR_sendfile64
	__NR_sendfile64,
#endif
	__NR_memfd_create,

/* an output that takes the place of another */
#ifdef __NR_unlink
	__NR_unlink,
	__NR_link,
	__NR_rename,
#endif
	__NR_unlinkat,
	__NR_linkat,
#ifdef __NR_renameat
	__NR_renameat,
#endif
	__NR_renameat2,
	__NR_fsync,
	__NR_fdatasync,
	__NR_fchmod,
	__NR_fchown,

	/* this process */
	__NR_exit,
	__NR_exit_group,
	__NR_rt_sigaction,
	__NR_rt_sigprocmask,
	__NR_rt_sigreturn,
#ifdef __NR_sigreturn
	__NR_sigreturn,
#endif
	__NR_restart_syscall,
	__NR_sigaltstack,
	__NR_set_robust_list,
	__NR_rseq,
	__NR_sched_yield,
	__NR_sched_getaffinity,
	__NR_getpid,
	__NR_gettid,
	__NR_getuid,
	__NR_geteuid,
	__NR_getgid,
	__NR_getegid,
	__NR_getrusage,
	__NR_getrandom,
	__NR_sysinfo,
	__NR_uname,
	__NR_umask,
	__NR_wait4, /* for the pager */

	/* time */
	__NR_clock_gettime,
	__NR_clock_getres,
	__NR_clock_nanosleep,
	__NR_nanosleep,
	__NR_gettimeofday,
#ifdef __NR_clock_gettime64
	__NR_clock_gettime64,
#endif
#ifdef __NR_time
	__NR_time,
#endif

#if SANITIZED
/* They map code, and look for leaks from a process of their own, which stops this one. */
#ifdef __NR_mmap
	__NR_mmap,
#endif
#ifdef __NR_getdents
	__NR_getdents,
#endif
	__NR_mprotect,
	__NR_clone,
	__NR_ptrace,
	__NR_prctl,
	__NR_kill,
	__NR_tkill,
	__NR_getppid,
	__NR_process_vm_readv,
	__NR_sched_setaffinity,
#endif
};

/* For libdebuginfod, which is a client of HTTP with a cache: sockets, and what waits for them;
 * libc's look-up of names; files that are renamed, and removed when they are old. */
static const unsigned for_network[] = {
	__NR_socket,
	__NR_socketpair,
	__NR_connect,
	__NR_bind,
	__NR_getsockname,
	__NR_sendto,
	__NR_getpeername,
	__NR_sendmsg,
	__NR_recvmsg,
	__NR_recvfrom,
	__NR_sendmmsg,
	__NR_recvmmsg,
	__NR_setsockopt,
	__NR_getsockopt,
	__NR_shutdown,
	__NR_ppoll,
	__NR_epoll_create1,
	__NR_epoll_ctl,
	__NR_epoll_pwait,
	__NR_pselect6,
	__NR_eventfd2,
	__NR_pipe2,
	__NR_mkdirat,
	__NR_utimensat,
	__NR_fchmodat,
	__NR_fallocate,
	__NR_flock,
	__NR_sched_yield,
	__NR_rt_sigtimedwait,
	__NR_setitimer,
	__NR_mprotect,
	__NR_copy_file_range,
#ifdef __NR_poll
	__NR_poll,
	__NR_mkdir,
	__NR_rmdir,
	__NR_chmod,
	__NR_pipe,
#endif
#ifdef __NR_select
	__NR_select,
#endif
#ifdef __NR_epoll_wait
	__NR_epoll_wait,
#endif
#ifdef __NR_alarm
	__NR_alarm,
#endif
};

/* What depends on an argument, of which a filter sees the value, but not what it points to. Any
 * row that fits allows the call. */
enum test { IS, HAS_BIT, LACKS_BITS };

struct rule {
	unsigned number, arg;
	enum test test;
	uint32_t value;
};

static const struct rule rules[] = {
#if defined(__NR_mmap) && !defined(__s390x__) && !defined(__i386__)
	/* Memory that holds code comes from files, the libraries that are loaded late. */
	{ __NR_mmap, 2, LACKS_BITS, PROT_EXEC },
	{ __NR_mmap, 3, LACKS_BITS, MAP_ANONYMOUS },
#elif defined(__NR_mmap)
	{ __NR_mmap, 0, LACKS_BITS, 0 }, /* its arguments are behind a pointer */
#endif
#ifdef __NR_mmap2
	{ __NR_mmap2, 2, LACKS_BITS, PROT_EXEC },
	{ __NR_mmap2, 3, LACKS_BITS, MAP_ANONYMOUS },
#endif
	{ __NR_mprotect, 2, LACKS_BITS, PROT_EXEC },
	{ __NR_clone, CLONE_ARG, HAS_BIT, CLONE_THREAD },
	/* Is it a terminal, how large? No TIOCSTI, which types there. */
	{ __NR_ioctl, 1, IS, TCGETS },
	{ __NR_ioctl, 1, IS, TIOCGWINSZ },
	{ __NR_ioctl, 1, IS, (uint32_t)FS_IOC_GETVERSION },
	{ __NR_ioctl, 1, IS, FIONBIO },
	{ __NR_prctl, 0, IS, PR_GET_NAME },
	{ __NR_prctl, 0, IS, PR_SET_NAME },
	/* limits are read, not set */
	{ __NR_prlimit64, 2, IS, 0 },
	/* What time is it for perf? A counter of this thread tells. */
	{ __NR_perf_event_open, 4, IS, 8 /* PERF_FLAG_FD_CLOEXEC */ },
};

/* ---- the program ---- */

#define PROGRAM_MAX 512

struct program {
	struct sock_filter code[PROGRAM_MAX];
	unsigned short len;
};

static void put(struct program *p, struct sock_filter f)
{
	if (p->len < PROGRAM_MAX)
		p->code[p->len++] = f;
}

static void load(struct program *p, size_t offset)
{
	put(p, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void answer(struct program *p, uint32_t action)
{
	put(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

/* The next MISS instructions are left out where the word that was loaded does not pass. */
static void test(struct program *p, unsigned short how, uint32_t value, uint8_t miss)
{
	put(p, (struct sock_filter)BPF_JUMP((uint16_t)(BPF_JMP | how | BPF_K), value, 0, miss));
}

/* ---- the calls that are allowed whatever their arguments: a search in their sorted numbers, as
 * the kernel goes through the program for every number there is when it gets it ---- */

#define CALLS_MAX 256
#define PAST_IT	  UINT32_MAX /* jumps behind the search, until it is known where that is */

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

struct calls {
	uint32_t list[CALLS_MAX];
	size_t count;
};

static void add_calls(struct calls *c, const unsigned *list, size_t count)
{
	for (size_t i = 0; i < count && c->count < CALLS_MAX; i++)
		c->list[c->count++] = list[i];
}

/* How many calls from I on have one number after the other, or the same twice. */
static size_t run_of(const struct calls *c, size_t i)
{
	size_t n = 1;

	while (i + n < c->count && c->list[i + n] <= c->list[i + n - 1] + 1)
		n++;
	return n;
}

/* Calls FROM to TO, without it, of which only those before its middle are looked at next, or those
 * from there on. */
static void search(struct program *p, const struct calls *c, size_t from, size_t to)
{
	size_t middle = from + (to - from) / 2, before;

	while (middle > from && c->list[middle] <= c->list[middle - 1] + 1)
		middle--;
	if (middle == from)
		middle += run_of(c, middle);
	if (middle < to) {
		before = p->len;
		test(p, BPF_JGE, c->list[middle], 0);
		search(p, c, from, middle);
		before = p->len - before - 1;
		if (before > UINT8_MAX || p->len >= PROGRAM_MAX) {
			p->len = PROGRAM_MAX;
			return;
		}
		p->code[p->len - before - 1].jt = (uint8_t)before;
		search(p, c, middle, to);
		return;
	}
	test(p, BPF_JGE, c->list[from], 2);
	test(p, BPF_JGT, c->list[to - 1], 0);
	p->code[p->len - 1].jt = 1;
	answer(p, SECCOMP_RET_ALLOW);
	put(p, (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, PAST_IT));
}

static void allow_all(struct program *p, bool network)
{
	struct calls c = { .count = 0 };

	add_calls(&c, plain, ARRAY_SIZE(plain));
	if (network)
		add_calls(&c, for_network, ARRAY_SIZE(for_network));
	qsort(c.list, c.count, sizeof(*c.list), by_number);
	search(p, &c, 0, c.count);
	for (unsigned short i = 0; i < p->len; i++) {
		if (p->code[i].code == (BPF_JMP | BPF_JA) && p->code[i].k == PAST_IT)
			p->code[i].k = (uint32_t)(p->len - i - 1);
	}
}

/* The lower half of argument N. */
static size_t argument(unsigned n)
{
	size_t at = offsetof(struct seccomp_data, args) + n * sizeof(uint64_t);

	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? at + sizeof(uint32_t) : at;
}

static void allow_by_argument(struct program *p, const struct rule *r)
{
	test(p, BPF_JEQ, r->number, r->test == LACKS_BITS ? 5 : 4);
	load(p, argument(r->arg));
	if (r->test == LACKS_BITS) {
		test(p, BPF_JSET, r->value, 1);
		put(p, (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 1));
	} else {
		test(p, r->test == IS ? BPF_JEQ : BPF_JSET, r->value, 1);
	}
	answer(p, SECCOMP_RET_ALLOW);
	load(p, offsetof(struct seccomp_data, nr));
}

static void build(struct program *p, bool network)
{
	const uint32_t refuse = SECCOMP_RET_ERRNO | EPERM, unknown = SECCOMP_RET_ERRNO | ENOSYS;
	struct rule own = { __NR_tgkill, 0, IS, (uint32_t)getpid() }; /* abort() */

	load(p, offsetof(struct seccomp_data, arch));
	put(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0));
	answer(p, refuse);
	load(p, offsetof(struct seccomp_data, nr));
	allow_all(p, network);
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		allow_by_argument(p, &rules[i]);
	allow_by_argument(p, &own);
	test(p, BPF_JEQ, 435 /* clone3 */, 1);
	answer(p, unknown);
	test(p, BPF_JGT, NEWEST, 1); /* x32 is there, too */
	answer(p, unknown);
	answer(p, refuse);
}

bool seccomp_enter(bool network)
{
	struct program p = { .len = 0 };
	struct sock_fprog prog = { .filter = p.code };

	if (!ARCH || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return false;
	build(&p, network);
	prog.len = p.len;
	/* There is no foreign code in this process to guess at its memory: what older kernels do
	 * against that by default would only make it slower. */
	return p.len < PROGRAM_MAX &&
	       (syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
			&prog) == 0 ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog, 0, 0) == 0);
}
