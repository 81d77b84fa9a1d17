#!/bin/sh
# A capture chooses no files: what its paths, and those of the files that they lead to, may make each command open, by what
# strace sees of it. Nothing that is private, special or the kernel's; and honest captures have their names.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
pdtool=$host_pdtool # what it opens on this machine is the matter here

for tool in gcc readelf nm objcopy strace; do
	command -v $tool >/dev/null || { skip 'paths' "$tool is not installed"; exit; }
done
strace -o trace true 2>/dev/null || { skip 'paths' 'strace does not work here'; exit; }

# ---- files ----

# What lies below secret/ is not to be opened.
mkdir -m 755 open tree secret secret/closed
chmod 755 "$tmp"
# program OUT FUNCTION OPTION...: its only function of its own is FUNCTION, of the source OUT.c if there is none
program() {
	out=$1 function=$2
	shift 2
	[ -f "$out.c" ] || printf 'int %s(int n)\n{\n\treturn n + 1;\n}\nint main(void)\n{\n\treturn %s(0);\n}\n' "$function" "$function" >"$out.c"
	gcc -O0 -g -no-pie -Wl,--build-id=sha1 "$@" -o "$out" "$out.c"
}
id_of() { readelf -n "$1" 2>/dev/null | sed -n 's/.*Build ID: //p'; }
program program secret_fn && program open/honest honest_fn || exit 1
cp program secret/program && chmod 600 secret/program
cp program secret/readable && chmod 755 secret/readable
cp program secret/closed/program && chmod 755 secret/closed/program
escape=$(printf '\033')
cp secret/program "secret/${escape}[31m" && chmod 600 "secret/${escape}[31m"
mkfifo secret/fifo
echo 'PRIVATE LINE' >secret/text.c && chmod 600 secret/text.c
id=$(id_of program)
is_root=$([ "$(id -u)" = 0 ] && echo yes)
[ -z "$is_root" ] || { chown 65534 secret/closed && chmod 700 secret/closed; }

ln -s secret/program to-program
ln -s "$tmp/secret/fifo" to-fifo
ln -s /proc/self to-proc
ln -s /proc/kmsg to-kmsg
ln -s loop loop
up=$(printf 'open/../%.0s' $(seq 400))

# ELF files whose own words lead there: a debug link, an alternate file, a split file, sources.
program open/linked linked_fn && objcopy --only-keep-debug open/linked linked.debug &&
	objcopy --strip-debug --strip-all --add-gnu-debuglink=linked.debug open/linked
ln -s "$tmp/secret/program" open/linked.debug
mkdir open/.debug && ln -s ../../secret/fifo open/.debug/linked.debug
program open/alted alted_fn
{ printf '%s\0' "$tmp/secret/program"; printf '%s' "$id" | perl -pe '$_ = pack "H*", $_'; } >altlink
objcopy --add-section .gnu_debugaltlink=altlink open/alted
( cd open && printf 'int split_fn(int n)\n{\n\treturn n;\n}\nint main(void)\n{\n\treturn split_fn(0);\n}\n' >split.c &&
	gcc -O0 -g -gsplit-dwarf -no-pie -Wl,--build-id=sha1 -c split.c && gcc -no-pie -Wl,--build-id=sha1 -o split split.o &&
	rm split.dwo && ln -s ../secret/fifo split.dwo )
# sourced NAME SOURCE: an honest program by its build-id, whose lines are in SOURCE
sourced() {
	printf '#line 1 "%s"\nint %s_fn(int n) { return n + 1; }\nint main(void) { return %s_fn(0); }\n' "$2" "$1" "$1" >"open/$1.c"
	program "open/$1" "$1_fn"
}
sourced texted "$tmp/secret/text.c"
sourced piped "$tmp/secret/fifo"
sourced environed /proc/self/environ
sourced linkedtext "$tmp/open/text.c" && ln -s ../secret/text.c open/text.c

# ---- captures ----

# The hostile paths, as mkperf has them.
hostile() {
	cat <<-END
	$tmp/secret/program
	$tmp/secret/fifo
	$tmp/secret/\\x1b[31m
	$tmp/secret/\\nprogram
	$tmp/to-program
	$tmp/to-fifo
	$tmp/to-proc/exe
	$tmp/to-proc/root$tmp/secret/readable
	$tmp/to-kmsg
	$tmp/loop
	$tmp/open/../secret/program
	$tmp//.//secret/./program
	$tmp/${up}secret/program
	$tmp/$(printf 'x%.0s' $(seq 3900))
	/etc/shadow
	/etc/gshadow
	/proc/kmsg
	/proc/self/mem
	/proc/self/environ
	/proc/self/exe
	/proc/self/fd/0
	/proc/self/root$tmp/secret/readable
	/proc/self/cwd/secret/readable
	/proc/1/root$tmp/secret/readable
	/proc/1/environ
	/sys/kernel/vmcoreinfo
	/sys/kernel/tracing/trace_pipe
	/sys/kernel/debug/tracing/trace_pipe
	/dev/tty
	/dev/zero
	/dev/mem
	/dev/stdin
	/dev/fd/0
	/dev/shm/../zero
	END
	[ -z "$is_root" ] || echo "$tmp/secret/closed/program"
}
hostile >paths
address() { nm "$1" | awk -v n="$2" '$3 == n { print $1 }'; }
code() { readelf -lW "$1" | awk '/LOAD/ && / E / { print $3, $2; exit }'; }

# capture OUT KIND: samples in all of them; KIND: ids, with build-ids; inodes, without; jit, dumps and perf maps
capture() {
	at=$(code program) addr=$(address program secret_fn)
	{
		echo "host $(uname -n)"
		echo "release $(uname -r)"
		echo 'tracepoint sched:sched_switch id=314 fields="char prev_comm[16];pid_t prev_pid;int prev_prio;long prev_state;char next_comm[16];pid_t next_pid;int next_prio" print="\"\""'
		[ "$2" != ids ] || while read -r path; do printf '%s\n' "build_id $id \"$path\""; done <paths
		for name in honest linked alted split texted piped environed linkedtext; do
			echo "build_id $(id_of open/$name) $tmp/open/$name"
		done
		cat <<-END
		event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task \\
			sample_type=IDENTIFIER|IP|TID|TIME|CALLCHAIN|CPU|PERIOD
		event sched:sched_switch type=tracepoint config=314 period=1 ids=6 sample_id_all \\
			sample_type=IDENTIFIER|IP|TID|TIME|CALLCHAIN|CPU|PERIOD|RAW
		clock_data clockid=1 wall=$(date +%s%N) clock=1000000000
		sample_time 1000000000 1000000999
		END
		pid=10
		while read -r path; do
			pid=$((pid + 1))
			numbers='maj=1 min=2 ino=3'
			[ "$2" = ids ] || numbers=$(stat -L -c 'maj=%Hd min=%Ld ino=%i' "$(printf '%b' "$path")" 2>/dev/null) || numbers='maj=1 min=2 ino=3'
			[ "$2" != jit ] || path=${path%/*}/jit-$pid.dump
			echo "comm pid=$pid comm=app time=1000000001"
			printf '%s\n' "mmap2 pid=$pid addr=${at% *} len=0x1000 pgoff=${at#* } $numbers file=\"$path\" time=1000000002"
			echo "sample pid=$pid time=1000000003 ip=0x$addr chain=[user:0x$addr]"
			echo "sample event=sched:sched_switch pid=$pid time=1000000004 ip=0x$addr chain=[user:0x$addr] raw=[u16:314,u8:0,u8:0,u32:$pid,t16:app,u32:$pid,u32:0,u64:1,t16:other,u32:1,u32:0]"
		done <paths
		for name in honest linked alted split texted piped environed linkedtext; do
			pid=$((pid + 1))
			echo "comm pid=$pid comm=app time=1000000001"
			echo "mmap2 pid=$pid addr=$(code open/$name | sed 's/ / len=0x1000 pgoff=/') file=$tmp/open/$name time=1000000002"
			addr2=$(nm open/$name 2>/dev/null | awk '/_fn$/ { print $1 }')
			addr2=${addr2:-$addr}
			echo "sample pid=$pid time=1000000005 ip=0x$addr2 chain=[user:0x$addr2]"
		done
		for pid in 5 6 7; do
			echo "mmap2 pid=$pid addr=0x70000000 len=0x1000 file=//anon time=1000000002"
			echo "sample pid=$pid time=1000000005 ip=0x70000010 chain=[user:0x70000010]"
		done
	} >capture.mkperf
	"$mkperf" -o "$1" capture.mkperf || exit 1
}
capture ids.data ids && capture inodes.data inodes && capture jit.data jit

# ---- every command ----

# What is opened of /proc, /sys and /dev is what pdtool itself wants to know.
own='/proc/[0-9]*/\(maps\|stat\|status\|cgroup\|mountinfo\)>|/proc/kallsyms>|/proc/sys/|/proc/meminfo>|/sys/kernel/notes>|/sys/devices/system/|/sys/fs/cgroup/|/dev/null>'
# A sanitizer inside the program reads these of its own process; the usual build shows that pdtool itself does not.
grep -qE '__(asan|ubsan|tsan)_' "$host_pdtool" && own="/proc/[0-9]*/\(cmdline\|environ\)>|$own"
# forbidden: the files that the traced command opened to read, and should not have.
forbidden() {
	grep -E '(open|openat|openat2|creat)\(.* = [0-9]+<' trace | grep -v O_PATH | sed 's/.* = [0-9]*<\([^>]*\)>.*/<\1>/' |
		grep -E "^<($tmp/secret/|/etc/g?shadow|/proc/|/sys/|/dev/|/run/)|^<$(readlink -f "$host_pdtool")>" |
		grep -vE "^<($(echo "$own" | sed 's/\\//g'))"
}
# traced NAME COMMAND...: it ends, of itself, and opens none of them.
traced() {
	name=$1
	shift
	timeout 60 strace -f -y -o trace -e trace=file,desc "$@" >out 2>err <input
	status=$?
	found=$(forbidden | sort -u | head -n 3 | tr '\n' ' ')
	if [ $status -ge 124 ]; then
		fail "$name" "status $status: $(tail -n 1 err)"
	elif [ -n "$found" ]; then
		fail "$name" "opened $found"
	elif grep -q 'PRIVATE LINE' out; then
		fail "$name" 'shows a line of a private file'
	else
		ok "$name"
	fi
}
echo nothing >input
strace -f -y -o trace -e trace=file,desc cat secret/readable /proc/self/auxv >out
equal 'strace tells what is opened' 2 "$(forbidden | grep -c .)"

mkdir maps && ln -s "$tmp/secret/program" maps/perf-5.map && mkfifo maps/perf-6.map && ln -s /proc/kmsg maps/perf-7.map
"$pdtool" list | sed -n '/^Analyzers/,/^Formats/s/^  \(sched [a-z]*\|[a-z-]*\)  .*/\1/p' >commands
[ "$(wc -l <commands)" -ge 18 ] && ok 'the list of commands' || fail 'the list of commands' "$(cat commands)"
# every NAME CAPTURE OPTION...
every() {
	label=$1 capture=$2
	shift 2
	while read -r command; do
		case $command in
		annotate)
			for function in honest_fn texted_fn piped_fn environed_fn linkedtext_fn; do
				traced "$label: annotate $function" "$pdtool" annotate "$@" $capture $function
			done
			continue
			;;
		diff) set -- "$@" "$tmp/$capture" ;;
		pack) set -- "$@" -o out.pack ;;
		esac
		# shellcheck disable=SC2086
		traced "$label: $command" "$pdtool" $command "$@" $capture
		case $command in
		diff) set -- $(dropped 1 "$@") ;;
		pack) set -- $(dropped 2 "$@") ;;
		esac
		rm -f out.pack
	done <commands
}
# dropped N ARGUMENT...: without the last N
dropped() {
	n=$1
	shift
	while [ $# -gt "$n" ]; do echo "$1" && shift; done
}
every 'build-ids' ids.data
every 'inodes' inodes.data
every 'on trust' inodes.data --allow-unverified
every 'jitdumps, perf maps' jit.data --allow-unverified --perf-map-dir maps
for format in folded svg; do
	traced "lines, $format" "$pdtool" flamegraph --srcline --format $format ids.data
done
traced 'files below a root with links' "$pdtool" collapse --symfs tree ids.data
traced 'the same, --symbols' "$pdtool" collapse --symbols tree ids.data

# ---- the same under the sanitizers, by what they say ----

# sanitized NAME ARGUMENT...: it ends of itself, as the other build does, and without a report.
sanitized() {
	name=$1
	shift
	timeout 60 "$host_pdtool" "$@" >out 2>err <input
	wanted=$?
	timeout 120 "$host_san" "$@" >out.san 2>err <input
	status=$?
	rm -f out.pack
	if [ $status != $wanted ]; then
		fail "$name" "status $status, not $wanted: $(grep -m 1 -E 'runtime error|ERROR: ' err || tail -n 1 err)"
	elif ! cmp -s out out.san; then
		fail "$name" 'another output'
	else
		ok "$name"
	fi
}
if [ -x "$host_san" ]; then
	while read -r command; do
		for capture in ids.data inodes.data jit.data; do
			options=
			case $command in
			annotate) options='honest_fn --prefix .' ;;
			diff) options=$tmp/$capture ;;
			pack) options='-o out.pack' ;;
			esac
			case $capture in
			inodes.data) options="$options --allow-unverified" ;;
			jit.data) options="$options --perf-map-dir maps" ;;
			esac
			# shellcheck disable=SC2086
			sanitized "sanitized, $capture: $command" $command $capture $options
		done
	done <commands
else
	fail 'the same under the sanitizers' 'there is no build for it: make check-san'
fi

# ---- it is told ----

"$pdtool" collapse --srcline ids.data >out 2>err
grep -q 'honest_fn' out && ok 'the honest program of a hostile capture has its name' || fail 'the honest program of a hostile capture has its name' "$(head -3 out)"
grep -q 'secret_fn' out && fail 'the private program has none' "$(grep secret_fn out | head -1)" || ok 'the private program has none'
grep -q "open/split.dwo: not opened: it is no regular file" err && ok 'a split file that is none is told' ||
	fail 'a split file that is none is told' "$(cut -c 1-200 err | tail -4)"
grep -q 'is not readable by all users (--symfs / has it read), not used; nor the files of [0-9]* more modules' err &&
	ok 'what was refused is told and counted' || fail 'what was refused is told and counted' "$(cut -c 1-200 err | tail -4)"
"$pdtool" doctor --format csv ids.data >out 2>err
for why in 'is not readable by all users' 'is no regular file' 'is in /proc, /sys, /dev, /run or another'; do
	grep -q "$why" out && ok "doctor: $why" || fail "doctor: $why" "$(head -3 out)"
done
grep -q "$escape" out err && fail 'names with control characters' 'an escape' || ok 'names with control characters'

# ---- honest captures ----

# one OUT FILE [RECORDED]: a sample of secret_fn (or FUNCTION) in FILE, which was recorded as RECORDED
one() {
	{
		cat <<-END
		build_id $(id_of "$2") ${3:-$2}
		event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|CALLCHAIN
		comm pid=5 comm=app time=1
		mmap pid=5 addr=$(code "$2" | sed 's/ / len=0x1000000 pgoff=/') file=${3:-$2} time=2
		sample pid=5 time=3 ip=0x${ADDRESS:-$addr} chain=[user:0x${ADDRESS:-$addr}]
		END
	} >one.mkperf
	"$mkperf" -o "$1" one.mkperf || exit 1
}
names() { "$pdtool" collapse "$@" 2>err | stacks; }
addr=$(address program secret_fn)
named='app;secret_fn 1' unnamed='app;[program] 1'

mkdir -m 755 bob && cp program bob/program && chmod 755 bob/program
one bob.data "$tmp/bob/program"
equal 'a program in a home that is open' "$named" "$(names bob.data)"
chmod 700 bob
equal 'in one that is closed, but is mine' "$named" "$(names bob.data)"
if [ -n "$is_root" ]; then
	chown 65534 bob
	equal "in somebody's that is closed" "$unnamed" "$(names bob.data)"
	grep -q "$tmp/bob/program is in a directory that is not open to all users (--symfs / has it read), not used" err &&
		ok "in somebody's that is closed: says why, and what to do" || fail "in somebody's that is closed: says why, and what to do" "$(cat err)"
	equal "in somebody's that is closed: --symfs /" "$named" "$(names --symfs / bob.data)"
	equal "in somebody's that is closed: named" "$named" "$(names --symbols bob/program bob.data)"
	equal "in that of who called sudo" "$named" "$(SUDO_UID=65534 names bob.data)"
	chown 0 bob
else
	skip "a closed home" 'only root would see what is in it'
fi
chmod 755 bob
one private.data "$tmp/secret/program"
equal 'a private file' "$unnamed" "$(names private.data)"
equal 'a private file that was named' "$named" "$(names --symbols secret/program private.data)"
equal 'a private file in a directory that was named' "$named" "$(names --symbols secret private.data)"
equal 'a private file, --symfs /' "$named" "$(names --symfs / private.data)"
libc=$(ldd program | awk '$1 ~ /^libc\./ { print $3 }')
libc_addr=$(nm -D "$libc" | awk '$2 == "T" && $3 ~ /^qsort(@|$)/ { print $1; exit }')
ADDRESS=$libc_addr
at=$(code "$libc")
{ cat <<-END
	build_id $(id_of "$libc") $libc
	event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|CALLCHAIN
	comm pid=5 comm=app time=1
	mmap pid=5 addr=0x7f0000000000+${at% *} len=0x1000000 pgoff=${at#* } file=$libc time=2
	sample pid=5 time=3 ip=0x7f0000000000+0x$libc_addr chain=[user:0x7f0000000000+0x$libc_addr]
END
} >libc.mkperf && "$mkperf" -o libc.data libc.mkperf
equal 'a library of this machine' 'app;qsort 1' "$(names libc.data)"
unset ADDRESS

# ---- roots that the user named ----

mkdir -p tree/real tree/usr/bin tree/out
cp program tree/real/program && chmod 600 tree/real/program
ln -s /real/program tree/usr/bin/program
one root.data "$tmp/program" /usr/bin/program
equal 'a link from the root of a copy is one within it' "$named" "$(names --no-host --symfs tree root.data)"
equal 'the same, --symbols' "$named" "$(names --no-host --symbols tree root.data)"
ln -s "$tmp/bob/program" tree/out/program
one out.data "$tmp/program" /out/program
equal 'a link to a file of this machine that all may read' "$named" "$(names --no-host --symfs tree out.data)"
ln -sf "$tmp/secret/program" tree/out/program
equal 'a link to a private one' 'app;[program] 1' "$(names --no-host --symfs tree out.data)"
one up.data "$tmp/program" /../secret/program
traced 'a path that goes up from a root' "$pdtool" collapse --no-host --symfs tree up.data
cp -r secret/program tree/program && mkdir tree/secret && mv tree/program tree/secret/
equal '... is one in that root' "$named" "$(names --no-host --symfs tree up.data)"
