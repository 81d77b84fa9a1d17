#!/bin/sh
# Every call of a command that can fail does so once: for memory, to read, write, open, ask about and map files, to start
# threads. What must hold then: see sweep.c. FAULTS_EVERY: of the calls for memory the first ten and every so many fail
# (default 64), of all others each one. Of the commands that read other inputs only one of FAULTS_THIN calls fails
# (default 96). `make check-faults` takes all.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
recorded=$data/recorded/x86_64

tar -xJf "$data/annotate/deep.tar.xz" armhf
cat >deep.mkperf <<'END'
event cycles type=hardware config=0 period=1000 ids=1 sample_type=IP|TID|TIME|PERIOD|IDENTIFIER sample_id_all comm mmap
comm pid=7 comm=deep time=1
mmap pid=7 addr=0x400000 len=0x1000 file=/opt/w/deep time=2
repeat 12 n {
sample event=cycles pid=7 time=$n+3 ip=0x400770 period=1000 exact_ip
}
END
"$mkperf" -o deep.data deep.mkperf 2>err || fail deep "mkperf: $(cat err)"

# On this host alone nothing of it is looked for; one thread, or calls come in another order each time.
cat >cases <<END
collapse|collapse --no-host -j1 --symfs $data/symfs $recorded/binaries/linked.data
collapse, user stacks unwound|collapse --no-host -j1 --symfs $data/unwind/x86_64-killed/files $data/unwind/x86_64-killed/killed.data.zst
report|report --no-host -j1 --symfs $data/symfs $recorded/binaries/pie.data
flamegraph|flamegraph --no-host -j1 -o out --kallsyms $recorded/kallsyms $recorded/modes/pipezstd.data
diff|diff --no-host -j1 $recorded/diff_pair/base1.data.zst $recorded/diff_pair/slow1.data.zst
annotate|annotate --no-host -j1 --symfs $tmp/armhf leaf_hash $tmp/deep.data
doctor|doctor --no-host -j1 --symfs $data/symfs $recorded/binaries/linked.data
sched latency|sched latency --no-host -j1 $recorded/sched/switchev.data.zst
block|block --no-host -j1 $recorded/block/q1.data.zst
heatmap|heatmap --no-host -j1 -o out $recorded/modes/zstd.data
pack|pack --no-host -j1 --symfs $data/symfs -o out $recorded/binaries/linked.data
END
sweep() { "$build/tests/faults/sweep" -j "$(nproc)" -s "$build/tests/lib/faultshim.so" "$@"; }
sweep -e "${FAULTS_EVERY:-$((16 * one_in))}" "$host_pdtool" cases

# ---- the other inputs ----

. "$top/tests/faults/inputs.sh"
if [ "${FAULTS_EVERY:-}" = 1 ]; then
	sweep "$host_pdtool" inputs
else
	sweep -t "${FAULTS_THIN:-$((24 * one_in))}" "$host_pdtool" inputs
fi
