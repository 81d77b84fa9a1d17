/* Readable names of compiled OCaml, Java and Haskell, which libiberty does not know.
 *
 *   camlO__work_512, camlO.work_512    O.work_512    module, name, stamp; $XX is a byte in hex
 *   Ljava/lang/String;hashCode()I      java.lang.String.hashCode()
 *   Ljava/lang/String;::hashCode       java.lang.String.hashCode
 *   base_GHCziBase_map_info            base_GHC.Base_map_info
 *
 * Sources: ocaml/asmcomp/emitaux.ml; JVM specification 4.3 (descriptors), as perf's JVMTI agent and
 * perf-map-agent write them behind a class; GHC, GHC.Utils.Encoding (z-encoding) and
 * GHC.Cmm.CLabel. What OCaml and Java look like is how perf 6.12 shows it
 * (tools/perf/util/demangle-ocaml.c, demangle-java.c), but where that is wrong; AS_PERF: also
 * there. */
#ifndef PDTOOL_SYMBOLS_LANGNAMES_H
#define PDTOOL_SYMBOLS_LANGNAMES_H

#include <stdbool.h>

#include "parser/base/buf.h"

/* Each: false when NAME is none of the language's; what is in OUT then means nothing. */
bool ocaml_name(struct buf *out, const char *name, bool as_perf);
bool java_name(struct buf *out, const char *name, bool as_perf);
/* What looks like this may be C: to be asked only where GHC made the file. Names without anything
 * that is encoded are none of it. */
bool ghc_name(struct buf *out, const char *name);
/* Does NAME end as all of those do? */
bool ghc_name_ends(const char *name);

#endif
