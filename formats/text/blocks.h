/* An amount as the height of one character. */
#ifndef PDTOOL_BLOCKS_H
#define PDTOOL_BLOCKS_H

/* SHARE of the height of a line, to an eighth: whatever is there is seen. */
static inline const char *block_of(double share)
{
	static const char *const blocks[] = { " ",
					      "\xe2\x96\x81",
					      "\xe2\x96\x82",
					      "\xe2\x96\x83",
					      "\xe2\x96\x84",
					      "\xe2\x96\x85",
					      "\xe2\x96\x86",
					      "\xe2\x96\x87",
					      "\xe2\x96\x88" };
	double level = share * 8;

	if (level <= 0)
		return blocks[0];
	return blocks[level < 1 ? 1 : level > 8 ? 8 : (unsigned)(level + 0.5)];
}

#endif
