/* Compares what a module needs with the files that were found for it, and writes the commands
 * that would get the rest. Every word that goes into a command was checked or quoted before. */
#include "analyzers/capture/module_lacks.h"
#include "analyzers/capture/distro.h"
#include "analyzers/capture/module_paths.h"
#include "parser/base/mem.h"

#include <elf.h>
#include <string.h>

/* ---- what is missing ---- */

static unsigned file_lacking(const struct module_names *m, const struct session *s)
{
	unsigned lacks = 0;

	if (m->named < m->locs && !(m->had & HAD_SYMTAB))
		lacks |= m->had & HAD_DYNSYM ? LACKS_SYMTAB : LACKS_SYMBOLS;
	if (session_stats(s)->user_stacks && !(m->had & HAD_UNWIND))
		lacks |= LACKS_UNWIND;
	return m->had & HAD_DWARF ? lacks : lacks | LACKS_LINES;
}

static unsigned kernel_lacking(const struct module_names *m, const struct session *s)
{
	(void)s;
	return (m->named < m->locs && !m->source ? LACKS_KALLSYMS : 0) |
	       (m->debug ? 0 : LACKS_LINES);
}

/* vmlinux does not have its symbols. */
static unsigned kmodule_lacking(const struct module_names *m, const struct session *s)
{
	(void)s;
	return m->named < m->locs && !m->named ? LACKS_KALLSYMS : 0;
}

static unsigned jit_lacking(const struct module_names *m, const struct session *s)
{
	(void)s;
	return m->named < m->locs && !m->source ? LACKS_PERF_MAP : 0;
}

static void file_package(const struct distro *d, const struct module_names *m,
			 const char *osrelease, struct buf *out)
{
	(void)osrelease;
	if (m->recorded.len > 1)
		distro_package(d, &m->recorded, out);
}

static void kernel_package(const struct distro *d, const struct module_names *m,
			   const char *osrelease, struct buf *out)
{
	(void)m;
	distro_kernel_package(d, osrelease, out);
}

/* What may be missing of a kind of module, and who has it. */
static const struct kind {
	unsigned (*lacking)(const struct module_names *m, const struct session *s);
	bool has_id, on_servers; /* debuginfod has its files */
	void (*package)(const struct distro *d, const struct module_names *m, const char *osrelease,
			struct buf *out);
} by_kind[] = {
	[MODULE_FILE] = { file_lacking, true, true, file_package },
	[MODULE_VDSO] = { file_lacking, true, false, NULL },
	[MODULE_KERNEL] = { kernel_lacking, true, true, kernel_package },
	[MODULE_KMODULE] = { kmodule_lacking, true, false, NULL },
	[MODULE_JIT] = { jit_lacking, false, false, NULL },
	[MODULE_BPF] = { 0 },
	[MODULE_JITDUMP] = { 0 },
};

static const struct kind *kind_of(const struct module_names *m)
{
	return &by_kind[m->module->kind];
}

unsigned module_lacking(const struct module_names *m, const struct session *s)
{
	unsigned lacks = kind_of(m)->lacking ? kind_of(m)->lacking(m, s) : 0;

	return lacks | (m->missing.alt ? LACKS_ALTERNATE : 0) | (m->missing.dwo ? LACKS_SPLIT : 0) |
	       (m->missing.unreadable ? LACKS_READABLE : 0);
}

void module_lacks(const struct module_names *m, const struct session *s, struct buf *out)
{
	static const struct {
		unsigned bit;
		const char *text;
	} words[] = {
		{ LACKS_SYMBOLS, "symbols" },	       { LACKS_SYMTAB, "static symbols" },
		{ LACKS_KALLSYMS, "kallsyms" },	       { LACKS_PERF_MAP, "perf map" },
		{ LACKS_UNWIND, "unwind tables" },     { LACKS_LINES, "line info" },
		{ LACKS_ALTERNATE, "alternate file" }, { LACKS_SPLIT, "split DWARF" },
		{ LACKS_READABLE, "readable DWARF" },
	};
	unsigned lacks = module_lacking(m, s);
	bool first = true;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (!(lacks & words[i].bit))
			continue;
		buf_printf(out, "%s%s", first ? "" : ", ", words[i].text);
		first = false;
	}
}

bool module_has_id(const struct module_names *m)
{
	return kind_of(m)->has_id;
}

const char *module_arch(const struct module_names *m, const struct capture *c)
{
	static const struct {
		uint16_t machine;
		const char *name;
	} names[] = {
		{ EM_386, "i386" },    { EM_X86_64, "x86_64" },	  { EM_ARM, "arm" },
		{ EM_S390, "s390x" },  { EM_AARCH64, "aarch64" }, { EM_PPC, "ppc" },
		{ EM_PPC64, "ppc64" }, { EM_RISCV, "riscv" },	  { EM_MIPS, "mips" },
		{ EM_SPARC, "sparc" }, { EM_SPARCV9, "sparc64" }, { EM_LOONGARCH, "loongarch" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (m->machine == names[i].machine)
			return names[i].name;
	}
	return c->meta.arch;
}

/* ---- how to get it ---- */

/* tar undoes its quoting in words of its command line, too; what it quotes can be shown. */
static void add_word(void *ctx, const char *path)
{
	struct buf *out = ctx, line = { 0 };

	tar_line(path, &line);
	buf_char(out, ' ');
	(void)shell_word(line.data, out);
	buf_release(&line);
}

void module_tar(const struct module_names *m, unsigned lacks, struct buf *out)
{
	struct path_sink sink = { add_word, out };
	size_t before = out->len, bare;

	if (lacks & LACKS_KALLSYMS) {
		buf_str(out, "cp /proc/kallsyms kallsyms");
		return;
	}
	buf_str(out, TAR_COMMAND);
	bare = out->len;
	module_paths(m, RECORDER_CACHE, false, &sink);
	if (out->len == bare)
		out->len = before;
}

void module_debuginfod(const struct module_names *m, struct buf *out)
{
	char id[2 * BUILD_ID_MAX + 1];

	build_id_text(&m->recorded, id);
	if (id[0] && kind_of(m)->on_servers)
		buf_printf(out, "debuginfod-find debuginfo %s", id);
}

void module_package(const struct module_names *m, const struct capture *c, struct buf *out)
{
	const struct distro *d = distro_of(c->meta.osrelease);

	if (d && kind_of(m)->package)
		kind_of(m)->package(d, m, c->meta.osrelease, out);
}
