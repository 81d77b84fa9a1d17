/* The same events as cells, for programs: one column for each thing that a sample tells, and one
 * for each field of its tracepoints. */
#ifndef PDTOOL_SCRIPT_CELLS_H
#define PDTOOL_SCRIPT_CELLS_H

#include "analyzers/script/fields.h"
#include "analyzers/script/held.h"
#include "analyzers/script/line.h"
#include "formats/model/cells.h"
#include "formats/model/column.h"
#include "parser/base/idmap.h"
#include "parser/base/intern.h"

#define CELLS_TOLD 48 /* things that a sample may tell */

struct cell_maker {
	struct printer *printer; /* has the next three, too */
	const struct pdt_session *session;
	const struct script_fields *fields;
	const struct line_options *options;
	struct column *columns;
	size_t count, cap;
	size_t places[CELLS_TOLD];   /* by what a sample tells: 1 + its column; 0: not asked for */
	struct idmap traced;	     /* by event and field: the column */
	struct intern names;	     /* of columns */
	struct kept_text *functions; /* by location: the innermost last; NULL: not made yet */
	struct buf texts;	     /* of one row, each ended by a NUL */
	size_t *at;		     /* by column: 1 + where in them; 0: no text */
	uint64_t first_ns;
};

/* The capture was read; PRINTER, which is set, lives as long as M. */
void cell_maker_init(struct cell_maker *m, struct printer *printer);
void cell_maker_release(struct cell_maker *m);
/* The cells of ROW, one for each column; texts until the next call. */
void cell_maker_put(struct cell_maker *m, const struct held_row *row, struct cell *out);

#endif
