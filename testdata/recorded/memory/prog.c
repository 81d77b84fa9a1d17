#include <stdio.h>
int table[1024] = {1}; char text[100] = "abc"; static double hidden[64] = {2.0};
__attribute__((noinline)) double reader(int i) { return table[i] + hidden[i & 63]; }
__attribute__((noinline)) void writer(int i) { text[i % 100] = (char)i; }
int main(int argc, char **argv) { double s = 0; for (int i = 0; i < 1000 * argc; i++) { s += reader(i & 1023); writer(i); } printf("%f\n", s); return 0; }
