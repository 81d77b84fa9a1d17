#!/bin/sh
# `export`: what each reader finds in its file is what `report` says of the capture: functions and threads of each event, to the
# unit. go tool pprof reads its form itself; the others are read by totals.js, which keeps to their descriptions.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
totals=$top/tests/oracle/export/totals.js

# Of all events the rows of report: EVENT, what, who, weight.
reported() {
	for what in sym comm,tid; do
		"$pdtool" report -q --no-children --limit 0 --format csv -s "event,$what" "$@" >rows.csv 2>err
		records <rows.csv | awk -F '\t' -v OFS='\t' -v what="$what" '{
			if (what == "sym") print $(NF - 1), "sym", $NF, $(NF - 3)
			else print $(NF - 2), "thread", $(NF - 1), $NF, $(NF - 4) }'
	done | awk -F '\t' -v OFS='\t' '{ w = $NF; NF--; n[$0] += w } END { for (k in n) if (n[k]) printf "%s\t%.0f\n", k, n[k] }' | sort
}

# The same of a profile, as go tool pprof shows it whole. A single event has no name there: it is EVENT.
raw() { # EVENT FILE
	go tool pprof -raw "$2" 2>err | perl -e '
		my ($event, @events, $part, @samples, %leaf, %n) = shift;
		while (<STDIN>) {
			if (/^(Samples|Locations|Mappings)/) { $part = $1; next }
			if (!defined $part) { next }
			if ($part eq "Samples" && !@events) { s/\[dflt\]//g; @events = map { s{/.*}{}r } split; next }
			if ($part eq "Samples" && /^\s+([\d ]+): (\d+)/) { push @samples, [[split " ", $1], $2] }
			elsif ($part eq "Samples" && /thread:\[(.*)\/(-?\d+)\]/) { push @{$samples[-1]}, "$1\t$2" }
			elsif ($part eq "Locations" && /^\s+(\d+): 0x[0-9a-f]+ (?:M=\d+ )?(?:\[F\] )?(.*) \S*:\d+(?::\d+)? s=/) { $leaf{$1} = $2 }
		}
		for my $s (@samples) {
			for (my $i = 1; $i < @events; $i += 2) {
				my $name = @events == 2 ? $event : $events[$i];
				$n{"$name\tsym\t$leaf{$s->[1]}"} += $s->[0][$i];
				$n{"$name\tthread\t$s->[2]"} += $s->[0][$i];
			}
		}
		$n{$_} && print "$_\t$n{$_}\n" for keys %n;' "$1" | sort
}

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

# What a capture calls things is text everywhere.
cat >hostile.mkperf <<'END'
arch x86_64
event "cyc\"les</script>" type=hardware config=0 period=1000 ids=1 sample_id_all mmap comm task sample_type=IDENTIFIER|IP|TID|TIME|CALLCHAIN
comm pid=7 tid=7 comm="a\"];\\\x1b[2J\xff" time=1
mmap pid=7 tid=7 addr=0x400000 len=0x10000 file="/lib/__proto__\"</script>\x07\xc0\x80" time=2
sample pid=7 tid=7 time=1000 ip=0x400100 chain=[user:0x400100,0x400200]
sample pid=7 tid=7 time=2000 ip=0x400100 chain=[user:0x400100,0x400300]
sample pid=7 tid=8 time=3000 ip=0 chain=[]
END
"$mkperf" -o hostile.data hostile.mkperf || fail hostile mkperf
for reader in pprof speedscope firefox; do
	"$pdtool" export -q --to $reader -o hostile.$reader hostile.data 2>err || fail "hostile names, $reader" "$(cat err)"
done
if command -v node >/dev/null; then
	node "$totals" speedscope hostile.speedscope >got 2>err && [ -s got ] && ok 'hostile names, speedscope' || fail 'hostile names, speedscope' "$(head -n 5 err)"
	node "$totals" firefox hostile.firefox cycles >got 2>err && [ -s got ] && ok 'hostile names, firefox' || fail 'hostile names, firefox' "$(head -n 5 err)"
fi
LC_ALL=C tr -d '\n -~\200-\377' <hostile.speedscope >got
LC_ALL=C tr -d '\n -~\200-\377' <hostile.firefox >>got
equal 'no control bytes' 0 "$(wc -c <got)"
gzip -dc hostile.pprof | LC_ALL=C grep -c '[[:cntrl:]]\[2J' >got
equal 'none in pprof' 0 "$(cat got)"
if command -v go >/dev/null; then
	go tool pprof -top hostile.pprof >got 2>err
	equal 'hostile names, pprof' '0 1' "$? $(grep -c 'script>.*[]]' got)"
fi

# What nothing is known of, wrong words, a pipe, a terminal.
"$pdtool" export hostile.data >out 2>err
equal 'no reader' '2 0' "$? $(wc -c <out)"
"$pdtool" export --to perl hostile.data >out 2>err
equal 'another reader' '2 0' "$? $(wc -c <out)"
"$pdtool" export --to pprof --format csv hostile.data >out 2>err
equal 'another format' '2 0' "$? $(wc -c <out)"
zstd -dcq "$script/cpu-g.data.zst" >file.data
for reader in pprof speedscope firefox; do
	"$pdtool" export -q --to $reader -o made.file file.data
	"$pdtool" export -q --to $reader - <file.data 2>/dev/null >made.pipe
	"$pdtool" export -q --to $reader -j4 file.data >made.jobs
	cmp -s made.file made.jobs && ok "$reader, -j4" || fail "$reader, -j4" 'other bytes'
	[ $reader = pprof ] || { sed 's/file\.data/(stdin)/g' made.file >want; same "$reader from a pipe" want made.pipe; }
done
TMPDIR=/nowhere "$pdtool" export -q --to firefox file.data >made.memory 2>err
same 'no directory for temporary files' made.file made.memory
