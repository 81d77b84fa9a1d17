/* What the unit tests share: a check that tells where it failed, and numbers that only look random.
 */
#ifndef PDTOOL_TESTS_UNIT_H
#define PDTOOL_TESTS_UNIT_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct unit {
	unsigned checks, failures;
};

static struct unit unit;

static inline void unit_check(bool good, const char *file, int line, const char *what)
{
	unit.checks++;
	if (good)
		return;
	unit.failures++;
	printf("not ok - %s:%d: %s\n", file, line, what);
}

#define CHECK(cond) unit_check(cond, __FILE__, __LINE__, #cond)

/* Two numbers are the same. */
#define CHECK_EQ(got, want)                                                                       \
	do {                                                                                      \
		uint64_t got_ = (uint64_t)(got), want_ = (uint64_t)(want);                        \
		char text_[256];                                                                  \
                                                                                                  \
		snprintf(text_, sizeof(text_), "%s is %" PRIu64 " (0x%" PRIx64 "), not %" PRIu64, \
			 #got, got_, got_, want_);                                                \
		unit_check(got_ == want_, __FILE__, __LINE__, text_);                             \
	} while (0)

/* Two texts are the same; NULL is no text. */
#define CHECK_STR(got, want)                                                                       \
	do {                                                                                       \
		const char *got_ = (got), *want_ = (want);                                         \
		char text_[512];                                                                   \
                                                                                                   \
		snprintf(text_, sizeof(text_), "%s is '%s', not '%s'", #got, got_ ? got_ : "NULL", \
			 want_);                                                                   \
		unit_check(got_ && !strcmp(got_, want_), __FILE__, __LINE__, text_);               \
	} while (0)

static inline uint64_t unit_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return *seed >> 33;
}

/* The exit status: nothing checked is a failure, too. */
static inline int unit_end(void)
{
	printf("%u checks, %u failed\n", unit.checks, unit.failures);
	return unit.failures || !unit.checks;
}

#endif
