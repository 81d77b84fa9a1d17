/* stackcollapse-perf.pl's transformations, one function for each of its steps. */
#include "analyzers/compat/fold_compat.h"
#include "analyzers/compat/print_format.h"
#include "parser/pdtool_capture.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- the header line ---- */

bool compat_comm_is_odd(const char *comm)
{
	if (!comm[0] || !comm[1] || isspace((unsigned char)comm[0]) || comm[0] == '#' ||
	    !strcmp(comm, "0"))
		return true;
	for (const char *p = comm; *p; p++) {
		if (isspace((unsigned char)*p) || *p == '\n')
			return true;
	}
	return false;
}

/* perf 6.12 script's line up to the event, as its default fields print it for an event with call
 * chains. */
static void print_header(const struct compat_header *h, struct buf *out)
{
	buf_printf(out, "%s %7d ", h->comm, (int)h->tid);
	if (h->has_cpu)
		buf_printf(out, "[%03u] ", h->cpu);
	if (h->has_time)
		buf_printf(out, "%5llu.%06llu: ", (unsigned long long)(h->time_ns / 1000000000),
			   (unsigned long long)(h->time_ns % 1000000000 / 1000));
	if (h->has_period && !h->is_tracepoint)
		buf_printf(out, "%10llu ", (unsigned long long)h->period);
	buf_printf(out, "%*s: ", (int)h->event_width, h->event);
	if (h->is_tracepoint)
		buf_str(out, h->trace ?: "trace");
}

/* From P: blanks, digits, any slashes, perhaps digits, a blank. The digits are set aside. */
static bool match_pid(const char *p, const char **first, size_t *first_len, const char **second,
		      size_t *second_len)
{
	const char *s = p;

	while (isspace((unsigned char)*s))
		s++;
	if (s == p || !isdigit((unsigned char)*s))
		return false;
	*first = s;
	while (isdigit((unsigned char)*s))
		s++;
	*first_len = (size_t)(s - *first);
	while (*s == '/')
		s++;
	*second = s;
	while (isdigit((unsigned char)*s))
		s++;
	*second_len = (size_t)(s - *second);
	return isspace((unsigned char)*s);
}

/* :\s*(\d+)*\s+(\S+):\s*$ : does the line end in "PERIOD EVENT:"? */
static bool ends_in_event(const struct compat_header *h)
{
	return !h->is_tracepoint && h->has_time && !strpbrk(h->event, " \t\n") && h->event[0];
}

bool compat_header_parse(const struct compat_header *h, enum compat_label kind,
			 struct compat_sample *out)
{
	struct buf line = { 0 };
	const char *first, *second, *p;
	size_t n1, n2, at = out->label.len;
	bool found = false;

	print_header(h, &line);
	/* ^(\S.+?) : at least two characters, the first no blank; the shortest that fits */
	if (line.data[0] != '#' && !isspace((unsigned char)line.data[0]) && line.len > 2) {
		for (p = line.data + 2; *p && !found; p++)
			found = match_pid(p, &first, &n1, &second, &n2);
	}
	if (found) {
		buf_add(&out->label, line.data, (size_t)(p - 1 - line.data));
		if (kind == COMPAT_PID)
			buf_printf(&out->label, "-%.*s", n2 ? (int)n1 : 1, n2 ? first : "?");
		else if (kind == COMPAT_TID)
			buf_printf(&out->label, "-%.*s/%.*s", n2 ? (int)n1 : 1, n2 ? first : "?",
				   (int)(n2 ? n2 : n1), n2 ? second : first);
		for (; at < out->label.len; at++) {
			if (out->label.data[at] == ' ')
				out->label.data[at] = '_';
		}
		/* a label that is exactly "0" is false to Perl: the sample is dropped */
		found = strcmp(out->label.data, "0") != 0;
	}
	buf_release(&line);
	out->names_event = ends_in_event(h);
	out->weight = out->names_event && h->has_period && h->period ? h->period : 1;
	return found;
}

/* ---- a line of the call chain ---- */

struct span {
	const char *s;
	size_t len;
};

static bool begins(struct span t, const char *prefix)
{
	size_t n = strlen(prefix);

	return t.len >= n && !memcmp(t.s, prefix, n);
}

static const char *find(struct span t, const char *what)
{
	return memmem(t.s, t.len, what, strlen(what));
}

/* ^\s*(\w+)\s*(.+) \((.*)\) : the last " (" parts function and dso; the dso ends at the last ')'.
 */
static bool split_line(const struct buf *line, struct span *func, struct span *dso)
{
	const char *end = memrchr(line->data, ')', line->len);
	const char *p;

	if (!end)
		return false;
	for (p = end; p > line->data + 1; p--) {
		if (p[-1] == '(' && p[-2] == ' ')
			break;
	}
	if (p <= line->data + 1)
		return false;
	*dso = (struct span){ p, (size_t)(end - p) };
	*func = (struct span){ line->data, (size_t)(p - 2 - line->data) };
	return func->len > 0;
}

/* s/\+0x[\da-f]+$// */
static struct span strip_offset(struct span f)
{
	size_t n = f.len;

	while (n && isxdigit((unsigned char)f.s[n - 1]) && !isupper((unsigned char)f.s[n - 1]))
		n--;
	if (n >= 3 && n < f.len && !memcmp(f.s + n - 3, "+0x", 3))
		f.len = n - 3;
	return f;
}

/* m/\.\(.*\)\./ : looks like a Go method. */
static bool looks_like_go(struct span f)
{
	const char *open = find(f, ".(");
	const char *p = f.s + f.len;

	if (!open)
		return false;
	while (p-- > open + 2) {
		if (*p == '.' && p[-1] == ')' && p - 1 >= open + 2)
			return true;
	}
	return false;
}

static size_t cut_at_parenthesis(struct span f)
{
	for (size_t i = 0; i < f.len; i++) {
		if (f.s[i] == '(' &&
		    !begins((struct span){ f.s + i + 1, f.len - i - 1 }, "anonymous namespace)"))
			return i;
	}
	return f.len;
}

static bool has_substring(struct span t, const char *what)
{
	return t.len && find(t, what) != NULL;
}

static bool is_kernel_dso(struct span d)
{
	bool vmlinux = d.len >= 7 && !memcmp(d.s + d.len - 7, "vmlinux", 7);

	return (begins(d, "[") || vmlinux) && !has_substring(d, "unknown");
}

/* m:/tmp/perf-\d+\.map: */
static bool is_jit_dso(struct span d)
{
	const char *p = d.len ? find(d, "/tmp/perf-") : NULL;
	size_t digits = 0;

	if (!p)
		return false;
	p += strlen("/tmp/perf-");
	while (p + digits < d.s + d.len && isdigit((unsigned char)p[digits]))
		digits++;
	return digits &&
	       begins((struct span){ p + digits, (size_t)(d.s + d.len - p) - digits }, ".map");
}

static void add_unknown(const struct compat_frame *f, struct span dso, bool addrs, struct buf *out)
{
	const char *slash = dso.len ? memrchr(dso.s, '/', dso.len) : NULL;

	if (dso.len == 9 && !memcmp(dso.s, "[unknown]", 9))
		dso = (struct span){ "unknown", 7 };
	else if (slash)
		dso = (struct span){ slash + 1, (size_t)(dso.s + dso.len - slash - 1) };
	buf_printf(out, "[%.*s", (int)dso.len, dso.s);
	if (addrs)
		buf_printf(out, " <%llx>", (unsigned long long)f->addr);
	buf_char(out, ']');
}

/* Tidy what was appended from AT on: ';' to ':', cut at '(', quotes out, Java's leading L off. */
static void tidy(struct buf *out, size_t at, bool java)
{
	struct span f = { out->data + at, out->len - at };
	size_t n = 0;

	for (size_t i = at; i < out->len; i++) {
		if (out->data[i] == ';')
			out->data[i] = ':';
	}
	if (!looks_like_go(f))
		f.len = cut_at_parenthesis(f);
	for (size_t i = 0; i < f.len; i++) {
		if (f.s[i] != '"' && f.s[i] != '\'')
			out->data[at + n++] = f.s[i];
	}
	if (java && n && out->data[at] == 'L' && memchr(out->data + at, '/', n))
		memmove(out->data + at, out->data + at + 1, --n);
	out->len = at + n;
	out->data[out->len] = '\0';
}

static void fold_part(const struct compat_frame *f, struct span part, struct span dso,
		      const struct compat_options *o, struct buf *out)
{
	size_t at = out->len;

	if (part.len == 9 && !memcmp(part.s, "[unknown]", 9))
		add_unknown(f, dso, o->addrs, out);
	else
		buf_add(out, part.s, part.len);
	tidy(out, at, o->java);
}

static void annotate(struct span dso, unsigned index, const struct compat_options *o, size_t at,
		     struct buf *out)
{
	struct span f = { out->data + at, out->len - at };

	if (index) {
		if (!has_substring(f, "_[i]"))
			buf_str(out, "_[i]");
	} else if (o->kernel && is_kernel_dso(dso)) {
		buf_str(out, "_[k]");
	} else if (o->jit && is_jit_dso(dso)) {
		if (!has_substring(f, "_[j]"))
			buf_str(out, "_[j]");
	}
}

/* Perl's split drops empty parts at the end, however many. */
static bool only_arrows(struct span f)
{
	while (f.len >= 2 && !memcmp(f.s, "->", 2))
		f = (struct span){ f.s + 2, f.len - 2 };
	return f.len == 0;
}

unsigned compat_frame_fold(const struct compat_frame *f, const struct compat_options *o,
			   struct buf *out)
{
	struct buf line = { 0 };
	struct span func, dso;
	unsigned n = 0;

	if (f->symbol)
		buf_printf(&line, "%s+0x%llx", f->symbol, (unsigned long long)f->offset);
	else
		buf_str(&line, "[unknown]");
	buf_printf(&line, " (%s)", f->dso ? f->dso : "[unknown]");
	if (!split_line(&line, &func, &dso)) {
		buf_release(&line);
		return 0;
	}
	func = strip_offset(func);
	if (begins(func, "(")) { /* "skip process names": and anonymous namespaces with them */
		buf_release(&line);
		return 0;
	}
	/* split /->/ : an empty last part goes away */
	while (func.len) {
		const char *arrow = find(func, "->");
		struct span part = { func.s, arrow ? (size_t)(arrow - func.s) : func.len };
		size_t at = out->len;

		fold_part(f, part, dso, o, out);
		annotate(dso, n, o, at, out);
		buf_add(out, "", 1);
		n++;
		if (!arrow)
			break;
		func = (struct span){ arrow + 2, func.len - part.len - 2 };
		if (only_arrows(func))
			break;
	}
	buf_release(&line);
	return n;
}

/* ---- the table ---- */

static bool is_tracepoint(const struct pdt_desc *d)
{
	return pdt_desc_type(d) == 2;
}

/* perf script does not print it, or prints one line, which the script drops. */
static bool drops(const struct pdt_event *e, struct pdt_stack k)
{
	return e->mode >= PDT_GUEST_USER || k.flags & PDT_STACK_NO_CHAIN;
}

/* Events whose line does not end as the script expects pass its event filter, with weight 1. */
static bool always_counts(const struct pdt_desc *d)
{
	return is_tracepoint(d) || strpbrk(pdt_desc_name(d), " \t");
}

static uint64_t weight(const struct pdt_event *e)
{
	return !e->weight || always_counts(e->desc) ? 1 : e->weight;
}

static void put_trace(const struct pdt_event *e, struct buf *out)
{
	struct print_format *p = e->format ? print_format_new(e->format) : NULL;

	if (p)
		print_format_put(p, e, NULL, out);
	print_format_free(p);
}

/* The label as the script reads it off perf script's header line. */
static bool label(const struct pdt_event *e, const struct compat_line *line, struct buf *out,
		  uint64_t *weight_of)
{
	struct buf trace = { 0 };
	struct compat_header h = {
		.comm = line->comm,
		.tid = e->tid,
		.cpu = e->cpu,
		.time_ns = e->time_ns,
		.period = e->weight,
		.event = pdt_desc_name(e->desc),
		.event_width = line->event_width,
		.has_cpu = e->has_cpu,
		.has_time = e->has_time,
		.has_period = true, /* perf prints it, from the attr if it must */
		.is_tracepoint = is_tracepoint(e->desc),
	};
	struct compat_sample sample = { 0 };
	bool kept;

	if (h.is_tracepoint &&
	    (int)e->tid < 0) { /* which is no digits to the script: it reads on */
		put_trace(e, &trace);
		h.trace = trace.data;
	}
	kept = compat_header_parse(&h, line->kind, &sample);
	buf_release(&trace);
	if (kept)
		buf_add(out, sample.label.data, sample.label.len);
	*weight_of = sample.weight;
	buf_release(&sample.label);
	return kept;
}

/* Of what it unwinds perf counts the kernel's and the user's frames apart. */
static unsigned frames_max(struct pdt_stack k)
{
	return k.flags & PDT_STACK_UNWOUND ? 0 : PERF_MAX_STACK;
}

static bool no_frames(struct pdt_stack k)
{
	return k.flags & (PDT_STACK_PERF_DROPS | PDT_STACK_EMPTY);
}

const struct compat compat_stackcollapse = {
	.quirks = QUIRKS_OF_PERF,
	.drops = drops,
	.always_counts = always_counts,
	.weight = weight,
	.comm_is_odd = compat_comm_is_odd,
	.label = label,
	.frames_max = frames_max,
	.no_frames = no_frames,
	.frames = compat_frame_fold,
};
