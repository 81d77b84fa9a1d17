/* Choose and load the kernel's symbol table. */
#include "parser/symbols/kernel.h"
#include "parser/base/cursor.h"
#include "parser/base/mem.h"
#include "parser/symbols/elfsyms.h"
#include "parser/symbols/provider.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOTE_GNU_BUILD_ID 3

/* The running kernel's build-id: ELF notes in /sys/kernel/notes (u32 name size, desc size, type).
 */
static void host_kernel_id(struct build_id *id)
{
	uint8_t raw[8192];
	int fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, raw, sizeof(raw));
	struct cursor c = cursor_make(raw, n > 0 ? (size_t)n : 0, false);

	id->len = 0;
	if (fd >= 0)
		close(fd);
	while (cursor_left(&c) >= 12) {
		uint32_t name = cursor_u32(&c), desc = cursor_u32(&c), type = cursor_u32(&c);
		const char *s = cursor_take(&c, (name + 3) & ~3u);
		const uint8_t *d = cursor_take(&c, (desc + 3) & ~3u);

		if (s && d && name == 4 && !memcmp(s, "GNU", 4) && type == NOTE_GNU_BUILD_ID) {
			*id = build_id_make(d, desc);
			return;
		}
	}
}

/* The symbol whose run-time address the capture tells, so that one knows where the kernel was
 * loaded. */
static const char *ref_symbol(const struct kernel_query *q)
{
	return q->kernel && q->kernel->ref_symbol ? q->kernel->ref_symbol : "_text";
}

static bool try_kallsyms(struct kernel_symbols *k, const struct kernel_query *q, const char *path,
			 bool verified, struct warnings *w)
{
	struct kallsyms_query kq = { q->addrs, q->count, ref_symbol(q),
				     q->kernel ? q->kernel->pgoff : 0 };
	int rc = kallsyms_load(&k->kallsyms, path, &kq);

	if (rc < 0) {
		if (w)
			warn_add(w, SEV_FAILED, "kallsyms", "%s: %s", path,
				 rc == ERR_ABSENT ? "not there, or all its addresses are zero"
						  : "not usable as kallsyms");
		return false;
	}
	k->path = xstrdup(path);
	k->source = k->path;
	k->unverified = !verified;
	return true;
}

static bool try_vmlinux(struct kernel_symbols *k, const struct kernel_query *q, const char *path)
{
	const struct build_id *want = &q->build_id;
	struct elf_file *f = elf_file_open(path, NULL);
	const struct elf_info *info = f ? elf_file_info(f) : NULL;
	uint64_t addr = 0;

	if (!f || !info->has_symtab) {
		elf_file_free(f);
		return false;
	}
	if (want->len &&
	    (info->build_id_len != want->len || memcmp(info->build_id, want->bytes, want->len))) {
		if (!k->refused) {
			k->refused = k->refused_path = xstrdup(path);
			k->refused_id = build_id_make(info->build_id, info->build_id_len);
		}
		elf_file_free(f);
		return false;
	}
	if (elfsyms_load(&k->vmlinux, f, f) < 0) {
		elf_file_free(f);
		return false;
	}
	k->vmlinux_file = f;
	k->path = xstrdup(path);
	k->source = k->path;
	k->unverified = !want->len;
	if (q->kernel && q->kernel->pgoff && elfsyms_addr(f, ref_symbol(q), &addr) == 0)
		k->delta = q->kernel->pgoff - addr;
	return true;
}

static bool try_cache(struct kernel_symbols *k, const struct kernel_query *q, const char *dir)
{
	const struct build_id *id = &q->build_id;
	char hex[2 * BUILD_ID_MAX + 1];
	struct buf path = { 0 };
	bool ok;

	if (!dir || id->len < 2)
		return false;
	build_id_path(&path, dir, id, "/elf");
	ok = try_vmlinux(k, q, path.data);
	path.len = 0;
	build_id_path(&path, dir, id, "/kallsyms");
	ok = ok || try_kallsyms(k, q, path.data, true, NULL);
	path.len = 0;
	build_id_text(id, hex);
	buf_printf(&path, "%s/[kernel.kallsyms]/%s/kallsyms", dir, hex);
	ok = ok || try_kallsyms(k, q, path.data, true, NULL);
	buf_release(&path);
	return ok;
}

void kernel_symbols_load(struct kernel_symbols *k, const struct kernel_query *q,
			 const struct symbol_options *o, struct warnings *w)
{
	struct build_id host;
	struct buf dir = { 0 };
	bool ok;

	memset(k, 0, sizeof(*k));
	kallsyms_init(&k->kallsyms);
	symtab_init(&k->vmlinux);
	if (o->kallsyms && try_kallsyms(k, q, o->kallsyms, false, w))
		return;
	if (o->vmlinux) {
		if (try_vmlinux(k, q, o->vmlinux))
			return;
		warn_add(w, SEV_FAILED, "vmlinux", "%s: %s", o->vmlinux,
			 k->refused ? "the build-id is not the recorded kernel's"
				    : "not an ELF file with symbols");
	}
	if (o->symfs) {
		buf_printf(&dir, "%s/.debug", o->symfs);
		ok = try_cache(k, q, dir.data);
		buf_release(&dir);
		if (ok)
			return;
	}
	if (try_cache(k, q, o->buildid_dir))
		return;
	host_kernel_id(&host);
	if (build_id_equal(&q->build_id, &host))
		(void)try_kallsyms(k, q, "/proc/kallsyms", true, w);
}

void kernel_symbols_release(struct kernel_symbols *k)
{
	kallsyms_release(&k->kallsyms);
	symtab_release(&k->vmlinux);
	elf_file_free(k->vmlinux_file);
	free(k->path);
	free(k->refused_path);
}

const struct symbol *kernel_symbols_find(const struct kernel_symbols *k, uint64_t ip,
					 uint64_t *offset)
{
	const struct symbol *s;
	uint64_t addr = ip - (k->vmlinux_file ? k->delta : k->kallsyms.delta);

	if (!k->source)
		return NULL;
	if (!k->vmlinux_file) {
		s = kallsyms_find(&k->kallsyms, ip);
	} else {
		if (elf_file_offset(k->vmlinux_file, addr, &addr) < 0)
			return NULL;
		s = symtab_find(&k->vmlinux, addr);
	}
	if (s)
		*offset = addr - s->start;
	return s;
}
