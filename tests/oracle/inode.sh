#!/bin/sh
# On the recording machine a file without a recorded build-id is known by its inode, when it was last changed before it
# was mapped; whatever was put in its place, or cannot be shown to be of that time, is refused, and that is said.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
pdtool=$host_pdtool # what it takes from this machine is the matter here

# ---- made captures, with a wall clock ----

# build OUT NAME: a program without a build-id whose only function of its own is NAME
build() {
	printf 'int %s(int n)\n{\n\treturn n + 1;\n}\nint main(void)\n{\n\treturn %s(0);\n}\n' "$2" "$2" >build.c
	"${CC:-cc}" -O0 -no-pie -Wl,--build-id=none -o "$1" build.c
}
address() { nm "$1" | awk -v n="$2" '$3 == n { print $1 }'; }
now() { date +%s%N; }

build app recorded_fn && build decoy decoy_fn || exit 1
addr=$(address app recorded_fn) base=$(readelf -lW app | awk '/LOAD/ && / E / { print $3, $2; exit }')
sleep 0.1 # a capture that begins in the tick of the last change proves nothing

# capture OUT FILE WALL LINE...: a sample of recorded_fn in FILE, mapped at WALL
capture() {
	out=$1 file=$2 wall=$3
	shift 3
	set -- "$@" "$(stat -c 'maj=%Hd min=%Ld ino=%i' "$file")"
	eval "numbers=\${$#}"
	{
		while [ $# -gt 1 ]; do printf '%s\n' "$1"; shift; done
		cat <<-END
		event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task \\
			sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
		clock_data clockid=1 wall=$wall clock=1000000000
		sample_time 1000000000 1000000003
		comm pid=5 comm=prog time=1000000001
		mmap2 pid=5 addr=${base% *} len=0x1000 pgoff=${base#* } file="$tmp/$file" ${ids:-$numbers} time=1000000002
		sample pid=5 time=1000000003 ip=0x$addr chain=[user:0x$addr]
		END
	} >capture.mkperf
	"$mkperf" -o "$out" capture.mkperf || exit 1
}
names() { "$pdtool" collapse "$@" 2>err | stacks; }
yes='prog;recorded_fn 1' no='prog;[app] 1'

# refused NAME WHY CAPTURE
refused() {
	equal "$1: no name" "$no" "$(names "$3")"
	grep -q "$tmp/app.*$2.*, not used" err && ok "$1: is said" || fail "$1: is said" "$(cat err)"
}

capture app.data app "$(now)"
equal 'the inode, unchanged since' "$yes" "$(names app.data)"
equal 'it is not marked as unverified' 0 "$(grep -c unverified err)"
"$pdtool" doctor --format csv app.data 2>err | grep -q '/app,inode,\|,inode,' && ok 'doctor names the inode' ||
	fail 'doctor names the inode' "$("$pdtool" doctor --format csv app.data 2>&1 | tail -3)"
equal '--no-host' "$no" "$(names --no-host app.data)"
equal 'a pipe' "$yes" "$(cat app.data | names -)"

capture early.data app "$(($(now) - 3600000000000))"
refused 'changed after it was mapped' 'was changed since' early.data
capture other.data app "$(now)" "host someone-else"
equal 'another host' "$no" "$(names other.data)"
equal 'another host: nothing is said of its files' 0 "$(grep -c 'not used' err)"
generation=$(lsattr -v app 2>/dev/null | awk '$1 != 0 { print $1 }')
if [ -n "$generation" ]; then
	ids="$(stat -c 'maj=%Hd min=%Ld ino=%i' app) ino_generation=$((generation ^ 1))"
	capture generation.data app "$(now)"
	refused 'another generation of the inode' 'another file' generation.data
	ids="${ids% *} ino_generation=$generation"
	capture generation.data app "$(now)"
	equal 'the same generation' "$yes" "$(names generation.data)"
	ids=
else
	skip 'generations of inodes' 'this file system tells none'
fi

# Two files were mapped at one path, as in two containers: the one that is not here has no name from the one that is.
ids="maj=9 min=9 ino=123" && capture two.data app "$(now)" && ids=
{ grep -v '^sample ' capture.mkperf
	echo "sample pid=5 time=1000000003 ip=0x$addr chain=[user:0x$addr]"
	echo "mmap2 pid=6 addr=${base% *} len=0x1000 pgoff=${base#* } file=\"$tmp/app\" $(stat -c 'maj=%Hd min=%Ld ino=%i' app) time=1000000004"
	echo "sample pid=6 time=1000000005 ip=0x$addr chain=[user:0x$addr]"; } >two.mkperf
"$mkperf" -o two.data two.mkperf || exit 1
equal 'two files of one path' '[app] 1
recorded_fn 1' "$(names two.data | sed 's/^[^;]*;//' | LC_ALL=C sort)"

# Another boot, as on a machine whose disk was copied or restored as it was: what perf record -k told holds there, too.
capture boot.data app "$(now)" 'release 3.2.0-another'
equal 'another boot, with -k' "$yes" "$(names boot.data)"
sed '/^clock_data/d' capture.mkperf >boot.mkperf && "$mkperf" -o boot.data boot.mkperf
refused 'another boot, without -k' 'another kernel runs here' boot.data
# A neighbour in the same capture that is verified, by build-id and inode, and younger does not vouch for when it was:
# its times may be later than the recording, though its contents are not.
"${CC:-cc}" -O0 -no-pie -Wl,--build-id -o neighbour build.c
sleep 0.1
cat neighbour >kept && cat kept >neighbour && touch neighbour
capture boot.data app "$(now)"
{ echo "build_id $(readelf -nW neighbour | sed -n 's/.*Build ID: //p') $tmp/neighbour"
	sed '/^clock_data/d' capture.mkperf
	echo "comm pid=6 comm=other time=1000000001"
	echo "mmap2 pid=6 $(readelf -lW neighbour | awk '/LOAD/ && / E / { print "addr=" $3 " len=0x1000 pgoff=" $2; exit }')" \
		"file=\"$tmp/neighbour\" $(stat -c 'maj=%Hd min=%Ld ino=%i' neighbour) time=1000000002"
	echo "sample pid=6 time=1000000003 ip=0x$(address neighbour decoy_fn) chain=[user:0x$(address neighbour decoy_fn)]"
} >boot.mkperf
"$mkperf" -o boot.data boot.mkperf || exit 1
equal 'a verified neighbour does not vouch' "other;decoy_fn 1
$no" "$(names boot.data | LC_ALL=C sort)"
grep -q "$tmp/app.*has the recorded inode, but .*, not used" err && ok 'a verified neighbour: is said' ||
	fail 'a verified neighbour: is said' "$(cat err)"

capture app.data app "$(now)"
cp app kept
sleep 0.1
cat decoy >app
refused 'written over' 'was changed since' app.data
equal 'written over: no name of the new one' 0 "$("$pdtool" report app.data 2>&1 | grep -c decoy)"
cat kept >app
refused 'written over, and back' 'was changed since' app.data
build app recorded_fn
capture app.data app "$(now)"
cp -p decoy new && mv new app
refused 'replaced' 'another file' app.data
rm app
equal 'deleted' "$no" "$(names app.data)"

# ---- recorded here, without options ----

if ! perf record -q -e cpu-clock -o try.data true >/dev/null 2>&1; then
	skip 'recorded here' 'perf record is not permitted'
else
	cat >work.c <<-'END'
	#include <stdlib.h>
	static int ascending(const void *a, const void *b)
	{
		return *(const int *)a - *(const int *)b;
	}
	int main(void)
	{
		static int v[100000];
		for (int k = 0; k < 30; k++) {
			for (int i = 0; i < 100000; i++)
				v[i] = rand();
			qsort(v, 100000, sizeof(*v), ascending);
		}
		return v[0] & 0;
	}
	END
	"${CC:-cc}" -O1 -fno-omit-frame-pointer -Wl,--build-id=none -o work work.c || exit 1
	sleep 0.1
	perf record -q -e cpu-clock -F 499 -g -o work.data -- ./work >/dev/null 2>err || fail 'recorded here' "$(cat err)"
	"$pdtool" collapse work.data 2>err >out
	grep -q ';ascending ' out && ok 'recorded here: named' || fail 'recorded here: named' "$(head -3 out; cat err)"
	cp work.data later.data && touch -d '+2 hours' later.data
	"$pdtool" collapse later.data 2>err >out
	if grep -q 'not used' err; then
		grep -q ascending out && fail 'when it was is not known' 'it is named' || ok 'when it was is not known: refused'
	else # the kernel's address, which is random, tells that it was this boot
		grep -q ';ascending ' out && ok 'this boot, by the address of the kernel' || fail 'this boot' "$(cat err)"
	fi
	# code made at run time: the map that the process itself wrote, and no other
	cat >jit.c <<-'END'
	#include <stdio.h>
	#include <string.h>
	#include <sys/mman.h>
	#include <unistd.h>
	int main(void)
	{
		static const unsigned char spin[] = { /* mov %edi,%eax; dec %eax; jnz -4; ret */
			0x89, 0xf8, 0xff, 0xc8, 0x75, 0xfc, 0xc3 };
		char *code = mmap(NULL, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), path[40];
		FILE *f;

		snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
		f = fopen(path, "w");
		fprintf(f, "%lx %zx spinning_code\n", (unsigned long)code, sizeof(spin));
		fclose(f);
		memcpy(code, spin, sizeof(spin));
		for (int i = 0; i < 20; i++)
			((void (*)(int))code)(30000000);
		puts(path);
		return 0;
	}
	END
	if [ "$(uname -m)" != x86_64 ]; then
		skip 'a perf map of this host' 'its code is for x86-64'
	else
		"${CC:-cc}" -O1 -o jit jit.c && perf record -q -e cpu-clock -F 499 -o jit.data -- ./jit >map 2>err
		map=$(cat map)
		trap 'rm -rf "$tmp" "$map"' EXIT
		"$pdtool" collapse jit.data 2>err >out
		grep -q '^jit;spinning_code ' out && ok "the process's own perf map" || fail "the process's own perf map" "$(cat out err)"
		grep -q unverified err && fail 'it is its own' "$(cat err)" || ok 'it is its own'
		"$pdtool" collapse --no-host jit.data 2>&1 | grep -q spinning_code
		[ $? = 1 ] && ok 'a perf map, --no-host' || fail 'a perf map, --no-host' 'it is used'
		sleep 1.2 # the pid's next process
		sed s/spinning/neighbours/ "$map" >new.map && cat new.map >"$map"
		"$pdtool" collapse jit.data 2>&1 | grep -q neighbours
		[ $? = 1 ] && ok "another process's perf map" || fail "another process's perf map" 'it is used'
	fi
	cp work kept && cat kept >work
	"$pdtool" collapse work.data 2>err >out
	grep -q ascending out && fail 'changed since: refused' 'it is named' || ok 'changed since: refused'
	grep -q 'was changed since' err && ok 'changed since: is said' || fail 'changed since: is said' "$(cat err)"
fi
