/* Options that are one of a few words. */
#ifndef PDTOOL_WORD_H
#define PDTOOL_WORD_H

/* The place of VALUE in WORDS, which end with NULL; -1: it is none of them. */
int word_of(const char *value, const char *const *words);

#endif
