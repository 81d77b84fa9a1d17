/* A capture has programs and libraries, a profile for compilers is of one of them. */
#include "analyzers/export/binary.h"
#include "formats/model/amount.h"
#include "parser/base/buf.h"
#include "parser/base/compare.h"
#include "parser/base/mem.h"
#include "parser/base/path.h"
#include "parser/pdtool_binary.h"
#include "parser/pdtool_module.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what lies where ---- */

void binary_weights_init(struct binary_weights *b, const struct pdt_session *s, const char *what)
{
	*b = (struct binary_weights){ .count = pdt_module_count(s), .what = what };
	b->of = xcalloc(b->count + 1, sizeof(*b->of));
}

void binary_weights_release(struct binary_weights *b)
{
	free(b->of);
}

static bool is_file(const struct pdt_session *s, uint32_t module)
{
	const struct pdt_module *m = pdt_module_at(s, module);

	return m && pdt_module_number(m, PDT_MODULE_KIND) == PDT_MODULE_FILE;
}

void binary_weigh(struct binary_weights *b, const struct pdt_session *s, const uint32_t ends[2],
		  uint64_t count)
{
	uint32_t first = pdt_location_module_id(s, ends[0]);
	uint32_t second = pdt_location_module_id(s, ends[1]);

	b->all += count;
	if (first < b->count)
		b->of[first] += count;
	if (second < b->count && second != first)
		b->of[second] += count;
	if (is_file(s, first) || is_file(s, second))
		return;
	if (pdt_location_mode(s, ends[0]) == PDT_USER && pdt_location_mode(s, ends[1]) == PDT_USER)
		b->nowhere += count;
	else
		b->kernel += count;
}

static const char *path_of(const struct pdt_session *s, uint32_t module)
{
	return pdt_module_text(pdt_module_at(s, module), PDT_MODULE_PATH) ?: "";
}

/* ---- which one ---- */

static bool is_called(const struct pdt_session *s, uint32_t module, const char *name)
{
	const char *path = path_of(s, module);

	return !name || !strcmp(path, name) || !strcmp(base_name(path), name);
}

/* The files by weight, the most first: as many as there are. */
struct ranked {
	uint32_t *list;
	size_t count;
};

static int compare_weights(const void *pa, const void *pb, void *ctx)
{
	const struct binary_weights *b = ctx;
	uint32_t x = *(const uint32_t *)pa, y = *(const uint32_t *)pb;

	return compare_u64(b->of[y], b->of[x]) ?: compare_u64(x, y);
}

static struct ranked rank(const struct binary_weights *b, const struct pdt_session *s,
			  const char *name)
{
	struct ranked r = { xmalloc((b->count + 1) * sizeof(*r.list)), 0 };

	for (uint32_t i = 0; i < b->count; i++) {
		if (b->of[i] && is_file(s, i) && is_called(s, i, name))
			r.list[r.count++] = i;
	}
	if (r.count)
		qsort_r(r.list, r.count, sizeof(*r.list), compare_weights, (void *)b);
	return r;
}

#define NAMED_MOST 3

/* "app (1,234), libc.so.6 (56) and 7 more" */
static void list_files(const struct binary_weights *b, const struct pdt_session *s,
		       const struct ranked *r, struct buf *out)
{
	for (size_t i = 0; i < r->count && i < NAMED_MOST; i++)
		buf_printf(out, "%s%s (%s)", i ? ", " : "", base_name(path_of(s, r->list[i])),
			   COUNT_TEXT(b->of[r->list[i]]));
	if (r->count > NAMED_MOST)
		buf_printf(out, " and %s more", COUNT_TEXT(r->count - NAMED_MOST));
}

static void refuse(const struct binary_weights *b, const struct pdt_session *s, const char *name,
		   struct warnings *w)
{
	struct ranked r = rank(b, s, NULL);
	struct buf text = { 0 };

	list_files(b, s, &r, &text);
	if (!r.count)
		warn_add(w, SEV_FATAL, "binary", "no %s lie in a program or library", b->what);
	else if (name)
		warn_add(w, SEV_FATAL, "binary",
			 "--binary %s: no file of this name has %s; there are %s", name, b->what,
			 text.data);
	else
		warn_add(w, SEV_FATAL, "binary",
			 "a profile is of one file, and none has most of the %s: --binary names "
			 "it; there are %s",
			 b->what, text.data);
	buf_release(&text);
	free(r.list);
}

uint32_t binary_choose(const struct binary_weights *b, const struct pdt_session *s,
		       const char *name, struct warnings *w)
{
	struct ranked r = rank(b, s, name);
	uint32_t module = r.count ? r.list[0] : PDT_NONE;
	uint64_t in_files = 0;

	for (size_t i = 0; i < r.count; i++)
		in_files += b->of[r.list[i]];
	free(r.list);
	if (module != PDT_NONE && (name || b->of[module] > in_files / 2))
		return module;
	refuse(b, s, name, w);
	return PDT_NONE;
}

void binary_tell(const struct binary_weights *b, const struct pdt_session *s, uint32_t module,
		 struct warnings *w)
{
	struct ranked r = rank(b, s, NULL);
	struct buf text = { 0 };
	size_t left = 0;

	for (size_t i = 0; i < r.count; i++) {
		if (r.list[i] != module)
			r.list[left++] = r.list[i];
	}
	r.count = left;
	list_files(b, s, &r, &text);
	if (b->kernel)
		buf_printf(&text, "%sthe kernel (%s)", text.len ? ", " : "", COUNT_TEXT(b->kernel));
	if (b->nowhere)
		buf_printf(&text, "%sno file (%s)", text.len ? ", " : "", COUNT_TEXT(b->nowhere));
	warn_add(w, SEV_NOTE, "binary", "the profile of %s has %s of %s %s%s%s", path_of(s, module),
		 COUNT_TEXT(b->of[module]), COUNT_TEXT(b->all), b->what,
		 text.len ? "; elsewhere are " : "", text.len ? text.data : "");
	buf_release(&text);
	free(r.list);
}

/* ---- its symbols ---- */

#define PSEUDO "__BOLT_PSEUDO_" /* its function for the head of the PLT */

static bool is_stub(const char *symbol)
{
	size_t len = strlen(symbol);

	return !strncmp(symbol, ".plt", 4) || (len > 4 && !strcmp(symbol + len - 4, "@plt"));
}

bool binary_is_function(const char *symbol)
{
	return symbol && !is_stub(symbol);
}

/* BOLT numbers the local symbols of one name by their addresses. */
void binary_symbols_make(struct binary_symbols *b, const struct pdt_session *s, uint32_t module)
{
	struct intern names;
	uint32_t *used = NULL;
	size_t count = 0, cap = 0;
	struct pdt_symbol sym;

	intern_init(&names);
	arena_init(&b->text);
	for (size_t i = 0; pdt_symbol(s, module, i, &sym); i++) {
		uint32_t id;

		if (!sym.local || !binary_is_function(sym.name))
			continue;
		id = intern_add(&names, sym.name, strlen(sym.name));
		used = xgrow_to(used, &count, &cap, id, sizeof(*used));
		*idmap_put(&b->numbers, sym.offset) = ++used[id];
	}
	free(used);
	intern_release(&names);
}

void binary_symbols_release(struct binary_symbols *b)
{
	idmap_release(&b->numbers);
	arena_release(&b->text);
}

const char *binary_symbol(struct binary_symbols *b, const char *symbol, uint64_t offset)
{
	uint32_t number = idmap_get(&b->numbers, offset);
	size_t len = symbol ? strlen(symbol) : 0, size = len + sizeof(PSEUDO);
	char *text;

	for (size_t i = 0; i < len; i++) {
		if ((unsigned char)symbol[i] < ' ' || symbol[i] == 127)
			return NULL;
	}
	if (!len)
		return NULL;
	text = arena_alloc(&b->text, size);
	if (is_stub(symbol) && *symbol == '.')
		snprintf(text, size, PSEUDO "%s", symbol);
	else if (is_stub(symbol))
		snprintf(text, size, "%.*s@PLT", (int)(len - 4), symbol);
	else if (number != IDMAP_NONE)
		snprintf(text, size, "%s/%" PRIu32, symbol, number);
	else
		memcpy(text, symbol, len + 1);
	return text;
}
