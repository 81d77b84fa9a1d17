// The library of program.awk's program.
#include "shared.h"
static volatile unsigned sink;
static __attribute__((noinline)) unsigned helper(unsigned n) { unsigned s = n; for (unsigned i = 0; i < n % 5; i++) s += i * n; return s; }
static __attribute__((noinline)) unsigned same_name(unsigned n) { return n & 1 ? n + sink : n; }
unsigned shared_leaf(unsigned n) { return same_name(n > 6 ? helper(n) : n + helper(n + 1)); }
unsigned shared_tree(unsigned n) { return n < 2 ? shared_leaf(n) : shared_tree(n - 1) + shared_tree(n - 2); }
