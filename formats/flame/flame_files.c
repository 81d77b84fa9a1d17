/* Reads palette.map and the file of name attributes. They are the user's own, but bounded. */
#include "formats/flame/flame_files.h"
#include "parser/base/mem.h"
#include "parser/base/newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX_BYTES (256u << 20)

/* All of a regular file, with a NUL behind it: 0, or an errno. */
static int read_whole(const char *path, struct buf *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	ssize_t n = 0;
	int error = 0;

	if (fd < 0 || fstat(fd, &st) < 0)
		error = errno;
	else if (!S_ISREG(st.st_mode) || st.st_size > FILE_MAX_BYTES)
		error = S_ISREG(st.st_mode) ? EFBIG : EINVAL;
	while (!error && (n = read(fd, buf_reserve(out, 65536), 65536)) > 0)
		out->len += (size_t)n;
	if (n < 0)
		error = errno;
	if (fd >= 0)
		close(fd);
	buf_str(out, "");
	return error;
}

static int cannot(struct warnings *w, const char *option, const char *path, const char *why)
{
	if (w)
		warn_add(w, SEV_FATAL, "usage", "--%s %s: %s", option, path, why);
	return ERR_USAGE;
}

static int cannot_read(struct warnings *w, const char *option, const char *path, int error)
{
	return cannot(w, option, path, error == EINVAL ? "not a regular file" : strerror(error));
}

/* Of structs that begin with their name. */
static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The text up to the next newline, which is overwritten; NULL at the end. */
static char *next_line(char **at)
{
	char *line = *at, *eol;

	if (!*line)
		return NULL;
	eol = strchr(line, '\n');
	*at = eol ? eol + 1 : line + strlen(line);
	if (eol)
		*eol = '\0';
	return line;
}

/* ---- palettes ---- */

/* The colour of NAME; one that is not known is RGB_NONE. */
static rgb *palette_entry(struct palette_file *f, const char *name)
{
	size_t known = f->names.count;
	uint32_t id = intern_add(&f->names, name, strlen(name));

	f->colors = xgrow(f->colors, &f->cap, id + 1, sizeof(*f->colors));
	if (id == known)
		f->colors[id] = RGB_NONE;
	return &f->colors[id];
}

rgb palette_file_color(struct palette_file *f, const struct drawing *d, const struct painted *p,
		       uint32_t *drawn)
{
	rgb *color;

	if (!f->path || !strcmp(p->name, "-") || !strcmp(p->name, "--"))
		return flame_color(d, p, drawn);
	color = palette_entry(f, p->name);
	if (*color == RGB_NONE)
		*color = flame_color(d, p, drawn);
	return *color;
}

static bool parse_color(const char *text, rgb *out)
{
	unsigned r, g, b;
	int end = 0;

	if (sscanf(text, "rgb(%3u,%3u,%3u)%n", &r, &g, &b, &end) != 3 || !end || text[end] ||
	    r > 255 || g > 255 || b > 255)
		return false;
	*out = r << 16 | g << 8 | b;
	return true;
}

static int palette_file_read(struct palette_file *f, const char *path, struct warnings *w)
{
	struct buf text = { 0 };
	char *at, *line;
	int error = read_whole(path, &text), rc = 0;

	intern_init(&f->names);
	f->path = path;
	if (error && error != ENOENT)
		rc = cannot_read(w, "cp", path, error);
	at = text.data;
	while (rc == 0 && (line = next_line(&at))) {
		char *arrow = strstr(line, "->rgb(");
		rgb color;

		if (!arrow || !parse_color(arrow + 2, &color)) {
			rc = cannot(w, "cp", path,
				    "not a palette: expected lines NAME->rgb(R,G,B)");
			break;
		}
		*arrow = '\0';
		*palette_entry(f, line) = color;
	}
	f->read = f->names.count;
	buf_release(&text);
	return rc;
}

static void write_palette(const struct palette_file *f, struct out *o)
{
	size_t n = f->names.count;
	const char **names = xmalloc(n * sizeof(*names));

	for (size_t i = 0; i < n; i++)
		names[i] = intern_str(&f->names, (uint32_t)i);
	qsort(names, n, sizeof(*names), by_name);
	for (size_t i = 0; i < n; i++) {
		rgb c = f->colors[intern_find(&f->names, names[i], strlen(names[i]))];

		out_str(o, names[i]); /* as it is: it is read again */
		out_put(o, "->rgb(%u,%u,%u)\n", c >> 16, c >> 8 & 255, c & 255);
	}
	free(names);
}

void palette_file_write(const struct palette_file *f, struct out *o)
{
	struct newfile *file;
	struct out to;

	if (o->error || !f->path || f->names.count == f->read)
		return;
	file = xmalloc(sizeof(*file));
	o->error = newfile_open(file, f->path);
	if (!o->error) {
		out_init(&to, file->fd);
		write_palette(f, &to);
		o->error = out_finish(&to);
		if (!o->error) {
			o->beside = file;
			return;
		}
		newfile_discard(file);
	}
	free(file);
}

/* ---- attributes ---- */

/* Links must not run anything: pages and mail, and places relative to the drawing. */
static bool is_harmless(const char *href)
{
	size_t scheme = strcspn(href, ":/?#");

	return href[scheme] != ':' || !strncasecmp(href, "http:", 5) ||
	       !strncasecmp(href, "https:", 6) || !strncasecmp(href, "mailto:", 7);
}

/* g_extra and a_extra would put raw text into the picture. */
static bool set_attribute(struct name_attribute *a, char *text)
{
	static const char *const known[] = { "title", "id", "class", "href", "target" };
	char *value = strchr(text, '=');

	if (!value)
		return false;
	*value++ = '\0';
	for (size_t i = 0; i < ATTRIBUTES; i++) {
		if (strcmp(known[i], text))
			continue;
		a->text[i] = value;
		return i != ATTR_HREF || is_harmless(value);
	}
	return false;
}

static bool parse_attributes(struct name_attribute *a, char *line)
{
	char *tab = strchr(line, '\t');

	*a = (struct name_attribute){ .name = line };
	if (!tab)
		return false;
	while (tab) {
		char *next = strchr(tab + 1, '\t');

		*tab = '\0';
		if (next)
			*next = '\0';
		if (!set_attribute(a, tab + 1))
			return false;
		tab = next;
	}
	return true;
}

static int name_attributes_read(struct name_attributes *a, const char *path, struct warnings *w)
{
	char *at, *line;
	int error = read_whole(path, &a->text);

	if (error)
		return cannot_read(w, "nameattr", path, error);
	at = a->text.data;
	while ((line = next_line(&at))) {
		a->list = xgrow(a->list, &a->cap, a->count + 1, sizeof(*a->list));
		if (!parse_attributes(&a->list[a->count], line))
			return cannot(w, "nameattr", path,
				      "expected lines NAME<tab>ATTRIBUTE=VALUE..., with title, id, "
				      "class, href (http, https or mailto) and target");
		a->count++;
	}
	if (a->count)
		qsort(a->list, a->count, sizeof(*a->list), by_name);
	return 0;
}

const struct name_attribute *name_attributes_find(const struct name_attributes *a, const char *name)
{
	const struct name_attribute key = { .name = name };

	return a->count ? bsearch(&key, a->list, a->count, sizeof(*a->list), by_name) : NULL;
}

const char *name_attribute_open(const struct name_attribute *attr, struct out *o)
{
	static const char *const none[ATTRIBUTES];
	const char *const *text = attr ? attr->text : none;

	out_str(o, text[ATTR_HREF] ? "<a" : "<g");
	/* what the script must keep when it draws anew */
	out_str(o, text[ATTR_TITLE] || text[ATTR_HREF] ? " data-own=\"1\"" : "");
	if (text[ATTR_ID])
		out_put(o, " id=\"%s\"", text[ATTR_ID]);
	if (text[ATTR_CLASS])
		out_put(o, " class=\"%s\"", text[ATTR_CLASS]);
	if (text[ATTR_HREF])
		out_put(o, " xlink:href=\"%s\" target=\"%s\"", text[ATTR_HREF],
			text[ATTR_TARGET] ?: "_top");
	out_str(o, ">");
	return text[ATTR_HREF] ? "</a>\n" : "</g>\n";
}

/* ---- both ---- */

int flame_files_read(struct flame_files *f, const struct drawing *d, struct warnings *w)
{
	int rc = 0;

	memset(f, 0, sizeof(*f));
	if (d->palette_path)
		rc = palette_file_read(&f->palette, d->palette_path, w);
	if (rc == 0 && d->attributes_path)
		rc = name_attributes_read(&f->attributes, d->attributes_path, w);
	return rc;
}

void flame_files_release(struct flame_files *f)
{
	if (f->palette.path)
		intern_release(&f->palette.names);
	free(f->palette.colors);
	buf_release(&f->attributes.text);
	free(f->attributes.list);
}
