/* What the writers of profiles share. */
#include "formats/export/readers.h"

bool joined_next(struct joined_rows *j, const struct profile_part *p, struct profile_row *row,
		 struct out *out)
{
	if (!j->there)
		return false;
	*row = j->next;
	while ((j->there = next_row(p, &j->next, out)) && j->next.stack == row->stack) {
		row->weight += j->next.weight;
		row->samples += j->next.samples;
	}
	return !out->error;
}

const char *function_file(const struct profile_part *p, const struct profile_function *f)
{
	if (*f->file || f->module == PROFILE_NONE)
		return f->file;
	return p->modules[f->module].path;
}
