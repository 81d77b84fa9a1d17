/* How the heap of the process grows: where memory comes from, not how much there is. */
#ifndef PDTOOL_HEAP_H
#define PDTOOL_HEAP_H

#include <stdint.h>

/* Before the first thread. glibc reserves 64 MB of addresses for each further heap: where they are
 * limited (ulimit -v), the threads share one. */
void heap_share(void);
/* An input of so many bytes is read from now on; 0: not known. For a big one the heap lies in huge
 * pages: a small one costs a fault when it is touched first, and misses of the TLB later. */
void heap_expect(uint64_t input_bytes);
/* It is read. What comes has room for half of it (64 to 128 MB): what is bigger, as tables of names
 * are, has mappings of its own, as it does not stay. */
void heap_settle(void);

#endif
