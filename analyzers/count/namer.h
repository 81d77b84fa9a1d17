/* What is the function? The one place that turns locations into the functions that commands show:
 * that of the symbol, and those that the compiler inlined there, each a frame of its own. Also the
 * names of commands, modules and places without a symbol, and the filters that look at where a
 * sample was. After session_resolve(). */
#ifndef PDTOOL_NAMER_H
#define PDTOOL_NAMER_H

#include "analyzers/analyzer.h"
#include "analyzers/count/samples.h"
#include "formats/model/option.h"
#include "parser/base/buf.h"
#include "parser/base/path.h"
#include "parser/pdtool_module.h"

/* ---- names ---- */

/* A location of a capture; PDT_NONE: nowhere. */
struct place {
	const struct pdt_session *session;
	uint32_t loc;
};

/* Where P is: the last part of its module's path, or what else is known. */
const char *place_of(struct place p);
/* Append that in brackets. */
void place_text(struct place p, struct buf *out);
/* Append the name of a command, or ":TID" where the capture has none (COMM is NULL). */
void comm_text(const char *comm, uint32_t tid, struct buf *out);
/* The event's command: where it has no name, the thread's id stands for it. */
void who_comm(struct who *who, const struct pdt_event *e, const struct pdt_session *s);

/* How functions are shown: the same options in every command that shows them. */
struct namer_options {
	bool kernel, jit, inlines; /* mark those of the kernel, of JIT code, inlined ones */
	bool all;		   /* all three */
	bool srcline;		   /* FUNCTION:FILE:LINE */
	bool addrs;		   /* the address where there is no symbol */
};

extern const struct option namer_option_rows[];

/* Do all places of a symbol show the same? */
static inline bool names_by_symbol(const struct namer_options *o)
{
	return !o->srcline && !o->addrs;
}

/* What F at P is. */
enum frame_kind function_kind(const struct pdt_function *f, struct place p);

/* Ask the session for what is to be shown: inlined functions, unless the user wants none. */
void namer_configure(const struct namer_options *o, struct asked *asked);

/* Append what F at P is called: its name, or "[MODULE]" where it has no symbol, and marks. */
void function_text(const struct namer_options *o, const struct pdt_function *f, struct place p,
		   struct buf *out);
/* Append the COUNT innermost functions at P, the outermost first, with ';' between. */
void functions_text(struct place p, size_t count, struct buf *out);
/* Append its place in the source, if that is to be shown. */
void function_line(const struct namer_options *o, const struct pdt_function *f, struct buf *out);

/* ---- where a sample was ---- */

/* The location of the sample's own address in stack STACK. */
struct place where_of(const struct pdt_session *s, uint32_t stack);
/* Append the function that a sample at WHERE was in, "[unknown]" where its address is not known. */
void where_text(struct place where, struct buf *out);
/* Do --dsos, --symbol and --no-idle let samples that were there pass? */
bool where_passes_any(struct place where, const struct filter *f, bool idle);
static inline bool filters_places(const struct filter *f)
{
	return f->dsos.count || f->symbols.count || f->no_idle;
}
static inline bool where_passes(struct place where, const struct filter *f, bool idle)
{
	return !filters_places(f) || where_passes_any(where, f, idle);
}
/* The same of stack STACK, which is not looked at unless it matters. */
static inline bool stack_passes(const struct pdt_session *s, uint32_t stack, const struct filter *f,
				bool idle)
{
	return !filters_places(f) || where_passes_any(where_of(s, stack), f, idle);
}

/* Do all other filters let the sample E pass, where the session hands out all (PDT_WANT_ALL)? */
static inline bool sample_passes(const struct pdt_session *s, const struct pdt_event *e)
{
	const struct filter *f = filter_of(s);

	return filter_thread(f, e->pid, e->tid, f->comms.count ? pdt_comm(s, e->comm) : NULL) &&
	       (!f->cpus.count || (e->has_cpu && num_list_has(&f->cpus, e->cpu))) &&
	       (!f->times.count || (e->has_time && num_list_has(&f->times, e->time_ns))) &&
	       (!f->fields || filter_holds(s, filter_ask(s, e)));
}

/* What is asked about the place of each sample, in a byte a location: of millions they stay in the
 * cache. */
struct where_marks {
	uint8_t *of; /* by location: enum pdt_mode, and whether it has a name */
	size_t count;
};

#define WHERE_NAMED 0x80

void where_marks_init(struct where_marks *m, const struct pdt_session *s);
void where_marks_release(struct where_marks *m);
/* Nowhere is in user mode, and has no name. */
static inline unsigned where_mark(const struct where_marks *m, uint32_t loc)
{
	return loc < m->count ? m->of[loc] : 0;
}

/* Locations [from, to). */
struct places {
	const struct pdt_session *session;
	size_t from, to;
};

static inline struct places all_places(const struct pdt_session *s)
{
	return (struct places){ s, 0, pdt_location_count(s) };
}

/* ---- frames: ids that a user of the kit gives to functions ---- */

/* By location; all zero is empty. */
struct frames {
	size_t locations;
	uint32_t *first; /* the frames of location L are ids[first[L]] to ids[first[L + 1]], the
			    innermost first */
	uint32_t *ids;
	size_t count, cap;
	size_t most;	  /* frames of one location */
	uint32_t ignored; /* bits of an id that make no other function of it */
	/* Whoever names sets it where the frames of a location without inlined functions depend on
	 * its symbol, module and mode alone. Then most are those of one that came before. */
	bool by_symbol;
};

/* NAME pushes the frames of a location by frames_push(), the innermost first. */
typedef void frames_namer(void *ctx, struct frames *f, struct place p);
/* Name P. Where those are not all, the first of them counts as 0 until frames_append(): the
 * locations of FROM follow those of TO, and the user's ids are NOW[id]. */
void frames_name(struct frames *f, struct places p, frames_namer *name, void *ctx);
void frames_append(struct frames *to, const struct frames *from, const uint32_t *now);
/* Forget the locations. */
void frames_forget(struct frames *f);

/* Naming by several threads, each of a range of locations. */
struct frames_jobs {
	frames_namer *name;
	void *(*begin)(void *ctx); /* what NAME is given for a range, for ids of its own */
	/* What a range's ids are as those of CTX, in the order of ranges, which is that in which
	 * one thread would give them; freed by frames_name_all(). PART ends here. */
	uint32_t *(*end)(void *ctx, void *part);
};

/* frames_name() of all locations of S by up to JOBS threads, or with NAME and CTX alone. */
void frames_name_all(struct frames *f, const struct pdt_session *s, unsigned jobs,
		     const struct frames_jobs *how, void *ctx);
void frames_push(struct frames *f, uint32_t id);
void frames_release(struct frames *f);

/* The frames of one stack, the innermost first. All zero is empty. */
struct frame_list {
	uint32_t *ids;
	size_t count, cap;
	/* The first OWN of them are those of the sample's own address, where they are not those of
	 * the chain's innermost location; APART: and the function is another one. */
	size_t own;
	bool apart;
	size_t max; /* locations of the chain that take part; 0: all */
};

/* Self weight is the first frame's: it counts where the sample's own address was. What looks at
 * chains alone passes over the first OWN frames. */
void frame_list_fill(struct frame_list *l, const struct frames *f, const struct pdt_session *s,
		     uint32_t stack);
void frame_list_push(struct frame_list *l, uint32_t id);
void frame_list_release(struct frame_list *l);

#endif
