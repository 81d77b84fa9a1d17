// The same again: two local functions of one name in a file.
static volatile unsigned sink;
static __attribute__((noinline)) unsigned same_name(unsigned n) { return n & 2 ? n - sink : n; }
unsigned other_leaf(unsigned n) { return same_name(n) + n; }
