/* Each location once, each of its functions once for all locations: what they are called is the
 * namer's (analyzers/count). */
#include "analyzers/export/places.h"
#include "analyzers/count/idle.h"
#include "analyzers/count/namer.h"
#include "parser/base/mem.h"

#include <stdlib.h>
#include <string.h>

static const char *kept(struct profile_places *p, const char *text)
{
	return intern_str(&p->texts, intern_add(&p->texts, text, strlen(text)));
}

static void make_modules(struct profile_places *p, const struct pdt_session *s)
{
	p->module_count = pdt_module_count(s);
	p->modules = xcalloc(p->module_count + 1, sizeof(*p->modules));
	for (uint32_t i = 0; i < p->module_count; i++) {
		const struct pdt_module *m = pdt_module_at(s, i);
		size_t len = 0;
		const uint8_t *id = m ? pdt_module_build_id(m, &len) : NULL;

		p->text.len = 0;
		if (len)
			buf_hex(&p->text, id, len, "");
		p->modules[i] = (struct profile_module){
			.path = (m ? pdt_module_text(m, PDT_MODULE_PATH) : NULL) ?: "",
			.build_id = p->text.len ? kept(p, p->text.data) : "",
		};
	}
}

/* The id of F at AT, in module MODULE. */
static uint32_t function_id(struct profile_places *p, const struct pdt_function *f, struct place at,
			    uint32_t module)
{
	size_t len = f->file ? strlen(f->file) : 0;
	uint8_t kind = (uint8_t)function_kind(f, at);
	const char *symbol;
	uint32_t id;

	p->text.len = p->key.len = 0;
	function_text(&(struct namer_options){ 0 }, f, at, &p->text);
	buf_add(&p->key, p->text.data, p->text.len + 1);
	buf_add(&p->key, f->file ?: "", len + 1);
	buf_add(&p->key, &module, sizeof(module));
	id = intern_add(&p->known, p->key.data, p->key.len);
	if (id < p->function_count) {
		if (kind < p->functions[id].kind)
			p->functions[id].kind = kind;
		return id;
	}
	p->functions =
		xgrow(p->functions, &p->function_cap, ++p->function_count, sizeof(*p->functions));
	symbol = f->inlined || !f->name ? NULL : pdt_location_symbol(at.session, at.loc);
	p->functions[id] = (struct profile_function){
		.name = intern_str(&p->known, id),
		.file = intern_str(&p->known, id) + p->text.len + 1,
		.symbol = symbol ?: "",
		.module = module,
		.kind = kind,
		.idle = kind == FRAME_KERNEL && is_idle_function(f->name),
	};
	return id;
}

static void make_location(struct profile_places *p, const struct pdt_session *s, uint32_t loc)
{
	struct place at = { s, loc };
	uint32_t module = pdt_location_module_id(s, loc);
	size_t count = pdt_function_count(s, loc);

	p->locations[loc] = (struct profile_location){ .address = pdt_location_offset(s, loc),
						       .module = module,
						       .first = (uint32_t)p->line_count,
						       .count = (uint32_t)count };
	p->lines = xgrow(p->lines, &p->line_cap, p->line_count + count, sizeof(*p->lines));
	for (size_t i = 0; i < count; i++) {
		struct pdt_function f = pdt_function_at(s, loc, i);

		p->lines[p->line_count++] =
			(struct profile_line){ function_id(p, &f, at, module), f.line };
	}
}

/* A location that is nowhere, called NAME. */
static uint32_t make_nowhere(struct profile_places *p, const char *name)
{
	p->functions =
		xgrow(p->functions, &p->function_cap, p->function_count + 1, sizeof(*p->functions));
	p->functions[p->function_count] = (struct profile_function){
		.name = name, .symbol = "", .file = "", .module = PROFILE_NONE, .kind = FRAME_OTHER
	};
	p->lines = xgrow(p->lines, &p->line_cap, p->line_count + 1, sizeof(*p->lines));
	p->lines[p->line_count] = (struct profile_line){ (uint32_t)p->function_count++, 0 };
	p->locations[p->location_count] = (struct profile_location){
		.module = PROFILE_NONE, .first = (uint32_t)p->line_count++, .count = 1
	};
	return (uint32_t)p->location_count++;
}

void profile_places_make(struct profile_places *p, const struct pdt_session *s)
{
	intern_init(&p->texts);
	intern_init(&p->known);
	make_modules(p, s);
	p->location_count = pdt_location_count(s);
	p->locations = xcalloc(p->location_count + 2, sizeof(*p->locations));
	for (uint32_t loc = 0; loc < p->location_count; loc++)
		make_location(p, s, loc);
	p->unknown = make_nowhere(p, "[unknown]");
	p->others = make_nowhere(p, "[others]");
}

void profile_places_release(struct profile_places *p)
{
	intern_release(&p->texts);
	intern_release(&p->known);
	free(p->modules);
	free(p->functions);
	free(p->locations);
	free(p->lines);
	buf_release(&p->key);
	buf_release(&p->text);
	*p = (struct profile_places){ 0 };
}
