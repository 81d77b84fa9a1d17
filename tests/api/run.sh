#!/bin/sh
# libpdtool as a stranger has it: installed in an empty prefix, found by pkg-config, used from C and C++.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
here=$top/tests/api
foreign=$data/recorded/foreign
prefix=$tmp/prefix

# BUILD as make had it before: another name of the same folder is other targets, which have not those headers.
install() { make -s -C "$top" BUILD="${BUILD:-build}" "$@" install >log 2>&1; }
install PREFIX=/opt/p DESTDIR="$tmp/root" && install PREFIX="$prefix"
result 'make install' $? "$(tail -n 1 log)"
(cd root/opt/p && find . -name '*pdtool*' ! -path './share/*-completion/*' ! -path './share/zsh/*' ! -path './share/fish/*' ! -path './share/man/man1/*' | LC_ALL=C sort) >got
cat >want <<'END'
./bin/pdtool
./include/pdtool.h
./include/pdtool_binary.h
./include/pdtool_capture.h
./include/pdtool_columns.h
./include/pdtool_cut.h
./include/pdtool_module.h
./include/pdtool_record.h
./lib/libpdtool.a
./lib/libpdtool.so
./lib/libpdtool.so.0
./lib/pkgconfig/pdtool.pc
./lib/python3/dist-packages/pdtool.py
./share/man/man3/pdtool.3
./share/man/man5/pdtool-config.5
./share/man/man7/pdtool-peers.7
./share/man/man7/pdtool-tracepoints.7
END
same 'what is installed, with DESTDIR' want got
grep -rl "$tmp" root >found && fail 'no trace of DESTDIR' "$(head -n 1 found)" || ok 'no trace of DESTDIR'

PKG_CONFIG_PATH=$prefix/lib/pkgconfig
export PKG_CONFIG_PATH

# ---- what the libraries let out, and what they ask for ----

lib=$prefix/lib/libpdtool
nm -g --defined-only "$lib.a" | awk 'NF == 3 && $3 !~ /^pdt_/ { print $3 }' >found
[ ! -s found ] && nm -g --defined-only "$lib.a" | grep -q ' T pdt_open$'
result 'the archive: no global symbol but pdt_' $? "$(head -n 3 found | tr '\n' ' ')"
nm -D --defined-only "$lib.so.0" | awk '$3 !~ /^pdt_/ { print $3 }' >found
[ ! -s found ] && nm -D --defined-only "$lib.so.0" | grep -q ' T pdt_open$'
result 'the shared library: no symbol but pdt_' $? "$(head -n 3 found | tr '\n' ' ')"
sed -n 's/^PDT_[A-Z]* .*[ *]\(pdt_[a-z_]*\)(.*/\1/p' "$prefix"/include/*.h | LC_ALL=C sort >want
nm -D --defined-only "$lib.so.0" | awk '{ print $3 }' | LC_ALL=C sort >got
same 'exported is what the header declares' want got
readelf -d "$lib.so.0" | grep -q 'SONAME.*\[libpdtool.so.0\]'
result 'the soname' $?
# Memory and handles that owner.c does not know, output, the end of the process.
nm -u "$lib.a" | grep -xE ' *U (strdup|__strdup|getline|getdelim|open_memstream|fdopen|fdopendir|scandir|tmpfile|mkstemp|socket|pipe2?|popen|reallocarray|posix_memalign|memalign|valloc|(f|v|vf|d|vd)?printf|puts|fputs|putchar|perror|stderr|stdout|abort|exit|_exit|__assert_fail|__(asprintf|vasprintf|fprintf|printf|realpath)_chk|dwfl_begin)' >found
[ ! -s found ]
result 'nothing that owner.c does not know of, no output, no exit' $? "$(tr -d '\n' <found)"

# ---- compilers ----

sed -n '/^\.EX$/,/^\.EE$/p' "$prefix/share/man/man3/pdtool.3" | sed '/^\.E[XE]$/d; s/\\e/\\/g; s/\\-/-/g' >example.c
strict="-Wall -Wextra -pedantic -Werror ${SANITIZER:-}" # see check-ubsan in the Makefile
# The archive with shared libraries behind it: what these need themselves (--static would name it) need not be installed.
# shellcheck disable=SC2046
static="-L$prefix/lib -Wl,-Bstatic -lpdtool -Wl,-Bdynamic $(pkg-config --libs $(pkg-config --print-requires-private pdtool)) \
	$(sed -n 's/^Libs.private: //p' "$prefix/lib/pkgconfig/pdtool.pc")"
shared="$(pkg-config --libs pdtool) -Wl,-rpath,$prefix/lib"
# build COMPILER STANDARD SOURCE...: each against the shared library and the archive
build() {
	compiler=$1 standard=$2
	shift 2
	for source; do
		name=$(basename "${source%.*}").$compiler
		# shellcheck disable=SC2046,SC2086
		$compiler -std=$standard $strict $(pkg-config --cflags pdtool) "$source" -pthread $shared -o "$name.shared" 2>err &&
			$compiler -std=$standard $strict $(pkg-config --cflags pdtool) "$source" -pthread $static -o "$name.static" 2>err
		result "$name: shared and static" $? "$(head -n 1 err)"
	done
}
build gcc c99 "$here/counts.c" "$here/errors.c" "$here/tables.c" example.c
build clang c99 "$here/counts.c" "$here/errors.c" "$here/tables.c" example.c
build g++ c++11 "$here/folded.cc"
build clang++ c++11 "$here/folded.cc"
ldd counts.gcc.shared | grep -q "=> $prefix/lib/libpdtool.so.0" && ! ldd counts.gcc.static | grep -q libpdtool
result 'each is linked to its library' $?

# ---- what they say ----

version=$("$pdtool" --version | sed -n '1s/^pdtool \([0-9.]*\).*/\1/p')
macro=$(sed -n 's/^#define PDT_VERSION[[:blank:]]*"\(.*\)"/\1/p' "$prefix/include/pdtool.h")
equal 'the version, of header and pkg-config' "$version $version" "$macro $(pkg-config --modversion pdtool)"

n=0
for file in "$foreign"/*.data* $(find "$data/recorded/x86_64" "$data/unwind" "$data/broken" -name '*.data*' | LC_ALL=C sort); do
	n=$((n + 1)) by=shared
	[ $((n % 2)) = 1 ] || by=static
	"$pdtool" info --allow-empty --counts --format csv "$file" 2>/dev/null | grep -E '^(record|event),' | tr -d '"' >want
	./counts.gcc.$by "$file" 2>/dev/null | tr -d '"' >got
	cmp -s want got || { fail "counts: ${file#"$data/"}" 'not those of info --counts'; diff want got | show /dev/stdin; }
done
[ $n -gt 60 ]
result "counts of $n captures are those of info --counts" $?
"$pdtool" info --counts --format csv "$foreign"/01-* | grep -E '^(record|event),' | tr -d '"' >want
./counts.clang.static - <"$(echo "$foreign"/01-*)" | tr -d '"' >got
same 'counts of standard input' want got

for name in foreign/05-x86_64-k4.14-group.perf.data foreign/13-aarch64-k6.12-callchain-diff-old.perf.data.zst \
	foreign/15-aarch64-k6.12-callchain-with-binary.perf.data.zst foreign/24-x86_64-k6.12-dwarf8192.perf.data.zst \
	x86_64/binaries/linked.data x86_64/binaries/plugins.data; do
	"$pdtool" collapse -q --no-host --symfs "$data/symfs" "$data/recorded/$name" | grep -v "^# " | LC_ALL=C sort >want
	for by in g++.shared g++.static clang++.shared; do
		./folded.$by "$data/recorded/$name" "$data/symfs" | LC_ALL=C sort >got
		same "folded.$by: $name" want got
	done
done

sched=$(echo "$foreign"/12-*)
./example.gcc.shared "$sched" >got
equal 'the example of pdtool(3): an event' '12782555136396 ns cpu 0 2002/2002 perf sched:sched_switch 1 next_pid=17' "$(head -n 1 got)"
equal 'the example of pdtool(3): all events' "$("$pdtool" info --counts --format csv "$sched" | awk -F, '$1 == "record" && $2 == "SAMPLE" { print $3 }')" \
	"$(grep -c ' ns cpu ' got)"
grep -q '^  ? (\[kernel.kallsyms\])$' got
result 'the example of pdtool(3): functions' $?
./example.clang.static "$top/README.md" >got 2>err
equal 'the example of pdtool(3): an error' "1 $top/README.md: offset 0: not a perf.data capture" "$? $(sed 's/ (.*//' err)"

for by in gcc.shared clang.static; do
	./errors.$by "$data/recorded/x86_64/binaries/linked.data" "$top/README.md" >got 2>&1
	result "errors.$by: wrong calls and inputs, threads" $? "$(head -n 1 got)"
done

# ---- tables, and filters ----

n=0
for file in "$foreign"/*.data* $(find "$data/recorded/x86_64" "$data/unwind" "$data/broken" -name '*.data*' | LC_ALL=C sort); do
	n=$((n + 1)) by=gcc.shared
	[ $((n % 2)) = 1 ] || by=clang.static
	"$pdtool" info --allow-empty --counts "$file" >/dev/null 2>&1 || continue
	./tables.$by "$file" >got 2>err || { fail "tables: ${file#"$data/"}" "$(cat err)"; show got; }
done
[ $n -gt 60 ]
result "tables of $n captures have the events of pdt_next()" $?
# The numbers are those of enum pdt_filter_option.
file=$sched
for filter in 64=sched_switch 65=perf 66=0,2002 67=0 68=0 69=10%-60% '70=prev_pid == 0 && next_prio < 100'; do
	value=${filter#*=}
	case $filter in
	64=*) set -- --event "$value" ;;
	65=*) set -- --comms "$value" ;;
	66=*) set -- --pid "$value" ;;
	67=*) set -- --tid "$value" ;;
	68=*) set -- --cpu "$value" ;;
	69=*) set -- --time "$value" ;;
	*) set -- --filter "$value" ;;
	esac
	"$pdtool" script -F time "$@" "$file" 2>/dev/null | grep -c . >want
	./tables.gcc.shared "$file" "$filter" | awk 'NR == 1 { print $3 }' >got
	same "pdt_set($filter) is $1" want got
done
cat >fields.mkperf <<-END
	$(awk 'BEGIN { for (i = 0; i < 300; i++) s = s (i ? ";" : "") "int f" i; print "tracepoint a:b id=7 fields=\"" s "\" print=\"\"" }')
	event a:b type=tracepoint config=7 sample_type=TID|TIME|RAW
	sample time=5 pid=1 tid=1 raw=01020304
END
"$mkperf" -o fields.data fields.mkperf 2>err && ./tables.gcc.shared fields.data | sed -n 3p >got
equal 'more fields than a table has' '1 events, 1 samples, 44 left out' "$(cat got err)"

# ---- no memory ----

# shellcheck disable=SC2046
gcc -std=gnu11 -O1 $strict $(pkg-config --cflags pdtool) "$here/oom.c" -pthread $shared -ldl -o oom 2>err
result 'oom' $? "$(head -n 1 err)"
if [ -f "$build/san/libpdtool.a" ]; then
	# shellcheck disable=SC2046
	clang -std=gnu11 -g $strict -DWRAPPED -fsanitize=address,undefined $(pkg-config --cflags pdtool) "$here/oom.c" \
		-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,--wrap=free "$build/san/libpdtool.a" \
		$(pkg-config --libs libdeflate libdw libelf libzstd) -ldl -pthread -o oom.san 2>err
	result 'oom, for the sanitizers' $? "$(head -n 1 err)"
fi
# oom NAME ARGUMENTS...: option 7 is PDT_NO_HOST, 2 PDT_SYMFS, 4 PDT_KALLSYMS, 10 PDT_JOBS
oom() {
	name=$1
	shift
	timeout 300 ./${program:-oom} -s 7=1 "$@" >got 2>&1
	result "no memory: $name" $? "$(grep -v ' 0 with another result' got | head -n 1)"
	awk '{ runs += $2; lost += $(NF - 3) } END { print "    " NR " captures, " runs " runs, " lost " blocks lost by libdw" }' got
}
for machine in arm64 i386; do
	mkdir $machine && tar xzf "$data/unwind/$machine/files.tar.gz" -C $machine
done
oom 'symbols, lines, inlined functions' -s 2="$data/symfs" "$data/recorded/x86_64/binaries/linked.data"
oom 'the same in four threads' -f 1.03 -s 10=4 -s 2="$data/symfs" "$data/recorded/x86_64/binaries/linked.data" \
	"$foreign"/15-*.zst
oom 'user stacks, unwound' -f 1.05 -s 2=arm64 "$data/unwind/arm64/shapes.data.zst"
oom 'user stacks, unwound, four threads' -f 1.05 -s 10=4 -s 2=i386 "$data/unwind/i386/shapes.data.zst"
oom 'zstd, a pipe, tracepoints, DWARF stacks' -f 1.05 "$foreign"/01-* "$foreign"/04-* "$foreign"/09-* "$foreign"/10-* "$foreign"/11-* \
	"$foreign"/12-* "$foreign"/20-* "$foreign"/24-*
oom 'tables and filters' -f 1.05 -t -s 64=sched_switch,sw* -s 65=perf,swapper -s 66=0-9999999 -s 69=0%-90% -s '70=prev_pid < 9999999' "$foreign"/12-*
oom 'packing' -f 1.03 -p out.pd -s 2="$data/symfs" "$data/recorded/x86_64/binaries/linked.data"
oom 'packing, four threads' -f 1.03 -p out.pd -s 10=4 -s 2="$data/symfs" "$data/recorded/x86_64/binaries/linked.data"
oom 'damaged' -f 1.05 "$data"/recorded/x86_64/damaged/trunc60.data "$data"/recorded/x86_64/damaged/killedz.data \
	"$data"/broken/hole-inside-zstd.data
# shellcheck disable=SC2046
oom 'every capture, at some places' -f 1.5 $(find "$data/recorded" "$data/broken" -name '*.data*')

if [ -x oom.san ]; then
	program=oom.san
	oom 'sanitizers: symbols, lines, inlined functions' -f 1.05 -s 2="$data/symfs" "$data/recorded/x86_64/binaries/linked.data"
	oom 'sanitizers: tables' -f 1.1 -t -s '70=prev_pid < 9999999' "$foreign"/01-* "$foreign"/12-*
	oom 'sanitizers: packing' -f 1.05 -p out.pd -s 10=4 -s 2="$data/symfs" "$data/recorded/x86_64/binaries/linked.data"
	oom 'sanitizers: user stacks, unwound' -f 1.1 -s 2=arm64 "$data/unwind/arm64/shapes.data.zst"
	oom 'sanitizers: user stacks, unwound, four threads' -f 1.1 -s 10=4 -s 2=i386 "$data/unwind/i386/shapes.data.zst"
	oom 'sanitizers: zstd, tracepoints, DWARF stacks' -f 1.1 "$foreign"/09-* "$foreign"/12-* "$foreign"/20-* "$foreign"/24-*
else
	skip 'no memory, under the sanitizers' 'build/san is not there'
fi
