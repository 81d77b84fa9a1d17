/* Compares what a module needs with the files that were found for it, and writes the commands
 * that would get the rest. Every word that goes into a command was checked or quoted before. */
#include "analyzers/capture/module_lacks.h"
#include "analyzers/capture/distro.h"
#include "analyzers/capture/module_paths.h"
#include "parser/base/mem.h"
#include "parser/pdtool_capture.h"

#include <elf.h>
#include <string.h>

/* ---- what is missing ---- */

/* Are there addresses in it that have no name? */
static bool lacks_names(const struct pdt_module *m)
{
	return pdt_module_number(m, PDT_MODULE_NAMED) < pdt_module_number(m, PDT_MODULE_LOCATIONS);
}

/* Symbols of another file than the capture itself. */
static bool has_source(const struct pdt_module *m, const struct pdt_session *s)
{
	const char *source = pdt_module_text(m, PDT_MODULE_SOURCE);

	return source && strcmp(source, pdt_text(s, PDT_PATH));
}

static unsigned file_lacking(const struct pdt_module *m, const struct pdt_session *s)
{
	uint64_t had = pdt_module_number(m, PDT_MODULE_HAD);
	unsigned lacks = 0;

	if (lacks_names(m) && !(had & PDT_HAD_SYMTAB))
		lacks |= had & PDT_HAD_DYNSYM ? LACKS_SYMTAB : LACKS_SYMBOLS;
	if (pdt_number(s, PDT_USER_STACKS) && !(had & PDT_HAD_UNWIND))
		lacks |= LACKS_UNWIND;
	return had & PDT_HAD_DWARF ? lacks : lacks | LACKS_LINES;
}

static unsigned kernel_lacking(const struct pdt_module *m, const struct pdt_session *s)
{
	return (lacks_names(m) && !has_source(m, s) ? LACKS_KALLSYMS : 0) |
	       (pdt_module_text(m, PDT_MODULE_DEBUG) ? 0 : LACKS_LINES);
}

/* vmlinux does not have its symbols. */
static unsigned kmodule_lacking(const struct pdt_module *m, const struct pdt_session *s)
{
	return lacks_names(m) && !pdt_module_number(m, PDT_MODULE_NAMED) ? LACKS_KALLSYMS : 0;
}

static unsigned jit_lacking(const struct pdt_module *m, const struct pdt_session *s)
{
	return lacks_names(m) && !has_source(m, s) ? LACKS_PERF_MAP : 0;
}

static unsigned guest_lacking(const struct pdt_module *m, const struct pdt_session *s)
{
	return lacks_names(m) && !has_source(m, s) ? LACKS_GUEST : 0;
}

static void file_package(const struct distro *d, const struct pdt_module *m, const char *osrelease,
			 struct buf *out)
{
	struct build_id id = module_id(m);

	if (id.len > 1)
		distro_package(d, &id, out);
}

static void kernel_package(const struct distro *d, const struct pdt_module *m,
			   const char *osrelease, struct buf *out)
{
	distro_kernel_package(d, osrelease, out);
}

/* What may be missing of a kind of module, and who has it. */
static const struct kind {
	unsigned (*lacking)(const struct pdt_module *m, const struct pdt_session *s);
	bool has_id, on_servers; /* debuginfod has its files */
	void (*package)(const struct distro *d, const struct pdt_module *m, const char *osrelease,
			struct buf *out);
} by_kind[] = {
	[PDT_MODULE_FILE] = { file_lacking, true, true, file_package },
	[PDT_MODULE_VDSO] = { file_lacking, true, false, NULL },
	[PDT_MODULE_KERNEL] = { kernel_lacking, true, true, kernel_package },
	[PDT_MODULE_KMODULE] = { kmodule_lacking, true, false, NULL },
	[PDT_MODULE_JIT] = { jit_lacking, false, false, NULL },
	[PDT_MODULE_BPF] = { 0 },
	[PDT_MODULE_JITDUMP] = { 0 },
	[PDT_MODULE_GUEST] = { guest_lacking, false, false, NULL },
};

static const struct kind *kind_of(const struct pdt_module *m)
{
	return &by_kind[pdt_module_number(m, PDT_MODULE_KIND)];
}

unsigned module_lacking(const struct pdt_module *m, const struct pdt_session *s)
{
	unsigned lacks = kind_of(m)->lacking ? kind_of(m)->lacking(m, s) : 0;

	return lacks | (pdt_module_text(m, PDT_MODULE_ALTERNATE) ? LACKS_ALTERNATE : 0) |
	       (pdt_module_text(m, PDT_MODULE_SPLIT) ? LACKS_SPLIT : 0) |
	       (pdt_module_text(m, PDT_MODULE_UNREADABLE) ? LACKS_READABLE : 0);
}

void module_lacks(const struct pdt_module *m, const struct pdt_session *s, struct buf *out)
{
	static const struct {
		unsigned bit;
		const char *text;
	} words[] = {
		{ LACKS_SYMBOLS, "symbols" },	       { LACKS_SYMTAB, "static symbols" },
		{ LACKS_KALLSYMS, "kallsyms" },	       { LACKS_PERF_MAP, "perf map" },
		{ LACKS_UNWIND, "unwind tables" },     { LACKS_LINES, "line info" },
		{ LACKS_ALTERNATE, "alternate file" }, { LACKS_SPLIT, "split DWARF" },
		{ LACKS_READABLE, "readable DWARF" },  { LACKS_GUEST, "guest kallsyms" },
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

bool module_has_id(const struct pdt_module *m)
{
	return kind_of(m)->has_id;
}

const char *module_arch(const struct pdt_module *m, const struct pdt_session *s)
{
	static const struct {
		uint16_t machine;
		const char *name;
	} names[] = {
		{ EM_386, "i386" },	   { EM_X86_64, "x86_64" },
		{ EM_ARM, "arm" },	   { EM_S390, "s390x" },
		{ EM_AARCH64, "aarch64" }, { EM_PPC, "ppc" },
		{ EM_PPC64, "ppc64" },	   { EM_RISCV, "riscv" },
		{ EM_MIPS, "mips" },	   { EM_SPARC, "sparc" },
		{ EM_SPARCV9, "sparc64" }, { 258, "loongarch" }, /* EM_LOONGARCH */
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (pdt_module_number(m, PDT_MODULE_MACHINE) == names[i].machine)
			return names[i].name;
	}
	return pdt_text(s, PDT_ARCH);
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

void module_tar(const struct pdt_module *m, unsigned lacks, struct buf *out)
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

void module_debuginfod(const struct pdt_module *m, struct buf *out)
{
	struct build_id recorded = module_id(m);
	char id[2 * BUILD_ID_MAX + 1];

	build_id_text(&recorded, id);
	if (id[0] && kind_of(m)->on_servers)
		buf_printf(out, "debuginfod-find debuginfo %s", id);
}

void module_package(const struct pdt_module *m, const struct pdt_session *s, struct buf *out)
{
	const char *release = pdt_text(s, PDT_OSRELEASE);
	const struct distro *d = distro_of(release);

	if (d && kind_of(m)->package)
		kind_of(m)->package(d, m, release, out);
}
