/* Names of the registers in a sample, as perf has them. */
#ifndef PDTOOL_HARDWARE_REGISTERS_H
#define PDTOOL_HARDWARE_REGISTERS_H

#define REGISTER_NAME_BYTES 16

/* OUT: the name of register ID of ARCH (as uname -m says it; NULL: not known), "unknown" where
 * there is none. */
void register_name(const char *arch, unsigned id, char out[REGISTER_NAME_BYTES]);

#endif
