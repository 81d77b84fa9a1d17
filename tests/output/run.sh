#!/bin/sh
# Files that pdtool makes are whole or as they were before: after signals at any moment, errors of any call, a full disk and
# too little memory; with the mode that they had; never in place of an input.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
moments=$build/tests/output/moments
SHIM=$build/tests/output/shim.so
export SHIM

# 50 000 samples at as many functions: each command below takes a tenth of a second or a few.
cat >long.mkperf <<'END'
event cycles type=hardware config=0 freq period=1 ids=1 sample_id_all sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD mmap comm task
default pid=7 cpu=0 period=1
mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x4000000 pgoff=0xffffffff81000000 file="[kernel.kallsyms]_text"
comm comm=prog time=10
repeat 250 r {
	repeat 200 {
		let n $r*200+$i
		sample time=100+$n mode=kernel ip=0xffffffff81000000+$n*64 \
			chain=[kernel:0xffffffff81000000+$n*64,0xffffffff81000000+$n%1009*64,0xffffffff81000000+$n%101*64]
	}
}
END
"$mkperf" -o long.data long.mkperf || exit 1
awk 'BEGIN { for (i = 0; i < 50000; i++) printf "ffffffff%08x T function_%d\n", 2164260864 + i * 64, i }' >kallsyms
"$mkperf" -o basic.data "$data/synthetic/basic.mkperf" || exit 1
cp basic.data other.data
cp kallsyms few
long="-q --no-host --kallsyms $tmp/kallsyms $tmp/long.data"
basic="-q --no-host $tmp/basic.data"
mkdir made

# in_made COMMAND...: in a directory that holds nothing but what COMMAND makes.
in_made() { (rm -rf "$tmp/made" && mkdir "$tmp/made" && cd "$tmp/made" && "$@"); }
# holds NAME FILE...: these are all files in the directory made.
holds() {
	name=$1
	shift
	equal "$name" "$*" "$(ls -A made | tr '\n' ' ' | sed 's/ $//')"
}

# ---- signals and errors ----

# moments NAME ARGUMENT...: of the program of that name.
ended() {
	name=$1
	shift
	in_made "$moments" "$@" >got 2>err
	status=$?
	[ $status = 0 ] && ok "$name" || { fail "$name" "$(tail -n 1 got)" && show got; }
	# a message for each that failed, and nothing else
	failed=$(sed -n 's/.* signal, \([0-9]*\) failed.*/\1/p' got)
	case $1 in calls) equal "$name: a message for each error" "$failed" "$(grep -c '^pdtool: ' err)" ;; esac
	[ "$(grep -vc '^pdtool: ' err)" = 0 ] && ok "$name: and nothing else is said" || { fail "$name" 'more is said' && show err; }
}
for kind in nameless named; do
	[ $kind = nameless ] || { SHIM_NAMED=1 && export SHIM_NAMED; }
	# shellcheck disable=SC2086
	{
		ended "at each call, collapse, $kind" calls out -- "$host_pdtool" collapse -o out $basic
		ended "at each call, a drawing and its palette, $kind" calls out.svg palette -- \
			"$host_pdtool" flamegraph -o out.svg --cp palette $basic
		ended "at each call, pack, $kind" calls out -- "$host_pdtool" pack -o out --format csv $basic
	}
	unset SHIM_NAMED
done
# shellcheck disable=SC2086
{
	ended 'at random, collapse' random 1 70 out -- "$host_pdtool" collapse -o out $long
	ended 'at random, a drawing and its palette' random 2 60 out.svg palette -- \
		"$host_pdtool" flamegraph -o out.svg --cp palette --minwidth 0 $long
	ended 'at random, pack' random 3 70 out -- "$host_pdtool" pack -o out --format csv $long
}

# A process that is killed leaves something only where files have a name from the beginning; that says what it is, and is in
# nobody's way.
kill_at_fsync() {
	rm -rf made && mkdir made
	echo old >made/out
	# shellcheck disable=SC2086
	SHIM_DO=b9 SHIM_AT=3 SHIM_TOLD=2 LD_PRELOAD=$SHIM "$host_pdtool" collapse -o made/out $basic 2>/dev/null
	equal "killed, $1: the old file" old "$(cat made/out)"
}
kill_at_fsync nameless
probe=$(SHIM_DO=b9 SHIM_AT=1 SHIM_TOLD=2 LD_PRELOAD=$SHIM "$host_pdtool" collapse -o made/new $basic 2>/dev/null; echo $?)
equal 'the shim is loaded' 137 "$probe"
if ls -A made | grep -q unfinished; then
	skip 'killed: nothing is left' 'this file system knows no files without a name'
else
	holds 'killed: nothing is left' out
fi
SHIM_NAMED=1 && export SHIM_NAMED
kill_at_fsync named
unset SHIM_NAMED
ls -A made | grep -q '^\.out\.pdtool-unfinished-[0-9a-f]\{16\}$'
result 'killed, named: what is left says what it is' $?
"$pdtool" collapse -q basic.data >want
"$pdtool" collapse -q -o made/out basic.data && same 'and the next run makes the file' want made/out

# ---- a full disk ----

# full NAME PROGRAM...: OUT is as before, one line says why, and nothing is left.
full() {
	name=$1 why=$2
	shift 2
	rm -rf made && mkdir made
	echo old >made/out
	"$@" >got 2>err
	equal "$name: status" 1 $?
	equal "$name: the old file" old "$(cat made/out)"
	holds "$name: nothing is left" out
	equal "$name: one line" 1 "$(grep -c '' err)"
	grep -q "^pdtool: .*$why" err && ok "$name: why" || fail "$name: why" "$(head -n 1 err)"
}
# As large a file as a process may have, in blocks of 512 bytes.
small() { (ulimit -f "$1" && shift && exec "$@" 2>&3) 3>err; }
# shellcheck disable=SC2086
{
	full 'a file that may not become so large' 'File too large' small 64 "$host_pdtool" collapse -o made/out $long
	full 'a drawing that may not become so large' 'File too large' \
		small 64 "$host_pdtool" flamegraph --minwidth 0 --cp made/palette -o made/out $long
	full 'a pack that may not become so large' 'File too large' small 64 "$host_pdtool" pack -o made/out $long
	full 'the same, sanitized' 'File too large' small 1 "$host_san" flamegraph -o made/out $basic
}
cat >disk.sh <<'END'
# In a name space of its own: a disk of 64 KiB. $1: the program.
mount -t tmpfs -o size=64k none made || exit 77
echo old >made/out
"$@" 2>err
echo $? >status
cat made/out >after
ls -A made >names
END
if unshare -Urm sh disk.sh true 2>/dev/null; then
	for command in collapse 'flamegraph --minwidth 0' pack; do
		# shellcheck disable=SC2086
		unshare -Urm sh disk.sh "$host_pdtool" $command -o made/out $long >got
		equal "a full disk, $command" '1 old out 1' "$(cat status after names | tr '\n' ' ')$(grep -c 'No space left' err)"
	done
else
	skip 'a full disk' 'no name space with a tmpfs of its own (unshare -Urm)'
fi
if [ -c /dev/full ]; then
	for command in collapse flamegraph pack; do
		# shellcheck disable=SC2086
		"$host_pdtool" $command -o /dev/full $basic >got 2>err
		equal "/dev/full, $command" '1 1' "$? $(grep -c 'No space left on device' err)"
		[ -c /dev/full ] && ok "/dev/full stays, $command" || fail "/dev/full stays, $command" 'it is gone'
	done
else
	skip '/dev/full' 'there is none'
fi

# ---- too little memory, an error ----

# Down from what is enough to what is not enough to begin.
rm -rf made && mkdir made
"$pdtool" collapse -q --kallsyms kallsyms long.data >want
starved=0 whole=0 bad=''
for kib in 20000 30000 40000 45000 50000 55000 60000 70000 90000 400000; do
	for named in '' 1; do
		echo old >made/out
		# shellcheck disable=SC2086
		(
			[ -z "$named" ] || { SHIM_NAMED=1 && export SHIM_NAMED; }
			ulimit -c 0
			ulimit -v $kib
			LD_PRELOAD=$SHIM exec "$host_pdtool" collapse -j1 -o made/out $long
		) >got 2>&1
		status=$?
		if [ $status = 0 ] && cmp -s want made/out; then
			whole=$((whole + 1))
		elif [ $status != 0 ] && [ "$(cat made/out)" = old ]; then
			starved=$((starved + 1))
		else
			bad="$bad $kib"
		fi
		[ "$(ls -A made)" = out ] || bad="$bad $kib left $(ls -A made)"
	done
done
[ -z "$bad" ] && [ $starved -gt 3 ] && [ $whole -gt 1 ] && ok 'too little memory' ||
	fail 'too little memory' "$starved times too little, $whole times enough; wrong:$bad"
rm -rf made && mkdir made
echo old >made/out
for command in 'collapse --comms nosuch' 'flamegraph --time 90%/2 --comms nosuch' 'pack --full --strip-paths'; do
	# shellcheck disable=SC2086
	"$pdtool" $command -q -o made/out basic.data >got 2>err
	[ $? != 0 ] && [ "$(cat made/out)" = old ] && [ "$(ls -A made)" = out ]
	result "an error: $command" $?
done

# ---- modes, links and other places ----

mode() { stat -c %a "$1"; }
make() { "$pdtool" collapse -q -o "$1" "$tmp/basic.data"; }
"$pdtool" collapse -q basic.data >want
rm -rf made && mkdir made
for mask in 022 077 002; do
	(umask $mask && make made/new$mask)
	equal "a new file, umask $mask" "$(printf %o $((0666 & ~0$mask)))" "$(mode made/new$mask)"
done
for mode in 600 644 660 755; do
	echo old >made/out && chmod $mode made/out
	(umask 022 && make made/out)
	equal "an old file of mode $mode" $mode "$(mode made/out)"
	same "and what it holds, $mode" want made/out
done
rm -rf made && mkdir made made/far
echo old >made/far/out
ln -s far/out made/link
ln -s link made/second
ln made/far/out made/far/hard
make made/second
equal 'a link to a link: both stay' 'far/out link' "$(readlink made/link) $(readlink made/second)"
same 'and the file is replaced' want made/far/out
equal 'a hard link keeps what it had' old "$(cat made/far/hard)"
equal 'and nothing is left' 'hard out ' "$(ls -A made/far | tr '\n' ' ')"
ln -s far/none made/dangling
make made/dangling
[ -L made/dangling ] && same 'a link to nothing: its file is made' want made/far/none
ln -s round made/round
make made/round 2>err
equal 'a link to itself' '1 1' "$? $(grep -c 'Too many levels' err)"
long_name=$(printf '%0250d' 0)
make "made/$long_name" && same 'a name as long as can be' want "made/$long_name"
rm -rf made && mkdir made
(cd made && make out) && same 'no directory in the name' want made/out
"$pdtool" collapse -q -o /dev/stdout basic.data | cat >got
same '/dev/stdout, a pipe' want got
"$pdtool" collapse -q -o /dev/stdout basic.data >got
same '/dev/stdout, a file' want got
"$pdtool" collapse -q -o /dev/fd/5 basic.data 5>got
same '/dev/fd/5, a file' want got
"$pdtool" pack -q -o whole.pd basic.data >got && "$pdtool" pack -q -o - basic.data >got
same 'pack -o -: the pack, and status 0' whole.pd got
mkfifo fifo
cat fifo >got &
make fifo && wait && same 'a FIFO' want got
[ -p fifo ] && ok 'which stays one' || fail 'which stays one' 'it does not'
make /dev/null && [ -c /dev/null ]
result '/dev/null' $?
make made 2>err
equal 'a directory' '1 1' "$? $(grep -c 'made: Is a directory' err)"
make made/none/out 2>err
equal 'a directory that is not there' '1 1' "$? $(grep -c 'made/none/out: No such file' err)"
make made/slash/ 2>err
equal 'a slash at the end' '1 1' "$? $(grep -c 'made/slash/: ' err)"

# What directories and modes forbid holds for others than root.
closed=$tmp/closed
rm -rf "$closed" && mkdir "$closed" && echo old >"$closed/out" && echo old >made/locked && chmod 444 made/locked
chmod 555 "$closed"
chmod a+rx "$tmp" && chmod 666 "$closed/out" && chmod a+r basic.data
if [ "$(id -u)" != 0 ]; then
	as_user() { "$@"; }
elif command -v setpriv >/dev/null && setpriv --reuid 65534 --regid 65534 --clear-groups "$host_pdtool" help >/dev/null 2>&1; then
	chmod 777 made
	as_user() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
else
	as_user() { false; }
	skip 'directories without write permission' 'root may write anywhere, and setpriv cannot make it anybody else'
fi
if as_user true; then
	# shellcheck disable=SC2086
	{
		as_user "$host_pdtool" collapse -o "$closed/new" $basic 2>err
		equal 'a directory without write permission' '1 1' "$? $(grep -c 'new: Permission denied' err)"
		as_user "$host_pdtool" collapse -o "$closed/out" $basic 2>err
		equal 'the same, of an old file' '1 1' "$? $(grep -c 'out: no file can be made beside it.*Permission denied' err)"
		equal 'which is as before' old "$(cat "$closed/out")"
		as_user "$host_pdtool" collapse -o made/locked $basic 2>err
		equal 'a file without write permission' '1 1' "$? $(grep -c 'locked: Permission denied' err)"
		equal 'which is as before, too' '444 old' "$(mode made/locked) $(cat made/locked)"
	}
fi
if [ "$(id -u)" = 0 ]; then
	echo old >made/theirs && chmod 640 made/theirs && chown 65534:65533 made/theirs
	make made/theirs
	equal "root leaves a file to whom it belongs" '65534:65533 640' "$(stat -c '%u:%g %a' made/theirs)"
else
	skip 'the owner of a file' 'only root may give files away'
fi
chmod 755 "$closed"

# ---- inputs ----

# refused NAME WHAT FILE ARGUMENT...: status 2, one line, and FILE is as before, also by its other names.
refused() {
	name=$1 what=$2 file=$3
	shift 3
	cp -p "$file" before
	ln -f "$file" hard
	ln -sf "$file" soft
	for output in "$file" ./hard soft; do
		programs=$pdtool
		[ "$output" != "$file" ] || programs="$pdtool $san"
		for program in $programs; do
			"$program" "$@" -o "$output" </dev/null >out 2>err
			status=$?
			if [ $status != 2 ] || [ -s out ]; then
				fail "$name as $output" "status $status: $(head -n 1 err)"
			elif [ "$(grep -c '' err)" != 1 ] || ! grep -qF "$output is an input$what" err || ! grep -q ", not overwritten$" err; then
				fail "$name as $output" "$(head -n 1 err)"
			elif ! cmp -s before "$file" || ls -A | grep -q unfinished; then
				fail "$name as $output" 'it is not as before'
			else
				continue
			fi
			rm -f "$file" && cp -p before "$file" # for the next
			return
		done
	done
	ok "$name"
}
c='collapse -q'
printf 'a;b 3\n' >in.folded
printf 'a;b 4\n' >after.folded
mkdir -p dir
cp basic.data dir/data
# shellcheck disable=SC2086
{
	refused 'a capture' '' basic.data $c basic.data
	refused 'the second of them' '' other.data $c basic.data other.data
	refused 'a capture by -i' '' basic.data $c -i basic.data
	refused 'a capture that is packed' '' basic.data pack -q basic.data
	refused 'a drawing over a capture' '' basic.data flamegraph -q basic.data
	refused 'a part of a directory' '' dir/data $c dir
	refused 'folded text' '' in.folded flamegraph -q in.folded
	refused 'the other side of a comparison' '' after.folded diff -q --format svg in.folded after.folded
	refused '--kallsyms' ' (--kallsyms)' few $c --kallsyms few basic.data
	refused '--guest-kallsyms' ' (--guest-kallsyms)' few $c --guest-kallsyms few basic.data
	refused '--guest-modules' ' (--guest-modules)' few $c --guest-modules few basic.data
	refused '--vmlinux' ' (--vmlinux)' few $c --vmlinux few basic.data
	refused '--perf-map' ' (--perf-map)' few $c --perf-map 7=few basic.data
	refused '--symbols FILE' ' (--symbols)' few $c --symbols ./few basic.data
	refused '--nameattr' ' (--nameattr)' few flamegraph -q --nameattr few basic.data
	refused 'a list of names' ' (a list of names)' few $c --comms file://few basic.data
	refused '--stat' ' (--stat)' few abstime -q --stat few in.folded
}
printf 'a->rgb(1,2,3)\n' >palette
refused 'a palette' ' (--cp)' palette flamegraph -q --cp palette basic.data
cp basic.data copy.data
"$pdtool" flamegraph -q --cp copy.data copy.data >out 2>err
equal 'a palette that is the capture' '2 1' "$? $(grep -c 'copy.data is an input, not overwritten' err)"
same 'which is as before' basic.data copy.data
"$pdtool" flamegraph -q --cp palette -o out.svg basic.data
result 'a palette is read and written' $?
[ "$(wc -l <palette)" -gt 1 ] && ok 'and grows' || fail 'and grows' "$(wc -l <palette) lines"
cp basic.data stdin.data
"$pdtool" collapse -q -o stdin.data - <stdin.data 2>err
equal 'standard input' '2 1' "$? $(grep -c 'stdin.data is an input' err)"
mkdir -p config/pdtool
printf '[core]\n\tno-inline\n' >config/pdtool/config
XDG_CONFIG_HOME=$tmp/config && export XDG_CONFIG_HOME
refused 'the settings' ' (the settings)' config/pdtool/config collapse -q basic.data
unset XDG_CONFIG_HOME
"$pdtool" pack -q --kallsyms kallsyms -o kept.pd long.data >out
refused 'an archive of symbols' ' (--symbols)' kept.pd collapse -q --symbols kept.pd long.data

# What symbols were found in: nobody named the file itself.
cp -r "$data/symfs" symfs && chmod -R u+w symfs
linked=$data/recorded/x86_64/binaries/linked.data
for command in collapse flamegraph report pack; do
	refused "a binary below --symfs, $command" ' (symbols' symfs/tmp/bw/pub/binaries/bin/linked \
		$command -q --symfs symfs "$linked"
	refused "its debug information, $command" ' (symbols' symfs/tmp/bw/pub/binaries/bin/linked.debug \
		$command -q --symfs symfs "$linked"
done
mkdir -p maps
printf '400000 1000 jitted\n' >maps/perf-7.map
cat >jit.mkperf <<'END'
event cycles type=hardware config=0 freq period=1 ids=1 sample_id_all sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD mmap comm task
default pid=7 cpu=0 period=1
comm comm=prog time=10
mmap addr=0x400000 len=0x1000 file=//anon time=11
sample time=12 ip=0x400010 chain=[user:0x400010]
END
"$mkperf" -o jit.data jit.mkperf
"$pdtool" collapse -q --perf-map-dir maps jit.data | grep -q jitted
result 'a perf map gives names' $?
refused 'a perf map that was found' ' (symbols of /tmp/perf-7.map)' maps/perf-7.map collapse -q --perf-map-dir maps jit.data
