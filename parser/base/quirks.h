/* The ways in which perf reads a capture otherwise than is right, for output that is to equal its
 * own (--compat). Set once, from outside, in the session's options; all false without. Each names
 * what of perf 6.1 it mirrors. */
#ifndef PDTOOL_BASE_QUIRKS_H
#define PDTOOL_BASE_QUIRKS_H

#include <stdbool.h>

#define PERF_MAX_STACK 127 /* include/uapi/linux/perf_event.h, PERF_MAX_STACK_DEPTH */

struct quirks {
	/* An exec leaves the old program's mappings (tools/perf/util/thread.c, thread__set_comm()
	 * and
	 * __thread__set_comm(): the maps are not touched). */
	bool keeps_maps_on_exec;
	/* Where symbols nest, the one that a tree's shape makes come first
	 * (tools/perf/util/symbol.c, symbols__find(); see names/perftree.h). */
	bool finds_by_tree;
	/* The stubs of a PLT have the names of its relocations, one after the other (tools/perf/
	 * util/symbol-elf.c, dso__synthesize_plt_symbols() of 6.1; 6.12 looks where they jump to).
	 */
	bool counts_plt;
	/* Symbols in .gnu_debugdata are not known (tools/perf/util/symbol-elf.c, symsrc__init()).
	 */
	bool no_minidebuginfo;
	/* Symbols that a recorder puts into the capture are not known (tools/perf/util/header.h,
	 * enum perf_header_feature, ends before simpleperf's and hiperf's), nor libraries within
	 * Android packages (tools/perf/util/symbol-elf.c opens ELF files only). */
	bool knows_no_phones;
	/* No more than PERF_MAX_STACK frames are unwound (tools/perf/util/machine.c,
	 * thread__resolve_callchain_unwind() with scripting_max_stack). */
	bool unwinds_max_stack;
	/* Unwinding has the habits of the library that perf is built with (tools/perf/util/
	 * unwind-libunwind-local.c, unwind-libdw.c; see enum unwind_as). */
	bool unwinds_by_library;
	/* ppc64's link register is looked at only in chains without a kernel part
	 * (tools/perf/arch/powerpc/util/skip-callchain-idx.c, arch_skip_callchain_idx()). */
	bool skips_without_kernel_only;
	/* The kernel and its modules are called what the build-id table calls them (tools/perf/
	 * util/header.c, __event_process_build_id(), makes them before their mappings are seen).
	 */
	bool names_kernel_by_table;
	/* Names of OCaml and Java come out wrong now and then, those of Haskell and in perf maps
	 * stay (tools/perf/util/symbol-elf.c, demangle_sym(), and what it calls). */
	bool demangles_as_perf;
	/* Names of C++ have their parameters, a name that is the mangled form of a type is that
	 * type (the function f: float), names of Rust's v0 and of D stay (tools/perf/util/
	 * demangle-cxx.cpp of 6.12, which asks __cxa_demangle(); 6.1 leaves parameters out), and
	 * inlined functions that have no mangled name come without their scopes (util/srcline.c
	 * reads addr2line -f). With demangles_as_perf only. */
	bool demangles_by_cxa;
	/* Where debug information tells of functions, the chain of those that were inlined ends in
	 * the one that they were inlined into, as it is called there; what the table of symbols
	 * says is not a frame of its own then (tools/perf/util/machine.c, append_inlines(), and
	 * srcline.c, which reads addr2line -i -f). With demangles_by_cxa only. */
	bool names_by_addr2line;
	/* Lines, and functions that were inlined, are those of an address of a chain itself, which
	 * is behind the call (tools/perf/util/evsel_fprintf.c, sample__fprintf_callchain(), asks
	 * for the line of node->ip; unwinding gives that of the call). */
	bool lines_behind_calls;
	/* Memory without a file has addresses, not places in one (tools/perf/util/map.c,
	 * map__new(): MAPPING_TYPE__IDENTITY). */
	bool memory_by_address;
	/* A thread that ended is forgotten: its last samples have no comm and, where it was the
	 * first of its process, no mappings (tools/perf/util/machine.c,
	 * machine__process_exit_event() of 6.12; 6.1 remembers it). */
	bool forgets_on_exit;
};

/* All of 6.1, and what 6.12 shares with it. */
#define QUIRKS_OF_PERF                                                                            \
	{                                                                                         \
		.keeps_maps_on_exec = true, .finds_by_tree = true, .no_minidebuginfo = true,      \
		.counts_plt = true, .knows_no_phones = true, .unwinds_max_stack = true,           \
		.unwinds_by_library = true, .skips_without_kernel_only = true,                    \
		.names_kernel_by_table = true, .demangles_as_perf = true,                         \
		.memory_by_address = true, .forgets_on_exit = true                                \
	}
#endif
