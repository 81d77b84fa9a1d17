/* The types that occur in print formats. All that is as wide as numbers are here is left alone. */
#include "analyzers/compat/print_types.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

bool print_ends_in_star(const char *type, size_t len)
{
	return len && type[len - 1] == '*';
}

unsigned print_type_bytes(const char *type, size_t len)
{
	static const struct {
		const char *name;
		unsigned bytes;
	} types[] = {
		{ "unsigned long long", 8 },
		{ "unsigned long", 8 },
		{ "unsigned char", 1 },
		{ "unsigned short", 2 },
		{ "unsigned int", 4 },
		{ "unsigned", 4 },
		{ "long long", 8 },
		{ "long", 8 },
		{ "char", 1 },
		{ "bool", 1 },
		{ "short", 2 },
		{ "int", 4 },
		{ "u8", 1 },
		{ "s8", 1 },
		{ "__u8", 1 },
		{ "__s8", 1 },
		{ "uint8_t", 1 },
		{ "u16", 2 },
		{ "s16", 2 },
		{ "__u16", 2 },
		{ "__le16", 2 },
		{ "__be16", 2 },
		{ "u32", 4 },
		{ "s32", 4 },
		{ "__u32", 4 },
		{ "__le32", 4 },
		{ "__be32", 4 },
		{ "u64", 8 },
		{ "s64", 8 },
		{ "__u64", 8 },
		{ "__le64", 8 },
		{ "__be64", 8 },
		{ "size_t", 8 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		if (strlen(types[i].name) == len && !strncmp(types[i].name, type, len))
			return types[i].bytes;
	}
	return 0;
}

/* As libtraceevent does, which knows few types. */
uint64_t print_cast_mask(const char *type, size_t len)
{
	static const char *const known[] = { "u8",
					     "s8",
					     "u16",
					     "s16",
					     "u32",
					     "s32",
					     "char",
					     "short",
					     "int",
					     "unsigned char",
					     "unsigned short",
					     "unsigned int" };

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (strlen(known[i]) == len && !strncmp(known[i], type, len))
			return (1ull << 8 * print_type_bytes(type, len)) - 1;
	}
	return 0;
}

size_t print_read_type(const char *p, char *type, size_t max, const char **end)
{
	size_t n = 0;

	for (; *p && *p != ')'; p++) {
		if (isspace((unsigned char)*p))
			continue;
		if ((!print_is_word(*p) && *p != '*') || isdigit((unsigned char)*p))
			return 0;
		if (n && (isspace((unsigned char)p[-1]) || *p == '*') && n < max)
			type[n++] = ' ';
		for (; print_is_word(*p) && n < max; p++)
			type[n++] = *p;
		if (*p == '*' && n < max)
			type[n++] = '*';
		else
			p--;
		if (n == max)
			return 0;
	}
	*end = p + 1;
	return *p ? n : 0;
}

uint32_t print_element_of(const struct pdt_field *f, uint32_t size)
{
	static const char *const before[] = { "__data_loc ", "__rel_loc ", "const " };
	const char *type = pdt_field_type(f), *open;
	size_t n;

	open = strrchr(type, '[');
	if (!open || !strchr(open, ']'))
		return size;
	if (isdigit((unsigned char)open[1]) && strtoul(open + 1, NULL, 10))
		return size / (uint32_t)strtoul(open + 1, NULL, 10);
	for (size_t i = 0; i < ARRAY_SIZE(before); i++) {
		if (!strncmp(type, before[i], strlen(before[i])))
			type += strlen(before[i]);
	}
	n = strcspn(type, "[");
	while (n && type[n - 1] == ' ')
		n--;
	return print_type_bytes(type, n) ?: 1;
}
