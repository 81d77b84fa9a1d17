/* The manifest of a pack, by lines. */
#include "parser/names/sources/manifest.h"

#include <inttypes.h>
#include <string.h>

static void add_path(struct buf *out, const char *path)
{
	for (const char *p = path; *p; p++) {
		if ((unsigned char)*p < 0x20 || *p == 0x7f || *p == '%')
			buf_printf(out, "%%%02X", (unsigned char)*p);
		else
			buf_char(out, *p);
	}
}

/* The fields that say which module it is. */
static void add_key(struct buf *out, const struct module *m, bool unverified)
{
	buf_str(out, unverified ? "unverified\t" : "module\t");
	add_path(out, m->path);
	buf_printf(out, "\t%" PRIu32 ":%" PRIu32 ":%" PRIu64 "\t", m->file.major, m->file.minor,
		   m->file.inode);
}

void manifest_origin(struct buf *out, const char *name, const char *origin)
{
	buf_printf(out, "file\t%s\t", name);
	add_path(out, origin);
	buf_char(out, '\n');
}

void manifest_module(struct buf *out, const struct module *m, const struct manifest_file *f)
{
	char id[2 * BUILD_ID_MAX + 1];

	build_id_text(&f->id, id);
	add_key(out, m, f->unverified);
	buf_printf(out, "%s\t%.*s\n", *id ? id : "-", f->name_len, f->name);
}

static int digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool manifest_find_origin(const char *text, const char *name, struct buf *out)
{
	struct buf key = { 0 };
	const char *at;

	buf_printf(&key, "\nfile\t%s\t", name);
	at = strstr(text, key.data);
	at = at ? at + key.len : NULL;
	buf_release(&key);
	for (; at && *at && *at != '\n'; at++) {
		if (*at == '%' && digit(at[1] | 0x20) >= 0 && digit(at[2] | 0x20) >= 0) {
			buf_char(out, (char)(digit(at[1] | 0x20) << 4 | digit(at[2] | 0x20)));
			at += 2;
		} else {
			buf_char(out, *at);
		}
	}
	return at;
}

static bool find(const char *text, const struct module *m, struct manifest_file *out)
{
	struct buf key = { 0 };
	const char *at;

	buf_char(&key, '\n');
	add_key(&key, m, out->unverified);
	at = strstr(text, key.data);
	at = at ? at + key.len : NULL;
	buf_release(&key);
	for (; at && digit(at[0]) >= 0 && digit(at[1]) >= 0 && out->id.len < BUILD_ID_MAX; at += 2)
		out->id.bytes[out->id.len++] = (uint8_t)(digit(at[0]) << 4 | digit(at[1]));
	if (at && *at == '-')
		at++;
	if (!at || *at != '\t')
		return false;
	out->name = at + 1;
	out->name_len = (int)strcspn(out->name, "\n");
	return true;
}

bool manifest_find(const char *text, const struct module *m, struct manifest_file *out)
{
	for (unsigned i = 0; i < 2; i++) {
		*out = (struct manifest_file){ .unverified = i };
		if (find(text, m, out))
			return true;
	}
	return false;
}
