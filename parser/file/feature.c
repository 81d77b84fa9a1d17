/* Decode feature sections. Each decoder gets a cursor over one section; a section that is cut or
 * makes no sense costs a warning and nothing else. Source:
 * tools/perf/Documentation/perf.data-file-format.txt, tools/perf/util/header.c. */
#include "parser/file/feature.h"
#include "parser/file/cmdline.h"
#include "parser/file/nodes.h"
#include "parser/file/source.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/base/abi.h"

#include <stdlib.h>
#include <string.h>

#define SECTION_MAX (64u << 20) /* bytes of one feature section that are believed */
#define STRINGS_MAX (1u << 20)

void capture_meta_init(struct capture_meta *m)
{
	memset(m, 0, sizeof(*m));
	arena_init(&m->arena);
	intern_init(&m->build_id_paths.paths);
}

void capture_meta_release(struct capture_meta *m)
{
	arena_release(&m->arena);
	free(m->build_ids);
	intern_release(&m->build_id_paths.paths);
	free(m->build_id_paths.first);
	free(m->seen);
	nodes_free(m->cpu_nodes);
	nodes_free(m->memory_nodes);
	free(m->tracing_data);
}

struct decoder {
	const char *name;
	/* NULL: listed by name and size only. FIELD: offset of a text member, for plain strings. */
	void (*decode)(struct capture_meta *m, struct cursor *c, struct event_list *events);
	size_t field;
};

/* perf_header_string: u32 len (padded), text. */
static const char *header_string(struct cursor *c, size_t *len)
{
	uint32_t size = cursor_u32(c);

	return cursor_str(c, size, len);
}

static const char *keep(struct capture_meta *m, const struct buf *b)
{
	return arena_strndup(&m->arena, b->data ? b->data : "", b->len);
}

static void add_string(struct buf *b, struct cursor *c, const char *sep)
{
	size_t len;
	const char *s = header_string(c, &len);

	if (!s)
		return;
	if (b->len)
		buf_str(b, sep);
	buf_add(b, s, len);
}

/* A list of strings; hiperf writes one bare string in its place. */
static void decode_cmdline(struct capture_meta *m, struct cursor *c, struct event_list *events)
{
	struct cursor bare = *c;
	struct buf b = { 0 };
	uint32_t n = cursor_u32(c);
	size_t len;
	const char *s;

	(void)events;
	for (uint32_t i = 0; i < n && !c->bad && i < STRINGS_MAX; i++)
		add_string(&b, c, " ");
	if (c->bad) {
		s = header_string(&bare, &len);
		if (s) {
			b.len = 0;
			buf_add(&b, s, len);
			*c = bare;
		}
	}
	m->cmdline = keep(m, &b);
	m->system_wide = cmdline_is_system_wide(m->cmdline);
	m->keeps_ids = cmdline_keeps_ids(m->cmdline);
	buf_release(&b);
}

static void decode_nrcpus(struct capture_meta *m, struct cursor *c, struct event_list *events)
{
	(void)events;
	m->cpus_available = cursor_u32(c);
	m->cpus_online = cursor_u32(c);
}

static void decode_total_mem(struct capture_meta *m, struct cursor *c, struct event_list *events)
{
	(void)events;
	m->total_mem_kb = cursor_u64(c);
}

/* u32 count, u32 attr size, then for each: attr, u32 ids, name, ids. */
static void decode_event_desc(struct capture_meta *m, struct cursor *c, struct event_list *events)
{
	uint32_t n = cursor_u32(c);
	uint32_t attr_size = cursor_u32(c);

	(void)m;
	for (uint32_t i = 0; i < n && !c->bad; i++) {
		uint32_t ids;
		size_t len;
		const char *name;
		struct pdt_desc *d = i < events->count ? events->descs[i] : NULL;

		cursor_skip(c, attr_size);
		ids = cursor_u32(c);
		name = header_string(c, &len);
		if (cursor_left(c) / 8 < ids) {
			c->bad = true;
			return;
		}
		/* by id where there is one: a pipe may list the events in another order */
		if (ids && name) {
			struct cursor first = *c;
			struct pdt_desc *by_id = event_list_by_id(events, cursor_u64(&first));

			d = by_id ? by_id : d;
		}
		if (d && name && !d->named)
			event_desc_set_name(d, name, len);
		cursor_skip(c, (size_t)ids * 8);
	}
}

static void add_list(struct buf *b, struct cursor *c, const char *what)
{
	uint32_t n = cursor_u32(c);

	for (uint32_t i = 0; i < n && !c->bad && i < STRINGS_MAX; i++) {
		if (i == 0)
			buf_printf(b, "%s%s: ", b->len ? "; " : "", what);
		else
			buf_str(b, ", ");
		size_t len;
		const char *s = header_string(c, &len);

		if (s)
			buf_add(b, s, len);
	}
}

/* Of each CPU u32 core, u32 socket (2.6.37); then a list of dies as those before, and of each CPU
 * u32 die (5.2). */
static void place_cpus(struct capture_meta *m, struct cursor *c)
{
	size_t count = m->cpus_available, len;
	uint32_t dies;

	if (m->cpu_places || count > cursor_left(c) / 8)
		return;
	m->cpu_places = arena_alloc(&m->arena, (count + 1) * sizeof(*m->cpu_places));
	m->cpu_place_count = count;
	for (size_t i = 0; i < count; i++) {
		m->cpu_places[i].core = (int32_t)cursor_u32(c);
		m->cpu_places[i].socket = (int32_t)cursor_u32(c);
		m->cpu_places[i].die = 0;
	}
	dies = cursor_left(c) ? cursor_u32(c) : 0;
	for (uint32_t i = 0; i < dies && !c->bad; i++)
		(void)header_string(c, &len);
	for (size_t i = 0; dies && i < count && cursor_left(c) >= 4; i++)
		m->cpu_places[i].die = (int32_t)cursor_u32(c);
}

static void decode_cpu_topology(struct capture_meta *m, struct cursor *c, struct event_list *events)
{
	struct buf b = { 0 };

	(void)events;
	add_list(&b, c, "cores");
	add_list(&b, c, "threads");
	m->topology = keep(m, &b);
	buf_release(&b);
	place_cpus(m, c);
}

static void decode_numa(struct capture_meta *m, struct cursor *c, struct event_list *events)
{
	struct buf b = { 0 };
	uint32_t n = cursor_u32(c);

	(void)events;
	for (uint32_t i = 0; i < n && !c->bad; i++) {
		uint32_t node = cursor_u32(c);
		uint64_t total = cursor_u64(c);
		size_t len;
		const char *cpus;

		(void)cursor_u64(c); /* free memory */
		cpus = header_string(c, &len);
		c->bad |= cpus && !nodes_add_cpus(nodes_make(&m->cpu_nodes), node, cpus, len);
		if (cpus)
			buf_printf(&b, "%snode %u: cpus %.*s, %llu MiB", b.len ? "; " : "", node,
				   (int)len, cpus, (unsigned long long)(total >> 10));
	}
	nodes_sort(nodes_make(&m->cpu_nodes));
	m->numa = keep(m, &b);
	buf_release(&b);
}

static void decode_mem_topology(struct capture_meta *m, struct cursor *c, struct event_list *events)
{
	(void)events;
	c->bad |= !nodes_add_memory(nodes_make(&m->memory_nodes), c);
	nodes_sort(m->memory_nodes);
}

static void decode_pmu_mappings(struct capture_meta *m, struct cursor *c, struct event_list *events)
{
	struct buf b = { 0 };
	uint32_t n = cursor_u32(c);

	(void)events;
	for (uint32_t i = 0; i < n && !c->bad; i++) {
		uint32_t type = cursor_u32(c);
		size_t len;
		const char *name = header_string(c, &len);

		if (name)
			buf_printf(&b, "%s%.*s = %u", b.len ? ", " : "", (int)len, name, type);
	}
	m->pmu_mappings = keep(m, &b);
	buf_release(&b);
}

static void decode_groups(struct capture_meta *m, struct cursor *c, struct event_list *events)
{
	struct buf b = { 0 };
	uint64_t listed = 0;
	uint32_t n = cursor_u32(c);

	for (uint32_t i = 0; i < n && !c->bad; i++) {
		size_t len;
		const char *name = header_string(c, &len);
		uint32_t leader = cursor_u32(c);
		uint32_t members = cursor_u32(c);

		if (!name)
			break;
		listed += members;
		if (listed > events->count) {
			c->bad = true;
			break;
		}
		buf_printf(&b, "%s%.*s{", b.len ? " " : "", (int)len, name);
		for (uint32_t k = 0; k < members && leader + k < events->count; k++) {
			buf_printf(&b, "%s%s", k ? "," : "", events->descs[leader + k]->name);
			events->descs[leader + k]->group = members > 1 ? leader + 1 : 0;
		}
		buf_char(&b, '}');
	}
	m->groups = keep(m, &b);
	buf_release(&b);
}

static void decode_sample_time(struct capture_meta *m, struct cursor *c, struct event_list *events)
{
	(void)events;
	m->first_sample_ns = cursor_u64(c);
	m->last_sample_ns = cursor_u64(c);
	m->has_sample_time = !c->bad && m->last_sample_ns != 0;
}

static void decode_clockid(struct capture_meta *m, struct cursor *c, struct event_list *events)
{
	(void)events;
	m->clockid_res_ns = cursor_u64(c);
	m->has_clockid = !c->bad;
}

static void decode_clock_data(struct capture_meta *m, struct cursor *c, struct event_list *events)
{
	(void)events;
	(void)cursor_u32(c); /* version: 1 */
	m->clock_id = cursor_u32(c);
	m->wall_ns = cursor_u64(c);
	m->clock_ns = cursor_u64(c);
	m->has_clock_data = !c->bad;
}

static void decode_compressed(struct capture_meta *m, struct cursor *c, struct event_list *events)
{
	(void)events;
	(void)cursor_u32(c); /* version: 1 */
	m->compression_type = cursor_u32(c);
	m->compression_level = cursor_u32(c);
	m->compression_ratio = cursor_u32(c);
	(void)cursor_u32(c); /* mmap_len */
	m->has_compression = !c->bad;
}

/* u32 count, then name = value pairs; PMU_CAPS has a PMU around each list. */
static void add_caps(struct buf *b, struct cursor *c)
{
	uint32_t n = cursor_u32(c);

	for (uint32_t i = 0; i < n && !c->bad; i++) {
		add_string(b, c, ", ");
		add_string(b, c, "=");
	}
}

static void decode_cpu_pmu_caps(struct capture_meta *m, struct cursor *c, struct event_list *events)
{
	struct buf b = { 0 };

	(void)events;
	add_caps(&b, c);
	m->pmu_caps = keep(m, &b);
	buf_release(&b);
}

static void decode_pmu_caps(struct capture_meta *m, struct cursor *c, struct event_list *events)
{
	struct buf b = { 0 };
	uint32_t pmus = cursor_u32(c);

	(void)events;
	for (uint32_t i = 0; i < pmus && !c->bad; i++) {
		size_t len;
		const char *name;

		add_caps(&b, c);
		name = header_string(c, &len);
		if (name)
			buf_printf(&b, " [%.*s]", (int)len, name);
	}
	if (b.len)
		m->pmu_caps = keep(m, &b);
	buf_release(&b);
}

static void decode_auxtrace(struct capture_meta *m, struct cursor *c, struct event_list *events)
{
	(void)c;
	(void)events;
	m->has_auxtrace = true;
}

static void decode_stat(struct capture_meta *m, struct cursor *c, struct event_list *events)
{
	(void)c;
	(void)events;
	m->has_stat = true;
}

static void decode_build_ids(struct capture_meta *m, struct cursor *c, struct event_list *events)
{
	(void)events;
	while (cursor_left(c) >= RECORD_HEADER_SIZE) {
		uint16_t misc, size;

		(void)cursor_u32(c);
		misc = cursor_u16(c);
		size = cursor_u16(c);
		if (size < RECORD_HEADER_SIZE) {
			c->bad = true;
			return;
		}
		build_id_decode(m, misc, cursor_sub(c, size - RECORD_HEADER_SIZE));
	}
}

static void decode_tracing_data(struct capture_meta *m, struct cursor *c, struct event_list *events)
{
	(void)events;
	tracing_data_keep(m, c->pos, cursor_left(c));
}

/* What the lines of event_type_info call each kind of event. */
struct simpleperf_names {
	struct intern keys; /* type and config */
	struct {
		const char *s; /* the first that was told */
		size_t len;
	} * list; /* by id in keys */
	size_t cap;
};

static void simpleperf_note(struct simpleperf_names *n, const char *line, size_t len)
{
	const char *comma = memchr(line, ',', len);
	uint64_t key[2] = { 0 };
	char *after;
	uint32_t id;

	if (!comma)
		return;
	key[0] = strtoull(comma + 1, &after, 10);
	if (*after == ',')
		key[1] = strtoull(after + 1, NULL, 10);
	id = (uint32_t)n->keys.count;
	if (intern_add(&n->keys, (const char *)key, sizeof(key)) < id)
		return;
	n->list = xgrow(n->list, &n->cap, id + 1u, sizeof(*n->list));
	n->list[id].s = line;
	n->list[id].len = (size_t)(comma - line);
}

/* The value of event_type_info is lines of "name,type,config". */
static void simpleperf_event_names(const char *text, struct event_list *events)
{
	struct simpleperf_names names = { 0 };
	uint32_t id;

	intern_init(&names.keys);
	for (; *text; text += *text == '\n') {
		const char *line_end = strchrnul(text, '\n');

		simpleperf_note(&names, text, (size_t)(line_end - text));
		text = line_end;
	}
	for (size_t i = 0; i < events->count; i++) {
		struct pdt_desc *d = events->descs[i];
		uint64_t key[2] = { d->attr.type, d->attr.config };

		id = intern_find(&names.keys, (const char *)key, sizeof(key));
		if (id != INTERN_NONE)
			event_desc_add_alias(d, names.list[id].s, names.list[id].len);
	}
	intern_release(&names.keys);
	free(names.list);
}

/* "Google:Pixel 5:redfin": maker, model, name. It may come before the system's version or after. */
static void meta_product(struct capture_meta *m, const char *value)
{
	struct buf b = { 0 };

	for (; *value; value++)
		buf_char(&b, *value == ':' ? ' ' : *value);
	if (m->product)
		buf_printf(&b, ", %s", m->product);
	m->product = keep(m, &b);
	buf_release(&b);
}

static void meta_android(struct capture_meta *m, const char *value)
{
	struct buf b = { 0 };

	if (m->product)
		buf_printf(&b, "%s, ", m->product);
	buf_printf(&b, "Android %s", value);
	m->product = keep(m, &b);
	buf_release(&b);
}

static void meta_version(struct capture_meta *m, const char *value)
{
	struct buf b = { 0 };

	buf_printf(&b, "simpleperf %s", value);
	m->version = m->version ? m->version : keep(m, &b);
	buf_release(&b);
}

static void meta_kernel(struct capture_meta *m, const char *value)
{
	m->osrelease = m->osrelease ? m->osrelease : value;
}

/* What of the meta info is told elsewhere in other captures. Values live as long as M. */
static const struct {
	const char *key;
	void (*take)(struct capture_meta *m, const char *value);
} meta_keys[] = {
	{ "product_props", meta_product },
	{ "android_version", meta_android },
	{ "simpleperf_version", meta_version },
	{ "kernel_version", meta_kernel },
};

static void take_meta(struct capture_meta *m, const char *key, const char *value)
{
	for (size_t i = 0; i < ARRAY_SIZE(meta_keys); i++) {
		if (!strcmp(key, meta_keys[i].key))
			meta_keys[i].take(m, value);
	}
}

/* key NUL value NUL ...; each key counts once */
static void decode_simpleperf_meta(struct capture_meta *m, struct cursor *c,
				   struct event_list *events)
{
	const char *text = arena_strndup(&m->arena, (const char *)c->pos, cursor_left(c));
	const char *end = text + cursor_left(c);
	struct intern keys;

	m->simpleperf = true;
	intern_init(&keys);
	while (text < end) {
		const char *key = text;
		const char *value = key + strlen(key) + 1;
		size_t known = keys.count;

		if (value >= end)
			break;
		text = value + strlen(value) + 1;
		if (intern_add(&keys, key, strlen(key)) < known)
			continue;
		if (!strcmp(key, "event_type_info"))
			simpleperf_event_names(value, events);
		else
			take_meta(m, key, value);
	}
	intern_release(&keys);
}

#define TEXT(member) NULL, offsetof(struct capture_meta, member)

static const struct decoder decoders[FEAT_BITS] = {
	[FEAT_TRACING_DATA] = { "TRACING_DATA", decode_tracing_data, 0 },
	[FEAT_BUILD_ID] = { "BUILD_ID", decode_build_ids, 0 },
	[FEAT_HOSTNAME] = { "HOSTNAME", TEXT(hostname) },
	[FEAT_OSRELEASE] = { "OSRELEASE", TEXT(osrelease) },
	[FEAT_VERSION] = { "VERSION", TEXT(version) },
	[FEAT_ARCH] = { "ARCH", TEXT(arch) },
	[FEAT_NRCPUS] = { "NRCPUS", decode_nrcpus, 0 },
	[FEAT_CPUDESC] = { "CPUDESC", TEXT(cpudesc) },
	[FEAT_CPUID] = { "CPUID", TEXT(cpuid) },
	[FEAT_TOTAL_MEM] = { "TOTAL_MEM", decode_total_mem, 0 },
	[FEAT_CMDLINE] = { "CMDLINE", decode_cmdline, 0 },
	[FEAT_EVENT_DESC] = { "EVENT_DESC", decode_event_desc, 0 },
	[FEAT_CPU_TOPOLOGY] = { "CPU_TOPOLOGY", decode_cpu_topology, 0 },
	[FEAT_NUMA_TOPOLOGY] = { "NUMA_TOPOLOGY", decode_numa, 0 },
	[FEAT_BRANCH_STACK] = { "BRANCH_STACK", NULL, 0 },
	[FEAT_PMU_MAPPINGS] = { "PMU_MAPPINGS", decode_pmu_mappings, 0 },
	[FEAT_GROUP_DESC] = { "GROUP_DESC", decode_groups, 0 },
	[FEAT_AUXTRACE] = { "AUXTRACE", decode_auxtrace, 0 },
	[FEAT_STAT] = { "STAT", decode_stat, 0 },
	[FEAT_CACHE] = { "CACHE", NULL, 0 },
	[FEAT_SAMPLE_TIME] = { "SAMPLE_TIME", decode_sample_time, 0 },
	[FEAT_MEM_TOPOLOGY] = { "MEM_TOPOLOGY", decode_mem_topology, 0 },
	[FEAT_CLOCKID] = { "CLOCKID", decode_clockid, 0 },
	[FEAT_DIR_FORMAT] = { "DIR_FORMAT", NULL, 0 },
	[FEAT_BPF_PROG_INFO] = { "BPF_PROG_INFO", NULL, 0 },
	[FEAT_BPF_BTF] = { "BPF_BTF", NULL, 0 },
	[FEAT_COMPRESSED] = { "COMPRESSED", decode_compressed, 0 },
	[FEAT_CPU_PMU_CAPS] = { "CPU_PMU_CAPS", decode_cpu_pmu_caps, 0 },
	[FEAT_CLOCK_DATA] = { "CLOCK_DATA", decode_clock_data, 0 },
	[FEAT_HYBRID_TOPOLOGY] = { "HYBRID_TOPOLOGY", NULL, 0 },
	[FEAT_PMU_CAPS] = { "PMU_CAPS", decode_pmu_caps, 0 },
	[FEAT_CPU_DOMAIN_INFO] = { "CPU_DOMAIN_INFO", NULL, 0 },
	[FEAT_SIMPLEPERF_FILE] = { "SIMPLEPERF_FILE", NULL, 0 },
	[FEAT_SIMPLEPERF_META_INFO] = { "SIMPLEPERF_META_INFO", decode_simpleperf_meta, 0 },
	[FEAT_SIMPLEPERF_META_INFO + 1] = { "SIMPLEPERF_DEBUG_UNWIND", NULL, 0 },
	[FEAT_SIMPLEPERF_META_INFO + 2] = { "SIMPLEPERF_DEBUG_UNWIND_FILE", NULL, 0 },
	[FEAT_SIMPLEPERF_FILE2] = { "SIMPLEPERF_FILE2", NULL, 0 },
	[FEAT_SIMPLEPERF_META_INFO + 4] = { "SIMPLEPERF_ETM_BRANCH_LIST", NULL, 0 },
	[FEAT_SIMPLEPERF_META_INFO + 5] = { "SIMPLEPERF_INIT_MAP", NULL, 0 },
	[FEAT_HIPERF_FIRST] = { "HIPERF_FILES_SYMBOL", NULL, 0 },
	[FEAT_HIPERF_FIRST + 1] = { "HIPERF_WORKLOAD_CMD", NULL, 0 },
	[FEAT_HIPERF_FIRST + 2] = { "HIPERF_RECORD_TIME", NULL, 0 },
	[FEAT_HIPERF_FIRST + 3] = { "HIPERF_CPU_OFF", NULL, 0 },
	[FEAT_HIPERF_FIRST + 4] = { "HIPERF_HM_DEVHOST", NULL, 0 },
};

const char *feature_name(unsigned id)
{
	return id < FEAT_BITS ? decoders[id].name : NULL;
}

static void note_seen(struct capture_meta *m, unsigned id, uint64_t size)
{
	m->seen = xgrow(m->seen, &m->seen_cap, m->seen_count + 1, sizeof(*m->seen));
	m->seen[m->seen_count++] = (struct feature_seen){ (uint16_t)id, size };
	if (id >= FEAT_HIPERF_FIRST)
		m->hiperf = true;
	if (id >= FEAT_SIMPLEPERF_FILE && id < FEAT_HIPERF_FIRST)
		m->simpleperf = true;
}

void feature_decode(struct capture *f, unsigned id, struct cursor c)
{
	struct capture_meta *m = &f->meta;
	const struct decoder *d = id < FEAT_BITS ? &decoders[id] : NULL;
	size_t len;

	note_seen(m, id, cursor_left(&c));
	if (!cursor_left(&c)) /* perf writes it empty where the machine does not tell */
		return;
	if (d && d->decode) {
		d->decode(m, &c, &f->events);
	} else if (d && d->field) {
		const char *s = header_string(&c, &len);

		if (s)
			*(const char **)(void *)((char *)m + d->field) =
				arena_strndup(&m->arena, s, len);
	}
	if (c.bad)
		warn_add(f->warnings, SEV_WARN, "feature", "%s: feature %s is cut or damaged",
			 source_path(f->source), d && d->name ? d->name : "(unknown)");
}

/* Of several entries of one path the first counts. */
static void note_path(struct build_id_paths *p, const char *path, size_t len, size_t index)
{
	uint32_t id = intern_add(&p->paths, path, len);

	if (id < p->count)
		return;
	p->first = xgrow(p->first, &p->cap, p->count + 1, sizeof(*p->first));
	p->first[p->count++] = (uint32_t)index;
}

/* OFFSET SIZE MEANING (struct perf_record_header_build_id)
 *      0    4 pid   4 20 build-id   24 1 its size when misc bit 15 is set   25 3 pad   28 - path */
void build_id_decode(struct capture_meta *m, uint16_t misc, struct cursor c)
{
	struct build_id_entry e = { .misc = misc };
	const uint8_t *id;
	const char *path;
	uint8_t size;
	size_t len;

	e.pid = (int32_t)cursor_u32(&c);
	id = cursor_take(&c, BUILD_ID_MAX);
	size = cursor_u8(&c);
	cursor_skip(&c, 3);
	path = cursor_str(&c, cursor_left(&c), &len);
	if (c.bad || !len)
		return;
	e.id.len = BUILD_ID_MAX;
	if (misc & (1 << 15) && size && size <= BUILD_ID_MAX)
		e.id.len = size;
	memcpy(e.id.bytes, id, e.id.len);
	/* before 5.10 there is no size: shorter ids are padded with zeros */
	if (!(misc & (1 << 15))) {
		while (e.id.len >= 4 && !memcmp(e.id.bytes + e.id.len - 4, "\0\0\0\0", 4))
			e.id.len -= 4;
	}
	e.path = arena_strndup(&m->arena, path, len);
	m->build_ids =
		xgrow(m->build_ids, &m->build_id_cap, m->build_id_count + 1, sizeof(*m->build_ids));
	note_path(&m->build_id_paths, path, len, m->build_id_count);
	m->build_ids[m->build_id_count++] = e;
}

void time_conv_decode(struct capture_meta *m, struct cursor c)
{
	struct time_conv t = { .known = true };
	uint64_t shift = cursor_u64(&c);

	t.mult = cursor_u64(&c);
	t.zero = cursor_u64(&c);
	if (c.bad || shift >= 64)
		return;
	t.shift = (unsigned)shift;
	if (cursor_left(&c) >= 18) {
		t.cycles = cursor_u64(&c);
		t.mask = cursor_u64(&c);
		t.known = cursor_u8(&c);
		t.cap_short = cursor_u8(&c);
	}
	m->time_conv = t;
}

void tracing_data_keep(struct capture_meta *m, const void *data, size_t size)
{
	free(m->tracing_data);
	m->tracing_data = xmalloc(size);
	if (size)
		memcpy(m->tracing_data, data, size);
	m->tracing_size = size;
}

void symbol_section_add(struct capture_meta *m, unsigned id, struct section at)
{
	if (m->symbol_section_count < SYMBOL_SECTIONS_MAX)
		m->symbol_sections[m->symbol_section_count++] = (struct symbol_section){ id, at };
}

static bool holds_symbols(unsigned id)
{
	return id == FEAT_SIMPLEPERF_FILE || id == FEAT_SIMPLEPERF_FILE2 || id == FEAT_HIPERF_FIRST;
}

static void read_feature(struct capture *f, unsigned id, struct section sec)
{
	struct capture_meta *m = &f->meta;
	uint64_t file_size = source_size(f->source);
	uint64_t most = holds_symbols(id) ? file_size : SECTION_MAX;
	void *raw;
	ssize_t n;

	if (sec.size > most && sec.offset <= file_size && sec.size <= file_size - sec.offset) {
		warn_add(f->warnings, SEV_WARN, "feature",
			 "%s: feature %s: %llu bytes are more than 64 MiB: it is not read",
			 source_path(f->source), feature_name(id) ?: "(unknown)",
			 (unsigned long long)sec.size);
		return;
	}
	if (sec.offset > file_size || sec.size > file_size - sec.offset) {
		warn_add(f->warnings, SEV_WARN, "feature",
			 "%s: feature %s: %llu bytes at offset %llu are not in the file",
			 source_path(f->source), feature_name(id) ?: "(unknown)",
			 (unsigned long long)sec.size, (unsigned long long)sec.offset);
		return;
	}
	if (holds_symbols(id)) {
		note_seen(m, id, sec.size);
		symbol_section_add(m, id, sec);
		return;
	}
	raw = xmalloc((size_t)sec.size);
	n = source_pread(f->source, raw, (size_t)sec.size, sec.offset);
	feature_decode(f, id, cursor_make(raw, n > 0 ? (size_t)n : 0, f->header.swap));
	free(raw);
}

void features_read(struct capture *f)
{
	uint64_t table = f->header.data.offset + f->header.data.size;

	for (unsigned id = 0; id < FEAT_BITS; id++) {
		uint8_t raw[16];
		struct cursor c;
		struct section sec;

		if (!header_has_feature(&f->header, id))
			continue;
		if (source_pread(f->source, raw, sizeof(raw), table) != sizeof(raw)) {
			if (source_failed(f->source, f->warnings) < 0)
				return;
			warn_add(f->warnings, SEV_WARN, "feature",
				 "%s: offset %llu: the table of feature sections is cut",
				 source_path(f->source), (unsigned long long)table);
			return;
		}
		table += sizeof(raw);
		c = cursor_make(raw, sizeof(raw), f->header.swap);
		sec.offset = cursor_u64(&c);
		sec.size = cursor_u64(&c);
		read_feature(f, id, sec);
	}
}
