/* The text of /proc/modules: a module a line, "NAME SIZE REFERENCES USERS STATE ADDRESS [TAINT]"
 * (kernel/module/procfs.c: m_show()). The address is 0 for who may not see it. */
#include "parser/names/kernel/procmodules.h"
#include "parser/base/mem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LINE_MAX_LEN 4096
#define FIELDS	     6
#define MODULES_MAX  65536

/* NAME in brackets, as mappings have it. */
static bool take_line(struct machine *m, char *line)
{
	char *field[FIELDS], *rest = line, *end;
	char name[LINE_MAX_LEN + 2];
	uint64_t size, start;
	int n;

	for (size_t i = 0; i < FIELDS; i++) {
		field[i] = strtok_r(NULL, " \n", &rest);
		if (!field[i])
			return false;
	}
	size = strtoull(field[1], &end, 10);
	if (*end || !size)
		return false;
	start = strtoull(field[5], &end, 16);
	if (*end || !start)
		return false;
	n = snprintf(name, sizeof(name), "[%s]", field[0]);
	machine_map_guest(m, (struct text){ name, (size_t)n }, start, size);
	return true;
}

/* NULL: errno says why. */
static FILE *open_text(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return NULL;
	if (S_ISREG(st.st_mode))
		return fopen(path, "re");
	errno = EINVAL;
	return NULL;
}

void procmodules_load(struct machine *m, const char *path, struct warnings *w)
{
	FILE *f = open_text(path);
	char line[LINE_MAX_LEN];
	size_t found = 0;
	int error = f ? 0 : errno;

	for (unsigned i = 0; f && i < MODULES_MAX && fgets(line, sizeof(line), f); i++)
		found += take_line(m, line);
	if (f && ferror(f))
		error = errno;
	if (error)
		warn_add(w, SEV_FAILED, "guest-modules", "%s: %s, after %zu modules", path,
			 strerror(error), found);
	else if (!found)
		warn_add(w, SEV_FAILED, "guest-modules", "%s: %s", path,
			 "has no modules with their addresses, as /proc/modules has for root");
	if (f)
		fclose(f);
}
