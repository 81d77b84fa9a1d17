/* Names that the capture itself holds: simpleperf and hiperf write the functions that samples were
 * in, as the recorder found them on the recorded machine. They come before those of any file.
 *
 * They are kept by module, in the addresses that locations have; those of the kernel's modules are
 * mostly the kernel's. Only what a location needs is kept, but for struct symbol_options.unsampled.
 */
#ifndef PDTOOL_SYMBOLS_RECORDED_H
#define PDTOOL_SYMBOLS_RECORDED_H

#include "parser/names/kind.h"

/* Read them for all modules that have locations, of which there is one of JOBS each, before any
 * other source is looked at. What they name makes the capture a module's source; build-ids that
 * come with them are recorded ones. */
void recorded_load(struct module_job *jobs, size_t count, const struct machine *machine);
/* The symbol of M at ADDR. */
bool recorded_find(const struct names *n, const struct module *m, uint64_t addr,
		   struct symbol_range *out);
/* No other source is needed for the names of J. */
bool recorded_suffices(const struct module_job *j);

#endif
