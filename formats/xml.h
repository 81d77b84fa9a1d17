/* Text inside XML: whatever the bytes are, what comes out is well-formed. */
#ifndef PDTOOL_XML_H
#define PDTOOL_XML_H

#include "formats/out.h"

/* TEXT as character data or inside a quoted attribute: & < > " ' escaped, what XML does not allow
 * (control bytes, bytes that are no UTF-8) as U+FFFD. */
void xml_text(struct out *o, const char *text);
/* At most LEN bytes of it. */
void xml_text_n(struct out *o, const char *text, size_t len);

#endif
