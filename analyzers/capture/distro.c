/* The distributions, one row each: the mark that its kernels carry in their release, and its
 * commands as forms to be filled in. Only text is made; no word of a capture gets into a
 * command unless it is safe in a shell. */
#include "analyzers/capture/distro.h"
#include "parser/base/mem.h"

#include <string.h>

static const struct distro debian = {
	"Debian",
	"https://debuginfod.debian.net",
	"grep-aptavail -n -s Package -F Build-IDs %I",
	"apt install linux-image-%K-dbg",
	"packages NAME-dbgsym are in the archive debian-debug, suite SUITE-debug; "
	"grep-aptavail is in dctrl-tools; on the recording machine find-dbgsym-packages FILE "
	"names them, too",
};

static const struct distro ubuntu = {
	"Ubuntu",
	"https://debuginfod.ubuntu.com",
	"grep-aptavail -n -s Package -F Build-IDs %I",
	"apt install linux-image-unsigned-%K-dbgsym",
	"packages NAME-dbgsym are in the archive http://ddebs.ubuntu.com; grep-aptavail is in "
	"dctrl-tools; on the recording machine find-dbgsym-packages FILE names them, too",
};

static const struct distro fedora = {
	"Fedora",
	"https://debuginfod.fedoraproject.org",
	"dnf --enablerepo='*debug*' install /usr/lib/debug/.build-id/%2/%R.debug",
	"dnf debuginfo-install kernel-%K",
	NULL,
};

static const struct distro rhel = {
	"Red Hat Enterprise Linux or a relative",
	"https://debuginfod.centos.org",
	"dnf --enablerepo='*debug*' install /usr/lib/debug/.build-id/%2/%R.debug",
	"dnf debuginfo-install kernel-%K",
	NULL,
};

static const struct distro amazon = {
	"Amazon Linux",
	NULL,
	"dnf --enablerepo='*debug*' install /usr/lib/debug/.build-id/%2/%R.debug",
	"dnf debuginfo-install kernel-%K",
	NULL,
};

static const struct distro suse = {
	"SUSE",
	"https://debuginfod.opensuse.org",
	"zypper install -C 'debuginfo(build-id)=%I'",
	"zypper install kernel-%F-debuginfo",
	NULL,
};

static const struct distro arch = {
	"Arch Linux", "https://debuginfod.archlinux.org", NULL, NULL, NULL,
};

/* Part of a kernel's release, from the surest on. A suffix ends it. */
static const struct {
	const char *part;
	bool suffix;
	const struct distro *distro;
} marks[] = {
	{ ".fc", false, &fedora },	    { ".el", false, &rhel },
	{ ".amzn", false, &amazon },	    { "-arch", false, &arch },
	{ "-default", true, &suse },	    { "-preempt", true, &suse },
	{ "-generic", true, &ubuntu },	    { "-generic-64k", true, &ubuntu },
	{ "-generic-lpae", true, &ubuntu }, { "-lowlatency", true, &ubuntu },
	{ "-aws", true, &ubuntu },	    { "-azure", true, &ubuntu },
	{ "-gcp", true, &ubuntu },	    { "-oracle", true, &ubuntu },
	{ "-kvm", true, &ubuntu },	    { "-raspi", true, &ubuntu },
	{ "-amd64", true, &debian },	    { "-arm64", true, &debian },
	{ "-686", true, &debian },	    { "-686-pae", true, &debian },
	{ "-armmp", true, &debian },	    { "-armmp-lpae", true, &debian },
	{ "-s390x", true, &debian },	    { "-powerpc64le", true, &debian },
	{ "-riscv64", true, &debian },	    { "-loong64", true, &debian },
};

/* It becomes a word of a command, so it must be one. */
static bool is_word(const char *s)
{
	return *s != '-' && !s[strspn(s, "0123456789abcdefghijklmnopqrstuvwxyz"
					 "ABCDEFGHIJKLMNOPQRSTUVWXYZ.+_~-")];
}

const struct distro *distro_of(const char *release)
{
	if (!release || !is_word(release))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		const char *at = strstr(release, marks[i].part);
		size_t len = strlen(marks[i].part), all = strlen(release);

		if (marks[i].suffix ? all > len && !strcmp(release + all - len, marks[i].part)
				    : at != NULL)
			return marks[i].distro;
	}
	return NULL;
}

/* FORM with %X replaced by words['X']. */
static void expand(const char *form, const char *const words[128], struct buf *out)
{
	for (; form && *form; form++) {
		const char *word = *form == '%' ? words[form[1] & 127] : NULL;

		if (word) {
			buf_str(out, word);
			form++;
		} else {
			buf_char(out, *form);
		}
	}
}

void distro_package(const struct distro *d, const struct build_id *id, struct buf *out)
{
	char hex[2 * BUILD_ID_MAX + 1], first[3] = { 0 };

	build_id_text(id, hex);
	memcpy(first, hex, 2);
	expand(d->package, (const char *const[128]){ ['I'] = hex, ['2'] = first, ['R'] = hex + 2 },
	       out);
}

void distro_kernel_package(const struct distro *d, const char *release, struct buf *out)
{
	const char *flavour = strrchr(release, '-');

	expand(d->kernel,
	       (const char *const[128]){ ['K'] = release, ['F'] = flavour ? flavour + 1 : release },
	       out);
}
