#!/bin/sh
# Each command once under valgrind's memcheck: nothing is read that was not written, nothing that is not there.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

command -v valgrind >/dev/null || { skip 'commands under valgrind' 'no valgrind'; exit 0; }
recorded=$data/recorded/x86_64
# once COMMAND...: status 0 or 1 of its own, and no error.
once() {
	case $1 in sched | store) name="$1 $2" ;; *) name=$1 ;; esac
	echo "$name" >>ran
	# it does not know Landlock's system calls, and says so
	valgrind -q --error-exitcode=99 --log-file=memcheck "$host_pdtool" "$@" --no-host --no-sandbox >out 2>err
	status=$?
	[ $status -le 1 ] && [ ! -s memcheck ]
	result "$name" $? "status $status"
	[ ! -s memcheck ] || show memcheck
}
base=$recorded/diff_pair/base1.data.zst slow=$recorded/diff_pair/slow1.data.zst
sched=$recorded/sched/flat.data.zst names="--kallsyms $recorded/kallsyms --symfs $data/symfs --buildid-dir $data/buildid"
"$mkperf" -o mem.data "$top/tests/oracle/mem.mkperf"
# shellcheck disable=SC2086 # options
{
	for command in collapse report "info --names" doctor summary flamegraph script bundle-list; do once $command $names "$base"; done
	once abstime --cpu-time 1 $names "$base"
	once annotate $names checksum "$base"
	once diff $names "$base" "$slow"
	once pack $names -o "$tmp/made" "$base"
	once cut --time 10%-50% -o "$tmp/made.data" "$base"
	once heatmap "$recorded/block/q1.data.zst"
	once block "$recorded/block/q1.data.zst"
	once branches "$data/recorded/android/sp_lbr.data.zst"
	once events "$sched"
	once mem mem.data
	once stat "$data/recorded/stat/stat-aA.data.zst"
	once store add "$tmp/made.db" "$base"
	once store query "$tmp/made.db" first --function '*'
	once store rename --symfs "$data/symfs" "$tmp/made.db"
	once store sql "$tmp/made.db:event=cpu-clock" top
	once page "$data/recorded/script/cpu-g.data.zst"
	once export --to pprof "$data/recorded/script/cpu-g.data.zst"
	once export --to firefox "$sched" # rows that wait in a file
	once export --to autofdo "$data/recorded/hardware/quipper-branch-3.4.data.zst"
	once syscalls "$data/recorded/syscalls/sys1.data.zst"
	for command in offcpu wakeup 'sched latency' 'sched timehist' 'sched timeline' 'sched map' 'sched blame'; do once $command "$sched"; done
}
"$pdtool" list | sed -n '/^Analyzers/,/^$/s/^  \(.\{15\}\) .*/\1/p' | sed 's/ *$//' | sort >wanted
sort -u ran >got
same 'each command of pdtool list' wanted got
