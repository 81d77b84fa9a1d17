/* The sweep over the units of a file with DWARF. The file is not trusted: work is bounded by what
 * its size can justify, walks go forward only, and nothing is opened here. */
#include "parser/names/dwarf/lines.h"
#include "parser/base/buf.h"
#include "parser/base/cursor.h"
#include "parser/base/mem.h"
#include "parser/names/dwarf/dienames.h"
#include "parser/names/dwarf/linehead.h"
#include "parser/names/dwarf/dies.h"
#include "parser/names/dwarf/split.h"

#include <stdlib.h>
#include <string.h>

#include <dwarf.h>

/* libdw never frees a line table or an abbreviation before the end; it is told to when this much
 * was read. */
#define RENEW_BYTES (96u << 20)
#define ROW_BYTES   48 /* what libdw keeps for a row of a line table */
/* Work: bytes stepped over, rows, ranges and matches. Honest files need about as much as their size
 * in bytes and some dozen matches for an address. */
#define WORK_PER_BYTE 4
#define WORK_PER_ADDR 256
#define WORK_FREE     (1u << 20)
#define WORK_SPLIT    (8ull << 30) /* for all split files together, by their sizes */
#define WORK_RANGES   1024	   /* for a list of ranges that proves empty, however long it was */

#define NONE UINT32_MAX

/* A function that holds wanted addresses, inlined or not. */
struct scope {
	const uint8_t *at;
	uint32_t outer; /* the function around it */
	bool inlined;
	bool known; /* the rest was read */
	uint32_t call_line;
	const char *name, *call_file;
};

struct level {
	const uint8_t *at; /* of a function; else NULL */
	uint32_t scope;	   /* NONE: not needed so far */
	bool inlined;
};

/* A wanted address of the unit at hand. */
struct want {
	uint64_t addr;
	uint64_t range; /* bytes of the least range around it so far */
	size_t index;	/* in the query */
	uint32_t scope; /* whose range that is */
};

struct sweep {
	struct lines *out;
	const struct lines_query *q;
	struct dwarfs dwarfs;
	struct dies dies;
	struct split split; /* of the unit at hand */
	struct dienames names;
	bool *done; /* by address */
	size_t left;
	struct want *wants;
	size_t want_count, want_cap;
	struct scope *scopes;
	size_t scope_count, scope_cap;
	struct level *levels; /* by depth: the entries around the one at hand */
	size_t level_cap;
	Dwarf_Files *files;  /* of the unit */
	const char *dir;     /* the same: where its relative paths begin; NULL: not told */
	uint64_t work;	     /* left to spend */
	uint64_t split_work; /* left to be added for split files */
	uint64_t held;	     /* bytes that libdw has read since it was renewed */
};

void lines_init(struct lines *l)
{
	memset(l, 0, sizeof(*l));
	intern_init(&l->texts);
	arena_init(&l->arena);
}

void lines_release(struct lines *l)
{
	free(l->answers);
	intern_release(&l->texts);
	arena_release(&l->arena);
}

static bool spend(struct sweep *s, uint64_t work)
{
	if (s->work < work) {
		s->work = 0;
		s->out->missing.unreadable = "it is invalid; reading stopped";
		return false;
	}
	s->work -= work;
	return true;
}

static const char *keep_file(struct sweep *s, const char *path)
{
	struct buf joined = { 0 };
	const char *kept;

	if (!path || !strcmp(path, "???"))
		return NULL;
	if (path[0] != '/' && s->dir) {
		buf_printf(&joined, "%s/%s", s->dir, path);
		path = joined.data;
	}
	kept = intern_str(&s->out->texts, intern_add(&s->out->texts, path, strlen(path)));
	buf_release(&joined);
	return kept;
}

/* ---- which addresses does a unit hold? ---- */

static size_t first_at(const struct sweep *s, uint64_t addr)
{
	size_t lo = 0, hi = s->q->count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->q->addrs[mid] < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void want_range(struct sweep *s, uint64_t low, uint64_t high)
{
	for (size_t i = first_at(s, low); i < s->q->count && s->q->addrs[i] < high; i++) {
		if (s->done[i])
			continue;
		s->wants = xgrow(s->wants, &s->want_cap, s->want_count + 1, sizeof(*s->wants));
		s->wants[s->want_count++] = (struct want){ s->q->addrs[i], UINT64_MAX, i, NONE };
	}
}

static int by_index(const void *a, const void *b)
{
	const struct want *x = a, *y = b;

	return x->index < y->index ? -1 : x->index > y->index;
}

/* Ranges come in any order and may overlap. */
static void sort_wants(struct sweep *s)
{
	size_t n = 0;

	if (!s->want_count)
		return;
	qsort(s->wants, s->want_count, sizeof(*s->wants), by_index);
	for (size_t i = 0; i < s->want_count; i++) {
		if (!n || s->wants[n - 1].index != s->wants[i].index)
			s->wants[n++] = s->wants[i];
	}
	s->want_count = n;
}

struct ranges {
	ptrdiff_t at;
	Dwarf_Addr base, low, high;
};

/* The next range of DIE, with its cost. */
static bool next_range(struct sweep *s, Dwarf_Die *die, struct ranges *r)
{
	ptrdiff_t last = r->at;

	r->at = dwarf_ranges(die, last, &r->base, &r->low, &r->high);
	if (r->at <= 0) {
		(void)(last || spend(s, WORK_RANGES));
		return false;
	}
	return spend(s, last && r->at > last ? (uint64_t)(r->at - last) : 8);
}

/* Collect the addresses in UNIT's ranges. False: it does not tell any range. */
static bool collect(struct sweep *s, Dwarf_Die *unit)
{
	struct ranges r = { 0 };
	bool any = false;

	s->want_count = 0;
	while (next_range(s, unit, &r)) {
		any = true;
		if (s->want_count <= 2 * s->q->count)
			want_range(s, r.low, r.high);
	}
	sort_wants(s);
	return any;
}

/* ---- lines ---- */

/* The last row at or before ADDR, or NULL where no code is. */
static Dwarf_Line *row_at(Dwarf_Lines *lines, size_t count, uint64_t addr)
{
	size_t lo = 0, hi = count;
	Dwarf_Addr at;
	Dwarf_Line *row;
	bool end;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (dwarf_lineaddr(dwarf_onesrcline(lines, mid), &at) || at <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	row = lo ? dwarf_onesrcline(lines, lo - 1) : NULL;
	return row && !dwarf_lineendsequence(row, &end) && !end ? row : NULL;
}

/* UNIT's line table, as many bytes as it claims; no bytes: it has none. That of a split unit is the
 * first in its file. */
static struct cursor line_table(Dwarf_Die *unit, bool split)
{
	Dwarf *dbg = dwarf_cu_getdwarf(unit->cu);
	Dwarf_Attribute a;
	Dwarf_Word at = 0;
	size_t size;
	const uint8_t *section = dwarf_section(dbg, ".debug_line", &size);
	struct cursor c;
	uint64_t length;

	if (!section ||
	    ((!dwarf_attr(unit, DW_AT_stmt_list, &a) || dwarf_formudata(&a, &at)) && !split) ||
	    at >= size)
		return cursor_make(NULL, 0, false);
	c = cursor_make(section + at, size - at, dwarf_swapped(dbg));
	length = cursor_u32(&c);
	return cursor_make(section + at, length < size - at - 4 ? length + 4 : size - at, c.swap);
}

/* May libdw spell out the paths of TABLE? */
static bool paths_fit(struct sweep *s, Dwarf_Die *unit, struct cursor table)
{
	Dwarf *dbg = dwarf_cu_getdwarf(unit->cu);
	struct line_texts texts = { 0 };
	Dwarf_Attribute a;
	const char *dir = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &a));
	uint64_t bytes;

	texts.line_str = dwarf_section(dbg, ".debug_line_str", &texts.line_str_bytes);
	texts.str = dwarf_section(dbg, ".debug_str", &texts.str_bytes);
	bytes = linehead_path_bytes(table, dir ? strlen(dir) : 0, &texts);
	s->held += bytes;
	if (bytes > LINEHEAD_PATHS_MAX)
		s->out->missing.unreadable = "a line table has impossible paths";
	return bytes <= LINEHEAD_PATHS_MAX;
}

static void find_lines(struct sweep *s, Dwarf_Die *unit)
{
	struct cursor table = line_table(unit, false);
	Dwarf_Lines *lines;
	size_t count;
	int line;

	if (!spend(s, cursor_left(&table)) || !paths_fit(s, unit, table) ||
	    dwarf_getsrclines(unit, &lines, &count))
		return;
	s->held += count * ROW_BYTES;
	for (size_t i = 0; i < s->want_count; i++) {
		struct line_answer *a = &s->out->answers[s->wants[i].index];
		Dwarf_Line *row = row_at(lines, count, s->wants[i].addr);

		if (!row)
			continue;
		a->file = keep_file(s, dwarf_linesrc(row, NULL, NULL));
		a->line = !dwarf_lineno(row, &line) && line > 0 ? (uint32_t)line : 0;
		s->left -= !s->done[s->wants[i].index];
		s->done[s->wants[i].index] = true;
	}
}

/* ---- functions ---- */

/* The scope of the function at level DEPTH, and of those around it. */
static uint32_t scope_at(struct sweep *s, uint32_t depth)
{
	uint32_t inner = NONE, result = NONE;

	for (uint32_t d = depth + 1; d--;) {
		struct level *l = &s->levels[d];
		bool there = l->at && l->scope != NONE;

		if (!l->at)
			continue;
		if (!there) {
			s->scopes = xgrow(s->scopes, &s->scope_cap, s->scope_count + 1,
					  sizeof(*s->scopes));
			l->scope = (uint32_t)s->scope_count++;
			s->scopes[l->scope] =
				(struct scope){ .at = l->at, .outer = NONE, .inlined = l->inlined };
		}
		if (inner != NONE)
			s->scopes[inner].outer = l->scope;
		else
			result = l->scope;
		if (there || !l->inlined) /* the rest is there, or does not matter */
			break;
		inner = l->scope;
	}
	return result;
}

/* The code from LOW to HIGH belongs to the function at level DEPTH, as far as no lesser range says
 * otherwise; of equal ranges the later, which is the inner one. */
static void cover(struct sweep *s, uint32_t depth, uint64_t low, uint64_t high)
{
	size_t lo = 0, hi = s->want_count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->wants[mid].addr < low)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < s->want_count && s->wants[lo].addr < high; lo++) {
		struct want *w = &s->wants[lo];

		if (!spend(s, 1))
			return;
		if (w->range < high - low)
			continue;
		w->range = high - low;
		w->scope = scope_at(s, depth);
	}
}

/* The ranges of a function in a split unit. */
static void cover_split(struct sweep *s, const struct die *d)
{
	struct split_ranges r;
	uint64_t low, high;

	split_ranges_begin(&s->split, &d->ranges, &r);
	for (;;) {
		const uint8_t *from = r.at.pos;
		bool more = split_ranges_next(&s->split, &r, &low, &high);

		if (!spend(s, (uint64_t)(r.at.pos - from)) || !more)
			break;
		cover(s, d->depth, low, high);
	}
}

static void cover_ranges(struct sweep *s, const struct die *d)
{
	Dwarf_Die die = dies_handle(&s->dies, d->at);
	struct ranges r = { 0 };

	while (next_range(s, &die, &r))
		cover(s, d->depth, r.low, r.high);
}

static int address_of(const struct sweep *s, Dwarf_Attribute *a, Dwarf_Addr *addr)
{
	return s->split.unit.addr ? split_addr(&s->split, a, addr) : dwarf_formaddr(a, addr);
}

static void cover_function(struct sweep *s, struct die *d)
{
	Dwarf_Addr low, high;
	Dwarf_Word size;

	if (d->ranges.code) {
		(s->split.unit.addr ? cover_split : cover_ranges)(s, d);
		return;
	}
	if (!d->low_pc.code || !d->high_pc.code || address_of(s, &d->low_pc, &low))
		return;
	if (!dwarf_formudata(&d->high_pc, &size)) /* since DWARF 4: how much it is above low */
		high = low + size;
	else if (address_of(s, &d->high_pc, &high))
		return;
	if (high > low)
		cover(s, d->depth, low, high);
}

static void find_functions(struct sweep *s, const Dwarf_Die *unit)
{
	struct die d;

	s->scope_count = 0;
	dienames_begin(&s->names, unit);
	if (dies_begin(&s->dies, unit) < 0 || !spend(s, s->dies.size_bytes))
		return;
	s->held += s->dies.size_bytes;
	while (dies_next(&s->dies, &d)) {
		bool function = d.tag == DW_TAG_subprogram || d.tag == DW_TAG_entry_point ||
				d.tag == DW_TAG_inlined_subroutine;

		s->levels = xgrow(s->levels, &s->level_cap, d.depth + 1, sizeof(*s->levels));
		s->levels[d.depth] = (struct level){ function ? d.at : NULL, NONE,
						     d.tag == DW_TAG_inlined_subroutine };
		dienames_note(&s->names, &d);
		if (function)
			cover_function(s, &d);
	}
	s->out->left_out[NAMES_DEEP] += s->dies.cut;
}

/* ---- chains ---- */

static uint32_t number_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute a;
	Dwarf_Word v;

	if (!dwarf_attr(die, name, &a) || dwarf_formudata(&a, &v) || v > INT32_MAX)
		return 0;
	return (uint32_t)v;
}

static void read_call(struct sweep *s, struct scope *scope)
{
	Dwarf_Die die = dies_handle(&s->dies, scope->at);
	uint32_t file = number_of(&die, DW_AT_call_file);

	scope->known = true;
	if (s->q->lines)
		scope->call_line = number_of(&die, DW_AT_call_line);
	if (s->files)
		scope->call_file = keep_file(s, dwarf_filesrc(s->files, file, NULL, NULL));
	scope->name = dienames_get(&s->names, &die);
}

/* The name of what is not inlined. */
static const char *name_outer(struct sweep *s, struct scope *scope)
{
	Dwarf_Die die = dies_handle(&s->dies, scope->at);

	if (!scope->known)
		scope->name = dienames_own(&s->names, &die);
	scope->known = true;
	return scope->name;
}

/* The functions inlined around W; *PLACE becomes the line in the function that is not. */
static void chain(struct sweep *s, const struct want *w, struct line_answer *place)
{
	struct source_frame frames[INLINES_MAX + 1];
	uint32_t n = 0, i;

	for (i = w->scope; i != NONE && s->scopes[i].inlined; i = s->scopes[i].outer) {
		struct scope *scope = &s->scopes[i];

		if (n == INLINES_MAX) {
			s->out->left_out[NAMES_INLINED]++;
			continue;
		}
		if (!scope->known)
			read_call(s, scope);
		frames[n++] = (struct source_frame){ scope->name, place->file, place->line };
		place->file = scope->call_file;
		place->line = scope->call_line;
	}
	if (s->q->whole_chains && i != NONE)
		frames[n++] = (struct source_frame){ name_outer(s, &s->scopes[i]), place->file,
						     place->line };
	if (!n)
		return;
	place->inline_count = n;
	place->inlines = memcpy(arena_alloc(&s->out->arena, n * sizeof(*frames)), frames,
				n * sizeof(*frames));
}

/* WHOLE is UNIT or what UNIT is the skeleton of. */
static void find_inlines(struct sweep *s, Dwarf_Die *unit, Dwarf_Die *whole)
{
	size_t count;

	find_functions(s, whole);
	if (!s->q->lines || !paths_fit(s, unit, line_table(unit, false)) ||
	    (whole != unit && !paths_fit(s, whole, line_table(whole, true))) ||
	    (dwarf_getsrcfiles(whole, &s->files, &count) &&
	     dwarf_getsrcfiles(unit, &s->files, &count)))
		s->files = NULL;
	for (size_t i = 0; i < s->want_count; i++) {
		size_t index = s->wants[i].index;

		if (s->wants[i].scope == NONE)
			continue;
		s->left -= !s->done[index];
		s->done[index] = true;
		chain(s, &s->wants[i], &s->out->answers[index]);
	}
}

/* ---- the sweep ---- */

static void read_unit(struct sweep *s, Dwarf_Die *unit)
{
	uint64_t before = s->dwarfs.size_bytes, more;
	Dwarf_Attribute a;

	s->dir = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &a));
	if (s->q->lines)
		find_lines(s, unit);
	if (!s->q->inlines)
		return;
	if (split_open(&s->split, &s->dwarfs, unit)) {
		more = (s->dwarfs.size_bytes - before) * WORK_PER_BYTE;
		more = more < s->split_work ? more : s->split_work;
		s->split_work -= more;
		s->work += more;
		find_inlines(s, unit, &s->split.unit);
		s->dies.abbrevs.from = NULL; /* its table goes with the file */
	} else {
		find_inlines(s, unit, unit);
	}
	split_close(&s->split);
}

/* Take the unit at *CU up again in a fresh libdw. */
static bool renew(struct sweep *s, Dwarf_CU **cu, Dwarf_Die *unit)
{
	Dwarf_Off at = dwarf_dieoffset(unit);

	s->held = 0;
	memset(&s->dies.unit, 0, sizeof(s->dies.unit));
	s->dies.abbrevs.from = NULL;
	if (dwarfs_renew(&s->dwarfs) < 0 || !dwarf_offdie(s->dwarfs.dbg, at, unit))
		return false;
	*cu = unit->cu;
	return true;
}

/* Need UNIT not be looked at? */
static bool is_elsewhere(const struct sweep *s, Dwarf_Die *unit)
{
	return s->dwarfs.told &&
	       !aranges_has(&s->dwarfs.units, dwarf_dieoffset(unit) - dwarf_cuoffset(unit));
}

/* One pass over all units; UNRANGED: over those that tell no range. Returns whether there are such.
 */
static bool pass(struct sweep *s, bool unranged)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	uint8_t type;
	bool others = false, told;

	while (s->left && s->work &&
	       !dwarf_get_units(s->dwarfs.dbg, cu, &cu, NULL, &type, &unit, NULL)) {
		if (!unit.addr || (type != DW_UT_compile && type != DW_UT_skeleton) ||
		    is_elsewhere(s, &unit))
			continue;
		told = collect(s, &unit);
		others |= !told;
		if (told == unranged)
			continue;
		if (unranged)
			want_range(s, 0, UINT64_MAX);
		if (!s->want_count)
			continue;
		read_unit(s, &unit);
		if (s->held > RENEW_BYTES && !renew(s, &cu, &unit))
			break;
	}
	return others;
}

static void release(struct sweep *s)
{
	dienames_release(&s->names);
	dwarfs_close(&s->dwarfs);
	dies_release(&s->dies);
	free(s->wants);
	free(s->scopes);
	free(s->levels);
	free(s->done);
}

/* WHOLE: with units that hold no wanted address. *AGAIN: it has to be done so. */
static int sweep(struct lines *l, const struct lines_query *q, bool whole, bool *again)
{
	struct sweep s = { .out = l, .q = q, .left = q->count, .split_work = WORK_SPLIT };
	int rc;

	s.dwarfs = (struct dwarfs){ .missing = &l->missing,
				    .arena = &l->arena,
				    .lines = q->lines,
				    .addrs = q->addrs,
				    .count = q->count,
				    .whole = whole };
	dienames_init(&s.names, &l->texts, q->no_demangle);
	s.names.by_cxa = q->by_cxa;
	rc = dwarfs_open(&s.dwarfs, q->path, &q->finder);
	if (rc == 0) {
		l->answers = xcalloc(q->count, sizeof(*l->answers));
		s.done = xcalloc(q->count, sizeof(*s.done));
		s.work = s.dwarfs.size_bytes * WORK_PER_BYTE + q->count * WORK_PER_ADDR + WORK_FREE;
		if (pass(&s, false))
			pass(&s, true);
		l->left_out[NAMES_LONG] = s.names.limited;
		*again = s.dwarfs.cut && s.names.unreached;
	}
	release(&s);
	return rc;
}

int lines_load(struct lines *l, const struct lines_query *q)
{
	bool again = false;
	int rc = sweep(l, q, false, &again);

	if (!again)
		return rc;
	lines_release(l);
	lines_init(l);
	return sweep(l, q, true, &again);
}
