/* Where an access was in code and data, and what that is called: for the tables of `mem`. */
#ifndef PDTOOL_MEMORY_ACCESS_H
#define PDTOOL_MEMORY_ACCESS_H

#include "analyzers/analyzer.h"
#include "parser/base/buf.h"
#include "parser/pdtool_record.h"

/* The locations of the instruction of E, and of ADDRESS, which it accessed; PDT_NONE: nowhere. */
uint32_t access_code(const struct pdt_session *s, const struct pdt_event *e);
uint32_t access_data(const struct pdt_session *s, const struct pdt_event *e, uint64_t address);
/* Is it of the kernel? */
bool access_is_kernel(uint64_t address);
/* How many bytes a cache line has on the machine of S. */
uint64_t access_line_bytes(const struct pdt_session *s);

/* Append "0x0000000000404040"; the function at CODE; the variable at DATA, "table+0x10", or
 * ADDRESS; the file of either. */
void access_put_hex(uint64_t v, struct buf *out);
void access_put_code(const struct pdt_session *s, uint32_t code, struct buf *out);
void access_put_data(const struct pdt_session *s, uint32_t data, uint64_t address, struct buf *out);
void access_put_module(const struct pdt_session *s, uint32_t loc, struct buf *out);

#endif
