/* Amounts in the text of facts and messages: who shows the text decides how they look. */
#ifndef PDTOOL_MODEL_AMOUNT_H
#define PDTOOL_MODEL_AMOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/model/column.h"

/* An amount in a text is AMOUNT_BEGIN, 'A' + its enum column_type, its number as machines read it,
 * AMOUNT_END. */
#define AMOUNT_BEGIN '\x01'
#define AMOUNT_END   '\x02'
#define AMOUNT_MAX   32

const char *amount_of(char text[AMOUNT_MAX], enum column_type type, uint64_t n);
/* N in ns, or a count; one that is no whole number stays as it is. */
const char *amount_real(char text[AMOUNT_MAX], bool in_ns, double n);
const char *amount_percent(char text[AMOUNT_MAX], double percent);
/* The length of the amount that TEXT begins with; 0: it begins with none. */
size_t amount_length(const char *text);

/* PART of WHOLE in percent; 0 of nothing. */
double percent_of(double part, double whole);

/* For "%s" in a call: they last as long as the block around it. */
#define AMOUNT(type, n)		amount_of((char[AMOUNT_MAX]){ 0 }, type, n)
#define COUNT_TEXT(n)		AMOUNT(COLUMN_COUNT, n)
#define NS_TEXT(ns)		AMOUNT(COLUMN_NS, ns)
#define TIME_TEXT(ns)		AMOUNT(COLUMN_TIME_NS, ns)
#define BYTES_TEXT(bytes)	AMOUNT(COLUMN_BYTES, bytes)
#define REAL_TEXT(in_ns, n)	amount_real((char[AMOUNT_MAX]){ 0 }, in_ns, n)
#define PERCENT_TEXT(p)		amount_percent((char[AMOUNT_MAX]){ 0 }, p)
#define SHARE_TEXT(part, whole) PERCENT_TEXT(percent_of((double)(part), (double)(whole)))

#endif
