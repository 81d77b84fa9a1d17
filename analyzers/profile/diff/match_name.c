/* Names without what differs between two builds of one function. */
#include "analyzers/profile/diff/match_name.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* What may follow ".WORD": ".N" or nothing. */
static const char *const words[] = { "isra", "constprop", "part", "cold", "llvm", "lto_priv" };

static bool ends_with(const char *name, size_t len, const char *end, size_t n)
{
	return len > n && !memcmp(name + len - n, end, n);
}

/* Without ".N" at the end, if there is one. */
static size_t without_number(const char *name, size_t len)
{
	size_t n = len;

	while (n && isdigit((unsigned char)name[n - 1]))
		n--;
	return n > 1 && n < len && name[n - 1] == '.' ? n - 1 : len;
}

static size_t without_suffix(const char *name, size_t len)
{
	size_t n = without_number(name, len);

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t w = strlen(words[i]);

		if (ends_with(name, n, words[i], w) && name[n - w - 1] == '.' && n > w + 1)
			return n - w - 1;
	}
	return len;
}

static size_t without_version(const char *name, size_t len)
{
	size_t n = len;

	if (ends_with(name, len, "@plt", 4))
		return len - 4;
	while (n && (isalnum((unsigned char)name[n - 1]) || strchr("._", name[n - 1])))
		n--;
	if (n < 2 || n == len || name[n - 1] != '@' || !isupper((unsigned char)name[n]))
		return len;
	return name[n - 2] == '@' && n > 2 ? n - 2 : n - 1;
}

/* "::h0123456789abcdef", as legacy Rust names end. */
static size_t without_hash(const char *name, size_t len)
{
	if (len <= 19 || memcmp(name + len - 19, "::h", 3))
		return len;
	for (size_t i = len - 16; i < len; i++) {
		if (!isxdigit((unsigned char)name[i]))
			return len;
	}
	return len - 19;
}

void strip_hex(const char *name, size_t len, struct buf *out)
{
	for (size_t i = 0; i < len; i++) {
		buf_char(out, name[i]);
		if (name[i] != '0' || i + 2 >= len || name[i + 1] != 'x' ||
		    !isxdigit((unsigned char)name[i + 2]))
			continue;
		buf_str(out, "x...");
		for (i += 2; i + 1 < len && isxdigit((unsigned char)name[i + 1]);)
			i++;
	}
}

bool is_no_function(const char *name, size_t len)
{
	static const char unknown[] = "[unknown]";
	bool prefix = len > 2 && name[0] == '0' && name[1] == 'x', digit = false;

	if (len >= sizeof(unknown) - 1 && !memcmp(name, unknown, sizeof(unknown) - 1))
		return true;
	if (prefix && len == 5 && !memcmp(name, "0x...", len))
		return true;
	for (size_t i = prefix ? 2 : 0; i < len; i++) {
		if (!isxdigit((unsigned char)name[i]))
			return false;
		digit |= isdigit((unsigned char)name[i]) != 0;
	}
	return prefix || (digit && len >= 8);
}

void match_name(const char *name, size_t len, struct buf *out)
{
	size_t before;

	do {
		before = len;
		len = without_suffix(name, len);
		len = without_version(name, len);
		len = without_hash(name, len);
	} while (len < before);
	strip_hex(name, len, out);
}
