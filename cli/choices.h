/* What a capture holds, name by name, for shells that complete them: a glance, not an answer. */
#ifndef PDTOOL_CHOICES_H
#define PDTOOL_CHOICES_H

/* Print the names of WHAT ("events", "comms", "symbols") in PATH, one a line: those that are found
 * at once. Returns an exit status. */
int choices_list(const char *what, const char *path);

#endif
