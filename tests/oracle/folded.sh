#!/bin/sh
# Folded stacks of captures from another machine: the bytes that perf 6.12's `perf script --no-inline |
# stackcollapse-perf.pl` made there (testdata/README.md). The files that were mapped are in testdata/symfs under their
# paths and in testdata/buildid as perf's cache has them.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

recorded=$data/recorded/x86_64
kallsyms=$recorded/kallsyms

capture() {
	for c in "$recorded/$1.data" "$recorded/$1.data.zst"; do
		[ ! -e "$c" ] || echo "$c"
	done
}

# fold CAPTURE OPTION...
fold() {
	file=$(capture "$1")
	shift
	"$pdtool" collapse --compat stackcollapse --kallsyms "$kallsyms" "$@" "$file" >got 2>err
}

# compare ORACLE CAPTURE OPTION...
compare() {
	oracle=$1
	shift
	if fold "$@"; then
		same "$oracle" "$recorded/$oracle.folded" got
	else
		fail "$oracle" "$(head -n 1 err)"
	fi
}

by_path="--symfs=$data/symfs"
by_id="--buildid-dir=$data/buildid"

for name in aio clock clockreal pipe612 pipezstd seg1 threads2 zstd; do
	compare modes/$name modes/$name "$by_path"
done
for name in garbage killedpipe whole; do
	compare damaged/$name damaged/$name "$by_path"
done
for name in gone nohash nopie nosep pie textseg plugins; do
	compare binaries/$name binaries/$name "$by_path"
done
# A build-id of 16 bytes. perf named one frame from a vdso of its own.
fold binaries/md5 "$by_path"
sed 's/__vdso_clock_gettime/[[vdso]]/' "$recorded/binaries/md5.folded" >want
same binaries/md5 want got
for name in pivot started; do
	compare namespaces/$name namespaces/$name "$by_id"
done
compare multi_event/group multi_event/group "$by_id"
compare multi_event/group.filter-cpu-clock multi_event/group "$by_id" --event-filter cpu-clock
compare multi_event/multi multi_event/multi "$by_id"
for event in context-switches page-faults sched_switch task-clock cpu-clock; do
	compare multi_event/multi.filter-$event multi_event/multi "$by_id" --event-filter $event
done
compare diff_pair/base1 diff_pair/base1 "$by_id"
compare diff_pair/base1.pid diff_pair/base1 "$by_id" --pid
compare diff_pair/base1.tid diff_pair/base1 "$by_id" --tid
compare diff_pair/base1.kernel-jit diff_pair/base1 "$by_id" --kernel --jit
compare diff_pair/base1.all diff_pair/base1 "$by_id" --all

# The debug file by its link beside the binary, below usr/lib/debug by its build-id, and not at all.
root() {
	rm -rf root
	mkdir -p root/tmp/bw/pub/binaries/bin root/usr/lib
	cp -R "$data/symfs/usr/lib/." root/usr/lib
}
bin=$data/symfs/tmp/bw/pub/binaries/bin
root
cp "$bin/linked" "$bin/linked.debug" root/tmp/bw/pub/binaries/bin
compare binaries/linked binaries/linked --symfs=root
rm root/tmp/bw/pub/binaries/bin/linked.debug
compare binaries/linked-without-debug binaries/linked --symfs=root
mkdir -p root/usr/lib/debug/.build-id/2b
cp "$bin/linked.debug" root/usr/lib/debug/.build-id/2b/a9ba2ac31439ae5e26888b1398bd772f59cd5c.debug
compare binaries/linked-buildid-dir binaries/linked --symfs=root

# The file that was recorded, another build of it at the same path, and none.
root
cp "$bin/app" root/tmp/bw/pub/binaries/bin/app
compare binaries/replaced-before binaries/replaced --symfs=root
cp "$bin/app.rebuilt" root/tmp/bw/pub/binaries/bin/app
compare binaries/replaced-after binaries/replaced --symfs=root
rm root/tmp/bw/pub/binaries/bin/app
compare binaries/replaced-deleted binaries/replaced --symfs=root

# Symbols only in .gnu_debugdata are not read yet: the frames are as perf has them.
compare binaries/mini binaries/mini "$by_path"

# By default no weight is lost either: the sums are those of the compat form.
for name in modes/clock binaries/pie diff_pair/base1 multi_event/group damaged/whole; do
	total() { awk '{ n += $NF } END { print n }' "$1"; }
	"$pdtool" collapse -q --kallsyms "$kallsyms" "$by_path" "$(capture $name)" >got
	equal "$name: total weight by default" "$(total "$recorded/$name.folded")" "$(total got)"
done

# Names are looked up by several threads: the bytes must not depend on them.
for name in binaries/plugins diff_pair/base1 damaged/killed; do
	fold $name "$by_path" "$by_id" -j1 && cp got want
	fold $name "$by_path" "$by_id" -j8 && same "$name: -j8 as -j1" want got
done

# Damaged captures that perf refuses. Counted up to the damage by a reader of a few lines: see testdata/README.md.
samples() {
	"$pdtool" info --counts --format csv "$(capture damaged/$1)" 2>err | awk -F , '$1 == "record" && $2 == "SAMPLE" { print $3 }'
}
equal 'a recorder that was killed' 825 "$(samples killed)"
equal 'a recorder that was killed, zstd' 1679 "$(samples killedz)"
equal 'a recorder that was killed, and a cut file' 581 "$(samples killedtrunc)"
equal 'a file cut at 60 %' 139 "$(samples trunc60)"
equal 'a file without damage' 202 "$(samples whole)"
# 4096 zeros: 89 samples before, 33 lie in them in whole or in part, 80 after. The header of the first of the 33 is whole.
equal 'a file with a hole of zeros' 170 "$(samples zeroed)"
# The whole file's stacks hold every stack that the damaged ones have, with at least its weight.
fold damaged/whole "$by_path" && cp got whole.folded
for name in zeroed trunc60; do
	fold damaged/$name "$by_path"
	awk 'NR == FNR { n = $NF; sub(/ [0-9]+$/, ""); whole[$0] = n; next }
		{ n = $NF; sub(/ [0-9]+$/, ""); sum += n; if (n > whole[$0]) { print "wrong: " $0 " " n } }
		END { if (!sum) print "wrong: nothing" }' whole.folded got >wrong
	# The sample whose end is zeros is a stack of its own.
	[ -s whole.folded ] && [ -s got ] || echo 'wrong: nothing' >>wrong
	[ -s whole.folded ] || echo 'wrong: nothing to compare with' >>wrong
	if [ "$(grep -c '' wrong)" -gt "$([ $name = zeroed ] && echo 1 || echo 0)" ]; then
		fail "stacks of damaged/$name" 'not those of the whole file'
		show wrong
	else
		ok "stacks of damaged/$name are among those of the whole file"
	fi
done
