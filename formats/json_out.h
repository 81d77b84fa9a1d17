/* JSON, written as it comes (RFC 8259). */
#ifndef PDTOOL_JSON_OUT_H
#define PDTOOL_JSON_OUT_H

#include "formats/out.h"

/* TEXT as a string with its quotes; NULL is null. Control characters are escaped, bytes that are no
 * UTF-8 become U+FFFD; U+2028, U+2029 and "</" are escaped for those who paste it into a script. */
void json_text(struct out *o, const char *text);
/* "NAME": */
void json_key(struct out *o, const char *name);

#endif
