/* ptwriter [OPTION...] OUT PROGRAM [ARGUMENT...]: run a static program step by step (ptrace), and
 * write what Intel PT would have: OUT.aux, packets by libipt's own encoder, of the program alone
 * (the kernel is excluded); OUT.truth, a line for each branch, as it was:
 *
 * $QUEUE in OUT.aux stands for "tid= cpu=" of the buffer.
 *
 *   FROM TO WHAT NS     in hexadecimal, 0 where tracing is not enabled; the time in ns of the step,
 *                       which takes one; of the packet that tells of it
 *   WHAT: call return jcc jmp syscall, tr-strt tr-end, and async, which no instruction caused
 *
 *   -b        a packet for each conditional branch (else up to six in one)
 *   -r        returns are compressed
 *   -p BYTES  a point of synchronisation at least each so many (else 512)
 *   -i STEPS  an interrupt after each so many (else none)
 *   -c        no CYC packets: the time is that of the last point of synchronisation
 *
 * It says what the program is by itself (opcodes of jumps, calls and returns), and not by libipt.
 * Prints how many instructions there were. Exit status 1: it cannot be traced, or did not end by
 * itself. x86-64. Sources: Intel SDM volume 3, "Intel Processor Trace"; intel-pt.h. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <intel-pt.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define PT_BYTES     (16u << 20)
#define TSC_BEGIN    1000000 /* a tick is half a nanosecond: time_mult 512, time_shift 10 */
#define TICKS_PER_NS 2
#define NOM_FREQ     20
#define TNT_MAX	     6
#define RETURNS_MAX  64
#define WAITING_MAX  64
#define PIECE_BYTES  1000 /* at least, but for the last one */

enum what { OTHER, CALL, RETURN, JCC, JMP, SYSCALL };
static const char *const names[] = { "other", "call", "return", "jcc", "jmp", "syscall" };

struct branch {
	uint64_t from, to, ns;
	const char *what;
};

static struct {
	bool single, compress, no_cyc;
	unsigned psb, interrupt;
} opt = { .psb = 512 };

static struct pt_encoder *encoder;
static uint8_t bytes[PT_BYTES];
static FILE *truth;
static uint64_t step, told; /* the time now, and that of the last packet, in steps */
static uint64_t insns;
static unsigned tnt_bits, tnt_count;
static uint64_t returns[RETURNS_MAX];
static unsigned depth;
static uint64_t last_psb;
static struct branch waiting[WAITING_MAX]; /* for the packet that tells of them */
static unsigned waiting_count;
static uint64_t pieces[PT_BYTES / PIECE_BYTES + 2]; /* where each begins */
static unsigned piece_count;

static void put(const struct pt_packet *p)
{
	uint64_t at;

	pt_enc_get_offset(encoder, &at);
	if (!piece_count || at - pieces[piece_count - 1] >= PIECE_BYTES)
		pieces[piece_count++] = at;
	if (pt_enc_next(encoder, p) < 0) {
		fprintf(stderr, "ptwriter: a packet cannot be encoded\n");
		exit(1);
	}
}

static void put_type(enum pt_packet_type type)
{
	put(&(struct pt_packet){ .type = type });
}

static void put_ip(enum pt_packet_type type, uint64_t ip, bool suppressed)
{
	struct pt_packet p = { .type = type };

	p.payload.ip.ipc = suppressed ? pt_ipc_suppressed : pt_ipc_sext_48;
	p.payload.ip.ip = suppressed ? 0 : ip;
	put(&p);
}

static uint64_t tsc(void)
{
	return TSC_BEGIN + step * TICKS_PER_NS;
}

/* The time that packets tell from now on. */
static void put_time(void)
{
	struct pt_packet p = { .type = ppt_cyc };

	if (opt.no_cyc || step == told)
		return;
	p.payload.cyc.value = (step - told) * TICKS_PER_NS;
	put(&p);
	told = step;
}

static void put_mode(void)
{
	struct pt_packet p = { .type = ppt_mode };

	p.payload.mode.leaf = pt_mol_exec;
	p.payload.mode.bits.exec = pt_set_exec_mode(ptem_64bit);
	put(&p);
}

/* What waited is told of by what was written just now. */
static void settle(void)
{
	for (unsigned i = 0; i < waiting_count; i++)
		fprintf(truth, "%" PRIx64 " %" PRIx64 " %s %" PRIu64 "\n", waiting[i].from,
			waiting[i].to, waiting[i].what, told);
	waiting_count = 0;
}

static void flush_tnt(void)
{
	struct pt_packet p = { .type = ppt_tnt_8 };

	if (!tnt_count)
		return;
	put_time();
	p.payload.tnt.bit_size = (uint8_t)tnt_count;
	p.payload.tnt.payload = tnt_bits;
	put(&p);
	tnt_count = tnt_bits = 0;
	settle();
}

static void put_tnt(bool taken)
{
	tnt_bits = tnt_bits << 1 | taken;
	if (++tnt_count == TNT_MAX || opt.single)
		flush_tnt();
}

/* A branch in what was written, or, behind conditional ones that wait, in what will be. */
static void branch(uint64_t from, uint64_t to, const char *what)
{
	waiting[waiting_count++] = (struct branch){ from, to, step, what };
	if (!tnt_count)
		settle();
	else if (waiting_count == WAITING_MAX)
		flush_tnt();
}

/* IP: where the program goes on; 0: it is not traced just now. */
static void put_psb(uint64_t ip)
{
	struct pt_packet p = { .type = ppt_tsc };

	flush_tnt();
	put_type(ppt_psb);
	p.payload.tsc.tsc = tsc();
	told = step;
	put(&p);
	p = (struct pt_packet){ .type = ppt_cbr };
	p.payload.cbr.ratio = NOM_FREQ;
	put(&p);
	if (ip) {
		put_mode();
		put_ip(ppt_fup, ip, false);
	}
	put_type(ppt_psbend);
	depth = 0;
	pt_enc_get_offset(encoder, &last_psb);
}

/* ---- instructions ---- */

struct insn {
	enum what what;
	bool direct;
	unsigned size; /* of a conditional branch, a call, a system call */
};

static struct insn look(const uint8_t *code)
{
	unsigned at = 0;

	while (memchr("\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3", code[at], 11))
		at++;
	if ((code[at] & 0xf0) == 0x40)
		at++;
	switch (code[at]) {
	case 0xe8:
		return (struct insn){ CALL, true, at + 5 };
	case 0xe9:
	case 0xeb:
		return (struct insn){ JMP, true, 0 };
	case 0xc2:
	case 0xc3:
		return (struct insn){ RETURN, false, 0 };
	case 0xff:
		switch (code[at + 1] >> 3 & 7) {
		case 2: { /* ModRM, then its displacement; none here has a SIB without a base */
			unsigned mod = code[at + 1] >> 6, rm = code[at + 1] & 7;
			unsigned size = at + 2 + (mod != 3 && rm == 4);

			size += mod == 1 ? 1 : mod == 2 || (mod == 0 && rm == 5) ? 4 : 0;
			if (mod == 0 && rm == 4 && (code[at + 2] & 7) == 5)
				size += 4;
			return (struct insn){ CALL, false, size };
		}
		case 4:
			return (struct insn){ JMP, false, 0 };
		}
		break;
	case 0x0f:
		if (code[at + 1] == 5)
			return (struct insn){ SYSCALL, false, at + 2 };
		if (code[at + 1] >> 4 == 8)
			return (struct insn){ JCC, true, at + 6 };
		break;
	}
	if (code[at] >> 4 == 7 || (code[at] >= 0xe0 && code[at] <= 0xe3))
		return (struct insn){ JCC, true, at + 2 };
	return (struct insn){ OTHER, false, 0 };
}

/* I at FROM was run, and then came TO. */
static void trace(const struct insn *i, uint64_t from, uint64_t to)
{
	switch (i->what) {
	case JCC:
		if (to != from + i->size)
			waiting[waiting_count++] = (struct branch){ from, to, step, "jcc" };
		put_tnt(to != from + i->size);
		return;
	case RETURN:
		if (opt.compress && depth && returns[--depth % RETURNS_MAX] == to) {
			waiting[waiting_count++] = (struct branch){ from, to, step, "return" };
			put_tnt(true);
			return;
		}
		depth = 0;
		break;
	case CALL:
		if (depth < RETURNS_MAX)
			returns[depth++] = from + i->size;
		break;
	case SYSCALL:
		flush_tnt();
		put_time();
		put_ip(ppt_tip_pgd, 0, true);
		branch(from, 0, "syscall-tr-end");
		step += 50;
		if (!to)
			return;
		put_time();
		put_mode();
		put_ip(ppt_tip_pge, to, false);
		branch(0, to, "tr-strt");
		return;
	default:
		break;
	}
	if (i->what != OTHER && !i->direct) {
		flush_tnt();
		put_time();
		put_ip(ppt_tip, to, false);
	}
	if (i->what != OTHER)
		branch(from, to, names[i->what]);
}

/* The kernel takes over at FROM, where nothing was run yet, and goes back to TO. */
static void interrupt(uint64_t from, uint64_t to)
{
	flush_tnt();
	put_time();
	put_ip(ppt_fup, from, false);
	put_ip(ppt_tip_pgd, 0, true);
	branch(from, 0, "async-tr-end");
	step += 20;
	put_time();
	put_mode();
	put_ip(ppt_tip_pge, to, false);
	branch(0, to, "tr-strt");
}

/* Between two instructions, the next one is at IP. */
static void between(uint64_t ip)
{
	uint64_t at;

	pt_enc_get_offset(encoder, &at);
	if (at - last_psb >= opt.psb)
		put_psb(ip);
	if (opt.interrupt && step % opt.interrupt == 0)
		interrupt(ip, ip);
}

static bool fetch(pid_t pid, uint64_t at, uint8_t code[16])
{
	for (unsigned i = 0; i < 2; i++) {
		long word = ptrace(PTRACE_PEEKTEXT, pid, at + i * 8, NULL);

		memcpy(code + i * 8, &word, 8);
	}
	return true;
}

static int run(pid_t pid)
{
	struct user_regs_struct regs;
	uint64_t from = 0;
	struct insn i = { 0 };
	uint8_t code[16];
	int status, signal;
	bool signalled = false;

	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
		if (ptrace(PTRACE_GETREGS, pid, NULL, &regs) < 0)
			return 1;
		if (signal) { /* its handler is next, not the instruction that was looked at */
			signalled = true;
			if (ptrace(PTRACE_SINGLESTEP, pid, NULL, signal) < 0)
				return 1;
			continue;
		}
		if (signalled) {
			interrupt(from, regs.rip);
			signalled = false;
			insns--;
		} else if (!from) {
			put_psb(0);
			put_mode();
			put_ip(ppt_tip_pge, regs.rip, false);
			branch(0, regs.rip, "tr-strt");
		} else {
			trace(&i, from, regs.rip);
			between(regs.rip);
		}
		from = regs.rip;
		fetch(pid, from, code);
		i = look(code);
		step++;
		insns++;
		if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) < 0)
			return 1;
	}
	if (!WIFEXITED(status) || WEXITSTATUS(status) == 127)
		return 1;
	trace(&i, from, 0); /* it was exit() */
	return 0;
}

/* Records with the trace, whose pieces end where packets do, as the kernel stops the trace there.
 */
static int finish(const char *out)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s.aux", out);
	f = fopen(path, "w");
	if (!f)
		return 1;
	pt_enc_get_offset(encoder, &pieces[piece_count]);
	for (unsigned i = 0; i < piece_count; i++) {
		fprintf(f,
			"auxtrace idx=0 $QUEUE reference=1 offset=%" PRIu64 " size=%" PRIu64
			" payload=",
			pieces[i], pieces[i + 1] - pieces[i]);
		for (uint64_t at = pieces[i]; at < pieces[i + 1]; at++)
			fprintf(f, "%02x", bytes[at]);
		fputc('\n', f);
	}
	return fclose(f) || fclose(truth);
}

int main(int argc, char **argv)
{
	struct pt_config config;
	char path[4096];
	int c, rc;
	pid_t pid;

	while ((c = getopt(argc, argv, "+brcp:i:")) != -1) {
		if (c == 'b')
			opt.single = true;
		else if (c == 'r')
			opt.compress = true;
		else if (c == 'c')
			opt.no_cyc = true;
		else if (c == 'p')
			opt.psb = (unsigned)atoi(optarg);
		else if (c == 'i')
			opt.interrupt = (unsigned)atoi(optarg);
		else
			return 2;
	}
	if (argc - optind < 2)
		return 2;
	pt_config_init(&config);
	config.begin = bytes;
	config.end = bytes + sizeof(bytes);
	encoder = pt_alloc_encoder(&config);
	snprintf(path, sizeof(path), "%s.truth", argv[optind]);
	truth = fopen(path, "w");
	if (!encoder || !truth)
		return 1;
	pid = fork();
	if (pid == 0) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
			execv(argv[optind + 1], argv + optind + 1);
		_exit(127);
	}
	rc = pid < 0 ? 1 : run(pid);
	printf("%" PRIu64 "\n", insns);
	return rc ?: finish(argv[optind]);
}
