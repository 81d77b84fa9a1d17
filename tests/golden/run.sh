#!/bin/sh
# The text of each command over the captures of testdata/synthetic, as it was read and accepted.
#   tests/golden/run.sh            compare with tests/golden/expected
#   tests/golden/run.sh --accept   write what comes now; read the difference before it is committed
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

expected=$top/tests/golden/expected
accept=
[ "${1:-}" = --accept ] && accept=1 && mkdir -p "$expected" && rm -f "$expected"/*
: >names

# golden NAME ARGUMENT...: stdout and stderr of pdtool, and its exit status.
golden() {
	text=$1
	shift
	"$pdtool" "$@" >out 2>err </dev/null
	status=$?
	{
		echo "\$ pdtool $*"
		sed 's/<style>.*<\/style>/(style)/
			/<script/,/<\/script>/c (script)
			/<style/,/<\/style>/c (style)' out
		sed 's/^/! /' err
		[ $status = 0 ] || echo "exit status $status"
	} >got
	echo "$text.txt" >>names
	if [ -n "$accept" ]; then
		cp got "$expected/$text.txt"
	elif [ ! -f "$expected/$text.txt" ]; then
		fail "$text" 'was never accepted'
	else
		same "$text" "$expected/$text.txt" got
	fi
}

for source in "$data"/synthetic/*.mkperf "$top"/tests/golden/*.mkperf; do
	name=$(basename "$source" .mkperf)
	"$mkperf" -o "$name.data" "$source" 2>err || { fail "$name" "mkperf: $(cat err)"; continue; }
	touch -d 2020-01-02T03:04:05Z "$name.data"
	golden "$name-info" info "$name.data"
	golden "$name-collapse" collapse "$name.data"
	golden "$name-compat" collapse -q --compat stackcollapse "$name.data"
done
for source in basic ids manystacks markers; do
	golden $source-report report $source.data
done
golden basic-summary summary basic.data
golden basic-summary-csv summary -q --format csv basic.data
golden basic-summary-json summary -q --format json basic.data
golden ids-summary ids.data
golden sched-summary sched.data
golden basic-counts-csv info --counts --format csv basic.data
golden damage-counts-csv info --counts --format csv damage.data

b=basic.data
golden basic-samples collapse -q --weight samples $b
golden basic-label-pid collapse -q --label-pid $b
golden basic-label-tid collapse -q --label-tid $b
golden basic-compat-pid collapse -q --compat stackcollapse --pid $b
golden basic-compat-tid collapse -q --compat stackcollapse --tid $b
golden basic-kernel collapse -q --kernel $b
golden basic-jit collapse -q --jit $b
golden basic-all collapse -q --all $b
golden basic-addrs collapse -q --addrs $b
golden basic-compat-all collapse -q --compat stackcollapse --all $b
golden basic-compat-addrs collapse -q --compat stackcollapse --addrs $b
golden basic-pid collapse -q --pid 100 $b
golden basic-pid-range collapse -q --pid 0,101-200 $b
golden basic-tid collapse -q --tid 102 $b
golden basic-comms collapse -q --comms worker,swapper $b
golden basic-comms-blank collapse -q --comms 'pool 1' $b
golden basic-cpu collapse -q --cpu 0 $b
golden basic-cpu-none collapse -q -C 7 $b
golden basic-time collapse -q --time 0.001000200,0.001000400 $b
golden basic-time-from collapse -q --time 0.001000400, $b
golden basic-time-to collapse -q --time ,0.001000110 $b
golden basic-time-slice collapse -q --time 50%/1 $b
golden basic-time-slices collapse -q --time 0%-10%,40%-50% $b
golden order-time-slice collapse -q --time 0%-50% order.data
golden basic-dsos collapse -q --dsos libtoy.so.1 $b
golden basic-dsos-path collapse -q --dsos /usr/lib/libplug.so $b
golden basic-event collapse -q --event cycles $b
golden basic-event-none collapse -q --event instructions $b
golden basic-two collapse -q $b order.data $b

# Names: the map of the just-in-time compiler, and a kallsyms file of the recorded kernel.
mkdir maps
printf '7e0020000000 100 jit one(int)\n7e0020000100 40 jit two\n' >maps/perf-101.map
cat >kallsyms <<'END'
ffffffff81000000 T _text
ffffffff81000000 T startup_64
ffffffff81000080 T do_syscall_64
ffffffff81000180 T vfs_read
ffffffff81000280 T toy_caller
ffffffff81000400 t default_idle
ffffffff81000440 T _etext
ffffffffc0000000 t toy_init	[toy]
ffffffffc0000030 t toy_read	[toy]
END
golden basic-named collapse --kallsyms kallsyms --perf-map-dir maps $b
golden basic-named-compat collapse -q --compat stackcollapse --all --kallsyms kallsyms --perf-map-dir maps $b
golden basic-named-all collapse -q --all --kallsyms kallsyms --perf-map-dir maps $b
golden basic-named-info info --names --kallsyms kallsyms --perf-map-dir maps $b
golden basic-no-idle collapse -q --no-idle --kallsyms kallsyms $b
golden basic-skip-after collapse -q --skip-after do_syscall_64 --kallsyms kallsyms $b
golden basic-skip-after-two collapse -q --skip-after do_syscall_64 --skip-after toy_caller --kallsyms kallsyms $b
golden basic-compat-skip-after collapse -q --compat stackcollapse --skip-after do_syscall_64 --kallsyms kallsyms $b
golden basic-symbols collapse -q --symbols toy_read,default_idle --kallsyms kallsyms $b

golden ids-event collapse -q --event instructions ids.data
golden ids-event-filter collapse -q --event-filter page-faults ids.data
golden ids-events collapse -q --event instructions,page-faults ids.data
golden ids-compat-event collapse -q --compat stackcollapse --event-filter instructions ids.data
golden tracepoints-event collapse -q --event toy:open tracepoints.data
golden threads-merge collapse -q --merge-threads threads.data
golden threads-merge-compat collapse -q --compat stackcollapse --merge-threads threads.data
golden manystacks-time collapse -q --time 0.000100,0.000150 --cpu 0-1 manystacks.data
golden clock-time collapse -q --time 2023-11-14T22:13:20.000001Z,2023-11-14T22:13:21Z clock.data
golden clock-time-zone collapse -q --time 2023-11-15T00:13:20.000001+02:00, clock.data

# report: the other shapes of its table.
golden basic-report-csv report -q --format csv --header --kallsyms kallsyms --perf-map-dir maps $b
golden basic-report-self report -q --no-children --percent-limit 5 --kallsyms kallsyms $b
golden basic-report-keys report -q -s pid,tid,cpu,time --time-quantum 100ns $b
golden basic-report-group report -q --group comm -s dso $b
golden basic-report-callers report -q --callers do_syscall_64 --kallsyms kallsyms $b
golden basic-report-callees report -q --callees '[worker]' --kallsyms kallsyms $b
golden basic-report-two report -q -s comm,event --comms worker $b ids.data
golden ids-report-samples report -q --weight samples -s event,sym ids.data
printf 'a;b 2\na 1\n' >text.folded
golden text-report report text.folded

golden basic-doctor doctor $b
golden basic-doctor-exceeded doctor --max-unresolved 50 --comms worker $b
golden ids-doctor-event doctor --event instructions ids.data

# Each command in each format that it has, and the same bytes with one job and with eight.
# every NAME COMMAND ARGUMENT...; a blank in COMMAND parts two words.
every() {
	each=$1 command=$2
	shift 2
	# shellcheck disable=SC2086
	have=$("$pdtool" $command --format none 2>&1 | sed -n 's/.* it has: *//p')
	[ -n "$have" ] || fail "$each" 'it has no format'
	for format in $have; do
		# shellcheck disable=SC2086
		golden "every-$each-$format" $command --format "$format" "$@"
		[ $status = 2 ] && continue # what these options ask for has no such form, and that was said
		# shellcheck disable=SC2086
		"$pdtool" $command -q -j1 --format "$format" "$@" >one 2>err
		# shellcheck disable=SC2086
		"$pdtool" $command -q -j8 --format "$format" "$@" >eight 2>err
		cmp -s one eight && [ -s one ] && ok "$each in $format: -j1 is -j8" || fail "$each in $format: -j1 is -j8" 'they differ, or are empty'
	done
}
k='--kallsyms kallsyms --perf-map-dir maps'
# shellcheck disable=SC2086
{
	every collapse collapse $k $b
	every info info --names $k $b
	every flamegraph flamegraph $k --title 'A & B' $b
	every report report $k $b
	every diff diff $k --by stack $b order.data
	every doctor doctor $k $b
	every bundle-list bundle-list $b
	every abstime abstime --cpu-time 1,2 $k $b order.data
}
cat >few.mkperf <<'END'
event cpu-clock type=software config=0 period=1000 sample_type=IP|TID|TIME|CALLCHAIN|PERIOD sample_id_all
comm pid=7 comm=work
mmap pid=7 addr=0x1000 len=0x1000 file=/bin/work exec
sample pid=7 time=1000000 ip=0x1100 chain=[user,0x1100,0x1200]
sample pid=7 time=1001000 ip=0x1100 chain=[user,0x1100,0x1200]
sample pid=7 time=1005000 ip=0x1300 chain=[user,0x1300,0x1200]
sample pid=7 time=2005000 ip=0x1300 chain=[user,0x1300]
END
"$mkperf" -o few.data few.mkperf 2>err || fail few "mkperf: $(cat err)"
every flamechart 'flamegraph --flamechart' few.data
every abstime-step 'abstime --step 1ms' few.data
every sched-latency 'sched latency' sched.data
every sched-timehist 'sched timehist' sched.data
cp "$data/recorded/x86_64/block/q1.data.zst" .
touch -d 2020-01-02T03:04:05Z q1.data.zst
every block block q1.data.zst
every heatmap 'heatmap --events cycles --value period --rows 4' $b

tar -xJf "$data/annotate/deep.tar.xz" armhf
cat >deep.mkperf <<'END'
event cycles type=hardware config=0 period=1000 ids=1 sample_type=IP|TID|TIME|PERIOD|IDENTIFIER sample_id_all comm mmap
event task-clock type=software config=1 period=2000 ids=2 sample_type=IP|TID|TIME|PERIOD|IDENTIFIER sample_id_all
comm pid=7 comm=deep time=1
mmap pid=7 addr=0x400000 len=0x1000 file=/opt/w/deep time=2
repeat 12 n {
sample event=cycles pid=7 time=$n+3 ip=0x400770 period=1000 exact_ip
}
repeat 5 n {
sample event=cycles pid=7 time=$n+20 ip=0x400774 period=700
sample event=task-clock pid=7 time=$n+20 ip=0x40078e period=2000
}
sample event=cycles pid=7 time=30 ip=0x4007ac period=10
sample event=task-clock pid=7 time=31 ip=0x400738 period=10
sample event=cycles pid=7 time=32 ip=0x400838 period=5000
END
"$mkperf" -o deep.data deep.mkperf 2>err || fail deep "mkperf: $(cat err)"
every annotate 'annotate leaf_hash' --symfs armhf deep.data
golden annotate-raw annotate --symfs armhf --asm-raw --full-paths --percent-type global-hits leaf_div deep.data
golden annotate-colour annotate -q --symfs armhf --color always --no-source --event cycles leaf_hash deep.data
golden annotate-no-code annotate --kallsyms kallsyms default_idle $b
golden annotate-no-symbol annotate --symfs armhf leaf deep.data

# An accepted text that no test makes any more.
if [ -z "$accept" ]; then
	ls "$expected" | sort >have
	sort names | comm -13 - have >left
	[ ! -s left ] && ok 'no text is left over' || fail 'no text is left over' "$(tr '\n' ' ' <left)"
	[ "$(grep -c . have)" -gt 40 ] && ok 'the texts are there' || fail 'the texts are there' 'there are none'
else
	ok "$(grep -c . names) texts written to tests/golden/expected; now read the difference"
fi
