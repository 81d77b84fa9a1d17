/* Of the stacks that came out of a store, what reads more of them needs. */
#ifndef PDTOOL_STORE_ROWS_H
#define PDTOOL_STORE_ROWS_H

#include "parser/store/pick.h"
#include "parser/store/store.h"

struct sql *rows_sql(const struct store_rows *r);
struct click *rows_click(const struct store_rows *r); /* NULL: it is a file */
const struct picks *rows_picks(const struct store_rows *r);
/* As of click_where_sample() and click_where_patterns(). */
void rows_where_sample(const struct store_rows *r, struct buf *out);
/* Negative, with a message that WHAT, of number ID, is damaged. */
CHECKED int rows_damaged(struct store_rows *r, const char *what, int64_t id);

/* The place of a stack, after the last has come out. */
#define ROWS_UNKNOWN  UINT32_MAX
#define ROWS_LEFT_OUT (UINT32_MAX - 1) /* it is not as asked for */
uint32_t rows_find(const struct store_rows *r, int64_t stack);

/* One of the cells of a capture, whose stack has this id. Negative: it is not looked any further.
 */
typedef int rows_cell_fn(void *ctx, int64_t stack, const struct chunk_cell *cell);
/* Of a file: what was chosen of capture C. */
CHECKED int rows_cells(struct store_rows *r, const struct pick *c, rows_cell_fn *fn, void *ctx);

#endif
