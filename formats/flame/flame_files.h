/* The two files that flamegraph.pl reads: palettes kept from run to run, and attributes of frames
 * by the function's name. */
#ifndef PDTOOL_FLAME_FILES_H
#define PDTOOL_FLAME_FILES_H

#include <stdbool.h>

#include "formats/flame/flame_colors.h"
#include "formats/out.h"
#include "parser/base/buf.h"
#include "parser/base/err.h"
#include "parser/base/intern.h"

/* ---- --cp: lines "NAME->rgb(R,G,B)" ---- */

struct palette_file {
	const char *path; /* NULL: there is none, and every name is new */
	struct intern names;
	rgb *colors; /* by name */
	size_t cap;
	size_t read; /* names that the file had */
};

/* flame_color(), unless the file has another for the name; new ones are kept in it. */
rgb palette_file_color(struct palette_file *f, const struct drawing *d, const struct painted *p,
		       uint32_t *drawn);
/* Write it again if there are new names, to be put in its place with the output O; what fails is
 * O's error. */
void palette_file_write(const struct palette_file *f, struct out *o);

/* ---- --nameattr: lines "NAME<tab>ATTRIBUTE=VALUE<tab>..." ---- */

enum attribute { ATTR_TITLE, ATTR_ID, ATTR_CLASS, ATTR_HREF, ATTR_TARGET, ATTRIBUTES };

struct name_attribute {
	const char *name, *text[ATTRIBUTES]; /* NULL where it is not given */
};

struct name_attributes {
	struct buf text;	     /* the file, its separators made into ends of strings */
	struct name_attribute *list; /* sorted by name */
	size_t count, cap;
};

/* NULL: it has none. */
const struct name_attribute *name_attributes_find(const struct name_attributes *a,
						  const char *name);
/* Begin the element that holds a frame; returns what ends it. ATTR may be NULL. */
const char *name_attribute_open(const struct name_attribute *attr, struct out *o);

/* ---- both ---- */

struct flame_files {
	struct palette_file palette;
	struct name_attributes attributes;
};

/* Read what D names; a missing palette is an empty one. Release F also on failure. W may be NULL.
 */
CHECKED int flame_files_read(struct flame_files *f, const struct drawing *d, struct warnings *w);
void flame_files_release(struct flame_files *f);

#endif
