/* The word that was probably meant. */
#ifndef PDTOOL_BASE_NEAREST_H
#define PDTOOL_BASE_NEAREST_H

/* The word of LIST (ends with NULL) that WORD was probably meant to be, or NULL. */
const char *nearest(const char *word, const char *const *list);

#endif
