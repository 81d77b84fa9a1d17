/* Names of files, as text. */
#ifndef PDTOOL_BASE_PATH_H
#define PDTOOL_BASE_PATH_H

#include <string.h>

/* What follows the last slash, unless that is nothing. */
static inline const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

#endif
