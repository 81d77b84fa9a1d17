#!/bin/sh
# The script of bundle-list --script, run by every shell there is: what it packs is what names the capture elsewhere; it
# believes no file, and runs nothing of the capture.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

for tool in cc readelf objcopy tar od; do
	command -v $tool >/dev/null || { skip 'the script' "$tool is not installed"; exit 0; }
done
shells=
for shell in dash 'busybox sh' 'bash --posix' 'ksh' 'mksh'; do
	# shellcheck disable=SC2086
	$shell -c : 2>/dev/null && shells="$shells${shells:+:}$shell"
done
[ -n "$shells" ] || shells=sh
# each_shell FUNCTION: with $shell set.
each_shell() {
	old=$IFS IFS=:
	for shell in $shells; do
		IFS=$old
		"$1"
	done
	IFS=$old
}
id_of() { readelf -nW "$1" | sed -n 's/.*Build ID: *//p'; }
# members ARCHIVE: its files, sorted.
members() { tar tzf "$1" | sed -n 's|^\./|/|; /\/$/d; p' | sort; }
event='event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD'
# now in ns of the boot, and some: processes of today had begun before the recording ended
now=$(($(sed 's/\..*//' /proc/uptime 2>/dev/null || echo 1000) + 1000))000000000

# ---- files that only binaries know of ----

mkdir 'a b' && cd 'a b' || exit 1
cat >main.c <<'END'
#include <unistd.h>
extern int other(int);
struct shape { int side; };
static inline int inlined(struct shape *s) { return other(s->side) + 1; }
int main(void) { struct shape s = { (int)getpid() }; return inlined(&s); }
END
echo 'struct shape { int side; }; int other(int n) { struct shape s = { n }; return s.side * 3; }' >other.c
cc='cc -O1 -g -Wl,--build-id'
# shellcheck disable=SC2086
$cc -gsplit-dwarf -c main.c -o main.o && $cc -gsplit-dwarf -c other.c -o other.o && $cc main.o other.o -o split 2>err ||
	{ skip 'the script' "cc -gsplit-dwarf: $(head -n 1 err)"; exit 0; }
# shellcheck disable=SC2086
$cc main.c other.c -o linked && objcopy --only-keep-debug linked linked.debug && objcopy -g --add-gnu-debuglink=linked.debug linked
made='linked linked.debug main.dwo other.dwo split'
if dwp -e split -o packaged.dwp 2>/dev/null || llvm-dwp -e split -o packaged.dwp 2>/dev/null; then
	cp split packaged
	made="$made packaged packaged.dwp"
else
	skip 'packages of split files' 'dwp made none'
	rm -f packaged.dwp
fi
# shellcheck disable=SC2086
if command -v dwz >/dev/null && $cc main.c other.c -o one && $cc -DTWO main.c other.c -o two && dwz -m shared.debug one two 2>/dev/null && [ -s shared.debug ]; then
	made="$made one two shared.debug"
else
	skip 'alternate files' 'dwz made none'
fi
cd ..
code() { readelf -lW "$1" | awk '$1 == "LOAD" && $0 ~ / R E / { print $2, $5; exit }'; }
{
	for file in split linked packaged one two; do
		[ ! -f "a b/$file" ] || echo "build_id $(id_of "a b/$file") \"$tmp/a b/$file\""
	done
	echo "$event"
	echo 'comm pid=2147482001 comm=app time=1'
	n=0
	for file in split linked packaged one two; do
		[ -f "a b/$file" ] || continue
		n=$((n + 1))
		# shellcheck disable=SC2046
		set -- $(code "a b/$file")
		echo "mmap pid=2147482001 addr=0x${n}0000000 len=$2 pgoff=$1 file=\"$tmp/a b/$file\" time=2"
		main=$(nm "a b/$file" | awk '$3 == "main" { print $1 }')
		at=$(printf '0x%x' $((0x${n}0000000 + 0x${main:-0} - $(readelf -lW "a b/$file" | awk '$1 == "LOAD" && / R E / { print $3; exit }') + 4)))
		echo "sample pid=2147482001 time=3 ip=$at chain=[user:$at]"
	done
} >files.mkperf
"$mkperf" -o files.data files.mkperf || exit 1
"$pdtool" bundle-list -q --script files.data >script 2>err || fail 'the script is printed' "$(cat err)"
for file in $made; do
	echo "$tmp/a b/$file"
done | sort >want
packs() {
	rm -f syms.tgz
	$shell script >out 2>err || fail "$shell: it ends with 0" "$(tail -n 1 err)"
	members syms.tgz | grep -v '^/kallsyms$' >got
	same "$shell: what the binaries call for is packed" want got
	$shell script -l 2>err | sort -u >got
	same "$shell: and it is listed" want got
}
each_shell packs
mv 'a b' hidden
"$pdtool" doctor -q --symbols syms.tgz --format csv files.data | grep -c 'split DWARF\|alternate file\|symbols\|line info' >got
equal 'nothing is missing elsewhere' 0 "$(cat got)"
equal 'and source lines are there' "$(grep -c '^sample' files.mkperf)" \
	"$("$pdtool" collapse -q --srcline --symbols syms.tgz files.data | sed -n 's/^app;main:.*main\.c:[0-9]* //p')"
mv hidden 'a b'

# ---- a hostile capture ----

mkdir evil && cp 'a b/linked' 'evil/$(touch pwned)' && cp 'a b/linked' "evil/'; touch pwned; '" && cp 'a b/linked' 'evil/`touch pwned`' &&
	cp 'a b/linked' "$(printf 'evil/new\nline')" && cp 'a b/linked' 'evil/back\0101slash ' && cp 'a b/linked' 'evil/%s%n' && ln -s /etc/passwd evil/passwd
{
	echo "$event"
	echo 'comm pid=5 comm=app time=1'
	n=0
	for file in '$$(touch pwned)' "'; touch pwned; '" '`touch pwned`' 'new\nline' 'back\\0101slash ' '%s%n' passwd; do
		n=$((n + 1))
		printf 'mmap pid=5 addr=0x%x000 len=0x1000 file="%s" time=2\nsample pid=5 time=3 ip=0x%x010 chain=[user:0x%x010]\n' \
			$n "$tmp/evil/$(printf '%s' "$file" | sed 's/%/%%/g; s/%%/%/g')" $n $n
	done
	printf 'mmap pid=5 addr=0x%x000 len=0x1000 file="%s" time=2\nsample pid=5 time=3 ip=0x%x010 chain=[user:0x%x010]\n' \
		30 /etc/shadow 30 30 31 "$tmp/evil/x
EndOfTheList
touch pwned
" 31 31 | tr '\n' '\001' | sed 's/x\x01EndOfTheList\x01touch pwned\x01/x\\nEndOfTheList\\ntouch pwned\\n/' | tr '\001' '\n'
} >evil.mkperf
"$mkperf" -o evil.data evil.mkperf || exit 1
"$pdtool" bundle-list -q --script evil.data >script
LC_ALL=C grep -q '[^ -~]' script && fail 'the script is printable' '' || ok 'the script is printable'
harmless() {
	rm -rf syms.tgz unpacked && mkdir unpacked
	$shell script >out 2>err || fail "$shell: hostile names: it ends with 0" "$(tail -n 1 err)"
	[ ! -e pwned ] && [ ! -e evil/pwned ] && ok "$shell: nothing of the capture is run" || fail "$shell: nothing of the capture is run" 'pwned'
	tar xzf syms.tgz -C unpacked 2>err
	equal "$shell: files of every name are packed, and no other" 6 "$(find "unpacked/$tmp/evil" unpacked/more -type f -exec echo x ';' 2>/dev/null | grep -c x)"
	[ -f "unpacked/$tmp/evil/back\\0101slash " ] && [ -f "unpacked/$tmp/evil/\$(touch pwned)" ] && [ -f "$(printf '%s/evil/new\nline' "unpacked/$tmp")" ] &&
		ok "$shell: under their names" || fail "$shell: under their names" "$(ls -R unpacked | tail -n 9 | tr '\n' ' ')"
	LC_ALL=C tr -d '\n' <err | LC_ALL=C grep -q '[[:cntrl:]]' && fail "$shell: no control bytes" '' || ok "$shell: no control bytes"
}
each_shell harmless

# ---- damaged binaries: packed or not, the others are ----

mkdir damaged && cp 'a b/linked' damaged/whole
perl -e 'local $/; open F, "<", "a b/split"; my $whole = <F>; my $at = unpack "Q<", substr $whole, 40, 8;
	srand 1;
	for my $i (1 .. 24) {
		my $d = $whole;
		substr($d, rand() < 0.5 ? 4 + int rand 60 : $at + int rand(length($d) - $at), 1) = chr(rand() < 0.5 ? 255 : int rand 256) for 1 .. 4;
		$d = substr $d, 0, int rand length $d if $i % 6 == 0;
		open G, ">", "damaged/$i"; print G $d; close G;
	}'
{
	echo "$event"
	echo 'comm pid=5 comm=app time=1'
	for n in $(seq 1 24) whole; do
		at=$(($(echo "$n" | sed s/whole/25/) * 4096))
		echo "mmap pid=5 addr=$at len=0x1000 file=$tmp/damaged/$n time=2"
		echo "sample pid=5 time=3 ip=$((at + 16)) chain=[user:$((at + 16))]"
	done
} >damaged.mkperf
"$mkperf" -o damaged.data damaged.mkperf && "$pdtool" bundle-list -q --script damaged.data >script
survives() {
	rm -f syms.tgz
	$shell script 2>err
	equal "$shell: damaged binaries do not end it" '0 1' "$? $(members syms.tgz | grep -c /damaged/whole)"
}
each_shell survives

# ---- another build, a root of its own ----

cp 'a b/linked' app
id=$(id_of app)
{
	echo "build_id $(echo "$id" | tr 0-9a-f 1-9a-f0) $tmp/app"
	echo "$event"
	echo 'comm pid=5 comm=app time=1'
	echo "mmap pid=5 addr=0x1000 len=0x1000 file=$tmp/app time=2"
	echo 'sample pid=5 time=3 ip=0x1010 chain=[user:0x1010]'
} >other.mkperf
"$mkperf" -o other.data other.mkperf && "$pdtool" bundle-list -q --script other.data >script
another() {
	rm -f syms.tgz
	$shell script 2>err
	equal "$shell: another build is not packed" 1 $?
	grep -q "^$tmp/app: the file there has another build-id$" err && ok "$shell: and it says why" || fail "$shell: and it says why" "$(head -n 1 err)"
}
each_shell another

mkdir -p jail/opt jail/tmp
echo 'int main(void) { for (volatile int i = 0;; i++) __builtin_ia32_pause(); }' | sed "s/__builtin_ia32_pause()/(void)0/" >spin.c
if ! cc -static -g -Wl,--build-id spin.c -o jail/opt/spin 2>err; then
	skip 'a chroot' "cc -static: $(head -n 1 err)"
	exit 0
fi
spin=$(id_of jail/opt/spin)
contained() {
	{
		echo "build_id $spin /opt/spin"
		echo "$event"
		echo "comm pid=$1 comm=spin time=$now"
		echo "mmap pid=$1 addr=0x400000 len=0x100000 file=/opt/spin time=$now"
		echo "mmap pid=$1 addr=0x9000000 len=0x1000 file=//anon time=$now"
		echo "sample pid=$1 time=$now ip=0x400010 chain=[user:0x400010,0x9000010]"
	} >jail.mkperf
	"$mkperf" -o jail.data jail.mkperf && "$pdtool" bundle-list -q --script jail.data >script
}
contained 2147482001
by_root() {
	rm -f syms.tgz
	$shell script -r "$tmp/jail" 2>err
	members syms.tgz | grep -v kallsyms >got
	echo /opt/spin >want
	same "$shell: found in a root that was named" want got
}
each_shell by_root
unshare -p -f chroot jail /opt/spin </dev/null >/dev/null 2>err &
parent=$!
sleep 1
pid=$(cat "/proc/$parent/task/$parent/children" 2>/dev/null)
pid=${pid% }
if [ -z "$pid" ] || [ "$(readlink "/proc/$pid/root")" = / ]; then
	skip 'a container' 'unshare and chroot are not possible here'
	kill "$parent" 2>/dev/null
	exit 0
fi
# the first process of a namespace hears of no other signal
trap 'kill -9 "$pid"; rm -rf "$tmp"' EXIT
printf '9000000 100 jitted\n' >jail/tmp/perf-1.map
contained "$pid"
of_process() {
	rm -f syms.tgz
	$shell script 2>err
	members syms.tgz | grep -v kallsyms >got
	printf '%s\n' /opt/spin "/tmp/perf-$pid.map" >want
	same "$shell: files and the perf map of a container" want got
	ln -sf /etc/passwd jail/tmp/perf-1.map
	$shell script 2>err
	members syms.tgz | grep -c perf- >got
	equal "$shell: a link in a container's /tmp is not followed" 0 "$(cat got)"
	rm jail/tmp/perf-1.map && printf '9000000 100 jitted\n' >jail/tmp/perf-1.map
}
each_shell of_process
rm syms.tgz && sh script 2>err
equal 'and they name it elsewhere' 'spin;jitted' "$("$pdtool" collapse -q --symbols syms.tgz jail.data | sed 's/^spin;//' | tr ' ;' '\n\n' | grep -x jitted | sed 's/^/spin;/')"
rm jail/opt/spin && cp 'a b/linked' jail/opt/spin
rm syms.tgz && sh script 2>err
equal 'a file that was replaced, in the process that has it yet' 1 "$(members syms.tgz | grep -cx /opt/spin)"
tar xzOf syms.tgz ./opt/spin >spun && equal 'is the recorded one' "$spin" "$(id_of spun)"
