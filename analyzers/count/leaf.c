#include "analyzers/count/leaf.h"
#include "analyzers/count/idle.h"

#include <string.h>

const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

const char *place_of(const struct loc *l, const struct loc_name *n)
{
	static const char *const modes[MODE_COUNT] = {
		[MODE_HV] = "hypervisor",
		[MODE_GUEST_USER] = "guest",
		[MODE_GUEST_KERNEL] = "guest.kernel",
	};

	if (modes[l->mode])
		return modes[l->mode];
	return n->module ? base_name(n->module) : "unknown";
}

const struct loc_name *leaf_of(const struct session *s, uint32_t stack)
{
	const struct stacks *st = session_stacks(s);
	const struct stack *k = &st->list[stack];

	return k->count ? &session_names(s)->locs[stack_locs(st, k)[0]] : NULL;
}

bool leaf_passes(const struct loc_name *leaf, const struct filter *f, bool pid0)
{
	if (f->dsos.count && !(leaf && leaf->module &&
			       (name_list_has(&f->dsos, leaf->module) ||
				name_list_has(&f->dsos, base_name(leaf->module)))))
		return false;
	if (f->symbols.count && !(leaf && leaf->name && name_list_has(&f->symbols, leaf->name)))
		return false;
	return !(f->no_idle && pid0 && leaf && is_idle_function(leaf->name));
}
