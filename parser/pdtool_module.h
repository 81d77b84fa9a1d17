/* Where code is: modules, the places in them, and the instructions of functions. Part of libpdtool;
 * pdtool.h has the rules. What is said of names, after pdt_resolve(). */
#ifndef PDTOOL_MODULE_H
#define PDTOOL_MODULE_H

#include "pdtool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- places ---- */

/* The CPU's mode at an address. */
enum pdt_mode {
	PDT_USER = 0,
	PDT_KERNEL = 1,
	PDT_HYPERVISOR = 2,
	PDT_GUEST_USER = 3,
	PDT_GUEST_KERNEL = 4,
	PDT_MODES = 5,
};

enum pdt_stack_flag {
	PDT_STACK_NO_CHAIN = 1,	  /* no chains are recorded: the sampled address alone */
	PDT_STACK_EMPTY = 2,	  /* the chain was empty: the sampled address alone */
	PDT_STACK_PERF_DROPS = 4, /* holds a marker for which perf discards the whole chain */
	PDT_STACK_UNWOUND = 8,	  /* the user part was found by unwinding */
	PDT_STACK_APART = 16,	  /* the sampled address is not the first of the locations */
	PDT_STACK_RARE = 32,	  /* made room for others: nothing of it is known any more */
};

/* In the module's file where it is one, else the address itself. */
PDT_API uint64_t pdt_location_offset(const struct pdt_session *s, uint32_t location);
PDT_API size_t pdt_location_count(const struct pdt_session *s);
PDT_API int pdt_location_mode(const struct pdt_session *s, uint32_t location); /* enum pdt_mode */
/* The id of the module, for pdt_module_at(); PDT_NONE: no mapping held it. */
PDT_API uint32_t pdt_location_module_id(const struct pdt_session *s, uint32_t location);
/* The symbol there: its readable name, that of the linker, and how far behind its start. */
PDT_API const char *pdt_location_name(const struct pdt_session *s, uint32_t location);
PDT_API const char *pdt_location_symbol(const struct pdt_session *s, uint32_t location);
PDT_API uint64_t pdt_location_symbol_offset(const struct pdt_session *s, uint32_t location);

/* How many mappings process PID has at the event that came last; the module of the I-th of them,
 * which code may run in, or PDT_NONE. */
PDT_API uint32_t pdt_map_count(const struct pdt_session *s, uint32_t pid);
PDT_API uint32_t pdt_mapped_code(const struct pdt_session *s, uint32_t pid, uint32_t i);

/* ---- modules ---- */

enum pdt_module_kind {
	PDT_MODULE_FILE,    /* an executable or library */
	PDT_MODULE_KERNEL,  /* the kernel itself; addresses are run-time addresses */
	PDT_MODULE_KMODULE, /* a loadable module; addresses are run-time addresses */
	PDT_MODULE_BPF,	    /* one BPF program or other KSYMBOL range, named by the kernel */
	PDT_MODULE_VDSO,
	PDT_MODULE_JIT,	    /* anonymous executable memory: names only from a perf-PID.map */
	PDT_MODULE_JITDUMP, /* code that a jitdump tells of; addresses are offsets in the dump */
	PDT_MODULE_GUEST,   /* a guest's kernel or module; addresses are run-time addresses */
	PDT_MODULE_KINDS,
};

/* What the accepted files of a module had, together. */
enum pdt_module_had {
	PDT_HAD_SYMTAB = 1,
	PDT_HAD_DYNSYM = 2, /* dynamic symbols */
	PDT_HAD_UNWIND = 4, /* .eh_frame, .debug_frame or .ARM.exidx */
	PDT_HAD_DWARF = 8,
};

enum pdt_module_text_key {
	PDT_MODULE_PATH,   /* as recorded, with " (deleted)" and such */
	PDT_MODULE_SOURCE, /* the file that its names came from; the capture where that sufficed */
	PDT_MODULE_DEBUG,  /* the file that lines and inlined functions came from */
	/* debug information that its file calls for and that was not there: */
	PDT_MODULE_ALTERNATE,  /* its alternate file (dwz) */
	PDT_MODULE_SPLIT,      /* the first missing split file */
	PDT_MODULE_UNREADABLE, /* why not all could be read */
	PDT_MODULE_UNUSED,     /* why the file at its path on this host is not taken for it */
};

enum pdt_module_number_key {
	PDT_MODULE_KIND,	 /* enum pdt_module_kind */
	PDT_MODULE_LOCATIONS,	 /* seen in it */
	PDT_MODULE_NAMED,	 /* of those, with a name */
	PDT_MODULE_UNVERIFIED,	 /* nothing vouches for the file: it was taken on trust */
	PDT_MODULE_HAD,		 /* enum pdt_module_had */
	PDT_MODULE_MACHINE,	 /* e_machine of the first accepted file */
	PDT_MODULE_REFUSED,	 /* files that were there but are not the recorded ones */
	PDT_MODULE_BY_INODE,	 /* not its build-id, but its inode vouches for the file */
	PDT_MODULE_FROM_CAPTURE, /* locations that symbols within the capture name */
	PDT_MODULE_INODE,	 /* of its file, as it was mapped; 0: not told */
	PDT_MODULE_CONTAINED,	 /* the path is one in a container: of the process, next */
	PDT_MODULE_PID,		 /* of a process that mapped it; 0: not told */
};

struct pdt_module;
PDT_API size_t pdt_module_count(const struct pdt_session *s);
/* NULL: there is none with this id. */
PDT_API const struct pdt_module *pdt_module_at(const struct pdt_session *s, uint32_t id);
/* Of the recorded kernel; PDT_NONE: its mapping was not seen. */
PDT_API uint32_t pdt_kernel_module(const struct pdt_session *s);
/* NULL: none. */
PDT_API const char *pdt_module_text(const struct pdt_module *m, int what);
PDT_API uint64_t pdt_module_number(const struct pdt_module *m, int what);
/* The build-id that the capture holds for it, *LEN bytes; *LEN is 0: none. */
PDT_API const uint8_t *pdt_module_build_id(const struct pdt_module *m, size_t *len);
/* Path and build-id of the I-th refused file (the first few are kept). NULL: there is no I-th. */
PDT_API const char *pdt_module_refused(const struct pdt_module *m, size_t i, const uint8_t **id,
				       size_t *len);
/* Why, to be read after its path; NULL: for its build-id. */
PDT_API const char *pdt_module_refused_why(const struct pdt_module *m, size_t i);

/* ---- the instructions of a function ---- */

#define PDT_NO_TARGET UINT64_MAX

enum pdt_insn_kind {
	PDT_INSN,	 /* an instruction, perhaps only its length is known */
	PDT_INSN_BYTES,	 /* what could not be decoded, up to the next boundary */
	PDT_INSN_DATA,	 /* data among the code, as the file's symbols say */
	PDT_INSN_INSIDE, /* a sampled address within what stands before it */
	PDT_INSN_ABSENT, /* a sampled address whose code is not at hand */
};

/* Fields are only added at the end. */
struct pdt_insn {
	uint64_t addr;	      /* as the file counts: a location's plus PDT_CODE_SHIFT */
	uint64_t target;      /* of a jump or call that names it, else PDT_NO_TARGET */
	const uint8_t *bytes; /* size of them; NULL: not at hand */
	const char *text;     /* NULL: only the length is known */
	const char *label;    /* of a target outside the function: "memcpy+0x10"; else NULL */
	const char *file;     /* of the source; NULL: not known */
	const char *source;   /* that line, trimmed; NULL: the row before's, or not at hand */
	uint32_t line;
	uint32_t size; /* bytes; 0 of PDT_INSN_INSIDE and PDT_INSN_ABSENT */
	uint8_t kind;  /* enum pdt_insn_kind */
	bool jump;     /* the target is jumped to, not called */
};

/* What of a function; stays as it is. */
struct pdt_code_query {
	uint32_t location;	 /* in the function */
	const uint64_t *sampled; /* pdt_location_offset() of others in it, ascending, each once */
	size_t count;
	size_t max_bytes; /* of code; what lies behind has its samples, but not its instructions */
	bool intel;	  /* x86 as Intel writes it, else as AT&T does */
	bool lines;	  /* the source line of each */
	bool sources;	  /* and its text */
};

enum pdt_code_text_key {
	PDT_CODE_PATH,	  /* of the file that has the code */
	PDT_CODE_DEBUG,	  /* of the file that lines came from */
	PDT_CODE_MACHINE, /* "x86-64" */
	PDT_CODE_REFUSAL, /* why there are no instructions; NULL: there are */
};

enum pdt_code_number_key {
	PDT_CODE_INSNS, /* how many pdt_insn_at() has */
	PDT_CODE_START, /* of the function */
	PDT_CODE_END,	/* behind it */
	PDT_CODE_SHIFT,
	PDT_CODE_CUT_BYTES, /* at the end of a function that is too large */
	PDT_CODE_UNNAMED,   /* instructions of which only the length is known */
	PDT_CODE_STRETCHES, /* of PDT_INSN_BYTES */
	PDT_CODE_STRETCH_BYTES,
	PDT_CODE_INSIDE, /* sampled addresses that are no instruction's */
};

struct pdt_code;

/* The caller gives it back to pdt_code_free(), before pdt_close(). PDT_ERR_ABSENT: no symbol is
 * there. With PDT_WANT_UNSAMPLED, as jumps and calls lead anywhere. Not in several threads at once.
 */
PDT_CHECKED int pdt_code_new(const struct pdt_session *s, const struct pdt_code_query *q,
			     struct pdt_code **out);
PDT_API void pdt_code_free(const struct pdt_session *s, struct pdt_code *c);
/* By address: each sampled one is that of one. NULL: there is no I-th. */
PDT_API const struct pdt_insn *pdt_insn_at(const struct pdt_code *c, size_t i);
PDT_API const char *pdt_code_text(const struct pdt_code *c, int what); /* NULL: none */
PDT_API uint64_t pdt_code_number(const struct pdt_code *c, int what);

/* A line, from 1, of the source FILE of a struct pdt_function: not safe to show. NULL: it is not
 * at hand. Until pdt_close(). Not in several threads at once. */
PDT_API const char *pdt_source_line(const struct pdt_session *s, const char *file, uint32_t line);

#ifdef __cplusplus
}
#endif

#endif
