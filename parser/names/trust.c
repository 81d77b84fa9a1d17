/* The rules by which files are taken for the recorded ones. Opens nothing. */
#include "parser/names/trust.h"
#include "parser/names/elf/elffile.h"

#include <string.h>

bool trust_host(const struct symbol_options *o, bool verified)
{
	return !o->no_host && (verified || o->allow_unverified);
}

bool trust_may_open(const struct symbol_options *o, const struct build_id *want, enum trust from)
{
	return want->len || from == TRUST_USER || from == TRUST_INODE ||
	       (from == TRUST_HOST && o->allow_unverified);
}

bool trust_file(const struct build_id *want, const struct elf_info *info)
{
	return !want->len ||
	       (info->build_id_len == want->len && !memcmp(info->build_id, want->bytes, want->len));
}
