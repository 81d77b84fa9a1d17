/* What a BPF program wrote with a sample, as perf script prints it. */
#ifndef PDTOOL_SCRIPT_BPFOUTPUT_H
#define PDTOOL_SCRIPT_BPFOUTPUT_H

#include "parser/base/buf.h"

#include <stdint.h>

/* Append an end of line, SIZE bytes at RAW as lines of eight, and as a text if they are one. */
void bpf_output_put(const uint8_t *raw, size_t size, struct buf *out);

#endif
