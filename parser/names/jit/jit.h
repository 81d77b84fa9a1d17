/* The session's part in just-in-time compiled code: which jitdump belongs to which process, and
 * letting its code come in time order with the capture's records.
 *
 * A compiler that writes a jitdump maps it as code (jit-PID.dump): that mapping marks the process.
 * The dump is looked for under the recorded name in the directory of perf maps and below symfs; or
 * the user named it for the process. PID is the process's own in its container, so the dump's
 * header is asked for it. */
#ifndef PDTOOL_JIT_H
#define PDTOOL_JIT_H

#include "parser/record/record.h"
#include "parser/state/machine.h"
#include "parser/names/names.h"

struct jit;
struct jitdump;

/* All must outlive the result. */
struct jit *jit_new(const struct capture *capture, const struct symbol_options *o,
		    struct machine *m);
void jit_free(struct jit *j);

/* R, an MMAP or MMAP2, has been applied to the machine. Returns when code comes next, UINT64_MAX:
 * never. */
uint64_t jit_mapped(struct jit *j, const struct record *r);
/* Let come what came up to NOW. Returns when more comes. */
uint64_t jit_run(struct jit *j, uint64_t now_ns);

/* The dump that module ID stands for; NULL: it stands for none. A function for names_resolve(). */
const struct jitdump *jit_dump(void *jit, uint32_t module);

#endif
