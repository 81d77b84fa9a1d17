/* Parse filter text. */
#include "parser/filter.h"
#include "parser/base/mem.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NAME_FILE_MAX (16l << 20)
#define NS	      1000000000ull
#define DAY	      (86400 * NS)

void name_list_release(struct name_list *l)
{
	for (size_t i = 0; i < l->count; i++)
		free(l->list[i]);
	free(l->list);
}

static void num_add(struct num_list *l, uint64_t lo, uint64_t hi)
{
	l->list = xrealloc(l->list, (l->count + 1) * sizeof(*l->list));
	l->list[l->count++] = (struct num_range){ lo, hi };
}

int num_list_parse(struct num_list *l, const char *text)
{
	do {
		char *end;
		uint64_t lo, hi;

		if (*text < '0' || *text > '9')
			return ERR_USAGE;
		lo = hi = strtoull(text, &end, 10);
		if (*end == '-') {
			if (end[1] < '0' || end[1] > '9')
				return ERR_USAGE;
			hi = strtoull(end + 1, &end, 10);
		}
		if ((*end && *end != ',') || hi < lo)
			return ERR_USAGE;
		num_add(l, lo, hi);
		text = end + (*end == ',');
	} while (*text);
	return 0;
}

static void add_name(struct name_list *l, const char *text, size_t len)
{
	if (!len)
		return;
	l->list = xrealloc(l->list, (l->count + 1) * sizeof(*l->list));
	l->list[l->count++] = strndup(text, len);
}

static void add_names(struct name_list *l, const char *text, const char *sep)
{
	while (*text) {
		size_t n = strcspn(text, sep);

		add_name(l, text, n);
		text += n + (text[n] != '\0');
	}
}

/* Up to a comma that is not between two slashes. */
static void add_events(struct name_list *l, const char *text)
{
	bool inside = false;
	size_t n = 0;

	for (; text[n]; n++) {
		inside ^= text[n] == '/';
		if (text[n] != ',' || inside)
			continue;
		add_name(l, text, n);
		text += n + 1;
		n = (size_t)-1;
	}
	add_name(l, text, n);
}

/* 1: TEXT is the name of a file of names; 0: it is none; negative: errno says why it cannot be
 * read. */
static int add_from_file(struct name_list *l, const char *text)
{
	static const char scheme[] = "file://";
	FILE *f;
	char *data;
	size_t n;
	int error;

	if (strncmp(text, scheme, sizeof(scheme) - 1))
		return 0;
	f = fopen(text + sizeof(scheme) - 1, "re");
	if (!f)
		return ERR_IO;
	data = xmalloc(NAME_FILE_MAX + 1);
	n = fread(data, 1, NAME_FILE_MAX, f);
	error = ferror(f) ? errno : 0;
	data[n] = '\0';
	fclose(f);
	if (!error)
		add_names(l, data, "\r\n");
	free(data);
	errno = error;
	return error ? ERR_IO : 1;
}

int name_list_parse(struct name_list *l, const char *text)
{
	int rc = add_from_file(l, text);

	if (rc == 0)
		add_names(l, text, ",");
	return rc < 0 ? rc : rc || l->count ? 0 : ERR_USAGE;
}

int event_names_parse(struct name_list *l, const char *text)
{
	int rc = add_from_file(l, text);

	if (rc == 0)
		add_events(l, text);
	return rc < 0 ? rc : rc || l->count ? 0 : ERR_USAGE;
}

uint64_t num_list_within(const struct num_list *l, uint64_t lo, uint64_t hi)
{
	uint64_t sum = l->count ? 0 : hi - lo;

	for (size_t i = 0; i < l->count; i++) {
		uint64_t from = lo > l->list[i].lo ? lo : l->list[i].lo;
		uint64_t to = hi < l->list[i].hi ? hi : l->list[i].hi;

		sum += from < to ? to - from : 0;
	}
	return sum;
}

bool name_list_has(const struct name_list *l, const char *name)
{
	for (size_t i = 0; i < l->count; i++) {
		if (!strcmp(l->list[i], name))
			return true;
	}
	return false;
}

bool is_pattern(const char *text)
{
	return strpbrk(text, "*?[") != NULL;
}

bool name_list_matches(const struct name_list *l, const char *name)
{
	for (size_t i = 0; i < l->count; i++) {
		if (!strcmp(l->list[i], name) ||
		    (is_pattern(l->list[i]) && !fnmatch(l->list[i], name, 0)))
			return true;
	}
	return false;
}

bool filter_module(const struct filter *f, const char *module)
{
	const char *slash = module ? strrchr(module, '/') : NULL;

	return !f->dsos.count ||
	       (module && (name_list_has(&f->dsos, module) ||
			   (slash && slash[1] && name_list_has(&f->dsos, slash + 1))));
}

bool filter_function(const struct filter *f, const char *shown, const char *symbol)
{
	return name_list_passes(&f->symbols, shown) || name_list_passes(&f->symbols, symbol);
}

/* "+A" and "-A" count from the first and the last sample; elsewhere the signs belong to dates. */
static bool is_relative(const char *s, const char *end)
{
	return s < end && (*s == '+' || *s == '-');
}

bool time_needs_span(const char *text)
{
	const char *end = text + strlen(text);

	for (const char *p = text; p < end; p += strcspn(p, " ,") + 1) {
		if (is_relative(p, end))
			return true;
	}
	return strchr(text, '%') != NULL;
}

/* Without the rounding of floating point. */
int seconds_parse(const char *s, size_t len, uint64_t *ns)
{
	const char *end = s + len;
	uint64_t v = 0, frac = 0, unit = NS;

	if (s == end)
		return ERR_USAGE;
	for (; s < end && *s >= '0' && *s <= '9'; s++) {
		if (v > UINT64_MAX / 10 / NS)
			return ERR_USAGE;
		v = v * 10 + (uint64_t)(*s - '0');
	}
	if (s < end && *s == '.') {
		for (s++; s < end && *s >= '0' && *s <= '9'; s++) {
			unit /= 10;
			frac += unit * (uint64_t)(*s - '0');
		}
	}
	if (v > (UINT64_MAX - frac) / NS)
		return ERR_USAGE;
	*ns = v * NS + frac;
	return s == end ? 0 : ERR_USAGE;
}

int wall_parse(const char *s, size_t len, uint64_t *wall_ns)
{
	struct tm tm = { 0 };
	char text[64];
	const char *rest;
	uint64_t frac = 0, unit = NS;
	long offset = 0;
	time_t seconds;
	int h, m;
	char sign;

	if (len >= sizeof(text))
		return ERR_USAGE;
	memcpy(text, s, len);
	text[len] = '\0';
	rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	if (!rest)
		return ERR_USAGE;
	if (*rest == '.') {
		for (rest++; *rest >= '0' && *rest <= '9'; rest++) {
			unit /= 10;
			frac += unit * (uint64_t)(*rest - '0');
		}
	}
	if (sscanf(rest, "%c%2d:%2d", &sign, &h, &m) == 3 && (sign == '+' || sign == '-'))
		offset = (h * 3600l + m * 60l) * (sign == '+' ? 1 : -1);
	else if (*rest && strcmp(rest, "Z"))
		return ERR_USAGE;
	seconds = timegm(&tm) - offset;
	if (seconds < 0 || (uint64_t)seconds > UINT64_MAX / NS - 1)
		return ERR_USAGE;
	*wall_ns = (uint64_t)seconds * NS + frac;
	return 0;
}

/* A time without a date: of the days on which it may be, that nearest to the first sample. */
static int parse_time_of_day(const char *s, size_t len, const struct time_base *b, uint64_t *wall)
{
	uint64_t first = b->wall_ns + (b->first_ns ? b->first_ns - b->clock_ns : 0);
	time_t seconds = (time_t)(first / NS);
	char text[64];
	struct tm day;
	size_t n;
	int rc;

	if (!gmtime_r(&seconds, &day) || len > 32)
		return ERR_USAGE;
	n = strftime(text, sizeof(text), "%Y-%m-%dT", &day);
	memcpy(text + n, s, len);
	rc = wall_parse(text, n + len, wall);
	if (rc == 0 && *wall + DAY / 2 < first)
		*wall += DAY;
	else if (rc == 0 && *wall > first + DAY / 2)
		*wall -= DAY;
	return rc;
}

static int parse_wall(const char *s, const char *end, const struct time_base *b, uint64_t *ns)
{
	size_t len = (size_t)(end - s);
	uint64_t wall;
	int rc = memchr(s, 'T', len) ? wall_parse(s, len, &wall)
				     : parse_time_of_day(s, len, b, &wall);

	if (rc < 0)
		return rc;
	if (!b->has_wall)
		return ERR_ABSENT;
	/* an instant before the clock began is its beginning */
	if (wall < b->wall_ns)
		*ns = b->clock_ns > b->wall_ns - wall ? b->clock_ns - (b->wall_ns - wall) : 0;
	else if (wall - b->wall_ns > UINT64_MAX - b->clock_ns)
		return ERR_USAGE;
	else
		*ns = b->clock_ns + (wall - b->wall_ns);
	return 0;
}

static int parse_relative(const char *s, const char *end, const struct time_base *b, uint64_t *ns)
{
	uint64_t off;
	int rc = seconds_parse(s + 1, (size_t)(end - s) - 1, &off);

	if (rc == 0 && *s == '+')
		*ns = off > UINT64_MAX - b->first_ns ? UINT64_MAX : b->first_ns + off;
	else if (rc == 0)
		*ns = off < b->last_ns ? b->last_ns - off : 0;
	return rc;
}

static int parse_instant(const char *s, const char *end, const struct time_base *b, uint64_t *ns)
{
	if (is_relative(s, end))
		return parse_relative(s, end, b, ns);
	return memchr(s, ':', (size_t)(end - s)) ? parse_wall(s, end, b, ns)
						 : seconds_parse(s, (size_t)(end - s), ns);
}

/* "A,B" with either side open. */
static int parse_range(struct num_list *out, const char *s, const char *end,
		       const struct time_base *b)
{
	const char *comma = memchr(s, ',', (size_t)(end - s));
	uint64_t lo = 0, hi = UINT64_MAX;
	int rc = 0;

	if (!comma)
		return ERR_USAGE;
	if (comma > s)
		rc = parse_instant(s, comma, b, &lo);
	if (!rc && comma + 1 < end)
		rc = parse_instant(comma + 1, end, b, &hi);
	if (!rc && lo <= hi)
		num_add(out, lo, hi);
	return rc ? rc : lo <= hi ? 0 : ERR_USAGE;
}

static uint64_t share(const struct time_base *b, double percent)
{
	if (percent >= 100 || b->last_ns < b->first_ns)
		return b->last_ns;
	return b->first_ns + (uint64_t)((double)(b->last_ns - b->first_ns) * percent / 100);
}

/* "10%/2": the second slice of 10 %; "a%-b%[,...]". The last slice includes the last sample. */
static int parse_percent(struct num_list *out, const char *s, const struct time_base *b)
{
	while (*s) {
		char *end;
		uint64_t to;
		double lo, hi = strtod(s, &end);

		if (end == s || *end != '%' || !(hi >= 0 && hi <= 100))
			return ERR_USAGE;
		if (end[1] == '/') {
			unsigned long n = strtoul(end + 2, &end, 10);

			if (n < 1 || hi * (double)(n - 1) >= 100)
				return ERR_USAGE;
			lo = hi * (double)(n - 1);
			hi = hi * (double)n;
		} else if (end[1] == '-') {
			lo = hi;
			s = end + 2;
			hi = strtod(s, &end);
			if (end == s || *end++ != '%' || !(hi >= lo && hi <= 100))
				return ERR_USAGE;
		} else {
			return ERR_USAGE;
		}
		if (*end && *end != ',')
			return ERR_USAGE;
		to = share(b, hi);
		num_add(out, share(b, lo), to - (hi < 100 && to));
		s = end + (*end == ',');
	}
	return out->count ? 0 : ERR_USAGE;
}

/* The colon in the middle of those from TEXT up to END; NULL: they come in pairs, as in a time of
 * day. */
static char *middle_colon(char *text, const char *end)
{
	size_t count = 0, i = 0;

	for (const char *p = text; p < end; p++)
		count += *p == ':';
	for (char *p = text; count % 2 && p < end; p++) {
		if (*p == ':' && i++ == count / 2)
			return p;
	}
	return NULL;
}

size_t time_split(char *text)
{
	bool percent = strchr(text, '%') != NULL;
	size_t parts = 1;
	char *p = percent ? text : strchr(text, ',');

	while (p && *p) {
		char *next = percent ? strchr(p, ':') : p + 1 + strcspn(p + 1, ",");
		char *colon = percent ? next : middle_colon(p, next);

		if (colon) {
			*colon = '\0';
			parts++;
		}
		p = percent && colon ? colon + 1 : percent ? NULL : next;
	}
	return parts;
}

int time_parse(struct num_list *out, const char *text, const struct time_base *b)
{
	if (time_needs_span(text) && !b->last_ns)
		return ERR_ABSENT;
	if (strchr(text, '%'))
		return parse_percent(out, text, b);
	while (*text) {
		size_t n = strcspn(text, " ");
		int rc = n ? parse_range(out, text, text + n, b) : 0;

		if (rc)
			return rc;
		text += n + (text[n] != '\0');
	}
	return out->count ? 0 : ERR_USAGE;
}
