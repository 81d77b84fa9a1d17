/* Buckets of histograms as those of HdrHistogram: numbers below 128 have one each, from there on
 * each power of two has 64 of the same width. So what a bucket stands for is within 1/128 of any
 * number in it, and histograms merge by adding up their buckets, exactly. */
#ifndef PDTOOL_BASE_HDR_H
#define PDTOOL_BASE_HDR_H

#include <stdint.h>

#define HDR_BITS    6
#define HDR_BUCKETS ((64 - HDR_BITS + 1) << HDR_BITS)

static inline uint32_t hdr_bucket(uint64_t v)
{
	unsigned shift = v >> (HDR_BITS + 1) ? 63u - HDR_BITS - (unsigned)__builtin_clzll(v) : 0;

	return (shift << HDR_BITS) + (uint32_t)(v >> shift);
}

/* The middle of BUCKET, which is below HDR_BUCKETS. */
static inline uint64_t hdr_value(uint32_t bucket)
{
	unsigned shift = bucket >> (HDR_BITS + 1) ? (bucket >> HDR_BITS) - 1 : 0;
	uint64_t low = (uint64_t)(bucket - (shift << HDR_BITS)) << shift;

	return low + ((UINT64_C(1) << shift) - 1) / 2;
}

#endif
