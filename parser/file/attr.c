/* Decode perf_event_attr of any size from 64 bytes up, and keep the list of events by id. */
#include "parser/file/attr.h"
#include "parser/file/header.h"
#include "parser/file/source.h"
#include "parser/base/mem.h"
#include "parser/base/abi.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ATTR_SIZE_MIN  64
#define ATTR_SIZE_MAX  4096
#define ATTRS_MAX      (64u << 20) /* bytes of the attr section that are believed */
#define IDS_MAX	       (1u << 20)  /* ids of one event */
#define MODIFIERS_ROOM 16

static uint64_t bit_reverse(uint64_t v)
{
	v = (v >> 1 & 0x5555555555555555) | (v & 0x5555555555555555) << 1;
	v = (v >> 2 & 0x3333333333333333) | (v & 0x3333333333333333) << 2;
	v = (v >> 4 & 0x0f0f0f0f0f0f0f0f) | (v & 0x0f0f0f0f0f0f0f0f) << 4;
	return __builtin_bswap64(v);
}

int attr_decode(struct event_attr *a, struct cursor *c, bool big)
{
	struct cursor whole = *c;
	struct cursor f;

	memset(a, 0, sizeof(*a));
	a->type = cursor_u32(&whole);
	a->size = cursor_u32(&whole);
	if (cursor_left(c) < ATTR_SIZE_MIN)
		return ERR_FORMAT;
	if (a->size < ATTR_SIZE_MIN || a->size > cursor_left(c))
		a->size = (uint32_t)cursor_left(c);
	f = cursor_sub(c, a->size);
	cursor_skip(&f, 8);
	a->config = cursor_u64(&f);
	a->sample_period = cursor_u64(&f);
	a->sample_type = cursor_u64(&f);
	a->read_format = cursor_u64(&f);
	a->flags = cursor_u64(&f);
	if (big)
		a->flags = bit_reverse(a->flags);
	cursor_skip(&f, 8); /* wakeup, bp_type */
	a->config1 = cursor_u64(&f);
	a->config2 = cursor_u64(&f); /* from here on: 0 when the attr is older than the field */
	a->branch_sample_type = cursor_u64(&f);
	a->regs_user = cursor_u64(&f);
	a->stack_user = cursor_u32(&f);
	a->clockid = (int32_t)cursor_u32(&f);
	a->regs_intr = cursor_u64(&f);
	return 0;
}

static const char *const hardware_names[] = {
	"cycles",
	"instructions",
	"cache-references",
	"cache-misses",
	"branches",
	"branch-misses",
	"bus-cycles",
	"stalled-cycles-frontend",
	"stalled-cycles-backend",
	"ref-cycles",
};
static const char *const software_names[] = {
	"cpu-clock",	    "task-clock",   "page-faults",  "context-switches",
	"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
	"emulation-faults", "dummy",	    "bpf-output",   "cgroup-switches",
};

static const char *well_known_name(const struct event_attr *a)
{
	if (a->type == 0 && a->config < ARRAY_SIZE(hardware_names))
		return hardware_names[a->config];
	if (a->type == 1 && a->config < ARRAY_SIZE(software_names))
		return software_names[a->config];
	return NULL;
}

/* What was counted, as perf adds it to a name that it makes (tools/perf/util/evsel.c,
 * evsel__add_modifiers()): ":u", ":ppp", ":HG". OUT has room for all of them. */
static void put_modifiers(const struct event_attr *a, char *out)
{
	bool kernel = !(a->flags & ATTR_EXCLUDE_KERNEL), user = !(a->flags & ATTR_EXCLUDE_USER);
	bool hypervisor = !(a->flags & ATTR_EXCLUDE_HV), some = !kernel || !user || !hypervisor;
	unsigned precise = a->flags >> ATTR_PRECISE_SHIFT & 3;
	bool host = !(a->flags & ATTR_EXCLUDE_HOST), guest = !(a->flags & ATTR_EXCLUDE_GUEST);
	/* who excludes something means no guest, too: that is not said */
	bool usual = guest == !(some || precise);

	*out = '\0';
	snprintf(out, MODIFIERS_ROOM, ":%s%s%s%.*s%s%s", some && kernel ? "k" : "",
		 some && user ? "u" : "", some && hypervisor ? "h" : "", (int)precise, "ppp",
		 (!host || usual) && host ? "H" : "", (!host || usual) && guest ? "G" : "");
	if (!out[1])
		*out = '\0';
}

/* perf's own spelling for an event that the recorder did not name (tools/perf/util/evsel.c). */
static char *made_up_name(const struct event_attr *a)
{
	const char *base = well_known_name(a);
	char modifiers[MODIFIERS_ROOM];
	char *name;
	int n;

	put_modifiers(a, modifiers);
	if (base)
		n = asprintf(&name, "%s%s", base, modifiers);
	else if (a->type == 2)
		n = asprintf(&name, "tp:%llu", (unsigned long long)a->config);
	else if (a->type == 4)
		n = asprintf(&name, "raw 0x%llx%s", (unsigned long long)a->config, modifiers);
	else
		n = asprintf(&name, "type %u config 0x%llx", a->type,
			     (unsigned long long)a->config);
	return n < 0 ? xstrdup("?") : name;
}

void event_list_release(struct event_list *l)
{
	for (size_t i = 0; i < l->count; i++) {
		free(l->descs[i]->name);
		free(l->descs[i]->alias);
		free(l->descs[i]->unit);
		free(l->descs[i]);
	}
	free(l->descs);
	idmap_release(&l->by_id);
	memset(l, 0, sizeof(*l));
}

struct pdt_desc *event_list_add(struct event_list *l, const struct event_attr *attr)
{
	struct pdt_desc *d = xcalloc(1, sizeof(*d));

	d->attr = *attr;
	d->index = (uint32_t)l->count;
	d->name = made_up_name(attr);
	l->descs = xgrow(l->descs, &l->cap, l->count + 1, sizeof(*l->descs));
	l->descs[l->count++] = d;
	return d;
}

void event_list_add_id(struct event_list *l, const struct pdt_desc *d, uint64_t id)
{
	l->last = NULL;
	*idmap_put(&l->by_id, id) = d->index;
}

struct pdt_desc *event_list_find_id(const struct event_list *l, uint64_t id)
{
	uint32_t i = idmap_get(&l->by_id, id);

	return i == IDMAP_NONE ? NULL : l->descs[i];
}

void event_desc_set_name(struct pdt_desc *d, const char *name, size_t len)
{
	if (!len)
		return;
	free(d->name);
	d->name = xmalloc(len + 1);
	memcpy(d->name, name, len);
	d->name[len] = '\0';
	d->named = true;
}

/* Reading the entries of the attr section. */
struct attr_reader {
	struct event_list *list;
	const struct file_header *header;
	struct source *source;
	struct warnings *warnings;
	/* Each id has bytes of its own: what is left of them. A damaged file has all its events
	 * share one section. */
	uint64_t ids_left;
};

static void read_ids(struct attr_reader *r, struct pdt_desc *d, struct section ids)
{
	size_t n = ids.size / 8 < IDS_MAX ? (size_t)(ids.size / 8) : IDS_MAX;
	struct cursor c;
	ssize_t got;
	void *raw;

	if (ids.size / 8 > n)
		warn_add(r->warnings, SEV_WARN, "attr",
			 "%s: event %u: %" PRIu64 " of its ids are left out, past %u",
			 source_path(r->source), d->index, ids.size / 8 - n, IDS_MAX);
	if (n > r->ids_left)
		warn_add(r->warnings, SEV_WARN, "attr",
			 "%s: event %u: the file has no room for its ids beside those of the "
			 "others",
			 source_path(r->source), d->index);
	if (!n || n > r->ids_left || ids.offset > source_size(r->source) ||
	    ids.size > source_size(r->source) - ids.offset)
		return;
	r->ids_left -= n;
	raw = xmalloc(n * 8);
	got = source_pread(r->source, raw, n * 8, ids.offset);
	c = cursor_make(raw, got > 0 ? (size_t)got : 0, r->header->swap);
	while (cursor_left(&c) >= 8)
		event_list_add_id(r->list, d, cursor_u64(&c));
	free(raw);
}

static int read_entry(struct attr_reader *r, struct cursor entry)
{
	const struct file_header *h = r->header;
	struct cursor body = cursor_make(entry.pos, cursor_left(&entry) - 16, h->swap);
	struct cursor tail = cursor_make(body.end, 16, h->swap);
	struct event_attr attr;
	struct section ids;

	if (attr_decode(&attr, &body, h->big) < 0)
		return ERR_FORMAT;
	ids.offset = cursor_u64(&tail);
	ids.size = cursor_u64(&tail);
	read_ids(r, event_list_add(r->list, &attr), ids);
	return 0;
}

int attrs_read(struct event_list *l, const struct file_header *h, struct source *s,
	       struct warnings *w)
{
	uint64_t size = h->attrs.size;
	struct attr_reader r = { l, h, s, w, source_size(s) / 8 };
	struct cursor c;
	ssize_t got;
	void *raw;

	if (h->attr_size < ATTR_SIZE_MIN + 16 || h->attr_size > ATTR_SIZE_MAX || size > ATTRS_MAX ||
	    h->attrs.offset > source_size(s)) {
		warn_add(w, SEV_FATAL, "attr",
			 "%s: offset 16: event entries of %llu bytes in a section of "
			 "%llu at %llu are invalid",
			 source_path(s), (unsigned long long)h->attr_size, (unsigned long long)size,
			 (unsigned long long)h->attrs.offset);
		return ERR_FORMAT;
	}
	raw = xmalloc((size_t)size);
	got = source_pread(s, raw, (size_t)size, h->attrs.offset);
	c = cursor_make(raw, got > 0 ? (size_t)got : 0, h->swap);
	while (cursor_left(&c) >= h->attr_size)
		(void)read_entry(&r, cursor_sub(&c, (size_t)h->attr_size));
	free(raw);
	if (source_failed(s, w) < 0)
		return ERR_IO;
	if (l->count)
		return 0;
	warn_add(w, SEV_FATAL, "attr", "%s: offset %llu: no event description", source_path(s),
		 (unsigned long long)h->attrs.offset);
	return ERR_FORMAT;
}

void event_desc_add_alias(struct pdt_desc *d, const char *name, size_t len)
{
	if (!d->named && !well_known_name(&d->attr))
		event_desc_set_name(d, name, len);
	else if (!d->alias && (strlen(d->name) != len || memcmp(d->name, name, len)))
		d->alias = strndup(name, len);
}

bool event_desc_is(const struct pdt_desc *d, const char *name)
{
	const char *bare = d->attr.type == 2 ? strchr(d->name, ':') : NULL;

	return !strcmp(d->name, name) || (d->alias && !strcmp(d->alias, name)) ||
	       (bare && !strcmp(bare + 1, name));
}
