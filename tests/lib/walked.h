/* For programs that are run step by step: loops, recursion, and calls by pointer. */
static volatile unsigned sink;
__attribute__((noinline)) static unsigned leaf(unsigned n)
{
	unsigned s = n;

	for (unsigned i = 0; i < n % 5; i++)
		s += i * n;
	return s;
}
__attribute__((noinline)) static unsigned tree(unsigned n)
{
	return n < 2 ? leaf(n) : tree(n - 1) + tree(n - 2);
}
static unsigned (*volatile chosen[2])(unsigned) = { leaf, tree };
