#!/bin/sh
# A capture analysed on another machine by doctor's own words: what it says to do on the recording machine is done there,
# what comes back is given to it here, and every module that it listed has names.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

for tool in cc readelf nm tar; do
	command -v $tool >/dev/null || { skip 'the round trip' "$tool is not installed"; exit 0; }
done
tar --version 2>/dev/null | grep -q GNU || { skip 'the round trip' 'tar is not GNU tar'; exit 0; }
PATH=$(dirname "$pdtool"):$PATH

# The recording machine's files are below "server"; while we are on the other one, they are not there.
mkdir server
server=$tmp/server
hide() { mv server hidden; }
back() { mv hidden server; }

cat >server/lib.c <<'END'
static void __attribute__((noinline)) between(int (*f)(int), int n) { f(n); __asm__ volatile(""); }
void __attribute__((noinline)) lib_apply(int (*f)(int), int n) { between(f, n); __asm__ volatile(""); }
END
# No start-up code of the C library: it has functions that only a debug package names.
cat >server/app.c <<'END'
extern void lib_apply(int (*f)(int), int n);
extern void _exit(int);
volatile int sink;
static int __attribute__((noinline)) work(int n) { for (int i = 0; i < 1000000; i++) sink += i * n; return sink; }
void _start(void) { for (int i = 0; i < 300; i++) lib_apply(work, i); _exit(0); }
END
flags='-g -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -Wl,--build-id'
# shellcheck disable=SC2086
if ! { cc $flags -shared -fPIC -o server/libmy.so server/lib.c &&
	cc $flags -nostartfiles -o server/app server/app.c -Lserver -lmy -Wl,-rpath,"$server"; } 2>err; then
	skip 'the round trip' "cc: $(head -n 1 err)"
	exit 0
fi

# said WHERE: what doctor says to do there, in text.
said() { sed -n "s/^get  *$1[^:]*: //p" "$tmp/text"; }

# trip NAME CAPTURE FUNCTION...: here, there, and here again. $percent of the frames may stay without a name.
trip() {
	label=$1
	rm -rf here there && mkdir here there && cp "$2" here/perf.data
	shift 2
	hide
	(cd here && pdtool doctor -q --max-unresolved "$percent" perf.data) >text
	equal "$label: too much is missing at first" 4 $?
	grep -q "  symbols.*  $server/app\$" text && ok "$label: the program is listed" || fail "$label: the program is listed" "$(tail -n 3 text)"
	(cd here && eval "$(said here | sed -n 1p)") 2>err || fail "$label: the list" "$(head -n 1 err)"
	back
	cp here/list there
	said 'on the recording machine' >there/run
	(cd there && sh -e run) >out 2>err
	equal "$label: what is to be done there" 0 $?
	hide
	cp there/syms.tgz here
	again=$(said here | sed -n 2p)
	(cd here && eval "$again -q --max-unresolved $percent") >text 2>err
	equal "$label: and now" 0 $?
	grep -E "  (symbols|static symbols|kallsyms|perf map).*  ($server/|\[kernel|/tmp/perf)" text >left
	[ ! -s left ] && ok "$label: every module that was listed has names" || { fail "$label: every module has names" ''; show left; }
	for name in work lib_apply _start "$@"; do
		(cd here && eval "$(echo "$again" | sed 's/.* && //; s/^pdtool doctor/pdtool collapse/') -q") | tr ';' '\n' | sed 's/ [0-9]*$//' | grep -qxF -- "$name" ||
			fail "$label: $name" 'no frame is called so'
	done
	back
}

# ---- a made capture, which needs no perf: the program, the library that only calls, code of a JIT, the kernel ----

id_of() { readelf -nW "$1" | sed -n 's/.*Build ID: *//p'; }
# at FILE SYMBOL BASE: where it is when the code of FILE is mapped at BASE.
code() { readelf -lW "$1" | awk '$1 == "LOAD" && $0 ~ / R E / { print $2, $3, $5; exit }'; }
at() {
	# shellcheck disable=SC2046
	set -- "$1" "$3" "$(nm "$1" | awk -v s="$2" '$3 == s { print $1; exit }')" $(code "$1")
	printf '0x%x' $(($2 + 0x$3 - $5 + 4))
}
map_of() {
	# shellcheck disable=SC2046
	set -- "$1" "$2" $(code "$1")
	echo "mmap pid=2147483001 addr=$2 len=$5 pgoff=$3 file=\"$1\" time=2"
}
app=$server/app lib=$server/libmy.so
user="user:$(at "$app" work 0x10000000),$(at "$lib" between 0x20000000),$(at "$lib" lib_apply 0x20000000),$(at "$app" _start 0x10000000),0x1"
kernel=$(awk '$3 == "vfs_read" && $1 !~ /^0*$/ { print $1; exit }' /proc/kallsyms 2>/dev/null)
text=$(awk '$3 == "_text" && $1 !~ /^0*$/ { print $1; exit }' /proc/kallsyms 2>/dev/null)
# of the note that it shows, or a kallsyms of the running kernel would be another kernel's
kernel_id=$(od -An -v -tx1 /sys/kernel/notes 2>/dev/null | tr -d ' \n' | sed -n 's/.*040000001400000003000000474e5500\(.\{40\}\).*/\1/p')
{
	echo "build_id $(id_of "$app") $app"
	echo "build_id $(id_of "$lib") $lib"
	echo "build_id ${kernel_id:-00112233445566778899aabbccddeeff00112233} [kernel.kallsyms] mode=kernel"
	echo 'event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD'
	[ -z "$kernel" ] || echo "mmap pid=-1 tid=0 addr=0x$text len=0x8000000 pgoff=0x$text file=\"[kernel.kallsyms]_text\""
	echo 'comm pid=2147483001 comm=app time=1'
	map_of "$app" 0x10000000
	map_of "$lib" 0x20000000
	echo 'mmap pid=2147483001 addr=0x30000000 len=0x1000 file=//anon time=2'
	echo "sample pid=2147483001 time=3 ip=$(at "$app" work 0x10000000) chain=[$user]"
	echo "sample pid=2147483001 time=4 ip=0x30000010 chain=[user:0x30000010,${user#user:}]"
	[ -z "$kernel" ] || echo "sample pid=2147483001 time=5 mode=kernel ip=0x$kernel chain=[kernel:0x$kernel,$user]"
} >made.mkperf
"$mkperf" -o made.data made.mkperf || exit 1
percent=0 # the frame at 0x1, junk of a frame pointer, does not count
map=/tmp/perf-2147483001.map
if ( set -C; printf '30000000 100 jitted\n' >$map ) 2>/dev/null; then
	trap 'rm -rf "$tmp" $map' EXIT
	trap 'exit 1' HUP INT TERM # or it would stay, and the next run skip this
	if [ -n "$kernel" ]; then
		trip 'a made capture' made.data between jitted vfs_read
	else
		skip 'a made capture: the kernel' 'its symbols are not shown to this user'
		trip 'a made capture' made.data between jitted
	fi
else
	skip 'a made capture' '/tmp cannot be written'
fi

# ---- real ones ----

# perf's cache would be this machine's, too
for how in fp dwarf,8192; do
	if perf record -q -N -o real.data --buildid-all -F 500 --call-graph "$how" -- "$app" >/dev/null 2>err && [ -s real.data ]; then
		percent=5
		trip "recorded with --call-graph $how" real.data
	else
		skip "recorded with --call-graph $how" 'perf record is not possible here'
	fi
done

# ---- captures of other architectures: what the list names does what all of the machine's files do ----

# table ROOT CAPTURE: without where names came from.
table() { "$pdtool" doctor -q --buildid-dir none --symfs "$1" --format json "$2" | sed "s|\"$1/[^\"]*\"|\"\"|g; s|names from $1/|names from |g" | grep -v '^"capture'; }
for arch in arm64 i386 s390x ppc64el arm64-link-register; do
	capture=$(echo "$data/unwind/$arch"/*.data*)
	mkdir -p "$arch/all" "$arch/listed" && tar xzf "$data/unwind/$arch/files.tar.gz" -C "$arch/all" || fail "$arch" 'no files'
	"$pdtool" bundle-list -q --buildid-dir none "$capture" >list
	# that root is not /, so the list is taken as relative to it; a line may be quoted
	sed 's|^/||' list | tar czhf "$arch/syms.tgz" -C "$arch/all" --no-recursion --ignore-failed-read -T - 2>err &&
		tar xzf "$arch/syms.tgz" -C "$arch/listed"
	table "$arch/all" "$capture" >want
	table "$arch/listed" "$capture" >got
	same "$arch: the listed files are all that is needed" want got
	table none "$capture" >bare
	cmp -s bare got && fail "$arch: and they are needed" 'without them it is the same' || ok "$arch: and they are needed"
done

# ---- docs/another-machine.md, line by line ----

# the first way, pdtool pack, is tested by itself
awk '/^    pdtool pack/ { next } /^    / { if (!inside) group++; inside = 1; print substr($0, 5) >"recipe." group; next } { inside = 0 }' "$top/docs/another-machine.md"
equal 'the recipe: there, here, there, here' 4 "$(ls recipe.* | grep -c '')"
# The machines are directories here, and ten seconds are long.
rm -rf here there && mkdir here there
scp() { cp "$(echo "$1" | sed "s|^root@server:|$tmp/there/|")" "$(echo "$2" | sed "s|^root@server:|$tmp/there/|")"; }
sed -i 's/sleep 10$/sleep 1/' recipe.1
if ! perf record -q -a -o try.data -- true >/dev/null 2>&1; then
	skip 'the recipe' 'perf record -a is not possible here'
else
	while [ ! -e stop ]; do "$app"; done &
	(cd there && . ../recipe.1) >out 2>&1
	equal 'the recipe: recording' 0 $?
	: >stop
	wait
	hide
	PERF_BUILDID_DIR=$tmp/none # perf's cache is that of the other machine
	export PERF_BUILDID_DIR
	(cd here && . ../recipe.2) >text 2>err
	equal 'the recipe: looking at it' 0 $?
	grep -q "  symbols.*  $app\$" text && ok 'the recipe: the program has no names yet' || fail 'the recipe: the program has no names yet' ''
	back
	(cd there/capture && . ../../recipe.3) >out 2>err
	equal 'the recipe: packing' 0 $?
	hide
	(cd here && . ../recipe.4) >text 2>err
	code=$?
	# what may lack more than 5 % are this machine's other programs, never what no file can name
	lacking=$(awk '$NF ~ /^[[\/]/ && $0 !~ /mapping]$|\[hypervisor]$|\[no stack]$|\[guest]$/ {
			gsub(",", ""); if ($3 ~ /^[0-9]+$/) { all += $3; named += $4 } }
		END { print (all && (all - named) / all > 0.05) ? 4 : 0 }' text)
	equal 'the recipe: looking again' "$lacking" $code
	grep -E "  (symbols|kallsyms)[^/]*  ($server/|\[kernel)" text >left
	[ ! -s left ] && grep -q "  $app\$" text && ok 'the recipe: and it has names' || { fail 'the recipe: and it has names' ''; show left; }
	back
fi
