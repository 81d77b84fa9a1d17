/* Tables of names, and what of a path is not secret. */
#include "parser/cut/pseudonym.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static const char *const kinds[NAMES] = {
	[NAME_COMM] = "comm-",	   [NAME_DIR] = "dir-",	      [NAME_FILE] = "file-",
	[NAME_CGROUP] = "cgroup-", [NAME_SYMBOL] = "symbol-", [NAME_EVENT] = "event_",
	[NAME_ARG] = "arg-",	   [NAME_TEXT] = "text-",
};

void pseudonym_add(struct pseudonyms *p, enum pseudonym kind, struct interned t, struct buf *out)
{
	if (t.len)
		buf_printf(out, "%s%u", kinds[kind], intern_add(&p->seen[kind], t.s, t.len) + 1);
}

void pseudonyms_release(struct pseudonyms *p)
{
	for (int i = 0; i < NAMES; i++)
		intern_release(&p->seen[i]);
}

static bool is(struct interned t, const char *word)
{
	return t.len == strlen(word) && !memcmp(t.s, word, t.len);
}

static bool begins(struct interned t, const char *word)
{
	return t.len >= strlen(word) && !memcmp(t.s, word, strlen(word));
}

static bool ends(struct interned t, const char *word)
{
	size_t n = strlen(word);

	return t.len >= n && !memcmp(t.s + t.len - n, word, n);
}

static struct interned from(struct interned t, size_t at)
{
	return (struct interned){ t.s + at, t.len - (uint32_t)at };
}

/* Mappings without a file, as the kernel and recorders call them. */
static bool is_plain(struct interned t)
{
	static const char *const words[] = {
		"//anon",
		"[heap]",
		"[stack]",
		"[vdso]",
		"[vdso32]",
		"[vdsox32]",
		"[vsyscall]",
		"[vvar]",
		"[uprobes]",
		"[vectors]",
		"[sigpage]",
		"[unknown]",
		"/dev/zero",
		"[anon]",
		"/anon_hugepage",
		"[kernel.vmlinux]",
		"[kernel.kallsyms]",
		"[kernel.kallsyms]_text",
		"[kernel.kallsyms]_stext",
		"[guest.kernel.kallsyms]",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (is(t, words[i]))
			return true;
	}
	return begins(t, "[stack:") && t.len < 32 && isdigit((unsigned char)t.s[7]) &&
	       strspn(t.s + 7, "0123456789") + 8 >= t.len;
}

/* Those that have a name, too. */
static bool add_prefixed(struct pseudonyms *p, struct interned t, struct buf *out)
{
	static const struct {
		const char *word, *end;
	} prefixes[] = {
		{ "[kernel.kallsyms]", "_text" },
		{ "[guest.kernel.kallsyms", "]" },
		{ "/anon_hugepage", "" },
		{ "/dev/zero", "" },
	};
	static const char *const named[] = { "/memfd:", "/SYSV", "[anon:", "[stack" };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		if (!begins(t, prefixes[i].word))
			continue;
		buf_str(out, prefixes[i].word);
		buf_str(out, prefixes[i].end);
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(named); i++) {
		if (!begins(t, named[i]))
			continue;
		buf_str(out, named[i]);
		pseudonym_add(p, NAME_TEXT, from(t, strlen(named[i])), out);
		if (*t.s == '[')
			buf_char(out, ']');
		return true;
	}
	return false;
}

/* The name of a file: a module of the kernel, and the kernel, stay such. */
static void add_file(struct pseudonyms *p, struct interned t, struct buf *out)
{
	static const char *const ko[] = { ".ko", ".ko.gz", ".ko.xz", ".ko.zst" };

	if (begins(t, "vmlinux")) {
		buf_str(out, "vmlinux");
		return;
	}
	pseudonym_add(p, NAME_FILE, t, out);
	for (size_t i = 0; i < ARRAY_SIZE(ko); i++) {
		if (ends(t, ko[i]))
			buf_str(out, ko[i]);
	}
}

static void add_path(struct pseudonyms *p, struct interned t, struct buf *out)
{
	const char *slash = t.len ? memrchr(t.s, '/', t.len) : NULL;
	size_t dir = slash ? (size_t)(slash - t.s) : 0;

	if (is_plain(t)) {
		buf_add(out, t.s, t.len);
		return;
	}
	if (add_prefixed(p, t, out))
		return;
	if (begins(t, "[") && ends(t, "]") && t.len > 2) { /* a module of the kernel */
		buf_char(out, '[');
		pseudonym_add(p, NAME_FILE, (struct interned){ t.s + 1, t.len - 2 }, out);
		buf_char(out, ']');
		return;
	}
	if (slash && *t.s == '/')
		buf_char(out, '/');
	pseudonym_add(p, NAME_DIR, (struct interned){ t.s, (uint32_t)dir }, out);
	if (dir)
		buf_char(out, '/');
	add_file(p, slash ? from(t, dir + 1) : t, out);
}

void pseudonym_path(struct pseudonyms *p, struct interned t, struct buf *out)
{
	static const char deleted[] = " (deleted)";
	bool gone = ends(t, deleted);

	if (gone)
		t.len -= sizeof(deleted) - 1;
	add_path(p, t, out);
	if (gone)
		buf_str(out, deleted);
}
