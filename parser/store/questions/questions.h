/* What the engines' texts of questions share. */
#ifndef PDTOOL_STORE_QUESTIONS_H
#define PDTOOL_STORE_QUESTIONS_H

#include "parser/store_sql.h"

void click_question(const struct store_asking *a, struct buf *out);
void file_question(const struct store_asking *a, struct buf *out);
/* Is the key of this label no other's before it? */
bool choice_key_is_first(const struct store_choice *c, size_t label);

#endif
