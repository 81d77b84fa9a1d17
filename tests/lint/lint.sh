#!/bin/sh
# Check the law of the layers and the shape of the code.   Usage: lint.sh [--format | --self-test]
#   lint.sh              the rules of lint.awk on every C file; blanks and unfinished work in scripts
#   lint.sh --format     clang-format, where it is installed
#   lint.sh --self-test  break each rule in a scratch tree and see that the breach is found
# One line "FILE:LINE: what" for each breach; exit status 1 if there is any.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
LC_ALL=C
export LC_ALL

c_files() { find parser analyzers formats cli tests -name '*.[ch]' 2>/dev/null | sort; }

scripts() {
	find bootstrap Makefile .ci packaging tests -type f \
		\( -name '*.sh' -o -name bootstrap -o -name Makefile -o -name run \) 2>/dev/null | sort
}

lint() {
	rc=0
	mark='(^|[^A-Za-z0-9_])(TO''DO|FIX''ME|X''XX)([^A-Za-z0-9_]|$)'
	set -- $(c_files)
	[ $# -gt 0 ] && { awk -f "$here/lint.awk" "$@" || rc=1; }
	for file in $(scripts); do
		grep -nE "[[:blank:]]$|$mark" "$file" /dev/null | sed 's/^\([^:]*:[0-9]*\):.*/\1: blanks at the end, or unfinished work/' |
			grep . && rc=1
	done
	return $rc
}

format() {
	if command -v clang-format >/dev/null; then
		c_files | xargs clang-format --dry-run -Werror
	else
		echo "lint: clang-format is not installed; its check is left out"
	fi
}

# put FILE: standard input becomes a file of the scratch tree, after a line that says what it is.
put() {
	mkdir -p "$(dirname "$1")"
	case $1 in *.[ch]) { echo '// What it is.'; cat; } >"$1" ;; *) cat >"$1" ;; esac
}

# many N TEXT
many() { awk -v n="$1" -v s="$2" 'BEGIN { while (n-- > 0) print s }'; }

# A tree with every breach on a known line, and much that only looks like one.
bad_tree() {
	put parser/base/die.c <<-END
	#include <stdio.h>
	#include <stdlib.h>
	void out_of_memory(void)
	{
	 	fprintf(stderr, "out of memory\n");
		abort();
	}
	END
	printf '#include "b.h"\nstruct a;\n' | put parser/base/a.h
	printf '#include "../base/a.h"\nstruct b;\n' | put parser/base/b.h
	printf '#include "parser/base/a.h"\n#include "parser/base/b.h"\n' | put parser/base/all.h
	printf 'struct session;\n' | put parser/session.h
	printf 'struct record;\n' | put parser/record/record.h
	printf 'struct table;\n' | put formats/model/table.h
	printf 'struct analyzer;\n' | put analyzers/analyzer.h
	printf '#include "parser/session.h"\n#include "analyzers/analyzer.h"\n' | put formats/text.c
	printf '#include "parser/record/record.h"\n#include "formats/model/table.h"\n' | put analyzers/top.c
	printf '#include "parser/record/record.h"\n#include "nowhere.h"\n' | put parser/file/source.c
	printf '#include "parser/session.h"\n#include "parser/record/record.h"\nint main(void)\n{\n\texit(0);\n}\n' |
		put cli/main.c
	for h in zstd gelf event-parse elfutils/libdw capstone/capstone archive libiberty/demangle openssl/ssl stdio; do
		echo "#include <$h.h>"
	done | put parser/state/libs.c
	{ echo '#include <zstd.h>'; echo '#include <archive.h>'; } | put parser/file/stream.c
	many 800 '// line' | put parser/base/long.c
	many 200 '// line' | put parser/base/long.h
	{
		printf 'static inline int wide(int a, int (*b)(int, int), int c,\n\t\tint d, int e, int f)\n{\n'
		many 66 '	a++;'
		printf '\treturn a;\n}\n\nint five(int a, int (*b)(int, int), int c,\n       int d, int e) __attribute__((nonnull(1, 2)));\n'
		printf '\nvoid big(void)\n{\n'
		many 68 '	a++;'
		printf '}\n'
	} | put analyzers/count/big.c
	put formats/loud.c <<-'END'
	/* printf("no"); exit(1); don't */
	static const char *const fine[] = { "printf(", "exit(1) /* " };
	static const char *moves = "a;b";
	static int counter;
	static struct pair {
		int a;
	} pairs[2];
	static int (*hook)(int, int);
	static int (*const fixed)(int, int) = 0;
	static const struct pair constant[] = { { 1 }, { 2 } };
	struct pair;
	typedef int (*callback)(int);
	enum { ONE, TWO };
	extern int prototype(const char *text, int n);
	const struct pair shown = { .a = 1 };
	static int used(FILE *out)
	{
		static int calls;
		static const int table[] = { 1, 2 };
		out->exit(1);
		fprintf(out, "%d", table[calls]);
		printf("%d", calls);
		exit (1);
		fputs("x", stderr);
	}
	static _Thread_local int per_thread;
	END
	printf 'int a; \nint f(void)\n{\n    return 1;\n        int b;\n\tg(1,\n\t  2);\n}\n// %s\n// FIX''ME later\nchar t[] = "/tmp/X%sX";\n' \
		"$(many 99 x | tr -d '\n')" XX | put tests/unit/shape.c
	echo '`base/` `file/` `record/` `names/` `state/` `flame/` `count/` `heat/`' |
		tee cli/README.md analyzers/README.md formats/README.md >parser/README.md
	printf 'const int mute = 1;\n' >parser/base/mute.c
	printf 'struct event;\n#include "parser/record/record.h"\n' | put parser/event.h
	printf 'struct more;\n#include "parser/event.h"\n' | put parser/more.h
	printf 'int ping(void)\n{\n\tint inside;\n\treturn pong() + inside;\n}\n' | put parser/unwind/ping.c
	printf 'static int inside(void)\n{\n\tstruct s s;\n\ts.inside = 1;\n\treturn ping();\n}\nint pong(void)\n{\n\treturn inside();\n}\n' |
		put parser/unwind/pong.c
	printf 'int inside(void)\n{\n\treturn 0;\n}\nint parser_inside(void)\n{\n\treturn inside();\n}\n' | put parser/record/inside.c
	printf 'int reach(void)\n{\n\treturn parser_inside();\n}\n' | put analyzers/count/reach.c
	printf '#include "parser/session.h"\n#include "parser/pdtool.h"\n' | put analyzers/heat/behind.c
	printf 'struct pdt_session;\n' | put parser/pdtool.h
	printf 'int f(struct s *s, const char *path)\n{\n\tint fd = open(path, 0);\n\ts->open(path);\n\treopen(path);\n\treturn fd ?: fopen (path, "r");\n}\n' |
		put parser/names/opens.c
	for i in $(seq 17); do echo 'struct room;' | put "formats/flame/room$i.c"; done
	printf '#!/bin/sh\necho \n# TO''DO\n' | put tests/run.sh
}

expected='
parser/base/a.h:2: an include cycle
parser/base/b.h:2: an include cycle
parser/base/all.h:1: an umbrella header
formats/text.c:2: formats must not include parser/session.h
formats/text.c:3: formats must not include analyzers/analyzer.h
analyzers/top.c:2: analyzers must not include parser/record/record.h
parser/file/source.c:2: parser/file must not include parser/record/record.h
parser/file/source.c:3: "nowhere.h" is no file
cli/main.c:3: cli must not include parser/record/record.h
parser/state/libs.c:2: <zstd.h> stops
parser/state/libs.c:3: <gelf.h> stops
parser/state/libs.c:4: <event-parse.h> stops
parser/state/libs.c:5: <elfutils/libdw.h> stops
parser/state/libs.c:6: <capstone/capstone.h> stops
parser/state/libs.c:7: <archive.h> stops
parser/state/libs.c:8: <libiberty/demangle.h> stops
parser/state/libs.c:9: <openssl/ssl.h> is a library without
parser/base/long.c:801: a file of 801 lines
parser/base/long.h:201: a header of 201 lines
parser/base/die.c:6: spaces for
analyzers/count/big.c:2: a function of 71 lines
analyzers/count/big.c:2: a function of 6 parameters
analyzers/count/big.c:77: a function of 71 lines
formats/loud.c:4: a variable
formats/loud.c:5: a variable
formats/loud.c:8: a variable
formats/loud.c:9: a variable
formats/loud.c:19: a variable
formats/loud.c:23: prints
formats/loud.c:24: prints
formats/loud.c:25: uses stdout or stderr
formats/loud.c:27: a variable
tests/unit/shape.c:2: blanks
tests/unit/shape.c:5: spaces for
tests/unit/shape.c:6: spaces for
tests/unit/shape.c:10: 102 columns
tests/unit/shape.c:11: a mark of
tests/run.sh:2: blanks
tests/run.sh:3: blanks at the end, or unfinished
parser/names/opens.c:4: open() of a path
parser/names/opens.c:7: fopen() of a path
parser/base/mute.c:1: does not begin with a comment
parser/unwind/ping.c:5: a link cycle, through pong
parser/unwind/pong.c:6: a link cycle, through ping
analyzers/count/reach.c:4: parser_inside of parser/record/inside.c lies behind
parser/event.h:1: opens 1 headers behind the front door, more than 0
parser/more.h:1: opens 1 headers behind the front door, more than 0
analyzers/heat/behind.c:2: analyzers/heat must not include parser/session.h
formats/flame:1: a room of 17 .c files
parser/unwind:1: no README says
'

self_test() {
	tmp=$(mktemp -d)
	trap 'rm -rf "$tmp"' EXIT
	cd "$tmp"
	bad_tree
	found=$(lint | grep -v 'no row is needed') || { echo "lint: the bad tree passed"; return 1; }
	rc=0
	while read -r want; do
		case $found in *"$want"*) ;; *) echo "lint: not found: $want"; rc=1 ;; esac
	done <<-END
	$(echo "$expected" | grep .)
	END
	[ "$(echo "$found" | wc -l)" = "$(echo "$expected" | grep -c .)" ] || {
		echo "lint: more was found than there is:"
		echo "$found"
		rc=1
	}
	return $rc
}

cd "$here/../.."
case ${1:-} in
'') lint ;;
--format) format ;;
--self-test) self_test ;;
*) echo "usage: lint.sh [--format | --self-test]" >&2; exit 2 ;;
esac
