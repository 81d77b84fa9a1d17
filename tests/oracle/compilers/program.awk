# A C++ program of -v n=FUNCTIONS: switches, loops, virtual calls, exceptions, static functions, calls into a library (shared.h).
# Its argument is a file for its mappings; then it raises SIGTRAP, from where on it is of interest.
BEGIN {
	print "#include <cstdio>\n#include <csignal>\n#include <stdexcept>\n#include <vector>\n#include \"shared.h\""
	print "static volatile unsigned sink;\nstruct base { virtual unsigned run(unsigned n) = 0; virtual ~base() {} };"
	print "static __attribute__((noinline)) unsigned same_name(unsigned n) { return n % 3 ? n + sink : n; }"
	for (i = 0; i < n; i++) {
		printf "%s__attribute__((noinline)) unsigned f%d(unsigned n)\n{\n\tunsigned s = n + %d;\n\tswitch (n %% 7) {\n", i % 3 ? "static " : "", i, i
		for (k = 0; k < 6; k++)
			printf "\tcase %d: s += n * %d + (s >> %d); %s break;\n", k, i + k, k + 1, k % 2 ? "sink += s;" : "s ^= sink;"
		printf "\tdefault: s ^= %d;\n\t}\n\tfor (unsigned i = 0; i < n %% %d; i++)\n\t\tif ((s >> i) & 1) s += i * sink; else s -= i;\n", i * 77 + 5, i % 4 + 1
		if (i % 40 == 3)
			print "\tif (n % 5 == 2) throw std::runtime_error(\"f\");"
		if (i % 5 == 1)
			print "\ts += shared_leaf(s % 9) + same_name(s);"
		if (i % 4 == 2 && i > 8)
			printf "\ttry { s += f%d(n + 1); } catch (const std::exception &e) { s += 3; }\n", i - 7
		else if (i % 4 == 3)
			print "\tstd::vector<unsigned> v; if (n % 3) v.push_back(s); s += v.size() + (n > 3 ? shared_tree(n % 4) : 0);"
		print "\treturn s;\n}"
		if (i < 18 && i % 6 == 0)
			printf "struct c%d : base { unsigned run(unsigned n) override { return n %% 2 ? f%d(n) : n; } };\n", i, i
	}
	print "static unsigned (*const table[])(unsigned) = {"
	for (i = 0; i < n; i++)
		printf "f%d,%s", i, i % 16 == 15 ? "\n" : " "
	print "};\nint main(int argc, char **argv)\n{"
	print "\tFILE *in = fopen(\"/proc/self/maps\", \"r\"), *out = fopen(argv[1], \"w\");\n\tfor (int c; (c = getc(in)) != EOF;) putc(c, out);\n\tfclose(out);"
	print "\tbase *objects[] = { new c0, new c6, new c12 };\n\traise(SIGTRAP);"
	printf "\tfor (unsigned i = 0; i < %d; i++) {\n\t\ttry { sink += table[i](i * 3); } catch (const std::exception &e) { sink++; }\n", n
	print "\t\tif (i % 50 == 0) sink += objects[i % 3]->run(i);\n\t}\n\treturn 0;\n}"
}
