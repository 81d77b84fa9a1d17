# What all groups of tests share; a group (tests/*/*.sh, see tests/run) sources it first:
#   top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
# A group prints one line for each test: "ok NAME", "FAIL NAME: why" or "skip NAME: why", and lines that begin with a
# blank to say more. It works in a directory of its own, "$tmp", with no settings of the user's.
# Set by tests/run, with the defaults for a group that is run alone:
LC_ALL=C TZ=UTC
build=${BUILD:-$top/build}
case $build in /*) ;; *) build=$top/$build ;; esac
mkperf=$build/tests/lib/mkperf
many=$build/tests/lib/many
data=$top/testdata
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
HOME=$tmp/home
mkdir "$HOME"
export LC_ALL TZ HOME
# A report of the sanitizers is told from every exit status of pdtool's own. The search for leaks of clang 14 reads where
# there is nothing when it follows the thread-local memory of libraries that were loaded late, as libcurl is: it does not.
ASAN_OPTIONS=exitcode=99:intercept_tls_get_addr=0 UBSAN_OPTIONS=exitcode=99:print_stacktrace=1
export ASAN_OPTIONS UBSAN_OPTIONS
unset PERF_BUILDID_DIR DEBUGINFOD_URLS DEBUGINFOD_CACHE_PATH XDG_CACHE_HOME XDG_CONFIG_HOME NO_COLOR TERM PAGER PDTOOL 2>/dev/null
for variable in $(env | sed -n 's/^\(PDTOOL_[A-Z_]*\)=.*/\1/p'); do unset "$variable"; done
cd "$tmp" || exit 1

# Two builds, as a test has to see them: without any file, vdso or kernel of this machine, which may have symbols for a
# recorded module or not. What a test wants of this machine it asks of $host_pdtool and $host_san, and says so.
host_pdtool=$build/pdtool
host_san=$build/san/pdtool
# alone NAME PROGRAM: a script of that name for it.
alone() {
	cat >"$tmp/.alone/$1" <<-END
	#!/bin/sh
	case \$#:\$1 in
	0:* | *:-* | *:help | *:list | *:version | 1:sched) exec "$2" "\$@" ;;
	*:sched | *:store) command="\$1 \$2" && shift 2 ;;
	*) command=\$1 && shift ;;
	esac
	exec "$2" \$command --no-host "\$@"
	END
	chmod +x "$tmp/.alone/$1"
}
mkdir "$tmp/.alone"
alone pdtool "$host_pdtool"
alone san "$host_san"
pdtool=$tmp/.alone/pdtool
san=$tmp/.alone/san
# on_host FUNCTION...: one that runs "$pdtool" or "$san", with all that this machine has.
on_host() {
	pdtool=$host_pdtool san=$host_san
	"$@"
	pdtool=$tmp/.alone/pdtool san=$tmp/.alone/san
}

# some N: so many of N things that are alike, damaged copies above all: one in $one_in. `make check-whole` (CHECK_PART=1)
# takes them all.
one_in=${CHECK_PART:-4}
some() { echo $((($1 + one_in - 1) / one_in)); }

ok() { echo "ok $1"; }
fail() { echo "FAIL $1: $2"; }
skip() { echo "skip $1: $2"; }

# stacks: folded text without the line that tells of its weights.
stacks() { sed '/^# pdtool /d'; }

# limited SECONDS COMMAND...: in that time of CPU, however loaded the machine is. What waits for ever ends, too.
limited() {
	(
		ulimit -t "$1"
		shift
		exec timeout 600 "$@"
	)
}

# floor_of COMMAND...: what it takes of address space, in KiB: the program and its libraries, where it has little to do.
floor_of() {
	floor=16000
	while [ $floor -lt 1000000 ] && ! ( ulimit -v $floor; exec "$@" >/dev/null 2>&1 ); do
		floor=$((floor + 2000))
	done
	[ $floor -lt 1000000 ]
	result 'what the program takes itself' $? $floor
}

# records: CSV to columns separated by tabs, without the header. Names keep their commas.
records() {
	awk 'NR > 1 {
		line = ""
		for (rest = $0; rest != ""; ) {
			cell = rest
			if (sub(/^"/, "", rest)) {
				cell = ""
				while ((at = index(rest, "\"")) && substr(rest, at, 2) == "\"\"") {
					cell = cell substr(rest, 1, at)
					rest = substr(rest, at + 2)
				}
				cell = cell substr(rest, 1, at - 1)
				rest = substr(rest, at + 1)
			} else {
				sub(/,.*/, "", cell)
				rest = substr(rest, length(cell) + 1)
			}
			line = line cell
			if (sub(/^,/, "", rest)) { line = line "\t"; if (rest == "") break }
		}
		print line
	}'
}

# Show the first lines of FILE as an explanation.
show() { sed -n 's/^/    /;1,12p' "$1" | cut -c 1-200; }

# result NAME STATUS [WHY]: ok when STATUS is 0.
result() { if [ "$2" = 0 ]; then ok "$1"; else fail "$1" "${3:-status $2}"; fi; }

# same NAME WANTED GOT: two files with the same bytes, and not without any.
same() {
	if [ ! -s "$2" ]; then
		fail "$1" "nothing to compare with"
	elif cmp -s "$2" "$3"; then
		ok "$1"
	else
		diff "$2" "$3" >difference
		fail "$1" "$(grep -c '^[<>]' difference) lines differ (< wanted, > got)"
		show difference
	fi
}

# equal NAME WANTED GOT: two texts.
equal() { if [ "$2" = "$3" ]; then ok "$1"; else fail "$1" "wanted '$2', got '$3'"; fi; }
