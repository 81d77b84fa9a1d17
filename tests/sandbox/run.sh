#!/bin/sh
# The sandbox: what a capture that had taken pdtool over could still do (tests/sandbox/inside.c tries it), that nobody
# misses what is taken away, and that it is in force before the first byte of a capture is read.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
pdtool=$host_pdtool # with this host's files, which are the matter here
inside=$build/tests/sandbox/inside

force=$("$pdtool" --version -vv | sed -n 's/^  sandbox: //p')
case $force in
files*calls*) ok "--version -vv tells: $force" ;;
'') fail '--version -vv tells what is in force' "$("$pdtool" --version -vv | tail -n 1)" ;;
*) skip 'the sandbox as a whole' "this kernel, or container, says: $force" ;;
esac

# ---- from inside ----

mkdir out elsewhere spool
echo secret | tee input elsewhere/file >/dev/null
chmod 666 elsewhere/file
# try NAME MODE...: what comes of each attempt, in tried.NAME
try() {
	name=$1
	shift
	: >out/made
	TMPDIR=$tmp/spool "$inside" "$tmp/input" "$tmp/out/made" "$tmp/elsewhere" "$@" >"tried.$name" 2>err </dev/null
	[ $? = 0 ] || fail "inside, $name" "it ended with $?: $(tail -n 1 "tried.$name") $(cat err)"
}
try host host
try alone
try network host network

# Without it all of that is possible: who wrote the attempts did not write refusals.
cp -r elsewhere elsewhere.kept
try none none
equal 'without it: attempts that are refused' '' "$(sed -n '/: done$/!p' tried.none | paste -sd ';')"
equal 'without it: attempts' 1 "$(($(grep -c ': done$' tried.none) >= 14))"
rm -rf elsewhere && mv elsewhere.kept elsewhere
# and what was tried is as it was
equal 'the file elsewhere' secret "$(cat elsewhere/file)"
equal 'nothing new elsewhere' file "$(ls elsewhere)"

# tells MODE WANTED NAME...: attempts that end in done, or in refused.
tells() {
	mode=$1 wanted=$2
	shift 2
	for attempt; do
		got=$(sed -n "s|^$attempt: ||p" "tried.$mode")
		case $wanted:$got in
		done:done | refused:'Permission denied' | refused:'Operation not permitted' | none:'Function not implemented') ok "$mode: $attempt: $wanted" ;;
		*) fail "$mode: $attempt" "wanted: $wanted, got: $got" ;;
		esac
	done
}
for mode in host alone network; do
	tells $mode 'done' 'read the input' 'write the output' 'replace the output' 'a temporary file' 'map a library' 'a thread'
done
tells host 'done' 'read another file'
tells network 'done' 'a socket' 'a Unix socket'
case $force in
*Landlock*)
	for mode in host alone network; do
		tells $mode refused 'read /proc/self/mem' "read the parent's environment" 'read a device' 'write another file' \
			'truncate another file' 'make a file elsewhere' 'remove another file' 'move a file elsewhere'
	done
	tells host refused 'read /etc/passwd'
	tells alone refused 'read another file' 'read /etc/passwd'
	;;
*) skip 'files from inside' "no Landlock: $force" ;;
esac
case $force in
*'(seccomp)'*)
	for mode in host alone network; do
		tells $mode refused 'run a program' 'make a process' 'signal the parent' 'trace the parent' \
			'type in the terminal' 'map memory for code' mount 'set a limit'
		tells $mode none 'a call to come'
	done
	tells host refused 'a socket' 'a Unix socket' 'a socket, in a thread' 'make code of data'
	;;
*) skip 'system calls from inside' "no seccomp: $force" ;;
esac

# ---- nobody misses anything ----

r=$data/recorded/x86_64
"$mkperf" -o accesses.data "$top/tests/oracle/mem.mkperf" && "$mkperf" -o sched.data "$data/synthetic/sched.mkperf" && "$mkperf" -o offcpu.data "$data/synthetic/offcpu.mkperf" || exit 1
tar -C "$data/symfs" -cf symbols.tar .
cp "$r/binaries/linked.data" linked.data
"$pdtool" store add -q fleet.db linked.data >added && "$pdtool" store rename -q --symfs "$data/symfs" fleet.db >added
mkdir directory && cp linked.data directory/data
cat >calls <<END
abstime --cpu-time 1,2 $r/diff_pair/base1.data.zst $r/diff_pair/base2.data.zst
annotate --buildid-dir $data/buildid checksum $r/diff_pair/base1.data.zst
block $r/block/q1.data.zst
bundle-list linked.data
bundle-list --script linked.data
branches $data/recorded/android/sp_lbr.data.zst
collapse linked.data
collapse -j4 $r/diff_pair/base1.data.zst
collapse --symbols symbols.tar linked.data
collapse --buildid-dir $data/buildid $r/diff_pair/base1.data.zst
collapse directory
collapse -
cut -o out/cut.data linked.data
diff $r/diff_pair/base1.data.zst $r/diff_pair/base2.data.zst
doctor linked.data
events linked.data
export --to pprof linked.data
page linked.data
store add out/fleet.db linked.data
store query fleet.db coverage
store rename --symfs $data/symfs fleet.db
store sql fleet.db schema
flamegraph linked.data
flamegraph --cp palette.map linked.data
flamegraph -o out/flame.svg linked.data
flamegraph -o /dev/stdout linked.data
heatmap --preset syscall $r/calls/all.data.zst
info linked.data
offcpu offcpu.data
pack -o out/packed.tar linked.data
report linked.data
report $r/binaries/linked.folded
report --no-host --symfs $data/symfs linked.data
sched blame sched.data
sched latency sched.data
sched map sched.data
sched timehist sched.data
sched timeline --format svg sched.data
script linked.data
summary linked.data
mem accesses.data
stat $data/recorded/stat/stat.data.zst
syscalls $data/recorded/syscalls/sys1.data.zst
wakeup offcpu.data
END
"$pdtool" list | sed -n '/^Analyzers/,/^$/s/^  \([a-z-]*\( [a-z-]*\)\{0,1\}\)  .*/\1/p' >commands
while read -r command; do
	grep -q "^$command " calls || fail "$command" 'this test has no call of it'
done <commands
equal 'commands' 1 "$(($(grep -c . commands) >= 20))"

# all_of NAME PROGRAM ARGUMENT...: everything that comes out
all_of() {
	result=$1
	shift
	rm -f palette.map out/*
	"$@" >"$result.out" 2>"$result.err" <linked.data
	status=$?
	{
		echo "status $status"
		cat "$result.out" "$result.err"
		for file in palette.map out/*; do
			[ ! -f "$file" ] || { echo "== $file" && cat "$file"; }
		done
	} >"$result"
}
while read -r call; do
	# shellcheck disable=SC2086
	all_of free "$pdtool" $call --no-sandbox
	# shellcheck disable=SC2086
	all_of boxed "$pdtool" $call
	grep -q '^status 0' free || fail "$call" "$(head -n 3 free)"
	same "$call: as with --no-sandbox" free boxed
done <calls
"$pdtool" list comms "$r/diff_pair/base1.data.zst" >comms
equal 'names for a shell' app "$(grep -x app comms)"
PDTOOL_NO_SANDBOX=1 "$pdtool" info -v linked.data >out/info 2>err
equal 'PDTOOL_NO_SANDBOX, and info -v tells' 'pdtool: sandbox: none (--no-sandbox)' "$(grep sandbox: err)"
"$pdtool" info -v linked.data >out/info 2>err
equal 'info -v tells what is in force' "pdtool: sandbox: $force" "$(grep sandbox: err)"
PDTOOL_PAGER=cat "$build/tests/lib/pty" 160x50 "$pdtool" info linked.data >screen 2>&1
equal 'info on a terminal tells it' 1 "$(grep -cF "pdtool: sandbox: $force" screen)"
HOME=$tmp/none "$pdtool" info -o /dev/full linked.data >out/info 2>err
grep -q 'No space left' err && ok 'an output that is a device' || fail 'an output that is a device' "$(cat err)"
# Files of a directory of symbols may lie elsewhere: not in /tmp, which is allowed for other reasons.
mkdir away
cp -rL "$data/symfs" away/kept
(cd away/kept && find . -type f) | while read -r file; do
	mkdir -p "links/$(dirname "$file")"
	ln -s "$tmp/away/kept/$file" "links/$file"
done
TMPDIR=$tmp/spool "$pdtool" collapse -q --no-host --symfs links linked.data >linked 2>err
"$pdtool" collapse -q --no-host --symfs "$data/symfs" linked.data >wanted 2>err
same 'links that lead out of a directory of symbols' wanted linked

# ---- what is not seen from inside is told ----

sleep 1000 &
running=$!
cat >running.mkperf <<END
host $(uname -n)
release $(uname -r)
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IDENTIFIER|IP|TID|TIME|CALLCHAIN|CPU|PERIOD
clock_data clockid=1 wall=$(date +%s%N) clock=1000000000
sample_time 1000000000 1000000999
comm pid=$running comm=app time=1000000001
mmap2 pid=$running addr=0x400000 len=0x1000 pgoff=0 maj=1 min=2 ino=3 file=/in/a/container/app time=1000000002
sample pid=$running time=1000000003 ip=0x400010 chain=[user:0x400010]
END
"$mkperf" -o running.data running.mkperf
"$pdtool" collapse running.data >out/running 2>err
told="pdtool: /proc/$running/root: not opened: it is another process's root, as of a container, and is read with --no-sandbox only"
case $force in
*Landlock*) equal 'roots of running processes are told of, once' "$told" "$(grep "/proc/$running" err)" ;;
*) skip 'roots of running processes are told of' "no Landlock: $force" ;;
esac
"$pdtool" collapse --no-sandbox running.data >out/running 2>err
equal 'not with --no-sandbox' '' "$(grep "/proc/$running" err)"
kill $running && wait $running 2>err
"$pdtool" collapse running.data >out/running 2>err
equal 'nor of processes that ended' '' "$(grep "/proc/$running" err)"

# ---- before the first byte ----

if command -v strace >/dev/null && strace -o trace true 2>err; then
	strace -f -o trace "$pdtool" report linked.data >out/report 2>err
	awk '/landlock_restrict_self|seccomp\(SECCOMP_SET_MODE_FILTER/ && / = 0$/ { n++ }
		/"linked.data", O_RDONLY/ && !/O_PATH/ { print n + 0; exit }' trace >order
	case $force in
	*Landlock*'(seccomp)'*) equal 'both are in force when the capture is opened' 2 "$(cat order)" ;;
	*) skip 'both are in force when the capture is opened' "$force" ;;
	esac
	# a process that runs now may have the number of a recorded one
	equal 'a run makes no call that is refused' '' \
		"$(sed -n '/seccomp(SECCOMP_SET_MODE/,$p' trace | grep -E 'EPERM|EACCES' | grep -v '"/proc/[0-9]*/root' | head -n 3)"
	# libraries ARGUMENT...: which of those that are loaded late are there before the sandbox, and which after
	libraries() {
		strace -f -e trace=openat,landlock_restrict_self -o trace "$pdtool" "$@" >out/library 2>err
		awk '/landlock_restrict_self/ { inside = 1 }
			match($0, /lib(archive|capstone)\.so[^"]*", [^=]*= [0-9]/) {
				name = substr($0, RSTART, RLENGTH)
				sub(/\.so.*/, "", name)
				if (!seen[name]++) printf "%s%s ", inside ? "late " : "", name
			}' trace
	}
	case $force in
	*Landlock*)
		equal 'libraries: none without a need' '' "$(libraries report linked.data)"
		zstd -dc "$r/diff_pair/base1.data.zst" | gzip >base1.data.gz
		equal 'libraries: of a packed capture' 'libarchive ' "$(libraries report base1.data.gz)"
		equal 'libraries: of one that zstd packed' '' "$(libraries report "$r/diff_pair/base1.data.zst")"
		equal 'libraries: of an archive of symbols' 'libarchive ' "$(libraries collapse --symbols symbols.tar linked.data)"
		equal 'libraries: of machine code' 'libcapstone ' \
			"$(libraries annotate --no-host --symfs "$data/symfs" leaf_fn linked.data | sed 's/libarchive //')"
		cp base1.data.gz packed
		equal 'libraries: of a capture whose name does not tell' 'late libarchive ' "$(libraries report packed)"
		;;
	*) skip 'libraries that are loaded late' "$force" ;;
	esac
else
	skip 'both are in force when the capture is opened' 'there is no strace, or it may not trace'
fi

# Who checks a program from inside it must be let alone.
if command -v valgrind >/dev/null; then
	strip -g -o bare "$pdtool" # valgrind 3.19 ends at clang's debug information
	valgrind -q ./bare info -v linked.data >out/valgrind 2>err
	equal 'valgrind' '0 none (in valgrind)' "$? $(sed -n 's/^pdtool: sandbox: //p' err)"
fi
if [ -x "$host_san" ]; then
	"$host_san" collapse -v linked.data >out/san 2>err
	equal 'the sanitizer build is in it, and ends' '0 1' "$? $(grep -c '^pdtool: sandbox: [^n]' err)"
fi
