/* The options before the program in the words of a recorder. Sources: perf-record(1), simpleperf's
 * and hiperf's own help, which use the same letters for this. */
#include "parser/file/cmdline.h"
#include "parser/base/mem.h"

#include <stddef.h>
#include <string.h>

/* Short options with a value behind them. */
static const char with_value[] = "ecFomkGCDutpjrM";

/* Long options whose value may be the next word. */
static const char *const long_with_value[] = {
	"event",      "filter",	  "pid",	"tid",	      "realtime", "output",
	"count",      "freq",	  "mmap-pages", "call-graph", "cgroup",	  "delay",
	"uid",	      "clockid",  "cpu",	"affinity",   "control",  "branch-filter",
	"aux-sample", "max-size", "vmlinux",	"duration",   "app",	  "proc-map-timeout",
};

struct words {
	const char *at;
	size_t len;
};

static bool next_word(struct words *w)
{
	w->at += w->len;
	w->at += strspn(w->at, " ");
	w->len = strcspn(w->at, " ");
	return w->len > 0;
}

/* Letters of one word; *VALUE: the next word belongs to the last of them. */
static bool letters_say(const char *s, size_t len, bool *value)
{
	for (size_t i = 0; i < len; i++) {
		if (s[i] == 'a' || s[i] == 'C')
			return true;
		if (strchr(with_value, s[i])) {
			*value = i + 1 == len;
			return false;
		}
	}
	return false;
}

static bool long_says(const char *s, size_t len, bool *value)
{
	size_t n = memchr(s, '=', len) ? (size_t)((const char *)memchr(s, '=', len) - s) : len;

	if ((n == 8 && !memcmp(s, "all-cpus", n)) || (n == 3 && !memcmp(s, "cpu", n)))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(long_with_value); i++) {
		if (strlen(long_with_value[i]) == n && !memcmp(s, long_with_value[i], n))
			*value = n == len;
	}
	return false;
}

bool cmdline_is_system_wide(const char *text)
{
	struct words w = { text ? text : "", 0 };
	bool recording = false, value = false;

	while (next_word(&w)) {
		const char *s = w.at;

		if (!recording || value) {
			value = false;
			recording |= w.len == 6 && !memcmp(s, "record", 6);
			continue;
		}
		if (*s != '-' || (w.len == 2 && s[1] == '-'))
			return false; /* the program */
		if (s[1] == '-' ? long_says(s + 2, w.len - 2, &value)
				: letters_say(s + 1, w.len - 1, &value))
			return true;
	}
	return false;
}

bool cmdline_keeps_ids(const char *text)
{
	static const char *const options[] = { "--buildid-all", "--buildid-mmap" };
	struct words w = { text ? text : "", 0 };

	while (next_word(&w) && !(w.len == 2 && !memcmp(w.at, "--", 2))) {
		for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
			if (w.len == strlen(options[i]) && !memcmp(w.at, options[i], w.len))
				return true;
		}
	}
	return false;
}
