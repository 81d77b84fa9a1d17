/* What a capture says of itself, what was recorded in it, and the fields of its tracepoints: tables
 * from the words of pdtool_capture.h to where each fact lies. */
#include "parser/library/door.h"
#include "parser/pdtool_capture.h"
#include "parser/base/abi.h"
#include "parser/base/held.h"
#include "parser/base/mem.h"
#include "parser/file/feature.h"
#include "parser/file/header.h"
#include "parser/record/record.h"
#include "parser/record/tracepoint.h"
#include "parser/unwind/unwind_stats.h"

#include <string.h>

/* ---- the capture ---- */

const char *pdt_text(const struct pdt_session *s, int what)
{
#define TEXT(member) offsetof(struct capture_meta, member)
	static const size_t at[] = {
		[PDT_HOSTNAME] = TEXT(hostname), [PDT_OSRELEASE] = TEXT(osrelease),
		[PDT_RECORDER] = TEXT(version),	 [PDT_ARCH] = TEXT(arch),
		[PDT_CPUDESC] = TEXT(cpudesc),	 [PDT_CPUID] = TEXT(cpuid),
		[PDT_CMDLINE] = TEXT(cmdline),	 [PDT_TOPOLOGY] = TEXT(topology),
		[PDT_NUMA] = TEXT(numa),	 [PDT_PMU_CAPS] = TEXT(pmu_caps),
		[PDT_GROUPS] = TEXT(groups),	 [PDT_ARCH_BY] = TEXT(arch_by),
		[PDT_PRODUCT] = TEXT(product),
	};
	const char *meta = s->session ? (const char *)&session_capture(s->session)->meta : NULL;
	const char *text;

	if (!meta || what < 0 || (size_t)what >= ARRAY_SIZE(at))
		return NULL;
	if (what == PDT_PATH)
		return session_path(s->session);
	if (what == PDT_COMPRESSION)
		return session_compression(s->session);
	memcpy(&text, meta + at[what], sizeof(text));
	return text;
}

/* Where a number lies, and of which size. */
struct number_at {
	enum { OF_HEADER = 1, OF_META, OF_STATS, OF_STACKS, OF_UNWIND } of;
	uint16_t at, size;
};

#define AT(type, member) offsetof(struct type, member), sizeof(((struct type *)0)->member)
#define HEADER(member)                             \
	{                                          \
		OF_HEADER, AT(file_header, member) \
	}
#define META(member)                              \
	{                                         \
		OF_META, AT(capture_meta, member) \
	}
#define STATS(member)                               \
	{                                           \
		OF_STATS, AT(session_stats, member) \
	}
#define STACKS(member)                        \
	{                                     \
		OF_STACKS, AT(stacks, member) \
	}
#define UNWIND(member)                              \
	{                                           \
		OF_UNWIND, AT(unwind_stats, member) \
	}

static const struct number_at numbers[] = {
	[PDT_IS_PIPE] = HEADER(pipe),
	[PDT_IS_LEGACY] = HEADER(legacy),
	[PDT_IS_BIG_ENDIAN] = HEADER(big),
	[PDT_IS_UNFINISHED] = HEADER(unfinished),
	[PDT_IS_SIMPLEPERF] = META(simpleperf),
	[PDT_IS_HIPERF] = META(hiperf),
	[PDT_IS_SYSTEM_WIDE] = META(system_wide),
	[PDT_HAS_COMPRESSION] = META(has_compression),
	[PDT_COMPRESSION_LEVEL] = META(compression_level),
	[PDT_COMPRESSION_RATIO] = META(compression_ratio),
	[PDT_HAS_WALL] = META(has_clock_data),
	[PDT_WALL_NS] = META(wall_ns),
	[PDT_CLOCK_NS] = META(clock_ns),
	[PDT_CLOCK_ID] = META(clock_id),
	[PDT_CPUS_ONLINE] = META(cpus_online),
	[PDT_CPUS_AVAILABLE] = META(cpus_available),
	[PDT_MEMORY_KB] = META(total_mem_kb),
	[PDT_SAMPLES] = STATS(samples),
	[PDT_SAMPLES_USED] = STATS(used),
	[PDT_SAMPLES_BAD] = STATS(bad_samples),
	[PDT_FIRST_NS] = STATS(first_ns),
	[PDT_LAST_NS] = STATS(last_ns),
	[PDT_LOST_RECORDS] = STATS(lost_records),
	[PDT_LOST_SAMPLES] = STATS(lost_samples),
	[PDT_THROTTLES] = STATS(throttles),
	[PDT_LATE] = STATS(late),
	[PDT_AUX_RECORDS] = STATS(aux_records),
	[PDT_AUX_BYTES] = STATS(aux_bytes),
	[PDT_AUX_TRUNCATED] = STATS(aux_truncated),
	[PDT_CHAINS] = STATS(chains_recorded),
	[PDT_CHAINS_EMPTY] = STATS(chains_empty),
	[PDT_USER_STACKS] = STATS(user_stacks),
	[PDT_LBR_STACKS] = STATS(lbr),
	[PDT_DEFERRED] = STACKS(deferred.waiting),
	[PDT_JUNK] = STACKS(junk_entries),
	[PDT_RARE_STACKS] = STACKS(made_room),
	[PDT_RARE_SAMPLES] = STACKS(refused),
	[PDT_UNWOUND] = UNWIND(stacks),
	[PDT_UNWOUND_FRAMES] = UNWIND(frames),
	[PDT_UNWOUND_BY_FP] = UNWIND(by_frame_pointer),
	[PDT_UNWIND_EVICTED] = UNWIND(evicted),
	[PDT_UNWIND_BAD] = UNWIND(bad_entries),
	[PDT_KEEPS_IDS] = META(keeps_ids),
};

static uint64_t left_out(const struct session *s)
{
	uint64_t sum = 0, count;

	for (size_t i = 0; session_left_out(s, i, &count); i++)
		sum += count;
	return sum;
}

/* Those that lie in no structure. */
static uint64_t other_number(const struct session *s, int what)
{
	const struct session_stats *st = session_stats(s);

	switch (what) {
	case PDT_HAS_FORMATS:
		return session_capture(s)->meta.tracing_data != NULL;
	case PDT_MTIME:
		return (uint64_t)session_mtime(s);
	case PDT_LOST_ANY:
		return session_lost(st);
	case PDT_LEFT_OUT:
		return left_out(s);
	case PDT_ADDRESSES:
		return session_stacks(s)->loc_count - session_stacks(s)->twins;
	default:
		what -= PDT_MODE_SAMPLES;
		return what >= 0 && what < PDT_MODES ? st->modes[what] : 0;
	}
}

uint64_t pdt_number(const struct pdt_session *s, int what)
{
	struct number_at n = what >= 0 && (size_t)what < ARRAY_SIZE(numbers)
				     ? numbers[what]
				     : (struct number_at){ 0 };
	struct unwind_stats unwound;
	const char *from;
	uint64_t u64;
	uint32_t u32;

	if (!s->session || !n.of)
		return s->session ? other_number(s->session, what) : 0;
	unwound = session_unwind_stats(s->session);
	from =
		(const char *[]){
			[OF_HEADER] = (const char *)&session_capture(s->session)->header,
			[OF_META] = (const char *)&session_capture(s->session)->meta,
			[OF_STATS] = (const char *)session_stats(s->session),
			[OF_STACKS] = (const char *)session_stacks(s->session),
			[OF_UNWIND] = (const char *)&unwound,
		}[n.of] +
		n.at;
	memcpy(&u64, from, n.size == sizeof(u64) ? sizeof(u64) : 0);
	memcpy(&u32, from, n.size == sizeof(u32) ? sizeof(u32) : 0);
	return n.size == sizeof(u64) ? u64 : n.size == sizeof(u32) ? u32 : *(const uint8_t *)from;
}

int pdt_record_count(const struct pdt_session *s, size_t i, uint32_t *type, uint64_t *count)
{
	return s->session && session_record_count(s->session, i, type, count);
}

const char *pdt_record_name(uint32_t type)
{
	return record_type_name(type);
}

int pdt_feature(const struct pdt_session *s, size_t i, uint32_t *id, const char **name,
		uint64_t *size_bytes)
{
	const struct capture_meta *m = s->session ? &session_capture(s->session)->meta : NULL;

	if (!m || i >= m->seen_count)
		return 0;
	*id = m->seen[i].id;
	*name = feature_name(m->seen[i].id);
	*size_bytes = m->seen[i].size;
	return 1;
}

static const struct warning *warning_at(const struct pdt_session *s, size_t i)
{
	const struct warnings *w =
		s->session ? session_capture(s->session)->warnings : &s->warnings;

	return i < w->count ? &w->list[i] : NULL;
}

const char *pdt_warning(const struct pdt_session *s, size_t i, uint64_t *count)
{
	const struct warning *w = warning_at(s, i);

	if (w && count)
		*count = w->count;
	return w ? w->first : NULL;
}

int pdt_warning_is_note(const struct pdt_session *s, size_t i)
{
	const struct warning *w = warning_at(s, i);

	return w && w->severity == SEV_NOTE;
}

const char *pdt_warning_kind(const struct pdt_session *s, size_t i, uint64_t *size_bytes)
{
	const struct warning *w = warning_at(s, i);

	if (w)
		*size_bytes = w->bytes;
	return w ? w->kind : NULL;
}

const char *pdt_left_out(const struct pdt_session *s, size_t i, uint64_t *count)
{
	return s->session ? session_left_out(s->session, i, count) : NULL;
}

const char *pdt_unwind_end(const struct pdt_session *s, size_t i, uint64_t *count)
{
	if (!s->session || i >= UNWIND_END_COUNT)
		return NULL;
	*count = session_unwind_stats(s->session).ends[i];
	return unwind_end_text((enum unwind_end)i);
}

int pdt_gap(const struct pdt_session *s, size_t i, uint64_t span_ns[2], int *cause)
{
	const struct gaps *g = s->session ? session_gaps(s->session) : NULL;

	if (!g || i >= g->count)
		return 0;
	span_ns[0] = g->list[i].start_ns;
	span_ns[1] = g->list[i].end_ns;
	*cause = g->list[i].cause;
	return 1;
}

/* ---- what was recorded ---- */

const struct pdt_desc *pdt_desc_at(const struct pdt_session *s, size_t i)
{
	const struct event_list *l = s->session ? &session_capture(s->session)->events : NULL;

	return l && i < l->count ? l->descs[i] : NULL;
}

size_t pdt_desc_count(const struct pdt_session *s)
{
	return s->session ? session_capture(s->session)->events.count : 0;
}

const char *pdt_desc_name(const struct pdt_desc *d)
{
	return d->name;
}

uint32_t pdt_desc_group(const struct pdt_desc *d)
{
	return d->group;
}

/* perf shows clocks in milliseconds, however they were recorded (builtin-stat.c). */
const char *pdt_desc_unit(const struct pdt_desc *d, double *scale)
{
	bool ns = event_counts_ns(d);

	*scale = ns ? 1e-6 : d->scale != 0 ? d->scale : 1;
	return ns ? "msec" : d->unit;
}

const char *pdt_desc_alias(const struct pdt_desc *d)
{
	return d->alias;
}

uint32_t pdt_desc_index(const struct pdt_desc *d)
{
	return d->index;
}

uint32_t pdt_desc_type(const struct pdt_desc *d)
{
	return d->attr.type;
}

uint64_t pdt_desc_config(const struct pdt_desc *d)
{
	return d->attr.config;
}

int pdt_desc_is(const struct pdt_desc *d, const char *name)
{
	return event_desc_is(d, name);
}

int pdt_desc_in_ns(const struct pdt_desc *d)
{
	return event_counts_ns(d);
}

uint64_t pdt_desc_samples(const struct pdt_session *s, const struct pdt_desc *d)
{
	return pdt_desc_number(s, d, PDT_DESC_SAMPLES);
}

uint64_t pdt_desc_number(const struct pdt_session *s, const struct pdt_desc *d, int what)
{
	const struct event_attr *a = &d->attr;
	const struct event_stats *st;

	switch (what) { /* asked for each sample, perhaps */
	case PDT_DESC_PERIOD:
		return a->sample_period;
	case PDT_DESC_IS_FREQ:
		return (a->flags & ATTR_FREQ) != 0;
	case PDT_DESC_PRECISE:
		return a->flags >> ATTR_PRECISE_SHIFT & 3;
	case PDT_DESC_SAMPLE_TYPE:
		return a->sample_type;
	case PDT_DESC_READ_FORMAT:
		return a->read_format;
	case PDT_DESC_FLAGS:
		return a->flags;
	case PDT_DESC_BRANCH_TYPE:
		return a->branch_sample_type;
	default:
		break;
	}
	if (!s || !s->session)
		return 0;
	st = session_event_stats(s->session, d);
	switch (what) {
	case PDT_DESC_SAMPLES:
		return st->samples;
	case PDT_DESC_WEIGHT:
		return st->weight;
	case PDT_DESC_SCOPE_SAMPLES:
		return st->samples - st->outside_samples;
	case PDT_DESC_SCOPE_WEIGHT:
		return held_without(st->weight, st->outside_weight);
	case PDT_DESC_COUNTED:
		return st->counted < SUM_HELD ? (uint64_t)st->counted : SUM_HELD;
	case PDT_DESC_COUNTERS:
		return st->counters;
	default:
		return 0;
	}
}

/* ---- tracepoints ---- */

const struct pdt_format *pdt_desc_format(const struct pdt_session *s, const struct pdt_desc *d)
{
	return s->session ? session_format(s->session, d) : NULL;
}

const char *pdt_format_system(const struct pdt_format *f)
{
	return f->system;
}

const char *pdt_format_name(const struct pdt_format *f)
{
	return f->name;
}

const char *pdt_format_print(const struct pdt_format *f)
{
	return f->print;
}

const struct pdt_field *pdt_format_field(const struct pdt_format *f, const char *name)
{
	return f ? trace_field(f, name) : NULL;
}

const struct pdt_field *pdt_format_field_at(const struct pdt_format *f, size_t i)
{
	return f && i < f->field_count ? &f->fields[i] : NULL;
}

const char *pdt_field_name(const struct pdt_field *f)
{
	return f->name;
}

const char *pdt_field_type(const struct pdt_field *f)
{
	return f->type;
}

int pdt_format_is_swapped(const struct pdt_format *f)
{
	return f->field_count && f->fields[0].swap;
}

int pdt_field_kind(const struct pdt_field *f)
{
	static const int kinds[] = {
		[FIELD_NUMBER] = PDT_FIELD_NUMBER,   [FIELD_TEXT] = PDT_FIELD_TEXT,
		[FIELD_BYTES] = PDT_FIELD_BYTES,     [FIELD_DATA_LOC] = PDT_FIELD_DYNAMIC,
		[FIELD_REL_LOC] = PDT_FIELD_DYNAMIC,
	};

	return f->kind == FIELD_NUMBER && f->is_signed ? PDT_FIELD_SIGNED : kinds[f->kind];
}

int pdt_field_place(const struct pdt_field *f, uint32_t *offset, uint32_t *size_bytes)
{
	*offset = f->offset;
	*size_bytes = f->size;
	return f->kind == FIELD_NUMBER ? !f->swap : pdt_field_kind(f) != PDT_FIELD_DYNAMIC;
}

size_t pdt_field_flags(const struct pdt_format *f, const char *name, struct pdt_flag *out,
		       size_t max)
{
	return trace_flags(f, name, out, max);
}

const struct pdt_field *pdt_event_field(const struct pdt_event *e, const char *name)
{
	return e->raw ? pdt_format_field(e->format, name) : NULL;
}

/* F, when E has a payload to read it from. */
static const struct pdt_field *field_of(const struct pdt_event *e, const struct pdt_field *f)
{
	return e->raw ? f : NULL;
}

int pdt_event_number(const struct pdt_event *e, const struct pdt_field *f, uint64_t *out)
{
	const struct payload p = { e->raw, e->raw_size };

	return trace_number(field_of(e, f), &p, out) ? 0 : PDT_ERR_ABSENT;
}

const char *pdt_event_text(const struct pdt_event *e, const struct pdt_field *f, size_t *len)
{
	const struct payload p = { e->raw, e->raw_size };

	return trace_text(field_of(e, f), &p, len);
}

const void *pdt_event_bytes(const struct pdt_event *e, const struct pdt_field *f, size_t *len)
{
	const struct payload p = { e->raw, e->raw_size };

	return trace_bytes(field_of(e, f), &p, len);
}
