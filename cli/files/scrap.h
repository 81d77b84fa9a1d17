/* Unfinished files do not outlive a process that a signal ends. */
#ifndef PDTOOL_SCRAP_H
#define PDTOOL_SCRAP_H

/* From now on: what is unfinished of the file to be made at PATH is removed when the process ends
 * otherwise than by SIGKILL. */
void scrap_watch(const char *path);
/* Now, from a signal handler, too. */
void scrap_remove(void);

#endif
