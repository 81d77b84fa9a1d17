#!/bin/sh
# `export`: what each reader finds in its file is what `report` says of the capture: functions and threads of each event, to the
# unit. go tool pprof reads its form itself; the others are read by totals.js, which keeps to their descriptions.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
totals=$top/tests/oracle/export/totals.js

. "$top/tests/oracle/export/sums.sh"

# exported NAME EVENT FILE OPTION...: all readers. EVENT is the first of the capture.
exported() {
	case_name=$1 event=$2
	shift 2
	reported "$@" >want
	[ -s want ] || fail "$case_name" "report has nothing: $(head -n 1 err)"
	if command -v go >/dev/null; then
		"$pdtool" export -q --to pprof -o made.pb.gz "$@" 2>err || fail "$case_name, pprof" "status $?: $(head -n 1 err)"
		raw "$event" made.pb.gz >got
		same "$case_name, pprof: $(wc -l <want) sums" want got
	else
		skip "$case_name, pprof" 'there is no go'
	fi
	command -v node >/dev/null || { skip "$case_name, speedscope and firefox" 'there is no node'; return; }
	for order in time weight; do
		"$pdtool" export -q --to speedscope --order $order -o made.json "$@" 2>err
		node "$totals" speedscope made.json 2>err | sort >got || fail "$case_name, speedscope" "$(head -n 5 err)"
		same "$case_name, speedscope, by $order" want got
	done
	"$pdtool" export -q --to firefox -o made.json "$@" 2>err
	node "$totals" firefox made.json "$event" 2>err | sort >got
	same "$case_name, firefox" want got
}

script=$data/recorded/script foreign=$data/recorded/foreign
exported 'a program' cpu-clock "$script/cpu-g.data.zst"
exported 'inlined functions' cpu-clock --symfs "$data/symfs" "$script/dwarf.data.zst"
exported 'two events' cache-references "$foreign/05-x86_64-k4.14-group.perf.data"
exported 'six events' cycles "$foreign/01-x86_64-k3.4-6hwevents.perf.data"
exported 'no time is recorded' page-faults "$script/notime.data.zst"
exported 'weights beyond 32 bits' task-clock:ppp "$foreign/13-aarch64-k6.12-callchain-diff-old.perf.data.zst"
exported 'through a filter' cpu-clock "$script/cpu-g.data.zst" --comms 'wrk 0'
exported 'through a filter of places' cpu-clock "$script/cpu-g.data.zst" --dsos sample
cat >apart.mkperf <<'END'
arch x86_64
event cycles type=hardware config=0 period=1000 ids=1 sample_id_all mmap comm task sample_type=IDENTIFIER|IP|TID|TIME|CALLCHAIN
comm pid=7 tid=7 comm=app time=1
mmap pid=7 tid=7 addr=0x400000 len=0x10000 file=/bin/app time=2
mmap pid=7 tid=7 addr=0x500000 len=0x10000 file=/lib/one.so time=2
mmap pid=7 tid=7 addr=0x600000 len=0x10000 file=/lib/two.so time=2
sample pid=7 tid=7 time=1000 ip=0x500100 chain=[user:0x600100,0x400200]
sample pid=7 tid=7 time=2000 ip=0x600300 chain=[user:0x600100,0x400200]
sample pid=7 tid=7 time=3000 ip=0x500100 chain=[user:0x500100,0x400200]
END
"$mkperf" -o apart.data apart.mkperf || fail apart mkperf
exported 'the sample lies apart from its chain' cycles apart.data
exported 'cgroups' cpu-clock "$script/cgroup.data.zst"

# ---- moments ----

# decoded FILE OPTION...: the packets of a Perfetto trace, as protoc prints them.
decoded() {
	"$pdtool" export -q --to perfetto "$@" | protoc --proto_path="$top" --decode=perfetto.Trace "$top/formats/export/perfetto.proto" 2>err
}

for name in script/sched-g script/block x86_64/sched/nospin x86_64/sched/sw_wakeup; do
	file=$data/recorded/$name.data.zst
	"$pdtool" sched latency -q --format csv "$file" 2>err | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["tid"] && $at["run_ns"] { printf "run\t%s\t%s\n", $at["tid"], $at["run_ns"] }' | sort >want
	"$pdtool" script -q --compat perf -F event "$file" >events 2>err
	if command -v node >/dev/null; then
		"$pdtool" export -q --to chrome -o made.json "$file" 2>err
		node "$totals" chrome made.json >sums 2>err || fail "$name, chrome" "$(head -n 5 err)"
		grep '^run' sums >got
		# of a capture of one process sched tells more: that it still ran, by its wake-ups
		if [ -s want ] && [ $name != script/sched-g ]; then same "$name, chrome: how long threads ran" want got; fi
		for kind in b:issue e:complete; do
			equal "$name, chrome: requests, ${kind#*:}" "$(grep -c "block_rq_${kind#*:}:" events)" \
				"$(awk -F '\t' -v kind="${kind%:*}" '$1 == "block" && $2 == kind { n = $3 } END { print n + 0 }' sums)"
		done
	fi
	command -v protoc >/dev/null || { skip "$name, perfetto" 'there is no protoc'; continue; }
	decoded "$file" >packets
	for kind in sched_switch sched_waking sched_wakeup sched_wakeup_new block_rq_issue block_rq_complete; do
		equal "$name, perfetto: $kind" "$(grep -c ":$kind:" events)" "$(grep -c "^ *$kind {" packets)"
	done
	perl -e 'while (<STDIN>) { $cpu = $1 if /^    cpu: (\d+)/; $late++ if /^      timestamp: (\d+)/ && $1 < ($last{$cpu} // 0); $last{$cpu} = $1 if defined $1 }
		print $late // 0, "\n"' <packets >got
	equal "$name, perfetto: in the order of time on each CPU" 0 "$(cat got)"
done

# switch records of the kernel, with a CPU and without
for name in switch-a switch; do
	file=$script/$name.data.zst
	"$pdtool" sched latency -q --format csv "$file" 2>err | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["tid"] && $at["run_ns"] { printf "run\t%s\t%s\n", $at["tid"], $at["run_ns"] }' | sort >want
	if command -v node >/dev/null; then
		"$pdtool" export -q --to chrome -o made.json "$file" 2>err
		node "$totals" chrome made.json 2>err | grep '^run' | sort >got
		[ -s want ] && same "$name, chrome: how long threads ran" want got
	fi
	switches=$("$pdtool" script -q --show-switch-events "$file" 2>err | grep -c PERF_RECORD_SWITCH)
	"$pdtool" export --to perfetto -o made.pftrace "$file" 2>err
	if [ $name = switch ]; then
		equal "$name, perfetto: no CPU" "pdtool: $switches switch records have no CPU, which Perfetto needs (record with --sample-cpu)" "$(grep CPU err)"
	elif command -v protoc >/dev/null; then
		equal "$name, perfetto: switches" "$switches" "$(protoc --proto_path="$top" --decode=perfetto.Trace "$top/formats/export/perfetto.proto" <made.pftrace | grep -c 'sched_switch {')"
	fi
done

# samples: who, where, how much, by numbers that were told before
if command -v protoc >/dev/null; then
	for case in cpu-g:cpu-clock dwarf:cpu-clock; do
		file=$data/recorded/script/${case%:*}.data.zst
		reported --symfs "$data/symfs" "$file" | awk -F '\t' '$2 == "sym" { print $3 "\t" $4 }' | sort >want
		decoded --symfs "$data/symfs" "$file" | perl -e '
			while (<STDIN>) {
				$in = $1 if /^    (\w+) \{/ || /^  (perf_sample) \{/;
				if (/^ +iid: (\d+)/) { $iid = $1; die "$in $iid again" if $in ne "callstacks" && $seen{"$in $iid"}++ }
				$name{$iid} = $1 if $in eq "function_names" && /str: "(.*)"/;
				$function{$iid} = $1 if $in eq "frames" && /function_name_id: (\d+)/;
				$leaf{$iid} = $1 if $in eq "callstacks" && /frame_ids: (\d+)/;
				$stack = $1 if $in eq "perf_sample" && /callstack_iid: (\d+)/;
				if (/timebase_count: (\d+)/) { $n{$name{$function{$leaf{$stack}}}} += $1 }
			}
			print "$_\t$n{$_}\n" for keys %n;' 2>err | sort >got
		same "${case%:*}, perfetto: functions" want got
	done
fi

# ---- what threads did ----

# states NAME FILE OPTION...: how long each thread ran, waited, was blocked: as sched latency says it.
states() {
	case_name=$1
	shift
	thread_states "$@" >want
	[ -s want ] || fail "$case_name" "sched has nothing: $(head -n 1 err)"
	"$pdtool" export -q --to firefox -o made.json "$@" 2>err
	node "$totals" markers made.json 2>err >sums || fail "$case_name, markers" "$(head -n 5 err)"
	grep -E '^(Running|Runnable|Blocked)' sums | sort >got
	same "$case_name, firefox: $(wc -l <want) times of threads" want got
	"$pdtool" export -q --to speedscope --order time -o made.json "$@" 2>err
	node "$totals" evented made.json 2>err | sort >got
	same "$case_name, speedscope: the same" want got
}

if command -v node >/dev/null; then
	for name in script/sched-g script/switch script/switch-a script/mixed x86_64/sched/nospin x86_64/sched/sw_wakeup; do
		states $name "$data/recorded/$name.data.zst"
	done
	for option in '--comms threads*' '--tid 28770' '--cpu 1' '--time 7983.4,7983.5'; do
		states "nospin $option" "$data/recorded/x86_64/sched/nospin.data.zst" ${option% *} "${option#* }"
	done
	"$pdtool" block --each -q --format csv "$script/block.data.zst" 2>err | awk -F, -v OFS='\t' 'NR > 1 {
		n["io" OFS $13 OFS $4 OFS $8 + 0 OFS $9]++ } END { for (k in n) print k, n[k] }' | sort >want
	"$pdtool" export -q --to firefox -o made.json "$script/block.data.zst" 2>err
	node "$totals" markers made.json 2>err | grep '^io' | sort >got
	same 'block, firefox: operation, size, queue and latency of I/Os' want got
	for name in kmem uprobe sysc; do
		"$pdtool" script -q --compat perf -F event,trace "$script/$name.data.zst" 2>err | perl -ne '
			s/^\s+|\s+$//g; my ($event, $text) = /^(\S+): *(.*)$/ or next;
			$text =~ s/\x{1}//g; $n{"event\t$event\t$text"}++;
			END { print "$_\t$n{$_}\n" for keys %n }' | sort >want
		"$pdtool" export -q --to firefox -o made.json "$script/$name.data.zst" 2>err
		node "$totals" markers made.json 2>err | grep '^event' | sort >got
		same "$name, firefox: tracepoints with their texts" want got
	done
	"$pdtool" export -q --to firefox -o made.json "$script/mono.data.zst" 2>err
	grep -c '"startTimeAsClockMonotonicNanosecondsSinceBoot":[0-9]' made.json >got
	equal 'the clock is monotonic' 1 "$(cat got)"
	for filter in '--comms nosuch' '--tid 1' '--time 1,2' '--cpu 99' '--dsos nosuch'; do
		"$pdtool" export -q --to firefox ${filter% *} "${filter#* }" -o made.none "$script/sched-g.data.zst" 2>err
		equal "nothing passes $filter" '1 1 no' "$? $(grep -c -e "${filter%% *}" err) $([ -e made.none ] && echo yes || echo no)"
	done
fi

# What a capture calls things is text everywhere.
"$mkperf" -o hostile.data "$top/tests/oracle/export/hostile.mkperf" || fail hostile mkperf
for reader in pprof speedscope firefox chrome perfetto; do
	"$pdtool" export -q --to $reader -o hostile.$reader hostile.data 2>err || fail "hostile names, $reader" "$(cat err)"
done
if command -v node >/dev/null; then
	node "$totals" speedscope hostile.speedscope >got 2>err && [ -s got ] && ok 'hostile names, speedscope' || fail 'hostile names, speedscope' "$(head -n 5 err)"
	node "$totals" chrome hostile.chrome >got 2>err && [ -s got ] && ok 'hostile names, chrome' || fail 'hostile names, chrome' "$(head -n 5 err)"
	node "$totals" firefox hostile.firefox cycles >got 2>err && [ -s got ] && ok 'hostile names, firefox' || fail 'hostile names, firefox' "$(head -n 5 err)"
fi
LC_ALL=C tr -d '\n -~\200-\377' <hostile.speedscope >got
LC_ALL=C tr -d '\n -~\200-\377' <hostile.firefox >>got
LC_ALL=C tr -d '\n -~\200-\377' <hostile.chrome >>got
equal 'no control bytes' 0 "$(wc -c <got)"
gzip -dc hostile.pprof | LC_ALL=C grep -c '[[:cntrl:]]\[2J' >got
equal 'none in pprof' 0 "$(cat got)"
if command -v go >/dev/null; then
	go tool pprof -top hostile.pprof >got 2>err
	equal 'hostile names, pprof' '0 1' "$? $(grep -c 'script>.*[]]' got)"
fi

# The same of what threads did: 7 wakes 8 up, an interrupt wakes 7; and of a tracepoint that nobody knows.
"$mkperf" -o wakes.data "$top/tests/oracle/export/wakes.mkperf" || fail wakes mkperf
for reader in firefox speedscope; do
	"$pdtool" export -q --to $reader -o wakes.$reader wakes.data 2>err || fail "wakes, $reader" "$(cat err)"
	LC_ALL=C tr -d '\n -~\200-\377' <wakes.$reader >got
	equal "wakes, $reader: no control bytes" 0 "$(wc -c <got)"
done
if command -v node >/dev/null; then
	node "$totals" markers wakes.firefox 2>err >sums
	grep -v '^who' sums | cut -f 1-3 >got
	printf '%s\t%s\t%s\n' Blocked 7 1000 Blocked 8 1000 Running 7 2000 Running 8 2000 Runnable 7 1000 Runnable 8 1000 >want
	printf 'Wake-up\t1\nevent\tmy:own\t<b> "]}\\x1b[2J\\\n' >>want
	sed 's/\x1b/\\x1b/' got | sort >sorted
	sort -o want want
	same 'wakes, markers' want sorted
	grep '^who' sums >got
	printf 'who\t%s\t%s\t1\n' waker 'a"];\ [2J  (7)' waker 'an interrupt' woken '</script> (8)' >want
	same 'wakes, markers: who woke whom' want got
	node "$totals" evented wakes.speedscope 2>err | sort >got
	grep -E '^(Bl|Run)' sorted >want
	same 'wakes, speedscope' want got
fi

# And for five million times as long, on the last CPU that is believed.
awk '/^sample/ { split($3, t, "="); $3 = sprintf("time=%d000000", 5 * t[2]); sub(/ cpu=0 /, " cpu=65535 ") } { print }' \
	"$top/tests/oracle/export/wakes.mkperf" >long.mkperf
"$mkperf" -o long.data long.mkperf || fail 'long marks' mkperf
"$pdtool" export -q --to firefox -o long.firefox long.data 2>err || fail 'long marks, firefox' "$(cat err)"
equal 'long marks: each with its CPU' "$(grep -o '"Running","cpu":0' wakes.firefox | wc -l)" "$(grep -o '"Running","cpu":65535' long.firefox | wc -l)"
if command -v node >/dev/null; then
	node "$totals" markers long.firefox 2>err | grep -E '^(Bl|Run)' | cut -f 1-3 | sed 's/000000$//' | sort >got
	awk -F '\t' '{ print $1 "\t" $2 "\t" 5 * $3 }' want >long
	same 'long marks: how long' long got
fi

# What nothing is known of, wrong words, a pipe, a terminal.
"$pdtool" export hostile.data >out 2>err
equal 'no reader' '2 0' "$? $(wc -c <out)"
"$pdtool" export --to perl hostile.data >out 2>err
equal 'another reader' '2 0' "$? $(wc -c <out)"
"$pdtool" export --to pprof --order time hostile.data >out 2>err
equal 'an order of another reader' '2 0' "$? $(wc -c <out)"
"$pdtool" export --to pprof --format csv hostile.data >out 2>err
equal 'another format' '2 0' "$? $(wc -c <out)"
zstd -dcq "$script/cpu-g.data.zst" >file.data
for reader in pprof speedscope firefox chrome perfetto; do
	"$pdtool" export -q --to $reader -o made.file file.data
	"$pdtool" export -q --to $reader - <file.data 2>/dev/null >made.pipe
	"$pdtool" export -q --to $reader -j4 file.data >made.jobs
	cmp -s made.file made.jobs && ok "$reader, -j4" || fail "$reader, -j4" 'other bytes'
	case $reader in pprof | perfetto) ;; *) sed 's/file\.data/(stdin)/g' made.file >want; same "$reader from a pipe" want made.pipe ;;
	esac
done
"$pdtool" export -q --to firefox file.data >made.file
TMPDIR=/nowhere "$pdtool" export -q --to firefox file.data >made.memory 2>err
same 'no directory for temporary files' made.file made.memory
