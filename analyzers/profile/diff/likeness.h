/* How alike two names of functions are. */
#ifndef PDTOOL_LIKENESS_H
#define PDTOOL_LIKENESS_H

/* 1: they differ in what compilers add and in template arguments alone; else the longest common
 * subsequence by the longer name, 0 to below 1. */
double name_likeness(const char *a, const char *b);

#endif
