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
/* It is read: what comes is bigger and does not stay, and has mappings of its own. */
void heap_settle(void);

#endif
