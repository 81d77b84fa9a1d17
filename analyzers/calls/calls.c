/* One call at a time in each thread. */
#include "analyzers/calls/calls.h"
#include "analyzers/heat/callname.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define RAW	   "raw_syscalls:sys_"
#define BY_NAME	   "syscalls:sys_"
#define ERRORS_MAX 4095 /* include/linux/err.h, MAX_ERRNO */

void calls_release(struct calls *c)
{
	free(c->bindings);
	free(c->threads);
	idmap_release(&c->ids);
	memset(c, 0, sizeof(*c));
}

static const char *behind(const char *name, const char *start)
{
	size_t len = strlen(start);

	return name && !strncmp(name, start, len) ? name + len : NULL;
}

/* "enter" or "exit", and of BY_NAME what follows; NULL: D is none. */
static const char *kind_of(const struct pdt_desc *d, const char *start)
{
	const char *kind = behind(pdt_desc_name(d), start);

	return kind && (!strncmp(kind, "enter", 5) || !strncmp(kind, "exit", 4)) ? kind : NULL;
}

static bool any(const struct pdt_session *s, const char *start)
{
	const struct pdt_desc *d;

	for (size_t i = 0; (d = pdt_desc_at(s, i)); i++) {
		if (kind_of(d, start))
			return true;
	}
	return false;
}

bool calls_recorded(const struct pdt_session *s)
{
	return any(s, RAW) || any(s, BY_NAME);
}

static const struct pdt_field *number_field(const struct pdt_format *f)
{
	return pdt_format_field(f, "id") ?: pdt_format_field(f, "__syscall_nr")
		       ?: pdt_format_field(f, "nr");
}

static void bind(struct calls *c, struct call_binding *b, const struct pdt_event *e,
		 const struct pdt_session *s)
{
	const char *kind;

	b->kind = CALL_OTHER;
	c->raw = any(s, RAW);
	kind = kind_of(e->desc, c->raw ? RAW : BY_NAME);
	if (!kind || !e->format)
		return;
	b->kind = !strncmp(kind, "enter", 5) ? CALL_ENTER : CALL_EXIT;
	b->number = number_field(e->format);
	b->result = pdt_format_field(e->format, "ret");
	b->args = pdt_format_field(e->format, "args");
	if (!b->number)
		b->kind = CALL_OTHER;
}

static const struct call_binding *binding_of(struct calls *c, const struct pdt_event *e,
					     const struct pdt_session *s)
{
	uint32_t i = pdt_desc_index(e->desc);

	if (i >= c->binding_cap) {
		size_t had = c->binding_cap;

		c->bindings = xgrow(c->bindings, &c->binding_cap, i + 1, sizeof(*c->bindings));
		memset(c->bindings + had, 0, (c->binding_cap - had) * sizeof(*c->bindings));
	}
	if (c->bindings[i].kind == CALL_UNASKED)
		bind(c, &c->bindings[i], e, s);
	return &c->bindings[i];
}

static struct call_thread *thread_of(struct calls *c, const struct pdt_event *e)
{
	uint32_t *id = idmap_put(&c->ids, (uint64_t)e->pid << 32 | e->tid);

	if (*id == IDMAP_NONE) {
		c->threads = xgrow(c->threads, &c->cap, c->count + 1, sizeof(*c->threads));
		c->threads[c->count] = (struct call_thread){ .pid = e->pid, .tid = e->tid };
		*id = (uint32_t)c->count++;
	}
	return &c->threads[*id];
}

static uint64_t number(const uint8_t *at, size_t bytes, bool swapped)
{
	uint32_t half;
	uint64_t v;

	if (bytes == sizeof(half)) {
		memcpy(&half, at, sizeof(half));
		return swapped ? __builtin_bswap32(half) : half;
	}
	memcpy(&v, at, sizeof(v));
	return swapped ? __builtin_bswap64(v) : v;
}

static void take_args(const struct call_binding *b, const struct pdt_event *e, struct call *call)
{
	size_t size = 0, word;
	const uint8_t *at = b->args ? pdt_event_bytes(e, b->args, &size) : NULL;

	word = size / CALL_ARGS; /* a long of the kernel */
	call->has_args = at && (word == 4 || word == 8);
	for (size_t i = 0; call->has_args && i < CALL_ARGS; i++)
		call->args[i] = number(at + i * word, word, pdt_format_is_swapped(e->format));
}

static void enter(struct calls *c, struct call_thread *t, const struct call_binding *b,
		  const struct pdt_event *e)
{
	c->enters++;
	c->unfinished += t->open;
	t->open = true;
	t->call = (struct call){ .start_ns = e->time_ns, .stack = e->stack };
	(void)pdt_event_number(e, b->number, &t->call.number);
	take_args(b, e, &t->call);
}

/* rt_sigreturn() gives back the registers of what a signal interrupted, which was in no call: -1,
 * of 32 or 64 bits. */
static bool is_none(uint64_t number)
{
	return number == UINT32_MAX || number == UINT64_MAX;
}

/* Is this the return of a call that makes threads, in the thread that it made? */
static bool is_child(const struct pdt_event *e, const struct pdt_session *s, uint64_t number,
		     uint64_t result)
{
	static const char *const makers[] = { "clone", "clone3", "fork", "vfork" };
	struct buf name = { 0 };
	bool is = false;

	if (result)
		return false;
	call_name(pdt_text(s, PDT_ARCH), e->program_bits, number, &name);
	for (size_t i = 0; i < ARRAY_SIZE(makers) && name.len; i++) {
		const char *rest = behind(name.data, makers[i]);

		is = is || (rest && (!*rest || *rest == ' ')); /* "clone (i386)" */
	}
	buf_release(&name);
	return is;
}

/* T has the number of a thread that ended in a call. */
static void begin_child(struct calls *c, struct call_thread *t)
{
	c->children++;
	c->unfinished += t->open;
	t->open = false;
}

bool calls_event(struct calls *c, const struct pdt_event *e, const struct pdt_session *s,
		 struct call *out)
{
	const struct call_binding *b;
	struct call_thread *t;
	uint64_t number, result = 0;

	if (e->kind != PDT_SAMPLE || !e->raw || !e->has_time)
		return false;
	b = binding_of(c, e, s);
	if (b->kind == CALL_OTHER || pdt_event_number(e, b->number, &number) < 0)
		return false;
	t = thread_of(c, e);
	if (b->kind == CALL_ENTER) {
		enter(c, t, b, e);
		return false;
	}
	if (b->result)
		(void)pdt_event_number(e, b->result, &result);
	if (b->result && (!t->open || t->call.number != number) && is_child(e, s, number, result)) {
		begin_child(c, t);
		return false;
	}
	c->begun_before += !t->open;
	*out = t->open ? t->call : (struct call){ .stack = e->stack };
	out->has_time = t->open;
	out->end_ns = e->time_ns;
	if (!t->open || !is_none(number))
		out->number = number;
	out->bits = e->program_bits;
	out->result = (int64_t)result;
	out->pid = e->pid;
	out->tid = e->tid;
	out->comm = e->comm;
	if (out->stack == PDT_NONE)
		out->stack = e->stack;
	t->open = false;
	return true;
}

/* include/uapi/asm-generic/errno-base.h and errno.h, by number */
static const char *const errors[] = {
	NULL,
	"EPERM",
	"ENOENT",
	"ESRCH",
	"EINTR",
	"EIO",
	"ENXIO",
	"E2BIG",
	"ENOEXEC",
	"EBADF",
	"ECHILD",
	"EAGAIN",
	"ENOMEM",
	"EACCES",
	"EFAULT",
	"ENOTBLK",
	"EBUSY",
	"EEXIST",
	"EXDEV",
	"ENODEV",
	"ENOTDIR",
	"EISDIR",
	"EINVAL",
	"ENFILE",
	"EMFILE",
	"ENOTTY",
	"ETXTBSY",
	"EFBIG",
	"ENOSPC",
	"ESPIPE",
	"EROFS",
	"EMLINK",
	"EPIPE",
	"EDOM",
	"ERANGE",
	"EDEADLK",
	"ENAMETOOLONG",
	"ENOLCK",
	"ENOSYS",
	"ENOTEMPTY",
	"ELOOP",
	NULL,
	"ENOMSG",
	"EIDRM",
	"ECHRNG",
	"EL2NSYNC",
	"EL3HLT",
	"EL3RST",
	"ELNRNG",
	"EUNATCH",
	"ENOCSI",
	"EL2HLT",
	"EBADE",
	"EBADR",
	"EXFULL",
	"ENOANO",
	"EBADRQC",
	"EBADSLT",
	NULL,
	"EBFONT",
	"ENOSTR",
	"ENODATA",
	"ETIME",
	"ENOSR",
	"ENONET",
	"ENOPKG",
	"EREMOTE",
	"ENOLINK",
	"EADV",
	"ESRMNT",
	"ECOMM",
	"EPROTO",
	"EMULTIHOP",
	"EDOTDOT",
	"EBADMSG",
	"EOVERFLOW",
	"ENOTUNIQ",
	"EBADFD",
	"EREMCHG",
	"ELIBACC",
	"ELIBBAD",
	"ELIBSCN",
	"ELIBMAX",
	"ELIBEXEC",
	"EILSEQ",
	"ERESTART",
	"ESTRPIPE",
	"EUSERS",
	"ENOTSOCK",
	"EDESTADDRREQ",
	"EMSGSIZE",
	"EPROTOTYPE",
	"ENOPROTOOPT",
	"EPROTONOSUPPORT",
	"ESOCKTNOSUPPORT",
	"EOPNOTSUPP",
	"EPFNOSUPPORT",
	"EAFNOSUPPORT",
	"EADDRINUSE",
	"EADDRNOTAVAIL",
	"ENETDOWN",
	"ENETUNREACH",
	"ENETRESET",
	"ECONNABORTED",
	"ECONNRESET",
	"ENOBUFS",
	"EISCONN",
	"ENOTCONN",
	"ESHUTDOWN",
	"ETOOMANYREFS",
	"ETIMEDOUT",
	"ECONNREFUSED",
	"EHOSTDOWN",
	"EHOSTUNREACH",
	"EALREADY",
	"EINPROGRESS",
	"ESTALE",
	"EUCLEAN",
	"ENOTNAM",
	"ENAVAIL",
	"EISNAM",
	"EREMOTEIO",
	"EDQUOT",
	"ENOMEDIUM",
	"EMEDIUMTYPE",
	"ECANCELED",
	"ENOKEY",
	"EKEYEXPIRED",
	"EKEYREVOKED",
	"EKEYREJECTED",
	"EOWNERDEAD",
	"ENOTRECOVERABLE",
	"ERFKILL",
	"EHWPOISON",
};

const char *call_error(const char *arch, int64_t result)
{
	/* their numbers are their own */
	static const char *const others[] = { "mips", "alpha", "sparc", "parisc" };
	/* the kernel's own, which a signal turns into another (include/linux/errno.h) */
	static const char *const own[] = { "ERESTARTSYS", "ERESTARTNOINTR", "ERESTARTNOHAND",
					   "ENOIOCTLCMD", "ERESTART_RESTARTBLOCK" };

	if (result >= 0 || result < -ERRORS_MAX)
		return NULL;
	for (size_t i = 0; arch && i < ARRAY_SIZE(others); i++) {
		if (behind(arch, others[i]))
			return NULL;
	}
	if (result <= -512 && result > -512 - (int64_t)ARRAY_SIZE(own))
		return own[-result - 512];
	return -result < (int64_t)ARRAY_SIZE(errors) ? errors[-result] : NULL;
}
