#!/bin/sh
# --symbols: every form of source names functions through it alone, and refuses a file of another build; one source more
# never costs a name; nothing is written, and nobody is connected to. debuginfod, end to end.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

bin=$data/symfs/tmp/bw/pub/binaries/bin
capture=$data/recorded/x86_64/binaries/replaced.data
path=tmp/bw/pub/binaries/bin/app # as recorded
id=2ba9ba2ac31439ae5e26888b1398bd772f59cd5c
rest=${id#2b}
other=f203a04f7a7e44cb54d2bc287dbe25d2e2676a80 # of app.rebuilt
mkdir -p "only/$(dirname $path)"
cp "$bin/app" "only/$path"
"$pdtool" collapse -q --symfs only "$capture" >wanted 2>err
grep -q 'alpha_fn' wanted || fail 'the capture has a name to look for' 'it has not'
"$pdtool" collapse -q "$capture" >nameless
grep -q 'alpha_fn' nameless && fail 'no name without a source' 'there is'

# ---- the forms ----

# form KIND DIR FILE: lay FILE out below DIR.
form() {
	mkdir -p "$2"
	case $1 in
	archive) mkdir -p "$2/$path/$id" "$2/.build-id/2b" && cp "$3" "$2/$path/$id/elf" && : >"$2/$path/$id/probes" &&
		ln -s "../../$path/$id" "$2/.build-id/2b/$rest" ;;
	old-cache) mkdir -p "$2/.build-id/2b" && cp "$3" "$2/.build-id/2b/$rest" ;;
	root) mkdir -p "$2/usr/bin" "$2/$(dirname $path)" && cp "$3" "$2/$path" ;;
	loose) mkdir -p "$2/some/where/else" && cp "$3" "$2/some/where/else/app" && ln -s ../.. "$2/some/where/circle" &&
		mkfifo "$2/some/fifo" && ln -s nowhere "$2/dangling" ;;
	debug-tree) mkdir -p "$2/.build-id/2b" && cp "$3" "$2/.build-id/2b/$rest.debug" ;;
	debug-path) mkdir -p "$2/lib" "$2/$(dirname $path)" && cp "$3" "$2/$path.debug" ;;
	client-cache) mkdir -p "$2/$id" && cp "$3" "$2/$id/executable" && : >"$2/$id/debuginfo" &&
		echo 86400 >"$2/cache_clean_interval_s" ;;
	file) cp "$3" "$2/app" ;;
	esac
}

# taken OPTION...: folded stacks. On the host, whose kernel may be the recorded one, build-id and all, those of the program
# alone, and so wanted.host and nameless.host.
taken() {
	if [ "$pdtool" = "$host_pdtool" ]; then
		"$pdtool" collapse -q --kernel "$@" "$capture" 2>err | of_program
	else
		"$pdtool" collapse -q "$@" "$capture" 2>err
	fi
}
of_program() { sed ':again; s/;[^;]*_\[k\]\(;\| [0-9]*$\)/\1/; t again' | sort; }
"$pdtool" collapse -q --kernel --symfs only "$capture" | of_program >wanted.host
"$pdtool" collapse -q --kernel "$capture" | of_program >nameless.host
grep -q 'alpha_fn [0-9]*$' wanted.host || fail "the program's own stacks" 'they are not'
side() { [ "$pdtool" = "$host_pdtool" ] && echo "$1.host" || echo "$1"; }

# resolves NAME OPTION...: all the names are there, the same with one job and with four.
resolves() {
	label=$1
	shift
	taken -j 1 "$@" >got
	same "$label" "$(side wanted)" got
	taken -j 4 "$@" >got4
	cmp -s got got4 || fail "$label: -j 4" 'other bytes'
}

# refuses NAME OPTION...: no name of the module, and both build-ids are told.
refuses() {
	label=$1
	shift
	taken "$@" >got
	if ! cmp -s "$(side nameless)" got; then
		fail "$label: another build" 'it is used'
	elif "$pdtool" info --names "$@" "$capture" 2>err | grep -q "^refused.*app.*$other.*$id"; then
		ok "$label: another build"
	else
		fail "$label: another build" 'it is not reported with both build-ids'
	fi
}

for kind in archive old-cache root loose debug-tree debug-path client-cache file; do
	form $kind good/$kind "$bin/app"
	form $kind bad/$kind "$bin/app.rebuilt"
	at=$kind
	[ $kind = file ] && at=file/app
	resolves "directory: $kind" --symbols good/$at
	refuses "directory: $kind" --symbols bad/$at
done
mv good/file/app good/file/renamed
resolves 'a file of another name' --symbols good/file/renamed
"$pdtool" collapse --symbols "$bin/app.rebuilt" "$capture" >got 2>err
cmp -s nameless got && grep -q "app.rebuilt: no module with samples has its build-id ($other)" err &&
	ok 'a file for no module of the capture' || fail 'a file for no module of the capture' "$(head -n 1 err)"
DEBUGINFOD_CACHE_PATH=$tmp/good/client-cache
export DEBUGINFOD_CACHE_PATH
on_host resolves 'the cache of debuginfod without an option'
DEBUGINFOD_CACHE_PATH=$tmp/bad/client-cache
on_host refuses 'the cache of debuginfod without an option'
unset DEBUGINFOD_CACHE_PATH
mkdir xdg
cp -R good/client-cache xdg/debuginfod_client
XDG_CACHE_HOME=$tmp/xdg
export XDG_CACHE_HOME
on_host resolves 'the same by XDG_CACHE_HOME'
unset XDG_CACHE_HOME
mv xdg "$HOME/.cache"
on_host resolves 'the same in the home directory'
rm -r "$HOME/.cache"

# pack DIR OUT FILTER MEMBERS: a tar of what is below DIR.
pack() { tar -C "$1" -cf "$2.plain" $4 && case $3 in plain) cat ;; *) $3 -c ;; esac <"$2.plain" >"$2" && rm "$2.plain"; }

for filter in plain gzip bzip2 xz zstd; do
	for which in good bad; do
		pack $which/archive $which.$filter $filter "$path/$id .build-id"
		pack $which/root $which.paths.$filter $filter "$path"
	done
	resolves "perf archive, $filter" --symbols good.$filter
	refuses "perf archive, $filter" --symbols bad.$filter
	resolves "tar of paths, $filter" --symbols good.paths.$filter
	refuses "tar of paths, $filter" --symbols bad.paths.$filter
done
for which in good bad; do
	mkdir all
	cp "$capture" all/perf.data
	cp $which.bzip2 all/perf.symbols.tar.bz2
	pack all $which.all plain 'perf.data perf.symbols.tar.bz2'
	pack all $which.all.bz2 bzip2 'perf.data perf.symbols.tar.bz2'
	rm -r all
done
for form in all all.bz2; do
	resolves "perf archive --all, $form" --symbols good.$form
	refuses "perf archive --all, $form" --symbols bad.$form
done
mkdir links
cp "$bin/app" links/first
ln links/first links/second
tar -C links -cf links.tar --transform "s,^second,$path," first second
resolves 'a hard link in an archive' --symbols links.tar
tar -C good/root -cf absolute.tar -P --transform "s,^tmp,/./tmp," $path
resolves 'absolute names in an archive' --symbols absolute.tar

if command -v perf >/dev/null && perf archive --help >/dev/null 2>&1; then
	cp -R good/archive "$HOME/.debug"
	cp "$capture" perf.data
	perf archive perf.data >out 2>&1
	rm -r "$HOME/.debug"
	if [ -s perf.data.tar.bz2 ]; then
		resolves 'the tarball of perf archive itself' --symbols perf.data.tar.bz2
	else
		skip 'the tarball of perf archive itself' "it made none: $(tail -n 1 out)"
	fi
else
	skip 'the tarball of perf archive itself' 'there is no perf'
fi

# ---- modules without a build-id, by path, below any directory ----

cat >noid.mkperf <<'END'
event cpu-clock type=software config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|PERIOD
comm pid=5 comm=x time=1
mmap pid=5 addr=0x71000 len=0x1000 pgoff=0x1000 file=/opt/w/app time=2
sample pid=5 time=3 ip=0x71230 period=1
END
"$mkperf" -o noid.data noid.mkperf
mkdir -p packed/server/opt/w packed/server/w
cp "$bin/app" packed/server/opt/w/app
cp "$bin/app" packed/server/w/app
pack packed noid.tar plain server/opt
pack packed other.tar plain server/w
equal 'a tar of a root directory' 'x;alpha_fn 1' "$("$pdtool" collapse -q --symbols noid.tar noid.data | stacks)"
equal 'the end of a path is not enough' 'x;[app] 1' "$("$pdtool" collapse -q --symbols other.tar noid.data | stacks)"

# ---- a vdso without a build-id ----

cat >vdso.mkperf <<'END'
event cpu-clock type=software config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|PERIOD
comm pid=5 comm=x time=1
mmap pid=5 addr=0x70000 len=0x2000 file=[vdso] time=2
sample pid=5 time=3 ip=0x71230 period=1
END
"$mkperf" -o vdso.data vdso.mkperf
mkdir vdso two
cp "$bin/app" vdso/1234.vdso
cp "$bin/app" two/1.vdso
cp "$bin/app" two/2.vdso
equal 'the only vdso of a source' 'x;alpha_fn 1' "$("$pdtool" collapse -q --symbols vdso vdso.data | stacks)"
"$pdtool" collapse --symbols vdso vdso.data 2>&1 >got | grep -q 'names of 1 modules are unverified'
result 'and it is said that nothing vouches for it' $?
equal 'which of two vdsos it is cannot be told' 'x;[[vdso]] 1' "$("$pdtool" collapse -q --symbols two vdso.data | stacks)"

# ---- sources add up ----

resolves 'a bad one first' --symbols bad.bzip2 --symbols good.bzip2
resolves 'a bad one last' --symbols good/root --symbols bad/archive
if command -v objcopy >/dev/null; then
	mkdir poor
	objcopy --strip-all --keep-symbol=main "$bin/app" poor/app
	"$pdtool" collapse -q --symbols poor "$capture" | grep -q alpha_fn && fail 'a file with one symbol' 'it has more'
	resolves 'one with few symbols first' --symbols poor --symbols good.gzip
	resolves 'one with few symbols last' --symbols good.gzip --symbols poor
	PERF_BUILDID_DIR=$tmp/good/archive
	export PERF_BUILDID_DIR
	on_host resolves 'one with few symbols, and the cache' --symbols poor
	unset PERF_BUILDID_DIR
else
	skip 'one with few symbols' 'there is no objcopy'
fi

# unnamed SOURCE...: how many addresses have no name, with these sources in this order.
unnamed() {
	for source; do set -- "$@" --symbols "$source" && shift; done
	"$pdtool" collapse "$@" "$capture" 2>&1 >out | sed -n 's/.*: \([0-9]*\) of [0-9]* addresses.*/\1/p'
}
all="poor bad.bzip2 good.gzip $data/symfs"
worse=
for one in $all; do
	alone=$(unnamed $one)
	for two in $all; do
		[ "$(unnamed $one $two)" -le "$alone" ] && [ "$(unnamed $two $one)" -le "$alone" ] || worse="$worse $one+$two"
		both=$(unnamed $one $two)
		for three in poor bad/root; do
			[ "$(unnamed $one $three $two)" -le "$both" ] || worse="$worse $one+$three+$two"
		done
	done
done
equal 'one more never costs a name' '' "$worse"

# No build-id recorded: by path, marked; by this host's file, if it is allowed; neither spoils the other.
cp "$bin/app" visible
{
	cat <<-END
	event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task \\
		sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
	comm pid=5 comm=visitor time=1
	mmap pid=5 addr=0x1000 len=0x4000 pgoff=0x1000 file="$tmp/visible" time=2
	END
	nm "$bin/app" | awk '$3 == "alpha_fn" { print "sample pid=5 time=3 ip=0x" $1 " chain=[user:0x" $1 "]" }'
} >unverified.mkperf
"$mkperf" -o unverified.data unverified.mkperf || exit 1
mkdir -p "there$tmp" "wrong$tmp" there/usr wrong/usr
cp "$bin/app" "there$tmp/visible"
cp "$bin/app.rebuilt" "wrong$tmp/visible"
tar -C there -czf there.tgz ".$tmp/visible"
for form in there there.tgz; do
	equal "no build-id recorded: $form" 'visitor;alpha_fn 1' "$("$pdtool" collapse --symbols $form unverified.data 2>err | stacks)"
	grep -q unverified err && ok "no build-id recorded: $form is marked" || fail "no build-id recorded: $form is marked" 'no'
done
equal 'no build-id recorded: loose files say nothing' 'visitor;[visible] 1' \
	"$("$pdtool" collapse -q --symbols good/loose unverified.data | stacks)"
if command -v objcopy >/dev/null; then
	cp poor/app "wrong$tmp/visible"
	objcopy --remove-section .note.gnu.build-id "wrong$tmp/visible"
	equal 'no build-id recorded: a source beside this host' 'visitor;alpha_fn 1' \
		"$("$host_pdtool" collapse -q --allow-unverified --symbols wrong unverified.data | stacks)"
fi

# ---- the kernel ----

kernel=00112233445566778899aabbccddeeff00112233
printf '%s\n' 'ffffffff81000000 T _text' 'ffffffff81001000 T vfs_toy' 'ffffffff81002000 t next_toy' >kallsyms.text
cat >kernel.mkperf <<END
build_id $kernel [kernel.kallsyms] mode=kernel
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task \\
	sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x10000000 pgoff=0xffffffff81000000 file="[kernel.kallsyms]_text"
comm pid=5 comm=visitor time=1
sample pid=5 mode=kernel time=2 ip=0xffffffff81001010 chain=[kernel:0xffffffff81001010]
END
"$mkperf" -o kernel.data kernel.mkperf || exit 1
kernel_frame() { "$pdtool" collapse "$@" kernel.data 2>err | stacks | sed 's/^visitor;//; s/ 1$//'; }
mkdir -p "k/[kernel.kallsyms]/$kernel" "k2/[kernel.kallsyms]/$other" k3/proc
cp kallsyms.text "k/[kernel.kallsyms]/$kernel/kallsyms"
cp kallsyms.text "k2/[kernel.kallsyms]/$other/kallsyms"
cp kallsyms.text k3/proc/kallsyms
for n in '' 2 3; do tar -C k$n -cjf k$n.tar.bz2 .; done
for form in k k.tar.bz2; do
	equal "kallsyms by build-id: $form" vfs_toy "$(kernel_frame --symbols $form)"
	grep -q unverified err && fail "kallsyms by build-id: $form" 'it is called unverified'
done
for form in k2 k2.tar.bz2; do
	equal "kallsyms of another build-id: $form" '[[kernel.kallsyms]]' "$(kernel_frame --symbols $form)"
done
cp kallsyms.text any.name
for form in k3 k3.tar.bz2 any.name; do
	equal "kallsyms, given: $form" vfs_toy "$(kernel_frame --symbols $form)"
	grep -q unverified err && ok "kallsyms, given: $form is marked" || fail "kallsyms, given: $form is marked" 'it is not'
done
sed 's/vfs_toy/wrong_toy/' kallsyms.text >given
equal 'kallsyms by build-id beats what was given' vfs_toy "$(kernel_frame --symbols given --symbols k.tar.bz2)"

# ---- kernel modules, packed ----

echo 'int toy_read(int n) { return n * 3; }' >toy.c
if cc -O2 -fno-pic -c toy.c -o toy.o 2>/dev/null && ld -r --build-id=0x$other toy.o -o toy.ko 2>/dev/null; then
	module=lib/modules/5.10.0/kernel/toy.ko.xz
	cat >module.mkperf <<-END
	release 5.10.0
	build_id $other /$module mode=kernel
	event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task \\
		sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
	comm pid=5 comm=toy time=1
	mmap pid=-1 tid=0 addr=0xffffffffc0100000 len=0x4000 file=/$module time=1
	sample pid=5 time=3 ip=0xffffffffc0100000 mode=kernel chain=[kernel:0xffffffffc0100000]
	END
	"$mkperf" -o module.data module.mkperf || exit 1
	mkdir -p modules/$(dirname $module) loose.modules
	xz -c toy.ko >modules/$module
	cp modules/$module loose.modules/any.ko.xz
	tar -C modules -czf modules.tgz lib
	for form in modules modules.tgz loose.modules loose.modules/any.ko.xz; do
		equal "a packed kernel module: $form" 'toy;toy_read 1' "$("$pdtool" collapse -q --symbols $form module.data | stacks)"
	done
else
	skip 'a packed kernel module' 'cc or ld does not make one'
fi

# ---- lines: split files and packages ----

mkdir split split/src split/out split/dwo split/dwp
cat >split/src/toy.c <<'END'
static inline __attribute__((always_inline)) int inlined(int x)
{
	for (int i = 0; i < 9; i++)
		x = x * 3 ^ x >> i;
	return x;
}
int split_fn(int x)
{
	return inlined(x);
}
END
split_id=0123456789abcdef0123456789abcdef01234567
flags="-g -O1 -gsplit-dwarf -gdwarf-5 -shared -fPIC -Wl,--build-id=0x$split_id"
# shellcheck disable=SC2086
if (cd split/src && cc $flags -o ../out/libtoy.so toy.c 2>/dev/null) && ls split/out/*.dwo >out 2>/dev/null; then
	command -v llvm-dwp >/dev/null && (cd split/src && llvm-dwp -e ../out/libtoy.so -o ../dwp/libtoy.so.dwp) 2>/dev/null
	mv split/out/*.dwo split/dwo
	rm -r split/src
	at=$(nm split/out/libtoy.so | awk '$3 == "split_fn" { print $1 }')
	cat >split.mkperf <<-END
	event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task \
		sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
	comm pid=5 comm=toy time=1
	mmap2 pid=5 addr=0x0 len=0x4000 pgoff=0x0 build_id=$split_id file=/lib/libtoy.so time=2
	sample pid=5 time=3 ip=0x$at+16 chain=[user:0x$at+16]
	END
	"$mkperf" -o split.data split.mkperf || exit 1
	tar -C split -czf split.tgz out dwo
	tar -C split/out -cf out.tar libtoy.so
	inlined() { "$pdtool" collapse -q "$@" split.data | stacks; }
	equal 'without its split file' 'toy;split_fn 1' "$(inlined --symbols split/out)"
	for dwo in split/dwo split.tgz; do
		for out in split/out out.tar; do
			equal "a split file in $dwo for $out" 'toy;split_fn;inlined 1' "$(inlined --symbols $out --symbols $dwo)"
		done
	done
	[ ! -s split/dwp/libtoy.so.dwp ] ||
		equal 'a package' 'toy;split_fn;inlined 1' "$(inlined --symbols out.tar --symbols split/dwp)"
else
	skip 'split files' 'the compiler makes none'
fi

# ---- maps of just-in-time compilers ----

cat >jit.mkperf <<END
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task \\
	sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
comm pid=7 comm=jit time=1
mmap pid=7 addr=0x1000 len=0x1000 file=//anon time=2
sample pid=7 time=3 ip=0x1010 chain=[user:0x1010]
END
"$mkperf" -o jit.data jit.mkperf || exit 1
mkdir -p maps/tmp maps/usr loose.maps/deep
echo '1000 100 compiled' >maps/tmp/perf-7.map
cp maps/tmp/perf-7.map loose.maps/deep
tar -C maps -czf maps.tgz tmp
for form in maps maps.tgz loose.maps maps/tmp/perf-7.map; do
	equal "perf map: $form" 'jit;compiled 1' "$("$pdtool" collapse --symbols $form jit.data 2>err | stacks)"
	grep -q unverified err && ok "perf map: $form is marked" || fail "perf map: $form is marked" 'it is not'
done
echo '1000 100 other' >perf-8.map
equal 'the perf map of another process' 'jit;[perf-7.map] 1' "$("$pdtool" collapse -q --symbols perf-8.map jit.data | stacks)"

# A vmlinux knows no modules: kallsyms names them whatever comes first.
printf '%s\n' '.globl _text' '_text: .zero 4096' '.globl elf_toy' '.type elf_toy, %function' 'elf_toy: .zero 64' '.size elf_toy, 64' >v.s
if cc -c -o v.o v.s 2>/dev/null && ld -Ttext=0xffffffff81000000 --build-id=0x$kernel -e _text -o vmlinux v.o 2>/dev/null; then
	{ cat kallsyms.text && printf 'ffffffffc0001000 t of_module\t[toy]\n'; } >"k/[kernel.kallsyms]/$kernel/kallsyms"
	{
		cat kernel.mkperf
		echo 'mmap pid=-1 tid=0 addr=0xffffffffc0000000 len=0x4000 pgoff=0x0 file="/lib/modules/x/toy.ko" time=1'
		echo 'sample pid=5 mode=kernel time=3 ip=0xffffffffc0001010 chain=[kernel:0xffffffffc0001010]'
	} >both.mkperf
	"$mkperf" -o kernel.data both.mkperf || exit 1
	equal 'vmlinux' '[[toy]] elf_toy ' "$(kernel_frame --symbols vmlinux | tr '\n' ' ')"
	equal 'kallsyms' 'of_module vfs_toy ' "$(kernel_frame --symbols k | tr '\n' ' ')"
	equal 'vmlinux and kallsyms' 'elf_toy of_module ' "$(kernel_frame --symbols vmlinux --symbols k | tr '\n' ' ')"
	grep -q unverified err && fail 'vmlinux and kallsyms' 'they are called unverified'
	equal 'vmlinux, and kallsyms in the cache' 'elf_toy of_module ' \
		"$(kernel_frame --symbols vmlinux --buildid-dir k | tr '\n' ' ')"
	equal 'kallsyms and vmlinux' 'of_module vfs_toy ' "$(kernel_frame --symbols k --symbols vmlinux | tr '\n' ' ')"
	ld -Ttext=0xffffffff81000000 --build-id=0x$other -e _text -o vmlinux.other v.o
	equal 'vmlinux of another build-id' '[[kernel.kallsyms]] [[toy]] ' "$(kernel_frame --symbols vmlinux.other | tr '\n' ' ')"
else
	skip 'vmlinux and kallsyms' 'cc or ld does not make one'
fi

# ---- the option ----

"$pdtool" collapse -q --symfs "$data/symfs" -S alpha_fn "$capture" >filtered
for option in '--symbol alpha_fn' '--symbols alpha_fn' '--symbols=alpha_fn' '-Salpha_fn'; do
	# shellcheck disable=SC2086
	"$pdtool" collapse -q --symfs "$data/symfs" $option "$capture" >got
	same "the filter: $option" filtered got
done
"$pdtool" collapse --symbols no/such/file "$capture" >out 2>err
equal 'a path that is not there' "2 1" "$? $(grep -c 'no/such/file: no such file' err)"
"$pdtool" collapse --symbols "$capture" "$capture" >out 2>err
equal 'a file that is no source' "2 1" "$? $(grep -c 'neither an archive' err)"
mkfifo fifo
"$pdtool" collapse --symbols ./fifo "$capture" >out 2>err
equal 'a FIFO' 2 $?

# ---- without libarchive ----

cat >without.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
void *dlopen(const char *name, int flags)
{
	void *(*real)(const char *, int);

	*(void **)&real = dlsym(RTLD_NEXT, "dlopen");
	return name && strstr(name, "archive") ? NULL : real(name, flags);
}
END
if cc -shared -fPIC -o without.so without.c -ldl 2>err; then
	LD_PRELOAD=$tmp/without.so "$host_pdtool" collapse --no-host --symbols good.plain "$capture" 2>&1 >out |
		grep -q '^pdtool: good.plain: libarchive.so.13 cannot be loaded, without which no archive is read$' &&
		ok 'no libarchive: that is said' || fail 'no libarchive: that is said' "$(LD_PRELOAD=$tmp/without.so "$host_pdtool" collapse --no-host --symbols good.plain "$capture" 2>&1 >out | head -n 1)"
else
	skip 'no libarchive' "cc: $(head -n 1 err)"
fi

# ---- damaged and hostile archives ----

head -c 5000 good.plain >cut.tar
"$pdtool" collapse --strict --symbols cut.tar "$capture" >out 2>err
equal 'a cut archive, --strict' '3 1' "$? $(grep -c 'cut.tar: damaged, or cut' err)"
perl -e 'sub member { my ($name, $size, $data, $type) = @_;
		my $h = pack "a100a8a8a8a12a12a8aa100a6a2a32a32a8a8a155x12", $name, "0000644", "0000000", "0000000",
			"", "00000000000", " " x 8, $type // "0", "../../escaped", "ustar", "00", "", "", "", "", "";
		substr($h, 124, 12) = $size < 8 ** 11 ? sprintf("%011o\0", $size) : "\x80" . pack("x3Q>", $size);
		substr($h, 148, 8) = sprintf "%06o\0 ", unpack "%32C*", $h;
		print $h, $data, "\0" x (-length($data) % 512); }
	member("../../escaped", 5, "\177ELF\n");
	member("/tmp/pdtool-escaped", 5, "\177ELF\n");
	member("loop", 0, "", "2");
	member("loop/perf-1.map", 5, "1 1 a");
	member("kallsyms", 1 << 60, "ffff");
	member("x", 4, "abcd");' >hostile.tar
"$pdtool" collapse --symbols hostile.tar "$capture" >out 2>err
equal 'a member that claims 2^60 bytes' '0 1' "$? $(grep -c 'hostile.tar: damaged, or cut' err)"
cmp -s out nameless && ok 'hostile names' || fail 'hostile names' 'another result'
ls /tmp/pdtool-escaped ../escaped ../../escaped >out 2>/dev/null
[ -s out ] && fail 'hostile names are not written to' "$(cat out)"
# A bomb: 300 MB of zeros in 44 KB.
perl -e 'print "bomb", "\0" x 96, "0000644\0", "0000000\0" x 2, "30000000000\0", "00000000000\0", " " x 8, "0", "\0" x 100,
	"ustar\x0000", "\0" x 247' | perl -e 'local $/; $_ = <>; substr($_, 148, 8) = sprintf "%06o\0 ", unpack "%32C*", $_; print' >head
{ cat head; head -c 300000000 /dev/zero; } | xz -0 -T1 >bomb.xz
( ulimit -v 2000000; limited 5 "$pdtool" collapse --symbols bomb.xz "$capture" >out 2>err )
status=$?
equal 'a bomb' '0 1' "$status $(grep -c 'bomb.xz: it becomes too large' err)"
[ $status -lt 124 ] && ok 'a bomb does not take long' || fail 'a bomb does not take long' 'it does'

# ---- what the system sees ----

if command -v strace >/dev/null && strace -o trace true 2>/dev/null; then
	DEBUGINFOD_URLS=http://127.0.0.1:9 strace -f -o trace -e trace=openat,creat,mkdir,rename,connect,socket,execve,symlink,link \
		"$host_pdtool" collapse -q --symbols good.all.bz2 --symbols hostile.tar --symbols good/root "$capture" >got 2>err
	"$host_pdtool" collapse -q --symbols good/root "$capture" >on.host 2>err
	same 'under strace' on.host got
	grep -qE 'connect\(|socket\(' trace && fail 'nobody is connected to' "$(grep -m 1 -E 'connect|socket' trace)" ||
		ok 'nobody is connected to'
	grep -E 'O_CREAT|creat\(|mkdir\(|rename\(|link\(' trace >written
	grep -vq O_TMPFILE written && fail 'nothing is written' "$(head -n 1 written)" || ok 'nothing is written'
	[ "$(grep -c execve trace)" = 1 ] && ok 'nothing is run' || fail 'nothing is run' "$(grep -c execve trace) programs"
else
	skip 'nobody is connected to' 'there is no strace that works'
fi

# ---- debuginfod ----

"$pdtool" collapse --debuginfod "$capture" >out 2>err
equal '--debuginfod without URLs' '2 1' "$? $(grep -c 'expected servers' err)"
DEBUGINFOD_CACHE_PATH=$tmp/answers DEBUGINFOD_RETRY_LIMIT=1
export DEBUGINFOD_CACHE_PATH DEBUGINFOD_RETRY_LIMIT
"$pdtool" collapse --strict --debuginfod=http://127.0.0.1:1 "$capture" >got 2>err
status=$?
if grep -q 'libdebuginfod.so.1 is not installed' err; then
	skip debuginfod 'libdebuginfod.so.1 is not installed'
	exit
fi
equal 'no server there' '3 1' "$status $(grep -c 'debuginfod: .*not asked again' err)"
cmp -s nameless got && ok 'no server there: the rest goes on' || fail 'no server there: the rest goes on' 'another result'
rm -rf answers

if ! perl -MIO::Socket::INET -e '
	my $s = IO::Socket::INET->new(LocalAddr => "127.0.0.1:0", Listen => 1) or exit 1;
	exit !IO::Socket::INET->new(PeerAddr => "127.0.0.1:" . $s->sockport, Timeout => 5)' 2>err; then
	skip 'a server' 'nobody can be reached at 127.0.0.1'
	exit
fi

# A server of ours that gives every caller the same file, and writes down what it was asked.
cat >server.pl <<'END'
use IO::Socket::INET;
my $s = IO::Socket::INET->new(LocalAddr => "127.0.0.1:0", Listen => 8) or exit 1;
open my $f, "<", $ARGV[0]; local $/; my $body = <$f>;
open my $log, ">", "asked"; $log->autoflush(1);
open my $up, ">", "starts"; print $up $s->sockport; close $up; rename "starts", "up";
alarm 1000;
my @silent;
while (my $c = $s->accept) {
	if (!length $body) { push @silent, $c; next }
	local $/ = "\r\n\r\n"; my $request = <$c>; print $log +(split / /, $request)[1], "\n";
	print $c "HTTP/1.1 200 OK\r\nContent-Length: " . length($body) . "\r\nConnection: close\r\n\r\n$body"; close $c;
}
END
# serve FILE: the server runs as $server, at $url.
serve() {
	rm -rf up answers
	perl server.pl "$1" &
	server=$!
	trap 'kill $server 2>/dev/null; rm -rf "$tmp"' EXIT
	while [ ! -e up ] && kill -0 $server 2>/dev/null; do sleep 0.1; done
	url=http://127.0.0.1:$(cat up 2>/dev/null)
}
serve "$bin/app"
if [ -e up ]; then
	resolves 'a server' --debuginfod=$url
	equal 'what it was asked' "/buildid/$id/executable" "$(cat asked)"
	: >asked
	on_host resolves 'what came is in the cache' --quiet
	[ -s asked ] && fail 'and the server is not asked' "$(cat asked)" || ok 'and the server is not asked'
	rm -rf answers
	DEBUGINFOD_URLS=$url
	export DEBUGINFOD_URLS
	resolves 'a server, by DEBUGINFOD_URLS' --debuginfod
	kill $server
	serve "$bin/app.rebuilt"
	DEBUGINFOD_URLS=$url
	refuses 'a server' --debuginfod
	unset DEBUGINFOD_URLS
	kill $server
	: >nothing
	serve nothing
	DEBUGINFOD_TIMEOUT=1 timeout 500 "$pdtool" collapse --debuginfod=$url "$capture" >got 2>err
	status=$?
	equal 'a server that says nothing' '0 1' "$status $(grep -c 'debuginfod: .*not asked again' err)"
	kill -0 $server 2>/dev/null && [ $status -lt 124 ] && ok 'a server that says nothing: not for ever' ||
		fail 'a server that says nothing: not for ever' "status $status"
else
	skip 'a server' 'perl cannot listen here'
fi
kill $server 2>/dev/null
rm -rf answers

if command -v debuginfod >/dev/null; then
	mkdir served
	cp "$bin/app" served
	port=$(perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(LocalAddr => "127.0.0.1:0", Listen => 1)->sockport')
	debuginfod -p "$port" -d :memory: -t 1 -F served >server.log 2>&1 &
	server=$!
	tries=0
	while [ $((tries += 1)) -le 300 ]; do # until it has read its files
		rm -rf answers
		"$pdtool" collapse -q --debuginfod="http://127.0.0.1:$port" "$capture" >got 2>err
		cmp -s wanted got && break
		kill -0 $server 2>/dev/null || break
		sleep 0.5
	done
	if kill -0 $server 2>/dev/null; then
		same "Debian's debuginfod" wanted got
		kill $server
		wait $server 2>/dev/null
	else
		skip "Debian's debuginfod" "it does not run: $(tail -n 1 server.log)"
	fi
else
	skip "Debian's debuginfod" 'there is no debuginfod'
fi
